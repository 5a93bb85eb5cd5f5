"""Types from formulas: `@connector`, `@constraint`, `@behavior` and `@field` turn a Python function into a
type (E5).

    @constraint
    def on_sphere(p: Point, *, centre: Place = (0, 0, 0), radius: Number = 1.0): return norm(p - centre) -
    radius

Positional names are inputs, by kind; keyword-only names are parameters, adjustable while the world runs. A
type is made for the ports it meets (a point in the plane or in space, on a body or on a curve) once; after
that, instances cost nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar, overload

from tinkerdyne.language.block import Port
from tinkerdyne.language.block_type import BlockType
from tinkerdyne.language.checks import are_numbers
from tinkerdyne.language.force_block import force_block
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.kinds import Duration, Gains, Kind, Truth
from tinkerdyne.language.registry import REGISTRY, port_of, register

__all__ = [
    "REGISTRY",
    "TAU",
    "BehaviorType",
    "BlockType",
    "ConnectorType",
    "ConstraintType",
    "FieldType",
    "behavior",
    "connector",
    "constraint",
    "field",
    "port_of",
    "register",
]
TAU = 0.1  # s: the time constant of a constraint's approach when nothing is said


class ConnectorType(BlockType):
    """A type of connectors: geometry that moves with objects, and measures of it."""

    family = "connector"
    readings: ClassVar = {"value": "", "velocity": ""}

    def _read_output(self, result: object) -> None:
        if not isinstance(result, Kind):
            raise TypeError(
                f"connector {self.name!r} must say what it supplies: -> Point, Direction, Frame, Scalar …"
            )
        self.output = result

    def settle(self, item: Item, name: str) -> None:
        """Reading rod.end2 of a rod that runs is enough to make it known."""
        homes = {id(source.world): source.world for source in item.inputs}
        home = next(iter(homes.values()), None)
        if len(homes) != 1 or home is None:
            super().settle(item, name)
        else:
            home.adopt(item)

    def port(self, item: Item) -> Port:
        """What a connector of this type offers to the next block."""
        return Port(self.output, self.block_of(item).dim)


class ConstraintType(BlockType):
    """A type of constraints: formulas that are held at zero by forces of their own."""

    family = "constraint"
    readings: ClassVar = {"value": "", "velocity": "", "force": "", "gap": ""}
    common: ClassVar = {"tau": (Duration, TAU), "gains": (Gains, ()), "is_on": (Truth, True)}

    def flat(self, values: Values) -> list[float]:
        tau = values["tau"]
        return [*super().flat(values), tau, *(values["gains"] or (1 / (tau * tau), 2 / tau))]


class BehaviorType(BlockType):
    """A type of behaviors: formulas that apply forces."""

    family = "behavior"
    readings: ClassVar = {"energy": "J", "power": "W"}
    common: ClassVar = {"is_on": (Truth, True)}
    compile: ClassVar = staticmethod(force_block)


class FieldType(BlockType):
    """A type of fields: behaviors that act on every object of the world by themselves."""

    family = "field"
    readings: ClassVar = {"energy": "J", "power": "W"}
    common: ClassVar = {"is_on": (Truth, True)}

    def _read_input(self, p: inspect.Parameter) -> None:
        """Its formula is over any object."""

    def __call__(self, *inputs: Any, name: str = "", **parameters: Any) -> Item:
        """Its first parameter needs no name: gravity(9.81)."""
        first = next(iter(self.parameters), "")
        if inputs and (len(inputs) > 1 or isinstance(inputs[0], Item) or not first or first in parameters):
            line = f"{self.word}({first}={self.parameters[first][1]!r})" if first else f"{self.word}()"
            if first and isinstance(self.parameters[first][1], tuple) and are_numbers(inputs):
                raise TypeError(f"{first} of a new {self.name} is one tuple: {self.word}({inputs!r})")
            raise TypeError(
                f"a new {self.name} acts on every object of its world and takes no inputs: world.add({line})"
            )
        return self.make(name, (), {**dict(zip((first,), inputs, strict=False)), **parameters})

    def signature(self) -> inspect.Signature:
        first, *rest = super().signature().parameters.values()
        plain = first.replace(kind=first.POSITIONAL_OR_KEYWORD) if self.parameters else first
        return inspect.Signature([plain, *rest], return_annotation=Item)

    def ready(self, item: Item) -> None:
        """It is plugged into nothing, and has a block for each type of object."""


Type = TypeVar("Type", bound=BlockType)
Formula = Callable[..., Any]


@overload
def connector(formula: Formula, /) -> ConnectorType: ...
@overload
def connector(
    *, name: str | None = None, tied: bool = False, listed: bool = True, literal: str = ""
) -> Callable[[Formula], ConnectorType]: ...
def connector(
    formula: Formula | None = None,
    /,
    *,
    name: str | None = None,
    tied: bool = False,
    listed: bool = True,
    literal: str = "",
) -> Any:
    """Make a connector type of a formula; its annotation says what it supplies, -> Point.

    `tied` says that it depends on places of the world. Its `literal` is the parameter that plain numbers
    become where its kind is wanted."""
    return _made(ConnectorType, formula, name=name, tied=tied, listed=listed, literal=literal)


@overload
def constraint(formula: Formula, /) -> ConstraintType: ...
@overload
def constraint(
    *, name: str | None = None, tied: bool = False, symmetric: bool = False, listed: bool = True
) -> Callable[[Formula], ConstraintType]: ...
def constraint(
    formula: Formula | None = None,
    /,
    *,
    name: str | None = None,
    tied: bool = False,
    listed: bool = True,
    symmetric: bool = False,
) -> Any:
    """Make a constraint type of a formula that is zero where the constraint is met.

    `tied` says that it depends on places of the world; `symmetric` that its two inputs may be exchanged."""
    return _made(ConstraintType, formula, name=name, tied=tied, listed=listed, symmetric=symmetric)


@overload
def behavior(formula: Formula, /, *, listed: bool = True) -> BehaviorType: ...
@overload
def behavior(
    *, name: str | None = None, tied: bool = False, listed: bool = True
) -> Callable[[Formula], BehaviorType]: ...
def behavior(
    formula: Formula | None = None,
    /,
    *,
    name: str | None = None,
    tied: bool = False,
    listed: bool = True,
) -> Any:
    """Make a behavior type of a formula that returns energy(…), force(…), torque(…), or several of these.

    `tied` says that it depends on places of the world."""
    return _made(BehaviorType, formula, name=name, tied=tied, listed=listed)


@overload
def field(formula: Formula, /) -> FieldType: ...
@overload
def field(
    *, name: str | None = None, tied: bool = False, listed: bool = True
) -> Callable[[Formula], FieldType]: ...
def field(
    formula: Formula | None = None,
    /,
    *,
    name: str | None = None,
    tied: bool = False,
    listed: bool = True,
) -> Any:
    """Make a field of a formula over one object: a behavior that acts on every object of the world."""
    return _made(FieldType, formula, name=name, tied=tied, listed=listed)


def _made(kind: type[Type], formula: Formula | None, **options: Any) -> Any:
    if formula is None:
        return lambda f: _made(kind, f, **options)
    if not callable(formula):
        raise TypeError(f"@{kind.family} stands above the function that is its formula, not {formula!r}")
    return kind(formula, **options)
