"""A snake beside scikit-image's active_contour: 200 points on 512 × 512 pixels, time to the same boundary
error (G4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tinkerdyne as td
from tinkerdyne.behaviors.images import photo
from tinkerdyne.language.arrays import Array
from tinkerdyne.optimise.snake import Snake, circle

from .bar import Bar, Line, Measurement, Missing, Remark
from .race import cpu

SIDE, MIDDLE, POINTS, START = 512, 256.0, 200, 165.0
SCALES = (2.0, 8.0)
REPEATS = 5
BUNCH, MOST = 5, 200  # steps between two looks at the error, and looks
# Of 120 settings of active_contour (smoothing, alpha, beta, gamma) those with the least error here, and the
# quickest of those that come within half a pixel.
PEER = {"alpha": 0.005, "beta": 0.1, "gamma": 0.005}
QUICK = {"alpha": 0.05, "beta": 1.0, "gamma": 0.001}
SMOOTH = 3.0


def outline(angle: Any) -> Any:
    return 140 + 12 * np.cos(3 * angle)


def image() -> Array:
    """A bright lobed shape with soft edges and noise."""
    y, x = np.mgrid[SIDE - 0.5 : 0 : -1, 0.5:SIDE] - MIDDLE
    bright = 28 + 200 / (1 + np.exp(np.hypot(x, y) - outline(np.arctan2(y, x))))
    return np.clip(bright + 10 * np.random.default_rng(0).normal(size=bright.shape), 0, 255).astype(np.uint8)


def error(polygon: Array) -> float:
    """The mean distance of a polygon's corners from the true outline, along rays [pixels]."""
    x, y = (polygon - MIDDLE).T
    return float(np.abs(np.hypot(x, y) - outline(np.arctan2(y, x))).mean())


def _peer(given: Array, settings: dict[str, float]) -> Array:
    from skimage.filters import gaussian
    from skimage.segmentation import active_contour

    start = circle((MIDDLE, MIDDLE), START, POINTS)
    found = active_contour(
        gaussian(given, SMOOTH), np.stack([SIDE - 0.5 - start[:, 1], start[:, 0] - 0.5], 1), **settings
    )
    return np.stack([found[:, 1] + 0.5, SIDE - 0.5 - found[:, 0]], 1)


def _ours(given: Array, least: float) -> Snake:
    """From the image to the outline: edges, particles, and the slide until the boundary error is this
    small."""
    world = td.World(order=1, max_step=100.0)
    shown = world.add(photo(given, scales=SCALES))
    snake = Snake(world, shown, circle((MIDDLE, MIDDLE), START, POINTS))
    for _ in range(MOST):
        world.run(BUNCH * 100.0)
        if error(snake.polygon) <= least:
            break
    return snake


def _race(name: str) -> Iterator[Line]:
    try:
        import skimage.segmentation  # noqa: F401
    except ImportError as problem:
        raise Missing("scikit-image is not installed") from problem
    given = image()
    other = error(_peer(given, PEER))
    snake = _ours(given, other)  # the first of each loads what it needs
    ours, peer = [], []
    for _ in range(REPEATS):  # in turns, so that a busy machine slows both
        ours.append(cpu(lambda: _ours(given, other)))
        peer.append(cpu(lambda: _peer(given, PEER)))
    mine = error(snake.polygon)
    rest = cpu(lambda: snake.settle(pixels=0.05))
    yield Bar(
        name, "time to the same boundary error, by active_contour's", min(ours) / min(peer), "≤", 1 / 3, "×"
    )
    yield Bar(name, "boundary error, by active_contour's", mine / other, "≤", 1, "×")
    theirs = f"active_contour {1e3 * min(peer):.3g} ms and {other:.2g} pixels"
    yield Remark(name, f"{1e3 * min(ours):.3g} ms and {mine:.2g} pixels, {theirs}")
    rough = error(_peer(given, QUICK))
    seconds = [
        min(cpu(call) for _ in range(REPEATS))
        for call in (lambda: _ours(given, rough), lambda: _peer(given, QUICK))
    ]
    yield Remark(
        name,
        f"to {rough:.2g} pixels {1e3 * seconds[0]:.3g} ms, active_contour at its quickest "
        f"{1e3 * seconds[1]:.3g} ms",
    )
    yield Remark(name, f"at rest after {1e3 * rest:.3g} ms more, with {error(snake.polygon):.2g} pixels")


def _frames(name: str) -> Iterator[Line]:
    """The work of a frame while a hand pulls a point of the snake."""
    snake = _ours(image(), 0.1)
    snake.settle(pixels=0.05)
    held = snake.points[0]
    x, y = held.position
    grip = snake.world.grab(held)
    seconds = []
    for k in range(240):
        grip.move(x + 20 * np.sin(2 * np.pi * k / 120), y)
        seconds.append(cpu(lambda: snake.world.step(1 / 60)))
    yield Bar(name, "p99 of a frame's work", 1e3 * float(np.quantile(seconds, 0.99)), "≤", 4, " ms")


MEASUREMENTS: dict[str, Measurement] = {"snake-race": _race, "snake-drag": _frames}
