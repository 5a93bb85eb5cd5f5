"""Patches: the points in which two convex cores meet across a given normal, four at most.

Where the normal is that of a face, what the other core shows to it is clipped by the sides of that face;
where two edges lie along each other, the ends of their common part are taken; else the nearest points alone.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import (
    CORNERS,
    ROWS,
    Corner,
    PatchPoint,
    Placed,
    Work,
)
from tinkerdyne.engine.contact.support import face_of
from tinkerdyne.engine.contact.vectors import dot, put, put_cross, put_sum

SQUARE = 1e-9  # 1 − cosine up to which a normal is that of a face
PARALLEL = 2e-3  # sine up to which two edges lie along each other
LEVEL = 0.1  # slope up to which an edge lies across the normal
SAME = 1e-9  # of the size: points nearer than this are one
NEARER = 1e-12  # of the size: where all points are further apart than this, the nearest ones count too
# A feature is the number of a corner, and by these multiples: which side of the face clipped the edge behind
# it, whether the edge goes out or in there, and whose the face is.
CLIPPED, OUTWARDS, SECOND, TRIANGLE = 1 << 20, 1 << 27, 1 << 28, 1 << 29


@compiled
def add_point(W: Work, A: Placed, B: Placed, xa: Floats, xb: Floats, gap: float, feature: float) -> None:
    """One more point of the patch, from points of the cores; a gap beyond the margin is left out."""
    phi = gap - A.rounding - B.rounding
    if not (phi <= W.margin) or int(W.count) >= ROWS:
        return
    point = PatchPoint(at(W.patch, int(W.count) * PatchPoint.size))
    put_sum(point.xa, xa, A.rounding, W.normal)
    put_sum(point.xb, xb, -B.rounding, W.normal)
    put_sum(point.n, W.normal, 0.0, W.normal)
    point.gap = phi
    point.feature = feature
    W.count += 1.0


# --- clipping ------------------------------------------------------------------------------------
@inlined
def cut(low: Corner, high: Corner, low_at: float, high_at: float, out: Corner, feature: float) -> None:
    """The point between two corners at which a height is zero."""
    t = low_at / (low_at - high_at)
    put(
        out.x,
        low.x[0] + t * (high.x[0] - low.x[0]),
        low.x[1] + t * (high.x[1] - low.x[1]),
        low.x[2] + t * (high.x[2] - low.x[2]),
    )
    out.feature = feature


@compiled
def clip_side(source: Floats, n: int, out: Floats, p: Floats, side: Floats, k: int, scale: float) -> int:
    """Keep of a polygon what lies behind a plane (Sutherland and Hodgman); an edge counts as two sides."""
    m = 0
    slack = SAME * scale
    for i in range(n):
        here = Corner(at(source, i * Corner.size))
        there = Corner(at(source, (i + 1) % n * Corner.size))
        h = dot(side, here.x) - dot(side, p)
        t = dot(side, there.x) - dot(side, p)
        if h <= slack and m < CORNERS:
            kept = Corner(at(out, m * Corner.size))
            put_sum(kept.x, here.x, 0.0, side)
            kept.feature = here.feature
            m += 1
        if n > 1 and min(h, t) < 0.0 and max(h, t) > slack and m < CORNERS:
            number = here.feature if here.feature < CLIPPED else there.feature
            code = number % CLIPPED + float(CLIPPED) * (k + 1) + (float(OUTWARDS) if h <= 0.0 else 0.0)
            cut(here, there, h, t, Corner(at(out, m * Corner.size)), code)
            m += 1
    return m


@inlined
def widest(face: Floats, n: int) -> float:
    """A size of a polygon: its largest distance from the first corner, along the axes."""
    size = 0.0
    first = Corner(face)
    for i in range(1, n):
        corner = Corner(at(face, i * Corner.size))
        for c in range(3):
            size = max(size, math.fabs(corner.x[c] - first.x[c]))
    return size


@compiled
def clip(W: Work, face: Floats, n_face: int, facing: Floats, shown: Floats, n: int) -> int:
    """Clip what is shown, `n` corners, by the sides of a face; the result lies in W.third."""
    scale = widest(face, n_face)
    source = shown
    out = W.third
    for k in range(n_face):
        p = Corner(at(face, k * Corner.size))
        q = Corner(at(face, (k + 1) % n_face * Corner.size))
        put(W.v, q.x[0] - p.x[0], q.x[1] - p.x[1], q.x[2] - p.x[2])
        put_cross(W.v, W.v, facing)
        length = math.sqrt(dot(W.v, W.v))
        if length > 0.0:
            put(W.v, W.v[0] / length, W.v[1] / length, W.v[2] / length)
        n = clip_side(source, n, out, p.x, W.v, k, scale)
        other = source
        source = out
        out = other
        if n == 0:
            return 0
    if n_face % 2 == 0:
        for i in range(n * Corner.size):
            W.third[i] = source[i]
    return n


@inlined
def is_new(W: Work, x: Floats, first: int, scale: float) -> int:
    """Whether no point of the patch since `first` lies at this place on b."""
    for k in range(first, int(W.count)):
        other = PatchPoint(at(W.patch, k * PatchPoint.size)).xb
        if math.fabs(other[0] - x[0]) + math.fabs(other[1] - x[1]) + math.fabs(other[2] - x[2]) <= scale:
            return 0
    return 1


@inlined
def face_against(W: Work, A: Placed, B: Placed, na: int, nb: int) -> None:
    """A face of a (W.first, facing W.facing) against what b shows (W.second)."""
    facing = W.facing
    n = clip(W, W.first, na, facing, W.second, nb)
    p = Corner(W.first).x
    slope = dot(facing, W.normal)
    scale = 1e-12 + 4.0 * SAME * widest(W.first, na)
    first = int(W.count)
    for k in range(n):
        corner = Corner(at(W.third, k * Corner.size))
        gap = (dot(facing, corner.x) - dot(facing, p)) / slope
        put_sum(W.xb, corner.x, -B.rounding, W.normal)
        if is_new(W, W.xb, first, scale) != 0:
            put_sum(W.xb, corner.x, 0.0, facing)
            put_sum(W.xa, corner.x, -gap, W.normal)
            add_point(W, A, B, W.xa, W.xb, gap, corner.feature)


@inlined
def face_behind(W: Work, A: Placed, B: Placed, na: int, nb: int) -> None:
    """What a shows (W.first) against a face of b (W.second, facing W.facing + 4)."""
    facing = at(W.facing, 4)
    n = clip(W, W.second, nb, facing, W.first, na)
    p = Corner(W.second).x
    slope = dot(facing, W.normal)
    scale = 1e-12 + 4.0 * SAME * widest(W.second, nb)
    first = int(W.count)
    for k in range(n):
        corner = Corner(at(W.third, k * Corner.size))
        gap = (dot(facing, p) - dot(facing, corner.x)) / slope
        put_sum(W.xb, corner.x, gap - B.rounding, W.normal)
        if is_new(W, W.xb, first, scale) != 0:
            put_sum(W.xb, corner.x, gap, W.normal)
            put_sum(W.xa, corner.x, 0.0, facing)
            add_point(W, A, B, W.xa, W.xb, gap, corner.feature + float(SECOND))


# --- edges ---------------------------------------------------------------------------------------
@compiled
def narrow(face: Floats, n: int, direction: Floats, sign: float) -> int:
    """Leave of a face only the edge that lies furthest along a direction and across it, or nothing."""
    best = -1
    most = 0.0
    for k in range(n):
        p = Corner(at(face, k * Corner.size))
        q = Corner(at(face, (k + 1) % n * Corner.size))
        rise = 0.0
        length = 0.0
        for c in range(3):
            rise += sign * direction[c] * (q.x[c] - p.x[c])
            length += (q.x[c] - p.x[c]) * (q.x[c] - p.x[c])
        height = sign * (dot(p.x, direction) + dot(q.x, direction)) / 2.0
        if rise * rise <= LEVEL * LEVEL * length and (best < 0 or height > most):
            best = k
            most = height
    if best < 0:
        return 0
    k = (best + 1) % n
    p = Corner(at(face, best * Corner.size))
    q = Corner(at(face, k * Corner.size))
    px = p.x[0]
    py = p.x[1]
    pz = p.x[2]
    code = p.feature
    second = q.feature
    put_sum(Corner(at(face, Corner.size)).x, q.x, 0.0, direction)
    put(Corner(face).x, px, py, pz)
    Corner(face).feature = code
    Corner(at(face, Corner.size)).feature = second
    return 2


@compiled
def edge_along_edge(W: Work, A: Placed, B: Placed) -> int:
    """The ends of the common part of two edges that lie along each other; whether they do."""
    p = Corner(W.first).x
    q = Corner(at(W.first, Corner.size)).x
    r = Corner(W.second).x
    s = Corner(at(W.second, Corner.size)).x
    e = W.v
    put(e, q[0] - p[0], q[1] - p[1], q[2] - p[2])
    length = math.sqrt(dot(e, e))
    put(W.xa, s[0] - r[0], s[1] - r[1], s[2] - r[2])
    other = math.sqrt(dot(W.xa, W.xa))
    cos = dot(e, W.xa)
    put_cross(W.xb, e, W.xa)
    if not (length > 0.0 and other > 0.0 and dot(W.xb, W.xb) < (PARALLEL * length * other) ** 2):
        return 0
    low = max(0.0, min(dot(e, r) - dot(e, p), dot(e, s) - dot(e, p)) / (length * length))
    high = min(1.0, max(dot(e, r) - dot(e, p), dot(e, s) - dot(e, p)) / (length * length))
    if not (high - low > SAME):
        return 0
    for k in range(2):
        t = low if k == 0 else high
        put(W.xa, p[0] + t * e[0], p[1] + t * e[1], p[2] + t * e[2])
        u = (t * length * length - (dot(e, r) - dot(e, p))) / cos
        put(W.xb, r[0] + u * (s[0] - r[0]), r[1] + u * (s[1] - r[1]), r[2] + u * (s[2] - r[2]))
        gap = dot(W.normal, W.xb) - dot(W.normal, W.xa)
        # what lies aside of each other is brought onto one line of the normal, halfway
        put(
            W.triangle,
            (W.xb[0] - W.xa[0] - gap * W.normal[0]) / 2.0,
            (W.xb[1] - W.xa[1] - gap * W.normal[1]) / 2.0,
            (W.xb[2] - W.xa[2] - gap * W.normal[2]) / 2.0,
        )
        put_sum(W.xa, W.xa, 1.0, W.triangle)
        put_sum(W.xb, W.xb, -1.0, W.triangle)
        add_point(W, A, B, W.xa, W.xb, gap, float(16 + k))
    return 1


@inlined
def least_gap(W: Work, first: int) -> float:
    """The least gap of the points since `first`."""
    least = math.inf
    for k in range(first, int(W.count)):
        least = min(least, PatchPoint(at(W.patch, k * PatchPoint.size)).gap)
    return least


@compiled
def meet(D: Ints, F: Floats, W: Work, A: Placed, B: Placed) -> None:
    """Add the points in which two convex cores meet across W.normal; W.xa and W.xb are the nearest ones."""
    before = W.count
    ax = W.xa[0]
    ay = W.xa[1]
    az = W.xa[2]
    bx = W.xb[0]
    by = W.xb[1]
    bz = W.xb[2]
    n = W.normal
    na = face_of(D, F, A, n, W.facing, W.first)
    put(at(W.facing, 4), -n[0], -n[1], -n[2])
    put(W.v, -n[0], -n[1], -n[2])
    nb = face_of(D, F, B, W.v, at(W.facing, 4), W.second)
    of_a = dot(W.facing, n) if na > 2 else 0.0
    of_b = -dot(at(W.facing, 4), n) if nb > 2 else 0.0
    if of_a > 1.0 - SQUARE and of_a >= of_b:
        face_against(W, A, B, na, nb)
    elif of_b > 1.0 - SQUARE:
        face_behind(W, A, B, na, nb)
    else:
        if na > 2:
            na = narrow(W.first, na, n, 1.0)
        if nb > 2:
            nb = narrow(W.second, nb, n, -1.0)
        if na == 2 and nb == 2:
            edge_along_edge(W, A, B)
    put(W.xa, ax, ay, az)
    put(W.xb, bx, by, bz)
    gap = dot(n, W.xb) - dot(n, W.xa)
    nearer = gap - A.rounding - B.rounding + NEARER * (A.reach + B.reach)
    if W.count == before or least_gap(W, int(before)) > nearer:
        add_point(W, A, B, W.xa, W.xb, gap, float(8))
