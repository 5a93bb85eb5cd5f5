"""Function blocks: a formula, its derivatives, and the kernels that evaluate it over many instances.

For y = f(x₁ … x_k; p, t) a block pushes motion forward,
    (x, ẋ, ẍ₀) ↦ (f,  Df·ẋ + f_t,  Df·ẍ₀ + D²f[ẋ,ẋ] + 2 Df_t·ẋ + f_tt),
and pulls forces back, force on y ↦ Dfᵀ·force (ID90 eq. 6–8). An input is another block's output, or an
object; the derivative on an object's side is taken with respect to the object's velocities, so it is a block
of the global Jacobian.

Record of an instance in the arena: y (m), ẏ (m), bias (m), then the local derivatives Df_j by rows.
Offset table of an instance: parameters, record, then (value, velocity) for each input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.language.kinds import KeysValue, Kind, Symbolic
from tinkerdyne.language.symbols import SX

if TYPE_CHECKING:
    from tinkerdyne.language.tangent import TangentKernel

TIME, STEP = 0, 1  # fixed places of the arena: the time t and the step h, …
DAMPING_SHARE, STIFFNESS_SHARE = 2, 3  # … and the shares of C and K in the tangent matrix
T_SYMBOL = ca.SX.sym("t")
MOST_PAIRED = 8  # inputs of a behavior whose couplings are kept one by one; of more, only their sums


class ConstraintKind:
    """Kinds of constraints: on positions (c = 0), one-sided (c ≥ 0, one row), on velocities (ċ = 0; c is not
    known), the same with ċ kept as it was, and dry friction (ċ = 0 while |λ| is below a limit)."""

    POSITION, STOP, RATE, STEADY, DRY = range(5)


@dataclass(frozen=True)
class Port:
    """What a block is plugged into: a connector's output (nv = 0) or an object (nv velocities, lift ℓ, ℓ̇ =
    rate(ℓ, v))."""

    kind: Kind
    dim: int
    nv: int = 0
    key: str = ""
    rate: Callable[[SX, SX], SX] | None = None
    # the same with spatial instead of body rotations, where they differ
    spatial: Callable[[SX, SX], SX] | None = None

    @property
    def width(self) -> int:
        """Columns of the local derivative on this side."""
        return self.nv or self.dim


@dataclass(frozen=True)
class Layout:
    """Names and places of a block's parameters in its row of the arena."""

    names: tuple[str, ...] = ()
    dims: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()  # numbers at a time, for a table of keys; else 0
    turns: str = ""  # the name of the parameter that the kernel keeps

    @property
    def size(self) -> int:
        return sum(self.dims)

    def offset(self, name: str) -> int:
        return sum(self.dims[: self.names.index(name)])

    def symbols(self, flat: SX, tables: Sequence[SX] = ()) -> dict[str, Symbolic]:
        out: dict[str, Symbolic] = {}
        at, rest = 0, list(tables)
        for name, dim, width in zip(self.names, self.dims, self.keys or (0,) * len(self.dims), strict=True):
            out[name] = KeysValue(rest.pop(0)) if width else flat[at : at + dim]
            at += dim
        return out

    def tables(self) -> tuple[list[SX], list[Slot]]:
        """Symbols of the spans of the tables of keys, and where a kernel finds them."""
        found = [(name, width) for name, width in zip(self.names, self.keys, strict=False) if width]
        slots = [Slot(0, self.offset(name), is_table=True) for name, _ in found]
        return [ca.SX.sym(f"span_{name}", 1 + 4 * width) for name, width in found], slots


@dataclass(frozen=True)
class Block:
    """A formula made for its ports: sizes, places and kernel addresses. Instances differ only in numbers."""

    key: str
    ports: tuple[Port, ...]
    layout: Layout
    dim: int  # m, rows of y (for a behavior: 2, its energy and its power)
    local: tuple[int, ...]  # displacement of Df_j (for a behavior: of the force on input j) in the record
    sign: tuple[int, ...]  # +1 or −1 where Df_j is ± the identity, else 0
    record: int  # length of the record
    kernels: dict[str, int]
    damps: bool = False  # a behavior whose force depends on velocities
    # f, force directions of a non-square constraint; their blocks (f rows) follow Df in the record
    effort: int = 0
    depends_on_time: bool = False
    works: bool = False  # a behavior whose force, or a part of it, has no potential
    swells: bool = False  # a behavior whose potential energy depends on time
    kind: int = ConstraintKind.POSITION
    winds: bool = False  # the kernels keep a count of turns among the parameters
    may_jump: bool = False  # a formula of time with steps or corners
    is_linear: bool = False  # its derivatives are constant
    couples: bool = False  # a behavior whose record ends with the stiffness between its inputs
    # what makes the kernel of the tangent matrix at first need; None where there is none
    tangent: Callable[[], TangentKernel] | None = None

    @property
    def is_stop(self) -> bool:
        """Whether it is a one-sided constraint, c ≥ 0."""
        return self.kind == ConstraintKind.STOP

    @property
    def is_dry(self) -> bool:
        """Whether it is dry friction, which the steps with contact solve for."""
        return self.kind == ConstraintKind.DRY

    @property
    def is_on_velocity(self) -> bool:
        """Whether it is a constraint on velocities: ċ = 0 (of dry friction up to its limit), and c is not
        known."""
        return self.kind >= ConstraintKind.RATE
