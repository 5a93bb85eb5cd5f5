"""Grounds: bowls that are round, and fixed meshes that carry."""

import numpy as np
import pytest
from scipy.special import ellipk

import tinkerdyne as td
from tinkerdyne.engine.contact.detector import Detector, SurfaceOf
from tinkerdyne.objects import boundary

G, STEP = 9.81, 1 / 240
UP = np.array([0.0, 0.0, 1.0])


def in_bowl(*items, friction=0.5, restitution=0.0, max_step=STEP, **shape):
    world = td.World(max_step=max_step)
    rules = td.contact(friction=friction, restitution=restitution)
    world.add(td.gravity(), rules, td.Bowl("bowl", **shape), *items)
    return world


@pytest.mark.parametrize("seed", range(4))
def test_a_ball_that_slides_without_friction_is_a_pendulum(seed):
    """Its centre is on a sphere of radius R − r: it keeps its energy, its height and its period."""
    rng = np.random.default_rng(seed)
    R, r, angle = rng.uniform(1, 2), rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.6)
    turn, length = rng.uniform(0, 2 * np.pi), R - r
    start = length * np.array([np.sin(angle) * np.cos(turn), np.sin(angle) * np.sin(turn), -np.cos(angle)])
    ball = td.Sphere("ball", radius=r, position=tuple(start + R * UP))
    world = in_bowl(ball, friction=0.0, radius=R, depth=R)
    period = 4 * np.sqrt(length / G) * ellipk(np.sin(angle / 2) ** 2)
    world.run(period)
    assert np.array(ball.position) - (0, 0, R) == pytest.approx(start, abs=4e-4 * length)
    assert np.linalg.norm(np.array(ball.position) - (0, 0, R)) == pytest.approx(length, abs=5e-6)
    energy = 0.5 * np.dot(ball.velocity, ball.velocity) + G * (ball.position[2] - R - start[2])
    assert abs(energy) < 5e-4 * G * (start[2] + length)  # 5e-3 while a kick saw the surface as flat


def test_a_ball_leaves_a_ball_where_its_weight_holds_it_no_more():
    """At two thirds of the height that it came from; 20 % too early while a kick saw the surface as flat."""
    below, start = td.Sphere(radius=1.0, is_fixed=True), 0.05
    ball = td.Sphere(radius=0.1, position=(1.1 * np.sin(start), 0, 1.1 * np.cos(start)))
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(friction=0.0), below, ball)
    while world.time < 0.01 or np.linalg.norm(world.contacts(ball).force) > 0:
        world.run(STEP)
    assert ball.position[2] / 1.1 == pytest.approx(2 / 3 * np.cos(start), abs=0.02)  # three steps of fall
    energy = 0.5 * np.dot(ball.velocity, ball.velocity) + G * ball.position[2]
    assert energy == pytest.approx(G * 1.1 * np.cos(start), rel=1e-5)


