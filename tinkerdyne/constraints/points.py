"""Constraints between points: attach, keep apart, keep on a line, a plane or a curve (E3)."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from tinkerdyne.connectors.curves import slider
from tinkerdyne.constraints.algebra import at_least, at_most
from tinkerdyne.language.effects import Rate, Stop, spin, velocity
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import ORIGIN, Curve, Direction, Frame, Number, Place, Point, Scalar, Size
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX, dot, norm
from tinkerdyne.language.types import constraint, port_of


@look(glyph="rivet", role="connection", word="ball (connect)", rank=1)
@constraint
def connect(a: Point, b: Point) -> SX:
    """Two points coincide:  c = a − b   [m]."""
    return a - b


@look(glyph="nail", role="nail", place="at", icon="nail", tool=15)
@constraint(tied=True)
def nail(p: Point, *, at: Place = ORIGIN) -> SX:
    """A point stays at a place of the world:  c = p − at   [at m]."""
    return p - at


@look(glyph="bar", length="length")
@constraint
def distance(a: Point, b: Point, *, length: Size = 1.0) -> SX:
    """Two points stay `length` apart:  c = |b − a| − length   [m]."""
    return norm(b - a) - length


@look(glyph="bar", length="length", icon="rope", tool=18)
@constraint
def rope(a: Point, b: Point, *, length: Size = 1.0, restitution: Number = 0.0) -> Stop:
    """Two points stay at most `length` apart:  length − |b − a| ≥ 0   [m]; a rope that is taut pulls, and
    bounces with the restitution, 0 … 1."""
    return Stop(length - norm(b - a))


@look(glyph="bar", length="length")
@constraint
def squared_distance(a: Point, b: Point, *, length: Size = 1.0) -> SX:
    """Two points stay `length` apart, in the smooth form  c = |b − a|² − length²   [m²]."""
    return dot(b - a, b - a) - length * length


@look(glyph="bead")
@constraint
def on_line(p: Point, origin: Point, along: Direction) -> SX:
    """A point stays on the line through `origin` along a direction:  (p − origin) across `along` = 0
    [m]."""
    d = p - origin
    if along.numel() != d.numel():
        raise ValueError(f"the points have {d.numel()} numbers, the direction {along.numel()}")
    if d.numel() == 2:
        return along[0] * d[1] - along[1] * d[0]
    u, w = across(along)
    return dot(u, d), dot(w, d)


@look(glyph="table")
@constraint
def on_plane(p: Point, origin: Point, normal: Direction) -> SX:
    """A point stays on the plane (in 2-D, the line) through `origin` with a normal:  c = normal·(p − origin)
    [m]."""
    return dot(normal, p - origin)


@look(glyph="bar")
@constraint
def touch(a: Point, b: Point, *, radius_a: Number = 0.5, radius_b: Number = 0.5) -> SX:
    """Two spheres touch and slide:  c = |b − a| − |radius_a + radius_b|   [radius_a m, radius_b m]; a
    negative radius is a hollow sphere's."""
    return norm(b - a) - ca.fabs(radius_a + radius_b)


@constraint
def sphere_on_plane(p: Point, origin: Point, normal: Direction, *, radius: Number = 0.5) -> SX:
    """A sphere around p touches the plane through `origin` with a normal, and slides:  c = normal·(p −
    origin) − radius   [m]."""
    return dot(normal, p - origin) - radius


@constraint
def roll(ball: Frame, origin: Point, normal: Direction, *, radius: Number = 0.5) -> Rate:
    """A ball rolls on a plane without slipping (in the plane, a disc on a line): its point of contact is at
    rest   [m/s]."""
    if not ball.dim == origin.numel() == normal.numel():
        raise ValueError(
            f"the ball lives in {ball.dim} dimensions, the plane in {origin.numel()} and {normal.numel()}"
        )
    if ball.dim == 2:
        t = ca.vertcat(normal[1], -normal[0])
        return Rate(dot(t, velocity(ball.origin) - velocity(origin)) + radius * spin(ball))
    slip = velocity(ball.origin) - velocity(origin) - radius * ca.cross(spin(ball), normal)
    u, w = across(normal)
    return Rate(ca.vertcat(dot(u, slip), dot(w, slip)))


@look(group="Curves", slides="slide")
@constraint
def on_curve(p: Point, curve: Curve, u: Scalar) -> SX:
    """A point stays on a curve, at the parameter that the variable u holds:  c = p − x(u)   [m]."""
    return p - curve.point(u)


def _ends(item: Item) -> Sequence[Item]:
    """Stops for what slides on an open curve, at its two ends; delete them to let it slide beyond."""
    curve, u = item.inputs[-2:]
    value = port_of(curve).kind.wrap(ca.SX.sym("q", port_of(curve).dim))
    if value.closing != "open":
        return ()
    low, high = value.span
    return at_least(u, low=low, name=f"{u.name}.start"), at_most(u, high=high, name=f"{u.name}.end")


slider.companions = on_curve.companions = _ends


# Two smooth directions across a unit vector exist everywhere but at one point (a ball cannot be combed).
# Frisvad's pair has it at
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
