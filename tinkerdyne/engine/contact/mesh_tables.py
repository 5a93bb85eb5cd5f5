"""Tables of hulls and meshes: faces with many corners, triangles with their neighbours, trees of bounds."""

from __future__ import annotations

import numpy as np

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact.detection_records import CORNERS, TreeNode, Triangle
from tinkerdyne.language.arrays import Array

FLAT = 1e-7  # sine between faces that are one, and between triangles that are level
MOST_CORNERS = CORNERS // 2  # of a face that is looked at; of one with more, as many are taken all around


def hull(points: Array) -> tuple[Array, list[list[int]]]:
    """(vertices, faces) of the convex hull; faces are loops of vertices, counterclockwise from outside."""
    from scipy.spatial import ConvexHull

    size = float(np.ptp(points, axis=0).max())
    made = ConvexHull(points)
    groups: list[tuple[Array, list[int]]] = []
    for k, equation in enumerate(made.equations):
        for known, members in groups:
            if np.abs(known[:3] - equation[:3]).max() < FLAT and abs(known[3] - equation[3]) < FLAT * size:
                members.append(k)
                break
        else:
            groups.append((equation, [k]))
    loops = [_loop(points, made.simplices[members].ravel(), plane[:3]) for plane, members in groups]
    used = np.unique(np.concatenate(loops))
    number = {int(v): k for k, v in enumerate(used)}
    return points[used], [[number[v] for v in loop] for loop in loops]


def _loop(points: Array, members: Array, normal: Array) -> list[int]:
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


def triangles(vertices: Array, faces: Array) -> Array:
    """Triangle rows: corners, which edges and corners are convex, and what lies across each edge."""
    faces = np.asarray(faces, np.int64)
    n = len(faces)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    across = np.full((n, 3), -1)
    sides: dict[tuple[int, int], tuple[int, int]] = {}
    for f, face in enumerate(faces.tolist()):
        for k in range(3):
            sides.setdefault((face[k], face[(k + 1) % 3]), (f, k))
    for (p, q), (f, k) in sides.items():
        across[f, k] = sides.get((q, p), (-1, 0))[0]
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
