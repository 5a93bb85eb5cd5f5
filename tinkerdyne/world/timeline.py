"""Timelines: edits that happen at times, ramps of parameters, switches (R5); saved with the scene, replayed
to the bit.

An event is carried out when the world's time reaches it: a step that passes it is divided there. A ramp sets
its parameter on a fixed grid of times, so that the motion does not depend on how a run is divided.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import get_args

from tinkerdyne.language.checks import number, truth, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.kinds import Value
from tinkerdyne.world.edit import (
    Add,
    Change,
    Description,
    Edit,
    Entry,
    Event,
    Move,
    Ramp,
    Remove,
    Rename,
    Several,
    refuse_unkept,
)

GRID = 240  # settings of a ramp in a second
MOST = 100_000  # entries of a timeline
EDITS = get_args(Edit)


def checked(entries: Iterable[object], known: tuple[Entry, ...] = ()) -> tuple[Entry, ...]:
    """The entries of a timeline in the order of their times, or a message. Those that are known, and come
    first, were checked before."""
    given = tuple(entries)
    if len(given) > MOST:
        raise ValueError(f"a timeline may have {MOST} entries, not {len(given)}")
    if known and given[: len(known)] == known:  # the same objects: this compares their addresses
        new = sorted(map(_checked, given[len(known) :]), key=_start)
        first = bisect_right(known, _start(new[0]), key=_start) if new else len(known)
        return (*known[:first], *sorted((*known[first:], *new), key=_start))
    return tuple(sorted(map(_checked, given), key=_start))


def _checked(entry: object) -> Entry:
    if isinstance(entry, Event):
        number("the time of an event", entry.time)
        if not isinstance(entry.what, EDITS):
            raise TypeError(f"the event at {entry.time:g} s must hold an edit, not {entry.what!r}")
        try:
            refuse_unkept(entry.what)
        except UnicodeEncodeError as problem:
            raise ValueError(
                f"the event at {entry.time:g} s holds half of a surrogate pair, which no file can"
            ) from problem
        except ValueError as problem:  # it could not be saved
            raise ValueError(
                f"the event at {entry.time:g} s must hold finite numbers, not {entry.what!r}"
            ) from problem
        return entry
    if not isinstance(entry, Ramp):
        raise TypeError(f"a timeline holds events and ramps, not {entry!r}")
    for what, said in (("item", entry.name), ("parameter", entry.parameter)):
        if not isinstance(said, str):
            raise TypeError(f"the {what} of a ramp must be a name, not {said!r}")
    who = f"{entry.name}.{entry.parameter}"
    truth(f"is_smooth of the ramp of {who}", entry.is_smooth)
    start, end = number("the start of a ramp", entry.start), number("the end of a ramp", entry.end)
    if not start < end:
        raise ValueError(f"a ramp of {who} must end after it starts, not go from {start:g} to {end:g} s")
    if len(_flat(entry.low)) != len(_flat(entry.high)):
        raise ValueError(f"the ends of a ramp of {who} must have as many numbers as each other")
    return entry


def ramp_of(
    item: Item, parameter: str, ends: tuple[Value, Value], times: tuple[float, float], *, is_smooth: bool
) -> Ramp:
    """A ramp of an item's parameter from one value (the present one, if it is None) to another."""
    item._alive()
    first = getattr(item, parameter) if ends[0] is None else ends[0]
    for value in (first, ends[1]):
        item.type.checked(label(item), *item._spelled(parameter, value))
    start, end = number("the start of a ramp", times[0]), number("the end of a ramp", times[1])
    return Ramp(item.name, parameter, start, end, first, ends[1], is_smooth)


def _start(entry: Entry) -> float:
    return entry.time if isinstance(entry, Event) else entry.start


def _flat(value: Value) -> tuple[float, ...]:
    return (
        vector("the end of a ramp", value)
        if isinstance(value, (tuple, list))
        else (number("the end of a ramp", value),)
    )


