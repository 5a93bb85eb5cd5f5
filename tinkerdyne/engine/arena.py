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

    q: Array  # views of S: all positions, velocities and q'
    v: Array
    qdot: Array

    def __init__(
        self, ints: Array | None = None, floats: Array | None = None, work: Array | None = None
    ) -> None:
        self.I: Array = np.zeros(FIRST, np.int64) if ints is None else ints
        self.S: Array = np.zeros(FIRST) if floats is None else floats
        self.work: Array = np.zeros(FIRST, np.int64) if work is None else work
        self.index, self.scalars = Index(self.I), Scalars(self.S)
        self.ints_at: int = self.I.ctypes.data  # addresses
        self.floats_at: int = self.S.ctypes.data
        self.place_vectors()

    def grown(
        self, *, ints: Array | None = None, floats: Array | None = None, work: Array | None = None
    ) -> Arena:
        """An arena with other, larger arrays; this one stays as it is, so that no one sees half of each."""
        return Arena(
            self.I if ints is None else ints,
            self.S if floats is None else floats,
            self.work if work is None else work,
        )

    def with_tangent(self, tables: Array, floats: int) -> Arena:
        """An arena with the tables of the tangent matrix behind those of the index, and room for so many
        numbers; what there is stays where it is."""
        index = self.index
        first = index.plan + Plan(self.I[index.plan :]).words
        ints = np.zeros(max(len(self.I), first + len(tables)), np.int64)
        ints[:first] = self.I[:first]
        ints[first : first + len(tables)] = tables
        Index(ints).tangent = first
        more = max(0, floats + SPARE - len(self.S))
        room = np.concatenate([self.S, np.zeros(more)]) if more else self.S
        tangent = Tangent(tables)
        room[tangent.first_float : tangent.store] = 0.0  # kernels write only what may be other than zero
        return self.grown(ints=ints, floats=room)

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
