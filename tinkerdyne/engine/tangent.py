"""The tangent matrix of a world: how all forces change with positions and velocities, in one KKT matrix whose
nodes are the free objects and the constraints.

    [ M + a C + b (K + H)   Jᵀ ] [δv]   [r_q]       C = −∂Q/∂v,  K = −∂Q/∂q  of behaviors and fields,
    [ J                    −α  ] [δλ] = [r_c],      H = ∂(Jᵀλ)/∂q            of constraints (M v̇ = Q − Jᵀλ)

Derivatives by q mean those along the motions that velocities count, with body rotations; the symmetric part
alone is taken. How a connector's velocity changes with q at a given v is left out: it is not symmetric and
small beside K wherever steps are.

Its tables and kernels are made when a world first needs it (engine.tangent_layout). A step that does asks
with `has_tangent`; where it is not there the step is taken back, `advance` returns, and goes on once it is.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, call, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import DAMPING, STIFFNESS
from tinkerdyne.engine.ldl.factor import ldl_factor
from tinkerdyne.engine.ldl.plan import Plan
from tinkerdyne.engine.ldl.solve import ldl_solve
from tinkerdyne.engine.light import choose_plan
from tinkerdyne.engine.records import (
    BehaviorKernels,
    Constraint,
    Index,
    Jacobian,
    Object,
    Scalars,
)
from tinkerdyne.engine.tangent_records import (
    BlockShare,
    ElementBatch,
    End,
    Fall,
    FieldShare,
    Load,
    Shared,
    Tangent,
    tangent_of,
)
from tinkerdyne.engine.yielding import stand_alone, yields


@inlined
def has_tangent(I: Index, S: Scalars) -> int:
    """Whether the tangent matrix is laid out; if not, it is asked for, and the step must be given up."""
    if I.tangent == 0:
        S.wants_tangent = 1.0
        return 0
    return 1


# --- the matrix ----------------------------------------------------------------------------------------


@compiled
def tangent_assemble(I: Index, S: Scalars, a: float, b: float, alpha: float, lam: Floats) -> None:
    """M + a C + b (K + H(λ)), J and −α at the present state: lifts, points, J, M and forces must be those of
    it."""
    T = tangent_of(I)
    place_masses(I, T, S)
    place_constraints(I, T, S, alpha)
    S.damping_share = a
    S.stiffness_share = b
    for k in range(T.n_batches):
        batch = ElementBatch.of(T, k)
        call(batch.kernel, batch.n, at(T, batch.offsets), S)
    add_shares(T, S, 0, T.n_shares, 1.0)
    add_fields(I, T, S, DAMPING, a)
    if b != 0.0:
        add_fields(I, T, S, STIFFNESS, b)
        let_fall(I, T, S, lam)
        for k in range(T.n_batches, T.n_batches + T.n_bent_batches):
            batch = ElementBatch.of(T, k)
            call(batch.kernel, batch.n, at(T, batch.offsets), S)
        add_shares(T, S, T.n_shares, T.n_shares + T.n_bent_shares, b)
    refer_to_masses(I, T, S)
    if S.yielding > 0.0:
        leave_tangent(I, T, S)


@inlined
def place_masses(I: Index, T: Tangent, S: Scalars) -> None:
    """M on the diagonal of the objects, nothing beside it."""
    for o in range(I.n_objects):
        node = T[T.object_nodes + o]
        if node >= 0:
            body = Object.of(I, o)
            D = at(S, T[T.node_diagonals + node])
            for k in range(body.nv * body.nv):
                D[k] = S[body.M + k]
    for p in range(T.n_copies, T.n_pairs):
        block = at(S, T[T.pair_places + p])
        for k in range(T[T.node_sizes + T[T.pair_rows + p]] * T[T.node_sizes + T[T.pair_columns + p]]):
            block[k] = 0.0


@inlined
def place_constraints(I: Index, T: Tangent, S: Scalars, alpha: float) -> None:
    """J, and −α on the diagonal of the constraints."""
    for c in range(I.n_constraints):
        d = Constraint.of(I, c).dim
        D = at(S, T[T.node_diagonals + c])
        for i in range(d):
            for j in range(d):
                D[i * d + j] = -alpha if i == j else 0.0
    for p in range(T.n_copies):
        block = Jacobian.of(I, p)
        J = at(S, T[T.pair_places + p])
        for k in range(block.dim * block.nv):
            J[k] = S[block.J + k]


@compiled
def add_shares(T: Tangent, S: Scalars, first: int, end: int, factor: float) -> None:
    """J₁ᵀ B J₂ of the elements' blocks to the blocks between objects."""
    work = at(S, T.work)
    for k in range(first, end):
        share = BlockShare.of(T, k)
        one = End.of(T, share.row)
        other = End.of(T, share.column)
        n = other.nv
        B = at(S, share.source + one.first * share.width + other.first)
        multiply_right(S, B, share.width, one.rows, other, work)
        if one.J < 0:
            for i in range(one.rows):
                for j in range(n):
                    add_entry(share, S, i, j, one.nv, n, factor * work[i * n + j])
        else:
            J = at(S, one.J)
            m = one.nv
            for i in range(m):
                for j in range(n):
                    s = 0.0
                    for r in range(one.rows):
                        s += J[r * m + i] * work[r * n + j]
                    add_entry(share, S, i, j, m, n, factor * s)


