"""What every stepper needs of a constrained world: the reference of each constraint, its residuals, and the
acceleration."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled, entry
from tinkerdyne.engine.evaluate import (
    FULL,
    MOTION,
    VALUE,
    blocks,
    blocks_with_effort,
    compose,
    forces,
    kinetic,
    lift,
    masses,
    rates,
    run_objects,
    wind,
)
from tinkerdyne.engine.kkt import assemble, factor, is_factored, refined_solve, solve
from tinkerdyne.engine.product import add_Jt, add_WJt, times_J, times_W
from tinkerdyne.engine.records import (
    B_DIM,
    B_J,
    B_NV,
    B_OBJ,
    B_ROW,
    BLK,
    C_DIM,
    C_KIND,
    C_MEM,
    C_REC,
    C_ROW,
    C_TAU,
    CON,
    EXACT,
    H_BLK,
    H_CON,
    H_MASS_VARIES,
    H_NB,
    H_NC,
    H_NR,
    H_NV,
    H_OBJ,
    H_ORDER,
    H_S_FORCE,
    H_S_GYRO,
    H_S_ROWS,
    H_S_SCALE,
    H_S_VELS,
    H_STOPS,
    O_FLAGS,
    O_LIFT,
    OBJ,
    OPEN,
    R_DELTA,
    R_LAM,
    R_LIFTED,
    R_REF,
    R_REF1,
    R_REF2,
    R_RHS,
    R_TRY,
    R_WORK,
    RATE,
    RIGID,
    S_ENERGY,
    S_FEEDBACK,
    S_GAP,
    S_KINETIC,
    S_SOLVER,
    S_TIME,
    S_YIELDING,
    STEADY,
    STOP,
    V_ACC,
    V_TOTAL,
    V_WORK,
)  # fmt: skip
from tinkerdyne.engine.yielding import clear_rows, count_yielding, is_open, pull_yielding

MET = 1e-7  # residuals above this (SI units) start a new approach r(t); below, the constraint counts as met

CONTRADICTORY = 1e-3  # share of the right-hand side that no multipliers can meet


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
    """r(t) of every row and its two derivatives: zero where the constraint is met, else its approach from
    (c₀, ċ₀) at t₀."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        d = C[C_DIM]
        mem = at(S, C[C_MEM])
        row = C[C_ROW]
        for i in range(d):
            r[row + i] = 0.0
            r1[row + i] = 0.0
            r2[row + i] = 0.0
            if mem[d + i] != 0.0 or mem[2 * d + i] != 0.0:
                s = t - mem[3 * d]
                tau = S[C[C_TAU]]
                if C[C_KIND] == RATE:  # only velocities are known: they fall as e^(−s/τ)
                    r1[row + i] = mem[2 * d + i] * math.exp(-s / tau)
                    r2[row + i] = -r1[row + i] / tau
                elif C[C_KIND] == STEADY:
                    r1[row + i] = mem[2 * d + i]
                else:
                    approach(
                        at(S, C[C_TAU]),
                        s,
                        mem[d + i],
                        mem[2 * d + i],
                        at(r, row + i),
                        at(r1, row + i),
                        at(r2, row + i),
                    )


