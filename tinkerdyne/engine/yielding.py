"""Constraints that yield: those found impossible to meet become springs, so that the rest of the world keeps
its exact solver.

A constraint that the guarded projection cannot meet (a contradictory pair, a target out of reach) would fail
Newton in every step. Instead its rows leave the multipliers, and along Jᵀ acts the damped spring of DC88's
approach with the rows' own mass,
    f = −(J W Jᵀ)⁻¹ (c/τ² + 2ċ/τ),   τ falling from the constraint's own to a few steps, the same for all,
whose equilibrium is the least-squares compromise but for a sag of g τ². Once such a constraint is met it is
exact again.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled
from tinkerdyne.engine.records import (
    B_DIM,
    B_G,
    B_J,
    B_NV,
    B_OBJ,
    B_V,
    BLK,
    C_BLK,
    C_DIM,
    C_KIND,
    C_MEM,
    C_NBLK,
    C_REC,
    C_ROW,
    C_TAU,
    CON,
    H_BLK,
    H_CON,
    H_DIAG,
    H_NB,
    H_NC,
    H_NPAIR,
    H_OBJ,
    H_PAIR_I,
    H_PAIR_J,
    H_PAIR_OFF,
    H_S_FORCE,
    H_S_SCALE,
    H_S_V,
    H_SIZE,
    O_NV,
    O_W,
    OBJ,
    OPEN,
    RATE,
    S_FACTORED,
    S_KINETIC,
    S_SPRINGS,
    S_TIME,
    S_YIELD_TAU,
    S_YIELDING,
    SPRING,
    STOP,
)  # fmt: skip

FLOOR = 1e-6  # of the trace of J W Jᵀ, added to its diagonal: rows that say the same share the force


@compiled
def yields(I: Pointer, S: Pointer, c: int) -> int:
    """Whether the rows of constraint c are out of the multiplier equation for now: a spring, or an open
    stop."""
    C = at(I, I[H_CON] + c * CON)
    flag = S[C[C_MEM] + 3 * C[C_DIM] + 1]
    return 1 if flag == SPRING or flag == OPEN else 0


@compiled
def is_open(I: Pointer, S: Pointer, c: int) -> int:
    """Whether constraint c is a stop that nothing touches."""
    C = at(I, I[H_CON] + c * CON)
    return 1 if S[C[C_MEM] + 3 * C[C_DIM] + 1] == OPEN else 0


@compiled
def count_yielding(I: Pointer, S: Pointer) -> None:
    """Bring S_YIELDING and S_SPRINGS up to date with the constraints' memory."""
    n = 0
    springs = 0
    for c in range(I[H_NC]):
        n += yields(I, S, c)
        springs += yields(I, S, c) - is_open(I, S, c)
    S[S_YIELDING] = float(n)
    S[S_SPRINGS] = float(springs)
    S[S_FACTORED] = 0.0


@compiled
def stand_alone(D: Pointer, d: int) -> None:
    """The diagonal block of rows that are no part of the matrix."""
    for k in range(d * d):
        D[k] = 0.0
    for i in range(d):
        D[i * d + i] = -1.0


@compiled
def leave_matrix(I: Pointer, S: Pointer) -> None:
    """Take the rows of yielding constraints out of the matrix: identity on the diagonal, nothing beside it,
    no forces."""
    scale = at(S, I[H_S_SCALE])
    for b in range(I[H_NB]):
        w = at(I, I[H_BLK] + b * BLK)
        if yields(I, S, w[7]) != 0:
            for k in range(w[B_DIM] * w[B_NV]):
                S[w[B_G] + k] = 0.0
    for c in range(I[H_NC]):
        if yields(I, S, c) != 0:
            C = at(I, I[H_CON] + c * CON)
            d = C[C_DIM]
            stand_alone(at(S, I[I[H_DIAG] + c]), d)
            for i in range(d):
                scale[C[C_ROW] + i] = 1.0
    for p in range(I[H_NPAIR]):
        i = I[I[H_PAIR_I] + p]
        j = I[I[H_PAIR_J] + p]
        out = 0
        if i < I[H_NC]:
            out += yields(I, S, i)
        if j < I[H_NC]:
            out += yields(I, S, j)
        if out != 0:
            for k in range(I[I[H_SIZE] + i] * I[I[H_SIZE] + j]):
                S[I[I[H_PAIR_OFF] + p] + k] = 0.0


@compiled
def clear_rows(I: Pointer, S: Pointer, x: Pointer) -> None:
    """Zero the rows of yielding constraints in a vector of residuals."""
    for c in range(I[H_NC]):
        if yields(I, S, c) != 0:
            C = at(I, I[H_CON] + c * CON)
            for i in range(C[C_DIM]):
                x[C[C_ROW] + i] = 0.0


@compiled
def mobility(I: Pointer, S: Pointer, c: int, K: Pointer) -> float:
    """K = J W Jᵀ of constraint c by itself, its lower triangle; returns the trace."""
    C = at(I, I[H_CON] + c * CON)
    d = C[C_DIM]
    trace = 0.0
    for i in range(d):
        for j in range(i + 1):
            total = 0.0
            for b in range(C[C_BLK], C[C_BLK] + C[C_NBLK]):
                w = at(I, I[H_BLK] + b * BLK)
                T = at(I, I[H_OBJ] + w[B_OBJ] * OBJ)
                n = T[O_NV]
                for a in range(n):
                    for k in range(n):
                        total += S[w[B_J] + i * n + a] * S[T[O_W] + a * n + k] * S[w[B_J] + j * n + k]
            K[i * d + j] = total
        trace += K[i * d + i]
    return trace


