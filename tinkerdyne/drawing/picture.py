"""The picture of a run, drawn with matplotlib (which is asked for only here): a filmstrip above, what was
measured below."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tinkerdyne.behaviors.forces import gravity
from tinkerdyne.drawing.painter import COLOURS, FAINT, GREY, INK, Facet, dots, paint, save, shaded
from tinkerdyne.drawing.stage import Stage, StagedBody, normals
from tinkerdyne.drawing.view import lifted
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Point
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.world import World

# inches: of the picture, the most height of its filmstrip, the height below
WIDTH, STRIP, MEASURED = 12.0, 6.0, 2.6
LABEL = 0.25  # inches above a film, for its time
LABELLED = 6  # lines in one plot that all get a name
CROWD = 60  # joints that would hide what they join
TRAILS = 6  # objects whose paths are drawn; more would hide the scene
# an axis shows at least this share of the largest value, so that rounding is not drawn as if it mattered
NARROW = 0.02
SMALLEST_GAP = 1e-16  # what a logarithmic axis shows of zero
STYLE: dict[object, object] = {
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.titlesize": 10.0,
    "axes.grid": True,
    "grid.color": "#E6E6E6",
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    "lines.linewidth": 1.4,
    "svg.hashsalt": "tinkerdyne",  # the same picture is the same file
}

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


def plot(
    world: World, recording: Recording, path: str | os.PathLike[str], *, title: str = "", films: int = 6
) -> None:
    """Write the picture of a run to a .png, .svg or .pdf file, as a whole or not at all."""
    save(lambda: picture(world, recording, title=title, films=films), path, style=STYLE)


def readings_for_plot(world: World) -> list[Item]:
    """What a recording should hold so that all can be drawn: objects, constraints, and the points that items
    are plugged into."""
    wanted: dict[str, Item] = {}
    for item in world.items:
        if item.type.family == "object":
            wanted[item.name] = item
        elif item.type.family in ("constraint", "behavior") and item.is_on:
            for source in item.inputs:
                if source.type.family == "connector" and source.type.output == Point:
                    wanted[source.name] = source
            if item.type.family == "constraint":
                wanted[item.name] = item
    return list(wanted.values())


def picture(world: World, recording: Recording, *, title: str = "", films: int = 6) -> Figure:
    """The matplotlib figure of a run."""
    from matplotlib.figure import Figure

    stage = Stage(world, recording)
    moments = _moments(recording.time, films) if stage.is_visible else []
    columns, height = _grid(len(moments), stage.aspect)
    rows = math.ceil(len(moments) / columns)
    window = stage.window(WIDTH / columns / (height - LABEL)) if rows else None
    figure = Figure(figsize=(WIDTH, rows * height + MEASURED + (0.4 if title else 0.1)), layout="constrained")
    below: Figure | SubFigure = figure
    if rows:
        halves: Any = figure.subfigures(2, 1, height_ratios=(rows * height, MEASURED))
        above, below = halves
        axes = above.subplots(rows, columns, squeeze=False).ravel()
        for ax, k in zip(axes, moments, strict=False):
            _film(ax, stage, k, window)
        for ax in axes[len(moments) :]:
            ax.remove()
        axes[0].set_title(_down(world, stage), loc="right", fontsize=9, color=GREY, pad=3)
    _measured(below, recording)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, color=INK)
    return figure


def _moments(time: Array, films: int) -> list[int]:
    """Evenly spaced recorded moments, the first and the last among them."""
    wanted = np.linspace(time[0], time[-1], films)
    return sorted({int(np.abs(time - t).argmin()) for t in wanted})


def _grid(count: int, aspect: float) -> tuple[int, float]:
    """(columns, height of a row [inch]) for films of this width/height: large, and in no more rows than that
    needs."""
    best, largest = (1, LABEL + 1.0), 0.0
    for columns in range(count, 0, -1):
        rows = math.ceil(count / columns)
        width = min(WIDTH / columns, (STRIP / rows - LABEL) * aspect)
        worth = width * count / (rows * columns)  # empty places are a loss
        if worth > 1.3 * largest:
            best, largest = (columns, width / aspect + LABEL), worth
    return best


# --- the filmstrip -------------------------------------------------------------------------------
def _film(ax: Axes, stage: Stage, k: int, window: Any) -> None:
    """The scene at one recorded moment."""
    from matplotlib.collections import LineCollection

    flat = stage.view.flat
    ax.set(xlim=window[0], ylim=window[1], aspect="equal", xticks=[], yticks=[])
    for spine in ax.spines.values():
        spine.set(visible=True, color="#DDDDDD")
    ax.set_title(f"{stage.recording.time[k]:.2f} s", loc="left", fontsize=9, color=GREY, pad=3)
    moving = [body for body in stage.bodies if not body.is_fixed]
    for body in moving if len(moving) <= TRAILS else ():
        ax.plot(*flat(body.trail[: k + 1]).T, color=_colour(body), lw=0.8, alpha=0.35, zorder=1)
    for body in stage.bodies:
        colour, width, layer = (_colour(body), 1.6, 2) if body.kind == "curve" else (INK, 0.8, 4)
        for line in body.lines(k):
            ax.plot(*flat(line).T, color=colour, lw=width, zorder=layer)
    paint(ax, _faces(stage, k), 3)
    springs, links, joints = stage.springs(k), stage.links(k), stage.joints(k)
    ax.add_collection(
        LineCollection(
            [flat(s) for s in springs], colors=COLOURS[2], linewidths=1, linestyles="dashed", zorder=4
        )
    )
    is_crowded = len(joints) > CROWD  # then the bodies are what is to be seen
    width, colour = (0.4, FAINT) if is_crowded else (0.9, INK)
    ax.add_collection(
        LineCollection(
            [flat(s) for s in links], colors=colour, linewidths=width, zorder=2 if is_crowded else 4
        )
    )
    for places, colour in (([] if is_crowded else joints, "white"), (stage.nails, INK)):
        if places:
            size = min(12.0, max(4.0, 100.0 / len(places)))
            dots(
                ax,
                stage.view,
                np.array(places),
                s=size,
                color=colour,
                edgecolors=INK,
                linewidths=0.7,
                zorder=5,
            )


def _textured(body: StagedBody, corners: Array, ax: Axes, outline: Array) -> None:
    """The image of a sheet, from its corners (upper left, upper right, lower left), cut at its outline."""
    from matplotlib.patches import Polygon
    from matplotlib.transforms import Affine2D

    assert body.image is not None
    corner, right, low = corners
    place = Affine2D(np.vstack([np.column_stack([right - corner, low - corner, corner]), (0, 0, 1)]))
    edge = Polygon(outline, closed=True, facecolor="none", edgecolor=INK, linewidth=0.5, zorder=3)
    seen = ax.imshow(
        body.image,
        extent=(0, 1, 1, 0),
        transform=place + ax.transData,
        aspect="equal",
        zorder=3,
        cmap="gray",
        vmin=0,
        vmax=255,
    )
    ax.add_patch(edge)
    seen.set_clip_path(edge)


def _faces(stage: Stage, k: int) -> Iterator[Facet]:
    """Every face that is seen."""
    from matplotlib.colors import to_rgb

    for body in stage.bodies:
        faces = body.faces(k, stage)
        faces = faces[np.isfinite(faces).all(axis=(1, 2))]
        colours = shaded(to_rgb(_colour(body)), normals(faces), stage.view.light, is_closed=body.is_closed)
        # in the plane, equal: as they were added
        depth = np.round((faces @ stage.view.towards).mean(axis=1) / stage.size, 9)
        image = None
        if body.image is not None:
            image = functools.partial(_textured, body, stage.view.flat(body.image_corners(k)))
        for near, corners, colour in zip(depth.tolist(), stage.view.flat(faces), colours, strict=True):
            yield Facet(near, corners, colour, colour, image=image)


def _colour(body: StagedBody) -> str:
    return FAINT if body.is_fixed else COLOURS[body.number % len(COLOURS)]


def _down(world: World, stage: Stage) -> str:
    """Where gravity pulls on the page, as an arrow; nothing when there is none, or it points at the viewer or
    away."""
    pulls = [np.array(item.g) for item in world.items if item.type is gravity and item.is_on]
    x, y = stage.view.flat(lifted(pulls[0])) if pulls else (0.0, 0.0)
    return f"g {'→↗↑↖←↙↓↘'[round(math.atan2(y, x) / (math.pi / 4)) % 8]}" if math.hypot(x, y) > 1e-9 else ""


# --- what was measured ---------------------------------------------------------------------------
def measured(recording: Recording) -> Figure:
    """The matplotlib figure of what was recorded over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 2.6), layout="constrained")
    _measured(figure, recording)
    return figure


