"""A blow at one contact, with friction: the law of Chatterjee and Ruina (1998), that of motion sketches too.

With P the impulse that stops the approach without friction, and P + D the one that stops all motion of the
contact,
    p = (1 + e) P + κ D,   κ = 1 where that lies in the cone, else as much as does.
n·K D = 0, so friction only takes energy, however slanted the blow (`sketch/problem/impact.py`). K is the
matrix that takes an impulse at the contact to the change of its relative velocity, joints held.

Rolling and spinning friction follow: the moment that stops the turning, or as much of it as |m| ≤ ρ n·p
allows. On the way to where it stops all, the kinetic energy only falls.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Body, Contact, Island, Point, Problem
from tinkerdyne.engine.contact.product import add_block, invert_masses, push, rate
from tinkerdyne.engine.contact.solver import contact_solve
from tinkerdyne.engine.contact.touching import Touching
from tinkerdyne.engine.contact.turning import ROLLS, SPINS

COLUMNS = 3  # of what unit impulses along n, t1, t2 do to the velocities


@inlined
def only_blow(P: Problem, Y: Floats, T: Touching, island: Island) -> int:
    """The contact of an island that is struck while no other is closed, or −1."""
    found = -1
    closed = 0
    for c in range(island.contact, island.contact_end):
        k = P[P.contact_list + c]
        if k >= T.n_met:  # a turn
            continue
        if Y[T.blows + k] != 0.0:
            closed += 1
        if Y[T.blows + k] > 0.0:
            found = k
    return found if closed == 1 else -1


@inlined
def turn_of(T: Touching, P: Problem, island: Island, k: int, turn: int) -> int:
    """The rolling or spinning friction of contact k, as a contact, or −1."""
    for c in range(island.contact, island.contact_end):
        other = P[P.contact_list + c]
        if other >= T.n_met and Contact.of(P, other).master == k and Contact.of(P, other).turn == turn:
            return other
    return -1


@compiled
def unit_impulse(T: Touching, Y: Floats, P: Problem, X: Floats, v: Floats, axis: int, turn: int) -> None:
    """What a unit impulse along one axis of each single blow does to the velocities, or a unit moment of its
    `turn` where that is not 0: a column, joints held."""
    column = at(Y, T.columns + axis * P.n_velocities)
    for i in range(P.n_velocities):
        X[P.force + i], column[i] = 0.0, 0.0
    for s in range(P.n_islands):
        island = Island.of(P, s)
        k = only_blow(P, Y, T, island)
        if k >= 0 and turn > 0:
            k = turn_of(T, P, island, k, turn)
        if k >= 0:
            n, t1, t2 = float(axis == 0), float(axis == 1), float(axis == 2)
            push(P, X, Contact.of(P, k), n, t1, t2, at(X, P.force))
    for b in range(P.n_bodies):
        body = Body.of(P, b)
        add_block(at(X, body.W), body, at(X, P.force + body.dof), 1.0, at(column, body.dof))
    if P.n_joints == 0:
        return
    for i in range(P.n_velocities):
        X[P.v_free + i] = v[i] + column[i]
        X[P.v + i] = X[P.v_free + i]
    P.is_fine = 1
    contact_solve(P, X)
    P.is_fine = 0
    for i in range(P.n_velocities):
        column[i] = X[P.v + i] - v[i]


@inlined
def stopping(K: Floats, u: Floats, p: Floats) -> None:
    """p = −K⁻¹ u, by cofactors: K is symmetric and positive definite."""
    a, b, c, d, e, f = K[0], K[1], K[2], K[4], K[5], K[8]
    A, B, C = d * f - e * e, c * e - b * f, b * e - c * d
    D, E, F = a * f - c * c, b * c - a * e, a * d - b * b
    size = a * A + b * B + c * C
    p[0] = -(A * u[0] + B * u[1] + C * u[2]) / size
    p[1] = -(B * u[0] + D * u[1] + E * u[2]) / size
    p[2] = -(C * u[0] + E * u[1] + F * u[2]) / size


@compiled
def impulse_of(K: Floats, u: Floats, e: float, mu: float, p: Floats) -> None:
    """(1 + e) P + κ D in the frame (n, t1, t2) of the contact."""
    stopping(K, u, p)
    halt = -u[0] / K[0]
    down = p[0] - halt
    across = math.sqrt(p[1] * p[1] + p[2] * p[2])
    beyond = across - mu * down
    room = mu * (1.0 + e) * halt
    kappa = 1.0 if beyond <= room else room / beyond
    p[0] = (1.0 + e) * halt + kappa * down
    p[1] *= kappa
    p[2] *= kappa


@compiled
def try_impulses(T: Touching, Y: Floats, P: Problem, X: Floats, v: Floats) -> int:
    """Columns for the islands that are struck at one contact; how many there are. v are the velocities
    before, and all contacts of the problem wide open."""
    single = 0
    for s in range(P.n_islands):
        if only_blow(P, Y, T, Island.of(P, s)) >= 0:
            single += 1
    if single > 0:
        invert_masses(P, X)
        for axis in range(COLUMNS):
            unit_impulse(T, Y, P, X, v, axis, 0)
    return single


@compiled
def strike_alone(T: Touching, Y: Floats, P: Problem, X: Floats, island: Island, k: int, w: Floats) -> None:
    """w = v + Σ p_i column_i on an island that is struck at contact k alone; v is `v_free`."""
    contact = Contact.of(P, k)
    point = Point(at(X, contact.point))
    work = at(Y, T.columns + COLUMNS * P.n_velocities)
    K, u, p = work, at(work, 9), at(work, 12)
    for axis in range(COLUMNS):
        n, t1, t2 = rate(P, X, contact, at(Y, T.columns + axis * P.n_velocities))
        K[axis], K[3 + axis], K[6 + axis] = n, t1, t2
    u[0], u[1], u[2] = rate(P, X, contact, at(X, P.v_free))
    u[1], u[2] = u[1] + point.b[1], u[2] + point.b[2]  # where a surface moves by itself
    if K[8] <= 0.0:  # in the plane there is one tangent
        K[8], K[2], K[5], u[2] = K[0], 0.0, 0.0, 0.0
    impulse_of(K, u, Y[T.blows + k] - 1.0, point.mu, p)
    for c in range(island.contact, island.contact_end):
        turn = P[P.contact_list + c]
        if turn >= T.n_met and Contact.of(P, turn).master == k:
            Y[T.blows + turn] = p[0]
    for b in range(island.body, island.body_end):
        body = Body.of(P, P[P.body_list + b])
        for i in range(body.dof, body.dof + body.width):
            w[i] = X[P.v_free + i]
            for axis in range(COLUMNS):
                w[i] += p[axis] * Y[T.columns + axis * P.n_velocities + i]


@compiled
def slow_turn(T: Touching, Y: Floats, P: Problem, X: Floats, island: Island, k: int, w: Floats) -> None:
    """The moment of turn k acts on w: it stops the turning, or is the arm times the impulse of its blow."""
    contact = Contact.of(P, k)
    most = Point(at(X, contact.point)).arm * Y[T.blows + k]
    one, two = at(Y, T.columns + P.n_velocities), at(Y, T.columns + 2 * P.n_velocities)
    _, a, b = rate(P, X, contact, one)
    _, _, c = rate(P, X, contact, two)
    _, u1, u2 = rate(P, X, contact, w)
    if not (c > 0.0):  # one axis
        b, c, u2 = 0.0, 1.0, 0.0
    size = a * c - b * b
    if not (size > 0.0):
        return
    m1, m2 = -(c * u1 - b * u2) / size, -(a * u2 - b * u1) / size
    whole = math.sqrt(m1 * m1 + m2 * m2)
    share = most / whole if whole > most else 1.0
    for n in range(island.body, island.body_end):
        body = Body.of(P, P[P.body_list + n])
        for i in range(body.dof, body.dof + body.width):
            w[i] += share * (m1 * one[i] + m2 * two[i])


@compiled
def turn_alone(T: Touching, Y: Floats, P: Problem, X: Floats, v: Floats, w: Floats) -> None:
    """Rolling and spinning friction of all blows at one contact. v are the velocities before, and all
    contacts of the problem wide open."""
    for turn in range(ROLLS, SPINS + 1):
        for axis in range(1, COLUMNS):
            unit_impulse(T, Y, P, X, v, axis, turn)
        for s in range(P.n_islands):
            island = Island.of(P, s)
            k = only_blow(P, Y, T, island)
            if k >= 0:
                k = turn_of(T, P, island, k, turn)
            if k >= 0:
                slow_turn(T, Y, P, X, island, k, w)
