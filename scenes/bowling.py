"""A bowling ball slides, begins to roll at five sevenths of its speed, and strikes ten pins.

It is thrown without a spin. Friction slows it and turns it until it rolls, after 2 v/(7 μ g) seconds and at
5/7 v, whatever μ is. The pins stand a foot apart, and the ball comes in beside the first.
"""

import numpy as np

from tinkerdyne import Compound, Cylinder, Floor, Sphere, World, contact, gravity
from tinkerdyne.gallery import Claim

IDS = ("R11",)
GROUP = "Stacks, rolls and blows"
SECONDS = 4.0
EVERY = 1 / 120
SPEED, SLICK, G = 5.0, 0.2, 9.81  # m/s, μ of ball and lane, m/s²
RADIUS, LANE, FOOT = 0.108, 4.0, 0.3048  # m
UP = (np.sqrt(0.5), 0.0, -np.sqrt(0.5), 0.0)  # the turn of a cylinder that stands


def pin(name, x, y):
    """A belly on a foot, with a neck and a head."""
    part = {"orientation": UP, "density": 600}
    shapes = {
        "foot": Cylinder(length=0.09, radius=0.04, position=(0, 0, 0.045), **part),
        "belly": Sphere(radius=0.06, position=(0, 0, 0.115), density=600),
        "neck": Cylinder(length=0.18, radius=0.025, position=(0, 0, 0.24), **part),
        "head": Sphere(radius=0.032, position=(0, 0, 0.348), density=600),
    }
    made = Compound(name, shapes=shapes)
    made.position = np.array((x, y, 0)) + made.offset
    return made


def build(aside=0.075, step=1 / 240):
    """The ball goes this far beside the middle of the lane [m]."""
    world = World(max_step=step)
    world.add(
        gravity(),
        contact(friction=SLICK, restitution=0.5),
        Floor("lane", size=6.0, position=(LANE - 1, 0, 0)),
    )
    place, way = (0, aside, RADIUS), (SPEED, 0, 0)
    world.add(Sphere("ball", radius=RADIUS, mass=6.8, position=place, velocity=way))
    for row in range(4):
        for k in range(row + 1):
            world.add(pin(f"pin{row}{k}", LANE + FOOT * np.sqrt(0.75) * row, FOOT * (k - row / 2)))
    world.show(is_running=True)
    return world


def check(world, recording):
    time, speed = recording.time, recording["ball.velocity"][:, 0]
    is_ahead = recording["ball.position"][:, 0] < LANE - 0.3
    rolls = 2 * SPEED / (7 * SLICK * G)
    slides = time < rolls - 0.02
    off = speed[slides] - SPEED + SLICK * G * time[slides]
    yield Claim("speed while it slides, beside v − μ g t", np.abs(off).max(), 1e-6, "m/s")
    then = is_ahead & (time > rolls + 0.02)
    yield Claim("speed while it rolls, beside 5/7 v", np.abs(speed[then] - 5 / 7 * SPEED).max(), 1e-3, "m/s")
    surface = RADIUS * recording["ball.spin"][then, 1]
    yield Claim("slip of its surface on the lane", np.abs(surface - speed[then]).max(), 1e-4, "m/s")
    pins = [item.name for item in world if item.name.startswith("pin")]
    down = sum(recording[f"{name}.position"][-1, 2] < 0.1 for name in pins)
    yield Claim.at_least("pins down", down, 8)
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "energy gained at any moment, of all", 100 * np.diff(energy).max() / np.ptp(energy), 0.01, "%"
    )
