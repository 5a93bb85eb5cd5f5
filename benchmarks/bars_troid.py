"""Worlds of troids: two hundred patches with their seams, the constraint matrix factored once (ID90 §5.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import tinkerdyne as td

from .bar import Bar, Line, Measurement, Remark
from .race import cpu

WIDE, HIGH = 20, 10
DT, STEPS, REPEATS = 1 / 240, 120, 5


def flag() -> tuple[td.World, int]:
    """Patches joined at their corners, hung on nails along the top; and the number of scalar constraints."""
    world = td.World(max_step=DT)
    world.add(td.gravity(g=(0.0, -9.81)))
    patch = {}
    for i, j in np.ndindex(WIDE, HIGH):
        patch[i, j] = world.add(td.Troid(f"{i}-{j}", mass=0.1, second_moment=(0.1 / 12,), position=(i, j)))
    rows = 0
    for (i, j), one in patch.items():
        joints = [((i + 1, j), (0.5, 0.5), (-0.5, 0.5)), ((i, j + 1), (-0.5, 0.5), (-0.5, -0.5))]
        for other, here, there in joints:
            if other in patch:
                world.add(td.connect(td.point(one, at=here), td.point(patch[other], at=there)))
                rows += 2
        if j == HIGH - 1:
            world.add(td.nail(td.point(one, at=(-0.5, 0.5)), at=(i - 0.5, j + 0.5)))
            rows += 2
    return world, rows


def _measure(name: str) -> Iterator[Line]:
    best = {"once": math.inf, "each step": math.inf}
    ends = {}
    factorings = {}
    for _ in range(REPEATS):
        for how in best:
            world, rows = flag()
            world.step(DT)
            if how == "each step":
                world.engine.arena.index.is_constant = 0  # as if the matrix were not known to be constant
            before = world.counts["factorings"]
            best[how] = min(best[how], cpu(lambda w=world: w.step(STEPS * DT)))
            factorings[how] = world.counts["factorings"] - before
            ends[how] = np.array([world[f"{i}-{j}"].position for i in range(WIDE) for j in range(HIGH)])
    yield Bar(name, "times faster than with refactoring", best["each step"] / best["once"], "≥", 1.5, "×")
    yield Bar(
        name,
        "difference of the two results",
        float(np.abs(ends["once"] - ends["each step"]).max()),
        "≤",
        1e-12,
        " m",
    )
    yield Bar(name, "times faster than real time", STEPS * DT / best["once"], "≥", 10, "×")
    yield Bar(name, "scalar constraints", rows, "≥", 600)
    yield Remark(
        name,
        f"{WIDE * HIGH} troids; factorings in {STEPS} steps: {factorings['once']} and "
        f"{factorings['each step']}",
    )


MEASUREMENTS: dict[str, Measurement] = {"troid-flag": _measure}
