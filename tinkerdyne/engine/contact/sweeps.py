"""Where bodies go in a first look: no solution, but sweeps over the contacts that stop what approaches.

What touched before goes on as it was, and what did not falls freely; then each contact in turn stops its own
approach, and as much of its slip as its friction can. It shows what comes into the way, and costs less than
two factorings of an interior point's ten.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Body, Contact, Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.product import add_block, add_rows, body_at, contact_at, mobility, rate

SWEEPS = 5


@compiled
def guess(P: Problem, X: Floats, island: Island) -> None:
    """Velocities and impulses of an island, near what a solution would be."""
    values = IslandValues(at(X, island.values))
    go_on(P, X, island)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        for i in range(3):
            w = row_mobility(P, X, contact, i)
            point.y[i] = 1.0 / w if w > 0.0 else 0.0
            point.z[i] = 0.0
    for _ in range(SWEEPS):
        for s in range(island.contact, island.contact_end):
            stop(P, X, contact_at(P, s))
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        u, b, r, z = point.u, point.b, point.r, point.z
        n, t1, t2 = rate(P, X, contact, at(X, P.v))
        u[0], u[1], u[2] = n + b[0], t1 + b[1], t2 + b[2]
        r[0], r[1], r[2] = r[0] + z[0], r[1] + z[1], r[2] + z[2]
    values.residual, values.energy = math.inf, 0.0
    island.worst = -1


@inlined
def go_on(P: Problem, X: Floats, island: Island) -> None:
    """What touched before keeps its velocity; what did not has v_free."""
    for s in range(island.body, island.body_end):
        body_at(P, s).mark = 0
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        if Point(at(X, contact.point)).r[0] > 0.0:
            if contact.a >= 0:
                Body.of(P, contact.a).mark = 1
            if contact.b >= 0:
                Body.of(P, contact.b).mark = 1
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        if body.mark == 0:
            for i in range(body.dof, body.dof + body.width):
                X[P.v + i] = X[P.v_free + i]


@inlined
def row_mobility(P: Problem, X: Floats, contact: Contact, row: int) -> float:
    """H W Hᵀ of one row of a contact."""
    w = 0.0
    if contact.a >= 0:
        w += mobility(P, X, contact.a, at(X, contact.Ha + row * Body.of(P, contact.a).width))
    if contact.b >= 0:
        w += mobility(P, X, contact.b, at(X, contact.Hb + row * Body.of(P, contact.b).width))
    return w


@inlined
def stop(P: Problem, X: Floats, contact: Contact) -> None:
    """The impulse of one contact that stops its approach, and its slip within its cone."""
    point = Point(at(X, contact.point))
    mass, z, b = point.y, point.z, point.b
    n, t1, t2 = rate(P, X, contact, at(X, P.v))
    p0 = max(0.0, z[0] - mass[0] * (n + b[0]))
    p1, p2 = z[1] - mass[1] * (t1 + b[1]), z[2] - mass[2] * (t2 + b[2])
    size, most = math.sqrt(p1 * p1 + p2 * p2), point.mu * p0
    if size > most:
        p1, p2 = p1 * most / size, p2 * most / size
    d0, d1, d2 = p0 - z[0], p1 - z[1], p2 - z[2]
    if d0 == 0.0 and d1 == 0.0 and d2 == 0.0:
        return
    z[0], z[1], z[2] = p0, p1, p2
    if contact.a >= 0:
        give(P, X, contact.a, at(X, contact.Ha), d0, d1, d2)
    if contact.b >= 0:
        give(P, X, contact.b, at(X, contact.Hb), d0, d1, d2)


@inlined
def give(P: Problem, X: Floats, k: int, H: Floats, n: float, t1: float, t2: float) -> None:
    """v += W Hᵀ (n, t1, t2) of one body."""
    body = Body.of(P, k)
    f = at(X, P.force + body.dof)
    for i in range(body.width):
        f[i] = 0.0
    add_rows(H, n, t1, t2, f, body.width)
    add_block(at(X, body.W), body, f, 1.0, at(X, P.v + body.dof))
