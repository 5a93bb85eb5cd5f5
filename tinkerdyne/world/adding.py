"""Putting items into a world: what comes along with them, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence

from tinkerdyne.language.item import Item, label
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.edit import Add, Event


def admitted(contents: Contents, items: Sequence[Item]) -> Add:
    """The edit that adds free items and the connectors they need, under their keys and names."""
    wanted = _with_all_they_need(contents, items)
    taken: set[str] = set()
    for item in wanted:
        name = item.name or contents.free_name(item.type.name, taken)
        if name in contents or name in taken:
            other = label(contents[name]) if name in contents else f"thing called {name!r}"
            raise ValueError(f"there is already a {other}; give the new one another name")
        taken.add(name)
        contents.give_key(item)
        object.__setattr__(item, "name", name)
        if item.type.family == "connector" and not any(item is other for other in items):
            contents.came_along(item)
    return Add(tuple(contents.describe(item) for item in wanted))


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
            object.__setattr__(item, "name", contents.free_name(item.type.name, taken))
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
        is_here = source.world is contents.world or id(source) in wanted
        if source.type.family == "object" and not is_here:
            raise ValueError(
                f"{label(item)} refers to {label(source)}, which is not in this world; add it first"
            )
        _collect(contents, source, wanted, (*path, id(item)))
    wanted.setdefault(id(item), item)
    for companion in item.type.companions(item) if getattr(item.type, "companions", None) else ():
        is_known = any(other.name == companion.name for other in wanted.values())
        if companion.name not in contents and not is_known:
            wanted[id(companion)] = companion
