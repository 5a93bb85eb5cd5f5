"""Looks: where a drift has led, what came into its way there, and how gaps close along bent ways.

A patch has four points at most. What a drift lets overlap was none of the contacts of its start, or its way
was bent; so the kick before it is solved for again with the contacts of both ends.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detect import NO_CONTACT_ROOM
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.joining import bend_at, join_patches
from tinkerdyne.engine.contact.meeting import NO_PROBLEM_ROOM, along_normal, wide_open
from tinkerdyne.engine.contact.problem import Body, Contact, Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.recycling import point_at
from tinkerdyne.engine.contact.solver import FEW, SLOW
from tinkerdyne.engine.contact.touching import Bend, Course, Touching, TouchValues
from tinkerdyne.engine.records import Index, Object, Scalars

JOINED = 0.5  # of the overlap that is nothing: contacts of the end that are deeper join those of the start
BENT = 1e-3  # of what forces do in a kick: bends that are worth another try
LOOKS = 5  # at what comes into the way within a step


@inlined
def deepest(H: Detection, F: Floats) -> float:
    """The deepest overlap of the contacts at hand."""
    most = 0.0
    for k in range(H.n_contacts):
        most = max(most, -point_at(F, H.points, k).gap)
    return most


@inlined
def keep_trial(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem) -> None:
    """Keep the velocities of a drift, padded as the problem has them, its impulses, and the bends that it
    knew of."""
    trial = at(Y, T.bounced)
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(body.width):
            trial[body.dof + i] = S[I.v0 + own.v - I.v + i] if i < own.nv else 0.0
    for k in range(3 * T.n_met):
        Y[T.tried_impulses + k] = Y[T.impulses + k]
    for k in range(Bend.size * T.n_met):
        Y[T.tried_bends + k] = Y[T.bends + k]


@compiled
def join_contacts(T: Touching, Y: Floats, P: Problem, D: Ints, F: Floats, deep: float, rolls: int) -> int:
    """The contacts before the last look, with the impulses that were kept, and those that it found deeper
    than that; below 0 what room is missing for them."""
    H = Detection(D)
    n = join_patches(
        H, D, F, deep, P.contact_room,
        at(Y, T.impulses), at(Y, T.tried_impulses), at(Y, T.bends), at(Y, T.tried_bends), rolls,
    )  # fmt: skip
    if n < 0:
        return NO_PROBLEM_ROOM if H.n_wanted > P.contact_room else NO_CONTACT_ROOM
    for k in range(3 * n):
        Y[T.old_impulses + k] = Y[T.impulses + k]
    return n


@inlined
def is_bent(T: Touching, Y: Floats, k: int) -> int:
    """Whether the last drift has shown anything of a contact that is worth another solution."""
    values = TouchValues(Y)
    bend = bend_at(at(Y, T.bends), k)
    if 0.0 < bend.kind < Course.KEPT or math.isinf(Y[T.ends + k]) or Y[T.ends + k] < -JOINED * values.deep:
        return 1
    most = math.fabs(bend.up)
    for i in range(3):
        most = max(most, math.fabs(bend.way[i]))
    return 1 if most > BENT * values.pull else 0


@inlined
def bend_gaps(T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float) -> None:
    """The gaps of all islands that bend; the others are marked, and keep their problem."""
    for s in range(P.n_islands):
        island = Island.of(P, s)
        bent = 0
        for c in range(island.contact, island.contact_end):
            k = P[P.contact_list + c]
            bent += is_bent(T, Y, k) if k < T.n_met else 0
        for c in range(island.contact, island.contact_end):
            k = P[P.contact_list + c]
            if k < T.n_met and bent > 0:
                bend_gap(T, Y, D, F, P, X, h, k)
            elif k < T.n_met:
                bend_at(at(Y, T.bends), k).kind = Course.KEPT


@inlined
def take_kept(T: Touching, Y: Floats, P: Problem, X: Floats) -> None:
    """What is marked keeps the velocities of the last drift to the last digit, whatever another island is
    taken again for; its impulses are still at hand. Joints are closed for all at once, so an island with
    joints has its new solution, as has one that was solved roughly or is open."""
    for s in range(P.n_islands):
        island = Island.of(P, s)
        values = IslandValues(at(X, island.values))
        n = island.contact_end - island.contact
        is_fine = values.residual <= values.tolerance and (values.speed < SLOW or n <= FEW)
        is_kept = is_fine and island.joint == island.joint_end
        for c in range(island.contact, island.contact_end):
            k = P[P.contact_list + c]
            is_kept = is_kept and k < T.n_met and bend_at(at(Y, T.bends), k).kind == Course.KEPT
        for c in range(island.contact, island.contact_end):
            k = P[P.contact_list + c]
            if k < T.n_met and not is_kept and bend_at(at(Y, T.bends), k).kind == Course.KEPT:
                bend_at(at(Y, T.bends), k).kind = Course.PLAIN
        for b in range(island.body, island.body_end if is_kept and n > 0 else island.body):
            body = Body.of(P, P[P.body_list + b])
            for i in range(body.dof, body.dof + body.width):
                X[P.v + i] = Y[T.bounced + i]


@inlined
def bend_gap(T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float, k: int) -> None:
    """A gap closes along a bent way: φ₁ = φ₀ + h u_n + what the last drift has shown that the way of its
    anchors bends; what carries an impulse has the bend that was found for it, along the surface too. Of what
    rolls the anchors leave the surface, and say nothing. What comes in from the side has no gap at the start:
    its approach in the last drift is slowed by what it overlapped at the end."""
    contact = Contact.of(P, k)
    if contact.a < 0 and contact.b < 0:
        return
    point = Point(at(X, contact.point))
    if math.isinf(Y[T.ends + k]):
        point.b[0] = wide_open(along_normal(P, X, k, at(X, P.v_free)))
        return
    if Y[T.holds + k] != 0.0:
        return
    frame = at(Y, T.frames + 9 * k)
    bend = bend_at(at(Y, T.bends), k)
    way = bend.way
    normal = bend.up
    if bend.kind == Course.SIDEWAYS:
        point.b[0] = max(0.0, Y[T.ends + k] / h - along_normal(P, X, k, at(Y, T.bounced)))
        return
    if Y[T.ends + k] < 0.0 and bend.kind == Course.PLAIN:
        gap = point_at(F, Detection(D).points, k).gap
        normal = min(normal, (Y[T.ends + k] - gap) / h - along_normal(P, X, k, at(Y, T.bounced)))
    point.b[0] += normal
    for i in range(1, 3):
        point.b[i] += frame[3 * i] * way[0] + frame[3 * i + 1] * way[1] + frame[3 * i + 2] * way[2]
