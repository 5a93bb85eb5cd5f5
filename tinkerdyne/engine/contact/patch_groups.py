"""Points of many normals: turned, dropped, and gathered into patches of one normal each."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.contact.detection_records import (
    ROWS,
    PatchPoint,
    Work,
)
from tinkerdyne.engine.contact.reduction import reduce_patch
from tinkerdyne.engine.contact.vectors import distance, dot

ALIKE = 0.9  # cosine of normals that are one patch
SAME = 0.999  # cosine of normals at one place that are one


@inlined
def turn_points(W: Work, first: int) -> None:
    """Exchange a and b in the points since `first`."""
    for k in range(first, int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        for c in range(3):
            x = point.xa[c]
            point.xa[c] = point.xb[c]
            point.xb[c] = x
            point.n[c] = -point.n[c]


@inlined
def drop_point(W: Work, k: int) -> None:
    """Take a point from the patch; the last one takes its place."""
    last = int(W.count) - 1
    for i in range(PatchPoint.size):
        W.patch[k * PatchPoint.size + i] = W.patch[last * PatchPoint.size + i]
    W.count = float(last)


@inlined
def is_alike(P: PatchPoint, Q: PatchPoint) -> int:
    """Whether two points belong to one patch."""
    return 1 if dot(P.n, Q.n) > ALIKE else 0


@inlined
def is_twin(W: Work, first: int, k: int, near: float) -> int:
    """Whether a point lies where an earlier one of its patch lies, with the same normal."""
    point = PatchPoint(at(W.patch, k * PatchPoint.size))
    for i in range(first, k):
        other = PatchPoint(at(W.patch, i * PatchPoint.size))
        if dot(point.n, other.n) > SAME and distance(point.xb, other.xb) < near:
            return 1
    return 0


@inlined
def bring(W: Work, k: int, target: int) -> None:
    """Move point k to an earlier place; those between move up by one."""
    spare = at(W.patch, ROWS * PatchPoint.size)
    for i in range(PatchPoint.size):
        spare[i] = W.patch[k * PatchPoint.size + i]
    j = k
    while j > target:
        for i in range(PatchPoint.size):
            W.patch[j * PatchPoint.size + i] = W.patch[(j - 1) * PatchPoint.size + i]
        j -= 1
    for i in range(PatchPoint.size):
        W.patch[target * PatchPoint.size + i] = spare[i]


@inlined
def finish_group(W: Work, start: int, end: int, near: float) -> int:
    """Drop twins and reduce the points from start to end; where they end now."""
    m = start
    for k in range(start, end):
        if k > m:
            for i in range(PatchPoint.size):
                W.patch[m * PatchPoint.size + i] = W.patch[k * PatchPoint.size + i]
        if is_twin(W, start, m, near) == 0:
            m += 1
    kept = W.count
    W.count = float(m)
    reduce_patch(W, start)
    m = int(W.count)
    W.count = kept
    return m


@compiled
def reduce_patches(W: Work, start: int, near: float) -> None:
    """Of points with many normals, leave at most four for each normal, and no twins."""
    end = start
    total = int(W.count)
    while end < total:
        n = end + 1
        for k in range(end + 1, total):
            head = PatchPoint(at(W.patch, end * PatchPoint.size))
            if is_alike(head, PatchPoint(at(W.patch, k * PatchPoint.size))) != 0:
                bring(W, k, n)
                n += 1
        m = finish_group(W, end, n, near)
        for k in range((total - n) * PatchPoint.size):
            W.patch[m * PatchPoint.size + k] = W.patch[n * PatchPoint.size + k]
        total -= n - m
        end = m
    W.count = float(total)
