"""Terms of what is asked for: wishes, corners above surfaces, and planes between bodies (M1, M2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

import casadi as ca

from tinkerdyne.language.symbols import SX
from tinkerdyne.sketch.problem.formulas import WishNumbers, heights, projection, width
from tinkerdyne.sketch.problem.structure import Guard, Separation, WishForm
from tinkerdyne.sketch.problem.unknowns import (
    UNITS,
    Begin,
    Between,
    Duration,
    Faces,
    Guarded,
    Key,
    Watch,
    Wished,
    Within,
)

if TYPE_CHECKING:
    from tinkerdyne.sketch.problem.problem import Problem


def wish(P: Problem, i: int, form: WishForm) -> None:
    """A hard wish has rows; a soft one costs the square of what it is off."""
    k, parts = form.segment, P.structure.parts[form.segment]
    every = tuple(range(P.bodies))
    bodies = every if form.kind == "custom" else tuple(b for b in (form.body, form.other) if b >= 0)
    ys, ps = P.reads(k, bodies)
    read = P.flying(k, bodies)
    ps += [Wished(i), UNITS, *([Faces(i)] if form.kind == "face" else [])]
    if form.when == "time":
        (ys if k else ps).append(Begin(k))

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        flying = read(y, p)
        rest, numbers = flying.rest(y, p)
        given, after = WishNumbers.of(numbers), numbers[WishNumbers.SIZE :]
        units, faces = after[:2], after[2 : 2 + 3 * form.size] if form.kind == "face" else None
        if form.when == "time":
            t = given.when - (rest[0] if k else numbers[-1])
        else:
            t = {"start": ca.SX(0), "end": flying.T, "share": given.when * parts * flying.T}[form.when]
        steps = parts if form.when in ("share", "time") else 1  # seen from the beginning of the flight
        states = [flying.at(j, t, steps) for j in range(len(bodies))]
        value = projection(form, states, given, units, faces)
        if form.is_hard:
            return ca.SX(0), value
        low, high = given.low[: form.size], given.high[: form.size]
        off = ca.fmax(low - value, 0) + ca.fmax(value - high, 0)
        return given.weight * ca.sumsqr(off), ca.SX(0, 1)

    moment = (form.when, form.when == "time" and k > 0)
    kinds = (form.kind, *moment, form.is_hard, form.size, form.function, form.is_rimmed)
    if form.when == "time":
        _within(P, i, k)
    is_shared = form.function is None
    P.add(P.family("wish", k, bodies, *kinds), ys, ps, formula, Wished(i), is_shared=is_shared)


def _within(P: Problem, i: int, k: int) -> None:
    """The time of a wish lies in its flight, which begins with segment k:  0 ≤ t − B ≤ T."""

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        when = WishNumbers.of(p).when
        return ca.SX(0), ca.vertcat(when - y[1], y[0] - (when - y[1])) if k else y[0] - when

    ys: list[Key] = [Duration(P.structure.flights[k]), *([Begin(k)] if k else [])]
    P.add(("within", k > 0), ys, [Wished(i)], formula, Within(i))


def guard(P: Problem, i: int, form: Guard) -> None:
    """Heights of corners over a plane at some moments of a segment."""
    bodies = (form.body,) if form.other < 0 else (form.body, form.other)
    for j in range(len(form.shares)):
        ys, ps = P.reads(form.segment, bodies)
        ps += [Guarded(i), Watch(i, j)]
        family, formula = _above(P, form, bodies)
        P.add(family, ys, ps, formula, Watch(i, j))


def separation(P: Problem, i: int, form: Separation) -> None:
    """Heights of corners over planes that another body carries, or the world, at moments of a segment."""
    bodies = (form.body,) if form.other < 0 else (form.body, form.other)
    for j in range(form.planes):
        ys, ps = P.reads(form.segment, bodies)
        ps.append(Between(i, j))
        family, formula = _above(P, form, bodies)
        P.add(family, ys, ps, formula, Between(i, j))


def _above(
    P: Problem, form: Guard | Separation, bodies: tuple[int, ...]
) -> tuple[tuple[Hashable, ...], Callable[[SX, SX], tuple[SX, SX]]]:
    """The family and the formula of corners above a plane."""
    read, size = P.flying(form.segment, bodies), width(form)

    def formula(y: SX, p: SX) -> tuple[SX, SX]:
        flying = read(y, p)
        return ca.SX(0), heights(flying, flying.rest(y, p)[1], is_carried=form.other >= 0, size=size)

    return P.family("guard", form.segment, bodies, form.corners, size), formula
