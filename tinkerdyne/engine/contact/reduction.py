"""Four of many: the points of a patch that are kept, the deepest and those that span the widest area."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.detection_records import MOST_POINTS, PatchPoint, Work
from tinkerdyne.engine.contact.vectors import put, put_cross


@compiled
def keep_best(W: Work, first: int, p: Floats, e: Floats, way: int) -> int:
    """Keep one more point: the deepest (0), the furthest from p (1), the furthest aside of e from p, to
    either side (2), and to the other one (3). The first of equals is taken. Returns which, or −1."""
    best = -1
    most = 0.0
    for k in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        if point.kept != 0.0:
            continue
        x = point.xb[0] - p[0]
        y = point.xb[1] - p[1]
        z = point.xb[2] - p[2]
        score = -point.gap
        if way == 1:
            score = x * x + y * y + z * z
        elif way >= 2:
            score = e[0] * x + e[1] * y + e[2] * z
            score = math.fabs(score) if way == 2 else score
        if best < 0 or score > most * (1.0 + 1e-9 * math.copysign(1.0, most)):
            best = k
            most = score
    if best >= 0:
        PatchPoint(at(W.patch, best * PatchPoint.size)).kept = 1.0
    return best


@compiled
def reduce_patch(W: Work, first: int) -> None:
    """Leave at most four of the points since `first`: the deepest, and those that span the widest area."""
    if int(W.count) - first <= MOST_POINTS:
        return
    for k in range(first, int(W.count)):
        PatchPoint(at(W.patch, k * PatchPoint.size)).kept = 0.0
    deepest = keep_best(W, first, W.v, W.v, 0)
    p = PatchPoint(at(W.patch, deepest * PatchPoint.size)).xb
    n = PatchPoint(at(W.patch, deepest * PatchPoint.size)).n
    furthest = keep_best(W, first, p, W.v, 1)
    q = PatchPoint(at(W.patch, furthest * PatchPoint.size)).xb
    put(W.v, q[0] - p[0], q[1] - p[1], q[2] - p[2])
    put_cross(W.v, n, W.v)
    aside = keep_best(W, first, p, W.v, 2)
    r = PatchPoint(at(W.patch, aside * PatchPoint.size)).xb
    if (r[0] - p[0]) * W.v[0] + (r[1] - p[1]) * W.v[1] + (r[2] - p[2]) * W.v[2] > 0.0:
        put(W.v, -W.v[0], -W.v[1], -W.v[2])
    keep_best(W, first, p, W.v, 3)
    m = first
    for k in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        if point.kept != 0.0:
            for i in range(PatchPoint.size):
                W.patch[m * PatchPoint.size + i] = point[i]
            m += 1
    W.count = float(m)
