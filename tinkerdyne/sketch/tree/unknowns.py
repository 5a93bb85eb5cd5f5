"""What the numbers of a tree's problem belong to: typed keys of its unknowns, parameters and rows."""

from __future__ import annotations

from dataclasses import dataclass

DURATION = "duration"


@dataclass(frozen=True)
class Coordinates:
    """Of the freedoms at a node."""

    node: int


@dataclass(frozen=True)
class Rates:
    """Of the freedoms at a node."""

    node: int


@dataclass(frozen=True)
class Quaternions:
    """About which the rotation vectors of a node turn."""

    node: int


@dataclass(frozen=True)
class TrackAt:
    """The samples of a track around a node, or in the step after it."""

    track: int
    node: int


@dataclass(frozen=True)
class Step:
    """That a step joins two nodes."""

    node: int


@dataclass(frozen=True)
class Held:
    """A point that is held."""

    hold: int
