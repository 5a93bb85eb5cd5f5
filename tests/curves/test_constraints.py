"""Drawing with constraints: touching, equal and mirrored curves against closed forms, and linkages made of
lines."""

import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.constraints.curves import (
    attach,
    equal_area,
    equal_length,
    lock,
    mirrored,
    parameter_of,
    tangential,
    through,
)
from tinkerdyne.objects.curves import Arc, Circle, Ellipse, Rectangle
from tinkerdyne.objects.splines import Bezier, BSpline, Line

SETTLED = 1e-7  # m: what the tolerance of |c| and the approach leave


def settled(world, seconds=2.5):
    world.run(seconds)
    assert world.gap < SETTLED
    return world


def drawing(*items):
    world = td.World(order=1, max_step=1 / 120)
    return world, world.add(*items)


def test_circles_that_touch_are_as_far_apart_as_their_radii():
    world, (a, b, u, w) = drawing(
        Circle("a"),
        Circle("b", position=(2.5, 0.5), radius=0.7),
        td.Variable("u", value=0.1),
        td.Variable("w", value=3.0),
    )
    world.add(tangential(a, u, b, w))
    settled(world)
    assert math.dist(a.position, b.position) == pytest.approx(a.radius + b.radius, abs=SETTLED)
    world.add(lock(a, "position"), lock(a, "radius"), lock(b, "radius"))
    grip = world.grab(td.curve_point(b, u=1.0))
    for place in ((0.0, 4.0), (-4.0, 0.0), (0.0, -4.0)):  # round about, touching all the way
        grip.move(*place)
        settled(world, 1.5)
        assert math.dist(a.position, b.position) == pytest.approx(a.radius + b.radius, abs=SETTLED)
    assert abs(u.value - w.value) == pytest.approx(math.pi, abs=1e-5)


def test_inside_a_circle_another_touches_at_the_difference_of_the_radii():
    world, (a, b, u, w) = drawing(
        Circle("a", radius=2.0),
        Circle("b", position=(1.0, 0.2), radius=0.7),
        td.Variable("u"),
        td.Variable("w"),
    )
    world.add(lock(a, "radius"), lock(b, "radius"), tangential(a, u, b, w))
    settled(world)
    assert math.dist(a.position, b.position) == pytest.approx(1.3, abs=SETTLED)


def test_a_line_that_touches_a_circle_is_a_radius_away():
    world, (circle, line, u, w) = drawing(
        Circle("circle"),
        Line("line", points=((-2.0, 1.5), (2.0, 1.4))),
        td.Variable("u", value=1.5),
        td.Variable("w", value=0.5),
    )
    world.add(tangential(circle, u, line, w))
    settled(world)
    (x, y), (X, Y) = line.points
    away = abs((X - x) * (circle.position[1] - y) - (Y - y) * (circle.position[0] - x)) / math.hypot(
        X - x, Y - y
    )
    assert away == pytest.approx(circle.radius, abs=SETTLED)
    assert {"w.start", "w.end"} <= {item.name for item in world.items}  # it stops at the ends of the line


def test_curves_touch_in_space():
    world, (a, b, u, w) = drawing(
        Bezier("a", points=((0, 0, 0), (1, 0, 1), (2, 1, 1), (3, 1, 0))),
        Line("b", points=((1, 0.5, 1), (2, 1, 2))),
        td.Variable("u", value=0.5),
        td.Variable("w", value=0.5),
    )
    world.add(tangential(a, u, b, w))
    settled(world)
    here, there = td.slider(a, u), td.slider(b, w)
    world.adopt(here), world.adopt(there)
    np.testing.assert_allclose(here.value, there.value, atol=SETTLED)
    t = np.subtract(b.points[1], b.points[0])
    h = 1e-6
    places = [np.array(td.curve_point(a, u=u.value + s * h).value) for s in (1, -1)]
    assert np.linalg.norm(np.cross(t, places[0] - places[1])) / (2 * h) < 1e-5


