"""A die is thrown, bounces off the table, skitters, tips over its edges and comes to rest on a face.

Nobody tells it which. In the end a face lies flat on the table, and energy has only been lost on the way.
"""

import numpy as np

from tinkerdyne import Box, Floor, World, contact, gravity
from tinkerdyne.gallery import Claim

IDS = ("R11", "M1")
GROUP = "Stacks, rolls and blows"
SECONDS = 2.5
EVERY = 1 / 240
EDGE = 0.016  # m


def build(seed=3):
    random, world = np.random.default_rng(seed), World(max_step=1 / 480)
    world.add(gravity(), contact(friction=0.3, restitution=0.4), Floor("table", size=0.5))
    turn = random.normal(size=4)
    way = {"velocity": (0.7, 0.2, 0.0), "spin": tuple(random.normal(0, 30, 3))}
    place = {"position": (-0.2, -0.1, 0.15), "orientation": tuple(turn / np.linalg.norm(turn))}
    world.add(Box("die", size=(EDGE, EDGE, EDGE), density=1200, **place, **way))
    return world


def check(world, recording):
    w, x, y, z = recording["die.orientation"][-1]
    up = np.array((2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z))
    yield Claim("how far from level the face is on which it lies", 1 - np.abs(up).max(), 1e-9)
    yield Claim.near(
        "height of its centre", 1e3 * recording["die.position"][-1, 2], 1e3 * EDGE / 2, 1e-3, "mm"
    )
    yield Claim("speed in the end", np.linalg.norm(recording["die.velocity"][-1]), 1e-6, "m/s")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "energy gained at any moment, of all", 100 * np.diff(energy).max() / np.ptp(energy), 1e-6, "%"
    )
    falls = recording["die.velocity"][:, 2] < -0.05
    yield Claim.at_least("blows on the way", (falls[:-1] & ~falls[1:]).sum(), 3)
