"""Shapes: what flight and collision need of a body: mass, principal axes, corners and hull (M1)."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.objects.shapes import Box, Card, Mesh
from tinkerdyne.sketch.tell.hull import Hull, distance, hull_of
from tinkerdyne.sketch.tell.tips import Tips, joined, tips_of

Symmetry = Literal["cube", "symmetric", "general"]
SpinKind = Literal[
    "cube", "symmetric", "general", "still"
]  # how a body of that kind flies, or that it stands
# two moments closer than this share count as equal; the motion then differs by less in a thousand turns
ALIKE = 1e-9
# of a body's size: how far a point that touches may lie off it, and off what stands for a round one
ON, ROUGH = 1e-6, 1e-3
SIDES = 12  # of what stands for a circle where faces and edges are wanted


@dataclass(frozen=True)
class FlightBody:
    """What flight and collision need of a body."""

    name: str
    kind: Symmetry
    mass: float  # kg
    moments: Array  # principal, kg m²
    axes: Array  # principal axes by columns, in the body
    turn: Array  # their quaternion
    radius: float  # m, of the furthest point
    tips: Tips  # by what it touches, in the body
    is_thin: bool = False  # whether its named points lie between two tips, as those of a card do

    @property
    def corners(self) -> Array:
        """The middles of its tips (n, 3), in the body."""
        return self.tips.places

    @property
    def round(self) -> float:
        """The radius of its balls, where it is the hull of balls of one size [m], else 0."""
        return float(self.tips.balls[0]) if self.tips.is_plain else 0.0

    @functools.cached_property
    def hull(self) -> Hull:
        return hull_of(self.tips.within(self.axes), SIDES)

    def meant(self, at: ArrayLike) -> list[int]:
        """The tips that a place on the body may mean: that on which it lies; none where it is a point of its
        own."""
        place, tips = np.asarray(at, float), self.tips
        far = _beyond(tips, place)
        near = np.flatnonzero(far <= far.min() + ON * self.radius)
        if self.is_thin:
            return [int(k) for k in near]
        best = int(near[np.argmax((tips.radii + tips.balls)[near])])
        is_round = tips.radii[best] + tips.balls[best] > 0
        return [best] if self.round or (is_round and far[best] <= ROUGH * self.radius) else []

    def touching(self, at: ArrayLike) -> Tips:
        """By what a body touches when `at` is named: a tip, or else that point itself."""
        meant = self.meant(at)
        if meant:
            return self.tips[np.array(meant[:1])]
        return Tips(np.asarray(at, float)[None], np.zeros((1, 3)), np.zeros(1))

    def beside(self, item: Item, place: ArrayLike) -> tuple[float, float]:
        """How far a place in the body's axes lies outside the body's hull [m], and how much of that its
        roundness may explain."""
        if self.round:
            points, allowed = self.corners, self.round + ON * self.radius
        elif item.type in (Box, Card):
            points, allowed = self.corners, ON * self.radius
        else:
            points, allowed = _fine(item), (ON if item.type is Mesh else ROUGH) * self.radius
        return distance(points, np.asarray(place, float)), allowed

    @functools.cached_property
    def halfspaces(self) -> tuple[Array, Array]:
        """Outward normals of the faces of its hull in the body (m, 3), and how far out they lie (m,) [m]."""
        normals = self.hull.normals @ self.axes.T
        return normals, (self.tips.extents(normals) + self.tips.balls).max(axis=-1)

    def inside(self, c: ArrayLike) -> Array:
        """A point of the body in principal axes."""
        return np.asarray(self.axes.T @ np.asarray(c, float))


def shape_of(item: Item) -> FlightBody:
    """The mass properties and corners of a body of the library."""
    kind, row = item.type.resolve(item)
    if not kind.name.startswith("rigid"):
        raise TypeError(f"a sketch moves rigid bodies in space, not {label(item)}")
    moments, axes = np.array(row[10:13]), np.array(row[13:22]).reshape(3, 3, order="F")
    tips = tips_on(item)
    spread = np.ptp(moments) / moments.max()
    alike: Symmetry = (
        "cube"
        if spread < ALIKE
        else "symmetric"
        if abs(moments[1] - moments[2]) < ALIKE * moments.max()
        else "general"
    )
    turn, is_thin = quaternion_of(axes), item.type is Card
    return FlightBody(item.name, alike, float(row[0]), moments, axes, turn, tips.reach, tips, is_thin)


def tips_on(item: Item) -> Tips:
    """By what a body touches: the tips of its boundary; of one that has none the corners of its picture."""
    from scipy.spatial import ConvexHull

    from tinkerdyne.objects.shapes import surface

    parts = item.type.boundary(item)
    if parts:
        return _on_hull(joined([tips_of(part) for part in parts]))
    vertices = np.asarray(surface(item, segments=6)[0])
    corners = vertices[ConvexHull(vertices).vertices]
    return Tips(corners, np.zeros_like(corners), np.zeros(len(corners)))


def _on_hull(tips: Tips) -> Tips:
    """Those of points that lie on the hull of all; others never touch a plane."""
    from scipy.spatial import ConvexHull

    sizes = np.linalg.svd(tips.places - tips.places.mean(axis=0), compute_uv=False)
    if not tips.is_plain or len(tips) <= 8 or sizes[2] <= 1e-9 * sizes[0]:
        return tips
    return tips[np.sort(ConvexHull(tips.places).vertices)]


def _beyond(tips: Tips, place: Array) -> Array:
    """How far a place lies outside the disc or ball of each tip [m]."""
    off = place - tips.places
    size = np.maximum(tips.radii, 1e-300)
    along = (off * tips.rims).sum(axis=1) / size
    across = np.sqrt(np.maximum((off**2).sum(axis=1) - along**2, 0.0))
    return np.asarray(np.maximum(np.hypot(along, np.maximum(across - tips.radii, 0.0)) - tips.balls, 0.0))


def _fine(item: Item) -> Array:
    """The corners of the hull of a body's surface, what is round of it in 96 sides."""
    from scipy.spatial import ConvexHull

    from tinkerdyne.objects.shapes import surface

    points = np.asarray(surface(item, segments=96)[0])
    flat = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return points[ConvexHull(points).vertices] if flat[2] > 1e-9 * flat[0] else points
