"""Points, directions and frames that move with objects, and those that stay in the world (E2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tinkerdyne.language.calls import says_how
from tinkerdyne.language.checks import are_numbers
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import (
    AXES,
    ORIGIN,
    Axes,
    Direction,
    Either,
    Frame,
    FrameValue,
    Number,
    Place,
    Point,
    Unit,
)
from tinkerdyne.language.look import look
from tinkerdyne.language.types import connector

FORWARD, UP = Either((1.0, 0.0), (1.0, 0.0, 0.0)), Either((0.0, 1.0), (0.0, 0.0, 1.0))


@look(seat="at", group="Points")
@connector
def point(body: Frame, *, at: Place = ORIGIN) -> Point:
    """A point of a body, `at` in the body's own axes:  p = x + R·at   [at m]."""
    return body.place(at)


@connector
def direction(body: Frame, *, along: Unit = FORWARD) -> Direction:
    """A direction fixed in a body:  d = R·along, with `along` made one unit long."""
    return body.axes @ along


@look(seat="at")
@connector
def frame(body: Frame, *, at: Place = ORIGIN, axes: Axes = AXES) -> Frame:
    """A frame fixed in a body: origin x + R·at, axes R·axes (by columns)   [at m]."""
    n = body.dim
    return FrameValue(body.place(at), body.axes @ axes.reshape((n, n)))


@look(seat="at", title="Nail place", group="Points", place="at")
@connector(tied=True, literal="at")
def place(*, at: Place = ORIGIN) -> Point:
    """A point that stays where it is in the world   [at m]."""
    return at


@connector(tied=True, literal="along")
def world_direction(*, along: Unit = UP) -> Direction:
    """A direction that stays as it is in the world."""
    return along


@look(seat="at", place="at")
@connector(tied=True, literal="at")
def world_frame(*, at: Place = ORIGIN, axes: Axes = AXES) -> Frame:
    """A frame that stays in the world; axes by columns   [at m]."""
    n = at.numel()
    return FrameValue(at, axes.reshape((n, n)))


@look(seat="between", group="Points")
@connector
def between(a: Point, b: Point, *, share: Number = 0.5) -> Point:
    """The point a + share·(b − a)   [m]."""
    return a + share * (b - a)


@partial(says_how, line="write Nail(0, 0, 1)")
def Nail(*at: float | Sequence[float], name: str = "") -> Item:
    """A place of the world to hang things on: Nail(0, 0, 100), or Nail(0, 100) in the plane   [m].

    The numbers may come as one tuple or array: Nail((0, 100))."""
    if any(isinstance(given, Item) for given in at):
        raise TypeError(
            "a Nail is a place alone; to hold a point there write connect(p, Nail(0, 0, 0)) or nail(p, at=…)"
        )
    return place(at=at[0] if len(at) == 1 and are_numbers(at[0]) else at, name=name)
