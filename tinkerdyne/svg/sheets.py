"""Drawings as troids: each closed outline of an SVG becomes a sheet with the mass of its inside, and carries the outline along."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from tinkerdyne.kernel.item import Item, number
from tinkerdyne.objects.curves import polyline
from tinkerdyne.objects.mesh import polygon
from tinkerdyne.objects.troids import sheet
from tinkerdyne.svg.paths import SVGError
from tinkerdyne.svg.reading import UNIT, curves_from_svg

Array = np.ndarray[Any, Any]
CORNERS = {"line": 1, "bezier": 32}  # of a piece of an outline; others are round
ROUND = 64
TOGETHER = 1e-6  # of an outline's size: its ends meet


def sheets_from_svg(source: str | bytes | Path, *, unit: float = UNIT, density: float = 1.0, name: str = "svg") -> list[Item]:
    """A troid for each closed outline of a drawing (its text, or the path of a file), of `density` kg/m²; open lines are left out.

    Each lies where it was drawn, and fills its outline: holes are outlines of their own.
    """
    density = number("density", density, positive=True)
    pieces = [item for item in curves_from_svg(source, unit=unit, name=name) if item.type.family == "object"]
    made = []
    for title, chain in groupby(pieces, key=_outline):
        corners = _corners(list(chain))
        if np.hypot(*(corners[-1] - corners[0])) > TOGETHER * np.ptp(corners, axis=0).max():
            continue
        area = polygon(f"the outline {title!r}", corners[:-1].tolist())[0].volume
        made.append(sheet(title, vertices=corners[:-1], mass=density * area))
    if not made:
        raise SVGError("the drawing has no closed outline; a sheet needs one, such as a path that ends with Z")
    return made


def _outline(piece: Item) -> str:
    """The name of the outline that a piece belongs to."""
    return piece.name.rpartition(".")[0] if piece.type.name in CORNERS else piece.name


def _corners(chain: list[Item]) -> Array:
    """Places along pieces that follow one another, the first and the last included."""
    lines = [polyline(piece, segments=CORNERS.get(piece.type.name, ROUND)) for piece in chain]
    return np.concatenate([*[line[:-1] for line in lines], lines[-1][-1:]])
