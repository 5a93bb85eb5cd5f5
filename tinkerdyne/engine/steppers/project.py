"""Guarded projection of position and velocity onto the constraints (A6), with the Levenberg–Marquardt
fall-back.

Position:  δ = −W Jᵀ (J W Jᵀ + ε)⁻¹ (c − r),  q ← q ⊕ δ, accepted only if the gap falls; else ε grows a
hundredfold. Velocity:  v ← v − W Jᵀ (J W Jᵀ)⁻¹ (ċ − ṙ).
Mass-weighted: the least change of motion, in the sense of kinetic energy.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import (
    MOTION,
    NORMALISE,
    VALUE,
    blocks,
    compose,
    kinetic,
    lift,
    masses,
    rates,
    run_objects,
)
from tinkerdyne.engine.exact import exact_solve
from tinkerdyne.engine.kkt import assemble, factor, solve
from tinkerdyne.engine.product import add_WJt
from tinkerdyne.engine.records import (
    Constraint,
    Flag,
    Hold,
    Index,
    Kind,
    Object,
    Row,
    Scalars,
    StopMemory,
    StopValue,
    Vel,
)
from tinkerdyne.engine.steppers.motion import copy, gap, gather, largest, reference, rows, vels
from tinkerdyne.engine.yielding import clear_rows, count_yielding

# ε relative to the diagonal, as Levenberg and Marquardt's: at the smallest a correction is Newton's, beyond
# the largest nothing moves
SMALLEST, LARGEST = 1e-12, 1e6


@compiled
def retract(I: Index, S: Scalars, delta: Floats) -> None:
    """q ← q ⊕ δ with δ in velocity space: q + D(q) δ, then orientation made a pure rotation again."""
    v = at(S, I.v)
    q = at(S, I.q)
    qdot = at(S, I.qdot)
    saved = vels(I, S, Vel.TRY)
    copy(v, saved, I.nv)
    copy(delta, v, I.nv)
    rates(I, S)
    for i in range(I.nq):
        q[i] += qdot[i]
    run_objects(I, S, NORMALISE)
    copy(saved, v, I.nv)


@compiled
def velocities_from(I: Index, S: Scalars, h: float) -> None:
    """v = Δq/h from the displacement q₀ → q; rotations by the inverse of `retract`, 2 vec(q₀* ⊗ q)/w."""
    qb = I.q
    vb = I.v
    q = at(S, qb)
    v = at(S, vb)
    q0 = at(S, I.q0)
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & Flag.FIXED != 0:
            continue
        a = T.q - qb
        b = T.v - vb
        n = 3 if T.flags & Flag.RIGID != 0 else T.nv
        for i in range(n):
            v[b + i] = (q[a + i] - q0[a + i]) / h
        if T.flags & Flag.RIGID != 0:
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


@inlined
def linearise(I: Index, S: Scalars) -> None:
    """J, masses and A at the present q, and c − r in Row.RES."""
    c = rows(I, S, Row.RES)
    r = rows(I, S, Row.REF)
    blocks(I, S, MOTION)
    compose(I, S)
    if I.mass_varies != 0:
        masses(I, S)
    assemble(I, S)
    gather(I, S, 0, c)
    for i in range(I.nr):
        c[i] -= r[i]


@compiled
def project_position(I: Index, S: Scalars, tolerance: float, limit: int, reach: float) -> float:
    """Move q onto c = r(t) at the present time, no coordinate by more than `reach`; returns the gap that is
    left.

    Leaves the lifts of the new q.
    """
    NQ = I.nq
    lift(I, S)
    if I.nr == 0:
        return 0.0
    blocks(I, S, VALUE)
    now = gap(I, S)
    epsilon = SMALLEST
    q = at(S, I.q)
    kept = at(S, I.position_vectors)
    c = rows(I, S, Row.RES)
    lam = rows(I, S, Row.DELTA)
    delta = vels(I, S, Vel.WORK)
    fresh = 0
    for k in range(limit):
        if now <= tolerance:
            break
        if fresh == 0:
            linearise(I, S)
            fresh = 1
        factor(I, S, epsilon)
        solve(I, S, c, lam)
        for i in range(I.nv):
            delta[i] = 0.0
        add_WJt(I, S, lam, delta, -1.0)
        far = largest(delta, I.nv)
        copy(q, kept, NQ)
        retract(I, S, delta)
        lift(I, S)
        blocks(I, S, VALUE)
        then = gap(I, S)
        if then < now and far <= reach:
            reach -= far
            if k > 0 or then > 0.1 * now:
                S.count_lm += 1.0
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
    S.ready = 0.0
    return now


@compiled
def project_velocity(I: Index, S: Scalars, epsilon: float) -> None:
    """Make ċ = ṙ at the present q; J, A and factor are those of q afterwards."""
    NR = I.nr
    if NR == 0:
        return
    lift(I, S)
    blocks(I, S, MOTION)
    compose(I, S)
    if I.mass_varies != 0:
        masses(I, S)
    assemble(I, S)
    factor(I, S, epsilon)
    correct_velocity(I, S)


@compiled
def project_velocity_within_reach(I: Index, S: Scalars, epsilon: float) -> None:
    """The same, unless it is a blow: near a singular pose rows that cannot all be met ask for enormous
    velocities. Then v stays as it is.

    A projection by which ċ changes by d adds a velocity with the energy ½ dᵀA⁻¹d, which rows that can be met
    find in n objects of the rows' own masses 1/A_ii."""
    v = at(S, I.v)
    free = vels(I, S, Vel.UNSETTLED)
    copy(v, free, I.nv)
    before = kinetic(I, S)
    project_velocity(I, S, epsilon)
    d = rows(I, S, Row.RES)
    if S.yielding > 0.0:
        clear_rows(I, S, d)
    scale = at(S, I.scale)
    asked = 0.0
    for i in range(I.nr):
        if scale[i] > 0.0:
            asked += 0.5 * d[i] * d[i] / scale[i]
    most = math.sqrt(before) + math.sqrt(I.n_objects * asked)
    if not (kinetic(I, S) <= most * most + TINY):
        copy(free, v, I.nv)


