"""The interior point of a contact problem: Nesterov and Todd's scaling, with De Saxcé's shift differentiated.

    M (v − v_free) = Ĥᵀr̂ + Jᵀλ,   y_t = (Ĥv + b̂)_t,   y0 = (Ĥv + b̂)_n + |y_t|,   y ∘ r̂ = μ̄ m e → 0.

Newton's step has Δr̂ = g − B Ĥ Δv with B = W⁻²T, T = I + θ e_n (y_t/|y_t|)ᵀ. θ = 1 is the true derivative;
θ = 0 that of a convex problem whose shift is held. The shift makes the law non-monotone, and its central path
may fold: two corners of one patch trade normal force while one of them slides. There a step would be short,
and the contacts that block it have their shifts held for some iterations. A contact whose shift lags behind
|y_t| keeps a product of that size: with a smaller one it could not change its mind any more.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.bounds import (
    aim_rows,
    count_bounded,
    move_bounds,
    no_step,
    products_after,
    start_rows,
    step_of_bounds,
    way_to_bounds,
)
from tinkerdyne.engine.contact.cone import (
    curvature,
    inner,
    is_central,
    scale,
    second_order,
    set_stiffness,
    stays_inside,
    take_step,
    way_to_boundary,
)
from tinkerdyne.engine.contact.factor import factor_island
from tinkerdyne.engine.contact.problem import Body, Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.product import (
    assemble,
    body_at,
    contact_at,
    copy_vector,
    joint_at,
    move_vector,
    rate,
)
from tinkerdyne.engine.contact.step import find_defects, joint_lacks, share_of, solve_step
from tinkerdyne.engine.contact.turning import (
    aim_turn,
    eliminate_height,
    finish_turns,
    follow_contacts,
    start_turns,
)

LEAST_START = 1e-3  # m/s
NEAR_BOUNDARY = 0.99  # of the way to the cones
NEIGHBOURHOOD = 1e-3  # of μ̄: the smallest product of eigenvalues
SHORTENED, SHORTENINGS = 0.7, 12  # the step of a contact that would leave it, so often at most
LEAST_CENTRE, MORE_CENTRE = 1e-4, 0.3  # σ at least, and after a short step
SHORT = 0.2  # a step this short asks for more centring, and then for shifts that are held, …
BLOCKING, HELD = 0.4, 4.0  # … of the contacts that allow no longer step, for so many iterations
LAG = 1.0  # of what a shift lags behind |y_t|: the root of the least product


@compiled
def start_cold(P: Problem, X: Floats, island: Island) -> None:
    """v = v_free, y = c e_n, r̂ = m c e_n."""
    v = at(X, P.v)
    copy_vector(P, island, at(X, P.v_free), v)
    fastest = LEAST_START
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        n, t1, t2 = rate(P, X, contact, v)
        n, t1, t2 = n + point.b[0], point.mu * (t1 + point.b[1]), point.mu * (t2 + point.b[2])
        fastest = max(fastest, math.sqrt(n * n + t1 * t1 + t2 * t2))
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        y, z = point.y, point.z
        y[0], y[1], y[2] = fastest, 0.0, 0.0
        z[0], z[1], z[2] = fastest * point.mass, 0.0, 0.0
        point.delta, point.slack, point.held, point.shift = y[0], z[0], 0.0, -1.0
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for a in range(joint.rows):
            X[P.lam + joint.row + a] = 0.0
    start_rows(P, X, island, fastest, 1)
    start_turns(P, X, island, fastest)


@compiled
def start_warm(P: Problem, X: Floats, island: Island, c: float) -> None:
    """Go on from an answer that was measured: y and r̂ of it, raised by c into their cones."""
    copy_vector(P, island, at(X, P.trial), at(X, P.v))
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        mu, r, u, y, z = point.mu, point.r, point.u, point.y, point.z
        y[1], y[2] = mu * u[1], mu * u[2]
        point.delta = max(0.0, u[0]) + c
        y[0] = point.delta + math.sqrt(y[1] * y[1] + y[2] * y[2])
        z[1], z[2] = 0.0, 0.0
        if mu > 0.0:
            z[1], z[2] = r[1] / mu, r[2] / mu
        t = math.sqrt(z[1] * z[1] + z[2] * z[2])
        point.slack = max(0.0, r[0] - t) + c * point.mass
        z[0] = point.slack + t
        point.held, point.shift = 0.0, -1.0
    joint_lacks(P, X, island, at(X, P.trial), at(X, P.target), at(X, P.row_work))
    start_rows(P, X, island, c, 0)
    start_turns(P, X, island, c)


@compiled
def hold_shifts(P: Problem, X: Floats, island: Island) -> None:
    """Make the problem convex: shifts stay what they are by the velocities that were measured last."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        u = point.u
        point.shift = point.mu * math.sqrt(u[1] * u[1] + u[2] * u[2])


