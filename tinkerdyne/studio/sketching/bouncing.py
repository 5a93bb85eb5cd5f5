"""How a body would hop on from a surface: what a bounce is shown by to begin with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import exponential_of, multiplied, rotation_matrix
from tinkerdyne.sketch.tell.shape import FlightBody
from tinkerdyne.sketch.tell.story import Surface

STEP, MOST = 2e-3, 1000  # s, and steps: when it comes down is found so finely, and so far ahead
ALIKE = 0.02  # of its radius: corners that lie as low as the lowest strike with it
LEAST = 0.5  # m/s: it is struck as if it came down as fast as that
BRIEF = (0.15, 0.45)  # s: what follows is shown for so long, until it would be down again


class State(NamedTuple):
    """A body in flight, spin in its own axes."""

    place: Array
    turn: Array
    velocity: Array
    spin: Array

    def after(self, t: float, g: Array) -> State:
        """Where it flies; its spin stays, which is near enough for a moment."""
        turn = multiplied(self.turn, exponential_of(self.spin * t))
        return State(self.place + self.velocity * t + g * t**2 / 2, turn, self.velocity + g * t, self.spin)


def hop(
    state: State, shape: FlightBody, surface: Surface, g: Array, *, restitution: float, friction: float
) -> tuple[Array, Array]:
    """Places and orientations half way and at the end of what follows when a body comes down on a surface."""
    n, origin = np.array(surface.normal), np.array(surface.origin)

    def heights(one: State) -> Array:
        found: Array = (one.place + shape.corners @ rotation_matrix(one.turn).T - origin) @ n
        return found

    now = state
    for _ in range(MOST):
        if heights(now).min() <= 0 or (now.velocity @ n >= 0 and g @ n >= 0):
            break
        now = now.after(STEP, g)
    low = heights(now)  # what lands flat is struck in its middle
    at = shape.corners[low < low.min() + ALIKE * shape.radius].mean(axis=0)
    struck = _struck(now, shape, at, n, restitution, friction)
    fall, rise = -float(g @ n), float(struck.velocity @ n)
    lasts = float(np.clip(2 * rise / fall if fall > 0 else BRIEF[1], *BRIEF))
    shown = [struck.after(share * lasts, g) for share in (0.5, 1.0)]
    return np.array([one.place for one in shown]), np.array([one.turn for one in shown])


def _struck(state: State, shape: FlightBody, at: Array, n: Array, e: float, mu: float) -> State:
    """A state after an impulse on a point of the body, by Newton's restitution and Coulomb's friction."""
    R = rotation_matrix(state.turn)
    axes = R @ shape.axes
    r, inverse = R @ at, axes @ np.diag(1 / shape.moments) @ axes.T

    def gives(way: Array) -> float:
        """How much speed an impulse of one gives the point."""
        return float(1 / shape.mass + np.cross(inverse @ np.cross(r, way), r) @ way)

    there = state.velocity + np.cross(R @ state.spin, r)
    pushed = (1 + e) * max(-float(there @ n), LEAST) / gives(n)
    impulse = pushed * n
    slides = there - (there @ n) * n
    speed = float(np.linalg.norm(slides))
    if speed > 0 and mu > 0:
        way = slides / speed
        impulse = impulse - min(mu * pushed, speed / gives(way)) * way
    velocity = state.velocity + impulse / shape.mass
    spin = state.spin + R.T @ inverse @ np.cross(r, impulse)
    return State(state.place, state.turn, velocity, spin)
