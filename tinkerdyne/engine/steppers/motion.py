"""What every stepper needs of a constrained world: the reference of each constraint, its residuals, and the
acceleration."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import FULL, GYRO, MOTION, blocks, compose, forces, lift, masses, run_objects
from tinkerdyne.engine.exact import exact_solve
from tinkerdyne.engine.kkt import assemble, factor, is_factored
from tinkerdyne.engine.product import add_Jt, times_J, times_W
from tinkerdyne.engine.records import Constraint, Hold, Index, Kind, Row, Scalars, StopMemory, Vel
from tinkerdyne.engine.yielding import clear_rows, count_yielding, holding, is_open, open_stop, pull_yielding

NO_FEEDBACK, FEEDBACK_INSIDE, FEEDBACK_OUTSIDE = 0, 1, 2
MET = 1e-7  # residuals above this (SI units) start a new approach r(t); below, the constraint counts as met

# s: the longest step by default. In such a step a gap of one tolerance is below the local error, which falls
# with the cube of the step.
FULL_STEP = 1e-3
FINEST = 1e-12  # a gap that Newton reaches in a mechanism of some metres, whatever its rounding [SI]


@inlined
def closing(S: Scalars, h: float) -> float:
    """The gap that a step of length h should leave: `tolerance`, and less in short steps, in proportion to
    the local error of a method of order two, so that half the step has a quarter of the error."""
    share = h / FULL_STEP
    if share >= 1.0:
        return S.tolerance
    wanted: float = max(share * share * share * S.tolerance, min(FINEST, S.tolerance))
    return wanted


@compiled
def rows(I: Index, S: Scalars, k: int) -> Floats:
    return at(S, I.row_vectors + k * I.nr)


@compiled
def vels(I: Index, S: Scalars, k: int) -> Floats:
    return at(S, I.velocity_vectors + k * I.nv)


@compiled
def copy(x: Floats, y: Floats, n: int) -> None:
    """y = x."""
    for i in range(n):
        y[i] = x[i]


@compiled
def reference(I: Index, S: Scalars, t: float, r: Floats, r1: Floats, r2: Floats) -> None:
    """r(t) of every row and its two derivatives: zero where the constraint is met, else its approach from
    (c₀, ċ₀) at t₀."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        d = C.dim
        mem = at(S, C.memory)
        row = C.row
        for i in range(d):
            r[row + i] = 0.0
            r1[row + i] = 0.0
            r2[row + i] = 0.0
            if mem[d + i] != 0.0 or mem[2 * d + i] != 0.0:
                s = t - holding(S, C).since
                tau = S[C.tau]
                if holding(S, C).hold == Hold.SPRING:
                    pass  # what stands there belongs to the spring
                elif C.kind == Kind.RATE:  # only velocities are known: they fall as e^(−s/τ)
                    r1[row + i] = mem[2 * d + i] * math.exp(-s / tau)
                    r2[row + i] = -r1[row + i] / tau
                elif C.kind == Kind.STEADY:
                    r1[row + i] = mem[2 * d + i]
                else:
                    approach(
                        at(S, C.tau),
                        s,
                        mem[d + i],
                        mem[2 * d + i],
                        at(r, row + i),
                        at(r1, row + i),
                        at(r2, row + i),
                    )


