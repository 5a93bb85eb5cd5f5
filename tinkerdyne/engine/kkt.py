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
from tinkerdyne.engine.conjugate_gradient import conjugate_gradient
from tinkerdyne.engine.ldl.analyse import ldl_analyse
from tinkerdyne.engine.ldl.factor import ldl_factor
from tinkerdyne.engine.ldl.plan import Plan
from tinkerdyne.engine.ldl.solve import ldl_solve
from tinkerdyne.engine.product import BODY, POINT, apply_W, inner
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
from tinkerdyne.engine.svd import svd_factor, svd_solve
from tinkerdyne.engine.yielding import leave_matrix

SVD = 2.0  # in Scalars.solver


@entry("IiIi")
def plan_world(I: Index, capacity: int, work: Ints, work_capacity: int) -> int:
    """Analyse the KKT matrix: the elimination order and fronts go into I at I.plan; returns the floats of
    the factor."""
    plan = I.plan
    return ldl_analyse(
        I.n_nodes, at(I, I.node_sizes), at(I, I.node_last),
        I.n_pairs, at(I, I.pair_rows), at(I, I.pair_columns),
        Plan(at(I, plan)), capacity - plan, work, work_capacity,
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
    for c in range(BODY):
        a0 = J[c]
        a1 = J[BODY + c]
        a2 = J[2 * BODY + c]
        b0 = G[c]
        b1 = G[BODY + c]
        s00 += a0 * b0
        s10 += a1 * b0
        s11 += a1 * b1
        s20 += a2 * b0
        s21 += a2 * b1
        s22 += a2 * G[2 * BODY + c]
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
    for c in range(BODY):
        a0 = J[c]
        a1 = J[BODY + c]
        a2 = J[2 * BODY + c]
        b0 = G[c]
        b1 = G[BODY + c]
        b2 = G[2 * BODY + c]
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
    weigh_blocks(I, S)
    subtract_contributions(I, S)
    refer_to_diagonal(I, S)
    if I.n_hubs > 0:
        place_hubs(I, S)
        add_hubs_to_reference(I, S)
    if S.yielding > 0.0:
        leave_matrix(I, S)


@inlined
def weigh_blocks(I: Index, S: Scalars) -> None:
    """G = W Jᵀ of every block, by rows of J."""
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        T = Object.of(I, block.object)
        n = block.nv
        J = at(S, block.J)
        G = at(S, block.G)
        if n == BODY and block.dim == POINT and T.flags & Flag.DIAGONAL != 0:
            diagonal = at(S, T.diagonals)
            for i in range(POINT):
                for c in range(BODY):
                    G[i * BODY + c] = diagonal[c] * J[i * BODY + c]
        else:
            for i in range(block.dim):
                apply_W(T, S, at(J, i * n), at(G, i * n))


@inlined
def subtract_contributions(I: Index, S: Scalars) -> None:
    """−A = −Σ J W Jᵀ over the objects that are no hubs."""
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
        if n == BODY and d2 == POINT and share.d1 == POINT:
            if share.is_diagonal != 0:
                subtract_symmetric(y, J, G)
            else:
                subtract_product(y, J, G)
        else:
            for i in range(share.d1):
                for j in range(d2):
                    y[i * d2 + j] -= inner(at(J, i * n), at(G, j * n), n)


@inlined
def refer_to_diagonal(I: Index, S: Scalars) -> None:
    """The reference of each row: its entry on the diagonal of A."""
    scale = at(S, I.scale)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        d = C.dim
        D = at(S, I[I.node_diagonals + c])
        for i in range(d):
            scale[C.row + i] = -D[i * d + i]


@inlined
def place_hubs(I: Index, S: Scalars) -> None:
    """J_h and M_h of the hubs into the matrix."""
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


@inlined
def add_hubs_to_reference(I: Index, S: Scalars) -> None:
    """The diagonal of J_h W_h J_hᵀ belongs to the reference too."""
    scale = at(S, I.scale)
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


@compiled
def factor(I: Index, S: Scalars, epsilon: float) -> int:
    """LDLᵀ of the KKT matrix with −ε·scale on the constraints' diagonal; returns the number of pivots that
    had vanished."""
    if S.solver == SVD and I.svd != 0:
        replaced = svd_factor(I, S, epsilon)
        S.replaced = float(replaced)
        S.count_factor += 1.0
        return replaced
    if S.solver != 0.0:
        return 0
    replaced = ldl_factor(
        Plan(at(I, I.plan)),
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
    if S.solver == SVD and I.svd != 0:
        svd_solve(I, S, b, lam)
        return
    if S.solver != 0.0:
        conjugate_gradient(I, S, b, lam)
        return
    NR = I.nr
    x = at(S, I.node_vector)
    for i in range(NR):
        x[i] = -b[i]
    for i in range(NR, I.n_node_rows):
        x[i] = 0.0
    ldl_solve(Plan(at(I, I.plan)), at(S, I.store), x)
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
