"""What lies where in the tables of the tangent matrix, which are made at first need and stand behind the rest
of I.

Tables are found from the place I.tangent; numbers lie in S as all others do.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, inlined
from tinkerdyne.compiler.records import IntRecord
from tinkerdyne.engine.records import Index


class Tangent(IntRecord):
    """The header: how many there are of everything, and where it lies."""

    words: int  # of all tables
    first_float: int  # of its numbers in S, …
    next_float: int  # … and the first behind them
    n_batches: int  # of behaviors; those of connectors and constraints follow
    n_bent_batches: int
    batches: int
    offsets: int  # tables of the kernels
    n_offsets: int
    n_ends: int
    ends: int
    n_shares: int  # of behaviors; those of curvature follow
    n_bent_shares: int
    shares: int
    n_field_shares: int
    field_shares: int
    n_loads: int  # forces of behaviors on connectors
    loads: int
    n_falls: int  # of a force from a value to an input
    falls: int
    n_links: int  # between objects
    links: int
    n_nodes: int
    node_sizes: int
    node_signs: int
    node_diagonals: int
    object_nodes: int  # of each object, or −1, …
    object_links: int  # … and the first of its links, or −1
    adjoints: int  # of each constraint: the place of the force on its value
    n_pairs: int
    pair_rows: int
    pair_columns: int
    pair_places: int
    n_copies: int  # of blocks of J; they are the first pairs
    n_rows: int  # of all nodes
    adjoint: int  # in S: forces on values, …
    n_adjoint: int
    work: int  # … a small matrix, …
    scale: int  # … reference diagonal, …
    vector: int  # … work vectors in the order of nodes, …
    store: int  # … and the factor
    plan: int  # of the LDLᵀ, in the tables
    # the light plan, for matrices in which few objects are stiff (engine.light): …
    stiff: int  # whether each object is, as the plan has it, …
    n_stiff: int
    n_light: int  # … its pairs, …
    light_rows: int
    light_columns: int
    light_places: int
    is_planned: int  # … whether it is that of `stiff`, …
    fits: int  # … and found room
    is_light: int  # whether the last factor is by the light plan
    light_plan: int
    light_words: int  # its room, …
    ordering: int  # … work space of its analysis, …
    ordering_words: int
    store_words: int  # … and that of the factor, in S
    weights: int  # in S: of each object, by how much it is stiff


class ElementBatch(IntRecord):
    """All instances of one block with a matrix over its inputs."""

    table = "batches"
    n: int
    offsets: int
    kernel: int


class ElementOffsets(IntRecord):
    """What the offset table of an instance ends with: the force on its value, and its matrix."""

    adjoint: int
    matrix: int


class End(IntRecord):
    """An input of an element that reaches an object."""

    table = "ends"
    object: int
    first: int  # of the input's rows in the element's matrix
    rows: int
    J: int  # or −1: the object itself is the input
    nv: int
    input: int


class BlockShare(IntRecord):
    """What a block of an element's matrix between two ends adds to a block between two objects."""

    table = "shares"
    target: int
    source: int  # the element's matrix
    width: int
    row: int  # end
    column: int  # end
    kind: int


class Shared:
    """How a share is added: to a diagonal block as it is, or with its transpose; to a pair, or transposed."""

    OWN, BOTH, PAIR, TURNED = range(4)


class FieldShare(IntRecord):
    """The square block of a field on an object, whose damping and stiffness come one after the other."""

    table = "field_shares"
    target: int
    source: int
    nv: int


class Load(IntRecord):
    """A behavior's force on a connector, which is the adjoint of its value with the other sign."""

    table = "loads"
    target: int
    source: int
    count: int


class Fall(IntRecord):
    """A force on a block's value that is handed down to one of its inputs: target += Dfᵀ source."""

    table = "falls"
    target: int
    source: int
    rows: int
    columns: int
    Df: int
    sign: int  # ±1 where Df is ± the identity


class ObjectPair(IntRecord):
    """Two objects, the first the later one, that share an element, or only a constraint (place −1)."""

    table = "links"
    row: int
    column: int
    place: int
    following: int  # of the same first object, or −1


class ElementHead(IntRecord):
    """What the index is told of a batch beyond its description: the kernel, and which inputs it joins."""

    kernel: int
    joins: int  # place of a square of truths


@inlined
def tangent_of(I: Index) -> Tangent:
    """The tables of the tangent matrix."""
    return Tangent(at(I, I.tangent))
