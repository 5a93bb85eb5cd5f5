"""A net of rods and knots hangs from a rail; a hand pulls its corner about, lets go, and it hangs as before.

LD98 Fig. 5, at its size. The rods have a ball joint at one end and a cardan joint at the other. What the hand
spends is what the net gains and loses to damping; once it is let go, the net comes back.
"""

import numpy as np
from scipy.integrate import simpson

from tinkerdyne import Rod, Sphere, World, ball, connect, damping, gravity, join, path, universal
from tinkerdyne.gallery import Claim
from tinkerdyne.world.recording import joined

IDS = ("A5", "A7")
GROUP = "Linkages"
SECONDS = 14.0
COLUMNS, ROWS, LENGTH, RATE = 5, 6, 0.4, 2.0  # m, 1/s
WIDE = 1.15  # the rail's spacing, in lengths: the net hangs with its sides drawn in
CORNER = f"knot {COLUMNS - 1} {ROWS - 1}"
REST, DRAG = 4.0, 4.0  # s
DETOUR = ((0, 0, 0, 0), (1.5, 0.8, 1, 0.6), (3, 0.8, -1, 0.6), (DRAG, 0.8, -0.5, 0.3))  # s, m


def build():
    world = World(max_step=1 / 240)
    flat = {
        (i, j): np.array(((i - (COLUMNS - 1) / 2) * LENGTH, 0, -j * LENGTH))
        for i in range(COLUMNS)
        for j in range(ROWS)
    }
    knots = {ij: Sphere(f"knot {ij[0]} {ij[1]}", radius=0.05, mass=0.3, position=place, is_fixed=ij[1] == 0)
             for ij, place in flat.items()}  # fmt: skip
    joints, rods = [], []
    for name, di, dj, q in (
        ("across", 1, 0, (1, 0, 0, 0)),
        ("down", 0, 1, (np.sqrt(0.5), 0, np.sqrt(0.5), 0)),
    ):
        for (i, j), a in flat.items():
            if (i + di, j + dj) in flat and j + dj > 0:  # none along the rail
                b = flat[i + di, j + dj]
                rods.append(
                    Rod(
                        f"{name} {i} {j}",
                        length=LENGTH,
                        radius=0.02,
                        mass=0.2,
                        position=(a + b) / 2,
                        orientation=q,
                    )
                )
                joints.append(join(ball, knots[i, j], rods[-1], at=a))
                joints.append(join(universal, rods[-1], knots[i + di, j + dj], at=b, axis=b - a))
    for i in range(COLUMNS):
        knots[i, 0].position = flat[i, 0] * WIDE
    world.add(*knots.values(), *rods)
    world.add(*joints, gravity(), damping(rate=RATE))
    world.assemble()
    return world


def run(world):
    parts, corner = [world.record(REST)], world[CORNER]
    keys = [(world.time + t, *(np.array(corner.position) + way)) for t, *way in DETOUR]
    world.add(connect(corner.centre, path(keys=keys), name="hand"))
    parts.append(world.record(DRAG))
    world.remove("hand")
    return joined([*parts, world.record(SECONDS - REST - DRAG)])


def check(world, recording):
    solids = [name for name in recording if name.endswith(".position")]
    yield Claim.at_least("solids", len(solids), 56)
    yield Claim.at_least(
        "scalar constraints", sum(v.shape[1] for name, v in recording.items() if name.endswith(".force")), 261
    )
    yield Claim(
        "widest gap on the way",
        max(np.nanmax(v) for name, v in recording.items() if name.endswith(".gap")),
        1e-7,
        "m",
    )
    held = np.flatnonzero(np.isfinite(recording["hand.gap"]))
    t, kinetic, potential = (recording[name][held] for name in ("time", "kinetic_energy", "potential_energy"))
    work = simpson((recording["hand.force"] * recording[f"{CORNER}.velocity"])[held].sum(axis=1), x=t)
    spent = (kinetic + potential)[-1] - (kinetic + potential)[0] + 2 * RATE * simpson(kinetic, x=t)
    yield Claim("work of the hand − gain and loss, of it", 100 * (work - spent) / work, 0.01, "%")
    away = max(np.linalg.norm(recording[name][-1] - recording[name][held[0]]) for name in solids)
    yield Claim("distance from where it hung, at the end", away, 0.002, "m")
