"""Blocks of fields: what acts on every object (gravity, damping) as a block on each object type.

Where an object is a sum over nodes, such as a curve, and the field is linear in its mass, the kernels sum in
loops: the code of one node serves all, and is short whatever their number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import casadi as ca

from tinkerdyne.compiler.emit import ABSOLUTE, Slot
from tinkerdyne.compiler.gather import Gather
from tinkerdyne.compiler.kernels import compile_kernels, tidy_function
from tinkerdyne.compiler.loops import Loop, Sum, Summing, compile_loops
from tinkerdyne.language.block import TIME, Block, Layout
from tinkerdyne.language.effects import Energy
from tinkerdyne.language.symbols import SX, Function
from tinkerdyne.objects.object import ObjectType, Pieces

Pull: TypeAlias = Energy | SX  # what a field returns: an energy, or a force on the velocities
Formula = Callable[["BodyValue"], Pull]
P, RECORD, ELL, V, OWN = range(5)  # entries of an instance's offset table
STRIDE = 6


@dataclass(frozen=True)
class BodyValue:
    """An object as a field's formula sees it."""

    moment: SX  # Σ m x, None where the object has none
    momentum: SX  # M v
    velocities: SX


@dataclass(frozen=True)
class Action:
    """What a field does to an object or a piece of it."""

    potential: SX
    power: SX
    force: SX
    in_world: SX
    damping: SX
    stiffness: SX


def field_block(key: str, formula: Callable[..., Pull], kind: ObjectType, layout: Layout) -> Block:
    """The block of a field on one object type: it reads the object's own parameters too."""
    own, p = ca.SX.sym("own", kind.layout.size), ca.SX.sym("p", layout.size)
    names, given = kind.layout.symbols(own), layout.symbols(p)
    pieces = kind.pieces()

    def at(body: BodyValue) -> Pull:
        return formula(body, **given)

    if pieces is not None and not _is_linear(at, kind):
        pieces = None
    if pieces is not None and pieces.active:
        loops, is_damping = _gathered(at, kind, pieces, own, p, names)
        kernels = compile_loops(loops, STRIDE)
    else:
        node = ca.SX.sym("node", len(pieces.nodes[0])) if pieces is not None else None
        ell, v, t = ca.SX.sym("l", kind.dim), ca.SX.sym("v", kind.nv), ca.SX.sym("t")
        e = _effect(at, kind, pieces, ell, v, names, node)
        args, ins = [ell, v, own, p, t], [Slot(ELL), Slot(V), Slot(OWN), Slot(P), Slot(ABSOLUTE, TIME)]
        parts, square = [Slot(RECORD), Slot(RECORD, 1), Slot(RECORD, 2)], [Slot(RECORD, 2 + kind.nv)]
        wanted = {
            "force": ([e.potential, e.power, e.force], parts),
            "spatial": ([e.potential, e.power, e.in_world], parts),
            "damping": ([e.damping], square),
            "stiffness": ([e.stiffness], square),
        }
        dense = {name: ([ca.densify(x) for x in outputs], outs) for name, (outputs, outs) in wanted.items()}
        is_damping = bool(ca.sparsify(e.damping).nnz())
        if pieces is None:
            functions = {
                name: (tidy_function(name, args, outputs), ins, outs)
                for name, (outputs, outs) in dense.items()
            }
            kernels = compile_kernels(functions, STRIDE)
        else:
            sums = {
                name: Loop(Sum(args, ins, node, pieces.nodes, outputs, outs))
                for name, (outputs, outs) in dense.items()
            }
            kernels = compile_loops(sums, STRIDE)
    record = 2 + kind.nv + kind.nv * kind.nv
    return Block(key, (kind.port,), layout, 2, (2,), (0,), record, kernels, is_damping, works=is_damping)


def _is_linear(formula: Formula, kind: ObjectType) -> bool:
    """Whether a field is a sum over the pieces of an object: linear in Σ m x and M v, and nothing without
    them."""
    q, names = ca.SX.sym("q", kind.nq), kind.layout.symbols(ca.SX.sym("own", kind.layout.size))
    size = kind.moment(q, names).numel() if kind.moment is not None else 0
    m, momentum, v = ca.SX.sym("m", size), ca.SX.sym("momentum", kind.nv), ca.SX.sym("v", kind.nv)
    result = formula(BodyValue(m if size else None, momentum, v))
    whole, value = ca.vertcat(m, momentum), ca.SX(result.value if isinstance(result, Energy) else result)
    nothing = ca.substitute(value, whole, ca.SX.zeros(whole.numel()))
    return bool(ca.densify(nothing).is_zero()) and not ca.depends_on(ca.jacobian(value, whole), whole)


def _effect(
    formula: Formula,
    kind: ObjectType,
    pieces: Pieces | None,
    ell: SX,
    v: SX,
    names: dict[str, SX],
    node: SX | None,
) -> Action:
    """The effect on the whole object, or on the piece of a node."""
    q = ell[: kind.nq]  # where M varies, the lift begins with q
    if pieces is not None:
        momentum, moment = (
            pieces.momentum(q, names, node, v),
            pieces.moment(q, names, node) if kind.moment is not None else None,
        )
    else:
        momentum = kind.mass(q, names) @ v
        moment = kind.moment(q if kind.mass_varies else ell, names) if kind.moment is not None else None
    rate = kind.port.rate(ell, v) if kind.port.rate is not None else v
    world = kind.spatial(ell, v) if kind.spatial is not None else rate
    return _of(formula(BodyValue(moment, momentum, v)), ell, v, rate, world, turns=kind.spatial is not None)


