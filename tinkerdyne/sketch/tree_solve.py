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
from tinkerdyne.sketch.midpoint import ANGLE, RATE, Nodes, midpoint
from tinkerdyne.sketch.newton import nearby
from tinkerdyne.sketch.parallel import Wanted, spread
from tinkerdyne.sketch.quaternion import conjugate, exponential, multiplied, products
from tinkerdyne.sketch.shooting import paths, shooting
from tinkerdyne.sketch.terms import Array

if TYPE_CHECKING:
    from tinkerdyne.sketch.articulated import Hold, Track, TreeSketch

AGAIN = 2  # first guesses of one start
LONG = 150  # iterations
ROUNDS = 4  # of solving and assigning
SETTLED = 1e-2  # share of the motion: samples that move less have found their times
MET = 1e-8  # a gap, and a place that is off, that count as none
FAR = 8.0  # rad/s: a step of Newton's method that changes a rate by more is not trusted
QUICK = 0.5  # the matrix of a step costs twenty times what its right side does
SWINGS, FINE = 16, 96  # motions of a clamped tree that a first guess is chosen from, and the steps of each
LED, LEAST = 4, 0.02  # how many of them are led to where points must be, and the least part of the way at a time
HASTE = 0.3  # m/s: of motions that come near alike the shorter is taken, which depends less on how it begins
TRIED = 8.0  # rad/s: their joint rates, from none to these
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
        found = _tree_start(sketch, seed + 1000 * k, near, wanted, swings=k == 0)
        spent += found.iterations
        if outcome is None or found.rank < outcome.rank:
            outcome = found
        if outcome.is_met or (wanted is not None and not wanted()):
            break
    assert outcome is not None
    return replace(outcome, seed=seed, iterations=spent, seconds=time.process_time() - begin)


def _tree_start(
    sketch: TreeSketch, seed: int, near: TreeOutcome | None, wanted: Wanted | None, *, swings: bool
) -> TreeOutcome:
    P = midpoint(sketch)
    spent, says = 0, ""
    first: Nodes | None = None
    if near is None:
        middle = first = guess(sketch, seed, swings=swings)
        shares = [np.linspace(0, 1, len(t.places)) if t.times is None else np.clip(t.times / middle.T, 0, 1) for t in sketch.tracks]
    else:
        middle, shares = near.middle, near.shares
    multipliers: tuple[Array, Array] | None = None if near is None else near.multipliers
    cost = math.inf
    is_free = any(t.times is None for t in sketch.tracks) and near is None
    for turn in range(ROUNDS if is_free else 1):
        given = P.vectors(sketch, middle, shares)
        found = None if multipliers is None else nearby(P.terms, given["x0"], given["p"], given, *multipliers, far=FAR, quick=QUICK)
        if found is not None:
            x, multipliers, cost, says = found.x, (found.lam_g, found.lam_x), found.cost, "converged"
            spent += found.steps
        else:
            out, report = _solved(P, given, multipliers, wanted)
            x, multipliers, says = out["x"], (out["lam_g"], out["lam_x"]), report["says"]
            cost = report["cost"]
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
    nodes, _ = _closed(sketch, middle if near is None else _carried(near, middle))
    rates, far = shooting(sketch.tree, sketch.gravity), max(off(sketch, nodes), default=0.0)
    outcome = TreeOutcome(nodes, middle, shares, multipliers, cost, rates.gap(nodes), far, says, spent)
    if first is None or outcome.is_met:
        return outcome
    given = P.vectors(sketch, first, shares)  # where the first guess meets everything, it is better than nothing
    cost = P.terms.first(given["x0"], given["p"], np.zeros(P.g.size))[0]
    led, _ = _closed(sketch, first)
    other = replace(outcome, nodes=led, cost=cost, gap=rates.gap(led), off=max(off(sketch, led), default=0.0))
    return min(outcome, other, key=lambda o: o.rank)


def _solved(P: Any, given: dict[str, Array], multipliers: Any, wanted: Wanted | None) -> tuple[dict[str, Array], dict[str, Any]]:
    """IPOPT, warm where there are multipliers, and cold where that does not converge."""
    if multipliers is not None:
        warm = {**given, "lam_g0": multipliers[0], "lam_x0": multipliers[1]}
        out, report = P.ipopt.run(warm, warm=True, most=LONG, wanted=wanted)
        if report["is_converged"] or (wanted is not None and not wanted()):
            return out, report
    found: tuple[dict[str, Array], dict[str, Any]] = P.ipopt.run(given, warm=False, most=LONG, wanted=wanted)
    return found


