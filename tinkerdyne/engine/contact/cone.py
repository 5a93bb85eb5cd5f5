"""The Lorentz cone of one contact, z0 ≥ |z_t|: products, projection, and Nesterov and Todd's scaling.

Near its boundary z0 − |z_t| loses its digits, so that difference is kept as a number of its own: δ of y,
which is the normal velocity itself (De Saxcé's shift, y0 = u_n + |y_t|), and `slack` of r̂.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Point


@inlined
def note_sizes(point: Point) -> None:
    """|y_t|, its direction and |r̂_t|, which all that follows reads: roots and quotients are what this
    costs."""
    y, z, e = point.y, point.z, point.e
    a = math.sqrt(y[1] * y[1] + y[2] * y[2])
    per = 1.0 / a if a > 0.0 else 0.0
    point.across, point.along = a, math.sqrt(z[1] * z[1] + z[2] * z[2])
    e[0], e[1] = per * y[1], per * y[2]


@compiled
def inner(point: Point) -> float:
    """y·r̂ without cancellation:  δs + δ|r_t| + s|y_t| + (|y_t||r_t| + y_t·r_t)."""
    y, z = point.y, point.z
    a, b = point.across, point.along
    rest = 0.0
    if a * b > 0.0:
        e1, e2 = b * y[1] + a * z[1], b * y[2] + a * z[2]
        rest = 0.5 * (e1 * e1 + e2 * e2) / (a * b)
    return point.delta * point.slack + point.delta * b + point.slack * a + rest


@inlined
def determinants(point: Point) -> tuple[float, float]:
    """det y and det r̂."""
    delta, slack = point.delta, point.slack
    return delta * (delta + 2.0 * point.across), slack * (slack + 2.0 * point.along)


@inlined
def is_central(point: Point, least: float, share: float) -> int:
    """Whether the smaller eigenvalue of λ∘λ, which is y·r̂ − √((y·r̂)² − det y det r̂), is no less than `least`
    or than that share of y·r̂."""
    dy, dz = determinants(point)
    total = inner(point)
    m = min(least, share * total)
    return 1 if dy * dz >= m * (2.0 * total - m) else 0


@compiled
def scale(point: Point, product: float) -> None:
    """w, η and λ, from y·r̂, with W r̂ = W⁻¹y = λ:  W = η [w0, wᵀ; w, I + w wᵀ/(1 + w0)],  w0² − |w|² = 1."""
    y, z, w, lam = point.y, point.z, point.w, point.lam
    dy, dz = determinants(point)
    sy, sz = math.sqrt(dy), math.sqrt(dz)
    y0, y1, y2 = y[0] / sy, y[1] / sy, y[2] / sy
    z0, z1, z2 = z[0] / sz, z[1] / sz, z[2] / sz
    gamma = math.sqrt(0.5 * (1.0 + product / (sy * sz)))
    w[1], w[2] = 0.5 * (y1 - z1) / gamma, 0.5 * (y2 - z2) / gamma
    w[0] = math.sqrt(1.0 + w[1] * w[1] + w[2] * w[2])
    point.eta = math.sqrt(sy / sz)
    size = math.sqrt(sy * sz)
    share = size / (y0 + z0 + 2.0 * gamma)
    lam[0] = size * gamma
    lam[1] = share * ((gamma + z0) * y1 + (gamma + y0) * z1)
    lam[2] = share * ((gamma + z0) * y2 + (gamma + y0) * z2)


@compiled
def set_stiffness(point: Point, theta: float) -> None:
    """B = W⁻² T,   W⁻² = η⁻²(2 p pᵀ − diag(1, −1, −1)) with p = (w0, −w),   T = I + θ e_n (y_t/|y_t|)ᵀ."""
    w, B = point.w, point.B
    e1, e2 = theta * point.e[0], theta * point.e[1]
    k = 1.0 / (point.eta * point.eta)
    p0, p1, p2 = w[0], -w[1], -w[2]
    q1, q2 = p1 + p0 * e1, p2 + p0 * e2
    B[0], B[1], B[2] = k * (2.0 * p0 * p0 - 1.0), k * (2.0 * p0 * q1 - e1), k * (2.0 * p0 * q2 - e2)
    B[3], B[4], B[5] = k * 2.0 * p1 * p0, k * (2.0 * p1 * q1 + 1.0), k * 2.0 * p1 * q2
    B[6], B[7], B[8] = k * 2.0 * p2 * p0, k * 2.0 * p2 * q1, k * (2.0 * p2 * q2 + 1.0)


@compiled
def unscale(point: Point, x0: float, x1: float, x2: float) -> tuple[float, float, float]:
    """W⁻¹ x."""
    w, k = point.w, 1.0 / point.eta
    along = w[1] * x1 + w[2] * x2
    f = along / (1.0 + w[0]) - x0
    return k * (w[0] * x0 - along), k * (x1 + f * w[1]), k * (x2 + f * w[2])


@compiled
def scale_by(point: Point, x0: float, x1: float, x2: float) -> tuple[float, float, float]:
    """W x."""
    w, k = point.w, point.eta
    along = w[1] * x1 + w[2] * x2
    f = along / (1.0 + w[0]) + x0
    return k * (w[0] * x0 + along), k * (x1 + f * w[1]), k * (x2 + f * w[2])


@compiled
def second_order(point: Point, target: float) -> None:
    """g ← W⁻¹(λ \\ (target e − (W⁻¹Δy)∘(WΔr̂))), what a corrector adds to −r̂."""
    dy, dz, lam, g = point.dy, point.dz, point.lam, point.g
    a0, a1, a2 = unscale(point, dy[0], dy[1], dy[2])
    b0, b1, b2 = scale_by(point, dz[0], dz[1], dz[2])
    h0 = target - (a0 * b0 + a1 * b1 + a2 * b2)
    h1, h2 = -(a0 * b1 + b0 * a1), -(a0 * b2 + b0 * a2)
    det = lam[0] * lam[0] - lam[1] * lam[1] - lam[2] * lam[2]
    d0 = (lam[0] * h0 - lam[1] * h1 - lam[2] * h2) / det
    d1, d2 = (h1 - d0 * lam[1]) / lam[0], (h2 - d0 * lam[2]) / lam[0]
    g[0], g[1], g[2] = unscale(point, d0, d1, d2)


@compiled
def curvature(point: Point, alpha: float) -> float:
    """|y_t + αΔ| − |y_t| − αΔ·y_t/|y_t|."""
    y, dy, e = point.y, point.dy, point.e
    x1, x2 = y[1] + alpha * dy[1], y[2] + alpha * dy[2]
    return math.sqrt(x1 * x1 + x2 * x2) - point.across - alpha * (e[0] * dy[1] + e[1] * dy[2])


@inlined
def stays_inside(z: Floats, slack: float, size: float, dz: Floats, alpha: float) -> int:
    """Whether z + α dz lies in the cone, and so all of the way to it; `size` is |z_t|."""
    a = dz[0] * dz[0] - dz[1] * dz[1] - dz[2] * dz[2]
    m = z[0] * dz[0] - z[1] * dz[1] - z[2] * dz[2]
    c = slack * (slack + 2.0 * size)
    return 1 if z[0] + alpha * dz[0] > 0.0 and c + alpha * (2.0 * m + alpha * a) > 0.0 else 0


@compiled
def way_to_boundary(z: Floats, slack: float, size: float, dz: Floats) -> float:
    """The largest step along dz that stays in the cone; `size` is |z_t|."""
    c = slack * (slack + 2.0 * size)
    a = dz[0] * dz[0] - dz[1] * dz[1] - dz[2] * dz[2]
    m = z[0] * dz[0] - z[1] * dz[1] - z[2] * dz[2]
    root = m * m - a * c
    if root >= 0.0:
        down = math.sqrt(root) - m
        if down > 0.0:
            return c / down
    return 1e30


@inlined
def take_step(z: Floats, slack: float, size: float, dz: Floats, alpha: float) -> tuple[float, float]:
    """z += α dz; returns the new slack, from what changes alone, and the new |z_t|."""
    d1, d2 = alpha * dz[1], alpha * dz[2]
    z1, z2 = z[1] + d1, z[2] + d2
    after = math.sqrt(z1 * z1 + z2 * z2)
    both = size + after
    grown = (2.0 * (z[1] * d1 + z[2] * d2) + d1 * d1 + d2 * d2) / both if both > 0.0 else 0.0
    rest = slack + alpha * dz[0] - grown
    z[0], z[1], z[2] = rest + after, z1, z2
    return rest, after


@compiled
def project_friction(mu: float, n: float, t1: float, t2: float) -> tuple[float, float, float]:
    """The nearest impulse in K_μ = { |r_t| ≤ μ r_n }."""
    t = math.sqrt(t1 * t1 + t2 * t2)
    if mu * t <= -n:
        return 0.0, 0.0, 0.0
    if t <= mu * n:
        return n, t1, t2
    normal = (n + mu * t) / (1.0 + mu * mu)
    share = mu * normal / t if t > 0.0 else 0.0
    return normal, share * t1, share * t2
