"""The inputs of a block: their symbols; motion is pushed forward, forces are pulled back (ID90 §4.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import casadi as ca

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.language.block import T_SYMBOL, Port
from tinkerdyne.language.effects import in_motion
from tinkerdyne.language.kinds import Symbolic
from tinkerdyne.language.symbols import SX

Said = TypeVar("Said")


@dataclass(frozen=True)
class Inputs:
    """The symbols of a block's inputs and their motion; object inputs are written out in the object's own
    velocities."""

    ports: tuple[Port, ...]
    x: tuple[SX, ...]
    v: tuple[SX, ...]  # ẋ for a connector, the object's velocities for an object
    rate: tuple[SX, ...]  # ẋ
    bias: tuple[SX, ...]  # ẍ₀
    bias_symbols: tuple[SX, ...]

    @staticmethod
    def make(ports: Sequence[Port], *, spatial: bool = False) -> Inputs:
        """Symbols for the inputs of a block; `spatial` counts the rotations of bodies in world axes."""
        x = tuple(ca.SX.sym(f"x{j}", p.dim) for j, p in enumerate(ports))
        v = tuple(ca.SX.sym(f"v{j}", p.width) for j, p in enumerate(ports))
        symbols = tuple(ca.SX.sym(f"b{j}", 0 if p.nv else p.dim) for j, p in enumerate(ports))
        rates, biases = [], []
        for p, xj, vj, bj in zip(ports, x, v, symbols, strict=True):
            if p.nv:
                assert p.rate is not None
                chosen = p.spatial if spatial and p.spatial is not None else p.rate
                r = chosen(xj, vj)
                rates.append(r)
                biases.append(ca.jtimes(r, xj, r))
            else:
                rates.append(vj)
                biases.append(bj)
        return Inputs(tuple(ports), x, v, tuple(rates), tuple(biases), symbols)

    def in_world(self) -> Inputs:
        """The same inputs with the rotations of bodies counted in world axes, for pulling forces back."""
        rates = tuple(
            p.spatial(x, v) if p.spatial is not None else r
            for p, x, v, r in zip(self.ports, self.x, self.v, self.rate, strict=True)
        )
        return Inputs(self.ports, self.x, self.v, rates, self.bias, self.bias_symbols)

    def wrapped(self) -> list[object]:
        """The inputs as a formula sees them."""
        return [p.kind.wrap(x) for p, x in zip(self.ports, self.x, strict=True)]

    def push(self, y: SX) -> tuple[SX, SX]:
        """ẏ and the bias ÿ₀ of y."""
        x, rate = ca.vertcat(*self.x), ca.vertcat(*self.rate)
        placeholder = ca.SX.sym("xd", x.numel())
        yd = ca.jtimes(y, x, placeholder) + ca.jacobian(y, T_SYMBOL)
        bias = (
            ca.jtimes(yd, x, placeholder)
            + ca.jtimes(yd, placeholder, ca.vertcat(*self.bias))
            + ca.jacobian(yd, T_SYMBOL)
        )
        yd, bias = ca.substitute([yd, bias], [placeholder], [rate])
        return yd, bias

    def local(self, y: SX, yd: SX) -> list[SX]:
        """Df_j: with respect to a connector's value, or to an object's velocities."""
        return [
            ca.sparsify(ca.jacobian(yd, v) if p.nv else ca.jacobian(y, x))
            for p, x, v in zip(self.ports, self.x, self.v, strict=True)
        ]

    def slope(self, y: SX, j: int) -> SX:
        """∂y/∂x_j for a connector, or along the motions of an object, which its velocities count."""
        x, port = self.x[j], self.ports[j]
        return ca.jtimes(y, x, ca.jacobian(self.rate[j], self.v[j])) if port.nv else ca.jacobian(y, x)

    def pull(self, y: SX, effort: SX) -> list[SX]:
        """The force on each input when `effort` acts on y."""
        out = []
        for p, x, v, r in zip(self.ports, self.x, self.v, self.rate, strict=True):
            f = ca.jtimes(y, x, effort, True)
            out.append(ca.densify(ca.jtimes(r, v, f, True) if p.nv else f))
        return out

    def slots(self) -> list[Slot]:
        """Inputs of a kernel in the order x…, v…, bias…"""
        value = [Slot(2 + 2 * j) for j in range(len(self.ports))]
        rate = [Slot(3 + 2 * j) for j in range(len(self.ports))]
        bias = [Slot(2 + 2 * j, 2 * p.dim) for j, p in enumerate(self.ports)]
        return value + rate + bias

    def symbols(self) -> list[SX]:
        """Arguments of a kernel's function, in the order of `slots`."""
        return [*self.x, *self.v, *self.bias_symbols]


@dataclass(frozen=True)
class Motion:
    """A formula called over inputs whose velocities it may ask for, as symbols ẋ of their own."""

    inputs: Inputs
    rates: tuple[SX, ...]

    @staticmethod
    def of(inputs: Inputs) -> Motion:
        """The motion of some inputs."""
        return Motion(inputs, tuple(ca.SX.sym(f"xd{j}", port.dim) for j, port in enumerate(inputs.ports)))

    def call(self, formula: Callable[..., Said], given: Mapping[str, Symbolic]) -> Said:
        """What a formula says of the inputs."""
        with in_motion(ca.vertcat(*self.inputs.x), ca.vertcat(*self.rates)):
            return formula(*self.inputs.wrapped(), **given)

    def checked_rate(self, u: SX) -> SX:
        """A deviation that is linear in velocities and depends on at least one."""
        xd = ca.vertcat(*self.rates)
        if not ca.depends_on(u, xd):
            raise ValueError("a constraint on velocities must contain velocity(…) of an input")
        if ca.depends_on(ca.jacobian(u, xd), xd):
            raise ValueError("a constraint on velocities must be linear in them")
        return u

    def of_rate(self, u: SX) -> tuple[SX, SX, list[SX]]:
        """u(x, ẋ, t) with the inputs' own velocities, u̇ without accelerations, and ∂u/∂v for each input."""
        inputs = self.inputs
        x, xd, rate = ca.vertcat(*inputs.x), ca.vertcat(*self.rates), ca.vertcat(*inputs.rate)
        bias = ca.jtimes(u, x, xd) + ca.jtimes(u, xd, ca.vertcat(*inputs.bias)) + ca.jacobian(u, T_SYMBOL)
        u, bias = ca.substitute([u, bias], [xd], [rate])
        return u, bias, [ca.sparsify(ca.jacobian(u, v)) for v in inputs.v]
