"""Events of the adaptive method: stops that are hit or let go within a step, found on its dense output."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.crossings import NEVER, ORDER_8, first_crossing, is_in_reach
from tinkerdyne.engine.evaluate import MOTION, NORMALISE, blocks, lift, run_objects
from tinkerdyne.engine.impacts import impact
from tinkerdyne.engine.jumps import put_in_place
from tinkerdyne.engine.records import Constraint, Hold, Index, Row, Scalars, StopMemory, StopValue
from tinkerdyne.engine.steppers.dense_output import END, SPARE, Tableau, extra_stages, interpolate, stage
from tinkerdyne.engine.steppers.divide import hold_crossed
from tinkerdyne.engine.steppers.motion import rows
from tinkerdyne.engine.steppers.runge_kutta import derivative
from tinkerdyne.engine.stops import passed, pulling, release

PULL = 1e-9  # N: a stop that pulls by more is let go at the moment when it begins to
MOMENTS = 40  # looked at for that moment, at most
NEARLY = 1e-2  # of a step: a straight way leads from so near a hit to it


@compiled
def pull_at(I: Index, S: Scalars, tableau: Tableau, t: float, h: float, x: float) -> float:
    """How strongly a closed stop pulls at a share x of the step just tried."""
    interpolate(I, S, tableau, x, h, at(S, I.q))
    S.time = t + x * h
    run_objects(I, S, NORMALISE)
    derivative(I, S, at(S, I.stages + SPARE * (I.nq + I.nv)))
    return pulling(I, S)


@compiled
def pull_begins(I: Index, S: Scalars, tableau: Tableau, t: float, h: float, pulls: float) -> float:
    """The share of the step at which a closed stop begins to pull, by bisection; at `pulls` a stage saw it
    pull, which may have been too far from the motion to be true. NEVER where none does."""
    if not (pull_at(I, S, tableau, t, h, pulls) > PULL):
        if pulls == 1.0 or not (pull_at(I, S, tableau, t, h, 1.0) > PULL):
            return NEVER
        pulls = 1.0
    low = 0.0
    high = pulls
    for _ in range(MOMENTS):
        x = 0.5 * (low + high)
        pull = pull_at(I, S, tableau, t, h, x)
        if pull > 0.0:
            high = x
            if not (pull > PULL):
                break
        else:
            low = x
    return high


@inlined
def first_event(I: Index, S: Scalars, tableau: Tableau, t: float, h: float, near: int, pulls: float) -> float:
    """The share of the step just tried at which a stop is hit or let go; NEVER where none is. S.crossed is −1
    where it is let go. `pulls` is the share of the first stage at which one pulls."""
    if pulls >= NEVER and pulling(I, S) > PULL:
        pulls = 1.0
    is_far = near == 0 and is_in_reach(I, S, h, at(stage(I, S, END), I.nq)) == 0
    if pulls >= NEVER and is_far and passed(I, S) <= S.tolerance:
        return NEVER
    extra_stages(I, S, tableau, t, h)
    first = first_crossing(I, S, tableau, ORDER_8, t, h)
    if pulls < NEVER:
        begins = pull_begins(I, S, tableau, t, h, pulls)
        if begins < first:
            first = begins
            S.crossed = -1.0
    return first


@inlined
def glide(I: Index, S: Scalars, h: float) -> float:
    """From a moment very near a hit to the hit itself, along the derivative at hand; returns how much later
    that is."""
    s = 0.0
    now = StopValue(at(S, Constraint.of(I, int(S.crossed)).record))
    if now.rate < 0.0 and math.fabs(now.c) < -NEARLY * h * now.rate:
        k = stage(I, S, END)
        state = at(S, I.q)  # v follows q
        s = -now.c / now.rate
        for i in range(I.nq + I.nv):
            state[i] += s * k[i]
        S.time += s
        run_objects(I, S, NORMALISE)
    return s


@inlined
def meet(I: Index, S: Scalars, h: float) -> float:
    """At an event, h after the start of the step: stops that pull are let go, those that are hit answer.
    Returns how much later the hit is."""
    later = 0.0
    if S.crossed < 0.0:
        release(I, S, rows(I, S, Row.LAM), 1.0)
    else:
        later = glide(I, S, h)
        struck = impact(I, S)
        C = Constraint.of(I, int(S.crossed))
        mem = StopMemory(at(S, C.memory))
        if mem.hold == Hold.OPEN and (struck == 0 or StopValue(at(S, C.record)).rate < 0.0) and h == 0.0:
            hold_crossed(I, S)
        lift(I, S)
        blocks(I, S, MOTION)
        if passed(I, S) > S.tolerance:  # it came at once
            put_in_place(I, S)
    derivative(I, S, stage(I, S, END))
    if release(I, S, rows(I, S, Row.LAM), 1.0) > 0:  # what leaves at once, though it was hit without a bounce
        derivative(I, S, stage(I, S, END))
    return later
