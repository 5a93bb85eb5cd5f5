"""How a world is doing: its speed, energies, freedoms and conflicts, reported a few times a second."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from tinkerdyne.model import layout as L
from tinkerdyne.solve.diagnose import Diagnosis
from tinkerdyne.studio.protocol import Conflict
from tinkerdyne.studio.protocol import Status as Report
from tinkerdyne.studio.view import View, same
from tinkerdyne.studio.words import quietly
from tinkerdyne.world import Result, Status, World

LARGEST_DIAGNOSIS = 1500  # rows; beyond, freedoms are not counted
WINDOW = 1.0  # s over which the speed is measured


class Health:
    """What is measured of a running world."""

    def __init__(self) -> None:
        self.simulated = 0.0  # s, in all
        self.result: Result | None = None
        self.work: deque[float] = deque(maxlen=10_000)  # s of CPU time of each frame: its steps, and making it
        self.shown: deque[float] = deque(maxlen=10_000)  # s, when each frame was made
        self.latencies: deque[float] = deque(maxlen=10_000)  # s from the receipt of a drag to the first state that shows it
        self._progress: deque[tuple[float, float]] = deque()  # (real time, simulated time)
        self._step_ms = 0.0
        self._freedoms = -1
        self._conflicts: tuple[Conflict, ...] = ()
        self._diagnosed: tuple[Any, ...] = ()

    def worked(self, seconds: float, now: float) -> None:
        """A frame was made, with this much work."""
        self.work.append(seconds)
        self.shown.append(now)
        self._step_ms += 0.1 * (1e3 * seconds - self._step_ms)

    def forget(self) -> None:
        """Another world."""
        self.result = None
        self._progress.clear()
        self._freedoms, self._conflicts, self._diagnosed = -1, (), ()

    def report(self, view: View, now: float, *, is_playing: bool, speed: float) -> Report:
        """The message to pages."""
        world = view.scene.world
        S = world._scalars
        numbers = [float(S[k]) for k in (L.S_TIME, L.S_KINETIC, L.S_ENERGY, L.S_GAP)]
        time, kinetic, potential, gap = (x if np.isfinite(x) else 0.0 for x in numbers)
        unmet = self.result.culprits if self.result is not None and self.result.status is Status.UNMET else ()
        known = {name for conflict in self._conflicts for name in conflict.names}
        open_ = (Conflict("unmet", unmet),) if unmet and not known >= set(unmet) else ()
        start = view.past.start
        return Report(
            time=time if view.shown is None else view.shown,
            is_playing=is_playing,
            speed=speed,
            real_speed=self._real_speed(now, is_playing),
            step_ms=self._step_ms,
            kinetic=kinetic,
            potential=potential,
            gap=gap,
            freedoms=self._freedoms,
            conflicts=(*self._conflicts, *open_),
            note="" if self.result is None or self.result.status is Status.DONE else str(self.result),
            start=time if start is None else start,
            end=time,
            is_past=view.shown is not None,
        )

    def _real_speed(self, now: float, is_playing: bool) -> float:
        if not is_playing:
            self._progress.clear()
            return 0.0
        self._progress.append((now, self.simulated))
        while len(self._progress) > 2 and not 0 <= now - self._progress[0][0] <= WINDOW:
            self._progress.popleft()
        (t0, s0), (t1, s1) = self._progress[0], self._progress[-1]
        return (s1 - s0) / (t1 - t0) if t1 > t0 else 0.0

    # --- freedoms --------------------------------------------------------------------------------
    def wants_diagnosis(self, view: View) -> bool:
        """Whether the structure or a parameter changed since the last one; beyond a size nothing is counted."""
        world = view.scene.world
        mark = (world, world._structure.rebuilds, *view.scene.mark())
        if same(mark, self._diagnosed):
            return False
        self._diagnosed = mark
        if int(world._structure.I[L.H_NR]) > LARGEST_DIAGNOSIS:
            self._freedoms, self._conflicts = -1, ()
            return False
        return True

    def diagnosed(self, found: Diagnosis) -> None:
        self._freedoms = found.freedoms
        self._conflicts = (
            *(Conflict("contradictory", names) for names in found.contradictory),
            *(Conflict("redundant", names) for names in found.redundant),
        )


def diagnosis(text: str) -> Diagnosis:
    """Of a copy of a world, so that the world itself goes on."""
    with quietly():
        return World.from_json(text).diagnose()
