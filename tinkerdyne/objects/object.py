"""Object types: state behind a flat vector q, velocities v with q' = D(q) v, a lift, and a mass block (E1).

The lift ℓ(q) is what connectors see: a particle's place, a body's frame (origin and axes), a curve's parameters. Equation of
motion of a free object: M(q) v̇ = Q + gyro(q, v), where gyro holds what depends on velocity alone.

Offset table of an instance: q, v, lift, parameters, M, gyro, q', q at the step's start, v at the step's start.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from tinkerdyne.formula.kinds import Kind
from tinkerdyne.kernel.block import STEP, TIME, Block, Energy, Layout, Port, compile_kernels, tidy_function
from tinkerdyne.kernel.emit import ABSOLUTE, Slot
from tinkerdyne.kernel.loops import Loop, Sum, compile_loops

SX = Any
Q, V, LIFT, PARAM, MASS, GYRO, QDOT, QIN, VIN = range(9)
STRIDE = 9


@dataclass(frozen=True)
class StatePart:
    """A named part of the state: its width and where it starts when nothing is said."""

    name: str
    default: tuple[float, ...]

    @property
    def dim(self) -> int:
        return len(self.default)


@dataclass(frozen=True)
class Pieces:
    """An object as a sum over nodes: the terms of a node in M and in Σ m x, over q and the parameters."""

    nodes: Sequence[Sequence[float]]
    mass: Callable[[SX, dict[str, SX], SX], SX]
    moment: Callable[[SX, dict[str, SX], SX], SX]


@dataclass(frozen=True, eq=False)
class ObjectType:
    """An object type by its formulas. `lift` None means the lift is q itself and q' = v (linear state)."""

    name: str
    kind: Kind
    positions: tuple[StatePart, ...]
    velocities: tuple[StatePart, ...]
    layout: Layout
    mass: Callable[[SX, dict[str, SX]], SX]  # M(q; p)
    moment: Callable[[SX, dict[str, SX]], SX] | None = None  # Σ m x over the object, from the lift
    first_order_mass: Callable[[SX, dict[str, SX]], SX] | None = None  # the drag matrix of f = m v, where it is not M
    lift: Callable[[SX, dict[str, SX]], SX] | None = None
    lift_dim: int = 0
    rate: Callable[[SX, SX], SX] | None = None  # ℓ̇ from ℓ and v
    spatial: Callable[[SX, SX], SX] | None = None
    qdot: Callable[[SX, SX], SX] | None = None  # q' from q and v
    gyro: Callable[[SX, SX, dict[str, SX]], SX] | None = None
    drift: Callable[[SX, SX, dict[str, SX], SX], tuple[SX, SX]] | None = None  # free motion over h: (q, v) ↦ (q₁, v₁)
    normalise: Callable[[SX], SX] | None = None
    mass_varies: bool = False  # M depends on q

    @property
    def nq(self) -> int:
        return sum(f.dim for f in self.positions)

    @property
    def nv(self) -> int:
        return sum(f.dim for f in self.velocities)

    @property
    def dim(self) -> int:
        """Length of the lift."""
        return self.lift_dim or self.nq

    @property
    def is_linear(self) -> bool:
        return self.lift is None

    def pieces(self) -> Pieces | None:
        """The object as a sum over nodes, where it is one."""
        return None

    @functools.cached_property
    def port(self) -> Port:
        """What a block sees when it is plugged into an object of this type."""
        return Port(self.kind, self.dim, self.nv, self.name, self.rate or (lambda _x, v: v), self.spatial)

    @functools.cached_property
    def kernels(self) -> dict[str, int]:
        """Addresses of lift, qdot, mass, gyro, drift and normalise; 0 where the plain rule serves."""
        q, v, h = ca.SX.sym("q", self.nq), ca.SX.sym("v", self.nv), ca.SX.sym("h")
        p = ca.SX.sym("p", self.layout.size)
        names = self.layout.symbols(p)
        functions: dict[str, tuple[Any, list[Slot], list[Slot]]] = {}

        def add(name: str, inputs: list[tuple[SX, Slot]], outputs: list[tuple[SX, Slot]]) -> None:
            f = tidy_function(name, [s for s, _ in inputs], [ca.densify(s) for s, _ in outputs])
            functions[name] = (f, [slot for _, slot in inputs], [slot for _, slot in outputs])

        base = [(q, Slot(Q)), (v, Slot(V)), (p, Slot(PARAM))]
        add("mass", base, [(self.mass(q, names), Slot(MASS))])
        if self.first_order_mass is not None:
            add("first_order_mass", base, [(self.first_order_mass(q, names), Slot(MASS))])
        if self.lift is not None:
            add("lift", base, [(self.lift(q, names), Slot(LIFT))])
        if self.qdot is not None:
            add("qdot", base, [(self.qdot(q, v), Slot(QDOT))])
        gyro = self._gyro(q, v, names)
        if gyro is not None:
            add("gyro", base, [(gyro, Slot(GYRO))])
        if self.drift is not None:
            q1, v1 = self.drift(q, v, names, h)
            start = [(q, Slot(QIN)), (v, Slot(VIN)), (p, Slot(PARAM)), (h, Slot(ABSOLUTE, STEP))]
            add("drift", start, [(q1, Slot(Q)), (v1, Slot(V))])
        if self.normalise is not None:
            add("normalise", base, [(self.normalise(q), Slot(Q))])
        found = compile_kernels(functions, STRIDE)
        for name in ("lift", "qdot", "gyro", "drift", "normalise"):
            found.setdefault(name, 0)
        found.setdefault("first_order_mass", found["mass"])
        return found

    def _gyro(self, q: SX, v: SX, p: dict[str, SX]) -> SX | None:
        """gyro as given, or for M(q) from the kinetic energy: −(d/dt M) v + ½ ∂(vᵀMv)/∂q (Lagrange; CN97 eq. 13)."""
        given = self.gyro(q, v, p) if self.gyro is not None else None
        if not self.mass_varies:
            return given
        momentum = self.mass(q, p) @ v
        lagrange = -ca.jtimes(momentum, q, v) + ca.jtimes(momentum, q, v, True) / 2
        return lagrange if given is None else given + lagrange


