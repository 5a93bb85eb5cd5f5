"""A contact problem over numpy arrays, for tests, benchmarks and diagnosis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinkerdyne.compiler.core import program
from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact.islands import contact_prepare
from tinkerdyne.engine.contact.problem import (
    Body,
    Contact,
    Island,
    IslandValues,
    Joint,
    JointBlock,
    Point,
    Problem,
    lay_out_tables,
)
from tinkerdyne.engine.contact.solver import contact_project, contact_solve

Array = NDArray[np.float64]


@dataclass
class Touches:
    """Contact points: bodies (−1 is the ground), H of each in the frame (n, t1, t2), b, μ and guesses of r.

    n points have H of shape (n, 3, width), where bodies of fewer rows leave the last columns 0."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    Ha: Array
    Hb: Array
    bias: Array
    mu: Array
    guess: Array


@dataclass(frozen=True)
class Solved:
    """An answer: velocities body by body, impulses, and an entry an island of what they are worth."""

    v: list[Array]
    r: Array
    lam: Array
    open: int
    residual: Array
    tolerance: Array
    speed: Array
    energy: Array
    factorings: NDArray[np.int64]
    way: NDArray[np.int64]
    worst: NDArray[np.int64]
    contacts: NDArray[np.int64]


class ContactTable:
    """Bodies and joints that stay, and contacts that come and go."""

    def __init__(
        self, sizes: Sequence[int], joints: Sequence[Sequence[int]] = (), rows: Sequence[int] = ()
    ) -> None:
        """The rows of each body; of each joint its bodies, and its rows."""
        self.sizes, self.joints, self.rows = list(sizes), [list(j) for j in joints], list(rows)
        self._room = 0
        self._P, self._work, self._X = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)

    @property
    def head(self) -> Problem:
        """The header."""
        return Problem(self._P)

    def prepare(self, pairs: Any) -> None:
        """Tables, order and places for contacts between these bodies."""
        if len(pairs) > self._room or not len(self._P):
            self._grow(max(2 * len(pairs), 16))
        self.head.n_contacts = len(pairs)
        self._contacts()[:, [place_of(Contact, "a"), place_of(Contact, "b")]] = np.asarray(pairs).reshape(
            -1, 2
        )
        while self._prepare() < 0:
            wanted, work = int(self.head.words), int(self.head.work_words)
            if wanted > len(self._P):
                self._P = np.concatenate([self._P, np.zeros(2 * wanted - len(self._P), np.int64)])
            if work > len(self._work):
                self._work = np.zeros(2 * work, np.int64)
        if self.head.floats > len(self._X) - 8:
            whole = np.zeros(2 * int(self.head.floats) + 16)
            skip = (-whole.ctypes.data // 8) % 8  # whole tiles lie in one line
            self._X = whole[skip:]

    def _contacts(self) -> NDArray[np.int64]:
        """The table of contacts."""
        first = int(self.head.contacts)
        return self._P[first : first + Contact.size * int(self.head.n_contacts)].reshape(-1, Contact.size)

    def _prepare(self) -> int:
        call = program()[contact_prepare.__name__]
        return int(call(self._P.ctypes.data, len(self._P), self._work.ctypes.data, len(self._work)))

    def _grow(self, room: int) -> None:
        """Tables with room for so many contacts."""
        self._room = room
        head = Problem(np.zeros(Problem.size, np.int64))
        head.n_bodies, head.n_joints, head.contact_room = len(self.sizes), len(self.joints), room
        head.n_links = sum(map(len, self.joints))
        words = int(program()[lay_out_tables.__name__](head.array.ctypes.data))
        self._P = np.zeros(words + 4096, np.int64)
        self._P[: Problem.size] = head.array
        for k, n in enumerate(self.sizes):
            Body.of(self.head, k).rows = n
        k = 0
        for j, bodies in enumerate(self.joints):
            Joint.of(self.head, j).rows = self.rows[j]
            for body in bodies:
                link = JointBlock.of(self.head, k)
                link.joint, link.body = j, body
                k += 1

    def _vector(self, place: int, values: Sequence[Array]) -> None:
        for k, value in enumerate(values):
            first = place + Body.of(self.head, k).dof
            self._X[first : first + len(value)] = value

    def _block(self, place: int, block: Array, width: int) -> None:
        rows, n = block.shape
        to = self._X[place : place + rows * width].reshape(rows, width)
        to[:, :n], to[:, n:] = block, 0.0

    def write(
        self,
        masses: Sequence[Array],
        v: Sequence[Array],
        v_free: Sequence[Array],
        contacts: Touches,
        *,
        J: Sequence[Array] = (),
        lam: Array | None = None,
        target: Array | None = None,
        bounds: tuple[Array, Array] | None = None,
    ) -> None:
        """All numbers, after `prepare`; J has a block a link, and `bounds` are those of λ."""
        head, X = self.head, self._X
        X[: int(head.store)] = 0.0
        self._vector(head.v, v)
        self._vector(head.v_free, v_free)
        for k, M in enumerate(masses):
            self._block(Body.of(head, k).M, M, Body.of(head, k).width)
        for k, block in enumerate(J):
            link = JointBlock.of(head, k)
            self._block(link.J, block, Body.of(head, link.body).width)
        if lam is not None:
            X[head.lam : head.lam + head.n_rows] = lam
        if target is not None:
            X[head.target : head.target + head.n_rows] = target
        lower, upper = bounds or (np.array(-np.inf), np.array(np.inf))
        X[head.lower : head.lower + head.n_rows] = lower
        X[head.upper : head.upper + head.n_rows] = upper
        table = self._contacts()
        point = table[:, place_of(Contact, "point")]
        for name, to in (("mu", contacts.mu[:, None]), ("b", contacts.bias), ("r", contacts.guess)):
            X[(point + place_of(Point, name))[:, None] + np.arange(to.shape[1])] = to
        widths = np.array([Body.of(head, k).width for k in range(head.n_bodies)])
        for side, body, H in (("Ha", contacts.a, contacts.Ha), ("Hb", contacts.b, contacts.Hb)):
            for width in sorted(set(widths.tolist())):
                which = np.flatnonzero((body >= 0) & (widths[body] == width))
                n = min(width, H.shape[2])
                rows = table[which, place_of(Contact, side)][:, None, None] + width * np.arange(3)[:, None]
                X[rows + np.arange(n)] = H[which][:, :, :n]

    def run(self) -> int:
        """Solve; how many islands are left open."""
        return int(program()[contact_solve.__name__](self._P.ctypes.data, self._X.ctypes.data))

    def project(self) -> int:
        """Part what overlaps; the displacements are read as velocities."""
        return int(program()[contact_project.__name__](self._P.ctypes.data, self._X.ctypes.data))

    def points(self) -> Array:
        """The numbers of the contacts, a row each (a copy)."""
        first = self._contacts()[:, place_of(Contact, "point")]
        found: Array = self._X[first[:, None] + np.arange(Point.size)]
        return found

    def read(self, n_open: int) -> Solved:
        """The answer."""
        head, X = self.head, self._X
        bodies = [Body.of(head, k) for k in range(head.n_bodies)]
        v = [X[head.v + b.dof : head.v + b.dof + b.rows].copy() for b in bodies]
        first = place_of(Point, "r")
        r = self.points()[:, first : first + 3]
        islands = [Island.of(head, k) for k in range(head.n_islands)]
        values = [IslandValues(X[i.values :]) for i in islands]

        def floats(name: str) -> Array:
            return np.array([getattr(x, name) for x in values])

        def ints(name: str) -> Any:
            return np.array([getattr(x, name) for x in islands], dtype=np.int64)

        return Solved(
            v, r, X[head.lam : head.lam + head.n_rows].copy(), n_open,
            floats("residual"), floats("tolerance"), floats("speed"), floats("energy"),
            ints("factorings"), ints("way"), ints("worst"), ints("contact_end") - ints("contact"),
        )  # fmt: skip
