"""First guesses: durations, states and times of samples to start from, flight by flight (MS03 §6.2.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinkerdyne.sketch.point import Point
from tinkerdyne.sketch.quaternion import multiplied
from tinkerdyne.sketch.start import SCAN, Guess, fitted, spin
from tinkerdyne.sketch.statement import LONGEST, SHORTEST, Statement, Track


def guess(s: Statement, seed: int = 0) -> Point:
    """Durations, nodes and shares to start from; seed 0 is the fit itself, others are thrown about it."""
    rng = np.random.default_rng(seed)
    durations, states, shares = [], [], []
    begin = 0.0
    for f, row in enumerate(s.tracks):
        T, guesses = _flight(s, f, row, begin, rng if seed else None)
        durations.append(T)
        states.append(guesses)
        shares.append([g.share for g in guesses])
        begin += T
    return Point(np.array(durations), states, shares)


def _flight(s: Statement, f: int, row: list[Track | None], begin: float, rng: Any) -> tuple[float, list[Guess]]:
    there = [t for t in row if t is not None]
    timed = [t for t in there if t.times is not None]
    given = s.flights[f].duration
    low, high = (SHORTEST, LONGEST) if given is None else (given[0] / s.units.time, given[1] / s.units.time)
    if timed:
        last = max(float(t.times[-1]) for t in timed if t.times is not None)
        times = np.array([np.clip(max(last - begin, 0.05), low, high)])
    else:
        scanned = SCAN[(low <= SCAN) & (high >= SCAN)]
        times = scanned if len(scanned) else np.array([(low + high) / 2])
    known = [None if t.times is None else (t.times - begin) / times[0] for t in there]
    costs, x, v, shares = fitted([t.places for t in there], s.g, times, known)
    if there:
        best = int(costs.argmin())
        T = float(times[best])
    else:
        best, T = 0, float(np.clip(1.0, low, high))
    out = []
    at = 0
    for b, track in enumerate(row):
        if track is None:
            out.append(_unseen(s, f, b))
            continue
        share = shares[at][best] if track.times is None else np.clip((track.times - begin) / T, 0, 1)
        w = spin(track.turns, share, T)
        out.append(Guess(x[at][best], track.turns[0], v[at][best], w, share))
        at += 1
    if rng is not None:
        T *= float(np.exp(rng.normal(scale=0.18)))
        out = [g._replace(w=g.w * (1 + 0.25 * rng.normal(size=3))) for g in out]
        T = float(np.clip(T, low, high))
        out = [_refit(s, row[b], g, T) for b, g in enumerate(out)]
    return T, out


def _refit(s: Statement, track: Track | None, g: Guess, T: float) -> Guess:
    """The parabola through the ends of a track for another duration."""
    if track is None or len(track.places) < 2:
        return g
    x, end = track.places[0], track.places[-1]
    return g._replace(x=x, v=(end - x) / T - 0.5 * s.g * T)


def _unseen(s: Statement, f: int, b: int) -> Guess:
    """A body of which a flight has no samples: where a wish, or its own start, has it."""
    item, shape = s.items[b], s.shapes[b]
    x, q, w = item.position / s.units.length, item.orientation, np.zeros(3)
    for g, wish in s.wishes:
        if wish.body is item and wish.kind == "position" and abs(g - f) <= 1 and np.all(np.isfinite(wish.low + wish.high)):
            x = (wish.low + wish.high) / 2 / s.units.length
        if wish.body is item and wish.kind == "orientation" and abs(g - f) <= 1:
            q = wish.low / np.linalg.norm(wish.low)
        if wish.body is item and wish.kind == "spin" and g == f and np.all(np.isfinite(wish.low + wish.high)):
            w = shape.inside(wish.low + wish.high) / 2 * s.units.time
    return Guess(x, multiplied(q, shape.turn), item.velocity * s.units.time / s.units.length, w, np.zeros(0))
