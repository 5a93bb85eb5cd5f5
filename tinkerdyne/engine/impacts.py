"""Impacts: the impulses of all stops that are touched at one moment, with the joints exact.

Generalised reflections (Smith, Kaufman, Vouga, Tamstorf, Grinspun 2012). With N the rows of the touched stops
and W̃ the inverse mass that the exact constraints leave,

    v₀ = the nearest v with N v ≥ 0 in the metric of the masses:  v₀ = v + W̃ Nᵀp,  0 ≤ p ⊥ N v₀ ≥ 0
    v_R: of the stops that close take the nearest v as above, and reflect, v ← 2 v_near − v, until none closes
    v⁺ = e v_R + (1 − e) v₀

A projection onto a cone takes energy and a reflection about it keeps it; all impulses act along Nᵀ, so that
momentum is kept. In a row of touching balls only one stop closes at a time: the last ball leaves alone.

Stops of different restitution: each takes the share e of its own impulse of the reflections and 1 − e of that
without a bounce. Where this would gain energy it is taken nearer to v₀, and where a stop would close it is
projected once more.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.complementarity import project_asked
from tinkerdyne.engine.evaluate import MOTION, blocks, compose, lift, masses
from tinkerdyne.engine.product import add_Jt, times_J, times_W
from tinkerdyne.engine.records import Constraint, Hold, Index, Kind, Row, Scalars, StopMemory, StopValue, Vel
from tinkerdyne.engine.steppers.motion import copy, gather, rows, vels
from tinkerdyne.engine.yielding import count_yielding, open_stop

GENTLE = 1e-3  # speeds below this [SI] do not bounce, or a ball would never come to rest
MOST_BOUNCES = 16.0  # of one stop in a step; then it holds, so that a step ends
SLACK, LEAST = 1e-10, 1e-12  # of the fastest hit, and in SI units: rates below this are rounding
USUAL_STEP = (
    1e-3  # s, by which it is told whether something leaves a stop, where steps have no length of their own
)
REFLECTIONS = 500  # at most; what closes then is held
SLOW = 1.0  # tolerances that something comes away from a stop in a step, at least, when it leaves it
UNMET = 1e-3  # of the fastest hit: a rate that stays open by more contradicts the joints


@inlined
def is_touched(S: Scalars, C: Constraint) -> int:
    """Whether a stop takes part in an impact: closed, or open within the tolerance."""
    if C.kind != Kind.STOP:
        return 0
    mem = StopMemory(at(S, C.memory))
    if mem.hold == Hold.EXACT:
        return 1 if mem.c0 == 0.0 else 0  # one that is on its way out is no stop yet
    return 1 if mem.hold == Hold.OPEN and S[C.record] <= S.tolerance else 0


@compiled
def closing_speed(I: Index, S: Scalars) -> float:
    """The fastest rate at which an open stop that is touched closes, by the records."""
    fastest = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and StopMemory(at(S, C.memory)).hold == Hold.OPEN and is_touched(S, C) != 0:
            fastest = max(fastest, -StopValue(at(S, C.record)).rate)
    return fastest


@compiled
def find_touched(I: Index, S: Scalars) -> None:
    """Note which stops are touched and their rates, and open them all."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        row = C.row
        for i in range(C.dim):
            rows(I, S, Row.TOUCHED)[row + i] = 0.0
            rows(I, S, Row.INELASTIC)[row + i] = 0.0
            rows(I, S, Row.ELASTIC)[row + i] = 0.0
        if is_touched(S, C) != 0:
            mem = StopMemory(at(S, C.memory))
            rows(I, S, Row.TOUCHED)[row] = 2.0 if mem.hold == Hold.EXACT else 1.0
            rows(I, S, Row.RATE)[row] = StopValue(at(S, C.record)).rate
            mem.hold = Hold.OPEN


@inlined
def ask(I: Index, S: Scalars, rate: Floats, slack: float) -> int:
    """Ask the touched stops that close to hold; returns how many."""
    n = 0
    touched = rows(I, S, Row.TOUCHED)
    asked = rows(I, S, Row.ASKED)
    for i in range(I.nr):
        asked[i] = 0.0
        if touched[i] != 0.0 and rate[i] < -slack:
            asked[i] = 1.0
            n += 1
    return n


@inlined
def ask_all(I: Index, S: Scalars) -> None:
    """Ask all touched stops to hold."""
    copy(rows(I, S, Row.TOUCHED), rows(I, S, Row.ASKED), I.nr)


