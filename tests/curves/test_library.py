"""The library of curves against closed forms: places, lengths, areas, the drag matrix, and how a pulled curve
yields."""

import math

import numpy as np
import pytest
from scipy.interpolate import BSpline as Reference
from scipy.special import ellipe, gamma

import tinkerdyne as td
from tinkerdyne.constraints.curves import lock
from tinkerdyne.objects.curves import (
    Arc,
    Circle,
    Ellipse,
    Helix,
    Rectangle,
    Spiral,
    Superellipse,
    TiltedEllipse,
    polyline,
)
from tinkerdyne.objects.splines import Bezier, BSpline, Line

TAU = 2 * math.pi
RNG = np.random.default_rng(5)
SPREAD = {  # one of each, away from its defaults
    "circle": lambda **o: Circle("it", position=(0.3, -0.2), radius=1.3, **o),
    "arc": lambda **o: Arc("it", position=(0.3, -0.2), radius=1.3, begin=0.4, end=2.9, **o),
    "ellipse": lambda **o: Ellipse("it", position=(0.3, -0.2), radii=(1.3, 0.7), angle=0.6, **o),
    "superellipse": lambda **o: Superellipse(
        "it", position=(0.3, -0.2), radii=(1.3, 0.7), angle=0.6, exponent=4.0, **o
    ),
    "rectangle": lambda **o: Rectangle("it", position=(0.3, -0.2), size=(1.3, 0.7), angle=0.6, **o),
    "spiral": lambda **o: Spiral(
        "it", position=(0.3, -0.2), radius=0.3, pitch=0.2, angle=0.6, turns=2.0, **o
    ),
    "tilted_ellipse": lambda **o: TiltedEllipse("it", a=(1.0, 0.2, 0.3), b=(-0.2, 0.7, 0.4), **o),
    "helix": lambda **o: Helix("it", turns=2.0, axis=(0.2, 0.3, 1.5), **o),
    "line": lambda **o: Line("it", points=((0.3, -0.2), (1.4, 0.9)), **o),
    "line in space": lambda **o: Line("it", points=((0.3, -0.2, 0.1), (1.4, 0.9, 0.7)), **o),
    "bezier": lambda **o: Bezier("it", **o),
    "bezier in space": lambda **o: Bezier("it", points=RNG.normal(size=(4, 3)), **o),
    "bspline": lambda **o: BSpline("it", **o),
    "closed bspline in space": lambda **o: BSpline("it", points=RNG.normal(size=(6, 3)), is_closed=True, **o),
}
KINDS = pytest.mark.parametrize("make", SPREAD.values(), ids=SPREAD.keys())


def drawn(make, **options):
    world = td.World(order=1)
    return world, world.add(make(**options))


def length(item):
    return float(td.length_of(item).value[0])


def area(item):
    return float(td.area_within(item).value[0])


# --- closed forms ---------------------------------------------------------------------------------
def test_lengths():
    world = td.World(order=1)
    circle, arc, ellipse = (
        world.add(SPREAD["circle"]()),
        Arc(radius=2.0, begin=0.5, end=2.0),
        Ellipse(radii=(2.0, 1.0)),
    )
    world.add(arc, ellipse)
    assert length(circle) == pytest.approx(TAU * 1.3, rel=1e-13)
    assert length(arc) == pytest.approx(3.0, rel=1e-13)
    assert length(ellipse) == pytest.approx(8.0 * ellipe(0.75), rel=1e-9)
    rectangle, helix = world.add(
        Rectangle(size=(1.3, 0.7), angle=0.4), Helix(turns=2.0, axis=(0.0, 0.0, 3.0))
    )
    assert length(rectangle) == pytest.approx(4.0, rel=1e-13)
    assert length(helix) == pytest.approx(math.hypot(TAU, 3.0), rel=1e-12)
    line = world.add(Line(points=((0, 0, 0), (1, 2, 2))))
    assert length(line) == pytest.approx(3.0, rel=1e-14)
    spiral = world.add(Spiral(radius=0.0, pitch=TAU, turns=1.5))  # r = φ: ½ (φ √(1 + φ²) + asinh φ)
    phi = 1.5 * TAU
    assert length(spiral) == pytest.approx((phi * math.sqrt(1 + phi**2) + math.asinh(phi)) / 2, rel=1e-9)


def test_areas():
    world = td.World(order=1)
    circle, ellipse, rectangle = world.add(
        Circle(radius=1.5), Ellipse(radii=(2.0, 0.5)), Rectangle(size=(1.3, 0.7), angle=0.4)
    )
    assert area(circle) == pytest.approx(math.pi * 1.5**2, rel=1e-13)
    assert area(ellipse) == pytest.approx(math.pi, rel=1e-13)
    assert area(rectangle) == pytest.approx(0.91, rel=1e-13)
    for n in (2.0, 4.0):
        shape = world.add(Superellipse(radii=(2.0, 0.5), exponent=n, angle=0.3))
        assert area(shape) == pytest.approx(4.0 * gamma(1 + 1 / n) ** 2 / gamma(1 + 2 / n), rel=1e-9)


