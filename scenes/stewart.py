"""A Stewart platform dances on six legs whose lengths alone are driven.

Each leg stands on a universal joint, slides in a prismatic one and carries the platform by a ball: six
freedoms in all, none once the six lengths follow their paths. Inverse kinematics made the paths: the legs'
lengths at 61 poses of a wanted motion.
"""

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from tinkerdyne import Cylinder, Rod, World, ball, equal, gravity, join, number_path, prismatic, universal
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7", "R3")
GROUP = "Linkages"
SECONDS = 6.5
DANCE = 6.0  # s, then it rests
HEIGHT, MASS, G = 1.5, 20.0, 9.81
LEGS = range(6)
FEET = np.array([(1.2 * np.cos(a), 1.2 * np.sin(a), 0) for a in np.radians((-10, 10, 110, 130, 230, 250))])
# in the platform
HIPS = np.array([(0.7 * np.cos(a), 0.7 * np.sin(a), 0) for a in np.radians((-50, 50, 70, 170, 190, 290))])

FLAT = (0.5, -0.5, -0.5, -0.5)  # the platform's cylinder lies with its axis upright


def pose(t):
    """The wanted motion: places and rotations of the platform, at rest before and after."""
    s = 2 * np.pi * (lambda x: x**3 * (10 - 15 * x + 6 * x * x))(np.clip(t / DANCE, 0, 1))
    place = np.stack([0.25 * np.sin(s), 0.2 * np.sin(2 * s), HEIGHT + 0.15 * np.sin(s) ** 2], -1)
    return place, Rotation.from_rotvec(np.stack([0.2 * np.sin(2 * s), 0.25 * np.sin(s), 0.3 * np.sin(s)], -1))


def lengths(place, turn):
    """Inverse kinematics: the lengths of the legs for a pose of the platform, (n, 6)."""
    hips = place[:, None] + np.stack([turn.apply(hip) for hip in HIPS], 1)
    return np.linalg.norm(hips - FEET, axis=-1)


KEYS = np.linspace(0, DANCE, 61)
WANTED = lengths(*pose(KEYS))


def build():
    world = World(max_step=1 / 240, tolerance=1e-10)
    middle = np.array((0, 0, HEIGHT))
    platform = world.add(
        Cylinder("platform", radius=0.8, length=0.1, mass=MASS, position=middle, orientation=FLAT)
    )
    for k, (foot, hip) in enumerate(zip(FEET, HIPS + middle, strict=True)):
        along = (hip - foot) / np.linalg.norm(hip - foot)
        turn = Rotation.align_vectors([along], [(1, 0, 0)])[0].as_quat(scalar_first=True)
        lower = Cylinder(
            f"cylinder{k}", radius=0.05, length=1.0, position=foot + 0.5 * along, orientation=turn
        )
        upper = Rod(f"rod{k}", radius=0.03, length=1.0, position=hip - 0.5 * along, orientation=turn)
        world.add(lower, upper)
        leg = world.add(join(prismatic, lower, upper, at=hip, axis=along, name=f"leg{k}"))
        world.add(join(universal, None, lower, at=foot, axis=along, name=f"foot{k}"))
        world.add(join(ball, upper, platform, at=hip, name=f"hip{k}"))
        path = number_path(keys=np.column_stack([KEYS, WANTED[:, k] - WANTED[0, k]]), name=f"path{k}")
        world.add(equal(leg.slide, path, name=f"drive{k}"))
    world.add(gravity(g=(0, 0, -G)))
    world.show(is_running=True)
    return world


def check(world, recording):
    flat, turned = (
        Rotation.from_quat(q, scalar_first=True) for q in (FLAT, recording["platform.orientation"])
    )
    place, turn = recording["platform.position"], turned * flat.inv()
    splines = CubicSpline(KEYS, WANTED, bc_type="clamped")(np.minimum(recording.time, DANCE))
    yield Claim(
        "legs of the platform's pose beside their paths",
        np.abs(lengths(place, turn) - splines).max(),
        1e-8,
        "m",
    )
    there, facing = pose(recording.time)
    yield Claim("platform beside the wanted motion", np.abs(place - there).max(), 1e-4, "m")
    yield Claim("its turn beside the wanted one", (turn * facing.inv()).magnitude().max(), 1e-4, "rad")
    held = sum(world[f"hip{k}"].reaction[0][2] for k in LEGS)
    yield Claim.near("weight carried by the legs at the end", held, MASS * G, 1e-6, "N")
    yield Claim.near("freedoms with the legs driven", world.diagnose().freedoms, 0, 0)
    loose = build()
    for k in LEGS:
        loose[f"drive{k}"].is_on = False
    yield Claim.near("freedoms with the legs free", loose.diagnose().freedoms, 6, 0)
