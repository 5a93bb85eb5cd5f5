"""Kinds: what sort of geometry a connector supplies and a formula receives, and the sorts of parameters.

A kind turns a flat column of symbols into what a formula's author wants to write with: a point is a column, a
frame has an origin and axes, a curve can be asked for its point at u. The sort of a parameter says how a
value that a user gives is checked and kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import casadi as ca

from tinkerdyne.language.checks import (
    LONGEST_NAME,
    along,
    are_numbers,
    axes,
    by_name,
    is_number,
    number,
    text,
    truth,
    unit,
    vector,
)
from tinkerdyne.language.keys import STYLES, checked_keys
from tinkerdyne.language.symbols import SX

Value: TypeAlias = Any
"""A parameter or a part of a state as it is kept: a number, a truth, a text, or tuples of these."""

Symbolic: TypeAlias = Any
"""What a formula computes with: expressions, frames, curves; the kinds say which."""


NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")  # as formulas have them
SHORTEST = 1e-12  # s of a time constant: what is shorter no step can follow, and 1/τ² must be a number
MOST_NAMES = 200  # of a typed formula: as many as it may have parts


@dataclass(frozen=True)
class Kind:
    """A sort of value: its name, the numbers it may have, and how a formula sees it."""

    name: str
    dims: tuple[int, ...] = ()
    wrap: Callable[[SX], Symbolic] = lambda x: x
    space: Callable[[int], int] = lambda _dim: 0  # 2 or 3 where it is geometry, from its numbers
    also: tuple[str, ...] | None = ()  # other kinds that may stand where it is wanted; None for all
    instead: str = ""  # what to write where a plain number was given, {}
    example: str = ""  # how one is made; of a body that is called so

    def accepts(self, other: Kind, dim: int) -> bool:
        """Whether a connector of another kind may be plugged in where this kind is wanted."""
        if self.also is None:
            return True
        if self.dims and dim not in self.dims:
            return False
        return self.is_a(other) or other.name in self.also

    def is_a(self, other: Kind) -> bool:
        """Whether both are of one sort, such as two curves with equations of their own."""
        return self.name == other.name

    def instead_of(self, value: object) -> str:
        """What to write instead of a value that cannot be plugged in, at the end of a message."""
        if isinstance(value, str) and self.name == "direction" and along(value):
            return along(value)
        if isinstance(value, str):
            return f"; to take an item by its name write {by_name(value)}"
        is_plain = is_number(value) or (are_numbers(value) and not self.dims)
        return f"; {self.instead.format(value)}" if self.instead and is_plain else ""

    def __repr__(self) -> str:
        return self.name.capitalize()


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


@dataclass(frozen=True)
class Parameter:
    """The sort of a keyword-only name: how a value is checked, and whether it is a structural choice.

    `check` is called with what the thing is called, the value, and the parameter's default."""

    name: str
    check: Callable[[str, object, Value], Value]
    is_choice: bool = False  # decides the formula's structure: part of the type, not of the arena
    choices: tuple[str, ...] = ()

    def word(self, default: Value) -> str:
        """The sort in Python's words."""
        return "tuple" if isinstance(default, Either) else type(default).__name__

    def __repr__(self) -> str:
        return self.name.capitalize()


@dataclass(frozen=True)
class Either:
    """A parameter's default that depends on where its type is used: in the plane or in space."""

    plane: tuple[float, ...]
    space: tuple[float, ...]

    def __repr__(self) -> str:
        return f"{self.plane} or {self.space}"


ORIGIN = Either((0.0, 0.0), (0.0, 0.0, 0.0))
AXES = Either((1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))


def _number(what: str, value: object, default: Value) -> Value:
    if isinstance(default, (tuple, list)):
        return vector(what, value, length=len(default))
    return number(what, value)


def _size(what: str, value: object, default: Value) -> Value:
    if isinstance(default, (tuple, list)):
        return vector(what, value, length=len(default))
    return number(what, value, positive=True)


def _duration(what: str, value: object, _default: Value) -> Value:
    seconds = number(what, value, positive=True)
    if not SHORTEST <= seconds <= 1 / SHORTEST:
        raise ValueError(f"{what} must lie between {SHORTEST:g} and {1 / SHORTEST:g} s, not {seconds:g}")
    return seconds


def _place(what: str, value: object, _default: Value) -> Value:
    return vector(what, [value] if is_number(value) else value)


def _down(what: str, value: object, _default: Value) -> Value:
    if not is_number(value):
        return vector(what, value, length=(2, 3))
    strength = number(what, value)
    if strength < 0:
        raise ValueError(
            f"{what} is a strength downwards where it is one number, as in 9.81, not {strength:g}; "
            f"for one upwards give a vector: (0, 0, {-strength:g})"
        )
    return (0.0, 0.0, -strength)


def _style(what: str, value: object, _default: Value) -> Value:
    if value not in STYLES:
        raise ValueError(f"{what} must be one of {', '.join(STYLES)}, not {value!r}")
    return value


