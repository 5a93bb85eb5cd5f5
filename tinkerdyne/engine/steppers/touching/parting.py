"""Parting: what overlaps after a step is moved apart, and so is what overlaps when a world is assembled.

It is the least displacement in the metric of the masses, joints kept; velocities know nothing of it.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detect import find_contacts
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.limits import stop_rooms, write_joints
from tinkerdyne.engine.contact.making_turns import NO_ARM, write_turns
from tinkerdyne.engine.contact.meeting import (
    make_problem,
    meet,
    recall_impulses,
    see_from_here,
    write_bodies,
    write_contacts,
)
from tinkerdyne.engine.contact.poses import gather_poses
from tinkerdyne.engine.contact.problem import Body, Contact, Island, Point, Problem
from tinkerdyne.engine.contact.recycling import contact_at, point_at, swap_tables
from tinkerdyne.engine.contact.sleep import hold_still, wake_all
from tinkerdyne.engine.contact.solver import solve_all
from tinkerdyne.engine.contact.touching import Touching, TouchValues
from tinkerdyne.engine.evaluate import lift
from tinkerdyne.engine.records import Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, largest, rows, vels
from tinkerdyne.engine.steppers.rattle import drift, prepare
from tinkerdyne.engine.steppers.touching.looks import LOOKS, deepest, join_contacts

DEEP = 1e3  # times the slop: deeper overlaps are pushed apart
PARTED = 1.0  # times the slop: assembly parts all that overlaps more …
NEAR, NEARER = 1.0, 0.1  # times the slop: how exactly in a step and in assembly
AT_ONCE = 1.0  # s at a gentle speed: … by so much at most, from one look to the next
GENTLE = 0.5  # m/s: how fast they are
FURTHEST = 1e3  # times that way: a displacement that is none


@inlined
def note_overlap(T: Touching, values: TouchValues, D: Ints, F: Floats) -> None:
    """Whether something overlaps so deeply that it is pushed apart, and who was deepest of all."""
    H = Detection(D)
    for k in range(H.n_contacts):
        depth = -point_at(F, H.points, k).gap
        if depth > values.slop * DEEP:
            T.wants_push = 1
            if depth > values.overlap:
                values.overlap = depth
                T.overlap_a = contact_at(D, H.contacts, k).a
                T.overlap_b = contact_at(D, H.contacts, k).b


@compiled
def push_apart(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats, h: float
) -> None:
    """Move what overlaps apart by the least displacement in the metric of the masses, joints kept; velocities
    know nothing of it, and no contact is moved by more than a gentle step at once. What overlaps then at
    other points is moved again, with all that were seen. The contacts at hand are those of a step."""
    H = Detection(D)
    for look in range(LOOKS):
        part_contacts(I, S, T, Y, D, F, P, X, h)
        if not (largest(at(X, P.v), P.n_velocities) <= FURTHEST * GENTLE * h):
            break  # what is wedged between others has no answer
        move(I, S, T, Y, P, X)
        for k in range(3 * T.n_met):
            Y[T.tried_impulses + k] = Y[T.impulses + k]
        gather_poses(I, S, H, F)
        before = H.n_contacts
        found = find_contacts(D, F)
        if found > P.contact_room:
            swap_tables(H)
            H.n_contacts = before
        if found < 0 or found > P.contact_room:
            break
        recall_impulses(T, Y, H, D)
        is_done = look == LOOKS - 1 or deepest(H, F) <= TouchValues(Y).slop * DEEP
        if is_done or join_contacts(T, Y, P, D, F, 0.5 * TouchValues(Y).slop * DEEP, 0) < 0:
            break
        if make_problem(I, T, Y, D, P, K) < 0:
            break
        see_from_here(I, S, T, D, F)
    T.is_found = 0


@inlined
def leave_others(T: Touching, F: Floats, D: Ints, P: Problem, deep: float) -> None:
    """Islands in which nothing overlaps so deeply are not part of the problem: their bodies stay where they
    are, to the bit."""
    for s in range(P.n_islands):
        island = Island.of(P, s)
        most = 0.0
        for c in range(island.contact, island.contact_end):
            k = P[P.contact_list + c]
            if k < T.n_met:
                most = max(most, -point_at(F, Detection(D).points, k).gap)
        for b in range(island.body, island.body_end if most <= deep else island.body):
            Body.of(P, P[P.body_list + b]).is_asleep = 1


@inlined
def part_contacts(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float
) -> None:
    """The displacement that parts the contacts at hand, into v of the problem."""
    zero = vels(I, S, Vel.KICK)
    for i in range(I.nv):
        zero[i] = 0.0
    write_bodies(I, S, T, P, X, zero)
    for i in range(P.n_velocities):
        X[P.v + i] = 0.0
    target = rows(I, S, Row.RHS)
    lam = rows(I, S, Row.LAMBDA)
    for i in range(I.nr):
        target[i] = 0.0
        lam[i] = 0.0
    stop_rooms(I, S, target)
    write_joints(I, S, P, X, target, lam, 0.0)
    write_contacts(I, S, T, Y, D, F, P, X, 1.0)
    H = Detection(D)
    for k in range(T.n_met):
        point = Point(at(X, Contact.of(P, k).point))
        point.mu = 0.0
        point.b[0] = max(point_at(F, H.points, k).gap, -GENTLE * h)
        for i in range(3):
            point.r[i] = 0.0
    write_turns(I, T, Y, D, F, P, X, NO_ARM)
    leave_others(T, F, D, P, TouchValues(Y).slop * (PARTED if h == AT_ONCE else DEEP))
    exact = TouchValues(Y).slop * (NEARER if h == AT_ONCE else NEAR)
    solve_all(P, X, exact, exact)


@inlined
def move(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem, X: Floats) -> None:
    """Displace everything by what stands in v of the problem."""
    kept = vels(I, S, Vel.KICK)
    copy(at(S, I.v), kept, I.nv)
    copy(at(S, I.q), at(S, I.q0), I.nq)
    for i in range(I.nv):
        S[I.v0 + i] = 0.0
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(own.nv):
            S[I.v0 + own.v - I.v + i] = X[P.v + body.dof + i]
    h = S.step
    drift(I, S, 1.0)
    S.step = h
    hold_still(I, S, T, Y)
    for m in range(T.n_movers):  # a drift by nothing may round
        own = Object.of(I, T[T.movers + m])
        if Body.of(P, m).is_asleep != 0:
            copy(at(S, I.q0 + own.q - I.q), at(S, own.q), own.nq)
    copy(kept, at(S, I.v), I.nv)
    lift(I, S)
    S.ready = 0.0
    T.is_found = 0


@entry("IFIFIFIIF")
def part_bodies(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats
) -> int:  # fmt: skip
    """Move what overlaps apart once, joints kept to first order; whether anything overlapped by more than the
    slop allows, or below 0 what room is missing."""
    values = TouchValues(Y)
    S.ready = 0.0
    T.wanted = 0
    wake_all(T, Y)
    prepare(I, S)
    found = meet(I, S, T, Y, D, F, P, K, 0.0)
    if found < 0:
        T.wanted = found
        return found
    values.deepest = deepest(Detection(D), F)
    if values.deepest <= values.slop * PARTED:
        return 0
    push_apart(I, S, T, Y, D, F, P, K, X, AT_ONCE)
    return 1
