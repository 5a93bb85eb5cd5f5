"""Objects given by their equations alone: parametric curves (G2) and Lagrangian compounds (E11, CN97 §5).

Keyword-only names of the function are the state; names with a default before the star are constants,
adjustable live.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import casadi as ca
import numpy as np

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.compiler.kernels import compile_kernels, tidy_function
from tinkerdyne.compiler.loops import Loop, Sum, Summing, compile_loops
from tinkerdyne.language.block import Layout, column
from tinkerdyne.language.item import number, vector
from tinkerdyne.language.kinds import CurveValue, Kind, ParticlesValue
from tinkerdyne.language.symbols import dot, norm
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.object import GYRO, LIFT, MASS, PARAM, STRIDE, ObjectType, Pieces, Q, StatePart, V
from tinkerdyne.objects.resolution import panels_for

SX = Any
# Gauss–Legendre points along a curve: exact for polynomials to degree 31; round a periodic one, twice as many
QUADRATURE = 16
MOST_PANELS = 128  # parts of a span with a quadrature of their own
SLIVER = 1e-9  # kg (and N s/m) on every parameter, so that a curve of no length still has an inverse mass

_versions: dict[str, int] = {}


def nodes_of(curve: CurveValue) -> tuple[tuple[float, float], ...]:
    """Nodes (u, w) for lengths and areas of a curve."""
    return quadrature(
        curve.span, curve.panels, getattr(curve, "nodes", QUADRATURE), 2 * QUADRATURE, curve.closing
    )


def quadrature(
    span: tuple[float, float], panels: int, gaussian: int, even: int, closing: str
) -> tuple[tuple[float, float], ...]:
    """Gauss–Legendre nodes on each part of a span; round a periodic curve evenly spaced ones, which converge
    faster there."""
    if closing != "periodic":
        return gauss(span, panels, gaussian)
    step = (span[1] - span[0]) / (panels * even)
    return tuple((span[0] + (k + 0.5) * step, step) for k in range(panels * even))


def enough_panels(
    equations: Callable[[SX, SX], SX],
    start: Any,
    span: tuple[float, float],
    closing: str,
    drag_nodes: Callable[[int], int],
) -> int:
    """Into how many parts the span goes for lengths, areas and drag to be right near a state;
    drag_nodes(panels) are on each."""

    def level(panels: int) -> tuple[int, Any, Any, Any]:
        drag = quadrature(span, panels, drag_nodes(panels), drag_nodes(panels), closing)
        measure = quadrature(span, panels, QUADRATURE, 2 * QUADRATURE, closing)
        return panels, drag, measure, gauss(span, 2 * panels, QUADRATURE + 1)

    return panels_for(
        equations, np.array(start), span, (level(2**k) for k in range(MOST_PANELS.bit_length()))
    )


def _signature(function: Callable[..., Any], skip: int) -> tuple[dict[str, float], dict[str, Any]]:
    """(constants, state) of an object's function, with their defaults."""
    constants, state = {}, {}
    for k, p in enumerate(inspect.signature(function).parameters.values()):
        if p.kind is p.KEYWORD_ONLY:
            state[p.name] = 0.0 if p.default is p.empty else p.default
        elif k >= skip:
            constants[p.name] = 1.0 if p.default is p.empty else p.default
    if not state:
        name = function.__name__
        raise TypeError(f"{name} has no state: give it keyword-only names, such as def {name}(u, *, x, y)")
    return constants, state


def _parts(state: dict[str, Any], suffix: str) -> tuple[StatePart, ...]:
    zero = suffix != ""
    return tuple(
        StatePart(name + suffix, tuple((0.0 if zero else float(x)) for x in np.atleast_1d(value)))
        for name, value in state.items()
    )


def _named(state: dict[str, Any], q: SX) -> dict[str, SX]:
    out, at = {}, 0
    for name, value in state.items():
        width = int(np.size(value))
        out[name] = q[at : at + width]
        at += width
    return out


