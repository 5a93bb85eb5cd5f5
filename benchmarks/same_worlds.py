"""Random worlds of every sort, each from its seed, through the public door alone: what two trees are compared on.

A kind of world is a function of a random generator that returns a world. Together they have objects of all sorts, all
joints, forces, stops, paths, curves, troids, typed formulas and user-made types. Numbers come from numpy's generator, so
both trees build the same world. What is done to a world while it runs is in `same_edits`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import tinkerdyne as td

Random = np.random.Generator
KINDS: list[Callable[[Random], td.World]] = []
COMPILED = (
    "rattle",
    "rattle",
    "energy_momentum",
    "runge_kutta",
    "stormer",
    "adaptive",
)  # methods of many steps
OUTSIDE = ("lsoda", "dop853", "dense")  # of few: they are slow
TETRAHEDRON = {
    "vertices": ((0.0, 0.0, 0.0), (0.9, 0.0, 0.1), (0.0, 0.8, 0.0), (0.1, 0.0, 0.7)),
    "faces": ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
}


def kind(build: Callable[[Random], td.World]) -> Callable[[Random], td.World]:
    """Make a function one of the kinds of random worlds."""
    KINDS.append(build)
    return build


def build(seed: int) -> td.World:
    """The world of a seed; kinds take turns."""
    return KINDS[seed % len(KINDS)](np.random.default_rng([2024, seed]))


def name_of(seed: int) -> str:
    """What sort of world a seed gives."""
    return KINDS[seed % len(KINDS)].__name__


# --- numbers ------------------------------------------------------------------------------------
def vector(rng: Random, dim: int = 3, size: float = 1.0) -> tuple[float, ...]:
    return tuple(float(x) for x in size * rng.normal(size=dim))


def unit(rng: Random, dim: int = 3) -> tuple[float, ...]:
    x = rng.normal(size=dim)
    return tuple(float(c) for c in x / math.hypot(*x))


def between(rng: Random, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def pick(rng: Random, *choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]


def settings(rng: Random, *methods: str) -> dict[str, Any]:
    """A method, a step and perhaps another solver, feedback or dial."""
    chosen: dict[str, Any] = {
        "method": pick(rng, *(methods or COMPILED)),
        "max_step": pick(rng, 1e-3, 1e-3, 1 / 480, 1 / 240),
        "tolerance": pick(rng, 1e-8, 1e-8, 1e-10),
    }
    if chosen["method"] == "adaptive":
        chosen["rtol"], chosen["atol"] = pick(rng, (1e-9, 1e-11), (1e-6, 1e-8))
    if chosen["method"] == "energy_momentum":
        chosen["theta"] = pick(rng, 0.5, 0.5, 0.7)
    if chosen["method"] == "runge_kutta" and rng.random() < 0.4:
        chosen["feedback"] = pick(rng, "inside", "outside")
    if chosen["method"] == "stormer":
        chosen["corrections"], chosen["warm_start"] = pick(rng, 1, 3, 20), bool(rng.random() < 0.5)
    if rng.random() < 0.2:
        chosen["solver"], chosen["iterations"] = "conjugate_gradient", pick(rng, 15, 200)
    return chosen


# --- particles ----------------------------------------------------------------------------------
@kind
def particles(rng: Random) -> td.World:
    """Point masses in the plane or in space, on strings and springs of all sorts."""
    dim = pick(rng, 2, 3)
    world = td.World(**settings(rng))
    count = int(rng.integers(4, 9))
    points = [
        td.Particle(mass=between(rng, 0.3, 3), position=vector(rng, dim, 2), velocity=vector(rng, dim, 0.5))
        for _ in range(count)
    ]
    world.add(*points, td.gravity())
    for a, b in itertools.pairwise(points):
        length = math.dist(a.position, b.position)
        world.add(
            pick(
                rng,
                td.spring(
                    a, b, stiffness=between(rng, 5, 200), length=length * 0.8, damping=between(rng, 0, 2)
                ),
                td.distance(a, b, length=length),
                td.squared_distance(a, b, length=length),
                td.distance(a, b, length=length * 1.1, tau=0.2),
            )
        )
    world.add(td.nail(points[0], at=points[0].position), td.drag(points[1], coefficient=0.4))
    world.add(
        td.damper(points[0], points[2], coefficient=0.3), td.attraction(points[1], points[3], strength=0.2)
    )
    world.add(
        td.pull(points[2], by=vector(rng, dim)), td.tug(points[3], to=vector(rng, dim), mass=0.7, limit=20.0)
    )
    x, y = td.component(points[1], of=0), td.component(points[2], of=dim - 1)
    world.add(td.formula_energy("k*(a - b)^2/2 + sin(a)", a=x, b=y, k=3.0))
    world.add(td.formula_force(points[3], *["-c*v_dot[0]", "cos(3*t)", "0.1*v[1]"][:dim], v=points[3], c=0.5))
    world.add(
        td.scalar_spring(td.distance_between(points[0], points[-1]), stiffness=4.0, rest=1.0, damping=0.1)
    )
    return world


@kind
def net(rng: Random) -> td.World:
    """A net with redundant strings, and at times one that contradicts the others."""
    n = int(rng.integers(4, 8))
    world = td.World(**settings(rng, "rattle", "rattle", "runge_kutta", "stormer"))
    grid = {
        (i, j): td.Particle(mass=between(rng, 0.5, 1.5), position=(0.5 * i, 0.0, -0.5 * j))
        for i in range(n)
        for j in range(n)
    }
    world.add(*grid.values(), td.gravity(), td.damping(rate=0.2))
    for (i, j), one in grid.items():
        for to in ((i + 1, j), (i, j + 1)):
            if to in grid:
                world.add(td.distance(one, grid[to], length=0.5))
    for i, j in ((0, 0), (n - 1, 0)):
        world.add(td.nail(grid[i, j], at=(0.5 * i, 0.0, -0.5 * j)))
    world.add(td.distance(grid[0, 0], grid[n - 1, 0], length=0.5 * (n - 1)))  # follows from the nails
    if rng.random() < 0.5:
        world.add(td.distance(grid[0, 0], grid[1, 0], length=0.6, name="contradiction"))
    return world


@kind
def hub(rng: Random) -> td.World:
    """One body with many spokes: a dense row of the matrix."""
    world = td.World(**settings(rng))
    centre = world.add(td.Sphere("hub", radius=0.3, mass=5.0, spin=vector(rng)), td.gravity(g=(0, 0, -2)))[0]
    for k in range(int(rng.integers(12, 30))):
        way = np.array(unit(rng))
        if rng.random() < 0.5:
            ball = world.add(td.Particle(mass=0.2, position=tuple(1.3 * way)))
            world.add(td.distance(td.point(centre, at=tuple(0.3 * way)), ball, length=1.0))
        else:
            rod = world.add(
                td.Rod(f"spoke{k}", mass=0.3, length=0.8, position=tuple(0.3 * way + (0.4, 0, 0)))
            )
            world.add(td.connect(td.point(centre, at=tuple(0.3 * way)), rod.end1))
    return world


# --- bodies and joints --------------------------------------------------------------------------
def body(rng: Random, name: str, position: Any) -> td.Item:
    """A rigid body of any shape."""
    q, r = unit(rng, 4), between(rng, 0.1, 0.4)
    here = {
        "position": tuple(map(float, position)),
        "orientation": q,
        "velocity": vector(rng, 3, 0.3),
        "spin": vector(rng),
    }
    parts = {
        "bar": td.Rod(length=0.6, density=700.0),
        "head": td.Box(size=(0.1, 0.1, 0.3), position=(0.3, 0, 0)),
    }
    makers: list[Callable[[], td.Item]] = [
        lambda: td.Sphere(name, radius=r, mass=between(rng, 0.5, 2), **here),
        lambda: td.Rod(name, length=4 * r, radius=0.05, **here),
        lambda: td.Cylinder(name, length=2 * r, radius=r, density=300.0, **here),
        lambda: td.Capsule(name, length=2 * r, radius=r / 2, **here),
        lambda: td.Cone(name, height=3 * r, radius=r, **here),
        lambda: td.Torus(name, radius=2 * r, thickness=r / 3, **here),
        lambda: td.Box(name, size=(r, 2 * r, 3 * r), density=500.0, **here),
        lambda: td.Card(name, width=2 * r, height=3 * r, thickness=0.02, **here),
        lambda: td.Mesh(name, **TETRAHEDRON, mass=1.2, **here),
        lambda: td.Compound(name, shapes=parts, mass=1.5, **here),
        lambda: td.RigidBody(name, mass=1.1, inertia=(0.4, 0.5, 0.6, 0.05, -0.02, 0.03), **here),
    ]
    return makers[int(rng.integers(len(makers)))]()


def load_joint(rng: Random, world: td.World, joint: td.Item, coordinates: tuple[str, ...]) -> None:
    """Motors, springs, stops and friction on the free coordinates of a joint."""
    for coordinate in coordinates:
        x = getattr(joint, coordinate)
        target = td.number_path(
            keys=((0.0, 0.0), (0.4, 0.3), (1.0, -0.2)), style=pick(rng, "smooth", "natural", "linear")
        )
        forces: list[Callable[[], tuple[td.Item, ...]]] = [
            lambda x=x: (td.scalar_spring(x, stiffness=between(rng, 1, 20), rest=0.1, damping=0.2),),
            lambda x=x: (td.drive(x, speed=between(rng, -2, 2), gain=3.0, limit=between(rng, 1, 50)),),
            lambda x=x, target=target: (td.servo(x, target, stiffness=30.0, damping=3.0, limit=40.0),),
            lambda x=x: (td.friction(x, effort=0.5, width=0.05),),
            lambda x=x: td.within(x, -0.3, 0.4, restitution=pick(rng, 0.0, 0.5, 1.0)),
            lambda x=x: (td.speed(x, at=between(rng, -1, 1)),),
            lambda x=x: (td.acceleration(x, at=between(rng, -1, 1)),),
            lambda x=x, target=target: (td.equal(x, target, tau=0.2),),
            lambda: (),
        ]
        if x not in world:  # the turn of a screw came with it
            world.add(x)
        loads = pick(rng, *forces)()
        if loads:
            world.add(*loads)


SCALARS = {
    td.ball: (),
    td.pin: ("turn",),
    td.universal: ("bend", "swing"),
    td.cylindrical: ("slide", "turn"),
    td.prismatic: ("slide",),
    td.planar: ("turn",),
    td.on_axis: ("slide",),
    td.on_face: (),
    td.weld: (),
    td.screw: ("slide", "turn"),
}


def jointed(rng: Random, **chosen: Any) -> td.World:
    """A tree of bodies of all shapes and joints of all sorts, on the world."""
    world = td.World(**chosen)
    world.add(td.gravity(g=vector(rng, 3, 4)))
    bodies: list[td.Item] = []
    for k in range(int(rng.integers(3, 7))):
        place = np.array((0.7 * k, 0.0, 0.0)) + 0.2 * rng.normal(size=3)
        bodies.append(world.add(body(rng, f"body{k}", place)))
        parent = None if not k else pick(rng, bodies[k - 1], *bodies[:k])
        sort = pick(rng, *SCALARS)
        joint = td.join(
            sort, parent, bodies[k], at=tuple(place - (0.3, 0, 0)), axis=unit(rng), name=f"joint{k}"
        )
        world.add(joint)
        load_joint(rng, world, joint, SCALARS[sort])
    first, last = bodies[0], bodies[-1]
    world.add(td.torsion_spring(td.world_frame(), first, stiffness=2.0, damping=0.1))
    world.add(
        td.motor(first, last, speed=1.0, gain=0.1, axis=unit(rng)), td.spin_drag(last, coefficient=0.05)
    )
    world.add(td.twist(last, by=vector(rng, 3, 0.2)), td.twist_body(first, by=vector(rng, 3, 0.2)))
    tip = td.point(last, at=(0.1, 0, 0))
    world.add(td.push_body(tip, last, by=vector(rng)), td.drag(tip, coefficient=0.1))
    return world


@kind
def joints(rng: Random) -> td.World:
    return jointed(rng, **settings(rng))


@kind
def joints_by_rattle(rng: Random) -> td.World:
    return jointed(rng, **settings(rng, "rattle"))


@kind
def loop(rng: Random) -> td.World:
    """A closed ring of rods, hung at two places; redundant when it is planar."""
    world = td.World(**settings(rng))
    n = int(rng.integers(5, 13))
    turns = np.linspace(0, 2 * np.pi, n, endpoint=False)
    corners = [np.array((math.cos(a), 0.0, math.sin(a))) + 0.1 * rng.normal(size=3) for a in turns]
    rods = []
    for k, (a, b) in enumerate(zip(corners, [*corners[1:], corners[0]], strict=True)):
        along = (b - a) / math.dist(a, b)
        axis, half = np.cross((1, 0, 0), along), math.acos(max(-1.0, min(1.0, along[0]))) / 2
        axis = axis / max(1e-12, math.hypot(*axis))
        turn = (math.cos(half), *(float(x) for x in math.sin(half) * axis))
        rods.append(
            td.Rod(
                f"rod{k}", length=math.dist(a, b), position=tuple(map(float, (a + b) / 2)), orientation=turn
            )
        )
    world.add(*rods, td.gravity())
    for a, b in zip(rods, [*rods[1:], rods[0]], strict=True):
        world.add(td.connect(a.end2, b.end1))
    for k in (0, n // 2):
        world.add(td.connect(rods[k].end1, td.Nail(*map(float, corners[k]))))
    return world


@kind
def linkage(rng: Random) -> td.World:
    """Bodies of the plane: a chain of pins and sliders, gears, a rack, a closing rod."""
    world = td.World(**settings(rng))
    wheel, pinion = world.add(
        td.Disc("wheel", radius=0.4, spin=1.0), td.Disc("pinion", radius=0.2, position=(0.6, 0))
    )
    bar = world.add(
        td.PlanarRod("bar", length=1.0, position=(0.9, 0.4), angle=between(rng, -0.5, 0.5), density=2.0)
    )
    plate = world.add(td.Plate("plate", size=(0.4, 0.3), position=(1.6, 0.3), velocity=(0.2, 0)))
    shape = world.add(
        td.Polygon("shape", vertices=((0, 0), (0.5, 0), (0.6, 0.4), (0.1, 0.3)), position=(2.2, 0.1))
    )
    free = world.add(td.PlanarBody("free", mass=0.7, inertia=0.1, position=(-0.5, 0.5), spin=2.0))
    first = world.add(td.join(td.pin, None, wheel, at=(0, 0), name="first"))
    second = world.add(td.join(td.pin, None, pinion, at=(0.6, 0), name="second"))
    slide = world.add(
        td.join(td.prismatic, None, plate, at=plate.position, toward=unit(rng, 2), name="slide")
    )
    world.add(td.gear(first.turn, second.turn, ratio=-2.0), td.rack(slide.slide, first.turn, radius=0.4))
    world.add(
        td.join(td.pin, plate, shape, at=(1.8, 0.2)),
        td.connect(bar.end1, td.point(pinion, at=(0.1, 0.0)), tau=0.05),
    )
    world.add(td.spring(bar.end2, shape.corner3, stiffness=20.0, length=0.5, damping=0.3))
    world.add(
        pick(
            rng,
            td.join(td.on_axis, None, free, at=(-0.5, 0.5)),
            td.join(td.weld, wheel, free, at=(-0.2, 0.2)),
        )
    )
    world.add(
        td.angle(td.direction(free, along=(1, 0)), td.world_direction(along=unit(rng, 2)), at=1.0, tau=0.3)
    )
    world.add(td.scalar_spring(td.area_of(bar.end1, bar.end2, shape.corner1), stiffness=3.0, rest=0.2))
    world.add(
        pick(rng, td.drive(first.turn, speed=3.0, gain=2.0, limit=5.0), td.speed(first.turn, at=1.0)),
        td.gravity(),
    )
    return world


@kind
def contacts(rng: Random) -> td.World:
    """Stops that bounce, balls that roll, touch and slide."""
    world = td.World(**settings(rng, "rattle", "rattle", "runge_kutta", "adaptive"))
    floor, up = td.Nail(0, 0, 0), td.world_direction(along=(0, 0, 1))
    world.add(td.gravity())
    for k in range(int(rng.integers(2, 5))):
        ball = world.add(td.Particle(position=(k, 0, between(rng, 0.05, 0.6)), velocity=vector(rng)))
        world.add(td.at_least(td.component(ball, of=2), restitution=pick(rng, 0.0, 0.7, 1.0)))
        world.add(
            td.at_most(
                td.coordinate(ball, td.world_direction(along=(1, 0, 0))), high=k + 0.3, restitution=0.5
            )
        )
    roller = world.add(
        td.Sphere("roller", radius=0.3, position=(0, 2, 0.3), velocity=(1, 0.3, 0), spin=(0, 1, 2))
    )
    world.add(
        td.sphere_on_plane(roller.centre, floor, up, radius=0.3), td.roll(roller, floor, up, radius=0.3)
    )
    a, b = world.add(
        td.Sphere("a", radius=0.2, position=(0, 4, 1)), td.Sphere("b", radius=0.3, position=(0.5, 4, 1))
    )
    world.add(
        td.touch(a.centre, b.centre, radius_a=0.2, radius_b=0.3), td.on_plane(a.centre, td.Nail(0, 4, 1), up)
    )
    bead = world.add(td.Particle(position=(0, 5, 0), velocity=(0, 0, 1)))
    world.add(td.on_line(bead, td.Nail(0, 5, 0), td.world_direction(along=unit(rng))))
    return world


@kind
def driven(rng: Random) -> td.World:
    """What follows paths by keys and by formulas, directions too."""
    world = td.World(**settings(rng))
    rod, card, bead = world.add(
        td.Rod("rod"), td.Card("card", position=(0, 2, 0)), td.Particle("bead", position=(0, 0, 1))
    )
    style = pick(rng, "smooth", "natural", "linear")
    places = [
        (0.3 * k, *(x + y for x, y in zip((0.5, 0, 0), vector(rng, 3, 0.1 * k), strict=True)))
        for k in range(5)
    ]
    world.add(td.connect(rod.end2, td.path(keys=tuple(places), style=style)))
    world.add(td.follow(bead, "0.2*sin(3*t)", "0.1*t", "1 + w*t^2", w=0.1))
    world.add(td.connect(card.centre, td.moving("0.3*cos(2*t)", "2 + 0.1*t", "0.1*sin(t)")))
    ways = ((0.0, 1.0, 0.0, 0.0), (0.5, *unit(rng)), (1.0, *unit(rng)))
    world.add(td.align(td.direction(card, along=(1, 0, 0)), td.direction_path(keys=ways)))
    world.add(
        td.perpendicular(td.direction(rod, along=(1, 0, 0)), td.world_direction(along=unit(rng)), tau=0.3)
    )
    helper = world.add(td.RigidBody("helper", position=(0, 2, 1), spin=(0.1, 0.2, 0.3)))
    world.add(td.match(td.frame(card, at=(0, 0, 1)), helper, locked=pick(rng, "xyzabc", "xyab", "zc")))
    world.add(
        td.spring(rod.end1, td.between(td.point(helper), bead, share=0.4), stiffness=10.0), td.gravity()
    )
    return world


def pendulum(rng: Random, method: str) -> td.World:
    """A rod with a bob on a spring."""
    world = td.World(method=method, max_step=1 / 240, rtol=1e-8, atol=1e-10)
    rod, bob = world.add(
        td.Rod("rod", position=(0.5, 0, 0), spin=vector(rng)), td.Particle("bob", position=(1.6, 0, 0.1))
    )
    world.add(
        td.nail(rod.end1, at=(0, 0, 0)), td.spring(rod.end2, bob, stiffness=30.0, length=0.5), td.gravity()
    )
    return world


@kind
def outside(rng: Random) -> td.World:
    """By the methods of scipy."""
    return pendulum(rng, pick(rng, "lsoda", "dop853"))


@kind
def nonsquare(rng: Random) -> td.World:
    """By dense least squares, with DC88's orientation constraint."""
    world = pendulum(rng, "dense")
    world.add(td.orient(td.direction(world["rod"], along=(1, 0, 0)), td.world_direction(along=unit(rng))))
    return world


