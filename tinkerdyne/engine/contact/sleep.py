"""Sleep: an island that has rested for half a second stands still, and costs nothing, until something reaches
it.

A mover that sleeps has velocity 0 and keeps its place to the bit; its contacts keep their patches and their
impulses, and are no part of the problem. It wakes where a force on it is another one than when it fell
asleep, where a joint of it moves or is open, where something awake touches it or is joined to it, and by an
edit. An island wakes as a whole.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.problem import Body, Contact, Island, Joint, JointBlock, Problem
from tinkerdyne.engine.contact.recycling import point_at
from tinkerdyne.engine.contact.touching import RECALLED, Touching, TouchValues
from tinkerdyne.engine.evaluate import lift
from tinkerdyne.engine.records import Constraint, Flag, Hold, Holding, Index, Object, Row, Scalars
from tinkerdyne.engine.steppers.motion import reference, rows
from tinkerdyne.engine.steppers.rattle import prepare

REST = 0.5  # s without motion, after which an island sleeps
SLOW = 1e-5  # 1/s: of its own size, what a body at rest moves in a second at most
ASLEEP, FRESHLY_ASLEEP = -1.0, -2.0  # with and without its forces noted
OTHER_FORCE = 1e-10  # of the force: by so much it is another one
STILL = 1e-9  # [SI, 1/s] a joint that does not move by itself
DEEP = 1e3  # times the slop: what overlaps more is still being parted


@inlined
def sleeps(T: Touching, Y: Floats, m: int) -> int:
    """Whether a mover sleeps."""
    return 1 if Y[T.rests + m] < 0.0 else 0


@compiled
def count_sleepers(T: Touching, Y: Floats) -> None:
    """How many movers sleep."""
    T.n_asleep = 0
    for m in range(T.n_movers):
        T.n_asleep += sleeps(T, Y, m)


@inlined
def wake(T: Touching, Y: Floats, m: int) -> None:
    """Wake a mover; the problem is to be made anew."""
    if m >= 0 and sleeps(T, Y, m) != 0:
        Y[T.rests + m] = 0.0
        T.n_asleep -= 1


@compiled
def wake_all(T: Touching, Y: Floats) -> None:
    """Wake everything."""
    for m in range(T.n_movers):
        wake(T, Y, m)


# --- what wakes ------------------------------------------------------------------------------------
@inlined
def is_pulled_otherwise(I: Index, S: Scalars, T: Touching, Y: Floats, own: Object) -> int:
    """Whether the forces on a sleeper have changed, or somebody gave it another state."""
    for i in range(own.nq):
        if S[own.q + i] != Y[T.sleeping_places + own.q - I.q + i]:
            return 1
    Q = at(S, I.force + own.v - I.v)
    then = at(Y, T.pulls + own.v - I.v)
    most = 0.0
    change = 0.0
    for i in range(own.nv):
        most = max(most, math.fabs(then[i]))
        change = max(change, math.fabs(Q[i] - then[i]))
        if S[own.v + i] != 0.0:
            return 1
    return 1 if not (change <= OTHER_FORCE * most) else 0


@inlined
def is_joint_still(I: Index, S: Scalars, C: Constraint, limit: float) -> int:
    """Whether a constraint is met and does not move by itself; REF and REF1 are at hand."""
    d = C.dim
    hold = Holding(at(S, C.memory + 3 * d)).hold
    if hold == Hold.OPEN:
        return 1 if S[C.record] > 0.0 else 0
    if hold != Hold.EXACT:
        return 0
    for i in range(d):
        gap = math.fabs(S[C.record + i] - rows(I, S, Row.REF)[C.row + i])
        rate = math.fabs(S[C.record + d + i] - rows(I, S, Row.REF1)[C.row + i])
        if not (gap <= limit) or not (rate <= STILL):
            return 0
    return 1


@compiled
def wake_by_joints(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem) -> None:
    """Wake the bodies of joints that are open, or move by themselves."""
    reference(I, S, S.time, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    for c in range(I.n_constraints):
        joint = Joint.of(P, c)
        if is_joint_still(I, S, Constraint.of(I, c), 2.0 * S.tolerance) == 0:
            for k in range(joint.link, joint.link + joint.n_links):
                wake(T, Y, JointBlock.of(P, k).body)


@compiled
def rouse(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem) -> int:
    """Wake who is pulled otherwise than when it fell asleep; returns how many go on sleeping."""
    before = T.n_asleep
    if before == T.n_movers:  # no step has evaluated forces meanwhile
        S.ready = 0.0
    prepare(I, S)
    for m in range(T.n_movers):
        if sleeps(T, Y, m) == 0:
            continue
        own = Object.of(I, T[T.movers + m])
        if Y[T.rests + m] == FRESHLY_ASLEEP:
            for i in range(own.nv):
                Y[T.pulls + own.v - I.v + i] = S[I.force + own.v - I.v + i]
            Y[T.rests + m] = ASLEEP
        elif is_pulled_otherwise(I, S, T, Y, own) != 0:
            wake(T, Y, m)
    if I.nr > 0:
        wake_by_joints(I, S, T, Y, P)
    if T.n_asleep < before and T.is_found != 0:
        T.is_found = RECALLED
    return T.n_asleep


@compiled
def wake_who_touches(T: Touching, Y: Floats, P: Problem) -> None:
    """Wake sleepers that touch something awake or are joined to it, and their islands with them."""
    before = T.n_movers + 1
    while T.n_asleep > 0 and T.n_asleep < before:
        before = T.n_asleep
        for k in range(P.n_contacts):
            a, b = Contact.of(P, k).a, Contact.of(P, k).b
            if a >= 0 and b >= 0 and sleeps(T, Y, a) != sleeps(T, Y, b):
                wake(T, Y, a)
                wake(T, Y, b)
        for k in range(1, P.n_links):
            one, other = JointBlock.of(P, k - 1), JointBlock.of(P, k)
            if one.joint == other.joint and sleeps(T, Y, one.body) != sleeps(T, Y, other.body):
                wake(T, Y, one.body)
                wake(T, Y, other.body)


@inlined
def leave_out_sleepers(T: Touching, Y: Floats, P: Problem) -> None:
    """Contacts of sleepers are none of the problem's."""
    for m in range(T.n_movers):
        Body.of(P, m).is_asleep = sleeps(T, Y, m)
    if T.n_asleep == 0:
        return
    for k in range(P.n_contacts):
        contact = Contact.of(P, k)
        last = max(contact.a, contact.b)
        if last >= 0 and sleeps(T, Y, last) != 0:
            contact.a = -1
            contact.b = -1