def _maker(
    function: Callable[..., Any], kind: ObjectType, extra: dict[str, Any], state: dict[str, Any]
) -> Maker:
    both = {
        **state,
        **{
            f"{k}_rate": tuple(0.0 for _ in np.atleast_1d(v)) if np.ndim(v) else 0.0 for k, v in state.items()
        },
    }
    both = {k: tuple(float(x) for x in v) if np.ndim(v) else float(v) for k, v in both.items()}

    def resolve(_who: str, values: dict[str, Any], _start: dict[str, Any]) -> tuple[ObjectType, list[float]]:
        row: list[float] = []
        for name in kind.layout.names:
            row.extend(np.atleast_1d(values[name]).tolist())
        return kind, row

    def check(what: str, name: str, value: Any) -> Any:
        if name in ("density", "drag", "masses"):
            flat = vector(what, np.atleast_1d(value), length=int(np.size(extra[name])))
            for x in flat:
                number(what, x, positive=True)
            return flat if np.ndim(extra[name]) else flat[0]
        return number(what, value)

    return Maker(
        function.__name__,
        extra,
        both,
        resolve,
        check=check,
        doc=inspect.getdoc(function) or "",
        module=function.__module__,
    )


def _carry(constants: Iterable[str], width: int) -> dict[str, Any]:
    """Constants travel with the lift, (q, constants), so that connectors see them."""
    constants = tuple(constants)
    if not constants:
        return {}
    count = len(constants)
    return {
        "lift": lambda q, p: ca.vertcat(q, *[p[k] for k in constants]),
        "lift_dim": width + count,
        "rate": lambda _ell, v: ca.vertcat(v, ca.SX.zeros(count)),
    }


def closing_of(equations: Callable[[Any, Any], SX], start: Any, span: tuple[float, float]) -> str:
    """Whether a curve's ends meet, and whether its equations repeat, whatever its state (near where it
    starts)."""
    low, high = span
    q, u = ca.SX.sym("q", len(start)), ca.SX.sym("u")
    f = ca.Function("x", [u, q], [equations(u, q)])
    # Numbers without a pattern, from 0.05 to 0.3: multiples of the golden ratio, less their whole parts.
    states = (
        start + 0.05 + 0.25 * (0.6180339887498949 * np.arange(1, 3 * len(start) + 1).reshape(3, -1) % 1.0)
    )

    def repeats(at: float) -> bool:
        ends = ((f(at, s).full(), f(at + high - low, s).full()) for s in states)
        return all((np.abs(a - b) <= 1e-9 * (1 + np.abs(b))).all() for a, b in ends)

    if not repeats(low):
        return "open"
    return (
        "periodic" if all(repeats(low + (high - low) * share) for share in (0.21, 0.55, 0.83)) else "closed"
    )


def _version(name: str) -> str:
    _versions[name] = _versions.get(name, 0) + 1
    return f"{name}@{_versions[name]}"


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

    at: Callable[[SX, dict[str, SX], Any], tuple[SX, SX]]
    width: int  # numbers of the state
    nodes: tuple[tuple[float, ...], ...]

    def matrix_at(self, q: SX, p: dict[str, SX], node: Any) -> SX:
        """The term of a node in ∫ x_qᵀ x_q ds, symmetric positive."""
        x, s = self.at(q, p, node)
        J = ca.jacobian(x, q)
        return s * (J.T @ J)

    def force_at(self, q: SX, v: SX, p: dict[str, SX], node: Any) -> SX:
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

        def momentum_at(q: SX, p: dict[str, SX], node: Any, v: SX) -> SX:
            x, s = self.at(q, p, node)
            return p["density"] * s * ca.jtimes(x, q, ca.jtimes(x, q, v), True) + sliver * v

        def moment_at(q: SX, p: dict[str, SX], node: Any) -> SX:
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


