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

import contextvars
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from tinkerdyne.compiler.emit import ABSOLUTE, Slot
from tinkerdyne.compiler.kernels import compile_kernels, tidy_function
from tinkerdyne.language.kinds import FrameValue, KeysValue, Kind

SX = Any

TIME, STEP = 0, 1  # fixed places of the arena: the time t and the step h
T_SYMBOL = ca.SX.sym("t")


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
class Energy:
    """A potential energy: force = −gradient."""

    value: SX


@dataclass(frozen=True)
class Force:
    """An effort along any measure: virtual work = effort · δmeasure (ID90 eq. 8)."""

    measure: SX
    effort: SX


@dataclass(frozen=True)
class Nonsquare:
    """A constraint with d rows whose forces have f directions of their own (DC88): on input j acts
    directions[j] · F."""

    deviation: SX
    directions: tuple[SX, ...]


@dataclass(frozen=True)
class Stop:
    """A one-sided constraint, c ≥ 0 (one row): it pushes and never pulls.

    A parameter `restitution` says how it bounces."""

    room: SX


@dataclass(frozen=True)
class Rate:
    """A constraint on velocities, linear in them: ċ = 0, or, where `steady`, ċ as it was when it was switched
    on."""

    deviation: SX
    steady: bool = False


POSITION, STOP, RATE, STEADY = range(4)  # kinds of constraints, as in engine.records
MOST_PAIRED = 8  # inputs of a behavior whose couplings are kept one by one; of more, only their sums

_motion: contextvars.ContextVar[tuple[SX, SX]] = contextvars.ContextVar("motion")


def velocity(expression: Any) -> SX:
    """The time derivative of an expression over a behavior's inputs."""
    if isinstance(expression, FrameValue):
        expression = expression.flat()
    expression = ca.SX(expression)
    x, xd = _motion.get()
    return ca.jtimes(expression, x, xd) + ca.jacobian(expression, T_SYMBOL)


def spin(frame: FrameValue) -> SX:
    """The angular velocity of a frame in world axes (a scalar in the plane) [rad/s]."""
    rate = ca.reshape(velocity(ca.vec(frame.axes)), frame.dim, frame.dim)
    w = rate @ frame.axes.T
    if frame.dim == 2:
        return (w[1, 0] - w[0, 1]) / 2
    return ca.vertcat(w[2, 1] - w[1, 2], w[0, 2] - w[2, 0], w[1, 0] - w[0, 1]) / 2


def force(measure: Any, effort: SX) -> Force:
    """A force on a point (or on any other measure, such as a distance) of a behavior's inputs [N]."""
    return Force(measure.flat() if isinstance(measure, FrameValue) else measure, ca.SX(effort))


def torque(frame: FrameValue, effort: SX) -> Force:
    """A torque on a frame, in world axes: work T·δθ, so that the force on the axes is ½ T̂ R [N m]."""
    hat = ca.skew(effort) if frame.dim == 3 else ca.vertcat(ca.horzcat(0, -effort), ca.horzcat(effort, 0))
    return Force(ca.vec(frame.axes), ca.vec(hat @ frame.axes) / 2)


def energy(value: SX) -> Energy:
    """A potential energy of a behavior [J]."""
    return Energy(ca.SX(value))


def column(value: Any) -> SX:
    """A formula's result as one column."""
    if isinstance(value, FrameValue):
        return value.flat()
    if isinstance(value, (tuple, list)):
        return ca.vertcat(*[ca.SX(v) for v in value])
    return ca.vec(ca.SX(value))


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

    def symbols(self, flat: SX, tables: Sequence[SX] = ()) -> dict[str, Any]:
        out: dict[str, Any] = {}
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

    def wrapped(self) -> list[Any]:
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
        return [*self.x, *self.v, *self.bias_symbols]


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
    kind: int = POSITION
    winds: bool = False  # the kernels keep a count of turns among the parameters
    may_jump: bool = False  # a formula of time with steps or corners
    is_linear: bool = False  # its derivatives are constant
    couples: bool = False  # a behavior whose record ends with the stiffness between its inputs

    @property
    def is_stop(self) -> bool:
        """Whether it is a one-sided constraint, c ≥ 0."""
        return self.kind == STOP

    @property
    def is_on_velocity(self) -> bool:
        """Whether it is a constraint on velocities: ċ = 0, and c is not known."""
        return self.kind in (RATE, STEADY)


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


