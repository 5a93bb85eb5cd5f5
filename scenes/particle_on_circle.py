"""A particle is kept on a circle by displacement: it moves freely, and is then set back.

LD98 Fig. 4. Each step repeats the last displacement, projects the place back onto the circle, and takes the
difference of the two places as the next displacement. On a circle a step of angle φ is followed by one of
atan2(sin φ, 2 − cos φ) = φ − φ³ + …: the circle is kept exactly and the speed slowly lost, with the square of
the step.
"""

import numpy as np

from tinkerdyne import Nail, Particle, World, distance
from tinkerdyne.gallery import Claim
from tinkerdyne.world.recording import joined

IDS = ("A3", "A7")
GROUP = "Papers"
SECONDS = 4.0
RADIUS, SPEED, STEP = 1.0, 3.0, 1 / 60


def build():
    world = World(tolerance=1e-13)
    bead = world.add(Particle("bead", position=(RADIUS, 0), velocity=(0, SPEED)))
    world.add(distance(Nail(0, 0), bead, length=RADIUS, name="circle"))
    return world


def run(world):
    bead, circle = world["bead"], world["circle"]
    parts = [world.record(0)]
    for _ in range(round(SECONDS / STEP)):
        before = np.array(bead.position)
        circle.is_on = False
        world.step(STEP)
        circle.is_on = True
        world.project()
        bead.velocity = (np.array(bead.position) - before) / STEP
        parts.append(world.record(0))
    return joined(parts)


def check(world, recording):
    x, y = recording["bead.position"].T
    yield Claim("distance from the circle", np.abs(np.hypot(x, y) - RADIUS).max(), 1e-12, "m")
    turns = np.diff(np.unwrap(np.arctan2(y, x)))
    rule = np.arctan2(np.sin(turns[:-1]), 2 - np.cos(turns[:-1]))
    yield Claim("difference of a turn from the rule", np.abs(turns[1:] - rule).max(), 1e-11, "rad")
    # dφ/dn = −φ³ has the solution φ = φ₀ / √(1 + 2 n φ₀²); the next term of the series is φ² smaller.
    first, n = turns[0], len(turns) - 1
    wanted = first / np.sqrt(1 + 2 * n * first**2)
    yield Claim.near(
        "speed at the end", turns[-1] * RADIUS / STEP, wanted * RADIUS / STEP, SPEED * first**2, "m/s"
    )
