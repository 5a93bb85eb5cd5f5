"""The arena: the two arrays in which the structure and the numbers of a world lie, seen through records."""

from __future__ import annotations

import numpy as np

from tinkerdyne.engine.ldl.plan import Plan
from tinkerdyne.engine.records import SCALARS, Index, Scalars
from tinkerdyne.engine.tangent_records import Tangent
from tinkerdyne.language.arrays import Array

SPARE = 64  # numbers behind the last one
FIRST = 1 << 14  # numbers of each array, to begin with


class Arena:
    """I (int64) with its header `index`, S (float64) with its first numbers `scalars`, and work space."""

    I: Array
    S: Array
    index: Index
    scalars: Scalars
    q: Array  # views of S: all positions, velocities and q'
    v: Array
    qdot: Array
    ints_at: int  # addresses
    floats_at: int

    def __init__(self) -> None:
        self.set_ints(np.zeros(FIRST, np.int64))
        self.set_floats(np.zeros(FIRST))
        self.work: Array = np.zeros(FIRST, np.int64)
        self.place_vectors()

    def set_ints(self, ints: Array) -> None:
        """Take another, larger array for the structure."""
        self.I, self.index, self.ints_at = ints, Index(ints), ints.ctypes.data

    def set_floats(self, floats: Array) -> None:
        """Take another, larger array for the numbers."""
        self.S, self.scalars, self.floats_at = floats, Scalars(floats), floats.ctypes.data

    def grow(self, tables: Array, floats: int) -> None:
        """Put the tables of the tangent matrix behind those of the index, and room for so many numbers;
        what there is stays where it is."""
        index = self.index
        first = index.plan + Plan(self.I[index.plan :]).words
        ints = np.zeros(max(len(self.I), first + len(tables)), np.int64)
        ints[:first] = self.I[:first]
        ints[first : first + len(tables)] = tables
        self.set_ints(ints)
        self.index.tangent = first
        if len(self.S) < floats + SPARE:
            self.set_floats(np.concatenate([self.S, np.zeros(floats + SPARE - len(self.S))]))
        tangent = Tangent(tables)
        self.S[tangent.first_float : tangent.store] = 0.0  # kernels write only what may be other than zero
        self.place_vectors()

    def vector(self, first: int, length: int) -> Array:
        """A view of numbers of S."""
        return self.S[first : first + length]

    def place_vectors(self) -> None:
        """Find the vectors of the state; they stay where they are until the arena is laid out anew."""
        index = self.index
        self.q, self.v = self.vector(index.q, index.nq), self.vector(index.v, index.nv)
        self.qdot = self.vector(index.qdot, index.nq)

    def velocity_vector(self, number: int) -> Array:
        """A view of a work vector of nv, by its number in `Vel`."""
        return self.vector(self.index.velocity_vectors + number * self.index.nv, self.index.nv)

    def row_vector(self, number: int) -> Array:
        """A view of a work vector of nr rows, by its number in `Row`."""
        return self.vector(self.row_place(number), self.index.nr)

    def row_place(self, number: int) -> int:
        """Where a work vector of nr rows begins in S."""
        return self.index.row_vectors + number * self.index.nr


def kept_scalars() -> Scalars:
    """Scalars of their own, for as long as the arena is not laid out."""
    return Scalars(np.zeros(SCALARS))
