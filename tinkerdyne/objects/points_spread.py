"""Mass and drag along a curve by control points: each node sees a few of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.compiler.gather import Gather
from tinkerdyne.compiler.loops import Sum, Summing
from tinkerdyne.language.block import Layout
from tinkerdyne.language.symbols import SX, dot, norm
from tinkerdyne.objects.basis import Basis
from tinkerdyne.objects.object import GYRO, MASS, PARAM, Pieces, Q
from tinkerdyne.objects.object import V as V_
from tinkerdyne.objects.quadrature import gauss
from tinkerdyne.objects.spread import SLIVER


@dataclass(frozen=True)
class PointsSpread:
    """Mass and drag along a curve by control points: at each node a few of them, with weights N and slopes
    N'.

    M = Σ w s (N Nᵀ) ⊗ 1 with s = |Σ N'ᵢ pᵢ|; the forces follow as in `curve.Spread`, with D²x = 0.
    """

    count: int
    dim: int
    active: tuple[tuple[int, ...], ...]  # control points of each node
    nodes: tuple[tuple[float, ...], ...]  # w, N …, N' …

    @staticmethod
    def of(basis: Basis, count: int, dim: int) -> PointsSpread:
        """The spread of a basis, over nodes on each of its parts."""
        u = ca.SX.sym("u")
        N = ca.vertcat(*basis.weights(u))
        numbers = ca.Function("N", [u], [N, ca.jacobian(N, u)])
        active, nodes = [], []
        for at, w in gauss(basis.span, basis.panels, basis.spread):
            weights, slopes = (np.ravel(x.full()) for x in numbers(at))
            some = tuple(np.flatnonzero(weights).tolist())
            active.append(some)
            nodes.append((w, *weights[list(some)].tolist(), *slopes[list(some)].tolist()))
        return PointsSpread(count, dim, tuple(active), tuple(nodes))

    def matrix(self, q: SX, _p: dict[str, SX]) -> SX:
        """∫ x_qᵀ x_q ds, node after node."""
        points = ca.reshape(q, self.dim, self.count)
        total = ca.SX(self.count, self.count)
        for some, (w, *rest) in zip(self.active, self.nodes, strict=True):
            N, slopes = np.array(rest[: len(some)]), rest[len(some) :]
            s = norm(points[:, list(some)] @ ca.DM(slopes))
            total[list(some), list(some)] += w * s * ca.DM(np.outer(N, N))
        return ca.kron(total, ca.SX.eye(self.dim))

    def moment(self, q: SX, _p: dict[str, SX]) -> SX:
        """∫ x ds, node after node."""
        points = ca.reshape(q, self.dim, self.count)
        total = ca.SX.zeros(self.dim)
        for some, (w, *rest) in zip(self.active, self.nodes, strict=True):
            here = points[:, list(some)]
            total = total + w * norm(here @ ca.DM(rest[len(some) :])) * (here @ ca.DM(rest[: len(some)]))
        return total

    def pieces(self) -> Pieces:
        """The terms of a node, over its control points."""
        m, d = len(self.active[0]), self.dim

        def parts(q: SX, p: dict[str, SX], node: SX) -> tuple[SX, SX, SX]:
            points, N = ca.reshape(q, d, m), node[1 : 1 + m]
            return points, N, p["density"] * node[0] * norm(points @ node[1 + m :])

        def moment(q: SX, p: dict[str, SX], node: SX) -> SX:
            points, N, mass = parts(q, p, node)
            return mass * (points @ N)

        def momentum(q: SX, p: dict[str, SX], node: SX, v: SX) -> SX:
            _, N, mass = parts(q, p, node)
            return ca.vec(mass * (ca.reshape(v, d, m) @ N) @ N.T)

        return Pieces(self.nodes, momentum, moment, self.active, d)

    def loops(self, layout: Layout) -> Mapping[str, Summing]:
        """The kernels mass, first_order_mass and gyro: their terms are over the control points of one
        node."""
        m, d, nv = len(self.active[0]), self.dim, self.count * self.dim
        P, V = ([ca.SX.sym(f"{name}{j}", d) for j in range(m)] for name in "pv")
        p, node = ca.SX.sym("p", layout.size), ca.SX.sym("node", 1 + 2 * m)
        names, w, N, slopes = layout.symbols(p), node[0], node[1 : 1 + m], node[1 + m :]
        s = norm(ca.horzcat(*P) @ slopes)
        here = [Slot(j) for j in range(m)]
        object_slots = [Slot(Q), Slot(V_), Slot(PARAM)]
        whole_q, whole_v = ca.SX.sym("q", nv), ca.SX.sym("v", nv)
        out: dict[str, Summing] = {}
        for name, factor in (("mass", "density"), ("first_order_mass", "drag")):
            pairs = [(i, j) for i in range(m) for j in range(m)]
            terms = [names[factor] * w * s * N[i] * N[j] for i, j in pairs for _ in range(d)]
            outs = [Slot(m + 1 + k, a * (nv + 1)) for k in range(len(pairs)) for a in range(d)]
            bases = [Q] * m + [PARAM] + [MASS] * len(pairs)
            shifts = [
                [d * k for k in some] + [0] + [d * (some[i] * nv + some[j]) for i, j in pairs]
                for some in self.active
            ]
            part = Sum([*P, p], [*here, Slot(m)], node, self.nodes, terms, outs)

            def whole(factor: str = factor) -> SX:
                full = names[factor] * self.matrix(whole_q, names) + SLIVER * ca.SX.eye(nv)
                return ca.Function("mass", [whole_q, whole_v, p], [ca.densify(full)])

            out[name] = Gather(part, bases, shifts, MASS, nv * nv, whole, object_slots, nv, SLIVER)
        # −drag s Jᵀẋ + ρ (−ṡ Jᵀẋ + ½ s_q |ẋ|²)
        xd, flat, rate = ca.horzcat(*V) @ N, ca.vertcat(*P), ca.vertcat(*V)
        on_point = -(names["drag"] * s + names["density"] * ca.jtimes(s, flat, rate)) * xd
        pulled = names["density"] / 2 * dot(xd, xd) * ca.jacobian(s, flat).T
        terms = [w * (N[j] * on_point + pulled[d * j : d * (j + 1)]) for j in range(m)]
        bases = [Q] * m + [V_] * m + [PARAM] + [GYRO] * m
        shifts = [[d * k for k in some] * 2 + [0] + [d * k for k in some] for some in self.active]
        ins = [*here, *[Slot(m + j) for j in range(m)], Slot(2 * m)]
        part = Sum([*P, *V, p], ins, node, self.nodes, terms, [Slot(2 * m + 1 + j) for j in range(m)])

        def gyro() -> SX:
            M = self.matrix(whole_q, names)
            momentum = names["density"] * M @ whole_v
            lagrange = (
                -ca.jtimes(momentum, whole_q, whole_v) + ca.jtimes(momentum, whole_q, whole_v, True) / 2
            )
            return ca.Function(
                "gyro", [whole_q, whole_v, p], [ca.densify(lagrange - names["drag"] * M @ whole_v)]
            )

        return {**out, "gyro": Gather(part, bases, shifts, GYRO, nv, gyro, object_slots)}
