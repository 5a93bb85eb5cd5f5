"""Curves as a medium: the work of a frame while fifty attached curves are dragged, and the wait for a curve
just typed in."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import tinkerdyne as td
from tinkerdyne.constraints.curves import tangential
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.curves import Arc, Circle, Ellipse, Rectangle, Superellipse
from tinkerdyne.objects.splines import Bezier, BSpline, Line
from tinkerdyne.objects.typed import typed_curve

from .bar import Bar, Measurement, Remark
from .bar import Line as Row
from .race import cpu

FRAME = 1 / 60  # s
DRAGGED = 300  # frames
REPEATS = 3
COUNT = 50


def attached(count: int = COUNT) -> td.World:
    """A garland of curves of eight kinds: each is attached to the next, every fifth tangentially where two
    variables slide."""
    world = td.World(order=1, max_step=1 / 240)
    makers: list[Any] = [
        lambda n, x: Circle(n, position=(x, 0.0), radius=0.4),
        lambda n, x: Bezier(n, points=((x - 0.5, 0.0), (x - 0.2, 0.4), (x + 0.2, -0.4), (x + 0.5, 0.0))),
        lambda n, x: Ellipse(n, position=(x, 0.0), radii=(0.5, 0.3)),
        lambda n, x: Line(n, points=((x - 0.5, 0.0), (x + 0.5, 0.0))),
        lambda n, x: Arc(n, position=(x, 0.0), radius=0.5, begin=math.pi, end=0.0),
        lambda n, x: Superellipse(n, position=(x, 0.0), radii=(0.5, 0.3)),
        lambda n, x: BSpline(n, points=tuple((x + 0.4 * k - 0.8, 0.2 * (-1) ** k) for k in range(5))),
        lambda n, x: Rectangle(n, position=(x, 0.0), size=(0.9, 0.5)),
    ]
    # Where a curve is met from the left and from the right.
    ends = (
        (math.pi, 0.0),
        (0.0, 1.0),
        (math.pi, 0.0),
        (0.0, 1.0),
        (0.0, 1.0),
        (math.pi, 0.0),
        (0.0, 2.0),
        (3.5, 1.5),
    )
    curves = [world.add(makers[k % len(makers)](f"curve{k}", float(k))) for k in range(count)]
    for k in range(count - 1):
        a, b = curves[k], curves[k + 1]
        right, left = ends[k % len(makers)][1], ends[(k + 1) % len(makers)][0]
        if k % 8 == 4:  # arc and superellipse touch
            u, w = world.add(td.Variable(f"u{k}", value=right - 0.1), td.Variable(f"w{k}", value=left))
            world.add(tangential(a, u, b, w))
        else:
            world.add(td.connect(td.curve_point(a, u=right), td.curve_point(b, u=left)))
    world.add(td.nail(td.curve_point(curves[0], u=math.pi), at=(-0.4, 0.0)))
    world.run(1.0)
    return world


def _drag(name: str) -> Iterator[Row]:
    best: Array | None = None
    for _ in range(REPEATS):
        world = attached()
        middle = td.curve_point(world[f"curve{COUNT // 2}"], u=0.7)
        grip = world.grab(middle)
        start = np.array(grip.target.to)
        seconds, gaps = [], []

        def frame(k: int, grip: Any = grip, start: Any = start, world: td.World = world) -> None:
            turn = 2 * math.pi * k / 120
            grip.move(start + np.array((1.5 * math.sin(turn), 2.0 * (1 - math.cos(turn)))))
            world.step(FRAME)

        for k in range(DRAGGED):
            seconds.append(cpu(lambda k=k: frame(k)))
            gaps.append(world.gap)
        best = np.array(seconds) if best is None else np.minimum(best, seconds)
    assert best is not None
    yield Bar(
        name, "p99 of a frame's work, 50 attached curves", 1e3 * float(np.quantile(best, 0.99)), "≤", 4, " ms"
    )
    yield Bar(name, "widest gap while dragged", float(np.max(gaps)), "≤", 1e-6)
    rows = world.diagnose().rows
    yield Remark(
        name, f"{rows} scalar constraints, four steps a frame, median {1e3 * np.median(best):.3g} ms"
    )


def _typed(name: str) -> Iterator[Row]:
    """From Enter to the first step with the curve in hand; each is new to the machine, by a number that no
    one typed before."""
    warm = td.World(order=1)
    warm.grab(td.curve_point(warm.add(typed_curve("r*cos(u)", "r*sin(u)", r=1.0)), u=0.1))
    warm.step(FRAME)
    shapes = {
        "ellipse": ("c.x + a*cos({k}*u)", "c.y + b*sin({k}*u)"),
        "superellipse": (
            "c.x + a*sign(cos({k}*u))*abs(cos({k}*u))^n",
            "c.y + b*sign(sin({k}*u))*abs(sin({k}*u))^n",
        ),
        "spiral in space": ("c.x + a*{k}*u*cos(9*u)", "c.y + a*{k}*u*sin(9*u)", "b*u"),
    }
    numbers = {"c": (0.0, 0.0), "a": 1.0, "b": 2.0, "n": 0.7}
    for k, (label, text) in enumerate(shapes.items()):
        found = []
        for again in range(3):
            fresh = 1 + 1e-9 * (time.time_ns() % 10**6) + again
            used = {n: x for n, x in numbers.items() if n != "n" or k == 1}
            written = [t.format(k=f"{fresh:.15f}") for t in text]

            def enter(written: list[str] = written, used: dict[str, Any] = used) -> None:
                world = td.World(order=1)
                curve = world.add(typed_curve(*written, span=(0.1, 6.0), **used))
                world.grab(td.curve_point(curve, u=0.7))
                world.step(FRAME)

            found.append(cpu(enter))
        yield Bar(name, f"a typed {label} ready to grab", float(np.median(found)), "≤", 0.3, " s")


MEASUREMENTS: dict[str, Measurement] = {"curve-drag": _drag, "curve-typed": _typed}
