"""The linear system of the constraint forces, J W Jᵀ λ = b (ID90 eq. 5), in compiled code.

The matrix is kept in the larger, sparser form where it pays: objects with many constraints (hubs) stay in
    [ M_h  J_hᵀ ] [y]   [ 0 ]
    [ J_h  −A   ] [λ] = [−b ],   A = Σ over the other objects of J W Jᵀ,
whose solution is that of (A + J_h W_h J_hᵀ) λ = b.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.conjugate_gradient import conjugate_gradient, dot, times_A
from tinkerdyne.engine.ldl.factor import ldl_analyse, ldl_factor, ldl_solve
from tinkerdyne.engine.product import add_WJt, apply_W, inner, times_J
from tinkerdyne.engine.records import (
    Constraint,
    Contribution,
    Flag,
    HubCopy,
    Index,
    Jacobian,
    Object,
    Scalars,
)
from tinkerdyne.engine.yielding import clear_rows, leave_matrix

ENOUGH = 1e-11  # a residual below this share of the right-hand side is rounding
SETTLED = 1e-5  # … and below this, one more correction makes it so
STALLED = 4  # directions in a row that do not lower the residual: what is left cannot be met
MOST_DIRECTIONS = 60  # of conjugate residuals: as many light parts in a row may carry a heavy one


@entry("IiIi")
def plan_world(I: Index, capacity: int, work: Ints, work_capacity: int) -> int:
    """Analyse the KKT matrix: the elimination order and fronts go into I at I.plan; returns the floats of
    the factor."""
    plan = I.plan
    return ldl_analyse(
        I.n_nodes, at(I, I.node_sizes), at(I, I.node_last),
        I.n_pairs, at(I, I.pair_rows), at(I, I.pair_columns),
        at(I, plan), capacity - plan, work, work_capacity,
    )  # fmt: skip


@compiled
def subtract_symmetric(y: Floats, J: Floats, G: Floats) -> None:
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
def subtract_product(y: Floats, J: Floats, G: Floats) -> None:
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
def assemble(I: Index, S: Scalars) -> None:
    """G = W Jᵀ of every block (kept by rows of J), then the blocks of A, of the hubs, and the reference
    diagonal."""
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        T = Object.of(I, block.object)
        n = block.nv
        J = at(S, block.J)
        G = at(S, block.G)
        if n == 6 and block.dim == 3 and T.flags & Flag.DIAGONAL != 0:
            diagonal = at(S, T.diagonals)
            for i in range(3):
                for c in range(6):
                    G[i * 6 + c] = diagonal[c] * J[i * 6 + c]
        else:
            for i in range(block.dim):
                apply_W(T, S, at(J, i * n), at(G, i * n))
    values = at(S, I.matrix)
    for k in range(I.n_matrix):
        values[k] = 0.0
    for k in range(I.n_contributions):
        share = Contribution.of(I, k)
        y = at(S, share.target)
        J = at(S, share.J)
        G = at(S, share.G)
        d2 = share.d2
        n = share.nv
        if n == 6 and d2 == 3 and share.d1 == 3:
            if share.is_diagonal != 0:
                subtract_symmetric(y, J, G)
            else:
                subtract_product(y, J, G)
        else:
            for i in range(share.d1):
                for j in range(d2):
                    y[i * d2 + j] -= inner(at(J, i * n), at(G, j * n), n)
    scale = at(S, I.scale)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        d = C.dim
        D = at(S, I[I.node_diagonals + c])
        for i in range(d):
            scale[C.row + i] = -D[i * d + i]
    if I.n_hubs > 0:
        for k in range(I.n_hub_copies):
            copied = HubCopy.of(I, k)
            for i in range(copied.count):
                S[copied.target + i] = S[copied.source + i]
        for o in range(I.n_objects):
            T = Object.of(I, o)
            if T.hub >= 0:
                n = T.nv
                D = at(S, I[I.node_diagonals + T.hub])
                for k in range(n * n):
                    D[k] = S[T.M + k]
        for b in range(I.n_jacobians):
            block = Jacobian.of(I, b)
            T = Object.of(I, block.object)
            if T.hub >= 0:
                n = block.nv
                for i in range(block.dim):
                    s = 0.0
                    for c in range(n):
                        s += S[block.J + i * n + c] * S[block.G + i * n + c]
                    scale[block.row + i] += s
    if S.yielding > 0.0:
        leave_matrix(I, S)


@compiled
def factor(I: Index, S: Scalars, epsilon: float) -> int:
    """LDLᵀ of the KKT matrix with −ε·scale on the constraints' diagonal; returns the number of pivots that
    had vanished."""
    if S.solver != 0.0:
        return 0
    replaced = ldl_factor(
        at(I, I.plan),
        S,
        at(I, I.node_diagonals),
        at(I, I.pair_places),
        at(I, I.node_signs),
        at(S, I.scale),
        epsilon,
        at(S, I.store),
    )
    S.replaced = float(replaced)
    S.factored = epsilon
    S.count_factor += 1.0
    return replaced


@compiled
def is_factored(I: Index, S: Scalars, epsilon: float) -> int:
    """Whether the factor at hand is still right: J and M are constant, and no edit came between (ID90 §5.4:
    troids)."""
    return 1 if I.is_constant != 0 and S.factored == epsilon and S.solver == 0.0 else 0


@compiled
def solve(I: Index, S: Scalars, b: Floats, lam: Floats) -> None:
    """λ = (J W Jᵀ)⁻¹ b with the last factor (b and λ may be the same)."""
    if S.solver != 0.0:
        conjugate_gradient(I, S, b, lam)
        return
    NR = I.nr
    x = at(S, I.node_vector)
    for i in range(NR):
        x[i] = -b[i]
    for i in range(NR, I.n_node_rows):
        x[i] = 0.0
    ldl_solve(at(I, I.plan), at(S, I.store), x)
    for i in range(NR):
        lam[i] = x[i]


@compiled
def norm_max(x: Floats, n: int) -> float:
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
    I: Index, S: Scalars, b: Floats, lam: Floats, r: Floats, d: Floats, y: Floats, steps: int
) -> float:
    """Solve with at most `steps` refinements on the true residual, b − J W Jᵀ λ, while it falls.

    λ may grow along directions that do nothing (redundant rows), hence the cap; returns the last residual's
    largest entry. r, d: rows of work; y: NV of work.
    """
    NR = I.nr
    NV = I.nv
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
        if S.yielding > 0.0:
            clear_rows(I, S, r)
        now = norm_max(r, NR)
        if now <= enough or not (now < 0.5 * last):
            return now
        last = now
        solve(I, S, r, d)
        for i in range(NR):
            lam[i] += d[i]
    return last


@inlined
def true_residual(I: Index, S: Scalars, b: Floats, lam: Floats, r: Floats, y: Floats) -> float:
    """r = b − J W Jᵀ λ without the rows that are out of the equation; returns its largest entry."""
    for i in range(I.nv):
        y[i] = 0.0
    add_WJt(I, S, lam, y, 1.0)
    times_J(I, S, y, r)
    for i in range(I.nr):
        r[i] = b[i] - r[i]
    if S.yielding > 0.0:
        clear_rows(I, S, r)
    return norm_max(r, I.nr)


@compiled
def exact_solve(I: Index, S: Scalars, b: Floats, lam: Floats) -> float:
    """λ = A⁻¹ b to the last digits that A has; returns the largest entry of the true residual b − A λ.

    By conjugate residuals with the regularised factor P = A + ε D as the preconditioner. Where a light part
    hands a heavy load through, an eigenvalue of A is as small as the ratio of masses, below ε. Plain
    refinement then gains a share μ/(μ + ε) a step; conjugate residuals find each such direction in one.
    Contradictory rows leave their least-squares residual.

        z = P⁻¹r, p = z;   α = zᵀA z / (A p)ᵀP⁻¹(A p),   λ += α p,   z −= α P⁻¹A p,   p = z + β p
    """
    n = I.nr
    base = I.cg
    r = at(S, base)
    z = at(S, base + n)
    p = at(S, base + 2 * n)
    Az = at(S, base + 3 * n)
    Ap = at(S, base + 4 * n)
    w = at(S, base + 5 * n)
    y = at(S, base + 7 * n)
    solve(I, S, b, lam)
    size = norm_max(b, n)
    now = true_residual(I, S, b, lam, r, y)
    if S.solver != 0.0 or not (now > ENOUGH * size):
        return now
    solve(I, S, r, z)
    if now <= SETTLED * size:  # the factor is as good as exact: this correction is the last one
        for i in range(n):
            lam[i] += z[i]
        return now * now / size
    times_A(I, S, z, Az, y)
    if S.yielding > 0.0:
        clear_rows(I, S, Az)
    copy_rows(z, p, n)
    copy_rows(Az, Ap, n)
    slope = dot(z, Az, n)
    best = now
    stalled = 0
    for _ in range(MOST_DIRECTIONS):
        solve(I, S, Ap, w)
        curve = dot(Ap, w, n)
        if not (slope > 0.0) or not (curve > 0.0):
            break
        alpha = slope / curve
        for i in range(n):
            lam[i] += alpha * p[i]
            r[i] -= alpha * Ap[i]
            z[i] -= alpha * w[i]
        now = norm_max(r, n)
        if now < 0.9 * best:
            best = now
            stalled = 0
        else:
            stalled += 1
        if now <= ENOUGH * size or stalled >= STALLED:
            break
        times_A(I, S, z, Az, y)
        if S.yielding > 0.0:
            clear_rows(I, S, Az)
        before = slope
        slope = dot(z, Az, n)
        for i in range(n):
            p[i] = z[i] + slope / before * p[i]
            Ap[i] = Az[i] + slope / before * Ap[i]
    return true_residual(I, S, b, lam, r, y)


@inlined
def copy_rows(x: Floats, y: Floats, n: int) -> None:
    for i in range(n):
        y[i] = x[i]
