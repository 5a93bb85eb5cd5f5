"""How accurate steps are: the energy balance, the path and its error, and how far things turn and swing in a
step. Every fixed step is entered into the accounts, which stand in the Scalars.

Energy.  E₁ − E₀ − W of each step is summed up, W the work of forces without potential and of moving
constraints. Where the power of a force or a motor changes within a step, the work is known to ½ h |P₁ − P₀|,
which is summed up too.

Path.  Two steps that follow each other change velocities by Δv and Δv'. Half of the difference, in the norm
of the kinetic energy, is the jolt  j = ½ |Δv' − Δv| = ½ h² |v̈|.  Of a swing or a turn with the rate ω it is
½ (hω)² |v|, so that hω = √(2 j/|v|) is known without knowing what swings. The error of a step's way h|v| is
that of a method's rate at this ω (two of sixteen steps are looked at):
    of order two (RATTLE, energy–momentum)   j/4:    (hω)²/24 of a swing is ⅓ of it, (hω)²/6 of a turn 4/3
    of order four (Runge–Kutta)              (hω)⁴/100 |v|
    of order two, implicit                   its own, by the tangent matrix (steppers.implicit)
    of order one (Störmer)                   |Δv|:   hω, which its losses add up to
A body in space that spins evenly has no jolt, and its turn may be wrong all the same: `turned_wrong`.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import VALUE, blocks, kinetic, lift, power
from tinkerdyne.engine.kkt import solve
from tinkerdyne.engine.product import add_WJt, times_J, times_W
from tinkerdyne.engine.records import Flag, Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.methods import (
    ENERGY_MOMENTUM,
    FIRST_ORDER,
    IMPLICIT,
    RATTLE,
    RUNGE_KUTTA,
    STORMER,
)
from tinkerdyne.engine.steppers.motion import residuals, rows, vels
from tinkerdyne.engine.steppers.rattle import OBSERVED, is_driven, observe, prepare
from tinkerdyne.engine.steppers.shaking import (
    is_uneven,
    is_watched,
    note_stretch,
    note_unsteady,
    watch_forces,
)
from tinkerdyne.engine.yielding import clear_rows

# of the energy: four times what order four loses of a swing by 1 rad a step, and its sixth power. Of fast
# ones it loses more, and the jolts of what slows down show less
FADES = 1 / 18
OPEN = 100.0  # tolerances: a gap above this is open
EVERY = 16.0  # steps: two of them are looked at
# times the energy in taut constraints: what they take and give back within a step is not promised
STRETCHES = 150.0
# rad a step: with less, an implicit step is better than the measure, which is that of explicit ones
COARSE = 0.8
AFTER = -0.5  # hits, in the step after one
SHIVER = 5000.0  # times that energy: motion with less is mostly theirs
SLIGHT = 1e-3  # of the turnover, or of the speed: an error that is looked into
FASTEST = 1e-2  # of the largest kinetic energy: with less, a swing a step says nothing
TWO, FOUR, ONE = 0.25, 0.04, 1.0  # of the error, in jolts, jolts²/|v| and changes of velocity


@inlined
def open_account(I: Index, S: Scalars, method: int) -> None:
    """Before a step: energy and power. The explicit methods note them in their step."""
    # Störmer's velocities are displacements: what a hit takes away in the middle of a step is missing in the
    # next one.
    S.hits = AFTER if method == STORMER and S.hits > 0.0 else 0.0
    S.touched = 0.0
    S.start_careful = S.count_em + S.count_lm + S.count_taut
    S.start_springs = S.springs
    S.start_stretch = S.stretch
    S.stretch = 0.0
    S.is_noted = 0.0
    S.instead = 0.0
    if method == RATTLE or method == ENERGY_MOMENTUM:
        observe(I, S)
        S.start_energy = S.energy + S.kinetic
        S.start_power = S.power


@compiled
def note_start(I: Index, S: Scalars, energy: float, moving: float) -> None:
    """The same within a step, or within the first of its parts, where both energies are at hand."""
    if S.is_noted == 0.0:
        S.start_energy = energy + moving
        S.start_power = power(I, S)
        S.is_noted = 1.0


@compiled
def close_account(I: Index, S: Scalars, method: int, h: float, t: float) -> None:
    """After a step from t: what it did to the energy, and how its path may be off."""
    note_gap(I, S)
    if method == FIRST_ORDER:
        return
    if S.kept_time > t:  # it was cut at a hit or a jump
        S.hits += 1.0
    if method == RATTLE or method == ENERGY_MOMENTUM:
        observe(I, S)
    else:
        S.kinetic = kinetic(I, S)
        S.power = power(I, S)
    S.turnover = max(S.turnover, S.kinetic)
    S.moved = max(S.moved, S.kinetic)
    # Contradictions take energy away until they yield, and then hold some themselves.
    if (
        method != IMPLICIT
        and I.unbalanced == 0
        and S.springs == 0.0
        and S.stuck == 0.0
        and S.start_springs == 0.0
    ):
        enter_energy(I, S, method, h)
    S.phase = next_phase(S, method)
    # Taut constraints shiver by their tolerance, faster than steps can tell: that is no error of the path.
    if (S.phase == 1.0 or S.phase == 2.0) and S.kinetic >= SHIVER * S.stretch:
        known = S.path_error
        enter_path(I, S, method, h)
        if S.stretch > 0.0 and S.swing < COARSE:
            S.path_error = known
    note_stretch(S)
    note_unsteady(I, S, method)
    if S.suspect > 0.0:
        watch_forces(I, S, method, h)
    S.last_step = h


@inlined
def next_phase(S: Scalars, method: int) -> float:
    """Where a step stands among those that are looked at: 1 and 2 are the first and the second of two. Of
    Runge–Kutta's, which cost four evaluations each, all are: a chain that snaps does so in one or two."""
    if method == RUNGE_KUTTA:
        return min(S.phase + 1.0, 2.0)
    return S.phase + 1.0 if S.phase < EVERY - 1.0 else 0.0


