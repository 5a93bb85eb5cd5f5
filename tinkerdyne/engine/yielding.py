"""Constraints that yield: those found impossible to meet become springs, so that the rest of the world keeps
its exact solver.

A constraint that the guarded projection cannot meet (a contradictory pair, a target out of reach) would fail
Newton in every step. Instead its rows leave the multipliers, and along each acts the damped spring of DC88's
approach,
    f = −m (c/τ² + 2ċ/τ),   m = 1 / max (J W Jᵀ)_ii,   τ falling from the constraint's own to a few steps,
whose equilibrium is the least-squares compromise but for a sag of about g τ². Once such a constraint is met
it is exact again.

Its stiffness may fall while it acts, but does not follow the pose: m is the least mass that the row has had
since it yielded. With the mass of the present pose, as at first, the force has no potential, and a body
between two nails wins energy with each turn.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.records import (
    Constraint,
    Hold,
    Holding,
    Index,
    Jacobian,
    Kind,
    Object,
    Scalars,
    StopMemory,
    StopValue,
)

SLOW = 10.0  # a spring has come to rest below the limit of |c| and this many times it of |ċ| [1/s]


@inlined
def holding(S: Scalars, C: Constraint) -> Holding:
    """How the rows of a constraint are held."""
    return Holding(at(S, C.memory + 3 * C.dim))


@compiled
def yields(I: Index, S: Scalars, c: int) -> int:
    """Whether the rows of constraint c are out of the multiplier equation for now: a spring, or an open
    stop."""
    hold = holding(S, Constraint.of(I, c)).hold
    return 1 if hold == Hold.SPRING or hold == Hold.OPEN else 0


@compiled
def is_open(I: Index, S: Scalars, c: int) -> int:
    """Whether constraint c is a stop that nothing touches."""
    return 1 if holding(S, Constraint.of(I, c)).hold == Hold.OPEN else 0


@compiled
def count_yielding(I: Index, S: Scalars) -> None:
    """Bring S.yielding and S.springs up to date with the constraints' memory."""
    n = 0
    springs = 0
    for c in range(I.n_constraints):
        n += yields(I, S, c)
        springs += yields(I, S, c) - is_open(I, S, c)
    S.yielding = float(n)
    S.springs = float(springs)
    S.factored = 0.0


@compiled
def stand_alone(D: Floats, d: int) -> None:
    """The diagonal block of rows that are no part of the matrix."""
    for k in range(d * d):
        D[k] = 0.0
    for i in range(d):
        D[i * d + i] = -1.0


@compiled
def leave_matrix(I: Index, S: Scalars) -> None:
    """Take the rows of yielding constraints out of the matrix: identity on the diagonal, nothing beside it,
    no forces."""
    scale = at(S, I.scale)
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        if yields(I, S, block.constraint) != 0:
            for k in range(block.dim * block.nv):
                S[block.G + k] = 0.0
    for c in range(I.n_constraints):
        if yields(I, S, c) != 0:
            C = Constraint.of(I, c)
            d = C.dim
            stand_alone(at(S, I[I.node_diagonals + c]), d)
            for i in range(d):
                scale[C.row + i] = 1.0
    for p in range(I.n_pairs):
        i = I[I.pair_rows + p]
        j = I[I.pair_columns + p]
        out = 0
        if i < I.n_constraints:
            out += yields(I, S, i)
        if j < I.n_constraints:
            out += yields(I, S, j)
        if out != 0:
            for k in range(I[I.node_sizes + i] * I[I.node_sizes + j]):
                S[I[I.pair_places + p] + k] = 0.0


@compiled
def clear_rows(I: Index, S: Scalars, x: Floats) -> None:
    """Zero the rows of yielding constraints in a vector of residuals."""
    for c in range(I.n_constraints):
        if yields(I, S, c) != 0:
            C = Constraint.of(I, c)
            for i in range(C.dim):
                x[C.row + i] = 0.0


@compiled
def mobility(I: Index, S: Scalars, c: int, row: int) -> float:
    """(J W Jᵀ)_ii of one row of constraint c by itself."""
    C = Constraint.of(I, c)
    total = 0.0
    for b in range(C.jacobian, C.jacobian + C.n_jacobians):
        block = Jacobian.of(I, b)
        T = Object.of(I, block.object)
        n = T.nv
        for a in range(n):
            for k in range(n):
                total += S[block.J + row * n + a] * S[T.W + a * n + k] * S[block.J + row * n + k]
    return total


@inlined
def springiness(I: Index, S: Scalars, c: int) -> Floats:
    """The largest mobility that each row of a spring has had: kept in the place of c₀, which a spring does
    not use."""
    C = Constraint.of(I, c)
    most = at(S, C.memory + C.dim)
    for i in range(C.dim):
        most[i] = max(most[i], mobility(I, S, c, i))
    return most


