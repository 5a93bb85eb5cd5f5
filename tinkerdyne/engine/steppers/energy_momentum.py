"""The energy–momentum step (θ = ½ conserves energy, θ > ½ can only lose it): for hard cases and hard dragging
(docs/design.md, Stepping).

    M (v₁ − v₀) = h Q̄ − J̄ᵀΛ,  x₁ = x₀ + h((1−θ)v₀ + θv₁),  q₁ = q₀ ⊗ normalise(1, a/2),  a = h((1−θ)Ω₀ +
    θΩ₁)   (Cayley) R₁ I Ω₁ = R₀ I Ω₀ + h τ̄ − (J̄ᵀΛ)_rotation,   c(q₁, t₁) = r(t₁)
J̄ is taken at the averaged lift (ℓ₀ + ℓ₁)/2 with spatial rotations: since R₁ − R₀ = ½(R₀ + R₁) â for Cayley's
map, J̄ is exact for c up to quadratic in the lift, so the constraint forces do no work and angular momentum
is kept.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import (
    MOTION,
    SPATIAL,
    SPATIAL_FORCE,
    VALUE,
    blocks,
    compose,
    lift,
    pull_forces,
)
from tinkerdyne.engine.kkt import assemble, factor, solve
from tinkerdyne.engine.product import add_Jt
from tinkerdyne.engine.records import SCRATCH, Flag, Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import closing, copy, gather, largest, reference, rows, vels
from tinkerdyne.engine.steppers.rattle import recall_multipliers
from tinkerdyne.engine.yielding import clear_rows, pull_yielding
from tinkerdyne.objects.rotation import quaternion_matrix

ITERATIONS = 60


@compiled
def place(I: Index, S: Scalars, h: float, theta: float, v0: Floats, v1: Floats) -> None:
    """q₁ from q₀ (Q0) and the two velocities."""
    qb = I.q
    vb = I.v
    q0 = at(S, I.q0)
    q = at(S, qb)
    for o in range(I.n_objects):
        T = Object.of(I, o)
        a = T.q - qb
        b = T.v - vb
        flags = T.flags
        n = T.nv
        if flags & Flag.RIGID != 0:
            n = 3
        elif flags & Flag.PLANAR != 0:
            n = 2
        for i in range(n):
            q[a + i] = q0[a + i] + h * ((1.0 - theta) * v0[b + i] + theta * v1[b + i])
        if flags & Flag.PLANAR != 0:
            q[a + 2] = q0[a + 2] + 2.0 * math.atan(0.5 * h * ((1.0 - theta) * v0[b + 2] + theta * v1[b + 2]))
        if flags & Flag.RIGID != 0:
            x = 0.5 * h * ((1.0 - theta) * v0[b + 3] + theta * v1[b + 3])
            y = 0.5 * h * ((1.0 - theta) * v0[b + 4] + theta * v1[b + 4])
            z = 0.5 * h * ((1.0 - theta) * v0[b + 5] + theta * v1[b + 5])
            k = 1.0 / math.sqrt(1.0 + x * x + y * y + z * z)
            w0 = q0[a + 3]
            x0 = q0[a + 4]
            y0 = q0[a + 5]
            z0 = q0[a + 6]
            q[a + 3] = k * (w0 - x0 * x - y0 * y - z0 * z)
            q[a + 4] = k * (x0 + w0 * x + y0 * z - z0 * y)
            q[a + 5] = k * (y0 + w0 * y + z0 * x - x0 * z)
            q[a + 6] = k * (z0 + w0 * z + x0 * y - y0 * x)


@compiled
def average(I: Index, S: Scalars) -> None:
    """Lifts ← (ℓ₀ + ℓ₁)/2; of linear objects q itself."""
    ell = at(S, I.lifts)
    ell0 = at(S, I.lifts0)
    for i in range(I.n_lifts):
        ell[i] = 0.5 * (ell[i] + ell0[i])
    qb = I.q
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & Flag.LINEAR != 0:
            a = T.q
            for i in range(T.nv):
                S[a + i] = 0.5 * (S[a + i] + S[I.q0 + a - qb + i])


@compiled
def momentum(I: Index, S: Scalars, h: float, v0: Floats, v1: Floats, push: Floats) -> float:
    """v₁ from the impulses: hQ̄ (in the force vector) and `push` = −J̄ᵀΛ, torques in world axes; returns the
    largest change."""
    Q = at(S, I.force)
    q1 = at(S, I.position_vectors)
    q0 = at(S, I.q0)
    vb = I.v
    R0 = at(S, SCRATCH)
    R1 = at(R0, 9)
    L = at(R0, 18)
    change = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        flags = T.flags
        b = T.v - vb
        n = T.nv
        if flags & Flag.FIXED != 0:
            continue
        W = at(S, T.W)
        if flags & Flag.RIGID == 0:
            for i in range(n):
                s = v0[b + i]
                for j in range(n):
                    s += W[i * n + j] * (h * Q[b + j] + push[b + j])
                change = max(change, math.fabs(s - v1[b + i]))
                v1[b + i] = s
        else:
            for i in range(3):
                s = v0[b + i] + W[i * 6 + i] * (h * Q[b + i] + push[b + i])
                change = max(change, math.fabs(s - v1[b + i]))
                v1[b + i] = s
            a = T.q - I.q
            quaternion_matrix(at(q0, a + 3), R0)
            quaternion_matrix(at(q1, a + 3), R1)
            M = at(S, T.M)
            for i in range(3):
                s = h * Q[b + 3 + i] + push[b + 3 + i]
                for j in range(3):
                    for k in range(3):
                        s += R0[j * 3 + i] * M[(3 + j) * 6 + 3 + k] * v0[b + 3 + k]
                L[i] = s
            for i in range(3):
                s = 0.0
                for j in range(3):
                    for k in range(3):
                        s += W[(3 + i) * 6 + 3 + j] * R1[j * 3 + k] * L[k]
                change = max(change, math.fabs(s - v1[b + 3 + i]))
                v1[b + 3 + i] = s
    return change


@inlined
def begin(I: Index, S: Scalars, h: float) -> None:
    """Keep q₀, v₀ and ℓ₀; Λ from the last step, and the reference at the step's end."""
    copy(at(S, I.q), at(S, I.q0), I.nq)
    copy(at(S, I.v), vels(I, S, Vel.EXTRA), I.nv)
    lift(I, S)
    copy(at(S, I.lifts), at(S, I.lifts0), I.n_lifts)
    recall_multipliers(I, S, rows(I, S, Row.LAMBDA), 2.0)
    reference(I, S, S.time + h, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))


