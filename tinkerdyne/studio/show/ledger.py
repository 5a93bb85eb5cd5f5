"""The ledger: all numbers of a world that can be plotted, kept with every frame, so that plots show the
recording and not what a page happened to draw."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence

import numpy as np

from tinkerdyne.engine.readings import OF_WORLD, acting_force, read, readings
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.studio.wire.protocol import ItemInfo
from tinkerdyne.world.world import World

QUANTITY = re.compile(r"(.+)\.(\w+)(?:\[(\d{1,3})\])?")
PLACE = re.compile(r"(.+)\[([0-2])\]")
WORLD = 0  # the key of the world itself

Places = Mapping[int, Mapping[str, tuple[float, ...]]]  # of bodies by their keys, in their own axes


class Quantity:
    """What a text such as "energy", "upper.position[2]" or "hinge.force" asks for: of whom, which reading,
    and which of its numbers. "rod.end2[0]" is where a place of a body is in the world, "pen[0]" where a point
    or a body itself is."""

    __slots__ = ("index", "is_place", "key", "reading")

    def __init__(self, world: World, text: str) -> None:
        self.key: int | None = WORLD if text in OF_WORLD else None
        self.reading, self.index = text, -1
        named = QUANTITY.fullmatch(text)
        item = world.contents.get(named[1]) if named is not None and self.key is None else None
        if named is not None and item is not None:
            self.key, self.reading = item.key, named[2]
            self.index = -1 if named[3] is None else int(named[3])
        at = PLACE.fullmatch(text)
        self.is_place = False
        if at is None:
            return
        if item is not None and item.type.family == "object" and item.type.places is not None:
            self.is_place = self.reading in item.type.places(item.values)
        if not self.is_place and (point := world.contents.get(at[1])) is not None:
            self.key, self.index = point.key, int(at[2])
            self.reading = "position" if point.type.family == "object" else "value"


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
        self._of_bodies: Places = {}

    def seen(self, infos: Sequence[ItemInfo]) -> Ledger:
        """This ledger, or one like it, with the places that bodies have now."""
        of_bodies = {info.key: info.places for info in infos if info.places}
        if of_bodies == self._of_bodies:
            return self
        other = copy.copy(self)
        other._of_bodies = of_bodies
        return other

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
        if of.is_place:
            return self._place(rows, of)
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

    def _place(self, rows: Array, of: Quantity) -> Array:
        """Where a place of a body is, along one axis of the world."""
        at = np.array(self._of_bodies.get(of.key or WORLD, {}).get(of.reading, ()))
        nothing = np.full(len(rows), np.nan)
        position = self._columns.get((of.key or WORLD, "position"))
        if position is None or not len(at):
            return nothing
        if of.index >= len(at):
            return nothing if len(at) == 3 else np.zeros(len(rows))
        origin = rows[:, position][:, of.index].astype(float)
        turn = self._columns.get((of.key or WORLD, "orientation"))
        if turn is not None:
            w, *v = rows[:, turn].astype(float).T
            axis = np.array(v).T
            across = np.cross(axis, at)
            turned = at + 2 * (w[:, None] * across + np.cross(axis, across))
            return np.asarray(origin + turned[:, of.index])
        angle = rows[:, self._columns[of.key or WORLD, "angle"]].astype(float)[:, 0]
        c, s = np.cos(angle), np.sin(angle)
        turned = np.array([c * at[0] - s * at[1], s * at[0] + c * at[1]])
        return np.asarray(origin + turned[of.index])
