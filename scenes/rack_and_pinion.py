"""A falling rack spins up a pinion, and a spring throws it up again.

The rack hangs in a guide and meshes with the pinion, which has a heavy rim: it falls with m g / (m + I/r²)
instead of g, stretches the spring, and swings about its place of rest with the period 2π √((m + I/r²)/k).
"""

import numpy as np

from tinkerdyne import Disc, Plate, World, gravity, join, pin, prismatic, rack, scalar_spring
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7")
GROUP = "Machines"
SECONDS = 4.0
MASS, WHEEL, RADIUS, STIFFNESS, G = 3.0, 8.0, 0.2, 80.0, 9.81  # kg, kg, m, N/m, m/s²


def build():
    world = World(max_step=1 / 2000, tolerance=1e-11)
    bar = Plate("rack", size=(2.0, 0.1), mass=MASS, position=(RADIUS + 0.05, 0), angle=-np.pi / 2)
    pinion = Disc("pinion", radius=RADIUS, mass=WHEEL)
    world.add(bar, pinion)
    guide, axle = (
        join(prismatic, None, bar, at=bar.position, toward=(0, -1)),
        join(pin, None, pinion, at=(0, 0)),
    )
    world.add(guide, axle, rack(guide.slide, axle.turn, radius=-RADIUS, name="teeth"))
    world.add(scalar_spring(guide.slide, stiffness=STIFFNESS), gravity(g=(0, -G)))
    return world


def check(world, recording):
    felt = MASS + WHEEL / 2  # I/r² of a disc is half its mass
    beat, fall = np.sqrt(STIFFNESS / felt), MASS * G / STIFFNESS
    wanted = -fall * (1 - np.cos(beat * recording.time))
    y = recording["rack.position"][:, 1]
    yield Claim("rack beside the closed form", np.abs(y - wanted).max(), 1e-6, "m")
    yield Claim("slip of the teeth", np.abs(y - RADIUS * recording["pinion.angle"]).max(), 1e-9, "m")
    push = recording["teeth.force"][:, 0] + WHEEL / 2 * fall * beat**2 * np.cos(beat * recording.time)
    yield Claim("force of the teeth beside I φ″/r", np.abs(push).max(), 1e-4, "N")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "change of energy, of the spring's", 100 * np.ptp(energy) / (2 * STIFFNESS * fall**2), 1e-4, "%"
    )
