"""Bodies with joints in a world, as a tree that is sketched: found from any of its bodies, and kept with the
poses in which its motion begins."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tinkerdyne.constraints.joints import ball, pin, universal
from tinkerdyne.constraints.points import connect, nail
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label
from tinkerdyne.sketch.tell.file import sketch_of
from tinkerdyne.sketch.tree.sketch import TreeSketch
from tinkerdyne.world.world import World

KINDS: dict[object, str] = {pin: "pin", universal: "universal", ball: "ball", connect: "ball", nail: "ball"}
AXES = tuple(np.eye(3).ravel().tolist())
QUARTER = np.array(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
LONGEST = (0.1, 3.0)  # s: how long a motion lasts, to begin with
SHARE, RISE = 2.0, 0.4  # of how far a tree reaches: how far, and how high, it is thrown to begin with
Document = dict[str, Any]


# --- in the world --------------------------------------------------------------------------------
@dataclass(frozen=True)
class End:
    """A frame of a joint: in a body, or in the world."""

    body: str | None
    at: tuple[float, ...]
    axes: tuple[float, ...]  # by columns

    @property
    def document(self) -> Document:
        return {"at": list(self.at), "axes": list(self.axes)}

    def turned(self, by: Array) -> End:
        axes = np.reshape(self.axes, (3, 3), order="F") @ by
        return replace(self, axes=tuple(axes.ravel(order="F").tolist()))


@dataclass(frozen=True)
class Joined:
    """A joint of a tree."""

    name: str
    kind: str
    a: End
    b: End

    @property
    def swapped(self) -> Joined:
        """With its ends exchanged: the axes of a cardan joint lie across each other."""
        if self.kind == "universal":
            return replace(self, a=self.b.turned(QUARTER), b=self.a.turned(QUARTER.T))
        return replace(self, a=self.b, b=self.a)


def _end(source: Item) -> End:
    body = source if source.type.family == "object" else source.inputs[0] if source.inputs else None
    at = tuple(source.values.get("at", (0.0, 0.0, 0.0))) if source.type.family != "object" else (0.0,) * 3
    axes = tuple(source.values.get("axes", AXES)) if source.type.family != "object" else AXES
    return End(None if body is None else body.name, at, axes)


def joint_of(item: Item) -> Joined:
    """A joint of the world as a tree has it; a message where a tree has none such."""
    kind = KINDS.get(item.type)
    if kind is None:
        raise ValueError(
            f"{label(item)} holds what is to be sketched; a sketch moves free bodies, or trees with pins, "
            "universal and ball joints: cut it first"
        )
    ends = [_end(one) for one in item.inputs[:2]]
    if item.type is nail:
        ends.append(End(None, tuple(item.values["at"]), AXES))
    a, b = ends
    return Joined(item.name, kind, a, b)


def joined_to(world: World, names: Sequence[str]) -> tuple[list[str], list[Joined]]:
    """All bodies that hang together with these, and their joints, from the root outwards."""
    bodies, joints = list(names), {}
    for name in bodies:  # it grows
        for item in world.contents.dependents([name]).values():
            if item.type.family != "constraint" or not item.values.get("is_on", True):
                continue
            joints[item.name] = joint = joint_of(item)
            found = [end.body for end in (joint.a, joint.b) if end.body is not None]
            bodies += [one for one in found if one not in bodies and not world[one].values.get("is_fixed")]
    fixed = [
        end.body
        for joint in joints.values()
        for end in (joint.a, joint.b)
        if end.body is not None and end.body not in bodies
    ]
    return [*bodies, *dict.fromkeys(fixed)], _outwards(bodies, list(joints.values()))


def _outwards(moving: list[str], joints: list[Joined]) -> list[Joined]:
    """Joints with their first end on the side of the root."""
    known: set[str | None] = set()
    is_clamped = any(end.body not in moving for joint in joints for end in (joint.a, joint.b))
    reached = deque([None, *{e.body for j in joints for e in (j.a, j.b)} - set(moving)])
    if not is_clamped:
        reached = deque(moving[:1])
    found: list[Joined] = []
    left = list(joints)
    known.update(reached)
    while reached:
        now = reached.popleft()
        for joint in [one for one in left if now in (one.a.body, one.b.body)]:
            left.remove(joint)
            found.append(joint if joint.a.body == now else joint.swapped)
            other = found[-1].b.body
            if other not in known:
                known.add(other)
                reached.append(other)
    return [*found, *left]


def _joint_document(joint: Joined) -> Document:
    frames = {"frame_a": joint.a.document, "frame_b": joint.b.document}
    return {"type": joint.kind, "name": joint.name, "a": joint.a.body, "b": joint.b.body, **frames}


# --- begun, kept, read -----------------------------------------------------------------------------
def begun_tree(world: World, names: Sequence[str], way: Array, g: Array) -> TreeSketch:
    """A sketch of a tree: from where it is now, thrown along a direction; of one that is clamped the last
    link swings there."""
    bodies, joints = joined_to(world, names)
    sketch = _made(world, bodies, joints, {"gravity": g.tolist()}, {})
    links = sketch.tree.links
    places = np.array([link.item.position for link in links], float)
    size = float(np.linalg.norm(places - places.mean(axis=0), axis=1).max()) + 0.1
    is_free = links[0].joint == "free"
    body = links[0 if is_free else -1].item
    up = -g / (np.linalg.norm(g) or 1.0)
    far = (SHARE if is_free else SHARE / 4) * size
    shown = [(0.0, 0.0), (0.5, RISE if is_free else 0.0), (1.0, 0.0)]
    sketch.follow(body, [np.array(body.position) + far * s * way + h * size * up for s, h in shown])
    sketch.lasts(*LONGEST)
    return sketch


def _made(
    world: World, bodies: Sequence[str], joints: Sequence[Joined], document: Document, poses: Document
) -> TreeSketch:
    from tinkerdyne.studio.sketching.begin import described

    given = {
        "story": [{"lasts": list(LONGEST)}],
        **document,
        "sketch": 1,
        "joints": [_joint_document(one) for one in joints],
    }
    given["bodies"] = [{**described(world, name), **poses.get(name, {})} for name in bodies]
    found = sketch_of(given, name="the sketch")
    assert isinstance(found, TreeSketch)
    return found


def kept_tree(sketch: TreeSketch) -> str:
    """What the scene has of it: bodies by name, and the poses in which its motion begins."""
    document = sketch.document()
    poses = [
        {"of": one["name"], "position": one.get("position"), "orientation": one.get("orientation")}
        for one in document["bodies"]
    ]
    names = [one["name"] for one in document["bodies"]]
    return json.dumps({**document, "bodies": names, "poses": poses}, allow_nan=False)


def read_tree(world: World, document: Document, before: TreeSketch | None) -> TreeSketch:
    """The sketch that a scene has, with the bodies and joints as they are; it has the tree of the one before
    where that is the same, so that its motion is where the next begins."""
    poses = {
        one["of"]: {key: value for key, value in one.items() if key != "of" and value is not None}
        for one in document.pop("poses", [])
    }
    bodies, joints = joined_to(world, [n for n in document["bodies"] if not world[n].values.get("is_fixed")])
    sketch = _made(world, bodies, joints, document, poses)
    if before is not None and _forms(before) == _forms(sketch):
        sketch.tree = before.tree
    return sketch


def _forms(sketch: TreeSketch) -> str:
    document = sketch.document()
    return json.dumps([document["bodies"], document["joints"]], sort_keys=True)