# --- curves, troids, models ---------------------------------------------------------------------
@kind
def drawing(rng: Random) -> td.World:
    """Curves with constraints between them, first order as a drawing is."""
    world = td.World(order=1, max_step=1 / 240)
    circle = world.add(td.Circle("circle", position=vector(rng, 2, 0.2), radius=1.0))
    ellipse = world.add(td.Ellipse("ellipse", position=(2.5, 0), radii=(0.9, 0.5), angle=between(rng, -1, 1)))
    line = world.add(td.Line("line", points=((-2, 1.3), (2, 1.5))))
    bow = world.add(td.Bezier("bow", points=((0, -2), (1, -1), (2, -2.5), (3, -2))))
    other = world.add(td.Circle("other", position=(-2.4, 0), radius=0.6))
    more = pick(
        rng,
        td.Arc("more"),
        td.Rectangle("more"),
        td.Spiral("more"),
        td.Superellipse("more"),
        td.BSpline("more"),
    )
    u, w, s, t = world.add(
        *[td.Variable(name, value=value) for name, value in zip("uwst", (1.5, 0.5, 0.0, 3.0), strict=True)]
    )
    world.add(td.tangential(circle, u, line, w), td.attach(circle, s, ellipse, t), more)
    world.add(
        td.lock(circle, "radius"), td.equal_length(bow, other), td.equal_radius(circle, other, name="alike")
    )
    world.add(td.held(td.area_within(ellipse), at=(1.5,)), td.held(td.length_of(line), at=(4.2,)))
    world.add(
        td.nail(td.curve_point(bow, u=0.0), at=(0, -2)),
        td.spring(td.curve_point(bow, u=1.0), td.Nail(3, 1), stiffness=2.0),
    )
    world.add(td.align(td.tangent(bow, u=0.0), td.world_direction(along=unit(rng, 2))))
    world.add(td.mirror_points(td.curve_point(circle, u=1.0), td.curve_point(more, u=0.2), line))
    return world


