"""Edits of a sketch by hand, each in the words of `tinkerdyne.sketch`; they change a copy."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.sketch.show.solution import Solution
from tinkerdyne.sketch.solve.search import divided
from tinkerdyne.sketch.tell.gesture import gesture_of, read_gesture
from tinkerdyne.sketch.tell.reading import pair
from tinkerdyne.sketch.tell.revise import number_of
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Samples, Surface, Wish
from tinkerdyne.studio.sketching.bouncing import State, hop
from tinkerdyne.studio.wire import protocol as p

SAME = 1e-6  # m: a sample that is as near to what is wanted is one with it
MOST_ACTED = 12  # samples that are kept of a flight that was acted
BOUNCY, ROUGH = 0.5, 0.3  # restitution and friction of a bounce, to begin with
LOW = 0.15  # of the height of a gesture: a valley that is as deep is a bounce


@singledispatch
def revise(command: object, _sketch: Sketch, _solution: Solution | None) -> None:
    """Carry out a command on a sketch; the solution is of the sketch before it."""
    raise TypeError(f"{type(command).__name__} does not edit a sketch")


def body_of(sketch: Sketch, name: str) -> Item:
    for body in sketch.bodies:
        if body.name == name:
            return body
    raise ValueError(
        f"the sketch has no body {name!r}; it has {', '.join(body.name for body in sketch.bodies)}"
    )


# --- poses ---------------------------------------------------------------------------------------
@revise.register
def _pose_sample(command: p.PoseSample, sketch: Sketch, solution: Solution | None) -> None:
    body, turn = body_of(sketch, command.body), command.orientation or None
    sketch.tell(command.flight)
    track = sketch.flights[command.flight].tracks.get(body.name)
    if not command.is_new:
        if track is not None and track.orientations is None and turn is not None:
            track = _turned(track, solution, body, command.flight)
            sketch.flights[command.flight].tracks[body.name] = track
        sketch.move(body, command.sample, place=command.place, orientation=turn)
    elif track is None:
        sketch.follow(body, [command.place], None if turn is None else [turn])
    else:
        times = None if track.times is None else [_between(track.times, command.sample)]
        turns = None if track.orientations is None or turn is None else [turn]
        if not 0 <= command.sample <= len(track.places):
            raise ValueError(
                f"there are {len(track.places)} samples; {command.sample} is none of their places"
            )
        sketch.insert(body, command.sample, [command.place], turns, times=times)


def _turned(track: Samples, solution: Solution | None, body: Item, flight: int) -> Samples:
    """A track with orientations: as the motion has them, else as the body stands."""
    turns = np.tile(np.array(body.orientation, float), (len(track.places), 1))
    if solution is not None and flight < len(solution.grid) - 1:
        begin, end = solution.grid[flight], solution.grid[flight + 1]
        times = solution.sample_times(body)[flight]
        at = np.interp(np.linspace(0, 1, len(turns)), np.linspace(0, 1, len(times)), times)
        turns = solution.states(_index(solution, body), flight, (at - begin) / (end - begin))[1]
    return replace(track, orientations=turns)


def _between(times: Array, at: int) -> float:
    """A time between two samples, or beside the first or last one."""
    if len(times) == 1:
        return float(times[0]) + (0.05 if at else -0.5 * float(times[0]))
    if at <= 0:
        return float(max(times[0] - (times[1] - times[0]), times[0] / 2))
    return float((times[at - 1] + times[at]) / 2 if at < len(times) else 2 * times[-1] - times[-2])


@revise.register
def _drop_sample(command: p.DropSample, sketch: Sketch, _solution: Solution | None) -> None:
    sketch.tell(command.flight)
    sketch.drop(body_of(sketch, command.body), [command.sample])


def _moment(wish: Wish) -> str:
    return {"0.0": "start", "1.0": "end"}.get(str(wish.when), str(wish.when)) if wish.time is None else ""


def wished(sketch: Sketch, flight: int, body: str, kind: str, when: str) -> Wish | None:
    """What is wanted of a body when a flight begins or ends."""
    for wish in sketch.flights[flight].wishes:
        if wish.kind == kind and wish.body is not None and wish.body.name == body and _moment(wish) == when:
            return wish
    return None


def _ask(
    sketch: Sketch, flight: int, body: Item, kind: str, when: str, value: Array | None, *, hard: bool
) -> None:
    """Want a value, instead of what was wanted of the same kind; None: it is free."""
    sketch.tell(flight)
    old = wished(sketch, flight, body.name, kind, when)
    told = sketch.flights[flight]
    told.wishes = [wish for wish in told.wishes if wish is not old]
    if value is not None:
        given: dict[str, Any] = {kind: value}
        sketch.want(body, when=when, hard=hard, **given)


@revise.register
def _pose_wish(command: p.PoseWish, sketch: Sketch, _solution: Solution | None) -> None:
    body = body_of(sketch, command.body)
    k = number_of(command.flight, len(sketch.flights), "the flight")
    _carry_sample(command, sketch, body, k)
    for kind, value in (("position", command.place), ("orientation", command.orientation)):
        old = wished(sketch, command.flight, body.name, kind, command.when)
        if value and (old is not None or kind == "position"):
            hard = old.is_hard if old is not None else True
            _ask(sketch, command.flight, body, kind, command.when, np.array(value), hard=hard)


def _carry_sample(command: p.PoseWish, sketch: Sketch, body: Item, k: int) -> None:
    """The first and the last sample of a motion lie at its ends: where one is what is wanted there, it goes
    along."""
    wish = wished(sketch, k, body.name, "position", command.when)
    track = sketch.flights[k].tracks.get(body.name)
    is_end = k == (0 if command.when == "start" else len(sketch.flights) - 1)
    at = 0 if command.when == "start" else -1
    if wish is None or track is None or not is_end or not np.allclose(track.places[at], wish.low, atol=SAME):
        return
    turn = command.orientation if track.orientations is not None and command.orientation else None
    sketch.tell(k)
    sketch.move(body, at % len(track.places), place=command.place, orientation=turn)


@revise.register
def _ask_wish(command: p.AskWish, sketch: Sketch, _solution: Solution | None) -> None:
    number_of(command.flight, len(sketch.flights), "the flight")
    value = np.array(command.value) if command.value else None
    body = body_of(sketch, command.body)
    _ask(sketch, command.flight, body, command.kind, command.when, value, hard=command.is_hard)


# --- flights and collisions ----------------------------------------------------------------------
@revise.register
def _edit_flight(command: p.EditFlight, sketch: Sketch, solution: Solution | None) -> None:
    k = number_of(command.flight, len(sketch.flights), "the flight")
    match command.what:
        case "bounce":
            _bounce(sketch, k, solution)
        case "split":
            most = max((len(t.places) for t in sketch.flights[k].tracks.values()), default=0)
            sketch.divide(k, command.to or max(most // 2, 1))
        case "remove":
            sketch.remove(k)
        case "reorder":
            sketch.reorder(k, command.to)
        case _:
            lasts = command.lasts
            sketch.flights[k].duration = (
                pair("the duration of a flight", lasts, least=1e-4, most=1e4) if lasts else None
            )


def _bounce(sketch: Sketch, k: int, solution: Solution | None) -> None:
    """Flight k ends with a bounce of the first body on the first surface, and hops on."""
    body = sketch.bodies[0]
    surface = sketch.surfaces[0] if sketch.surfaces else Surface()
    state, shape = _coming(sketch, k, body, solution), shape_of(body)
    shown = hop(state, shape, surface, sketch.gravity, restitution=BOUNCY, friction=ROUGH)
    ends = [wish for wish in sketch.flights[k].wishes if _moment(wish) == "end"]
    sketch.tell(k)
    sketch.bounce(body, on=surface, restitution=BOUNCY, friction=ROUGH)
    told = sketch.flights[k]
    told.wishes = [wish for wish in told.wishes if wish not in ends]
    sketch.flights[k + 1].wishes.extend(ends)
    sketch.tell(k + 1)
    sketch.follow(body, *shown)


def _coming(sketch: Sketch, k: int, body: Item, solution: Solution | None) -> State:
    """A body at the end of a flight, by the motion, or as it is shown."""
    if solution is not None and len(solution.grid) == len(sketch.flights) + 1:
        return State(*(one[0] for one in solution.states(_index(solution, body), k, np.array([1.0]))))
    track = sketch.flights[k].tracks.get(body.name)
    place = track.places[-1] if track is not None else np.array(body.position)
    return State(place, np.array(body.orientation), np.zeros(3), np.zeros(3))


def _index(solution: Solution, body: Item) -> int:
    return [one.name for one in solution.sketch.bodies].index(body.name)


@revise.register
def _edit_blow(command: p.EditBlow, sketch: Sketch, _solution: Solution | None) -> None:
    k = number_of(command.flight, len(sketch.collisions), "the collision")
    old = sketch.collisions[k]
    if not command.body:
        sketch.strike(k, None)
        return
    known = {one.name: one for one in sketch.surfaces}
    if command.on and command.on not in known:
        raise ValueError(f"there is no surface {command.on!r}; there are {', '.join(known) or 'none'}")
    body = body_of(sketch, command.body)
    e, mu = _range(command.restitution), _range(command.friction)
    if not command.on and old.on.of is not None:  # the face of another body stays as it was told
        at = tuple(command.at) or None
        pair("restitution", e, least=0.0, most=1.0)
        pair("friction", mu, least=0.0, most=10.0)
        new = replace(old, body=body, at=at, restitution=e, friction=mu, tilt=command.tilt)
        sketch.collisions[k] = new
        return
    on = known[command.on] if command.on else old.on
    sketch.strike(k, body, command.at or None, on=on, restitution=e, friction=mu, tilt=command.tilt)


def _range(given: tuple[float, ...]) -> tuple[float, float]:
    if len(given) not in (1, 2):
        raise ValueError(f"a number, or the least and the most, not {given!r}")
    return given[0], given[-1]


@revise.register
def _edit_sketch(command: p.EditSketch, sketch: Sketch, _solution: Solution | None) -> None:
    if command.gravity:
        sketch.gravity = np.array(_three("gravity", command.gravity))
    if command.style is not None:
        sketch.style(**command.style)
    if command.surface:
        _lay(
            sketch,
            Surface(_three("origin", command.origin), _three("normal", command.normal), command.surface),
        )


def _three(what: str, given: tuple[float, ...]) -> tuple[float, ...]:
    if len(given) != 3 or not np.all(np.isfinite(given)):
        raise ValueError(f"{what} has three numbers, not {given!r}")
    return given


def _lay(sketch: Sketch, new: Surface) -> None:
    """A plane, or another place of the one that has its name."""
    old = next((one for one in sketch.surfaces if one.name == new.name), None)
    if old is None:
        sketch.keep_above(new)
        return
    sketch.surfaces = [new if one is old else one for one in sketch.surfaces]
    sketch.collisions = [replace(c, on=new) if c.on == old else c for c in sketch.collisions]
    for flight in sketch.flights:
        flight.wishes = [replace(w, surface=new) if w.surface == old else w for w in flight.wishes]


# --- acting --------------------------------------------------------------------------------------
@revise.register
def _act(command: p.ActSketch, sketch: Sketch, _solution: Solution | None) -> None:
    """A gesture instead of what was shown of a body, cut where it comes lowest."""
    body = body_of(sketch, command.body)
    given = {
        "places": command.places,
        "orientations": command.orientations or None,
        "times": command.times or None,
    }
    gesture = read_gesture(command.text) if command.text else gesture_of(given)
    gesture = gesture.smoothed(min(command.smooth, len(gesture) / 4))
    count = command.flights or len(valleys(gesture.places, sketch.gravity)) + 1
    down = sketch.gravity / (np.linalg.norm(sketch.gravity) or 1.0)
    pieces = divided(gesture.places, count - 1, down=down)
    while len(sketch.flights) > len(pieces):
        sketch.remove(len(sketch.flights) - 1)
    while len(sketch.flights) < len(pieces):
        sketch.tell(len(sketch.flights) - 1)
        surface = sketch.surfaces[0] if sketch.surfaces else Surface()
        sketch.bounce(body, on=surface, restitution=(0.1, 0.9), friction=0.3)
    for k, piece in enumerate(pieces):
        shown = gesture[piece].resampled(MOST_ACTED)
        sketch.flights[k].tracks.pop(body.name, None)
        sketch.tell(k)
        sketch.follow(body, shown.places, shown.orientations)
    first = sketch.flights[0]
    first.wishes = [wish for wish in first.wishes if _moment(wish) != "start" or wish.body is not body]


def valleys(places: Array, gravity: Array) -> list[int]:
    """Where a gesture comes down and goes up again, each deeper than a share of its height."""
    down = gravity / (np.linalg.norm(gravity) or 1.0)
    height = -places @ down
    least = LOW * float(np.ptp(height))
    found: list[int] = []
    for k in range(2, len(height) - 2):
        if height[k] > height[k - 1] or height[k] >= height[k + 1]:
            continue
        before = height[found[-1] if found else 0 : k + 1].max()
        after = height[k:].max()
        if min(before, after) - height[k] > least:
            found.append(k)
    return found
