"""The graph of the KKT matrix: its nodes (constraints and hubs), pairs, and contributions J W Jᵀ, from the
blocks of J."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.engine.records import HUB_DEGREE, Constraint, Contribution, HubCopy, Index, Jacobian, Object


@compiled
def graph(I: Index, capacity: int, top: int, s: int) -> int:
    """Nodes, pairs and contributions of the KKT matrix, from the Jacobian blocks."""
    NO = I.n_objects
    NC = I.n_constraints
    nblk = I.n_jacobians
    blk = I.jacobians
    # incidences of each object, in order of constraints
    inc_at = top
    if top + nblk + 2 * NC + 64 > capacity:
        I.ints_wanted = 2 * capacity
        return -1
    nhub = 0
    fill = 0
    for o in range(NO):
        T = Object.of(I, o)
        T.incidence = fill
        fill += T.n_incidences
        if T.n_incidences > HUB_DEGREE:
            T.hub = NC + nhub
            nhub += 1
        T.n_incidences = 0
    for b in range(nblk):
        T = Object.of(I, Jacobian(at(I, blk + b * Jacobian.size)).object)
        I[inc_at + T.incidence + T.n_incidences] = b
        T.n_incidences += 1
    top = inc_at + nblk
    nnode = NC + nhub
    I.n_nodes = nnode
    I.n_hubs = nhub
    # bounds of pairs and contributions
    most = 0
    for o in range(NO):
        T = Object.of(I, o)
        if T.hub < 0:
            most += T.n_incidences * (T.n_incidences + 1) // 2
        else:
            most += T.n_incidences
    want = top + 4 * nnode + 4 * most + most * Contribution.size + HubCopy.size * nblk + nnode + 64
    if want > capacity:
        I.ints_wanted = want + want // 2
        return -1
    I.node_sizes = top
    top += nnode
    I.node_last = top
    top += nnode
    I.node_signs = top
    top += nnode
    I.node_diagonals = top
    top += nnode
    I.pair_rows = top
    top += most
    I.pair_columns = top
    top += most
    I.pair_places = top
    top += most
    I.contributions = top
    top += most * Contribution.size
    I.hub_copies = top
    top += HubCopy.size * nblk
    I.ints_used = top
    head = top  # scratch: heads and links of each constraint's list of pairs
    link = top + nnode
    I.matrix = s
    rows = 0
    for c in range(NC):
        C = Constraint.of(I, c)
        I[I.node_sizes + c] = C.dim
        I[I.node_signs + c] = -1
        I[I.node_last + c] = 1 if nhub > 0 else 0
        I[I.node_diagonals + c] = s
        s += C.dim * C.dim
        I[head + c] = -1
        rows += C.dim
    npair = 0
    ncontrib = 0
    ncopy = 0
    for o in range(NO):
        T = Object.of(I, o)
        hub = T.hub
        if hub >= 0:
            I[I.node_sizes + hub] = T.nv
            I[I.node_signs + hub] = 1
            I[I.node_last + hub] = 0
            I[I.node_diagonals + hub] = s
            s += T.nv * T.nv
            rows += T.nv
        for a in range(T.n_incidences):
            A = Jacobian(at(I, blk + I[inc_at + T.incidence + a] * Jacobian.size))
            ca = A.constraint
            if hub >= 0:
                I[I.pair_rows + npair] = ca
                I[I.pair_columns + npair] = hub
                I[I.pair_places + npair] = s
                copied = HubCopy.of(I, ncopy)
                copied.target = s
                copied.source = A.J
                copied.count = A.dim * A.nv
                ncopy += 1
                npair += 1
                s += A.dim * A.nv
            else:
                I[I.node_last + ca] = 0
                share = Contribution.of(I, ncontrib)
                ncontrib += 1
                share.target = I[I.node_diagonals + ca]
                share.J = A.J
                share.G = A.G
                share.d1 = A.dim
                share.d2 = A.dim
                share.nv = A.nv
                share.is_diagonal = 1
                for b in range(a):
                    B = Jacobian(at(I, blk + I[inc_at + T.incidence + b] * Jacobian.size))
                    cb = B.constraint  # cb < ca
                    p = I[head + ca]
                    while p >= 0 and I[I.pair_columns + p] != cb:
                        p = I[link + p]
                    if p < 0:
                        p = npair
                        npair += 1
                        I[I.pair_rows + p] = ca
                        I[I.pair_columns + p] = cb
                        I[I.pair_places + p] = s
                        s += A.dim * B.dim
                        I[link + p] = I[head + ca]
                        I[head + ca] = p
                    share = Contribution.of(I, ncontrib)
                    ncontrib += 1
                    share.target = I[I.pair_places + p]
                    share.J = A.J
                    share.G = B.G
                    share.d1 = A.dim
                    share.d2 = B.dim
                    share.nv = A.nv
                    share.is_diagonal = 0
    I.n_pairs = npair
    I.n_contributions = ncontrib
    I.n_hub_copies = ncopy
    I.n_matrix = s - I.matrix
    I.n_node_rows = rows
    I.scale = s
    s += rows
    I.node_vector = s
    s += 3 * rows
    # damping blocks of the objects
    I.damping_blocks = s
    for o in range(NO):
        T = Object.of(I, o)
        T.damping = s
        s += T.nv * T.nv
    I.floats_used = s
    return s
