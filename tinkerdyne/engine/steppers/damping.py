"""Kicks with forces that depend on velocity:  v = start + h W Q(q, v) − W Jᵀμ,  solved to convergence.

The first guess takes each object's own damping as it is, which is exact for drag in proportion to mass. The
rest is found by generalised conjugate residuals on the projected equation, P(start + h W Q(v) − v) = 0 with P
the projection onto J v = 0, preconditioned by each object's own (1 + h W D)⁻¹. For forces linear in v this
ends after as many rounds as there are different eigenvalues: two particles and a damper of any strength take
two.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import DAMPING, MOTION, blocks, damping_blocks, forces, invert
from tinkerdyne.engine.exact import exact_solve
from tinkerdyne.engine.product import add_WJt, times_J, times_W
from tinkerdyne.engine.records import Flag, Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, gather, largest, rows, vels
from tinkerdyne.engine.yielding import pull_yielding

# share of the motion that h/2 of damping takes away, above which the first kick is implicit too: at order one
# then
STIFF = 0.25
PATIENCE = 30  # directions of conjugate gradients that may pass without a smaller residual
KEPT = 8  # directions kept; their vectors live in the room of the Runge–Kutta stages
MOST_ROUNDS = 1000  # directions at most: the operator is nearly symmetric, so that few kept ones are enough
ENOUGH = 1e-13  # of the largest velocity


@compiled
def correct(I: Index, S: Scalars, v: Floats) -> None:
    """v −= W Jᵀ μ with A μ = Row.RES."""
    mu = rows(I, S, Row.MU)
    exact_solve(I, S, rows(I, S, Row.RES), mu)
    add_WJt(I, S, mu, v, -1.0)


@compiled
def flatten(I: Index, S: Scalars, x: Floats) -> None:
    """x ← P x: what of a change of velocity the constraints allow."""
    if I.nr > 0:
        times_J(I, S, x, rows(I, S, Row.RES))
        correct(I, S, x)


@compiled
def damping_ratio(I: Index, S: Scalars, h: float) -> float:
    """The largest h·(W D)_ii over all velocities: how stiff the damping is. D goes to the objects' blocks."""
    damping_blocks(I, S, DAMPING)
    most = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        for i in range(n):
            s = 0.0
            for k in range(n):
                s += S[T.W + i * n + k] * S[T.damping + k * n + i]
            most = max(most, h * s)
    return most


@compiled
def is_stiff(I: Index, S: Scalars, h: float) -> int:
    """Whether damping changes the motion that there is by a large share in a time h.

    An object by itself may be damped stiffly while what it is tied to carries it along: then |P h W (Q(v) −
    Q(0))| in the norm of the kinetic energy is small, and so is the error of an explicit kick.
    """
    if damping_ratio(I, S, h) <= STIFF:
        return 0
    n = I.nv
    v = at(S, I.v)
    Q = at(S, I.force)
    keep = vels(I, S, Vel.TRY)
    change = vels(I, S, Vel.EXTRA)
    x = vels(I, S, Vel.KICK)
    copy(v, keep, n)
    copy(Q, change, n)
    for i in range(n):
        v[i] = 0.0
    blocks(I, S, MOTION)
    forces(I, S)
    copy(keep, v, n)
    for i in range(n):
        keep[i] = change[i]
        change[i] -= Q[i]
    copy(keep, Q, n)
    times_W(I, S, change, x)
    flatten(I, S, x)
    size = 0.0
    for i in range(n):
        size += x[i] * change[i]
    return 1 if h * math.sqrt(max(0.0, size)) > STIFF * math.sqrt(2.0 * S.kinetic) else 0


@compiled
def invert_blocks(I: Index, S: Scalars, h: float) -> None:
    """D ← (1 + h W D)⁻¹ for every object."""
    tmp = at(S, I.stages)
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        D = at(S, T.damping)
        W = at(S, T.W)
        for i in range(n):
            for j in range(n):
                s = 1.0 if i == j else 0.0
                for k in range(n):
                    s += h * W[i * n + k] * D[k * n + j]
                tmp[i * n + j] = s
        invert(tmp, D, n)


