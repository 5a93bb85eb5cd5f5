"""A world as one HTML file that runs by itself: the engine as WebAssembly, the kernels of its types, and the
page that draws it. No server is needed, and no network."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from tinkerdyne.behaviors.forces import tug
from tinkerdyne.compiler.emit import Slot, kernel_ir, module_ir
from tinkerdyne.connectors.points import point
from tinkerdyne.engine.abroad import abroad, called_by, contact_abroad, core_module, trimmed
from tinkerdyne.engine.readings import (
    OF_WORLD,
    parameter_places,
    position_places,
    readings,
    scalar_places,
    velocity_places,
)
from tinkerdyne.engine.steppers.methods import FIRST_ORDER
from tinkerdyne.engine.switches import CELLS as BEHAVIORS
from tinkerdyne.engine.switches import switch_of
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Frame, Point
from tinkerdyne.language.types import port_of
from tinkerdyne.studio.build.catalogue import described
from tinkerdyne.studio.session.files import CLIENT
from tinkerdyne.studio.show.describe import Descriptions, said, world_dimension
from tinkerdyne.studio.show.describe import shown as display
from tinkerdyne.studio.show.frames import FramePlan
from tinkerdyne.studio.show.written import packed, written
from tinkerdyne.world.dragging import SOFT, STRENGTH, mass_at
from tinkerdyne.world.edit import Change, Entry, Ramp
from tinkerdyne.world.method import COMPILED
from tinkerdyne.world.settings import DEFAULTS
from tinkerdyne.world.world import World

PLACE = "<!--LIVE-->"
FORMAT = 3  # of the file; a page that does not know it says so
HANDS = 200  # bodies that can be pulled, at most
CELLS = (
    "time", "ready", "factored", "wants_tangent", "kinetic", "energy", "gap", "yielding", "phase",
)  # fmt: skip
SWITCHED = ("constraint", "behavior", "field")
WATCHED = ("energy",)  # what is plotted where the world does not say


class CannotRun(ValueError):
    """Why a world cannot run in a page by itself; its recording can be shared instead."""


def why_not(world: World) -> str:
    """What in this world only Python can do; "" where the page can do it all."""
    method = world.settings["method"]
    if world.settings["order"] == 2 and method not in COMPILED:
        return f'method="{method}" runs in Python only: take method="rattle"'
    for item in world.items:
        if getattr(item.type, "reads_pictures", False):  # by its address in the memory of Python
            return f"{item.name} reads an image, which stays in Python"
    return _unplayed(world)


def _unplayed(world: World) -> str:
    """What of the timeline the page cannot do: it changes numbers of what acts, and switches it."""
    for entry in world.timeline:
        edit = entry if isinstance(entry, Ramp) else entry.what
        item = world.contents.get(edit.name) if isinstance(edit, Ramp | Change) else None
        if item is None or not isinstance(edit, Ramp | Change):
            return (
                f"its timeline edits the world: {entry.name if isinstance(entry, Ramp) else said(entry.what)}"
            )
        is_number = edit.parameter in parameter_places(world.engine, item)
        is_switch = edit.parameter == "is_on" and isinstance(edit, Change)
        if not (is_number or (is_switch and item.type.family in SWITCHED)):
            return f"its timeline changes {edit.name}.{edit.parameter}"
    return ""


def live_page(world: World, title: str = "", watched: Sequence[str] | None = None) -> str:
    """The whole file; `watched` are the quantities that are plotted, those that the world shows where none
    are given."""
    refusal = why_not(world)
    if refusal:
        raise CannotRun(f"this world cannot run in a page by itself: {refusal}")
    template = CLIENT / "live.html"
    if not template.is_file():
        raise ValueError("the live page is not built; build it with `make studio`, then share again")
    plotted = world.contents.display.get("plots") if watched is None else watched
    names = tuple(map(str, plotted)) if isinstance(plotted, tuple | list) else WATCHED
    return template.read_text(encoding="utf-8").replace(PLACE, _content(world, title, names), 1)


def _content(world: World, title: str, watched: tuple[str, ...]) -> str:
    shown = copy.copy(world)
    off = _switched_on(shown)
    hands = _with_hands(shown)
    hidden = {item.name: "" for pull in hands.values() for item in pull}
    shown.engine.evaluate()
    plan = FramePlan(shown, 1, hidden)
    names = [f"curve{k}" for k in range(len(plan.curves))]
    samplings = [
        kernel_ir(name, one.of_one, [Slot(0)], [Slot(1)], 2)
        for name, one in zip(names, plan.curves, strict=True)
    ]
    gone = abroad(shown.engine, {module_ir(samplings): names} if names else {})
    contact = contact_abroad(shown.engine) if shown.engine.contacts.is_on() else None
    content = {
        "format": FORMAT,
        "version": version("tinkerdyne"),
        "model": _model(world, title),
        "types": described({item.type.name for item in shown.items}),
        "layout": plan.layout,
        "sizes": {"ints": len(gone.ints), "floats": len(gone.floats), "free": gone.first_free},
        "cells": scalar_places(*CELLS),
        "plan": {**_shorter(plan.described()), "curves": [
            {"kernel": place, "lifts": one.lifts[:, 0].tolist(), "to": one.to.tolist()}
            for place, one in zip(gone.others, plan.curves, strict=True)
        ]},
        "watched": _quantities(shown, watched),
        "readable": _quantities(shown, OF_WORLD),
        "hands": {
            "names": list(hands),
            "weighs": [mass_at(pull.inputs[0]) for _, pull in hands.values()],
            "rows": _row_steps([_hand(shown, *pair) for pair in hands.values()]),
        },
        **_changing(shown, off, set(hidden)),
        "timeline": [_happening(entry) for entry in world.timeline],
        "contact": None if contact is None else contact[0],
        "freedoms": world.diagnose().freedoms,
    }  # fmt: skip
    parts = {
        "world": written(content),
        "core": core_module(called_by(shown.engine)),
        "kernels": gone.kernels,
        "ints": _by_bytes(trimmed(gone.ints)),
        "floats": trimmed(gone.floats),
        **({} if contact is None else {"contact": contact[1]}),
    }
    return "".join(packed(name, data) for name, data in parts.items())


# --- what is alike is written so that it packs well --------------------------------------------------
def _by_bytes(words: bytes) -> bytes:
    """Words of eight bytes by their first bytes, then their second ones …: most of them are zero."""
    return np.frombuffer(words, np.uint8).reshape(-1, 8).T.tobytes()


def _steps(numbers: Sequence[int]) -> list[int]:
    """Each number less the one before it."""
    found: list[int] = np.diff(np.array(numbers, np.int64), prepend=0).tolist()
    return found


def _shorter(plan: dict[str, Any]) -> dict[str, Any]:
    """A plan of frames with steps instead of places; rows of forces, less the row before where it is like
    it."""
    forces = [{**one, "rows": _row_steps(one["rows"])} for one in plan["forces"]]
    return {**plan, "to": _steps(plan["to"]), "from": _steps(plan["from"]), "forces": forces}


def _row_steps(rows: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    found, before = [], list[list[int]]()
    for row in rows:
        now = [list(part) for part in row]
        is_like = [len(part) for part in now] == [len(part) for part in before]
        found.append(
            [[a - b for a, b in zip(x, y, strict=True)] for x, y in zip(now, before, strict=True)]
            if is_like
            else now
        )
        before = now
    return found


def _model(world: World, title: str) -> dict[str, object]:
    """The world as the studio's server would tell it."""
    items, _ = Descriptions().update(world, set())
    return {
        "type": "Model", "revision": 1, "title": title, "path": "", "items": items,
        "settings": {**DEFAULTS, **world.settings}, "timeline": (), "can_undo": False, "can_redo": False,
        "is_dirty": False, "display": display(world), "dimension": world_dimension(world), "scene": 1,
    }  # fmt: skip


