"""The signed distance of a point from a core, negative inside, with the outward normal there: closed forms.

    d(p) = min |p − x| over the core's surface, less where p is inside;  n = ∇d;  the nearest point is p − d n

Distances from convex cores are convex functions of p, inside as well as outside.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.detection_records import Core, Placed
from tinkerdyne.engine.contact.vectors import turn_back

TINY = 1e-300  # lengths below this have no direction


@inlined
def answer(out: Floats, d: float, x: float, y: float, z: float, feature: int) -> None:
    """Write distance, normal and feature down."""
    out[0] = d
    out[1] = x
    out[2] = y
    out[3] = z
    out[4] = float(feature)


@inlined
def from_point(x: float, y: float, z: float, feature: int, out: Floats) -> None:
    """From the origin; at it the normal is z."""
    d = math.sqrt(x * x + y * y + z * z)
    if d > TINY:
        answer(out, d, x / d, y / d, z / d, feature)
    else:
        answer(out, 0.0, 0.0, 0.0, 1.0, feature)


@inlined
def from_segment(half: float, x: float, y: float, z: float, out: Floats) -> None:
    """From a segment along x; on it the normal is z."""
    nearest = min(max(x, -half), half)
    feature = 1 if x <= -half else 2 if x >= half else 0
    from_point(x - nearest, y, z, feature, out)


@inlined
def from_circle(radius: float, x: float, y: float, z: float, out: Floats) -> None:
    """From a circle about z; on its axis the nearest point is the one along x."""
    r = math.sqrt(x * x + y * y)
    cos = x / r if r > TINY else 1.0
    sin = y / r if r > TINY else 0.0
    u = r - radius
    d = math.sqrt(u * u + z * z)
    if d > TINY:
        answer(out, d, u / d * cos, u / d * sin, z / d, 0)
    else:
        answer(out, 0.0, 0.0, 0.0, 1.0, 0)


@inlined
def sign_code(x: float, half: float) -> int:
    """Which of the three parts of a line a number lies in."""
    return 0 if math.fabs(x) <= half else 1 if x < 0.0 else 2


@compiled
def from_box(h: Floats, x: float, y: float, z: float, out: Floats) -> None:
    """From a box of half sizes h."""
    u = x - min(max(x, -h[0]), h[0])
    v = y - min(max(y, -h[1]), h[1])
    w = z - min(max(z, -h[2]), h[2])
    feature = sign_code(x, h[0]) + 3 * sign_code(y, h[1]) + 9 * sign_code(z, h[2])
    if feature > 0:
        from_point(u, v, w, feature, out)
        return
    a = math.fabs(x) - h[0]
    b = math.fabs(y) - h[1]
    c = math.fabs(z) - h[2]
    if a >= b and a >= c:
        answer(out, a, math.copysign(1.0, x), 0.0, 0.0, 1 if x < 0.0 else 2)
    elif b >= c:
        answer(out, b, 0.0, math.copysign(1.0, y), 0.0, 3 if y < 0.0 else 6)
    else:
        answer(out, c, 0.0, 0.0, math.copysign(1.0, z), 9 if z < 0.0 else 18)


@inlined
def revolve(d: float, nx: float, nr: float, r: float, y: float, z: float, feature: int, out: Floats) -> None:
    """The answer about the x axis, from the one in the half plane (x, r)."""
    cos = y / r if r > TINY else 1.0
    sin = z / r if r > TINY else 0.0
    answer(out, d, nx, nr * cos, nr * sin, feature)


@compiled
def from_cylinder(half: float, radius: float, x: float, y: float, z: float, out: Floats) -> None:
    """From a cylinder along x."""
    r = math.sqrt(y * y + z * z)
    u = math.fabs(x) - half
    v = r - radius
    side = math.copysign(1.0, x)
    end = 1 if x < 0.0 else 2
    if u > 0.0 and v > 0.0:
        d = math.sqrt(u * u + v * v)
        revolve(d, side * u / d, v / d, r, y, z, 3 + end, out)
    elif u > v:
        revolve(u, side, 0.0, r, y, z, end, out)
    else:
        revolve(v, 0.0, 1.0, r, y, z, 3, out)


@compiled
def from_cone(size: Floats, x: float, y: float, z: float, out: Floats) -> None:
    """From a cone along x: its base of radius size[1] at −size[0], its apex at size[2]."""
    r = math.sqrt(y * y + z * z)
    radius = size[1]
    height = size[0] + size[2]
    slant = math.sqrt(radius * radius + height * height)
    sx = radius / slant
    sr = height / slant
    u = x + size[0]
    v = r - radius
    base = -u
    side = u * sx + v * sr
    way = (u * sr - v * sx) / slant  # along the slant, from the rim
    if (base > 0.0 and v > 0.0) or (side > 0.0 and way < 0.0 and base <= 0.0):
        d = math.sqrt(u * u + v * v)
        revolve(d, u / d, v / d, r, y, z, 4, out)
    elif side > 0.0 and way > 1.0:
        from_point(x - size[2], y, z, 5, out)
    elif base >= side:
        revolve(base, -1.0, 0.0, r, y, z, 1, out)
    else:
        revolve(side, sx, sr, r, y, z, 3, out)


@compiled
def point_distance(X: Placed, p: Floats, out: Floats) -> None:
    """Distance, normal and feature of a point from a core with its rounding; all kinds with a closed form."""
    R = X.axes
    turn_back(R, p[0] - X.centre[0], p[1] - X.centre[1], p[2] - X.centre[2], out)
    x = out[0]
    y = out[1]
    z = out[2]
    kind = int(X.kind)
    if kind == Core.POINT:
        from_point(x, y, z, 0, out)
    elif kind == Core.SEGMENT:
        from_segment(X.extent[0], x, y, z, out)
    elif kind == Core.CIRCLE:
        from_circle(X.extent[0], x, y, z, out)
    elif kind == Core.BOX:
        from_box(X.extent, x, y, z, out)
    elif kind == Core.CYLINDER:
        from_cylinder(X.extent[0], X.extent[1], x, y, z, out)
    elif kind == Core.CONE:
        from_cone(X.extent, x, y, z, out)
    else:
        answer(out, z, 0.0, 0.0, 1.0, 0)
    turn_normal(R, out)
    out[0] -= X.rounding


@inlined
def turn_normal(R: Floats, out: Floats) -> None:
    """Turn the normal of an answer into the world."""
    x = out[1]
    y = out[2]
    z = out[3]
    out[1] = R[0] * x + R[3] * y + R[6] * z
    out[2] = R[1] * x + R[4] * y + R[7] * z
    out[3] = R[2] * x + R[5] * y + R[8] * z
