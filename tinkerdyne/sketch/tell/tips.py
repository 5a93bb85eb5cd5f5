"""Tips: by what of it a body touches: points, and circles about an axis, with a ball about each (M1).

They are those of the body's boundary, by which it touches in a world too. A direction m sees of a circle with
middle p, axis a and radius ρ, with a ball of radius r about it,

    p·m + ρ |m − (m·a) a| + r |m|

as the furthest; the point of the circle that lies lowest along m is p − ρ (m − (m·a) a) / |m − (m·a) a|.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.boundary import Part

# sine of a tilt below which the lowest point of a circle is taken to lie nearer to its middle: a disc that
# lands flat is struck in the middle, and the point moves smoothly. Heights change by less than 3e-4 ρ
FLAT = 1e-3
ROWS = 7  # numbers of a tip: its middle, its axis times its radius, and its ball


@dataclass(frozen=True)
class Tips:
    """By what a body touches, in its own axes, or in its principal ones."""

    places: Array  # (n, 3) m
    rims: Array  # (n, 3) m: the axes of circles, as long as their radii; 0 of points
    balls: Array  # (n,) m: radii

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, which: Array) -> Tips:
        return Tips(self.places[which], self.rims[which], self.balls[which])

    @functools.cached_property
    def has_rims(self) -> bool:
        return bool(self.rims.any())

    @functools.cached_property
    def radii(self) -> Array:
        """Of the circles (n,) [m]."""
        return np.asarray(np.linalg.norm(self.rims, axis=1))

    @property
    def is_plain(self) -> bool:
        """Whether all are points, or middles of balls of one size."""
        return not self.has_rims and bool((self.balls == self.balls[0]).all())

    def within(self, axes: Array) -> Tips:
        """In other axes, given by columns."""
        return Tips(self.places @ axes, self.rims @ axes, self.balls)

    def moved(self, rotation: Array, position: Array) -> Tips:
        """In the axes of a larger body."""
        return Tips(self.places @ rotation.T + position, self.rims @ rotation.T, self.balls)

    def rows(self, unit: float = 1.0) -> Array:
        """All numbers by rows of ROWS, in units of a length."""
        return np.column_stack([self.places, self.rims, self.balls]) / unit

    @property
    def reach(self) -> float:
        """Of what is furthest from the origin [m]."""
        size = np.maximum(self.radii, 1e-300)
        along = np.abs((self.places * self.rims).sum(axis=1)) / size
        across = np.sqrt(np.maximum((self.places**2).sum(axis=1) - along**2, 0.0)) + self.radii
        return float((np.hypot(along, across) + self.balls).max())

    def extents(self, ways: Array) -> Array:
        """How far each reaches along unit directions (…, 3): (…, n) [m], without the balls."""
        out = ways @ self.places.T
        if self.has_rims:
            out = out + _across(self.radii, ways @ self.rims.T)
        return np.asarray(out)

    def most(self, ways: Array) -> Array:
        """How far the furthest reaches along unit directions (…, k, 3): (…, k) [m], without the balls."""
        if self.has_rims:
            return np.asarray(self.extents(ways).max(axis=-1))
        return np.asarray((self.places @ ways.swapaxes(-1, -2)).max(axis=-2))  # along the longer axis

    def lowest(self, ways: Array) -> Array:
        """Of each the lowest height along unit directions (…, 3): (…, n) [m]; of a disc that lies flat, as
        contacts see it."""
        out = ways @ self.places.T - self.balls
        if self.has_rims:
            across, size = _across(self.radii, ways @ self.rims.T), self.radii
            out = out - across**2 / np.sqrt(across**2 + (FLAT * size) ** 2 + 1e-300)
        return np.asarray(out)

    def touching(self, which: int, m: Array) -> Array:
        """The point of one that is lowest along a unit direction."""
        place, rim, ball = self.places[which], self.rims[which], self.balls[which]
        radius = float(np.linalg.norm(rim))
        if radius > 0:
            across = m - (m @ rim) * rim / radius**2
            place = place - radius * across / math.sqrt(across @ across + FLAT**2)
        return np.asarray(place - ball * m)

    def sides(self, count: int) -> Array:
        """Points, and of circles so many of their points."""
        out = [self.places[self.radii == 0]]
        turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
        for place, rim, radius in zip(self.places, self.rims, self.radii, strict=True):
            if radius > 0:
                first = np.cross(rim, np.eye(3)[int(np.abs(rim).argmin())])
                first *= radius / np.linalg.norm(first)
                second = np.cross(rim, first) / radius
                out.append(place + np.outer(np.cos(turn), first) + np.outer(np.sin(turn), second))
        return np.concatenate(out)


def _across(radii: Array, along: Array) -> Array:
    """ρ |m − (m·a) a| of unit directions m, from ρ m·a."""
    return np.asarray(np.sqrt(np.maximum(radii**2 - along**2, 0.0)))


def lowest_point(place: SX, rim: SX, m: SX) -> SX:
    """The point of a circle that is lowest along a unit direction, all in the body's axes: its middle where
    it is but a point."""
    square = ca.sumsqr(rim) + 1e-30
    across = m - ca.dot(m, rim) / square * rim
    return place - ca.sqrt(square) * across / ca.sqrt(ca.sumsqr(across) + FLAT**2)


def tips_of(part: Part) -> Tips:
    """Of a part of a boundary, in the axes of its body."""
    x = np.array((1.0, 0.0, 0.0))
    none = np.zeros(3)
    if part.core == "point":
        rows = [(none, none)]
    elif part.core == "segment":
        rows = [(sign * part.size[0] * x, none) for sign in (-1, 1)]
    elif part.core == "circle":
        rows = [(none, part.size[0] * np.array((0.0, 0.0, 1.0)))]
    elif part.core == "cylinder":
        rows = [(sign * part.size[0] * x, part.size[1] * x) for sign in (-1, 1)]
    elif part.core == "cone":
        base, radius, apex = part.size
        rows = [(-base * x, radius * x), (apex * x, none)]
    elif part.core == "box":
        signs = np.array(np.meshgrid((-1, 1), (-1, 1), (-1, 1), indexing="ij")).reshape(3, -1).T
        rows = [(corner, none) for corner in signs * np.array(part.size)]
    else:
        assert part.vertices is not None
        rows = [(corner, none) for corner in _hull(part.vertices)]
    places, rims = (np.array(one, float) for one in zip(*rows, strict=True))
    return Tips(places, rims, np.full(len(rows), part.rounding)).moved(part.rotation, part.position)


def joined(tips: list[Tips]) -> Tips:
    """All together."""
    return Tips(*(np.concatenate([getattr(t, name) for t in tips]) for name in ("places", "rims", "balls")))


def _hull(vertices: Array) -> Array:
    """Those on the convex hull."""
    from scipy.spatial import ConvexHull

    return np.asarray(vertices[ConvexHull(vertices).vertices])
