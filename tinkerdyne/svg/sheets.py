"""Drawings as troids: each closed outline of an SVG becomes a sheet with the mass of its inside, and carries
the outline along."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number
from tinkerdyne.language.item import Item
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.objects.catalog import Troid
from tinkerdyne.objects.curves import polyline
from tinkerdyne.objects.polygon import polygon
from tinkerdyne.objects.splines import Bezier, Line
from tinkerdyne.objects.troids import sheet
from tinkerdyne.svg.paths import SVGError
from tinkerdyne.svg.reading import UNIT, drawn

CORNERS: dict[ItemType, int] = {Line: 1, Bezier: 32}  # of a piece of an outline; others are round
ROUND = 64
TOGETHER = 1e-6  # of an outline's size: its ends meet


def sheets_from_svg(
    source: str | bytes | Path, *, unit: float = UNIT, density: float = 1.0, name: str = "svg"
) -> list[Item]:
    """A troid for each closed outline of a drawing (its text, or the path of a file), of `density` kg/m²;
    open lines are left out.

    Each lies where it was drawn. An outline inside another of the same path is a hole in it, or filled, by
    the fill rule.
    """
    density = number("density", density, positive=True)
    made = []
    for rule, items in drawn(source, unit=unit, name=name):
        pieces = [item for item in items if item.type.family == "object"]
        outlines = {title: _corners(list(chain)) for title, chain in groupby(pieces, key=_outline)}
        made += _filled(
            {title: corners[:-1] for title, corners in outlines.items() if _meets(corners)}, rule, density
        )
    if not made:
        raise SVGError(
            "the drawing has no closed outline; a sheet needs one, such as a path that ends with Z"
        )
    return made


def _meets(corners: Array) -> bool:
    """Whether the ends of an outline meet."""
    return bool(np.hypot(*(corners[-1] - corners[0])) <= TOGETHER * np.ptp(corners, axis=0).max())


def _filled(outlines: dict[str, Array], rule: str, density: float) -> list[Item]:
    """The sheets that outlines of one element bound, by how often those around a place go round it (its
    winding)."""
    areas = {
        title: polygon(f"the outline {title!r}", corners.tolist())[0].volume
        for title, corners in outlines.items()
    }
    solid = {
        title: sheet(title, vertices=corners, mass=density * areas[title])
        for title, corners in outlines.items()
    }
    wholes: dict[str, list[Item]] = {}
    for title in sorted(areas, key=lambda one: -areas[one]):
        corners = outlines[title]
        around = [one for one in outlines if areas[one] > areas[title] and _is_inside(corners, outlines[one])]
        outside = sum(_turn(outlines[one]) for one in around)
        fills = [bool(w % 2 if rule == "evenodd" else w) for w in (outside, outside + _turn(corners))]
        if fills == [False, True]:
            wholes[title] = []
        elif fills == [True, False] and not wholes.keys().isdisjoint(around):
            wholes[min(wholes.keys() & around, key=lambda one: areas[one])].append(solid[title])
    return [_without(solid[title], wholes[title]) for title in outlines if title in wholes]


def _turn(corners: Array) -> int:
    """1 for an outline that goes round counterclockwise, else -1."""
    (x, y), (x1, y1) = (corners - corners[0]).T, (np.roll(corners, -1, axis=0) - corners[0]).T
    return 1 if (x * y1 - x1 * y).sum() > 0 else -1


def _is_inside(corners: Array, outline: Array) -> bool:
    """Whether most corners lie inside an outline: a ray from there crosses it an odd number of times."""
    if (corners.max(axis=0) > outline.max(axis=0)).any() or (corners.min(axis=0) < outline.min(axis=0)).any():
        return False
    (x, y), (x1, y1) = outline.T, np.roll(outline, -1, axis=0).T
    X, Y = corners.T[:, :, None]
    spans = (y > Y) != (y1 > Y)
    crossed = spans & (x + (Y - y) * (x1 - x) / np.where(spans, y1 - y, 1.0) > X)
    return bool((crossed.sum(axis=1) % 2).mean() > 0.5)


def _without(whole: Item, holes: list[Item]) -> Item:
    """A sheet less its holes: masses and second moments subtract.

    Its drawing runs from the outline into each hole and back."""
    if not holes:
        return whole
    parts = [(1, whole), *[(-1, hole) for hole in holes]]
    mass = sum(sign * part.mass for sign, part in parts)
    centre = sum(sign * part.mass * np.array(part.position) for sign, part in parts) / mass
    second = np.zeros((2, 2))
    for sign, part in parts:
        off = part.position - centre
        second += sign * (np.reshape(part.second_moment, (2, 2)) + part.mass * np.outer(off, off))
    drawing, *inner = (np.reshape(part.drawing, (-1, 2)) + part.position - centre for _, part in parts)
    for hole in sorted(
        (corners[::-1] for corners in inner), key=lambda corners: _apart(drawing, corners).min()
    ):
        i, j = np.unravel_index(_apart(drawing, hole).argmin(), (len(drawing), len(hole)))
        drawing = np.concatenate([drawing[: i + 1], np.roll(hole, -j, axis=0), hole[j : j + 1], drawing[i:]])
    options = {"position": centre, "second_moment": second.ravel(), "drawing": drawing.ravel()}
    made: Item = Troid(
        whole.name, mass=mass, **{key: tuple(value.tolist()) for key, value in options.items()}
    )
    return made


def _apart(a: Array, b: Array) -> Array:
    """The distance of each place of a from each of b."""
    return np.asarray(np.linalg.norm(a[:, None] - b, axis=2))


def _outline(piece: Item) -> str:
    """The name of the outline that a piece belongs to."""
    return piece.name.rpartition(".")[0] if piece.type in CORNERS else piece.name


def _corners(chain: list[Item]) -> Array:
    """Places along pieces that follow one another, the first and the last included."""
    lines = [polyline(piece, segments=CORNERS.get(piece.type, ROUND)) for piece in chain]
    return np.concatenate([*[line[:-1] for line in lines], lines[-1][-1:]])
