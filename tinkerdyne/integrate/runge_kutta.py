"""The classical Runge–Kutta step of order four with guarded projection: for accuracy in smooth motion (A6)."""

from __future__ import annotations

import math

from tinkerdyne.integrate.motion import accelerate, copy, gap, largest, vels
from tinkerdyne.integrate.project import project_position, project_velocity
from tinkerdyne.kernel.core import Pointer, at, compiled
from tinkerdyne.model.layout import (
    H_NQ,
    H_NV,
    H_S_Q,
    H_S_Q0,
    H_S_QDOT,
    H_S_STAGES,
    H_S_V,
    H_S_V0,
    S_FEEDBACK,
    S_GAP,
    S_READY,
    S_TIME,
    V_ACC,
)  # fmt: skip
from tinkerdyne.solve.evaluate import rates, run_objects

EPSILON = 1e-10  # relative; the refinement in `accelerate` works on the true residual


@compiled
def derivative(I: Pointer, S: Pointer, k: Pointer) -> None:
    """(q', v') at the present state, into k."""
    accelerate(I, S, EPSILON)
    rates(I, S)
    copy(at(S, I[H_S_QDOT]), k, I[H_NQ])
    copy(vels(I, S, V_ACC), at(k, I[H_NQ]), I[H_NV])


@compiled
def settle(I: Pointer, S: Pointer) -> None:
    """After a step of an explicit method: pure rotations, and unless feedback holds the constraints, projection."""
    run_objects(I, S, 7)
    if S[S_FEEDBACK] == 0.0:
        # The target is far below the step's own error; one correction nearly always reaches it.
        S[S_GAP] = project_position(I, S, 1e-13, 4)
        project_velocity(I, S, 1e-12)
    else:
        S[S_GAP] = gap(I, S)
    S[S_READY] = 0.0


@compiled
def runge_kutta_step(I: Pointer, S: Pointer, h: float) -> int:
    """One step; 1 when the result is not finite (the caller restores)."""
    NQ = I[H_NQ]
    NV = I[H_NV]
    n = NQ + NV
    q = at(S, I[H_S_Q])
    v = at(S, I[H_S_V])
    q0 = at(S, I[H_S_Q0])
    v0 = at(S, I[H_S_V0])
    K = I[H_S_STAGES]
    t = S[S_TIME]
    copy(q, q0, NQ)
    copy(v, v0, NV)
    for s in range(4):
        k = at(S, K + s * n)
        derivative(I, S, k)
        if s < 3:
            f = h if s == 2 else 0.5 * h
            S[S_TIME] = t + f
            for i in range(NQ):
                q[i] = q0[i] + f * k[i]
            for i in range(NV):
                v[i] = v0[i] + f * k[NQ + i]
            run_objects(I, S, 7)
    k1 = at(S, K)
    k2 = at(S, K + n)
    k3 = at(S, K + 2 * n)
    k4 = at(S, K + 3 * n)
    for i in range(NQ):
        q[i] = q0[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
    for i in range(NV):
        j = NQ + i
        v[i] = v0[i] + h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j])
    S[S_TIME] = t + h
    settle(I, S)
    if math.isinf(largest(q, NQ)) or math.isinf(largest(v, NV)):
        return 1
    return 0