@compiled
def note_gap(I: Index, S: Scalars) -> None:
    """The widest gap. One that counts is measured where the step has ended, since explicit methods know it
    before their projection only; what yields counts too, which the steps leave out."""
    if S.springs > 0.0 or S.gap > OPEN * S.tolerance:
        lift(I, S)
        blocks(I, S, VALUE)
        c = residuals(I, S)
        wide = 0.0
        row = 0
        for i in range(I.nr):
            if math.fabs(c[i]) > wide:
                wide = math.fabs(c[i])
                row = i
        if wide > S.opened:
            S.opened = wide
            S.opened_row = float(row)
        S.gap = min(S.gap, wide)
    S.most_gap = max(S.most_gap, S.gap)


@compiled
def count_free_motion(I: Index, S: Scalars, h: float) -> None:
    """At rest there is no motion to measure energy by; what the forces would do to free parts in a step is
    the least that counts."""
    Q = at(S, I.force)
    kick = vels(I, S, Vel.WORK)
    times_W(I, S, Q, kick)
    free = 0.0
    for i in range(I.nv):
        free += 0.5 * h * h * kick[i] * Q[i]
    S.turnover = max(S.turnover, free)


@inlined
def enter_energy(I: Index, S: Scalars, method: int, h: float) -> None:
    """The balance of one step. A step that hits a stop may lose, not gain. Only RATTLE knows the work of
    moving constraints."""
    work = S.nonconserved
    is_unknown = I.stops != 0 and S.touched == 0.0
    if method != RATTLE or is_unknown or S.count_em + S.count_lm + S.count_taut != S.start_careful:
        work = 0.5 * h * (S.start_power + S.power)
        S.driven = 2.0 * float(is_driven(I, S))
    if S.driven > 1.0 or (S.hits > 0.0 and (S.power != 0.0 or S.start_power != 0.0)):
        return  # powers at both ends do not tell the work of a step that a hit divides
    error = S.energy + S.kinetic + S.stretch - S.start_energy - S.start_stretch - work
    S.turnover = max(S.turnover, STRETCHES * S.stretch)
    if S.hits != 0.0:
        error = max(0.0, error)
    S.balance += error
    S.slack += 0.5 * h * math.fabs(S.power - S.start_power)
    if S.driven > 0.0:
        S.slack += S.loose
    off = math.fabs(S.balance)
    if off - S.slack > S.imbalance:
        S.imbalance = off - S.slack
        if S.imbalance > SLIGHT * S.turnover:
            count_free_motion(I, S, h)


