"""What a convex core shows to a direction: its furthest point, and the face, edge or rim that looks there."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import RIM, Core, Corner, Face, Placed
from tinkerdyne.engine.contact.vectors import along, dot, make_unit, put, put_sum, turn, turn_back

FLAT = 0.2  # cosine, and sine, up to which a round side or a flat end shows as such
STILL = 1e-7  # sine of a tilt below which a rim shows fixed points: the lowest one would be noise
COS_RIM, SIN_RIM = math.cos(2 * math.pi / RIM), math.sin(2 * math.pi / RIM)


@inlined
def furthest_vertex(F: Floats, A: Placed, x: float, y: float, z: float) -> int:
    """The number of the vertex of a hull that lies furthest, the first of several."""
    V = at(F, int(A.vertices))
    best = 0
    most = along(V, x, y, z)
    for k in range(1, int(A.n_vertices)):
        height = along(at(V, 3 * k), x, y, z)
        if height > most:
            most = height
            best = k
    return best


@compiled
def support(F: Floats, A: Placed, d: Floats, out: Floats) -> None:
    """out ← the point of a convex core that lies furthest along d (without its rounding)."""
    kind = int(A.kind)
    if kind == Core.HULL or kind == Core.POLYGON:
        put_sum(out, A.centre, 1.0, at(F, int(A.vertices) + 3 * furthest_vertex(F, A, d[0], d[1], d[2])))
        return
    x = along(A.axes, d[0], d[1], d[2])
    if kind == Core.POINT:
        put_sum(out, A.centre, 0.0, d)
    elif kind == Core.SEGMENT:
        put_sum(out, A.centre, math.copysign(A.extent[0], x), A.axes)
    elif kind == Core.BOX:
        y = along(at(A.axes, 3), d[0], d[1], d[2])
        z = along(at(A.axes, 6), d[0], d[1], d[2])
        turn(
            A.axes,
            math.copysign(A.extent[0], x),
            math.copysign(A.extent[1], y),
            math.copysign(A.extent[2], z),
            out,
        )
        put_sum(out, out, 1.0, A.centre)
    else:
        support_round(A, d, x, out)


@inlined
def support_round(A: Placed, d: Floats, x: float, out: Floats) -> None:
    """The same of a cylinder or a cone, where x is d along its axis."""
    y = along(at(A.axes, 3), d[0], d[1], d[2])
    z = along(at(A.axes, 6), d[0], d[1], d[2])
    r = math.sqrt(y * y + z * z)
    cos = y / r if r > 0.0 else 1.0
    sin = z / r if r > 0.0 else 0.0
    if int(A.kind) == Core.CYLINDER:
        turn(A.axes, math.copysign(A.extent[0], x), A.extent[1] * cos, A.extent[1] * sin, out)
    elif x * A.extent[2] >= r * A.extent[1] - x * A.extent[0]:
        turn(A.axes, A.extent[2], 0.0, 0.0, out)
    else:
        turn(A.axes, -A.extent[0], A.extent[1] * cos, A.extent[1] * sin, out)
    put_sum(out, out, 1.0, A.centre)


@inlined
def n_corners(X: Placed) -> int:
    """How many corners a hull or box has."""
    return int(X.n_vertices) if int(X.kind) == Core.HULL else 8


@inlined
def corner_of(F: Floats, X: Placed, k: int, out: Floats) -> None:
    """out ← corner k of a hull or box."""
    if int(X.kind) == Core.HULL:
        put_sum(out, X.centre, 1.0, at(F, int(X.vertices) + 3 * k))
    else:
        x = X.extent[0] if k & 1 != 0 else -X.extent[0]
        y = X.extent[1] if k & 2 != 0 else -X.extent[1]
        z = X.extent[2] if k & 4 != 0 else -X.extent[2]
        turn(X.axes, x, y, z, out)
        put_sum(out, out, 1.0, X.centre)


# --- faces ---------------------------------------------------------------------------------------
@compiled
def box_face(A: Placed, n: Floats, facing: Floats, out: Floats) -> int:
    """The face of a box that looks along n: four corners."""
    turn_back(A.axes, n[0], n[1], n[2], facing)
    x = facing[0]
    y = facing[1]
    z = facing[2]
    k = 2
    if math.fabs(x) >= math.fabs(y) and math.fabs(x) >= math.fabs(z):
        k = 0
    elif math.fabs(y) >= math.fabs(z):
        k = 1
    s = math.copysign(1.0, facing[k])
    i = (k + 1) % 3
    j = (k + 2) % 3
    put(facing, s * A.axes[3 * k], s * A.axes[3 * k + 1], s * A.axes[3 * k + 2])
    for c in range(4):
        u = 1.0 if c == 0 or c == 3 else -1.0
        v = s if c < 2 else -s
        corner = Corner(at(out, c * Corner.size))
        put_sum(corner.x, A.centre, A.extent[k], facing)
        put_sum(corner.x, corner.x, u * A.extent[i], at(A.axes, 3 * i))
        put_sum(corner.x, corner.x, v * A.extent[j], at(A.axes, 3 * j))
        high = (1 if s > 0.0 else 0) << k
        high |= (1 if u > 0.0 else 0) << i
        high |= (1 if v > 0.0 else 0) << j
        corner.feature = float(high)
    return 4


@inlined
def most_facing(D: Ints, F: Floats, A: Placed, V: Floats, n: Floats, facing: Floats) -> int:
    """Which face of a hull looks most along n: by the normals it was made with, or, where it may be sheared,
    by its corners as they are now."""
    best = 0
    most = -math.inf
    turn_back(A.axes, n[0], n[1], n[2], facing)
    x = facing[0]
    y = facing[1]
    z = facing[2]
    for f in range(int(A.n_faces)):
        if A.normals >= 0.0:
            height = along(at(F, int(A.normals) + 3 * f), x, y, z)
        else:
            face_normal(D, V, Face(at(D, int(A.faces) + f * Face.size)), facing)
            height = dot(facing, n)
        if height > most:
            most = height
            best = f
    return best


@compiled
def hull_face(D: Ints, F: Floats, A: Placed, n: Floats, facing: Floats, out: Floats) -> int:
    """The face of a hull that looks most along n."""
    V = at(F, int(A.vertices))
    best = most_facing(D, F, A, V, n, facing)
    face = Face(at(D, int(A.faces) + best * Face.size))
    face_normal(D, V, face, facing)
    for c in range(face.n):
        corner = Corner(at(out, c * Corner.size))
        vertex = D[face.corners + c]
        put_sum(corner.x, A.centre, 1.0, at(V, 3 * vertex))
        corner.feature = float(vertex)
    return face.n


@inlined
def face_normal(D: Ints, V: Floats, face: Face, out: Floats) -> None:
    """The unit normal of a face by three of its corners, which stand wide apart."""
    a = at(V, 3 * D[face.corners])
    b = at(V, 3 * D[face.corners + face.n // 3])
    c = at(V, 3 * D[face.corners + 2 * face.n // 3])
    ux = b[0] - a[0]
    uy = b[1] - a[1]
    uz = b[2] - a[2]
    vx = c[0] - a[0]
    vy = c[1] - a[1]
    vz = c[2] - a[2]
    put(out, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
    make_unit(out)


@compiled
def rim(A: Placed, end: float, radius: float, n: Floats, out: Floats) -> int:
    """Corners on the true rim of a flat end, the one that lies furthest along n first; counterclockwise
    about the end's outward axis."""
    y = along(at(A.axes, 3), n[0], n[1], n[2])
    z = along(at(A.axes, 6), n[0], n[1], n[2])
    r = math.sqrt(y * y + z * z)
    cos = y / r if r > STILL else 1.0
    sin = z / r if r > STILL else 0.0
    p = 1.0
    q = 0.0
    for c in range(RIM):
        corner = Corner(at(out, c * Corner.size))
        turn(A.axes, end, radius * (cos * p - sin * q), radius * (sin * p + cos * q), corner.x)
        put_sum(corner.x, corner.x, 1.0, A.centre)
        corner.feature = float(c)
        step = math.copysign(SIN_RIM, end)
        turned = p * COS_RIM - q * step
        q = q * COS_RIM + p * step
        p = turned
    return RIM


