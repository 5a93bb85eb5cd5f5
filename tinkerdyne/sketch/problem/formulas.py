"""Formulas of a problem's terms: flights, collisions and wishes, read out of the vectors of unknowns and
parameters (M1, M2)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import ClassVar, NamedTuple, Self

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.rotation import exponential, matrix, product
from tinkerdyne.sketch.problem.flight import fly
from tinkerdyne.sketch.problem.impact import Mover, impulse, rough_impulse
from tinkerdyne.sketch.problem.structure import MOMENTS, Guard, Junction, Separation, WishForm
from tinkerdyne.sketch.tell.shape import SpinKind, Symmetry
from tinkerdyne.sketch.tell.state import State
from tinkerdyne.sketch.tell.tips import FLAT, ROWS, lowest_point

NODE = 12  # numbers of a node: place, rotation vector, velocity, spin


# --- parameters that stand together -------------------------------------------------------------------
@dataclass(frozen=True)
class Numbers:
    """Numbers, or symbols, that stand one after another among the parameters."""

    SIZE: ClassVar[int]

    @property
    def parts(self) -> list[SX]:
        return [getattr(self, part.name) for part in fields(self)]

    def vector(self) -> Array:
        out = np.concatenate([np.ravel(part) for part in self.parts])
        assert len(out) == self.SIZE
        return out


@dataclass(frozen=True)
class SampleNumbers(Numbers):
    """A sample: its place and quaternion, their weights, whether its time is given, and that time."""

    place: SX
    turn: SX
    place_weight: SX
    turn_weight: SX
    is_timed: SX
    time: SX

    SIZE = 11

    @classmethod
    def of(cls, v: SX) -> Self:
        return cls(v[:3], v[3:7], v[7], v[8], v[9], v[10])


@dataclass(frozen=True)
class ImpactNumbers(Numbers):
    """A collision: the point that strikes, the plane that it meets, the law, weights of gaps, and radii."""

    point: SX
    origin: SX
    normal: SX
    tangent: SX
    bitangent: SX
    rim: SX
    restitution: SX
    friction: SX
    gap_weight: SX
    spin_gap_weight: SX
    radius: SX
    other_radius: SX

    SIZE = 24

    @classmethod
    def of(cls, v: SX) -> Self:
        return cls(*(v[3 * i : 3 * i + 3] for i in range(6)), *(v[18 + i] for i in range(6)))


@dataclass(frozen=True)
class WishNumbers(Numbers):
    """A wish: its quaternion or the axes it is measured in, a point of the body and a rim about it, a plane,
    when, and for a soft one its weight and bounds."""

    value: SX
    point: SX
    rim: SX
    origin: SX
    normal: SX
    when: SX
    weight: SX
    low: SX
    high: SX

    SIZE = 26

    @classmethod
    def of(cls, v: SX) -> Self:
        return cls(v[:4], v[4:7], v[7:10], v[10:13], v[13:16], v[16], v[17], v[18:22], v[22:26])


# --- flights and collisions -----------------------------------------------------------------------------
class Varied(NamedTuple):
    """What is known of a body: its kind, whether a force on it and its inertia are unknowns, and whether it
    stands."""

    kind: Symmetry
    is_forced: bool
    is_shaped: bool
    is_still: bool


class Flying:
    """Reads the flight of some bodies in one segment out of a term's vectors."""

    def __init__(self, varied: tuple[Varied, ...], parts: int, y: SX, p: SX) -> None:
        self.motions: tuple[SpinKind, ...] = tuple("still" if one.is_still else one.kind for one in varied)
        self.T = y[0] / parts
        self._nodes: list[tuple[SX, SX, SX, SX, SX]] = []
        i, j = 1, 3
        for one in varied:
            q, mass, moments = p[j : j + 4], p[j + 4], p[j + 5 : j + 8]
            j += 8
            if one.is_still:  # its state is known
                z, j = p[j : j + NODE], j + NODE
            else:
                z, i = y[i : i + NODE], i + NODE
            a = p[:3]
            if one.is_forced:
                a = a + y[i : i + 3] / mass
                i += 3
            if one.is_shaped:
                moments = moments * each_moment(one.kind, y[i:])
                i += len(set(MOMENTS[one.kind]))
            self._nodes.append((z, q, mass, moments, a))
        self._ends = i, j

    def rest(self, y: SX, p: SX) -> tuple[SX, SX]:
        """What follows the flight's own numbers."""
        return y[self._ends[0] :], p[self._ends[1] :]

    def at(self, i: int, t: SX, steps: int = 1) -> State:
        z, q, _, moments, a = self._nodes[i]
        return fly(self.motions[i], started(z, q), moments, a, t, steps)

    def mass(self, i: int) -> SX:
        return self._nodes[i][2]

    def moments(self, i: int) -> SX:
        return self._nodes[i][3]


def each_moment(kind: Symmetry, factors: SX) -> SX:
    """The factors of all three principal moments of a body, of which equal ones share one."""
    return ca.vertcat(*(factors[i] for i in MOMENTS[kind]))


