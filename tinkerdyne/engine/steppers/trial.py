"""Trials: a step of any method that may be taken back, and the way between its ends."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.crossings import K0, K1, Y0, Y1
from tinkerdyne.engine.evaluate import MOTION, blocks, lift, rates
from tinkerdyne.engine.records import POS_VECTORS, Constraint, Index, Kind, Row, Scalars, StopMemory, Vel
from tinkerdyne.engine.steppers.assemble import stormer_step
from tinkerdyne.engine.steppers.guard import PLAIN, guarded_energy_momentum, held_rattle
from tinkerdyne.engine.steppers.guarded_runge_kutta import guarded_runge_kutta, prepare_runge_kutta
from tinkerdyne.engine.steppers.implicit_guard import guarded_implicit
from tinkerdyne.engine.steppers.methods import IMPLICIT, RATTLE, RUNGE_KUTTA, STORMER
from tinkerdyne.engine.steppers.motion import copy, vels
from tinkerdyne.engine.steppers.rattle import prepare
from tinkerdyne.engine.steppers.retake import keep_start, restore
from tinkerdyne.engine.yielding import count_yielding

# places among the stages, behind those of damped kicks and of the cubic: of the derivative at the start of a
# trial, of the state at that of a whole step
FIRST_RATE, WHOLE = 12, 13


@inlined
def take(I: Index, S: Scalars, method: int, h: float) -> int:
    """One step of a method, stops as they are; returns how it was taken."""
    how = PLAIN
    if method == RATTLE:
        how = held_rattle(I, S, h)
    elif method == RUNGE_KUTTA:
        guarded_runge_kutta(I, S, h)
    else:
        keep_start(I, S)
        if method == STORMER:
            stormer_step(I, S, h, int(S.corrections))
        elif method == IMPLICIT:
            guarded_implicit(I, S, h)
        else:
            guarded_energy_momentum(I, S, h)
    return how


@inlined
def set_out(I: Index, S: Scalars, method: int, h: float) -> None:
    """What a step of a method of length h needs at its start."""
    n = I.nq + I.nv
    if method == RUNGE_KUTTA:
        prepare_runge_kutta(I, S, h)
        copy(at(S, I.stages), at(S, I.stages + FIRST_RATE * n), n)
    elif method == STORMER or method == IMPLICIT:
        lift(I, S)
        blocks(I, S, MOTION)
    else:
        prepare(I, S)


@inlined
def go_back(I: Index, S: Scalars, method: int, t: float) -> None:
    """Back to the start of a part, at time t."""
    n = I.nq + I.nv
    restore(I, S, t)
    S.implicit_step = 0.0  # its λ is that of what was taken back
    if method == RUNGE_KUTTA:
        copy(at(S, I.stages + FIRST_RATE * n), at(S, I.stages), n)
        S.ready = 1.0


@inlined
def write_rates(I: Index, S: Scalars, place: int) -> None:
    """q' at the present state into the cubic's end at `place`; v' are the differences of velocities."""
    n = I.nq + I.nv
    rates(I, S)
    copy(at(S, I.qdot), at(S, I.stages + place * n), I.nq)


@compiled
def know_way(I: Index, S: Scalars, method: int, h: float) -> None:
    """The cubic between the start of the step just taken and its end, which is there again afterwards."""
    NQ = I.nq
    NV = I.nv
    n = NQ + NV
    q = at(S, I.q)
    v = at(S, I.v)
    y0 = at(S, I.stages + Y0 * n)
    k0 = at(S, I.stages + K0 * n)
    y1 = at(S, I.stages + Y1 * n)
    k1 = at(S, I.stages + K1 * n)
    copy(at(S, I.position_vectors + (POS_VECTORS - 1) * NQ), y0, NQ)
    copy(vels(I, S, Vel.SAVE), at(y0, NQ), NV)
    copy(q, y1, NQ)
    copy(v, at(y1, NQ), NV)
    write_rates(I, S, K1)
    copy(y0, q, NQ)
    copy(at(y0, NQ), v, NV)
    write_rates(I, S, K0)
    copy(y1, q, NQ)
    copy(at(y1, NQ), v, NV)
    for i in range(NV):
        k0[NQ + i] = (y1[NQ + i] - y0[NQ + i]) / h
        k1[NQ + i] = k0[NQ + i]
    if method == STORMER:  # its displacements are straight
        for i in range(NQ):
            k0[i] = (y1[i] - y0[i]) / h
            k1[i] = k0[i]


@inlined
def put_end(I: Index, S: Scalars, method: int, t: float) -> None:
    """The end of a step again after looks inside it."""
    n = I.nq + I.nv
    copy(at(S, I.stages + Y1 * n), at(S, I.q), I.nq)
    copy(at(S, I.stages + Y1 * n + I.nq), at(S, I.v), I.nv)
    S.time = t
    S.ready = 0.0
    lift(I, S)
    blocks(I, S, MOTION)


@inlined
def stops_memory(I: Index, S: Scalars, is_kept: int) -> None:
    """Write the memory of every stop down, or back."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP:
            memory = at(S, C.memory)
            for i in range(StopMemory.size):
                written = at(S, I.row_vectors + (Row.MEMORY + i) * I.nr + C.row)
                if is_kept != 0:
                    written[0] = memory[i]
                else:
                    memory[i] = written[0]


@compiled
def keep_whole(I: Index, S: Scalars) -> None:
    """Keep what a whole step begins with, while it may be taken back because it wants the tangent matrix."""
    n = I.nq + I.nv
    copy(at(S, I.q), at(S, I.stages + WHOLE * n), n)  # v follows q
    stops_memory(I, S, 1)


@compiled
def put_whole_back(I: Index, S: Scalars) -> None:
    """Let `restore` lead to the start of the whole step."""
    n = I.nq + I.nv
    start = at(S, I.stages + WHOLE * n)
    copy(start, at(S, I.position_vectors + (POS_VECTORS - 1) * I.nq), I.nq)
    copy(at(start, I.nq), vels(I, S, Vel.SAVE), I.nv)
    stops_memory(I, S, 0)
    count_yielding(I, S)