@inlined
def rates_now(I: Index, S: Scalars, rate: Floats) -> None:
    """ċ of all rows at the present v."""
    blocks(I, S, MOTION)
    gather(I, S, 1, rate)


@inlined
def bounces(I: Index, S: Scalars, C: Constraint) -> float:
    """The restitution of a touched stop in this impact: hit too often in a step it has none."""
    can = C.restitution >= 0 and rows(I, S, Row.HITS)[C.row] < MOST_BOUNCES
    e: float = S[C.restitution] if can else 0.0
    return e


@inlined
def reflect(I: Index, S: Scalars, slack: float, fastest: float) -> int:
    """v ← v_R from v, the impulses in Row.ELASTIC; 1 where joints are against it, and nothing bounces."""
    v = at(S, I.v)
    start = vels(I, S, Vel.ASKED)
    rate = rows(I, S, Row.TRY)
    impulse = rows(I, S, Row.IMPULSE)
    elastic = rows(I, S, Row.ELASTIC)
    for _ in range(REFLECTIONS):
        rates_now(I, S, rate)
        if ask(I, S, rate, slack) == 0:
            return 0
        if project_asked(I, S, impulse, slack) > UNMET * fastest:
            return 1
        for i in range(I.nv):
            v[i] = 2.0 * v[i] - start[i]
        for i in range(I.nr):
            elastic[i] += 2.0 * impulse[i]
    ask_all(I, S)
    project_asked(I, S, impulse, slack)
    for i in range(I.nr):
        elastic[i] += impulse[i]
    return 0


@inlined
def any_bounces(I: Index, S: Scalars) -> int:
    """Whether any touched stop has a restitution."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and rows(I, S, Row.TOUCHED)[C.row] != 0.0 and bounces(I, S, C) > 0.0:
            return 1
    return 0


@inlined
def common_restitution(I: Index, S: Scalars) -> float:
    """The restitution of all stops that take an impulse, or −1 where they differ."""
    e = 0.0
    known = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        row = C.row
        if C.kind != Kind.STOP or rows(I, S, Row.TOUCHED)[row] == 0.0:
            continue
        if rows(I, S, Row.INELASTIC)[row] > 0.0 or rows(I, S, Row.ELASTIC)[row] > 0.0:
            own = bounces(I, S, C)
            if known != 0 and own != e:
                return -1.0
            e = own
            known = 1
    return e


@compiled
def blend_impulses(I: Index, S: Scalars) -> None:
    """v from the struck one by each stop's own share of the two laws, no energy gained."""
    v = at(S, I.v)
    struck = vels(I, S, Vel.STRUCK)
    push = vels(I, S, Vel.TOTAL)
    step = vels(I, S, Vel.ACC)
    impulse = rows(I, S, Row.IMPULSE)
    inelastic = rows(I, S, Row.INELASTIC)
    elastic = rows(I, S, Row.ELASTIC)
    is_passive = 1
    for i in range(I.nr):
        impulse[i] = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and rows(I, S, Row.TOUCHED)[C.row] != 0.0:
            e = bounces(I, S, C)
            if e > 1.0:
                is_passive = 0
            impulse[C.row] = (1.0 - e) * inelastic[C.row] + e * elastic[C.row]
    for i in range(I.nv):
        push[i] = 0.0
    add_Jt(I, S, impulse, push, 1.0)
    times_W(I, S, push, step)
    for i in range(I.nv):
        v[i] = struck[i] + step[i]
    for i in range(I.nr):
        rows(I, S, Row.ASKED)[i] = 0.0
    project_asked(I, S, rows(I, S, Row.DELTA), 0.0)  # none asked: the joints alone answer
    if is_passive != 0:
        take_gain_away(I, S)


