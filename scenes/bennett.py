"""Bennett's loop turns although counting says that it cannot: four bars in space, four hinges, 18 − 20
freedoms.

Bars of the lengths a, b, a, b whose ends are twisted by α, β, α, β close for every angle when a/sin α = b/sin
β. Two neighbouring hinges then obey tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2) / sin((β − α)/2).
"""

import numpy as np
from scipy.spatial.transform import Rotation

from tinkerdyne import Rod, World, join, pin
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7", "E8")
GROUP = "Linkages"
SECONDS = 5.0
TWIST = np.radians((40.0, 110.0))
LENGTH = np.sin(TWIST) / np.sin(TWIST[0])  # m
RATIO = np.sin(TWIST.sum() / 2) / np.sin((TWIST[1] - TWIST[0]) / 2)
SPIN = 12.0  # rad/s, of the first bar before the others are tied to it
START = 0.9  # rad, the first hinge


def build():
    world = World(max_step=1 / 1000, tolerance=1e-12)
    second = 2 * np.arctan(RATIO / np.tan(START / 2))
    place, turn, bars, hinges = np.zeros(3), Rotation.identity(), [], []
    # Denavit and Hartenberg's frames, one after the other
    for k, angle in enumerate((START, second, -START, -second)):
        hinges.append((place, turn.as_matrix()[:, 2]))
        turn = turn * Rotation.from_euler("z", angle)
        along, pose = LENGTH[k % 2] * turn.as_matrix()[:, 0], turn.as_quat(scalar_first=True)
        bars.append(Rod(f"bar{k + 1}", length=LENGTH[k % 2], position=place + along / 2, orientation=pose))
        place, turn = place + along, turn * Rotation.from_euler("x", TWIST[k % 2])
    bars[3].is_fixed = True
    world.add(*bars)
    for k, (at, axis) in enumerate(hinges):  # hinge k + 1 is at the start of its bar
        hinge = world.add(join(pin, bars[k - 1], bars[k], at=at, axis=axis, name=f"hinge{k + 1}"))
        world.add(hinge.turn)
    bars[0].spin, bars[0].velocity = (0, 0, SPIN), SPIN * np.cross(hinges[0][1], bars[0].position)
    world.project()
    world.show(is_running=True)
    return world


def run(world):
    shown = [world[f"{what}{k}"] for what in ("bar", "hinge") for k in (1, 2, 3, 4)]
    return world.record(SECONDS, every=1 / 120, of=[*shown, *[hinge.turn for hinge in shown[4:]]])


def check(world, recording):
    first, second, third, fourth = (recording[f"hinge{k}.turn.value"] for k in (1, 2, 3, 4))
    a, b = first + START, second + 2 * np.arctan(RATIO / np.tan(START / 2))
    law = np.sin(a / 2) * np.sin(b / 2) - RATIO * np.cos(a / 2) * np.cos(b / 2)
    yield Claim("Bennett's law of two hinges", np.abs(law).max(), 1e-9)
    yield Claim(
        "turns of opposite hinges",
        max(np.abs(first + third).max(), np.abs(second + fourth).max()),
        1e-9,
        "rad",
    )
    yield Claim.at_least("turns", np.ptp(first) / (2 * np.pi), 2)
    yield Claim(
        "widest gap of a hinge", max(recording[f"hinge{k}.gap"].max() for k in (1, 2, 3, 4)), 1e-10, "m"
    )
    yield Claim(
        "change of energy", 100 * np.ptp(recording.kinetic_energy) / recording.kinetic_energy[0], 1e-4, "%"
    )
    found = world.diagnose()
    yield Claim.near("freedoms", found.freedoms, 1, 0)
    yield Claim.near("hinges that repeat each other", len(found.redundant[0]), 4, 0)
