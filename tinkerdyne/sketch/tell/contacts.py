"""Contacts: what a body strikes, and which bodies are kept apart (M1)."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.sketch.tell.pieces import pieces_of
from tinkerdyne.sketch.tell.reading import pair, point_of
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.story import Collision, Flight, PointOf, Surface

WITHIN = 0.01  # of a body's size: how far its hull may stand out over a face of it
STEEPEST = math.radians(80)  # that a normal may lean


def face_of(
    a: Item, b: Item, origin: PointOf | None, normal: ArrayLike | None, *, has_reach: bool
) -> Surface:
    """The face of b that a meets, or its ball."""
    whom = label(b)
    if a is b:
        raise ValueError(f"{whom} cannot collide with itself; name two bodies")
    shape = shape_of(b)
    if shape.round:
        if normal is not None or has_reach:
            raise ValueError(
                f"{whom} is round: it is met along the line between the middles, and has no face with a "
                f"normal and a reach; leave them out: collide({a.name}, point, {b.name})"
            )
        place = point_of(b, f"the origin on {whom}", (0, 0, 0) if origin is None else origin)
        middle = tuple(shape.touching(place).places[0].tolist())
        return Surface(middle, (0.0, 0.0, 1.0), f"ball of {b.name}", b, shape.round)
    if origin is None or normal is None:
        raise ValueError(
            f"say which face of {whom} is met: origin=… a place on it, normal=… outwards, in its own axes"
        )
    places = tuple(vector("origin", origin, length=3)), tuple(vector("normal", normal, length=3))
    return Surface(*places, f"face of {b.name}", b)


@dataclass(frozen=True)
class Law:
    """Of a collision: restitution and friction, or the least and the most of them, how far its normal may
    lean [rad], and its name."""

    restitution: ArrayLike
    friction: ArrayLike
    tilt: float
    name: str


def collision_of(body: Item, at: PointOf | None, surface: Surface, law: Law) -> Collision:
    """A collision of a point of a body with a surface of the world or of another body."""
    who = label(body)
    if surface.of is not None:
        _check_surface(body, surface.of, surface, law.tilt)
    if not 0 <= number("tilt", law.tilt) < STEEPEST:
        raise ValueError(f"tilt of a normal must lie between 0 and {STEEPEST:.2f} rad, not {law.tilt!r}")
    local = None if at is None else point_of(body, f"the contact of {who}", at, touches=True)
    restitution = pair(f"restitution of {who}", law.restitution, least=0.0, most=1.0)
    friction = pair(f"friction of {who}", law.friction, least=0.0, most=10.0)
    return Collision(body, local, surface, restitution, friction, law.tilt, law.name)


def _check_surface(body: Item, other: Item, surface: Surface, tilt: float) -> None:
    who, whom = label(body), label(other)
    if other is body:
        raise ValueError(f"{who} cannot collide with its own surface {surface.name!r}")
    if shape_of(other).round and not surface.ball:
        raise ValueError(
            f"{whom} is round and has no face; tell collide({body.name}, point, {other.name}) instead"
        )
    if surface.ball and tilt:
        raise ValueError(
            f"tilt of a normal must be 0 where {who} meets {whom}, which is round, not {tilt!r}; drop it"
        )
    point_of(other, f"the origin of {surface.name}", surface.origin, touches=True)


def kept_apart(
    bodies: list[Item],
    obstacles: list[Item],
    flights: list[Flight],
    collisions: list[Collision],
    said: dict[frozenset[str], bool],
) -> list[tuple[int, int]]:
    """The bodies, by number, that are kept apart from each other: all, but for those of which it is said, or
    of which one goes into another that is not hollow."""
    goes_in = {
        frozenset((w.body.name, w.surface.of.name))
        for f in flights
        for w in f.wishes
        if w.kind == "place" and w.body is not None and w.surface is not None and w.surface.of is not None
    }
    for c in collisions:
        if c.body is not None and c.on.of is not None and _is_within(c.on):
            goes_in.add(frozenset((c.body.name, c.on.of.name)))
    hollow = {body.name for body in bodies if pieces_of(body, shape_of(body)).is_hollow} if goes_in else set()
    goes_in = {two for two in goes_in if not two & hollow}
    every, moving = [*bodies, *obstacles], range(len(bodies))
    pairs = [*itertools.combinations(moving, 2), *itertools.product(moving, range(len(bodies), len(every)))]
    names = {pair: frozenset(every[i].name for i in pair) for pair in pairs}
    return [pair for pair in pairs if said.get(names[pair], names[pair] not in goes_in)]


def _is_within(face: Surface) -> bool:
    """Whether a face of a body lies within its hull, as the bottom of a mug does."""
    assert face.of is not None
    shape = shape_of(face.of)
    if face.ball:
        return False
    return bool(
        (shape.tips.extents(np.array(face.normal)) + shape.tips.balls).max()
        - np.dot(face.origin, face.normal)
        > WITHIN * shape.radius
    )
