"""The compliant energy–momentum step: for taut and other singular poses, where the exact one has no solution
(docs/design.md, Stepping).

    M (v₁ − v₀) = h Q̄ − h J̄ᵀλ,   q₁ = q₀ ⊕ h (v₀ + v₁)/2,   c(q₁) − r(t₁) = α λ
A straight edge under a load across it cannot stay straight; one that opens by δ needs a tension of
F/(2√(2δ/ℓ)). The compliance α is that of an edge that opens by δ = the tolerance under the whole load F, and
so small that other gaps are far below δ. Newton's matrix holds the Lagrangian's own Hessian,
    [ M + h C + h²/4 (K + H(λ))     J̄ᵀ    ] [δv ]
    [ J̄                            −2α/h² ] [hδλ],
so that it is finite and well conditioned whatever the rank of J. The step can lose what it stores in a
stretch, ½ α λ², and gains nothing. No projection of velocities follows: it would lose energy each time.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import (
    MOTION,
    SPATIAL,
    SPATIAL_FORCE,
    blocks,
    compose,
    forces,
    lift,
    pull_forces,
)
from tinkerdyne.engine.product import add_Jt, times_M
from tinkerdyne.engine.records import Constraint, Flag, Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.energy_momentum import average, begin, end_gap, momentum, place
from tinkerdyne.engine.steppers.motion import copy, largest, rows, vels
from tinkerdyne.engine.tangent import tangent_assemble, tangent_factor_light, tangent_solve
from tinkerdyne.engine.yielding import pull_yielding

ITERATIONS = 30
CLOSE = 1e-2  # of the tolerance: how well the equations of the step are solved
# relative, on the constraints of Newton's matrix, where rows are redundant; α is larger wherever it counts
EPSILON = 1e-13
# Of what the last iteration left: above, this one has a new factor. The first three have one always, since λ
# and what is taut are still far off. A factor costs less than two iterations without one (net of 40 × 40: 3.2
# factors and 7.9 iterations a step where two always have one, 3.3 and 7.0 where three do).
SLOW = 0.3
ALWAYS = 2
GROWN = 4.0  # times the load for which α was chosen, above which it is chosen anew


@compiled
def choose_compliance(I: Index, S: Scalars) -> None:
    """α = 2 δ √(2 δ/ℓ)/F with δ the tolerance, ℓ = 1 m, and F the largest load met: all forces, or what stops
    the motion within ℓ. It stays, since a change of α where something is stretched does work."""
    Q = at(S, I.force)
    load = 2.0 * S.kinetic
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.flags & Flag.FIXED == 0:
            for i in range(T.nv):
                load += math.fabs(Q[T.v - I.v + i])
    if load > GROWN * S.load or S.load == 0.0:
        S.load = max(load, S.load)
    S.compliance = 2.0 * S.tolerance * math.sqrt(2.0 * S.tolerance) / max(S.load, S.tolerance)


@inlined
def stretch_left(I: Index, S: Scalars, h: float) -> float:
    """c − r − αλ of all rows, in Row.RES; returns the largest."""
    res = rows(I, S, Row.RES)
    lam = rows(I, S, Row.LAMBDA)
    end_gap(I, S)
    for i in range(I.nr):
        res[i] -= S.compliance / h * lam[i]
    return largest(res, I.nr)


@inlined
def has_bodies(I: Index) -> int:
    """Whether anything turns in space: then J in world axes differs from that of the velocities."""
    for o in range(I.n_objects):
        flags = Object.of(I, o).flags
        if flags & Flag.RIGID != 0 and flags & Flag.FIXED == 0:
            return 1
    return 0


@inlined
def linearise(I: Index, S: Scalars, h: float, turns: int, is_first: int) -> None:
    """Newton's matrix at the middle of the step, factored; λ is that of Row.LAM. The residuals of the step,
    which were found before it, stay."""
    impulse = rows(I, S, Row.LAMBDA)
    lam = rows(I, S, Row.LAM)
    for i in range(I.nr):
        lam[i] = impulse[i] / h
    if turns != 0:
        blocks(I, S, MOTION)
        compose(I, S)
        forces(I, S)
    tangent_assemble(I, S, h, 0.25 * h * h, 2.0 * S.compliance / (h * h), lam)
    tangent_factor_light(I, S, EPSILON, is_first)


@inlined
def momentum_left(I: Index, S: Scalars, h: float, turns: int, v0: Floats, out: Floats) -> float:
    """M (v₁* − v₁), with v₁* the velocity that the step's impulses give; returns the largest v₁* − v₁."""
    push = vels(I, S, Vel.KICK)
    given = vels(I, S, Vel.WORK)
    v = at(S, I.v)
    if turns != 0:
        blocks(I, S, SPATIAL)
    compose(I, S)
    pull_forces(I, S, SPATIAL_FORCE)
    if S.yielding > 0.0:
        pull_yielding(I, S, rows(I, S, Row.TRY))
    for i in range(I.nv):
        push[i] = 0.0
    add_Jt(I, S, rows(I, S, Row.LAMBDA), push, -1.0)
    copy(v, given, I.nv)
    change = momentum(I, S, h, v0, given, push)
    for i in range(I.nv):
        given[i] -= v[i]
    times_M(I, S, given, out)
    return change