def motion_block(key: str, formula: Callable[..., Any], ports: Sequence[Port], layout: Layout) -> Block:
    """The block of a connector or a constraint: value, velocity, bias and local derivatives."""
    inputs = Inputs.make(ports)
    p = ca.SX.sym("p", layout.size)
    tables, table_slots = layout.tables()
    given = layout.symbols(p, tables)
    motion = _Motion(inputs)
    result = motion.call(formula, given)
    directions, kind = None, POSITION
    if isinstance(result, Nonsquare):
        result, directions = result.deviation, result.directions
    elif isinstance(result, Stop):
        result, kind = result.room, STOP
    elif isinstance(result, Rate):
        kind = STEADY if result.steady else RATE
        result = motion.checked_rate(column(result.deviation))
    y = ca.densify(column(result))
    m = y.numel()
    if kind == STOP and m != 1:
        raise ValueError(f"a stop has one number, not {m}")
    if kind in (RATE, STEADY):
        yd, bias, local = motion.of_rate(y)
        y = ca.SX.zeros(m)
    else:
        yd, bias = inputs.push(y)
        local = inputs.local(y, yd)
    sign = tuple(0 if port.nv else _is_identity(d) for port, d in zip(ports, local, strict=True))
    places, at = [], 3 * m
    for port in ports:
        places.append(at)
        at += m * port.width
    args = [*inputs.symbols(), p, T_SYMBOL, *tables]
    ins = [*inputs.slots(), Slot(0), Slot(ABSOLUTE, TIME), *table_slots]
    # ±1 is known to the index and never read from the record, so it is not written either.
    written = [j for j, s in enumerate(sign) if s == 0]
    out_local = [Slot(1, places[j]) for j in written]
    functions: dict[str, tuple[Any, list[Slot], list[Slot]]] = {}
    if any(port.spatial is not None for port in ports):
        world = Inputs.make(ports, spatial=True)
        turned = _Motion(world)
        result_s = turned.call(formula, given)
        if isinstance(result_s, (Nonsquare, Rate)):
            result_s = result_s.deviation
        elif isinstance(result_s, Stop):
            result_s = result_s.room
        y_s = ca.densify(column(result_s))
        # It writes Df alone, where `motion` wrote its own: both must cover the same entries. ẏ stays that of
        # `motion`, since the velocities in the arena are the body's.
        local_s = turned.of_rate(y_s)[2] if kind in (RATE, STEADY) else world.local(y_s, world.push(y_s)[0])
        both = [a.sparsity() + b.sparsity() for a, b in zip(local, local_s, strict=True)]
        local, local_s = (
            [ca.project(d, sp) for d, sp in zip(part, both, strict=True)] for part in (local, local_s)
        )
        chosen = [local_s[j] for j in written]
        functions["spatial"] = (
            tidy_function("spatial", [*world.symbols(), p, T_SYMBOL, *tables], chosen),
            ins,
            out_local,
        )
    functions |= {
        "value": (tidy_function("value", args, [y]), ins, [Slot(1)]),
        "motion": (
            tidy_function("motion", args, [y, ca.densify(yd), *[local[j] for j in written]]),
            ins,
            [Slot(1), Slot(1, m), *out_local],
        ),
        "full": (
            tidy_function("full", args, [y, ca.densify(yd), ca.densify(bias), *[local[j] for j in written]]),
            ins,
            [Slot(1), Slot(1, m), Slot(1, 2 * m), *out_local],
        ),
    }
    if layout.turns:  # after a step, the angle just met becomes the one to count turns from
        functions["wind"] = (tidy_function("wind", args, [y]), ins, [Slot(0, layout.offset(layout.turns))])
    effort = 0
    if directions is not None:
        effort = directions[0].size2()
        where, pulled = [], []
        for port, G, v, rate in zip(ports, directions, inputs.v, inputs.rate, strict=True):
            where.append(Slot(1, at))
            at += effort * port.width
            pulled.append(ca.densify((ca.jacobian(rate, v).T @ G if port.nv else G).T))
        functions["effort"] = (tidy_function("effort", args, pulled), ins, where)
    kernels = compile_kernels(functions, 2 + 2 * len(ports))
    kernels.setdefault("spatial", kernels["motion"])
    depends = bool(ca.depends_on(y, T_SYMBOL)) or kind in (RATE, STEADY)
    jumps = bool(tables) or (depends and _has_steps(functions["motion"][0]))
    moving = ca.vertcat(*inputs.x, *inputs.v, T_SYMBOL, *tables)
    is_linear = effort == 0 and kind == POSITION and not any(ca.depends_on(d, moving) for d in local)
    return Block(
        key,
        tuple(ports),
        layout,
        m,
        tuple(places),
        sign,
        at,
        kernels,
        False,
        effort,
        depends,
        kind,
        bool(layout.turns),
        jumps,
        is_linear,
    )


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


def _has_steps(function: Any) -> bool:
    return any(function.instruction_id(k) in _STEPS for k in range(function.n_instructions()))


