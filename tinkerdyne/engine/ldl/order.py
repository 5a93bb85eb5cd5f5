"""The elimination order of a block-sparse matrix: minimum degree on the quotient graph.

Eliminating node k joins all its neighbours to each other. The quotient graph says so without writing the new
edges: k lives on as an *element*, the set L_k of nodes it joined, and a node knows the elements it belongs to
and the plain neighbours that no element covers. Eliminating k gathers L_k from both, dissolves the elements
of k into it, and drops from every node of L_k what L_k now says. Degrees are exact, counted in rows; a node
of L_k with nothing outside L_k is eliminated together with k.

Nodes marked `last` (constraints that touch hubs alone) wait until all others are gone. Nodes with very many
neighbours come at the end of their class without being looked at: they would be scanned in every elimination,
and come there all the same.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.compiler.records import Ints

CROWD = 10  # a node with more than CROWD·√n neighbours (and more than 16) is put at the end of its class

LIVE, ELEMENT, GONE, CROWDED = 0, 1, 2, 3


@compiled
def fill(p: Ints, n: int, value: int) -> None:
    """Set n words."""
    for k in range(n):
        p[k] = value


@compiled
def order_words(nb: int, npair: int, rows: int) -> int:
    """Words of work that an order wants before any element is made."""
    return 11 * nb + 2 * (rows + 1) + 2 * npair + nb + 16


@compiled
def enter(bucket: Ints, following: Ints, preceding: Ints, d: int, i: int) -> None:
    """Put node i at the head of bucket d."""
    j = bucket[d]
    following[i] = j
    preceding[i] = -1 - d  # the head of a bucket remembers which
    if j >= 0:
        preceding[j] = i
    bucket[d] = i


@compiled
def leave(bucket: Ints, following: Ints, preceding: Ints, i: int) -> None:
    """Take node i out of its bucket."""
    j = following[i]
    b = preceding[i]
    if j >= 0:
        preceding[j] = b
    if b >= 0:
        following[b] = j
    else:
        bucket[-1 - b] = j


@compiled
def minimum_degree(
    nb: int, rows: int, size: Ints, last: Ints, npair: int, pair_i: Ints, pair_j: Ints,
    order: Ints, work: Ints, capacity: int,
) -> int:  # fmt: skip
    """Write the nodes in the order of their elimination; rows = Σ max(size, 1).

    −1 when the work space is too small."""
    if capacity < order_words(nb, npair, rows):
        return -1
    status = work
    elements = at(work, nb)  # where the elements of a node begin in the pool; of an element, its members
    n_elements = at(work, 2 * nb)  # how many; of an element, its members
    plain = at(work, 3 * nb)  # where the plain neighbours of a node begin; they end at `stop`
    stop = at(work, 4 * nb)
    seen = at(work, 5 * nb)  # the elimination in which a node was last gathered
    counted = at(work, 6 * nb)  # the count in which a node was last counted
    following = at(work, 7 * nb)
    preceding = at(work, 8 * nb)
    weight = at(work, 9 * nb)
    reach = at(work, 10 * nb)  # number of pairs, then free for use
    bucket = at(work, 11 * nb)  # by degree; the second half for `last` nodes
    pool = at(work, 11 * nb + 2 * (rows + 1))
    room = capacity - 11 * nb - 2 * (rows + 1)
    late = rows + 1

    fill(reach, nb, 0)
    for p in range(npair):
        reach[pair_i[p]] += 1
        reach[pair_j[p]] += 1
    for i in range(nb):
        weight[i] = max(size[i], 1)
        seen[i] = -1
        counted[i] = -1
        status[i] = LIVE
        if reach[i] > 16 and reach[i] * reach[i] > CROWD * CROWD * nb:
            status[i] = CROWDED
    top = 0
    for i in range(nb):
        # One place more than neighbours: a node always finds room for the element that replaces what it
        # loses.
        elements[i] = top
        n_elements[i] = 0
        top += reach[i] + 1
        plain[i] = top
        stop[i] = top
    for p in range(npair):
        i = pair_i[p]
        j = pair_j[p]
        if status[i] == LIVE and status[j] == LIVE:
            plain[i] -= 1
            pool[plain[i]] = j
            plain[j] -= 1
            pool[plain[j]] = i
    fill(bucket, 2 * late, -1)
    least = 2 * late
    for b in range(nb):
        i = nb - 1 - b  # downwards, so that the lowest index heads its bucket
        if status[i] == LIVE:
            d = last[i] * late
            for s in range(plain[i], stop[i]):
                d += weight[pool[s]]
            enter(bucket, following, preceding, d, i)
            least = min(least, d)

    count = 0
    turn = 0
    released = 0
    while True:
        while least < 2 * late and bucket[least] < 0:
            least += 1
        if released == 0 and least >= late:
            for i in range(nb):
                if status[i] == CROWDED and last[i] == 0:
                    order[count] = i
                    count += 1
            released = 1
        if least >= 2 * late:
            break
        k = bucket[least]
        leave(bucket, following, preceding, k)
        order[count] = k
        count += 1

        # L_k: the plain neighbours of k and the members of its elements
        begin = top
        mass = 0
        seen[k] = k
        status[k] = GONE
        if top + nb + 1 > room:
            return -1
        for s in range(plain[k], stop[k]):
            i = pool[s]
            if status[i] == LIVE and seen[i] != k:
                seen[i] = k
                pool[top] = i
                top += 1
                mass += weight[i]
        for s in range(n_elements[k]):
            e = pool[elements[k] + s]
            status[e] = GONE
            for m in range(elements[e], elements[e] + n_elements[e]):
                i = pool[m]
                if status[i] == LIVE and seen[i] != k:
                    seen[i] = k
                    pool[top] = i
                    top += 1
                    mass += weight[i]

        # what is left to say about each of its nodes outside L_k
        end = top
        for s in range(begin, end):
            i = pool[s]
            kept = elements[i]
            for m in range(elements[i], elements[i] + n_elements[i]):
                e = pool[m]
                if status[e] == ELEMENT:
                    pool[kept] = e
                    kept += 1
            first = stop[i]
            for m in range(stop[i] - plain[i]):
                j = pool[stop[i] - 1 - m]
                if status[j] == LIVE and seen[j] != k:
                    first -= 1
                    pool[first] = j
            plain[i] = first
            n_elements[i] = kept - elements[i]
            leave(bucket, following, preceding, i)
            if n_elements[i] == 0 and first == stop[i] and last[i] <= last[k]:
                reach[i] = 1  # it goes with k
                mass -= weight[i]
            else:
                reach[i] = 0
        top = begin
        for s in range(begin, end):
            i = pool[s]
            if reach[i] == 1:
                status[i] = GONE
                order[count] = i
                count += 1
            else:
                pool[elements[i] + n_elements[i]] = k
                n_elements[i] += 1
                pool[top] = i
                top += 1
        if top == begin:
            continue
        status[k] = ELEMENT
        elements[k] = begin
        n_elements[k] = top - begin

        # exact degrees: L_k, and what the other elements and plain neighbours add to it
        for s in range(begin, top):
            i = pool[s]
            turn += 1
            d = mass - weight[i]
            for m in range(elements[i], elements[i] + n_elements[i] - 1):
                e = pool[m]
                kept = elements[e]
                for z in range(elements[e], elements[e] + n_elements[e]):
                    j = pool[z]
                    if status[j] == LIVE:
                        pool[kept] = j
                        kept += 1
                        if seen[j] != k and counted[j] != turn:
                            counted[j] = turn
                            d += weight[j]
                n_elements[e] = kept - elements[e]
            for m in range(plain[i], stop[i]):
                j = pool[m]
                if counted[j] != turn:
                    counted[j] = turn
                    d += weight[j]
            d += last[i] * late
            enter(bucket, following, preceding, d, i)
            least = min(least, d)
    for i in range(nb):
        if status[i] == CROWDED and last[i] != 0:
            order[count] = i
            count += 1
    return 0
