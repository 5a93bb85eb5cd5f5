"""The picture of a solution, like the papers' figures: sketch on the left, motion on the right; below, gaps
and residuals."""

from __future__ import annotations

import io
import os
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tinkerdyne.files import write_file
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.quaternion import quaternion_of
from tinkerdyne.sketch.show.drawing import Pose, Viewer, mixed, paint
from tinkerdyne.sketch.show.stage import everywhere, is_finite, middle, patch
from tinkerdyne.sketch.tell.pieces import pieces_of
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.story import Mark
from tinkerdyne.sketch.tree.shooting import paths, shooting

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.report import Residual
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.show.tree_solution import TreeSolution
    from tinkerdyne.sketch.tell.story import Surface, Wish

ENDINGS = (".png", ".svg", ".pdf")
COLOURS = ("#4C78A8", "#F58518", "#54A24B", "#E45756", "#B279A2")
INK, GREY, RED, GROUND = "#333333", "#8A8A8A", "#C0392B", "#F1F0EC"
GHOSTS = 5  # bodies drawn in a flight
PALE, FULL = 0.55, 0.0  # white in the colour of a body on its way, and where a flight begins or ends
INSIDE = np.radians(30.0)  # how high the viewer stands who is to look into what is hollow
SMALLEST = 1e-16
CLOSED = 1e-8  # m/s: a gap below this is none
EACH = 12  # residuals up to which each has a line of its own
TALL, LINE = (1.6, 6.0), 0.19  # inches: sketch and motion; one line of residuals
LONG = 0.38  # height of a scene, of its width, below which sketch and motion have the whole width


def draw(solution: Solution, path: str | os.PathLike[str]) -> None:
    """Write the picture of a solution to a file."""
    _write(path, lambda: picture(solution))


def draw_tree(solution: TreeSolution, path: str | os.PathLike[str]) -> None:
    """Write the picture of a tree's motion to a file."""
    _write(path, lambda: tree_picture(solution))


def _write(path: str | os.PathLike[str], make: Any) -> None:
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise ValueError(f"a picture ends in {', '.join(ENDINGS)}, not in {target.name!r}")
    data = io.BytesIO()
    make().savefig(data, format=target.suffix.lower()[1:], dpi=130, facecolor="white")
    write_file(target, data.getvalue())


def picture(solution: Solution) -> Any:
    """The matplotlib figure of a solution."""
    bodies = solution.sketch.bodies
    viewer = Viewer(INSIDE) if any(pieces_of(body, shape_of(body)).is_hollow for body in bodies) else Viewer()
    everything = everywhere(solution)
    low, high = _limits(viewer, solution, everything)
    across, up = high - low
    gaps = _widest(solution)
    lines = _grouped(solution.residuals)
    figure, (left, right), below = _sheet(float(up / across), 2, lines, has_gaps=bool(gaps))
    for ax, title in ((left, "sketch"), (right, f"motion, {solution.seconds:.2f} s")):
        for surface in solution.sketch.surfaces:
            _surface(ax, viewer, surface, everything)
        for body in solution.sketch.obstacles:
            _standing(ax, viewer, body)
        _scene(ax, title)
    _sketched(left, viewer, solution)
    _moved(right, viewer, solution)
    left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    if gaps:
        _bars(below[0], gaps)
    if lines:
        _residuals(below[-1], lines)
    figure.suptitle(solution.sketch.name, x=0.01, ha="left", fontsize=12, color=INK)
    return figure


def _sheet(
    slender: float, wide: int, lines: dict[str, list[float]], *, has_gaps: bool
) -> tuple[Any, Any, list[Any]]:
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


def _scene(ax: Any, title: str) -> None:
    ax.set(aspect="equal", xticks=[], yticks=[])
    ax.set_title(title, loc="left", fontsize=10, color=INK)
    for spine in ax.spines.values():
        spine.set_color("#DDDDDD")


