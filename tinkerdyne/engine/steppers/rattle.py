"""RATTLE: kick – drift – kick with the constraints kept at both ends of the step; symplectic, reversible
(docs/design.md, Stepping).

    v₊ = v + h/2 W Q − W J₀ᵀΛ;  q₁ = drift(q, v₊, h);  Λ such that c(q₁, t₁) = r(t₁);
    v₁ = v₊ + h/2 W Q₁ − W J₁ᵀμ;  μ such that ċ₁ = ṙ(t₁).
LD98's displacement step with J at the old position, iterated, is this scheme. A₀ = J₀ W J₀ᵀ, factored once a
step, serves as the Newton matrix; Λ starts from the last μ (extrapolation is dangerous).
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, call, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import MOTION, VALUE, blocks, compose, forces, kinetic, lift, masses, power
from tinkerdyne.engine.exact import exact_solve, note_residual
from tinkerdyne.engine.kkt import assemble, factor, is_factored, solve
from tinkerdyne.engine.product import add_WJt, times_J, times_W
from tinkerdyne.engine.records import Constraint, Index, ObjectKernels, Row, Scalars, Vel
from tinkerdyne.engine.steppers.damping import damped_kick, is_stiff
from tinkerdyne.engine.steppers.motion import closing, copy, gather, largest, reference, rows, vels
from tinkerdyne.engine.yielding import clear_rows, pull_yielding

# relative; Λ and μ are iterated on the true residual, so ε changes convergence, not the answer
EPSILON = 1e-8
# Near a singular configuration (a taut chain) a tiny residual along the nearly dependent rows would ask for
# enormous multipliers. There ε is raised, and what Newton cannot remove is let stand while it is below LOOSE
# tolerances.
SOFT_EPSILON, LOOSE = 1e-6, 50.0
NEWTON = 20
OBSERVED = 0.5  # in Scalars.ready
FINEST = 1e-12  # m/s: a residual that is worth a look
STILL = 1e-9  # an approach that has come to rest [SI, 1/s]
ROUNDING = 1e-14  # of the largest coordinate: gaps cannot be known better
SLOW = 0.1  # of the last residual: ε may be what holds Newton up, where light parts carry heavy ones, …
HELD_UP = 0.1  # … and is, where it leaves this share of what is left


@compiled
def epsilon(S: Scalars) -> float:
    """ε of the present regime."""
    return SOFT_EPSILON if S.soft > 0.0 else EPSILON


@compiled
def observe(I: Index, S: Scalars) -> None:
    """J, forces and energies of the present state, unless the last step left them."""
    if S.ready != 0.0:
        return
    S.led = 0.0
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)
    if is_factored(I, S, epsilon(S)) == 0:
        compose(I, S)
    S.energy = forces(I, S)
    if S.yielding > 0.0:
        pull_yielding(I, S, rows(I, S, Row.TRY))
    S.power = power(I, S)
    S.kinetic = kinetic(I, S)
    S.ready = OBSERVED


@compiled
def prepare(I: Index, S: Scalars) -> None:
    """The same, and the factor."""
    if S.ready == 1.0:
        return
    observe(I, S)
    if is_factored(I, S, epsilon(S)) == 0:
        assemble(I, S)
        factor(I, S, epsilon(S))
    S.ready = 1.0


@compiled
def drift(I: Index, S: Scalars, h: float) -> None:
    """Free motion over h from (Q0, V0) into (Q, V): a type's own drift, or q + h v."""
    S.step = h
    for b in range(I.n_object_batches):
        row = ObjectKernels.of(I, b)
        if row.drift != 0:
            call(row.drift, row.n, at(I, row.offsets), S)
        else:
            q = row.q
            v = row.v
            q0 = I.q0 + q - I.q
            v0 = I.v0 + v - I.v
            for k in range(row.n * row.nq):
                S[q + k] = S[q0 + k] + h * S[v0 + k]
                S[v + k] = S[v0 + k]


@compiled
def keep_multipliers(I: Index, S: Scalars, mu: Floats) -> None:
    """Store μ in the constraints' own memory, where edits and saved scenes find it."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            S[C.memory + i] = mu[C.row + i]


@compiled
def scale_multipliers(I: Index, S: Scalars, factor_: float) -> None:
    """μ is an impulse over half a step: it scales with the step's length."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            S[C.memory + i] *= factor_


