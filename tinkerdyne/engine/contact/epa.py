"""The least way by which two convex cores that overlap come apart (expanding polytope, van den Bergen).

A polytope inside b − a, with the origin in it, grows at the face that is nearest to the origin, until that
face is one of b − a itself: its normal N and height δ give n = −N and the gap −δ.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import EPA_FACES, EPA_VERTICES, Marks, Placed, Vertex, Work
from tinkerdyne.engine.contact.gjk import copy_vertex, difference, note_gap, shares_of_triangle, vertex
from tinkerdyne.engine.contact.vectors import dot, perpendicular, put, put_cross, put_sum

FLAT = 1e-10  # of the size: a simplex thinner than this is none
ROUND = 1e-7  # of the size: what the nearest face of round cores may still grow, before it is polished
SHARE = 0.01  # of the depth: round cores that hardly overlap want it finer
EXACT = 1e-13  # of the size: cores with corners


@inlined
def node(W: Work, k: int) -> Vertex:
    """A vertex of the polytope."""
    return Vertex(at(W.vertices, k * Vertex.size))


@inlined
def plane(W: Work, f: int) -> Floats:
    """N and δ of a face of the polytope."""
    return at(W.planes, 4 * f)


@inlined
def corners(M: Marks, f: int) -> Ints:
    """The vertices of a face of the polytope; the fourth number is 1 while it is there."""
    return at(M.faces, 4 * f)


# --- the first tetrahedron -----------------------------------------------------------------------
@inlined
def second_point(F: Floats, W: Work, A: Placed, B: Placed, least: float) -> int:
    """A support point away from the first; whether there is one."""
    for k in range(6):
        put(W.v, 0.0, 0.0, 0.0)
        W.v[k % 3] = 1.0 if k < 3 else -1.0
        difference(F, A, B, W.v, vertex(W, 1))
        put_sum(W.xa, vertex(W, 1).w, -1.0, vertex(W, 0).w)
        if dot(W.xa, W.xa) > least * least:
            return 1
    return 0


@inlined
def third_point(F: Floats, W: Work, A: Placed, B: Placed, least: float) -> int:
    """A support point away from the line through two; whether there is one."""
    e = at(W.circle, 0)
    d = at(W.circle, 3)
    put_sum(e, vertex(W, 1).w, -1.0, vertex(W, 0).w)
    length = math.sqrt(dot(e, e))
    put(e, e[0] / length, e[1] / length, e[2] / length)
    perpendicular(e, d)
    for k in range(4):
        if k == 2:
            put_cross(d, e, d)
        s = 1.0 if k % 2 == 0 else -1.0
        put(W.v, s * d[0], s * d[1], s * d[2])
        difference(F, A, B, W.v, vertex(W, 2))
        put_sum(W.xa, vertex(W, 2).w, -1.0, vertex(W, 0).w)
        put_cross(W.xb, W.xa, e)
        if dot(W.xb, W.xb) > least * least:
            return 1
    return 0


@inlined
def fourth_point(F: Floats, W: Work, A: Placed, B: Placed, least: float) -> int:
    """A support point away from the plane of three; whether there is one."""
    normal = at(W.circle, 0)
    put_sum(W.xa, vertex(W, 1).w, -1.0, vertex(W, 0).w)
    put_sum(W.xb, vertex(W, 2).w, -1.0, vertex(W, 0).w)
    put_cross(normal, W.xa, W.xb)
    length = math.sqrt(dot(normal, normal))
    if not (length > 0.0):
        return 0
    for k in range(2):
        s = (1.0 if k == 0 else -1.0) / length
        put(W.v, s * normal[0], s * normal[1], s * normal[2])
        difference(F, A, B, W.v, vertex(W, 3))
        if math.fabs(dot(W.v, vertex(W, 3).w) - dot(W.v, vertex(W, 0).w)) > least:
            return 1
    return 0


@inlined
def tetrahedron(F: Floats, W: Work, A: Placed, B: Placed) -> int:
    """Make a tetrahedron of the simplex that was left; 0 where b − a is flat."""
    n = int(W.simplex_size)
    least = FLAT * (A.reach + B.reach)
    if n < 2 and second_point(F, W, A, B, least) == 0:
        return 0
    if n < 3 and third_point(F, W, A, B, least) == 0:
        return 0
    if n < 4 and fourth_point(F, W, A, B, least) == 0:
        return 0
    for k in range(4):
        copy_vertex(vertex(W, k), node(W, k))
    return 1


# --- growing -------------------------------------------------------------------------------------
@inlined
def add_face(W: Work, M: Marks, f: int, i: int, j: int, k: int) -> int:
    """Face f through three vertices; 0 where it has no normal, and so is never the nearest."""
    here = corners(M, f)
    here[0] = i
    here[1] = j
    here[2] = k
    here[3] = 1
    put_sum(W.xa, node(W, j).w, -1.0, node(W, i).w)
    put_sum(W.xb, node(W, k).w, -1.0, node(W, i).w)
    N = plane(W, f)
    put_cross(N, W.xa, W.xb)
    length = math.sqrt(dot(N, N))
    if not (length > 1e-13 * math.sqrt(dot(W.xa, W.xa) * dot(W.xb, W.xb))):
        put(N, 0.0, 0.0, 0.0)
        N[3] = math.inf
        return 0
    put(N, N[0] / length, N[1] / length, N[2] / length)
    N[3] = dot(N, node(W, i).w)
    return 1


@inlined
def first_faces(W: Work, M: Marks) -> int:
    """The four faces of the tetrahedron, which look outwards; 0 where one has no normal."""
    put_sum(W.xa, node(W, 1).w, -1.0, node(W, 0).w)
    put_sum(W.xb, node(W, 2).w, -1.0, node(W, 0).w)
    put_cross(W.v, W.xa, W.xb)
    if dot(W.v, node(W, 3).w) - dot(W.v, node(W, 0).w) > 0.0:
        copy_vertex(node(W, 1), node(W, 4))
        copy_vertex(node(W, 2), node(W, 1))
        copy_vertex(node(W, 4), node(W, 2))
    good = add_face(W, M, 0, 0, 1, 2)
    good &= add_face(W, M, 1, 0, 3, 1)
    good &= add_face(W, M, 2, 1, 3, 2)
    good &= add_face(W, M, 3, 2, 3, 0)
    return good


@inlined
def toggle(M: Marks, n: int, i: int, j: int) -> int:
    """Put the edge i j on the horizon, or take it off where its other side is there; how many there are."""
    for k in range(n):
        if M.edges[2 * k] == j and M.edges[2 * k + 1] == i:
            M.edges[2 * k] = M.edges[2 * n - 2]
            M.edges[2 * k + 1] = M.edges[2 * n - 1]
            return n - 1
    M.edges[2 * n] = i
    M.edges[2 * n + 1] = j
    return n + 1


@compiled
def horizon(W: Work, M: Marks, n_faces: int, new: Vertex, slack: float) -> int:
    """Take away the faces that the new vertex sees; the number of edges around them."""
    n = 0
    for f in range(n_faces):
        here = corners(M, f)
        if here[3] != 0 and dot(plane(W, f), new.w) - plane(W, f)[3] > slack:
            here[3] = 0
            n = toggle(M, n, here[0], here[1])
            n = toggle(M, n, here[1], here[2])
            n = toggle(M, n, here[2], here[0])
            if n > EPA_FACES - 4:
                return 0
    return n


@compiled
def nearest_face(W: Work, M: Marks, n_faces: int) -> int:
    """The face whose plane is nearest to the origin."""
    best = -1
    for f in range(n_faces):
        if corners(M, f)[3] != 0 and (best < 0 or plane(W, f)[3] < plane(W, best)[3]):
            best = f
    return best


@inlined
def free_face(M: Marks, start: int, n_faces: int) -> int:
    """The first place from `start` on that has no face."""
    f = start
    while f < n_faces and corners(M, f)[3] != 0:
        f += 1
    return f


@inlined
def grow(W: Work, M: Marks, n_faces: int, new: int, slack: float) -> int:
    """Put a new vertex on the polytope; how many places of faces are taken, or 0 where it cannot."""
    edges = horizon(W, M, n_faces, node(W, new), slack)
    if edges < 3:
        return 0
    f = 0
    for e in range(edges):
        f = free_face(M, f, n_faces)
        if f >= EPA_FACES:
            return 0
        add_face(W, M, f, M.edges[2 * e], M.edges[2 * e + 1], new)
        n_faces = max(n_faces, f + 1)
    return n_faces


@inlined
def note_face(W: Work, M: Marks, f: int, gap: float) -> None:
    """Keep the normal of a face with its gap, and its corners in the simplex, where it is the best yet."""
    if note_gap(W, plane(W, f), -1.0, gap) != 0:
        for c in range(3):
            copy_vertex(node(W, corners(M, f)[c]), vertex(W, c))
        W.simplex_size = 3.0


@inlined
def finish(W: Work) -> None:
    """W.normal, W.nearest[0] and the deepest points, by the best direction and the face that it is of."""
    shares_of_triangle(W, vertex(W, 0), vertex(W, 1), vertex(W, 2))
    put(W.xa, 0.0, 0.0, 0.0)
    put(W.xb, 0.0, 0.0, 0.0)
    for c in range(3):
        p = vertex(W, c)
        put_sum(W.xa, W.xa, p.share, p.a)
        put_sum(W.xb, W.xb, p.share, p.b)
    put(W.normal, W.widest[0], W.widest[1], W.widest[2])
    W.nearest[0] = W.widest[3]


@compiled
def epa(F: Floats, W: Work, M: Marks, A: Placed, B: Placed, grain: float) -> int:
    """W.normal, W.xa, W.xb and W.nearest[0] (the gap, negative) of two cores that overlap, from the simplex
    that was left; `grain`, of the size, is what the answer may be off. Returns how many places of faces are
    taken, 0 where b − a is flat."""
    if tetrahedron(F, W, A, B) == 0 or first_faces(W, M) == 0:
        return 0
    size = A.reach + B.reach
    n_faces = 4
    for n in range(4, EPA_VERTICES):
        best = nearest_face(W, M, n_faces)
        N = plane(W, best)
        put(W.v, -N[0], -N[1], -N[2])
        difference(F, A, B, W.v, node(W, n))
        height = dot(N, node(W, n).w)
        note_face(W, M, best, -height)
        allowed = max(min(grain * size, SHARE * math.fabs(W.widest[3])), EXACT * size)
        if min(height, -W.widest[3]) - N[3] <= allowed:
            break
        grown = grow(W, M, n_faces, n, 1e-15 * size)
        if grown == 0:
            break
        n_faces = grown
    finish(W)
    return n_faces
