"""The linear system of the constraint forces, J W Jᵀ λ = b (ID90 eq. 5), in compiled code.

The matrix is kept in the larger, sparser form where it pays: objects with many constraints (hubs) stay in
    [ M_h  J_hᵀ ] [y]   [ 0 ]
    [ J_h  −A   ] [λ] = [−b ],   A = Σ over the other objects of J W Jᵀ,
whose solution is that of (A + J_h W_h J_hᵀ) λ = b.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled, entry
from tinkerdyne.engine.conjugate_gradient import conjugate_gradient
from tinkerdyne.engine.ldl.factor import ldl_analyse, ldl_factor, ldl_solve
from tinkerdyne.engine.product import add_WJt, apply_W, inner, times_J
from tinkerdyne.engine.records import (
    B_DIM,
    B_G,
    B_J,
    B_NV,
    B_OBJ,
    B_ROW,
    BLK,
    C_DIM,
    C_ROW,
    CON,
    CONTRIB,
    DIAGONAL,
    H_BLK,
    H_CON,
    H_CONSTANT,
    H_CONTRIB,
    H_DIAG,
    H_HUBCOPY,
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
    H_NR,
    H_NV,
    H_OBJ,
    H_PAIR_I,
    H_PAIR_J,
    H_PAIR_OFF,
    H_PLAN,
    H_S_NODES,
    H_S_NVALUES,
    H_S_SCALE,
    H_S_STORE,
    H_S_VALUES,
    H_SIGN,
    H_SIZE,
    O_DG,
    O_FLAGS,
    O_HUB,
    O_M,
    O_NV,
    OBJ,
    S_COUNT_FACTOR,
    S_FACTORED,
    S_REPLACED,
    S_SOLVER,
    S_YIELDING,
)  # fmt: skip
from tinkerdyne.engine.yielding import clear_rows, leave_matrix

ENOUGH = 1e-11  # a residual below this share of the right-hand side is rounding


@entry("IiIi")
def plan_world(I: Pointer, capacity: int, work: Pointer, work_capacity: int) -> int:
    """Analyse the KKT matrix: the elimination order and fronts go into I at I[H_PLAN]; returns the floats of
    the factor."""
    plan = I[H_PLAN]
    return ldl_analyse(
        I[H_NNODE], at(I, I[H_SIZE]), at(I, I[H_LAST]), I[H_NPAIR], at(I, I[H_PAIR_I]), at(I, I[H_PAIR_J]),
        at(I, plan), capacity - plan, work, work_capacity,
    )  # fmt: skip


@compiled
def subtract_symmetric(y: Pointer, J: Pointer, G: Pointer) -> None:
    """The lower half of y −= J Gᵀ, where G is W J of the same block."""
    s00 = 0.0
    s10 = 0.0
    s11 = 0.0
    s20 = 0.0
    s21 = 0.0
    s22 = 0.0
    for c in range(6):
        a0 = J[c]
        a1 = J[6 + c]
        a2 = J[12 + c]
        b0 = G[c]
        b1 = G[6 + c]
        s00 += a0 * b0
        s10 += a1 * b0
        s11 += a1 * b1
        s20 += a2 * b0
        s21 += a2 * b1
        s22 += a2 * G[12 + c]
    y[0] -= s00
    y[3] -= s10
    y[4] -= s11
    y[6] -= s20
    y[7] -= s21
    y[8] -= s22


@compiled
def subtract_product(y: Pointer, J: Pointer, G: Pointer) -> None:
    """y −= J Gᵀ for two 3×6 blocks; sums stay in registers, since a store between loads would order them
    all."""
    s00 = 0.0
    s01 = 0.0
    s02 = 0.0
    s10 = 0.0
    s11 = 0.0
    s12 = 0.0
    s20 = 0.0
    s21 = 0.0
    s22 = 0.0
    for c in range(6):
        a0 = J[c]
        a1 = J[6 + c]
        a2 = J[12 + c]
        b0 = G[c]
        b1 = G[6 + c]
        b2 = G[12 + c]
        s00 += a0 * b0
        s01 += a0 * b1
        s02 += a0 * b2
        s10 += a1 * b0
        s11 += a1 * b1
        s12 += a1 * b2
        s20 += a2 * b0
        s21 += a2 * b1
        s22 += a2 * b2
    y[0] -= s00
    y[1] -= s01
    y[2] -= s02
    y[3] -= s10
    y[4] -= s11
    y[5] -= s12
    y[6] -= s20
    y[7] -= s21
    y[8] -= s22


@compiled
def assemble(I: Pointer, S: Pointer) -> None:
    """G = W Jᵀ of every block (kept by rows of J), then the blocks of A, of the hubs, and the reference
    diagonal."""
    for b in range(I[H_NB]):
        w = at(I, I[H_BLK] + b * BLK)
        T = at(I, I[H_OBJ] + w[B_OBJ] * OBJ)
        n = w[B_NV]
        J = at(S, w[B_J])
        G = at(S, w[B_G])
        if n == 6 and w[B_DIM] == 3 and T[O_FLAGS] & DIAGONAL != 0:
            diagonal = at(S, T[O_DG])
            for i in range(3):
                for c in range(6):
                    G[i * 6 + c] = diagonal[c] * J[i * 6 + c]
        else:
            for i in range(w[B_DIM]):
                apply_W(T, S, at(J, i * n), at(G, i * n))
    values = at(S, I[H_S_VALUES])
    for k in range(I[H_S_NVALUES]):
        values[k] = 0.0
    for k in range(I[H_NCONTRIB]):
        w = at(I, I[H_CONTRIB] + k * CONTRIB)
        y = at(S, w[0])
        J = at(S, w[1])
        G = at(S, w[2])
        d2 = w[4]
        n = w[5]
        if n == 6 and d2 == 3 and w[3] == 3:
            if w[6] != 0:
                subtract_symmetric(y, J, G)
            else:
                subtract_product(y, J, G)
        else:
            for i in range(w[3]):
                for j in range(d2):
                    y[i * d2 + j] -= inner(at(J, i * n), at(G, j * n), n)
    scale = at(S, I[H_S_SCALE])
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        d = C[C_DIM]
        D = at(S, I[I[H_DIAG] + c])
        for i in range(d):
            scale[C[C_ROW] + i] = -D[i * d + i]
    if I[H_NHUB] > 0:
        for k in range(I[H_NHUBCOPY]):
            w = at(I, I[H_HUBCOPY] + 3 * k)
            for i in range(w[2]):
                S[w[0] + i] = S[w[1] + i]
        for o in range(I[H_NO]):
            T = at(I, I[H_OBJ] + o * OBJ)
            if T[O_HUB] >= 0:
                n = T[O_NV]
                D = at(S, I[I[H_DIAG] + T[O_HUB]])
                for k in range(n * n):
                    D[k] = S[T[O_M] + k]
        for b in range(I[H_NB]):
            w = at(I, I[H_BLK] + b * BLK)
            T = at(I, I[H_OBJ] + w[B_OBJ] * OBJ)
            if T[O_HUB] >= 0:
                n = w[B_NV]
                for i in range(w[B_DIM]):
                    s = 0.0
                    for c in range(n):
                        s += S[w[B_J] + i * n + c] * S[w[B_G] + i * n + c]
                    scale[w[B_ROW] + i] += s
    if S[S_YIELDING] > 0.0:
        leave_matrix(I, S)


@compiled
def factor(I: Pointer, S: Pointer, epsilon: float) -> int:
    """LDLᵀ of the KKT matrix with −ε·scale on the constraints' diagonal; returns the number of pivots that
    had vanished."""
    if S[S_SOLVER] != 0.0:
        return 0
    replaced = ldl_factor(
        at(I, I[H_PLAN]),
        S,
        at(I, I[H_DIAG]),
        at(I, I[H_PAIR_OFF]),
        at(I, I[H_SIGN]),
        at(S, I[H_S_SCALE]),
        epsilon,
        at(S, I[H_S_STORE]),
    )
    S[S_REPLACED] = float(replaced)
    S[S_FACTORED] = epsilon
    S[S_COUNT_FACTOR] += 1.0
    return replaced


@compiled
def is_factored(I: Pointer, S: Pointer, epsilon: float) -> int:
    """Whether the factor at hand is still right: J and M are constant, and no edit came between (ID90 §5.4:
    troids)."""
    return 1 if I[H_CONSTANT] != 0 and S[S_FACTORED] == epsilon and S[S_SOLVER] == 0.0 else 0


@compiled
def solve(I: Pointer, S: Pointer, b: Pointer, lam: Pointer) -> None:
    """λ = (J W Jᵀ)⁻¹ b with the last factor (b and λ may be the same)."""
    if S[S_SOLVER] != 0.0:
        conjugate_gradient(I, S, b, lam)
        return
    NR = I[H_NR]
    x = at(S, I[H_S_NODES])
    for i in range(NR):
        x[i] = -b[i]
    for i in range(NR, I[H_NNODEROWS]):
        x[i] = 0.0
    ldl_solve(at(I, I[H_PLAN]), at(S, I[H_S_STORE]), x)
    for i in range(NR):
        lam[i] = x[i]


@compiled
def norm_max(x: Pointer, n: int) -> float:
    """max |x|; NaN and infinity give infinity."""
    m = 0.0
    for i in range(n):
        a = math.fabs(x[i])
        if not (a <= m):
            m = a
    if m != m:
        return math.inf
    return m


@compiled
def refined_solve(
    I: Pointer, S: Pointer, b: Pointer, lam: Pointer, r: Pointer, d: Pointer, y: Pointer, steps: int
) -> float:
    """Solve with at most `steps` refinements on the true residual, b − J W Jᵀ λ, while it falls.

    λ may grow along directions that do nothing (redundant rows), hence the cap; returns the last residual's
    largest entry. r, d: rows of work; y: NV of work.
    """
    NR = I[H_NR]
    NV = I[H_NV]
    solve(I, S, b, lam)
    last = math.inf
    enough = ENOUGH * norm_max(b, NR)
    for _ in range(steps):
        for i in range(NV):
            y[i] = 0.0
        add_WJt(I, S, lam, y, 1.0)
        times_J(I, S, y, r)
        for i in range(NR):
            r[i] = b[i] - r[i]
        if S[S_YIELDING] > 0.0:
            clear_rows(I, S, r)
        now = norm_max(r, NR)
        if now <= enough or not (now < 0.5 * last):
            return now
        last = now
        solve(I, S, r, d)
        for i in range(NR):
            lam[i] += d[i]
    return last
