"""Turns of a world: which contacts have rolling or spinning friction, and the rows of their problem."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.placing import pose_of
from tinkerdyne.engine.contact.problem import Body, Contact, Point, Problem
from tinkerdyne.engine.contact.recycling import contact_at
from tinkerdyne.engine.contact.touching import Material, Touching, TouchingBody
from tinkerdyne.engine.contact.turning import ROLLS, SPINS
from tinkerdyne.engine.records import Flag, Index, Object

NO_ARM = 1e-12  # of an arm: what a blow without friction leaves of it


@inlined
def arm_of(T: Touching, Y: Floats, D: Ints, k: int, turn: int) -> float:
    """The arm of a contact: the geometric mean of its surfaces'   [m]."""
    found = contact_at(D, Detection(D).contacts, k)
    A = Material(at(Y, T.materials + found.surface_a * Material.size))
    B = Material(at(Y, T.materials + found.surface_b * Material.size))
    if turn == ROLLS:
        return math.sqrt(A.rolling * B.rolling)
    return math.sqrt(A.spinning * B.spinning)


@inlined
def turns_in(I: Index, T: Touching, b: int) -> int:
    """What may turn of a body: 2 in space, 1 in the plane, 0 of a point or a troid."""
    if b < 0 or TouchingBody.of(T, b).mover < 0:
        return 0
    flags = Object.of(I, TouchingBody.of(T, b).object).flags
    if flags & Flag.RIGID != 0:
        return 2
    return 1 if flags & Flag.PLANAR != 0 else 0


@compiled
def add_turns(I: Index, T: Touching, Y: Floats, D: Ints, P: Problem) -> int:
    """Add the turns of all contacts to the problem, behind them; −1 where room is missing."""
    H = Detection(D)
    n = T.n_met
    for turn in range(ROLLS, SPINS + 1):
        for k in range(T.n_met):
            found = contact_at(D, H.contacts, k)
            can = max(turns_in(I, T, found.a), turns_in(I, T, found.b))
            is_out = Contact.of(P, k).a < 0 and Contact.of(P, k).b < 0  # asleep
            if is_out or can < turn or arm_of(T, Y, D, k, turn) == 0.0:
                continue
            if n >= P.contact_room:
                return -1
            contact = Contact.of(P, n)
            contact.a, contact.b = Contact.of(P, k).a, Contact.of(P, k).b
            contact.turn, contact.master = turn, k
            n += 1
    P.n_contacts = n
    return n


@inlined
def write_spin(own: Object, R: Floats, d: Floats, sign: float, row: Floats, width: int) -> None:
    """How fast an object turns about d, for each of its velocities."""
    for i in range(width):
        row[i] = 0.0
    if own.flags & Flag.RIGID != 0:
        for i in range(3):
            row[3 + i] = sign * (R[3 * i] * d[0] + R[3 * i + 1] * d[1] + R[3 * i + 2] * d[2])
    elif own.flags & Flag.PLANAR != 0:
        row[2] = sign * d[2]


@inlined
def write_turning_side(
    I: Index, T: Touching, H: Detection, F: Floats, P: Problem, X: Floats, b: int, to: int,
    first: Floats, second: Floats, sign: float,
) -> None:  # fmt: skip
    """The three rows of one body of a turn; the first is 0."""
    if b < 0 or TouchingBody.of(T, b).mover < 0:
        return
    row = TouchingBody.of(T, b)
    own = Object.of(I, row.object)
    w = Body.of(P, row.mover).width
    R = pose_of(H, F, b).rotation
    for i in range(w):
        X[to + i] = 0.0
    write_spin(own, R, first, sign, at(X, to + w), w)
    write_spin(own, R, second, sign, at(X, to + 2 * w), w)


@compiled
def write_turns(
    I: Index, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, share: float
) -> None:
    """Rows and arms of all turns, after the contacts; `share` of their arms counts."""
    H = Detection(D)
    zero = at(Y, T.no_direction)
    for k in range(T.n_met, P.n_contacts):
        contact = Contact.of(P, k)
        found = contact_at(D, H.contacts, contact.master)
        frame = at(Y, T.frames + 9 * contact.master)
        first, second = frame, zero
        if contact.turn == ROLLS:
            first, second = at(frame, 3), at(frame, 6)
            if max(turns_in(I, T, found.a), turns_in(I, T, found.b)) == 1:  # the plane has one axis
                first, second = at(frame, 6), zero
        write_turning_side(I, T, H, F, P, X, found.a, contact.Ha, first, second, -1.0)
        write_turning_side(I, T, H, F, P, X, found.b, contact.Hb, first, second, 1.0)
        given = Point(at(X, contact.point))
        given.mu = 1.0
        given.arm = share * arm_of(T, Y, D, contact.master, contact.turn)
        for i in range(3):
            given.b[i] = 0.0
            given.r[i] = 0.0
