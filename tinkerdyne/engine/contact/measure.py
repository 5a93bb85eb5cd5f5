"""What an answer of an island is worth: its residual, the energy it gains, and the best one so far.

Every answer is r and λ; its velocities are v = v_free + M⁻¹(Hᵀr + Jᵀλ), so that momentum is kept whatever it
is worth. A contact's residual is |r − P(r − m ũ)|/m with ũ = u + μ|u_t| n, in m/s, where P is the nearest in
the cone of friction and m the mass that the contact meets; that of a joint is |J v − target|, or likewise
with the bounds of λ (engine.contact.bounds).
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.bounds import row_residual
from tinkerdyne.engine.contact.cone import project_friction
from tinkerdyne.engine.contact.problem import Body, Contact, Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.product import (
    add_block,
    add_joint_forces,
    body_at,
    contact_at,
    copy_vector,
    dot_row,
    joint_at,
    push,
    rate,
    set_vector,
)
from tinkerdyne.engine.contact.step import joint_lacks
from tinkerdyne.engine.contact.turning import measure_turn


@compiled
def measure(P: Problem, X: Floats, island: Island) -> float:
    """The residual of r and λ; v goes to `trial`, u and residuals to the contacts."""
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
    if point.arm > 0.0:
        return measure_turn(P, X, contact)
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
            if P.n_bounded != 0:
                lack = row_residual(P, X, i, X[P.row_work + i])
            if not (lack <= worst):
                worst = lack
    return worst if worst == worst else math.inf


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


@inlined
def put_back(P: Problem, X: Floats, island: Island) -> None:
    """r and λ as they were kept in `best` and `best_lam`."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        best, r = point.best, point.r
        r[0], r[1], r[2] = best[0], best[1], best[2]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.lam + i] = X[P.best_lam + i]


@compiled
def restore(P: Problem, X: Floats, island: Island) -> None:
    """r and λ of the best answer, measured."""
    put_back(P, X, island)
    IslandValues(at(X, island.values)).residual = measure(P, X, island)
    copy_vector(P, island, at(X, P.trial), at(X, P.v))


@compiled
def speed_of(P: Problem, X: Floats, island: Island) -> float:
    """The fastest contact point of a body of the island before the step."""
    v, fastest = at(X, P.v), 0.0
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        if contact.turn != 0:
            continue
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
