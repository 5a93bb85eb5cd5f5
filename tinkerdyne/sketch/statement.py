"""A sketch in numbers: the structure of its problem, parameters, bounds, and a first guess, in the sketch's own units.

Lengths in units of the sketch's extent, times in units of √(extent/g), masses in units of the first body's, orientations of the
bodies' principal axes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tinkerdyne.kernel.item import Item
from tinkerdyne.objects.compound import rotation_matrix
from tinkerdyne.sketch import start
from tinkerdyne.sketch.assign import distances, monotone, refined
from tinkerdyne.sketch.flight import Array, Shape, flight, shape_of
from tinkerdyne.sketch.problem import EVENT, SAMPLE, WISH, EventShape, Guard, Problem, Structure, WishShape, problem
from tinkerdyne.sketch.story import Collision, Flight, Surface, Wish

SHARES = (0.12, 0.5, 0.88, 1.0)  # of a flight, where corners are kept above surfaces
SINK = 1e-4  # extents that a corner may lie below a surface
CLOSING = 0.02  # least speed of approach at a collision, in extents per unit of time
STEEP = 2.5  # rad: how far a node may turn from its reference
TURN = 0.2  # extents: an orientation off by one radian counts like a place off by this much
PART = 0.8  # rad that a body without a closed form turns in one segment
MOST_CORNERS = 8
SHORTEST, LONGEST = 0.05, 12.0  # of a flight, in units of time
FASTEST, WILDEST = 60.0, 60.0  # speed and spin, in units
GAP = 30.0  # weight of a velocity gap's square against a sample's


@dataclass(frozen=True, eq=False)
class Stand:
    """A body as far as numbers go: it can be sent to another process."""

    name: str
    position: Array
    orientation: Array
    velocity: Array


def _standing(what: Any, stands: dict[int, Stand]) -> Any:
    """A collision or wish that names stands instead of bodies."""
    changed: dict[str, Any] = {"body": None if what.body is None else stands[id(what.body)]}
    for name in ("on", "surface"):
        surface = getattr(what, name, None)
        if surface is not None and surface.of is not None:
            changed[name] = replace(surface, of=stands[id(surface.of)])
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
        count: int,
        gap_weight: float = GAP,
    ) -> None:
        self.shapes: list[Shape] = [shape_of(body) for body in bodies]
        self.items: list[Any] = [Stand(b.name, np.array(b.position), np.array(b.orientation), np.array(b.velocity)) for b in bodies]
        stands = dict(zip(map(id, bodies), self.items, strict=True))
        self.collisions = [_standing(c, stands) for c in collisions]
        self.flights = [replace(f, wishes=[_standing(w, stands) for w in f.wishes]) for f in flights]
        self.surfaces, self.forces = guards, forces
        self.gap_weight = gap_weight
        self.units = self._units(g)
        self.g = g * self.units.time**2 / self.units.length
        self.tracks = [[self._track(f, b, count) for b in range(len(bodies))] for f in flights]
        self.is_timed = any(t is not None and t.times is not None for row in self.tracks for t in row)
        self.parts = self._parts()
        self.first = np.concatenate([[0], np.cumsum(self.parts)])  # first segment of each flight
        self.wishes = [(f, wish) for f, flight_ in enumerate(self.flights) for wish in flight_.wishes]

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
        times, places, turns = start.resampled(times, given.places, given.orientations, count)
        n = len(places)
        q = np.tile((1.0, 0, 0, 0), (n, 1)) if turns is None else turns / np.linalg.norm(turns, axis=1, keepdims=True)
        q = np.array([multiplied(one, shape.turn) for one in q])
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
    def structure(self, *, has_gaps: bool = False, frees_times: bool = False) -> Structure:
        """Of the problem with or without gaps, the samples' times given or free."""
        events: list[EventShape] = []
        flights: list[int] = []
        samples: list[tuple[int, ...]] = []
        guards: list[Guard] = []
        for f, parts in enumerate(self.parts):
            for k in range(parts):
                flights.append(f)
                samples.append(tuple(len(self._of_part(f, b, k)) for b in range(len(self.items))))
                if k < parts - 1:
                    events.append(EventShape())
            if f < len(self.collisions):
                events.append(self._event(self.collisions[f]))
            for b, shape in enumerate(self.shapes):
                for _ in self.surfaces:
                    for k in range(parts):
                        inside = tuple(s for s in SHARES if k / parts < s <= (k + 1) / parts)
                        guards.append(Guard(int(self.first[f]) + k, b, min(len(shape.corners), MOST_CORNERS), inside))
        return Structure(
            tuple(s.kind for s in self.shapes),
            tuple(samples),
            tuple(events),
            tuple(flights),
            tuple(self._wish_shape(f, wish) for f, wish in self.wishes),
            tuple(g for g in guards if g.shares),
            tuple(item.name in self.forces for item in self.items),
            has_gaps,
            self.is_timed,
            frees_times and not self._all_timed(),
        )

    def _all_timed(self) -> bool:
        return all(t is None or t.times is not None for row in self.tracks for t in row)

    def _of_part(self, f: int, b: int, k: int) -> range:
        """Which samples of a flight belong to one of its segments."""
        track = self.tracks[f][b]
        n = 0 if track is None else len(track.places)
        return range(k * n // self.parts[f], (k + 1) * n // self.parts[f])

    def _event(self, c: Collision) -> EventShape:
        if c.body is None:
            return EventShape()
        other = -1 if c.on.of is None else self.items.index(c.on.of)
        friction = "varied" if c.friction[0] < c.friction[1] else "given" if c.friction[1] > 0 else ""
        return EventShape(self.items.index(c.body), other, c.tilt > 0, c.restitution[0] < c.restitution[1], friction)

    def _wish_shape(self, f: int, w: Wish) -> WishShape:
        body = -1 if w.body is None else self.items.index(w.body)
        other = -1 if w.surface is None or w.surface.of is None else self.items.index(w.surface.of)
        segment, when = int(self.first[f]), "time" if w.time is not None else w.when if isinstance(w.when, str) else "share"
        if when == "end" or w.time is not None:
            segment += self.parts[f] - 1
        elif when == "share":
            segment += min(int(float(w.when) * self.parts[f]), self.parts[f] - 1)
        return WishShape(segment, w.kind, body, when, w.is_hard, len(w.low) if w.kind != "orientation" else 3, other, w.function)

    # --- parameters and bounds -------------------------------------------------------------------
    def parameters(self, P: Problem, corners: list[Array | None] | None = None) -> Array:
        """All of P's parameters but the nodes' references and the samples' shares."""
        L, T, M = self.units.length, self.units.time, self.units.mass
        p = np.zeros(P.p.size)

        def put(name: str, value: Any) -> None:
            p[P.p.parts[name]] = value

        put("g", self.g)
        put("unit", (L, T))
        for b, shape in enumerate(self.shapes):
            put(f"mass {b}", shape.mass / M)
            put(f"moments {b}", shape.moments / (M * L**2))
        for f, row in enumerate(self.tracks):
            for b, track in enumerate(row):
                for k in range(self.parts[f]):
                    for i, at in enumerate(self._of_part(f, b, k)):
                        assert track is not None
                        clock = (0.0, 0.0) if track.times is None else (1.0, track.times[at])
                        numbers = (*track.places[at], *track.turns[at], track.w_x[at], track.w_q[at], *clock)
                        assert len(numbers) == SAMPLE
                        put(f"sample {self.first[f] + k},{b},{i}", numbers)
        for f, c in enumerate(self.collisions):
            if c.body is not None:
                corner = corners[f] if corners is not None else None
                put(f"event {self.first[f + 1] - 1}", self._collision(c, corner))
        for i, (_, wish) in enumerate(self.wishes):
            put(f"wish {i}", self._wish(P.structure.wishes[i], wish))
        for i, guard in enumerate(P.structure.guards):
            surface = self.surfaces[(i_surface(P.structure, i)) % len(self.surfaces)]
            put(f"guard {i}", self._guard(surface, guard))
            parts, at = P.structure.parts[guard.segment], guard.segment - int(self.first[P.structure.flights[guard.segment]])
            for j, share in enumerate(guard.shares):
                put(f"guard {i},{j}", share * parts - at)
        return p

    def _plane(self, surface: Surface) -> tuple[Array, Array, Array, Array]:
        """Origin, normal, tangents, in units and in principal axes when a body carries it."""
        o, n, (t1, t2) = np.array(surface.origin), np.array(surface.normal), surface.tangents()
        if surface.of is not None:
            shape = self.shapes[self.items.index(surface.of)]
            o, n, t1, t2 = (shape.inside(one) for one in (o, n, t1, t2))
        return o / self.units.length, n, t1, t2

    def _collision(self, c: Collision, corner: Array | None) -> Array:
        assert c.body is not None
        shape = self.shapes[self.items.index(c.body)]
        at = corner if corner is not None else c.at if c.at is not None else shape.corners[0]
        o, n, t1, t2 = self._plane(c.on)
        size = shape.radius / self.units.length
        weights = (self.gap_weight, self.gap_weight * size**2)
        out = np.concatenate([shape.inside(at) / self.units.length, o, n, t1, t2, (c.restitution[0], c.friction[0]), weights])
        assert len(out) == EVENT
        return out

    def _wish(self, form: WishShape, w: Wish) -> Array:
        out = np.zeros(WISH)
        low, high = self.bounds_of(w)
        if w.kind == "orientation" and w.body is not None:
            out[:4] = multiplied(w.low / np.linalg.norm(w.low), self.shapes[form.body].turn)
        if w.body is not None:
            out[4:7] = self.shapes[form.body].inside(w.at) / self.units.length
        if w.surface is not None:
            o, n, *_ = self._plane(w.surface)
            out[7:13] = (*o, *n)
        out[13] = w.time / self.units.time if w.time is not None else self._part_share(form, w)
        scale = 1.0 if w.kind != "orientation" else TURN**2
        out[14] = w.weight * scale
        if not w.is_hard:
            out[15 : 15 + form.size], out[19 : 19 + form.size] = low, high
        return out

    def _part_share(self, form: WishShape, w: Wish) -> float:
        if isinstance(w.when, str):
            return 0.0
        f = int(np.searchsorted(self.first, form.segment, side="right")) - 1
        return float(w.when) * self.parts[f] - (form.segment - int(self.first[f]))

    def bounds_of(self, w: Wish) -> tuple[Array, Array]:
        """Bounds of a wish's rows in units."""
        if w.kind == "orientation":
            return np.zeros(3), np.zeros(3)
        scale = {
            "position": 1 / self.units.length,
            "point": 1 / self.units.length,
            "height": 1 / self.units.length,
            "reach": 1 / self.units.length**2,
            "place": 1 / self.units.length,
            "velocity": self.units.time / self.units.length,
            "spin": self.units.time,
        }.get(w.kind, 1.0)
        low, high = w.low * scale, w.high * scale
        if w.kind == "spin" and w.body is not None and np.all(np.isfinite(low + high)):
            shape = self.shapes[self.items.index(w.body)]
            a, b = shape.inside(low), shape.inside(high)
            low, high = np.minimum(a, b), np.maximum(a, b)
        return low, high

    def _guard(self, surface: Surface, guard: Guard) -> Array:
        shape = self.shapes[guard.body]
        o, n, *_ = self._plane(surface)
        corners = outermost(shape.corners, guard.corners)
        return np.concatenate([o, n, (np.array([shape.inside(c) for c in corners]) / self.units.length).ravel()])

    def bounds(self, P: Problem, *, relaxed: bool = False) -> dict[str, Array]:
        """lbx, ubx, lbg, ubg; relaxed: no contact and no velocities through collisions, only poses go on (MS03 §5.1)."""
        lbx, ubx = np.full(P.x.size, -np.inf), np.full(P.x.size, np.inf)
        lbg, ubg = np.zeros(P.g.size), np.zeros(P.g.size)
        for name, at in P.x.parts.items():
            kind, _, which = name.partition(" ")
            if kind == "z":
                low = np.concatenate([np.full(3, -1e3), np.full(3, -STEEP), np.full(3, -FASTEST), np.full(3, -WILDEST)])
                lbx[at], ubx[at] = low, -low
            elif kind == "T":
                given = self.flights[int(which)].duration
                lbx[at], ubx[at] = (SHORTEST, LONGEST) if given is None else np.array(given) / self.units.time
            elif kind == "share":
                lbx[at], ubx[at] = self._share_bounds(P.structure, *(int(i) for i in which.split(",")))
            elif kind == "B":
                lbx[at], ubx[at] = 0.0, 0.0 if which == "0" else np.inf
            elif kind in ("tilt", "e", "mu"):
                c = self.collisions[P.structure.flights[int(which)]]
                limit = {"tilt": (-math.tan(c.tilt), math.tan(c.tilt)), "e": c.restitution, "mu": c.friction}[kind]
                lbx[at], ubx[at] = limit
            elif kind == "force":
                low_f, high_f = self.forces[self.items[int(which)].name]
                unit = self.units.mass * self.units.length / self.units.time**2
                lbx[at], ubx[at] = low_f / unit, high_f / unit
        for name, at in P.g.parts.items():
            kind, _, which = name.partition(" ")
            if kind == "collision":
                c = self.collisions[P.structure.flights[int(which)]]
                rows = slice(at.start + 1, at.start + 2)
                lbg[rows], ubg[rows] = -np.inf, -CLOSING
                if c.tilt > 0:
                    rows = slice(at.start + 2, at.start + 3)
                    lbg[rows], ubg[rows] = -np.inf, math.tan(c.tilt) ** 2
                if self._is_posed(P.structure.flights[int(which)], c):
                    lbg[at.start], ubg[at.start] = -np.inf, np.inf
                if relaxed:
                    lbg[at], ubg[at] = -np.inf, np.inf
            elif kind == "wish":
                lbg[at], ubg[at] = self.bounds_of(self.wishes[int(which)][1])
            elif kind == "guard":
                lbg[at], ubg[at] = -SINK, np.inf
                if relaxed:
                    lbg[at] = -np.inf
            elif kind == "order":
                ubg[at] = np.inf
        return {"lbx": lbx, "ubx": ubx, "lbg": lbg, "ubg": ubg}

    def _share_bounds(self, s: Structure, k: int, b: int, i: int) -> tuple[float, float]:
        """Where a sample may lie in its segment; the motion begins with the first sample and ends with the last."""
        if k == 0 and i == 0:
            return 0.0, 0.0
        return (1.0, 1.0) if k == len(s.samples) - 1 and i == s.samples[k][b] - 1 else (0.0, 1.0)

    def _is_posed(self, f: int, c: Collision) -> bool:
        """Whether hard wishes fix the whole pose at a collision with the world: contact follows, and its row would repeat."""
        kinds = {
            w.kind
            for w in self.flights[f].wishes
            if w.is_hard
            and w.body is c.body
            and w.when == "end"
            and w.time is None
            and (w.kind == "orientation" or np.array_equal(w.low, w.high))
        }
        return c.on.of is None and {"position", "orientation"} <= kinds

    # --- first guess -----------------------------------------------------------------------------
    def guess(self, seed: int = 0) -> Point:
        """Durations, nodes and shares to start from; seed 0 is the fit itself, others are thrown about it."""
        rng = np.random.default_rng(seed)
        durations, states, shares = [], [], []
        begin = 0.0
        for f, row in enumerate(self.tracks):
            T, guesses = self._flight(f, row, begin, rng if seed else None)
            durations.append(T)
            states.append(guesses)
            shares.append([g.share for g in guesses])
            begin += T
        return Point(np.array(durations), states, shares)

    def _flight(self, f: int, row: list[Track | None], begin: float, rng: Any) -> tuple[float, list[start.Guess]]:
        there = [t for t in row if t is not None]
        timed = [t for t in there if t.times is not None]
        given = self.flights[f].duration
        low, high = (SHORTEST, LONGEST) if given is None else (given[0] / self.units.time, given[1] / self.units.time)
        if timed:
            last = max(float(t.times[-1]) for t in timed if t.times is not None)
            times = np.array([np.clip(max(last - begin, 0.05), low, high)])
        else:
            scanned = start.SCAN[(low <= start.SCAN) & (high >= start.SCAN)]
            times = scanned if len(scanned) else np.array([(low + high) / 2])
        known = [None if t.times is None else (t.times - begin) / times[0] for t in there]
        costs, x, v, shares = start.fitted([t.places for t in there], self.g, times, known)
        if there:
            best = int(costs.argmin())
            T = float(times[best])
        else:
            best, T = 0, float(np.clip(1.0, low, high))
        out = []
        at = 0
        for b, track in enumerate(row):
            if track is None:
                out.append(self._unseen(f, b))
                continue
            share = shares[at][best] if track.times is None else np.clip((track.times - begin) / T, 0, 1)
            w = start.spin(track.turns, share, T)
            out.append(start.Guess(x[at][best], track.turns[0], v[at][best], w, share))
            at += 1
        if rng is not None:
            T *= float(np.exp(rng.normal(scale=0.18)))
            out = [g._replace(w=g.w * (1 + 0.25 * rng.normal(size=3))) for g in out]
            T = float(np.clip(T, low, high))
            out = [self._refit(row[b], g, T) for b, g in enumerate(out)]
        return T, out

    def _refit(self, track: Track | None, g: start.Guess, T: float) -> start.Guess:
        """The parabola through the ends of a track for another duration."""
        if track is None or len(track.places) < 2:
            return g
        x, end = track.places[0], track.places[-1]
        return g._replace(x=x, v=(end - x) / T - 0.5 * self.g * T)

    def _unseen(self, f: int, b: int) -> start.Guess:
        """A body of which a flight has no samples: where a wish, or its own start, has it."""
        item, shape = self.items[b], self.shapes[b]
        x, q = item.position / self.units.length, item.orientation
        for g, wish in self.wishes:
            if wish.body is item and wish.kind == "position" and abs(g - f) <= 1 and np.all(np.isfinite(wish.low + wish.high)):
                x = (wish.low + wish.high) / 2 / self.units.length
            if wish.body is item and wish.kind == "orientation" and abs(g - f) <= 1:
                q = wish.low / np.linalg.norm(wish.low)
        return start.Guess(
            x, multiplied(q, shape.turn), item.velocity * self.units.time / self.units.length, np.zeros(3), np.zeros(0)
        )

    def vectors(self, P: Problem, point: Point, p: Array) -> tuple[Array, Array]:
        """x and p at a point: nodes become their own references."""
        x, p = np.zeros(P.x.size), p.copy()
        for f, parts in enumerate(self.parts):
            x[P.x.parts[f"T {f}"]] = point.durations[f]
            for b, guess in enumerate(point.states[f]):
                track = self.tracks[f][b]
                for k in range(parts):
                    segment = int(self.first[f]) + k
                    t = point.durations[f] * k / parts
                    node = point.nodes.get((segment, b)) if point.nodes else None
                    if node is None:
                        node = self._flown(b, guess, t)
                    x[P.x.parts[f"z {segment},{b}"]] = np.concatenate([node[0], np.zeros(3), node[2], node[3]])
                    p[P.p.parts[f"q {segment},{b}"]] = node[1] / np.linalg.norm(node[1])
                    if track is not None:
                        for i, at in enumerate(self._of_part(f, b, k)):
                            name = f"share {segment},{b},{i}"
                            local = point.shares[f][b][at] * parts - k
                            if name in P.x:
                                x[P.x.parts[name]] = local
                            else:
                                p[P.p.parts[name]] = local
        for k in range(1, int(self.first[-1]) if "B 0" in P.x else 0):
            f = P.structure.flights[k - 1]
            x[P.x.parts[f"B {k}"]] = x[P.x.parts[f"B {k - 1}"]] + point.durations[f] / self.parts[f]
        for name, value in point.extra.items():
            if name in P.x:
                x[P.x.parts[name]] = value
        for f, c in enumerate(self.collisions):
            k = int(self.first[f + 1]) - 1
            for name, bounds in ((f"e {k}", c.restitution), (f"mu {k}", c.friction)):
                if name in P.x and name not in point.extra:
                    x[P.x.parts[name]] = sum(bounds) / 2
        return x, p

    def _flown(self, b: int, g: start.Guess, t: float) -> tuple[Array, ...]:
        moments = self.shapes[b].moments / (self.units.mass * self.units.length**2)
        return tuple(np.array(one).ravel() for one in flight(self.shapes[b].kind)(g.x, g.q, g.v, g.w, moments, self.g, t))

    def point(self, P: Problem, x: Array, p: Array) -> Point:
        """A point of the problem as durations, states and shares; inverse of `vectors`."""
        durations = np.array([float(x[P.x.parts[f"T {f}"]][0]) for f in range(len(self.parts))])
        states: list[list[start.Guess]] = []
        shares: list[list[Array]] = []
        nodes: dict[tuple[int, int], tuple[Array, ...]] = {}
        for f, parts in enumerate(self.parts):
            states.append([])
            shares.append([])
            for b in range(len(self.items)):
                track = self.tracks[f][b]
                share = np.zeros(0 if track is None else len(track.places))
                for k in range(parts):
                    segment = int(self.first[f]) + k
                    z, q = x[P.x.parts[f"z {segment},{b}"]], p[P.p.parts[f"q {segment},{b}"]]
                    nodes[segment, b] = (z[:3], multiplied(q, exponential(z[3:6])), z[6:9], z[9:12])
                    for i, at in enumerate(self._of_part(f, b, k)):
                        name = f"share {segment},{b},{i}"
                        local = float((x[P.x.parts[name]] if name in P.x else p[P.p.parts[name]])[0])
                        share[at] = (local + k) / parts
                first = nodes[int(self.first[f]), b]
                states[-1].append(start.Guess(first[0], first[1], first[2], first[3], share))
                shares[-1].append(share)
        kept = ("tilt", "e", "mu", "gap", "force")
        extra = {name: x[at].copy() for name, at in P.x.parts.items() if name.split(" ")[0] in kept}
        return Point(durations, states, shares, nodes, extra)

    # --- assignment ------------------------------------------------------------------------------
    def assigned(self, point: Point, grid: int = 97) -> Point:
        """The same motion with every sample at its best time, in order."""
        s = np.linspace(0, 1, grid)
        shares: list[list[Array]] = []
        for f, row in enumerate(self.tracks):
            shares.append([])
            for b, track in enumerate(row):
                if track is None or track.times is not None:
                    shares[-1].append(point.shares[f][b])
                    continue
                xs, qs = self.along(point, f, b, s)
                D = distances(track.places, track.turns if track.w_q.any() else None, xs, qs, track.w_x, track.w_q)
                if f == 0:
                    D[0, 1:] = np.inf
                if f == len(self.tracks) - 1:
                    D[-1, :-1] = np.inf
                shares[-1].append(np.clip(refined(D, monotone(D)) / (grid - 1), 0, 1))
        return replace(point, shares=shares)

    def along(self, point: Point, f: int, b: int, s: Array) -> tuple[Array, Array]:
        """Places and principal orientations of a body along a flight at shares s, in units."""
        x, q, _, _ = self.states(point, f, b, s)
        return x, q

    def states(self, point: Point, f: int, b: int, s: Array) -> tuple[Array, Array, Array, Array]:
        parts = self.parts[f]
        kind, moments = self.shapes[b].kind, self.shapes[b].moments / (self.units.mass * self.units.length**2)
        a = self.g + (point.extra[f"force {b}"] / (self.shapes[b].mass / self.units.mass) if f"force {b}" in point.extra else 0)
        out: list[list[Array]] = [[], [], [], []]
        for k in range(parts):
            last = k == parts - 1
            inside = s[(s >= k / parts) & ((s < (k + 1) / parts) | last)]
            if not len(inside):
                continue
            node = point.nodes.get((int(self.first[f]) + k, b)) if point.nodes else None
            if node is None:
                node = self._flown(b, point.states[f][b], point.durations[f] * k / parts)
            t = (inside - k / parts) * point.durations[f]
            moved = flight(kind, 1 if point.nodes else 8).map(len(t))(
                *(np.tile(v[:, None], len(t)) for v in node),
                np.tile(moments[:, None], len(t)),
                np.tile(a[:, None], len(t)),
                t[None],
            )
            for where, one in zip(out, moved, strict=True):
                where.append(np.array(one).T)
        found = tuple(np.concatenate(one) for one in out)
        return found[0], found[1], found[2], found[3]

    def lowest(self, point: Point) -> list[Array | None]:
        """For each collision whose corner is not named, the corner that is lowest over the surface where the flight ends."""
        found: list[Array | None] = []
        for f, c in enumerate(self.collisions):
            if c.body is None or c.at is not None:
                found.append(None)
                continue
            b = self.items.index(c.body)
            _, q = self.along(point, f, b, np.ones(1))
            shape = self.shapes[b]
            R = rotation_matrix(multiplied(q[0], shape.turn * (1, -1, -1, -1)))
            n = np.array(c.on.normal)
            if c.on.of is not None:
                other = self.items.index(c.on.of)
                _, qo = self.along(point, f, other, np.ones(1))
                n = rotation_matrix(multiplied(qo[0], self.shapes[other].turn * (1, -1, -1, -1))) @ n
            found.append(shape.corners[int((shape.corners @ R.T @ n).argmin())])
        return found


@dataclass
class Point:
    """A motion in units: duration of each flight, state of each body at its start, shares of the samples, nodes, other unknowns."""

    durations: Array
    states: list[list[start.Guess]]
    shares: list[list[Array]]
    nodes: dict[tuple[int, int], tuple[Array, ...]] | None = None
    extra: dict[str, Array] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        self.extra = {} if self.extra is None else self.extra


def i_surface(s: Structure, i: int) -> int:
    """Which surface a guard is about: guards of one segment and body follow each other in the order of the surfaces."""
    guard = s.guards[i]
    return sum(1 for other in s.guards[:i] if (other.segment, other.body) == (guard.segment, guard.body))


def outermost(corners: Array, count: int) -> Array:
    """So many corners, far from each other."""
    chosen = [int(np.linalg.norm(corners, axis=1).argmax())]
    while len(chosen) < count:
        chosen.append(int(np.linalg.norm(corners[:, None] - corners[chosen], axis=2).min(axis=1).argmax()))
    return np.asarray(corners[chosen])


def multiplied(a: Any, b: Any) -> Array:
    """a ⊗ b of two quaternions, in plain numbers, which is ten times quicker than numpy on four of them."""
    p, q, r, s = (float(x) for x in a)
    w, x, y, z = (float(x) for x in b)
    return np.array(
        (p * w - q * x - r * y - s * z, p * x + q * w + r * z - s * y, p * y - q * z + r * w + s * x, p * z + q * y - r * x + s * w)
    )


def exponential(w: Array) -> Array:
    """The quaternion of a rotation vector."""
    angle = float(np.linalg.norm(w))
    return np.array([math.cos(angle / 2), *(0.5 * np.sinc(angle / (2 * math.pi)) * w)])


__all__ = ["Point", "Statement", "Units", "problem"]
