"""What every stepper needs of a constrained world: the reference of each constraint, its residuals, and the acceleration."""

from __future__ import annotations

import math

from tinkerdyne.kernel.core import Pointer, at, compiled, entry
from tinkerdyne.model.layout import (
    C_DIM,
    C_MEM,
    C_REC,
    C_ROW,
    C_TAU,
    CON,
    H_CON,
    H_MASS_VARIES,
    H_NC,
    H_NR,
    H_NV,
    H_ORDER,
    H_S_FORCE,
    H_S_GYRO,
    H_S_ROWS,
    H_S_SCALE,
    H_S_VELS,
    R_DELTA,
    R_LAM,
    R_REF,
    R_REF1,
    R_REF2,
    R_RHS,
    R_TRY,
    R_WORK,
    S_ENERGY,
    S_FEEDBACK,
    S_GAP,
    S_KINETIC,
    S_TIME,
    S_YIELDING,
    V_ACC,
    V_TOTAL,
    V_WORK,
)  # fmt: skip
from tinkerdyne.solve.evaluate import (
    FULL,
    MOTION,
    blocks,
    blocks_with_effort,
    compose,
    forces,
    kinetic,
    lift,
    masses,
    rates,
    run_objects,
)
from tinkerdyne.solve.kkt import assemble, factor, refined_solve
from tinkerdyne.solve.product import add_Jt, times_J, times_W
from tinkerdyne.solve.yielding import clear_rows, count_yielding, pull_yielding

MET = 1e-7  # residuals above this (SI units) start a new approach r(t); below, the constraint counts as met

@compiled
def rows(I: Pointer, S: Pointer, k: int) -> Pointer:
    return at(S, I[H_S_ROWS] + k * I[H_NR])


@compiled
def vels(I: Pointer, S: Pointer, k: int) -> Pointer:
    return at(S, I[H_S_VELS] + k * I[H_NV])


@compiled
def copy(x: Pointer, y: Pointer, n: int) -> None:
    """y = x."""
    for i in range(n):
        y[i] = x[i]


@compiled
def reference(I: Pointer, S: Pointer, t: float, r: Pointer, r1: Pointer, r2: Pointer) -> None:
    """r(s) = (c₀ + k s) e^(−s/τ), k = ċ₀ + c₀/τ, and its two derivatives: DC88's critically damped approach."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        d = C[C_DIM]
        mem = at(S, C[C_MEM])
        row = C[C_ROW]
        s = t - mem[3 * d]
        tau = S[C[C_TAU]]
        e = -1.0
        for i in range(d):
            c0 = mem[d + i]
            c1 = mem[2 * d + i]
            if c0 == 0.0 and c1 == 0.0:
                r[row + i] = 0.0
                r1[row + i] = 0.0
                r2[row + i] = 0.0
            else:
                if e < 0.0:
                    e = math.exp(-s / tau)
                k = c1 + c0 / tau
                r[row + i] = (c0 + k * s) * e
                r1[row + i] = (c1 - k * s / tau) * e
                r2[row + i] = (-k - c1 + k * s / tau) / tau * e


@compiled
def gather(I: Pointer, S: Pointer, which: int, y: Pointer) -> None:
    """c (which = 0), ċ (1) or the bias (2) of all constraints, as last evaluated."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        d = C[C_DIM]
        x = at(S, C[C_REC] + which * d)
        for i in range(d):
            y[C[C_ROW] + i] = x[i]


@compiled
def largest(x: Pointer, n: int) -> float:
    """max |x|, infinite when anything is not a number."""
    m = 0.0
    for i in range(n):
        a = math.fabs(x[i])
        if a > m:
            m = a
        elif a != a:
            return math.inf
    return m


@compiled
def residuals(I: Pointer, S: Pointer) -> Pointer:
    """c − r of all rows as last evaluated (in R_TRY)."""
    c = rows(I, S, R_TRY)
    reference(I, S, S[S_TIME], rows(I, S, R_REF), rows(I, S, R_REF1), rows(I, S, R_REF2))
    gather(I, S, 0, c)
    r = rows(I, S, R_REF)
    for i in range(I[H_NR]):
        c[i] -= r[i]
    return c


@compiled
def gap(I: Pointer, S: Pointer) -> float:
    """The largest |c − r| as last evaluated, of the constraints that do not yield."""
    c = residuals(I, S)
    if S[S_YIELDING] > 0.0:
        clear_rows(I, S, c)
    return largest(c, I[H_NR])


@entry("IF")
def begin(I: Pointer, S: Pointer) -> int:
    """After an edit: constraints that are not where their reference is start a new approach from here; returns how many."""
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)
    reference(I, S, S[S_TIME], rows(I, S, R_REF), rows(I, S, R_REF1), rows(I, S, R_REF2))
    r = rows(I, S, R_REF)
    r1 = rows(I, S, R_REF1)
    fresh = 0
    for k in range(I[H_NC]):
        C = at(I, I[H_CON] + k * CON)
        d = C[C_DIM]
        row = C[C_ROW]
        c = at(S, C[C_REC])
        mem = at(S, C[C_MEM])
        off = 0
        for i in range(d):
            if not (math.fabs(c[i] - r[row + i]) <= MET):
                off = 1
            if I[H_ORDER] == 2 and not (math.fabs(c[d + i] - r1[row + i]) <= MET):
                off = 1
        if off == 1:
            fresh += 1
            mem[3 * d] = S[S_TIME]
            mem[3 * d + 1] = 0.0
            for i in range(d):
                mem[i] = 0.0
                mem[d + i] = c[i]
                mem[2 * d + i] = c[d + i] if I[H_ORDER] == 2 else -c[i] / S[C[C_TAU]]
    count_yielding(I, S)
    return fresh


