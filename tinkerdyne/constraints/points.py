"""Constraints between points: attach, keep apart, keep on a line, a plane or a curve (E3)."""

from __future__ import annotations

from typing import Any

import casadi as ca

from tinkerdyne.formula.kinds import ORIGIN, Curve, Direction, Place, Point, Scalar, Size
from tinkerdyne.formula.symbols import dot, norm
from tinkerdyne.kernel.types import constraint

SX = Any


@constraint
def connect(a: Point, b: Point) -> SX:
    """Two points coincide:  c = a − b   [m]."""
    return a - b


@constraint(tied=True)
def nail(p: Point, *, at: Place = ORIGIN) -> SX:
    """A point stays at a place of the world:  c = p − at   [m]."""
    return p - at


@constraint
def distance(a: Point, b: Point, *, length: Size = 1.0) -> SX:
    """Two points stay `length` apart:  c = |b − a| − length   [m]."""
    return norm(b - a) - length


@constraint
def squared_distance(a: Point, b: Point, *, length: Size = 1.0) -> SX:
    """Two points stay `length` apart, in the smooth form  c = |b − a|² − length²   [m²]."""
    return dot(b - a, b - a) - length * length


@constraint
def on_line(p: Point, origin: Point, along: Direction) -> SX:
    """A point stays on the line through `origin` along a direction:  (p − origin) across `along` = 0   [m]."""
    d = p - origin
    if along.numel() != d.numel():
        raise ValueError(f"the points have {d.numel()} numbers, the direction {along.numel()}")
    if d.numel() == 2:
        return along[0] * d[1] - along[1] * d[0]
    u, w = across(along)
    return dot(u, d), dot(w, d)


@constraint
def on_plane(p: Point, origin: Point, normal: Direction) -> SX:
    """A point stays on the plane (in 2-D, the line) through `origin` with a normal:  c = normal·(p − origin)   [m]."""
    return dot(normal, p - origin)


@constraint
def on_curve(p: Point, curve: Curve, u: Scalar) -> SX:
    """A point stays on a curve, at the parameter that the variable u holds:  c = p − x(u)   [m]."""
    return p - curve.point(u)


# Two smooth directions across a unit vector exist everywhere but at one point (a ball cannot be combed). Frisvad's pair has it at
# −e_z; turned by this rotation it lies at an odd direction that no drawing has by itself.
_ODD = ca.DM([[0.64, -0.48, 0.6], [-0.48, 0.36, 0.8], [-0.6, -0.8, 0.0]])


def across(d: SX) -> tuple[SX, SX]:
    """Two unit directions across d that turn with it smoothly; they jump only at d = −(0.6, 0.8, 0)."""
    x, y, z = ca.vertsplit(_ODD.T @ d)
    near = z < -1 + 1e-9
    a = 1 / ca.if_else(near, 1.0, 1 + z)
    u = ca.if_else(near, ca.DM([0, -1, 0]), ca.vertcat(1 - x * x * a, -x * y * a, -x))
    w = ca.if_else(near, ca.DM([-1, 0, 0]), ca.vertcat(-x * y * a, 1 - y * y * a, -y))
    return _ODD @ u, _ODD @ w
