"""The symbolic phase of LDLᵀ: the order, the fronts, and then the plan that the numbers follow."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.ldl.fronts import (
    EliminationNode,
    EliminationTree,
    Supernode,
    TreeFront,
    lay_out,
    make_fronts,
    tree_words,
)
from tinkerdyne.engine.ldl.order import fill, minimum_degree, order_words
from tinkerdyne.engine.ldl.plan import TILE, FrontPlan, NodePlan, PairPlan, Plan, padded

# Words allowed for beyond what is known before the fronts are: of the plan for each pair and row, and of the
# work for each node and pair.
PLAN_PAIR, PLAN_ROW, PLAN_SPARE = 4, 9, 64
WORK_FILL, WORK_SPARE = 4, 8


@compiled
def plan_bound(nb: int, npair: int, rows: int) -> int:
    """A plan capacity that is nearly always enough, in words."""
    nodes = (NodePlan.size + FrontPlan.size) * nb
    return Plan.size + nodes + (PairPlan.size + PLAN_PAIR) * npair + PLAN_ROW * rows + PLAN_SPARE


@compiled
def work_bound(nb: int, npair: int, rows: int) -> int:
    """The words of work that `ldl_analyse` wants, unless there is much fill; rows = Σ max(size, 1)."""
    ordering = order_words(nb, npair, rows) + WORK_FILL * (nb + npair) + WORK_SPARE
    return nb + 1 + max(ordering, tree_words(nb, npair))


@entry("iIIiIIIiIi")
def ldl_analyse(
    nb: int, size: Ints, last: Ints, npair: int, pair_i: Ints, pair_j: Ints,
    plan: Plan, plan_capacity: int, work: Ints, work_capacity: int,
) -> int:  # fmt: skip
    """Order the nodes and write the plan; returns the doubles of the store, or −1 with the wanted words in
    the header.

    Node k has size[k] rows, and last[k] = 1 when it must follow all nodes with 0; pairs are unordered, each
    given once.
    """
    if plan_capacity < Plan.size:
        return -1
    weight = begin_plan(nb, size, npair, plan)
    if work_capacity < plan.work_words:
        return -1
    order = work
    rest = at(work, nb + 1)
    if minimum_degree(nb, weight, size, last, npair, pair_i, pair_j, order, rest, work_capacity - nb - 1) < 0:
        plan.work_words = 2 * work_capacity
        return -1
    return plan_in_order(nb, size, npair, pair_i, pair_j, plan, plan_capacity, order, rest)


@compiled
def begin_plan(nb: int, size: Ints, npair: int, plan: Plan) -> int:
    """The header of a plan with the words that are wanted; returns the weight of all nodes."""
    fill(plan, Plan.size, 0)
    weight = 0
    for k in range(nb):
        plan.n_rows += size[k]
        weight += max(size[k], 1)
    plan.words = plan_bound(nb, npair, weight)
    plan.work_words = work_bound(nb, npair, weight)
    return weight


@compiled
def plan_in_order(
    nb: int, size: Ints, npair: int, pair_i: Ints, pair_j: Ints,
    plan: Plan, plan_capacity: int, order: Ints, work: Ints,
) -> int:  # fmt: skip
    """Write the plan for an order of elimination; returns the doubles of the store, or −1 with the wanted
    words in the header."""
    tree = EliminationTree(work)
    lay_out(tree, nb, npair)
    plan.n_fronts = make_fronts(tree, size, pair_i, pair_j, order)
    index = lay_out_plan(tree, size, plan)
    if plan_capacity < plan.words:
        return -1
    place_nodes(tree, size, order, plan)
    list_rows(tree, size, pair_i, pair_j, order, plan)
    relate_fronts(tree, index, plan)
    stack_updates(tree, plan)
    return int(plan.store)


@compiled
def lay_out_plan(tree: EliminationTree, size: Ints, plan: Plan) -> int:
    """Places of the plan's tables; returns the length of the fronts' row lists."""
    nb = tree.n_nodes
    for k in range(nb):
        plan.fill += size[k] * EliminationNode.of(tree, k).rows + (size[k] * (size[k] + 1) >> 1)
    index = 0
    for f in range(plan.n_fronts):
        index += padded(TreeFront.of(tree, f).rows)
    plan.n_nodes = nb
    plan.n_pairs = tree.n_pairs
    plan.nodes = Plan.size
    plan.pairs = plan.nodes + NodePlan.size * nb
    plan.row_pivots = plan.pairs + PairPlan.size * tree.n_pairs
    plan.fronts = plan.row_pivots + plan.n_rows
    plan.front_rows = plan.fronts + FrontPlan.size * plan.n_fronts
    plan.words = plan.front_rows + 2 * index
    return index


# --- places in the panels ------------------------------------------------------------------------------


@compiled
def place_nodes(tree: EliminationTree, size: Ints, order: Ints, plan: Plan) -> None:
    """Lay out the panels, the padded pivots and the nodes' places among them."""
    nodes, branches = NodePlan(at(plan, plan.nodes)), TreeFront(at(tree, tree.fronts))
    fronts, row_pivots = FrontPlan(at(plan, plan.fronts)), at(plan, plan.row_pivots)
    row = 0
    for k in range(plan.n_nodes):
        node = NodePlan.of(nodes, k)
        node.rows, node.row = size[k], row
        row += size[k]
    index, panel, pivot, widest, tallest = plan.front_rows, 0, 0, 0, 0
    for f in range(plan.n_fronts):
        begin, end = TreeFront.of(branches, f).begin, TreeFront.of(branches, f + 1).begin
        w, r = 0, TreeFront.of(branches, f).rows
        for s in range(begin, end):
            w += size[order[s]]
        w4, r4 = padded(w), padded(r)
        front = FrontPlan.of(fronts, f)
        front.w, front.w4, front.r, front.r4 = w, w4, r, r4
        front.panel, front.pivot, front.rows = panel, pivot, index
        front.child, front.sibling, front.run, front.split = -1, -1, -1, 0
        place_front(nodes, row_pivots, order, begin, end, panel, w4 + r4, pivot)
        area = (w4 + r4) * w4
        index += r4
        panel += area
        pivot += w4
        plan.dense += w * r + (w * (w + 1) >> 1)
        widest = max(widest, area)
        tallest = max(tallest, r4)
    plan.n_pivots, plan.panels = pivot, panel
    lay_out_store(plan, widest, tallest)


