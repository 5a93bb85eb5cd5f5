"""Getting ready: the kernels of what is usually built first, compiled or loaded before someone waits for
them."""

from __future__ import annotations

from tinkerdyne.behaviors.forces import gravity, spring, tug
from tinkerdyne.constraints.joints import ball, join, pin, prismatic, universal, weld
from tinkerdyne.constraints.points import connect, distance, nail
from tinkerdyne.objects.catalog import Rod
from tinkerdyne.objects.planar_shapes import PlanarRod
from tinkerdyne.objects.shapes import Box, Sphere
from tinkerdyne.world.world import World


def warm() -> None:
    """Make a little of everything, in the plane and in space, and take a step."""
    for kinds, at in (((Rod, Box, Sphere), (0.0, 0.0, 0.0)), ((PlanarRod, PlanarRod), (0.0, 0.0))):
        world = World()
        bodies = [world.add(kind(position=at)) for kind in kinds]
        a, b = bodies[:2]
        joints = (ball, pin, universal, prismatic, weld) if len(at) == 3 else (ball, pin, prismatic, weld)
        for kind in joints:
            world.add(join(kind, a, b, at=at, is_on=False), join(kind, None, b, at=at, is_on=False))
        world.add(connect(a.centre, b.centre), nail(a.centre, at=at), tug(b.centre, to=at), gravity())
        world.add(distance(a.centre, b.centre, is_on=False), spring(a.centre, b.centre))
        world.step(1e-3)
