"""The contact solver: island by island the last impulses as they are, a Newton method from them, or an interior
point and a Newton finish; what is left open is measured and told.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.cone import project_friction
from tinkerdyne.engine.contact.interior import hold_shifts, iterate, joint_lacks, start_cold, start_warm
from tinkerdyne.engine.contact.newton import newton_step
from tinkerdyne.engine.contact.problem import Body, Contact, Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.product import (
    add_block,
    add_joint_forces,
    body_at,
    contact_at,
    copy_vector,
    dot_row,
    invert_masses,
    joint_at,
    push,
    rate,
    set_vector,
    weigh,
)

RESTING, MOVING = 1e-9, 5e-5  # m/s, the residuals that are asked
SLOW = 5e-3  # m/s: an island rests in which no contact point moves faster
NEWTON_BELOW = 5e-5  # m/s, a residual from which Newton's method finishes
ITERATIONS = 60  # of the interior point, at most
ATTEMPTS, COLD_ATTEMPT, FINISH = 5, 2, 8
RAISED, LEAST_RAISED = 10.0, 1e-6
FIRST_RAISED = 1.0
LOSSLESS = 1e-10  # m/s, a residual that gains no energy
ROUNDING = 1e-9  # of the kinetic energy: a gain that is none
CONVEX_ITERATIONS, CONVEX_CENTRE = 25, 1e-13
CONVEX_ATTEMPTS = 2
RHO = 1.0
LEAST_EPS, MOST_EPS = 1e-7, 1.0
PATIENCE, GAIN = 8, 0.9  # iterations without this gain end it


class Way:
    """How an island was solved."""

    FREE, WARM, NEWTON, INTERIOR, OPEN = range(5)


@entry("IF")
def contact_solve(P: Problem, X: Floats) -> int:
    """Solve all islands; returns how many are left above their tolerance."""
    invert_masses(P, X)
    n = 0
    for k in range(P.n_islands):
        island = Island.of(P, k)
        solve_one(P, X, island)
        values = IslandValues(at(X, island.values))
        if not (values.residual <= values.tolerance):
            n += 1
    return n


# --- what an answer is worth -------------------------------------------------------------------------------


@compiled
def measure(P: Problem, X: Floats, island: Island) -> float:
    """The residual of r and λ:  v = v_free + M⁻¹(Hᵀr + Jᵀλ) goes to `trial`, u and residuals to the contacts.

    A contact's residual is |r − P(r − m ũ)|/m with ũ = u + μ|u_t| n, in m/s; that of a joint |J v − target|."""
    trial, force = at(X, P.trial), at(X, P.defect)
    set_vector(P, island, force, 0.0)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        r = Point(at(X, contact.point)).r
        push(P, X, contact, r[0], r[1], r[2], force)
    add_joint_forces(P, X, island, at(X, P.lam), force)
    copy_vector(P, island, at(X, P.v_free), trial)
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        add_block(at(X, body.W), body, at(force, body.dof), 1.0, at(trial, body.dof))
    worst = 0.0
    island.worst = -1
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        residual = measure_contact(P, X, contact, trial)
        if not (residual <= worst):
            worst, island.worst = residual, P[P.contact_list + s]
    return joint_residual(P, X, island, worst)


@inlined
def measure_contact(P: Problem, X: Floats, contact: Contact, v: Floats) -> float:
    """u and the residual of one contact."""
    point = Point(at(X, contact.point))
    mu, m, b, r, u = point.mu, point.mass, point.b, point.r, point.u
    n, t1, t2 = rate(P, X, contact, v)
    n, t1, t2 = n + b[0], t1 + b[1], t2 + b[2]
    u[0], u[1], u[2] = n, t1, t2
    slip = mu * math.sqrt(t1 * t1 + t2 * t2)
    p0, p1, p2 = project_friction(mu, r[0] - m * (n + slip), r[1] - m * t1, r[2] - m * t2)
    p0, p1, p2 = r[0] - p0, r[1] - p1, r[2] - p2
    point.residual = math.sqrt(p0 * p0 + p1 * p1 + p2 * p2) / m if m > 0.0 else 0.0
    return float(point.residual)


@inlined
def joint_residual(P: Problem, X: Floats, island: Island, worst: float) -> float:
    """The larger of a residual and what the joints lack; infinity where something is no number."""
    joint_lacks(P, X, island, at(X, P.trial), at(X, P.target), at(X, P.row_work))
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            lack = math.fabs(X[P.row_work + i])
            if not (lack <= worst):
                worst = lack
    return worst if worst == worst else math.inf


