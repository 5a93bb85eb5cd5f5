"""The index of objects: slices of q, v and lift, mass blocks, and the offset tables of their kernels."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.evaluate import LIFT
from tinkerdyne.engine.index.room import Source, take_floats, take_offsets
from tinkerdyne.engine.records import BatchHead, Family, Flag, Index, Object, ObjectKernels, ObjectOffsets

KERNELS = 6  # of an object, in the order of its batch from LIFT on


@compiled
def index_objects(model: Ints, n_batches: int, I: Index, sources: Source) -> None:
    """All objects, batch by batch."""
    first = 0
    q = I.q
    v = I.v
    lift = I.lifts
    where = 0
    for _ in range(n_batches):
        D = BatchHead(at(model, where))
        if D.family == Family.OBJECT:
            index_batch(D, I, sources, first, q, v, lift)
            first += D.n
            q += D.n * D.nq
            v += D.n * D.nv
            if D.flags & Flag.LINEAR == 0:
                lift += D.n * D.dim
        where += D.length


@compiled
def index_batch(D: BatchHead, I: Index, sources: Source, first: int, q: int, v: int, lift: int) -> None:
    """One batch of objects from the first, whose slices begin at q, v and lift."""
    row = ObjectKernels.of(I, I.n_object_batches)
    I.n_object_batches += 1
    row.n = D.n
    row.offsets = I.next_table
    for k in range(KERNELS):
        row[LIFT + k] = D.kernels[k]
    row.q = q
    row.v = v
    row.nq = D.nq
    row.nv = D.nv
    row.flags = D.flags
    row.first = first
    D.parameters = take_floats(I, D.n * D.np)
    uids = at(D, BatchHead.size)
    fixed = at(uids, D.n)
    objects, flags = Object.of(I, first), D.flags
    for i in range(D.n):
        T = Object.of(objects, i)
        T.q = q + i * D.nq
        T.v = v + i * D.nv
        T.lift = T.q if flags & Flag.LINEAR != 0 else lift + i * D.dim
        T.flags = flags | (Flag.FIXED if fixed[i] != 0 else 0)
        if flags & Flag.VARIES != 0 and fixed[i] == 0:
            I.mass_varies = 1
        index_object(D, I, T)
        t = ObjectOffsets(take_offsets(I, ObjectOffsets.size))
        t.parameters = D.parameters + i * D.np
        fill_offsets(I, T, t)
        source = Source.of(sources, uids[i])
        source.family = Family.OBJECT
        source.record = T.lift
        source.object = first + i
        source.n_ways = 0
        source.parameters = t.parameters
        I[I.by_uid + uids[i]] = first + i


@inlined
def index_object(D: BatchHead, I: Index, T: Object) -> None:
    """The sizes of an object, and room for its masses."""
    nv = D.nv
    T.nq = D.nq
    T.nv = nv
    T.diagonals = take_floats(I, 2 * nv)
    T.M = take_floats(I, nv * nv)
    T.W = take_floats(I, nv * nv)
    T.hub = -1
    T.incidence = 0
    T.n_incidences = 0
    T.damping = 0


@inlined
def fill_offsets(I: Index, T: Object, t: ObjectOffsets) -> None:
    """Where the kernels find an object."""
    t.q = T.q
    t.v = T.v
    t.lift = T.lift
    t.mass = T.M
    t.gyro = I.gyro + T.v - I.v
    t.qdot = I.qdot + T.q - I.q
    t.q0 = I.q0 + T.q - I.q
    t.v0 = I.v0 + T.v - I.v