@inlined
def take_gain_away(I: Index, S: Scalars) -> None:
    """Take v nearer to v₀, where the stops would do work:  Σ ½ p (ċ⁻ + ċ⁺) > 0."""
    v = at(S, I.v)
    struck = vels(I, S, Vel.STRUCK)
    flat = vels(I, S, Vel.INELASTIC)
    p = rows(I, S, Row.IMPULSE)
    p0 = rows(I, S, Row.INELASTIC)
    before = rows(I, S, Row.RATE)
    change = rows(I, S, Row.TRY)
    change0 = rows(I, S, Row.WORK)
    step = vels(I, S, Vel.WORK)
    for i in range(I.nv):
        step[i] = v[i] - struck[i]
    times_J(I, S, step, change)
    for i in range(I.nv):
        step[i] = flat[i] - struck[i]
    times_J(I, S, step, change0)
    # the work at v₀ + s (v − v₀) is w₀ + s w₁ + s² w₂, with w₀ ≤ 0
    w0 = 0.0
    w1 = 0.0
    w2 = 0.0
    for i in range(I.nr):
        if rows(I, S, Row.TOUCHED)[i] != 0.0:
            dp = p[i] - p0[i]
            dc = change[i] - change0[i]
            w0 += p0[i] * (before[i] + 0.5 * change0[i])
            w1 += dp * (before[i] + 0.5 * change0[i]) + 0.5 * p0[i] * dc
            w2 += 0.5 * dp * dc
    if w0 + w1 + w2 > 0.0 and w2 > 0.0:
        root = math.sqrt(max(0.0, w1 * w1 - 4.0 * w2 * w0))
        s = min(1.0, max(0.0, (root - w1) / (2.0 * w2)))
        for i in range(I.nv):
            v[i] = flat[i] + s * (v[i] - flat[i])
        for i in range(I.nr):
            p[i] = p0[i] + s * (p[i] - p0[i])


@inlined
def bounce(I: Index, S: Scalars, slack: float, fastest: float) -> None:
    """v ← v⁺ by the blend of both laws; v is the struck one, v₀ and its impulses are known."""
    v = at(S, I.v)
    flat = vels(I, S, Vel.INELASTIC)
    inelastic = rows(I, S, Row.INELASTIC)
    elastic = rows(I, S, Row.ELASTIC)
    if reflect(I, S, slack, fastest) != 0:
        copy(flat, v, I.nv)
        copy(inelastic, rows(I, S, Row.IMPULSE), I.nr)
        return
    e = common_restitution(I, S)
    if e >= 0.0:
        for i in range(I.nv):
            v[i] = e * v[i] + (1.0 - e) * flat[i]
        for i in range(I.nr):
            rows(I, S, Row.IMPULSE)[i] = e * elastic[i] + (1.0 - e) * inelastic[i]
    else:
        blend_impulses(I, S)


@compiled
def finish(I: Index, S: Scalars, slack: float) -> None:
    """Nothing closes any more: what the blend left closing is projected; then stops that are left open, the
    others hold."""
    rate = rows(I, S, Row.TRY)
    total = rows(I, S, Row.IMPULSE)
    # slower than this nothing leaves a stop: in a step it would come nowhere
    slow = max(10.0 * slack, SLOW * S.tolerance / (S.whole_step if S.whole_step > 0.0 else USUAL_STEP))
    more = rows(I, S, Row.DELTA)
    rates_now(I, S, rate)
    if ask(I, S, rate, slack) > 0:
        ask_all(I, S)
        project_asked(I, S, more, slack)
        for i in range(I.nr):
            total[i] += more[i]
        rates_now(I, S, rate)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        row = C.row
        if C.kind != Kind.STOP or rows(I, S, Row.TOUCHED)[row] == 0.0:
            continue
        mem = StopMemory(at(S, C.memory))
        if total[row] > 0.0:
            rows(I, S, Row.HITS)[row] += 1.0
        was_closed = rows(I, S, Row.TOUCHED)[row] == 2.0
        if rate[row] <= slow and (total[row] > 0.0 or was_closed or rate[row] < -slack):
            open_stop(mem)  # forgets what was
            mem.hold = Hold.EXACT
        else:
            open_stop(mem)
    count_yielding(I, S)
    S.ready = 0.0


@compiled
def impact(I: Index, S: Scalars) -> int:
    """At the present place: the stops that are touched and close are hit; returns whether any was.

    Afterwards those that are left are open and the others hold."""
    v = at(S, I.v)
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)
    fastest = closing_speed(I, S)
    if not (fastest > LEAST):
        return 0
    slack = max(LEAST, SLACK * fastest)
    compose(I, S)
    find_touched(I, S)
    struck = vels(I, S, Vel.STRUCK)
    flat = vels(I, S, Vel.INELASTIC)
    inelastic = rows(I, S, Row.INELASTIC)
    copy(v, struck, I.nv)
    ask_all(I, S)
    project_asked(I, S, inelastic, slack)
    copy(v, flat, I.nv)
    copy(inelastic, rows(I, S, Row.IMPULSE), I.nr)
    if fastest >= GENTLE and any_bounces(I, S) != 0:
        copy(struck, v, I.nv)
        bounce(I, S, slack, fastest)
    finish(I, S, slack)
    S.hits += 1.0
    return 1
