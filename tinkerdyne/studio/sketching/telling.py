"""A sketch and its motion as pages see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from tinkerdyne.sketch.show.report import Residual
from tinkerdyne.sketch.show.solution import Solution
from tinkerdyne.sketch.show.style import Measures
from tinkerdyne.sketch.show.tree_solution import TreeSolution
from tinkerdyne.sketch.show.words import ASTRAY, TURNED, warnings
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.story import Collision, Flight, Wish
from tinkerdyne.sketch.tree.sketch import TreeSketch
from tinkerdyne.studio.wire import protocol as p

if TYPE_CHECKING:
    from tinkerdyne.studio.sketching.begin import AnySketch
    from tinkerdyne.studio.sketching.solver import AnySolution

POINTS = 33  # of a flight's path
FEW = 13  # of one that is shown small
DIGITS = 6  # of coordinates
EXACT = 1e-6  # of a residual in its own unit: a smaller one is not told
MOST_FAULTS = 12
KINDS: dict[str, p.Wanted] = {
    "position": "position",
    "orientation": "orientation",
    "velocity": "velocity",
    "spin": "spin",
    "point": "point",
    "place": "inside",
}  # of wishes that are edited by hand, and how pages call them


def sketch_told(sketch: AnySketch | None, number: int, problem: str = "") -> p.SketchTold:
    """What a sketch asks for."""
    from tinkerdyne.studio.sketching.tree_telling import tree_told

    if sketch is None:
        return p.SketchTold(number, problem=problem)
    if isinstance(sketch, TreeSketch):
        return replace(tree_told(sketch, number), problem=problem)
    return p.SketchTold(
        number,
        tuple(body.name for body in sketch.bodies),
        tuple(sketch.gravity.tolist()),
        tuple(p.SketchSurface(one.name, one.origin, one.normal) for one in sketch.surfaces if one.of is None),
        tuple(map(_flight, sketch.flights)),
        tuple(map(_blow, sketch.collisions, sketch.flights)),
        sketch.preferred.wishes if sketch.preferred is not None else {},
        tuple(sketch.standing),
        tuple(body.name for body in sketch.obstacles),
        problem=problem,
    )


def _flight(flight: Flight) -> p.SketchFlight:
    tracks = [
        p.SketchTrack(
            name,
            tuple(map(tuple, track.places.tolist())),
            () if track.orientations is None else tuple(map(tuple, track.orientations.tolist())),
            track.times is not None,
            keys=track.keys or (),
        )
        for name, track in flight.tracks.items()
    ]
    told = [(wish, _wish(wish)) for wish in flight.wishes]
    return p.SketchFlight(
        tuple(tracks),
        tuple(one for _, one in told if one is not None),
        tuple(wish.says for wish, one in told if one is None and wish.kind not in ("face", "reach")),
        flight.duration or (),
    )


def _wish(wish: Wish) -> p.SketchWish | None:
    """A wish that can be edited by hand."""
    when = {"start": "start", "end": "end", "0.0": "start", "1.0": "end"}.get(str(wish.when))
    if wish.kind not in KINDS or wish.body is None or when is None or wish.time is not None:
        return None
    low, high, of = wish.low, wish.high, wish.surface.of if wish.surface is not None else None
    if wish.kind == "place" and of is not None:  # in principal axes: told in the body's own
        ends = np.array([low, high]) @ shape_of(of).axes.T
        low, high = ends.min(axis=0), ends.max(axis=0)
    if not np.all(np.isfinite([low, high])):
        return None
    is_one = wish.kind == "orientation" or np.array_equal(low, high)
    return p.SketchWish(
        wish.body.name,
        KINDS[wish.kind],
        "start" if when == "start" else "end",
        tuple(low.tolist()),
        wish.is_hard,
        () if is_one else tuple(high.tolist()),
        tuple(wish.at) if wish.kind == "point" else (),
        of.name if of is not None else "",
    )


def _blow(c: Collision, flight: Flight) -> p.SketchBlow:
    of = c.on.of
    reach = [float(np.sqrt(w.high[0])) for w in flight.wishes if w.kind == "reach" and w.surface == c.on]
    return p.SketchBlow(
        c.name,
        c.body.name if c.body is not None else "",
        c.at or (),
        c.on.name if c.body is not None and of is None else "",
        of.name if of is not None else "",
        c.on.origin,
        c.on.normal,
        reach[0] if reach else 0.0,
        bool(c.on.ball),
        c.restitution,
        c.friction,
        c.tilt,
    )


# --- the motion ----------------------------------------------------------------------------------
def motion_told(m: AnySolution, number: int, seconds: float, *, is_searching: bool) -> p.MotionTold:
    """The motion that was found."""
    from tinkerdyne.studio.sketching.tree_telling import tree_motion_told

    if isinstance(m, TreeSolution):
        return tree_motion_told(m, number, seconds, is_searching=is_searching)
    off = m.misfit
    is_astray = off.place > ASTRAY * m.statement.units.length or off.turn > TURNED
    return p.MotionTold(
        number,
        is_searching,
        tuple(m.grid.tolist()),
        paths_of(m, POINTS),
        tuple(_blows(m)),
        tuple(_faults(m)),
        tuple(line for note in warnings(m) for line in note.splitlines()),
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


def other_told(number: int, m: AnySolution, looks: Measures) -> p.SketchOther:
    """Another motion, small."""
    from tinkerdyne.studio.sketching.tree_telling import tree_paths

    is_tree = isinstance(m, TreeSolution)
    paths = tree_paths(m) if isinstance(m, TreeSolution) else paths_of(m, FEW)
    grid = (0.0, float(m.seconds)) if is_tree else tuple(m.grid.tolist())
    return p.SketchOther(
        number, paths, grid, looks.speed, looks.height, looks.seconds,
        looks.turns, m.cost,
    )  # fmt: skip
