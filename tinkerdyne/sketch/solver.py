"""Solving: one start of the optimisation, and many starts in parallel processes (M3–M5).

A start fits the flights one by one, in turn with the assignment of samples to times; then one solve with the times as unknowns
too ends at a local optimum of both. Where that fails, solves with the times given alternate with assignments first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tinkerdyne.sketch.flight import Array
from tinkerdyne.sketch.problem import Problem, problem
from tinkerdyne.sketch.statement import Point, Statement

FEASIBLE = 1e-7  # largest violation of a row that counts as met, in the sketch's units
ROUNDS = 4  # of solving and assigning, where times as unknowns fail at first
AGAIN = 3  # first guesses of one start
LONG = 120  # iterations after which another way is tried
QUICK = 40  # iterations of a warm start that goes well
SETTLED = 2e-3  # share of a flight: samples that move less have found their times


@dataclass
class Multipliers:
    """Of the rows and of the bounds, by name, so that they carry over to a problem that shares them."""

    rows: dict[str, Array] = field(default_factory=dict)
    bounds: dict[str, Array] = field(default_factory=dict)


@dataclass
class Outcome:
    """What one start came to, in the sketch's units."""

    point: Point
    cost: float
    violation: float
    is_converged: bool
    says: str
    corners: list[Array | None]
    multipliers: Multipliers
    has_gaps: bool = False
    iterations: int = 0
    seconds: float = 0.0  # of CPU
    seed: int = 0

    @property
    def is_feasible(self) -> bool:
        return self.violation <= FEASIBLE

    @property
    def rank(self) -> tuple[bool, float]:
        """Feasible ones first, then by cost; of those that are not, by how far they are off."""
        return (not self.is_feasible, self.cost if self.is_feasible else self.violation)


def minimise(
    P: Problem, x: Array, p: Array, bounds: dict[str, Array], warm: Multipliers | None = None, *, most: int = 300
) -> tuple[Array, dict[str, Any], Multipliers]:
    """Run IPOPT from x; with multipliers it is started warm."""
    solver = P.solver(warm=warm is not None, most=most)
    x = np.clip(x, bounds["lbx"], bounds["ubx"])
    given: dict[str, Any] = {"x0": x, "p": p, **bounds}
    if warm is not None:
        lam_g, lam_x = np.zeros(P.g.size), np.zeros(P.x.size)
        for layout, whole, known in ((P.g, lam_g, warm.rows), (P.x, lam_x, warm.bounds)):
            for name, at in layout.parts.items():
                if name in known:
                    whole[at] = known[name]
        given |= {"lam_g0": lam_g, "lam_x0": lam_x}
    found = solver(**given)
    stats = solver.stats()
    out = np.array(found["x"]).ravel()
    g = np.array(found["g"]).ravel()
    off = np.maximum(np.maximum(bounds["lbg"] - g, g - bounds["ubg"]), 0.0)
    violation = float(off.max(initial=0.0)) if np.all(np.isfinite(out)) and np.all(np.isfinite(g)) else np.inf
    lam_g, lam_x = np.array(found["lam_g"]).ravel(), np.array(found["lam_x"]).ravel()
    multipliers = Multipliers(
        {name: lam_g[at] for name, at in P.g.parts.items()}, {name: lam_x[at] for name, at in P.x.parts.items()}
    )
    report = {"cost": float(found["f"]), "violation": violation, "is_converged": bool(stats["success"]),
              "says": str(stats["return_status"]), "iterations": int(stats["iter_count"])}  # fmt: skip
    return out, report, multipliers


def start(statement: Statement, seed: int = 0, *, near: Outcome | None = None, again: int = AGAIN, **options: Any) -> Outcome:
    """One start, thrown again where it fails: a first guess may lie where no solver finds out."""
    begin, spent, outcome = time.process_time(), 0, None
    for k in range(again if near is None else 1):
        found = _start(statement, seed + 1000 * k, near=near, **options)
        spent += found.iterations
        if outcome is None or found.rank < outcome.rank:
            outcome = found
        if outcome.is_feasible:
            break
    assert outcome is not None
    return replace(outcome, seed=seed, iterations=spent, seconds=time.process_time() - begin)


