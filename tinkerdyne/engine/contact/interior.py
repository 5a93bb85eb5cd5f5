"""The interior point of a contact problem: Nesterov and Todd's scaling, with De Saxcé's shift differentiated.

    M (v − v_free) = Ĥᵀr̂ + Jᵀλ,   δ = (Ĥv + b̂)_n,   y_t = (Ĥv + b̂)_t,   y = (δ + |y_t|, y_t),   y ∘ r̂ = μ̄ e → 0.

In δ and y_t all equations but the last are linear, and met exactly after a whole step. Newton's step has
Δr̂ = g − B Ĥ Δv with B = W⁻²T, T = I + θ e_n (y_t/|y_t|)ᵀ, so that a factor of M + ĤᵀB Ĥ over the bodies does
it. θ = 1 is the true derivative; θ = 0 that of a convex problem whose shift is held.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.cone import (
    curvature,
    direction_1,
    direction_2,
    inner,
    scale,
    second_order,
    set_stiffness,
    smallest_product,
    take_step,
    way_to_boundary,
)
from tinkerdyne.engine.contact.factor import factor_island, solve_island
from tinkerdyne.engine.contact.problem import Body, Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.product import (
    add_block,
    add_joint_forces,
    assemble,
    body_at,
    contact_at,
    copy_vector,
    joint_at,
    joint_rates,
    move_vector,
    push,
    rate,
)

LEAST_START = 1e-3  # m/s
NEAR_BOUNDARY = 0.99  # of the way to the cones
NEIGHBOURHOOD = 1e-3  # of μ̄: the smallest product of eigenvalues
LEAST_CENTRE = 1e-4  # σ at least
SHORT = 0.2  # a step this short asks for more centring
MORE_CENTRE = 0.3
RATIO = 1.0
LAG = 1.0  # of what a contact's shift lags behind |y_t|: its product is not made smaller than that
BLOCKING = 0.4  # contacts that allow no longer step have their shifts held, …
HELD = 4.0  # … for so many iterations


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


@compiled
def hold_shifts(P: Problem, X: Floats, island: Island) -> None:
    """Make the problem convex: shifts stay what they are by the velocities that were measured last."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        u = point.u
        point.shift = point.mu * math.sqrt(u[1] * u[1] + u[2] * u[2])


@compiled
def find_defects(P: Problem, X: Floats, island: Island) -> None:
    """force = M (v_free − v) + Ĥᵀr̂ + Jᵀλ, what joints lack, and the gaps Ĥv + b̂ − (δ, y_t)."""
    v, v_free, force = at(X, P.v), at(X, P.v_free), at(X, P.force)
    change = at(X, P.dv)
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            change[i] = v_free[i] - v[i]
            force[i] = 0.0
        add_block(at(X, body.M), body, at(change, body.dof), 1.0, at(force, body.dof))
    add_joint_forces(P, X, island, at(X, P.lam), force)
    joint_lacks(P, X, island, v, at(X, P.target), at(X, P.row_defect))
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        mu, y, z, gap = point.mu, point.y, point.z, point.gap
        push(P, X, contact, z[0], mu * z[1], mu * z[2], force)
        n, t1, t2 = rate(P, X, contact, v)
        gap[0] = n + point.b[0] - point.delta
        if point.shift >= 0.0:
            gap[0] += point.shift - math.sqrt(y[1] * y[1] + y[2] * y[2])
        gap[1], gap[2] = mu * (t1 + point.b[1]) - y[1], mu * (t2 + point.b[2]) - y[2]


@compiled
def joint_lacks(P: Problem, X: Floats, island: Island, v: Floats, wanted: Floats, out: Floats) -> None:
    """wanted − J v."""
    joint_rates(P, X, island, v, out)
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            out[i] = wanted[i] - out[i]