@compiled
def mean_product(P: Problem, X: Floats, island: Island) -> float:
    """μ̄ = Σ y·r̂/m / n: by the masses that contacts meet, heavy and light ones come to their ends together."""
    total = products_after(P, X, island, 0.0)
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        total += inner(point) / point.mass
    return total / (island.contact_end - island.contact + count_bounded(P, X, island))


@compiled
def product_after(P: Problem, X: Floats, island: Island, alpha: float) -> float:
    """μ̄ after a step of length α."""
    total = products_after(P, X, island, alpha)
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        y, z, dy, dz = point.y, point.z, point.dy, point.dz
        for i in range(3):
            total += (y[i] + alpha * dy[i]) * (z[i] + alpha * dz[i]) / point.mass
    return total / (island.contact_end - island.contact + count_bounded(P, X, island))


@compiled
def longest_step(P: Problem, X: Floats, island: Island) -> float:
    """How far all contacts may go along their steps, 1 at most."""
    alpha = min(1.0 / NEAR_BOUNDARY, way_to_bounds(P, X, island))
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        if stays_inside(point.y, point.delta, point.across, point.dy, alpha) == 0:
            alpha = min(alpha, way_to_boundary(point.y, point.delta, point.across, point.dy))
        if stays_inside(point.z, point.slack, point.along, point.dz, alpha) == 0:
            alpha = min(alpha, way_to_boundary(point.z, point.slack, point.along, point.dz))
    return alpha


@compiled
def correct(P: Problem, X: Floats, island: Island, target: float, theta: float) -> float:
    """The centred step, from the predictor in (Δy, Δr̂); returns how far it may go."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        B, g, gap, z = point.B, point.g, point.gap, point.z
        lag = LAG * gap[0] if point.shift < 0.0 else 0.0
        second_order(point, max(target, lag * lag) * point.mass)
        if point.arm > 0.0:
            aim_turn(point)
            continue
        gap0 = gap[0] + point.curve
        g[0] -= z[0] + B[0] * gap0 + B[1] * gap[1] + B[2] * gap[2]
        g[1] -= z[1] + B[3] * gap0 + B[4] * gap[1] + B[5] * gap[2]
        g[2] -= z[2] + B[6] * gap0 + B[7] * gap[1] + B[8] * gap[2]
    aim_rows(P, X, island, target)
    solve_step(P, X, island, theta, 1)
    step_of_bounds(P, X, island)
    finish_turns(P, X, island)
    return min(1.0, NEAR_BOUNDARY * longest_step(P, X, island))


@compiled
def predict(P: Problem, X: Floats, island: Island, theta: float) -> None:
    """The step towards μ̄ = 0."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        B, g, gap, z = point.B, point.g, point.gap, point.z
        point.curve = 0.0
        if point.arm > 0.0:
            g[0], g[1], g[2] = 0.0, 0.0, 0.0
            aim_turn(point)
            continue
        g[0] = -z[0] - (B[0] * gap[0] + B[1] * gap[1] + B[2] * gap[2])
        g[1] = -z[1] - (B[3] * gap[0] + B[4] * gap[1] + B[5] * gap[2])
        g[2] = -z[2] - (B[6] * gap[0] + B[7] * gap[1] + B[8] * gap[2])
    no_step(P, X, island)
    aim_rows(P, X, island, 0.0)
    solve_step(P, X, island, theta, 0)
    step_of_bounds(P, X, island)
    finish_turns(P, X, island)


