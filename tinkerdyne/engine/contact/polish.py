"""Polishing the normal of two convex cores: the direction in which they are furthest apart, to rounding.

    g(n) = min n·w over w in b − a;  on unit vectors, the distance is its maximum, or less the least overlap

g is smooth where both cores show a point (a rim, a vertex); it has a ridge along the normals of a round side
(a circle) and across an edge (a great circle), and peaks at the normals of faces. A rough normal is improved
on each of these that is near, and the best is taken.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Core, Placed, Work
from tinkerdyne.engine.contact.gjk import difference, vertex
from tinkerdyne.engine.contact.support import corner_of, face_of, n_corners
from tinkerdyne.engine.contact.vectors import (
    dot,
    make_unit,
    perpendicular,
    put,
    put_cross,
    put_sum,
    turn,
)

NEAR = 0.98  # cosine up to which a face's normal is tried
BESIDE = 0.2  # sine up to which the normals of a round side or across an edge are tried
CLOSE = 2e-3  # rad: the first step of a climb, for rough normals are seldom further off, …
FURTHER = 4.0  # … and how much longer each next one is, …
HALF_ROUND = 2.0  # … up to this
FINE = 1e-13  # rad
NEWTONS = 8
SAME = 1e-14  # of the size: what counts as no worse; then a face, an edge or a side is preferred
LAST = 4  # the place of the simplex that is free


@compiled
def gap_along(F: Floats, W: Work, A: Placed, B: Placed, n: Floats) -> float:
    """g(n); the point of b − a is the last one of the simplex."""
    difference(F, A, B, n, vertex(W, LAST))
    return dot(n, vertex(W, LAST).w)


@inlined
def is_round(X: Placed) -> int:
    """Whether a core has rims."""
    return 1 if int(X.kind) == Core.CYLINDER or int(X.kind) == Core.CONE else 0


@inlined
def is_cornered(X: Placed) -> int:
    """Whether a core has faces, edges and vertices."""
    return 1 if int(X.kind) == Core.BOX or int(X.kind) == Core.HULL else 0


@compiled
def offer(F: Floats, W: Work, A: Placed, B: Placed, n: Floats, best: float) -> float:
    """Take a normal where it is no worse than the best; returns the best gap."""
    g = gap_along(F, W, A, B, n)
    if g >= best - SAME * (A.reach + B.reach):
        put(W.normal, n[0], n[1], n[2])
        return g
    return best


# --- ridges --------------------------------------------------------------------------------------
@inlined
def on_circle(c: Floats, angle: float, n: Floats, slope: Floats) -> None:
    """n = axis + cos p + sin q of a circle (axis, p, q), and dn/dangle."""
    cos = math.cos(angle)
    sin = math.sin(angle)
    for i in range(3):
        n[i] = c[i] + cos * c[3 + i] + sin * c[6 + i]
        slope[i] = cos * c[6 + i] - sin * c[3 + i]


@compiled
def slope_at(F: Floats, W: Work, A: Placed, B: Placed, angle: float) -> float:
    """dg/dangle on the circle."""
    n = at(W.circle, 9)
    on_circle(W.circle, angle, n, at(W.circle, 12))
    difference(F, A, B, n, vertex(W, LAST))
    return dot(at(W.circle, 12), vertex(W, LAST).w)


@compiled
def along_ridge(F: Floats, W: Work, A: Placed, B: Placed, best: float) -> float:
    """Climb the circle of normals W.circle from the one that is nearest to W.normal; returns the best gap."""
    start = math.atan2(dot(at(W.circle, 6), W.normal), dot(at(W.circle, 3), W.normal))
    way = math.copysign(1.0, slope_at(F, W, A, B, start))
    step = CLOSE
    while step < HALF_ROUND and way * slope_at(F, W, A, B, start + way * step) > 0.0:
        start += way * step
        step *= FURTHER
    low = min(start, start + way * step)
    high = max(start, start + way * step)
    while high - low > FINE:
        middle = 0.5 * (low + high)
        if slope_at(F, W, A, B, middle) > 0.0:
            low = middle
        else:
            high = middle
    on_circle(W.circle, 0.5 * (low + high), at(W.circle, 9), at(W.circle, 12))
    make_unit(at(W.circle, 9))
    return offer(F, W, A, B, at(W.circle, 9), best)


@inlined
def side_circle(X: Placed, sign: float, c: Floats) -> None:
    """The normals of the round side of a cylinder or cone, as they look from a to b."""
    sx = 0.0
    sr = 1.0
    if int(X.kind) == Core.CONE:
        height = X.extent[0] + X.extent[2]
        slant = math.sqrt(height * height + X.extent[1] * X.extent[1])
        sx = sign * X.extent[1] / slant
        sr = height / slant
    for i in range(3):
        c[i] = sx * X.axes[i]
        c[3 + i] = sr * X.axes[3 + i]
        c[6 + i] = sr * X.axes[6 + i]


@inlined
def edge_circle(W: Work, e: Floats, c: Floats) -> None:
    """The normals across an edge."""
    make_unit(e)
    put(c, 0.0, 0.0, 0.0)
    perpendicular(e, at(c, 3))
    put_cross(at(c, 6), e, at(c, 3))


@inlined
def highest_edge(F: Floats, X: Placed, d: Floats, out: Floats) -> None:
    """out ← the edge of a core with corners between the two that lie furthest along d."""
    p = at(out, 3)
    q = at(out, 6)
    first = -math.inf
    second = -math.inf
    for k in range(n_corners(X)):
        corner_of(F, X, k, out)
        height = dot(d, out)
        if height > first:
            second = first
            put_sum(q, p, 0.0, d)
            first = height
            put_sum(p, out, 0.0, d)
        elif height > second:
            second = height
            put_sum(q, out, 0.0, d)
    put_sum(out, q, -1.0, p)


@compiled
def improve(D: Ints, F: Floats, W: Work, A: Placed, B: Placed, X: Placed, sign: float, best: float) -> float:
    """Try the faces, sides and edges of one core, whose normals look along sign · n."""
    n = at(W.circle, 9)
    put(W.v, sign * W.normal[0], sign * W.normal[1], sign * W.normal[2])
    if is_round(X) != 0:
        x = dot(X.axes, W.v)
        if math.fabs(x) > NEAR and (x < 0.0 or int(X.kind) == Core.CYLINDER):
            s = sign if x > 0.0 else -sign
            put(n, s * X.axes[0], s * X.axes[1], s * X.axes[2])
            best = offer(F, W, A, B, n, best)
        side_circle(X, sign, W.circle)
        if math.fabs(dot(W.circle, W.normal) - dot(W.circle, W.circle)) < BESIDE:
            best = along_ridge(F, W, A, B, best)
    elif is_cornered(X) != 0:
        face_of(D, F, X, W.v, W.facing, W.first)
        if dot(W.facing, W.v) > NEAR:
            put(n, sign * W.facing[0], sign * W.facing[1], sign * W.facing[2])
            best = offer(F, W, A, B, n, best)
        put(W.v, sign * W.normal[0], sign * W.normal[1], sign * W.normal[2])
        highest_edge(F, X, W.v, W.third)
        edge_circle(W, W.third, W.circle)
        best = along_ridge(F, W, A, B, best)
    elif int(X.kind) == Core.SEGMENT and math.fabs(dot(X.axes, W.v)) < BESIDE:
        put_sum(W.v, X.axes, 0.0, n)
        edge_circle(W, W.v, W.circle)
        best = along_ridge(F, W, A, B, best)
    return best


# --- where both show a point ---------------------------------------------------------------------
@inlined
def bend(X: Placed, sign: float, W: Work, p: Floats, q: Floats, H: Floats) -> None:
    """Take the curvature of a rim from H (three numbers: pp, pq, qq): (R/r) τ τᵀ, with τ along the rim."""
    n = W.normal
    y = sign * dot(at(X.axes, 3), n)
    z = sign * dot(at(X.axes, 6), n)
    r = math.sqrt(y * y + z * z)
    x = sign * dot(X.axes, n)
    is_apex = int(X.kind) == Core.CONE and x * (X.extent[0] + X.extent[2]) >= r * X.extent[1]
    if is_round(X) == 0 or is_apex or r < 1e-6:
        return
    turn(X.axes, 0.0, -z / r, y / r, W.v)
    u = dot(W.v, p)
    v = dot(W.v, q)
    H[0] -= X.extent[1] / r * u * u
    H[1] -= X.extent[1] / r * u * v
    H[2] -= X.extent[1] / r * v * v


@compiled
def newton(F: Floats, W: Work, A: Placed, B: Placed, best: float) -> float:
    """Climb g where it is smooth, by Newton's method on unit vectors; returns the best gap."""
    p = W.circle
    q = at(W.circle, 3)
    H = at(W.circle, 6)
    trial = at(W.circle, 9)
    for _ in range(NEWTONS):
        g = gap_along(F, W, A, B, W.normal)
        perpendicular(W.normal, p)
        put_cross(q, W.normal, p)
        put(H, -g, 0.0, -g)
        bend(A, 1.0, W, p, q, H)
        bend(B, -1.0, W, p, q, H)
        u = dot(p, vertex(W, LAST).w)
        v = dot(q, vertex(W, LAST).w)
        det = H[0] * H[2] - H[1] * H[1]
        if not (det > 0.0 and H[0] < 0.0):
            break
        put_sum(trial, W.normal, -(H[2] * u - H[1] * v) / det, p)
        put_sum(trial, trial, -(H[0] * v - H[1] * u) / det, q)
        make_unit(trial)
        if not (gap_along(F, W, A, B, trial) > g):
            break
        put(W.normal, trial[0], trial[1], trial[2])
    return max(best, gap_along(F, W, A, B, W.normal))


