"""Random worlds of particles and single bodies: strings, nets, hubs, contacts, paths, other methods."""

from __future__ import annotations

import itertools
import math

import numpy as np
from kinds import Random, between, kind, pick, settings, unit, vector

import tinkerdyne as td


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
