"""The plan of a saddle-point matrix whose objects and constraints are all nodes, in an order that needs no
pivoting.

The objects are put in order by minimum degree, as if what shares a constraint were linked. Each constraint
follows the last of its objects: then its pivot is what all of them, eliminated, have left of −J W Jᵀ, and no
longer the zero (or the tiny −ε) that stands in the matrix. A constraint of one row follows its first object
instead, if that has no other one behind it: one object is enough for a pivot, and a row that waits for its
last one is carried along through all that lies between. An object with very many constraints, a hub,
does not count where another one does: constraints that waited for it would all be joined.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.ldl.analyse import begin_plan, plan_in_order
from tinkerdyne.engine.ldl.order import minimum_degree
from tinkerdyne.engine.ldl.plan import Plan
from tinkerdyne.engine.records import Constraint, Index, Jacobian, Object
from tinkerdyne.engine.tangent_records import ObjectPair, Tangent


@entry("IIiIi")
def plan_tangent(I: Index, T: Tangent, capacity: int, work: Ints, work_capacity: int) -> int:
    """Analyse the tangent matrix: the plan goes behind the tables, at T.plan; returns the floats of the
    factor, or −1 where room is missing: then `words` and `work_words` of the plan say what is wanted."""
    plan = Plan(at(T, T.plan))
    nb, nc = T.n_nodes, I.n_constraints
    size = at(T, T.node_sizes)
    begin_plan(nb, size, T.n_pairs, plan)
    lists = 2 * T.n_links + 4 * nb + 4
    plan.work_words += lists
    if work_capacity < plan.work_words or capacity < T.plan + plan.words:
        return -1
    objects, late = work, at(work, nb + 1)
    rows, columns = at(late, nb + 1), at(late, nb + 1 + T.n_links)
    order = at(columns, T.n_links)
    rest = at(work, lists)
    weight = 0
    for k in range(nb - nc):
        late[k] = 0
        weight += max(size[nc + k], 1)
    for k in range(T.n_links):
        link = ObjectPair.of(T, k)
        rows[k] = T[T.object_nodes + link.row] - nc
        columns[k] = T[T.object_nodes + link.column] - nc
    found = minimum_degree(
        nb - nc, weight, at(size, nc), late, T.n_links, rows, columns, objects, rest, work_capacity - lists
    )
    if found < 0:
        plan.work_words = 2 * work_capacity
        return -1
    for k in range(nb - nc):
        objects[k] += nc
    interleave(I, T, objects, nb - nc, order, late, rest)
    return plan_in_order(
        nb, size, T.n_pairs, at(T, T.pair_rows), at(T, T.pair_columns),
        plan, capacity - T.plan, order, rest,
    )  # fmt: skip


# --- rows between the nodes they wait for ------------------------------------------------------------------


@compiled
def interleave(I: Index, T: Tangent, sequence: Ints, n: int, order: Ints, rank: Ints, work: Ints) -> None:
    """Write all nodes in order: those of the sequence, each followed by the constraints that waited for it,
    which are all that it does not contain."""
    nc = I.n_constraints
    heads, following = work, at(work, n + 1)
    for c in range(T.n_nodes):
        rank[c] = -1
    for k in range(n):
        rank[sequence[k]] = k
        heads[k] = -1
    heads[n] = -1
    for c in range(nc - 1, -1, -1):
        if rank[c] < 0:
            k = last_object(I, T, c, rank, n)
            if Constraint.of(I, c).dim == 1 and k < n:
                first = first_object(I, T, c, rank, k)
                if heads[first] < 0:  # two on one object may be parallel
                    k = first
            following[c] = heads[k]
            heads[k] = c
    count = 0
    for k in range(n + 1):
        if k < n:
            order[count] = sequence[k]
            count += 1
        c = heads[k]
        while c >= 0:
            order[count] = c
            count += 1
            c = following[c]


@compiled
def first_object(I: Index, T: Tangent, c: int, rank: Ints, last: int) -> int:
    """The rank of the first object that constraint c has and that is no hub."""
    C = Constraint.of(I, c)
    first = last
    for b in range(C.jacobian, C.jacobian + C.n_jacobians):
        target = Jacobian.of(I, b).object
        if Object.of(I, target).hub < 0:
            first = min(first, rank[T[T.object_nodes + target]])
    return first


@compiled
def last_object(I: Index, T: Tangent, c: int, rank: Ints, none: int) -> int:
    """The rank of the last object that constraint c waits for: hubs count where it has no others."""
    C = Constraint.of(I, c)
    last = -1
    last_hub = -1
    for b in range(C.jacobian, C.jacobian + C.n_jacobians):
        target = Jacobian.of(I, b).object
        k = rank[T[T.object_nodes + target]]
        if Object.of(I, target).hub >= 0:
            last_hub = max(last_hub, k)
        else:
            last = max(last, k)
    if last >= 0:
        return last
    return last_hub if last_hub >= 0 else none
