"""Curves given by their equations x(u; state): an object type and its maker, from a Python function (G2).

Keyword-only names of the function are the state; names with a default before the star are constants,
adjustable live.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.compiler.kernels import compile_kernels, tidy_function
from tinkerdyne.compiler.loops import compile_loops
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Layout
from tinkerdyne.language.calls import says_how
from tinkerdyne.language.effects import column
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.kinds import CurveValue, Kind
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.boundary import Parts
from tinkerdyne.objects.equations import carried, maker_of, named, parts_of, signature_of, version_of
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.object import LIFT, PARAM, STRIDE, ObjectType, Pieces, Q
from tinkerdyne.objects.quadrature import QUADRATURE, closing_of, enough_panels, quadrature
from tinkerdyne.objects.spread import SLIVER, Later, Spreading, along
from tinkerdyne.objects.tracks import track

CURVE_UNITS = {"density": "kg/m", "drag": "N s/m²"}  # along its length


@dataclass(frozen=True, eq=False)
class CurveType(ObjectType):
    """A curve's object type: its mass and forces are sums over the nodes of its spread, which its kernels do
    in loops."""

    spread: Spreading | None = None

    @functools.cached_property
    def kernels(self) -> dict[str, int]:
        """Addresses of lift, mass and gyro; 0 where the plain rule serves."""
        assert self.spread is not None
        found = dict.fromkeys(("lift", "qdot", "drift", "normalise"), 0)
        if self.lift is not None:
            q, p = ca.SX.sym("q", self.nq), ca.SX.sym("p", self.layout.size)
            lift = tidy_function("lift", [q, p], [self.lift(q, self.layout.symbols(p))])
            found |= compile_kernels({"lift": (lift, [Slot(Q), Slot(PARAM)], [Slot(LIFT)])}, STRIDE)
        return found | compile_loops(self.spread.loops(self.layout), STRIDE)

    def pieces(self) -> Pieces | None:
        """The curve as a sum over nodes."""
        return self.spread.pieces() if self.spread is not None else None

    def boundary(self, item: Item) -> Parts:
        """A curve of the plane that stands still, as it is now."""
        if not item.values["is_fixed"]:
            return ()
        state = np.concatenate([np.ravel(getattr(item, part.name)) for part in self.positions])
        constants = [item.values[name] for name in self.layout.names[2:]]  # they travel with the lift
        lifted = np.concatenate([state, constants])
        drawn: CurveValue = self.kind.wrap(ca.SX(lifted))
        if self._place.size1_out(0) != 2:
            return ()
        return track(lambda u: self._points(u, lifted), drawn.span)

    def _points(self, u: Array, lifted: Array) -> Array:
        """Places for many values of u, (n, 2)."""
        return np.array(self._place.map(len(u))(u[None], lifted[:, None]).full().T)

    @functools.cached_property
    def _place(self) -> ca.Function:
        """x(u) of the lift."""
        u, ell = ca.SX.sym("u"), ca.SX.sym("l", self.dim)
        drawn: CurveValue = self.kind.wrap(ell)
        return ca.Function("place", [u, ell], [ca.densify(drawn.equations(u, drawn.state))])


def curve_type(
    name: str,
    value: Callable[[SX, dict[str, SX]], CurveValue],
    state: Values,
    constants: tuple[str, ...],
    spread: Spreading,
) -> CurveType:
    """The object type of a curve: `value` makes the curve of its state and constants, `spread` says where its
    mass and drag lie."""
    width = sum(int(np.size(v)) for v in state.values())
    names = ("density", "drag", *constants)
    sliver = SLIVER * ca.SX.eye(width)

    def lifted(ell: SX) -> CurveValue:
        return value(ell[:width], {k: ell[width + j] for j, k in enumerate(constants)})

    return CurveType(
        name=name,
        kind=Kind("curve", wrap=lifted),
        positions=parts_of(state, ""),
        velocities=parts_of(state, "_rate"),
        layout=Layout(names, (1,) * len(names)),
        mass=lambda q, p: p["density"] * spread.matrix(q, p) + sliver,
        first_order_mass=lambda q, p: p["drag"] * spread.matrix(q, p) + sliver,
        moment=lambda q, p: p["density"] * spread.moment(q, p),
        mass_varies=True,
        spread=spread,
        **carried(constants, width),
    )


@says_how
def curve(
    *,
    span: tuple[float, float] = (0.0, 1.0),
    panels: int | None = None,
    nodes: int = QUADRATURE,
    density: float = 1.0,
    name: str = "",
) -> Callable[[Callable[..., SX]], Maker]:
    """Make an object type of a curve's equations x(u; state): mass and drag are spread evenly along its
    length.

    Integrals use sixteen points on each of `panels` parts of the span (round a periodic curve thirty-two);
    when nothing is said, there are as many parts as lengths, areas and drag need near the state it starts
    from. Its mass and drag, which only say how it yields, may do with fewer `nodes`. `density` is the mass of
    a unit length when nothing is said. M = density ∫ x_qᵀ x_q ds, drag force −(drag ∫ x_qᵀ x_q ds) v; in
    first-order worlds the drag matrix takes M's place. Scene files know the type by its `name`, or else by
    that of the function.
    """

    def decorate(function: Callable[..., SX]) -> Maker:
        constants, state = signature_of(function, 1, ("density", "drag"))
        extra: Values = {"density": density, "drag": 1.0, **constants}
        start = np.concatenate([np.ravel(v) for v in state.values()])

        def equations(u: SX, q: SX, fixed: dict[str, SX]) -> SX:
            return column(function(u, **fixed, **named(state, q)))

        usual = {k: ca.SX(v) for k, v in constants.items()}
        equations(ca.SX.sym("u"), ca.SX.sym("q", len(start)), usual)  # what is wrong with it is said here

        @functools.cache
        def closing() -> str:
            return closing_of(lambda u, q: equations(u, q, usual), start, span)

        @functools.cache
        def parts() -> int:
            return panels or enough_panels(
                lambda u, q: equations(u, q, usual), start, span, closing(), lambda _panels: nodes
            )

        def value(q: SX, p: dict[str, SX]) -> CurveValue:
            fixed = {k: p[k] for k in constants}
            return CurveValue(q, lambda u, s: equations(u, s, fixed), span, parts(), closing())

        spread = Later(
            functools.cache(
                lambda: along(value, len(start), quadrature(span, parts(), nodes, nodes, closing()))
            )
        )
        return maker_of(
            function,
            curve_type(version_of(name or function.__name__), value, state, tuple(constants), spread),
            extra,
            state,
            CURVE_UNITS,
            name,
        )

    return decorate
