"""Meshes: a tree of triangles, and the patch of each triangle that is near another surface.

A triangle looks one way. Its normals are its own, and at convex edges and tips those up to the normals of
the neighbours (the Voronoi regions of the surface); at flat and hollow edges its own alone, so that nothing
stumbles over edges inside a surface.
"""

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
from tinkerdyne.engine.contact.patches import SQUARE, TRIANGLE, add_point, meet, reduce_patch
from tinkerdyne.engine.contact.plane_pairs import on_plane
from tinkerdyne.engine.contact.polish import points_of_normal
from tinkerdyne.engine.contact.support import support
from tinkerdyne.engine.contact.vectors import dot, make_unit, put, put_cross, put_sum, turn, turn_back

LEVEL = 1e-7  # of the size: corners this little lower are as high
SLANT = 1e-6  # what a normal may look beyond the one of a neighbour
ALIKE = 0.999  # cosine of normals that are one patch
AROUND = 64  # triangles at a corner that are looked at
HALVINGS = 50  # of an angle
ROOM = 24  # rows that one triangle may take

SKIP, KEEP, OWN = 0, 1, 2  # a normal that the neighbour answers for; one of the triangle; its own instead


# --- the tree ------------------------------------------------------------------------------------
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


@inlined
def triangle_core(H: Detection, D: Ints, F: Floats, S: Surface, T: Placed, k: int, out: Placed) -> None:
    """A triangle of a mesh as a core of three vertices, at the mesh's centre."""
    t = Triangle(at(D, S.faces + k * Triangle.size))
    out.kind = float(Core.HULL)
    out.n_vertices = 3.0
    out.n_faces = 1.0
    out.faces = float(H.one_face)
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


# --- which normals are a triangle's ---------------------------------------------------------------
@inlined
def level_corners(V: Floats, n: Floats, slack: float) -> int:
    """The corners of a triangle that lie highest along n, as bits."""
    a = dot(n, V)
    b = dot(n, at(V, 3))
    c = dot(n, at(V, 6))
    most = max(a, b, c) - slack
    return (1 if a >= most else 0) | (2 if b >= most else 0) | (4 if c >= most else 0)


@inlined
def beyond(D: Ints, F: Floats, W: Work, S: Surface, T: Placed, t: Triangle, k: int, n: Floats) -> int:
    """Whether a normal at convex edge k looks further over than that of the triangle beyond it."""
    if t.across[k] < 0:
        return 0
    other = Triangle(at(D, S.faces + t.across[k] * Triangle.size))
    p = t.corners[k]
    q = t.corners[(k + 1) % 3]
    r = other.corners[0] + other.corners[1] + other.corners[2] - p - q
    P = at(F, S.vertices + 3 * p)
    Q = at(F, S.vertices + 3 * q)
    R = at(F, S.vertices + 3 * r)
    # the way over the triangle beyond, across the edge
    e = W.v
    put_sum(e, Q, -1.0, P)
    put_sum(W.facing, R, -1.0, P)
    along_edge = dot(W.facing, e) / dot(e, e)
    put_sum(W.facing, W.facing, -along_edge, e)
    make_unit(W.facing)
    turn_back(T.axes, n[0], n[1], n[2], e)
    return 1 if dot(e, W.facing) > SLANT else 0


@inlined
def is_at_tip(D: Ints, F: Floats, W: Work, S: Surface, T: Placed, k: int, c: int, n: Floats) -> int:
    """Whether no triangle around corner c of triangle k rises along a normal there."""
    turn_back(T.axes, n[0], n[1], n[2], W.v)
    vertex = Triangle(at(D, S.faces + k * Triangle.size)).corners[c]
    tip = at(F, S.vertices + 3 * vertex)
    here = k
    for _ in range(AROUND):
        t = Triangle(at(D, S.faces + here * Triangle.size))
        at_corner = 0 if t.corners[0] == vertex else 1 if t.corners[1] == vertex else 2
        put_sum(W.facing, at(F, S.vertices + 3 * t.corners[(at_corner + 1) % 3]), -1.0, tip)
        make_unit(W.facing)
        if dot(W.facing, W.v) > SLANT:
            return 0
        here = t.across[(at_corner + 2) % 3]
        if here == k or here < 0:
            break
    return 1


