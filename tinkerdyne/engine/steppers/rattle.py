"""RATTLE: kick – drift – kick with the constraints kept at both ends of the step; symplectic, reversible
(STEPPERS.md).

    v₊ = v + h/2 W Q − W J₀ᵀΛ;  q₁ = drift(q, v₊, h);  Λ such that c(q₁, t₁) = r(t₁);
    v₁ = v₊ + h/2 W Q₁ − W J₁ᵀμ;  μ such that ċ₁ = ṙ(t₁).
LD98's displacement step with J at the old position, iterated, is this scheme. A₀ = J₀ W J₀ᵀ, factored once a
step, serves as the Newton matrix; Λ starts from the last μ (extrapolation is dangerous).
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, call, compiled
from tinkerdyne.engine.evaluate import (
    MOTION,
    VALUE,
    blocks,
    compose,
    forces,
    kinetic,
    lift,
    masses,
    power,
)
from tinkerdyne.engine.kkt import assemble, factor, is_factored, solve
from tinkerdyne.engine.product import add_WJt, times_J, times_W
from tinkerdyne.engine.records import (
    C_DIM,
    C_MEM,
    C_ROW,
    CON,
    H_CON,
    H_HAS_DAMPING,
    H_MASS_VARIES,
    H_NC,
    H_NOB,
    H_NQ,
    H_NR,
    H_NV,
    H_OB,
    H_S_FORCE,
    H_S_Q,
    H_S_Q0,
    H_S_V,
    H_S_V0,
    OB,
    R_DELTA,
    R_LAMBDA,
    R_MU,
    R_REF,
    R_REF1,
    R_REF2,
    R_RES,
    R_TRY,
    R_WORK,
    S_COUNT_NEWTON,
    S_ENERGY,
    S_GAP,
    S_KINETIC,
    S_NONCONSERVED,
    S_POWER,
    S_READY,
    S_SOFT,
    S_STEP,
    S_TIME,
    S_TOLERANCE,
    S_YIELDING,
    V_KICK,
)  # fmt: skip
from tinkerdyne.engine.steppers.damping import correct, damped_kick, is_stiff
from tinkerdyne.engine.steppers.motion import copy, gather, largest, reference, rows, vels
from tinkerdyne.engine.yielding import clear_rows, pull_yielding

# relative; Λ and μ are iterated on the true residual, so ε changes convergence, not the answer
EPSILON = 1e-8
# Near a singular configuration (a taut chain) a tiny residual along the nearly dependent rows would ask for
# enormous multipliers. There ε is raised, and what Newton cannot remove is let stand while it is below LOOSE
# tolerances.
SOFT_EPSILON, LOOSE = 1e-6, 50.0
NEWTON = 20


@compiled
def epsilon(S: Pointer) -> float:
    """ε of the present regime."""
    return SOFT_EPSILON if S[S_SOFT] > 0.0 else EPSILON


@compiled
def prepare(I: Pointer, S: Pointer) -> None:
    """J, factor, forces and energies of the present state, unless the last step left them."""
    if S[S_READY] != 0.0:
        return
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)
    if is_factored(I, S, epsilon(S)) == 0:
        compose(I, S)
        assemble(I, S)
        factor(I, S, epsilon(S))
    S[S_ENERGY] = forces(I, S)
    if S[S_YIELDING] > 0.0:
        pull_yielding(I, S, rows(I, S, R_TRY))
    S[S_POWER] = power(I, S)
    S[S_KINETIC] = kinetic(I, S)
    S[S_READY] = 1.0


@compiled
def drift(I: Pointer, S: Pointer, h: float) -> None:
    """Free motion over h from (Q0, V0) into (Q, V): a type's own drift, or q + h v."""
    S[S_STEP] = h
    for b in range(I[H_NOB]):
        row = at(I, I[H_OB] + b * OB)
        if row[6] != 0:
            call(row[6], row[0], at(I, row[1]), S)
        else:
            q = row[8]
            v = row[9]
            q0 = I[H_S_Q0] + q - I[H_S_Q]
            v0 = I[H_S_V0] + v - I[H_S_V]
            for k in range(row[0] * row[10]):
                S[q + k] = S[q0 + k] + h * S[v0 + k]
                S[v + k] = S[v0 + k]


@compiled
def keep_multipliers(I: Pointer, S: Pointer, mu: Pointer) -> None:
    """Store μ in the constraints' own memory, where edits and saved scenes find it."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        for i in range(C[C_DIM]):
            S[C[C_MEM] + i] = mu[C[C_ROW] + i]


@compiled
def scale_multipliers(I: Pointer, S: Pointer, factor_: float) -> None:
    """μ is an impulse over half a step: it scales with the step's length."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        for i in range(C[C_DIM]):
            S[C[C_MEM] + i] *= factor_


