"""Scenes: a whole world as versioned JSON that a person can read, and its careful way to and from a file (E6).

    {
      "tinkerdyne": 1,
      "time": 0.25,
      "settings": {"method": "runge_kutta"},
      "objects": [
        {"name": "upper", "type": "rod", "mass": 1.0, "length": 1.0, "radius": 0.05, "state": {"position": [0.5, 0.0, 0.0], …}}
      ],
      "connectors": [
        {"name": "upper.end1", "type": "point", "on": ["upper"], "part": "end1"}
      ],
      "constraints": [
        {"name": "nail-1", "type": "nail", "on": ["upper.end1"], "at": [0.0, 0.0, 0.0], "tau": 0.2, "memory": […]}
      ],
      "behaviors": [
        {"name": "gravity-1", "type": "gravity", "g": [0.0, 0.0, -9.81]}
      ],
      "order": ["upper", "upper.end1", …],
      "stepper": {"largest_kinetic_energy": 3.5}
    }

What is left out keeps its default: parameters, parts of the state, `settings`, `tau`, `is_on`, whole sections. Without `order`,
items are added section by section. Numbers are written in the shortest form that reads back as the same float64, and with
`memory` (of each constraint) and `stepper` (of the world) a loaded world goes on bit for bit like the one that was saved. A
person who writes a file leaves both out. Types of one's own are referred to by name: define them before loading.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

import numpy as np

from tinkerdyne.files import LARGEST_FILE, VERSION, SceneError, keep_older, read_file, write_file
from tinkerdyne.kernel.item import Item, checked_name, label, number
from tinkerdyne.kernel.types import REGISTRY, TAU
from tinkerdyne.model import layout as L
from tinkerdyne.model.edit import Description, Event, Ramp, entry_of, plain
from tinkerdyne.model.structure import Array, Structure
from tinkerdyne.timeline import checked as checked_timeline

SECTIONS = {
    "objects": ("object",),
    "connectors": ("connector",),
    "constraints": ("constraint",),
    "behaviors": ("behavior", "field"),
}
KEYS = ("tinkerdyne", "time", "settings", *SECTIONS, "order", "timeline", "stepper")
USUAL = {"is_fixed": False, "is_on": True, "tau": TAU, "gains": ()}  # written only when they differ
# What a stepper carries from step to step besides the state, by its name in the file.
CARRIED = {
    "largest_kinetic_energy": L.S_LARGEST_T,
    "wait": L.S_WAIT,
    "backoff": L.S_BACKOFF,
    "next_step": L.S_H_NEXT,
    "soft": L.S_SOFT,
    "parts": L.S_PARTS,
    "calm": L.S_CALM,
    "stuck": L.S_STUCK,
    "yield_tau": L.S_YIELD_TAU,
    "started": L.S_STARTED,
    "trial": L.S_TRIAL,
    "trial_wait": L.S_TRIAL_WAIT,
    "played": L.S_PLAYED,
    "played_time": L.S_PLAYED_TIME,
}
OPEN = 1e-7  # residuals above this (SI units) are worth a word: they start a new approach (integrate.motion.MET)


@dataclass(frozen=True)
class Scene:
    """A world as a value."""

    time: float = 0.0
    settings: Mapping[str, Any] = field(default_factory=dict)
    items: tuple[Description, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)  # connector → the named place of its object that it is
    stepper: Mapping[str, float] = field(default_factory=dict)
    timeline: tuple[Event | Ramp, ...] = ()
    gap: float | None = None  # of constraints that stayed open although the world had settled after its last edit


# --- from a world to text ------------------------------------------------------------------------
def scene_of(
    items: Sequence[Item],
    descriptions: Iterable[Description],
    settings: Mapping[str, Any],
    structure: Structure,
    *,
    is_settled: bool,
) -> Scene:
    """Everything in a world, with what its stepper carries along; a settled one has stepped since the last edit."""
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
    parts = {part.name: name for item in bodies for name, part in item.parts.items() if part.world is item.world}
    scalars = structure.scalars if structure.is_stale else structure.S
    stepper = {name: float(scalars[place]) for name, place in CARRIED.items() if scalars[place] != 0}
    gap = None
    if is_settled and not structure.is_stale:
        fresh = _begin(structure)
        _take_back(structure, fresh)
        gap = fresh[0].gap if fresh else None
    return Scene(float(scalars[L.S_TIME]), dict(settings), tuple(descriptions), parts, stepper, gap=gap)


def dumps(scene: Scene) -> str:
    """The text of a scene: one line an item."""
    sections: dict[str, list[tuple[str, str]]] = {name: [] for name in SECTIONS}
    places: dict[str, Callable[[dict[str, Any]], dict[str, tuple[float, ...]]]] = {}
    own: dict[str, dict[str, Any]] = {}
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
        sections[_section(REGISTRY[d.type].family)].append((d.name, _line(f"{d.type} {d.name!r}", entry)))
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
    stepper: dict[str, float] = dict(scene.stepper)
    if scene.gap is not None:
        stepper["gap"] = scene.gap
    if stepper:
        out.append(f'"stepper": {_line("stepper", stepper)}')
    return "{\n  " + ",\n  ".join(out) + "\n}\n"


def _section(family: str) -> str:
    return next(name for name, families in SECTIONS.items() if family in families)


def _entry(d: Description) -> dict[str, Any]:
    kind = REGISTRY[d.type]
    entry: dict[str, Any] = {"name": d.name, "type": d.type}
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


def _line(what: str, value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise SceneError(f"{what} cannot be written as JSON: {problem}") from None


# --- from text to a scene ------------------------------------------------------------------------
def loads(text: str | bytes) -> Scene:
    """Read a scene; whatever is wrong with it is a SceneError, and nothing else has happened."""
    document = _migrated(_a(dict, "a scene", _parse(_decoded(text))))
    _no_others("a scene", document, KEYS)
    found: dict[str, Description] = {}
    parts: dict[str, str] = {}
    for section in SECTIONS:
        for k, entry in enumerate(_a(list, f'"{section}"', document.get(section, []))):
            name = _name(f"{section}[{k}]", entry)
            if name in found:
                other = _section(REGISTRY[found[name].type].family)
                raise SceneError(f"two items are called {name!r}: one under {other!r}, one under {section!r}")
            found[name] = _description(section, name, entry)
            if "part" in entry:
                parts[name] = _a(str, f'"part" of {name!r}', entry["part"])
    carried = _a(dict, '"stepper"', document.get("stepper", {}))
    _no_others('"stepper"', carried, (*CARRIED, "gap"))
    stepper = {k: _number(f'{k} of "stepper"', v) for k, v in carried.items()}
    gap = stepper.pop("gap", None)
    settings = _a(dict, '"settings"', document.get("settings", {}))
    items = _ordered(found, _names('"order"', document.get("order", [])))
    timeline = _timeline(_a(list, '"timeline"', document.get("timeline", [])))
    return Scene(_number('"time"', document.get("time", 0.0)), settings, items, parts, stepper, timeline, gap)


def _timeline(entries: list[Any]) -> tuple[Event | Ramp, ...]:
    try:
        return checked_timeline(entry_of(one) for one in entries)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise SceneError(f"timeline: {problem}") from problem


def _decoded(text: str | bytes) -> str:
    if len(text) > LARGEST_FILE:
        raise SceneError(f"{len(text):,} bytes are more than a scene may have ({LARGEST_FILE:,})")
    try:
        text = text.decode() if isinstance(text, bytes) else text.encode().decode()
    except UnicodeDecodeError as problem:
        line, byte = problem.object[: problem.start].count(b"\n") + 1, problem.object[problem.start]
        raise SceneError(f"this is not UTF-8 text: line {line} has the byte {byte:#04x} (number {problem.start})") from None
    except UnicodeEncodeError as problem:
        raise SceneError(f"character {problem.start} is half of a surrogate pair") from None
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise SceneError("the scene is empty")
    return text


def _parse(text: str) -> Any:
    """JSON, without what json.loads lets pass: keys given twice, NaN, infinities, numbers too large for a float64."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(found)
        if len(out) < len(found):
            names = [k for k, _ in found]
            twice = next(k for k in names if names.count(k) > 1)
            raise SceneError(f"the key {twice!r}{_of(out)} is given twice")
        return out

    def infinite(written: str) -> NoReturn:
        raise SceneError(f"{written[:40]} at {_where(text, written)} is not a finite number")

    def real(written: str) -> float:
        value = float(written)
        return value if math.isfinite(value) else infinite(written)

    def integer(written: str) -> int:
        return int(written) if math.isfinite(float(written)) else infinite(written)

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=infinite, parse_float=real, parse_int=integer)
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        cut = problem.pos >= len(text.rstrip()) or problem.msg.startswith("Unterminated")
        said = "the scene is cut short" if cut else "this is not JSON"
        raise SceneError(f"{said} at {place}: {problem.msg.lower()}") from None
    except RecursionError:
        raise SceneError("the scene has brackets nested deeper than any scene needs") from None


