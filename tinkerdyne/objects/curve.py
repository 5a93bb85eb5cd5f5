"""Objects given by their equations alone: parametric curves (G2) and Lagrangian compounds (E11, CN97 §5).

Keyword-only names of the function are the state; names with a default before the star are constants, adjustable live.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import casadi as ca
import numpy as np

from tinkerdyne.formula.kinds import CurveValue, Kind, ParticlesValue
from tinkerdyne.formula.symbols import norm
from tinkerdyne.kernel.block import Layout, column
from tinkerdyne.kernel.item import number, vector
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.object import ObjectType, StatePart

SX = Any
QUADRATURE = 16  # Gauss–Legendre points along a curve: exact for polynomials to degree 31, 1e-12 for an ellipse of 2:1
SLIVER = 1e-9  # kg (and N s/m) on every parameter, so that a curve of no length still has an inverse mass

_versions: dict[str, int] = {}


def along_curve(curve: CurveValue, f: Callable[[SX, SX, SX], SX]) -> SX:
    """∫ f(u, x, x_u) ds over the curve, by Gauss–Legendre quadrature."""
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE)
    width = (curve.span[1] - curve.span[0]) / curve.panels
    total: SX = 0
    for panel in range(curve.panels):
        low = curve.span[0] + panel * width
        for node, weight in zip(nodes, weights, strict=True):
            u = low + width * (node + 1) / 2
            x, d = curve.point(u), curve.tangent(u)
            total = total + weight * width / 2 * f(u, x, d) * norm(d)
    return total


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
        StatePart(name + suffix, tuple((0.0 if zero else float(x)) for x in np.atleast_1d(value))) for name, value in state.items()
    )


def _named(state: dict[str, Any], q: SX) -> dict[str, SX]:
    out, at = {}, 0
    for name, value in state.items():
        width = int(np.size(value))
        out[name] = q[at : at + width]
        at += width
    return out


def _maker(function: Callable[..., Any], kind: ObjectType, extra: dict[str, Any], state: dict[str, Any]) -> Maker:
    both = {**state, **{f"{k}_rate": tuple(0.0 for _ in np.atleast_1d(v)) if np.ndim(v) else 0.0 for k, v in state.items()}}
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
        function.__name__, extra, both, resolve, check=check, doc=inspect.getdoc(function) or "", module=function.__module__
    )


def _carry(constants: dict[str, float], width: int) -> dict[str, Any]:
    """Constants travel with the lift, (q, constants), so that connectors see them."""
    if not constants:
        return {}
    count = len(constants)
    return {
        "lift": lambda q, p: ca.vertcat(q, *[p[k] for k in constants]),
        "lift_dim": width + count,
        "rate": lambda _ell, v: ca.vertcat(v, ca.SX.zeros(count)),
    }


def _closing(equations: Callable[[Any, Any], SX], width: int, span: tuple[float, float]) -> str:
    """Whether a curve's ends meet, and whether its equations repeat, whatever its state."""
    low, high = span
    q, u = ca.SX.sym("q", width), ca.SX.sym("u")
    f = ca.Function("x", [u, q], [equations(u, q)])
    rng = np.random.default_rng(1)
    states = rng.normal(size=(3, width))

    def repeats(at: float) -> bool:
        return all(np.allclose(f(at, s).full(), f(at + high - low, s).full(), rtol=1e-9, atol=1e-9) for s in states)

    if not repeats(low):
        return "open"
    return "periodic" if all(repeats(low + (high - low) * share) for share in (0.21, 0.55, 0.83)) else "closed"


def _version(name: str) -> str:
    _versions[name] = _versions.get(name, 0) + 1
    return f"{name}@{_versions[name]}"


def curve(*, span: tuple[float, float] = (0.0, 1.0), panels: int = 1) -> Callable[[Callable[..., Any]], Maker]:
    """Make an object type of a curve's equations x(u; state): mass and drag are spread evenly along its length.

    Integrals use sixteen points on each of `panels` parts of the span: give a curve with many waves more panels.
    M = density ∫ x_qᵀ x_q ds, drag force −(drag ∫ x_qᵀ x_q ds) v; in first-order worlds the drag matrix takes M's place.
    """

    def decorate(function: Callable[..., Any]) -> Maker:
        constants, state = _signature(function, 1)
        extra: dict[str, Any] = {"density": 1.0, "drag": 1.0, **constants}
        layout = Layout(tuple(extra), (1,) * len(extra))
        width = sum(int(np.size(v)) for v in state.values())

        def lifted(ell: SX) -> CurveValue:
            return value(ell[:width], {k: ell[width + j] for j, k in enumerate(constants)})

        closing = "open"

        def value(q: SX, p: dict[str, SX]) -> CurveValue:
            fixed = {k: p[k] for k in constants}
            return CurveValue(q, lambda u, s: column(function(u, **fixed, **_named(state, s))), span, panels, closing)

        closing = _closing(lambda u, q: value(q, {k: ca.SX(v) for k, v in constants.items()}).equations(u, q), width, span)

        def spread(q: SX, p: dict[str, SX]) -> SX:
            """∫ x_qᵀ x_q ds, symmetric positive."""
            c = value(q, p)

            def integrand(u: SX, x: SX, d: SX) -> SX:
                J = ca.jacobian(c.point(u), q)
                return J.T @ J

            return along_curve(c, integrand)

        sliver = SLIVER * ca.SX.eye(width)
        kind = ObjectType(
            name=_version(function.__name__),
            kind=Kind("curve", wrap=lifted),
            positions=_parts(state, ""),
            velocities=_parts(state, "_rate"),
            layout=layout,
            mass=lambda q, p: p["density"] * spread(q, p) + sliver,
            first_order_mass=lambda q, p: p["drag"] * spread(q, p) + sliver,
            moment=lambda q, p: p["density"] * along_curve(value(q, p), lambda _u, x, _d: x),
            gyro=lambda q, v, p: -p["drag"] * spread(q, p) @ v,
            mass_varies=True,
            **_carry(constants, width),
        )
        return _maker(function, kind, extra, state)

    return decorate


def lagrangian(function: Callable[..., Any]) -> Maker:
    """Make an object type of a map from a few coordinates to particles' places: JᵀMJ ü + JᵀM J̇ u̇ = JᵀQ (CN97 eq. 13).

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
