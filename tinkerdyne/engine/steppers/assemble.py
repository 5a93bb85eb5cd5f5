"""Assembly: LD98's iterative correction of positions from scattered parts, and Störmer stepping with it (A2,
A3).

    δ = −W Jᵀ (J W Jᵀ)⁻¹ c at the present position, rotations cut off at 0.8 rad, again until |c| is within
    the precision.
With W = M⁻¹ parts move in inverse proportion to their masses; with W = 1 the correction is the pseudo-inverse
of kinematics.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import Pointer, at, compiled, entry
from tinkerdyne.engine.evaluate import (
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
    C_DIM,
    C_KIND,
    C_MEM,
    C_REC,
    C_ROW,
    CON,
    DIAGONAL,
    EXACT,
    FIXED,
    H_CON,
    H_NC,
    H_NO,
    H_NQ,
    H_NR,
    H_NV,
    H_OBJ,
    H_RATES,
    H_S_CG,
    H_S_FORCE,
    H_S_GYRO,
    H_S_POS,
    H_S_Q,
    H_S_Q0,
    H_S_V,
    O_DG,
    O_FLAGS,
    O_NV,
    O_V,
    O_W,
    OBJ,
    OPEN,
    PLANAR,
    R_DELTA,
    R_REF,
    R_REF1,
    R_REF2,
    R_RES,
    RATE,
    RIGID,
    S_CG_WARM,
    S_COUNT_NEWTON,
    S_ENERGY,
    S_FACTORED,
    S_GAP,
    S_KINETIC,
    S_READY,
    S_STARTED,
    S_TIME,
    S_TOLERANCE,
    STOP,
    V_TOTAL,
    V_WORK,
)  # fmt: skip
from tinkerdyne.engine.steppers.motion import copy, gap, gather, reference, rows, vels
from tinkerdyne.engine.steppers.project import project_velocity, retract, velocities_from
from tinkerdyne.engine.steppers.rattle import keep_multipliers, recall_multipliers
from tinkerdyne.engine.yielding import count_yielding

TRUNCATED = 0.8  # rad (LD98): beyond, the linear displacement is too poor
# relative ε of the matrix: at first, when the sum of squares rises, and at most
SHARP, SOFT, SOFTEST = 1e-12, 1e-3, 1e3
# corrections in a row that may miss the least sum of squares met, before each begins there, and at most
HASTE, PATIENCE = 4, 24


@compiled
def unit_weights(I: Pointer, S: Pointer) -> None:
    """W = 1 for everything that is not fixed, so that masses do not count."""
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        if T[O_FLAGS] & FIXED != 0:
            continue
        n = T[O_NV]
        for i in range(n * n):
            S[T[O_W] + i] = 0.0
        for i in range(n):
            S[T[O_W] + i * n + i] = 1.0
            S[T[O_DG] + i] = 1.0
        T[O_FLAGS] |= DIAGONAL


@compiled
def truncate(I: Pointer, S: Pointer, delta: Pointer) -> None:
    """Cut every body's rotation off at 0.8 rad; where one was cut, its translation belongs to the shorter
    turn too."""
    base = I[H_S_V]
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        if T[O_FLAGS] & (RIGID | PLANAR) == 0:
            continue
        d = at(delta, T[O_V] - base)
        first = 3 if T[O_FLAGS] & RIGID != 0 else 2
        turn = 0.0
        for i in range(first, T[O_NV]):
            turn += d[i] * d[i]
        turn = math.sqrt(turn)
        if turn > TRUNCATED:
            for i in range(first, T[O_NV]):
                d[i] *= TRUNCATED / turn


@compiled
def set_rates_aside(I: Pointer, S: Pointer, flag: float) -> None:
    """Constraints on velocities say nothing about places: out of the equation while parts are put
    together."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] >= RATE:
            S[C[C_MEM] + 3 * C[C_DIM] + 1] = flag
    count_yielding(I, S)


@compiled
def squares(I: Pointer, S: Pointer, c: Pointer) -> float:
    """c − r of all rows into c, open stops and the like as zero; returns the sum of their squares."""
    r = rows(I, S, R_REF)
    reference(I, S, S[S_TIME], r, rows(I, S, R_REF1), rows(I, S, R_REF2))
    gather(I, S, 0, c)
    total = 0.0
    for k in range(I[H_NC]):
        C = at(I, I[H_CON] + k * CON)
        flag = S[C[C_MEM] + 3 * C[C_DIM] + 1]
        for i in range(C[C_ROW], C[C_ROW] + C[C_DIM]):
            c[i] = 0.0 if flag == OPEN else c[i] - r[i]
            total += c[i] * c[i]
    return total if total == total else math.inf


