"""Jumps of moving constraints: a path whose place or velocity jumps. The step is divided there, and what the
path leads is put in its new place and given its new velocity by the least impulse.

With q and v held, c and ċ are functions of time alone. Where they change in two neighbouring parts of a step
by very different amounts, the time is halved until the change has vanished (it was smooth after all) or
stands at one moment (a jump).
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import MOTION, VALUE, blocks, lift
from tinkerdyne.engine.records import Constraint, Hold, Index, Kind, Row, Scalars, StopMemory, StopValue
from tinkerdyne.engine.steppers.motion import gap, rows
from tinkerdyne.engine.steppers.project import project_position, project_velocity
from tinkerdyne.engine.yielding import count_yielding, open_stop

SMALL = 1e-6  # jumps below this [SI] are not worth a word
PARTS = 4  # of a step, at whose ends c and ċ are compared
HALVINGS = 60  # at most, until both sides are the same number but for rounding
FIRST_PLACE, FIRST_RATE = Row.RES, Row.RHS  # of three vectors side by side, for c and for ċ
UNEVEN = 0.5  # of the larger change in a part: neighbours that differ by more are looked into
ITERATIONS = 30  # of the projection into the new place, at most
REST = 1e-12  # ε of the projection of velocities, relative


@inlined
def just_before(t: float) -> float:
    """The last moment before a jump that is over at t; some roundings earlier, as the corner is neither."""
    return t - max(2e-15 * math.fabs(t), 1e-21)


@inlined
def kept(I: Index, S: Scalars, which: int, k: int) -> Floats:
    """Where c (which = 0) or ċ (1) of moment k is kept: of three that follow each other each has its own."""
    return rows(I, S, (FIRST_RATE if which == 1 else FIRST_PLACE) + k % 3)


@compiled
def read(I: Index, S: Scalars, which: int, y: Floats) -> None:
    """c (which = 0) or ċ (1) of all rows, as last evaluated."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            y[C.row + i] = S[C.record + which * C.dim + i] if which == 1 or C.kind < Kind.RATE else 0.0


@compiled
def sample(I: Index, S: Scalars, which: int, t: float, y: Floats) -> None:
    """c (which = 0) or ċ (1) of all rows at time t, with the present q and v."""
    S.time = t
    blocks(I, S, MOTION)
    read(I, S, which, y)


@compiled
def first_uneven(I: Index, S: Scalars, t: float, k: int, part: float) -> float:
    """The first jump between the moments k and k + 2, parts of time that begin at t, of what changes
    unevenly."""
    first = math.inf
    for which in range(2):
        before = kept(I, S, which, k)
        middle = kept(I, S, which, k + 1)
        end = kept(I, S, which, k + 2)
        for i in range(I.nr):
            one = middle[i] - before[i]
            two = end[i] - middle[i]
            uneven = math.fabs(one - two)
            if uneven > SMALL and uneven > UNEVEN * max(math.fabs(one), math.fabs(two)):
                t0 = t + k * part if math.fabs(one) > math.fabs(two) else t + (k + 1) * part
                y0 = before[i] if math.fabs(one) > math.fabs(two) else middle[i]
                y1 = middle[i] if math.fabs(one) > math.fabs(two) else end[i]
                first = min(first, narrow(I, S, which, i, t0, t0 + part, y0, y1))
    return first


@compiled
def next_jump(I: Index, S: Scalars, h: float) -> float:
    """The moment just after the first jump in a time h from now, infinity where there is none. The widest of
    a call is kept in the scalars S.jump_…

    Moments are sampled from the last to the present one, whose values are those that the records are left
    with."""
    now = S.time
    first = math.inf
    part = h / PARTS
    lift(I, S)
    for back in range(PARTS + 1):
        k = PARTS - back
        sample(I, S, 0, now + h if back == 0 else now + k * part, kept(I, S, 0, k))
        read(I, S, 1, kept(I, S, 1, k))
        if k + 2 <= PARTS:
            first = min(first, first_uneven(I, S, now, k, part))
    if S.time != now:
        S.time = now
        blocks(I, S, MOTION)
    return first


@compiled
def narrow(I: Index, S: Scalars, which: int, row: int, t0: float, t1: float, y0: float, y1: float) -> float:
    """Halve the time towards the larger change of one row: just after the jump, or infinity if it is none;
    it is kept if it is the widest so far."""
    trial = rows(I, S, Row.TRY)
    for _ in range(HALVINGS):
        t = 0.5 * (t0 + t1)
        if t == t0 or t == t1:
            break
        sample(I, S, which, t, trial)
        if math.fabs(trial[row] - y0) > math.fabs(y1 - trial[row]):
            t1 = t
            y1 = trial[row]
        else:
            t0 = t
            y0 = trial[row]
    if not (math.fabs(y1 - y0) > SMALL):
        return math.inf
    after = t1 + (t1 - just_before(t1))
    sample(I, S, which, after, trial)
    if math.fabs(trial[row] - y1) > SMALL:  # t₁ is the corner itself, which is neither
        t1 = after
    sample(I, S, which, just_before(t1), trial)
    y0 = trial[row]
    sample(I, S, which, after, trial)
    size = math.fabs(trial[row] - y0)
    if size > S.jump_size:
        S.jump_size = size
        S.jump_row = float(row)
        S.jump_time = t1
        S.jump_kind = float(which)
    return t1


@inlined
def close_passed(I: Index, S: Scalars) -> int:
    """Stops that the records show to be passed hold from now on; returns how many."""
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        rows(I, S, Row.TOUCHED)[C.row] = 0.0
        if C.kind == Kind.STOP and mem.hold == Hold.OPEN and S[C.record] < -S.tolerance:
            mem.hold = Hold.EXACT
            mem.c0 = 0.0
            mem.rate0 = 0.0
            rows(I, S, Row.TOUCHED)[C.row] = 1.0
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n


@inlined
def open_leaving(I: Index, S: Scalars) -> None:
    """Of the stops that were passed, those that are being left are open again."""
    lift(I, S)
    blocks(I, S, MOTION)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        is_new = C.kind == Kind.STOP and rows(I, S, Row.TOUCHED)[C.row] != 0.0
        if is_new and StopValue(at(S, C.record)).rate > 0.0:
            open_stop(StopMemory(at(S, C.memory)))
    count_yielding(I, S)


@compiled
def put_in_place(I: Index, S: Scalars) -> None:
    """At a jump, or where a stop is passed at once: everything onto its constraints, by the least change."""
    lift(I, S)
    blocks(I, S, VALUE)
    stopped = close_passed(I, S) if I.stops != 0 else 0
    careful = S.count_lm
    if gap(I, S) > S.tolerance:
        S.gap = project_position(I, S, S.tolerance, ITERATIONS, math.inf)
    if S.gap <= S.tolerance:
        S.count_lm = careful  # it is not the step that was taken with care
    if stopped > 0:
        open_leaving(I, S)
    project_velocity(I, S, REST)
    S.ready = 0.0
