"""Kicks with forces that depend on velocity:  v = start + h W Q(q, v) − W Jᵀμ,  solved to convergence.

The first guess takes each object's own damping as it is, which is exact for drag in proportion to mass. The
rest is found by generalised conjugate residuals on the projected equation, P(start + h W Q(v) − v) = 0 with P
the projection onto J v = 0, preconditioned by each object's own (1 + h W D)⁻¹. For forces linear in v this
ends after as many rounds as there are different eigenvalues: two particles and a damper of any strength take
two. A row of stiffly damped joints has as many as joints: there the preconditioner is the tangent matrix with
the damping C between all objects, [M + h C, Jᵀ; J, 0], which takes one round, or a few where forces are not
linear in v or not symmetric.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import DAMPING, MOTION, blocks, damping_blocks, force_sizes, forces, invert
from tinkerdyne.engine.exact import exact_solve
from tinkerdyne.engine.product import add_WJt, times_J, times_M, times_W
from tinkerdyne.engine.records import Index, Jacobian, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, gather, largest, rows, vels
from tinkerdyne.engine.tangent import has_tangent, tangent_assemble, tangent_factor, tangent_solve
from tinkerdyne.engine.yielding import pull_yielding, yields

# share of the motion that h/2 of damping takes away, above which the first kick is implicit too: at order one
# then
STIFF = 0.25
ROUNDS = 8  # directions kept; their vectors live in the room of the Runge–Kutta stages
ENOUGH = 1e-13  # of the largest velocity
FAR = 1e3  # times that: left after so many rounds, it takes the tangent matrix
TOGETHER = 64.0  # kicks that then use it at once, before each object by itself is tried again
SOLVED = 1e-12  # of the velocity and kick: what a direction by the tangent matrix may still ask for
MOST = 2.0  # times a direction of these that is gone at once
HALVINGS, BENT = 10, 0.5  # of such a direction, and how much of its slope may be left behind it
MOST_ROUNDS, PATIENCE = 60, 12  # of these directions at most, and how many in a row may not fall by half
TANGENT_EPSILON = 1e-10  # relative, on its constraints: the directions are flattened afterwards


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
    S.heaviest = max(S.heaviest, most)
    return most


@inlined
def forces_at(I: Index, S: Scalars, u: Floats, Q: Floats) -> None:
    """Q ← the forces at the velocity u, at the same place."""
    v = at(S, I.v)
    for i in range(I.nv):
        v[i] = u[i]
    blocks(I, S, MOTION)
    forces(I, S)
    copy(at(S, I.force), Q, I.nv)


@compiled
def is_stiff(I: Index, S: Scalars, h: float) -> int:
    """Whether damping changes the motion that there is by a large share in a time h; near rest, the motion
    that the kick would give.

    An object by itself may be damped stiffly while what it is tied to carries it along: then |P h W (Q(v) −
    Q(0))| in the norm of the kinetic energy is small, and so is the error of an explicit kick.
    """
    if damping_ratio(I, S, h) <= STIFF:
        return 0
    n = I.nv
    v = at(S, I.v)
    Q = at(S, I.force)
    keep = vels(I, S, Vel.TRY)
    kept = vels(I, S, Vel.IMPULSE)
    change = vels(I, S, Vel.EXTRA)
    x = vels(I, S, Vel.KICK)
    copy(v, keep, n)
    copy(Q, kept, n)
    times_W(I, S, Q, x)
    flatten(I, S, x)
    motion = 0.0
    for i in range(n):
        motion += h * h * x[i] * Q[i]
        x[i] *= h
    copy(Q, change, n)
    if motion > 2.0 * S.kinetic:
        forces_at(I, S, x, change)
    motion = max(motion, 2.0 * S.kinetic)
    for i in range(n):
        x[i] = 0.0
    forces_at(I, S, x, x)
    for i in range(n):
        change[i] -= x[i]
    copy(keep, v, n)
    copy(kept, Q, n)
    times_W(I, S, change, x)
    flatten(I, S, x)
    size = 0.0
    for i in range(n):
        size += x[i] * change[i]
    return 1 if h * math.sqrt(max(0.0, size)) > STIFF * math.sqrt(motion) else 0


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


@compiled
def rounding_of_sums(I: Index, S: Scalars, h: float) -> float:
    """What the rounding of all single forces may leave of a residual: at rest large ones cancel."""
    total = vels(I, S, Vel.TRY)
    force_sizes(I, S, total)
    if S.yielding > 0.0:
        lam = rows(I, S, Row.TRY)
        for b in range(I.n_jacobians):
            block = Jacobian.of(I, b)
            if yields(I, S, block.constraint) != 0:
                for i in range(block.dim):
                    for j in range(block.nv):
                        force = lam[block.row + i] * S[block.J + i * block.nv + j]
                        total[block.v - I.v + j] += math.fabs(force)
    most = 0.0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        for i in range(T.nv):
            s = 0.0
            for j in range(T.nv):
                s += math.fabs(S[T.W + i * T.nv + j]) * total[T.v - I.v + j]
            most = max(most, ENOUGH * h * s)
    return most


@compiled
def make_direction(I: Index, S: Scalars, h: float, start: Floats, r: Floats, k: int, by_tangent: int) -> None:
    """p ← P B r and A p, made conjugate to the k directions before, with B = (1 + h W D)⁻¹ by objects, or by
    the tangent matrix: their vectors live in the room of the Runge–Kutta stages."""
    n = I.nv
    room = I.stages
    v = at(S, I.v)
    keep = vels(I, S, Vel.TRY)
    p = at(S, room + 2 * k * n)
    Ap = at(S, room + (2 * k + 1) * n)
    if by_tangent != 0:
        solve_damped(I, S, r, p)
    else:
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


@inlined
def share_along(S: Scalars, r: Floats, Ap: Floats, n: int, floor: float) -> float:
    """How far to go along a direction, so that |r| is least; 0 where rounding alone made it up.

    A quotient of two roundings is no step: without that check a chain of rings near rest gained a sixth of
    its energy.
    """
    top = 0.0
    bottom = 0.0
    for i in range(n):
        top += r[i] * Ap[i]
        bottom += Ap[i] * Ap[i]
    return top / bottom if bottom > floor * floor else 0.0


@compiled
def follow_directions(I: Index, S: Scalars, h: float, start: Floats, r: Floats, floor: float) -> int:
    """Generalised conjugate residuals from the present v and its residual r; returns the directions made."""
    n = I.nv
    v = at(S, I.v)
    for k in range(ROUNDS):
        if not (largest(r, n) > floor):
            return k
        make_direction(I, S, h, start, r, k, 0)
        p = at(S, I.stages + 2 * k * n)
        Ap = at(S, I.stages + (2 * k + 1) * n)
        f = share_along(S, r, Ap, n, floor)
        if f == 0.0:
            return k + 1
        for i in range(n):
            v[i] += f * p[i]
            r[i] -= f * Ap[i]
    return ROUNDS


# --- joints in a row, each damped stiffly --------------------------------------------------------------


@inlined
def solve_damped(I: Index, S: Scalars, r: Floats, p: Floats) -> None:
    """p with [M + h C, Jᵀ; J, 0] (p, ·) = (M r, 0), by the last factor: the solution where forces are linear
    in velocities, and symmetric."""
    impulse = vels(I, S, Vel.IMPULSE)
    none = rows(I, S, Row.WORK)
    times_M(I, S, r, impulse)
    for i in range(I.nr):
        none[i] = 0.0
    tangent_solve(I, S, impulse, none, p, rows(I, S, Row.DELTA))


@inlined
def slope_along(I: Index, S: Scalars, r: Floats, p: Floats) -> float:
    """pᵀ M r: how much more of p the kick wants. Where damping is the slope of a potential of velocities,
    this is the slope of what the kick minimises."""
    Mr = vels(I, S, Vel.IMPULSE)
    times_M(I, S, r, Mr)
    total = 0.0
    for i in range(I.nv):
        total += p[i] * Mr[i]
    return total


@inlined
def go_along(I: Index, S: Scalars, h: float, start: Floats, r: Floats, p: Floats, f: float) -> int:
    """v += f p, and r; less far where that is past the least, as with friction that changes its side. Returns
    how often it was."""
    v = at(S, I.v)
    first = slope_along(I, S, r, p)
    moved = 0.0
    near = 0.0
    for k in range(HALVINGS):
        for i in range(I.nv):
            v[i] += (f - moved) * p[i]
        moved = f
        residual(I, S, h, start, r)
        slope = slope_along(I, S, r, p)
        if not (slope < -BENT * first):
            if k == 0 or not (slope > BENT * first):
                return k
            near = f
            f *= 1.5
        else:
            f = 0.5 * (near + f)
    return HALVINGS


@compiled
def kick_together(I: Index, S: Scalars, h: float, start: Floats, r: Floats, floor: float) -> None:
    """Go on from v and r by directions that see how joints damp each other, until they are rounding.

    The residual itself may never be: stiff dampers turn the rounding of a velocity into h c/m times as much.
    Where directions fall no more, what they still ask for stands in S.unkicked, as a share of the largest
    velocity and kick.
    """
    if has_tangent(I, S) == 0:
        return
    if S.together == 0.0:
        S.together = TOGETHER
    n = I.nv
    kept = vels(I, S, Vel.KEPT)
    copy(at(S, I.v), kept, n)
    first = largest(r, n)
    last = math.inf
    missed = 0.0
    stalled = 0
    k = 0
    for round in range(MOST_ROUNDS):
        if k == 0:
            tangent_assemble(I, S, h, 0.0, 0.0, rows(I, S, Row.LAMBDA))
            tangent_factor(I, S, TANGENT_EPSILON)
        make_direction(I, S, h, start, r, k, 1)
        p = at(S, I.stages + 2 * k * n)
        asked = largest(p, n)
        f = min(max(0.0, share_along(S, r, at(p, n), n, 0.0)), MOST)
        # The first direction leads to a velocity so wrong that its forces measure nothing, unless it leads
        # nowhere: then what it asks for is rounding, or is missed.
        missed = asked * ENOUGH / floor if round > 0 or f == 0.0 else math.inf
        if missed <= SOLVED or f == 0.0 or stalled > PATIENCE:
            break
        # Directions are conjugate where forces are linear in velocities; else the next one starts anew.
        k = (k + 1) % ROUNDS if go_along(I, S, h, start, r, p, f) == 0 else 0
        floor = rounding_of(I, S, h, start)
        stalled = stalled + 1 if asked > 0.7 * last else 0
        last = min(last, asked)
    residual(I, S, h, start, r)
    if not (largest(r, n) < first):  # it was rounding already
        copy(kept, at(S, I.v), n)
        residual(I, S, h, start, r)
    S.unkicked = max(S.unkicked, missed)


@compiled
def damped_kick(I: Index, S: Scalars, h: float) -> None:
    """v ← the solution, from v = start, to which Q and ċ belong; then Q belongs to v, and μ of the whole kick
    is in Row.MU."""
    n = I.nv
    start = vels(I, S, Vel.START)
    r = vels(I, S, Vel.EXTRA)
    damping_blocks(I, S, DAMPING)
    invert_blocks(I, S, h)
    copy(at(S, I.v), start, n)
    first_guess(I, S, h, start, r)
    residual(I, S, h, start, r)
    floor = rounding_of(I, S, h, start)
    if S.together > 0.0:
        S.together -= 1.0
    elif follow_directions(I, S, h, start, r, floor) > 0:
        residual(I, S, h, start, r)  # for the forces, and for μ: start + h W Q(v) − v = W Jᵀ μ
    if largest(r, n) > FAR * floor and largest(r, n) > rounding_of_sums(I, S, h):
        kick_together(I, S, h, start, r, floor)
