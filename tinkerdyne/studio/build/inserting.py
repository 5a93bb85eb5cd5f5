"""Inserting: an item of any type from what a page names, with points, frames and lengths as they are now."""

from __future__ import annotations

import math
import re

import numpy as np

from tinkerdyne.connectors.points import direction, frame, place, point, world_direction, world_frame
from tinkerdyne.constraints.joints import JointType, _in_body
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import unit, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.kinds import Size
from tinkerdyne.language.types import REGISTRY, BlockType, port_of
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.studio.media.points import lies_on, named, place_on
from tinkerdyne.studio.wire.protocol import Insert
from tinkerdyne.world.edit import Change, Edit, Several
from tinkerdyne.world.world import World

MOST_LIFTS = 30
MADE = re.compile(r"#(\d{1,4})(?![^.@])")  # what an earlier insertion made
OVERLAP = 1e-6  # m: overlaps below this are none
STEEP = 0.3  # of a normal that points up: what is steeper counts as this


def insert(
    world: World,
    of: str,
    inputs: tuple[str, ...],
    values: dict[str, object],
    name: str,
    dimension: int,
    *,
    most_lift: float = math.inf,
) -> list[str]:
    """Add an item and what it needs, as one edit; the new names, its own first."""
    item = make(world, of, inputs, dict(values), name, dimension)
    before = set(world.contents.names)
    with world.history.one_step():
        world.add(item)
        _put_on_top(world, item, most_lift)
    return [item.name, *(name for name in world.contents.names if name not in before and name != item.name)]


def build(world: World, inserts: tuple[Insert, ...], dimension: int) -> list[str]:
    """Several insertions as one edit, which may be plugged into each other; the name of each."""
    names: list[str] = []

    def meant(text: str) -> str:
        found = MADE.match(text)
        if found is None:
            return text
        if int(found[1]) >= len(names):
            raise ValueError(f"{text!r} is of something that is not made yet")
        return names[int(found[1])] + text[found.end() :]

    with world.history.one_step():
        for one in inserts:
            inputs = tuple(meant(text) for text in one.inputs)
            made = insert(world, one.of, inputs, one.values, one.name, dimension, most_lift=one.most_lift)
            names.append(made[0])
    return names


def _put_on_top(world: World, item: Item, most: float) -> None:
    """Lift a new body out of what it would overlap: where there is contact, it lies on top.

    One that lies deeper in what moves than it may be lifted is meant to be there; out of floors and walls
    everything is lifted."""
    is_body = most > 0 and item.type.family == "object" and "position" in item.type.state_names()
    if not is_body or item.values.get("is_fixed") or not world.engine.contacts.is_on():
        return
    lifted = 0.0  # out of what moves
    for _ in range(MOST_LIFTS):
        # how far up it must go to leave each of those that it overlaps; out of a wall it goes as far
        lifts = [
            (
                -met.gap / max(abs(_up(met.normal, len(item.position))), STEEP),
                any(one is not item and not one.values.get("is_fixed") for one in (met.a, met.b)),
            )
            for met in world.contacts(item)
            if met.gap < -OVERLAP
        ]
        if not lifts:
            return
        *level, height = item.position
        lift, is_of_what_moves = max(lifts)
        lifted += lift if is_of_what_moves else 0.0
        if lifted > most:
            return
        item.position = (*level, height + lift + OVERLAP)


def _up(vector: tuple[float, ...], dimension: int) -> float:
    """The component that points up: space is z-up, the plane y-up."""
    return vector[dimension - 1]


def make(
    world: World, of: str, inputs: tuple[str, ...], values: dict[str, object], name: str, dimension: int
) -> Item:
    """An item that is not in the world yet."""
    kind = REGISTRY.get(of)
    if kind is None:
        raise ValueError(f"there is no type {of!r}")
    values = {key: _tupled(value) for key, value in values.items()}
    if isinstance(kind, Maker):
        if inputs:
            raise TypeError(f"{of} is an object: it is plugged into nothing, not into {', '.join(inputs)}")
        if dimension == 2 and "position" not in values and kind.can_be_planar():
            values["position"] = (0.0, 0.0)
        return kind.make(name, (), values)
    assert isinstance(kind, BlockType)
    if isinstance(kind, JointType):
        return _joint(world, kind, inputs, values, name)
    wanted = kind.kinds(len(inputs))
    if kind.family == "field":
        return kind.make(name, (), values)
    if len(wanted) != len(inputs):
        ports = ", ".join(f"{n} ({k.name})" for n, k in kind.ports)
        raise TypeError(f"{of} takes {len(kind.ports)} inputs: {ports}; {len(inputs)} were given")
    found = [resolve(world, text, want.name) for text, (_, want) in zip(inputs, wanted, strict=True)]
    _as_they_are(kind, found, values)
    return kind(*found, name=name, **values)


