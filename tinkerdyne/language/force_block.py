"""Blocks of behaviors: potential energy, power of the other forces, and the force on each input."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca

from tinkerdyne.compiler.emit import ABSOLUTE, Slot
from tinkerdyne.compiler.kernels import compile_kernels, tidy_function
from tinkerdyne.language.block import MOST_PAIRED, T_SYMBOL, TIME, Block, Layout, Port
from tinkerdyne.language.effects import Effort, Energy, Force, column
from tinkerdyne.language.inputs import Inputs, Motion
from tinkerdyne.language.kinds import Symbolic
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.tangent import TangentKernel, force_tangent


@dataclass(frozen=True)
class Pull:
    """What a behavior does: its potential energy, the power of what has none, and the force on each input."""

    potential: SX
    power: SX
    forces: list[SX]
    in_world: list[SX]  # the same with torques in world axes

    @staticmethod
    def of(key: str, formula: Callable[..., Effort], inputs: Inputs, given: dict[str, Symbolic]) -> Pull:
        """Pull the energies and forces that a formula returns back to its inputs."""
        motion = Motion.of(inputs)
        result = motion.call(formula, given)
        potential, power = ca.SX(0), ca.SX(0)
        world = inputs.in_world()
        forces = [ca.SX.zeros(port.width) for port in inputs.ports]
        in_world = [ca.SX.zeros(port.width) for port in inputs.ports]
        for part in list(result) if isinstance(result, (tuple, list)) else [result]:
            if isinstance(part, Energy):
                potential = potential + part.value
                pulled, turned = (way.pull(part.value, ca.SX(-1)) for way in (inputs, world))
            elif isinstance(part, Force):
                measure = column(part.measure)
                rate = ca.jtimes(measure, ca.vertcat(*inputs.x), ca.vertcat(*motion.rates)) + ca.jacobian(
                    measure, T_SYMBOL
                )
                power = power + ca.dot(part.effort, rate)
                pulled, turned = (way.pull(measure, part.effort) for way in (inputs, world))
            else:
                given = "a plain value" if isinstance(part, ca.SX) else repr(part)
                raise TypeError(
                    f"{key} returned {given}; return energy(…), force(…), torque(…), or a tuple of these"
                )
            forces = [a + b for a, b in zip(forces, pulled, strict=True)]
            in_world = [a + b for a, b in zip(in_world, turned, strict=True)]
        outputs = ca.substitute(
            [potential, power, *forces, *in_world], [ca.vertcat(*motion.rates)], [ca.vertcat(*inputs.rate)]
        )
        n = len(inputs.ports)
        forces, in_world = ([ca.densify(f) for f in part] for part in (outputs[2 : 2 + n], outputs[2 + n :]))
        return Pull(outputs[0], outputs[1], forces, in_world)


def force_block(key: str, formula: Callable[..., Effort], ports: Sequence[Port], layout: Layout) -> Block:
    """The block of a behavior, made for the ports it is plugged into."""
    inputs = Inputs.make(ports)
    p = ca.SX.sym("p", layout.size)
    tables, table_slots = layout.tables()
    pull = Pull.of(key, formula, inputs, layout.symbols(p, tables))
    damping = [-ca.jacobian(f, v) for f, v in zip(pull.forces, inputs.v, strict=True)]
    # The force on one input may depend on the velocity of another: Coriolis's, or drag relative to a body.
    damps = any(bool(ca.depends_on(f, ca.vertcat(*inputs.v))) for f in pull.forces)
    stiffness, between = _stiffness(inputs, pull.forces)
    places, at = [], 2
    for port in ports:
        places.append(at)
        at += port.width
    blocks = []  # damping and stiffness share their place
    for port in ports:
        blocks.append(Slot(1, at))
        at += port.width * port.width
    couplings = []
    for bound in between:
        couplings.append(Slot(1, at))
        at += bound.numel()
    args = [*inputs.symbols(), p, T_SYMBOL, *tables]
    ins = [*inputs.slots(), Slot(0), Slot(ABSOLUTE, TIME), *table_slots]
    outs = [Slot(1), Slot(1, 1), *[Slot(1, place) for place in places]]
    scalars = [ca.densify(pull.potential), ca.densify(pull.power)]
    wanted = {
        "force": ([*scalars, *pull.forces], outs),
        "spatial": ([*scalars, *pull.in_world], outs),
        "damping": ([ca.densify(d) for d in damping], blocks),
        "stiffness": ([*[ca.densify(k) for k in stiffness], *between], [*blocks, *couplings]),
    }
    functions = {
        name: (tidy_function(name, args, found), ins, slots) for name, (found, slots) in wanted.items()
    }
    kernels = compile_kernels(functions, 2 + 2 * len(ports))
    return Block(
        key, tuple(ports), layout, 2, tuple(places), (0,) * len(ports), at, kernels,
        damps=damps,
        depends_on_time=any(bool(ca.depends_on(e, T_SYMBOL)) for e in (pull.potential, *pull.forces)),
        couples=bool(between),
        works=not pull.power.is_zero(),
        swells=bool(ca.depends_on(pull.potential, T_SYMBOL)),
        tangent=functools.cache(lambda: _tangent(key, formula, ports, layout)),
    )  # fmt: skip


def _tangent(
    key: str, formula: Callable[..., Effort], ports: Sequence[Port], layout: Layout
) -> TangentKernel:
    """How the forces change with all inputs."""
    inputs, p = Inputs.make(ports), ca.SX.sym("p", layout.size)
    tables, table_slots = layout.tables()
    pull = Pull.of(key, formula, inputs, layout.symbols(p, tables))
    slots = [Slot(0), Slot(ABSOLUTE, TIME), *table_slots]
    return force_tangent(inputs, pull.forces, [p, T_SYMBOL, *tables], slots)


def _stiffness(inputs: Inputs, forces: list[SX]) -> tuple[list[SX], list[SX]]:
    """−∂f_j/∂x_j of each input, and bounds for the couplings between inputs.

    Between inputs only a bound is wanted (Gershgorin): the sums of |∂f_a/∂x_b| by rows, for every a and every
    other b; where inputs are many, only the sum of these for each a.
    """
    count = len(inputs.ports)
    edges = [0, *itertools.accumulate(port.width for port in inputs.ports)]
    slopes = [ca.vertsplit(inputs.slope(ca.vertcat(*forces), j), edges) for j in range(count)]
    sums = [[ca.sum2(ca.fabs(slopes[b][a])) for b in range(count) if b != a] for a in range(count)]
    between = [
        ca.densify(bound)
        for row in sums
        for bound in (row if count <= MOST_PAIRED else [sum(row[1:], row[0])])
    ]
    return [-slopes[j][j] for j in range(count)], between
