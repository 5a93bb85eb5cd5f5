"""Stops and dry friction of a world as bounded rows of a contact problem (engine.contact.bounds).

A stop that a kick pushes is held exactly in the drift that follows, as RATTLE holds a joint: a rope that
swings does not grow longer. Dry friction is no row of the exact solver at all; it is open there for good.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Body, Joint, JointBlock, Problem
from tinkerdyne.engine.kkt import assemble, factor
from tinkerdyne.engine.records import (
    Constraint,
    Hold,
    Holding,
    Index,
    Jacobian,
    Kind,
    Row,
    Scalars,
    StopMemory,
    StopValue,
)
from tinkerdyne.engine.steppers.motion import MET, rows
from tinkerdyne.engine.steppers.rattle import epsilon
from tinkerdyne.engine.yielding import clear_reference, count_yielding


@inlined
def is_free_stop(S: Scalars, C: Constraint) -> int:
    """Whether a constraint is a stop that may open and close: not one on its way out, nor a spring."""
    if C.kind != Kind.STOP:
        return 0
    mem = StopMemory(at(S, C.memory))
    return 1 if mem.hold != Hold.SPRING and mem.c0 == 0.0 else 0


@compiled
def count_dry(I: Index) -> int:
    """How many constraints are dry friction."""
    n = 0
    for c in range(I.n_constraints):
        n += 1 if Constraint.of(I, c).kind == Kind.DRY else 0
    return n


@compiled
def do_stops_bounce(I: Index, S: Scalars) -> int:
    """Whether some stop has a restitution."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and C.restitution >= 0 and S[C.restitution] > 0.0:
            return 1
    return 0


# --- the numbers of the problem --------------------------------------------------------------------
@compiled
def stop_targets(I: Index, S: Scalars, out: Floats, ahead: float) -> None:
    """Stops may close what is left of their room within a time `ahead`; those that have come out are met."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind != Kind.STOP:
            continue
        now = StopValue(at(S, C.record))
        if StopMemory(at(S, C.memory)).c0 != 0.0 and now.c >= -MET:
            clear_reference(S, C)
        if is_free_stop(S, C) != 0:
            out[C.row] = rows(I, S, Row.RATE)[C.row] - max(0.0, now.c) / ahead


@compiled
def stop_rooms(I: Index, S: Scalars, out: Floats) -> None:
    """Stops allow a displacement of what room is left."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if is_free_stop(S, C) != 0:
            out[C.row] = -max(0.0, StopValue(at(S, C.record)).c)


@compiled
def note_own_rates(I: Index, S: Scalars, Jv: Floats) -> None:
    """J v − ċ of every row, which is what a constraint moves by itself, into Row.RATE."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            rows(I, S, Row.RATE)[C.row + i] = Jv[C.row + i] - S[C.record + C.dim + i]


@compiled
def write_joints(
    I: Index, S: Scalars, P: Problem, X: Floats, target: Floats, lam: Floats, kick: float
) -> None:
    """J of every constraint that is held, what J v is to be, the bounds of λ in a time `kick`, and a guess of
    it: −`lam`, and of stops and dry friction that of the last kick."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        joint = Joint.of(P, c)
        held = Holding(at(S, C.memory + 3 * C.dim)).hold
        is_free = is_free_stop(S, C)
        is_out = is_free != 0 and kick > 0.0 and rows(I, S, Row.TOUCHED)[C.row] != 0.0  # it is to bounce
        is_in = 1 if held == Hold.EXACT or held == Hold.HIT or is_free != 0 or C.kind == Kind.DRY else 0
        most = math.inf
        if C.kind == Kind.DRY:
            most = kick * S[C.limit]
        elif is_out:
            most = 0.0
        for i in range(C.dim):
            at_row = joint.row + i
            X[P.target + at_row] = target[C.row + i] if is_in != 0 else 0.0
            X[P.lam + at_row] = -lam[C.row + i] if is_in != 0 else 0.0
            X[P.upper + at_row] = most
            X[P.lower + at_row] = 0.0 if is_free != 0 else -most
            if kick > 0.0 and (is_free != 0 or C.kind == Kind.DRY):
                X[P.lam + at_row] = -S[C.memory + i]
        for k in range(C.n_jacobians):
            block = Jacobian.of(I, C.jacobian + k)
            link = JointBlock.of(P, joint.link + k)
            w = Body.of(P, link.body).width
            J = at(X, link.J)
            for i in range(C.dim):
                for j in range(w):
                    J[i * w + j] = S[block.J + i * block.nv + j] if j < block.nv and is_in != 0 else 0.0


