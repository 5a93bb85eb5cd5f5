"""What is round touches by its rim: cylinders, cones, rings and compounds of them (M1)."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import tinkerdyne as td
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.objects.shapes import surface
from tinkerdyne.sketch import Sketch, Surface
from tinkerdyne.sketch.problem.simulate import poses, simulated
from tinkerdyne.sketch.tell.shape import shape_of

TABLE = Surface()
ACROSS = (0.5**0.5, 0, 0, 0.5**0.5)  # a quarter of a turn about z


def hammer():
    return td.Compound(
        "hammer",
        shapes={
            "handle": td.Cylinder(radius=0.015, length=0.2, mass=0.05),
            "head": td.Cylinder(radius=0.03, length=0.08, mass=0.2, position=(0.1, 0, 0), orientation=ACROSS),
            "knob": td.Sphere(radius=0.025, mass=0.03, position=(-0.1, 0, 0)),
        },
    )


BODIES = {
    "coin": lambda: td.Cylinder("coin", radius=0.05, length=0.02, mass=0.05),
    "barrel": lambda: td.Cylinder("barrel", radius=0.05, length=0.12, mass=0.05),
    "rod": lambda: td.Rod("rod", radius=0.02, length=0.2, mass=0.05),
    "cone": lambda: td.Cone("cone", radius=0.06, height=0.1, mass=0.05),
    "ring": lambda: td.Torus("ring", radius=0.06, thickness=0.015, mass=0.05),
    "card": lambda: td.Card("card", width=0.1, height=0.15, thickness=0.01, mass=0.02),
    "hammer": hammer,
}


def fine(body):
    """Points of the surface, far finer than the sketch knows."""
    points = np.asarray(surface(body, segments=192)[0])
    return points[ConvexHull(points).vertices]


def lowest(solution, body, points, moments=400):
    out = []
    for when in np.linspace(0, solution.seconds, moments):
        now = solution.at(body, float(when))
        out.append((now["position"] + points @ rotation_matrix(now["orientation"]).T)[:, 2].min())
    return min(out)


def thrown(body, seed, *, bounces=1):
    """A true throw and its exact sketch, of which nothing is said about what strikes."""
    rng, shape = np.random.default_rng(seed), shape_of(body)
    while True:
        q = rng.normal(size=4)
        v = (rng.uniform(0.5, 1.2), 0.2 * rng.normal(), rng.uniform(-0.5, 0.5))
        state = ((0.0, 0.0, rng.uniform(0.35, 0.5)), q / np.linalg.norm(q), v, 4 * rng.normal(size=3))
        flights = simulated(shape, state, bounces, last=0.15, restitution=0.6)
        if len(flights) == bounces + 1 and min(one.T for one in flights) > 0.08:
            break
    sketch, begin = Sketch(body), 0.0
    for one in flights:
        s = np.linspace(0 if begin == 0 else 0.02, 1, 12)
        sketch.follow(body, *poses(shape, one, s), times=begin + s * one.T)
        begin += one.T
        if one.corner >= 0:
            sketch.bounce(body, on=TABLE, restitution=0.6)
    return sketch


@pytest.mark.mission("M1")
def test_a_thick_cylinder_bounces_on_its_rim():
    disc = td.Cylinder("disc", radius=0.05, length=0.02, mass=0.1)
    tilt = np.radians(50) / 2
    x = np.linspace(0, 0.3, 10)
    turned = np.tile((np.cos(tilt), 0, np.sin(tilt), 0), (10, 1))
    sketch = Sketch(disc)
    sketch.follow(disc, np.stack([x, 0 * x, 0.4 + 0.2 * x - 4 * x**2], axis=1), turned)
    sketch.bounce(disc, disc.end2, on=TABLE)
    sketch.follow(disc, np.stack([0.3 + x, 0 * x, 0.05 + 1.2 * x - 4 * x**2], axis=1), turned)
    solution = sketch.solve(restarts=2)
    assert solution.is_met
    assert lowest(solution, disc, fine(disc)) > -3e-4 * solution.statement.units.length
    (blow,) = solution.blows
    now = solution.at(disc, blow.time)
    arm = rotation_matrix(now["orientation"]).T @ (blow.place - now["position"])
    assert arm[0] == pytest.approx(0.01, abs=1e-6)  # in the plane of its end
    assert np.hypot(*arm[1:]) == pytest.approx(0.05, abs=1e-4)  # on the rim


@pytest.mark.mission("M1")
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("seed", [1, *(pytest.param(k, marks=pytest.mark.long) for k in range(2, 8))])
def test_what_bounced_in_truth_is_found_again_and_never_sinks(name, seed):
    body = BODIES[name]()
    solution = thrown(body, seed, bounces=1 + seed % 2).solve(restarts=2)
    assert solution.is_met, str(solution)
    assert lowest(solution, body, fine(body)) > -3e-4 * solution.statement.units.length
    assert solution.cost < 1e-8


def test_a_named_point_of_what_is_round_means_its_rim():
    disc = td.Cylinder("disc", radius=0.05, length=0.02, mass=0.1)
    shape = shape_of(disc)
    assert shape.meant((0.01, 0, 0)) == shape.meant((0.01, 0.03, -0.04)) == [1]
    assert shape.meant((0.0, 0.05, 0)) == []  # a point on its side stays one
    tip = shape.touching((0.01, 0, 0))
    down = np.array((-0.6, 0.8, 0.0))
    assert tip.touching(0, down) == pytest.approx((0.01, -0.05, 0), abs=1e-5)