@compiled
def solve_step(P: Problem, X: Floats, island: Island, theta: float) -> None:
    """Δv, Δλ, Δr̂ and Δy from g of every contact, the force and what the joints lack; refined once."""
    dv, dlam = at(X, P.dv), at(X, P.dlam)
    copy_vector(P, island, at(X, P.force), dv)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        push(P, X, contact, point.g[0], point.mu * point.g[1], point.mu * point.g[2], dv)
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            dlam[i] = X[P.row_defect + i]
    solve_island(P, X, island, dv, dlam)
    negate_rows(P, island, dlam)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        dy, dz, g, gap = point.dy, point.dz, point.g, point.gap
        n, t1, t2 = rate(P, X, contact, dv)
        respond(point, n, point.mu * t1, point.mu * t2)
        dz[0], dz[1], dz[2] = dz[0] + g[0], dz[1] + g[1], dz[2] + g[2]
        dy[0], dy[1], dy[2] = dy[0] + gap[0] + point.curve, dy[1] + gap[1], dy[2] + gap[2]
    refine(P, X, island)
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        y, dy = point.y, point.dy
        share = share_of(point, theta)
        dy[0] += direction_1(point, share) * dy[1] + direction_2(point, share) * dy[2]


@inlined
def respond(point: Point, n: float, t1: float, t2: float) -> None:
    """Δy = ĤΔv and Δr̂ = −B ĤΔv."""
    B, dy, dz = point.B, point.dy, point.dz
    dy[0], dy[1], dy[2] = n, t1, t2
    dz[0] = -(B[0] * n + B[1] * t1 + B[2] * t2)
    dz[1] = -(B[3] * n + B[4] * t1 + B[5] * t2)
    dz[2] = -(B[6] * n + B[7] * t1 + B[8] * t2)


@inlined
def negate_rows(P: Problem, island: Island, x: Floats) -> None:
    """The matrix has −λ as its unknown."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            x[i] = -x[i]


@compiled
def refine(P: Problem, X: Floats, island: Island) -> None:
    """Solve once more for what the step leaves of  M Δv − ĤᵀΔr̂ − JᵀΔλ = force,  J Δv = row defect."""
    dv, dlam, defect = at(X, P.dv), at(X, P.dlam), at(X, P.defect)
    copy_vector(P, island, at(X, P.force), defect)
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        add_block(at(X, body.M), body, at(dv, body.dof), -1.0, at(defect, body.dof))
    add_joint_forces(P, X, island, dlam, defect)
    joint_lacks(P, X, island, dv, at(X, P.row_defect), at(X, P.row_work))
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        push(P, X, contact, point.dz[0], point.mu * point.dz[1], point.mu * point.dz[2], defect)
    more = at(X, P.row_work)
    solve_island(P, X, island, defect, more)
    negate_rows(P, island, more)
    move_vector(P, island, defect, 1.0, dv)
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            dlam[i] += more[i]
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        point = Point(at(X, contact.point))
        dy, dz = point.dy, point.dz
        y0, y1, y2, z0, z1, z2 = dy[0], dy[1], dy[2], dz[0], dz[1], dz[2]
        n, t1, t2 = rate(P, X, contact, defect)
        respond(point, n, point.mu * t1, point.mu * t2)
        dy[0], dy[1], dy[2] = dy[0] + y0, dy[1] + y1, dy[2] + y2
        dz[0], dz[1], dz[2] = dz[0] + z0, dz[1] + z1, dz[2] + z2


# --- one iteration -----------------------------------------------------------------------------------------


@compiled
def mean_product(P: Problem, X: Floats, island: Island) -> float:
    """μ̄ = Σ y·r̂/m / n: with the masses that contacts meet, heavy and light ones are near their ends together."""
    total = 0.0
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        total += inner(point) / point.mass
    return total / (island.contact_end - island.contact)


@compiled
def product_after(P: Problem, X: Floats, island: Island, alpha: float) -> float:
    """μ̄ after a step of length α."""
    total = 0.0
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        y, z, dy, dz = point.y, point.z, point.dy, point.dz
        for i in range(3):
            total += (y[i] + alpha * dy[i]) * (z[i] + alpha * dz[i]) / point.mass
    return total / (island.contact_end - island.contact)


@compiled
def longest_step(P: Problem, X: Floats, island: Island) -> float:
    """How far all contacts may go along their steps, 1 at most."""
    alpha = 1.0 / NEAR_BOUNDARY
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        alpha = min(alpha, way_to_boundary(point.y, point.delta, point.dy))
        alpha = min(alpha, way_to_boundary(point.z, point.slack, point.dz))
    return alpha


@compiled
def correct(P: Problem, X: Floats, island: Island, target: float, theta: float) -> float:
    """The centred step, from the predictor in (Δy, Δr̂); returns how far it may go."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        B, g, gap, z = point.B, point.g, point.gap, point.z
        lag = LAG * gap[0] if point.shift < 0.0 else 0.0
        second_order(point, max(target, lag * lag) * point.mass)
        gap0 = gap[0] + point.curve
        g[0] -= z[0] + B[0] * gap0 + B[1] * gap[1] + B[2] * gap[2]
        g[1] -= z[1] + B[3] * gap0 + B[4] * gap[1] + B[5] * gap[2]
        g[2] -= z[2] + B[6] * gap0 + B[7] * gap[1] + B[8] * gap[2]
    solve_step(P, X, island, theta)
    return min(1.0, NEAR_BOUNDARY * longest_step(P, X, island))


