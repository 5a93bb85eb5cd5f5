"""`advance`: n steps of a chosen method in one compiled call, the last good state kept whatever happens."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, entry, inlined
from tinkerdyne.engine.evaluate import VALUE, blocks, lift, wind
from tinkerdyne.engine.jumps import next_jump
from tinkerdyne.engine.records import KEPT, SCRATCH, Index, Scalars
from tinkerdyne.engine.steppers.accuracy import close_account, open_account
from tinkerdyne.engine.steppers.assemble import stormer_step
from tinkerdyne.engine.steppers.divide import divided_step
from tinkerdyne.engine.steppers.first_order import first_order_step
from tinkerdyne.engine.steppers.guard import guarded_energy_momentum, held_rattle
from tinkerdyne.engine.steppers.guarded_runge_kutta import guarded_runge_kutta, prepare_runge_kutta
from tinkerdyne.engine.steppers.implicit_guard import guarded_implicit
from tinkerdyne.engine.steppers.methods import (
    ENERGY_MOMENTUM,
    FIRST_ORDER,
    IMPLICIT,
    RATTLE,
    RUNGE_KUTTA,
    STORMER,
)
from tinkerdyne.engine.steppers.motion import copy, gap, largest
from tinkerdyne.engine.steppers.retake import keep_start, restore

LOST = 1e30  # a state beyond this is none [SI]: the world is 1e27 m wide
# times a mass: what dampers or springs add to it in the matrix of a step. Beyond, too few of its digits are
# left for the motion that these forces allow: on random worlds that is wrong from 4e10 on, while a beam of
# 1,000 damped rods is right with 2.7e10
RIGID = 3e10


@inlined
def measure_gap(I: Index, S: Scalars) -> None:
    lift(I, S)
    blocks(I, S, VALUE)
    S.gap = gap(I, S)


@inlined
def one_step(I: Index, S: Scalars, method: int, h: float, end: float) -> None:
    """A step of any method, of length h, to the time `end`."""
    if method == FIRST_ORDER:
        keep_start(I, S)
        if I.jumps != 0:
            next_jump(I, S, end - S.time)
        first_order_step(I, S, h)
    elif I.stops != 0 or I.jumps != 0:
        divided_step(I, S, method, end)
    elif method == RATTLE:
        held_rattle(I, S, h)
    elif method == RUNGE_KUTTA:
        prepare_runge_kutta(I, S, h)
        guarded_runge_kutta(I, S, h)
    else:
        keep_start(I, S)
        if method == STORMER:
            stormer_step(I, S, h, int(S.corrections))
        elif method == IMPLICIT:
            guarded_implicit(I, S, h)
        else:
            guarded_energy_momentum(I, S, h)
    if method == ENERGY_MOMENTUM or method == IMPLICIT:
        measure_gap(I, S)


@inlined
def is_lost(I: Index, S: Scalars) -> int:
    """Whether the state is no state any more, or that of a step whose forces leave nothing of a mass."""
    is_far = not (largest(at(S, I.q), I.nq) < LOST) or not (largest(at(S, I.v), I.nv) < LOST)
    return 1 if is_far or not (S.gap < LOST) or S.heaviest > RIGID else 0


@entry("IFiid")
def advance(I: Index, S: Scalars, method: int, n: int, h: float) -> int:
    """n steps of length h; returns the number done, fewer when the state stopped being finite, or when a
    step wants the tangent matrix (the last good state is kept)."""
    start = S.time
    if method == RUNGE_KUTTA:
        S.ready = 0.0
    for k in range(n):
        t = S.time
        end = start + (k + 1) * h  # no sum of roundings
        if I.tangent == 0:
            copy(S, at(S, KEPT), SCRATCH)
        open_account(I, S, method)
        one_step(I, S, method, h, end)
        if S.wants_tangent != 0.0:
            restore(I, S, t)
            copy(at(S, KEPT), S, SCRATCH)
            S.ready = 0.0
            S.wants_tangent = 1.0
            return k
        if is_lost(I, S) != 0:
            restore(I, S, S.kept_time)
            return k
        close_account(I, S, method, h, t)
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
