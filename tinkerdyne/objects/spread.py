"""Where the mass and drag of a curve or a surface lie: sums over nodes, which kernels do in loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import casadi as ca

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.compiler.loops import Loop, Sum, Summing
from tinkerdyne.language.block import Layout
from tinkerdyne.language.kinds import CurveValue
from tinkerdyne.language.symbols import SX, dot, norm
from tinkerdyne.objects.object import GYRO, MASS, PARAM, Pieces, Q, V
from tinkerdyne.objects.quadrature import Nodes

SLIVER = 1e-9  # kg (and N s/m) on every parameter, so that a curve of no length still has an inverse mass


class Spreading(Protocol):
    """Where a curve's mass and drag lie."""

    def matrix(self, q: SX, p: dict[str, SX]) -> SX:
        """∫ x_qᵀ x_q ds, in one formula."""

    def moment(self, q: SX, p: dict[str, SX]) -> SX:
        """∫ x ds, in one formula."""

    def loops(self, layout: Layout) -> Mapping[str, Summing]:
        """The kernels mass, first_order_mass and gyro."""

    def pieces(self) -> Pieces:
        """The terms of a node."""


@dataclass(frozen=True)
class Spread:
    """Mass and drag spread along a curve or over a surface: `at` gives x and the weight s = w |x_u| of a
    node, over the state q.

    With J = x_q:  matrix Σ s JᵀJ, and the force of drag and inertia, from Lagrange's equations,
    Σ [−drag s Jᵀẋ + ρ (−ṡ Jᵀẋ − s JᵀD²x[v, v] + ½ s_q |ẋ|²)].
    """

    at: Callable[[SX, dict[str, SX], SX], tuple[SX, SX]]
    width: int  # numbers of the state
    nodes: tuple[tuple[float, ...], ...]

    def matrix_at(self, q: SX, p: dict[str, SX], node: SX) -> SX:
        """The term of a node in ∫ x_qᵀ x_q ds, symmetric positive."""
        x, s = self.at(q, p, node)
        J = ca.jacobian(x, q)
        return s * (J.T @ J)

    def force_at(self, q: SX, v: SX, p: dict[str, SX], node: SX) -> SX:
        """The term of a node in the force of drag and inertia."""
        x, s = self.at(q, p, node)
        xd = ca.jtimes(x, q, v)
        inertia = -ca.jtimes(s, q, v) * xd - s * ca.jtimes(xd, q, v)
        on_point = -p["drag"] * s * xd + p["density"] * inertia
        return ca.jtimes(x, q, on_point, True) + p["density"] / 2 * dot(xd, xd) * ca.jacobian(s, q).T

    def matrix(self, q: SX, p: dict[str, SX]) -> SX:
        """∫ x_qᵀ x_q ds, over all nodes."""
        return sum((self.matrix_at(q, p, node) for node in self.nodes), ca.SX.zeros(q.numel(), q.numel()))

    def moment(self, q: SX, p: dict[str, SX]) -> SX:
        """∫ x ds, over all nodes."""
        found = [self.at(q, p, node) for node in self.nodes]
        return sum((s * x for x, s in found), 0 * found[0][0])

    def pieces(self) -> Pieces:
        """The terms of a node."""
        sliver = SLIVER / len(self.nodes)

        def momentum_at(q: SX, p: dict[str, SX], node: SX, v: SX) -> SX:
            x, s = self.at(q, p, node)
            return p["density"] * s * ca.jtimes(x, q, ca.jtimes(x, q, v), True) + sliver * v

        def moment_at(q: SX, p: dict[str, SX], node: SX) -> SX:
            x, s = self.at(q, p, node)
            return p["density"] * s * x

        return Pieces(self.nodes, momentum_at, moment_at)

    def loops(self, layout: Layout) -> Mapping[str, Summing]:
        """The kernels mass, first_order_mass and gyro, as sums over the nodes."""
        q, v, node = (
            ca.SX.sym("q", self.width),
            ca.SX.sym("v", self.width),
            ca.SX.sym("node", len(self.nodes[0])),
        )
        p = ca.SX.sym("p", layout.size)
        names = layout.symbols(p)
        args, ins = [q, v, p], [Slot(Q), Slot(V), Slot(PARAM)]
        sliver = SLIVER * ca.SX.eye(self.width)
        matrix = Sum(args, ins, node, self.nodes, [self.matrix_at(q, names, node)], [Slot(MASS)])
        force = Sum(args, ins, node, self.nodes, [self.force_at(q, v, names, node)], [Slot(GYRO)])
        return {
            "mass": Loop(matrix, lambda total: [names["density"] * total + sliver]),
            "first_order_mass": Loop(matrix, lambda total: [names["drag"] * total + sliver]),
            "gyro": Loop(force),
        }


@dataclass(frozen=True)
class Later:
    """A spreading that is worked out when it is first wanted: most curves of the library never are."""

    make: Callable[[], Spreading]

    def matrix(self, q: SX, p: dict[str, SX]) -> SX:
        """∫ x_qᵀ x_q ds, in one formula."""
        return self.make().matrix(q, p)

    def moment(self, q: SX, p: dict[str, SX]) -> SX:
        """∫ x ds, in one formula."""
        return self.make().moment(q, p)

    def loops(self, layout: Layout) -> Mapping[str, Summing]:
        """The kernels mass, first_order_mass and gyro."""
        return self.make().loops(layout)

    def pieces(self) -> Pieces:
        """The terms of a node."""
        return self.make().pieces()


def along(value: Callable[[SX, dict[str, SX]], CurveValue], width: int, nodes: Nodes) -> Spread:
    """Mass and drag along a curve, by nodes (u, w)."""

    def at(q: SX, p: dict[str, SX], node: SX) -> tuple[SX, SX]:
        curve = value(q, p)
        return curve.point(node[0]), node[1] * norm(curve.tangent(node[0]))

    return Spread(at, width, nodes)