def _changing(world: World, off: set[str], hidden: set[str]) -> dict[str, object]:
    """How time goes on, and where everything lies that may change."""
    engine, settings = world.engine, {**DEFAULTS, **world.settings}
    items = [item for item in world.items if item.name not in hidden]
    switches = {item.name: switch for item in items if (switch := switch_of(engine, item)) is not None}
    return {
        "method": FIRST_ORDER if settings["order"] == 1 else COMPILED[str(settings["method"])],
        "step": settings["max_step"],
        "parameters": {item.name: _parameters(world, item) for item in items},
        "behaviors": BEHAVIORS,
        "switches": {
            name: {
                "memory": one.memory,
                "runs": [run._asdict() for run in one.runs],
                "is_on": name not in off,
            }
            for name, one in switches.items()
        },
        "state": _steps(position_places(engine).tolist()),
        "velocities": _steps(velocity_places(engine).tolist()),
    }


def _switched_on(world: World) -> set[str]:
    """Let everything take part that can be switched, so that it has its place; who was off."""
    off = [item for item in world.items if item.values.get("is_on") is False and item.type.family in SWITCHED]
    for item in off:
        item.is_on = True
    return {item.name for item in off}


def _hand(world: World, on: Item, pull: Item) -> list[list[int]]:
    """Where a hand finds its numbers: at, value, velocity; and of its pull to, mass, time, limit."""
    held = pull.inputs[0]
    place, way = ("position", "velocity") if held.type.family == "object" else ("value", "velocity")
    found = {one.name: one.places.tolist() for one in readings(world.engine, held)}
    at = [] if on is pull else _parameters(world, on)["at"][0]
    given = _parameters(world, pull)
    return [at, found[place], found[way], *[given[part][0] for part in ("to", "mass", "time", "limit")]]


