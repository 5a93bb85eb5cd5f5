"""Edits: the one word for change. An edit is a frozen, serialisable value; `world.apply(edit)` returns its inverse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

Pairs: TypeAlias = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Description:
    """An item in full, as a value: enough to make it again, with its state and its stepper's memory."""

    type: str
    name: str
    inputs: tuple[str, ...] = ()
    values: Pairs = ()
    state: Pairs = ()
    memory: tuple[float, ...] = ()
    key: int = 0  # identity while a world lives: undoing a removal revives the same handle; items stand in the order of keys
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
    value: Any


@dataclass(frozen=True)
class Move:
    """Give parts of an object's state other values."""

    name: str
    state: Pairs


@dataclass(frozen=True)
class Rename:
    """Give an item another name."""

    name: str
    to: str


@dataclass(frozen=True)
class Configure:
    """Change a setting of the world: its method, largest step, order, feedback, tolerance …"""

    setting: str
    value: Any


@dataclass(frozen=True)
class Several:
    """Edits that count as one."""

    edits: tuple[Edit, ...]


Edit: TypeAlias = Add | Remove | Change | Move | Rename | Configure | Several
