"""Solving sketches of trees: the midpoint problem in turn with the samples' times, then multiple shooting;
several starts (M7)."""

from __future__ import annotations

import copy
import functools
import math
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import conjugate, products
from tinkerdyne.sketch.disturb import rounded
from tinkerdyne.sketch.solve.assign import distances, monotone, refined
from tinkerdyne.sketch.solve.ipopt import Report
from tinkerdyne.sketch.solve.newton import nearby
from tinkerdyne.sketch.solve.parallel import Wanted, alone, spread
from tinkerdyne.sketch.tell.entries import Document
from tinkerdyne.sketch.tree.guess import MET, closed, guess, stays
from tinkerdyne.sketch.tree.midpoint import Midpoint, Nodes, held_along, midpoint
from tinkerdyne.sketch.tree.refit import refitted
from tinkerdyne.sketch.tree.shooting import paths, shooting

if TYPE_CHECKING:
    from tinkerdyne.sketch.tree.sketch import TreeSketch

AGAIN = 2  # first guesses of one start
LONG = 150  # iterations
ROUNDS = 4  # of solving and assigning
SETTLED = 1e-2  # share of the motion: samples that move less have found their times
FAR = 8.0  # rad/s: a step of Newton's method that changes a rate by more is not trusted
QUICK = 0.5  # the matrix of a step costs twenty times what its right side does


@dataclass
class TreeOutcome:
    """What one start came to: the motion, what the midpoint problem had of it, and how far it is from meeting
    everything."""

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
    bound: str = ""  # what it ran into, in words
    is_fitted: bool = False  # whether it was fitted to its samples once more

    @property
    def is_met(self) -> bool:
        return self.gap <= MET and self.off <= MET

    @property
    def rank(self) -> tuple[bool, float]:
        return (not self.is_met, self.cost if self.is_met else max(self.gap, self.off))


@alone
def tree_start(
    sketch: TreeSketch,
    seed: int = 0,
    *,
    near: TreeOutcome | None = None,
    begin: Nodes | None = None,
    wanted: Wanted | None = None,
) -> TreeOutcome:
    """One start, from a first guess, thrown again where it fails, or from the solution of a sketch of the
    same form, or from a motion to begin with."""
    clock, spent, outcome = time.process_time(), 0, None
    sketch = copy.copy(sketch)
    sketch.tracks = [replace(track, places=rounded(track.places)) for track in sketch.tracks]
    for k in range(AGAIN if near is None and begin is None else 1):
        first = guess(sketch, seed + 1000 * k, swings=k == 0) if near is None and begin is None else begin
        attempt = _tree_start(sketch, near, first, wanted)
        spent += attempt.iterations
        if outcome is None or attempt.rank < outcome.rank:
            outcome = attempt
        if outcome.is_met or (wanted is not None and not wanted()):
            break
    assert outcome is not None
    return replace(outcome, seed=seed, iterations=spent, seconds=time.process_time() - clock)


def _tree_start(
    sketch: TreeSketch, near: TreeOutcome | None, first: Nodes | None, wanted: Wanted | None
) -> TreeOutcome:
    """From the solution of a sketch of the same form, or from a first guess."""
    P = midpoint(sketch)
    spent, says = 0, ""
    if near is None:
        assert first is not None
        middle = first = Nodes(first.T, rounded(first.c), rounded(first.Q), rounded(first.u))
        shares = [
            np.linspace(0, 1, len(t.places)) if t.times is None else t.times / middle.T for t in sketch.tracks
        ]
    else:
        middle, shares = near.middle, near.shares
    multipliers: tuple[Array, Array] | None = None if near is None else near.multipliers
    cost = math.inf
    is_free = near is None and (
        any(t.times is None for t in sketch.tracks) or (sketch.timed > 0 and np.ptp(sketch.longest) > 0)
    )
    for turn in range(ROUNDS):
        given = P.vectors(sketch, middle, shares)
        settled = (
            None
            if multipliers is None
            else nearby(P.terms, given["x0"], given["p"], given, *multipliers, far=FAR, quick=QUICK)
        )
        if settled is not None:
            x, multipliers, cost, says = settled.x, (settled.lam_g, settled.lam_x), settled.cost, "converged"
            spent += settled.steps
        else:
            out, report = _solved(P, given, multipliers, wanted)
            x, multipliers, says = out["x"], (out["lam_g"], out["lam_x"]), report.says
            cost = report.cost
            spent += report.iterations
        middle = P.nodes(x, given["p"])
        is_far = P.is_far(x)
        if not (is_free or is_far) or turn == ROUNDS - 1 or (wanted is not None and not wanted()):
            break
        moved = _assigned(sketch, middle)
        change = max((float(np.abs(a - b).max()) for a, b in zip(shares, moved, strict=True)), default=0.0)
        if change < SETTLED and not is_far:
            break
        shares = moved
    assert multipliers is not None
    nodes, _ = closed(sketch, middle if near is None else _carried(near, middle))
    rates, far = shooting(sketch.tree, sketch.gravity), max(off(sketch, nodes), default=0.0)
    outcome = TreeOutcome(
        nodes, middle, shares, multipliers, cost, rates.gap(nodes), far, says, spent, bound=P.bound(x)
    )
    if sketch.tracks and (sketch.timed or near is None or near.is_fitted) and (wanted is None or wanted()):
        outcome = _refitted(sketch, outcome, wanted)
    if first is None or outcome.is_met:
        return outcome
    # where the first guess meets everything, it is better than nothing
    given = P.vectors(sketch, first, shares)
    cost = P.terms.first(given["x0"], given["p"], np.zeros(P.g.size))[0]
    led, _ = closed(sketch, first)
    other = replace(outcome, nodes=led, cost=cost, gap=rates.gap(led), off=max(off(sketch, led), default=0.0))
    return min(outcome, other, key=lambda o: o.rank)


