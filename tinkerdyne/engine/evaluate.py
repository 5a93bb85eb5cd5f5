"""Evaluation of a world: lifts, connectors and constraints with their Jacobians, masses, forces and energies,
in compiled code."""

from __future__ import annotations

from tinkerdyne.compiler.core import Pointer, at, call, compiled
from tinkerdyne.engine.records import (
    DAMP,
    DIAGONAL,
    EB,
    FB,
    FIXED,
    H_DAMP,
    H_EB,
    H_FB,
    H_NDAMP,
    H_NEB,
    H_NFB,
    H_NO,
    H_NOB,
    H_NOPS,
    H_NPULL,
    H_NV,
    H_OB,
    H_OBJ,
    H_OPS,
    H_PULL,
    H_S_FORCE,
    H_S_Q,
    H_S_QDOT,
    H_S_V,
    O_D,
    O_DG,
    O_FLAGS,
    O_M,
    O_NV,
    O_V,
    O_W,
    OB,
    OBJ,
    OPS,
    PULL,
)  # fmt: skip

VALUE, MOTION, FULL, SPATIAL, EFFORT, WIND = 2, 3, 4, 5, 6, 8  # columns of a block batch: which kernel


@compiled
def run_objects(I: Pointer, S: Pointer, which: int) -> None:
    """Run one kernel of every object batch: 2 lift, 3 qdot, 4 mass, 5 gyro, 6 drift, 7 normalise."""
    for b in range(I[H_NOB]):
        row = at(I, I[H_OB] + b * OB)
        if row[which] != 0:
            call(row[which], row[0], at(I, row[1]), S)


@compiled
def lift(I: Pointer, S: Pointer) -> None:
    """ℓ(q) of every object."""
    run_objects(I, S, 2)


@compiled
def rates(I: Pointer, S: Pointer) -> None:
    """q' = D(q) v."""
    v = at(S, I[H_S_V])
    qdot = at(S, I[H_S_QDOT])
    for b in range(I[H_NOB]):
        row = at(I, I[H_OB] + b * OB)
        if row[3] != 0:
            call(row[3], row[0], at(I, row[1]), S)
        else:
            q0 = row[8] - I[H_S_Q]
            v0 = row[9] - I[H_S_V]
            for k in range(row[0] * row[10]):
                qdot[q0 + k] = v[v0 + k]


@compiled
def blocks(I: Pointer, S: Pointer, which: int) -> None:
    """Run one kernel of every connector and constraint batch, by level."""
    for b in range(I[H_NEB]):
        row = at(I, I[H_EB] + b * EB)
        call(row[which], row[0], at(I, row[1]), S)


@compiled
def blocks_with_effort(I: Pointer, S: Pointer) -> None:
    """Force directions of the non-square constraints."""
    for b in range(I[H_NEB]):
        row = at(I, I[H_EB] + b * EB)
        if row[EFFORT] != 0:
            call(row[EFFORT], row[0], at(I, row[1]), S)


@compiled
def wind(I: Pointer, S: Pointer) -> None:
    """After a step: count turns from here. What the counting connectors stand on must be evaluated."""
    for b in range(I[H_NEB]):
        row = at(I, I[H_EB] + b * EB)
        if row[WIND] != 0:
            call(row[WIND], row[0], at(I, row[1]), S)


@compiled
def compose(I: Pointer, S: Pointer) -> None:
    """J of a block with respect to each object: Df · J of its inputs, summed over the paths (ID90 eq. 6)."""
    for k in range(I[H_NOPS]):
        w = at(I, I[H_OPS] + k * OPS)
        kind = w[0]
        y = at(S, w[1])
        m = w[2]
        n = w[3]
        B = at(S, w[6])
        if kind == 4:
            for i in range(m * n):
                y[i] = -B[i]
        elif kind == 2:
            for i in range(m * n):
                y[i] = B[i]
        elif kind == 3:
            for i in range(m * n):
                y[i] += B[i]
        elif kind == 5:
            for i in range(m * n):
                y[i] -= B[i]
        else:
            A = at(S, w[4])
            inner = w[5]
            if kind == 0:
                for i in range(m * n):
                    y[i] = 0.0
            for i in range(m):
                for j in range(inner):
                    a = A[i * inner + j]
                    if a != 0.0:
                        for c in range(n):
                            y[i * n + c] += a * B[j * n + c]


