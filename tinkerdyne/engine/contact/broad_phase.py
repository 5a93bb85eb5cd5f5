"""Broad phase: the pairs of surfaces whose bounds overlap, in rising order.

Sweep and prune along the axis on which the surfaces are spread most. The order along it is kept between
steps, where little changes; planes have no bounds and are pairs with all that reaches them.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Body, Core, Detection, Pair, Placed, Surface
from tinkerdyne.engine.contact.placing import placed
from tinkerdyne.engine.contact.vectors import along

STAY = 1.5  # times the variance that another axis must have before it is taken


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


@inlined
def may_touch(H: Detection, D: Ints, i: int, j: int) -> int:
    """Whether two surfaces are a pair, by their bodies and groups."""
    S = Surface.of(H, i)
    T = Surface.of(H, j)
    if S.body == T.body or S.group & T.mask == 0 or T.group & S.mask == 0:
        return 0
    if Body.of(H, S.body + 1).is_fixed != 0 and Body.of(H, T.body + 1).is_fixed != 0:
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
    return 1


@compiled
def add_pair(H: Detection, D: Ints, i: int, j: int) -> None:
    """Note a pair; what finds no room is counted."""
    if H.n_pairs < H.pair_room:
        pair = Pair.of(H, H.n_pairs)
        pair.a = min(i, j)
        pair.b = max(i, j)
    H.n_pairs += 1


# --- the sweep -----------------------------------------------------------------------------------
@inlined
def widest_axis(H: Detection, D: Ints, F: Floats, n: int) -> int:
    """The axis along which centres are spread most; the last one is kept unless another is clearly wider."""
    best = H.axis
    most = -1.0
    for turn in range(3):
        c = (H.axis + turn) % 3
        total = 0.0
        squares = 0.0
        first = placed(H, F, D[H.order]).centre[c]
        for k in range(n):
            x = placed(H, F, D[H.order + k]).centre[c] - first
            total += x
            squares += x * x
        spread = squares - total * total / n
        if turn == 0 or spread > STAY * most:
            best = c
            most = spread
    return best


@inlined
def starts_later(H: Detection, F: Floats, i: int, j: int, axis: int) -> int:
    """Whether surface i begins behind surface j."""
    x = placed(H, F, i).low[axis]
    y = placed(H, F, j).low[axis]
    return 1 if x > y or (x == y and i > j) else 0


@inlined
def sort_order(H: Detection, D: Ints, F: Floats, n: int, axis: int) -> None:
    """Sort the surfaces along the axis, by shell sort: nearly sorted ones take one pass."""
    width = 1
    if axis != H.axis:
        while width < n // 3:
            width = 3 * width + 1
    while width > 0:
        for k in range(width, n):
            surface = D[H.order + k]
            j = k
            while j >= width and starts_later(H, F, D[H.order + j - width], surface, axis) != 0:
                D[H.order + j] = D[H.order + j - width]
                j -= width
            D[H.order + j] = surface
        width //= 3
    H.axis = axis


@inlined
def sweep(H: Detection, D: Ints, F: Floats) -> None:
    """All pairs of bounded surfaces whose bounds overlap."""
    n = H.n_surfaces - H.n_unbounded
    if n == 0:
        return
    axis = widest_axis(H, D, F, n)
    sort_order(H, D, F, n, axis)
    for k in range(n):
        i = D[H.order + k]
        P = placed(H, F, i)
        end = P.high[axis]
        for l in range(k + 1, n):
            j = D[H.order + l]
            Q = placed(H, F, j)
            if Q.low[axis] > end:
                break
            if overlap(P, Q) != 0 and may_touch(H, D, i, j) != 0:
                add_pair(H, D, i, j)


@inlined
def over_planes(H: Detection, D: Ints, F: Floats) -> None:
    """All pairs of a plane and a bounded surface that reaches it."""
    for u in range(H.n_unbounded):
        j = D[H.unbounded + u]
        B = placed(H, F, j)
        N = at(B.axes, 6)
        for k in range(H.n_surfaces - H.n_unbounded):
            i = D[H.order + k]
            P = placed(H, F, i)
            lowest = -along(N, B.centre[0], B.centre[1], B.centre[2])
            for c in range(3):
                lowest += min(N[c] * P.low[c], N[c] * P.high[c])
            if lowest <= margin_of(B) and may_touch(H, D, i, j) != 0:
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
        starts[Pair.of(H, k).a + 1] += 1
    for k in range(H.n_surfaces):
        starts[k + 1] += starts[k]
    spare = at(D, H.sorting + H.n_surfaces + 1)
    for k in range(n):
        spare[2 * k] = Pair.of(H, k).a
        spare[2 * k + 1] = Pair.of(H, k).b
    ends = starts
    for k in range(n):
        a = spare[2 * k]
        place = ends[a]
        ends[a] += 1
        pair = Pair.of(H, place)
        pair.a = a
        pair.b = spare[2 * k + 1]
    for k in range(1, n):
        a = Pair.of(H, k).a
        b = Pair.of(H, k).b
        j = k
        while j > 0 and Pair.of(H, j - 1).a == a and Pair.of(H, j - 1).b > b:
            Pair.of(H, j).b = Pair.of(H, j - 1).b
            j -= 1
        Pair.of(H, j).b = b


@compiled
def broad_phase(H: Detection, D: Ints, F: Floats) -> int:
    """Find all pairs that may touch; how many there are, which may be more than there is room for."""
    H.n_pairs = 0
    sweep(H, D, F)
    over_planes(H, D, F)
    n = H.n_pairs
    if n <= H.pair_room:
        sort_pairs(H, D)
    return n
