"""The symbolic phase of LDLᵀ after the order is known: fronts, and the plan that the numbers follow.

Columns with nearly the same rows below them are joined into one dense front, by a cost model of the tiled
arithmetic; a front hands what it leaves to its parent in the elimination tree. The plan holds all places, so
that the numeric phase only adds and multiplies.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.ldl.order import fill, minimum_degree, order_words

# The plan is a header, then tables at the offsets it names. Words of the header:
WANT_PLAN, WANT_WORK = 0, 1  # words wanted, told also when `ldl_analyse` returns −1
NODES, PAIRS, ROWS, FRONTS, PIVOTS = 2, 3, 4, 5, 6  # how many; PIVOTS counts rows with their padding
STORE, PANELS = 7, 8  # doubles of the store, and of the panels it begins with
FILL, DENSE = 9, 10  # entries of L by the blocks' pattern, and with the zeros that fronts add
NODE_AT, PAIR_AT, ROW_AT, FRONT_AT, INDEX_AT = 11, 12, 13, 14, 15  # plan offsets of the tables
# store offsets, see `ldl.py`
INVERSE_AT, LIMIT_AT, SPARE_AT, Y_AT, GATHER_AT, SCALED_AT = 16, 17, 18, 19, 20, 21
HEADER = 24
# A record a node, a pair and a front; ROW_AT maps a scalar row to its pivot, INDEX_AT holds the fronts' row
# lists. rows, first row, store offset, column stride, pivot
N_SIZE, N_ROW, N_TO, N_STEP, N_PIVOT, NODE = 0, 1, 2, 3, 4, 5
# store offset, strides of rows and columns, shape
P_TO, P_BY_ROW, P_BY_COLUMN, P_M, P_N, PAIR = 0, 1, 2, 3, 4, 5
# offsets in the store, sizes, first pivot
F_PANEL, F_W, F_W4, F_R, F_R4, F_UPDATE, F_PIVOT = 0, 1, 2, 3, 4, 5, 6
F_ROWS, F_LOCAL = 7, 8  # plan offsets: pivot of each row below (padded), and its row in the parent front
F_CHILD, F_SIBLING, F_PARENT = 9, 10, 11  # children with something to add to U; −1 ends
# first parent row if they lie together, else −1; how many are parent's pivots
F_RUN, F_SPLIT, FRONT = 12, 13, 14


@entry("iii")
def ldl_plan_bound(nb: int, npair: int, rows: int) -> int:
    """A plan capacity that is nearly always enough, in words."""
    return HEADER + (NODE + FRONT) * nb + (PAIR + 4) * npair + 9 * rows + 64


@entry("iii")
def ldl_work_bound(nb: int, npair: int, rows: int) -> int:
    """The words of work that `ldl_analyse` wants, unless there is much fill; rows = Σ max(size, 1)."""
    return max(nb + 1 + order_words(nb, npair, rows) + 4 * (nb + npair), 16 * (nb + 1) + npair) + 8


@entry("iIIiIIIiIi")
def ldl_analyse(
    nb: int, size: Ints, last: Ints, npair: int, pair_i: Ints, pair_j: Ints,
    plan: Ints, plan_capacity: int, work: Ints, work_capacity: int,
) -> int:  # fmt: skip
    """Order the nodes and write the plan; returns the doubles of the store, or −1 with the wanted words in
    the header.

    Node k has size[k] rows, and last[k] = 1 when it must follow all nodes with 0; pairs are unordered, each
    given once.
    """
    if plan_capacity < HEADER:
        return -1
    fill(plan, HEADER, 0)
    for k in range(nb):
        plan[ROWS] += size[k]
        plan[STORE] += max(size[k], 1)
    weight = plan[STORE]
    plan[WANT_PLAN] = ldl_plan_bound(nb, npair, weight)
    plan[WANT_WORK] = ldl_work_bound(nb, npair, weight)
    if work_capacity < plan[WANT_WORK]:
        return -1
    order = work
    tree = at(work, nb + 1)
    if minimum_degree(nb, weight, size, last, npair, pair_i, pair_j, order, tree, work_capacity - nb - 1) < 0:
        plan[WANT_WORK] = 2 * work_capacity
        return -1
    plan[FRONTS] = make_fronts(nb, size, npair, pair_i, pair_j, order, tree)
    below = at(tree, 3 * (nb + 1))
    rows = at(tree, 6 * (nb + 1) + npair)
    for k in range(nb):
        plan[FILL] += size[k] * rows[k] + (size[k] * (size[k] + 1) >> 1)
    index = 0
    for f in range(plan[FRONTS]):
        index += (below[f] + 3) >> 2 << 2
    plan[NODES] = nb
    plan[PAIRS] = npair
    plan[NODE_AT] = HEADER
    plan[PAIR_AT] = plan[NODE_AT] + NODE * nb
    plan[ROW_AT] = plan[PAIR_AT] + PAIR * npair
    plan[FRONT_AT] = plan[ROW_AT] + plan[ROWS]
    plan[INDEX_AT] = plan[FRONT_AT] + FRONT * plan[FRONTS]
    plan[WANT_PLAN] = plan[INDEX_AT] + 2 * index
    if plan_capacity < plan[WANT_PLAN]:
        return -1
    _place(nb, size, order, tree, plan)
    _reach(nb, size, npair, pair_i, pair_j, order, tree, plan)
    return _relate(at(tree, 2 * (nb + 1)), at(tree, 5 * (nb + 1) + npair), index, plan)


# --- fronts --------------------------------------------------------------------------------------------


@compiled
def front_cost(w: int, r: int) -> int:
    """About how long a front of w pivots and r rows below takes, in 0.1 ns: pivots, tiles, their depth,
    adding U."""
    b = (w + 3) >> 2
    g = (r + 3) >> 2
    tiles = (b + g) * (b + g + 1) >> 1
    depth = 2 * b * (b - 1) * (b + g) - 2 * (b - 1) * b * (2 * b - 1) // 3 + w * (g * (g + 1) >> 1)
    return 400 + 350 * b + 60 * tiles + 10 * depth + 5 * r * r


@compiled
def make_fronts(nb: int, size: Ints, npair: int, pair_i: Ints, pair_j: Ints, order: Ints, work: Ints) -> int:
    """Group the nodes into fronts; returns how many.

    The elimination tree and the rows below each node come from the row subtrees: row v of L holds the nodes
    on the tree paths from v's earlier neighbours up to v. Then, from the leaves up, a front joins its
    parent's when the joint front costs less than the two: always when the columns have the same rows (a
    fundamental supernode), and when explicit zeros are cheaper than another small front (relaxed
    amalgamation).

    On return `order` is a postorder of the fronts' pivots, and work holds, nb + 1 words each, front_of (node
    → front), begin (front → first pivot in `order`), above (front → parent or −1), below (front → rows
    below), and first (node → its first pair with an earlier node); then those pairs (npair words).
    """
    n1 = nb + 1
    front_of, begin, above, below = work, at(work, n1), at(work, 2 * n1), at(work, 3 * n1)
    first = at(work, 4 * n1)
    pair = at(work, 5 * n1)
    rest = at(work, 5 * n1 + npair)
    parent, rows, rank, width = rest, at(rest, n1), at(rest, 2 * n1), at(rest, 3 * n1)
    member, end = at(rest, 4 * n1), at(rest, 5 * n1)
    kid, kid_end, sibling = at(rest, 6 * n1), at(rest, 7 * n1), at(rest, 8 * n1)
    mark = rank  # not wanted at the same time
    head = front_of

    # the pairs of each node with earlier nodes
    for t in range(nb):
        rank[order[t]] = t
    fill(first, n1, 0)
    for p in range(npair):
        first[pair_i[p] if rank[pair_i[p]] > rank[pair_j[p]] else pair_j[p]] += 1
    for v in range(nb):
        first[v + 1] += first[v]
    for p in range(npair):
        v = pair_i[p] if rank[pair_i[p]] > rank[pair_j[p]] else pair_j[p]
        first[v] -= 1
        pair[first[v]] = p

    # the elimination tree and the rows below
    for t in range(nb):
        v = order[t]
        mark[v], parent[v], rows[v], kid[v] = v, -1, 0, -1
        for s in range(first[v], first[v + 1]):
            u = pair_i[pair[s]] + pair_j[pair[s]] - v
            while mark[u] != v:
                if parent[u] < 0:
                    parent[u] = v
                rows[u] += size[v]
                mark[u] = v
                u = parent[u]

    # amalgamation; `head`, `member`, `end` list a front's nodes, `kid`, `sibling`, `kid_end` its children
    for t in range(nb):
        v = order[t]
        width[v], head[v], end[v], member[v] = size[v], v, v, -1
        c = kid[v]
        kid[v] = -1
        while c >= 0:
            following = sibling[c]
            begin_c, end_c = c, c
            joint = front_cost(width[v] + width[c], rows[v])
            if joint <= front_cost(width[v], rows[v]) + front_cost(width[c], rows[c]):
                width[v] += width[c]
                member[end[c]] = head[v]
                head[v] = head[c]
                begin_c, end_c = kid[c], kid_end[c]
            if begin_c >= 0:
                sibling[end_c] = kid[v]
                if kid[v] < 0:
                    kid_end[v] = end_c
                kid[v] = begin_c
            c = following
        u = parent[v]
        if u >= 0:
            sibling[v] = kid[u]
            if kid[u] < 0:
                kid_end[u] = v
            kid[u] = v

    # postorder of the fronts; `mark` leads back up, `end` takes the new order
    nf, count = 0, 0
    for t in range(nb):
        v = order[t]
        if parent[v] < 0:
            mark[v] = -1
            while v >= 0:
                c = kid[v]
                if c >= 0:
                    kid[v] = sibling[c]
                    mark[c] = v
                    v = c
                else:
                    begin[nf], below[nf], above[nf] = count, rows[v], parent[v]
                    u = head[v]
                    while u >= 0:
                        front_of[u] = nf
                        end[count] = u
                        count += 1
                        u = member[u]
                    nf += 1
                    v = mark[v]
    begin[nf] = count
    for f in range(nf):
        if above[f] >= 0:
            above[f] = front_of[above[f]]
    for t in range(nb):
        order[t] = end[t]
    return nf


# --- the plan ------------------------------------------------------------------------------------------


@compiled
def _place(nb: int, size: Ints, order: Ints, tree: Ints, plan: Ints) -> None:
    """Lay out the panels, the padded pivots and the nodes' places among them."""
    begin = at(tree, nb + 1)
    below = at(tree, 3 * (nb + 1))
    nodes = at(plan, plan[NODE_AT])
    row = at(plan, plan[ROW_AT])
    index = plan[INDEX_AT]
    total = 0
    for k in range(nb):
        nodes[NODE * k + N_SIZE] = size[k]
        nodes[NODE * k + N_ROW] = total
        total += size[k]
    panel, pivot, widest, tallest = 0, 0, 0, 0
    for f in range(plan[FRONTS]):
        w = 0
        for s in range(begin[f], begin[f + 1]):
            w += size[order[s]]
        r = below[f]
        w4 = (w + 3) >> 2 << 2
        r4 = (r + 3) >> 2 << 2
        h = w4 + r4
        a = 0
        for s in range(begin[f], begin[f + 1]):
            node = at(nodes, NODE * order[s])
            node[N_TO], node[N_STEP], node[N_PIVOT] = panel + a * h + a, h, pivot + a
            for b in range(node[N_SIZE]):
                row[node[N_ROW] + b] = pivot + a + b
            a += node[N_SIZE]
        front = at(plan, plan[FRONT_AT] + FRONT * f)
        front[F_PANEL], front[F_W], front[F_W4], front[F_R], front[F_R4] = panel, w, w4, r, r4
        front[F_PIVOT], front[F_ROWS] = pivot, index
        front[F_CHILD], front[F_SIBLING], front[F_RUN], front[F_SPLIT] = -1, -1, -1, 0
        index += r4
        panel += h * w4
        pivot += w4
        plan[DENSE] += w * r + (w * (w + 1) >> 1)
        widest = max(widest, h * w4)
        tallest = max(tallest, r4)
    plan[PIVOTS], plan[PANELS] = pivot, panel
    plan[SCALED_AT] = panel
    plan[INVERSE_AT] = panel + widest
    plan[LIMIT_AT] = plan[INVERSE_AT] + pivot
    plan[SPARE_AT] = plan[LIMIT_AT] + pivot
    plan[Y_AT] = plan[SPARE_AT] + pivot
    plan[GATHER_AT] = plan[Y_AT] + pivot + 4
    plan[STORE] = plan[GATHER_AT] + tallest