def test_a_curve_goes_through_a_point_along_a_direction():
    world, (spline, u) = drawing(BSpline("spline"), td.Variable("u", value=1.0))
    world.add(through(spline, u, td.Nail(1.0, 0.5), td.world_direction(along=(1.0, 1.0))))
    settled(world)
    tangent = td.tangent(spline, u=u.value).value
    assert abs(tangent[0]) == pytest.approx(abs(tangent[1]), abs=1e-6)


def test_attached_curves_meet_where_variables_say():
    world, (a, b, u, w) = drawing(
        Ellipse("a"),
        Line("b", points=((0, 0), (2, 1))),
        td.Variable("u", value=0.4),
        td.Variable("w", value=0.6),
    )
    world.add(attach(a, u, b, w))
    settled(world)
    x, y = td.curve_point(b, u=w.value).value
    assert td.curve_point(a, u=u.value).value == pytest.approx((x, y), abs=SETTLED)


def test_equal_areas_and_lengths():
    world, (circle, box) = drawing(Circle("circle"), Rectangle("box", position=(3.0, 0.0), size=(1.0, 0.5)))
    world.add(lock(circle, "radius"), equal_area(circle, box))
    settled(world)
    assert box.size[0] * box.size[1] == pytest.approx(math.pi, abs=1e-6)
    world, (circle, box) = drawing(Circle("circle"), Rectangle("box", position=(3.0, 0.0), size=(1.0, 0.5)))
    world.add(lock(circle, "radius"), equal_length(circle, box))
    settled(world)
    assert sum(box.size) == pytest.approx(math.pi, abs=1e-6)


def test_equal_radii_follow_the_one_that_is_pulled():
    world, (a, b) = drawing(Circle("a"), Arc("b", position=(3.0, 0.0), radius=0.5))
    world.add(td.equal(parameter_of(a, "radius"), parameter_of(b, "radius")))
    grip = world.grab(td.curve_point(a, u=0.0))
    world.add(lock(a, "position"))
    grip.move(2.0, 0.0)
    settled(world)
    assert a.radius == pytest.approx(2.0, abs=1e-2) and b.radius == pytest.approx(a.radius, abs=SETTLED)


@pytest.mark.parametrize("dim", [2, 3])
def test_a_mirror_image_stays_one(dim):
    normal = (0.0, 1.0) if dim == 2 else (1.0, 0.0, 0.0)
    start = np.random.default_rng(dim).normal(size=(2, dim))
    world = td.World(order=1)
    a, b = world.add(td.Particle("a", position=tuple(start[0])), td.Particle("b", position=tuple(start[1])))
    world.add(mirrored(a, b, td.Nail(*(0.0,) * dim), td.world_direction(along=normal)))
    settled(world)
    wanted = np.array(a.position)
    wanted[0] *= -1  # in the plane the mirror is the y axis, in space the plane across x
    assert b.position == pytest.approx(wanted, abs=SETTLED)


def mirrored_in(line, places):
    """The mirror images of places (n, 2) in a line."""
    (ax, ay), (bx, by) = line.points
    d = np.array((bx - ax, by - ay)) / math.hypot(bx - ax, by - ay)
    away = np.asarray(places) - (ax, ay)
    return np.array((ax, ay)) + 2 * (away @ d)[:, None] * d - away


