"""A diagonal bound of the stiffness of all behaviors, for linearly implicit steps: Gershgorin's sums by rows.

    K_ii ≥ Σ_j |∂Q_i/∂q_j|  over all objects that can move, so that K is at least the stiffness, whatever
    couples with what:
inputs of one behavior with each other (their sums come from its kernel), and the objects on which one input
depends.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled
from tinkerdyne.engine.evaluate import damping_blocks, invert
from tinkerdyne.engine.records import (
    COUPLE,
    DAMP,
    DIAGONAL,
    FIXED,
    H_COUPLE,
    H_DAMP,
    H_NCOUPLE,
    H_NDAMP,
    H_NO,
    H_OBJ,
    H_S_STAGES,
    O_D,
    O_FLAGS,
    O_M,
    O_NV,
    O_W,
    OBJ,
)
from tinkerdyne.engine.steppers.motion import copy


@compiled
def reach_of(I: Pointer, S: Pointer, first: int, count: int, row: int) -> float:
    """Σ |J| of one row of an input over all objects that it depends on; an object by itself has J = 1."""
    total = 0.0
    for k in range(first, first + count):
        w = at(I, I[H_DAMP] + k * DAMP)
        if w[1] == 0:
            return 1.0
        T = at(I, I[H_OBJ] + w[3] * OBJ)
        n = T[O_NV]
        if T[O_FLAGS] & FIXED == 0:
            for j in range(n):
                total += math.fabs(S[w[2] + row * n + j])
    return total


@compiled
def bound_stiffness(I: Pointer, S: Pointer) -> None:
    """O_D ← each object's own stiffness, and on its diagonal the sums by rows of that which it shares with
    others."""
    damping_blocks(I, S, 4)
    for c in range(I[H_NCOUPLE]):  # through different inputs of a behavior
        couple = at(I, I[H_COUPLE] + c * COUPLE)
        sums = at(S, couple[0])
        for k in range(couple[1], couple[1] + couple[2]):
            w = at(I, I[H_DAMP] + k * DAMP)
            T = at(I, I[H_OBJ] + w[3] * OBJ)
            n = T[O_NV]
            D = at(S, T[O_D])
            if w[1] == 0:
                for i in range(n):
                    D[i * n + i] += sums[i]
            for a in range(w[1]):
                far = sums[a] * reach_of(I, S, couple[1], couple[2], a)
                for i in range(n):
                    D[i * n + i] += far * math.fabs(S[w[2] + a * n + i])
    for k in range(I[H_NDAMP]):  # through one input that depends on several objects
        w = at(I, I[H_DAMP] + k * DAMP)
        m = w[1]
        T = at(I, I[H_OBJ] + w[3] * OBJ)
        n = T[O_NV]
        D = at(S, T[O_D])
        for step in range(2):
            other = k - 1 if step == 0 else k + 1
            while m > 0 and 0 <= other < I[H_NDAMP] and I[I[H_DAMP] + other * DAMP] == w[0]:
                to = at(I, I[H_DAMP] + other * DAMP)
                U = at(I, I[H_OBJ] + to[3] * OBJ)
                if U[O_FLAGS] & FIXED == 0:
                    for i in range(n):
                        for j in range(U[O_NV]):
                            s = 0.0
                            for a in range(m):
                                for b in range(m):
                                    s += (
                                        S[w[2] + a * n + i] * S[w[0] + a * m + b] * S[to[2] + b * U[O_NV] + j]
                                    )
                            D[i * n + i] += math.fabs(s)
                other += 2 * step - 1


@compiled
def soften(I: Pointer, S: Pointer, h: float) -> None:
    """W ← (M + D + h K)⁻¹ for every free object."""
    tmp = at(S, I[H_S_STAGES])
    damping_blocks(I, S, 3)
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        n = T[O_NV]
        W = at(S, T[O_W])
        for k in range(n * n):
            W[k] = S[T[O_M] + k] + S[T[O_D] + k]
    bound_stiffness(I, S)
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        n = T[O_NV]
        W = at(S, T[O_W])
        if T[O_FLAGS] & FIXED != 0:
            for k in range(n * n):
                W[k] = 0.0
            continue
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += math.fabs(S[T[O_D] + i * n + j])
            for j in range(n):
                tmp[i * n + j] = W[i * n + j]
            tmp[i * n + i] += h * s
        invert(tmp, W, n)
        copy(tmp, at(S, T[O_M]), n * n)  # hubs enter the matrix by it
        T[O_FLAGS] = T[O_FLAGS] & ~DIAGONAL
