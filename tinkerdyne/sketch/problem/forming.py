"""Forming: the structure of a sketch's problem, from its numbers (M3)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.structure import (
    Guard,
    Junction,
    MomentKind,
    Rough,
    Separation,
    Structure,
    WishForm,
)
from tinkerdyne.sketch.tell.story import Collision, Wish

if TYPE_CHECKING:
    from tinkerdyne.sketch.problem.statement import Statement

SHARES = (0.12, 0.5, 0.88, 1.0)  # of a flight, where corners are first kept above surfaces
MOST_CORNERS = 8  # at one moment
PLANES = 8  # of each of two bodies in a flight, where they are kept apart
TOUCHING = 4  # corners beyond a plane at one moment
PART = 0.8  # rad that a body without a closed form turns in one segment
MOST_PARTS = 64
SPAN = 1.5  # units of time that a flight of which nothing is said may last


def structure_of(
    s: Statement,
    *,
    has_gaps: bool,
    frees_times: bool,
    separates: bool,
    shares: list[list[Array]] | None,
) -> Structure:
    """Of the problem with or without gaps, the samples' times given or free, bodies kept apart from each
    other or not; each sample belongs to the segment that it lies in."""
    junctions: list[Junction] = []
    flights: list[int] = []
    samples: list[tuple[int, ...]] = []
    guards: list[Guard] = []
    for f, parts in enumerate(s.parts):
        for k in range(parts):
            flights.append(f)
            samples.append(tuple(int((part_of(s, f, b, shares) == k).sum()) for b in range(len(s.items))))
            if k < parts - 1:
                junctions.append(Junction())
        if f < len(s.collisions):
            junctions.append(_junction(s, s.collisions[f]))
        guards += _guards(s, f)
    is_all_timed = all(t is None or t.times is not None for row in s.tracks for t in row)
    apart = [one for f in range(len(s.parts)) for one in _separations(s, f)] if separates else []
    return Structure(
        tuple(shape.kind for shape in s.shapes),
        tuple(samples),
        tuple(junctions),
        tuple(flights),
        tuple(_wish_form(s, f, wish) for f, wish in s.wishes),
        tuple(guards),
        tuple(apart),
        tuple(item.name in s.forces for item in s.items),
        tuple(item.name in s.inertias for item in s.items),
        has_gaps,
        s.is_timed,
        s.ends_timed,
        frees_times and not is_all_timed,
        bool(s.style.any()),
        tuple(int(s.first[since]) for since in s.since) if any(s.since) else (),
    )


def parts_of(s: Statement) -> list[int]:
    """Segments of each flight: one where rotations have closed forms, else as many as keep each turn
    short."""
    out = []
    for f, (flight, row) in enumerate(zip(s.flights, s.tracks, strict=True)):
        most, longest = 1, SPAN * s.units.time if flight.duration is None else flight.duration[1]
        for b, (item, track) in enumerate(zip(s.items, row, strict=True)):
            if s.motion(f, b) != "general":
                continue
            spins = [
                np.clip(0.0, w.low, w.high) for w in flight.wishes if w.kind == "spin" and w.body is item
            ]
            angle = max((float(np.linalg.norm(spin)) * longest for spin in spins), default=0.0)
            if track is not None:
                cosines = np.abs((track.turns[1:] * track.turns[:-1]).sum(axis=1))
                turns = 2 * np.arccos(np.clip(cosines, 0, 1))
                angle = max(angle if not track.w_q.any() else 0.0, float(turns.sum()))
            most = max(most, min(MOST_PARTS, math.ceil(max(angle, 2.0) / PART)))
        out.append(most)
    return out


def part_of(s: Statement, f: int, b: int, shares: list[list[Array]] | None) -> Array:
    """In which segment of a flight each sample of a body lies: the motion begins with the first, and ends
    with the last."""
    track = s.tracks[f][b]
    n, parts = 0 if track is None else len(track.places), s.parts[f]
    share = np.linspace(0, 1, n) if shares is None else shares[f][b]
    part = np.clip(np.floor(share * parts + 1e-9), 0, parts - 1).astype(int)
    if n and f == 0:
        part[0] = 0
    if n and f == len(s.parts) - 1:
        part[-1] = parts - 1
    return np.maximum.accumulate(part)


def _guards(s: Statement, f: int) -> list[Guard]:
    """What is kept above which surface in a flight: at SHARES of it, or once in each of its segments and
    at its end."""
    parts, first = s.parts[f], int(s.first[f])
    out = []
    for b, shape in enumerate(s.shapes):
        for i, surface in enumerate(s.surfaces):
            other = -1 if surface.of is None else s.items.index(surface.of)
            if other == b or s.is_left(f, b) or all(s.is_standing(f, one) for one in (b, other) if one >= 0):
                continue
            corners = min(len(shape.corners), MOST_CORNERS)
            for k in range(parts):
                shares = SHARES if parts == 1 else (0.5, 1.0) if k == parts - 1 else (0.5,)
                out.append(Guard(first + k, b, i, other, corners, shares, not shape.tips.is_plain))
    return out


def _separations(s: Statement, f: int) -> list[Separation]:
    """Which bodies are kept apart in a flight: either may carry the planes between two; the world has
    those of obstacles."""
    ways = [way for a, b in s.pairs if b < len(s.items) for way in ((a, b), (b, a))]
    ways += [(a, -1) for a in sorted({a for a, b in s.pairs if b >= len(s.items)})]
    each, first = math.ceil(PLANES / s.parts[f]), int(s.first[f])
    corners = [min(TOUCHING, *(len(hull.points) for hull in pieces.hulls)) for pieces in s.pieces]
    rims = [any(hull.tips.has_rims for hull in pieces.hulls) for pieces in s.pieces]
    ways = [way for way in ways if not all(s.is_standing(f, one) for one in way if one >= 0)]
    return [
        Separation(first + k, a, b, corners[a], each, rims[a]) for k in range(s.parts[f]) for a, b in ways
    ]


def _junction(s: Statement, c: Collision) -> Junction:
    if c.body is None:
        return Junction()
    other = -1 if c.on.of is None else s.items.index(c.on.of)
    friction: Rough = "varied" if c.friction[0] < c.friction[1] else "given" if c.friction[1] > 0 else ""
    a = s.items.index(c.body)
    is_elastic = c.restitution[0] < c.restitution[1]
    tips = s.shapes[a].tips
    is_round, is_rimmed = bool(tips.balls.any()), tips.has_rims
    return Junction(a, other, c.tilt > 0, is_elastic, friction, is_round, is_rimmed, c.on.ball > 0)


def _wish_form(s: Statement, f: int, w: Wish) -> WishForm:
    body = -1 if w.body is None else s.items.index(w.body)
    other = -1 if w.surface is None or w.surface.of is None else s.items.index(w.surface.of)
    when: MomentKind = "share"
    if w.time is not None:
        when = "time"
    elif isinstance(w.when, str):
        when = "start" if w.when == "start" else "end"
    segment = int(s.first[f]) + (s.parts[f] - 1 if when == "end" else 0)
    size = len(w.low) if w.kind != "orientation" else 3
    is_rimmed = w.kind in ("height", "reach", "face") and s.shapes[body].tips.has_rims
    return WishForm(segment, w.kind, body, when, w.is_hard, size, other, w.function, is_rimmed)