@kind
def wires(rng: Random) -> td.World:
    """Beads on curves that are typed in, in a world with inertia; a point on a surface; a helix and a ring in space."""
    world = td.World(**settings(rng, "rattle", "runge_kutta", "adaptive"))
    wire = td.typed_curve("u", "a*u^2 + b*cos(3*u)", span=(-2, 2), a=0.2, b=0.25, name="wire", density=3.0)
    u, bead = world.add(
        td.Variable("u", value=0.4, rate=0.5, mass=0.1), td.Particle("bead", position=(0.4, 0.12))
    )
    world.add(wire)
    world.add(td.lock(wire, "a"), td.lock(wire, "b"), td.on_curve(bead, wire, u), td.gravity(g=(0, 0, -5)))
    helix = world.add(td.Helix("helix", is_fixed=True), td.TiltedEllipse("ring", density=2.0))[0]
    v, other = world.add(td.Variable("v", value=0.3), td.Particle("other", position=vector(rng)))
    world.add(td.connect(td.slider(helix, v), other), td.spring(other, td.Nail(0, 0, 2), stiffness=5.0))
    hill = td.typed_surface(
        "u", "v", "h*u*v + 0.2*sin(u)", u=(-2, 2), v=(-2, 2), h=0.3, name="hill", is_fixed=True
    )
    world.add(hill)
    x, y, ball = world.add(td.Variable("x", value=0.2), td.Variable("y", rate=0.4), td.Particle("ball"))
    world.add(td.connect(td.surface_slider(hill, x, y), ball))
    return world


