"""Convex parts of a mesh: it is cut by planes until each part is nearly its hull.

What is cut open is closed again by a lid in the plane, so volumes of pieces are exact; of a part its hull is
kept.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number
from tinkerdyne.objects.mesh import integrals

MOST = 16  # parts, where nothing is said
ERROR = 0.02  # of the volume: what the hulls may have too much
LEVELS = (0.2, 0.35, 0.5, 0.65, 0.8)  # of a part's extent: where it may be cut
CORNERS = 12  # the sharpest hollow edges along whose faces it may be cut
FINE = 1000  # triangles: a mesh that has more is brought to a grid first, …
GRID = 50  # … of so many cells along the longest side
EVEN = 0.05  # what a difference in volume counts beside the excess
ACROSS = 0.1  # the same, where a piece is cut across a short way
ROUNDING = 1e-9  # of the size: what is that near to a plane lies on it
FLAT = 1e-12  # of size³: a part without volume


class Piece(NamedTuple):
    """A closed soup of triangles (n, 3, 3), its volume and that of its hull."""

    triangles: Array
    volume: float
    hull: float

    @property
    def excess(self) -> float:
        return self.hull - self.volume


def convex_parts(
    vertices: Array, faces: Array, *, most: int = MOST, error: float = ERROR
) -> list[tuple[Array, Array]]:
    """Convex meshes, (vertices, faces) each, that together are nearly a closed mesh.

    most: how many parts there may be. error: how much of the volume the parts may have too much."""
    number("error", error, positive=True)
    if most < 1:
        raise ValueError(f"a mesh has one convex part or more, not {most}")
    places, corners = np.asarray(vertices, float), np.asarray(faces, int)
    size = float(np.ptp(places, axis=0).max())
    if len(corners) > FINE:
        places, corners = _coarser(places, corners, size / GRID)
    whole = _piece((places - places.mean(axis=0))[corners], np.zeros((0, 2, 3)), size)
    if whole is None:
        raise ValueError("the mesh encloses no volume, so it has no convex parts")
    pieces, done = [whole], list[Piece]()
    while pieces and len(pieces) + len(done) < most:
        if sum(one.excess for one in (*pieces, *done)) <= error * whole.volume:
            break
        pieces.sort(key=lambda one: one.excess)
        worst = pieces.pop()
        halves = _divided(worst, size)
        if halves:
            pieces += halves
        else:
            done.append(worst)
    return [hull_of(one.triangles.reshape(-1, 3) + places.mean(axis=0)) for one in (*done, *pieces)]


def _coarser(vertices: Array, faces: Array, cell: float) -> tuple[Array, Array]:
    """The mesh with its vertices on a grid, so that small faces are gone; it stays closed."""
    places, which = np.unique(np.round(vertices / cell) * cell, axis=0, return_inverse=True)
    faces = which.ravel()[faces]
    kept = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return places, faces[kept]


def hull_of(points: Array) -> tuple[Array, Array]:
    """The convex hull of places, its faces looking outwards."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        raise ValueError(f"its {len(points)} vertices lie in a plane, so they have no convex hull") from None
    faces = hull.simplices.copy()
    a, b, c = (points[faces[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, ::-1]
    used, faces = np.unique(faces, return_inverse=True)
    return points[used], faces.reshape(-1, 3)


def _piece(triangles: Array, rim: Array, size: float) -> Piece | None:
    """A piece that has been measured, open where its rim runs round a lid; None where it is flat."""
    from scipy.spatial import ConvexHull, QhullError

    if not len(triangles):
        return None
    # A fan may cross itself, and is as large as the lid all the same; its tip is no place of the piece.
    tip = np.broadcast_to(triangles[0, 0] if not len(rim) else rim[0, 0], (len(rim), 3))
    fan = np.stack([rim[:, 1], rim[:, 0], tip], axis=1)
    flat = np.concatenate([triangles, fan]).reshape(-1, 3)
    volume = integrals(flat, np.arange(len(flat)).reshape(-1, 3))[0]
    if volume < FLAT * size**3:
        return None
    try:
        return Piece(triangles, volume, float(ConvexHull(triangles.reshape(-1, 3)).volume))
    except QhullError:
        return None


def _divided(piece: Piece, size: float) -> list[Piece]:
    """Both sides of the plane whose hulls have the least in excess; of planes that are alike, of that which
    halves. The first cut through a ring gains nothing, and is made all the same."""
    best, least = list[tuple[Piece, Array, Array]](), np.inf
    for normal, level in _planes(piece.triangles, size):
        found = list[tuple[Piece, Array, Array]]()
        for s in (1.0, -1.0):
            opened, rim = cut(piece.triangles, s * normal, s * level, size)
            half = _piece(opened, rim, size)
            found += [] if half is None else [(half, rim, s * normal)]
        if len(found) < 2:
            continue
        a, b = found[0][0], found[1][0]
        thin = 1 - float(np.ptp(piece.triangles.reshape(-1, 3) @ normal)) / size
        costs = a.excess + b.excess + EVEN * abs(a.volume - b.volume) + ACROSS * piece.excess * thin
        if costs < least:
            best, least = found, costs
    return [
        half._replace(triangles=np.concatenate([half.triangles, lid(rim, normal, size)]))
        for half, rim, normal in best
    ]


def _planes(triangles: Array, size: float) -> list[tuple[Array, float]]:
    """Planes to try: across the principal axes and those of the world, and along faces at hollow edges."""
    middles = triangles.mean(axis=1)
    _, axes = np.linalg.eigh(np.cov(middles.T))
    found = []
    for normal in (*np.eye(3), *axes.T):
        along = triangles.reshape(-1, 3) @ normal
        found += [(normal, float(along.min() + share * np.ptp(along))) for share in LEVELS]
    return found + _along_hollows(triangles, size)


def _along_hollows(triangles: Array, size: float) -> list[tuple[Array, float]]:
    """The planes of faces behind which something of the piece lies outside of them, the deepest first."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    kept = areas > 1e-12 * size**2
    normals, levels = normals[kept] / areas[kept, None], triangles[kept, 0]
    rows = np.round(np.column_stack([normals, np.einsum("ij,ij->i", normals, levels) / size]), 6)
    planes, first, count = np.unique(rows, axis=0, return_index=True, return_counts=True)
    order = np.argsort(-count * areas[kept][first], kind="stable")[: 4 * CORNERS]
    points = triangles.reshape(-1, 3)
    found = []
    for k in order:
        normal, level = planes[k, :3] / np.linalg.norm(planes[k, :3]), planes[k, 3] * size
        outside = float((points @ normal).max() - level)
        if outside > 1e-3 * size:
            found.append((outside, normal, float(level)))
    found.sort(key=lambda one: -one[0])
    return [(normal, level) for _, normal, level in found[:CORNERS]]


def cut(triangles: Array, normal: Array, level: float, size: float) -> tuple[Array, Array]:
    """What of a closed soup of triangles lies where normal · x ≤ level, and its rim (n, 2, 3), which runs as
    its triangles do."""
    height = triangles @ normal - level
    height[abs(height) < ROUNDING * size] = 0.0
    below = height <= 0
    inside = below.all(axis=1) & (height < 0).any(axis=1)
    crossing = (height < 0).any(axis=1) & ~below.all(axis=1)
    out, rim = [triangles[inside]], list[Array]()
    for count in (1, 2):  # corners that stay; the one that is alone comes first
        some = crossing & (below.sum(axis=1) == count)
        alone = (below if count == 1 else ~below)[some].argmax(axis=1)
        turn = (alone[:, None] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(triangles[some], turn[..., None], axis=1).transpose(1, 0, 2)
        ha, hb, hc = np.take_along_axis(height[some], turn, axis=1).T
        p, q = _met(a, b, ha, hb), _met(a, c, ha, hc)
        if count == 1:
            out.append(np.stack([a, p, q], axis=1))
            rim.append(np.stack([p, q], axis=1))
        else:
            out += [np.stack([p, b, c], axis=1), np.stack([p, c, q], axis=1)]
            rim.append(np.stack([q, p], axis=1))
    for k in range(3):  # whole edges in the plane: what was beyond them is gone
        lies = inside & (height[:, k] == 0) & (height[:, (k + 1) % 3] == 0)
        rim.append(triangles[lies][:, [k, (k + 1) % 3]])
    return np.concatenate(out), np.concatenate(rim)


def lid(rim: Array, normal: Array, size: float) -> Array:
    """The triangles in a plane that close what has a rim there, slab by slab; they look along the normal."""
    lead = np.eye(3)[int(np.abs(normal).argmin())]
    x = np.cross(normal, lead)
    x /= np.linalg.norm(x)
    y = np.cross(normal, x)
    if not len(rim):
        return np.zeros((0, 3, 3))
    level, u, v = float(rim[0, 0] @ normal), rim @ x, rim @ y
    stops = np.unique(u)
    stops = stops[np.diff(stops, prepend=-np.inf) > ROUNDING * size]
    low, high = u.min(axis=1), u.max(axis=1)
    out = []
    for a, b in itertools.pairwise(stops):
        k = np.flatnonzero((low <= a + ROUNDING * size) & (high >= b - ROUNDING * size) & (high > low))
        slope = (v[k, 1] - v[k, 0]) / (u[k, 1] - u[k, 0])
        ends = [v[k, 0] + slope * (stop - u[k, 0]) for stop in (a, b)]
        order = np.argsort(ends[0] + ends[1], kind="stable")
        # The rim runs clockwise round its lid: below it goes to the left.
        depth = np.cumsum(np.sign(u[k, 0] - u[k, 1])[order])
        for m in np.flatnonzero(depth[:-1] != 0):
            below, above = order[m], order[m + 1]
            corners = [(a, ends[0][below]), (b, ends[1][below]), (b, ends[1][above]), (a, ends[0][above])]
            four = np.array([level * normal + p * x + q * y for p, q in corners])
            out += [four[[0, 1, 2]], four[[0, 2, 3]]]
    return np.array(out).reshape(-1, 3, 3)


def _met(a: Array, b: Array, ha: Array, hb: Array) -> Array:
    """Where edges meet the plane; from the lower end in both triangles of an edge, to get the same bits."""
    swapped = (ha > hb)[:, None]
    low, high = np.where(swapped, b, a), np.where(swapped, a, b)
    hl, hh = np.minimum(ha, hb), np.maximum(ha, hb)
    return np.asarray(low + (high - low) * (hl / (hl - hh))[:, None])


__all__ = ["convex_parts", "cut", "hull_of", "lid"]
