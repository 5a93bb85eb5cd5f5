"""Complementarity: the nearest velocities at which no stop of those that are asked closes.

    v = v⁻ + W̃ Nᵀp,   0 ≤ p ⊥ N v ≥ 0,   nearest in the metric of the masses; the joints hold throughout

The stops that hold have rate 0, the others no impulse; which is which is found by exchanges. For each choice
the rows that hold are part of the same matrix as the joints.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.evaluate import MOTION, blocks
from tinkerdyne.engine.exact import exact_solve
from tinkerdyne.engine.kkt import assemble, factor
from tinkerdyne.engine.product import add_WJt, times_J
from tinkerdyne.engine.records import Constraint, Hold, Index, Kind, Row, Scalars, StopMemory, Vel
from tinkerdyne.engine.steppers.motion import copy, gather, reference, rows, vels
from tinkerdyne.engine.yielding import clear_rows, count_yielding

SHARP = 1e-12  # ε of the matrix, and of the largest impulse what counts as a pull
BLOCKS, SINGLES = 12, 3  # exchanges of many stops at most, and of single ones, times the number of stops


@compiled
def hold_asked(I: Index, S: Scalars) -> None:
    """To begin with, every stop that is asked holds."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and rows(I, S, Row.TOUCHED)[C.row] != 0.0:
            mem = StopMemory(at(S, C.memory))
            mem.hold = Hold.EXACT if rows(I, S, Row.ASKED)[C.row] != 0.0 else Hold.OPEN
    count_yielding(I, S)


@compiled
def exchange(I: Index, S: Scalars, mu: Floats, rate: Floats, slack: float) -> int:
    """Open the asked stops that pull and close those that would be passed; returns how many were wrong."""
    pull = 0.0
    for i in range(I.nr):
        if rows(I, S, Row.ASKED)[i] != 0.0:
            pull = max(pull, math.fabs(mu[i]))
    pull *= SHARP
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind != Kind.STOP or rows(I, S, Row.ASKED)[C.row] == 0.0:
            continue
        mem = StopMemory(at(S, C.memory))
        pulls = mem.hold == Hold.EXACT and mu[C.row] > pull
        passes = mem.hold == Hold.OPEN and rate[C.row] < -slack
        if pulls or passes:
            n += 1
            mem.hold = Hold.OPEN if pulls else Hold.EXACT
    if n > 0:
        count_yielding(I, S)
    return n


@compiled
def answer(I: Index, S: Scalars) -> None:
    """What the stops that hold and the joints answer to the rates in the records: impulses −μ in Row.MU,
    their change of v in Vel.WORK, the rates after it in Row.WORK."""
    step = vels(I, S, Vel.WORK)
    res = rows(I, S, Row.RES)
    mu = rows(I, S, Row.MU)
    rate = rows(I, S, Row.WORK)
    r1 = rows(I, S, Row.REF1)
    gather(I, S, 1, res)
    for i in range(I.nr):
        res[i] -= r1[i]
    if S.yielding > 0.0:
        clear_rows(I, S, res)
    assemble(I, S)
    factor(I, S, SHARP)
    exact_solve(I, S, res, mu)
    if S.yielding > 0.0:
        clear_rows(I, S, mu)
    for i in range(I.nv):
        step[i] = 0.0
    add_WJt(I, S, mu, step, -1.0)
    times_J(I, S, step, rate)
    gather(I, S, 1, res)
    for i in range(I.nr):
        rate[i] += res[i]


@inlined
def by_blocks(I: Index, S: Scalars, slack: float) -> int:
    """Exchange all stops that are wrong at once; whether this ends, as it nearly always does."""
    hold_asked(I, S)
    for _ in range(BLOCKS):
        answer(I, S)
        if exchange(I, S, rows(I, S, Row.MU), rows(I, S, Row.WORK), slack) == 0:
            return 1
    return 0


