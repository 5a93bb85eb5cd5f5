"""Forces that the geometry leaves undetermined: of all that do the same, those with the least squares.

    min ½ Σ |r|² + ½ Σ λ²   with   Hᵀr + Jᵀλ = g,   g what the answer does,

and each contact in the state in which it was found: open without a force, sliding along its force, sticking
in its cone. The dual has a displacement y of the bodies:  r = P(H y), λ = J y, P into that part of the cone,

    HᵀP(H y) + JᵀJ y = g,

so these are the forces that equal soft springs would have in all contacts and joint rows. Newton's method
solves it with the factor of the contact problem, joint rows giving way by 1.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.bounds import OUT, within
from tinkerdyne.engine.contact.cone import project_friction
from tinkerdyne.engine.contact.factor import factor_island, solve_island
from tinkerdyne.engine.contact.measure import energy_gained, measure, put_back
from tinkerdyne.engine.contact.problem import Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.product import (
    add_joint_forces,
    assemble,
    body_at,
    contact_at,
    copy_vector,
    dot_row,
    joint_at,
    joint_rates,
    move_vector,
    push,
    rate,
    set_vector,
)

OPEN, SLIDES, STICKS, KEPT = 0.0, 1.0, 2.0, 3.0  # states of a contact
HUGE, LARGE = 1e3, 10.0  # times what all forces do together
STILL = 1e-10  # m/s: slower contacts neither open nor slide
GAINED = 1e-9  # of the squares: a gain that is none
HELD, MORE, LESS = 1e-10, 1e4, 1e-2  # a stiffness by which each body is held, and how it goes up and down
STEPS, HALVINGS = 30, 12
DONE, NEARLY = 1e-14, 1e3  # of g: a defect that is none; times that: one that may be rounding
ROUNDING = 1e-12  # of the dual


@compiled
def take_least(P: Problem, X: Floats, island: Island) -> None:
    """Give an island its least forces, unless its own are nearly so, or something is left undone."""
    values = IslandValues(at(X, island.values))
    y, g, last = at(X, P.trial), at(X, P.force), values.residual
    before = note_states(P, X, island)
    set_vector(P, island, g, 0.0)
    act(P, X, island, 0, g)
    set_vector(P, island, y, 0.0)
    if not (before > 0.0):
        return
    if descend_dual(P, X, island) != 0 and squares(P, X, island) < (1.0 - GAINED) * before:
        take_impulses(P, X, island)
        values.residual = measure(P, X, island)
        if values.residual <= max(values.tolerance, last):
            copy_vector(P, island, at(X, P.trial), at(X, P.v))
            values.energy = energy_gained(P, X, island)
            return
    put_back(P, X, island)
    values.residual = measure(P, X, island)


@compiled
def is_huge(P: Problem, X: Floats, island: Island, times: float) -> int:
    """Whether some force is so many times larger than what all of them together do to any body."""
    f, most = at(X, P.force), 0.0
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        most = max(most, math.fabs(point.r[0]))
        point.z[0], point.z[1], point.z[2] = point.r[0], point.r[1], point.r[2]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            most = max(most, math.fabs(X[P.lam + i]))
    set_vector(P, island, f, 0.0)
    act(P, X, island, 0, f)
    return 1 if most > times * largest_of(P, X, island, f) else 0


# --- states ----------------------------------------------------------------------------------------------


@compiled
def note_states(P: Problem, X: Floats, island: Island) -> float:
    """The state of each contact into `held`, by what is larger, its force or its speed; its force in that
    state into `z`, the rest of its force into `gap`; λ of joints into `best_lam`. Returns Σ z² + Σ λ²."""
    total = 0.0
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        r, u, z, gap, best = point.r, point.u, point.z, point.gap, point.best
        slack = point.mu * r[0] - math.sqrt(r[1] * r[1] + r[2] * r[2])
        point.held = STICKS
        slip = math.sqrt(u[1] * u[1] + u[2] * u[2])
        if u[0] > STILL and point.mass * u[0] > r[0]:
            point.held = OPEN
        elif slip > STILL and point.mass * slip > slack:
            point.held = SLIDES
        if point.arm > 0.0:
            point.held = KEPT
        best[0], best[1], best[2] = r[0], r[1], r[2]
        z[0], z[1], z[2] = state_force(point, r[0], r[1], r[2])
        for i in range(3):
            gap[i] = r[i] - z[i]
            total += z[i] * z[i]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.best_lam + i] = X[P.lam + i]
            total += X[P.lam + i] * X[P.lam + i]
    return total


@inlined
def state_force(point: Point, n: float, t1: float, t2: float) -> tuple[float, float, float]:
    """The nearest force that a contact may have in its state."""
    r0, r1, r2 = 0.0, 0.0, 0.0
    if point.held == STICKS:
        r0, r1, r2 = project_friction(point.mu, n, t1, t2)
    elif point.held == SLIDES:
        d = point.best
        size = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        share = max(0.0, n * d[0] + t1 * d[1] + t2 * d[2]) / size if size > 0.0 and d[0] > 0.0 else 0.0
        r0, r1, r2 = share * d[0], share * d[1], share * d[2]
    return r0, r1, r2


@inlined
def take_impulses(P: Problem, X: Floats, island: Island) -> None:
    """The least forces, and what the answer had outside of its states."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        r, z, gap = point.r, point.z, point.gap
        r[0], r[1], r[2] = z[0] + gap[0], z[1] + gap[1], z[2] + gap[2]


