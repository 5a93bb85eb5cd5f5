"""Pairs in the plane: discs and convex polygons.

A polygon that is not convex is several convex parts; the sides between parts are inner ones, and no normal
is taken from them. Vertices lie counterclockwise, z is zero.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Placed, Work
from tinkerdyne.engine.contact.gjk import APART, gjk
from tinkerdyne.engine.contact.patches import SECOND, add_point
from tinkerdyne.engine.contact.vectors import dot, put, put_sum

PROVEN = 1e-9  # of the size: points this near to a bound of the distance show that it is met
FIRST = 1e-9  # of the size: a side of b must be better than those of a by this


@inlined
def corner(F: Floats, X: Placed, k: int, out: Floats) -> None:
    """A vertex of a polygon."""
    put_sum(out, X.centre, 1.0, at(F, int(X.vertices) + 3 * (k % int(X.n_vertices))))


@inlined
def side_normal(F: Floats, X: Placed, k: int, out: Floats) -> None:
    """The outward normal of side k, which runs from corner k to the next."""
    V = at(F, int(X.vertices))
    n = int(X.n_vertices)
    p = at(V, 3 * k)
    q = at(V, 3 * ((k + 1) % n))
    x = q[0] - p[0]
    y = q[1] - p[1]
    length = math.sqrt(x * x + y * y)
    put(out, y / length, -x / length, 0.0)


@inlined
def is_inner(D: Ints, X: Placed, k: int) -> int:
    """Whether side k lies between two parts."""
    return D[int(X.faces) + k]


# --- a disc --------------------------------------------------------------------------------------
@inlined
def aside_of_sides(D: Ints, F: Floats, W: Work, X: Placed, p: Floats) -> int:
    """The side above which a point lies highest, its normal in W.facing, the height in W.nearest[0]."""
    best = -1
    W.nearest[0] = -math.inf
    for k in range(int(X.n_vertices)):
        if is_inner(D, X, k) != 0:
            continue
        side_normal(F, X, k, W.v)
        corner(F, X, k, W.xa)
        height = dot(W.v, p) - dot(W.v, W.xa)
        if height > W.nearest[0]:
            best = k
            W.nearest[0] = height
            put(W.facing, W.v[0], W.v[1], 0.0)
    return best


@inlined
def nearest_on_sides(D: Ints, F: Floats, W: Work, X: Placed, p: Floats) -> float:
    """The nearest point of a polygon's sides, W.xb; returns which side or corner it lies on."""
    best = math.inf
    feature = 0.0
    n = int(X.n_vertices)
    for k in range(n):
        corner(F, X, k, W.xa)
        corner(F, X, k + 1, W.v)
        put_sum(W.v, W.v, -1.0, W.xa)
        t = (dot(W.v, p) - dot(W.v, W.xa)) / dot(W.v, W.v)
        s = min(max(t, 0.0), 1.0)
        put_sum(W.xa, W.xa, s, W.v)
        x = p[0] - W.xa[0]
        y = p[1] - W.xa[1]
        if x * x + y * y < best:
            best = x * x + y * y
            put(W.xb, W.xa[0], W.xa[1], 0.0)
            feature = float(64 + (k if t <= 0.0 else (k + 1) % n)) if t <= 0.0 or t >= 1.0 else float(k)
    return feature


@compiled
def disc_on_polygon(D: Ints, F: Floats, W: Work, A: Placed, X: Placed) -> None:
    """A disc against a convex polygon."""
    p = W.triangle
    put(p, A.centre[0], A.centre[1], 0.0)
    side = aside_of_sides(D, F, W, X, p)
    depth = W.nearest[0]
    if side < 0 or depth > W.margin + A.rounding + X.rounding:
        return
    feature = nearest_on_sides(D, F, W, X, p)
    put_sum(W.v, W.xb, -1.0, p)
    gap = math.sqrt(W.v[0] * W.v[0] + W.v[1] * W.v[1])
    if depth > 0.0 and gap > 0.0:
        put(W.normal, W.v[0] / gap, W.v[1] / gap, 0.0)
    else:
        gap = depth
        feature = float(side)
        put(W.normal, -W.facing[0], -W.facing[1], 0.0)
        put_sum(W.xb, p, gap, W.normal)
    put_sum(W.xa, p, 0.0, p)
    add_point(W, A, X, W.xa, W.xb, gap, feature)


