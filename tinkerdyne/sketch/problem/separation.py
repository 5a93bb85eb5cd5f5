"""Apart: two bodies that fly do not pass through each other (M1).

Two convex bodies are apart when a plane has one on each side of it; of the normals of their faces and the
products of their edges one will do (the separating axis theorem). A problem has no rows for that until a
motion lets two bodies overlap. Then planes are laid between them at some moments of that flight, each carried
by one of the bodies, which it touches, and the corners of the other must lie beyond it. While two overlap,
all planes look in nearly one direction of the world, that in which they have to move least to be apart
throughout; a direction in which one lies in front of the other before and behind it after, as of a wall that
is passed, must hold for all the time on one side too. The problem is solved again from where it was; planes
are added where bodies still overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.quaternion import matrices
from tinkerdyne.sketch.problem.guard import DEEP, SINK
from tinkerdyne.sketch.problem.point import Plane, Point, states
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.structure import Structure
from tinkerdyne.sketch.tell.hull import Hull
from tinkerdyne.sketch.tell.pieces import Pieces

# moments of a flight at which it is looked at; where a body is hollow, whose walls are thin
CLOSE, CLOSER = 65, 129
CLOSEST = 8193  # where they fly so fast that they would pass through each other between two moments
ALIKE = 0.5  # cosine of the angle that planes of one passage may lean from their common direction
NEWLY = 5  # planes that are laid at once in one passage
EACH = 2  # of them at one moment, for the pieces that lie deepest in each other
SEVERAL = 6  # pieces that directions are taken from
CROSSED = 1000  # pairs of edges beyond which their products are left out: such bodies are nearly round
STEPS = 40  # of Gilbert's method


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


@dataclass(frozen=True)
class Moving:
    """A hull at several moments: places (m, 3) and rotations (m, 3, 3), and its points in the world (m, n,
    3)."""

    hull: Hull
    x: Array
    R: Array

    @property
    def points(self) -> Array:
        return np.asarray(self.x[:, None] + self.hull.points @ self.R.transpose(0, 2, 1))

    def __getitem__(self, which: Array | list[int]) -> Moving:
        return Moving(self.hull, self.x[which], self.R[which])


def motions(s: Statement, point: Point, f: int, b: int, share: Array, piece: int = 0) -> Moving:
    """A piece of a body along a flight [m], or of an obstacle, whose numbers come after the bodies'."""
    if b >= len(s.items):
        x, R = s.obstacles[b - len(s.items)]
        return Moving(s.pieces[b][piece], np.tile(x, (len(share), 1)), np.tile(R, (len(share), 1, 1)))
    x, q, _, _ = states(s, point, f, b, share)
    return Moving(s.pieces[b][piece], x * s.units.length, matrices(q))


def overlaps(s: Statement, point: Point) -> list[Overlap]:
    """Every passage of a body through another that it is to be kept apart from, deeper than is allowed
    for."""
    out = []
    for pair in s.pairs:
        usual = CLOSER if any(s.pieces[b].is_hollow for b in pair) else CLOSE
        thin = s.pieces[pair[0]].thinnest + s.pieces[pair[1]].thinnest
        for f in range(len(s.parts)):
            even = np.linspace(0, 1, usual)
            a, b = (motions(s, point, f, body, even) for body in pair)
            way = float(np.linalg.norm(np.diff(a.x - b.x, axis=0), axis=1).sum())
            if 2 * way > (usual - 1) * thin:
                even = np.linspace(0, 1, min(int(2 * way / thin) + 2, CLOSEST) if thin > 0 else CLOSEST)
                a, b = (motions(s, point, f, body, even) for body in pair)
            near = np.linalg.norm(a.x - b.x, axis=1) < s.pieces[pair[0]].reach + s.pieces[pair[1]].reach
            if not near.any():
                continue
            inside = deep_pieces(
                s.pieces[pair[0]], s.pieces[pair[1]], a[near], b[near], DEEP * SINK * s.units.length
            )
            deepest = np.zeros(len(even))
            deepest[near] = np.max(list(inside.values()), axis=0, initial=0.0) if inside else 0.0
            edges = np.flatnonzero(np.diff(np.concatenate([[False], deepest > 0, [False]])))
            for begin, end in edges.reshape(-1, 2):
                at = begin + int(deepest[begin:end].argmax())
                within = slice(int(near[:begin].sum()), int(near[:end].sum()))
                pieces = sorted(
                    (two for two, d in inside.items() if d[within].any()),
                    key=lambda two: -inside[two][within].max(),
                )
                out.append(Overlap(pair, f, even[begin:end], pieces, float(even[at]), float(deepest[at])))
    return out


def deep_pieces(A: Pieces, B: Pieces, a: Moving, b: Moving, allowed: float) -> dict[tuple[int, int], Array]:
    """How deep pieces of two bodies lie in each other at each moment (m,) [m], of those that do; 0 where that
    is allowed."""
    if len(A) > len(B):
        return {(i, j): depth for (j, i), depth in deep_pieces(B, A, b, a, allowed).items()}
    out = {}
    normals, far, first = B.fronts
    for i, hull in enumerate(A.hulls):
        one = Moving(hull, a.x, a.R)
        own = (one.points - b.x[:, None]) @ b.R  # in the axes of b
        room = np.maximum.reduceat((own @ normals.T).min(axis=1) - hull.round - far, first, axis=1)
        if len(B) > 1 and len(hull.normals):  # along the faces of the one, too
            points, starts = B.corners
            ways = hull.normals @ (b.R.transpose(0, 2, 1) @ a.R).transpose(0, 2, 1)
            begins = np.minimum.reduceat(ways @ points.T, starts, axis=2) - B.round
            middle = ((a.x - b.x)[:, None] @ b.R @ ways.transpose(0, 2, 1))[:, 0]
            ends = middle + (hull.points @ hull.normals.T).max(axis=0) + hull.round
            room = np.maximum(room, (begins - ends[:, :, None]).max(axis=1))
        is_near = room < -allowed
        for j in np.flatnonzero(is_near.any(axis=0)).tolist():
            at = np.flatnonzero(is_near[:, j])
            apart = separation(one[at], Moving(B[j], b.x[at], b.R[at]))[0]
            if (apart < -allowed).any():
                out[i, j] = np.zeros(len(a.x))
                out[i, j][at] = np.where(apart < -allowed, -apart, 0.0)
    return out


