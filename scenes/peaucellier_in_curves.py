"""Peaucellier and Lipkin's linkage, of seven lines that keep their lengths, draws a straight line.

Two arms and a rhombus invert the place of its inner corner in a circle about the origin: |O inner| · |O
outer| = arm² − side². The crank leads the inner corner along a circle through the origin, whose inverse is a
line: x = (arm² − side²)/(2 crank).
"""

import math

import numpy as np

from tinkerdyne import Line, World, connect, curve_point, held, length_of, nail
from tinkerdyne.gallery import Claim
from tinkerdyne.world.recording import joined

IDS = ("G2", "G7")
GROUP = "Linkages"
SECONDS = 6.0
ARM, SIDE, CRANK = 2.0, 1.0, 0.7  # m
REACH = (ARM**2 - SIDE**2) / (2 * CRANK)  # m, to the line
BARS = (
    ("origin", "top"),
    ("origin", "low"),
    ("top", "inner"),
    ("low", "inner"),
    ("top", "outer"),
    ("low", "outer"),
    ("pivot", "inner"),
)


def build():
    world = World(order=1, max_step=1 / 240)
    middle = (2 * CRANK + REACH) / 2
    height = math.sqrt(ARM**2 - middle**2)
    joints = {
        "origin": (0, 0),
        "pivot": (CRANK, 0),
        "inner": (2 * CRANK, 0),
        "outer": (REACH, 0),
        "top": (middle, height),
        "low": (middle, -height),
    }
    ends = {}
    for a, b in BARS:
        bar = world.add(Line(f"{a}-{b}", points=(joints[a], joints[b])))
        world.add(held(length_of(bar), at=(math.dist(joints[a], joints[b]),)))
        for name, u in ((a, 0.0), (b, 1.0)):
            ends.setdefault(name, []).append(
                world.add(curve_point(bar, u=u, name=f"{name} {len(ends.get(name, ()))}"))
            )
    world.add(*[connect(points[0], other) for points in ends.values() for other in points[1:]])
    world.add(*[nail(ends[name][0], at=joints[name]) for name in ("origin", "pivot")])
    return world


def run(world):
    grip, parts, corners = world.grab(world["outer 0"]), [], [world["inner 0"], world["outer 0"]]
    for k in range(60):
        # the hand does not keep to the line
        grip.move(REACH + 0.4 * math.sin(k), 1.2 * math.sin(2 * math.pi * k / 60))
        parts.append(world.record(SECONDS / 60, also=corners))
    return joined(parts)


def check(world, recording):
    x, y = recording["outer 0.value"].T
    yield Claim("outer corner from the line", np.abs(x - REACH).max(), 1e-6, "m")
    yield Claim.at_least("length drawn", np.ptp(y), 2.0, "m")
    inner = np.linalg.norm(recording["inner 0.value"], axis=1) * np.linalg.norm(
        recording["outer 0.value"], axis=1
    )
    yield Claim(
        "product of the inversion − (arm² − side²)", np.abs(inner - ARM**2 + SIDE**2).max(), 1e-5, "m²"
    )
