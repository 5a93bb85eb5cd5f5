"""Checkpoints: moments of a world by name, to which it can go back. The first is its start."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from tinkerdyne.engine.snapshot import Snapshot
from tinkerdyne.studio.wire import protocol
from tinkerdyne.world.world import World

START = 0  # the number of the start
MOST = 50


class Checkpoint(NamedTuple):
    """A moment with its name."""

    number: int
    name: str
    shot: Snapshot


class Checkpoints:
    """Those of one world. The start is the state before time first went on; what came later has there the
    state that it came with."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.start = world.history.snapshot()
        self._rebuilds = -1
        self._kept: dict[int, Checkpoint] = {}
        self._last = START

    def goes_on(self) -> None:
        """Time is about to go on."""
        world = self.world
        if world.time == self.start.time:
            self.start = world.history.snapshot()
        elif world.engine.rebuilds != self._rebuilds:
            self._rebuilds = world.engine.rebuilds
            now, known = world.history.snapshot().state_of_each(), self.start.state_of_each()
            late = {key: state for key, state in now.items() if key not in known}
            if late:
                self.start = replace(self.start, later={**self.start.later, **late})

    def keep(self, name: str) -> int:
        """Keep the present moment; its number."""
        if len(self._kept) >= MOST:
            raise ValueError(f"{MOST} checkpoints at most are kept; forget one first")
        self._last += 1
        shot = self.world.history.snapshot()
        self._kept[self._last] = Checkpoint(self._last, name or f"checkpoint {self._last}", shot)
        return self._last

    def rename(self, number: int, name: str) -> None:
        self._kept[number] = self._found(number)._replace(name=name)

    def forget(self, number: int) -> None:
        self._found(number)
        del self._kept[number]

    def go_to(self, number: int) -> None:
        """Make that moment the present; undo comes back from there."""
        self.world.history.travel(self.start if number == START else self._found(number).shot)

    def _found(self, number: int) -> Checkpoint:
        if number not in self._kept:
            raise ValueError(f"there is no checkpoint {number} (any more)")
        return self._kept[number]

    @property
    def told(self) -> tuple[protocol.Checkpoint, ...]:
        """As pages are told of them, the start first."""
        start = protocol.Checkpoint(START, "start", self.start.time)
        kept = (protocol.Checkpoint(one.number, one.name, one.shot.time) for one in self._kept.values())
        return (start, *kept)
