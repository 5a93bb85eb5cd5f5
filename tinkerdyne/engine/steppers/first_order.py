"""First-order worlds, f = m v: motion ends with the force (E10, ID90 §2.5).

    v = W (Q + Jᵀλ),   J W Jᵀ λ = −(J W Q + c_t) + ṙ,   r(s) = c₀ e^(−s/τ)
stepped linearly implicitly, W = (M + D + h K)⁻¹ with each object's own damping D and a diagonal bound K of
the stiffness, then projected. K is at least the stiffness itself (see `stiffness`), so that no wave grows or
swings however long the step; for a pair of springs its factor is 1/(1 + 2z).
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled, entry
from tinkerdyne.engine.evaluate import MOTION, VALUE, blocks, compose, forces, lift, masses, power
from tinkerdyne.engine.kkt import assemble, factor, refined_solve, solve
from tinkerdyne.engine.product import add_WJt, times_J, times_W
from tinkerdyne.engine.records import (
    FB,
    H_FB,
    H_MOVES,
    H_NC,
    H_NFB,
    H_NQ,
    H_NR,
    H_NV,
    H_S_FORCE,
    H_S_POS,
    H_S_Q,
    H_S_Q0,
    H_S_V,
    H_STOPS,
    R_LAM,
    R_LAMBDA,
    R_REF,
    R_REF1,
    R_REF2,
    R_RES,
    R_RHS,
    R_WORK,
    S_BACKOFF,
    S_CALM,
    S_ENERGY,
    S_FACTORED,
    S_GAP,
    S_KINETIC,
    S_PARTS,
    S_READY,
    S_TIME,
    S_TOLERANCE,
    S_WAIT,
    S_YIELDING,
    V_SAVE,
    V_TOTAL,
    V_WORK,
)  # fmt: skip
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
MOST_WAIT = 16.0  # steps with the softer matrix before the sharp one is tried again


@compiled
def flow(I: Pointer, S: Pointer, h: float, epsilon: float) -> None:
    """v = W (Q + Jᵀλ) at the present state, into V_TOTAL, and λ into R_LAM; the world's v is set to zero."""
    v = at(S, I[H_S_V])
    for i in range(I[H_NV]):
        v[i] = 0.0
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)  # with v = 0, ċ is c_t
    compose(I, S)
    S[S_ENERGY] = forces(I, S)
    soften(I, S, h)
    times_W(I, S, at(S, I[H_S_FORCE]), vels(I, S, V_TOTAL))
    if I[H_NR] > 0:
        hold(I, S, h, epsilon)


@compiled
def hold(I: Pointer, S: Pointer, h: float, epsilon: float) -> None:
    """V_TOTAL += W Jᵀλ, such that ċ = ṙ; rows that are not met shall be at the end of the step: ċ = ṙ − (c −
    r)/h."""
    NR = I[H_NR]
    speed = vels(I, S, V_TOTAL)
    rhs = rows(I, S, R_RHS)
    lam = rows(I, S, R_LAM)
    c_t = rows(I, S, R_RES)
    off = residuals(I, S)
    r1 = rows(I, S, R_REF1)
    reference(I, S, S[S_TIME] + h, rows(I, S, R_REF), r1, rows(I, S, R_REF2))
    times_J(I, S, speed, rhs)
    gather(I, S, 1, c_t)
    for i in range(NR):
        rhs[i] = r1[i] - rhs[i] - c_t[i]
        if h > 0.0 and math.fabs(off[i]) > LOOSE * S[S_TOLERANCE]:
            rhs[i] -= off[i] / h
    if S[S_YIELDING] > 0.0:
        clear_rows(I, S, rhs)  # stops that are open push nothing
    assemble(I, S)
    factor(I, S, epsilon)
    if epsilon <= SHARP:
        refined_solve(I, S, rhs, lam, rows(I, S, R_WORK), c_t, vels(I, S, V_WORK), 2)
    else:
        solve(I, S, rhs, lam)
    add_WJt(I, S, lam, speed, 1.0)
    S[S_FACTORED] = 0.0  # of another W than that of the masses


