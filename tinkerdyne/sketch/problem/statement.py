"""A sketch in its own units, with the structure of its problem.

Lengths in units of the sketch's extent, times in units of √(extent/g) or of the times that are told, masses
in units of the first body's, orientations of the bodies' principal axes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import products, rotation_matrix
from tinkerdyne.sketch.disturb import rounded
from tinkerdyne.sketch.problem.forming import parts_of, structure_of
from tinkerdyne.sketch.problem.structure import MOMENTS, Structure
from tinkerdyne.sketch.problem.units import demanded, units_of
from tinkerdyne.sketch.problem.unknowns import Chosen, Inertia
from tinkerdyne.sketch.tell.gesture import resampled
from tinkerdyne.sketch.tell.pieces import pieces_of
from tinkerdyne.sketch.tell.shape import FlightBody, SpinKind, shape_of
from tinkerdyne.sketch.tell.story import Collision, Flight, Style, Surface, Wish, struck_first
from tinkerdyne.sketch.tell.tips import Tips

TURN = 0.2  # extents: an orientation off by one radian counts like a place off by this much
STRENGTH = 0.01  # of a style that is wished, against the samples
SHORTEST, LONGEST = 0.05, 12.0  # of a flight, in units of time


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A body as far as numbers go: it can be sent to another process."""

    name: str
    position: Array
    orientation: Array
    velocity: Array


def _snapped_surface(surface: Surface, snapshots: dict[int, Snapshot]) -> Surface:
    snapshot: Any = None if surface.of is None else snapshots[id(surface.of)]
    return replace(surface, of=snapshot)


def _snapped(demand: Any, snapshots: dict[int, Snapshot]) -> Any:
    """A collision or wish that names snapshots instead of bodies."""
    changed: dict[str, Any] = {"body": None if demand.body is None else snapshots[id(demand.body)]}
    for name in ("on", "surface"):
        surface = getattr(demand, name, None)
        if surface is not None:
            changed[name] = _snapped_surface(surface, snapshots)
    return replace(demand, **changed)


@dataclass
class Resampled:
    """Resampled samples of one body in one flight, in units."""

    places: Array
    turns: Array
    w_x: Array
    w_q: Array
    times: Array | None


