"""Guards: where corners are kept above surfaces between collisions, and how those moments are found (M1).

A problem has rows for a few moments of each flight and a few corners at each. After a solve the motion is
looked at closely; where a corner lies deeper below a surface than it may, one of the moments moves there,
with the lowest corners, and the problem, whose form is the same, is solved again from where it was. The
motion that is left has no corner below at any moment that was looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import matrices
from tinkerdyne.sketch.problem.point import GuardLook, Point, states
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.structure import Guard, Separation, Structure
from tinkerdyne.sketch.tell.hull import far_apart
from tinkerdyne.sketch.tell.tips import Tips

CLOSE = 33  # moments of a flight at which it is looked at
DEEP = 2.0  # times SINK: what is deeper is mended
NEAR, FINER = 0.2, 13  # of its size: how near it is looked at more closely, at so many moments
SINK = 1e-4  # extents that a corner may lie below a surface


@dataclass(frozen=True)
class Sunk:
    """How deep a body lies below a surface: the guard that should have seen it, when, with which corners, and
    the depth [m]."""

    guard: int
    share: float
    corners: Array
    depth: float


def first_looks(s: Statement, structure: Structure) -> list[list[GuardLook]]:
    """The moments at which each guard looks at first, with corners far from each other."""
    chosen = {}
    for g in structure.guards:
        tips = s.shapes[g.body].tips
        few = tips[far_apart(tips.places, g.corners)].within(s.shapes[g.body].axes)
        chosen[g.body, g.corners] = corners_of(few, g)
    return [[GuardLook(share, chosen[g.body, g.corners]) for share in g.shares] for g in structure.guards]


def corners_of(tips: Tips, form: Guard | Separation) -> Array:
    """The numbers of tips that rows have, by rows [m]."""
    return tips.rows() if form.is_rimmed else tips.places


def sunk(s: Statement, structure: Structure, point: Point) -> list[Sunk]:
    """For each guard the moment at which its body lies deepest below its surface, where that is too deep."""
    out: list[Sunk] = []
    even = np.linspace(0, 1, CLOSE)
    seen: dict[tuple[int, int], tuple[Array, Array]] = {}

    def motion(f: int, b: int) -> tuple[Array, Array]:
        if (f, b) not in seen:
            x, q, _, _ = states(s, point, f, b, even)
            seen[f, b] = x * s.units.length, matrices(q)
        return seen[f, b]

    for i, guard in enumerate(structure.guards):
        f = structure.flights[guard.segment]
        parts, k = s.parts[f], guard.segment - int(s.first[f])
        shape = s.shapes[guard.body]
        height, down = _over(
            s, guard, motion(f, guard.body), None if guard.other < 0 else motion(f, guard.other)
        )
        if height.min() > shape.radius:
            continue
        own = shape.tips.within(shape.axes)
        shares, heights = even, height[:, None] + own.lowest(down)
        finer = _around_lows(heights.min(axis=1), shape.radius)
        if len(finer):
            x, q, _, _ = states(s, point, f, guard.body, finer)
            moved, carried = (x * s.units.length, matrices(q)), None
            if guard.other >= 0:
                x, q, _, _ = states(s, point, f, guard.other, finer)
                carried = x * s.units.length, matrices(q)
            height, down = _over(s, guard, moved, carried)
            shares = np.concatenate([shares, finer])
            heights = np.concatenate([heights, height[:, None] + own.lowest(down)])
        inside = (shares >= k / parts) & (shares <= (k + 1) / parts)
        lowest = np.where(inside, heights.min(axis=1), np.inf)
        at = int(lowest.argmin())
        if lowest[at] < -DEEP * SINK * s.units.length:
            corners = corners_of(own[np.argsort(heights[at])[: guard.corners]], guard)
            out.append(Sunk(i, float(shares[at] * parts - k), corners, float(-lowest[at])))
    return out


def _over(
    s: Statement, guard: Guard, moved: tuple[Array, Array], carried: tuple[Array, Array] | None
) -> tuple[Array, Array]:
    """The height of a body's middle over its surface [m], and the normal in its principal axes, by moments;
    from the places and rotations of the body, and of that which carries the surface."""
    surface, (x, R) = s.surfaces[guard.surface], moved
    o, n = np.array(surface.origin), np.array(surface.normal)
    if carried is None:
        return (x - o) @ n, R.transpose(0, 2, 1) @ n
    carrier = s.shapes[guard.other]
    ahead = carried[1] @ carrier.inside(n)
    height = ((x - carried[0] - carried[1] @ carrier.inside(o)) * ahead).sum(axis=1)
    return height, (R.transpose(0, 2, 1) @ ahead[:, :, None])[:, :, 0]


def _around_lows(lowest: Array, size: float) -> Array:
    """Shares about the moments at which a body comes lowest, where it may sink between two moments."""
    ends = np.concatenate([[np.inf], lowest, [np.inf]])
    low: Array = np.flatnonzero((lowest < NEAR * size) & (lowest <= ends[:-2]) & (lowest <= ends[2:]))
    even = np.linspace(0, 1, len(lowest))
    rows = [np.linspace(even[max(k - 1, 0)], even[min(k + 1, len(even) - 1)], FINER) for k in low.tolist()]
    return np.unique(np.concatenate(rows)) if rows else np.zeros(0)


def moved(point: Point, deep: list[Sunk]) -> Point:
    """The point with each guard that missed something looking there, instead of at its nearest moment inside
    the segment."""
    looks = list(point.looks)
    for low in deep:
        own = list(looks[low.guard])
        free = [j for j, look in enumerate(own) if look.share < 1] or [0]
        own[min(free, key=lambda j: abs(own[j].share - low.share))] = GuardLook(low.share, low.corners)
        looks[low.guard] = own
    return replace(point, looks=looks)
