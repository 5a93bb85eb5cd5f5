"""Twenty-four dominoes fall one after the other, at a speed that soon forgets how the first was pushed.

Each domino strikes the next, leans on it and slides down along it. A push five times as hard makes the first
ones fall faster, and the later ones as fast as before.
"""

import numpy as np

from tinkerdyne import Box, Floor, World, contact, gravity
from tinkerdyne.gallery import Claim

IDS = ("R11",)
GROUP = "Stacks, rolls and blows"
SECONDS = 2.0
EVERY = 1 / 240
MANY, SIZE, APART = 24, (0.008, 0.024, 0.048), 0.024  # –, m, m


def build(push=1.0, step=1 / 480):
    """The first domino begins to turn about its lower edge, at this many times √(g/h)."""
    world = World(max_step=step)
    world.add(gravity(), contact(friction=0.2), Floor("floor", size=0.8))
    for k in range(MANY):
        world.add(
            Box(f"domino{k}", size=SIZE, density=1100, position=(APART * (k - MANY / 2), 0, SIZE[2] / 2))
        )
    first, rate = world["domino0"], push * np.sqrt(9.81 / SIZE[2])
    first.spin = (0.0, rate, 0.0)
    first.velocity = (rate * SIZE[2] / 2, 0.0, rate * SIZE[0] / 2)
    world.show(is_running=True)
    return world


def falls(recording):
    """When each domino has turned by a tenth of a right angle."""
    turned = [2 * np.arcsin(np.clip(recording[f"domino{k}.orientation"][:, 2], -1, 1)) for k in range(MANY)]
    return np.array(
        [
            np.interp(np.pi / 20, angle[: angle.argmax() + 1], recording.time[: angle.argmax() + 1])
            for angle in turned
        ]
    )


def check(world, recording):
    gentle, hard = falls(recording), falls(build(push=5.0).record(SECONDS, every=EVERY))
    yield Claim.at_least(
        "least time between two that follow each other", 1e3 * np.diff(gentle).min(), 1.0, "ms"
    )
    speeds = [(MANY / 2 - 1) * APART / (when[-1] - when[MANY // 2]) for when in (gentle, hard)]
    yield Claim.at_least(
        "time that the hard push gains at the start", 1e3 * (gentle[4] - hard[4]), 10.0, "ms"
    )
    yield Claim(
        "speed of the later half after a hard push, beside", 100 * (speeds[1] / speeds[0] - 1), 2.0, "%"
    )
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "energy gained at any moment, of all", 100 * np.diff(energy).max() / np.ptp(energy), 0.01, "%"
    )
