"""The past: frames and states of the last seconds or minutes, as many as fit into a fixed memory."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from itertools import groupby, islice
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from tinkerdyne.engine.snapshot import Snapshot
from tinkerdyne.language.arrays import Array
from tinkerdyne.studio.show.frames import HEADER
from tinkerdyne.studio.show.ledger import Ledger, Quantity
from tinkerdyne.studio.wire.protocol import FrameLayout, ItemInfo

MEMORY = 64 << 20  # bytes
EVERY = 4  # frames between two kept states
LATE = 1.5  # times the time between two frames, after which the world did not run from one to the other
CUTS, UNDONE = 1000, 8  # that are remembered
MOST_TOLD = 20_000  # moments, the newest


class PastFrame(NamedTuple):
    """A frame, and with some of them the state to go on from."""

    time: float
    frame: bytes
    shot: Snapshot | None
    size: int
    numbers: tuple[float, ...] = ()  # kinetic and potential energy [J], the widest gap [SI]
    row: Array | None = None  # all that can be plotted, by its ledger
    ledger: Ledger | None = None
    goes_on: bool = True  # whether the world ran here from the moment before


class Past:
    """A ring of moments in the order of time."""

    def __init__(self, memory: int = MEMORY) -> None:
        self.memory = memory
        self.moments: deque[PastFrame] = deque()
        self.layouts: dict[int, FrameLayout] = {}
        self.items: dict[int, Sequence[ItemInfo]] = {}  # of each layout: they are others only after an edit
        self.bytes = 0
        self._count = 0
        self.version = 0  # how often what was recorded turned out not to last
        self._cuts: deque[tuple[int, float]] = deque(maxlen=CUTS)  # version, and from when on
        self._undone: deque[list[PastFrame]] = deque(maxlen=UNDONE)  # what lay ahead when time went back
        self.is_turned = False  # an undo or redo leads to the next moment

    def wants_state(self) -> bool:
        """Whether the next moment should come with its state."""
        return self._count % EVERY == 0

    def add(
        self, time: float, frame: bytes, layout: FrameLayout, shot: Snapshot | None,
        items: Sequence[ItemInfo] = (), numbers: tuple[float, ...] = (), ledger: Ledger | None = None,
        longest: float = math.inf,
    ) -> None:  # fmt: skip
        """A moment; where time went back, what lay ahead is set aside, and comes back when an undo or redo
        leads there again. `longest`: the time between two moments of a world that runs."""
        self._count += 1
        self.forget_from(time)
        row = None if ledger is None else ledger.row()
        size = len(frame) + sum(part.nbytes for part in (shot, row) if part is not None) + 200
        self.layouts[layout.revision], self.items[layout.revision] = layout, items
        goes_on = not self.moments or time - self.moments[-1].time <= LATE * longest
        if not goes_on and self.is_turned:
            goes_on = self._bring_back(time, longest)
        self.is_turned = False
        self.moments.append(PastFrame(time, frame, shot, size, numbers, row, ledger, goes_on))
        self.bytes += size
        while self.bytes > self.memory and len(self.moments) > 1:
            self.bytes -= self.moments.popleft().size
        if len(self.layouts) > 8:
            used = {HEADER.unpack_from(m.frame)[1] for m in self.moments}
            self.layouts = {revision: one for revision, one in self.layouts.items() if revision in used}
            self.items = {revision: self.items[revision] for revision in self.layouts}

    def forget_from(self, time: float) -> None:
        """Set aside everything at this time or later."""
        dropped: list[PastFrame] = []
        while self.moments and self.moments[-1].time >= time:
            dropped.append(self.moments.pop())
            self.bytes -= dropped[-1].size
        if dropped:
            self.version += 1
            self._cuts.append((self.version, time))
        if len(dropped) > 1:
            self._undone.append(dropped[::-1])

    def _bring_back(self, time: float, longest: float) -> bool:
        """Take back what was set aside before this moment, if it leads here; whether it does."""
        last = self.moments[-1].time
        for run in reversed(self._undone):
            found = [m for m in run if last <= m.time < time and self._has_layout(m)]
            if not found or found[0].time - last > LATE * longest or time - found[-1].time > LATE * longest:
                continue
            if found[0].time == last:  # as it was after the edit
                self.bytes -= self.moments.pop().size
            self.moments.extend(found)
            self.bytes += sum(m.size for m in found)
            self.version += 1
            self._cuts.append((self.version, found[0].time))
            return True
        return False

    def _has_layout(self, moment: PastFrame) -> bool:
        return HEADER.unpack_from(moment.frame)[1] in self.layouts

    def recalled(
        self, wanted: Sequence[Quantity], version: int, since: float
    ) -> tuple[float, Array, list[Array]]:
        """From when on quantities are told anew, the times, and each one's values.

        A page that has this version up to a time is told what came after, another one all. NaN stands where
        the world did not run from one moment to the next."""
        cuts = [time for at, time in self._cuts if at > version]
        is_known = 0 <= version <= self.version and len(cuts) == self.version - version
        begin = min([since, *cuts]) if is_known else -math.inf
        find = bisect_left if cuts else bisect_right
        first = max(find(self.moments, begin, key=lambda m: m.time), len(self.moments) - MOST_TOLD)
        times, values = _told(list(islice(self.moments, first, None)), wanted, begin)
        return begin, times, values

    def rename(self, names: dict[str, str]) -> None:
        """Items have other names: the recording calls them so from its beginning, and forgets who was called
        so before."""
        gone = set(names.values()) - set(names)
        for revision, layout in self.layouts.items():
            kept = (t for t in layout.tracks if t.name not in gone)
            tracks = tuple(replace(t, name=renamed(t.name, names), of=names.get(t.of, t.of)) for t in kept)
            self.layouts[revision] = replace(layout, tracks=tracks)
            items = [one for one in self.items[revision] if one.name not in gone]
            self.items[revision] = [_called(one, names) for one in items]

    def clear(self) -> None:
        self.version += 1
        self._cuts.clear()
        self._undone.clear()
        self.is_turned = False
        self.moments.clear()
        self.layouts.clear()
        self.items.clear()
        self.bytes = self._count = 0

    @property
    def start(self) -> float | None:
        return self.moments[0].time if self.moments else None

    def at(self, time: float) -> PastFrame | None:
        """The last moment not after a time, or the first one."""
        if not self.moments:
            return None
        k = bisect_right(self.moments, time, key=lambda m: m.time)
        return self.moments[max(0, k - 1)]

    def beside(self, time: float, by: int) -> PastFrame | None:
        """The moment so many before or after the one at a time, the first where it would be earlier, none
        where it would be later than all."""
        k = max(0, bisect_right(self.moments, time, key=lambda m: m.time) - 1 + by)
        return self.moments[k] if k < len(self.moments) else None

    def state_before(self, time: float) -> PastFrame | None:
        """The last moment with a state not after a time, or the first that has one."""
        found: PastFrame | None = None
        for moment in self.moments:
            if moment.shot is not None:
                if moment.time > time and found is not None:
                    break
                found = moment
        return found

    def thinned(self, most: int) -> list[PastFrame]:
        """Moments evenly over the past, as many as wanted at most."""
        every = -(-len(self.moments) // max(1, most))
        return list(self.moments)[:: max(1, every)]

    def layout_of(self, moment: PastFrame) -> FrameLayout:
        return self.layouts[HEADER.unpack_from(moment.frame)[1]]

    def seen(self, moment: PastFrame, now: Sequence[ItemInfo]) -> FrameLayout:
        """The layout of a moment, with the items that are others now."""
        layout = self.layout_of(moment)
        return seen_from(layout, self.items[layout.revision], now)


def _told(
    moments: Sequence[PastFrame], wanted: Sequence[Quantity], before: float
) -> tuple[Array, list[Array]]:
    """Times and values of quantities at some moments after a time, with a NaN in every break."""
    runs = [np.zeros((0, len(wanted)))]
    for _, run in groupby(moments, key=lambda m: id(m.ledger)):
        same = list(run)
        ledger, table = same[0].ledger, np.full((len(same), len(wanted)), np.nan)
        if ledger is not None:
            rows = np.stack([m.row for m in same if m.row is not None])
            for k, one in enumerate(wanted):
                table[:, k] = ledger.values(rows, one)
        runs.append(table)
    times, values = np.array([m.time for m in moments]), np.concatenate(runs)
    breaks = np.array([k for k, m in enumerate(moments) if not m.goes_on and (k or before > -math.inf)], int)
    if len(breaks):
        earlier = np.concatenate([[before], times])[breaks]
        times = np.insert(times, breaks, (earlier + times[breaks]) / 2)
        values = np.insert(values, breaks, np.nan, axis=0)
    return times, [values[:, k] for k in range(len(wanted))]


def seen_from(layout: FrameLayout, then: Sequence[ItemInfo], now: Sequence[ItemInfo]) -> FrameLayout:
    """A layout with those items of then that are gone or changed, and those that came since."""
    known, present = {one.key for one in then}, {one.key: one for one in now}
    changed = tuple(one for one in then if one is not present.get(one.key) and one != present.get(one.key))
    return replace(layout, then=changed, since=tuple(key for key in present if key not in known))


def _called(item: ItemInfo, names: dict[str, str]) -> ItemInfo:
    """An item under its new name, with inputs under theirs."""
    old = (item.name, item.part_of, *item.inputs)
    new = tuple(renamed(name, names) for name in old)
    return item if new == old else replace(item, name=new[0], part_of=new[1], inputs=new[2:])


def renamed(quantity: str, names: dict[str, str]) -> str:
    """A thing or a quantity of it ("rod.position[2]") under its new name."""
    found = max(
        (old for old in names if quantity == old or quantity.startswith(f"{old}.")), key=len, default=""
    )
    return names[found] + quantity[len(found) :] if found else quantity