@dataclass(frozen=True)
class CollisionFormula:
    """A collision: height of the contact point over the plane, speed of approach, velocities and spins after
    it."""

    height: SX
    closing: SX
    after: list[tuple[SX, SX]]

    @staticmethod
    def read(junction: Junction, flying: Flying, given: ImpactNumbers, rest: SX) -> CollisionFormula:
        """From the parameters of a collision and the unknowns tilt, e, mu as far as there are any."""
        c, o, n0 = given.point, given.origin, given.normal
        e, mu, at = given.restitution, given.friction, 0
        n = n0
        if junction.is_tilted:
            n, at = n0 + rest[0] * given.tangent + rest[1] * given.bitangent, 2
            n = n / ca.norm_2(n)
        if junction.is_elastic:
            e, at = rest[at], at + 1
        if junction.friction == "varied":
            mu = rest[at]
        state, other = flying.at(0, flying.T), flying.at(1, flying.T) if junction.b >= 0 else None
        if junction.is_ball and other is not None:
            return CollisionFormula._between(junction, flying, given, e, mu)
        if junction.is_rimmed or junction.is_round:  # the point that is lowest over the plane
            down = state.into(n0 if other is None else other.R @ n0)
            c = lowest_point(c, given.rim, down) if junction.is_rimmed else c
            c = c - given.radius * down if junction.is_round else c
        a, b = Mover(state, flying.mass(0), flying.moments(0), c), None
        if other is not None:  # the plane is one of body b, in its axes
            b = Mover(other, flying.mass(1), flying.moments(1), other.into(a.state.at(c) - other.x))
            height, n = ca.dot(n0, b.c - o), other.R @ n
        else:
            height = ca.dot(n0, a.state.x - o) + ca.dot(a.state.into(n0), c)
        p, j = (rough_impulse(a, b, n, e, mu), ca.SX(1)) if junction.friction else (n, impulse(a, b, n, e))
        closing = a.speed(n) if b is None else a.speed(n) - b.speed(n)
        return CollisionFormula(
            height, closing, [a.struck(p, j)] + ([b.struck(p, -j)] if b is not None else [])
        )

    @staticmethod
    def _between(junction: Junction, flying: Flying, given: ImpactNumbers, e: SX, mu: SX) -> CollisionFormula:
        """Of a point or ball of a and a ball of b, along the line n between their middles:  height = |x_a −
        x_b| − r_a − r_b."""
        state, other = flying.at(0, flying.T), flying.at(1, flying.T)
        c, o, r_a, r_b = given.point, given.origin, given.radius, given.other_radius
        apart = state.at(c) - other.at(o)
        far = ca.norm_2(apart)
        n = apart / far
        a = Mover(state, flying.mass(0), flying.moments(0), c - r_a * state.into(n))
        b = Mover(other, flying.mass(1), flying.moments(1), o + r_b * other.into(n))
        p, j = (rough_impulse(a, b, n, e, mu), ca.SX(1)) if junction.friction else (n, impulse(a, b, n, e))
        return CollisionFormula(far - r_a - r_b, a.speed(n) - b.speed(n), [a.struck(p, j), b.struck(p, -j)])


def started(z: SX, q_ref: SX) -> State:
    """The state of a node."""
    by = exponential(z[3:6])
    return State(z[:3], product(q_ref, by), z[6:9], z[9:12], (q_ref, by))


def turn_error(wanted: SX, q: SX) -> SX:
    """2 vec(wanted* ⊗ q): the rotation vector between two orientations where it is small; the sign of q
    changes its sign only."""
    return 2 * product(ca.vertcat(wanted[0], -wanted[1:4]), q)[1:4]


def width(form: Guard | Separation) -> int:
    """How many numbers a corner has."""
    return ROWS if form.is_rimmed else 3


def heights(flying: Flying, given: SX, *, is_carried: bool, size: int) -> SX:
    """Heights of corners of the first body over a plane, of the world or of the second body: origin, normal,
    when, corners of so many numbers."""
    origin, n, t, corners = (
        given[:3],
        given[3:6],
        given[6] * flying.T,
        ca.reshape(given[7:], size, (given.numel() - 7) // size),
    )
    end = flying.at(0, t)
    if not is_carried:
        return _lowest(corners, end.into(n)) + ca.dot(n, end.x - origin)
    other = flying.at(1, t)
    n = other.R @ n
    return _lowest(corners, end.into(n)) + ca.dot(n, end.x - other.at(origin))


def _lowest(corners: SX, m: SX) -> SX:
    """How high corners, or tips with rims, lie along a direction: `Tips.lowest`."""
    height = corners[:3, :].T @ m
    if corners.shape[0] == 3:
        return height
    square = ca.sum1(corners[3:6, :] ** 2).T
    across = square - (corners[3:6, :].T @ m) ** 2
    return height - across / ca.sqrt(across + FLAT**2 * square + 1e-30) - corners[6, :].T


def projection(wish: WishForm, states: list[State], given: WishNumbers, units: SX, faces: SX) -> SX:
    """What a wish measures; units: m and s of one unit; faces: the normals around a face."""
    if wish.kind == "custom":
        assert wish.function is not None
        L, T = units[0], units[1]
        value = wish.function(*(State(s.x * L, s.q, s.v * L / T, s.w / T) for s in states))
        return ca.vertcat(*value) if isinstance(value, (list, tuple)) else ca.SX(value)
    state = states[0]
    if wish.kind == "orientation":
        return turn_error(given.value, state.q)
    if wish.is_rimmed:
        n = given.normal if len(states) == 1 else states[1].R @ given.normal
        given = replace(given, point=lowest_point(given.point, given.rim, state.into(n)))
    if wish.kind in ("height", "reach"):
        if len(states) == 2:
            off = states[1].into(state.at(given.point) - states[1].x) - given.origin
        else:
            off = state.at(given.point) - given.origin
        height = ca.dot(given.normal, off)
        return height if wish.kind == "height" else ca.sumsqr(off) - height**2
    if wish.kind == "face":  # how far along the normals of the faces around it
        normals = ca.reshape(faces, 3, wish.size)
        return normals.T @ states[1].into(state.at(given.point) - states[1].x)
    if wish.kind == "place":  # in the axes of another body
        return matrix(given.value) @ states[1].into(state.at(given.point) - states[1].x)
    return {
        "position": state.x,
        "point": state.at(given.point),
        "velocity": state.v,
        "spin": matrix(given.value) @ state.w,
    }[wish.kind]
