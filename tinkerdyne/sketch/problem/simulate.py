"""Plain simulation of a body that flies and bounces on a plane: what a sketch with known answers is made from
(M1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import matrices, multiplied, rotation_matrix
from tinkerdyne.sketch.problem.flight import flight
from tinkerdyne.sketch.problem.impact import bounce
from tinkerdyne.sketch.tell.shape import FlightBody

LOOK = 1 / 400  # s between two looks for a corner below the plane
RATTLES = 4  # flights in a row shorter than a look, after which the body no longer bounces but rests
PATIENCE = 3.0  # s without a collision after which the simulation ends


@dataclass(frozen=True)
class Flown:
    """A flight: its duration, the state (x, q, v, w) at its start in principal axes, and the corner that
    ended it (−1: none)."""

    T: float
    start: tuple[Array, Array, Array, Array]
    corner: int


def simulated(
    shape: FlightBody,
    state: Sequence[ArrayLike],
    count: int,
    *,
    last: float = 0.2,
    restitution: float = 0.5,
    friction: float = 0.0,
    gravity: ArrayLike = (0.0, 0.0, -9.81),
) -> list[Flown]:
    """A throw and its first `count` collisions with the plane z = 0, then a flight of `last` seconds, or up
    to the collision that would be next; fewer where none follows, or where the bounces become so short that
    the body comes to rest. What follows is contact's (`Solution.world`)."""
    g = np.array(gravity, float)
    tips = shape.tips.within(shape.axes)
    x, q, v, w = (np.array(one, float) for one in state)
    out: list[Flown] = []
    short = 0
    times = np.arange(1, round(PATIENCE / LOOK)) * LOOK
    moved = flight(shape.kind).map(len(times))

    def heights(t: float) -> Array:
        a, b, *_ = (np.array(one).ravel() for one in flight(shape.kind)(x, q, v, w, shape.moments, g, t))
        return np.asarray(a[2] + tips.lowest(rotation_matrix(b)[2]))

    def struck() -> float | None:
        """When a corner first comes down to the plane."""
        columns = [np.tile(one[:, None], len(times)) for one in (x, q, v, w, shape.moments, g)]
        xs, qs, *_ = (np.array(one) for one in moved(*columns, times[None]))
        low = xs[2] + tips.lowest(matrices(qs.T)[:, 2]).min(axis=1)
        under = np.nonzero(low < -1e-12)[0]
        if not len(under):
            return None
        a, b = (0.0 if under[0] == 0 else float(times[under[0] - 1])), float(times[under[0]])
        for _ in range(70):
            middle = (a + b) / 2
            a, b = (middle, b) if heights(middle).min() > 0 else (a, middle)
        return b

    for _ in range(count):
        b = struck()
        short = short + 1 if b is not None and b < LOOK else 0
        if b is None or short == RATTLES:
            break
        corner = int(heights(b).argmin())
        out.append(Flown(b, (x, q, v, w), corner))
        x, q, v, w = (np.array(one).ravel() for one in flight(shape.kind)(x, q, v, w, shape.moments, g, b))
        R = rotation_matrix(q)
        place = x + R @ tips.touching(corner, R[2])
        hit = bounce(friction=friction > 0)(
            x, q, v, w, shape.mass, shape.moments, place, (0.0, 0.0, 1.0), restitution, friction
        )
        v, w = np.array(hit[0]).ravel(), np.array(hit[1]).ravel()
    then = struck()
    out.append(Flown(last if then is None else min(last, then), (x, q, v, w), -1))
    return out


def poses(
    shape: FlightBody, flown: Flown, shares: Array, gravity: ArrayLike = (0.0, 0.0, -9.81)
) -> tuple[Array, Array]:
    """Places and orientations of the body along a flight."""
    n = len(shares)
    columns = [
        np.tile(np.asarray(one, float)[:, None], n)
        for one in (*flown.start, shape.moments, np.array(gravity))
    ]
    x, q, *_ = flight(shape.kind).map(n)(*columns, (shares * flown.T)[None])
    back = shape.turn * (1, -1, -1, -1)
    return np.array(x).T, np.array([multiplied(one, back) for one in np.array(q).T])
