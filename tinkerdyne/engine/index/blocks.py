"""The index of connectors and constraints: records, offset tables, and by which ways they depend on objects.

A block depends on the objects that its inputs depend on. Each such way has a Jacobian: the block's own
derivative where the input is an object, else Df J of the input's, summed over the ways to the same object
(ID90 eq. 6).
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.evaluate import VALUE
from tinkerdyne.engine.index.room import FEW, SPARE, Source, has_room, take_floats, take_offsets, take_words
from tinkerdyne.engine.records import (
    BatchHead,
    BlockKernels,
    BlockOffsets,
    Composed,
    Composition,
    Constraint,
    Family,
    Flag,
    Index,
    InputOffsets,
    Jacobian,
    Object,
    PortEntry,
    Way,
)

KERNELS, WIND = 5, 5  # kernels in the order of a batch from VALUE on; the one that counts turns follows them
GAINS = 3  # τ, k_s and k_d, the last parameters of a constraint


@compiled
def index_blocks(D: BatchHead, I: Index, sources: Source, constraint: int, row: int) -> int:
    """One batch of connectors, or of constraints from this number and row on; 0 when I is too small."""
    n = D.n
    ports = D.ports
    start_batch(D, I)
    uids = at(D, BatchHead.size + PortEntry.size * ports)
    inputs = at(uids, n)
    for i in range(n):
        record = take_floats(I, D.record)
        t = BlockOffsets(take_offsets(I, BlockOffsets.size + InputOffsets.size * ports))
        t.parameters = D.parameters + i * D.np
        t.record = record
        start = I.n_pool
        if index_inputs(D, I, sources, at(inputs, i * ports), t, start) == 0:
            return 0
        source = Source.of(sources, uids[i])
        source.family = D.family
        source.record = record
        source.first_way = start
        source.n_ways = I.n_pool - start
        I[I.by_uid + uids[i]] = record
        if D.family == Family.CONSTRAINT:
            index_constraint(D, I, i, constraint + i, row + i * D.dim, record, start)
    return 1


@inlined
def start_batch(D: BatchHead, I: Index) -> None:
    """The row of a batch, and room for its parameters and memories."""
    row = BlockKernels.of(I, I.n_block_batches)
    I.n_block_batches += 1
    row.n = D.n
    row.offsets = I.next_table
    for k in range(KERNELS):
        row[VALUE + k] = D.kernels[k]
    row.family = D.family
    row.wind = D.kernels[WIND]
    D.parameters = take_floats(I, D.n * D.np)
    D.memories = take_floats(I, D.n * D.memory)
    D.records = I.next_float


@inlined
def index_inputs(D: BatchHead, I: Index, sources: Source, inputs: Ints, t: BlockOffsets, start: int) -> int:
    """Where the kernels of one instance find its inputs, and its ways from `start` on; 0 when I is too
    small."""
    record = t.record
    for j in range(D.ports):
        P = PortEntry(at(D, BatchHead.size + PortEntry.size * j))
        source = Source.of(sources, inputs[j])
        place = InputOffsets(at(t, BlockOffsets.size + InputOffsets.size * j))
        place.value = source.record
        n = source.n_ways
        if has_room(I, 2 * n + SPARE, FEW, 1, n + SPARE) == 0:
            return 0
        if source.family == Family.OBJECT:
            place.velocity = Object.of(I, source.object).v
            depend(I, P, record, D.dim, start, source.object, record + P.place, 1)
        else:
            place.velocity = source.record + P.dim
            for a in range(n):
                way = Way.of(I, source.first_way + a)
                # Df = 1: the input's block serves
                depend(I, P, record, D.dim, start, way.object, way.block, 1 if P.sign == 1 else 0)
    return 1


# --- ways to objects ---------------------------------------------------------------------------------------


@compiled
def add_composition(I: Index, kind: int, target: int, m: int, n: int, Df: int, inner: int, J: int) -> None:
    """One more step of the composition of Jacobians (see engine.evaluate.compose)."""
    step = Composition.of(I, I.n_compositions)
    I.n_compositions += 1
    step.kind = kind
    step.target = target
    step.rows = m
    step.columns = n
    step.Df = Df
    step.inner = inner
    step.J = J


@compiled
def depend(I: Index, P: PortEntry, record: int, m: int, start: int, target: int, J: int, direct: int) -> None:
    """A block of m rows, whose ways begin at `start`, depends on an object through one input: by J as it is
    (direct: its own derivative, or the input's), or by Df J."""
    e = start
    while e < I.n_pool and Way.of(I, e).object != target:
        e += 1
    way = Way.of(I, e)
    if e == I.n_pool:
        I.n_pool += 1
        way.object = target
        add_way(I, P, way, record, m, J, direct)
    else:
        add_to_way(I, P, way, record, m, J, direct)


@inlined
def add_way(I: Index, P: PortEntry, way: Way, record: int, m: int, J: int, direct: int) -> None:
    """The first way to an object: its block is J, or a new one, y = Df J."""
    way.block = J
    way.is_own = 1 - direct
    if direct == 0:
        nv = Object.of(I, way.object).nv
        way.block = take_floats(I, m * nv)
        kind = Composed.NEGATIVE if P.sign == -1 else Composed.PRODUCT
        add_composition(I, kind, way.block, m, nv, record + P.place, P.dim, J)


@inlined
def add_to_way(I: Index, P: PortEntry, way: Way, record: int, m: int, J: int, direct: int) -> None:
    """Another way to the same object: give the sum a block of its own, then add to it."""
    nv = Object.of(I, way.object).nv
    if way.is_own == 0:
        own = take_floats(I, m * nv)
        add_composition(I, Composed.COPY, own, m, nv, 0, 0, way.block)
        way.block = own
        way.is_own = 1
    kind = Composed.ADD
    if direct == 0:
        kind = Composed.SUBTRACT if P.sign == -1 else Composed.ADD_PRODUCT
    add_composition(I, kind, way.block, m, nv, record + P.place, P.dim, J)


# --- constraints -------------------------------------------------------------------------------------------


@inlined
def index_constraint(D: BatchHead, I: Index, i: int, number: int, row: int, record: int, start: int) -> None:
    """The table's entry of instance i, whose ways begin at `start`."""
    C = Constraint.of(I, number)
    parameters = D.parameters + i * D.np
    C.row = row
    C.dim = D.dim
    C.record = record
    C.memory = D.memories + i * D.memory
    C.tau = parameters + D.np - GAINS
    C.kind = D.kind
    C.restitution = parameters + D.restitution if D.restitution >= 0 else -1
    C.limit = parameters + D.limit if D.limit >= 0 else -1
    C.jacobian = start
    C.n_jacobians = I.n_pool - start
    C.effort = D.flags
    if D.flags != 0:
        I.nonsquare += 1
        I.n_effort += D.flags


@compiled
def index_jacobians(I: Index) -> int:
    """The blocks of J on objects that may move, from the constraints' ways; 0 when I is too small."""
    most = 0
    for c in range(I.n_constraints):
        most += Constraint.of(I, c).n_jacobians
    if I.ints_used + most * Jacobian.size + SPARE > I.pool:
        I.ints_wanted = 2 * I.capacity
        return 0
    I.jacobians = I.ints_used
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        first = C.jacobian
        count = C.n_jacobians
        C.jacobian = n
        for a in range(count):
            way = Way.of(I, first + a)
            T = Object.of(I, way.object)
            if T.flags & Flag.FIXED == 0:
                block = Jacobian.of(I, n)
                block.row = C.row
                block.dim = C.dim
                block.v = T.v
                block.nv = T.nv
                block.J = way.block
                block.object = way.object
                block.G = take_floats(I, C.dim * T.nv)
                block.constraint = c
                n += 1
                T.n_incidences += 1
        C.n_jacobians = n - C.jacobian
    I.n_jacobians = n
    take_words(I, n * Jacobian.size)
    return 1