# --- Newton's method on the dual -------------------------------------------------------------------------


@compiled
def act(P: Problem, X: Floats, island: Island, is_back: int, f: Floats) -> None:
    """f ± Hᵀz ± Jᵀλ, with minus where `is_back`."""
    sign = -1.0 if is_back != 0 else 1.0
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        z = Point(at(X, contact.point)).z
        push(P, X, contact, sign * z[0], sign * z[1], sign * z[2], f)
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.dlam + i] = sign * X[P.lam + i]
    add_joint_forces(P, X, island, at(X, P.dlam), f)


@compiled
def answer_to(P: Problem, X: Floats, island: Island, y: Floats) -> float:
    """Forces at a displacement: z = P(H y), λ = J y between its bounds; the dual, ½|z|² + ½|λ|² − g·y."""
    joint_rates(P, X, island, y, at(X, P.row_work))
    total = 0.0
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            wanted = X[P.row_work + i]
            lam = within(P, X, i, wanted)
            X[P.lam + i] = lam
            total += lam * (wanted - 0.5 * lam)  # beyond a bound the dual goes on straight
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        z = point.z
        n, t1, t2 = rate(P, X, contact, y)
        point.y[0], point.y[1], point.y[2] = n, t1, t2
        z[0], z[1], z[2] = state_force(point, n, t1, t2)
        total += 0.5 * (z[0] * z[0] + z[1] * z[1] + z[2] * z[2])
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        total -= dot_row(at(X, P.force + body.dof), at(y, body.dof), body.width)
    return total


@inlined
def squares(P: Problem, X: Floats, island: Island) -> float:
    """Σ|z|² + Σλ²."""
    total = 0.0
    for s in range(island.contact, island.contact_end):
        z = Point(at(X, contact_at(P, s).point)).z
        total += z[0] * z[0] + z[1] * z[1] + z[2] * z[2]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            total += X[P.lam + i] * X[P.lam + i]
    return total


@inlined
def largest_of(P: Problem, X: Floats, island: Island, f: Floats) -> float:
    """The largest number of a vector, by size."""
    most = 0.0
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            most = max(most, math.fabs(f[i]))
    return most


