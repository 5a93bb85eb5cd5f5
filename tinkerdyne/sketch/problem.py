"""The optimisation problem of a sketch: multiple shooting over flights between collisions, built once per structure (M3, M5).

Node of body b in segment k:  z = (x, θ, v, ω), q = q_ref ⊗ exp(θ);  each flight has a duration T, so the grid slides.

    min  Σ samples  w_x |x(τ) − x_s|² + w_q |2 vec(q_s* ⊗ q(τ))|²  +  Σ W |gap|²  +  soft wishes
    s.t. pose continuity at every grid point; contact height 0 and approach at every collision; velocity continuity through the
         impulse, but for the gaps; hard wishes; corners above surfaces; bounds on normals, restitution, forces, durations.

Everything that changes from sketch to sketch of one structure is a parameter. Lengths are in units of the sketch's extent, times
in units of √(extent/g), masses in units of the first body's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca

from tinkerdyne.objects.rotation import exponential, product
from tinkerdyne.sketch.collision import Mover, approach, impulse
from tinkerdyne.sketch.flight import Array, Kind, State, fly
from tinkerdyne.sketch.terms import OPTIONS, Layout, Terms, ipopt

SX = Any
Z = 12  # numbers of a node
EVENT = 19  # parameters of a collision: point 3, origin 3, normal and its tangents 9, restitution, friction, weights of gaps 2
SAMPLE = 11  # of a sample: place 3, quaternion 4, weights 2, whether its time is given, and that time
WISH = 23  # of a wish: value 4, point 3, plane 6, when, weight, and for a soft one its bounds 4 + 4


@dataclass(frozen=True)
class EventShape:
    """A grid point: a collision of body a with body b (−1: the world), or without a a split where all goes on smoothly."""

    a: int = -1
    b: int = -1
    is_tilted: bool = False  # whether the normal may vary
    is_elastic: bool = False  # whether the restitution may vary
    friction: str = ""  # "", "given" or "varied"

    @property
    def struck(self) -> tuple[int, ...]:
        return tuple(body for body in (self.a, self.b) if body >= 0)


@dataclass(frozen=True)
class WishShape:
    """A function of the state in one segment that is asked for: its kind, when, hard or soft, and how many numbers."""

    segment: int
    kind: str  # position, orientation, point, velocity, spin, height, reach, custom
    body: int
    when: str  # start, end, share (of the segment), time
    is_hard: bool
    size: int = 3
    other: int = -1  # the body that a plane lies in
    function: Callable[[list[State]], SX] | None = None  # of the bodies' states in SI units


@dataclass(frozen=True)
class Guard:
    """Corners of a body that stay above a plane of the world in a segment, at some shares of its duration."""

    segment: int
    body: int
    corners: int
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Structure:
    """What decides the form of a problem; two sketches of one structure share one compiled problem."""

    kinds: tuple[Kind, ...]
    samples: tuple[tuple[int, ...], ...]  # by segment and body
    events: tuple[EventShape, ...]  # between one segment and the next
    flights: tuple[int, ...]  # which flight a segment belongs to; the segments of a flight last equally long
    wishes: tuple[WishShape, ...] = ()
    guards: tuple[Guard, ...] = ()
    forces: tuple[bool, ...] = ()  # by body: whether a constant force may act
    has_gaps: bool = False
    is_timed: bool = False  # whether samples may have times of their own
    frees_times: bool = False  # whether the samples' times are variables

    @property
    def parts(self) -> tuple[int, ...]:
        """How many segments the flight of each segment has."""
        return tuple(self.flights.count(flight) for flight in self.flights)


class Problem:
    """The functions of one structure: IPOPT solvers, and how a solution moves."""

    def __init__(self, structure: Structure) -> None:
        self.structure = s = structure
        self.count, self.bodies = len(s.samples), len(s.kinds)
        self.x, self.p = Layout(), Layout()
        self._lay_out()
        self.terms = Terms(self.x, self.p)
        for k in range(self.count):
            for b in range(self.bodies):
                for i in range(s.samples[k][b]):
                    self._sample(k, b, i)
        for k, event in enumerate(s.events):
            for b in range(self.bodies):
                self._join(k, b, is_struck=b in event.struck)
            if event.struck:
                self._collide(k, event)
            if self._has_clock:
                self._clock(k, s.parts[k])
        for i, wish in enumerate(s.wishes):
            self._wish(i, wish)
        for i, guard in enumerate(s.guards):
            self._guard(i, guard)
        self.g = self.terms.g
        self.nlp, self.derivatives = self.terms.build()
        self.f_and_g = ca.Function("fg", [self.nlp["x"], self.nlp["p"]], [self.nlp["f"], self.nlp["g"]])
        self.solvers: dict[tuple[bool, int], Any] = {}

    def solver(self, *, warm: bool, most: int = 300) -> Any:
        """IPOPT with the exact Hessian and so many iterations, made when it is first wanted."""
        key = (warm, most)
        if key not in self.solvers:
            options = {**OPTIONS, **self.derivatives, "ipopt": ipopt(warm=warm, most=most)}
            self.solvers[key] = ca.nlpsol("sketch", "ipopt", self.nlp, options)
        return self.solvers[key]

    # --- what there is ---------------------------------------------------------------------------
    @property
    def _has_clock(self) -> bool:
        return self.structure.is_timed or any(wish.when == "time" for wish in self.structure.wishes)

    def _lay_out(self) -> None:
        s, x, p = self.structure, self.x, self.p
        p.add("g", 3)
        p.add("unit", 2)  # m and s of one unit
        for b in range(self.bodies):
            p.add(f"mass {b}", 1)
            p.add(f"moments {b}", 3)
            if s.forces and s.forces[b]:
                x.add(f"force {b}", 3)
        for k in range(self.count):
            if k == 0 or s.flights[k] != s.flights[k - 1]:
                x.add(f"T {s.flights[k]}", 1)
            if self._has_clock:
                x.add(f"B {k}", 1)  # when the segment begins
            for b in range(self.bodies):
                x.add(f"z {k},{b}", Z)
                p.add(f"q {k},{b}", 4)
                for i in range(s.samples[k][b]):
                    p.add(f"sample {k},{b},{i}", SAMPLE)
                    (x if s.frees_times else p).add(f"share {k},{b},{i}", 1)
            if k < len(s.events):
                self._lay_out_event(k, s.events[k])
        for i in range(len(s.wishes)):
            p.add(f"wish {i}", WISH)
        for i, guard in enumerate(s.guards):
            p.add(f"guard {i}", 6 + 3 * guard.corners)
            for j in range(len(guard.shares)):
                p.add(f"guard {i},{j}", 1)

    def _lay_out_event(self, k: int, event: EventShape) -> None:
        if not event.struck:
            return
        self.p.add(f"event {k}", EVENT)
        for name, is_there, n in (("tilt", event.is_tilted, 2), ("e", event.is_elastic, 1), ("mu", event.friction == "varied", 1)):
            if is_there:
                self.x.add(f"{name} {k}", n)
        if self.structure.has_gaps:
            for b in event.struck:
                self.x.add(f"gap {k},{b}", 6)

    # --- terms -----------------------------------------------------------------------------------
    def _flying(self, k: int, bodies: tuple[int, ...]) -> tuple[list[str], list[str]]:
        """Names of the unknowns and parameters that the flight of some bodies in a segment reads: T first, g first."""
        ys, ps = [f"T {self.structure.flights[k]}"], ["g"]
        for b in bodies:
            ys.append(f"z {k},{b}")
            ps += [f"q {k},{b}", f"mass {b}", f"moments {b}"]
            if f"force {b}" in self.x:
                ys.append(f"force {b}")
        return ys, ps

    def _reader(self, k: int, bodies: tuple[int, ...]) -> Callable[[SX, SX], Flying]:
        kinds = tuple(self.structure.kinds[b] for b in bodies)
        forced = tuple(f"force {b}" in self.x for b in bodies)
        return functools.partial(Flying, kinds, forced, self.structure.parts[k])

    def _key(self, name: str, k: int, bodies: tuple[int, ...], *more: Any) -> Any:
        s = self.structure
        return (name, tuple(s.kinds[b] for b in bodies), tuple(f"force {b}" in self.x for b in bodies), s.parts[k], *more)

    def _sample(self, k: int, b: int, i: int) -> None:
        """w_x |x − x_s|² + w_q |2 vec(q_s* q)|²."""
        s = self.structure
        ys, ps = self._flying(k, (b,))
        read = self._reader(k, (b,))
        name = f"share {k},{b},{i}"
        ps.append(f"sample {k},{b},{i}")
        if s.is_timed:
            ys.append(f"B {k}")
        (ys if s.frees_times else ps).append(name)

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            flying = read(y, p)
            rest_y, rest_p = flying.rest(y, p)
            sample = rest_p[:SAMPLE]
            share = rest_y[-1] if s.frees_times else rest_p[-1]
            t = share * flying.T
            if s.is_timed:
                t = t + sample[9] * (sample[10] - rest_y[0] - t)
            end = flying.at(0, t)
            return sample[7] * ca.sumsqr(end.x - sample[:3]) + sample[8] * ca.sumsqr(turn_error(sample[3:7], end.q)), ca.SX(0, 1)

        key = self._key("sample", k, (b,))
        self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula)
        if s.frees_times and i:
            pair = self.x.indices(f"share {k},{b},{i - 1}", name)
            self.terms.add("order", pair, self.p.indices(), lambda y, _p: (ca.SX(0), y[1] - y[0]), f"order {k},{b},{i}")

    def _join(self, k: int, b: int, *, is_struck: bool) -> None:
        """The next node goes on where this segment ended; a body that nothing strikes keeps its velocity too."""
        ys, ps = self._flying(k, (b,))
        read = self._reader(k, (b,))
        ys.append(f"z {k + 1},{b}")
        ps.append(f"q {k + 1},{b}")

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            flying = read(y, p)
            z, q = flying.rest(y, p)
            end, after = flying.at(0, flying.T), started(z, q)
            rows = [after.x - end.x, turn_error(end.q, after.q)]
            return ca.SX(0), ca.vertcat(*rows, *(() if is_struck else (after.v - end.v, after.w - end.w)))

        key = self._key("join", k, (b,), is_struck)
        self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula, f"{'pose' if is_struck else 'join'} {k},{b}")

    def _clock(self, k: int, parts: int) -> None:
        """The next segment begins when this one ends."""

        def formula(y: SX, _p: SX) -> tuple[SX, SX]:
            return ca.SX(0), y[2] - y[0] - y[1] / parts

        y = self.x.indices(f"B {k}", f"T {self.structure.flights[k]}", f"B {k + 1}")
        self.terms.add(("clock", parts), y, self.p.indices(), formula, f"clock {k}")

    def _collide(self, k: int, event: EventShape) -> None:
        bodies = event.struck
        ys, ps = self._flying(k, bodies)
        read = self._reader(k, bodies)
        ps.append(f"event {k}")
        extra = [name for name in (f"tilt {k}", f"e {k}", f"mu {k}") if name in self.x]
        gaps = [f"gap {k},{b}" for b in bodies] if self.structure.has_gaps else []
        ys += [*extra, *gaps, *(f"z {k + 1},{b}" for b in bodies)]

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            flying = read(y, p)
            rest, given = flying.rest(y, p)
            ends = [flying.at(i, flying.T) for i in range(len(bodies))]
            movers = [Mover(end, flying.mass(i), flying.moments(i)) for i, end in enumerate(ends)]
            hit = Hit.read(event, movers, given, rest)
            at = (2 if event.is_tilted else 0) + int(event.is_elastic) + int(event.friction == "varied")
            cost, rows = ca.SX(0), [hit.height, hit.closing]
            if event.is_tilted:
                rows.append(ca.sumsqr(rest[:2]))
            for i, mover in enumerate(movers):
                v, w = mover.struck(hit.place - mover.state.x, hit.J if i == 0 else -hit.J)
                z = rest[at + len(gaps) * 6 + i * Z :][:Z] if gaps else rest[at + i * Z :][:Z]
                off = ca.vertcat(z[6:9] - v, z[9:12] - w)
                if gaps:
                    gap = rest[at + 6 * i : at + 6 * i + 6]
                    off = off - gap
                    cost += given[17] * ca.sumsqr(gap[:3]) + given[18] * ca.sumsqr(gap[3:])
                rows.append(off)
            return cost, ca.vertcat(*rows)

        key = self._key("collide", k, bodies, event.b >= 0, event.is_tilted, event.is_elastic, event.friction, bool(gaps))
        self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula, f"collision {k}")

    def _wish(self, i: int, wish: WishShape) -> None:
        k = wish.segment
        bodies = tuple(range(self.bodies)) if wish.kind == "custom" else tuple(b for b in (wish.body, wish.other) if b >= 0)
        ys, ps = self._flying(k, bodies)
        read = self._reader(k, bodies)
        ps += [f"wish {i}", "unit"]
        if wish.when == "time":
            ys.append(f"B {k}")

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            flying = read(y, p)
            rest, given = flying.rest(y, p)
            if wish.when == "time":
                t = given[13] - rest[0]
            else:
                t = {"start": ca.SX(0), "end": flying.T, "share": given[13] * flying.T}[wish.when]
            value = projection(wish, [flying.at(j, t) for j in range(len(bodies))], given)
            if wish.is_hard:
                return ca.SX(0), value
            off = ca.fmax(given[15 : 15 + wish.size] - value, 0) + ca.fmax(value - given[19 : 19 + wish.size], 0)
            return given[14] * ca.sumsqr(off), ca.SX(0, 1)

        kinds = (wish.kind, wish.when, wish.is_hard, wish.size, wish.function)
        key = self._key("wish", k, bodies, *kinds)
        self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula, f"wish {i}")

    def _guard(self, i: int, guard: Guard) -> None:
        for j in range(len(guard.shares)):
            ys, ps = self._flying(guard.segment, (guard.body,))
            read = self._reader(guard.segment, (guard.body,))
            ps += [f"guard {i}", f"guard {i},{j}"]

            def formula(y: SX, p: SX, read: Any = read) -> tuple[SX, SX]:
                flying = read(y, p)
                _, given = flying.rest(y, p)
                end = flying.at(0, given[-1] * flying.T)
                corners = ca.reshape(given[6:-1], 3, guard.corners)
                return ca.SX(0), (given[3:6].T @ (end.R @ corners)).T + ca.dot(given[3:6], end.x - given[:3])

            key = self._key("guard", guard.segment, (guard.body,), guard.corners)
            self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula, f"guard {i},{j}")


class Flying:
    """Reads the flight of some bodies in one segment out of a term's vectors."""

    def __init__(self, kinds: tuple[Kind, ...], forced: tuple[bool, ...], parts: int, y: SX, p: SX) -> None:
        self.kinds = kinds
        self.T = y[0] / parts
        self._g = p[:3]
        self._nodes: list[tuple[SX, SX, SX, SX, SX]] = []
        i, j = 1, 3
        for is_forced in forced:
            z, q, mass, moments = y[i : i + Z], p[j : j + 4], p[j + 4], p[j + 5 : j + 8]
            i, j = i + Z, j + 8
            a = self._g
            if is_forced:
                a = a + y[i : i + 3] / mass
                i += 3
            self._nodes.append((z, q, mass, moments, a))
        self._ends = i, j

    def rest(self, y: SX, p: SX) -> tuple[SX, SX]:
        """What follows the flight's own numbers."""
        return y[self._ends[0] :], p[self._ends[1] :]

    def at(self, i: int, t: SX) -> State:
        z, q, _, moments, a = self._nodes[i]
        return fly(self.kinds[i], started(z, q), moments, a, t, steps=1)

    def mass(self, i: int) -> SX:
        return self._nodes[i][2]

    def moments(self, i: int) -> SX:
        return self._nodes[i][3]


