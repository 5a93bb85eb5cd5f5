"""Pairs of convex cores: how far apart they are, across which normal, and the points of their patch.

Closed forms serve where one core is a point or a segment, fifteen axes where both are boxes, and else the
nearest points of two support functions, polished where something is round.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.box_box import box_axis
from tinkerdyne.engine.contact.detection_records import Marks, PatchPoint, Placed, Work
from tinkerdyne.engine.contact.epa import EXACT, ROUND, epa
from tinkerdyne.engine.contact.gjk import FAR, OVERLAP, TOUCHING, gjk
from tinkerdyne.engine.contact.normal_points import points_of_normal
from tinkerdyne.engine.contact.patches import add_point, least_gap, meet
from tinkerdyne.engine.contact.point_distance import point_distance
from tinkerdyne.engine.contact.polish import is_round, snap_to_faces
from tinkerdyne.engine.contact.vectors import dot, make_unit, perpendicular, put, put_cross, put_sum
from tinkerdyne.engine.contact.ways_out import least_way

HALVINGS = 60  # of a segment
NONE, FOUND, FLAT = 0, 1, 2  # beyond the margin; found; the cores overlap in a plane
HARDLY = 1e-3  # of the size: nearer than this, faces have better normals than nearest points
PROVEN = 1e-9  # of the size: points this near to a bound of the distance show that it is met
NO_DEEPER = 1e-6  # of the size: points of a face that are deeper than those across two edges are none


@inlined
def outward(W: Work, p: Floats, X: Placed) -> None:
    """W.normal and nearest points of a point and a core, from the last distance asked for."""
    put(W.normal, -W.nearest[1], -W.nearest[2], -W.nearest[3])
    put_sum(W.xa, p, 0.0, W.normal)
    put_sum(W.xb, p, W.nearest[0] + X.rounding, W.normal)


@compiled
def point_pair(W: Work, A: Placed, X: Placed) -> None:
    """A point against a core with a closed form."""
    point_distance(X, A.centre, W.nearest)
    feature = W.nearest[4]
    outward(W, A.centre, X)
    add_point(W, A, X, W.xa, W.xb, W.nearest[0] + X.rounding, feature)


# --- a segment -----------------------------------------------------------------------------------
@inlined
def slope_on(W: Work, A: Placed, X: Placed, t: float) -> float:
    """How the distance from X grows along a segment, at its point t."""
    put_sum(W.xa, A.centre, t, A.axes)
    point_distance(X, W.xa, W.nearest)
    return A.axes[0] * W.nearest[1] + A.axes[1] * W.nearest[2] + A.axes[2] * W.nearest[3]


@inlined
def nearest_on_segment(W: Work, A: Placed, X: Placed) -> None:
    """The point of a segment that is nearest to a convex core: the distance is convex along it."""
    low = -A.extent[0]
    high = A.extent[0]
    if slope_on(W, A, X, low) >= 0.0:
        return
    if slope_on(W, A, X, high) <= 0.0:
        return
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if slope_on(W, A, X, middle) > 0.0:
            high = middle
        else:
            low = middle


@compiled
def segment_pair(D: Ints, F: Floats, W: Work, M: Marks, A: Placed, X: Placed) -> None:
    """A segment against a convex core with a closed form."""
    nearest_on_segment(W, A, X)
    if W.nearest[0] > W.margin + A.rounding:
        return
    if not (W.nearest[0] + X.rounding > TOUCHING * (A.reach + X.reach)):
        convex_pair(D, F, W, M, A, X)
        return
    put_sum(W.v, W.xa, 0.0, W.xa)
    x = W.v[0]
    y = W.v[1]
    z = W.v[2]
    put(W.triangle, x, y, z)
    outward(W, W.triangle, X)
    meet(D, F, W, A, X)


# --- two convex cores ----------------------------------------------------------------------------
@inlined
def flat_normal(W: Work, A: Placed, B: Placed) -> None:
    """A normal of cores whose difference is flat: across both."""
    put_cross(W.normal, A.axes, B.axes)
    if not (make_unit(W.normal) > 1e-9):
        perpendicular(A.axes, W.normal)
    put(W.v, B.centre[0] - A.centre[0], B.centre[1] - A.centre[1], B.centre[2] - A.centre[2])
    if dot(W.v, W.normal) < 0.0:
        put(W.normal, -W.normal[0], -W.normal[1], -W.normal[2])
    W.nearest[0] = 0.0


@compiled
def convex_normal(D: Ints, F: Floats, W: Work, M: Marks, A: Placed, B: Placed) -> int:
    """W.normal, nearest or deepest points and W.nearest[0] of two convex cores: NONE, FOUND or FLAT."""
    way = gjk(F, W, A, B, W.margin + A.rounding + B.rounding)
    if way == FAR:
        return NONE
    any_round = is_round(A) != 0 or is_round(B) != 0
    n_faces = 0
    if way == OVERLAP:
        n_faces = epa(F, W, M, A, B, ROUND if any_round else EXACT)
        if n_faces == 0:
            put(W.xa, A.centre[0], A.centre[1], A.centre[2])
            put(W.xb, B.centre[0], B.centre[1], B.centre[2])
            flat_normal(W, A, B)
            return FLAT
    if any_round:
        least_way(D, F, W, M, A, B, n_faces)
    elif way != OVERLAP and W.nearest[0] < HARDLY * (A.reach + B.reach):
        snap_to_faces(D, F, W, A, B)
    if any_round or way == OVERLAP:
        points_of_normal(D, F, W, A, B)
    return FOUND


@compiled
def convex_pair(D: Ints, F: Floats, W: Work, M: Marks, A: Placed, B: Placed) -> None:
    """Any two convex cores."""
    if convex_normal(D, F, W, M, A, B) != NONE:
        meet(D, F, W, A, B)


@inlined
def add_face_points(D: Ints, F: Floats, W: Work, A: Placed, B: Placed, bound: float) -> None:
    """Add what lies on a face that is nearly as good a normal as that across two edges, and is no deeper: an
    edge that lies across the edges of a face rests on both its ends."""
    first = int(W.count)
    put(W.normal, W.triangle[0], W.triangle[1], W.triangle[2])
    put(W.xa, math.nan, math.nan, math.nan)
    put(W.xb, math.nan, math.nan, math.nan)
    meet(D, F, W, A, B)
    least = bound - A.rounding - B.rounding - NO_DEEPER * (A.reach + B.reach)
    m = first
    for k in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        if point.gap >= least:
            for i in range(PatchPoint.size):
                W.patch[m * PatchPoint.size + i] = point[i]
            m += 1
    W.count = float(m)


@compiled
def box_pair(D: Ints, F: Floats, W: Work, M: Marks, A: Placed, B: Placed) -> None:
    """Two boxes. Where they are apart, an axis bounds their distance, and is its direction where points that
    far apart are found; else two corners or a corner and an edge are nearest."""
    way = box_axis(W, A, B)
    if way == 0:
        return
    bound = W.nearest[0]
    first = int(W.count)
    if way == 1:
        meet(D, F, W, A, B)
    else:
        put_sum(W.v, W.xb, -1.0, W.xa)
        if math.fabs(dot(W.v, W.normal) * dot(W.v, W.normal) - dot(W.v, W.v)) > PROVEN * (
            A.reach + B.reach
        ) * math.sqrt(dot(W.v, W.v)):
            convex_pair(D, F, W, M, A, B)
            return
        add_point(W, A, B, W.xa, W.xb, bound, W.facing[0] + 3.0 * W.facing[1] + 32.0)
        if way == 3 and int(W.count) > first:
            add_face_points(D, F, W, A, B, bound)
    tight = bound - A.rounding - B.rounding + PROVEN * (A.reach + B.reach)
    if not (least_gap(W, first) <= tight):
        W.count = float(first)
        convex_pair(D, F, W, M, A, B)
