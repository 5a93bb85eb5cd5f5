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
from tinkerdyne.engine.contact.aiming import aim, factor_at, predict
from tinkerdyne.engine.contact.bounds import move_bounds, start_rows
from tinkerdyne.engine.contact.cone import is_central, take_step, way_to_boundary
from tinkerdyne.engine.contact.problem import Body, Island, IslandValues, Point, Problem
from tinkerdyne.engine.contact.product import (
    body_at,
    contact_at,
    copy_vector,
    joint_at,
    move_vector,
    rate,
)
from tinkerdyne.engine.contact.step import joint_lacks
from tinkerdyne.engine.contact.turning import follow_contacts, start_turns

LEAST_START = 1e-3  # m/s
NEIGHBOURHOOD = 1e-3  # of μ̄: the smallest product of eigenvalues
SHORTENED, SHORTENINGS = 0.7, 12  # the step of a contact that would leave it, so often at most
LEAST_CENTRE, MORE_CENTRE = 1e-4, 0.3  # σ at least, and after a short step
SHORT = 0.2  # a step this short asks for more centring, and then for shifts that are held, …
BLOCKING, HELD = 0.4, 4.0  # … of the contacts that allow no longer step, for so many iterations


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
    mean = factor_at(P, X, island, theta)
    values.centre = mean
    alpha = aim(P, X, island, mean, LEAST_CENTRE, theta)
    if alpha <= SHORT:
        predict(P, X, island)
        alpha = aim(P, X, island, mean, MORE_CENTRE, theta)
    if alpha <= SHORT and theta > 0.0 and hold(P, X, island) > 0:
        factor_at(P, X, island, theta)
        alpha = aim(P, X, island, mean, MORE_CENTRE, theta)
    return move(P, X, island, alpha)


@compiled
def move(P: Problem, X: Floats, island: Island, alpha: float) -> float:
    """Step; a contact that would come too near to its boundary stays behind. Returns the length. The impulses
    are those of the new place."""
    values = IslandValues(at(X, island.values))
    for s in range(island.contact, island.contact_end):
        point = Point(at(X, contact_at(P, s).point))
        point.held = max(0.0, point.held - 1.0)
        go(point, alpha)
        own, least = alpha, NEIGHBOURHOOD * values.centre * point.mass
        for _ in range(SHORTENINGS):
            if is_central(point, least, NEIGHBOURHOOD) != 0:
                break
            go(point, (SHORTENED - 1.0) * own)
            own *= SHORTENED
        take_impulse(point)
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


@inlined
def take_impulse(point: Point) -> None:
    """r = D r̂."""
    mu, r, z = point.mu, point.r, point.z
    r[0], r[1], r[2] = z[0], mu * z[1], mu * z[2]