SHAPES = {
    "box": lambda **at: td.Box(size=(0.3, 0.4, 0.5), **at),
    "capsule": lambda **at: td.Capsule(radius=0.1, length=0.4, **at),
    "cylinder": lambda **at: td.Cylinder(radius=0.2, length=0.3, **at),
    "cone": lambda **at: td.Cone(radius=0.2, height=0.4, **at),
    "torus": lambda **at: td.Torus(radius=0.3, thickness=0.1, **at),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_stays_in_a_bowl_and_touches_its_sphere(name):
    turn = np.random.default_rng(5).normal(size=4)
    body = SHAPES[name](position=(0.2, 0.1, 0.8), orientation=tuple(turn / np.linalg.norm(turn)))
    world = in_bowl(body)
    before = world.energy
    assert world.run(4.0).status in (td.Status.DONE, td.Status.CAREFUL)
    assert world.energy < before
    met = world.contacts(body)
    assert len(met) and min(one.gap for one in met) > -1e-4
    for one in met:
        assert np.linalg.norm(np.array(one.point) - (0, 0, 1)) == pytest.approx(1.0, abs=1e-4)
    if name == "box":  # round ones roll to and fro
        assert world.kinetic_energy < 1e-6
        assert met.force == pytest.approx((0, 0, body.mass * G), abs=1e-3)


def test_what_lies_over_the_rim_touches_it_and_what_flies_past_does_not():
    ball = td.Sphere("ball", radius=0.2, position=(1.0, 0.0, 1.6))
    high = td.Sphere("high", radius=0.2, position=(3.0, 0.0, 0.0))
    world = in_bowl(ball, high)
    world.run(0.35)
    assert ball.position[2] > 1.0  # the rim held it up
    assert high.position[2] == pytest.approx(-G * 0.35**2 / 2, rel=0.02)


PARTS = {
    "point": lambda rng: boundary.ball(rng.uniform(0.1, 0.2)),
    "segment": lambda rng: boundary.capsule(rng.uniform(0.2, 0.5), rng.uniform(0.05, 0.15)),
    "box": lambda rng: boundary.block(rng.uniform(0.2, 0.5, 3)),
    "cylinder": lambda rng: boundary.bar(rng.uniform(0.2, 0.5), rng.uniform(0.1, 0.2)),
    "cone": lambda rng: boundary.cone(0.2, 0.15, 0.3),
    "circle": lambda rng: boundary.ring(rng.uniform(0.2, 0.3), 0.08),
}


def core_points(name, part):
    """Points of a core among which the furthest from anywhere is, for brute force."""
    if name == "point":
        return np.zeros((1, 3))
    if name == "segment":
        return part.size[0] * np.array([(-1, 0, 0), (1, 0, 0)])
    if name == "box":
        return np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * part.size
    a = np.linspace(0, 2 * np.pi, 4000)
    if name == "circle":
        return part.size[0] * np.column_stack([np.cos(a), np.sin(a), 0 * a])
    half, radius = part.size[0], part.size[1]
    rim = np.column_stack([0 * a - half, radius * np.cos(a), radius * np.sin(a)])
    tops = rim * [-1, 1, 1] if name == "cylinder" else np.array([[part.size[2], 0, 0]])
    return np.vstack([rim, tops])


@pytest.mark.parametrize("name", PARTS)
def test_the_deepest_point_in_a_bowl_is_that_of_brute_force(name):
    rng = np.random.default_rng(7)
    for _ in range(20):
        (part,) = PARTS[name](rng)
        (hollow,) = boundary.bowl(1.0, 2.0, 0.02)  # a whole sphere
        Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        Q[:, 0] *= np.linalg.det(Q)
        place = rng.normal(size=3)
        place *= rng.uniform(0.5, 0.9) / np.linalg.norm(place)
        far = np.linalg.norm(core_points(name, part) @ Q.T + place, axis=1).max() + part.rounding
        margin = abs(1 - far) + 1e-3
        detector = Detector(2, [SurfaceOf(0, part), SurfaceOf(1, hollow)], fixed=[1], margin=margin)
        detector.put(0, place + UP, Q)
        assert detector.find() >= 1
        _, points = detector.contacts()
        deepest = points[np.argmin(points[:, 9])]
        assert deepest[9] == pytest.approx(1 - far, abs=2e-6)  # as fine as 4,000 points of a rim are
        outwards = deepest[3:6] - UP
        assert deepest[6:9] == pytest.approx(outwards / np.linalg.norm(outwards), abs=1e-12)


@pytest.mark.parametrize("friction", [0.1, 0.5])
def test_fixed_meshes_carry_what_lies_on_them(friction):
    """A wedge as a mesh that is fixed: a block on it sticks, or slides as on a plane."""
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0.6), (-1, 1, 0.6)])
    faces = ((0, 2, 1), (0, 3, 2), (0, 1, 4), (3, 5, 2), (0, 4, 5), (0, 5, 3), (1, 2, 5), (1, 5, 4))
    wedge = td.Mesh("wedge", vertices=tuple(map(tuple, corners.tolist())), faces=faces, is_fixed=True)
    angle = np.arctan2(0.6, 2.0)
    up = np.array([np.sin(angle), 0, np.cos(angle)])
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(friction=friction), wedge)
    # its vertices are seen from its centre of mass
    centre = np.array([-1 / 3, 0.0, 0.2])
    on_slope = np.array([-0.3, 0.0, 0.3 * 1.3]) - centre
    tilt = (np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0)
    place = tuple(on_slope + 0.05 * up)
    block = world.add(td.Box("block", size=(0.2, 0.2, 0.1), position=place, orientation=tilt))
    world.run(0.3)
    slides = max(0.0, G * (np.sin(angle) - friction * np.cos(angle)))
    assert np.linalg.norm(block.velocity) == pytest.approx(slides * 0.3, rel=0.01, abs=1e-6)
    assert world.contacts(block).bodies == (wedge,)
