"""Runge–Kutta of order four with a guard: a step that tears constraints open goes down the ladder of
RATTLE."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.evaluate import NORMALISE, masses, run_objects
from tinkerdyne.engine.records import Index, Row, Scalars
from tinkerdyne.engine.steppers.guard import held_rattle, keep_start, last_resort, look_after_springs, restore
from tinkerdyne.engine.steppers.motion import rows
from tinkerdyne.engine.steppers.runge_kutta import derivative, runge_kutta_step
from tinkerdyne.engine.stops import release


@compiled
def begin_runge_kutta(I: Index, S: Scalars) -> None:
    """The derivative at the start of the first step, with the stops that an edit pulls off open at once."""
    masses(I, S)
    run_objects(I, S, NORMALISE)
    derivative(I, S, at(S, I.stages))
    if I.stops != 0 and release(I, S, rows(I, S, Row.LAM), 1.0) > 0:
        derivative(I, S, at(S, I.stages))
    S.ready = 1.0


@inlined
def prepare_runge_kutta(I: Index, S: Scalars, h: float) -> None:
    """The derivative at the start of a step of length h, unless the last step left it (S.ready)."""
    if S.springs > 0.0:
        look_after_springs(I, S, h)
        S.ready = 0.0
    if S.ready == 0.0:
        begin_runge_kutta(I, S)


@inlined
def step_with_care(I: Index, S: Scalars, h: float) -> None:
    """A step that Runge–Kutta cannot take, once more down the ladder of RATTLE, where constraints may
    yield."""
    t = S.time - h
    restore(I, S, t)
    if I.mass_varies != 0:
        last_resort(I, S, h)
    else:
        held_rattle(I, S, h)
    S.time = t + h
    begin_runge_kutta(I, S)


@compiled
def guarded_runge_kutta(I: Index, S: Scalars, h: float) -> None:
    """One step from a prepared state; the derivative at its end is ready for the next one."""
    keep_start(I, S)
    if runge_kutta_step(I, S, h) != 0 and S.feedback == 0.0:
        step_with_care(I, S, h)
    S.ready = 1.0
