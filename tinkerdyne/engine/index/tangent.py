"""The index of the tangent matrix, made at first need: free objects and constraints are its nodes.

An *element* is an instance of a block with a matrix over its inputs: a behavior with its damping and
stiffness, or a connector or constraint with its curvature. Its *ends* are the objects that its inputs reach.
Each pair of ends has a share in a block between two objects. Forces on connectors' values, by which
curvature is weighed, *fall* from a block to its inputs.

`find_ways` must have run over the batches: `sources` and the pool of `P`, an index of its own that is
thrown away afterwards, say by which ways blocks depend on objects.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.evaluate import Energies
from tinkerdyne.engine.index.forces import width_of
from tinkerdyne.engine.index.graph import NodeSign
from tinkerdyne.engine.index.room import Source
from tinkerdyne.engine.ldl.factor import INDEFINITE
from tinkerdyne.engine.records import (
    BatchHead,
    BlockOffsets,
    Constraint,
    Family,
    Flag,
    Index,
    InputOffsets,
    Jacobian,
    Object,
    PortEntry,
    Way,
)
from tinkerdyne.engine.tangent_records import (
    BlockShare,
    ElementBatch,
    ElementHead,
    ElementOffsets,
    End,
    Fall,
    FieldShare,
    Load,
    ObjectPair,
    Shared,
    Tangent,
)
from tinkerdyne.language.tangent import STRIDE

FEW = 8  # objects of one constraint that are all linked for the order; of more, each to the next


@inlined
def is_free(P: Index, target: int) -> int:
    """Whether an object may move."""
    return 1 if Object.of(P, target).flags & Flag.FIXED == 0 else 0


@compiled
def count_ends(P: Index, source: Source) -> int:
    """Free objects that an input reaches."""
    if source.family == Family.OBJECT:
        return is_free(P, source.object)
    n = 0
    for a in range(source.n_ways):
        n += is_free(P, Way.of(P, source.first_way + a).object)
    return n


# --- how much room it takes --------------------------------------------------------------------------------


@entry("IiIIII")
def measure_tangent(
    model: Ints, nbatch: int, P: Index, sources: Source, heads: ElementHead, T: Tangent
) -> int:
    """Count into T what there may be at most of everything that is listed on the way."""
    T.n_offsets = 0
    T.n_ends = 0
    T.n_shares = 0
    T.n_falls = 0
    T.n_loads = 0
    T.n_links = 0
    T.n_field_shares = 0
    where = 0
    for b in range(nbatch):
        D = BatchHead(at(model, where))
        if D.family == Family.FIELD:
            T.n_field_shares += D.n
        elif D.family != Family.OBJECT:
            measure_batch(D, P, sources, ElementHead.of(heads, b), T)
        where += D.length
    return 0


@compiled
def measure_batch(D: BatchHead, P: Index, sources: Source, head: ElementHead, T: Tangent) -> None:
    """Count one batch of behaviors, connectors or constraints."""
    ports = D.ports
    inputs = at(D, BatchHead.size + PortEntry.size * ports + D.n)
    if D.family == Family.BEHAVIOR:
        T.n_loads += D.n * ports
    else:
        T.n_falls += D.n * ports
    if head.kernel != 0:
        T.n_offsets += D.n * (STRIDE + 2 * ports)
    for i in range(D.n):
        n = 0
        for j in range(ports):
            n += count_ends(P, Source.of(sources, inputs[i * ports + j]))
        if head.kernel != 0:
            T.n_ends += n
            T.n_shares += n * (n + 1) // 2
            T.n_links += n * (n - 1) // 2
        if D.family == Family.CONSTRAINT:
            T.n_links += n * (n - 1) // 2 if n <= FEW else n


# --- filling the tables ------------------------------------------------------------------------------------


@inlined
def take(T: Tangent, n: int) -> int:
    """The first of n free numbers of S, which are taken."""
    first: int = T.next_float
    T.next_float = first + n
    return first


@entry("IIiIIII")
def index_tangent(
    I: Index, model: Ints, nbatch: int, P: Index, sources: Source, heads: ElementHead, T: Tangent
) -> int:
    """Fill the tables of T, which are laid out; returns the first number of S behind its own."""
    reset(T)
    T.next_float = T.first_float
    add_nodes(I, T)
    add_blocks_of_J(I, T)
    widest = place_adjoints(model, nbatch, P, T)
    list_elements(model, nbatch, P, sources, heads, T, Family.BEHAVIOR)
    T.n_batches = T.n_bent_batches
    T.n_bent_batches = 0
    T.n_shares = T.n_bent_shares
    T.n_bent_shares = 0
    list_elements(model, nbatch, P, sources, heads, T, Family.CONNECTOR)
    list_fields(model, nbatch, P, sources, T)
    link_constraints(I, T)
    pair_links(T)
    T.work = take(T, widest)
    T.scale = take(T, T.n_rows)
    T.vector = take(T, 2 * T.n_rows)
    T.weights = take(T, I.n_objects)
    return int(T.next_float)


@inlined
def reset(T: Tangent) -> None:
    """Nothing is listed yet."""
    T.n_batches = 0
    T.n_bent_batches = 0
    T.n_offsets = 0
    T.n_ends = 0
    T.n_shares = 0
    T.n_bent_shares = 0
    T.n_field_shares = 0
    T.n_loads = 0
    T.n_falls = 0
    T.n_links = 0
    T.n_pairs = 0
    T.n_rows = 0


@compiled
def add_nodes(I: Index, T: Tangent) -> None:
    """A node for each constraint, in the order of rows, then for each free object."""
    n = 0
    for c in range(I.n_constraints):
        add_node(T, n, Constraint.of(I, c).dim, INDEFINITE * NodeSign.CONSTRAINT)
        n += 1
    for o in range(I.n_objects):
        T[T.object_links + o] = -1
        T[T.object_nodes + o] = -1
        if is_free(I, o) != 0:
            T[T.object_nodes + o] = n
            add_node(T, n, Object.of(I, o).nv, INDEFINITE * NodeSign.HUB)
            n += 1
    T.n_nodes = n


@inlined
def add_node(T: Tangent, node: int, rows: int, sign: int) -> None:
    """One more node, with its diagonal block."""
    T[T.node_sizes + node] = rows
    T[T.node_signs + node] = sign
    T[T.node_diagonals + node] = take(T, rows * rows)
    T.n_rows += rows


@inlined
def add_pair(T: Tangent, row: int, column: int, place: int) -> None:
    """One more block beside the diagonal."""
    p = T.n_pairs
    T.n_pairs = p + 1
    T[T.pair_rows + p] = row
    T[T.pair_columns + p] = column
    T[T.pair_places + p] = place


@compiled
def add_blocks_of_J(I: Index, T: Tangent) -> None:
    """A pair for each block of J, which is copied into it; they are in the same order."""
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        place = take(T, block.dim * block.nv)
        add_pair(T, block.constraint, T[T.object_nodes + block.object], place)
    T.n_copies = T.n_pairs


@compiled
def place_adjoints(model: Ints, nbatch: int, P: Index, T: Tangent) -> int:
    """Room for the force on the value of each connector and constraint: its place stands where the scratch
    index had the record. Returns the size of the largest work matrix."""
    T.adjoint = T.next_float
    constraint = 0
    widest = 1
    highest = 1
    where = 0
    for _ in range(nbatch):
        D = BatchHead(at(model, where))
        if D.family == Family.OBJECT:
            widest = max(widest, D.nv)
        else:
            for j in range(D.ports):
                highest = max(highest, width_of(PortEntry(at(D, BatchHead.size + PortEntry.size * j))))
        if D.family == Family.CONNECTOR or D.family == Family.CONSTRAINT:
            uids = at(D, BatchHead.size + PortEntry.size * D.ports)
            for i in range(D.n):
                place = take(T, D.dim)
                P[P.by_uid + uids[i]] = place
                if D.family == Family.CONSTRAINT:
                    T[T.adjoints + constraint] = place
                    constraint += 1
        where += D.length
    T.n_adjoint = T.next_float - T.adjoint
    return widest * highest


# --- elements and their shares -----------------------------------------------------------------------------


@compiled
def list_elements(
    model: Ints, nbatch: int, P: Index, sources: Source, heads: ElementHead, T: Tangent, family: int
) -> None:
    """The elements of behaviors, or of connectors and constraints."""
    where = 0
    for b in range(nbatch):
        D = BatchHead(at(model, where))
        is_bent = D.family == Family.CONNECTOR or D.family == Family.CONSTRAINT
        if (family == Family.BEHAVIOR and D.family == family) or (family != Family.BEHAVIOR and is_bent):
            list_batch(D, P, sources, ElementHead.of(heads, b), heads, T)
        where += D.length


@compiled
def list_batch(
    D: BatchHead, P: Index, sources: Source, head: ElementHead, heads: ElementHead, T: Tangent
) -> None:
    """One batch: the tables of its kernel, where it has one, and what falls through it."""
    ports = D.ports
    uids = at(D, BatchHead.size + PortEntry.size * ports)
    inputs = at(uids, D.n)
    width = 0
    for j in range(ports):
        width += width_of(PortEntry(at(D, BatchHead.size + PortEntry.size * j)))
    if head.kernel != 0:
        batch = ElementBatch.of(T, T.n_batches + T.n_bent_batches)
        T.n_bent_batches += 1
        batch.n = D.n
        batch.kernel = head.kernel
        batch.offsets = T.offsets + T.n_offsets
    for i in range(D.n):
        mine = at(inputs, i * ports)
        record = Source.of(sources, uids[i]).record
        list_falls(D, P, sources, mine, record, P[P.by_uid + uids[i]], T)
        if head.kernel != 0:
            matrix = take(T, width * width)
            fill_offsets(D, P, sources, mine, i, uids[i], matrix, T)
            list_shares(D, P, sources, mine, matrix, width, at(heads, head.joins), T)


@inlined
def list_falls(
    D: BatchHead, P: Index, sources: Source, inputs: Ints, record: int, adjoint: int, T: Tangent
) -> None:
    """The forces of a behavior on connectors, or of a connector or constraint on those it stands on."""
    for j in range(D.ports):
        port = PortEntry(at(D, BatchHead.size + PortEntry.size * j))
        if Source.of(sources, inputs[j]).family == Family.OBJECT:
            continue
        target = P[P.by_uid + inputs[j]]
        if D.family == Family.BEHAVIOR:
            load = Load.of(T, T.n_loads)
            T.n_loads += 1
            load.target = target
            load.source = record + port.place
            load.count = port.dim
        else:
            fall = Fall.of(T, T.n_falls)
            T.n_falls += 1
            fall.target = target
            fall.source = adjoint
            fall.rows = D.dim
            fall.columns = port.dim
            fall.Df = record + port.place
            fall.sign = port.sign


@inlined
def fill_offsets(
    D: BatchHead, P: Index, sources: Source, inputs: Ints, i: int, uid: int, matrix: int, T: Tangent
) -> None:
    """Where the kernel finds instance i: as other kernels do, and then its own two places."""
    ports = D.ports
    t = BlockOffsets(at(T, T.offsets + T.n_offsets))
    T.n_offsets += STRIDE + 2 * ports
    t.parameters = D.parameters + i * D.np
    t.record = Source.of(sources, uid).record
    for j in range(ports):
        source = Source.of(sources, inputs[j])
        place = InputOffsets(at(t, BlockOffsets.size + InputOffsets.size * j))
        place.value = source.record
        if source.family == Family.OBJECT:
            place.velocity = Object.of(P, source.object).v
        else:
            place.velocity = source.record + PortEntry(at(D, BatchHead.size + PortEntry.size * j)).dim
    own = ElementOffsets(at(t, BlockOffsets.size + InputOffsets.size * ports))
    own.adjoint = P[P.by_uid + uid]
    own.matrix = matrix


@compiled
def list_shares(
    D: BatchHead, P: Index, sources: Source, inputs: Ints, matrix: int, width: int, joins: Ints, T: Tangent
) -> None:
    """The ends of an element, and what it adds between each two of them that it joins."""
    first = T.n_ends
    row = 0
    for j in range(D.ports):
        rows = width_of(PortEntry(at(D, BatchHead.size + PortEntry.size * j)))
        source = Source.of(sources, inputs[j])
        if source.family == Family.OBJECT:
            add_end(P, T, source.object, row, rows, -1, j)
        else:
            for a in range(source.n_ways):
                way = Way.of(P, source.first_way + a)
                add_end(P, T, way.object, row, rows, way.block, j)
        row += rows
    for e in range(first, T.n_ends):
        for d in range(first, e + 1):
            if joins[End.of(T, e).input * D.ports + End.of(T, d).input] != 0:
                add_share(T, matrix, width, e, d)


@inlined
def add_end(P: Index, T: Tangent, target: int, row: int, rows: int, J: int, j: int) -> None:
    """An input of an element reaches an object; one that is fixed does not count."""
    if is_free(P, target) != 0:
        end = End.of(T, T.n_ends)
        T.n_ends += 1
        end.object = target
        end.first = row
        end.rows = rows
        end.J = J
        end.nv = Object.of(P, target).nv
        end.input = j


@inlined
def add_share(T: Tangent, matrix: int, width: int, e: int, d: int) -> None:
    """What the matrix of an element adds between two of its ends."""
    share = BlockShare.of(T, T.n_shares + T.n_bent_shares)
    T.n_bent_shares += 1
    share.source = matrix
    share.width = width
    share.row = e
    share.column = d
    one = T[T.object_nodes + End.of(T, e).object]
    other = T[T.object_nodes + End.of(T, d).object]
    if one == other:
        share.kind = Shared.OWN if e == d else Shared.BOTH
        share.target = T[T.node_diagonals + one]
    else:
        share.kind = Shared.PAIR if one > other else Shared.TURNED
        link = ObjectPair.of(T, find_link(T, End.of(T, e).object, End.of(T, d).object))
        if link.place < 0:
            link.place = take(T, End.of(T, e).nv * End.of(T, d).nv)
        share.target = link.place


@compiled
def find_link(T: Tangent, one: int, other: int) -> int:
    """The link of two objects; made where it is new, without a place."""
    late = max(one, other)
    early = min(one, other)
    k = T[T.object_links + late]
    while k >= 0 and ObjectPair.of(T, k).column != early:
        k = ObjectPair.of(T, k).following
    if k < 0:
        k = T.n_links
        T.n_links = k + 1
        link = ObjectPair.of(T, k)
        link.row = late
        link.column = early
        link.place = -1
        link.following = T[T.object_links + late]
        T[T.object_links + late] = k
    return k


@compiled
def list_fields(model: Ints, nbatch: int, P: Index, sources: Source, T: Tangent) -> None:
    """The square blocks of fields on free objects."""
    where = 0
    for _ in range(nbatch):
        D = BatchHead(at(model, where))
        if D.family == Family.FIELD:
            objects = at(D, BatchHead.size + PortEntry.size * D.ports)
            for i in range(D.n):
                target = Source.of(sources, objects[i]).object
                if is_free(P, target) != 0:
                    share = FieldShare.of(T, T.n_field_shares)
                    T.n_field_shares += 1
                    share.target = T[T.node_diagonals + T[T.object_nodes + target]]
                    share.nv = Object.of(P, target).nv
                    share.source = D.records + i * D.record + Energies.size + share.nv
        where += D.length


# --- what the order of elimination wants to know -----------------------------------------------------------


@compiled
def link_constraints(I: Index, T: Tangent) -> None:
    """Objects that a constraint joins are linked, though without a block."""
    for c in range(I.n_constraints):
        C = Constraint.of(I, c)
        for a in range(C.n_jacobians):
            one = Jacobian.of(I, C.jacobian + a).object
            for b in range(0 if C.n_jacobians <= FEW else max(0, a - 1), a):
                find_link(T, one, Jacobian.of(I, C.jacobian + b).object)


@compiled
def pair_links(T: Tangent) -> None:
    """A pair for each link with a block."""
    for k in range(T.n_links):
        link = ObjectPair.of(T, k)
        if link.place >= 0:
            add_pair(T, T[T.object_nodes + link.row], T[T.object_nodes + link.column], link.place)
