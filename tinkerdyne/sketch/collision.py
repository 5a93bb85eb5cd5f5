"""Collision: the velocities just after an impact, from those just before it (M1; MS03 eq. 3).

An impulse p acts on body a at the contact point, −p on body b, or on nothing when b is the world. With the matrix
K = Σ 1/m − r̂ I⁻¹ r̂ that takes p to the change of the relative velocity u of the contact points, Newton's restitution asks for
u⁺·n = −e u·n, and Coulomb's law for as much friction as stops the sliding, up to μ times the normal impulse:
sticking  p = −K⁻¹ (u + e (u·n) n)  where that lies in the cone, else sliding  p = j (n − μ u_t/|u_t|).
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import casadi as ca

from tinkerdyne.sketch.flight import State

SX = Any
STILL = 1e-24  # (m/s)²: what a sliding velocity's square is taken to be at least, so that its direction is finite


class Mover(NamedTuple):
    """A body at an impact: its state, mass [kg] and principal moments [kg m²]."""

    state: State
    mass: SX
    moments: SX

    def matrix(self, r: SX) -> SX:
        """K of this body for an impulse at x + r: 1/m − r̂ I⁻¹ r̂."""
        R, hat = self.state.R, ca.skew(r)
        return ca.SX.eye(3) / self.mass - hat @ R @ ca.diag(1 / self.moments) @ R.T @ hat

    def struck(self, r: SX, p: SX) -> tuple[SX, SX]:
        """Velocity and spin after an impulse p at x + r."""
        return self.state.v + p / self.mass, self.state.w + (self.state.R.T @ ca.cross(r, p)) / self.moments


def approach(a: Mover, b: Mover | None, place: SX) -> SX:
    """Relative velocity of the two bodies' points at a place: that of a less that of b."""
    u = a.state.v + ca.cross(a.state.R @ a.state.w, place - a.state.x)
    return u if b is None else u - b.state.v - ca.cross(b.state.R @ b.state.w, place - b.state.x)


def impulse(a: Mover, b: Mover | None, place: SX, n: SX, e: SX, mu: SX | None = None) -> SX:
    """The impulse p on a [N s], along the unit normal n that points towards a; without mu there is no friction."""
    u = approach(a, b, place)
    K = a.matrix(place - a.state.x)
    if b is not None:
        K = K + b.matrix(place - b.state.x)
    un = ca.dot(u, n)
    if mu is None:
        return -(1 + e) * un / ca.dot(n, K @ n) * n
    stick = -ca.solve(K, u + e * un * n)
    across = stick - ca.dot(stick, n) * n
    ut = u - un * n
    t = ut / ca.sqrt(ca.dot(ut, ut) + STILL)
    way = n - mu * t
    slide = -(1 + e) * un / ca.dot(n, K @ way) * way
    sticks = ca.dot(across, across) <= (mu * ca.dot(stick, n)) ** 2
    return ca.if_else(sticks, stick, slide)


@functools.cache
def bounce(*, two: bool = False, friction: bool = False) -> Any:
    """The function of two states, masses, moments, place, normal, e, μ that gives (v, w) after the impact for each, and p."""
    sides = []
    given: list[SX] = []
    for name in ("a", "b")[: 2 if two else 1]:
        numbers = (("x", 3), ("q", 4), ("v", 3), ("w", 3), ("m", 1), ("I", 3))
        part = [ca.SX.sym(f"{name}_{k}", n) for k, n in numbers]
        given += part
        sides.append(Mover(State(*part[:4]), part[4], part[5]))
    place, n, e, mu = ca.SX.sym("place", 3), ca.SX.sym("n", 3), ca.SX.sym("e"), ca.SX.sym("mu")
    a, b = sides[0], sides[1] if two else None
    p = impulse(a, b, place, n, e, mu if friction else None)
    out = [*a.struck(place - a.state.x, p), *(b.struck(place - b.state.x, -p) if b is not None else ()), p]
    return ca.Function("bounce", [*given, place, n, e, mu], out)
