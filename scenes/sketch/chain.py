"""A chain of three links flies across and reaches a hook with its end.

MS03 §6.3: rigid links with universal joints, thrown from a hard start pose; the end of the last link is hard,
the path of the first link's middle is only sketched. The midpoint rule finds the motion, Runge–Kutta closes
it, and the engine flies it.
"""

import functools

import numpy as np

from scenes.sketch.acted.chain import chain
from tinkerdyne.gallery import Claim

IDS = ("M3", "M4", "M7", "M9")
SECONDS = 0.62


@functools.cache
def solution():
    return chain(3).solve()


def build():
    return solution().world()


def run(world):
    return world.record(solution().seconds)


def check(world, recording):
    found = solution()
    hook = found.sketch.holds[0].low
    yield Claim("gaps between steps", found.gap, 1e-8)
    yield Claim("end of the chain from the hook, by 4000 Runge–Kutta steps", found.end_by_rk4(), 1e-6, "m")
    yield Claim(
        "the same in the engine", np.abs(np.array(world["link 3"].end2.value) - hook).max(), 1e-6, "m"
    )
    joints = max(recording[name].max() for name in recording if name.endswith(".gap"))
    yield Claim("widest joint opening", joints, 1e-8, "m")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim("change of energy", 100 * np.ptp(energy) / np.ptp(recording.potential_energy), 1e-4, "%")


def picture(path):
    solution().plot(path)
