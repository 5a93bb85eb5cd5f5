"""A Miura-ori sheet folds itself: one spring in one crease closes all of them.

4 × 4 rigid parallelograms with a hinge along each of the 24 creases: 90 freedoms against 120 rows, and yet
one is left. The sheet shrinks both ways at once, as Schenk and Guest's closed form says: S, L and H of a
cell, all from the fold angle θ.
"""

import numpy as np
from scipy.integrate import cumulative_simpson

from tinkerdyne import Mesh, World, drive, join, pin, scalar_spring
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7", "E8")
GROUP = "Linkages"
SECONDS = 6.0
PANELS, A, B, GAMMA = 4, 1.0, 1.0, np.radians(60)  # a side; m, the panels' sides; their angle
FLAT, FOLDED, THICK = np.radians(10), np.radians(70), 0.01  # rad, the fold at first and wanted; m
STIFFNESS, DAMPING = 200.0, 200.0  # N m, N m s, of the one crease
# of a panel, by its corners
SIDES = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (3, 2, 1, 0), (4, 5, 6, 7)]
FACES = [three for a, b, c, d in SIDES for three in ((a, b, c), (a, c, d))]


def cell(theta):
    """Half width S, half length L, height H and shift V of a cell, folded by θ (Schenk and Guest 2013, eq.
    1–4)."""
    rise, slope = np.sin(theta) * np.sin(GAMMA), np.cos(theta) * np.tan(GAMMA)
    return B * slope / np.hypot(1, slope), A * np.sqrt(1 - rise**2), A * rise, B / np.hypot(1, slope)


def corner(i, j, theta):
    """Where the corner (i, j) of the sheet is."""
    S, L, H, V = cell(theta)
    return np.array((i * S, j * L + i % 2 * V, j % 2 * H))


def build():
    world = World(method="adaptive", tolerance=1e-10)
    panels = {}
    for i in range(PANELS):
        for j in range(PANELS):
            around = [corner(i + a, j + b, FLAT) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            normal = np.cross(around[1] - around[0], around[3] - around[0])
            normal *= THICK / 2 / np.linalg.norm(normal)
            panel = Mesh(
                f"panel{i}{j}",
                vertices=[p - normal for p in around] + [p + normal for p in around],
                faces=FACES,
            )
            panel.position = panel.offset
            panels[i, j] = world.add(panel)
    panels[0, 0].is_fixed = True
    for i in range(PANELS):
        for j in range(PANELS):
            for a, b in ((1, 0), (0, 1)):
                if (i + a, j + b) in panels:
                    start, end = corner(i + a, j + b, FLAT), corner(i + 1, j + 1, FLAT)
                    name = f"crease{i}{j}{'xy'[b]}"
                    world.add(
                        join(
                            pin,
                            panels[i, j],
                            panels[i + a, j + b],
                            at=(start + end) / 2,
                            axis=end - start,
                            name=name,
                        )
                    )
    spring = scalar_spring(
        world["crease11y"].turn, stiffness=STIFFNESS, rest=2 * (FOLDED - FLAT), name="spring"
    )
    world.add(spring, drive(world["crease11y"].turn, speed=0, gain=DAMPING, name="damper"))
    return world


def run(world):
    chosen = [item for item in world.items if item.type.family in ("object", "constraint")]
    return world.record(SECONDS, every=1 / 240, of=[*chosen, world["crease11y"].turn, world["damper"]])


def check(world, recording):
    theta = FLAT + recording["crease11y.turn.value"] / 2  # both panels at this crease are tilted by θ
    across = range(PANELS + 1)
    corners = np.array([[corner(i, j, theta) for j in across] for i in across])  # (i, j, xyz, time)
    wanted = (corners[1:, 1:] + corners[1:, :-1] + corners[:-1, 1:] + corners[:-1, :-1]).reshape(
        -1, 3, len(theta)
    ) / 4
    found = np.array([recording[f"panel{i}{j}.position"].T for i in range(PANELS) for j in range(PANELS)])
    apart, foreseen = (np.linalg.norm(x[:, None] - x[None], axis=2) for x in (found, wanted))
    yield Claim("distances of the panels beside the closed form", np.abs(apart - foreseen).max(), 1e-8, "m")
    yield Claim.near("fold at the end", np.degrees(theta[-1]), np.degrees(FOLDED), 0.1, "°")
    yield Claim(
        "widest gap of a crease",
        max(recording[name].max() for name in recording if name.endswith(".gap")),
        1e-9,
        "m",
    )
    energy = recording.kinetic_energy + recording.potential_energy
    lost = cumulative_simpson(recording["damper.power"], x=recording.time, initial=0)
    yield Claim(
        "energy beside the work of the damper",
        100 * np.abs(energy - energy[0] - lost).max() / energy[0],
        0.01,
        "%",
    )
    found = world.diagnose()
    yield Claim.near("freedoms", found.freedoms, 1, 0)
    yield Claim.near("creases that repeat each other", len(found.redundant[0]), 24, 0)