def _solved(
    P: Midpoint, given: dict[str, Array], multipliers: tuple[Array, Array] | None, wanted: Wanted | None
) -> tuple[dict[str, Array], Report]:
    """IPOPT, warm where there are multipliers, and cold where that does not converge."""
    if multipliers is not None:
        warm = {**given, "lam_g0": multipliers[0], "lam_x0": multipliers[1]}
        out, report = P.ipopt.run(warm, warm=True, most=LONG, wanted=wanted)
        if report.is_converged or (wanted is not None and not wanted()):
            return out, report
    return P.ipopt.run(given, warm=False, most=LONG, wanted=wanted)


def best_of(sketch: TreeSketch, outcomes: list[TreeOutcome], wanted: Wanted | None) -> TreeOutcome:
    """The best of several starts, fitted to its samples where it was not yet: its problem has them at its
    nodes."""
    best = min(outcomes, key=lambda o: o.rank)
    is_rough = best.is_met and not best.is_fitted and bool(sketch.tracks)
    if len(outcomes) < 2 or not is_rough or (wanted is not None and not wanted()):
        return best
    clock = time.process_time()
    better = _refitted(sketch, best, wanted, always=True)
    return replace(better, seconds=best.seconds + time.process_time() - clock)


def _refitted(
    sketch: TreeSketch, was: TreeOutcome, wanted: Wanted | None, *, always: bool = False
) -> TreeOutcome:
    """A motion fitted to its samples once more, as the equations of motion have it, unless it meets less."""
    fitted = refitted(sketch, was.nodes, was.shares, stays(sketch, was.nodes), wanted, always=always)
    if fitted is None or not math.isfinite(fitted[2]):
        return was
    nodes, shares, cost = fitted
    far = max(off(sketch, nodes), default=0.0)
    fresh = replace(was, nodes=nodes, shares=shares, cost=cost, gap=0.0, off=far, bound="", is_fitted=True)
    return fresh if fresh.is_met else min(was, fresh, key=lambda o: o.rank)


def _carried(near: TreeOutcome, middle: Nodes) -> Nodes:
    """A solution of the midpoint problem, corrected as its neighbour was."""
    was, now = near.middle, near.nodes
    Q = middle.Q.copy()
    for j in range(Q.shape[2]):
        Q[:, :, j] = products(Q[:, :, j], products(conjugate(was.Q[:, :, j]), now.Q[:, :, j]))
    return Nodes(middle.T + now.T - was.T, middle.c + now.c - was.c, Q, middle.u + now.u - was.u)


def off(sketch: TreeSketch, nodes: Nodes) -> list[float]:
    """How far each held point is from its place [m], or each velocity or spin from its own."""
    out = []
    for hold in sketch.holds:
        at = held_along(sketch.tree, nodes, hold)[hold.node]
        out.append(float(np.maximum(np.maximum(hold.low - at, at - hold.high), 0).max()))
    return out


def _assigned(sketch: TreeSketch, nodes: Nodes) -> list[Array]:
    """The samples at their best times along the motion, in order."""
    out = []
    for track in sketch.tracks:
        if track.times is not None:
            out.append(track.times / nodes.T)
            continue
        path = paths(sketch.tree, nodes, track.link, track.at)
        grid = np.linspace(0, len(path) - 1, 10 * (len(path) - 1) + 1)
        dense = np.stack([np.interp(grid, np.arange(len(path)), path[:, k]) for k in range(3)], axis=1)
        one = np.ones(len(track.places))
        D = distances(track.places, None, dense, dense, one, one)
        out.append(refined(D, monotone(D)) / (len(grid) - 1))
    return out


# --- several starts -----------------------------------------------------------------------------
def tree_starts(
    sketch: TreeSketch, seeds: list[int], *, executor: Executor | None, wanted: Wanted | None
) -> Iterator[TreeOutcome]:
    """The outcomes of several starts as they come, from an executor or one after another."""
    from tinkerdyne.sketch.tell.document import document_of

    work = (
        functools.partial(tree_start, sketch)
        if executor is None
        else functools.partial(_start_of, document_of(sketch))
    )
    return spread(executor, work, seeds, wanted=wanted)


def _start_of(document: Document, seed: int, *, wanted: Wanted | None) -> TreeOutcome:
    """One start in another process, of a sketch that came as a document."""
    from tinkerdyne.sketch.tell.file import sketch_of
    from tinkerdyne.sketch.tree.sketch import TreeSketch

    sketch = sketch_of(document)
    assert isinstance(sketch, TreeSketch)
    return tree_start(sketch, seed, wanted=wanted)
