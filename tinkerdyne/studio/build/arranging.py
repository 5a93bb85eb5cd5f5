"""Arranging: several copies of parts along a line or round a circle, or their mirror image."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from tinkerdyne.language.checks import number, unit, vector
from tinkerdyne.studio.build.clipboard import again, copied, items_of
from tinkerdyne.studio.build.placing import Isometry, mirrored, shifted, turned
from tinkerdyne.studio.wire.protocol import Arrange
from tinkerdyne.world.edit import Add, Description
from tinkerdyne.world.world import World

MOST_COPIES = 500


def arranged(
    world: World, command: Arrange, dimension: int, without: Collection[str]
) -> tuple[Add, list[str]]:
    """The edit that puts the copies in, and their names."""
    if not command.names:
        raise ValueError("select what shall be arranged first")
    items = items_of(copied(world, command.names, without))
    new: list[Description] = []
    names: list[str] = []
    taken: set[str] = set()
    for motion in _motions(command, dimension):
        more, called = again(world, items, motion, taken)
        new += more
        names += called
    return Add(tuple(new)), names


def _motions(command: Arrange, dimension: int) -> Iterator[Isometry]:
    if not 2 <= command.count <= MOST_COPIES:
        raise ValueError(f"there may be 2 to {MOST_COPIES} of them with the first, not {command.count}")
    match command.how:
        case "line":
            by = vector("by", command.by, length=dimension)
            if not any(by):
                raise ValueError("say how far the next one is from the first")
            for k in range(1, command.count):
                yield shifted(tuple(k * x for x in by))
        case "circle":
            axis = (0.0, 0.0, 1.0) if dimension == 2 else unit("axis", command.axis)
            centre = vector("centre", command.centre, length=dimension)
            angle = number("angle", command.angle)
            is_whole = math.isclose(abs(angle), math.tau, rel_tol=1e-9)
            step = angle / (command.count if is_whole else command.count - 1)
            for k in range(1, command.count):
                yield turned(k * step, axis, centre)
        case _:
            normal = unit("axis", command.axis)
            yield mirrored(normal, vector("centre", command.centre, length=dimension))
