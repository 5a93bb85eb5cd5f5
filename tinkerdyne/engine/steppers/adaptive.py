"""Adaptive Runge–Kutta of order 8(5,3) with dense output (Dormand and Prince; Hairer's DOP853), with the
constraints projected.

The projection rides on the evaluation that begins the next step: its Jacobian and factor, at the new state,
serve both. The coefficients are those of `scipy.integrate.DOP853`, passed in as one array.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import FloatRecord, Floats, IntRecord, cells
from tinkerdyne.engine.dips import deepest_dip
from tinkerdyne.engine.evaluate import NORMALISE, kinetic, run_objects, wind
from tinkerdyne.engine.jumps import find_jumps
from tinkerdyne.engine.records import Flag, Index, Object, Row, Scalars
from tinkerdyne.engine.steppers.motion import copy, rows
from tinkerdyne.engine.steppers.project import project_position, project_velocity
from tinkerdyne.engine.steppers.runge_kutta import derivative, ride
from tinkerdyne.engine.stops import note_speeds, passed, pulling, release, stop_after

DEEP, FINEST = 1e-9, 1e-7  # a stop is passed by this much [SI] at most, or in a step this short [s]
TURN = 1.0  # rad that a body may turn in a step where turns are counted
TOO_SMALL, TOO_MANY = -1, -2  # why a run ended early
END = 12  # the stage at the step's end, which is the first one of the next step
START = 13  # the place of the state at the start of a step, free until dense output wants it
TRIAL = 16  # the place of the trial state, behind the stages


class Tableau(FloatRecord):
    """The coefficients of DOP853, passed in as one array."""

    A: Floats = cells(144)  # 12×12
    B: Floats = cells(12)
    C: Floats = cells(12)
    E3: Floats = cells(12)
    E5: Floats = cells(12)
    A_extra: Floats = cells(48)  # 3×16, of the stages for dense output
    C_extra: Floats = cells(3)
    D: Floats = cells(64)  # 4×16


class Wanted(IntRecord):
    """How many moments dense output is wanted at, and which is the next."""

    count: int
    next: int


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
def set_state(I: Index, S: Scalars, y: Floats, t: float) -> None:
    """Put a flat state (q, v) into the arena, rotations made pure."""
    copy(y, at(S, I.q), I.nq)
    copy(at(y, I.nq), at(S, I.v), I.nv)
    S.time = t
    run_objects(I, S, NORMALISE)


@inlined
def stage(I: Index, S: Scalars, s: int) -> Floats:
    """The derivative at stage s, or with TRIAL the trial state."""
    return at(S, I.stages + s * (I.nq + I.nv))


@inlined
def starting_step(I: Index, S: Scalars) -> float:
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
    return min(h, 1e-2)


@inlined
def begin(I: Index, S: Scalars) -> None:
    """The derivative at the start, with the stops that an edit pulls off open at once."""
    run_objects(I, S, NORMALISE)
    derivative(I, S, stage(I, S, 0))
    if I.stops != 0:
        if release(I, S, rows(I, S, Row.LAM), 1.0) > 0:
            derivative(I, S, stage(I, S, 0))
        note_speeds(I, S)


@compiled
def combine(I: Index, S: Scalars, a: Floats, stages: int, h: float) -> None:
    """y = y₀ + h Σ aₛ kₛ, the trial state."""
    NQ = I.nq
    n = NQ + I.nv
    y = stage(I, S, TRIAL)
    q0 = at(S, I.q0)
    v0 = at(S, I.v0)
    for i in range(n):
        y[i] = q0[i] if i < NQ else v0[i - NQ]
    for s in range(stages):
        f = h * a[s]
        if f != 0.0:
            k = stage(I, S, s)
            for i in range(n):
                y[i] += f * k[i]


@inlined
def try_step(I: Index, S: Scalars, tableau: Tableau, t: float, h: float) -> None:
    """Twelve stages from (q, v), and the trial state at the step's end."""
    copy(at(S, I.q), at(S, I.q0), I.nq)
    copy(at(S, I.v), at(S, I.v0), I.nv)
    for s in range(1, 12):
        combine(I, S, at(tableau.A, 12 * s), s, h)
        set_state(I, S, stage(I, S, TRIAL), t + tableau.C[s] * h)
        derivative(I, S, stage(I, S, s))
    combine(I, S, tableau.B, 12, h)


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
def dip(I: Index, S: Scalars, h: float) -> float:
    """How far open stops are passed within the step just tried; the state at its end is there again."""
    start = stage(I, S, START)
    copy(at(S, I.q0), start, I.nq)
    copy(at(S, I.v0), at(start, I.nq), I.nv)
    deepest = deepest_dip(I, S, start, stage(I, S, 0), stage(I, S, TRIAL), stage(I, S, END), h)
    set_state(I, S, stage(I, S, TRIAL), S.time)
    derivative(I, S, stage(I, S, END))
    return deepest


@inlined
def goes_too_far(I: Index, S: Scalars, h: float) -> int:
    """Whether the step passes a stop, or pulls at one for long, or turns too far for turns to be counted."""
    if I.stops != 0 and h > FINEST and (max(passed(I, S), pulling(I, S)) > DEEP or dip(I, S, h) > DEEP):
        return 1
    return 1 if I.winds != 0 and h * fastest_spin(I, S) > 2.0 * TURN else 0


