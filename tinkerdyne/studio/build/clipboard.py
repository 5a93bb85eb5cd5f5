"""Copy and paste: items as text, with what connects them to each other, and again under new names."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace

from tinkerdyne.language.item import Item
from tinkerdyne.language.registry import REGISTRY
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
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get(KEY) != 1:
        raise ValueError("the clipboard holds no items of a studio; copy some first")
    edit = edit_of(document.get("edit"))
    if not isinstance(edit, Add):
        raise ValueError("the clipboard holds no items of a studio; copy some first")
    names: dict[str, str] = {}
    taken: set[str] = set()
    new: list[Description] = []
    for d in edit.items:
        owner = d.inputs[0] if d.inputs else ""
        if d.part and owner in names:
            name = f"{names[owner]}.{d.part}"
        else:
            name = _free(world, d.name, taken)
        names[d.name] = name
        taken.add(name)
        new.append(
            replace(
                _moved(d, by), name=name, inputs=tuple(names.get(i, i) for i in d.inputs), key=0, memory=()
            )
        )
    return Add(tuple(new)), list(names.values())


def _free(world: World, name: str, taken: set[str]) -> str:
    """A name like this one: "rod 2" after "rod"."""
    stem, _, number = name.rpartition(" ")
    stem = stem if stem and number.isdigit() else name
    k = 2
    while f"{stem} {k}" in world or f"{stem} {k}" in taken:
        k += 1
    return f"{stem} {k}"


def _moved(d: Description, by: tuple[float, ...]) -> Description:
    values, state = dict(d.values), dict(d.state)
    if "position" in state:
        state["position"] = _plus(state["position"], by)
    kind = REGISTRY.get(d.type)
    key = kind.look.place if kind is not None else ""
    if key in values:
        at = values[key]
        is_path = isinstance(at[0], tuple)  # keys: a time, and a place
        values[key] = tuple((t, *_plus(x, by)) for t, *x in at) if is_path else _plus(at, by)
    return replace(d, values=tuple(values.items()), state=tuple(state.items()))


def _plus(at: Sequence[float], by: tuple[float, ...]) -> tuple[float, ...]:
    step = by or (ASIDE, *(0.0,) * (len(at) - 1))
    return tuple(x + (step[k] if k < len(step) else 0.0) for k, x in enumerate(at))
