"""The index: from batches of instances to slices, offset tables and the sparse blocks of J (E6).

Runs compiled, in one pass over the batches, each time the structure of a world changes; parameters never come
here. What is counted, and where the next table or number goes, stands in the header of I.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import Pointer, at, compiled, entry
from tinkerdyne.engine.graph import graph
from tinkerdyne.engine.records import (
    B_CON,
    B_DIM,
    B_G,
    B_J,
    B_NV,
    B_OBJ,
    B_ROW,
    B_V,
    BEHAVIOR,
    BLK,
    C_BLK,
    C_BOUNCE,
    C_DIM,
    C_EFFORT,
    C_KIND,
    C_MEM,
    C_NBLK,
    C_REC,
    C_ROW,
    C_TAU,
    CON,
    CONNECTOR,
    CONSTRAINT,
    COUPLE,
    COUPLES,
    D_BASE,
    D_BOUNCE,
    D_DIM,
    D_FAMILY,
    D_FLAGS,
    D_KERNELS,
    D_KIND,
    D_LENGTH,
    D_MEMORY,
    D_N,
    D_NP,
    D_NQ,
    D_NV,
    D_PORT,
    D_PORTS,
    D_RECORD,
    DAMP,
    DAMPS,
    EB,
    FB,
    FIELD,
    FIXED,
    H_BLK,
    H_CAPACITY,
    H_CON,
    H_COUPLE,
    H_DAMP,
    H_EB,
    H_FB,
    H_HAS_DAMPING,
    H_MASS_VARIES,
    H_NB,
    H_NC,
    H_NCOUPLE,
    H_NDAMP,
    H_NEB,
    H_NEFFORT,
    H_NEXT,
    H_NEXT_TABLE,
    H_NFB,
    H_NO,
    H_NOB,
    H_NONSQUARE,
    H_NOPS,
    H_NPOOL,
    H_NPULL,
    H_NQ,
    H_NR,
    H_NV,
    H_OB,
    H_OBJ,
    H_OPS,
    H_POOL,
    H_PULL,
    H_S_CG,
    H_S_FORCE,
    H_S_GYRO,
    H_S_LIFT,
    H_S_LIFT0,
    H_S_NLIFT,
    H_S_POS,
    H_S_Q,
    H_S_Q0,
    H_S_QDOT,
    H_S_RECORDS,
    H_S_ROWS,
    H_S_STAGES,
    H_S_V,
    H_S_V0,
    H_S_VELS,
    H_UIDOBJ,
    H_WANT,
    HEADER,
    LINEAR,
    O_D,
    O_DG,
    O_FLAGS,
    O_HUB,
    O_INC,
    O_LIFT,
    O_M,
    O_NINC,
    O_NQ,
    O_NV,
    O_Q,
    O_V,
    O_W,
    OB,
    OBJ,
    OBJECT,
    OPS,
    POS_VECTORS,
    PULL,
    ROW_VECTORS,
    S_SCALARS,
    STAGES,
    VARIES,
    VEL_VECTORS,
)  # fmt: skip
from tinkerdyne.language.block import MOST_PAIRED

# What `work` holds of each uid, nuid places each: its family (first), record, object, first dependency, their
# number, parameters.
W_RECORD, W_OBJECT, W_FIRST, W_COUNT, W_OWN = 1, 2, 3, 4, 6


@compiled
def _reset(I: Pointer) -> None:
    """Set everything that is counted on the way to zero."""
    I[H_NOB] = 0
    I[H_NEB] = 0
    I[H_NFB] = 0
    I[H_NOPS] = 0
    I[H_NPULL] = 0
    I[H_NDAMP] = 0
    I[H_NCOUPLE] = 0
    I[H_NPOOL] = 0
    I[H_HAS_DAMPING] = 0
    I[H_MASS_VARIES] = 0
    I[H_NONSQUARE] = 0
    I[H_NEFFORT] = 0


@compiled
def _count(model: Pointer, nbatch: int, I: Pointer) -> int:
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
        D = at(model, at_)
        n = D[D_N]
        if D[D_FAMILY] == OBJECT:
            NQ += n * D[D_NQ]
            NV += n * D[D_NV]
            NO += n
            if D[D_FLAGS] & LINEAR == 0:
                lift += n * D[D_DIM]
            tables += n * 9
        else:
            if D[D_FAMILY] == CONSTRAINT:
                NR += n * D[D_DIM]
                NC += n
            tables += n * (6 if D[D_FAMILY] == FIELD else 2 + 2 * D[D_PORTS])
        at_ += D[D_LENGTH]
    I[H_NQ] = NQ
    I[H_NV] = NV
    I[H_NR] = NR
    I[H_NO] = NO
    I[H_NC] = NC
    I[H_S_NLIFT] = lift
    return tables


@compiled
def _vectors(I: Pointer) -> int:
    """Lay the whole vectors out in S; returns the first free place."""
    NQ = I[H_NQ]
    NV = I[H_NV]
    NR = I[H_NR]
    s: int = S_SCALARS
    I[H_S_Q] = s
    s += NQ
    I[H_S_V] = s
    s += NV
    I[H_S_Q0] = s
    s += NQ
    I[H_S_V0] = s
    s += NV
    I[H_S_QDOT] = s
    s += NQ
    I[H_S_GYRO] = s
    s += NV
    I[H_S_LIFT] = s
    s += I[H_S_NLIFT]
    I[H_S_LIFT0] = s
    s += I[H_S_NLIFT]
    I[H_S_FORCE] = s
    s += NV
    I[H_S_ROWS] = s
    s += ROW_VECTORS * NR
    I[H_S_VELS] = s
    s += VEL_VECTORS * NV
    I[H_S_POS] = s
    s += POS_VECTORS * NQ
    I[H_S_STAGES] = s
    s += STAGES * (NQ + NV)
    I[H_S_CG] = s
    s += 7 * NR + NV
    return s


@compiled
def _room(I: Pointer, ops: int, forces: int, couples: int, pool: int) -> int:
    """Whether the growing tables have room for so many more entries; if not, I[H_WANT] asks for more."""
    if (
        I[H_OPS] + (I[H_NOPS] + ops) * OPS <= I[H_PULL]
        and I[H_PULL] + (I[H_NPULL] + forces) * PULL <= I[H_DAMP]
        and I[H_DAMP] + (I[H_NDAMP] + forces) * DAMP <= I[H_COUPLE]
        and I[H_COUPLE] + (I[H_NCOUPLE] + couples) * COUPLE <= I[H_POOL]
        and I[H_POOL] + 3 * (I[H_NPOOL] + pool) <= I[H_CAPACITY]
    ):
        return 1
    I[H_WANT] = 2 * I[H_CAPACITY]
    return 0


@compiled
def _floats(I: Pointer, n: int) -> int:
    """The first of n free places in S, which are taken."""
    first: int = I[H_NEXT]
    I[H_NEXT] = first + n
    return first


@compiled
def _table(I: Pointer, n: int) -> Pointer:
    """The offset table of one instance."""
    t = at(I, I[H_NEXT_TABLE])
    I[H_NEXT_TABLE] += n
    return t


# --- objects --------------------------------------------------------------------------------------
@compiled
def _objects(D: Pointer, I: Pointer, work: Pointer, nuid: int, first: int, q: int, v: int, lift: int) -> None:
    """One batch of objects from the first: slices of q, v and lift, mass blocks, offset tables."""
    n = D[D_N]
    nv = D[D_NV]
    flags = D[D_FLAGS]
    uids = at(D, D_PORT)
    fixed = at(D, D_PORT + n)
    row = at(I, I[H_OB] + I[H_NOB] * OB)
    I[H_NOB] += 1
    row[0] = n
    row[1] = I[H_NEXT_TABLE]
    for k in range(6):
        row[2 + k] = D[D_KERNELS + k]
    row[8] = q
    row[9] = v
    row[10] = D[D_NQ]
    row[11] = nv
    row[12] = flags
    row[13] = first
    D[D_BASE] = _floats(I, n * D[D_NP])
    if flags & VARIES != 0:
        I[H_MASS_VARIES] = 1
    for i in range(n):
        T = at(I, I[H_OBJ] + (first + i) * OBJ)
        T[O_Q] = q + i * D[D_NQ]
        T[O_V] = v + i * nv
        T[O_NQ] = D[D_NQ]
        T[O_NV] = nv
        T[O_LIFT] = T[O_Q] if flags & LINEAR != 0 else lift + i * D[D_DIM]
        T[O_DG] = _floats(I, 2 * nv)
        T[O_M] = _floats(I, nv * nv)
        T[O_W] = _floats(I, nv * nv)
        T[O_FLAGS] = flags | (FIXED if fixed[i] != 0 else 0)
        T[O_HUB] = -1
        T[O_INC] = 0
        T[O_NINC] = 0
        T[O_D] = 0
        t = _table(I, 9)
        t[0] = T[O_Q]
        t[1] = T[O_V]
        t[2] = T[O_LIFT]
        t[3] = D[D_BASE] + i * D[D_NP]
        t[4] = T[O_M]
        t[5] = I[H_S_GYRO] + T[O_V] - I[H_S_V]
        t[6] = I[H_S_QDOT] + T[O_Q] - I[H_S_Q]
        t[7] = I[H_S_Q0] + T[O_Q] - I[H_S_Q]
        t[8] = I[H_S_V0] + T[O_V] - I[H_S_V]
        u = uids[i]
        work[u] = OBJECT
        work[W_RECORD * nuid + u] = T[O_LIFT]
        work[W_OBJECT * nuid + u] = first + i
        work[W_COUNT * nuid + u] = 0
        work[W_OWN * nuid + u] = t[3]
        I[I[H_UIDOBJ] + u] = first + i


# --- connectors and constraints -------------------------------------------------------------------
@compiled
def _operation(I: Pointer, kind: int, target: int, m: int, n: int, Df: int, inner: int, J: int) -> None:
    """One more step of the composition of Jacobians (see solve.evaluate.compose)."""
    w = at(I, I[H_OPS] + I[H_NOPS] * OPS)
    I[H_NOPS] += 1
    w[0] = kind
    w[1] = target
    w[2] = m
    w[3] = n
    w[4] = Df
    w[5] = inner
    w[6] = J


@compiled
def _depend(
    I: Pointer, P: Pointer, record: int, m: int, start: int, target: int, J: int, direct: int
) -> None:
    """A block depends on an object through one input: by J as it is (direct: its own derivative, or the
    input's), or by Df J.

    An entry of the pool is the object, the place of the block, and whether that place is the sum's own.
    """
    nv = I[I[H_OBJ] + target * OBJ + O_NV]
    e = start
    while e < I[H_NPOOL] and I[I[H_POOL] + 3 * e] != target:
        e += 1
    way = at(I, I[H_POOL] + 3 * e)
    if e == I[H_NPOOL]:
        I[H_NPOOL] += 1
        way[0] = target
        way[1] = J
        way[2] = 1 - direct
        if direct == 0:
            way[1] = _floats(I, m * nv)
            _operation(I, 4 if P[3] == -1 else 0, way[1], m, nv, record + P[2], P[0], J)
        return
    if way[2] == 0:  # a second path to the same object: give the sum a block of its own, then add to it
        own = _floats(I, m * nv)
        _operation(I, 2, own, m, nv, 0, 0, way[1])
        way[1] = own
        way[2] = 1
    kind = 3
    if direct == 0:
        kind = 5 if P[3] == -1 else 1
    _operation(I, kind, way[1], m, nv, record + P[2], P[0], J)


@compiled
def _constraint(D: Pointer, I: Pointer, i: int, con: int, row: int, record: int, start: int) -> None:
    """The table's entry of one constraint."""
    C = at(I, I[H_CON] + con * CON)
    own = D[D_BASE] + i * D[D_NP]
    C[C_ROW] = row
    C[C_DIM] = D[D_DIM]
    C[C_REC] = record
    C[C_MEM] = D[D_BASE + 1] + i * D[D_MEMORY]
    C[C_TAU] = own + D[D_NP] - 3
    C[C_KIND] = D[D_KIND]
    C[C_BOUNCE] = own + D[D_BOUNCE] if D[D_BOUNCE] >= 0 else -1
    C[C_BLK] = start
    C[C_NBLK] = I[H_NPOOL] - start
    C[C_EFFORT] = D[D_FLAGS]
    if D[D_FLAGS] != 0:
        I[H_NONSQUARE] += 1
        I[H_NEFFORT] += D[D_FLAGS]


@compiled
def _blocks(D: Pointer, I: Pointer, work: Pointer, nuid: int, con: int, r: int) -> int:
    """One batch of connectors, or of constraints from number con and row r: records, tables, ways; 0 when I
    is too small."""
    n = D[D_N]
    m = D[D_DIM]
    K = D[D_PORTS]
    uids = at(D, D_PORT + 4 * K)
    inputs = at(D, D_PORT + 4 * K + n)
    row = at(I, I[H_EB] + I[H_NEB] * EB)
    I[H_NEB] += 1
    row[0] = n
    row[1] = I[H_NEXT_TABLE]
    for k in range(5):
        row[2 + k] = D[D_KERNELS + k]
    row[7] = D[D_FAMILY]
    row[8] = D[D_KERNELS + 5]
    D[D_BASE] = _floats(I, n * D[D_NP])
    D[D_BASE + 1] = _floats(I, n * D[D_MEMORY])
    D[D_BASE + 2] = I[H_NEXT]
    for i in range(n):
        u = uids[i]
        record = _floats(I, D[D_RECORD])
        t = _table(I, 2 + 2 * K)
        t[0] = D[D_BASE] + i * D[D_NP]
        t[1] = record
        start = I[H_NPOOL]
        for j in range(K):
            P = at(D, D_PORT + 4 * j)
            x = inputs[i * K + j]
            t[2 + 2 * j] = work[W_RECORD * nuid + x]
            sources = work[W_COUNT * nuid + x]
            if _room(I, 2 * sources + 64, 8, 1, sources + 64) == 0:
                return 0
            if work[x] == OBJECT:
                o = work[W_OBJECT * nuid + x]
                t[3 + 2 * j] = I[I[H_OBJ] + o * OBJ + O_V]
                _depend(I, P, record, m, start, o, record + P[2], 1)
            else:
                t[3 + 2 * j] = work[W_RECORD * nuid + x] + P[0]
                for a in range(sources):
                    way = at(I, I[H_POOL] + 3 * (work[W_FIRST * nuid + x] + a))
                    # Df = 1: the input's block serves
                    _depend(I, P, record, m, start, way[0], way[1], 1 if P[3] == 1 else 0)
        work[u] = D[D_FAMILY]
        work[W_RECORD * nuid + u] = record
        work[W_FIRST * nuid + u] = start
        work[W_COUNT * nuid + u] = I[H_NPOOL] - start
        I[I[H_UIDOBJ] + u] = record
        if D[D_FAMILY] == CONSTRAINT:
            _constraint(D, I, i, con + i, r + i * m, record, start)
    return 1


# --- behaviors and fields -------------------------------------------------------------------------
@compiled
def _pull(I: Pointer, force: int, square: int, inner: int, J: int, target: int) -> None:
    """A force, and the square block of its damping or stiffness, reach an object: by J (inner rows), or as
    they are (inner = 0)."""
    T = at(I, I[H_OBJ] + target * OBJ)
    w = at(I, I[H_PULL] + I[H_NPULL] * PULL)
    I[H_NPULL] += 1
    w[0] = force
    w[1] = inner
    w[2] = J
    w[3] = T[O_V]
    w[4] = T[O_NV]
    w = at(I, I[H_DAMP] + I[H_NDAMP] * DAMP)
    I[H_NDAMP] += 1
    w[0] = square
    w[1] = inner
    w[2] = J
    w[3] = target


@compiled
def _moves(I: Pointer, work: Pointer, nuid: int, x: int) -> int:
    """Whether an input reaches an object that may move."""
    if work[x] == OBJECT:
        return 1 if I[I[H_OBJ] + work[W_OBJECT * nuid + x] * OBJ + O_FLAGS] & FIXED == 0 else 0
    for a in range(work[W_COUNT * nuid + x]):
        target = I[I[H_POOL] + 3 * (work[W_FIRST * nuid + x] + a)]
        if I[I[H_OBJ] + target * OBJ + O_FLAGS] & FIXED == 0:
            return 1
    return 0


@compiled
def _couple(I: Pointer, sums: int, first: int) -> None:
    """The stiffness of an input with another one, by rows, acts through the entries of DAMP from `first`
    on."""
    w = at(I, I[H_COUPLE] + I[H_NCOUPLE] * COUPLE)
    I[H_NCOUPLE] += 1
    w[0] = sums
    w[1] = first
    w[2] = I[H_NDAMP] - first


@compiled
def _forces(D: Pointer, I: Pointer, work: Pointer, nuid: int) -> int:
    """One batch of behaviors, or of a field on one batch of objects; 0 when I is too small."""
    is_field = 1 if D[D_FAMILY] == FIELD else 0
    n = D[D_N]
    K = D[D_PORTS]
    stride = 6 if is_field == 1 else 2 + 2 * K
    uids = at(D, D_PORT + 4 * K)
    inputs = at(D, D_PORT + 4 * K + (0 if is_field == 1 else n))
    row = at(I, I[H_FB] + I[H_NFB] * FB)
    I[H_NFB] += 1
    row[0] = n
    row[1] = I[H_NEXT_TABLE]
    for k in range(3):
        row[2 + k] = D[D_KERNELS + k]
    row[5] = stride
    row[6] = D[D_KERNELS + 3]
    D[D_BASE] = _floats(I, (1 if is_field == 1 else n) * D[D_NP])
    D[D_BASE + 2] = I[H_NEXT]
    if D[D_FLAGS] & DAMPS != 0:
        I[H_HAS_DAMPING] = 1
    for i in range(n):
        record = _floats(I, D[D_RECORD])
        t = _table(I, stride)
        t[0] = D[D_BASE] + (0 if is_field == 1 else i * D[D_NP])
        t[1] = record
        if is_field == 0:
            u = uids[i]
            work[u] = BEHAVIOR
            work[W_RECORD * nuid + u] = record
            work[W_COUNT * nuid + u] = 0
            I[I[H_UIDOBJ] + u] = record
        square = record + 2  # energy and power, the forces on the inputs, then their square blocks
        for j in range(K):
            P = at(D, D_PORT + 4 * j)
            square += P[0] if P[1] == 0 else P[1]
        couple = square
        for j in range(K):
            P = at(D, D_PORT + 4 * j)
            couple += P[0] * P[0] if P[1] == 0 else P[1] * P[1]
        for j in range(K):
            P = at(D, D_PORT + 4 * j)
            x = inputs[i * K + j]
            t[2 + 2 * j] = work[W_RECORD * nuid + x]
            if _room(I, 1, work[W_COUNT * nuid + x] + 8, K, 1) == 0:
                return 0
            first = I[H_NDAMP]
            if work[x] == OBJECT:
                o = work[W_OBJECT * nuid + x]
                t[3 + 2 * j] = I[I[H_OBJ] + o * OBJ + O_V]
                if is_field == 1:
                    t[4] = work[W_OWN * nuid + x]  # a field reads its object's parameters too
                _pull(I, record + P[2], square, 0, 0, o)
                square += P[1] * P[1]
            else:
                t[3 + 2 * j] = work[W_RECORD * nuid + x] + P[0]
                for a in range(work[W_COUNT * nuid + x]):
                    way = at(I, I[H_POOL] + 3 * (work[W_FIRST * nuid + x] + a))
                    _pull(I, record + P[2], square, P[0], way[1], way[0])
                square += P[0] * P[0]
            if D[D_FLAGS] & COUPLES != 0:
                width = P[0] if P[1] == 0 else P[1]
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
def _moved(I: Pointer, source: int, n: int, to: int) -> int:
    """Copy n entries of a table towards the front; returns the place behind them."""
    for k in range(n):
        I[to + k] = I[source + k]
    return to + n


@compiled
def _jacobian(I: Pointer, top: int) -> int:
    """The blocks of J on movable objects, from the constraints' dependencies; returns the place behind them,
    or −1."""
    most = 0
    for c in range(I[H_NC]):
        most += I[I[H_CON] + c * CON + C_NBLK]
    if top + most * BLK + 64 > I[H_POOL]:
        I[H_WANT] = 2 * I[H_CAPACITY]
        return -1
    I[H_BLK] = top
    nblk = 0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        first = C[C_BLK]
        count = C[C_NBLK]
        C[C_BLK] = nblk
        for a in range(count):
            way = at(I, I[H_POOL] + 3 * (first + a))
            T = at(I, I[H_OBJ] + way[0] * OBJ)
            if T[O_FLAGS] & FIXED == 0:
                w = at(I, top + nblk * BLK)
                w[B_ROW] = C[C_ROW]
                w[B_DIM] = C[C_DIM]
                w[B_V] = T[O_V]
                w[B_NV] = T[O_NV]
                w[B_J] = way[1]
                w[B_OBJ] = way[0]
                w[B_G] = _floats(I, C[C_DIM] * T[O_NV])
                w[B_CON] = c
                nblk += 1
                T[O_NINC] += 1
        C[C_NBLK] = nblk - C[C_BLK]
    I[H_NB] = nblk
    return top + nblk * BLK


@entry("IiIiIi")
def index_world(model: Pointer, nbatch: int, I: Pointer, capacity: int, work: Pointer, nuid: int) -> int:
    """Fill I from the batches; returns the floats wanted, or −1 when I is too small (I[H_WANT] says what is
    wanted).

    `work` holds of each uid what it is (W_…). Growing tables share the rest of I; the gaps between them are
    closed at the end.
    """
    tables = _count(model, nbatch, I)
    _reset(I)
    I[H_CAPACITY] = capacity
    top = HEADER
    I[H_OBJ] = top
    top += I[H_NO] * OBJ
    I[H_CON] = top
    top += I[H_NC] * CON
    I[H_OB] = top
    top += nbatch * OB
    I[H_EB] = top
    top += nbatch * EB
    I[H_FB] = top
    top += nbatch * FB
    I[H_UIDOBJ] = top
    top += nuid
    I[H_NEXT_TABLE] = top
    top += tables
    if top + 64 > capacity:
        I[H_WANT] = 2 * top + 4096
        return -1
    I[H_NEXT] = _vectors(I)
    o = 0
    q = I[H_S_Q]
    v = I[H_S_V]
    lift = I[H_S_LIFT]
    where = 0
    for _b in range(nbatch):
        D = at(model, where)
        if D[D_FAMILY] == OBJECT:
            _objects(D, I, work, nuid, o, q, v, lift)
            o += D[D_N]
            q += D[D_N] * D[D_NQ]
            v += D[D_N] * D[D_NV]
            if D[D_FLAGS] & LINEAR == 0:
                lift += D[D_N] * D[D_DIM]
        where += D[D_LENGTH]
    share = (capacity - top) // 5
    I[H_OPS] = top
    I[H_PULL] = top + share
    I[H_DAMP] = top + 2 * share
    I[H_COUPLE] = top + 3 * share
    I[H_POOL] = top + 4 * share
    I[H_S_RECORDS] = I[H_NEXT]
    con = 0
    r = 0
    where = 0
    for _b in range(nbatch):
        D = at(model, where)
        if D[D_FAMILY] == CONNECTOR or D[D_FAMILY] == CONSTRAINT:
            if _blocks(D, I, work, nuid, con, r) == 0:
                return -1
            if D[D_FAMILY] == CONSTRAINT:
                con += D[D_N]
                r += D[D_N] * D[D_DIM]
        elif D[D_FAMILY] != OBJECT and _forces(D, I, work, nuid) == 0:
            return -1
        where += D[D_LENGTH]
    top = I[H_OPS] + I[H_NOPS] * OPS
    pulls = I[H_PULL]
    I[H_PULL] = top
    top = _moved(I, pulls, I[H_NPULL] * PULL, top)
    damps = I[H_DAMP]
    I[H_DAMP] = top
    top = _moved(I, damps, I[H_NDAMP] * DAMP, top)
    couples = I[H_COUPLE]
    I[H_COUPLE] = top
    top = _moved(I, couples, I[H_NCOUPLE] * COUPLE, top)
    top = _jacobian(I, top)
    if top < 0:
        return -1
    return graph(I, capacity, top, I[H_NEXT])
