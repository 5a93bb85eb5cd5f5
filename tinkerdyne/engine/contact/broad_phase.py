"""Broad phase: the pairs of surfaces whose bounds overlap, in rising order.

Surfaces lie in the cells of a grid, found by hashing, so that the cost grows with their number alone. The few
that are wider than a cell are compared with all, and so are planes, which have no bounds. Nothing is kept
between steps: the pairs hang on the places alone.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import (
    Cell,
    Collider,
    Core,
    Detection,
    Placed,
    Surface,
    SurfacePair,
)
from tinkerdyne.engine.contact.placing import LOST, placed, width_of
from tinkerdyne.engine.contact.vectors import along

WIDER = 2.0  # cells than what lies in them
FURTHEST = 2.0**30  # cell from the origin: its products with the primes below stay whole numbers
HALF = 13  # of the 27 cells around one: it and those that come behind it


# --- which may be a pair ---------------------------------------------------------------------------
@inlined
def is_ignored(H: Detection, D: Ints, a: int, b: int) -> int:
    """Whether two bodies are listed as ignoring each other."""
    key = min(a, b) * H.n_bodies + max(a, b)
    low = 0
    high = H.n_ignored
    while low < high:
        middle = (low + high) // 2
        if D[H.ignored + middle] < key:
            low = middle + 1
        else:
            high = middle
    return 1 if low < H.n_ignored and D[H.ignored + low] == key else 0


@compiled
def may_touch(H: Detection, D: Ints, i: int, j: int) -> int:
    """Whether two surfaces are a pair, by their bodies and groups."""
    S = Surface.of(H, i)
    T = Surface.of(H, j)
    if S.body == T.body or S.group & T.mask == 0 or T.group & S.mask == 0:
        return 0
    if Collider.of(H, S.body + 1).is_fixed != 0 and Collider.of(H, T.body + 1).is_fixed != 0:
        return 0
    if S.is_planar != T.is_planar and S.kind != Core.PLANE and T.kind != Core.PLANE:
        return 0
    return 1 - is_ignored(H, D, S.body, T.body) if S.body >= 0 and T.body >= 0 else 1


@inlined
def overlap(P: Placed, Q: Placed) -> int:
    """Whether two bounds overlap."""
    for c in range(3):
        if P.low[c] > Q.high[c] or Q.low[c] > P.high[c]:
            return 0
    return 1 if P.low[0] < LOST else 0


@compiled
def add_pair(H: Detection, D: Ints, i: int, j: int) -> None:
    """Note a pair; what finds no room is counted."""
    if H.n_pairs < H.pair_room:
        pair = SurfacePair.of(H, H.n_pairs)
        pair.a = min(i, j)
        pair.b = max(i, j)
    H.n_pairs += 1


# --- the grid ------------------------------------------------------------------------------------
@inlined
def cell_width(H: Detection, D: Ints, F: Floats, n: int) -> float:
    """A width of cells that most bounds fit into: twice their mean width, without what is far above it."""
    mean = 0.0
    for k in range(n):
        mean += width_of(placed(H, F, D[H.bounded + k])) / n
    total = 0.0
    count = 0
    for k in range(n):
        width = width_of(placed(H, F, D[H.bounded + k]))
        if width <= mean:
            total += width
            count += 1
    return WIDER * total / count if count > 0 else mean


@inlined
def cell_at(x: float, width: float) -> int:
    """The number of a cell along an axis; what is too far out for numbers has the last one."""
    return math.floor(min(max(x / width, -FURTHEST), FURTHEST))


@inlined
def slot(H: Detection, x: int, y: int, z: int) -> int:
    """Where the list of a cell begins among the heads."""
    mixed = (x * 73856093) ^ (y * 19349663) ^ (z * 83492791)
    return (mixed ^ (mixed >> 17)) & (H.n_heads - 1)


@inlined
def fill_grid(H: Detection, D: Ints, F: Floats, n: int, width: float) -> int:
    """Put each surface into the cell of its lowest corner, if it fits into one; those that do not are listed
    behind. Returns how many they are."""
    for k in range(H.n_heads):
        D[H.heads + k] = -1
    wide = 0
    for k in range(n - 1, -1, -1):
        i = D[H.bounded + k]
        P = placed(H, F, i)
        if not (width_of(P) <= width):
            D[H.wide + wide] = i
            wide += 1
            continue
        cell = Cell.of(H, i)
        cell.x = cell_at(P.low[0], width)
        cell.y = cell_at(P.low[1], width)
        cell.z = cell_at(P.low[2], width)
        head = H.heads + slot(H, cell.x, cell.y, cell.z)
        cell.next = D[head]
        D[head] = i
    return wide


@compiled
def look_in_cell(H: Detection, D: Ints, F: Floats, i: int, x: int, y: int, z: int) -> None:
    """Pairs of surface i with those of a cell; of its own cell, with those listed behind it."""
    own = Cell.of(H, i)
    j = D[H.heads + slot(H, x, y, z)]
    if own.x == x and own.y == y and own.z == z:
        j = own.next
    while j >= 0:
        cell = Cell.of(H, j)
        is_here = cell.x == x and cell.y == y and cell.z == z
        if is_here and overlap(placed(H, F, i), placed(H, F, j)) != 0 and may_touch(H, D, i, j) != 0:
            add_pair(H, D, i, j)
        j = cell.next


@inlined
def sweep_grid(H: Detection, D: Ints, F: Floats, n: int, width: float) -> None:
    """Pairs of surfaces in one cell, and in two that touch: each pair of cells once."""
    for k in range(n):
        i = D[H.bounded + k]
        if not (width_of(placed(H, F, i)) <= width):
            continue
        cell = Cell.of(H, i)
        for way in range(HALF, 27):
            x = cell.x + way // 9 - 1
            y = cell.y + way // 3 % 3 - 1
            z = cell.z + way % 3 - 1
            look_in_cell(H, D, F, i, x, y, z)


@inlined
def among_bounded(H: Detection, D: Ints, F: Floats) -> None:
    """All pairs of bounded surfaces whose bounds overlap."""
    n = H.n_surfaces - H.n_unbounded
    if n == 0:
        return
    width = cell_width(H, D, F, n)
    wide = fill_grid(H, D, F, n, width)
    sweep_grid(H, D, F, n, width)
    for w in range(wide):
        i = D[H.wide + w]
        for k in range(n):
            j = D[H.bounded + k]
            is_later = width_of(placed(H, F, j)) <= width or j > i
            if is_later and overlap(placed(H, F, i), placed(H, F, j)) != 0 and may_touch(H, D, i, j) != 0:
                add_pair(H, D, i, j)


@inlined
def over_planes(H: Detection, D: Ints, F: Floats) -> None:
    """All pairs of a plane and a bounded surface that reaches it."""
    for u in range(H.n_unbounded):
        j = D[H.unbounded + u]
        B = placed(H, F, j)
        N = at(B.axes, 6)
        for k in range(H.n_surfaces - H.n_unbounded):
            i = D[H.bounded + k]
            P = placed(H, F, i)
            lowest = -along(N, B.centre[0], B.centre[1], B.centre[2])
            for c in range(3):
                lowest += min(N[c] * P.low[c], N[c] * P.high[c])
            if lowest <= margin_of(B) and P.low[0] < LOST and may_touch(H, D, i, j) != 0:
                add_pair(H, D, i, j)


@inlined
def margin_of(B: Placed) -> float:
    """What the bounds of a plane, which are all there is, were widened by."""
    return max(B.high[0] - B.centre[0], 0.0)


# --- order ---------------------------------------------------------------------------------------
@inlined
def sort_pairs(H: Detection, D: Ints) -> None:
    """Put the pairs in rising order: by a in counting, then by b, of which there are few, by insertion."""
    n = H.n_pairs
    starts = at(D, H.sorting)
    for k in range(H.n_surfaces + 1):
        starts[k] = 0
    for k in range(n):
        starts[SurfacePair.of(H, k).a + 1] += 1
    for k in range(H.n_surfaces):
        starts[k + 1] += starts[k]
    spare = at(D, H.sorting + H.n_surfaces + 1)
    for k in range(n):
        spare[2 * k] = SurfacePair.of(H, k).a
        spare[2 * k + 1] = SurfacePair.of(H, k).b
    ends = starts
    for k in range(n):
        a = spare[2 * k]
        place = ends[a]
        ends[a] += 1
        pair = SurfacePair.of(H, place)
        pair.a = a
        pair.b = spare[2 * k + 1]
    for k in range(1, n):
        a = SurfacePair.of(H, k).a
        b = SurfacePair.of(H, k).b
        j = k
        while j > 0 and SurfacePair.of(H, j - 1).a == a and SurfacePair.of(H, j - 1).b > b:
            SurfacePair.of(H, j).b = SurfacePair.of(H, j - 1).b
            j -= 1
        SurfacePair.of(H, j).b = b


@compiled
def broad_phase(H: Detection, D: Ints, F: Floats) -> int:
    """Find all pairs that may touch; how many there are, which may be more than there is room for."""
    H.n_pairs = 0
    among_bounded(H, D, F)
    over_planes(H, D, F)
    n = H.n_pairs
    if n <= H.pair_room:
        sort_pairs(H, D)
    return n
