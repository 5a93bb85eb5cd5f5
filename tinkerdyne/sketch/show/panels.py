"""Panels of a picture: scenes above, gaps and residuals below, and what all pictures of sketches share."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tinkerdyne.drawing.painter import COLOURS, INK
from tinkerdyne.drawing.view import View
from tinkerdyne.language.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tinkerdyne.sketch.show.report import Residual

AZIMUTH, HEIGHT = np.radians(-80.0), np.radians(12.0)  # of the viewer
RED, GROUND = "#C0392B", "#F1F0EC"
PALE, FULL = 0.55, 0.0  # white in the colour of a body on its way, and where a flight begins or ends
SMALLEST = 1e-16
EACH = 12  # residuals up to which each has a line of its own
TALL, LINE = (1.6, 6.0), 0.19  # inches: sketch and motion; one line of residuals
LONG = 0.38  # height of a scene, of its width, below which sketch and motion have the whole width


def looking(height: float = HEIGHT) -> View:
    """The view of a sketch, from so high above the horizon [rad]."""
    return View.looking(AZIMUTH, height)


def sheet(
    slender: float, wide: int, lines: dict[str, list[float]], *, has_gaps: bool
) -> tuple[Figure, list[Axes], list[Axes]]:
    """A figure with so many pictures of a scene, and below them what there is of gaps and residuals."""
    from matplotlib.figure import Figure

    rows = wide if slender < LONG else 1  # long ones lie above each other
    tall = rows * (float(np.clip(11.6 * rows / wide * slender, *TALL)) + 0.45)  # inches, with their titles
    count = int(has_gaps) + bool(lines)
    low = max(1.9 if has_gaps else 0.0, 0.75 + LINE * len(lines)) if count else 0.01
    figure = Figure(figsize=(12, tall + low), layout="constrained")
    halves: Any = figure.subfigures(2, 1, height_ratios=(tall, low))
    above = np.atleast_1d(halves[0].subplots(rows, wide // rows, sharex=True, sharey=True)).ravel().tolist()
    below = np.atleast_1d(halves[1].subplots(1, count)).tolist() if count else []
    return figure, above, below


def scene(ax: Axes, title: str) -> None:
    ax.set(aspect="equal", xticks=[], yticks=[])
    ax.set_title(title, loc="left", fontsize=10, color=INK)
    for spine in ax.spines.values():
        spine.set_color("#DDDDDD")


def region(ax: Axes, view: View, low: Array, high: Array) -> None:
    """The edges of a box of places."""
    corners = np.array(list(product(*zip(low, high, strict=True))))
    for i, j in product(range(8), repeat=2):
        if i < j and np.count_nonzero(corners[i] != corners[j]) == 1:
            ax.plot(*view.flat(corners[[i, j]]).T, color=RED, lw=0.9, zorder=5)


def bars(ax: Axes, gaps: dict[str, float]) -> None:
    ax.bar(range(len(gaps)), list(gaps.values()), width=0.5, color=COLOURS[1])
    ax.set_xticks(range(len(gaps)), list(gaps), fontsize=8)
    ax.set_xlim(-0.8, max(len(gaps), 3) - 0.2)
    ax.set_ylim(0, 1.1 * max(gaps.values()))
    ax.tick_params(labelsize=8)
    ax.set_title("velocity gaps at collisions, spins at the radius [m/s]", loc="left", fontsize=10, color=INK)
    plain(ax, "y")


def grouped(residuals: list[Residual]) -> dict[str, list[float]]:
    """Sizes of residuals by what they are about; where there are many, those of all collisions together."""
    out: dict[str, list[float]] = {}
    for one in residuals:
        name = one.says if len(residuals) <= EACH else re.split(r" (?:at|through) ", one.says)[0]
        out.setdefault(f"{name} [{one.unit}]" if one.unit else name, []).append(max(one.size, SMALLEST))
    return out


def residual_dots(ax: Axes, lines: dict[str, list[float]]) -> None:
    for i, sizes in enumerate(lines.values()):
        ax.scatter(sizes, np.full(len(sizes), i), s=14, color=COLOURS[0], alpha=0.7, linewidths=0)
    ax.set_xscale("log")
    ax.set_xlim(SMALLEST / 3, max(1e-3, 3 * max(max(sizes) for sizes in lines.values())))
    ax.set_yticks(range(len(lines)), list(lines), fontsize=8)
    ax.set_ylim(len(lines) - 0.5, -0.5)
    ax.tick_params(axis="x", labelsize=8)
    ax.set_title("residuals of hard constraints", loc="left", fontsize=10, color=INK)
    plain(ax, "x")


def plain(ax: Axes, axis: Literal["x", "y"]) -> None:
    ax.grid(axis=axis, color="#E6E6E6")
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
