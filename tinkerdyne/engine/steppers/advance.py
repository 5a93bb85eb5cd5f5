"""`advance`: n steps of a chosen method in one compiled call, the last good state kept whatever happens."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, entry, inlined
from tinkerdyne.engine.evaluate import NORMALISE, VALUE, blocks, lift, masses, run_objects, wind
from tinkerdyne.engine.jumps import next_jump
from tinkerdyne.engine.records import Index, Row, Scalars
from tinkerdyne.engine.steppers.assemble import stormer_step
from tinkerdyne.engine.steppers.divide import (
    ENERGY_MOMENTUM,
    FIRST_ORDER,
    RATTLE,
    RUNGE_KUTTA,
    STORMER,
    divided_step,
)
from tinkerdyne.engine.steppers.first_order import first_order_step
from tinkerdyne.engine.steppers.guard import guarded_energy_momentum, held_rattle, keep_start, restore
from tinkerdyne.engine.steppers.motion import gap, largest, rows
from tinkerdyne.engine.steppers.runge_kutta import derivative, runge_kutta_step
from tinkerdyne.engine.stops import release

__all__ = ["ENERGY_MOMENTUM", "FIRST_ORDER", "RATTLE", "RUNGE_KUTTA", "STORMER", "advance"]

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
    S.ready = 1.0


@inlined
def measure_gap(I: Index, S: Scalars) -> None:
    lift(I, S)
    blocks(I, S, VALUE)
    S.gap = gap(I, S)


@inlined
def one_step(I: Index, S: Scalars, method: int, k: int, h: float, end: float) -> None:
    """Step k of any method, of length h, to the time `end`."""
    if method == RUNGE_KUTTA and k == 0:
        begin_runge_kutta(I, S)
    if method == FIRST_ORDER:
        keep_start(I, S)
        if I.jumps != 0:
            next_jump(I, S, end - S.time)
        first_order_step(I, S, h)
    elif I.stops != 0 or I.jumps != 0:
        divided_step(I, S, method, end)
    elif method == RATTLE:
        held_rattle(I, S, h)
    else:
        keep_start(I, S)
        if method == STORMER:
            stormer_step(I, S, h, int(S.corrections))
        elif method == RUNGE_KUTTA:
            runge_kutta_step(I, S, h)
        else:
            guarded_energy_momentum(I, S, h)
    if method == ENERGY_MOMENTUM:
        measure_gap(I, S)


@inlined
def is_lost(I: Index, S: Scalars) -> int:
    """Whether the state is no state any more."""
    is_far = not (largest(at(S, I.q), I.nq) < LOST) or not (largest(at(S, I.v), I.nv) < LOST)
    return 1 if is_far or not (S.gap < LOST) else 0


@entry("IFiid")
def advance(I: Index, S: Scalars, method: int, n: int, h: float) -> int:
    """n steps of length h; returns the number done, fewer when the state stopped being finite (the last good
    one is kept)."""
    start = S.time
    for k in range(n):
        end = start + (k + 1) * h  # no sum of roundings
        one_step(I, S, method, k, h, end)
        if is_lost(I, S) != 0:
            restore(I, S, S.kept_time)
            return k
        if I.winds != 0:
            lift(I, S)
            blocks(I, S, VALUE)
            wind(I, S)
        S.count_steps += 1.0
        S.time = end
    if method == RUNGE_KUTTA:  # its projection rides on the evaluation before it
        measure_gap(I, S)
        S.ready = 0.0
    return n
