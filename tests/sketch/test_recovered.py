"""Inverse problems: what was simulated is found again from its exact sketch, with times and without (M1, M3,
M4)."""

import dataclasses

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tinkerdyne as td
from scenes.sketch.acted.pencil import flown
from tests.sketch.throws import TABLE, thrown
from tinkerdyne.objects.rotation import conjugate, products, rotation_matrix
from tinkerdyne.sketch.problem.impact import bounce
from tinkerdyne.sketch.problem.simulate import Flown, poses
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch


@pytest.mark.mission("M3")
@pytest.mark.parametrize(
    ("size", "friction"),
    [
        ((0.1,) * 3, 0.0),
        ((0.1,) * 3, 0.3),
        ((0.2, 0.1, 0.1), 0.0),
        ((0.2, 0.1, 0.1), 0.3),
        ((0.2, 0.12, 0.08), 0.3),
    ],
    ids=["cube", "cube with friction", "symmetric", "symmetric with friction", "general with friction"],
)
@pytest.mark.parametrize("timed", [True, False], ids=["times", "no times"])
def test_a_true_throw_is_recovered_from_its_sketch(size, friction, timed):
    sketch, flights = thrown(size, friction=friction, timed=timed)
    solution = sketch.solve(gaps=False)
    assert solution.is_met
    start, shape = solution.at(sketch.bodies[0], 0.0), shape_of(sketch.bodies[0])
    assert np.abs(start["position"] - flights[0].start[0]).max() < 1e-6
    assert np.abs(start["velocity"] - flights[0].start[2]).max() < 1e-6
    assert np.abs(shape.inside(start["spin"]) - flights[0].start[3]).max() < 1e-6
    assert np.abs(solution.grid[1:3] - np.cumsum([f.T for f in flights[:2]])).max() < 1e-6
    assert max(solution.resimulated()) < 1e-6  # the engine flies each flight
    assert solution.replayed() < 1e-6  # and the whole, with blows of its own


@pytest.mark.mission("M1", "M3")
@pytest.mark.parametrize(
    "body",
    [td.Sphere("ball", radius=0.05, mass=0.05), td.Capsule("bar", radius=0.03, length=0.1, mass=0.05)],
    ids=lambda b: b.name,
)
def test_what_is_round_touches_where_it_is_lowest(body):
    sketch, flights = thrown(None, friction=0.2, body=body)
    if body.type.name == "sphere":
        # a ball has one point to touch with
        sketch.collisions = [dataclasses.replace(c, at=None) for c in sketch.collisions]
    sketch.keep_above(TABLE)
    solution = sketch.solve(gaps=False)
    assert solution.is_met and solution.cost < 1e-10 and not solution.depths
    assert np.abs(solution.grid[1:3] - np.cumsum([f.T for f in flights[:2]])).max() < 1e-6
    assert np.abs(solution.at(body, 0.0)["velocity"] - flights[0].start[2]).max() < 1e-6
    assert solution.replayed() < 1e-6 and all(abs(blow.place[2]) < 1e-8 for blow in solution.blows)
    landing = Sketch(body)
    landing.want(body, when="start", position=(0, 0, 1))
    landing.land(body, body.centre)
    end = landing.solve()
    assert end.is_met and min(end.at(body, end.seconds)["position"][2] - body.radius, 0.1) > -1e-6


@pytest.mark.mission("M3")
def test_restitution_and_a_steady_wind_are_recovered():
    sketch, _ = thrown((0.1, 0.1, 0.1), restitution=0.7)
    sketch.collisions = [type(c)(**{**c.__dict__, "restitution": (0.3, 0.95)}) for c in sketch.collisions]
    solution = sketch.solve()
    assert [blow.restitution for blow in solution.blows] == pytest.approx([0.7, 0.7], abs=1e-6)
    body, wind = td.Sphere("ball", radius=0.05, mass=0.1), np.array((0.3, -0.1, 0.05))
    t = np.linspace(0, 0.6, 12)
    windy = Sketch(body)
    windy.follow(
        body, np.outer(t, (1, 0, 3)) + np.outer(t**2 / 2, np.array((0, 0, -9.81)) + wind / 0.1), times=t
    )
    windy.vary_force(body, (-1, -1, -1), (1, 1, 1))
    found = windy.solve()
    assert found.force(body) == pytest.approx(wind, abs=1e-6)
    assert max(found.resimulated()) < 1e-6


