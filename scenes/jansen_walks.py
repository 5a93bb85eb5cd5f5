"""Jansen's walker crosses rough ground on its own legs: nothing holds it but the friction of its feet.

Six legs, three phases a side, hang on one hull, and one crank drives them all evenly. At least one foot of
either side is down at any time. How far it comes in a turn follows from where the lowest feet go on paper.
"""

from itertools import combinations

import numpy as np

from scenes.jansen import A, L, M, joints
from tinkerdyne import (
    Disc,
    PlanarFloor,
    PlanarRod,
    Polygon,
    World,
    connect,
    contact,
    gravity,
    ignore,
    join,
    pin,
    point,
    speed,
)
from tinkerdyne.gallery import Claim

IDS = ("A7", "R11")
GROUP = "Linkages"
SECONDS = 8.0
SPEED, HEAVY = -np.pi / 2, 5.0  # rad/s, kg/m²
LEGS = [(side, phase) for side in (-1, 1) for phase in 2 * np.pi * np.arange(3) / 3]


def build(rough=0.05, step=1 / 240):
    """On bumps as high as `rough` [m]."""
    world, random = World(max_step=step), np.random.default_rng(2)
    up = np.array((0.0, -min(joints(phase, side)["y"][1] for side, phase in LEGS)))
    hull = Polygon("hull", vertices=[(-A, -L), (A, -L), (0.2, 0.25), (-0.2, 0.25)], density=4 * HEAVY)
    hull.position = up + hull.offset
    crank = Disc("crank", radius=M, density=HEAVY, position=up, spin=SPEED)
    world.add(hull, crank)
    axle = join(pin, hull, crank, at=tuple(up), name="axle")
    world.add(axle, speed(axle.turn, at=(SPEED,), name="motor"), gravity(g=(0, -9.81)))
    for k, (side, phase) in enumerate(LEGS):
        add_leg(world, hull, crank, f"leg{k}", up, side, phase)
    parts = [item for item in world if item.type.family == "object"]
    world.add(*(ignore(a, b) for a, b in combinations(parts, 2)))  # legs pass beside each other
    world.add(contact(friction=0.8), PlanarFloor("ground", size=6.0, position=(1.5, 0.0)))
    for k in range(20 if rough else 0):
        x, high = 0.25 * (k - 4) + random.uniform(-0.05, 0.05), rough * random.uniform(0.3, 1.0)
        corners = [(x - 0.12, -0.01), (x + 0.12, -0.01), (x + random.uniform(-0.04, 0.04), high)]
        bump = Polygon(f"bump{k}", vertices=corners, is_fixed=True)
        bump.position = bump.offset
        world.add(bump)
    world.project()
    world.show(is_running=True)
    return world


def add_leg(world, hull, crank, name, up, side, phase):
    """Two plates and four bars, joined to the hull at q and to the crank at p."""
    at = {key: place + up for key, place in joints(phase, side).items()}

    def bar(start, end):
        middle, (x, y) = (at[start] + at[end]) / 2, at[end] - at[start]
        size = {"length": np.hypot(x, y), "width": 0.02, "density": HEAVY}
        return PlanarRod(f"{name}.{start}{end}", position=middle, angle=np.arctan2(y, x), **size)

    def plate(*corners):
        made = Polygon(f"{name}.{''.join(corners)}", vertices=[at[c] for c in corners], density=HEAVY)
        made.position = made.offset
        return made

    hip, shin = world.add(plate("q", "u", "w"), plate("v", "x", "y"))
    upper, lower, arm, link = world.add(bar("p", "u"), bar("p", "v"), bar("q", "v"), bar("w", "x"))
    throw = point(crank, at=at["p"] - up)
    fixed = point(hull, at=at["q"] - hull.position)
    pairs = ((throw, upper.end1), (throw, lower.end1), (fixed, hip.corner1), (fixed, arm.end1))
    pairs += ((upper.end2, hip.corner2), (hip.corner3, link.end1), (link.end2, shin.corner2))
    pairs += ((lower.end2, arm.end2), (lower.end2, shin.corner1))
    world.add(*(connect(a, b) for a, b in pairs))


def step_on_paper():
    """How far a turn takes the hull if the lowest foot of a side stands still, the mean of both sides [m]."""
    angle = np.linspace(0, -2 * np.pi, 3601)
    way = 0.0
    for side in (-1, 1):
        feet = np.array([joints(angle + phase, side)["y"] for s, phase in LEGS if s == side])
        lowest = feet[:, :, 1].argmin(axis=0)[:-1]
        way -= np.diff(feet[:, :, 0], axis=1)[lowest, np.arange(len(lowest))].sum() / 2
    return way


def check(world, recording):
    place, angle = recording["hull.position"], recording["hull.angle"]
    turns = np.abs(recording["crank.angle"][-1] - angle[-1]) / (2 * np.pi)
    yield Claim.near("turns of the crank", turns, -SPEED * SECONDS / (2 * np.pi), 1e-6)
    way = place[-1, 0] - place[0, 0]
    yield Claim("way in a turn beside that on paper", 100 * (way / (turns * step_on_paper()) - 1), 15.0, "%")
    yield Claim("up and down of the hull", 1e3 * np.ptp(place[:, 1]), 60.0, "mm")
    yield Claim("tilt of the hull", np.abs(angle).max(), 0.1, "rad")
    gaps = [recording[name].max() for name in recording if name.endswith(".gap")]
    yield Claim("widest gap of a joint", max(gaps), 1e-7, "m")