class Statement:
    """The numbers of a sketch; `frees_times` and gaps choose between problems of the same numbers."""

    def __init__(
        self,
        bodies: list[Item],
        flights: list[Flight],
        collisions: list[Collision],
        *,
        g: Array,
        guards: list[Surface],
        forces: dict[str, tuple[Array, Array]],
        inertias: dict[str, tuple[float, float]],
        pairs: list[tuple[int, int]],
        obstacles: Sequence[Item] = (),
        count: int,
        gap_weight: float,
        parts: Sequence[int] = (),
        standing: Sequence[str] = (),
        style: Style | None = None,
    ) -> None:
        self.shapes: list[FlightBody] = [shape_of(body) for body in bodies]
        self.pieces = [pieces_of(body, shape_of(body)) for body in (*bodies, *obstacles)]
        self.obstacles = [
            (np.array(o.position), rotation_matrix(o.orientation) @ shape_of(o).axes) for o in obstacles
        ]
        self.items: list[Any] = [
            Snapshot(b.name, np.array(b.position), np.array(b.orientation), np.array(b.velocity))
            for b in bodies
        ]
        snapshots = dict(zip(map(id, bodies), self.items, strict=True))
        self.collisions = [_snapped(c, snapshots) for c in collisions]
        self.flights = [replace(f, wishes=[_snapped(w, snapshots) for w in f.wishes]) for f in flights]
        self.surfaces, self.forces, self.inertias = (
            [_snapped_surface(one, snapshots) for one in guards],
            forces,
            inertias,
        )
        self.pairs, self.gap_weight = pairs, gap_weight
        self.units = units_of(self.shapes, self.flights, self.collisions, g)
        self.g = g * self.units.time**2 / self.units.length
        self.tracks = [[self._track(f, b, count) for b in range(len(bodies))] for f in flights]
        self.is_timed = any(t is not None and t.times is not None for row in self.tracks for t in row)
        # by body: the flight with which it begins to move
        self.since = [struck_first(collisions, one) if one.name in standing else 0 for one in bodies]
        self.parts = list(parts) if len(parts) == len(flights) else parts_of(self)
        self.first = np.concatenate([[0], np.cumsum(self.parts)])  # first segment of each flight
        shows = any(f.tracks or any(not w.is_hard for w in f.wishes) for f in flights)
        # where nothing is shown, calm is preferred anyway: nothing else bounds how high a motion goes
        own = np.zeros(4) if style is None else style.weights
        self.style = STRENGTH * (own + (0.0 if shows else Style(calm=1.0).weights))
        self.wishes = [(f, wish) for f, flight_ in enumerate(self.flights) for wish in flight_.wishes]

    @property
    def keys(self) -> set[int]:
        """By which flights are known again."""
        return {flight.key for flight in self.flights}

    def moments(self, b: int, chosen: dict[Chosen, Array]) -> Array:
        """Principal moments of a body in units, with what a motion chose of them."""
        own = self.shapes[b].moments / (self.units.mass * self.units.length**2)
        factors = chosen.get(Inertia(b))
        return own if factors is None else own * factors[list(MOMENTS[self.shapes[b].kind])]

    # --- what stands -----------------------------------------------------------------------------
    def is_standing(self, f: int, b: int) -> bool:
        """Whether a body stands in a flight, since nothing has struck it yet."""
        return f < self.since[b]

    def motion(self, f: int, b: int) -> SpinKind:
        """How a body flies in a flight, or that it stands."""
        return "still" if self.is_standing(f, b) else self.shapes[b].kind

    def is_left(self, f: int, b: int) -> bool:
        """Whether a body that stood is left to what happens after the sketch: its last flight, of which
        nothing is said."""
        said = self.flights[f]
        is_last = f == len(self.flights) - 1 and f > 0 and not said.tracks and not said.wishes
        return is_last and self.since[b] == f

    # --- units and tracks ------------------------------------------------------------------------
    def demanded(self, kind: str) -> float:
        """The largest vector that wishes of a kind ask for at least."""
        return demanded(self.flights, kind)

    @property
    def furthest(self) -> float:
        """How far from the origin something is told, in units."""
        far = [float(np.abs(track.places).max()) for row in self.tracks for track in row if track is not None]
        own = [float(np.abs(item.position).max()) for item in self.items]
        planes = [
            abs(float(np.dot(on.origin, on.normal)))
            for on in (*self.surfaces, *(c.on for c in self.collisions))
        ]
        return max(
            [
                *far,
                *(
                    one / self.units.length
                    for one in (*own, *planes, self.demanded("position"), self.demanded("point"))
                ),
            ]
        )

    def _track(self, f: Flight, b: int, count: int) -> Resampled | None:
        given = f.tracks.get(self.items[b].name)
        if given is None:
            return None
        shape = self.shapes[b]
        times = np.arange(len(given.places), dtype=float) if given.times is None else given.times
        times, places, turns = resampled(times, given.places, given.orientations, count)
        n = len(places)
        q = (
            np.tile((1.0, 0, 0, 0), (n, 1))
            if turns is None
            else turns / np.linalg.norm(turns, axis=1, keepdims=True)
        )
        q = products(q, shape.turn)
        w_x = np.full(n, given.weight)
        w_q = np.full(n, 0.0 if turns is None else given.turn_weight * given.weight * TURN**2)
        if given.keys is not None and turns is not None:
            at = np.linspace(0, len(given.places) - 1, n)
            kept = {int(np.abs(at - k).argmin()) for k in given.keys}
            w_q *= [k in kept for k in range(n)]
        clock = None if given.times is None else times / self.units.time
        return Resampled(rounded(places / self.units.length), rounded(q), w_x, w_q, clock)

    def check_times(self) -> None:
        """Times that no flight lasts are those of another clock, or of a slow hand."""
        begin = least = 0.0
        for k, flight in enumerate(self.flights):
            for name, track in flight.tracks.items():
                if track.times is not None and track.times[0] < least - 1e-9:
                    raise ValueError(
                        f"times of {name} in flight {k + 1} begin at {track.times[0]:g} s, but the flights "
                        "before it last "
                        f"{least:.3g} s at least; count them from the start of the motion, or change lasts"
                    )
            least += flight.duration[0] if flight.duration is not None else SHORTEST * self.units.time
            most = flight.duration[1] if flight.duration is not None else LONGEST * self.units.time
            ends = {name: float(t.times[-1]) for name, t in flight.tracks.items() if t.times is not None}
            for name, end in ends.items():
                if end - begin > most * (1 + 1e-9):
                    raise ValueError(
                        f"times of {name} in flight {k + 1} end at {end:g} s, but a flight from {begin:g} s "
                        "on of this size lasts "
                        f"{most:.3g} s at most; count them from the start, or leave them out where they are "
                        "those of a slow hand"
                    )
            begin = max([begin, *ends.values()])

    def structure(
        self,
        *,
        has_gaps: bool = False,
        frees_times: bool = False,
        separates: bool = False,
        shares: list[list[Array]] | None = None,
    ) -> Structure:
        """Of the problem with or without gaps, the samples' times given or free, bodies kept apart from each
        other or not.

        shares: of the flights, at which the samples lie, by flight and body; each belongs to the segment that
        it lies in.
        """
        return structure_of(
            self, has_gaps=has_gaps, frees_times=frees_times, separates=separates, shares=shares
        )

    # --- times and contacts ----------------------------------------------------------------------
    @property
    def end(self) -> float:
        """When the last sample that has a time is, in units."""
        return max((float(high) for _, high in self.clocks), default=0.0)

    @property
    def ends_timed(self) -> bool:
        """Whether the motion ends with its last sample: nothing else is said about its end."""
        last = self.flights[-1]
        is_free = last.duration is None and not any(w.when == "end" and w.time is None for w in last.wishes)
        return is_free and any(t is not None and t.times is not None for t in self.tracks[-1])

    @property
    def clocks(self) -> list[tuple[float, float]]:
        """When the first and the last sample that have times are, flight by flight, in units; (∞, 0) where
        none has."""
        there = [[t.times for t in row if t is not None and t.times is not None] for row in self.tracks]
        return [
            (min((t[0] for t in row), default=math.inf), max((t[-1] for t in row), default=0.0))
            for row in there
        ]

    def begins(self, f: int) -> tuple[float, float]:
        """Between which times a flight begins, in units: after the samples of those before it, and before its
        own."""
        clocks = self.clocks
        return max((high for _, high in clocks[:f]), default=0.0), min(low for low, _ in clocks[f:])

    def struck(self, c: Collision) -> list[int]:
        """The bodies of a collision."""
        return [self.items.index(one) for one in (c.body, c.on.of) if one is not None]

    def tip(self, f: int, corners: list[Array | None] | None) -> Tips:
        """By what the body of a collision strikes, as it is told or was found, in its own axes."""
        c = self.collisions[f]
        shape, corner = self.shapes[self.items.index(c.body)], corners[f] if corners is not None else None
        at = corner if corner is not None else c.at if c.at is not None else shape.corners[0]
        tip = shape.touching(at)
        if c.on.ball and tip.has_rims:  # a ball is met by a point, or by another
            return replace(tip, places=np.array(at, float)[None], rims=np.zeros((1, 3)))
        return tip

    def is_open(self, c: Collision) -> bool:
        """Whether it is yet to be found by which of its tips a body strikes."""
        if c.body is None or c.at is None:
            return c.body is not None
        return len(self.shapes[self.items.index(c.body)].meant(c.at)) > 1

    def touches(self, f: int, wish: Wish, corners: list[Array | None] | None) -> Tips:
        """The point of its body that a wish speaks of: of a contact or landing the tip by which it touches,
        as it is told or was found."""
        if wish.kind in ("reach", "face"):
            return self.tip(f, corners)
        if wish.kind == "height":
            return self.shapes[self.items.index(wish.body)].touching(wish.at)
        return Tips(np.array(wish.at)[None], np.zeros((1, 3)), np.zeros(1))
