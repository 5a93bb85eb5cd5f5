"""What readers ask of the present state: forces and accelerations, reactions, rates, counted turns."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import (
    FULL,
    GYRO,
    NORMALISE,
    VALUE,
    blocks,
    blocks_with_effort,
    compose,
    force_sizes,
    forces,
    kinetic,
    lift,
    masses,
    power,
    rates,
    run_objects,
    wind,
)
from tinkerdyne.engine.exact import beyond_rounding
from tinkerdyne.engine.kkt import factor, solve
from tinkerdyne.engine.product import add_Jt, add_WJt, times_J, times_W
from tinkerdyne.engine.records import (
    Constraint,
    Flag,
    Hold,
    Index,
    Jacobian,
    Kind,
    Object,
    Row,
    Scalars,
    StopMemory,
    Vel,
)
from tinkerdyne.engine.steppers.motion import MET, accelerate, largest, residuals, rows, vels
from tinkerdyne.engine.stops import keep_states, put_states
from tinkerdyne.engine.yielding import clear_rows, count_yielding, pull_yielding

CONTRADICTORY = 1e-3  # share of the right-hand side that no multipliers can meet


@compiled
def least_multipliers(I: Index, S: Scalars) -> None:
    """λ without what does nothing: where rows contradict each other, (A + ε)⁻¹ A λ keeps the forces and drops
    the rest (DC88)."""
    lam = rows(I, S, Row.LAM)
    work = rows(I, S, Row.WORK)
    y = vels(I, S, Vel.WORK)
    total = vels(I, S, Vel.TOTAL)
    add_Jt(I, S, lam, total, -1.0)
    factor(I, S, 1e-6)
    solve(I, S, rows(I, S, Row.RHS), lam)
    for _ in range(2):
        for i in range(I.nv):
            y[i] = 0.0
        add_WJt(I, S, lam, y, 1.0)
        times_J(I, S, y, work)
        if S.yielding > 0.0:
            clear_rows(I, S, work)
        solve(I, S, work, lam)
    add_Jt(I, S, lam, total, 1.0)
    times_W(I, S, total, vels(I, S, Vel.ACC))
    if S.yielding > 0.0:
        pull_yielding(I, S, lam)


@compiled
def lift_pulling(I: Index, S: Scalars) -> int:
    """Open every closed stop that would pull as last evaluated; returns how many."""
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        if (
            C.kind == Kind.STOP
            and mem.hold == Hold.EXACT
            and S[C.record] >= -MET
            and rows(I, S, Row.LAM)[C.row] < 0.0
        ):
            mem.hold = Hold.OPEN
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n


@inlined
def read_dry_friction(I: Index, S: Scalars) -> None:
    """The effort of dry friction is that of the last kick: half a step's impulse, −μ."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            if C.kind == Kind.DRY and S.step > 0.0:
                rows(I, S, Row.LAM)[C.row + i] = -2.0 * S[C.memory + i] / S.step


@entry("IF")
def evaluate(I: Index, S: Scalars) -> int:
    """v̇ and λ at the present state, for reading results; stops push, and those that the next step lets go do
    nothing."""
    masses(I, S)
    left = accelerate(I, S, 1e-8)
    if I.stops != 0:
        keep_states(I, S, rows(I, S, Row.LIFTED))
        for _ in range(8):
            if lift_pulling(I, S) == 0:
                break
            left = accelerate(I, S, 1e-8)
    read_dry_friction(I, S)
    wide = CONTRADICTORY * largest(rows(I, S, Row.RHS), I.nr)
    if left > wide and beyond_rounding(I, S, rows(I, S, Row.LAM)) > wide and S.solver == 0.0:
        least_multipliers(I, S)
    if I.stops != 0:
        put_states(I, S, rows(I, S, Row.LIFTED))  # reading leaves everything as it was
    S.kinetic = kinetic(I, S)
    S.gap = largest(residuals(I, S), I.nr)
    if left != left or math.isinf(left):
        return 1
    return 0


@entry("IFF")
def pull_reactions(I: Index, S: Scalars, out: Floats) -> int:
    """Jᵀλ of every Jacobian block as last evaluated, six numbers each: for a rigid body force and torque in
    world axes."""
    lam = rows(I, S, Row.LAM)
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        n = block.nv
        f = at(out, 6 * b)
        for k in range(6):
            f[k] = 0.0
        for k in range(min(n, 6)):
            for i in range(block.dim):
                f[k] += S[block.J + i * n + k] * lam[block.row + i]
        T = Object.of(I, block.object)
        if T.flags & Flag.RIGID != 0:
            R = at(S, T.lift + 3)
            x = f[3]
            y = f[4]
            z = f[5]
            for k in range(3):
                f[3 + k] = R[k] * x + R[3 + k] * y + R[6 + k] * z
    return int(I.n_jacobians)


@entry("IF")
def find_force_sizes(I: Index, S: Scalars) -> int:
    """Σ |f| of all single forces, as last evaluated, in Vel.TOTAL."""
    force_sizes(I, S, vels(I, S, Vel.TOTAL))
    return 0


@entry("IF")
def evaluate_free(I: Index, S: Scalars) -> int:
    """Everything but the multipliers at the present state: J, bias, force and the free acceleration (in
    Vel.ACC)."""
    masses(I, S)
    lift(I, S)
    blocks(I, S, FULL)
    blocks_with_effort(I, S)
    compose(I, S)
    run_objects(I, S, GYRO)
    rates(I, S)
    S.energy = forces(I, S)
    S.kinetic = kinetic(I, S)
    S.power = power(I, S)
    total = vels(I, S, Vel.TOTAL)
    Q = at(S, I.force)
    gyro = at(S, I.gyro)
    for i in range(I.nv):
        total[i] = Q[i] + gyro[i]
    times_W(I, S, total, vels(I, S, Vel.ACC))
    return 0


@entry("IF")
def evaluate_rates(I: Index, S: Scalars) -> int:
    """q' and v' at the present state, for integrators outside."""
    run_objects(I, S, NORMALISE)
    accelerate(I, S, 1e-10)
    rates(I, S)
    S.turnover = max(S.turnover, kinetic(I, S))
    return 0


@entry("IF")
def wind_turns(I: Index, S: Scalars) -> int:
    """Count turns from the present state."""
    lift(I, S)
    blocks(I, S, VALUE)
    wind(I, S)
    return 0


@entry("IF")
def tidy(I: Index, S: Scalars) -> int:
    """Make every orientation a pure rotation."""
    run_objects(I, S, NORMALISE)
    return 0
