"""Surfaces on a plane: the corners, lines and rims that lie within the margin above it."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Core, Corner, Placed, Work
from tinkerdyne.engine.contact.patches import add_point
from tinkerdyne.engine.contact.support import STILL, face_of, furthest_vertex
from tinkerdyne.engine.contact.vectors import dot, put, put_sum, turn


@inlined
def on_plane(W: Work, A: Placed, B: Placed, x: Floats, feature: float) -> None:
    """Add a point of a where it is near the plane b; W.normal looks into the plane."""
    height = dot(W.normal, B.centre) - dot(W.normal, x)
    put_sum(W.xa, x, 0.0, W.normal)
    put_sum(W.xb, x, height, W.normal)
    add_point(W, A, B, W.xa, W.xb, height, feature)


@inlined
def ring_on_plane(W: Work, A: Placed, B: Placed) -> None:
    """The lowest point of a ring, and those at quarters of a turn from it."""
    x = dot(A.axes, W.normal)
    y = dot(at(A.axes, 3), W.normal)
    r = math.sqrt(x * x + y * y)
    cos = x / r if r > STILL else 1.0
    sin = y / r if r > STILL else 0.0
    for k in range(4):
        turn(A.axes, A.extent[0] * cos, A.extent[0] * sin, 0.0, W.v)
        put_sum(W.v, W.v, 1.0, A.centre)
        on_plane(W, A, B, W.v, float(k))
        turned = -sin
        sin = cos
        cos = turned


@compiled
def plane_pair(D: Ints, F: Floats, W: Work, A: Placed, B: Placed) -> None:
    """Any core but a mesh against a plane."""
    put(W.normal, -B.axes[6], -B.axes[7], -B.axes[8])
    kind = int(A.kind)
    if kind == Core.CIRCLE:
        ring_on_plane(W, A, B)
        return
    if kind == Core.POLYGON:
        for k in range(int(A.n_vertices)):
            put_sum(W.v, A.centre, 1.0, at(F, int(A.vertices) + 3 * k))
            on_plane(W, A, B, W.v, float(k))
        return
    n = face_of(D, F, A, W.normal, W.facing, W.first)
    lowest = -1
    if kind == Core.HULL:  # a spike may reach lower than the face that looks down most
        lowest = furthest_vertex(F, A, W.normal[0], W.normal[1], W.normal[2])
    for k in range(n):
        corner = Corner(at(W.first, k * Corner.size))
        on_plane(W, A, B, corner.x, corner.feature)
        if int(corner.feature) == lowest:
            lowest = -1
    if lowest >= 0:
        put_sum(W.v, A.centre, 1.0, at(F, int(A.vertices) + 3 * lowest))
        on_plane(W, A, B, W.v, float(lowest))
