"""Shapes at poses, as the parts of a body: what may be given, how they look and what they touch with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.objects import boundary
from tinkerdyne.objects.mesh import by_identity
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.objects.shape import Shape

POSE = ("position", "orientation")
Kept = tuple[Any, ...]  # (name, type, parameters, position, orientation)
Placed = tuple[str, Item, Array, Array]  # a part by its name, its rotation and its place in the body


# --- what may be given: parts as items, kept as (name, type, parameters, position, orientation) ----
def checked_parts(what: str, value: object, *, may_be_none: bool = False) -> tuple[Kept, ...]:
    if isinstance(value, Mapping):
        given = list(value.items())
    elif isinstance(value, (tuple, list)):
        given = [(_part_name(part, k), part) for k, part in enumerate(value)]
    else:
        raise TypeError(
            f"{what} must be shapes by name, such as {{'head': Box(...), 'handle': Rod(...)}}, not {value!r}"
        )
    if not given and not may_be_none:
        raise ValueError(f"{what} must be at least one shape")
    kept = tuple(_kept(what, name, part) for name, part in given)
    names = [part[0] for part in kept]
    if len(set(names)) < len(names):
        raise ValueError(f"{what} has two parts called {next(n for n in names if names.count(n) > 1)!r}")
    return kept


def _part_name(part: object, k: int) -> object:
    if isinstance(part, Item):
        return part.name or f"part{k + 1}"
    return part[0] if isinstance(part, (tuple, list)) and part else part


def _kept(what: str, name: object, part: object) -> Kept:
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError(
            f"{what} must have names of letters, digits and underscores, for the names of their points, not "
            f"{name!r}"
        )
    where = f"part {name!r} of {what.split(' of ', 1)[-1]}"
    if not isinstance(part, Item):
        part = made(where, part)
    if not isinstance(part.type, Shape) or part.type.dim != 3:
        raise TypeError(f"{where} must be a shape in space (sphere, rod, box, mesh, …), not {label(part)}")
    if part.world is not None:
        raise ValueError(
            f"{where} is {label(part)}, which is in a world by itself; make a shape for this body alone"
        )
    if any(part.start["velocity"]) or any(part.start["spin"]):
        raise ValueError(f"{where} has a velocity of its own; give velocity and spin to the body")
    values = tuple((key, value) for key, value in part.values.items() if key != "is_fixed")
    return (name, part.type.name, values, *(part.start[key] for key in POSE))


def made(where: str, part: object) -> Item:
    """The item that a kept part describes."""
    if not isinstance(part, (tuple, list)) or len(part) != 5:
        raise TypeError(
            f"{where} must be a shape, or its name, type, parameters, position and orientation, not {part!r}"
        )
    name, kind, values, *pose = part
    if not isinstance(REGISTRY.get(kind) if isinstance(kind, str) else None, Shape):
        raise ValueError(f"{where} must be a shape in space (sphere, rod, box, mesh, …), not {kind!r}")
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in values):
        raise ValueError(f"parameters of {where} must be pairs such as ['radius', 0.5], not {values!r}")
    item: Item = REGISTRY[kind].make(name, (), {**dict(values), **dict(zip(POSE, pose, strict=True))})
    return item


def shape_of(item: Item) -> Shape:
    assert isinstance(item.type, Shape)
    return item.type


# --- where they are -----------------------------------------------------------------------------
@by_identity
def placed(who: str, kept: tuple[Kept, ...]) -> tuple[Placed, ...]:
    """The parts, each where its own position and orientation say."""
    items = [made(f"part {part[0]!r} of {who}", part) for part in kept]
    return tuple(
        (item.name, item, rotation_matrix(item.start["orientation"]), np.array(item.start["position"]))
        for item in items
    )


def surface_of(parts: Sequence[Placed], segments: int) -> tuple[Array, Array]:
    """The surfaces of all parts together; where parts overlap, so do they."""
    vertices, faces, count = [], [], 0
    for _, item, R, d in parts:
        v, f = shape_of(item).surface(item.values, segments)
        vertices.append(v @ R.T + d)
        faces.append(f + count)
        count += len(v)
    return np.vstack(vertices), np.vstack(faces)


def boundary_of(parts: Sequence[Placed]) -> boundary.Parts:
    """The boundaries of all parts, where they are."""
    return tuple(piece.moved(R, d) for _, item, R, d in parts for piece in shape_of(item).boundary(item))
