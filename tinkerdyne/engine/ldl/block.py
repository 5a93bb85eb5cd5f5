"""The factorisation over numpy arrays, for tests and diagnosis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinkerdyne.compiler.core import program
from tinkerdyne.engine.ldl.analyse import ldl_analyse
from tinkerdyne.engine.ldl.factor import ldl_factor
from tinkerdyne.engine.ldl.plan import Plan
from tinkerdyne.engine.ldl.solve import ldl_solve


class BlockLDL:
    """One matrix: its plan, and the numbers of its factor."""

    def __init__(self, size: Any, pairs: Any, *, last: Any = None) -> None:
        self.size = np.ascontiguousarray(size, dtype=np.int64)
        nb = len(self.size)
        self.pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        self._i, self._j = (np.ascontiguousarray(self.pairs[:, c]) for c in (0, 1))
        self._last = np.zeros(nb, np.int64) if last is None else np.ascontiguousarray(last, dtype=np.int64)
        self.first = np.concatenate([[0], np.cumsum(self.size)]).astype(np.int64)
        self._diag = np.concatenate([[0], np.cumsum(self.size**2)]).astype(np.int64)
        area = self.size[self._i] * self.size[self._j]
        self._pair = (self._diag[-1] + np.concatenate([[0], np.cumsum(area)])).astype(np.int64)
        self.plan, self.work = np.zeros(Plan.size, np.int64), np.zeros(0, np.int64)
        while self.analyse() < 0:
            wanted = self.head
            self.plan = np.zeros(wanted.words, np.int64)
            self.work = np.zeros(wanted.work_words, np.int64)
        self.store = np.zeros(self.head.store)

    @property
    def head(self) -> Plan:
        """The header of the plan."""
        return Plan(self.plan)

    def analyse(self) -> int:
        """Run the symbolic phase; the store's size, or −1 when the plan or the work is too small."""
        size, last, i, j, plan, work = map(
            _address, (self.size, self._last, self._i, self._j, self.plan, self.work)
        )
        nb, npair = len(self.size), len(self.pairs)
        call = program()[ldl_analyse.__name__]
        return int(call(nb, size, last, npair, i, j, plan, len(self.plan), work, len(self.work)))

    def values(self, K: NDArray[np.float64]) -> NDArray[np.float64]:
        """The blocks of a dense symmetric matrix, in the layout `factor` reads."""
        span = [slice(a, b) for a, b in zip(self.first[:-1], self.first[1:], strict=True)]
        blocks = [K[s, s].ravel() for s in span] + [K[span[i], span[j]].ravel() for i, j in self.pairs]
        return np.ascontiguousarray(np.concatenate([*blocks, np.zeros(1)]))

    def factor(self, values: NDArray[np.float64], *, sign: Any, scale: Any, eps: float = 0.0) -> int:
        """Factor the blocks; returns how many pivots were replaced."""
        signs = np.ascontiguousarray(sign, dtype=np.int64)
        scales = np.ascontiguousarray(scale, dtype=np.float64)
        arrays = (self.plan, values, self._diag, self._pair, signs, scales)
        return int(program()[ldl_factor.__name__](*map(_address, arrays), eps, _address(self.store)))

    def solve(self, b: NDArray[np.float64]) -> NDArray[np.float64]:
        """K⁻¹ b."""
        x = np.array(b, dtype=np.float64)
        program()[ldl_solve.__name__](_address(self.plan), _address(self.store), _address(x))
        return x


def _address(array: NDArray[Any]) -> int:
    return array.ctypes.data
