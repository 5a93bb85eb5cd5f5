"""Curves by control points, in the plane and in space: line, Bézier of any degree, uniform cubic B-spline,
open or closed (G2).

x(u) = Σ Nᵢ(u) pᵢ, so the state is the control points. A type is made once for each number of points and
dimension.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.compiler.gather import Gather
from tinkerdyne.compiler.loops import Sum, Summing
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Layout
from tinkerdyne.language.item import Item, number
from tinkerdyne.language.kinds import CurveValue
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import dot, fabs, norm
from tinkerdyne.objects.curve import SLIVER, CurveType, curve_type, gauss
from tinkerdyne.objects.curves import LIGHT
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.object import GYRO, MASS, PARAM, Pieces, Q, StatePart
from tinkerdyne.objects.object import V as V_

SX = Any
# control points of one curve; the drag matrix couples all of them, so longer curves go in pieces
MOST_POINTS = 64


@dataclass(frozen=True)
class Basis:
    """How control points make a curve: the weights N(u) of `count` of them, the span of u, and its parts."""

    weights: Callable[[SX], list[SX]]
    span: tuple[float, float]
    panels: int
    spread: int  # nodes of the drag matrix on each part: at least as many as points that matter there
    closing: str = "open"


@dataclass(frozen=True)
class PointsValue(CurveValue):
    """A curve by control points, as a formula sees it."""

    nodes: int = 16  # of a quadrature on each part


def bernstein(count: int) -> Basis:
    """The Bernstein polynomials of degree count − 1, over u from 0 to 1."""
    n = count - 1

    def weights(u: SX) -> list[SX]:
        ups, downs = [ca.SX(1)], [ca.SX(1)]
        for _ in range(n):  # powers by products: u⁰ has no derivative that is not a number
            ups.append(ups[-1] * u)
            downs.append(downs[-1] * (1 - u))
        return [math.comb(n, k) * ups[k] * downs[n - k] for k in range(count)]

    return Basis(weights, (0.0, 1.0), 1, count + 2)


def _bump(s: SX) -> SX:
    """The uniform cubic B-spline about 0:  ((2 − |s|)₊³ − 4 (1 − |s|)₊³)/6."""
    a = fabs(s)
    far, near = ca.fmax(2 - a, 0), ca.fmax(1 - a, 0)
    return (far * far * far - 4 * near * near * near) / 6


def cubic(count: int) -> Basis:
    """The open uniform cubic B-spline, over u from 0 to count − 3, one unit a piece."""
    return Basis(lambda u: [_bump(u + 1 - k) for k in range(count)], (0.0, count - 3.0), count - 3, 4)


def cubic_ring(count: int) -> Basis:
    """The closed uniform cubic B-spline, over u from 0 to count, one unit a piece."""

    def weights(u: SX) -> list[SX]:
        return [_bump(u - k - count * ca.floor((u - k) / count + 0.5)) for k in range(count)]

    return Basis(weights, (0.0, float(count)), count, 4, "periodic")


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

            def whole(factor: str = factor) -> Any:
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

        def gyro() -> Any:
            M = self.matrix(whole_q, names)
            momentum = names["density"] * M @ whole_v
            lagrange = (
                -ca.jtimes(momentum, whole_q, whole_v) + ca.jtimes(momentum, whole_q, whole_v, True) / 2
            )
            return ca.Function(
                "gyro", [whole_q, whole_v, p], [ca.densify(lagrange - names["drag"] * M @ whole_v)]
            )

        return {**out, "gyro": Gather(part, bases, shifts, GYRO, nv, gyro, object_slots)}


_types: dict[tuple[str, int, int], CurveType] = {}


def _type(name: str, make: Callable[[int], Basis], count: int, dim: int) -> CurveType:
    key = (name, count, dim)
    if key not in _types:
        basis = make(count)

        def equations(u: SX, state: SX) -> SX:
            return ca.reshape(state, dim, count) @ ca.vertcat(*basis.weights(u))

        def value(q: SX, _p: dict[str, SX]) -> CurveValue:
            # One piece is a polynomial: 16 nodes are exact for areas to degree 16, and so are 8 for the
            # pieces of a cubic.
            return PointsValue(
                q, equations, basis.span, basis.panels, basis.closing, 16 if basis.panels == 1 else 8
            )

        spread = PointsSpread.of(basis, count, dim)
        _types[key] = curve_type(
            f"{name}{count}in{dim}", value, {"points": (0.0,) * (count * dim)}, (), spread
        )
    return _types[key]


class PointsMaker(Maker):
    """The maker of curves by control points; `points` and `points_rate` hold a place each."""

    def __init__(
        self,
        name: str,
        basis: Callable[[dict[str, Any]], Callable[[int], Basis]],
        points: tuple[tuple[float, ...], ...],
        fewest: int,
        *,
        most: int = MOST_POINTS,
        options: dict[str, Any] | None = None,
        doc: str,
    ) -> None:
        self.basis, self.fewest, self.most = basis, fewest, most
        zero = tuple(tuple(0.0 for _ in p) for p in points)
        extra = {"density": LIGHT, "drag": 1.0, **(options or {})}
        super().__init__(
            name,
            extra,
            {"points": points, "points_rate": zero},
            self._resolved,
            check=_option,
            check_state=self._places,
            doc=doc,
            module=__name__,
        )

    def _places(self, what: str, _name: str, value: Any) -> tuple[tuple[float, ...], ...]:
        """Places of one dimension, as many as such a curve may have."""
        if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
            raise TypeError(f"{what} must be a sequence of places, such as ((0, 0), (1, 0)), not {value!r}")
        rows = list(value)
        if not self.fewest <= len(rows) <= self.most:
            wanted = str(self.fewest) if self.fewest == self.most else f"{self.fewest} to {self.most}"
            raise ValueError(f"{what} must be {wanted} places, not {len(rows)}")
        dims = {np.size(row) for row in rows}
        if len(dims) != 1 or not dims <= {2, 3}:
            raise ValueError(
                f"{what} must be places of two or of three numbers each, not {rows[0]!r} and so on"
            )
        return tuple(
            tuple(number(f"{what}[{k}]", x) for x in np.ravel(row).tolist()) for k, row in enumerate(rows)
        )

    def _resolved(
        self, who: str, values: dict[str, Any], start: dict[str, Any]
    ) -> tuple[CurveType, list[float]]:
        points, rates = start["points"], start["points_rate"]
        if np.shape(points) != np.shape(rates):
            if np.any(np.concatenate([np.ravel(r) for r in rates])):
                raise ValueError(
                    f"points_rate of {who} must be {len(points)} places like its points, not {len(rates)}"
                )
            start["points_rate"] = tuple((0.0,) * len(p) for p in points)
        basis = self.basis(values)
        name = self.name if basis is not cubic_ring else f"{self.name}_ring"
        return _type(name, basis, len(points), len(points[0])), [values["density"], values["drag"]]

    def _numbers(self, item: Item, part: StatePart) -> Array:
        found = np.ravel(np.asarray(item.start[part.name], float))
        if len(found) != part.dim:
            raise ValueError(
                f"{part.name} of {self.name} {item.name!r} must keep its number of places: make another curve"
            )
        return found

    def unpack(self, item: Item, q: Array, v: Array) -> dict[str, Any]:
        """The control points and their velocities, a place each."""
        dim = len(item.start["points"][0])
        names = ("points", "points_rate")
        return {
            n: tuple(map(tuple, flat.reshape(-1, dim).tolist()))
            for n, flat in zip(names, (q, v), strict=True)
        }


def _option(what: str, name: str, value: Any) -> Any:
    if name == "is_closed":
        if not isinstance(value, bool):
            raise TypeError(f"{what} must be True or False, not {value!r}")
        return value
    return number(what, value, positive=True)


Line = PointsMaker(
    "line",
    lambda _values: bernstein,
    ((0.0, 0.0), (1.0, 0.0)),
    2,
    most=2,
    doc="A straight line from its first point (u = 0) to its second (u = 1), in the plane or in space.",
)
look(rank=1)(Line)

Bezier = PointsMaker(
    "bezier",
    lambda _values: bernstein,
    ((0.0, 0.0), (0.3, 0.5), (0.7, 0.5), (1.0, 0.0)),
    2,
    most=16,
    doc="A Bézier curve in the plane or in space, over u from 0 to 1; its degree is one less than the number "
    "of its points.",
)
look(word="Bézier", rank=5)(Bezier)

BSpline = PointsMaker(
    "bspline",
    lambda values: cubic_ring if values["is_closed"] else cubic,
    ((0.0, 0.0), (0.5, 0.8), (1.0, -0.2), (1.5, 0.6), (2.0, 0.0)),
    4,
    options={"is_closed": False},
    doc="A uniform cubic B-spline of four points and more, in the plane or in space; u counts its pieces "
    "from 0. With is_closed "
    "it goes round.",
)
look(rank=6)(BSpline)
