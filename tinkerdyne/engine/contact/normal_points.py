"""The points that a normal belongs to: what two convex cores show along it, a point or an edge."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Placed, Work
from tinkerdyne.engine.contact.polish import is_cornered
from tinkerdyne.engine.contact.support import corner_of, face_of, n_corners
from tinkerdyne.engine.contact.vectors import dot, put, put_sum

LEVEL = 1e-9  # of the size: what lies this little lower is as high


@compiled
def level_vertices(F: Floats, X: Placed, sign: float, n: Floats, slack: float, out: Floats) -> int:
    """How many vertices of a hull or box lie as far along sign · n as the furthest; two of them."""
    here = at(out, 6)
    most = -math.inf
    for k in range(n_corners(X)):
        corner_of(F, X, k, here)
        most = max(most, sign * dot(n, here))
    found = 0
    for k in range(n_corners(X)):
        corner_of(F, X, k, here)
        if sign * dot(n, here) >= most - slack:
            if found < 2:
                put_sum(at(out, 3 * found), here, 0.0, n)
            found += 1
    return found


@compiled
def shown(D: Ints, F: Floats, W: Work, X: Placed, sign: float, out: Floats) -> int:
    """The furthest points of a core along sign · W.normal: one, the ends of an edge, or more (three)."""
    n = W.normal
    if is_cornered(X) != 0:
        return min(3, level_vertices(F, X, sign, n, LEVEL * X.reach, out))
    put(W.v, sign * n[0], sign * n[1], sign * n[2])
    x = dot(X.axes, W.v)
    found = face_of(D, F, X, W.v, W.facing, W.first)
    if found == 1:
        put_sum(out, W.first, 0.0, n)
        return 1
    if found == 2:
        put_sum(out, W.first, 0.0, n)
        put_sum(at(out, 3), at(W.first, 4), 0.0, n)
        rise = dot(W.v, at(out, 3)) - dot(W.v, out)
        if math.fabs(rise) <= LEVEL * X.reach:
            return 2
        if rise > 0.0:
            put_sum(out, at(out, 3), 0.0, n)
        return 1
    put_sum(out, W.first, 0.0, n)  # a flat end, and the furthest point of its rim
    return 3 if 1.0 - math.fabs(x) < 1e-14 else 1  # sine below 1e-7


@compiled
def points_of_normal(D: Ints, F: Floats, W: Work, A: Placed, B: Placed) -> None:
    """W.xa and W.xb: the points that W.normal belongs to, where one core shows a point or both show edges."""
    n = W.normal
    gap = W.nearest[0]
    P = W.third
    Q = at(W.third, 12)
    of_b = shown(D, F, W, B, -1.0, Q)
    of_a = shown(D, F, W, A, 1.0, P)
    if of_a == 1:
        put_sum(W.xa, P, 0.0, n)
        put_sum(W.xb, P, gap, n)
    elif of_b == 1:
        put_sum(W.xb, Q, 0.0, n)
        put_sum(W.xa, Q, -gap, n)
    elif of_a == 2 and of_b == 2:
        nearest_on_lines(W, P, Q)


@compiled
def nearest_on_lines(W: Work, P: Floats, Q: Floats) -> None:
    """The nearest points of two lines that are not parallel, each through two points."""
    e = W.v
    f = at(W.circle, 0)
    r = at(W.circle, 3)
    put_sum(e, at(P, 3), -1.0, P)
    put_sum(f, at(Q, 3), -1.0, Q)
    put_sum(r, Q, -1.0, P)
    a = dot(e, e)
    b = dot(e, f)
    c = dot(f, f)
    det = a * c - b * b
    if det > 1e-12 * a * c:
        s = min(max((c * dot(e, r) - b * dot(f, r)) / det, 0.0), 1.0)
        t = min(max((b * dot(e, r) - a * dot(f, r)) / det, 0.0), 1.0)
        put_sum(W.xa, P, s, e)
        put_sum(W.xb, Q, t, f)
