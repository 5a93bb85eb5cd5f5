"""One linear step of a contact problem: what is not met yet, and Δv, Δλ, Δr̂ and Δy that meet it.

    M Δv − ĤᵀΔr̂ − JᵀΔλ = force,   J Δv + give Δλ = row defect,   Δr̂ = g − B Ĥ Δv,   Δy = T (Ĥ Δv + gap),

with B and g of each contact from whom it serves, the interior point or Newton's method: a solution with the
factor of M + ĤᵀB Ĥ (and J beside it), and another for what it leaves. Contacts are many, and what is done to
one is done in few passes over all: a pass costs what its numbers cost to fetch.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.cone import note_sizes
from tinkerdyne.engine.contact.factor import solve_island
from tinkerdyne.engine.contact.problem import Contact, Island, Point, Problem
from tinkerdyne.engine.contact.product import (
    add_block,
    add_joint_forces,
    body_at,
    contact_at,
    copy_vector,
    joint_at,
    joint_rates,
    move_vector,
    push,
    rate,
)


@compiled
def set_forces(P: Problem, X: Floats, island: Island) -> None:
    """force = M (v_free − v) + Jᵀλ, to which contacts add theirs, and what joints lack."""
    v, v_free, force = at(X, P.v), at(X, P.v_free), at(X, P.force)
    change = at(X, P.dv)
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            change[i] = v_free[i] - v[i]
            force[i] = 0.0
        add_block(at(X, body.M), body, at(change, body.dof), 1.0, at(force, body.dof))
    add_joint_forces(P, X, island, at(X, P.lam), force)
    joint_lacks(P, X, island, v, at(X, P.target), at(X, P.row_lack))


@inlined
def find_gap(P: Problem, X: Floats, contact: Contact, point: Point) -> None:
    """force += Ĥᵀr̂, and the gaps Ĥv + b̂ − (δ, y_t)."""
    note_sizes(point)
    mu, y, z, gap = point.mu, point.y, point.z, point.gap
    push(P, X, contact, z[0], mu * z[1], mu * z[2], at(X, P.force))
    n, t1, t2 = rate(P, X, contact, at(X, P.v))
    gap[0] = n + point.b[0] - point.delta
    if point.shift >= 0.0:
        gap[0] += point.shift - point.across
    if point.arm > 0.0:
        gap[0] = 0.0
    gap[1], gap[2] = mu * (t1 + point.b[1]) - y[1], mu * (t2 + point.b[2]) - y[2]


@compiled
def joint_lacks(P: Problem, X: Floats, island: Island, v: Floats, wanted: Floats, out: Floats) -> None:
    """wanted − J v."""
    joint_rates(P, X, island, v, out)
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            out[i] = wanted[i] - out[i]


@inlined
def share_of(point: Point, theta: float) -> float:
    """θ of one contact: 0 while its shift is held, or where it has none."""
    return 0.0 if point.held > 0.0 or point.arm > 0.0 else theta


@inlined
def ask(P: Problem, X: Floats, contact: Contact, point: Point) -> None:
    """What a contact asks for: dv += Ĥᵀg. All contacts do so before `solve_step`, from dv = 0."""
    push(P, X, contact, point.g[0], point.mu * point.g[1], point.mu * point.g[2], at(X, P.dv))


@compiled
def solve_step(P: Problem, X: Floats, island: Island) -> None:
    """Δv and Δλ, from what the contacts ask for, the force and what the joints lack."""
    dv, dlam = at(X, P.dv), at(X, P.dlam)
    move_vector(P, island, at(X, P.force), 1.0, dv)
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            dlam[i] = X[P.row_defect + i]
    solve_island(P, X, island, dv, dlam)
    negate_rows(P, island, dlam)


@inlined
def respond(point: Point, n: float, t1: float, t2: float) -> None:
    """Δy = ĤΔv and Δr̂ = −B ĤΔv."""
    B, dy, dz = point.B, point.dy, point.dz
    dy[0], dy[1], dy[2] = n, t1, t2
    dz[0] = -(B[0] * n + B[1] * t1 + B[2] * t2)
    dz[1] = -(B[3] * n + B[4] * t1 + B[5] * t2)
    dz[2] = -(B[6] * n + B[7] * t1 + B[8] * t2)


@inlined
def answer(P: Problem, X: Floats, contact: Contact, point: Point) -> None:
    """Δr̂ and Δy of one contact, the latter without T."""
    dy, dz, g, gap = point.dy, point.dz, point.g, point.gap
    n, t1, t2 = rate(P, X, contact, at(X, P.dv))
    respond(point, n, point.mu * t1, point.mu * t2)
    dz[0], dz[1], dz[2] = dz[0] + g[0], dz[1] + g[1], dz[2] + g[2]
    dy[0], dy[1], dy[2] = dy[0] + gap[0] + point.curve, dy[1] + gap[1], dy[2] + gap[2]


@inlined
def answer_more(P: Problem, X: Floats, contact: Contact, point: Point) -> None:
    """Δr̂ and Δy of one contact after `refine`."""
    dy, dz = point.dy, point.dz
    y0, y1, y2, z0, z1, z2 = dy[0], dy[1], dy[2], dz[0], dz[1], dz[2]
    n, t1, t2 = rate(P, X, contact, at(X, P.defect))
    respond(point, n, point.mu * t1, point.mu * t2)
    dy[0], dy[1], dy[2] = dy[0] + y0, dy[1] + y1, dy[2] + y2
    dz[0], dz[1], dz[2] = dz[0] + z0, dz[1] + z1, dz[2] + z2


@inlined
def negate_rows(P: Problem, island: Island, x: Floats) -> None:
    """The matrix has −λ as its unknown."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            x[i] = -x[i]


@compiled
def refine(P: Problem, X: Floats, island: Island) -> None:
    """Solve again for what the step leaves of  M Δv − ĤᵀΔr̂ − JᵀΔλ = force,  J Δv + give Δλ = row defect."""
    dv, dlam, defect = at(X, P.dv), at(X, P.dlam), at(X, P.defect)
    copy_vector(P, island, at(X, P.force), defect)
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        add_block(at(X, body.M), body, at(dv, body.dof), -1.0, at(defect, body.dof))
    add_joint_forces(P, X, island, dlam, defect)
    joint_lacks(P, X, island, dv, at(X, P.row_defect), at(X, P.row_work))
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.row_work + i] -= X[P.give + i] * dlam[i]
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        answer(P, X, contact, point)
        push(P, X, contact, point.dz[0], point.mu * point.dz[1], point.mu * point.dz[2], defect)
    more = at(X, P.row_work)
    solve_island(P, X, island, defect, more)
    negate_rows(P, island, more)
    move_vector(P, island, defect, 1.0, dv)
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            dlam[i] += more[i]
