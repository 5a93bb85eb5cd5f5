"""Assembly: LD98's iterative correction of positions from scattered parts, and Störmer stepping with it (A2,
A3).

    δ = −W Jᵀ (J W Jᵀ)⁻¹ c at the present position, rotations cut off at 0.8 rad, again until |c| is within
    the precision.
With W = M⁻¹ parts move in inverse proportion to their masses; with W = 1 the correction is the pseudo-inverse
of kinematics.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import (
    GYRO,
    MOTION,
    VALUE,
    blocks,
    compose,
    forces,
    kinetic,
    lift,
    masses,
    run_objects,
)
from tinkerdyne.engine.kkt import assemble, factor, solve
from tinkerdyne.engine.product import add_WJt, times_W
from tinkerdyne.engine.records import (
    Constraint,
    Flag,
    Hold,
    Index,
    Kind,
    Object,
    Row,
    Scalars,
    StopMemory,
    Vel,
)
from tinkerdyne.engine.steppers.accuracy import note_start
from tinkerdyne.engine.steppers.impossible import gain_nothing
from tinkerdyne.engine.steppers.motion import copy, gap, gather, reference, rows, vels
from tinkerdyne.engine.steppers.project import project_velocity, retract, velocities_from
from tinkerdyne.engine.steppers.rattle import keep_multipliers, recall_multipliers
from tinkerdyne.engine.yielding import count_yielding, holding, open_stop

TRUNCATED = 0.8  # rad (LD98): beyond, the linear displacement is too poor
# relative ε of the matrix: at first, when the sum of squares rises, and at most
SHARP, SOFT, SOFTEST = 1e-12, 1e-3, 1e3
# corrections in a row that may miss the least sum of squares met, before each begins there, and at most
HASTE, PATIENCE = 4, 24
PASSES = 8  # assemblies at most, each with the stops that the one before has passed


@compiled
def unit_weights(I: Index, S: Scalars) -> None:
    """W = 1 for everything that is not fixed, so that masses do not count."""
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & Flag.FIXED != 0:
            continue
        n = T.nv
        for i in range(n * n):
            S[T.W + i] = 0.0
        for i in range(n):
            S[T.W + i * n + i] = 1.0
            S[T.diagonals + i] = 1.0
        T.flags |= Flag.DIAGONAL


@compiled
def truncate(I: Index, S: Scalars, delta: Floats) -> None:
    """Cut every body's rotation off at 0.8 rad; where one was cut, its translation belongs to the shorter
    turn too."""
    base = I.v
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & (Flag.RIGID | Flag.PLANAR) == 0:
            continue
        d = at(delta, T.v - base)
        first = 3 if T.flags & Flag.RIGID != 0 else 2
        turn = 0.0
        for i in range(first, T.nv):
            turn += d[i] * d[i]
        turn = math.sqrt(turn)
        if turn > TRUNCATED:
            for i in range(first, T.nv):
                d[i] *= TRUNCATED / turn


@compiled
def set_rates_aside(I: Index, S: Scalars, hold: float) -> None:
    """Constraints on velocities say nothing about places: out of the equation while parts are put
    together."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.RATE or C.kind == Kind.STEADY:
            holding(S, C).hold = hold
    count_yielding(I, S)