@compiled
def glide(I: Pointer, S: Pointer, h: float, epsilon: float) -> None:
    """One linearly implicit step and its projection, no further than the step was long; v keeps its velocity,
    for reading."""
    NV = I[H_NV]
    v = at(S, I[H_S_V])
    flow(I, S, h, epsilon)
    speed = vels(I, S, V_TOTAL)
    for i in range(NV):
        speed[i] *= h
        if epsilon > SHARP:
            speed[i] *= 1.0 + UNEVEN * math.cos(1.0 + i)
    S[S_TIME] += h
    retract(I, S, speed)
    if I[H_NR] > 0:
        reach = largest(speed, NV) + SLACK * (1.0 + largest(at(S, I[H_S_Q]), I[H_NQ]))
        S[S_GAP] = project_position(I, S, S[S_TOLERANCE], 20, reach)
    for i in range(NV):
        v[i] = speed[i] / h
    S[S_READY] = 0.0


@compiled
def is_driven(I: Pointer, S: Pointer) -> int:
    """Whether forces without potential are at work, as last evaluated."""
    for b in range(I[H_NFB]):
        row = at(I, I[H_FB] + b * FB)
        for i in range(row[0]):
            if S[I[row[1] + i * row[5] + 1] + 1] != 0.0:
                return 1
    return 0


@compiled
def uphill(I: Pointer, S: Pointer, h: float, before: float) -> int:
    """Whether the potential energy rose in a step from Q0 by more than the forces without potential, such as
    a hand, put in.

    2 where it stopped being a number; 3 where such forces are at work, whose part in it is only a guess.
    """
    NQ = I[H_NQ]
    q = at(S, I[H_S_Q])
    here = at(S, I[H_S_POS])
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
    copy(at(S, I[H_S_Q0]), q, NQ)
    lift(I, S)
    blocks(I, S, MOTION)
    forces(I, S)
    work = max(work, 2.0 * h * power(I, S))  # a hand that lets go on the way pulled more at the start
    copy(here, q, NQ)
    lift(I, S)
    return 3 if after > least + work else 0


@compiled
def first_order_step(I: Pointer, S: Pointer, h: float) -> None:
    """One step of length h, in as many parts as it takes to meet the constraints and for the potential energy
    to fall.

    With constraints at rest the motion goes downhill. A step that does not has met the constraints' own
    stiffness, tension over length, which the softened matrix does not know; it is done again in twice as many
    parts. Calm steps take parts away again. Where the constraints are singular or contradict each other no
    part is short enough: there a softer matrix takes a small step towards a compromise, for a while. Where
    the energy rises even so, the step ends early.
    """
    NQ = I[H_NQ]
    q = at(S, I[H_S_Q])
    kept = at(S, I[H_S_Q0])
    t = S[S_TIME]
    loose = LOOSE * S[S_TOLERANCE]
    parts = max(1, int(S[S_PARTS]))
    first = parts
    copy(q, kept, NQ)
    lift(I, S)
    blocks(I, S, VALUE)
    unmet = gap(I, S) > loose
    rises = 0
    while S[S_WAIT] == 0.0:
        for k in range(parts):
            glide(I, S, h / parts, SHARP)
            if k == 0:
                before = S[S_ENERGY]
        is_open = I[H_NR] > 0 and not (S[S_GAP] <= loose)
        rises = 0
        if not is_open and not unmet and I[H_MOVES] == 0 and largest(rows(I, S, R_REF1), I[H_NR]) <= 1e-9:
            rises = uphill(I, S, h, before)
        if not is_open and rises == 0:
            S[S_CALM] += 1.0
            S[S_BACKOFF] = 0.0
            break
        S[S_CALM] = 0.0
        if rises == 3 and parts >= MOST_DRIVEN:
            break
        copy(kept, q, NQ)
        S[S_TIME] = t
        if parts >= MOST_PARTS:
            if is_open:
                S[S_BACKOFF] = min(max(2.0 * S[S_BACKOFF], 1.0), MOST_WAIT)
                S[S_WAIT] = S[S_BACKOFF] + 1.0
                parts = first
            break
        parts *= 2
    if S[S_WAIT] > 0.0:
        S[S_WAIT] -= 1.0
        glide(I, S, h, SOFT)
    elif rises == 2:
        S[S_GAP] = math.inf
        return
    elif rises == 1:
        cut = h / parts
        while rises != 0 and cut > h * SHORTEST:
            copy(kept, q, NQ)
            S[S_TIME] = t + h - cut
            glide(I, S, cut, SHARP)
            rises = uphill(I, S, cut, before)
            cut *= 0.25
        if rises != 0:
            copy(kept, q, NQ)
            lift(I, S)
        S[S_TIME] = t + h
    if S[S_CALM] >= CALM and parts > 1:
        parts = parts // 2
        S[S_CALM] = 0.0
    S[S_PARTS] = float(parts)
    if I[H_STOPS] != 0:
        keep_stops(I, S)


