"""Constraints that an edit does not touch go on as they were.

After an edit `begin` lets every constraint that is off start a new approach, from its place and its velocity.
Störmer's method and the energy–momentum step hold places only: their velocities break constraints by an error
of the step, which is no motion to go on with. Taken for one, it opened joints by ċ τ/e at every edit, a tenth
of a metre at 1/60 s, while the gap from the new reference r(t) read zero.

All of it happens beside the arena, on a copy of its numbers that takes their place in one assignment: an
interrupt between the beginning and the going on would leave approaches that no edit asked for.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.engine.arena import Arena
from tinkerdyne.engine.batches import ConstraintBatch
from tinkerdyne.engine.records import Hold, Row
from tinkerdyne.engine.steppers.motion import MET
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine

PLACES_ONLY = ("stormer", "energy_momentum")  # methods whose velocities need not keep the constraints


def begin_touched(engine: Engine, touched: Collection[int]) -> None:
    """Let constraints that are not where they should be start an approach, but those that an edit has not
    touched go on, as far as their place is met."""
    before = [engine.memories(batch).copy() for batch in engine.structure.constraint_batches()]
    beside = engine.arena.grown(floats=engine.numbers())
    engine.program.begin(beside)
    _go_on(engine, beside, before, touched)
    engine.arena.S[:] = beside.S


def _go_on(engine: Engine, arena: Arena, before: list[Array], touched: Collection[int]) -> None:
    """Give constraints that began anew their memory back, where their place is met, and no edit since the
    last step has changed them, or what they are plugged into."""
    first, is_any = 0, False
    reference, tolerance = arena.row_vector(Row.REF), max(MET, arena.scalars.tolerance)
    for batch, was in zip(engine.structure.constraint_batches(), before, strict=True):
        rows = batch.n * batch.block.dim
        now = engine.memories(batch, arena)
        for k in _begun(batch, was, now, reference[first : first + rows], tolerance):
            if not _is_touched(batch.items[k], touched):
                now[k] = was[k]
                is_any = True
        first += rows
    if is_any:
        engine.count_yielding(arena)


def _begun(batch: ConstraintBatch, was: Array, now: Array, reference: Array, tolerance: float) -> Array:
    """Which constraints of a batch began anew although they were held, and are in their place."""
    d = batch.block.dim
    if batch.block.is_stop or not batch.n:
        return np.zeros(0, int)
    gap = np.abs(now[:, d : 2 * d] - reference.reshape(batch.n, d)).max(axis=1)
    return np.nonzero((now != was).any(axis=1) & (was[:, -1] == Hold.EXACT) & (gap <= tolerance))[0]


def _is_touched(item: Item, touched: Collection[int]) -> bool:
    return item.key in touched or any(_is_touched(source, touched) for source in item.inputs)
