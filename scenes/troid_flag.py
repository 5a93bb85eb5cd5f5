"""A flag of affine patches is shaken at its pole: two hundred troids, one factored matrix, nothing lost at
the seams.

Patches are joined at their corners; the pole's side follows a keyed path. Neither the work of the hand nor
the energy may vanish: energy at the end is what the hand has done, less what damping took.
"""

import numpy as np
from scipy.integrate import simpson
from scipy.interpolate import CubicSpline

from tinkerdyne import Troid, World, connect, damping, elastic, gravity, path, point
from tinkerdyne.gallery import Claim

IDS = ("G6",)
GROUP = "Optimisation, fits and images"
SECONDS = 2.0
EVERY = 1 / 240
WIDE, HIGH, SIZE, RATE = 20, 10, 0.1, 0.5
KEYS = [(0, 0, 0), (0.4, 0.1, 0.05), (0.8, -0.1, -0.05), (1.2, 0.1, 0.05), (1.6, -0.05, 0), (2, 0, 0)]


def build(wide=WIDE, high=HIGH):
    world = World(max_step=1 / 480)
    half = SIZE / 2
    patch = {}
    for i in range(wide):
        for j in range(high):
            place, second = ((i + 0.5) * SIZE, (j + 0.5) * SIZE), 0.01 * SIZE**2 / 12
            patch[i, j] = world.add(
                Troid(
                    f"patch {i} {j}",
                    mass=0.01,
                    second_moment=(second,),
                    position=place,
                    drawing=(-half, -half, half, -half, half, half, -half, half),
                )
            )
            world.add(elastic(patch[i, j], stiffness=0.05))
    for (i, j), one in patch.items():
        if i + 1 < wide:
            world.add(connect(point(one, at=(half, half)), point(patch[i + 1, j], at=(-half, half))))
        if j + 1 < high and i + 1 < wide:
            world.add(connect(point(one, at=(half, half)), point(patch[i, j + 1], at=(half, -half))))
    for j in range(high):
        keys = [(t, x, (j + 0.5) * SIZE + y) for t, x, y in KEYS]
        world.add(connect(point(patch[0, j], at=(-half, 0)), path(keys=keys), name=f"pole {j}"))
    world.add(gravity(g=(0, -9.81)), damping(rate=RATE))
    world.show(is_running=True)
    return world


def check(world, recording):
    gaps = max(v.max() for n, v in recording.items() if n.endswith(".gap"))
    yield Claim("widest gap of a seam", gaps, 1e-7, "m")
    keys = np.array(KEYS)
    speed = CubicSpline(keys[:, 0], keys[:, 1:], bc_type="clamped")(recording.time, 1)
    power = (
        sum((recording[f"pole {j}.force"] * speed).sum(axis=1) for j in range(HIGH))
        - 2 * RATE * recording.kinetic_energy
    )
    energy = recording.kinetic_energy + recording.potential_energy
    work = np.array([simpson(power[: k + 1], x=recording.time[: k + 1]) for k in range(24, len(power), 24)])
    gained = energy[24::24] - energy[0]
    yield Claim(
        "energy beside the work of hand and damping",
        100 * np.abs(gained - work).max() / np.ptp(energy),
        1.0,
        "%",
    )
    yield Claim(
        "factorings of the constraint matrix a step", world.counts["factorings"] / world.counts["steps"], 0.01
    )