@compiled
def recall_multipliers(I: Pointer, S: Pointer, lam: Pointer, factor_: float) -> None:
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        for i in range(C[C_DIM]):
            lam[C[C_ROW] + i] = factor_ * S[C[C_MEM] + i]


@compiled
def rattle_step(I: Pointer, S: Pointer, h: float) -> int:
    """One step from a prepared state; 1 when Newton fails, and then only q, v and t need restoring (V_SAVE,
    Q0)."""
    NR = I[H_NR]
    NV = I[H_NV]
    NQ = I[H_NQ]
    q = at(S, I[H_S_Q])
    v = at(S, I[H_S_V])
    q0 = at(S, I[H_S_Q0])
    vp = at(S, I[H_S_V0])
    Q = at(S, I[H_S_FORCE])
    kick = vels(I, S, V_KICK)
    lam = rows(I, S, R_LAMBDA)
    delta = rows(I, S, R_DELTA)
    res = rows(I, S, R_RES)
    r = rows(I, S, R_REF)
    r1 = rows(I, S, R_REF1)
    tolerance = S[S_TOLERANCE]
    t1 = S[S_TIME] + h
    copy(q, q0, NQ)
    if I[H_HAS_DAMPING] != 0 and is_stiff(I, S, 0.5 * h) != 0:
        # Together with the constraints, which it may need to know how much there is to slow down; their
        # impulse is in it.
        reference(I, S, S[S_TIME], r, r1, rows(I, S, R_REF2))
        copy(v, kick, NV)
        blocks(I, S, MOTION)  # ċ of v again
        damped_kick(I, S, 0.5 * h)
        copy(v, vp, NV)
        copy(kick, v, NV)
        for i in range(NR):
            lam[i] = 0.0
    else:
        times_W(I, S, Q, kick)
        for i in range(NV):
            vp[i] = v[i] + 0.5 * h * kick[i]
        recall_multipliers(I, S, lam, 1.0)
        add_WJt(I, S, lam, vp, -1.0)
    S[S_TIME] = t1
    reference(I, S, t1, r, r1, rows(I, S, R_REF2))
    last = math.inf
    done = 0
    for k in range(NEWTON):
        drift(I, S, h)
        lift(I, S)
        if NR == 0:
            done = 1
            break
        blocks(I, S, VALUE)
        gather(I, S, 0, res)
        for i in range(NR):
            res[i] -= r[i]
        if S[S_YIELDING] > 0.0:
            clear_rows(I, S, res)
        now = largest(res, NR)
        S[S_GAP] = now
        if now < tolerance:
            done = 1
            break
        if now > 0.5 * last and S[S_SOFT] > 0.0 and now < LOOSE * tolerance:
            done = 1
            break
        if now > 2.0 * last or math.isinf(now) or (k > 8 and now > 0.7 * last):
            break
        last = now
        for i in range(NR):
            res[i] /= h
        solve(I, S, res, delta)
        for i in range(NR):
            lam[i] += delta[i]
        add_WJt(I, S, delta, vp, -1.0)
        S[S_COUNT_NEWTON] += 1.0
    if done == 0:
        return 1
    # Second kick, at the new position.
    blocks(I, S, MOTION)
    kept = is_factored(I, S, epsilon(S))
    if kept == 0:
        compose(I, S)
        if I[H_MASS_VARIES] != 0:
            masses(I, S)
        assemble(I, S)
    S[S_ENERGY] = forces(I, S)
    if S[S_YIELDING] > 0.0:
        pull_yielding(I, S, rows(I, S, R_TRY))
    if kept == 0:
        factor(I, S, epsilon(S))
    times_W(I, S, Q, kick)
    if I[H_HAS_DAMPING] != 0:
        damped_kick(I, S, 0.5 * h)
    else:
        for i in range(NV):
            v[i] += 0.5 * h * kick[i]
            kick[i] *= 0.5 * h
        finish_velocity(I, S, kick, r1)
    keep_multipliers(I, S, rows(I, S, R_MU))
    p0 = S[S_POWER]
    S[S_POWER] = power(I, S)
    # Without damping the powers at hand are those of the drift's velocity v₊, and their work is exact where
    # the force is constant.
    S[S_NONCONSERVED] = h * S[S_POWER] if I[H_HAS_DAMPING] == 0 else 0.5 * h * (p0 + S[S_POWER])
    S[S_KINETIC] = kinetic(I, S)
    return 0


@compiled
def finish_velocity(I: Pointer, S: Pointer, kick: Pointer, r1: Pointer) -> None:
    """μ = A⁻¹(ċ − ṙ), v −= W Jᵀ μ, where ċ was evaluated before `kick` was added to v."""
    NR = I[H_NR]
    if NR == 0:
        return
    res = rows(I, S, R_RES)
    work = rows(I, S, R_WORK)
    gather(I, S, 1, res)
    times_J(I, S, kick, work)
    for i in range(NR):
        res[i] += work[i] - r1[i]
    correct(I, S, at(S, I[H_S_V]))
