"""The registry: every type by its name, for saved scenes, the studio's menus and the law tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinkerdyne.language.block import Port
from tinkerdyne.language.item import Item
from tinkerdyne.language.item_type import ItemType

REGISTRY: dict[str, Any] = {}

# What stands for plain numbers where a kind is wanted, by the kind's name: a place of the world for a point.
LITERALS: dict[str, Callable[[object], Item]] = {}


def register(type: ItemType) -> None:
    """Make a type known by name; a notebook may define its own type again."""
    known = REGISTRY.get(type.name)
    if known is not None and known.module != type.module:
        raise ValueError(
            f"there is already a {known.family} called {type.name!r}; give the new one another name"
        )
    REGISTRY[type.name] = type


def port_of(source: Item) -> Port:
    """The port that an object or a connector offers."""
    return source.type.port(source)
