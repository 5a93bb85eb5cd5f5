"""Two jaws lift a block by friction alone: it stays between them while 2 μ N is more than it takes.

The jaws are pressed together by forces and lifted along a path. With N a fiftieth above m (g + a)/(2 μ) the
block does not slip. Then the grip is loosened to a tenth less than it weighs, and it slides out at g/10.
"""

import numpy as np

from tinkerdyne import Box, Change, Floor, World, contact, follow, gravity, join, prismatic, pull
from tinkerdyne.gallery import Claim

IDS = ("R11", "A1")
GROUP = "Machines"
SECONDS = 1.75
MASS, MU, G, LIFT = 2.0, 0.5, 9.81, 0.6  # kg, –, m/s², m/s²
GRIP = 1.02 * MASS * (G + LIFT) / (2 * MU)  # N


def build(step=1 / 240):
    world = World(max_step=step)
    world.add(gravity(), contact(friction=MU), Floor("floor", size=2.0))
    world.add(Box("block", size=(0.2, 0.2, 0.3), mass=MASS, position=(0, 0, 0.15)))
    hand = world.add(Box("hand", size=(0.6, 0.1, 0.06), mass=3.0, position=(0, 0, 0.5)))
    rail = world.add(join(prismatic, None, hand, at=hand.position, axis=(0, 0, 1), name="rail"))
    for side, name in ((-1, "left"), (1, "right")):
        jaw = world.add(Box(name, size=(0.04, 0.12, 0.3), mass=0.5, position=(0.12 * side, 0, 0.3)))
        world.add(join(prismatic, hand, jaw, at=jaw.position, axis=(1, 0, 0), name=f"{name} guide"))
        world.add(pull(jaw.centre, by=(-side * GRIP, 0, 0), name=f"{name} grip"))
        world.at(1.5, Change(f"{name} grip", "by", (-side * 0.9 * MASS * G / (2 * MU), 0, 0)))
    way = f"{LIFT / 2}*t^2 if t < 1 else {LIFT}*(t - 0.5)"
    world.add(follow(rail.slide, way, name="lift"))
    world.show(is_running=True)
    return world


def check(world, recording):
    time, block, hand = recording.time, recording["block.position"], recording["hand.position"]
    rises = hand[:, 2] - hand[0, 2]
    wanted = np.where(time < 1, LIFT / 2 * time**2, LIFT * (time - 0.5))
    yield Claim("way of the hand beside its path", np.abs(rises - wanted).max(), 1e-7, "m")
    slip = block[:, 2] - block[0, 2] - rises
    yield Claim("slip of the block while it is gripped", np.abs(slip[time <= 1.5]).max(), 1e-6, "m")
    loose = time > 1.5
    slides = -G / 20 * (time[loose] - 1.5) ** 2
    yield Claim(
        "slip beside g t²/20 after the grip is loosened", np.abs(slip[loose] - slides).max(), 1e-5, "m"
    )
