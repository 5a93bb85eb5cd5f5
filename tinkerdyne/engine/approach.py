"""Approaches: what `begin` does to the constraints of a world after an edit or a file, and taking it back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.records import Hold, Row
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item


@dataclass(frozen=True)
class Begun:
    """A constraint that started a new approach, and its memory before."""

    gap: float  # |c − r|
    rate: float  # |ċ|
    constraint: Item
    memory: Array


def begin(engine: Engine) -> list[Begun]:
    """Let constraints that are not where they should be start an approach; which did, the widest first."""
    engine.pull_state()
    engine.program.begin(engine.arena)
    engine.scalars.ready = 0.0
    reference = engine.arena.row_vector(Row.REF)
    approaches: list[Begun] = []
    row = 0
    for batch in engine.structure.constraint_batches():
        d = batch.block.dim
        for item, before, after in zip(batch.items, batch.memory.live, engine.memories(batch), strict=True):
            if not np.array_equal(after, before) and after[-1] != Hold.OPEN:
                record = engine.record(item)
                gap = float(np.abs(record[:d] - reference[row : row + d]).max())
                rate = float(np.abs(record[d : 2 * d]).max())
                approaches.append(Begun(gap, rate, item, before.copy()))
            row += d
    return sorted(approaches, key=lambda begun: (begun.gap, begun.rate), reverse=True)


def take_back(engine: Engine, begun: list[Begun]) -> None:
    """Let constraints go on as they did before."""
    for approach in begun:
        engine.set_memory(approach.constraint, approach.memory)
    engine.count_yielding()  # `begin` had made them try again
