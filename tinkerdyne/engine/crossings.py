"""Crossings: when in a step a stop is first passed, on the way or at its end.

A stop that is further away than its ends move in the step is not looked at. Of one that is near, room c and
rate ċ at both ends tell most: where c is convex, as along straight ways past something round, it lies above
both tangents. Only where these meet below zero the motion between the ends is looked at, in a few places:
where c falls at one and rises at the next, its least value lies between them, and bisection finds it. Between
its ends the motion is the cubic through both states and their rates, or that of the adaptive method.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import MOTION, NORMALISE, blocks, lift, run_objects
from tinkerdyne.engine.records import (
    Constraint,
    Flag,
    Hold,
    Index,
    Jacobian,
    Kind,
    Object,
    Row,
    Scalars,
    StopMemory,
    StopValue,
)
from tinkerdyne.engine.steppers.dense_output import interpolate
from tinkerdyne.engine.steppers.motion import rows

PLACES = 4  # parts of a step, at whose ends the motion is looked at
BISECTIONS = 60
FAR = 1.5  # times the way that a stop's ends move in a step: further away it is not reached
TURN = 0.3  # rad in a step: with less, ways are straight
NEVER = 2.0  # share of a step: not in it
CUBIC, ORDER_8 = 0, 1  # how the motion between the ends is known
Y0, K0, Y1, K1 = 8, 9, 10, 11  # places of the cubic's ends among the stages


@inlined
def looked_at(S: Scalars, C: Constraint) -> int:
    """Whether a constraint is a stop that may be passed."""
    return 1 if C.kind == Kind.STOP and StopMemory(at(S, C.memory)).hold == Hold.OPEN else 0


@inlined
def ways(I: Index, S: Scalars, C: Constraint) -> float:
    """Σ |J v| over all coordinates: no faster can c change, whichever way they move."""
    b = math.fabs(StopValue(at(S, C.record)).rate)
    total = 0.0
    for k in range(C.jacobian, C.jacobian + C.n_jacobians):
        block = Jacobian.of(I, k)
        for j in range(block.nv):
            total += math.fabs(S[block.J + j] * S[block.v + j])
    return max(b, total)


@compiled
def is_near(I: Index, S: Scalars, h: float) -> int:
    """Whether any open stop may be reached in a time h, by the records and J at hand."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if looked_at(S, C) != 0 and not (S[C.record] > FAR * h * ways(I, S, C)):
            return 1
    return 0


@compiled
def is_in_reach(I: Index, S: Scalars, h: float, acceleration: Floats) -> int:
    """The same for a long step, in which what is at rest now may come to speed."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if looked_at(S, C) == 0:
            continue
        sudden = 0.0
        for k in range(C.jacobian, C.jacobian + C.n_jacobians):
            block = Jacobian.of(I, k)
            for j in range(block.nv):
                sudden += math.fabs(S[block.J + j] * acceleration[block.v - I.v + j])
        if not (S[C.record] > FAR * h * (ways(I, S, C) + 0.5 * h * sudden)):
            return 1
    return 0


@compiled
def fastest_spin(I: Index, S: Scalars) -> float:
    """The largest component of a body's spin."""
    most = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        first = 3 if T.flags & Flag.RIGID != 0 else 2
        if T.flags & (Flag.RIGID | Flag.PLANAR) != 0:
            for i in range(first, T.nv):
                most = max(most, math.fabs(S[T.v + i]))
    return most