@inlined
def most_wanting(I: Index, S: Scalars, slack: float) -> int:
    """The open stop among those asked that closes fastest by Row.WORK; −1 where none does."""
    rate = rows(I, S, Row.WORK)
    fastest = slack
    found = -1
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        is_asked = C.kind == Kind.STOP and rows(I, S, Row.ASKED)[C.row] == 1.0
        if is_asked and StopMemory(at(S, C.memory)).hold == Hold.OPEN and rate[C.row] < -fastest:
            fastest = -rate[C.row]
            found = c
    return found


@inlined
def shortest_way(I: Index, S: Scalars, impulses: Floats) -> float:
    """The share of the way from the impulses to −μ on which none of a stop that holds becomes negative."""
    mu = rows(I, S, Row.MU)
    share = 1.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        row = C.row
        is_asked = C.kind == Kind.STOP and rows(I, S, Row.ASKED)[row] != 0.0
        if is_asked and StopMemory(at(S, C.memory)).hold == Hold.EXACT and mu[row] > 0.0:
            share = min(share, impulses[row] / (impulses[row] + mu[row]))
    return share


@inlined
def go_part_of_way(I: Index, S: Scalars, impulses: Floats, share: float, added: int) -> None:
    """Move the impulses a share of the way to −μ; stops whose impulse vanishes open. One that was just added
    and would pull at once is asked no more: it says the same as others."""
    mu = rows(I, S, Row.MU)
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        row = C.row
        if C.kind != Kind.STOP or rows(I, S, Row.ASKED)[row] == 0.0:
            continue
        mem = StopMemory(at(S, C.memory))
        if mem.hold == Hold.EXACT:
            impulses[row] += share * (-mu[row] - impulses[row])
            if share < 1.0 and mu[row] > 0.0 and not (impulses[row] > 0.0):
                impulses[row] = 0.0
                mem.hold = Hold.OPEN
                if c == added:
                    rows(I, S, Row.ASKED)[row] = 2.0
    count_yielding(I, S)


@inlined
def one_by_one(I: Index, S: Scalars, impulses: Floats, slack: float) -> None:
    """Close the stop that closes fastest, one after the other, and open those on the way that would pull
    (Lawson and Hanson): slower, but the energy falls with every one, so that it ends."""
    for i in range(I.nr):
        impulses[i] = 0.0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        if C.kind == Kind.STOP and rows(I, S, Row.TOUCHED)[C.row] != 0.0:
            StopMemory(at(S, C.memory)).hold = Hold.OPEN
    count_yielding(I, S)
    answer(I, S)
    for _ in range(SINGLES * I.stops):
        added = most_wanting(I, S, slack)
        if added < 0:
            break
        StopMemory(at(S, Constraint.of(I, added).memory)).hold = Hold.EXACT
        count_yielding(I, S)
        for _k in range(I.stops):
            answer(I, S)
            share = shortest_way(I, S, impulses)
            go_part_of_way(I, S, impulses, share, added)
            if share == 1.0:
                break


@compiled
def project_asked(I: Index, S: Scalars, impulses: Floats, slack: float) -> float:
    """v ← the nearest v at which no stop in Row.ASKED closes; `impulses` are theirs. Returns the fastest rate
    that is left, where the joints are against it."""
    v = at(S, I.v)
    start = vels(I, S, Vel.ASKED)
    step = vels(I, S, Vel.WORK)
    mu = rows(I, S, Row.MU)
    rate = rows(I, S, Row.WORK)
    copy(v, start, I.nv)
    reference(I, S, S.time, rows(I, S, Row.REF), rows(I, S, Row.REF1), rows(I, S, Row.REF2))
    blocks(I, S, MOTION)
    if by_blocks(I, S, slack) == 0:
        one_by_one(I, S, impulses, slack)
    left = 0.0
    for i in range(I.nr):
        impulses[i] = 0.0
        if rows(I, S, Row.ASKED)[i] != 0.0:
            impulses[i] = max(0.0, -mu[i])
            left = max(left, -rate[i])
    for i in range(I.nv):
        v[i] = start[i] + step[i]
    return left
