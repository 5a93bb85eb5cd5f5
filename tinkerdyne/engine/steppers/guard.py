"""The guard ladder of RATTLE: every step is checked, and taken again by safer schemes where it fails, so that
a run is finite whatever happens.

1. RATTLE.
2. Where its Newton iteration fails, or it gains or loses more than GUARD of the largest kinetic energy met:
   RATTLE in parts. A chain that whips is only too fast for the step (engine.steppers.parts).
3. Where the parts do not help: the compliant energy–momentum step, whole or in up to 16 parts, for the next
   16 to 1024 steps, or until nothing is taut (engine.steppers.taut).
4. Free drift, and Levenberg–Marquardt projection of position and velocity.

Worlds with constraints on velocities, those solved by conjugate gradients, and those in which a constraint
approaches its place bear no compliance. They take RATTLE with a softer matrix, which then stays for a while,
and the energy–momentum scheme with velocity projection in its place.

What the ladder remembers between two steps stands in the Scalars: `taut`, `taut_wait`, `snaps`, `soft`,
`wait`, `backoff`, `stuck`, `trial` and `trial_wait`, and `largest_kinetic`, by which energies are measured.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.evaluate import kinetic
from tinkerdyne.engine.product import times_W
from tinkerdyne.engine.records import Hold, Index, Scalars, Vel
from tinkerdyne.engine.steppers.energy_momentum import energy_momentum_step
from tinkerdyne.engine.steppers.motion import MET, copy, gap, residuals, vels
from tinkerdyne.engine.steppers.parts import FORGET, GUARD, energy_error, finer_step
from tinkerdyne.engine.steppers.project import project_position, project_velocity, velocities_from
from tinkerdyne.engine.steppers.rattle import LOOSE, drift, observe, prepare, rattle_step
from tinkerdyne.engine.steppers.retake import keep_start, restore
from tinkerdyne.engine.steppers.taut import TAUT_STEPS, bears_compliance, taut_step
from tinkerdyne.engine.tangent import has_tangent
from tinkerdyne.engine.yielding import are_near, let_yield, swap_springs, take_back

PLAIN, CAREFUL, LAST_RESORT, TAUT = range(4)  # how a step was taken
LEVELS = 4  # times a careful step is halved
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
SOFT_STEPS = 64.0  # steps with the softer matrix before the sharp one is tried again
MOST_TAUT_STEPS = 1024.0  # by the compliant step, before RATTLE is tried again
LONGEST_WAIT = 16.0  # steps by the last resort before the ladder is tried from its first rung again


@compiled
def careful_step(I: Index, S: Scalars, h: float) -> int:
    """Energy–momentum with velocity projection, whole or in up to 16 parts; 1 when no part-size works."""
    t = S.time
    parts = 1
    for _level in range(LEVELS + 1):
        failed = 0
        for k in range(parts):
            prepare(I, S)
            before = S.energy + S.kinetic
            if energy_momentum_step(I, S, h / parts, 0.5) != 0:
                failed = 1
                break
            project_velocity(I, S, 1e-12)
            S.ready = 0.0
            prepare(I, S)
            now = S.energy + S.kinetic
            if I.moves == 0 and now > before + 100.0 * GUARD * S.largest_kinetic + S.nonconserved:
                failed = 1
                break
            S.time = t + h * (k + 1) / parts
        if failed == 0:
            S.count_em += 1.0
            return 0
        restore(I, S, t)
        parts *= 2
    return 1


@inlined
def close_by_projection(I: Index, S: Scalars) -> None:
    """Project the position; constraints that stay wide open time after time yield from now on."""
    S.gap = project_position(I, S, LOOSE * S.tolerance, 40, math.inf)
    if S.gap > HOPELESS * S.tolerance:
        S.stuck += 1.0
        if S.stuck >= PATIENCE:
            let_yield(I, S, residuals(I, S), SHARE * S.gap)
            S.stuck = 0.0
            S.wait = 0.0
    else:
        S.stuck = 0.0


@inlined
def velocities_of_projection(I: Index, S: Scalars, h: float) -> None:
    """Velocities from the displacement (LD98), which know what the constraints took away, unless they are far
    faster: where a wide gap was closed at once they would be a blow. Near a singularity rows that disagree
    ask for enormous velocities: the softer the matrix, the less they get."""
    NV = I.nv
    v = at(S, I.v)
    free = vels(I, S, Vel.EXTRA)
    copy(v, free, NV)
    energy = kinetic(I, S)
    velocities_from(I, S, h)
    if kinetic(I, S) > BLOW * energy:
        copy(free, v, NV)
    copy(v, free, NV)
    soft = 1e-6
    while soft < 1.0:
        project_velocity(I, S, soft)
        if kinetic(I, S) <= BLOW * energy:
            break
        soft *= 1e2
        if soft < 1.0:
            copy(free, v, NV)


@inlined
def take_gain_away(I: Index, S: Scalars, before: float) -> None:
    """Slow everything down, where the step has gained energy."""
    v = at(S, I.v)
    now = S.energy + S.kinetic
    if I.moves == 0 and now > before and S.kinetic > 0.0:
        keep = math.sqrt(max(0.0, before - S.energy) / S.kinetic)
        if keep < 1.0:
            for i in range(I.nv):
                v[i] *= keep
            S.ready = 0.0
            prepare(I, S)


@compiled
def last_resort(I: Index, S: Scalars, h: float) -> None:
    """Free drift, then projection of position and velocity onto the constraints; never gains energy."""
    prepare(I, S)
    before = S.energy + S.kinetic + max(0.0, h * S.power)
    v = at(S, I.v)
    kick = vels(I, S, Vel.KICK)
    times_W(I, S, at(S, I.force), kick)
    vp = at(S, I.v0)
    copy(at(S, I.q), at(S, I.q0), I.nq)
    for i in range(I.nv):
        vp[i] = v[i] + h * kick[i]
    drift(I, S, h)
    S.time += h
    close_by_projection(I, S)
    velocities_of_projection(I, S, h)
    S.ready = 0.0
    prepare(I, S)
    take_gain_away(I, S, before)
    S.count_lm += 1.0


@compiled
def try_springs(I: Index, S: Scalars, h: float) -> None:
    """Now and then: springs that hang close to where they could all be met are put there, and are exact
    again.

    Constraints that contradict each other only on the way (two nails that a rod flies to) yield, and a spring
    sags for ever.
    """
    S.trial -= 1.0
    if S.trial > 0.0 or are_near(I, S, h, NEAR) == 0:
        return
    S.trial_wait = min(max(2.0 * S.trial_wait, TRIAL), MOST_TRIAL)
    S.trial = S.trial_wait
    kept = at(S, I.position_vectors + NQ_KEPT * I.nq)
    copy(at(S, I.q), kept, I.nq)
    swap_springs(I, S, Hold.SPRING, Hold.HIT)
    if project_position(I, S, S.tolerance, 30, math.inf) <= LOOSE * S.tolerance:
        swap_springs(I, S, Hold.HIT, Hold.EXACT)
        project_velocity(I, S, 1e-6)
        S.trial_wait = 0.0
        S.trial = 0.0
    else:
        swap_springs(I, S, Hold.HIT, Hold.SPRING)
        copy(kept, at(S, I.q), I.nq)
    S.ready = 0.0


@inlined
def look_after_springs(I: Index, S: Scalars, h: float) -> None:
    """Constraints that yield: their springs fit the step, and those that can be met are exact again. The
    state is observed then."""
    tau = YIELD_STEPS * max(h, S.whole_step)  # of the whole step, where this is a part of one
    if S.yield_tau != tau:
        S.yield_tau = tau
        if S.yielding > 0.0:
            S.ready = 0.0
    if S.yielding > 0.0 and take_back(I, S, MET, S.time) > 0:
        S.ready = 0.0
    observe(I, S)
    if S.springs > 0.0:
        prepare(I, S)
        try_springs(I, S, h)
        prepare(I, S)


@inlined
def plain_step_is_good(I: Index, S: Scalars, h: float, before: float) -> tuple[int, float]:
    """RATTLE with the matrix at hand: whether Newton failed, and the error of the energy balance."""
    failed = rattle_step(I, S, h)
    if failed != 0:
        return 1, 0.0
    if S.largest_kinetic == 0.0:
        S.largest_kinetic = S.kinetic
    return 0, energy_error(I, S, before)


@inlined
def calm_down(S: Scalars) -> int:
    """After a good plain step the ladder forgets a little of what went wrong; returns how it was taken."""
    S.backoff = max(0.0, S.backoff - 0.01)
    S.taut_wait = max(0.0, S.taut_wait - 0.25)
    S.snaps = max(0.0, S.snaps - FORGET)
    if S.soft > 0.0:
        S.soft -= 1.0
        if S.soft == 0.0:
            S.ready = 0.0
        return CAREFUL
    return PLAIN


@inlined
def begin_taut(I: Index, S: Scalars) -> int:
    """Whether the compliant step can go on from here; it then takes some more steps, the more the oftener
    RATTLE has failed."""
    if bears_compliance(I, S) == 0 or has_tangent(I, S) == 0:
        return 0
    S.taut_wait = min(max(2.0 * S.taut_wait, TAUT_STEPS), MOST_TAUT_STEPS)
    S.taut = math.floor(S.taut_wait)
    return 1


@inlined
def soft_step_is_good(I: Index, S: Scalars, h: float, before: float) -> tuple[int, float]:
    """RATTLE with the softer matrix, which then stays for a while; for worlds that bear no compliance."""
    S.soft = SOFT_STEPS
    prepare(I, S)
    return plain_step_is_good(I, S, h, before)


@inlined
def settle(I: Index, S: Scalars) -> float:
    """Velocities of exact constraints after compliant steps; returns the energy. What those held beyond it
    alternates from step to step and moves nothing: it is lost, and stands in the accounts."""
    copy(at(S, I.v), vels(I, S, Vel.UNSETTLED), I.nv)
    project_velocity(I, S, 1e-12)
    S.ready = 0.0
    prepare(I, S)
    keep_start(I, S)
    return S.energy + S.kinetic


@inlined
def unsettle(I: Index, S: Scalars, t: float) -> None:
    """The velocities before `settle` again."""
    copy(vels(I, S, Vel.UNSETTLED), vels(I, S, Vel.SAVE), I.nv)
    restore(I, S, t)


@compiled
def leave_taut(I: Index, S: Scalars, h: float) -> int:
    """The first step by RATTLE after compliant ones, whose velocities are in its way; 1 when it fails."""
    t = S.time
    before = settle(I, S)
    failed, error = plain_step_is_good(I, S, h, before)
    if failed == 0 and error <= 1.0:
        return 0
    restore(I, S, t)
    if finer_step(I, S, h, before, error) == 0:
        return 0
    unsettle(I, S, t)
    return 1


@compiled
def climb_down(I: Index, S: Scalars, h: float, before: float) -> int:
    """RATTLE, and the rungs below it down to the last but one; returns how the step was taken, or LAST_RESORT
    where none of them could, with the state restored."""
    t = S.time
    measure = S.largest_kinetic
    residual = S.residual
    failed, error = plain_step_is_good(I, S, h, before)
    if S.wants_tangent != 0.0:
        return PLAIN
    if failed != 0 and bears_compliance(I, S) == 0 and S.soft == 0.0:
        restore(I, S, t)
        failed, error = soft_step_is_good(I, S, h, before)
    if failed == 0 and error <= 1.0:
        S.time = t + h
        return calm_down(S)
    restore(I, S, t)
    S.residual = residual
    if failed == 0 and S.start_stretch > 0.0:
        failed = leave_taut(I, S, h)
    else:
        failed = finer_step(I, S, h, before, error)
    if failed == 0:
        S.largest_kinetic = max(measure, S.kinetic)  # the step that was taken back measures nothing
        return CAREFUL
    S.largest_kinetic = measure
    if begin_taut(I, S) != 0:
        return TAUT if taut_step(I, S, h) == 0 else LAST_RESORT
    if S.wants_tangent == 0.0 and careful_step(I, S, h) == 0:
        S.gap = gap(I, S)
        return CAREFUL
    return LAST_RESORT


@inlined
def back_off(S: Scalars) -> None:
    """After a last resort: the longer it goes on, the later the first rung is tried again."""
    if S.wait > 0.0:
        S.wait -= 1.0
    elif S.taut == 0.0:
        S.backoff = min(max(2.0 * S.backoff, 1.0), LONGEST_WAIT)
        S.wait = math.floor(S.backoff)


@compiled
def held_rattle(I: Index, S: Scalars, h: float) -> int:
    """One step down the ladder, with the stops as they are; returns how it was taken."""
    t = S.time
    S.instead = 1.0
    look_after_springs(I, S, h)
    keep_start(I, S)
    S.largest_kinetic = max(S.largest_kinetic, S.kinetic)
    measure = S.largest_kinetic
    how = LAST_RESORT
    if S.taut > 0.0 and bears_compliance(I, S) == 0:  # an edit came between, or an approach
        S.taut = 0.0
    if S.taut > 0.0:
        if has_tangent(I, S) == 0:
            return TAUT
        S.taut -= 1.0
        how = TAUT if taut_step(I, S, h) == 0 else LAST_RESORT
    elif S.wait == 0.0:
        prepare(I, S)
        how = climb_down(I, S, h, S.energy + S.kinetic)
    if how != LAST_RESORT or S.wants_tangent != 0.0:
        S.time = t + h
        return how
    S.largest_kinetic = measure
    last_resort(I, S, h)
    S.time = t + h
    back_off(S)
    return LAST_RESORT


@compiled
def guarded_energy_momentum(I: Index, S: Scalars, h: float) -> None:
    """One step of the energy–momentum scheme, in parts where its iteration fails; where the parts lose energy
    too, down the ladder of RATTLE.

    They do where light parts turn under heavy loads: there J at the middle of the step is no neighbour of J
    at its start, which the ladder's first rung does not mind.
    """
    t = S.time
    look_after_springs(I, S, h)
    keep_start(I, S)
    before = S.energy + S.kinetic
    S.largest_kinetic = max(S.largest_kinetic, S.kinetic)
    if S.taut > 0.0:
        held_rattle(I, S, h)
        S.count_em += 1.0
        return
    prepare(I, S)
    if energy_momentum_step(I, S, h, S.theta) != 0:
        restore(I, S, t)
        if careful_step(I, S, h) != 0 or energy_error(I, S, before) > 1.0:
            restore(I, S, t)
            held_rattle(I, S, h)
            S.count_em += 1.0