@inlined
def row_rate(P: Problem, X: Floats, joint: Joint, i: int, v: Floats) -> float:
    """J v of one row, with velocities padded as the problem has them."""
    total = 0.0
    for k in range(joint.link, joint.link + joint.n_links):
        link = JointBlock.of(P, k)
        body = Body.of(P, link.body)
        for j in range(body.width):
            total += X[link.J + i * body.width + j] * v[body.dof + j]
    return total


@compiled
def work_of_limits(I: Index, S: Scalars, P: Problem, X: Floats, before: Floats, after: Floats) -> float:
    """Σ λ ½(ċ₀ + ċ₁) of dry friction and of the stops that were open: their work in a kick. A stop that was
    held does none, as a joint; what one kick of RATTLE takes, its drift gives back."""
    work = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        is_hit = is_free_stop(S, C) != 0 and rows(I, S, Row.INELASTIC)[C.row] != 0.0
        if is_hit or C.kind == Kind.DRY:
            joint = Joint.of(P, c)
            for i in range(C.dim):
                both = row_rate(P, X, joint, i, before) + row_rate(P, X, joint, i, after)
                work += X[P.lam + joint.row + i] * 0.5 * both
    return work


@compiled
def stop_jolt(I: Index, S: Scalars, P: Problem, X: Floats, before: Floats, after: Floats) -> float:
    """The largest change of a stop's rate in a kick."""
    most = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        joint = Joint.of(P, c)
        if is_free_stop(S, C) != 0 and X[P.lam + joint.row] > 0.0:
            most = max(most, row_rate(P, X, joint, 0, after) - row_rate(P, X, joint, 0, before))
    return most


# --- stops that are held in the drift --------------------------------------------------------------
@compiled
def note_open(I: Index, S: Scalars) -> None:
    """Note which stops are open at the start of a part of a step (Row.INELASTIC)."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP:
            is_open = StopMemory(at(S, C.memory)).hold == Hold.OPEN
            rows(I, S, Row.INELASTIC)[C.row] = 1.0 if is_open else 0.0


@compiled
def ask_none(I: Index, S: Scalars) -> None:
    """No stop was passed in this drift yet."""
    for i in range(I.nr):
        rows(I, S, Row.ASKED)[i] = 0.0


@compiled
def hold_stops(I: Index, S: Scalars, P: Problem, X: Floats) -> None:
    """Stops that push more than they open (λ > m y), or were passed, are held from now on, all others are
    open, and so are those that are to bounce (Row.TOUCHED)."""
    changed = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if is_free_stop(S, C) == 0:
            continue
        mem = StopMemory(at(S, C.memory))
        wanted = Hold.OPEN
        joint = Joint.of(P, c)
        i = joint.row
        opens = row_rate(P, X, joint, 0, at(X, P.v)) - X[P.target + i]
        is_pushed = X[P.lam + i] * X[P.joint_scale + i] > opens or rows(I, S, Row.ASKED)[C.row] != 0.0
        if is_pushed and rows(I, S, Row.TOUCHED)[C.row] == 0.0:
            wanted = Hold.EXACT
        if mem.hold != wanted:
            mem.hold = wanted
            changed = 1
    if changed != 0:
        count_yielding(I, S)
        assemble(I, S)
        factor(I, S, epsilon(S))


@compiled
def ask_passed(I: Index, S: Scalars) -> int:
    """Ask the open stops that the records show to be passed to hold; how many there are."""
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        is_open = is_free_stop(S, C) != 0 and StopMemory(at(S, C.memory)).hold == Hold.OPEN
        if is_open and S[C.record] < -S.tolerance and rows(I, S, Row.TOUCHED)[C.row] == 0.0:
            rows(I, S, Row.ASKED)[C.row] = 1.0
            n += 1
    return n
