"""Flying: nodes, collisions and wishes read out of the vectors of a problem's terms, as formulas (M1, M2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca

from tinkerdyne.objects.rotation import exponential, matrix, product
from tinkerdyne.sketch.problem.flight import State, fly
from tinkerdyne.sketch.problem.impact import Mover, impulse, rough_impulse
from tinkerdyne.sketch.problem.structure import MOMENTS, EventShape, WishShape
from tinkerdyne.sketch.tell.shape import Kind

SX = Any
Z = 12  # numbers of a node
# parameters of a collision: point 3, origin 3, normal and tangents 9, restitution, friction, weights of gaps
# 2, radii 2
EVENT = 21
SAMPLE = 11  # of a sample: place 3, quaternion 4, weights 2, whether its time is given, and that time
WISH = 23  # of a wish: value or axes 4, point 3, plane 6, when, weight, and for a soft one its bounds 4 + 4


class Flying:
    """Reads the flight of some bodies in one segment out of a term's vectors."""

    def __init__(self, varied: tuple[tuple[Kind, bool, bool], ...], parts: int, y: SX, p: SX) -> None:
        self.kinds = tuple(kind for kind, _, _ in varied)
        self.T = y[0] / parts
        self._nodes: list[tuple[SX, SX, SX, SX, SX]] = []
        i, j = 1, 3
        for kind, is_forced, is_shaped in varied:
            z, q, mass, moments = y[i : i + Z], p[j : j + 4], p[j + 4], p[j + 5 : j + 8]
            i, j = i + Z, j + 8
            a = p[:3]
            if is_forced:
                a = a + y[i : i + 3] / mass
                i += 3
            if is_shaped:
                which = MOMENTS[kind]
                moments = moments * y[i : i + len(set(which))][list(which)]
                i += len(set(which))
            self._nodes.append((z, q, mass, moments, a))
        self._ends = i, j

    def rest(self, y: SX, p: SX) -> tuple[SX, SX]:
        """What follows the flight's own numbers."""
        return y[self._ends[0] :], p[self._ends[1] :]

    def at(self, i: int, t: SX, steps: int = 1) -> State:
        z, q, _, moments, a = self._nodes[i]
        return fly(self.kinds[i], started(z, q), moments, a, t, steps)

    def mass(self, i: int) -> SX:
        return self._nodes[i][2]

    def moments(self, i: int) -> SX:
        return self._nodes[i][3]


@dataclass(frozen=True)
class Hit:
    """A collision: height of the contact point over the plane, speed of approach, velocities and spins after
    it."""

    height: SX
    closing: SX
    after: list[tuple[SX, SX]]

    @staticmethod
    def read(event: EventShape, flying: Flying, given: SX, rest: SX) -> Hit:
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
        state, other = flying.at(0, flying.T), flying.at(1, flying.T) if event.b >= 0 else None
        if event.is_ball and other is not None:
            return Hit._between(event, flying, given, e, mu)
        if event.is_round:  # the point of the ball that is lowest over the plane
            c = c - given[19] * state.into(n0 if other is None else other.R @ n0)
        a, b = Mover(state, flying.mass(0), flying.moments(0), c), None
        if other is not None:  # the plane is one of body b, in its axes
            b = Mover(other, flying.mass(1), flying.moments(1), other.into(a.state.at(c) - other.x))
            height, n = ca.dot(n0, b.c - o), other.R @ n
        else:
            height = ca.dot(n0, a.state.x - o) + ca.dot(a.state.into(n0), c)
        p, j = (rough_impulse(a, b, n, e, mu), ca.SX(1)) if event.friction else (n, impulse(a, b, n, e))
        closing = a.speed(n) if b is None else a.speed(n) - b.speed(n)
        return Hit(height, closing, [a.struck(p, j)] + ([b.struck(p, -j)] if b is not None else []))

    @staticmethod
    def _between(event: EventShape, flying: Flying, given: SX, e: SX, mu: SX) -> Hit:
        """Of a point or ball of a and a ball of b, along the line n between their middles:  height = |x_a −
        x_b| − r_a − r_b."""
        state, other = flying.at(0, flying.T), flying.at(1, flying.T)
        c, o, r_a, r_b = given[:3], given[3:6], given[19], given[20]
        apart = state.at(c) - other.at(o)
        far = ca.norm_2(apart)
        n = apart / far
        a = Mover(state, flying.mass(0), flying.moments(0), c - r_a * state.into(n))
        b = Mover(other, flying.mass(1), flying.moments(1), o + r_b * other.into(n))
        p, j = (rough_impulse(a, b, n, e, mu), ca.SX(1)) if event.friction else (n, impulse(a, b, n, e))
        return Hit(far - r_a - r_b, a.speed(n) - b.speed(n), [a.struck(p, j), b.struck(p, -j)])


def started(z: SX, q_ref: SX) -> State:
    """The state of a node."""
    by = exponential(z[3:6])
    return State(z[:3], product(q_ref, by), z[6:9], z[9:12], (q_ref, by))


def turn_error(wanted: SX, q: SX) -> SX:
    """2 vec(wanted* ⊗ q): the rotation vector between two orientations where it is small; the sign of q
    changes its sign only."""
    return 2 * product(ca.vertcat(wanted[0], -wanted[1:4]), q)[1:4]


def projection(wish: WishShape, states: list[State], given: SX) -> SX:
    """What a wish measures."""
    value, at, origin, normal = given[:4], given[4:7], given[7:10], given[10:13]
    if wish.kind == "custom":
        assert wish.function is not None
        L, T = given[WISH], given[WISH + 1]
        found = wish.function(*(State(s.x * L, s.q, s.v * L / T, s.w / T) for s in states))
        return ca.vertcat(*found) if isinstance(found, (list, tuple)) else ca.SX(found)
    state = states[0]
    if wish.kind == "orientation":
        return turn_error(value, state.q)
    if wish.kind in ("height", "reach"):
        if len(states) == 2:
            off = states[1].into(state.at(at) - states[1].x) - origin
        else:
            off = state.at(at) - origin
        height = ca.dot(normal, off)
        return height if wish.kind == "height" else ca.sumsqr(off) - height**2
    if wish.kind == "face":  # how far along the normals of the faces around it
        normals = ca.reshape(given[WISH + 2 : WISH + 2 + 3 * wish.size], 3, wish.size)
        return normals.T @ states[1].into(state.at(at) - states[1].x)
    if wish.kind == "place":  # in the axes of another body
        return matrix(value) @ states[1].into(state.at(at) - states[1].x)
    return {"position": state.x, "point": state.at(at), "velocity": state.v, "spin": matrix(value) @ state.w}[
        wish.kind
    ]
