"""Jumps of moving constraints: a path whose place or velocity jumps is followed by an impulse, and this finds
it, to be told.

With q and v held, c and ċ are functions of time alone. Where they change in the two halves of a step by very
different amounts, the time is halved until the change has vanished (it was smooth after all) or stands at one
moment (a jump).
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import MOTION, blocks
from tinkerdyne.engine.records import Constraint, Index, Kind, Row, Scalars

SMALL = 1e-6  # jumps below this [SI] are not worth a word
HALVINGS = 24
UNEVEN = 0.5  # of the larger change in half a step: halves that differ by more are looked into
# of a step: looks are taken beside the step's ends, where a formula may be at the corner itself
ASIDE = 6.18034e-4


@compiled
def sample(I: Index, S: Scalars, which: int, t: float, y: Floats) -> None:
    """c (which = 0) or ċ (1) of all rows at time t, with the present q and v."""
    S.time = t
    blocks(I, S, MOTION)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            y[C.row + i] = S[C.record + which * C.dim + i] if which == 1 or C.kind < Kind.RATE else 0.0


@compiled
def find_jumps(I: Index, S: Scalars, t0: float) -> None:
    """Look for jumps between t₀ and the present time; the widest of a call is kept in the scalars S.jump_…"""
    now = S.time
    shift = ASIDE * (now - t0)
    t0 += shift
    t1 = now + shift
    start = at(S, I.row_vectors + Row.RES * I.nr)
    middle = at(S, I.row_vectors + Row.WORK * I.nr)
    end = at(S, I.row_vectors + Row.DELTA * I.nr)
    for which in range(2):
        sample(I, S, which, t0, start)
        sample(I, S, which, 0.5 * (t0 + t1), middle)
        sample(I, S, which, t1, end)
        for i in range(I.nr):
            first = middle[i] - start[i]
            second = end[i] - middle[i]
            uneven = math.fabs(first - second)
            if uneven > SMALL and uneven > UNEVEN * max(math.fabs(first), math.fabs(second)):
                narrow(I, S, which, i, t0, t1, start[i], end[i])
    S.time = now
    blocks(I, S, MOTION)


@compiled
def narrow(I: Index, S: Scalars, which: int, row: int, t0: float, t1: float, y0: float, y1: float) -> None:
    """Halve the time towards the larger change of one row, and keep what is left if it is a jump and the
    widest so far."""
    trial = at(S, I.row_vectors + Row.WORK * I.nr)
    for _ in range(HALVINGS):
        t = 0.5 * (t0 + t1)
        sample(I, S, which, t, trial)
        if math.fabs(trial[row] - y0) > math.fabs(y1 - trial[row]):
            t1 = t
            y1 = trial[row]
        else:
            t0 = t
            y0 = trial[row]
    size = math.fabs(y1 - y0)
    if size > SMALL and size > S.jump_size:
        S.jump_size = size
        S.jump_row = float(row)
        S.jump_time = t1
        S.jump_kind = float(which)