def _limits(viewer: Viewer, solution: Solution, everything: Array) -> tuple[Array, Array]:
    """The part of the page that is shown: all places with the bodies about them, and the tables."""
    room = max(shape.radius for shape in solution.statement.shapes)
    points = viewer.flat(everything)
    corners = [viewer.flat(patch(one, everything)) for one in solution.sketch.surfaces if one.of is None]
    low = np.min([points.min(axis=0) - room, *(c.min(axis=0) for c in corners)], axis=0)
    high = np.max([points.max(axis=0) + room, *(c.max(axis=0) for c in corners)], axis=0)
    edge = 0.03 * float(np.max(high - low))
    return low - edge, high + edge


# --- sketch and motion ----------------------------------------------------------------------------
def _surface(ax: Any, viewer: Viewer, surface: Surface, everything: Array) -> None:
    from matplotlib.patches import Polygon

    if surface.of is None:
        corners = viewer.flat(patch(surface, everything))
        ax.add_patch(Polygon(corners, facecolor=GROUND, edgecolor="#CFCBC0", linewidth=0.7, zorder=0))


def _standing(ax: Any, viewer: Viewer, body: Item) -> None:
    """What stands still, seen through, so that what goes in is seen."""
    pose = Pose(body, np.array(body.position), np.array(body.orientation), mixed(GREY, PALE))
    paint(ax, viewer, [pose], 1.5)
    paint(ax, viewer, [pose], 3.9, alpha=0.45)


def _sketched(ax: Any, viewer: Viewer, solution: Solution) -> None:
    sketch = solution.sketch
    for f, flight in enumerate(sketch.flights):
        ghosts: dict[int, list[Pose]] = {}
        for b, body in enumerate(sketch.bodies):
            colour, track = COLOURS[b % len(COLOURS)], flight.tracks.get(body.name)
            if track is None:
                continue
            ax.plot(*viewer.flat(track.places).T, color=colour, lw=0.8, alpha=0.6, zorder=2 + 0.05 * f)
            ax.scatter(*viewer.flat(track.places).T, s=7, color=RED, zorder=2.95, linewidths=0)
            if track.orientations is not None:
                for i, k in enumerate(np.linspace(0, len(track.places) - 1, GHOSTS).astype(int)):
                    q = track.orientations[k] / np.linalg.norm(track.orientations[k])
                    ghosts.setdefault(i, []).append(Pose(body, track.places[k], q, mixed(colour, PALE)))
        for i, poses in ghosts.items():
            paint(ax, viewer, poses, 2 + 0.05 * f + 0.005 * i)
        for b, body in enumerate(sketch.bodies):
            own = [wish for wish in flight.wishes if wish.body is body and wish.is_hard]
            _wished(ax, viewer, solution, b, own, 3 + 0.1 * f)


def _wished(ax: Any, viewer: Viewer, solution: Solution, b: int, wishes: list[Wish], zorder: float) -> None:
    """Hard wishes: the body in full colour where its pose is wanted, else a square at the place, or the
    region that it is in."""
    body, colour = solution.sketch.bodies[b], COLOURS[b % len(COLOURS)]
    turns = {(wish.when, wish.time): middle(wish) for wish in wishes if wish.kind == "orientation"}
    for wish in wishes:
        if wish.kind not in ("position", "point") or not is_finite(wish):
            continue
        q = turns.get((wish.when, wish.time))
        if wish.kind == "position" and q is not None:
            paint(
                ax,
                viewer,
                [Pose(body, middle(wish), q / np.linalg.norm(q), mixed(colour, FULL), _marks(solution, b))],
                zorder,
            )
        elif np.ptp([wish.low, wish.high], axis=0).max() > 1e-9:
            _region(ax, viewer, wish.low, wish.high)
        else:
            ax.scatter(
                *viewer.flat(middle(wish)).T,
                s=42,
                marker="s",
                facecolors="none",
                edgecolors=RED,
                linewidths=1.2,
                zorder=5,
            )