@compiled
def masses(I: Pointer, S: Pointer) -> None:
    """M(q) and W = M⁻¹ of every object; a fixed object has W = 0."""
    run_objects(I, S, 4)
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        n = T[O_NV]
        M = at(S, T[O_M])
        W = at(S, T[O_W])
        if T[O_FLAGS] & FIXED != 0:
            for k in range(n * n):
                W[k] = 0.0
            for i in range(n):
                S[T[O_DG] + i] = 0.0
                S[T[O_DG] + n + i] = M[i * n + i]
            T[O_FLAGS] |= DIAGONAL
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
                S[T[O_DG] + i] = W[i * n + i]
                S[T[O_DG] + n + i] = M[i * n + i]
            T[O_FLAGS] |= DIAGONAL
        else:
            T[O_FLAGS] = T[O_FLAGS] & ~DIAGONAL
            invert(M, W, n)


@compiled
def invert(M: Pointer, W: Pointer, n: int) -> None:
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
def forces(I: Pointer, S: Pointer) -> float:
    """Applied generalised force Q of all behaviors (ID90 eq. 8); returns their potential energy."""
    return pull_forces(I, S, 2)


@compiled
def pull_forces(I: Pointer, S: Pointer, which: int) -> float:
    """Q by the behaviors' kernels: 2, rotations in body axes, or 6, in world axes; the Jacobians at hand must
    agree."""
    for b in range(I[H_NFB]):
        row = at(I, I[H_FB] + b * FB)
        call(row[which], row[0], at(I, row[1]), S)
    Q = at(S, I[H_S_FORCE])
    base = I[H_S_V]
    for k in range(I[H_NV]):
        Q[k] = 0.0
    for k in range(I[H_NPULL]):
        w = at(I, I[H_PULL] + k * PULL)
        f = at(S, w[0])
        y = at(Q, w[3] - base)
        n = w[4]
        if w[1] == 0:
            for j in range(n):
                y[j] += f[j]
        else:
            J = at(S, w[2])
            for i in range(w[1]):
                a = f[i]
                for j in range(n):
                    y[j] += a * J[i * n + j]
    return potential(I, S)


@compiled
def potential(I: Pointer, S: Pointer) -> float:
    """Sum of the behaviors' potential energies, as last evaluated."""
    e = 0.0
    for b in range(I[H_NFB]):
        row = at(I, I[H_FB] + b * FB)
        for i in range(row[0]):
            e += S[I[row[1] + i * row[5] + 1]]
    return e


@compiled
def power(I: Pointer, S: Pointer) -> float:
    """Power of the forces that have no potential, as last evaluated."""
    e = 0.0
    for b in range(I[H_NFB]):
        row = at(I, I[H_FB] + b * FB)
        for i in range(row[0]):
            e += S[I[row[1] + i * row[5] + 1] + 1]
    return e


@compiled
def damping_blocks(I: Pointer, S: Pointer, which: int) -> None:
    """−∂Q/∂v (which = 3) or −∂Q/∂q (which = 4), the part of each object on itself, at O_D."""
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        D = at(S, T[O_D])
        for k in range(T[O_NV] * T[O_NV]):
            D[k] = 0.0
    for b in range(I[H_NFB]):
        row = at(I, I[H_FB] + b * FB)
        call(row[which], row[0], at(I, row[1]), S)
    for k in range(I[H_NDAMP]):
        w = at(I, I[H_DAMP] + k * DAMP)
        T = at(I, I[H_OBJ] + w[3] * OBJ)
        n = T[O_NV]
        D = at(S, T[O_D])
        B = at(S, w[0])
        m = w[1]
        if m == 0:
            for i in range(n * n):
                D[i] += B[i]
        else:
            J = at(S, w[2])
            for a in range(m):
                for b in range(m):
                    f = B[a * m + b]
                    if f != 0.0:
                        for i in range(n):
                            g = f * J[a * n + i]
                            for j in range(n):
                                D[i * n + j] += g * J[b * n + j]


@compiled
def kinetic(I: Pointer, S: Pointer) -> float:
    """½ vᵀ M v."""
    e = 0.0
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        if T[O_FLAGS] & FIXED != 0:
            continue
        n = T[O_NV]
        v = at(S, T[O_V])
        if T[O_FLAGS] & DIAGONAL != 0:
            for i in range(n):
                e += 0.5 * v[i] * v[i] * S[T[O_DG] + n + i]
        else:
            for i in range(n):
                for j in range(n):
                    e += 0.5 * v[i] * v[j] * S[T[O_M] + i * n + j]
    return e
