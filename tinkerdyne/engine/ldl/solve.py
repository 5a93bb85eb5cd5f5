"""Solving with a block-sparse LDLᵀ: forwards through the fronts, and back."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.ldl.factor import zero
from tinkerdyne.engine.ldl.plan import TILE, FrontPlan, Plan


@entry("IFF")
def ldl_solve(plan: Plan, store: Floats, x: Floats) -> int:
    """x ← K⁻¹ x, in the nodes' own order.

    Forwards y_k ← (x_k − Σ_{j<k} V_kj y_j) / d_k, backwards x_k ← y_k − (Σ_{i>k} V_ik x_i) / d_k.
    """
    nf = plan.n_fronts
    fronts, row = FrontPlan(at(plan, plan.fronts)), at(plan, plan.row_pivots)
    inverse, y, gather = at(store, plan.inverse), at(store, plan.y), at(store, plan.gather)
    zero(y, plan.n_pivots + TILE)
    for i in range(plan.n_rows):
        y[row[i]] = x[i]
    for f in range(nf):
        front = FrontPlan.of(fronts, f)
        k, w4 = front.pivot, front.w4
        index = at(plan, front.rows)
        solve_forward(at(store, front.panel), w4 + front.r4, front.w, w4, at(inverse, k), at(y, k), index, y)
    y[plan.n_pivots] = 0.0  # what padded rows read; a NaN front would have written 0·NaN there
    for f in range(nf - 1, -1, -1):
        front = FrontPlan.of(fronts, f)
        k, r4 = front.pivot, front.r4
        index = at(plan, front.rows)
        for i in range(r4):
            gather[i] = y[index[i]]
        solve_backward(at(store, front.panel), front.w4, r4, at(inverse, k), at(y, k), gather)
    for i in range(plan.n_rows):
        x[i] = y[row[i]]
    return int(nf)


@compiled
def solve_forward(
    P: Floats, h: int, w: int, w4: int, inverse: Floats, mine: Floats, index: Ints, y: Floats
) -> None:
    """Solve for a front's pivots and subtract them from the rows below."""
    for j in range(0, w4, TILE):
        c0, c1, c2, c3 = times_columns(at(P, j), h, j, mine)
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
    for i in range(0, h - w4, TILE):
        c0, c1, c2, c3 = times_columns(at(P, w4 + i), h, w, mine)
        y[index[i]] -= c0
        y[index[i + 1]] -= c1
        y[index[i + 2]] -= c2
        y[index[i + 3]] -= c3


@compiled
def times_columns(P: Floats, h: int, n: int, y: Floats) -> tuple[float, float, float, float]:
    """Σ_k P[a, k] y[k],   four rows, k < n."""
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    for k in range(n):
        p = k * h
        m = y[k]
        a0, a1, a2, a3 = a0 + P[p] * m, a1 + P[p + 1] * m, a2 + P[p + 2] * m, a3 + P[p + 3] * m
    return a0, a1, a2, a3


@compiled
def solve_backward(P: Floats, w4: int, r4: int, inverse: Floats, mine: Floats, below: Floats) -> None:
    """Solve for a front's unknowns from those below."""
    h = w4 + r4
    for s in range(0, w4, TILE):
        j = w4 - 4 - s
        p0 = j * h + j
        p1 = p0 + h
        a0, a1, a2, a3 = dot_columns(at(P, p0 + 4), h, s, at(mine, j + 4))
        b0, b1, b2, b3 = dot_columns(at(P, p0 + 4 + s), h, r4, below)
        x3 = mine[j + 3] - (a3 + b3) * inverse[j + 3]
        x2 = mine[j + 2] - (a2 + b2 + P[p1 + h + 3] * x3) * inverse[j + 2]
        x1 = mine[j + 1] - (a1 + b1 + P[p1 + 3] * x3 + P[p1 + 2] * x2) * inverse[j + 1]
        x0 = mine[j] - (a0 + b0 + P[p0 + 3] * x3 + P[p0 + 2] * x2 + P[p0 + 1] * x1) * inverse[j]
        mine[j], mine[j + 1], mine[j + 2], mine[j + 3] = x0, x1, x2, x3


@compiled
def dot_columns(P: Floats, h: int, n: int, x: Floats) -> tuple[float, float, float, float]:
    """Σ_i P[i, b] x[i],   four columns, i < n a multiple of 4."""
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
    c0, c1, c2, c3 = 0.0, 0.0, 0.0, 0.0
    d0, d1, d2, d3 = 0.0, 0.0, 0.0, 0.0
    for i in range(0, n, TILE):
        x0, x1, x2, x3 = x[i], x[i + 1], x[i + 2], x[i + 3]
        p, q, r, s = i, i + h, i + 2 * h, i + 3 * h
        a0, a1, a2, a3 = a0 + P[p] * x0, a1 + P[p + 1] * x1, a2 + P[p + 2] * x2, a3 + P[p + 3] * x3
        b0, b1, b2, b3 = b0 + P[q] * x0, b1 + P[q + 1] * x1, b2 + P[q + 2] * x2, b3 + P[q + 3] * x3
        c0, c1, c2, c3 = c0 + P[r] * x0, c1 + P[r + 1] * x1, c2 + P[r + 2] * x2, c3 + P[r + 3] * x3
        d0, d1, d2, d3 = d0 + P[s] * x0, d1 + P[s + 1] * x1, d2 + P[s + 2] * x2, d3 + P[s + 3] * x3
    return (a0 + a1) + (a2 + a3), (b0 + b1) + (b2 + b3), (c0 + c1) + (c2 + c3), (d0 + d1) + (d2 + d3)
