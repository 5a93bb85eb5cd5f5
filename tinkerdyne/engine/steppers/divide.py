"""Divided steps: a step of any method is cut where a stop is hit and where a moving constraint jumps; the
impulse acts there, and the rest of the step follows.

All methods take one step at a time, so that a shorter one from the same start ends on the same motion. The
moment of a hit comes from the cubic between both ends of the whole step; Newton's method on the length of the
step, its state being known there, then finds it to rounding.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.crossings import CUBIC, NEVER, first_crossing, is_near, may_dip, note_rooms
from tinkerdyne.engine.evaluate import MOTION, blocks, lift
from tinkerdyne.engine.impacts import GENTLE, MOST_BOUNCES, impact
from tinkerdyne.engine.jumps import just_before, next_jump, put_in_place
from tinkerdyne.engine.records import Constraint, Hold, Index, Kind, Row, Scalars, StopMemory, StopValue
from tinkerdyne.engine.steppers.guard import PLAIN, TAUT
from tinkerdyne.engine.steppers.methods import IMPLICIT, RATTLE, RUNGE_KUTTA, STORMER
from tinkerdyne.engine.steppers.motion import accelerate, rows
from tinkerdyne.engine.steppers.rattle import SOFT_EPSILON, scale_multipliers
from tinkerdyne.engine.steppers.trial import (
    go_back,
    keep_whole,
    know_way,
    put_end,
    put_whole_back,
    set_out,
    take,
)
from tinkerdyne.engine.stops import forget_hits, passed, recalled, release
from tinkerdyne.engine.yielding import count_yielding

ARRIVALS = 5  # steps at most to the moment of a hit
FINE = 1e-13  # room [SI] at a hit: nearer than that is rounding
SHORTEST = 1e-14  # of the time: parts shorter than that are none
MOST_PARTS, PARTS_A_STOP = 32, 24  # of a step; what is left after them is taken as one, or no time would pass
LAST_PARTS = 8  # between jumps that are still to come
WILD = 1e4  # m/s that the multiplier of one stop would change its rate by in half a step
RELEASES = 16  # times a step is taken again because a stop would pull


@compiled
def arrive(I: Index, S: Scalars, method: int, t: float, s: float, h: float) -> float:
    """Steps from the start of a part at t to the moment, about s later, when the stop S.crossed is hit;
    returns how much later that is. h is the length of the step taken before."""
    place = Constraint.of(I, int(S.crossed)).record
    last = math.inf
    for _ in range(ARRIVALS):
        go_back(I, S, method, t)
        if not (s > SHORTEST * max(1.0, math.fabs(t))):
            return 0.0
        if method == RATTLE:
            scale_multipliers(I, S, s / h)
        take(I, S, method, s)
        if S.wants_tangent != 0.0:
            break
        S.time = t + s
        lift(I, S)
        blocks(I, S, MOTION)
        now = StopValue(at(S, place))
        h = s
        if not (math.fabs(now.c) > FINE) or not (math.fabs(now.c) < 0.5 * last) or not (now.rate < 0.0):
            break
        last = math.fabs(now.c)
        s = min(1.5 * s, max(0.5 * s, s - now.c / now.rate))
    S.ready = 0.0
    return h


@inlined
def let_go(I: Index, S: Scalars, method: int, how: int) -> int:
    """After a step: open the closed stops that pulled in it; returns how many."""
    n = 0
    if method == STORMER:
        n = 0
    elif method == RATTLE and (how == PLAIN or how == TAUT):
        recalled(I, S, rows(I, S, Row.TRY))
        n = release(I, S, rows(I, S, Row.TRY), -1.0)
    elif method == RUNGE_KUTTA or method == IMPLICIT:
        n = release(I, S, rows(I, S, Row.LAM), 1.0)
    else:  # the other schemes leave no multipliers behind
        accelerate(I, S, SOFT_EPSILON)
        S.ready = 0.0
        n = release(I, S, rows(I, S, Row.LAM), 1.0)
    return n


@inlined
def open_newly_hit(I: Index, S: Scalars) -> None:
    """After a step of Störmer's method, whose assembly has closed what it passed: stops that were not touched
    before are open while it is asked whether they were passed altogether."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        rows(I, S, Row.LIFTED)[C.row] = 0.0
        if C.kind == Kind.STOP and mem.hold == Hold.EXACT and rows(I, S, Row.ROOM)[C.row] > S.tolerance:
            mem.hold = Hold.OPEN
            rows(I, S, Row.LIFTED)[C.row] = 1.0


@inlined
def close_newly_hit(I: Index, S: Scalars, h: float) -> None:
    """They were not. What hit them may have lost energy."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and rows(I, S, Row.LIFTED)[C.row] != 0.0:
            StopMemory(at(S, C.memory)).hold = Hold.EXACT
            S.hits += 1.0
            if rows(I, S, Row.ROOM)[C.row] > GENTLE * h:
                note_unbounced(I, S, c)


@inlined
def note_touching(I: Index, S: Scalars) -> None:
    """Before a step of Störmer's method: stops that are touched already, and come on, would bounce here."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and StopMemory(at(S, C.memory)).hold == Hold.OPEN:
            now = StopValue(at(S, C.record))
            if now.c <= S.tolerance and now.rate < -GENTLE:
                note_unbounced(I, S, c)


@inlined
def note_unbounced(I: Index, S: Scalars, c: int) -> None:
    """A stop that Störmer's method hits: does it ask for a bounce?"""
    C = Constraint.of(I, c)
    if C.restitution >= 0 and S[C.restitution] > 0.0:
        S.unbounced += 1.0


