"""A motion that was acted: a gesture of the hand, smoothed, and cut into flights where it comes lowest, or
where a person cuts it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.solve.search import divided
from tinkerdyne.sketch.tell.gesture import Gesture, gesture_of, read_gesture
from tinkerdyne.studio.wire import protocol as p

LOW = 0.15  # of the height of a gesture: a valley that is as deep is a bounce
FEWEST = 2  # samples of a flight
DIGITS = 5  # of heights


def gesture_in(command: p.ActSketch) -> Gesture:
    """As it was recorded or read, smoothed."""
    given = {
        "places": command.places,
        "orientations": command.orientations or None,
        "times": command.times or None,
    }
    gesture = read_gesture(command.text) if command.text else gesture_of(given)
    return gesture.smoothed(min(command.smooth, len(gesture) / 4))


def pieces_in(command: p.ActSketch, gesture: Gesture, gravity: Array) -> list[slice]:
    """Its flights."""
    if command.cuts:
        edges = [0, *command.cuts, len(gesture) - 1]
        if any(b - a < FEWEST for a, b in pairwise(edges)):
            raise ValueError(
                f"a gesture of {len(gesture)} places is cut in order, {FEWEST} places apart at least, not at "
                f"{', '.join(map(str, command.cuts))}"
            )
        return [slice(a, b + 1) for a, b in pairwise(edges)]
    count = command.flights or len(valleys(gesture.places, gravity)) + 1
    return divided(gesture.places, count - 1, down=_down(gravity))


def gesture_told(command: p.ActSketch, gravity: Array) -> p.GestureTold:
    """How high it goes, and where it is cut."""
    gesture = gesture_in(command)
    heights = (-gesture.places @ _down(gravity)).round(DIGITS)
    cuts = tuple(piece.start for piece in pieces_in(command, gesture, gravity)[1:])
    return p.GestureTold(tuple(heights.tolist()), cuts)


def _down(gravity: Array) -> Array:
    return np.asarray(gravity / (np.linalg.norm(gravity) or 1.0))


def valleys(places: Array, gravity: Array) -> list[int]:
    """Where a gesture comes down and goes up again, each deeper than a share of its height."""
    height = -places @ _down(gravity)
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