@compiled
def correct_velocity(I: Index, S: Scalars) -> None:
    """v −= W Jᵀ μ with the factor at hand; ċ of the records must belong to v."""
    NR = I.nr
    res = rows(I, S, Row.RES)
    mu = rows(I, S, Row.MU)
    reference(I, S, S.time, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    gather(I, S, 1, res)
    r1 = rows(I, S, Row.REF1)
    for i in range(NR):
        res[i] -= r1[i]
    exact_solve(I, S, res, mu)
    add_WJt(I, S, mu, at(S, I.v), -1.0)


TINY = 1e-300  # J
TOUCHED = 1e-9  # a stop is touched within this [SI]


@entry("IF")
def strike(I: Index, S: Scalars) -> int:
    """After a blow to v: the constraints' impulses bring ċ back to ṙ; they are in Row.MU.

    Stops that are touched push, none pulls."""
    masses(I, S)
    mu = rows(I, S, Row.MU)
    blow = vels(I, S, Vel.START)
    copy(at(S, I.v), blow, I.nv)
    for _ in range(8):
        for i in range(I.nr):
            mu[i] = 0.0
        copy(blow, at(S, I.v), I.nv)
        project_velocity(I, S, 1e-12)
        blocks(I, S, MOTION)
        changed = 0
        for c in range(I.n_constraints):
            C = Constraint.of(I, c)
            mem = StopMemory(at(S, C.memory))
            now = StopValue(at(S, C.record))
            if C.kind == Kind.STOP and mem.hold == Hold.EXACT and mu[C.row] > 0.0:
                mem.hold = Hold.OPEN
                mu[C.row] = 0.0
                changed = 1
            elif C.kind == Kind.STOP and mem.hold == Hold.OPEN and now.c <= TOUCHED and now.rate < -TOUCHED:
                mem.hold = Hold.EXACT
                changed = 1
        if changed == 0:
            break
        count_yielding(I, S)
    if S.yielding > 0.0:
        clear_rows(I, S, mu)
    S.ready = 0.0
    return 0


@entry("IFi")
def project(I: Index, S: Scalars, limit: int) -> int:
    """Project position and velocity of the present state; returns 0 when the tolerance was met."""
    masses(I, S)
    left = project_position(I, S, S.tolerance, limit, math.inf)
    project_velocity(I, S, 1e-12)
    if left <= S.tolerance:
        return 0
    return 1
