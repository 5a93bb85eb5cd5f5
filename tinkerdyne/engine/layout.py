"""Laying the arena out: the compiled index over all batches, the plan of elimination, and all state carried
over."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.arena import Arena
from tinkerdyne.engine.batches import (
    Batch,
    ConstraintBatch,
    FieldBatch,
    ObjectBatch,
    Trait,
)
from tinkerdyne.engine.index.room import Source
from tinkerdyne.engine.records import BatchHead, Family, Index
from tinkerdyne.engine.settings import SOLVERS
from tinkerdyne.engine.structure import BatchKey, Structure
from tinkerdyne.engine.svd import MOST_ROWS
from tinkerdyne.engine.svd import room as svd_room
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Block
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.fields import field_block
from tinkerdyne.objects.object import ObjectType

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine

PLACES = place_of(BatchHead, "parameters")  # in a head: of parameters, then of memories and of records


class Overview(NamedTuple):
    """What there is in a world, as of the last laying out."""

    nq: int = 0  # numbers of all positions
    nv: int = 0  # of all velocities
    rows: int = 0  # of all constraints
    depends_on_time: bool = False  # a formula does, or a constraint holds velocities
    has_stops: bool = False  # one-sided constraints
    has_rates: bool = False  # constraints on velocities
    counts_turns: bool = False
    is_nonsquare: bool = False  # a constraint has more or fewer force directions than rows
    mass_varies: bool = False  # a mass matrix depends on the state
    is_unbalanced: bool = False  # potential energies change by themselves
    is_conservative: bool = True  # every force has a potential


def lay_out(engine: Engine) -> None:
    """Build the index anew after a change of the structure, and carry all state over.

    The arena stays stale until all is done: whatever cuts this short, the next call begins from scratch."""
    ordered = ordered_batches(engine.structure)
    description, heads = described(ordered)
    sources = Source.size * engine.structure.next_uid
    if len(engine.arena.work) < sources:
        engine.arena = engine.arena.grown(work=np.zeros(2 * sources, np.int64))
    while (floats := engine.program.index_world(description, len(ordered), engine.structure.next_uid)) < 0:
        most = max(2 * len(engine.arena.I), engine.arena.index.ints_wanted)
        engine.arena = engine.arena.grown(ints=np.zeros(most, np.int64))
    store = _planned(engine)
    dense = _dense_room(engine, floats)
    engine.arena.index.store = floats + dense
    _clear(engine, floats + dense + store)
    arena = engine.arena
    _place(arena, ordered, description, heads)
    engine.overview = _summarised(arena.index, ordered, is_first_order=engine.is_first_order)
    arena.place_vectors()
    engine.push_state()
    arena.scalars.ready = arena.scalars.factored = 0.0
    engine.rebuilds += 1
    engine.is_stale = False


def _dense_room(engine: Engine, first: int) -> int:
    """Room for the dense solver, from `first` on, where it is chosen; how much."""
    index, is_dense = engine.arena.index, engine.scalars.solver == SOLVERS["svd"]
    is_small = is_dense and 0 < index.nr <= MOST_ROWS
    index.svd = first if is_small else 0
    if not is_small:
        return 0
    widest = max((batch.v.width for batch in engine.structure.object_batches()), default=0)
    return svd_room(index.nr, index.nv, widest)


def ordered_batches(structure: Structure) -> list[Batch]:
    """All batches in the order of the index: blocks by level, then behaviors, then fields."""
    if structure.ordered is None:
        for key in [key for key, batch in structure.batches.items() if not batch.n]:
            del structure.batches[key]
        ordered = sorted(
            structure.batches.values(),
            key=lambda batch: (batch.family > Family.CONSTRAINT, batch.level, batch.items[0].key),
        )
        structure.ordered = [*ordered, *_field_batches(structure)]
    return structure.ordered


def described(ordered: list[Batch]) -> tuple[Array, list[int]]:
    """All descriptions one behind the other, and where each begins."""
    parts = [batch.description() for batch in ordered]
    heads = list(accumulate([len(part) for part in parts], initial=0))[:-1]
    return np.concatenate(parts) if parts else np.zeros(1, np.int64), heads


def _planned(engine: Engine) -> int:
    """Elimination order and fronts of the KKT matrix, behind the index in I; returns the floats of the
    factor."""
    while True:
        arena = engine.arena
        arena.index.plan = arena.index.ints_used
        floats = engine.program.plan_world()
        if floats >= 0:
            return floats
        # Too small: the plan or its work space. Grow both; what the index wrote is kept.
        engine.arena = arena.grown(
            ints=np.concatenate([arena.I, np.zeros(len(arena.I), np.int64)]),
            work=np.zeros(2 * len(arena.work), np.int64),
        )


def _clear(engine: Engine, floats: int) -> None:
    """Room for so many floats, zero where that matters."""
    arena = engine.arena
    if len(arena.S) < floats + 64:
        engine.arena = arena.grown(floats=np.zeros(int(1.5 * floats) + 1024))
        return
    # Kernels write only the structural nonzeros of their blocks: the rest must be zero. Multipliers start
    # from zero.
    index = arena.index
    for first, end in (
        (index.records, index.matrix),
        (index.gyro, index.lifts),
        (index.row_vectors, index.velocity_vectors),
    ):
        arena.S[first:end] = 0.0


def _place(arena: Arena, ordered: list[Batch], description: Array, heads: list[int]) -> None:
    """Tell every batch where its rows lie."""
    q, v = arena.index.q, arena.index.v
    for batch, where in zip(ordered, heads, strict=True):
        told = description[where + PLACES : where + PLACES + 3].tolist()
        batch.first_parameter, memories, batch.first_record = told
        if isinstance(batch, ConstraintBatch):
            batch.first_memory = memories
        elif isinstance(batch, ObjectBatch):
            batch.first_q, batch.first_v = q, v
            q += batch.n * batch.q.width
            v += batch.n * batch.v.width


def _summarised(index: Index, ordered: list[Batch], *, is_first_order: bool) -> Overview:
    """What the steppers want to know of all batches at once, also into the header of the arena."""
    traits = 0
    for batch in ordered:
        traits |= batch.traits
    has_rates, works = bool(traits & Trait.RATES), bool(traits & Trait.WORKS)
    moves = bool(traits & (Trait.RATES | Trait.TIMED))
    is_led = bool(traits & Trait.LED) and any([batch.family > Family.CONSTRAINT for batch in ordered])
    is_unbalanced = is_led or bool(traits & Trait.SWELLS)
    stops = sum([batch.n for batch in ordered if batch.traits & Trait.STOPS])
    index.order = 1 if is_first_order else 2
    index.moves, index.works, index.unbalanced, index.rates = moves, works, is_unbalanced, has_rates
    index.winds, index.jumps = bool(traits & Trait.WINDS), bool(traits & Trait.JUMPS)
    index.stops = stops
    index.is_constant = traits & (Trait.MEASURES | Trait.CURVED | Trait.VARIES) == Trait.MEASURES
    return Overview(
        nq=index.nq,
        nv=index.nv,
        rows=index.nr,
        depends_on_time=moves,
        has_stops=stops > 0,
        has_rates=has_rates,
        counts_turns=bool(traits & Trait.WINDS),
        is_nonsquare=bool(index.nonsquare),
        mass_varies=bool(index.mass_varies),
        is_unbalanced=is_unbalanced,
        is_conservative=not works,
    )


# --- fields ----------------------------------------------------------------------------------------
_field_blocks: dict[tuple[int, int, int], Block] = {}


def field_of(item: Item, type: ObjectType) -> Block:
    """The block of a field item on one object type, made once."""
    layout = item.type.layout(item.values)
    key = (id(item.type), id(type), layout.size)
    if key not in _field_blocks:
        _field_blocks[key] = field_block(f"field {item.type.name}", item.type.formula, type, layout)
    return _field_blocks[key]


def field_blocks(structure: Structure) -> dict[tuple[int, BatchKey], Block]:
    """The block of each field on each batch of objects; a field that cannot act on one is refused."""
    blocks: dict[tuple[int, BatchKey], Block] = {}
    for field in structure.fields:
        if not field.values["is_on"]:
            continue
        for key, objects in structure.batches.items():
            if not isinstance(objects, ObjectBatch) or not objects.n:
                continue
            try:
                blocks[(field.key, key)] = field_of(field, objects.type)
            except (TypeError, ValueError) as problem:
                said = (
                    f"{label(field)} cannot act on {label(objects.items[0])}: {problem}; remove one of them"
                )
                raise type(problem)(said) from problem
    return blocks


def _field_batches(structure: Structure) -> list[FieldBatch]:
    """One batch for each field and each object batch."""
    batches = {}
    blocks = field_blocks(structure)
    for field, key in sorted(blocks, key=lambda pair: (pair[0], structure.batches[pair[1]].items[0].key)):
        objects, block = structure.batches[key], blocks[(field, key)]
        assert isinstance(objects, ObjectBatch)
        batch = structure.field_batches.get((field, key))
        if batch is None or batch.block is not block or batch.items is not objects.items:
            batch = FieldBatch(block, objects)
        batches[(field, key)] = batch
    structure.field_batches = batches
    return list(batches.values())
