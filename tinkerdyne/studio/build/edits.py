"""Edits from pages: well formed, and without what only this program may set (keys and memories)."""

from __future__ import annotations

import math
from dataclasses import replace

from tinkerdyne.connectors.points import point
from tinkerdyne.language.checks import number
from tinkerdyne.language.kinds import Value
from tinkerdyne.world.display import checked as checked_display
from tinkerdyne.world.edit import (
    Add,
    Change,
    Description,
    Display,
    Edit,
    Event,
    Move,
    Plan,
    Ramp,
    Remove,
    Rename,
    Several,
    edit_of,
)

LARGEST = 1e150  # of a number of a quaternion: its square is a number too


def checked_edit(document: object) -> Edit:
    """The edit that a page wrote."""
    return checked(edit_of(document))


def checked(edit: Edit | Event | Ramp) -> Edit:
    """An edit with nothing in it that is not what it should be."""
    match edit:
        case Several(edits):
            return Several(tuple(checked(one) for one in edits))
        case Plan(entries):
            return Plan(tuple(_entry(one) for one in entries))
        case Add(items):
            return Add(tuple(_description(d) for d in items))
        case Change(name, parameter, value):
            return Change(_text(name), _text(parameter), value)
        case Move(name, state):
            return Move(_text(name), tuple((part, _turned(part, value)) for part, value in _pairs(state)))
        case Display(part, value):
            return Display(_text(part), checked_display(_text(part), value))
        case Rename(name, to):
            return Rename(_text(name), _text(to))
        case Remove(names):
            return Remove(tuple(map(_text, names)))
        case Event() | Ramp():
            raise ValueError("an event is part of a timeline: put it into a Plan")
    edit_: Edit = edit
    return edit_


def removed(edit: Edit) -> tuple[str, ...]:
    """The names that an edit removes."""
    if isinstance(edit, Several):
        return tuple(name for one in edit.edits for name in removed(one))
    return edit.names if isinstance(edit, Remove) else ()


def _entry(entry: Event | Ramp) -> Event | Ramp:
    if isinstance(entry, Event):
        return Event(number("the time of an event", entry.time), checked(entry.what))
    ramp: Ramp = replace(
        entry, name=_text(entry.name), parameter=_text(entry.parameter), is_smooth=bool(entry.is_smooth)
    )
    return ramp


def _description(d: Description) -> Description:
    inputs = tuple(map(_text, d.inputs))
    if d.part and (d.type != point.name or len(inputs) != 1):
        raise ValueError(f"{d.name!r} cannot be the part {d.part!r}: only a point of one body can")
    return Description(
        _text(d.type), _text(d.name), inputs, _pairs(d.values), _pairs(d.state), part=_text(d.part)
    )


def _pairs(pairs: object) -> tuple[tuple[str, Value], ...]:
    if not isinstance(pairs, tuple) or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise ValueError(f"values are pairs such as ['mass', 1.0], not {str(pairs)[:80]!r}")
    return tuple((_text(name), value) for name, value in pairs)


def _turned(part: str, value: Value) -> Value:
    """A quaternion of which a person typed some numbers, brought to length one; what has no direction is left
    to be refused."""
    is_four = part == "orientation" and isinstance(value, tuple) and len(value) == 4
    are_numbers = is_four and all(isinstance(x, (int, float)) and abs(x) < LARGEST for x in value)
    size = math.hypot(*value) if are_numbers else 0.0
    return tuple(x / size for x in value) if size > 0 else value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a name is text, not {str(value)[:80]!r}")
    return value
