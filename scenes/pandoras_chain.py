"""Rings link up into two chains, one holds a trap door and one hangs from it, and all of it swings to rest.

DC88 Fig. 26: torsion springs keep each ring across the one before it; gravity and viscous damping act on
everything. Once it is linked, energy goes into damping alone; at rest the moments on the door cancel, and the
rings hang at right angles.
"""

import numpy as np
from scipy.integrate import simpson

from tinkerdyne import Box, Nail, Torus, World, connect, damping, frame, gravity, join, pin, torsion_spring
from tinkerdyne.gallery import Claim

IDS = ("R2", "R10")
GROUP = "Papers"
SECONDS = 20.0
N, TAU, RATE = 10, 0.3, 1.0  # rings of a chain; s; 1/s
DEEP, SIZE, DOOR, RING, G = 1.2, 0.2, 6.0, 0.3, 9.81  # m of the door and of a ring, kg of both, m/s²
ACROSS = (1, 0, 0, 0, 0, 1, 0, -1, 0)  # axes turned by a right angle about x


def build(seed=0):
    world, random = World(max_step=1 / 480), np.random.default_rng(seed)
    door = world.add(Box("door", size=(DEEP, 1.6, 0.06), mass=DOOR, position=(DEEP / 2, 0, 0)))
    world.add(join(pin, None, door, at=(0, 0, 0), axis=(0, 1, 0), name="hinge"))
    for chain, first in (("upper", Nail(0, 0, DEEP)), ("lower", door.right)):
        last, before = first, None
        for k in range(N):
            q = np.array((1, 0, 1, 0)) + random.normal(0, 0.2, 4)
            place = np.array((DEEP, 0, DEEP - k * SIZE)) + random.uniform(-0.5, 0.5, 3)
            body = {"radius": 0.4 * SIZE, "thickness": 0.1 * SIZE, "mass": RING}
            ring = world.add(Torus(f"{chain} {k}", **body, position=place, orientation=q / np.linalg.norm(q)))
            world.add(connect(ring.left, last, tau=TAU, name=f"{chain} link {k}"))
            if before is not None:
                world.add(torsion_spring(frame(before, axes=ACROSS), frame(ring), stiffness=0.5))
            last, before = ring.right, ring
        if chain == "upper":
            world.add(connect(door.right, last, tau=TAU, name="hook"))
    world.add(gravity(g=(0, 0, -G)), damping(rate=RATE))
    return world


def check(world, recording):
    t, kinetic = recording.time, recording.kinetic_energy
    linked = np.searchsorted(t, 20 * TAU)
    energy = (kinetic + recording.potential_energy)[linked:]
    lost = 2 * RATE * simpson(kinetic[linked:], x=t[linked:])  # the power of a force −c M v is −2 c T
    yield Claim(
        "change of energy + what damping takes, of it", 100 * (energy[-1] - energy[0] + lost) / lost, 0.2, "%"
    )
    hook, hung = recording["hook.force"][-1], recording["lower link 0.force"][-1]
    yield Claim.near("weight of the chain that hangs free", hung[2], N * RING * G, 1e-3, "N")
    moment = np.cross(2 * recording["door.position"][-1], hook - hung) + np.cross(
        recording["door.position"][-1], (0, 0, -DOOR * G)
    )
    yield Claim("moment on the door about its hinge", moment[1], 0.01, "N m")
    w, x, y, z = np.array([world[f"lower {k}"].orientation for k in range(N)]).T
    across = np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    bend = np.abs((across[1:] * across[:-1]).sum(axis=1)).max()
    yield Claim("largest cosine between neighbouring rings", bend, 1e-3)
    yield Claim(
        "widest gap at the end",
        max(v[-1] for name, v in recording.items() if name.endswith(".gap")),
        1e-7,
        "m",
    )
