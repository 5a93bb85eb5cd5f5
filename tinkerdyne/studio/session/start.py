"""The first sixty seconds: a pendulum that swings, and a second rod that waits to be put on its end."""

from __future__ import annotations

import math

from tinkerdyne.behaviors.forces import gravity
from tinkerdyne.connectors.measures import coordinate
from tinkerdyne.connectors.points import Nail, world_direction
from tinkerdyne.constraints.algebra import at_least
from tinkerdyne.constraints.points import connect
from tinkerdyne.objects.catalog import Rod
from tinkerdyne.world.world import World

ANGLE = 0.9  # rad from the vertical, to start with
HEIGHT = 2.2  # m of the nail
RADIUS = 0.04  # m of the rods


def build() -> World:
    """A running pendulum in the x, z plane; the second rod lies on the floor beside it."""
    world = World()
    down = math.pi / 2 - ANGLE  # the rod lies along its own x axis, turned about y
    turn = (math.cos(down / 2), 0.0, math.sin(down / 2), 0.0)
    centre = (0.5 * math.cos(down), 0.0, HEIGHT - 0.5 * math.sin(down))
    pendulum = world.add(Rod("pendulum", position=centre, orientation=turn, length=1.0, radius=RADIUS))
    hook = Nail(0.0, 0.0, HEIGHT, name="hook")
    world.add(connect(pendulum.end1, hook, name="hinge"))
    world.add(pendulum.end2)
    second = world.add(Rod("second", position=(0.9, 0.0, RADIUS), length=0.7, radius=RADIUS))
    up = world_direction(name="up")
    for end in ("end1", "end2"):  # the floor: it may be lifted, and does not fall
        world.add(at_least(coordinate(getattr(second, end), up), low=RADIUS, name=f"floor {end}"))
    world.add(gravity(name="gravity"))
    world.history.clear()
    return world