@pytest.mark.mission("M1", "M3")
@pytest.mark.parametrize("timed", [True, False], ids=["times", "no times"])
@pytest.mark.parametrize(
    ("lean", "mu"), [((0.04, -0.06, 1.0), 0.0), ((0.0, 0.0, 1.0), 0.15), ((0.0, 0.0, 1.0), 0.04)],
    ids=["normal", "friction", "little friction"],
)  # fmt: skip
def test_what_a_blow_chose_is_recovered(lean, mu, timed):
    """An impulse has three numbers: they tell restitution and normal, or restitution and friction."""
    body = td.Box("die", size=(0.1,) * 3, mass=0.05)
    shape, T, n = shape_of(body), (0.3, 0.25), np.array(lean) / np.linalg.norm(lean)
    q = np.array((0.8, 0.3, -0.4, 0.2)) / np.linalg.norm((0.8, 0.3, -0.4, 0.2))
    corner = shape.corners[int((shape.corners @ rotation_matrix(q).T)[:, 2].argmin())]
    x = -rotation_matrix(q) @ corner
    before = (x, q, np.array((0.6, -0.2, -2.0)), np.array((2.0, -3.0, 1.0)))
    hit = [
        np.array(one).ravel()
        for one in bounce(friction=mu > 0)(*before, shape.mass, shape.moments, (0, 0, 0), n, 0.6, mu)
    ]
    sketch, s = Sketch(body, samples=10), np.linspace(0, 1, 10)
    sketch.follow(body, *flown(shape, before, (s - 1) * T[0]), times=s * T[0] if timed else None)
    varied = {"friction": (0.01, 1.0)} if mu else {"tilt": np.radians(6)}
    sketch.bounce(body, corner, on=TABLE, restitution=(0.3, 0.9), **varied)
    later = (0.02 + 0.98 * s) * T[1]
    sketch.follow(body, *flown(shape, (x, q, *hit[:2]), later), times=T[0] + later if timed else None)
    sketch.surfaces.clear()
    blow = sketch.solve(gaps=False).blows[0]
    assert blow.normal == pytest.approx(n, abs=1e-6)
    assert (blow.restitution, blow.friction) == pytest.approx((0.6, mu), abs=1e-6)


@pytest.mark.mission("M3")
def test_moments_of_inertia_are_recovered_and_the_engine_flies_them():
    truth = np.array((1.4, 0.8))
    sketch, _ = thrown((0.2, 0.1, 0.1), inertia=truth[[0, 1, 1]])
    sketch.vary_inertia(sketch.bodies[0], 0.5, 2.0)
    solution = sketch.solve(gaps=False)
    assert solution.is_met and solution.inertia(sketch.bodies[0]) == pytest.approx(truth, abs=1e-6)
    assert max(solution.resimulated()) < 1e-6 and solution.replayed() < 1e-6
    still, _ = thrown((0.2, 0.1, 0.1))
    assert still.solve(restarts=1).inertia(still.bodies[0]) == pytest.approx(1.0)


@pytest.mark.mission("M3")
def test_the_one_moment_of_a_ball_may_vary():
    ball = td.Sphere("ball", radius=0.05, mass=0.1)
    sketch = Sketch(ball)
    sketch.want(ball, when="start", position=(0, 0, 1), spin=(0, 0, 0), velocity=(3, 0, 0))
    sketch.bounce(ball, restitution=0.5, friction=0.05)
    sketch.vary_inertia(ball, 0.5, 2.0)
    sketch.want(ball, when="start", spin=((-99, 11.0, -99), (99, 11.0, 99)))  # after it slid on the table
    sketch.lasts(0.1, 0.1)
    solution = sketch.solve()
    angular = 0.05 * np.linalg.norm(solution.blows[0].impulse[:2])  # N m s, of friction about the centre
    moment = solution.inertia(ball)[0] * 0.4 * 0.1 * 0.05**2
    assert solution.is_met and angular == pytest.approx(11.0 * moment, rel=1e-6)