@dataclass(frozen=True)
class Hit:
    """A collision: height of the contact point over the plane, speed of closing, place, normal and impulse."""

    height: SX
    closing: SX
    place: SX
    n: SX
    J: SX

    @staticmethod
    def read(event: EventShape, movers: list[Mover], given: SX, rest: SX) -> Hit:
        """From the parameters of a collision and the unknowns tilt, e, mu as far as there are any."""
        c, o, n0, t1, t2 = (given[3 * i : 3 * i + 3] for i in range(5))
        e, mu, at = given[15], given[16], 0
        n = n0
        if event.is_tilted:
            n, at = n0 + rest[0] * t1 + rest[1] * t2, 2
            n = n / ca.norm_2(n)
        if event.is_elastic:
            e, at = rest[at], at + 1
        if event.friction == "varied":
            mu = rest[at]
        a, b = movers[0], movers[1] if len(movers) == 2 else None
        if b is not None:
            n, n0, o = b.state.R @ n, b.state.R @ n0, b.state.at(o)
        place = a.state.at(c)
        J = impulse(a, b, place, n, e, mu if event.friction else None)
        return Hit(ca.dot(n0, place - o), ca.dot(approach(a, b, place), n), place, n, J)


def started(z: SX, q_ref: SX) -> State:
    """The state of a node."""
    return State(z[:3], product(q_ref, exponential(z[3:6])), z[6:9], z[9:12])


