"""Makers: the objects as users name them.

A maker checks what it is given and chooses the object type behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Port
from tinkerdyne.language.item import LONGEST_NAME, Item, checked_name, label, number, vector
from tinkerdyne.language.look import Look
from tinkerdyne.language.types import REGISTRY, register
from tinkerdyne.objects.object import ObjectType, StatePart

LONGEST_OBJECT_NAME = LONGEST_NAME - 56  # room for ".end1" behind it
Resolve = Callable[[str, dict[str, Any], dict[str, Any]], tuple[ObjectType, list[float]]]


class Maker:
    """An object type as users see it: parameters, state, named places, and the object type with its arena
    parameters."""

    family = "object"
    look = Look()
    item: type[Item] = Item

    def __init__(
        self,
        name: str,
        parameters: dict[str, Any],
        state: dict[str, Any],
        resolve: Resolve,
        *,
        check: Callable[[str, str, Any], Any] | None = None,
        check_state: Callable[[str, str, Any], Any] | None = None,
        places: Callable[[dict[str, Any]], dict[str, tuple[float, ...]]] | None = None,
        doc: str = "",
        module: str = __name__,
    ) -> None:
        self.name = name
        self.parameters = {**parameters, "is_fixed": False}
        self.state = state
        self.resolve_type = resolve
        self.check = check
        self.check_state = check_state
        self.places = places
        self.doc = doc
        self.module = module
        self.text: str | None = None
        register(self)

    def parameter_names(self) -> tuple[str, ...]:
        return tuple(self.parameters)

    def state_names(self) -> tuple[str, ...]:
        return tuple(self.state)

    def checked(self, item: str, name: str, value: Any) -> Any:
        what = f"{name} of {item}"
        if name not in self.parameters:
            raise AttributeError(
                f"{item} has no parameter {name!r}; it has {', '.join(self.parameter_names())}"
            )
        if name == "is_fixed":
            if not isinstance(value, bool):
                raise TypeError(f"{what} must be True or False, not {value!r}")
            return value
        if name == "mass":
            return mass(what, value)
        if self.check is not None:
            return self.check(what, name, value)
        if isinstance(self.parameters[name], tuple):
            return vector(what, value, length=len(self.parameters[name]))
        return number(what, value)

    def checked_state(self, item: str, name: str, value: Any) -> Any:
        what = f"{name} of {item}"
        if self.check_state is not None:
            return self.check_state(what, name, value)
        if isinstance(self.state[name], tuple):
            return vector(what, value, length=len(self.state[name]))
        return number(what, value)

    def __call__(self, name: str = "", **options: Any) -> Item:
        return self.make(name, (), options)

    def make(self, name: str, inputs: tuple[Item, ...], options: dict[str, Any]) -> Item:
        checked_name(f"the name of a {self.name}", name, longest=LONGEST_OBJECT_NAME)
        who = f"{self.name} {name!r}" if name else f"a new {self.name}"
        values = {k: self.checked(who, k, options.pop(k, d)) for k, d in self.parameters.items()}
        start = {k: self.checked_state(who, k, options.pop(k, d)) for k, d in self.state.items()}
        if options:
            known = ", ".join((*self.parameters, *self.state))
            raise TypeError(f"{who} has no {', '.join(options)}; it has {known}")
        item = self.item(self, name, (), values, start)
        self.resolve(item)
        return item

    def resolve(self, item: Item) -> tuple[ObjectType, list[float]]:
        """The object type and the arena's parameters for an item."""
        if item.resolved is None:
            who = f"{self.name} {item.name!r}" if item.name else f"a new {self.name}"
            object.__setattr__(item, "resolved", self.resolve_type(who, item.values, item.start))
        found: tuple[ObjectType, list[float]] = item.resolved
        return found

    def pack(self, item: Item) -> tuple[Array, Array]:
        """q and v from an item's starting state."""
        kind, _ = self.resolve(item)
        flat = []
        for parts in (kind.positions, kind.velocities):
            flat.append(np.concatenate([self._numbers(item, p) for p in parts]))
        return flat[0], flat[1]

    def _numbers(self, item: Item, part: StatePart) -> Array:
        """One part of the starting state; an object keeps its dimension once it is made."""
        found = np.atleast_1d(np.asarray(item.start[part.name], float))
        if len(found) != part.dim:
            raise ValueError(f"{part.name} of {label(item)} must have {part.dim} numbers, not {len(found)}")
        return found

    def unpack(self, item: Item, q: Array, v: Array) -> dict[str, Any]:
        """The named parts of the state."""
        kind, _ = self.resolve(item)
        out: dict[str, Any] = {}
        for parts, flat in ((kind.positions, q), (kind.velocities, v)):
            at = 0
            for p in parts:
                values = tuple(flat[at : at + p.dim].tolist())
                out[p.name] = values if isinstance(self.state[p.name], tuple) else values[0]
                at += p.dim
        return out

    def port(self, item: Item) -> Port:
        return self.resolve(item)[0].port

    def part(self, item: Item, name: str) -> Any:
        """A named place of the object, as a connector that is made once."""
        if self.places is None or name not in self.places(item.values):
            return None
        if name not in item.parts:
            made = REGISTRY["point"](item, at=self.places(item.values)[name])
            if item.name:
                object.__setattr__(made, "name", f"{item.name}.{name}")
            item.parts[name] = made
        part = item.parts[name]
        if part.fate and not item.fate:
            # Its removal went with something else (an undone joint); the object is there, so its places are.
            object.__setattr__(part, "fate", "")
        return part


