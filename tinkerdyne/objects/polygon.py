"""Simple polygons: their area, centre and moment, and what makes one simple (R1)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.mesh import THINNEST, Rows, Solid, by_identity

MOST = 10_000  # corners, each of which is a place of the body
MOST_PAIRS = 10_000_000  # of sides that may cross, looked at in some seconds; 4,472 sides never have as many
BLOCK = 200_000  # pairs of sides that are looked at together
DIRECTIONS = np.array([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)])

Whole = npt.NDArray[np.int64]


@by_identity
def polygon(who: str, given: Rows) -> tuple[Solid, Array]:
    """Area, centre and polar moment of a simple polygon, and its corners from the centre, counterclockwise.

    With d = a × b of each side:  A = Σ d/2,  ∫x = Σ d (a + b)/6,  ∫|x|² = Σ d (a·a + a·b + b·b)/12.
    """
    if len(given) < 3:
        raise ValueError(f"{who} has {len(given)} vertices; a polygon has at least three")
    if len(given) > MOST:
        raise ValueError(f"{who} has {len(given)} vertices; at most {MOST} are taken: leave some of them out")
    corners = np.array(given)
    middle, size = (corners.min(axis=0) + corners.max(axis=0)) / 2, float(np.ptp(corners, axis=0).max())
    _refuse_crossing(who, corners)
    area = _sides(corners - middle)[2].sum() / 2
    if abs(area) <= THINNEST * size**2:
        raise ValueError(f"{who} encloses no area ({area:g} m²); its vertices lie on a line")
    if area < 0:
        corners = corners[::-1]
    a, b, d = _sides(corners - middle)
    corners = corners - middle - d @ (a + b) / (6 * abs(area))
    a, b, d = _sides(corners)
    moment = d @ ((a * a).sum(axis=1) + (a * b).sum(axis=1) + (b * b).sum(axis=1)) / (12 * abs(area))
    centre = np.array(given if area > 0 else given[::-1])[0] - corners[0]
    return Solid(abs(float(area)), (float(moment),), tuple(centre.tolist())), corners


def _sides(corners: Array) -> tuple[Array, Array, Array]:
    a, b = corners, np.roll(corners, -1, axis=0)
    return a, b, a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _refuse_crossing(who: str, corners: Array) -> None:
    """No two sides may cross: each would have the other's ends on both of its sides."""
    a, b, _ = _sides(corners)
    for i, j in _near(who, a, b):
        is_crossing = _are_across(a, b, i, j)
        i, j = i[is_crossing], j[is_crossing]
        is_crossing = _are_across(a, b, j, i)
        if is_crossing.any():
            one, other = min(map(sorted, np.stack([i, j], axis=1)[is_crossing].tolist()))
            raise ValueError(
                f"{who} crosses itself: side {one} (from vertex {one}) meets side {other}; give the vertices "
                "in order around it"
            )


def _are_across(a: Array, b: Array, i: Whole, j: Whole) -> npt.NDArray[np.bool_]:
    """Which of the sides j have their ends on both sides of the lines through the sides i."""
    x, y = (b - a)[i].T

    def side(point: Array) -> Array:
        r = point - a[i]
        return np.asarray(np.sign(x * r[:, 1] - y * r[:, 0]))

    return np.asarray(side(a[j]) * side(b[j]) < 0)


def _near(who: str, a: Array, b: Array) -> Iterator[tuple[Whole, Whole]]:
    """Pairs of sides whose spans overlap along a direction, a block at a time: in the order in which sides
    begin, those that begin before a side ends follow it. The direction with the fewest pairs is swept."""
    sweeps = []
    for along in DIRECTIONS:
        low, high = np.sort(np.stack([a @ along, b @ along]), axis=0)
        order = np.argsort(low, kind="stable")
        ends = np.searchsorted(low[order], high[order], side="right")
        sweeps.append((order, ends - np.arange(len(order)) - 1))
    order, counts = min(sweeps, key=lambda sweep: int(sweep[1].sum()))
    before = np.concatenate([[0], np.cumsum(counts)])
    if before[-1] > MOST_PAIRS:
        raise ValueError(
            f"{who} has {len(a)} sides, too many of them side by side to look whether they cross; leave some "
            "vertices out"
        )
    start = 0
    while start < len(order):
        stop = max(start + 1, int(np.searchsorted(before, before[start] + BLOCK, side="right")) - 1)
        first = np.repeat(np.arange(start, stop), counts[start:stop])
        after = np.arange(before[start], before[stop]) - before[first] + first + 1
        yield order[first], order[after]
        start = stop
