"""Placing: where all surfaces are in this step, with their bounds."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Core, Detection, Placed, Pose, Surface
from tinkerdyne.engine.contact.vectors import put_sum, turn

LOST = 1e300  # m: where the bounds of a surface lie whose place is not a number


@inlined
def pose_of(H: Detection, F: Floats, body: int) -> Pose:
    """The pose of a body; −1 is the ground."""
    return Pose(at(F, H.poses + (body + 1) * Pose.size))


@inlined
def placed(H: Detection, F: Floats, k: int) -> Placed:
    """Surface k where it is."""
    return Placed(at(F, H.placed + k * Placed.size))


@inlined
def turn_vertices(F: Floats, S: Surface, P: Placed) -> None:
    """Turn the vertices of a hull or polygon, and bound them."""
    for c in range(3):
        P.low[c] = math.inf
        P.high[c] = -math.inf
    for k in range(S.n_vertices):
        v = at(F, S.vertices + 3 * k)
        out = at(F, S.turned + 3 * k)
        turn(P.axes, v[0], v[1], v[2], out)
        for c in range(3):
            P.low[c] = min(P.low[c], out[c])
            P.high[c] = max(P.high[c], out[c])


@inlined
def reach_of(P: Placed, c: int) -> float:
    """How far a core reaches along axis c of the world, from its centre; of a cone, to either side."""
    kind = int(P.kind)
    x = math.fabs(P.axes[c])
    y = math.fabs(P.axes[3 + c])
    z = math.fabs(P.axes[6 + c])
    if kind == Core.SEGMENT:
        return P.extent[0] * x
    if kind == Core.BOX:
        return P.extent[0] * x + P.extent[1] * y + P.extent[2] * z
    if kind == Core.CIRCLE:
        return P.extent[0] * math.sqrt(max(0.0, 1.0 - z * z))
    if kind == Core.CYLINDER:
        return P.extent[0] * x + P.extent[1] * math.sqrt(max(0.0, 1.0 - x * x))
    if kind == Core.CONE:
        return max(P.extent[0] * x + P.extent[1] * math.sqrt(max(0.0, 1.0 - x * x)), P.extent[2] * x)
    if kind == Core.BOWL:
        return P.extent[0]
    if kind == Core.TRACK:
        return P.reach
    return 0.0


@inlined
def mesh_bounds(F: Floats, S: Surface, P: Placed) -> None:
    """The bounds of a mesh, by those of its tree as they are turned."""
    b = at(F, S.bounds)
    for c in range(3):
        P.low[c] = 0.0
        P.high[c] = 0.0
        for k in range(3):
            p = P.axes[3 * k + c] * b[k]
            q = P.axes[3 * k + c] * b[3 + k]
            P.low[c] += min(p, q)
            P.high[c] += max(p, q)


@inlined
def width_of(P: Placed) -> float:
    """The widest side of bounds; what is not a number stays so."""
    x = P.high[0] - P.low[0]
    y = P.high[1] - P.low[1]
    z = P.high[2] - P.low[2]
    return max(x, y, z) + 0.0 * (x + y + z)


@compiled
def place(H: Detection, D: Ints, F: Floats, k: int, margin: float) -> None:
    """Put surface k where its body is."""
    S = Surface.of(H, k)
    P = placed(H, F, k)
    body = pose_of(H, F, S.body)
    R = body.rotation
    turn(R, P.local[0], P.local[1], P.local[2], P.centre)
    put_sum(P.centre, P.centre, 1.0, body.position)
    for c in range(3):
        turn(R, P.local_axes[3 * c], P.local_axes[3 * c + 1], P.local_axes[3 * c + 2], at(P.axes, 3 * c))
    if S.kind == Core.HULL or S.kind == Core.POLYGON:
        turn_vertices(F, S, P)
    elif S.kind == Core.MESH:
        mesh_bounds(F, S, P)
    else:
        for c in range(3):
            reach = reach_of(P, c)
            P.low[c] = -reach
            P.high[c] = reach
    # half the margin on either side, and a little more, so that rounding loses no pair
    more = P.rounding + 0.5 * margin + body.way
    for c in range(3):
        slack = 1e-12 * (math.fabs(P.centre[c]) + P.reach)
        P.low[c] += P.centre[c] - more - slack
        P.high[c] += P.centre[c] + more + slack
    if not (width_of(P) < LOST):
        for c in range(3):
            P.low[c] = LOST
            P.high[c] = LOST


@compiled
def place_all(H: Detection, D: Ints, F: Floats, margin: float) -> None:
    """Put all surfaces where their bodies are."""
    for k in range(H.n_surfaces):
        place(H, D, F, k, margin)
