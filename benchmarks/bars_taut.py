"""Singular but feasible poses: taut chains and sheets, Bricard's loop with a row too many, and parallelograms
that pass their flat pose.

Drift is the largest change of energy on the way, in % of what the scene could lose (weight times half its
height or span).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tinkerdyne as td

from .bar import Bar, Line, Measurement, Remark

G = 9.81
FRAME = 0.05  # s


def _chain(n: int, **settings: Any) -> tuple[td.World, float]:
    """n rods of 0.1 m in a straight row between two nails, and what it could lose [J]."""
    world = td.World(**settings)
    motes = [world.add(td.Particle(position=(0.1 * k, 0.0, 0.0), is_fixed=k in (0, n))) for k in range(n + 1)]
    world.add(*[td.distance(a, b, length=0.1) for a, b in itertools.pairwise(motes)])
    world.add(td.gravity(g=(0.0, 0.0, -G)))
    return world, n * G * 0.05 * n


def _sheet(
    n: int, *, tilt: float = 0.3, diagonals: bool = False, size: float = 0.1, **settings: Any
) -> tuple[td.World, float]:
    """n × n particles of 1 kg whose upper edge is taut between two nails, and what it could lose [J]."""
    world = td.World(**settings)
    down = np.array((0.0, np.sin(tilt), -np.cos(tilt)))
    places = {(i, j): size * (i * np.eye(3)[0] + j * down) for i in range(n) for j in range(n)}
    fixed = ((0, 0), (n - 1, 0))
    motes = {at: world.add(td.Particle(position=tuple(x), is_fixed=at in fixed)) for at, x in places.items()}
    ways = ((1, 0), (0, 1), (1, 1)) if diagonals else ((1, 0), (0, 1))
    for (i, j), (a, b) in itertools.product(motes, ways):
        if (i + a, j + b) in motes:
            world.add(td.distance(motes[i, j], motes[i + a, j + b], length=float(size * np.hypot(a, b))))
    world.add(td.gravity(g=(0.0, 0.0, -G)))
    return world, n * n * G * size * (n - 1) / 2


def _watched(world: td.World, seconds: float) -> tuple[float, float, td.Status]:
    """The largest change of energy [J], the widest gap [m], and the worst status."""
    before, drift, gap, said = world.energy, 0.0, 0.0, td.Status.DONE
    for _ in range(round(seconds / FRAME)):
        status = world.run(FRAME).status
        said = max(said, status, key=list(td.Status).index)
        drift, gap = max(drift, abs(world.energy - before)), max(gap, world.gap)
    return drift, gap, said


def _held(make: Callable[[], tuple[td.World, float]], seconds: float, most: float | None) -> Measurement:
    """Gap and drift of a scene; without a bar for the drift, it is only told."""

    def measure(name: str) -> Iterator[Line]:
        world, range_ = make()
        drift, gap, said = _watched(world, seconds)
        share = 100 * drift / range_
        yield Bar(name, "gap", gap, "≤", 1e-6, " m", said.name)
        if most is None:
            yield Remark(name, f"drift {share:.3g} % in {seconds:g} s")
        else:
            yield Bar(name, "drift", share, "≤", most, " %")

    return measure


MEASUREMENTS = {
    "truth-taut-chain": _held(lambda: _chain(50, max_step=1 / 240), 5.0, 0.1),
    "truth-taut-cloth": _held(lambda: _sheet(20, max_step=1 / 240), 5.0, 1.0),
    "truth-taut-net": _held(lambda: _sheet(10, tilt=np.pi / 2, max_step=1 / 240), 5.0, 2.0),
    "truth-taut-runge-kutta": _held(lambda: _sheet(8, max_step=1 / 240, method="runge_kutta"), 2.0, 1.0),
    "truth-taut-energy-momentum": _held(
        lambda: _sheet(8, max_step=1 / 240, method="energy_momentum"), 2.0, 1.0
    ),
    "truth-taut-adaptive": _held(lambda: _sheet(8, max_step=1 / 240, method="adaptive"), 1.0, 1.0),
    "truth-taut-diagonals-hung": _held(lambda: _sheet(10, diagonals=True, max_step=1 / 240), 5.0, None),
    "truth-taut-diagonals-flat": _held(
        lambda: _sheet(10, diagonals=True, tilt=np.pi / 2, max_step=1 / 240), 5.0, None
    ),
}
