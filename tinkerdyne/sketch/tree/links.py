"""The links of a tree: bodies, parents first, and the joints that carry them (M7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tinkerdyne.constraints.joints import ball, pin, universal
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.rotation import rotation_matrix

Joint = Literal["free", "pin", "universal", "ball"]
JOINTS: dict[object, Joint] = {pin: "pin", universal: "universal", ball: "ball"}
FREEDOMS = {"free": 6, "pin": 1, "universal": 2, "ball": 3}


@dataclass(frozen=True)
class Link:
    """A body of the tree and the joint that carries it: frames of the joint in the parent (or the world) and
    in the body."""

    item: Item
    parent: int  # −1: the world
    joint: Joint
    at_a: Array
    axes_a: Array
    at_b: Array
    axes_b: Array
    mass: float
    inertia: Array  # in the body's axes, kg m²
    first: int  # its first freedom
    turn: int  # its place among the quaternions, −1 when its joint has none

    @property
    def freedoms(self) -> slice:
        return slice(self.first, self.first + FREEDOMS[self.joint])


def check_bodies(bodies: Sequence[Item]) -> None:
    """A message where one is no rigid body with a name of its own."""
    for body in bodies:
        if (
            not isinstance(body, Item)
            or not hasattr(body.type, "resolve")
            or not body.type.resolve(body)[0].name.startswith("rigid")
        ):
            raise TypeError(f"a tree is made of rigid bodies in space, not of {body!r}")
    names = [body.name for body in bodies]
    for name, body in zip(names, bodies, strict=True):
        if not name or names.count(name) > 1:
            its = f"that of {names.count(name)}" if name else "none"
            raise ValueError(f"each body of a tree needs a name of its own; {label(body)} has {its}")


def linked(bodies: Sequence[Item], joints: Sequence[Item], fixed: Sequence[Item]) -> list[Link]:
    """The links of bodies that move, joined to each other, to the world and to what is fixed."""
    links: list[Link] = []
    ends = [_ends(joint, bodies, fixed) for joint in joints]
    known: dict[int, int] = {}
    waiting = list(range(len(joints)))
    if all(a is not None for a, _ in ends):  # nothing is clamped: the first body is free
        links.append(_link(links, bodies[0], -1, "free", None))
        known[id(bodies[0])] = 0
    while waiting:
        k = next((k for k in waiting if ends[k][0] is None or any(id(e) in known for e in ends[k])), None)
        if k is None:
            lonely = ", ".join(joints[k].name or label(joints[k]) for k in waiting)
            raise ValueError(f"{lonely} hang on nothing: a tree is one piece, free or clamped to the world")
        waiting.remove(k)
        a, b = ends[k]
        if a is not None and id(a) not in known:
            raise ValueError(
                f"{label(joints[k])} must have its frame a on the side of the root, {label(b)}; swap its "
                "frames"
            )
        if id(b) in known:
            raise ValueError(f"{label(joints[k])} closes a loop at {label(b)}; a sketch moves trees")
        known[id(b)] = len(links)
        links.append(_link(links, b, -1 if a is None else known[id(a)], JOINTS[joints[k].type], joints[k]))
    if len(links) != len(bodies):
        lost = next(body for body in bodies if id(body) not in known)
        raise ValueError(f"{label(lost)} is joined to nothing; join it, or leave it out of the tree")
    return links


def _link(before: list[Link], body: Item, parent: int, kind: Joint, joint: Item | None) -> Link:
    _, row = body.type.resolve(body)
    at_a, axes_a, at_b, axes_b = np.zeros(3), np.eye(3), np.zeros(3), np.eye(3)
    if joint is not None:
        (at_a, axes_a), (at_b, axes_b) = (_frame(one) for one in joint.inputs[:2])
    first = sum(FREEDOMS[link.joint] for link in before)
    turn = sum(link.turn >= 0 for link in before) if kind in ("free", "ball") else -1
    inertia = np.array(row[1:10]).reshape(3, 3)
    return Link(body, parent, kind, at_a, axes_a, at_b, axes_b, float(row[0]), inertia, first, turn)


def _ends(joint: Item, bodies: Sequence[Item], fixed: Sequence[Item]) -> tuple[Item | None, Item]:
    """The bodies of a joint's frames a and b; none is the world, and what is fixed in it."""
    if not isinstance(joint, Item):
        raise TypeError(f"a tree is joined by pin, universal and ball joints, not by {joint!r}")
    if joint.type not in JOINTS:
        raise ValueError(f"a tree is joined by pin, universal and ball joints, not by {label(joint)}")
    held = [
        one.inputs[0] if one.inputs else one if one.type.family == "object" else None
        for one in joint.inputs[:2]
    ]
    held = [None if any(body is one for one in fixed) else body for body in held]
    for body in held:
        if body is not None and not any(body is one for one in bodies):
            raise ValueError(
                f"{label(joint)} joins {label(body)}, which is not among the bodies of the tree; add it"
            )
    if held[1] is None:
        raise ValueError(
            f"{label(joint)} must have the world, or what is fixed, as its frame a, not b; swap its frames"
        )
    return held[0], held[1]


def _frame(source: Item) -> tuple[Array, Array]:
    """Origin and axes of a joint's frame in its body, or in the world, to which also a body belongs that is
    fixed."""
    at, axes = np.zeros(3), np.eye(3)
    if source.type.family != "object":
        at, axes = (
            np.array(source.values["at"], float),
            np.array(source.values["axes"], float).reshape(3, 3, order="F"),
        )
    body = source if source.type.family == "object" else source.inputs[0] if source.inputs else None
    if body is None or not body.values.get("is_fixed"):
        return at, axes
    R = rotation_matrix(body.orientation)
    return np.array(body.position) + R @ at, R @ axes
