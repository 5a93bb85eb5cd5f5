"""Runge–Kutta of order four with a guard: a step that tears constraints open goes down the ladder of
RATTLE."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.evaluate import NORMALISE, kinetic, masses, power, run_objects
from tinkerdyne.engine.product import times_W
from tinkerdyne.engine.records import Index, Row, Scalars, Vel
from tinkerdyne.engine.steppers.accuracy import note_start
from tinkerdyne.engine.steppers.guard import held_rattle, last_resort, look_after_springs
from tinkerdyne.engine.steppers.motion import rows, vels
from tinkerdyne.engine.steppers.rattle import observe
from tinkerdyne.engine.steppers.retake import keep_start, restore
from tinkerdyne.engine.steppers.runge_kutta import derivative, runge_kutta_step
from tinkerdyne.engine.stops import release

RUNAWAY = 1e5  # gains that a step may make: that much more is no motion, whatever leads it
GAIN = 0.03  # of the largest kinetic energy: more than that in one step is no error of a step that fits


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
    if S.ready == 0.0 and S.taut == 0.0:
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


@inlined
def may_gain(I: Index, S: Scalars, h: float) -> float:
    """The energy that a step may gain: what forces without a potential do, and a share of the motion, or near
    rest of what the forces would do to free parts in the step."""
    Q = at(S, I.force)
    kick = vels(I, S, Vel.KICK)
    times_W(I, S, Q, kick)
    free = 0.0
    for i in range(I.nv):
        free += 0.5 * h * h * kick[i] * Q[i]
    return GAIN * max(S.largest_kinetic, free) + max(0.0, h * power(I, S))


@compiled
def guarded_runge_kutta(I: Index, S: Scalars, h: float) -> None:
    """One step from a prepared state; the derivative at its end is ready for the next one.

    Near a singular pose multipliers run away, and energy comes from nowhere: such a step goes down the
    ladder, where taut poses are held."""
    keep_start(I, S)
    if S.taut > 0.0:  # no derivative is wanted on the way: its projections would lose energy
        observe(I, S)
        note_start(I, S, S.energy, S.kinetic)
        held_rattle(I, S, h)
        if S.taut == 0.0:
            S.ready = 0.0
        return
    S.kinetic = kinetic(I, S)
    S.largest_kinetic = max(S.largest_kinetic, S.kinetic)
    gain = may_gain(I, S, h)
    most = S.energy + S.kinetic + gain
    failed = runge_kutta_step(I, S, h)
    most += max(0.0, h * power(I, S))
    knows_energy = I.moves == 0 and I.nr > 0 and S.springs == 0.0
    if failed == 0 and knows_energy and S.energy + kinetic(I, S) > most:
        failed = 1
    if failed == 0 and I.nr > 0 and gain > 0.0 and not (kinetic(I, S) <= RUNAWAY * gain):
        failed = 1  # also where something leads, and no balance is known
    if failed != 0 and S.feedback == 0.0:
        step_with_care(I, S, h)
    S.ready = 1.0
