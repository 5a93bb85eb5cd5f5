"""The picture of a solution, like the papers' figures: sketch on the left, motion on the right; below, gaps and residuals."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tinkerdyne.files import write_file
from tinkerdyne.kernel.item import Item
from tinkerdyne.objects.compound import rotation_matrix
from tinkerdyne.objects.shapes import surface
from tinkerdyne.sketch.terms import Array

if TYPE_CHECKING:
    from tinkerdyne.sketch.articulated import TreeSolution
    from tinkerdyne.sketch.solution import Solution

ENDINGS = (".png", ".svg", ".pdf")
COLOURS = ("#4C78A8", "#F58518", "#54A24B", "#E45756")
INK, GREY, RED = "#333333", "#8A8A8A", "#C0392B"
GHOSTS = 5  # bodies drawn in a flight
AZIMUTH, HEIGHT = np.radians(-72.0), np.radians(16.0)  # of the viewer
SMALLEST = 1e-16
LEAST_GAP = 1e-3  # m/s: the axis of gaps reaches at least so far
TALL, BELOW = (1.6, 5.5), 2.3  # inches: sketch and motion; gaps and residuals


def draw(solution: Solution, path: str | os.PathLike[str]) -> None:
    """Write the picture of a solution to a file."""
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise ValueError(f"a picture ends in {', '.join(ENDINGS)}, not in {target.name!r}")
    figure = picture(solution)
    data = io.BytesIO()
    figure.savefig(data, format=target.suffix.lower()[1:], dpi=130, facecolor="white")
    write_file(target, data.getvalue())


def picture(solution: Solution) -> Any:
    """The matplotlib figure of a solution."""
    from matplotlib.figure import Figure

    tall = float(np.clip(5.8 * _slender(solution), *TALL)) + 0.7  # inches, with its title
    figure = Figure(figsize=(12, tall + BELOW), layout="constrained")
    halves: Any = figure.subfigures(2, 1, height_ratios=(tall, BELOW))
    above, below = halves
    left, right = above.subplots(1, 2, sharex=True, sharey=True)
    _sketched(left, solution)
    _moved(right, solution)
    for ax, title in ((left, "sketch"), (right, f"motion, {solution.seconds:.2f} s")):
        ax.set(aspect="equal", xticks=[], yticks=[])
        ax.set_title(title, loc="left", fontsize=10, color=INK)
        for spine in ax.spines.values():
            spine.set_color("#DDDDDD")
    gaps, residuals = below.subplots(1, 2)
    _gaps(gaps, solution)
    _residuals(residuals, solution)
    figure.suptitle(solution.sketch.name, x=0.01, ha="left", fontsize=12, color=INK)
    return figure


def _slender(solution: Solution) -> float:
    """How high sketch and motion are, of how wide, on the page."""
    tracks = [track.places for flight in solution.sketch.flights for track in flight.tracks.values()]
    s = np.linspace(0, 1, 20)
    flights, bodies = range(len(solution.grid) - 1), range(len(solution.sketch.bodies))
    moved = [solution.states(b, f, s)[0] for f in flights for b in bodies]
    across, up = np.ptp(flat(np.concatenate(tracks + moved)), axis=0) + 2 * max(shape.radius for shape in solution.statement.shapes)
    return float(up / across)


def draw_tree(solution: TreeSolution, path: str | os.PathLike[str]) -> None:
    """Write the picture of a tree's motion: links at even times, the sketched path, and where points had to be."""
    from matplotlib.figure import Figure

    from tinkerdyne.sketch.flight import quaternion_of

    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise ValueError(f"a picture ends in {', '.join(ENDINGS)}, not in {target.name!r}")
    figure = Figure(figsize=(12, 5), layout="constrained")
    ax: Any = figure.subplots()
    tree, nodes = solution.sketch.tree, solution.nodes
    for k in np.linspace(0, len(nodes.c) - 1, 7).astype(int):
        x, R = (np.array(one) for one in tree.pose_function(nodes.c[k], nodes.Q[k]))
        for i, link in enumerate(tree.links):
            alpha = 0.3 if 0 < k < len(nodes.c) - 1 else 0.85
            _ghost(ax, link.item, x[:, i], quaternion_of(R[:, 3 * i : 3 * i + 3]), COLOURS[i % len(COLOURS)], alpha)
    for track in solution.sketch.tracks:
        ax.scatter(*flat(track.places).T, s=9, color=RED, zorder=4)
    for hold in solution.sketch.holds:
        ax.scatter(
            *flat(np.clip((hold.low + hold.high) / 2, -1e9, 1e9)).T, s=60, marker="s", facecolors="none", edgecolors=RED, zorder=5
        )
    ax.set(aspect="equal", xticks=[], yticks=[])
    for spine in ax.spines.values():
        spine.set_color("#DDDDDD")
    ax.autoscale_view()
    ax.set_title(f"{solution.sketch.name}, {solution.seconds:.2f} s", loc="left", fontsize=11, color=INK)
    data = io.BytesIO()
    figure.savefig(data, format=target.suffix.lower()[1:], dpi=130, facecolor="white")
    write_file(target, data.getvalue())


