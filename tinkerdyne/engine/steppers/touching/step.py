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
from tinkerdyne.engine.contact.damped_kick import SLIGHT
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.limits import (
    ask_none,
    count_dry,
    do_stops_bounce,
    hold_stops,
    is_free_stop,
    note_open,
    note_own_rates,
)
from tinkerdyne.engine.contact.meeting import along_normal, make_problem, meet
from tinkerdyne.engine.contact.problem import Problem
from tinkerdyne.engine.contact.sleep import (
    count_sleepers,
    go_to_sleep,
    keep_sleeping_multipliers,
    rouse,
    wake_all,
)
from tinkerdyne.engine.contact.stop_blows import mark_bounces, mark_none
from tinkerdyne.engine.contact.strike import first_hit, restitution_of, strike, write_all
from tinkerdyne.engine.contact.touching import (
    RECALLED,
    Account,
    Touching,
    TouchValues,
    keep_account,
    take_account_back,
)
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
from tinkerdyne.engine.records import Constraint, Index, Kind, Row, Scalars, Vel
from tinkerdyne.engine.steppers.accuracy import close_account, open_account
from tinkerdyne.engine.steppers.advance import is_lost, one_step
from tinkerdyne.engine.steppers.methods import RATTLE
from tinkerdyne.engine.steppers.motion import copy, largest, reference, rows, vels
from tinkerdyne.engine.steppers.rattle import (
    epsilon,
    is_driven,
    keep_multipliers,
    note_led,
    prepare,
    work_of,
)
from tinkerdyne.engine.steppers.retake import keep_start, restore
from tinkerdyne.engine.steppers.touching.drift import LATE, OVERLAP, PUSHED, drift_past
from tinkerdyne.engine.steppers.touching.kick import touching_kick
from tinkerdyne.engine.steppers.touching.late import NEVER, begin_again
from tinkerdyne.engine.steppers.touching.looks import deepest
from tinkerdyne.engine.steppers.touching.parting import note_overlap, push_apart
from tinkerdyne.engine.steppers.touching.targets import joint_targets

LEVELS, MOST_PARTS = 4, 16  # a step that fails is halved so many times
AT_REST = 2.0  # times what forces do in a step: slower blows do not bounce
DEEPER = 4e3  # times the slop: a step in which bodies come to overlap so much more is taken again
HELPED = 0.8  # of the overlap: parts that leave more than that of it are none the better
SOONER = 6  # times that a part of a step is made shorter for what bounces
GAIN = 1e-3  # of the largest kinetic energy: contacts that push more in a step have gained it
LEAST = 1e-9  # of a step: a part that is not worth taking


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


@inlined
def free_energy(I: Index, S: Scalars, h: float) -> float:
    """The energy that the forces would give to free parts in one step."""
    Q = at(S, I.force)
    kick = vels(I, S, Vel.WORK)
    times_W(I, S, Q, kick)
    free = 0.0
    for i in range(I.nv):
        free += 0.5 * h * h * kick[i] * Q[i]
    return free


@compiled
def drift_to_hit(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats,
    h: float, may_fail: int, limit: float,
) -> int:  # fmt: skip
    """The first kick and the drift, h long or as far as to what bounces sooner, `taken` in the end."""
    values = TouchValues(Y)
    t = S.time
    copy(at(S, I.q), at(S, I.q0), I.nq)
    failed = LATE
    for k in range(SOONER + 1):
        values.taken = h
        reference(I, S, t + h, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
        S.driven = float(is_driven(I, S))
        if S.driven > 0.0:
            note_leading(I, S)
        failed = drift_past(I, S, T, Y, D, F, P, K, X, h, may_fail, limit if k < SOONER else NEVER)
        if failed != LATE:
            break
        h = values.taken
        failed = begin_again(I, S, T, Y, D, F, P, K, X, t, limit)
        if failed != 0:
            break
    return failed


@compiled
def touching_part(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats,
    h: float, may_fail: int,
) -> int:  # fmt: skip
    """A step of h at most from a prepared state with contacts at hand, up to the first bounce; below 0 where
    room is missing, 1 where joints cannot be closed, 2 where bodies come to overlap, 4 where contacts push
    more than they brake. Then only q, v and t need restoring."""
    values = TouchValues(Y)
    limit = NEVER
    values.pushed = 0.0
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
    p0 = S.power
    failed = drift_to_hit(I, S, T, Y, D, F, P, K, X, h, may_fail, limit)
    if failed != 0:
        return failed
    h = values.taken
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
    if T.has_belts == 0 and values.pushed > GAIN * max(S.turnover, kinetic(I, S), free_energy(I, S, h)):
        if may_fail != 0:
            return PUSHED
        values.work -= values.pushed  # it is an error, and no work
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


@inlined
def meet_again(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, h: float
) -> int:
    """The contacts of the present state, found unless they are at hand; how many, or below 0 what room is
    missing."""
    found = T.n_met
    if T.is_found == 0:
        found = meet(I, S, T, Y, D, F, P, K, h)
    elif T.is_found == RECALLED:
        found = make_problem(I, T, Y, D, P, K)
    return found


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
    values.whole, values.work, T.n_heard = h, 0.0, 0
    account = Account(at(Y, T.accounts + Account.size))
    keep_account(T, values, account)
    parts, helps = 1, 1
    last = math.inf
    for _level in range(LEVELS + 1):
        failed = 0
        S.loose = 0.0
        for k in range(parts):
            left = h / parts
            may_fail = helps if parts < MOST_PARTS else 0
            while left > h * LEAST:
                prepare(I, S)
                found = meet_again(I, S, T, Y, D, F, P, K, h)
                if found == 0 and left == h and T.has_dry == 0:
                    T.is_found = 0
                    S.touched = 0.0
                    one_step(I, S, RATTLE, h, end)
                    return 0
                if k == 0 and left == h / parts:
                    values.deep = deepest(Detection(D), F) + values.slop * DEEPER
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
            T.is_found = T.is_found if parts == 1 else 0  # the next step looks further ahead
            return 0
        restore(I, S, t)
        take_account_back(T, values, account)
        T.is_found = 0
        if failed < 0:
            return failed
        T.divisions += 1
        parts *= 2
        if failed == OVERLAP and values.left > HELPED * last:  # as deep in parts as in one
            parts, helps = 1, 0
        last = values.left if failed == OVERLAP else math.inf
    T.n_open += 1
    wake_all(T, Y)
    S.touched = 0.0
    one_step(I, S, RATTLE, h, end)
    return 0


@inlined
def rests(I: Index, S: Scalars, h: float) -> int:
    """Whether all moves less than the forces would make free parts move in one step."""
    return 1 if S.kinetic < free_energy(I, S, h) else 0


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
