"""Clearance: the moments of a flight at which two bodies are looked at, so that no overlap stays unseen (M1).

Pieces i and j that are r₀ and r₁ apart at two moments Δt after each other, negative where they overlap, and
whose points come nearer at V at most, are nowhere in between closer than

    (r₀ + r₁ − V Δt) / 2,        V = |v_a − v_b| + ω_a ρ_i + ω_b ρ_j,

with ρ how far a piece reaches from the middle of its body. What that leaves open is looked at again at
moments between. The relative velocity of two that fly is constant, and changes evenly where one stands, so
that it is largest at an end; how fast a body spins at most its energy says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import matrices
from tinkerdyne.sketch.problem.point import Point, states
from tinkerdyne.sketch.problem.separation import Moving, overlap, rooms
from tinkerdyne.sketch.problem.statement import Statement

FIRST = 33  # moments of a flight that are looked at first
CLOSE = 128  # parts of a flight: where bodies overlap they are looked at so closely, and pieces one by one
CLOSEST = 8192  # and between what overlaps and what does not
PARTS = 8  # that an interval is divided into at once
ROUNDED = 1.01  # as much more than one part still counts as one
SURE = 1e-9  # m: what rounding may add to how far pieces are apart

Pair = tuple[int, int]


@dataclass(frozen=True)
class Seen:
    """Two bodies at some moments of a flight: its shares, the bodies' first pieces, how fast their middles
    pass each other [m a flight], and how far their pieces are apart (m, i, j) [m]: at least, or exactly."""

    shares: Array
    a: Moving
    b: Moving
    speed: Array
    room: Array
    is_exact: Array

    def with_more(self, more: Seen) -> Seen:
        """With other moments, in order."""
        order = np.argsort(np.concatenate([self.shares, more.shares]), kind="stable")

        def both(one: Array, two: Array) -> Array:
            return np.asarray(np.concatenate([one, two])[order])

        return Seen(
            both(self.shares, more.shares),
            replace(self.a, x=both(self.a.x, more.a.x), R=both(self.a.R, more.a.R)),
            replace(self.b, x=both(self.b.x, more.b.x), R=both(self.b.R, more.b.R)),
            both(self.speed, more.speed),
            both(self.room, more.room),
            both(self.is_exact, more.is_exact),
        )


def motions(s: Statement, point: Point, f: int, b: int, share: Array, piece: int = 0) -> Moving:
    """A piece of a body along a flight [m], or of an obstacle, whose numbers come after the bodies'."""
    return _flown(s, point, f, b, share, piece)[0]


def _flown(s: Statement, point: Point, f: int, b: int, share: Array, piece: int = 0) -> tuple[Moving, Array]:
    """A piece of a body along a flight, and the velocity of the body's middle [m a flight]."""
    if b >= len(s.items):
        x, R = s.obstacles[b - len(s.items)]
        still = Moving(s.pieces[b][piece], np.tile(x, (len(share), 1)), np.tile(R, (len(share), 1, 1)))
        return still, np.zeros((len(share), 3))
    x, q, v, _ = states(s, point, f, b, share)
    length = s.units.length
    return Moving(s.pieces[b][piece], x * length, matrices(q)), v * float(point.durations[f]) * length


def _spin(s: Statement, point: Point, f: int, b: int) -> float:
    """How fast a body spins at most [rad a flight]: as its energy allows, or as it does throughout where two
    of its moments are equal."""
    if b >= len(s.items) or s.motion(f, b) == "still":
        return 0.0
    _, _, _, (spin,) = states(s, point, f, b, np.zeros(1))
    fastest = np.linalg.norm(spin)
    if s.motion(f, b) == "general":
        moments = s.moments(b, point.chosen)
        fastest = np.sqrt((moments * spin**2).sum() / moments.min())
    return float(fastest * point.durations[f])