def flat(points: Any) -> Array:
    """Places on the page, seen from a little above."""
    p = np.atleast_2d(points)
    c, s = np.cos(AZIMUTH + np.pi / 2), np.sin(AZIMUTH + np.pi / 2)
    across = c * p[:, 0] + s * p[:, 1]
    away = -s * p[:, 0] + c * p[:, 1]
    return np.stack([across, np.cos(HEIGHT) * p[:, 2] + np.sin(HEIGHT) * away], axis=1)


def _ghost(ax: Any, body: Item, x: Array, q: Array, colour: str, alpha: float) -> None:
    from matplotlib.collections import PolyCollection

    vertices, faces = surface(body, segments=10)
    there = x + vertices @ rotation_matrix(q).T
    view = np.array((np.cos(AZIMUTH) * np.cos(HEIGHT), np.sin(AZIMUTH) * np.cos(HEIGHT), np.sin(HEIGHT)))
    corners = there[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    seen = normals @ view > 0
    order = np.argsort((corners.mean(axis=1) @ view)[seen])
    polygons = [flat(face) for face in corners[seen][order]]
    ax.add_collection(PolyCollection(polygons, facecolors=colour, edgecolors="white", linewidths=0.3, alpha=alpha, zorder=3))


def _sketched(ax: Any, solution: Solution) -> None:
    for b, body in enumerate(solution.sketch.bodies):
        colour = COLOURS[b % len(COLOURS)]
        for flight in solution.sketch.flights:
            track = flight.tracks.get(body.name)
            if track is None:
                continue
            ax.plot(*flat(track.places).T, color=colour, lw=0.8, alpha=0.6, zorder=2)
            ax.scatter(*flat(track.places).T, s=9, color=RED, zorder=4)
            if track.orientations is not None:
                for k in np.linspace(0, len(track.places) - 1, GHOSTS).astype(int):
                    _ghost(ax, body, track.places[k], track.orientations[k] / np.linalg.norm(track.orientations[k]), colour, 0.35)


def _moved(ax: Any, solution: Solution) -> None:
    s = np.linspace(0, 1, 60)
    for b, body in enumerate(solution.sketch.bodies):
        colour = COLOURS[b % len(COLOURS)]
        for f in range(len(solution.grid) - 1):
            x, q, _, _ = solution.states(b, f, s)
            ax.plot(*flat(x).T, color=colour, lw=1.3, zorder=2)
            for k in np.linspace(0, len(s) - 1, GHOSTS).astype(int):
                _ghost(ax, body, x[k], q[k], colour, 0.35 if 0 < k < len(s) - 1 else 0.8)
            track = solution.statement.tracks[f][b]
            if track is not None:
                places = track.places * solution.statement.units.length
                ax.scatter(*flat(places).T, s=4, color=RED, alpha=0.6, zorder=4)
    for blow in solution.blows:
        ax.scatter(*flat(blow.place).T, s=16, marker="^", color=INK, zorder=5)
    for f, wish in solution.statement.wishes:  # what a pose stands for, such as the letter that a die shows
        if wish.kind == "orientation" and wish.name and wish.when == "end" and wish.body is not None:
            x, *_ = solution.states(solution.statement.items.index(wish.body), f, np.ones(1))
            style = {"color": "white", "ha": "center", "va": "center", "fontsize": 11, "fontweight": "bold", "zorder": 6}
            ax.text(*flat(x)[0], wish.name.split(" at ")[0], **style)


def _gaps(ax: Any, solution: Solution) -> None:
    names = [blow.name for blow in solution.blows]
    radius = {s.name: s.radius for s in solution.statement.shapes}
    widest = [max(max(v, w * radius[name]) for name, (v, w) in blow.gaps.items()) for blow in solution.blows]
    ax.bar(range(len(names)), widest, color=COLOURS[1])
    ax.set_xticks(range(len(names)), [name.replace("bounce ", "") for name in names], fontsize=8)
    ax.set_ylim(0, max(1.05 * max(widest, default=0.0), LEAST_GAP))
    ax.set_title("velocity gaps at collisions [m/s]", loc="left", fontsize=10, color=INK)
    _plain(ax)


def _residuals(ax: Any, solution: Solution) -> None:
    sizes = [max(r.size, SMALLEST) for r in solution.residuals]
    ax.scatter(range(len(sizes)), sizes, s=14, color=COLOURS[0])
    ax.set_yscale("log")
    ax.set_ylim(SMALLEST / 2, max(1e-3, 3 * max(sizes, default=0.0)))
    ax.set_xticks([])
    ax.set_title("residuals of hard constraints [m, rad, m/s]", loc="left", fontsize=10, color=INK)
    _plain(ax)


def _plain(ax: Any) -> None:
    ax.grid(axis="y", color="#E6E6E6")
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
