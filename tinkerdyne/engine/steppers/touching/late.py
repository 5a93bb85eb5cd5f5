"""Hits that come sooner than was foreseen: a part of a step ends with the first of them.

When bodies meet is foreseen by φ + uτ + ½aτ² = 0 at the contacts of the start. A part that turns far within a
step comes on a bent way, or with a corner that was no contact yet. Were the kick before it solved for again
with that contact, it would stop some of the approach, which then could not bounce. So the part is made
shorter: by Newton's step from its end, where what bounces overlaps by −φ and approaches at −u,

    τ ← τ − φ/u.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.bending import is_awake, pad
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.meeting import along_normal, meet, write_contacts
from tinkerdyne.engine.contact.problem import Problem
from tinkerdyne.engine.contact.recycling import point_at
from tinkerdyne.engine.contact.strike import hold_hits, restitution_of
from tinkerdyne.engine.contact.touching import Touching, TouchValues
from tinkerdyne.engine.evaluate import lift
from tinkerdyne.engine.product import times_W
from tinkerdyne.engine.records import Index, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, vels

SOONEST = 1e-6  # of a part of a step: what bounces so early overlapped from the start
NEVER = -1.0  # the limit of a part in which nothing bounces


@compiled
def sooner_hit(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats,
    h: float, limit: float, deep: float,
) -> float:  # fmt: skip
    """At the end of a drift of h: when the first of what bounces, approaches faster than the limit and
    overlaps by more than `deep` there has met; h where nothing does."""
    first = h
    values = TouchValues(Y)
    deepest = values.deepest
    write_contacts(I, S, T, Y, D, F, P, X, h)
    values.deepest = deepest  # this is a try
    v = at(X, P.dv)
    pad(I, S, T, P, I.v, v)
    for k in range(T.n_met):
        gap = point_at(F, Detection(D).points, k).gap
        if gap >= -deep or is_awake(P, k) == 0 or restitution_of(T, Y, D, k) == 0.0:
            continue
        rate = along_normal(P, X, k, v)
        if rate < -limit:
            first = min(first, h - gap / rate)
    return first if first > SOONEST * h else h


@compiled
def begin_again(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats,
    t: float, limit: float,
) -> int:  # fmt: skip
    """Back to the start of a part of a step, at time t, with its contacts; below 0 where room is missing."""
    copy(vels(I, S, Vel.START), at(S, I.v), I.nv)
    copy(at(S, I.q0), at(S, I.q), I.nq)
    S.time = t
    lift(I, S)
    found = meet(I, S, T, Y, D, F, P, K, TouchValues(Y).whole)
    if found < 0:
        return found
    times_W(I, S, at(S, I.force), vels(I, S, Vel.KICK))
    hold_hits(I, S, T, Y, D, F, P, X, limit)
    T.retakes += 1
    return 0