def gauss(span: tuple[float, float], panels: int, count: int) -> tuple[tuple[float, float], ...]:
    """Nodes and weights of Gauss–Legendre quadrature on equal parts of a span."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    width = (span[1] - span[0]) / panels
    starts = span[0] + width * np.arange(panels)
    u = (starts[:, None] + width * (nodes + 1) / 2).ravel()
    return tuple(zip(u.tolist(), np.tile(weights * width / 2, panels).tolist(), strict=True))


def along(
    value: Callable[[SX, dict[str, SX]], CurveValue], width: int, nodes: tuple[tuple[float, float], ...]
) -> Spread:
    """Mass and drag along a curve, by nodes (u, w)."""

    def at(q: SX, p: dict[str, SX], node: Any) -> tuple[SX, SX]:
        curve = value(q, p)
        return curve.point(node[0]), node[1] * norm(curve.tangent(node[0]))

    return Spread(at, width, nodes)


def curve_type(
    name: str,
    value: Callable[[SX, dict[str, SX]], CurveValue],
    state: dict[str, Any],
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
        positions=_parts(state, ""),
        velocities=_parts(state, "_rate"),
        layout=Layout(names, (1,) * len(names)),
        mass=lambda q, p: p["density"] * spread.matrix(q, p) + sliver,
        first_order_mass=lambda q, p: p["drag"] * spread.matrix(q, p) + sliver,
        moment=lambda q, p: p["density"] * spread.moment(q, p),
        mass_varies=True,
        spread=spread,
        **_carry(constants, width),
    )


def curve(
    *,
    span: tuple[float, float] = (0.0, 1.0),
    panels: int | None = None,
    nodes: int = QUADRATURE,
    density: float = 1.0,
) -> Callable[[Callable[..., Any]], Maker]:
    """Make an object type of a curve's equations x(u; state): mass and drag are spread evenly along its
    length.

    Integrals use sixteen points on each of `panels` parts of the span (round a periodic curve thirty-two);
    when nothing is said, there are as many parts as lengths, areas and drag need near the state it starts
    from. Its mass and drag, which only say how it yields, may do with fewer `nodes`. `density` is the mass of
    a unit length when nothing is said. M = density ∫ x_qᵀ x_q ds, drag force −(drag ∫ x_qᵀ x_q ds) v; in
    first-order worlds the drag matrix takes M's place.
    """

    def decorate(function: Callable[..., Any]) -> Maker:
        constants, state = _signature(function, 1)
        extra: dict[str, Any] = {"density": density, "drag": 1.0, **constants}
        start = np.concatenate([np.ravel(v) for v in state.values()])

        def equations(u: SX, q: SX, fixed: dict[str, SX]) -> SX:
            return column(function(u, **fixed, **_named(state, q)))

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
        return _maker(
            function,
            curve_type(_version(function.__name__), value, state, tuple(constants), spread),
            extra,
            state,
        )

    return decorate


def lagrangian(function: Callable[..., Any]) -> Maker:
    """Make an object type of a map from a few coordinates to particles' places: JᵀMJ ü + JᵀM J̇ u̇ = JᵀQ
    (CN97 eq. 13).

    The function returns the places; `masses` is a parameter with one number a particle.
    """
    constants, state = _signature(function, 0)
    width = sum(int(np.size(v)) for v in state.values())

    def lifted(ell: SX) -> ParticlesValue:
        return ParticlesValue(places(ell[:width], {k: ell[width + j] for j, k in enumerate(constants)}))

    def places(q: SX, p: dict[str, SX]) -> tuple[SX, ...]:
        fixed = {k: p[k] for k in constants}
        return tuple(column(x) for x in function(**fixed, **_named(state, q)))

    count = len(places(ca.SX.zeros(width), {k: ca.SX(v) for k, v in constants.items()}))
    extra: dict[str, Any] = {"masses": (1.0,) * count, **constants}
    layout = Layout(tuple(extra), (count, *[1] * len(constants)))

    def mass(q: SX, p: dict[str, SX]) -> SX:
        total: SX = 0
        for k, x in enumerate(places(q, p)):
            J = ca.jacobian(x, q)
            total = total + p["masses"][k] * (J.T @ J)
        return total

    def moment(q: SX, p: dict[str, SX]) -> SX:
        return sum((p["masses"][k] * x for k, x in enumerate(places(q, p))), ca.SX(0))

    kind = ObjectType(
        name=_version(function.__name__),
        kind=Kind("particles", wrap=lifted),
        positions=_parts(state, ""),
        velocities=_parts(state, "_rate"),
        layout=layout,
        mass=mass,
        moment=moment,
        mass_varies=True,
        **_carry(constants, width),
    )
    return _maker(function, kind, extra, state)
