"""Copy and paste: items as text, with what connects them to each other, and again under new names."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace

from tinkerdyne.language.item import Item
from tinkerdyne.studio.build.placing import Isometry, placed, shifted
from tinkerdyne.studio.show.frames import roots
from tinkerdyne.world.edit import Add, Description, edit_of, plain
from tinkerdyne.world.world import World

KEY = "tinkerdyne-items"
ASIDE = 0.2  # m by which pasted items are moved when nothing is said


def copied(world: World, names: tuple[str, ...], without: Collection[str] = ()) -> str:
    """The items, the connectors they need, and all that holds between them alone; `without` the items that
    hands are made of."""
    chosen: dict[int, Item] = {}

    def choose(item: Item) -> None:
        for source in item.inputs:
            choose(source)
        chosen[item.key] = item

    for name in names:
        choose(world[name])
    for item in world.items:
        if item.name in without:
            continue
        found = roots(item)
        is_within = bool(found) and all(root.key in chosen for root in found)
        if is_within and item.type.family in ("constraint", "behavior"):
            choose(item)
        if (
            is_within
            and item.type.family == "connector"
            and item.inputs
            and any(p is item for p in item.inputs[0].parts.values())
        ):
            choose(item)
    ordered = sorted(chosen.values(), key=lambda item: item.key)
    described = tuple(replace(world.contents.describe(item), key=0, memory=()) for item in ordered)
    return json.dumps({KEY: 1, "edit": plain(Add(described))}, ensure_ascii=False)


def pasted(world: World, text: str, by: tuple[float, ...]) -> tuple[Add, list[str]]:
    """The edit that adds copied items again, moved, and their names."""
    motion = shifted(by or (ASIDE,))
    new, names = again(world, items_of(text), motion, set())
    return Add(tuple(new)), names


def items_of(text: str) -> tuple[Description, ...]:
    """The items that a text holds."""
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get(KEY) != 1:
        raise ValueError("the clipboard holds no items of a studio; copy some first")
    edit = edit_of(document.get("edit"))
    if not isinstance(edit, Add):
        raise ValueError("the clipboard holds no items of a studio; copy some first")
    return edit.items


def again(
    world: World, items: tuple[Description, ...], motion: Isometry, taken: set[str]
) -> tuple[list[Description], list[str]]:
    """Items once more under new names, where a motion brings them; `taken` are names that others have got
    meanwhile."""
    names: dict[str, str] = {}
    new: list[Description] = []
    for d in items:
        owner = d.inputs[0] if d.inputs else ""
        if d.part and owner in names:
            name = f"{names[owner]}.{d.part}"
        else:
            name = _free(world, d.name, taken)
        names[d.name] = name
        taken.add(name)
        inputs = tuple(names.get(i, i) for i in d.inputs)
        new.append(replace(placed(d, motion), name=name, inputs=inputs, key=0, memory=()))
    return new, list(names.values())


def _free(world: World, name: str, taken: set[str]) -> str:
    """A name like this one: "rod 2" after "rod"."""
    stem, _, number = name.rpartition(" ")
    stem = stem if stem and number.isdigit() else name
    k = 2
    while f"{stem} {k}" in world or f"{stem} {k}" in taken:
        k += 1
    return f"{stem} {k}"
