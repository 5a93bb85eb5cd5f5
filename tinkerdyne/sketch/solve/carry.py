"""Carrying over: from the motion of one sketch a first guess for another that came of it by edits (M3, M5).

Flights know each other by their keys. One that was there before begins as it was found; one that is new is
guessed from its samples. Units, numbers of flights, samples and wishes may all have changed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.guard import first_looks
from tinkerdyne.sketch.problem.point import Guess, Point, lowest
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.unknowns import Chosen, Force, Friction, Gap, Inertia, Restitution, Tilt
from tinkerdyne.sketch.solve.assign import assigned
from tinkerdyne.sketch.solve.guess import guess
from tinkerdyne.sketch.solve.outcome import Outcome

PER_FLIGHT = (Tilt, Restitution, Friction, Gap)  # what a motion chooses of the blow that ends a flight


def carried(old: Statement, outcome: Outcome, new: Statement) -> tuple[Point, list[Array | None]]:
    """The motion of an old sketch as a first guess for a new one, and the corners that strike in it."""
    fresh, was = guess(new), outcome.point
    place = {flight.key: f for f, flight in enumerate(old.flights)}
    if not new.keys & old.keys:  # a sketch that was told or read anew: flights are matched in their order
        place = {flight.key: f for f, flight in enumerate(new.flights[: len(old.flights)])}
    names = {item.name: b for b, item in enumerate(old.items)}
    length, clock = old.units.length / new.units.length, old.units.time / new.units.time
    durations = fresh.durations.copy()
    states, shares = [list(row) for row in fresh.states], [list(row) for row in fresh.shares]
    is_same = True
    for f, flight in enumerate(new.flights):
        before = place.get(flight.key)
        if before is None:
            is_same = False
            continue
        durations[f] = was.durations[before] * clock
        for b, item in enumerate(new.items):
            if item.name not in names or new.is_standing(f, b):
                continue
            state, n = was.states[before][names[item.name]], len(shares[f][b])
            if len(state.share) == n:
                shares[f][b] = state.share
            else:
                shares[f][b], is_same = np.linspace(0, 1, n), False
            speed = length / clock
            states[f][b] = Guess(state.x * length, state.q, state.v * speed, state.w / clock, shares[f][b])
    chosen = _chosen(old, was.chosen, new, place)
    point = Point(durations, states, shares, chosen=chosen, looks=first_looks(new, new.structure()))
    point = point if is_same else assigned(new, point)
    corners = lowest(new, point)
    for f, flight in enumerate(new.flights[:-1]):
        before = place.get(flight.key)
        is_open = corners[f] is not None
        if is_open and before is not None and before < len(outcome.corners):
            known = outcome.corners[before]
            corners[f] = corners[f] if known is None else known
    return point, corners


def _chosen(
    old: Statement, chosen: dict[Chosen, Array], new: Statement, place: dict[int, int]
) -> dict[Chosen, Array]:
    """What a motion chose, where the new one has the same choice."""
    out: dict[Chosen, Array] = {}
    segments = {
        int(old.first[place[flight.key] + 1]) - 1: int(new.first[f + 1]) - 1
        for f, flight in enumerate(new.flights)
        if flight.key in place
    }
    for key, value in chosen.items():
        if isinstance(key, PER_FLIGHT):
            if key.segment in segments and not isinstance(key, Gap):
                out[replace(key, segment=segments[key.segment])] = value
        elif isinstance(key, (Force, Inertia)) and len(old.items) == len(new.items):
            out[key] = value
    return out
