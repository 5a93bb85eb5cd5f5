"""Forces that shake: light parts that carry heavy ones, too fast for the step.

A chain of light rods under a tension T swings across by √(T/mℓ), which steps cannot follow where that is more
than two in a step. Its energy is next to nothing and what hangs there goes its way, so neither balance nor
path tells of it. But forces are those of the present velocities, J̇ v, and they are wrong by any factor.

Two things raise the suspicion: the change of velocity of each part, measured by its own speed, in the steps
that are looked at for the path; and in every step of RATTLE the first correction of its impulses Λ, which
begin at those μ that ended the step before, at the same place. Then the accelerations
that the state has, which belong to its forces, are compared with those that the steps beside it show:
    M v̇₁  and  M (v₂ − v₀)/2h.
Of what swings by hω a step they differ by (hω)²/6; of what shakes, by as much as the forces themselves.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.product import add_Jt, times_M
from tinkerdyne.engine.records import Flag, Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.methods import IMPLICIT, RUNGE_KUTTA, STORMER
from tinkerdyne.engine.steppers.motion import accelerate_by, copy, rows, vels
from tinkerdyne.engine.steppers.rattle import EPSILON, prepare

UNEVEN = 0.1  # (hω)² of a part by itself, from which on forces are looked at: hω = 0.3, as for the path
# times the energy in taut constraints: with less motion, forces are those of an edge that is open by the
# tolerance, and shiver with it (taut chains and sheets have at most 4e5, light chains that shake 1e9)
TAUT = 1e7
UNSTEADY = 0.3  # of the impulses, that they change by where the same place ends a step and begins the next
EQUAL = 1e-3  # of a step, by which another one may be longer or shorter where forces are looked at
PAUSE = 8.0  # steps between two looks for that
NOISE = 1e-12  # of the turnover: motion with less is rounding


@inlined
def is_uneven(S: Scalars, changed: float, motion: float) -> int:
    """Whether a part's velocity changes too unevenly by its own speed; squares, times the mass."""
    return 1 if changed > UNEVEN * UNEVEN * motion and changed > NOISE * S.turnover else 0


@inlined
def is_watched(I: Index, S: Scalars, method: int) -> int:
    """Whether forces are watched: Störmer's method and the implicit one damp what they cannot follow, and
    Runge–Kutta's steps, which are better than the differences here, blow up where it would shake, and others
    are taken in their place. The first
    look comes too early: a taut edge at rest is found to be taut some steps later. What a motor leads turns
    as far in a step as it likes, without an error; there the differences here tell nothing. Nor do they where
    contacts come and go, of whose forces the state alone knows nothing."""
    is_other = method == STORMER or method == IMPLICIT or S.touched != 0.0
    return 0 if is_other or I.nr == 0 or S.springs != 0.0 or S.driven != 0.0 or S.looks < 2.0 else 1


@inlined
def note_stretch(S: Scalars) -> None:
    """Where constraints are taut, forces are promised no more: what was found of them is the same shiver."""
    S.stretched = max(S.stretched, S.stretch)
    if S.turnover < TAUT * S.stretched:
        S.suspect = 0.0
        S.shake = 0.0
        S.residual = 0.0


@inlined
def note_unsteady(I: Index, S: Scalars, method: int) -> None:
    """Look at forces where impulses changed at once: shaking comes in beats, and may be at rest whenever the
    path is looked at. Contacts that come and go change impulses too, and say so themselves."""
    S.pause = max(0.0, S.pause - 1.0)
    is_due = S.unsteady > UNSTEADY and S.pause == 0.0 and S.suspect == 0.0
    if is_due and is_watched(I, S, method) != 0:
        S.suspect = 1.0
        S.pause = PAUSE


@compiled
def watch_forces(I: Index, S: Scalars, method: int, h: float) -> None:
    """One of three looks, at the ends of steps that follow each other: v₀, M v̇₁ and v₂."""
    if S.suspect == 3.0 and math.fabs(h - S.last_step) > EQUAL * h:  # v̇ between them is not that at v₁
        S.suspect = 0.0
        return
    is_struck = S.hits > 0.0 or S.touched != 0.0
    if is_struck or S.springs != 0.0 or S.yielding != 0.0:  # an impulse is no force, nor what yields exact
        S.suspect = 0.0
        return
    v = at(S, I.v)
    first = vels(I, S, Vel.FIRST)
    wanted = vels(I, S, Vel.WANTED)
    work = vels(I, S, Vel.WORK)
    if S.suspect == 1.0:
        copy(v, first, I.nv)
    elif S.suspect == 2.0:
        read_forces(I, S, work, wanted)
        S.strength = max(strength_of(I, work), strength_of(I, wanted))
    else:
        for i in range(I.nv):
            first[i] = (v[i] - first[i]) / (2.0 * h)
        times_M(I, S, first, work)
        for i in range(I.nv):
            work[i] -= wanted[i]
        off = math.sqrt(strength_of(I, work) / S.strength) if S.strength > 0.0 else 0.0
        if not is_swing(S, method, off):
            S.shake = max(S.shake, off)
    S.suspect = S.suspect + 1.0 if S.suspect < 3.0 else 0.0


@inlined
def is_swing(S: Scalars, method: int, off: float) -> bool:
    """Whether forces differ by no more than a swing explains, some (hω)²/6, in a motion that Runge–Kutta's
    steps follow better than these differences do."""
    return method == RUNGE_KUTTA and off < S.swing * S.swing


@inlined
def read_forces(I: Index, S: Scalars, force: Floats, wanted: Floats) -> None:
    """Jᵀλ and M v̇ at the present state, by J and the factor that the next step begins with."""
    prepare(I, S)
    accelerate_by(I, S, EPSILON, 1)
    for i in range(I.nv):
        force[i] = 0.0
    add_Jt(I, S, rows(I, S, Row.LAM), force, 1.0)
    times_M(I, S, vels(I, S, Vel.ACC), wanted)


@compiled
def strength_of(I: Index, force: Floats) -> float:
    """Σ F² of all parts; of bodies without their torques, which have another unit."""
    total = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & Flag.FIXED != 0:
            continue
        n = T.nv
        if T.flags & Flag.RIGID != 0:
            n = 3
        elif T.flags & Flag.PLANAR != 0:
            n = 2
        F = at(force, T.v - I.v)
        for i in range(n):
            total += F[i] * F[i]
    return total
