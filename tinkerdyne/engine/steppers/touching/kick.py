"""A kick: the velocities that forces, joints and contacts give together, and what their solution is worth.

v += W (h/2 Q + Jᵀλ + Hᵀr),   contacts at q as the law says, with gaps that may close within h.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.blows import note_jolts
from tinkerdyne.engine.contact.damped_kick import (
    ENOUGH,
    ROUNDS,
    forces_of,
    next_guess,
    wants_rounds,
    write_damped,
)
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.limits import stop_jolt, work_of_limits, write_joints
from tinkerdyne.engine.contact.meeting import keep_impulses, write_bodies, write_contacts
from tinkerdyne.engine.contact.problem import Body, Contact, Island, IslandValues, Joint, Point, Problem
from tinkerdyne.engine.contact.recycling import contact_at
from tinkerdyne.engine.contact.solver import contact_solve
from tinkerdyne.engine.contact.touching import Touching, TouchValues
from tinkerdyne.engine.product import times_W
from tinkerdyne.engine.records import Constraint, Index, Object, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, largest, vels
from tinkerdyne.engine.steppers.touching.looks import bend_gaps, take_kept

BLOW = 8.0  # times what forces do in a kick: a contact that stops more than that is struck


@compiled
def note_answer(T: Touching, Y: Floats, D: Ints, P: Problem, X: Floats) -> None:
    """What a solution is worth: the largest residual beyond a tolerance, and whose it is."""
    values = TouchValues(Y)
    T.solves += 1
    for k in range(P.n_islands):
        island = Island.of(P, k)
        own = IslandValues(at(X, island.values))
        T.factorings += island.factorings
        values.gained = max(values.gained, own.energy)
        if own.residual > own.tolerance:
            T.n_open += 1
            if own.residual > values.residual:
                values.residual = own.residual
                T.worst_a = -1
                T.worst_b = -1
                if island.worst >= 0:
                    worst = contact_at(D, Detection(D).contacts, island.worst)
                    T.worst_a = worst.a
                    T.worst_b = worst.b


@compiled
def work_of_contacts(P: Problem, X: Floats, values: TouchValues) -> float:
    """Σ r·½(u₀ + u₁), b not counted: the work of the contacts in a kick. u₀ is that of the velocities before
    it, which stand in v_free by now: forces act in the same time."""
    work = 0.0
    values.jolt = 0.0
    for k in range(P.n_contacts):
        contact = Contact.of(P, k)
        if contact.a < 0 and contact.b < 0:
            continue
        point = Point(at(X, contact.point))
        w = 0
        for i in range(3):
            before = 0.0
            if contact.a >= 0:
                body = Body.of(P, contact.a)
                w = body.width
                for j in range(w):
                    before += X[contact.Ha + i * w + j] * X[P.v_free + body.dof + j]
            if contact.b >= 0:
                body = Body.of(P, contact.b)
                w = body.width
                for j in range(w):
                    before += X[contact.Hb + i * w + j] * X[P.v_free + body.dof + j]
            after = point.u[i] - point.b[i]
            work += 0.5 * point.r[i] * (before + after)
            if i == 0:
                values.jolt = max(values.jolt, after - before)
    return work


@compiled
def solve_kick(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats,
    h: float, target: Floats, lam: Floats, is_again: int, stiff: float,
) -> None:  # fmt: skip
    """The problem of a kick, v_free in Vel.KICK; where damping takes more than the share `stiff`, in rounds,
    of which the last stands. A kick that rounds do not end for is told, in S.unkicked."""
    write_bodies(I, S, T, P, X, vels(I, S, Vel.KICK))
    write_joints(I, S, P, X, target, lam, 0.5 * h)
    write_contacts(I, S, T, Y, D, F, P, X, h)
    if is_again != 0:
        bend_gaps(T, Y, D, F, P, X, h)
    if wants_rounds(I, S, 0.5 * h, stiff) == 0:
        contact_solve(P, X)
        return
    start = at(S, I.v)
    last = vels(I, S, Vel.TRY)
    Q = vels(I, S, Vel.TOTAL)
    copy(start, last, I.nv)
    copy(at(S, I.force), Q, I.nv)
    left = 1.0
    P.is_fine, P.is_rough = 1, 0  # the rounds would stretch what a solution leaves
    for k in range(ROUNDS):
        write_bodies(I, S, T, P, X, start)
        write_damped(I, S, T, P, X, 0.5 * h, start, last, Q)
        contact_solve(P, X)
        left = next_guess(I, S, T, P, X, last, 1 if k < 2 else 0)
        if left <= ENOUGH and k > 0:
            break
        forces_of(I, S, last, Q)
    P.is_fine = 0
    S.unkicked = max(S.unkicked, left)


@compiled
def touching_kick(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats,
    h: float, target: Floats, lam: Floats, is_again: int, stiff: float,
) -> None:  # fmt: skip
    """v += W (h/2 Q + Jᵀλ + Hᵀr), the contacts as `meet` found them; −λ goes to `lam`. In a kick that is
    taken again the gaps are bent as the last drift has bent them."""
    v = at(S, I.v)
    kick = vels(I, S, Vel.KICK)
    times_W(I, S, at(S, I.force), kick)
    values = TouchValues(Y)
    values.pull = 0.5 * h * largest(kick, I.nv)
    for i in range(I.nv):
        kick[i] = v[i] + 0.5 * h * kick[i]
    solve_kick(I, S, T, Y, D, F, P, X, h, target, lam, is_again, stiff)
    note_answer(T, Y, D, P, X)
    if is_again != 0:
        take_kept(T, Y, P, X)
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(own.nv):
            X[P.v_free + body.dof + i] = S[own.v + i]
            S[own.v + i] = X[P.v + body.dof + i]
    pushed = work_of_contacts(P, X, values)
    values.pushed += pushed
    values.work += pushed
    values.work += work_of_limits(I, S, P, X, at(X, P.v_free), at(X, P.v))
    values.jolt = max(values.jolt, stop_jolt(I, S, P, X, at(X, P.v_free), at(X, P.v)))
    if values.jolt > BLOW * values.pull:
        S.hits += 1.0
        if T.is_heard != 0:
            note_jolts(S, T, Y, D, F, P, X, BLOW * values.pull)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        joint = Joint.of(P, c)
        for i in range(C.dim):
            lam[C.row + i] = -X[P.lam + joint.row + i]
    keep_impulses(T, Y, P, X, is_again)
