"""Adaptive Runge–Kutta of order 8(5,3) with dense output (Dormand and Prince; Hairer's DOP853), with the
constraints projected.

The projection rides on the evaluation that begins the next step: its Jacobian and factor, at the new state,
serve both. The coefficients are those of `scipy.integrate.DOP853`, passed in as one array.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import NORMALISE, run_objects, wind
from tinkerdyne.engine.jumps import find_jumps
from tinkerdyne.engine.records import Flag, Index, Object, Row, Scalars
from tinkerdyne.engine.steppers.motion import copy, rows
from tinkerdyne.engine.steppers.project import project_position, project_velocity
from tinkerdyne.engine.steppers.runge_kutta import derivative, ride
from tinkerdyne.engine.stops import note_speeds, passed, pulling, release, stop_after

# Places in the coefficient array: A (12×12), B (12), C (12), E3 (12), E5 (12), extra A (3×16), extra C (3), D
# (4×16).
K_A, K_B, K_C, K_E3, K_E5, K_AX, K_CX, K_D = 0, 144, 156, 168, 180, 192, 240, 243


DEEP, FINEST = 1e-9, 1e-7  # a stop is passed by this much [SI] at most, or in a step this short [s]


TURN = 1.0  # rad that a body may turn in a step where turns are counted


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


@entry("IFFdiFFi")
def advance_adaptive(
    I: Index,
    S: Scalars,
    coefficients: Floats,
    end: float,
    limit: int,
    times: Floats,
    out: Floats,
    ntimes: int,
) -> int:
    """Integrate to `end`, writing (q, v) at the given times into `out` by dense output.

    Returns the steps taken, or −1 when the step became too small, −2 when the limit was reached (both keep
    the last good state).
    """
    NQ = I.nq
    NV = I.nv
    n = NQ + NV
    q = at(S, I.q)
    v = at(S, I.v)
    q0 = at(S, I.q0)
    v0 = at(S, I.v0)
    K = at(S, I.stages)  # 16 stages, and the 17th place holds the trial state
    y = at(K, 16 * n)
    rtol = S.rtol
    atol = S.atol
    t = S.time
    next_time = 0
    run_objects(I, S, NORMALISE)
    derivative(I, S, K)
    if I.stops != 0:
        if release(I, S, rows(I, S, Row.LAM), 1.0) > 0:
            derivative(I, S, K)
        note_speeds(I, S)
    h = S.next_step
    if h <= 0.0:
        # Hairer's starting step: a hundredth of the time in which the state would change by itself.
        d0 = 0.0
        d1 = 0.0
        for i in range(n):
            x = q[i] if i < NQ else v[i - NQ]
            sc = atol + rtol * math.fabs(x)
            d0 += (x / sc) * (x / sc)
            d1 += (K[i] / sc) * (K[i] / sc)
        h = 1e-6
        if d0 > 1e-10 * n and d1 > 1e-10 * n:
            h = 0.01 * math.sqrt(d0 / d1)
        h = min(h, 1e-2)
    steps = 0
    while t < end - 1e-14 * max(1.0, math.fabs(end)):
        if steps >= limit:
            return -2
        last = 0
        if I.winds != 0:
            h = min(h, TURN / max(1e-6, fastest_spin(I, S)))
        keep = h
        if t + h >= end:
            h = end - t
            last = 1
        if h < 1e-13 * max(1.0, math.fabs(t)):
            if last == 1:
                break
            return -1
        copy(q, q0, NQ)
        copy(v, v0, NV)
        for s in range(1, 12):
            a = at(coefficients, K_A + 12 * s)
            combine(y, q0, v0, K, a, s, h, NQ, n)
            set_state(I, S, y, t + coefficients[K_C + s] * h)
            derivative(I, S, at(K, s * n))
        combine(y, q0, v0, K, at(coefficients, K_B), 12, h, NQ, n)
        e5 = 0.0
        e3 = 0.0
        for i in range(n):
            x5 = 0.0
            x3 = 0.0
            for s in range(12):
                x5 += coefficients[K_E5 + s] * K[s * n + i]
                x3 += coefficients[K_E3 + s] * K[s * n + i]
            before = q0[i] if i < NQ else v0[i - NQ]
            sc = atol + rtol * max(math.fabs(before), math.fabs(y[i]))
            e5 += (x5 / sc) * (x5 / sc)
            e3 += (x3 / sc) * (x3 / sc)
        error = 0.0
        if not (e5 == 0.0 and e3 == 0.0):  # a NaN must not pass for no error
            error = h * e5 / math.sqrt((e5 + 0.01 * e3) * n)
        if not (error < 1.0):  # a NaN counts as an error too large
            copy(q0, q, NQ)
            copy(v0, v, NV)
            S.time = t
            if error != error or math.isinf(error):
                h *= 0.1
            else:
                h *= max(0.2, 0.9 * error ** (-0.125))
            steps += 1
            continue
        set_state(I, S, y, t + h)
        derivative(I, S, at(K, 12 * n))
        if (I.stops != 0 and h > FINEST and max(passed(I, S), pulling(I, S)) > DEEP) or (
            I.winds != 0 and h * fastest_spin(I, S) > 2.0 * TURN
        ):
            copy(q0, q, NQ)
            copy(v0, v, NV)
            S.time = t
            h *= 0.5  # up to the moment when a stop is hit or let go; or it turned too far to be counted
            steps += 1
            continue
        if next_time < ntimes and times[next_time] <= t + h:
            next_time = dense(I, S, coefficients, K, y, q0, v0, t, h, times, out, next_time, ntimes)
            set_state(I, S, y, t + h)
            derivative(I, S, at(K, 12 * n))
        if ride(I, S) != 0:
            S.gap = project_position(I, S, 1e-12, 30, math.inf)
            project_velocity(I, S, 1e-10)
            derivative(I, S, at(K, 12 * n))
        if I.stops != 0:
            if stop_after(I, S, math.inf) != 0:
                derivative(I, S, at(K, 12 * n))
            note_speeds(I, S)
        if I.winds != 0:
            wind(I, S)
        if I.jumps != 0:
            find_jumps(I, S, t)
        copy(at(K, 12 * n), K, n)
        t += h
        if last == 1:
            t = end
            h = keep
        else:
            h *= 10.0 if error == 0.0 else min(10.0, max(0.2, 0.9 * error ** (-0.125)))
        S.time = t
        S.next_step = h
        S.count_steps += 1.0
        steps += 1
    S.ready = 0.0
    return steps


@compiled
def combine(
    y: Floats, q0: Floats, v0: Floats, K: Floats, a: Floats, stages: int, h: float, NQ: int, n: int
) -> None:
    """y = y₀ + h Σ aₛ kₛ."""
    for i in range(n):
        y[i] = q0[i] if i < NQ else v0[i - NQ]
    for s in range(stages):
        f = h * a[s]
        if f != 0.0:
            k = at(K, s * n)
            for i in range(n):
                y[i] += f * k[i]


@compiled
def dense(
    I: Index,
    S: Scalars,
    coefficients: Floats,
    K: Floats,
    y: Floats,
    q0: Floats,
    v0: Floats,
    t: float,
    h: float,
    times: Floats,
    out: Floats,
    first: int,
    ntimes: int,
) -> int:
    """Dense output of order 7 inside the step: three more stages, then the polynomial at each wanted time."""
    NQ = I.nq
    n = NQ + I.nv
    new = at(out, first * n)  # the step's end is kept where the first result will go
    copy(y, new, n)
    for e in range(3):
        combine(y, q0, v0, K, at(coefficients, K_AX + 16 * e), 13 + e, h, NQ, n)
        set_state(I, S, y, t + coefficients[K_CX + e] * h)
        derivative(I, S, at(K, (13 + e) * n))
    copy(new, y, n)
    k = first
    while k < ntimes and times[k] <= t + h:
        x = (times[k] - t) / h
        for i in range(n):
            before = q0[i] if i < NQ else v0[i - NQ]
            f0 = y[i] - before
            f1 = h * K[i] - f0
            f2 = 2.0 * f0 - h * (K[12 * n + i] + K[i])
            value = 0.0
            # F3…F6 = h D·K, summed from the highest as scipy does: alternately times x and 1 − x
            for j in range(4):
                row = 3 - j
                f = 0.0
                for s in range(16):
                    f += coefficients[K_D + 16 * row + s] * K[s * n + i]
                value = (value + h * f) * (x if j % 2 == 0 else 1.0 - x)
            value = (value + f2) * x
            value = (value + f1) * (1.0 - x)
            value = (value + f0) * x
            out[k * n + i] = before + value
        k += 1
    return k
