"""Sketches with known answers, time assignment, gaps, restarts, cancelling, and what is refused (M2–M5)."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.sketch.assign import monotone, refined
from tinkerdyne.sketch.examples import die, pencil
from tinkerdyne.sketch.flight import shape_of
from tinkerdyne.sketch.problem import problem
from tinkerdyne.sketch.simulate import poses, simulated
from tinkerdyne.sketch.sketch import Sketch, Surface

TABLE = Surface()
THROW = ((0.0, 0.0, 0.4), (-0.4, 1.0, 0.4, -0.6), (1.0, 0.1, 0.5), (1.3, -2.9, 1.2))  # two good bounces for all sizes below


def thrown(size, *, restitution=0.7, friction=0.0, timed=True, **bounce):
    """A true throw with two bounces and its exact sketch."""
    body = td.Box("die", size=size, mass=0.05)
    shape = shape_of(body)
    q = np.array(THROW[1]) / np.linalg.norm(THROW[1])
    flights = simulated(shape, (THROW[0], q, *THROW[2:]), 2, last=0.05, restitution=restitution, friction=friction)
    sketch, begin = Sketch(body, samples=10), 0.0
    for k, one in enumerate(flights):
        s = np.linspace(0, 1, 10) if k == 0 else np.linspace(0.02, 1, 10)
        sketch.follow(body, *poses(shape, one, s), times=begin + s * one.T if timed else None)
        begin += one.T
        if one.corner >= 0:
            sketch.bounce(body, shape.corners[one.corner], on=TABLE, **{"restitution": restitution, "friction": friction, **bounce})
    sketch.surfaces.clear()  # the truth itself sinks a corner soon after its second bounce
    return sketch, flights


@pytest.mark.mission("M3")
@pytest.mark.parametrize(
    ("size", "friction", "restarts"),
    [((0.1,) * 3, 0.0, 1), ((0.1,) * 3, 0.3, 1), ((0.2, 0.1, 0.1), 0.0, 3), ((0.2, 0.1, 0.1), 0.3, 3), ((0.2, 0.12, 0.08), 0.3, 1)],
    ids=["cube", "cube with friction", "symmetric", "symmetric with friction", "general with friction"],
)
def test_a_true_throw_is_recovered_from_its_sketch(size, friction, restarts):
    sketch, flights = thrown(size, friction=friction)
    solution = sketch.solve(restarts=restarts, gaps=False)
    assert solution.is_met
    start = solution.at(sketch.bodies[0], 0.0)
    assert np.abs(start["position"] - flights[0].start[0]).max() < 1e-6
    assert np.abs(start["velocity"] - flights[0].start[2]).max() < 1e-5
    assert np.abs(solution.grid[1:3] - np.cumsum([f.T for f in flights[:2]])).max() < 1e-6
    assert max(solution.resimulated()) < 1e-6  # the engine flies each flight
    assert solution.replayed() < 1e-6  # and the whole, with blows of its own


@pytest.mark.mission("M3")
def test_restitution_and_a_steady_wind_are_recovered():
    sketch, _ = thrown((0.1, 0.1, 0.1), restitution=0.7)
    sketch.collisions = [type(c)(**{**c.__dict__, "restitution": (0.3, 0.95)}) for c in sketch.collisions]
    solution = sketch.solve(restarts=1)
    assert [blow.restitution for blow in solution.blows] == pytest.approx([0.7, 0.7], abs=1e-6)
    body, wind = td.Sphere("ball", radius=0.05, mass=0.1), np.array((0.3, -0.1, 0.05))
    t = np.linspace(0, 0.6, 12)
    windy = Sketch(body)
    windy.follow(body, np.outer(t, (1, 0, 3)) + np.outer(t**2 / 2, np.array((0, 0, -9.81)) + wind / 0.1), times=t)
    windy.vary_force(body, (-1, -1, -1), (1, 1, 1))
    found = windy.solve(restarts=1)
    u = found.statement.units
    assert found.outcome.point.extra["force 0"] * u.mass * u.length / u.time**2 == pytest.approx(wind, abs=1e-6)
    assert max(found.resimulated()) < 1e-6


@pytest.mark.mission("M4")
def test_times_that_are_not_given_are_found():
    sketch, flights = thrown((0.1, 0.1, 0.1), timed=False)
    solution = sketch.solve(restarts=8)
    assert solution.is_met and solution.cost < 1e-7
    assert np.abs(solution.grid[1:3] - np.cumsum([f.T for f in flights[:2]])).max() < 1e-4
    times = np.concatenate(solution.sample_times(sketch.bodies[0]))
    assert np.all(np.diff(times) > -1e-9)


@pytest.mark.mission("M4")
def test_assignment_is_the_best_of_all_rising_ones():
    rng = np.random.default_rng(0)
    for _ in range(30):
        D = rng.uniform(size=(4, 6))
        best = min(
            sum(D[i, m] for i, m in enumerate(ms))
            for ms in np.ndindex(6, 6, 6, 6) if all(a <= b for a, b in pairwise(ms))
        )  # fmt: skip
        found = monotone(D)
        assert np.all(np.diff(found) >= 0) and D[np.arange(4), found].sum() == pytest.approx(best)
        assert np.all(np.diff(refined(D, found)) >= 0)
    assert monotone(rng.uniform(size=(3, 5, 7))).shape == (3, 5)


@pytest.mark.mission("M3")
def test_derivatives_of_the_problem_are_those_of_differences():
    statement = die("AB", 0).statement()
    P = problem(statement.structure(has_gaps=True, frees_times=True))
    x, p = statement.vectors(P, statement.guess(), statement.parameters(P))
    rng = np.random.default_rng(1)
    x = x + 0.05 * rng.normal(size=len(x))
    lam = rng.normal(size=P.g.size)
    J = np.array(P.derivatives["jac_g"](x, p)[1])
    grad = np.array(P.derivatives["grad_f"](x, p)[1]).ravel()
    upper = np.array(P.derivatives["hess_lag"](x, p, 0.7, lam))
    H = upper + np.triu(upper, 1).T

    def slope(y):
        return 0.7 * np.array(P.derivatives["grad_f"](y, p)[1]).ravel() + np.array(P.derivatives["jac_g"](y, p)[1]).T @ lam

    for _ in range(12):
        d = rng.normal(size=len(x))
        d /= np.linalg.norm(d)
        (f0, g0), (f1, g1) = (P.f_and_g(x + h * d, p) for h in (-1e-6, 1e-6))
        assert np.abs((np.array(g1) - np.array(g0)).ravel() / 2e-6 - J @ d).max() < 1e-6 * max(1, np.abs(J @ d).max())
        assert abs(float(f1 - f0) / 2e-6 - grad @ d) < 1e-5 * max(1, abs(grad @ d))
        turned = (slope(x + 1e-6 * d) - slope(x - 1e-6 * d)) / 2e-6
        assert np.abs(turned - H @ d).max() < 1e-4 * max(1, np.abs(turned).max())


@pytest.mark.mission("M2")
def test_wishes_bound_any_projection_and_conditions_any_function():
    body = td.Box("die", size=(0.1, 0.1, 0.1))
    sketch = Sketch(body)
    sketch.want(body, when="start", position=(0, 0, 1), velocity=((-5, 0, -np.inf), (5, 0, np.inf)))
    sketch.want(body, point=(1.0, 0, 0.5), at=body.right_front_top)
    sketch.want(body, when=0.5, position=((-9, -9, 1.2), (9, 9, 1.3)))
    sketch.condition(lambda s: s.w[0] ** 2 + s.w[1] ** 2 + s.w[2] ** 2, 25.0, 25.0, when="end", name="a spin of 5 rad/s")
    solution = sketch.solve(restarts=2)
    assert solution.is_met, str(solution)
    assert len(solution.residuals) == 5 and max(r.size for r in solution.residuals) < 1e-6
    middle = solution.at(body, solution.seconds / 2)
    assert 1.2 - 1e-6 <= middle["position"][2] <= 1.3 + 1e-6
    assert np.linalg.norm(solution.at(body, solution.seconds)["spin"]) == pytest.approx(5.0, abs=1e-5)
    sketch.want(body, when="start", orientation=(1, 0, 0, 0), hard=False)
    assert sketch.solve(restarts=1).is_met


@pytest.mark.mission("M5")
def test_too_much_asked_gives_small_gaps_that_are_told_and_finite_numbers():
    solution = die("DICE", 1).solve(restarts=1, gaps=True)
    assert not solution.is_met and solution.is_plausible
    assert 1e-3 < solution.widest_gap < 3.0
    assert "plausible" in str(solution) and "bounce 1" in str(solution)
    assert all(
        np.all(np.isfinite(solution.at(solution.sketch.bodies[0], t)["position"])) for t in np.linspace(0, solution.seconds, 9)
    )
    assert max(solution.resimulated()) < 1e-6  # the flights are exact; only the blows are not


@pytest.mark.mission("M5")
def test_the_relaxed_pass_finds_the_corners_that_struck():
    sketch, flights = thrown((0.1, 0.1, 0.1), timed=False)
    corners = shape_of(sketch.bodies[0]).corners
    sketch.collisions = [type(c)(**{**c.__dict__, "at": None}) for c in sketch.collisions]
    solution = sketch.solve(restarts=1)
    struck = [int(np.abs(corners - c).sum(axis=1).argmin()) for c in solution.outcome.corners]
    assert struck == [f.corner for f in flights[:-1]] and solution.is_met


def test_a_warm_start_follows_an_edit_in_few_iterations():
    first = pencil(1).solve(restarts=1)
    moved = pencil(1)
    wish = moved.flights[-1].wishes[0]
    moved.flights[-1].wishes[0] = type(wish)(**{**wish.__dict__, "low": wish.low + 0.005, "high": wish.high + 0.005})
    again = moved.solve(near=first)
    assert again.is_met and again.outcome.iterations <= 8 < first.outcome.iterations
    with pytest.raises(ValueError, match="same form"):
        die("HI").solve(near=first)


def test_restarts_run_in_other_processes_and_the_best_is_kept():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        solution = pencil(2).solve(restarts=3, executor=executor)
    assert solution.is_met and len(solution.others) == 3
    assert solution.cost == min(o.cost for o in solution.others if o.is_feasible)
    assert "starts" in str(solution)


def test_cancelling_keeps_the_best_so_far():
    seen = []
    solution = pencil(3).solve(restarts=8, progress=lambda n, of, best: seen.append((n, of, best)), cancel=lambda: len(seen) >= 2)
    assert len(seen) == 2 and "Cancelled" in str(solution) and solution.is_met
    nothing = pencil(3).solve(cancel=lambda: True)
    assert not nothing.is_plausible and np.isfinite(nothing.recording()["pencil.position"]).all()


def test_what_cannot_be_is_said_and_the_best_motion_kept():
    body = td.Box("die", size=(0.1, 0.1, 0.1))
    sketch = Sketch(body)
    sketch.want(body, when="start", position=(0, 0, 1))
    sketch.want(body, position=(5, 0, 1))
    sketch.lasts(0.2, 0.3)
    sketch.want(body, when="start", velocity=((-1, -1, -1), (1, 1, 1)))
    solution = sketch.solve(restarts=1)
    assert not solution.is_plausible and "could not be met" in str(solution)
    assert np.isfinite(solution.recording()["die.position"]).all()


def test_a_motion_plays_in_the_engine_and_can_be_saved(tmp_path):
    solution = pencil(1).solve(restarts=1)
    world = solution.world()
    world.save(tmp_path / "motion.json")
    run = td.World.load(tmp_path / "motion.json").record(solution.seconds)
    own = solution.recording()
    assert np.abs(run["pencil.position"][-1] - own["pencil.position"][-1]).max() < 1e-6
    assert np.abs(run["pencil.spin"][-1] - own["pencil.spin"][-1]).max() < 1e-6
    assert own.kinetic_energy[0] + own.potential_energy[0] == pytest.approx(run.kinetic_energy[0] + run.potential_energy[0])


BODY = td.Box("die", size=(0.1, 0.1, 0.1))


@pytest.mark.parametrize(
    ("tell", "says"),
    [
        (lambda s: s.follow(BODY, [(0, 0)]), "rows of 3 numbers"),
        (lambda s: s.follow(BODY, [(0, 0, np.nan)]), "finite"),
        (lambda s: s.follow(BODY, [(0, 0, 0)], [(0, 0, 0, 0)]), "zero quaternion"),
        (lambda s: s.follow(BODY, [(0, 0, 0)] * 2, times=[1, 0.5]), "rise"),
        (lambda s: s.follow(BODY, [(0, 0, 0)] * 2, times=[1]), "as many"),
        (lambda s: s.follow(td.Box("other"), [(0, 0, 0)]), "not a body of this sketch"),
        (lambda s: s.want(BODY), "say what is wanted"),
        (lambda s: s.want(BODY, colour=1), "no 'colour'"),
        (lambda s: s.want(BODY, point=(0, 0, 0)), "which point"),
        (lambda s: s.want(BODY, position=((1, 0, 0), (0, 0, 0))), "in order"),
        (lambda s: s.want(BODY, position=(0, 0, 0), when="middle"), "share of the flight"),
        (lambda s: s.bounce(BODY, restitution=1.5), "between 0 and 1"),
        (lambda s: s.bounce(BODY, tilt=2.0), "tilt"),
        (lambda s: s.bounce(BODY, td.Box("other").left), "must be a point of box 'die'"),
        (lambda s: s.condition(lambda a: a.x, (0, 0), (1,)), "low ≤ high"),
        (lambda s: s.solve(), "asks for nothing"),
        (lambda s: (s.want(BODY, position=(0, 0, 1)), s.want(BODY, position=(0, 0, 2)), s.solve()), "two values"),
        (lambda s: (s.want(BODY, position=(0, 0, 1)), s.solve(restarts=0)), "at least 1"),
    ],
)
def test_misuse_is_refused_in_words(tell, says):
    with pytest.raises((TypeError, ValueError), match=says):
        tell(Sketch(BODY))


def test_only_rigid_bodies_with_names_are_sketched():
    for bodies, says in (
        ((td.Particle("p"),), "rigid bodies"),
        ((td.Box(),), "name"),
        ((td.Box("a"), td.Box("a")), "name"),
        ((), "at least one"),
    ):
        with pytest.raises((TypeError, ValueError), match=says):
            Sketch(*bodies)
