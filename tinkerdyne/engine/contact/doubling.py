"""Steps of a chosen error with contact: each is taken whole and in halves, which differ by three times the
error of the halves.

A step over a touch, a lift-off, or the moment at which something sticks or begins to slip is wrong by its
length: so it is shortened until that moment is known as well as was asked. Blows are found within a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.language.arrays import Array

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine

FIRST = 1e-3  # s: the first step
LONGEST = 1 / 240  # s: in longer ones slow blows do not bounce, whole or halved, and nobody would notice
SOLVED = 2e-9  # m/s: contacts that rest are solved to this
SHORTEST = 1e-10  # s: a step that is not shortened any more
NOISY = 0.8  # of the error of a step that was longer: then it does not come from its length
SAFETY, SHRINK, GROW = 0.9, 0.2, 4.0  # of the next step
ORDER = 3  # of the local error
# s: in this time the errors of steps may add up to what is asked; and the share of it that a step always has
SPAN, LEAST_SHARE = 1.0, 1e-3


@dataclass(frozen=True)
class Doubled:
    """How steps of a chosen error went."""

    steps: int
    is_done: bool  # else a step could not be taken
    rough: int  # steps that were as short as they get, and off by more than was asked


def advance_within(engine: Engine, end: float, rtol: float, atol: float, longest: float) -> Doubled:
    """Steps to a time, off by rtol of the largest place and velocity a second at most, and atol."""
    steps, rough, shortest = 0, 0, SHORTEST
    h = engine.scalars.next_step or FIRST
    tried: tuple[float, float] | None = None  # a step from here that was too long, and its error
    while end - engine.scalars.time > SHORTEST:
        whole = min(h, longest, LONGEST, end - engine.scalars.time)
        start, kept = engine.numbers(), engine.contacts.kept()
        before = engine.state_vector()
        if engine.contacts.advance(1, whole) < 1:
            return Doubled(steps, False, rough)
        once = engine.state_vector()
        engine.set_numbers(start)
        engine.contacts.put(kept)
        if engine.contacts.advance(2, whole / 2) < 2:
            return Doubled(steps, False, rough)
        share = max(whole / SPAN, LEAST_SHARE)
        error = _error(engine, before, once, share * rtol, share * atol)
        h = whole * min(GROW, max(SHRINK, SAFETY * max(error, 1e-12) ** (-1 / ORDER)))
        if tried is not None and error > NOISY * tried[1]:  # a shorter one is no better: it is the solver's
            shortest = min(LONGEST, 2 * tried[0])
        if error > 1 and whole > shortest:
            engine.set_numbers(start)
            engine.contacts.put(kept)
            h, tried = max(h, shortest), (whole, error)
            continue
        rough, tried = rough + (error > 1), None
        steps += 1
        engine.scalars.next_step = h
    engine.scalars.time = end
    return Doubled(steps, True, rough)


def _error(engine: Engine, before: Array, once: Array, rtol: float, atol: float) -> float:
    """The error of two halves, as a share of what is asked; `before` and `once` are the states at the start
    and after one whole step."""
    twice, nq = engine.state_vector(), len(engine.arena.q)
    shares = []
    for part, floor in ((slice(0, nq), 0.0), (slice(nq, None), SOLVED)):
        size = max(np.abs(before[part]).max(initial=0.0), np.abs(twice[part]).max(initial=0.0))
        off = np.abs(twice[part] - once[part]).max(initial=0.0) / 3
        shares.append(off / (atol + rtol * size + floor))
    worst = max(shares)
    return float(worst) if np.isfinite(worst) else np.inf