@compiled
def kinetic_energy(P: Problem, X: Floats, island: Island) -> float:
    """½ v_freeᵀ M v_free."""
    v, total = at(X, P.v_free), 0.0
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for a in range(body.rows):
            row = at(X, body.M + a * body.width)
            total += 0.5 * v[body.dof + a] * dot_row(row, at(v, body.dof), body.width)
    return total


@compiled
def energy_gained(P: Problem, X: Floats, island: Island) -> float:
    """E(v) − E(v_free) + Σ b·r − λ·target,  which is Σ r·u − ½|v − v_free|² and so never positive."""
    v, v_free, change = at(X, P.v), at(X, P.v_free), at(X, P.dv)
    total = 0.0
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            change[i] = v[i] + v_free[i]
        for a in range(body.rows):
            i = body.dof + a
            row = at(X, body.M + a * body.width)
            total += 0.5 * (v[i] - v_free[i]) * dot_row(row, at(change, body.dof), body.width)
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        b, r = point.b, point.r
        total += b[0] * r[0] + b[1] * r[1] + b[2] * r[2]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            total -= X[P.lam + i] * X[P.target + i]
    return total


# --- the best answer so far --------------------------------------------------------------------------------


@compiled
def judge(P: Problem, X: Floats, island: Island) -> float:
    """Measure, and keep the answer if it is the best; returns its residual."""
    values = IslandValues(at(X, island.values))
    residual = measure(P, X, island)
    if residual < values.best or values.best < 0.0:
        values.best = residual
        for s in range(island.contact, island.contact_end):
            point = Point(at(X, contact_at(P, s).point))
            best, r = point.best, point.r
            best[0], best[1], best[2] = r[0], r[1], r[2]
        for s in range(island.joint, island.joint_end):
            joint = joint_at(P, s)
            for i in range(joint.row, joint.row + joint.rows):
                X[P.best_lam + i] = X[P.lam + i]
    return residual


