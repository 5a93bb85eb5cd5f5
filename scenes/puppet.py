"""A puppet of eleven troids waves: two of its points follow keyed paths, the rest moves passively, from jello
to nearly rigid.

ID90 Fig. 4. Every limb is a sheet with the mass of its drawing, drawn back to its shape by an elastic force;
joints are exact. The paths are splines through keys in time, so the wanted acceleration is exact: the hand is
on its path at every moment.
"""

import numpy as np
from scipy.interpolate import CubicSpline

from tinkerdyne import World, connect, damping, elastic, gravity, path, point, sheet
from tinkerdyne.gallery import Claim

IDS = ("G6", "G7")
GROUP = "Machines"
SECONDS = 6.0
STIFFNESS = 40.0  # N m
# Each limb: corners of its drawing, and the joint to the limb that carries it.
LIMBS = {
    "chest": ([(-0.25, 0.9), (0.25, 0.9), (0.32, 1.45), (-0.32, 1.45)], None, None),
    "belly": ([(-0.22, 0.5), (0.22, 0.5), (0.25, 0.95), (-0.25, 0.95)], "chest", (0.0, 0.92)),
    "head": (
        [(-0.14, 1.5), (0.14, 1.5), (0.2, 1.7), (0.12, 1.9), (-0.12, 1.9), (-0.2, 1.7)],
        "chest",
        (0.0, 1.48),
    ),
    "left arm": ([(-0.7, 1.34), (-0.3, 1.32), (-0.3, 1.46), (-0.7, 1.44)], "chest", (-0.3, 1.4)),
    "left hand": ([(-1.1, 1.36), (-0.68, 1.34), (-0.68, 1.44), (-1.1, 1.46)], "left arm", (-0.69, 1.39)),
    "right arm": ([(0.3, 1.32), (0.7, 1.34), (0.7, 1.44), (0.3, 1.46)], "chest", (0.3, 1.4)),
    "right hand": ([(0.68, 1.34), (1.1, 1.36), (1.1, 1.46), (0.68, 1.44)], "right arm", (0.69, 1.39)),
    "left thigh": ([(-0.22, 0.05), (-0.04, 0.05), (-0.02, 0.52), (-0.22, 0.52)], "belly", (-0.12, 0.5)),
    "left shin": ([(-0.2, -0.42), (-0.06, -0.42), (-0.05, 0.08), (-0.21, 0.08)], "left thigh", (-0.13, 0.06)),
    "right thigh": ([(0.04, 0.05), (0.22, 0.05), (0.22, 0.52), (0.02, 0.52)], "belly", (0.12, 0.5)),
    "right shin": ([(0.06, -0.42), (0.2, -0.42), (0.21, 0.08), (0.05, 0.08)], "right thigh", (0.13, 0.06)),
}
HAND = [
    (0, 1.08, 1.41),
    (1, 0.95, 1.95),
    (2, 1.1, 1.75),
    (3, 0.85, 2.0),
    (4, 1.1, 1.8),
    (5, 0.95, 1.95),
    (6, 1.0, 1.6),
]
HEAD = [(0, 0.0, 1.88), (1.5, 0.15, 1.95), (3, -0.15, 1.9), (4.5, 0.15, 1.95), (6, 0.0, 1.88)]


def build(stiffness=STIFFNESS):
    # a few steps for each shiver of a limb
    world = World(max_step=min(1, (STIFFNESS / stiffness) ** 0.5) / 240)
    for name, (corners, parent, joint) in LIMBS.items():
        limb = world.add(sheet(name, vertices=corners, mass=0.5))
        world.add(elastic(limb, stiffness=stiffness, name=f"{name} elastic"))
        if parent:
            world.add(connect(at(limb, joint), at(world[parent], joint), name=f"{name} joint"))
    world.add(connect(at(world["right hand"], HAND[0][1:]), path(keys=HAND), name="hand path"))
    world.add(connect(at(world["head"], HEAD[0][1:]), path(keys=HEAD), name="head path"))
    world.add(gravity(g=(0, -9.81)), damping(rate=1.5))
    world.show(is_running=True)
    return world


def at(limb, place):
    """The material point of a limb that lies at a place before anything moves."""
    return point(limb, at=np.subtract(place, limb.position))


def check(world, recording):
    hand, limb = np.array(HAND), "right hand"
    material = np.subtract(HAND[0][1:], start(limb))
    shape = recording[f"{limb}.shape"].reshape(-1, 2, 2).transpose(0, 2, 1)
    found = recording[f"{limb}.position"] + shape @ material
    wanted = CubicSpline(hand[:, 0], hand[:, 1:], bc_type="clamped")(recording.time)
    yield Claim("hand beside its path", np.abs(found - wanted).max(), 1e-7, "m")
    yield Claim(
        "widest gap of a joint", max(v.max() for n, v in recording.items() if n.endswith(".gap")), 1e-7, "m"
    )
    stretch = [np.linalg.svd(recording[f"{n}.shape"].reshape(-1, 2, 2), compute_uv=False) for n in LIMBS]
    yield Claim("largest stretch of a limb", 100 * max(np.abs(s - 1).max() for s in stretch), 35, "%")
    yield Claim.at_least("limbs", len(LIMBS), 10)


def start(limb):
    """Where a limb's centre of mass lies in its drawing."""
    return sheet(vertices=LIMBS[limb][0]).position