def _closed(sketch: TreeSketch, nodes: Nodes, holds: list[Hold] | None = None) -> tuple[Nodes, float]:
    """The motion of the equations of motion themselves; what lies at the bounds of the region to begin in stays there."""
    c0, _ = sketch.tree.configuration()
    away = np.abs(nodes.c[0] - c0) >= sketch.start_high - 1e-6
    away[sketch.tree.moving.ravel()] = False
    wanted = sketch.holds if holds is None else holds
    return shooting(sketch.tree, sketch.gravity).close(nodes, (sketch.start_high <= 0) | away, wanted)


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
def guess(sketch: TreeSketch, seed: int = 0, *, swings: bool = True) -> Nodes:
    """The tree as it is now, thrown so that the followed points fly through their samples; seed 0 is the fit itself. A clamped tree
    swings, or else stays as it is."""
    tree, N = sketch.tree, sketch.steps
    rng = np.random.default_rng(seed)
    c, Q = tree.configuration()
    is_free = tree.links[0].joint == "free"
    if swings and not is_free:
        return _swung(sketch, rng)
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


def _swung(sketch: TreeSketch, rng: Any) -> Nodes:
    """Of several motions of a clamped tree, from rest and from random rates, each for several times, that which fits best."""
    (low, high), rates = sketch.duration, shooting(sketch.tree, sketch.gravity)
    c, Q = sketch.tree.configuration()
    c[sketch.tree.moving.ravel()] = 0.0
    u = np.linspace(0, TRIED, SWINGS)[:, None] * rng.normal(size=(SWINGS, sketch.tree.freedoms))
    begin = rates.packed(Nodes(high, np.tile(c, (SWINGS, 1)), np.tile(Q, (SWINGS, 1, 1)), u))
    h = high / FINE
    motion = [begin]
    for _ in range(FINE):
        motion.append(rates.step(motion[-1], h))
    timed = [float(t.times[-1]) for t in sketch.tracks if t.times is not None]
    ends = [k for k in range(1, FINE + 1) if k * h >= low - h / 2] if not timed else [round(max(timed) / h)]
    ends = [int(np.clip(k, 1, FINE)) for k in ends]
    scores = []
    for i in range(SWINGS):
        whole = rates.unpacked(high, np.array([one[i] for one in motion]))
        if all(np.isfinite(part).all() for part in (whole.c, whole.Q, whole.u)):
            each = [(math.sqrt(_misfit(sketch, whole, k)) + HASTE * k * h, k) for k in ends]
            scores.append((*min(each), i))
    first: Nodes | None = None
    for _, k, i in sorted(scores)[:LED]:
        T = float(np.clip(k * h, low, high))
        rows = [begin[[i]]]
        for _ in range(sketch.steps):
            rows.append(rates.step(rows[-1], T / sketch.steps))
        nodes = rates.unpacked(T, np.concatenate(rows))
        if first is None:
            first = nodes
        led, is_there = _led(sketch, nodes)
        if is_there:
            return led
    return first if first is not None else guess(sketch, swings=False)


def _led(sketch: TreeSketch, nodes: Nodes) -> tuple[Nodes, bool]:
    """A motion changed little by little, each a true one, until the held points are where they must be; and whether they are."""
    places = [paths(sketch.tree, nodes, hold.link, hold.at)[hold.node] for hold in sketch.holds]
    done, part = 0.0, 0.25
    while done < 1 and part > LEAST:
        share = min(1.0, done + part)
        holds = [replace(hold, low=low, high=high) for hold, at in zip(sketch.holds, places, strict=True)
                 for low, high in [_towards(at, hold, share)]]  # fmt: skip
        found, gap = _closed(sketch, nodes, holds)
        if gap <= MET and np.abs(found.u).max() < RATE:
            nodes, done, part = found, share, 1.5 * part
        else:
            part /= 2
    return nodes, done >= 1


def _towards(at: Array, hold: Hold, share: float) -> tuple[Array, Array]:
    """The bounds of a held point, moved so far from where it is."""
    rest = (1 - share) * (at - np.clip(at, hold.low, hold.high))
    return hold.low + rest, hold.high + rest


def _misfit(sketch: TreeSketch, whole: Nodes, end: int) -> float:
    """How far a motion that ends at a moment is from what is asked of it [m²]."""
    out = 0.0
    for hold in sketch.holds:
        at = paths(sketch.tree, whole, hold.link, hold.at)[round(end * hold.node / sketch.steps)]
        out += float(((at - np.clip(at, hold.low, hold.high)) ** 2).sum())
    for track in sketch.tracks:
        n = len(track.places)
        shares = np.linspace(0, 1, n) if track.times is None else np.clip(track.times / max(track.times[-1], 1e-9), 0, 1)
        at = paths(sketch.tree, whole, track.link, track.at)[np.round(end * shares).astype(int)]
        out += track.weight * float(((at - track.places) ** 2).sum()) / n
    return out


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