@compiled
def restore(P: Problem, X: Floats, island: Island) -> None:
    """r and λ of the best answer, measured."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        best, r = point.best, point.r
        r[0], r[1], r[2] = best[0], best[1], best[2]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.lam + i] = X[P.best_lam + i]
    IslandValues(at(X, island.values)).residual = measure(P, X, island)
    copy_vector(P, island, at(X, P.trial), at(X, P.v))


# --- one island --------------------------------------------------------------------------------------------


@compiled
def speed_of(P: Problem, X: Floats, island: Island) -> float:
    """The fastest contact point of a body of the island before the step."""
    v, fastest = at(X, P.v), 0.0
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        fastest = max(fastest, point_speed(P, X, contact.a, contact.Ha, v))
        fastest = max(fastest, point_speed(P, X, contact.b, contact.Hb, v))
    return fastest


@inlined
def point_speed(P: Problem, X: Floats, k: int, H: int, v: Floats) -> float:
    """How fast the contact point of one body is."""
    if k < 0:
        return 0.0
    body = Body.of(P, k)
    w, mine = body.width, at(v, body.dof)
    n, t1, t2 = dot_row(at(X, H), mine, w), dot_row(at(X, H + w), mine, w), dot_row(at(X, H + 2 * w), mine, w)
    return math.sqrt(n * n + t1 * t1 + t2 * t2)


@compiled
def solve_one(P: Problem, X: Floats, island: Island) -> None:
    """Solve one island."""
    values = IslandValues(at(X, island.values))
    values.speed = speed_of(P, X, island)
    values.tolerance = RESTING if values.speed < SLOW else MOVING
    values.best = -1.0
    island.factorings, island.way = 0, Way.FREE
    weigh(P, X, island)
    if island.contact < island.contact_end or island.joint < island.joint_end:
        island.way = Way.WARM
        judge(P, X, island)
        if not (values.best <= values.tolerance):
            island.way = Way.NEWTON
            newton(P, X, island, 1e-4, 6 if values.speed < SLOW else 0)
        if not (values.best <= values.tolerance) and island.contact < island.contact_end:
            island.way = Way.INTERIOR
            interior(P, X, island)
    restore(P, X, island)
    values.energy = energy_gained(P, X, island)
    if values.energy > ROUNDING * kinetic_energy(P, X, island) and island.contact < island.contact_end:
        take_gain_away(P, X, island)
    if not (values.residual <= values.tolerance):
        island.way = Way.OPEN


@compiled
def take_gain_away(P: Problem, X: Floats, island: Island) -> None:
    """An answer that gains energy is solved further, for the gain is a residual times an impulse. Where that does
    not help it is given up for the convex one, and where this is not at hand, for a part of its impulses."""
    values = IslandValues(at(X, island.values))
    asked = values.tolerance
    values.tolerance = min(asked, LOSSLESS)
    newton(P, X, island, 1e-4, FINISH)
    values.tolerance = asked
    restore(P, X, island)
    values.energy = energy_gained(P, X, island)
    limit = ROUNDING * kinetic_energy(P, X, island)
    if values.energy > limit:
        convex(P, X, island)
        values.best = -1.0
        judge(P, X, island)
        restore(P, X, island)
        values.energy = energy_gained(P, X, island)
    if values.energy > limit:
        take_part(P, X, island)


@compiled
def take_part(P: Problem, X: Floats, island: Island) -> None:
    """The part s of all impulses with the least energy:  E(s) − E(0) = s A + s² Q,  of which A + Q is known."""
    values = IslandValues(at(X, island.values))
    Q = 0.0
    v, v_free, change = at(X, P.v), at(X, P.v_free), at(X, P.dv)
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            change[i] = v[i] - v_free[i]
        for a in range(body.rows):
            row = at(X, body.M + a * body.width)
            Q += 0.5 * change[body.dof + a] * dot_row(row, at(change, body.dof), body.width)
    A = values.energy - Q
    share = -A / (2.0 * Q) if A < 0.0 and Q > 0.0 else 0.0
    for s in range(island.contact, island.contact_end):
        r = Point(at(X, contact_at(P, s).point)).r
        r[0], r[1], r[2] = share * r[0], share * r[1], share * r[2]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.lam + i] *= share
    values.best = -1.0
    judge(P, X, island)
    restore(P, X, island)
    values.energy = energy_gained(P, X, island)


@compiled
def newton(P: Problem, X: Floats, island: Island, first: float, most: int) -> None:
    """Newton's method from r and λ as they were measured last, with ε by how it goes: less while it gains; where
    it loses twice, back to the best and more."""
    values = IslandValues(at(X, island.values))
    eps, last, worse = first, values.best, 0
    if values.best <= values.tolerance or most == 0:
        return
    restore(P, X, island)
    for _ in range(most):
        newton_step(P, X, island, RHO, eps)
        residual = judge(P, X, island)
        if residual <= values.tolerance:
            break
        if residual < 0.5 * last:
            eps, worse = max(LEAST_EPS, 0.1 * eps), 0
        elif residual < last:
            eps, worse = max(LEAST_EPS, 0.3 * eps), 0
        else:
            worse += 1
            if worse >= 2:
                restore(P, X, island)
                residual = values.residual
                eps, worse = min(MOST_EPS, 30.0 * eps), 0
        last = residual


@compiled
def interior(P: Problem, X: Floats, island: Island) -> None:
    """Interior points from a cold start, and then from the best answer with the shift taken otherwise, each with
    Newton's method at its end."""
    values = IslandValues(at(X, island.values))
    start_warm(P, X, island, FIRST_RAISED * values.best)
    descend(P, X, island, 1.0, NEWTON_BELOW)
    newton(P, X, island, 1e-2, FINISH)
    for k in range(ATTEMPTS):
        if values.best <= values.tolerance:
            return
        restore(P, X, island)
        if k == COLD_ATTEMPT:
            start_cold(P, X, island)
        else:
            start_warm(P, X, island, RAISED * max(values.best, LEAST_RAISED))
        descend(P, X, island, 0.8 if k % 2 == 1 else 1.0, 0.0)
        newton(P, X, island, 1e-2, FINISH)
    for _ in range(CONVEX_ATTEMPTS):
        if not (values.best <= values.tolerance):
            convex(P, X, island)
            newton(P, X, island, 1e-2, FINISH)


@compiled
def convex(P: Problem, X: Floats, island: Island) -> None:
    """The convex problem whose shifts are those of the best answer: what solves it gains no energy."""
    values = IslandValues(at(X, island.values))
    restore(P, X, island)
    start_cold(P, X, island)
    hold_shifts(P, X, island)
    for _ in range(CONVEX_ITERATIONS):
        iterate(P, X, island, 0.0)
        if values.centre < CONVEX_CENTRE:
            break
    take_impulses(P, X, island)
    judge(P, X, island)


@compiled
def descend(P: Problem, X: Floats, island: Island, theta: float, enough: float) -> None:
    """The interior point from where it was started, until it is good, or gains no more."""
    values = IslandValues(at(X, island.values))
    record, waited = math.inf, 0
    for _ in range(ITERATIONS):
        iterate(P, X, island, theta)
        take_impulses(P, X, island)
        residual = judge(P, X, island)
        if residual <= max(values.tolerance, enough):
            return
        waited += 1
        if residual < GAIN * record:
            record, waited = residual, 0
        if waited > PATIENCE or not (residual < math.inf):
            return


@inlined
def take_impulses(P: Problem, X: Floats, island: Island) -> None:
    """r = D r̂."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        mu, r, z = point.mu, point.r, point.z
        r[0], r[1], r[2] = z[0], mu * z[1], mu * z[2]
