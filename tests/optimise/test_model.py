"""Interactive optimisation: optima beside closed forms and scipy, hands, edits, saving, and what is refused
(G3)."""

import numpy as np
import pytest
from scipy.optimize import minimize

import tinkerdyne as td
from tinkerdyne.optimise.model import Model
from tinkerdyne.optimise.settle import rate, settle


def box():
    model = Model()
    for name, start in zip("abc", (1.0, 2.0, 4.0), strict=True):
        model.variable(name, start, low=0.1)
    volume = model.constrain("a*b*c = volume", volume=8.0)
    model.output("surface", "2*(a*b + b*c + c*a)")
    model.minimise("surface")
    return model, volume


def test_box_of_given_volume_becomes_a_cube():
    model, volume = box()
    assert model.settle()
    assert [model.values[n] for n in "abc"] == pytest.approx([2, 2, 2], abs=1e-8)
    # dS/dV of the cube: S = 6 V^(2/3), so 4 V^(-1/3).
    assert abs(model.multiplier(volume)) == pytest.approx(4 / 8 ** (1 / 3), abs=1e-6)


def test_changed_number_of_a_constraint_moves_the_optimum():
    model, volume = box()
    model.settle()
    volume.volume = 27.0
    model.settle()
    assert [model.values[n] for n in "abc"] == pytest.approx([3, 3, 3], abs=1e-7)


def test_plain_running_arrives_where_settle_does():
    model, _ = box()
    model.world.run(40)
    assert [model.values[n] for n in "abc"] == pytest.approx([2, 2, 2], abs=1e-6)


def test_slider_pulls_and_the_rest_follows():
    model, _ = box()
    slider = model.slide("a", 3.0, strength=50.0)
    model.settle()
    a, b, c = (model.values[n] for n in "abc")
    assert b == pytest.approx(c, abs=1e-7) and a * b * c == pytest.approx(8, abs=1e-7)
    # On the curve b = c = sqrt(8/a): d/da [2 (2 a b + b²) + 25 (a - 3)²] = 0.
    best = minimize(
        lambda x: 4 * x[0] * (8 / x[0]) ** 0.5 + 16 / x[0] + 25 * (x[0] - 3) ** 2, [2.5], tol=1e-14
    ).x[0]
    assert a == pytest.approx(best, abs=1e-6)
    assert slider.force == pytest.approx(50 * (3 - a))
    slider.move(1.0)
    model.settle()
    assert model.values["a"] < 1.2
    slider.release()
    model.settle()
    assert model.values["a"] == pytest.approx(2, abs=1e-7)


def test_held_output_keeps_its_value_while_a_variable_is_pulled():
    model = Model()
    model.variable("x", 3.0)
    model.variable("y", 1.0)
    model.output("area", "x*y")
    model.minimise("(x - 5)^2 + (y - 2)^2")
    grip = model.hold("area")
    model.settle()
    assert model.values["area"] == pytest.approx(3, abs=1e-8)
    grip.move(4.0)
    model.settle()
    assert model.values["area"] == pytest.approx(4, abs=1e-8)
    found = minimize(
        lambda q: (q[0] - 5) ** 2 + (q[1] - 2) ** 2,
        (5, 1),
        constraints={"type": "eq", "fun": lambda q: q[0] * q[1] - 4},
        tol=1e-14,
    )
    assert (model.values["x"], model.values["y"]) == pytest.approx(tuple(found.x), abs=1e-6)
    grip.release()
    model.settle()
    assert model.values["area"] == pytest.approx(10, abs=1e-7)


