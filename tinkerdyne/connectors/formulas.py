"""Connectors typed in as text: a formula over measures, numbers and the time t, through the safe parser
(E5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import casadi as ca

from tinkerdyne.connectors.points import place
from tinkerdyne.language.block import T_SYMBOL
from tinkerdyne.language.calls import says_how
from tinkerdyne.language.checks import are_numbers
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.item_type import refuse_clash
from tinkerdyne.language.kinds import Anything, FrameValue, Names, Place, Point, Scalar, Texts
from tinkerdyne.language.look import look
from tinkerdyne.language.parse import parse
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.types import BlockType, connector

Given: TypeAlias = Item | float | Sequence[float]
"""What a name of a typed formula may stand for: a connector, an object, a number, or a place of the world."""


def scope(
    inputs: Sequence[SX | FrameValue], names: Sequence[str], constants: SX, constant_names: Sequence[str]
) -> dict[str, SX]:
    """The names that a typed formula may use: its inputs, its numbers, and t."""
    for one, of, many in ((names, "inputs", inputs), (constant_names, "numbers", constants.shape[0])):
        count = many if isinstance(many, int) else len(many)
        if len(one) != count:
            raise ValueError(f"there are {count} {of} and {len(one)} names for them")
    found = {"t": T_SYMBOL}
    for name, x in zip(names, inputs, strict=True):
        found[name] = x.origin if isinstance(x, FrameValue) else x
    for k, name in enumerate(constant_names):
        found[name] = constants[k]
    return found


def checked_text(text: str | Sequence[str], *, count: tuple[int, ...]) -> tuple[str, ...]:
    """The texts of a formula with one or several components."""
    texts = tuple(text) if isinstance(text, list | tuple) else (text,)
    if len(texts) not in count or not all(isinstance(t, str) for t in texts):
        wanted = f"{count[0]} text" if len(count) == 1 else f"{count[0]} to {count[-1]} texts"
        raise TypeError(f'a formula here takes {wanted}, such as "2*sin(t)", not {text!r}')
    return texts


def from_text(
    type: BlockType,
    text: tuple[str, ...],
    names: Mapping[str, Given],
    extra: Values,
    first: tuple[Item, ...] = (),
) -> Item:
    """An item of a typed-formula type; its names stand for connectors, places and numbers."""
    known = {k: place(at=given) if are_numbers(given) else given for k, given in names.items()}
    inputs = {k: given for k, given in known.items() if isinstance(given, Item)}
    numbers = {k: given for k, given in known.items() if k not in inputs}
    for name in numbers:
        refuse_clash(type, name)
    options = {"names": tuple(inputs), "constant_names": tuple(numbers), "constants": tuple(numbers.values())}
    return type.make(extra.pop("name", ""), (*first, *inputs.values()), {"text": text, **options, **extra})


@look(role="output", group="Formulas", form="measure", line='world.add(formula("2*x + 1", x=x))')
@connector(tied=True)
def formula_value(
    *inputs: Anything,
    text: Texts = ("0",),
    names: Names = (),
    constant_names: Names = (),
    constants: Place = (),
) -> Scalar:
    """A scalar given by a typed formula over connectors, numbers and t."""
    return parse(text[0], scope(inputs, names, constants, constant_names))


@look(group="Formulas", form="measure", line='world.add(moving("cos(t)", "sin(t)", "0"))')
@connector(tied=True)
def formula_place(
    *inputs: Anything,
    text: Texts = ("0", "0", "0"),
    names: Names = (),
    constant_names: Names = (),
    constants: Place = (),
) -> Point:
    """A point given by typed formulas, one a coordinate; over t alone it is a control point that moves by
    itself."""
    where = scope(inputs, names, constants, constant_names)
    return ca.vertcat(*[parse(t, where) for t in text])


@says_how
def formula(text: str, *, name: str = "", **names: Given) -> Item:
    """A scalar measure typed in as text: formula("a*b + k", a=first, b=second, k=2.0)."""
    return from_text(formula_value, checked_text(text, count=(1,)), names, {"name": name})


@says_how
def moving(*text: str, name: str = "", **names: Given) -> Item:
    """A control point that is a function of time: moving("cos(t)", "sin(t)", "0")."""
    return from_text(formula_place, checked_text(text, count=(2, 3)), names, {"name": name})