def _region(ax: Any, viewer: Viewer, low: Array, high: Array) -> None:
    """The edges of a box of places."""
    corners = np.array(list(product(*zip(low, high, strict=True))))
    for i, j in product(range(8), repeat=2):
        if i < j and np.count_nonzero(corners[i] != corners[j]) == 1:
            ax.plot(*viewer.flat(corners[[i, j]]).T, color=RED, lw=0.9, zorder=5)


def _moved(ax: Any, viewer: Viewer, solution: Solution) -> None:
    s = np.linspace(0, 1, 61)
    for f in range(len(solution.grid) - 1):
        ghosts: dict[int, list[Pose]] = {}
        for b, body in enumerate(solution.sketch.bodies):
            colour = COLOURS[b % len(COLOURS)]
            x, q, _, _ = solution.states(b, f, s)
            ax.plot(*viewer.flat(x).T, color=colour, lw=1.1, zorder=2 + 0.05 * f)
            for i, k in enumerate(np.linspace(0, len(s) - 1, GHOSTS).astype(int)):
                white = PALE if 0 < k < len(s) - 1 else FULL
                letters = () if white else _marks(solution, b)
                ghosts.setdefault(i, []).append(Pose(body, x[k], q[k], mixed(colour, white), letters))
            track = solution.statement.tracks[f][b]
            if track is not None:
                places = track.places * solution.statement.units.length
                ax.scatter(*viewer.flat(places).T, s=4, color=RED, zorder=2.95, linewidths=0)
        between = [i for i in ghosts if 0 < i < GHOSTS - 1]
        for i in between:
            paint(ax, viewer, ghosts[i], 2 + 0.05 * f + 0.005 * i)
        for i in (0, GHOSTS - 1):  # where flights begin and end: before what is on its way
            paint(ax, viewer, ghosts[i], 3 + 0.05 * f + 0.02 * i)
    for blow in solution.blows:
        ax.scatter(
            *viewer.flat(blow.place).T,
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


# --- gaps and residuals ---------------------------------------------------------------------------
def _widest(solution: Solution) -> dict[str, float]:
    """By collision the widest gap [m/s]; nothing where all are closed."""
    radius = {s.name: s.radius for s in solution.statement.shapes}
    widest = {
        blow.name: max(max(v, w * radius[name]) for name, (v, w) in blow.gaps.items())
        for blow in solution.blows
    }
    return widest if max(widest.values(), default=0.0) > CLOSED else {}


def _bars(ax: Any, gaps: dict[str, float]) -> None:
    ax.bar(range(len(gaps)), list(gaps.values()), width=0.5, color=COLOURS[1])
    ax.set_xticks(range(len(gaps)), list(gaps), fontsize=8)
    ax.set_xlim(-0.8, max(len(gaps), 3) - 0.2)
    ax.set_ylim(0, 1.1 * max(gaps.values()))
    ax.tick_params(labelsize=8)
    ax.set_title("velocity gaps at collisions, spins at the radius [m/s]", loc="left", fontsize=10, color=INK)
    _plain(ax, "y")


def _grouped(residuals: list[Residual]) -> dict[str, list[float]]:
    """Sizes of residuals by what they are about; where there are many, those of all collisions together."""
    out: dict[str, list[float]] = {}
    for one in residuals:
        name = one.says if len(residuals) <= EACH else re.split(r" (?:at|through) ", one.says)[0]
        out.setdefault(f"{name} [{one.unit}]" if one.unit else name, []).append(max(one.size, SMALLEST))
    return out


def _residuals(ax: Any, lines: dict[str, list[float]]) -> None:
    for i, sizes in enumerate(lines.values()):
        ax.scatter(sizes, np.full(len(sizes), i), s=14, color=COLOURS[0], alpha=0.7, linewidths=0)
    ax.set_xscale("log")
    ax.set_xlim(SMALLEST / 3, max(1e-3, 3 * max(max(sizes) for sizes in lines.values())))
    ax.set_yticks(range(len(lines)), list(lines), fontsize=8)
    ax.set_ylim(len(lines) - 0.5, -0.5)
    ax.tick_params(axis="x", labelsize=8)
    ax.set_title("residuals of hard constraints", loc="left", fontsize=10, color=INK)
    _plain(ax, "x")


def _plain(ax: Any, axis: str) -> None:
    ax.grid(axis=axis, color="#E6E6E6")
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


# --- trees ----------------------------------------------------------------------------------------
def tree_picture(solution: TreeSolution) -> Any:
    """Links at even times, the paths of points that were sketched or held, and where they had to be; gaps and
    residuals."""
    sketch, nodes = solution.sketch, solution.nodes
    tree, viewer = sketch.tree, Viewer()
    x, R = tree.posed(nodes.c, nodes.Q)
    ends = []
    for i, link in enumerate(tree.links):
        shape = shape_of(link.item)
        ends += [
            viewer.flat(x[:, i] + R[:, i] @ corner) + sign * shape.round
            for corner in shape.corners
            for sign in (-1, 1)
        ]
    low, high = (
        np.min([one.min(axis=0) for one in ends], axis=0),
        np.max([one.max(axis=0) for one in ends], axis=0),
    )
    edge = 0.04 * float(np.max(high - low))
    across, up = high - low + 2 * edge
    rates = shooting(tree, sketch.gravity)
    y = rates.packed(nodes)
    gaps = np.abs(rates.gaps(y, rates.step(y[:-1], nodes.T / (len(y) - 1)))).max(axis=1)
    lines = _grouped(solution.residuals)
    figure, (ax,), below = _sheet(float(up / across), 1, lines, has_gaps=True)
    chosen = np.linspace(0, len(nodes.c) - 1, 7).astype(int)
    for m, k in enumerate(chosen):
        white = PALE if 0 < k < len(nodes.c) - 1 else FULL
        poses = [
            Pose(link.item, x[k, i], quaternion_of(R[k, i]), mixed(COLOURS[i % len(COLOURS)], white))
            for i, link in enumerate(tree.links)
        ]
        for i in np.argsort(x[k] @ viewer.axes[2]):  # the farther link first
            paint(ax, viewer, [poses[i]], (2 if white else 3) + 0.01 * m)
    told = [(track.link, track.at) for track in sketch.tracks] + [
        (hold.link, hold.at) for hold in sketch.holds
    ]
    for number, at in dict.fromkeys(told):
        ax.plot(*viewer.flat(paths(tree, nodes, number, at)).T, color=INK, lw=0.9, zorder=3.5)
    for track in sketch.tracks:
        ax.plot(*viewer.flat(track.places).T, color=RED, lw=0.6, alpha=0.5, zorder=4)
        ax.scatter(*viewer.flat(track.places).T, s=9, color=RED, zorder=4, linewidths=0)
    for hold in sketch.holds:
        if not (np.isfinite(hold.low).all() and np.isfinite(hold.high).all()):
            continue
        if np.ptp([hold.low, hold.high], axis=0).max() > 1e-9:
            _region(ax, viewer, hold.low, hold.high)
        else:
            ax.scatter(
                *viewer.flat(hold.low).T,
                s=60,
                marker="s",
                facecolors="none",
                edgecolors=RED,
                linewidths=1.3,
                zorder=5,
            )
    root = tree.links[0]
    if root.joint != "free":
        ax.scatter(*viewer.flat(root.at_a).T, s=40, marker="^", color=INK, zorder=5)
    _scene(ax, f"{sketch.name}, {solution.seconds:.2f} s")
    ax.set(xlim=(low[0] - edge, high[0] + edge), ylim=(low[1] - edge, high[1] + edge))
    steps = below[0]
    steps.scatter(np.arange(len(gaps)) + 1, np.maximum(gaps, SMALLEST), s=12, color=COLOURS[1], linewidths=0)
    steps.set(yscale="log", ylim=(SMALLEST / 3, max(1e-6, 3 * float(gaps.max()))))
    steps.set_xlabel("step", fontsize=8)
    steps.tick_params(labelsize=8)
    steps.set_title("gaps between steps [rad, m, and per s]", loc="left", fontsize=10, color=INK)
    _plain(steps, "y")
    if lines:
        _residuals(below[-1], lines)
    return figure
