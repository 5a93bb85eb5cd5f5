"""A sketch and its motion as pages see them."""

from __future__ import annotations

import numpy as np

from tinkerdyne.sketch.show.report import Residual
from tinkerdyne.sketch.show.solution import Solution
from tinkerdyne.sketch.show.style import Measures
from tinkerdyne.sketch.show.words import ASTRAY, TURNED
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Collision, Flight, Wish
from tinkerdyne.studio.wire import protocol as p

POINTS = 33  # of a flight's path
FEW = 13  # of one that is shown small
DIGITS = 6  # of coordinates
EXACT = 1e-6  # of a residual in its own unit: a smaller one is not told
MOST_FAULTS = 12
KINDS = ("position", "orientation", "velocity", "spin")


def sketch_told(sketch: Sketch | None, number: int, problem: str = "") -> p.SketchTold:
    """What a sketch asks for."""
    if sketch is None:
        return p.SketchTold(number, problem=problem)
    return p.SketchTold(
        number,
        tuple(body.name for body in sketch.bodies),
        tuple(sketch.gravity.tolist()),
        tuple(p.SketchSurface(one.name, one.origin, one.normal) for one in sketch.surfaces if one.of is None),
        tuple(map(_flight, sketch.flights)),
        tuple(map(_blow, sketch.collisions)),
        sketch.preferred.wishes if sketch.preferred is not None else {},
        problem,
    )


def _flight(flight: Flight) -> p.SketchFlight:
    tracks = [
        p.SketchTrack(
            name,
            tuple(map(tuple, track.places.tolist())),
            () if track.orientations is None else tuple(map(tuple, track.orientations.tolist())),
            track.times is not None,
        )
        for name, track in flight.tracks.items()
    ]
    told = [(wish, _wish(wish)) for wish in flight.wishes]
    return p.SketchFlight(
        tuple(tracks),
        tuple(one for _, one in told if one is not None),
        tuple(wish.says for wish, one in told if one is None),
        flight.duration or (),
    )


def _wish(wish: Wish) -> p.SketchWish | None:
    """A wish that can be edited by hand."""
    when = {"start": "start", "end": "end", "0.0": "start", "1.0": "end"}.get(str(wish.when))
    is_one = wish.kind == "orientation" or np.array_equal(wish.low, wish.high)
    if wish.kind not in KINDS or wish.body is None or when is None or wish.time is not None or not is_one:
        return None
    value = tuple(wish.low.tolist())
    kind: p.Wanted = wish.kind  # type: ignore[assignment]
    return p.SketchWish(wish.body.name, kind, "start" if when == "start" else "end", value, wish.is_hard)


def _blow(c: Collision) -> p.SketchBlow:
    return p.SketchBlow(
        c.name,
        c.body.name if c.body is not None else "",
        c.at or (),
        c.on.name if c.body is not None and c.on.of is None else "",
        c.on.of.name if c.on.of is not None else "",
        c.on.normal,
        c.restitution,
        c.friction,
        c.tilt,
    )


# --- the motion ----------------------------------------------------------------------------------
def motion_told(m: Solution, number: int, seconds: float, *, is_searching: bool) -> p.MotionTold:
    """The motion that was found."""
    off = m.misfit
    is_astray = off.place > ASTRAY * m.statement.units.length or off.turn > TURNED
    return p.MotionTold(
        number,
        is_searching,
        tuple(m.grid.tolist()),
        paths_of(m, POINTS),
        tuple(_blows(m)),
        tuple(_faults(m)),
        _verdict(m),
        bool(is_astray),
        (off.place, off.turn),
        seconds,
    )


def _verdict(m: Solution) -> p.Verdict:
    if m.is_met:
        return "met"
    if m.is_plausible:
        return "plausible"
    if not m.is_granted:
        return "unmet"
    return "deep" if m.depths else "wild"


def paths_of(m: Solution, points: int) -> tuple[p.MotionPath, ...]:
    """The motion of each body."""
    share, found = np.linspace(0.0, 1.0, points), []
    for b, body in enumerate(m.sketch.bodies):
        flights = []
        for f in range(len(m.grid) - 1):
            x, q, *_ = m.states(b, f, share)
            flights.append(tuple(np.column_stack([x, q]).round(DIGITS).ravel().tolist()))
        found.append(p.MotionPath(body.name, tuple(flights), tuple(_times(m, b))))
    return tuple(found)


def _times(m: Solution, b: int) -> list[tuple[float, ...]]:
    """When the motion passes each sample of a body, also those that were left out of a long track [s]."""
    body = m.sketch.bodies[b]
    out: list[tuple[float, ...]] = []
    for flight, used in zip(m.sketch.flights, m.sample_times(body), strict=True):
        track = flight.tracks.get(body.name)
        count = 0 if track is None else len(track.places)
        if not count or not len(used):
            out.append(())
            continue
        at = np.linspace(0, count - 1, len(used)) if count != len(used) else np.arange(count)
        out.append(tuple(np.interp(np.arange(count), at, used).round(DIGITS).tolist()))
    return out


def _blows(m: Solution) -> list[p.MotionBlow]:
    ends = [f for f, c in enumerate(m.sketch.collisions) if c.body is not None]
    found = []
    for f, one in zip(ends, m.blows, strict=True):
        speed, spin = (max(gap[k] for gap in one.gaps.values()) for k in (0, 1))
        place, normal = tuple(one.place.tolist()), tuple(one.normal.tolist())
        impulse = float(np.linalg.norm(one.impulse))
        law = one.restitution, one.friction
        found.append(p.MotionBlow(f, one.time, place, normal, impulse, *law, speed, spin, one.is_wild))
    return found


def _faults(m: Solution) -> list[p.MotionFault]:
    found = [_fault(m, one) for one in m.depths]
    worst = sorted(m.residuals, key=lambda one: -one.size)
    return (found + [_fault(m, one) for one in worst if one.size > EXACT])[:MOST_FAULTS]


def _fault(m: Solution, one: Residual) -> p.MotionFault:
    place: tuple[float, ...] = ()
    if one.body and one.time is not None:
        body = next(body for body in m.sketch.bodies if body.name == one.body)
        place = tuple(m.at(body, min(max(one.time, 0.0), m.seconds))["position"].tolist())
    return p.MotionFault(one.says, one.size, one.unit, place)


def other_told(number: int, m: Solution, looks: Measures) -> p.SketchOther:
    """Another motion, small."""
    return p.SketchOther(
        number, paths_of(m, FEW), tuple(m.grid.tolist()), looks.speed, looks.height, looks.seconds,
        looks.turns, m.cost,
    )  # fmt: skip
