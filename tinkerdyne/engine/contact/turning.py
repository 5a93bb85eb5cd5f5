"""Rolling and spinning friction: moments at a contact, bounded by an arm times its normal impulse.

    |m| ≤ ρ r_n,   m = −ρ r_n ω/|ω| where it turns,   ω the relative spin across the normal (rolling) or along
    it (spinning) of two bodies, ρ an arm [m].

Such a turn stands among the contacts of a problem, behind those of points, with three rows of which the first
is 0. Its cone is one whose axis is given: (ρ r_n, m) ∈ L. In the interior point the height of the dual side,
s ≥ |ω|, is an unknown of its own; it is eliminated here, and ρ r_n follows the contact from one iteration to
the next, for the moments hardly act on the force that bounds them.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Contact, Island, Point, Problem
from tinkerdyne.engine.contact.product import contact_at

NEARLY = 0.9  # of the radius: moments begin inside of it
ROLLS, SPINS = 1, 2


@inlined
def radius_of(P: Problem, X: Floats, contact: Contact) -> float:
    """ρ r_n by the impulses that are measured."""
    r = Point(at(X, Contact.of(P, contact.master).point)).r
    return Point(at(X, contact.point)).arm * max(0.0, r[0])


@compiled
def measure_turn(P: Problem, X: Floats, contact: Contact) -> float:
    """|m − P(m − I ω)| / I, with P into the disc; ω stands in u."""
    point = Point(at(X, contact.point))
    r, u, mass = point.r, point.u, point.mass
    q1, q2 = r[1] - mass * u[1], r[2] - mass * u[2]
    point.radius = radius_of(P, X, contact)
    size = math.sqrt(q1 * q1 + q2 * q2)
    share = point.radius / size if size > point.radius else 1.0
    d1, d2 = r[1] - share * q1, r[2] - share * q2
    point.residual = math.sqrt(d1 * d1 + d2 * d2) / mass if mass > 0.0 else 0.0
    return float(point.residual)


@compiled
def linearise_turn(point: Point, R: float, eps: float) -> None:
    """g and B of Newton's step at m = z and ω = y, with the radius as it was measured."""
    y, z, g, B = point.y, point.z, point.g, point.B
    q1, q2 = z[1] - R * y[1], z[2] - R * y[2]
    size = math.sqrt(q1 * q1 + q2 * q2)
    for i in range(9):
        B[i] = 0.0
    g[0] = 0.0
    if size <= point.radius:
        k = R / eps
        g[1], g[2] = -k * y[1], -k * y[2]
        B[4], B[8] = k, k
        return
    s1, s2 = q1 / size, q2 / size
    share = point.radius / size
    f1, f2 = z[1] - point.radius * s1, z[2] - point.radius * s2
    along, across = s1 * f1 + s2 * f2, (s1 * f2 - s2 * f1) / (1.0 - share + eps)
    g[1], g[2] = -(along * s1 - across * s2), -(along * s2 + across * s1)
    c = share * R / (1.0 - share + eps)
    B[4], B[5], B[7], B[8] = c * s2 * s2, -c * s1 * s2, -c * s1 * s2, c * s1 * s1


# --- the interior point ----------------------------------------------------------------------------
@compiled
def start_turns(P: Problem, X: Floats, island: Island, c: float) -> None:
    """Moments inside of their discs, and products m c² of both sides; the contacts themselves are started."""
    for k in range(island.contact, island.contact_end):
        contact = contact_at(P, k)
        point = Point(at(X, contact.point))
        if point.arm == 0.0:
            continue
        r, u, y, z = point.r, point.u, point.y, point.z
        radius = point.arm * Point(at(X, Contact.of(P, contact.master).point)).z[0]
        size = math.sqrt(r[1] * r[1] + r[2] * r[2])
        share = 1.0 if size <= NEARLY * radius else NEARLY * radius / size
        z[0], z[1], z[2] = radius, share * r[1], share * r[2]
        point.slack = radius - share * size
        y[1], y[2] = u[1], u[2]
        point.delta = c * c * point.mass / point.slack
        y[0] = point.delta + math.sqrt(y[1] * y[1] + y[2] * y[2])
        point.held, point.shift = 0.0, -1.0


@compiled
def follow_contacts(P: Problem, X: Floats, island: Island) -> None:
    """The discs are as large as the forces of their contacts say; products stay what they are."""
    for k in range(island.contact, island.contact_end):
        contact = contact_at(P, k)
        point = Point(at(X, contact.point))
        if point.arm == 0.0:
            continue
        y, z = point.y, point.z
        share = point.arm * Point(at(X, Contact.of(P, contact.master).point)).z[0] / z[0]
        z[0], z[1], z[2], point.slack = share * z[0], share * z[1], share * z[2], share * point.slack
        point.delta /= share
        y[0] = point.delta + math.sqrt(y[1] * y[1] + y[2] * y[2])


@inlined
def eliminate_height(point: Point) -> None:
    """B of ω alone: what Δs answers is taken out."""
    B = point.B
    k1, k2 = B[3] / B[0], B[6] / B[0]
    B[4], B[5] = B[4] - k1 * B[1], B[5] - k1 * B[2]
    B[7], B[8] = B[7] - k2 * B[1], B[8] - k2 * B[2]


@inlined
def aim_turn(point: Point) -> None:
    """g of ω alone, from −z and what a corrector added to it; g0 stays, for Δs."""
    B, g, gap, z = point.B, point.g, point.gap, point.z
    g[0] -= z[0]
    g[1] -= z[1] + B[3] / B[0] * g[0] + B[4] * gap[1] + B[5] * gap[2]
    g[2] -= z[2] + B[6] / B[0] * g[0] + B[7] * gap[1] + B[8] * gap[2]


@inlined
def finish_turn(point: Point) -> None:
    """Δs, which leaves the radius what it is."""
    B, g, dy, dz = point.B, point.g, point.dy, point.dz
    dy[0] = (g[0] - B[1] * dy[1] - B[2] * dy[2]) / B[0]
    dz[0] = 0.0
