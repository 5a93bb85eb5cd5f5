"""The structure of a contact problem: pairs of bodies that touch, the order of elimination, and islands.

The matrix has a node a body and a node a joint. The bodies are put in order by minimum degree, as if what
touches or shares a joint were linked, and a joint follows the last of its bodies: then its pivot is what
they, eliminated, have left of −J K⁻¹ Jᵀ. A connected part is one tree of the elimination: an island.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.contact.problem import (
    Body,
    Contact,
    Island,
    IslandValues,
    Joint,
    JointBlock,
    Pair,
    Point,
    Problem,
    table_words,
)
from tinkerdyne.engine.ldl.analyse import begin_plan, plan_in_order
from tinkerdyne.engine.ldl.fronts import EliminationTree, TreeFront
from tinkerdyne.engine.ldl.order import fill, minimum_degree
from tinkerdyne.engine.ldl.plan import TILE, FrontPlan, Plan, padded


@entry("IiIi")
def contact_prepare(P: Problem, capacity: int, work: Ints, work_capacity: int) -> int:
    """Find pairs, order and islands, and give every number its place; returns the floats that are wanted, or
    −1 where `words` and `work_words` say what room is missing."""
    nodes = P.n_bodies + P.n_joints
    count_links(P)
    graph = P.n_bodies + 3 * (P.contact_room + joint_pairs(P))
    P.words = max(P.words, table_words(P) + Plan.size)
    P.work_words = max(P.work_words, 2 * (P.contact_room + P.n_links) + nodes)
    if capacity < P.words or work_capacity < P.work_words:
        return -1
    find_pairs(P)
    if is_same_graph(P) == 0:
        plan = Plan(at(P, P.plan))
        begin_plan(nodes, at(P, P.node_sizes), P.n_edges, plan)
        lists = graph + 3 * nodes + 3
        P.words = max(P.words, P.plan + plan.words)
        P.work_words = max(P.work_words, lists + plan.work_words)
        if (
            capacity < P.words
            or work_capacity < P.work_words
            or order_nodes(P, capacity, work, work_capacity) < 0
        ):
            P.n_edges = -1
            return -1
        P.orders += 1
    list_contacts(P)
    return place_floats(P)


# --- pairs -----------------------------------------------------------------------------------------------


@inlined
def count_links(P: Problem) -> None:
    """The links of each joint."""
    for j in range(P.n_joints):
        Joint.of(P, j).n_links = 0
    for k in range(P.n_links):
        joint = Joint.of(P, JointBlock.of(P, k).joint)
        if joint.n_links == 0:
            joint.link = k
        joint.n_links += 1


@inlined
def joint_pairs(P: Problem) -> int:
    """How many pairs of bodies the joints make."""
    count = 0
    for j in range(P.n_joints):
        n = Joint.of(P, j).n_links
        count += n * (n - 1) >> 1
    return count


@compiled
def find_pairs(P: Problem) -> None:
    """Which pair of bodies each contact belongs to."""
    heads = at(P, P.heads)
    fill(heads, P.n_bodies, -1)
    P.n_pairs = 0
    for k in range(P.n_contacts):
        contact = Contact.of(P, k)
        a, b = min(contact.a, contact.b), max(contact.a, contact.b)
        contact.pair = -1
        if a >= 0 and a != b:
            p = heads[a]
            while p >= 0 and Pair.of(P, p).b != b:
                p = Pair.of(P, p).following
            if p < 0:
                p = P.n_pairs
                pair = Pair.of(P, p)
                pair.a, pair.b, pair.following = a, b, heads[a]
                heads[a] = p
                P.n_pairs += 1
            contact.pair = p


@compiled
def is_same_graph(P: Problem) -> int:
    """Write the edges and nodes of the matrix; whether they are those of the last time."""
    rows, columns = at(P, P.edge_rows), at(P, P.edge_columns)
    sizes = at(P, P.node_sizes)
    n = P.n_pairs + P.n_links
    same = 1 if n == P.n_edges else 0
    for k in range(P.n_bodies + P.n_joints):
        size = Body.of(P, k).rows if k < P.n_bodies else Joint.of(P, k - P.n_bodies).rows
        if size != sizes[k]:
            same = 0
        sizes[k] = size
    for k in range(n):
        if k < P.n_pairs:
            i, j = Pair.of(P, k).a, Pair.of(P, k).b
        else:
            i, j = JointBlock.of(P, k - P.n_pairs).body, P.n_bodies + JointBlock.of(P, k - P.n_pairs).joint
        if rows[k] != i or columns[k] != j:
            same = 0
        rows[k], columns[k] = i, j
    P.n_edges = n
    return same


# --- the order -------------------------------------------------------------------------------------------


@compiled
def link_bodies(P: Problem, graph: Ints, room: int) -> int:
    """The graph of bodies that touch or share a joint: heads, rows, columns and lists; returns its edges."""
    heads, rows = graph, at(graph, P.n_bodies)
    columns, following = at(rows, room), at(rows, 2 * room)
    for k in range(P.n_bodies):
        heads[k] = P[P.heads + k]
    for p in range(P.n_pairs):
        pair = Pair.of(P, p)
        rows[p], columns[p], following[p] = pair.a, pair.b, pair.following
    count = P.n_pairs
    for j in range(P.n_joints):
        joint = Joint.of(P, j)
        for s in range(joint.link, joint.link + joint.n_links):
            for t in range(joint.link, s):
                x, y = JointBlock.of(P, s).body, JointBlock.of(P, t).body
                count = link_two(heads, rows, columns, following, min(x, y), max(x, y), count)
    return count


@inlined
def link_two(heads: Ints, rows: Ints, columns: Ints, following: Ints, a: int, b: int, count: int) -> int:
    """Link two bodies unless they are; returns how many edges there are now."""
    e = heads[a]
    while e >= 0 and columns[e] != b:
        e = following[e]
    if e < 0 and a != b:
        rows[count], columns[count], following[count] = a, b, heads[a]
        heads[a] = count
        count += 1
    return count


@compiled
def order_nodes(P: Problem, capacity: int, work: Ints, work_capacity: int) -> int:
    """Order the nodes, write the plan and find the islands; −1 where room is missing."""
    nb, nodes = P.n_bodies, P.n_bodies + P.n_joints
    sizes, plan = at(P, P.node_sizes), Plan(at(P, P.plan))
    room = P.contact_room + joint_pairs(P)
    n_edges = link_bodies(P, work, room)
    rows, columns = at(work, nb), at(work, nb + room)
    bodies = at(work, nb + 3 * room)
    order, late = at(bodies, nb + 1), at(bodies, nb + nodes + 2)
    lists = nb + 3 * room + 3 * nodes + 3
    rest = at(work, lists)
    weight = 0
    for k in range(nb):
        late[k] = 0
        weight += sizes[k]
    found = minimum_degree(
        nb, weight, sizes, late, n_edges, rows, columns, bodies, rest, work_capacity - lists
    )
    if found < 0:
        P.work_words = 2 * work_capacity
        return -1
    interleave(P, bodies, order, late, rest)
    done = plan_in_order(
        nodes, sizes, P.n_edges, at(P, P.edge_rows), at(P, P.edge_columns),
        plan, capacity - P.plan, order, rest,
    )  # fmt: skip
    if done < 0:
        P.words = P.plan + plan.words
        return -1
    find_islands(P, plan, EliminationTree(rest), order)
    return 0


@compiled
def interleave(P: Problem, bodies: Ints, order: Ints, rank: Ints, work: Ints) -> None:
    """All nodes in order: the bodies, each followed by the joints that waited for it."""
    n = P.n_bodies
    heads, following = work, at(work, n + 1)
    for k in range(n):
        rank[bodies[k]] = k
    fill(heads, n + 1, -1)
    for j in range(P.n_joints - 1, -1, -1):
        joint = Joint.of(P, j)
        last = 0
        for s in range(joint.link, joint.link + joint.n_links):
            last = max(last, rank[JointBlock.of(P, s).body])
        following[j] = heads[last]
        heads[last] = j
    count = 0
    for k in range(n):
        order[count] = bodies[k]
        count += 1
        j = heads[k]
        while j >= 0:
            order[count] = n + j
            count += 1
            j = following[j]


# --- islands ---------------------------------------------------------------------------------------------


@compiled
def find_islands(P: Problem, plan: Plan, tree: EliminationTree, order: Ints) -> None:
    """Trees of fronts: their fronts, bodies and joints."""
    of_node = at(P, P.node_islands)
    k, n_bodies, n_joints, begin = 0, 0, 0, 0
    for f in range(plan.n_fronts):
        island = Island.of(P, k)
        if f == begin:
            island.front, island.body, island.joint = f, n_bodies, n_joints
        for s in range(TreeFront.of(tree, f).begin, TreeFront.of(tree, f + 1).begin):
            node = order[s]
            of_node[node] = k
            if node < P.n_bodies:
                P[P.body_list + n_bodies] = node
                n_bodies += 1
            else:
                P[P.joint_list + n_joints] = node - P.n_bodies
                n_joints += 1
        if FrontPlan.of(plan, f).parent < 0:
            island.front_end, island.body_end, island.joint_end = f + 1, n_bodies, n_joints
            k += 1
            begin = f + 1
    P.n_islands = k


@compiled
def list_contacts(P: Problem) -> None:
    """The contacts of each island, in their own order."""
    for k in range(P.n_islands):
        Island.of(P, k).contact_end = 0
    of_node = at(P, P.node_islands)
    for c in range(P.n_contacts):
        last = max(Contact.of(P, c).a, Contact.of(P, c).b)
        if last >= 0:
            Island.of(P, of_node[last]).contact_end += 1
    first = 0
    for k in range(P.n_islands):
        island = Island.of(P, k)
        island.contact = first
        first += island.contact_end
        island.contact_end = island.contact
    for c in range(P.n_contacts):
        last = max(Contact.of(P, c).a, Contact.of(P, c).b)
        if last >= 0:
            island = Island.of(P, of_node[last])
            P[P.contact_list + island.contact_end] = c
            island.contact_end += 1


# --- places of numbers -----------------------------------------------------------------------------------


@compiled
def place_floats(P: Problem) -> int:
    """Vectors, then the blocks of bodies, links and contacts, the matrix, and the store of the factor."""
    n, rows = 0, 0
    for k in range(P.n_bodies):
        body = Body.of(P, k)
        body.width, body.dof = padded(body.rows), n
        n += body.width
    for j in range(P.n_joints):
        Joint.of(P, j).row = rows
        rows += Joint.of(P, j).rows
    P.n_velocities, P.n_rows = n, rows
    P.v, P.v_free, P.dv, P.force, P.defect, P.trial = 0, n, 2 * n, 3 * n, 4 * n, 5 * n
    place = 6 * n
    rows4 = padded(rows)
    P.lam, P.target, P.dlam = place, place + rows4, place + 2 * rows4
    P.row_defect, P.best_lam, P.joint_scale = place + 3 * rows4, place + 4 * rows4, place + 5 * rows4
    P.row_work = place + 6 * rows4
    P.lower, P.upper, P.give = place + 7 * rows4, place + 8 * rows4, place + 9 * rows4
    P.low, P.high = place + 10 * rows4, place + 11 * rows4
    P.dlow, P.dhigh, P.row_lack = place + 12 * rows4, place + 13 * rows4, place + 14 * rows4
    place += 15 * rows4
    for k in range(P.n_bodies):
        body = Body.of(P, k)
        body.M, body.W = place, place + body.rows * body.width
        place += 2 * body.rows * body.width
    for k in range(P.n_links):
        link = JointBlock.of(P, k)
        link.J = place
        place += Joint.of(P, link.joint).rows * Body.of(P, link.body).width
    for k in range(P.n_islands):
        Island.of(P, k).values = place
        place += padded(IslandValues.size)
    place = place_blocks(P, place)
    plan = Plan(at(P, P.plan))
    P.store = place
    P.floats = place + 2 * plan.store + TILE
    return int(P.floats)


@inlined
def place_blocks(P: Problem, first: int) -> int:
    """Places of contacts and of the blocks of the matrix; returns the next one."""
    place = first
    for c in range(P.n_contacts):
        contact = Contact.of(P, c)
        contact.point = place
        place += Point.size
        contact.Ha = place
        place += 3 * Body.of(P, contact.a).width if contact.a >= 0 else 0
        contact.Hb = place
        place += 3 * Body.of(P, contact.b).width if contact.b >= 0 else 0
    P.matrix = place
    for k in range(P.n_bodies):
        body = Body.of(P, k)
        body.K = place
        place += body.rows * body.width
    for p in range(P.n_pairs):
        pair = Pair.of(P, p)
        a, b = Body.of(P, pair.a), Body.of(P, pair.b)
        pair.K, pair.Kt = place, place + a.rows * b.width
        place += a.rows * b.width + b.rows * a.width
    P.n_matrix = place - P.matrix
    return place
