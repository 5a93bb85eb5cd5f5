"""The past: frames and states of the last seconds or minutes, as many as fit into a fixed memory."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tinkerdyne.engine.snapshot import Snapshot
from tinkerdyne.studio.show.frames import HEADER
from tinkerdyne.studio.wire.protocol import ItemInfo, Layout

MEMORY = 64 << 20  # bytes
EVERY = 4  # frames between two kept states


class Moment(NamedTuple):
    """A frame, and with some of them the state to go on from."""

    time: float
    frame: bytes
    shot: Snapshot | None
    size: int
    numbers: tuple[float, ...] = ()  # kinetic and potential energy [J], the widest gap [SI]


class Past:
    """A ring of moments in the order of time."""

    def __init__(self, memory: int = MEMORY) -> None:
        self.memory = memory
        self.moments: deque[Moment] = deque()
        self.layouts: dict[int, Layout] = {}
        self.items: dict[int, Sequence[ItemInfo]] = {}  # of each layout: they are others only after an edit
        self.bytes = 0
        self._count = 0

    def wants_state(self) -> bool:
        """Whether the next moment should come with its state."""
        return self._count % EVERY == 0

    def add(
        self, time: float, frame: bytes, layout: Layout, shot: Snapshot | None,
        items: Sequence[ItemInfo] = (), numbers: tuple[float, ...] = (),
    ) -> None:  # fmt: skip
        """A moment; where time went back, what lay ahead is forgotten."""
        self._count += 1
        self.forget_from(time)
        size = len(frame) + (shot.nbytes if shot is not None else 0) + 200
        self.layouts[layout.revision], self.items[layout.revision] = layout, items
        self.moments.append(Moment(time, frame, shot, size, numbers))
        self.bytes += size
        while self.bytes > self.memory and len(self.moments) > 1:
            self.bytes -= self.moments.popleft().size
        if len(self.layouts) > 8:
            used = {HEADER.unpack_from(m.frame)[1] for m in self.moments}
            self.layouts = {revision: one for revision, one in self.layouts.items() if revision in used}
            self.items = {revision: self.items[revision] for revision in self.layouts}

    def forget_from(self, time: float) -> None:
        """Drop everything at this time or later."""
        while self.moments and self.moments[-1].time >= time:
            self.bytes -= self.moments.pop().size

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
        self.moments.clear()
        self.layouts.clear()
        self.items.clear()
        self.bytes = self._count = 0

    @property
    def start(self) -> float | None:
        return self.moments[0].time if self.moments else None

    def at(self, time: float) -> Moment | None:
        """The last moment not after a time, or the first one."""
        if not self.moments:
            return None
        k = bisect_right(self.moments, time, key=lambda m: m.time)
        return self.moments[max(0, k - 1)]

    def state_before(self, time: float) -> Moment | None:
        """The last moment with a state not after a time, or the first that has one."""
        found: Moment | None = None
        for moment in self.moments:
            if moment.shot is not None:
                if moment.time > time and found is not None:
                    break
                found = moment
        return found

    def thinned(self, most: int) -> list[Moment]:
        """Moments evenly over the past, as many as wanted at most."""
        every = -(-len(self.moments) // max(1, most))
        return list(self.moments)[:: max(1, every)]

    def layout_of(self, moment: Moment) -> Layout:
        return self.layouts[HEADER.unpack_from(moment.frame)[1]]

    def seen(self, moment: Moment, now: Sequence[ItemInfo]) -> Layout:
        """The layout of a moment, with the items that are others now."""
        layout = self.layout_of(moment)
        return seen_from(layout, self.items[layout.revision], now)


def seen_from(layout: Layout, then: Sequence[ItemInfo], now: Sequence[ItemInfo]) -> Layout:
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
