"""A sketch in its own units, with the structure of its problem.

Lengths in units of the sketch's extent, times in units of √(extent/g), masses in units of the first body's, orientations of the
bodies' principal axes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tinkerdyne.kernel.item import Item
from tinkerdyne.sketch.flight import Shape, shape_of
from tinkerdyne.sketch.quaternion import products
from tinkerdyne.sketch.start import resampled
from tinkerdyne.sketch.story import Collision, Flight, Surface, Wish
from tinkerdyne.sketch.structure import MOMENTS, EventShape, Guard, Pair, Structure, WishShape
from tinkerdyne.sketch.terms import Array

SHARES = (0.12, 0.5, 0.88, 1.0)  # of a flight, where corners are first kept above surfaces
MOST_CORNERS = 8  # at one moment
TURN = 0.2  # extents: an orientation off by one radian counts like a place off by this much
PLANES = 8  # of each of two bodies in a flight, where they are kept apart
TOUCHING = 4  # corners beyond a plane at one moment
LONGEST = 12.0  # of a flight, in units of time
PART = 0.8  # rad that a body without a closed form turns in one segment
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
        count: int,
        gap_weight: float = GAP,
    ) -> None:
        self.shapes: list[Shape] = [shape_of(body) for body in bodies]
        self.items: list[Any] = [Stand(b.name, np.array(b.position), np.array(b.orientation), np.array(b.velocity)) for b in bodies]
        stands = dict(zip(map(id, bodies), self.items, strict=True))
        self.collisions = [_standing(c, stands) for c in collisions]
        self.flights = [replace(f, wishes=[_standing(w, stands) for w in f.wishes]) for f in flights]
        self.surfaces, self.forces, self.inertias = [_standing_surface(one, stands) for one in guards], forces, inertias
        self.pairs, self.gap_weight = pairs, gap_weight
        self.units = self._units(g)
        self.g = g * self.units.time**2 / self.units.length
        self.tracks = [[self._track(f, b, count) for b in range(len(bodies))] for f in flights]
        self.is_timed = any(t is not None and t.times is not None for row in self.tracks for t in row)
        self.parts = self._parts()
        self.first = np.concatenate([[0], np.cumsum(self.parts)])  # first segment of each flight
        self.wishes = [(f, wish) for f, flight_ in enumerate(self.flights) for wish in flight_.wishes]

    def moments(self, b: int, extra: dict[str, Array]) -> Array:
        """Principal moments of a body in units, with what a motion chose of them."""
        own = self.shapes[b].moments / (self.units.mass * self.units.length**2)
        chosen = extra.get(f"inertia {b}")
        return own if chosen is None else own * chosen[list(MOMENTS[self.shapes[b].kind])]

    # --- units and tracks ------------------------------------------------------------------------
    def _units(self, g: Array) -> Units:
        tracks = [t for f in self.flights for t in f.tracks.values()]
        wished = [(w.low + w.high)[None] / 2 for f in self.flights for w in f.wishes if w.kind in ("position", "point")]
        places = [t.places for t in tracks] + [w for w in wished if np.all(np.isfinite(w))]
        if places:
            everything = np.concatenate(places)
            length = float(np.linalg.norm(np.ptp(everything, axis=0)))
        else:
            length = 0.0
        length = max(length, 2 * max(s.radius for s in self.shapes))
        strength = float(np.linalg.norm(g))
        return Units(length, math.sqrt(length / strength) if strength > 0 else 1.0, self.shapes[0].mass)

    def _track(self, f: Flight, b: int, count: int) -> Track | None:
        given = f.tracks.get(self.items[b].name)
        if given is None:
            return None
        shape = self.shapes[b]
        times = np.arange(len(given.places), dtype=float) if given.times is None else given.times
        times, places, turns = resampled(times, given.places, given.orientations, count)
        n = len(places)
        q = np.tile((1.0, 0, 0, 0), (n, 1)) if turns is None else turns / np.linalg.norm(turns, axis=1, keepdims=True)
        q = products(q, shape.turn)
        w_x = np.full(n, given.weight)
        w_q = np.full(n, 0.0 if turns is None else given.turn_weight * given.weight * TURN**2)
        clock = None if given.times is None else times / self.units.time
        return Track(places / self.units.length, q, w_x, w_q, clock)

    def _parts(self) -> list[int]:
        """Segments of each flight: one where rotations have closed forms, else as many as keep each turn short."""
        out = []
        for row in self.tracks:
            most = 1
            for shape, track in zip(self.shapes, row, strict=True):
                if shape.kind == "general":
                    angle = (
                        0.0
                        if track is None
                        else float(2 * np.arccos(np.clip(np.abs((track.turns[1:] * track.turns[:-1]).sum(axis=1)), 0, 1)).sum())
                    )
                    most = max(most, min(6, math.ceil(max(angle, 2.0) / PART)))
            out.append(most)
        return out

    # --- structure -------------------------------------------------------------------------------
    def structure(self, *, has_gaps: bool = False, frees_times: bool = False, parts_bodies: bool = False) -> Structure:
        """Of the problem with or without gaps, the samples' times given or free, bodies kept apart from each other or not."""
        events: list[EventShape] = []
        flights: list[int] = []
        samples: list[tuple[int, ...]] = []
        guards: list[Guard] = []
        for f, parts in enumerate(self.parts):
            for k in range(parts):
                flights.append(f)
                samples.append(tuple(len(self.of_part(f, b, k)) for b in range(len(self.items))))
                if k < parts - 1:
                    events.append(EventShape())
            if f < len(self.collisions):
                events.append(self._event(self.collisions[f]))
            guards += self._guards(f)
        return Structure(
            tuple(s.kind for s in self.shapes),
            tuple(samples),
            tuple(events),
            tuple(flights),
            tuple(self._wish_shape(f, wish) for f, wish in self.wishes),
            tuple(guards),
            tuple(pair for f in range(len(self.parts)) for pair in self._pairs(f)) if parts_bodies else (),
            tuple(item.name in self.forces for item in self.items),
            tuple(item.name in self.inertias for item in self.items),
            has_gaps,
            self.is_timed,
            self.end is not None,
            frees_times and not self._all_timed(),
        )

    def _guards(self, f: int) -> list[Guard]:
        """What is kept above which surface in a flight: at SHARES of it, or once in each of its segments and at its end."""
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

    def _pairs(self, f: int) -> list[Pair]:
        """Which bodies are kept apart in a flight: either may carry the planes between two."""
        ways = [way for a, b in self.pairs for way in ((a, b), (b, a))]
        each, first = math.ceil(PLANES / self.parts[f]), int(self.first[f])
        corners = [min(len(shape.hull.points), TOUCHING) for shape in self.shapes]
        return [Pair(first + k, a, b, corners[a], each) for k in range(self.parts[f]) for a, b in ways]

    @property
    def end(self) -> float | None:
        """When the last sample is, in units, where nothing else is said about the end of the motion."""
        last, clocks = self.flights[-1], [t.times[-1] for t in self.tracks[-1] if t is not None and t.times is not None]
        is_free = last.duration is None and not any(w.when == "end" and w.time is None for w in last.wishes)
        return float(max(clocks)) if clocks and is_free else None

    def _all_timed(self) -> bool:
        return all(t is None or t.times is not None for row in self.tracks for t in row)

    def of_part(self, f: int, b: int, k: int) -> range:
        """Which samples of a flight belong to one of its segments."""
        track = self.tracks[f][b]
        n = 0 if track is None else len(track.places)
        return range(k * n // self.parts[f], (k + 1) * n // self.parts[f])

    def struck(self, c: Collision) -> list[int]:
        """The bodies of a collision."""
        return [self.items.index(one) for one in (c.body, c.on.of) if one is not None]

    def _event(self, c: Collision) -> EventShape:
        if c.body is None:
            return EventShape()
        other = -1 if c.on.of is None else self.items.index(c.on.of)
        friction = "varied" if c.friction[0] < c.friction[1] else "given" if c.friction[1] > 0 else ""
        a = self.items.index(c.body)
        return EventShape(a, other, c.tilt > 0, c.restitution[0] < c.restitution[1], friction, self.shapes[a].round > 0)

    def _wish_shape(self, f: int, w: Wish) -> WishShape:
        body = -1 if w.body is None else self.items.index(w.body)
        other = -1 if w.surface is None or w.surface.of is None else self.items.index(w.surface.of)
        segment, when = int(self.first[f]), "time" if w.time is not None else w.when if isinstance(w.when, str) else "share"
        if when == "end" or w.time is not None:
            segment += self.parts[f] - 1
        elif when == "share":
            segment += min(int(float(w.when) * self.parts[f]), self.parts[f] - 1)
        return WishShape(segment, w.kind, body, when, w.is_hard, len(w.low) if w.kind != "orientation" else 3, other, w.function)