def test_a_superellipse_meets_its_equation():
    _, it = drawn(lambda: Superellipse("it", radii=(1.3, 0.7), exponent=3.5))
    x, y = (polyline(it) / (1.3, 0.7)).T
    np.testing.assert_allclose(abs(x) ** 3.5 + abs(y) ** 3.5, 1.0, rtol=1e-12)


def test_a_superellipse_of_a_great_exponent_is_a_rectangle():
    _, it = drawn(lambda: Superellipse("it", radii=(1.3, 0.7), exponent=5000.0))
    x, y = (polyline(it) / (1.3, 0.7)).T
    np.testing.assert_allclose(np.maximum(abs(x), abs(y)), 1.0, atol=2e-4)


def test_a_bezier_is_de_casteljaus():
    points = RNG.normal(size=(6, 3))
    _, it = drawn(lambda: Bezier("it", points=points))
    p = points
    while len(p) > 1:
        p = 0.7 * p[:-1] + 0.3 * p[1:]
    assert td.curve_point(it, u=0.3).value == pytest.approx(p[0], rel=1e-14)


@pytest.mark.parametrize("count", [4, 5, 9])
def test_a_b_spline_is_scipys(count):
    points = RNG.normal(size=(count, 2))
    _, it = drawn(lambda: BSpline("it", points=points))
    u = np.linspace(0, count - 3, 7)
    reference = Reference(np.arange(count + 4) - 3.0, points, 3)
    for at, place in zip(u, reference(u), strict=True):
        assert td.curve_point(it, u=float(at)).value == pytest.approx(place, abs=1e-14)
    ring = td.World(order=1).add(BSpline("ring", points=points, is_closed=True))
    around = Reference(np.arange(count + 7) - 3.0, np.vstack([points[-1:], points, points[:2]]), 3)
    for at in (0.0, 0.4, count - 0.6):
        assert td.curve_point(ring, u=at).value == pytest.approx(around(at), abs=1e-13)
    assert td.curve_point(ring, u=count + 0.4).value == pytest.approx(around(0.4), abs=1e-13)  # it goes round


# --- the drag matrix, and yielding ----------------------------------------------------------------
@KINDS
def test_work_of_the_drag_is_that_along_the_length(make):
    """vᵀ D v = drag ∫ |ẋ|² ds, with the right side by fine sums over points that the connectors give."""
    world, it = drawn(make, drag=0.7)
    world.step(1e-9)
    what = it.type.resolve(it)[0]
    M = np.array(_mass(world.engine, it))
    v = np.random.default_rng(3).normal(size=what.nv)
    points = polyline(it, segments=400)
    step = 1e-6
    moved = []
    for sign in (1, -1):
        q = np.concatenate([np.ravel(getattr(it, p.name)) for p in what.positions])
        moved.append(_places(it, q + sign * step * v))
    rate = (moved[0] - moved[1]) / (2 * step)
    ds = np.linalg.norm(np.diff(points, axis=0), axis=1)
    middle = (np.sum(rate[1:] ** 2, axis=1) + np.sum(rate[:-1] ** 2, axis=1)) / 2
    # As exact as the few nodes that say how a curve yields.
    assert v @ M @ v == pytest.approx(0.7 * middle @ ds, rel=2e-2)


def _mass(engine, item):
    engine.lay_out()
    entry = engine.object_entry(item.key)
    return engine.arena.vector(entry.M, entry.nv * entry.nv).reshape(entry.nv, entry.nv)


def _places(item, q):
    """Points of a curve at another state."""
    what, start = item.type.resolve(item)[0], {}
    at = 0
    for part in what.positions:
        value = q[at : at + part.dim]
        old = getattr(item, part.name)
        start[part.name] = value.reshape(np.shape(old)) if np.ndim(old) else float(value[0])
        at += part.dim
    options = {k: v for k, v in item.values.items() if k != "is_fixed"}
    return polyline(item.type.make("", (), {**options, **start}), segments=400)


@KINDS
def test_any_point_can_be_pulled_to_a_place(make):
    world, it = drawn(make)
    low, high = it.type.resolve(it)[0].kind.wrap(_symbol(it)).span
    held = td.curve_point(it, u=low + 0.37 * (high - low))
    grip = world.grab(held)
    target = np.array(held.value) + 0.2
    grip.move(*target)
    world.run(3.0)
    np.testing.assert_allclose(held.value, target, atol=5e-3)
    grip.release()
    before = world.state_of(it, it.type.state_names()[0])
    world.run(0.5)
    assert world.state_of(it, it.type.state_names()[0]) == before  # first order: it stops when let go


def _symbol(item):
    import casadi as ca

    return ca.SX.sym("l", item.type.resolve(item)[0].dim)