@inlined
def place_front(
    nodes: NodePlan, row_pivots: Ints, order: Ints, begin: int, end: int, panel: int, h: int, pivot: int
) -> None:
    """Where the diagonal blocks of a front's nodes go in its panel of h rows, and their rows' pivots."""
    a = 0
    for s in range(begin, end):
        node = NodePlan.of(nodes, order[s])
        node.target, node.stride, node.pivot = panel + a * h + a, h, pivot + a
        for b in range(node.rows):
            row_pivots[node.row + b] = pivot + a + b
        a += node.rows


@compiled
def lay_out_store(plan: Plan, widest: int, tallest: int) -> None:
    """Places in the store behind the panels, but for the update matrices."""
    plan.scaled = plan.panels
    plan.inverse = plan.scaled + widest
    plan.limit = plan.inverse + plan.n_pivots
    plan.spare = plan.limit + plan.n_pivots
    plan.y = plan.spare + plan.n_pivots
    plan.gather = plan.y + plan.n_pivots + TILE
    plan.store = plan.gather + tallest


# --- rows below the fronts -----------------------------------------------------------------------------


@compiled
def list_rows(tree: EliminationTree, size: Ints, pair_i: Ints, pair_j: Ints, order: Ints, plan: Plan) -> None:
    """List the rows below each front, in pivot order, and where each pair's block goes.

    Node v is a row of the fronts on the tree paths from its earlier neighbours up to its own front. Its block
    with such a neighbour u goes into u's panel, by rows of v, which were the last to be listed there.
    """
    nodes, supernodes, pairs = (
        EliminationNode(at(tree, tree.nodes)),
        Supernode(at(tree, tree.supernodes)),
        at(tree, tree.pairs),
    )
    branches, fronts, places = (
        TreeFront(at(tree, tree.fronts)),
        FrontPlan(at(plan, plan.fronts)),
        NodePlan(at(plan, plan.nodes)),
    )
    for f in range(plan.n_fronts):
        TreeFront.of(branches, f).mark, TreeFront.of(branches, f).filled = -1, 0
    for g in range(plan.n_fronts):
        for t in range(TreeFront.of(branches, g).begin, TreeFront.of(branches, g + 1).begin):
            v = order[t]
            node = NodePlan.of(places, v)
            for s in range(EliminationNode.of(nodes, v).first, EliminationNode.of(nodes, v + 1).first):
                p = pairs[s]
                u = pair_i[p] + pair_j[p] - v
                f = Supernode.of(supernodes, u).front
                list_node(branches, fronts, v, node, f, g, plan)
                front = FrontPlan.of(fronts, f)
                listed = front.w4 + TreeFront.of(branches, f).filled
                i = node.pivot - front.pivot if f == g else listed - node.rows
                j = NodePlan.of(places, u).pivot - front.pivot
                pair = PairPlan.of(plan, p)
                pair.rows, pair.columns = size[pair_i[p]], size[pair_j[p]]
                place_pair(pair, front, i, j, pair_i[p] == u)
    pad_rows(plan)


