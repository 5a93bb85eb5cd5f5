"""Adaptive Runge–Kutta of order 8(5,3) with dense output (Dormand and Prince; Hairer's DOP853), with the
constraints projected.

The projection rides on the evaluation that begins the next step: its Jacobian and factor, at the new state,
serve both. The coefficients are those of `scipy.integrate.DOP853`, passed in as one array.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats, IntRecord
from tinkerdyne.engine.crossings import NEVER, fastest_spin, is_in_reach
from tinkerdyne.engine.evaluate import MOTION, NORMALISE, blocks, kinetic, lift, run_objects, wind
from tinkerdyne.engine.impacts import GENTLE, closing_speed, impact
from tinkerdyne.engine.jumps import just_before, next_jump, put_in_place
from tinkerdyne.engine.records import Index, Row, Scalars
from tinkerdyne.engine.steppers.accuracy import note_gap
from tinkerdyne.engine.steppers.adaptive_events import PULL, first_event, meet
from tinkerdyne.engine.steppers.dense_output import (
    END,
    TRIAL,
    Tableau,
    combine,
    extra_stages,
    interpolate,
    set_state,
    stage,
)
from tinkerdyne.engine.steppers.leap import LEAP, compare, is_stuck, leap
from tinkerdyne.engine.steppers.motion import copy, rows
from tinkerdyne.engine.steppers.project import project_position, project_velocity_within_reach
from tinkerdyne.engine.steppers.runge_kutta import derivative, note_forces, ride
from tinkerdyne.engine.stops import forget_hits, pulling, release

TURN = 1.0  # rad that a body may turn in a step where turns are counted
TOO_SMALL, NOT_YET = -1, -2  # why a run ended early: no step is short enough; the attempts are used up
SHORTEST = 1e-15  # of the time: an event that soon is now
# s in which a stop bounces at most MOST_BOUNCES times and is let go at most MOST_RELEASES times; longer where
# it contradicts other constraints
FORGET, LONGEST_WAIT = 1e-4, 0.1
SHORTEST_START = (
    1e-9  # s: from rest, where velocities are measured by atol alone, the estimate is far too short
)


class Wanted(IntRecord):
    """How many moments dense output is wanted at, and which is the next; attempts left."""

    count: int
    next: int
    attempts: int


@inlined
def starting_step(I: Index, S: Scalars, t: float) -> float:
    """Hairer's starting step: a hundredth of the time in which the state would change by itself."""
    NQ = I.nq
    n = NQ + I.nv
    q = at(S, I.q)
    v = at(S, I.v)
    K = stage(I, S, 0)
    d0 = 0.0
    d1 = 0.0
    for i in range(n):
        x = q[i] if i < NQ else v[i - NQ]
        sc = S.atol + S.rtol * math.fabs(x)
        d0 += (x / sc) * (x / sc)
        d1 += (K[i] / sc) * (K[i] / sc)
    h = 1e-6
    if d0 > 1e-10 * n and d1 > 1e-10 * n:
        h = 0.01 * math.sqrt(d0 / d1)
    # late, a short one is lost in rounding
    return max(min(max(h, SHORTEST_START), 1e-2), 1e-12 * math.fabs(t))


@inlined
def begin(I: Index, S: Scalars) -> None:
    """The derivative at the start, with the stops that an edit pulls off open at once, and those hit that are
    touched."""
    S.tried_step = 0.0
    S.is_noisy = 0.0
    forget_hits(I, S)
    run_objects(I, S, NORMALISE)
    derivative(I, S, stage(I, S, 0))
    if I.stops != 0:
        released = release(I, S, rows(I, S, Row.LAM), 1.0)
        if closing_speed(I, S) >= GENTLE:
            released += impact(I, S)
        if released > 0:
            derivative(I, S, stage(I, S, 0))


@inlined
def try_step(I: Index, S: Scalars, tableau: Tableau, t: float, h: float) -> float:
    """Twelve stages from (q, v), and the trial state at the step's end; returns the share of the first stage
    at which a closed stop pulls, NEVER where none does."""
    pulls = NEVER
    copy(at(S, I.q), at(S, I.q0), I.nq)
    copy(at(S, I.v), at(S, I.v0), I.nv)
    for s in range(1, 12):
        combine(I, S, at(tableau.A, 12 * s), s, h)
        set_state(I, S, stage(I, S, TRIAL), t + tableau.C[s] * h)
        derivative(I, S, stage(I, S, s))
        if I.stops != 0 and tableau.C[s] < pulls and pulling(I, S) > PULL:
            pulls = tableau.C[s]
    combine(I, S, tableau.B, 12, h)
    return pulls


