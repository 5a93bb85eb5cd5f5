"""Growth of a chain from 100 rods: CPU time a rod and step under RATTLE, and memory."""

from __future__ import annotations

from collections.abc import Iterator

from . import ours
from .bar import Bar, Line, Measurement, Remark
from .peers.scene import chain_rods
from .process import python
from .race import cpu

SMALL = 100
REPEATS = 12
# rods times steps in one sample: long enough that a cache left cold by the other chain is warm again
RODS_A_SAMPLE = 20_000
MEMORY_OF = """
import sys
from benchmarks import ours
from benchmarks.peers.scene import chain_rods
from benchmarks.process import peak_megabytes
scene = ours.rods(chain_rods(int(sys.argv[1])))
scene.step(3)
print(peak_megabytes())
"""


def _cpu_a_rod(*counts: int) -> dict[int, float]:
    """CPU seconds a rod and step, the least of some samples; the chains take turns, falling on meanwhile."""
    scenes = {n: ours.rods(chain_rods(n)) for n in counts}
    best = dict.fromkeys(counts, float("inf"))
    for _ in range(REPEATS):
        for n, scene in scenes.items():
            steps = max(2, RODS_A_SAMPLE // n)
            best[n] = min(best[n], cpu(lambda scene=scene, steps=steps: scene.step(steps)) / steps / n)
    return best


def _megabytes(count: int) -> float:
    """Peak memory of a fresh process that builds a chain and steps it."""
    return float(python(MEMORY_OF, str(count)).split()[-1])


def _measurement(count: int, wanted: float) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        a_rod = _cpu_a_rod(SMALL, count)
        yield Bar(name, f"cost a rod against N = {SMALL}", a_rod[count] / a_rod[SMALL], "≤", wanted, "×")
        yield Remark(
            name,
            f"a rod and step: {1e6 * a_rod[SMALL]:.3g} µs at {SMALL}, {1e6 * a_rod[count]:.3g} µs at {count}",
        )
        if count >= 10_000:
            memory = {n: _megabytes(n) for n in (SMALL, count // 2, count)}
            yield Bar(name, "memory", memory[count], "≤", 500, " MB")
            halves = (memory[count] - memory[count // 2]) / (memory[count // 2] - memory[SMALL])
            yield Bar(name, "memory of the second half of the rods against the first", halves, "≤", 1.2, "×")
            yield Remark(name, "memory: " + ", ".join(f"{mb:.0f} MB at {n}" for n, mb in memory.items()))

    return measure


MEASUREMENTS = {"growth-1000": _measurement(1_000, 1.5), "growth-10000": _measurement(10_000, 2)}
