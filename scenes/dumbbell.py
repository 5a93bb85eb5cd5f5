"""A dumbbell is thrown: its centre flies on a parabola while it turns evenly.

Two particles at a fixed distance (CN97, ID90). The distance constraint moves neither the centre of mass nor
the angular momentum L about it, and the bar is under the constant tension μ ω² l with the reduced mass μ.
"""

import numpy as np

from tinkerdyne import Particle, World, distance, gravity
from tinkerdyne.gallery import Claim

IDS = ("E3", "R10")
GROUP = "Papers"
SECONDS = 1.5
LENGTH, HEAVY, LIGHT, SPIN = 1.0, 2.0, 1.0, 6.0
G = np.array((0, 0, -9.81))
CENTRE, VELOCITY = np.array((0.0, 0.0, 1.0)), np.array((2.0, 0.5, 7.0))
AXIS, ALONG = np.array((0.0, -0.6, 0.8)), np.array((1.0, 0.0, 0.0))  # of the turn, and of the bar at first


def build():
    world = World(max_step=1 / 2000)
    share, turn = LENGTH / (HEAVY + LIGHT), SPIN * np.cross(AXIS, ALONG)
    heavy = Particle(
        "heavy", mass=HEAVY, position=CENTRE - LIGHT * share * ALONG, velocity=VELOCITY - LIGHT * share * turn
    )
    light = Particle(
        "light", mass=LIGHT, position=CENTRE + HEAVY * share * ALONG, velocity=VELOCITY + HEAVY * share * turn
    )
    world.add(heavy, light)
    world.add(distance(heavy, light, length=LENGTH, name="bar"), gravity(g=G))
    return world


def check(world, recording):
    t, total = recording.time[:, None], HEAVY + LIGHT
    x1, x2, v1, v2 = (
        recording[f"{name}.{what}"] for what in ("position", "velocity") for name in ("heavy", "light")
    )
    centre = (HEAVY * x1 + LIGHT * x2) / total
    yield Claim(
        "distance of the centre from its parabola",
        np.abs(centre - CENTRE - VELOCITY * t - G / 2 * t**2).max(),
        1e-9,
        "m",
    )
    reduced = HEAVY * LIGHT / total
    momentum = reduced * np.cross(x2 - x1, v2 - v1)
    wanted = reduced * LENGTH**2 * SPIN * AXIS
    yield Claim("change of L", 100 * np.abs(momentum - wanted).max() / np.linalg.norm(wanted), 1e-6, "%")
    yield Claim("change of length", np.abs(np.linalg.norm(x2 - x1, axis=1) - LENGTH).max(), 1e-7, "m")
    tension = -recording["bar.force"][:, 0]
    yield Claim.near("largest tension", tension.max(), reduced * SPIN**2 * LENGTH, 1e-3, "N")
    yield Claim.near("least tension", tension.min(), reduced * SPIN**2 * LENGTH, 1e-3, "N")
