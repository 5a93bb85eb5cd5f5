"""Shapes of links as a body takes them, and what stands still in the world."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinkerdyne.formats.model import ReadModel
from tinkerdyne.formats.tree import Part, zeros
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.catalog import RigidBody
from tinkerdyne.objects.grounds import Floor
from tinkerdyne.objects.rotation import quaternion_of


def shapes_of(parts: list[Part], centre: Array) -> dict[str, Any]:
    """What a body touches with, and what is only seen, about its centre of mass."""
    kept: dict[str, list[tuple[Any, ...]]] = {"shapes": [], "drawing": []}
    for k, part in enumerate(parts, 1):
        values = tuple((name, value) for name, value in part.shape.values.items() if name != "is_fixed")
        pose = _place(part, centre)
        row = (f"part{k}", part.shape.type.name, values, pose["position"], pose["orientation"])
        kept["shapes" if part.touches else "drawing"].append(row)
    return {name: tuple(rows) for name, rows in kept.items()}


def standing(parts: list[Part], model: ReadModel) -> list[Item]:
    """Floors, and one body of all else that stands still."""
    floors = [part for part in parts if part.shape.type is Floor]
    rest = [part for part in parts if part not in floors]
    items: list[Item] = []
    for part in floors:
        if part.touches:
            given = {"size": part.shape.values["size"], **_place(part, zeros())}
            items.append(model.world.add(Floor(model.name_for("floor", "plane"), **given)))
    if rest:
        body = RigidBody(model.name_for("world", "body"), is_fixed=True, **shapes_of(rest, zeros()))
        items.append(model.world.add(body))
    return items


def _place(part: Part, centre: Array) -> dict[str, tuple[float, ...]]:
    place = np.asarray(part.pose.place - centre)
    return {
        "position": tuple(float(x) for x in place),
        "orientation": tuple(float(x) for x in quaternion_of(part.pose.turn)),
    }
