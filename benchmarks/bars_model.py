"""Interactive optimisation: the four examples beside scipy's SLSQP, and the work of a frame while a slider is
pulled (G3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tinkerdyne import gallery
from tinkerdyne.optimise.model import Model

from .bar import Bar, Line, Measurement, Remark
from .race import cpu

EXAMPLES = {
    "box_of_least_surface": "height while the width is pulled",
    "heron_path": "foot beside scipy's SLSQP",
    "allocation": "shares beside scipy's SLSQP when 8 % are wanted",
    "four_bar_synthesis": "variables beside those of SLSQP",
}
FRAMES = 240


def _optima(name: str) -> Iterator[Line]:
    for scene, says in EXAMPLES.items():
        _, _, claims = gallery.load(scene).run()
        claim = next(c for c in claims if c.says == says)
        wanted = 0.0 if claim.least is None else (claim.least + claim.bound) / 2
        yield Bar(name, f"{scene}: distance from the optimum", abs(claim.measured - wanted), "≤", 1e-6)


def _frames(name: str) -> Iterator[Line]:
    """The four-bar's crank is led to and fro by a slider at 60 frames a second."""
    world = gallery.load("four_bar_synthesis").build()
    model = Model(world)
    model.settle(speed=1e-6)
    start = model.values["crank"]
    slider = model.slide("crank", strength=100.0)
    seconds = []
    for k in range(FRAMES):
        slider.move(start + 0.1 * np.sin(2 * np.pi * k / 120))
        seconds.append(cpu(lambda: world.step(1 / 60)))
    yield Bar(name, "p99 of a frame's work", 1e3 * float(np.quantile(seconds, 0.99)), "≤", 4, " ms")
    slider.release()
    rest = cpu(lambda: model.settle(speed=1e-9))
    rows = world.diagnose().rows
    yield Remark(
        name,
        f"{rows} rows, median {1e3 * np.median(seconds):.3g} ms; back to the optimum in {1e3 * rest:.3g} ms",
    )


MEASUREMENTS: dict[str, Measurement] = {"model-optima": _optima, "model-slider": _frames}
