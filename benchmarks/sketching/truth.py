"""Motions that are known: bodies that fly and strike planes or each other, from which sketches are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import conjugate, matrices, multiplied, products, rotation_matrix
from tinkerdyne.sketch.problem.flight import flown
from tinkerdyne.sketch.problem.impact import bounce
from tinkerdyne.sketch.tell.shape import FlightBody
from tinkerdyne.sketch.tell.story import Surface

G = np.array((0.0, 0.0, -9.81))
LOOKS = 1 / 400  # s between two looks for what sinks
LONGEST = 1.5  # s without a blow
SLOWEST = 0.15  # m/s: what strikes slower is no blow that anyone would sketch

State = tuple[Array, Array, Array, Array]  # place, principal orientation, velocity, spin


@dataclass(frozen=True)
class Leg:
    """One flight of one body: its state at the start, in principal axes, and how long it lasts [s]."""

    shape: FlightBody
    start: State
    T: float

    def at(self, shares: Array) -> State:
        """States at shares of it, by rows."""
        return flown(self.shape.kind, self.start, self.shape.moments, G, shares * self.T)

    def shown(self, shares: Array) -> tuple[Array, Array]:
        """Places and orientations at shares of it."""
        x, q, *_ = self.at(shares)
        return x, products(q, conjugate(self.shape.turn))


@dataclass(frozen=True)
class Struck:
    """The blow at the end of a flight: which tip strikes which plane."""

    tip: int
    plane: int


def thrown(
    shape: FlightBody,
    state: State,
    planes: Sequence[Surface],
    count: int,
    *,
    e: float,
    mu: float,
    last: float,
) -> tuple[list[Leg], list[Struck]] | None:
    """A throw, so many blows on planes, and a last flight; none where it goes another way."""
    legs, blows = [], []
    for _ in range(count):
        hit = _first(shape, state, planes)
        if hit is None:
            return None
        T, tip, plane = hit
        leg = Leg(shape, state, T)
        struck = _after(shape, leg, tip, planes[plane], e, mu)
        if struck is None:
            return None
        legs.append(leg)
        blows.append(Struck(tip, plane))
        state = struck
    then = _first(shape, state, planes)
    if then is not None and then[0] < last:
        return None
    return [*legs, Leg(shape, state, last)], blows


def _heights(shape: FlightBody, state: State, planes: Sequence[Surface], t: Array) -> Array:
    """Of all tips over all planes, (moments, planes, tips)."""
    x, q, *_ = flown(shape.kind, state, shape.moments, G, t)
    R, tips = matrices(q), shape.tips.within(shape.axes)
    rows = []
    for plane in planes:
        o, n = np.array(plane.origin), np.array(plane.normal)
        rows.append(((x - o) @ n)[:, None] + tips.lowest(R.transpose(0, 2, 1) @ n))
    return np.stack(rows, axis=1)


def _first(shape: FlightBody, state: State, planes: Sequence[Surface]) -> tuple[float, int, int] | None:
    """When which tip first comes down to which plane."""
    t = np.arange(1, round(LONGEST / LOOKS)) * LOOKS
    low = _heights(shape, state, planes, t)
    under = np.flatnonzero(low.min(axis=(1, 2)) < -1e-12)
    if not len(under):
        return None
    a, b = (0.0 if under[0] == 0 else float(t[under[0] - 1])), float(t[under[0]])
    for _ in range(60):
        middle = (a + b) / 2
        is_above = _heights(shape, state, planes, np.array([middle])).min() > 0
        a, b = (middle, b) if is_above else (a, middle)
    lowest = _heights(shape, state, planes, np.array([b]))[0]
    plane, tip = np.unravel_index(int(lowest.argmin()), lowest.shape)
    return b, int(tip), int(plane)


def _after(shape: FlightBody, leg: Leg, tip: int, plane: Surface, e: float, mu: float) -> State | None:
    """The state after a blow; none where it comes too slowly."""
    x, q, v, w = (one[0] for one in leg.at(np.ones(1)))
    R, n, tips = rotation_matrix(q), np.array(plane.normal), shape.tips.within(shape.axes)
    arm = tips.touching(tip, R.T @ n)
    if (v + R @ np.cross(w, arm)) @ n > -SLOWEST:
        return None
    out = bounce(friction=mu > 0)(x, q, v, w, shape.mass, shape.moments, x + R @ arm, n, e, mu)
    return x, q, np.array(out[0]).ravel(), np.array(out[1]).ravel()


def met_in_the_air(
    shapes: Sequence[FlightBody],
    states: Sequence[State],
    place: Array,
    n: Array,
    e: float,
    mu: float,
    T: Array,
) -> list[list[Leg]]:
    """Two flights of two bodies that meet at a place, from their states just before it: [flight][body]."""
    given = [one for s, shape in zip(states, shapes, strict=True) for one in (*s, shape.mass, shape.moments)]
    out = [np.array(one).ravel() for one in bounce(two=True, friction=mu > 0)(*given, place, n, e, mu)]
    legs: list[list[Leg]] = [[], []]
    for i, (shape, state) in enumerate(zip(shapes, states, strict=True)):
        begin = flown(shape.kind, state, shape.moments, G, np.array([-T[0]]))
        legs[0].append(Leg(shape, tuple(one[0] for one in begin), float(T[0])))
        legs[1].append(Leg(shape, (*state[:2], out[2 * i], out[2 * i + 1]), float(T[1])))
    return legs


def cost_of(statement: Any, legs: list[list[Leg]], shares: list[list[Array]]) -> float:
    """What a motion costs as an answer to a sketch, by flight and body, its samples at these shares."""
    out, L = 0.0, statement.units.length
    for f, row in enumerate(legs):
        for b, leg in enumerate(row):
            track = statement.tracks[f][b]
            if track is None:
                continue
            x, q, *_ = leg.at(shares[f][b])
            turned = 4 * (1 - (q * track.turns).sum(axis=1) ** 2)
            out += float(track.w_x @ ((x / L - track.places) ** 2).sum(axis=1) + track.w_q @ turned)
    return out


def posed(shape: FlightBody, R: Array) -> Array:
    """The principal orientation of a body whose own axes are these."""
    from tinkerdyne.objects.rotation import quaternion_of

    return np.asarray(multiplied(quaternion_of(R), shape.turn))


def body_of(sketch: Any, name: str) -> Item:
    """A body of a sketch."""
    found: Item = next(body for body in sketch.bodies if body.name == name)
    return found
