"""What J v is to be: the targets of joints in the kicks of a step with contact."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.limits import note_own_rates, stop_targets
from tinkerdyne.engine.product import times_J
from tinkerdyne.engine.records import Constraint, Index, Kind, Row, Scalars
from tinkerdyne.engine.steppers.motion import gather, rows


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
