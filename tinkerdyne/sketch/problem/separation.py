"""Separation: how far convex hulls are apart, or how deep they lie in each other (M1).

Two convex bodies are apart when a plane has one on each side of it; of the normals of their faces and the
products of their edges one will do (the separating axis theorem).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.tell.hull import Hull
from tinkerdyne.sketch.tell.pieces import HullTable

CROSSED = 1000  # pairs of edges beyond which their products are left out: such bodies are nearly round
FAR = 1.5  # of the reach of two bodies: further off, that is all that is asked
STEPS = 40  # of Gilbert's method
SETTLED = 1e-9  # of a step that is still to be taken


@dataclass(frozen=True)
class Moving:
    """A hull at several moments: places (m, 3) and rotations (m, 3, 3), and the middles of its tips in the
    world (m, n, 3)."""

    hull: Hull
    x: Array
    R: Array

    @property
    def points(self) -> Array:
        return np.asarray(self.x[:, None] + self.hull.points @ self.R.transpose(0, 2, 1))

    def reach(self, ways: Array) -> Array:
        """How far it reaches along unit directions of the world (m, k, 3) from the origin: (m, k) [m]."""
        own = ways @ self.R
        most = self.hull.tips.most(own) + self.hull.round
        return np.asarray(most + (ways @ self.x[:, :, None])[:, :, 0])

    def furthest(self, ways: Array) -> Array:
        """The point of its core that is furthest along directions of the world (m, 3): (m, 3) [m]."""
        own = (ways[:, None] @ self.R)[:, 0]
        tips = self.hull.tips
        if tips.has_rims:
            size = np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-300)
            which = tips.extents(own / size).argmax(axis=1)
            rim, radius = tips.rims[which], tips.radii[which][:, None]
            along = (own * rim).sum(axis=1, keepdims=True) / np.maximum(radius, 1e-30) ** 2
            across = np.where(radius > 0, own - along * rim, 0.0)
            length = np.linalg.norm(across, axis=1, keepdims=True)
            out = tips.places[which] + radius * across / np.maximum(length, 1e-300)
        else:
            out = tips.places[tips.extents(own).argmax(axis=1)]
        return np.asarray(self.x + (self.R @ out[:, :, None])[:, :, 0])

    def __getitem__(self, which: Array | list[int]) -> Moving:
        return Moving(self.hull, self.x[which], self.R[which])


def deep_pieces(
    A: HullTable, B: HullTable, a: Moving, b: Moving, allowed: float
) -> dict[tuple[int, int], Array]:
    """How deep pieces of two bodies lie in each other at each moment (m,) [m], of those that do; 0 where that
    is allowed."""
    out = {}
    least = rooms(A, B, a, b)
    for i, j in np.argwhere((least < -allowed).any(axis=0)).tolist():
        at = np.flatnonzero(least[:, i, j] < -allowed)
        apart = overlap(Moving(A[i], a.x[at], a.R[at]), Moving(B[j], b.x[at], b.R[at]))
        if (apart < -allowed).any():
            out[i, j] = np.zeros(len(a.x))
            out[i, j][at] = np.where(apart < -allowed, -apart, 0.0)
    return out


def rooms(A: HullTable, B: HullTable, a: Moving, b: Moving) -> Array:
    """How far pieces of two bodies are apart at least, at each moment (m, len(A), len(B)) [m]: by how far
    they reach, and where that is not far, along the faces of either."""
    if len(A) > len(B):
        return rooms(B, A, b, a).transpose(0, 2, 1)
    off = np.linalg.norm(a.x - b.x, axis=1)
    one, two = (np.array([hull.reach for hull in body.hulls]) for body in (A, B))
    out = off[:, None, None] - one[:, None] - two
    near = np.flatnonzero(off < FAR * (A.reach + B.reach))
    if len(near):
        a, b = a[near], b[near]
        normals, far, first = B.fronts
        ways = normals @ b.R.transpose(0, 2, 1)  # in the world
        outside = (ways @ b.x[:, :, None])[:, :, 0] + far
        for i, hull in enumerate(A.hulls):
            reach = Moving(hull, a.x, a.R).reach(-ways)
            room = np.maximum.reduceat(-reach - outside, first, axis=1)
            if len(hull.normals):  # along the faces of the one, too
                room = np.maximum(room, _along_faces(hull, B, a, b))
            out[near, i] = np.maximum(out[near, i], room)
    return np.asarray(out)


def _along_faces(hull: Hull, B: HullTable, a: Moving, b: Moving) -> Array:
    """How far a piece of the one is apart from those of another along its own faces, at least (m, len(B))
    [m]."""
    tips, starts = B.tips
    ways = hull.normals @ (b.R.transpose(0, 2, 1) @ a.R).transpose(0, 2, 1)
    begins = np.minimum.reduceat(-tips.extents(-ways), starts, axis=2) - B.round
    middle = ((a.x - b.x)[:, None] @ b.R @ ways.transpose(0, 2, 1))[:, 0]
    ends = middle + hull.tips.most(hull.normals) + hull.round
    return np.asarray((begins - ends[:, :, None]).max(axis=1))


def overlap(a: Moving, b: Moving) -> Array:
    """How far two hulls are apart along the best of their directions (m,) [m]: where they overlap, exactly,
    and at least where they do not. For polyhedra faces and edges suffice."""
    faces, crossed = _ways(a, b)
    ways = [*faces, crossed, -crossed]
    if not (a.hull.is_polyhedron and b.hull.is_polyhedron and crossed.shape[1]):
        ways.append(nearest(a, b)[:, None])
    return np.asarray(along(a, b, np.concatenate(ways, axis=1)).max(axis=1))


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
    return -b.reach(-ways) - a.reach(ways)


def directions(a: Moving, b: Moving) -> tuple[Array, Array]:
    """Directions from a to b that may separate them (m, k, 3), and which of them are normals of b's faces
    (k,)."""
    faces, crossed = _ways(a, b)
    ways = np.concatenate([*faces, crossed, -crossed, nearest(a, b)[:, None]], axis=1)
    of_b = np.zeros(ways.shape[1], bool)
    of_b[faces[0].shape[1] : faces[0].shape[1] + faces[1].shape[1]] = True
    return ways, of_b


def _ways(a: Moving, b: Moving) -> tuple[tuple[Array, Array], Array]:
    """The normals of the faces of both, and the products of their edges (m, k, 3), which are left out where
    there are many; of those that are parallel z stands."""
    faces = a.hull.normals @ a.R.transpose(0, 2, 1), -b.hull.normals @ b.R.transpose(0, 2, 1)
    has_few = len(a.hull.edges) * len(b.hull.edges) <= CROSSED
    one, two = ((m.hull.edges if has_few else m.hull.edges[:0]) @ m.R.transpose(0, 2, 1) for m in (a, b))
    crossed = np.cross(one[:, :, None], two[:, None]).reshape(len(a.x), -1, 3)
    size = np.linalg.norm(crossed, axis=2, keepdims=True)
    return faces, np.where(size > 1e-6, crossed / np.maximum(size, 1e-6), (0.0, 0.0, 1.0))


def nearest(a: Moving, b: Moving) -> Array:
    """The direction from the point of a to that of b that are nearest to each other (m, 3), by Gilbert's
    method."""
    v = b.points.mean(axis=1) - a.points.mean(axis=1)
    for _ in range(STEPS):
        step = v - b.furthest(-v) + a.furthest(v)
        share = (v * step).sum(axis=1) / np.maximum((step**2).sum(axis=1), 1e-30)
        if (share <= SETTLED).all():
            break
        v = v - np.minimum(np.maximum(share, 0), 1)[:, None] * step
    size = np.linalg.norm(v, axis=1, keepdims=True)
    return np.where(size > 1e-9, v / np.maximum(size, 1e-9), (0.0, 0.0, 1.0))
