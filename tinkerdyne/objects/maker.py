"""Makers: the objects as users name them. A maker checks what it is given and chooses the object type behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinkerdyne.kernel.block import Port
from tinkerdyne.kernel.item import LONGEST_NAME, Item, checked_name, label, number, vector
from tinkerdyne.kernel.types import REGISTRY, register
from tinkerdyne.objects.object import ObjectType, StatePart

LONGEST_OBJECT_NAME = LONGEST_NAME - 56  # room for ".end1" behind it
Resolve = Callable[[str, dict[str, Any], dict[str, Any]], tuple[ObjectType, list[float]]]


class Maker:
    """An object type as users see it: parameters, state, named places, and the object type with its arena parameters."""

    family = "object"

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
        item = Item(self, name, (), values, start)
        self.resolve(item)
        return item

    def resolve(self, item: Item) -> tuple[ObjectType, list[float]]:
        """The object type and the arena's parameters for an item."""
        if item.resolved is None:
            who = f"{self.name} {item.name!r}" if item.name else f"a new {self.name}"
            object.__setattr__(item, "resolved", self.resolve_type(who, item.values, item.start))
        found: tuple[ObjectType, list[float]] = item.resolved
        return found

    def pack(self, item: Item) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """q and v from an item's starting state."""
        kind, _ = self.resolve(item)
        flat = []
        for parts in (kind.positions, kind.velocities):
            flat.append(np.concatenate([self._numbers(item, p) for p in parts]))
        return flat[0], flat[1]

    def _numbers(self, item: Item, part: StatePart) -> np.ndarray[Any, Any]:
        """One part of the starting state; an object keeps its dimension once it is made."""
        found = np.atleast_1d(np.asarray(item.start[part.name], float))
        if len(found) != part.dim:
            raise ValueError(f"{part.name} of {label(item)} must have {part.dim} numbers, not {len(found)}")
        return found

    def unpack(self, item: Item, q: np.ndarray[Any, Any], v: np.ndarray[Any, Any]) -> dict[str, Any]:
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


def mass(what: str, value: Any) -> float:
    """A mass: positive and finite."""
    if isinstance(value, (int, float, np.floating, np.integer)) and not isinstance(value, bool) and (value == 0 or value == np.inf):
        raise ValueError(f"{what} must be positive and finite, not {value:g}; to hold an object still, say is_fixed=True")
    return number(what, value, positive=True)
