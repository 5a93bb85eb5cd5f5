"""First-order worlds, f = m v: motion ends with the force (E10, ID90 §2.5).

    v = W (Q + Jᵀλ),   J W Jᵀ λ = −(J W Q + c_t) + ṙ,   r(s) = c₀ e^(−s/τ)
stepped linearly implicitly, W = (M + D + h K)⁻¹ with each object's own damping D and a diagonal bound K of its stiffness, then
projected. The bound keeps every coupled spring stable: for a pair the factor of a step is (1 − z)/(1 + z).
"""

from __future__ import annotations

import math

from tinkerdyne.integrate.motion import copy, gap, gather, largest, reference, rows, vels
from tinkerdyne.integrate.project import project_position, retract
from tinkerdyne.kernel.core import Pointer, at, compiled, entry
from tinkerdyne.model.layout import (
    DIAGONAL,
    FIXED,
    H_MOVES,
    H_NO,
    H_NQ,
    H_NR,
    H_NV,
    H_OBJ,
    H_S_FORCE,
    H_S_Q,
    H_S_Q0,
    H_S_STAGES,
    H_S_V,
    O_D,
    O_FLAGS,
    O_M,
    O_NV,
    O_W,
    OBJ,
    R_LAM,
    R_REF,
    R_REF1,
    R_REF2,
    R_RES,
    R_RHS,
    R_WORK,
    S_CALM,
    S_ENERGY,
    S_FACTORED,
    S_GAP,
    S_KINETIC,
    S_PARTS,
    S_READY,
    S_TIME,
    S_TOLERANCE,
    V_SAVE,
    V_TOTAL,
    V_WORK,
)  # fmt: skip
from tinkerdyne.solve.evaluate import MOTION, blocks, compose, damping_blocks, forces, invert, lift, masses, power
from tinkerdyne.solve.kkt import assemble, factor, refined_solve
from tinkerdyne.solve.product import add_WJt, times_J, times_W

MOST_PARTS, CALM = 64, 200.0  # parts of a step at most, and steps before there are fewer


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
    damping_blocks(I, S, 4)
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
        T[O_FLAGS] = T[O_FLAGS] & ~DIAGONAL


@compiled
def flow(I: Pointer, S: Pointer, h: float) -> None:
    """v = W (Q + Jᵀλ) at the present state, into V_TOTAL, and λ into R_LAM; the world's v is set to zero."""
    NR = I[H_NR]
    v = at(S, I[H_S_V])
    for i in range(I[H_NV]):
        v[i] = 0.0
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)  # with v = 0, ċ is c_t
    compose(I, S)
    S[S_ENERGY] = forces(I, S)
    soften(I, S, h)
    speed = vels(I, S, V_TOTAL)
    times_W(I, S, at(S, I[H_S_FORCE]), speed)
    if NR > 0:
        rhs = rows(I, S, R_RHS)
        lam = rows(I, S, R_LAM)
        c_t = rows(I, S, R_RES)
        r1 = rows(I, S, R_REF1)
        reference(I, S, S[S_TIME] + h, rows(I, S, R_REF), r1, rows(I, S, R_REF2))
        times_J(I, S, speed, rhs)
        gather(I, S, 1, c_t)
        for i in range(NR):
            rhs[i] = r1[i] - rhs[i] - c_t[i]
        assemble(I, S)
        factor(I, S, 1e-9)
        refined_solve(I, S, rhs, lam, rows(I, S, R_WORK), c_t, vels(I, S, V_WORK), 2)
        add_WJt(I, S, lam, speed, 1.0)
        S[S_FACTORED] = 0.0  # of another W than that of the masses


@compiled
def glide(I: Pointer, S: Pointer, h: float) -> None:
    """One linearly implicit step and its projection; v keeps the velocity of the step, for reading."""
    NV = I[H_NV]
    v = at(S, I[H_S_V])
    flow(I, S, h)
    speed = vels(I, S, V_TOTAL)
    for i in range(NV):
        speed[i] *= h
    S[S_TIME] += h
    retract(I, S, speed)
    if I[H_NR] > 0:
        S[S_GAP] = project_position(I, S, S[S_TOLERANCE], 20)
    for i in range(NV):
        v[i] = speed[i] / h
    S[S_READY] = 0.0


@compiled
def first_order_step(I: Pointer, S: Pointer, h: float) -> None:
    """One step of length h, in as many parts as it takes for the potential energy to fall.

    With constraints at rest the motion goes downhill. A step that does not has met the constraints' own stiffness, tension over
    length, which the softened matrix does not know; it is done again in twice as many parts. Calm steps take parts away again.
    """
    NQ = I[H_NQ]
    q = at(S, I[H_S_Q])
    kept = at(S, I[H_S_Q0])
    t = S[S_TIME]
    downhill = 1
    if I[H_MOVES] != 0:
        downhill = 0
    parts = max(1, int(S[S_PARTS]))
    copy(q, kept, NQ)
    while True:
        for k in range(parts):
            glide(I, S, h / parts)
            if k == 0:
                before = S[S_ENERGY]
        if downhill == 0 or largest(rows(I, S, R_REF1), I[H_NR]) > 1e-9:
            break
        lift(I, S)
        blocks(I, S, MOTION)
        compose(I, S)
        after = forces(I, S)
        work = 2.0 * h * max(0.0, power(I, S))  # of forces without potential, such as a hand; generously
        if after <= before + work + 1e-13 * (math.fabs(before) + math.fabs(after)):
            S[S_CALM] += 1.0
            break
        if parts >= MOST_PARTS:
            break
        parts *= 2
        S[S_CALM] = 0.0
        copy(kept, q, NQ)
        S[S_TIME] = t
    if S[S_CALM] >= CALM and parts > 1:
        parts = parts // 2
        S[S_CALM] = 0.0
    S[S_PARTS] = float(parts)


@entry("IF")
def evaluate_flow(I: Pointer, S: Pointer) -> int:
    """λ of a first-order world at the present state, for reading results; v is left as it was."""
    v = at(S, I[H_S_V])
    kept = vels(I, S, V_SAVE)
    copy(v, kept, I[H_NV])
    flow(I, S, 0.0)
    copy(kept, v, I[H_NV])
    blocks(I, S, MOTION)  # velocities of connectors are those of the last step
    S[S_KINETIC] = 0.0
    S[S_GAP] = gap(I, S)
    return 0