@compiled
def judge(D: Ints, F: Floats, W: Work, S: Surface, T: Placed, k: int, V: Floats, n: Floats, reach: float) -> int:
    """Whether a normal from triangle k is one of its own (KEEP), its neighbour's (SKIP), or none (OWN)."""
    t = Triangle(at(D, S.faces + k * Triangle.size))
    triangle_normal(V, W.triangle)
    if not (dot(W.triangle, n) > -SLANT):
        return SKIP
    level = level_corners(V, n, LEVEL * reach)
    if level == 7:
        return KEEP
    if level == 1 or level == 2 or level == 4:
        c = 0 if level == 1 else 1 if level == 2 else 2
        if t.tips[c] == 0:
            return OWN
        return KEEP if is_at_tip(D, F, W, S, T, k, c, n) != 0 else SKIP
    edge = 0 if level == 3 else 1 if level == 6 else 2
    if t.edges[edge] < 1:
        return OWN
    return SKIP if beyond(D, F, W, S, T, t, edge, n) != 0 else KEEP


# --- the least deep of a triangle's normals --------------------------------------------------------
@inlined
def slope_over(F: Floats, W: Work, X: Placed, p: Floats, N: Floats, m: Floats, angle: float) -> float:
    """How the gap of a core over an edge through p grows with the angle of the normal cos N + sin m; the
    normal is W.normal, the gap W.nearest[0]."""
    cos = math.cos(angle)
    sin = math.sin(angle)
    for c in range(3):
        W.normal[c] = cos * N[c] + sin * m[c]
    put(W.v, -W.normal[0], -W.normal[1], -W.normal[2])
    support(F, X, W.v, W.xb)
    put_sum(W.xa, W.xb, -1.0, p)
    W.nearest[0] = dot(W.normal, W.xa)
    return cos * dot(m, W.xa) - sin * dot(N, W.xa)


@inlined
def angle_across(D: Ints, F: Floats, S: Surface, T: Placed, t: Triangle, k: int, N: Floats, out: Floats) -> float:
    """The angle by which the surface bends down at convex edge k."""
    if t.across[k] < 0:
        return math.pi / 2.0
    other = Triangle(at(D, S.faces + t.across[k] * Triangle.size))
    P = at(F, S.vertices + 3 * other.corners[0])
    Q = at(F, S.vertices + 3 * other.corners[1])
    R = at(F, S.vertices + 3 * other.corners[2])
    e = at(out, 3)
    put_sum(out, Q, -1.0, P)
    put_sum(e, R, -1.0, P)
    put_cross(out, out, e)
    make_unit(out)
    turn(T.axes, out[0], out[1], out[2], e)
    cos = dot(e, N)
    put_cross(out, e, N)
    return math.atan2(math.sqrt(dot(out, out)), cos)


@inlined
def over_edge(D: Ints, F: Floats, W: Work, S: Surface, T: Placed, k: int, edge: int, tri: Placed, X: Placed) -> float:
    """The greatest gap of a core along the normals of a convex edge, strictly between those of both sides,
    with W.normal; −inf where there is none."""
    t = Triangle(at(D, S.faces + k * Triangle.size))
    V = at(F, int(tri.vertices))
    N = W.triangle
    m = at(W.triangle, 3)
    p = at(W.triangle, 6)
    put_sum(m, at(V, 3 * ((edge + 1) % 3)), -1.0, at(V, 3 * edge))
    put_cross(m, m, N)
    make_unit(m)
    put_sum(p, tri.centre, 1.0, at(V, 3 * edge))
    low = 0.0
    high = angle_across(D, F, S, T, t, edge, N, W.facing)
    if slope_over(F, W, X, p, N, m, low) <= 0.0 or slope_over(F, W, X, p, N, m, high) >= 0.0:
        return -math.inf
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if slope_over(F, W, X, p, N, m, middle) > 0.0:
            low = middle
        else:
            high = middle
    return W.nearest[0]


