"""The tree of a mesh: bounds of its triangles, and the triangles near a core one after the other."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import (
    Core,
    Detection,
    Placed,
    Surface,
    TreeNode,
    Triangle,
    Work,
)
from tinkerdyne.engine.contact.support import support
from tinkerdyne.engine.contact.vectors import dot, make_unit, put, put_cross, put_sum, turn


@inlined
def bounds_of(F: Floats, W: Work, T: Placed, X: Placed, low: Floats, high: Floats) -> None:
    """The bounds of a core with its rounding and the margin, in the frame of a mesh."""
    kind = int(X.kind)
    for c in range(3):
        axis = at(T.axes, 3 * c)
        if kind == Core.CIRCLE or kind == Core.MESH:
            middle = dot(axis, X.centre) - dot(axis, T.centre)
            low[c] = middle - X.reach - W.margin
            high[c] = middle + X.reach + W.margin
        else:
            more = X.rounding + W.margin
            support(F, X, axis, W.v)
            high[c] = dot(axis, W.v) - dot(axis, T.centre) + more
            put(W.xa, -axis[0], -axis[1], -axis[2])
            support(F, X, W.xa, W.v)
            low[c] = dot(axis, W.v) - dot(axis, T.centre) - more


@inlined
def is_apart(bounds: Floats, low: Floats, high: Floats) -> int:
    """Whether the bounds of a node are beyond others."""
    for c in range(3):
        if bounds[c] > high[c] or bounds[3 + c] < low[c]:
            return 1
    return 0


@compiled
def next_leaf(D: Ints, F: Floats, S: Surface, start: int, low: Floats, high: Floats) -> int:
    """The next node from `start` on that is a triangle within bounds; −1 at the end."""
    k = start
    end = 2 * S.n_faces - 1
    while k < end:
        node = TreeNode(at(D, S.tree + k * TreeNode.size))
        if is_apart(at(F, S.bounds + 6 * k), low, high) != 0:
            k = node.skip
        elif node.triangle >= 0:
            return k
        else:
            k += 1
    return -1


@compiled
def triangle_core(H: Detection, D: Ints, F: Floats, S: Surface, T: Placed, k: int, out: Placed) -> None:
    """A triangle of a mesh as a core of three vertices, at the mesh's centre."""
    t = Triangle(at(D, S.faces + k * Triangle.size))
    out.kind = float(Core.HULL)
    out.n_vertices = 3.0
    out.n_faces = 1.0
    out.faces = float(H.one_face)
    out.normals = -1.0
    out.rounding = T.rounding
    out.reach = 0.0
    # two triangles may be at hand at once
    place = H.first_corners if out.local[0] == 0.0 else H.second_corners
    out.vertices = float(place)
    V = at(F, place)
    corner = at(F, S.vertices + 3 * t.corners[0])
    turn(T.axes, corner[0], corner[1], corner[2], out.centre)
    put_sum(out.centre, out.centre, 1.0, T.centre)
    for c in range(3):
        other = at(F, S.vertices + 3 * t.corners[c])
        turn(T.axes, other[0] - corner[0], other[1] - corner[1], other[2] - corner[2], at(V, 3 * c))
        out.reach = max(out.reach, math.sqrt(dot(at(V, 3 * c), at(V, 3 * c))))


@inlined
def triangle_normal(V: Floats, out: Floats) -> None:
    """The unit normal of a triangle whose first corner is the origin."""
    put_cross(out, at(V, 3), at(V, 6))
    make_unit(out)
