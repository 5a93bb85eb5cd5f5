"""Worlds whose constraints cannot all be met: random nails and distances on bodies, chains and particles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tinkerdyne as td

METHODS = ("rattle", "energy_momentum", "runge_kutta", "stormer")


def box_between_nails(**settings: Any) -> td.World:
    """A box of 1 kg from rest between two nails that are 2 m too far apart."""
    world = td.World(**settings)
    box = world.add(td.Box("box", size=(1, 0.6, 0.4), mass=1.0))
    world.add(td.nail(td.point(box, at=(-0.5, 0, 0)), at=(-0.5, 0, 0)))
    world.add(td.nail(td.point(box, at=(0.5, 0.3, 0.2)), at=(2.5, 0.3, 0.2)))
    return world


def nailed_body(draw: Any, world: td.World) -> None:
    """A body with two to four nails anywhere."""
    body = world.add(td.Box("body", size=tuple(draw.uniform(0.2, 1.5, 3)), mass=draw.uniform(0.2, 3)))
    for _ in range(draw.integers(2, 5)):
        here = td.point(body, at=tuple(draw.normal(size=3) / 2))
        world.add(td.nail(here, at=tuple(1.5 * draw.normal(size=3))))


def stretched_chain(draw: Any, world: td.World) -> None:
    """A chain of rods between nails that are further apart than it is long."""
    count = int(draw.integers(2, 6))
    last = td.Nail(0, 0, 0)
    for k in range(count):
        rod = world.add(td.Rod(f"rod{k}", position=(k + 0.5, 0, 0)))
        world.add(td.connect(last, rod.end1))
        last = rod.end2
    world.add(td.connect(last, td.Nail(count + draw.uniform(0.2, 3), draw.normal(), draw.normal())))


def impossible_lengths(draw: Any, world: td.World) -> None:
    """Particles, all pairs of which have a length of their own."""
    count = int(draw.integers(3, 6))
    parts = [
        world.add(td.Particle(f"p{k}", position=tuple(draw.normal(size=3)), mass=float(draw.uniform(0.2, 3))))
        for k in range(count)
    ]
    for i in range(count):
        for j in range(i):
            world.add(td.distance(parts[i], parts[j], length=float(10 ** draw.uniform(-1, 0.7))))
    world.add(td.nail(parts[0], at=(0, 0, 0)))


def tied_plates(draw: Any, world: td.World) -> None:
    """Two plates of the plane, pinned to each other, with nails and strings."""
    plates = [world.add(td.Plate(f"plate{k}", position=(2.0 * k, 0.0))) for k in range(2)]
    ends = [td.point(plate, at=tuple(draw.normal(size=2) / 2)) for plate in plates]
    world.add(td.connect(*ends))
    for plate in plates:
        for _ in range(2):
            here, there = td.point(plate, at=tuple(draw.normal(size=2) / 2)), draw.normal(size=2)
            if draw.random() < 0.5:
                world.add(td.nail(here, at=tuple(2 * there)))
            else:
                world.add(td.distance(here, td.Nail(*(3 * there)), length=float(draw.uniform(0.1, 1))))


KINDS: tuple[Callable[[Any, td.World], None], ...] = (
    nailed_body,
    stretched_chain,
    impossible_lengths,
    tied_plates,
)


def random_contradiction(seed: int, **settings: Any) -> td.World:
    """A world of the kind that the seed says, with gravity or without."""
    draw = np.random.default_rng(seed)
    world = td.World(**settings)
    if draw.random() < 0.5:
        world.add(td.gravity())
    KINDS[seed % len(KINDS)](draw, world)
    return world


def gained(world: td.World, seconds: float, every: float = 0.1) -> float:
    """How much the energy rises once the approach is over, after a quarter of the time, as a share of the
    energy that was turned over till then."""
    energies = [world.energy]
    for _ in range(round(seconds / every)):
        assert world.run(every)
        energies.append(world.energy)
    first = len(energies) // 4
    early, late = energies[:first], energies[first:]
    turned = max(early) - min(energies)
    return float(max(0.0, max(late) - max(early)) / max(turned, 1e-9))


def peak(world: td.World, seconds: float, every: float = 0.05) -> float:
    """How far the energy rises on the way to a compromise [J]: what approaches put in, and no more."""
    energies = [world.energy]
    for _ in range(round(seconds / every)):
        assert world.run(every)
        energies.append(world.energy)
    return max(energies) - energies[0]
