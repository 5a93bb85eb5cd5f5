"""Constraints on any measure: equality with a number, with each other, with a typed formula, with a function
of time (E3)."""

from __future__ import annotations

import casadi as ca

from tinkerdyne.connectors.formulas import Given, checked_text, from_text, scope
from tinkerdyne.language.block import T_SYMBOL
from tinkerdyne.language.calls import says_how
from tinkerdyne.language.effects import Rate, Stop, velocity
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Anything, FrameValue, Names, Number, Place, Scalar, Size, Texts, Vector
from tinkerdyne.language.look import look
from tinkerdyne.language.parse import parse
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.types import constraint


@constraint
def equal(a: Vector, b: Vector) -> SX:
    """Two measures agree:  c = a − b."""
    if a.numel() != b.numel():
        raise ValueError(f"one measure has {a.numel()} numbers, the other {b.numel()}")
    return a - b


@look(role="hold", value="at", icon="lock")
@constraint(tied=True)
def held(x: Vector, *, at: Place = (0.0,)) -> SX:
    """A measure keeps a value:  c = x − at; one number stands for all its components."""
    if at.numel() not in (1, x.numel()):
        raise ValueError(f"the measure has {x.numel()} numbers, the value {at.numel()}")
    return x - at


@look(glyph="wheel", group="Motors and paths")
@constraint(tied=True)
def speed(x: Vector, *, at: Place = (0.0,)) -> Rate:
    """A measure changes at a given rate:  ẋ = at; the approach to it is e^(−t/τ)   [1/s]."""
    return Rate(velocity(x) - at)


@look(group="Motors and paths")
@constraint(tied=True)
def acceleration(x: Vector, *, at: Place = (0.0,)) -> Rate:
    """A measure's rate grows steadily from what it is when this is switched on:  ẍ = at   [1/s²]."""
    return Rate(velocity(x) - at * T_SYMBOL, steady=True)


@constraint(tied=True)
def lag(x: Scalar, *, to: Number = 0.0, time: Size = 1.0) -> Rate:
    """A measure follows a value late, as a filter of first order does:  ẋ = (to − x)/time   [time s]."""
    return Rate(velocity(x) - (to - x) / time)


@look(glyph="none", role="low bound", icon="bound")
@constraint(tied=True)
def at_least(x: Scalar, *, low: Number = 0.0, restitution: Number = 0.0) -> Stop:
    """A measure does not fall below a value:  x − low ≥ 0; it bounces there with the restitution, 0 … 1."""
    return Stop(x - low)


@look(glyph="none", role="high bound", icon="bound")
@constraint(tied=True)
def at_most(x: Scalar, *, high: Number = 0.0, restitution: Number = 0.0) -> Stop:
    """A measure does not rise above a value:  high − x ≥ 0; it bounces there with the restitution, 0 … 1."""
    return Stop(high - x)


@look(role="equation", group="Formulas", form="constraint", line='world.add(equation("x - a", x=x, a=1))')
@constraint(tied=True)
def typed_equation(
    *inputs: Anything,
    text: Texts = ("0",),
    names: Names = (),
    constant_names: Names = (),
    constants: Place = (),
) -> SX:
    """A typed formula stays zero:  c = f(inputs, numbers, t)."""
    where = scope(inputs, names, constants, constant_names)
    return ca.vertcat(*[parse(t, where) for t in text])


@look(group="Formulas", form="path", line='world.add(follow(x, "1 + 0.1*sin(t)"))')
@constraint(tied=True)
def typed_path(
    x: Anything,
    *inputs: Anything,
    text: Texts = ("0",),
    names: Names = (),
    constant_names: Names = (),
    constants: Place = (),
) -> SX:
    """A connector follows typed formulas, usually of time:  c = x − f(t)."""
    where = scope(inputs, names, constants, constant_names)
    flat = x.origin if isinstance(x, FrameValue) else x
    if flat.numel() != len(text):
        raise ValueError(f"a path here takes {flat.numel()} texts, one a component, not {len(text)}")
    return flat - ca.vertcat(*[parse(t, where) for t in text])


@says_how
def equation(*text: str, name: str = "", tau: float = 0.1, is_on: bool = True, **names: Given) -> Item:
    """Hold typed formulas at zero: equation("a*a + b*b - 1", a=x, b=y)."""
    extra = {"name": name, "tau": tau, "is_on": is_on}
    return from_text(typed_equation, checked_text(text, count=(1, 2, 3, 4, 5, 6)), names, extra)


@says_how
def follow(x: Item, *text: str, name: str = "", tau: float = 0.1, is_on: bool = True, **names: Given) -> Item:
    """Make a connector follow an explicit function of time: follow(rod.end2, "cos(t)", "sin(t)", "0")."""
    extra = {"name": name, "tau": tau, "is_on": is_on}
    return from_text(typed_path, checked_text(text, count=(1, 2, 3)), names, extra, (x,))