@inlined
def least_deep(D: Ints, F: Floats, W: Work, S: Surface, T: Placed, k: int, tri: Placed, X: Placed) -> None:
    """Of a core that overlaps a triangle, find the normal of its own along which it is least deep, its face's
    or one at an edge, and note it for when no triangle has any contact."""
    t = Triangle(at(D, S.faces + k * Triangle.size))
    V = at(F, int(tri.vertices))
    triangle_normal(V, W.triangle)
    put(W.v, -W.triangle[0], -W.triangle[1], -W.triangle[2])
    support(F, X, W.v, W.xb)
    best = dot(W.triangle, W.xb) - dot(W.triangle, tri.centre)
    n = W.best_normal
    put_sum(n, W.triangle, 0.0, V)
    for edge in range(3):
        if t.edges[edge] > 0:
            gap = over_edge(D, F, W, S, T, k, edge, tri, X)
            if gap > best:
                best = gap
                put_sum(n, W.normal, 0.0, V)
    if not (best > W.fallback_gap):
        return
    W.fallback_gap = best
    put_sum(W.fallback_normal, n, 0.0, V)
    put_sum(W.normal, n, 0.0, V)
    put(W.v, -n[0], -n[1], -n[2])
    support(F, X, W.v, W.xb)
    put_sum(W.xa, W.xb, -best, n)
    W.nearest[0] = best
    points_of_normal(D, F, W, tri, X)
    put_sum(at(W.fallback_points, 0), W.xa, 0.0, V)
    put_sum(at(W.fallback_points, 3), W.xb, 0.0, V)


@inlined
def fall_back(W: Work, T: Placed, X: Placed) -> None:
    """The contact that was noted."""
    put_sum(W.normal, W.fallback_normal, 0.0, W.fallback_normal)
    put_sum(W.xa, W.fallback_points, 0.0, W.normal)
    put_sum(W.xb, at(W.fallback_points, 3), 0.0, W.normal)
    add_point(W, T, X, W.xa, W.xb, W.fallback_gap, 8.0)


# --- one triangle --------------------------------------------------------------------------------
@inlined
def number_points(W: Work, first: int, k: int) -> None:
    """Give the points since `first` the number of their triangle."""
    for i in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, i * PatchPoint.size))
        point.feature += float(TRIANGLE) * k


@inlined
def drop_point(W: Work, k: int) -> None:
    """Take a point from the patch; the last one takes its place."""
    last = int(W.count) - 1
    for i in range(PatchPoint.size):
        W.patch[k * PatchPoint.size + i] = W.patch[last * PatchPoint.size + i]
    W.count = float(last)


@inlined
def turn_points(W: Work, first: int) -> None:
    """Exchange a and b in the points since `first`."""
    for k in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        for c in range(3):
            x = point.xa[c]
            point.xa[c] = point.xb[c]
            point.xb[c] = x
            point.n[c] = -point.n[c]


@inlined
def ring_on_triangle(D: Ints, F: Floats, W: Work, M: Marks, S: Surface, T: Placed, k: int, tri: Placed, X: Placed) -> None:
    """A ring against a triangle: the places whose normals are the triangle's."""
    first = int(W.count)
    circle_pair(F, W, M, X, tri)
    turn_points(W, first)
    i = int(W.count) - 1
    V = at(F, int(tri.vertices))
    while i >= first:
        point = PatchPoint(at(W.patch, i * PatchPoint.size))
        if judge(D, F, W, S, T, k, V, point.n, tri.reach) != KEEP:
            drop_point(W, i)
        i -= 1


@compiled
def triangle_pair(
    D: Ints, F: Floats, W: Work, M: Marks, S: Surface, T: Placed, k: int, tri: Placed, X: Placed
) -> None:
    """Triangle k of a mesh, as a, against a core."""
    first = int(W.count)
    V = at(F, int(tri.vertices))
    if int(X.kind) == Core.CIRCLE:
        ring_on_triangle(D, F, W, M, S, T, k, tri, X)
        number_points(W, first, k)
        return
    found = convex_normal(D, F, W, M, tri, X)
    if found == NONE:
        return
    is_deep = found == FOUND and W.nearest[0] < 0.0
    if found == FLAT:
        triangle_normal(V, W.normal)
    way = judge(D, F, W, S, T, k, V, W.normal, tri.reach)
    if way == SKIP and is_deep:
        least_deep(D, F, W, S, T, k, tri, X)
    elif way == KEEP:
        triangle_normal(V, W.triangle)
        if dot(W.triangle, W.normal) > 1.0 - SQUARE * SQUARE:
            put_sum(W.normal, W.triangle, 0.0, V)
        meet(D, F, W, tri, X)
    elif way == OWN:
        over_face(D, F, W, tri, X)
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
@inlined
def is_alike(P: PatchPoint, Q: PatchPoint) -> int:
    """Whether two points belong to one patch."""
    return 1 if dot(P.n, Q.n) > ALIKE else 0


