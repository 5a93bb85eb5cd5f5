"""Dense output of DOP853: the state at any moment inside a step, of order 7 (Hairer)."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import FloatRecord, Floats, cells
from tinkerdyne.engine.evaluate import NORMALISE, run_objects
from tinkerdyne.engine.records import Index, Scalars
from tinkerdyne.engine.steppers.motion import copy
from tinkerdyne.engine.steppers.runge_kutta import derivative

END = 12  # the stage at the step's end, which is the first one of the next step
TRIAL, SPARE = 16, 17  # places behind the stages: of the trial state, and one that is free


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


@inlined
def stage(I: Index, S: Scalars, s: int) -> Floats:
    """The derivative at stage s, or with TRIAL the trial state."""
    return at(S, I.stages + s * (I.nq + I.nv))


@compiled
def set_state(I: Index, S: Scalars, y: Floats, t: float) -> None:
    """Put a flat state (q, v) into the arena, rotations made pure."""
    copy(y, at(S, I.q), I.nq)
    copy(at(y, I.nq), at(S, I.v), I.nv)
    S.time = t
    run_objects(I, S, NORMALISE)


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


@compiled
def extra_stages(I: Index, S: Scalars, tableau: Tableau, t: float, h: float) -> None:
    """Three more stages inside the step just tried, for its dense output."""
    n = I.nq + I.nv
    y = stage(I, S, TRIAL)
    kept = stage(I, S, SPARE)
    copy(y, kept, n)
    for e in range(3):
        combine(I, S, at(tableau.A_extra, 16 * e), 13 + e, h)
        set_state(I, S, y, t + tableau.C_extra[e] * h)
        derivative(I, S, stage(I, S, 13 + e))
    copy(kept, y, n)


@compiled
def interpolate(I: Index, S: Scalars, coefficients: Floats, x: float, h: float, out: Floats) -> None:
    """The state at a share x of the step just tried, whose 16 stages are known."""
    tableau = Tableau(coefficients)
    NQ = I.nq
    n = NQ + I.nv
    K = at(S, I.stages)
    y = at(S, I.stages + TRIAL * n)
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
