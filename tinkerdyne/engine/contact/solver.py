"""The contact solver: island by island the last impulses as they are, a Newton method from them, or an
interior point and a Newton finish; what is left open is told.

Who is open after that is tried again: from the best answer raised into the cones, once from a cold start, and
as convex problems whose shifts are held. No answer gains energy: at worst it is given up for the convex one.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.bounds import count_bounded, note_bounds
from tinkerdyne.engine.contact.interior import hold_shifts, iterate, start_cold, start_warm
from tinkerdyne.engine.contact.least_norm import HUGE, LARGE, is_huge, take_least
from tinkerdyne.engine.contact.measure import energy_gained, judge, kinetic_energy, measure, restore, speed_of
from tinkerdyne.engine.contact.newton import close_joints, newton_step
from tinkerdyne.engine.contact.problem import Contact, Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.product import (
    body_at,
    contact_at,
    copy_vector,
    dot_row,
    invert_masses,
    joint_at,
    weigh,
)
from tinkerdyne.engine.contact.sweeps import guess

RESTING, MOVING = 1e-9, 9e-5  # m/s, the residuals that are asked
NEAR = 5e-3  # m/s: what moves, and was as near as that to an answer, tries Newton's method first
ROUGH = 5e-3  # m/s, of what moves, where the answer only shows what comes into the way
PLACED = 1e-10  # m, likewise of a projection
SLOW = 5e-3  # m/s: an island rests in which no contact point moves faster
LOSSLESS = 1e-10  # m/s, a residual that gains no energy
ROUNDING = 1e-9  # of the kinetic energy: a gain that is none

# The interior point: its start above the last impulses, by the residual that these leave; when Newton's
# method takes over [m/s]; most iterations, and how many may pass without this gain.
FIRST_RAISED, NEWTON_BELOW = 1.0, 1e-5
ITERATIONS, PATIENCE, GAIN = 60, 8, 0.9
FAR = 30.0  # times what is wanted: the root of μ̄ above which an iterate is not measured

# Further attempts, which of them is cold, and from how far above the best answer the others start [residuals,
# m/s]; by how much θ is less at the second and the third; factorings after which there are none.
ATTEMPTS, COLD_ATTEMPT, RAISED, LEAST_RAISED = 5, 2, 10.0, 1e-6
LESS_THETA = 0.25
MOST_FACTORINGS = 200
CONVEX_ATTEMPTS, CONVEX_ITERATIONS, CONVEX_CENTRE = 2, 25, 1e-13

# Newton's method: ρ, ε at its start (from the last impulses, from an interior point), its bounds and how it
# goes down when a step gains much or little, and up when it loses twice; most steps from either start.
RHO = 1.0
FIRST_EPS, FINISH_EPS, LEAST_EPS, MOST_EPS = 1e-4, 1e-2, 1e-7, 1.0
MUCH, DOWN_MUCH, DOWN_LITTLE, UP = 0.5, 0.1, 0.3, 30.0
FIRST_STEPS, FINISH = 6, 8
SMALL = 8  # bodies: whose forces become the least wherever that can be
FINE, FEW, POLISH = 1e-13, 24, 3  # m/s, contacts, steps: islands of few contacts are solved further


class Way:
    """How an island was solved."""

    FREE, WARM, NEWTON, INTERIOR, OPEN = range(5)


@entry("IF")
def contact_solve(P: Problem, X: Floats) -> int:
    """Solve all islands; returns how many are left above their tolerance. Forces that joints and contacts
    share as they like become the least."""
    n = solve_all(P, X, RESTING, MOVING)
    for k in range(P.n_islands):
        island = Island.of(P, k)
        if island.contact < island.contact_end and is_undetermined(P, X, island) != 0:
            take_least(P, X, island)
    return n


@inlined
def is_undetermined(P: Problem, X: Floats, island: Island) -> int:
    """Whether an answer is worth a look for less: what an interior point found, with joints or at rest, and
    what Newton's method did for a few bodies at rest. Else it keeps what was the least nearly enough, but
    where its forces are huge."""
    is_slow = IslandValues(at(X, island.values)).speed < SLOW
    if island.way >= Way.INTERIOR and is_slow:
        return 1
    is_small = island.body_end - island.body <= SMALL and island.joint < island.joint_end
    if island.way == Way.NEWTON and is_slow and is_small:
        return 1
    has_joints = island.joint < island.joint_end and island.factorings > 0
    return is_huge(P, X, island, LARGE if island.way >= Way.INTERIOR else HUGE) if has_joints else 0


@entry("IF")
def contact_project(P: Problem, X: Floats) -> int:
    """The least displacement, in the metric of the masses, after which nothing overlaps and the joints hold:

        min ½ dᵀM d   with   N d + b_n ≥ 0,   J d = target,

    where b_n is the gap of each contact [m] and target what the joints lack. It is the same problem without
    friction, from rest; d is left in `v`. Returns how many islands are left above their tolerance."""
    for i in range(P.n_velocities):
        X[P.v + i], X[P.v_free + i] = 0.0, 0.0
    for i in range(P.n_rows):
        X[P.lam + i] = 0.0
    for k in range(P.n_contacts):
        point = Point(at(X, Contact.of(P, k).point))
        b, r = point.b, point.r
        point.mu = 0.0
        b[1], b[2], r[0], r[1], r[2] = 0.0, 0.0, 0.0, 0.0, 0.0
    return solve_all(P, X, PLACED, PLACED)


@compiled
def solve_all(P: Problem, X: Floats, resting: float, moving: float) -> int:
    """Solve all islands to these tolerances; returns how many are left above."""
    invert_masses(P, X)
    note_bounds(P, X)
    n = 0
    P.n_rough = 0
    for k in range(P.n_islands):
        island = Island.of(P, k)
        values = IslandValues(at(X, island.values))
        if body_at(P, island.body).is_asleep != 0:
            values.residual, values.tolerance, values.energy = 0.0, resting, 0.0
            island.factorings, island.worst, island.way = 0, -1, Way.FREE
            continue
        values.speed = speed_of(P, X, island)
        values.tolerance = resting if values.speed < SLOW else moving
        if P.is_rough != 0 and values.tolerance == MOVING and island.contact_end - island.contact > FEW:
            values.tolerance = ROUGH
        solve_one(P, X, island)
        if values.tolerance == ROUGH and not (values.residual <= moving):
            P.n_rough += 1
        if not (values.residual <= values.tolerance):
            n += 1
    return n


@compiled
def solve_one(P: Problem, X: Floats, island: Island) -> None:
    """Solve one island."""
    values = IslandValues(at(X, island.values))
    values.best = -1.0
    island.factorings, island.way = 0, Way.FREE
    weigh(P, X, island)
    if values.tolerance == ROUGH and island.joint == island.joint_end:
        guess(P, X, island)
        return
    if island.contact < island.contact_end or island.joint < island.joint_end:
        island.way = Way.WARM
        judge(P, X, island)
        is_large = island.contact_end - island.contact > FEW
        if not (values.best <= values.tolerance) and values.speed >= SLOW and is_large:
            start_afresh(P, X, island)
        if not (values.best <= values.tolerance):
            island.way = Way.NEWTON
            is_near = values.speed < SLOW or values.best < NEAR
            newton(P, X, island, FIRST_EPS, FIRST_STEPS if is_near else 0)
        is_bent = island.contact < island.contact_end or count_bounded(P, X, island) > 0
        if not (values.best <= values.tolerance) and is_bent:
            island.way = Way.INTERIOR
            interior(P, X, island)
        is_moving = values.speed >= SLOW or island.contact == island.contact_end
        if P.is_fine != 0 or (is_bent and is_moving and island.contact_end - island.contact <= FEW):
            polish(P, X, island)
    finish(P, X, island)
    is_bent = island.contact < island.contact_end or count_bounded(P, X, island) > 0
    if values.tolerance == ROUGH:
        return
    if values.energy > ROUNDING * kinetic_energy(P, X, island) and is_bent:
        take_gain_away(P, X, island)
    if not (values.residual <= values.tolerance):
        island.way = Way.OPEN


@inlined
def start_afresh(P: Problem, X: Floats, island: Island) -> None:
    """No impulses at all, where that is nearer than the last ones: blows do not come again."""
    for s in range(island.contact, island.contact_end):
        r = Point(at(X, contact_at(P, s).point)).r
        r[0], r[1], r[2] = 0.0, 0.0, 0.0
    judge(P, X, island)


@compiled
def polish(P: Problem, X: Floats, island: Island) -> None:
    """A few steps of Newton's method beyond what was asked, where they cost little: what slides for long, or
    bounces often, adds its residuals up."""
    values = IslandValues(at(X, island.values))
    asked = values.tolerance
    values.tolerance = FINE
    newton(P, X, island, FIRST_EPS, POLISH)
    values.tolerance = asked


@compiled
def newton(P: Problem, X: Floats, island: Island, first: float, most: int) -> None:
    """Newton's method from the best answer, with ε by how it goes: less while it gains; where it loses twice,
    back to the best and more."""
    values = IslandValues(at(X, island.values))
    eps, last, worse = first, values.best, 0
    if values.best <= values.tolerance or most == 0:
        return
    restore(P, X, island)
    for _ in range(most):
        newton_step(P, X, island, RHO, eps)
        residual = judge(P, X, island)
        if residual <= values.tolerance:
            break
        if residual < MUCH * last:
            eps, worse = max(LEAST_EPS, DOWN_MUCH * eps), 0
        elif residual < last:
            eps, worse = max(LEAST_EPS, DOWN_LITTLE * eps), 0
        else:
            worse += 1
            if worse >= 2:
                restore(P, X, island)
                residual = values.residual
                eps, worse = min(MOST_EPS, UP * eps), 0
        last = residual


@compiled
def interior(P: Problem, X: Floats, island: Island) -> None:
    """The interior point from the last impulses, and what is tried where it does not end."""
    values = IslandValues(at(X, island.values))
    start_warm(P, X, island, FIRST_RAISED * values.best)
    descend(P, X, island, 1.0, NEWTON_BELOW)
    if values.tolerance == ROUGH:
        return
    newton(P, X, island, FINISH_EPS, FINISH)
    for k in range(ATTEMPTS):
        if values.best <= values.tolerance or island.factorings > MOST_FACTORINGS:
            break
        restore(P, X, island)
        if k == COLD_ATTEMPT:
            start_cold(P, X, island)
        else:
            start_warm(P, X, island, RAISED * max(values.best, LEAST_RAISED))
        descend(P, X, island, 1.0 - LESS_THETA * (k % 3), 0.0)
        newton(P, X, island, FINISH_EPS, FINISH)
    for _ in range(CONVEX_ATTEMPTS):
        if not (values.best <= values.tolerance):
            convex(P, X, island)
            newton(P, X, island, FINISH_EPS, FINISH)


@compiled
def descend(P: Problem, X: Floats, island: Island, theta: float, enough: float) -> None:
    """The interior point from where it was started, until it is good, or gains no more."""
    values = IslandValues(at(X, island.values))
    wanted = max(values.tolerance, enough)
    record, waited = math.inf, 0
    for _ in range(ITERATIONS):
        iterate(P, X, island, theta)
        if values.centre > FAR * FAR * wanted * wanted:
            residual = math.sqrt(values.centre)
        else:
            residual = judge(P, X, island)
        if residual <= wanted:
            return
        waited += 1
        if residual < GAIN * record:
            record, waited = residual, 0
        if waited > PATIENCE or not (residual < math.inf):
            return


@compiled
def convex(P: Problem, X: Floats, island: Island) -> None:
    """The convex problem whose shifts are those of the best answer: what solves it gains no energy."""
    values = IslandValues(at(X, island.values))
    restore(P, X, island)
    start_cold(P, X, island)
    hold_shifts(P, X, island)
    for _ in range(CONVEX_ITERATIONS):
        iterate(P, X, island, 0.0)
        if values.centre < CONVEX_CENTRE:
            break
    judge(P, X, island)


@compiled
def finish(P: Problem, X: Floats, island: Island) -> None:
    """Take the best answer, and close the joints: they hold to rounding, whatever the contacts' tolerance."""
    values = IslandValues(at(X, island.values))
    restore(P, X, island)
    if island.joint < island.joint_end and island.way > Way.WARM:
        close_joints(P, X, island)
        values.residual = measure(P, X, island)
        copy_vector(P, island, at(X, P.trial), at(X, P.v))
    values.energy = energy_gained(P, X, island)