@inlined
def is_twin(W: Work, first: int, k: int, near: float) -> int:
    """Whether a point lies where an earlier one of its patch lies."""
    x = PatchPoint(at(W.patch, k * PatchPoint.size)).xb
    for i in range(first, k):
        y = PatchPoint(at(W.patch, i * PatchPoint.size)).xb
        if math.fabs(x[0] - y[0]) + math.fabs(x[1] - y[1]) + math.fabs(x[2] - y[2]) < near:
            return 1
    return 0


@inlined
def bring(W: Work, k: int, target: int) -> None:
    """Move point k to an earlier place; those between move up by one."""
    spare = at(W.patch, ROWS * PatchPoint.size)
    for i in range(PatchPoint.size):
        spare[i] = W.patch[k * PatchPoint.size + i]
    j = k
    while j > target:
        for i in range(PatchPoint.size):
            W.patch[j * PatchPoint.size + i] = W.patch[(j - 1) * PatchPoint.size + i]
        j -= 1
    for i in range(PatchPoint.size):
        W.patch[target * PatchPoint.size + i] = spare[i]


@inlined
def finish_group(W: Work, start: int, end: int, near: float) -> int:
    """Drop twins and reduce the points from start to end; where they end now."""
    m = start
    for k in range(start, end):
        if k > m:
            for i in range(PatchPoint.size):
                W.patch[m * PatchPoint.size + i] = W.patch[k * PatchPoint.size + i]
        if is_twin(W, start, m, near) == 0:
            m += 1
    kept = W.count
    W.count = float(m)
    reduce_patch(W, start)
    m = int(W.count)
    W.count = kept
    return m


@compiled
def reduce_patches(W: Work, start: int, near: float) -> None:
    """Of points with many normals, leave at most four for each normal, and no twins."""
    end = start
    total = int(W.count)
    while end < total:
        n = end + 1
        for k in range(end + 1, total):
            head = PatchPoint(at(W.patch, end * PatchPoint.size))
            if is_alike(head, PatchPoint(at(W.patch, k * PatchPoint.size))) != 0:
                bring(W, k, n)
                n += 1
        m = finish_group(W, end, n, near)
        for k in range((total - n) * PatchPoint.size):
            W.patch[m * PatchPoint.size + k] = W.patch[n * PatchPoint.size + k]
        total -= n - m
        end = m
    W.count = float(total)


@inlined
def each_triangle(
    H: Detection, D: Ints, F: Floats, W: Work, M: Marks, T: Placed, X: Placed, low: Floats, high: Floats
) -> None:
    """All triangles of a mesh that are near a core."""
    S = Surface.of(H, int(T.surface))
    tri = Placed(W.mesh_a)
    tri.local[0] = 0.0
    bounds_of(F, W, T, X, low, high)
    near = 1e-7 * X.reach
    before = W.count
    W.fallback_gap = -math.inf
    k = next_leaf(D, F, S, 0, low, high)
    while k >= 0:
        t = TreeNode(at(D, S.tree + k * TreeNode.size)).triangle
        if int(W.count) > ROWS - ROOM:
            reduce_patches(W, 0, near)
        triangle_core(H, D, F, S, T, t, tri)
        triangle_pair(D, F, W, M, S, T, t, tri, X)
        k = next_leaf(D, F, S, k + 1, low, high)
    # where each triangle leaves a core to its neighbours
    if W.count == before and W.fallback_gap > -math.inf and int(X.kind) != Core.CIRCLE:
        fall_back(W, T, X)


@compiled
def mesh_pair(H: Detection, D: Ints, F: Floats, W: Work, M: Marks, X: Placed, T: Placed) -> None:
    """A convex core or a ring, as a, against a mesh."""
    first = int(W.count)
    each_triangle(H, D, F, W, M, T, X, W.low, W.high)
    turn_points(W, first)
    reduce_patches(W, first, 1e-7 * X.reach)


@compiled
def two_meshes(H: Detection, D: Ints, F: Floats, W: Work, M: Marks, A: Placed, B: Placed) -> None:
    """Two meshes: the triangles of a near b, each against those of b."""
    S = Surface.of(H, int(A.surface))
    tri = Placed(W.mesh_b)
    tri.local[0] = 1.0
    first = int(W.count)
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
