"""The implicit method for stiff mechanisms: TR-BDF2, second order and L-stable, with both levels of the
constraints in each stage (docs/design.md, Stepping).

    d = 1 − √½,  w = √2/4,  e = d h.   A stage at t_i, from ψ̂ and v̂:
    M (v − v̂) = e Q(q, v, t_i) − JᵀΛ,   ψ = ψ̂ + e ψ̇(v) + s,   q = q₀ ⊕ ψ,   c(q, t_i) = r,   ċ(q, v, t_i) = ṙ
    1  t + 2e:  ψ̂ = e v₀,               v̂ = v₀ + e a₀                  (trapezium)
    2  t + h:   ψ̂ = h w (v₀ + k_ψ),     v̂ = v₀ + h w (a₀ + k_v)        (BDF2)
with k_ψ = (ψ − ψ̂)/e and k_v = (v − v̂)/e of the first stage. s moves the pose onto the constraints.
Every correction of both stages is a solve with one matrix, the tangent M + e C + e² (K + H) beside J.

a₀ = W (Q − Jᵀλ) with λ of the last step, which stands in the constraints' memory. After an edit, an impact or
a jump there is none; the first step is then one of SDIRK2, which has the same matrix and needs no a₀:
    1  t + e:   ψ̂ = 0, v̂ = v₀;          2  t + h:  ψ̂ = h (1 − d) k_ψ, v̂ = v₀ + h (1 − d) k_v.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import (
    GYRO,
    MOTION,
    blocks,
    compose,
    forces,
    kinetic,
    lift,
    masses,
    run_objects,
)
from tinkerdyne.engine.product import add_Jt, times_W
from tinkerdyne.engine.records import Flag, Index, Object, Row, Scalars
from tinkerdyne.engine.steppers.motion import copy, gather, largest, reference, rows
from tinkerdyne.engine.steppers.project import project_velocity, retract
from tinkerdyne.engine.steppers.rattle import keep_multipliers, recall_multipliers
from tinkerdyne.engine.tangent import outweigh, tangent_assemble, tangent_factor, tangent_solve
from tinkerdyne.engine.yielding import clear_rows, pull_yielding

D = 1.0 - math.sqrt(0.5)
W = math.sqrt(2.0) / 4.0
G = 2.0 - math.sqrt(2.0)
THIRD = (4.0 * G - 3.0 * G * G - 2.0) / (12.0 * (2.0 - G))  # of the local error
EPSILON = 1e-8  # relative, for rows that say the same: their multipliers are iterated on the true residual
ITERATIONS = 40
ACCURACY = 0.1  # of the tolerance: a correction of the pose that is the last
CONTRACTION = 0.25  # of the last correction: slower, and the matrix is made anew where the iteration is
MOST_FACTORS = 4  # a stage: what they do not mend turns with the velocity, and takes a few iterations more
PATIENCE = 4  # corrections in a row that are no smaller than the smallest before
MISSED, COARSE = 1, 2  # how a step failed: a stage did not converge, or its error is too large


class Slot:
    """Work vectors of nv in the room of the Runge–Kutta stages."""

    V0, A0, PSI_HAT, V_HAT, PSI, SLIP, RATE, K_PSI, K_V, RES, DV, NONE = range(12)


@compiled
def slot(I: Index, S: Scalars, k: int) -> Floats:
    return at(S, I.stages + k * I.nv)


# --- places and forces of a stage --------------------------------------------------------------------------


@compiled
def rotation_rates(I: Index, S: Scalars, v: Floats, psi: Floats, rate: Floats) -> None:
    """ψ̇ at the velocities v: for rotations Ω + ½ ψ×Ω + ¼ ψ (ψ·Ω), since q = q₀ ⊗ normalise(1, ψ/2)."""
    copy(v, rate, I.nv)
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & Flag.RIGID != 0:
            b = T.v - I.v + 3
            x = psi[b]
            y = psi[b + 1]
            z = psi[b + 2]
            p = v[b]
            q = v[b + 1]
            r = v[b + 2]
            along = 0.25 * (x * p + y * q + z * r)
            rate[b] += 0.5 * (y * r - z * q) + along * x
            rate[b + 1] += 0.5 * (z * p - x * r) + along * y
            rate[b + 2] += 0.5 * (x * q - y * p) + along * z


@inlined
def pose(I: Index, S: Scalars, e: float) -> None:
    """ψ = ψ̂ + e ψ̇ + s, and q = q₀ ⊕ ψ."""
    psi = slot(I, S, Slot.PSI)
    hat = slot(I, S, Slot.PSI_HAT)
    slip = slot(I, S, Slot.SLIP)
    rate = slot(I, S, Slot.RATE)
    rotation_rates(I, S, at(S, I.v), psi, rate)
    for i in range(I.nv):
        psi[i] = hat[i] + e * rate[i] + slip[i]
    copy(at(S, I.q0), at(S, I.q), I.nq)
    retract(I, S, psi)


@compiled
def evaluate_all(I: Index, S: Scalars) -> None:
    """Everything at (q, v, t): J, ċ, masses, and Q with the gyroscopic forces."""
    lift(I, S)
    blocks(I, S, MOTION)
    compose(I, S)
    if I.mass_varies != 0:
        masses(I, S)
    run_objects(I, S, GYRO)
    S.energy = forces(I, S)
    if S.yielding > 0.0:
        pull_yielding(I, S, rows(I, S, Row.TRY))
    Q = at(S, I.force)
    gyro = at(S, I.gyro)
    for i in range(I.nv):
        Q[i] += gyro[i]


@compiled
def subtract_momentum(I: Index, S: Scalars, v: Floats, start: Floats, y: Floats) -> None:
    """y −= M (v − start)."""
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        b = T.v - I.v
        for i in range(n):
            if T.flags & Flag.DIAGONAL != 0:
                y[b + i] -= S[T.diagonals + n + i] * (v[b + i] - start[b + i])
            else:
                for j in range(n):
                    y[b + i] -= S[T.M + i * n + j] * (v[b + j] - start[b + j])


@inlined
def residuals(I: Index, S: Scalars, e: float, t: float) -> None:
    """What is missing: of momentum in Slot.RES, of velocities in Row.RES, of places in Row.RHS."""
    res = slot(I, S, Slot.RES)
    Q = at(S, I.force)
    for i in range(I.nv):
        res[i] = e * Q[i]
    subtract_momentum(I, S, at(S, I.v), slot(I, S, Slot.V_HAT), res)
    if I.nr == 0:
        return
    add_Jt(I, S, rows(I, S, Row.LAMBDA), res, -1.0)
    r = rows(I, S, Row.REF)
    r1 = rows(I, S, Row.REF1)
    reference(I, S, t, r, r1, rows(I, S, Row.REF2))
    c = rows(I, S, Row.RHS)
    rate = rows(I, S, Row.RES)
    gather(I, S, 0, c)
    gather(I, S, 1, rate)
    for i in range(I.nr):
        c[i] = r[i] - c[i]
        rate[i] = r1[i] - rate[i]
    if S.yielding > 0.0:
        clear_rows(I, S, c)
        clear_rows(I, S, rate)


# --- Newton's method ---------------------------------------------------------------------------------------


@inlined
def make_matrix(I: Index, S: Scalars, e: float) -> None:
    """The tangent at the state just evaluated, with the multipliers at hand."""
    lam = rows(I, S, Row.TRY)
    Lam = rows(I, S, Row.LAMBDA)
    for i in range(I.nr):
        lam[i] = Lam[i] / e
    tangent_assemble(I, S, e, e * e, 0.0, lam)
    tangent_factor(I, S, EPSILON)


@inlined
def correct(I: Index, S: Scalars, e: float) -> float:
    """One correction of v, Λ and s; returns by how much it moves the pose."""
    n = I.nv
    v = at(S, I.v)
    dv = slot(I, S, Slot.DV)
    delta = rows(I, S, Row.DELTA)
    lam = rows(I, S, Row.LAMBDA)
    tangent_solve(I, S, slot(I, S, Slot.RES), rows(I, S, Row.RES), dv, delta)
    for i in range(n):
        v[i] += dv[i]
    for i in range(I.nr):
        lam[i] += delta[i]
    size = e * largest(dv, n)
    if I.nr > 0:
        none = slot(I, S, Slot.NONE)
        slip = slot(I, S, Slot.SLIP)
        for i in range(n):
            none[i] = 0.0
        tangent_solve(I, S, none, rows(I, S, Row.RHS), dv, delta)
        for i in range(n):
            slip[i] += dv[i]
        size = max(size, largest(dv, n))
    return size


@compiled
def stage(I: Index, S: Scalars, e: float, t: float) -> int:
    """Solve a stage from v, Λ and s at hand; 1 when it does not converge."""
    enough = max(ACCURACY * S.tolerance, 1e-15 * largest(at(S, I.q0), I.nq))
    last = math.inf
    best = math.inf
    stalled = 0
    made = 0
    S.time = t
    for k in range(ITERATIONS):
        pose(I, S, e)
        evaluate_all(I, S)
        residuals(I, S, e, t)
        size = correct(I, S, e)
        if size < 0.7 * best:
            best = size
            stalled = 0
        else:
            stalled += 1
        if math.isinf(size) or stalled > PATIENCE:
            return 1
        if size <= enough:
            pose(I, S, e)
            return 0
        if k > 0 and size > CONTRACTION * last and made < MOST_FACTORS:
            make_matrix(I, S, e)
            made += 1
        last = size
    return 1


@inlined
def begin_stage(I: Index, S: Scalars) -> None:
    """No slip yet, and ψ from ψ̂."""
    slip = slot(I, S, Slot.SLIP)
    for i in range(I.nv):
        slip[i] = 0.0
    copy(slot(I, S, Slot.PSI_HAT), slot(I, S, Slot.PSI), I.nv)


# --- a step ------------------------------------------------------------------------------------------------


@inlined
def begin_step(I: Index, S: Scalars, e: float) -> None:
    """q₀, v₀, Λ = e λ of the last step, a₀ = W (Q − Jᵀλ), and the matrix."""
    copy(at(S, I.q), at(S, I.q0), I.nq)
    copy(at(S, I.v), slot(I, S, Slot.V0), I.nv)
    recall_multipliers(
        I, S, rows(I, S, Row.LAMBDA), 2.0 * e / S.implicit_step if S.implicit_step > 0.0 else 0.0
    )
    if S.yielding > 0.0:
        clear_rows(I, S, rows(I, S, Row.LAMBDA))
    evaluate_all(I, S)
    total = slot(I, S, Slot.RES)
    copy(at(S, I.force), total, I.nv)
    if I.nr > 0:
        add_Jt(I, S, rows(I, S, Row.LAMBDA), total, -1.0 / e)
    times_W(I, S, total, slot(I, S, Slot.A0))
    make_matrix(I, S, e)
    S.heaviest = max(S.heaviest, outweigh(I, S))


@inlined
def first_stage(I: Index, S: Scalars, h: float, e: float, is_start: int) -> int:
    """The trapezium, or of SDIRK2 the first stage; leaves k_ψ and k_v."""
    v0 = slot(I, S, Slot.V0)
    a0 = slot(I, S, Slot.A0)
    hat = slot(I, S, Slot.PSI_HAT)
    v_hat = slot(I, S, Slot.V_HAT)
    v = at(S, I.v)
    old = 0.0 if is_start != 0 else e
    for i in range(I.nv):
        hat[i] = old * v0[i]
        v_hat[i] = v0[i] + old * a0[i]
        v[i] = v0[i] + 2.0 * old * a0[i]
    begin_stage(I, S)
    if stage(I, S, e, S.time + (e if is_start != 0 else 2.0 * e)) != 0:
        return 1
    psi = slot(I, S, Slot.PSI)
    k_psi = slot(I, S, Slot.K_PSI)
    k_v = slot(I, S, Slot.K_V)
    for i in range(I.nv):
        k_psi[i] = (psi[i] - hat[i]) / e
        k_v[i] = (v[i] - v_hat[i]) / e
    return 0


@inlined
def second_stage(I: Index, S: Scalars, h: float, e: float, t: float, is_start: int) -> int:
    """BDF2, or of SDIRK2 the second stage."""
    v0 = slot(I, S, Slot.V0)
    a0 = slot(I, S, Slot.A0)
    hat = slot(I, S, Slot.PSI_HAT)
    v_hat = slot(I, S, Slot.V_HAT)
    k_psi = slot(I, S, Slot.K_PSI)
    k_v = slot(I, S, Slot.K_V)
    old = 0.0 if is_start != 0 else h * W
    new = h * (1.0 - D) if is_start != 0 else h * W
    for i in range(I.nv):
        hat[i] = old * v0[i] + new * k_psi[i]
        v_hat[i] = v0[i] + old * a0[i] + new * k_v[i]
    begin_stage(I, S)
    return stage(I, S, e, t + h)


@inlined
def keep_forces(I: Index, S: Scalars, h: float, e: float) -> None:
    """λ of the step's end: as an impulse over half a step in the constraints' memory, and for reading."""
    lam = rows(I, S, Row.LAMBDA)
    mu = rows(I, S, Row.MU)
    read = rows(I, S, Row.LAM)
    for i in range(I.nr):
        mu[i] = 0.5 * h * lam[i] / e
        read[i] = -lam[i] / e
    keep_multipliers(I, S, mu)
    S.implicit_step = h


@compiled
def length(I: Index, S: Scalars, x: Floats) -> float:
    """√(xᵀ M x): how long a way is, in the norm of the kinetic energy."""
    total = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & Flag.FIXED == 0:
            for i in range(T.nv):
                y = x[T.v - I.v + i]
                total += S[T.M + i * T.nv + i] * y * y
    return math.sqrt(total)


@inlined
def find_error(I: Index, S: Scalars, h: float, g: float) -> None:
    """How far places are off after the step: what a formula of third order through the same three velocities
    would add (they are those at 0, g h and h), without what the matrix says is stiff (S δ = M ε). It is in
    Slot.DV."""
    v0 = slot(I, S, Slot.V0)
    k_psi = slot(I, S, Slot.K_PSI)
    v = at(S, I.v)
    miss = slot(I, S, Slot.RES)
    none = slot(I, S, Slot.NONE)
    delta = slot(I, S, Slot.DV)
    for i in range(I.nv):
        delta[i] = 2.0 * h * THIRD * (v0[i] / g - k_psi[i] / (g * (1.0 - g)) + v[i] / (1.0 - g))
        none[i] = 0.0
        miss[i] = 0.0
    subtract_momentum(I, S, none, delta, miss)
    zero = rows(I, S, Row.RES)
    for i in range(I.nr):
        zero[i] = 0.0
    tangent_solve(I, S, miss, zero, delta, rows(I, S, Row.DELTA))


@compiled
def implicit_step(I: Index, S: Scalars, h: float) -> int:
    """One step; 0, or how it failed, and then q, v and t need restoring."""
    t = S.time
    e = D * h
    is_start = 1 if S.implicit_step == 0.0 else 0
    if I.mass_varies == 0:
        masses(I, S)
    if is_start != 0:
        project_velocity(I, S, EPSILON)  # or a velocity that breaks a joint is taken for a force
    begin_step(I, S, e)
    if first_stage(I, S, h, e, is_start) != 0 or second_stage(I, S, h, e, t, is_start) != 0:
        return MISSED
    find_error(I, S, h, D if is_start != 0 else G)
    if S.step_error > 0.0 and largest(slot(I, S, Slot.DV), I.nv) > S.step_error:
        return COARSE
    S.looks += 1.0
    S.path += h * length(I, S, at(S, I.v))
    S.path_error += length(I, S, slot(I, S, Slot.DV))
    keep_forces(I, S, h, e)
    S.time = t + h
    S.kinetic = kinetic(I, S)
    S.largest_kinetic = max(S.largest_kinetic, S.kinetic)
    S.ready = 0.0
    return 0
