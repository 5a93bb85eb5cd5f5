"""Evaluation of a world: lifts, connectors and constraints with their Jacobians, masses, forces and energies,
in compiled code."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, call, compiled, inlined
from tinkerdyne.compiler.records import FloatRecord, Floats, place_of
from tinkerdyne.engine.records import (
    BehaviorKernels,
    BlockKernels,
    BlockOffsets,
    Composed,
    Composition,
    Damping,
    Flag,
    Index,
    Object,
    ObjectKernels,
    Pull,
    Scalars,
)

# Columns of the batches: which kernel is run.
LIFT, QDOT, MASS, GYRO, NORMALISE = (
    place_of(ObjectKernels, kernel) for kernel in ("lift", "qdot", "mass", "gyro", "normalise")
)
VALUE, MOTION, FULL, SPATIAL = (
    place_of(BlockKernels, kernel) for kernel in ("value", "motion", "full", "spatial")
)
FORCE, DAMPING, STIFFNESS, SPATIAL_FORCE = (
    place_of(BehaviorKernels, kernel) for kernel in ("force", "damping", "stiffness", "spatial")
)


class Energies(FloatRecord):
    """What the record of a behavior begins with; the forces on its inputs follow."""

    potential: float
    power: float  # of a force that has no potential


@compiled
def run_objects(I: Index, S: Scalars, which: int) -> None:
    """Run one kernel of every object batch: LIFT, QDOT, MASS, GYRO or NORMALISE."""
    for b in range(I.n_object_batches):
        row = ObjectKernels.of(I, b)
        if row[which] != 0:
            call(row[which], row.n, at(I, row.offsets), S)


@compiled
def lift(I: Index, S: Scalars) -> None:
    """ℓ(q) of every object."""
    run_objects(I, S, LIFT)


@compiled
def rates(I: Index, S: Scalars) -> None:
    """q' = D(q) v."""
    v = at(S, I.v)
    qdot = at(S, I.qdot)
    for b in range(I.n_object_batches):
        row = ObjectKernels.of(I, b)
        if row.qdot != 0:
            call(row.qdot, row.n, at(I, row.offsets), S)
        else:
            q0 = row.q - I.q
            v0 = row.v - I.v
            for k in range(row.n * row.nq):
                qdot[q0 + k] = v[v0 + k]


@compiled
def blocks(I: Index, S: Scalars, which: int) -> None:
    """Run one kernel of every connector and constraint batch, by level."""
    for b in range(I.n_block_batches):
        row = BlockKernels.of(I, b)
        call(row[which], row.n, at(I, row.offsets), S)


@compiled
def blocks_with_effort(I: Index, S: Scalars) -> None:
    """Force directions of the non-square constraints."""
    for b in range(I.n_block_batches):
        row = BlockKernels.of(I, b)
        if row.effort != 0:
            call(row.effort, row.n, at(I, row.offsets), S)


@compiled
def wind(I: Index, S: Scalars) -> None:
    """After a step: count turns from here. What the counting connectors stand on must be evaluated."""
    for b in range(I.n_block_batches):
        row = BlockKernels.of(I, b)
        if row.wind != 0:
            call(row.wind, row.n, at(I, row.offsets), S)


@compiled
def compose(I: Index, S: Scalars) -> None:
    """J of a block with respect to each object: Df · J of its inputs, summed over the paths (ID90 eq. 6)."""
    for k in range(I.n_compositions):
        step = Composition.of(I, k)
        kind = step.kind
        y = at(S, step.target)
        m = step.rows
        n = step.columns
        B = at(S, step.J)
        if kind == Composed.NEGATIVE:
            for i in range(m * n):
                y[i] = -B[i]
        elif kind == Composed.COPY:
            for i in range(m * n):
                y[i] = B[i]
        elif kind == Composed.ADD:
            for i in range(m * n):
                y[i] += B[i]
        elif kind == Composed.SUBTRACT:
            for i in range(m * n):
                y[i] -= B[i]
        else:
            A = at(S, step.Df)
            inner = step.inner
            if kind == Composed.PRODUCT:
                for i in range(m * n):
                    y[i] = 0.0
            add_product(y, A, B, m, inner, n)


@inlined
def add_product(y: Floats, A: Floats, B: Floats, m: int, inner: int, n: int) -> None:
    """y += A B, where A has m rows and `inner` columns, many of them 0, and B has n columns."""
    for i in range(m):
        for j in range(inner):
            a = A[i * inner + j]
            if a != 0.0:
                for c in range(n):
                    y[i * n + c] += a * B[j * n + c]


@compiled
def masses(I: Index, S: Scalars) -> None:
    """M(q) and W = M⁻¹ of every object; a fixed object has W = 0."""
    run_objects(I, S, MASS)
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        M = at(S, T.M)
        W = at(S, T.W)
        if T.flags & Flag.FIXED != 0:
            for k in range(n * n):
                W[k] = 0.0
            for i in range(n):
                S[T.diagonals + i] = 0.0
                S[T.diagonals + n + i] = M[i * n + i]
            T.flags |= Flag.DIAGONAL
            continue
        diagonal = 1
        for i in range(n):
            for j in range(n):
                if i != j and M[i * n + j] != 0.0:
                    diagonal = 0
        if diagonal == 1:
            for k in range(n * n):
                W[k] = 0.0
            for i in range(n):
                W[i * n + i] = 1.0 / M[i * n + i]
                S[T.diagonals + i] = W[i * n + i]
                S[T.diagonals + n + i] = M[i * n + i]
            T.flags |= Flag.DIAGONAL
        else:
            T.flags = T.flags & ~Flag.DIAGONAL
            invert(M, W, n)
            for i in range(n):
                S[T.diagonals + n + i] = M[i * n + i]


