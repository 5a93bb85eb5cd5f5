"""A core that overlaps a mesh where each triangle leaves it to its neighbours: the normal along which it is
least deep, of all that belong to a triangle."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import (
    Placed,
    Surface,
    Triangle,
    Work,
)
from tinkerdyne.engine.contact.mesh_tree import triangle_normal
from tinkerdyne.engine.contact.normal_points import points_of_normal
from tinkerdyne.engine.contact.patches import add_point
from tinkerdyne.engine.contact.support import support
from tinkerdyne.engine.contact.vectors import dot, make_unit, put, put_cross, put_sum, turn

HALVINGS = 50  # of an angle


@compiled
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
def angle_across(
    D: Ints, F: Floats, S: Surface, T: Placed, t: Triangle, k: int, N: Floats, out: Floats
) -> float:
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


@compiled
def over_edge(
    D: Ints, F: Floats, W: Work, S: Surface, T: Placed, k: int, edge: int, tri: Placed, X: Placed
) -> float:
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


@compiled
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
