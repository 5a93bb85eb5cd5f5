"""Multipliers to the last digits that the matrix has, whatever the ratio of masses (E9, R7)."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.conjugate_gradient import dot, times_A
from tinkerdyne.engine.kkt import norm_max, solve
from tinkerdyne.engine.product import add_WJt, times_J
from tinkerdyne.engine.records import Index, Scalars
from tinkerdyne.engine.yielding import clear_rows

ENOUGH = 1e-11  # a residual below this share of the right-hand side is rounding
SETTLED = 1e-5  # … and below this, one more correction makes it so
NOTED = 1e-9  # a residual that is kept, relative
ROUNDINGS = 1e-6  # of a velocity: right-hand sides below are mostly rounding
CLOUDED = 2e-3  # of the right-hand side: rounding that large hides every error
ULPS = 1e-13  # of A_ii λ_i: some hundred roundings
STALLED = 4  # directions in a row that do not lower the residual: what is left cannot be met
INVERSE_ROUNDS, SINGULAR = 3, 10.0  # of looking for the least eigenvalue; below so many ε it is none
MOST_DIRECTIONS = 60  # of conjugate residuals: as many light parts in a row may carry a heavy one


@inlined
def true_residual(I: Index, S: Scalars, b: Floats, lam: Floats, r: Floats, y: Floats) -> float:
    """r = b − J W Jᵀ λ without the rows that are out of the equation; returns its largest entry."""
    for i in range(I.nv):
        y[i] = 0.0
    add_WJt(I, S, lam, y, 1.0)
    times_J(I, S, y, r)
    for i in range(I.nr):
        r[i] = b[i] - r[i]
    if S.yielding > 0.0:
        clear_rows(I, S, r)
    return norm_max(r, I.nr)


@inlined
def follow_directions(I: Index, S: Scalars, lam: Floats, now: float, size: float) -> None:
    """Conjugate residuals from λ with residual r and z = P⁻¹r, until r is rounding or falls no more."""
    n = I.nr
    base = I.cg
    r = at(S, base)
    z = at(S, base + n)
    p = at(S, base + 2 * n)
    Az = at(S, base + 3 * n)
    Ap = at(S, base + 4 * n)
    w = at(S, base + 5 * n)
    y = at(S, base + 7 * n)
    times_A(I, S, z, Az, y)
    if S.yielding > 0.0:
        clear_rows(I, S, Az)
    copy_rows(z, p, n)
    copy_rows(Az, Ap, n)
    slope = dot(z, Az, n)
    best = now
    stalled = 0
    for _ in range(MOST_DIRECTIONS):
        solve(I, S, Ap, w)
        curve = dot(Ap, w, n)
        if not (slope > 0.0) or not (curve > 0.0):
            break
        alpha = slope / curve
        for i in range(n):
            lam[i] += alpha * p[i]
            r[i] -= alpha * Ap[i]
            z[i] -= alpha * w[i]
        now = norm_max(r, n)
        if now < 0.9 * best:
            best = now
            stalled = 0
        else:
            stalled += 1
        if now <= ENOUGH * size or stalled >= STALLED:
            break
        times_A(I, S, z, Az, y)
        if S.yielding > 0.0:
            clear_rows(I, S, Az)
        before = slope
        slope = dot(z, Az, n)
        for i in range(n):
            p[i] = z[i] + slope / before * p[i]
            Ap[i] = Az[i] + slope / before * Ap[i]


@compiled
def exact_solve(I: Index, S: Scalars, b: Floats, lam: Floats) -> float:
    """λ = A⁻¹ b to the last digits that A has; returns the largest entry of the true residual b − A λ.

    By conjugate residuals with the regularised factor P = A + ε D as the preconditioner. Where a light part
    hands a heavy load through, an eigenvalue of A is as small as the ratio of masses, below ε. Plain
    refinement then gains a share μ/(μ + ε) a step; conjugate residuals find each such direction in one.
    Contradictory rows leave their least-squares residual.

        z = P⁻¹r, p = z;   α = zᵀA z / (A p)ᵀP⁻¹(A p),   λ += α p,   z −= α P⁻¹A p,   p = z + β p
    """
    n = I.nr
    base = I.cg
    r = at(S, base)
    z = at(S, base + n)
    y = at(S, base + 7 * n)
    solve(I, S, b, lam)
    size = norm_max(b, n)
    now = true_residual(I, S, b, lam, r, y)
    S.disagreement = now / size if size > 0.0 else 0.0
    if S.solver != 0.0 or not (now > ENOUGH * size):
        return now
    solve(I, S, r, z)
    if now <= SETTLED * size:  # the factor is as good as exact: this correction is the last one
        for i in range(n):
            lam[i] += z[i]
        return now * now / size
    follow_directions(I, S, lam, now, size)
    return true_residual(I, S, b, lam, r, y)


@compiled
def beyond_rounding(I: Index, S: Scalars, lam: Floats) -> float:
    """The residual of the last exact solve without what a row's own A λ loses in rounding: of light parts
    that is a large acceleration and a tiny force."""
    r = at(S, I.cg)
    diagonal = at(S, I.scale)
    worst = 0.0
    for i in range(I.nr):
        worst = max(worst, math.fabs(r[i]) - ULPS * diagonal[i] * math.fabs(lam[i]))
    return worst


@compiled
def note_residual(I: Index, S: Scalars, left: float, size: float, lam: Floats, x: Floats) -> None:
    """Keep how far off the forces λ are of the last exact solve, whose right-hand side was of this size and
    of which `left` was left; x is what they act on, whose roundings a small right-hand side may be.

    What a row's own A λ loses in rounding is no error. But where that is as large as the right-hand side
    itself, the factor is none; the other solvers, which scale rows by their masses, still find the forces.
    Where constraints yield or are singular, no forces meet them all: that is told otherwise."""
    if S.soft != 0.0 or S.springs != 0.0 or not (left > NOTED * size):
        return
    scale = max(size, ROUNDINGS * norm_max(x, I.nv))
    worst = beyond_rounding(I, S, lam)
    if left > CLOUDED * scale and S.solver == 0.0:
        worst = left
    if scale > 0.0:
        S.residual = max(S.residual, worst / scale)


@inlined
def copy_rows(x: Floats, y: Floats, n: int) -> None:
    for i in range(n):
        y[i] = x[i]


@compiled
def has_redundant_rows(I: Index, S: Scalars, epsilon: float) -> int:
    """Whether A is singular at the present state, by three rounds of inverse iteration with its factor.

    Pivots do not tell: that of the last row in a dependent set may be anything.
    """
    n = I.nr
    x = at(S, I.cg)
    y = at(S, I.cg + n)
    work = at(S, I.cg + 7 * n)
    scale = at(S, I.scale)
    for i in range(n):
        x[i] = 1.0 + 0.5 * math.sin(1.0 + i * i)
    for _ in range(INVERSE_ROUNDS):
        for i in range(n):
            y[i] = scale[i] * x[i]
        solve(I, S, y, x)
        size = norm_max(x, n)
        for i in range(n):
            x[i] /= size
    times_A(I, S, x, y, work)
    top = dot(x, y, n)
    bottom = 0.0
    for i in range(n):
        bottom += scale[i] * x[i] * x[i]
    return 1 if top < SINGULAR * epsilon * bottom else 0
