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
from tinkerdyne.engine.contact.problem import Body, Contact, Point, Problem
from tinkerdyne.engine.contact.recycling import point_at
from tinkerdyne.engine.contact.touching import Bend, Course, Touching
from tinkerdyne.engine.records import Index, Object, Scalars

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
def bend_gaps(T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float) -> None:
    """Gaps close along bent ways: φ₁ = φ₀ + h u_n + what the last drift has shown that the way of its anchors
    bends; what carries an impulse has the bend that was found for it, along the surface too. Of what rolls
    the anchors leave the surface, and say nothing. What comes in from the side has no gap at the start: its
    approach in the last drift is slowed by what it overlapped at the end."""
    H = Detection(D)
    for k in range(T.n_met):
        contact = Contact.of(P, k)
        if contact.a < 0 and contact.b < 0:
            continue
        point = Point(at(X, contact.point))
        if math.isinf(Y[T.ends + k]):
            point.b[0] = wide_open(along_normal(P, X, k, at(X, P.v_free)))
            continue
        if Y[T.holds + k] != 0.0:
            continue
        frame = at(Y, T.frames + 9 * k)
        bend = bend_at(at(Y, T.bends), k)
        way = bend.way
        normal = bend.up
        if bend.kind == Course.SIDEWAYS:
            point.b[0] = max(0.0, Y[T.ends + k] / h - along_normal(P, X, k, at(Y, T.bounced)))
            continue
        if Y[T.ends + k] < 0.0 and bend.kind == Course.PLAIN:
            sag = Y[T.ends + k] - point_at(F, H.points, k).gap - h * along_normal(P, X, k, at(Y, T.bounced))
            normal = min(normal, sag / h)
        point.b[0] += normal
        for i in range(1, 3):
            point.b[i] += frame[3 * i] * way[0] + frame[3 * i + 1] * way[1] + frame[3 * i + 2] * way[2]
