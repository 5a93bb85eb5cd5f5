"""The graph of the KKT matrix: its nodes (constraints and hubs), pairs, and contributions J W Jᵀ, from the
blocks of J.

An object that few constraints share is eliminated beforehand: it contributes J W Jᵀ to the block of each pair
of its constraints. A hub, which many share, is a node itself, with a pair for each of its constraints.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.index.room import SPARE, take_floats, take_words
from tinkerdyne.engine.records import HUB_DEGREE, Constraint, Contribution, HubCopy, Index, Jacobian, Object

NODE_ROW_VECTORS = 3  # work vectors in node order


class NodeSign:
    """The sign of a node's pivots."""

    CONSTRAINT, HUB = -1, 1


@compiled
def index_graph(I: Index) -> int:
    """Nodes, pairs and contributions of the KKT matrix; returns the floats wanted, or −1 when I is too
    small."""
    if I.ints_used + I.n_jacobians + 2 * I.n_constraints + SPARE > I.capacity:
        I.ints_wanted = 2 * I.capacity
        return -1
    incidences = at(I, take_words(I, I.n_jacobians))
    find_hubs(I)
    list_incidences(I, incidences)
    if lay_out_tables(I) == 0:
        return -1
    heads = at(I, I.ints_used)  # scratch: the pairs of each constraint as a list, …
    links = at(heads, I.n_nodes)  # … linked
    I.matrix = I.next_float
    add_constraints(I, heads)
    for o in range(I.n_objects):
        T = Object.of(I, o)
        if T.hub >= 0:
            add_hub(I, T, at(incidences, T.incidence))
        else:
            contribute(I, T, at(incidences, T.incidence), heads, links)
    I.n_matrix = I.next_float - I.matrix
    I.scale = take_floats(I, I.n_node_rows)
    I.node_vector = take_floats(I, NODE_ROW_VECTORS * I.n_node_rows)
    I.damping_blocks = I.next_float
    for o in range(I.n_objects):
        T = Object.of(I, o)
        T.damping = take_floats(I, T.nv * T.nv)
    I.floats_used = I.next_float
    return int(I.floats_used)


# --- which constraints an object is in -----------------------------------------------------------------


@compiled
def find_hubs(I: Index) -> None:
    """Where the incidences of each object begin, and which objects are hubs, from how many they have."""
    n_hubs = 0
    first = 0
    for o in range(I.n_objects):
        T = Object.of(I, o)
        T.incidence = first
        first += T.n_incidences
        if T.n_incidences > HUB_DEGREE:
            T.hub = I.n_constraints + n_hubs
            n_hubs += 1
        T.n_incidences = 0
    I.n_nodes = I.n_constraints + n_hubs
    I.n_hubs = n_hubs


@compiled
def list_incidences(I: Index, incidences: Ints) -> None:
    """The blocks of J on each object, in order of constraints."""
    jacobians, objects = Jacobian(at(I, I.jacobians)), Object(at(I, I.objects))
    for b in range(I.n_jacobians):
        T = Object.of(objects, Jacobian.of(jacobians, b).object)
        incidences[T.incidence + T.n_incidences] = b
        T.n_incidences += 1


@compiled
def lay_out_tables(I: Index) -> int:
    """Room for nodes, pairs, contributions and copies, as many as there may be; 0 when I is too small."""
    most = 0
    for o in range(I.n_objects):
        n = Object.of(I, o).n_incidences
        most += n * (n + 1) // 2 if Object.of(I, o).hub < 0 else n
    n = I.n_nodes
    I.node_sizes = take_words(I, n)
    I.node_last = take_words(I, n)
    I.node_signs = take_words(I, n)
    I.node_diagonals = take_words(I, n)
    I.pair_rows = take_words(I, most)
    I.pair_columns = take_words(I, most)
    I.pair_places = take_words(I, most)
    I.contributions = take_words(I, most * Contribution.size)
    I.hub_copies = take_words(I, I.n_jacobians * HubCopy.size)
    want = I.ints_used + n + most + SPARE  # with the scratch lists of pairs
    if want > I.capacity:
        I.ints_wanted = want + want // 2
        return 0
    I.n_pairs = 0
    I.n_contributions = 0
    I.n_hub_copies = 0
    I.n_node_rows = 0
    return 1


# --- nodes and pairs -----------------------------------------------------------------------------------


@inlined
def add_node(I: Index, node: int, rows: int, sign: int, is_last: int) -> None:
    """One more node, with its diagonal block."""
    I[I.node_sizes + node] = rows
    I[I.node_signs + node] = sign
    I[I.node_last + node] = is_last
    I[I.node_diagonals + node] = take_floats(I, rows * rows)
    I.n_node_rows += rows


@inlined
def add_pair(I: Index, i: int, j: int, numbers: int) -> int:
    """One more off-diagonal block; returns its number."""
    p: int = I.n_pairs
    I.n_pairs = p + 1
    I[I.pair_rows + p] = i
    I[I.pair_columns + p] = j
    I[I.pair_places + p] = take_floats(I, numbers)
    return p


@compiled
def add_constraints(I: Index, heads: Ints) -> None:
    """A node for each constraint; it comes last until it is found on an object that is no hub."""
    for c in range(I.n_constraints):
        add_node(I, c, Constraint.of(I, c).dim, NodeSign.CONSTRAINT, 1 if I.n_hubs > 0 else 0)
        heads[c] = -1


@compiled
def add_hub(I: Index, T: Object, incidences: Ints) -> None:
    """A node for a hub, and a pair with each of its constraints: a copy of its block of J."""
    add_node(I, T.hub, T.nv, NodeSign.HUB, 0)
    for a in range(T.n_incidences):
        block = Jacobian.of(I, incidences[a])
        p = add_pair(I, block.constraint, T.hub, block.dim * block.nv)
        copied = HubCopy.of(I, I.n_hub_copies)
        I.n_hub_copies += 1
        copied.target = I[I.pair_places + p]
        copied.source = block.J
        copied.count = block.dim * block.nv


@compiled
def contribute(I: Index, T: Object, incidences: Ints, heads: Ints, links: Ints) -> None:
    """J W Jᵀ of an object to the blocks of its constraints, by themselves and with each other."""
    jacobians = Jacobian(at(I, I.jacobians))
    for a in range(T.n_incidences):
        A = Jacobian.of(jacobians, incidences[a])
        I[I.node_last + A.constraint] = 0
        add_contribution(I, I[I.node_diagonals + A.constraint], A, A, 1)
        for b in range(a):
            B = Jacobian.of(jacobians, incidences[b])
            p = find_pair(I, A, B, heads, links)
            add_contribution(I, I[I.pair_places + p], A, B, 0)


@inlined
def find_pair(I: Index, A: Jacobian, B: Jacobian, heads: Ints, links: Ints) -> int:
    """The pair of the constraints of two blocks of J, the second an earlier one; made where it is new."""
    i = A.constraint
    j = B.constraint
    p = heads[i]
    while p >= 0 and I[I.pair_columns + p] != j:
        p = links[p]
    if p < 0:
        p = add_pair(I, i, j, A.dim * B.dim)
        links[p] = heads[i]
        heads[i] = p
    return p


@inlined
def add_contribution(I: Index, target: int, A: Jacobian, B: Jacobian, is_diagonal: int) -> None:
    """One more contribution J W Jᵀ of two blocks of J on the same object."""
    share = Contribution.of(I, I.n_contributions)
    I.n_contributions += 1
    share.target = target
    share.J = A.J
    share.G = B.G
    share.d1 = A.dim
    share.d2 = B.dim
    share.nv = A.nv
    share.is_diagonal = is_diagonal
