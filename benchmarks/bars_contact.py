"""Contact of whole worlds against closed forms: slopes, ways to stop, bounces, cradles, stacks and piles.
Nothing is set by scene but the step: 1/240 s, and once more 1 ms."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import tinkerdyne as td
from tinkerdyne.engine.contact.touching import TouchValues

from .bar import Bar, Line, Remark

G = 9.81
STEPS = (1 / 240, 1e-3)


def _floor(step: float, gravity: tuple[float, ...] = (0.0, 0.0, -G), **constants: float) -> td.World:
    world = td.World(max_step=step)
    world.add(td.gravity(gravity), td.contact(**constants), td.Floor("floor"))
    return world


def _slope(name: str) -> Iterator[Line]:
    for step in STEPS:
        for share, seconds in ((0.999, 60.0), (1.001, 5.0)):
            angle = np.arctan(0.5 * share)
            world = _floor(step, (G * np.sin(angle), 0.0, -G * np.cos(angle)))
            block = world.add(td.Box(size=(1.0, 1.0, 0.5), position=(0.0, 0.0, 0.25)))
            world.run(seconds)
            if share < 1:
                creep = 1e3 * float(np.linalg.norm(np.subtract(block.position, (0, 0, 0.25)))) / seconds
                yield Bar(
                    name, f"creep at .999 μ over {seconds:g} s, step {step:.4f}", creep, "≤", 1e-6, " mm/s"
                )
            else:
                want = G * (np.sin(angle) - 0.5 * np.cos(angle)) * seconds
                yield Bar(
                    name,
                    f"off the speed at 1.001 μ, step {step:.4f}",
                    abs(block.velocity[0] / want - 1),
                    "≤",
                    1e-3,
                )


def _stop(name: str) -> Iterator[Line]:
    for step in STEPS:
        ways, lift = [], 0.0
        for angle in 2 * np.pi * np.arange(16) / 16:
            world = _floor(step)
            speed = (6 * np.cos(angle), 6 * np.sin(angle), 0.0)
            block = world.add(td.Box(size=(1.0, 1.0, 0.2), position=(0.0, 0.0, 0.1), velocity=speed))
            for _ in range(15):
                world.run(0.1)
                lift = max(lift, block.position[2] - 0.1)
            ways.append(float(np.hypot(*block.position[:2])))
        want = 36 / (2 * 0.5 * G)
        yield Bar(
            name, f"off the way to stop, step {step:.4f}", max(abs(w / want - 1) for w in ways), "≤", 1e-3
        )
        yield Bar(name, f"differs by direction, step {step:.4f}", max(ways) / min(ways) - 1, "≤", 1e-6)
        yield Bar(name, f"lift, step {step:.4f}", lift, "≤", 1e-6, " m")


def _bounces(name: str) -> Iterator[Line]:
    for step in STEPS:
        for e, n, wanted in ((0.8, 3, 1e-3), (1.0, 20, 1e-6)):
            world = _floor(step, restitution=e)
            ball = world.add(td.Sphere(radius=0.1, position=(0.0, 0.0, 1.1)))
            first = np.sqrt(2 / G)
            world.run(first * (1 + 2 * sum(e**k for k in range(1, n)) + e**n))
            off = abs((ball.position[2] - 0.1) / e ** (2 * n) - 1)
            yield Bar(name, f"off apex {n} of e = {e:g}, step {step:.4f}", off, "≤", wanted)


def _cradle(name: str) -> Iterator[Line]:
    for step in STEPS:
        for masses, struck, want in (
            ((1,) * 5, 1, (0, 0, 0, 0, 1)),
            ((1,) * 5, 2, (0, 0, 0, 1, 1)),
            ((1, 2, 4), 1, (-1 / 3, -2 / 9, 4 / 9)),
        ):
            world = td.World(max_step=step)
            world.add(td.contact(restitution=1.0))
            balls = [
                world.add(
                    td.Sphere(
                        mass=m, radius=0.1, position=(0.2 * k - 0.1 * (k < struck), 0, 0),
                        velocity=(float(k < struck), 0, 0),
                    )
                )
                for k, m in enumerate(masses)
            ]  # fmt: skip
            world.run(0.15)
            off = max(abs(ball.velocity[0] - speed) for ball, speed in zip(balls, want, strict=True))
            yield Bar(
                name, f"off the speeds, masses {masses}, {struck} struck, step {step:.4f}", off, "≤", 1e-9
            )


def _stacks(name: str) -> Iterator[Line]:
    for step in STEPS:
        for title, masses in (("10", [1.0] * 10), ("30", [1.0] * 30), ("1000 kg on nine", [1.0] * 9 + [1e3])):
            world = _floor(step)
            boxes = [world.add(td.Box(mass=m, position=(0, 0, 0.5 + k))) for k, m in enumerate(masses)]
            begin = time.process_time()
            world.run(60.0)
            spent = time.process_time() - begin
            sunk = max(abs(box.position[2] - 0.5 - k) for k, box in enumerate(boxes))
            yield Bar(name, f"stack of {title}, sunk in 60 s, step {step:.4f}", sunk, "≤", 1e-6, " m")
            yield Bar(name, f"stack of {title}, kinetic energy", world.kinetic_energy, "≤", 1e-12, " J")
            yield Remark(name, f"stack of {title}: {1e6 * spent * step / 60:.0f} µs a step")


def pile(seed: int, side: int) -> td.World:
    """Boxes, balls, capsules and cylinders over a floor, turned at random."""
    random, world = np.random.default_rng(seed), _floor(1 / 240)
    for k, cell in enumerate(np.ndindex(side, side, side)):
        turn = random.normal(size=4)
        place = {
            "position": tuple(0.5 * np.array(cell) + (0, 0, 0.6) + random.normal(0, 0.03, 3)),
            "orientation": tuple(turn / np.linalg.norm(turn)),
            "density": 500.0,
        }
        a, b, c = random.uniform(0.15, 0.3, 3)
        kind = (td.Box, td.Sphere, td.Capsule, td.Cylinder)[k % 4]
        sizes = (
            {"size": (a, b, c)},
            {"radius": a / 2},
            {"radius": a / 3, "length": b},
            {"radius": a / 2, "length": b},
        )[k % 4]
        world.add(kind(**sizes, **place))
    return world


def _piles(name: str) -> Iterator[Line]:
    for side, seeds in ((3, range(5)), (4, range(2))):
        worst = deepest = gained = 0.0
        unsolved = steps = 0
        begin = time.process_time()
        for seed in seeds:
            world = pile(seed + 100, side)
            for _ in range(8):
                before = world.energy
                world.run(0.25)
                values = TouchValues(world.engine.contacts.arena.Y)
                worst, deepest = max(worst, values.residual), max(deepest, values.deepest)
                gained = max(gained, (world.energy - before) / before)
                steps += 60
            unsolved += world.engine.contacts.open()
        spent = time.process_time() - begin
        what = f"piles of {side**3}"
        yield Bar(name, f"{what}: largest residual left", worst, "≤", 1e-4, " m/s")
        yield Bar(name, f"{what}: deepest overlap", deepest, "≤", 1e-4, " m")
        yield Bar(name, f"{what}: energy gained in a quarter second", gained, "≤", 1e-12)
        yield Remark(name, f"{what}: {unsolved} solutions of {steps} steps above their own tolerance, "
                           f"{1e3 * spent / steps:.2f} ms a step")  # fmt: skip


MEASUREMENTS = {
    "contact-slope": _slope, "contact-stop": _stop, "contact-bounces": _bounces, "contact-cradle": _cradle,
    "contact-stacks": _stacks, "contact-piles": _piles,
}  # fmt: skip
