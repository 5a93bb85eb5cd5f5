"""Seven cards stand as a house by friction alone, and come down when one of them is pulled away.

DC88 Figs. 24 and 25, with contact: nothing but Coulomb's law at the edges of the cards holds them.
"""

import numpy as np

from tinkerdyne import Box, Floor, World, contact, gravity
from tinkerdyne.gallery import Claim
from tinkerdyne.world.recording import joined

IDS = ("R10", "R11")
GROUP = "Stacks, rolls and blows"
SECONDS = 4.0
LEAN, HIGH, THICK, WIDE = 0.3, 1.0, 0.02, 0.7  # rad, m, m, m
HALF = 0.5 * HIGH * np.cos(LEAN) + 0.5 * THICK * np.sin(LEAN)  # m, from a foot to the middle of a card
REACH = 0.5 * HIGH * np.sin(LEAN) + 0.5 * THICK * np.cos(LEAN)  # m, from below the top to it
PITCH = 4 * REACH + 0.02  # m, between two tents


def tent(world, name, x, z):
    """Two cards that lean on each other."""
    for side in (-1, 1):
        turn = (np.cos(LEAN / 2), 0.0, -side * np.sin(LEAN / 2), 0.0)
        where = {"position": (x + side * REACH, 0.0, z + HALF), "orientation": turn}
        world.add(Box(f"{name}{side:+d}", size=(THICK, WIDE, HIGH), density=700, **where))


def build():
    world = World(max_step=1 / 240)
    world.add(gravity(), contact(friction=0.5), Floor("floor"))
    tent(world, "left", -PITCH / 2, 0.0)
    tent(world, "right", PITCH / 2, 0.0)
    world.add(Box("roof", size=(PITCH, WIDE, THICK), density=700, position=(0, 0, 2 * HALF + THICK / 2)))
    tent(world, "upper", 0.0, 2 * HALF + THICK)
    return world


def run(world):
    standing = world.record(2.0, every=1 / 60)
    world["left-1"].velocity = (-2.0, 0.0, 0.0)
    return joined([standing, world.record(2.0, every=1 / 60)])


def check(world, recording):
    before = recording.time <= 2.0
    roof = recording["roof.position"]
    yield Claim("way of the roof while the house stands", np.ptp(roof[before], axis=0).max(), 1e-6, "m")
    yield Claim("height of the roof in the end", roof[-1, 2], HIGH / 2, "m")