@compiled
def keep_stops(I: Pointer, S: Pointer) -> None:
    """Stops that a step from Q0 passed are closed, and what passed them is put back; if it cannot be, the
    step is taken back."""
    NQ = I[H_NQ]
    q = at(S, I[H_S_Q])
    kept = at(S, I[H_S_Q0])
    far = 0.0
    for i in range(NQ):
        far = max(far, math.fabs(q[i] - kept[i]))
    stop_after(I, S, 2.0 * far)
    blocks(I, S, VALUE)
    if deepest_stop(I, S) > LOOSE * S[S_TOLERANCE]:
        here = at(S, I[H_S_POS])
        deep = deepest_stop(I, S)
        copy(q, here, NQ)
        copy(kept, q, NQ)
        lift(I, S)
        blocks(I, S, VALUE)
        if not (deepest_stop(I, S) < deep):
            copy(here, q, NQ)
            lift(I, S)
            blocks(I, S, VALUE)
    S[S_GAP] = gap(I, S)
    blocks(I, S, MOTION)
    note_speeds(I, S)


@compiled
def one_sided_flow(I: Pointer, S: Pointer) -> None:
    """The flow at the present state, in which no stop pulls; which ones are closed stays as it was."""
    states = rows(I, S, R_LAMBDA)
    rates = rows(I, S, R_WORK)
    c_t = rows(I, S, R_RES)
    keep_states(I, S, states)
    for k in range(MOST_EXCHANGES):
        flow(I, S, 0.0, SHARP)
        speed = vels(I, S, V_TOTAL)
        times_J(I, S, speed, rates)
        gather(I, S, 1, c_t)
        for i in range(I[H_NR]):
            rates[i] += c_t[i]
        if (
            complement(I, S, states, rates, 1e-12 * largest(speed, I[H_NV]), I[H_NC] if k < BLOCKS else 1)
            == 0
        ):
            break
    put_states(I, S, states)


@entry("IF")
def evaluate_flow(I: Pointer, S: Pointer) -> int:
    """λ of a first-order world at the present state, for reading results; v is left as it was."""
    v = at(S, I[H_S_V])
    kept = vels(I, S, V_SAVE)
    copy(v, kept, I[H_NV])
    if I[H_STOPS] != 0:
        one_sided_flow(I, S)
    else:
        flow(I, S, 0.0, SHARP)
    copy(kept, v, I[H_NV])
    blocks(I, S, MOTION)  # velocities of connectors are those of the last step
    S[S_KINETIC] = 0.0
    S[S_GAP] = gap(I, S)
    return 0