@compiled
def polish(D: Ints, F: Floats, W: Work, A: Placed, B: Placed) -> None:
    """Improve W.normal; W.nearest[0] becomes the gap along it."""
    best = gap_along(F, W, A, B, W.normal)
    best = newton(F, W, A, B, best)
    best = improve(D, F, W, A, B, A, 1.0, best)
    best = improve(D, F, W, A, B, B, -1.0, best)
    W.nearest[0] = best


@compiled
def snap_to_faces(D: Ints, F: Floats, W: Work, A: Placed, B: Placed) -> None:
    """Take the normal of a face in place of W.normal where it is no worse: of cores with corners that hardly
    touch, the direction between two points has lost its digits, and a face has not."""
    best = gap_along(F, W, A, B, W.normal)
    n = at(W.circle, 9)
    for k in range(2):
        sign = 1.0 if k == 0 else -1.0
        X = A if k == 0 else B
        if is_cornered(X) == 0:
            continue
        put(W.v, sign * W.normal[0], sign * W.normal[1], sign * W.normal[2])
        face_of(D, F, X, W.v, W.facing, W.first)
        if dot(W.facing, W.v) > NEAR:
            put(n, sign * W.facing[0], sign * W.facing[1], sign * W.facing[2])
            best = offer(F, W, A, B, n, best)
    W.nearest[0] = best
