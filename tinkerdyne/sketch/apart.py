"""Apart: two bodies that fly do not pass through each other (M1).

Two convex bodies are apart when a plane has one on each side of it; of the normals of their faces and the products of their edges
one will do (the separating axis theorem). A problem has no rows for that until a motion lets two bodies overlap. Then planes are
laid between them at some moments of that flight, each carried by one of the bodies, which it touches, and the corners of the other
must lie beyond it. While two overlap, all planes look in nearly one direction of the world, that in which they have to move least
to be apart throughout. The problem is solved again from where it was; planes are added where bodies still overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tinkerdyne.sketch.flight import Hull
from tinkerdyne.sketch.guard import DEEP, SINK
from tinkerdyne.sketch.point import Plane, Point, states
from tinkerdyne.sketch.quaternion import matrices
from tinkerdyne.sketch.statement import Statement
from tinkerdyne.sketch.structure import Structure
from tinkerdyne.sketch.terms import Array

CLOSE = 65  # moments of a flight at which it is looked at
ALIKE = 0.5  # cosine of the angle that planes of one passage may lean from their common direction
NEWLY = 5  # planes that are laid at once in one passage
CROSSED = 1000  # pairs of edges beyond which their products are left out: such bodies are nearly round
STEPS = 40  # of Gilbert's method


@dataclass(frozen=True)
class Overlap:
    """A passage of one body through another: the pair and flight, the moments of it, and where it is deepest, how deep [m]."""

    pair: tuple[int, int]
    flight: int
    shares: Array
    share: float
    depth: float


@dataclass(frozen=True)
class Moving:
    """A hull at several moments: places (m, 3) and rotations (m, 3, 3), and its points in the world (m, n, 3)."""

    hull: Hull
    x: Array
    R: Array

    @property
    def points(self) -> Array:
        return np.asarray(self.x[:, None] + self.hull.points @ self.R.transpose(0, 2, 1))

    def __getitem__(self, which: Array | list[int]) -> Moving:
        return Moving(self.hull, self.x[which], self.R[which])


def motions(s: Statement, point: Point, f: int, b: int, share: Array) -> Moving:
    """The hull of a body along a flight [m]."""
    x, q, _, _ = states(s, point, f, b, share)
    return Moving(s.shapes[b].hull, x * s.units.length, matrices(q))


def overlaps(s: Statement, point: Point) -> list[Overlap]:
    """Every passage of a body through another that it is to be kept apart from, deeper than is allowed for."""
    out = []
    even = np.linspace(0, 1, CLOSE)
    for pair in s.pairs:
        for f in range(len(s.parts)):
            a, b = (motions(s, point, f, body, even) for body in pair)
            near = np.linalg.norm(a.x - b.x, axis=1) < a.hull.reach + b.hull.reach
            apart = np.full(CLOSE, np.inf)
            if near.any():
                apart[near] = separation(a[near], b[near])[0]
            deep = apart < -DEEP * SINK * s.units.length
            edges = np.flatnonzero(np.diff(np.concatenate([[False], deep, [False]])))
            for begin, end in edges.reshape(-1, 2):
                at = begin + int(apart[begin:end].argmin())
                out.append(Overlap(pair, f, even[begin:end], float(even[at]), float(-apart[at])))
    return out


def separation(a: Moving, b: Moving) -> tuple[Array, Array, Array]:
    """How far two hulls are apart along the best of their directions (m,) [m], that direction from a to b, and whether b has it."""
    ways, of_b = directions(a, b)
    far = along(a, b, ways)
    best = far.argmax(axis=1)
    every = np.arange(len(best))
    return far[every, best], ways[every, best], of_b[best]


def along(a: Moving, b: Moving, ways: Array) -> Array:
    """The room between two hulls along unit directions (m, k, 3) from a to b: negative where they overlap (m, k) [m]."""
    ends = (ways @ a.points.transpose(0, 2, 1)).max(axis=2)
    begins = (ways @ b.points.transpose(0, 2, 1)).min(axis=2)
    return np.asarray(begins - ends - a.hull.round - b.hull.round)


def directions(a: Moving, b: Moving) -> tuple[Array, Array]:
    """Directions from a to b that may separate them (m, k, 3), and which of them are normals of b's faces (k,)."""
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
    """The direction from the point of a to that of b that are nearest to each other (m, 3), by Gilbert's method."""
    A, B = a.points, b.points
    v = B.mean(axis=1) - A.mean(axis=1)
    every = np.arange(len(v))
    for _ in range(STEPS):
        w = B[every, (B @ v[:, :, None])[:, :, 0].argmin(axis=1)] - A[every, (A @ v[:, :, None])[:, :, 0].argmax(axis=1)]
        step = v - w
        share = (v * step).sum(axis=1) / np.maximum((step**2).sum(axis=1), 1e-30)
        v = v - np.clip(share, 0, 1)[:, None] * step
    size = np.linalg.norm(v, axis=1, keepdims=True)
    return np.where(size > 1e-9, v / np.maximum(size, 1e-9), (0.0, 0.0, 1.0))