@compiled
def predict(P: Problem, X: Floats, island: Island, theta: float) -> None:
    """The step towards μ̄ = 0."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        B, g, gap, z = point.B, point.g, point.gap, point.z
        point.curve = 0.0
        g[0] = -z[0] - (B[0] * gap[0] + B[1] * gap[1] + B[2] * gap[2])
        g[1] = -z[1] - (B[3] * gap[0] + B[4] * gap[1] + B[5] * gap[2])
        g[2] = -z[2] - (B[6] * gap[0] + B[7] * gap[1] + B[8] * gap[2])
    solve_step(P, X, island, theta)


@inlined
def share_of(point: Point, theta: float) -> float:
    """θ of one contact: 0 while its shift is held."""
    return 0.0 if point.held > 0.0 else theta


@compiled
def factor_at(P: Problem, X: Floats, island: Island, theta: float) -> None:
    """Scale the contacts, and factor the matrix of Newton's step."""
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        scale(point)
        set_stiffness(point, share_of(point, theta))
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
            way_to_boundary(point.y, point.delta, point.dy), way_to_boundary(point.z, point.slack, point.dz)
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
def move(P: Problem, X: Floats, island: Island, longest: float) -> float:
    """Step: each contact as far as it may go itself."""
    most = min(1.0, RATIO * longest)
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        far = min(
            way_to_boundary(point.y, point.delta, point.dy), way_to_boundary(point.z, point.slack, point.dz)
        )
        alpha = min(most, NEAR_BOUNDARY * far)
        least = NEIGHBOURHOOD * IslandValues(at(X, island.values)).centre * point.mass
        point.delta = take_step(point.y, point.delta, point.dy, alpha)
        point.slack = take_step(point.z, point.slack, point.dz, alpha)
        for _ in range(12):
            if smallest_product(point) >= min(least, 1e-3 * inner(point)):
                break
            point.delta = take_step(point.y, point.delta, point.dy, -0.3 * alpha)
            point.slack = take_step(point.z, point.slack, point.dz, -0.3 * alpha)
            alpha = 0.7 * alpha
    v, lam = at(X, P.v), at(X, P.lam)
    move_vector(P, island, at(X, P.dv), most, v)
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for i in range(joint.row, joint.row + joint.rows):
            lam[i] += most * X[P.dlam + i]
    IslandValues(at(X, island.values)).step = longest
    return longest
