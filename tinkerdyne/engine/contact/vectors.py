"""Vectors of three numbers in pointer Python."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import inlined
from tinkerdyne.compiler.records import Floats


@inlined
def dot(a: Floats, b: Floats) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def along(a: Floats, x: float, y: float, z: float) -> float:
    """a · (x, y, z)."""
    return a[0] * x + a[1] * y + a[2] * z


@inlined
def put(out: Floats, x: float, y: float, z: float) -> None:
    """out ← (x, y, z)."""
    out[0] = x
    out[1] = y
    out[2] = z


@inlined
def put_sum(out: Floats, a: Floats, s: float, b: Floats) -> None:
    """out ← a + s b."""
    x = a[0] + s * b[0]
    y = a[1] + s * b[1]
    z = a[2] + s * b[2]
    put(out, x, y, z)


@inlined
def put_cross(out: Floats, a: Floats, b: Floats) -> None:
    """out ← a × b."""
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    put(out, x, y, z)


@inlined
def scale(a: Floats, s: float) -> None:
    """a ← s a."""
    put(a, s * a[0], s * a[1], s * a[2])


@inlined
def size_of(a: Floats) -> float:
    """|a|."""
    return math.sqrt(dot(a, a))


@inlined
def distance(a: Floats, b: Floats) -> float:
    """|b − a|."""
    x = b[0] - a[0]
    y = b[1] - a[1]
    z = b[2] - a[2]
    return math.sqrt(x * x + y * y + z * z)


@inlined
def make_unit(a: Floats) -> float:
    """a ← a/|a|, where it is not zero; returns |a|."""
    length = size_of(a)
    if length > 0.0:
        scale(a, 1.0 / length)
    return length


@inlined
def turn(R: Floats, x: float, y: float, z: float, out: Floats) -> None:
    """out ← R (x, y, z); R by columns."""
    put(
        out,
        R[0] * x + R[3] * y + R[6] * z,
        R[1] * x + R[4] * y + R[7] * z,
        R[2] * x + R[5] * y + R[8] * z,
    )


@inlined
def turn_back(R: Floats, x: float, y: float, z: float, out: Floats) -> None:
    """out ← Rᵀ (x, y, z); R by columns."""
    put(
        out,
        R[0] * x + R[1] * y + R[2] * z,
        R[3] * x + R[4] * y + R[5] * z,
        R[6] * x + R[7] * y + R[8] * z,
    )


@inlined
def perpendicular(n: Floats, out: Floats) -> None:
    """out ← a unit vector across the unit vector n."""
    if math.fabs(n[0]) < 0.6:
        put(out, 0.0, n[2], -n[1])
    else:
        put(out, -n[2], 0.0, n[0])
    make_unit(out)
