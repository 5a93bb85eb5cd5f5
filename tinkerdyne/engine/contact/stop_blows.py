"""Stops in a blow: those that are touched take part in it like contacts without friction, with a restitution
of their own.

Rates are ċ = J v less what a stop moves by itself, which Row.RATE has. In a kick that goes before a bounce, a
stop that is to bounce is left out: Row.TOUCHED marks it."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.limits import is_free_stop, row_rate
from tinkerdyne.engine.contact.problem import Island, Joint, Problem
from tinkerdyne.engine.records import Constraint, Hold, Index, Kind, Row, Scalars, StopMemory, StopValue
from tinkerdyne.engine.steppers.motion import rows
from tinkerdyne.engine.yielding import count_yielding, open_stop


@inlined
def is_closed_stop(S: Scalars, C: Constraint) -> int:
    """Whether a constraint is a stop that is touched, by the records."""
    return 1 if is_free_stop(S, C) != 0 and StopValue(at(S, C.record)).c <= S.tolerance else 0


@inlined
def restitution_of_stop(S: Scalars, C: Constraint) -> float:
    """Its restitution, 0 where it has none."""
    e = 0.0
    if C.restitution >= 0:
        e = min(1.0, S[C.restitution])
    return e


@compiled
def stop_rate(I: Index, S: Scalars, P: Problem, X: Floats, c: int, v: Floats) -> float:
    """How fast stop c opens with velocities v of the problem."""
    return row_rate(P, X, Joint.of(P, c), 0, v) - rows(I, S, Row.RATE)[Constraint.of(I, c).row]


@compiled
def leave_out(P: Problem, X: Floats, c: int) -> None:
    """Let a stop push nothing."""
    i = Joint.of(P, c).row
    X[P.lower + i], X[P.upper + i], X[P.lam + i] = 0.0, 0.0, 0.0


@compiled
def ask_stop(I: Index, S: Scalars, P: Problem, X: Floats, c: int, rate: float) -> None:
    """Let a stop open at this rate at least."""
    i = Joint.of(P, c).row
    X[P.lower + i], X[P.upper + i], X[P.lam + i] = 0.0, math.inf, 0.0
    X[P.target + i] = rows(I, S, Row.RATE)[Constraint.of(I, c).row] + rate


@compiled
def ask_stops(I: Index, S: Scalars, P: Problem, X: Floats, w: Floats, share: float) -> None:
    """Ask the stops that are touched to open at a share of their rates in w, at least; the others are out."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if is_closed_stop(S, C) != 0:
            ask_stop(I, S, P, X, c, share * stop_rate(I, S, P, X, c, w))
        elif is_free_stop(S, C) != 0:
            leave_out(P, X, c)


@compiled
def ask_closing(I: Index, S: Scalars, P: Problem, X: Floats, w: Floats, slack: float) -> int:
    """Ask the touched stops that close faster than `slack` to hold, the others are out; how many they are."""
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if is_free_stop(S, C) == 0:
            continue
        leave_out(P, X, c)
        if is_closed_stop(S, C) != 0 and stop_rate(I, S, P, X, c, w) < -slack:
            ask_stop(I, S, P, X, c, 0.0)
            n += 1
    return n


@compiled
def fastest_stop(I: Index, S: Scalars, P: Problem, X: Floats, w: Floats) -> float:
    """The fastest rate at which a touched stop closes."""
    fastest = 0.0
    for c in range(I.n_constraints):
        if is_closed_stop(S, Constraint.of(I, c)) != 0:
            fastest = max(fastest, -stop_rate(I, S, P, X, c, w))
    return fastest


@compiled
def is_stop_struck(I: Index, S: Scalars, P: Problem, X: Floats, v: Floats, limit: float) -> int:
    """Whether a stop that bounces is met faster than the limit."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        bounces = is_closed_stop(S, C) != 0 and restitution_of_stop(S, C) > 0.0
        if bounces and stop_rate(I, S, P, X, c, v) < -limit:
            return 1
    return 0


@compiled
def least_restitution(
    I: Index, S: Scalars, P: Problem, X: Floats, island: Island, v: Floats, limit: float, e: float
) -> float:
    """The least of e and the restitutions of the stops of an island that are struck."""
    for s in range(island.joint, island.joint_end):
        c = P[P.joint_list + s]
        C = Constraint.of(I, c)
        if is_closed_stop(S, C) != 0 and stop_rate(I, S, P, X, c, v) < -limit:
            e = min(e, restitution_of_stop(S, C))
    return e


@compiled
def open_struck(I: Index, S: Scalars, P: Problem, X: Floats) -> None:
    """After a blow, the stops that took part in it are open: the next kick says which hold."""
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if is_free_stop(S, C) != 0 and StopMemory(at(S, C.memory)).hold == Hold.EXACT:
            open_stop(StopMemory(at(S, C.memory)))
            n += 1
    if n > 0:
        count_yielding(I, S)
        S.ready = 0.0


@compiled
def mark_none(I: Index, S: Scalars) -> None:
    """No stop is left out of a kick."""
    for i in range(I.nr):
        rows(I, S, Row.TOUCHED)[i] = 0.0


@compiled
def mark_bounces(I: Index, S: Scalars, P: Problem, X: Floats, v: Floats, limit: float) -> None:
    """Mark the stops that are about to bounce, however far they are."""
    mark_none(I, S)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        bounces = is_free_stop(S, C) != 0 and restitution_of_stop(S, C) > 0.0
        if bounces and stop_rate(I, S, P, X, c, v) < -limit:
            rows(I, S, Row.TOUCHED)[C.row] = 1.0


@compiled
def first_stop(
    I: Index, S: Scalars, P: Problem, X: Floats, v: Floats, acceleration: Floats, h: float, limit: float
) -> float:
    """When the first stop that bounces is met within h, by present motion and forces; these are marked."""
    first = h
    mark_none(I, S)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind != Kind.STOP or is_free_stop(S, C) == 0 or is_closed_stop(S, C) != 0:
            continue
        rate = stop_rate(I, S, P, X, c, v)
        pull = row_rate(P, X, Joint.of(P, c), 0, acceleration)
        when = closing_time(StopValue(at(S, C.record)).c, rate, pull)
        if restitution_of_stop(S, C) > 0.0 and when >= 0.0 and rate + pull * when <= -limit:
            rows(I, S, Row.TOUCHED)[C.row] = 1.0
            first = min(first, when)
    return first


@inlined
def closing_time(gap: float, rate: float, pull: float) -> float:
    """The first τ ≥ 0 with φ + u τ + ½ a τ² = 0, or infinity."""
    root = rate * rate - 2.0 * pull * gap
    when = math.inf
    if root >= 0.0:
        root = math.sqrt(root)
        # 2φ/(−u + √…) is the earlier root, without loss of digits
        if root > rate:
            when = 2.0 * gap / (root - rate)
    return when
