"""LD98's structure dragged by hand at 60 frames a second: the work of a frame, and what the accuracy dial
gives and takes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.language.arrays import Array

from . import table
from .bar import Bar, Line, Measurement, Remark
from .race import cpu

FRAME = 1 / 60  # s
DRAGGED, STILL = 360, 240  # frames: the hand goes round, then it stops
# Settings of the dial: geometric iterations, and conjugate gradient iterations in each (0: the direct
# solver).
DIAL = ((1, 5), (2, 5), (1, 15), (2, 15), (3, 15), (3, 50), (6, 150), (1, 0), (2, 0), (3, 0), (20, 0))
REPEATS = 3


def _dragged(world: td.World) -> tuple[Array, Array, float]:
    """CPU seconds and gap of every frame while the corner is led round in a circle, and the gap some time
    after it stopped."""
    corner = [item for item in world.items if item.type.name == "sphere"][-1]
    start = np.array(corner.position)
    grip = world.grab(corner, hard=True)
    seconds, gaps = [], []

    def frame(k: int) -> None:
        turn = 2 * math.pi * min(k, DRAGGED) / 120
        grip.move(
            start + np.array((0.2 * (math.cos(turn) - 1), 0.4 * math.sin(turn), 0.3 * (1 - math.cos(turn))))
        )
        world.step(FRAME)

    for k in range(DRAGGED):
        seconds.append(cpu(lambda k=k: frame(k)))
        gaps.append(world.gap)
    for k in range(DRAGGED, DRAGGED + STILL):
        frame(k)
    return np.array(seconds), np.array(gaps), world.gap


def _exact(name: str) -> Iterator[Line]:
    scene = gallery.load("structure_dragged")
    best: Array | None = None
    gaps = np.zeros(1)
    for _ in range(REPEATS):
        world = scene.build()
        world.configure(max_step=1 / 240)
        seconds, gaps, _ = _dragged(world)
        best = seconds if best is None else np.minimum(best, seconds)
    assert best is not None
    yield Bar(name, "p99 of a frame's work", 1e3 * float(np.quantile(best, 0.99)), "≤", 2, " ms")
    yield Bar(name, "widest gap while dragged", float(gaps.max()), "≤", 1e-6)
    rows = world.diagnose().rows
    solids = sum(item.type.family == "object" for item in world.items)
    steps = math.ceil(FRAME / world.settings["max_step"])
    yield Remark(
        name,
        f"{solids} solids, {rows} scalar constraints, {steps} steps a frame, median "
        f"{1e3 * np.median(best):.3g} ms",
    )


def _dial(name: str) -> Iterator[Line]:
    """Störmer steps of a whole frame with few iterations, beside exact ones; positioning as in the paper,
    without gravity."""
    scene = gallery.load("structure_dragged")
    found = []
    for corrections, iterations in DIAL:
        best: Array | None = None
        for _ in range(REPEATS):
            world = scene.build()
            world.remove(*[item for item in world.items if item.type.name == "gravity"])
            solver = (
                {"solver": "conjugate_gradient", "iterations": iterations, "warm_start": True}
                if iterations
                else {}
            )
            world.configure(method="stormer", max_step=FRAME, corrections=corrections, **solver)
            seconds, gaps, rest = _dragged(world)
            best = seconds if best is None else np.minimum(best, seconds)
        assert best is not None
        label = f"{corrections} × " + (f"{iterations} conjugate gradients" if iterations else "direct")
        ms, gap, widest = 1e3 * float(np.median(best)), float(np.median(gaps)), float(gaps.max())
        found.append({"dial": label, "ms": ms, "gap": gap, "widest": widest, "still": rest})
        yield Remark(
            name, f"{label}: {ms:.3g} ms a frame, gap {gap:.2g} (widest {widest:.2g}), at rest {rest:.1g}"
        )
    # The point of the dial: few iterations are good enough while things move, and precise when they stop.
    quick = next(p for p in found if p["dial"].startswith("2 × 5 "))
    yield Bar(
        name,
        "LD98's setting for dragging, 2 × 5: gap some time after the motion stopped",
        quick["still"],
        "≤",
        1e-4,
    )
    table.FOLDER.mkdir(parents=True, exist_ok=True)
    (table.FOLDER / "dial.json").write_text(json.dumps(found, indent=1) + "\n")
    yield Remark(name, _drawn(found))


def _drawn(found: list[dict[str, Any]]) -> str:
    """The trade-off curve as a picture, where matplotlib is installed."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return "the curve is in dial.json (install matplotlib to have it drawn)"
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for is_direct, colour, label in (
        (False, "tab:blue", "conjugate gradients"),
        (True, "tab:orange", "direct"),
    ):
        points = [p for p in found if p["dial"].endswith("direct") == is_direct]
        axes.loglog(
            [p["ms"] for p in points], [max(p["gap"], 1e-16) for p in points], "o", color=colour, label=label
        )
        for p in points:
            axes.annotate(
                p["dial"].split(" c")[0].removesuffix(" direct"),
                (p["ms"], max(p["gap"], 1e-16)),
                fontsize=8,
                textcoords="offset points",
                xytext=(5, 4),
            )
    axes.set(xlabel="CPU time of a frame [ms]", ylabel="median gap while dragged [m]")
    axes.set_title("The accuracy dial: geometric × linear iterations")
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    figure.savefig(table.FOLDER / "dial.png", dpi=130)
    return f"the curve is drawn in {table.FOLDER.name}/dial.png"


MEASUREMENTS: dict[str, Measurement] = {"drag-structure": _exact, "drag-dial": _dial}
