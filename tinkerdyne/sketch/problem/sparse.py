"""Sums of numbers that belong at given places, as CasADi expressions, and calls of them on arrays."""

from __future__ import annotations

import threading

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array


class Call:
    """A CasADi function of vectors that is called on arrays without copies.

    Its arrays are one for all who call it, and it lets other threads go on while it runs: they wait."""

    def __init__(self, given: tuple[ca.MX, ...], out: list[ca.MX]) -> None:
        function = ca.Function("call", list(given), [ca.densify(one) for one in out])
        self._buffer, self._run = function.buffer()
        self._lock = threading.Lock()
        self._given = [np.zeros(one.numel()) for one in given]
        self._out = [np.zeros(one.numel()) for one in out]
        for i, one in enumerate(self._given):
            self._buffer.set_arg(i, one.data)
        for i, one in enumerate(self._out):
            self._buffer.set_res(i, one.data)

    def __call__(self, *given: Array) -> list[Array]:
        with self._lock:
            for own, one in zip(self._given, given, strict=True):
                own[:] = one
            self._run()
            return [one.copy() for one in self._out]


class Sum:
    """A dense vector: the sum of numbers that belong at given places."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._parts: list[ca.MX] = []
        self._at: list[Array] = []

    def add(self, columns: ca.MX, at: Array) -> None:
        self._parts.append(ca.vec(columns))
        self._at.append(at.ravel())

    def vector(self) -> ca.MX:
        if not self._parts:
            return ca.MX.zeros(self._n)
        where = np.concatenate(self._at)
        gather = ca.DM.triplet(
            where.tolist(), list(range(len(where))), ca.DM.ones(len(where)), self._n, len(where)
        )
        return ca.densify(gather @ ca.vertcat(*self._parts))


def scatter(parts: list[ca.MX], at: list[Array], rows: int, columns: int) -> ca.MX:
    """A sparse matrix: the sum of numbers that belong at these places (2, n)."""
    if not parts:
        return ca.MX(rows, columns)
    r, c = np.concatenate(at, axis=1)
    places, where = np.unique(c * rows + r, return_inverse=True)
    pattern = ca.Sparsity.triplet(rows, columns, (places % rows).tolist(), (places // rows).tolist())
    gather = ca.DM.triplet(
        where.tolist(), list(range(len(where))), ca.DM.ones(len(where)), len(places), len(where)
    )
    return ca.MX(pattern, ca.densify(gather @ ca.vertcat(*parts)))