def test_linear_programme_ends_in_its_corner_with_prices():
    # maximise 3x + 2y under x + y ≤ 4, x + 3y ≤ 7, 0 ≤ x ≤ 3: the corner is (3, 1), prices 2 of x + y ≤ 4 and
    # 1 of x ≤ 3.
    model = Model()
    model.variable("x", 0.5, low=0.0, high=3.0)
    model.variable("y", 0.5, low=0.0)
    both = model.constrain("x + y <= 4")
    model.constrain("7 >= x + 3*y")
    model.maximise("3*x + 2*y")
    assert model.settle()
    assert (model.values["x"], model.values["y"]) == pytest.approx((3, 1), abs=1e-7)
    assert model.multiplier(both) == pytest.approx(2, abs=1e-6)
    assert model.multiplier(model.world["x <= 3"]) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_random_quadratic_programmes_agree_with_slsqp(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(4, 4))
    H, g, a, b = A @ A.T + np.eye(4), rng.normal(size=4), rng.normal(size=4), rng.normal(size=4)
    model = Model()
    names = "pqrs"
    start = np.ones(4) - a * (a.sum() - 1) / (a @ a)
    for name, value in zip(names, start, strict=True):
        model.variable(name, value)
    model.constrain(" + ".join(f"({w})*{n}" for w, n in zip(a.tolist(), names, strict=True)) + " = 1")
    model.constrain(" + ".join(f"({w})*{n}" for w, n in zip(b.tolist(), names, strict=True)) + " <= 0.2")
    for i in range(4):  # several objectives add up
        model.minimise(
            " + ".join(f"({H[i, j] / 2})*{names[i]}*{names[j]}" for j in range(4)) + f" + ({g[i]})*{names[i]}"
        )
    assert model.settle()
    rules = ({"type": "eq", "fun": lambda x: a @ x - 1}, {"type": "ineq", "fun": lambda x: 0.2 - b @ x})
    best = minimize(
        lambda x: x @ H @ x / 2 + g @ x,
        start,
        jac=lambda x: H @ x + g,
        constraints=rules,
        method="SLSQP",
        tol=1e-16,
    )
    assert [model.values[n] for n in names] == pytest.approx(best.x.tolist(), abs=1e-6)


def test_ill_conditioned_valley_is_walked_to_its_end():
    model = Model()
    model.variable("x", -1.2)
    model.variable("y", 1.0)
    model.minimise("(1 - x)^2 + 100*(y - x^2)^2")
    rest = model.settle()
    assert rest and (model.values["x"], model.values["y"]) == pytest.approx((1, 1), abs=1e-8)
    assert rest.steps < 5000


@pytest.mark.parametrize(
    ("stop", "best"), [("x <= 0.8", (0.8, 0.64)), ("x^2 + y^2 <= 1", (0.7864151542, 0.6176983125))]
)
def test_valley_that_ends_at_a_stop_is_not_walked_beyond_it(stop, best):
    model = Model()
    model.variable("x", -0.5)
    model.variable("y", 0.5)
    model.constrain(stop)
    model.minimise("100*(y - x^2)^2 + (1 - x)^2")
    assert model.settle() and (model.values["x"], model.values["y"]) == pytest.approx(best, abs=1e-8)
    model.world.step(1.0)
    assert model.world.gap < 1e-8 and (model.values["x"], model.values["y"]) == pytest.approx(best, abs=1e-8)


def test_released_model_stops_at_once():
    model = Model()
    model.variable("x", 0.0)
    slider = model.slide("x", 1.0)
    model.world.step(0.1)
    assert rate(model.world) > 0
    slider.release()
    x = model.values["x"]
    model.world.step(1.0)
    assert model.values["x"] == x and rate(model.world) == 0


def test_settle_passes_no_time_and_can_be_undone():
    model, _ = box()
    model.world.run(0.5)
    before = model.values
    model.settle()
    assert model.world.time == pytest.approx(0.5)
    model.world.undo()
    assert model.values == before


def test_slider_is_one_step_for_undo():
    model, _ = box()
    before = model.values
    slider = model.slide("a", 3.0)
    slider.move(4.0)
    model.world.run(0.3)
    slider.release()
    assert model.values != before
    model.world.undo()
    assert model.values == before


def test_edits_are_possible_between_any_two_steps():
    model, _ = box()
    model.world.run(1)
    model.variable("d", 1.0)
    model.constrain("d >= a")
    model.minimise("d")
    model.world.run(30)
    assert model.values["d"] == pytest.approx(model.values["a"], abs=1e-7)


def test_saved_model_comes_back_with_names_and_goes_on():
    model, _ = box()
    model.world.run(0.2)
    again = Model(td.World.from_json(model.world.to_json()))
    assert again.values == model.values
    model.settle(), again.settle()
    assert again.values == model.values
    assert "a*b*c = volume" in again.world


def test_numbers_are_changed_by_the_text_they_stand_in():
    model = Model()
    model.variable("x", 3.0)
    model.constrain("x <= most", most=5.0)
    model.minimise("(x - goal)^2", goal=4.0)
    model.change("minimise (x - goal)^2", goal=9.0)
    model.settle()
    assert model.values["x"] == pytest.approx(5)
    model.change("x <= most", most=7.0)
    model.settle()
    assert model.values["x"] == pytest.approx(7)
    assert [i.name for i in model.objectives] == ["minimise (x - goal)^2"] and [
        i.name for i in model.constraints
    ] == ["x <= most"]
    with pytest.raises(KeyError, match="no number 'least'"):
        model.change("x <= most", least=1.0)


