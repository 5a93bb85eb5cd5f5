"""Newton's method on the optimality conditions, from the solution of a problem nearby: how an edited sketch
is solved again (M3).

With L = f + λ·g + μ·x, and A the rows that bind with their values b,

    [H  Aᵀ] [δx]      [ ∇L  ]
    [A  0 ] [δλ] = −  [g − b],

a row or bound binding when its multiplier is larger than its distance from it: the choice is made anew in
every step, as in a semismooth method. A step goes on with the factors of the one before it while that makes
the residual small fast enough; where the rows are what is left of it, J is made anew and H, which costs most,
is kept. An interior-point method has to leave the bounds first, and to come back to them.

Rows that say nearly the same, as planes do that a body lies on with more corners than it needs, would throw
their multipliers far. There −σ stands in place of the 0, which parts what they hold among them (σ δλ at most
remains, and the next step takes it).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import csc_array, diags_array
from scipy.sparse.linalg import splu

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.terms import Terms

MOST = 25  # steps
FAR = 0.5  # units: a step longer than this leaves the neighbourhood in which Newton's method may be trusted
MET, FLAT = 1e-10, 1e-8  # residual of the rows, and of the gradient, that end it
QUICK = 0.1  # of the residual that a step may leave for the next one to go on with the same factors
# of the residual where H was made: below it, and with the rows further off than the gradient, J alone is made
# anew
OLDER = 0.2
DENSE = 400  # unknowns up to which the matrix is factored whole
# of a column: such an unknown does nothing, as friction in a blow that sticks, and stays as it is
NOTHING = 1e-14
# added to each unknown's pivot where the matrix is singular: some directions do nothing, as how a ball is
# turned of which only places are shown
IDLE = 1e-7
LOUD = 10.0  # of the largest multiplier: a step that changes one by more throws it
SOFT = 1e-5  # σ
BLOCK = 64  # columns that LAPACK takes at once, if it has the room


@dataclass(frozen=True)
class Near:
    """Where Newton's method ended: x, the multipliers of rows and bounds, the cost, and the largest violation
    of a row."""

    x: Array
    lam_g: Array
    lam_x: Array
    cost: float
    violation: float
    steps: int


@dataclass(frozen=True)
class Factors:
    """The matrix K of a step, and how it is solved for what is free: unknowns off their bounds, multipliers
    of rows that bind."""

    free: Array
    K: csc_array
    solve: Callable[[Array], Array] | None  # none where it is singular, or leads to no minimum
    made: float  # the residual where H was made; zero where H is older than J

    def step(self, off: Array, flat: Array) -> Array | None:
        """The change of unknowns and multipliers that takes what is off, and the slope, away."""
        n = len(flat)
        if self.solve is None:
            return None
        change = np.concatenate([off[:n], np.zeros(len(off) - n)])  # bounds are reached at once
        right = np.concatenate([-flat, off[n:]]) - self.K @ change
        change[self.free] += self.solve(right[self.free])
        return change


def nearby(
    terms: Terms, x: Array, p: Array, bounds: dict[str, Array], lam_g: Array, lam_x: Array, *,
    far: float = FAR, quick: float = QUICK, to_the_end: bool = False,
) -> Near | None:  # fmt: skip
    """The minimum of the problem with parameters p near (x, λ, μ); none where Newton's method does not settle
    at one.

    to_the_end: it goes on while that makes the residual less.
    """
    low, high = np.concatenate([bounds["lbx"], bounds["lbg"]]), np.concatenate([bounds["ubx"], bounds["ubg"]])
    n, lam = len(x), np.concatenate([lam_x, lam_g])
    equal = low == high
    factors: Factors | None = None
    binds, last, soft = np.zeros(len(lam), bool), np.inf, 0.0
    for step in range(MOST):
        f, g, slope = terms.first(x, p, lam[n:])
        if step:  # after a step the multiplier of a bound is what holds the unknown there: μ = −∇(f + λ·g)
            lam[:n] = np.where(binds[:n], -slope, 0.0)
        value = np.concatenate([x, g])
        # a multiplier that changes its sign frees a row, and throws it to no other bound
        is_low = value - low < high - value
        at_low, at_high = (
            (lam + (value - low) < 0) & is_low & ~equal,
            (lam + (value - high) > 0) & ~is_low & ~equal,
        )
        binds = equal | at_low | at_high
        off = np.where(binds, np.where(at_high, high, low) - value, 0.0)
        if lam[n:][~binds[n:]].any():  # rows that are set free pull no more
            lam[n:] = np.where(binds[n:], lam[n:], 0.0)
            f, _, slope = terms.first(x, p, lam[n:])
        lam[:n] = np.where(binds[:n], -slope, 0.0)
        flat = np.where(binds[:n], 0.0, slope)
        size = float(np.abs(off).max(initial=0.0)), float(np.abs(flat).max(initial=0.0))
        if not np.isfinite(sum(size)):
            return None
        pushes = (at_low & (lam > FLAT)) | (at_high & (lam < -FLAT))  # inward: such a bound will be set free
        if size[0] <= MET and size[1] <= FLAT and not pushes.any() and not (to_the_end and sum(size) < last):
            wrong = np.maximum(np.maximum(low - value, value - high), 0.0)[n:]
            return Near(x, lam[n:], lam[:n], f, float(wrong.max(initial=0.0)), step)
        free = np.concatenate([~binds[:n], binds[n:]])
        if factors is None or sum(size) > quick * last or not np.array_equal(free, factors.free):
            if factors is not None and sum(size) < OLDER * factors.made and size[1] < OLDER * size[0]:
                factors = _factored(terms.bordered_anew(factors.K, x, p), n, free, made=0.0, soft=soft)
            else:
                factors = _factored(terms.second(x, p, lam[n:]), n, free, made=sum(size), soft=soft)
        last, change = sum(size), factors.step(off, flat)
        if not soft and (
            change is None or _is_far(change[:n], far) or _is_far(change[n:], LOUD * _size(lam))
        ):
            soft = SOFT
            factors = _factored(factors.K, n, free, made=factors.made, soft=soft)
            change = factors.step(off, flat)
        if change is None or _is_far(change[:n], far):
            return None
        x = x + change[:n]
        lam[n:] += change[n:]
    return None


def _is_far(change: Array, most: float) -> bool:
    return not np.abs(change).max(initial=0.0) <= most


def _size(lam: Array) -> float:
    """Of multipliers, which are about 1 where they are any."""
    return max(1.0, float(np.abs(lam).max(initial=0.0)))


def _factored(K: csc_array, n: int, free: Array, *, made: float, soft: float) -> Factors:
    """The factors of a step; without a solution where the matrix is singular, or where there is no minimum:
    one negative pivot for each row."""
    size = int(free.sum())
    if not size:  # bounds hold everything
        return Factors(free, K, lambda right: right, made)
    unknowns = np.arange(size) < int(free[:n].sum())
    if size > DENSE:
        few = K[free][:, free]
        idle = unknowns & (abs(few).sum(axis=0) < NOTHING)
        try:
            added = diags_array(np.where(unknowns, idle, -soft), format="csc")
            return Factors(free, K, splu(few + added).solve, made)
        except RuntimeError:  # "Factor is exactly singular", which SuperLU has no other way to say
            return Factors(free, K, None, made)
    part = K.toarray()[np.ix_(free, free)]
    idle = np.flatnonzero(unknowns & (np.abs(part).sum(axis=0) < NOTHING))
    part[idle, idle] = 1.0
    for shift, less in ((0.0, soft), (IDLE, SOFT - soft)):
        part[np.diag_indices(size)] += np.where(unknowns, shift, -less)
        factor, pivots, info = lapack.dsytrf(part, lower=1, lwork=BLOCK * size)
        paired = pivots < 0
        negative = int((np.diag(factor)[~paired] < 0).sum()) + int(paired.sum()) // 2
        if info == 0 and negative == int(free[n:].sum()):
            break
    else:
        return Factors(free, K, None, made)
    return Factors(
        free, K, lambda right: np.asarray(lapack.dsytrs(factor, pivots, right, lower=1)[0]).ravel(), made
    )


__all__ = ["Near", "nearby"]
