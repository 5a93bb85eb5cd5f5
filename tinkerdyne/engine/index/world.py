"""The index: from batches of instances to slices, offset tables and the sparse blocks of J (E6).

Runs compiled, in one pass over the batches, each time the structure of a world changes; parameters never come
here. What is counted, and where the next table or number goes, stands in the header of I.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Ints
from tinkerdyne.engine.conjugate_gradient import VECTORS as CG_VECTORS
from tinkerdyne.engine.index.blocks import index_blocks, index_jacobians
from tinkerdyne.engine.index.forces import index_forces
from tinkerdyne.engine.index.graph import index_graph
from tinkerdyne.engine.index.objects import index_objects
from tinkerdyne.engine.index.room import SPARE, Source, take_floats, take_words
from tinkerdyne.engine.records import (
    POS_VECTORS,
    ROW_VECTORS,
    SCALARS,
    STAGES,
    VEL_VECTORS,
    BatchHead,
    BehaviorKernels,
    BlockKernels,
    BlockOffsets,
    Composition,
    Constraint,
    Coupling,
    Damping,
    Family,
    FieldOffsets,
    Flag,
    Index,
    InputOffsets,
    Object,
    ObjectKernels,
    ObjectOffsets,
    Pull,
)

FIRST_GUESS = 4096  # words for what grows, where nothing is known of it yet
GROWING = 5  # tables that grow on the way: compositions, pulls, dampings, couplings and the pool of ways


@entry("IiIiIi")
def index_world(model: Ints, nbatch: int, I: Index, capacity: int, sources: Source, nuid: int) -> int:
    """Fill I from the batches; returns the floats wanted, or −1 when I is too small (I.ints_wanted says what
    is wanted).

    `sources` is work space, a row a uid.
    """
    if find_ways(model, nbatch, I, capacity, sources, nuid) == 0:
        return -1
    close_gaps(I)
    if index_jacobians(I) == 0:
        return -1
    return index_graph(I)


@entry("IiIiIi")
def find_ways(model: Ints, nbatch: int, I: Index, capacity: int, sources: Source, nuid: int) -> int:
    """Places of all rows, and the ways by which blocks depend on objects, which `sources` and the pool hold;
    0 when I is too small."""
    I.capacity = capacity
    offsets = count(model, nbatch, I)
    reset(I)
    if lay_out_tables(I, nbatch, nuid, offsets) == 0:
        return 0
    lay_out_vectors(I)
    index_objects(model, nbatch, I, sources)
    share_out(I)
    return index_batches(model, nbatch, I, sources)


@compiled
def count(model: Ints, nbatch: int, I: Index) -> int:
    """Sizes of the vectors; returns the length of all offset tables."""
    I.nq = 0
    I.nv = 0
    I.nr = 0
    I.n_objects = 0
    I.n_constraints = 0
    I.n_lifts = 0
    offsets = 0
    where = 0
    for _ in range(nbatch):
        D = BatchHead(at(model, where))
        n = D.n
        if D.family == Family.OBJECT:
            I.nq += n * D.nq
            I.nv += n * D.nv
            I.n_objects += n
            if D.flags & Flag.LINEAR == 0:
                I.n_lifts += n * D.dim
            offsets += n * ObjectOffsets.size
        else:
            if D.family == Family.CONSTRAINT:
                I.nr += n * D.dim
                I.n_constraints += n
            inputs = BlockOffsets.size + InputOffsets.size * D.ports
            offsets += n * (FieldOffsets.size if D.family == Family.FIELD else inputs)
        where += D.length
    return offsets


@inlined
def reset(I: Index) -> None:
    """Set everything else that is counted on the way to zero."""
    I.n_object_batches = 0
    I.n_block_batches = 0
    I.n_behavior_batches = 0
    I.n_compositions = 0
    I.n_pulls = 0
    I.n_dampings = 0
    I.n_couplings = 0
    I.n_pool = 0
    I.has_damping = 0
    I.mass_varies = 0
    I.nonsquare = 0
    I.tangent = 0
    I.n_effort = 0


@inlined
def lay_out_tables(I: Index, nbatch: int, nuid: int, offsets: int) -> int:
    """Room in I for the tables whose lengths are known; 0 when I is too small."""
    I.ints_used = Index.size
    I.objects = take_words(I, I.n_objects * Object.size)
    I.constraints = take_words(I, I.n_constraints * Constraint.size)
    I.object_batches = take_words(I, nbatch * ObjectKernels.size)
    I.block_batches = take_words(I, nbatch * BlockKernels.size)
    I.behavior_batches = take_words(I, nbatch * BehaviorKernels.size)
    I.by_uid = take_words(I, nuid)
    I.next_table = take_words(I, offsets)
    if I.ints_used + SPARE > I.capacity:
        I.ints_wanted = 2 * I.ints_used + FIRST_GUESS
        return 0
    return 1


@inlined
def lay_out_vectors(I: Index) -> None:
    """Room in S for the whole vectors."""
    I.next_float = SCALARS
    I.q = take_floats(I, I.nq)
    I.v = take_floats(I, I.nv)
    I.q0 = take_floats(I, I.nq)
    I.v0 = take_floats(I, I.nv)
    I.qdot = take_floats(I, I.nq)
    I.gyro = take_floats(I, I.nv)
    I.lifts = take_floats(I, I.n_lifts)
    I.lifts0 = take_floats(I, I.n_lifts)
    I.force = take_floats(I, I.nv)
    I.row_vectors = take_floats(I, ROW_VECTORS * I.nr)
    I.velocity_vectors = take_floats(I, VEL_VECTORS * I.nv)
    I.position_vectors = take_floats(I, POS_VECTORS * I.nq)
    I.stages = take_floats(I, STAGES * (I.nq + I.nv))
    I.cg = take_floats(I, CG_VECTORS * I.nr + I.nv)


@inlined
def share_out(I: Index) -> None:
    """The growing tables share the rest of I, each as much."""
    top = I.ints_used
    share = (I.capacity - top) // GROWING
    I.compositions = top
    I.pulls = top + share
    I.dampings = top + 2 * share
    I.couplings = top + 3 * share
    I.pool = top + 4 * share


@inlined
def index_batches(model: Ints, nbatch: int, I: Index, sources: Source) -> int:
    """All connectors, constraints, behaviors and fields; 0 when I is too small."""
    I.records = I.next_float
    constraint = 0
    row = 0
    where = 0
    for _ in range(nbatch):
        D = BatchHead(at(model, where))
        if D.family == Family.CONNECTOR or D.family == Family.CONSTRAINT:
            if index_blocks(D, I, sources, constraint, row) == 0:
                return 0
            if D.family == Family.CONSTRAINT:
                constraint += D.n
                row += D.n * D.dim
        elif D.family != Family.OBJECT and index_forces(D, I, sources) == 0:
            return 0
        where += D.length
    return 1


@inlined
def close_gaps(I: Index) -> None:
    """Move the tables that have grown together; the pool of ways is not wanted for long and stays."""
    I.ints_used = I.compositions + I.n_compositions * Composition.size
    I.pulls = move(I, I.pulls, I.n_pulls * Pull.size)
    I.dampings = move(I, I.dampings, I.n_dampings * Damping.size)
    I.couplings = move(I, I.couplings, I.n_couplings * Coupling.size)


@compiled
def move(I: Index, source: int, n: int) -> int:
    """Copy n words towards the front, to the first that are free; returns where they are now."""
    target = take_words(I, n)
    for k in range(n):
        I[target + k] = I[source + k]
    return target
