"""Meshes against cores, planes and each other: the patch of each triangle that is near."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.circle_pairs import circle_pair
from tinkerdyne.engine.contact.convex_pairs import FLAT, FOUND, NONE, convex_normal
from tinkerdyne.engine.contact.detection_records import (
    ROWS,
    Core,
    Detection,
    Marks,
    PatchPoint,
    Placed,
    Surface,
    TreeNode,
    Triangle,
    Work,
)
from tinkerdyne.engine.contact.least_deep import fall_back, least_deep
from tinkerdyne.engine.contact.mesh_tree import bounds_of, next_leaf, triangle_core, triangle_normal
from tinkerdyne.engine.contact.patch_groups import drop_point, reduce_patches, turn_points
from tinkerdyne.engine.contact.patches import TRIANGLE, meet
from tinkerdyne.engine.contact.plane_pairs import on_plane
from tinkerdyne.engine.contact.support import support
from tinkerdyne.engine.contact.triangle_normals import KEEP, OWN, SKIP, SLANT, judge
from tinkerdyne.engine.contact.vectors import dot, put, put_sum, turn, turn_back

ROOM = 24  # rows that one triangle may take
BEHIND = 0.999  # cosine from which a core is behind a face, and not beside it
LIKE_FACE = 1e-12  # 1 − cosine up to which a normal is made the face's own


@inlined
def number_points(W: Work, first: int, k: int) -> None:
    """Give the points since `first` the number of their triangle."""
    for i in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, i * PatchPoint.size))
        point.feature += float(TRIANGLE) * k


@compiled
def triangle_pair(
    D: Ints, F: Floats, W: Work, M: Marks, S: Surface, T: Placed, k: int, tri: Placed, X: Placed
) -> None:
    """Triangle k of a mesh, as a, against a core."""
    first = int(W.count)
    V = at(F, int(tri.vertices))
    found = convex_normal(D, F, W, M, tri, X)
    if found == NONE:
        return
    gap = W.nearest[0]
    if found == FLAT:
        triangle_normal(V, W.normal)
    way = judge(D, F, W, S, T, k, V, W.normal, tri.reach)
    # a round core whose middle is behind the face still reaches through it
    is_behind = gap < X.rounding + T.rounding and dot(W.triangle, W.normal) < -BEHIND
    if way == SKIP and found == FOUND and (gap < 0.0 or is_behind):
        least_deep(D, F, W, S, T, k, tri, X)
    elif way == KEEP:
        triangle_normal(V, W.triangle)
        if dot(W.triangle, W.normal) > 1.0 - LIKE_FACE:
            put_sum(W.normal, W.triangle, 0.0, V)
        meet(D, F, W, tri, X)
    elif way == OWN:
        over_face(D, F, W, tri, X)
        if gap < 0.0 and int(W.count) == first:
            least_deep(D, F, W, S, T, k, tri, X)
    number_points(W, first, k)


@inlined
def over_face(D: Ints, F: Floats, W: Work, tri: Placed, X: Placed) -> None:
    """What of a core lies over a triangle, along its own normal; nothing where it lies beside."""
    first = int(W.count)
    triangle_normal(at(F, int(tri.vertices)), W.normal)
    support(F, X, W.normal, W.v)
    if not (dot(W.normal, W.v) - dot(W.normal, tri.centre) + X.rounding > 0.0):
        return
    put(W.xa, math.nan, math.nan, math.nan)
    put(W.xb, math.nan, math.nan, math.nan)
    meet(D, F, W, tri, X)
    if int(W.count) > first and math.isnan(PatchPoint(at(W.patch, first * PatchPoint.size)).gap):
        W.count = float(first)


# --- a mesh --------------------------------------------------------------------------------------
@compiled
def each_triangle(
    H: Detection, D: Ints, F: Floats, W: Work, M: Marks, T: Placed, X: Placed, low: Floats, high: Floats
) -> None:
    """All triangles of a mesh that are near a core."""
    S = Surface.of(H, int(T.surface))
    tri = Placed(W.mesh_a)
    tri.local[0] = 0.0
    bounds_of(F, W, T, X, low, high)
    near = 1e-7 * X.reach
    k = next_leaf(D, F, S, 0, low, high)
    while k >= 0:
        t = TreeNode(at(D, S.tree + k * TreeNode.size)).triangle
        if int(W.count) > ROWS - ROOM:
            reduce_patches(W, 0, near)
        triangle_core(H, D, F, S, T, t, tri)
        triangle_pair(D, F, W, M, S, T, t, tri, X)
        k = next_leaf(D, F, S, k + 1, low, high)


@compiled
def mesh_pair(H: Detection, D: Ints, F: Floats, W: Work, M: Marks, X: Placed, T: Placed) -> None:
    """A convex core or a ring, as a, against a mesh."""
    first = int(W.count)
    if int(X.kind) == Core.CIRCLE:
        circle_pair(H, D, F, W, M, X, T)
        reduce_patches(W, first, 1e-7 * X.reach)
        return
    W.fallback_gap = -math.inf
    each_triangle(H, D, F, W, M, T, X, W.low, W.high)
    if int(W.count) == first and W.fallback_gap > -math.inf:  # each triangle leaves it to its neighbours
        fall_back(W, T, X)
    turn_points(W, first)
    reduce_patches(W, first, 1e-7 * X.reach)


@compiled
def two_meshes(H: Detection, D: Ints, F: Floats, W: Work, M: Marks, A: Placed, B: Placed) -> None:
    """Two meshes: the triangles of a near b, each against those of b."""
    S = Surface.of(H, int(A.surface))
    tri = Placed(W.mesh_b)
    tri.local[0] = 1.0
    first = int(W.count)
    W.fallback_gap = -math.inf
    bounds_of(F, W, A, B, W.outer_low, W.outer_high)
    k = next_leaf(D, F, S, 0, W.outer_low, W.outer_high)
    while k >= 0:
        t = TreeNode(at(D, S.tree + k * TreeNode.size)).triangle
        triangle_core(H, D, F, S, A, t, tri)
        before = int(W.count)
        each_triangle(H, D, F, W, M, B, tri, W.low, W.high)
        turn_points(W, before)
        keep_faced(D, F, W, S, A, t, tri, before)
        k = next_leaf(D, F, S, k + 1, W.outer_low, W.outer_high)
    if int(W.count) == first and W.fallback_gap > -math.inf:
        fall_back(W, B, A)
        turn_points(W, first)
    reduce_patches(W, first, 1e-7 * min(A.reach, B.reach))


@inlined
def keep_faced(D: Ints, F: Floats, W: Work, S: Surface, A: Placed, t: int, tri: Placed, first: int) -> None:
    """Drop the points whose normal looks into the triangle of a that they are on: its neighbours have
    them."""
    triangle_normal(at(F, int(tri.vertices)), W.triangle)
    i = int(W.count) - 1
    while i >= first:
        if not (dot(W.triangle, PatchPoint(at(W.patch, i * PatchPoint.size)).n) > -SLANT):
            drop_point(W, i)
        i -= 1


@compiled
def mesh_on_plane(H: Detection, D: Ints, F: Floats, W: Work, T: Placed, B: Placed) -> None:
    """A mesh, as a, against a plane: its corners near it."""
    S = Surface.of(H, int(T.surface))
    first = int(W.count)
    put(W.normal, -B.axes[6], -B.axes[7], -B.axes[8])
    least = W.margin + T.rounding
    turn_back(T.axes, W.normal[0], W.normal[1], W.normal[2], W.triangle)
    height = dot(W.normal, B.centre) - dot(W.normal, T.centre)  # of the mesh's centre above the plane
    k = 0
    end = 2 * S.n_faces - 1
    while k < end:
        node = TreeNode(at(D, S.tree + k * TreeNode.size))
        bounds = at(F, S.bounds + 6 * k)
        deepest = height
        for c in range(3):
            deepest -= max(W.triangle[c] * bounds[c], W.triangle[c] * bounds[3 + c])
        if deepest > least:
            k = node.skip
            continue
        if node.triangle >= 0:
            corners_on_plane(D, F, W, S, T, B, node.triangle)
            if int(W.count) > ROWS - ROOM:
                reduce_patches(W, first, 1e-9 * T.reach)
        k += 1
    reduce_patches(W, first, 1e-9 * T.reach)


@inlined
def corners_on_plane(D: Ints, F: Floats, W: Work, S: Surface, T: Placed, B: Placed, k: int) -> None:
    """The corners of one triangle near a plane."""
    t = Triangle(at(D, S.faces + k * Triangle.size))
    for c in range(3):
        corner = at(F, S.vertices + 3 * t.corners[c])
        turn(T.axes, corner[0], corner[1], corner[2], W.v)
        put_sum(W.v, W.v, 1.0, T.centre)
        on_plane(W, T, B, W.v, float(t.corners[c]))
