"""Work-precision: CPU time to bring a pendulum's tip within 1e-6 m of the reference after 5 s."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from . import ours
from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured, needed
from .peers.precision import Point, Precision, cpu_at, sweep
from .peers.reference import SPAN
from .peers.scene import Diverged, Place
from .race import cpu, least

BUDGET = 5.0  # CPU s of the longest single run; beyond, the sweep is extrapolated at its own order
RETIMED = 0.2  # CPU s: runs up to here are timed again, all methods taking turns
REPEATS = 15
WITH_METHODS = ("mujoco", "exudyn", "pin")
Build = Callable[[float], ours.Pendulum]  # from a tolerance
TOLERANCES = tuple(10.0**-k for k in range(4, 14))


def _ours(name: str, coordinates: Literal["reduced", "maximal"], build: Build) -> Precision:
    def solve(_: int, tolerance: float) -> tuple[Place, float]:
        world, tip = build(tolerance)
        world.step(1e-9)  # indexing the world is not counted, as building a peer's scene is not
        spent = cpu(lambda: world.step(SPAN - 1e-9))
        if not math.isfinite(world.energy):
            raise Diverged("the world stopped being finite")
        return tip(), spent

    return Precision(name, coordinates, TOLERANCES, solve)


def _timed(methods: list[Precision], count: int) -> dict[str, list[Point]]:
    """Sweep each method, then time the last two points of all of them again, taking turns."""
    sweeps = {method.name: sweep(method, count, budget=BUDGET) for method in methods}
    calls: dict[str, Callable[[], float]] = {}
    for method in methods:
        for k, point in enumerate(sweeps[method.name][-2:]):
            if point.cpu < RETIMED:
                calls[f"{method.name}/{k}"] = lambda m=method, p=point: m.solve(count, p.setting)[1]
    again = least(calls, repeats=REPEATS)
    for name, points in sweeps.items():
        points[-2:] = [
            replace(p, cpu=min(p.cpu, again.get(f"{name}/{k}", p.cpu))) for k, p in enumerate(points[-2:])
        ]
    return sweeps


def _needed_cpu(points: list[Point]) -> float:
    """CPU seconds at 1e-6 m; not a number when a method never got near."""
    if len(points) == 1 and points[0].error <= 1e-6:
        return points[0].cpu
    if len(points) < 2 or not points[-1].error < points[-2].error:
        return math.nan
    return cpu_at(points)


def _bar(name: str, what: str, theirs: float, wanted: float, mine: dict[str, float]) -> Bar:
    """In maximal coordinates, unless only the Lagrangian object clears the bar."""
    bar = Bar(name, what, theirs / mine["maximal"], "≥", wanted, "×")
    hybrid = Bar(name, what, theirs / mine["reduced"], "≥", wanted, "×")
    if hybrid.holds and not bar.holds:
        return replace(hybrid, remark=f"as a Lagrangian object; {bar.value:.3g}× in maximal coordinates")
    return bar


def _measurement(count: int, maximal: Build, hybrid: Build) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        mine = [_ours("ours, maximal", "maximal", maximal), _ours("ours, Lagrangian", "reduced", hybrid)]
        theirs: list[Precision] = []
        missing: list[str] = []
        for package in WITH_METHODS:
            try:
                theirs += needed(package).PRECISION
            except Missing as reason:
                missing.append(str(reason))
        sweeps = _timed(mine + theirs, count)
        spent = {method: _needed_cpu(points) for method, points in sweeps.items()}
        own = {method.coordinates: spent[method.name] for method in mine}
        for kind, wanted in (("maximal", 30.0), ("reduced", 1.0)):
            known = {
                m.name: spent[m.name]
                for m in theirs
                if m.coordinates == kind and math.isfinite(spent[m.name])
            }
            if known:
                best = min(known, key=lambda which: known[which])
                yield _bar(name, f"speed against {best}", known[best], wanted, own)
            else:
                yield Unmeasured(
                    name, f"speed against {kind}-coordinate peers", "; ".join(missing) or "none got near"
                )
        for method in mine + theirs:
            last = sweeps[method.name][-1] if sweeps[method.name] else Point(0, math.nan, math.nan)
            reached = (
                "" if last.error <= 1e-6 else f" (extrapolated from {last.error:.2g} m in {last.cpu:.3g} s)"
            )
            yield Remark(name, f"{method.name}: {1e3 * spent[method.name]:.4g} ms to 1e-6 m{reached}")

    return measure


MEASUREMENTS = {
    "precision-double": _measurement(2, ours.double_of_particles, ours.double_of_angles),
    "precision-10": _measurement(10, ours.ten_of_bodies, ours.ten_of_angles),
}