@compiled
def _reach(
    nb: int,
    size: Ints,
    npair: int,
    pair_i: Ints,
    pair_j: Ints,
    order: Ints,
    tree: Ints,
    plan: Ints,
) -> None:
    """List the rows below each front, in pivot order, and where each pair's block goes.

    Node v is a row of the fronts on the tree paths from its earlier neighbours up to its own front.
    """
    n1 = nb + 1
    front_of, begin, above, first = tree, at(tree, n1), at(tree, 2 * n1), at(tree, 4 * n1)
    pair = at(tree, 5 * n1)
    mark = at(tree, 5 * n1 + npair)
    filled = at(mark, n1)
    nodes = at(plan, plan[NODE_AT])
    pairs = at(plan, plan[PAIR_AT])
    fronts = at(plan, plan[FRONT_AT])
    fill(mark, plan[FRONTS], -1)
    fill(filled, plan[FRONTS], 0)
    for g in range(plan[FRONTS]):
        for t in range(begin[g], begin[g + 1]):
            v = order[t]
            m = size[v]
            y = nodes[NODE * v + N_PIVOT]
            for s in range(first[v], first[v + 1]):
                p = pair[s]
                u = pair_i[p] + pair_j[p] - v
                f = front_of[u]
                while f != g and mark[f] != v:
                    mark[f] = v
                    q = fronts[FRONT * f + F_ROWS] + filled[f]
                    for a in range(m):
                        plan[q + a] = y + a
                    filled[f] += m
                    f = above[f]
                f = front_of[u]
                front = at(fronts, FRONT * f)
                h = front[F_W4] + front[F_R4]
                i = y - front[F_PIVOT] if f == g else front[F_W4] + filled[f] - m
                j = nodes[NODE * u + N_PIVOT] - front[F_PIVOT]
                record = at(pairs, PAIR * p)
                record[P_TO], record[P_BY_ROW], record[P_BY_COLUMN] = front[F_PANEL] + j * h + i, 1, h
                if pair_i[p] == u:  # the values' rows are columns of the panel
                    record[P_BY_ROW], record[P_BY_COLUMN] = h, 1
                record[P_M], record[P_N] = size[pair_i[p]], size[pair_j[p]]
    for f in range(plan[FRONTS]):
        front = at(fronts, FRONT * f)
        for i in range(front[F_R], front[F_R4]):
            plan[front[F_ROWS] + i] = plan[PIVOTS]  # padding: a slot of y that stays 0


