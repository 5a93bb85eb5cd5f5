"""Curves of the plane as ground: arcs against brute force, and bodies on every curve of the library."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.contact.oracle import fields
from tinkerdyne.engine.contact.detector import Detector, SurfaceOf
from tinkerdyne.objects import boundary
from tinkerdyne.objects.tracks import track

G, STEP = 9.81, 1 / 240
UPRIGHT = np.eye(3)
CURVES = {
    "circle": lambda: td.Circle(is_fixed=True),
    "arc": lambda: td.Arc(begin=0.3, end=2.6, is_fixed=True),
    "ellipse": lambda: td.Ellipse(angle=0.3, is_fixed=True),
    "superellipse": lambda: td.Superellipse(exponent=4.0, is_fixed=True),
    "rectangle": lambda: td.Rectangle(size=(2.0, 1.0), is_fixed=True),
    "spiral": lambda: td.Spiral(is_fixed=True),
    "line": lambda: td.Line(points=((-1, 0), (1, 0.1)), is_fixed=True),
    "bezier": lambda: td.Bezier(points=((-1, 0.5), (0, -0.5), (1, 0.5)), is_fixed=True),
    "bspline": lambda: td.BSpline(points=((-1, 0.5), (-0.3, 0), (0.3, 0), (1, 0.5)), is_fixed=True),
    "typed": lambda: td.typed_curve("u", "a*cos(2*u)", span=(-2, 2), a=0.2, is_fixed=True),
}


def met(part, parts, x, R=UPRIGHT):
    """Gaps and normals of one part at x against all arcs of a curve."""
    surfaces = [SurfaceOf(0, part), *(SurfaceOf(1, arc) for arc in parts)]
    detector = Detector(2, surfaces, fixed=[1], margin=10.0, slop=-1.0)
    detector.put(0, np.append(x, 0.0), R)
    while detector.find() < 0:
        pass
    found = fields(detector.contacts()[1])
    return found["gap"], found["n"]


def points_of(curve, count=2_000):
    places = td.polyline(curve, segments=count)
    return places, float(np.ptp(places, axis=0).max())


@pytest.mark.parametrize("name", CURVES)
def test_gap_and_normal_of_a_disc_at_a_curve_are_those_of_brute_force(name):
    curve = CURVES[name]()
    parts, (places, size) = curve.type.boundary(curve), points_of(curve)
    rng = np.random.default_rng(3)
    disc = boundary.disc(0.05 * size)[0]
    for _ in range(6):
        x = places[rng.integers(len(places))] + 0.03 * size * rng.normal(size=2)
        gaps, normals = met(disc, parts, x)
        apart = np.linalg.norm(places - x, axis=1)
        nearest = places[np.argmin(apart)]
        gap, n = gaps.min(), normals[np.argmin(gaps)]
        assert gap + 0.05 * size + parts[0].rounding == pytest.approx(apart.min(), abs=2e-4 * size)
        if apart.min() > 0.01 * size:
            assert n[:2] @ (nearest - x) / apart.min() == pytest.approx(1.0, abs=5e-3)


def test_gap_of_a_polygon_at_a_curve_is_that_of_brute_force():
    corners = np.array([(-0.2, -0.1), (0.2, -0.1), (0.25, 0.1), (0.0, 0.2)])
    polygon = boundary.outline(corners)[0]
    t = np.linspace(0, 1, 100)[:, None]
    sides = np.vstack(
        [(1 - t) * a + t * b for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    )
    for name in ("circle", "ellipse", "bezier", "rectangle"):
        curve = CURVES[name]()
        parts, (places, _) = curve.type.boundary(curve), points_of(curve)
        rng = np.random.default_rng(5)
        for _ in range(6):
            angle = rng.uniform(0, 2 * np.pi)
            c, s = np.cos(angle), np.sin(angle)
            R = np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])
            x = places[rng.integers(len(places))] + 0.5 * rng.normal(size=2)
            world = sides @ R[:2, :2].T + x
            apart = np.sqrt(((places[:, None] - world[None]) ** 2).sum(axis=2)).min()
            if apart < 0.02:
                continue
            gaps, _ = met(polygon, parts, x, R)
            assert gaps.min() + parts[0].rounding == pytest.approx(apart, abs=5e-3)


@pytest.mark.parametrize("name", CURVES)
def test_everything_of_the_plane_lies_on_every_curve(name):
    bodies = [
        td.Disc(radius=0.1),
        td.Plate(size=(0.3, 0.2), angle=0.3),
        td.Polygon(vertices=((0, 0), (0.4, 0), (0.4, 0.1), (0.1, 0.1), (0.1, 0.4), (0, 0.4))),
        td.Particle(position=(0, 0)),
    ]
    world, curve = td.World(max_step=STEP), CURVES[name]()
    for k, body in enumerate(bodies):
        body.position = (0.02 * k, 1.6)
    world.add(td.gravity(), td.contact(friction=0.8), curve, *bodies, td.ignore(*bodies))
    energy = [body.mass * G * body.position[1] for body in bodies]
    touched = set()
    for _ in range(40):
        world.run(0.025)
        touched |= {m.a for m in world.contacts()} & set(bodies)
        for body, before in zip(bodies, energy, strict=True):
            moving = body.mass * (0.5 * np.dot(body.velocity, body.velocity) + G * body.position[1])
            assert moving <= before + 1e-6
    assert touched == set(bodies)


def test_a_disc_that_slides_in_a_circle_is_a_pendulum():
    R, r, angle = 1.0, 0.1, 0.4
    length = R - r - 1e-4 * R  # half its thickness
    start = length * np.array([np.sin(angle), -np.cos(angle)])
    disc = td.Disc(radius=r, position=tuple(start))
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(friction=0.0), td.Circle(radius=R, is_fixed=True), disc)
    lowest = []
    for _ in range(2000):
        world.run(STEP)
        lowest.append(disc.position[0])
    energy = 0.5 * np.dot(disc.velocity, disc.velocity) + G * (disc.position[1] - start[1])
    assert abs(energy) < 1e-3 * G * (start[1] + length)
    crossings = np.flatnonzero(np.diff(np.sign(lowest)))
    period = 2 * np.diff(crossings).mean() * STEP
    exact = 2 * np.pi * np.sqrt(length / G) * (1 + angle**2 / 16 + 11 * angle**4 / 3072)
    assert period == pytest.approx(exact, rel=2e-3)


def test_a_curve_is_edited_under_what_lies_on_it_saved_and_undone():
    disc, line = (
        td.Disc("disc", radius=0.1, position=(0, 0.1)),
        td.Line("line", points=((-1, 0), (1, 0)), is_fixed=True),
    )
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), line, disc)
    world.run(0.2)
    assert disc.position[1] == pytest.approx(0.1, abs=2e-4)
    line.points = ((-1, -0.5), (1, -0.5))
    world.run(1.0)
    assert disc.position[1] == pytest.approx(-0.4, abs=2e-4)
    again = td.World.from_json(world.to_json())
    disc.velocity = again["disc"].velocity = (0.5, 0.0)
    world.run(0.3)
    again.run(0.3)
    assert again["disc"].position == disc.position
    world.undo()  # the speed, then the points
    world.undo()
    assert line.points[0][1] == 0.0


def test_curves_that_move_touch_nothing_and_say_so():
    world = td.World(max_step=STEP)
    ring = td.Circle("ring", radius=0.3, position=(0, 1))
    world.add(td.gravity(), td.contact(), ring, td.Disc(position=(5, 0)), td.Circle("held", is_fixed=True))
    with pytest.warns(UserWarning, match="nothing touches anything") as told:
        world.run(0.05)
    said = str(told[0].message)
    assert "circle 'ring'" in said and "held" not in said and "is_fixed=True" in said


def test_degenerate_curves_are_no_ground():
    assert track(lambda u: np.zeros((len(u), 2)), (0.0, 1.0)) == ()
    assert track(lambda u: np.full((len(u), 2), np.nan), (0.0, 1.0)) == ()
