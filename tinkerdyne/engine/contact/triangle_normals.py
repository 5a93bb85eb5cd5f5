"""Which normals are a triangle's, so that nothing stumbles over edges inside a surface.

A triangle looks one way. Its normals are its own, and at convex edges and tips those up to the normals of
the neighbours (the Voronoi regions of the surface); at flat and hollow edges its own alone.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import (
    Placed,
    Surface,
    Triangle,
    Work,
)
from tinkerdyne.engine.contact.mesh_tree import triangle_normal
from tinkerdyne.engine.contact.vectors import dot, make_unit, put_sum, turn_back

LEVEL = 1e-7  # of the size: corners this little lower are as high
SLANT = 1e-6  # what a normal may look beyond the one of a neighbour
AROUND = 64  # triangles at a corner that are looked at

SKIP, KEEP, OWN = 0, 1, 2  # a normal that the neighbour answers for; one of the triangle; its own instead


@inlined
def level_corners(V: Floats, n: Floats, slack: float) -> int:
    """The corners of a triangle that lie highest along n, as bits."""
    a = dot(n, V)
    b = dot(n, at(V, 3))
    c = dot(n, at(V, 6))
    most = max(a, b, c) - slack
    return (1 if a >= most else 0) | (2 if b >= most else 0) | (4 if c >= most else 0)


@compiled
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


@compiled
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
def judge(
    D: Ints, F: Floats, W: Work, S: Surface, T: Placed, k: int, V: Floats, n: Floats, reach: float
) -> int:
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
