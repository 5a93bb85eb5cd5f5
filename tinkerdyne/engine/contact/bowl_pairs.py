"""Surfaces in a bowl: the points that lie furthest from the centre of its sphere, as far as its rim goes.

The distance from a centre is convex, so of anything that is convex or a mesh the corners, ends and rims are
the first to touch. Each point has a normal of its own.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.detection_records import Core, Detection, Placed, Surface, Work
from tinkerdyne.engine.contact.patches import add_point
from tinkerdyne.engine.contact.reduction import reduce_patch
from tinkerdyne.engine.contact.support import STILL
from tinkerdyne.engine.contact.vectors import dot, put, put_sum, turn

MANY = 64  # points after which a patch is reduced on the way


@compiled
def in_bowl(W: Work, A: Placed, B: Placed, x: Floats, feature: float) -> None:
    """Add a point of a where it is near the inside of the bowl b; W.normal looks out of the sphere."""
    put_sum(W.normal, x, -1.0, B.centre)
    r = math.sqrt(dot(W.normal, W.normal))
    if r <= 0.5 * B.extent[0] and B.extent[0] - r > W.margin + A.rounding:
        return  # near the centre there is no normal, and nothing to touch
    for i in range(3):
        W.normal[i] = W.normal[i] / r
    if B.extent[0] * dot(W.normal, at(B.axes, 6)) > B.extent[1]:
        return  # above the rim
    gap = B.extent[0] - r
    put_sum(W.xa, x, 0.0, W.normal)
    put_sum(W.xb, x, gap, W.normal)
    add_point(W, A, B, W.xa, W.xb, gap, feature)
    if int(W.count) > MANY:
        reduce_patch(W, 0)


@compiled
def rim_in_bowl(W: Work, A: Placed, B: Placed, axis: int, along: float, radius: float, first: float) -> None:
    """A circle about an axis of a: its point that lies furthest from the centre of the bowl, and those at
    quarters of a turn from it."""
    y = (axis + 1) % 3
    z = (axis + 2) % 3
    put_sum(W.v, A.centre, along, at(A.axes, 3 * axis))
    put_sum(W.v, W.v, -1.0, B.centre)
    u = dot(W.v, at(A.axes, 3 * y))
    w = dot(W.v, at(A.axes, 3 * z))
    r = math.sqrt(u * u + w * w)
    cos = u / r if r > STILL * B.extent[0] else 1.0
    sin = w / r if r > STILL * B.extent[0] else 0.0
    for k in range(4):
        put_sum(W.v, A.centre, along, at(A.axes, 3 * axis))
        put_sum(W.v, W.v, radius * cos, at(A.axes, 3 * y))
        put_sum(W.v, W.v, radius * sin, at(A.axes, 3 * z))
        in_bowl(W, A, B, W.v, first + float(k))
        turned = -sin
        sin = cos
        cos = turned


@inlined
def corners_in_bowl(W: Work, A: Placed, B: Placed) -> None:
    """The corners of a box."""
    for k in range(8):
        x = A.extent[0] if k & 1 != 0 else -A.extent[0]
        y = A.extent[1] if k & 2 != 0 else -A.extent[1]
        z = A.extent[2] if k & 4 != 0 else -A.extent[2]
        turn(A.axes, x, y, z, W.v)
        put_sum(W.v, W.v, 1.0, A.centre)
        in_bowl(W, A, B, W.v, float(k))


@compiled
def bowl_pair(H: Detection, F: Floats, W: Work, A: Placed, B: Placed) -> None:
    """Any core in a bowl."""
    kind = int(A.kind)
    if kind == Core.POINT:
        put(W.v, A.centre[0], A.centre[1], A.centre[2])
        in_bowl(W, A, B, W.v, 0.0)
    elif kind == Core.SEGMENT:
        for k in range(2):
            put_sum(W.v, A.centre, A.extent[0] if k == 0 else -A.extent[0], A.axes)
            in_bowl(W, A, B, W.v, float(k))
    elif kind == Core.CIRCLE:
        rim_in_bowl(W, A, B, 2, 0.0, A.extent[0], 0.0)
    elif kind == Core.BOX:
        corners_in_bowl(W, A, B)
    elif kind == Core.CYLINDER:
        rim_in_bowl(W, A, B, 0, A.extent[0], A.extent[1], 0.0)
        rim_in_bowl(W, A, B, 0, -A.extent[0], A.extent[1], 4.0)
    elif kind == Core.CONE:
        put_sum(W.v, A.centre, A.extent[2], A.axes)
        in_bowl(W, A, B, W.v, 8.0)
        rim_in_bowl(W, A, B, 0, -A.extent[0], A.extent[1], 0.0)
    elif kind == Core.HULL:
        for k in range(int(A.n_vertices)):
            put_sum(W.v, A.centre, 1.0, at(F, int(A.vertices) + 3 * k))
            in_bowl(W, A, B, W.v, float(k))
    elif kind == Core.MESH:
        S = Surface.of(H, int(A.surface))
        for k in range(S.n_vertices):
            v = at(F, S.vertices + 3 * k)
            turn(A.axes, v[0], v[1], v[2], W.v)
            put_sum(W.v, W.v, 1.0, A.centre)
            in_bowl(W, A, B, W.v, float(k))
