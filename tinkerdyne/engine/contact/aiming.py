"""One step of the interior point: predicted, centred by how far the predictor may go, and corrected.

What is done to a contact is done in few passes over all of them, for its rows and numbers come from far: one
finds gaps, scales, predicts and adds to the matrix; one for the predictor's answer; one asks for the centred
step; and one or two answer it.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.bounds import (
    aim_rows,
    count_bounded,
    no_step,
    products_after,
    step_of_bounds,
    way_to_bounds,
)
from tinkerdyne.engine.contact.cone import (
    curvature,
    inner,
    scale,
    second_order,
    set_stiffness,
    stays_inside,
    way_to_boundary,
)
from tinkerdyne.engine.contact.factor import factor_island
from tinkerdyne.engine.contact.problem import Island, Point, Problem
from tinkerdyne.engine.contact.product import add_contact, clear_blocks, contact_at, set_vector
from tinkerdyne.engine.contact.step import (
    answer,
    answer_more,
    ask,
    find_gap,
    refine,
    set_forces,
    share_of,
    solve_step,
)
from tinkerdyne.engine.contact.turning import aim_turn, eliminate_height, finish_turn

NEAR_BOUNDARY = 0.99  # of the way to the cones
REFINED = 1e-5  # m²/s²: steps towards smaller products are refined
LAG = 1.0  # of what a shift lags behind |y_t|: the root of the least product


@compiled
def factor_at(P: Problem, X: Floats, island: Island, theta: float) -> float:
    """Gaps, scaling and predictor of all contacts, and the factor of Newton's step; returns μ̄ = Σ y·r̂/m / n:
    by the masses that contacts meet, heavy and light ones come to their ends together."""
    set_forces(P, X, island)
    set_vector(P, island, at(X, P.dv), 0.0)
    clear_blocks(P, X, island)
    total = products_after(P, X, island, 0.0)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        find_gap(P, X, contact, point)
        product = inner(point)
        total += product / point.mass
        scale(point, product)
        set_stiffness(point, share_of(point, theta))
        if point.arm > 0.0:
            eliminate_height(point)
        predict_point(point)
        ask(P, X, contact, point)
        add_contact(P, X, contact, point)
    no_step(P, X, island)
    aim_rows(P, X, island, 0.0)
    factor_island(P, X, island)
    island.factorings += 1
    return total / count_products(P, X, island)


@inlined
def count_products(P: Problem, X: Floats, island: Island) -> int:
    """Of how many products μ̄ is the mean."""
    return island.contact_end - island.contact + count_bounded(P, X, island)


@inlined
def predict_point(point: Point) -> None:
    """g of the step towards μ̄ = 0."""
    B, g, gap, z = point.B, point.g, point.gap, point.z
    point.curve = 0.0
    if point.arm > 0.0:
        g[0], g[1], g[2] = 0.0, 0.0, 0.0
        aim_turn(point)
    else:
        g[0] = -z[0] - (B[0] * gap[0] + B[1] * gap[1] + B[2] * gap[2])
        g[1] = -z[1] - (B[3] * gap[0] + B[4] * gap[1] + B[5] * gap[2])
        g[2] = -z[2] - (B[6] * gap[0] + B[7] * gap[1] + B[8] * gap[2])


@compiled
def predict(P: Problem, X: Floats, island: Island) -> None:
    """What the contacts ask for in the step towards μ̄ = 0, once more."""
    set_vector(P, island, at(X, P.dv), 0.0)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        predict_point(point)
        ask(P, X, contact, point)
    no_step(P, X, island)
    aim_rows(P, X, island, 0.0)


@inlined
def correct_point(point: Point, theta: float, affine: float, target: float) -> None:
    """g of the centred step, from the predictor in (Δy, Δr̂) that went so far."""
    B, g, gap, z = point.B, point.g, point.gap, point.z
    point.curve = curvature(point, affine) if share_of(point, theta) > 0.0 else 0.0
    lag = LAG * gap[0] if point.shift < 0.0 else 0.0
    second_order(point, max(target, lag * lag) * point.mass)
    if point.arm > 0.0:
        aim_turn(point)
    else:
        gap0 = gap[0] + point.curve
        g[0] -= z[0] + B[0] * gap0 + B[1] * gap[1] + B[2] * gap[2]
        g[1] -= z[1] + B[3] * gap0 + B[4] * gap[1] + B[5] * gap[2]
        g[2] -= z[2] + B[6] * gap0 + B[7] * gap[1] + B[8] * gap[2]


@compiled
def correct(P: Problem, X: Floats, island: Island, theta: float, affine: float, target: float) -> None:
    """What the contacts ask for in the centred step."""
    set_vector(P, island, at(X, P.dv), 0.0)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        correct_point(point, theta, affine, target)
        ask(P, X, contact, point)
    aim_rows(P, X, island, target)


@compiled
def take_aim(
    P: Problem, X: Floats, island: Island, theta: float, is_refined: int
) -> tuple[float, float, float]:
    """The step that the contacts ask for: how far all may go, and how Σ y·r̂/m changes along it, per α and
    per α²."""
    solve_step(P, X, island)
    if is_refined != 0:
        refine(P, X, island)
    once, twice = 0.0, 0.0
    alpha = 1.0 / NEAR_BOUNDARY
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        y, z, dy, dz = point.y, point.z, point.dy, point.dz
        if is_refined != 0:
            answer_more(P, X, contact, point)
        else:
            answer(P, X, contact, point)
        share = share_of(point, theta)
        dy[0] += share * (point.e[0] * dy[1] + point.e[1] * dy[2])
        if point.arm > 0.0:
            finish_turn(point)
        per = 1.0 / point.mass
        once += per * (
            y[0] * dz[0] + y[1] * dz[1] + y[2] * dz[2] + z[0] * dy[0] + z[1] * dy[1] + z[2] * dy[2]
        )
        twice += per * (dy[0] * dz[0] + dy[1] * dz[1] + dy[2] * dz[2])
        if stays_inside(y, point.delta, point.across, dy, alpha) == 0:
            alpha = min(alpha, way_to_boundary(y, point.delta, point.across, dy))
        if stays_inside(z, point.slack, point.along, dz, alpha) == 0:
            alpha = min(alpha, way_to_boundary(z, point.slack, point.along, dz))
    step_of_bounds(P, X, island)
    return min(alpha, way_to_bounds(P, X, island)), once, twice


@compiled
def aim(P: Problem, X: Floats, island: Island, mean: float, least: float, theta: float) -> float:
    """Predict and correct, with σ = `least` at least; returns how far the step may go. What the contacts ask
    for in the predictor stands in dv."""
    before = products_after(P, X, island, 0.0)
    affine, once, twice = take_aim(P, X, island, theta, 0)
    affine = min(1.0, affine)
    count = count_products(P, X, island)
    bounds = products_after(P, X, island, affine) - before
    left = max(0.0, 1.0 + (affine * (once + affine * twice) + bounds) / (count * mean))
    target = min(1.0, max(least, left * left * left)) * mean
    correct(P, X, island, theta, affine, target)
    alpha, once, twice = take_aim(P, X, island, theta, 1 if target < REFINED else 0)
    return min(1.0, NEAR_BOUNDARY * alpha)
