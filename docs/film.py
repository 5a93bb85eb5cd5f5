"""The scattered parts of a walking machine fly together at their joints, and it walks off.

This is the film of the README, which `make film` draws. The legs are those of the gallery's Jansen linkage.
The chassis slides along a rail and is geared to the crank, by as much as a standing foot goes back.
"""

import runpy
from pathlib import Path

import numpy as np

from tinkerdyne import (
    Disc,
    PlanarRod,
    Plate,
    Polygon,
    World,
    connect,
    gravity,
    join,
    pin,
    point,
    prismatic,
    rack,
    speed,
)
from tinkerdyne.gallery import Claim

IDS = ("A1", "R4", "R5")
SECONDS = 6.0
JANSEN = runpy.run_path(str(Path(__file__).parents[1] / "scenes" / "jansen.py"))
SPEED = -np.pi  # rad/s, of the crank
STRIDE = -0.198  # m/rad: how far the chassis goes while a foot stands
HEIGHT = 0.918  # m, of the axle above the ground
TAU = 0.3  # s, with which the joints close
LEGS = ((-1, 0.0), (1, 0.0), (-1, np.pi), (1, np.pi))  # side, and phase on the crank


def build(seed=3):
    """All parts where they belong, then moved apart; the motor waits until they have met."""
    world = World(tolerance=1e-9, max_step=1 / 240)
    chassis = world.add(Plate("chassis", size=(0.84, 0.08), position=(0, HEIGHT - 0.078), mass=2))
    crank = world.add(Disc("crank", radius=0.15, position=(0, HEIGHT), mass=0.5))
    rail = join(prismatic, None, chassis, at=(0, 0), toward=(1, 0), name="rail")
    axle = join(pin, chassis, crank, at=(0, HEIGHT), name="axle")
    world.add(rail, axle, rack(rail.slide, axle.turn, radius=STRIDE), gravity(g=(0, -9.81)))
    motor = world.add(speed(axle.turn, at=(0.0,), name="motor"))
    for k, (side, phase) in enumerate(LEGS):
        add_leg(world, chassis, crank, f"leg{k + 1}", JANSEN["joints"](phase, side))
    world.project()
    scatter(world, np.random.default_rng(seed), {chassis, crank})
    world.ramp(motor, "at", to=(SPEED,), start=1.2, end=2.0, is_smooth=True)
    return world


def add_leg(world, chassis, crank, name, at):
    """Two triangles and four bars on pin p of the crank and pin q of the chassis; `at` is from the axle."""
    up = np.array((0.0, HEIGHT))

    def bar(start, end):
        (x, y), middle = at[end] - at[start], (at[start] + at[end]) / 2
        size = {"length": np.hypot(x, y), "width": 0.03, "mass": 0.1}
        return PlanarRod(f"{name}.{start}{end}", position=up + middle, angle=np.arctan2(y, x), **size)

    def triangle(*corners):
        plate = Polygon(
            f"{name}.{''.join(corners)}", vertices=[up + at[corner] for corner in corners], mass=0.2
        )
        plate.position = plate.offset
        return plate

    hip, shin = world.add(triangle("q", "u", "w"), triangle("v", "x", "y"))
    upper, lower, arm, link = world.add(bar("p", "u"), bar("p", "v"), bar("q", "v"), bar("w", "x"))
    throw, fixed = point(crank, at=at["p"]), point(chassis, at=up + at["q"] - chassis.position)
    world.add(
        connect(throw, upper.end1),
        connect(throw, lower.end1),
        connect(fixed, hip.corner1),
        connect(fixed, arm.end1),
    )
    world.add(
        connect(upper.end2, hip.corner2), connect(hip.corner3, link.end1), connect(link.end2, shin.corner2)
    )
    world.add(connect(lower.end2, arm.end2), connect(lower.end2, shin.corner1))


def scatter(world, random, stay):
    """Move the parts outwards, turn them a little, and let the joints close slowly."""
    for item in world.items:
        if item.type.family == "constraint":
            item.tau = TAU
        elif item.type.family == "object" and item not in stay:
            x, y = item.position
            item.position = (1.5 * x + random.uniform(-0.2, 0.2), y + random.uniform(0.0, 0.5))
            item.angle = item.angle + random.uniform(-0.5, 0.5)


def check(world, recording):
    shin, crank = world["leg1.vxy"], np.array(world["crank"].position)
    x, y = np.array(shin.vertices[2]) - shin.offset
    c, s = np.cos(shin.angle), np.sin(shin.angle)
    foot = np.array((c * x - s * y, s * x + c * y)) + shin.position - crank
    on_paper = JANSEN["joints"](world["axle"].turn.value[0], -1)["y"]
    yield Claim("foot at the end beside the one on paper", np.abs(foot - on_paper).max(), 1e-4, "m")
    yield Claim.at_least("way of the chassis", recording["chassis.position"][-1, 0], 2.0, "m")
