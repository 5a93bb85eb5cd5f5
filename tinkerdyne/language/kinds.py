"""Kinds: what sort of geometry a connector supplies and a formula receives.

A kind turns a flat column of symbols into what a formula's author wants to write with: a point is a column, a
frame has an origin and axes, a curve can be asked for its point at u.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import casadi as ca

SX = Any


@dataclass(frozen=True)
class Kind:
    """A sort of value: its name, the dimensions it may have, and how a formula sees it."""

    name: str
    dims: tuple[int, ...] = ()
    wrap: Callable[[SX], Any] = lambda x: x

    def accepts(self, other: Kind, dim: int) -> bool:
        """Whether a connector of another kind may be plugged in where this kind is wanted."""
        if self.name == "anything":
            return True
        if self.dims and dim not in self.dims:
            return False
        return self.name == other.name or (self.name, other.name) in _CONVERTIBLE


@dataclass(frozen=True)
class FrameValue:
    """A frame as a formula sees it: world place = origin + axes · body place; the columns of `axes` are
    directions."""

    origin: SX
    axes: SX

    @property
    def dim(self) -> int:
        return int(self.origin.numel())

    def place(self, at: SX) -> SX:
        """The world place of a body place."""
        return self.origin + self.axes @ at

    def flat(self) -> SX:
        return ca.vertcat(self.origin, ca.vec(self.axes))


def frame_value(flat: SX) -> FrameValue:
    """Read a frame from its 12 (or, in the plane, 6) numbers."""
    n = 3 if flat.numel() == 12 else 2
    return FrameValue(flat[:n], ca.reshape(flat[n:], n, n))


@dataclass(frozen=True)
class CurveValue:
    """A parametric curve as a formula sees it: a point and a tangent for each u."""

    state: SX
    equations: Callable[..., SX]
    span: tuple[float, float]
    panels: int = 1  # parts of the span with a quadrature of their own
    # "open", "closed" (its ends meet), or "periodic" (the equations go round by themselves)
    closing: str = "open"

    def point(self, u: SX) -> SX:
        return self.equations(self.wrapped(u), self.state)

    def tangent(self, u: SX) -> SX:
        """∂x/∂u, not normalised."""
        s = ca.SX.sym("u")
        return ca.substitute(ca.jacobian(self.equations(s, self.state), s), s, self.wrapped(u))

    def wrapped(self, u: SX) -> SX:
        """u as the equations take it: on a closed curve it goes round."""
        if self.closing != "closed":
            return u
        low, high = self.span
        return u - (high - low) * ca.floor((u - low) / (high - low))


@dataclass(frozen=True)
class KeysValue:
    """Keys over time as a formula sees them: the polynomial of the span of time that holds t; `row` is t_k,
    then c₀ … c₃."""

    row: SX

    def at(self, t: SX) -> SX:
        n = (self.row.numel() - 1) // 4
        s = t - self.row[0]
        c0, c1, c2, c3 = (self.row[1 + k * n : 1 + (k + 1) * n] for k in range(4))
        return c0 + s * (c1 + s * (c2 + s * c3))


@dataclass(frozen=True)
class ParticlesValue:
    """The particles of a Lagrangian object, each a column."""

    places: tuple[SX, ...]


# A scalar, a point or a direction may stand where a plain vector is wanted.
_CONVERTIBLE = {("vector", "scalar"), ("vector", "point"), ("vector", "direction")}


@dataclass(frozen=True)
class Parameter:
    """The sort of a keyword-only name: a number, a place (as many numbers as its value has), or a structural
    choice."""

    name: str


@dataclass(frozen=True)
class Either:
    """A parameter's default that depends on where its type is used: in the plane or in space."""

    plane: tuple[float, ...]
    space: tuple[float, ...]


ORIGIN = Either((0.0, 0.0), (0.0, 0.0, 0.0))
AXES = Either((1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))


# Kinds stand in annotations of formulas, def distance(a: Point, …); to a type checker such an argument is
# anything symbolic.
if TYPE_CHECKING:
    Scalar: TypeAlias = Any
    Point: TypeAlias = Any
    Direction: TypeAlias = Any
    Frame: TypeAlias = Any
    Vector: TypeAlias = Any
    Curve: TypeAlias = Any
    Particles: TypeAlias = Any
    Anything: TypeAlias = Any
    Number: TypeAlias = Any
    Size: TypeAlias = Any
    Unit: TypeAlias = Any
    Axes: TypeAlias = Any
    Place: TypeAlias = Any
    Choice: TypeAlias = Any
    Keys: TypeAlias = Any
    Turns: TypeAlias = Any
else:
    Scalar = Kind("scalar", (1,))
    Point = Kind("point", (2, 3))
    Direction = Kind("direction", (2, 3))
    Frame = Kind("frame", (6, 12), frame_value)
    Vector = Kind("vector")
    Curve = Kind("curve")
    Particles = Kind("particles")
    Anything = Kind("anything")  # a formula that takes whatever it gets as a column
    Number = Parameter("number")
    Size = Parameter("size")  # a positive number
    Unit = Parameter("unit")  # a direction: made one unit long
    Axes = Parameter("axes")  # a right-handed set of unit axes, by columns
    Place = Parameter("place")
    Keys = Parameter("keys")  # rows (time, number …), seen by a formula as a smooth function of time
    # the angle last met, kept by the kernel itself, so that full turns are counted
    Turns = Parameter("turns")
    # decides the formula's structure, so it is part of the type and not of the arena
    Choice = Parameter("choice")