@compiled
def correct_positions(I: Pointer, S: Pointer, precision: float, limit: int, with_masses: int) -> int:
    """LD98's `correction`: returns the iterations done; the gap that is left is in S_GAP.

    Where the sum of squares rises the matrix is softened (Levenberg–Marquardt), so that no cycle is entered;
    the best pose is kept.
    """
    NQ = I[H_NQ]
    q = at(S, I[H_S_Q])
    best = at(S, I[H_S_POS] + NQ)
    c = rows(I, S, R_RES)
    lam = rows(I, S, R_DELTA)
    delta = vels(I, S, V_WORK)
    epsilon = SHARP
    least = math.inf
    before = math.inf
    waited = 0
    done = 0
    lift(I, S)
    blocks(I, S, VALUE)
    for k in range(limit + 1):
        total = squares(I, S, c)
        S[S_GAP] = gap(I, S)
        if total < least:
            least = total
            copy(q, best, NQ)
            waited = 0
        else:
            waited += 1
        if S[S_GAP] <= precision or k == limit or waited > PATIENCE:
            break
        if total < before:
            epsilon = max(SHARP, 0.03 * epsilon)
        else:
            epsilon = min(SOFTEST, max(SOFT, 10.0 * epsilon))
            if waited > HASTE:  # no plain Newton any more: only what lowers the sum of squares counts
                copy(best, q, NQ)
                lift(I, S)
                blocks(I, S, VALUE)
                total = squares(I, S, c)
        before = total
        blocks(I, S, MOTION)
        compose(I, S)
        masses(I, S)
        if with_masses == 0:
            unit_weights(I, S)
        assemble(I, S)
        factor(I, S, epsilon)
        solve(I, S, c, lam)
        for i in range(I[H_NV]):
            delta[i] = 0.0
        add_WJt(I, S, lam, delta, -1.0)
        truncate(I, S, delta)
        retract(I, S, delta)
        lift(I, S)
        blocks(I, S, VALUE)
        done += 1
        S[S_COUNT_NEWTON] += 1.0
    if waited > 0:
        copy(best, q, NQ)
        lift(I, S)
        blocks(I, S, VALUE)
        S[S_GAP] = gap(I, S)
    return done


@compiled
def close_passed(I: Pointer, S: Pointer) -> int:
    """Close every stop that the records show to be passed; returns how many."""
    n = 0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP and S[C[C_MEM] + 4] == OPEN and S[C[C_REC]] < -S[S_TOLERANCE]:
            S[C[C_MEM] + 4] = EXACT
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n


@compiled
def open_stops(I: Pointer, S: Pointer) -> None:
    """Open every stop that is not on its way out: a displacement step asks anew which of them are passed."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        is_coming = S[C[C_MEM] + 4] == EXACT and S[C[C_MEM] + 1] < 0.0 and S[C[C_REC]] < -S[S_TOLERANCE]
        if C[C_KIND] == STOP and not is_coming:
            for i in range(3):
                S[C[C_MEM] + i] = 0.0
            S[C[C_MEM] + 4] = OPEN
    count_yielding(I, S)


@entry("IFdii")
def assemble_parts(I: Pointer, S: Pointer, precision: float, limit: int, with_masses: int) -> int:
    """Put everything together at the present time; returns the iterations done.

    Velocities are made to agree afterwards."""
    masses(I, S)
    set_rates_aside(I, S, OPEN)
    done = 0
    for _attempt in range(8):
        done += correct_positions(I, S, precision, limit - done, with_masses)
        if S[S_GAP] > precision and with_masses != 0:
            # Light parts that turn too eagerly can be stuck at a compromise that equal weights leave.
            done += correct_positions(I, S, precision, limit - done, 0)
        if close_passed(I, S) == 0:
            break
    set_rates_aside(I, S, EXACT)
    masses(I, S)
    project_velocity(I, S, 1e-12)
    S[S_READY] = 0.0
    S[S_FACTORED] = 0.0
    return done


@compiled
def stormer_step(I: Pointer, S: Pointer, h: float, limit: int) -> None:
    """LD98's step: Δq += M⁻¹ f h², q += Δq, then assembly; Δq is kept as v = Δq/h, which scales with the next
    step by itself."""
    NV = I[H_NV]
    q = at(S, I[H_S_Q])
    v = at(S, I[H_S_V])
    total = vels(I, S, V_TOTAL)
    kick = vels(I, S, V_WORK)
    Q = at(S, I[H_S_FORCE])
    gyro = at(S, I[H_S_GYRO])
    masses(I, S)
    lift(I, S)
    blocks(I, S, MOTION)
    compose(I, S)
    forces(I, S)
    run_objects(I, S, 5)
    for i in range(NV):
        total[i] = Q[i] + gyro[i]
    times_W(I, S, total, kick)
    share = h if S[S_STARTED] != 0.0 else 0.5 * h  # Δq(0) = q̇ h + ½ q̈ h²
    S[S_STARTED] = 1.0
    for i in range(NV):
        kick[i] = h * (v[i] + share * kick[i])
    copy(q, at(S, I[H_S_Q0]), I[H_NQ])
    retract(I, S, kick)
    S[S_TIME] += h
    set_rates_aside(I, S, OPEN)
    open_stops(I, S)
    lift(I, S)
    blocks(I, S, VALUE)
    close_passed(I, S)
    # the last solution, where conjugate gradients begin: it is part of the saved state
    kept = at(S, I[H_S_CG] + 6 * I[H_NR])
    if S[S_CG_WARM] != 0.0:
        recall_multipliers(I, S, kept, 1.0)
    correct_positions(I, S, S[S_TOLERANCE], limit, 1)
    if S[S_CG_WARM] != 0.0:
        keep_multipliers(I, S, kept)
    set_rates_aside(I, S, EXACT)
    velocities_from(I, S, h)
    if I[H_RATES] != 0:
        project_velocity(I, S, SHARP)  # constraints on velocities are held by the next displacement
    blocks(I, S, MOTION)
    compose(I, S)
    S[S_ENERGY] = forces(I, S)
    S[S_KINETIC] = kinetic(I, S)
    S[S_READY] = 0.0
