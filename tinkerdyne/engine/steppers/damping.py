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
from tinkerdyne.engine.records import Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, gather, rows, vels
from tinkerdyne.engine.yielding import pull_yielding

# share of the motion that h/2 of damping takes away, above which the first kick is implicit too: at order one
# then
STIFF = 0.25
ROUNDS = 8  # directions kept; their vectors live in the room of the Runge–Kutta stages
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
def make_direction(I: Index, S: Scalars, h: float, start: Floats, r: Floats, k: int) -> None:
    """p ← P (1 + h W D)⁻¹ r and A p, made conjugate to the k directions before: their vectors live in the
    room of the Runge–Kutta stages."""
    n = I.nv
    room = I.stages
    v = at(S, I.v)
    keep = vels(I, S, Vel.TRY)
    p = at(S, room + 2 * k * n)
    Ap = at(S, room + (2 * k + 1) * n)
    precondition(I, S, r, p)
    flatten(I, S, p)
    copy(v, keep, n)
    for i in range(n):
        v[i] += p[i]
    residual(I, S, h, start, Ap)
    copy(keep, v, n)
    for i in range(n):
        Ap[i] = r[i] - Ap[i]
    for j in range(k):
        q = at(S, room + 2 * j * n)
        Aq = at(S, room + (2 * j + 1) * n)
        top = 0.0
        bottom = 0.0
        for i in range(n):
            top += Ap[i] * Aq[i]
            bottom += Aq[i] * Aq[i]
        f = top / bottom
        for i in range(n):
            p[i] -= f * q[i]
            Ap[i] -= f * Aq[i]


@compiled
def damped_kick(I: Index, S: Scalars, h: float) -> None:
    """v ← the solution, from v = start, to which Q and ċ belong; then Q belongs to v, and μ of the whole kick
    is in Row.MU."""
    n = I.nv
    v = at(S, I.v)
    start = vels(I, S, Vel.START)
    r = vels(I, S, Vel.EXTRA)
    room = I.stages
    damping_blocks(I, S, DAMPING)
    invert_blocks(I, S, h)
    copy(v, start, n)
    first_guess(I, S, h, start, r)
    residual(I, S, h, start, r)
    floor = rounding_of(I, S, h, start)
    moved = 0
    for k in range(ROUNDS):
        size = 0.0
        for i in range(n):
            size = max(size, math.fabs(r[i]))
        if not (size > floor):
            break
        make_direction(I, S, h, start, r, k)
        moved = 1
        p = at(S, room + 2 * k * n)
        Ap = at(S, room + (2 * k + 1) * n)
        top = 0.0
        bottom = 0.0
        for i in range(n):
            top += r[i] * Ap[i]
            bottom += Ap[i] * Ap[i]
        if not (bottom > floor * floor):  # rounding only
            break
        f = top / bottom
        for i in range(n):
            v[i] += f * p[i]
            r[i] -= f * Ap[i]
    if moved != 0:
        residual(I, S, h, start, r)  # for the forces, and for μ: start + h W Q(v) − v = W Jᵀ μ
