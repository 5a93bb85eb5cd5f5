"""The implicit method, guarded: a step in parts where its stages do not converge, springs for what cannot be
met, and the energy that is missing after it entered into the accounts."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import compiled, inlined
from tinkerdyne.engine.evaluate import MOTION, blocks, forces, kinetic, lift, power
from tinkerdyne.engine.records import Index, Row, Scalars
from tinkerdyne.engine.steppers.guard import YIELD_STEPS, held_rattle, look_after_springs
from tinkerdyne.engine.steppers.implicit import COARSE, implicit_step
from tinkerdyne.engine.steppers.motion import reference, rows
from tinkerdyne.engine.steppers.rattle import is_driven
from tinkerdyne.engine.steppers.retake import keep_start, restore

MOST_PARTS = 64  # of a step whose stages do not converge
MOST_FINE = 4096  # of one that is divided to keep an error


@inlined
def mend_springs(I: Index, S: Scalars, h: float) -> None:
    """Constraints that yield: their springs fit the step, and those that can be met are exact again."""
    S.yield_tau = YIELD_STEPS * h
    if S.springs > 0.0:
        before = S.springs
        look_after_springs(I, S, h)
        keep_start(I, S)
        if S.springs != before:
            S.implicit_step = 0.0


@inlined
def note_energies(I: Index, S: Scalars) -> None:
    """Potential and kinetic energy now, and the power of forces that have no potential."""
    lift(I, S)
    blocks(I, S, MOTION)
    S.start_energy = forces(I, S)
    S.start_power = power(I, S)
    S.kinetic = kinetic(I, S)


@inlined
def can_balance(I: Index, S: Scalars) -> int:
    """Whether everything that does work is known: nothing is led, nothing yields."""
    if I.unbalanced != 0 or S.springs > 0.0:
        return 0
    reference(I, S, S.time, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    return 1 if is_driven(I, S) == 0 else 0


@inlined
def enter_loss(I: Index, S: Scalars, h: float, before: float, moving: float, power0: float) -> None:
    """The energy that is missing after a step, without what springs gave up: damping is to take that. What
    moves at its own pace is not to be damped, but a snap that is over within the step is."""
    note_energies(I, S)
    released = before - S.start_energy
    lost = released + moving - S.kinetic + 0.5 * h * (power0 + S.start_power)
    if lost > 0.0:
        lost = max(0.0, lost - max(0.0, released))
    S.balance += lost
    S.slack += 0.5 * h * math.fabs(S.start_power - power0)
    S.imbalance = max(S.imbalance, math.fabs(S.balance) - S.slack)


@compiled
def held_implicit(I: Index, S: Scalars, h: float) -> None:
    """One step, in parts where its stages do not converge; where even these do not, down the ladder of
    RATTLE, which lets constraints yield that cannot be met."""
    t = S.time
    mend_springs(I, S, h)
    parts = 1
    missed = 0
    while parts <= (MOST_FINE if missed == 0 else MOST_PARTS) and S.wait == 0.0:
        done = 0
        how = 0
        while done < parts and how == 0:
            how = implicit_step(I, S, h / parts)
            if how == 0:
                done += 1
                S.time = t + h * done / parts
        if how == 0:
            if missed != 0:
                S.count_em += 1.0
            S.backoff = max(0.0, S.backoff - 0.01)
            return
        restore(I, S, t)
        if done > 0:
            S.implicit_step = 0.0
        if how == COARSE:
            parts *= 2
        else:
            missed = 1
            parts *= 4
    S.implicit_step = 0.0
    held_rattle(I, S, h)
    S.count_em += 1.0


@compiled
def guarded_implicit(I: Index, S: Scalars, h: float) -> None:
    """One step, with its energy entered into the accounts."""
    is_known = can_balance(I, S)
    if S.implicit_step == 0.0:
        note_energies(I, S)
    before = S.start_energy
    moving = S.kinetic
    power0 = S.start_power
    held_implicit(I, S, h)
    if is_known != 0 and S.springs == 0.0 and S.wants_tangent == 0.0:
        enter_loss(I, S, h, before, moving, power0)
    else:
        note_energies(I, S)
