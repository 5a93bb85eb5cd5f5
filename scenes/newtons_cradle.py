"""Five steel balls hang on strings and touch; one swings in, and the last one alone swings out.

Every string is exact, every blow happens at its own moment, and no energy is lost or won.
"""

import numpy as np

from tinkerdyne import Nail, Sphere, World, contact, distance, gravity
from tinkerdyne.gallery import Claim

IDS = ("R11",)
GROUP = "Stacks, rolls and blows"
SECONDS = 2.2
RADIUS, LONG, APART, SWING = 0.1, 1.0, 0.3, 0.4  # m, m, m, rad


def build():
    world = World(max_step=1 / 480)
    for k in range(5):
        x = 2 * RADIUS * k
        swing = SWING if k == 0 else 0.0
        place = (x - LONG * np.sin(swing), 0.0, LONG * (1 - np.cos(swing)))
        ball = world.add(Sphere(f"ball{k}", radius=RADIUS, position=place))
        for side in (-APART, APART):
            nail = Nail(x, side, LONG)
            world.add(distance(ball.centre, nail, length=float(np.hypot(LONG, side))))
    world.add(gravity(), contact(friction=0.0, restitution=1.0))
    world.show(is_running=True)
    return world


def check(world, recording):
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim("change of energy", 100 * np.ptp(energy) / np.ptp(recording.kinetic_energy), 0.1, "%")
    heights = np.array([recording[f"ball{k}.position"][:, 2] for k in range(5)])
    yield Claim.near("height of the last ball", heights[4].max(), LONG * (1 - np.cos(SWING)), 1e-3, "m")
    yield Claim("height of the balls between them", heights[1:4].max(), 1e-3, "m")
