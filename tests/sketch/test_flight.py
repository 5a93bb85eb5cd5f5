"""Flight and collision against the engine, closed forms and the laws of mechanics (M1)."""

import casadi as ca
import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch.problem.flight import flight
from tinkerdyne.sketch.problem.impact import Mover, bounce
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.state import State

G = np.array((0, 0, -9.81))
BODIES = {
    "cube": lambda **k: td.Box("body", size=(0.1, 0.1, 0.1), **k),
    "symmetric": lambda **k: td.Capsule("body", radius=0.01, length=0.16, **k),
    "general": lambda **k: td.Box("body", size=(0.1, 0.2, 0.3), **k),
    "tilted": lambda **k: td.Mesh(
        "body",
        vertices=[(0, 0, 0), (0.3, 0, 0), (0, 0.2, 0), (0.1, 0.1, 0.4)],
        **k,
        faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)],
    ),
}


def product(a, b):
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


@pytest.mark.mission("M1")
@pytest.mark.parametrize("name", BODIES)
def test_flight_is_the_engines_own(name):
    rng = np.random.default_rng(4)
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    start = {
        "position": (0.1, 0.2, 1.0),
        "orientation": tuple(q),
        "velocity": (1, -0.5, 2),
        "spin": (9.0, -4.0, 6.0),
    }
    world = td.World(method="adaptive", rtol=1e-12, atol=1e-13)
    body = world.add(BODIES[name](**start))
    world.add(td.gravity(g=tuple(G)))
    shape = shape_of(BODIES[name](**start))
    assert shape.kind == (name if name != "tilted" else "general")
    given = (start["position"], product(q, shape.turn), start["velocity"], shape.inside(start["spin"]))
    for seconds in (0.15, 0.35):
        world.step(seconds)
        x, turned, v, w = (
            np.array(one).ravel() for one in flight(shape.kind)(*given, shape.moments, G, world.time)
        )
        orientation = product(turned, shape.turn * (1, -1, -1, -1))
        far = shape.corners @ (rotation_matrix(orientation) - rotation_matrix(body.orientation)).T
        assert np.abs(x - body.position).max() < 1e-9
        assert np.abs(far).max() < 1e-7
        assert np.abs(v - body.velocity).max() < 1e-8
        assert np.abs(shape.axes @ w - body.spin).max() < 1e-6


@pytest.mark.mission("M1", "M3")
@pytest.mark.parametrize("kind", ["cube", "symmetric", "general"])
def test_derivatives_of_flight_are_those_of_differences(kind):
    f = flight(kind)
    given = [ca.MX.sym(f"i{k}", f.size1_in(k)) for k in range(7)]
    z = ca.vertcat(*given[:4], given[6])
    J = ca.Function("J", given, [ca.jacobian(ca.vertcat(*f(*given)), z)])
    moments = {"cube": (2, 2, 2), "symmetric": (1, 2, 2), "general": (1, 2, 2.5)}[kind]
    at = [
        np.array(v, float)
        for v in ((0, 0, 1), (0.5, 0.5, -0.5, 0.5), (1, 2, 3), (3, -4, 2), moments, G, [0.3])
    ]
    exact = np.array(J(*at))
    for column in range(14):
        ends = []
        for step in (-1e-6, 1e-6):
            moved = [v.copy() for v in at]
            k = column if column < 13 else 13
            part, inside = [(0, k), (1, k - 3), (2, k - 7), (3, k - 10), (6, 0)][
                (k >= 3) + (k >= 7) + (k >= 10) + (k >= 13)
            ]
            moved[part][inside] += step
            ends.append(np.array(ca.vertcat(*f(*moved))).ravel())
        assert np.abs((ends[1] - ends[0]) / 2e-6 - exact[:, column]).max() < 1e-6


def _random_impact(rng, two):
    def side():
        q = rng.normal(size=4)
        return [
            rng.normal(size=3),
            q / np.linalg.norm(q),
            rng.normal(size=3),
            3 * rng.normal(size=3),
            rng.uniform(0.5, 2),
            rng.uniform(0.2, 0.35, size=3),
        ]

    a, b = side(), side()
    place = a[0] + 0.3 * rng.normal(size=3)
    b[0] = place + 0.3 * rng.normal(size=3)
    n = rng.normal(size=3)
    return a, b if two else None, place, n / np.linalg.norm(n)


def _contact_velocity(side, place):
    R = rotation_matrix(side[1])
    return side[2] + np.cross(R @ side[3], place - side[0])


def _energy(side):
    return side[4] * side[2] @ side[2] / 2 + side[5] @ side[3] ** 2 / 2


def _momenta(side, place):
    R = rotation_matrix(side[1])
    return side[4] * side[2], side[4] * np.cross(side[0] - place, side[2]) + R @ (side[5] * side[3])


