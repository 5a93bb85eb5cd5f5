"""Impacts: bodies that meet fast enough bounce, all at one moment, and gain no energy.

Without friction a blow is a sequence of reflections,  v ← 2 v₀(approaching) − v  until nothing approaches,
where v₀ is the nearest velocity in the metric of the masses at which the contacts that approach do so no
more. It keeps momentum and energy, and sends the last ball of a cradle alone. Restitution blends it with the
inelastic v₀ of all contacts; friction then acts on what is left along the surfaces, within its cone. A blow
at one contact alone has a law in closed form (`single_blow`).
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.blows import note_bounces, note_single
from tinkerdyne.engine.contact.constants import bounce_of
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.limits import write_joints
from tinkerdyne.engine.contact.making_turns import NO_ARM, write_turns
from tinkerdyne.engine.contact.meeting import (
    along_normal,
    wide_open,
    write_bodies,
    write_contacts,
)
from tinkerdyne.engine.contact.problem import Body, Contact, Island, Point, Problem
from tinkerdyne.engine.contact.product import copy_vector
from tinkerdyne.engine.contact.recycling import contact_at, point_at
from tinkerdyne.engine.contact.single_blow import only_blow, strike_alone, try_impulses, turn_alone
from tinkerdyne.engine.contact.solver import contact_solve
from tinkerdyne.engine.contact.stop_blows import (
    ask_closing,
    ask_stops,
    closing_time,
    fastest_stop,
    first_stop,
    is_closed_stop,
    is_stop_struck,
    least_restitution,
    open_struck,
)
from tinkerdyne.engine.contact.touching import Touching, TouchValues
from tinkerdyne.engine.contact.watching import CLOSED
from tinkerdyne.engine.evaluate import kinetic
from tinkerdyne.engine.product import times_J
from tinkerdyne.engine.records import Constraint, Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, rows, vels

REFLECTIONS = 400
APPROACH = 1e-10  # of the fastest approach, below which nothing approaches
GAINED = 1e-9  # of the kinetic energy: a blow with friction that gains more is taken without it


@inlined
def restitution_of(T: Touching, Y: Floats, D: Ints, k: int) -> float:
    """The restitution of contact k."""
    return bounce_of(T, Y, contact_at(D, Detection(D).contacts, k))


@inlined
def is_closed(F: Floats, Y: Floats, D: Ints, k: int) -> int:
    """Whether two bodies touch there."""
    return 1 if point_at(F, Detection(D).points, k).gap <= CLOSED * TouchValues(Y).slop else 0


@compiled
def write_all(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, v: Floats
) -> None:
    """The problem of a blow from velocities v: no forces, joints as they move, all contacts open."""
    target = rows(I, S, Row.RHS)
    lam = rows(I, S, Row.DELTA)
    times_J(I, S, v, target)
    for i in range(I.nr):
        lam[i] = 0.0
    write_bodies(I, S, T, P, X, v)
    write_joints(I, S, P, X, target, lam, 0.0)
    write_contacts(I, S, T, Y, D, F, P, X, 1.0)
    write_turns(I, T, Y, D, F, P, X, NO_ARM)


@inlined
def free(P: Problem, X: Floats, k: int, rate: float) -> None:
    """Let a contact be none, and begin without an impulse."""
    point = Point(at(X, Contact.of(P, k).point))
    point.b[0] = wide_open(rate)
    point.mu = 0.0
    for i in range(3):
        point.r[i] = 0.0


@inlined
def ask(P: Problem, X: Floats, k: int, rate: float) -> None:
    """Let a contact open at this rate at least."""
    point = Point(at(X, Contact.of(P, k).point))
    point.b[0] = -rate
    for i in range(3):
        point.r[i] = 0.0


@compiled
def solve_blow(P: Problem, X: Floats) -> None:
    """Solve as finely as for bodies at rest: an impact is one moment."""
    for i in range(P.n_velocities):
        X[P.v + i] = 0.0
    P.is_fine = 1
    contact_solve(P, X)
    P.is_fine = 0


@compiled
def reflect(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, w: Floats
) -> int:
    """Reflections of w until nothing approaches; 0 where there is no end of it."""
    fastest = fastest_stop(I, S, P, X, w)
    for k in range(T.n_met):
        if is_closed(F, Y, D, k) != 0:
            fastest = max(fastest, -along_normal(P, X, k, w))
    for _ in range(REFLECTIONS):
        violated = ask_closing(I, S, P, X, w, APPROACH * fastest)
        for k in range(T.n_met):
            rate = along_normal(P, X, k, w)
            free(P, X, k, rate)
            if is_closed(F, Y, D, k) != 0 and rate < -APPROACH * fastest:
                ask(P, X, k, 0.0)
                violated += 1
        if violated == 0:
            return 1
        for i in range(P.n_velocities):
            X[P.v_free + i] = w[i]
        solve_blow(P, X)
        for i in range(P.n_velocities):
            w[i] = 2.0 * X[P.v + i] - w[i]
    return 0


@compiled
def blend(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats,
    w: Floats, v0: Floats, limit: float,
) -> None:  # fmt: skip
    """w ← v₀ + e (w − v₀), island by island with the least e of its blows; `v_free` has the velocities
    before."""
    for s in range(P.n_islands):
        island = Island.of(P, s)
        e = 1.0
        for c in range(island.contact, island.contact_end):
            k = P[P.contact_list + c]
            if k >= T.n_met:
                continue
            if is_closed(F, Y, D, k) != 0 and along_normal(P, X, k, at(X, P.v_free)) < -limit:
                e = min(e, restitution_of(T, Y, D, k))
        e = least_restitution(I, S, P, X, island, at(X, P.v_free), limit, e)
        for b in range(island.body, island.body_end):
            body = Body.of(P, P[P.body_list + b])
            for i in range(body.dof, body.dof + body.width):
                w[i] = v0[i] + e * (w[i] - v0[i])


@inlined
def take_velocities(I: Index, S: Scalars, T: Touching, P: Problem, v: Floats) -> None:
    """Velocities of the problem become those of the world."""
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(own.nv):
            S[own.v + i] = v[body.dof + i]


@inlined
def is_struck(T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, limit: float) -> int:
    """Whether bodies that bounce meet faster than the limit."""
    for k in range(T.n_met):
        bounces = is_closed(F, Y, D, k) != 0 and restitution_of(T, Y, D, k) > 0.0
        if bounces and along_normal(P, X, k, at(X, P.v_free)) < -limit:
            return 1
    return 0


@compiled
def count_stops(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem) -> None:
    """Where an island has a stop that is touched, none of its contacts is struck alone."""
    for s in range(P.n_islands):
        island = Island.of(P, s)
        touched = 0
        for j in range(island.joint, island.joint_end):
            touched += is_closed_stop(S, Constraint.of(I, P[P.joint_list + j]))
        if touched > 0:
            for c in range(island.contact, island.contact_end):
                k = P[P.contact_list + c]
                Y[T.blows + k] = -math.fabs(Y[T.blows + k])


@compiled
def strike_single(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, single: int
) -> None:
    """Blows of the islands that are struck at one contact, `single` of them: w and `v_free` are what they
    leave, and these contacts are open to what follows."""
    w = at(Y, T.bounced)
    for s in range(P.n_islands if single > 0 else 0):
        island = Island.of(P, s)
        k = only_blow(P, Y, T, island)
        if k >= 0:
            strike_alone(T, Y, P, X, island, k, w)
            if T.is_heard != 0:
                note_single(S, T, Y, D, F, P, X, k, w)
    if single > 0 and P.n_contacts > T.n_met:
        before = at(Y, T.inelastic)  # by now
        for k in range(T.n_met):
            free(P, X, k, along_normal(P, X, k, before))
        ask_closing(I, S, P, X, before, math.inf)
        turn_alone(T, Y, P, X, before, w)
        write_all(I, S, T, Y, D, F, P, X, vels(I, S, Vel.STRUCK))
        write_turns(I, T, Y, D, F, P, X, 1.0)
    for s in range(P.n_islands if single > 0 else 0):
        island = Island.of(P, s)
        k = only_blow(P, Y, T, island)
        if k >= 0:
            copy_vector(P, island, w, at(X, P.v_free))
            Y[T.blows + k] = 0.0


@compiled
def add_friction(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, limit: float
) -> None:
    """Velocities after the blow with friction, in `v` of the problem; those without are in `bounced`.

    Where an island is struck at one contact, the law is Chatterjee and Ruina's. Elsewhere contacts open at
    least as they do without friction, and friction acts within its cone."""
    w = at(Y, T.bounced)
    v0 = at(Y, T.inelastic)
    for i in range(P.n_velocities):
        v0[i] = X[P.v_free + i]
    for k in range(P.n_contacts):
        Y[T.blows + k] = 0.0
    ask_closing(I, S, P, X, w, math.inf)
    for k in range(T.n_met):
        rate = along_normal(P, X, k, v0)
        if is_closed(F, Y, D, k) != 0:
            Y[T.blows + k] = 1.0 + restitution_of(T, Y, D, k) if rate < -limit else -1.0
        free(P, X, k, rate)
    count_stops(I, S, T, Y, P)
    ask_closing(I, S, P, X, v0, math.inf)
    single = try_impulses(T, Y, P, X, v0)
    write_all(I, S, T, Y, D, F, P, X, vels(I, S, Vel.STRUCK))
    write_turns(I, T, Y, D, F, P, X, 1.0)
    strike_single(I, S, T, Y, D, F, P, X, single)
    ask_stops(I, S, P, X, w, 1.0)
    for k in range(T.n_met):
        if Y[T.blows + k] != 0.0:
            ask(P, X, k, along_normal(P, X, k, w))
        else:
            free(P, X, k, along_normal(P, X, k, w))
    solve_blow(P, X)
    if T.is_heard != 0:
        note_bounces(S, T, Y, D, F, P, X, limit)


@compiled
def strike(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, limit: float
) -> int:
    """Let what meets faster than the limit bounce, with the contacts at hand; whether there was a blow."""
    v = vels(I, S, Vel.STRUCK)
    copy(at(S, I.v), v, I.nv)
    write_all(I, S, T, Y, D, F, P, X, v)
    is_hit = is_struck(T, Y, D, F, P, X, limit) + is_stop_struck(I, S, P, X, at(X, P.v_free), limit)
    if is_hit == 0:
        return 0
    before = kinetic(I, S)
    w = at(Y, T.bounced)
    v0 = at(Y, T.inelastic)
    for i in range(P.n_velocities):
        w[i] = X[P.v_free + i]
    for k in range(T.n_met):
        free(P, X, k, along_normal(P, X, k, w))
        if is_closed(F, Y, D, k) != 0:
            ask(P, X, k, 0.0)
    ask_stops(I, S, P, X, w, 0.0)
    solve_blow(P, X)
    for i in range(P.n_velocities):
        v0[i] = X[P.v + i]
    if reflect(I, S, T, Y, D, F, P, X, w) == 0:
        for i in range(P.n_velocities):
            w[i] = v0[i]
    write_all(I, S, T, Y, D, F, P, X, v)
    blend(I, S, T, Y, D, F, P, X, w, v0, limit)
    add_friction(I, S, T, Y, D, F, P, X, limit)
    take_velocities(I, S, T, P, at(X, P.v))
    after = kinetic(I, S)
    if not (after <= before * (1.0 + GAINED)):
        take_velocities(I, S, T, P, w)
        after = kinetic(I, S)
    open_struck(I, S, P, X)
    TouchValues(Y).work += after - before
    S.hits += 1.0
    return 1


@compiled
def hold_hits(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, limit: float
) -> float:  # fmt: skip
    """When the first gap closes between bodies that bounce, by their present motion and forces; these
    contacts are marked, to be left open until then. The accelerations are in Vel.KICK."""
    v = vels(I, S, Vel.STRUCK)
    copy(at(S, I.v), v, I.nv)
    write_all(I, S, T, Y, D, F, P, X, v)
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(own.nv):
            X[P.dv + body.dof + i] = vels(I, S, Vel.KICK)[own.v - I.v + i]
    first = math.inf
    for k in range(T.n_met):
        Y[T.holds + k] = 0.0
        if Contact.of(P, k).a < 0 and Contact.of(P, k).b < 0:
            continue
        gap = point_at(F, Detection(D).points, k).gap
        if is_closed(F, Y, D, k) != 0 or restitution_of(T, Y, D, k) == 0.0:
            continue
        rate = along_normal(P, X, k, at(X, P.v_free))
        pull = along_normal(P, X, k, at(X, P.dv))
        when = closing_time(gap, rate, pull)
        if when < 0.0 or when == math.inf or rate + pull * when > -limit:
            continue
        Y[T.holds + k] = 1.0
        first = min(first, when)
    return first


@inlined
def first_hit(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats,
    h: float, limit: float,
) -> float:  # fmt: skip
    """When the first gap closes between bodies that bounce, or the first such stop, within h."""
    first = hold_hits(I, S, T, Y, D, F, P, X, limit)
    return first_stop(I, S, P, X, at(X, P.v_free), at(X, P.dv), min(h, first), limit)
