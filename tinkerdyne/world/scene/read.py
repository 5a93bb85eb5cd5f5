"""From text to a scene, through every check; older versions are brought up to date on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinkerdyne.connectors.points import point
from tinkerdyne.engine.readings import CARRIED
from tinkerdyne.files import VERSION, SceneError
from tinkerdyne.language.block_type import BlockType
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.world.display import with_part
from tinkerdyne.world.edit import Description, Entry, Shown, entry_of, shown_of
from tinkerdyne.world.scene.checks import (
    Document,
    expect,
    frozen,
    hint,
    kind_of,
    named,
    no_others,
    real,
    short,
    texts,
)
from tinkerdyne.world.scene.text import decoded, parsed
from tinkerdyne.world.scene.value import KEYS, SECTIONS, SceneValue, section_of
from tinkerdyne.world.timeline import checked as checked_timeline


def loads(text: str | bytes) -> SceneValue:
    """Read a scene; whatever is wrong with it is a SceneError, and nothing else has happened."""
    document = _migrated(expect(dict, "a scene", parsed(decoded(text))))
    no_others("a scene", document, KEYS)
    items: dict[str, Description] = {}
    parts: dict[str, str] = {}
    for section in SECTIONS:
        for k, given in enumerate(expect(list, f'"{section}"', document.get(section, []))):
            name, entry = named(f"{section}[{k}]", given)
            if name in items:
                other = section_of(REGISTRY[items[name].type].family)
                raise SceneError(f"two items are called {name!r}: one under {other!r}, one under {section!r}")
            items[name] = _description(section, name, entry)
            if "part" in entry:
                parts[name] = expect(str, f'"part" of {name!r}', entry["part"])
    carried = expect(dict, '"stepper"', document.get("stepper", {}))
    no_others('"stepper"', carried, (*CARRIED, "gap"))
    stepper = {k: real(f'{k} of "stepper"', v) for k, v in carried.items()}
    gap = stepper.pop("gap", None)
    settings = expect(dict, '"settings"', document.get("settings", {}))
    ordered = _ordered(items, texts('"order"', document.get("order", [])))
    timeline = _timeline(expect(list, '"timeline"', document.get("timeline", [])))
    display = _display(expect(dict, '"display"', document.get("display", {})))
    time = real('"time"', document.get("time", 0.0))
    return SceneValue(time, settings, ordered, parts, stepper, timeline, display, gap)


def _display(given: Document) -> dict[str, Shown]:
    found: dict[str, Shown] = {}
    try:
        for part, value in given.items():
            found = with_part(found, part, shown_of(part, value))
    except (TypeError, ValueError) as problem:
        raise SceneError(f"display: {problem}") from problem
    return found


def _timeline(entries: list[object]) -> tuple[Entry, ...]:
    try:
        return checked_timeline(map(entry_of, entries))
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise SceneError(f"timeline: {problem}") from problem


# Older versions: MIGRATIONS[n] turns a document of version n into one of version n + 1.
def _from_0(old: Document) -> Document:
    """Version 0 was the plain list of descriptions: {"items": [{"type", "name", "inputs", "values", "state"},
    …]}."""
    no_others("a scene of version 0", old, ("tinkerdyne", "time", "settings", "items"))
    sections: dict[str, list[Document]] = {}
    order: list[str] = []
    for k, given in enumerate(expect(list, '"items"', old.get("items", []))):
        name, item = named(f"items[{k}]", given)
        no_others(f"{name!r}", item, ("type", "name", "inputs", "values", "state"))
        entry: Document = {
            "name": name,
            "type": item.get("type"),
            **expect(dict, f'"values" of {name!r}', item.get("values", {})),
        }
        entry.update(
            {new_key: item[key] for key, new_key in (("inputs", "on"), ("state", "state")) if item.get(key)}
        )
        sections.setdefault(section_of(kind_of(name, item).family), []).append(entry)
        order.append(name)
    kept = {key: value for key, value in old.items() if key != "items"}
    return {**kept, "tinkerdyne": 1, "order": order, **sections}


def _from_1(old: Document) -> Document:
    """In version 1 `shape_drag` braked rotation too, which `turning` says now."""
    changed = {key: _with_turning(old[key]) for key in ("behaviors", "timeline") if key in old}
    return old | changed | {"tinkerdyne": 2}


def _with_turning(value: Any) -> Any:
    """Every shape_drag in a document, planned ones included, with the drag on rotation that it had."""
    if isinstance(value, list):
        return [_with_turning(part) for part in value]
    if not isinstance(value, dict):
        return value
    entry = {key: _with_turning(part) for key, part in value.items()}
    if entry.get("type") == "shape_drag":
        pairs = entry.get("values")
        if isinstance(pairs, list):  # of an event
            entry["values"] = [*pairs, ["turning", 1.0]]
        else:
            entry["turning"] = 1.0
    return entry


MIGRATIONS: dict[int, Callable[[Document], Document]] = {0: _from_0, 1: _from_1}


def _migrated(document: Document) -> Document:
    if "tinkerdyne" not in document:
        raise SceneError(
            'this is not a Tinkerdyne scene: the key "tinkerdyne", the version of its format, is missing'
        )
    version = document["tinkerdyne"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise SceneError(
            f'"tinkerdyne" must be the version of the format, such as {VERSION}, not {short(version)}'
        )
    if version > VERSION:
        raise SceneError(
            f"the scene has version {version}, and this program reads up to {VERSION}; update it to open this"
        )
    for old in range(version, VERSION):
        document = MIGRATIONS[old](document)
    return document


def _description(section: str, name: str, entry: Document) -> Description:
    kind = kind_of(name, entry)
    who = f"{kind.name} {name!r}"
    if kind.family not in SECTIONS[section]:
        raise SceneError(f'{who} stands under "{section}"; it belongs under "{section_of(kind.family)}"')
    parameters = kind.parameter_names()
    extra = {
        "object": ("state",),
        "connector": ("on",),
        "constraint": ("on", "memory"),
        "behavior": ("on",),
        "field": ("memory",) if kind.rule == "contact" else (),
    }
    known = ("name", "type", *extra[kind.family], *(("part",) if kind is point else ()), *parameters)
    no_others(who, entry, [k for k in known if k != "constant_names"])
    if "on" not in entry and isinstance(kind, BlockType) and kind.ports:
        raise SceneError(f'{who} lacks "on": the names of its inputs ({", ".join(n for n, _ in kind.ports)})')
    inputs = texts(f'"on" of {who}', entry.get("on", []))
    values = {k: frozen(who, v) for k, v in entry.items() if k in parameters}
    if "constant_names" in parameters:
        values.update(_typed(who, entry))
    state = expect(dict, f'"state" of {who}', entry.get("state", {}))
    no_others(f"the state of {who}", state, kind.state_names())
    memory = expect(list, f'"memory" of {who}', entry.get("memory", []))
    return Description(
        kind.name,
        name,
        tuple(inputs),
        tuple(values.items()),
        tuple((k, frozen(who, v)) for k, v in state.items()),
        tuple(real(f"memory[{k}] of {who}", x) for k, x in enumerate(memory)),
    )


def _typed(who: str, entry: Document) -> Document:
    """A typed formula: one text or several, names of the inputs, and numbers by name."""
    if "text" not in entry:
        raise SceneError(f'{who} lacks "text": its formula')
    text = texts(f'"text" of {who}', [entry["text"]] if isinstance(entry["text"], str) else entry["text"])
    names = texts(f'"names" of {who}', entry.get("names", []))
    constants = expect(dict, f'"constants" of {who}', entry.get("constants", {}))
    return {
        "text": tuple(text),
        "names": tuple(names),
        "constant_names": tuple(constants),
        "constants": tuple(real(f"{k} of {who}", v) for k, v in constants.items()),
    }


def _ordered(items: dict[str, Description], order: list[str]) -> tuple[Description, ...]:
    """The items in the order of addition, each behind what it is plugged into."""
    for name in order:
        if name not in items:
            raise SceneError(f'"order" names {name!r}, which is not in the scene')
    if len(set(order)) < len(order):
        raise SceneError(f'"order" names {next(n for n in order if order.count(n) > 1)!r} twice')
    for d in items.values():
        for source in d.inputs:
            if source not in items:
                near = hint(source, items)
                raise SceneError(f"{d.type} {d.name!r} refers to {source!r}, which is not in the scene{near}")
    done: dict[str, Description] = {}
    for first in (*order, *items):
        path: dict[str, int] = {}  # the items we are inside of, each with the next of its inputs to look at
        at: str | None = first
        while at is not None:
            d, k = items[at], path.setdefault(at, 0)
            if at in done or k == len(d.inputs):
                done.setdefault(at, d)
                del path[at]
                at = next(reversed(path), None)
                continue
            path[at] = k + 1
            at = d.inputs[k]
            if at in path:
                names = list(path)
                ring = " → ".join([*names[names.index(at) :], at])
                raise SceneError(f"items are plugged into each other in a ring: {ring}")
    return tuple(done.values())
