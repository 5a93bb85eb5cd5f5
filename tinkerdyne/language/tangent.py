"""Kernels of the tangent matrix: how the forces of a block change with its inputs, made at first need.

A behavior has forces f_a(x, ẋ) on its inputs, and gives C_ab = −∂f_a/∂ẋ_b and K_ab = −∂f_a/∂x_b between all
of them. A connector or constraint hands a force g on its value down to its inputs, f_a = Df_aᵀ g, and gives
its curvature ∂f_a/∂x_b. Of both only the symmetric part is kept: LDLᵀ is symmetric. Along an object x_b means
the motions that its velocities count.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from tinkerdyne.compiler.emit import ABSOLUTE, Slot
from tinkerdyne.compiler.kernels import compile_kernels, tidy_function
from tinkerdyne.language.block import DAMPING_SHARE, STIFFNESS_SHARE, Port
from tinkerdyne.language.inputs import Inputs
from tinkerdyne.language.symbols import SX

STRIDE = 4  # entries of an offset table beside those of the inputs


@dataclass(frozen=True)
class TangentKernel:
    """A kernel that writes the square matrix of a block over all its inputs."""

    address: int  # 0 where the matrix is zero
    joins: tuple[bool, ...]  # which inputs it joins: a row of them for each input


def adjoint_slot(ports: int) -> Slot:
    """Where a kernel of the tangent matrix finds the force on the value of its block."""
    return Slot(2 + 2 * ports)


def matrix_slot(ports: int) -> Slot:
    """Where it leaves its matrix: the last entry of its table of offsets."""
    return Slot(3 + 2 * ports)


def joined(ports: Sequence[Port], matrix: SX) -> tuple[bool, ...]:
    """Between which inputs a square matrix over all of them has entries."""
    edges = [0, *itertools.accumulate(port.width for port in ports)]
    spans = list(itertools.pairwise(edges))
    return tuple(bool(matrix[a:b, c:d].nnz()) for a, b in spans for c, d in spans)


def symmetric(matrix: SX) -> SX:
    """The symmetric part."""
    return ca.sparsify((matrix + matrix.T) / 2)


def slopes(inputs: Inputs, forces: Sequence[SX]) -> SX:
    """∂f_a/∂x_b over all inputs."""
    whole = ca.vertcat(*forces)
    return ca.horzcat(*[inputs.slope(whole, j) for j in range(len(inputs.ports))])


def force_tangent(inputs: Inputs, forces: Sequence[SX], given: list[SX], slots: list[Slot]) -> TangentKernel:
    """a C + b K of a behavior, with the shares a and b from the arena; what else it is `given` lies in
    `slots`."""
    C = -ca.jacobian(ca.vertcat(*forces), ca.vertcat(*inputs.v))
    K = -slopes(inputs, forces)
    a, b = ca.SX.sym("a"), ca.SX.sym("b")
    shares = [Slot(ABSOLUTE, DAMPING_SHARE), Slot(ABSOLUTE, STIFFNESS_SHARE)]
    return _made(inputs, symmetric(a * C + b * K), [*given, a, b], [*slots, *shares])


def curvature(inputs: Inputs, local: Sequence[SX], given: list[SX], slots: list[Slot]) -> TangentKernel:
    """∂(Dfᵀ g)/∂x of a connector or a constraint, under a force g on its value."""
    if not local:
        return none_of(inputs.ports)
    g = ca.SX.sym("g", local[0].size1())
    matrix = symmetric(slopes(inputs, [ca.densify(Df.T @ g) for Df in local]))
    return _made(inputs, matrix, [*given, g], [*slots, adjoint_slot(len(inputs.ports))])


def none_of(ports: Sequence[Port]) -> TangentKernel:
    """That of a block without one."""
    return TangentKernel(0, (False,) * len(ports) ** 2)


def _made(inputs: Inputs, matrix: SX, given: list[SX], slots: list[Slot]) -> TangentKernel:
    """Compile the kernel of a matrix."""
    ports = inputs.ports
    if not matrix.nnz():
        return none_of(ports)
    function = tidy_function("tangent", [*inputs.symbols(), *given], [matrix])
    found = {"tangent": (function, [*inputs.slots(), *slots], [matrix_slot(len(ports))])}
    return TangentKernel(compile_kernels(found, STRIDE + 2 * len(ports))["tangent"], joined(ports, matrix))