@compiled
def invert(M: Floats, W: Floats, n: int) -> None:
    """W = M⁻¹ of a small symmetric positive definite matrix, by Gauss–Jordan without pivoting."""
    # W starts as a copy of M and is swept in place (the sweep operator), which needs no second matrix.
    for k in range(n * n):
        W[k] = M[k]
    for k in range(n):
        d = 1.0 / W[k * n + k]
        for j in range(n):
            W[k * n + j] *= d
        for i in range(n):
            if i != k:
                f = W[i * n + k]
                for j in range(n):
                    if j != k:
                        W[i * n + j] -= f * W[k * n + j]
                W[i * n + k] = -f * d
        W[k * n + k] = d


@compiled
def forces(I: Index, S: Scalars) -> float:
    """Applied generalised force Q of all behaviors (ID90 eq. 8); returns their potential energy."""
    return pull_forces(I, S, FORCE)


@compiled
def pull_forces(I: Index, S: Scalars, which: int) -> float:
    """Q by the behaviors' kernels: FORCE, rotations in body axes, or SPATIAL_FORCE, in world axes; the
    Jacobians at hand must agree."""
    for b in range(I.n_behavior_batches):
        row = BehaviorKernels.of(I, b)
        call(row[which], row.n, at(I, row.offsets), S)
    Q = at(S, I.force)
    base = I.v
    for k in range(I.nv):
        Q[k] = 0.0
    for k in range(I.n_pulls):
        pull = Pull.of(I, k)
        f = at(S, pull.force)
        y = at(Q, pull.v - base)
        n = pull.nv
        if pull.inner == 0:
            for j in range(n):
                y[j] += f[j]
        else:
            J = at(S, pull.J)
            for i in range(pull.inner):
                a = f[i]
                for j in range(n):
                    y[j] += a * J[i * n + j]
    return potential(I, S)


@compiled
def force_sizes(I: Index, S: Scalars, total: Floats) -> None:
    """Σ |f| of all single forces on each velocity, as last evaluated: at rest large ones cancel."""
    for i in range(I.nv):
        total[i] = 0.0
    for k in range(I.n_pulls):
        pull = Pull.of(I, k)
        y = at(total, pull.v - I.v)
        if pull.inner == 0:
            for j in range(pull.nv):
                y[j] += math.fabs(S[pull.force + j])
        for i in range(pull.inner):
            for j in range(pull.nv):
                y[j] += math.fabs(S[pull.force + i] * S[pull.J + i * pull.nv + j])


@compiled
def potential(I: Index, S: Scalars) -> float:
    """Sum of the behaviors' potential energies, as last evaluated."""
    e = 0.0
    for b in range(I.n_behavior_batches):
        row = BehaviorKernels.of(I, b)
        for i in range(row.n):
            offsets = BlockOffsets(at(I, row.offsets + i * row.stride))
            e += Energies(at(S, offsets.record)).potential
    return e


@compiled
def power(I: Index, S: Scalars) -> float:
    """Power of the forces that have no potential, as last evaluated."""
    e = 0.0
    for b in range(I.n_behavior_batches):
        row = BehaviorKernels.of(I, b)
        for i in range(row.n):
            offsets = BlockOffsets(at(I, row.offsets + i * row.stride))
            e += Energies(at(S, offsets.record)).power
    return e


@compiled
def damping_blocks(I: Index, S: Scalars, which: int) -> None:
    """−∂Q/∂v (DAMPING) or −∂Q/∂q (STIFFNESS), the part of each object on itself."""
    for o in range(I.n_objects):
        T = Object.of(I, o)
        D = at(S, T.damping)
        for k in range(T.nv * T.nv):
            D[k] = 0.0
    for b in range(I.n_behavior_batches):
        row = BehaviorKernels.of(I, b)
        call(row[which], row.n, at(I, row.offsets), S)
    for k in range(I.n_dampings):
        square = Damping.of(I, k)
        T = Object.of(I, square.object)
        n = T.nv
        D = at(S, T.damping)
        B = at(S, square.block)
        m = square.inner
        if m == 0:
            for i in range(n * n):
                D[i] += B[i]
        else:
            add_congruence(D, B, at(S, square.J), m, n)


@inlined
def add_congruence(D: Floats, B: Floats, J: Floats, m: int, n: int) -> None:
    """D += Jᵀ B J, where B is m × m, many of it 0, and J has n columns."""
    for a in range(m):
        for b in range(m):
            f = B[a * m + b]
            if f != 0.0:
                for i in range(n):
                    g = f * J[a * n + i]
                    for j in range(n):
                        D[i * n + j] += g * J[b * n + j]


@compiled
def kinetic(I: Index, S: Scalars) -> float:
    """½ vᵀ M v."""
    e = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & Flag.FIXED != 0:
            continue
        n = T.nv
        v = at(S, T.v)
        if T.flags & Flag.DIAGONAL != 0:
            for i in range(n):
                e += 0.5 * v[i] * v[i] * S[T.diagonals + n + i]
        else:
            for i in range(n):
                for j in range(n):
                    e += 0.5 * v[i] * v[j] * S[T.M + i * n + j]
    return e