@inlined
def multiply_right(S: Scalars, B: Floats, width: int, rows: int, end: End, y: Floats) -> None:
    """y = B J of an end, where B has so many rows, `width` apart."""
    n = end.nv
    if end.J < 0:
        for i in range(rows):
            for j in range(n):
                y[i * n + j] = B[i * width + j]
    else:
        J = at(S, end.J)
        for i in range(rows):
            for j in range(n):
                y[i * n + j] = 0.0
            for r in range(end.rows):
                f = B[i * width + r]
                if f != 0.0:
                    for j in range(n):
                        y[i * n + j] += f * J[r * n + j]


@inlined
def add_entry(share: BlockShare, S: Scalars, i: int, j: int, m: int, n: int, x: float) -> None:
    """Add an entry of an m × n product to the block of a share."""
    y = at(S, share.target)
    if share.kind == Shared.TURNED:
        y[j * m + i] += x
    else:
        y[i * n + j] += x
        if share.kind == Shared.BOTH:
            y[j * n + i] += x


@compiled
def add_fields(I: Index, T: Tangent, S: Scalars, which: int, factor: float) -> None:
    """The symmetric part of the fields' damping or stiffness on each object."""
    if T.n_field_shares == 0 or factor == 0.0:
        return
    for b in range(I.n_behavior_batches):
        row = BehaviorKernels.of(I, b)
        if row.is_field != 0:
            call(row[which], row.n, at(I, row.offsets), S)
    for k in range(T.n_field_shares):
        share = FieldShare.of(T, k)
        n = share.nv
        B = at(S, share.source)
        D = at(S, share.target)
        for i in range(n):
            for j in range(n):
                D[i * n + j] += 0.5 * factor * (B[i * n + j] + B[j * n + i])


@compiled
def let_fall(I: Index, T: Tangent, S: Scalars, lam: Floats) -> None:
    """The force on the value of every connector and constraint: λ − f, handed down from what stands on it.

    What stands on a block comes later in the list, so that going backwards all is there before it is handed
    on."""
    for k in range(T.n_adjoint):
        S[T.adjoint + k] = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if yields(I, S, c) == 0:
            for i in range(C.dim):
                S[T[T.adjoints + c] + i] = lam[C.row + i]
    for k in range(T.n_loads):
        load = Load.of(T, k)
        for i in range(load.count):
            S[load.target + i] -= S[load.source + i]
    for k in range(T.n_falls - 1, -1, -1):
        fall = Fall.of(T, k)
        x = at(S, fall.source)
        y = at(S, fall.target)
        if fall.sign != 0:
            for i in range(fall.rows):
                y[i] += fall.sign * x[i]
        else:
            Df = at(S, fall.Df)
            n = fall.columns
            for i in range(fall.rows):
                f = x[i]
                if f != 0.0:
                    for j in range(n):
                        y[j] += f * Df[i * n + j]


@inlined
def refer_to_masses(I: Index, T: Tangent, S: Scalars) -> None:
    """The reference of each row: J diag(M + …)⁻¹ Jᵀ."""
    scale = at(S, T.scale)
    for i in range(T.n_rows):
        scale[i] = 0.0
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        n = block.nv
        D = at(S, T[T.node_diagonals + T[T.object_nodes + block.object]])
        for i in range(block.dim):
            for k in range(n):
                x = S[block.J + i * n + k]
                if x != 0.0:
                    scale[block.row + i] += x * x / math.fabs(D[k * n + k])


