"""The words of a sketch as values: surfaces, samples, wishes, collisions, flights (M2)."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import unit, vector
from tinkerdyne.language.item import Item
from tinkerdyne.language.symbols import SX

PointOf: TypeAlias = Item | ArrayLike  # a point of a body, or three numbers in its own axes


@dataclass(frozen=True)
class Surface:
    """A plane that bodies bounce on: of the world, or of a body when `of` names one, then in that body's
    axes.

    ball: of a body, the radius of a ball about the origin that is struck instead of a plane [m].
    """

    origin: tuple[float, ...] = (0.0, 0.0, 0.0)
    normal: tuple[float, ...] = (0.0, 0.0, 1.0)
    name: str = "table"
    of: Item | None = None
    ball: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", vector(f"origin of surface {self.name!r}", self.origin, length=3))
        object.__setattr__(
            self, "normal", unit(f"normal of surface {self.name!r}", vector("normal", self.normal, length=3))
        )

    @functools.cached_property
    def tangents(self) -> tuple[Array, Array]:
        """Two unit directions across the normal."""
        n = np.array(self.normal)
        first = np.cross(n, np.eye(3)[int(np.abs(n).argmin())])
        first /= np.linalg.norm(first)
        return first, np.cross(n, first)


@dataclass(frozen=True)
class Samples:
    """Samples of one body in one flight: places (n, 3), orientations (n, 4) or none, times (n,) or none, and
    weights. With keys, orientations count at these samples alone; those between lead from key to key."""

    places: Array
    orientations: Array | None
    times: Array | None
    weight: float = 1.0
    turn_weight: float = 1.0
    keys: tuple[int, ...] | None = None  # in order


@dataclass(frozen=True)
class Wish:
    """A function of the state with the values it should have: low ≤ projection ≤ high, at one moment of a
    flight."""

    kind: str
    body: Item | None
    low: Array
    high: Array
    when: str | float = "end"  # start, end, or a share of the flight
    time: float | None = None  # or a time since the beginning [s]
    is_hard: bool = True
    weight: float = 1.0
    at: tuple[float, ...] = (0.0, 0.0, 0.0)  # the point of the body
    surface: Surface | None = None
    function: Callable[..., SX] | None = None
    name: str = ""
    planes: Array | None = None  # of a face: normals (m, 3), in the axes of the body that has it

    @property
    def says(self) -> str:
        """What is asked for, in words."""
        if self.name:
            return self.name
        whose = f" of {self.body.name}" if self.body is not None else ""
        moment = (
            f"at {self.time:g} s"
            if self.time is not None
            else f"at the {self.when}"
            if isinstance(self.when, str)
            else f"at {self.when:.0%}"
        )
        return f"{self.kind}{whose} {moment}"


@dataclass(frozen=True)
class Collision:
    """A blow at the end of a flight: a point of a body meets a surface.

    Without a body, a split where all goes on smoothly."""

    body: Item | None = None
    at: tuple[float, ...] | None = None  # None: the corner that is lowest there
    on: Surface = field(default_factory=Surface)
    restitution: tuple[float, float] = (0.5, 0.5)  # least and most
    friction: tuple[float, float] = (0.0, 0.0)
    tilt: float = 0.0  # rad: how far the normal may lean
    name: str = ""


@dataclass(frozen=True)
class Style:
    """What is preferred of motions that meet a sketch alike: weights, 1 each where it is wished."""

    calm: float = 0.0  # slow, with little spin
    high: float = 0.0  # long flights, which go high
    fast: float = 0.0  # short ones
    turns: float = 0.0  # far turns

    @property
    def wishes(self) -> dict[str, float]:
        """As `Sketch.style` has them."""
        return {
            "calmer": self.calm,
            "higher": self.high,
            "faster": self.fast,
            "more_turns": self.turns,
        }

    @property
    def weights(self) -> Array:
        return np.array((self.calm, self.high, self.fast, self.turns))


def struck_first(collisions: Sequence[Collision], body: Item) -> int:
    """The flight that begins when a body is first struck; the number of all flights where it never is."""
    for f, c in enumerate(collisions):
        if c.body is not None and body in (c.body, c.on.of):
            return f + 1
    return len(collisions) + 1


@dataclass(eq=False)
class Flight:
    """What is asked of the motion between two collisions."""

    tracks: dict[str, Samples] = field(default_factory=dict)
    wishes: list[Wish] = field(default_factory=list)
    duration: tuple[float, float] | None = None  # least and most [s]
    # by which it is known again after edits
    key: int = field(default_factory=itertools.count().__next__, compare=False)
