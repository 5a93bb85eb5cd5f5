"""Four of many: the points of a patch that are kept, the deepest and those that span the widest area."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.detection_records import MOST_POINTS, PatchPoint, Work
from tinkerdyne.engine.contact.vectors import distance, put, put_cross, put_sum

LEVEL = 1e-6  # slope below which a patch is level
SHARE = 1e-3  # of the heights in a patch that is not: what lies so near the deepest is as deep


@compiled
def keep_best(W: Work, first: int, p: Floats, e: Floats, way: int) -> int:
    """Keep one more point: of those not above the height W.level the furthest from p (0), of all (1), the
    furthest aside of e from p, to either side (2), and to the other one (3). The first of equals is taken.
    Returns which, or −1."""
    best = -1
    most = 0.0
    for k in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        if point.kept != 0.0:
            continue
        x = point.xb[0] - p[0]
        y = point.xb[1] - p[1]
        z = point.xb[2] - p[2]
        score = x * x + y * y + z * z
        if way == 0 and point.gap > W.level:
            score = -1.0
        elif way >= 2:
            score = e[0] * x + e[1] * y + e[2] * z
            score = math.fabs(score) if way == 2 else score
        if best < 0 or score > most * (1.0 + 1e-9 * math.copysign(1.0, most)):
            best = k
            most = score
    if best >= 0:
        PatchPoint(at(W.patch, best * PatchPoint.size)).kept = 1.0
    return best


@inlined
def middle_and_level(W: Work, first: int, middle: Floats) -> None:
    """The middle of the points, and W.level: up to which gap they count as deepest. What is level to rounding
    has its corners kept, and not whichever point is the deepest by a last digit."""
    put(middle, 0.0, 0.0, 0.0)
    least = math.inf
    most = -math.inf
    count = int(W.count) - first
    for k in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        put_sum(middle, middle, 1.0 / count, point.xb)
        least = min(least, point.gap)
        most = max(most, point.gap)
    wide = 0.0
    for k in range(first, int(W.count)):
        wide = max(wide, distance(PatchPoint(at(W.patch, k * PatchPoint.size)).xb, middle))
    W.level = least + max(LEVEL * wide, SHARE * (most - least))


@compiled
def reduce_patch(W: Work, first: int) -> None:
    """Leave at most four of the points since `first`: the deepest, and those that span the widest area."""
    if int(W.count) - first <= MOST_POINTS:
        return
    for k in range(first, int(W.count)):
        PatchPoint(at(W.patch, k * PatchPoint.size)).kept = 0.0
    middle_and_level(W, first, W.v)
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
