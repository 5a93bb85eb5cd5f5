"""Stiff damping in a kick with contact:  M (v₁ − v₀) = h Q(q, v₁) + Jᵀλ + Hᵀr,  solved in rounds.

    (M + h D) (v₁ − v₀) = h (Q(v) + D (v − v₀)) + Jᵀλ + Hᵀr,   v of the last round, D of each object alone.

Drag is exact after one round. A damper between two bodies takes several: what it does to the other body is
known from the last round only. Rounds are stretched as Aitken does, by how alike the last two changes are.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Body, Problem
from tinkerdyne.engine.contact.product import add_block, invert_masses
from tinkerdyne.engine.contact.touching import Touching
from tinkerdyne.engine.records import Index, Object, Scalars, Vel
from tinkerdyne.engine.steppers.damping import damping_ratio, forces_at
from tinkerdyne.engine.steppers.motion import copy, vels

# share of the motion that damping takes in a kick, above which it is implicit: the first one seldom, the
# second nearly always, so that both are the trapezoidal rule
STIFF, SLIGHT = 0.25, 1e-6
ROUNDS = 40
ENOUGH = 1e-10  # of the largest velocity


@inlined
def wants_rounds(I: Index, S: Scalars, h: float, stiff: float) -> int:
    """Whether damping takes more than the share `stiff` in a time h; D goes to the objects' blocks."""
    return 1 if I.has_damping != 0 and damping_ratio(I, S, h) > stiff else 0


@compiled
def write_damped(
    I: Index, S: Scalars, T: Touching, P: Problem, X: Floats, h: float, start: Floats, last: Floats, Q: Floats
) -> None:
    """M + h D and v_free of all bodies, after `write_bodies`; Q are the forces at the velocities `last`."""
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        n, w = own.nv, body.width
        for i in range(n):
            for j in range(n):
                D = 0.5 * (S[own.damping + i * n + j] + S[own.damping + j * n + i])
                X[body.M + i * w + j] += h * D
    invert_masses(P, X)
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        n, first = own.nv, own.v - I.v
        force, free = at(X, P.force + body.dof), at(X, P.v_free + body.dof)
        for i in range(body.width):
            force[i], free[i] = 0.0, 0.0
        for i in range(n):
            free[i] = start[first + i]
            force[i] = h * Q[first + i]
            for j in range(n):
                D = 0.5 * (S[own.damping + i * n + j] + S[own.damping + j * n + i])
                force[i] += h * D * (last[first + j] - start[first + j])
        add_block(at(X, body.W), body, force, 1.0, free)


@compiled
def next_guess(
    I: Index, S: Scalars, T: Touching, P: Problem, X: Floats, last: Floats, is_first: int
) -> float:
    """Go on from `last` towards the answer of this round; the largest change of it, as a share of the largest
    velocity. The last change is kept in Vel.IMPULSE."""
    before = vels(I, S, Vel.IMPULSE)
    now = vels(I, S, Vel.EXTRA)
    change, size = 0.0, 0.0
    along, square = 0.0, 0.0
    copy(last, now, I.nv)
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        for i in range(own.nv):
            now[own.v - I.v + i] = X[P.v + body.dof + i]
    for i in range(I.nv):
        now[i] -= last[i]
        change = max(change, abs(now[i]))
        size = max(size, abs(last[i]), abs(last[i] + now[i]))
        along += now[i] * before[i]
        square += before[i] * before[i]
    rate = 0.0
    if is_first == 0 and square > 0.0:
        rate = min(0.98, max(-0.9, along / square))
    for i in range(I.nv):
        last[i] += now[i] / (1.0 - rate)
        before[i] = now[i]
    return change / size if size > 0.0 else 0.0


@compiled
def forces_of(I: Index, S: Scalars, v: Floats, Q: Floats) -> None:
    """The forces at velocities v, which are not those of the state."""
    kept = vels(I, S, Vel.ACC)
    copy(at(S, I.v), kept, I.nv)
    forces_at(I, S, v, Q)
    copy(kept, at(S, I.v), I.nv)
