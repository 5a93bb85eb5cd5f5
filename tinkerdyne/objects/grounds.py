"""Grounds: what stands still and carries, a floor, a wall, a bowl, a landscape of heights.

A floor is all that lies below a plane, however large it is drawn. Space is z-up, the plane y-up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number, truth, unit, vector
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.item_type import Option
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.look import MenuGroup, look
from tinkerdyne.objects import bodies, boundary
from tinkerdyne.objects.boundary import Parts
from tinkerdyne.objects.inertia import diagonal_parameters
from tinkerdyne.objects.maker import Maker, Picture
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.objects.shape import PLANAR_STATE, RIGID_STATE, rigid_state

THICK = 0.02  # of its size: how thick a floor is drawn
ACROSS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # turns z into y
MOST_HEIGHTS = 1_000_000
RIM = 0.02  # of its radius: the rounding of a bowl's rim


class Ground(Maker):
    """A maker of what stands still."""

    def __init__(self, name: str, parameters: Values, *, dim: int = 3, doc: str) -> None:
        self.dim = dim
        state, check = (RIGID_STATE, rigid_state) if dim == 3 else (PLANAR_STATE, None)
        super().__init__(
            name, parameters, state, self._resolved, check=self._checked, check_state=check,
            doc=doc, module=__name__, units=dict.fromkeys(set(parameters) - {"facing", "heights"}, "m"),
        )  # fmt: skip
        self.parameters["is_fixed"] = True
        self.explain(doc)

    def checked(self, item: str, name: str, value: object) -> Value:
        if name == "is_fixed" and not truth(f"is_fixed of {item}", value):
            raise ValueError(f"{item} stands still and cannot be let go; take a Box or a Card for what moves")
        return super().checked(item, name, value)

    def options(self) -> Iterator[Option]:
        return (option for option in super().options() if option.name not in ("velocity", "spin"))

    def _resolved(self, _who: str, _values: Values, _start: Values) -> tuple[ObjectType, list[float]]:
        """It has no mass that anyone asks for."""
        return (bodies.planar_body, [1.0, 1.0]) if self.dim == 2 else diagonal_parameters(1.0, 1.0, 1.0, 1.0)

    def _checked(self, what: str, name: str, value: object) -> Value:
        if name == "facing":
            return unit(what, value)
        if name == "heights":
            return _heights(what, value)
        if isinstance(self.parameters[name], tuple):
            return vector(what, value, length=2)
        return number(what, value, positive=True)

    def boundary(self, item: Item) -> Parts:
        if "depth" in item.values:
            radius = item.values["radius"]
            return boundary.bowl(radius, min(item.values["depth"], 2 * radius), RIM * radius)
        if "heights" in item.values:
            return boundary.field(item.values["heights"], item.values["size"])
        (plane,) = boundary.half_space()
        if self.dim == 2:
            return (replace(plane, rotation=ACROSS, is_planar=True),)
        return (plane.moved(_facing(item.values), np.zeros(3)),)

    def picture(self, item: Item, segments: int) -> Picture:
        if "depth" in item.values:
            return _shell(item.values["radius"], item.values["depth"], segments)
        if "heights" in item.values:
            (ground,) = self.boundary(item)
            assert ground.vertices is not None and ground.faces is not None
            return ground.vertices, ground.faces
        half, low = item.values["size"] / 2, -THICK * item.values["size"]
        if self.dim == 2:
            return np.array([(-half, low), (half, low), (half, 0.0), (-half, 0.0)])
        x, y, z = np.meshgrid([-half, half], [-half, half], [low, 0.0], indexing="ij")
        corners = np.column_stack([x.ravel(), y.ravel(), z.ravel()]) @ _facing(item.values).T
        sides = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
        return corners, np.vstack([sides[:, [0, 1, 2]], sides[:, [0, 2, 3]]])


def _shell(radius: float, depth: float, segments: int) -> Picture:
    """A bowl as it is drawn: its inside, its rim, and an outside as thick as the rim is."""
    thick = 2 * RIM * radius
    end = np.arccos(np.clip(1 - depth / radius, -1.0, 1.0))
    rows = max(4, int(np.ceil(segments * end / np.pi)))
    inner = [(radius * np.sin(t), radius - radius * np.cos(t)) for t in np.linspace(0, end, rows)[1:]]
    outer = radius + thick
    back = [(outer * np.sin(t), radius - outer * np.cos(t)) for t in np.linspace(end, 0, rows)[:-1]]
    rings = [(r, z) for r, z in (*inner, *back)]
    around = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    points = [(0.0, 0.0, 0.0), (0.0, 0.0, -thick)]
    points += [(r * np.cos(a), r * np.sin(a), z) for r, z in rings for a in around]
    n, last = segments, 2 + (len(rings) - 1) * segments
    faces = [(0, 2 + k, 2 + (k + 1) % n) for k in range(n)]
    for row in range(len(rings) - 1):
        for k in range(n):
            a, b = 2 + row * n + k, 2 + row * n + (k + 1) % n
            faces += [(a, a + n, b), (b, a + n, b + n)]
    faces += [(1, last + (k + 1) % n, last + k) for k in range(n)]
    return np.array(points), np.array(faces)


def _facing(values: Values) -> Array:
    """A rotation that turns z to where a wall looks."""
    z = np.array(values.get("facing", (0.0, 0.0, 1.0)))
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x = np.array([1.0, 0.0, 0.0]) if z[2] == 1.0 else x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _heights(what: str, value: object) -> tuple[tuple[float, ...], ...]:
    try:
        rows = np.asarray(value, float)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be rows of finite heights, all as long, not {value!r}") from None
    if rows.ndim != 2 or min(rows.shape) < 2 or rows.size > MOST_HEIGHTS or not np.isfinite(rows).all():
        raise ValueError(
            f"{what} must be rows of finite heights, two by two of them or more and {MOST_HEIGHTS} at most, "
            f"not an array of shape {rows.shape}"
        )
    return tuple(map(tuple, rows.tolist()))


Floor = Ground(
    "floor",
    {"size": 10.0},
    doc="A floor that stands still: all that lies below its own z = 0, drawn as large as its size [size m].",
)
PlanarFloor = Ground(
    "planar_floor",
    {"size": 10.0},
    dim=2,
    doc="A floor in the plane that stands still: all that lies below its own y = 0 [size m].",
)
Wall = Ground(
    "wall",
    {"facing": (1.0, 0.0, 0.0), "size": 10.0},
    doc="A wall that stands still: all that lies behind a plane through its origin [size m].",
)
Bowl = Ground(
    "bowl",
    {"radius": 1.0, "depth": 1.0},
    doc=(
        "A bowl that stands still, the inside of a sphere up to its depth; its origin is its lowest point "
        "[radius m, depth m]. It is touched from the inside and at its rim."
    ),
)
HeightField = Ground(
    "height_field",
    {"heights": ((0.0, 0.0), (0.0, 0.0)), "size": (10.0, 10.0)},
    doc="Ground by its heights [m], rows along x, over a rectangle about its origin [size m].",
)

GROUND: MenuGroup = "Ground and contact"
look(group=GROUND, icon="floor", drawn="ground", sizes=("size",), tool=20)(Floor)
look(group=GROUND, icon="floor", drawn="ground", sizes=("size",), tool=20)(PlanarFloor)
look(group=GROUND, icon="wall", tool=21)(Wall)
look(group=GROUND, icon="bowl", drawn="ball", sizes=("radius", "depth"))(Bowl)
look(group=GROUND, icon="hills")(HeightField)
