"""Leaps of the adaptive method: where constraints are nearly singular and no step is short enough, one of
fixed length by guarded Runge–Kutta.

Near a singular pose multipliers are differences divided by something small. Step control takes their rounding
for an error, and shorter steps do not make it smaller; a longer one passes the pose, or finds it taut and
hands it to the compliant step.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import compiled, inlined
from tinkerdyne.engine.evaluate import wind
from tinkerdyne.engine.records import Index, Row, Scalars
from tinkerdyne.engine.steppers.accuracy import note_gap
from tinkerdyne.engine.steppers.dense_output import stage
from tinkerdyne.engine.steppers.guarded_runge_kutta import guarded_runge_kutta, prepare_runge_kutta
from tinkerdyne.engine.steppers.motion import largest, rows
from tinkerdyne.engine.steppers.retake import restore
from tinkerdyne.engine.steppers.runge_kutta import derivative

LEAP = 1e-3  # s at most
SHORT = 5e-2  # of a leap: steps that are asked to be shorter
# share of a right-hand side that one solve with A + ε leaves, ε = 1e-12: an eigenvalue is below a thousandth
NEARLY_SINGULAR = 1e-9


@inlined
def is_stuck(I: Index, S: Scalars, h: float) -> int:
    """Whether a step of length h is too short to go on with, because constraints are nearly singular."""
    if I.nr == 0 or I.mass_varies != 0 or I.stops != 0 or S.feedback != 0.0:
        return 0
    return 1 if S.taut > 0.0 or is_noise(I, S, h) else 0


@inlined
def is_noise(I: Index, S: Scalars, h: float) -> bool:
    """Whether the error of short steps is rounding that shorter ones do not lower. Where something leads or
    approaches a pose that cannot be met velocities grow without bound, and it is left before they do."""
    if not (h < SHORT * LEAP) or S.disagreement <= NEARLY_SINGULAR:
        return False
    return S.is_noisy != 0.0 or I.moves != 0 or largest(rows(I, S, Row.REF1), I.nr) > 1e-9


@inlined
def compare(S: Scalars, h: float, error: float) -> None:
    """A step of length h with too large an error, beside the one before it: that of a method falls with a
    high power of h, rounding at most with h itself."""
    share = h / S.tried_step if S.tried_step > 0.0 else 0.0
    S.is_noisy = 1.0 if share > 0.0 and not (error <= share * share * S.tried_error) else 0.0
    S.tried_step = h
    S.tried_error = error


@compiled
def leap(I: Index, S: Scalars, t: float, h: float) -> int:
    """One step over h from the state at t, with the derivative at its end in the first stage; 1 when it wants
    the tangent matrix, and is taken back."""
    S.time = t
    if S.taut == 0.0:
        S.ready = 0.0
    prepare_runge_kutta(I, S, h)
    guarded_runge_kutta(I, S, h)
    if S.wants_tangent != 0.0:
        restore(I, S, t)
        return 1
    S.time = t + h
    note_gap(I, S)
    if S.taut == 0.0:
        derivative(I, S, stage(I, S, 0))
    if I.winds != 0:
        wind(I, S)
    S.ready = 0.0
    S.count_em += 1.0
    return 0
