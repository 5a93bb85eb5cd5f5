"""Collision: the velocities just after an impact, from those just before it (M1; MS03 eq. 3).

An impulse p acts on body a at the contact point, −p on body b, or on nothing when b is the world. K = Σ 1/m −
r̂ I⁻¹ r̂ is the matrix that takes p to the change of the relative velocity u of the contact points. Newton's
restitution asks for u⁺·n = −e u·n, Coulomb's law for a friction of at most μ times the normal impulse.
Between them stands the law of Chatterjee and Ruina (1998): with P the impulse that stops the approach without
friction, and P + D the one that stops all motion of the contact,
    p = (1 + e) P + κ D,   κ = 1 where that lies in the cone, else as much as does.
n·K D = 0, so the energy changes by ½ (e² − 1) P·K P + ½ κ (κ − 2) D·K D: it is never gained, however slanted
the blow.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import casadi as ca

from tinkerdyne.language.symbols import SX
from tinkerdyne.sketch.tell.state import State

STILL = 1e-24  # (N s)²: what the square of a friction is taken to be at least, so that its size has a slope


class Mover(NamedTuple):
    """A body at an impact: its state, mass [kg], principal moments [kg m²], and where it is struck, in its
    own axes [m]."""

    state: State
    mass: SX
    moments: SX
    c: SX

    def arm(self, n: SX) -> SX:
        """The moment of a unit impulse along n at the contact, in the body's axes:  c × Rᵀ n   [m]."""
        return ca.cross(self.c, self.state.into(n))

    def speed(self, n: SX) -> SX:
        """Velocity of the contact point along n:  v·n + ω·(c × Rᵀ n)   [m/s]."""
        return ca.dot(self.state.v, n) + ca.dot(self.state.w, self.arm(n))

    def mobility(self, n: SX) -> SX:
        """n·K n = 1/m + Σ arm²/I   [1/kg]."""
        arm = self.arm(n)
        return 1 / self.mass + ca.dot(arm, arm / self.moments)

    def matrix(self) -> SX:
        """K of this body:  1/m − R ĉ I⁻¹ ĉ Rᵀ   [1/kg]."""
        R, hat = self.state.R, ca.skew(self.c)
        return ca.SX.eye(3) / self.mass - R @ hat @ ca.diag(1 / self.moments) @ hat @ R.T

    def velocity(self) -> SX:
        """Of the contact point:  v + R (ω × c)   [m/s]."""
        return self.state.v + self.state.R @ ca.cross(self.state.w, self.c)

    def struck(self, n: SX, j: SX) -> tuple[SX, SX]:
        """Velocity and spin after an impulse j along n at the contact."""
        return self.state.v + j / self.mass * n, self.state.w + j * self.arm(n) / self.moments


def impulse(a: Mover, b: Mover | None, n: SX, e: SX) -> SX:
    """The impulse along the unit normal n that points towards a, without friction:  j = −(1 + e) u·n / n·K n
    [N s]."""
    if b is None:
        return -(1 + e) * a.speed(n) / a.mobility(n)
    return -(1 + e) * (a.speed(n) - b.speed(n)) / (a.mobility(n) + b.mobility(n))


def rough_impulse(a: Mover, b: Mover | None, n: SX, e: SX, mu: SX) -> SX:
    """The impulse p on a with friction: (1 + e) P + κ D   [N s]."""
    u, K = a.velocity(), a.matrix()
    if b is not None:
        u, K = u - b.velocity(), K + b.matrix()
    halt = -ca.dot(u, n) / ca.dot(n, K @ n)  # P = halt n
    D = -ca.solve(K, u) - halt * n
    down = ca.dot(D, n)
    across = ca.sqrt(ca.sumsqr(D - down * n) + STILL)
    beyond = across - mu * down  # what the cone holds of κ D, from both sides
    sticks = beyond <= mu * (1 + e) * halt
    kappa = ca.if_else(sticks, 1, mu * (1 + e) * halt / ca.if_else(sticks, 1, beyond))
    return (1 + e) * halt * n + kappa * D


@functools.cache
def bounce(*, two: bool = False, friction: bool = False) -> ca.Function:
    """The function of two states, masses, moments, place, normal, e, μ that gives (v, w) after the impact for
    each, and p."""
    given: list[SX] = []
    place, n, e, mu = ca.SX.sym("place", 3), ca.SX.sym("n", 3), ca.SX.sym("e"), ca.SX.sym("mu")
    sides = []
    for name in ("a", "b")[: 2 if two else 1]:
        numbers = (("x", 3), ("q", 4), ("v", 3), ("w", 3), ("m", 1), ("I", 3))
        part = [ca.SX.sym(f"{name}_{k}", size) for k, size in numbers]
        given += part
        state = State(*part[:4])
        sides.append(Mover(state, part[4], part[5], state.into(place - state.x)))
    a, b = sides[0], sides[1] if two else None
    p = rough_impulse(a, b, n, e, mu) if friction else impulse(a, b, n, e) * n
    out = [*a.struck(p, 1), *(b.struck(p, -1) if b is not None else ()), p]
    return ca.Function("bounce", [*given, place, n, e, mu], out)
