"""CPU time of a call, measured so that other processes on the machine matter little."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def _samples(fn: Callable[[], object], repeats: int, min_seconds: float) -> list[float]:
    """CPU seconds a call, `repeats` times; each sample calls `fn` until `min_seconds` have passed."""
    samples = []
    for _ in range(repeats):
        calls, start = 0, time.process_time()
        while True:
            fn()
            calls += 1
            spent = time.process_time() - start
            if spent >= min_seconds:
                break
        samples.append(spent / calls)
    return samples


def best_cpu(fn: Callable[[], object], *, repeats: int = 5, min_seconds: float = 0.0) -> float:
    """The least CPU time of a call in seconds."""
    return min(_samples(fn, repeats, min_seconds))


def median_cpu(fn: Callable[[], object], *, repeats: int = 5, min_seconds: float = 0.0) -> float:
    """The median CPU time of a call in seconds."""
    return statistics.median(_samples(fn, repeats, min_seconds))
