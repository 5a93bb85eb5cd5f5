"""Points, tangents and measures of parametric curves, and the particles of Lagrangian objects (E2, E11)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import casadi as ca
import numpy as np

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.compiler.loops import Loop, Sum, compile_loops
from tinkerdyne.language.block import Block, Layout, Port
from tinkerdyne.language.inputs import Inputs
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.kinds import Choice, Curve, CurveValue, Direction, Number, Particles, Point, Scalar
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX, cross, norm, normalise
from tinkerdyne.language.tangent import STRIDE, TangentKernel, adjoint_slot, matrix_slot, symmetric
from tinkerdyne.language.types import ConnectorType, connector, port_of
from tinkerdyne.objects.curves import polyline
from tinkerdyne.objects.quadrature import nodes_of

TOGETHER = 1e-6  # of a curve's size: its ends meet


@look(seat="curve", group="Curves")
@connector
def curve_point(curve: Curve, *, u: Number = 0.0) -> Point:
    """The point of a curve at a fixed parameter u   [m]."""
    return curve.point(u)


@look(group="Curves")
@connector
def slider(curve: Curve, u: Scalar) -> Point:
    """The point of a curve at the parameter that a variable holds: it slides   [m]."""
    return curve.point(u)


@look(group="Curves")
@connector
def tangent(curve: Curve, *, u: Number = 0.0) -> Direction:
    """The unit tangent of a curve at u."""
    return normalise(curve.tangent(u))


@look(group="Curves")
@connector
def normal(curve: Curve, *, u: Number = 0.0) -> Direction:
    """The unit normal of a plane curve at u, to the left of its tangent."""
    d = normalise(curve.tangent(u))
    if d.numel() != 2:
        raise ValueError("only a plane curve has one normal")
    return ca.vertcat(-d[1], d[0])


@connector
def sliding_tangent(curve: Curve, u: Scalar) -> Direction:
    """The unit tangent of a curve at the parameter that a variable holds."""
    return normalise(curve.tangent(u))


@look(role="number")
@connector(tied=True)
def number_of(curve: Curve, *, index: Choice = 0) -> Scalar:
    """One number of a curve's state, such as its radius: the first when nothing is said."""
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < curve.state.numel():
        raise ValueError(f"index must be a whole number from 0 to {curve.state.numel() - 1}, not {index!r}")
    return curve.state[index]


class Integral(ConnectorType):
    """A measure ∫ f ds along a curve: its kernels sum over the nodes of a quadrature in a loop."""

    def __init__(self, formula: Callable[[CurveValue, SX], SX]) -> None:
        def measure(curve: Curve) -> Scalar: ...

        measure.__doc__, measure.__name__, measure.__module__ = (
            formula.__doc__,
            formula.__name__,
            formula.__module__,
        )
        super().__init__(measure)
        self.integrand = formula

    def block_of(self, item: Item) -> Block:
        """The compiled block for a curve's type, made once."""
        port = port_of(item.inputs[0])
        key = (port.dim, port.nv, port.key)
        if key not in self._blocks:
            self._blocks[key] = self._block(item, port)
        return self._blocks[key]

    def _block(self, item: Item, port: Port) -> Block:
        inputs, node = Inputs.make((port,)), ca.SX.sym("node", 2)
        curve: CurveValue = port.kind.wrap(inputs.x[0])
        try:
            y = node[1] * self.integrand(curve, node[0])
        except ValueError as problem:
            raise ValueError(
                f"{label(item)} cannot be made of {label(item.inputs[0])}: {problem}"
            ) from problem
        yd, bias = inputs.push(y)
        local = ca.densify(inputs.local(y, yd)[0])
        args, ins = [inputs.x[0], inputs.v[0]], [Slot(2), Slot(3)]
        terms = {"value": [y], "motion": [y, yd, local], "full": [y, yd, bias, local]}
        outs = {"value": [Slot(1)], "motion": [Slot(1), Slot(1, 1), Slot(1, 3)]}
        outs["full"] = [Slot(1), Slot(1, 1), Slot(1, 2), Slot(1, 3)]
        nodes = nodes_of(curve)
        loops = {
            k: Loop(Sum(args, ins, node, nodes, [ca.densify(t) for t in terms[k]], outs[k])) for k in terms
        }
        kernels = compile_loops(loops, 4)
        kernels["spatial"] = kernels["motion"]

        def curvature() -> TangentKernel:
            g = ca.SX.sym("g")
            bent = ca.densify(symmetric(inputs.slope(local.T * g, 0)))
            total = Sum([*args, g], [*ins, adjoint_slot(1)], node, nodes, [bent], [matrix_slot(1)])
            return TangentKernel(compile_loops({"tangent": Loop(total)}, STRIDE + 2)["tangent"], (True,))

        return Block(
            f"connector {self.name}", (port,), Layout(), 1, (3,), (0,), 3 + port.width, kernels,
            tangent=functools.cache(curvature),
        )  # fmt: skip


@look(group="Curves")
@Integral
def length_of(curve: CurveValue, u: SX) -> SX:
    """The length of a curve   [m]."""
    return norm(curve.tangent(u))


class Enclosed(Integral):
    """A measure of what a curve encloses: a new one is made of a closed curve, or of one whose ends meet."""

    def __call__(self, *inputs: Any, name: str = "", **parameters: Any) -> Item:
        item = super().__call__(*inputs, name=name, **parameters)
        source = item.inputs[0]
        port = port_of(source)
        if source.type.family == "object" and port.kind.wrap(ca.SX.sym("l", port.dim)).closing == "open":
            line = polyline(source)
            apart = float(np.linalg.norm(line[-1] - line[0]))
            if apart > TOGETHER * np.ptp(line, axis=0).max():
                raise ValueError(
                    f"{label(source)} is open, its ends are {apart:.3g} m apart, and encloses no area; "
                    "close it: let its ends meet, or take a closed curve"
                )
        return item


@look(group="Curves")
@Enclosed
def area_within(curve: CurveValue, u: SX) -> SX:
    """The signed area that a closed plane curve encloses:  ½ ∮ x dy − y dx   [m²]."""
    x = curve.point(u)
    if x.numel() != 2:
        raise ValueError("only a plane curve encloses an area")
    return cross(x, curve.tangent(u)) / 2


@look(group="Points")
@connector
def particle_of(compound: Particles, *, index: Choice = 0) -> Point:
    """One particle of a Lagrangian object   [m]."""
    return compound.places[index]
