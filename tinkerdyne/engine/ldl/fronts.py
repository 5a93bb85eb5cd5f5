"""Fronts: nodes of the elimination tree that are eliminated as one dense block.

Columns with nearly the same rows below them are joined into one front, by a cost model of the tiled
arithmetic; a front hands what it leaves to its parent in the elimination tree.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import IntRecord, Ints
from tinkerdyne.engine.ldl.plan import padded

# What a front costs, in 0.1 ns, as measured: by itself, for four pivots, a tile, a column in a tile, and an
# entry of U that is added to the parent.
COST_FRONT, COST_PIVOTS, COST_TILE, COST_COLUMN, COST_ENTRY = 400, 350, 60, 10, 5


class EliminationTree(IntRecord):
    """The head of the work space: where the tables of the elimination tree begin."""

    n_nodes: int
    n_pairs: int
    parents: int  # the parent of each node, or −1: a vector of its own, for a walk up reads nothing else
    nodes: int
    supernodes: int
    fronts: int
    pairs: int  # the pairs of each node with earlier nodes, node by node


class EliminationNode(IntRecord):
    """A node of the elimination tree."""

    table = "nodes"
    first: int  # of its pairs with earlier nodes; they end where those of the next node begin
    rows: int  # below it in L
    mark: int  # its rank in the order; then the row subtree that met it last; then the way back up


class Supernode(IntRecord):
    """Nodes that become one front, under the number of the last of them."""

    table = "supernodes"
    width: int  # pivots
    head: int  # first node, …
    end: int  # … and last
    member: int  # of each node, the next one of its supernode, or −1
    child: int  # the first child, or −1, …
    last_child: int  # … and the last
    sibling: int  # the next child of the parent
    front: int  # of each node, the number of its front


class TreeFront(IntRecord):
    """A front: its nodes, which follow each other in the order, and its parent."""

    table = "fronts"
    begin: int  # its first node in the order; they end where those of the next front begin
    parent: int  # or −1
    rows: int  # below it
    mark: int  # the node that met it last
    filled: int  # rows below it that are listed
    parity: int  # of its depth


@compiled
def tree_words(nb: int, npair: int) -> int:
    """Words of work that the tree wants."""
    return (
        EliminationTree.size + (1 + EliminationNode.size + Supernode.size + TreeFront.size) * (nb + 1) + npair
    )


@compiled
def lay_out(T: EliminationTree, nb: int, npair: int) -> None:
    """Divide the work space; each table of nodes or fronts has one row more than there are."""
    T.n_nodes = nb
    T.n_pairs = npair
    T.parents = EliminationTree.size
    T.nodes = T.parents + nb + 1
    T.supernodes = T.nodes + EliminationNode.size * (nb + 1)
    T.fronts = T.supernodes + Supernode.size * (nb + 1)
    T.pairs = T.fronts + TreeFront.size * (nb + 1)


@compiled
def front_cost(w: int, r: int) -> int:
    """About how long a front of w pivots and r rows below takes: pivots, tiles, their depth, adding U."""
    b = padded(w) >> 2
    g = padded(r) >> 2
    tiles = (b + g) * (b + g + 1) >> 1
    depth = 2 * b * (b - 1) * (b + g) - 2 * (b - 1) * b * (2 * b - 1) // 3 + w * (g * (g + 1) >> 1)
    return COST_FRONT + COST_PIVOTS * b + COST_TILE * tiles + COST_COLUMN * depth + COST_ENTRY * r * r


@compiled
def make_fronts(T: EliminationTree, size: Ints, pair_i: Ints, pair_j: Ints, order: Ints) -> int:
    """Group the nodes into fronts; returns how many. `order` becomes a postorder of the fronts' pivots."""
    sort_pairs(T, pair_i, pair_j, order)
    grow_tree(T, size, pair_i, pair_j, order)
    amalgamate(T, size, order)
    return number_fronts(T, order)


@inlined
def later(nodes: EliminationNode, i: int, j: int) -> int:
    """Which of two nodes is eliminated later, where `mark` is the rank."""
    return i if EliminationNode.of(nodes, i).mark > EliminationNode.of(nodes, j).mark else j


@compiled
def sort_pairs(T: EliminationTree, pair_i: Ints, pair_j: Ints, order: Ints) -> None:
    """The pairs of each node with earlier nodes, by counting."""
    nodes, pairs = EliminationNode(at(T, T.nodes)), at(T, T.pairs)
    nb, npair = T.n_nodes, T.n_pairs
    for t in range(nb):
        EliminationNode.of(nodes, order[t]).mark = t
        EliminationNode.of(nodes, t).first = 0
    EliminationNode.of(nodes, nb).first = 0
    for p in range(npair):
        EliminationNode.of(nodes, later(nodes, pair_i[p], pair_j[p])).first += 1
    for v in range(nb):
        EliminationNode.of(nodes, v + 1).first += EliminationNode.of(nodes, v).first
    for p in range(npair):
        node = EliminationNode.of(nodes, later(nodes, pair_i[p], pair_j[p]))
        node.first -= 1
        pairs[node.first] = p