@inlined
def error_of(I: Index, S: Scalars, tableau: Tableau, h: float) -> float:
    """The error of the trial state in units of the tolerances: Hairer's mean of orders 5 and 3."""
    NQ = I.nq
    n = NQ + I.nv
    K = stage(I, S, 0)
    y = stage(I, S, TRIAL)
    q0 = at(S, I.q0)
    v0 = at(S, I.v0)
    e5 = 0.0
    e3 = 0.0
    for i in range(n):
        x5 = 0.0
        x3 = 0.0
        for s in range(12):
            x5 += tableau.E5[s] * K[s * n + i]
            x3 += tableau.E3[s] * K[s * n + i]
        before = q0[i] if i < NQ else v0[i - NQ]
        sc = S.atol + S.rtol * max(math.fabs(before), math.fabs(y[i]))
        e5 += (x5 / sc) * (x5 / sc)
        e3 += (x3 / sc) * (x3 / sc)
    if e5 == 0.0 and e3 == 0.0:  # a NaN must not pass for no error
        return 0.0
    return h * e5 / math.sqrt((e5 + 0.01 * e3) * n)


@inlined
def go_back(I: Index, S: Scalars, t: float) -> None:
    """The state at the start of the step again."""
    copy(at(S, I.q0), at(S, I.q), I.nq)
    copy(at(S, I.v0), at(S, I.v), I.nv)
    S.time = t


@inlined
def turns_too_far(I: Index, S: Scalars, h: float) -> int:
    """Whether the step turns too far for turns to be counted."""
    return 1 if I.winds != 0 and h * fastest_spin(I, S) > 2.0 * TURN else 0


@inlined
def settle_step(I: Index, S: Scalars) -> None:
    """After a step: projection, turns; the derivative at its end."""
    is_wide = ride(I, S)
    note_forces(I, S, stage(I, S, END))
    if is_wide != 0:
        S.gap = project_position(I, S, 1e-12, 30, math.inf)
        project_velocity_within_reach(I, S, 1e-10)
        derivative(I, S, stage(I, S, END))
    note_gap(I, S)
    if I.winds != 0:
        wind(I, S)
    S.turnover = max(S.turnover, kinetic(I, S))


@inlined
def write_wanted(
    I: Index, S: Scalars, tableau: Tableau, t: float, h: float, wanted: Wanted, times: Floats, out: Floats
) -> None:
    """The states at the moments wanted in the step just tried; the state at its end is there again."""
    if wanted.next < wanted.count and times[wanted.next] <= t + h:
        n = I.nq + I.nv
        extra_stages(I, S, tableau, t, h)
        while wanted.next < wanted.count and times[wanted.next] <= t + h:
            interpolate(I, S, tableau, (times[wanted.next] - t) / h, h, at(out, wanted.next * n))
            wanted.next += 1
        set_state(I, S, stage(I, S, TRIAL), t + h)
        derivative(I, S, stage(I, S, END))


@inlined
def end_of_step(I: Index, S: Scalars, t: float, h: float) -> None:
    """The trial state, and the derivative there."""
    set_state(I, S, stage(I, S, TRIAL), t + h)
    derivative(I, S, stage(I, S, END))


@compiled
def take_step(
    I: Index, S: Scalars, tableau: Tableau, t: float, h: float, wanted: Wanted, times: Floats, out: Floats
) -> tuple[float, float]:
    """One step from t, if its error allows, or up to the first event in it: how long it was, below 0 if it
    was not taken, and the factor for the next one."""
    if S.taut > 0.0:  # the compliant step has some more to take
        return -1.0, 1.0
    near = 0
    if I.stops != 0:
        lift(I, S)
        blocks(I, S, MOTION)
        near = is_in_reach(I, S, h, at(stage(I, S, 0), I.nq))
    pulls = try_step(I, S, tableau, t, h)
    error = error_of(I, S, tableau, h)
    if not (error < 1.0):  # a NaN counts as an error too large
        go_back(I, S, t)
        compare(S, h, error)
        if error != error or math.isinf(error):
            return -1.0, 0.1
        return -1.0, max(0.2, 0.9 * error ** (-0.125))
    end_of_step(I, S, t, h)
    if turns_too_far(I, S, h) != 0:
        go_back(I, S, t)
        return -1.0, 0.5
    factor = 10.0 if error == 0.0 else min(10.0, max(0.2, 0.9 * error ** (-0.125)))
    share = NEVER
    if I.stops != 0:
        share = first_event(I, S, tableau, t, h, near, pulls)
        if share < NEVER:
            go_back(I, S, t)
            h *= share
            if h < SHORTEST * max(1.0, math.fabs(t)):
                derivative(I, S, stage(I, S, END))
                meet(I, S, 0.0)
                copy(stage(I, S, END), stage(I, S, 0), I.nq + I.nv)
                return 0.0, 1.0
            try_step(I, S, tableau, t, h)
        end_of_step(I, S, t, h)
    write_wanted(I, S, tableau, t, h, wanted, times, out)
    settle_step(I, S)
    if share < NEVER:
        factor = 1.0 / share
        h += meet(I, S, h)
    elif I.stops != 0 and release(I, S, rows(I, S, Row.LAM), 1.0) > 0:
        derivative(I, S, stage(I, S, END))
    copy(stage(I, S, END), stage(I, S, 0), I.nq + I.nv)
    return h, factor


