"""Edits: the one word for change.

An edit is a frozen, serialisable value; `world.apply(edit)` returns its inverse."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from typing import Literal, TypeAlias

from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Value

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | bool | None"
Pairs: TypeAlias = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Description:
    """An item in full, as a value: enough to make it again, with its state and its stepper's memory."""

    type: str
    name: str
    inputs: tuple[str, ...] = ()
    values: Pairs = ()
    state: Pairs = ()
    memory: tuple[float, ...] = ()
    # identity while a world lives: undoing a removal revives the same handle; items stand in the order of
    # keys
    key: int = 0
    part: str = ""  # the named place of its object that a point is


@dataclass(frozen=True)
class Add:
    """Put items into the world, in this order."""

    items: tuple[Description, ...]


@dataclass(frozen=True)
class Remove:
    """Take items out, with all that is plugged into them."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """Give a parameter another value."""

    name: str
    parameter: str
    value: Value
    # of an inverse: the very item it belongs to, whatever bears its name by then
    key: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Move:
    """Give parts of an object's state other values."""

    name: str
    state: Pairs
    key: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Rename:
    """Give an item another name."""

    name: str
    to: str


@dataclass(frozen=True)
class Configure:
    """Change a setting of the world: its method, largest step, order, feedback, tolerance …"""

    setting: str
    value: Value


ControlKind: TypeAlias = Literal["slider", "switch", "button"]


@dataclass(frozen=True)
class Control:
    """Something on a panel that sets a parameter of an item; made by `control`."""

    name: str
    parameter: str
    kind: ControlKind = "slider"
    low: float = 0.0
    high: float = 1.0
    index: int = 0  # which number of a parameter that has several
    keys: str = ""
    title: str = ""


@dataclass(frozen=True)
class Sketched:
    """A sketch of a motion, as the text of the JSON that `tinkerdyne.sketch` writes; of its bodies, which are
    the world's own, it has the names."""

    text: str


Shown: TypeAlias = Value | tuple[Control, ...] | Sketched


@dataclass(frozen=True)
class Display:
    """Give a part of how the world is meant to be seen another value: its camera, traces, plots, controls,
    whether it runs at once, or the sketch of a motion; None is as it comes."""

    part: str
    value: Shown


@dataclass(frozen=True)
class Several:
    """Edits that count as one."""

    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Event:
    """An edit that happens at a time."""

    time: float
    what: Edit


@dataclass(frozen=True)
class Ramp:
    """A parameter that goes from one value to another between two times, evenly or smoothly."""

    name: str
    parameter: str
    start: float
    end: float
    low: Value
    high: Value
    is_smooth: bool = False


@dataclass(frozen=True)
class Plan:
    """Give the world another timeline."""

    entries: tuple[Event | Ramp, ...]


Edit: TypeAlias = Add | Remove | Change | Move | Rename | Configure | Display | Several | Plan


Entry: TypeAlias = Event | Ramp
"""What a timeline holds."""

_KINDS: dict[str, type[Edit | Entry]] = {
    kind.__name__: kind
    for kind in (Add, Remove, Change, Move, Rename, Configure, Display, Several, Plan, Event, Ramp)
}


# the names of what each holds, found once: a timeline may have 100,000 entries
_HELD: dict[type, tuple[str, ...]] = {
    kind: tuple(f.name for f in fields(kind)) for kind in (*_KINDS.values(), Description, Control, Sketched)
}


def plain(value: Edit | Entry | Description | Control) -> dict[str, Json]:
    """An edit as dictionaries, lists, texts and numbers, ready for JSON; `edit_of` reads it back."""
    kind: dict[str, Json] = {} if isinstance(value, Description | Control) else {"edit": type(value).__name__}
    return kind | {name: _plain(getattr(value, name)) for name in _HELD[type(value)]}


def _plain(value: object) -> Json:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    if isinstance(value, Sketched):
        found: Json = json.loads(value.text)
        return found
    if isinstance(value, Edit | Entry | Description | Control):
        return plain(value)
    raise _not_kept(value)


def _not_kept(value: object) -> TypeError:
    if isinstance(value, Item):
        return TypeError(f"an edit takes items by name: write {value.name!r}, not {value!r}")
    return TypeError(f"{value!r} cannot be part of an edit that is to be kept or sent")


def refuse_unkept(value: object) -> None:
    """Refuse what no file can hold: numbers that are not finite, halves of surrogate pairs, other things."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value!r} is not a finite number")
    elif isinstance(value, (tuple, list)):
        for part in value:
            refuse_unkept(part)
    elif type(value) in _HELD:
        for name in _HELD[type(value)]:
            refuse_unkept(getattr(value, name))
    elif value is not None and not isinstance(value, (bool, int)):
        raise _not_kept(value)


def edit_of(document: object) -> Edit:
    """The edit that `plain` wrote; a message names what is wrong with one that it did not."""
    edit = _read(document)
    if isinstance(edit, (Event, Ramp)):
        raise ValueError(f"an edit is wanted here, not an entry of a timeline: {str(document)[:80]!r}")
    return edit


def entry_of(document: object) -> Entry:
    """An entry of a timeline that `plain` wrote."""
    entry = _read(document)
    if not isinstance(entry, (Event, Ramp)):
        raise ValueError(f"a timeline holds events and ramps, not {str(document)[:80]!r}")
    return entry


def _read(document: object) -> Edit | Entry:
    kind_of = document.get("edit") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(kind_of, str) or kind_of not in _KINDS:
        raise ValueError(
            f"an edit must name its kind, one of {', '.join(_KINDS)}, not {str(document)[:80]!r}"
        )
    kind = _KINDS[document["edit"]]
    given = {name: value for name, value in document.items() if name != "edit"}
    known = _HELD[kind]
    if len(given) != len(known) or not all(name in given for name in known):
        wrong = ", ".join(sorted(given.keys() ^ set(known)))
        raise ValueError(
            f"the edit {document['edit']} has {', '.join(sorted(known))}; missing or unknown: {wrong}"
        )
    if kind is Several:
        return Several(tuple(map(edit_of, given["edits"])))
    if kind is Plan:
        return Plan(tuple(map(entry_of, given["entries"])))
    if kind is Event:
        return Event(given["time"], edit_of(given["what"]))
    if kind is Display:
        return Display(given["part"], shown_of(given["part"], given["value"]))
    if kind is Add:
        return Add(tuple(Description(**{k: _tupled(v) for k, v in item.items()}) for item in given["items"]))
    return kind(**{name: _tupled(value) for name, value in given.items()})


def shown_of(part: object, value: object) -> Shown:
    """A part of a display as it was written."""
    if part == "sketch" and isinstance(value, dict):
        return Sketched(json.dumps(value, allow_nan=False))
    if part != "controls" or not isinstance(value, list | tuple):
        return _tupled(value)
    if not all(isinstance(row, dict) and all(isinstance(key, str) for key in row) for row in value):
        raise ValueError(f"controls are dictionaries, not {str(value)[:80]!r}")
    return tuple(Control(**{key: _tupled(one) for key, one in row.items()}) for row in value)


def _tupled(value: Value) -> Value:
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
