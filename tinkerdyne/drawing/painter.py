"""The painter: polygons on a page, lit by one lamp, the farther before the nearer.

All pictures have their colours from here, and are written by it, as a whole or not at all.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tinkerdyne.drawing.view import View
from tinkerdyne.export import checked_target
from tinkerdyne.files import write_file
from tinkerdyne.language.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
COLOURS = ("#4C78A8", "#F58518", "#54A24B", "#E45756", "#72B7B2", "#B279A2", "#D4A72C", "#9D755D")
INK, GREY, FAINT = "#333333", "#8A8A8A", "#C8C8C8"
THIN = 0.4  # points: the edge of a face in its own colour, which closes the seam to the next


class Facet(NamedTuple):
    """A polygon: how near it is, its corners on the page (n, 2), the colours of its face and its edge, the
    width of that [points], and what draws an image on it instead."""

    depth: float
    corners: Array
    face: Any
    edge: Any
    width: float = THIN
    image: Callable[[Axes, Array], None] | None = None


def shaded(colour: Any, normals: Array, light: Array, *, is_closed: bool = True) -> Array:
    """Colours (n, 3) of faces with these normals (n, 3) in the light of a lamp; what is no closed surface has
    two sides."""
    base, size = np.asarray(colour), np.linalg.norm(normals, axis=1)
    lit = (normals @ light / np.where(size > 0, size, 1.0))[:, None]
    lit = np.maximum(lit, 0.0) if is_closed else np.abs(lit)
    return np.asarray(base * (0.7 + 0.3 * lit) + 0.25 * lit * (1 - base))


def paint(ax: Axes, facets: Iterable[Facet], zorder: float, *, alpha: float | None = None) -> None:
    """Draw facets, the farthest first."""
    from matplotlib.collections import PolyCollection

    ordered = sorted(facets, key=lambda facet: facet.depth)
    for image, run in groupby(ordered, key=lambda facet: facet.image):
        some = list(run)
        if image is not None:
            image(ax, some[0].corners)
            continue
        painted = PolyCollection(
            [one.corners for one in some],
            facecolors=[one.face for one in some],
            edgecolors=[one.edge for one in some],
            linewidths=[one.width for one in some],
            alpha=alpha,
        )
        painted.set_zorder(zorder)
        ax.add_collection(painted)


def dots(ax: Axes, view: View, places: Array, **style: Any) -> None:
    """Marks at places."""
    x, y = view.flat(places).T
    ax.scatter(x, y, **style)


def mixed(colour: str, share: float) -> tuple[float, ...]:
    """A colour with so much of white in it."""
    from matplotlib.colors import to_rgb

    return tuple((1 - share) * np.array(to_rgb(colour)) + share)


def save(
    make: Callable[[], Figure], path: str | os.PathLike[str], *, style: Mapping[Any, Any] | None = None
) -> None:
    """Write a matplotlib figure to a .png, .svg or .pdf file, as a whole or not at all."""
    target = checked_target(path, ENDINGS)
    from matplotlib import rc_context

    ending = target.suffix.lower()
    undated: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending, {})
    data = io.BytesIO()
    with rc_context(dict(style or {})):
        make().savefig(data, format=ending[1:], dpi=130, facecolor="white", metadata=undated)
    write_file(target, data.getvalue())
