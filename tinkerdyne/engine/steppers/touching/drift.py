"""The first kick and the drift of a step with contact: again, until nothing comes into the way unseen."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.bending import find_bends, note_departure
from tinkerdyne.engine.contact.damped_kick import STIFF
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.joining import bend_at
from tinkerdyne.engine.contact.limits import ask_none, ask_passed, hold_stops
from tinkerdyne.engine.contact.meeting import make_problem, meet, see_from_here
from tinkerdyne.engine.contact.problem import Problem
from tinkerdyne.engine.contact.recycling import point_at
from tinkerdyne.engine.contact.sleep import hold_still
from tinkerdyne.engine.contact.touching import (
    Account,
    Course,
    Touching,
    TouchValues,
    keep_account,
    take_account_back,
)
from tinkerdyne.engine.evaluate import lift
from tinkerdyne.engine.records import Index, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, rows, vels
from tinkerdyne.engine.steppers.rattle import drift_onto_constraints
from tinkerdyne.engine.steppers.touching.kick import touching_kick
from tinkerdyne.engine.steppers.touching.late import sooner_hit
from tinkerdyne.engine.steppers.touching.looks import (
    BENT,
    JOINED,
    LOOKS,
    deepest,
    join_contacts,
    keep_trial,
)
from tinkerdyne.engine.steppers.touching.targets import joint_targets

TOO_DEEP = 6e3  # times the slop: what comes to overlap more than that in a step is stepped in parts
LESS = 0.95  # of the overlap: where a look leaves more than that of the last one's, no other is taken
NEWTON_FAILED, OVERLAP, LATE, PUSHED = 1, 2, 3, 4


@compiled
def drift_past(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats,
    h: float, may_fail: int, limit: float,
) -> int:  # fmt: skip
    """The first kick and the drift, again with the contacts of both ends where something unseen comes in the
    way. Answers like `touching_part`, or LATE where something bounces sooner, at `taken`."""
    values = TouchValues(Y)
    account = Account(at(Y, T.accounts))
    start = vels(I, S, Vel.START)
    target, lam = rows(I, S, Row.RHS), rows(I, S, Row.LAMBDA)
    copy(at(S, I.v), start, I.nv)
    joint_targets(I, S, target, h, h)
    ask_none(I, S)
    deep, t1, last = values.deep, S.time + h, 0.0
    keep_account(T, values, account)
    for look in range(LOOKS):
        for i in range(I.nr):
            lam[i] = 0.0
        P.is_rough = 1 if look == 0 else 0
        touching_kick(I, S, T, Y, D, F, P, X, h, target, lam, look, STIFF)
        P.is_rough = 0
        wants_more = P.n_rough
        hold_stops(I, S, P, X)
        copy(at(S, I.v), at(S, I.v0), I.nv)
        S.time = t1
        if drift_onto_constraints(I, S, h) != 0:
            return NEWTON_FAILED
        hold_still(I, S, T, Y)
        keep_trial(I, S, T, Y, P)
        if look == 0:
            note_departure(I, S, T, Y, P, X)
        T.is_found = 0
        wants_more += ask_passed(I, S)
        found = meet(I, S, T, Y, D, F, P, K, values.whole)  # the next part may be longer
        overlap = deepest(Detection(D), F)
        if found < 0:
            return found
        if look == 0 and limit >= 0.0 and overlap > deep:
            values.taken = sooner_hit(I, S, T, Y, D, F, P, X, h, limit, deep)
            if values.taken < h:
                take_account_back(T, values, account)
                return LATE
        if look == 0 and find_bends(I, S, T, Y, D, F, P, X, h) > BENT * values.pull:
            wants_more += 1
        if overlap <= deep and wants_more == 0:
            return 0
        if look == LOOKS - 1 or (look > 1 and wants_more == 0 and overlap > LESS * last):
            break  # what comes from the side, seen from the start, is no contact there
        last = overlap
        T.retakes += 1
        take_account_back(T, values, account)
        found = go_back(I, S, T, Y, D, F, P, K, deep, look)
        if found != 0:
            return found
    if may_fail != 0 and overlap > deep + values.slop * TOO_DEEP:
        values.left = overlap
        return OVERLAP
    return 0


@inlined
def go_back(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints,
    deep: float, look: int,
) -> int:  # fmt: skip
    """Back to the start of a drift, with the contacts of both ends; below 0 where room is missing. A contact
    of the end that lies behind the surface, seen from the start, has come in from the side. Anchors lie no
    deeper than their bodies overlap: those of a ball that left while it spun say nothing."""
    H = Detection(D)
    joined = join_contacts(T, Y, P, D, F, JOINED * deep, 1 if look == 0 else 0)
    if joined < 0:
        return joined
    ready = make_problem(I, T, Y, D, P, K)
    if ready < 0:
        return ready
    see_from_here(I, S, T, D, F)
    for k in range(H.n_contacts):
        Y[T.ends + k] = max(point_at(F, H.points, k).gap, -bend_at(at(Y, T.bends), k).depth)
    copy(vels(I, S, Vel.START), at(S, I.v), I.nv)
    copy(at(S, I.q0), at(S, I.q), I.nq)
    lift(I, S)
    see_from_here(I, S, T, D, F)
    for k in range(H.n_contacts):
        bend = bend_at(at(Y, T.bends), k)
        if bend.kind == Course.ROLLED_ON:
            Y[T.ends + k] = math.inf
        elif point_at(F, H.points, k).gap < -deep:
            bend.kind = Course.SIDEWAYS
    return 0
