"""Edits of a sketch by hand, each in the words of `tinkerdyne.sketch`; they change a copy."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import singledispatch
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import vector
from tinkerdyne.language.item import Item
from tinkerdyne.sketch.show.solution import Solution
from tinkerdyne.sketch.tell.reading import pair
from tinkerdyne.sketch.tell.revise import keyed, number_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Samples, Surface, Wish, struck_first
from tinkerdyne.sketch.tree.sketch import TreeSketch
from tinkerdyne.studio.sketching.acting import gesture_in, pieces_in
from tinkerdyne.studio.sketching.asking import ask, moment, want_value, wished
from tinkerdyne.studio.sketching.striking import (
    edit_blow,
    end_with_bounce,
    end_with_meeting,
    let_fall,
    named_in,
)
from tinkerdyne.studio.sketching.tree_verbs import revise_tree
from tinkerdyne.studio.wire import protocol as p

if TYPE_CHECKING:
    from tinkerdyne.studio.sketching.begin import AnySketch
    from tinkerdyne.studio.sketching.solver import AnySolution

ALIKE = 1e-9  # orientations that differ by less are one
SAME = 1e-6  # m: a sample that is as near to what is wanted is one with it
MOST_ACTED = 12  # samples that are kept of a flight that was acted


def revised(command: object, sketch: AnySketch, solution: AnySolution | None) -> AnySketch:
    """A sketch as a command changes it; the solution is of the sketch before it."""
    new = copy(sketch)
    if isinstance(new, TreeSketch):
        revise_tree(command, new)
    else:
        revise(command, new, solution if isinstance(solution, Solution) else None)
    return new


@singledispatch
def revise(command: object, _sketch: Sketch, _solution: Solution | None) -> None:
    """Carry out a command on a sketch; the solution is of the sketch before it."""
    raise TypeError(f"{type(command).__name__} does not edit a sketch")


# --- poses ---------------------------------------------------------------------------------------
@revise.register
def _pose_sample(command: p.PoseSample, sketch: Sketch, solution: Solution | None) -> None:
    body, turn = named_in(sketch, command.body), command.orientation or None
    sketch.tell(command.flight)
    track = sketch.flights[command.flight].tracks.get(body.name)
    if not command.is_new:
        sketch.move(body, command.sample, place=command.place)
        if turn is not None:
            _turn_sample(sketch, command.flight, body, command.sample, turn)
    elif track is None:
        sketch.follow(body, [command.place], None if turn is None else [turn])
    else:
        times = None if track.times is None else [_between(track.times, command.sample)]
        turns = (
            None
            if track.orientations is None
            else [turn or track.orientations[min(command.sample, len(track.places) - 1)]]
        )
        if not 0 <= command.sample <= len(track.places):
            raise ValueError(
                f"there are {len(track.places)} samples; {command.sample} is none of their places"
            )
        sketch.insert(body, command.sample, [command.place], turns, times=times)


def _turn_sample(sketch: Sketch, flight: int, body: Item, sample: int, turn: tuple[float, ...]) -> None:
    """Of a stroke without orientations the sample becomes a key."""
    track = sketch.flights[flight].tracks[body.name]
    turn = vector(f"orientation of {body.name}", turn, length=4)
    if track.orientations is not None and np.allclose(track.orientations[sample], turn, atol=ALIKE):
        return
    if track.orientations is not None and track.keys is None:
        sketch.tell(flight)
        sketch.move(body, sample, orientation=turn)
    elif not np.linalg.norm(turn) > ALIKE:
        raise ValueError(f"orientation of {body.name} must not be the zero quaternion")
    else:
        sketch.flights[flight].tracks[body.name] = keyed(track, sample, turn)


def _shown_beside(track: Samples, at: int, turn: tuple[float, ...] | None) -> list[ArrayLike] | None:
    """The orientation of a sample that comes between others; where it is not said, that of the one there."""
    if track.orientations is None:
        return None
    return [turn or track.orientations[min(max(at, 0), len(track.places) - 1)]]


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
    sketch.drop(named_in(sketch, command.body), [command.sample])


@revise.register
def _pose_wish(command: p.PoseWish, sketch: Sketch, _solution: Solution | None) -> None:
    body, when = named_in(sketch, command.body), command.when
    k = number_of(command.flight, len(sketch.flights), "the flight")
    _carry_sample(command, sketch, body, k)
    point = wished(sketch, k, body.name, "point", when)
    if point is not None and wished(sketch, k, body.name, "position", when) is None:
        want_value(sketch, k, body, "point", when, command.place, hard=point.is_hard, at=point.at)
        return
    for kind, value in (("position", command.place), ("orientation", command.orientation)):
        old = wished(sketch, k, body.name, kind, when)
        if value and (old is not None or kind == "position"):
            hard = old.is_hard if old is not None else True
            want_value(sketch, k, body, kind, when, _beside(old, np.array(value)), hard=hard)


def _beside(old: Wish | None, value: Array) -> Array | tuple[Array, Array]:
    """A value, or a room of the size that was wanted, about it."""
    if old is None or np.array_equal(old.low, old.high) or not np.all(np.isfinite(old.high - old.low)):
        return value
    return value - (old.high - old.low) / 2, value + (old.high - old.low) / 2


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
    ask(sketch, command, named_in(sketch, command.body))


# --- flights and collisions ----------------------------------------------------------------------
@revise.register
def _edit_flight(command: p.EditFlight, sketch: Sketch, solution: Solution | None) -> None:
    k = number_of(command.flight, len(sketch.flights), "the flight")
    body = named_in(sketch, command.body) if command.body else sketch.bodies[0]
    match command.what:
        case "bounce":
            end_with_bounce(sketch, k, body, solution)
        case "meet":
            end_with_meeting(sketch, k, body, solution)
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


@revise.register
def _edit_blow(command: p.EditBlow, sketch: Sketch, solution: Solution | None) -> None:
    edit_blow(command, sketch, solution)


@revise.register
def _edit_sketch(command: p.EditSketch, sketch: Sketch, _solution: Solution | None) -> None:
    if command.gravity:
        sketch.gravity = np.array(_three("gravity", command.gravity))
    if command.style is not None:
        sketch.style(**command.style)
    if command.standing is not None:
        _stand(sketch, command.standing)
    if command.surface:
        _lay(
            sketch,
            Surface(_three("origin", command.origin), _three("normal", command.normal), command.surface),
        )


def _three(what: str, given: tuple[float, ...]) -> tuple[float, ...]:
    if len(given) != 3 or not np.all(np.isfinite(given)):
        raise ValueError(f"{what} has three numbers, not {given!r}")
    return given


def _stand(sketch: Sketch, names: tuple[str, ...]) -> None:
    """These bodies stand until they are struck: nothing is shown or wanted of them before."""
    for name in names:
        body = named_in(sketch, name)
        if name in sketch.standing:
            continue
        let_fall(sketch, body)
        for flight in sketch.flights[: struck_first(sketch.collisions, body)]:
            flight.tracks.pop(name, None)
            flight.wishes = [w for w in flight.wishes if w.body is not body or w.kind in ("face", "reach")]
        sketch.stand(body)
    for name in [name for name in sketch.standing if name not in names]:
        sketch.standing.remove(name)
        body = named_in(sketch, name)
        sketch.tell(0)
        sketch.want(body, position=body.position, orientation=body.orientation, when="start")


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
    body = named_in(sketch, command.body)
    gesture = gesture_in(command)
    pieces = pieces_in(command, gesture, sketch.gravity)
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
    first.wishes = [wish for wish in first.wishes if moment(wish) != "start" or wish.body is not body]
