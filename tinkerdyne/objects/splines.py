"""Curves by control points, in the plane and in space: line, Bézier of any degree, uniform cubic B-spline,
open or closed (G2).

x(u) = Σ Nᵢ(u) pᵢ, so the state is the control points. A type is made once for each number of points and
dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number, truth
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.kinds import CurveValue, Value
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.basis import Basis, bernstein, cubic, cubic_ring
from tinkerdyne.objects.curve import CURVE_UNITS, CurveType, curve_type
from tinkerdyne.objects.curves import LIGHT
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.object import StatePart
from tinkerdyne.objects.points_spread import PointsSpread

# control points of one curve; the drag matrix couples all of them, so longer curves go in pieces
MOST_POINTS = 64


@dataclass(frozen=True)
class PointsValue(CurveValue):
    """A curve by control points, as a formula sees it."""

    nodes: int = 16  # of a quadrature on each part


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
        basis: Callable[[Values], Callable[[int], Basis]],
        points: tuple[tuple[float, ...], ...],
        fewest: int,
        *,
        most: int = MOST_POINTS,
        options: Values | None = None,
        doc: str,
        word: str = "",
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
            units=CURVE_UNITS,
            word=word,
        )

    def _places(self, what: str, _name: str, value: object) -> tuple[tuple[float, ...], ...]:
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

    def _resolved(self, who: str, values: Values, start: Values) -> tuple[CurveType, list[float]]:
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

    def _numbers(self, item: Item, part: StatePart) -> Sequence[float]:
        found: list[float] = np.ravel(np.asarray(item.start[part.name], float)).tolist()
        if len(found) != part.dim:
            raise ValueError(
                f"{part.name} of {self.name} {item.name!r} must keep its number of places: make another curve"
            )
        return found

    def unpack(self, item: Item, q: Array, v: Array) -> Values:
        """The control points and their velocities, a place each."""
        dim = len(item.start["points"][0])
        names = ("points", "points_rate")
        return {
            n: tuple(map(tuple, flat.reshape(-1, dim).tolist()))
            for n, flat in zip(names, (q, v), strict=True)
        }


def _option(what: str, name: str, value: object) -> Value:
    if name == "is_closed":
        return truth(what, value)
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
    word="BSpline",
    doc="A uniform cubic B-spline of four points and more, in the plane or in space; u counts its pieces "
    "from 0. With is_closed "
    "it goes round.",
)
look(rank=6, title="B-spline")(BSpline)
