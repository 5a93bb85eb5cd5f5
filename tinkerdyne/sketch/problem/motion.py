"""Terms of the motion itself: samples, continuity, collisions, the clock, and moments of inertia (M3)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import casadi as ca

from tinkerdyne.language.symbols import SX
from tinkerdyne.sketch.problem.formulas import (
    NODE,
    CollisionFormula,
    ImpactNumbers,
    SampleNumbers,
    each_moment,
    started,
    turn_error,
)
from tinkerdyne.sketch.problem.structure import Junction
from tinkerdyne.sketch.problem.unknowns import (
    END,
    STYLE,
    Begin,
    Clock,
    Continuity,
    Duration,
    Friction,
    Gap,
    Impact,
    Inertia,
    Key,
    Moments,
    Node,
    Reference,
    Restitution,
    Sample,
    Share,
    Tilt,
)

if TYPE_CHECKING:
    from tinkerdyne.sketch.problem.problem import Problem


TURNED = 0.02  # what a turn by one radian counts beside a unit of speed, squared
LONG, FAR = 2.5, 40.0  # units of time that a high flight lasts, and rad², that a far turn has


def sample(P: Problem, k: int, b: int, i: int) -> None:
    """w_x |x − x_s|² + w_q |2 vec(q_s* q)|²."""
    s = P.structure
    ys, ps = P.reads(k, (b,))
    read = P.flying(k, (b,))
    f = s.flights[k]
    share, is_free = Share(f, b, i), s.is_free(k, b, i)
    ps.append(Sample(f, b, i))
    if s.is_timed:
        (ys if k else ps).append(Begin(k))
    (ys if is_free else ps).append(share)

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        flying = read(y, p)
        rest_y, rest_p = flying.rest(y, p)
        given = SampleNumbers.of(rest_p)
        t = (rest_y if is_free else rest_p)[-1] * flying.T
        if s.is_timed:
            begin = rest_y[0] if k else rest_p[SampleNumbers.SIZE]
            t = t + given.is_timed * (given.time - begin - t)
        end = flying.at(0, t)
        turned = 4 * (1 - end.alignment(given.turn) ** 2)  # |2 vec(q_s* q)|² of unit quaternions
        cost = given.place_weight * ca.sumsqr(end.x - given.place) + given.turn_weight * turned
        return cost, ca.SX(0, 1)

    P.add(P.family("sample", k, (b,), is_free, s.is_timed, s.is_timed and k > 0), ys, ps, formula)
    before = Share(f, b, i - 1)
    if is_free and before in P.x:  # samples keep their order; so many segments lie between the two
        ahead = k - next(j for j in range(k + 1) if s.flights[j] == f and i - 1 in s.held(j, b))
        P.add(("order", ahead), [before, share], [], functools.partial(_rising, ahead), share)


def _rising(ahead: int, y: SX, _p: SX) -> tuple[SX, SX]:
    """The share of a sample is no less than that of the one before it, which lies so many segments behind."""
    return ca.SX(0), y[1] - y[0] + ahead


def continuity(P: Problem, k: int, b: int, *, is_struck: bool) -> None:
    """The next node goes on where this segment ended; a body that nothing strikes keeps its velocity too."""
    ys, ps = P.reads(k, (b,))
    read = P.flying(k, (b,))
    ys.append(Node(k + 1, b))
    ps.append(Reference(k + 1, b))

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        flying = read(y, p)
        z, q = flying.rest(y, p)
        end, after = flying.at(0, flying.T), started(z, q)
        rows = [after.x - end.x, turn_error(end.q, after.q)]
        return ca.SX(0), ca.vertcat(*rows, *(() if is_struck else (after.v - end.v, after.w - end.w)))

    P.add(P.family("continuity", k, (b,), is_struck), ys, ps, formula, Continuity(k, b))


def impact(P: Problem, k: int, junction: Junction) -> None:
    """Contact height 0, approach, and the velocities after the impulse, but for the gaps."""
    bodies = junction.struck
    ys, ps = P.reads(k, bodies)
    read = P.flying(k, bodies)
    ps.append(Impact(k))
    chosen: list[Key] = [key for key in (Tilt(k), Restitution(k), Friction(k)) if key in P.x]
    gaps = [Gap(k, b) for b in bodies] if P.structure.has_gaps else []
    ys += [*chosen, *gaps, *(Node(k + 1, b) for b in bodies)]
    at = (2 if junction.is_tilted else 0) + int(junction.is_elastic) + int(junction.friction == "varied")

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        flying = read(y, p)
        rest, numbers = flying.rest(y, p)
        given = ImpactNumbers.of(numbers)
        contact = CollisionFormula.read(junction, flying, given, rest)
        cost, rows = ca.SX(0), [contact.height, contact.closing]
        if junction.is_tilted:
            rows.append(ca.sumsqr(rest[:2]))
        for i, (v, w) in enumerate(contact.after):
            z = rest[at + len(gaps) * 6 + i * NODE :][:NODE] if gaps else rest[at + i * NODE :][:NODE]
            off = ca.vertcat(z[6:9] - v, z[9:12] - w)
            if gaps:
                gap = rest[at + 6 * i : at + 6 * i + 6]
                off = off - gap
                cost += given.gap_weight * ca.sumsqr(gap[:3]) + given.spin_gap_weight * ca.sumsqr(gap[3:])
            rows.append(off)
        return cost, ca.vertcat(*rows)

    law = (junction.is_tilted, junction.is_elastic, junction.friction)
    touch = (junction.is_round, junction.is_rimmed, junction.is_ball)
    P.add(
        P.family("impact", k, bodies, junction.b >= 0, *law, *touch, bool(gaps)), ys, ps, formula, Impact(k)
    )


def clock(P: Problem, k: int, parts: int) -> None:
    """The next segment begins when this one ends."""

    def formula(y: SX, _p: SX) -> tuple[SX, SX]:
        return ca.SX(0), y[1] - y[0] / parts - (y[2] if k else 0)

    before: list[Key] = [Begin(k)] if k else []
    ys = [Duration(P.structure.flights[k]), Begin(k + 1), *before]
    P.add(("clock", parts, k > 0), ys, [], formula, Clock(k))


def style(P: Problem, k: int, b: int) -> None:
    """What is preferred, of one segment of one body: calm, the mean square of its speed and of its turn;
    high, that it flies long; fast, that it does not; turns, what is large where there are few."""
    ys, ps = P.reads(k, (b,))
    read = P.flying(k, (b,))
    ps.append(STYLE)

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        flying = read(y, p)
        calm, high, fast, turns = ca.vertsplit(flying.rest(y, p)[1])
        begin, after = flying.at(0, ca.SX(0)), flying.at(0, flying.T)
        speed = (ca.sumsqr(begin.v) + ca.sumsqr(after.v)) / 2
        turned = ca.sumsqr(begin.w) * flying.T**2
        cost = calm * (speed + TURNED * turned) + high * (LONG - y[0]) ** 2
        return cost + fast * y[0] ** 2 + turns * FAR / (FAR + turned), ca.SX(0, 1)

    P.add(P.family("style", k, (b,)), ys, ps, formula)


def end(P: Problem) -> None:
    """The last segment ends at a given time, or no earlier."""
    k = len(P.structure.samples) - 1
    parts = P.structure.parts[k]

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        return ca.SX(0), y[0] / parts + (y[1] if k else 0) - p

    ys: list[Key] = [Duration(P.structure.flights[k]), *([Begin(k)] if k else [])]
    P.add(("end", parts, k > 0), ys, [END], formula, END)


def inertia(P: Problem, b: int) -> None:
    """No moment is larger than the two others together: I₁ ≤ I₂ + I₃, and so on."""
    kind = P.structure.kinds[b]

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        I = p * each_moment(kind, y)
        return ca.SX(0), ca.vertcat(*((ca.sum1(I) - 2 * I[i]) / ca.sum1(p) for i in range(3)))

    P.add(("inertia", kind), [Inertia(b)], [Moments(b)], formula, Inertia(b))
