"""Block-sparse LDLᵀ of symmetric quasi-definite matrices, multifrontal, inside the compiled step loop.

    K = V D⁻¹ Vᵀ,   V lower triangular with diag V = D:   V = L D is kept as it is, so that no pass divides
    columns.

Nodes are small dense blocks: constraints (negative pivots) or hub objects (positive pivots). A *front* holds
w pivots and the r rows they reach below, both padded to multiples of 4 (w', r'): a panel of w' columns of w'
+ r' numbers, and an update matrix U (r' × r', by columns, lower part valid) that is added to the parent
front:

    [ P11  ·  ]      P11 = V11 D⁻¹ V11ᵀ,   P21 = V21 D⁻¹ V11ᵀ,   U ← Σ children's U − V21 D⁻¹ V21ᵀ.
    [ P21  U  ]

All arithmetic happens in 4×4 tiles written out by hand, loads before stores: the vectoriser needs no alias
checks and there are no remainder loops. Padded pivots are 1 and padded rows 0.

Pivots: a constraint row's diagonal is −A_ii − ε·scale_i, and its pivot must be ≤ −½ ε·scale_i (and < 0). One
that vanished, has the wrong sign or is NaN becomes −scale_i (−1 where scale is 0), which cuts the size of
that multiplier instead of letting it grow like residual/ε. A hub's pivot must be > 0, else it becomes its own
diagonal entry (or 1).

The store: all panels, M = V D⁻¹ of the front at work, then for each pivot 1/d, the smallest |d| allowed, its
replacement (whose sign is the wanted one) and the unknown y; the rows a front gathers; the stacks of update
matrices. It needs no initial values. Offsets are multiples of 4: a store that begins at 32 bytes keeps every
tile in one line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinkerdyne.compiler.core import at, compiled, entry, program
from tinkerdyne.compiler.records import Floats, Ints

# isort: off
from tinkerdyne.engine.ldl.fronts import (
    FRONT,
    FRONTS,
    FRONT_AT,
    F_CHILD,
    F_LOCAL,
    F_PANEL,
    F_PARENT,
    F_PIVOT,
    F_R,
    F_R4,
    F_ROWS,
    F_RUN,
    F_SIBLING,
    F_SPLIT,
    F_UPDATE,
    F_W,
    F_W4,
    GATHER_AT,
    HEADER,
    INVERSE_AT,
    LIMIT_AT,
    NODE,
    NODES,
    NODE_AT,
    N_PIVOT,
    N_ROW,
    N_SIZE,
    N_STEP,
    N_TO,
    PAIR,
    PAIRS,
    PAIR_AT,
    PANELS,
    PIVOTS,
    P_BY_COLUMN,
    P_BY_ROW,
    P_M,
    P_N,
    P_TO,
    ROWS,
    ROW_AT,
    SCALED_AT,
    SPARE_AT,
    STORE,
    WANT_PLAN,
    WANT_WORK,
    Y_AT,
    ldl_analyse,
    ldl_plan_bound,
)
# isort: on

__all__ = ["BlockLDL", "ldl_analyse", "ldl_factor", "ldl_plan_bound", "ldl_solve"]

TINY = 1e-300  # the smallest pivot ever accepted


@entry("IFIIIFdF")
def ldl_factor(
    plan: Ints,
    values: Floats,
    diag_off: Ints,
    pair_off: Ints,
    sign: Ints,
    scale: Floats,
    eps: float,
    store: Floats,
) -> int:
    """Factor; returns how many pivots were replaced.

    Node k's diagonal block is size × size from values[diag_off[k]] by rows (the lower part is read); pair p's
    block is rows of pair_i[p] by columns of pair_j[p] from values[pair_off[p]], by rows; `scale` has an entry
    a scalar row.
    """
    _assemble(plan, values, diag_off, pair_off, sign, scale, eps, store)
    fronts = at(plan, plan[FRONT_AT])
    M = at(store, plan[SCALED_AT])
    inverse, limit, spare = at(store, plan[INVERSE_AT]), at(store, plan[LIMIT_AT]), at(store, plan[SPARE_AT])
    replaced = 0
    for f in range(plan[FRONTS]):
        front = at(fronts, FRONT * f)
        P, U = at(store, front[F_PANEL]), at(store, front[F_UPDATE])
        w, w4, r4, y = front[F_W], front[F_W4], front[F_R4], front[F_PIVOT]
        h = w4 + r4
        _zero(U, r4 * r4)
        for a in range(w, w4):
            P[a * h + a], limit[y + a], spare[y + a] = 1.0, 0.0, 1.0
        c = front[F_CHILD]
        while c >= 0:
            child = at(fronts, FRONT * c)
            _extend(
                child,
                at(plan, child[F_LOCAL]),
                child[F_SPLIT],
                child[F_R],
                at(store, child[F_UPDATE]),
                U,
                r4,
                w4,
            )
            c = child[F_SIBLING]
        replaced += _panel(P, h, w4, M, at(inverse, y), at(limit, y), at(spare, y))
        for j in range(0, r4, 4):
            for i in range(j, r4, 4):
                _tile(at(P, w4 + i), at(M, w4 + j), h, w, at(U, j * r4 + i), r4)
        if front[F_PARENT] >= 0:
            parent = at(fronts, FRONT * front[F_PARENT])
            to = at(store, parent[F_PANEL])
            _extend(front, at(plan, front[F_LOCAL]), 0, front[F_SPLIT], U, to, parent[F_W4] + parent[F_R4], 0)
    return replaced


@compiled
def _zero(p: Floats, n: int) -> None:
    for i in range(0, n, 4):
        p[i], p[i + 1], p[i + 2], p[i + 3] = 0.0, 0.0, 0.0, 0.0


@compiled
def _assemble(
    plan: Ints,
    values: Floats,
    diag_off: Ints,
    pair_off: Ints,
    sign: Ints,
    scale: Floats,
    eps: float,
    store: Floats,
) -> None:
    """Write the matrix into the zeroed panels, and what each pivot must be."""
    _zero(store, plan[PANELS])
    limit, spare = at(store, plan[LIMIT_AT]), at(store, plan[SPARE_AT])
    for k in range(plan[NODES]):
        node = at(plan, plan[NODE_AT] + NODE * k)
        m, row, h, y = node[N_SIZE], node[N_ROW], node[N_STEP], node[N_PIVOT]
        to = at(store, node[N_TO])
        block = at(values, diag_off[k])
        for a in range(m):
            for b in range(a + 1):
                to[b * h + a] = block[a * m + b]
        if sign[k] < 0:
            for a in range(m):
                reference = scale[row + a]
                to[a * h + a] -= eps * reference
                limit[y + a] = max(0.5 * eps * reference, TINY)
                spare[y + a] = -reference if reference > 0.0 else -1.0
        else:
            for a in range(m):
                d = to[a * h + a]
                limit[y + a] = TINY
                spare[y + a] = d if d > 0.0 else 1.0
    for p in range(plan[PAIRS]):
        pair = at(plan, plan[PAIR_AT] + PAIR * p)
        by_row, by_column, m, n = pair[P_BY_ROW], pair[P_BY_COLUMN], pair[P_M], pair[P_N]
        to = at(store, pair[P_TO])
        block = at(values, pair_off[p])
        for a in range(m):
            for b in range(n):
                to[a * by_row + b * by_column] = block[a * n + b]


@compiled
def _extend(
    child: Ints, local: Ints, begin: int, end: int, source: Floats, to: Floats, step: int, shift: int
) -> None:
    """Add columns begin..end of a child's update matrix to its parent's panel (shift 0) or update matrix
    (shift w')."""
    r, c4, run = child[F_R], child[F_R4], child[F_RUN]
    if run >= 0:  # the rows lie together in the parent too: whole tiles, whose padding adds 0
        for j in range(begin, end):
            for i in range(j >> 2 << 2, c4, 4):
                p = (run + j - shift) * step + run - shift + i
                q = j * c4 + i
                a0, a1, a2, a3 = to[p], to[p + 1], to[p + 2], to[p + 3]
                b0, b1, b2, b3 = source[q], source[q + 1], source[q + 2], source[q + 3]
                to[p], to[p + 1], to[p + 2], to[p + 3] = a0 + b0, a1 + b1, a2 + b2, a3 + b3
    else:
        for j in range(begin, end):
            p = (local[j] - shift) * step - shift
            q = j * c4
            for i in range(j, r):
                to[p + local[i]] += source[q + i]


@compiled
def _pivot(d: float, limit: float, spare: float) -> float:
    """The pivot, or its replacement."""
    size = d if spare > 0.0 else -d
    return d if size >= limit else spare


@compiled
def _panel(P: Floats, h: int, w4: int, M: Floats, inverse: Floats, limit: Floats, spare: Floats) -> int:
    """Factor a panel four columns at a time; M = V D⁻¹ below each block of four.

    Returns the replaced pivots."""
    replaced = 0
    for j in range(0, w4, 4):
        if j > 0:
            for i in range(j, h, 4):
                _tile(at(P, i), at(M, j), h, j, at(P, j * h + i), h)
        p0, p1, p2, p3 = j * h + j, (j + 1) * h + j, (j + 2) * h + j, (j + 3) * h + j
        a10, a20, a30, a21, a31, a32 = P[p0 + 1], P[p0 + 2], P[p0 + 3], P[p1 + 2], P[p1 + 3], P[p2 + 3]
        d0, d1, d2, d3 = P[p0], P[p1 + 1], P[p2 + 2], P[p3 + 3]
        e0 = _pivot(d0, limit[j], spare[j])
        i0 = 1.0 / e0
        m10, m20, m30 = a10 * i0, a20 * i0, a30 * i0
        d1, a21, a31 = d1 - a10 * m10, a21 - a20 * m10, a31 - a30 * m10
        d2, a32, d3 = d2 - a20 * m20, a32 - a30 * m20, d3 - a30 * m30
        e1 = _pivot(d1, limit[j + 1], spare[j + 1])
        i1 = 1.0 / e1
        m21, m31 = a21 * i1, a31 * i1
        d2, a32, d3 = d2 - a21 * m21, a32 - a31 * m21, d3 - a31 * m31
        e2 = _pivot(d2, limit[j + 2], spare[j + 2])
        i2 = 1.0 / e2
        m32 = a32 * i2
        d3 -= a32 * m32
        e3 = _pivot(d3, limit[j + 3], spare[j + 3])
        i3 = 1.0 / e3
        replaced += (e0 != d0) + (e1 != d1) + (e2 != d2) + (e3 != d3)
        P[p1 + 2], P[p1 + 3], P[p2 + 3] = a21, a31, a32
        P[p0], P[p1 + 1], P[p2 + 2], P[p3 + 3] = e0, e1, e2, e3
        inverse[j], inverse[j + 1], inverse[j + 2], inverse[j + 3] = i0, i1, i2, i3
        for i in range(j + 4, h, 4):
            q0, q1, q2, q3 = j * h + i, (j + 1) * h + i, (j + 2) * h + i, (j + 3) * h + i
            a0, a1, a2, a3 = P[q0], P[q0 + 1], P[q0 + 2], P[q0 + 3]
            b0, b1, b2, b3 = P[q1], P[q1 + 1], P[q1 + 2], P[q1 + 3]
            c0, c1, c2, c3 = P[q2], P[q2 + 1], P[q2 + 2], P[q2 + 3]
            d0, d1, d2, d3 = P[q3], P[q3 + 1], P[q3 + 2], P[q3 + 3]
            b0, b1, b2, b3 = b0 - a0 * m10, b1 - a1 * m10, b2 - a2 * m10, b3 - a3 * m10
            c0, c1, c2, c3 = c0 - a0 * m20, c1 - a1 * m20, c2 - a2 * m20, c3 - a3 * m20
            c0, c1, c2, c3 = c0 - b0 * m21, c1 - b1 * m21, c2 - b2 * m21, c3 - b3 * m21
            d0, d1, d2, d3 = d0 - a0 * m30, d1 - a1 * m30, d2 - a2 * m30, d3 - a3 * m30
            d0, d1, d2, d3 = d0 - b0 * m31, d1 - b1 * m31, d2 - b2 * m31, d3 - b3 * m31
            d0, d1, d2, d3 = d0 - c0 * m32, d1 - c1 * m32, d2 - c2 * m32, d3 - c3 * m32
            P[q1], P[q1 + 1], P[q1 + 2], P[q1 + 3] = b0, b1, b2, b3
            P[q2], P[q2 + 1], P[q2 + 2], P[q2 + 3] = c0, c1, c2, c3
            P[q3], P[q3 + 1], P[q3 + 2], P[q3 + 3] = d0, d1, d2, d3
            M[q0], M[q0 + 1], M[q0 + 2], M[q0 + 3] = a0 * i0, a1 * i0, a2 * i0, a3 * i0
            M[q1], M[q1 + 1], M[q1 + 2], M[q1 + 3] = b0 * i1, b1 * i1, b2 * i1, b3 * i1
            M[q2], M[q2 + 1], M[q2 + 2], M[q2 + 3] = c0 * i2, c1 * i2, c2 * i2, c3 * i2
            M[q3], M[q3 + 1], M[q3 + 2], M[q3 + 3] = d0 * i3, d1 * i3, d2 * i3, d3 * i3
    return replaced


@compiled
def _tile(V: Floats, M: Floats, h: int, n: int, to: Floats, step: int) -> None:
    """to[a, b] −= Σ_k V[a, k] M[b, k],   a 4×4 tile, k < n."""
    a0, a1, a2, a3 = to[0], to[1], to[2], to[3]
    b0, b1, b2, b3 = to[step], to[step + 1], to[step + 2], to[step + 3]
    c0, c1, c2, c3 = to[2 * step], to[2 * step + 1], to[2 * step + 2], to[2 * step + 3]
    d0, d1, d2, d3 = to[3 * step], to[3 * step + 1], to[3 * step + 2], to[3 * step + 3]
    for k in range(n):
        p = k * h
        v0, v1, v2, v3 = V[p], V[p + 1], V[p + 2], V[p + 3]
        m0, m1, m2, m3 = M[p], M[p + 1], M[p + 2], M[p + 3]
        a0, a1, a2, a3 = a0 - v0 * m0, a1 - v1 * m0, a2 - v2 * m0, a3 - v3 * m0
        b0, b1, b2, b3 = b0 - v0 * m1, b1 - v1 * m1, b2 - v2 * m1, b3 - v3 * m1
        c0, c1, c2, c3 = c0 - v0 * m2, c1 - v1 * m2, c2 - v2 * m2, c3 - v3 * m2
        d0, d1, d2, d3 = d0 - v0 * m3, d1 - v1 * m3, d2 - v2 * m3, d3 - v3 * m3
    to[0], to[1], to[2], to[3] = a0, a1, a2, a3
    to[step], to[step + 1], to[step + 2], to[step + 3] = b0, b1, b2, b3
    to[2 * step], to[2 * step + 1], to[2 * step + 2], to[2 * step + 3] = c0, c1, c2, c3
    to[3 * step], to[3 * step + 1], to[3 * step + 2], to[3 * step + 3] = d0, d1, d2, d3


@entry("IFF")
def ldl_solve(plan: Ints, store: Floats, x: Floats) -> int:
    """x ← K⁻¹ x, in the nodes' own order.

    Forwards y_k ← (x_k − Σ_{j<k} V_kj y_j) / d_k, backwards x_k ← y_k − (Σ_{i>k} V_ik x_i) / d_k.
    """
    nf = plan[FRONTS]
    fronts, row = at(plan, plan[FRONT_AT]), at(plan, plan[ROW_AT])
    inverse, y, gather = at(store, plan[INVERSE_AT]), at(store, plan[Y_AT]), at(store, plan[GATHER_AT])
    _zero(y, plan[PIVOTS] + 4)
    for i in range(plan[ROWS]):
        y[row[i]] = x[i]
    for f in range(nf):
        front = at(fronts, FRONT * f)
        k, w4 = front[F_PIVOT], front[F_W4]
        index = at(plan, front[F_ROWS])
        _forward(
            at(store, front[F_PANEL]), w4 + front[F_R4], front[F_W], w4, at(inverse, k), at(y, k), index, y
        )
    y[plan[PIVOTS]] = 0.0  # what padded rows read; a NaN front would have written 0·NaN there
    for f in range(nf - 1, -1, -1):
        front = at(fronts, FRONT * f)
        k, r4 = front[F_PIVOT], front[F_R4]
        index = at(plan, front[F_ROWS])
        for i in range(r4):
            gather[i] = y[index[i]]
        _backward(at(store, front[F_PANEL]), front[F_W4], r4, at(inverse, k), at(y, k), gather)
    for i in range(plan[ROWS]):
        x[i] = y[row[i]]
    return int(nf)


@compiled
def _forward(
    P: Floats, h: int, w: int, w4: int, inverse: Floats, mine: Floats, index: Ints, y: Floats
) -> None:
    """Solve for a front's pivots and subtract them from the rows below."""
    for j in range(0, w4, 4):
        c0, c1, c2, c3 = _columns(at(P, j), h, j, mine)
        p0 = j * h + j
        p1 = p0 + h
        y0 = (mine[j] - c0) * inverse[j]
        y1 = (mine[j + 1] - c1 - P[p0 + 1] * y0) * inverse[j + 1]
        c2 += P[p0 + 2] * y0
        c3 += P[p0 + 3] * y0
        y2 = (mine[j + 2] - c2 - P[p1 + 2] * y1) * inverse[j + 2]
        c3 += P[p1 + 3] * y1
        y3 = (mine[j + 3] - c3 - P[p1 + h + 3] * y2) * inverse[j + 3]
        mine[j], mine[j + 1], mine[j + 2], mine[j + 3] = y0, y1, y2, y3
    for i in range(0, h - w4, 4):
        c0, c1, c2, c3 = _columns(at(P, w4 + i), h, w, mine)
        y[index[i]] -= c0
        y[index[i + 1]] -= c1
        y[index[i + 2]] -= c2
        y[index[i + 3]] -= c3


@compiled
def _columns(P: Floats, h: int, n: int, y: Floats) -> tuple[float, float, float, float]:
    """Σ_k P[a, k] y[k],   four rows, k < n."""
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    for k in range(n):
        p = k * h
        m = y[k]
        a0, a1, a2, a3 = a0 + P[p] * m, a1 + P[p + 1] * m, a2 + P[p + 2] * m, a3 + P[p + 3] * m
    return a0, a1, a2, a3


@compiled
def _backward(P: Floats, w4: int, r4: int, inverse: Floats, mine: Floats, below: Floats) -> None:
    """Solve for a front's unknowns from those below."""
    h = w4 + r4
    for s in range(0, w4, 4):
        j = w4 - 4 - s
        p0 = j * h + j
        p1 = p0 + h
        a0, a1, a2, a3 = _dots(at(P, p0 + 4), h, s, at(mine, j + 4))
        b0, b1, b2, b3 = _dots(at(P, p0 + 4 + s), h, r4, below)
        x3 = mine[j + 3] - (a3 + b3) * inverse[j + 3]
        x2 = mine[j + 2] - (a2 + b2 + P[p1 + h + 3] * x3) * inverse[j + 2]
        x1 = mine[j + 1] - (a1 + b1 + P[p1 + 3] * x3 + P[p1 + 2] * x2) * inverse[j + 1]
        x0 = mine[j] - (a0 + b0 + P[p0 + 3] * x3 + P[p0 + 2] * x2 + P[p0 + 1] * x1) * inverse[j]
        mine[j], mine[j + 1], mine[j + 2], mine[j + 3] = x0, x1, x2, x3


@compiled
def _dots(P: Floats, h: int, n: int, x: Floats) -> tuple[float, float, float, float]:
    """Σ_i P[i, b] x[i],   four columns, i < n a multiple of 4."""
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
    c0, c1, c2, c3 = 0.0, 0.0, 0.0, 0.0
    d0, d1, d2, d3 = 0.0, 0.0, 0.0, 0.0
    for i in range(0, n, 4):
        x0, x1, x2, x3 = x[i], x[i + 1], x[i + 2], x[i + 3]
        p, q, r, s = i, i + h, i + 2 * h, i + 3 * h
        a0, a1, a2, a3 = a0 + P[p] * x0, a1 + P[p + 1] * x1, a2 + P[p + 2] * x2, a3 + P[p + 3] * x3
        b0, b1, b2, b3 = b0 + P[q] * x0, b1 + P[q + 1] * x1, b2 + P[q + 2] * x2, b3 + P[q + 3] * x3
        c0, c1, c2, c3 = c0 + P[r] * x0, c1 + P[r + 1] * x1, c2 + P[r + 2] * x2, c3 + P[r + 3] * x3
        d0, d1, d2, d3 = d0 + P[s] * x0, d1 + P[s + 1] * x1, d2 + P[s + 2] * x2, d3 + P[s + 3] * x3
    return (a0 + a1) + (a2 + a3), (b0 + b1) + (b2 + b3), (c0 + c1) + (c2 + c3), (d0 + d1) + (d2 + d3)


class BlockLDL:
    """The factorisation for tests and diagnosis, over numpy arrays."""

    def __init__(self, size: Any, pairs: Any, *, last: Any = None) -> None:
        self.size = np.ascontiguousarray(size, dtype=np.int64)
        nb = len(self.size)
        self.pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        self._i, self._j = (np.ascontiguousarray(self.pairs[:, c]) for c in (0, 1))
        self._last = np.zeros(nb, np.int64) if last is None else np.ascontiguousarray(last, dtype=np.int64)
        self.first = np.concatenate([[0], np.cumsum(self.size)]).astype(np.int64)
        self._diag = np.concatenate([[0], np.cumsum(self.size**2)]).astype(np.int64)
        area = self.size[self._i] * self.size[self._j]
        self._pair = (self._diag[-1] + np.concatenate([[0], np.cumsum(area)])).astype(np.int64)
        self.plan, self.work = np.zeros(HEADER, np.int64), np.zeros(0, np.int64)
        while self.analyse() < 0:
            self.plan, self.work = (np.zeros(int(self.plan[w]), np.int64) for w in (WANT_PLAN, WANT_WORK))
        self.store = np.zeros(int(self.plan[STORE]))

    def analyse(self) -> int:
        """Run the symbolic phase; the store's size, or −1 when the plan or the work is too small."""
        size, last, i, j, plan, work = map(
            _address, (self.size, self._last, self._i, self._j, self.plan, self.work)
        )
        nb, npair = len(self.size), len(self.pairs)
        call = program()["ldl_analyse"]
        return int(call(nb, size, last, npair, i, j, plan, len(self.plan), work, len(self.work)))

    def values(self, K: NDArray[np.float64]) -> NDArray[np.float64]:
        """The blocks of a dense symmetric matrix, in the layout `factor` reads."""
        span = [slice(a, b) for a, b in zip(self.first[:-1], self.first[1:], strict=True)]
        blocks = [K[s, s].ravel() for s in span] + [K[span[i], span[j]].ravel() for i, j in self.pairs]
        return np.ascontiguousarray(np.concatenate([*blocks, np.zeros(1)]))

    def factor(self, values: NDArray[np.float64], *, sign: Any, scale: Any, eps: float = 0.0) -> int:
        """Factor the blocks; returns how many pivots were replaced."""
        signs = np.ascontiguousarray(sign, dtype=np.int64)
        scales = np.ascontiguousarray(scale, dtype=np.float64)
        arrays = (self.plan, values, self._diag, self._pair, signs, scales)
        return int(program()["ldl_factor"](*map(_address, arrays), eps, _address(self.store)))

    def solve(self, b: NDArray[np.float64]) -> NDArray[np.float64]:
        """K⁻¹ b."""
        x = np.array(b, dtype=np.float64)
        program()["ldl_solve"](_address(self.plan), _address(self.store), _address(x))
        return x


def _address(array: NDArray[Any]) -> int:
    return array.ctypes.data
