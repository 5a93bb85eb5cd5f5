"""What is wanted of a body when a flight begins or ends: values, values between two, and rooms inside other
bodies."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Wish
from tinkerdyne.studio.wire import protocol as p

MOST_OF = 0.4  # of a room: as much of each side may be left free for the body itself


def moment(wish: Wish) -> str:
    """When a wish is, "start" and "end" by name."""
    return {"0.0": "start", "1.0": "end"}.get(str(wish.when), str(wish.when)) if wish.time is None else ""


def wished(sketch: Sketch, flight: int, body: str, kind: str, when: str) -> Wish | None:
    """What is wanted of a body when a flight begins or ends."""
    for wish in sketch.flights[flight].wishes:
        if wish.kind == kind and wish.body is not None and wish.body.name == body and moment(wish) == when:
            return wish
    return None


def forget_wish(sketch: Sketch, flight: int, body: str, kind: str, when: str) -> None:
    """It is free."""
    old, told = wished(sketch, flight, body, kind, when), sketch.flights[flight]
    told.wishes = [wish for wish in told.wishes if wish is not old]


def want_value(
    sketch: Sketch,
    flight: int,
    body: Item,
    kind: str,
    when: str,
    value: Any,
    *,
    hard: bool,
    at: tuple[float, ...] | None = None,
) -> None:
    """Want a value, or one between two, instead of what was wanted of the same kind."""
    forget_wish(sketch, flight, body.name, kind, when)
    sketch.tell(flight)
    given: dict[str, Any] = {kind: value, **({"at": at} if kind == "point" else {})}
    sketch.want(body, when=when, hard=hard, **given)


def ask(sketch: Sketch, command: p.AskWish, body: Item) -> None:
    """Carry out what a person asks for."""
    k, name = command.flight, body.name
    if command.kind == "inside":
        _ask_inside(sketch, command, body)
    elif not command.value:
        forget_wish(sketch, k, name, command.kind, command.when)
    else:
        value = (command.value, command.high) if command.high else command.value
        at = command.at or (0.0, 0.0, 0.0)
        want_value(sketch, k, body, command.kind, command.when, value, hard=command.is_hard, at=at)


def _ask_inside(sketch: Sketch, command: p.AskWish, body: Item) -> None:
    """A body in another: in one that is fixed its place is wanted there, in the world's axes."""
    other = next((one for one in (*sketch.bodies, *sketch.obstacles) if one.name == command.of), None)
    forget_wish(sketch, command.flight, body.name, "place", command.when)
    if other is None:
        if command.of:
            raise ValueError(f"the sketch has no body {command.of!r} in which {body.name} could lie")
        return
    low, high = _room(body, other)
    if other in sketch.obstacles:
        R = rotation_matrix(np.array(other.orientation))
        ends = np.array([R @ np.choose(np.array(way), (low, high)) for way in product((0, 1), repeat=3)])
        ends += np.array(other.position)
        value = (ends.min(axis=0), ends.max(axis=0))
        want_value(sketch, command.flight, body, "position", command.when, value, hard=True)
        return
    if command.value and command.high:
        low, high = np.array(command.value), np.array(command.high)
    sketch.tell(command.flight)
    sketch.inside(body, other, low, high, when=command.when)


def _room(body: Item, other: Item) -> tuple[Array, Array]:
    """Where the middle of a body may lie so that it is in another, in the axes of that."""
    shape = shape_of(other)
    ways = np.eye(3)
    high, low = ((shape.tips.extents(sign * ways) + shape.tips.balls).max(axis=-1) for sign in (1, -1))
    aside = np.minimum(shape_of(body).radius, MOST_OF * (high + low))
    return aside - low, high - aside