def resolve(world: World, text: str, kind: str) -> Item:
    """The object or connector of the wanted kind that an input names."""
    if text in world:
        item = world[text]
        return (
            item
            if item.type.family == "object" and kind not in ("point", "direction")
            else _as_kind(item, kind)
        )
    name, at_sign, numbers = text.partition("@")
    if at_sign and name in world and lies_on(world[name]):
        return named(world[name], text, numbers, kind)
    if at_sign:
        at = _numbers(text, numbers)
        if not name:
            return _in_world(kind, at)
        body = world[name]
        if kind == "part":
            return body
        if port_of(body).kind.name != "frame":
            return _as_kind(body, kind)
        made: Item = (
            direction(body, along=at)
            if kind == "direction"
            else (frame if kind == "frame" else point)(body, at=at)
        )
        return made
    owner, dot, part = text.rpartition(".")
    if dot and owner in world:
        found = world[owner].type.part(world[owner], part)
        if isinstance(found, Item):
            return _as_kind(found, kind)
        raise KeyError(f"{label(world[owner])} has no place {part!r}")
    return world[text]  # which says what became of it


def _as_kind(item: Item, kind: str) -> Item:
    """An item as a port of this kind can take it: a body's centre where a point is wanted, a frame at a
    point."""
    has = port_of(item).kind.name if item.type.family in ("object", "connector") else ""
    if kind == "point" and has == "frame":
        made: Item = point(item)
        return made
    if kind == "direction" and has == "frame":
        made = direction(item)
        return made
    if kind == "frame" and has == "point" and item.type is point:
        made = frame(item.inputs[0], at=item.values["at"])
        return made
    if kind == "frame" and has == "point" and item.type is place:
        made = world_frame(at=item.values["at"])
        return made
    return item


def _in_world(kind: str, at: tuple[float, ...]) -> Item:
    made: Item = (
        world_direction(along=at)
        if kind == "direction"
        else world_frame(at=at)
        if kind == "frame"
        else place(at=at)
    )
    return made


def _numbers(text: str, numbers: str) -> tuple[float, ...]:
    try:
        return vector(f"the place {text!r}", tuple(float(x) for x in numbers.split(",")), length=(2, 3))
    except ValueError as problem:
        raise ValueError(
            f"{text!r} must end with two or three numbers, such as body@0,0,0.5: {problem}"
        ) from None


def _tupled(value: object) -> object:
    return tuple(_tupled(v) for v in value) if isinstance(value, list) else value


# --- joints --------------------------------------------------------------------------------------
def _joint(
    world: World, kind: JointType, inputs: tuple[str, ...], values: dict[str, object], name: str
) -> Item:
    """A joint between two bodies at their given points, its axes those of the world now; one input is with
    the world."""
    if not 1 <= len(inputs) <= 2:
        raise TypeError(
            f"{kind.name} takes two bodies or points, or one to be joined to the world, not {len(inputs)}"
        )
    axis, toward = values.pop("axis", None), values.pop("toward", None)
    ready = [world[text] for text in inputs if text in world]
    if (
        len(ready) == 2
        and all(i.type.family == "connector" and port_of(i).kind.name == "frame" for i in ready)
        and axis is None
    ):
        return kind.make(name, tuple(ready), values)
    ends = [_end(world, text) for text in (inputs if len(inputs) == 2 else ("", *inputs))]
    places = [where for _, where in ends if where is not None]
    if not places:
        places = [np.array(ends[-1][0].position)] if ends[-1][0] is not None else []
    if not places:
        raise ValueError(f"{kind.name} needs a body, or a point of one")
    if ends[0][0] is ends[1][0]:
        who = label(ends[0][0]) if ends[0][0] is not None else "the world"
        raise ValueError(f"{who} cannot be joined to itself")
    dim = len(places[0])
    axes = _axes(
        dim,
        axis if axis is not None else ((0.0, 1.0, 0.0) if kind.look.axis == "turning" else (0.0, 0.0, 1.0)),
        toward,
    )
    made = []
    for body, where in ends:
        at = places[0] if where is None else where
        if body is None:
            made.append(world_frame(at=tuple(at), axes=axes.ravel(order="F")))
        else:
            made.append(_in_body(body, at, axes))
    return kind.make(name, tuple(made), values)


def _end(world: World, text: str) -> tuple[Item | None, Array | None]:
    """(the body of an end of a joint or None for the world, its place in the world now or None where any will
    do)."""
    if not text:
        return None, None
    if text in world and world[text].type.family == "object":
        return world[text], None
    if text.startswith("@"):
        return None, np.array(_numbers(text, text[1:]))
    item = resolve(world, text, "point")
    if item.type.family == "object":
        raise TypeError(f"{label(item)} cannot turn; a joint holds bodies: use connect for points")
    if item.type is place:
        return None, np.array(item.values["at"])
    if (
        port_of(item).kind.name not in ("point", "frame")
        or not item.inputs
        or item.inputs[0].type.family != "object"
    ):
        raise TypeError(f"{label(item)} is no point of a body; a joint holds bodies")
    body = item.inputs[0]
    if port_of(body).kind.name != "frame":
        raise TypeError(f"{label(body)} cannot turn; a joint holds bodies: use connect for points")
    return body, where(item)


