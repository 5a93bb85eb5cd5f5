"""The library of curves: circle, arc, ellipse, superellipse, rectangle, spiral, and in space helix and tilted
ellipse (G2).

Each is its equations x(u; state). They weigh next to nothing and have a uniform drag along their length (ID90
§5.2), so that in a first-order world a pulled point takes its curve along and reshapes it by the equations
alone.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import pieces
from tinkerdyne.language.item import Item, an_item, label
from tinkerdyne.language.kinds import Curve, CurveValue
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import PI, SX, TAU, cos, exp, fabs, log, sin, vec
from tinkerdyne.objects.curve import curve
from tinkerdyne.objects.object import ObjectType

LIGHT = 0.01  # kg/m: negligible beside the drag of 1 N s/m²
TINY = 1e-30  # added to squares, so that powers of what vanishes have finite derivatives
SEGMENTS = 96  # of a curve in a picture


def _turned(x: SX, y: SX, angle: SX) -> SX:
    c, s = cos(angle), sin(angle)
    return vec(c * x - s * y, s * x + c * y)


@look(rank=2)
@curve(name="circle", span=(0.0, TAU), panels=1, nodes=8, density=LIGHT)
def Circle(u: SX, *, position: SX = (0.0, 0.0), radius: SX = 1.0) -> SX:
    """A circle:  x = position + radius (cos u, sin u), u from 0 to 2π."""
    return position + radius * vec(cos(u), sin(u))


@look(rank=3)
@curve(name="arc", panels=1, nodes=8, density=LIGHT)
def Arc(u: SX, *, position: SX = (0.0, 0.0), radius: SX = 1.0, begin: SX = 0.0, end: SX = PI / 2) -> SX:
    """A part of a circle, from the angle `begin` (u = 0) to the angle `end` (u = 1)
    [begin rad, end rad]."""
    at = begin + u * (end - begin)
    return position + radius * vec(cos(at), sin(at))


@look(rank=4)
@curve(name="ellipse", span=(0.0, TAU), panels=1, nodes=12, density=LIGHT)
def Ellipse(u: SX, *, position: SX = (0.0, 0.0), radii: SX = (1.0, 0.6), angle: SX = 0.0) -> SX:
    """An ellipse with its half axes `radii`, the first turned by `angle`; u from 0 to 2π."""
    return position + _turned(radii[0] * cos(u), radii[1] * sin(u), angle)


def _log_sum(a: SX, b: SX) -> SX:
    """log(eᵃ + eᵇ), taken about the larger of the two, which neither overflows nor vanishes."""
    larger = (a + b + fabs(a - b)) / 2
    return larger + log(exp(a - larger) + exp(b - larger))


def _log_power(base: SX, exponent: SX) -> SX:
    """log |base|^exponent, with finite derivatives where the base vanishes."""
    return exponent / 2 * log(base * base + TINY)


@look(word="Superquadric", rank=7)
@curve(name="superellipse", span=(0.0, TAU), panels=4, nodes=4, density=LIGHT)
def Superellipse(
    u: SX, *, position: SX = (0.0, 0.0), radii: SX = (1.0, 0.6), angle: SX = 0.0, exponent: SX = 3.0
) -> SX:
    """A superellipse (superquadric)  |x/radii₀|ⁿ + |y/radii₁|ⁿ = 1  with n = exponent, along (cos u, sin u);
    u from 0 to 2π."""
    size = exp(-_log_sum(_log_power(cos(u), exponent), _log_power(sin(u), exponent)) / exponent)
    return position + _turned(radii[0] * size * cos(u), radii[1] * size * sin(u), angle)


def _ramp(u: SX) -> SX:
    """u between 0 and 1, held outside."""
    return (fabs(u) - fabs(u - 1) + 1) / 2


@look(rank=9)
@curve(name="rectangle", span=(0.0, 4.0), panels=4, nodes=2, density=LIGHT)
def Rectangle(u: SX, *, position: SX = (0.0, 0.0), size: SX = (1.0, 0.6), angle: SX = 0.0) -> SX:
    """A rectangle about its position; u goes round from the lower left corner, one unit a side."""
    x, y = _ramp(u) - _ramp(u - 2) - 0.5, _ramp(u - 1) - _ramp(u - 3) - 0.5
    return position + _turned(size[0] * x, size[1] * y, angle)


@look(rank=8)
@curve(name="spiral", panels=4, nodes=4, density=LIGHT)
def Spiral(
    u: SX, turns: SX = 3.0, *, position: SX = (0.0, 0.0), radius: SX = 0.2, pitch: SX = 0.3, angle: SX = 0.0
) -> SX:
    """An Archimedean spiral of some `turns`: from `radius` (u = 0) outwards by `pitch` a turn, to u = 1."""
    turn = turns * u
    return position + (radius + pitch * turn) * vec(cos(angle + TAU * turn), sin(angle + TAU * turn))


@curve(name="tilted_ellipse", span=(0.0, TAU), panels=1, nodes=12, density=LIGHT)
def TiltedEllipse(
    u: SX, *, position: SX = (0.0, 0.0, 0.0), a: SX = (1.0, 0.0, 0.0), b: SX = (0.0, 1.0, 0.0)
) -> SX:
    """An ellipse in space by two half diameters:  x = position + a cos u + b sin u, u from 0 to 2π
    [a m, b m]."""
    return position + a * cos(u) + b * sin(u)


@curve(name="helix", panels=4, nodes=4, density=LIGHT)
def Helix(
    u: SX,
    turns: SX = 3.0,
    *,
    position: SX = (0.0, 0.0, 0.0),
    a: SX = (0.5, 0.0, 0.0),
    b: SX = (0.0, 0.5, 0.0),
    axis: SX = (0.0, 0.0, 1.0),
) -> SX:
    """A helix of some `turns`:  x = position + axis u + a cos φ + b sin φ with φ = 2π turns u, u from 0 to
    1   [a m, b m, axis m]."""
    phi = TAU * turns * u
    return position + axis * u + a * cos(phi) + b * sin(phi)


_drawn: dict[tuple[int, int], tuple[ObjectType, SX]] = {}


def polyline(item: Item, *, segments: int = SEGMENTS) -> Array:
    """Points of a curve as it is now, evenly spaced in u, both ends included: (segments + 1, 2 or 3) [m]."""
    family = an_item("polyline", item).type.family
    what = item.type.resolve(item)[0] if family == "object" else None
    if what is None or not what.kind.is_a(Curve):
        raise TypeError(f"{label(item)} is no curve")
    pieces(label(item), segments)
    known = _drawn.get((id(what), segments))
    if known is None:
        ell = ca.SX.sym("l", what.dim)
        drawn: CurveValue = what.kind.wrap(ell)
        points = [drawn.equations(u, drawn.state) for u in np.linspace(*drawn.span, segments + 1)]
        known = _drawn[id(what), segments] = (
            what,
            ca.Function("points", [ell], [ca.densify(ca.horzcat(*points))]),
        )
    state = [np.ravel(getattr(item, part.name)) for part in what.positions]
    constants = [item.values[name] for name in what.layout.names[2:]]  # they travel with the lift
    return np.array(known[1](np.concatenate([*state, constants])).full().T)
