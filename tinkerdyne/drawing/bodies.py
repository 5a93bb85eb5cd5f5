"""Bodies on a page, as a viewer far away sees them: shaded, with outlines and letters on their sides.

Surfaces are cut into small triangles, of which those that look at the viewer are painted from the farthest to
the nearest, and with them the edges where a body bends sharply or ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.drawing.painter import Facet, paint, shaded
from tinkerdyne.drawing.view import View
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.compound import Compound
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.objects.shapes import Mesh, surface

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

SHARP = np.cos(np.radians(40.0))  # edges that bend more are drawn
ROUND = 18  # sides of what is round
FINE = 0.1  # of a body's size: longer edges of triangles are halved, so that near and far can be told
ALONE = 10.0  # the same of a convex body that is drawn alone, of which what looks at the viewer hides nothing
NEARER = 0.018  # of a body's size that its outlines lie before its faces
SEAM, LINE = 0.3, 0.6  # points: edges of faces, and outlines
CLEAR = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Mark:
    """A letter on a side of a body, in its axes: the side's outward normal, the letter's upward direction,
    where, how high [m]."""

    letter: str
    normal: Array
    up: Array
    at: Array
    size: float


@dataclass(frozen=True)
class DrawnBody:
    """A body to be drawn: where, how turned, in which colour (r, g, b), and with which letters."""

    body: Item
    x: Array
    q: Array
    colour: tuple[float, ...]
    marks: tuple[Mark, ...] = ()


def draw_bodies(ax: Axes, view: View, poses: list[DrawnBody], zorder: float, *, alpha: float = 1.0) -> None:
    """Bodies at one moment."""
    from matplotlib.patches import PathPatch

    fine = FINE if len(poses) > 1 or poses[0].body.type in (Mesh, Compound) else ALONE
    seam = SEAM if alpha == 1 else 0.0
    paint(ax, (facet for pose in poses for facet in _facets(pose, view, fine, seam)), zorder, alpha=alpha)
    for pose in poses:
        for mark in pose.marks:
            path = _letter(pose, mark, view)
            if path is not None:
                ax.add_patch(PathPatch(path, facecolor="white", edgecolor="none", zorder=zorder + 0.005))


def _facets(pose: DrawnBody, view: View, fine: float, seam: float) -> Iterator[Facet]:
    """The triangles and outlines of a body that are seen."""
    triangles, normals, lines = _seen(pose, view, fine)
    size = float(np.ptp(triangles.reshape(-1, 3), axis=0).max()) if len(triangles) else 1.0
    for corners, tone in zip(triangles, shaded(pose.colour, normals, view.light), strict=True):
        depth, colour = float(corners.mean(axis=0) @ view.towards), (*tone, 1.0)
        yield Facet(depth, view.flat(corners), colour, colour, seam)
    for line in lines:
        depth, ink = float(line.mean(axis=0) @ view.towards), (*(0.45 * np.array(pose.colour)), 1.0)
        yield Facet(depth + NEARER * size, view.flat(line), CLEAR, ink, LINE)


def _edges(faces: Array, count: int) -> tuple[Array, Array, Array, Array]:
    """Of each side of each triangle its two vertices, the triangle, and the one beyond it (−1: none)."""
    i, j, k = faces.ravel(), np.roll(faces, -1, axis=1).ravel(), np.repeat(np.arange(len(faces)), 3)
    key = i * count + j
    order = np.argsort(key)
    back = np.minimum(np.searchsorted(key[order], j * count + i), len(key) - 1)
    return i, j, k, np.where(key[order][back] == j * count + i, k[order][back], -1)


def _seen(pose: DrawnBody, view: View, fine: float) -> tuple[Array, Array, list[Array]]:
    """Small triangles of a body that look at the viewer (n, 3, 3), their normals, and pieces of its outlines
    (2, 3)."""
    vertices, faces = surface(pose.body, segments=ROUND)
    there = pose.x + np.asarray(vertices) @ rotation_matrix(pose.q).T
    corners = there[np.asarray(faces)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    is_seen = normals @ view.towards > 1e-9
    limit = fine * float(np.ptp(there, axis=0).max())
    i, j, k, other = _edges(np.asarray(faces), len(there))
    is_bounded = (other < 0) | ~is_seen[other]
    is_line = is_seen[k] & (is_bounded | ((normals[k] * normals[other]).sum(axis=1) < SHARP) & (i < j))
    lines = []
    for a, b in zip(there[i[is_line]], there[j[is_line]], strict=True):
        steps = np.linspace(a, b, max(1, int(np.ceil(np.linalg.norm(b - a) / limit))) + 1)
        lines += [steps[m : m + 2] for m in range(len(steps) - 1)]
    small, turned = corners[is_seen], normals[is_seen]
    while True:
        sides = np.linalg.norm(small - np.roll(small, -1, axis=1), axis=2)
        is_long = sides.max(axis=1, initial=0.0) > limit
        if not is_long.any():
            return small, turned, lines
        every, m = np.arange(is_long.sum()), sides[is_long].argmax(axis=1)
        p, q, r = (small[is_long][every, (m + n) % 3] for n in range(3))
        halves = [np.stack([p, (p + q) / 2, r], axis=1), np.stack([(p + q) / 2, q, r], axis=1)]
        small = np.concatenate([small[~is_long], *halves])
        turned = np.concatenate([turned[~is_long], turned[is_long], turned[is_long]])


def _letter(pose: DrawnBody, mark: Mark, view: View) -> Path | None:
    """The outline of a letter as it lies on its side of a body; none where that side is turned away."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path
    from matplotlib.textpath import TextPath

    R = rotation_matrix(pose.q)
    if R @ mark.normal @ view.towards < 0.05:
        return None
    written = TextPath((0, 0), mark.letter, size=1.0, prop=FontProperties(weight="bold"))
    vertices = np.array(written.vertices)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    plane = (vertices - (low + high) / 2) * mark.size / max(high - low)
    right = np.cross(mark.up, mark.normal)
    own = mark.at + plane[:, :1] * right + plane[:, 1:] * mark.up
    return Path(view.flat(pose.x + own @ R.T), written.codes)
