"""Chains of light rods that carry a heavy bob, and how far the forces in their joints are off."""

from __future__ import annotations

from typing import Any

import numpy as np

import tinkerdyne as td

SPAN, LOOKS = 0.5, 5  # s, and times at which forces are compared


def build(seed: int, **settings: Any) -> tuple[td.World, list[Any]]:
    """One to three rods, some of them straight under each other, that swing; and their joints."""
    draw = np.random.default_rng(seed)
    world, joints = td.World(**settings), []
    last, place, angle = td.Nail(0, 0), np.zeros(2), 0.0
    count, ratio = int(draw.integers(1, 4)), 10 ** draw.uniform(0, 6)
    for k in range(count):
        bent = -np.pi / 2 + draw.uniform(-1.2, 1.2)
        angle = bent if k == 0 or draw.random() < 0.5 else angle
        length = float(draw.uniform(0.2, 1))
        half = length / 2 * np.array([np.cos(angle), np.sin(angle)])
        rod = td.PlanarRod(f"rod{k}", length=length, mass=1 / ratio, position=place + half, angle=angle)
        world.add(rod)
        joints.append(world.add(td.connect(rod.end1, last)))
        last, place = rod.end2, place + 2 * half
    bob = world.add(td.Particle("bob", mass=1.0, position=place))
    joints.append(world.add(td.connect(bob, last)))
    world.add(td.gravity())
    return world, joints


def force_error(seed: int, **settings: Any) -> tuple[float, td.Result]:
    """(the largest error of a joint's force, as a share of the largest force; what the run said)."""
    (one, ours), (other, exact) = (
        build(seed, **settings),
        build(seed, method="adaptive", rtol=1e-9, atol=1e-11),
    )
    worst = 0.0
    for _ in range(LOOKS):
        result = one.run(SPAN / LOOKS)
        if not other.run(SPAN / LOOKS):
            raise ArithmeticError("the reference failed")
        forces = np.array([(a.force, b.force) for a, b in zip(ours, exact, strict=True)])
        size = max(5.0, float(np.abs(forces[:, 1]).max()))
        worst = max(worst, float(np.abs(forces[:, 0] - forces[:, 1]).max()) / size)
    return worst, result