@pytest.mark.mission("M1", "M3")
def test_two_bodies_that_met_in_the_air_are_recovered():
    a, b = td.Box("a", size=(0.1,) * 3, mass=0.1), td.Box("b", size=(0.16,) * 3, mass=0.3)
    shapes, T = [shape_of(a), shape_of(b)], (0.3, 0.25)
    n = np.array((1.0, 0, 0))  # a corner of a meets a face of b at 0.08 along its x axis
    q = np.array((0.9, 0.1, -0.3, 0.2)) / np.linalg.norm((0.9, 0.1, -0.3, 0.2))
    qb = np.array((0.98, 0.0, 0.05, -0.1)) / np.linalg.norm((0.98, 0.0, 0.05, -0.1))
    xb, R = np.array((0.0, 0, 1.0)), rotation_matrix(qb)
    # the one ahead
    corner = shapes[0].corners[int((shapes[0].corners @ rotation_matrix(q).T @ (R @ n)).argmin())]
    place = xb + R @ (0.08 * n + np.array((0, 0.02, 0.01)))
    before = [
        (place - rotation_matrix(q) @ corner, q, np.array((-1.0, 0.2, 0.5)), np.array((2.0, -1.0, 3.0))),
        (xb, qb, np.array((0.8, 0, 0.3)), np.array((-1.0, 0.5, 2.0))),
    ]
    given = [one for s, shape in zip(before, shapes, strict=True) for one in (*s, shape.mass, shape.moments)]
    out = [np.array(one).ravel() for one in bounce(two=True)(*given, place, R @ n, 0.6, 0)]
    after = [(*before[i][:2], out[2 * i], out[2 * i + 1]) for i in range(2)]
    sketch, s = Sketch(a, b, samples=8), np.linspace(0, 1, 8)
    for k, states in enumerate((before, after)):
        t = (s - 1) * T[0] if k == 0 else (0.02 + 0.98 * s) * T[1]
        for body, shape, state in zip((a, b), shapes, states, strict=True):
            sketch.follow(body, *flown(shape, state, t), times=T[0] + t)
        if k == 0:
            sketch.collide(a, corner, b, origin=0.08 * n, normal=n, restitution=(0.2, 0.9))
    solution = sketch.solve(gaps=False)
    assert solution.is_met and solution.grid[1] == pytest.approx(T[0], abs=1e-6)
    assert solution.blows[0].restitution == pytest.approx(0.6, abs=1e-6)
    assert solution.at(a, solution.grid[1])["velocity"] == pytest.approx(out[0], abs=1e-5)
    assert solution.replayed() < 1e-6


@pytest.mark.mission("M1")
@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_balls_meet_along_the_line_between_their_middles(friction):
    a, b = td.Sphere("a", radius=0.05, mass=0.3), td.Sphere("b", radius=0.08, mass=1.0)
    sketch = Sketch(a, b)
    sketch.want(a, when="start", position=(0, 0, 1.5), spin=(1, 2, 3))
    sketch.want(b, when="start", position=(0.6, 0.03, 1.5), spin=(0, 0, 0))
    sketch.collide(a, None, b, restitution=0.6, friction=friction)
    sketch.want(a, position=(-0.3, -0.1, 1.0))
    solution = sketch.solve()
    assert solution.is_met, str(solution)
    (xa, _, va, _), (xb, _, vb, _) = (
        (one[0] for one in solution.states(body, 0, np.ones(1))) for body in (a, b)
    )
    (_, _, ua, _), (_, _, ub, wb) = (
        (one[0] for one in solution.states(body, 1, np.zeros(1))) for body in (a, b)
    )
    n, blow = (xa - xb) / np.linalg.norm(xa - xb), solution.blows[0]
    assert np.linalg.norm(xa - xb) == pytest.approx(0.13, abs=1e-7) and blow.normal == pytest.approx(
        n, abs=1e-7
    )
    assert (ua - ub) @ n == pytest.approx(-0.6 * (va - vb) @ n, abs=1e-6)
    assert 0.3 * (ua - va) == pytest.approx(blow.impulse, abs=1e-7) and ub - vb == pytest.approx(
        -blow.impulse, abs=1e-7
    )
    if not friction:
        assert wb == pytest.approx(0, abs=1e-7) and np.cross(ua - va, n) == pytest.approx(0, abs=1e-6)
    assert max(solution.resimulated()) < 1e-6 and solution.replayed() < 1e-6


