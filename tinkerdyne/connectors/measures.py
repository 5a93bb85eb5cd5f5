"""Measures: scalars over other connectors, shared by whatever reads them (E2, E5)."""

from __future__ import annotations

import casadi as ca

from tinkerdyne.language.kinds import Anything, Choice, Direction, Frame, Point, Scalar, Turns, Vector
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX, cross, dot, norm
from tinkerdyne.language.types import connector


@look(role="distance", icon="distance")
@connector
def distance_between(a: Point, b: Point) -> Scalar:
    """|b − a|   [m]."""
    return norm(b - a)


@look(icon="angle")
@connector
def angle_between(a: Direction, b: Direction) -> Scalar:
    """The angle from a to b: signed in the plane, 0 … π in space   [rad]."""
    if a.numel() == 2:
        return ca.atan2(cross(a, b), dot(a, b))
    return ca.atan2(norm(cross(a, b)), dot(a, b))


@connector
def turn_between(a: Frame, b: Frame, *, turns: Turns = 0.0) -> Scalar:
    """The turn of b seen from a, full turns counted: about the third axis of a in space   [rad]; `turns` is
    the last one met."""
    x, y = a.axes[:, 0], a.axes[:, 1]
    return counted(ca.atan2(dot(y, b.axes[:, 0]), dot(x, b.axes[:, 0])), turns)


def counted(angle: SX, last: SX) -> SX:
    """The angle with as many full turns added as bring it nearest to the last one met."""
    return angle + 2 * ca.pi * ca.floor((last - angle) / (2 * ca.pi) + 0.5)


@look(role="group", icon="group", group="Points", title="Group: the middle of several points")
@connector
def middle(*points: Point) -> Point:
    """The middle of several points   [m]; parts that belong together, as a group, by their middles."""
    return sum(points[1:], points[0]) / len(points)


@connector
def area_of(*corners: Point) -> Scalar:
    """The area of a polygon: signed in the plane (positive when the corners turn left), else of its
    projection's sum   [m²]."""
    n = len(corners)
    if corners[0].numel() == 2:
        return sum((cross(corners[k], corners[(k + 1) % n]) for k in range(n)), ca.SX(0)) / 2
    total = sum((cross(corners[k], corners[(k + 1) % n]) for k in range(n)), ca.SX.zeros(3))
    return norm(total) / 2


@connector(tied=True)
def component(x: Vector, *, of: Choice = 0) -> Scalar:
    """One number of a vector, counted from 0; the first when nothing is said."""
    if isinstance(of, bool) or of not in range(x.numel()):
        raise ValueError(f"of must be a whole number from 0 to {x.numel() - 1}, not {of!r}")
    return x[int(of)]


@connector(tied=True)
def coordinate(p: Point, along: Direction) -> Scalar:
    """How far a point lies along a direction   [m]."""
    return dot(p, along)


@connector
def stack(*inputs: Anything) -> Vector:
    """Several connectors as one vector."""
    return ca.vertcat(*[x.flat() if hasattr(x, "flat") else x for x in inputs])