@inlined
def is_in_doubt(I: Index, S: Scalars, h: float, was_near: int) -> int:
    """Whether the step just taken may have passed a stop."""
    if passed(I, S) > S.tolerance:
        return 1
    if was_near == 0 and is_near(I, S, h) == 0:
        return 0
    blocks(I, S, MOTION)  # ċ of the velocity at the end
    return may_dip(I, S, h)


@inlined
def hold_crossed(I: Index, S: Scalars) -> None:
    """A stop that is passed though nothing closes it, pressed on from rest: it holds from now on."""
    C = Constraint.of(I, int(S.crossed))
    mem = StopMemory(at(S, C.memory))
    mem.mu = 0.0
    mem.c0 = 0.0
    mem.rate0 = 0.0
    mem.hold = Hold.EXACT
    rows(I, S, Row.HITS)[C.row] += 1.0
    count_yielding(I, S)
    S.ready = 0.0


@inlined
def meet(I: Index, S: Scalars, method: int, s: float) -> None:
    """At a hit, s after the start of a part: the impulses, or hold what only presses."""
    struck = impact(I, S)
    if struck != 0 and method == STORMER:
        note_unbounced(I, S, int(S.crossed))
    if struck != 0 and method == RATTLE:
        accelerate(I, S, SOFT_EPSILON)
        release(I, S, rows(I, S, Row.LAM), 1.0)  # what leaves at once, though it was hit without a bounce
        S.ready = 0.0
    C = Constraint.of(I, int(S.crossed))
    mem = StopMemory(at(S, C.memory))
    if mem.hold == Hold.OPEN and (struck == 0 or StopValue(at(S, C.record)).rate < 0.0) and s == 0.0:
        hold_crossed(I, S)
    lift(I, S)
    blocks(I, S, MOTION)
    if passed(I, S) > S.tolerance:  # it came at once
        put_in_place(I, S)


@compiled
def part(I: Index, S: Scalars, method: int, h: float, releases: int, is_whole: int) -> tuple[float, int, int]:
    """A step over h, or up to the first hit in it where it need not be whole: how long it was, how it was
    taken, and whether a stop was let go."""
    t = S.time
    set_out(I, S, method, h)
    if I.stops == 0 or is_whole != 0:
        how = take(I, S, method, h)
        return h, how, 0
    near = is_near(I, S, h)
    if near != 0:
        blocks(I, S, MOTION)  # ċ of the present velocity
        if method == STORMER:
            note_touching(I, S)
        if strikes_at_once(I, S, h) != 0 and impact(I, S) != 0:
            return 0.0, PLAIN, 0
    note_rooms(I, S)
    how = take(I, S, method, h)
    if S.wants_tangent != 0.0:
        return h, how, 0
    if releases > 0 and let_go(I, S, method, how) > 0:
        go_back(I, S, method, t)
        S.ready = 0.0
        return 0.0, how, 1
    S.time = t + h
    if method == STORMER:
        open_newly_hit(I, S)
    if is_in_doubt(I, S, h, near) == 0:
        if method == STORMER:
            close_newly_hit(I, S, h)
        return h, how, 0
    know_way(I, S, method, h)
    share = first_crossing(I, S, S, CUBIC, t, h)
    if share >= NEVER:
        put_end(I, S, method, t + h)
        if method == STORMER:
            close_newly_hit(I, S, h)
        return h, how, 0
    s = arrive(I, S, method, t, share * h, h)
    if S.wants_tangent == 0.0:
        meet(I, S, method, s)
    return s, how, 0


@inlined
def strikes_at_once(I: Index, S: Scalars, h: float) -> int:
    """Whether an open stop that is touched now will be passed in a time h at its present rate."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and StopMemory(at(S, C.memory)).hold == Hold.OPEN:
            now = StopValue(at(S, C.record))
            if now.c <= S.tolerance and now.c + h * now.rate < -S.tolerance:
                return 1
    return 0


@inlined
def forget_wild_multipliers(I: Index, S: Scalars) -> None:
    """Where a closed stop contradicts an exact motor, their multipliers grow against each other from step to
    step, until their difference is rounding: then all begin from zero again."""
    scale = at(S, I.scale)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        if C.kind == Kind.STOP and mem.hold == Hold.EXACT and math.fabs(mem.mu) * scale[C.row] > WILD:
            scale_multipliers(I, S, 0.0)
            break


@compiled
def divided_step(I: Index, S: Scalars, method: int, end: float) -> int:
    """One step to the time `end`, divided at hits and jumps; returns how it was taken."""
    h = end - S.time
    S.whole_step = h
    releases = RELEASES
    worst = PLAIN
    forget_hits(I, S)
    if method == RATTLE:
        forget_wild_multipliers(I, S)
    if method == STORMER:  # nothing bounces
        for i in range(I.nr):
            rows(I, S, Row.HITS)[i] = MOST_BOUNCES
    jump = next_jump(I, S, h) if I.jumps != 0 else math.inf
    if I.tangent == 0:
        keep_whole(I, S)
    most = MOST_PARTS + PARTS_A_STOP * I.stops
    for k in range(most + LAST_PARTS):
        t = S.time
        left = end - t
        if not (left > SHORTEST * max(1.0, math.fabs(end))):
            break
        span = just_before(jump) - t if jump <= end else left
        done = 0.0
        if span > 0.0:
            done, how, let = part(I, S, method, span, releases, 1 if k >= most else 0)
            if S.wants_tangent != 0.0:
                put_whole_back(I, S)
                return how
            worst = max(worst, how)
            releases -= let
            if done < span:
                S.implicit_step = 0.0  # an impulse came between
        S.time = t + done if done < left else end
        if jump <= end and not (done < span):
            S.time = jump
            put_in_place(I, S)
            S.implicit_step = 0.0
            jump = next_jump(I, S, end - jump) if end > jump else math.inf
    S.time = end
    S.whole_step = 0.0
    return worst
