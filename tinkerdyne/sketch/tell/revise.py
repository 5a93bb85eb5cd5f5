"""Revising what was told: samples inserted, removed, replaced and moved; flights removed, divided and moved.

An edit leaves what it does not touch as it is, so that a solution of the sketch before it is a first guess
for the sketch after it (`solve(near=…)`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.tell.story import Flight, Samples, Wish


def number_of(k: int, count: int, what: str) -> int:
    """The number of a flight or sample, counted from the end where it is negative."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not -count <= k < count:
        raise ValueError(f"{what} must be a whole number from {-count} to {count - 1}, not {k!r}")
    return int(k) % count


def with_samples(track: Samples, at: int, more: Samples) -> Samples:
    """A track with samples inserted before sample `at`."""
    for name in ("orientations", "times"):
        if (getattr(track, name) is None) != (getattr(more, name) is None):
            has = "has no" if getattr(track, name) is None else "has"
            raise ValueError(f"the track {has} {name}; samples that are inserted must be like the others")
    parts: dict[str, Any] = {
        name: np.concatenate([getattr(track, name)[:at], getattr(more, name), getattr(track, name)[at:]])
        for name in ("places", "orientations", "times")
        if getattr(track, name) is not None
    }
    if "times" in parts and np.any(np.diff(parts["times"]) <= 0):
        raise ValueError("times of samples must rise; insert each between those before and after it")
    if track.keys is not None:
        parts["keys"] = tuple(k + len(more.places) * (k >= at) for k in track.keys)
    return replace(track, **parts)


def without_samples(track: Samples, which: list[int]) -> Samples | None:
    """A track without some samples; none where none is left."""
    keep = np.setdiff1d(np.arange(len(track.places)), which)
    return _part(track, keep) if len(keep) else None


def moved_sample(track: Samples, i: int, place: ArrayLike | None, orientation: ArrayLike | None) -> Samples:
    """A track with one sample elsewhere, or turned otherwise."""
    places, turns = track.places.copy(), track.orientations
    if place is not None:
        places[i] = place
    if orientation is not None:
        if turns is None:
            raise ValueError("the track has no orientations; follow the body with orientations first")
        turns = turns.copy()
        turns[i] = orientation
    return replace(track, places=places, orientations=turns)


def divided_flight(flight: Flight, at: int) -> tuple[Flight, Flight]:
    """Two flights of one: samples before `at` and from it on; wishes of the end belong to the second."""
    first, second = Flight(), Flight()
    for name, track in flight.tracks.items():
        count = len(track.places)
        share = min(max(round(at / max(_longest(flight), 1) * count), 1), count - 1)
        if count < 2:
            first.tracks[name] = track
            continue
        first.tracks[name] = _part(track, np.arange(share))
        second.tracks[name] = _part(track, np.arange(share, count))
    for wish in flight.wishes:
        (first if _is_early(wish) else second).wishes.append(wish)
    return first, second


def _is_early(wish: Wish) -> bool:
    return wish.when == "start" or (isinstance(wish.when, float) and wish.when < 0.5)


def _longest(flight: Flight) -> int:
    return max((len(track.places) for track in flight.tracks.values()), default=0)


def _part(track: Samples, rows: Array) -> Samples:
    keys = None if track.keys is None else tuple(k for k, row in enumerate(rows) if row in track.keys)
    has_turns = track.orientations is not None and keys != ()
    return replace(
        track,
        places=track.places[rows],
        orientations=track.orientations[rows] if has_turns and track.orientations is not None else None,
        times=None if track.times is None else track.times[rows],
        keys=keys or None,
    )


def keyed(track: Samples, i: int, orientation: ArrayLike) -> Samples:
    """A track turned so at one sample, which becomes a key; between keys orientations lead evenly from one to
    the next."""
    from scipy.spatial.transform import Rotation, Slerp

    count = len(track.places)
    keys = tuple(sorted({*(track.keys or ()), i}))
    shown = {} if track.orientations is None else {k: track.orientations[k] for k in keys}
    shown[i] = np.asarray(orientation, float)
    rows = np.array([shown[k] for k in keys])[:, [1, 2, 3, 0]]
    if len(keys) == 1:
        turns = np.tile(rows, (count, 1))
    else:
        at = np.clip(np.arange(count), keys[0], keys[-1])
        turns = Slerp(keys, Rotation.from_quat(rows))(at).as_quat()
    return replace(track, orientations=turns[:, [3, 0, 1, 2]], keys=keys)
