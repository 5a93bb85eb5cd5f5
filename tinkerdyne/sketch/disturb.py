"""Disturbances: the last digits of samples and starts changed, as another machine's arithmetic would.

A solver with local minima may find a motion by the luck of one machine's roundings. `disturbed` shows which
results hang on that:

    with disturbed(seed=3, relative=1e-13):
        solution = sketch.solve()

As on another machine, the same numbers are always changed in the same way. Outside of it nothing is computed
and no bit changes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from tinkerdyne.language.arrays import Array


@dataclass(frozen=True)
class Disturbance:
    """Each number x becomes x (1 + ε), |ε| ≤ relative; ε depends on the seed and on the numbers that stand
    together."""

    seed: int
    relative: float

    def of(self, values: Array) -> Array:
        kept = np.ascontiguousarray(values, float)
        rng = np.random.default_rng((self.seed, zlib.crc32(kept.tobytes())))
        return np.asarray(kept * (1 + self.relative * rng.uniform(-1.0, 1.0, kept.shape)))


_current: Disturbance | None = None


@contextmanager
def disturbed(seed: int, relative: float) -> Iterator[None]:
    """Samples and starts of what this process solves in the meantime are disturbed."""
    global _current
    before, _current = _current, Disturbance(seed, relative)
    try:
        yield
    finally:
        _current = before


def rounded(values: Array) -> Array:
    """Numbers as a machine may have rounded them: as they are, unless they are disturbed."""
    return values if _current is None else _current.of(values)
