"""The picture of a solution, like the papers' figures: sketch on the left, motion on the right; below, gaps
and residuals."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.drawing.bodies import DrawnBody, Mark, draw_bodies
from tinkerdyne.drawing.painter import COLOURS, GREY, INK, dots, mixed, save
from tinkerdyne.drawing.view import View
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.sketch.show.panels import (
    FULL,
    GROUND,
    PALE,
    RED,
    bars,
    grouped,
    looking,
    region,
    residual_dots,
    scene,
    sheet,
)
from tinkerdyne.sketch.show.stage import everywhere, is_finite, middle, patch
from tinkerdyne.sketch.tell.pieces import pieces_of
from tinkerdyne.sketch.tell.shape import shape_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.tell.story import Surface, Wish

GHOSTS = 5  # bodies drawn in a flight
INSIDE = np.radians(30.0)  # how high the viewer stands who is to look into what is hollow
CLOSED = 1e-8  # m/s: a gap below this is none


def draw(solution: Solution, path: str | os.PathLike[str]) -> None:
    """Write the picture of a solution to a file."""
    save(lambda: picture(solution), path)


def picture(solution: Solution) -> Figure:
    """The matplotlib figure of a solution."""
    bodies = solution.sketch.bodies
    view = looking(INSIDE) if any(pieces_of(body, shape_of(body)).is_hollow for body in bodies) else looking()
    everything = everywhere(solution)
    low, high = _limits(view, solution, everything)
    across, up = high - low
    gaps = _widest(solution)
    lines = grouped(solution.residuals)
    figure, (left, right), below = sheet(float(up / across), 2, lines, has_gaps=bool(gaps))
    for ax, title in ((left, "sketch"), (right, f"motion, {solution.seconds:.2f} s")):
        for surface in solution.sketch.surfaces:
            _surface(ax, view, surface, everything)
        for body in solution.sketch.obstacles:
            _standing(ax, view, body)
        scene(ax, title)
    _sketched(left, view, solution)
    _moved(right, view, solution)
    left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    if gaps:
        bars(below[0], gaps)
    if lines:
        residual_dots(below[-1], lines)
    figure.suptitle(solution.sketch.name, x=0.01, ha="left", fontsize=12, color=INK)
    return figure


def _limits(view: View, solution: Solution, everything: Array) -> tuple[Array, Array]:
    """The part of the page that is shown: all places with the bodies about them, and the tables."""
    room = max(shape.radius for shape in solution.statement.shapes)
    points = view.flat(everything)
    corners = [view.flat(patch(one, everything)) for one in solution.sketch.surfaces if one.of is None]
    low = np.min([points.min(axis=0) - room, *(c.min(axis=0) for c in corners)], axis=0)
    high = np.max([points.max(axis=0) + room, *(c.max(axis=0) for c in corners)], axis=0)
    edge = 0.03 * float(np.max(high - low))
    return low - edge, high + edge


# --- sketch and motion ----------------------------------------------------------------------------
def _surface(ax: Axes, view: View, surface: Surface, everything: Array) -> None:
    from matplotlib.patches import Polygon

    if surface.of is None:
        corners = view.flat(patch(surface, everything))
        ax.add_patch(Polygon(corners, facecolor=GROUND, edgecolor="#CFCBC0", linewidth=0.7, zorder=0))


def _standing(ax: Axes, view: View, body: Item) -> None:
    """What stands still, seen through, so that what goes in is seen."""
    pose = DrawnBody(body, np.array(body.position), np.array(body.orientation), mixed(GREY, PALE))
    draw_bodies(ax, view, [pose], 1.5)
    draw_bodies(ax, view, [pose], 3.9, alpha=0.45)


def _sketched(ax: Axes, view: View, solution: Solution) -> None:
    sketch = solution.sketch
    for f, flight in enumerate(sketch.flights):
        ghosts: dict[int, list[DrawnBody]] = {}
        for b, body in enumerate(sketch.bodies):
            colour, track = COLOURS[b % len(COLOURS)], flight.tracks.get(body.name)
            if track is None:
                continue
            ax.plot(*view.flat(track.places).T, color=colour, lw=0.8, alpha=0.6, zorder=2 + 0.05 * f)
            dots(ax, view, track.places, s=7, color=RED, zorder=2.95, linewidths=0)
            if track.orientations is not None:
                for i, k in enumerate(np.linspace(0, len(track.places) - 1, GHOSTS).astype(int)):
                    q = track.orientations[k] / np.linalg.norm(track.orientations[k])
                    ghosts.setdefault(i, []).append(DrawnBody(body, track.places[k], q, mixed(colour, PALE)))
        for i, poses in ghosts.items():
            draw_bodies(ax, view, poses, 2 + 0.05 * f + 0.005 * i)
        for b, body in enumerate(sketch.bodies):
            own = [wish for wish in flight.wishes if wish.body is body and wish.is_hard]
            _wished(ax, view, solution, b, own, 3 + 0.1 * f)


def _wished(ax: Axes, view: View, solution: Solution, b: int, wishes: list[Wish], zorder: float) -> None:
    """Hard wishes: the body in full colour where its pose is wanted, else a square at the place, or the
    region that it is in."""
    body, colour = solution.sketch.bodies[b], COLOURS[b % len(COLOURS)]
    turns = {(wish.when, wish.time): middle(wish) for wish in wishes if wish.kind == "orientation"}
    for wish in wishes:
        if wish.kind not in ("position", "point") or not is_finite(wish):
            continue
        q = turns.get((wish.when, wish.time))
        if wish.kind == "position" and q is not None:
            draw_bodies(
                ax,
                view,
                [
                    DrawnBody(
                        body, middle(wish), q / np.linalg.norm(q), mixed(colour, FULL), _marks(solution, b)
                    )
                ],
                zorder,
            )
        elif np.ptp([wish.low, wish.high], axis=0).max() > 1e-9:
            region(ax, view, wish.low, wish.high)
        else:
            dots(
                ax,
                view,
                middle(wish),
                s=42,
                marker="s",
                facecolors="none",
                edgecolors=RED,
                linewidths=1.2,
                zorder=5,
            )


def _moved(ax: Axes, view: View, solution: Solution) -> None:
    s = np.linspace(0, 1, 61)
    for f in range(len(solution.grid) - 1):
        ghosts: dict[int, list[DrawnBody]] = {}
        for b, body in enumerate(solution.sketch.bodies):
            colour = COLOURS[b % len(COLOURS)]
            x, q, _, _ = solution.states(b, f, s)
            ax.plot(*view.flat(x).T, color=colour, lw=1.1, zorder=2 + 0.05 * f)
            for i, k in enumerate(np.linspace(0, len(s) - 1, GHOSTS).astype(int)):
                white = PALE if 0 < k < len(s) - 1 else FULL
                letters = () if white else _marks(solution, b)
                ghosts.setdefault(i, []).append(DrawnBody(body, x[k], q[k], mixed(colour, white), letters))
            track = solution.statement.tracks[f][b]
            if track is not None:
                places = track.places * solution.statement.units.length
                dots(ax, view, places, s=4, color=RED, zorder=2.95, linewidths=0)
        between = [i for i in ghosts if 0 < i < GHOSTS - 1]
        for i in between:
            draw_bodies(ax, view, ghosts[i], 2 + 0.05 * f + 0.005 * i)
        for i in (0, GHOSTS - 1):  # where flights begin and end: before what is on its way
            draw_bodies(ax, view, ghosts[i], 3 + 0.05 * f + 0.02 * i)
    for blow in solution.blows:
        dots(
            ax,
            view,
            blow.place,
            s=13,
            marker="o",
            facecolors="white",
            edgecolors=INK,
            linewidths=0.9,
            zorder=5,
        )


def _marks(solution: Solution, b: int) -> tuple[Mark, ...]:
    """The letters on the sides of a body."""
    return tuple(solution.sketch.marks.get(solution.sketch.bodies[b].name, ()))


def _widest(solution: Solution) -> dict[str, float]:
    """By collision the widest gap [m/s]; nothing where all are closed."""
    radius = {s.name: s.radius for s in solution.statement.shapes}
    widest = {
        blow.name: max(max(v, w * radius[name]) for name, (v, w) in blow.gaps.items())
        for blow in solution.blows
    }
    return widest if max(widest.values(), default=0.0) > CLOSED else {}
