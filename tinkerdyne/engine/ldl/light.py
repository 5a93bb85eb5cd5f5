"""The light plan of a tangent matrix: few objects are stiff, and the blocks between all others are left out.

Stiffness and damping times the step are small beside the masses nearly everywhere: even where constraints are
taut, only what is taut itself is stiff (engine.light says which objects are). What is left out makes Newton's
matrix a little wrong, never its residual. Objects without such blocks are eliminated first, each for itself,
which leaves −J W Jᵀ between their constraints: rows of a few numbers in place of three times as many
unknowns that are all joined. Then come constraints and stiff objects by minimum degree; constraints that have
only stiff objects are put between these as in the whole plan (engine.ldl.interleave).
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.ldl.analyse import begin_plan, plan_in_order, work_bound
from tinkerdyne.engine.ldl.interleave import interleave
from tinkerdyne.engine.ldl.order import fill, minimum_degree
from tinkerdyne.engine.ldl.plan import Plan
from tinkerdyne.engine.records import Constraint, Index, Jacobian, Object
from tinkerdyne.engine.tangent_records import ObjectPair, Tangent

LISTS = 4  # of nodes: ranks, classes, those in order, and the order


@entry("I")
def light_work(T: Tangent) -> int:
    """Words of work that the analysis wants."""
    pairs = T.n_links + T.n_copies
    return 2 * pairs + LISTS * (T.n_nodes + 1) + work_bound(T.n_nodes, pairs, T.n_rows + T.n_nodes)


@compiled
def plan_light(I: Index, T: Tangent) -> int:
    """Write the light plan for the objects that are stiff; returns whether there was room."""
    nb, size = T.n_nodes, at(T, T.node_sizes)
    pairs = T.n_links + T.n_copies
    rank, work = at(T, T.ordering), at(T, T.ordering)
    late, sequence, order = at(work, nb + 1), at(work, 2 * (nb + 1)), at(work, 3 * (nb + 1))
    rows = at(work, LISTS * (nb + 1))
    columns = at(rows, pairs)
    rest = at(columns, pairs)
    room = T.ordering_words - LISTS * (nb + 1) - 2 * pairs
    plan = Plan(at(T, T.light_plan))
    list_light_pairs(T)
    weight = begin_plan(nb, size, T.n_light, plan)
    if T.light_words < plan.words:
        return 0
    n = join_light(I, T, late, rank, rows, columns)
    if minimum_degree(nb, weight, size, late, n, rows, columns, sequence, rest, room) < 0:
        return 0
    n = 0
    for k in range(nb):
        if rank[sequence[k]] == 0:
            sequence[n] = sequence[k]
            n += 1
    interleave(I, T, sequence, n, order, rank, rest)
    floats = plan_in_order(
        nb, size, T.n_light, at(T, T.light_rows), at(T, T.light_columns), plan, T.light_words, order, rest
    )
    return 1 if 0 <= floats <= T.store_words else 0


@compiled
def list_light_pairs(T: Tangent) -> None:
    """The blocks of the light plan: all of J, and those between stiff objects."""
    rows, columns, places = at(T, T.light_rows), at(T, T.light_columns), at(T, T.light_places)
    n = T.n_copies
    for p in range(n):
        rows[p], columns[p], places[p] = T[T.pair_rows + p], T[T.pair_columns + p], T[T.pair_places + p]
    for k in range(T.n_links):
        link = ObjectPair.of(T, k)
        if link.place >= 0 and T[T.stiff + link.row] != 0 and T[T.stiff + link.column] != 0:
            rows[n], columns[n] = T[T.object_nodes + link.row], T[T.object_nodes + link.column]
            places[n] = link.place
            n += 1
    T.n_light = n


@compiled
def is_easy(I: Index, T: Tangent, target: int) -> int:
    """Whether an object is eliminated by itself."""
    return 1 if T[T.stiff + target] == 0 and Object.of(I, target).hub < 0 else 0


@compiled
def join_light(I: Index, T: Tangent, late: Ints, waits: Ints, rows: Ints, columns: Ints) -> int:
    """The graph to be ordered; returns its pairs. Objects that are eliminated by themselves are not `late`;
    constraints without one wait for the order, and stand alone."""
    fill(late, T.n_nodes, 0)
    fill(waits, T.n_nodes, 0)
    n = 0
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for b in range(C.jacobian, C.jacobian + C.n_jacobians):
            if is_easy(I, T, Jacobian.of(I, b).object) != 0:
                late[c] = 1
        waits[c] = 1 - late[c]
    for o in range(I.n_objects):
        if T[T.object_nodes + o] >= 0:
            late[T[T.object_nodes + o]] = 1 - is_easy(I, T, o)
    for p in range(T.n_copies):
        if waits[T[T.pair_rows + p]] == 0:
            rows[n], columns[n] = T[T.pair_rows + p], T[T.pair_columns + p]
            n += 1
    for k in range(T.n_links):
        link = ObjectPair.of(T, k)
        if is_easy(I, T, link.row) == 0 and is_easy(I, T, link.column) == 0:
            rows[n], columns[n] = T[T.object_nodes + link.row], T[T.object_nodes + link.column]
            n += 1
    return n