def test_a_pulled_circle_moves_and_grows_as_its_equations_say():
    """A force F at u: the centre moves with F/(drag 2πr) and the radius grows with F·e/(drag 2πr)."""
    world = td.World(order=1)
    circle = world.add(Circle("it", radius=2.0))
    world.add(td.pull(td.curve_point(circle, u=0.0), by=(3.0, 0.0)))
    world.step(1e-6)
    rate = 3.0 / (TAU * 2.0)
    assert circle.position_rate == pytest.approx((rate, 0.0), rel=1e-5, abs=1e-12)
    assert circle.radius_rate == pytest.approx(rate, rel=1e-5)


def test_a_pulled_line_turns_about_its_far_third():
    """A bar with uniform drag, pulled across at its end: the end moves with 4F/(drag L), the other with
    −2F/(drag L)."""
    world = td.World(order=1)
    line = world.add(Line("it", points=((0.0, 0.0), (2.0, 0.0)), drag=0.5))
    world.add(td.pull(td.curve_point(line, u=1.0), by=(0.0, 1.0)))
    world.step(1e-6)
    (_, far), (_, near) = line.points_rate
    assert (far, near) == (pytest.approx(-2.0, rel=1e-5), pytest.approx(4.0, rel=1e-5))


@pytest.mark.filterwarnings("ignore:rattle needs")
def test_a_curve_in_a_world_of_masses_falls_like_a_stone():
    world = td.World()
    circle = world.add(Circle("it", density=1.0, drag=1e-12))
    world.add(td.gravity(g=(0.0, -9.81)), lock(circle, "radius"))
    world.run(0.5)
    assert circle.position[1] == pytest.approx(-9.81 / 8, rel=1e-6) and circle.radius == pytest.approx(
        1.0, abs=1e-9
    )


# --- faults ---------------------------------------------------------------------------------------
def is_finite(world):
    return np.all(np.isfinite(world.engine.arena.q))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Circle("it", radius=0.0),
        lambda: Ellipse("it", radii=(0.0, 0.0)),
        lambda: Rectangle("it", size=(0.0, 0.0)),
        lambda: Line("it", points=((1.0, 1.0), (1.0, 1.0))),
        lambda: Bezier("it", points=((0.0, 0.0),) * 4),
        lambda: BSpline("it", points=((0.5, 0.5),) * 7),
        lambda: BSpline("it", points=((0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 0.0))),  # a cusp
        lambda: Bezier("it", points=((0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0))),  # a cusp at u = ½
    ],
)
def test_collapsed_curves_and_cusps_stay_finite(make):
    world = td.World(order=1)
    it, u = world.add(make(), td.Variable("u", value=0.4))
    grip = world.grab(td.curve_point(it, u=0.5))
    grip.move(0.3, 0.4)
    world.add(td.nail(td.slider(it, u), at=(0.2, 0.1)))
    assert np.all(np.isfinite(td.tangent(it, u=0.5).value))
    world.run(0.5)
    assert is_finite(world)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: BSpline("it", points=((0, 0), (1, 0), (1, 1))),
            "points of bspline 'it' must be 4 to 64 places, not 3",
        ),
        (lambda: Line("it", points=((0, 0), (1, 0), (1, 1))), "must be 2 places"),
        (lambda: Bezier("it", points=((0, 0), (1, 0, 0))), "two or of three numbers each"),
        (lambda: Bezier("it", points=((0, 0), (1, math.nan))), "NaN"),
        (lambda: Bezier("it", points="M0 0"), "sequence of places"),
        (lambda: BSpline("it", is_closed=1), "is_closed of bspline 'it' must be True or False"),
        (lambda: Circle("it", drag=0.0), "positive"),
        (lambda: Circle("it", radius="big"), "radius of circle 'it' must be a number"),
        (lambda: polyline(td.Particle("it")), "is no curve"),
        (lambda: polyline(Circle("it"), segments=0), "at least 1"),
    ],
)
def test_misuse_is_refused_in_words(make, words):
    with pytest.raises((TypeError, ValueError), match=words):
        make()


def test_a_spline_keeps_its_number_of_points():
    world = td.World(order=1)
    it = world.add(BSpline("it"))
    before = it.points
    with pytest.raises(ValueError, match="keep its number of places"):
        it.points = ((0, 0), (1, 0), (2, 0), (3, 0))
    assert it.points == before
    it.points = tuple((x + 1, y) for x, y in before)
    assert it.points[0] == (before[0][0] + 1, before[0][1])
    world.undo()
    assert it.points == before


DENSITIES = [("circle", "kg/m"), ("line", "kg/m"), ("typed_curve", "kg/m"), ("typed_surface", "kg/m²")]


@pytest.mark.parametrize(("kind", "unit"), DENSITIES)
def test_density_is_shown_by_length_of_curves_and_by_area_of_surfaces(kind, unit):
    from tinkerdyne.language.types import REGISTRY
    from tinkerdyne.studio.build.catalogue import info

    assert {p.name: p.unit for p in info(REGISTRY[kind]).parameters}["density"] == unit
