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
from tinkerdyne.sketch.problem.point import Look, Point, states
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.structure import Guard, Separation, Structure
from tinkerdyne.sketch.tell.hull import far_apart
from tinkerdyne.sketch.tell.tips import Tips

CLOSE = 33  # moments of a flight at which it is looked at
DEEP = 2.0  # times SINK: what is deeper is mended
SINK = 1e-4  # extents that a corner may lie below a surface


@dataclass(frozen=True)
class Sunk:
    """How deep a body lies below a surface: the guard that should have seen it, when, with which corners, and
    the depth [m]."""

    guard: int
    share: float
    corners: Array
    depth: float


def first_looks(s: Statement, structure: Structure) -> list[list[Look]]:
    """The moments at which each guard looks at first, with corners far from each other."""
    chosen = {}
    for g in structure.guards:
        tips = s.shapes[g.body].tips
        few = tips[far_apart(tips.places, g.corners)].within(s.shapes[g.body].axes)
        chosen[g.body, g.corners] = corners_of(few, g)
    return [[Look(share, chosen[g.body, g.corners]) for share in g.shares] for g in structure.guards]


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
        x, R = motion(f, guard.body)
        shape, surface = s.shapes[guard.body], s.surfaces[guard.surface]
        o, n = np.array(surface.origin), np.array(surface.normal)
        if guard.other < 0:
            height, down = (x - o) @ n, R.transpose(0, 2, 1) @ n
        else:
            other, carrier = motion(f, guard.other), s.shapes[guard.other]
            ahead = other[1] @ carrier.inside(n)
            height = ((x - other[0] - other[1] @ carrier.inside(o)) * ahead).sum(axis=1)
            down = (R.transpose(0, 2, 1) @ ahead[:, :, None])[:, :, 0]
        if height.min() > shape.radius:
            continue
        own = shape.tips.within(shape.axes)
        heights = height[:, None] + own.lowest(down)
        inside = (even >= k / parts) & (even <= (k + 1) / parts)
        lowest = np.where(inside, heights.min(axis=1), np.inf)
        at = int(lowest.argmin())
        if lowest[at] < -DEEP * SINK * s.units.length:
            corners = corners_of(own[np.argsort(heights[at])[: guard.corners]], guard)
            out.append(Sunk(i, float(even[at] * parts - k), corners, float(-lowest[at])))
    return out


def moved(point: Point, deep: list[Sunk]) -> Point:
    """The point with each guard that missed something looking there, instead of at its nearest moment inside
    the segment."""
    looks = list(point.looks)
    for low in deep:
        own = list(looks[low.guard])
        free = [j for j, look in enumerate(own) if look.share < 1] or [0]
        own[min(free, key=lambda j: abs(own[j].share - low.share))] = Look(low.share, low.corners)
        looks[low.guard] = own
    return replace(point, looks=looks)
