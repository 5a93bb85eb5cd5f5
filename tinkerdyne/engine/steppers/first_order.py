"""First-order worlds, f = m v: motion ends with the force (E10, ID90 §2.5).

    v = W (Q + Jᵀλ),   J W Jᵀ λ = −(J W Q + c_t) + ṙ,   r(s) = c₀ e^(−s/τ)
stepped linearly implicitly, W = (M + D + h K)⁻¹ with each object's own damping D and a diagonal bound K of
the stiffness, then projected. K is at least the stiffness itself (see `stiffness`), so that no wave grows or
swings however long the step; for a pair of springs its factor is 1/(1 + 2z).
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import MOTION, VALUE, Energies, blocks, compose, forces, lift, masses, power
from tinkerdyne.engine.exact import exact_solve
from tinkerdyne.engine.kkt import assemble, factor, solve
from tinkerdyne.engine.product import add_WJt, times_J, times_W
from tinkerdyne.engine.records import BehaviorKernels, BlockOffsets, Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, gap, gather, largest, reference, residuals, rows, vels
from tinkerdyne.engine.steppers.project import project_position, retract
from tinkerdyne.engine.steppers.rattle import LOOSE
from tinkerdyne.engine.steppers.stiffness import soften
from tinkerdyne.engine.stops import complement, deepest_stop, keep_states, note_speeds, put_states, stop_after
from tinkerdyne.engine.yielding import clear_rows

# parts of a step at most, also where a hand pulls, and steps before there are fewer
MOST_PARTS, MOST_DRIVEN, CALM = 64, 16, 200.0
SHORTEST = 1e-9  # of a step: where the energy does not fall in so short a time, nothing moves
SHARP, SOFT = 1e-9, 1e-2  # ε of the matrix, and where constraints are singular or contradict each other
# of a step with the softer matrix: leads out of a symmetry in which constraints depend on each other
UNEVEN = 1e-6
SLACK = 1e-6  # of the state's size, which a projection may always move it
# exchanges of many stops at once, and in all: by single ones none comes round again
BLOCKS, MOST_EXCHANGES = 4, 60
STILL = 1e-9  # of the state's size: a step that moves nothing further has no error that counts
REST = 1e-3  # of the way so far: so short a step is the end of a motion
EVERY = 16.0  # steps: one of them is looked at
NQ_KEPT = 2  # position vector that a look keeps
MOST_WAIT = 16.0  # steps with the softer matrix before the sharp one is tried again


@inlined
def free_flow(I: Index, S: Scalars, h: float, out: Floats) -> None:
    """J, forces and W Q of the softened W at the present place; the world's v is set to zero."""
    v = at(S, I.v)
    for i in range(I.nv):
        v[i] = 0.0
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)  # with v = 0, ċ is c_t
    compose(I, S)
    S.energy = forces(I, S)
    soften(I, S, h)
    times_W(I, S, at(S, I.force), out)


@compiled
def flow(I: Index, S: Scalars, h: float, epsilon: float) -> None:
    """v = W (Q + Jᵀλ) at the present state, into Vel.TOTAL, and λ into Row.LAM."""
    free_flow(I, S, h, vels(I, S, Vel.TOTAL))
    if I.nr > 0:
        hold(I, S, h, epsilon)


@compiled
def hold(I: Index, S: Scalars, h: float, epsilon: float) -> None:
    """Vel.TOTAL += W Jᵀλ, such that ċ = ṙ; rows that are not met shall be at the end of the step: ċ = ṙ − (c
    − r)/h."""
    NR = I.nr
    speed = vels(I, S, Vel.TOTAL)
    rhs = rows(I, S, Row.RHS)
    lam = rows(I, S, Row.LAM)
    c_t = rows(I, S, Row.RES)
    off = residuals(I, S)
    r1 = rows(I, S, Row.REF1)
    reference(I, S, S.time + h, rows(I, S, Row.REF), r1, rows(I, S, Row.REF2))
    times_J(I, S, speed, rhs)
    gather(I, S, 1, c_t)
    for i in range(NR):
        rhs[i] = r1[i] - rhs[i] - c_t[i]
        if h > 0.0 and math.fabs(off[i]) > LOOSE * S.tolerance:
            rhs[i] -= off[i] / h
    if S.yielding > 0.0:
        clear_rows(I, S, rhs)  # stops that are open push nothing
    assemble(I, S)
    factor(I, S, epsilon)
    if epsilon <= SHARP:
        exact_solve(I, S, rhs, lam)
    else:
        solve(I, S, rhs, lam)
    add_WJt(I, S, lam, speed, 1.0)
    S.factored = 0.0  # of another W than that of the masses


@compiled
def glide(I: Index, S: Scalars, h: float, epsilon: float) -> None:
    """One linearly implicit step and its projection; v keeps its velocity, for reading."""
    flow(I, S, h, epsilon)
    way = vels(I, S, Vel.TOTAL)
    for i in range(I.nv):
        way[i] *= h
        if epsilon > SHARP:
            way[i] *= 1.0 + UNEVEN * math.cos(1.0 + i)
    go_along(I, S, way, h)