@compiled
def recall_multipliers(I: Index, S: Scalars, lam: Floats, factor_: float) -> None:
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            lam[C.row + i] = factor_ * S[C.memory + i]


@inlined
def first_kick(I: Index, S: Scalars, h: float) -> None:
    """v₊ = v + h/2 W Q − W J₀ᵀΛ with Λ from the last step; where damping is stiff, by the implicit kick, in
    which the constraints' impulse is contained."""
    NV = I.nv
    v = at(S, I.v)
    vp = at(S, I.v0)
    kick = vels(I, S, Vel.KICK)
    lam = rows(I, S, Row.LAMBDA)
    S.driven = 0.0
    if I.has_damping != 0 and is_stiff(I, S, 0.5 * h) != 0:
        # Together with the constraints, which it may need to know how much there is to slow down.
        S.driven = 2.0
        reference(I, S, S.time, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
        copy(v, kick, NV)
        blocks(I, S, MOTION)  # ċ of v again
        damped_kick(I, S, 0.5 * h)
        copy(v, vp, NV)
        copy(kick, v, NV)
        for i in range(I.nr):
            lam[i] = 0.0
    else:
        times_W(I, S, at(S, I.force), kick)
        for i in range(NV):
            vp[i] = v[i] + 0.5 * h * kick[i]
        recall_multipliers(I, S, lam, 1.0)
        add_WJt(I, S, lam, vp, -1.0)


@inlined
def position_gap(I: Index, S: Scalars) -> float:
    """max |c(q₁, t₁) − r(t₁)|, the residual in Row.RES."""
    res = rows(I, S, Row.RES)
    r = rows(I, S, Row.REF)
    blocks(I, S, VALUE)
    gather(I, S, 0, res)
    for i in range(I.nr):
        res[i] -= r[i]
    if S.yielding > 0.0:
        clear_rows(I, S, res)
    return largest(res, I.nr)


@inlined
def correct_impulse(I: Index, S: Scalars, h: float, is_slow: int) -> None:
    """Λ += A₀⁻¹ (c − r)/h, and v₊ with it; where Newton is slow, with all digits that A₀ has."""
    NR = I.nr
    lam = rows(I, S, Row.LAMBDA)
    delta = rows(I, S, Row.DELTA)
    res = rows(I, S, Row.RES)
    for i in range(NR):
        res[i] /= h
    if is_slow != 0:
        exact_solve(I, S, res, delta)
    else:
        solve(I, S, res, delta)
    most = 0.0
    change = 0.0
    for i in range(NR):
        most = max(most, math.fabs(lam[i]))
        change = max(change, math.fabs(delta[i]))
        lam[i] += delta[i]
    add_WJt(I, S, delta, at(S, I.v0), -1.0)
    S.count_newton += 1.0
    if change > S.unsteady * most:
        S.unsteady = change / most if most > 0.0 else 0.0


@inlined
def is_held_up(I: Index, S: Scalars, h: float, now: float) -> int:
    """Whether ε is why Newton is slow, not the bend of the constraints: (A + εD) δ = b leaves b − A δ = εD δ,
    and h times that in the gap `now`."""
    if S.replaced > 0.0:
        return 1
    scale = at(S, I.scale)
    delta = rows(I, S, Row.DELTA)
    left = 0.0
    for i in range(I.nr):
        left = max(left, scale[i] * math.fabs(delta[i]))
    return 1 if epsilon(S) * h * left > HELD_UP * now else 0


@inlined
def drift_onto_constraints(I: Index, S: Scalars, h: float) -> int:
    """Newton on Λ: q₁ = drift(q, v₊, h) with c(q₁, t₁) = r(t₁); 1 when it fails."""
    tolerance = closing(S, h)
    S.unsteady = 0.0
    last = math.inf
    for k in range(NEWTON):
        drift(I, S, h)
        lift(I, S)
        if I.nr == 0:
            return 0
        now = position_gap(I, S)
        S.gap = now
        if now < tolerance:
            return 0
        if now > 0.5 * last and S.soft > 0.0 and now < LOOSE * tolerance:
            return 0
        if now > 0.5 * last and now < S.tolerance and now < ROUNDING * largest(at(S, I.q), I.nq):
            return 0
        if now > 2.0 * last or math.isinf(now) or (k > 8 and now > 0.7 * last):
            return 1
        is_slow = is_held_up(I, S, h, now) if now > SLOW * last else 0
        last = now
        correct_impulse(I, S, h, is_slow)
    return 1


@inlined
def second_kick(I: Index, S: Scalars, h: float) -> None:
    """v₁ = v₊ + h/2 W Q₁ − W J₁ᵀμ at the new position, with ċ₁ = ṙ(t₁)."""
    v = at(S, I.v)
    kick = vels(I, S, Vel.KICK)
    blocks(I, S, MOTION)
    kept = is_factored(I, S, epsilon(S))
    if kept == 0:
        compose(I, S)
        if I.mass_varies != 0:
            masses(I, S)
        assemble(I, S)
    S.energy = forces(I, S)
    if S.yielding > 0.0:
        pull_yielding(I, S, rows(I, S, Row.TRY))
    if kept == 0:
        factor(I, S, epsilon(S))
    times_W(I, S, at(S, I.force), kick)
    if I.has_damping != 0:
        damped_kick(I, S, 0.5 * h)
    else:
        for i in range(I.nv):
            v[i] += 0.5 * h * kick[i]
            kick[i] *= 0.5 * h
        finish_velocity(I, S, kick, rows(I, S, Row.REF1))
    if S.wants_tangent == 0.0:
        keep_multipliers(I, S, rows(I, S, Row.MU))


@inlined
def is_driven(I: Index, S: Scalars) -> int:
    """Whether constraints move by themselves, and so do work."""
    if I.moves != 0:
        return 1
    return 1 if largest(rows(I, S, Row.REF1), I.nr) > STILL else 0


@inlined
def note_led(I: Index, S: Scalars, v: Floats) -> None:
    """J v at an end of the step, into Row.LED: 0 where a constraint stands still, else its own motion."""
    times_J(I, S, v, rows(I, S, Row.LED))
    if S.yielding > 0.0:
        clear_rows(I, S, rows(I, S, Row.LED))


@inlined
def work_of(I: Index, S: Scalars, lam: Floats) -> float:
    """−λᵀ J v: the work of an impulse −Jᵀλ on constraints that move by themselves."""
    led = rows(I, S, Row.LED)
    work = 0.0
    for i in range(I.nr):
        work -= lam[i] * led[i]
    return work


@compiled
def rattle_step(I: Index, S: Scalars, h: float) -> int:
    """One step from a prepared state; 1 when Newton fails, and then only q, v and t need restoring (Vel.SAVE,
    Q0)."""
    t1 = S.time + h
    copy(at(S, I.q), at(S, I.q0), I.nq)
    was_led = 1 if S.driven > 0.0 or I.moves != 0 else 0
    if was_led != 0 and S.led == 0.0:
        note_led(I, S, at(S, I.v))
    first_kick(I, S, h)
    S.time = t1
    reference(I, S, t1, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    S.driven = max(S.driven, 1.0) if is_driven(I, S) != 0 else 0.0
    if drift_onto_constraints(I, S, h) != 0:
        return 1
    work = 0.0
    if was_led != 0:
        work = work_of(I, S, rows(I, S, Row.LAMBDA))
    second_kick(I, S, h)
    if S.wants_tangent != 0.0:
        return 1
    if S.driven > 0.0:
        note_led(I, S, at(S, I.v))
        more = work_of(I, S, rows(I, S, Row.MU))
        S.loose = 0.5 * math.fabs(more - work)
        work += more
        S.led = 1.0
    p0 = S.power
    S.power = power(I, S)
    # Without damping the powers at hand are those of the drift's velocity v₊, and their work is exact where
    # the force is constant.
    S.nonconserved = work + (h * S.power if I.has_damping == 0 else 0.5 * h * (p0 + S.power))
    S.kinetic = kinetic(I, S)
    return 0


@compiled
def finish_velocity(I: Index, S: Scalars, kick: Floats, r1: Floats) -> None:
    """μ = A⁻¹(ċ − ṙ), v −= W Jᵀ μ, where ċ was evaluated before `kick` was added to v."""
    NR = I.nr
    if NR == 0:
        return
    res = rows(I, S, Row.RES)
    work = rows(I, S, Row.WORK)
    gather(I, S, 1, res)
    times_J(I, S, kick, work)
    for i in range(NR):
        res[i] += work[i] - r1[i]
    mu = rows(I, S, Row.MU)
    left = exact_solve(I, S, res, mu)
    add_WJt(I, S, mu, at(S, I.v), -1.0)
    if left > FINEST:
        note_residual(I, S, left, largest(res, NR), mu, at(S, I.v))