@compiled
def take_gain_away(P: Problem, X: Floats, island: Island) -> None:
    """An answer that gains energy is solved further, for the gain is a residual times an impulse. Where that
    does not help it is given up for the convex one, and where this is not at hand, for a part of it."""
    values = IslandValues(at(X, island.values))
    asked = values.tolerance
    values.tolerance = min(asked, LOSSLESS)
    newton(P, X, island, FIRST_EPS, FINISH)
    values.tolerance = asked
    finish(P, X, island)
    limit = ROUNDING * kinetic_energy(P, X, island)
    if values.energy > limit:
        convex(P, X, island)
        if measure(P, X, island) < math.inf:  # else the best one is taken in part
            values.best = -1.0
            judge(P, X, island)
        finish(P, X, island)
    if values.energy > limit:
        take_part(P, X, island)


@compiled
def take_part(P: Problem, X: Floats, island: Island) -> None:
    """The part s of all impulses with the least energy:  E(s) − E(0) = s A + s² Q,  where A + Q is known."""
    values = IslandValues(at(X, island.values))
    Q = 0.0
    v, v_free, change = at(X, P.v), at(X, P.v_free), at(X, P.dv)
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            change[i] = v[i] - v_free[i]
        for a in range(body.rows):
            row = at(X, body.M + a * body.width)
            Q += 0.5 * change[body.dof + a] * dot_row(row, at(change, body.dof), body.width)
    A = values.energy - Q
    share = -A / (2.0 * Q) if A < 0.0 and Q > 0.0 else 0.0
    for s in range(island.contact, island.contact_end):
        r = Point(at(X, contact_at(P, s).point)).r
        r[0], r[1], r[2] = share * r[0], share * r[1], share * r[2]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.lam + i] *= share
    values.best = -1.0
    judge(P, X, island)
    restore(P, X, island)
    values.energy = energy_gained(P, X, island)