# --- two polygons --------------------------------------------------------------------------------
@inlined
def lowest_above(F: Floats, X: Placed, n: Floats) -> float:
    """The least height of a polygon's vertices along n, from the origin."""
    V = at(F, int(X.vertices))
    least = math.inf
    for k in range(int(X.n_vertices)):
        least = min(least, dot(n, at(V, 3 * k)))
    return least + dot(n, X.centre)


@compiled
def best_side(D: Ints, F: Floats, W: Work, A: Placed, B: Placed) -> int:
    """The side of a from which b is furthest, how far in W.nearest[0]; −1 where all are inner."""
    best = -1
    W.nearest[0] = -math.inf
    for k in range(int(A.n_vertices)):
        if is_inner(D, A, k) != 0:
            continue
        side_normal(F, A, k, W.v)
        corner(F, A, k, W.xa)
        apart = lowest_above(F, B, W.v) - dot(W.v, W.xa)
        if apart > W.nearest[0]:
            best = k
            W.nearest[0] = apart
    return best


@compiled
def opposite_side(F: Floats, X: Placed, n: Floats, out: Floats) -> int:
    """The side of a polygon whose normal looks most against n."""
    best = 0
    least = math.inf
    for k in range(int(X.n_vertices)):
        side_normal(F, X, k, out)
        if dot(out, n) < least:
            least = dot(out, n)
            best = k
    return best


@compiled
def side_on_side(
    F: Floats, W: Work, A: Placed, B: Placed, side: int, other: int, sign: float, code: float
) -> float:
    """Add the ends of b's side `other` over a's side; sign is −1 where the patch has them the other way.
    Returns the least gap."""
    n = at(W.facing, 0)
    t = at(W.facing, 4)
    p = at(W.triangle, 0)
    q = at(W.triangle, 3)
    corner(F, A, side, p)
    corner(F, A, side + 1, q)
    put(t, q[0] - p[0], q[1] - p[1], 0.0)
    length = math.sqrt(dot(t, t))
    put(t, t[0] / length, t[1] / length, 0.0)
    corner(F, B, other, W.xa)
    corner(F, B, other + 1, W.xb)
    a = dot(t, W.xa) - dot(t, p)
    b = dot(t, W.xb) - dot(t, p)
    ha = dot(n, W.xa) - dot(n, p)
    hb = dot(n, W.xb) - dot(n, p)
    least = math.inf
    for k in range(2):
        # places along a's side: b's side runs the other way
        s = min(a, length) if k == 0 else max(b, 0.0)
        if not (b <= a and b <= length and a >= 0.0) or (k == 1 and s >= min(a, length)):
            continue
        height = ha + (hb - ha) * (a - s) / (a - b) if a > b else min(ha, hb)
        least = min(least, height)
        put_sum(W.v, p, s, t)
        put(W.normal, sign * n[0], sign * n[1], 0.0)
        at_end = a <= length if k == 0 else b >= 0.0
        feature = code + float(2 * other + k) + (0.0 if at_end else 4096.0 + side)
        if sign > 0.0:
            put_sum(W.xb, W.v, height, n)
            add_point(W, A, B, W.v, W.xb, height, feature)
        else:
            put_sum(W.xa, W.v, height, n)
            add_point(W, B, A, W.xa, W.v, height, feature)
    return least


@compiled
def polygon_pair(D: Ints, F: Floats, W: Work, A: Placed, B: Placed) -> None:
    """Two convex polygons."""
    limit = W.margin + A.rounding + B.rounding
    size = A.reach + B.reach
    side_a = best_side(D, F, W, A, B)
    apart_a = W.nearest[0]
    side_b = best_side(D, F, W, B, A)
    apart_b = W.nearest[0]
    if max(apart_a, apart_b) > limit or max(side_a, side_b) < 0:
        return
    before = W.count
    bound = max(apart_a, apart_b)
    if side_a >= 0 and not (apart_b > apart_a + FIRST * size):
        side_normal(F, A, side_a, W.facing)
        least = side_on_side(F, W, A, B, side_a, opposite_side(F, B, W.facing, W.v), 1.0, 0.0)
    else:
        side_normal(F, B, side_b, W.facing)
        least = side_on_side(F, W, B, A, side_b, opposite_side(F, A, W.facing, W.v), -1.0, float(SECOND))
    if bound > 0.0 and not (least <= bound + PROVEN * size):
        W.count = before
        if gjk(F, W, A, B, limit) == APART:
            W.normal[2] = 0.0
            add_point(W, A, B, W.xa, W.xb, W.nearest[0], 8.0)
