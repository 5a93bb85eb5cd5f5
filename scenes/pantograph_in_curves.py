"""A pantograph of four lines copies a drawing at twice its size: its pen slides along a spiral, and the copy
follows.

The bars cross where they are attached, at fixed places along them, and form a parallelogram; origin, pen and
copy stay on one line through the origin, with copy = 2 · pen. The pen slides along a spiral at the pace of a
clock.
"""

import math

import numpy as np

from tinkerdyne import (
    Line,
    Spiral,
    Variable,
    World,
    connect,
    curve_point,
    follow,
    held,
    length_of,
    nail,
    slider,
)
from tinkerdyne.gallery import Claim

IDS = ("G2", "G7")
GROUP = "Linkages"
SECONDS = 4.0
TURNS = 3.0  # of the spiral


def build():
    world = World(order=1, max_step=1 / 240)
    elbow, copy = np.array((1.2, 1.6)), np.array((2.4, 0.0))
    pen, near, far = copy / 2, elbow / 2, (elbow + copy) / 2
    bars = {"upper": ((0, 0), elbow), "fore": (elbow, copy), "short": (near, pen), "link": (far, pen)}
    upper, fore, short, link = (
        world.add(Line(name, points=(tuple(a), tuple(b)))) for name, (a, b) in bars.items()
    )
    for bar, (a, b) in zip((upper, fore, short, link), bars.values(), strict=True):
        world.add(held(length_of(bar), at=(math.dist(a, b),)))
    world.add(
        connect(curve_point(upper, u=1.0), curve_point(fore, u=0.0)),
        nail(curve_point(upper, u=0.0), at=(0, 0)),
    )
    world.add(connect(curve_point(upper, u=0.5), curve_point(short, u=0.0)))
    world.add(connect(curve_point(fore, u=0.5), curve_point(link, u=0.0)))
    world.add(curve_point(short, u=1.0, name="pen"), curve_point(fore, u=1.0, name="copy"))
    world.add(connect(world["pen"], curve_point(link, u=1.0)))
    drawn, u = world.add(
        Spiral("drawn", position=(1.2, 0.0), radius=0.0, pitch=0.1, turns=TURNS, is_fixed=True), Variable("u")
    )
    world.add(connect(world["pen"], slider(drawn, u), name="hand"), follow(u, f"t/{SECONDS}", name="clock"))
    return world


def run(world):
    return world.record(SECONDS, also=[world["pen"], world["copy"]])


def check(world, recording):
    pen, copy = recording["pen.value"], recording["copy.value"]
    yield Claim("copy − 2 · pen", np.abs(copy - 2 * pen).max(), 1e-6, "m")
    phi = 2 * np.pi * TURNS * recording.time / SECONDS
    spiral = np.stack(
        [1.2 + 0.1 * phi / (2 * np.pi) * np.cos(phi), 0.1 * phi / (2 * np.pi) * np.sin(phi)], axis=1
    )
    yield Claim("pen from the spiral", np.abs(pen - spiral)[recording.time > 0.5].max(), 1e-5, "m")
    yield Claim.near(
        "size of the copy by that of the drawing", np.ptp(copy[:, 0]) / np.ptp(pen[:, 0]), 2.0, 1e-6
    )
