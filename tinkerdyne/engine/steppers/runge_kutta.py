"""The classical Runge–Kutta step of order four with guarded projection: for accuracy in smooth motion
(A6)."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import NORMALISE, kinetic, rates, run_objects
from tinkerdyne.engine.exact import has_redundant_rows, note_residual
from tinkerdyne.engine.kkt import solve
from tinkerdyne.engine.product import add_WJt
from tinkerdyne.engine.records import Index, Row, Scalars, Vel
from tinkerdyne.engine.steppers.accuracy import note_start
from tinkerdyne.engine.steppers.impossible import HOPELESS
from tinkerdyne.engine.steppers.motion import accelerate, copy, gap, gather, largest, reference, rows, vels
from tinkerdyne.engine.steppers.project import (
    project_position,
    project_velocity,
    project_velocity_within_reach,
    retract,
)
from tinkerdyne.engine.yielding import clear_rows

# a gap above this [SI] is projected by the guarded Newton iteration instead of the riding correction
WIDE = 1e-5
# times the kinetic energy before a step: more than that is not what a wide gap took away
BLOW = 2.0
# relative; the refinement in `accelerate` works on the true residual, so it seldom has work to do
EPSILON = 1e-12
NOT_REDUNDANT = 1  # of S.redundant
DISAGREEING = 1e-9  # share of a right-hand side that redundant rows do not agree upon
NEARLY = 1e-7  # … and that all rows do not, near a singular pose
ONTO = 1e-13  # [SI] how closely a state is projected where they do not


@compiled
def derivative(I: Index, S: Scalars, k: Floats) -> None:
    """(q', v') at the present state, into k.

    Rows that say again what others say disagree with them where a stage has left the constraints; the
    multipliers would then take the disagreement for a force. Such a state is projected first: f(P(y)) is as
    smooth as f(y), and the same on the constraints, so that a method keeps its order.
    """
    accelerate(I, S, EPSILON)
    if I.nr > 0 and S.feedback == 0.0 and S.solver == 0.0:
        if S.redundant == 0.0:
            S.redundant = float(NOT_REDUNDANT + has_redundant_rows(I, S, EPSILON))
        elif S.disagreement > (NEARLY if S.redundant == NOT_REDUNDANT else DISAGREEING):
            project_position(I, S, ONTO, 30, math.inf)
            project_velocity_within_reach(I, S, EPSILON)
            accelerate(I, S, EPSILON)
    rates(I, S)
    copy(at(S, I.qdot), k, I.nq)
    copy(vels(I, S, Vel.ACC), at(k, I.nq), I.nv)


@compiled
def ride(I: Index, S: Scalars) -> int:
    """Project position and velocity with the Jacobian and factor of the evaluation just made; 1 when the gap
    is too wide.

    The evaluation belongs to the next step as well: an explicit method then pays nothing for its projection
    but two solves.
    """
    NR = I.nr
    if NR == 0 or S.feedback != 0.0:
        S.gap = gap(I, S)
        return 0
    c = rows(I, S, Row.RES)
    lam = rows(I, S, Row.DELTA)
    step = vels(I, S, Vel.WORK)
    r = rows(I, S, Row.REF)
    r1 = rows(I, S, Row.REF1)
    reference(I, S, S.time, r, r1, rows(I, S, Row.REF2))
    gather(I, S, 0, c)
    for i in range(NR):
        c[i] -= r[i]
    if S.yielding > 0.0:
        clear_rows(I, S, c)
    S.gap = largest(c, NR)
    if not (S.gap <= WIDE):
        return 1
    solve(I, S, c, lam)
    for i in range(I.nv):
        step[i] = 0.0
    add_WJt(I, S, lam, step, -1.0)
    retract(I, S, step)
    gather(I, S, 1, c)
    for i in range(NR):
        c[i] -= r1[i]
    solve(I, S, c, lam)
    add_WJt(I, S, lam, at(S, I.v), -1.0)
    return 0


@inlined
def note_forces(I: Index, S: Scalars, k: Floats) -> None:
    """Keep how far off the forces of the derivative k are, after `ride`; where a gap is wide the constraints
    may have no forces that meet them all."""
    if S.gap < 0.1 * WIDE:
        size = largest(rows(I, S, Row.RHS), I.nr)
        note_residual(I, S, S.left, size, rows(I, S, Row.LAM), at(k, I.nq))


@compiled
def settle(I: Index, S: Scalars, k: Floats) -> int:
    """After a step of an explicit method: pure rotations, the derivative for the next step into k, and
    projection; 1 when the gap was wide."""
    run_objects(I, S, NORMALISE)
    derivative(I, S, k)
    is_wide = ride(I, S)
    note_forces(I, S, k)
    if is_wide != 0:
        S.gap = project_position(I, S, 1e-12, 30, math.inf)
        project_velocity(I, S, 1e-10)
        derivative(I, S, k)
    S.ready = 0.0
    return is_wide


@compiled
def runge_kutta_step(I: Index, S: Scalars, h: float) -> int:
    """One step; the derivative at its start is in the first stage, and that at its end will be.

    1 when it is of no use: constraints are torn open that no projection closes, or the projection has closed
    a wide gap by a blow."""
    NQ = I.nq
    NV = I.nv
    n = NQ + NV
    q = at(S, I.q)
    v = at(S, I.v)
    q0 = at(S, I.q0)
    v0 = at(S, I.v0)
    K = I.stages
    t = S.time
    start = kinetic(I, S)
    before = S.energy + start
    note_start(I, S, S.energy, start)
    copy(q, q0, NQ)
    copy(v, v0, NV)
    for s in range(3):
        k = at(S, K + s * n)
        f = h if s == 2 else 0.5 * h
        S.time = t + f
        for i in range(NQ):
            q[i] = q0[i] + f * k[i]
        for i in range(NV):
            v[i] = v0[i] + f * k[NQ + i]
        run_objects(I, S, NORMALISE)
        derivative(I, S, at(S, K + (s + 1) * n))
    k1 = at(S, K)
    k2 = at(S, K + n)
    k3 = at(S, K + 2 * n)
    k4 = at(S, K + 3 * n)
    for i in range(NQ):
        q[i] = q0[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
    for i in range(NV):
        j = NQ + i
        v[i] = v0[i] + h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j])
    S.time = t + h
    if settle(I, S, k1) == 0:
        return 0
    S.kinetic = kinetic(I, S)
    is_blow = I.moves == 0 and not (S.energy + S.kinetic <= before + BLOW * start)
    return 1 if is_blow or not (S.gap <= HOPELESS * S.tolerance) else 0
