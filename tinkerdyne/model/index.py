"""The index: from batches of instances to slices, offset tables, sparse blocks and the graph of the KKT matrix (E6).

Runs compiled, in one pass over the batches, each time the structure of a world changes; parameters never come here.
"""

from __future__ import annotations

from tinkerdyne.kernel.core import Pointer, at, compiled, entry
from tinkerdyne.model.layout import (
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
    CONTRIB,
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
    EB,
    FB,
    FIELD,
    FIXED,
    H_BLK,
    H_CON,
    H_CONTRIB,
    H_DAMP,
    H_DIAG,
    H_EB,
    H_FB,
    H_HAS_DAMPING,
    H_HUBCOPY,
    H_INTS,
    H_LAST,
    H_MASS_VARIES,
    H_NB,
    H_NC,
    H_NCONTRIB,
    H_NDAMP,
    H_NEB,
    H_NEFFORT,
    H_NFB,
    H_NHUB,
    H_NHUBCOPY,
    H_NNODE,
    H_NNODEROWS,
    H_NO,
    H_NOB,
    H_NONSQUARE,
    H_NOPS,
    H_NPAIR,
    H_NPULL,
    H_NQ,
    H_NR,
    H_NV,
    H_OB,
    H_OBJ,
    H_OPS,
    H_PAIR_I,
    H_PAIR_J,
    H_PAIR_OFF,
    H_PULL,
    H_S_CG,
    H_S_DAMP,
    H_S_END,
    H_S_FORCE,
    H_S_GYRO,
    H_S_LIFT,
    H_S_LIFT0,
    H_S_NLIFT,
    H_S_NODES,
    H_S_NVALUES,
    H_S_POS,
    H_S_Q,
    H_S_Q0,
    H_S_QDOT,
    H_S_RECORDS,
    H_S_ROWS,
    H_S_SCALE,
    H_S_STAGES,
    H_S_V,
    H_S_V0,
    H_S_VALUES,
    H_S_VELS,
    H_SIGN,
    H_SIZE,
    H_UIDOBJ,
    H_WANT,
    HEADER,
    HUB_DEGREE,
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


@entry("IiIiIi")
def index_world(model: Pointer, nbatch: int, I: Pointer, capacity: int, work: Pointer, nuid: int) -> int:
    """Fill I from the batches; returns the floats wanted, or −1 when I is too small (I[H_WANT] says what is wanted).

    `work` holds 7·nuid places: kind, record, object, first dependency, dependencies, width, parameters.
    """
    tables = _count(model, nbatch, I)
    NO = I[H_NO]
    NC = I[H_NC]
    top = HEADER
    # Tables whose length is known.
    I[H_OBJ] = top
    top += NO * OBJ
    I[H_CON] = top
    top += NC * CON
    I[H_OB] = top
    top += nbatch * OB
    I[H_EB] = top
    top += nbatch * EB
    I[H_FB] = top
    top += nbatch * FB
    I[H_UIDOBJ] = top
    top += nuid
    offs = top
    top += tables
    if top + 64 > capacity:
        I[H_WANT] = 2 * top + 4096
        return -1
    s = _vectors(I)
    kind = work
    rec = at(work, nuid)
    obj = at(work, 2 * nuid)
    dep0 = at(work, 3 * nuid)
    ndep = at(work, 4 * nuid)
    width = at(work, 5 * nuid)
    own = at(work, 6 * nuid)

    # --- objects: slices of q, v, lift; mass blocks ----------------------------------------------
    q = I[H_S_Q]
    v = I[H_S_V]
    lift = I[H_S_LIFT]
    nob = 0
    neb = 0
    nfb = 0
    o = 0
    varies = 0
    model_at = 0
    for _b in range(nbatch):
        D = at(model, model_at)
        if D[D_FAMILY] == OBJECT:
            n = D[D_N]
            nq = D[D_NQ]
            nv = D[D_NV]
            flags = D[D_FLAGS]
            uids = at(model, model_at + D_PORT)
            fixed = at(model, model_at + D_PORT + n)
            row = at(I, I[H_OB] + nob * OB)
            row[0] = n
            row[1] = offs
            for k in range(6):
                row[2 + k] = D[D_KERNELS + k]
            row[8] = q
            row[9] = v
            row[10] = nq
            row[11] = nv
            row[12] = flags
            row[13] = o
            nob += 1
            D[D_BASE] = s
            params = s
            s += n * D[D_NP]
            if flags & VARIES != 0:
                varies = 1
            for i in range(n):
                T = at(I, I[H_OBJ] + o * OBJ)
                T[O_Q] = q
                T[O_V] = v
                T[O_NQ] = nq
                T[O_NV] = nv
                if flags & LINEAR != 0:
                    T[O_LIFT] = q
                else:
                    T[O_LIFT] = lift
                    lift += D[D_DIM]
                T[O_DG] = s
                s += 2 * nv
                T[O_M] = s
                s += nv * nv
                T[O_W] = s
                s += nv * nv
                T[O_FLAGS] = flags | (FIXED if fixed[i] != 0 else 0)
                T[O_HUB] = -1
                T[O_INC] = 0
                T[O_NINC] = 0
                T[O_D] = 0
                t = at(I, offs)
                t[0] = q
                t[1] = v
                t[2] = T[O_LIFT]
                t[3] = params + i * D[D_NP]
                t[4] = T[O_M]
                t[5] = I[H_S_GYRO] + v - I[H_S_V]
                t[6] = I[H_S_QDOT] + q - I[H_S_Q]
                t[7] = I[H_S_Q0] + q - I[H_S_Q]
                t[8] = I[H_S_V0] + v - I[H_S_V]
                offs += 9
                u = uids[i]
                kind[u] = OBJECT
                obj[u] = o
                own[u] = t[3]
                rec[u] = T[O_LIFT]
                ndep[u] = 0
                width[u] = D[D_DIM]
                I[I[H_UIDOBJ] + u] = o
                q += nq
                v += nv
                o += 1
        model_at += D[D_LENGTH]
    I[H_MASS_VARIES] = varies

    # --- blocks: records, dependencies, composition ----------------------------------------------
    # Three growing tables share the rest of I: dependencies go into `pool` behind everything else, so first count them.
    # An upper bound of dependencies is found on the way; when I is too small the caller tries again with more.
    third = (capacity - top) // 4
    ops_at = top
    pull_at = top + third
    damp_at = top + 2 * third
    pool = top + 3 * third
    pool_end = capacity
    npool = 0
    nops = 0
    npull = 0
    ndamp = 0
    r = 0
    con = 0
    nblk_total = 0
    has_damping = 0
    nonsquare = 0
    neffort = 0
    I[H_S_RECORDS] = s
    model_at = 0
    for _b in range(nbatch):
        D = at(model, model_at)
        family = D[D_FAMILY]
        n = D[D_N]
        if family == CONNECTOR or family == CONSTRAINT:
            m = D[D_DIM]
            K = D[D_PORTS]
            uids = at(model, model_at + D_PORT + 4 * K)
            inputs = at(model, model_at + D_PORT + 4 * K + n)
            row = at(I, I[H_EB] + neb * EB)
            neb += 1
            row[0] = n
            row[1] = offs
            for k in range(5):
                row[2 + k] = D[D_KERNELS + k]
            row[7] = family
            D[D_BASE] = s
            params = s
            s += n * D[D_NP]
            D[D_BASE + 1] = s
            memory = s
            s += n * D[D_MEMORY]
            D[D_BASE + 2] = s
            for i in range(n):
                u = uids[i]
                record = s
                s += D[D_RECORD]
                kind[u] = family
                rec[u] = record
                width[u] = m
                I[I[H_UIDOBJ] + u] = record
                t = at(I, offs)
                offs += 2 + 2 * K
                t[0] = params + i * D[D_NP]
                t[1] = record
                start = npool
                if pool + 3 * (npool + 64) > pool_end or ops_at + (nops + 256) * OPS > pull_at:
                    I[H_WANT] = 2 * capacity
                    return -1
                for j in range(K):
                    P = at(D, D_PORT + 4 * j)
                    x = inputs[i * K + j]
                    t[2 + 2 * j] = rec[x]
                    if kind[x] == OBJECT:
                        t[3 + 2 * j] = I[I[H_OBJ] + obj[x] * OBJ + O_V]
                        sources = 1
                    else:
                        t[3 + 2 * j] = rec[x] + P[0]
                        sources = ndep[x]
                    if pool + 3 * (npool + sources + 64) > pool_end or ops_at + (nops + 2 * sources + 64) * OPS > pull_at:
                        I[H_WANT] = 2 * capacity
                        return -1
                    for a in range(sources):
                        if kind[x] == OBJECT:
                            target = obj[x]
                            J = record + P[2]
                            nv = P[1]
                            direct = 1
                        else:
                            target = I[pool + 3 * (dep0[x] + a)]
                            J = I[pool + 3 * (dep0[x] + a) + 1]
                            nv = I[I[H_OBJ] + target * OBJ + O_NV]
                            direct = 1 if P[3] == 1 else 0  # Df = 1: the input's own block serves
                        found = -1
                        for e in range(start, npool):
                            if I[pool + 3 * e] == target:
                                found = e
                                break
                        if found < 0:
                            e = npool
                            npool += 1
                            I[pool + 3 * e] = target
                            I[pool + 3 * e + 2] = 1 - direct
                            if direct == 1:
                                I[pool + 3 * e + 1] = J
                            else:
                                I[pool + 3 * e + 1] = s
                                w = at(I, ops_at + nops * OPS)
                                nops += 1
                                w[0] = 4 if P[3] == -1 else 0
                                w[1] = s
                                w[2] = m
                                w[3] = nv
                                w[4] = record + P[2]
                                w[5] = P[0]
                                w[6] = J
                                s += m * nv
                        else:
                            # A second path to the same object: give the sum a block of its own, then add to it.
                            e = found
                            have = I[pool + 3 * e + 1]
                            if I[pool + 3 * e + 2] == 0:
                                w = at(I, ops_at + nops * OPS)
                                nops += 1
                                w[0] = 2
                                w[1] = s
                                w[2] = m
                                w[3] = nv
                                w[4] = 0
                                w[5] = 0
                                w[6] = have
                                I[pool + 3 * e + 1] = s
                                I[pool + 3 * e + 2] = 1
                                s += m * nv
                            w = at(I, ops_at + nops * OPS)
                            nops += 1
                            if direct == 1:
                                w[0] = 3
                            else:
                                w[0] = 5 if P[3] == -1 else 1
                            w[1] = I[pool + 3 * e + 1]
                            w[2] = m
                            w[3] = nv
                            w[4] = record + P[2]
                            w[5] = P[0]
                            w[6] = J
                dep0[u] = start
                ndep[u] = npool - start
                if family == CONSTRAINT:
                    C = at(I, I[H_CON] + con * CON)
                    C[C_ROW] = r
                    C[C_DIM] = m
                    C[C_REC] = record
                    C[C_MEM] = memory + i * D[D_MEMORY]
                    C[C_TAU] = params + i * D[D_NP] + D[D_NP] - 3
                    C[C_KIND] = D[D_KIND]
                    C[C_BOUNCE] = params + i * D[D_NP] + D[D_BOUNCE] if D[D_BOUNCE] >= 0 else -1
                    C[C_BLK] = start
                    C[C_NBLK] = npool - start
                    C[C_EFFORT] = D[D_FLAGS]
                    if D[D_FLAGS] != 0:
                        nonsquare += 1
                        neffort += D[D_FLAGS]
                    r += m
                    con += 1
                    nblk_total += npool - start
        if family == BEHAVIOR or family == FIELD:
            K = D[D_PORTS]
            stride = 6 if family == FIELD else 2 + 2 * K
            uids = at(model, model_at + D_PORT + 4 * K)
            inputs = at(model, model_at + D_PORT + 4 * K + (0 if family == FIELD else n))
            row = at(I, I[H_FB] + nfb * FB)
            nfb += 1
            row[0] = n
            row[1] = offs
            for k in range(3):
                row[2 + k] = D[D_KERNELS + k]
            row[5] = stride
            row[6] = D[D_KERNELS + 3]
            D[D_BASE] = s
            params = s
            s += (1 if family == FIELD else n) * D[D_NP]
            D[D_BASE + 2] = s
            if D[D_FLAGS] != 0:
                has_damping = 1
            for i in range(n):
                record = s
                s += D[D_RECORD]
                t = at(I, offs)
                offs += stride
                t[0] = params + (0 if family == FIELD else i * D[D_NP])
                t[1] = record
                squares = record + 2
                for j in range(K):
                    squares += D[D_PORT + 4 * j] if D[D_PORT + 4 * j + 1] == 0 else D[D_PORT + 4 * j + 1]
                if family == BEHAVIOR:
                    u = uids[i]
                    kind[u] = BEHAVIOR
                    rec[u] = record
                    ndep[u] = 0
                    I[I[H_UIDOBJ] + u] = record
                for j in range(K):
                    P = at(D, D_PORT + 4 * j)
                    x = inputs[i * K + j]
                    t[2 + 2 * j] = rec[x]
                    if kind[x] == OBJECT:
                        T = at(I, I[H_OBJ] + obj[x] * OBJ)
                        t[3 + 2 * j] = T[O_V]
                        if family == FIELD:
                            t[4] = own[x]  # a field reads its object's parameters too
                        w = at(I, pull_at + npull * PULL)
                        npull += 1
                        w[0] = record + P[2]
                        w[1] = 0
                        w[2] = 0
                        w[3] = T[O_V]
                        w[4] = P[1]
                        w = at(I, damp_at + ndamp * DAMP)
                        ndamp += 1
                        w[0] = squares
                        w[1] = 0
                        w[2] = 0
                        w[3] = obj[x]
                        squares += P[1] * P[1]
                    else:
                        t[3 + 2 * j] = rec[x] + P[0]
                        for a in range(ndep[x]):
                            target = I[pool + 3 * (dep0[x] + a)]
                            T = at(I, I[H_OBJ] + target * OBJ)
                            w = at(I, pull_at + npull * PULL)
                            npull += 1
                            w[0] = record + P[2]
                            w[1] = P[0]
                            w[2] = I[pool + 3 * (dep0[x] + a) + 1]
                            w[3] = T[O_V]
                            w[4] = T[O_NV]
                            w = at(I, damp_at + ndamp * DAMP)
                            ndamp += 1
                            w[0] = squares
                            w[1] = P[0]
                            w[2] = I[pool + 3 * (dep0[x] + a) + 1]
                            w[3] = target
                            if pull_at + (npull + 8) * PULL > damp_at or damp_at + (ndamp + 8) * DAMP > pool:
                                I[H_WANT] = 2 * capacity
                                return -1
                        squares += P[0] * P[0]
                    if pull_at + (npull + 8) * PULL > damp_at or damp_at + (ndamp + 8) * DAMP > pool:
                        I[H_WANT] = 2 * capacity
                        return -1
        model_at += D[D_LENGTH]

    I[H_NOB] = nob
    I[H_NEB] = neb
    I[H_NFB] = nfb
    I[H_NOPS] = nops
    I[H_NPULL] = npull
    I[H_NDAMP] = ndamp
    I[H_HAS_DAMPING] = has_damping
    I[H_NONSQUARE] = nonsquare
    I[H_NEFFORT] = neffort

    # Close the gaps between the growing tables; dependencies are turned into Jacobian blocks.
    I[H_OPS] = ops_at
    top = ops_at + nops * OPS
    for k in range(npull * PULL):
        I[top + k] = I[pull_at + k]
    I[H_PULL] = top
    top += npull * PULL
    for k in range(ndamp * DAMP):
        I[top + k] = I[damp_at + k]
    I[H_DAMP] = top
    top += ndamp * DAMP
    blk_at = top
    if blk_at + nblk_total * BLK + 64 > pool:
        I[H_WANT] = 2 * capacity
        return -1
    nblk = 0
    for c in range(con):
        C = at(I, I[H_CON] + c * CON)
        first = C[C_BLK]
        count = C[C_NBLK]
        C[C_BLK] = nblk
        for a in range(count):
            target = I[pool + 3 * (first + a)]
            T = at(I, I[H_OBJ] + target * OBJ)
            if T[O_FLAGS] & FIXED == 0:
                w = at(I, blk_at + nblk * BLK)
                w[B_ROW] = C[C_ROW]
                w[B_DIM] = C[C_DIM]
                w[B_V] = T[O_V]
                w[B_NV] = T[O_NV]
                w[B_J] = I[pool + 3 * (first + a) + 1]
                w[B_OBJ] = target
                w[B_G] = s
                w[B_CON] = c
                s += C[C_DIM] * T[O_NV]
                nblk += 1
                T[O_NINC] += 1
        C[C_NBLK] = nblk - C[C_BLK]
    I[H_BLK] = blk_at
    I[H_NB] = nblk
    top = blk_at + nblk * BLK
    return _graph(I, capacity, top, s)


@compiled
def _graph(I: Pointer, capacity: int, top: int, s: int) -> int:
    """Nodes, pairs and contributions of the KKT matrix, from the Jacobian blocks."""
    NO = I[H_NO]
    NC = I[H_NC]
    nblk = I[H_NB]
    blk = I[H_BLK]
    # incidences of each object, in order of constraints
    inc_at = top
    if top + nblk + 2 * NC + 64 > capacity:
        I[H_WANT] = 2 * capacity
        return -1
    nhub = 0
    fill = 0
    for o in range(NO):
        T = at(I, I[H_OBJ] + o * OBJ)
        T[O_INC] = fill
        fill += T[O_NINC]
        if T[O_NINC] > HUB_DEGREE:
            T[O_HUB] = NC + nhub
            nhub += 1
        T[O_NINC] = 0
    for b in range(nblk):
        T = at(I, I[H_OBJ] + I[blk + b * BLK + B_OBJ] * OBJ)
        I[inc_at + T[O_INC] + T[O_NINC]] = b
        T[O_NINC] += 1
    top = inc_at + nblk
    nnode = NC + nhub
    I[H_NNODE] = nnode
    I[H_NHUB] = nhub
    # bounds of pairs and contributions
    most = 0
    for o in range(NO):
        T = at(I, I[H_OBJ] + o * OBJ)
        if T[O_HUB] < 0:
            most += T[O_NINC] * (T[O_NINC] + 1) // 2
        else:
            most += T[O_NINC]
    want = top + 4 * nnode + 4 * most + most * CONTRIB + 3 * nblk + nnode + 64
    if want > capacity:
        I[H_WANT] = want + want // 2
        return -1
    I[H_SIZE] = top
    top += nnode
    I[H_LAST] = top
    top += nnode
    I[H_SIGN] = top
    top += nnode
    I[H_DIAG] = top
    top += nnode
    I[H_PAIR_I] = top
    top += most
    I[H_PAIR_J] = top
    top += most
    I[H_PAIR_OFF] = top
    top += most
    I[H_CONTRIB] = top
    top += most * CONTRIB
    I[H_HUBCOPY] = top
    top += 3 * nblk
    I[H_INTS] = top
    head = top  # scratch: heads and links of each constraint's list of pairs
    link = top + nnode
    I[H_S_VALUES] = s
    rows = 0
    for c in range(NC):
        C = at(I, I[H_CON] + c * CON)
        I[I[H_SIZE] + c] = C[C_DIM]
        I[I[H_SIGN] + c] = -1
        I[I[H_LAST] + c] = 1 if nhub > 0 else 0
        I[I[H_DIAG] + c] = s
        s += C[C_DIM] * C[C_DIM]
        I[head + c] = -1
        rows += C[C_DIM]
    npair = 0
    ncontrib = 0
    ncopy = 0
    for o in range(NO):
        T = at(I, I[H_OBJ] + o * OBJ)
        hub = T[O_HUB]
        if hub >= 0:
            I[I[H_SIZE] + hub] = T[O_NV]
            I[I[H_SIGN] + hub] = 1
            I[I[H_LAST] + hub] = 0
            I[I[H_DIAG] + hub] = s
            s += T[O_NV] * T[O_NV]
            rows += T[O_NV]
        for a in range(T[O_NINC]):
            A = at(I, blk + I[inc_at + T[O_INC] + a] * BLK)
            ca = A[B_CON]
            if hub >= 0:
                I[I[H_PAIR_I] + npair] = ca
                I[I[H_PAIR_J] + npair] = hub
                I[I[H_PAIR_OFF] + npair] = s
                w = at(I, I[H_HUBCOPY] + 3 * ncopy)
                w[0] = s
                w[1] = A[B_J]
                w[2] = A[B_DIM] * A[B_NV]
                ncopy += 1
                npair += 1
                s += A[B_DIM] * A[B_NV]
            else:
                I[I[H_LAST] + ca] = 0
                w = at(I, I[H_CONTRIB] + ncontrib * CONTRIB)
                ncontrib += 1
                w[0] = I[I[H_DIAG] + ca]
                w[1] = A[B_J]
                w[2] = A[B_G]
                w[3] = A[B_DIM]
                w[4] = A[B_DIM]
                w[5] = A[B_NV]
                w[6] = 1
                for b in range(a):
                    B = at(I, blk + I[inc_at + T[O_INC] + b] * BLK)
                    cb = B[B_CON]  # cb < ca
                    p = I[head + ca]
                    while p >= 0 and I[I[H_PAIR_J] + p] != cb:
                        p = I[link + p]
                    if p < 0:
                        p = npair
                        npair += 1
                        I[I[H_PAIR_I] + p] = ca
                        I[I[H_PAIR_J] + p] = cb
                        I[I[H_PAIR_OFF] + p] = s
                        s += A[B_DIM] * B[B_DIM]
                        I[link + p] = I[head + ca]
                        I[head + ca] = p
                    w = at(I, I[H_CONTRIB] + ncontrib * CONTRIB)
                    ncontrib += 1
                    w[0] = I[I[H_PAIR_OFF] + p]
                    w[1] = A[B_J]
                    w[2] = B[B_G]
                    w[3] = A[B_DIM]
                    w[4] = B[B_DIM]
                    w[5] = A[B_NV]
                    w[6] = 0
    I[H_NPAIR] = npair
    I[H_NCONTRIB] = ncontrib
    I[H_NHUBCOPY] = ncopy
    I[H_S_NVALUES] = s - I[H_S_VALUES]
    I[H_NNODEROWS] = rows
    I[H_S_SCALE] = s
    s += rows
    I[H_S_NODES] = s
    s += 3 * rows
    # damping blocks of the objects
    I[H_S_DAMP] = s
    for o in range(NO):
        T = at(I, I[H_OBJ] + o * OBJ)
        T[O_D] = s
        s += T[O_NV] * T[O_NV]
    I[H_S_END] = s
    return s