@compiled
def pull_yielding(I: Index, S: Scalars, lam: Floats) -> None:
    """Add the springs of yielding constraints to the applied force; their efforts go to λ for reading."""
    Q = at(S, I.force)
    base = I.v
    for c in range(I.n_constraints):
        if yields(I, S, c) == 0:
            continue
        C = Constraint.of(I, c)
        d = C.dim
        f = at(lam, C.row)
        for i in range(d):
            f[i] = 0.0
        if is_open(I, S, c) != 0:
            continue
        most = springiness(I, S, c)
        rec = at(S, C.record)
        # From the constraint's own τ, as gently as an approach, down to the stiff end as fast as that
        # approach would take.
        own = S[C.tau]
        tau = max(S.yield_tau, own * math.exp(min(0.0, (holding(S, C).since - S.time) / own)))
        for i in range(d):
            if most[i] > 0.0:
                f[i] = -(rec[i] / tau + 2.0 * rec[d + i]) / (tau * most[i])
        if C.kind == Kind.STOP:
            f[0] = max(0.0, f[0])  # a stop never pulls
        for b in range(C.jacobian, C.jacobian + C.n_jacobians):
            block = Jacobian.of(I, b)
            n = block.nv
            for i in range(d):
                for k in range(n):
                    Q[block.v - base + k] += f[i] * S[block.J + i * n + k]


@inlined
def clear_reference(S: Scalars, C: Constraint) -> None:
    """Let the reference r(t) of a constraint be zero."""
    reference = at(S, C.memory + C.dim)  # c₀ and ċ₀
    for i in range(2 * C.dim):
        reference[i] = 0.0


@compiled
def let_yield(I: Index, S: Scalars, gap: Floats, limit: float) -> None:
    """Let every constraint yield whose |c − r| is above the limit."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            if math.fabs(gap[C.row + i]) > limit and yields(I, S, c) == 0 and C.kind < Kind.RATE:
                held = holding(S, C)
                held.since = S.time
                held.hold = Hold.SPRING
                clear_reference(S, C)
    count_yielding(I, S)


@compiled
def swap_springs(I: Index, S: Scalars, was: float, to: float) -> None:
    """Give every constraint that is held in one way (see Hold) another one; its reference is zero
    then."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        d = C.dim
        mem = at(S, C.memory)
        held = holding(S, C)
        if held.hold == was:
            held.hold = to
            for i in range(d):  # what a spring knows of its rows waits beside, in the place of μ
                kept = mem[d + i] if was == Hold.SPRING else mem[i]
                mem[i] = kept if to == Hold.HIT else 0.0
                mem[d + i] = kept if to == Hold.SPRING else 0.0
                mem[2 * d + i] = 0.0
    count_yielding(I, S)


@compiled
def are_near(I: Index, S: Scalars, h: float, least: float) -> int:
    """Whether no spring is stretched by more than `least`, or than its ends could move in h: √(2T tr J W Jᵀ)
    is their speed."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        d = C.dim
        if holding(S, C).hold == Hold.SPRING:
            trace = 0.0
            for i in range(d):
                trace += mobility(I, S, c, i)
            reach = max(least, h * math.sqrt(2.0 * S.kinetic * trace))
            for i in range(d):
                if not (math.fabs(S[C.record + i]) <= reach):
                    return 0
    return 1


@inlined
def open_stop(memory: StopMemory) -> None:
    """Let nothing touch a stop."""
    memory.mu = 0.0
    memory.c0 = 0.0
    memory.rate0 = 0.0
    memory.hold = Hold.OPEN


@compiled
def take_back(I: Index, S: Scalars, limit: float, t: float) -> int:
    """Make yielding constraints exact again that have come to rest within the limit; returns how many."""
    n = 0
    for c in range(I.n_constraints):
        if yields(I, S, c) == 0 or is_open(I, S, c) != 0:
            continue
        C = Constraint.of(I, c)
        d = C.dim
        rec = at(S, C.record)
        if C.kind == Kind.STOP and StopValue(rec).c >= -limit:  # it is free again
            open_stop(StopMemory(at(S, C.memory)))
            n += 1
            continue
        far = 0
        for i in range(d):
            if not (math.fabs(rec[i]) <= limit) or not (math.fabs(rec[d + i]) <= SLOW * limit):
                far = 1
        if far == 0:
            mu = at(S, C.memory)
            reference = at(mu, d)  # c₀ and ċ₀
            for i in range(d):
                mu[i] = 0.0
                reference[i] = rec[i]
                reference[d + i] = rec[d + i]
            held = holding(S, C)
            held.since = t
            held.hold = Hold.EXACT
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n
