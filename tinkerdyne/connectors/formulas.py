"""Connectors typed in as text: a formula over measures, numbers and the time t, through the safe parser
(E5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca

from tinkerdyne.language.block import T_SYMBOL
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Anything, Choice, FrameValue, Place, Point, Scalar
from tinkerdyne.language.look import look
from tinkerdyne.language.parse import parse
from tinkerdyne.language.types import connector

SX = Any


def scope(
    inputs: Sequence[SX], names: Sequence[str], constants: SX, constant_names: Sequence[str]
) -> dict[str, SX]:
    """The names that a typed formula may use: its inputs, its numbers, and t."""
    found = {"t": T_SYMBOL}
    for name, x in zip(names, inputs, strict=True):
        found[name] = x.origin if isinstance(x, FrameValue) else x
    for k, name in enumerate(constant_names):
        found[name] = constants[k]
    return found


def sorted_names(names: dict[str, Any]) -> tuple[tuple[Item, ...], dict[str, Any]]:
    """Split the names given to a formula into connectors and numbers."""
    inputs = {k: v for k, v in names.items() if isinstance(v, Item)}
    numbers = {k: v for k, v in names.items() if not isinstance(v, Item)}
    options = {"names": tuple(inputs), "constant_names": tuple(numbers), "constants": tuple(numbers.values())}
    return tuple(inputs.values()), options


def checked_text(text: Any, *, count: tuple[int, ...]) -> tuple[str, ...]:
    """The texts of a formula with one or several components."""
    texts = (text,) if isinstance(text, str) else tuple(text)
    if len(texts) not in count or not all(isinstance(t, str) for t in texts):
        wanted = " or ".join(map(str, count))
        raise TypeError(f"a formula here takes {wanted} texts, not {text!r}")
    return texts


def from_text(
    type: Any,
    text: tuple[str, ...],
    names: dict[str, Any],
    extra: dict[str, Any],
    first: tuple[Item, ...] = (),
) -> Item:
    """An item of a typed-formula type."""
    inputs, options = sorted_names(names)
    item: Item = type.make(extra.pop("name", ""), (*first, *inputs), {"text": text, **options, **extra})
    return item


@look(role="output")
@connector(tied=True)
def formula_value(
    *inputs: Anything,
    text: Choice = ("0",),
    names: Choice = (),
    constant_names: Choice = (),
    constants: Place = (),
) -> Scalar:
    """A scalar given by a typed formula over connectors, numbers and t."""
    return parse(text[0], scope(inputs, names, constants, constant_names))


@connector(tied=True)
def formula_place(
    *inputs: Anything,
    text: Choice = ("0", "0", "0"),
    names: Choice = (),
    constant_names: Choice = (),
    constants: Place = (),
) -> Point:
    """A point given by typed formulas, one a coordinate; over t alone it is a control point that moves by
    itself."""
    where = scope(inputs, names, constants, constant_names)
    return ca.vertcat(*[parse(t, where) for t in text])


def formula(text: str, *, name: str = "", **names: Any) -> Item:
    """A scalar measure typed in as text: formula("a*b + k", a=first, b=second, k=2.0)."""
    return from_text(formula_value, checked_text(text, count=(1,)), names, {"name": name})


def moving(*text: str, name: str = "", **names: Any) -> Item:
    """A control point that is a function of time: moving("cos(t)", "sin(t)", "0")."""
    return from_text(formula_place, checked_text(text, count=(2, 3)), names, {"name": name})
