"""Points, tangents and measures of parametric curves, and the particles of Lagrangian objects (E2, E11)."""

from __future__ import annotations

from typing import Any

import casadi as ca

from tinkerdyne.formula.kinds import Choice, Curve, Direction, Number, Particles, Point, Scalar
from tinkerdyne.formula.symbols import cross, norm, normalise
from tinkerdyne.kernel.types import connector
from tinkerdyne.objects.curve import along_curve

SX = Any


@connector
def curve_point(curve: Curve, *, u: Number = 0.0) -> Point:
    """The point of a curve at a fixed parameter u   [m]."""
    return curve.point(u)


@connector
def slider(curve: Curve, u: Scalar) -> Point:
    """The point of a curve at the parameter that a variable holds: it slides   [m]."""
    return curve.point(u)


@connector
def tangent(curve: Curve, *, u: Number = 0.0) -> Direction:
    """The unit tangent of a curve at u."""
    return normalise(curve.tangent(u))


@connector
def normal(curve: Curve, *, u: Number = 0.0) -> Direction:
    """The unit normal of a plane curve at u, to the left of its tangent."""
    d = normalise(curve.tangent(u))
    if d.numel() != 2:
        raise ValueError("only a plane curve has one normal")
    return ca.vertcat(-d[1], d[0])


@connector
def length_of(curve: Curve) -> Scalar:
    """The length of a curve   [m]."""
    return along_curve(curve, lambda _u, _x, _d: ca.SX(1))


@connector
def area_within(curve: Curve) -> Scalar:
    """The signed area that a closed plane curve encloses:  ½ ∮ x dy − y dx   [m²]."""
    if curve.point(0.0).numel() != 2:
        raise ValueError("only a plane curve encloses an area")
    return along_curve(curve, lambda _u, x, d: cross(x, d) / 2 / norm(d))


@connector
def particle_of(compound: Particles, *, index: Choice = 0) -> Point:
    """One particle of a Lagrangian object   [m]."""
    return compound.places[index]