@compiled
def factor_at(P: Problem, X: Floats, island: Island, theta: float) -> None:
    """Scale the contacts, and factor the matrix of Newton's step."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        scale(point)
        set_stiffness(point, share_of(point, theta))
        if point.arm > 0.0:
            eliminate_height(point)
    no_step(P, X, island)
    aim_rows(P, X, island, 0.0)
    assemble(P, X, island)
    factor_island(P, X, island)
    island.factorings += 1


@compiled
def aim(P: Problem, X: Floats, island: Island, mean: float, least: float, theta: float) -> float:
    """Predict and correct, with σ = `least` at least; returns how far the step may go."""
    predict(P, X, island, theta)
    affine = min(1.0, longest_step(P, X, island))
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        point.curve = curvature(point, affine) if share_of(point, theta) > 0.0 else 0.0
    left = max(0.0, product_after(P, X, island, affine)) / mean
    sigma = min(1.0, max(least, left * left * left))
    return correct(P, X, island, sigma * mean, theta)


@compiled
def hold(P: Problem, X: Floats, island: Island) -> int:
    """Hold the shifts of the contacts that block the step, and of those of the same bodies; returns how many
    were not held before."""
    for s in range(island.body, island.body_end):
        body_at(P, s).mark = 0
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        far = min(
            way_to_boundary(point.y, point.delta, point.across, point.dy),
            way_to_boundary(point.z, point.slack, point.along, point.dz),
        )
        if far <= BLOCKING:
            if contact.a >= 0:
                Body.of(P, contact.a).mark = 1
            if contact.b >= 0:
                Body.of(P, contact.b).mark = 1
    count = 0
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        is_near = contact.a >= 0 and Body.of(P, contact.a).mark != 0
        is_near = is_near or (contact.b >= 0 and Body.of(P, contact.b).mark != 0)
        if is_near:
            if point.held == 0.0:
                count += 1
            point.held = HELD
    return count


@compiled
def iterate(P: Problem, X: Floats, island: Island, theta: float) -> float:
    """One iteration: factor, predict, correct, step; returns the length of the step.

    Where contacts block it even when it is centred more, their shifts are held for this iteration and some
    more."""
    values = IslandValues(at(X, island.values))
    follow_contacts(P, X, island)
    find_defects(P, X, island)
    mean = mean_product(P, X, island)
    values.centre = mean
    factor_at(P, X, island, theta)
    alpha = aim(P, X, island, mean, LEAST_CENTRE, theta)
    if alpha <= SHORT:
        alpha = aim(P, X, island, mean, MORE_CENTRE, theta)
    if alpha <= SHORT and theta > 0.0 and hold(P, X, island) > 0:
        factor_at(P, X, island, theta)
        alpha = aim(P, X, island, mean, MORE_CENTRE, theta)
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        point.held = max(0.0, point.held - 1.0)
    return move(P, X, island, alpha)


@compiled
def move(P: Problem, X: Floats, island: Island, alpha: float) -> float:
    """Step; a contact that would come too near to its boundary stays behind. Returns the length."""
    values = IslandValues(at(X, island.values))
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        go(point, alpha)
        own, least = alpha, NEIGHBOURHOOD * values.centre * point.mass
        for _ in range(SHORTENINGS):
            if is_central(point, least, NEIGHBOURHOOD) != 0:
                break
            go(point, (SHORTENED - 1.0) * own)
            own *= SHORTENED
    move_vector(P, island, at(X, P.dv), alpha, at(X, P.v))
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            X[P.lam + i] += alpha * X[P.dlam + i]
    move_bounds(P, X, island, alpha)
    values.step = alpha
    return alpha


@inlined
def go(point: Point, alpha: float) -> None:
    """(y, r̂) += α (Δy, Δr̂)."""
    point.delta, point.across = take_step(point.y, point.delta, point.across, point.dy, alpha)
    point.slack, point.along = take_step(point.z, point.slack, point.along, point.dz, alpha)