def _start(
    statement: Statement,
    seed: int = 0,
    *,
    has_gaps: bool = False,
    near: Outcome | None = None,
    corners: list[Array | None] | None = None,
    wanted: Callable[[], bool] = lambda: True,
    settles: bool = True,
) -> Outcome:
    """One start: from a first guess of its own, or warm from a solution of a sketch with the same structure.

    settles: whether the samples' times are unknowns in the end; without, a warm start keeps the times that they had.
    """
    begin = time.process_time()
    P = problem(statement.structure(has_gaps=has_gaps))
    multipliers: Multipliers | None = None
    spent = 0
    if near is not None:
        point, corners, multipliers = near.point, near.corners, near.multipliers
    else:
        point = statement.guess(seed)
        if corners is None:
            corners = [None] * len(statement.collisions)
            if any(c.body is not None and c.at is None for c in statement.collisions):
                point, corners, spent = relaxed(statement, P, point)
    p0 = statement.parameters(P, corners)
    bounds = statement.bounds(P)
    joint = statement.structure(has_gaps=has_gaps, frees_times=settles)
    is_joint = joint.frees_times
    report: dict[str, Any] = {}
    for patience in (False, True) if is_joint and near is None else (not is_joint,):
        if patience:  # with the times given; where they are unknown, only when that was needed
            for _ in range(ROUNDS if is_joint else 1):
                x, p = statement.vectors(P, point, p0)
                x, report, found = minimise(
                    P, x, p, bounds, multipliers, most=(LONG if is_joint else 300) if near is None else QUICK
                )
                spent += report["iterations"]
                if not report["is_converged"] and near is not None and statement.structure(frees_times=True).frees_times:
                    # the edit moves the samples' times too
                    return _start(statement, near=near, has_gaps=has_gaps, wanted=wanted, settles=True)
                if not report["is_converged"] and multipliers is not None:  # a warm start that failed
                    x, p = statement.vectors(P, point, p0)
                    x, report, found = minimise(P, x, p, bounds)
                    spent += report["iterations"]
                point = statement.point(P, x, p)
                multipliers = found if report["violation"] < 1e-3 else None
                if not is_joint:
                    break
                moved = statement.assigned(point)
                change = _moved(point, moved)
                point = moved
                if change < SETTLED or not wanted():
                    break
        if is_joint:
            Q = problem(joint)
            q0, joint_bounds = statement.parameters(Q, corners), statement.bounds(Q)
            x, p = statement.vectors(Q, point, q0)
            x, report, found = minimise(Q, x, p, joint_bounds, multipliers, most=300 if patience else LONG)
            spent += report["iterations"]
            if report["violation"] <= FEASIBLE:
                multipliers, point = found, statement.point(Q, x, p)
                break
            if patience:
                point = statement.point(Q, x, p)
    return Outcome(
        point, report["cost"], report["violation"], report["is_converged"], report["says"], corners, multipliers or Multipliers(),
        has_gaps, spent, time.process_time() - begin, seed,
    )  # fmt: skip


def _moved(a: Point, b: Point) -> float:
    """How far samples moved, as a share of their flights."""
    pairs = [(s, t) for one, two in zip(a.shares, b.shares, strict=True) for s, t in zip(one, two, strict=True)]
    return max((float(np.abs(s - t).max(initial=0.0)) for s, t in pairs), default=0.0)


def relaxed(statement: Statement, P: Problem, point: Point) -> tuple[Point, list[Array | None], int]:
    """The aligned grid without collisions: where the poses of a continuous motion have their lowest corners (MS03 §5.1)."""
    corners: list[Array | None] = [None] * len(statement.collisions)
    x, p = statement.vectors(P, point, statement.parameters(P, corners))
    x, report, _ = minimise(P, x, p, statement.bounds(P, relaxed=True))
    found = statement.assigned(statement.point(P, x, p))
    return found, statement.lowest(found), report["iterations"]


def starts(
    statement: Statement,
    seeds: list[int],
    *,
    has_gaps: bool,
    executor: Executor | None,
    again: int = AGAIN,
    wanted: Callable[[], bool] = lambda: True,
) -> Iterator[Outcome]:
    """The outcomes of several starts as they come, from an executor or one after another."""
    if executor is None:
        for seed in seeds:
            if not wanted():
                return
            yield start(statement, seed, has_gaps=has_gaps, again=again, wanted=wanted)
        return
    waiting = {executor.submit(start, statement, seed, has_gaps=has_gaps, again=again) for seed in seeds}
    try:
        for done in as_completed(waiting):
            yield done.result()
            if not wanted():
                return
    finally:
        for one in waiting:
            one.cancel()


__all__ = ["Multipliers", "Outcome", "minimise", "start", "starts"]
