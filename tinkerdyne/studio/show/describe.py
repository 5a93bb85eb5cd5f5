"""A world in words for a page: its items with their shapes, and its timeline.

What has not changed is not described again."""

from __future__ import annotations

import casadi as ca
import msgspec
import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.behaviors.landscape import ImageText
from tinkerdyne.language.item import Item
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.language.types import port_of
from tinkerdyne.objects.shapes import outline, surface
from tinkerdyne.objects.surfaces import DOT
from tinkerdyne.objects.textures import Texture
from tinkerdyne.objects.troids import drawing_of
from tinkerdyne.studio.media.points import span_of
from tinkerdyne.studio.show.frames import SAMPLED
from tinkerdyne.studio.wire.protocol import DrawnShape, EventInfo, ItemInfo
from tinkerdyne.world.edit import (
    Add,
    Change,
    Configure,
    Display,
    Edit,
    Event,
    Move,
    Ramp,
    Remove,
    Rename,
    Several,
    plain,
)
from tinkerdyne.world.world import World

SEGMENTS = 24  # of a round shape
LINE = 0.01  # m, half the width at which a curve is drawn
DIGITS = 6  # of a shape's coordinates: more than a screen shows

LONGEST = 200  # characters of a value that is no JSON
IMAGES = (ImageText, Texture)


def _shortened(value: object) -> str:
    """A value that is no JSON, such as a picture, as a few words."""
    if isinstance(value, IMAGES):  # pages ask for it when this changes
        if not value:
            return ""
        return f"image {hash(str(value)) & 0xFFFFFFFFFFFF:x}"
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


encoder = msgspec.json.Encoder(enc_hook=_shortened)


class Descriptions:
    """The items of a world as pages see them; each is made and encoded once for as long as it stays as it
    is."""

    def __init__(self) -> None:
        self._known: dict[
            int, tuple[tuple[str, tuple[str, ...], ItemType], dict[str, object], ItemInfo, msgspec.Raw]
        ] = {}
        self.renamed: dict[str, str] = {}  # by the last update: old names, and the new ones
        self.fresh: list[msgspec.Raw] = []  # by the last update: items that are new or changed, encoded

    def update(
        self, world: World, without: set[str]
    ) -> tuple[list[msgspec.Raw], dict[str, dict[str, object]] | None]:
        """(all items, encoded, and the values that changed, or None where more than values did)."""
        known, fresh = self._known, {}
        self.renamed, self.fresh = {}, []
        raw: list[msgspec.Raw] = []
        changed: dict[str, dict[str, object]] | None = {}
        for item in world.items:
            if item.name in without:
                continue
            was = known.get(item.key)
            head = (item.name, tuple([source.name for source in item.inputs]), item.type)
            if was is not None and was[0][0] != item.name:
                self.renamed[was[0][0]] = item.name
            if was is not None and was[0] == head and was[1] == item.values:
                entry = was
            else:
                found = info(world, item)
                entry = (head, dict(item.values), found, msgspec.Raw(encoder.encode(found)))
                self.fresh.append(entry[3])
                if (
                    was is None
                    or was[0] != head
                    or was[2].shape != found.shape
                    or was[2].places != found.places
                ):
                    changed = None
                elif changed is not None:
                    changed[item.name] = {k: v for k, v in found.values.items() if v != was[2].values.get(k)}
            fresh[item.key] = entry
            raw.append(entry[3])
        if len(fresh) != len(known):
            changed = None
        self._known = fresh
        return raw, changed

    @property
    def infos(self) -> tuple[ItemInfo, ...]:
        """All items."""
        return tuple([entry[2] for entry in self._known.values()])

    @property
    def order(self) -> tuple[int, ...]:
        """Keys of all items."""
        return tuple(self._known)


def info(world: World, item: Item) -> ItemInfo:
    """One item."""
    kind, family = item.type, item.type.family
    is_object = family == "object"
    places = {}
    if is_object and kind.places is not None:
        places = {name: tuple(at) for name, at in kind.places(item.values).items()}
    owner = item.inputs[0] if item.inputs else None
    part_of = owner.name if owner is not None and any(part is item for part in owner.parts.values()) else ""
    return ItemInfo(
        name=item.name,
        of=kind.name,
        family=family,
        inputs=tuple(source.name for source in item.inputs),
        values={k: _shortened(v) if isinstance(v, IMAGES) else v for k, v in item.values.items()},
        is_on=item.values.get("is_on", True),
        is_fixed=item.values.get("is_fixed", False),
        dimension=dimension_of(item),
        shape=shape_of(item) if is_object else None,
        places=places,
        part_of=part_of,
        key=item.key,
    )


def dimension_of(item: Item) -> int:
    """2 for what lives in the plane, 3 for what lives in space, and for what lives in neither."""
    if item.type.family in ("object", "connector"):
        port = port_of(item)
        if port.kind.name in ("point", "direction"):
            return port.dim
        if port.kind.name == "frame":
            return 2 if port.dim == 6 else 3
        if port.kind.name in ("curve", "particles"):
            return curve_dimension(item)
    return min((dimension_of(source) for source in item.inputs), default=3)


