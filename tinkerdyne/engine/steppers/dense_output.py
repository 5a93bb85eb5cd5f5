"""Dense output of DOP853: the state at any moment inside a step, of order 7 (Hairer)."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.compiler.records import FloatRecord, Floats, cells
from tinkerdyne.engine.records import Index, Scalars

END = 12  # the stage at the step's end, which is the first one of the next step
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
