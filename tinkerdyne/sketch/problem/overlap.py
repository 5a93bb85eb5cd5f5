"""Overlaps: two bodies that fly do not pass through each other (M1).

A problem has no rows for that until a motion lets two bodies overlap. Then planes are laid between them at
some moments of that flight, each carried by one of the bodies, which it touches, and the corners of the other
must lie beyond it. While two overlap, all planes look in nearly one direction of the world, that in which
they have to move least to be apart throughout; a direction in which one lies in front of the other before and
behind it after, as of a wall that is passed, must hold for all the time on one side too. The problem is
solved again from where it was; planes are added where bodies still overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.clearance import Look, Seen, motions
from tinkerdyne.sketch.problem.formulas import width
from tinkerdyne.sketch.problem.guard import DEEP, SINK, corners_of
from tinkerdyne.sketch.problem.point import Plane, Point
from tinkerdyne.sketch.problem.separation import Moving, along, directions, separation
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.structure import Separation, Structure

BESIDE = 65  # moments of a flight at which bodies are looked at before and after they overlap
ALIKE = 0.5  # cosine of the angle that planes of one passage may lean from their common direction
NEWLY = 5  # planes that are laid at once in one passage
EACH = 2  # of them at one moment, for the pieces that lie deepest in each other
SEVERAL = 6  # pieces that directions are taken from


@dataclass(frozen=True)
class Overlap:
    """A passage of one body through another: the pair and flight, its moments, which of their pieces overlap
    then, and where it is deepest, how deep [m]."""

    pair: tuple[int, int]
    flight: int
    shares: Array
    pieces: list[tuple[int, int]]
    share: float
    depth: float


def overlaps(s: Statement, point: Point) -> list[Overlap]:
    """Every passage of a body through another that it is to be kept apart from, deeper than is allowed
    for."""
    allowed = DEEP * SINK * s.units.length
    return [
        passage
        for pair in s.pairs
        for f in range(len(s.parts))
        for passage in _passages(Look(s, point, f, pair, allowed))
    ]


def _passages(look: Look) -> list[Overlap]:
    """Those of one pair in one flight."""
    seen = look.whole()
    if (seen.room >= -look.allowed).all():
        return []
    seen = look.closer(seen, _peaks(_depths(look, seen).max(axis=(1, 2))))
    depths, shares = _depths(look, seen), seen.shares
    deepest = depths.max(axis=(1, 2))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], deepest > 0, [False]])))
    out = []
    for begin, end in edges.reshape(-1, 2):
        most = depths[begin:end].max(axis=0)
        touching = [(int(i), int(j)) for i, j in np.argwhere(most > 0)]
        pieces = sorted(touching, key=lambda two: -most[two])
        at = begin + int(deepest[begin:end].argmax())
        out.append(
            Overlap(look.pair, look.f, shares[begin:end], pieces, float(shares[at]), float(deepest[at]))
        )
    return out


def _depths(look: Look, seen: Seen) -> Array:
    """How deep pieces lie in each other (m, i, j) [m]; 0 where that is allowed."""
    return np.where(seen.room < -look.allowed, -seen.room, 0.0)


def _peaks(depth: Array) -> Array:
    """The moments at which bodies lie deeper in each other than before and after."""
    ends = np.concatenate([[0.0], depth, [0.0]])
    return np.flatnonzero((depth > 0) & (depth >= ends[:-2]) & (depth >= ends[2:]))


def with_planes(s: Statement, structure: Structure, point: Point, passages: list[Overlap]) -> Point:
    """The point with planes between bodies where they overlap; the newest stand first, the oldest fall
    out."""
    planes = [list(row) for row in point.planes] or [
        [idle(s, pair)] * pair.planes for pair in structure.separations
    ]
    at = {(pair.segment, pair.body, pair.other): i for i, pair in enumerate(structure.separations)}
    for passage in passages:
        f, (A, B) = passage.flight, passage.pair
        even = np.linspace(0, 1, BESIDE)
        shares = np.concatenate(
            [even[even < passage.shares[0]], passage.shares, even[even > passage.shares[-1]]]
        )
        whole = [
            (motions(s, point, f, A, shares, i), motions(s, point, f, B, shares, j))
            for i, j in passage.pieces
        ]
        within = (shares >= passage.shares[0]) & (shares <= passage.shares[-1])
        common, holds = _least(whole, within, int(np.abs(shares - passage.share).argmin()))
        chosen = np.unique(np.linspace(0, len(holds) - 1, NEWLY).round().astype(int))
        for m in holds[chosen].tolist():
            share = float(shares[m])
            k = min(int(share * s.parts[f]), s.parts[f] - 1)
            moment = [(a[[m]], b[[m]]) for a, b in whole]
            depth = np.array([-along(a, b, common[None, None])[0, 0] for a, b in moment])
            for i in np.argsort(-depth)[:EACH]:
                if depth[i] <= 0 and i != depth.argmax():
                    continue
                a, b = moment[i]
                way, is_of_b = _way(a, b, common)
                stands = len(s.items) <= B
                carrier, other, sign = (b, a, -1) if is_of_b or stands else (a, b, 1)
                # whose corners stay beyond, and who has the plane
                bodies = (A, -1) if stands else (A, B) if is_of_b else (B, A)
                pair = at[int(s.first[f]) + k, *bodies]
                new = _plane(carrier, other, sign * way, share * s.parts[f] - k, structure.separations[pair])
                if stands:
                    x, R = s.obstacles[B - len(s.items)]
                    new = replace(new, origin=x + R @ new.origin, normal=R @ new.normal)
                planes[pair] = [new, *planes[pair]][: structure.separations[pair].planes]
    return replace(point, planes=planes)


def _least(pieces: list[tuple[Moving, Moving]], within: Array, deepest: int) -> tuple[Array, Array]:
    """Of the directions at the deepest moment of a passage that in which the bodies have to move least to be
        apart throughout, and the moments at which it has to hold: within the passage, and before and after it
    while they lie the other way."""
    ways = np.concatenate([directions(a[[deepest]], b[[deepest]])[0][0] for a, b in pieces[:SEVERAL]])
    room = np.min([along(a, b, np.repeat(ways[None], len(a.x), axis=0)) for a, b in pieces], axis=0)  # (m, k)
    contrary = np.any([separation(a, b)[1] @ ways.T < -ALIKE for a, b in pieces[:SEVERAL]], axis=0)
    holds = within[:, None] | contrary
    first, last = np.flatnonzero(within)[[0, -1]]
    holds[last:] = np.logical_and.accumulate(holds[last:], axis=0)
    holds[: first + 1] = np.logical_and.accumulate(holds[first::-1], axis=0)[::-1]
    best = int(np.where(holds, room, np.inf).min(axis=0).argmax())
    return np.asarray(ways[best]), np.flatnonzero(holds[:, best])


def _way(a: Moving, b: Moving, common: Array) -> tuple[Array, bool]:
    """Of the directions of two pieces at one moment that lean little from a common one, that in which they
    have to move least; and whether b has it."""
    ways, of_b = directions(a, b)
    room = np.where(ways[0] @ common >= ALIKE, along(a, b, ways)[0], -np.inf)
    best = int(room.argmax())
    return (ways[0, best], bool(of_b[best])) if np.isfinite(room[best]) else (common, False)


def _plane(carrier: Moving, other: Moving, way: Array, share: float, form: Separation) -> Plane:
    """The plane that touches a body, its normal outwards, and the corners of the other that lie lowest over
    it."""
    n = carrier.R[0].T @ way
    touch = carrier.R[0].T @ (carrier.furthest(way[None])[0] - carrier.x[0])
    tips = replace(other.hull.tips, balls=np.zeros(len(other.hull.tips)))  # they count with the plane
    lowest = tips[np.argsort(tips.lowest(other.R[0].T @ way))[: form.corners]]
    return Plane(share, touch + (carrier.hull.round + other.hull.round) * n, n, corners_of(lowest, form))


def idle(s: Statement, form: Separation) -> Plane:
    """A plane so far below that it keeps nothing back."""
    n = np.array((0.0, 0.0, 1.0))
    return Plane(0.5, -1e3 * s.units.length * n, n, np.zeros((form.corners, width(form))))
