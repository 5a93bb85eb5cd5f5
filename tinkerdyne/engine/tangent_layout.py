"""Laying the tangent matrix out, when a world first needs it: its kernels are compiled, its tables stand
behind the rest of I, its numbers behind the rest of S, and all else stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.engine.batches import Batch, BlockBatch, FieldBatch
from tinkerdyne.engine.index.room import Source
from tinkerdyne.engine.layout import described, ordered_batches
from tinkerdyne.engine.ldl.plan import Plan
from tinkerdyne.engine.tangent_records import (
    BlockShare,
    ElementBatch,
    ElementHead,
    End,
    Fall,
    FieldShare,
    Load,
    ObjectPair,
    Tangent,
)
from tinkerdyne.language.arrays import Array

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine

ALIGNED = 4  # numbers: the store of a factor begins at a whole tile


def lay_out_tangent(engine: Engine) -> None:
    """Make the tables of the tangent matrix for the arena as it is laid out now."""
    arena, program = engine.arena, engine.program
    ordered = ordered_batches(engine.structure)
    description, _ = described(ordered)
    uids = engine.structure.next_uid
    sources = np.zeros(Source.size * max(uids, 1), np.int64)
    scratch = np.zeros(len(arena.I), np.int64)
    while not program.find_ways(description, len(ordered), scratch, sources, uids):
        scratch = np.zeros(2 * len(scratch), np.int64)
    heads = _element_heads(ordered)
    given = description, len(ordered), scratch, sources, heads
    tables = np.zeros(Tangent.size, np.int64)
    program.measure_tangent(*given, tables)
    tables = _with_room(tables, engine, len(ordered))
    header = Tangent(tables)
    header.first_float = _end_of_floats(engine)
    floats = program.index_tangent(*given, tables)
    header.store = floats + -floats % ALIGNED
    tables, store = _planned(engine, tables)
    tables = _with_light_plan(engine, tables, store)
    engine.rebuilds += 1
    engine.arena = engine.arena.with_tangent(tables, Tangent(tables).store + store)


def _element_heads(ordered: list[Batch]) -> Array:
    """The kernel of each batch, compiled now where it is new, and which inputs it joins."""
    heads = np.zeros(ElementHead.size * len(ordered), np.int64)
    parts, at = [heads], len(heads)
    for k, batch in enumerate(ordered):
        if not isinstance(batch, BlockBatch) or isinstance(batch, FieldBatch) or batch.block.tangent is None:
            continue
        tangent = batch.block.tangent()
        head = ElementHead(heads[k * ElementHead.size :])
        head.kernel, head.joins = tangent.address, at
        parts.append(np.array(tangent.joins, np.int64))
        at += len(parts[-1])
    return np.concatenate(parts)


def _with_room(counted: Array, engine: Engine, batches: int) -> Array:
    """The header with the places of all tables, and room for them."""
    index, T = engine.arena.index, Tangent(counted.copy())
    nodes = index.n_constraints + index.n_objects
    pairs = index.n_jacobians + T.n_links
    wanted = {
        "batches": batches * ElementBatch.size,
        "offsets": T.n_offsets,
        "ends": T.n_ends * End.size,
        "shares": T.n_shares * BlockShare.size,
        "field_shares": T.n_field_shares * FieldShare.size,
        "loads": T.n_loads * Load.size,
        "falls": T.n_falls * Fall.size,
        "links": T.n_links * ObjectPair.size,
        "node_sizes": nodes,
        "node_signs": nodes,
        "node_diagonals": nodes,
        "object_nodes": index.n_objects,
        "object_links": index.n_objects,
        "adjoints": index.n_constraints,
        "pair_rows": pairs,
        "pair_columns": pairs,
        "pair_places": pairs,
        "stiff": index.n_objects,
        "light_rows": pairs,
        "light_columns": pairs,
        "light_places": pairs,
    }
    at = Tangent.size
    for name, words in wanted.items():
        setattr(T, name, at)
        at += words
    T.plan = at
    return np.concatenate([T.array, np.zeros(at - Tangent.size, np.int64)])


def _planned(engine: Engine, tables: Array) -> tuple[Array, int]:
    """The tables with the plan of the elimination behind them, and the floats of the factor."""
    first = Tangent(tables).plan
    tables = np.concatenate([tables, np.zeros(Plan.size, np.int64)])
    while (floats := engine.program.plan_tangent(tables)) < 0:
        plan = Plan(tables[first:])
        words, work = first + plan.words, plan.work_words
        if len(tables) < words:
            tables = np.concatenate([tables, np.zeros(words - len(tables), np.int64)])
        if len(engine.arena.work) < work:
            engine.arena = engine.arena.grown(work=np.zeros(work, np.int64))
    return tables[: first + Plan(tables[first:]).words].copy(), floats


def _with_light_plan(engine: Engine, tables: Array, store: int) -> Array:
    """The tables with room for the light plan and its analysis."""
    T, plan = Tangent(tables), Plan(tables[Tangent(tables).plan :])
    T.store_words, T.light_plan = store, len(tables)
    T.light_words = 2 * plan.words
    T.ordering = T.light_plan + T.light_words
    T.ordering_words = int(engine.program.light_work(T.array))
    return np.concatenate([tables, np.zeros(T.light_words + T.ordering_words, np.int64)])


def _end_of_floats(engine: Engine) -> int:
    """The first number of S behind those of the world."""
    index = engine.arena.index
    return index.store + (Plan(engine.arena.I[index.plan :]).store if index.n_nodes else 0)
