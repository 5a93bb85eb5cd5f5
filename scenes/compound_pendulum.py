"""Two rods swing on a nail, and the forces inside are in balance with their accelerations.

DC88 Fig. 3 and Fig. 5: F₁ holds the upper rod at the nail, F₂ holds it to the lower rod, −F₂ pulls the lower
one. So m a = F₁ + F₂ + m g for the upper rod and m a = −F₂ + m g for the lower, where a comes from the
recorded velocities alone.
"""

import numpy as np

from tinkerdyne import Nail, Rod, World, connect, gravity
from tinkerdyne.gallery import Claim

IDS = ("R7", "R9", "R10")
GROUP = "Papers"
SECONDS = 4.0
EVERY = 1 / 480
G = np.array((0, 0, -9.81))


def build():
    world = World(method="adaptive", rtol=1e-10, atol=1e-12)
    upper, lower = world.add(Rod("upper", position=(0.5, 0, 0)), Rod("lower", position=(1.5, 0, 0), mass=0.7))
    world.add(connect(upper.end1, Nail(0, 0, 0), name="F1"), connect(upper.end2, lower.end1, name="F2"))
    world.add(gravity())
    return world


def acceleration(velocity, dt):
    """Central differences of order 4, at all but two moments at each end [m/s²]."""
    return (velocity[:-4] - 8 * velocity[1:-3] + 8 * velocity[3:-1] - velocity[4:]) / (12 * dt)


def check(world, recording):
    F1, F2 = recording["F1.force"][2:-2], recording["F2.force"][2:-2]
    largest = np.linalg.norm(F1, axis=1).max()
    for name, forces in (("upper", F1 + F2), ("lower", -F2)):
        m = world[name].mass
        a = acceleration(recording[f"{name}.velocity"], EVERY)
        rest = np.linalg.norm(forces + m * G - m * a, axis=1).max()
        yield Claim(f"m a − forces of the {name} rod, of the largest F₁", 100 * rest / largest, 0.01, "%")
    action, reaction = (world.reactions(world["F2"])[name][:3] for name in ("upper", "lower"))
    yield Claim("F₂ on the upper rod + F₂ on the lower", np.abs(action + reaction).max(), 1e-9, "N")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "change of energy, of the potential's range",
        100 * np.ptp(energy) / np.ptp(recording.potential_energy),
        1e-5,
        "%",
    )
    yield Claim("widest joint opening", max(recording["F1.gap"].max(), recording["F2.gap"].max()), 1e-8, "m")