# --- while it sleeps -------------------------------------------------------------------------------
@compiled
def hold_still(I: Index, S: Scalars, T: Touching, Y: Floats) -> None:
    """Put sleepers back to where they were before a drift, to the bit."""
    if T.n_asleep == 0:
        return
    is_moved = 0
    for m in range(T.n_movers):
        if sleeps(T, Y, m) == 0:
            continue
        own = Object.of(I, T[T.movers + m])
        for i in range(own.nq):
            before = S[I.q0 + own.q - I.q + i]
            if S[own.q + i] != before:
                S[own.q + i] = before
                is_moved = 1
        for i in range(own.nv):
            S[own.v + i] = 0.0
    if is_moved != 0:
        lift(I, S)


@inlined
def keep_sleeping_multipliers(I: Index, S: Scalars, T: Touching, Y: Floats, P: Problem, mu: Floats) -> None:
    """The joints of sleepers keep the forces they had."""
    if T.n_asleep == 0:
        return
    for c in range(I.n_constraints):
        joint = Joint.of(P, c)
        if joint.n_links > 0 and sleeps(T, Y, JointBlock.of(P, joint.link).body) != 0:
            C = Constraint.of(I, c)
            for i in range(C.dim):
                mu[C.row + i] = S[C.memory + i]


# --- falling asleep --------------------------------------------------------------------------------
@inlined
def is_slow(I: Index, S: Scalars, own: Object, reach: float, limit: float) -> int:
    """Whether no point of an object is faster than the limit [m/s]."""
    line = 0.0
    turn = 0.0
    for i in range(own.nv):
        v = S[own.v + i]
        if i >= 3 or (own.flags & Flag.PLANAR != 0 and i == 2):
            turn += v * v
        else:
            line += v * v
    return 1 if math.sqrt(line) + reach * math.sqrt(turn) <= limit else 0


@inlined
def count_rest(I: Index, S: Scalars, T: Touching, Y: Floats, h: float) -> None:
    """How long each mover has rested by now."""
    for m in range(T.n_movers):
        if sleeps(T, Y, m) == 0:
            reach = Y[T.reaches + m]
            rests = is_slow(I, S, Object.of(I, T[T.movers + m]), reach, SLOW * reach)
            Y[T.rests + m] = Y[T.rests + m] + h if rests != 0 else 0.0


@inlined
def is_held_up(T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, island: Island) -> int:
    """Whether an island lies on something fixed, and nothing in it is still being parted."""
    H = Detection(D)
    found = 0
    for s in range(island.contact, island.contact_end):
        k = P[P.contact_list + s]
        if point_at(F, H.points, k).gap < -DEEP * TouchValues(Y).slop:
            return 0
        r = at(Y, T.impulses + 3 * k)
        is_pressed = r[0] != 0.0 or r[1] != 0.0 or r[2] != 0.0
        if is_pressed and (Contact.of(P, k).a < 0 or Contact.of(P, k).b < 0):
            found = 1
    return found


@inlined
def has_rested(T: Touching, Y: Floats, P: Problem, island: Island) -> int:
    """Whether all of an island has rested for long enough."""
    for s in range(island.body, island.body_end):
        rest = Y[T.rests + P[P.body_list + s]]
        if rest < REST:
            return 0
    return 1


@inlined
def are_joints_still(I: Index, S: Scalars, P: Problem, island: Island) -> int:
    """Whether no joint of an island is open or moves by itself."""
    for s in range(island.joint, island.joint_end):
        C = Constraint.of(I, P[P.joint_list + s])
        if is_joint_still(I, S, C, 2.0 * S.tolerance) == 0:
            return 0
    return 1


@compiled
def go_to_sleep(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, h: float
) -> None:
    """After a step: let islands that have rested for long enough sleep. The contacts at hand must be those of
    now."""
    count_rest(I, S, T, Y, h)
    if T.is_found != 1:
        return
    is_new = 0
    for k in range(P.n_islands):
        island = Island.of(P, k)
        if has_rested(T, Y, P, island) == 0 or is_held_up(T, Y, D, F, P, island) == 0:
            continue
        if are_joints_still(I, S, P, island) == 0:
            continue
        is_new = 1
        for s in range(island.body, island.body_end):
            m = P[P.body_list + s]
            own = Object.of(I, T[T.movers + m])
            for i in range(own.nv):
                S[own.v + i] = 0.0
            for i in range(own.nq):
                Y[T.sleeping_places + own.q - I.q + i] = S[own.q + i]
            Y[T.rests + m] = FRESHLY_ASLEEP
    if is_new != 0:
        count_sleepers(T, Y)
        S.ready = 0.0
        T.is_found = RECALLED  # and the problem is another one