@compiled
def approach(gains: Pointer, s: float, c0: float, c1: float, r: Pointer, r1: Pointer, r2: Pointer) -> None:
    """r̈ + k_d ṙ + k_s r = 0 from (c₀, ċ₀); `gains` are τ, k_s, k_d, by themselves those of DC88's critically
    damped approach."""
    tau = gains[0]
    stiff = gains[1]
    half = 0.5 * gains[2]
    apart = half * half - stiff
    if math.fabs(apart) <= 1e-9 * stiff:
        if math.fabs(half * tau - 1.0) > 1e-9:
            tau = 1.0 / half
        e = math.exp(-s / tau)
        k = c1 + c0 / tau
        r[0] = (c0 + k * s) * e
        r1[0] = (c1 - k * s / tau) * e
        r2[0] = (-k - c1 + k * s / tau) / tau * e
        return
    w = math.sqrt(math.fabs(apart))
    if apart < 0.0:
        e = math.exp(-half * s)
        k = (c1 + half * c0) / w
        cosine = math.cos(w * s)
        sine = math.sin(w * s)
        r[0] = e * (c0 * cosine + k * sine)
        r1[0] = e * (w * (k * cosine - c0 * sine)) - half * r[0]
    else:
        a = (c1 + (half + w) * c0) / (2.0 * w)
        slow = a * math.exp((w - half) * s)
        fast = (c0 - a) * math.exp(-(w + half) * s)
        r[0] = slow + fast
        r1[0] = (w - half) * slow - (w + half) * fast
    r2[0] = -2.0 * half * r1[0] - stiff * r[0]


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
    """c − r of all rows as last evaluated (in R_TRY); open stops have none."""
    c = rows(I, S, R_TRY)
    reference(I, S, S[S_TIME], rows(I, S, R_REF), rows(I, S, R_REF1), rows(I, S, R_REF2))
    gather(I, S, 0, c)
    r = rows(I, S, R_REF)
    for i in range(I[H_NR]):
        c[i] -= r[i]
    if I[H_STOPS] != 0:
        for k in range(I[H_NC]):
            if is_open(I, S, k) != 0:
                c[I[I[H_CON] + k * CON + C_ROW]] = 0.0
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
    """After an edit: constraints that are not where their reference is start a new approach from here;
    returns how many."""
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
        if C[C_KIND] == STOP and c[0] >= -MET:
            if mem[4] != EXACT or math.fabs(c[0]) > MET or math.fabs(c[1]) > MET:
                for i in range(3):
                    mem[i] = 0.0
                mem[4] = OPEN
            continue
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
                if C[C_KIND] >= RATE and I[H_ORDER] != 2:
                    mem[2 * d + i] = 0.0  # without inertia a wanted velocity is there at once
    count_yielding(I, S)
    return fresh


@compiled
def accelerate(I: Pointer, S: Pointer, epsilon: float) -> float:
    """v̇ at (q, v, t) into V_ACC, λ into R_LAM:  J W Jᵀ λ = −(J W Q + J̇ v + 2 J_t v + c_tt) + c̈ wanted
    (ID90 eq. 5).

    Wanted is r̈ of the reference, or with feedback inside (S_FEEDBACK = 1) −2/τ ċ − c/τ² (DC88 eq. 3, CN97
    eq. 11), or with feedback outside (2) nothing, and then a damped spring along Jᵀ is added to the force
    (ID90 §2.4). Returns the residual of the linear system.
    """
    NR = I[H_NR]
    NV = I[H_NV]
    kept = is_factored(I, S, epsilon)
    lift(I, S)
    blocks(I, S, FULL)
    if kept == 0:
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
    if kept == 0:
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
            gains = at(S, C[C_TAU])
            for i in range(d):
                rhs[C[C_ROW] + i] -= feedback(C, gains, c[i], c[d + i])
    if kept == 0:
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
def feedback(C: Pointer, gains: Pointer, c: float, rate: float) -> float:
    """k_s c + k_d ċ, or for a constraint on velocities ċ/τ."""
    if C[C_KIND] == STEADY:
        return 0.0
    if C[C_KIND] == RATE:
        falling: float = rate / gains[0]
        return falling
    wanted: float = gains[1] * c + gains[2] * rate
    return wanted


@compiled
def outside(I: Pointer, S: Pointer, lam: Pointer) -> None:
    """Feedback outside the multiplier equation: λ −= (k_s c + k_d ċ) / (J W Jᵀ)_ii, a damped spring of each
    row's own mass."""
    from_scale = at(S, I[H_S_SCALE])
    for k in range(I[H_NC]):
        C = at(I, I[H_CON] + k * CON)
        d = C[C_DIM]
        c = at(S, C[C_REC])
        gains = at(S, C[C_TAU])
        for i in range(d):
            a = from_scale[C[C_ROW] + i]
            if a > 0.0 and S[C[C_MEM] + 3 * d + 1] != OPEN:
                lam[C[C_ROW] + i] -= feedback(C, gains, c[i], c[d + i]) / a


