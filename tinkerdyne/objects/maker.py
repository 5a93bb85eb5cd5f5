"""Makers: the objects as users name them.

A maker checks what it is given and chooses the object type behind it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Port
from tinkerdyne.language.checks import (
    LONGEST_NAME,
    checked_name,
    did_you_mean,
    is_number,
    number,
    truth,
    vector,
)
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.item_type import ItemType, Option, Places, refuse_clash
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.registry import REGISTRY, register
from tinkerdyne.language.synonyms import of_body
from tinkerdyne.objects.boundary import Parts
from tinkerdyne.objects.object import ObjectType, StatePart

__all__ = ["Check", "Maker", "Picture", "Places", "mass"]

LONGEST_OBJECT_NAME = LONGEST_NAME - 56  # room for ".end1" behind it
LAST = ("mass", "density", "drag", "is_fixed")  # what a plain number is least likely to mean
Resolve = Callable[[str, Values, Values], tuple[ObjectType, list[float]]]
Check = Callable[[str, str, Any], Value]
Picture = tuple[Array, Array] | Array  # a surface in space (vertices, faces), or an outline in the plane


class Maker(ItemType):
    """An object type as users see it: parameters, state, named places, and the object type with its arena
    parameters."""

    family = "object"
    item: type[Item] = Item

    def __init__(
        self,
        name: str,
        parameters: Values,
        state: Values,
        resolve: Resolve,
        *,
        check: Check | None = None,
        check_state: Check | None = None,
        places: Callable[[Values], Places] | None = None,
        picture: Callable[[Item, int], Picture] | None = None,
        boundary: Callable[[Item], Parts] | None = None,
        doc: str = "",
        units: Mapping[str, str] | None = None,
        word: str = "",
        module: str = "",
    ) -> None:
        self.name = name
        self.word = word or "".join(part.capitalize() for part in name.split("_"))
        self.parameters = {**parameters, "is_fixed": False}
        self.state = state
        self.resolve_type = resolve
        self.check = check
        self.check_state = check_state
        if places is not None:
            self.places = places
        self._picture = picture
        self._boundary = boundary
        self.module = module or resolve.__module__
        self.units = dict(units or {})
        for key in (*parameters, *state):
            refuse_clash(self, key)
        self.explain(doc)
        register(self)

    # --- what an item asks -----------------------------------------------------------------------
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(self.parameters)

    def state_names(self) -> tuple[str, ...]:
        return tuple(self.state)

    def part_names(self, item: Item) -> tuple[str, ...]:
        return tuple(self.places(item.values))

    def checked(self, item: str, name: str, value: object) -> Value:
        what = f"{name} of {item}"
        if name not in self.parameters:
            raise AttributeError(
                f"{item} has no parameter {name!r}; it has {', '.join(self.parameter_names())}"
            )
        if name == "is_fixed":
            return truth(what, value)
        if name == "mass":
            return mass(what, value)
        if self.check is not None:
            return self.check(what, name, value)
        if isinstance(self.parameters[name], tuple):
            return vector(what, value, length=len(self.parameters[name]))
        return number(what, value)

    def checked_state(self, item: str, name: str, value: object) -> Value:
        what = f"{name} of {item}"
        if self.check_state is not None:
            return self.check_state(what, name, value)
        if isinstance(self.state[name], tuple):
            return vector(what, value, length=len(self.state[name]))
        return number(what, value)

    def can_be_planar(self) -> bool:
        """Whether it lives in the plane when its position has two numbers."""
        try:
            return "position" in self.state and len(self.checked_state("", "position", (0.0, 0.0))) == 2
        except (TypeError, ValueError):
            return False

    # --- what it says of itself ------------------------------------------------------------------
    def options(self) -> Iterator[Option]:
        for given, is_state in ((self.parameters, False), (self.state, True)):
            for name, default in given.items():
                yield Option(name, type(default).__name__, default, self.units.get(name, ""), is_state)

    def signature(self) -> inspect.Signature:
        *rest, name = super().signature().parameters.values()
        return inspect.Signature(
            [name.replace(kind=name.POSITIONAL_OR_KEYWORD), *rest], return_annotation=self.item
        )

    # --- making items ----------------------------------------------------------------------------
    def __call__(self, name: str = "", *unnamed: Any, **options: Any) -> Item:
        if unnamed:
            given = unnamed if isinstance(name, str) else (name, *unnamed)
            raise TypeError(
                f"a {self.name} takes nothing but its name without a keyword, not {given[0]!r}; "
                f"{self._by_name(given, name if isinstance(name, str) else '')}"
            )
        return self.make(name, (), options)

    def make(self, name: str, inputs: Sequence[Item], options: Values) -> Item:
        if not isinstance(name, str):
            raise TypeError(f"the name of a {self.name} must be text, not {name!r}; {self._by_name((name,))}")
        checked_name(f"the name of a {self.name}", name, longest=LONGEST_OBJECT_NAME)
        who = f"{self.name} {name!r}" if name else f"a new {self.name}"
        values = {k: self.checked(who, k, options.pop(k, d)) for k, d in self.parameters.items()}
        start = {k: self.checked_state(who, k, options.pop(k, d)) for k, d in self.state.items()}
        if options:
            known = ", ".join((*self.parameters, *self.state))
            first = next(iter(options))
            line = of_body(first, name if name.isidentifier() else self.name)
            near = f"; {line}" if line else did_you_mean(first, dict(self.__signature__.parameters))
            raise TypeError(f"{who} has no {', '.join(options)}; it has {known}{near}")
        item = self.item(self, name, (), values, start)
        self.resolve(item)
        return item

    def _by_name(self, given: Sequence[object], name: str = "") -> str:
        """The line to write where parameters or a place were given without their keywords."""
        left = [o.name for o in self.options()]
        left.sort(key=lambda key: key in LAST)
        pairs: list[tuple[str, object]] = []
        for values in (
            (tuple(given), *given) if len(given) > 1 else given
        ):  # together one value, or each by itself
            key = next((key for key in left if self._takes(key, values)), "")
            if key:
                pairs.append((key, values))
                left.remove(key)
            if key and len(given) > 1 and values == tuple(given):
                break
        said = ", ".join(f"{key}={value!r}" for key, value in pairs) or f"{left[0]}=…"
        return f"parameters go by name: {self.word}({f'{name!r}, ' if name else ''}{said})"

    def _takes(self, key: str, value: object) -> bool:
        """Whether a parameter or a part of the state could have a value."""
        try:
            (self.checked_state if key in self.state else self.checked)("", key, value)
        except (TypeError, ValueError, AttributeError):
            return False
        return True

    def resolve(self, item: Item) -> tuple[ObjectType, list[float]]:
        if item.resolved is None:
            who = f"{self.name} {item.name!r}" if item.name else f"a new {self.name}"
            object.__setattr__(item, "resolved", self.resolve_type(who, item.values, item.start))
        found: tuple[ObjectType, list[float]] = item.resolved
        return found

    # --- its state in the arena, and its places --------------------------------------------------
    def pack(self, item: Item) -> tuple[Array, Array]:
        """q and v from an item's starting state."""
        kind, _ = self.resolve(item)
        return self._flat(item, kind.positions), self._flat(item, kind.velocities)

    def _flat(self, item: Item, parts: Sequence[StatePart]) -> Array:
        """Parts of the starting state, one behind the other."""
        flat: list[float] = []
        for part in parts:
            flat += self._numbers(item, part)
        return np.array(flat, float)

    def _numbers(self, item: Item, part: StatePart) -> Sequence[float]:
        """One part of the starting state; an object keeps its dimension once it is made."""
        given = item.start[part.name]
        found: tuple[float, ...] = given if isinstance(given, tuple) else (given,)
        if len(found) != part.dim:
            raise ValueError(f"{part.name} of {label(item)} must have {part.dim} numbers, not {len(found)}")
        return found

    def unpack(self, item: Item, q: Array, v: Array) -> Values:
        """The named parts of the state."""
        kind, _ = self.resolve(item)
        out: Values = {}
        for parts, flat in ((kind.positions, q), (kind.velocities, v)):
            at = 0
            for p in parts:
                values = tuple(flat[at : at + p.dim].tolist())
                out[p.name] = values if isinstance(self.state[p.name], tuple) else values[0]
                at += p.dim
        return out

    def picture(self, item: Item, segments: int) -> Picture | None:
        """What an object looks like in its own axes, round parts in segments; None where nothing says."""
        return self._picture(item, segments) if self._picture is not None else None

    def boundary(self, item: Item) -> Parts:
        """By what an object touches others, in its own axes; nothing where nothing says."""
        return self._boundary(item) if self._boundary is not None else self.resolve(item)[0].boundary(item)

    def port(self, item: Item) -> Port:
        return self.resolve(item)[0].port

    def part(self, item: Item, name: str) -> Any:
        """A named place of the object, as a connector that is made once."""
        if name not in self.places(item.values):
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


def mass(what: str, value: object) -> float:
    """A mass: positive and finite."""
    if is_number(value) and value in (0, np.inf):
        raise ValueError(
            f"{what} must be positive and finite, not {value:g}; to hold an object still, say is_fixed=True"
        )
    return number(what, value, positive=True)
