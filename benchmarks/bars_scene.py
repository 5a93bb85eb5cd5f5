"""Scenes of the gallery as work: a chain that forms between two towers, and Jansen's linkage under its
motor."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tinkerdyne import gallery

from .bar import Bar, Line, Measurement, Remark
from .race import cpu

FRAME = 1 / 60  # s
REPEATS = 3


def _towers(name: str) -> Iterator[Line]:
    scene = gallery.load("towers_chain")
    best, gap, status = math.inf, math.nan, ""
    for _ in range(REPEATS):
        world = scene.build()
        taken = cpu(lambda w=world: w.run(scene.seconds))
        best, gap = min(best, taken), world.gap
        status = "finite" if math.isfinite(world.energy) else "not finite"
    yield Bar(name, "times faster than real time", scene.seconds / best, "≥", 1, "×")
    yield Bar(name, "gap at the end", gap, "≤", 1e-6, " m")
    yield Remark(name, f"100 links, {scene.seconds:g} s simulated in {best:.3g} s, {status}; τ = 0.5 s")


def _jansen(legs: int) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        scene = gallery.load("jansen")
        seconds, best, widest = 60.0, math.inf, 0.0
        for k in range(REPEATS):
            world = scene.build(legs=legs)
            if k == 0:  # once with a look at every frame, outside the measured time
                for _ in range(int(seconds / FRAME)):
                    result = world.step(FRAME)
                    widest = max(widest, world.gap) if result and math.isfinite(world.energy) else math.inf
                continue
            best = min(best, cpu(lambda w=world: w.run(seconds)))
        tolerance = world.settings["tolerance"]
        yield Bar(
            name, "times faster than real time", seconds / best, "≥", 20, "×", f"tolerance {tolerance:g}"
        )
        yield Bar(name, "widest gap in 60 s", widest, "≤", 1e-9, " m")
        how = f"method {world.settings['method']}, steps of {world.settings['max_step']:.3g} s"
        yield Remark(name, f"{len(world.items)} items, {how}")

    return measure


MEASUREMENTS: dict[str, Measurement] = {
    "scene-towers": _towers,
    "scene-jansen": _jansen(1),
    "scene-jansen-6": _jansen(6),
}