@inlined
def leap_on(I: Index, S: Scalars, t: float, most: float, wanted: Wanted, times: Floats, out: Floats) -> float:
    """A leap from the state at t, up to the next moment that is wanted; returns how long it was, or −1 when
    it wants the tangent matrix."""
    n = I.nq + I.nv
    h = min(most, LEAP)
    if I.jumps != 0:  # none is known of beyond the step that was tried
        h = min(h, just_before(next_jump(I, S, h)) - t)
    if wanted.next < wanted.count:
        h = min(h, max(times[wanted.next] - t, SHORTEST))
    if leap(I, S, t, h) != 0:
        return -1.0
    while wanted.next < wanted.count and times[wanted.next] <= t + h:
        copy(at(S, I.q), at(out, wanted.next * n), I.nq)
        copy(at(S, I.v), at(out, wanted.next * n + I.nq), I.nv)
        wanted.next += 1
    return h


@inlined
def longest_now(I: Index, S: Scalars, longest: float) -> float:
    """The longest step that is asked for, and in which turns can be counted."""
    if I.winds == 0:
        return longest
    return min(longest, TURN / max(1e-6, fastest_spin(I, S)))


@inlined
def take_jump(I: Index, S: Scalars, t: float) -> None:
    """Just after a jump, at t: everything into its new place, and the derivative there."""
    S.time = t
    put_in_place(I, S)
    derivative(I, S, stage(I, S, 0))


@entry("IFFddFFI")
def advance_adaptive(
    I: Index, S: Scalars, tableau: Tableau, end: float, longest: float,
    times: Floats, out: Floats, wanted: Wanted,
) -> int:  # fmt: skip
    """Integrate to `end` by steps of `longest` at most, with (q, v) at the given times in `out`.

    Returns the steps taken, or TOO_SMALL when the step became too small, NOT_YET when the attempts were used
    up (both keep the last good state, and it can go on from there)."""
    t = S.time
    begin(I, S)
    h = S.next_step if S.next_step > 0.0 else starting_step(I, S, t)
    steps = 0
    since = t
    wait = FORGET
    jump = next_jump(I, S, min(end - t, longest)) if I.jumps != 0 else math.inf
    while t < end - 1e-14 * max(1.0, math.fabs(end)):
        if wanted.attempts <= 0:
            return NOT_YET
        wanted.attempts -= 1
        if t - since > wait:
            since = t
            wait = min(2.0 * wait, LONGEST_WAIT) if forget_hits(I, S) != 0 else FORGET
        h = min(h, longest_now(I, S, longest))
        last = min(end, just_before(jump))
        keep = h
        is_last = t + h >= last
        if is_last:
            h = last - t
        if h < 1e-13 * max(1.0, math.fabs(t)) and not is_last:
            return TOO_SMALL
        done, factor = 0.0, 1.0
        if h > 1e-14 * max(1.0, math.fabs(t)):
            done, factor = take_step(I, S, tableau, t, h, wanted, times, out)
        if done < 0.0:
            h *= factor
            if is_stuck(I, S, h) == 0:
                continue
            h, keep = leap_on(I, S, t, min(last - t, longest), wanted, times, out), h
            if h < 0.0:
                return NOT_YET
            done, is_last = h, t + h >= last
        S.tried_step = 0.0
        is_there = is_last and not (done < h)
        t = last if is_there else t + done
        if is_there:
            h = keep
        elif done > 0.0:
            h = done * factor
        S.time = t
        if is_there and jump <= end:
            t = jump
            take_jump(I, S, jump)
        if I.jumps != 0:
            jump = next_jump(I, S, min(end - t, min(h, longest)))
        steps += 1
        S.next_step = h
        S.count_steps += 1.0
    S.ready = 0.0
    return steps