@inlined
def go_along(I: Index, S: Scalars, way: Floats, h: float) -> None:
    """A way of a step, and its projection, no further than it was long; v keeps the velocity of the way."""
    v = at(S, I.v)
    S.time += h
    retract(I, S, way)
    if I.nr > 0:
        reach = largest(way, I.nv) + SLACK * (1.0 + largest(at(S, I.q), I.nq))
        S.gap = project_position(I, S, S.tolerance, 20, reach)
    for i in range(I.nv):
        v[i] = way[i] / h
    S.ready = 0.0


@compiled
def is_driven(I: Index, S: Scalars) -> int:
    """Whether forces without potential are at work, as last evaluated."""
    for b in range(I.n_behavior_batches):
        row = BehaviorKernels.of(I, b)
        for i in range(row.n):
            offsets = BlockOffsets(at(I, row.offsets + i * row.stride))
            if Energies(at(S, offsets.record)).power != 0.0:
                return 1
    return 0


@compiled
def uphill(I: Index, S: Scalars, h: float, before: float) -> int:
    """Whether the potential energy rose in a step from Q0 by more than the forces without potential, such as
    a hand, put in.

    2 where it stopped being a number; 3 where such forces are at work, whose part in it is only a guess.
    """
    NQ = I.nq
    q = at(S, I.q)
    here = at(S, I.position_vectors)
    lift(I, S)
    blocks(I, S, MOTION)
    compose(I, S)
    after = forces(I, S)
    least = before + 1e-13 * (math.fabs(before) + math.fabs(after))
    work = 2.0 * h * max(0.0, power(I, S))  # generously
    if after <= least + work:
        return 0
    if after != after:
        return 2
    if is_driven(I, S) == 0:
        return 1
    copy(q, here, NQ)
    copy(at(S, I.q0), q, NQ)
    lift(I, S)
    blocks(I, S, MOTION)
    forces(I, S)
    work = max(work, 2.0 * h * power(I, S))  # a hand that lets go on the way pulled more at the start
    copy(here, q, NQ)
    lift(I, S)
    return 3 if after > least + work else 0


@inlined
def begin_glide(I: Index, S: Scalars) -> int:
    """Keep the state at the start; whether constraints are open there."""
    copy(at(S, I.q), at(S, I.q0), I.nq)
    lift(I, S)
    blocks(I, S, VALUE)
    return 1 if gap(I, S) > LOOSE * S.tolerance else 0


@inlined
def go_back(I: Index, S: Scalars, t: float) -> None:
    """The state at the start of the step again, at time t."""
    copy(at(S, I.q0), at(S, I.q), I.nq)
    S.time = t


@inlined
def end_early(I: Index, S: Scalars, h: float, cut: float, before: float, t: float) -> None:
    """Where the energy rises even so: the step ends early, as late as it does not rise."""
    rises = 1
    while rises != 0 and cut > h * SHORTEST:
        go_back(I, S, t + h - cut)
        glide(I, S, cut, SHARP)
        rises = uphill(I, S, cut, before)
        cut *= 0.25
    if rises != 0:
        copy(at(S, I.q0), at(S, I.q), I.nq)
        lift(I, S)
    S.time = t + h


@compiled
def look(I: Index, S: Scalars, h: float) -> None:
    """Way and error of a step of length h from here, which is then taken back: a step of order one is off by
    twice what it and its two halves differ by.

    What comes to rest is where it belongs, whatever way led there: then the account begins anew."""
    kept = at(S, I.position_vectors + NQ_KEPT * I.nq)
    v = at(S, I.v)
    whole = vels(I, S, Vel.BEFORE)
    rough = vels(I, S, Vel.EXTRA)
    t = S.time
    widest = S.gap
    copy(at(S, I.q), kept, I.nq)
    glide(I, S, h, SHARP)
    copy(v, whole, I.nv)
    copy(kept, at(S, I.q), I.nq)
    S.time = t
    glide(I, S, 0.5 * h, SHARP)
    for i in range(I.nv):
        rough[i] = 2.0 * whole[i] - v[i]
    glide(I, S, 0.5 * h, SHARP)
    for i in range(I.nv):
        rough[i] -= v[i]
    copy(kept, at(S, I.q), I.nq)
    S.time = t
    S.gap = widest
    far = h * largest(whole, I.nv)
    speed = norm_of(I, S, whole)
    error = norm_of(I, S, rough)
    if not (error < math.inf):
        return
    if far <= STILL * (1.0 + largest(kept, I.nq)) or (I.moves == 0 and h * speed < REST * S.path):
        S.looks = 0.0
        S.path = 0.0
        S.path_error = 0.0
        return
    copy(rough, vels(I, S, Vel.ROUGH), I.nv)
    S.looks += 1.0
    S.path += h * speed
    S.path_error += h * min(error, speed)


