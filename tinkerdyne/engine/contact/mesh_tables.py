"""Tables of hulls and meshes: faces with many corners, triangles with their neighbours, trees of bounds."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact.detection_records import CORNERS, TreeNode, Triangle
from tinkerdyne.language.arrays import Array

Made = TypeVar("Made")

KEPT = 512  # tables that are remembered, of each sort
FLAT = 1e-7  # sine between faces that are one, and between triangles that are level
MOST_CORNERS = CORNERS // 2  # of a face that is looked at; of one with more, as many are taken all around


def remembered(make: Callable[..., Made]) -> Callable[..., Made]:
    """Remember the tables of the last hulls and meshes: a world that is laid out anew has the same ones."""
    kept: dict[tuple[bytes, ...], Made] = {}

    @functools.wraps(make)
    def call(*arrays: Array) -> Made:
        key = tuple(np.ascontiguousarray(array).tobytes() for array in arrays)
        if key not in kept:
            while len(kept) >= KEPT:
                del kept[next(iter(kept))]
            kept[key] = make(*arrays)
        return kept[key]

    return call


@remembered
def hull(points: Array) -> tuple[Array, list[list[int]]]:
    """(vertices, faces) of the convex hull; faces are loops of vertices, counterclockwise from outside."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import ConvexHull

    made = ConvexHull(points)
    n, beside = len(made.simplices), np.asarray(made.neighbors)
    normal = made.equations[:, :3]
    level = np.abs(normal[:, None] - normal[beside]).max(axis=2) < FLAT
    here, k = np.nonzero(level)
    _, group = connected_components(coo_matrix((np.ones(len(here)), (here, beside[here, k])), (n, n)))
    loops = [
        _loop(points, made.simplices[group == g], normal[np.argmax(group == g)])
        for g in range(group.max() + 1)
    ]
    used = np.unique(np.concatenate(loops))
    number = {int(v): k for k, v in enumerate(used)}
    return points[used], [[number[v] for v in loop] for loop in loops]


def _loop(points: Array, members: Array, normal: Array) -> list[int]:
    """The corners of some triangles that are one face, around its normal."""
    if len(members) == 1:
        a, b, c = members[0].tolist()
        is_right = np.linalg.det([points[b] - points[a], points[c] - points[a], normal]) > 0
        return [a, b, c] if is_right else [a, c, b]
    corners = np.unique(members)
    p = points[corners] - points[corners].mean(axis=0)
    u = p[0] - (p[0] @ normal) * normal
    v = np.cross(normal, u)
    loop = corners[np.argsort(np.arctan2(p @ v, p @ u), kind="stable")]
    if len(loop) > MOST_CORNERS:
        loop = loop[np.linspace(0, len(loop), MOST_CORNERS, endpoint=False).astype(int)]
    return [int(k) for k in loop]


def normals(vertices: Array, loops: list[list[int]]) -> Array:
    """The unit normals of faces, by three corners of each that stand wide apart."""
    a, b, c = (vertices[[loop[k * len(loop) // 3] for loop in loops]] for k in range(3))
    found = np.cross(b - a, c - a)
    return np.asarray(found / np.linalg.norm(found, axis=1)[:, None])


def _across(faces: Array, count: int) -> Array:
    """The triangle beyond each edge: the one that runs through it the other way, or −1."""
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    order = np.argsort(start * count + end, kind="stable")
    known, wanted = (start * count + end)[order], end * count + start
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[place] == wanted, order[place] // 3, -1).reshape(-1, 3)


@remembered
def triangles(vertices: Array, faces: Array) -> Array:
    """Triangle rows: corners, which edges and corners are convex, and what lies across each edge."""
    faces = np.asarray(faces, np.int64)
    n = len(faces)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    across = _across(faces, len(vertices))
    convex = np.ones((n, 3), np.int64)
    for k in range(3):
        there = across[:, k]
        shared = there >= 0
        other = faces[there[shared]]
        ends = faces[shared, k] + faces[shared, (k + 1) % 3]
        opposite = vertices[other.sum(axis=1) - ends]
        way = opposite - vertices[faces[shared, k]]
        height = np.einsum("ij,ij->i", way, normals[shared])
        slope = height / np.linalg.norm(way, axis=1)
        convex[shared, k] = np.where(slope < -FLAT, 1, np.where(slope > FLAT, -1, 0))
    least, most = np.ones(len(vertices), np.int64), np.full(len(vertices), -1)
    for k in range(3):
        for corner in (faces[:, k], faces[:, (k + 1) % 3]):
            np.minimum.at(least, corner, convex[:, k])
            np.maximum.at(most, corner, convex[:, k])
    tips = ((least >= 0) & (most > 0)).astype(np.int64)
    rows = np.zeros((n, Triangle.size), np.int64)
    for name, table in (("corners", faces), ("edges", convex), ("tips", tips[faces]), ("across", across)):
        first = place_of(Triangle, name)
        rows[:, first : first + 3] = table
    return rows


@remembered
def tree(vertices: Array, faces: Array) -> tuple[Array, Array]:
    """TreeNode rows in which a node's first child follows it, and their bounds; halves by the middle of the
    longest side."""
    corners = vertices[np.asarray(faces)]
    low, high = corners.min(axis=1), corners.max(axis=1)
    middle = (low + high) / 2
    count = 2 * len(faces) - 1
    nodes = np.zeros((count, TreeNode.size), np.int64)
    bounds = np.zeros((count, 6))
    waiting: list[tuple[int, Array]] = [(0, np.arange(len(faces)))]
    while waiting:
        node, members = waiting.pop()
        bounds[node] = *low[members].min(axis=0), *high[members].max(axis=0)
        nodes[node, place_of(TreeNode, "skip")] = node + 2 * len(members) - 1
        nodes[node, place_of(TreeNode, "triangle")] = members[0] if len(members) == 1 else -1
        if len(members) > 1:
            axis = int(np.ptp(middle[members], axis=0).argmax())
            ranked = members[np.argsort(middle[members, axis], kind="stable")]
            half = len(ranked) // 2
            waiting.append((node + 1, ranked[:half]))
            waiting.append((node + 2 * half, ranked[half:]))
    return nodes, bounds
