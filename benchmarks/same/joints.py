"""Random worlds of joints: trees of bodies of all shapes, loops of rods, linkages of the plane."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from kinds import TETRAHEDRON, Random, between, kind, pick, settings, unit, vector

import tinkerdyne as td


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
