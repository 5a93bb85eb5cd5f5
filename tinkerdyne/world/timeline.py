"""Timelines: edits that happen at times, ramps of parameters, switches (R5); saved with the scene, replayed
to the bit.

An event is carried out when the world's time reaches it: a step that passes it is divided there. A ramp sets
its parameter on a fixed grid of times, so that the motion does not depend on how a run is divided.
"""

from __future__ import annotations

import json
import math
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
    plain,
)

GRID = 240  # settings of a ramp in a second
MOST = 100_000  # entries of a timeline


def checked(entries: Iterable[object]) -> tuple[Entry, ...]:
    """The entries of a timeline in the order of their times, or a message."""
    given = tuple(entries)
    if len(given) > MOST:
        raise ValueError(f"a timeline may have {MOST} entries, not {len(given)}")
    return tuple(sorted(map(_checked, given), key=_start))


def _checked(entry: object) -> Entry:
    if isinstance(entry, Event):
        number("the time of an event", entry.time)
        if not isinstance(entry.what, get_args(Edit)):
            raise TypeError(f"the event at {entry.time:g} s must hold an edit, not {entry.what!r}")
        try:
            json.dumps(plain(entry.what), allow_nan=False, ensure_ascii=False).encode()
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


def next_time(entries: tuple[Entry, ...], t: float) -> float:
    """When something happens next after t; infinite when nothing does."""
    times = (e.time if isinstance(e, Event) else _after(e, t) for e in entries)
    return min((when for when in times if when > t), default=math.inf)


def due(entries: tuple[Entry, ...], t: float) -> Iterator[tuple[Edit, Entry]]:
    """The edits of one moment, in the order of the timeline, with the entries they belong to."""
    for e in entries:
        if isinstance(e, Event):
            if e.time == t:
                yield e.what, e
        elif e.start <= t <= e.end and (t in (e.start, e.end) or _is_on_grid(e, t)):
            share = (t - e.start) / (e.end - e.start)
            if e.is_smooth:
                share = share * share * (3 - 2 * share)
            values = tuple(a + share * (b - a) for a, b in zip(_flat(e.low), _flat(e.high), strict=True))
            yield Change(e.name, e.parameter, values if isinstance(e.low, (tuple, list)) else values[0]), e


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
