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
diagonal entry (or 1). Where stiffness is in the matrix (engine.tangent) pivots may have any sign.

The store: all panels, M = V D⁻¹ of the front at work, then for each pivot 1/d, the smallest |d| allowed, its
replacement (whose sign is the wanted one) and the unknown y; the rows a front gathers; the stacks of update
matrices. It needs no initial values. Offsets are multiples of 4: a store that begins at 32 bytes keeps every
tile in one line.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.ldl.plan import TILE, FrontPlan, NodePlan, PairPlan, Plan

TINY = 1e-300  # the smallest pivot ever accepted
POSITIVE, NEGATIVE = 1, -1  # signs of nodes: of objects and of constraints; …
INDEFINITE = 2  # … times this, where every pivot is accepted that comes


@entry("IFIIIFdF")
def ldl_factor(
    plan: Plan,
    values: Floats,
    diagonals: Ints,
    pair_places: Ints,
    sign: Ints,
    scale: Floats,
    eps: float,
    store: Floats,
) -> int:
    """Factor; returns how many pivots were replaced.

    Node k's diagonal block begins at values[diagonals[k]] and is written by rows (the lower part is read);
    pair p's block, rows of pair_i[p] by columns of pair_j[p], begins at values[pair_places[p]]; `scale` has
    an entry a scalar row.
    """
    fill_panels(plan, values, diagonals, pair_places, sign, scale, eps, store)
    fronts = FrontPlan(at(plan, plan.fronts))
    M = at(store, plan.scaled)
    inverse, limit, spare = at(store, plan.inverse), at(store, plan.limit), at(store, plan.spare)
    replaced = 0
    for f in range(plan.n_fronts):
        front = FrontPlan.of(fronts, f)
        P, U = at(store, front.panel), at(store, front.update)
        w, w4, r4, y = front.w, front.w4, front.r4, front.pivot
        h = w4 + r4
        zero(U, r4 * r4)
        for a in range(w, w4):
            P[a * h + a], limit[y + a], spare[y + a] = 1.0, 0.0, 1.0
        c = front.child
        while c >= 0:
            child = FrontPlan.of(fronts, c)
            local = at(plan, child.local)
            extend_add(child, local, child.split, child.r, at(store, child.update), U, r4, w4)
            c = child.sibling
        replaced += factor_panel(P, h, w4, M, at(inverse, y), at(limit, y), at(spare, y))
        for j in range(0, r4, TILE):
            for i in range(j, r4, TILE):
                subtract_tile(at(P, w4 + i), at(M, w4 + j), h, w, at(U, j * r4 + i), r4)
        if front.parent >= 0:
            parent = FrontPlan.of(fronts, front.parent)
            to = at(store, parent.panel)
            extend_add(front, at(plan, front.local), 0, front.split, U, to, parent.w4 + parent.r4, 0)
    return replaced


@compiled
def zero(p: Floats, n: int) -> None:
    """Zero n numbers, whole tiles of them."""
    for i in range(0, n, TILE):
        p[i], p[i + 1], p[i + 2], p[i + 3] = 0.0, 0.0, 0.0, 0.0


@compiled
def fill_panels(
    plan: Plan,
    values: Floats,
    diagonals: Ints,
    pair_places: Ints,
    sign: Ints,
    scale: Floats,
    eps: float,
    store: Floats,
) -> None:
    """Write the matrix into the zeroed panels, and what each pivot must be."""
    zero(store, plan.panels)
    limit, spare = at(store, plan.limit), at(store, plan.spare)
    for k in range(plan.n_nodes):
        node = NodePlan.of(plan, k)
        m, row, h, y = node.rows, node.row, node.stride, node.pivot
        to = at(store, node.target)
        block = at(values, diagonals[k])
        for a in range(m):
            for b in range(a + 1):
                to[b * h + a] = block[a * m + b]
        if sign[k] < 0:
            for a in range(m):
                reference = scale[row + a]
                to[a * h + a] -= eps * reference
                limit[y + a] = max(0.5 * eps * reference, TINY) if sign[k] == NEGATIVE else -1.0 / TINY
                spare[y + a] = -reference if reference > 0.0 else -1.0
        else:
            for a in range(m):
                d = to[a * h + a]
                limit[y + a] = TINY if sign[k] == POSITIVE else -1.0 / TINY
                spare[y + a] = d if d > 0.0 else 1.0
    for p in range(plan.n_pairs):
        pair = PairPlan.of(plan, p)
        by_row, by_column, m, n = pair.row_stride, pair.column_stride, pair.rows, pair.columns
        to = at(store, pair.target)
        block = at(values, pair_places[p])
        for a in range(m):
            for b in range(n):
                to[a * by_row + b * by_column] = block[a * n + b]


@compiled
def extend_add(
    child: FrontPlan, local: Ints, begin: int, end: int, source: Floats, to: Floats, step: int, shift: int
) -> None:
    """Add columns begin..end of a child's update matrix to its parent's panel (shift 0) or update matrix
    (shift w')."""
    r, c4, run = child.r, child.r4, child.run
    if run >= 0:  # the rows lie together in the parent too: whole tiles, whose padding adds 0
        for j in range(begin, end):
            for i in range(j >> 2 << 2, c4, TILE):
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
def accepted_pivot(d: float, limit: float, spare: float) -> float:
    """The pivot, or its replacement."""
    size = d if spare > 0.0 else -d
    return d if size >= limit else spare


