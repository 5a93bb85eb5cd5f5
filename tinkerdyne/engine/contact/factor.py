"""Block-sparse LU of a matrix with a symmetric pattern, front by front: an LDLᵀ with two sides.

    K = V D⁻¹ Zᵀ,   V and Z lower triangular with diag V = diag Z = D.

The sliding contacts make the blocks of the matrix unsymmetric (De Saxcé's shift is differentiated), but not
its pattern. So the plan of engine.ldl serves as it is, and each front has two panels and two update matrices,
of V and of Z, in two stores one behind the other; with Z = V this is the LDLᵀ. There is no pivoting: bodies
come with their masses, and what contacts add is nearly always positive in its symmetric part.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Body, Island, Joint, JointBlock, Pair, Problem
from tinkerdyne.engine.ldl.factor import extend_add, subtract_tile, subtract_two_tiles, zero
from tinkerdyne.engine.ldl.plan import TILE, FrontPlan, NodePlan, PairPlan, Plan
from tinkerdyne.engine.ldl.solve import solve_backward, solve_forward

EPSILON = 1e-13  # of a joint row's own scale: what stands on its diagonal, for rows that others repeat
TINY = 1e-300  # the smallest pivot


# --- the matrix --------------------------------------------------------------------------------------------


@compiled
def fill_island(P: Problem, X: Floats, island: Island) -> None:
    """Write the blocks of an island into its panels, V's and Z's."""
    plan = Plan(at(P, P.plan))
    V, Z = at(X, P.store), at(X, P.store + plan.store)
    for f in range(island.front, island.front_end):
        front = FrontPlan.of(plan, f)
        area = (front.w4 + front.r4) * front.w4
        zero(at(V, front.panel), area)
        zero(at(Z, front.panel), area)
        for a in range(front.w, front.w4):
            i = front.panel + a * (front.w4 + front.r4) + a
            V[i], Z[i] = 1.0, 1.0
    for s in range(island.body, island.body_end):
        k = P[P.body_list + s]
        body, node = Body.of(P, k), NodePlan.of(plan, k)
        K, n, width, h = at(X, body.K), body.rows, body.width, node.stride
        for a in range(n):
            for b in range(a + 1):
                V[node.target + b * h + a] = K[a * width + b]
                Z[node.target + b * h + a] = K[b * width + a]
    for s in range(island.joint, island.joint_end):
        j = P[P.joint_list + s]
        joint, node = Joint.of(P, j), NodePlan.of(plan, P.n_bodies + j)
        for a in range(joint.rows):
            d = -EPSILON * X[P.joint_scale + joint.row + a] - X[P.give + joint.row + a]
            V[node.target + a * node.stride + a] = d
            Z[node.target + a * node.stride + a] = d
        for k in range(joint.link, joint.link + joint.n_links):
            link, pair = JointBlock.of(P, k), PairPlan.of(plan, P.n_pairs + k)
            J, width = at(X, link.J), Body.of(P, link.body).width
            copy_block(V, pair, J, 1, width)
            copy_block(Z, pair, J, 1, width)


@compiled
def fill_pairs(P: Problem, X: Floats, island: Island) -> None:
    """Write the blocks between the bodies of an island into its panels."""
    plan = Plan(at(P, P.plan))
    V, Z = at(X, P.store), at(X, P.store + plan.store)
    for s in range(island.body, island.body_end):
        p = P[P.heads + P[P.body_list + s]]
        while p >= 0:
            pair, to = Pair.of(P, p), PairPlan.of(plan, p)
            a, b = Body.of(P, pair.a), Body.of(P, pair.b)
            # Rows of a panel are those of the node that comes later in the order.
            is_b_later = to.column_stride == 1
            copy_block(V if is_b_later else Z, to, at(X, pair.Kt), 1, a.width)
            copy_block(Z if is_b_later else V, to, at(X, pair.K), b.width, 1)
            p = pair.following


@inlined
def copy_block(store: Floats, to: PairPlan, block: Floats, by_row: int, by_column: int) -> None:
    """Write a block into a panel: entry (a, b) of the pair is block[a by_row + b by_column]."""
    panel = at(store, to.target)
    for a in range(to.rows):
        for b in range(to.columns):
            panel[a * to.row_stride + b * to.column_stride] = block[a * by_row + b * by_column]


# --- the factor --------------------------------------------------------------------------------------------


@compiled
def factor_island(P: Problem, X: Floats, island: Island) -> int:
    """Factor the blocks of an island; returns how many pivots had vanished."""
    fill_island(P, X, island)
    fill_pairs(P, X, island)
    plan = Plan(at(P, P.plan))
    V, Z = at(X, P.store), at(X, P.store + plan.store)
    fronts = FrontPlan(at(plan, plan.fronts))
    MV, MZ, inverse = at(V, plan.scaled), at(Z, plan.scaled), at(V, plan.inverse)
    lost = 0
    for f in range(island.front, island.front_end):
        front = FrontPlan.of(fronts, f)
        U, Y = at(V, front.update), at(Z, front.update)
        w, w4, r4 = front.w, front.w4, front.r4
        h = w4 + r4
        zero(U, r4 * r4)
        zero(Y, r4 * r4)
        c = front.child
        while c >= 0:
            child = FrontPlan.of(fronts, c)
            local = at(plan, child.local)
            extend_add(child, local, child.split, child.r, at(V, child.update), U, r4, w4)
            extend_add(child, local, child.split, child.r, at(Z, child.update), Y, r4, w4)
            c = child.sibling
        lost += factor_panels(at(V, front.panel), at(Z, front.panel), h, w4, MV, MZ, at(inverse, front.pivot))
        update(at(V, front.panel + w4), at(MZ, w4), h, w, U, r4)
        update(at(Z, front.panel + w4), at(MV, w4), h, w, Y, r4)
        if front.parent >= 0:
            parent = FrontPlan.of(fronts, front.parent)
            step = parent.w4 + parent.r4
            extend_add(front, at(plan, front.local), 0, front.split, U, at(V, parent.panel), step, 0)
            extend_add(front, at(plan, front.local), 0, front.split, Y, at(Z, parent.panel), step, 0)
    return lost


@compiled
def update(V: Floats, M: Floats, h: int, w: int, U: Floats, r4: int) -> None:
    """The lower tiles of U −= V Mᵀ."""
    for j in range(0, r4, TILE):
        subtract_column(V, at(M, j), h, w, j, r4, at(U, j * r4), r4)


@inlined
def subtract_column(
    V: Floats, M: Floats, h: int, n: int, first: int, end: int, to: Floats, step: int
) -> None:
    """Rows `first` to `end` of four columns −= V Mᵀ, two tiles at a time."""
    i = first
    while i + TILE < end:
        subtract_two_tiles(at(V, i), M, h, n, at(to, i), step)
        i += 2 * TILE
    if i < end:
        subtract_tile(at(V, i), M, h, n, at(to, i), step)


@compiled
def factor_panels(V: Floats, Z: Floats, h: int, w4: int, MV: Floats, MZ: Floats, inverse: Floats) -> int:
    """Factor two panels four columns at a time; MV = V D⁻¹ and MZ = Z D⁻¹ below each block of four."""
    lost = 0
    for j in range(0, w4, TILE):
        if j > 0:
            subtract_column(V, at(MZ, j), h, j, j, h, at(V, j * h), h)
            subtract_column(Z, at(MV, j), h, j, j, h, at(Z, j * h), h)
        lost += factor_tiles(at(V, j * h + j), at(Z, j * h + j), h, at(inverse, j))
        p = j * h + j
        go_down(at(V, p), at(Z, p), h, h - j, at(MV, p), at(inverse, j))
        go_down(at(Z, p), at(V, p), h, h - j, at(MZ, p), at(inverse, j))
    return lost


@inlined
def accepted(d: float) -> float:
    """1/d, or 0 of a pivot that vanished: its unknown stays where it is."""
    return 1.0 / d if d > TINY or d < -TINY else 0.0


@compiled
def factor_tiles(V: Floats, Z: Floats, h: int, inverse: Floats) -> int:
    """Factor the 4×4 blocks on the diagonal of both panels, column by column."""
    lost = 0
    for k in range(TILE):
        i = accepted(V[k * h + k])
        if i == 0.0:
            lost += 1
        inverse[k] = i
        Z[k * h + k] = V[k * h + k]
        for b in range(k + 1, TILE):
            mv, mz = V[k * h + b] * i, Z[k * h + b] * i
            for a in range(b, TILE):
                V[b * h + a] -= V[k * h + a] * mz
                Z[b * h + a] -= Z[k * h + a] * mv
            Z[b * h + b] = V[b * h + b]
    return lost


@compiled
def go_down(V: Floats, Z: Floats, h: int, n: int, M: Floats, inverse: Floats) -> None:
    """Columns of V below its block on the diagonal: V ← V (I − strictly upper part of D⁻¹Zᵀ)⁻¹; M = V D⁻¹."""
    i0, i1, i2, i3 = inverse[0], inverse[1], inverse[2], inverse[3]
    m10, m20, m30 = Z[1] * i0, Z[2] * i0, Z[3] * i0
    m21, m31, m32 = Z[h + 2] * i1, Z[h + 3] * i1, Z[2 * h + 3] * i2
    for i in range(TILE, n, TILE):
        q0, q1, q2, q3 = i, h + i, 2 * h + i, 3 * h + i
        a0, a1, a2, a3 = V[q0], V[q0 + 1], V[q0 + 2], V[q0 + 3]
        b0, b1, b2, b3 = V[q1], V[q1 + 1], V[q1 + 2], V[q1 + 3]
        c0, c1, c2, c3 = V[q2], V[q2 + 1], V[q2 + 2], V[q2 + 3]
        d0, d1, d2, d3 = V[q3], V[q3 + 1], V[q3 + 2], V[q3 + 3]
        b0, b1, b2, b3 = b0 - a0 * m10, b1 - a1 * m10, b2 - a2 * m10, b3 - a3 * m10
        c0, c1, c2, c3 = c0 - a0 * m20, c1 - a1 * m20, c2 - a2 * m20, c3 - a3 * m20
        c0, c1, c2, c3 = c0 - b0 * m21, c1 - b1 * m21, c2 - b2 * m21, c3 - b3 * m21
        d0, d1, d2, d3 = d0 - a0 * m30, d1 - a1 * m30, d2 - a2 * m30, d3 - a3 * m30
        d0, d1, d2, d3 = d0 - b0 * m31, d1 - b1 * m31, d2 - b2 * m31, d3 - b3 * m31
        d0, d1, d2, d3 = d0 - c0 * m32, d1 - c1 * m32, d2 - c2 * m32, d3 - c3 * m32
        V[q1], V[q1 + 1], V[q1 + 2], V[q1 + 3] = b0, b1, b2, b3
        V[q2], V[q2 + 1], V[q2 + 2], V[q2 + 3] = c0, c1, c2, c3
        V[q3], V[q3 + 1], V[q3 + 2], V[q3 + 3] = d0, d1, d2, d3
        M[q0], M[q0 + 1], M[q0 + 2], M[q0 + 3] = a0 * i0, a1 * i0, a2 * i0, a3 * i0
        M[q1], M[q1 + 1], M[q1 + 2], M[q1 + 3] = b0 * i1, b1 * i1, b2 * i1, b3 * i1
        M[q2], M[q2 + 1], M[q2 + 2], M[q2 + 3] = c0 * i2, c1 * i2, c2 * i2, c3 * i2
        M[q3], M[q3 + 1], M[q3 + 2], M[q3 + 3] = d0 * i3, d1 * i3, d2 * i3, d3 * i3


# --- solving -----------------------------------------------------------------------------------------------


@compiled
def solve_island(P: Problem, X: Floats, island: Island, v: Floats, lam: Floats) -> None:
    """(v, λ) ← K⁻¹ (v, λ) on one island."""
    plan = Plan(at(P, P.plan))
    V, Z = at(X, P.store), at(X, P.store + plan.store)
    inverse, y, gather = at(V, plan.inverse), at(V, plan.y), at(V, plan.gather)
    first, last = FrontPlan.of(plan, island.front), FrontPlan.of(plan, island.front_end - 1)
    zero(at(y, first.pivot), last.pivot + last.w4 - first.pivot)
    carry(P, plan, island, v, lam, y, 1)
    for f in range(island.front, island.front_end):
        front = FrontPlan.of(plan, f)
        k, w4 = front.pivot, front.w4
        index = at(plan, front.rows)
        solve_forward(at(V, front.panel), w4 + front.r4, front.w, w4, at(inverse, k), at(y, k), index, y)
    y[plan.n_pivots] = 0.0
    for f in range(island.front_end - 1, island.front - 1, -1):
        front = FrontPlan.of(plan, f)
        k, r4 = front.pivot, front.r4
        index = at(plan, front.rows)
        for i in range(r4):
            gather[i] = y[index[i]]
        solve_backward(at(Z, front.panel), front.w4, r4, at(inverse, k), at(y, k), gather)
    carry(P, plan, island, v, lam, y, 0)


@inlined
def carry(P: Problem, plan: Plan, island: Island, v: Floats, lam: Floats, y: Floats, is_in: int) -> None:
    """Numbers of an island from its vectors to the pivots, or back."""
    for s in range(island.body, island.body_end):
        k = P[P.body_list + s]
        body, pivot = Body.of(P, k), NodePlan.of(plan, k).pivot
        for a in range(body.rows):
            if is_in:
                y[pivot + a] = v[body.dof + a]
            else:
                v[body.dof + a] = y[pivot + a]
    for s in range(island.joint, island.joint_end):
        j = P[P.joint_list + s]
        joint, pivot = Joint.of(P, j), NodePlan.of(plan, P.n_bodies + j).pivot
        for a in range(joint.rows):
            if is_in:
                y[pivot + a] = lam[joint.row + a]
            else:
                lam[joint.row + a] = y[pivot + a]
