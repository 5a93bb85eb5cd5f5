"""Stops: one-sided constraints c ≥ 0 (limits of joints, ends of curves), open until they are hit, and let go
when they would pull.

A step is taken with the stops as they are. Where it ends beyond an open one, it is taken again with that stop
closed: it arrives at c = 0 with ċ = −e ċ⁻, where e is the restitution and ċ⁻ the speed at the start of the
step. A stop that bounces opens at once.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import Pointer, at, compiled
from tinkerdyne.engine.evaluate import VALUE, blocks, lift
from tinkerdyne.engine.records import (
    C_BOUNCE,
    C_KIND,
    C_MEM,
    C_REC,
    C_ROW,
    CON,
    EXACT,
    H_CON,
    H_NC,
    HIT,
    OPEN,
    R_LAM,
    R_SAVE,
    S_IMPACT,
    S_READY,
    S_TIME,
    S_TOLERANCE,
    STOP,
)  # fmt: skip
from tinkerdyne.engine.steppers.motion import MET, rows
from tinkerdyne.engine.steppers.project import project_position, project_velocity
from tinkerdyne.engine.yielding import count_yielding

GENTLE = 1e-3  # speeds below this [SI] do not bounce, or a ball would never come to rest


@compiled
def note_speeds(I: Pointer, S: Pointer) -> None:
    """Keep ċ of every stop at the start of a step (R_SAVE), as last evaluated."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP:
            rows(I, S, R_SAVE)[C[C_ROW]] = S[C[C_REC] + 1]


@compiled
def release(I: Pointer, S: Pointer, efforts: Pointer, sign: float) -> int:
    """Open every closed stop that nothing touches, or whose effort (of the given sign) pulls; returns how
    many."""
    n = 0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        mem = at(S, C[C_MEM])
        c_now = S[C[C_REC]]
        if (
            C[C_KIND] == STOP
            and mem[4] == EXACT
            and (c_now > MET or (c_now >= -MET and sign * efforts[C[C_ROW]] < 0.0))
        ):
            mem[4] = OPEN
            for i in range(3):
                mem[i] = 0.0
            n += 1
    if n > 0:
        count_yielding(I, S)
        S[S_READY] = 0.0
    return n


@compiled
def recalled(I: Pointer, S: Pointer, efforts: Pointer) -> None:
    """μ of the stops, as the last step left it in their memory."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP:
            efforts[C[C_ROW]] = S[C[C_MEM]]


@compiled
def passed(I: Pointer, S: Pointer) -> float:
    """How far the records show open stops to be passed."""
    deepest = 0.0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP and S[C[C_MEM] + 4] == OPEN:
            deepest = max(deepest, -S[C[C_REC]])
    return deepest


@compiled
def deepest_stop(I: Pointer, S: Pointer) -> float:
    """How far the records show any stop to be passed, open or closed."""
    deepest = 0.0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP:
            deepest = max(deepest, -S[C[C_REC]])
    return deepest


@compiled
def pulling(I: Pointer, S: Pointer) -> float:
    """The largest effort with which a closed stop pulls, as last evaluated."""
    most = 0.0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP and S[C[C_MEM] + 4] == EXACT and S[C[C_REC]] >= -MET:
            most = max(most, -rows(I, S, R_LAM)[C[C_ROW]])
    return most


@compiled
def keep_states(I: Pointer, S: Pointer, states: Pointer) -> None:
    """Write down which stops are open and which are closed."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP:
            states[C[C_ROW]] = S[C[C_MEM] + 4]


@compiled
def put_states(I: Pointer, S: Pointer, states: Pointer) -> None:
    """Stops are open or closed again as written down."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        if C[C_KIND] == STOP:
            S[C[C_MEM] + 4] = states[C[C_ROW]]
    count_yielding(I, S)


@compiled
def complement(I: Pointer, S: Pointer, states: Pointer, rates: Pointer, slack: float, most: int) -> int:
    """One exchange towards  λ ≥ 0, ċ ≥ 0, λ ċ = 0  of the stops that are closed in `states`; returns how many
    changed.

    Those that pull by λ (R_LAM) are opened, those opened before that would be passed at the rate ċ are
    closed; `most` at once.
    """
    n = 0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        row = C[C_ROW]
        if C[C_KIND] != STOP or n >= most or states[row] != EXACT or S[C[C_REC]] < -MET:
            continue
        mem = at(S, C[C_MEM])
        if mem[4] == EXACT and rows(I, S, R_LAM)[row] < 0.0:
            mem[4] = OPEN
            n += 1
        elif mem[4] == OPEN and rates[row] < -slack:
            mem[4] = EXACT
            n += 1
    if n > 0:
        count_yielding(I, S)
    return n


@compiled
def hit(I: Pointer, S: Pointer, t: float) -> int:
    """Close every open stop that the records show beyond c = 0, with the velocity it leaves by; returns how
    many."""
    n = 0
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        mem = at(S, C[C_MEM])
        if C[C_KIND] == STOP and mem[4] == OPEN and S[C[C_REC]] < -S[S_TOLERANCE]:
            before = rows(I, S, R_SAVE)[C[C_ROW]]
            bounce = 0.0
            if C[C_BOUNCE] >= 0 and before < -GENTLE:
                bounce = -S[C[C_BOUNCE]] * before
            mem[0] = 0.0
            mem[1] = 0.0
            mem[2] = bounce
            mem[3] = t
            mem[4] = HIT
            n += 1
    if n > 0:
        count_yielding(I, S)
        S[S_READY] = 0.0
        S[S_IMPACT] = 1.0
    return n


@compiled
def leave(I: Pointer, S: Pointer) -> None:
    """After a step: stops just hit are closed now, or open again where they bounce."""
    for c in range(I[H_NC]):
        C = at(I, I[H_CON] + c * CON)
        mem = at(S, C[C_MEM])
        if C[C_KIND] == STOP and mem[4] == HIT:
            mem[4] = OPEN if mem[2] > 0.0 else EXACT
            mem[2] = 0.0
            if mem[4] == OPEN:
                mem[0] = 0.0
    if S[S_IMPACT] > 0.0:
        count_yielding(I, S)
        S[S_READY] = 0.0
        S[S_IMPACT] = 0.0


@compiled
def stop_after(I: Pointer, S: Pointer, reach: float) -> int:
    """For methods that know nothing of stops: at the end of a step, project onto those that were passed; 1 if
    anything changed.

    No coordinate moves by more than `reach`.
    """
    released = release(I, S, rows(I, S, R_LAM), 1.0)
    lift(I, S)
    blocks(I, S, VALUE)
    if hit(I, S, S[S_TIME]) == 0:
        return 1 if released > 0 else 0
    project_position(I, S, S[S_TOLERANCE], 30, reach)
    project_velocity(I, S, 1e-12)
    leave(I, S)
    return 1
