"""Stops: one-sided constraints c ≥ 0 (limits of joints, ends of curves), open until they are hit, and let go
when they would pull.

A step is taken with the stops as they are. Where it ends beyond an open one, it is taken again with that stop
closed: it arrives at c = 0 with ċ = −e ċ⁻, where e is the restitution and ċ⁻ the speed at the start of the
step. A stop that bounces opens at once.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import VALUE, blocks, lift
from tinkerdyne.engine.records import Constraint, Hold, Index, Kind, Row, Scalars, StopMemory, StopValue
from tinkerdyne.engine.steppers.motion import MET, rows
from tinkerdyne.engine.steppers.project import project_position, project_velocity
from tinkerdyne.engine.yielding import count_yielding, open_stop

ITERATIONS = 30  # of the projection onto stops that were passed, at most
REST = 1e-12  # of ċ after it, relative
MOST_RELEASES = 16.0  # of a stop in a step; one that is hit again each time contradicts other constraints
GENTLE = 1e-3  # speeds below this [SI] do not bounce, or a ball would never come to rest


@compiled
def note_speeds(I: Index, S: Scalars) -> None:
    """Keep ċ of every stop at the start of a step (Row.SAVE), as last evaluated."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP:
            rows(I, S, Row.SAVE)[C.row] = StopValue(at(S, C.record)).rate


@inlined
def may_be_let_go(I: Index, S: Scalars, C: Constraint) -> int:
    """Whether a constraint is a closed stop that nothing forbids to open: it is no longer approached from
    beyond, and was not let go again and again."""
    mem = StopMemory(at(S, C.memory))
    is_closed = C.kind == Kind.STOP and mem.hold == Hold.EXACT
    is_calm = rows(I, S, Row.RELEASES)[C.row] < MOST_RELEASES
    return 1 if is_closed and is_calm and (S[C.record] >= -MET or mem.c0 == 0.0) else 0


@compiled
def release(I: Index, S: Scalars, efforts: Floats, sign: float) -> int:
    """Open every closed stop that nothing touches, or whose effort (of the given sign) pulls; returns how
    many."""
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        is_off = C.kind == Kind.STOP and mem.hold == Hold.EXACT and S[C.record] > MET
        if is_off or (may_be_let_go(I, S, C) != 0 and sign * efforts[C.row] < 0.0):
            open_stop(mem)
            rows(I, S, Row.RELEASES)[C.row] += 1.0
            n += 1
    if n > 0:
        count_yielding(I, S)
        S.ready = 0.0
    return n


@compiled
def forget_hits(I: Index, S: Scalars) -> int:
    """Stops may bounce and be let go again; returns whether one was let go too often."""
    n = 0
    for i in range(I.nr):
        if rows(I, S, Row.RELEASES)[i] >= MOST_RELEASES:
            n = 1
        rows(I, S, Row.HITS)[i] = 0.0
        rows(I, S, Row.RELEASES)[i] = 0.0
    return n


@compiled
def recalled(I: Index, S: Scalars, efforts: Floats) -> None:
    """μ of the stops, as the last step left it in their memory."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP:
            efforts[C.row] = StopMemory(at(S, C.memory)).mu


@compiled
def passed(I: Index, S: Scalars) -> float:
    """How far the records show open stops to be passed."""
    deepest = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and StopMemory(at(S, C.memory)).hold == Hold.OPEN:
            deepest = max(deepest, -S[C.record])
    return deepest


@compiled
def deepest_stop(I: Index, S: Scalars) -> float:
    """How far the records show any stop to be passed, open or closed."""
    deepest = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP:
            deepest = max(deepest, -S[C.record])
    return deepest


@compiled
def pulling(I: Index, S: Scalars) -> float:
    """The largest effort with which a closed stop pulls, as last evaluated."""
    most = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if may_be_let_go(I, S, C) != 0:
            most = max(most, -rows(I, S, Row.LAM)[C.row])
    return most


@compiled
def keep_states(I: Index, S: Scalars, states: Floats) -> None:
    """Write down which stops are open and which are closed."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP:
            states[C.row] = StopMemory(at(S, C.memory)).hold


@compiled
def put_states(I: Index, S: Scalars, states: Floats) -> None:
    """Stops are open or closed again as written down."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP:
            StopMemory(at(S, C.memory)).hold = states[C.row]
    count_yielding(I, S)


@compiled
def complement(I: Index, S: Scalars, states: Floats, rates: Floats, slack: float, most: int) -> int:
    """One exchange towards  λ ≥ 0, ċ ≥ 0, λ ċ = 0  of the stops that are closed in `states`; returns how many
    changed.

    Those that pull by λ (Row.LAM) are opened, those opened before that would be passed at the rate ċ are
    closed; `most` at once.
    """
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        row = C.row
        if C.kind != Kind.STOP or n >= most or states[row] != Hold.EXACT or S[C.record] < -MET:
            continue
        mem = StopMemory(at(S, C.memory))
        if mem.hold == Hold.EXACT and rows(I, S, Row.LAM)[row] < 0.0:
            mem.hold = Hold.OPEN
            n += 1
        elif mem.hold == Hold.OPEN and rates[row] < -slack:
            mem.hold = Hold.EXACT
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n


@compiled
def hit(I: Index, S: Scalars, t: float) -> int:
    """Close every open stop that the records show beyond c = 0, with the velocity it leaves by; returns how
    many."""
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        if C.kind == Kind.STOP and mem.hold == Hold.OPEN and S[C.record] < -S.tolerance:
            before = rows(I, S, Row.SAVE)[C.row]
            bounce = 0.0
            if C.restitution >= 0 and before < -GENTLE:
                bounce = -S[C.restitution] * before
            mem.mu = 0.0
            mem.c0 = 0.0
            mem.rate0 = bounce
            mem.since = t
            mem.hold = Hold.HIT
            n += 1
    if n > 0:
        count_yielding(I, S)
        S.ready = 0.0
        S.impact = 1.0
        S.hits += float(n)
    return n


@compiled
def leave(I: Index, S: Scalars) -> None:
    """After a step: stops just hit are closed now, or open again where they bounce."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        if C.kind == Kind.STOP and mem.hold == Hold.HIT:
            mem.hold = Hold.OPEN if mem.rate0 > 0.0 else Hold.EXACT
            mem.rate0 = 0.0
            if mem.hold == Hold.OPEN:
                mem.mu = 0.0
    if S.impact > 0.0:
        count_yielding(I, S)
        S.ready = 0.0
        S.impact = 0.0


@compiled
def stop_after(I: Index, S: Scalars, reach: float) -> int:
    """For methods that know nothing of stops: at the end of a step, project onto those that were passed; 1 if
    anything changed.

    No coordinate moves by more than `reach`.
    """
    released = release(I, S, rows(I, S, Row.LAM), 1.0)
    lift(I, S)
    blocks(I, S, VALUE)
    if hit(I, S, S.time) == 0:
        return 1 if released > 0 else 0
    project_position(I, S, S.tolerance, ITERATIONS, reach)
    project_velocity(I, S, REST)
    leave(I, S)
    return 1
