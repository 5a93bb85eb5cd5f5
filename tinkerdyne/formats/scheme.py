"""A world as other programs want it: bodies where they are, and what joins them, by frames in the bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tinkerdyne.connectors.points import frame, place, point, world_frame
from tinkerdyne.constraints.points import nail
from tinkerdyne.formats.tree import Pose
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.maker import Maker, Picture
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.world.world import World

# The coordinates of joints, as types over their two frames, and along which axis of the frame they count.
COORDINATES = {"turn_between": "turn", "slide_between": "slide"}


@dataclass
class Joined:
    """A joint: its type, whom it joins (None: the world), and where its frames lie in them."""

    item: Item
    a: Item | None
    b: Item | None
    in_a: Pose
    in_b: Pose


@dataclass
class Scheme:
    """The rigid bodies and joints of a world, and what of it has no word elsewhere."""

    bodies: list[Item] = field(default_factory=list)
    joints: list[Joined] = field(default_factory=list)
    others: list[Item] = field(default_factory=list)  # neither, in their order
    left: list[str] = field(default_factory=list)

    def leave(self, item: Item, why: str) -> None:
        self.left.append(f"{label(item)}: {why}")


def scheme_of(world: World) -> Scheme:
    """What bodies and joints a world in space has."""
    world.engine.ready()
    world.engine.evaluate()
    found = Scheme()
    for item in world.items:
        family = item.type.family
        if family == "object" and len(item.start.get("position", ())) == 2:
            raise ValueError(f"{label(item)} lives in the plane; only worlds in space are written")
        if family == "object" and is_rigid(item):
            found.bodies.append(item)
        elif family == "constraint" and is_joint(item):
            found.joints.append(_joined(item))
        else:
            found.others.append(item)
    return found


def is_rigid(item: Item) -> bool:
    """Whether an object has a place and an orientation in space."""
    return "orientation" in item.type.state_names()


def is_joint(item: Item) -> bool:
    """Whether a constraint holds two frames or points that lie in two bodies, or in a body and the world."""
    if item.values.get("is_on") is False or not all(_is_framed(end) for end in item.inputs):
        return False
    if item.type is nail:
        return carrier_of(item.inputs[0]) is not None
    return len(item.inputs) == 2 and carrier_of(item.inputs[0]) is not carrier_of(item.inputs[1])


def _is_framed(end: Item) -> bool:
    if end.type.family == "object":
        return is_rigid(end)
    if end.type in (world_frame, place):
        return True
    return end.type in (frame, point) and _is_framed(end.inputs[0])


def _joined(item: Item) -> Joined:
    if item.type is nail:
        body = carrier_of(item.inputs[0])
        return Joined(item, None, body, Pose(np.array(item.values["at"])), pose_in(body, item.inputs[0]))
    a, b = (carrier_of(end) for end in item.inputs)
    return Joined(item, a, b, pose_in(a, item.inputs[0]), pose_in(b, item.inputs[1]))


def below(item: Item) -> Iterator[Item]:
    """The objects that an item is plugged into, by whatever way."""
    if item.type.family == "object":
        yield item
    for source in item.inputs:
        yield from below(source)


def carrier_of(end: Item) -> Item | None:
    """The body that carries a frame or a point; None where it stands in the world."""
    body = next(below(end), None)
    return None if body is None or body.values.get("is_fixed") else body


def pose_of(item: Item) -> Pose:
    """Where a body, a frame or a point is now."""
    if item.type.family == "object":
        return Pose(np.array(item.position), rotation_matrix(item.orientation))
    value = np.array(item.value)
    return Pose(value[:3], value[3:].reshape((3, 3), order="F") if len(value) == 12 else np.eye(3))


def pose_in(body: Item | None, end: Item) -> Pose:
    """Where a frame or a point lies in a body, or in the world. As it was given, where it lies in the body
    itself, so that numbers come back to their bits."""
    if body is None:
        return pose_of(end)
    if end is body:
        return Pose()
    if end.inputs and end.inputs[0] is body:
        at = np.array(end.values["at"], float)
        axes = end.values.get("axes")
        return Pose(at, np.eye(3) if axes is None else np.array(axes, float).reshape((3, 3), order="F"))
    return pose_of(body).inverse @ pose_of(end)


def picture_of(item: Item, segments: int) -> Picture | None:
    """What an object looks like in its own axes, in so many segments; None for what is no object."""
    return item.type.picture(item, segments) if isinstance(item.type, Maker) else None


def inertia_of(body: Item) -> Array:
    """The tensor about the centre of mass, in the body's own axes."""
    return np.array(body.inertia, float).reshape(3, 3)
