"""Worlds at singular poses: chains and sheets with a straight edge between nails, Bricard's loop with one row
too many, and parallelograms that pass their flat pose."""

import itertools
import math

import numpy as np

import tinkerdyne as td

G = 9.81


def taut_chain(lengths, **settings):
    """Particles in a straight row between two nails, as far apart as the distances between them allow."""
    world = td.World(**settings)
    places = np.concatenate([[0.0], np.cumsum(lengths)])
    motes = [
        world.add(td.Particle(position=(x, 0.0, 0.0), is_fixed=x in (places[0], places[-1]))) for x in places
    ]
    for (a, b), length in zip(itertools.pairwise(motes), lengths, strict=True):
        world.add(td.distance(a, b, length=float(length)))
    world.add(td.gravity(g=(0.0, 0.0, -G)))
    return world


def loose_loop(count, *, span, **settings):
    """A zig-zag of rods between two nails that are `span` of its length apart: it falls, and whips."""
    world, slope = td.World(**settings), math.acos(span)
    rods = []
    for k in range(count):
        half = (slope if k % 2 else -slope) / 2
        place = span * (k + 0.5), 0.0, 0.3
        rods.append(td.Rod(f"rod{k}", position=place, orientation=(math.cos(half), 0, math.sin(half), 0)))
    world.add(*rods, td.gravity())
    first, last = td.Nail(0, 0, 0), td.Nail(span * count, 0, 0)
    world.add(td.connect(rods[0].end1, first), td.connect(rods[-1].end2, last))
    world.add(*[td.connect(a.end2, b.end1) for a, b in itertools.pairwise(rods)])
    return world


def sheet(n, *, size=0.1, tilt=0.3, diagonals=False, **settings):
    """n × n particles with rigid distances; two corners of one edge are fixed, so that it is taut."""
    world = td.World(**settings)
    down = np.array((0.0, np.sin(tilt), -np.cos(tilt)))
    motes = {
        (i, j): world.add(
            td.Particle(
                position=tuple(size * (i * np.array((1.0, 0.0, 0.0)) + j * down)),
                is_fixed=(i, j) in ((0, 0), (n - 1, 0)),
            )
        )
        for i in range(n)
        for j in range(n)
    }
    ways = ((1, 0), (0, 1), (1, 1)) if diagonals else ((1, 0), (0, 1))
    for (i, j), (a, b) in itertools.product(motes, ways):
        if (i + a, j + b) in motes:
            world.add(td.distance(motes[i, j], motes[i + a, j + b], length=float(size * np.hypot(a, b))))
    world.add(td.gravity(g=(0.0, 0.0, -G)))
    return world


CORNERS = np.array(((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)), float)
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))


def bricard(*, is_redundant=True, **settings):
    """Five rods and six pins: 30 rows of rank 29; without the redundant one where that is not wanted."""
    world, rods = td.World(**settings), []
    for k in range(5):
        along = np.abs(CORNERS[k + 1] - CORNERS[k])
        inertia = tuple(np.where(along > 0, 1e-4, 1 / 12))
        middle = tuple((CORNERS[k] + CORNERS[k + 1]) / 2)
        rods.append(world.add(td.RigidBody(f"rod {k}", mass=1.0, inertia=inertia, position=middle)))
    for k, (a, b) in enumerate(zip([None, *rods], rods, strict=False)):
        world.add(td.join(td.pin, a, b, at=tuple(CORNERS[k]), axis=AXES[k]))
    if is_redundant:
        world.add(td.join(td.pin, None, rods[-1], at=tuple(CORNERS[5]), axis=AXES[5]))
    else:
        world.add(td.join(td.ball, None, rods[-1], at=tuple(CORNERS[5])))
        across = td.direction(rods[-1], along=AXES[5])
        world.add(td.perpendicular(across, td.world_direction(along=(0.0, 1.0, 0.0))))
    world.add(td.gravity(g=(0.0, -G, 0.0)))
    return world, rods


def parallelograms(**settings):
    """Two four-bars in a row, upright and pushed at 1 m/s: they fall through the pose where all is flat."""
    world = td.World(**settings)
    up = [
        world.add(
            td.PlanarRod(
                f"up {k}", mass=1.0, position=(k, 0.5), angle=np.pi / 2, velocity=(0.5, 0.0), spin=-1.0
            )
        )
        for k in range(3)
    ]
    top = [
        world.add(td.PlanarRod(f"top {k}", mass=1.0, position=(k + 0.5, 1.0), velocity=(1.0, 0.0)))
        for k in range(2)
    ]
    for k, rod in enumerate(up):
        world.add(td.connect(rod.end1, td.Nail(k, 0.0)))
    for k, rod in enumerate(top):
        world.add(td.connect(up[k].end2, rod.end1), td.connect(rod.end2, up[k + 1].end2))
    world.add(td.gravity(g=(0.0, -G)))
    return world, up, top


def watched(world, seconds, every=0.05):
    """Run a world: the worst status, the largest change of its energy, and its widest gap."""
    before, drift, gap, said = world.energy, 0.0, 0.0, td.Status.DONE
    for _ in range(round(seconds / every)):
        status = world.run(every).status
        said = max(said, status, key=list(td.Status).index)
        drift, gap = max(drift, abs(world.energy - before)), max(gap, world.gap)
    return said, drift, gap