def _happening(entry: Entry) -> dict[str, object]:
    """An entry of the timeline, as numbers."""
    if isinstance(entry, Ramp):
        return {
            "start": entry.start, "end": entry.end, "name": entry.name, "parameter": entry.parameter,
            "low": _numbers(entry.low), "high": _numbers(entry.high), "is_smooth": entry.is_smooth,
        }  # fmt: skip
    edit = entry.what
    assert isinstance(edit, Change)
    return {
        "start": entry.time, "end": entry.time, "name": edit.name, "parameter": edit.parameter,
        "low": _numbers(edit.value), "high": [], "is_smooth": False,
    }  # fmt: skip


def _numbers(value: object) -> list[float]:
    return [float(x) for x in (value if isinstance(value, tuple | list) else (value,))]


def _quantities(world: World, names: Iterable[str]) -> dict[str, tuple[list[int], bool]]:
    """Where quantities lie, of those that there are."""
    return {name: found for name in names if (found := _quantity(world, name)) is not None}


def _quantity(world: World, name: str) -> tuple[list[int], bool] | None:
    """Where a quantity that is plotted lies, "energy" or "hook.force", and whether it is a length."""
    if name in OF_WORLD:
        return OF_WORLD[name].tolist(), False
    owner, _, reading = name.rpartition(".")
    item = world.contents.by_name.get(owner)
    for one in readings(world.engine, item) if item is not None else ():
        if one.name == reading:
            return one.places.tolist(), not one.is_number
    return None


def _parameters(world: World, item: Item) -> dict[str, list[list[int]]]:
    """Where the numbers of an item lie that may change in the page."""
    if item.type.family == "constraint" and item.values.get("gains"):
        return {}
    found = parameter_places(world.engine, item)
    return {name: [one.tolist() for one in places] for name, places in found.items() if places}


def _with_hands(world: World) -> dict[str, tuple[Item, Item]]:
    """A hand for everything that can be pulled: a point of the body, and a pull for no mass yet."""
    hands: dict[str, tuple[Item, Item]] = {}
    for item in world.items:
        if item.type.family != "object" or item.values.get("is_fixed") or len(hands) >= HANDS:
            continue
        kind = port_of(item).kind
        if not (Frame.is_a(kind) or Point.is_a(kind)):
            continue
        on = point(item) if Frame.is_a(kind) else item
        here = tuple(on.position) if on is item else tuple(item.position)
        pull = tug(on, to=here, mass=0.0, time=SOFT, limit=STRENGTH * mass_at(on))
        world.add(pull)
        hands[item.name] = (on, pull) if on is not item else (pull, pull)
    return hands
