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
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.meeting import match_impulses, write_contacts
from tinkerdyne.engine.contact.problem import Body, Contact, Point, Problem
from tinkerdyne.engine.contact.touching import Touching, TouchingBody, TouchValues
from tinkerdyne.engine.contact.vectors import dot, put_sum
from tinkerdyne.engine.records import Flag, Index, Object, Scalars

BENT = 1e-3  # of what forces do in a kick: bends that are worth another try


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
def may_bend(I: Index, S: Scalars, T: Touching, Y: Floats) -> int:
    """Whether anything is fast enough for a bend, which is no larger than the speed of a point."""
    limit = BENT * TouchValues(Y).pull
    for b in range(T.n_bodies):
        row = TouchingBody.of(T, b)
        if row.mover >= 0:
            own = Object.of(I, row.object)
            speed = 0.0
            for i in range(own.nv):
                v = math.fabs(S[I.v0 + own.v - I.v + i])
                is_turn = i >= 3 or (own.flags & Flag.PLANAR != 0 and i == 2)
                speed += v * Y[row.reach] if is_turn else v
            if speed > limit:
                return 1
    return 0


@compiled
def note_departure(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem, X: Floats) -> None:
    """½ H₀ v₊ − H₀ v of every contact, while the problem is that of the start; v₊ is in v0. The part along
    the normal goes into `dips`."""
    pad(I, S, T, P, I.v0, at(X, P.dv))
    for k in range(T.n_met):
        out, dip = at(Y, T.departures + 3 * k), at(Y, T.dips + 3 * k)
        for j in range(3):
            out[j], dip[j] = 0.0, 0.0
        if is_awake(P, k) == 0:
            continue
        slip_of(T, Y, P, X, k, at(X, P.dv), out)
        point = Point(at(X, Contact.of(P, k).point))
        frame = at(Y, T.frames + 9 * k)
        for j in range(3):
            out[j] *= 0.5
            for i in range(3):
                out[j] -= (point.u[i] - point.b[i]) * frame[3 * i + j]
        dip[0] = dot(out, frame)
        put_sum(out, out, -dip[0], frame)


@compiled
def find_bends(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float
) -> float:
    """½ (H₀ v₊ + H₁ v₊) − H₀ v of every contact of the end that carried an impulse at the start, into
    `arrivals`; returns the largest."""
    values = TouchValues(Y)
    deepest = values.deepest
    write_contacts(I, S, T, Y, D, F, P, X, h)
    values.deepest = deepest  # this is a try
    pad(I, S, T, P, I.v, at(X, P.dv))
    bends, arrived, rises = at(Y, T.bends), at(Y, T.arrivals), at(Y, T.rises)
    for k in range(T.n_met):
        is_in = is_awake(P, k)
        if is_in != 0:
            slip_of(T, Y, P, X, k, at(X, P.dv), at(arrived, 3 * k))
        for j in range(3):
            arrived[3 * k + j] = 0.5 * arrived[3 * k + j] if is_in != 0 else 0.0
            bends[3 * k + j] = -arrived[3 * k + j]  # of a contact that is new nothing is known
        rises[3 * k] = dot(at(bends, 3 * k), at(Y, T.frames + 9 * k))
    match_impulses(Detection(D), D, bends, at(Y, T.departures))
    match_impulses(Detection(D), D, rises, at(Y, T.dips))
    most = 0.0
    for k in range(T.n_met):
        impulse = at(Y, T.impulses + 3 * k)
        carries = is_awake(P, k) != 0 and (impulse[0] != 0.0 or impulse[1] != 0.0 or impulse[2] != 0.0)
        out, n = at(arrived, 3 * k), at(Y, T.frames + 9 * k)
        up = dot(out, n) + rises[3 * k]
        put_sum(out, out, 1.0, at(bends, 3 * k))
        put_sum(out, out, up - dot(out, n), n)
        for j in range(3):
            out[j] = out[j] if carries else 0.0
            most = max(most, math.fabs(out[j]))
    return most


@compiled
def take_bends_back(T: Touching, Y: Floats, D: Ints) -> None:
    """The bends of the contacts of the end become those of the same contacts at the start, which were found
    again."""
    bends = at(Y, T.bends)
    H = Detection(D)
    for k in range(3 * H.n_contacts):
        bends[k] = 0.0
    match_impulses(H, D, bends, at(Y, T.arrivals))
    T.is_bent = 1


@compiled
def add_bends(T: Touching, Y: Floats, P: Problem, X: Floats) -> None:
    """b += the bends, in the frames of the contacts."""
    for k in range(T.n_met):
        if is_awake(P, k) != 0 and Y[T.holds + k] == 0.0:
            point = Point(at(X, Contact.of(P, k).point))
            frame = at(Y, T.frames + 9 * k)
            bend = at(Y, T.bends + 3 * k)
            for i in range(3):
                point.b[i] += frame[3 * i] * bend[0] + frame[3 * i + 1] * bend[1] + frame[3 * i + 2] * bend[2]
