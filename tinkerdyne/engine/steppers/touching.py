"""RATTLE with contact: kick – drift – kick, with joints and contacts solved for together in both kicks.

    v₊ = v + h/2 W Q + W (Jᵀλ + Hᵀr),   contacts at q as the law says, with gaps that may close within h;
    q₁ = drift(q, v₊, h),  and λ goes on until c(q₁) = r(t₁);
    v₁ = v₊ + h/2 W Q₁ + W (J₁ᵀλ₁ + H₁ᵀr₁),   contacts at q₁ likewise.
Where nothing is near anything, a step is a plain one. Bodies that overlap after the drift are pushed apart in
the metric of the masses, joints kept; velocities know nothing of it.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.bending import (
    BENT,
    add_bends,
    find_bends,
    may_bend,
    note_departure,
    take_bends_back,
)
from tinkerdyne.engine.contact.blows import note_jolts
from tinkerdyne.engine.contact.damped_kick import (
    ENOUGH,
    ROUNDS,
    SLIGHT,
    STIFF,
    forces_of,
    next_guess,
    wants_rounds,
    write_damped,
)
from tinkerdyne.engine.contact.detect import NO_CONTACT_ROOM, find_contacts
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.joining import join_patches
from tinkerdyne.engine.contact.limits import (
    ask_none,
    ask_passed,
    count_dry,
    do_stops_bounce,
    hold_stops,
    is_free_stop,
    note_open,
    note_own_rates,
    stop_jolt,
    stop_rooms,
    stop_targets,
    work_of_limits,
    write_joints,
)
from tinkerdyne.engine.contact.making_turns import NO_ARM, write_turns
from tinkerdyne.engine.contact.meeting import (
    NO_PROBLEM_ROOM,
    along_normal,
    keep_impulses,
    make_problem,
    meet,
    recall_impulses,
    see_from_here,
    wide_open,
    write_bodies,
    write_contacts,
)
from tinkerdyne.engine.contact.poses import gather_poses
from tinkerdyne.engine.contact.problem import Body, Contact, Island, IslandValues, Joint, Point, Problem
from tinkerdyne.engine.contact.recycling import contact_at, point_at, swap_tables
from tinkerdyne.engine.contact.sleep import (
    count_sleepers,
    go_to_sleep,
    hold_still,
    keep_sleeping_multipliers,
    rouse,
    wake_all,
)
from tinkerdyne.engine.contact.solver import contact_solve
from tinkerdyne.engine.contact.stop_blows import mark_bounces, mark_none
from tinkerdyne.engine.contact.strike import first_hit, restitution_of, strike, write_all
from tinkerdyne.engine.contact.touching import RECALLED, Touching, TouchValues
from tinkerdyne.engine.contact.watching import tell_watches
from tinkerdyne.engine.evaluate import (
    MOTION,
    VALUE,
    blocks,
    compose,
    forces,
    kinetic,
    lift,
    masses,
    power,
    wind,
)
from tinkerdyne.engine.kkt import assemble, factor
from tinkerdyne.engine.product import times_J, times_W
from tinkerdyne.engine.records import Constraint, Index, Kind, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.accuracy import close_account, open_account
from tinkerdyne.engine.steppers.advance import is_lost, one_step
from tinkerdyne.engine.steppers.methods import RATTLE
from tinkerdyne.engine.steppers.motion import copy, gather, largest, reference, rows, vels
from tinkerdyne.engine.steppers.rattle import (
    drift,
    drift_onto_constraints,
    epsilon,
    is_driven,
    keep_multipliers,
    note_led,
    prepare,
    work_of,
)
from tinkerdyne.engine.steppers.retake import keep_start, restore

LEVELS, MOST_PARTS = 4, 16  # a step that fails is halved so many times
DEEP = 1e3  # times the slop: deeper overlaps are pushed apart
DEEPER = 4e3  # times the slop: a step in which bodies come to overlap so much more is taken again
TOO_DEEP = 6e3  # times the slop: what comes to overlap more than that in a step is stepped in parts
LOOKS = 5  # at what comes into the way within a step
PARTED = 1.0  # times the slop: assembly parts all that overlaps more …
AT_ONCE = 1.0  # s at a gentle speed: … by so much at most, from one look to the next
GENTLE = 0.5  # m/s: how fast they are
FURTHEST = 1e3  # times that way: a displacement that is none
AT_REST = 2.0  # times what forces do in a step: slower blows do not bounce
LEAST = 1e-9  # of a step: a part that is not worth taking
NEWTON_FAILED, OVERLAP = 1, 2
BLOW = 8.0  # times what forces do in a kick: a contact that stops more than that is struck


@inlined
def rate_targets(I: Index, S: Scalars, out: Floats, h: float) -> None:
    """Of constraints on velocities only these are known, and not what c is to be: ṙ in the middle of h."""
    gap = rows(I, S, Row.WORK)
    r = rows(I, S, Row.REF)
    r1 = rows(I, S, Row.REF1)
    r2 = rows(I, S, Row.REF2)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.RATE or C.kind == Kind.STEADY:
            for i in range(C.row, C.row + C.dim):
                out[i] += r1[i] - 0.5 * h * r2[i] - (r[i] - gap[i]) / h


@compiled
def joint_targets(I: Index, S: Scalars, out: Floats, h: float, ahead: float) -> None:
    """What J v is to be, so that c is r at the end of h; with h = 0, so that ċ is ṙ now. J, c and ċ are those
    of the present state. Stops that are open may close within `ahead`."""
    rate = rows(I, S, Row.RES)
    gap = rows(I, S, Row.WORK)
    times_J(I, S, at(S, I.v), out)
    note_own_rates(I, S, out)
    gather(I, S, 1, rate)
    gather(I, S, 0, gap)
    r = rows(I, S, Row.REF)
    r1 = rows(I, S, Row.REF1)
    for i in range(I.nr):
        out[i] -= rate[i]
        out[i] += (r[i] - gap[i]) / h if h > 0.0 else r1[i]
    if I.rates != 0 and h > 0.0:
        rate_targets(I, S, out, h)
    stop_targets(I, S, out, ahead)


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
    if T.is_bent != 0:
        add_bends(T, Y, P, X)
        T.is_bent = 0
    if wants_rounds(I, S, 0.5 * h, stiff) == 0:
        contact_solve(P, X)
        return
    start = at(S, I.v)
    last = vels(I, S, Vel.TRY)
    Q = vels(I, S, Vel.TOTAL)
    copy(start, last, I.nv)
    copy(at(S, I.force), Q, I.nv)
    left = 1.0
    P.is_fine = 1  # the rounds would stretch what a solution leaves
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
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(own.nv):
            X[P.v_free + body.dof + i] = S[own.v + i]
            S[own.v + i] = X[P.v + body.dof + i]
    values.work += work_of_contacts(P, X, values)
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
    keep_impulses(T, Y, P, X)


@inlined
def evaluate_end(I: Index, S: Scalars) -> None:
    """J, factor and forces at the end of the drift."""
    blocks(I, S, MOTION)
    compose(I, S)
    if I.mass_varies != 0:
        masses(I, S)
    assemble(I, S)
    S.energy = forces(I, S)
    factor(I, S, epsilon(S))


@inlined
def deepest(H: Detection, F: Floats) -> float:
    """The deepest overlap of the contacts at hand."""
    most = 0.0
    for k in range(H.n_contacts):
        most = max(most, -point_at(F, H.points, k).gap)
    return most


@inlined
def note_overlap(T: Touching, values: TouchValues, D: Ints, F: Floats) -> None:
    """Whether something overlaps so deeply that it is pushed apart, and who was deepest of all."""
    H = Detection(D)
    for k in range(H.n_contacts):
        depth = -point_at(F, H.points, k).gap
        if depth > values.slop * DEEP:
            T.wants_push = 1
            if depth > values.overlap:
                values.overlap = depth
                T.overlap_a = contact_at(D, H.contacts, k).a
                T.overlap_b = contact_at(D, H.contacts, k).b


@inlined
def leave_bounces(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, limit: float
) -> None:
    """Leave contacts that are about to bounce open for the kick before it."""
    v = vels(I, S, Vel.STRUCK)
    copy(at(S, I.v), v, I.nv)
    for k in range(T.n_met):
        Y[T.holds + k] = 0.0
    write_all(I, S, T, Y, D, F, P, X, v)
    mark_bounces(I, S, P, X, at(X, P.v_free), limit)
    for k in range(T.n_met):
        is_fast = along_normal(P, X, k, at(X, P.v_free)) < -limit
        if is_fast and restitution_of(T, Y, D, k) > 0.0:
            Y[T.holds + k] = 1.0


@compiled
def drift_past(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats,
    h: float, may_fail: int,
) -> int:  # fmt: skip
    """The first kick and the drift, with the contacts of both ends: again, where something comes into the way
    that was not seen from the start, with what was met at the end. Answers like `touching_part`."""
    values = TouchValues(Y)
    work = values.work
    start = vels(I, S, Vel.START)
    target = rows(I, S, Row.RHS)
    lam = rows(I, S, Row.LAMBDA)
    copy(at(S, I.v), start, I.nv)
    joint_targets(I, S, target, h, h)
    ask_none(I, S)
    deep = deepest(Detection(D), F) + values.slop * DEEPER
    t1 = S.time + h
    blows = T.n_heard
    is_again = 0
    for look in range(LOOKS):
        T.n_heard = blows
        for i in range(I.nr):
            lam[i] = 0.0
        touching_kick(I, S, T, Y, D, F, P, X, h, target, lam, is_again, STIFF)
        hold_stops(I, S, P, X)
        copy(at(S, I.v), at(S, I.v0), I.nv)
        S.time = t1
        if drift_onto_constraints(I, S, h) != 0:
            return NEWTON_FAILED
        hold_still(I, S, T, Y)
        keep_trial(I, S, T, Y, P)
        is_bent = may_bend(I, S, T, Y) if look == 0 else 0
        if is_bent != 0:
            note_departure(I, S, T, Y, P, X)
        T.is_found = 0
        n_passed = ask_passed(I, S)
        found = meet(I, S, T, Y, D, F, P, K, values.whole)  # the next part may be longer
        overlap = deepest(Detection(D), F)
        if found < 0:
            return found
        if is_bent != 0:
            is_bent = 1 if find_bends(I, S, T, Y, D, F, P, X, h) > BENT * values.pull else 0
        if overlap <= deep and n_passed == 0 and is_bent == 0:
            return 0
        if look == LOOKS - 1:
            break
        T.retakes += 1
        values.work = work
        if is_bent != 0:
            found = go_back_bent(I, S, T, Y, D, F, P, K, h)
            is_again = 0
        else:
            found = go_back_with_contacts(I, S, T, Y, D, F, P, K, deep)
            is_again = 1
        if found != 0:
            return found
    return OVERLAP if may_fail != 0 and overlap > deep + values.slop * TOO_DEEP else 0


@inlined
def keep_trial(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem) -> None:
    """Keep the velocities of a drift, padded as the problem has them, and its impulses."""
    trial = at(Y, T.bounced)
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(body.width):
            trial[body.dof + i] = S[I.v0 + own.v - I.v + i] if i < own.nv else 0.0
    for k in range(3 * T.n_met):
        Y[T.tried_impulses + k] = Y[T.impulses + k]


@compiled
def join_contacts(T: Touching, Y: Floats, P: Problem, D: Ints, F: Floats, deep: float) -> int:
    """The contacts before the last look, with the impulses that were kept, and those that it found deeper
    than that; below 0 what room is missing for them."""
    H = Detection(D)
    n = join_patches(H, D, F, deep, P.contact_room, at(Y, T.impulses), at(Y, T.tried_impulses))
    if n < 0:
        return NO_PROBLEM_ROOM if H.n_wanted > P.contact_room else NO_CONTACT_ROOM
    for k in range(3 * n):
        Y[T.old_impulses + k] = Y[T.impulses + k]
    return n


@inlined
def go_back_bent(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, h: float
) -> int:
    """Back to the start of a drift, whose contacts are found again and know how they bend."""
    copy(vels(I, S, Vel.START), at(S, I.v), I.nv)
    copy(at(S, I.q0), at(S, I.q), I.nq)
    lift(I, S)
    found = meet(I, S, T, Y, D, F, P, K, TouchValues(Y).whole)
    if found < 0:
        return found
    take_bends_back(T, Y, D)
    return 0


@inlined
def go_back_with_contacts(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, deep: float
) -> int:
    """Back to the start of a drift, with the contacts of both ends; below 0 where room is missing. A contact
    of the end that lies on another side of a body, seen from the start, is none."""
    H = Detection(D)
    joined = join_contacts(T, Y, P, D, F, 0.5 * deep)
    if joined < 0:
        return joined
    ready = make_problem(I, T, Y, D, P, K)
    if ready < 0:
        return ready
    see_from_here(I, S, T, D, F)
    for k in range(H.n_contacts):
        Y[T.ends + k] = point_at(F, H.points, k).gap
    copy(vels(I, S, Vel.START), at(S, I.v), I.nv)
    copy(at(S, I.q0), at(S, I.q), I.nq)
    lift(I, S)
    see_from_here(I, S, T, D, F)
    for k in range(H.n_contacts):
        if point_at(F, H.points, k).gap < -deep:
            Y[T.ends + k] = math.inf
    return 0


@inlined
def bend_gaps(T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float) -> None:
    """Gaps close along bent ways: φ₁ = φ₀ + h u_n + what the last drift has shown that they bend."""
    H = Detection(D)
    for k in range(T.n_met):
        contact = Contact.of(P, k)
        if contact.a < 0 and contact.b < 0:
            continue
        point = Point(at(X, contact.point))
        rate = along_normal(P, X, k, at(Y, T.bounced))
        if math.isinf(Y[T.ends + k]):
            point.b[0] = wide_open(along_normal(P, X, k, at(X, P.v_free)))
        else:
            bend = Y[T.ends + k] - point_at(F, H.points, k).gap - h * rate
            if Y[T.ends + k] < 0.0:
                point.b[0] += min(0.0, bend) / h


@inlined
def note_leading(I: Index, S: Scalars) -> None:
    """J v of the constraints that move by themselves; the work of stops and dry friction is counted with that
    of the contacts."""
    note_led(I, S, at(S, I.v))
    led = rows(I, S, Row.LED)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.DRY or is_free_stop(S, C) != 0:
            for i in range(C.row, C.row + C.dim):
                led[i] = 0.0


@inlined
def work_of_leading(I: Index, S: Scalars, before: float) -> float:
    """The work of constraints that move by themselves in the second kick; by how much it differs from that of
    the first is how well it is known."""
    note_leading(I, S)
    work = work_of(I, S, rows(I, S, Row.MU))
    S.loose += 0.5 * math.fabs(work - before)
    return work


@compiled
def touching_part(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats,
    h: float, may_fail: int,
) -> int:  # fmt: skip
    """A step of h at most from a prepared state with contacts at hand, up to the first bounce; below 0 where
    room is missing, 1 where joints cannot be closed, 2 where bodies come to overlap. Then only q, v and t
    need restoring."""
    values = TouchValues(Y)
    limit = 0.0
    bounces = T.has_bounce + T.stops_bounce
    mark_none(I, S)
    note_open(I, S)
    if bounces != 0:
        times_J(I, S, at(S, I.v), rows(I, S, Row.WORK))
        note_own_rates(I, S, rows(I, S, Row.WORK))
        kick = vels(I, S, Vel.KICK)
        times_W(I, S, at(S, I.force), kick)
        limit = AT_REST * values.whole * largest(kick, I.nv)
        if strike(I, S, T, Y, D, F, P, X, limit) != 0:
            times_W(I, S, at(S, I.force), kick)
            blocks(I, S, MOTION)
        h = first_hit(I, S, T, Y, D, F, P, X, h, limit)
    values.taken = h
    t1 = S.time + h
    copy(at(S, I.q), at(S, I.q0), I.nq)
    p0 = S.power
    reference(I, S, t1, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    S.driven = float(is_driven(I, S))
    if S.driven > 0.0:
        note_leading(I, S)
    failed = drift_past(I, S, T, Y, D, F, P, K, X, h, may_fail)
    if failed != 0:
        return failed
    values.deepest = max(values.deepest, deepest(Detection(D), F))
    led = work_of(I, S, rows(I, S, Row.LAMBDA)) if S.driven > 0.0 else 0.0
    evaluate_end(I, S)
    target = rows(I, S, Row.RHS)
    lam = rows(I, S, Row.LAMBDA)
    if bounces != 0:
        leave_bounces(I, S, T, Y, D, F, P, X, limit)
    joint_targets(I, S, target, 0.0, h)
    touching_kick(I, S, T, Y, D, F, P, X, h, target, lam, 0, SLIGHT)
    ask_none(I, S)
    hold_stops(I, S, P, X)
    mark_none(I, S)
    if bounces != 0:
        for k in range(T.n_met):
            Y[T.holds + k] = 0.0
        strike(I, S, T, Y, D, F, P, X, limit)
    copy(lam, rows(I, S, Row.MU), I.nr)
    keep_sleeping_multipliers(I, S, T, Y, P, rows(I, S, Row.MU))
    keep_multipliers(I, S, rows(I, S, Row.MU))
    blocks(I, S, MOTION)  # ċ of the new v
    if S.driven > 0.0:
        values.work += led + work_of_leading(I, S, led)
    S.power = power(I, S)
    values.work += 0.5 * h * (p0 + S.power)
    S.kinetic = kinetic(I, S)
    S.ready = 1.0
    return 0


@compiled
def push_apart(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats, h: float
) -> None:
    """Move what overlaps apart by the least displacement in the metric of the masses, joints kept; velocities
    know nothing of it, and no contact is moved by more than a gentle step at once. What overlaps then at
    other points is moved again, with all that were seen. The contacts at hand are those of a step."""
    H = Detection(D)
    for look in range(LOOKS):
        part_contacts(I, S, T, Y, D, F, P, X, h)
        if not (largest(at(X, P.v), P.n_velocities) <= FURTHEST * GENTLE * h):
            break  # what is wedged between others has no answer
        move(I, S, T, Y, P, X)
        for k in range(3 * T.n_met):
            Y[T.tried_impulses + k] = Y[T.impulses + k]
        gather_poses(I, S, H, F)
        before = H.n_contacts
        found = find_contacts(D, F)
        if found > P.contact_room:
            swap_tables(H)
            H.n_contacts = before
        if found < 0 or found > P.contact_room:
            break
        recall_impulses(T, Y, H, D)
        is_done = look == LOOKS - 1 or deepest(H, F) <= TouchValues(Y).slop * DEEP
        if is_done or join_contacts(T, Y, P, D, F, 0.5 * TouchValues(Y).slop * DEEP) < 0:
            break
        if make_problem(I, T, Y, D, P, K) < 0:
            break
        see_from_here(I, S, T, D, F)
    T.is_found = 0


@inlined
def part_contacts(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float
) -> None:
    """The displacement that parts the contacts at hand, into v of the problem."""
    zero = vels(I, S, Vel.KICK)
    for i in range(I.nv):
        zero[i] = 0.0
    write_bodies(I, S, T, P, X, zero)
    for i in range(P.n_velocities):
        X[P.v + i] = 0.0
    target = rows(I, S, Row.RHS)
    lam = rows(I, S, Row.LAMBDA)
    for i in range(I.nr):
        target[i] = 0.0
        lam[i] = 0.0
    stop_rooms(I, S, target)
    write_joints(I, S, P, X, target, lam, 0.0)
    write_contacts(I, S, T, Y, D, F, P, X, 1.0)
    H = Detection(D)
    for k in range(T.n_met):
        point = Point(at(X, Contact.of(P, k).point))
        point.mu = 0.0
        point.b[0] = max(point_at(F, H.points, k).gap, -GENTLE * h)
        for i in range(3):
            point.r[i] = 0.0
    write_turns(I, T, Y, D, F, P, X, NO_ARM)
    contact_solve(P, X)


@inlined
def move(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem, X: Floats) -> None:
    """Displace everything by what stands in v of the problem."""
    kept = vels(I, S, Vel.KICK)
    copy(at(S, I.v), kept, I.nv)
    copy(at(S, I.q), at(S, I.q0), I.nq)
    for i in range(I.nv):
        S[I.v0 + i] = 0.0
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(own.nv):
            S[I.v0 + own.v - I.v + i] = X[P.v + body.dof + i]
    h = S.step
    drift(I, S, 1.0)
    S.step = h
    hold_still(I, S, T, Y)  # a drift by nothing may round
    copy(kept, at(S, I.v), I.nv)
    lift(I, S)
    S.ready = 0.0
    T.is_found = 0


@compiled
def touching_step(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats,
    h: float, end: float,
) -> int:  # fmt: skip
    """A step with contact, in up to 16 parts where joints cannot be closed otherwise; below 0 where room is
    missing, and then the state is that of the start."""
    t = S.time
    prepare(I, S)
    keep_start(I, S)
    values = TouchValues(Y)
    values.whole = h
    parts = 1
    for _level in range(LEVELS + 1):
        failed = 0
        values.work = 0.0
        T.n_heard = 0
        S.loose = 0.0
        for k in range(parts):
            left = h / parts
            may_fail = 1 if parts < MOST_PARTS else 0
            while left > h * LEAST:
                prepare(I, S)
                found = T.n_met
                if T.is_found == 0:
                    found = meet(I, S, T, Y, D, F, P, K, h)
                elif T.is_found == RECALLED:
                    found = make_problem(I, T, Y, D, P, K)
                if found == 0 and left == h and T.has_dry == 0:
                    T.is_found = 0
                    S.touched = 0.0
                    one_step(I, S, RATTLE, h, end)
                    return 0
                failed = found if found < 0 else touching_part(I, S, T, Y, D, F, P, K, X, left, may_fail)
                if failed != 0:
                    break
                left -= values.taken
            if failed != 0:
                break
            S.time = t + h * (k + 1) / parts
        if failed == 0:
            S.nonconserved = values.work
            S.touched = 1.0
            if T.is_found != 0:
                note_overlap(T, values, D, F)
            if parts > 1:  # the next step looks further ahead
                T.is_found = 0
            return 0
        restore(I, S, t)
        T.is_found = 0
        if failed < 0:
            return failed
        parts *= 2
        T.divisions += 1
    T.n_open += 1
    wake_all(T, Y)
    S.touched = 0.0
    one_step(I, S, RATTLE, h, end)
    return 0


@inlined
def rests(I: Index, S: Scalars, h: float) -> int:
    """Whether all moves less than the forces would make free parts move in one step."""
    Q = at(S, I.force)
    kick = vels(I, S, Vel.WORK)
    times_W(I, S, Q, kick)
    free = 0.0
    for i in range(I.nv):
        free += 0.5 * h * h * kick[i] * Q[i]
    return 1 if S.kinetic < free else 0


@entry("IFIFIFIIFid")
def advance_touching(
    I: Index,
    S: Scalars,
    T: Touching,
    Y: Floats,
    D: Ints,
    F: Floats,
    P: Problem,
    K: Ints,
    X: Floats,
    n: int,
    h: float,
) -> int:
    """n steps of RATTLE with contact; returns the number done, fewer where the state stopped being finite, or
    where T.wanted says what room is missing (the last good state is kept)."""
    start = S.time
    T.wanted = 0
    count_sleepers(T, Y)
    T.has_dry = count_dry(I)
    T.stops_bounce = do_stops_bounce(I, S)
    for k in range(n):
        t = S.time
        end = start + (k + 1) * h
        if T.n_asleep > 0 and rouse(I, S, T, Y, P) == T.n_movers:
            S.count_steps += 1.0
            S.time = end
            continue
        open_account(I, S, RATTLE)
        wanted = touching_step(I, S, T, Y, D, F, P, K, X, h, end)
        if wanted < 0:
            T.wanted = wanted
            return k
        if S.wants_tangent != 0.0:
            restore(I, S, t)
            T.is_found = 0
            return k
        if is_lost(I, S) != 0:
            restore(I, S, S.kept_time)
            T.is_found = 0
            return k
        if rests(I, S, h) != 0:  # what rests has no path to be measured
            S.phase = 0.0
        close_account(I, S, RATTLE, h, t)
        if I.winds != 0:
            lift(I, S)
            blocks(I, S, VALUE)
            wind(I, S)
        if T.wants_push != 0:  # the step itself has been accounted for
            T.wants_push = 0
            push_apart(I, S, T, Y, D, F, P, K, X, h)
        if T.may_sleep != 0:
            go_to_sleep(I, S, T, Y, D, F, P, h)
        S.count_steps += 1.0
        S.time = end
        if T.n_watches != 0:
            tell_watches(S, T, Y, D, F)
    return n


@entry("IFIFIFIIF")
def part_bodies(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats
) -> int:  # fmt: skip
    """Move what overlaps apart once, joints kept to first order; whether anything overlapped by more than the
    slop allows, or below 0 what room is missing."""
    values = TouchValues(Y)
    S.ready = 0.0
    T.wanted = 0
    wake_all(T, Y)
    prepare(I, S)
    found = meet(I, S, T, Y, D, F, P, K, 0.0)
    if found < 0:
        T.wanted = found
        return found
    values.deepest = deepest(Detection(D), F)
    if values.deepest <= values.slop * PARTED:
        return 0
    push_apart(I, S, T, Y, D, F, P, K, X, AT_ONCE)
    return 1
