"""The collisions of a motion in numbers: where, with what impulse, and what physics does not explain of them
(M5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import multiplied, rotation_matrix
from tinkerdyne.sketch.problem.impact import bounce
from tinkerdyne.sketch.problem.unknowns import Friction, Restitution, Tilt

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution


WILD = 0.5  # of a body's speed and its spin's at its radius: a gap that is wider cannot be believed
BodyState = tuple[Array, Array, Array, Array]  # place, orientation, velocity, spin


@dataclass(frozen=True)
class Impact:
    """A collision: when, where, its normal and impulse, restitution and friction, and what physics does not
    explain."""

    name: str
    time: float
    place: Array
    normal: Array
    impulse: Array  # N s, on the first body
    restitution: float
    friction: float
    gaps: dict[str, tuple[float, float]]  # by body: m/s and rad/s
    is_wild: bool = False  # whether a gap is wider than WILD of how fast its body is

    def __str__(self) -> str:
        opened = ", ".join(f"{name} {v:.2g} m/s and {w:.2g} rad/s" for name, (v, w) in self.gaps.items())
        return f"{self.name} at {self.time:.3f} s: velocities jump beyond the impulse by {opened}"


@dataclass(frozen=True)
class ContactState:
    """The end of a flight in numbers: height of the contact point, its speed along the normal, and the blow
    that physics gives."""

    height: float
    closing: float
    place: Array
    normal: Array
    impulse: Array
    restitution: float
    friction: float
    after: dict[int, Array]  # by body: velocity and spin


def impacts_of(m: Solution) -> list[Impact]:
    """The collisions, with what physics does not explain of them."""
    s = m.statement
    out = []
    for f, c in enumerate(s.collisions):
        if c.body is None:
            continue
        hit = contact_at(m, f)
        gaps, is_wild = {}, False
        for b, wanted in hit.after.items():
            _, _, v, w = (one[0] for one in m.states(b, f + 1, np.array([0.0])))
            gaps[s.items[b].name] = (
                float(np.linalg.norm(v - wanted[:3])),
                float(np.linalg.norm(w - wanted[3:])),
            )
            size = np.array((1.0, s.shapes[b].radius))
            before = [np.linalg.norm(one[0]) for one in m.states(b, f, np.array([1.0]))[2:]]
            fastest = np.maximum(before, np.linalg.norm((v, w), axis=1)) @ size
            is_wild |= bool(max(size * gaps[s.items[b].name]) > WILD * fastest)
        when = float(m.grid[f + 1])
        out.append(
            Impact(
                c.name, when, hit.place, hit.normal, hit.impulse, hit.restitution, hit.friction, gaps, is_wild
            )
        )
    return out


def contact_at(m: Solution, f: int) -> ContactState:
    """The collision at the end of flight f, from the states just before it."""
    s, c = m.statement, m.statement.collisions[f]
    k = int(s.first[f + 1]) - 1
    chosen = m.outcome.point.chosen
    bodies = s.struck(c)
    ends = [tuple(one[0] for one in m.states(b, f, np.array([1.0]))) for b in bodies]
    e = float(chosen[Restitution(k)][0]) if Restitution(k) in chosen else c.restitution[0]
    mu = float(chosen[Friction(k)][0]) if Friction(k) in chosen else c.friction[0]
    place, origin, n0 = contact_point(m, f, ends)
    tilt, (t1, t2) = chosen.get(Tilt(k), np.zeros(2)), c.on.tangents
    n = np.array(c.on.normal) + tilt[0] * t1 + tilt[1] * t2
    n = (rotation_matrix(ends[1][1]) if len(bodies) == 2 else np.eye(3)) @ n / np.linalg.norm(n)
    n = n0 if c.on.ball else n
    after, J = after_impact(m, bodies, ends, place, n, e, mu)
    u = [v + np.cross(rotation_matrix(q) @ w, place - x) for x, q, v, w in ends]
    approach = u[0] - u[1] if len(u) == 2 else u[0]
    return ContactState(float(n0 @ (place - origin)), float(approach @ n), place, n, J, e, mu, after)


def contact_point(m: Solution, f: int, states: list[BodyState]) -> tuple[Array, Array, Array]:
    """Where the first of the struck bodies touches at the end of a flight, and a place and the normal of what
    it touches; from the states (x, q, …) of the bodies."""
    c, tip = m.statement.collisions[f], m.statement.tip(f, m.outcome.corners)
    n, origin = np.array(c.on.normal), np.array(c.on.origin)
    own = rotation_matrix(states[0][1])
    at = states[0][0] + own @ tip.places[0]
    if len(states) == 2:
        R = rotation_matrix(states[1][1])
        n, origin = R @ n, states[1][0] + R @ origin
        if c.on.ball:
            n = (at - origin) / np.linalg.norm(at - origin)
            origin = origin + c.on.ball * n
    return states[0][0] + own @ tip.touching(0, own.T @ n), origin, n


def after_impact(
    m: Solution, bodies: list[int], states: list[BodyState], place: Array, n: Array, e: float, mu: float
) -> tuple[dict[int, Array], Array]:
    """Velocity and spin of each body after an impact, in its own axes, and the impulse on the first; from (x,
    q, v, w) before."""
    given: list[Array | float] = []
    for b, (x, q, v, w) in zip(bodies, states, strict=True):
        shape = m.statement.shapes[b]
        given += [x, multiplied(q, shape.turn), v, shape.axes.T @ np.array(w), shape.mass, m.moments(b)]
    out = [
        np.array(one).ravel()
        for one in bounce(two=len(bodies) == 2, friction=mu > 0)(*given, place, n, e, mu)
    ]
    after = {
        b: np.concatenate([out[2 * i], m.statement.shapes[b].axes @ out[2 * i + 1]])
        for i, b in enumerate(bodies)
    }
    return after, out[-1]