@inlined
def solve_step(I: Index, S: Scalars, h: float, t0: float) -> int:
    """Newton on v₁ and λ; 0 when both equations are met, 1 when it does not converge."""
    v = at(S, I.v)
    q = at(S, I.q)
    v0 = vels(I, S, Vel.EXTRA)
    q1 = at(S, I.position_vectors)
    rest = vels(I, S, Vel.IMPULSE)
    dv = vels(I, S, Vel.TRY)
    res = rows(I, S, Row.RES)
    delta = rows(I, S, Row.DELTA)
    impulse = rows(I, S, Row.LAMBDA)
    close = CLOSE * S.tolerance
    rounding = 1e-14 * largest(q, I.nq)
    last = math.inf
    turns = has_bodies(I)
    for k in range(ITERATIONS):
        place(I, S, h, 0.5, v0, v)
        copy(q, q1, I.nq)
        S.time = t0 + h
        lift(I, S)
        open_ = stretch_left(I, S, h)
        average(I, S)
        S.time = t0 + 0.5 * h
        blocks(I, S, MOTION)
        change = momentum_left(I, S, h, turns, v0, rest)
        left = max(open_, 0.5 * h * change)
        is_solved = 1 if k > 0 and left < close + rounding else 0
        is_lost = 1 if math.isinf(open_) or not (change < math.inf) else 0
        if is_solved == 0 and is_lost == 0 and (k <= ALWAYS or left > SLOW * last):
            linearise(I, S, h, turns, 1 if k == 0 else 0)
        last = left
        copy(q1, q, I.nq)
        if is_lost != 0:
            return 1
        if is_solved != 0:
            for i in range(I.nv):
                v[i] += vels(I, S, Vel.WORK)[i]
            return 0
        for i in range(I.nr):
            res[i] *= -2.0 / h
        tangent_solve(I, S, rest, res, dv, delta)
        for i in range(I.nv):
            v[i] += dv[i]
        for i in range(I.nr):
            impulse[i] += delta[i]
    return 1


@compiled
def compliant_step(I: Index, S: Scalars, h: float) -> int:
    """One step from a prepared state; 1 when it does not converge. Leaves nothing ready; S.gap is |c − r|."""
    if I.mass_varies != 0 or I.rates != 0:
        return 1
    t0 = S.time
    choose_compliance(I, S)
    begin(I, S, h)
    failed = solve_step(I, S, h, t0)
    S.time = t0 + h
    S.ready = 0.0
    if failed == 0:
        keep_half(I, S)
    return failed


@inlined
def keep_half(I: Index, S: Scalars) -> None:
    """Half of the step's impulse into the constraints' memory, where RATTLE begins."""
    impulse = rows(I, S, Row.LAMBDA)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for i in range(C.dim):
            S[C.memory + i] = 0.5 * impulse[C.row + i]
