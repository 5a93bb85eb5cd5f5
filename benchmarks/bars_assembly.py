"""Assembly of scattered rods into a nailed chain and a closed loop, beside scipy and SolveSpace; LD98's 758
constraints."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.language.arrays import Array

from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured
from .race import cpu

SPREAD = 5.0  # m: half the side of the cube in which the rods lie about
PRECISION = 1e-12
REPEATS = 5
STARTS = 20


def scattered(count: int, seed: int) -> tuple[Array, Array]:
    """Centres and quaternions of rods that lie about at random."""
    rng = np.random.default_rng(seed)
    turns = rng.normal(size=(count, 4))
    return rng.uniform(-SPREAD, SPREAD, (count, 3)), turns / np.linalg.norm(turns, axis=1)[:, None]


def build(count: int, *, is_loop: bool, seed: int = 0) -> td.World:
    """Rods to be joined end to end, the first one nailed; in a loop the last one to the first."""
    world = td.World()
    centres, turns = scattered(count, seed)
    rods = [
        world.add(td.Rod(f"rod-{k}", position=c, orientation=q))
        for k, (c, q) in enumerate(zip(centres, turns, strict=True))
    ]
    world.add(td.nail(rods[0].end1, at=(0.0, 0.0, 0.0)))
    for a, b in zip(rods, rods[1:] + rods[:1] if is_loop else rods[1:], strict=False):
        world.add(td.connect(a.end2, b.end1))
    return world


def outside_gap(world: td.World, count: int, *, is_loop: bool) -> float:
    """The widest joint computed from the rods' poses."""
    centres = np.array([world[f"rod-{k}"].position for k in range(count)])
    w, x, y, z = np.array([world[f"rod-{k}"].orientation for k in range(count)]).T
    along = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1) / 2
    first, second = centres - along, centres + along
    gaps = [np.abs(first[0]).max(), np.abs(second[:-1] - first[1:]).max()]
    if is_loop:
        gaps.append(np.abs(second[-1] - first[0]).max())
    return float(max(gaps))


def scipy_seconds(count: int, *, is_loop: bool) -> tuple[float, float]:
    """CPU seconds and gap of scipy's trust region over the same unknowns, with the sparse derivative given to
    it.

    Unknowns: centre and axis of each rod; residuals: joints, and the length of the axis. The axis starts as
    the same rod's.
    """
    from scipy.optimize import least_squares
    from scipy.sparse import csr_matrix

    centres, (w, x, y, z) = scattered(count, 0)[0], scattered(count, 0)[1].T
    axes = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1) / 2
    start = np.concatenate([centres, axes], axis=1).ravel()
    joints = [(k, (k + 1) % count) for k in range(count if is_loop else count - 1)]
    a, b = np.array(joints).T
    rows_n = 3 + 3 * len(joints) + count

    def residuals(u: Array) -> Array:
        c, d = u.reshape(-1, 6)[:, :3], u.reshape(-1, 6)[:, 3:]
        return np.concatenate(
            [c[0] - d[0], ((c + d)[a] - (c - d)[b]).ravel(), np.einsum("ij,ij->i", d, d) - 0.25]
        )

    axis = np.arange(3)
    joint_rows = 3 + 3 * np.arange(len(joints))[:, None] + axis
    rows = np.concatenate(
        [axis, axis, *[joint_rows.ravel()] * 4, np.repeat(3 + 3 * len(joints) + np.arange(count), 3)]
    )
    columns = np.concatenate(
        [axis, 3 + axis, *[(6 * k[:, None] + shift + axis).ravel() for k in (a, b) for shift in (0, 3)],
         (6 * np.arange(count)[:, None] + 3 + axis).ravel()]
    )  # fmt: skip
    ones = np.ones(3 * len(joints))
    constant = np.concatenate([np.ones(3), -np.ones(3), ones, ones, -ones, ones])

    def derivative(u: Array) -> Any:
        return csr_matrix(
            (np.concatenate([constant, 2 * u.reshape(-1, 6)[:, 3:].ravel()]), (rows, columns)),
            (rows_n, 6 * count),
        )

    found: Any = None

    def solve() -> None:
        nonlocal found
        found = least_squares(
            residuals, start, derivative, method="trf", tr_solver="lsmr", xtol=1e-15, ftol=1e-15, gtol=1e-15
        )

    seconds = cpu(solve)
    return seconds, float(np.abs(found.fun).max())


