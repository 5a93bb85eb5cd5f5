"""The index: from batches of instances to slices, offset tables and the sparse blocks of J (E6).

Runs compiled, in one pass over the batches, each time the structure of a world changes; parameters never come
here. What is counted, and where the next table or number goes, stands in the header of I.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.evaluate import FORCE, LIFT, VALUE
from tinkerdyne.engine.graph import graph
from tinkerdyne.engine.records import (
    POS_VECTORS,
    ROW_VECTORS,
    SCALARS,
    STAGES,
    VEL_VECTORS,
    BatchHead,
    BehaviorBatch,
    BlockBatch,
    BlockOffsets,
    Composed,
    Composition,
    Constraint,
    Coupling,
    Damping,
    Effect,
    Family,
    FieldOffsets,
    Flag,
    Index,
    InputOffsets,
    Jacobian,
    Object,
    ObjectBatch,
    ObjectOffsets,
    Port,
    Pull,
    Way,
)
from tinkerdyne.language.block import MOST_PAIRED

# What `work` holds of each uid, nuid places each: its family (first), record, object, first dependency, their
# number, parameters.
W_RECORD, W_OBJECT, W_FIRST, W_COUNT, W_OWN = 1, 2, 3, 4, 6


@compiled
def _reset(I: Index) -> None:
    """Set everything that is counted on the way to zero."""
    I.n_object_batches = 0
    I.n_block_batches = 0
    I.n_behavior_batches = 0
    I.n_compositions = 0
    I.n_pulls = 0
    I.n_dampings = 0
    I.n_couplings = 0
    I.n_pool = 0
    I.has_damping = 0
    I.mass_varies = 0
    I.nonsquare = 0
    I.n_effort = 0


@compiled
def _count(model: Ints, nbatch: int, I: Index) -> int:
    """Sizes of the vectors and first places of q, v and lifts; returns the length of all offset tables."""
    NQ = 0
    NV = 0
    NR = 0
    NO = 0
    NC = 0
    lift = 0
    tables = 0
    at_ = 0
    for _b in range(nbatch):
        D = BatchHead(at(model, at_))
        n = D.n
        if D.family == Family.OBJECT:
            NQ += n * D.nq
            NV += n * D.nv
            NO += n
            if D.flags & Flag.LINEAR == 0:
                lift += n * D.dim
            tables += n * ObjectOffsets.size
        else:
            if D.family == Family.CONSTRAINT:
                NR += n * D.dim
                NC += n
            inputs = BlockOffsets.size + InputOffsets.size * D.ports
            tables += n * (FieldOffsets.size if D.family == Family.FIELD else inputs)
        at_ += D.length
    I.nq = NQ
    I.nv = NV
    I.nr = NR
    I.n_objects = NO
    I.n_constraints = NC
    I.n_lifts = lift
    return tables


@compiled
def _vectors(I: Index) -> int:
    """Lay the whole vectors out in S; returns the first free place."""
    NQ = I.nq
    NV = I.nv
    NR = I.nr
    s: int = SCALARS
    I.q = s
    s += NQ
    I.v = s
    s += NV
    I.q0 = s
    s += NQ
    I.v0 = s
    s += NV
    I.qdot = s
    s += NQ
    I.gyro = s
    s += NV
    I.lifts = s
    s += I.n_lifts
    I.lifts0 = s
    s += I.n_lifts
    I.force = s
    s += NV
    I.row_vectors = s
    s += ROW_VECTORS * NR
    I.velocity_vectors = s
    s += VEL_VECTORS * NV
    I.position_vectors = s
    s += POS_VECTORS * NQ
    I.stages = s
    s += STAGES * (NQ + NV)
    I.cg = s
    s += 7 * NR + NV
    return s


@compiled
def _room(I: Index, ops: int, forces: int, couples: int, pool: int) -> int:
    """Whether the growing tables have room for so many more entries; if not, I.ints_wanted asks for more."""
    if (
        I.compositions + (I.n_compositions + ops) * Composition.size <= I.pulls
        and I.pulls + (I.n_pulls + forces) * Pull.size <= I.dampings
        and I.dampings + (I.n_dampings + forces) * Damping.size <= I.couplings
        and I.couplings + (I.n_couplings + couples) * Coupling.size <= I.pool
        and I.pool + Way.size * (I.n_pool + pool) <= I.capacity
    ):
        return 1
    I.ints_wanted = 2 * I.capacity
    return 0


@compiled
def _floats(I: Index, n: int) -> int:
    """The first of n free places in S, which are taken."""
    first: int = I.next_float
    I.next_float = first + n
    return first


@compiled
def _table(I: Index, n: int) -> Ints:
    """The offset table of one instance."""
    t = at(I, I.next_table)
    I.next_table += n
    return t


# --- objects --------------------------------------------------------------------------------------
@compiled
def _objects(D: BatchHead, I: Index, work: Ints, nuid: int, first: int, q: int, v: int, lift: int) -> None:
    """One batch of objects from the first: slices of q, v and lift, mass blocks, offset tables."""
    n = D.n
    nv = D.nv
    flags = D.flags
    uids = at(D, BatchHead.size)
    fixed = at(D, BatchHead.size + n)
    row = ObjectBatch.of(I, I.n_object_batches)
    I.n_object_batches += 1
    row.n = n
    row.offsets = I.next_table
    for k in range(6):
        row[LIFT + k] = D.kernels[k]
    row.q = q
    row.v = v
    row.nq = D.nq
    row.nv = nv
    row.flags = flags
    row.first = first
    D.parameters = _floats(I, n * D.np)
    if flags & Flag.VARIES != 0:
        I.mass_varies = 1
    for i in range(n):
        T = Object.of(I, first + i)
        T.q = q + i * D.nq
        T.v = v + i * nv
        T.nq = D.nq
        T.nv = nv
        T.lift = T.q if flags & Flag.LINEAR != 0 else lift + i * D.dim
        T.diagonals = _floats(I, 2 * nv)
        T.M = _floats(I, nv * nv)
        T.W = _floats(I, nv * nv)
        T.flags = flags | (Flag.FIXED if fixed[i] != 0 else 0)
        T.hub = -1
        T.incidence = 0
        T.n_incidences = 0
        T.damping = 0
        t = ObjectOffsets(_table(I, ObjectOffsets.size))
        t.q = T.q
        t.v = T.v
        t.lift = T.lift
        t.parameters = D.parameters + i * D.np
        t.mass = T.M
        t.gyro = I.gyro + T.v - I.v
        t.qdot = I.qdot + T.q - I.q
        t.q0 = I.q0 + T.q - I.q
        t.v0 = I.v0 + T.v - I.v
        u = uids[i]
        work[u] = Family.OBJECT
        work[W_RECORD * nuid + u] = T.lift
        work[W_OBJECT * nuid + u] = first + i
        work[W_COUNT * nuid + u] = 0
        work[W_OWN * nuid + u] = t.parameters
        I[I.by_uid + u] = first + i


# --- connectors and constraints -------------------------------------------------------------------
@compiled
def _operation(I: Index, kind: int, target: int, m: int, n: int, Df: int, inner: int, J: int) -> None:
    """One more step of the composition of Jacobians (see solve.evaluate.compose)."""
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
def _depend(I: Index, P: Port, record: int, m: int, start: int, target: int, J: int, direct: int) -> None:
    """A block depends on an object through one input: by J as it is (direct: its own derivative, or the
    input's), or by Df J.

    An entry of the pool is the object, the place of the block, and whether that place is the sum's own.
    """
    nv = Object.of(I, target).nv
    e = start
    while e < I.n_pool and Way.of(I, e).object != target:
        e += 1
    way = Way.of(I, e)
    if e == I.n_pool:
        I.n_pool += 1
        way.object = target
        way.block = J
        way.is_own = 1 - direct
        if direct == 0:
            way.block = _floats(I, m * nv)
            _operation(
                I,
                Composed.NEGATIVE if P.sign == -1 else Composed.PRODUCT,
                way.block,
                m,
                nv,
                record + P.place,
                P.dim,
                J,
            )
        return
    if way.is_own == 0:  # a second path to the same object: give the sum a block of its own, then add to it
        own = _floats(I, m * nv)
        _operation(I, Composed.COPY, own, m, nv, 0, 0, way.block)
        way.block = own
        way.is_own = 1
    kind = Composed.ADD
    if direct == 0:
        kind = Composed.SUBTRACT if P.sign == -1 else Composed.ADD_PRODUCT
    _operation(I, kind, way.block, m, nv, record + P.place, P.dim, J)


@compiled
def _constraint(D: BatchHead, I: Index, i: int, con: int, row: int, record: int, start: int) -> None:
    """The table's entry of one constraint."""
    C = Constraint.of(I, con)
    own = D.parameters + i * D.np
    C.row = row
    C.dim = D.dim
    C.record = record
    C.memory = D.memories + i * D.memory
    C.tau = own + D.np - 3
    C.kind = D.kind
    C.restitution = own + D.restitution if D.restitution >= 0 else -1
    C.jacobian = start
    C.n_jacobians = I.n_pool - start
    C.effort = D.flags
    if D.flags != 0:
        I.nonsquare += 1
        I.n_effort += D.flags


@compiled
def _blocks(D: BatchHead, I: Index, work: Ints, nuid: int, con: int, r: int) -> int:
    """One batch of connectors, or of constraints from number con and row r: records, tables, ways; 0 when I
    is too small."""
    n = D.n
    m = D.dim
    K = D.ports
    uids = at(D, BatchHead.size + Port.size * K)
    inputs = at(D, BatchHead.size + Port.size * K + n)
    row = BlockBatch.of(I, I.n_block_batches)
    I.n_block_batches += 1
    row.n = n
    row.offsets = I.next_table
    for k in range(5):
        row[VALUE + k] = D.kernels[k]
    row.family = D.family
    row.wind = D.kernels[5]
    D.parameters = _floats(I, n * D.np)
    D.memories = _floats(I, n * D.memory)
    D.records = I.next_float
    for i in range(n):
        u = uids[i]
        record = _floats(I, D.record)
        t = BlockOffsets(_table(I, BlockOffsets.size + InputOffsets.size * K))
        t.parameters = D.parameters + i * D.np
        t.record = record
        start = I.n_pool
        for j in range(K):
            P = Port(at(D, BatchHead.size + Port.size * j))
            x = inputs[i * K + j]
            source = InputOffsets(at(t, BlockOffsets.size + InputOffsets.size * j))
            source.value = work[W_RECORD * nuid + x]
            sources = work[W_COUNT * nuid + x]
            if _room(I, 2 * sources + 64, 8, 1, sources + 64) == 0:
                return 0
            if work[x] == Family.OBJECT:
                o = work[W_OBJECT * nuid + x]
                source.velocity = Object.of(I, o).v
                _depend(I, P, record, m, start, o, record + P.place, 1)
            else:
                source.velocity = work[W_RECORD * nuid + x] + P.dim
                for a in range(sources):
                    way = Way.of(I, work[W_FIRST * nuid + x] + a)
                    # Df = 1: the input's block serves
                    _depend(I, P, record, m, start, way.object, way.block, 1 if P.sign == 1 else 0)
        work[u] = D.family
        work[W_RECORD * nuid + u] = record
        work[W_FIRST * nuid + u] = start
        work[W_COUNT * nuid + u] = I.n_pool - start
        I[I.by_uid + u] = record
        if D.family == Family.CONSTRAINT:
            _constraint(D, I, i, con + i, r + i * m, record, start)
    return 1


# --- behaviors and fields -------------------------------------------------------------------------
@compiled
def _pull(I: Index, force: int, square: int, inner: int, J: int, target: int) -> None:
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


@compiled
def _moves(I: Index, work: Ints, nuid: int, x: int) -> int:
    """Whether an input reaches an object that may move."""
    if work[x] == Family.OBJECT:
        return 1 if Object.of(I, work[W_OBJECT * nuid + x]).flags & Flag.FIXED == 0 else 0
    for a in range(work[W_COUNT * nuid + x]):
        target = Way.of(I, work[W_FIRST * nuid + x] + a).object
        if Object.of(I, target).flags & Flag.FIXED == 0:
            return 1
    return 0


@compiled
def _couple(I: Index, sums: int, first: int) -> None:
    """The stiffness of an input with another one, by rows, acts through the dampings from `first`
    on."""
    couple = Coupling.of(I, I.n_couplings)
    I.n_couplings += 1
    couple.sums = sums
    couple.first = first
    couple.count = I.n_dampings - first


@compiled
def _forces(D: BatchHead, I: Index, work: Ints, nuid: int) -> int:
    """One batch of behaviors, or of a field on one batch of objects; 0 when I is too small."""
    is_field = 1 if D.family == Family.FIELD else 0
    n = D.n
    K = D.ports
    stride = FieldOffsets.size if is_field == 1 else BlockOffsets.size + InputOffsets.size * K
    uids = at(D, BatchHead.size + Port.size * K)
    inputs = at(D, BatchHead.size + Port.size * K + (0 if is_field == 1 else n))
    row = BehaviorBatch.of(I, I.n_behavior_batches)
    I.n_behavior_batches += 1
    row.n = n
    row.offsets = I.next_table
    for k in range(3):
        row[FORCE + k] = D.kernels[k]
    row.stride = stride
    row.spatial = D.kernels[3]
    D.parameters = _floats(I, (1 if is_field == 1 else n) * D.np)
    D.records = I.next_float
    if D.flags & Effect.DAMPS != 0:
        I.has_damping = 1
    for i in range(n):
        record = _floats(I, D.record)
        t = BlockOffsets(_table(I, stride))
        t.parameters = D.parameters + (0 if is_field == 1 else i * D.np)
        t.record = record
        if is_field == 0:
            u = uids[i]
            work[u] = Family.BEHAVIOR
            work[W_RECORD * nuid + u] = record
            work[W_COUNT * nuid + u] = 0
            I[I.by_uid + u] = record
        square = record + 2  # energy and power, the forces on the inputs, then their square blocks
        for j in range(K):
            P = Port(at(D, BatchHead.size + Port.size * j))
            square += P.dim if P.nv == 0 else P.nv
        couple = square
        for j in range(K):
            P = Port(at(D, BatchHead.size + Port.size * j))
            couple += P.dim * P.dim if P.nv == 0 else P.nv * P.nv
        for j in range(K):
            P = Port(at(D, BatchHead.size + Port.size * j))
            x = inputs[i * K + j]
            source = InputOffsets(at(t, BlockOffsets.size + InputOffsets.size * j))
            source.value = work[W_RECORD * nuid + x]
            if _room(I, 1, work[W_COUNT * nuid + x] + 8, K, 1) == 0:
                return 0
            first = I.n_dampings
            if work[x] == Family.OBJECT:
                o = work[W_OBJECT * nuid + x]
                source.velocity = Object.of(I, o).v
                if is_field == 1:
                    FieldOffsets(t).object = work[
                        W_OWN * nuid + x
                    ]  # a field reads its object's parameters too
                _pull(I, record + P.place, square, 0, 0, o)
                square += P.nv * P.nv
            else:
                source.velocity = work[W_RECORD * nuid + x] + P.dim
                for a in range(work[W_COUNT * nuid + x]):
                    way = Way.of(I, work[W_FIRST * nuid + x] + a)
                    _pull(I, record + P.place, square, P.dim, way.block, way.object)
                square += P.dim * P.dim
            if D.flags & Effect.COUPLES != 0:
                width = P.dim if P.nv == 0 else P.nv
                moving = 0
                for b in range(K):
                    if b != j:
                        moving += _moves(I, work, nuid, inputs[i * K + b])
                        if K <= MOST_PAIRED:
                            if moving > 0:
                                _couple(I, couple, first)
                            moving = 0
                            couple += width
                if K > MOST_PAIRED:
                    if moving > 0:
                        _couple(I, couple, first)
                    couple += width
    return 1


# --- all of it ------------------------------------------------------------------------------------
@compiled
def _moved(I: Index, source: int, n: int, to: int) -> int:
    """Copy n entries of a table towards the front; returns the place behind them."""
    for k in range(n):
        I[to + k] = I[source + k]
    return to + n


@compiled
def _jacobian(I: Index, top: int) -> int:
    """The blocks of J on movable objects, from the constraints' dependencies; returns the place behind them,
    or −1."""
    most = 0
    for c in range(I.n_constraints):
        most += Constraint.of(I, c).n_jacobians
    if top + most * Jacobian.size + 64 > I.pool:
        I.ints_wanted = 2 * I.capacity
        return -1
    I.jacobians = top
    nblk = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        first = C.jacobian
        count = C.n_jacobians
        C.jacobian = nblk
        for a in range(count):
            way = Way.of(I, first + a)
            T = Object.of(I, way.object)
            if T.flags & Flag.FIXED == 0:
                block = Jacobian(at(I, top + nblk * Jacobian.size))
                block.row = C.row
                block.dim = C.dim
                block.v = T.v
                block.nv = T.nv
                block.J = way.block
                block.object = way.object
                block.G = _floats(I, C.dim * T.nv)
                block.constraint = c
                nblk += 1
                T.n_incidences += 1
        C.n_jacobians = nblk - C.jacobian
    I.n_jacobians = nblk
    return top + nblk * Jacobian.size


@entry("IiIiIi")
def index_world(model: Ints, nbatch: int, I: Index, capacity: int, work: Ints, nuid: int) -> int:
    """Fill I from the batches; returns the floats wanted, or −1 when I is too small (I.ints_wanted says what
    is wanted).

    `work` holds of each uid what it is (W_…). Growing tables share the rest of I; the gaps between them are
    closed at the end.
    """
    tables = _count(model, nbatch, I)
    _reset(I)
    I.capacity = capacity
    top = Index.size
    I.objects = top
    top += I.n_objects * Object.size
    I.constraints = top
    top += I.n_constraints * Constraint.size
    I.object_batches = top
    top += nbatch * ObjectBatch.size
    I.block_batches = top
    top += nbatch * BlockBatch.size
    I.behavior_batches = top
    top += nbatch * BehaviorBatch.size
    I.by_uid = top
    top += nuid
    I.next_table = top
    top += tables
    if top + 64 > capacity:
        I.ints_wanted = 2 * top + 4096
        return -1
    I.next_float = _vectors(I)
    o = 0
    q = I.q
    v = I.v
    lift = I.lifts
    where = 0
    for _b in range(nbatch):
        D = BatchHead(at(model, where))
        if D.family == Family.OBJECT:
            _objects(D, I, work, nuid, o, q, v, lift)
            o += D.n
            q += D.n * D.nq
            v += D.n * D.nv
            if D.flags & Flag.LINEAR == 0:
                lift += D.n * D.dim
        where += D.length
    share = (capacity - top) // 5
    I.compositions = top
    I.pulls = top + share
    I.dampings = top + 2 * share
    I.couplings = top + 3 * share
    I.pool = top + 4 * share
    I.records = I.next_float
    con = 0
    r = 0
    where = 0
    for _b in range(nbatch):
        D = BatchHead(at(model, where))
        if D.family == Family.CONNECTOR or D.family == Family.CONSTRAINT:
            if _blocks(D, I, work, nuid, con, r) == 0:
                return -1
            if D.family == Family.CONSTRAINT:
                con += D.n
                r += D.n * D.dim
        elif D.family != Family.OBJECT and _forces(D, I, work, nuid) == 0:
            return -1
        where += D.length
    top = I.compositions + I.n_compositions * Composition.size
    pulls = I.pulls
    I.pulls = top
    top = _moved(I, pulls, I.n_pulls * Pull.size, top)
    damps = I.dampings
    I.dampings = top
    top = _moved(I, damps, I.n_dampings * Damping.size, top)
    couples = I.couplings
    I.couplings = top
    top = _moved(I, couples, I.n_couplings * Coupling.size, top)
    top = _jacobian(I, top)
    if top < 0:
        return -1
    return graph(I, capacity, top, I.next_float)
