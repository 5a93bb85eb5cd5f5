"""The boundary of a body, by which it touches others: parts of a few kinds, each in the body's own axes.

A part is a core and all that lies within its rounding. Long cores lie along x, a circle about z, and a plane
looks along z.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as made_by
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Values

Core = Literal[
    "point", "segment", "circle", "box", "cylinder", "cone", "hull", "polygon", "plane", "mesh", "bowl",
    "track",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Part:
    """A core with its sizes [m], where it lies in the body, and its rounding."""

    core: Core
    size: tuple[float, ...] = ()
    rounding: float = 0.0
    vertices: Array | None = None  # (n, 3) of hulls, polygons and meshes; of tracks a row an arc
    faces: Array | None = None  # triangles of a mesh, (m, 3), outwards
    position: Array = made_by(default_factory=lambda: np.zeros(3))
    rotation: Array = made_by(default_factory=lambda: np.eye(3))
    is_planar: bool = False
    inner: tuple[bool, ...] = ()  # sides of a polygon behind which another part of it lies

    def moved(self, rotation: Array, position: Array) -> Part:
        """The part in the axes of a larger body."""
        return replace(self, rotation=rotation @ self.rotation, position=rotation @ self.position + position)

    def is_like(self, other: Part) -> bool:
        """Whether both are the same in all numbers."""
        mine, theirs = ((part.vertices, part.faces, part.position, part.rotation) for part in (self, other))
        is_same = all(
            a is b or (a is not None and b is not None and np.array_equal(a, b))
            for a, b in zip(mine, theirs, strict=True)
        )
        return is_same and (self.core, self.size, self.rounding, self.is_planar, self.inner) == (
            other.core, other.size, other.rounding, other.is_planar, other.inner,
        )  # fmt: skip


Parts = tuple[Part, ...]
Boundary = Callable[[Values], Parts]


def ball(radius: float) -> Parts:
    """A ball, in the plane a disc."""
    return (Part("point", (), radius),)


def disc(radius: float) -> Parts:
    """A disc in the plane."""
    return (Part("point", (), radius, is_planar=True),)


def bar(length: float, radius: float) -> Parts:
    """A cylinder along x."""
    return (Part("cylinder", (length / 2, radius)),)


def capsule(length: float, radius: float) -> Parts:
    """A cylinder along x with half balls at its ends."""
    return (Part("segment", (length / 2,), radius),)


def cone(radius: float, base: float, apex: float) -> Parts:
    """A cone along x: its base at −base, its apex at +apex."""
    return (Part("cone", (base, radius, apex)),)


def ring(radius: float, thickness: float) -> Parts:
    """A torus about z."""
    return (Part("circle", (radius,), thickness),)


def block(size: Sequence[float]) -> Parts:
    """A box."""
    x, y, z = size
    return (Part("box", (x / 2, y / 2, z / 2)),)


def half_space() -> Parts:
    """All that lies below z = 0."""
    return (Part("plane"),)


def bowl(radius: float, depth: float, rim: float) -> Parts:
    """The inside of a sphere up to a height above its lowest point, which is the origin, and a rounded
    rim."""
    up = depth - radius  # of the rim above the centre of the sphere
    hollow = Part("bowl", (radius, up), position=np.array([0.0, 0.0, radius]))
    if depth >= 2 * radius:
        return (hollow,)
    wide = float(np.sqrt(radius**2 - up**2))
    return hollow, Part("circle", (wide + rim,), rim, position=np.array([0.0, 0.0, depth]))


def solid(vertices: ArrayLike, faces: ArrayLike) -> Parts:
    """What lies within a closed mesh: a hull where it is convex."""
    places, triangles = np.array(vertices, float), np.array(faces, int)
    used = places[np.unique(triangles)]
    if is_convex(places, triangles):
        return (Part("hull", vertices=used),)
    return (Part("mesh", vertices=places, faces=triangles),)


def is_convex(vertices: Array, faces: Array) -> bool:
    """Whether no vertex lies above a face."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    size = float(np.ptp(vertices, axis=0).max())
    used = vertices[np.unique(faces)]
    return all(float(((used - p) @ n).max()) <= 1e-9 * size for n, p in zip(normals, a, strict=True))