@pytest.mark.parametrize(
    "pair",
    [
        (Circle("a", position=(-1.0, 0.3), radius=0.5), Circle("b", position=(1.2, 0.2), radius=0.7)),
        (
            td.Arc("a", position=(-1.0, 0.0), begin=0.1, end=1.0),
            td.Arc("b", position=(1.2, 0.2), radius=0.7, begin=2.0, end=3.0),
        ),
        (
            td.Ellipse("a", position=(-2.0, 0.0), angle=0.3),
            td.Ellipse("b", position=(2.0, 0.1), radii=(0.7, 0.8), angle=0.4),
        ),
        (
            td.Rectangle("a", position=(-2.0, 0.0), angle=0.3),
            td.Rectangle("b", position=(2.0, 0.1), angle=-0.4),
        ),
        (
            td.Bezier("a", points=((-2, 0), (-1.5, 1), (-1, 0.3))),
            td.Bezier("b", points=((2, 0.2), (1.4, 1.1), (0.8, 0.1))),
        ),
        (Line("a", points=((-2, 0), (-1, 1))), Line("b", points=((2, 0.3), (1, 1.4)))),
    ],
    ids=lambda pair: pair[0].type.name,
)
def test_two_curves_stay_mirror_images_while_one_is_pulled(pair):
    world, (a, b, line) = drawing(*pair, Line("line", points=((0.0, -1.0), (0.3, 1.0))))
    world.add(lock(line, "points"))
    image = world.add(td.mirror_images(a, b, line))
    settled(world)
    grip = world.grab(td.curve_point(a, u=0.4))
    grip.move(-1.5, 1.0)
    world.run(2.0)
    assert image.gap < SETTLED
    wanted, found = mirrored_in(line, td.polyline(a, segments=400)), td.polyline(b, segments=400)
    far = np.linalg.norm(wanted[:, None] - found[None], axis=2)
    # both as lines, whichever way u runs
    assert far.min(axis=1).max() < 0.02 and far.min(axis=0).max() < 0.02


def test_equal_radii_of_circles_arcs_and_typed_curves():
    typed = td.typed_curve("x0 + r*cos(u)", "r*sin(u)", name="typed", span=(0, "2*pi"), x0=4.0, r=0.5)
    world, (ring, arc, typed) = drawing(Circle("ring", radius=1.5), td.Arc("arc", position=(3.0, 0.0)), typed)
    world.add(td.equal_radius(ring, arc), td.equal_radius(arc, typed))
    settled(world)
    assert ring.radius == pytest.approx(arc.radius, abs=SETTLED) and arc.radius == pytest.approx(
        typed.r, abs=SETTLED
    )
    grip = world.grab(td.curve_point(ring, u=0.0))
    grip.move(4.0, 0.0)
    world.run(1.0)
    assert ring.radius == pytest.approx(arc.radius, abs=SETTLED) and ring.radius == pytest.approx(
        typed.r, abs=SETTLED
    )


def test_a_weak_preference_yields_to_a_constraint():
    """A spring on a number of a curve: without a constraint the number goes where the spring wants, with one
    it does not."""
    world, circle = drawing(Circle("circle"))
    world.add(td.scalar_spring(parameter_of(circle, "radius"), rest=2.0, stiffness=50.0))
    world.run(3.0)
    assert circle.radius == pytest.approx(2.0, abs=1e-3)
    world.add(lock(circle, "radius", at=1.2))
    settled(world)
    assert circle.radius == pytest.approx(1.2, abs=SETTLED)


def peaucellier(world):
    """Peaucellier and Lipkin's inversor of lines: a rhombus of sides 1 on two arms of 2, and a crank of 0.7
    to its inner corner."""
    arm, side, crank = 2.0, 1.0, 0.7
    inner = (2 * crank, 0.0)
    reach = (arm**2 - side**2) / inner[0]  # the inversion: |O inner| |O outer| = arm² − side²
    top = ((inner[0] + reach) / 2, math.sqrt(arm**2 - ((inner[0] + reach) / 2) ** 2))
    low = (top[0], -top[1])
    joints = {
        "pivot": (crank, 0.0),
        "origin": (0.0, 0.0),
        "inner": inner,
        "outer": (reach, 0.0),
        "top": top,
        "low": low,
    }
    bars = [
        ("origin", "top"),
        ("origin", "low"),
        ("top", "inner"),
        ("low", "inner"),
        ("top", "outer"),
        ("low", "outer"),
    ]
    bars.append(("pivot", "inner"))
    ends: dict = {}
    for a, b in bars:
        line = world.add(Line(f"{a}-{b}", points=(joints[a], joints[b])))
        world.add(td.held(td.length_of(line), at=(math.dist(joints[a], joints[b]),)))
        for name, u in ((a, 0.0), (b, 1.0)):
            ends.setdefault(name, []).append(td.curve_point(line, u=u))
    for name, points in ends.items():
        for point in points[1:]:
            world.add(td.connect(points[0], point))
        if name in ("origin", "pivot"):
            world.add(td.nail(points[0], at=joints[name]))
    return ends["outer"][0], reach