def _of(result: Pull, ell: SX, v: SX, rate: SX, world: SX, *, turns: bool) -> Action:
    """The effect of an energy, or of a force."""
    if isinstance(result, Energy):
        potential, power = ca.SX(result.value), ca.SX(0)
        gradient = ca.jtimes(potential, ell, ca.SX(-1), True)
        force, in_world = ca.jtimes(rate, v, gradient, True), ca.jtimes(world, v, gradient, True)
    else:
        potential, power, force = ca.SX(0), ca.dot(result, v), result
        in_world = force
        if turns:  # a rigid body: its torque is given in body axes
            in_world = ca.vertcat(force[:3], ca.reshape(ell[3:], 3, 3) @ force[3:])
    damping = -ca.jacobian(force, v)
    stiffness = -ca.jtimes(force, ell, ca.jacobian(rate, v))
    return Action(potential, power, force, in_world, damping, stiffness)


def _gathered(
    formula: Formula, kind: ObjectType, pieces: Pieces, own: SX, p: SX, names: dict[str, SX]
) -> tuple[dict[str, Summing], bool]:
    """The kernels of a field on an object whose nodes see some chunks of its coordinates each, q' = v; and
    whether it damps."""
    d, m, nv = pieces.chunk, len(pieces.active[0]), kind.nv
    X, W = ([ca.SX.sym(f"{name}{j}", d) for j in range(m)] for name in "xv")
    node = ca.SX.sym("node", len(pieces.nodes[0]))
    q, v = ca.vertcat(*X), ca.vertcat(*W)
    body = BodyValue(pieces.moment(q, names, node), pieces.momentum(q, names, node, v), v)
    e = _of(formula(body), q, v, v, v, turns=False)
    args, ins = [*X, *W, own, p], [Slot(k) for k in range(2 * m + 2)]
    bases = [ELL] * m + [V] * m + [OWN, P]
    seen = [[d * k for k in some] * 2 + [0, 0] for some in pieces.active]
    pairs = [(i, j) for i in range(m) for j in range(m)]
    first = len(bases)

    def whole(*wanted: str) -> Callable[[], Function]:
        return lambda: _whole(formula, nv, pieces, own, p, names, wanted)

    slots = [Slot(ELL), Slot(V), Slot(OWN), Slot(P)]
    chunks = [ca.densify(e.force)[d * j : d * (j + 1)] for j in range(m)]
    terms = [ca.densify(e.potential), ca.densify(e.power), *chunks]
    outs = [Slot(first), Slot(first, 1), *[Slot(first + 1 + j) for j in range(m)]]
    shifts = [row + [0] + [2 + d * k for k in some] for row, some in zip(seen, pieces.active, strict=True)]
    total = Sum(args, ins, node, pieces.nodes, terms, outs)
    force = Gather(
        total,
        [*bases, *[RECORD] * (1 + m)],
        shifts,
        RECORD,
        2 + nv,
        whole("potential", "power", "force"),
        slots,
    )
    found: dict[str, Summing] = {"force": force, "spatial": force}
    for name in ("damping", "stiffness"):
        matrix = ca.densify(getattr(e, name))
        rows = [matrix[d * i + a, d * j : d * (j + 1)] for i, j in pairs for a in range(d)]
        outs = [Slot(first + k, a * nv) for k in range(len(pairs)) for a in range(d)]
        shifts = [
            row + [2 + nv + d * (nv * some[i] + some[j]) for i, j in pairs]
            for row, some in zip(seen, pieces.active, strict=True)
        ]
        total = Sum(args, ins, node, pieces.nodes, rows, outs)
        found[name] = Gather(
            total, [*bases, *[RECORD] * len(pairs)], shifts, RECORD, nv * nv, whole(name), slots, shift=2 + nv
        )
    return found, bool(ca.sparsify(e.damping).nnz())


def _whole(
    formula: Formula, nv: int, pieces: Pieces, own: SX, p: SX, names: dict[str, SX], wanted: tuple[str, ...]
) -> Function:
    """Some of a field's effects on a whole object, in one function, node after node."""
    d = pieces.chunk
    x, u = ca.SX.sym("x", nv), ca.SX.sym("v", nv)
    momentum, moment = ca.SX.zeros(nv), ca.SX(0)
    for row, some in zip(pieces.nodes, pieces.active, strict=True):
        here = [d * k + a for k in some for a in range(d)]
        momentum[here] += pieces.momentum(x[here], names, ca.SX(list(row)), u[here])
        moment += pieces.moment(x[here], names, ca.SX(list(row)))
    all_of = _of(formula(BodyValue(moment, momentum, u)), x, u, u, u, turns=False)
    effects = ca.densify(ca.vertcat(*[getattr(all_of, name) for name in wanted]))
    return ca.Function("field", [x, u, own, p], [effects])