@inlined
def settle_step(I: Index, S: Scalars, t: float) -> None:
    """After a step: projection, stops, turns and jumps; the derivative at its end becomes the first stage."""
    if ride(I, S) != 0:
        S.gap = project_position(I, S, 1e-12, 30, math.inf)
        project_velocity(I, S, 1e-10)
        derivative(I, S, stage(I, S, END))
    if I.stops != 0:
        if stop_after(I, S, math.inf) != 0:
            derivative(I, S, stage(I, S, END))
        note_speeds(I, S)
    if I.winds != 0:
        wind(I, S)
    if I.jumps != 0:
        find_jumps(I, S, t)
    copy(stage(I, S, END), stage(I, S, 0), I.nq + I.nv)
    S.turnover = max(S.turnover, kinetic(I, S))


@inlined
def take_step(
    I: Index, S: Scalars, tableau: Tableau, t: float, h: float, wanted: Wanted, times: Floats, out: Floats
) -> tuple[int, float]:
    """One step from t, if its error and its end allow; whether it was taken, and the factor for the next
    one."""
    try_step(I, S, tableau, t, h)
    error = error_of(I, S, tableau, h)
    if not (error < 1.0):  # a NaN counts as an error too large
        go_back(I, S, t)
        if error != error or math.isinf(error):
            return 0, 0.1
        return 0, max(0.2, 0.9 * error ** (-0.125))
    set_state(I, S, stage(I, S, TRIAL), t + h)
    derivative(I, S, stage(I, S, END))
    if goes_too_far(I, S, h) != 0:
        go_back(I, S, t)
        return 0, 0.5  # up to the moment when a stop is hit or let go
    if wanted.next < wanted.count and times[wanted.next] <= t + h:
        dense(I, S, tableau, t, h, wanted, times, out)
        set_state(I, S, stage(I, S, TRIAL), t + h)
        derivative(I, S, stage(I, S, END))
    settle_step(I, S, t)
    return 1, 10.0 if error == 0.0 else min(10.0, max(0.2, 0.9 * error ** (-0.125)))


@entry("IFFdiFFI")
def advance_adaptive(
    I: Index, S: Scalars, tableau: Tableau, end: float, limit: int, times: Floats, out: Floats, wanted: Wanted
) -> int:
    """Integrate to `end`, writing (q, v) at the given times into `out` by dense output.

    Returns the steps taken, or TOO_SMALL when the step became too small, TOO_MANY when the limit was reached
    (both keep the last good state).
    """
    t = S.time
    begin(I, S)
    h = S.next_step
    if h <= 0.0:
        h = starting_step(I, S)
    steps = 0
    while t < end - 1e-14 * max(1.0, math.fabs(end)):
        if steps >= limit:
            return TOO_MANY
        if I.winds != 0:
            h = min(h, TURN / max(1e-6, fastest_spin(I, S)))
        keep = h
        is_last = t + h >= end
        if is_last:
            h = end - t
        if h < 1e-13 * max(1.0, math.fabs(t)):
            if is_last:
                break
            return TOO_SMALL
        taken, factor = take_step(I, S, tableau, t, h, wanted, times, out)
        steps += 1
        if taken == 0:
            h *= factor
            continue
        t += h
        if is_last:
            t = end
            h = keep
        else:
            h *= factor
        S.time = t
        S.next_step = h
        S.count_steps += 1.0
    S.ready = 0.0
    return steps


@compiled
def dense(
    I: Index, S: Scalars, tableau: Tableau, t: float, h: float, wanted: Wanted, times: Floats, out: Floats
) -> None:
    """Dense output of order 7 inside the step: three more stages, then the polynomial at each wanted time."""
    n = I.nq + I.nv
    y = stage(I, S, TRIAL)
    new = at(out, wanted.next * n)  # the step's end is kept where the first result will go
    copy(y, new, n)
    for e in range(3):
        combine(I, S, at(tableau.A_extra, 16 * e), 13 + e, h)
        set_state(I, S, y, t + tableau.C_extra[e] * h)
        derivative(I, S, stage(I, S, 13 + e))
    copy(new, y, n)
    while wanted.next < wanted.count and times[wanted.next] <= t + h:
        interpolate(I, S, tableau, (times[wanted.next] - t) / h, h, at(out, wanted.next * n))
        wanted.next += 1


@inlined
def interpolate(I: Index, S: Scalars, tableau: Tableau, x: float, h: float, out: Floats) -> None:
    """The state at a share x of the step."""
    NQ = I.nq
    n = NQ + I.nv
    K = stage(I, S, 0)
    y = stage(I, S, TRIAL)
    q0 = at(S, I.q0)
    v0 = at(S, I.v0)
    for i in range(n):
        before = q0[i] if i < NQ else v0[i - NQ]
        f0 = y[i] - before
        f1 = h * K[i] - f0
        f2 = 2.0 * f0 - h * (K[END * n + i] + K[i])
        value = 0.0
        # F3…F6 = h D·K, summed from the highest as scipy does: alternately times x and 1 − x
        for j in range(4):
            row = 3 - j
            f = 0.0
            for s in range(16):
                f += tableau.D[16 * row + s] * K[s * n + i]
            value = (value + h * f) * (x if j % 2 == 0 else 1.0 - x)
        value = (value + f2) * x
        value = (value + f1) * (1.0 - x)
        value = (value + f0) * x
        out[i] = before + value
