"""Compounds: several shapes, each with its pose and its own mass, as one rigid body (R1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.look import look
from tinkerdyne.objects.boundary import Parts
from tinkerdyne.objects.maker import Places
from tinkerdyne.objects.mesh import Solid, by_identity
from tinkerdyne.objects.parts import Kept, Placed, boundary_of, checked_parts, made, shape_of, surface_of
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.objects.shape import Shape


class Whole(NamedTuple):
    """A compound that has been measured: the parts with their rotations and places from the common centre of
    mass."""

    solid: Solid
    parts: tuple[Placed, ...]
    places: Places


# --- mass properties ----------------------------------------------------------------------------
@by_identity
def whole(who: str, kept: tuple[Kept, ...]) -> Whole:
    """Masses and moments add: I = Σ R I_k Rᵀ + m_k (|d|² 1 − d dᵀ), with d from the common centre of mass."""
    items = [made(f"part {part[0]!r} of {who}", part) for part in kept]
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
    volume = sum(shape_of(item).measure(who, item.values).volume for item in items)
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
    return surface_of(whole("compound", values["shapes"]).parts, segments)


def _boundary(values: Values) -> Parts:
    return boundary_of(whole("compound", values["shapes"]).parts)


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
    check=lambda what, _name, value: checked_parts(what, value),
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
