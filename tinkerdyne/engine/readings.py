"""Readings: where every number that can be asked for lies in the arena, by name.

Whoever shows, records, watches or changes numbers of a world asks here for their places in S, once for each
laying out of the arena, and gathers them afterwards by index. What an evaluation computes is as fresh as the
last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.batches import ConnectorBatch, FieldBatch, ObjectBatch
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.records import Flag, Hold, Jacobian, Object, Row, Scalars, Vel
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Frame, Point, Scalar
from tinkerdyne.language.types import BlockType

# Readings of the whole world: sums of scalars.
OF_WORLD = {
    name: np.array([place_of(Scalars, cell) for cell in cells])
    for name, cells in {
        "time": ("time",),
        "kinetic_energy": ("kinetic",),
        "potential_energy": ("energy",),
        "energy": ("kinetic", "energy"),
        "gap": ("gap",),
    }.items()
}
# What a stepper carries from step to step besides the state, by its name in scene files.
CARRIED = {
    "largest_kinetic_energy": "largest_kinetic",
    "wait": "wait",
    "backoff": "backoff",
    "next_step": "next_step",
    "soft": "soft",
    "parts": "parts",
    "calm": "calm",
    "stuck": "stuck",
    "yield_tau": "yield_tau",
    "started": "started",
    "implicit_step": "implicit_step",
    "trial": "trial",
    "trial_wait": "trial_wait",
    "played": "played",
    "played_time": "played_time",
}


NOWHERE = -1  # the place of a number that is zero
PULLED = 6  # numbers of what a constraint does to an object


# The accounts of accuracy, which lie side by side among the scalars.
TOLD = ("imbalance", "turnover", "path", "path_error", "swing", "turn", "residual", "most_gap", "looks")
FIRST_TOLD = place_of(Scalars, TOLD[0])


def accounts_of(scalars: Scalars) -> list[float]:
    """The accounts in their order, all at once: they are read after every call."""
    told: list[float] = scalars.array[FIRST_TOLD : FIRST_TOLD + len(TOLD)].tolist()
    return told


class Reading(NamedTuple):
    """A named reading of an item: its places in S, and whether it is one number rather than several."""

    name: str
    places: Array
    is_number: bool


# --- readings of one item, as places ---------------------------------------------------------------
def readings(engine: Engine, item: Item) -> Iterator[Reading]:
    """All readings of an item: of an object its state, of a connector value and velocity, of a constraint
    force and gap, of a behavior energy and power. A rule for others has none."""
    if not item.type.acts:
        return
    match item.type.family:
        case "object":
            yield from _state(engine, item)
        case "behavior":
            at = engine.record_place(item.key)
            yield Reading("energy", np.array([at]), True)
            yield Reading("power", np.array([at + 1]), True)
        case "connector":
            at, m = engine.record_place(item.key), item.type.block_of(item).dim
            yield Reading("value", np.arange(at, at + m), m == 1)
            yield Reading("velocity", np.arange(at + m, at + 2 * m), m == 1)
        case "constraint":
            yield Reading("force", multipliers(engine, item), False)
            yield Reading("gap", residual(engine, item), True)


def _state(engine: Engine, item: Item) -> Iterator[Reading]:
    batch, k = engine.structure.object_row(item.key)
    type = batch.type
    for parts, first, width in (
        (type.positions, batch.first_q, type.nq),
        (type.velocities, batch.first_v, type.nv),
    ):
        at = first + k * width
        for part in parts:
            is_number = not isinstance(item.type.state[part.name], tuple)
            yield Reading(part.name, np.arange(at, at + part.dim), is_number)
            at += part.dim


def multipliers(engine: Engine, item: Item) -> Array:
    """Places of a constraint's multipliers λ, along its rows."""
    first = engine.arena.row_place(Row.LAM) + first_row(engine, item)
    return np.arange(first, first + item.type.block_of(item).dim)


def residual(engine: Engine, item: Item) -> Array:
    """Places of how far a constraint is open: c, or ċ of a constraint on velocities."""
    at, block = engine.record_place(item.key), item.type.block_of(item)
    first = at + block.dim if block.is_on_velocity else at
    return np.arange(first, first + block.dim)


def first_row(engine: Engine, item: Item) -> int:
    """The first of a constraint's rows among all rows."""
    batch, k = engine.structure.constraint_row(item.key)
    row = k * batch.block.dim
    for other in engine.structure.constraint_batches():
        if other is batch:
            break
        row += other.n * other.block.dim
    return row


def acting_force(engine: Engine, item: Item) -> Array | None:
    """Places of the force of a behavior on its first point or frame, or on its first measure."""
    if not item.type.acts:
        return None
    block, at = item.type.block_of(item), engine.record_place(item.key)
    for j, port in enumerate(block.ports):
        if any(kind.is_a(port.kind) for kind in (Point, Frame, Scalar)):
            size = port.kind.space(port.dim) or 1
            first = at + block.local[j]
            return np.arange(first, first + size)
    return None


