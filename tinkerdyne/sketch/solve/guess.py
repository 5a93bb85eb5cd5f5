"""First guesses: durations, states and times of samples to start from, flight by flight (MS03 §6.2.1)."""

from __future__ import annotations

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import conjugate, exponential_of, multiplied, vector
from tinkerdyne.sketch.disturb import rounded
from tinkerdyne.sketch.problem.point import Guess, Point
from tinkerdyne.sketch.problem.statement import LONGEST, SHORTEST, Resampled, Statement
from tinkerdyne.sketch.problem.unknowns import Chosen, Friction
from tinkerdyne.sketch.solve.fit import SCAN, fitted, spin
from tinkerdyne.sketch.solve.turning import turnings

LITTLE = 1.5  # rad: a turn through a flight that is none to speak of
SURE = 2  # seeds that keep the spin of their hypothesis; others throw it about


def guess(s: Statement, seed: int = 0) -> Point:
    """Durations, nodes and shares to start from; seed 0 is the fit itself, others are thrown about it."""
    rng = np.random.default_rng(seed)
    durations, states, shares = [], [], []
    begin = 0.0
    for f, row in enumerate(s.tracks):
        T, guesses = _flight(s, f, row, begin, seed, rng)
        guesses = [
            g._replace(x=rounded(g.x), q=rounded(g.q), v=rounded(g.v), w=rounded(g.w)) for g in guesses
        ]
        durations.append(T)
        states.append(guesses)
        shares.append([g.share for g in guesses])
        begin += T
    rough: dict[Chosen, Array] = {
        Friction(int(s.first[f + 1]) - 1): np.array([rng.uniform(*c.friction)])
        for f, c in enumerate(s.collisions)
        if seed and c.body is not None and isinstance(c.friction, tuple)
    }
    return Point(np.array(durations), states, shares, chosen=rough)


def _flight(
    s: Statement, f: int, row: list[Resampled | None], begin: float, seed: int, rng: np.random.Generator
) -> tuple[float, list[Guess]]:
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
        if s.is_standing(f, b):
            out.append(_standing(s, b))
            continue
        if track is None:
            out.append(_unseen(s, f, b, T, seed))
            continue
        share = shares[at][best] if track.times is None else np.clip((track.times - begin) / T, 0, 1)
        q, w = _turned(s, b, track.turns, share, T, seed) if track.w_q.any() else _turning(s, f, b, T, seed)
        out.append(Guess(x[at][best], q, v[at][best], w, share))
        at += 1
    if seed:
        thrown = float(np.clip(T * np.exp(rng.normal(scale=0.18)), low, high))
        by = rng.normal(size=(len(out), 3)) if seed > SURE else np.zeros((len(out), 3))
        out = [g._replace(w=g.w * (T / thrown) * (1 + 0.25 * k)) for g, k in zip(out, by, strict=True)]
        T = thrown
        out = [_refit(s, row[b], g, T) for b, g in enumerate(out)]
    return T, out


def _turned(s: Statement, b: int, turns: Array, share: Array, T: float, seed: int) -> tuple[Array, Array]:
    """Orientation and spin at the start of a flight, from orientations at shares of it: the best hypothesis,
    or with another seed one of the others."""
    shape = s.shapes[b]
    mean = spin(turns, share, T, shape.moments if shape.kind == "general" else None)
    if len(turns) < 2:
        return turns[0], mean
    own = shape.moments / shape.moments.max()
    several = seed > 0 or shape.kind == "general"
    found = turnings(shape.kind, turns, share * T, own, mean, several=several)
    one = found[seed % len(found)]
    return one.q, one.w


def _refit(s: Statement, track: Resampled | None, g: Guess, T: float) -> Guess:
    """The parabola through the ends of a track for another duration."""
    if track is None or len(track.places) < 2:
        return g
    x, end = track.places[0], track.places[-1]
    return g._replace(x=x, v=(end - x) / T - 0.5 * s.g * T)


def _standing(s: Statement, b: int) -> Guess:
    """A body that stands where it was put."""
    item, shape = s.items[b], s.shapes[b]
    turn = multiplied(item.orientation, shape.turn)
    return Guess(item.position / s.units.length, turn, np.zeros(3), np.zeros(3), np.zeros(0))


def _unseen(s: Statement, f: int, b: int, T: float, seed: int) -> Guess:
    """A body of which a flight has no samples: where a wish, or its own start, has it."""
    item = s.items[b]
    x = item.position / s.units.length
    for g, wish in s.wishes:
        if (
            wish.body is item
            and wish.kind == "position"
            and abs(g - f) <= 1
            and np.isfinite([wish.low, wish.high]).all()
        ):
            x = (wish.low + wish.high) / 2 / s.units.length
    q, w = _turning(s, f, b, T, seed)
    return Guess(x, q, item.velocity * s.units.time / s.units.length, w, np.zeros(0))


def _turning(s: Statement, f: int, b: int, T: float, seed: int) -> tuple[Array, Array]:
    """Orientation at the start of a flight that has no samples, and a steady spin from each that is told to
    the next; key poses within the flight wind up as samples do."""
    item, shape = s.items[b], s.shapes[b]
    poses = _orientations(s, b)
    keys = [one for one in poses if f <= one[0] <= f + 1]
    if len(keys) > 2:
        share = np.array([when - f for when, _ in keys])
        q, w = _turned(s, b, np.array([q for _, q in keys]), share, T, seed)
    elif not poses:
        q, w = multiplied(item.orientation, shape.turn), np.zeros(3)
    else:
        q, end = (_between(poses, float(when)) for when in (f, f + 1))
        w = vector(multiplied(conjugate(q), end)) / T
    if s.style[3] > 0 and np.linalg.norm(w) * T < LITTLE:  # more turns than none begin with some
        axis = np.random.default_rng(seed).normal(size=3)
        w = w + 2 * LITTLE / T * axis / np.linalg.norm(axis)
    for g, wish in s.wishes:
        if wish.body is item and wish.kind == "spin" and g == f:
            w = shape.inside(np.clip(shape.axes @ w, wish.low * s.units.time, wish.high * s.units.time))
    return q, w


def _orientations(s: Statement, b: int) -> list[tuple[float, Array]]:
    """The principal orientations of a body that samples and wishes tell, and when, counted in flights."""
    out = []
    for f, row in enumerate(s.tracks):
        track = row[b]
        if track is not None and track.w_q.any():
            out += [(float(f), track.turns[0]), (f + 1.0, track.turns[-1])]
    for f, wish in s.wishes:
        if wish.body is s.items[b] and wish.kind == "orientation":
            share = (
                0.5 if wish.time is not None else float({"start": 0, "end": 1}.get(str(wish.when), wish.when))
            )
            out.append((f + share, multiplied(wish.low / np.linalg.norm(wish.low), s.shapes[b].turn)))
    return sorted(out, key=lambda one: one[0])


def _between(poses: list[tuple[float, Array]], when: float) -> Array:
    """The orientation at a moment, by a steady turn from the one told before it to the one after."""
    before = next((one for one in reversed(poses) if one[0] <= when), poses[0])
    after = next((one for one in poses if one[0] >= when), poses[-1])
    share = (when - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return multiplied(before[1], exponential_of(share * vector(multiplied(conjugate(before[1]), after[1]))))
