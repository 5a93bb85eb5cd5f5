"""Snapshots: the state of a whole world at one moment, as a value."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tinkerdyne.engine.batches import Batch, ConnectorBatch, ConstraintBatch, ObjectBatch
from tinkerdyne.engine.records import Scalars
from tinkerdyne.language.arrays import Array

if TYPE_CHECKING:
    from tinkerdyne.engine.contact.memory import ContactMemory
from tinkerdyne.engine.structure import Structure

Keys = tuple[int, ...]


@dataclass(frozen=True)
class Snapshot:
    """Time, state and stepper's memory of everything, by item key, a row an item."""

    scalars: Array
    states: tuple[tuple[Keys, Array, Array], ...]  # of objects: q and v
    memories: tuple[tuple[Keys, Array], ...]  # of constraints
    turns: tuple[tuple[Keys, Array], ...]  # of connectors that count them
    contacts: ContactMemory | None = None
    # what came after it, before anything moved
    later: dict[int, tuple[Array, Array]] = field(default_factory=dict)
    later_memory: dict[int, Array] = field(default_factory=dict)

    @property
    def time(self) -> float:
        """When it was taken [s]."""
        return Scalars(self.scalars).time

    @property
    def played_until(self) -> float:
        """Up to which time the timeline had been carried out [s]."""
        scalars = Scalars(self.scalars)
        return scalars.played_time if scalars.played else -math.inf

    @property
    def nbytes(self) -> int:
        """The memory that it takes, for the most part."""
        numbers = [self.scalars, *(rows for _, *parts in self.states for rows in parts)]
        numbers += [rows for _, rows in (*self.memories, *self.turns)]
        return sum(rows.nbytes for rows in numbers)

    def state_of_each(self) -> dict[int, tuple[Array, Array]]:
        """q and v of every object, by its key."""
        each = dict(self.later)
        for keys, qs, vs in self.states:
            each.update({key: (q, v) for key, q, v in zip(keys, qs, vs, strict=True)})
        return each


def taken(scalars: Array, batches: Iterable[Batch], contacts: ContactMemory | None) -> Snapshot:
    """The state that batches hold."""
    states, memories, turns = [], [], []
    for batch in batches:
        if isinstance(batch, ObjectBatch):
            states.append((batch.keys(), batch.q.live.copy(), batch.v.live.copy()))
        elif isinstance(batch, ConstraintBatch):
            memories.append((batch.keys(), batch.memory.live.copy()))
        elif isinstance(batch, ConnectorBatch) and batch.turns is not None:
            turns.append((batch.keys(), batch.parameters.live[:, batch.turns].copy()))
    return Snapshot(scalars.copy(), tuple(states), tuple(memories), tuple(turns), contacts)


def put_back(structure: Structure, shot: Snapshot) -> None:
    """Write a state into the batches; what is no longer there, or has another shape now, is passed over."""
    for key, (q, v) in shot.later.items():
        _put_state(structure, key, q, v)
    for key, memory in shot.later_memory.items():
        _put_memory(structure, key, memory)
    for keys, qs, vs in shot.states:
        for key, q, v in zip(keys, qs, vs, strict=True):
            _put_state(structure, key, q, v)
    for keys, memories in shot.memories:
        for key, memory in zip(keys, memories, strict=True):
            _put_memory(structure, key, memory)
    for keys, counts in shot.turns:
        for key, count in zip(keys, counts, strict=True):
            if structure.has(key):
                batch, row = structure.row_of(key)
                if isinstance(batch, ConnectorBatch) and batch.turns is not None:
                    batch.parameters.data[row, batch.turns] = count


def _put_state(structure: Structure, key: int, q: Array, v: Array) -> None:
    if structure.has(key):
        batch, row = structure.row_of(key)
        if isinstance(batch, ObjectBatch) and batch.q.width == len(q):
            batch.q.data[row], batch.v.data[row] = q, v


def _put_memory(structure: Structure, key: int, memory: Array) -> None:
    if structure.has(key):
        batch, row = structure.row_of(key)
        if isinstance(batch, ConstraintBatch) and batch.memory.width == len(memory):
            batch.memory.data[row] = memory
