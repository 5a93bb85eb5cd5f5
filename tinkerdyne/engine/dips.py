"""Dips: stops that a step passes on its way although they are open at both of its ends.

Between its ends the motion is the cubic through both states and their rates. It is looked at in a few places.
Where a stop's room c falls at one and rises at the next, its least value lies between them, and bisection
finds it.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import MOTION, NORMALISE, blocks, lift, run_objects
from tinkerdyne.engine.records import Constraint, Hold, Index, Kind, Row, Scalars, StopMemory, StopValue
from tinkerdyne.engine.steppers.motion import rows

PLACES = 4  # parts of a step, at whose ends the motion is looked at
BISECTIONS = 40


@inlined
def look(I: Index, S: Scalars, y0: Floats, k0: Floats, y1: Floats, k1: Floats, x: float, h: float) -> None:
    """The state at a share x of a step of length h, by the cubic through its ends, and constraints there."""
    a = (1.0 + 2.0 * x) * (1.0 - x) * (1.0 - x)
    b = x * (1.0 - x) * (1.0 - x) * h
    c = x * x * (3.0 - 2.0 * x)
    d = x * x * (x - 1.0) * h
    state = at(S, I.q)  # v follows q
    for i in range(I.nq + I.nv):
        state[i] = a * y0[i] + b * k0[i] + c * y1[i] + d * k1[i]
    run_objects(I, S, NORMALISE)
    lift(I, S)
    blocks(I, S, MOTION)


@compiled
def bottom(
    I: Index,
    S: Scalars,
    y0: Floats,
    k0: Floats,
    y1: Floats,
    k1: Floats,
    h: float,
    c: int,
    high: float,
) -> float:
    """The least room of stop c in the part of the step that ends at a share `high`: by bisection."""
    low = high - 1.0 / PLACES
    C = Constraint.of(I, c)
    t = S.time
    for _ in range(BISECTIONS):
        x = 0.5 * (low + high)
        S.time = t + (x - 1.0) * h
        look(I, S, y0, k0, y1, k1, x, h)
        now = StopValue(at(S, C.record))
        if now.c < 0.0:
            break
        if now.rate < 0.0:
            low = x
        else:
            high = x
    S.time = t
    return S[C.record]


@compiled
def deepest_dip(I: Index, S: Scalars, y0: Floats, k0: Floats, y1: Floats, k1: Floats, h: float) -> float:
    """How far open stops are passed between the ends of a step that ends now; 0 where they are not.

    y0 and y1 are the states at the ends, k0 and k1 their rates. It leaves another state.
    """
    t = S.time
    before = rows(I, S, Row.BEFORE)
    closing = rows(I, S, Row.CLOSING)
    deepest = 0.0
    for k in range(PLACES + 1):
        x = k / PLACES
        S.time = t + (x - 1.0) * h
        look(I, S, y0, k0, y1, k1, x, h)
        for c in range(I.n_constraints):
            C = Constraint.of(I, c)
            if C.kind == Kind.STOP and StopMemory(at(S, C.memory)).hold == Hold.OPEN:
                now = StopValue(at(S, C.record))
                before[C.row] = closing[C.row]
                closing[C.row] = now.rate
                if 0 < k < PLACES:
                    deepest = max(deepest, -now.c)
        S.time = t
        for c in range(I.n_constraints):
            C = Constraint.of(I, c)
            is_open = C.kind == Kind.STOP and StopMemory(at(S, C.memory)).hold == Hold.OPEN
            if k > 0 and is_open and before[C.row] < 0.0 < closing[C.row]:
                deepest = max(deepest, -bottom(I, S, y0, k0, y1, k1, h, c, x))
    return deepest if deepest == deepest else math.inf
