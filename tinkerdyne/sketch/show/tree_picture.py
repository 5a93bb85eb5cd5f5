"""The picture of a tree's motion: links at even times, paths, and what was asked for; gaps and residuals."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.drawing.bodies import DrawnBody, draw_bodies
from tinkerdyne.drawing.painter import COLOURS, INK, dots, mixed, save
from tinkerdyne.drawing.view import View
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.sketch.show.panels import (
    FULL,
    PALE,
    RED,
    SMALLEST,
    grouped,
    looking,
    plain,
    region,
    residual_dots,
    scene,
    sheet,
)
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tree.shooting import paths, shooting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tinkerdyne.sketch.show.tree_solution import TreeSolution
    from tinkerdyne.sketch.tree.midpoint import Nodes
    from tinkerdyne.sketch.tree.sketch import TreeSketch


def draw_tree(solution: TreeSolution, path: str | os.PathLike[str]) -> None:
    """Write the picture of a tree's motion to a file."""
    save(lambda: tree_picture(solution), path)


def tree_picture(solution: TreeSolution) -> Figure:
    """The matplotlib figure of the motion of a tree."""
    view = looking()
    low, high = _limits(solution, view)
    across, up = high - low
    lines = grouped(solution.residuals)
    figure, (ax,), below = sheet(float(up / across), 1, lines, has_gaps=True)
    _links(ax, view, solution)
    _told(ax, view, solution.sketch, solution.nodes)
    root = solution.sketch.tree.links[0]
    if root.joint != "free":
        dots(ax, view, root.at_a, s=40, marker="^", color=INK, zorder=5)
    scene(ax, f"{solution.sketch.name}, {solution.seconds:.2f} s")
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    _gaps(below[0], solution)
    if lines:
        residual_dots(below[-1], lines)
    return figure


def _limits(solution: TreeSolution, view: View) -> tuple[Array, Array]:
    """The part of the page that is shown."""
    tree, nodes = solution.sketch.tree, solution.nodes
    x, R = tree.posed(nodes.c, nodes.Q)
    ends = []
    for i, link in enumerate(tree.links):
        shape = shape_of(link.item)
        ends += [
            view.flat(x[:, i] + R[:, i] @ corner) + sign * shape.round
            for corner in shape.corners
            for sign in (-1, 1)
        ]
    low = np.min([one.min(axis=0) for one in ends], axis=0)
    high = np.max([one.max(axis=0) for one in ends], axis=0)
    edge = 0.04 * float(np.max(high - low))
    return low - edge, high + edge


def _links(ax: Axes, view: View, solution: TreeSolution) -> None:
    """Links at even times, pale between the first and the last."""
    tree, nodes = solution.sketch.tree, solution.nodes
    x, R = tree.posed(nodes.c, nodes.Q)
    for m, k in enumerate(np.linspace(0, len(nodes.c) - 1, 7).astype(int)):
        white = PALE if 0 < k < len(nodes.c) - 1 else FULL
        for i in np.argsort(x[k] @ view.towards):  # the farther link first
            colour = mixed(COLOURS[i % len(COLOURS)], white)
            pose = DrawnBody(tree.links[i].item, x[k, i], quaternion_of(R[k, i]), colour)
            draw_bodies(ax, view, [pose], (2 if white else 3) + 0.01 * m)


def _told(ax: Axes, view: View, sketch: TreeSketch, nodes: Nodes) -> None:
    """The paths of points that were sketched or held, the samples, and where points had to be."""
    points = [(track.link, track.at) for track in sketch.tracks]
    points += [(hold.link, hold.at) for hold in sketch.holds if hold.kind == "place"]
    for number, at in dict.fromkeys(points):
        ax.plot(*view.flat(paths(sketch.tree, nodes, number, at)).T, color=INK, lw=0.9, zorder=3.5)
    for track in sketch.tracks:
        ax.plot(*view.flat(track.places).T, color=RED, lw=0.6, alpha=0.5, zorder=4)
        dots(ax, view, track.places, s=9, color=RED, zorder=4, linewidths=0)
    for hold in (one for one in sketch.holds if one.kind == "place"):
        if not (np.isfinite(hold.low).all() and np.isfinite(hold.high).all()):
            continue
        if np.ptp([hold.low, hold.high], axis=0).max() > 1e-9:
            region(ax, view, hold.low, hold.high)
        else:
            square = {"s": 60, "marker": "s", "facecolors": "none", "edgecolors": RED, "linewidths": 1.3}
            dots(ax, view, hold.low, **square, zorder=5)


def _gaps(ax: Axes, solution: TreeSolution) -> None:
    """How far each step ends from the next node."""
    rates = shooting(solution.sketch.tree, solution.sketch.gravity)
    y = rates.packed(solution.nodes)
    gaps = np.abs(rates.gaps(y, rates.step(y[:-1], solution.nodes.T / (len(y) - 1)))).max(axis=1)
    ax.scatter(np.arange(len(gaps)) + 1, np.maximum(gaps, SMALLEST), s=12, color=COLOURS[1], linewidths=0)
    ax.set(yscale="log", ylim=(SMALLEST / 3, max(1e-6, 3 * float(gaps.max()))))
    ax.set_xlabel("step", fontsize=8)
    ax.tick_params(labelsize=8)
    ax.set_title("gaps between steps [rad, m, and per s]", loc="left", fontsize=10, color=INK)
    plain(ax, "y")
