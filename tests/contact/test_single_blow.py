"""A blow at one contact follows the law of motion sketches: sketch and world have one law of impact."""

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.objects.rotation import multiplied, rotation_matrix
from tinkerdyne.sketch.problem.impact import bounce
from tinkerdyne.sketch.tell.shape import shape_of

INSTANT = 1e-9  # s: long enough for a blow


def body(rng, name, place, **more):
    """A box of any size that turns and moves anyhow."""
    q = rng.standard_normal(4)
    q /= np.linalg.norm(q)
    size, v, w = rng.uniform(0.05, 0.3, 3), rng.standard_normal(3), 3 * rng.standard_normal(3)
    given = {"position": tuple(place), "orientation": tuple(q), "velocity": tuple(v), "spin": tuple(w)}
    return td.Box(name, size=tuple(size), mass=float(rng.uniform(0.2, 3.0)), **(given | more))


def lowest(box):
    """The corner of a box that is lowest, from its middle."""
    corners = shape_of(box).corners @ rotation_matrix(box.orientation).T
    return corners[corners[:, 2].argmin()]


def state(box):
    shape = shape_of(box)
    q, w = multiplied(np.array(box.orientation), shape.turn), shape.axes.T @ np.array(box.spin)
    return [np.array(box.position), q, np.array(box.velocity), w, shape.mass, shape.moments]


@pytest.mark.parametrize("seed", range(12))
def test_a_corner_strikes_the_floor_as_in_a_sketch(seed):
    rng = np.random.default_rng(seed)
    mu, e = float(rng.choice([0.0, 0.1, 0.4, 1.0, 3.0])), float(rng.uniform(0.1, 1.0))
    box = body(rng, "box", (0, 0, 0))
    arm = lowest(box)
    turning = np.cross(rotation_matrix(box.orientation) @ box.spin, arm)
    velocity = np.array(box.velocity)
    velocity[2] = -turning[2] - rng.uniform(0.3, 2.0)  # the corner comes down
    moved = {"position": (0.0, 0.0, -arm[2]), "velocity": tuple(velocity)}
    box = td.Box("box", **{**box.values, **box.start, **moved})
    law = bounce(friction=mu > 0)(*state(box), np.array(box.position) + arm, (0.0, 0.0, 1.0), e, mu)
    world = td.World(max_step=INSTANT)
    world.add(td.contact(friction=mu, restitution=e), td.Floor(), box)
    before = world.kinetic_energy
    world.step(INSTANT)
    assert np.abs(np.array(box.velocity) - np.array(law[0]).ravel()).max() < 1e-7
    assert np.abs(np.array(box.spin) - shape_of(box).axes @ np.array(law[1]).ravel()).max() < 1e-6
    assert world.kinetic_energy <= before * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_two_bodies_strike_each_other_as_in_a_sketch(seed):
    rng = np.random.default_rng(100 + seed)
    mu, e = float(rng.choice([0.0, 0.2, 0.6])), float(rng.uniform(0.1, 1.0))
    box = body(rng, "box", (0, 0, 0))
    arm = lowest(box)
    ball = td.Sphere(
        "ball", radius=0.1, mass=float(rng.uniform(0.2, 3)), position=tuple(arm - [0, 0, 0.1]),
        velocity=(0.1, 0.2, 4.0), spin=tuple(rng.standard_normal(3)),
    )  # fmt: skip
    law = bounce(two=True, friction=mu > 0)(*state(box), *state(ball), arm, (0.0, 0.0, 1.0), e, mu)
    world = td.World(max_step=INSTANT)
    world.add(td.contact(friction=mu, restitution=e), box, ball)
    world.step(INSTANT)
    after = [np.array(one).ravel() for one in law]
    for one, v, w in ((box, after[0], after[1]), (ball, after[2], after[3])):
        assert np.abs(np.array(one.velocity) - v).max() < 1e-7
        assert np.abs(np.array(one.spin) - shape_of(one).axes @ w).max() < 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_a_hinged_bar_is_struck_with_its_joint_held(seed):
    """K of a bar that turns about a pin, by hand: an impulse p at distance d turns it by d p/I."""
    rng = np.random.default_rng(200 + seed)
    mu, e, length, mass = seed % 2 * float(rng.uniform(0, 1)), float(rng.uniform(0.1, 1)), 1.0, 2.0
    world = td.World(max_step=INSTANT)
    world.add(td.contact(friction=mu, restitution=e))
    bar = world.add(td.Box("bar", size=(length, 0.1, 0.1), mass=mass))
    pin = world.add(td.join(td.pin, None, bar, at=(-0.5, 0, 0), axis=(0, 1, 0)))
    at = float(rng.uniform(-0.3, 0.4))
    speed = np.array((0.0, float(rng.uniform(-1, 1)), -3.0))  # across the bar the pin holds all
    ball = world.add(td.Sphere("ball", radius=0.05, mass=0.7, position=(at, 0, 0.1), velocity=tuple(speed)))
    world.step(INSTANT)
    inertia = mass * (length**2 + 0.1**2) / 12 + mass * 0.5**2
    d = at + 0.5
    halt = 3.0 / (1 / 0.7 + d * d / inertia)
    assert np.abs(np.array(pin.gap)).max() < 1e-9
    parting = ball.velocity[2] + bar.spin[1] * d
    assert parting == pytest.approx(3.0 * e, abs=1e-6)
    if mu == 0:
        assert ball.velocity[2] == pytest.approx(-3.0 + (1 + e) * halt / 0.7, abs=1e-6)
        assert bar.spin[1] == pytest.approx((1 + e) * halt * d / inertia, abs=1e-6)
    assert world.kinetic_energy <= 0.5 * 0.7 * speed @ speed * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_in_the_plane_too(seed):
    rng = np.random.default_rng(300 + seed)
    mu, e, angle = float(rng.uniform(0, 1.5)), float(rng.uniform(0.1, 1)), float(rng.uniform(0.2, 1.2))
    world = td.World(max_step=INSTANT)
    world.add(td.contact(friction=mu, restitution=e), td.PlanarFloor())
    half = np.array((0.5, 0.1))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    arm = turn @ (half * (-1, -1))
    plate = world.add(
        td.Plate(
            "plate", size=tuple(2 * half), mass=1.5, position=(0, -arm[1]), angle=angle, velocity=(1.0, -2.0)
        )
    )
    world.step(INSTANT)
    inertia, perp = 1.5 * (4 * half @ half) / 12, np.array((-arm[1], arm[0]))
    K = np.eye(2) / 1.5 + np.outer(perp, perp) / inertia
    u = np.array((1.0, -2.0))
    P = -u[1] / K[1, 1] * np.array((0.0, 1.0))
    D = -np.linalg.solve(K, u) - P
    beyond, room = abs(D[0]) - mu * D[1], mu * (1 + e) * P[1]
    p = (1 + e) * P + D * (1.0 if beyond <= room else room / beyond)
    assert np.abs(np.array(plate.velocity) - (u + p / 1.5)).max() < 1e-6
    assert plate.spin == pytest.approx(perp @ p / inertia, abs=1e-6)