@compiled
def least_multipliers(I: Pointer, S: Pointer) -> None:
    """λ without what does nothing: where rows contradict each other, (A + ε)⁻¹ A λ keeps the forces and drops
    the rest (DC88)."""
    lam = rows(I, S, R_LAM)
    work = rows(I, S, R_WORK)
    y = vels(I, S, V_WORK)
    total = vels(I, S, V_TOTAL)
    add_Jt(I, S, lam, total, -1.0)
    factor(I, S, 1e-6)
    solve(I, S, rows(I, S, R_RHS), lam)
    for _ in range(2):
        for i in range(I[H_NV]):
            y[i] = 0.0
        add_WJt(I, S, lam, y, 1.0)
        times_J(I, S, y, work)
        if S[S_YIELDING] > 0.0:
            clear_rows(I, S, work)
        solve(I, S, work, lam)
    add_Jt(I, S, lam, total, 1.0)
    times_W(I, S, total, vels(I, S, V_ACC))
    if S[S_YIELDING] > 0.0:
        pull_yielding(I, S, lam)


@compiled
def lift_pulling(I: Pointer, S: Pointer) -> int:
    """Open every closed stop that would pull as last evaluated, marked in R_LIFTED; returns how many."""
    n = 0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        mem = at(S, C[C_MEM])
        if (
            C[C_KIND] == STOP
            and mem[4] == EXACT
            and S[C[C_REC]] >= -MET
            and rows(I, S, R_LAM)[C[C_ROW]] < 0.0
        ):
            mem[4] = OPEN
            rows(I, S, R_LIFTED)[C[C_ROW]] = 1.0
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n


@compiled
def put_back(I: Pointer, S: Pointer) -> None:
    """Close the stops that `lift_pulling` opened: reading leaves everything as it was."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP and rows(I, S, R_LIFTED)[C[C_ROW]] != 0.0:
            S[C[C_MEM] + 4] = EXACT
    count_yielding(I, S)


@entry("IF")
def evaluate(I: Pointer, S: Pointer) -> int:
    """v̇ and λ at the present state, for reading results; stops push, and those that the next step lets go do
    nothing."""
    masses(I, S)
    left = accelerate(I, S, 1e-8)
    if I[H_STOPS] != 0:
        for i in range(I[H_NR]):
            rows(I, S, R_LIFTED)[i] = 0.0
        for _ in range(8):
            if lift_pulling(I, S) == 0:
                break
            left = accelerate(I, S, 1e-8)
    if left > CONTRADICTORY * largest(rows(I, S, R_RHS), I[H_NR]) and S[S_SOLVER] == 0.0:
        least_multipliers(I, S)
    if I[H_STOPS] != 0:
        put_back(I, S)
    S[S_KINETIC] = kinetic(I, S)
    S[S_GAP] = largest(residuals(I, S), I[H_NR])
    if left != left or math.isinf(left):
        return 1
    return 0


@entry("IFF")
def pull_reactions(I: Pointer, S: Pointer, out: Pointer) -> int:
    """Jᵀλ of every Jacobian block as last evaluated, six numbers each: for a rigid body force and torque in
    world axes."""
    lam = rows(I, S, R_LAM)
    for b in range(I[H_NB]):
        w = at(I, I[H_BLK] + b * BLK)
        n = w[B_NV]
        f = at(out, 6 * b)
        for k in range(6):
            f[k] = 0.0
        for k in range(min(n, 6)):
            for i in range(w[B_DIM]):
                f[k] += S[w[B_J] + i * n + k] * lam[w[B_ROW] + i]
        T = at(I, I[H_OBJ] + w[B_OBJ] * OBJ)
        if T[O_FLAGS] & RIGID != 0:
            R = at(S, T[O_LIFT] + 3)
            x = f[3]
            y = f[4]
            z = f[5]
            for k in range(3):
                f[3 + k] = R[k] * x + R[3 + k] * y + R[6 + k] * z
    return int(I[H_NB])


@entry("IF")
def evaluate_free(I: Pointer, S: Pointer) -> int:
    """Everything but the multipliers at the present state: J, bias, force and the free acceleration (in
    V_ACC)."""
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
def wind_turns(I: Pointer, S: Pointer) -> int:
    """Count turns from the present state."""
    lift(I, S)
    blocks(I, S, VALUE)
    wind(I, S)
    return 0


@entry("IF")
def tidy(I: Pointer, S: Pointer) -> int:
    """Make every orientation a pure rotation."""
    run_objects(I, S, 7)
    return 0
