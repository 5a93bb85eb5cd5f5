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
from tinkerdyne.objects.compound import rotation_matrix
from tinkerdyne.objects.quaternion import products
from tinkerdyne.sketch.disturb import rounded
from tinkerdyne.sketch.problem.structure import MOMENTS, Guard, Junction, Separation, Structure, WishForm
from tinkerdyne.sketch.problem.unknowns import Chosen, Inertia
from tinkerdyne.sketch.tell.gesture import resampled
from tinkerdyne.sketch.tell.pieces import pieces_of
from tinkerdyne.sketch.tell.shape import Shape, shape_of
from tinkerdyne.sketch.tell.story import Collision, Flight, Surface, Wish

SHARES = (0.12, 0.5, 0.88, 1.0)  # of a flight, where corners are first kept above surfaces
MOST_CORNERS = 8  # at one moment
TURN = 0.2  # extents: an orientation off by one radian counts like a place off by this much
PLANES = 8  # of each of two bodies in a flight, where they are kept apart
TOUCHING = 4  # corners beyond a plane at one moment
SHORTEST, LONGEST = 0.05, 12.0  # of a flight, in units of time
PART = 0.8  # rad that a body without a closed form turns in one segment
MOST_PARTS = 64
SPAN = 1.5  # units of time that a flight of which nothing is said may last
BRISK = 6.0  # units of speed: one that is told is no larger
BRIEF = 0.1  # units of time: the longest flight whose duration is told lasts no shorter
GAP = 30.0  # weight of a velocity gap's square against a sample's


@dataclass(frozen=True, eq=False)
class Stand:
    """A body as far as numbers go: it can be sent to another process."""

    name: str
    position: Array
    orientation: Array
    velocity: Array


def _standing_surface(surface: Surface, stands: dict[int, Stand]) -> Surface:
    stand: Any = None if surface.of is None else stands[id(surface.of)]
    return replace(surface, of=stand)


def _standing(what: Any, stands: dict[int, Stand]) -> Any:
    """A collision or wish that names stands instead of bodies."""
    changed: dict[str, Any] = {"body": None if what.body is None else stands[id(what.body)]}
    for name in ("on", "surface"):
        surface = getattr(what, name, None)
        if surface is not None:
            changed[name] = _standing_surface(surface, stands)
    return replace(what, **changed)


@dataclass
class Units:
    length: float
    time: float
    mass: float


