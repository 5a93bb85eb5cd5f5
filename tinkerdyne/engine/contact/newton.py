"""The finish of a contact problem: a semismooth Newton method on  F = r̂ − P(r̂ − R y),  P into the cone.

Its Jacobian is singular where sticking contacts say the same thing twice, as the corners of a box do. A small
ε makes it regular and leaves the solution where it is:

    Δr̂ = −(I − P′ + ε I)⁻¹ (F + P′ R T Ĥ Δv),

so that forces that the geometry leaves undetermined stay as near as possible to those before.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.bounds import bring_within, clear_gives, linearise_rows
from tinkerdyne.engine.contact.cone import note_sizes
from tinkerdyne.engine.contact.factor import factor_island
from tinkerdyne.engine.contact.problem import Island, Point, Problem
from tinkerdyne.engine.contact.product import (
    add_contact,
    assemble,
    clear_blocks,
    contact_at,
    joint_at,
    set_vector,
)
from tinkerdyne.engine.contact.step import answer_more, ask, joint_lacks, refine, solve_step
from tinkerdyne.engine.contact.turning import linearise_turn


@compiled
def linearise(point: Point, R: float, eps: float) -> None:
    """g and B of one contact at r̂ = z and y = (u_n + |û_t|, û_t)."""
    y, z, g, B = point.y, point.z, point.g, point.B
    e1, e2, a = point.e[0], point.e[1], point.across
    q0, q1, q2 = z[0] - R * (y[0] + a), z[1] - R * y[1], z[2] - R * y[2]
    t = math.sqrt(q1 * q1 + q2 * q2)
    for i in range(9):
        B[i] = 0.0
    if q0 >= t:
        k = R / eps
        g[0], g[1], g[2] = -k * (y[0] + a), -k * y[1], -k * y[2]
        B[0], B[1], B[2] = k, k * e1, k * e2
        B[4], B[8] = k, k
    elif q0 <= -t:
        g[0], g[1], g[2] = -z[0], -z[1], -z[2]
    else:
        s1, s2 = q1 / t, q2 / t
        half, ratio = 0.5 * (q0 + t), q0 / t
        f0, f1, f2 = z[0] - half, z[1] - half * s1, z[2] - half * s2
        side = 1.0 / (0.5 * (1.0 - ratio) + eps)
        plus, minus = 0.5 * (f0 + s1 * f1 + s2 * f2) / eps, 0.5 * (f0 - s1 * f1 - s2 * f2)
        across = side * (s1 * f2 - s2 * f1)
        g[0] = -(plus + minus)
        g[1], g[2] = -((plus - minus) * s1 - across * s2), -((plus - minus) * s2 + across * s1)
        k, c = 0.5 * R / eps, 0.5 * R * (1.0 + ratio) * side
        B[0], B[1], B[2] = k, k * (s1 + e1), k * (s2 + e2)
        B[3], B[4], B[5] = s1 * B[0], s1 * B[1] + c * s2 * s2, s1 * B[2] - c * s1 * s2
        B[6], B[7], B[8] = s2 * B[0], s2 * B[1] - c * s1 * s2, s2 * B[2] + c * s1 * s1


@compiled
def newton_step(P: Problem, X: Floats, island: Island, rho: float, eps: float) -> None:
    """r and λ go one step on from where they were measured."""
    set_vector(P, island, at(X, P.force), 0.0)
    set_vector(P, island, at(X, P.dv), 0.0)
    clear_blocks(P, X, island)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        mu, r, u, y, z, gap = point.mu, point.r, point.u, point.y, point.z, point.gap
        y[0], y[1], y[2] = u[0], mu * u[1], mu * u[2]  # without |û_t|, which is added below
        z[0], z[1], z[2] = r[0], 0.0, 0.0
        if mu > 0.0:
            z[1], z[2] = r[1] / mu, r[2] / mu
        note_sizes(point)
        gap[0], gap[1], gap[2], point.curve = 0.0, 0.0, 0.0, 0.0
        if point.arm > 0.0:
            linearise_turn(point, rho * point.mass, eps)
        else:
            linearise(point, rho * point.mass, eps)
        ask(P, X, contact, point)
        add_contact(P, X, contact, point)
    joint_lacks(P, X, island, at(X, P.trial), at(X, P.target), at(X, P.row_defect))
    linearise_rows(P, X, island, rho, eps)
    factor_island(P, X, island)
    island.factorings += 1
    solve_step(P, X, island)
    refine(P, X, island)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        answer_more(P, X, contact, point)
        mu, r, z, dz = point.mu, point.r, point.z, point.dz
        r[0], r[1], r[2] = z[0] + dz[0], mu * (z[1] + dz[1]), mu * (z[2] + dz[2])
    add_rows_of(P, X, island)


@compiled
def close_joints(P: Problem, X: Floats, island: Island) -> None:
    """λ at which the joints hold exactly, and so does dry friction that sticks, with r as it is."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        g, gap, B = point.g, point.gap, point.B
        g[0], g[1], g[2], gap[0], gap[1], gap[2], point.curve = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(9):
            B[i] = 0.0
    joint_lacks(P, X, island, at(X, P.trial), at(X, P.target), at(X, P.row_defect))
    clear_gives(P, X, island)
    assemble(P, X, island)
    factor_island(P, X, island)
    island.factorings += 1
    set_vector(P, island, at(X, P.force), 0.0)
    set_vector(P, island, at(X, P.dv), 0.0)
    solve_step(P, X, island)
    refine(P, X, island)
    add_rows_of(P, X, island)
    bring_within(P, X, island)


@inlined
def add_rows_of(P: Problem, X: Floats, island: Island) -> None:
    """λ += Δλ."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.lam + i] += X[P.dlam + i]
