"""Joint rows whose multiplier is bounded: stops that only push, and dry friction that holds up to a limit.

    lower ≤ λ ≤ upper,   y = J v − target:   y = 0 between them,  y ≥ 0 at the lower,  y ≤ 0 at the upper.

A stop has 0 ≤ λ, dry friction |λ| ≤ limit. With two multipliers, y = a − b and a (λ − lower) = b (upper − λ)
= μ̄ m, Newton's step of such a row is  J Δv + give Δλ = defect:  an exact row that gives way. So it stands in
the matrix of the joints with its compliance on the diagonal, and spans as many bodies as it likes.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Island, Problem
from tinkerdyne.engine.contact.product import joint_at

OUT = 1e20  # times the scale of a row: a compliance with which λ is what it is told to be
INSIDE = 0.25  # of the way between two bounds: the least distance that a start asks for
FREE = 1e30  # a step that nothing bounds
ROUNDING, LEAST = 1e-16, 1e-300  # of a bound, and N s: nearer to it λ is not told from it


@inlined
def is_bounded(P: Problem, X: Floats, i: int) -> int:
    """Whether the multiplier of a row has a bound."""
    return 1 if X[P.lower + i] > -math.inf or X[P.upper + i] < math.inf else 0


@inlined
def is_told(P: Problem, X: Floats, i: int) -> int:
    """Whether both bounds are one: then λ is known."""
    return 1 if X[P.lower + i] == X[P.upper + i] else 0


@inlined
def within(P: Problem, X: Floats, i: int, lam: float) -> float:
    """λ brought between its bounds."""
    return min(X[P.upper + i], max(X[P.lower + i], lam))


@inlined
def above(P: Problem, X: Floats, i: int, lam: float) -> float:
    """How far λ lies above its lower bound: no less than rounding can tell, for it is divided by."""
    return max(lam - X[P.lower + i], ROUNDING * math.fabs(X[P.lower + i]), LEAST)


@inlined
def below(P: Problem, X: Floats, i: int, lam: float) -> float:
    """How far λ lies below its upper bound, likewise."""
    return max(X[P.upper + i] - lam, ROUNDING * math.fabs(X[P.upper + i]), LEAST)


@compiled
def note_bounds(P: Problem, X: Floats) -> None:
    """Count the rows with a bound, and let no last λ lie outside of it."""
    P.n_bounded = 0
    for i in range(P.n_rows):
        X[P.give + i] = 0.0
        P.n_bounded += is_bounded(P, X, i)
        X[P.lam + i] = within(P, X, i, X[P.lam + i])


@compiled
def count_bounded(P: Problem, X: Floats, island: Island) -> int:
    """Rows of an island with a bound, those that are told left out."""
    n = 0
    if P.n_bounded == 0:
        return 0
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            n += is_bounded(P, X, i) - is_told(P, X, i)
    return n


@compiled
def clear_gives(P: Problem, X: Floats, island: Island) -> None:
    """Let all rows be exact but those at a bound, whose λ stays. `row_defect` has what joints lack."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            wanted = X[P.lam + i] + X[P.row_defect + i] / X[P.joint_scale + i]
            is_held = X[P.lower + i] < wanted < X[P.upper + i]
            X[P.give + i] = 0.0 if is_held else OUT * X[P.joint_scale + i]
            if not is_held:
                X[P.row_defect + i] = 0.0


@compiled
def bring_within(P: Problem, X: Floats, island: Island) -> None:
    """Bring every λ of an island between its bounds."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.lam + i] = within(P, X, i, X[P.lam + i])


# --- what an answer is worth ---------------------------------------------------------------------
@inlined
def row_residual(P: Problem, X: Floats, i: int, lack: float) -> float:
    """|λ − P(λ − m y)| / m, which of an exact row is |y|; `lack` is −y."""
    scale = X[P.joint_scale + i]
    lam = X[P.lam + i]
    return math.fabs(lam - within(P, X, i, lam + lack / scale)) * scale


# --- Newton's method -------------------------------------------------------------------------------
@compiled
def linearise_rows(P: Problem, X: Floats, island: Island, rho: float, eps: float) -> None:
    """Compliances and defects from λ as it is; what joints lack stands in `row_defect`."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.give + i] = 0.0
            if is_bounded(P, X, i) == 0:
                continue
            scale = X[P.joint_scale + i]
            wanted = X[P.lam + i] + rho * X[P.row_defect + i] / scale
            nearest = within(P, X, i, wanted)
            if nearest == wanted and is_told(P, X, i) == 0:
                X[P.give + i] = eps * scale / rho
            else:
                X[P.give + i] = OUT * scale
                X[P.row_defect + i] = OUT * scale * (nearest - X[P.lam + i])