@compiled
def descend_dual(P: Problem, X: Floats, island: Island) -> int:
    """Newton's method from y as it is, on the dual, which is convex; whether it came to its end. A step that
    goes up is halved, then taken again with more stiffness."""
    y, g, defect, tried = at(X, P.trial), at(X, P.force), at(X, P.defect), at(X, P.dv)
    height = answer_to(P, X, island, y)
    enough = DONE * largest_of(P, X, island, g)
    left, held = math.inf, HELD
    for _ in range(STEPS):
        copy_vector(P, island, g, defect)
        act(P, X, island, 1, defect)
        now = largest_of(P, X, island, defect)
        if now <= enough or (left < NEARLY * enough and now > 0.5 * left):
            return 1
        left = now
        stiffen(P, X, island, held)
        factor_island(P, X, island)
        island.factorings += 1
        solve_island(P, X, island, defect, at(X, P.row_work))
        share = 1.0
        for _ in range(HALVINGS):
            copy_vector(P, island, y, tried)
            move_vector(P, island, defect, share, tried)
            lower = answer_to(P, X, island, tried)
            if lower <= height + ROUNDING * math.fabs(height):
                break
            share *= 0.5
        if lower <= height + ROUNDING * math.fabs(height):
            height, held = lower, max(HELD, LESS * held)
            copy_vector(P, island, tried, y)
        else:
            held, left = MORE * held, math.inf
            answer_to(P, X, island, y)
    return 0


@compiled
def stiffen(P: Problem, X: Floats, island: Island, held: float) -> None:
    """The matrix HᵀP′H + JᵀJ at y, joint rows beside it; each body is held a little, by its mass."""
    for s in range(island.contact, island.contact_end):
        slope(Point(at(X, contact_at(P, s).point)))
    assemble(P, X, island)
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        K, M = at(X, body.K), at(X, body.M)
        share = held / M[0] - 1.0
        for i in range(body.rows * body.width):
            K[i] += share * M[i]
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            is_free = within(P, X, i, X[P.row_work + i]) == X[P.row_work + i]
            X[P.give + i] = 1.0 if is_free else OUT
            X[P.row_work + i] = 0.0


@compiled
def slope(point: Point) -> None:
    """B = D⁻¹ P′ D⁻¹ at y."""
    B, y, mu = point.B, point.y, point.mu
    for i in range(9):
        B[i] = 0.0
    if point.held == SLIDES:
        slope_along(point)
    if point.held != STICKS:
        return
    t = math.sqrt(y[1] * y[1] + y[2] * y[2])
    if mu * t <= -y[0] and y[0] < 0.0:
        return
    if t <= mu * y[0] or mu == 0.0:
        B[0] = 1.0
        B[4] = 1.0 / (mu * mu) if mu > 0.0 else 0.0
        B[8] = B[4]
        return
    normal = (y[0] + mu * t) / (1.0 + mu * mu)
    s1, s2 = y[1] / t, y[2] / t
    k = 1.0 / (1.0 + mu * mu)
    c = normal / (mu * t)
    B[0], B[1], B[2] = k, k * s1, k * s2
    B[3], B[4], B[5] = k * s1, k * s1 * s1 + c * s2 * s2, (k - c) * s1 * s2
    B[6], B[7], B[8] = k * s2, (k - c) * s1 * s2, k * s2 * s2 + c * s1 * s1


@inlined
def slope_along(point: Point) -> None:
    """The same of a contact that slides: d dᵀ/|d|² along its force."""
    B, y, d, mu = point.B, point.y, point.best, point.mu
    size = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    if size > 0.0 and d[0] > 0.0 and y[0] * d[0] + y[1] * d[1] + y[2] * d[2] >= 0.0:
        x1, x2 = 0.0, 0.0
        if mu > 0.0:
            x1, x2 = d[1] / mu, d[2] / mu
        B[0], B[1], B[2] = d[0] * d[0] / size, d[0] * x1 / size, d[0] * x2 / size
        B[3], B[4], B[5] = B[1], x1 * x1 / size, x1 * x2 / size
        B[6], B[7], B[8] = B[2], B[5], x2 * x2 / size
