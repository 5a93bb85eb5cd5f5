"""From a world to text: one line an item."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence

from tinkerdyne.engine.approach import begin, take_back
from tinkerdyne.engine.readings import CARRIED
from tinkerdyne.files import VERSION, SceneError
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.edit import Description, Display, plain
from tinkerdyne.world.scene.value import SECTIONS, USUAL, SceneValue, section_of


def scene_of(contents: Contents, items: Sequence[Item]) -> SceneValue:
    """Items of a world as a value, with settings, timeline and what the stepper carries along."""
    for item in items:
        known = REGISTRY.get(item.type.name)
        if known is None:
            raise SceneError(f"{label(item)} cannot be saved: its type {item.type.name!r} is not registered")
        if known is not item.type:
            raise SceneError(
                f"{label(item)} cannot be saved: {item.type.name!r} was defined again after it was made; "
                "make the item anew, or give the new type another name"
            )
    bodies = [item for item in items if item.type.family == "object"]
    parts = {
        part.name: name for item in bodies for name, part in item.parts.items() if part.world is item.world
    }
    engine = contents.engine
    carried = {name: getattr(engine.scalars, cell) for name, cell in CARRIED.items()}
    stepper = {name: value for name, value in carried.items() if value != 0 and math.isfinite(value)}
    gap = None
    if engine.is_settled and not engine.is_stale:  # it has stepped since the last edit
        fresh = begin(engine)
        take_back(engine, fresh)
        gap = fresh[0].gap if fresh and math.isfinite(fresh[0].gap) else None
    described = tuple(contents.describe(item) for item in items)
    timeline, display = contents.timeline, contents.display
    return SceneValue(
        engine.scalars.time, dict(contents.chosen), described, parts, stepper, timeline, display, gap
    )


def dumps(scene: SceneValue) -> str:
    """The text of a scene: one line an item."""
    sections: dict[str, list[tuple[str, str]]] = {name: [] for name in SECTIONS}
    places: dict[str, Callable[[Values], dict[str, tuple[float, ...]]]] = {}
    own: dict[str, Values] = {}
    for d in scene.items:
        kind = REGISTRY[d.type]
        if kind.family == "object" and kind.places is not None:
            places[d.name], own[d.name] = kind.places, dict(d.values)
    for d in scene.items:
        entry = _entry(d)
        part = scene.parts.get(d.name)
        if part is not None:
            derived = places[d.inputs[0]](own[d.inputs[0]])[part]
            if tuple(entry["at"]) == derived:
                del entry["at"]
            entry["part"] = part
        sections[section_of(REGISTRY[d.type].family)].append((d.name, _line(f"{d.type} {d.name!r}", entry)))
    written = [name for entries in sections.values() for name, _ in entries]
    order = [d.name for d in scene.items]
    out = [f'"tinkerdyne": {VERSION}', f'"time": {_line("the time", scene.time)}']
    if scene.settings:
        out.append(f'"settings": {_line("settings", dict(scene.settings))}')
    for name, entries in sections.items():
        if entries:
            out.append(f'"{name}": [\n    ' + ",\n    ".join(line for _, line in entries) + "\n  ]")
    if order != written:
        out.append(f'"order": {_line("order", order)}')
    if scene.timeline:
        lines = [_line("an entry of the timeline", plain(entry)) for entry in scene.timeline]
        out.append('"timeline": [\n    ' + ",\n    ".join(lines) + "\n  ]")
    if scene.display:
        shown = {part: plain(Display(part, value))["value"] for part, value in scene.display.items()}
        out.append(f'"display": {_line("the display", shown)}')
    stepper: dict[str, float] = dict(scene.stepper)
    if scene.gap is not None:
        stepper["gap"] = scene.gap
    if stepper:
        out.append(f'"stepper": {_line("stepper", stepper)}')
    return "{\n  " + ",\n  ".join(out) + "\n}\n"


def _entry(d: Description) -> Values:
    kind = REGISTRY[d.type]
    entry: Values = {"name": d.name, "type": d.type}
    if d.inputs:
        entry["on"] = list(d.inputs)
    values = dict(d.values)
    if "constant_names" in values:  # a typed formula: its numbers by name, and one text as itself
        values["constants"] = dict(zip(values.pop("constant_names"), values["constants"], strict=True))
        values["text"] = values["text"][0] if len(values["text"]) == 1 else values["text"]
        values = {k: v for k, v in values.items() if v or k not in ("names", "constants")}
    entry.update({k: v for k, v in values.items() if k not in USUAL or v != USUAL[k]})
    if kind.family == "object":
        entry["state"] = dict(d.state)
    if any(d.memory) and all(map(math.isfinite, d.memory)):
        entry["memory"] = list(d.memory)
    return entry


def _line(what: str, value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise SceneError(f"{what} cannot be written as JSON: {problem}") from None
