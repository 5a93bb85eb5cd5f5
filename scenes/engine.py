"""An engine starts: a motor turns a flywheel, a pair of gears its crank, and a rod the piston.

The gears have 60 and 20 teeth, so the crank turns three times as fast, backwards, exactly, however long it
runs. The piston is where x = r cos φ + √(l² − r² sin² φ) says, and the work of the motor is the energy that
the engine has gained.
"""

import numpy as np
from scipy.integrate import cumulative_simpson

from tinkerdyne import Disc, PlanarRod, Plate, World, connect, drive, gear, join, pin, point, prismatic
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7")
GROUP = "Machines"
SECONDS = 4.0
RADIUS, LENGTH = 0.25, 0.8  # m, crank and rod
RATIO = -60 / 20


def build():
    world = World(max_step=1 / 2000, tolerance=1e-11)
    crank = Disc("crank", radius=0.3, mass=4, position=(0, 0))
    wheel = Disc("flywheel", radius=0.9, mass=10, position=(0, -1.2))
    rod = PlanarRod("rod", length=LENGTH, mass=0.5, position=(RADIUS + LENGTH / 2, 0))
    piston = Plate("piston", size=(0.3, 0.4), mass=2, position=(RADIUS + LENGTH, 0))
    world.add(crank, wheel, rod, piston)
    axle, shaft = (
        join(pin, None, crank, at=(0, 0), name="axle"),
        join(pin, None, wheel, at=(0, -1.2), name="shaft"),
    )
    world.add(axle, shaft, join(prismatic, None, piston, at=(0, 0), name="cylinder"))
    world.add(
        connect(point(crank, at=(RADIUS, 0)), rod.end1, name="big end"),
        connect(rod.end2, piston.centre, name="small end"),
    )
    world.add(gear(shaft.turn, axle.turn, ratio=RATIO, name="teeth"))
    world.add(drive(shaft.turn, speed=8, gain=20, limit=60, name="motor"))
    world.show(is_running=True)
    return world


def run(world):
    shown = (
        "crank",
        "flywheel",
        "rod",
        "piston",
        "axle",
        "shaft",
        "cylinder",
        "big end",
        "small end",
        "teeth",
        "motor",
    )
    return world.record(SECONDS, every=1 / 480, of=[world[name] for name in shown])


def check(world, recording):
    angle, x = recording["crank.angle"], recording["piston.position"][:, 0]
    wanted = RADIUS * np.cos(angle) + np.sqrt(LENGTH**2 - (RADIUS * np.sin(angle)) ** 2)
    yield Claim("piston beside the closed form", np.abs(x - wanted).max(), 1e-9, "m")
    yield Claim.at_least("turns of the crank", np.abs(angle[-1]) / (2 * np.pi), 10)
    yield Claim("slip of the gears", np.abs(angle - RATIO * recording["flywheel.angle"]).max(), 1e-9, "rad")
    work = cumulative_simpson(recording["motor.power"], x=recording.time, initial=0)
    gained = recording.kinetic_energy - recording.kinetic_energy[0]
    yield Claim(
        "work of the motor beside the energy gained",
        100 * np.abs(work - gained).max() / gained.max(),
        0.01,
        "%",
    )