@kind
def troids(rng: Random) -> td.World:
    """Affine sheets and blocks, joined at corners, elastic."""
    world = td.World(**settings(rng, "rattle", "rattle", "energy_momentum", "runge_kutta"))
    stiff = between(rng, 5, 50)
    left = world.add(td.sheet("left", vertices=((0, 0), (1, 0), (1, 1), (0, 1))))
    right = world.add(
        td.Troid("right", mass=0.8, second_moment=(0.1,), position=(1.5, 0.5), velocity=vector(rng, 2))
    )
    cube = world.add(td.block("cube", **TETRAHEDRON, mass=2.0))
    for one in (left, right, cube):
        world.add(td.elastic(one, stiffness=stiff), td.shape_drag(one, coefficient=0.1))
    world.add(td.connect(td.point(left, at=(0.5, 0.5)), td.point(right, at=(-0.5, 0.5))))
    world.add(
        td.nail(td.point(left, at=(-0.5, 0.5)), at=(0, 1)), td.keep_volume(right, stiffness=5.0, size=1.1)
    )
    world.add(
        td.nail(td.point(cube), at=cube.position),
        td.spring(td.point(cube, at=(0.3, 0, 0)), td.Nail(2, 0, 0), stiffness=3.0),
    )
    world.add(td.gravity())
    return world