_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[\w.+-]+')


def _where(text: str, token: str) -> str:
    """Line and column of a number or name that stands outside of strings."""
    at = next((m.start() for m in _TOKENS.finditer(text) if m.group() == token), 0)
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


# Older versions: MIGRATIONS[n] turns a document of version n into one of version n + 1.
def _from_0(old: dict[str, Any]) -> dict[str, Any]:
    """Version 0 was the plain list of descriptions: {"items": [{"type", "name", "inputs", "values", "state"}, …]}."""
    _no_others("a scene of version 0", old, ("tinkerdyne", "time", "settings", "items"))
    new = {**{k: v for k, v in old.items() if k != "items"}, "tinkerdyne": 1, "order": []}
    for k, item in enumerate(_a(list, '"items"', old.get("items", []))):
        name = _name(f"items[{k}]", item)
        _no_others(f"{name!r}", item, ("type", "name", "inputs", "values", "state"))
        entry = {"name": name, "type": item.get("type"), **_a(dict, f'"values" of {name!r}', item.get("values", {}))}
        entry.update({new_key: item[key] for key, new_key in (("inputs", "on"), ("state", "state")) if item.get(key)})
        new.setdefault(_section(_kind(name, item).family), []).append(entry)
        new["order"].append(name)
    return new


MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {0: _from_0}


