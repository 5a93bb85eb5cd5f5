"""Room in the arenas while the index is made, and what is known of the items it has come to.

Where the next number of S, the next word of I and the next offset table go stands in the header of I.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import IntRecord, Ints
from tinkerdyne.engine.records import Composition, Coupling, Damping, Index, Pull, Way

SPARE = 64  # words of I, or entries of a growing table, that are kept free
FEW = 8  # entries that are kept free where none or little is added


class Source(IntRecord):
    """What is known of an item, by uid: a row of the work space."""

    family: int
    record: int  # place of its value in S, or of its lift
    object: int  # its number, if it is one
    first_way: int  # of the ways by which it depends on objects, …
    n_ways: int  # … and how many
    parameters: int  # of an object, their place in S


@inlined
def take_words(I: Index, n: int) -> int:
    """The first of n free words of I, which are taken."""
    first: int = I.ints_used
    I.ints_used = first + n
    return first


@inlined
def take_floats(I: Index, n: int) -> int:
    """The first of n free numbers of S, which are taken."""
    first: int = I.next_float
    I.next_float = first + n
    return first


@inlined
def take_offsets(I: Index, n: int) -> Ints:
    """The offset table of one instance."""
    table = at(I, I.next_table)
    I.next_table += n
    return table


@compiled
def has_room(I: Index, compositions: int, pulls: int, couplings: int, ways: int) -> int:
    """Whether the growing tables have room for so many more entries; if not, I.ints_wanted asks for more."""
    if (
        I.compositions + (I.n_compositions + compositions) * Composition.size <= I.pulls
        and I.pulls + (I.n_pulls + pulls) * Pull.size <= I.dampings
        and I.dampings + (I.n_dampings + pulls) * Damping.size <= I.couplings
        and I.couplings + (I.n_couplings + couplings) * Coupling.size <= I.pool
        and I.pool + (I.n_pool + ways) * Way.size <= I.capacity
    ):
        return 1
    I.ints_wanted = 2 * I.capacity
    return 0