@compiled
def precondition(I: Index, S: Scalars, x: Floats, y: Floats) -> None:
    """y = (1 + h W D)⁻¹ x by blocks."""
    base = I.v
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        b = T.v - base
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += S[T.damping + i * n + j] * x[b + j]
            y[b + i] = s


@compiled
def residual(I: Index, S: Scalars, h: float, start: Floats, r: Floats) -> None:
    """r = P(start + h W Q(v) − v) at the present v; what P takes away is W Jᵀ μ, with μ in Row.MU."""
    v = at(S, I.v)
    blocks(I, S, MOTION)
    S.energy = forces(I, S)
    if S.yielding > 0.0:
        pull_yielding(I, S, rows(I, S, Row.TRY))
    times_W(I, S, at(S, I.force), r)
    for i in range(I.nv):
        r[i] = start[i] + h * r[i] - v[i]
    flatten(I, S, r)


@compiled
def first_guess(I: Index, S: Scalars, h: float, start: Floats, kick: Floats) -> None:
    """v ← start + (1 + h W D)⁻¹ h W Q(start), then onto the constraints: the solution already where W D is
    one number."""
    n = I.nv
    v = at(S, I.v)
    free = vels(I, S, Vel.TRY)
    times_W(I, S, at(S, I.force), free)
    for i in range(n):
        free[i] *= h
    precondition(I, S, free, kick)
    for i in range(n):
        v[i] = start[i] + kick[i]
    if I.nr > 0:
        # later changes stay in the tangent space
        res = rows(I, S, Row.RES)
        work = rows(I, S, Row.WORK)
        r1 = rows(I, S, Row.REF1)
        gather(I, S, 1, res)
        times_J(I, S, kick, work)
        for i in range(I.nr):
            res[i] += work[i] - r1[i]
        correct(I, S, v)


@compiled
def mass_product(I: Index, S: Scalars, x: Floats, y: Floats) -> float:
    """xᵀ M y: in this product 1 + h W D is symmetric, and light parts weigh no more than they do."""
    base = I.v
    total = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        b = T.v - base
        if T.flags & Flag.FIXED != 0:
            continue
        if T.flags & Flag.DIAGONAL != 0:
            for i in range(n):
                total += x[b + i] * S[T.diagonals + n + i] * y[b + i]
        else:
            for i in range(n):
                for j in range(n):
                    total += x[b + i] * S[T.M + i * n + j] * y[b + j]
    return total


@inlined
def rounding_of(I: Index, S: Scalars, h: float, start: Floats) -> float:
    """The residual cannot be known better than the kick it is the rest of."""
    v = at(S, I.v)
    keep = vels(I, S, Vel.TRY)
    times_W(I, S, at(S, I.force), keep)
    floor = 0.0
    for i in range(I.nv):
        floor = max(floor, ENOUGH * (math.fabs(start[i]) + math.fabs(v[i]) + h * math.fabs(keep[i])))
    return floor


@inlined
def times_damped(I: Index, S: Scalars, h: float, start: Floats, r: Floats, p: Floats, Ap: Floats) -> None:
    """A p = r(v) − r(v + p), exact where forces are linear in velocities; r belongs to the present v."""
    n = I.nv
    v = at(S, I.v)
    keep = vels(I, S, Vel.TRY)
    copy(v, keep, n)
    for i in range(n):
        v[i] += p[i]
    residual(I, S, h, start, Ap)
    copy(keep, v, n)
    for i in range(n):
        Ap[i] = r[i] - Ap[i]