class Body(Item):
    """A body with a shape. Its parameter `mass` is a mass, or ("density", ρ): then the mass follows the
    shape.

    Setting `density` is setting that parameter, so that one value says which of the two holds, in files and
    in edits.
    """

    __slots__ = ()

    @property
    def mass(self) -> float:
        """Its mass [kg]."""
        self._alive()
        found: float = self.type.resolve(self)[1][0]
        return found

    @property
    def density(self) -> float:
        """Mass by volume [kg/m³], in the plane by area [kg/m²]."""
        given = self.values["mass"]
        return (
            self.mass / self.volume if isinstance(given, float) or given[0] != "density" else float(given[1])
        )

    @property
    def volume(self) -> float:
        """Its volume [m³], in the plane its area [m²]."""
        self._alive()
        found: float = self.type.measure(label(self), self.values).volume
        return found

    @property
    def inertia(self) -> Any:
        """Its inertia about the centre of mass in its own axes, 3×3 by columns, in the plane one number [kg
        m²]."""
        self._alive()
        row = self.type.resolve(self)[1]
        return row[1] if len(row) == 2 else tuple(row[1:10])

    @property
    def offset(self) -> tuple[float, ...]:
        """Where its origin, the centre of mass, lies in the axes in which vertices or parts were given
        [m]."""
        self._alive()
        found: tuple[float, ...] = self.type.measure(label(self), self.values).centre
        return found

    def _spelled(self, name: str, value: Any) -> tuple[str, Any]:
        return ("mass", ("density", value)) if name == "density" else (name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(*self._spelled(name, value))


def mass_or_density(what: str, value: Any, *others: str) -> float | tuple[str, float]:
    """A mass, or ("density", ρ), or another such pair that is allowed."""
    if isinstance(value, (tuple, list)) and len(value) == 2 and value[0] in ("density", *others):
        return value[0], number(what.replace("mass", value[0], 1), value[1], positive=True)
    return mass(what, value)


def mass(what: str, value: Any) -> float:
    """A mass: positive and finite."""
    if (
        isinstance(value, (int, float, np.floating, np.integer))
        and not isinstance(value, bool)
        and (value == 0 or value == np.inf)
    ):
        raise ValueError(
            f"{what} must be positive and finite, not {value:g}; to hold an object still, say is_fixed=True"
        )
    return number(what, value, positive=True)
