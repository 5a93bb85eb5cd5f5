"""Closed triangle surfaces of the round and square shapes, for pictures and for comparison with their closed
forms (R1)."""

from __future__ import annotations

import math

import numpy as np

from tinkerdyne.language.arrays import Array

DOT = 0.02  # m, the radius at which a particle is drawn


def revolved(profile: list[tuple[float, float]], segments: int) -> tuple[Array, Array]:
    """The closed surface that (x, radius) sweeps about the x axis, from one point on the axis to another."""
    angle = 2 * math.pi * np.arange(segments) / segments
    rings = [
        np.column_stack([np.full(segments, x), r * np.cos(angle), r * np.sin(angle)])
        for x, r in profile[1:-1]
    ]
    vertices = np.vstack([(profile[0][0], 0.0, 0.0), *rings, (profile[-1][0], 0.0, 0.0)])
    j = np.arange(segments)
    k, last = (j + 1) % segments, len(vertices) - 1
    low = 1 + segments * (len(rings) - 1)
    faces = [np.column_stack([0 * j, 1 + k, 1 + j])]
    for at in range(1, low, segments):
        faces += _quads(at + j, at + k, at + segments + k, at + segments + j)
    return vertices, np.vstack([*faces, np.column_stack([last + 0 * j, low + j, low + k])])


def arc(centre: float, radius: float, start: float, end: float, steps: int) -> list[tuple[float, float]]:
    """(x, r) along a circle about a point of the x axis, by its angle from +x."""
    angles = start + (end - start) * np.arange(steps + 1) / steps
    return [(centre + radius * math.cos(t), radius * math.sin(t)) for t in angles]


def torus(radius: float, thickness: float, segments: int) -> tuple[Array, Array]:
    """The surface ((R + r cos v) cos u, (R + r cos v) sin u, r sin v)."""
    u, v = (2 * math.pi * grid / segments for grid in np.divmod(np.arange(segments**2), segments))
    out = radius + thickness * np.cos(v)
    i, j = np.divmod(np.arange(segments**2), segments)
    k, l = (i + 1) % segments * segments, (j + 1) % segments
    i = i * segments
    return np.column_stack([out * np.cos(u), out * np.sin(u), thickness * np.sin(v)]), np.vstack(
        _quads(i + j, k + j, k + l, i + l)
    )


def cuboid(size: tuple[float, ...]) -> tuple[Array, Array]:
    """The surface of a box about the origin; vertex 4 i + 2 j + k is at the upper end in x (i), y (j), z
    (k)."""
    corners = np.array([(i, j, k) for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)])
    sides = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    return corners * size, np.vstack(_quads(*sides.T))


def _quads(a: Array, b: Array, c: Array, d: Array) -> list[Array]:
    return [np.column_stack([a, b, c]), np.column_stack([a, c, d])]


def circle(radius: float, segments: int) -> Array:
    """Corners of a regular polygon about the origin, counterclockwise."""
    angle = 2 * math.pi * np.arange(segments) / segments
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])