def masses_of(engine: Engine, batch: ObjectBatch) -> Array:
    """The diagonals of the mass matrices of a batch, a row an object."""
    arena, uid, width = engine.arena, engine.structure.uid, batch.v.width
    numbers = arena.I[arena.index.by_uid + np.array([uid[item.key] for item in batch.items])]
    places = arena.I[arena.index.objects + numbers * Object.size + place_of(Object, "diagonals")] + width
    return np.asarray(arena.S[places[:, None] + np.arange(width)])


def read(engine: Engine, places: Array) -> Array:
    """The numbers at places of S, each one copied."""
    return np.asarray(engine.arena.S[places])


def read_some(engine: Engine, places: Array) -> Array:
    """The numbers at places of S, zero where a place is nowhere."""
    return np.where(places < 0, 0.0, engine.arena.S[places])


def write(engine: Engine, places: Array, value: float | Array) -> None:
    """Give the numbers at places of the state another value."""
    engine.arena.S[places] = value
    engine.moved()


# --- readings of one item, as values ---------------------------------------------------------------
def value_of(engine: Engine, item: Item, name: str) -> float | Array | None:
    """What a connector, constraint, behavior or field shows; None where it shows no such thing.

    The world must be evaluated."""
    match item.type.family:
        case "field":
            return _of_field(engine, item, name)
        case "behavior":
            record = engine.record(item)
            return {"energy": float(record[0]), "power": float(record[1])}.get(name)
        case "connector":
            return _motion(engine, item).get(name)
        case "constraint":
            if name == "force":
                return read(engine, multipliers(engine, item))
            if name != "gap":
                return _motion(engine, item).get(name)
            return 0.0 if engine.is_open(item) else float(np.abs(read(engine, residual(engine, item))).max())
    return None


def _motion(engine: Engine, item: Item) -> dict[str, Array]:
    record, block = engine.record(item), item.type.block_of(item)
    value, velocity = record[: block.dim], record[block.dim : 2 * block.dim]
    return {"value": velocity if block.is_on_velocity else value, "velocity": velocity}


def _of_field(engine: Engine, field: Item, name: str) -> float:
    """The energy or power of a field on all objects together."""
    place, total = ("energy", "power").index(name), 0.0
    S = engine.arena.S
    for (key, _), batch in engine.structure.field_batches.items():
        if key == field.key:
            size = batch.block.record
            total += S[batch.first_record + place : batch.first_record + batch.n * size : size].sum()
    return float(total)


def apart(engine: Engine) -> float:
    """The largest gap of a constraint: what is still on its way counts too. The world must be evaluated."""
    widest, structure = 0.0, engine.structure
    records = engine.arena.I[engine.arena.index.by_uid :]
    for batch in structure.constraint_batches():
        block = batch.block
        own = records[[structure.uid[item.key] for item in batch.items]]
        places = own[:, None] + (block.dim if block.is_on_velocity else 0) + np.arange(block.dim)
        is_held = engine.memories(batch)[:, -1] != Hold.OPEN
        gaps = np.abs(read(engine, places[is_held]))
        widest = max(widest, float(gaps.max(initial=0.0)))
    return widest


# --- whole vectors ---------------------------------------------------------------------------------
def parameter_places(engine: Engine, item: Item) -> dict[str, list[Array]]:
    """Where the numbers of a block's parameters lie, by name; those of a field stand once for each sort of
    object. What is a text, a truth or a table is left out."""
    kind = item.type
    if not isinstance(kind, BlockType) or not kind.acts:
        return {}
    if kind.family == "field":
        batches = engine.structure.field_batches.items()
        firsts = [batch.first_parameter for (key, _), batch in batches if key == item.key]
    else:
        firsts = [engine.parameter_place(item)] if engine.is_attached(item) else []
    layout, found = kind.layout(item.values), dict[str, list[Array]]()
    for name in layout.names:
        value = item.values.get(name)
        numbers = value if isinstance(value, tuple) else (value,)
        if all(isinstance(x, float) for x in numbers):
            at = layout.offset(name)
            found[name] = [np.arange(first + at, first + at + len(numbers)) for first in firsts]
    return found


def scalar_places(*cells: str) -> dict[str, int]:
    """Where scalars lie, by name."""
    return {name: place_of(Scalars, name) for name in cells}


def position_places(engine: Engine) -> Array:
    """Where all positions lie."""
    index = engine.arena.index
    return np.arange(index.q, index.q + index.nq)


def velocity_places(engine: Engine) -> Array:
    """Where all velocities lie."""
    index = engine.arena.index
    return np.arange(index.v, index.v + index.nv)


def flow(engine: Engine) -> Array:
    """q̇ of a first-order world that was just evaluated: W (Q + Jᵀλ)."""
    return engine.arena.velocity_vector(Vel.TOTAL).copy()


def positions(engine: Engine) -> Array:
    """q of everything."""
    return engine.arena.q.copy()


