"""Adaptive Runge–Kutta of order 8(5,3) with dense output (Dormand and Prince; Hairer's DOP853), with the
constraints projected.

The projection rides on the evaluation that begins the next step: its Jacobian and factor, at the new state,
serve both. The coefficients are those of `scipy.integrate.DOP853`, passed in as one array.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled, entry
from tinkerdyne.engine.evaluate import run_objects, wind
from tinkerdyne.engine.jumps import find_jumps
from tinkerdyne.engine.records import (
    H_JUMPS,
    H_NO,
    H_NQ,
    H_NV,
    H_OBJ,
    H_S_Q,
    H_S_Q0,
    H_S_STAGES,
    H_S_V,
    H_S_V0,
    H_STOPS,
    H_WINDS,
    O_FLAGS,
    O_NV,
    O_V,
    OBJ,
    PLANAR,
    R_LAM,
    RIGID,
    S_ATOL,
    S_COUNT_STEPS,
    S_GAP,
    S_H_NEXT,
    S_READY,
    S_RTOL,
    S_TIME,
)
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
def fastest_spin(I: Pointer, S: Pointer) -> float:
    """The largest component of a body's spin."""
    most = 0.0
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        first = 3 if T[O_FLAGS] & RIGID != 0 else 2
        if T[O_FLAGS] & (RIGID | PLANAR) != 0:
            for i in range(first, T[O_NV]):
                most = max(most, math.fabs(S[T[O_V] + i]))
    return most


@compiled
def set_state(I: Pointer, S: Pointer, y: Pointer, t: float) -> None:
    """Put a flat state (q, v) into the arena, rotations made pure."""
    copy(y, at(S, I[H_S_Q]), I[H_NQ])
    copy(at(y, I[H_NQ]), at(S, I[H_S_V]), I[H_NV])
    S[S_TIME] = t
    run_objects(I, S, 7)


@entry("IFFdiFFi")
def advance_adaptive(
    I: Pointer,
    S: Pointer,
    coefficients: Pointer,
    end: float,
    limit: int,
    times: Pointer,
    out: Pointer,
    ntimes: int,
) -> int:
    """Integrate to `end`, writing (q, v) at the given times into `out` by dense output.

    Returns the steps taken, or −1 when the step became too small, −2 when the limit was reached (both keep
    the last good state).
    """
    NQ = I[H_NQ]
    NV = I[H_NV]
    n = NQ + NV
    q = at(S, I[H_S_Q])
    v = at(S, I[H_S_V])
    q0 = at(S, I[H_S_Q0])
    v0 = at(S, I[H_S_V0])
    K = at(S, I[H_S_STAGES])  # 16 stages, and the 17th place holds the trial state
    y = at(K, 16 * n)
    rtol = S[S_RTOL]
    atol = S[S_ATOL]
    t = S[S_TIME]
    next_time = 0
    run_objects(I, S, 7)
    derivative(I, S, K)
    if I[H_STOPS] != 0:
        if release(I, S, rows(I, S, R_LAM), 1.0) > 0:
            derivative(I, S, K)
        note_speeds(I, S)
    h = S[S_H_NEXT]
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
        if I[H_WINDS] != 0:
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
            S[S_TIME] = t
            if error != error or math.isinf(error):
                h *= 0.1
            else:
                h *= max(0.2, 0.9 * error ** (-0.125))
            steps += 1
            continue
        set_state(I, S, y, t + h)
        derivative(I, S, at(K, 12 * n))
        if (I[H_STOPS] != 0 and h > FINEST and max(passed(I, S), pulling(I, S)) > DEEP) or (
            I[H_WINDS] != 0 and h * fastest_spin(I, S) > 2.0 * TURN
        ):
            copy(q0, q, NQ)
            copy(v0, v, NV)
            S[S_TIME] = t
            h *= 0.5  # up to the moment when a stop is hit or let go; or it turned too far to be counted
            steps += 1
            continue
        if next_time < ntimes and times[next_time] <= t + h:
            next_time = dense(I, S, coefficients, K, y, q0, v0, t, h, times, out, next_time, ntimes)
            set_state(I, S, y, t + h)
            derivative(I, S, at(K, 12 * n))
        if ride(I, S) != 0:
            S[S_GAP] = project_position(I, S, 1e-12, 30, math.inf)
            project_velocity(I, S, 1e-10)
            derivative(I, S, at(K, 12 * n))
        if I[H_STOPS] != 0:
            if stop_after(I, S, math.inf) != 0:
                derivative(I, S, at(K, 12 * n))
            note_speeds(I, S)
        if I[H_WINDS] != 0:
            wind(I, S)
        if I[H_JUMPS] != 0:
            find_jumps(I, S, t)
        copy(at(K, 12 * n), K, n)
        t += h
        if last == 1:
            t = end
            h = keep
        else:
            h *= 10.0 if error == 0.0 else min(10.0, max(0.2, 0.9 * error ** (-0.125)))
        S[S_TIME] = t
        S[S_H_NEXT] = h
        S[S_COUNT_STEPS] += 1.0
        steps += 1
    S[S_READY] = 0.0
    return steps


@compiled
def combine(
    y: Pointer, q0: Pointer, v0: Pointer, K: Pointer, a: Pointer, stages: int, h: float, NQ: int, n: int
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
    I: Pointer,
    S: Pointer,
    coefficients: Pointer,
    K: Pointer,
    y: Pointer,
    q0: Pointer,
    v0: Pointer,
    t: float,
    h: float,
    times: Pointer,
    out: Pointer,
    first: int,
    ntimes: int,
) -> int:
    """Dense output of order 7 inside the step: three more stages, then the polynomial at each wanted time."""
    NQ = I[H_NQ]
    n = NQ + I[H_NV]
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
