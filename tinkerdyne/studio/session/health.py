"""How a world is doing: its speed, energies, freedoms and conflicts, reported a few times a second."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

import numpy as np

from tinkerdyne.engine.diagnose import Diagnosis
from tinkerdyne.studio.session.conflicts import Conflicts, diagnosis_together
from tinkerdyne.studio.session.messages import quietly
from tinkerdyne.studio.session.view import PageView, same
from tinkerdyne.studio.wire.protocol import Status as Report
from tinkerdyne.world.results import Result, Status
from tinkerdyne.world.world import World

LARGEST_DIAGNOSIS = 1500  # rows; beyond, freedoms are not counted
WINDOW = 1.0  # s over which the speed is measured


class Health:
    """What is measured of a running world."""

    def __init__(self) -> None:
        self.simulated = 0.0  # s, in all
        self.result: Result | None = None
        # s of CPU time of each frame: its steps, and making it
        self.work: deque[float] = deque(maxlen=10_000)
        self.shown: deque[float] = deque(maxlen=10_000)  # s, when each frame was made
        # s from the receipt of a drag to the first state that shows it
        self.latencies: deque[float] = deque(maxlen=10_000)
        self._progress: deque[tuple[float, float]] = deque()  # (real time, simulated time)
        self._step_ms = 0.0
        self._freedoms = -1
        self._conflicts = Conflicts()
        self._diagnosed: tuple[object, ...] = ()
        self._is_diagnosing = False

    def worked(self, seconds: float, now: float) -> None:
        """A frame was made, with this much work."""
        self.work.append(seconds)
        self.shown.append(now)
        self._step_ms += 0.1 * (1e3 * seconds - self._step_ms)

    def forget(self) -> None:
        """Another world."""
        self.result = None
        self._progress.clear()
        self._freedoms, self._conflicts, self._diagnosed = -1, Conflicts(), ()

    def report(
        self, view: PageView, now: float, *, is_playing: bool, speed: float, hands: Collection[str] = ()
    ) -> Report:
        """The message to pages; `hands` are the items that hands are made of: what these cannot reach is no
        fault of the world."""
        world = view.scene.world
        numbers = list(view.numbers)
        moment = None if view.shown is None else view.past.at(view.shown)
        if moment is not None:
            numbers[1:] = moment.numbers
        time, kinetic, potential, gap = (x if np.isfinite(x) else 0.0 for x in numbers)
        start = view.past.start
        result = self.result
        if result is not None and not set(hands).isdisjoint(result.culprits):
            result = None
        accuracy = None if self.result is None else self.result.accuracy
        error = None if accuracy is None else accuracy.error
        return Report(
            time=time if view.shown is None else view.shown,
            is_playing=is_playing,
            speed=speed,
            real_speed=self._real_speed(now, is_playing),
            step_ms=self._step_ms,
            kinetic=kinetic,
            potential=potential,
            gap=gap,
            freedoms=-1 if view.is_other else self._freedoms,
            conflicts=() if view.is_other else self._conflicts.shown(world, result, is_playing=is_playing),
            note="" if result is None or result.status is Status.DONE else str(result),
            error=-1.0 if error is None or view.shown is not None else error,
            accuracy="" if accuracy is None else str(accuracy),
            is_inaccurate=result is not None and result.status is Status.INACCURATE,
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
    def wants_diagnosis(self, view: PageView) -> bool:
        """Whether the structure or a parameter changed since the last one, or it was not sure; beyond a size
        nothing is counted."""
        world = view.scene.world
        mark = (world, world.engine.rebuilds, *view.scene.mark())
        if self._is_diagnosing or (same(mark, self._diagnosed) and not self._conflicts.are_uncertain):
            return False
        self._diagnosed = mark
        if world.engine.overview.rows > LARGEST_DIAGNOSIS:
            self._freedoms = -1
            self._conflicts.diagnosed(None)
            return False
        self._is_diagnosing = True
        return True

    def diagnosed(self, found: Diagnosis | None) -> None:
        """What a diagnosis found; nothing where it failed."""
        self._is_diagnosing = False
        self._freedoms = -1 if found is None else found.freedoms
        self._conflicts.diagnosed(found)


def diagnosis(text: str) -> Diagnosis:
    """Of a copy of a world, so that the world itself goes on; parts that are only apart contradict
    nothing."""
    with quietly():
        return diagnosis_together(World.from_json(text))
