"""A dropped and a thrown ball fall side by side, each on its parabola.

DC88 Fig. 1. Both have x(t) = x₀ + v₀ t + ½ g t², whatever they weigh.
"""

import numpy as np

from tinkerdyne import Particle, World, gravity
from tinkerdyne.gallery import Claim

IDS = ("R10",)
GROUP = "Papers"
SECONDS = 1.0
G = 9.81  # m/s²
THROWN = (2.0, 0.0, 3.0)  # m/s


def build():
    world = World()
    world.add(Particle("dropped", mass=1.0, position=(0, 0, 5)))
    world.add(Particle("thrown", mass=3.0, position=(0.5, 0, 5), velocity=THROWN))
    world.add(gravity(g=(0, 0, -G)))
    return world


def check(world, recording):
    t = recording.time[:, None]
    for name, start, velocity in (("dropped", (0, 0, 5), (0, 0, 0)), ("thrown", (0.5, 0, 5), THROWN)):
        parabola = np.array(start) + np.array(velocity) * t + np.array((0, 0, -G / 2)) * t**2
        distance = np.abs(recording[f"{name}.position"] - parabola).max()
        yield Claim(f"distance of the {name} ball from its parabola", distance, 1e-9, "m")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim("change of energy", 100 * np.ptp(energy) / energy[0], 1e-9, "%")