def solvespace_seconds(count: int, *, is_loop: bool) -> tuple[float, float]:
    """CPU seconds and gap of SolveSpace's solver: two points a rod at their distance, joints as coincident
    points."""
    try:
        from py_slvs import slvs
    except ImportError as problem:
        raise Missing(f"py-slvs cannot be imported ({problem})") from problem
    centres, (w, x, y, z) = scattered(count, 0)[0], scattered(count, 0)[1].T
    half = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1) / 2
    system = slvs.System()
    system.GroupHandle = 1
    origin = system.addPoint3dV(0.0, 0.0, 0.0, group=1)
    system.GroupHandle = 2
    ends = [
        [system.addPoint3dV(*map(float, p), group=2) for p in (c - d, c + d)]
        for c, d in zip(centres, half, strict=True)
    ]
    for first, second in ends:
        system.addPointsDistance(1.0, first, second, group=2)
    system.addPointsCoincident(origin, ends[0][0], group=2)
    for k in range(count if is_loop else count - 1):
        system.addPointsCoincident(ends[k][1], ends[(k + 1) % count][0], group=2)
    result = 1
    start = time.process_time()
    result = system.solve(group=2)
    seconds = time.process_time() - start
    if result not in (0, 4):  # solved, or solved with redundant constraints
        raise Missing(f"SolveSpace did not solve it (result {result})")
    return seconds, math.nan


def _measurement(count: int, *, is_loop: bool) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        ours, building, iterations, gaps = math.inf, math.inf, 0, []
        best: dict[str, float] = {"scipy least_squares": math.inf, "SolveSpace": math.inf}
        peers: dict[str, Callable[..., tuple[float, float]]] = dict(
            zip(best, (scipy_seconds, solvespace_seconds), strict=True)
        )
        said: dict[str, str] = {}
        their_gap: dict[str, float] = {}
        for _ in range(REPEATS):
            made: list[td.World] = []
            building = min(building, cpu(lambda made=made: made.append(build(count, is_loop=is_loop))))
            world = made[0]
            world.step(0.0)
            _ = world.gap  # the index is made; assembly itself is measured
            result: list[td.Assembly] = []
            ours = min(ours, cpu(lambda w=world, r=result: r.append(w.assemble(precision=PRECISION))))
            iterations = result[0].iterations
            gaps.append(outside_gap(world, count, is_loop=is_loop))
            for peer, seconds in peers.items():
                if peer in said:
                    continue
                try:
                    took, their_gap[peer] = seconds(count, is_loop=is_loop)
                    best[peer] = min(best[peer], took)
                except Missing as reason:
                    said[peer] = str(reason)
        yield Bar(name, "gap", max(gaps), "≤", 1e-12, " m")
        for peer, seconds in best.items():
            if peer in said:
                yield Unmeasured(name, f"times faster than {peer}", said[peer])
            else:
                yield Bar(name, f"times faster than {peer}", seconds / ours, "≥", 8, "×")
        theirs = ", ".join(
            f"{peer} {1e3 * s:.3g} ms (gap {their_gap.get(peer, math.nan):.1g})" for peer, s in best.items()
        )
        yield Remark(
            name,
            f"ours {1e3 * ours:.3g} ms in {iterations} iterations, building {1e3 * building:.3g} ms; "
            f"{theirs}",
        )

    return measure


def _growth(name: str) -> Iterator[Line]:
    """CPU time a rod from 100 to 1,000 rods."""
    for is_loop, what in ((False, "chain"), (True, "loop")):
        a_rod = {}
        for count in (100, 300, 1_000):
            best = math.inf
            for _ in range(REPEATS):
                world = build(count, is_loop=is_loop)
                _ = world.gap
                best = min(best, cpu(lambda w=world: w.assemble(precision=1e-11)))
            a_rod[count] = best / count
        yield Bar(name, f"{what}: cost a rod at 1,000 against 100", a_rod[1_000] / a_rod[100], "≤", 2, "×")
        yield Remark(
            name, f"{what}: " + ", ".join(f"{1e6 * s:.3g} µs a rod at {n}" for n, s in a_rod.items())
        )


def _characters(name: str) -> Iterator[Line]:
    """LD98 Fig. 3 from random starts: how many succeed, in what time."""
    scene = gallery.load("characters_bound")
    times, iterations, met, rows = [], [], 0, 0
    for seed in range(STARTS):
        world = scene.build(seed=seed)
        rows = world.diagnose().rows if seed == 0 else rows
        _ = world.gap
        result: list[td.Assembly] = []
        times.append(cpu(lambda w=world, r=result: r.append(w.assemble(precision=1e-10))))
        met += bool(result[0])
        iterations.append(result[0].iterations)
    yield Bar(name, f"scalar constraints; assembled from {STARTS} random starts: {met}", rows, "≥", 758)
    yield Bar(name, "share of the starts that assemble", 100 * met / STARTS, "≥", 100, " %")
    took = f"{1e3 * statistics.median(times):.3g} ms (median), {min(iterations)}–{max(iterations)} iterations"
    yield Remark(name, f"{took}; the paper: under a second, 6 × 30 iterations")


MEASUREMENTS: dict[str, Measurement] = {
    "assembly-chain-100": _measurement(100, is_loop=False),
    "assembly-loop-100": _measurement(100, is_loop=True),
    "assembly-growth": _growth,
    "assembly-characters": _characters,
}