@inlined
def enter_path(I: Index, S: Scalars, method: int, h: float) -> None:
    """Way and error of one step, and the largest turn and swing. Of two steps that are not as long as each
    other, the first counts as if it were as long as the second.

    RATTLE's own drift turns a free body in space without error: there only its places count."""
    v = at(S, I.v)
    v0 = vels(I, S, Vel.SAVE)
    before = vels(I, S, Vel.BEFORE)
    rough = vels(I, S, Vel.ROUGH)
    base = I.v
    changes = 0.0
    motion = 0.0
    spin = 0.0
    turned = 0.0
    uneven = 0
    longer = h / S.last_step if S.last_step > 0.0 else 1.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        first = T.v - base
        is_rigid = T.flags & Flag.RIGID
        counted = 3 if is_rigid != 0 and method == RATTLE else n
        M = at(S, T.diagonals + n)
        roughly = 0.0
        own = 0.0
        for i in range(n):
            k = first + i
            change = v[k] - v0[k]
            rough[k] = change - longer * before[k] if i < counted else 0.0
            before[k] = change
            if i < counted:
                changes += M[i] * change * change
                own += M[i] * v[k] * v[k]
                roughly += M[i] * rough[k] * rough[k]
        motion += own
        uneven += is_uneven(S, roughly, own)
        if T.flags & (Flag.RIGID | Flag.PLANAR) != 0:
            for i in range(3 if is_rigid != 0 else 2, n):
                spin = max(spin, math.fabs(v[first + i]))
        if is_rigid != 0 and S.instead == 0.0:
            turned += turned_wrong(method, h, at(M, 3), at(v, first + 3))
    S.turn = max(S.turn, h * spin)
    if S.hits > 0.0:  # an impulse is no path
        S.phase = 0.0
    if S.phase == 2.0:  # the second of two steps
        look(I, S, method, h, math.sqrt(changes), math.sqrt(motion))
        S.path_error += h * math.sqrt(turned)
        if S.suspect == 0.0 and uneven > 0 and is_watched(I, S, method) != 0:
            S.suspect = 1.0


@inlined
def turned_wrong(method: int, h: float, M: Floats, spin: Floats) -> float:
    """Twice the energy of the spin by which a body in space turns otherwise than it should, which no change
    of velocity tells: Cayley's map turns by 2 atan(x/2) instead of x, and Runge–Kutta in quaternions misses
    x⁴/8000."""
    if method == RATTLE or method == IMPLICIT:
        return 0.0
    x = h * h * (spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2])
    share = min(1.0, x * x / 8000.0 if method == RUNGE_KUTTA else x / 12.0)
    return share * share * (M[0] * spin[0] * spin[0] + M[1] * spin[1] * spin[1] + M[2] * spin[2] * spin[2])


@inlined
def look(I: Index, S: Scalars, method: int, h: float, change: float, speed: float) -> None:
    """The error of the way that a step went, from its change of velocity, its speed and its jolt. The
    implicit method has one of its own, which knows what is stiff."""
    if method == IMPLICIT:
        return
    jolt = jolt_of(I, S)
    if S.driven != 0.0 and I.nr > 0 and jolt > SLIGHT * speed:
        if S.ready == OBSERVED:
            prepare(I, S)
        allow(I, S, vels(I, S, Vel.ROUGH))
        jolt = jolt_of(I, S)
    error = TWO * jolt
    if method == RUNGE_KUTTA:
        error = FOUR * jolt * jolt / max(speed, jolt) if jolt > 0.0 else 0.0
        if S.driven > 1.0 and speed > 0.0:
            square = min(2.0 * jolt / speed, 2.0)
            S.imbalance += FADES * square * square * square * S.kinetic
    elif method == STORMER:
        error = ONE * change
    S.looks += 1.0
    S.path += h * speed
    S.path_error += h * error
    if S.kinetic > FASTEST * S.turnover and speed > 0.0:
        S.swing = max(S.swing, math.sqrt(2.0 * jolt / speed))


@compiled
def jolt_of(I: Index, S: Scalars) -> float:
    """½ |Δv' − Δv| in the norm of the kinetic energy."""
    rough = vels(I, S, Vel.ROUGH)
    total = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        M = at(S, T.diagonals + T.nv)
        x = at(rough, T.v - I.v)
        for i in range(T.nv):
            total += M[i] * x[i] * x[i]
    return 0.5 * math.sqrt(total)


@compiled
def allow(I: Index, S: Scalars, x: Floats) -> None:
    """Leave of a velocity what the constraints allow: a motor leads without error along its way."""
    rate = rows(I, S, Row.RES)
    lam = rows(I, S, Row.DELTA)
    times_J(I, S, x, rate)
    if S.yielding > 0.0:
        clear_rows(I, S, rate)
    solve(I, S, rate, lam)
    add_WJt(I, S, lam, x, -1.0)
