"""Guarded projection of position and velocity onto the constraints (A6), with the Levenberg–Marquardt
fall-back.

Position:  δ = −W Jᵀ (J W Jᵀ + ε)⁻¹ (c − r),  q ← q ⊕ δ, accepted only if the gap falls; else ε grows a
hundredfold. Velocity:  v ← v − W Jᵀ (J W Jᵀ)⁻¹ (ċ − ṙ).
Mass-weighted: the least change of motion, in the sense of kinetic energy.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled, entry
from tinkerdyne.engine.evaluate import MOTION, VALUE, blocks, compose, lift, masses, rates, run_objects
from tinkerdyne.engine.kkt import assemble, factor, refined_solve, solve
from tinkerdyne.engine.product import add_WJt
from tinkerdyne.engine.records import (
    C_KIND,
    C_MEM,
    C_REC,
    C_ROW,
    CON,
    EXACT,
    FIXED,
    H_CON,
    H_MASS_VARIES,
    H_NC,
    H_NO,
    H_NQ,
    H_NR,
    H_NV,
    H_OBJ,
    H_S_POS,
    H_S_Q,
    H_S_Q0,
    H_S_QDOT,
    H_S_V,
    O_FLAGS,
    O_NV,
    O_Q,
    O_V,
    OBJ,
    OPEN,
    R_DELTA,
    R_MU,
    R_REF,
    R_REF1,
    R_REF2,
    R_RES,
    R_WORK,
    RIGID,
    S_COUNT_LM,
    S_READY,
    S_TIME,
    S_TOLERANCE,
    S_YIELDING,
    STOP,
    V_START,
    V_TRY,
    V_WORK,
)  # fmt: skip
from tinkerdyne.engine.steppers.motion import copy, gap, gather, largest, reference, rows, vels
from tinkerdyne.engine.yielding import clear_rows, count_yielding

# ε relative to the diagonal: as STEPPERS' loops; beyond the largest nothing moves
SMALLEST, LARGEST = 1e-12, 1e6


@compiled
def retract(I: Pointer, S: Pointer, delta: Pointer) -> None:
    """q ← q ⊕ δ with δ in velocity space: q + D(q) δ, then orientation made a pure rotation again."""
    v = at(S, I[H_S_V])
    q = at(S, I[H_S_Q])
    qdot = at(S, I[H_S_QDOT])
    saved = vels(I, S, V_TRY)
    copy(v, saved, I[H_NV])
    copy(delta, v, I[H_NV])
    rates(I, S)
    for i in range(I[H_NQ]):
        q[i] += qdot[i]
    run_objects(I, S, 7)
    copy(saved, v, I[H_NV])


@compiled
def velocities_from(I: Pointer, S: Pointer, h: float) -> None:
    """v = Δq/h from the displacement q₀ → q; rotations by the inverse of `retract`, 2 vec(q₀* ⊗ q)/w."""
    qb = I[H_S_Q]
    vb = I[H_S_V]
    q = at(S, qb)
    v = at(S, vb)
    q0 = at(S, I[H_S_Q0])
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        if T[O_FLAGS] & FIXED != 0:
            continue
        a = T[O_Q] - qb
        b = T[O_V] - vb
        n = 3 if T[O_FLAGS] & RIGID != 0 else T[O_NV]
        for i in range(n):
            v[b + i] = (q[a + i] - q0[a + i]) / h
        if T[O_FLAGS] & RIGID != 0:
            w0 = q0[a + 3]
            x0 = q0[a + 4]
            y0 = q0[a + 5]
            z0 = q0[a + 6]
            w = q[a + 3]
            x = q[a + 4]
            y = q[a + 5]
            z = q[a + 6]
            cosine = w0 * w + x0 * x + y0 * y + z0 * z
            scale = 2.0 / (h * cosine) if math.fabs(cosine) > 1e-3 else 2.0 / h
            v[b + 3] = scale * (w0 * x - x0 * w - y0 * z + z0 * y)
            v[b + 4] = scale * (w0 * y - y0 * w - z0 * x + x0 * z)
            v[b + 5] = scale * (w0 * z - z0 * w - x0 * y + y0 * x)


@compiled
def project_position(I: Pointer, S: Pointer, tolerance: float, limit: int, reach: float) -> float:
    """Move q onto c = r(t) at the present time, no coordinate by more than `reach`; returns the gap that is
    left.

    Leaves the lifts of the new q.
    """
    NR = I[H_NR]
    NQ = I[H_NQ]
    lift(I, S)
    if NR == 0:
        return 0.0
    blocks(I, S, VALUE)
    now = gap(I, S)
    epsilon = SMALLEST
    q = at(S, I[H_S_Q])
    kept = at(S, I[H_S_POS])
    c = rows(I, S, R_RES)
    lam = rows(I, S, R_DELTA)
    delta = vels(I, S, V_WORK)
    fresh = 0
    for k in range(limit):
        if now <= tolerance:
            break
        if fresh == 0:
            blocks(I, S, MOTION)
            compose(I, S)
            if I[H_MASS_VARIES] != 0:
                masses(I, S)
            assemble(I, S)
            gather(I, S, 0, c)
            r = rows(I, S, R_REF)
            for i in range(NR):
                c[i] -= r[i]
            fresh = 1
        factor(I, S, epsilon)
        solve(I, S, c, lam)
        for i in range(I[H_NV]):
            delta[i] = 0.0
        add_WJt(I, S, lam, delta, -1.0)
        far = largest(delta, I[H_NV])
        copy(q, kept, NQ)
        retract(I, S, delta)
        lift(I, S)
        blocks(I, S, VALUE)
        then = gap(I, S)
        if then < now and far <= reach:
            reach -= far
            if k > 0 or then > 0.1 * now:
                S[S_COUNT_LM] += 1.0
            gained = now - then
            now = then
            fresh = 0
            epsilon = max(epsilon * 0.1, SMALLEST)
            if gained < 1e-3 * now and now > tolerance and k > 8:
                break  # unreachable or contradictory: this is the least-squares pose
        else:
            copy(kept, q, NQ)
            lift(I, S)
            epsilon = max(epsilon * 100.0, 1e-8)
            if epsilon > LARGEST:
                break
    S[S_READY] = 0.0
    return now


@compiled
def project_velocity(I: Pointer, S: Pointer, epsilon: float) -> None:
    """Make ċ = ṙ at the present q; J, A and factor are those of q afterwards."""
    NR = I[H_NR]
    if NR == 0:
        return
    lift(I, S)
    blocks(I, S, MOTION)
    compose(I, S)
    if I[H_MASS_VARIES] != 0:
        masses(I, S)
    assemble(I, S)
    factor(I, S, epsilon)
    correct_velocity(I, S)


@compiled
def correct_velocity(I: Pointer, S: Pointer) -> None:
    """v −= W Jᵀ μ with the factor at hand; ċ of the records must belong to v."""
    NR = I[H_NR]
    res = rows(I, S, R_RES)
    mu = rows(I, S, R_MU)
    reference(I, S, S[S_TIME], rows(I, S, R_REF), rows(I, S, R_REF1), rows(I, S, R_REF2))
    gather(I, S, 1, res)
    r1 = rows(I, S, R_REF1)
    for i in range(NR):
        res[i] -= r1[i]
    refined_solve(I, S, res, mu, rows(I, S, R_WORK), rows(I, S, R_DELTA), vels(I, S, V_WORK), 1)
    add_WJt(I, S, mu, at(S, I[H_S_V]), -1.0)


TOUCHED = 1e-9  # a stop is touched within this [SI]


@entry("IF")
def strike(I: Pointer, S: Pointer) -> int:
    """After a blow to v: the constraints' impulses bring ċ back to ṙ; they are in R_MU.

    Stops that are touched push, none pulls."""
    masses(I, S)
    mu = rows(I, S, R_MU)
    blow = vels(I, S, V_START)
    copy(at(S, I[H_S_V]), blow, I[H_NV])
    for _ in range(8):
        for i in range(I[H_NR]):
            mu[i] = 0.0
        copy(blow, at(S, I[H_S_V]), I[H_NV])
        project_velocity(I, S, 1e-12)
        blocks(I, S, MOTION)
        changed = 0
        for c in range(I[H_NC]):
            C = at(I, I[H_CON] + c * CON)
            mem = at(S, C[C_MEM])
            rec = at(S, C[C_REC])
            if C[C_KIND] == STOP and mem[4] == EXACT and mu[C[C_ROW]] > 0.0:
                mem[4] = OPEN
                mu[C[C_ROW]] = 0.0
                changed = 1
            elif C[C_KIND] == STOP and mem[4] == OPEN and rec[0] <= TOUCHED and rec[1] < -TOUCHED:
                mem[4] = EXACT
                changed = 1
        if changed == 0:
            break
        count_yielding(I, S)
    if S[S_YIELDING] > 0.0:
        clear_rows(I, S, mu)
    S[S_READY] = 0.0
    return 0


@entry("IFi")
def project(I: Pointer, S: Pointer, limit: int) -> int:
    """Project position and velocity of the present state; returns 0 when the tolerance was met."""
    masses(I, S)
    left = project_position(I, S, S[S_TOLERANCE], limit, math.inf)
    project_velocity(I, S, 1e-12)
    if left <= S[S_TOLERANCE]:
        return 0
    return 1