@inlined
def end_gap(I: Index, S: Scalars) -> float:
    """max |c(q₁) − r(t₁)|, the residual in Row.RES; rows that yield have neither residual nor multiplier."""
    res = rows(I, S, Row.RES)
    r = rows(I, S, Row.REF)
    blocks(I, S, VALUE)
    gather(I, S, 0, res)
    for i in range(I.nr):
        res[i] = res[i] - r[i]
    if S.yielding > 0.0:
        clear_rows(I, S, res)
        clear_rows(I, S, rows(I, S, Row.LAMBDA))
    return largest(res, I.nr)


@inlined
def correct_impulse(I: Index, S: Scalars, step: float) -> None:
    """Λ += A⁻¹ (c − r)/(h θ)."""
    res = rows(I, S, Row.RES)
    delta = rows(I, S, Row.DELTA)
    lam = rows(I, S, Row.LAMBDA)
    for i in range(I.nr):
        res[i] /= step
    solve(I, S, res, delta)
    for i in range(I.nr):
        lam[i] += delta[i]


@inlined
def push_at_middle(I: Index, S: Scalars, is_slow: int) -> None:
    """Forces Q̄ and J̄ at the step's middle, and `push` = −J̄ᵀΛ, with rotations in world axes."""
    push = vels(I, S, Vel.KICK)
    blocks(I, S, MOTION)
    compose(I, S)
    if is_slow != 0:
        # Slow with the matrix of the step's start: take that of its middle.
        assemble(I, S)
        factor(I, S, 1e-12)
    blocks(I, S, SPATIAL)
    compose(I, S)
    pull_forces(I, S, SPATIAL_FORCE)
    if S.yielding > 0.0:
        pull_yielding(I, S, rows(I, S, Row.TRY))
    for i in range(I.nv):
        push[i] = 0.0
    if I.nr > 0:
        add_Jt(I, S, rows(I, S, Row.LAMBDA), push, -1.0)


@inlined
def iterate(I: Index, S: Scalars, h: float, theta: float, t0: float) -> int:
    """Newton on Λ in turn with the momentum balance; 0 when both are met, 1 when it does not converge."""
    v = at(S, I.v)
    v0 = vels(I, S, Vel.EXTRA)
    q = at(S, I.q)
    q1 = at(S, I.position_vectors)
    v1 = vels(I, S, Vel.START)
    speed = largest(v0, I.nv) + 1e-3
    rounding = 1e-14 * largest(q, I.nq) / h  # c and thus Λ and v cannot be known better than places are
    tolerance = max(closing(S, h), min(rounding * h, S.tolerance))
    last = math.inf
    best = math.inf
    stalled = 0
    for _ in range(ITERATIONS):
        place(I, S, h, theta, v0, v)
        copy(q, q1, I.nq)
        S.time = t0 + h
        lift(I, S)
        now = 0.0
        if I.nr > 0:
            now = end_gap(I, S)
            if now < 0.7 * best:
                best = now
                stalled = 0
            elif now > tolerance:
                stalled += 1
            if math.isinf(now) or stalled > 6:
                return 1
            correct_impulse(I, S, h * theta)
        average(I, S)
        S.time = t0 + 0.5 * h
        if I.has_damping != 0:
            # Forces at the middle of the step are those of its middle velocity.
            copy(v, v1, I.nv)
            for i in range(I.nv):
                v[i] = (1.0 - theta) * v0[i] + theta * v1[i]
        push_at_middle(I, S, 1 if I.nr > 0 and now > 0.2 * last else 0)
        if I.has_damping != 0:
            copy(v1, v, I.nv)
        change = momentum(I, S, h, v0, v, vels(I, S, Vel.KICK))
        copy(q1, q, I.nq)
        if now < tolerance and change < 1e-10 * (speed + largest(v, I.nv)) + rounding:
            return 0
        last = now
    return 1


@compiled
def energy_momentum_step(I: Index, S: Scalars, h: float, theta: float) -> int:
    """One step from a prepared state (factor of J₀); 1 when it does not converge. Leaves nothing ready."""
    if I.mass_varies != 0:
        return 1
    t0 = S.time
    begin(I, S, h)
    failed = iterate(I, S, h, theta, t0)
    S.time = t0 + h
    S.ready = 0.0
    return failed
