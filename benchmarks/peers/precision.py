"""Work-precision: the CPU time a method needs for a given error of a pendulum's tip after 5 s."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .reference import TIPS
from .scene import Diverged, Place


@dataclass(frozen=True)
class Precision:
    """A method and how finely it may be asked: `solve(n_links, setting)` → (tip at 5 s, CPU seconds of the
    run).

    `settings` are steps in s or tolerances, coarse to fine; building the scene is not counted.
    """

    name: str
    coordinates: Literal["reduced", "maximal"]
    settings: tuple[float, ...]
    solve: Callable[[int, float], tuple[Place, float]]


@dataclass(frozen=True)
class Point:
    setting: float
    error: float  # m, of the tip
    cpu: float  # s


def sweep(method: Precision, n_links: int, *, error: float = 1e-6, budget: float = 20.0) -> list[Point]:
    """Refine until the tip is within `error` (m), or the next run would likely take over `budget` CPU
    seconds."""
    points: list[Point] = []
    for setting in method.settings:
        if len(points) > 1 and points[-1].cpu ** 2 / points[-2].cpu > budget:
            break
        try:
            tip, cpu = method.solve(n_links, setting)
            for _ in range(4 if cpu < 0.1 else 0):  # short runs: the least of five
                cpu = min(cpu, method.solve(n_links, setting)[1])
        except Diverged:  # too coarse
            continue
        points.append(Point(setting, math.dist(tip, TIPS[n_links]), cpu))
        if points[-1].error <= error:
            break
    return points


def cpu_at(points: list[Point], *, error: float = 1e-6) -> float:
    """CPU seconds at `error`, along the line through the last two points of a sweep in log–log.

    A sweep that stopped early is extrapolated by that line, at its own observed order.
    """
    (e0, t0), (e1, t1) = ((math.log(p.error), math.log(p.cpu)) for p in points[-2:])
    cpu = math.exp(t1 + (math.log(error) - e1) * (t1 - t0) / (e1 - e0))
    return min(cpu, points[-1].cpu) if points[-1].error <= error else cpu