@compiled
def grow_tree(T: EliminationTree, size: Ints, pair_i: Ints, pair_j: Ints, order: Ints) -> None:
    """The elimination tree and the rows below each node, from the row subtrees: row v of L holds the nodes on
    the tree paths from v's earlier neighbours up to v."""
    nodes, pairs, parent = EliminationNode(at(T, T.nodes)), at(T, T.pairs), at(T, T.parents)
    for t in range(T.n_nodes):
        v = order[t]
        m = size[v]
        node = EliminationNode.of(nodes, v)
        node.mark, node.rows, parent[v] = v, 0, -1
        for s in range(node.first, EliminationNode.of(nodes, v + 1).first):
            u = pair_i[pairs[s]] + pair_j[pairs[s]] - v
            while EliminationNode.of(nodes, u).mark != v:
                if parent[u] < 0:
                    parent[u] = v
                EliminationNode.of(nodes, u).rows += m
                EliminationNode.of(nodes, u).mark = v
                u = parent[u]


@compiled
def amalgamate(T: EliminationTree, size: Ints, order: Ints) -> None:
    """From the leaves up, a front joins its parent's when the joint front costs less than the two: always
    when the columns have the same rows (a fundamental supernode), and when explicit zeros are cheaper than
    another small front (relaxed amalgamation)."""
    nodes, supernodes, parent = (
        EliminationNode(at(T, T.nodes)),
        Supernode(at(T, T.supernodes)),
        at(T, T.parents),
    )
    for v in range(T.n_nodes):
        Supernode.of(supernodes, v).child = -1
    for t in range(T.n_nodes):
        v = order[t]
        node, whole = EliminationNode.of(nodes, v), Supernode.of(supernodes, v)
        whole.width, whole.head, whole.end, whole.member = size[v], v, v, -1
        c = whole.child
        whole.child = -1
        while c >= 0:
            part = Supernode.of(supernodes, c)
            following = part.sibling
            joint = front_cost(whole.width + part.width, node.rows)
            apart = front_cost(whole.width, node.rows) + front_cost(
                part.width, EliminationNode.of(nodes, c).rows
            )
            if joint <= apart:
                whole.width += part.width
                Supernode.of(supernodes, part.end).member = whole.head
                whole.head = part.head
                adopt(supernodes, whole, part.child, part.last_child)
            else:
                adopt(supernodes, whole, c, c)
            c = following
        if parent[v] >= 0:
            adopt(supernodes, Supernode.of(supernodes, parent[v]), v, v)


@inlined
def adopt(supernodes: Supernode, parent: Supernode, first: int, last: int) -> None:
    """Put a list of supernodes before the children of one; first = −1 is an empty one."""
    if first >= 0:
        Supernode.of(supernodes, last).sibling = parent.child
        if parent.child < 0:
            parent.last_child = last
        parent.child = first


@compiled
def number_fronts(T: EliminationTree, order: Ints) -> int:
    """Number the fronts in postorder, and their nodes along with them; returns how many fronts there are.

    The nodes of a tree stand before its root in the order, so what is written over has been read.
    """
    nodes, supernodes = EliminationNode(at(T, T.nodes)), Supernode(at(T, T.supernodes))
    fronts, parent = TreeFront(at(T, T.fronts)), at(T, T.parents)
    n, count = 0, 0
    for t in range(T.n_nodes):
        v = order[t]
        if parent[v] >= 0:
            continue
        EliminationNode.of(nodes, v).mark = -1
        while v >= 0:
            node, whole = EliminationNode.of(nodes, v), Supernode.of(supernodes, v)
            c = whole.child
            if c >= 0:
                whole.child = Supernode.of(supernodes, c).sibling
                EliminationNode.of(nodes, c).mark = v
                v = c
            else:
                front = TreeFront.of(fronts, n)
                front.begin, front.rows, front.parent = count, node.rows, parent[v]
                count = number_nodes(supernodes, whole.head, n, order, count)
                n += 1
                v = node.mark
    TreeFront.of(fronts, n).begin = count
    for f in range(n):
        front = TreeFront.of(fronts, f)
        if front.parent >= 0:
            front.parent = Supernode.of(supernodes, front.parent).front
    return n


@inlined
def number_nodes(supernodes: Supernode, head: int, front: int, order: Ints, count: int) -> int:
    """Put the nodes of a front into the order, from the count on; returns the new count."""
    u = head
    while u >= 0:
        node = Supernode.of(supernodes, u)
        node.front = front
        order[count] = u
        count += 1
        u = node.member
    return count
