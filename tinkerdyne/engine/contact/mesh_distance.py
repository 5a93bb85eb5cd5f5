"""How far a point lies from a mesh, on which side, and where to: the nearest triangle decides.

Of several triangles that share the nearest point, an edge or a corner, the one that the point lies most
straight above or below says the side.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import (
    Detection,
    Nearest,
    Placed,
    Surface,
    TreeNode,
    Triangle,
    Work,
)
from tinkerdyne.engine.contact.gjk import shares_of_triangle, vertex
from tinkerdyne.engine.contact.vectors import dot, make_unit, put, put_cross, put_sum, turn, turn_back

SHARED = 1e-9  # of a squared distance: triangles this little further share the nearest point
ON = 1e-10  # of the size: nearer than this, the direction is the triangle's normal


@inlined
def way_to(p: Floats, bounds: Floats) -> float:
    """The squared distance of a point from the bounds of a node."""
    square = 0.0
    for c in range(3):
        beyond = max(bounds[c] - p[c], p[c] - bounds[3 + c], 0.0)
        square += beyond * beyond
    return square


@inlined
def is_border(t: Triangle, W: Work) -> int:
    """Whether the nearest point of a triangle lies on an edge beyond which nothing is."""
    for k in range(3):
        if t.across[k] < 0 and not (vertex(W, (k + 2) % 3).share > 0.0):
            return 1
    return 0


@compiled
def compare_triangle(D: Ints, F: Floats, W: Work, S: Surface, p: Floats, k: int, ways: float) -> None:
    """Make triangle k the nearest one, where it is."""
    t = Triangle(at(D, S.faces + k * Triangle.size))
    N = Nearest(W.closest)
    for c in range(3):
        put_sum(vertex(W, c).w, at(F, S.vertices + 3 * t.corners[c]), -1.0, p)
    square = shares_of_triangle(W, vertex(W, 0), vertex(W, 1), vertex(W, 2))
    if square > N.square * (1.0 + SHARED):
        return
    put(W.xa, 0.0, 0.0, 0.0)
    for c in range(3):
        put_sum(W.xa, W.xa, vertex(W, c).share, vertex(W, c).w)
    put_sum(W.v, vertex(W, 1).w, -1.0, vertex(W, 0).w)
    put_sum(W.xb, vertex(W, 2).w, -1.0, vertex(W, 0).w)
    put_cross(W.xb, W.v, W.xb)
    make_unit(W.xb)
    length = math.sqrt(square)
    above = -dot(W.xb, W.xa) / length if length > ways else 1.0
    if square < N.square * (1.0 - SHARED) or math.fabs(above) > math.fabs(N.above):
        side = 1.0 if above >= 0.0 or is_border(t, W) != 0 else -1.0
        N.above = above
        if length > ways:
            put(N.normal, -side * W.xa[0] / length, -side * W.xa[1] / length, -side * W.xa[2] / length)
        else:
            put(N.normal, W.xb[0], W.xb[1], W.xb[2])
        N.distance = side * length
        N.triangle = float(k)
    N.square = min(N.square, square)


@compiled
def mesh_distance(H: Detection, D: Ints, F: Floats, W: Work, T: Placed, place: Floats, limit: float) -> None:
    """W.nearest: the distance of a point from a mesh, below 0 behind it, and the normal of its side there;
    infinity where the mesh is further off than a limit. The triangle of the last time is looked at first."""
    S = Surface.of(H, int(T.surface))
    N = Nearest(W.closest)
    p = N.place
    turn_back(T.axes, place[0] - T.centre[0], place[1] - T.centre[1], place[2] - T.centre[2], p)
    N.square = limit * limit
    N.above = 0.0
    N.distance = math.inf
    first = int(N.triangle)
    on = ON * T.reach
    if first >= 0:
        compare_triangle(D, F, W, S, p, first, on)
    k = 0
    end = 2 * S.n_faces - 1
    while k < end:
        node = TreeNode(at(D, S.tree + k * TreeNode.size))
        if way_to(p, at(F, S.bounds + 6 * k)) > N.square * (1.0 + SHARED):
            k = node.skip
            continue
        if node.triangle >= 0 and node.triangle != first:
            compare_triangle(D, F, W, S, p, node.triangle, on)
        k += 1
    W.nearest[0] = N.distance
    turn(T.axes, N.normal[0], N.normal[1], N.normal[2], at(W.nearest, 1))
    W.nearest[4] = 0.0
