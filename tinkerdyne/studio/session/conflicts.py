"""Conflicts: groups of constraints that really cannot be met, told apart from joints that are still closing.

A diagnosis looks at one pose, and far from the closed one its linear algebra may see a contradiction that is
none. So a group is suspected at first; it is a conflict when its widest gap has not shrunk for a while, and
none any more when that gap has closed. Of a world that is paused, parts of a copy are put together until that
gap shrinks no more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tinkerdyne.engine.diagnose import Diagnosis
from tinkerdyne.studio.wire.protocol import Conflict
from tinkerdyne.world.results import Result, Status
from tinkerdyne.world.world import World

# s of the world's time in which a gap that is closing shrinks: an approach with the usual τ falls to a tenth
STUCK = 0.4
SHRUNK = 0.9  # of the smallest gap so far: less has shrunk
CLOSED = 0.1  # of the gap of a conflict: below, it is none
OPEN = ("",)  # the group of all that the last step left open
ROUNDS = 20  # of putting parts together: a chain of a hundred that lie scattered takes four


@dataclass
class Suspicion:
    """How the widest gap of a group goes on."""

    least: float  # [SI], the smallest so far
    since: float  # s, when it was reached
    is_stuck: bool = False

    def sees(self, gap: float, now: float) -> None:
        if gap < (CLOSED if self.is_stuck else SHRUNK) * self.least or now < self.since:
            self.least, self.since, self.is_stuck = gap, now, False
        self.is_stuck = self.is_stuck or now - self.since >= STUCK


class Conflicts:
    """What a diagnosis suspects, and what the running world shows of it."""

    def __init__(self) -> None:
        self._found: tuple[Conflict, ...] = ()
        self._redundant: tuple[Conflict, ...] = ()
        self._suspicions: dict[tuple[str, ...], Suspicion] = {}
        self._is_playing = False

    def diagnosed(self, found: Diagnosis | None) -> None:
        self._found = (
            () if found is None else tuple(Conflict("contradictory", names) for names in found.contradictory)
        )
        self._redundant = (
            () if found is None else tuple(Conflict("redundant", names) for names in found.redundant)
        )

    @property
    def are_uncertain(self) -> bool:
        """Whether a group may yet turn out to be closing: then it is worth another diagnosis."""
        return self._is_playing and not all(self._is_sure(c.names) for c in self._found)

    def _is_sure(self, names: tuple[str, ...]) -> bool:
        found = self._suspicions.get(names)
        return found is not None and found.is_stuck

    def shown(self, world: World, result: Result | None, *, is_playing: bool) -> tuple[Conflict, ...]:
        """Those to be told now; a world that is paused is believed to stay as its diagnosis says."""
        self._is_playing = is_playing
        is_unmet = result is not None and result.status is Status.UNMET
        culprits = result.culprits if result is not None and is_unmet else ()
        # Without an unmet constraint all follow their approach r(t), however slow; feedback has no such
        # reference.
        is_following = is_playing and bool(result) and not is_unmet and world.settings["feedback"] == "none"
        watched = {c.names: c.names for c in self._found} | ({OPEN: culprits} if culprits else {})
        known = {} if is_following else self._suspicions
        self._suspicions = {}
        for key, names in watched.items():
            gap = max(_gap(world, name) for name in names)
            self._suspicions[key] = known.get(key) or Suspicion(gap, world.time)
            self._suspicions[key].sees(gap, world.time)
        sure = tuple(c for c in self._found if not is_playing or self._is_sure(c.names))
        told = {name for c in sure for name in c.names}
        unmet = (Conflict("unmet", culprits),) if self._is_sure(OPEN) and not told >= set(culprits) else ()
        return (*sure, *self._redundant, *unmet)


def diagnosis_together(copy: World) -> Diagnosis:
    """The diagnosis of a copy of a world, put together where parts seem to contradict each other: to be apart
    is no conflict."""
    found = copy.diagnose()
    if not found.contradictory:
        return found
    gap = np.inf
    for _ in range(ROUNDS):
        put = copy.assemble()
        if put or put.gap > SHRUNK * gap:
            break
        gap = put.gap
    return copy.diagnose()


def _gap(world: World, name: str) -> float:
    """How far a constraint is open [SI]; one that is no longer there, or switched off, is not."""
    if name not in world or not world.engine.is_attached(world[name]):
        return 0.0
    return float(world.reading(world[name], "gap"))
