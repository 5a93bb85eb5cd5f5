"""Constraints that a projection cannot close, step after step: Störmer's method gains nothing by them."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.engine.evaluate import MOTION, blocks, compose, forces, lift
from tinkerdyne.engine.records import Index, Scalars
from tinkerdyne.engine.steppers.motion import copy

# tolerances: a gap that wide after the projection is a contradiction
HOPELESS = 1e5
PATIENCE = 3.0  # steps in a row that even the projection cannot close


@compiled
def is_impossible(S: Scalars) -> int:
    """Whether S.gap, which a projection left, has been too wide for some steps in a row."""
    if not (S.gap > HOPELESS * S.tolerance):
        S.stuck = 0.0
        return 0
    S.stuck += 1.0
    return 1 if S.stuck >= PATIENCE else 0


@compiled
def gain_nothing(I: Index, S: Scalars, before: float) -> None:
    """Slow everything down where a step between impossible constraints has more energy than `before`; where
    the compromise itself lies higher, stay at the one from which the step began."""
    if I.moves != 0 or is_impossible(S) == 0 or not (S.energy + S.kinetic > before):
        return
    keep = math.sqrt(max(0.0, before - S.energy) / S.kinetic) if S.kinetic > 0.0 else 0.0
    v = at(S, I.v)
    for i in range(I.nv):
        v[i] *= keep
    S.kinetic *= keep * keep
    if keep == 0.0:
        copy(at(S, I.q0), at(S, I.q), I.nq)
        lift(I, S)
        blocks(I, S, MOTION)
        compose(I, S)
        S.energy = forces(I, S)
