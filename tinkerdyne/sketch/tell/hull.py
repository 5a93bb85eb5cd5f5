"""Convex hulls: their faces, edges and furthest points, and how far a place lies outside."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.disturb import rounded
from tinkerdyne.sketch.tell.tips import Tips

MOST_POINTS = 48  # of a hull, of which faces and edges are taken as directions that may separate


@dataclass(frozen=True)
class Hull:
    """A body as far as others bump into it, in principal axes: the convex hull of its tips, all with balls of
    one size [m], and directions that may part it from another."""

    tips: Tips
    normals: Array  # (m, 3), of its faces, outwards
    edges: Array  # (k, 3), their directions

    @property
    def points(self) -> Array:
        return self.tips.places

    @property
    def round(self) -> float:
        return float(self.tips.balls[0])

    @functools.cached_property
    def reach(self) -> float:
        """Of its furthest point [m]."""
        return self.tips.reach

    @functools.cached_property
    def is_polyhedron(self) -> bool:
        """Whether its faces and edges are all that it has."""
        is_sharp = not self.tips.has_rims and self.round == 0
        return is_sharp and len(self.normals) > 0 and len(self.points) <= MOST_POINTS


def hull_of(tips: Tips, sides: int) -> Hull:
    """The hull of tips in principal axes, with the faces and edges of a polyhedron that is like it."""
    points = tips.sides(sides)
    ball = float(tips.balls.max())
    evened = Tips(tips.places, tips.rims, np.full(len(tips), ball)) if np.ptp(tips.balls) else tips
    return Hull(evened, *faces_and_edges(outermost(points, min(len(points), MOST_POINTS))))


def distance(points: Array, place: Array) -> float:
    """From a place to the convex hull of points (n, 3) [m]."""
    from scipy.optimize import nnls

    size = float(np.abs(points - place).max()) or 1.0
    heavy = 1e4  # of the row that makes the weights add up to one
    rows = np.concatenate([(points - place).T / size, np.full((1, len(points)), heavy)])
    weights, _ = nnls(rows, np.array([0.0, 0.0, 0.0, heavy]), maxiter=50 * len(points))
    return float(np.linalg.norm((points - place).T @ weights))


def outermost(corners: Array, count: int) -> Array:
    """So many corners, far from each other."""
    return np.asarray(corners[far_apart(corners, count)])


def far_apart(corners: Array, count: int) -> Array:
    """The numbers of so many corners, far from each other."""
    if len(corners) == count:
        return np.arange(count)
    places = rounded(corners)  # of corners as far as each other the last digits choose
    chosen = [int(np.linalg.norm(places, axis=1).argmax())]
    near = np.linalg.norm(places - places[chosen[0]], axis=1)
    while len(chosen) < count:
        chosen.append(int(near.argmax()))
        near = np.minimum(near, np.linalg.norm(places - places[chosen[-1]], axis=1))
    return np.array(chosen)


def faces_and_edges(points: Array) -> tuple[Array, Array]:
    """The outward normals of the faces of a hull, and the directions of its edges; of what is flat or a line
    as well."""
    from scipy.spatial import ConvexHull

    none, points = np.zeros((0, 3)), rounded(points)
    _, sizes, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=True)
    rank = int((sizes > 1e-9 * max(float(np.abs(points).max()), 1e-9)).sum())
    if rank < 2:
        return none, axes[:rank]
    hull = ConvexHull(points if rank == 3 else points @ axes[:2].T)
    normals, edges = hull.equations[:, :-1], []
    if rank == 2:
        normals = normals @ axes[:2]
        edges = [np.cross(axes[2], n) for n in normals]
        normals = np.concatenate([normals, axes[[2]], -axes[[2]]])
    else:
        for simplex, others in zip(range(len(normals)), hull.neighbors, strict=True):
            for i, other in enumerate(others):
                if normals[simplex] @ normals[other] < 1 - 1e-9:
                    p, q = np.delete(hull.simplices[simplex], i)
                    edges.append(points[q] - points[p])
    turned = [e / np.linalg.norm(e) * (1 if e[int(np.abs(e).argmax())] > 0 else -1) for e in edges]
    return _distinct(normals), _distinct(np.array(turned))


def _distinct(rows: Array) -> Array:
    _, which = np.unique(np.round(rows, 6) + 0.0, axis=0, return_index=True)
    return np.asarray(rows[np.sort(which)])