# --- the interior point ----------------------------------------------------------------------------
@compiled
def start_rows(P: Problem, X: Floats, island: Island, c: float, is_cold: int) -> None:
    """λ between its bounds, and multipliers of both; c is a speed that is far from the answer's error. The
    lacks of a warm start stand in `row_work`."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.low + i], X[P.high + i] = 0.0, 0.0
            lower, upper = X[P.lower + i], X[P.upper + i]
            if is_told(P, X, i) != 0:
                X[P.lam + i] = lower
            elif is_bounded(P, X, i) != 0:
                inside = min(c / X[P.joint_scale + i], INSIDE * (upper - lower))
                X[P.lam + i] = min(upper - inside, max(lower + inside, X[P.lam + i]))
                y = 0.0 if is_cold != 0 else -X[P.row_work + i]
                wanted = c * c / X[P.joint_scale + i]  # the product of a contact
                if lower > -math.inf:
                    X[P.low + i] = max(0.0, y) + max(c, wanted / above(P, X, i, X[P.lam + i]))
                if upper < math.inf:
                    X[P.high + i] = max(0.0, -y) + max(c, wanted / below(P, X, i, X[P.lam + i]))


@compiled
def products_after(P: Problem, X: Floats, island: Island, alpha: float) -> float:
    """Σ of the products of all bounds after a step of length α, by the masses that rows meet."""
    total = 0.0
    if P.n_bounded == 0:
        return total
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            if is_told(P, X, i) != 0:
                continue
            lam = X[P.lam + i] + alpha * X[P.dlam + i]
            if X[P.lower + i] > -math.inf:
                a = X[P.low + i] + alpha * X[P.dlow + i]
                total += a * above(P, X, i, lam) * X[P.joint_scale + i]
            if X[P.upper + i] < math.inf:
                b = X[P.high + i] + alpha * X[P.dhigh + i]
                total += b * below(P, X, i, lam) * X[P.joint_scale + i]
    return total


@compiled
def no_step(P: Problem, X: Floats, island: Island) -> None:
    """Δa = Δb = Δλ = 0: there is no predictor yet."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.dlow + i], X[P.dhigh + i], X[P.dlam + i] = 0.0, 0.0, 0.0


@compiled
def aim_rows(P: Problem, X: Floats, island: Island, target: float) -> None:
    """Compliances, and defects for products of `target` with the second order of the step at hand.
    `row_lack` has what joints lack."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.give + i] = 0.0
            X[P.row_defect + i] = X[P.row_lack + i]
            if is_told(P, X, i) != 0:
                X[P.give + i] = OUT * X[P.joint_scale + i]
                X[P.row_defect + i] = 0.0
            elif is_bounded(P, X, i) != 0:
                aim_row(P, X, i, target / X[P.joint_scale + i])


@inlined
def aim_row(P: Problem, X: Floats, i: int, product: float) -> None:
    """One row of `aim_rows`: a⁺ and b⁺ at Δλ = 0 go into Δa and Δb."""
    lam, step = X[P.lam + i], X[P.dlam + i]
    give, wanted = 0.0, 0.0
    if X[P.lower + i] > -math.inf:
        room = above(P, X, i, lam)
        a = (product - step * X[P.dlow + i]) / room
        give += X[P.low + i] / room
        wanted += a
        X[P.dlow + i] = a
    if X[P.upper + i] < math.inf:
        room = below(P, X, i, lam)
        b = (product + step * X[P.dhigh + i]) / room
        give += X[P.high + i] / room
        wanted -= b
        X[P.dhigh + i] = b
    X[P.give + i] = give
    X[P.row_defect + i] += wanted


@compiled
def step_of_bounds(P: Problem, X: Floats, island: Island) -> None:
    """Δa and Δb from Δλ, after `aim_rows` and the solution."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            if is_bounded(P, X, i) == 0 or is_told(P, X, i) != 0:
                continue
            lam, step = X[P.lam + i], X[P.dlam + i]
            if X[P.lower + i] > -math.inf:
                a = X[P.low + i]
                X[P.dlow + i] -= a + a / above(P, X, i, lam) * step
            if X[P.upper + i] < math.inf:
                b = X[P.high + i]
                X[P.dhigh + i] -= b - b / below(P, X, i, lam) * step


@inlined
def way_down(x: float, dx: float) -> float:
    """The longest step after which x is not negative."""
    return -x / dx if dx < 0.0 else FREE


@compiled
def way_to_bounds(P: Problem, X: Floats, island: Island) -> float:
    """The longest step that leaves λ between its bounds, and both multipliers positive."""
    alpha = FREE
    if P.n_bounded == 0:
        return alpha
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            if is_bounded(P, X, i) == 0 or is_told(P, X, i) != 0:
                continue
            lam, step = X[P.lam + i], X[P.dlam + i]
            if X[P.lower + i] > -math.inf:
                alpha = min(alpha, way_down(above(P, X, i, lam), step))
                alpha = min(alpha, way_down(X[P.low + i], X[P.dlow + i]))
            if X[P.upper + i] < math.inf:
                alpha = min(alpha, way_down(below(P, X, i, lam), -step))
                alpha = min(alpha, way_down(X[P.high + i], X[P.dhigh + i]))
    return alpha


@compiled
def move_bounds(P: Problem, X: Floats, island: Island, alpha: float) -> None:
    """(a, b) += α (Δa, Δb)."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.low + i] += alpha * X[P.dlow + i]
            X[P.high + i] += alpha * X[P.dhigh + i]