@compiled
def leave_tangent(I: Index, T: Tangent, S: Scalars) -> None:
    """Take the rows of yielding constraints out of the matrix."""
    for c in range(I.n_constraints):
        if yields(I, S, c) != 0:
            C = Constraint.of(I, c)
            stand_alone(at(S, T[T.node_diagonals + c]), C.dim)
            for i in range(C.dim):
                S[T.scale + C.row + i] = 1.0
    for p in range(T.n_copies):
        if yields(I, S, T[T.pair_rows + p]) != 0:
            block = Jacobian.of(I, p)
            for k in range(block.dim * block.nv):
                S[T[T.pair_places + p] + k] = 0.0


@inlined
def outweigh(I: Index, S: Scalars) -> float:
    """How far what stands beside a mass on the diagonal outweighs it, at most: of M no digits are left
    where that is 1e16."""
    T = tangent_of(I)
    most = 0.0
    for o in range(I.n_objects):
        node = T[T.object_nodes + o]
        if node >= 0:
            body = Object.of(I, o)
            n = body.nv
            for i in range(n):
                whole = S[T[T.node_diagonals + node] + i * n + i]
                most = max(most, math.fabs(whole) / S[body.M + i * n + i])
    return most


# --- factor and solve ----------------------------------------------------------------------------------


@compiled
def tangent_factor(I: Index, S: Scalars, epsilon: float) -> int:
    """LDLᵀ of the matrix with −ε·scale more on the constraints' diagonal; returns the number of pivots that
    had vanished. Pivots of objects may have any sign: a pressed strut or spring is no error."""
    T = tangent_of(I)
    T.is_light = 0
    return factor_by(S, T, T.plan, T.pair_places, epsilon)


@compiled
def tangent_factor_light(I: Index, S: Scalars, epsilon: float, is_first: int) -> int:
    """The same but for the blocks between objects that are not stiff, where few are (engine.light); for
    iterations that measure their residual, the first of a step or a later one."""
    T = tangent_of(I)
    choose_plan(I, T, S, is_first)
    if T.is_light != 0:
        return factor_by(S, T, T.light_plan, T.light_places, epsilon)
    return factor_by(S, T, T.plan, T.pair_places, epsilon)


@compiled
def factor_by(S: Scalars, T: Tangent, plan: int, places: int, epsilon: float) -> int:
    """LDLᵀ by one of the two plans."""
    return ldl_factor(
        Plan(at(T, plan)),
        S,
        at(T, T.node_diagonals),
        at(T, places),
        at(T, T.node_signs),
        at(S, T.scale),
        epsilon,
        at(S, T.store),
    )


@compiled
def tangent_solve(I: Index, S: Scalars, rq: Floats, rc: Floats, dv: Floats, dlam: Floats) -> None:
    """(δv, δλ) from the right sides of velocities and rows, by the last factor; what is fixed gets 0."""
    T = tangent_of(I)
    x = at(S, T.vector)
    for i in range(I.nr):
        x[i] = rc[i]
    k = I.nr
    for o in range(I.n_objects):
        if T[T.object_nodes + o] >= 0:
            body = Object.of(I, o)
            for i in range(body.nv):
                x[k] = rq[body.v - I.v + i]
                k += 1
    ldl_solve(Plan(at(T, T.light_plan if T.is_light != 0 else T.plan)), at(S, T.store), x)
    for i in range(I.nr):
        dlam[i] = x[i]
    k = I.nr
    for o in range(I.n_objects):
        body = Object.of(I, o)
        for i in range(body.nv):
            dv[body.v - I.v + i] = 0.0
        if T[T.object_nodes + o] >= 0:
            for i in range(body.nv):
                dv[body.v - I.v + i] = x[k]
                k += 1


@entry("IFddddF")
def try_tangent(I: Index, S: Scalars, a: float, b: float, alpha: float, epsilon: float, lam: Floats) -> int:
    """Assemble and factor at the present state, which must be evaluated; for tests and readings."""
    tangent_assemble(I, S, a, b, alpha, lam)
    return tangent_factor(I, S, epsilon)


@entry("IFFFFF")
def try_tangent_solve(I: Index, S: Scalars, rq: Floats, rc: Floats, dv: Floats, dlam: Floats) -> int:
    """Solve with the last factor."""
    tangent_solve(I, S, rq, rc, dv, dlam)
    return 0