@dataclass(frozen=True)
class BodyValue:
    """An object as a field's formula sees it."""

    moment: SX  # Σ m x, None where the object has none
    momentum: SX  # M v
    velocities: SX


def _is_linear(formula: Callable[[BodyValue], Any], kind: ObjectType, moment: SX | None) -> bool:
    """Whether a field is a sum over the pieces of an object: linear in Σ m x and M v, and nothing without them."""
    m = ca.SX.sym("m", moment.numel()) if moment is not None else ca.SX(0, 1)
    momentum, v = ca.SX.sym("momentum", kind.nv), ca.SX.sym("v", kind.nv)
    result = formula(BodyValue(m if moment is not None else None, momentum, v))
    whole, value = ca.vertcat(m, momentum), ca.SX(result.value if isinstance(result, Energy) else result)
    nothing = ca.substitute(value, whole, ca.SX.zeros(whole.numel()))
    return bool(ca.densify(nothing).is_zero()) and not ca.depends_on(ca.jacobian(value, whole), whole)


def field_block(key: str, formula: Callable[..., Any], kind: ObjectType, layout: Layout) -> Block:
    """The block of a field (gravity, damping) on one object type: it reads the object's own parameters too."""
    ell, v = ca.SX.sym("l", kind.dim), ca.SX.sym("v", kind.nv)
    own, p, t = ca.SX.sym("own", kind.layout.size), ca.SX.sym("p", layout.size), ca.SX.sym("t")
    names, given = kind.layout.symbols(own), layout.symbols(p)
    pieces, node = kind.pieces(), ca.SX(0, 1)
    q = ell[: kind.nq]  # where M varies, the lift begins with q
    if pieces is not None:
        node = ca.SX.sym("node", len(pieces.nodes[0]))
        mass, moment = pieces.mass(q, names, node), pieces.moment(q, names, node) if kind.moment is not None else None
        if not _is_linear(lambda body: formula(body, **given), kind, moment):
            pieces = None
    if pieces is None:
        mass = kind.mass(q, names)
        moment = kind.moment(q if kind.mass_varies else ell, names) if kind.moment is not None else None
    result = formula(BodyValue(moment, mass @ v, v), **given)
    rate = kind.port.rate(ell, v) if kind.port.rate is not None else v
    world = kind.spatial(ell, v) if kind.spatial is not None else rate
    if isinstance(result, Energy):
        potential, power = result.value, ca.SX(0)
        gradient = ca.jtimes(potential, ell, ca.SX(-1), True)
        force, in_world = ca.jtimes(rate, v, gradient, True), ca.jtimes(world, v, gradient, True)
    else:
        potential, power, force = ca.SX(0), ca.dot(result, v), result
        in_world = force
        if kind.spatial is not None:  # a rigid body: its torque is given in body axes
            in_world = ca.vertcat(force[:3], ca.reshape(ell[3:], 3, 3) @ force[3:])
    damping = -ca.jacobian(force, v)
    stiffness = -ca.jtimes(force, ell, ca.jacobian(rate, v))
    args = [ell, v, own, p, t]
    ins = [Slot(2), Slot(3), Slot(4), Slot(0), Slot(ABSOLUTE, TIME)]
    parts, square = [Slot(1), Slot(1, 1), Slot(1, 2)], [Slot(1, 2 + kind.nv)]
    wanted = {
        "force": ([potential, power, force], parts),
        "spatial": ([potential, power, in_world], parts),
        "damping": ([damping], square),
        "stiffness": ([stiffness], square),
    }
    dense = {name: ([ca.densify(x) for x in outputs], outs) for name, (outputs, outs) in wanted.items()}
    if pieces is None:
        functions = {name: (tidy_function(name, args, outputs), ins, outs) for name, (outputs, outs) in dense.items()}
        kernels = compile_kernels(functions, 6)
    else:
        loops = {name: Loop(Sum(args, ins, node, pieces.nodes, outputs, outs)) for name, (outputs, outs) in dense.items()}
        kernels = compile_loops(loops, 6)
    record = 2 + kind.nv + kind.nv * kind.nv
    return Block(key, (kind.port,), layout, 2, (2,), (0,), record, kernels, bool(ca.sparsify(damping).nnz()))