def test_the_end_of_a_capsule_meets_a_corner_and_a_ball_a_face():
    bar, box = td.Capsule("bar", radius=0.03, length=0.2, mass=0.2), td.Box("box", size=(0.1,) * 3, mass=0.3)
    for a, at, b, given in (
        (box, box.left_front_bottom, bar, {"origin": bar.end2.values["at"]}),
        (bar, bar.end1, box, {"origin": (-0.05, 0, 0), "normal": (-1, 0, 0)}),
    ):
        sketch = Sketch(a, b)
        sketch.want(a, when="start", position=(0, 0, 1.5))
        sketch.want(b, when="start", position=(0.6, 0.03, 1.5))
        sketch.collide(a, at, b, **given)
        sketch.want(a, position=(-0.3, -0.1, 1.0))
        solution = sketch.solve()
        assert solution.is_met and solution.replayed() < 1e-6, str(solution)
        if a is box:
            x, q, *_ = (one[0] for one in solution.states(bar, 0, np.ones(1)))
            middle = x + rotation_matrix(q) @ bar.centre2.values["at"]
            assert np.linalg.norm(solution.blows[0].place - middle) == pytest.approx(0.03, abs=1e-7)


@pytest.mark.mission("M4")
def test_times_that_are_not_given_are_found():
    sketch, flights = thrown((0.1, 0.1, 0.1), timed=False)
    solution = sketch.solve()
    assert solution.is_met and solution.cost < 1e-7
    assert np.abs(solution.grid[1:3] - np.cumsum([f.T for f in flights[:2]])).max() < 1e-4
    times = np.concatenate(solution.sample_times(sketch.bodies[0]))
    assert np.all(np.diff(times) > -1e-9)


@pytest.mark.mission("M3", "M4")
@pytest.mark.parametrize("timed", [True, False], ids=["timed", "untimed"])
@pytest.mark.parametrize(
    "shares",
    [np.linspace(0, 1, 12) ** 2.5, np.linspace(0, 1, 12) ** 0.4, np.append(np.linspace(0, 0.1, 11), 1.0)],
    ids=["slow start", "slow end", "rest"],
)
def test_the_flight_of_a_general_body_is_recovered_from_samples_that_lie_anywhere(shares, timed):
    body, T = td.Box("b", size=(0.2, 0.12, 0.06), mass=0.5), 0.5
    shape = shape_of(body)
    x, v, w = np.array((0, 0, 0.5)), np.array((1.2, 0.3, 2.5)), np.array((2.0, 6.0, 1.0))
    places, turns = poses(shape, Flown(T, (x, shape.turn, v, shape.inside(w)), -1), shares)
    sketch = Sketch(body)
    sketch.follow(body, places, turns, times=shares * T if timed else None)
    solution = sketch.solve()
    start = solution.at(body, 0.0)
    for name, true in (("position", x), ("velocity", v), ("spin", w)):
        assert start[name] == pytest.approx(true, abs=1e-6)
    assert solution.seconds == pytest.approx(T, abs=1e-6) and solution.cost < 1e-10
    assert solution.sample_times(body)[0] == pytest.approx(shares * T, abs=1e-5)
    again = sketch.solve(near=solution, settles=True)
    assert again.outcome.iterations <= 2 and again.seconds == pytest.approx(T, abs=1e-6)


def tumbled(shape, state, T):
    """The flight of a body by scipy, up to T or until a corner comes down to z = 0."""

    def slope(_t, y):
        (s, *u), w = y[3:7], y[10:]
        turn = np.array([-np.dot(u, w), *(s * w + np.cross(u, w))]) / 2
        return np.concatenate([y[7:10], turn, (0, 0, -9.81), np.cross(shape.moments * w, w) / shape.moments])

    def height(_t, y):
        return (
            y[2]
            + (shape.corners @ shape.axes @ rotation_matrix(y[3:7] / np.linalg.norm(y[3:7])).T)[:, 2].min()
        )

    height.terminal, height.direction = True, -1
    return solve_ivp(
        slope,
        (0, T),
        np.concatenate(state),
        rtol=1e-12,
        atol=1e-13,
        events=height,
        dense_output=True,
        max_step=0.01,
    )


