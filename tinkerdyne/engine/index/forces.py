"""The index of behaviors and fields: records, offset tables, and the objects that their forces reach.

The record of a behavior holds its energy and power, the forces on its inputs, then for each input the square
block of damping or stiffness, then, where inputs are coupled, the row sums of the stiffness between them.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.evaluate import FORCE, Energies
from tinkerdyne.engine.index.room import FEW, Source, has_room, take_floats, take_offsets
from tinkerdyne.engine.records import (
    BatchHead,
    BehaviorKernels,
    BlockOffsets,
    Coupling,
    Damping,
    Effect,
    Family,
    FieldOffsets,
    Flag,
    Index,
    InputOffsets,
    Object,
    PortEntry,
    Pull,
    Way,
)
from tinkerdyne.language.block import MOST_PAIRED

KERNELS, SPATIAL = 3, 3  # kernels in the order of a batch from FORCE on; the one in world axes follows them


@compiled
def index_forces(D: BatchHead, I: Index, sources: Source) -> int:
    """One batch of behaviors, or of a field on one batch of objects; 0 when I is too small.

    A field has one row of parameters for all objects, and reads the objects' own parameters too.
    """
    is_field = D.family == Family.FIELD
    n = D.n
    ports = D.ports
    stride = FieldOffsets.size if is_field else BlockOffsets.size + InputOffsets.size * ports
    uids = at(D, BatchHead.size + PortEntry.size * ports)
    inputs = at(uids, 0 if is_field else n)
    start_batch(D, I, stride)
    D.parameters = take_floats(I, (1 if is_field else n) * D.np)
    D.records = I.next_float
    for i in range(n):
        record = take_floats(I, D.record)
        t = BlockOffsets(take_offsets(I, stride))
        t.parameters = D.parameters + (0 if is_field else i * D.np)
        t.record = record
        if is_field:
            FieldOffsets(t).object = Source.of(sources, inputs[i]).parameters
        else:
            source = Source.of(sources, uids[i])
            source.family = Family.BEHAVIOR
            source.record = record
            source.n_ways = 0
            I[I.by_uid + uids[i]] = record
        if index_inputs(D, I, sources, at(inputs, i * ports), t) == 0:
            return 0
    return 1


@inlined
def start_batch(D: BatchHead, I: Index, stride: int) -> None:
    """The row of a batch."""
    row = BehaviorKernels.of(I, I.n_behavior_batches)
    I.n_behavior_batches += 1
    row.n = D.n
    row.offsets = I.next_table
    for k in range(KERNELS):
        row[FORCE + k] = D.kernels[k]
    row.stride = stride
    row.spatial = D.kernels[SPATIAL]
    row.is_field = 1 if D.family == Family.FIELD else 0
    if D.flags & Effect.DAMPS != 0:
        I.has_damping = 1


@inlined
def width_of(P: PortEntry) -> int:
    """Numbers of the force on an input."""
    return P.dim if P.nv == 0 else P.nv


@inlined
def index_inputs(D: BatchHead, I: Index, sources: Source, inputs: Ints, t: BlockOffsets) -> int:
    """Where the kernels of one instance find its inputs, and what its forces on them reach; 0 when I is too
    small."""
    ports = D.ports
    square = t.record + Energies.size
    for j in range(ports):
        square += width_of(PortEntry(at(D, BatchHead.size + PortEntry.size * j)))
    sums = square
    for j in range(ports):
        width = width_of(PortEntry(at(D, BatchHead.size + PortEntry.size * j)))
        sums += width * width
    for j in range(ports):
        P = PortEntry(at(D, BatchHead.size + PortEntry.size * j))
        source = Source.of(sources, inputs[j])
        if has_room(I, 1, source.n_ways + FEW, ports, 1) == 0:
            return 0
        first = I.n_dampings
        pull_input(
            I, P, source, InputOffsets(at(t, BlockOffsets.size + InputOffsets.size * j)), t.record, square
        )
        width = width_of(P)
        square += width * width
        if D.flags & Effect.COUPLES != 0:
            sums = couple_input(I, sources, inputs, ports, j, width, sums, first)
    return 1


@inlined
def pull_input(I: Index, P: PortEntry, source: Source, place: InputOffsets, record: int, square: int) -> None:
    """The force on one input, and its square block, reach the input, or by J all objects that it depends
    on."""
    force = record + P.place
    place.value = source.record
    if source.family == Family.OBJECT:
        place.velocity = Object.of(I, source.object).v
        add_pull(I, force, square, 0, 0, source.object)
    else:
        place.velocity = source.record + P.dim
        for a in range(source.n_ways):
            way = Way.of(I, source.first_way + a)
            add_pull(I, force, square, P.dim, way.block, way.object)


@compiled
def add_pull(I: Index, force: int, square: int, inner: int, J: int, target: int) -> None:
    """A force, and the square block of its damping or stiffness, reach an object: by J (inner rows), or as
    they are (inner = 0)."""
    T = Object.of(I, target)
    pull = Pull.of(I, I.n_pulls)
    I.n_pulls += 1
    pull.force = force
    pull.inner = inner
    pull.J = J
    pull.v = T.v
    pull.nv = T.nv
    damping = Damping.of(I, I.n_dampings)
    I.n_dampings += 1
    damping.block = square
    damping.inner = inner
    damping.J = J
    damping.object = target


# --- stiffness between inputs ------------------------------------------------------------------------------


@compiled
def may_move(I: Index, source: Source) -> int:
    """Whether an input reaches an object that may move."""
    if source.family == Family.OBJECT:
        return 1 if Object.of(I, source.object).flags & Flag.FIXED == 0 else 0
    for a in range(source.n_ways):
        target = Way.of(I, source.first_way + a).object
        if Object.of(I, target).flags & Flag.FIXED == 0:
            return 1
    return 0


@compiled
def couple_input(
    I: Index, sources: Source, inputs: Ints, ports: int, j: int, width: int, sums: int, first: int
) -> int:
    """Input j is coupled to the others that may move, each by row sums of its own, or where there are many,
    all by one; returns the place behind these sums.

    They act through the dampings of input j, from `first` on.
    """
    n_moving = 0
    for b in range(ports):
        if b != j:
            moves = may_move(I, Source.of(sources, inputs[b]))
            n_moving += moves
            if ports <= MOST_PAIRED:
                if moves != 0:
                    add_coupling(I, sums, first)
                sums += width
    if ports > MOST_PAIRED:
        if n_moving > 0:
            add_coupling(I, sums, first)
        sums += width
    return sums


@inlined
def add_coupling(I: Index, sums: int, first: int) -> None:
    """The stiffness of an input with others, by row sums, acts through the dampings from `first` on."""
    coupling = Coupling.of(I, I.n_couplings)
    I.n_couplings += 1
    coupling.sums = sums
    coupling.first = first
    coupling.count = I.n_dampings - first
