"""What ends a flight, by hand: a bounce on a surface, a collision of two bodies, or a split."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch.show.solution import Solution
from tinkerdyne.sketch.tell.contacts import face_of
from tinkerdyne.sketch.tell.revise import number_of
from tinkerdyne.sketch.tell.shape import FlightBody, shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Samples, Surface, struck_first
from tinkerdyne.studio.sketching.asking import moment
from tinkerdyne.studio.sketching.bouncing import State, hop
from tinkerdyne.studio.wire import protocol as p

FALLS = (0.1, 0.2)  # s: after two bodies met they are shown to fall so long
BOUNCY, ROUGH = 0.5, 0.3  # restitution and friction of a bounce, to begin with
SAME = 1e-6  # of a body's size, or m: points that lie as far out, or in one place


def index_in(solution: Solution, body: Item) -> int:
    return [one.name for one in solution.sketch.bodies].index(body.name)


def named_in(sketch: Sketch, name: str) -> Item:
    """A body of a sketch."""
    for body in sketch.bodies:
        if body.name == name:
            return body
    has = ", ".join(body.name for body in sketch.bodies)
    raise ValueError(f"the sketch has no body {name!r}; it has {has}")


def end_with_bounce(sketch: Sketch, k: int, body: Item, solution: Solution | None) -> None:
    """Flight k ends with a bounce of a body on the first surface, and hops on."""
    surface = sketch.surfaces[0] if sketch.surfaces else Surface()
    state, shape = coming(sketch, k, body, solution), shape_of(body)
    shown = hop(state, shape, surface, sketch.gravity, restitution=BOUNCY, friction=ROUGH)
    sketch.tell(k)
    sketch.bounce(body, on=surface, restitution=BOUNCY, friction=ROUGH)
    _hand_over(sketch, k)
    sketch.tell(k + 1)
    sketch.follow(body, *shown)


def end_with_meeting(sketch: Sketch, k: int, body: Item, solution: Solution | None) -> None:
    """Flight k ends when a body meets the next one, on the face that looks at it; what is round strikes."""
    if len(sketch.bodies) < 2:
        raise ValueError("a collision of two bodies needs two that move: sketch them together")
    after = {one.name: other for one, other in pairwise([*sketch.bodies, sketch.bodies[0]])}
    other = after[body.name]
    if shape_of(other).round and not shape_of(body).round:
        body, other = other, body
    face = facing(sketch, k, body, other, solution)
    sketch.tell(k)
    if face.ball:
        sketch.collide(body, None, other, origin=face.origin, restitution=BOUNCY)
    else:
        sketch.collide(body, None, other, origin=face.origin, normal=face.normal, restitution=BOUNCY)
    _hand_over(sketch, k)
    _bring_together(sketch, k, body, other)


def _bring_together(sketch: Sketch, k: int, body: Item, other: Item) -> None:
    """Where two bodies are shown to end flight k far from each other, they are shown to meet half way, and to
    fall from there."""
    shown = [sketch.flights[k].tracks.get(one.name) for one in (body, other)]
    if shown[0] is None or shown[1] is None:
        return
    sizes = [shape_of(one).radius for one in (body, other)]
    starts, ends = (np.array([one.places[at] for one in shown if one is not None]) for at in (0, -1))
    if np.linalg.norm(ends[0] - ends[1]) <= sum(sizes):
        return
    way = (starts[0] - starts[1]) / (np.linalg.norm(starts[0] - starts[1]) or 1.0)
    middle = starts.mean(axis=0)
    for one, track, end, side in zip((body, other), shown, ends, (1, -1), strict=True):
        assert track is not None
        meets = middle + side * way * sum(sizes) / 4
        share = np.linspace(0, 1, len(track.places))[:, None]
        places = track.places + share * (meets - end)
        sketch.flights[k].tracks[one.name] = replace(track, places=places)
        sketch.tell(k + 1)
        turns = None if track.orientations is None else track.orientations[-1:].repeat(len(FALLS), axis=0)
        sketch.follow(one, meets + np.outer(np.square(FALLS) / 2, sketch.gravity), turns)


def let_fall(sketch: Sketch, body: Item) -> None:
    """Where a body that is to stand was shown to meet another and to fall from there, what comes after they
    meet is contact's. Where they were shown to meet half way, they meet where it stands; what a hand showed
    stays."""
    f = struck_first(sketch.collisions, body)
    if f != len(sketch.flights) - 1 or sketch.collisions[f - 1].on.of is None:
        return
    blow = sketch.collisions[f - 1]
    names = [one.name for one in (blow.body, blow.on.of) if one is not None]
    before, after = ([sketch.flights[k].tracks.get(name) for name in names] for k in (f - 1, f))
    starts = [_falls_from(track, sketch.gravity) for track in after]
    if any(start is None for start in starts):
        return
    for name in names:
        del sketch.flights[f].tracks[name]
    ends = [None if track is None else track.places[-1] for track in before]
    if not all(end is not None and _is_same(end, at) for end, at in zip(ends, starts, strict=True)):
        return
    off = np.array(body.position) - ends[names.index(body.name)]
    for name, track in zip(names, before, strict=True):
        assert track is not None
        share = np.linspace(0, 1, len(track.places))[:, None]
        sketch.flights[f - 1].tracks[name] = replace(track, places=track.places + share * off)


def _falls_from(track: Samples | None, gravity: Array) -> Array | None:
    """Where a body is shown to fall from, in the way of those that were brought together."""
    fallen = np.outer(np.square(FALLS) / 2, gravity)
    if track is None or len(track.places) != len(FALLS):
        return None
    starts = np.asarray(track.places - fallen)
    return starts[0] if _is_same(starts, starts[0]) else None


def _is_same(a: Array, b: Array | None) -> bool:
    return b is not None and bool(np.allclose(a, b, rtol=0, atol=SAME))


def _hand_over(sketch: Sketch, k: int) -> None:
    """What was wanted at the end of flight k is wanted at the end of the one that was put after it."""
    told = sketch.flights[k]
    ends = [wish for wish in told.wishes if moment(wish) == "end" and wish.kind not in ("face", "reach")]
    told.wishes = [wish for wish in told.wishes if wish not in ends]
    sketch.flights[k + 1].wishes.extend(ends)


def coming(sketch: Sketch, k: int, body: Item, solution: Solution | None) -> State:
    """A body at the end of a flight, by the motion, or as it is shown."""
    if solution is not None and len(solution.grid) == len(sketch.flights) + 1:
        return State(*(one[0] for one in solution.states(index_in(solution, body), k, np.array([1.0]))))
    track = sketch.flights[k].tracks.get(body.name)
    place = track.places[-1] if track is not None else np.array(body.position)
    return State(place, np.array(body.orientation), np.zeros(3), np.zeros(3))


def facing(sketch: Sketch, k: int, body: Item, other: Item, solution: Solution | None) -> Surface:
    """The face of another body that looks at a body when flight k ends."""
    if shape_of(other).round:
        return face_of(body, other, None, None, has_reach=False)
    there, here = (coming(sketch, k, one, solution) for one in (body, other))
    off = rotation_matrix(here.turn).T @ (there.place - here.place)
    shape = shape_of(other)
    normals, far = shape.halfspaces
    n = normals[int((normals @ off - far).argmax())] if np.any(off) else normals[0]
    return face_of(body, other, _middle(shape, n), n, has_reach=False)


def _middle(shape: FlightBody, n: Array) -> Array:
    """The middle of what lies furthest out in a direction, in the body."""
    tips = shape.tips
    out = tips.extents(n) + tips.balls
    far = np.flatnonzero(out > out.max() - SAME * shape.radius)
    return np.asarray(np.mean([tips.touching(int(tip), -n) for tip in far], axis=0))


def edit_blow(command: p.EditBlow, sketch: Sketch, solution: Solution | None) -> None:
    """Tell what ends a flight anew."""
    k = number_of(command.flight, len(sketch.collisions), "the collision")
    if not command.body:
        sketch.strike(k, None)
        return
    body, reach = named_in(sketch, command.body), None
    if command.of:
        on, reach = _face(command, sketch, k, body, solution), command.reach or None
    else:
        known = {one.name: one for one in sketch.surfaces if one.of is None}
        if command.on and command.on not in known:
            raise ValueError(f"there is no surface {command.on!r}; there are {', '.join(known) or 'none'}")
        old = sketch.collisions[k].on
        on = known[command.on] if command.on else old if old.of is None else Surface()
    sketch.strike(
        k,
        body,
        command.at or None,
        on=on,
        reach=None if on.ball else reach,
        restitution=_range(command.restitution),
        friction=_range(command.friction),
        tilt=0.0 if on.ball else command.tilt,
    )


def _face(command: p.EditBlow, sketch: Sketch, k: int, body: Item, solution: Solution | None) -> Surface:
    """The face that a command names, else the one that looks at the body."""
    other = named_in(sketch, command.of)
    if not command.normal or shape_of(other).round:
        return facing(sketch, k, body, other, solution)
    origin = command.origin or (0.0, 0.0, 0.0)
    return face_of(body, other, origin, command.normal, has_reach=command.reach > 0)


def _range(given: tuple[float, ...]) -> tuple[float, float]:
    if len(given) not in (1, 2):
        raise ValueError(f"a number, or the least and the most, not {given!r}")
    return given[0], given[-1]