def velocities(engine: Engine) -> Array:
    """v of everything."""
    return engine.arena.v.copy()


# --- many places at once -----------------------------------------------------------------------------
class Places:
    """Where the numbers of objects and records lie, for whoever asks for hundreds; until the arena is laid
    out anew. Places of one item are a list, those of a batch an array with a row for each item."""

    def __init__(self, engine: Engine) -> None:
        # Lists are quicker than arrays where one number is wanted at a time.
        arena, index = engine.arena, engine.arena.index
        self._uid = engine.structure.uid
        self._by_uid: list[int] = arena.I[index.by_uid : index.by_uid + engine.structure.next_uid].tolist()
        self._objects = _rows(arena.I, index.objects, index.n_objects, Object.size)
        self._q, self._lift = place_of(Object, "q"), place_of(Object, "lift")
        self._nq, self._flags = place_of(Object, "nq"), place_of(Object, "flags")
        blocks = _rows(arena.I, index.jacobians, index.n_jacobians, Jacobian.size)
        constraint, object_ = place_of(Jacobian, "constraint"), place_of(Jacobian, "object")
        # of every block of J: its constraint, in the order of rows, and its object
        self.pulls: list[tuple[int, int]] = [(row[constraint], row[object_]) for row in blocks]

    def number(self, body: Item) -> int:
        """Which of all objects an object is."""
        return self._by_uid[self._uid[body.key]]

    # --- of one item -----------------------------------------------------------------------------
    def origin(self, item: Item) -> list[int]:
        """Where an object, a point or a frame is: two places in the plane, three in space."""
        first = self._position(item) if item.type.family == "object" else self._record(item)
        return _from(first, self._dimension(item))

    def axes(self, item: Item) -> list[int]:
        """The axes of a body or of a frame, by columns, as connectors see them."""
        is_object, n = item.type.family == "object", self._dimension(item)
        return _from((self._seen(item) if is_object else self._record(item)) + n, n * n)

    def force_on(self, behavior: Item, j: int) -> list[int]:
        """The force of a behavior on its input j, along the velocities of an object or the numbers of a
        connector."""
        block = behavior.type.block_of(behavior)
        return _from(self._record(behavior) + block.local[j], block.ports[j].width)

    # --- of batches ------------------------------------------------------------------------------
    def states(self, batch: ObjectBatch, part: str = "") -> Array:
        """q of objects, or one part of it by its name."""
        first, size = 0, batch.type.nq
        for one in batch.type.positions if part else ():
            size = one.dim
            if one.name == part:
                break
            first += size
        return self._many(map(self._position, batch.items), first, size)

    def lifts(self, batch: ObjectBatch) -> Array:
        """What connectors see of objects: their lift ℓ(q)."""
        seen = self._position if batch.type.is_linear else self._seen
        return self._many(map(seen, batch.items), 0, batch.type.dim)

    def values(self, batch: ConnectorBatch) -> Array:
        """Values of connectors."""
        return self._many(map(self._record, batch.items), 0, batch.block.dim)

    def field_forces(self, batch: FieldBatch) -> Array:
        """The forces of a field on objects, along their velocities."""
        records = batch.first_record + batch.block.record * np.arange(batch.n)
        return self._many(records, batch.block.local[0], batch.objects.nv)

    # --- the forces of constraints, which are no numbers of S ------------------------------------
    def room_for_pulls(self) -> Array:
        """Room for what the constraints do to objects, into which the program pulls it."""
        return np.zeros(PULLED * len(self.pulls))

    def pull(self, k: int) -> list[int]:
        """Where the pull k lies in that room: force and torque in space, as far as its object has them."""
        return _from(PULLED * k, PULLED)

    # --- where things begin ----------------------------------------------------------------------
    def _record(self, item: Item) -> int:
        return self._by_uid[self._uid[item.key]]

    def _position(self, body: Item) -> int:
        return self._objects[self.number(body)][self._q]

    def _seen(self, body: Item) -> int:
        return self._objects[self.number(body)][self._lift]

    def _dimension(self, item: Item) -> int:
        """Of the space in which an object, a point or a frame has its place: 2 or 3."""
        if item.type.family != "object":
            return 2 if item.type.block_of(item).dim in (2, 6) else 3
        row = self._objects[self.number(item)]
        is_planar = row[self._nq] in (2, 6) or row[self._flags] & Flag.PLANAR  # troids in the plane have six
        return 2 if is_planar else 3

    def _many(self, firsts: Iterable[int], displacement: int, size: int) -> Array:
        return np.array([*firsts], np.int64)[:, None] + (displacement + np.arange(size))


def _from(first: int, count: int) -> list[int]:
    return list(range(first, first + count))


def _rows(ints: Array, first: int, count: int, size: int) -> list[list[int]]:
    rows: list[list[int]] = ints[first : first + count * size].reshape(-1, size).tolist()
    return rows
