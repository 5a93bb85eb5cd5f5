"""The least way out of two round cores that overlap: the polytope tells all ways that may be the least to a
ten-millionth of the size, and each of them is polished."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import STARTS, Marks, Placed, Work
from tinkerdyne.engine.contact.epa import corners, node, plane
from tinkerdyne.engine.contact.gjk import copy_vertex, vertex
from tinkerdyne.engine.contact.polish import SAME, polish
from tinkerdyne.engine.contact.vectors import dot, put

ASIDE = 0.98  # cosine from which a way is one that was found already, …
AGAIN = 1.0 - 1e-8  # … or that was polished: a climb may leave what is near
SURELY = 1e-10  # of the size: what is this little less deep is no better


@inlined
def is_tried(W: Work, n_tried: int, N: Floats) -> int:
    """Whether a face looks where a way was polished from, or to."""
    for k in range(n_tried):
        if -dot(at(W.tried, 3 * k), N) > (AGAIN if k % 2 == 0 else ASIDE):
            return 1
    return 0


@compiled
def next_start(W: Work, M: Marks, n_faces: int, n_tried: int, slack: float) -> int:
    """The nearest face of the polytope that looks elsewhere and may be less deep than the best; −1: none."""
    best = -1
    least = -W.widest[3] - slack
    for f in range(n_faces):
        if corners(M, f)[3] != 0 and plane(W, f)[3] < least and is_tried(W, n_tried, plane(W, f)) == 0:
            best = f
            least = plane(W, f)[3]
    return best


@compiled
def least_way(D: Ints, F: Floats, W: Work, M: Marks, A: Placed, B: Placed, n_faces: int) -> None:
    """W.normal and W.nearest[0], from the best direction of a polytope with so many places of faces."""
    slack = SURELY * (A.reach + B.reach)
    n_tried = 0
    while n_tried < 2 * STARTS:
        start = at(W.tried, 3 * n_tried)
        put(start, W.normal[0], W.normal[1], W.normal[2])
        polish(D, F, W, A, B)
        end = at(W.tried, 3 * n_tried + 3)
        put(end, W.normal[0], W.normal[1], W.normal[2])
        n_tried += 2
        if W.nearest[0] >= W.widest[3] - SAME * (A.reach + B.reach):
            put(W.widest, W.normal[0], W.normal[1], W.normal[2])
            W.widest[3] = W.nearest[0]
        f = next_start(W, M, n_faces, n_tried, slack)
        if f < 0:
            break
        N = plane(W, f)
        put(W.normal, -N[0], -N[1], -N[2])
        for c in range(3):
            copy_vertex(node(W, corners(M, f)[c]), vertex(W, c))
        W.simplex_size = 3.0
    put(W.normal, W.widest[0], W.widest[1], W.widest[2])
    W.nearest[0] = W.widest[3]
