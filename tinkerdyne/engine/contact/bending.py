"""Bending: where a contact goes round a curve within a step, its velocity counts at both ends of the drift.

A body that rolls or pivots turns while it drifts, and the rows H of its contact turn with it. A kick that
makes H₀ v₊ = 0 leaves all of what the turn asks for to the kick after the drift, which stops it: energy was
lost in proportion to the step. So the step is taken again with

    ½ (H₀ + H₁) v₊ = 0,   that is, b += ½ (H₀ v₊ + H₁ v₊) − H₀ v,

v the velocity of the first try before joints were closed, H₁ the rows of the same feature at its end. Along
the surface these are vectors, whose axes may lie otherwise at the end; along the normal they are numbers, for
it turns too where a surface is round.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Detection, Patch
from tinkerdyne.engine.contact.joining import BEFORE, SAME, bend_at, compare
from tinkerdyne.engine.contact.meeting import write_contacts
from tinkerdyne.engine.contact.problem import Body, Contact, Point, Problem
from tinkerdyne.engine.contact.recycling import contact_at, patch_at, point_at
from tinkerdyne.engine.contact.touching import Course, Touching, TouchValues
from tinkerdyne.engine.contact.vectors import dot, put_sum
from tinkerdyne.engine.records import Index, Object, Scalars


@inlined
def pad(I: Index, S: Scalars, T: Touching, P: Problem, v: int, out: Floats) -> None:
    """Velocities of the world, at v in S, as the problem has them."""
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(body.width):
            out[body.dof + i] = S[v + own.v - I.v + i] if i < own.nv else 0.0


@inlined
def is_awake(P: Problem, k: int) -> int:
    """Whether a contact is part of the problem: those of what sleeps are not."""
    contact = Contact.of(P, k)
    return 1 if contact.a >= 0 or contact.b >= 0 else 0


@inlined
def slip_of(T: Touching, Y: Floats, P: Problem, X: Floats, k: int, v: Floats, out: Floats) -> None:
    """H v of a contact, in the world."""
    contact = Contact.of(P, k)
    frame = at(Y, T.frames + 9 * k)
    for j in range(3):
        out[j] = 0.0
    for i in range(3):
        rate = 0.0
        if contact.a >= 0:
            body = Body.of(P, contact.a)
            for j in range(body.width):
                rate += X[contact.Ha + i * body.width + j] * v[body.dof + j]
        if contact.b >= 0:
            body = Body.of(P, contact.b)
            for j in range(body.width):
                rate += X[contact.Hb + i * body.width + j] * v[body.dof + j]
        for j in range(3):
            out[j] += rate * frame[3 * i + j]


@compiled
def note_departure(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem, X: Floats) -> None:
    """½ H₀ v₊ − H₀ v of every contact that carries an impulse, into `tried_bends`, while the problem is that
    of the start; v₊ is in v0."""
    pad(I, S, T, P, I.v0, at(X, P.dv))
    for k in range(T.n_met):
        bend = bend_at(at(Y, T.tried_bends), k)
        bend.kind, bend.up = Course.PLAIN, 0.0
        out = bend.way
        impulse = at(Y, T.impulses + 3 * k)
        if is_awake(P, k) == 0 or (impulse[0] == 0.0 and impulse[1] == 0.0 and impulse[2] == 0.0):
            for j in range(3):
                out[j] = 0.0
            continue
        slip_of(T, Y, P, X, k, at(X, P.dv), out)
        point = Point(at(X, Contact.of(P, k).point))
        frame = at(Y, T.frames + 9 * k)
        for j in range(3):
            out[j] *= 0.5
            for i in range(3):
                out[j] -= (point.u[i] - point.b[i]) * frame[3 * i + j]
        bend.up = dot(out, frame)
        put_sum(out, out, -bend.up, frame)


@compiled
def find_bends(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float
) -> float:
    """½ (H₀ v₊ + H₁ v₊) − H₀ v of every contact of the start, into `tried_bends`, while the problem is that
    of the end; returns the largest. Of a contact that the end has not, and of one that carries nothing,
    nothing is known."""
    values = TouchValues(Y)
    deepest = values.deepest
    write_contacts(I, S, T, Y, D, F, P, X, h)
    values.deepest = deepest  # this is a try
    pad(I, S, T, P, I.v, at(X, P.dv))
    for k in range(T.n_met):
        if is_awake(P, k) != 0:
            slip_of(T, Y, P, X, k, at(X, P.dv), at(Y, T.arrivals + 3 * k))
    H = Detection(D)
    most = 0.0
    new = 0
    for p in range(H.n_old_patches):
        old = patch_at(D, H.old_patches, p)
        while new < H.n_patches and compare(patch_at(D, H.patches, new), old) == BEFORE:
            new += 1
        is_there = new < H.n_patches and compare(patch_at(D, H.patches, new), old) == SAME
        for k in range(old.first, old.first + old.n):
            same = same_feature(H, D, patch_at(D, H.patches, new), k) if is_there else -1
            most = max(most, add_arrival(T, Y, D, F, P, k, same))
    return most


@inlined
def same_feature(H: Detection, D: Ints, patch: Patch, old: int) -> int:
    """The point of a patch that has the feature of an old one, or −1."""
    for k in range(patch.first, patch.first + patch.n):
        if contact_at(D, H.contacts, k).feature == contact_at(D, H.old_contacts, old).feature:
            return k
    return -1


@inlined
def has_moved(x: Floats, y: Floats, slop: float) -> int:
    """Whether two places are further apart than the slop."""
    square = 0.0
    for i in range(3):
        square += (x[i] - y[i]) * (x[i] - y[i])
    return 1 if square > slop * slop else 0


@inlined
def add_arrival(T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, k: int, end: int) -> float:
    """Add ½ H₁ v₊ of a contact of the end to the bend of contact k of the start; returns its largest
    component. It rolls where its anchors have moved in both bodies."""
    bend = bend_at(at(Y, T.tried_bends), k)
    way = bend.way
    is_known = end >= 0 and (way[0] != 0.0 or way[1] != 0.0 or way[2] != 0.0 or bend.up != 0.0)
    if is_known:
        is_known = is_awake(P, end) != 0
    if not is_known:
        way[0], way[1], way[2], bend.up = 0.0, 0.0, 0.0, 0.0
        return 0.0
    arrival, n = at(Y, T.arrivals + 3 * end), at(Y, T.frames + 9 * end)
    up = dot(arrival, n)
    bend.up += 0.5 * up
    most = math.fabs(bend.up)
    for j in range(3):
        way[j] += 0.5 * (arrival[j] - up * n[j])
        most = max(most, math.fabs(way[j]))
    H = Detection(D)
    x, y = point_at(F, H.old_points, k), point_at(F, H.points, end)
    slop = TouchValues(Y).slop
    if has_moved(x.anchor_a, y.anchor_a, slop) != 0 and has_moved(x.anchor_b, y.anchor_b, slop) != 0:
        bend.kind = Course.ROLLS
    return most
