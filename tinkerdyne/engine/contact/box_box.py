"""Two boxes: the axis of fifteen along which they are furthest apart (or overlap least)."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.detection_records import Placed, Work
from tinkerdyne.engine.contact.vectors import along, dot, put, put_cross, put_sum

FACES_FIRST = 1e-8  # of the size: an axis across two edges must be better than a face by this
NEARLY_FACE = 1e-2  # of the size: a face by so much worse than an axis across two edges is looked at too
NO_AXIS = 1e-4  # sine of two edges that have no axis across them: faces serve


@compiled
def reach_along(A: Placed, n: Floats) -> float:
    """How far a box reaches along n from its centre."""
    total = 0.0
    for k in range(3):
        total += A.extent[k] * math.fabs(dot(at(A.axes, 3 * k), n))
    return total


@inlined
def best_face(W: Work, A: Placed, B: Placed, t: Floats, margin: float) -> float:
    """The greatest separation along the axes of both boxes, its axis in W.normal, from a to b."""
    best = -math.inf
    for k in range(6):
        axis = at(A.axes, 3 * k) if k < 3 else at(B.axes, 3 * k - 9)
        other = reach_along(B, axis) if k < 3 else reach_along(A, axis)
        own = A.extent[k] if k < 3 else B.extent[k - 3]
        way = dot(axis, t)
        apart = math.fabs(way) - own - other
        if apart > best:
            best = apart
            s = math.copysign(1.0, way)
            put(W.normal, s * axis[0], s * axis[1], s * axis[2])
            if best > margin:
                return best
    return best


@inlined
def best_edges(W: Work, A: Placed, B: Placed, t: Floats, faces: float, slack: float) -> float:
    """The greatest separation across two edges where it is above that of the faces; edges in W.facing."""
    best = faces + slack
    for i in range(3):
        for j in range(3):
            e = at(A.axes, 3 * i)
            f = at(B.axes, 3 * j)
            put_cross(W.v, e, f)
            length = math.sqrt(dot(W.v, W.v))
            if length < NO_AXIS:
                continue
            way = dot(W.v, t)
            apart = (math.fabs(way) - reach_along(A, W.v) - reach_along(B, W.v)) / length
            if apart > best:
                best = apart
                s = math.copysign(1.0 / length, way)
                put(W.normal, s * W.v[0], s * W.v[1], s * W.v[2])
                W.facing[0] = float(i)
                W.facing[1] = float(j)
    return best if best > faces + slack else -math.inf


@inlined
def edge_point(A: Placed, n: Floats, k: int, sign: float, out: Floats) -> None:
    """The middle of the edge along axis k that lies furthest along sign · n."""
    put_sum(out, A.centre, 0.0, n)
    for i in range(3):
        if i != k:
            s = math.copysign(A.extent[i], sign * dot(at(A.axes, 3 * i), n))
            put_sum(out, out, s, at(A.axes, 3 * i))


@inlined
def nearest_on_edges(W: Work, A: Placed, B: Placed, i: int, j: int) -> None:
    """W.xa and W.xb: the nearest points of the edges along axes i and j that face each other."""
    n = W.normal
    edge_point(A, n, i, 1.0, W.xa)
    edge_point(B, n, j, -1.0, W.xb)
    e = at(A.axes, 3 * i)
    f = at(B.axes, 3 * j)
    x = W.xb[0] - W.xa[0]
    y = W.xb[1] - W.xa[1]
    z = W.xb[2] - W.xa[2]
    c = dot(e, f)
    p = along(e, x, y, z)
    q = along(f, x, y, z)
    s = (p - c * q) / (1.0 - c * c)
    u = (c * p - q) / (1.0 - c * c)
    put_sum(W.xa, W.xa, min(max(s, -A.extent[i]), A.extent[i]), e)
    put_sum(W.xb, W.xb, min(max(u, -B.extent[j]), B.extent[j]), f)


@compiled
def box_axis(W: Work, A: Placed, B: Placed) -> int:
    """Into W.normal the axis along which two boxes are furthest apart; W.nearest begins with how far.

    Returns 0 beyond the margin, 1 where it is that of a face, 2 across two edges (W.xa, W.xb are theirs), and
    3 where that of a face, in W.triangle, is nearly as good.
    """
    margin = W.margin + A.rounding + B.rounding
    x = B.centre[0] - A.centre[0]
    y = B.centre[1] - A.centre[1]
    z = B.centre[2] - A.centre[2]
    t = W.triangle
    put(t, x, y, z)
    faces = best_face(W, A, B, t, margin)
    fx = W.normal[0]
    fy = W.normal[1]
    fz = W.normal[2]
    W.nearest[0] = faces
    if faces > margin:
        return 0
    slack = FACES_FIRST * (A.reach + B.reach)
    edges = best_edges(W, A, B, t, faces, slack)
    if edges > margin:
        return 0
    if edges > faces:
        W.nearest[0] = edges
        nearest_on_edges(W, A, B, int(W.facing[0]), int(W.facing[1]))
        put(W.triangle, fx, fy, fz)
        return 3 if edges - faces < NEARLY_FACE * (A.reach + B.reach) else 2
    put(W.xa, math.nan, math.nan, math.nan)  # what is nearest is left to clipping
    return 1
