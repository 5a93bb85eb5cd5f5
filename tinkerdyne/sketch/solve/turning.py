"""How a body may have turned through a flight: hypotheses of its orientation and spin, best first (M3, M4).

A free rotation is found from orientations q_i at times t_i by least squares,

    min Σ |2 vec(q_i* q(t_i; q₀, ω₀))|²,

with Levenberg and Marquardt's steps. That has many local minima where a body turns over, or turns far
between two samples. So it begins at several samples, each with the spin that its neighbours show, and takes
in more of them step by step; and with turns more or less between the first sample and the last.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import (
    conjugate,
    exponential,
    exponential_of,
    multiplied,
    product,
    products,
    vector,
)
from tinkerdyne.sketch.problem.flight import flown, turn
from tinkerdyne.sketch.tell.shape import SpinKind

STEPS = 12  # of Levenberg and Marquardt's in one fit
GROWS = 1.6  # times as many samples in each fit as in the one before it
FIRST = 5  # samples in the first fit
LITTLE = 1e-4  # of the cost: a step that makes less of it ends a fit
DAMPED, STIFFER, LOOSER = 1e-3, 6.0, 0.2  # damping, relative, and its factors after a step that fails or not
ALIKE = 0.05  # rad, of spin times duration: hypotheses that differ by less are one
PARTS = 4  # of the integration of a body without a closed form: enough for a guess
WORSE, VAGUE = 4.0, 0.3  # of the best one's cost, and rad: what a hypothesis may be off
WINDINGS = (1, -1)  # turns more between the first sample and the last


class Turning(NamedTuple):
    """The orientation and the spin at the start of a flight, and the sum of squares that is left."""

    q: Array
    w: Array
    cost: float


def turnings(
    kind: SpinKind, turns: Array, t: Array, moments: Array, mean: Array, *, several: bool = True
) -> list[Turning]:
    """Hypotheses of a flight that shows orientations (n, 4) at times t (n,), from its mean spin, and if
    several are wanted from those that its samples show, and from turns more or less; the best first."""
    found = [_grown(kind, turns, t, moments, 0, mean, at_once=True)]
    if not several:
        return found
    for k in sorted({0, len(turns) // 2, len(turns) - 1}):
        found.append(_grown(kind, turns, t, moments, k, _shown(turns, t, k), at_once=False))
    span, size = float(t[-1] - t[0]), float(np.linalg.norm(mean))
    for more in WINDINGS if span > 0 and size > 0 else ():
        wound = mean * (1 + more * 2 * np.pi / (size * span))
        found.append(_grown(kind, turns, t, moments, 0, wound, at_once=True))
    out: list[Turning] = []
    for one in sorted((one for one in found if np.isfinite(one.cost)), key=lambda one: one.cost):
        is_likely = not out or one.cost < WORSE * out[0].cost + VAGUE**2 * len(turns)
        if is_likely and all(np.linalg.norm(one.w - other.w) * span > ALIKE for other in out):
            out.append(one)
    return out or found[:1]


def _shown(turns: Array, t: Array, k: int) -> Array:
    """The spin at a sample in the body's axes, that its two neighbours on each side show."""
    i, j = max(k - 1, 0), min(k + 1, len(turns) - 1)
    by = vector(products(conjugate(turns[i:j]), turns[i + 1 : j + 1]))
    return np.asarray(by.sum(axis=0) / max(float(t[j] - t[i]), 1e-6))


def _grown(
    kind: SpinKind, turns: Array, t: Array, moments: Array, k: int, w: Array, *, at_once: bool
) -> Turning:
    """A fit that begins at sample k, and takes in more and more about it unless it takes all at once."""
    n, q = len(turns), turns[k]
    count = n if at_once else min(FIRST, n)
    while True:
        low = int(np.clip(k - count // 2, 0, n - count))
        rows = slice(low, low + count)
        q, w, cost = _fit(kind, turns[rows], t[rows] - t[k], moments, q, w)
        if count == n:
            break
        count = min(n, int(np.ceil(count * GROWS)))
    _, start, _, spin = flown(
        kind, (np.zeros(3), q, np.zeros(3), w), moments, np.zeros(3), np.array([-float(t[k])])
    )
    return Turning(start[0], spin[0], cost)


def _fit(kind: SpinKind, turns: Array, t: Array, moments: Array, q: Array, w: Array) -> Turning:
    """Levenberg and Marquardt's steps from one orientation and spin."""
    rows = _rows(kind, len(turns))
    scale = np.concatenate([np.ones(3), np.full(3, 1 / max(float(np.abs(t).max()), 1e-6))])
    r, J = _residual(rows, turns, t, moments, q, w)
    cost, damping = float(r @ r), DAMPED
    for _ in range(STEPS):
        A = J * scale
        square = A.T @ A
        by = scale * np.linalg.solve(square + damping * np.diag(square.diagonal() + 1e-9), -A.T @ r)
        to, spin = multiplied(q, exponential_of(by[:3])), w + by[3:]
        r_new, J_new = _residual(rows, turns, t, moments, to, spin)
        new = float(r_new @ r_new)
        if not new < cost:
            damping *= STIFFER
            continue
        gained, damping = cost - new, damping * LOOSER
        q, w, r, J, cost = to, spin, r_new, J_new, new
        if gained < LITTLE * cost:
            break
    return Turning(q / np.linalg.norm(q), w, cost)


def _residual(
    rows: ca.Function, turns: Array, t: Array, moments: Array, q: Array, w: Array
) -> tuple[Array, Array]:
    """The residuals (3n,), each with the sign of the shorter way, and their slopes (3n, 6)."""
    n = len(turns)
    r, J = rows(
        np.tile(q[:, None], n), np.tile(w[:, None], n), np.tile(moments[:, None], n), t[None], turns.T
    )
    return np.array(r).T.ravel(), np.array(J).reshape(3, n, 6).transpose(1, 0, 2).reshape(-1, 6)


@functools.lru_cache(maxsize=64)
def _rows(kind: SpinKind, count: int) -> ca.Function:
    """(q, w, moments, t, q_i) by columns → residuals (3, n), slopes by rotation vector and spin (3, 6 n)."""
    q, w, moments, t, wanted = (ca.SX.sym(name, n) for name, n in zip("qwmts", (4, 3, 3, 1, 4), strict=True))
    by = ca.SX.sym("by", 3)
    turned, _ = turn(kind, w, moments, t, PARTS)
    end = product(product(q, exponential(by)), turned)
    off = product(ca.vertcat(wanted[0], -wanted[1:4]), end)
    r = 2 * ca.if_else(off[0] < 0, -1, 1) * off[1:4]
    J = ca.jacobian(r, ca.vertcat(by, w))
    one = ca.Function("turning", [q, w, moments, t, wanted, by], [r, J])
    at_rest = ca.Function(
        "turning", [q, w, moments, t, wanted], one(q, w, moments, t, wanted, ca.SX.zeros(3))
    )
    return at_rest.map(count)


__all__ = ["Turning", "turnings"]
