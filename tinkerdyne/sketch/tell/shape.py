"""Shapes: what flight and collision need of a body: mass, principal axes, corners and hull (M1)."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.catalog import Rod
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.objects.shapes import Box, Capsule, Card, Cylinder, Mesh, Sphere
from tinkerdyne.sketch.tell.hull import Hull, distance, faces_and_edges, outermost

Kind = Literal["cube", "symmetric", "general"]
Motion = Literal["cube", "symmetric", "general", "still"]  # how a body of that kind flies, or that it stands
# two moments closer than this share count as equal; the motion then differs by less in a thousand turns
ALIKE = 1e-9
# of a body's size: how far a point that touches may lie off it, and off what stands for a round one
ON, ROUGH = 1e-6, 1e-3
MOST_POINTS = 48  # of the hull of a body, as far as others bump into it


@dataclass(frozen=True)
class Shape:
    """What flight and collision need of a body."""

    name: str
    kind: Kind
    mass: float  # kg
    moments: Array  # principal, kg m²
    axes: Array  # principal axes by columns, in the body
    turn: Array  # their quaternion
    radius: float  # m, of the furthest point
    corners: Array  # (n, 3) in the body: where it touches, or of a ball or capsule the middles of its balls
    round: float  # m, of those balls, else 0
    solid: Array  # (n, 3) in the body: points whose hull it fills, as far as `round` about them

    @functools.cached_property
    def hull(self) -> Hull:
        return Hull(self.solid @ self.axes, self.round, *faces_and_edges(self.solid @ self.axes))

    def touching(self, at: ArrayLike) -> Array:
        """The point by which a body touches when `at` is named, in the body: itself, or the middle of the
        ball nearest to it."""
        if not self.round:
            return np.asarray(at, float)
        return np.asarray(
            self.corners[int(np.linalg.norm(self.corners - np.asarray(at, float), axis=1).argmin())]
        )

    def beside(self, item: Item, place: ArrayLike) -> tuple[float, float]:
        """How far a place in the body's axes lies outside the body's hull [m], and how much of that its
        roundness may explain."""
        if self.round:
            points, allowed = self.solid, self.round + ON * self.radius
        elif item.type in (Box, Card):
            points, allowed = self.corners, ON * self.radius
        else:
            points, allowed = _fine(item), (ON if item.type is Mesh else ROUGH) * self.radius
        return distance(points, np.asarray(place, float)), allowed

    @functools.cached_property
    def halfspaces(self) -> tuple[Array, Array]:
        """Outward normals of the faces of its hull in the body (m, 3), and how far out they lie (m,) [m]."""
        normals, _ = faces_and_edges(self.solid)
        return normals, (self.solid @ normals.T).max(axis=0) + self.round

    def inside(self, c: ArrayLike) -> Array:
        """A point of the body in principal axes."""
        return np.asarray(self.axes.T @ np.asarray(c, float))


def shape_of(item: Item) -> Shape:
    """The mass properties and corners of a body of the library."""
    kind, row = item.type.resolve(item)
    if not kind.name.startswith("rigid"):
        raise TypeError(f"a sketch moves rigid bodies in space, not {label(item)}")
    moments, axes = np.array(row[10:13]), np.array(row[13:22]).reshape(3, 3, order="F")
    corners, ball = corners_of(item)
    spread = np.ptp(moments) / moments.max()
    alike: Kind = (
        "cube"
        if spread < ALIKE
        else "symmetric"
        if abs(moments[1] - moments[2]) < ALIKE * moments.max()
        else "general"
    )
    radius = float(np.linalg.norm(corners, axis=1).max()) + ball
    solid = solid_of(item, corners)
    return Shape(
        item.name, alike, float(row[0]), moments, axes, quaternion_of(axes), radius, corners, ball, solid
    )


def corners_of(item: Item) -> tuple[Array, float]:
    """The points by which a body touches first: corners of a box or card, ends of a bar, middles of the balls
    of what is round, with their radius, else the hull of its surface."""
    from scipy.spatial import ConvexHull

    from tinkerdyne.objects.shapes import surface

    places = item.type.places(item.values) if getattr(item.type, "places", None) else {}
    named = [
        at
        for name, at in places.items()
        if name.count("_") == 2 or name in ("bottom_left", "bottom_right", "top_left", "top_right")
    ]
    if item.type in (Box, Card) and named:
        return np.array(named), 0.0
    if item.type in (Rod, Cylinder):
        return np.array([places["end1"], places["end2"]]), 0.0
    if item.type in (Sphere, Capsule):
        balls = ("centre1", "centre2") if item.type is Capsule else ("centre",)
        return np.array([places[name] for name in balls]), float(item.values["radius"])
    vertices, _ = surface(item, segments=6)
    return np.asarray(vertices[ConvexHull(vertices).vertices]), 0.0


def solid_of(item: Item, corners: Array) -> Array:
    """Points whose hull a body fills; a bar has twelve sides, and a fine mesh is known by points of it far
    from each other."""
    from tinkerdyne.objects.shapes import surface

    points = np.asarray(surface(item, segments=12)[0]) if item.type in (Rod, Cylinder) else corners
    return outermost(points, min(len(points), MOST_POINTS))


def _fine(item: Item) -> Array:
    """The corners of the hull of a body's surface, what is round of it in 96 sides."""
    from scipy.spatial import ConvexHull

    from tinkerdyne.objects.shapes import surface

    points = np.asarray(surface(item, segments=96)[0])
    flat = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return points[ConvexHull(points).vertices] if flat[2] > 1e-9 * flat[0] else points
