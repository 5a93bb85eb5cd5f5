"""Discs and polygons at a track: arcs of circles, thin, which touch on both sides.

An arc lies about the x axis of its frame, whose origin is its middle: its centre is at −R. Ends that no
other arc goes on from touch like points.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Arc, Core, PatchPoint, Placed, Work
from tinkerdyne.engine.contact.patches import add_point
from tinkerdyne.engine.contact.planar_pairs import aside_of_sides, corner, nearest_on_sides
from tinkerdyne.engine.contact.reduction import reduce_patch
from tinkerdyne.engine.contact.vectors import dot, put, put_sum, turn

ENDS = 128.0  # features of the ends of an arc …
NEAREST = 256.0  # … and of what of a side lies nearest to its centre
RANK = 4096  # of features: the second and later places of the same part of a
MANY = 64  # points after which a patch is reduced on the way
SAME = 3e-3  # of the size: points nearer than this are one
SEAM = 1e-3  # of half its length: by so much an arc is longer, that nothing falls between two


@inlined
def height_above(B: Placed, p: Floats) -> float:
    """How far a point lies outside of the circle, without cancellation."""
    x = dot(B.axes, p) - dot(B.axes, B.centre)
    y = dot(at(B.axes, 3), p) - dot(at(B.axes, 3), B.centre)
    R = B.extent[0]
    return (x * x + y * y + 2.0 * R * x) / (R + math.sqrt((x + R) * (x + R) + y * y))


@inlined
def end_beside(B: Placed, p: Floats) -> int:
    """0 where a point lies beside the arc, −1 or 1 where it lies beyond one of its ends."""
    x = dot(B.axes, p) - dot(B.axes, B.centre) + B.extent[0]
    y = dot(at(B.axes, 3), p) - dot(at(B.axes, 3), B.centre)
    beyond = math.fabs(y) * math.cos(B.extent[1]) - x * math.sin(B.extent[1])
    if beyond <= SEAM * B.extent[0] * math.sin(B.extent[1]):
        return 0
    return 1 if y > 0.0 else -1


@inlined
def end_of(B: Placed, which: int, out: Floats) -> int:
    """An end of the arc; whether it is free."""
    half = B.extent[1]
    s = math.sin(0.5 * half)
    put_sum(out, B.centre, -2.0 * B.extent[0] * s * s, B.axes)
    put_sum(out, out, (B.extent[0] if which > 0 else -B.extent[0]) * math.sin(half), at(B.axes, 3))
    return int(B.extent[2]) & (2 if which > 0 else 1)


@compiled
def beside_arc(W: Work, A: Placed, B: Placed, p: Floats, side: float, feature: float) -> None:
    """Add a point of a where it lies beside the arc b; side is 1 where a lies outside of the circle."""
    if end_beside(B, p) != 0:
        return
    put_sum(W.v, p, -1.0, B.centre)
    put_sum(W.v, W.v, B.extent[0], B.axes)
    r = math.sqrt(dot(W.v, W.v))
    gap = side * height_above(B, p)
    put(W.normal, -side * W.v[0] / r, -side * W.v[1] / r, 0.0)
    put(W.xa, p[0], p[1], 0.0)
    put_sum(W.xb, W.xa, gap, W.normal)
    add_point(W, A, B, W.xa, W.xb, gap, feature)


@compiled
def disc_at_arc(W: Work, A: Placed, B: Placed) -> None:
    """A disc."""
    p = W.triangle
    put(p, A.centre[0], A.centre[1], 0.0)
    end = end_beside(B, p)
    if end == 0:
        beside_arc(W, A, B, p, 1.0 if height_above(B, p) >= 0.0 else -1.0, 0.0)
        return
    if end_of(B, end, W.xb) == 0:
        return
    put_sum(W.v, W.xb, -1.0, p)
    gap = math.sqrt(dot(W.v, W.v))
    if gap > 0.0:
        put(W.normal, W.v[0] / gap, W.v[1] / gap, 0.0)
        put_sum(W.xa, p, 0.0, p)
        add_point(W, A, B, W.xa, W.xb, gap, ENDS + end)


@compiled
def end_at_polygon(D: Ints, F: Floats, W: Work, A: Placed, B: Placed, end: int) -> None:
    """A free end of the arc b against the polygon a."""
    p = at(W.triangle, 3)
    if end_of(B, end, p) == 0:
        return
    if aside_of_sides(D, F, W, A, p) < 0:
        return
    height = W.nearest[0]
    if height > W.margin + A.rounding + B.rounding:
        return
    nearest_on_sides(D, F, W, A, p)
    put_sum(W.v, p, -1.0, W.xb)
    gap = math.sqrt(dot(W.v, W.v))
    if height > 0.0 and gap > 0.0:
        put(W.normal, W.v[0] / gap, W.v[1] / gap, 0.0)
    else:
        gap = height
        put(W.normal, W.facing[0], W.facing[1], 0.0)
    put_sum(W.xa, p, -gap, W.normal)
    put(W.xb, p[0], p[1], 0.0)
    add_point(W, A, B, W.xa, W.xb, gap, ENDS + end)


@compiled
def polygon_at_arc(D: Ints, F: Floats, W: Work, A: Placed, B: Placed) -> None:
    """A convex polygon: its corners; what of it lies nearest to the centre of the circle, where it lies
    outside; and the ends of the arc."""
    middle = W.triangle
    put(middle, 0.0, 0.0, 0.0)
    n = int(A.n_vertices)
    for k in range(n):
        corner(F, A, k, W.v)
        put_sum(middle, middle, 1.0 / n, W.v)
    side = 1.0 if height_above(B, middle) >= 0.0 else -1.0
    for k in range(n):
        corner(F, A, k, middle)
        beside_arc(W, A, B, middle, side, float(k))
    if side > 0.0:
        put_sum(middle, B.centre, -B.extent[0], B.axes)
        feature = nearest_on_sides(D, F, W, A, middle)
        if feature < 64.0:
            put(middle, W.xb[0], W.xb[1], 0.0)
            beside_arc(W, A, B, middle, side, NEAREST + feature)
    end_at_polygon(D, F, W, A, B, -1)
    end_at_polygon(D, F, W, A, B, 1)


@inlined
def set_arc(X: Placed, arc: Arc, out: Placed) -> None:
    """An arc of a track as a surface of its own."""
    turn(X.axes, arc.x, arc.y, 0.0, out.centre)
    put_sum(out.centre, out.centre, 1.0, X.centre)
    turn(X.axes, arc.out_x, arc.out_y, 0.0, out.axes)
    turn(X.axes, -arc.out_y, arc.out_x, 0.0, at(out.axes, 3))
    out.extent[0], out.extent[1], out.extent[2] = arc.radius, arc.half, arc.ends
    out.rounding = X.rounding


@compiled
def track_pair(D: Ints, F: Floats, W: Work, A: Placed, X: Placed) -> None:
    """Anything of the plane at a track. Features count the places where the same part of a meets it, so that
    they stay the same while it goes on from arc to arc."""
    kind = int(A.kind)
    B = Placed(W.c)
    for k in range(int(X.n_vertices)):
        arc = Arc(at(F, int(X.vertices) + k * Arc.size))
        set_arc(X, arc, B)
        put_sum(W.v, B.centre, -1.0, A.centre)
        limit = arc.reach + A.reach + X.rounding + W.margin
        if W.v[0] * W.v[0] + W.v[1] * W.v[1] > limit * limit:
            continue
        before = int(W.count)
        if kind == Core.POINT:
            disc_at_arc(W, A, B)
        elif kind == Core.POLYGON:
            polygon_at_arc(D, F, W, A, B)
        number_again(W, before, A.reach + arc.reach)
        if int(W.count) > MANY:
            reduce_patch(W, 0)


@inlined
def number_again(W: Work, first: int, size: float) -> None:
    """Give the points from the first on features that no other has; those that two arcs share go."""
    kept = first
    for k in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        is_new = 1
        for j in range(kept):
            other = PatchPoint(at(W.patch, j * PatchPoint.size))
            if int(other.feature) % RANK == int(point.feature) % RANK:
                x, y = point.xb[0] - other.xb[0], point.xb[1] - other.xb[1]
                if x * x + y * y < SAME * SAME * size * size:
                    is_new = 0
                point.feature = max(point.feature, other.feature + RANK)
        if is_new != 0:
            to = PatchPoint(at(W.patch, kept * PatchPoint.size))
            for i in range(PatchPoint.size):
                to[i] = point[i]
            kept += 1
    W.count = float(kept)