@compiled
def round_face(A: Placed, n: Floats, facing: Floats, out: Floats) -> int:
    """What a cylinder or a cone shows along n: a flat end, a line of its side, or one point of a rim."""
    x = along(A.axes, n[0], n[1], n[2])
    y = along(at(A.axes, 3), n[0], n[1], n[2])
    z = along(at(A.axes, 6), n[0], n[1], n[2])
    r = math.sqrt(y * y + z * z)
    is_cone = int(A.kind) == Core.CONE
    radius = A.extent[1]
    low = -A.extent[0]
    high = A.extent[2] if is_cone else A.extent[0]
    if r < FLAT and (x < 0.0 or not is_cone):
        put(facing, A.axes[0], A.axes[1], A.axes[2])
        s = math.copysign(1.0, x)
        put(facing, s * facing[0], s * facing[1], s * facing[2])
        return rim(A, low if x < 0.0 else high, radius, n, out)
    put(facing, n[0], n[1], n[2])
    length = high - low
    slant = math.sqrt(radius * radius + length * length)
    tilt = (x * length - r * radius) / slant if is_cone else x  # cosine of n and the line of the side
    cos = y / r if r > 0.0 else 1.0
    sin = z / r if r > 0.0 else 0.0
    first = Corner(out)
    second = Corner(at(out, Corner.size))
    tip = 0.0 if is_cone else radius
    turn(A.axes, low, radius * cos, radius * sin, first.x)
    turn(A.axes, high, tip * cos, tip * sin, second.x)
    put_sum(first.x, first.x, 1.0, A.centre)
    put_sum(second.x, second.x, 1.0, A.centre)
    first.feature = 40.0
    second.feature = 41.0
    if math.fabs(tilt) < FLAT:
        return 2
    if tilt > 0.0:
        put_sum(first.x, second.x, 0.0, n)
        first.feature = 41.0
    return 1


@compiled
def face_of(D: Ints, F: Floats, A: Placed, n: Floats, facing: Floats, out: Floats) -> int:
    """What a convex core shows along n: the corners of a face, the ends of an edge or one point, and into
    `facing` the face's normal. Returns how many."""
    kind = int(A.kind)
    if kind == Core.BOX:
        return box_face(A, n, facing, out)
    if kind == Core.HULL:
        return hull_face(D, F, A, n, facing, out)
    if kind == Core.CYLINDER or kind == Core.CONE:
        return round_face(A, n, facing, out)
    put(facing, n[0], n[1], n[2])
    first = Corner(out)
    second = Corner(at(out, Corner.size))
    put_sum(first.x, A.centre, 0.0, n)
    first.feature = 0.0
    if kind != Core.SEGMENT:
        return 1
    x = dot(A.axes, n)
    put_sum(first.x, A.centre, -A.extent[0], A.axes)
    put_sum(second.x, A.centre, A.extent[0], A.axes)
    second.feature = 1.0
    if math.fabs(x) < FLAT:
        return 2
    if x > 0.0:
        put_sum(first.x, second.x, 0.0, n)
        first.feature = 1.0
    return 1