@inlined
def go_along(I: Index, S: Scalars, r: Floats, p: Floats, Ap: Floats, f: float) -> float:
    """v += f p and r −= f A p; returns the largest entry of r."""
    v = at(S, I.v)
    size = 0.0
    for i in range(I.nv):
        v[i] += f * p[i]
        r[i] -= f * Ap[i]
        size = max(size, math.fabs(r[i]))
    return size


@inlined
def conjugate(I: Index, S: Scalars, h: float, start: Floats, r: Floats, floor: float) -> float:
    """Conjugate gradients with the blocks (1 + h W D)⁻¹ as the preconditioner, in the product xᵀ M y.

    Returns what is left of r. It ends early where forces are not symmetric in velocities, or not linear.
    """
    n = I.nv
    z = at(S, I.stages)
    p = at(S, I.stages + n)
    Ap = at(S, I.stages + 2 * n)
    size = largest(r, n)
    best = size
    slope = 0.0
    waited = 0
    for k in range(MOST_ROUNDS):
        if not (size > floor) or waited > PATIENCE:
            break
        precondition(I, S, r, z)
        flatten(I, S, z)
        before = slope
        slope = mass_product(I, S, r, z)
        beta = slope / before if k > 0 else 0.0
        for i in range(n):
            p[i] = z[i] + (beta * p[i] if k > 0 else 0.0)
        times_damped(I, S, h, start, r, p, Ap)
        curve = mass_product(I, S, p, Ap)
        if not (slope > 0.0) or not (curve > 0.0):
            break
        size = go_along(I, S, r, p, Ap, slope / curve)
        waited = waited + 1 if size > 0.99 * best else 0
        best = min(best, size)
    return size


@inlined
def minimise_residual(I: Index, S: Scalars, h: float, start: Floats, r: Floats, floor: float) -> float:
    """Generalised conjugate residuals, which need no symmetry: a direction lowers |r| where forces brake."""
    n = I.nv
    size = largest(r, n)
    for k in range(MOST_ROUNDS):
        if not (size > floor):
            break
        p = direction(I, S, k)
        Ap = at(p, n)
        copy(r, p, n)
        times_damped(I, S, h, start, r, p, Ap)
        for j in range(max(0, k - KEPT + 1), k):
            q = direction(I, S, j)
            Aq = at(q, n)
            f = mass_product(I, S, Ap, Aq) / mass_product(I, S, Aq, Aq)
            for i in range(n):
                p[i] -= f * q[i]
                Ap[i] -= f * Aq[i]
        length = mass_product(I, S, Ap, Ap)
        if not (length > 0.0):
            break
        size = go_along(I, S, r, p, Ap, mass_product(I, S, r, Ap) / length)
    return size


@inlined
def direction(I: Index, S: Scalars, k: int) -> Floats:
    """The place of direction k among those kept; A times it follows."""
    return at(S, I.stages + 2 * (k % KEPT) * I.nv)


@compiled
def damped_kick(I: Index, S: Scalars, h: float) -> None:
    """v ← the solution, from v = start, to which Q and ċ belong; then Q belongs to v, and μ of the whole kick
    is in Row.MU. What is left of the equation goes to S.unkicked, in units of its rounding."""
    n = I.nv
    start = vels(I, S, Vel.START)
    r = vels(I, S, Vel.EXTRA)
    damping_blocks(I, S, DAMPING)
    invert_blocks(I, S, h)
    copy(at(S, I.v), start, n)
    first_guess(I, S, h, start, r)
    residual(I, S, h, start, r)
    floor = rounding_of(I, S, h, start)
    size = largest(r, n)
    if size > floor:
        size = conjugate(I, S, h, start, r, floor)
        if size > floor:
            residual(I, S, h, start, r)
            size = minimise_residual(I, S, h, start, r, floor)
        residual(I, S, h, start, r)  # for the forces, and for μ: start + h W Q(v) − v = W Jᵀ μ
    S.unkicked = max(S.unkicked, size / floor if floor > 0.0 else 0.0)
