"""The rung of fast motion: RATTLE's step again in parts, where a snap is too fast for it, and the energy
balance by which steps are judged.

A whip of a chain is over in a fraction of a step, and some hundred parts pass it. Where constraints are taut
Newton fails in the first part already, however short it is: that costs little, and tells the two apart.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.product import times_W
from tinkerdyne.engine.records import Index, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import largest, rows, vels
from tinkerdyne.engine.steppers.rattle import prepare, rattle_step, scale_multipliers
from tinkerdyne.engine.steppers.retake import restore

GUARD = 3e-4  # of the largest kinetic energy: docs/design.md, Stepping
FEW_PARTS, MOST_PARTS = 16, 256
# snaps: what snaps more often is no whip, and parts would cost too much; 16 plain steps forget one
OFTEN, FORGET = 8.0, 1.0 / 16.0


@compiled
def energy_error(I: Index, S: Scalars, before: float) -> float:
    """How far the last step broke the energy balance E₁ − E₀ − W, in units of what the guard allows; 0 where
    it cannot tell."""
    if I.moves != 0 or S.springs > 0.0 or S.impact > 0.0 or largest(rows(I, S, Row.REF1), I.nr) > 1e-9:
        return 0.0
    error = S.energy + S.kinetic - before - S.nonconserved
    if I.has_damping != 0:
        # The work of a stiff damper is not the mean of its powers at the two ends; here only a gain counts.
        error = max(0.0, S.energy + S.kinetic - before - max(0.0, 2.0 * S.nonconserved))
    error = math.fabs(error)
    if error == 0.0:
        return 0.0
    if not (error <= GUARD * S.largest_kinetic):
        # At rest there is no motion to measure by; what the forces would do to free parts in a step is the
        # least that counts.
        kick = vels(I, S, Vel.KICK)
        Q = at(S, I.force)
        times_W(I, S, Q, kick)
        free = 0.0
        for i in range(I.nv):
            free += 0.5 * S.step * S.step * kick[i] * Q[i]
        ratio = error / (GUARD * max(S.largest_kinetic, free))
        return ratio if ratio == ratio else math.inf
    share: float = error / (GUARD * S.largest_kinetic)
    return share


@inlined
def in_parts(I: Index, S: Scalars, h: float, parts: int) -> int:
    """The step by RATTLE in so many parts; 1 when Newton fails in one of them."""
    t = S.time
    work = 0.0
    failed = 0
    scale_multipliers(I, S, 1.0 / parts)
    for k in range(parts):
        prepare(I, S)
        if rattle_step(I, S, h / parts) != 0:
            failed = 1
            break
        work += S.nonconserved
        S.time = t + h * (k + 1) / parts
    scale_multipliers(I, S, float(parts))
    S.nonconserved = work
    return failed


@compiled
def finer_step(I: Index, S: Scalars, h: float, before: float, error: float) -> int:
    """The step again by RATTLE in 2 to 16 parts, and now and then in up to 256; 1 when the energy is not kept
    even so.

    The error of a step falls with the square of the number of parts, which says how many to begin with.
    """
    t = S.time
    parts = 2
    while parts < FEW_PARTS and parts * parts < error:
        parts *= 2
    most = MOST_PARTS if S.snaps < OFTEN else FEW_PARTS
    residual = S.residual
    while parts <= most:
        if in_parts(I, S, h, parts) == 0 and energy_error(I, S, before) <= 1.0:
            S.count_finer += 1.0
            if parts > FEW_PARTS:
                S.snaps += 1.0
            return 0
        restore(I, S, t)
        S.residual = residual  # what is taken back has no forces
        if S.wants_tangent != 0.0:
            return 1
        parts *= 2
    return 1
