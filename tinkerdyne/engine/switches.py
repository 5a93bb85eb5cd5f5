"""Switches: what a constraint, behavior or field has in the arena that lets it act, for who switches it there
without laying the arena out anew."""

from __future__ import annotations

from typing import NamedTuple

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.batches import BehaviorBatch, BlockBatch, ConstraintBatch
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.records import BehaviorKernels, BlockOffsets, Kind
from tinkerdyne.language.item import Item

# Of a row of the table of behaviors, and of the offsets of one of them.
CELLS = {
    "n": place_of(BehaviorKernels, "n"),
    "offsets": place_of(BehaviorKernels, "offsets"),
    "stride": place_of(BehaviorKernels, "stride"),
    "record": place_of(BlockOffsets, "record"),
}


class Run(NamedTuple):
    """The row of a batch in I, which instance of it is run (−1: all), and the records that it writes in S."""

    row: int
    instance: int
    records: list[tuple[int, int]]


class Switch(NamedTuple):
    """The memory of a constraint in S, first place and length; and what is run of a behavior or field."""

    memory: tuple[int, int] | None
    runs: list[Run]


def switch_of(engine: Engine, item: Item) -> Switch | None:
    """How an item is switched; None for what is always there."""
    match item.type.family:
        case "constraint":
            batch, k = engine.structure.constraint_row(item.key)
            if batch.block.kind not in (Kind.POSITION, Kind.RATE):
                return None  # a stop, or dry friction, opens and closes by itself
            return Switch(_memory(batch, k), [])
        case "behavior" if item.type.acts:  # not a rule of contact
            found, k = engine.structure.row(item)
            assert isinstance(found, BehaviorBatch)
            return Switch(None, [Run(_row(engine, found), k, [_record(found, k)])])
        case "field" if item.type.acts:
            batches = [one for (key, _), one in engine.structure.field_batches.items() if key == item.key]
            return Switch(None, [Run(_row(engine, one), -1, _records(one)) for one in batches])
    return None


def _memory(batch: ConstraintBatch, k: int) -> tuple[int, int]:
    width = batch.memory.width
    return batch.first_memory + k * width, width


def _record(batch: BlockBatch, k: int) -> tuple[int, int]:
    return batch.first_record + k * batch.block.record, batch.block.record


def _records(batch: BlockBatch) -> list[tuple[int, int]]:
    return [_record(batch, k) for k in range(batch.n)]


def _row(engine: Engine, batch: BlockBatch) -> int:
    """The place in I of the batch's row: its first instance has the first record."""
    index = engine.arena.index
    for b in range(index.n_behavior_batches):
        row = BehaviorKernels.of(index, b)
        if row.n and BlockOffsets(index.array[row.offsets :]).record == batch.first_record:
            return int(index.behavior_batches + b * BehaviorKernels.size)
    raise AssertionError("a batch that acts has a row")
