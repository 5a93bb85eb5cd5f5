"""What the numbers of a problem belong to: typed keys of its unknowns, its parameters and its rows (M3).

A flight is cut into segments; a segment ends with a junction, which is a collision or goes on smoothly. The
numbers that a key names stand in the vector of unknowns where they are free, else among the parameters. Rows
have the key of what they are about.
"""

from __future__ import annotations

from dataclasses import dataclass


# --- of bodies, flights and segments ----------------------------------------------------------------
@dataclass(frozen=True)
class Duration:
    """How long a flight lasts."""

    flight: int


@dataclass(frozen=True)
class Begin:
    """When a segment begins."""

    segment: int


@dataclass(frozen=True)
class Node:
    """The state (x, θ, v, ω) of a body at the start of a segment."""

    segment: int
    body: int


@dataclass(frozen=True)
class Reference:
    """The quaternion about which a node's rotation vector turns."""

    segment: int
    body: int


@dataclass(frozen=True)
class Mass:
    """Of a body."""

    body: int


@dataclass(frozen=True)
class Moments:
    """The principal moments that its shape gives a body."""

    body: int


@dataclass(frozen=True)
class Inertia:
    """Factors of the moments of a body that may vary, equal ones together."""

    body: int


@dataclass(frozen=True)
class Force:
    """A constant force on a body."""

    body: int


# --- of samples ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Sample:
    """A sample of a body in a flight."""

    flight: int
    body: int
    index: int


@dataclass(frozen=True)
class Share:
    """When a sample is, as a share of its segment."""

    flight: int
    body: int
    index: int


# --- of junctions -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Impact:
    """The collision at the end of a segment."""

    segment: int


@dataclass(frozen=True)
class Tilt:
    """How far the normal of a collision leans, along two tangents."""

    segment: int


@dataclass(frozen=True)
class Restitution:
    """Of a collision."""

    segment: int


@dataclass(frozen=True)
class Friction:
    """Coulomb's coefficient of a collision."""

    segment: int


@dataclass(frozen=True)
class Gap:
    """By how much the velocity and spin of a body jump beyond the impulse of a collision."""

    segment: int
    body: int


@dataclass(frozen=True)
class Continuity:
    """That the next node of a body goes on where a segment ended."""

    segment: int
    body: int


@dataclass(frozen=True)
class Clock:
    """That the next segment begins when one ends."""

    segment: int


# --- of what is asked for -----------------------------------------------------------------------------
@dataclass(frozen=True)
class Wished:
    """A wish, by its number."""

    wish: int


@dataclass(frozen=True)
class Faces:
    """The normals of the faces around a face that is to be struck."""

    wish: int


@dataclass(frozen=True)
class Within:
    """That the time of a wish lies in its flight."""

    wish: int


@dataclass(frozen=True)
class Guarded:
    """The plane that a guard keeps corners above."""

    guard: int


@dataclass(frozen=True)
class Watch:
    """A moment at which a guard looks."""

    guard: int
    index: int


@dataclass(frozen=True)
class Between:
    """A plane between two bodies that are kept apart."""

    separation: int
    index: int


@dataclass(frozen=True)
class Whole:
    """What belongs to the whole problem."""

    what: str


GRAVITY, UNITS, END = Whole("gravity"), Whole("m and s of one unit"), Whole("end of the motion")
STYLE = Whole("weights of what is preferred")

# what a motion chooses besides its nodes and times
Chosen = Tilt | Restitution | Friction | Gap | Force | Inertia
Key = (
    Duration | Begin | Node | Reference | Mass | Moments | Inertia | Force | Sample | Share | Impact | Tilt
    | Restitution | Friction | Gap | Continuity | Clock | Wished | Faces | Within | Guarded | Watch | Between
    | Whole
)  # fmt: skip
