"""The plan of an LDLᵀ: all places that the numeric phase needs, so that it only adds and multiplies.

It is a header, then a table each of nodes, pairs and fronts, the pivot of every scalar row, and the row lists
of the fronts. All arithmetic happens in tiles of 4×4: sizes are padded to multiples of that.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import inlined
from tinkerdyne.compiler.records import IntRecord, Ints, cells

TILE = 4


@inlined
def padded(n: int) -> int:
    """n, rounded up to whole tiles."""
    return (n + 3) >> 2 << 2


class Plan(IntRecord):
    """The header: how many there are of everything, and where it lies in the plan and in the store."""

    words: int  # of plan and of work that are wanted, told also when `ldl_analyse` returns −1
    work_words: int
    n_nodes: int
    n_pairs: int
    n_rows: int
    n_fronts: int
    n_pivots: int  # rows with their padding
    store: int  # its length
    panels: int  # length of the panels it begins with
    fill: int  # entries of L by the blocks' pattern, …
    dense: int  # … and with the zeros that fronts add
    nodes: int  # places in the plan: tables, …
    pairs: int
    row_pivots: int  # … the pivot of each scalar row, …
    fronts: int
    front_rows: int  # … and the row lists of the fronts
    inverse: int  # places in the store, for each pivot: 1/d, …
    limit: int  # … the smallest |d| allowed, …
    spare: int  # … what stands in for a smaller one, …
    y: int  # … and the unknown
    gather: int  # the rows below a front, gathered
    scaled: int  # M = V D⁻¹ of the front at work
    unused: Ints = cells(2)


class NodePlan(IntRecord):
    """Where the diagonal block of a node goes."""

    table = "nodes"
    rows: int
    row: int  # first scalar row
    target: int  # place in the store
    stride: int  # from a column to the next
    pivot: int  # of its first row


class PairPlan(IntRecord):
    """Where the block of a pair goes."""

    table = "pairs"
    target: int  # place in the store
    row_stride: int
    column_stride: int
    rows: int
    columns: int


class FrontPlan(IntRecord):
    """A front: w pivots and the r rows below them, padded to w4 and r4."""

    table = "fronts"
    panel: int  # place in the store
    w: int
    w4: int
    r: int
    r4: int
    update: int  # place of U in the store
    pivot: int  # its first
    rows: int  # place in the plan of the pivots of the rows below, padded, …
    local: int  # … and of these rows' numbers in the parent front
    child: int  # the first that has something to add to U, or −1
    sibling: int  # the next child of its parent, or −1
    parent: int  # or −1
    run: int  # the first row in the parent, if the rows lie together there, else −1
    split: int  # how many of the rows are pivots of the parent
