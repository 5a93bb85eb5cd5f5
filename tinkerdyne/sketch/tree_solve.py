"""Solving sketches of trees: the midpoint problem in turn with the samples' times, then multiple shooting; several starts (M7)."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tinkerdyne.sketch import start
from tinkerdyne.sketch.assign import distances, monotone, refined
from tinkerdyne.sketch.midpoint import ANGLE, Nodes, midpoint
from tinkerdyne.sketch.newton import nearby
from tinkerdyne.sketch.parallel import Wanted, spread
from tinkerdyne.sketch.quaternion import conjugate, exponential, multiplied, products
from tinkerdyne.sketch.shooting import paths, shooting
from tinkerdyne.sketch.terms import Array

if TYPE_CHECKING:
    from tinkerdyne.sketch.articulated import Track, TreeSketch

AGAIN = 2  # first guesses of one start
LONG = 150  # iterations
ROUNDS = 4  # of solving and assigning
SETTLED = 1e-2  # share of the motion: samples that move less have found their times
MET = 1e-8  # a gap, and a place that is off, that count as none
FAR = 8.0  # rad/s: a step of Newton's method that changes a rate by more is not trusted
QUICK = 0.5  # the matrix of a step costs twenty times what its right side does
WILD = 1.5  # rad/s: joint rates of a first guess that is thrown about


@dataclass
class TreeOutcome:
    """What one start came to: the motion, what the midpoint problem had of it, and how far it is from meeting everything."""

    nodes: Nodes
    middle: Nodes
    shares: list[Array]
    multipliers: tuple[Array, Array]
    cost: float
    gap: float
    off: float
    says: str
    iterations: int = 0
    seconds: float = 0.0  # of CPU
    seed: int = 0

    @property
    def is_met(self) -> bool:
        return self.gap <= MET and self.off <= MET

    @property
    def rank(self) -> tuple[bool, float]:
        return (not self.is_met, self.cost if self.is_met else max(self.gap, self.off))


def tree_start(sketch: TreeSketch, seed: int = 0, *, near: TreeOutcome | None = None, wanted: Wanted | None = None) -> TreeOutcome:
    """One start, from a first guess, thrown again where it fails, or from the solution of a sketch of the same form."""
    begin, spent, outcome = time.process_time(), 0, None
    for k in range(AGAIN if near is None else 1):
        found = _tree_start(sketch, seed + 1000 * k, near, wanted)
        spent += found.iterations
        if outcome is None or found.rank < outcome.rank:
            outcome = found
        if outcome.is_met or (wanted is not None and not wanted()):
            break
    assert outcome is not None
    return replace(outcome, seed=seed, iterations=spent, seconds=time.process_time() - begin)


def _tree_start(sketch: TreeSketch, seed: int, near: TreeOutcome | None, wanted: Wanted | None) -> TreeOutcome:
    P = midpoint(sketch)
    spent, says = 0, ""
    if near is None:
        middle = guess(sketch, seed)
        shares = [np.linspace(0, 1, len(t.places)) if t.times is None else np.clip(t.times / middle.T, 0, 1) for t in sketch.tracks]
    else:
        middle, shares = near.middle, near.shares
    multipliers: tuple[Array, Array] | None = None if near is None else near.multipliers
    cost, violation = math.inf, math.inf
    is_free = any(t.times is None for t in sketch.tracks) and near is None
    for turn in range(ROUNDS if is_free else 1):
        given = P.vectors(sketch, middle, shares)
        found = None if multipliers is None else nearby(P.terms, given["x0"], given["p"], given, *multipliers, far=FAR, quick=QUICK)
        if found is not None:
            x, multipliers, cost, violation, says = found.x, (found.lam_g, found.lam_x), found.cost, found.violation, "converged"
            spent += found.steps
        else:
            out, report = _solved(P, given, multipliers, wanted)
            x, multipliers, says = out["x"], (out["lam_g"], out["lam_x"]), report["says"]
            cost, violation = report["cost"], report["violation"]
            spent += report["iterations"]
        middle = P.nodes(x, given["p"])
        if not is_free or turn == ROUNDS - 1 or (wanted is not None and not wanted()):
            break
        moved = _assigned(sketch, middle)
        change = max((float(np.abs(a - b).max()) for a, b in zip(shares, moved, strict=True)), default=0.0)
        if change < SETTLED:
            break
        shares = moved
    assert multipliers is not None
    nodes, gap = _closed(sketch, middle if near is None else _carried(near, middle)) if violation < 1e-2 else (middle, math.inf)
    return TreeOutcome(nodes, middle, shares, multipliers, cost, gap, max(off(sketch, nodes), default=0.0), says, spent)


def _solved(P: Any, given: dict[str, Array], multipliers: Any, wanted: Wanted | None) -> tuple[dict[str, Array], dict[str, Any]]:
    """IPOPT, warm where there are multipliers, and cold where that does not converge."""
    if multipliers is not None:
        warm = {**given, "lam_g0": multipliers[0], "lam_x0": multipliers[1]}
        out, report = P.ipopt.run(warm, warm=True, most=LONG, wanted=wanted)
        if report["is_converged"] or (wanted is not None and not wanted()):
            return out, report
    found: tuple[dict[str, Array], dict[str, Any]] = P.ipopt.run(given, warm=False, most=LONG, wanted=wanted)
    return found


def _closed(sketch: TreeSketch, nodes: Nodes) -> tuple[Nodes, float]:
    """The motion of the equations of motion themselves; what lies at the bounds of the region to begin in stays there."""
    c0, _ = sketch.tree.configuration()
    away = np.abs(nodes.c[0] - c0) >= sketch.start_high - 1e-6
    away[sketch.tree.moving.ravel()] = False
    return shooting(sketch.tree, sketch.gravity).close(nodes, (sketch.start_high <= 0) | away, sketch.holds)


def _carried(near: TreeOutcome, middle: Nodes) -> Nodes:
    """A solution of the midpoint problem, corrected as its neighbour was."""
    was, now = near.middle, near.nodes
    Q = middle.Q.copy()
    for j in range(Q.shape[2]):
        Q[:, :, j] = products(Q[:, :, j], products(conjugate(was.Q[:, :, j]), now.Q[:, :, j]))
    return Nodes(middle.T, middle.c + now.c - was.c, Q, middle.u + now.u - was.u)


def off(sketch: TreeSketch, nodes: Nodes) -> list[float]:
    """How far each held point is from its place [m]."""
    out = []
    for hold in sketch.holds:
        at = paths(sketch.tree, nodes, hold.link, hold.at)[hold.node]
        out.append(float(np.maximum(np.maximum(hold.low - at, at - hold.high), 0).max()))
    return out


def _assigned(sketch: TreeSketch, nodes: Nodes) -> list[Array]:
    """The samples at their best times along the motion, in order."""
    out = []
    for track in sketch.tracks:
        if track.times is not None:
            out.append(np.clip(track.times / nodes.T, 0, 1))
            continue
        path = paths(sketch.tree, nodes, track.link, track.at)
        grid = np.linspace(0, len(path) - 1, 10 * (len(path) - 1) + 1)
        dense = np.stack([np.interp(grid, np.arange(len(path)), path[:, k]) for k in range(3)], axis=1)
        one = np.ones(len(track.places))
        D = distances(track.places, None, dense, dense, one, one)
        out.append(refined(D, monotone(D)) / (len(grid) - 1))
    return out


# --- first guesses ------------------------------------------------------------------------------
def guess(sketch: TreeSketch, seed: int = 0) -> Nodes:
    """The tree as it is now, thrown so that the followed points fly through their samples; seed 0 is the fit itself."""
    tree, N = sketch.tree, sketch.steps
    rng = np.random.default_rng(seed)
    c, Q = tree.configuration()
    is_free = tree.links[0].joint == "free"
    low, high = sketch.duration
    T, v = (low + high) / 2, np.zeros(3)
    thrown = _paths(sketch) if is_free else []
    if thrown:
        extent = max(float(np.linalg.norm(np.ptp(np.concatenate(thrown), axis=0))), 1e-3)
        g = float(np.linalg.norm(sketch.gravity))
        times = np.clip(start.SCAN * math.sqrt(extent / g) if g else np.linspace(low, high, 8), low, high)
        costs, _, speeds, _ = start.fitted(thrown, sketch.gravity, times)
        best = int(costs.argmin())
        T, v = float(times[best]), np.mean([one[best] for one in speeds], axis=0)
    timed: list[Track] = [track for track in sketch.tracks if track.times is not None]
    if timed:
        T = float(np.clip(max(t.times[-1] for t in timed if t.times is not None), low, high))
    u = np.zeros(tree.freedoms)
    if seed:
        longer = float(np.clip(T * np.exp(0.18 * rng.normal()), low, high)) if not timed else T
        if thrown:
            v = v * T / longer - sketch.gravity * (longer - T**2 / longer) / 2  # the same end, later
        T = longer
        u = WILD * rng.normal(size=tree.freedoms)
    if is_free:
        u[:3] = v
    t = np.linspace(0, T, N + 1)
    cs, us, Qs = c + np.outer(t, u), np.tile(u, (N + 1, 1)), np.tile(Q, (N + 1, 1, 1))
    for j, at in enumerate(tree.moving):
        for k in range(N + 1):
            Qs[k, :, j] = multiplied(Q[:, j], exponential(t[k] * u[at]))
    if is_free:
        cs[:, :3] += np.outer(t**2 / 2, sketch.gravity)
        us[:, :3] += np.outer(t, sketch.gravity)
        cs[:, 3:] = np.clip(cs[:, 3:], -ANGLE, ANGLE)
    cs[:, tree.moving.ravel()] = 0.0
    return Nodes(T, cs, Qs, us)


def _paths(sketch: TreeSketch) -> list[Array]:
    """What a free root is thrown along: the samples, or the way to where a point must be at the end."""
    if sketch.tracks:
        return [track.places for track in sketch.tracks]
    c, Q = sketch.tree.configuration()
    x, R = sketch.tree.posed(c[None], Q[None])
    for hold in sketch.holds:
        if hold.node == sketch.steps:
            here = x[0, hold.link] + R[0, hold.link] @ np.array(hold.at)
            return [np.stack([here, np.clip(here, hold.low, hold.high)])]
    return []


# --- several starts -----------------------------------------------------------------------------
def tree_starts(sketch: TreeSketch, seeds: list[int], *, executor: Executor | None, wanted: Wanted | None) -> Iterator[TreeOutcome]:
    """The outcomes of several starts as they come, from an executor or one after another."""
    from tinkerdyne.sketch.document import document_of

    work = functools.partial(tree_start, sketch) if executor is None else functools.partial(_told, document_of(sketch))
    return spread(executor, work, seeds, wanted=wanted)


def _told(told: dict[str, Any], seed: int, *, wanted: Wanted | None) -> TreeOutcome:
    """One start in another process, of a sketch that came as a document."""
    from tinkerdyne.sketch.file import sketch_of

    sketch: Any = sketch_of(told)
    return tree_start(sketch, seed, wanted=wanted)
