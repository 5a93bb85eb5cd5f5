"""The work that a method that chooses its own steps may do in one run."""

from __future__ import annotations

import math

MOST_STEPS = 10_000_000  # in one call; beyond, the caller should run in parts


class Budget:
    """Attempts at a step that such a run has: FREE of them, and as many as make the mean step SHORTEST_MEAN;
    and it ends where, at the pace of the last WINDOW of them, it would take MOST_STEPS. Who counts
    evaluations, some a step, has as many times more."""

    FREE = 50_000
    SHORTEST_MEAN = 1e-6  # s
    WINDOW = 20_000
    STANDSTILL = 1e-8  # s of the mean step: above, the pace is not asked for

    def __init__(self, start: float, end: float, a_step: int = 1) -> None:
        self._end = end
        self._left = a_step * (self.FREE + math.ceil((end - start) / self.SHORTEST_MEAN))
        self._window, self._since = 0, start

    def spend(self, attempts: int) -> int:
        """Take some, or what there is."""
        taken = min(attempts, self._left)
        self._left -= taken
        self._window += taken
        return taken

    def is_left(self, time: float) -> bool:
        """Whether it may go on, now that it has come to a time."""
        if self._window >= self.WINDOW:
            pace = (time - self._since) / self._window
            if pace < min(self.STANDSTILL, (self._end - time) / MOST_STEPS):
                return False
            self._window, self._since = 0, time
        return self._left > 0