# --- planes ---------------------------------------------------------------------------------------
def laid(s: Statement, structure: Structure, point: Point, found: list[Overlap]) -> Point:
    """The point with planes between bodies where they overlap; the newest stand first, the oldest fall out."""
    planes = [list(row) for row in point.planes] or [[idle(s, pair.corners)] * pair.planes for pair in structure.pairs]
    for one in found:
        f = one.flight
        shares = one.shares[np.unique(np.linspace(0, len(one.shares) - 1, NEWLY).round().astype(int))]
        a, b = (motions(s, point, f, body, shares) for body in one.pair)
        whole_a, whole_b = (motions(s, point, f, body, one.shares) for body in one.pair)
        common = _least(whole_a, whole_b, int(np.abs(one.shares - one.share).argmin()))
        ways, of_b = directions(a, b)
        far = np.where(ways @ common >= ALIKE, along(a, b, ways), -np.inf)
        best = far.argmax(axis=1)
        for m, share in enumerate(shares):
            k = min(int(share * s.parts[f]), s.parts[f] - 1)
            way = ways[m, best[m]] if np.isfinite(far[m, best[m]]) else common
            is_of_b = bool(of_b[best[m]]) and np.isfinite(far[m, best[m]])
            carrier, other, sign = (b, a, -1) if is_of_b else (a, b, 1)
            bodies = one.pair if is_of_b else one.pair[::-1]  # whose corners stay beyond, and who carries the plane
            at = next(
                i for i, p in enumerate(structure.pairs) if (p.segment, p.body, p.other) == (int(s.first[f]) + k, *bodies)
            )
            new = _plane(carrier[[m]], other[[m]], sign * way, float(share * s.parts[f] - k), structure.pairs[at].corners)
            planes[at] = [new, *planes[at]][: structure.pairs[at].planes]
    return replace(point, planes=planes)


def _least(a: Moving, b: Moving, deepest: int) -> Array:
    """Of the directions at the deepest moment of a passage that in which the bodies have to move least to be apart throughout."""
    ways, _ = directions(a[[deepest]], b[[deepest]])
    worst = along(a, b, np.repeat(ways, len(a.x), axis=0)).min(axis=0)
    return np.asarray(ways[0, int(worst.argmax())])


def _plane(carrier: Moving, other: Moving, way: Array, share: float, count: int) -> Plane:
    """The plane that touches a body, its normal outwards, and the corners of the other that lie lowest over it."""
    n = carrier.R[0].T @ way
    touch = carrier.hull.points[int((carrier.hull.points @ n).argmax())]
    lowest = np.argsort(other.hull.points @ (other.R[0].T @ way))[:count]
    return Plane(share, touch + (carrier.hull.round + other.hull.round) * n, n, other.hull.points[lowest])


def idle(s: Statement, count: int) -> Plane:
    """A plane so far below that it keeps nothing back."""
    n = np.array((0.0, 0.0, 1.0))
    return Plane(0.5, -1e3 * s.units.length * n, n, np.zeros((count, 3)))
