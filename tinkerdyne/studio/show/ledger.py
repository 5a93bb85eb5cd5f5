"""The ledger: all numbers of a world that can be plotted, kept with every frame, so that plots show the
recording and not what a page happened to draw."""

from __future__ import annotations

import re

import numpy as np

from tinkerdyne.engine.readings import OF_WORLD, acting_force, read, readings
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.world.world import World

QUANTITY = re.compile(r"(.+)\.(\w+)(?:\[(\d{1,3})\])?")
WORLD = 0  # the key of the world itself


class Quantity:
    """What a text such as "energy", "upper.position[2]" or "hinge.force" asks for: of whom, which reading,
    and which of its numbers."""

    __slots__ = ("index", "key", "reading")

    def __init__(self, world: World, text: str) -> None:
        self.key: int | None = WORLD if text in OF_WORLD else None
        self.reading, self.index = text, -1
        named = QUANTITY.fullmatch(text)
        item = world.contents.get(named[1]) if named is not None and self.key is None else None
        if named is not None and item is not None:
            self.key, self.reading = item.key, named[2]
            self.index = -1 if named[3] is None else int(named[3])


class Ledger:
    """Where all that can be plotted lies. Valid until the world's structure is built anew."""

    def __init__(self, world: World) -> None:
        self._engine = world.engine
        self.rebuilds = world.engine.rebuilds
        self._columns: dict[tuple[int, str], slice] = {}
        self._found: list[Array] = []
        self._width = 0
        for name, places in OF_WORLD.items():
            self._add(WORLD, name, places)
        for item in world.items:
            self._add_item(item)
        self._places = np.concatenate(self._found)

    def _add(self, key: int, name: str, places: Array) -> None:
        self._columns[key, name] = slice(self._width, self._width + len(places))
        self._found.append(places)
        self._width += len(places)

    def _add_item(self, item: Item) -> None:
        engine = self._engine
        if item.type.family == "field" or not engine.is_attached(item):
            return
        for reading in readings(engine, item):
            self._add(item.key, reading.name, reading.places)
        force = acting_force(engine, item) if item.type.family == "behavior" else None
        if force is not None:
            self._add(item.key, "force", force)

    def row(self) -> Array:
        """All numbers of the present moment, of a world that was just evaluated."""
        with np.errstate(over="ignore", invalid="ignore"):
            return read(self._engine, self._places).astype(np.float32)

    def values(self, rows: Array, of: Quantity) -> Array:
        """A quantity at moments of this ledger, by rows; NaN where it was not there."""
        columns = None if of.key is None else self._columns.get((of.key, of.reading))
        width = 0 if columns is None else columns.stop - columns.start
        if columns is None or of.index >= width:
            return np.full(len(rows), np.nan)
        found = rows[:, columns].astype(float)
        if of.index >= 0:
            return np.asarray(found[:, of.index])
        if of.key == WORLD:
            return np.asarray(found.sum(axis=1))
        return np.asarray(found[:, 0] if width == 1 else np.linalg.norm(found, axis=1))
