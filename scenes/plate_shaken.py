"""A plate with nine little chains is shaken; the chains whip, and the hand feels it.

LD98 Fig. 6, at its size: 28 solids, cardan joints between them. The hand guides the plate's place along a
path and keeps it level; its impulse, with that of weight and damping, is the momentum of everything.
"""

import numpy as np
from scipy.integrate import cumulative_simpson

from tinkerdyne import (
    Box,
    Capsule,
    World,
    connect,
    damping,
    gravity,
    join,
    match,
    moving,
    universal,
    world_frame,
)
from tinkerdyne.gallery import Claim

IDS = ("A5", "A7")
GROUP = "Stacks, rolls and blows"
SECONDS = 8.0
EVERY = 1 / 480
LINKS, LENGTH, MASS, PLATE, RATE, G = 3, 0.3, 0.2, 2.0, 1.0, 9.81
# m, to and fro and still again
SHAKES = ("1.2*t^2*exp(-2*t)*sin(8*t)", "t^2*exp(-2*t)*sin(6*t)", "0.6*t^2*exp(-2*t)*sin(10*t)")


def build():
    world = World(method="adaptive", rtol=1e-8, atol=1e-10)
    plate = world.add(Box("plate", size=(1, 1, 0.04), mass=PLATE))
    world.add(
        connect(plate.centre, moving(*SHAKES), name="hand"),
        match(world_frame(), plate, locked="abc", name="level"),
    )
    for x in (-0.4, 0, 0.4):
        for y in (-0.4, 0, 0.4):
            last = plate
            for k in range(LINKS):
                top = np.array((x, y, -0.02 - k * LENGTH))
                pose = {
                    "position": top - (0, 0, LENGTH / 2),
                    "orientation": (np.sqrt(0.5), 0, np.sqrt(0.5), 0),
                }
                link = world.add(
                    Capsule(f"link {x:g} {y:g} {k}", radius=0.03, length=LENGTH - 0.06, mass=MASS, **pose)
                )
                world.add(join(universal, last, link, at=top))
                last = link
    world.add(gravity(g=(0, 0, -G)), damping(rate=RATE))
    return world


def check(world, recording):
    masses = {item.name: item.mass for item in world.items if item.type in (Box, Capsule)}
    yield Claim.at_least("solids", len(masses), 28)
    yield Claim.at_least(
        "scalar constraints", sum(v.shape[1] for name, v in recording.items() if name.endswith(".force")), 108
    )
    yield Claim(
        "widest gap on the way",
        max(v.max() for name, v in recording.items() if name.endswith(".gap")),
        1e-7,
        "m, rad",
    )
    momentum = sum(m * recording[f"{name}.velocity"] for name, m in masses.items())
    force = recording["hand.force"] - RATE * momentum - (0, 0, G * sum(masses.values()))
    error = (
        np.abs(momentum - cumulative_simpson(force, dx=EVERY, axis=0, initial=0)).max()
        / np.abs(momentum).max()
    )
    yield Claim("momentum − impulse, of the largest", 100 * error, 0.01, "%")
    yield Claim.near(
        "the hand carries at last", recording["hand.force"][-1, 2], G * sum(masses.values()), 1, "N"
    )
