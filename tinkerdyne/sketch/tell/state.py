"""The state of a body, in symbols or in numbers, as flights, collisions and conditions read it (M1)."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.rotation import matrix, product


class State(NamedTuple):
    """A body in motion: place x [m], quaternion q, velocity v [m/s], spin w in its own axes [rad/s].

    turns: quaternions whose product q is. Formulas that go through them one by one have half the operations
    in their Hessians.
    """

    x: SX
    q: SX
    v: SX
    w: SX
    turns: tuple[SX, ...] = ()

    @property
    def R(self) -> SX:
        return matrix(self.q)

    def at(self, c: SX) -> SX:
        """The place of a point c of the body:  x + R c."""
        return self.x + self.R @ c

    def into(self, n: SX) -> SX:
        """A direction of the world in the body's axes:  Rᵀ n."""
        for q in self.turns or (self.q,):
            across = 2 * ca.cross(n, q[1:4])
            n = n + q[0] * across + ca.cross(across, q[1:4])
        return n

    def alignment(self, wanted: SX) -> SX:
        """wanted · q, the cosine of half the angle between two orientations."""
        *first, last = self.turns or (self.q,)
        rest = ca.vertcat(wanted[0], -wanted[1:4])
        for q in first:
            rest = product(rest, q)
        return rest[0] * last[0] - ca.dot(rest[1:4], last[1:4])
