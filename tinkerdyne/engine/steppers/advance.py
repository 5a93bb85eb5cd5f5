"""`advance`: n steps of a chosen method in one compiled call, each guarded, so that a run is finite whatever
happens.

The default is RATTLE. Where its Newton iteration fails, the step is taken again with a softer matrix; where
it gains or loses more than GUARD of the largest kinetic energy met, in 2 to 16 parts; then with the
energy–momentum scheme and velocity projection, whole or in up to 16 parts; and at last by free drift and
Levenberg–Marquardt projection of position and velocity.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled, entry
from tinkerdyne.engine.evaluate import MOTION, VALUE, blocks, kinetic, lift, masses, run_objects, wind
from tinkerdyne.engine.jumps import find_jumps
from tinkerdyne.engine.product import times_W
from tinkerdyne.engine.records import (
    EXACT,
    H_HAS_DAMPING,
    H_JUMPS,
    H_MOVES,
    H_NQ,
    H_NR,
    H_NV,
    H_S_FORCE,
    H_S_POS,
    H_S_Q,
    H_S_Q0,
    H_S_STAGES,
    H_S_V,
    H_S_V0,
    H_STOPS,
    H_WINDS,
    HIT,
    POS_VECTORS,
    R_LAM,
    R_REF1,
    R_TRY,
    S_BACKOFF,
    S_CORRECTIONS,
    S_COUNT_EM,
    S_COUNT_FINER,
    S_COUNT_LM,
    S_COUNT_STEPS,
    S_ENERGY,
    S_GAP,
    S_IMPACT,
    S_KINETIC,
    S_LARGEST_T,
    S_NONCONSERVED,
    S_POWER,
    S_READY,
    S_SOFT,
    S_SPRINGS,
    S_STEP,
    S_STUCK,
    S_THETA,
    S_TIME,
    S_TOLERANCE,
    S_TRIAL,
    S_TRIAL_WAIT,
    S_WAIT,
    S_YIELD_TAU,
    S_YIELDING,
    SPRING,
    V_EXTRA,
    V_KICK,
    V_SAVE,
)  # fmt: skip
from tinkerdyne.engine.steppers.assemble import stormer_step
from tinkerdyne.engine.steppers.energy_momentum import energy_momentum_step
from tinkerdyne.engine.steppers.first_order import first_order_step
from tinkerdyne.engine.steppers.motion import MET, accelerate, copy, gap, largest, residuals, rows, vels
from tinkerdyne.engine.steppers.project import project_position, project_velocity, velocities_from
from tinkerdyne.engine.steppers.rattle import (
    LOOSE,
    SOFT_EPSILON,
    drift,
    prepare,
    rattle_step,
    scale_multipliers,
)
from tinkerdyne.engine.steppers.runge_kutta import derivative, runge_kutta_step
from tinkerdyne.engine.stops import hit, leave, note_speeds, recalled, release, stop_after
from tinkerdyne.engine.yielding import are_near, let_yield, swap_springs, take_back

RATTLE, ENERGY_MOMENTUM, RUNGE_KUTTA, FIRST_ORDER, STORMER = 0, 1, 2, 3, 4
GUARD = 3e-4  # of the largest kinetic energy: STEPPERS.md
LEVELS = 4
MOST_HITS = 8  # times a step is taken again because it passes a stop
# steps in the time constant of a yielding constraint: stable even where several pull on one object
YIELD_STEPS = 6.0
# tolerances: a gap that wide after the projection is a contradiction; a taut net leaves less, and is no
# spring
HOPELESS = 1e5
# times the kinetic energy before the projection: more than that is not what the constraints took away
BLOW = 2.0
SHARE = 0.2  # of the widest gap: constraints that are open by less are not part of the contradiction
PATIENCE = 3.0  # steps in a row that even the projection cannot close, before constraints yield
# springs stretched by less [SI], or than a step moves, are tried after so many steps
NEAR, TRIAL, MOST_TRIAL = 1e-2, 32.0, 4096.0
NQ_KEPT = 2  # position vector that a trial keeps
LOST = 1e30  # a state beyond this is none [SI]: the world is 1e27 m wide
SOFT_STEPS = 64.0  # steps with the softer matrix before the sharp one is tried again


@compiled
def energy_error(I: Pointer, S: Pointer, before: float) -> float:
    """How far the last step broke the energy balance E₁ − E₀ − W, in units of what the guard allows; 0 where
    it cannot tell."""
    if (
        I[H_MOVES] != 0
        or S[S_SPRINGS] > 0.0
        or S[S_IMPACT] > 0.0
        or largest(rows(I, S, R_REF1), I[H_NR]) > 1e-9
    ):
        return 0.0
    error = S[S_ENERGY] + S[S_KINETIC] - before - S[S_NONCONSERVED]
    if I[H_HAS_DAMPING] != 0:
        # The work of a stiff damper is not the mean of its powers at the two ends; here only a gain counts.
        error = max(0.0, S[S_ENERGY] + S[S_KINETIC] - before - max(0.0, 2.0 * S[S_NONCONSERVED]))
    error = math.fabs(error)
    if error == 0.0:
        return 0.0
    if not (error <= GUARD * S[S_LARGEST_T]):
        # At rest there is no motion to measure by; what the forces would do to free parts in a step is the
        # least that counts.
        kick = vels(I, S, V_KICK)
        Q = at(S, I[H_S_FORCE])
        times_W(I, S, Q, kick)
        free = 0.0
        for i in range(I[H_NV]):
            free += 0.5 * S[S_STEP] * S[S_STEP] * kick[i] * Q[i]
        ratio = error / (GUARD * max(S[S_LARGEST_T], free))
        return ratio if ratio == ratio else math.inf
    share: float = error / (GUARD * S[S_LARGEST_T])
    return share


@compiled
def restore(I: Pointer, S: Pointer, t: float) -> None:
    """Back to the start of the step: q from the last position vector, v from V_SAVE."""
    copy(at(S, I[H_S_POS] + (POS_VECTORS - 1) * I[H_NQ]), at(S, I[H_S_Q]), I[H_NQ])
    copy(vels(I, S, V_SAVE), at(S, I[H_S_V]), I[H_NV])
    S[S_TIME] = t
    S[S_READY] = 0.0


@compiled
def careful_step(I: Pointer, S: Pointer, h: float) -> int:
    """Energy–momentum with velocity projection, whole or in up to 16 parts; 1 when no part-size works."""
    t = S[S_TIME]
    parts = 1
    for _level in range(LEVELS + 1):
        failed = 0
        for k in range(parts):
            prepare(I, S)
            before = S[S_ENERGY] + S[S_KINETIC]
            if energy_momentum_step(I, S, h / parts, 0.5) != 0:
                failed = 1
                break
            project_velocity(I, S, 1e-12)
            S[S_READY] = 0.0
            prepare(I, S)
            now = S[S_ENERGY] + S[S_KINETIC]
            if I[H_MOVES] == 0 and now > before + 100.0 * GUARD * S[S_LARGEST_T] + S[S_NONCONSERVED]:
                failed = 1
                break
            S[S_TIME] = t + h * (k + 1) / parts
        if failed == 0:
            S[S_COUNT_EM] += 1.0
            return 0
        restore(I, S, t)
        parts *= 2
    return 1


@compiled
def last_resort(I: Pointer, S: Pointer, h: float) -> None:
    """Free drift, then projection of position and velocity onto the constraints; never gains energy."""
    NV = I[H_NV]
    prepare(I, S)
    before = S[S_ENERGY] + S[S_KINETIC] + max(0.0, h * S[S_POWER])
    q = at(S, I[H_S_Q])
    v = at(S, I[H_S_V])
    kick = vels(I, S, V_KICK)
    times_W(I, S, at(S, I[H_S_FORCE]), kick)
    vp = at(S, I[H_S_V0])
    copy(q, at(S, I[H_S_Q0]), I[H_NQ])
    for i in range(NV):
        vp[i] = v[i] + h * kick[i]
    drift(I, S, h)
    S[S_TIME] += h
    S[S_GAP] = project_position(I, S, LOOSE * S[S_TOLERANCE], 40, math.inf)
    if S[S_GAP] > HOPELESS * S[S_TOLERANCE]:
        S[S_STUCK] += 1.0
        if S[S_STUCK] >= PATIENCE:
            # Not even the projection meets these, time after time: from now on they yield.
            let_yield(I, S, residuals(I, S), SHARE * S[S_GAP])
            S[S_STUCK] = 0.0
            S[S_WAIT] = 0.0
    else:
        S[S_STUCK] = 0.0
    # Velocities from the displacement (LD98), which know what the constraints took away, unless they are far
    # faster: where a wide gap was closed at once they would be a blow.
    free = vels(I, S, V_EXTRA)
    copy(v, free, NV)
    energy = kinetic(I, S)
    velocities_from(I, S, h)
    if kinetic(I, S) > BLOW * energy:
        copy(free, v, NV)
    # Near a singularity rows that disagree ask for enormous velocities: the softer the matrix, the less they
    # get.
    copy(v, free, NV)
    soft = 1e-6
    while soft < 1.0:
        project_velocity(I, S, soft)
        if kinetic(I, S) <= BLOW * energy:
            break
        soft *= 1e2
        if soft < 1.0:
            copy(free, v, NV)
    S[S_READY] = 0.0
    prepare(I, S)
    now = S[S_ENERGY] + S[S_KINETIC]
    if I[H_MOVES] == 0 and now > before and S[S_KINETIC] > 0.0:
        keep = math.sqrt(max(0.0, before - S[S_ENERGY]) / S[S_KINETIC])
        if keep < 1.0:
            for i in range(NV):
                v[i] *= keep
            S[S_READY] = 0.0
            prepare(I, S)
    S[S_COUNT_LM] += 1.0


@compiled
def finer_step(I: Pointer, S: Pointer, h: float, before: float, error: float) -> int:
    """The step again by RATTLE in 2 to 16 parts, where a snap is too fast for h; 1 when the energy is not
    kept even so.

    The error of a step falls with the square of the number of parts, which says how many to begin with.
    """
    t = S[S_TIME]
    parts = 2
    while parts < 16 and parts * parts < error:
        parts *= 2
    while parts <= 16:
        scale_multipliers(I, S, 1.0 / parts)
        failed = 0
        work = 0.0
        for k in range(parts):
            prepare(I, S)
            if rattle_step(I, S, h / parts) != 0:
                failed = 1
                break
            work += S[S_NONCONSERVED]
            S[S_TIME] = t + h * (k + 1) / parts
        scale_multipliers(I, S, float(parts))
        S[S_NONCONSERVED] = work
        if failed == 0 and energy_error(I, S, before) <= 1.0:
            S[S_COUNT_FINER] += 1.0
            return 0
        restore(I, S, t)
        parts *= 2
    return 1


@compiled
def try_springs(I: Pointer, S: Pointer, h: float) -> None:
    """Now and then: springs that hang close to where they could all be met are put there, and are exact
    again.

    Constraints that contradict each other only on the way (two nails that a rod flies to) yield, and a spring
    sags for ever.
    """
    S[S_TRIAL] -= 1.0
    if S[S_TRIAL] > 0.0 or are_near(I, S, h, NEAR) == 0:
        return
    S[S_TRIAL_WAIT] = min(max(2.0 * S[S_TRIAL_WAIT], TRIAL), MOST_TRIAL)
    S[S_TRIAL] = S[S_TRIAL_WAIT]
    kept = at(S, I[H_S_POS] + NQ_KEPT * I[H_NQ])
    copy(at(S, I[H_S_Q]), kept, I[H_NQ])
    swap_springs(I, S, SPRING, HIT)
    if project_position(I, S, S[S_TOLERANCE], 30, math.inf) <= LOOSE * S[S_TOLERANCE]:
        swap_springs(I, S, HIT, EXACT)
        project_velocity(I, S, 1e-6)
        S[S_TRIAL_WAIT] = 0.0
        S[S_TRIAL] = 0.0
    else:
        swap_springs(I, S, HIT, SPRING)
        copy(kept, at(S, I[H_S_Q]), I[H_NQ])
    S[S_READY] = 0.0


@compiled
def guarded_rattle(I: Pointer, S: Pointer, h: float) -> int:
    """One step of the default method; 0 plain, 1 careful, 2 last resort.

    It is taken again with every stop closed that it would pass, and every one open that would pull.
    """
    if I[H_STOPS] == 0:
        return held_rattle(I, S, h)
    t = S[S_TIME]
    prepare(I, S)
    note_speeds(I, S)
    how = 0
    for attempt in range(MOST_HITS):
        how = held_rattle(I, S, h)
        changed = hit(I, S, t + h)
        if attempt == 0 and how == 0:
            recalled(I, S, rows(I, S, R_TRY))
            changed += release(I, S, rows(I, S, R_TRY), -1.0)
        elif attempt == 0:  # only RATTLE leaves its multipliers behind
            accelerate(I, S, SOFT_EPSILON)
            S[S_READY] = 0.0
            changed += release(I, S, rows(I, S, R_LAM), 1.0)
        if changed == 0:
            break
        restore(I, S, t)
    leave(I, S)
    return how


@compiled
def held_rattle(I: Pointer, S: Pointer, h: float) -> int:
    """One step with the stops as they are."""
    t = S[S_TIME]
    if S[S_YIELD_TAU] != YIELD_STEPS * h:
        S[S_YIELD_TAU] = YIELD_STEPS * h
        if S[S_YIELDING] > 0.0:
            S[S_READY] = 0.0
    if S[S_YIELDING] > 0.0 and take_back(I, S, MET, t) > 0:
        S[S_READY] = 0.0
    prepare(I, S)
    if S[S_SPRINGS] > 0.0:
        try_springs(I, S, h)
        prepare(I, S)
    copy(at(S, I[H_S_Q]), at(S, I[H_S_POS] + (POS_VECTORS - 1) * I[H_NQ]), I[H_NQ])
    copy(at(S, I[H_S_V]), vels(I, S, V_SAVE), I[H_NV])
    S[S_LARGEST_T] = max(S[S_LARGEST_T], S[S_KINETIC])
    measure = S[S_LARGEST_T]
    before = S[S_ENERGY] + S[S_KINETIC]
    if S[S_WAIT] == 0.0:
        for _attempt in range(2):
            error = 0.0
            failed = rattle_step(I, S, h)
            if failed == 0:
                if S[S_LARGEST_T] == 0.0:
                    S[S_LARGEST_T] = S[S_KINETIC]
                error = energy_error(I, S, before)
                if error <= 1.0:
                    S[S_TIME] = t + h
                    S[S_BACKOFF] = max(0.0, S[S_BACKOFF] - 0.01)
                    if S[S_SOFT] > 0.0:
                        S[S_SOFT] -= 1.0
                        if S[S_SOFT] == 0.0:
                            S[S_READY] = 0.0
                        return 1
                    return 0
            restore(I, S, t)
            if failed == 0 or S[S_SOFT] > 0.0:
                break
            # Newton failed: once more with the softer matrix, which then stays for a while.
            S[S_SOFT] = SOFT_STEPS
            prepare(I, S)
        if finer_step(I, S, h, before, error) == 0:
            S[S_LARGEST_T] = max(measure, S[S_KINETIC])  # the step that was taken back measures nothing
            S[S_TIME] = t + h
            return 1
    if S[S_WAIT] == 0.0 and careful_step(I, S, h) == 0:
        S[S_TIME] = t + h
        S[S_GAP] = gap(I, S)
        return 1
    S[S_LARGEST_T] = measure
    last_resort(I, S, h)
    S[S_TIME] = t + h
    if S[S_WAIT] > 0.0:
        S[S_WAIT] -= 1.0
    else:
        S[S_BACKOFF] = min(max(2.0 * S[S_BACKOFF], 1.0), 16.0)
        S[S_WAIT] = math.floor(S[S_BACKOFF])
    return 2


@entry("IFiid")
def advance(I: Pointer, S: Pointer, method: int, n: int, h: float) -> int:
    """n steps of length h; returns the number done, fewer when the state stopped being finite (the last good
    one is kept)."""
    start = S[S_TIME]
    for k in range(n):
        t = S[S_TIME]
        if method == RATTLE:
            guarded_rattle(I, S, h)
        else:
            copy(at(S, I[H_S_Q]), at(S, I[H_S_POS] + (POS_VECTORS - 1) * I[H_NQ]), I[H_NQ])
            copy(at(S, I[H_S_V]), vels(I, S, V_SAVE), I[H_NV])
            if method == FIRST_ORDER:
                first_order_step(I, S, h)
            elif method == STORMER:
                stormer_step(I, S, h, int(S[S_CORRECTIONS]))
            elif method == RUNGE_KUTTA:
                if k == 0:
                    masses(I, S)
                    run_objects(I, S, 7)
                    derivative(I, S, at(S, I[H_S_STAGES]))
                    if I[H_STOPS] != 0:
                        if release(I, S, rows(I, S, R_LAM), 1.0) > 0:  # what an edit pulls off goes at once
                            derivative(I, S, at(S, I[H_S_STAGES]))
                        note_speeds(I, S)
                runge_kutta_step(I, S, h)
            else:
                S[S_YIELD_TAU] = YIELD_STEPS * h
                if S[S_YIELDING] > 0.0:
                    take_back(I, S, MET, t)
                prepare(I, S)
                if energy_momentum_step(I, S, h, S[S_THETA]) != 0:
                    restore(I, S, t)
                    if careful_step(I, S, h) != 0:
                        last_resort(I, S, h)
                lift(I, S)
                blocks(I, S, VALUE)
                S[S_GAP] = gap(I, S)
            if I[H_STOPS] != 0 and method != STORMER and method != FIRST_ORDER:
                changed = stop_after(I, S, math.inf)
                if changed != 0 and method == RUNGE_KUTTA:
                    derivative(I, S, at(S, I[H_S_STAGES]))
                elif method != RUNGE_KUTTA:
                    blocks(I, S, MOTION)
                note_speeds(I, S)
        is_lost = not (largest(at(S, I[H_S_Q]), I[H_NQ]) < LOST) or not (
            largest(at(S, I[H_S_V]), I[H_NV]) < LOST
        )
        if is_lost or not (S[S_GAP] < LOST):
            restore(I, S, t)
            return k
        if I[H_WINDS] != 0:
            lift(I, S)
            blocks(I, S, VALUE)
            wind(I, S)
        S[S_COUNT_STEPS] += 1.0
        S[S_TIME] = start + (k + 1) * h  # no sum of roundings
        if I[H_JUMPS] != 0:
            find_jumps(I, S, t)
    if method == RUNGE_KUTTA:  # its projection rides on the evaluation before it
        lift(I, S)
        blocks(I, S, VALUE)
        S[S_GAP] = gap(I, S)
    return n