@compiled
def _relate(above: Ints, depth: Ints, index: int, plan: Ints) -> int:
    """Where each front's rows are in its parent, and the two stacks of update matrices; returns the store's
    size.

    U waits for its parent on the stack of its depth's parity, and its children's U on top of the other one. A
    U that belongs wholly to the parent's pivots is added to that panel at once and need not wait.
    """
    nf = plan[FRONTS]
    fronts = at(plan, plan[FRONT_AT])
    for k in range(nf):
        f = nf - 1 - k
        front = at(fronts, FRONT * f)
        front[F_LOCAL], front[F_PARENT], depth[f] = front[F_ROWS] + index, above[f], 0
        if above[f] >= 0:
            depth[f] = 1 - depth[above[f]]
            parent = at(fronts, FRONT * above[f])
            mine, theirs, local = at(plan, front[F_ROWS]), at(plan, parent[F_ROWS]), at(plan, front[F_LOCAL])
            w4 = parent[F_W4]
            r = front[F_R]
            split, q = 0, 0
            for i in range(r):
                local[i] = mine[i] - parent[F_PIVOT]
                if local[i] < w4:
                    split += 1
                else:
                    while theirs[q] != mine[i]:
                        q += 1
                    local[i] = w4 + q
            front[F_SPLIT] = split
            if split < r:
                front[F_SIBLING] = parent[F_CHILD]
                parent[F_CHILD] = f
            is_whole = r > 0 and (split == r or split == 0) and local[r - 1] - local[0] == r - 1
            if is_whole and local[0] + front[F_R4] <= w4 + parent[F_R4]:
                front[F_RUN] = local[0]
    top_even, top_odd, peak_even, peak_odd = 0, 0, 0, 0
    for f in range(nf):
        front = at(fronts, FRONT * f)
        area = front[F_R4] * front[F_R4]
        kept = area if front[F_SPLIT] < front[F_R] else 0
        freed = 0
        c = front[F_CHILD]
        while c >= 0:
            child = at(fronts, FRONT * c)
            freed += child[F_R4] * child[F_R4]
            c = child[F_SIBLING]
        if depth[f] == 0:
            front[F_UPDATE] = top_even
            peak_even = max(peak_even, top_even + area)
            top_even += kept
            top_odd -= freed
        else:
            front[F_UPDATE] = top_odd
            peak_odd = max(peak_odd, top_odd + area)
            top_odd += kept
            top_even -= freed
    for f in range(nf):
        fronts[FRONT * f + F_UPDATE] += plan[STORE] + (0 if depth[f] == 0 else peak_even)
    plan[STORE] += peak_even + peak_odd
    return int(plan[STORE])