def field(heights: ArrayLike, size: Sequence[float]) -> Parts:
    """Ground by its heights [m], (nx, ny), over a rectangle of this size about the origin."""
    z = np.array(heights, float)
    nx, ny = z.shape
    x, y = np.meshgrid(
        np.linspace(-0.5, 0.5, nx) * size[0], np.linspace(-0.5, 0.5, ny) * size[1], indexing="ij"
    )
    i, j = np.divmod(np.arange((nx - 1) * (ny - 1)), ny - 1)
    at = i * ny + j
    low = np.column_stack([at, at + ny, at + ny + 1])
    high = np.column_stack([at, at + ny + 1, at + 1])
    faces = np.stack([low, high], axis=1).reshape(-1, 3)
    return (Part("mesh", vertices=np.column_stack([x.ravel(), y.ravel(), z.ravel()]), faces=faces),)


# --- polygons ------------------------------------------------------------------------------------
def outline(corners: ArrayLike) -> Parts:
    """A simple polygon, counterclockwise, as convex parts."""
    places = np.array(corners, float)
    parts = convex_parts(places)
    sides = {(k, (k + 1) % len(places)) for k in range(len(places))}
    return tuple(
        Part(
            "polygon",
            vertices=np.column_stack([places[part], np.zeros(len(part))]),
            is_planar=True,
            inner=tuple((p, q) not in sides for p, q in zip(part, part[1:] + part[:1], strict=True)),
        )
        for part in parts
    )


def convex_parts(corners: Array) -> list[list[int]]:
    """Numbers of corners of convex parts: triangles of ears, joined while the parts stay convex (Hertel and
    Mehlhorn)."""
    parts = _ears(corners)
    joined = True
    while joined:
        joined = False
        for i in range(len(parts)):
            for j in range(i + 1, len(parts)):
                whole = _joined(corners, parts[i], parts[j])
                if whole is not None and not joined:
                    parts[i], joined = whole, True
                    del parts[j]
                    break
            if joined:
                break
    return parts


def area(corners: Array) -> float:
    """The area of a polygon, positive where it is counterclockwise."""
    a, b = corners, np.roll(corners, -1, axis=0)
    return float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2)


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _ears(corners: Array) -> list[list[int]]:
    left, ears = list(range(len(corners))), []
    while len(left) > 3:
        best = max(range(len(left)), key=lambda k: _ear_quality(corners, left, k))
        n = len(left)
        ears.append([left[best - 1], left[best], left[(best + 1) % n]])
        del left[best]
    ears.append(left)
    return [ear for ear in ears if _turn(*corners[ear]) > 0]


def _ear_quality(corners: Array, left: list[int], k: int) -> float:
    """How blunt an ear is; below zero where it is none."""
    n = len(left)
    i, j, l = left[k - 1], left[k], left[(k + 1) % n]
    a, b, c = corners[[i, j, l]]
    area = _turn(a, b, c)
    if area <= 0:
        return -1.0 if area < 0 else 0.0
    others = [m for m in left if m not in (i, j, l)]
    if any(_inside(a, b, c, corners[m]) for m in others):
        return -1.0
    longest = max(float(np.sum((p - q) ** 2)) for p, q in ((a, b), (b, c), (c, a)))
    return area / longest


def _inside(a: Array, b: Array, c: Array, p: Array) -> bool:
    return _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0


def _joined(corners: Array, one: list[int], two: list[int]) -> list[int] | None:
    """Two parts across a common side, where that is convex."""
    n, m = len(one), len(two)
    for k in range(n):
        p, q = one[k], one[(k + 1) % n]
        for l in range(m):
            if two[l] == q and two[(l + 1) % m] == p:
                rest = [two[(l + 2 + i) % m] for i in range(m - 2)]
                whole = [one[(k + 1 + i) % n] for i in range(n)] + rest
                around = zip(whole, whole[1:] + whole[:1], whole[2:] + whole[:2], strict=True)
                return whole if all(_turn(*corners[list(three)]) >= 0 for three in around) else None
    return None
