"""Stops and their times: random collisions that are missed, Newton's cradle, and bounces.

`python -m benchmarks truth-impacts` takes some minutes: 10,000 collisions, each in a world of its own.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator

import numpy as np

import tinkerdyne as td
from tests.truth.collisions import collision, cradle, pool

from .bar import Bar, Line, Remark

G = 9.81
METHODS = ("rattle", "runge_kutta", "adaptive")
SHARES = {"rattle": 4000, "runge_kutta": 3000, "adaptive": 1000, "stormer": 2000}  # of the 10,000
RIGHT = 1e-6  # of the speed: places and velocities that are further off are wrong
FIRST = int(os.environ.get("SEED", "1000000"))  # of the seeds; the tests take those from 0


def _impacts(name: str) -> Iterator[Line]:
    missed, worst, wrong = 0, dict.fromkeys(SHARES, 0.0), list[str]()
    begin = time.process_time()
    seed = FIRST
    for method, count in SHARES.items():
        for _ in range(count):
            seed += 1
            case = collision(seed, method)
            if method == "stormer":  # in which nothing bounces
                is_wrong = case.is_missed()
            else:
                error = case.error()
                worst[method] = max(worst[method], error)
                is_wrong = not error < RIGHT
            missed += is_wrong
            wrong += [f"{method} {seed}"] * is_wrong
    yield Bar(name, f"missed or wrong of {sum(SHARES.values())} collisions", missed, "≤", 0)
    said = ", ".join(f"{method} {error:.1g}" for method, error in worst.items() if method != "stormer")
    yield Remark(name, f"seeds from {FIRST}; worst error by the speed: {said}; wrong: {wrong[:10] or 'none'}")
    yield Remark(name, f"{time.process_time() - begin:.0f} s of CPU")


def _pools(name: str) -> Iterator[Line]:
    gained = left = moved = 0.0
    for seed, method in itertools.product(range(FIRST, FIRST + 1000), METHODS):
        case = pool(seed, method)
        energy, momentum = case.world.kinetic_energy, case.momentum()
        case.world.step(1e-6)
        size = np.sqrt(2 * energy * max(ball.mass for ball in case.balls))
        gained = max(gained, case.world.kinetic_energy / energy - 1)
        moved = max(moved, float(np.abs(case.momentum() - momentum).max() / size))
        left = max(left, case.closing())
    yield Bar(name, "energy gained in 3,000 pools of touching balls", gained, "≤", 1e-9)
    yield Bar(name, "momentum lost", moved, "≤", 1e-9)
    yield Remark(name, f"a touching pair closes by {1e-6 * left:.1g} m in the step at most")


def _cradle(name: str) -> Iterator[Line]:
    quarter = 0.5 * np.pi * np.sqrt(0.5 / G)
    for method in METHODS:
        world, balls, _ = cradle(method)
        energy = world.kinetic_energy + world.potential_energy
        world.run(1.02 * quarter)
        speeds = np.array([ball.velocity[0] for ball in balls])
        error = float(np.abs(speeds[:-1]).max() / speeds[-1])
        yield Bar(name, f"of the last ball's speed that others have, {method}", error, "≤", 1e-6)
        world.run(20 * quarter)
        yield Remark(name, f"{method}: energy after eleven hits {world.energy - energy:+.1g} J")
    world = td.World()
    row = [world.add(td.Particle(position=(0.1 * k, 0.0))) for k in range(5)]
    row[0].velocity = (1.0, 0.0)
    for a, b in itertools.pairwise(row):
        world.add(td.at_least(td.distance_between(a, b), low=0.1, restitution=1.0))
    world.run(0.01)
    off = np.abs(np.array([ball.velocity[0] for ball in row]) - (0, 0, 0, 0, 1)).max()
    yield Bar(name, "off (0, 0, 0, 0, 1), free balls in a row", float(off), "≤", 1e-9)


def _bounces(name: str) -> Iterator[Line]:
    e, first = 0.8, np.sqrt(2 / G)
    for method in METHODS:
        off = 0.0
        for step in (1e-3, 1 / 240, 1 / 60):
            world, ball = _dropped(method, e, step)
            world.run(first * (1 + 2 * sum(e**k for k in range(1, 9)) + e**9))
            off = max(off, abs(ball.position[1] / e**18 - 1))
        yield Bar(name, f"off the height after nine bounces, {method}", off, "≤", 1e-3)
        world, ball = _dropped(method, 1.0, 1e-3)
        before = world.energy
        world.run(5.0)
        lost = abs(world.energy / before - 1)
        yield Bar(name, f"energy lost in 5 s, elastic, {method}", lost, "≤", 1e-6)


def _dropped(method: str, e: float, step: float) -> tuple[td.World, td.Item]:
    world = td.World(method=method, max_step=step)
    ball = world.add(td.Particle("ball", position=(0.0, 1.0)))
    world.add(td.at_least(td.component(ball, of=1), restitution=e), td.gravity(g=(0, -G)))
    return world, ball


MEASUREMENTS = {
    "truth-impacts": _impacts,
    "truth-pools": _pools,
    "truth-cradle": _cradle,
    "truth-bounces": _bounces,
}
