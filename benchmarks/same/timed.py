"""The worlds on which two trees are timed: large chains, loops and nets, a linkage, and some random ones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import worlds

import tinkerdyne as td
from tinkerdyne import gallery


@dataclass(frozen=True)
class Timed:
    """A world, and what is one measurement of it: so many calls of `step`, each of so many steps."""

    build: Callable[[], td.World]
    steps: int
    calls: int = 1


def chain(count: int = 100) -> td.World:
    """Rods along x, hung at their first end."""
    world = td.World(max_step=1 / 240)
    rods = [td.Rod(f"rod{k}", position=(k + 0.5, 0, 0)) for k in range(count)]
    world.add(*rods, td.gravity(), td.connect(rods[0].end1, td.Nail(0, 0, 0)))
    world.add(*[td.connect(a.end2, b.end1) for a, b in itertools.pairwise(rods)])
    return world


def loop(count: int = 50) -> td.World:
    """A zig-zag of rods between two nails that are 0.8 of its length apart."""
    world = td.World(max_step=1 / 240)
    slope = math.acos(0.8)
    rods = []
    for k in range(count):
        turn = slope if k % 2 else -slope
        place = 0.8 * (k + 0.5), 0.0, 0.3
        rods.append(
            td.Rod(f"rod{k}", position=place, orientation=(math.cos(turn / 2), 0, math.sin(turn / 2), 0))
        )
    world.add(*rods, td.gravity())
    world.add(*[td.connect(a.end2, b.end1) for a, b in itertools.pairwise(rods)])
    world.add(
        td.connect(rods[0].end1, td.Nail(0, 0, 0)), td.connect(rods[-1].end2, td.Nail(0.8 * count, 0, 0))
    )
    return world


def net(count: int = 40) -> td.World:
    """A square net of particles, hung at opposite corners."""
    world = td.World(max_step=1 / 480)
    grid = {(i, j): td.Particle(position=(i, j, 0)) for i in range(count) for j in range(count)}
    world.add(*grid.values(), td.gravity())
    edges = [(a, b) for a in grid for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in grid]
    world.add(*[td.distance(grid[a], grid[b], length=1.0) for a, b in edges])
    world.add(*[td.nail(grid[k, k], at=(k, k, 0)) for k in (0, count - 1)])
    return world


TIMED = {
    "chain-100": Timed(chain, 600),
    "loop-50": Timed(loop, 600),
    "net-40": Timed(net, 40),
    "jansen": Timed(lambda: gallery.load("jansen").build(), 8000),
    "jansen, a step a call": Timed(lambda: gallery.load("jansen").build(), 1, calls=400),
    "structure_dragged": Timed(lambda: gallery.load("structure_dragged").build(), 150),
    "troid_flag": Timed(lambda: gallery.load("troid_flag").build(), 120),
    **{
        f"random {seed} {worlds.name_of(seed)}": Timed(lambda seed=seed: worlds.build(seed), steps)
        for seed, steps in ((4, 1000), (7, 6000), (11, 1500), (14, 8000))
    },
}
