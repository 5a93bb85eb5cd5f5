"""A rod flies to its nail, and swings there.

DC88 Fig. 2. The point-to-nail constraint starts a metre away. Its deviation D follows the critically damped
D″ + 2/τ D′ + 1/τ² D = 0, while gravity pulls and the rod turns as it likes.
"""

import numpy as np

from tinkerdyne import Rod, World, gravity, nail
from tinkerdyne.gallery import Claim

IDS = ("R3", "R10")
GROUP = "Papers"
SECONDS = 4.0
TAU = 0.3  # s
START = np.array((1.5, 0.0, -0.6))  # where end1 lies at first


def build():
    world = World()
    rod = world.add(Rod("rod", position=START + np.array((0.5, 0, 0))))
    world.add(nail(rod.end1, at=(0, 0, 0), tau=TAU, name="hook"), gravity())
    return world


def check(world, recording):
    t = recording.time
    wanted = np.abs(START).max() * (1 + t / TAU) * np.exp(-t / TAU)  # D₀ (1 + t/τ) e^(−t/τ), from rest
    yield Claim("distance of D from its closed form", np.abs(recording["hook.gap"] - wanted).max(), 1e-7, "m")
    yield Claim("gap at the end", recording["hook.gap"][-1], 1e-4, "m")
    # Once it hangs the nail does no work: what is left to change energy has died away with D.
    late = t > 12 * TAU
    energy = (recording.kinetic_energy + recording.potential_energy)[late]
    yield Claim("change of energy once it hangs, of m g l/2", 100 * np.ptp(energy) / (9.81 * 0.5), 0.1, "%")