@compiled
def approach(gains: Floats, s: float, c0: float, c1: float, r: Floats, r1: Floats, r2: Floats) -> None:
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
def gather(I: Index, S: Scalars, which: int, y: Floats) -> None:
    """c (which = 0), ċ (1) or the bias (2) of all constraints, as last evaluated."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        d = C.dim
        x = at(S, C.record + which * d)
        for i in range(d):
            y[C.row + i] = x[i]


@compiled
def largest(x: Floats, n: int) -> float:
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
def residuals(I: Index, S: Scalars) -> Floats:
    """c − r of all rows as last evaluated (in Row.TRY); open stops have none."""
    c = rows(I, S, Row.TRY)
    reference(I, S, S.time, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    gather(I, S, 0, c)
    r = rows(I, S, Row.REF)
    for i in range(I.nr):
        c[i] -= r[i]
    if I.stops != 0:
        for k in range(I.n_constraints):
            if is_open(I, S, k) != 0:
                c[Constraint.of(I, k).row] = 0.0
    return c


@compiled
def gap(I: Index, S: Scalars) -> float:
    """The largest |c − r| as last evaluated, of the constraints that do not yield."""
    c = residuals(I, S)
    if S.yielding > 0.0:
        clear_rows(I, S, c)
    return largest(c, I.nr)


@entry("IF")
def begin(I: Index, S: Scalars) -> int:
    """After an edit: constraints that are not where their reference is start a new approach from here;
    returns how many."""
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)
    S.redundant = 0.0
    reference(I, S, S.time, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    r = rows(I, S, Row.REF)
    r1 = rows(I, S, Row.REF1)
    fresh = 0
    for k in range(I.n_constraints):
        C = Constraint.of(I, k)
        d = C.dim
        row = C.row
        c = at(S, C.record)
        mem = at(S, C.memory)
        off = 0
        if C.kind == Kind.DRY:  # no row of the exact ones: steps with contact hold it
            holding(S, C).hold = Hold.OPEN
            continue
        if C.kind == Kind.STOP and c[0] >= -MET:
            stop = StopMemory(mem)
            if stop.hold != Hold.EXACT or math.fabs(c[0]) > MET or math.fabs(c[1]) > MET:
                open_stop(stop)
            continue
        for i in range(d):
            if not (math.fabs(c[i] - r[row + i]) <= MET):
                off = 1
            if I.order == 2 and not (math.fabs(c[d + i] - r1[row + i]) <= MET):
                off = 1
        if off == 1:
            fresh += 1
            held = holding(S, C)
            held.since = S.time
            held.hold = Hold.EXACT
            for i in range(d):
                mem[i] = 0.0
                mem[d + i] = c[i]
                mem[2 * d + i] = c[d + i] if I.order == 2 else -c[i] / S[C.tau]
                if C.kind >= Kind.RATE and I.order != 2:
                    mem[2 * d + i] = 0.0  # without inertia a wanted velocity is there at once
    count_yielding(I, S)
    return fresh


@inlined
def free_acceleration(I: Index, S: Scalars, kept: int) -> None:
    """J, bias, forces and masses at (q, v, t), and W (Q + gyroscopic force) in Vel.ACC."""
    lift(I, S)
    blocks(I, S, FULL)
    if kept == 0:
        compose(I, S)
    if I.mass_varies != 0:
        masses(I, S)
    run_objects(I, S, GYRO)
    S.energy = forces(I, S)
    if S.yielding > 0.0:
        pull_yielding(I, S, rows(I, S, Row.TRY))
    total = vels(I, S, Vel.TOTAL)
    Q = at(S, I.force)
    gyro = at(S, I.gyro)
    for i in range(I.nv):
        total[i] = Q[i] + gyro[i]
    times_W(I, S, total, vels(I, S, Vel.ACC))


@inlined
def add_wanted(I: Index, S: Scalars, rhs: Floats) -> None:
    """c̈ wanted, by the mode of feedback."""
    mode = int(S.feedback)
    if mode == NO_FEEDBACK:
        reference(I, S, S.time, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
        r2 = rows(I, S, Row.REF2)
        for i in range(I.nr):
            rhs[i] += r2[i]
    elif mode == FEEDBACK_INSIDE:
        for k in range(I.n_constraints):
            C = Constraint.of(I, k)
            d = C.dim
            c = at(S, C.record)
            gains = at(S, C.tau)
            for i in range(d):
                rhs[C.row + i] -= feedback(C, gains, c[i], c[d + i])


@compiled
def accelerate(I: Index, S: Scalars, epsilon: float) -> float:
    """v̇ at (q, v, t) into Vel.ACC, λ into Row.LAM:  J W Jᵀ λ = −(J W Q + J̇ v + 2 J_t v + c_tt) + c̈ wanted
    (ID90 eq. 5).

    Wanted is r̈ of the reference, or with feedback inside −2/τ ċ − c/τ² (DC88 eq. 3, CN97
    eq. 11), or with feedback outside nothing, and then a damped spring along Jᵀ is added to the force
    (ID90 §2.4). Returns the residual of the linear system.
    """
    return accelerate_by(I, S, epsilon, is_factored(I, S, epsilon))


@compiled
def accelerate_by(I: Index, S: Scalars, epsilon: float, kept: int) -> float:
    """The same, by J and the factor at hand where they are those of the present state (`kept`)."""
    NR = I.nr
    free_acceleration(I, S, kept)
    if NR == 0:
        return 0.0
    total = vels(I, S, Vel.TOTAL)
    acc = vels(I, S, Vel.ACC)
    rhs = rows(I, S, Row.RHS)
    work = rows(I, S, Row.WORK)
    lam = rows(I, S, Row.LAM)
    times_J(I, S, acc, rhs)
    gather(I, S, 2, work)
    for i in range(NR):
        rhs[i] = -(rhs[i] + work[i])
    if kept == 0:
        assemble(I, S)
    add_wanted(I, S, rhs)
    if kept == 0:
        factor(I, S, epsilon)
    if S.yielding > 0.0:
        clear_rows(I, S, rhs)
    left = exact_solve(I, S, rhs, lam)
    S.left = left
    if int(S.feedback) == FEEDBACK_OUTSIDE:
        outside(I, S, lam)
    add_Jt(I, S, lam, total, 1.0)
    times_W(I, S, total, acc)
    if S.yielding > 0.0:
        pull_yielding(I, S, lam)  # for reading: the force itself is in the acceleration already
    return left


@compiled
def feedback(C: Constraint, gains: Floats, c: float, rate: float) -> float:
    """k_s c + k_d ċ, or for a constraint on velocities ċ/τ."""
    if C.kind == Kind.STEADY:
        return 0.0
    if C.kind == Kind.RATE:
        falling: float = rate / gains[0]
        return falling
    wanted: float = gains[1] * c + gains[2] * rate
    return wanted


@compiled
def outside(I: Index, S: Scalars, lam: Floats) -> None:
    """Feedback outside the multiplier equation: λ −= (k_s c + k_d ċ) / (J W Jᵀ)_ii, a damped spring of each
    row's own mass."""
    from_scale = at(S, I.scale)
    for k in range(I.n_constraints):
        C = Constraint.of(I, k)
        d = C.dim
        c = at(S, C.record)
        gains = at(S, C.tau)
        held = holding(S, C)
        for i in range(d):
            a = from_scale[C.row + i]
            if a > 0.0 and held.hold != Hold.OPEN:
                lam[C.row + i] -= feedback(C, gains, c[i], c[d + i]) / a
