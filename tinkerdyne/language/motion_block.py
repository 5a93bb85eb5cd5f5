"""Blocks of connectors and constraints: value, velocity, bias and local derivatives of a formula."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca

from tinkerdyne.compiler.emit import ABSOLUTE, Slot
from tinkerdyne.compiler.kernels import compile_kernels, tidy_function
from tinkerdyne.language.block import T_SYMBOL, TIME, Block, ConstraintKind, Layout, Port
from tinkerdyne.language.effects import Deviation, Dry, Nonsquare, Rate, Stop, column
from tinkerdyne.language.inputs import Inputs, Motion
from tinkerdyne.language.kinds import Symbolic
from tinkerdyne.language.symbols import SX, Function
from tinkerdyne.language.tangent import TangentKernel, curvature, none_of

# CasADi functions, and the places that each reads and writes
Functions = dict[str, tuple[Function, list[Slot], list[Slot]]]


@dataclass(frozen=True)
class Pushed:
    """What a formula gives, with its motion."""

    y: SX
    yd: SX
    bias: SX
    local: list[SX]  # Df_j
    kind: int
    directions: tuple[SX, ...]  # of a non-square constraint

    @staticmethod
    def through(formula: Callable[..., Deviation], inputs: Inputs, given: dict[str, Symbolic]) -> Pushed:
        """Push the motion of the inputs through a formula."""
        motion = Motion.of(inputs)
        result = motion.call(formula, given)
        if isinstance(result, Dry):
            u = ca.densify(motion.checked_rate(column(result.rate)))
            return Pushed(ca.SX.zeros(u.numel()), *motion.of_rate(u), ConstraintKind.DRY, ())
        if isinstance(result, Rate):
            u = ca.densify(motion.checked_rate(column(result.deviation)))
            kind = ConstraintKind.STEADY if result.steady else ConstraintKind.RATE
            return Pushed(ca.SX.zeros(u.numel()), *motion.of_rate(u), kind, ())
        kind, directions = ConstraintKind.POSITION, ()
        if isinstance(result, Nonsquare):
            result, directions = result.deviation, result.directions
        elif isinstance(result, Stop):
            result, kind = result.room, ConstraintKind.STOP
        y = ca.densify(column(result))
        if kind == ConstraintKind.STOP and y.numel() != 1:
            raise ValueError(f"a stop has one number, not {y.numel()}")
        yd, bias = inputs.push(y)
        return Pushed(y, yd, bias, inputs.local(y, yd), kind, directions)


def motion_block(key: str, formula: Callable[..., Deviation], ports: Sequence[Port], layout: Layout) -> Block:
    """The block of a connector or a constraint, made for the ports it is plugged into."""
    inputs = Inputs.make(ports)
    p = ca.SX.sym("p", layout.size)
    tables, table_slots = layout.tables()
    given, rest = layout.symbols(p, tables), [p, T_SYMBOL, *tables]
    pushed = Pushed.through(formula, inputs, given)
    m, local = pushed.y.numel(), pushed.local
    sign = tuple(0 if port.nv else _is_identity(d) for port, d in zip(ports, local, strict=True))
    places, at = [], 3 * m
    for port in ports:
        places.append(at)
        at += m * port.width
    args = [*inputs.symbols(), *rest]
    ins = [*inputs.slots(), Slot(0), Slot(ABSOLUTE, TIME), *table_slots]
    # ±1 is known to the index and never read from the record, so it is not written either.
    written = [j for j, s in enumerate(sign) if s == 0]
    slots = [Slot(1, places[j]) for j in written]
    functions: Functions = {}
    if any(port.spatial is not None for port in ports):
        world = Inputs.make(ports, spatial=True)
        local, in_world = _alike(local, Pushed.through(formula, world, given).local)
        chosen = [in_world[j] for j in written]
        functions["spatial"] = (tidy_function("spatial", [*world.symbols(), *rest], chosen), ins, slots)
    functions |= _kernels(pushed, [local[j] for j in written], args, ins, slots)
    if layout.turns:  # after a step, the angle just met becomes the one to count turns from
        wound = [Slot(0, layout.offset(layout.turns))]
        functions["wind"] = (tidy_function("wind", args, [pushed.y]), ins, wound)
    effort = pushed.directions[0].size2() if pushed.directions else 0
    if effort:
        functions["effort"] = (tidy_function("effort", args, _pulled(inputs, pushed.directions)), ins, [])
        for port in ports:
            functions["effort"][2].append(Slot(1, at))
            at += effort * port.width
    kernels = compile_kernels(functions, 2 + 2 * len(ports))
    kernels.setdefault("spatial", kernels["motion"])
    depends = bool(ca.depends_on(pushed.y, T_SYMBOL)) or pushed.kind in (
        ConstraintKind.RATE,
        ConstraintKind.STEADY,
    )
    moving = ca.vertcat(*inputs.x, *inputs.v, T_SYMBOL, *tables)
    is_constant = not any(ca.depends_on(d, moving) for d in local)
    return Block(
        key, tuple(ports), layout, m, tuple(places), sign, at, kernels,
        effort=effort,
        depends_on_time=depends,
        kind=pushed.kind,
        winds=bool(layout.turns),
        may_jump=bool(tables) or (depends and _has_steps(functions["motion"][0])),
        is_linear=effort == 0 and pushed.kind == ConstraintKind.POSITION and is_constant,
        tangent=functools.cache(lambda: _tangent(formula, ports, layout)),
    )  # fmt: skip


def _tangent(formula: Callable[..., Deviation], ports: Sequence[Port], layout: Layout) -> TangentKernel:
    """The curvature of a formula; none where its forces have directions of their own."""
    inputs, p = Inputs.make(ports), ca.SX.sym("p", layout.size)
    tables, table_slots = layout.tables()
    pushed = Pushed.through(formula, inputs, layout.symbols(p, tables))
    if pushed.directions:
        return none_of(ports)
    slots = [Slot(0), Slot(ABSOLUTE, TIME), *table_slots]
    return curvature(inputs, pushed.local, [p, T_SYMBOL, *tables], slots)


def _kernels(
    pushed: Pushed, local: list[SX], args: list[SX], ins: list[Slot], slots: list[Slot]
) -> Functions:
    """The kernels value, motion and full; a later one computes what the earlier do, and more."""
    y, yd, m = pushed.y, ca.densify(pushed.yd), pushed.y.numel()
    full = [y, yd, ca.densify(pushed.bias), *local]
    return {
        "value": (tidy_function("value", args, [y]), ins, [Slot(1)]),
        "motion": (tidy_function("motion", args, [y, yd, *local]), ins, [Slot(1), Slot(1, m), *slots]),
        "full": (tidy_function("full", args, full), ins, [Slot(1), Slot(1, m), Slot(1, 2 * m), *slots]),
    }


def _alike(local: list[SX], in_world: list[SX]) -> tuple[list[SX], list[SX]]:
    """Derivatives by body rotations and by rotations in the world, with the same entries.

    The kernel `spatial` writes Df alone, where `motion` wrote its own, so both must cover the same entries. ẏ
    stays that of `motion`, since the velocities in the arena are the body's.
    """
    both = [a.sparsity() + b.sparsity() for a, b in zip(local, in_world, strict=True)]
    first, second = (
        [ca.project(d, sp) for d, sp in zip(part, both, strict=True)] for part in (local, in_world)
    )
    return first, second


def _pulled(inputs: Inputs, directions: tuple[SX, ...]) -> list[SX]:
    """The force directions of a non-square constraint on each input, by rows."""
    return [
        ca.densify((ca.jacobian(rate, v).T @ G if port.nv else G).T)
        for port, G, v, rate in zip(inputs.ports, directions, inputs.v, inputs.rate, strict=True)
    ]


def _is_identity(matrix: SX) -> int:
    """+1 or −1 when a square matrix of constants is ± the identity, else 0."""
    if matrix.size1() != matrix.size2() or not matrix.is_constant():
        return 0
    dense = ca.DM(matrix).full()
    n = dense.shape[0]
    for sign in (1, -1):
        if all(dense[i, j] == (sign if i == j else 0) for i in range(n) for j in range(n)):
            return sign
    return 0


# Operations whose value or slope jumps; min and max have corners.
_STEPS = {
    ca.OP_FLOOR,
    ca.OP_CEIL,
    ca.OP_LT,
    ca.OP_LE,
    ca.OP_EQ,
    ca.OP_NE,
    ca.OP_SIGN,
    ca.OP_IF_ELSE_ZERO,
    ca.OP_FABS,
    ca.OP_FMIN,
    ca.OP_FMAX,
    ca.OP_FMOD,
    ca.OP_COPYSIGN,
}


def _has_steps(function: Function) -> bool:
    return any(function.instruction_id(k) in _STEPS for k in range(function.n_instructions()))