def _after(ramp: Ramp, t: float) -> float:
    """The first time after t at which a ramp sets its parameter; infinite when there is none."""
    if t < ramp.start:
        return ramp.start
    if t >= ramp.end:
        return math.inf
    k = (t - ramp.start) * GRID + 1e-6
    if not math.isfinite(k):  # a ramp of astronomical length has no grid
        return ramp.end
    return min(ramp.start + (math.floor(k) + 1) / GRID, ramp.end)


def _is_on_grid(ramp: Ramp, t: float) -> bool:
    k = (t - ramp.start) * GRID
    return math.isfinite(k) and t == ramp.start + round(k) / GRID


class Agenda:
    """A timeline by its times: what happens next, and what is due at a moment. A run asks for it in every
    call, and an agenda of 100,000 events may lie ahead of it."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries
        events = [(e.time, k) for k, e in enumerate(entries) if isinstance(e, Event)]
        ramps = [(e.start, k) for k, e in enumerate(entries) if isinstance(e, Ramp)]
        self._events, self._ramps = sorted(events), sorted(ramps)

    def next_time(self, t: float) -> float:
        """When something happens next after t; infinite when nothing does."""
        later = bisect_right(self._events, (t, len(self.entries)))
        begun = bisect_right(self._ramps, (t, len(self.entries)))
        times = [when for when, _ in (*self._events[later : later + 1], *self._ramps[begun : begun + 1])]
        times += [_after(e, t) for _, _, e in self._ramping(begun)]
        return min((when for when in times if when > t), default=math.inf)

    def _ramping(self, count: int) -> Iterator[tuple[int, float, Ramp]]:
        """The first ramps, which have begun, with their places in the timeline and their starts."""
        for start, k in self._ramps[:count]:
            ramp = self.entries[k]
            assert isinstance(ramp, Ramp)
            yield k, start, ramp

    def due(self, t: float) -> list[tuple[Edit, Entry]]:
        """The edits of one moment, in the order of the timeline, with the entries they belong to."""
        found: list[tuple[int, Edit]] = []
        for when, k in self._events[bisect_left(self._events, (t, -1)) :]:
            event = self.entries[k]
            if when != t or not isinstance(event, Event):
                break
            found.append((k, event.what))
        for k, start, ramp in self._ramping(bisect_right(self._ramps, (t, len(self.entries)))):
            if t <= ramp.end and (t in (start, ramp.end) or _is_on_grid(ramp, t)):
                found.append((k, _set(ramp, t)))
        return [(edit, self.entries[k]) for k, edit in sorted(found, key=lambda pair: pair[0])]


def _set(ramp: Ramp, t: float) -> Change:
    """The parameter of a ramp as it is at t."""
    share = (t - ramp.start) / (ramp.end - ramp.start)
    if ramp.is_smooth:
        share = share * share * (3 - 2 * share)
    values = tuple(a + share * (b - a) for a, b in zip(_flat(ramp.low), _flat(ramp.high), strict=True))
    return Change(ramp.name, ramp.parameter, values if isinstance(ramp.low, (tuple, list)) else values[0])


def renamed(entries: tuple[Entry, ...], names: dict[str, str]) -> tuple[Entry, ...]:
    """The same timeline after items were given other names."""

    def plugged(d: Description, own: set[str]) -> Description:
        """An item to come, plugged into what is called otherwise now."""
        inputs = tuple(name if name in own else names.get(name, name) for name in d.inputs)
        return d if inputs == d.inputs else replace(d, inputs=inputs)

    def edited(edit: Edit) -> Edit:
        if isinstance(edit, (Change, Move)):
            return replace(edit, name=names.get(edit.name, edit.name))
        if isinstance(edit, Rename):
            return replace(edit, name=names.get(edit.name, edit.name))
        if isinstance(edit, Remove):
            return Remove(tuple(names.get(name, name) for name in edit.names))
        if isinstance(edit, Add):
            return Add(tuple(plugged(d, {one.name for one in edit.items}) for d in edit.items))
        return Several(tuple(map(edited, edit.edits))) if isinstance(edit, Several) else edit

    return tuple(
        replace(e, what=edited(e.what))
        if isinstance(e, Event)
        else replace(e, name=names.get(e.name, e.name))
        for e in entries
    )
