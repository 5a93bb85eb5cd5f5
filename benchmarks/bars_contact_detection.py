"""Detection of contacts: µs a pair of each two kinds, and how the whole grows with the number of bodies."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np

from tinkerdyne.compiler import core
from tinkerdyne.engine.contact.detector import GROUND, Detector, SurfaceOf
from tinkerdyne.objects import boundary

from .bar import Bar, Line, Remark
from .contact.pairs import KINDS, touching

COUNT = 60  # pairs of a kind in one world
REPEATS = 30
DEEP, OPEN = -1e-4, 5e-4  # m
SLOP = 1e-6  # m


def _least_seconds(detector: Detector, repeats: int = REPEATS) -> float:
    """Seconds of a call, the least of some."""
    detector.find()
    run, given = core.program()["find_contacts"], (detector.D.ctypes.data, detector.F.ctypes.data)
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        run(*given)
        best = min(best, time.perf_counter() - begin)
    return best


def _microseconds_a_pair(a: str, b: str, gap: float, *, is_flat: bool = False) -> float:
    detector = touching(a, b, count=COUNT, gap=gap, is_flat=is_flat)
    return 1e6 * _least_seconds(detector) / max(1, detector.head.n_pairs)


def _pairs(name: str) -> Iterator[Line]:
    """All of a call, placing and broad phase included, by the number of pairs that touch."""
    flat = _microseconds_a_pair("box", "box", DEEP, is_flat=True)
    yield Bar(name, "two boxes, face on face, four points", flat, "≤", 1.0, " µs")
    yield Bar(name, "two boxes at random", _microseconds_a_pair("box", "box", DEEP), "≤", 1.0, " µs")
    yield Bar(name, "two hulls of 24 vertices", _microseconds_a_pair("hull", "hull", DEEP), "≤", 5.0, " µs")
    for a, b in combinations_with_replacement(KINDS, 2):
        if (a, b) != ("plane", "plane"):
            deep, apart = (_microseconds_a_pair(a, b, gap) for gap in (DEEP, OPEN))
            yield Remark(name, f"{a} and {b}: {deep:.2f} µs overlapping, {apart:.2f} µs apart")


def _stack(side: int, apart: float, slop: float) -> Detector:
    """Unit boxes in a cube of this many along each side, on a floor."""
    n, box = side**3, boundary.block((1.0, 1.0, 1.0))[0]
    surfaces = [SurfaceOf(GROUND, boundary.half_space()[0]), *(SurfaceOf(k, box) for k in range(n))]
    detector = Detector(n, surfaces, margin=1e-3, slop=slop)
    grid = np.stack(np.unravel_index(np.arange(n), (side,) * 3), axis=1)
    detector.poses[1:, :3] = apart * grid + (0.0, 0.0, 0.5)
    return detector


def _growth(name: str) -> Iterator[Line]:
    """Of bodies that are spread out, and of a cube of them that touch on all sides."""
    spread = {side: _least_seconds(_stack(side, 3.0, -1.0)) / side**3 for side in (5, 10, 20)}
    yield Bar(name, "a body of 8,000 spread out against one of 1,000", spread[20] / spread[10], "≤", 3.0, "×")
    cube = _stack(10, 1.0, -1.0)
    found = _least_seconds(cube)
    cube.settings.slop = SLOP
    kept = _least_seconds(cube)
    yield Bar(name, "1,000 resting boxes, all patches kept", 1e3 * kept, "≤", 5.0, " ms")
    remark = f"{cube.head.n_pairs} pairs and {cube.head.n_contacts} contacts of 1,000 boxes in a cube: "
    yield Remark(name, remark + f"{1e3 * found:.2f} ms found anew, {1e3 * kept:.2f} ms kept")
    times = ", ".join(f"{1e6 * t:.3f} µs at {side**3}" for side, t in spread.items())
    yield Remark(name, f"a body that is spread out: {times}")


MEASUREMENTS = {"contact-pairs": _pairs, "contact-growth": _growth}