def curve_dimension(item: Item) -> int:
    """How many coordinates the points of a curve, or the particles of an object, have."""
    port = port_of(item)
    value = port.kind.wrap(ca.SX.sym("l", port.dim))
    found = value.point(value.span[0]) if port.kind.name == "curve" else value.places[0]
    return int(found.numel())


def world_dimension(world: World) -> int:
    """2 when every object lives in the plane."""
    found = [
        dimension_of(item)
        for item in world.items
        if item.type.family == "object" and item.type.look.role != "variable"
    ]
    if not found:  # numbers alone: what is drawn of them, data and pictures, lies in the plane
        is_spatial = any(i.type.look.role == "datum" and len(i.values["constants"]) > 2 for i in world.items)
        return 2 if world.settings["order"] == 1 and not is_spatial else 3
    return 2 if max(found) == 2 else 3


def _flat(numbers: ArrayLike) -> tuple[float, ...]:
    return tuple(np.round(np.asarray(numbers, float), DIGITS).ravel().tolist())


def shape_of(item: Item) -> DrawnShape:
    """How an object is drawn, in its own axes."""
    what = item.type.resolve(item)[0]
    kind = port_of(item).kind.name
    if kind in SAMPLED:
        value = what.port.kind.wrap(ca.SX.sym("l", what.dim))
        spans = span_of(item) if kind != "particles" else ()
        return DrawnShape(
            "curve", radius=LINE, is_closed=kind == "curve" and value.closing != "open", spans=spans
        )
    if kind == "point":
        return DrawnShape("point", radius=DOT)
    if what.rotation == "affine":
        corners, faces = drawing_of(item)
        return DrawnShape(
            "affine",
            _flat(corners),
            () if corners.shape[1] == 2 else tuple(faces.ravel().tolist()),
            is_closed=True,
        )
    if kind == "frame" and what.rotation == "angle":
        return DrawnShape("outline", _flat(outline(item, segments=2 * SEGMENTS)), is_closed=True)
    if kind == "frame":  # a rigid body
        vertices, faces = surface(item, segments=SEGMENTS)
        return DrawnShape("mesh", _flat(vertices), tuple(faces.ravel().tolist()))
    return DrawnShape("none")


def timeline(world: World) -> tuple[EventInfo, ...]:
    """What happens when: events and ramps of the timeline, and the items that move by keys."""
    found: list[EventInfo] = []
    for k, entry in enumerate(world.timeline):
        if isinstance(entry, Event):
            what = entry.what
            found.append(
                EventInfo(k, "event", entry.time, entry.time, said(what), _item_of(what), entry=plain(entry))
            )
        else:
            title = f"{entry.name}.{entry.parameter}"
            found.append(
                EventInfo(k, "ramp", entry.start, entry.end, title, entry.name, _keys(entry), plain(entry))
            )
    for item in world.items:
        keys = item.values.get("keys")
        if keys:
            found.append(
                EventInfo(
                    len(found), "path", keys[0][0], keys[-1][0], item.name, item.name, tuple(map(tuple, keys))
                )
            )
    return tuple(found)


def _keys(ramp: Ramp) -> tuple[tuple[float, ...], ...]:
    ends = ((ramp.start, ramp.low), (ramp.end, ramp.high))
    return tuple((t, *(value if isinstance(value, (tuple, list)) else (value,))) for t, value in ends)


def shown(world: World) -> dict[str, object]:
    """How a world is meant to be seen."""
    return {part: plain(Display(part, value))["value"] for part, value in world.contents.display.items()}


def said(edit: Edit) -> str:
    """An edit in a few words."""
    match edit:
        case Add(items):
            return f"add {', '.join(d.name for d in items)}"
        case Remove(names):
            return f"remove {', '.join(names)}"
        case Change(name, "is_on", value):
            return f"switch {name} {'on' if value else 'off'}"
        case Change(name, parameter, str(value)) if value.startswith("data:image/"):
            return f"{name}.{parameter} = another image"
        case Change(name, parameter, value):
            return f"{name}.{parameter} = {value}"
        case Move(name, state):
            return f"move {name}: {', '.join(part for part, _ in state)}"
        case Rename(name, to):
            return f"rename {name} to {to}"
        case Display("sketch", _value):
            return "the sketch of a motion"
        case Display(part, _value):
            return f"show other {part}" if part != "is_running" else "run or not"
        case Configure(setting, value):
            return f"{setting} = {value}"
        case Several(edits):
            return "; ".join(said(one) for one in edits)
    return type(edit).__name__


def _item_of(edit: Edit) -> str:
    if isinstance(edit, (Change, Move, Rename)):
        return edit.name
    if isinstance(edit, Several):
        return _item_of(edit.edits[0]) if edit.edits else ""
    return edit.names[0] if isinstance(edit, Remove) and edit.names else ""
