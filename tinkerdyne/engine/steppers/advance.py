"""`advance`: n steps of a chosen method in one compiled call, the last good state kept whatever happens."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, entry, inlined
from tinkerdyne.engine.evaluate import MOTION, NORMALISE, VALUE, blocks, lift, masses, run_objects, wind
from tinkerdyne.engine.jumps import find_jumps
from tinkerdyne.engine.records import Index, Row, Scalars
from tinkerdyne.engine.steppers.accuracy import close_account, open_account
from tinkerdyne.engine.steppers.assemble import stormer_step
from tinkerdyne.engine.steppers.first_order import first_order_step
from tinkerdyne.engine.steppers.guard import (
    guarded_energy_momentum,
    guarded_rattle,
    held_rattle,
    keep_start,
    last_resort,
    look_after_springs,
    restore,
)
from tinkerdyne.engine.steppers.methods import FIRST_ORDER, RATTLE, RUNGE_KUTTA, STORMER
from tinkerdyne.engine.steppers.motion import gap, largest, rows
from tinkerdyne.engine.steppers.runge_kutta import derivative, runge_kutta_step
from tinkerdyne.engine.stops import note_speeds, release, stop_after

LOST = 1e30  # a state beyond this is none [SI]: the world is 1e27 m wide


@inlined
def begin_runge_kutta(I: Index, S: Scalars) -> None:
    """The derivative at the start of the first step, with the stops that an edit pulls off open at once."""
    masses(I, S)
    run_objects(I, S, NORMALISE)
    derivative(I, S, at(S, I.stages))
    if I.stops != 0:
        if release(I, S, rows(I, S, Row.LAM), 1.0) > 0:
            derivative(I, S, at(S, I.stages))
        note_speeds(I, S)


@inlined
def measure_gap(I: Index, S: Scalars) -> None:
    lift(I, S)
    blocks(I, S, VALUE)
    S.gap = gap(I, S)


@inlined
def meet_stops(I: Index, S: Scalars, method: int) -> None:
    """After a step of a method that does not look at stops itself."""
    changed = stop_after(I, S, math.inf)
    if changed != 0 and method == RUNGE_KUTTA:
        derivative(I, S, at(S, I.stages))
    elif method != RUNGE_KUTTA:
        blocks(I, S, MOTION)
    note_speeds(I, S)


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
def one_step(I: Index, S: Scalars, method: int, k: int, h: float) -> None:
    """Step k of any method but RATTLE."""
    keep_start(I, S)
    if method == FIRST_ORDER:
        first_order_step(I, S, h)
    elif method == STORMER:
        stormer_step(I, S, h, int(S.corrections))
    elif method == RUNGE_KUTTA:
        if S.springs > 0.0:
            look_after_springs(I, S, h)
        if k == 0 or S.springs > 0.0:
            begin_runge_kutta(I, S)
        if runge_kutta_step(I, S, h) != 0 and S.feedback == 0.0:
            step_with_care(I, S, h)
    else:
        guarded_energy_momentum(I, S, h)
        measure_gap(I, S)
    if I.stops != 0 and method != STORMER and method != FIRST_ORDER:
        meet_stops(I, S, method)


@inlined
def is_lost(I: Index, S: Scalars) -> int:
    """Whether the state is no state any more."""
    is_far = not (largest(at(S, I.q), I.nq) < LOST) or not (largest(at(S, I.v), I.nv) < LOST)
    return 1 if is_far or not (S.gap < LOST) else 0


@entry("IFiid")
def advance(I: Index, S: Scalars, method: int, n: int, h: float) -> int:
    """n steps of length h; returns the number done, fewer when the state stopped being finite, or when a
    step wants the tangent matrix (the last good state is kept)."""
    start = S.time
    for k in range(n):
        t = S.time
        open_account(I, S, method)
        if method == RATTLE:
            guarded_rattle(I, S, h)
        else:
            one_step(I, S, method, k, h)
        if S.wants_tangent != 0.0 or is_lost(I, S) != 0:
            restore(I, S, t)
            return k
        close_account(I, S, method, h)
        if I.winds != 0:
            lift(I, S)
            blocks(I, S, VALUE)
            wind(I, S)
        S.count_steps += 1.0
        S.time = start + (k + 1) * h  # no sum of roundings
        if I.jumps != 0:
            find_jumps(I, S, t)
    if method == RUNGE_KUTTA:  # its projection rides on the evaluation before it
        measure_gap(I, S)
    return n