@compiled
def factor_panel(P: Floats, h: int, w4: int, M: Floats, inverse: Floats, limit: Floats, spare: Floats) -> int:
    """Factor a panel four columns at a time; M = V D⁻¹ below each block of four.

    Returns the replaced pivots."""
    replaced = 0
    for j in range(0, w4, TILE):
        if j > 0:
            for i in range(j, h, TILE):
                subtract_tile(at(P, i), at(M, j), h, j, at(P, j * h + i), h)
        p0, p1, p2, p3 = j * h + j, (j + 1) * h + j, (j + 2) * h + j, (j + 3) * h + j
        a10, a20, a30, a21, a31, a32 = P[p0 + 1], P[p0 + 2], P[p0 + 3], P[p1 + 2], P[p1 + 3], P[p2 + 3]
        d0, d1, d2, d3 = P[p0], P[p1 + 1], P[p2 + 2], P[p3 + 3]
        e0 = accepted_pivot(d0, limit[j], spare[j])
        i0 = 1.0 / e0
        m10, m20, m30 = a10 * i0, a20 * i0, a30 * i0
        d1, a21, a31 = d1 - a10 * m10, a21 - a20 * m10, a31 - a30 * m10
        d2, a32, d3 = d2 - a20 * m20, a32 - a30 * m20, d3 - a30 * m30
        e1 = accepted_pivot(d1, limit[j + 1], spare[j + 1])
        i1 = 1.0 / e1
        m21, m31 = a21 * i1, a31 * i1
        d2, a32, d3 = d2 - a21 * m21, a32 - a31 * m21, d3 - a31 * m31
        e2 = accepted_pivot(d2, limit[j + 2], spare[j + 2])
        i2 = 1.0 / e2
        m32 = a32 * i2
        d3 -= a32 * m32
        e3 = accepted_pivot(d3, limit[j + 3], spare[j + 3])
        i3 = 1.0 / e3
        replaced += (e0 != d0) + (e1 != d1) + (e2 != d2) + (e3 != d3)
        P[p1 + 2], P[p1 + 3], P[p2 + 3] = a21, a31, a32
        P[p0], P[p1 + 1], P[p2 + 2], P[p3 + 3] = e0, e1, e2, e3
        inverse[j], inverse[j + 1], inverse[j + 2], inverse[j + 3] = i0, i1, i2, i3
        for i in range(j + 4, h, TILE):
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
def subtract_tile(V: Floats, M: Floats, h: int, n: int, to: Floats, step: int) -> None:
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


@compiled
def subtract_two_tiles(V: Floats, M: Floats, h: int, n: int, to: Floats, step: int) -> None:
    """to[a, b] −= Σ_k V[a, k] M[b, k],   an 8×4 tile, k < n: twice as many products at once as of one tile,
    whose sums wait for each other."""
    p, q, r = step, 2 * step, 3 * step
    a0, a1, a2, a3 = to[0], to[1], to[2], to[3]
    a4, a5, a6, a7 = to[4], to[5], to[6], to[7]
    b0, b1, b2, b3 = to[p], to[p + 1], to[p + 2], to[p + 3]
    b4, b5, b6, b7 = to[p + 4], to[p + 5], to[p + 6], to[p + 7]
    c0, c1, c2, c3 = to[q], to[q + 1], to[q + 2], to[q + 3]
    c4, c5, c6, c7 = to[q + 4], to[q + 5], to[q + 6], to[q + 7]
    d0, d1, d2, d3 = to[r], to[r + 1], to[r + 2], to[r + 3]
    d4, d5, d6, d7 = to[r + 4], to[r + 5], to[r + 6], to[r + 7]
    for k in range(n):
        j = k * h
        v0, v1, v2, v3 = V[j], V[j + 1], V[j + 2], V[j + 3]
        v4, v5, v6, v7 = V[j + 4], V[j + 5], V[j + 6], V[j + 7]
        m0, m1, m2, m3 = M[j], M[j + 1], M[j + 2], M[j + 3]
        a0, a1, a2, a3 = a0 - v0 * m0, a1 - v1 * m0, a2 - v2 * m0, a3 - v3 * m0
        a4, a5, a6, a7 = a4 - v4 * m0, a5 - v5 * m0, a6 - v6 * m0, a7 - v7 * m0
        b0, b1, b2, b3 = b0 - v0 * m1, b1 - v1 * m1, b2 - v2 * m1, b3 - v3 * m1
        b4, b5, b6, b7 = b4 - v4 * m1, b5 - v5 * m1, b6 - v6 * m1, b7 - v7 * m1
        c0, c1, c2, c3 = c0 - v0 * m2, c1 - v1 * m2, c2 - v2 * m2, c3 - v3 * m2
        c4, c5, c6, c7 = c4 - v4 * m2, c5 - v5 * m2, c6 - v6 * m2, c7 - v7 * m2
        d0, d1, d2, d3 = d0 - v0 * m3, d1 - v1 * m3, d2 - v2 * m3, d3 - v3 * m3
        d4, d5, d6, d7 = d4 - v4 * m3, d5 - v5 * m3, d6 - v6 * m3, d7 - v7 * m3
    to[0], to[1], to[2], to[3] = a0, a1, a2, a3
    to[4], to[5], to[6], to[7] = a4, a5, a6, a7
    to[p], to[p + 1], to[p + 2], to[p + 3] = b0, b1, b2, b3
    to[p + 4], to[p + 5], to[p + 6], to[p + 7] = b4, b5, b6, b7
    to[q], to[q + 1], to[q + 2], to[q + 3] = c0, c1, c2, c3
    to[q + 4], to[q + 5], to[q + 6], to[q + 7] = c4, c5, c6, c7
    to[r], to[r + 1], to[r + 2], to[r + 3] = d0, d1, d2, d3
    to[r + 4], to[r + 5], to[r + 6], to[r + 7] = d4, d5, d6, d7
