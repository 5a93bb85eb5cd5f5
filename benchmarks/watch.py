"""A run watched frame by frame: the energies, the worst gap, and the drift from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .peers.scene import Array, Diverged, Scene
from .race import cpu

FRAME = 1 / 60  # s between two looks


@dataclass(frozen=True)
class Watched:
    """What was seen at the start and after every frame."""

    energies: Array
    potentials: Array
    gap: float  # m, the worst seen
    cpu: float  # s, of stepping alone
    seconds: float  # simulated, less than asked for when it diverged or took too long
    end: str  # why it ended early, or ""

    @property
    def potential_range(self) -> float:
        """Joule"""
        return float(np.ptp(self.potentials))

    def drift(self, scale: float | None = None) -> float:
        """The worst energy error at any time, in percent of the potential range (of this run, unless `scale`
        is given)."""
        if not np.all(np.isfinite(self.energies)):
            return math.nan
        return float(100 * np.abs(self.energies - self.energies[0]).max() / (scale or self.potential_range))

    def last_drift(self) -> float:
        """The same at the end, with its sign."""
        return float(100 * (self.energies[-1] - self.energies[0]) / self.potential_range)


def watch(
    scene: Scene,
    *,
    seconds: float,
    steps_a_frame: int,
    frame: float = FRAME,
    budget: float = math.inf,
    each: Callable[[], object] | None = None,
) -> Watched:
    """Run a scene, looking at it after every frame; `budget` limits the CPU seconds of stepping."""
    energies, potentials = [scene.energy()], [scene.potential()]
    gap, spent, done, end = scene.gap(), 0.0, 0, ""
    for _ in range(round(seconds / frame)):
        try:
            spent += cpu(lambda: scene.step(steps_a_frame))
        except Diverged as problem:
            end = str(problem)
            break
        done += 1
        energies.append(scene.energy())
        potentials.append(scene.potential())
        gap = max(gap, scene.gap())
        if each is not None:
            each()
        if not math.isfinite(energies[-1]):
            end = "no longer finite"
            break
        if spent > budget:
            end = f"stopped after {spent:.0f} s of CPU"
            break
    return Watched(np.array(energies), np.array(potentials), gap, spent, done * frame, end)
