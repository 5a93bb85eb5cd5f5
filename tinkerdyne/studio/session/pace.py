"""The pace of a session: the steps of one tick of real time, as many as fit into its budget; the rest comes
next."""

from __future__ import annotations

from collections.abc import Callable

from tinkerdyne.world.world import World

BUDGET = 1 / 30  # s of work after which commands are heard, whether the step is complete or not


class Pace:
    """What is left of a tick, and what a step of the engine costs.

    The engine's steps are equally long however a tick is divided, so that the motion does not depend on the
    clock.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._cost = 0.0  # s of work of one step of the engine, smoothed
        self._h, self._left = 0.0, 0  # s of the engine's steps of this tick, and how many are to be taken

    def begin_anew(self) -> None:
        """The next tick is another one."""
        self._left = 0

    def forget(self) -> None:
        """Another world, whose steps have another cost."""
        self._cost, self._left = 0.0, 0

    def tick(
        self, world: World, span: float, step: Callable[[float], None], goes_on: Callable[[], bool]
    ) -> None:
        """Let a world step through a span of time, or through what was left of the last one."""
        begin = self._clock()
        if not self._left:
            self._left = world.clock.parts(span)
            self._h = span / self._left
            if 0 < self._cost * self._left < BUDGET / 2:
                self._timed(step, span, self._left)
        while self._left and goes_on():
            self._timed(step, self._h, 1)
            if not 0 <= self._clock() - begin < BUDGET:
                break

    def _timed(self, step: Callable[[float], None], dt: float, count: int) -> None:
        """A step of so many of the engine's, and what one of them costs."""
        mark = self._clock()
        self._left -= count
        step(dt)
        cost = max(0.0, self._clock() - mark) / count
        self._cost = cost if self._cost == 0 else 0.8 * self._cost + 0.2 * cost
