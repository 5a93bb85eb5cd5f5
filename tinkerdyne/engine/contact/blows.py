"""Blows: what is written down of bodies that hit each other, while somebody listens."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import FloatRecord, Floats, Ints, cells
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.meeting import along_normal
from tinkerdyne.engine.contact.problem import Contact, Point, Problem
from tinkerdyne.engine.contact.recycling import contact_at, point_at
from tinkerdyne.engine.contact.touching import Touching
from tinkerdyne.engine.records import Scalars

SINGLE, IMPULSE = 3, 12  # where the impulse of a single blow is left, engine.contact.single_blow
HEARD = 256  # that are kept of one step; of more the last are lost


class Blow(FloatRecord):
    """One contact that was struck, its bodies as the detection counts them."""

    a: float
    b: float
    time: float
    speed: float  # of approach [m/s]
    opens: float  # how fast it opens afterwards [m/s]
    point: Floats = cells(3)
    normal: Floats = cells(3)  # from a into b
    impulse: Floats = cells(3)  # on b [N s]


@inlined
def write_blow(
    S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, k: int, speed: float,
    v: Floats,
) -> None:  # fmt: skip
    """Write one down, with the impulse that its point has; v are the velocities after it."""
    if T.n_heard >= HEARD:
        return
    H = Detection(D)
    found, point = contact_at(D, H.contacts, k), point_at(F, H.points, k)
    blow = Blow(at(Y, T.heard + T.n_heard * Blow.size))
    frame = at(Y, T.frames + 9 * k)
    r = Point(at(X, Contact.of(P, k).point)).r
    blow.opens = along_normal(P, X, k, v)
    blow.a, blow.b, blow.time, blow.speed = 1.0 * found.a, 1.0 * found.b, S.time, speed
    for i in range(3):
        blow.point[i] = 0.5 * (point.xa[i] + point.xb[i])
        blow.normal[i] = point.n[i]
        blow.impulse[i] = r[0] * frame[i] + r[1] * frame[3 + i] + r[2] * frame[6 + i]
    T.n_heard += 1


@compiled
def note_jolts(
    S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, limit: float
) -> None:
    """Write down the contacts that a kick stopped from an approach faster than the limit; v_free has the
    velocities before it."""
    for k in range(T.n_met):
        point = Point(at(X, Contact.of(P, k).point))
        before = along_normal(P, X, k, at(X, P.v_free))
        if point.r[0] > 0.0 and point.u[0] - point.b[0] - before > limit and before < -limit:
            write_blow(S, T, Y, D, F, P, X, k, -before, at(X, P.v))


@compiled
def note_bounces(
    S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, limit: float
) -> None:
    """Write down the contacts of a bounce, which the solver has just solved for."""
    for k in range(T.n_met):
        before = along_normal(P, X, k, at(X, P.v_free))
        is_asked = Y[T.blows + k] != 0.0  # those that are struck alone are told by themselves
        if is_asked and Point(at(X, Contact.of(P, k).point)).r[0] > 0.0 and before < -limit:
            write_blow(S, T, Y, D, F, P, X, k, -before, at(X, P.v))


@compiled
def note_single(
    S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, k: int, w: Floats
) -> None:
    """Write down the one contact of an island that is struck, which has just been solved for: w are the
    velocities after it."""
    r = Point(at(X, Contact.of(P, k).point)).r
    p = at(Y, T.columns + SINGLE * P.n_velocities + IMPULSE)
    for i in range(3):
        r[i] = p[i]
    write_blow(S, T, Y, D, F, P, X, k, -along_normal(P, X, k, at(X, P.v_free)), w)
