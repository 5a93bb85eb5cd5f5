"""CPU time of several engines on the same motion, taking turns so that noise of the machine hits all of them.

The motion is cut into segments. Each is timed in every repeat and its least time is kept, since noise only
adds; the sum over segments is then the cost of the whole motion, its hard places included.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping

from .peers.scene import Diverged

Runner = Callable[[int], object]  # advances n steps


def cpu(call: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def race(
    makers: Mapping[str, Callable[[], Runner]], *, steps: int, segment: int, repeats: int
) -> dict[str, float]:
    """CPU seconds a step for each engine; not a number where it diverged."""
    count = steps // segment
    best = {name: [math.inf] * count for name in makers}
    for _ in range(repeats):
        runners = {name: make() for name, make in makers.items()}
        for k in range(count):
            for name, run in list(runners.items()):
                try:
                    best[name][k] = min(best[name][k], cpu(lambda run=run: run(segment)))
                except Diverged:
                    best[name][k] = math.nan
                    del runners[name]
    return {name: sum(times) / (count * segment) for name, times in best.items()}


def least(calls: Mapping[str, Callable[[], float]], *, repeats: int) -> dict[str, float]:
    """The least of what each call returns (CPU seconds that it measured itself), the calls taking turns."""
    best = dict.fromkeys(calls, math.inf)
    for _ in range(repeats):
        for name, call in calls.items():
            best[name] = min(best[name], call())
    return best