@compiled
def norm_of(I: Index, S: Scalars, x: Floats) -> float:
    """A velocity, in the norm of the masses."""
    total = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        M = at(S, T.diagonals + T.nv)
        for i in range(T.nv):
            k = T.v - I.v + i
            total += M[i] * x[k] * x[k]
    return math.sqrt(total)


@compiled
def first_order_step(I: Index, S: Scalars, h: float) -> None:
    """One step of length h, in as many parts as it takes to meet the constraints and for the potential energy
    to fall.

    With constraints at rest the motion goes downhill. A step that does not has met the constraints' own
    stiffness, tension over length, which the softened matrix does not know; it is done again in twice as many
    parts. Calm steps take parts away again. Where the constraints are singular or contradict each other no
    part is short enough: there a softer matrix takes a small step towards a compromise, for a while. Where
    the energy rises even so, the step ends early.
    """
    t = S.time
    loose = LOOSE * S.tolerance
    parts = max(1, int(S.parts))
    first = parts
    S.phase = S.phase + 1.0 if S.phase < EVERY - 1.0 else 0.0
    if S.phase == 1.0 and S.wait == 0.0:
        look(I, S, h / parts)
    unmet = begin_glide(I, S)
    rises = 0
    while S.wait == 0.0:
        for k in range(parts):
            glide(I, S, h / parts, SHARP)
            if k == 0:
                before = S.energy
        is_open = I.nr > 0 and not (S.gap <= loose)
        rises = 0
        if not is_open and unmet == 0 and I.moves == 0 and largest(rows(I, S, Row.REF1), I.nr) <= 1e-9:
            rises = uphill(I, S, h, before)
        if not is_open and rises == 0:
            S.calm += 1.0
            S.backoff = 0.0
            break
        S.calm = 0.0
        if rises == 3 and parts >= MOST_DRIVEN:
            break
        go_back(I, S, t)
        if parts >= MOST_PARTS:
            if is_open:
                S.backoff = min(max(2.0 * S.backoff, 1.0), MOST_WAIT)
                S.wait = S.backoff + 1.0
                parts = first
            break
        parts *= 2
    if S.wait > 0.0:
        S.wait -= 1.0
        glide(I, S, h, SOFT)
    elif rises == 2:
        S.gap = math.inf
        return
    elif rises == 1:
        end_early(I, S, h, h / parts, before, t)
    if S.calm >= CALM and parts > 1:
        parts = parts // 2
        S.calm = 0.0
    S.parts = float(parts)
    if I.stops != 0:
        keep_stops(I, S)


@compiled
def keep_stops(I: Index, S: Scalars) -> None:
    """Stops that a step from Q0 passed are closed, and what passed them is put back; if it cannot be, the
    step is taken back."""
    NQ = I.nq
    q = at(S, I.q)
    kept = at(S, I.q0)
    far = 0.0
    for i in range(NQ):
        far = max(far, math.fabs(q[i] - kept[i]))
    stop_after(I, S, 2.0 * far)
    blocks(I, S, VALUE)
    if deepest_stop(I, S) > LOOSE * S.tolerance:
        here = at(S, I.position_vectors)
        deep = deepest_stop(I, S)
        copy(q, here, NQ)
        copy(kept, q, NQ)
        lift(I, S)
        blocks(I, S, VALUE)
        if not (deepest_stop(I, S) < deep):
            copy(here, q, NQ)
            lift(I, S)
            blocks(I, S, VALUE)
    S.gap = gap(I, S)
    blocks(I, S, MOTION)
    note_speeds(I, S)


@compiled
def one_sided_flow(I: Index, S: Scalars) -> None:
    """The flow at the present state, in which no stop pulls; which ones are closed stays as it was."""
    states = rows(I, S, Row.LAMBDA)
    rates = rows(I, S, Row.WORK)
    c_t = rows(I, S, Row.RES)
    keep_states(I, S, states)
    for k in range(MOST_EXCHANGES):
        flow(I, S, 0.0, SHARP)
        speed = vels(I, S, Vel.TOTAL)
        times_J(I, S, speed, rates)
        gather(I, S, 1, c_t)
        for i in range(I.nr):
            rates[i] += c_t[i]
        if (
            complement(
                I, S, states, rates, 1e-12 * largest(speed, I.nv), I.n_constraints if k < BLOCKS else 1
            )
            == 0
        ):
            break
    put_states(I, S, states)


@entry("IF")
def evaluate_flow(I: Index, S: Scalars) -> int:
    """λ of a first-order world at the present state, for reading results; v is left as it was."""
    v = at(S, I.v)
    kept = vels(I, S, Vel.SAVE)
    copy(v, kept, I.nv)
    if I.stops != 0:
        one_sided_flow(I, S)
    else:
        flow(I, S, 0.0, SHARP)
    copy(kept, v, I.nv)
    blocks(I, S, MOTION)  # velocities of connectors are those of the last step
    S.kinetic = 0.0
    S.gap = gap(I, S)
    return 0
