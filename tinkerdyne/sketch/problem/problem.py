"""The optimisation problem of a sketch: multiple shooting over flights between collisions, built once per
structure (M3, M5).

Node of body b in segment k:  z = (x, θ, v, ω), q = q_ref ⊗ exp(θ);  each flight has a duration T, so the grid
slides.

    min  Σ samples  w_x |x(τ) − x_s|² + w_q |2 vec(q_s* ⊗ q(τ))|²  +  Σ W |gap|²  +  soft wishes
    s.t. pose continuity at every grid point; contact height 0 and approach at every collision; velocity
    continuity through the
         impulse, but for the gaps; hard wishes; corners above surfaces; bounds on normals, restitution,
         forces, durations.

Everything that changes from sketch to sketch of one structure is a parameter. Lengths are in units of the
sketch's extent, times in units of √(extent/g), masses in units of the first body's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import casadi as ca

from tinkerdyne.sketch.problem.formulas import (
    EVENT,
    SAMPLE,
    WISH,
    Flying,
    Hit,
    Z,
    projection,
    started,
    turn_error,
)
from tinkerdyne.sketch.problem.structure import MOMENTS, EventShape, Guard, Pair, Structure, WishShape
from tinkerdyne.sketch.problem.terms import Formula, Layout, Terms
from tinkerdyne.sketch.solve.ipopt import Ipopt
from tinkerdyne.sketch.tell.shape import Kind

SX = Any
FORMULAS: dict[Any, Formula] = {}  # of all problems, by the keys of their families


class Problem:
    """The terms of one structure, and their solver."""

    def __init__(self, structure: Structure) -> None:
        self.structure = s = structure
        self.count, self.bodies = len(s.samples), len(s.kinds)
        self.x, self.p = Layout(), Layout()
        self._lay_out()
        self.terms = Terms(self.x, self.p, FORMULAS)
        for k in range(self.count):
            for b in range(self.bodies):
                for i in s.held(k, b):
                    self._sample(k, b, i)
        for k, event in enumerate(s.events):
            for b in range(self.bodies):
                self._join(k, b, is_struck=b in event.struck)
            if event.struck:
                self._collide(k, event)
            if self._has_clock:
                self._clock(k, s.parts[k])
        if s.is_timed:
            self._end()
        for i, wish in enumerate(s.wishes):
            self._wish(i, wish)
        for i, guard in enumerate(s.guards):
            self._guard(i, guard)
        for i, pair in enumerate(s.pairs):
            self._pair(i, pair)
        for b in range(self.bodies):
            if f"inertia {b}" in self.x:
                self._inertia(b)
        self.g = self.terms.g
        self.ipopt = Ipopt(self.terms)

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
            if s.inertias and s.inertias[b]:
                x.add(f"inertia {b}", len(set(MOMENTS[s.kinds[b]])))  # factors of its moments
        for k in range(self.count):
            if k == 0 or s.flights[k] != s.flights[k - 1]:
                x.add(f"T {s.flights[k]}", 1)
            if self._has_clock:
                (x if k else p).add(f"B {k}", 1)  # when the segment begins
            for b in range(self.bodies):
                x.add(f"z {k},{b}", Z)
                p.add(f"q {k},{b}", 4)
                for i in s.held(k, b):
                    p.add(f"sample {s.flights[k]},{b},{i}", SAMPLE)
                    (x if s.is_free(k, b, i) else p).add(f"share {s.flights[k]},{b},{i}", 1)
            if k < len(s.events):
                self._lay_out_event(k, s.events[k])
        if s.is_timed:
            p.add("end", 1)
        for i, wish in enumerate(s.wishes):
            p.add(f"wish {i}", WISH)
            if wish.kind == "face":
                p.add(f"face {i}", 3 * wish.size)
        for i, guard in enumerate(s.guards):
            p.add(f"guard {i}", 6)
            for j in range(len(guard.shares)):
                p.add(f"guard {i},{j}", 1 + 3 * guard.corners)
        for i, pair in enumerate(s.pairs):
            for j in range(pair.planes):
                p.add(f"apart {i},{j}", 7 + 3 * pair.corners)

    def _lay_out_event(self, k: int, event: EventShape) -> None:
        if not event.struck:
            return
        self.p.add(f"event {k}", EVENT)
        for name, is_there, n in (
            ("tilt", event.is_tilted, 2),
            ("e", event.is_elastic, 1),
            ("mu", event.friction == "varied", 1),
        ):
            if is_there:
                self.x.add(f"{name} {k}", n)
        if self.structure.has_gaps:
            for b in event.struck:
                self.x.add(f"gap {k},{b}", 6)

    # --- terms -----------------------------------------------------------------------------------
    def _flying(self, k: int, bodies: tuple[int, ...]) -> tuple[list[str], list[str]]:
        """Names of the unknowns and parameters that the flight of some bodies in a segment reads: T first, g
        first."""
        ys, ps = [f"T {self.structure.flights[k]}"], ["g"]
        for b in bodies:
            ys.append(f"z {k},{b}")
            ps += [f"q {k},{b}", f"mass {b}", f"moments {b}"]
            ys += [name for name in (f"force {b}", f"inertia {b}") if name in self.x]
        return ys, ps

    def _reader(self, k: int, bodies: tuple[int, ...]) -> Callable[[SX, SX], Flying]:
        return functools.partial(Flying, self._varied(bodies), self.structure.parts[k])

    def _key(self, name: str, k: int, bodies: tuple[int, ...], *more: Any) -> Any:
        return (name, self._varied(bodies), self.structure.parts[k], *more)

    def _varied(self, bodies: tuple[int, ...]) -> tuple[tuple[Kind, bool, bool], ...]:
        """Of each body its kind, and whether a force on it and its inertia are unknowns."""
        return tuple(
            (self.structure.kinds[b], f"force {b}" in self.x, f"inertia {b}" in self.x) for b in bodies
        )

    def _sample(self, k: int, b: int, i: int) -> None:
        """w_x |x − x_s|² + w_q |2 vec(q_s* q)|²."""
        s = self.structure
        ys, ps = self._flying(k, (b,))
        read = self._reader(k, (b,))
        f = s.flights[k]
        name, is_free = f"share {f},{b},{i}", s.is_free(k, b, i)
        ps.append(f"sample {f},{b},{i}")
        if s.is_timed:
            (ys if k else ps).append(f"B {k}")
        (ys if is_free else ps).append(name)

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            flying = read(y, p)
            rest_y, rest_p = flying.rest(y, p)
            sample = rest_p[:SAMPLE]
            t = (rest_y if is_free else rest_p)[-1] * flying.T
            if s.is_timed:
                begin = rest_y[0] if k else rest_p[SAMPLE]
                t = t + sample[9] * (sample[10] - begin - t)
            end = flying.at(0, t)
            turned = 4 * (1 - end.alignment(sample[3:7]) ** 2)  # |2 vec(q_s* q)|² of unit quaternions
            return sample[7] * ca.sumsqr(end.x - sample[:3]) + sample[8] * turned, ca.SX(0, 1)

        key = self._key("sample", k, (b,), is_free, s.is_timed, s.is_timed and k > 0)
        self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula)
        before = f"share {f},{b},{i - 1}"
        if is_free and before in self.x:
            # segments between the two
            ahead = k - next(j for j in range(k + 1) if s.flights[j] == f and i - 1 in s.held(j, b))
            rising = functools.partial(_rising, ahead)
            self.terms.add(
                ("order", ahead), self.x.indices(before, name), self.p.indices(), rising, f"order {f},{b},{i}"
            )

    def _join(self, k: int, b: int, *, is_struck: bool) -> None:
        """The next node goes on where this segment ended; a body that nothing strikes keeps its velocity
        too."""
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
        self.terms.add(
            key,
            self.x.indices(*ys),
            self.p.indices(*ps),
            formula,
            f"{'pose' if is_struck else 'join'} {k},{b}",
        )

    def _clock(self, k: int, parts: int) -> None:
        """The next segment begins when this one ends."""

        def formula(y: SX, _p: SX) -> tuple[SX, SX]:
            return ca.SX(0), y[1] - y[0] / parts - (y[2] if k else 0)

        before = [f"B {k}"] if k else []
        y = self.x.indices(f"T {self.structure.flights[k]}", f"B {k + 1}", *before)
        self.terms.add(("clock", parts, k > 0), y, self.p.indices(), formula, f"clock {k}")

    def _end(self) -> None:
        """The last segment ends at a given time, or no earlier."""
        k = self.count - 1
        parts = self.structure.parts[k]

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            return ca.SX(0), y[0] / parts + (y[1] if k else 0) - p

        y = self.x.indices(f"T {self.structure.flights[k]}", *([f"B {k}"] if k else []))
        self.terms.add(("clock end", parts, k > 0), y, self.p.indices("end"), formula, "clock end")

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
            hit = Hit.read(event, flying, given, rest)
            at = (2 if event.is_tilted else 0) + int(event.is_elastic) + int(event.friction == "varied")
            cost, rows = ca.SX(0), [hit.height, hit.closing]
            if event.is_tilted:
                rows.append(ca.sumsqr(rest[:2]))
            for i, (v, w) in enumerate(hit.after):
                z = rest[at + len(gaps) * 6 + i * Z :][:Z] if gaps else rest[at + i * Z :][:Z]
                off = ca.vertcat(z[6:9] - v, z[9:12] - w)
                if gaps:
                    gap = rest[at + 6 * i : at + 6 * i + 6]
                    off = off - gap
                    cost += given[17] * ca.sumsqr(gap[:3]) + given[18] * ca.sumsqr(gap[3:])
                rows.append(off)
            return cost, ca.vertcat(*rows)

        law = (event.is_tilted, event.is_elastic, event.friction, event.is_round, event.is_ball)
        key = self._key("collide", k, bodies, event.b >= 0, *law, bool(gaps))
        self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula, f"collision {k}")

    def _wish(self, i: int, wish: WishShape) -> None:
        k, parts = wish.segment, self.structure.parts[wish.segment]
        bodies = (
            tuple(range(self.bodies))
            if wish.kind == "custom"
            else tuple(b for b in (wish.body, wish.other) if b >= 0)
        )
        ys, ps = self._flying(k, bodies)
        read = self._reader(k, bodies)
        ps += [f"wish {i}", "unit", *([f"face {i}"] if wish.kind == "face" else [])]
        if wish.when == "time":
            (ys if k else ps).append(f"B {k}")

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            flying = read(y, p)
            rest, given = flying.rest(y, p)
            if wish.when == "time":
                t = given[13] - (rest[0] if k else given[-1])
            else:
                t = {"start": ca.SX(0), "end": flying.T, "share": given[13] * parts * flying.T}[wish.when]
            # those are seen from the beginning of the flight
            steps = parts if wish.when in ("share", "time") else 1
            value = projection(wish, [flying.at(j, t, steps) for j in range(len(bodies))], given)
            if wish.is_hard:
                return ca.SX(0), value
            off = ca.fmax(given[15 : 15 + wish.size] - value, 0) + ca.fmax(
                value - given[19 : 19 + wish.size], 0
            )
            return given[14] * ca.sumsqr(off), ca.SX(0, 1)

        kinds = (wish.kind, wish.when, wish.when == "time" and k > 0, wish.is_hard, wish.size, wish.function)
        key = self._key("wish", k, bodies, *kinds)
        if wish.when == "time":
            self._within(i, k)
        is_shared = wish.function is None
        self.terms.add(
            key, self.x.indices(*ys), self.p.indices(*ps), formula, f"wish {i}", is_shared=is_shared
        )

    def _within(self, i: int, k: int) -> None:
        """The time of a wish lies in its flight, which begins with segment k:  0 ≤ t − B ≤ T."""

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            return ca.SX(0), ca.vertcat(p[13] - y[1], y[0] - (p[13] - y[1])) if k else y[0] - p[13]

        y = self.x.indices(f"T {self.structure.flights[k]}", *([f"B {k}"] if k else []))
        self.terms.add(("within", k > 0), y, self.p.indices(f"wish {i}"), formula, f"within {i}")

    def _guard(self, i: int, guard: Guard) -> None:
        """Heights of corners over a plane at some moments of a segment."""
        bodies = (guard.body,) if guard.other < 0 else (guard.body, guard.other)
        read = self._reader(guard.segment, bodies)

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            flying = read(y, p)
            _, given = flying.rest(y, p)
            return ca.SX(0), _heights(flying, given, is_carried=guard.other >= 0)

        key = self._key("guard", guard.segment, bodies, guard.corners)
        for j in range(len(guard.shares)):
            ys, ps = self._flying(guard.segment, bodies)
            ps += [f"guard {i}", f"guard {i},{j}"]
            self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula, f"guard {i},{j}")

    def _pair(self, i: int, pair: Pair) -> None:
        """Heights of corners over planes that another body carries, or the world, at some moments of a
        segment."""
        bodies = (pair.body,) if pair.other < 0 else (pair.body, pair.other)
        read = self._reader(pair.segment, bodies)

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            flying = read(y, p)
            return ca.SX(0), _heights(flying, flying.rest(y, p)[1], is_carried=pair.other >= 0)

        key = self._key("guard", pair.segment, bodies, pair.corners)
        for j in range(pair.planes):
            ys, ps = self._flying(pair.segment, bodies)
            ps.append(f"apart {i},{j}")
            self.terms.add(key, self.x.indices(*ys), self.p.indices(*ps), formula, f"apart {i},{j}")

    def _inertia(self, b: int) -> None:
        """No moment is larger than the two others together: I₁ ≤ I₂ + I₃, and so on."""
        kind = self.structure.kinds[b]

        def formula(y: SX, p: SX) -> tuple[SX, SX]:
            I = p * y[list(MOMENTS[kind])]
            return ca.SX(0), ca.vertcat(*((ca.sum1(I) - 2 * I[i]) / ca.sum1(p) for i in range(3)))

        self.terms.add(
            ("inertia", kind),
            self.x.indices(f"inertia {b}"),
            self.p.indices(f"moments {b}"),
            formula,
            f"inertia {b}",
        )


def _heights(flying: Flying, given: SX, *, is_carried: bool) -> SX:
    """Heights of corners of the first body over a plane, of the world or of the second body: origin, normal,
    when, corners."""
    origin, n, t, corners = (
        given[:3],
        given[3:6],
        given[6] * flying.T,
        ca.reshape(given[7:], 3, (given.numel() - 7) // 3),
    )
    end = flying.at(0, t)
    if not is_carried:
        return corners.T @ end.into(n) + ca.dot(n, end.x - origin)
    other = flying.at(1, t)
    n = other.R @ n
    return corners.T @ end.into(n) + ca.dot(n, end.x - other.at(origin))


def _rising(ahead: int, y: SX, _p: SX) -> tuple[SX, SX]:
    """The share of a sample is no less than that of the one before it, which lies so many segments behind."""
    return ca.SX(0), y[1] - y[0] + ahead


@functools.lru_cache(maxsize=32)
def problem(structure: Structure) -> Problem:
    """The problem of a structure, built once."""
    return Problem(structure)