@compiled
def solve_small(K: Pointer, x: Pointer, d: int, epsilon: float) -> None:
    """x ← (K + ε)⁻¹ x by Cholesky's factor, which takes the place of the lower triangle of K."""
    for i in range(d):
        for j in range(i + 1):
            total = K[i * d + j]
            for k in range(j):
                total -= K[i * d + k] * K[j * d + k]
            K[i * d + j] = math.sqrt(max(total, 0.0) + epsilon) if i == j else total / K[j * d + j]
        for k in range(i):
            x[i] -= K[i * d + k] * x[k]
        x[i] /= K[i * d + i]
    for m in range(d):
        i = d - 1 - m
        for k in range(i + 1, d):
            x[i] -= K[k * d + i] * x[k]
        x[i] /= K[i * d + i]


@compiled
def pull_yielding(I: Pointer, S: Pointer, lam: Pointer) -> None:
    """Add the springs of yielding constraints to the applied force; their efforts go to λ for reading."""
    Q = at(S, I[H_S_FORCE])
    base = I[H_S_V]
    for c in range(I[H_NC]):
        if yields(I, S, c) == 0:
            continue
        C = at(I, I[H_CON] + c * CON)
        d = C[C_DIM]
        f = at(lam, C[C_ROW])
        for i in range(d):
            f[i] = 0.0
        if is_open(I, S, c) != 0:
            continue
        K = at(S, I[I[H_DIAG] + c])  # its place in the matrix, of which it is no part now
        trace = mobility(I, S, c, K)
        if trace > 0.0:
            rec = at(S, C[C_REC])
            # From the constraint's own τ, as gently as an approach, down to the stiff end as fast as that
            # approach would take.
            own = S[C[C_TAU]]
            tau = max(S[S_YIELD_TAU], own * math.exp(min(0.0, (S[C[C_MEM] + 3 * d] - S[S_TIME]) / own)))
            for i in range(d):
                f[i] = -(rec[i] / (tau * tau) + 2.0 / tau * rec[d + i])
            solve_small(K, f, d, FLOOR * trace)
        stand_alone(K, d)
        if C[C_KIND] == STOP:
            f[0] = max(0.0, f[0])  # a stop never pulls
        for b in range(C[C_BLK], C[C_BLK] + C[C_NBLK]):
            w = at(I, I[H_BLK] + b * BLK)
            n = w[B_NV]
            for i in range(d):
                for k in range(n):
                    Q[w[B_V] - base + k] += f[i] * S[w[B_J] + i * n + k]


@compiled
def let_yield(I: Pointer, S: Pointer, gap: Pointer, limit: float) -> None:
    """Let every constraint yield whose |c − r| is above the limit."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        for i in range(C[C_DIM]):
            if math.fabs(gap[C[C_ROW] + i]) > limit and yields(I, S, c) == 0 and C[C_KIND] < RATE:
                S[C[C_MEM] + 3 * C[C_DIM]] = S[S_TIME]
                S[C[C_MEM] + 3 * C[C_DIM] + 1] = 1.0
    count_yielding(I, S)


@compiled
def swap_springs(I: Pointer, S: Pointer, was: float, to: float) -> None:
    """Give every constraint that is in one state (see layout.EXACT) another one; its reference is zero
    then."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        d = C[C_DIM]
        mem = at(S, C[C_MEM])
        if mem[3 * d + 1] == was:
            mem[3 * d + 1] = to
            for i in range(2 * d):
                mem[d + i] = 0.0
    count_yielding(I, S)


@compiled
def are_near(I: Pointer, S: Pointer, h: float, least: float) -> int:
    """Whether no spring is stretched by more than `least`, or than its ends could move in h: √(2T tr J W Jᵀ)
    is their speed."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        d = C[C_DIM]
        if S[C[C_MEM] + 3 * d + 1] == SPRING:
            K = at(S, I[I[H_DIAG] + c])
            reach = max(least, h * math.sqrt(2.0 * S[S_KINETIC] * mobility(I, S, c, K)))
            stand_alone(K, d)
            for i in range(d):
                if not (math.fabs(S[C[C_REC] + i]) <= reach):
                    return 0
    return 1


@compiled
def take_back(I: Pointer, S: Pointer, limit: float, t: float) -> int:
    """Make yielding constraints exact again that have come to rest within the limit; returns how many."""
    n = 0
    for c in range(I[H_NC]):
        if yields(I, S, c) == 0 or is_open(I, S, c) != 0:
            continue
        C = at(I, I[H_CON] + c * CON)
        d = C[C_DIM]
        rec = at(S, C[C_REC])
        if C[C_KIND] == STOP and rec[0] >= -limit:  # it is free again
            for i in range(3):
                S[C[C_MEM] + i] = 0.0
            S[C[C_MEM] + 4] = OPEN
            n += 1
            continue
        far = 0
        for i in range(d):
            if not (math.fabs(rec[i]) <= limit) or not (math.fabs(rec[d + i]) <= 10.0 * limit):
                far = 1
        if far == 0:
            mem = at(S, C[C_MEM])
            for i in range(d):
                mem[i] = 0.0
                mem[d + i] = rec[i]
                mem[2 * d + i] = rec[d + i]
            mem[3 * d] = t
            mem[3 * d + 1] = 0.0
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n
