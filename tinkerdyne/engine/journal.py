"""The journal of an open edit: what it is about to change, written down before it changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tinkerdyne.engine.snapshot import Snapshot
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine


class Kept:
    """An item with all that it had."""

    __slots__ = ("fate", "item", "key", "name", "parts", "resolved", "start", "values", "world")

    def __init__(self, item: Item) -> None:
        self.item, self.world, self.key, self.name = item, item.world, item.key, item.name
        self.fate, self.resolved = item.fate, item.resolved
        self.values, self.start, self.parts = item.values.copy(), item.start.copy(), item.parts.copy()

    def put_back(self) -> None:
        """Give the item back what it had."""
        for name in ("world", "key", "name", "fate", "resolved"):
            object.__setattr__(self.item, name, getattr(self, name))
        for name in ("values", "start", "parts"):
            object.__setattr__(self.item, name, getattr(self, name).copy())


@dataclass
class Journal:
    """What is needed to take an open edit back."""

    was_ready: bool  # the arena was laid out
    was_settled: bool
    rebuilds: int  # which laying out it was
    numbers: Array | None = None  # all of the arena, of an edit that moves the state about
    shot: Snapshot | None = None  # the state before; while it is None, no row has come, gone or moved
    kept: dict[int, Kept] = field(default_factory=dict)  # items by identity

    @classmethod
    def of(cls, engine: Engine) -> Journal:
        """As the engine is now."""
        return cls(not engine.is_stale, engine.is_settled, engine.rebuilds)

    def keep(self, item: Item) -> None:
        """An item is about to be changed."""
        if id(item) not in self.kept:
            self.kept[id(item)] = Kept(item)

    def take_over(self, inner: Journal) -> None:
        """Write down what an edit within this one had written down."""
        for one in inner.kept.values():
            self.kept.setdefault(id(one.item), one)
        if self.shot is None:
            self.shot = inner.shot