def _measured(part: Figure | SubFigure, recording: Recording) -> None:
    """Energies, gaps and constraint forces over time; where nothing is constrained, the change of energy."""
    time, kinetic, potential = recording.time, recording.kinetic_energy, recording.potential_energy
    held = [name.removesuffix(".gap") for name in recording if name.endswith(".gap")]
    forces = {name: np.linalg.norm(recording[f"{name}.force"], axis=1) for name in held}
    gaps = {
        name: recording[f"{name}.gap"]
        for name in held
        if np.any(recording[f"{name}.gap"]) or np.any(forces[name])
    }
    axes = part.subplots(1, 3 if gaps else 2)
    axes[0].plot(time, potential, label="potential", color=COLOURS[0])
    axes[0].plot(time, kinetic, label="kinetic", color=COLOURS[1])
    axes[0].plot(time, kinetic + potential, label="total", color=INK, linestyle=(0, (4, 1.5)))
    _finish(axes[0], "energy [J]")
    if gaps:
        axes[1].set_yscale("log")
        _bundle(axes[1], time, {name: np.maximum(gap, SMALLEST_GAP) for name, gap in gaps.items()})
        _finish(axes[1], "gaps |c| [m, rad]")
        # stops that nothing touched are left out
        _bundle(axes[2], time, {name: forces[name] for name in gaps})
        _finish(axes[2], "constraint forces |λ| [N, N m]")
    else:
        axes[1].plot(time, kinetic + potential - kinetic[0] - potential[0], color=INK)
        _finish(axes[1], "change of the total energy [J]")


