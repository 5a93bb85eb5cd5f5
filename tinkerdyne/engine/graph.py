"""The graph of the KKT matrix: its nodes (constraints and hubs), pairs, and contributions J W Jᵀ, from the
blocks of J."""

from __future__ import annotations

from tinkerdyne.compiler.core import Pointer, at, compiled
from tinkerdyne.engine.records import (
    B_CON,
    B_DIM,
    B_G,
    B_J,
    B_NV,
    B_OBJ,
    BLK,
    C_DIM,
    CON,
    CONTRIB,
    H_BLK,
    H_CON,
    H_CONTRIB,
    H_DIAG,
    H_HUBCOPY,
    H_INTS,
    H_LAST,
    H_NB,
    H_NC,
    H_NCONTRIB,
    H_NHUB,
    H_NHUBCOPY,
    H_NNODE,
    H_NNODEROWS,
    H_NO,
    H_NPAIR,
    H_OBJ,
    H_PAIR_I,
    H_PAIR_J,
    H_PAIR_OFF,
    H_S_DAMP,
    H_S_END,
    H_S_NODES,
    H_S_NVALUES,
    H_S_SCALE,
    H_S_VALUES,
    H_SIGN,
    H_SIZE,
    H_WANT,
    HUB_DEGREE,
    O_D,
    O_HUB,
    O_INC,
    O_NINC,
    O_NV,
    OBJ,
)  # fmt: skip


@compiled
def graph(I: Pointer, capacity: int, top: int, s: int) -> int:
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
