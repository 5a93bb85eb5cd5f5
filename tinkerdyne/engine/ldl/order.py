"""The elimination order of a block-sparse matrix: minimum degree on the quotient graph.

Eliminating node k joins all its neighbours to each other. The quotient graph says so without writing the new
edges: k lives on as an *element*, the set L_k of nodes it joined, and a node knows the elements it belongs to
and the plain neighbours that no element covers. Eliminating k gathers L_k from both, absorbs the elements of
k into it, and drops from every node of L_k what L_k now says. External degrees are exact, counted in rows; a
node of L_k with nothing outside L_k is eliminated together with k (mass elimination).

Nodes marked `last` (constraints that touch hubs alone) wait until all others are gone. Dense nodes, those
with very many neighbours, come at the end of their class without being looked at: they would be scanned in
every elimination, and come there all the same.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import IntRecord, Ints

# A node is dense that has more than DENSE·√n neighbours, and more than DENSE_LEAST.
DENSE, DENSE_LEAST = 10, 16


class Status:
    """What a vertex is: a node still to be eliminated, an element, neither any more, or a dense node."""

    LIVE, ELEMENT, GONE, DENSE = range(4)


class Vertex(IntRecord):
    """A vertex of the quotient graph, with what an elimination looks at first."""

    status: int
    seen: int  # the pivot in whose L_k it was last gathered
    counted: int  # the count of a degree in which it was last counted
    weight: int  # its rows
    elements: int  # where its elements begin in the pool; of an element, its members
    n_elements: int  # how many; of an element, its members
    neighbours: int  # where its plain neighbours begin in the pool, …
    end: int  # … and where they end
    following: int  # vertices of the same degree
    preceding: int
    n_pairs: int


SPARE = 16  # words


@compiled
def fill(p: Ints, n: int, value: int) -> None:
    """Set n words."""
    for k in range(n):
        p[k] = value


@compiled
def order_words(nb: int, npair: int, rows: int) -> int:
    """Words of work that an order wants before any element is made: vertices, buckets for both classes, and
    the pool."""
    return Vertex.size * nb + 2 * (rows + 1) + 2 * npair + nb + SPARE


# --- buckets of equal degree ---------------------------------------------------------------------------


@inlined
def enter(vertices: Vertex, bucket: Ints, d: int, i: int) -> None:
    """Put vertex i at the head of bucket d."""
    vertex = Vertex.of(vertices, i)
    j = bucket[d]
    vertex.following = j
    vertex.preceding = -1 - d  # the head of a bucket remembers which
    if j >= 0:
        Vertex.of(vertices, j).preceding = i
    bucket[d] = i


@inlined
def leave(vertices: Vertex, bucket: Ints, i: int) -> None:
    """Take vertex i out of its bucket."""
    j = Vertex.of(vertices, i).following
    b = Vertex.of(vertices, i).preceding
    if j >= 0:
        Vertex.of(vertices, j).preceding = b
    if b >= 0:
        Vertex.of(vertices, b).following = j
    else:
        bucket[-1 - b] = j


# --- the graph as it is given --------------------------------------------------------------------------


@compiled
def make_vertices(vertices: Vertex, nb: int, size: Ints, npair: int, pair_i: Ints, pair_j: Ints) -> int:
    """Every node is live or dense, with room in the pool for its lists; returns the pool's first free word.

    A node has one place more than neighbours, so that it always finds room for the element that replaces
    what it loses.
    """
    for i in range(nb):
        Vertex.of(vertices, i).n_pairs = 0
    for p in range(npair):
        Vertex.of(vertices, pair_i[p]).n_pairs += 1
        Vertex.of(vertices, pair_j[p]).n_pairs += 1
    top = 0
    for i in range(nb):
        vertex = Vertex.of(vertices, i)
        n = vertex.n_pairs
        vertex.weight = max(size[i], 1)
        vertex.seen = -1
        vertex.counted = -1
        vertex.status = Status.DENSE if n > DENSE_LEAST and n * n > DENSE * DENSE * nb else Status.LIVE
        vertex.elements = top
        vertex.n_elements = 0
        top += n + 1
        vertex.neighbours = top
        vertex.end = top
    return top


@compiled
def join_neighbours(vertices: Vertex, pool: Ints, npair: int, pair_i: Ints, pair_j: Ints) -> None:
    """List the plain neighbours of each live node."""
    for p in range(npair):
        one = Vertex.of(vertices, pair_i[p])
        other = Vertex.of(vertices, pair_j[p])
        if one.status == Status.LIVE and other.status == Status.LIVE:
            one.neighbours -= 1
            pool[one.neighbours] = pair_j[p]
            other.neighbours -= 1
            pool[other.neighbours] = pair_i[p]


@compiled
def count_first_degrees(vertices: Vertex, bucket: Ints, pool: Ints, nb: int, last: Ints, late: int) -> int:
    """Enter each live node by the rows of its neighbours; returns the least degree."""
    fill(bucket, 2 * late, -1)
    least = 2 * late
    for b in range(nb):
        i = nb - 1 - b  # downwards, so that the lowest index heads its bucket
        vertex = Vertex.of(vertices, i)
        if vertex.status == Status.LIVE:
            d = last[i] * late
            for s in range(vertex.neighbours, vertex.end):
                d += Vertex.of(vertices, pool[s]).weight
            enter(vertices, bucket, d, i)
            least = min(least, d)
    return least


# --- one elimination -----------------------------------------------------------------------------------


@inlined
def gather_live(vertices: Vertex, pool: Ints, k: int, begin: int, end: int, top: int) -> int:
    """Add to L_k, which ends at `top`, the live vertices among pool[begin:end]; returns its new end."""
    for s in range(begin, end):
        i = pool[s]
        vertex = Vertex.of(vertices, i)
        if vertex.status == Status.LIVE and vertex.seen != k:
            vertex.seen = k
            pool[top] = i
            top += 1
    return top


@inlined
def gather(vertices: Vertex, pool: Ints, k: int, top: int) -> int:
    """L_k from `top` on: the plain neighbours of k and the members of its elements; returns its end."""
    pivot = Vertex.of(vertices, k)
    pivot.seen = k
    pivot.status = Status.GONE
    top = gather_live(vertices, pool, k, pivot.neighbours, pivot.end, top)
    for s in range(pivot.n_elements):
        element = Vertex.of(vertices, pool[pivot.elements + s])
        element.status = Status.GONE
        members = element.elements
        top = gather_live(vertices, pool, k, members, members + element.n_elements, top)
    return top


@inlined
def prune(vertices: Vertex, pool: Ints, k: int, vertex: Vertex) -> None:
    """Keep of a vertex of L_k what L_k does not say: elements that are left, and neighbours outside L_k."""
    kept = vertex.elements
    for m in range(vertex.elements, vertex.elements + vertex.n_elements):
        e = pool[m]
        if Vertex.of(vertices, e).status == Status.ELEMENT:
            pool[kept] = e
            kept += 1
    vertex.n_elements = kept - vertex.elements
    first = vertex.end
    for m in range(vertex.end - vertex.neighbours):
        j = pool[vertex.end - 1 - m]
        neighbour = Vertex.of(vertices, j)
        if neighbour.status == Status.LIVE and neighbour.seen != k:
            first -= 1
            pool[first] = j
    vertex.neighbours = first


@inlined
def make_element(
    vertices: Vertex,
    bucket: Ints,
    pool: Ints,
    k: int,
    begin: int,
    end: int,
    last: Ints,
    order: Ints,
    count: int,
) -> tuple[int, int, int]:
    """Make k an element of the vertices of L_k = pool[begin:end] that have something outside it; the others
    are eliminated with k.

    Returns the new end of L_k, its weight, and the number of nodes in the order.
    """
    kept = begin
    weight = 0
    for s in range(begin, end):
        i = pool[s]
        vertex = Vertex.of(vertices, i)
        prune(vertices, pool, k, vertex)
        leave(vertices, bucket, i)
        if vertex.n_elements == 0 and vertex.neighbours == vertex.end and last[i] <= last[k]:
            vertex.status = Status.GONE
            order[count] = i
            count += 1
        else:
            pool[vertex.elements + vertex.n_elements] = k
            vertex.n_elements += 1
            pool[kept] = i
            kept += 1
            weight += vertex.weight
    if kept > begin:
        pivot = Vertex.of(vertices, k)
        pivot.status = Status.ELEMENT
        pivot.elements = begin
        pivot.n_elements = kept - begin
    return kept, weight, count


@inlined
def rows_outside(vertices: Vertex, pool: Ints, k: int, vertex: Vertex, turn: int) -> int:
    """Rows outside L_k that a vertex of it is joined to, by its elements other than k, which is the last, and
    by its plain neighbours, each once; members that are gone leave the elements on the way."""
    d = 0
    for m in range(vertex.elements, vertex.elements + vertex.n_elements - 1):
        element = Vertex.of(vertices, pool[m])
        kept = element.elements
        for z in range(element.elements, element.elements + element.n_elements):
            j = pool[z]
            member = Vertex.of(vertices, j)
            if member.status == Status.LIVE:
                pool[kept] = j
                kept += 1
                if member.seen != k and member.counted != turn:
                    member.counted = turn
                    d += member.weight
        element.n_elements = kept - element.elements
    for m in range(vertex.neighbours, vertex.end):
        neighbour = Vertex.of(vertices, pool[m])
        if neighbour.counted != turn:
            neighbour.counted = turn
            d += neighbour.weight
    return d


# --- all eliminations ----------------------------------------------------------------------------------


@compiled
def append_dense(vertices: Vertex, nb: int, last: Ints, is_last: int, order: Ints, count: int) -> int:
    """The dense nodes of one class are next in the order; returns the number of nodes in it."""
    for i in range(nb):
        if Vertex.of(vertices, i).status == Status.DENSE and last[i] == is_last:
            order[count] = i
            count += 1
    return count


@compiled
def minimum_degree(
    nb: int, rows: int, size: Ints, last: Ints, npair: int, pair_i: Ints, pair_j: Ints,
    order: Ints, work: Ints, capacity: int,
) -> int:  # fmt: skip
    """Write the nodes in the order of their elimination; rows = Σ max(size, 1), `last` is 0 or 1.

    −1 when the work space is too small."""
    if capacity < order_words(nb, npair, rows):
        return -1
    late = rows + 1  # the first bucket of `last` nodes
    vertices = Vertex(work)
    bucket = at(work, Vertex.size * nb)
    pool = at(bucket, 2 * late)
    room = capacity - Vertex.size * nb - 2 * late
    top = make_vertices(vertices, nb, size, npair, pair_i, pair_j)
    join_neighbours(vertices, pool, npair, pair_i, pair_j)
    least = count_first_degrees(vertices, bucket, pool, nb, last, late)
    count = 0
    turn = 0  # counts of degrees
    is_released = 0  # whether the dense nodes that are not `last` are in the order
    while True:
        while least < 2 * late and bucket[least] < 0:
            least += 1
        if is_released == 0 and least >= late:
            count = append_dense(vertices, nb, last, 0, order, count)
            is_released = 1
        if least >= 2 * late:
            break
        if top + nb + 1 > room:
            return -1
        k = bucket[least]
        leave(vertices, bucket, k)
        order[count] = k
        begin = top
        top = gather(vertices, pool, k, begin)
        top, weight, count = make_element(vertices, bucket, pool, k, begin, top, last, order, count + 1)
        for s in range(begin, top):
            # The external degree: the others of L_k, and what lies outside of it.
            i = pool[s]
            vertex = Vertex.of(vertices, i)
            turn += 1
            d = weight - vertex.weight + rows_outside(vertices, pool, k, vertex, turn) + last[i] * late
            enter(vertices, bucket, d, i)
            least = min(least, d)
    append_dense(vertices, nb, last, 1, order, count)
    return 0
