"""Edits by hand of a sketch of bodies with joints; they change a copy."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import vector
from tinkerdyne.sketch.tell.revise import number_of
from tinkerdyne.sketch.tree.sketch import HeldKind, LinkSamples, NodeBound, TreeSketch
from tinkerdyne.studio.sketching.acting import gesture_in
from tinkerdyne.studio.sketching.trees import LONGEST
from tinkerdyne.studio.wire import protocol as p

MOST_ACTED = 12  # samples that are kept of a gesture
PLACE: HeldKind = "place"  # one of the kinds of what is held, and no type
HELD: dict[str, HeldKind] = {"position": "place", "point": "place", "velocity": "velocity", "spin": "spin"}


@singledispatch
def revise_tree(command: object, _sketch: TreeSketch) -> None:
    """Carry out a command on a sketch of a tree."""
    raise ValueError(
        "this is a sketch of bodies with joints: it has one flight, and neither collisions nor styles"
    )


def _link_of(sketch: TreeSketch, name: str) -> int:
    names = [link.item.name for link in sketch.tree.links]
    if name not in names:
        raise ValueError(f"the sketch has no body {name!r}; it has {', '.join(names)}")
    return names.index(name)


def _track(sketch: TreeSketch, name: str) -> tuple[int, LinkSamples] | None:
    link = _link_of(sketch, name)
    return next(((k, one) for k, one in enumerate(sketch.tracks) if one.link == link), None)


def _show(sketch: TreeSketch, name: str, places: Array, times: Array | None = None) -> None:
    """These are the samples of a body."""
    old = _track(sketch, name)
    if not len(places):
        if old is not None:
            del sketch.tracks[old[0]]
        return
    if old is not None:
        sketch.tracks[old[0]] = replace(old[1], places=places, times=times)
    else:
        sketch.follow(sketch.bodies[_link_of(sketch, name)], places, times=times)


@revise_tree.register
def _pose_sample(command: p.PoseSample, sketch: TreeSketch) -> None:
    old = _track(sketch, command.body)
    places = np.zeros((0, 3)) if old is None else old[1].places.copy()
    times = None if old is None else old[1].times
    place = vector(f"place of {command.body}", command.place, length=3)
    if command.is_new:
        at = number_of(command.sample, len(places) + 1, "the sample")
        places = np.insert(places, at, place, axis=0)
        if times is not None:
            beside = np.concatenate([[max(2 * times[0] - times[1], 0)], times, [2 * times[-1] - times[-2]]])
            times = np.insert(times, at, (beside[at] + beside[at + 1]) / 2)
    else:
        places[number_of(command.sample, len(places), "the sample")] = place
    _show(sketch, command.body, places, times)


@revise_tree.register
def _drop_sample(command: p.DropSample, sketch: TreeSketch) -> None:
    old = _track(sketch, command.body)
    if old is None:
        raise ValueError(f"nothing is shown of {command.body}")
    k, track = number_of(command.sample, len(old[1].places), "a sample"), old[1]
    times = None if track.times is None else np.delete(track.times, k)
    _show(sketch, command.body, np.delete(track.places, k, axis=0), times)


def _held(sketch: TreeSketch, body: str, kind: str, when: str) -> NodeBound | None:
    node = 0 if when == "start" else sketch.steps
    link = _link_of(sketch, body)
    for hold in sketch.holds:
        if (hold.link, hold.node) == (link, node) and kind in _names_of(hold):
            return hold
    return None


def _names_of(hold: NodeBound) -> tuple[str, ...]:
    if hold.kind == "place":
        return ("place", "position" if not any(hold.at) else "point")
    return (hold.kind,)


@revise_tree.register
def _pose_wish(command: p.PoseWish, sketch: TreeSketch) -> None:
    old = _held(sketch, command.body, PLACE, command.when)
    at = (0.0, 0.0, 0.0) if old is None else old.at
    _want(sketch, command.body, PLACE, command.when, command.place, at=at, old=old)


@revise_tree.register
def _ask_wish(command: p.AskWish, sketch: TreeSketch) -> None:
    if command.kind not in HELD:
        raise ValueError(f"of bodies with joints no {command.kind} can be wanted; want the place of a point")
    old = _held(sketch, command.body, command.kind, command.when)
    if not command.value:
        sketch.holds = [one for one in sketch.holds if one is not old]
        return
    if not command.is_hard:
        raise ValueError("what is wanted of bodies with joints is hard; show a sample there instead")
    value = (command.value, command.high) if command.high else command.value
    at = command.at if command.kind == "point" else (0.0, 0.0, 0.0)
    _want(sketch, command.body, HELD[command.kind], command.when, value, at=at, old=old)


def _want(
    sketch: TreeSketch, body: str, kind: str, when: str, value: Any, *, at: Any, old: NodeBound | None
) -> None:
    given: dict[str, Any] = {kind: value}
    sketch.holds = [one for one in sketch.holds if one is not old]
    sketch.want(sketch.bodies[_link_of(sketch, body)], at=at, when=when, **given)


@revise_tree.register
def _edit_flight(command: p.EditFlight, sketch: TreeSketch) -> None:
    if command.what != "lasts":
        raise ValueError("the motion of bodies with joints is one flight: they strike nothing in a sketch")
    sketch.lasts(*(command.lasts or LONGEST))


@revise_tree.register
def _edit_sketch(command: p.EditSketch, sketch: TreeSketch) -> None:
    if not command.gravity:
        raise ValueError("bodies with joints are sketched without surfaces, styles or bodies that stand")
    if len(command.gravity) != 3 or not np.all(np.isfinite(command.gravity)):
        raise ValueError(f"gravity has three numbers, not {command.gravity!r}")
    sketch.gravity = np.array(command.gravity)


@revise_tree.register
def _act(command: p.ActSketch, sketch: TreeSketch) -> None:
    gesture = gesture_in(command).resampled(MOST_ACTED)
    _show(sketch, command.body, gesture.places)