def _migrated(document: dict[str, Any]) -> dict[str, Any]:
    if "tinkerdyne" not in document:
        raise SceneError('this is not a Tinkerdyne scene: the key "tinkerdyne", the version of its format, is missing')
    version = document["tinkerdyne"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise SceneError(f'"tinkerdyne" must be the version of the format, such as {VERSION}, not {_short(version)}')
    if version > VERSION:
        raise SceneError(f"the scene has version {version}, and this program reads up to {VERSION}; update it to open this")
    for old in range(version, VERSION):
        document = MIGRATIONS[old](document)
    return document


def _description(section: str, name: str, entry: dict[str, Any]) -> Description:
    kind = _kind(name, entry)
    who = f"{kind.name} {name!r}"
    if kind.family not in SECTIONS[section]:
        raise SceneError(f'{who} stands under "{section}"; it belongs under "{_section(kind.family)}"')
    parameters = kind.parameter_names()
    extra = {"object": ("state",), "connector": ("on",), "constraint": ("on", "memory"), "behavior": ("on",), "field": ()}
    known = ("name", "type", *extra[kind.family], *(("part",) if kind.name == "point" else ()), *parameters)
    _no_others(who, entry, [k for k in known if k != "constant_names"])
    if "on" not in entry and getattr(kind, "ports", None):
        raise SceneError(f'{who} lacks "on": the names of its inputs ({", ".join(n for n, _ in kind.ports)})')
    inputs = _names(f'"on" of {who}', entry.get("on", []))
    values = {k: _frozen(who, v) for k, v in entry.items() if k in parameters}
    if "constant_names" in parameters:
        values.update(_typed(who, entry))
    state = _a(dict, f'"state" of {who}', entry.get("state", {}))
    _no_others(f"the state of {who}", state, kind.state_names())
    memory = _a(list, f'"memory" of {who}', entry.get("memory", []))
    return Description(
        kind.name,
        name,
        tuple(inputs),
        tuple(values.items()),
        tuple((k, _frozen(who, v)) for k, v in state.items()),
        tuple(_number(f"memory[{k}] of {who}", x) for k, x in enumerate(memory)),
    )


def _typed(who: str, entry: dict[str, Any]) -> dict[str, Any]:
    """A typed formula: one text or several, names of the inputs, and numbers by name."""
    if "text" not in entry:
        raise SceneError(f'{who} lacks "text": its formula')
    text = _names(f'"text" of {who}', [entry["text"]] if isinstance(entry["text"], str) else entry["text"])
    names = _names(f'"names" of {who}', entry.get("names", []))
    constants = _a(dict, f'"constants" of {who}', entry.get("constants", {}))
    return {
        "text": tuple(text),
        "names": tuple(names),
        "constant_names": tuple(constants),
        "constants": tuple(_number(f"{k} of {who}", v) for k, v in constants.items()),
    }


def _ordered(found: dict[str, Description], order: list[str]) -> tuple[Description, ...]:
    """The items in the order of addition, each behind what it is plugged into."""
    for name in order:
        if name not in found:
            raise SceneError(f'"order" names {name!r}, which is not in the scene')
    if len(set(order)) < len(order):
        raise SceneError(f'"order" names {next(n for n in order if order.count(n) > 1)!r} twice')
    for d in found.values():
        for source in d.inputs:
            if source not in found:
                near = _near(source, found)
                raise SceneError(f"{d.type} {d.name!r} refers to {source!r}, which is not in the scene{near}")
    done: dict[str, Description] = {}
    for first in (*order, *found):
        path: dict[str, int] = {}  # the items we are inside of, each with the next of its inputs to look at
        at: str | None = first
        while at is not None:
            d, k = found[at], path.setdefault(at, 0)
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


def _kind(name: str, entry: dict[str, Any]) -> Any:
    if "type" not in entry:
        raise SceneError(f'{name!r} lacks "type"')
    wanted = _a(str, f'"type" of {name!r}', entry["type"])
    if wanted not in REGISTRY:
        raise SceneError(
            f"{name!r} has the unknown type {_short(wanted)}{_near(wanted, REGISTRY)}; "
            "a type of your own must be defined (or imported) before loading"
        )
    return REGISTRY[wanted]


def _name(where: str, entry: Any) -> str:
    if "name" not in _a(dict, where, entry):
        raise SceneError(f'{where} lacks "name"')
    try:
        name = checked_name(f"the name of {where}", entry["name"])
    except (TypeError, ValueError) as problem:
        raise SceneError(str(problem)) from None
    if not name:
        raise SceneError(f"the name of {where} is empty")
    return name


_WORDS = {dict: "an object {…}", list: "a list […]", str: "text"}
_Sort = TypeVar("_Sort", dict[str, Any], list[Any], str)


def _a(sort: type[_Sort], what: str, value: Any) -> _Sort:
    """A value of the wanted sort."""
    if not isinstance(value, sort):
        raise SceneError(f"{what} must be {_WORDS[sort]}, not {_short(value)}")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise SceneError(f"{what} holds half of a surrogate pair: {_short(value)}") from None
    return value


def _names(what: str, value: Any) -> list[str]:
    return [_a(str, f"{what}[{k}]", x) for k, x in enumerate(_a(list, what, value))]


def _number(what: str, value: Any) -> float:
    try:
        return number(what, value)
    except (TypeError, ValueError) as problem:
        raise SceneError(str(problem)) from None


def _frozen(who: str, value: Any) -> Any:
    """Lists as tuples, and texts whole."""
    if isinstance(value, list):
        return tuple(_frozen(who, v) for v in value)
    return _a(str, f"a text of {who}", value) if isinstance(value, str) else value


def _no_others(who: str, found: Mapping[str, Any], known: Iterable[str]) -> None:
    known = tuple(known)
    for name in found:
        if name not in known:
            raise SceneError(f"{who} has no field {_short(name)}{_near(name, known)}; it has {', '.join(known) or 'none'}")


def _near(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1) if len(name) < 100 else []
    return f" (did you mean {close[0]!r}?)" if close else ""


def _of(entry: dict[str, Any]) -> str:
    return f" of {entry['name']!r}" if isinstance(entry.get("name"), str) else ""


def _short(value: Any) -> str:
    """A value as messages show it."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


# --- from a scene to a world ---------------------------------------------------------------------
def fill(scene: Scene, add: Callable[[Description], Item], structure: Structure) -> None:
    """Add all items of a scene to an empty world, with the stepper's memory of them."""
    made: dict[str, Item] = {}
    for d in scene.items:
        part = scene.parts.get(d.name)
        try:
            if part is not None:
                d = _placed(d, part, made)
            item = made[d.name] = add(Description(d.type, d.name, d.inputs, d.values, d.state))
        except SceneError:
            raise
        except Exception as problem:  # whatever a formula or a check says about what the file holds
            who = f"{d.type} {d.name!r}"
            said = str(problem)
            raise SceneError(said if who in said else f"{who}: {said}") from problem
        if part is not None:
            item.inputs[0].parts[part] = item
        if d.memory:
            _remind(item, d.memory, structure)
    structure.scalars[L.S_TIME] = scene.time
    for name, value in scene.stepper.items():
        structure.scalars[CARRIED[name]] = value


def _remind(item: Item, memory: tuple[float, ...], structure: Structure) -> None:
    """Give a constraint its memory; one that is switched off keeps it for later."""
    width = L.memory_width(item.type.block_of(item).dim)
    if len(memory) != width:
        raise SceneError(f"memory of {label(item)} must have {width} numbers, not {len(memory)}; it may be left out")
    if structure.is_attached(item):
        batch, row = structure.row(item)
        batch.memory.data[row] = memory
    else:
        item.start["memory"] = np.array(memory)


def _placed(d: Description, part: str, made: dict[str, Item]) -> Description:
    """The point that is a named place of an object: where the object says, unless the file says otherwise."""
    source = made[d.inputs[0]] if len(d.inputs) == 1 else None
    places = source.type.places(source.values) if source is not None and getattr(source.type, "places", None) else {}
    if source is None or part not in places:
        on = label(source) if source is not None else "its object"
        raise SceneError(f"{d.type} {d.name!r} is to be the part {part!r} of {on}, which has {', '.join(places) or 'none'}")
    return Description(d.type, d.name, d.inputs, (("at", places[part]), *d.values))


def resume(scene: Scene, structure: Structure) -> str:
    """Settle a filled world as it was when saved; returns what is open and by how much, in words ("" when nothing is).

    A constraint that is not where its approach r(t) should be starts a new approach, as after an edit. One that was already as
    far off when it was saved (it cannot be met) goes on as it was.
    """
    structure.refresh()
    found = _begin(structure)
    if not found or (scene.gap is not None and found[0].gap <= scene.gap * (1 + 1e-6) + OPEN):
        _take_back(structure, found)
        return ""
    says = [f"{f.who} is open by {f.gap:.3g}" if f.gap > OPEN else f"{f.who} opens by {f.rate:.3g} a second" for f in found[:3]]
    return "; ".join(says) + (f", and {len(found) - 3} more" if len(found) > 3 else "")


@dataclass(frozen=True)
class Fresh:
    """A constraint that started a new approach, and its memory before."""

    gap: float  # |c − r|
    rate: float  # |ċ|
    who: str
    at: int  # its memory in the arena
    memory: Array


def _begin(structure: Structure) -> list[Fresh]:
    """What `begin` does after an edit, and to which constraints; the widest first."""
    structure.pull_state()
    S, I = structure.S, structure.I
    structure.core["begin"](I.ctypes.data, S.ctypes.data)
    S[L.S_READY] = 0.0
    row = int(I[L.H_S_ROWS]) + L.R_REF * int(I[L.H_NR])
    found: list[Fresh] = []
    for batch in sorted((b for b in structure.batches.values() if b.family == L.CONSTRAINT), key=lambda b: b.base[2]):
        d = int(batch.header[L.D_DIM])
        for k, item in enumerate(batch.items):
            at, before = batch.base[1] + k * L.memory_width(d), batch.memory.data[k]
            if not np.array_equal(S[at : at + len(before)], before) and S[at + 3 * d + 1] != L.OPEN:
                c = structure.record(item)
                gap, rate = np.abs(c[:d] - S[row : row + d]).max(), np.abs(c[d : 2 * d]).max()
                found.append(Fresh(float(gap), float(rate), label(item), at, before.copy()))
            row += d
    return sorted(found, key=lambda f: (f.gap, f.rate), reverse=True)


def _take_back(structure: Structure, found: list[Fresh]) -> None:
    S = structure.S
    for f in found:
        S[f.at : f.at + len(f.memory)] = f.memory
    structure.count_yielding()  # `begin` had made them try again


__all__ = [
    "LARGEST_FILE",
    "Scene",
    "SceneError",
    "dumps",
    "fill",
    "keep_older",
    "loads",
    "read_file",
    "resume",
    "scene_of",
    "write_file",
]
