"""A ring against any core: the places of its circle that are near.

The distance along a circle has several least values. It is looked at all around; between places where it
falls and then rises, the least value is found by halving.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Core, Detection, Marks, Nearest, Placed, Work
from tinkerdyne.engine.contact.epa import EXACT, epa
from tinkerdyne.engine.contact.gjk import OVERLAP, gjk
from tinkerdyne.engine.contact.mesh_distance import mesh_distance
from tinkerdyne.engine.contact.patches import add_point
from tinkerdyne.engine.contact.point_distance import point_distance
from tinkerdyne.engine.contact.vectors import put, put_sum, turn

LOOKS = 32  # around the circle; as many as W.samples can hold
HALVINGS = 52
LEVEL = 1e-9  # slope below which a look is at a least value itself
ALONG = 0.02  # slope up to which a ring lies along what it touches: it has more points than the nearest


@compiled
def probe(H: Detection, D: Ints, F: Floats, W: Work, M: Marks, p: Floats, X: Placed, limit: float) -> None:
    """W.nearest: distance and outward normal of a point and any core, of a mesh up to a limit."""
    if int(X.kind) == Core.MESH:
        mesh_distance(H, D, F, W, X, p, limit)
        W.nearest[0] -= X.rounding
        return
    if int(X.kind) != Core.HULL:
        point_distance(X, p, W.nearest)
        return
    P = Placed(W.c)
    P.kind = float(Core.POINT)
    P.reach = X.reach
    put(P.centre, p[0], p[1], p[2])
    way = gjk(F, W, P, X, math.inf)
    if way == OVERLAP and epa(F, W, M, P, X, EXACT) == 0:
        W.nearest[0] = 0.0
        put(W.normal, 0.0, 0.0, -1.0)
    W.nearest[1] = -W.normal[0]
    W.nearest[2] = -W.normal[1]
    W.nearest[3] = -W.normal[2]
    W.nearest[4] = 0.0
    W.nearest[0] -= X.rounding


@compiled
def look(H: Detection, D: Ints, F: Floats, W: Work, M: Marks, A: Placed, X: Placed, angle: float) -> float:
    """Ask for the distance at an angle of the circle, whose point is W.triangle; how it grows there."""
    cos = math.cos(angle)
    sin = math.sin(angle)
    turn(A.axes, A.extent[0] * cos, A.extent[0] * sin, 0.0, W.triangle)
    put_sum(W.triangle, W.triangle, 1.0, A.centre)
    probe(H, D, F, W, M, W.triangle, X, 2.0 * A.reach + W.margin)
    turn(A.axes, -sin, cos, 0.0, at(W.triangle, 3))
    return W.triangle[3] * W.nearest[1] + W.triangle[4] * W.nearest[2] + W.triangle[5] * W.nearest[3]


@inlined
def note(W: Work, A: Placed, X: Placed, feature: int) -> None:
    """Add the place that was looked at last."""
    put(W.normal, -W.nearest[1], -W.nearest[2], -W.nearest[3])
    put_sum(W.xa, W.triangle, 0.0, W.normal)
    put_sum(W.xb, W.triangle, W.nearest[0] + X.rounding, W.normal)
    add_point(W, A, X, W.xa, W.xb, W.nearest[0] + X.rounding, float(feature))


@compiled
def circle_pair(H: Detection, D: Ints, F: Floats, W: Work, M: Marks, A: Placed, X: Placed) -> None:
    """Add the places of a ring that are near to a core: the nearest ones, and those all around that are
    within the margin."""
    step = 2.0 * math.pi / LOOKS
    near = W.margin + A.rounding
    Nearest(W.closest).triangle = -1.0
    for k in range(LOOKS):
        W.samples[k] = look(H, D, F, W, M, A, X, step * k)
        W.samples[LOOKS + k] = W.nearest[0]
        if W.nearest[0] <= near and math.fabs(W.samples[k]) < ALONG:
            note(W, A, X, k)
    for k in range(LOOKS):
        after = (k + 1) % LOOKS
        is_far = min(W.samples[LOOKS + k], W.samples[LOOKS + after]) > near + step * A.extent[0]
        falls = W.samples[k] < -LEVEL and W.samples[after] > LEVEL
        if is_far or not falls:
            continue
        low = step * k
        high = step * (k + 1)
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            if look(H, D, F, W, M, A, X, middle) > 0.0:
                high = middle
            else:
                low = middle
        note(W, A, X, LOOKS + k)