@kind
def model(rng: Random) -> td.World:
    """Unknowns that slide down a formula between bounds, or a fit of data."""
    if rng.random() < 0.5:
        x = np.linspace(-1, 1, 30)
        y = 1.5 * np.sin(2 * x) + 0.3 + 0.05 * rng.normal(size=30)
        return td.Fit("y = a*sin(b*x) + c", np.column_stack([x, y]), limit=0.2, a=1.0, b=1.5, c=0.0).world
    found = td.Model()
    for name in "abc":
        found.variable(name, between(rng, 0.5, 2), low=0.1, high=5.0, mass=between(rng, 0.2, 1))
    found.output("volume", "a*b*c")
    found.constrain("volume = wanted", wanted=between(rng, 1, 4))
    found.constrain("a + b <= 4")
    found.minimise("2*(a*b + b*c + c*a) + k*a^2", k=0.3)
    world: td.World = found.world
    return world


# --- types that a user makes --------------------------------------------------------------------
@td.lagrangian
def same_arm(length: float = 0.8, *, root: Any = (0.1, 0.2), arm: Any = 0.4, fore: Any = 1.1) -> Any:
    """Three particles of a two-link arm on a free root."""
    elbow = root + length * td.vec(td.cos(arm), td.sin(arm))
    return root, elbow, elbow + td.vec(td.cos(fore), td.sin(fore))