def test_removed_output_takes_along_what_is_built_on_it():
    model, _ = box()
    model.remove("surface")
    assert not model.outputs and not model.objectives and list(model.variables) == ["a", "b", "c"]
    model.world.undo()
    assert list(model.outputs) == ["surface"] and len(model.objectives) == 1


def test_contradiction_is_named_and_not_called_rest():
    model = Model()
    model.variable("x", 0.0)
    model.constrain("x = 1")
    model.constrain("x = 2")
    rest = model.settle()
    assert not rest and "x = 1" in str(rest) and "x = 2" in str(rest)
    assert model.values["x"] == pytest.approx(1.5, abs=0.01)


def test_surface_that_no_box_of_the_volume_has_is_not_called_met():
    model, _ = box()
    model.settle()
    model.hold("surface", 23.0)
    rest = model.settle()
    assert not rest and "a*b*c = volume, hold surface" in str(rest)


@pytest.mark.parametrize("surface", [24.5, 26.0, 40.0])
@pytest.mark.parametrize("is_settled", [True, False])
def test_cube_of_given_volume_is_drawn_out_to_another_surface(surface, is_settled):
    # All three sides are the same: the rows of volume and surface depend on each other.
    model = Model()
    for name in "abc":
        model.variable(name, 2.0, low=0.1)
    model.constrain("a*b*c = 8")
    model.output("S", "2*(a*b + b*c + a*c)")
    model.minimise("S")
    model.settle()
    model.hold("S", surface)
    rest = model.settle() if is_settled else model.world.run(3)
    assert rest and model.values["S"] == pytest.approx(surface, abs=1e-7)
    a, b, c = (model.values[name] for name in "abc")
    assert a * b * c == pytest.approx(8, abs=1e-7)


@pytest.mark.parametrize(
    ("text", "can_be"), [("x^2 + y^2 = 1", True), ("x^2 + y^2 >= 1", True), ("x^2 + y^2 = -1", False)]
)
def test_constraint_without_a_slope_is_not_called_met(text, can_be):
    model = Model()
    model.variable("x", 0.0)
    model.variable("y", 0.0)
    model.constrain(text)
    rest = model.settle()
    assert bool(rest) == can_be and (can_be or text in str(rest))
    assert not can_be or np.hypot(model.values["x"], model.values["y"]) == pytest.approx(1, abs=1e-7)


def test_second_order_worlds_are_refused():
    with pytest.raises(ValueError, match="order=1"):
        Model(td.World())
    with pytest.raises(ValueError, match="order=1"):
        settle(td.World())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a*b*q = 3", "unknown name 'q'"),
        ("a + = 3", "a value is missing at the end"),
        ("a*b", "one of =, <= and >="),
        ("a = b = c", "one of =, <= and >="),
        ("", "one of =, <= and >="),
        ("surfac <= 3", "did you mean 'surface'"),
        ("__import__('os') = 1", "unknown|no meaning"),
        ("a = 9**9**9", "no finite number"),
        ("a = sqrt(-1)", "no real number"),
        (f"{'a + ' * 300}a = 1", "at most"),
    ],
)
def test_bad_constraints_are_refused_in_words_and_change_nothing(text, said):
    model, _ = box()
    items = model.world.items
    with pytest.raises(ValueError, match=said):
        model.constrain(text)
    assert model.world.items == items


@pytest.mark.parametrize("name", ["", "2x", "a b", "sin", "pi", "t", None, "x.y"])
def test_names_that_no_formula_could_use_are_refused(name):
    with pytest.raises(ValueError, match="name"):
        Model().variable(name, 1.0)


def test_unknown_measures_and_doubled_names_are_refused():
    model, _ = box()
    with pytest.raises(KeyError, match="no variable or output 'volume'"):
        model.slide("volume")
    with pytest.raises(ValueError, match="already"):
        model.variable("a", 1.0)
    with pytest.raises(TypeError, match="does not use k"):
        model.constrain("a = 1", k=2.0)
    for bad in (np.nan, np.inf, "1", True):
        with pytest.raises((TypeError, ValueError), match="value"):
            model.variable("z", bad)