def turn_error(wanted: SX, q: SX) -> SX:
    """2 vec(wanted* ⊗ q): the rotation vector between two orientations where it is small; the sign of q changes its sign only."""
    return 2 * product(ca.vertcat(wanted[0], -wanted[1:4]), q)[1:4]


def projection(wish: WishShape, states: list[State], given: SX) -> SX:
    """What a wish measures."""
    value, at, origin, normal = given[:4], given[4:7], given[7:10], given[10:13]
    if wish.kind == "custom":
        assert wish.function is not None
        L, T = given[WISH], given[WISH + 1]
        found = wish.function([State(s.x * L, s.q, s.v * L / T, s.w / T) for s in states])
        return ca.vertcat(*found) if isinstance(found, (list, tuple)) else ca.SX(found)
    state = states[0]
    if wish.kind == "orientation":
        return turn_error(value, state.q)
    if wish.kind in ("height", "reach"):
        if len(states) == 2:
            origin, normal = states[1].at(origin), states[1].R @ normal
        off = state.at(at) - origin
        height = ca.dot(normal, off)
        return height if wish.kind == "height" else ca.sumsqr(off) - height**2
    if wish.kind == "place":  # in the axes of another body
        return states[1].R.T @ (state.at(at) - states[1].x)
    return {"position": state.x, "point": state.at(at), "velocity": state.v, "spin": state.w}[wish.kind]


@functools.lru_cache(maxsize=32)
def problem(structure: Structure) -> Problem:
    """The problem of a structure, built once."""
    return Problem(structure)


__all__ = ["Array", "EventShape", "Guard", "Problem", "Structure", "WishShape", "problem"]
