"""Reading what is told: points, bounds, samples and moments, refused in words where they cannot be meant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.connectors.points import point
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.story import PointOf, Samples


def point_of(body: Item, what: str, given: PointOf, *, touches: bool = False) -> tuple[float, ...]:
    """A point of a body in its own axes, from one of its points or from three numbers; one that touches lies
    in its hull."""
    if isinstance(given, Item):
        if given.type is not point or given.inputs[0] is not body:
            raise ValueError(f"{what} must be a point of {label(body)}, not {label(given)}")
        at: tuple[float, ...] = given.values["at"]
        return at
    place = vector(what, given, length=3)
    if touches:
        off, size = shape_of(body).beside(body, place)
        if off > size:
            raise ValueError(
                f"{what} lies {off:.3g} m off {label(body)}: {place}; name one of its points, or three "
                "numbers in its own axes "
                "that lie on or inside it"
            )
    return place


def pair(what: str, value: ArrayLike, *, least: float, most: float) -> tuple[float, float]:
    """One number, or the least and the most that a number may be."""
    low, high = (
        vector(what, value, length=2)
        if isinstance(value, (tuple, list, np.ndarray))
        else (number(what, value),) * 2
    )
    if not least <= low <= high <= most:
        raise ValueError(f"{what} must lie between {least:g} and {most:g}, in order, not {value!r}")
    return low, high


def samples(what: str, value: ArrayLike, width: int) -> Array:
    """Rows of finite numbers."""
    try:
        rows = np.array(value, float)
    except (TypeError, ValueError):
        name, _, whose = what.partition(" ")
        for k, row in enumerate(value if isinstance(value, (list, tuple)) else ()):
            vector(f"{name}[{k}] {whose}".strip(), row, length=width)
        raise TypeError(f"{what} must be rows of {width} numbers, not {str(value)[:60]!r}") from None
    if rows.ndim != 2 or rows.shape[1] != width or not len(rows):
        raise ValueError(f"{what} must be rows of {width} numbers, not an array of shape {rows.shape}")
    if not np.all(np.isfinite(rows)):
        raise ValueError(f"{what} must be finite; row {int(np.argmin(np.isfinite(rows).all(axis=1)))} is not")
    return rows


def track_of(
    who: str,
    places: ArrayLike,
    orientations: ArrayLike | None,
    times: ArrayLike | None,
    weight: float,
    turn_weight: float,
    keys: Sequence[int] | None = None,
) -> Samples:
    """The samples of a body in a flight."""
    x = samples(f"places of {who}", places, 3)
    q = None if orientations is None else samples(f"orientations of {who}", orientations, 4)
    t = None if times is None else np.array(vector(f"times of {who}", times))
    for what, rows in (("orientations", q), ("times", t)):
        if rows is not None and len(rows) != len(x):
            raise ValueError(f"{what} of {who} must be as many as its places, {len(x)}, not {len(rows)}")
    if q is not None and not np.all(np.linalg.norm(q, axis=1) > 1e-9):
        raise ValueError(
            f"orientations of {who} must not hold the zero quaternion; no rotation is (1, 0, 0, 0)"
        )
    if t is not None and (np.any(np.diff(t) <= 0) or t[0] < 0):
        raise ValueError(f"times of {who} must rise from 0 on; leave them out when they do not count")
    w, wq = number(f"weight of {who}", weight), number(f"turn_weight of {who}", turn_weight)
    if w < 0 or wq < 0:
        raise ValueError(f"weights of {who} must not be negative, not {weight!r} and {turn_weight!r}")
    if keys is None:
        return Samples(x, q, t, w, wq)
    if q is None:
        raise ValueError(f"keys of {who} are samples whose orientations count; give orientations as well")
    wrong = [k for k in keys if isinstance(k, bool) or not isinstance(k, int) or not 0 <= k < len(x)]
    if wrong or not len(keys):
        raise ValueError(f"keys of {who} must be numbers of samples, 0 to {len(x) - 1}, not {list(keys)!r}")
    return Samples(x, q, t, w, wq, tuple(sorted(set(keys))))


def value_bounds(what: str, value: ArrayLike, width: int) -> tuple[Array, Array]:
    """One vector, or two that bound it."""
    try:
        rows = np.array(value, float) if not isinstance(value, str) else np.zeros(0)
    except (TypeError, ValueError):
        raise TypeError(
            f"{what} must be {width} numbers, or a pair of such rows that bound it, not {value!r}"
        ) from None
    if rows.shape == (width,):
        rows = np.stack([rows, rows])
    if rows.shape != (2, width) or np.isnan(rows).any():
        raise ValueError(
            f"{what} must be {width} numbers, or a pair of such rows that bound it, not {value!r}"
        )
    if not np.all(rows[0] <= rows[1]):
        raise ValueError(f"{what} must be bounded in order, low before high, not {value!r}")
    if np.isposinf(rows[0]).any() or np.isneginf(rows[1]).any():
        raise ValueError(
            f"{what} must be finite; only bounds may be infinite, where it is free, not {value!r}"
        )
    return rows[0], rows[1]


def weight_of(who: str, value: float) -> float:
    weight = number(f"weight of {who}", value)
    if weight < 0:
        raise ValueError(f"weight of {who} must not be negative, not {value!r}")
    return weight


def moment_of(when: str | float, time: float | None) -> tuple[str | float, float | None]:
    """A moment of a flight: its start, its end or a share of it, or else a time since the beginning [s]."""
    if time is not None:
        if number("time", time) < 0:
            raise ValueError(f"time is counted from the beginning and must not be negative, not {time!r}")
        return "end", number("time", time)
    if isinstance(when, str):
        if when not in ("start", "end"):
            raise ValueError(
                f'when must be "start", "end" or a share of the flight between 0 and 1, not {when!r}'
            )
        return when, None
    share = number("when", when)
    if not 0 <= share <= 1:
        raise ValueError(f"when must be a share of the flight between 0 and 1, not {when!r}")
    return share, None