@td.curve(span=(0.0, 2 * math.pi))
def same_ring(
    u: Any, bulge: float = 0.3, *, a: Any = (1.0, 0.1), b: Any = (-0.2, 0.7), c: Any = (0.3, -0.4)
) -> Any:
    """An ellipse with a bulge."""
    return c + a * td.cos(u) + b * td.sin(u) + bulge * td.cos(2 * u) * a


@td.constraint
def same_on_sphere(p: td.Point, *, centre: td.Place = (0.0, 0.0, 0.0), radius: td.Number = 1.0) -> Any:
    """A point stays on a sphere."""
    return td.norm(p - centre) - radius


@td.behavior
def same_swirl(p: td.Point, *, strength: td.Number = 1.0) -> Any:
    """A force across the place, and a bowl."""
    return td.force(p, strength * td.cross(td.vec(0, 0, 1), p)), td.energy(td.dot(p, p) / 2)


@kind
def made(rng: Random) -> td.World:
    """A Lagrangian object, a curve, a constraint and a behavior that a user defined."""
    world = td.World(**settings(rng, "runge_kutta", "adaptive", "rattle"))
    arm = world.add(same_arm(arm=between(rng, -1, 1), fore=between(rng, -1, 1)))
    world.add(
        td.nail(td.particle_of(arm, index=0), at=(0.1, 0.2)),
        td.spring(td.particle_of(arm, index=2), td.Nail(1, 1), stiffness=8.0),
    )
    ring = world.add(same_ring(drag=0.1))
    world.add(td.nail(td.curve_point(ring, u=0.7), at=vector(rng, 2, 0.5), tau=0.2))
    ball = world.add(td.Particle("ball", position=unit(rng), velocity=vector(rng)))
    world.add(same_on_sphere(ball), same_swirl(ball, strength=between(rng, -1, 1)), td.gravity(g=(0, 0, -3)))
    return world
