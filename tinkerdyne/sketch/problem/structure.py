"""Structure: what decides the form of a sketch's problem; two sketches of one structure share one problem
(M3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tinkerdyne.language.symbols import SX
from tinkerdyne.sketch.tell.shape import Symmetry

# which of the factors that may vary belongs to which principal moment
MOMENTS: dict[Symmetry, tuple[int, ...]] = {
    "cube": (0, 0, 0),
    "symmetric": (0, 1, 1),
    "general": (0, 1, 2),
}
Rough = Literal["", "given", "varied"]  # what is known of the friction of a collision
MomentKind = Literal[
    "start", "end", "share", "time"
]  # of a flight, a share of it, or a time since the beginning


@dataclass(frozen=True)
class Junction:
    """Where one segment ends and the next begins: a collision of body a with body b (−1: the world), or
    without a a split where all goes on smoothly."""

    a: int = -1
    b: int = -1
    is_tilted: bool = False  # whether the normal may vary
    is_elastic: bool = False  # whether the restitution may vary
    friction: Rough = ""
    is_round: bool = False  # whether a touches by a ball, which rolls
    is_rimmed: bool = False  # whether a touches by a rim
    is_ball: bool = False  # whether b is struck on a ball, along the line from its middle

    @property
    def struck(self) -> tuple[int, ...]:
        return tuple(body for body in (self.a, self.b) if body >= 0)


@dataclass(frozen=True)
class WishForm:
    """A function of the state in one segment that is asked for: its kind, when, hard or soft, and how many
    numbers."""

    segment: int
    kind: str  # position, orientation, point, velocity, spin, height, reach, face, place, custom
    body: int
    when: MomentKind
    is_hard: bool
    size: int = 3
    other: int = -1  # the body that a plane lies in
    function: Callable[..., SX] | None = None  # of the bodies' states in SI units
    is_rimmed: bool = False  # whether the body touches by a rim


@dataclass(frozen=True)
class Guard:
    """Corners of a body that stay above a plane, of the world or of a body, in a segment, at first at some
    shares of it."""

    segment: int
    body: int
    surface: int
    other: int  # the body that carries the plane, −1: the world
    corners: int
    shares: tuple[float, ...]
    is_rimmed: bool = False  # whether corners are tips with rims, and balls of their own


@dataclass(frozen=True)
class Separation:
    """Corners of a body that stay beyond planes that another carries (−1: the world), at so many moments of a
    segment."""

    segment: int
    body: int
    other: int
    corners: int
    planes: int
    is_rimmed: bool = False


@dataclass(frozen=True)
class Structure:
    """What decides the form of a problem; two sketches of one structure share one compiled problem."""

    kinds: tuple[Symmetry, ...]
    samples: tuple[tuple[int, ...], ...]  # by segment and body
    junctions: tuple[Junction, ...]  # between one segment and the next
    flights: tuple[int, ...]  # which flight a segment belongs to; the segments of a flight last equally long
    wishes: tuple[WishForm, ...] = ()
    guards: tuple[Guard, ...] = ()
    separations: tuple[Separation, ...] = ()
    forces: tuple[bool, ...] = ()  # by body: whether a constant force may act
    inertias: tuple[bool, ...] = ()  # by body: whether its moments of inertia may vary
    has_gaps: bool = False
    is_timed: bool = False  # whether samples may have times of their own
    # whether the motion ends at a given time: that of its last sample, where nothing else says when
    ends_timed: bool = False
    frees_times: bool = False  # whether the samples' times are variables
    is_styled: bool = False  # whether some motions are preferred
    stands: tuple[int, ...] = ()  # by body: in how many segments it stands before something strikes it

    @property
    def parts(self) -> tuple[int, ...]:
        """How many segments the flight of each segment has."""
        return tuple(self.flights.count(flight) for flight in self.flights)

    @property
    def has_clock(self) -> bool:
        """Whether it counts when segments begin."""
        return self.is_timed or any(wish.when == "time" for wish in self.wishes)

    def is_still(self, k: int, b: int) -> bool:
        """Whether a body stands in a segment."""
        return bool(self.stands) and k < self.stands[b]

    def first(self, k: int) -> int:
        """The first segment of the flight that a segment belongs to."""
        return self.flights.index(self.flights[k])

    def held(self, k: int, b: int) -> range:
        """Which samples of a body in its flight belong to a segment."""
        begin = sum(self.samples[j][b] for j in range(self.first(k), k))
        return range(begin, begin + self.samples[k][b])

    def is_free(self, k: int, b: int, i: int) -> bool:
        """Whether the time of sample i of a flight is an unknown: the motion begins with the first and ends
        with the last."""
        is_last = k == len(self.samples) - 1 and i == self.held(k, b).stop - 1
        return self.frees_times and not is_last and (k, i) != (0, 0)