def _choice(what: str, value: object, default: Value) -> Value:
    """A text where the default is one, a list where it is one; else plain numbers, truths and texts."""
    if not isinstance(default, (bool, int, float, str, tuple)) and default is not None:
        return value  # a user's own sort
    found = _frozen(what, value)
    for sort, said in ((str, "text"), (tuple, "a list")):
        if isinstance(default, sort) != isinstance(found, sort):
            wanted = said if isinstance(default, sort) else f"something like {default!r}"
            raise TypeError(f"{what} must be {wanted}, not {value!r}")
    return found


def _frozen(what: str, value: object) -> Value:
    if isinstance(value, (tuple, list)):
        return tuple(_frozen(what, one) for one in value)
    if isinstance(value, str):
        return text(what, value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    return number(what, value)


def _texts(what: str, value: object, _default: Value) -> Value:
    given = (value,) if isinstance(value, str) else value
    if not isinstance(given, (tuple, list)) or not all(isinstance(one, str) for one in given):
        raise TypeError(f"{what} must be texts, not {value!r}")
    return tuple(text(what, one) for one in given)


def _names(what: str, value: object, _default: Value) -> Value:
    """Names that a typed formula can use, each once."""
    names: tuple[str, ...] = _texts(what, value, ())
    if len(names) > MOST_NAMES:
        raise ValueError(f"{what} may be {MOST_NAMES} names, not {len(names)}")
    for name in names:
        if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
            raise ValueError(
                f"{what}: {name[:40]!a} is no name; write letters, digits and _, beginning with a letter"
            )
    if len(set(names)) < len(names):
        raise ValueError(f"{what} must be different names, not {value!r}")
    return names


def _gains(what: str, value: object, _default: Value) -> Value:
    gains = vector(what, value, length=(0, 2))
    if any(gain < 0 for gain in gains):
        raise ValueError(
            f"{what} must be (k_s, k_d), both at least zero, or () for those of tau, not {value!r}"
        )
    return gains


# Kinds and sorts of parameters stand in annotations of formulas, def distance(a: Point, …); to a type checker
# such an argument is anything symbolic, and its default may be a plain number.
if TYPE_CHECKING:
    Scalar: TypeAlias = Symbolic
    Point: TypeAlias = Symbolic
    Direction: TypeAlias = Symbolic
    Frame: TypeAlias = Symbolic
    Vector: TypeAlias = Symbolic
    Curve: TypeAlias = Symbolic
    Surface: TypeAlias = Symbolic
    Particles: TypeAlias = Symbolic
    Anything: TypeAlias = Symbolic
    Part: TypeAlias = Symbolic
    Group: TypeAlias = Symbolic
    Number: TypeAlias = Symbolic
    Size: TypeAlias = Symbolic
    Unit: TypeAlias = Symbolic
    Axes: TypeAlias = Symbolic
    Place: TypeAlias = Symbolic
    Down: TypeAlias = Symbolic
    Choice: TypeAlias = Symbolic
    Texts: TypeAlias = Symbolic
    Names: TypeAlias = Symbolic
    Style: TypeAlias = Symbolic
    Keys: TypeAlias = Symbolic
    Turns: TypeAlias = Symbolic
else:
    Scalar = Kind(
        "scalar",
        (1,),
        instead='for a number that stays write formula("{0}"), for an unknown Variable(value={0})',
        example="a coordinate of a joint, such as hinge.turn, a measure, such as distance_between(a, b), or "
        "a Variable",
    )
    Point = Kind("point", (2, 3), space=lambda dim: dim)
    Direction = Kind("direction", (2, 3), space=lambda dim: dim, example="direction(body, along=(0, 0, 1))")
    Frame = Kind("frame", (6, 12), frame_value, space=lambda dim: 2 if dim == 6 else 3)
    Vector = Kind(
        "vector",
        also=("scalar", "point", "direction"),
        instead="to hold a measure at a number write held(x, at={0})",
    )
    Curve = Kind("curve")
    Surface = Kind("surface")
    Particles = Kind("particles")
    Group = Kind("group")  # bodies that a rule speaks of as one
    Part = Kind("part", also=("frame", "point", "group"))  # a whole body, a particle too, or a group of them
    Anything = Kind("anything", also=None)  # a formula that takes whatever it gets as a column
    Number = Parameter("number", _number)
    Size = Parameter("size", _size)  # a positive number
    Unit = Parameter("unit", lambda what, value, _default: unit(what, value))  # made one unit long
    Axes = Parameter("axes", lambda what, value, _default: axes(what, value))  # right-handed, by columns
    Place = Parameter("place", _place)
    Down = Parameter("place", _down)  # a vector, or how strong it is downwards
    # rows (time, number …), seen by a formula as a smooth function of time
    Keys = Parameter("keys", lambda what, rows, _default: checked_keys(what, rows))
    # the angle last met, kept by the kernel itself, so that full turns are counted
    Turns = Parameter("turns", _number)
    Choice = Parameter("choice", _choice, is_choice=True)
    Texts = Parameter("choice", _texts, is_choice=True)  # of a typed formula
    Names = Parameter("choice", _names, is_choice=True)  # that it may use
    Style = Parameter("choice", _style, is_choice=True, choices=STYLES)

# Parameters that all types of a family have.
Truth = Parameter("truth", lambda what, value, _default: truth(what, value))
Gains = Parameter("gains", _gains)
Duration = Parameter("size", _duration)
