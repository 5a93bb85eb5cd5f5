"""A pad that is pressed against its rim stops a flywheel, and then holds it.

The pad slides in a guide, and a force presses it on. While it rubs, the wheel is slowed by μ N R/I. Once it
stands, a torque a hundredth below μ N R cannot turn it, and one a hundredth above can.
"""

import numpy as np

from tinkerdyne import Box, Change, Cylinder, World, contact, join, pin, prismatic, pull, twist
from tinkerdyne.gallery import Claim

IDS = ("R11", "A1")
GROUP = "Machines"
SECONDS = 3.0
EVERY = 1 / 120
RADIUS, WIDE, MASS, SPEED, PRESS, MU = 0.3, 0.1, 20.0, 20.0, 200.0, 0.4  # m, m, kg, rad/s, N, –
TORQUE, INERTIA = MU * PRESS * RADIUS, MASS * RADIUS**2 / 2  # N m, kg m²


def build(step=1 / 480):
    world = World(max_step=step)
    lying = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # the wheel's axis is y
    size = {"radius": RADIUS, "length": WIDE, "mass": MASS}
    wheel = world.add(Cylinder("wheel", orientation=lying, spin=(SPEED, 0, 0), **size))
    pad = world.add(Box("pad", size=(0.1, WIDE, 0.06), mass=0.5, position=(0, 0, RADIUS + 0.03)))
    world.add(join(pin, None, wheel, at=(0, 0, 0), axis=(0, 1, 0), name="axle"))
    world.add(join(prismatic, None, pad, at=pad.position, axis=(0, 0, 1), name="guide"))
    world.add(contact(friction=MU), pull(pad.centre, by=(0, 0, -PRESS), name="press"))
    world.add(twist(wheel, by=(0, 0, 0), name="load"))
    for when, share in ((2.0, 0.99), (2.5, 1.01)):
        world.at(when, Change("load", "by", (0, share * TORQUE, 0)))
    return world


def check(world, recording):
    time, spin = recording.time, recording["wheel.spin"][:, 0]
    stops = SPEED * INERTIA / TORQUE
    rubs = time < stops - 0.01
    off = spin[rubs] - SPEED + TORQUE / INERTIA * time[rubs]
    yield Claim("speed beside ω − μ N R t/I", np.abs(off).max(), 1e-4, "rad/s")
    held = (time > stops + 0.01) & (time <= 2.5)
    yield Claim("speed while it is held", np.abs(spin[held]).max(), 1e-7, "rad/s")
    wanted = 0.01 * TORQUE / INERTIA * 0.5
    yield Claim.near("speed half a second after the load is too much", spin[-1], wanted, 1e-4, "rad/s")