def test_peaucelliers_linkage_of_curves_draws_a_straight_line():
    world = td.World(order=1, max_step=1 / 60)
    outer, reach = peaucellier(world)
    grip = world.grab(outer)
    heights = []
    for y in np.linspace(0.0, 1.2, 20):
        grip.move(reach + 0.3, y)
        world.step(1 / 10)
        x, height = outer.value
        assert x == pytest.approx(reach, abs=1e-6)
        heights.append(height)
    assert heights[-1] > 0.8


def test_a_curve_whose_ends_meet_encloses_an_area_and_keeps_it_in_files():
    world, drop = drawing(td.Bezier("drop", points=((0, 0), (3, 4), (-3, 4), (0, 0))))
    area = world.add(td.area_within(drop, name="area"))
    # ∮ x dy with x = 9 u (1 − u) (1 − 2u), y = 12 u (1 − u): 108 ∫ u (1 − u) (1 − 2u)² du = 3.6.
    assert float(area.value[0]) == pytest.approx(3.6)
    drop.points = ((0, 0), (3, 4), (-3, 4), (0.5, 0))
    assert "area" in td.World.from_json(world.to_json())  # it was pulled open; that is no reason to lose it


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda c: lock(c, "radus"), "circle 'it' has no 'radus'"),
        (lambda c: lock(c, "position.z"), "no 'position.z'"),
        (lambda c: lock(td.Rod("rod"), "length"), "rod 'rod' has no numbers"),
        (lambda c: parameter_of(c, "position"), "is 2 numbers; say which"),
        (lambda c: td.area_within(Line("line", points=((0, 0, 0), (1, 1, 1)))), "plane curve encloses"),
        (lambda c: td.area_within(td.Arc("part")), "arc 'part' is open, its ends are 1.41 m apart.*close it"),
        (lambda c: td.equal_area(c, td.Bezier("bow")), "bezier 'bow' is open, its ends are 1 m apart"),
        (lambda c: td.equal_radius(c, Line("l")), "line 'l' has no radius"),
        (lambda c: td.equal_radius(c, td.Ellipse("e")), "1 and 2 radii"),
        (lambda c: td.equal_radius(td.gravity(), c), "gravity has no radius"),
        (lambda c: td.equal_radius("it", c), r"write world\['it'\]"),
        (lambda c: lock("it", "radius"), r"write world\['it'\]"),
        (lambda c: td.polyline("it"), r"write world\['it'\]"),
        (lambda c: td.outline("it"), r"write world\['it'\]"),
        (lambda c: td.mirror_images(td.gravity(), td.gravity(), Line("l")), "gravity has no places"),
        (lambda c: td.mirror_points(c, c, "l"), r"write world\['l'\]"),
        (lambda c: td.mirror_images(c, td.Ellipse("e"), Line("l")), "of two types"),
        (lambda c: td.mirror_images(c, Circle("d"), td.Ellipse("e")), "no straight line"),
        (lambda c: td.mirror_images(td.Spiral("s"), td.Spiral("t"), Line("l")), "mirror single points"),
        (
            lambda c: attach(c, td.Variable("u"), Line("l", points=((0, 0, 0), (1, 1, 1))), td.Variable("w")),
            "numbers",
        ),
    ],
)
def test_misuse_is_refused_in_words(make, words):
    with pytest.raises((TypeError, ValueError), match=words):
        make(Circle("it"))