@dataclass
class Track:
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
        gap_weight: float = GAP,
        parts: Sequence[int] = (),
    ) -> None:
        self.shapes: list[Shape] = [shape_of(body) for body in bodies]
        self.pieces = [pieces_of(body, shape_of(body)) for body in (*bodies, *obstacles)]
        self.obstacles = [
            (np.array(o.position), rotation_matrix(o.orientation) @ shape_of(o).axes) for o in obstacles
        ]
        self.items: list[Any] = [
            Stand(b.name, np.array(b.position), np.array(b.orientation), np.array(b.velocity)) for b in bodies
        ]
        stands = dict(zip(map(id, bodies), self.items, strict=True))
        self.collisions = [_standing(c, stands) for c in collisions]
        self.flights = [replace(f, wishes=[_standing(w, stands) for w in f.wishes]) for f in flights]
        self.surfaces, self.forces, self.inertias = (
            [_standing_surface(one, stands) for one in guards],
            forces,
            inertias,
        )
        self.pairs, self.gap_weight = pairs, gap_weight
        self.units = self._units(g)
        self.g = g * self.units.time**2 / self.units.length
        self.tracks = [[self._track(f, b, count) for b in range(len(bodies))] for f in flights]
        self.is_timed = any(t is not None and t.times is not None for row in self.tracks for t in row)
        self.parts = list(parts) if len(parts) == len(flights) else self._parts()
        self.first = np.concatenate([[0], np.cumsum(self.parts)])  # first segment of each flight
        self.wishes = [(f, wish) for f, flight_ in enumerate(self.flights) for wish in flight_.wishes]

    def moments(self, b: int, chosen: dict[Chosen, Array]) -> Array:
        """Principal moments of a body in units, with what a motion chose of them."""
        own = self.shapes[b].moments / (self.units.mass * self.units.length**2)
        factors = chosen.get(Inertia(b))
        return own if factors is None else own * factors[list(MOMENTS[self.shapes[b].kind])]

    # --- units and tracks ------------------------------------------------------------------------
    def _units(self, g: Array) -> Units:
        tracks = [t for f in self.flights for t in f.tracks.values()]
        wished = [w for f in self.flights for w in f.wishes if w.kind in ("position", "point")]
        bounded = [w for w in wished if np.isfinite(w.low).all() and np.isfinite(w.high).all()]
        places = [t.places for t in tracks] + [(w.low + w.high)[None] / 2 for w in bounded]
        length, strength, spans = (
            2 * max(s.radius for s in self.shapes),
            float(np.linalg.norm(g)),
            self._spans(),
        )
        if places:
            everything = np.concatenate(places)
            length = max(length, float(np.linalg.norm(np.ptp(everything, axis=0))))
            for on in (c.on for c in self.collisions if c.body is not None and c.on.of is None):
                length = max(length, float(np.abs((everything - on.origin) @ on.normal).max()))
        if strength == 0:
            return Units(length, max(spans, default=1.0), self.shapes[0].mass)
        speed = self.demanded("velocity")
        length = max(length, speed * min(speed / (BRISK**2 * strength), max(spans, default=math.inf)))
        return Units(
            length,
            min(math.sqrt(length / strength), max(spans, default=math.inf) / BRIEF),
            self.shapes[0].mass,
        )

    def demanded(self, kind: str) -> float:
        """The largest vector that wishes of a kind ask for at least."""
        least = [np.clip(0.0, w.low, w.high) for f in self.flights for w in f.wishes if w.kind == kind]
        return max((float(np.linalg.norm(one)) for one in least), default=0.0)

    @property
    def furthest(self) -> float:
        """How far from the origin something is told, in units."""
        far = [float(np.abs(track.places).max()) for row in self.tracks for track in row if track is not None]
        own = [float(np.abs(item.position).max()) for item in self.items]
        stands = [
            abs(float(np.dot(on.origin, on.normal)))
            for on in (*self.surfaces, *(c.on for c in self.collisions))
        ]
        return max(
            [
                *far,
                *(
                    one / self.units.length
                    for one in (*own, *stands, self.demanded("position"), self.demanded("point"))
                ),
            ]
        )

    def _spans(self) -> list[float]:
        """How long the flights last of which times of samples or bounds tell it [s]."""
        out, begin = [], 0.0
        for flight in self.flights:
            end = max(
                [
                    begin,
                    *(
                        float(t.times[-1])
                        for t in flight.tracks.values()
                        if t.times is not None and len(t.times) > 1
                    ),
                ]
            )
            if flight.duration is not None or end > begin:
                out.append(end - begin if flight.duration is None else flight.duration[1])
            begin = end
        return out

    def _track(self, f: Flight, b: int, count: int) -> Track | None:
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
        clock = None if given.times is None else times / self.units.time
        return Track(rounded(places / self.units.length), rounded(q), w_x, w_q, clock)

    def _parts(self) -> list[int]:
        """Segments of each flight: one where rotations have closed forms, else as many as keep each turn
        short."""
        out = []
        for flight, row in zip(self.flights, self.tracks, strict=True):
            most, longest = 1, SPAN * self.units.time if flight.duration is None else flight.duration[1]
            for item, shape, track in zip(self.items, self.shapes, row, strict=True):
                if shape.kind == "general":
                    spins = [
                        np.clip(0.0, w.low, w.high)
                        for w in flight.wishes
                        if w.kind == "spin" and w.body is item
                    ]
                    angle = max((float(np.linalg.norm(s)) * longest for s in spins), default=0.0)
                    if track is not None:
                        turns = 2 * np.arccos(
                            np.clip(np.abs((track.turns[1:] * track.turns[:-1]).sum(axis=1)), 0, 1)
                        )
                        angle = max(angle if not track.w_q.any() else 0.0, float(turns.sum()))
                    most = max(most, min(MOST_PARTS, math.ceil(max(angle, 2.0) / PART)))
            out.append(most)
        return out

    # --- structure -------------------------------------------------------------------------------
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
        junctions: list[Junction] = []
        flights: list[int] = []
        samples: list[tuple[int, ...]] = []
        guards: list[Guard] = []
        for f, parts in enumerate(self.parts):
            for k in range(parts):
                flights.append(f)
                samples.append(
                    tuple(int((self.part_of(f, b, shares) == k).sum()) for b in range(len(self.items)))
                )
                if k < parts - 1:
                    junctions.append(Junction())
            if f < len(self.collisions):
                junctions.append(self._junction(self.collisions[f]))
            guards += self._guards(f)
        return Structure(
            tuple(s.kind for s in self.shapes),
            tuple(samples),
            tuple(junctions),
            tuple(flights),
            tuple(self._wish_form(f, wish) for f, wish in self.wishes),
            tuple(guards),
            tuple(pair for f in range(len(self.parts)) for pair in self._pairs(f)) if separates else (),
            tuple(item.name in self.forces for item in self.items),
            tuple(item.name in self.inertias for item in self.items),
            has_gaps,
            self.is_timed,
            self.ends_timed,
            frees_times and not self._all_timed(),
        )

    def _guards(self, f: int) -> list[Guard]:
        """What is kept above which surface in a flight: at SHARES of it, or once in each of its segments and
        at its end."""
        parts, first = self.parts[f], int(self.first[f])
        out = []
        for b, shape in enumerate(self.shapes):
            for i, surface in enumerate(self.surfaces):
                other = -1 if surface.of is None else self.items.index(surface.of)
                if other == b:
                    continue
                corners = min(len(shape.corners), MOST_CORNERS)
                for k in range(parts):
                    shares = SHARES if parts == 1 else (0.5, 1.0) if k == parts - 1 else (0.5,)
                    out.append(Guard(first + k, b, i, other, corners, shares))
        return out

    def _pairs(self, f: int) -> list[Separation]:
        """Which bodies are kept apart in a flight: either may carry the planes between two; the world has
        those of obstacles."""
        ways = [way for a, b in self.pairs if b < len(self.items) for way in ((a, b), (b, a))]
        ways += [(a, -1) for a in sorted({a for a, b in self.pairs if b >= len(self.items)})]
        each, first = math.ceil(PLANES / self.parts[f]), int(self.first[f])
        corners = [min(TOUCHING, *(len(hull.points) for hull in pieces.hulls)) for pieces in self.pieces]
        return [Separation(first + k, a, b, corners[a], each) for k in range(self.parts[f]) for a, b in ways]

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

    def _all_timed(self) -> bool:
        return all(t is None or t.times is not None for row in self.tracks for t in row)

    def part_of(self, f: int, b: int, shares: list[list[Array]] | None) -> Array:
        """In which segment of a flight each sample of a body lies: the motion begins with the first, and ends
        with the last."""
        track = self.tracks[f][b]
        n, parts = 0 if track is None else len(track.places), self.parts[f]
        share = np.linspace(0, 1, n) if shares is None else shares[f][b]
        found = np.clip(np.floor(share * parts + 1e-9), 0, parts - 1).astype(int)
        if n and f == 0:
            found[0] = 0
        if n and f == len(self.parts) - 1:
            found[-1] = parts - 1
        return np.maximum.accumulate(found)

    def struck(self, c: Collision) -> list[int]:
        """The bodies of a collision."""
        return [self.items.index(one) for one in (c.body, c.on.of) if one is not None]

    def touches(self, f: int, wish: Wish, corners: list[Array | None] | None) -> Array:
        """The point of its body that a wish speaks of: of a contact that by which it strikes, as it is told
        or was found."""
        if wish.kind not in ("reach", "face") or wish.body is None:
            return np.array(wish.at)
        shape, c = self.shapes[self.items.index(wish.body)], self.collisions[f]
        corner = corners[f] if corners is not None else None
        return shape.touching(
            corner if corner is not None else c.at if c.at is not None else shape.corners[0]
        )

    def _junction(self, c: Collision) -> Junction:
        if c.body is None:
            return Junction()
        other = -1 if c.on.of is None else self.items.index(c.on.of)
        friction = "varied" if c.friction[0] < c.friction[1] else "given" if c.friction[1] > 0 else ""
        a = self.items.index(c.body)
        is_elastic = c.restitution[0] < c.restitution[1]
        return Junction(a, other, c.tilt > 0, is_elastic, friction, self.shapes[a].round > 0, c.on.ball > 0)

    def _wish_form(self, f: int, w: Wish) -> WishForm:
        body = -1 if w.body is None else self.items.index(w.body)
        other = -1 if w.surface is None or w.surface.of is None else self.items.index(w.surface.of)
        segment, when = (
            int(self.first[f]),
            "time" if w.time is not None else w.when if isinstance(w.when, str) else "share",
        )
        if when == "end":
            segment += self.parts[f] - 1
        return WishForm(
            segment,
            w.kind,
            body,
            when,
            w.is_hard,
            len(w.low) if w.kind != "orientation" else 3,
            other,
            w.function,
        )