def _bundle(ax: Axes, time: Array, lines: dict[str, Array]) -> None:
    """Lines by name; of many, the three largest are named and the others form a grey background."""
    order = sorted(lines, key=lambda name: -float(np.nanmax(lines[name], initial=0.0)))
    named = list(lines) if len(lines) <= LABELLED else order[:3]
    for name in lines:
        if name in named:
            label = name if len(name) <= 24 else f"{name[:23]}…"
            ax.plot(time, lines[name], label=label, color=COLOURS[named.index(name)], lw=1.1, zorder=3)
        else:
            ax.plot(time, lines[name], color=FAINT, lw=0.7, zorder=2)


def _finish(ax: Axes, title: str) -> None:
    ax.set_title(title, loc="left", color=INK)
    ax.set_xlabel("time [s]", loc="right", labelpad=1)
    ax.margins(x=0.01)
    if ax.get_yscale() == "linear":
        ax.ticklabel_format(axis="y", useOffset=False)
        values = np.concatenate([line.get_ydata() for line in ax.lines])
        largest = float(np.nanmax(np.abs(values), initial=0.0))
        if np.nanmax(values) - np.nanmin(values) < NARROW * largest and not title.startswith("change"):
            middle = float(np.nanmean(values))
            ax.set_ylim(middle - NARROW * largest, middle + NARROW * largest)
    labels = ax.get_legend_handles_labels()[1]
    if not labels:
        return
    if sum(len(label) + 4 for label in labels) <= 48 - len(title):  # beside the title, where it hides nothing
        ax.legend(
            loc="lower right",
            bbox_to_anchor=(1.02, 0.97),
            ncols=len(labels),
            handlelength=1.0,
            columnspacing=1.0,
        )
    else:
        ax.legend(
            loc="best", handlelength=1.4, frameon=True, facecolor="white", framealpha=0.8, edgecolor="none"
        )
