"""Items: the things a world is made of, first as free descriptions and, once added, as handles to the running
world.

An item knows its type, its name, what it is plugged into and its parameters. Until it is added it is only
that; afterwards reading a parameter or state asks the world, and setting one is an edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Never, Protocol, SupportsIndex, TypeAlias

from tinkerdyne.language.checks import by_name, missing, number
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.synonyms import DONE_ELSEWHERE, NOT_OF_BODIES

if TYPE_CHECKING:
    from tinkerdyne.language.item_type import ItemType


Values: TypeAlias = dict[str, Value]
_OURS = (
    "fate",
    "key",
    "parts",
    "resolved",
    "start",
    "values",
)  # what an item keeps for the world that it is in


class Home(Protocol):
    """The world that an item lives in, as far as items ask it."""

    def __getitem__(self, name: str) -> Item: ...

    def __contains__(self, what: object) -> bool: ...

    def adopt(self, item: Item) -> object: ...

    def remove(self, *items: Item | str) -> object: ...

    def change(self, item: Item, name: str, value: Value) -> object: ...

    def set_state(self, item: Item, name: str, value: Value) -> object: ...

    def state_of(self, item: Item, name: str) -> Value: ...

    def reading(self, item: Item, name: str) -> Value: ...

    def reactions(self, item: Item) -> Mapping[str, Any]: ...


class Item:
    """One object, connector, constraint or behavior."""

    __slots__ = (
        "__weakref__",
        "fate",
        "inputs",
        "key",
        "name",
        "parts",
        "resolved",
        "start",
        "type",
        "values",
        "world",
    )
    type: ItemType
    name: str
    inputs: tuple[Item, ...]
    values: Values
    start: Values
    world: Home | None
    key: int
    fate: str
    parts: dict[str, Item]
    resolved: Any  # what the maker made of the parameters; None when they have changed since

    def __init__(
        self, type: ItemType, name: str, inputs: tuple[Item, ...], values: Values, start: Values
    ) -> None:
        set_ = object.__setattr__
        set_(self, "type", type)
        set_(self, "name", name)
        set_(self, "inputs", inputs)
        set_(self, "values", values)
        set_(self, "start", start)
        set_(self, "world", None)
        set_(self, "key", 0)
        set_(self, "fate", "")
        set_(self, "parts", {})
        set_(self, "resolved", None)

    def __repr__(self) -> str:
        """Its type and name, what it is plugged into, and the parameters that are not as they come."""
        return self.type.shown(self)

    def __dir__(self) -> Iterable[str]:
        """Parameters, parts of the state, named places, coordinates and readings, besides its own."""
        own = {n for n in object.__dir__(self) if n not in _OURS and (n[0] != "_" or n.startswith("__"))}
        constants = self.values.get("constant_names", ())
        return {*own, *self.values, *constants, *self.type.state_names(), *self.type.part_names(self)}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._alive()
        if name in self.values:
            return self.values[name]
        if name in self.values.get("constant_names", ()):
            return self.values["constants"][self.values["constant_names"].index(name)]
        if name in self.type.state_names():
            return self.world.state_of(self, name) if self.world is not None else self.start[name]
        part = self.type.part(self, name)
        if part is not None:
            return part
        said = f"{label(self)} has no {name!r}"
        line = DONE_ELSEWHERE.get(name) or (NOT_OF_BODIES.get(name) if self.type.family == "object" else "")
        if line:
            mine = self.name if self.name.isidentifier() else self.type.name
            raise AttributeError(f"{said}; {line.replace('{}', mine)}", name="")
        known = (*self.values, *self.type.state_names(), *self.type.part_names(self))
        raise missing(f"{said}; it has {', '.join(known)}", name, dir(self))

    def __setattr__(self, name: str, value: Any) -> None:
        self._alive()
        if name in self.values.get("constant_names", ()):  # a number of a typed formula
            given = list(self.values["constants"])
            given[self.values["constant_names"].index(name)] = number(f"{name} of {label(self)}", value)
            name, value = "constants", tuple(given)
        if name in self.values:
            value = self.type.checked(label(self), name, value)
            if self.world is not None:
                self.world.change(self, name, value)
            else:
                self.values[name] = value
                object.__setattr__(self, "resolved", None)
        elif name in self.type.state_names():
            value = self.type.checked_state(label(self), name, value)
            if self.world is not None:
                self.world.set_state(self, name, value)
            else:
                self.start[name] = value
                object.__setattr__(self, "resolved", None)
        else:
            raise self._not_set(name)

    def _not_set(self, name: str) -> AttributeError:
        """Why a name of an item cannot be set, and what can."""
        settable = (*self.values, *self.type.state_names())
        can = f"what can be set is {', '.join(settable)}" if settable else "nothing of it can be set"
        if name == "name":
            return AttributeError(
                f"the name of {label(self)} is given when it is made; in a world write "
                f"world.apply(Rename({self.name!r}, 'new'))"
            )
        if name in self.type.places(self.values):
            mine = self.name if self.name.isidentifier() else self.type.name
            return AttributeError(
                f"{name!r} is a place of {label(self)} and moves with it; to hold it write "
                f"world.add(nail({mine}.{name}, at=(0, 0, 1))); {can}"
            )
        if name in dir(self):
            return AttributeError(f"{name!r} of {label(self)} is read, not set; {can}")
        return missing(f"{label(self)} has no {name!r} to set; it has {', '.join(settable)}", name, settable)

    def __reduce_ex__(self, _protocol: SupportsIndex) -> Never:
        raise TypeError(
            f"{label(self)} cannot be copied or pickled by itself; make another with its type, "
            "or copy the whole world: copy.deepcopy(world)"
        )

    def _spelled(self, name: str, value: Any) -> tuple[str, Any]:
        """The parameter that stands for a name, and its value there."""
        return name, value

    def _alive(self) -> None:
        if self.fate:
            raise ReferenceError(self.fate)


def label(item: Item) -> str:
    """How messages speak of an item: its type and name."""
    return f"{item.type.name} {item.name!r}" if item.name else f"a new {item.type.name}"


def an_item(who: str, thing: object) -> Item:
    """An item that `who` was given; of a name the refusal has the line to write."""
    if not isinstance(thing, Item):
        line = f"; to take an item by its name write {by_name(thing)}" if isinstance(thing, str) else ""
        raise TypeError(f"{who} takes an item, not {thing!r}{line}")
    return thing
