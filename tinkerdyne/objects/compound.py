"""Compounds: several shapes, each with its pose and its own mass, as one rigid body (R1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.look import look
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.objects.boundary import Parts
from tinkerdyne.objects.maker import Places
from tinkerdyne.objects.mesh import Solid, by_identity
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.objects.shape import Shape

POSE = ("position", "orientation")
Kept = tuple[Any, ...]  # (name, type, parameters, position, orientation)


class Whole(NamedTuple):
    """A compound that has been measured: the parts with their rotations and places from the common centre of
    mass."""

    solid: Solid
    parts: tuple[tuple[str, Item, Array, Array], ...]
    places: Places


# --- what may be given: parts as items, kept as (name, type, parameters, position, orientation) ----
def _checked_parts(what: str, _name: str, value: object) -> tuple[Kept, ...]:
    if isinstance(value, Mapping):
        given = list(value.items())
    elif isinstance(value, (tuple, list)):
        given = [(_part_name(part, k), part) for k, part in enumerate(value)]
    else:
        raise TypeError(
            f"{what} must be shapes by name, such as {{'head': Box(...), 'handle': Rod(...)}}, not {value!r}"
        )
    if not given:
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
    where = f"part {name!r} of {what.removeprefix('shapes of ')}"
    if not isinstance(part, Item):
        part = _made(where, part)
    if not isinstance(part.type, Shape) or part.type.dim != 3:
        raise TypeError(f"{where} must be a shape in space (sphere, rod, box, mesh, …), not {label(part)}")
    if part.world is not None:
        raise ValueError(
            f"{where} is {label(part)}, which is in a world by itself; make a shape for the compound alone"
        )
    if any(part.start["velocity"]) or any(part.start["spin"]):
        raise ValueError(f"{where} has a velocity of its own; give velocity and spin to the compound")
    values = tuple((key, value) for key, value in part.values.items() if key != "is_fixed")
    return (name, part.type.name, values, *(part.start[key] for key in POSE))


def _made(where: str, part: object) -> Item:
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
    made: Item = REGISTRY[kind].make(name, (), {**dict(values), **dict(zip(POSE, pose, strict=True))})
    return made


def _shape(item: Item) -> Shape:
    assert isinstance(item.type, Shape)
    return item.type


# --- mass properties ----------------------------------------------------------------------------
@by_identity
def whole(who: str, kept: tuple[Kept, ...]) -> Whole:
    """Masses and moments add: I = Σ R I_k Rᵀ + m_k (|d|² 1 − d dᵀ), with d from the common centre of mass."""
    items = [_made(f"part {part[0]!r} of {who}", part) for part in kept]
    places = np.array([item.start["position"] for item in items])
    rotations = [rotation_matrix(item.start["orientation"]) for item in items]
    rows = [item.type.resolve(item)[1] for item in items]
    masses = np.array([row[0] for row in rows])
    mass = float(masses.sum())
    centre = masses @ places / mass
    inertia = np.zeros((3, 3))
    for m, row, R, d in zip(masses, rows, rotations, places - centre, strict=True):
        inertia += R @ np.array(row[1:10]).reshape(3, 3) @ R.T + m * (d @ d * np.eye(3) - np.outer(d, d))
    inertia = (inertia + inertia.T) / (2 * mass)
    inertia[abs(inertia) < 1e-14 * inertia.max()] = 0.0  # rounding
    volume = sum(_shape(item).measure(who, item.values).volume for item in items)
    parts = tuple(
        (part[0], item, R, d)
        for part, item, R, d in zip(kept, items, rotations, places - centre, strict=True)
    )
    points: Places = {"centre": (0.0, 0.0, 0.0)}
    for name, item, R, d in parts:
        points |= {
            f"{name}_{k}": tuple((d + R @ at).tolist()) for k, at in item.type.places(item.values).items()
        }
    points["origin"] = tuple((-centre).tolist())
    return Whole(Solid(volume, tuple(inertia.ravel().tolist()), tuple(centre.tolist()), mass), parts, points)


def _surface(values: Values, segments: int) -> tuple[Array, Array]:
    """The surfaces of all parts together; where parts overlap, so do they."""
    vertices, faces, count = [], [], 0
    for _, item, R, d in whole("compound", values["shapes"]).parts:
        v, f = _shape(item).surface(item.values, segments)
        vertices.append(v @ R.T + d)
        faces.append(f + count)
        count += len(v)
    return np.vstack(vertices), np.vstack(faces)


def _boundary(values: Values) -> Parts:
    """The boundaries of all parts, where they are."""
    parts = whole("compound", values["shapes"]).parts
    return tuple(piece.moved(R, d) for _, item, R, d in parts for piece in _shape(item).boundary(item))


class CompoundShape(Shape):
    """The maker of compounds; `parts` is another word for its shapes when one is made."""

    def make(self, name: str, inputs: Sequence[Item], options: Values) -> Item:
        # an item's own `parts` are the points that were asked for
        if "parts" in options and "shapes" not in options:
            options["shapes"] = options.pop("parts")
        return super().make(name, inputs, options)


Compound = CompoundShape(
    "compound",
    {
        "shapes": (
            (
                "handle",
                "rod",
                (("mass", 1.0), ("length", 1.0), ("radius", 0.05)),
                (0.0, 0.0, 0.0),
                (1.0, 0.0, 0.0, 0.0),
            ),
            (
                "head",
                "box",
                (("mass", 2.0), ("size", (0.2, 0.2, 0.5))),
                (0.5, 0.0, 0.0),
                (1.0, 0.0, 0.0, 0.0),
            ),
        )
    },
    lambda who, values: whole(who, values["shapes"]).solid,
    places=lambda values: whole("compound", values["shapes"]).places,
    surface=_surface,
    boundary=_boundary,
    mass=("shapes", 1.0),
    check=_checked_parts,
    units={"shapes": ""},
    doc="Several shapes as one body: shapes={'head': Box(..., position=..., orientation=...), ...}, each "
    "where its own position "
    "and orientation say, with its own mass or density. The origin is the common centre of mass, at `offset` "
    "among the parts as "
    "given. Its mass is that of the parts unless it is given one (or a density), which scales them all "
    "alike. Points centre, "
    "origin (of the axes as given), and those of the parts, such as head_top.",
)
look(icon="compound")(Compound)