@inlined
def list_node(
    branches: TreeFront, fronts: FrontPlan, v: int, node: NodePlan, first: int, g: int, plan: Plan
) -> None:
    """Node v of front g is a row of all fronts from the first up to its own that do not have it yet."""
    f = first
    while f != g and TreeFront.of(branches, f).mark != v:
        branch = TreeFront.of(branches, f)
        branch.mark = v
        rows = at(plan, FrontPlan.of(fronts, f).rows + branch.filled)
        for a in range(node.rows):
            rows[a] = node.pivot + a
        branch.filled += node.rows
        f = branch.parent


@inlined
def place_pair(pair: PairPlan, front: FrontPlan, i: int, j: int, is_transposed: int) -> None:
    """A pair's block goes to row i and column j of a panel; transposed where its rows are the panel's
    columns."""
    h = front.w4 + front.r4
    pair.target = front.panel + j * h + i
    if is_transposed:
        pair.row_stride, pair.column_stride = h, 1
    else:
        pair.row_stride, pair.column_stride = 1, h


@compiled
def pad_rows(plan: Plan) -> None:
    """Fill the row lists up to whole tiles with a slot of y that stays 0."""
    for f in range(plan.n_fronts):
        front = FrontPlan.of(plan, f)
        rows = at(plan, front.rows)
        for i in range(front.r, front.r4):
            rows[i] = plan.n_pivots


# --- update matrices -----------------------------------------------------------------------------------


@compiled
def relate_fronts(tree: EliminationTree, index: int, plan: Plan) -> None:
    """Where each front's rows are in its parent, and which children have something to add to U."""
    fronts, branches = FrontPlan(at(plan, plan.fronts)), TreeFront(at(tree, tree.fronts))
    n = plan.n_fronts
    for k in range(n):
        f = n - 1 - k
        front, branch = FrontPlan.of(fronts, f), TreeFront.of(branches, f)
        up = branch.parent
        front.local, front.parent, branch.parity = front.rows + index, up, 0
        if up >= 0:
            branch.parity = 1 - TreeFront.of(branches, up).parity
            parent = FrontPlan.of(fronts, up)
            local = at(plan, front.local)
            split = locate_rows(front, parent, local, plan)
            front.split = split
            if split < front.r:
                front.sibling = parent.child
                parent.child = f
            front.run = run_of(front, parent, local, split)


@inlined
def locate_rows(front: FrontPlan, parent: FrontPlan, local: Ints, plan: Plan) -> int:
    """The row of the parent front that each row below a front is; returns how many are pivots there."""
    mine, theirs = at(plan, front.rows), at(plan, parent.rows)
    w4 = parent.w4
    split, q = 0, 0
    for i in range(front.r):
        local[i] = mine[i] - parent.pivot
        if local[i] < w4:
            split += 1
        else:
            while theirs[q] != mine[i]:
                q += 1
            local[i] = w4 + q
    return split


@inlined
def run_of(front: FrontPlan, parent: FrontPlan, local: Ints, split: int) -> int:
    """The first of a front's rows in its parent, if all lie together there with room for their padding, else
    −1."""
    r = front.r
    is_whole = r > 0 and (split == r or split == 0) and local[r - 1] - local[0] == r - 1
    if is_whole and local[0] + front.r4 <= parent.w4 + parent.r4:
        return local[0]
    return -1


@compiled
def stack_updates(tree: EliminationTree, plan: Plan) -> None:
    """The two stacks of update matrices, at the end of the store.

    U waits for its parent on the stack of its depth's parity, and its children's U on top of the other one. A
    U that belongs wholly to the parent's pivots is added to that panel at once and need not wait.
    """
    fronts, branches = FrontPlan(at(plan, plan.fronts)), TreeFront(at(tree, tree.fronts))
    top_even, top_odd, peak_even, peak_odd = 0, 0, 0, 0
    for f in range(plan.n_fronts):
        front = FrontPlan.of(fronts, f)
        area = front.r4 * front.r4
        kept = area if front.split < front.r else 0
        freed = 0
        c = front.child
        while c >= 0:
            child = FrontPlan.of(fronts, c)
            freed += child.r4 * child.r4
            c = child.sibling
        if TreeFront.of(branches, f).parity == 0:
            front.update = top_even
            peak_even = max(peak_even, top_even + area)
            top_even += kept
            top_odd -= freed
        else:
            front.update = top_odd
            peak_odd = max(peak_odd, top_odd + area)
            top_odd += kept
            top_even -= freed
    for f in range(plan.n_fronts):
        FrontPlan.of(fronts, f).update += plan.store + (
            0 if TreeFront.of(branches, f).parity == 0 else peak_even
        )
    plan.store += peak_even + peak_odd
