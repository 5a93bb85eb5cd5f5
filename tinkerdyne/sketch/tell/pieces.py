"""Pieces: convex parts of which a body consists as far as others bump into it (M1).

A convex body is one piece, the hull of its points. A compound has the pieces of its parts. Of a mesh that is
hollow, such as a hat or a mug, the pieces are the faces of its surface: what lies on both sides of one of
them passes through the body's wall.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.compound import Compound, whole
from tinkerdyne.objects.mesh import by_identity, polyhedron
from tinkerdyne.objects.shapes import Mesh
from tinkerdyne.sketch.tell.hull import Hull, hull_of
from tinkerdyne.sketch.tell.shape import SIDES, FlightBody, shape_of
from tinkerdyne.sketch.tell.tips import Tips, joined

FULL = 0.98  # share of its hull's volume from which on a mesh counts as convex
FLAT = 1e-6  # of a mesh's size: how far a point of a face may lie off its plane
MERGED = 2000  # triangles up to which those in one plane are joined


@dataclass(frozen=True)
class HullTable:
    """Hulls in the principal axes of one body, with all their normals in one table, so that most are soon
    seen to be far."""

    hulls: tuple[Hull, ...]

    def __len__(self) -> int:
        return len(self.hulls)

    def __getitem__(self, i: int) -> Hull:
        return self.hulls[i]

    @property
    def is_hollow(self) -> bool:
        return len(self.hulls) > 1

    @functools.cached_property
    def reach(self) -> float:
        """Of the furthest point of all [m]."""
        return max(hull.reach for hull in self.hulls)

    @functools.cached_property
    def thinnest(self) -> float:
        """The width of the thinnest piece [m]."""
        return min(_width(hull) for hull in self.hulls)

    @functools.cached_property
    def fronts(self) -> tuple[Array, Array, Array]:
        """Normals of all faces of all pieces (k, 3), how far out each face lies (k,) [m], and where each
        piece's begin (n,)."""
        rows = [hull.normals if len(hull.normals) else np.eye(3)[:1] for hull in self.hulls]
        far = [
            hull.tips.extents(n).max(axis=-1) + hull.round for hull, n in zip(self.hulls, rows, strict=True)
        ]
        return np.concatenate(rows), np.concatenate(far), np.cumsum([0, *map(len, rows[:-1])])

    @functools.cached_property
    def tips(self) -> tuple[Tips, Array]:
        """The tips of all pieces, and where each piece's begin (n,)."""
        starts = np.cumsum([0, *(len(h.tips) for h in self.hulls[:-1])])
        return joined([hull.tips for hull in self.hulls]), starts

    @property
    def round(self) -> float:
        return max(hull.round for hull in self.hulls)


def _width(hull: Hull) -> float:
    """Of a piece, where it is thinnest [m]."""
    if not len(hull.normals):
        return 2 * hull.round
    most, least = (sign * hull.tips.extents(sign * hull.normals).max(axis=-1) for sign in (1, -1))
    return float((most - least).min()) + 2 * hull.round


def pieces_of(item: Item, shape: FlightBody) -> HullTable:
    """The convex pieces of a body, in its principal axes."""
    if item.type is Mesh:
        made: HullTable | None = _meshed("mesh", item.values["vertices"], item.values["faces"])(
            tuple(shape.axes.ravel().tolist())
        )
        return made or HullTable((shape.hull,))
    sets = _parts(item)
    return HullTable((shape.hull,)) if len(sets) == 1 else _hulled(sets, shape.axes)


def _hulled(sets: list[Tips], axes: Array) -> HullTable:
    return HullTable(tuple(hull_of(tips.within(axes), SIDES) for tips in sets))


@by_identity
def _meshed(who: str, given: Any, triangles: Any) -> Any:
    """The pieces of a mesh, none where it is convex, as a function of its principal axes that remembers
    them."""
    sets = [_points(points) for points in _faces(who, given, triangles)]
    return functools.lru_cache(maxsize=2)(
        lambda axes: _hulled(sets, np.reshape(axes, (3, 3))) if len(sets) > 1 else None
    )


def _parts(item: Item) -> list[Tips]:
    """The tips of each piece in the body's axes."""
    if item.type is Mesh:
        return [_points(points) for points in _faces("mesh", item.values["vertices"], item.values["faces"])]
    if item.type is Compound:
        parts = whole("compound", item.values["shapes"]).parts
        return [tips.moved(R, d) for _, part, R, d in parts for tips in _parts(part)]
    return [shape_of(item).tips]


def _points(places: Array) -> Tips:
    return Tips(places, np.zeros_like(places), np.zeros(len(places)))


@by_identity
def _faces(who: str, given: Any, triangles: Any) -> tuple[Array, ...]:
    """The points of a mesh that is convex, else of each of its flat faces; triangles that are convex together
    are joined."""
    solid, vertices, faces = polyhedron(who, given, triangles)
    if solid.volume > FULL * ConvexHull(vertices).volume:
        return (vertices,)
    groups = [[tuple(face)] for face in faces.tolist()]
    if len(groups) <= MERGED:
        groups = _joined(vertices, groups)
    return tuple(vertices[sorted({k for face in group for k in face})] for group in groups)


def _joined(vertices: Array, groups: list[list[tuple[int, ...]]]) -> list[list[tuple[int, ...]]]:
    """Neighbours in one plane that are convex together, joined as long as there are any."""
    corners = np.array([vertices[list(group[0])] for group in groups])
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(across, axis=1) / 2
    normal = across / (2 * area[:, None])
    size = float(np.ptp(vertices, axis=0).max())
    owner: dict[tuple[int, int], int] = {}
    whose = list(range(len(groups)))

    def of(k: int) -> int:
        while whose[k] != k:
            k = whose[k]
        return k

    for k, group in enumerate(groups):
        for i in range(3):
            owner[group[0][i], group[0][(i + 1) % 3]] = k
    is_merging = True
    while is_merging:
        is_merging = False
        for (i, j), k in owner.items():
            a, b = of(k), of(owner[j, i])
            if a == b or normal[a] @ normal[b] < 1 - FLAT:
                continue
            points = vertices[sorted({v for face in groups[a] + groups[b] for v in face})]
            if np.abs((points - points[0]) @ normal[a]).max() > FLAT * size:
                continue
            along = np.linalg.svd(normal[a][None])[2][1:]
            if ConvexHull(points @ along.T).volume > (1 + FLAT) * (area[a] + area[b]):
                continue
            groups[a] += groups[b]
            area[a] += area[b]
            whose[b] = a
            is_merging = True
    return [group for k, group in enumerate(groups) if of(k) == k]


__all__ = ["HullTable", "pieces_of"]
