"""The nearest points of two convex cores that are apart (Gilbert, Johnson and Keerthi).

v = the point of b − a nearest to the origin, as a convex sum of at most four support points
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.detection_records import Placed, Vertex, Work
from tinkerdyne.engine.contact.support import support
from tinkerdyne.engine.contact.vectors import dot, put, put_cross, put_sum

MOST = 100  # iterations
CLOSE = 1e-14  # of |v|²: what another support point may still gain
TOUCHING = 1e-9  # of the size: nearer than this the direction of v is rounding
THIN = 1e-10  # sine below which a tetrahedron is flat: its sides would be told by rounding

APART, OVERLAP, FAR = 0, 1, 2


@compiled
def difference(F: Floats, A: Placed, B: Placed, d: Floats, out: Vertex) -> None:
    """The point of b − a that lies furthest along −d."""
    support(F, A, d, out.a)
    x = -d[0]
    y = -d[1]
    z = -d[2]
    put(out.w, x, y, z)
    support(F, B, out.w, out.b)
    put(out.w, out.b[0] - out.a[0], out.b[1] - out.a[1], out.b[2] - out.a[2])


@inlined
def note_gap(W: Work, d: Floats, sign: float, gap: float) -> int:
    """Keep the direction sign · d in W.widest, with its gap, where it is the best yet; whether it is."""
    if not (gap > W.widest[3]):
        return 0
    put(W.widest, sign * d[0], sign * d[1], sign * d[2])
    W.widest[3] = gap
    return 1


@inlined
def copy_vertex(source: Vertex, target: Vertex) -> None:
    """target ← source."""
    for i in range(Vertex.size):
        target[i] = source[i]


@inlined
def vertex(W: Work, k: int) -> Vertex:
    """A support point of the simplex."""
    return Vertex(at(W.simplex, k * Vertex.size))


@compiled
def shares_of_edge(W: Work, p: Vertex, q: Vertex) -> float:
    """The nearest point of the edge p q, by shares; returns its squared distance."""
    x = q.w[0] - p.w[0]
    y = q.w[1] - p.w[1]
    z = q.w[2] - p.w[2]
    length = x * x + y * y + z * z
    t = 0.0
    if length > 0.0:
        t = min(max(-(p.w[0] * x + p.w[1] * y + p.w[2] * z) / length, 0.0), 1.0)
    p.share = 1.0 - t
    q.share = t
    a = p.w[0] + t * x
    b = p.w[1] + t * y
    c = p.w[2] + t * z
    return a * a + b * b + c * c


@inlined
def inside_triangle(W: Work, p: Vertex, q: Vertex, r: Vertex) -> float:
    """The point of a triangle's plane that is nearest to the origin, by shares, and its squared distance; −1
    where it lies outside. By two directions at right angles: the areas of a thin triangle are rounding."""
    e = W.v
    f = W.xa
    put_sum(e, q.w, -1.0, p.w)
    put_sum(f, r.w, -1.0, p.w)
    length = dot(e, e)
    if not (length > 0.0):
        return -1.0
    slant = 0.0
    for _ in range(2):  # once more takes away what rounding left
        more = dot(e, f) / length
        put_sum(f, f, -more, e)
        slant += more
    height = dot(f, f)
    if not (height > 0.0):
        return -1.0
    along_edge = -dot(e, p.w) / length
    put_sum(W.xb, p.w, along_edge, e)
    v = -dot(f, W.xb) / height
    u = along_edge - v * slant
    if not (u >= 0.0 and v >= 0.0 and u + v <= 1.0):
        return -1.0
    p.share = 1.0 - u - v
    q.share = u
    r.share = v
    put_sum(W.xb, W.xb, v, f)
    return dot(W.xb, W.xb)


@compiled
def shares_of_triangle(W: Work, p: Vertex, q: Vertex, r: Vertex) -> float:
    """The nearest point of a triangle, by shares; returns its squared distance."""
    inside = inside_triangle(W, p, q, r)
    if inside >= 0.0:
        return inside
    best = shares_of_edge(W, p, q)
    a = p.share
    b = q.share
    c = 0.0
    d = shares_of_edge(W, q, r)
    if d < best:
        best = d
        a = 0.0
        b = q.share
        c = r.share
    d = shares_of_edge(W, r, p)
    if d < best:
        best = d
        a = p.share
        b = 0.0
        c = r.share
    p.share = a
    q.share = b
    r.share = c
    return best


@compiled
def is_outside(W: Work, p: Vertex, q: Vertex, r: Vertex, s: Vertex) -> int:
    """Whether the origin lies on the other side of the plane p q r than s, or s hardly aside of it."""
    put(W.v, q.w[0] - p.w[0], q.w[1] - p.w[1], q.w[2] - p.w[2])
    put(W.xa, r.w[0] - p.w[0], r.w[1] - p.w[1], r.w[2] - p.w[2])
    put_cross(W.xb, W.v, W.xa)
    origin = -dot(W.xb, p.w)
    inside = dot(W.xb, s.w) - dot(W.xb, p.w)
    put_sum(W.v, s.w, -1.0, p.w)
    is_flat = inside * inside <= THIN * THIN * dot(W.xb, W.xb) * dot(W.v, W.v)
    return 1 if is_flat or not (origin * inside > 0.0) else 0


@compiled
def take_face(W: Work, i: int, j: int, k: int, best: float) -> float:
    """Where the face i j k of the tetrahedron comes nearer than the best yet, note it in W.nearest."""
    d = shares_of_triangle(W, vertex(W, i), vertex(W, j), vertex(W, k))
    if d < best:
        for c in range(4):
            W.nearest[c] = 0.0
        W.nearest[i] = vertex(W, i).share
        W.nearest[j] = vertex(W, j).share
        W.nearest[k] = vertex(W, k).share
        return d
    return best


@compiled
def nearest_side(W: Work, of_all: int) -> float:
    """The nearest of those sides of the tetrahedron that look to the origin, or of all; its squared distance,
    with its shares in W.nearest, or infinity."""
    best = math.inf
    if of_all != 0 or is_outside(W, vertex(W, 0), vertex(W, 1), vertex(W, 2), vertex(W, 3)) != 0:
        best = take_face(W, 0, 1, 2, best)
    if of_all != 0 or is_outside(W, vertex(W, 0), vertex(W, 2), vertex(W, 3), vertex(W, 1)) != 0:
        best = take_face(W, 0, 2, 3, best)
    if of_all != 0 or is_outside(W, vertex(W, 0), vertex(W, 3), vertex(W, 1), vertex(W, 2)) != 0:
        best = take_face(W, 0, 3, 1, best)
    if of_all != 0 or is_outside(W, vertex(W, 1), vertex(W, 3), vertex(W, 2), vertex(W, 0)) != 0:
        best = take_face(W, 1, 3, 2, best)
    return best


@inlined
def shares_of_tetrahedron(W: Work, square: float) -> int:
    """The nearest point of the tetrahedron, by shares; whether it holds the origin. Which sides of a thin one
    look to the origin is rounding: where these are no nearer than what was known (its square), or a direction
    was seen that parts the cores, all sides count."""
    best = nearest_side(W, 0)
    if best == math.inf and W.widest[3] <= 0.0:
        return 1
    if not (best < square):
        nearest_side(W, 1)
    for k in range(4):
        vertex(W, k).share = W.nearest[k]
    return 0


@inlined
def nearest_in_simplex(W: Work, square: float) -> int:
    """Drop the support points that have no share in the nearest point, which becomes W.v; 1 where the
    simplex holds the origin."""
    n = int(W.simplex_size)
    if n == 1:
        vertex(W, 0).share = 1.0
    elif n == 2:
        shares_of_edge(W, vertex(W, 0), vertex(W, 1))
    elif n == 3:
        shares_of_triangle(W, vertex(W, 0), vertex(W, 1), vertex(W, 2))
    elif shares_of_tetrahedron(W, square) != 0:
        return 1
    m = 0
    put(W.v, 0.0, 0.0, 0.0)
    for k in range(n):
        if vertex(W, k).share > 0.0:
            if m < k:
                copy_vertex(vertex(W, k), vertex(W, m))
            put_sum(W.v, W.v, vertex(W, m).share, vertex(W, m).w)
            m += 1
    W.simplex_size = float(m)
    return 0


@inlined
def is_known(W: Work, n: int) -> int:
    """Whether the newest support point is in the simplex already."""
    new = vertex(W, n).w
    for k in range(n):
        old = vertex(W, k).w
        if old[0] == new[0] and old[1] == new[1] and old[2] == new[2]:
            return 1
    return 0


@inlined
def witnesses(W: Work) -> None:
    """W.xa, W.xb: the nearest points of both cores, by the shares of the simplex."""
    put(W.xa, 0.0, 0.0, 0.0)
    put(W.xb, 0.0, 0.0, 0.0)
    for k in range(int(W.simplex_size)):
        p = vertex(W, k)
        put_sum(W.xa, W.xa, p.share, p.a)
        put_sum(W.xb, W.xb, p.share, p.b)


@compiled
def gjk(F: Floats, W: Work, A: Placed, B: Placed, limit: float) -> int:
    """APART: W.normal, W.xa, W.xb and W.nearest[0] (the distance) are found; FAR: further apart than the
    limit; OVERLAP: not apart, the simplex is the last one. W.widest is the best direction on the way."""
    W.widest[3] = -math.inf
    put(W.v, B.centre[0] - A.centre[0], B.centre[1] - A.centre[1], B.centre[2] - A.centre[2])
    if not (dot(W.v, W.v) > 0.0):
        put(W.v, 1.0, 0.0, 0.0)
    difference(F, A, B, W.v, vertex(W, 0))
    W.simplex_size = 1.0
    nearest_in_simplex(W, math.inf)
    touching = TOUCHING * (A.reach + B.reach)
    for _ in range(MOST):
        square = dot(W.v, W.v)
        if not (square > touching * touching):
            return OVERLAP
        n = int(W.simplex_size)
        difference(F, A, B, W.v, vertex(W, n))
        way = dot(W.v, vertex(W, n).w)
        root = math.sqrt(square)
        note_gap(W, W.v, 1.0 / root, way / root)
        if way > 0.0 and way * way > square * limit * limit:
            return FAR
        if square - way <= CLOSE * square or is_known(W, n) != 0:
            break
        W.simplex_size = float(n + 1)
        if nearest_in_simplex(W, square) != 0:
            return OVERLAP
        if not (dot(W.v, W.v) < square):  # rounding: no nearer any more
            break
    distance = math.sqrt(dot(W.v, W.v))
    if distance > limit:
        return FAR
    put(W.normal, W.v[0] / distance, W.v[1] / distance, W.v[2] / distance)
    W.nearest[0] = distance
    witnesses(W)
    return APART