def separation(a: Moving, b: Moving) -> tuple[Array, Array, Array]:
    """How far two hulls are apart along the best of their directions (m,) [m], that direction from a to b,
    and whether b has it."""
    ways, of_b = directions(a, b)
    far = along(a, b, ways)
    best = far.argmax(axis=1)
    every = np.arange(len(best))
    return far[every, best], ways[every, best], of_b[best]


def along(a: Moving, b: Moving, ways: Array) -> Array:
    """The room between two hulls along unit directions (m, k, 3) from a to b: negative where they overlap (m,
    k) [m]."""
    ends = (ways @ a.points.transpose(0, 2, 1)).max(axis=2)
    begins = (ways @ b.points.transpose(0, 2, 1)).min(axis=2)
    return np.asarray(begins - ends - a.hull.round - b.hull.round)


def directions(a: Moving, b: Moving) -> tuple[Array, Array]:
    """Directions from a to b that may separate them (m, k, 3), and which of them are normals of b's faces
    (k,)."""
    faces = a.hull.normals @ a.R.transpose(0, 2, 1), -b.hull.normals @ b.R.transpose(0, 2, 1)
    has_few = len(a.hull.edges) * len(b.hull.edges) <= CROSSED
    one, two = ((m.hull.edges if has_few else m.hull.edges[:0]) @ m.R.transpose(0, 2, 1) for m in (a, b))
    crossed = np.cross(one[:, :, None], two[:, None]).reshape(len(a.x), -1, 3)
    size = np.linalg.norm(crossed, axis=2, keepdims=True)
    crossed = np.where(size > 1e-6, crossed / np.maximum(size, 1e-6), nearest(a, b)[:, None])
    ways = np.concatenate([*faces, crossed, -crossed, nearest(a, b)[:, None]], axis=1)
    of_b = np.zeros(ways.shape[1], bool)
    of_b[faces[0].shape[1] : faces[0].shape[1] + faces[1].shape[1]] = True
    return ways, of_b


def nearest(a: Moving, b: Moving) -> Array:
    """The direction from the point of a to that of b that are nearest to each other (m, 3), by Gilbert's
    method."""
    A, B = a.points, b.points
    v = B.mean(axis=1) - A.mean(axis=1)
    every = np.arange(len(v))
    for _ in range(STEPS):
        w = (
            B[every, (B @ v[:, :, None])[:, :, 0].argmin(axis=1)]
            - A[every, (A @ v[:, :, None])[:, :, 0].argmax(axis=1)]
        )
        step = v - w
        share = (v * step).sum(axis=1) / np.maximum((step**2).sum(axis=1), 1e-30)
        v = v - np.clip(share, 0, 1)[:, None] * step
    size = np.linalg.norm(v, axis=1, keepdims=True)
    return np.where(size > 1e-9, v / np.maximum(size, 1e-9), (0.0, 0.0, 1.0))


# --- planes ---------------------------------------------------------------------------------------
def laid(s: Statement, structure: Structure, point: Point, found: list[Overlap]) -> Point:
    """The point with planes between bodies where they overlap; the newest stand first, the oldest fall
    out."""
    planes = [list(row) for row in point.planes] or [
        [idle(s, pair.corners)] * pair.planes for pair in structure.separations
    ]
    at = {(pair.segment, pair.body, pair.other): i for i, pair in enumerate(structure.separations)}
    for one in found:
        f, (A, B) = one.flight, one.pair
        even = np.linspace(0, 1, CLOSE)
        shares = np.concatenate([even[even < one.shares[0]], one.shares, even[even > one.shares[-1]]])
        whole = [
            (motions(s, point, f, A, shares, i), motions(s, point, f, B, shares, j)) for i, j in one.pieces
        ]
        within = (shares >= one.shares[0]) & (shares <= one.shares[-1])
        common, holds = _least(whole, within, int(np.abs(shares - one.share).argmin()))
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
                new = _plane(
                    carrier, other, sign * way, share * s.parts[f] - k, structure.separations[pair].corners
                )
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


def _plane(carrier: Moving, other: Moving, way: Array, share: float, count: int) -> Plane:
    """The plane that touches a body, its normal outwards, and the corners of the other that lie lowest over
    it."""
    n = carrier.R[0].T @ way
    touch = carrier.hull.points[int((carrier.hull.points @ n).argmax())]
    lowest = np.argsort(other.hull.points @ (other.R[0].T @ way))[:count]
    return Plane(share, touch + (carrier.hull.round + other.hull.round) * n, n, other.hull.points[lowest])


def idle(s: Statement, count: int) -> Plane:
    """A plane so far below that it keeps nothing back."""
    n = np.array((0.0, 0.0, 1.0))
    return Plane(0.5, -1e3 * s.units.length * n, n, np.zeros((count, 3)))