def test_formula_that_stops_being_real_keeps_the_last_good_state():
    model = Model()
    model.variable("x", 1.0)
    model.minimise("sqrt(x)")
    rest = model.settle()
    assert not rest and np.isfinite(model.values["x"])


def test_settling_where_a_formula_is_not_a_number_names_it():
    model = Model()
    model.variable("x", 1.0)
    model.minimise("sqrt(x - 1)")
    rest = model.settle()
    assert not rest and "stopped being finite" in str(rest) and "minimise sqrt(x - 1)" in str(rest)


@pytest.mark.parametrize("low", [True, False])
def test_variable_that_starts_at_its_bound_leaves_it_where_the_optimum_is_inside(low):
    model = Model()
    model.variable("x", 0.0, **({"low": 0.0} if low else {"high": 0.0}))
    model.minimise("(x - k)^2", k=3.0 if low else -3.0)
    assert model.settle() and model.values["x"] == pytest.approx(3.0 if low else -3.0, abs=1e-8)


def test_slider_pulls_a_variable_off_the_stop_it_rests_on(tmp_path):
    model = Model()
    model.variable("x", 3.0)
    model.maximise("x")
    stop = model.constrain("x <= 5")
    model.settle()
    assert model.values["x"] == pytest.approx(5, abs=1e-8) and model.multiplier(stop) == pytest.approx(1)
    model.slide("x", 1.0)
    # 10 (5 - 1) - 1, and a stop never pulls
    assert model.multiplier(stop) == 0 and rate(model.world) == pytest.approx(39)
    model.world.save(tmp_path / "model.json")
    for found in (model, Model(td.World.load(tmp_path / "model.json"))):
        assert found.settle() and found.values["x"] == pytest.approx(1.1, abs=1e-8)


def test_reading_a_force_at_a_stop_changes_nothing():
    def run(look):
        model = Model()
        model.variable("x", 1.0, low=0.0)
        model.minimise("x + (x - 1)^2/8*sin(4*x)")
        model.settle()
        model.slide("x", 2.0)
        for _ in range(20):
            model.world.step(1 / 60)
            if look:
                _ = [c.force for c in model.constraints]
        return model.values["x"]

    assert run(True) == run(False)


@pytest.mark.parametrize("seed", range(6))
def test_quadratic_programs_change_from_optimum_to_optimum_beside_scipy(seed):
    rng = np.random.default_rng(seed)
    n, m = 4, 5
    A, b = rng.normal(size=(m, n)), rng.uniform(0.5, 2, size=m)
    model = Model()
    names = [f"x{k}" for k in range(n)]
    for name in names:
        model.variable(name, 0.0, low=-1.0, high=1.0)
    rows = [
        model.constrain(" + ".join(f"({x})*{v}" for x, v in zip(row, names, strict=True)) + f" <= {s}")
        for row, s in zip(A, b, strict=True)
    ]
    for _ in range(4):  # each time another objective, from where the last one ended
        c = 2 * rng.normal(size=n)
        wanted = [f"({x} - {v})^2/2" for x, v in zip(c, names, strict=True)]
        objective = model.minimise(" + ".join(wanted))
        assert model.settle()
        kept = [{"type": "ineq", "fun": lambda x, r=row, s=s: s - r @ x} for row, s in zip(A, b, strict=True)]
        best = minimize(
            lambda x, c=c: ((x - c) ** 2).sum() / 2,
            np.zeros(n),
            method="SLSQP",
            bounds=[(-1, 1)] * n,
            constraints=kept,
            options={"ftol": 1e-14, "maxiter": 500},
        ).x
        assert [model.values[v] for v in names] == pytest.approx(best, abs=1e-6)
        assert all(row.force[0] >= 0 for row in rows)
        model.world.remove(objective)


def test_linear_program_goes_to_another_corner_when_its_objective_changes():
    model = Model()
    model.variable("a", 1.0, low=0.0)
    model.variable("b", 1.0, low=0.0)
    model.constrain("a + b <= 4")
    model.constrain("a <= 3")
    first = model.maximise("2*a + b")
    assert model.settle() and [model.values[n] for n in "ab"] == pytest.approx([3, 1], abs=1e-8)
    model.world.remove(first)
    model.maximise("b - a")
    assert model.settle() and [model.values[n] for n in "ab"] == pytest.approx([0, 4], abs=1e-8)