@compiled
def note_rooms(I: Index, S: Scalars) -> None:
    """Keep c and ċ of every stop at the start of a step (Row.ROOM, Row.SAVE), as last evaluated."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP:
            now = StopValue(at(S, C.record))
            rows(I, S, Row.ROOM)[C.row] = now.c
            rows(I, S, Row.SAVE)[C.row] = now.rate


@inlined
def tangents_meet(c0: float, rate0: float, c1: float, rate1: float, h: float) -> float:
    """Where c falls at the start and rises at the end of a time h: the height at which its tangents meet."""
    s = (c1 - c0 - rate1 * h) / (rate0 - rate1)
    height: float = c0 + rate0 * s
    return height


@compiled
def may_dip(I: Index, S: Scalars, h: float) -> int:
    """Whether an open stop may be passed between the ends of a step, by c and ċ at both."""
    is_turning = h * fastest_spin(I, S) > TURN
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if looked_at(S, C) == 0:
            continue
        now = StopValue(at(S, C.record))
        c0 = rows(I, S, Row.ROOM)[C.row]
        rate0 = rows(I, S, Row.SAVE)[C.row]
        if is_turning and min(c0, now.c) < FAR * h * max(ways(I, S, C), math.fabs(rate0)):
            return 1
        if rate0 < 0.0 < now.rate and not (tangents_meet(c0, rate0, now.c, now.rate, h) > -S.tolerance):
            return 1
    return 0


@inlined
def cubic(I: Index, S: Scalars, x: float, h: float) -> None:
    """The state at a share x of a step of length h, by the cubic through its ends."""
    n = I.nq + I.nv
    y0 = at(S, I.stages + Y0 * n)
    k0 = at(S, I.stages + K0 * n)
    y1 = at(S, I.stages + Y1 * n)
    k1 = at(S, I.stages + K1 * n)
    a = (1.0 + 2.0 * x) * (1.0 - x) * (1.0 - x)
    b = x * (1.0 - x) * (1.0 - x) * h
    c = x * x * (3.0 - 2.0 * x)
    d = x * x * (x - 1.0) * h
    state = at(S, I.q)  # v follows q
    for i in range(n):
        state[i] = a * y0[i] + b * k0[i] + c * y1[i] + d * k1[i]


@compiled
def look(I: Index, S: Scalars, tableau: Floats, how: int, x: float, t: float, h: float) -> None:
    """The state at a share x of a step of length h from t, and the constraints there."""
    if how == CUBIC:
        cubic(I, S, x, h)
    else:
        interpolate(I, S, tableau, x, h, at(S, I.q))
    S.time = t + x * h
    run_objects(I, S, NORMALISE)
    lift(I, S)
    blocks(I, S, MOTION)


@compiled
def root(
    I: Index, S: Scalars, tableau: Floats, how: int, t: float, h: float, c: int,
    a: float, b: float, fa: float, fb: float,
) -> float:  # fmt: skip
    """Where the room of stop c vanishes between a, where it is fa > 0, and b, where it is fb < 0: by the
    Illinois rule."""
    place = Constraint.of(I, c).record
    room_a = fa  # as it is: the rule halves fa and fb
    room_b = fb
    side = 0
    for k in range(BISECTIONS):
        x = (a * fb - b * fa) / (fb - fa)
        if k % 4 == 3 or not (min(a, b) <= x <= max(a, b)):
            x = 0.5 * (a + b)
        if x == a or x == b:
            break
        look(I, S, tableau, how, x, t, h)
        f = S[place]
        if f == 0.0:
            return x
        if f > 0.0:
            a = x
            fa = f
            room_a = f
            if side == 1:
                fb *= 0.5
            side = 1
        else:
            b = x
            fb = f
            room_b = f
            if side == -1:
                fa *= 0.5
            side = -1
    return a if room_a < -room_b else b


@compiled
def after_leaving(
    I: Index, S: Scalars, tableau: Floats, how: int, t: float, h: float, c: int, low: float, high: float
) -> float:
    """Where a stop that is touched at `low` and left there is met again before `high`, where it is passed;
    `low` where it is not left at all."""
    place = Constraint.of(I, c).record
    b = high
    fb = -1.0
    for _ in range(BISECTIONS):
        x = low + 0.5 * (b - low)
        if x == low or x == b:
            break
        look(I, S, tableau, how, x, t, h)
        f = S[place]
        if f > 0.0:
            look(I, S, tableau, how, b, t, h)
            fb = S[place]
            return root(I, S, tableau, how, t, h, c, x, b, f, fb)
        b = x
    return low


@compiled
def in_dip(
    I: Index, S: Scalars, tableau: Floats, how: int, t: float, h: float, c: int, low: float, high: float
) -> float:
    """Where stop c is passed between two places, at which it falls and rises; NEVER where it is not."""
    C = Constraint.of(I, c)
    row = C.row
    a = low
    b = high
    fa = rows(I, S, Row.ROOM_BEFORE)[row]
    ra = rows(I, S, Row.BEFORE)[row]
    fb = rows(I, S, Row.ROOM_AFTER)[row]
    rb = rows(I, S, Row.CLOSING)[row]
    for _ in range(BISECTIONS):
        if tangents_meet(fa, ra, fb, rb, (b - a) * h) > -S.tolerance:
            return NEVER
        x = 0.5 * (a + b)
        look(I, S, tableau, how, x, t, h)
        now = StopValue(at(S, C.record))
        if now.c < -S.tolerance:
            if not (fa > 0.0):
                return a
            return root(I, S, tableau, how, t, h, c, a, x, fa, now.c)
        if now.rate < 0.0:
            a = x
            fa = now.c
            ra = now.rate
        else:
            b = x
            fb = now.c
            rb = now.rate
        if b - a < 1e-15:
            break
    return NEVER


@inlined
def crossing_between(
    I: Index, S: Scalars, tableau: Floats, how: int, t: float, h: float, c: int, low: float, high: float
) -> float:
    """Where stop c is first passed between two places, or NEVER."""
    row = Constraint.of(I, c).row
    before = rows(I, S, Row.ROOM_BEFORE)[row]
    after = rows(I, S, Row.ROOM_AFTER)[row]
    falls = rows(I, S, Row.BEFORE)[row] < 0.0
    found = NEVER
    if not (after >= -S.tolerance):  # what is not a number is passed too
        if before <= S.tolerance and not falls:
            found = after_leaving(I, S, tableau, how, t, h, c, low, high)
        elif before > 0.0:
            found = root(I, S, tableau, how, t, h, c, low, high, before, after)
        else:
            found = low
    elif falls and rows(I, S, Row.CLOSING)[row] > 0.0:
        found = in_dip(I, S, tableau, how, t, h, c, low, high)
    return found


@compiled
def first_crossing(I: Index, S: Scalars, tableau: Floats, how: int, t: float, h: float) -> float:
    """The share of a step of length h from t at which an open stop is first passed, and S.crossed which one;
    NEVER where none is. It leaves another state."""
    room = rows(I, S, Row.ROOM_AFTER)
    rate = rows(I, S, Row.CLOSING)
    first = NEVER
    for k in range(PLACES + 1):
        x = k / PLACES
        for i in range(I.nr):
            rows(I, S, Row.ROOM_BEFORE)[i] = room[i]
            rows(I, S, Row.BEFORE)[i] = rate[i]
        look(I, S, tableau, how, x, t, h)
        for c in range(I.n_constraints):
            C = Constraint.of(I, c)
            if C.kind == Kind.STOP:
                now = StopValue(at(S, C.record))
                room[C.row] = now.c
                rate[C.row] = now.rate
        if k == 0:
            continue
        for c in range(I.n_constraints):
            if looked_at(S, Constraint.of(I, c)) != 0:
                found = crossing_between(I, S, tableau, how, t, h, c, x - 1.0 / PLACES, x)
                if found < first:
                    first = found
                    S.crossed = float(c)
        if first < NEVER:
            break
    return first
