"""Putting items into a world: what comes along with them, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tinkerdyne.language.item import Item, label
from tinkerdyne.world.contents import Contents, part_of
from tinkerdyne.world.edit import Add, Description, Event


@dataclass
class Arrivals:
    """Free items that are about to be added, under the keys and names that they are to have.

    They are as they were: the edit that adds them gives them what is said here."""

    edit: Add
    items: dict[int, Item]  # by key
    implicit: set[int]  # keys of the connectors that come along
    numbers: dict[str, int]  # the last number given to an unnamed item of a type


def arrivals(contents: Contents, items: Sequence[Item]) -> Arrivals:
    """What is to happen so that free items, and the connectors they need, are in a world."""
    wanted = _with_all_they_need(contents, items)
    asked = {id(item) for item in items}
    names: dict[int, str] = {}
    numbers: dict[str, int] = {}
    taken: set[str] = set()
    described: list[Description] = []
    arriving: dict[int, Item] = {}
    implicit: set[int] = set()
    next_key = contents.next_key
    for item in wanted:
        name = item.name or contents.free_name(item.type.name, taken, numbers)
        if name in contents or name in taken:
            other = label(contents[name]) if name in contents else f"thing called {name!r}"
            raise ValueError(f"there is already a {other}; give the new one another name")
        taken.add(name)
        names[id(item)] = name
        key = item.key if contents.handles.get(item.key) is item else next_key
        next_key = max(next_key, key + 1)
        described.append(_described(item, name, key, names))
        arriving[key] = item
        if item.type.family == "connector" and id(item) not in asked:
            implicit.add(key)
    return Arrivals(Add(tuple(described)), arriving, implicit, numbers)


def _described(item: Item, name: str, key: int, names: dict[int, str]) -> Description:
    """A free item in full, as a value; `names` are those that others are to have, by identity."""
    inputs = tuple([names.get(id(source)) or source.name for source in item.inputs])
    state = tuple(item.start.items()) if item.type.family == "object" else ()
    return Description(
        item.type.name, name, inputs, tuple(item.values.items()), state, (), key, part_of(item)
    )


def planned(contents: Contents, items: Sequence[Item]) -> Add:
    """The edit that will add free items at a time of the timeline, with the connectors they need."""
    wanted = _with_all_they_need(contents, items)
    taken = {
        description.name
        for entry in contents.timeline
        if isinstance(entry, Event) and isinstance(entry.what, Add)
        for description in entry.what.items
    }
    for item in wanted:
        contents.keep(item)
        if not item.name:
            object.__setattr__(item, "name", contents.free_name(item.type.name, taken, contents.numbers))
        elif item.name in contents:
            raise ValueError(
                f"there is already a {label(contents[item.name])}; give the new one another name"
            )
        taken.add(item.name)
    return Add(tuple(contents.describe(item) for item in wanted))


def _with_all_they_need(contents: Contents, items: Sequence[Item]) -> list[Item]:
    wanted: dict[int, Item] = {}
    for item in items:
        _collect(contents, item, wanted, ())
    return list(wanted.values())


def _collect(contents: Contents, item: Item, wanted: dict[int, Item], path: tuple[int, ...]) -> None:
    """An item behind all that it is plugged into, by identity; then the companions of its type."""
    if not isinstance(item, Item):
        raise TypeError(f"only objects, connectors, constraints and behaviors can be added, not {item!r}")
    item._alive()
    if item.world is contents.world:
        if not path:
            raise ValueError(f"{label(item)} is in this world already")
        return
    if item.world is not None:
        raise ValueError(f"{label(item)} belongs to another world")
    if id(item) in path:
        raise ValueError(f"{label(item)} is plugged into itself")
    for source in item.inputs:
        if source.world is contents.world:
            continue
        if source.type.family == "object" and id(source) not in wanted:
            raise ValueError(
                f"{label(item)} refers to {label(source)}, which is not in this world; add it first"
            )
        _collect(contents, source, wanted, (*path, id(item)))
    wanted.setdefault(id(item), item)
    for companion in item.type.companions(item) if getattr(item.type, "companions", None) else ():
        is_known = any(other.name == companion.name for other in wanted.values())
        if companion.name not in contents and not is_known:
            wanted[id(companion)] = companion
