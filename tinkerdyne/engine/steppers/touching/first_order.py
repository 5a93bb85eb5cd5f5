"""First-order worlds with contact: things that are pushed move, push others along, and stop with the force.

    M v = Q + Jᵀλ + Hᵀr,   contacts as the law says, with gaps that may close within h;   q₁ = q + h v.

M is the softened one of first-order steps, (M + D + h K), so that springs of any stiffness stay calm; r are
forces. Where nothing is near anything, and nothing has dry friction, a step is a plain one.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.limits import (
    ask_none,
    count_dry,
    hold_stops,
    note_own_rates,
    stop_targets,
    write_joints,
)
from tinkerdyne.engine.contact.meeting import keep_impulses, meet, write_bodies, write_contacts
from tinkerdyne.engine.contact.problem import Body, Problem
from tinkerdyne.engine.contact.product import invert_masses
from tinkerdyne.engine.contact.sleep import wake_all
from tinkerdyne.engine.contact.solver import contact_solve
from tinkerdyne.engine.contact.stop_blows import mark_none
from tinkerdyne.engine.contact.strike import take_velocities
from tinkerdyne.engine.contact.touching import Touching, TouchValues
from tinkerdyne.engine.evaluate import VALUE, blocks, lift, masses, wind
from tinkerdyne.engine.records import Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.advance import is_lost, one_step
from tinkerdyne.engine.steppers.first_order import free_flow, go_along
from tinkerdyne.engine.steppers.methods import FIRST_ORDER
from tinkerdyne.engine.steppers.motion import copy, gather, reference, residuals, rows, vels
from tinkerdyne.engine.steppers.rattle import LOOSE
from tinkerdyne.engine.steppers.retake import keep_start, restore
from tinkerdyne.engine.steppers.touching.kick import note_answer
from tinkerdyne.engine.steppers.touching.looks import deepest
from tinkerdyne.engine.steppers.touching.parting import DEEP, push_apart


@compiled
def soft_flow(I: Index, S: Scalars, h: float) -> None:
    """J, forces and W Q of the softened W at the present place, which goes to Vel.KICK and to v: so fast
    things would be without constraints and contacts."""
    free_flow(I, S, h, vels(I, S, Vel.KICK))
    S.factored = 0.0
    copy(vels(I, S, Vel.KICK), at(S, I.v), I.nv)


@inlined
def write_soft_bodies(I: Index, S: Scalars, T: Touching, P: Problem, X: Floats) -> None:
    """The softened masses, from their inverses, and W Q as v_free."""
    write_bodies(I, S, T, P, X, vels(I, S, Vel.KICK))
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        n = own.nv
        for i in range(n):
            for j in range(n):
                X[body.M + i * body.width + j] = S[own.W + i * n + j]
    invert_masses(P, X)
    for m in range(T.n_movers):
        body = Body.of(P, m)
        for i in range(body.rows * body.width):
            X[body.M + i] = X[body.W + i]


@inlined
def flow_targets(I: Index, S: Scalars, out: Floats, h: float) -> None:
    """What J v is to be: ċ = ṙ, and rows that are not met shall be at the end of the step."""
    off = residuals(I, S)
    c_t = rows(I, S, Row.RES)
    r1 = rows(I, S, Row.REF1)
    reference(I, S, S.time + h, rows(I, S, Row.REF), r1, rows(I, S, Row.REF2))
    gather(I, S, 1, c_t)
    for i in range(I.nr):
        out[i] = 0.0
    note_own_rates(I, S, out)
    for i in range(I.nr):
        out[i] = r1[i] - c_t[i]
        if off[i] > LOOSE * S.tolerance or off[i] < -LOOSE * S.tolerance:
            out[i] -= off[i] / h
    stop_targets(I, S, out, h)


@compiled
def touching_glide(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float
) -> None:
    """A step of length h with the contacts at hand, after `soft_flow`; v keeps its velocity, for reading."""
    v = at(S, I.v)
    target = rows(I, S, Row.RHS)
    lam = rows(I, S, Row.LAMBDA)
    for i in range(I.nr):
        lam[i] = 0.0
    mark_none(I, S)
    ask_none(I, S)
    write_soft_bodies(I, S, T, P, X)
    flow_targets(I, S, target, h)
    write_joints(I, S, P, X, target, lam, 1.0)
    write_contacts(I, S, T, Y, D, F, P, X, h)
    contact_solve(P, X)
    note_answer(T, Y, D, P, X)
    keep_impulses(T, Y, P, X, 0)
    TouchValues(Y).taken = 2.0  # of half of which there are impulses: without inertia these are forces
    hold_stops(I, S, P, X)
    take_velocities(I, S, T, P, at(X, P.v))
    way = vels(I, S, Vel.TOTAL)
    for i in range(I.nv):
        way[i] = h * v[i]
    go_along(I, S, way, h)


@inlined
def part_again(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats, h: float
) -> int:
    """Part what overlaps deeply after a step; below 0 where room is missing."""
    found = meet(I, S, T, Y, D, F, P, K, h)
    if found > 0 and deepest(Detection(D), F) > TouchValues(Y).slop * DEEP:
        masses(I, S)
        push_apart(I, S, T, Y, D, F, P, K, X, h)
    T.is_found = 0
    return min(found, 0)


@entry("IFIFIFIIFid")
def advance_touching_first_order(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, X: Floats,
    n: int, h: float,
) -> int:  # fmt: skip
    """n first-order steps with contact; returns the number done, like `advance_touching`."""
    start = S.time
    T.wanted = 0
    T.has_dry = count_dry(I)
    wake_all(T, Y)
    for k in range(n):
        t = S.time
        end = start + (k + 1) * h
        keep_start(I, S)
        soft_flow(I, S, h)
        found = meet(I, S, T, Y, D, F, P, K, h)
        T.is_found = 0
        if found == 0 and T.has_dry == 0:
            restore(I, S, t)
            one_step(I, S, FIRST_ORDER, h, end)
        elif found >= 0:
            touching_glide(I, S, T, Y, D, F, P, X, h)
            found = part_again(I, S, T, Y, D, F, P, K, X, h)
        if found < 0:
            restore(I, S, t)
            T.wanted = found
            return k
        if is_lost(I, S) != 0:
            restore(I, S, S.kept_time)
            return k
        if I.winds != 0:
            lift(I, S)
            blocks(I, S, VALUE)
            wind(I, S)
        S.count_steps += 1.0
        S.time = end
    return n