class Look:
    """A look at one pair of bodies in one flight, as closely as it takes to know where they overlap by more
    than is allowed [m]."""

    def __init__(self, s: Statement, point: Point, f: int, pair: Pair, allowed: float) -> None:
        self.s, self.point, self.f, self.pair, self.allowed = s, point, f, pair, allowed
        A, B = (s.pieces[b] for b in pair)
        reaches = (np.array([hull.reach for hull in one.hulls]) for one in (A, B))
        turns = (_spin(s, point, f, b) * reach for b, reach in zip(pair, reaches, strict=True))
        self.turning = np.add.outer(*turns)  # V but for the middles, by pieces

    def taken(self, shares: Array) -> Seen:
        """The bodies at some moments."""
        (a, u), (b, v) = (_flown(self.s, self.point, self.f, body, shares) for body in self.pair)
        room = rooms(self.s.pieces[self.pair[0]], self.s.pieces[self.pair[1]], a, b)
        return Seen(shares, a, b, np.linalg.norm(u - v, axis=1), room, np.zeros(room.shape, bool))

    def parts(self, seen: Seen) -> Array:
        """Into how many parts each interval is to be divided for each two pieces (m - 1, i, j), so that no
        overlap of theirs is left unseen; up to 1 it need not be divided."""
        wide = np.diff(seen.shares)[:, None, None]
        speed = np.maximum(seen.speed[1:], seen.speed[:-1])[:, None, None] + self.turning
        room = np.maximum(seen.room + self.allowed, 0.0) + SURE
        parts = np.minimum(speed / (room[1:] + room[:-1]), CLOSEST) * wide
        is_deep = (seen.room < -self.allowed) & seen.is_exact
        is_seen = is_deep[1:] | is_deep[:-1]  # what is seen needs no closer look
        return np.asarray(np.where(is_seen, CLOSE * wide, parts) / ROUNDED)

    def exact(self, seen: Seen, which: Array) -> Seen:
        """With pieces that may overlap looked at by their edges too, at some moments (m, i, j)."""
        A, B = (self.s.pieces[b] for b in self.pair)
        room, is_exact = seen.room.copy(), seen.is_exact | which
        for i, j in np.argwhere((which & ~seen.is_exact).any(axis=0)).tolist():
            at = np.flatnonzero(which[:, i, j] & ~seen.is_exact[:, i, j])
            one, two = Moving(A[i], seen.a.x[at], seen.a.R[at]), Moving(B[j], seen.b.x[at], seen.b.R[at])
            room[at, i, j] = np.maximum(room[at, i, j], overlap(one, two))
        return replace(seen, room=room, is_exact=is_exact)

    def whole(self) -> Seen:
        """At as many moments as it takes."""
        seen = self.taken(np.linspace(0, 1, FIRST))
        while True:
            parts = self.parts(seen)
            doubtful = (parts > 1) & (np.diff(seen.shares)[:, None, None] < ROUNDED / CLOSE)
            ends = np.zeros(seen.room.shape, bool)
            ends[1:] |= doubtful
            ends[:-1] |= doubtful
            if (ends & ~seen.is_exact).any():
                seen = self.exact(seen, ends)
                parts = self.parts(seen)
            most = parts.max(axis=(1, 2))
            intervals = np.flatnonzero(most > 1)
            if not len(intervals):
                return self.exact(seen, seen.room < -self.allowed)
            seen = self.divided(seen, intervals, np.clip(np.ceil(most[intervals]), 2, PARTS))

    def closer(self, seen: Seen, moments: Array) -> Seen:
        """With a closer look around some moments."""
        last = len(seen.shares) - 1
        intervals = np.unique(np.clip(np.concatenate([moments - 1, moments]), 0, last - 1))
        more = self.divided(seen, intervals, np.full(len(intervals), PARTS))
        return self.exact(more, more.room < -self.allowed)

    def divided(self, seen: Seen, intervals: Array, parts: Array) -> Seen:
        """With moments between, so that each of some intervals becomes so many."""
        shares = [
            np.linspace(seen.shares[k], seen.shares[k + 1], int(n) + 1)[1:-1]
            for k, n in zip(intervals, parts, strict=True)
        ]
        return seen.with_more(self.taken(np.concatenate(shares)))