@compiled
def accelerate(I: Pointer, S: Pointer, epsilon: float) -> float:
    """v̇ at (q, v, t) into V_ACC, λ into R_LAM:  J W Jᵀ λ = −(J W Q + J̇ v + 2 J_t v + c_tt) + c̈ wanted  (ID90 eq. 5).

    Wanted is r̈ of the reference, or with feedback inside (S_FEEDBACK = 1) −2/τ ċ − c/τ² (DC88 eq. 3, CN97 eq. 11), or with
    feedback outside (2) nothing, and then a damped spring along Jᵀ is added to the force (ID90 §2.4).
    Returns the residual of the linear system.
    """
    NR = I[H_NR]
    NV = I[H_NV]
    lift(I, S)
    blocks(I, S, FULL)
    compose(I, S)
    if I[H_MASS_VARIES] != 0:
        masses(I, S)
    run_objects(I, S, 5)
    S[S_ENERGY] = forces(I, S)
    if S[S_YIELDING] > 0.0:
        pull_yielding(I, S, rows(I, S, R_TRY))
    total = vels(I, S, V_TOTAL)
    acc = vels(I, S, V_ACC)
    Q = at(S, I[H_S_FORCE])
    gyro = at(S, I[H_S_GYRO])
    for i in range(NV):
        total[i] = Q[i] + gyro[i]
    times_W(I, S, total, acc)
    if NR == 0:
        return 0.0
    rhs = rows(I, S, R_RHS)
    work = rows(I, S, R_WORK)
    delta = rows(I, S, R_DELTA)
    lam = rows(I, S, R_LAM)
    times_J(I, S, acc, rhs)
    gather(I, S, 2, work)
    for i in range(NR):
        rhs[i] = -(rhs[i] + work[i])
    mode = int(S[S_FEEDBACK])
    assemble(I, S)
    if mode == 0:
        reference(I, S, S[S_TIME], rows(I, S, R_REF), rows(I, S, R_REF1), rows(I, S, R_REF2))
        r2 = rows(I, S, R_REF2)
        for i in range(NR):
            rhs[i] += r2[i]
    elif mode == 1:
        for k in range(I[H_NC]):
            C = at(I, I[H_CON] + k * CON)
            d = C[C_DIM]
            c = at(S, C[C_REC])
            tau = S[C[C_TAU]]
            for i in range(d):
                rhs[C[C_ROW] + i] -= 2.0 / tau * c[d + i] + c[i] / (tau * tau)
    factor(I, S, epsilon)
    if S[S_YIELDING] > 0.0:
        clear_rows(I, S, rhs)
    left = refined_solve(I, S, rhs, lam, work, delta, vels(I, S, V_WORK), 1)
    if mode == 2:
        outside(I, S, lam)
    add_Jt(I, S, lam, total, 1.0)
    times_W(I, S, total, acc)
    if S[S_YIELDING] > 0.0:
        pull_yielding(I, S, lam)  # for reading: the force itself is in the acceleration already
    return left


@compiled
def outside(I: Pointer, S: Pointer, lam: Pointer) -> None:
    """Feedback outside the multiplier equation: λ −= (c/τ² + 2ċ/τ) / (J W Jᵀ)_ii, a damped spring of each row's own mass."""
    from_scale = at(S, I[H_S_SCALE])
    for k in range(I[H_NC]):
        C = at(I, I[H_CON] + k * CON)
        d = C[C_DIM]
        c = at(S, C[C_REC])
        tau = S[C[C_TAU]]
        for i in range(d):
            a = from_scale[C[C_ROW] + i]
            if a > 0.0:
                lam[C[C_ROW] + i] -= (2.0 / tau * c[d + i] + c[i] / (tau * tau)) / a


@entry("IF")
def evaluate(I: Pointer, S: Pointer) -> int:
    """v̇ and λ at the present state, for reading results."""
    masses(I, S)
    left = accelerate(I, S, 1e-8)
    S[S_KINETIC] = kinetic(I, S)
    S[S_GAP] = largest(residuals(I, S), I[H_NR])
    if left != left or math.isinf(left):
        return 1
    return 0


@entry("IF")
def evaluate_free(I: Pointer, S: Pointer) -> int:
    """Everything but the multipliers at the present state: J, bias, force and the free acceleration (in V_ACC)."""
    masses(I, S)
    lift(I, S)
    blocks(I, S, FULL)
    blocks_with_effort(I, S)
    compose(I, S)
    run_objects(I, S, 5)
    rates(I, S)
    S[S_ENERGY] = forces(I, S)
    total = vels(I, S, V_TOTAL)
    Q = at(S, I[H_S_FORCE])
    gyro = at(S, I[H_S_GYRO])
    for i in range(I[H_NV]):
        total[i] = Q[i] + gyro[i]
    times_W(I, S, total, vels(I, S, V_ACC))
    return 0


@entry("IF")
def evaluate_rates(I: Pointer, S: Pointer) -> int:
    """q' and v' at the present state, for integrators outside."""
    run_objects(I, S, 7)
    accelerate(I, S, 1e-10)
    rates(I, S)
    return 0


@entry("IF")
def tidy(I: Pointer, S: Pointer) -> int:
    """Make every orientation a pure rotation."""
    run_objects(I, S, 7)
    return 0