@pytest.mark.mission("M3")
@pytest.mark.parametrize("timed", [True, False], ids=["times", "no times"])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_body_of_three_moments_that_tumbles_fast_is_recovered(seed, timed):
    body, rng, n = (
        td.Box("box", size=(0.2, 0.12, 0.08), mass=0.1),
        np.random.default_rng(seed),
        np.array((0.0, 0.0, 1.0)),
    )
    shape, law, flights = shape_of(body), bounce(), []
    while len(flights) < 3:
        q = rng.normal(size=4)
        first = state = (
            np.array((0, 0, 0.6)),
            q / np.linalg.norm(q),
            rng.uniform(-1, 1, 3),
            4 * rng.normal(size=3),
        )
        flights, corners = [], []
        for last in (2.0, 2.0, 0.15):
            flown = tumbled(shape, state, last)
            if flown.t[-1] < 0.12:  # a corner comes down at once
                break
            flights.append(flown)
            x, q, v, w = np.split(flown.y[:, -1], (3, 7, 10))
            places = x + shape.corners @ shape.axes @ rotation_matrix(q / np.linalg.norm(q)).T
            corners.append(int(places[:, 2].argmin()))
            hit = law(
                x, q / np.linalg.norm(q), v, w, shape.mass, shape.moments, places[corners[-1]], n, 0.8, 0.0
            )
            state = (x, q / np.linalg.norm(q), *(np.array(one).ravel() for one in hit[:2]))
    sketch, begin, s = Sketch(body), 0.0, np.linspace(0, 1, 14)
    for k, flown in enumerate(flights):
        y = flown.sol(s * flown.t[-1]).T
        turns = products(y[:, 3:7] / np.linalg.norm(y[:, 3:7], axis=1, keepdims=True), conjugate(shape.turn))
        sketch.follow(body, y[:, :3], turns, times=begin + s * flown.t[-1] if timed else None)
        begin += flown.t[-1]
        if k < 2:
            sketch.bounce(body, shape.corners[corners[k]], on=TABLE, restitution=0.8)
    sketch.surfaces.clear()
    solution = sketch.solve()
    assert solution.is_met and solution.cost < 1e-10
    start = solution.at(body, 0.0)
    assert (
        np.abs(start["velocity"] - first[2]).max() < 1e-6
        and np.abs(shape.inside(start["spin"]) - first[3]).max() < 1e-6
    )


@pytest.mark.mission("M3")
def test_blows_that_stick_do_not_hide_what_else_is_unknown():
    sketch, flights = thrown((0.2, 0.1, 0.1), friction=0.4, timed=False)
    sketch.collisions = [
        dataclasses.replace(c, restitution=(0.1, 1.0), friction=(0.01, 1.0)) for c in sketch.collisions
    ]
    solution = sketch.solve()
    ratios = [np.linalg.norm(blow.impulse[:2]) / blow.impulse[2] for blow in solution.blows]
    assert min(ratios) < 0.35  # one sticks
    start, shape = solution.at(sketch.bodies[0], 0.0), shape_of(sketch.bodies[0])
    assert [blow.restitution for blow in solution.blows] == pytest.approx([0.7, 0.7], abs=1e-6)
    assert np.abs(shape.inside(start["spin"]) - flights[0].start[3]).max() < 1e-6


@pytest.mark.mission("M5")
def test_a_flight_that_cannot_be_is_told_where_it_jumps():
    body = td.Box("box", size=(0.2, 0.12, 0.08), mass=0.1)
    sketch = Sketch(body)
    sketch.want(body, position=(0, 0, 1), velocity=((-1, -1, -1), (1, 1, 1)), when="start")
    sketch.want(body, position=(3, 0, 1))
    sketch.lasts(0.3, 1.0)
    solution = sketch.solve()
    assert not solution.is_plausible and "place of box within flight 1, which must not jump: off by" in str(
        solution
    )