@dataclass(frozen=True)
class _Motion:
    """A formula called over inputs whose velocities it may ask for, as symbols ẋ of their own."""

    inputs: Inputs
    rates: tuple[SX, ...]

    def __init__(self, inputs: Inputs) -> None:
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(
            self, "rates", tuple(ca.SX.sym(f"xd{j}", port.dim) for j, port in enumerate(inputs.ports))
        )

    def call(self, formula: Callable[..., Any], given: dict[str, Any]) -> Any:
        token = _motion.set((ca.vertcat(*self.inputs.x), ca.vertcat(*self.rates)))
        try:
            return formula(*self.inputs.wrapped(), **given)
        finally:
            _motion.reset(token)

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


def _edges(ports: Sequence[Port]) -> list[int]:
    """Where the forces on the inputs begin in one column, and its end."""
    return [0, *itertools.accumulate(port.width for port in ports)]


def force_block(key: str, formula: Callable[..., Any], ports: Sequence[Port], layout: Layout) -> Block:
    """The block of a behavior: potential energy, power of the other forces, and the force on each input."""
    inputs = Inputs.make(ports)
    p = ca.SX.sym("p", layout.size)
    tables, table_slots = layout.tables()
    motion = _Motion(inputs)
    rates = motion.rates
    result = motion.call(formula, layout.symbols(p, tables))
    parts = list(result) if isinstance(result, (tuple, list)) else [result]
    potential: SX = ca.SX(0)
    power: SX = ca.SX(0)
    world = inputs.in_world()
    forces = [ca.SX.zeros(port.width) for port in ports]
    in_world = [ca.SX.zeros(port.width) for port in ports]
    for part in parts:
        if isinstance(part, Energy):
            potential = potential + part.value
            pulled, pulled_in_world = (way.pull(part.value, ca.SX(-1)) for way in (inputs, world))
        elif isinstance(part, Force):
            measure = column(part.measure)
            rate = ca.jtimes(measure, ca.vertcat(*inputs.x), ca.vertcat(*rates)) + ca.jacobian(
                measure, T_SYMBOL
            )
            power = power + ca.dot(part.effort, rate)
            pulled, pulled_in_world = (way.pull(measure, part.effort) for way in (inputs, world))
        else:
            raise TypeError(
                f"behavior {key} returned {part!r}; return energy(…), force(…), torque(…), or a tuple of "
                "these"
            )
        forces = [a + b for a, b in zip(forces, pulled, strict=True)]
        in_world = [a + b for a, b in zip(in_world, pulled_in_world, strict=True)]
    real = ca.vertcat(*inputs.rate)
    outputs = ca.substitute([potential, power, *forces, *in_world], [ca.vertcat(*rates)], [real])
    potential, power = outputs[0], outputs[1]
    forces, in_world = (
        [ca.densify(f) for f in part] for part in (outputs[2 : 2 + len(ports)], outputs[2 + len(ports) :])
    )
    damping = [-ca.jacobian(f, v) for f, v in zip(forces, inputs.v, strict=True)]
    slopes = [ca.vertsplit(inputs.slope(ca.vertcat(*forces), j), _edges(ports)) for j in range(len(ports))]
    stiffness = [-slopes[j][j] for j in range(len(ports))]
    # Between inputs only a bound is wanted (Gershgorin): the sums of |∂f_a/∂x_b| by rows, for every a and
    # every other b.
    sums = [[ca.sum2(ca.fabs(slopes[b][a])) for b in range(len(ports)) if b != a] for a in range(len(ports))]
    between = [
        ca.densify(one)
        for row in sums
        for one in (row if len(ports) <= MOST_PAIRED else [sum(row[1:], row[0])])
    ]
    damps = any(ca.sparsify(d).nnz() for d in damping)
    # they share their place
    damping, stiffness = [ca.densify(d) for d in damping], [ca.densify(d) for d in stiffness]
    places, at = [], 2
    for port in ports:
        places.append(at)
        at += port.width
    blocks = []
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
    functions = {
        "force": (
            tidy_function("force", args, [ca.densify(potential), ca.densify(power), *forces]),
            ins,
            outs,
        ),
        "spatial": (
            tidy_function("spatial", args, [ca.densify(potential), ca.densify(power), *in_world]),
            ins,
            outs,
        ),
        "damping": (tidy_function("damping", args, damping), ins, blocks),
        "stiffness": (tidy_function("stiffness", args, [*stiffness, *between]), ins, [*blocks, *couplings]),
    }
    kernels = compile_kernels(functions, 2 + 2 * len(ports))
    depends = any(bool(ca.depends_on(e, T_SYMBOL)) for e in (potential, *forces))
    return Block(
        key,
        tuple(ports),
        layout,
        2,
        tuple(places),
        (0,) * len(ports),
        at,
        kernels,
        damps,
        0,
        depends,
        couples=bool(between),
    )
