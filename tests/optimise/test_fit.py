"""Fitting: every model beside scipy, robust energy, hands out of wrong minima, uncertainties, files and what
is refused (G5)."""

import numpy as np
import pytest
from scipy.optimize import curve_fit, least_squares

import tinkerdyne as td
from benchmarks.bars_fit import examples
from tinkerdyne.optimise.fit import MODELS, Fit, data_from, datum, huber_covariance
from tinkerdyne.optimise.settle import rate

EXAMPLES = examples()
SHARP = {"xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15}


def found(fit):
    return np.array(list(fit.values.values()))


def fitted(name, **options):
    data, start = EXAMPLES[name]
    fit = Fit(name, data, columns=("x", "y", "z")[: data.shape[1]], **start, **options)
    return fit, data, start


# Residuals written again, apart from the typed formulas.
RESIDUALS = {
    "line": lambda d, a, b: d[1] - a - b * d[0],
    "circle": lambda d, x, y, r: np.hypot(d[0] - x, d[1] - y) - r,
    "ellipse": lambda d, x, y, a, b, t: (
        np.hypot(
            (np.cos(t) * (d[0] - x) + np.sin(t) * (d[1] - y)) / a,
            (np.cos(t) * (d[1] - y) - np.sin(t) * (d[0] - x)) / b,
        )
        - 1
    ),
    "sinusoid": lambda d, c, a, w, p: d[1] - c - a * np.sin(w * d[0] + p),
    "gaussians": lambda d, a, m, s, b, n, t: (
        d[1] - a * np.exp(-(((d[0] - m) / s) ** 2) / 2) - b * np.exp(-(((d[0] - n) / t) ** 2) / 2)
    ),
    "sphere": lambda d, x, y, z, r: np.sqrt((d[0] - x) ** 2 + (d[1] - y) ** 2 + (d[2] - z) ** 2) - r,
    "cylinder": lambda d, x, y, u, v, r: (
        np.linalg.norm(
            np.cross(np.stack([d[0] - x, d[1] - y, d[2]], 1), (u, v, 1) / np.sqrt(u * u + v * v + 1)), axis=1
        )
        - r
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_every_model_rests_where_scipy_ends(name):
    fit, data, start = fitted(name)
    assert fit.settle()
    best = least_squares(lambda q: RESIDUALS[name](data.T, *q), list(start.values()), x_scale="jac", **SHARP)
    assert found(fit) == pytest.approx(best.x, abs=1e-6)
    assert fit.residuals == pytest.approx(RESIDUALS[name](data.T, *best.x), abs=1e-5)
    assert fit.world.potential_energy == pytest.approx(best.cost, rel=1e-9)


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_units_do_not_matter(unit):
    # The circle in other units of length, the wave in other units of y.
    for name, sized in (("circle", ("cx", "cy", "r")), ("sinusoid", ("c", "a"))):
        fit, data, start = fitted(name)
        fit.settle()
        units = {key: unit if key in sized else 1.0 for key in start}
        again = Fit(
            name,
            data * (unit if name == "circle" else (1, unit)),
            **{key: start[key] * units[key] for key in start},
        )
        assert again.settle()
        assert found(again) / list(units.values()) == pytest.approx(found(fit), abs=1e-8)
    x = np.linspace(0, 12, 100)
    line = Fit("line", np.stack([x, (2 + 3 * x) * unit], 1), a=0.0, b=unit)
    assert line.settle() and found(line) / unit == pytest.approx([2, 3], abs=1e-9)


@pytest.mark.parametrize("k", [-3.0, 3.0, 6.0])
def test_slopes_that_change_by_orders_on_the_way_do_not_stop_a_fit(k):
    x = np.linspace(0, 5, 20)
    fit = Fit("y = a*exp(k*x)", np.stack([x, 1 + 2 * x], 1), a=1.0, k=k)
    masses = [item.mass for item in fit.parameters]
    assert fit.settle()
    best = least_squares(lambda q: 1 + 2 * x - q[0] * np.exp(q[1] * x), (2.0, 0.3), **SHARP)
    assert found(fit) == pytest.approx(best.x, abs=1e-7)
    fit.world.undo()  # all of it, with the masses
    assert found(fit).tolist() == [1.0, k] and [item.mass for item in fit.parameters] == masses


def test_uncertainties_are_those_of_curve_fit():
    fit, data, start = fitted("sinusoid")
    fit.settle()

    def wave(x, c, a, w, p):
        return c + a * np.sin(w * x + p)

    _, covariance = curve_fit(wave, *data.T, p0=list(start.values()), **SHARP)
    assert fit.covariance == pytest.approx(covariance, rel=1e-4, abs=1e-9)
    assert fit.uncertainties["w"] == pytest.approx(np.sqrt(covariance[2, 2]), rel=1e-5)


def test_uncertainty_of_a_mean_is_the_textbook_s():
    x = np.array([1.0, 2.0, 4.0, 9.0])
    fit = Fit("m - x", x[:, None], columns=("x",), m=0.0)
    fit.settle()
    assert fit.values["m"] == pytest.approx(4.0)
    assert fit.uncertainties["m"] == pytest.approx(x.std(ddof=1) / 2)


def test_huber_shrugs_off_outliers_as_scipy_s_does():
    data, start = EXAMPLES["line"]
    spoiled = data.copy()
    spoiled[::8, 1] += 5
    fit = Fit("line", spoiled, limit=0.1, **start)
    fit.settle()
    best = least_squares(
        lambda q: RESIDUALS["line"](spoiled.T, *q), (0, 0), loss="huber", f_scale=0.1, **SHARP
    )
    assert found(fit) == pytest.approx(best.x, abs=1e-6)
    assert fit.values["a"] == pytest.approx(1, abs=0.05) and fit.values["b"] == pytest.approx(0.5, abs=0.01)
    plain = Fit("line", spoiled, **start)
    plain.settle()
    assert plain.values["a"] > 1.3
    plain.be_robust(0.1)
    plain.settle()
    assert found(plain) == pytest.approx(found(fit), abs=1e-7)


@pytest.mark.parametrize("kind", ["normal", "outliers", "laplace"])
def test_robust_uncertainties_are_the_scatter_of_many_fits(kind):
    # Huber's line through 2,000 sets of 40 rows, by weights that are solved for again and again.
    rng, x, limit = np.random.default_rng(1), np.linspace(0, 1, 40), 1.0
    noise = rng.laplace(size=(2000, 40)) if kind == "laplace" else rng.normal(size=(2000, 40))
    if kind == "outliers":
        noise *= np.where(rng.random(noise.shape) < 0.15, 8.0, 1.0)
    slopes = -np.stack([np.ones_like(x), x], 1)
    q = np.zeros((2000, 2))
    for _ in range(200):
        weights = np.minimum(1, limit / np.maximum(np.abs(noise + q @ slopes.T), 1e-12))
        H = np.einsum("km,mi,mj->kij", weights, slopes, slopes)
        q = np.linalg.solve(H, -np.einsum("km,mi->ki", weights * noise, slopes)[..., None])[..., 0]
    said = np.mean(
        [np.diag(huber_covariance(noise[k] + slopes @ q[k], slopes, limit)) for k in range(2000)], axis=0
    )
    assert np.sqrt(said) == pytest.approx(q.std(axis=0), rel=0.1)
    fit = Fit("line", np.stack([x, noise[0]], 1), limit=limit, a=0.0, b=0.0)
    fit.settle()
    assert found(fit) == pytest.approx(q[0], abs=1e-6)
    assert fit.covariance == pytest.approx(
        huber_covariance(noise[0] + slopes @ q[0], slopes, limit), rel=1e-5
    )


def test_rows_and_limit_are_those_of_the_world_also_after_undo():
    fit, data, _ = fitted("line")
    fit.leave_out(0, 3)
    assert np.array_equal(fit.data, np.delete(data, [0, 3], axis=0)) and len(fit.residuals) == len(data) - 2
    fit.be_robust(0.2)
    assert fit.limit == 0.2
    fit.world.undo()
    assert fit.limit > 1e20 and len(fit.data) == len(data) - 2
    fit.world.undo()
    assert np.array_equal(fit.data, data)
    fit.world.redo()
    again = Fit.of(td.World.from_json(fit.world.to_json()))
    again.leave_out(0)  # the first row that is left
    assert np.array_equal(again.data, np.delete(data, [0, 1, 3], axis=0))
    with pytest.raises(ValueError, match=f"rows 0 to {len(data) - 4}, and no row 500"):
        again.leave_out(500)


def test_start_that_is_not_finite_is_refused_with_its_row():
    data = [(1.0, 0.0), (0.0, 2.0), (2.0, 1.0)]
    with pytest.raises(
        ValueError, match=r"no finite value at row 2 \(x = 0, y = 2\) with a = 1, b = 0: leave that row out"
    ):
        Fit("y = a*log(x) + b", data, a=1.0, b=0.0)
    with pytest.raises(ValueError, match="no finite slope at row 1"):
        Fit("sqrt((x - p)^2 + y^2) = r", [(1.0, 0.0), (2.0, 0.0)], p=1.0, r=1.0)
    world = td.World(order=1)
    with pytest.raises(ValueError, match="no finite value"):
        Fit("y = a/x", [(0.0, 1.0)], world=world, a=1.0)
    assert not world.items


@pytest.mark.parametrize("name", ["circle", "ellipse", "sphere", "cylinder"])
def test_a_datum_at_the_starting_centre_does_no_harm(name):
    fit, data, start = fitted(name)
    centre = np.array([start.get(k, start.get(j, 0.0)) for k, j in (("cx", "px"), ("cy", "py"), ("cz", "-"))])
    with_centre = np.vstack([data, centre[: data.shape[1]]])
    again = Fit(name, with_centre, columns=("x", "y", "z")[: data.shape[1]], limit=0.01, **start)
    assert again.settle(speed=1e-7)
    fit.settle()
    assert found(again) == pytest.approx(found(fit), abs=0.1)


def test_median_is_the_limit_of_huber():
    x = np.array([0.0, 1.0, 2.0, 50.0, 70.0])
    fit = Fit("m - x", x[:, None], columns=("x",), limit=0.01, m=10.0)
    fit.settle(speed=1e-9)
    assert fit.values["m"] == pytest.approx(2, abs=1e-7)


def test_hand_drags_a_wave_out_of_a_wrong_minimum():
    x = np.linspace(0, 12, 100)
    fit = Fit("sinusoid", np.stack([x, 2 * np.sin(1.7 * x + 0.4)], 1), c=0.0, a=1.5, w=2.7, p=0.0)
    fit.settle()
    wrong = fit.world.potential_energy
    assert abs(fit.values["w"] - 1.7) > 0.3 and wrong > 10
    slider = fit.slide("w", 1.75)
    fit.settle()
    slider.release()
    fit.settle()
    assert fit.values["w"] == pytest.approx(1.7, abs=1e-7) and fit.world.potential_energy < 1e-12


def test_hand_pulls_the_model_through_a_place_and_lets_go():
    fit, _, _ = fitted("circle")
    fit.settle()
    before = found(fit)
    hand = fit.pull(3.0, 2.5, weight=1e6)
    fit.settle()
    x, y, r = found(fit)
    assert np.hypot(3 - x, 2.5 - y) == pytest.approx(r, abs=1e-3)
    hand.move(3.0, 3.5)
    fit.settle()
    x, y, r = found(fit)
    assert np.hypot(3 - x, 3.5 - y) == pytest.approx(r, abs=1e-2)
    hand.release()
    fit.settle()
    assert found(fit) == pytest.approx(before, abs=1e-6)


def test_constraints_and_data_work_together():
    fit, data, _ = fitted("line")
    fit.world.add(td.equation("a - 2*b", a=fit.parameters[0], b=fit.parameters[1]))
    fit.settle()
    best = least_squares(lambda q: RESIDUALS["line"](data.T, 2 * q[0], q[0]), [1.0], **SHARP)
    assert fit.values["b"] == pytest.approx(best.x[0], abs=1e-7)


def test_fit_stops_when_its_data_are_gone():
    fit, _, _ = fitted("line")
    fit.world.step(0.1)
    fit.leave_out(*range(len(fit.data)))
    here = fit.values
    fit.world.step(1.0)
    assert fit.values == here and rate(fit.world) == 0


def test_spread_scales_residuals_and_not_the_optimum():
    one, two = fitted("circle")[0], fitted("circle", spread=0.05)[0]
    one.settle(), two.settle()
    assert found(two) == pytest.approx(found(one), abs=1e-8)
    assert two.world.potential_energy == pytest.approx(one.world.potential_energy * 400, rel=1e-9)


def test_saved_fit_comes_back():
    fit, _, _ = fitted("gaussians")
    fit.world.run(0.5)
    again = Fit.of(td.World.from_json(fit.world.to_json()))
    assert again.values == fit.values and np.array_equal(again.data, fit.data)
    fit.settle(), again.settle()
    assert again.values == fit.values and again.uncertainties == fit.uncertainties


def test_force_of_a_datum_is_its_energy_s_slope():
    a, b = td.Variable(value=0.7), td.Variable(value=-0.4)
    for limit in (1e30, 0.05):
        world = td.World()
        a, b = world.add(td.Variable(value=0.7), td.Variable(value=-0.4))
        options = {
            "text": ("y - a*exp(b*x)",),
            "names": ("a", "b"),
            "constant_names": ("x", "y"),
            "constants": (1.3, 0.9),
        }
        behavior = world.add(datum.make("", (a, b), {**options, "spread": 0.5, "limit": limit}))
        world.step(0)
        slope = []
        for item in (a, b):
            ends = []
            for sign in (1, -1):
                item.value += sign * 1e-5
                ends.append(behavior.energy)
                item.value -= sign * 1e-5
            slope.append((ends[0] - ends[1]) / 2e-5)
        r = (0.9 - 0.7 * np.exp(-0.52)) / 0.5
        pull = np.clip(r, -limit, limit) / 0.5
        assert slope == pytest.approx([-pull * np.exp(-0.52), -pull * 0.7 * 1.3 * np.exp(-0.52)], rel=1e-7)


def test_data_are_read_from_files(tmp_path):
    path = tmp_path / "data.csv"
    for text in ("x,y\n1,2\n3,4\n", "1;2\n\n3;4\n", "# a word\n1 2\n3\t4", "\ufeff1,2\n3,4"):
        path.write_text(text)
        assert data_from(path).tolist() == [[1, 2], [3, 4]]


def test_bad_data_are_refused_in_words(tmp_path):
    def file(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    for source, said in [
        (tmp_path / "none.csv", "none.csv.*cannot be read"),
        (file("empty.csv", ""), "rows of numbers"),
        (file("words.csv", "x,y\n1,2\nthree,4\n"), "line 3.*three"),
        (file("ragged.csv", "1,2\n3\n"), "line 2 has 1 numbers, the first row 2"),
        (file("nan.csv", "1,2\nnan,4\n"), "nan in row 2, column 1"),
        (np.zeros((0, 2)), "rows of numbers"),
        (np.zeros(5), "rows of numbers"),
        (np.full((3, 2), np.inf), "inf in row 1, column 1"),
        ([[1, 2], [3]], "rows of numbers"),
        ("nothing here", "cannot be read"),
        (np.zeros((30_000, 2)), "20000 rows, not 30000; take one of every 2"),
    ]:
        with pytest.raises(ValueError, match=said):
            data_from(source, 2)
    with pytest.raises(ValueError, match="2 columns, not 3"):
        Fit("line", np.zeros((5, 3)), a=0.0, b=0.0)
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="cannot be read"):
        data_from(tmp_path / "bytes.csv")


def test_bad_models_are_refused_in_words():
    data = EXAMPLES["line"][0]
    for text, start, error, said in [
        ("line", {}, TypeError, "no parameters"),
        ("y = a + b*q", {"a": 0, "b": 0}, ValueError, "unknown name 'q'"),
        ("y = a", {"a": 0, "b": 0}, ValueError, "does not use b"),
        ("y >= a", {"a": 0}, ValueError, "an equation is wanted"),
        ("y = a = 1", {"a": 0}, ValueError, "one of ="),
        ("", {"a": 0}, ValueError, "empty"),
        ("y = x + a", {"x": 0, "a": 0}, ValueError, "x cannot be a column and a parameter"),
        ("y = a", {"a": np.nan}, ValueError, "a of fit"),
    ]:
        with pytest.raises(error, match=said):
            Fit(text, data, **start)
    fit = Fit("line", data, a=0.0, b=0.0)
    with pytest.raises(KeyError, match="no parameter 'c'"):
        fit.slide("c")
    short = Fit("line", data[:2], a=0.0, b=0.0)
    with pytest.raises(ValueError, match="2 rows for 2 parameters"):
        short.covariance  # noqa: B018
    same = Fit("y = a + b", data, a=0.0, b=0.0)
    with pytest.raises(ValueError, match="do not determine"):
        same.uncertainties  # noqa: B018


def test_model_that_stops_being_real_keeps_the_last_good_state():
    x = np.linspace(0.1, 2, 20)
    fit = Fit("y = sqrt(a - x)", np.stack([x, np.zeros(20)], 1), a=3.0)
    rest = fit.settle()
    assert np.isfinite(fit.values["a"]) and (rest or not rest.result)
