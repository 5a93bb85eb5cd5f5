"""A rod's middle follows a path by keys while its axis follows a turning slot.

DC88 Fig. 4 and C.1, C.3: both start unmet, and both deviations from the moving goal decay as (1 + t/τ)
e^(−t/τ). The force is then m (x″ + D″ − g), with the path's acceleration x″ taken from scipy's own splines
through the same keys.
"""

import numpy as np
from scipy.interpolate import CubicSpline

from tinkerdyne import Rod, World, align, connect, direction, direction_path, gravity, path
from tinkerdyne.gallery import Claim

IDS = ("R3", "R10")
GROUP = "Papers"
SECONDS = 4.0
TAU, G, MASS = 0.25, np.array((0, 0, -9.81)), 2.0
OFF = np.array((0.5, -0.4, 0.3))  # m, from the path's start to the rod's
PATH = np.array([(0, 0, 0, 0), (1, 1, 1, 0.5), (2, 2, 0, 1), (3, 1, -1, 0.5), (4, 0, 0, 0)])
SLOT = np.array([(0, 0, 1, 0), (2, 1, 1, 1), (4, 0, 0, 1)])


def build():
    world = World(max_step=1 / 2000)
    rod = world.add(Rod("rod", mass=MASS, position=PATH[0, 1:] + OFF))
    world.add(connect(rod.centre, path(keys=PATH), tau=TAU, name="path"))
    world.add(
        align(direction_path(keys=SLOT), direction(rod, along=(1, 0, 0)), tau=TAU, name="slot"), gravity()
    )
    return world


def check(world, recording):
    t = recording.time[:, None]
    decay, rest = (1 + t / TAU) * np.exp(-t / TAU), np.exp(-t / TAU)
    place, slot = (CubicSpline(keys[:, 0], keys[:, 1:], bc_type="clamped") for keys in (PATH, SLOT))
    off = np.abs(recording["rod.position"] - place(t[:, 0]) - OFF * decay).max()
    yield Claim("distance from path + D₀ (1 + t/τ) e^(−t/τ)", off, 1e-6, "m")
    force = MASS * (place(t[:, 0], 2) + OFF * (t / TAU - 1) / TAU**2 * rest - G)
    error = np.abs(recording["path.force"] - force).max()
    yield Claim("force on the path against its closed form", 100 * error / np.abs(force).max(), 1e-3, "%")
    w, x, y, z = recording["rod.orientation"].T
    axis = np.column_stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    goal = slot(t[:, 0])
    angle = np.arctan2(np.linalg.norm(np.cross(goal, axis), axis=1), (goal * axis).sum(axis=1))
    yield Claim(
        "angle to the slot, from π/2 (1 + t/τ) e^(−t/τ)",
        np.abs(angle - np.pi / 2 * decay[:, 0]).max(),
        1e-6,
        "rad",
    )
