"""Object types: state behind a flat vector q, velocities v with q' = D(q) v, a lift, and a mass block (E1).

The lift ℓ(q) is what connectors see: a particle's place, a body's frame (origin and axes), a curve's
parameters. Equation of motion of a free object: M(q) v̇ = Q + gyro(q, v), where gyro holds what depends on
velocity alone.

Offset table of an instance: q, v, lift, parameters, M, gyro, q', q at the step's start, v at the step's
start.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import casadi as ca

from tinkerdyne.compiler.emit import ABSOLUTE, Slot
from tinkerdyne.compiler.kernels import compile_kernels, tidy_function
from tinkerdyne.language.block import STEP, Layout, Port
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Kind
from tinkerdyne.language.symbols import SX, Function
from tinkerdyne.objects.boundary import Parts

Q, V, LIFT, PARAM, MASS, GYRO, QDOT, QIN, VIN = range(9)
STRIDE = 9
Drift = Callable[[SX, SX, dict[str, SX], SX], tuple[SX, SX]]  # (q, v, parameters, h) ↦ (q, v)


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
    """An object as a sum over nodes: the terms of a node in M v and in Σ m x, over q, the parameters and v.

    Where a node sees only some coordinates, they come as chunks of `chunk` numbers, and `active` names those
    of each node.
    """

    nodes: Sequence[Sequence[float]]
    momentum: Callable[[SX, dict[str, SX], SX, SX], SX]
    moment: Callable[[SX, dict[str, SX], SX], SX]
    active: Sequence[Sequence[int]] = ()
    chunk: int = 1


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
    # the drag matrix of f = m v, where it is not M
    first_order_mass: Callable[[SX, dict[str, SX]], SX] | None = None
    lift: Callable[[SX, dict[str, SX]], SX] | None = None
    lift_dim: int = 0
    rate: Callable[[SX, SX], SX] | None = None  # ℓ̇ from ℓ and v
    spatial: Callable[[SX, SX], SX] | None = None
    qdot: Callable[[SX, SX], SX] | None = None  # q' from q and v
    gyro: Callable[[SX, SX, dict[str, SX]], SX] | None = None
    # free motion over h: (q, v) ↦ (q₁, v₁)
    drift: Drift | None = None
    normalise: Callable[[SX], SX] | None = None
    mass_varies: bool = False  # M depends on q
    # how its orientation stands in q, behind its place: w, x, y, z; an angle; or the columns of its shape
    rotation: Literal["quaternion", "angle", "affine"] | None = None

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

    def boundary(self, item: Item) -> Parts:
        """By what an object of this type touches others, where its maker does not say; in world axes."""
        return ()

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
        functions: dict[str, tuple[Function, list[Slot], list[Slot]]] = {}

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
        """gyro as given, or for M(q) from the kinetic energy: −(d/dt M) v + ½ ∂(vᵀMv)/∂q (Lagrange; CN97 eq.
        13)."""
        given = self.gyro(q, v, p) if self.gyro is not None else None
        if not self.mass_varies:
            return given
        momentum = self.mass(q, p) @ v
        lagrange = -ca.jtimes(momentum, q, v) + ca.jtimes(momentum, q, v, True) / 2
        return lagrange if given is None else given + lagrange
