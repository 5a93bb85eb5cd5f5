"""A tippe top is spun on its round side, turns over by sliding friction alone, and goes on upon its stem.

Its centre of mass lies below the middle of its ball, and rises. Whatever the friction, Jellett's quantity L·p
is kept, p the way from the centre of mass to where the ball touches the table. With two thirds of the spin it
does not turn over.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from tinkerdyne import Capsule, Compound, Cylinder, Floor, Sphere, World, contact, gravity
from tinkerdyne.gallery import Claim

IDS = ("R11",)
GROUP = "Stacks, rolls and blows"
SECONDS = 2.5
EVERY = 1 / 240
R, SPIN, TILT = 0.02, 250.0, 0.1  # m, rad/s, rad


def build(spin=SPIN, step=1 / 2000):
    world = World(max_step=step)
    shapes = {
        "ball": Sphere(radius=R, density=600),
        "load": Cylinder(radius=0.013, length=0.004, density=3000, position=(-0.008, 0, 0)),
        "stem": Capsule(radius=0.003, length=0.01, density=600, position=(0.018, 0, 0)),
    }
    top = Compound("top", shapes=shapes)
    half, axis = (np.pi / 2 - TILT) / 2, np.array((np.sin(TILT), 0, np.cos(TILT)))  # its stem is its own x
    top.orientation = (np.cos(half), 0.0, -np.sin(half), 0.0)
    top.position = tuple(np.array((0, 0, R)) + top.offset[0] * axis)
    top.spin = tuple(spin * np.array((np.cos(TILT), 0, np.sin(TILT))))  # about the vertical
    world.add(gravity(), contact(friction=0.3), Floor("table", size=0.2), top)
    world.show(is_running=True)
    return world


def check(world, recording):
    top = world["top"]
    turn = Rotation.from_quat(np.roll(recording["top.orientation"], -1, axis=1))
    stem = turn.apply((1, 0, 0))
    spun = turn.apply(recording["top.spin"] @ np.array(top.inertia))
    reach = -np.array(top.offset[0]) * stem - (0, 0, R)
    jellett = (spun * reach).sum(axis=1)
    is_on_ball = stem[:, 2] > -0.7  # the end of the stem, 23 mm from the middle, has a radius of 3 mm
    first = slice(0, int(np.argmin(is_on_ball)))
    off = 100 * np.abs(jellett[first] / jellett[0] - 1).max()
    yield Claim("change of Jellett's L·p while it is on its ball", off, 0.1, "%")
    yield Claim.near("where its stem points in the end, 1 is up", stem[-1, 2], -1.0, 0.05)
    rises = recording["top.position"][-1, 2] - recording["top.position"][0, 2]
    yield Claim.at_least("rise of its centre of mass", 1e3 * rises, 5.0, "mm")
    yield Claim.at_least("spin about the vertical in the end, as at first", spun[-1, 2] / spun[0, 2], 0.3)
    slow = build(spin=2 / 3 * SPIN).record(1.5)["top.orientation"]
    up = 2 * (slow[:, 1] * slow[:, 3] - slow[:, 0] * slow[:, 2])
    yield Claim.near("where it points with two thirds of the spin, at least", up.min(), 1.0, 0.05)
