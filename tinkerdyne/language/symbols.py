"""The mathematics a formula is written with: vectors and functions over CasADi symbols, safe to
differentiate.

CasADi's own `norm_2` has NaN derivatives at zero. Two points of a mechanism may well coincide, so the
length-like functions here have a deterministic direction there: the x axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import casadi

SX: TypeAlias = casadi.SX
"""A CasADi expression: a scalar, a column vector (n, 1) or a matrix of symbols."""

Function: TypeAlias = casadi.Function
"""A CasADi function, of expressions or of numbers."""

Expression: TypeAlias = SX | float | Sequence[float]
"""What formulas are written with: symbols; plain numbers, tuples and arrays do too."""

PI = math.pi
TAU = math.tau

COINCIDENCE = 1e-152
"""Shorter vectors count as zero [their own unit]. Its square is still a normal double, so that every longer
vector has its length, and the first and second derivatives of it, to machine precision."""


# Each takes symbols, and numbers as well: sin(0.5) is a number, sin((0, PI)) is taken number by number.
def sin(x: Expression) -> SX:
    """The sine of an angle [rad]."""
    return casadi.sin(x)


def cos(x: Expression) -> SX:
    """The cosine of an angle [rad]."""
    return casadi.cos(x)


def tan(x: Expression) -> SX:
    """The tangent of an angle [rad]."""
    return casadi.tan(x)


def asin(x: Expression) -> SX:
    """The angle in [−π/2, π/2] whose sine is x [rad]."""
    return casadi.asin(x)


def acos(x: Expression) -> SX:
    """The angle in [0, π] whose cosine is x [rad]."""
    return casadi.acos(x)


def atan(x: Expression) -> SX:
    """The angle in (−π/2, π/2) whose tangent is x [rad]."""
    return casadi.atan(x)


def atan2(y: Expression, x: Expression) -> SX:
    """The angle of the point (x, y) about the origin, in [−π, π] [rad]."""
    return casadi.atan2(y, x)


def sinh(x: Expression) -> SX:
    """The hyperbolic sine:  (eˣ − e⁻ˣ)/2."""
    return casadi.sinh(x)


def cosh(x: Expression) -> SX:
    """The hyperbolic cosine:  (eˣ + e⁻ˣ)/2."""
    return casadi.cosh(x)


def tanh(x: Expression) -> SX:
    """The hyperbolic tangent:  sinh x / cosh x."""
    return casadi.tanh(x)


def exp(x: Expression) -> SX:
    """The exponential function eˣ."""
    return casadi.exp(x)


def log(x: Expression) -> SX:
    """The natural logarithm."""
    return casadi.log(x)


def sqrt(x: Expression) -> SX:
    """The square root; its derivative at 0 is infinite."""
    return casadi.sqrt(x)


def fabs(x: Expression) -> SX:
    """The absolute value |x|."""
    return casadi.fabs(x)


def if_else(condition: SX, then: Expression, otherwise: Expression) -> SX:
    """`then` where a condition on symbols holds, else `otherwise`: if_else(x > 0, x, 0)."""
    return casadi.if_else(condition, then, otherwise)


def vec(*components: Expression) -> SX:
    """A column vector of the given numbers:  vec(x, y, z), shape (n, 1)."""
    return casadi.vertcat(*(casadi.SX(component) for component in components))


def column(v: Expression) -> SX:
    """The same vector as a column: tuples, lists, arrays and row vectors are turned into shape (n, 1)."""
    if isinstance(v, tuple | list):
        return vec(*v)
    sx = casadi.SX(v)
    if not sx.is_vector():
        raise ValueError(f"a vector was wanted, but a matrix of shape {sx.shape} came")
    return sx if sx.is_column() else sx.T


def dot(a: Expression, b: Expression) -> SX:
    """The scalar product of two vectors of one length:  a · b = Σ aᵢ bᵢ."""
    a, b = _pair("dot", a, b)
    return casadi.dot(a, b)


def norm(v: Expression) -> SX:
    """The length of a vector, |v| = √(v · v), with finite derivatives everywhere.

    Where v = 0 the value is 0, the gradient is the x axis (1, 0, …) and the second derivative is 0: the
    length is read as v_x there. Lengths above 1e154 overflow.
    """
    v = column(v)
    is_zero, length = _length(v)
    return casadi.if_else(is_zero, v[0], length)


def normalise(v: Expression) -> SX:
    """The direction of a vector, v / |v|; where v = 0 it is the x axis, with derivative 0."""
    v = column(v)
    is_zero, length = _length(v)
    x_axis = [1.0] + [0.0] * (v.numel() - 1)
    return casadi.if_else(is_zero, casadi.SX(x_axis), v / length)


def cross(a: Expression, b: Expression) -> SX:
    """The vector product a × b of two 3-vectors; of two 2-vectors, the scalar a_x b_y − a_y b_x."""
    a, b = _pair("cross", a, b)
    if a.numel() == 2:
        return a[0] * b[1] - a[1] * b[0]
    if a.numel() == 3:
        return casadi.cross(a, b)
    raise ValueError(f"cross wants vectors of 2 or 3 components; these have {a.numel()}")


def outer(a: Expression, b: Expression) -> SX:
    """The outer product a bᵀ, shape (len a, len b)."""
    return column(a) @ column(b).T


def skew(w: Expression) -> SX:
    """The matrix ŵ of a rotation rate, ŵ r = w × r: 3×3 from a 3-vector, 2×2 from a scalar (the plane)."""
    w = column(w)
    if w.numel() == 1:
        return casadi.blockcat([[0, -w], [w, 0]])
    if w.numel() == 3:
        x, y, z = w[0], w[1], w[2]
        return casadi.blockcat([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    raise ValueError(f"skew wants a scalar or a 3-vector; this has {w.numel()} components")


def _length(v: SX) -> tuple[SX, SX]:
    """(is v zero?, |v|), with 1 in place of |v| where v is zero.

    The square root itself must see 1 there: CasADi differentiates a branch not taken as 0 · (its derivative),
    and 0 · ∞ is NaN.
    """
    square = casadi.dot(v, v)
    is_zero = square < COINCIDENCE**2
    return is_zero, casadi.sqrt(casadi.if_else(is_zero, 1, square))


def _pair(name: str, a: Expression, b: Expression) -> tuple[SX, SX]:
    a, b = column(a), column(b)
    if a.numel() != b.numel():
        raise ValueError(
            f"{name} wants two vectors of one length; these have {a.numel()} and {b.numel()} components"
        )
    return a, b
