"""The rung of taut poses: the compliant step, whole or in parts, and whether what stays open is taut or
contradictory.

A taut pose opens by about the tolerance δ, and by less where α is smaller. Constraints that contradict each
other stay open by what they contradict, whatever α is.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import compiled, inlined
from tinkerdyne.engine.evaluate import VALUE, blocks, lift
from tinkerdyne.engine.records import Index, Scalars
from tinkerdyne.engine.steppers.compliant import compliant_step
from tinkerdyne.engine.steppers.motion import gap, residuals
from tinkerdyne.engine.steppers.rattle import prepare, scale_multipliers
from tinkerdyne.engine.steppers.retake import restore
from tinkerdyne.engine.yielding import let_yield

TAUT_STEPS = 16.0  # by the compliant step at first, before RATTLE is tried again
MOST_PARTS = 16
# tolerances: taut poses open by less (8 were seen, 17 with rigid diagonals); what is wider three steps in a
# row is a contradiction
CONTRADICTORY, PATIENCE = 100.0, 3.0
SHARE = 0.2  # of the widest gap: constraints that are open by less are not part of the contradiction


@inlined
def bears_compliance(I: Index, S: Scalars) -> int:
    """Whether the compliant step can take this world's steps."""
    return 1 if I.nr > 0 and I.mass_varies == 0 and I.rates == 0 and S.solver == 0.0 else 0


@compiled
def taut_step(I: Index, S: Scalars, h: float) -> int:
    """The compliant step, whole or in up to 16 parts; 1 when no part-size works."""
    t = S.time
    parts = 1
    while parts <= MOST_PARTS:
        scale_multipliers(I, S, 1.0 / parts)
        failed = 0
        for k in range(parts):
            prepare(I, S)
            if compliant_step(I, S, h / parts) != 0:
                failed = 1
                break
            S.time = t + h * (k + 1) / parts
        scale_multipliers(I, S, float(parts))
        if failed == 0:
            S.count_taut += 1.0
            S.time = t + h
            look_for_contradictions(I, S)
            prepare(I, S)
            return 0
        restore(I, S, t)
        parts *= 2
    return 1


@inlined
def look_for_contradictions(I: Index, S: Scalars) -> None:
    """Constraints that stay wide open time after time yield from now on."""
    lift(I, S)
    blocks(I, S, VALUE)
    S.gap = gap(I, S)
    if S.gap > CONTRADICTORY * S.tolerance:
        S.stuck += 1.0
        if S.stuck >= PATIENCE:
            let_yield(I, S, residuals(I, S), SHARE * S.gap)
            S.stuck = 0.0
            S.taut = 0.0
    else:
        S.stuck = 0.0