def where(item: Item) -> Array:
    """The present place of a point that may not be in the world yet."""
    if item.type.family == "object":
        return np.array(item.position)
    if item.world is not None:
        value = np.array(item.value)
        return value[: 2 if len(value) == 6 else 3]
    if item.type is place:
        return np.array(item.values["at"])
    on_curve = place_on(item)
    if on_curve is not None:
        return on_curve
    if item.type in (point, frame):
        origin, R = pose(item.inputs[0])
        return np.asarray(origin + R @ np.array(item.values["at"]))
    raise ValueError(f"{label(item)} must be in the world before its place is known")


def pose(body: Item) -> tuple[Array, Array]:
    """Origin and axes of a body now."""
    origin = np.array(body.position)
    if "shape" in body.type.state_names():
        n = len(origin)
        return origin, np.array(body.shape).reshape(n, n, order="F")
    if len(origin) == 2:
        c, s = math.cos(body.angle), math.sin(body.angle)
        return origin, np.array([[c, -s], [s, c]])
    return origin, rotation_matrix(body.orientation)


def _axes(dim: int, axis: object, toward: object) -> Array:
    """Axes with the third along `axis`, the first along `toward` as far as possible."""
    if dim == 2:
        x = np.array(unit("toward", (1.0, 0.0) if toward is None else toward)[:2])
        return np.column_stack([x, (-x[1], x[0])])
    z = np.array(unit("axis", axis))
    if len(z) != 3:
        raise ValueError(f"axis must have 3 numbers in space, not {axis!r}")
    lead = np.array(unit("toward", toward)) if toward is not None else np.eye(3)[int(np.abs(z).argmin())]
    x = lead - z * (z @ lead)
    if math.hypot(*x) < 1e-9:
        raise ValueError("toward lies along the axis; name a direction across it")
    x /= math.hypot(*x)
    return np.column_stack([x, np.cross(z, x), z])


# --- the axis of a joint -------------------------------------------------------------------------
def aimed(world: World, name: str, axis: tuple[float, ...]) -> Edit:
    """The edit that gives a joint another axis of the world: both its frames get the same axes at the place
    of the second now."""
    item = world[name]
    if not isinstance(item.type, JointType):
        raise TypeError(f"{label(item)} is no joint and has no axis")
    frames = item.inputs[:2]
    own = {item, *(source for source in item.inputs[2:])}
    for source in frames:
        if source.type not in (frame, world_frame):
            raise TypeError(
                f"the axis of {label(item)} is that of {label(source)}; join the parts anew to "
                "choose another axis"
            )
        others = [
            user
            for user in world.contents.users(source)
            if user not in own and not _is_coordinate(item, user)
        ]
        if others:
            raise ValueError(
                f"{label(source)} belongs to {label(others[0])} too; join the parts anew to "
                "choose another axis"
            )
    place = where(frames[1])
    axes = _axes(2, None, axis) if len(place) == 2 else _axes(3, axis, None)
    edits: list[Edit] = []
    for source in frames:
        R, origin = (np.eye(len(place)), 0 * place) if not source.inputs else pose(source.inputs[0])[::-1]
        edits.append(Change(source.name, "axes", tuple((R.T @ axes).ravel(order="F").tolist())))
        if source is frames[0]:
            edits.append(Change(source.name, "at", tuple((R.T @ (place - origin)).tolist())))
    return Several(tuple(edits))


def _is_coordinate(item: Item, user: Item) -> bool:
    """Whether a connector measures a coordinate of a joint."""
    return (
        isinstance(item.type, JointType)
        and user.type in item.type.coordinates.values()
        and user.inputs[:2] == item.inputs[:2]
    )


# --- lengths and places as they are now ----------------------------------------------------------
def _as_they_are(kind: BlockType, inputs: list[Item], values: dict[str, object]) -> None:
    """What is left out is measured, as the look of the type says: where a nail is, how long a spring is."""
    look = kind.look
    if look.place and look.place not in values and inputs:
        values[look.place] = tuple(where(inputs[0]).tolist())
    if look.length and look.length not in values:
        apart = float(np.linalg.norm(where(inputs[1]) - where(inputs[0])))
        if apart > 1e-9 or kind.parameters[look.length][0] is not Size:
            values[look.length] = apart
    if look.value and look.value not in values and _is_measured(inputs[0]):
        now = np.atleast_1d(inputs[0].value).tolist()
        is_row = isinstance(kind.parameters[look.value][1], tuple)
        values[look.value] = tuple(now) if is_row else now[0]


def _is_measured(item: Item) -> bool:
    """Whether an item is a connector with a value now."""
    return item.type.family == "connector" and item.world is not None
