"""The rung of taut poses: the compliant step, whole or in parts, and whether what stays open is taut or
contradictory.

A taut pose opens by about the tolerance δ, and by less where α is smaller (0.015 to 1.6 δ in nets, chains and
sheets with diagonals). Constraints that contradict each other stay open by what they contradict, whatever α
is.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import compiled, inlined
from tinkerdyne.engine.evaluate import VALUE, blocks, lift
from tinkerdyne.engine.exact import has_redundant_rows
from tinkerdyne.engine.records import Index, Row, Scalars
from tinkerdyne.engine.steppers.compliant import CLOSE, compliant_step
from tinkerdyne.engine.steppers.motion import gap, largest, residuals, rows
from tinkerdyne.engine.steppers.rattle import epsilon, observe, prepare, scale_multipliers
from tinkerdyne.engine.steppers.retake import restore
from tinkerdyne.engine.yielding import clear_rows

TAUT_STEPS = 16.0  # by the compliant step at first, before RATTLE is tried again
MOST_PARTS = 16
# tolerances: taut poses open by less (8 were seen, 17 with rigid diagonals); what is wider is a contradiction
CONTRADICTORY = 100.0


@inlined
def bears_compliance(I: Index, S: Scalars) -> int:
    """Whether the compliant step can take this world's steps; not while a constraint approaches its place:
    one that comes where it is out of reach would pull what is taut along, with any force."""
    if I.nr == 0 or I.mass_varies != 0 or I.rates != 0 or S.solver != 0.0:
        return 0
    return 1 if largest(rows(I, S, Row.REF), I.nr) <= CONTRADICTORY * S.tolerance else 0


@compiled
def taut_step(I: Index, S: Scalars, h: float) -> int:
    """The compliant step, whole or in up to 16 parts; 1 when no part-size works, and when what stays open is
    a contradiction: nothing is gained by such a step, whose forces are gap/α."""
    t = S.time
    parts = 1
    while parts <= MOST_PARTS:
        scale_multipliers(I, S, 1.0 / parts)
        failed = 0
        for k in range(parts):
            observe(I, S)
            if compliant_step(I, S, h / parts) != 0:
                failed = 1
                break
            S.time = t + h * (k + 1) / parts
        scale_multipliers(I, S, float(parts))
        if failed == 0:
            S.time = t + h
            if opens_wide(I, S) == 0:
                note_stretch(I, S)
                S.count_taut += 1.0
                S.stuck = 0.0
                observe(I, S)
                if is_slack(I, S) != 0:
                    S.taut = 0.0
                return 0
            S.taut = 0.0
            parts = MOST_PARTS
        restore(I, S, t)
        parts *= 2
    return 1


@inlined
def is_slack(I: Index, S: Scalars) -> int:
    """Whether RATTLE can go on from here: nothing is open by more than the equations of the step are solved
    to, and no row repeats others, which opens nothing."""
    if S.taut == 0.0 or S.gap >= CLOSE * S.tolerance:
        return 0
    prepare(I, S)
    return 1 - has_redundant_rows(I, S, epsilon(S))


@inlined
def opens_wide(I: Index, S: Scalars) -> int:
    """Whether constraints are open by more than a taut pose is."""
    lift(I, S)
    blocks(I, S, VALUE)
    S.gap = gap(I, S)
    return 0 if S.gap <= CONTRADICTORY * S.tolerance else 1


@inlined
def note_stretch(I: Index, S: Scalars) -> None:
    """The energy Σ (c − r)²/2α that taut constraints hold."""
    c = residuals(I, S)
    if S.yielding > 0.0:
        clear_rows(I, S, c)
    total = 0.0
    for i in range(I.nr):
        total += c[i] * c[i]
    S.stretch = 0.5 * total / S.compliance