@pytest.mark.mission("M1")
@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("friction", [False, True])
def test_impacts_obey_newton_coulomb_and_the_conservation_laws(two, friction):
    rng = np.random.default_rng(11 + two + 2 * friction)
    f = bounce(two=two, friction=friction)
    stuck = slid = 0
    for _ in range(200):
        a, b, place, n = _random_impact(rng, two)
        e, mu = rng.choice([0.0, 1.0, rng.uniform(0, 1)]), rng.uniform(0.05, 1.5)
        before = _contact_velocity(a, place) - (_contact_velocity(b, place) if two else 0)
        if before @ n > -0.1:
            continue
        out = [np.array(one).ravel() for one in f(*a, *(b if two else ()), place, n, e, mu)]
        p = out[-1]
        after = [[*a[:2], out[0], out[1], *a[4:]]] + ([[*b[:2], out[2], out[3], *b[4:]]] if two else [])
        u = _contact_velocity(after[0], place) - (_contact_velocity(after[1], place) if two else 0)
        assert abs(u @ n + e * before @ n) < 1e-9  # Newton
        across = p - (p @ n) * n
        if friction:
            assert np.linalg.norm(across) <= mu * (p @ n) * (1 + 1e-9)  # Coulomb
            if np.linalg.norm(across) < mu * (p @ n) * (1 - 1e-9):
                stuck += 1
                if e == 0:
                    assert np.abs(u).max() < 1e-9  # all motion of the contact is stopped
            else:
                slid += 1
                assert across @ before < 0  # against what slides
        else:
            assert np.linalg.norm(across) < 1e-12
        sides = [a] + ([b] if two else [])
        # also where the blow is slanted
        assert sum(map(_energy, after)) <= sum(map(_energy, sides)) * (1 + 1e-9)
        if two:
            for old, new in zip(
                zip(*(_momenta(s, place) for s in sides), strict=True),
                zip(*(_momenta(s, place) for s in after), strict=True),
                strict=True,
            ):
                assert np.abs(sum(old) - sum(new)).max() < 1e-10
        else:  # angular momentum about the contact point is kept: the impulse has no moment there
            assert np.abs(_momenta(a, place)[1] - _momenta(after[0], place)[1]).max() < 1e-10
    assert not friction or (stuck > 3 and slid > 3)


@pytest.mark.mission("M1")
def test_a_ball_bounces_to_e_squared_of_its_height_and_a_struck_ball_takes_the_velocity():
    still = [(0, 0, 0.1), (1, 0, 0, 0), (0, 0, -3.0), (0, 0, 0), 2.0, (0.008,) * 3]
    v = np.array(bounce()(*still, (0, 0, 0), (0, 0, 1), 0.6, 0)[0]).ravel()
    assert np.abs(v - (0, 0, 1.8)).max() < 1e-12
    flying = [(0, 0, 0), (1, 0, 0, 0), (1, 0, 0), (0, 0, 0), 1.0, (0.1,) * 3]
    resting = [(0.2, 0, 0), (1, 0, 0, 0), (0, 0, 0), (0, 0, 0), 1.0, (0.1,) * 3]
    out = bounce(two=True)(*flying, *resting, (0.1, 0, 0), (-1, 0, 0), 1.0, 0)
    assert (
        np.abs(np.array(out[0])).max() < 1e-12 and np.abs(np.array(out[2]).ravel() - (1, 0, 0)).max() < 1e-12
    )


@pytest.mark.mission("M1")
def test_a_cube_that_trips_turns_as_b20_says():
    """It slides at v, and its leading edge is held: ω = 3v/(4a), whatever its mass."""
    a, v, m = 0.3, 2.0, 1.7
    cube = [(0, 0, a / 2), (1, 0, 0, 0), (v, 0, 0), (0, 0, 0), m, (m * a**2 / 6,) * 3]
    u, w, _ = (
        np.array(one).ravel() for one in bounce(friction=True)(*cube, (a / 2, 0, 0), (-1, 0, 0), 0.0, 10.0)
    )
    assert np.abs(w - (0, 3 * v / (4 * a), 0)).max() < 1e-12
    assert np.abs(u + np.cross(w, (a / 2, 0, -a / 2))).max() < 1e-12  # the edge stands still


@pytest.mark.mission("M1")
def test_a_triangle_of_three_masses_answers_an_impulse_as_b20_says():
    places = np.array([(0, 0, 0), (1, 0, 0), (0.5, np.sqrt(3) / 2, 0)])
    centre = places.mean(axis=0)
    state = State(ca.DM(centre), ca.DM((1, 0, 0, 0)), ca.DM.zeros(3), ca.DM.zeros(3))
    moments = ca.DM((0.5, 0.5, 1.0))  # about the centre of mass, in the plane 1/2 each
    v, w = (
        np.array(one).ravel()
        for one in Mover(state, 3.0, moments, ca.DM(places[0] - centre)).struck(ca.DM((0, 1, 0)), 1.0)
    )
    third = np.sqrt(3) / 12
    wanted = [(-third, 7 / 12, 0), (-third, 1 / 12, 0), (2 * third, 1 / 3, 0)]
    assert np.abs(w - (0, 0, -0.5)).max() < 1e-12
    assert np.abs(v + np.cross(w, places - centre) - wanted).max() < 1e-12


@pytest.mark.mission("M1")
def test_a_rolling_ball_is_what_friction_makes_of_a_sliding_one():
    """A ball that falls sliding and sticks keeps 5/7 of its velocity: I = 2/5 m r²."""
    r, m = 0.1, 1.5
    ball = [(0, 0, r), (1, 0, 0, 0), (2.0, 0, -3.0), (0, 0, 0), m, (0.4 * m * r**2,) * 3]
    v, w, _ = (np.array(one).ravel() for one in bounce(friction=True)(*ball, (0, 0, 0), (0, 0, 1), 0.0, 1.0))
    assert np.abs(v - (10 / 7, 0, 0)).max() < 1e-12 and np.abs(w - (0, 10 / 7 / r, 0)).max() < 1e-10