@compiled
def squares(I: Index, S: Scalars, c: Floats) -> float:
    """c − r of all rows into c, open stops and the like as zero; returns the sum of their squares."""
    r = rows(I, S, Row.REF)
    reference(I, S, S.time, r, rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    gather(I, S, 0, c)
    total = 0.0
    for k in range(I.n_constraints):
        C = Constraint.of(I, k)
        hold = holding(S, C).hold
        for i in range(C.row, C.row + C.dim):
            c[i] = 0.0 if hold == Hold.OPEN else c[i] - r[i]
            total += c[i] * c[i]
    return total if total == total else math.inf


@inlined
def correction(I: Index, S: Scalars, epsilon: float, with_masses: int) -> None:
    """One correction δ = −W Jᵀ (J W Jᵀ)⁻¹ c, rotations cut off, and the constraints at the new place."""
    lam = rows(I, S, Row.DELTA)
    delta = vels(I, S, Vel.WORK)
    blocks(I, S, MOTION)
    compose(I, S)
    masses(I, S)
    if with_masses == 0:
        unit_weights(I, S)
    assemble(I, S)
    factor(I, S, epsilon)
    solve(I, S, rows(I, S, Row.RES), lam)
    for i in range(I.nv):
        delta[i] = 0.0
    add_WJt(I, S, lam, delta, -1.0)
    truncate(I, S, delta)
    retract(I, S, delta)
    lift(I, S)
    blocks(I, S, VALUE)


@inlined
def go_to(I: Index, S: Scalars, pose: Floats) -> None:
    """Take a pose, and evaluate the constraints there."""
    copy(pose, at(S, I.q), I.nq)
    lift(I, S)
    blocks(I, S, VALUE)


@compiled
def correct_positions(I: Index, S: Scalars, precision: float, limit: int, with_masses: int) -> int:
    """LD98's `correction`: returns the iterations done; the gap that is left is in S_GAP.

    Where the sum of squares rises the matrix is softened (Levenberg–Marquardt), so that no cycle is entered;
    the best pose is kept.
    """
    NQ = I.nq
    q = at(S, I.q)
    best = at(S, I.position_vectors + NQ)
    c = rows(I, S, Row.RES)
    epsilon = SHARP
    least = math.inf
    before = math.inf
    waited = 0
    done = 0
    lift(I, S)
    blocks(I, S, VALUE)
    for k in range(limit + 1):
        total = squares(I, S, c)
        S.gap = gap(I, S)
        if total < least:
            least = total
            copy(q, best, NQ)
            waited = 0
        else:
            waited += 1
        if S.gap <= precision or k == limit or waited > PATIENCE:
            break
        if total < before:
            epsilon = max(SHARP, 0.03 * epsilon)
        else:
            epsilon = min(SOFTEST, max(SOFT, 10.0 * epsilon))
            if waited > HASTE:  # no plain Newton any more: only what lowers the sum of squares counts
                go_to(I, S, best)
                total = squares(I, S, c)
        before = total
        correction(I, S, epsilon, with_masses)
        done += 1
        S.count_newton += 1.0
    if waited > 0:
        go_to(I, S, best)
        S.gap = gap(I, S)
    return done


@compiled
def close_passed(I: Index, S: Scalars) -> int:
    """Close every stop that the records show to be passed; returns how many."""
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        if C.kind == Kind.STOP and mem.hold == Hold.OPEN and S[C.record] < -S.tolerance:
            mem.hold = Hold.EXACT
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n


@compiled
def open_stops(I: Index, S: Scalars) -> None:
    """Open every stop that is not on its way out: a displacement step asks anew which of them are passed."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        mem = StopMemory(at(S, C.memory))
        is_coming = mem.hold == Hold.EXACT and mem.c0 < 0.0 and S[C.record] < -S.tolerance
        if C.kind == Kind.STOP and not is_coming:
            open_stop(mem)
    count_yielding(I, S)


@entry("IFdii")
def assemble_parts(I: Index, S: Scalars, precision: float, limit: int, with_masses: int) -> int:
    """Put everything together at the present time; returns the iterations done.

    Velocities are made to agree afterwards."""
    masses(I, S)
    set_rates_aside(I, S, Hold.OPEN)
    done = 0
    for _ in range(PASSES):
        done += correct_positions(I, S, precision, limit - done, with_masses)
        if S.gap > precision and with_masses != 0:
            # Light parts that turn too eagerly can be stuck at a compromise that equal weights leave.
            done += correct_positions(I, S, precision, limit - done, 0)
        if close_passed(I, S) == 0:
            break
    set_rates_aside(I, S, Hold.EXACT)
    masses(I, S)
    project_velocity(I, S, 1e-12)
    S.ready = 0.0
    S.factored = 0.0
    return done


@inlined
def put_together(I: Index, S: Scalars, limit: int) -> None:
    """The assembly of a step. A stop that the joints' own correction passes is closed too: it would be met at
    the start of the same step again and again, and no time would pass."""
    for _ in range(PASSES):
        correct_positions(I, S, S.tolerance, limit, 1)
        if close_passed(I, S) == 0:
            break


@compiled
def stormer_step(I: Index, S: Scalars, h: float, limit: int) -> None:
    """LD98's step: Δq += M⁻¹ f h², q += Δq, then assembly; Δq is kept as v = Δq/h, which scales with the next
    step by itself."""
    NV = I.nv
    q = at(S, I.q)
    v = at(S, I.v)
    total = vels(I, S, Vel.TOTAL)
    kick = vels(I, S, Vel.WORK)
    Q = at(S, I.force)
    gyro = at(S, I.gyro)
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)
    compose(I, S)
    note_start(I, S, forces(I, S), kinetic(I, S))
    before = S.start_energy + max(0.0, h * S.start_power)
    run_objects(I, S, GYRO)
    for i in range(NV):
        total[i] = Q[i] + gyro[i]
    times_W(I, S, total, kick)
    share = h if S.started != 0.0 else 0.5 * h  # Δq(0) = q̇ h + ½ q̈ h²
    S.started = 1.0
    for i in range(NV):
        kick[i] = h * (v[i] + share * kick[i])
    copy(q, at(S, I.q0), I.nq)
    retract(I, S, kick)
    S.time += h
    set_rates_aside(I, S, Hold.OPEN)
    open_stops(I, S)
    lift(I, S)
    blocks(I, S, VALUE)
    close_passed(I, S)
    # the last solution, where conjugate gradients begin: it is part of the saved state
    kept = at(S, I.cg + 6 * I.nr)
    if S.cg_warm != 0.0:
        recall_multipliers(I, S, kept, 1.0)
    put_together(I, S, limit)
    if S.cg_warm != 0.0:
        keep_multipliers(I, S, kept)
    set_rates_aside(I, S, Hold.EXACT)
    velocities_from(I, S, h)
    if I.rates != 0:
        project_velocity(I, S, SHARP)  # constraints on velocities are held by the next displacement
    blocks(I, S, MOTION)
    compose(I, S)
    S.energy = forces(I, S)
    S.kinetic = kinetic(I, S)
    gain_nothing(I, S, before)
    S.ready = 0.0
