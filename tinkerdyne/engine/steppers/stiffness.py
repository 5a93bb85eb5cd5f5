"""A diagonal bound of the stiffness of all behaviors, for linearly implicit steps: Gershgorin's sums by rows.

    K_ii ≥ Σ_j |∂Q_i/∂q_j|  over all objects that can move, so that K is at least the stiffness, whatever
    couples with what:
inputs of one behavior with each other (their sums come from its kernel), and the objects on which one input
depends.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.evaluate import DAMPING, STIFFNESS, damping_blocks, invert
from tinkerdyne.engine.records import Coupling, Damping, Flag, Index, Object, Scalars
from tinkerdyne.engine.steppers.motion import copy


@compiled
def reach_of(I: Index, S: Scalars, first: int, count: int, row: int) -> float:
    """Σ |J| of one row of an input over all objects that it depends on; an object by itself has J = 1."""
    total = 0.0
    for k in range(first, first + count):
        square = Damping.of(I, k)
        if square.inner == 0:
            return 1.0
        T = Object.of(I, square.object)
        n = T.nv
        if T.flags & Flag.FIXED == 0:
            for j in range(n):
                total += math.fabs(S[square.J + row * n + j])
    return total


@inlined
def is_shared(I: Index, k: int, other: int) -> int:
    """Whether another entry pulls the same block back to an object: both are inputs of one connector."""
    if other < 0 or other >= I.n_dampings or Damping.of(I, k).inner == 0:
        return 0
    return 1 if Damping.of(I, other).block == Damping.of(I, k).block else 0


@inlined
def add_shared(I: Index, S: Scalars, k: int, other: int) -> None:
    """Σ_j |J₁ᵀ K J₂|_ij on the diagonal of the first object: stiffness that it shares with the second."""
    square = Damping.of(I, k)
    to = Damping.of(I, other)
    m = square.inner
    n = Object.of(I, square.object).nv
    D = at(S, Object.of(I, square.object).damping)
    U = Object.of(I, to.object)
    if U.flags & Flag.FIXED != 0:
        return
    for i in range(n):
        for j in range(U.nv):
            s = 0.0
            for a in range(m):
                for b in range(m):
                    s += S[square.J + a * n + i] * S[square.block + a * m + b] * S[to.J + b * U.nv + j]
            D[i * n + i] += math.fabs(s)


@compiled
def bound_stiffness(I: Index, S: Scalars) -> None:
    """D ← each object's own stiffness, and on its diagonal the sums by rows of that which it shares with
    others."""
    damping_blocks(I, S, STIFFNESS)
    for c in range(I.n_couplings):  # through different inputs of a behavior
        couple = Coupling.of(I, c)
        sums = at(S, couple.sums)
        for k in range(couple.first, couple.first + couple.count):
            square = Damping.of(I, k)
            T = Object.of(I, square.object)
            n = T.nv
            D = at(S, T.damping)
            if square.inner == 0:
                for i in range(n):
                    D[i * n + i] += sums[i]
            for a in range(square.inner):
                far = sums[a] * reach_of(I, S, couple.first, couple.count, a)
                for i in range(n):
                    D[i * n + i] += far * math.fabs(S[square.J + a * n + i])
    for k in range(I.n_dampings):  # through one input that depends on several objects
        for way in range(-1, 2, 2):
            other = k + way
            while is_shared(I, k, other) != 0:
                add_shared(I, S, k, other)
                other += way


@compiled
def soften(I: Index, S: Scalars, h: float) -> None:
    """W ← (M + D + h K)⁻¹ for every free object."""
    tmp = at(S, I.stages)
    damping_blocks(I, S, DAMPING)
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        W = at(S, T.W)
        for k in range(n * n):
            W[k] = S[T.M + k] + S[T.damping + k]
    bound_stiffness(I, S)
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        W = at(S, T.W)
        if T.flags & Flag.FIXED != 0:
            for k in range(n * n):
                W[k] = 0.0
            continue
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += math.fabs(S[T.damping + i * n + j])
            for j in range(n):
                tmp[i * n + j] = W[i * n + j]
            tmp[i * n + i] += h * s
        invert(tmp, W, n)
        copy(tmp, at(S, T.M), n * n)  # hubs enter the matrix by it
        T.flags = T.flags & ~Flag.DIAGONAL
