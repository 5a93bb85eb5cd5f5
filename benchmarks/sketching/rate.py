"""The rate: how many sketches of a family are solved, before and after
an edit, and whether verdicts are wrong.

`python -m benchmarks.sketching.rate flips 0 10` tells of ten of a family, one by one."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import typer

from tinkerdyne.sketch.disturb import disturbed
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tree.guess import stays
from tinkerdyne.sketch.tree.midpoint import CALM, spinning
from tinkerdyne.sketch.tree.refit import Refit
from tinkerdyne.sketch.tree.sketch import TreeSketch

from .families import FAMILIES, edited

STARTS = 8
MET = 1e-6  # of a row, in the sketch's units
NEAR = 1.05  # of the cost of the motion that made the sketch
EXACT = 1e-4  # extents by which the engine may end elsewhere
SUNK = 3e-4  # extents
SOUGHT = 4  # times that samples without times look for the nearest moment


@dataclass(frozen=True)
class Tried:
    """What one sketch came to."""

    is_solved: bool
    is_solved_again: bool
    is_false: bool  # a verdict that is wrong
    seconds: float  # of CPU, cold
    again: float  # and after an edit
    share: float  # of the cost of the motion that made it
    says: str


def tried(family: str, seed: int, *, digits: int | None = None, starts: int = STARTS) -> Tried:
    """One sketch, solved and edited."""
    if digits is not None:
        with disturbed(digits, 10.0 ** np.random.default_rng(digits).uniform(-14, -12)):
            return _tried(family, seed, starts)
    return _tried(family, seed, starts)


def _tried(family: str, seed: int, starts: int) -> Tried:
    made = FAMILIES[family](seed)
    solution = made.sketch.solve(restarts=starts)
    off = _violation(solution)
    share = _cost(solution) / made.cost
    is_solved = solution.is_met and off < MET and share <= NEAR
    is_false = solution.is_met and not is_true(solution)
    says = str(solution).splitlines()[0]
    if not is_solved and solution.is_met:
        says = f"met, but costs {share:.3f} of the truth"
    sketch = edited(made, seed)
    begin = time.process_time()
    again = sketch.solve(near=solution, restarts=starts)
    seconds = time.process_time() - begin
    is_solved_again = again.is_met and _violation(again) < MET
    is_false = is_false or (again.is_met and not is_true(again))
    return Tried(is_solved, is_solved_again, is_false, _cpu(solution), seconds, share, says)


def _cpu(solution: Any) -> float:
    if isinstance(solution.sketch, TreeSketch):
        return float(sum(outcome.seconds for outcome in solution.others))
    return float(solution.cpu)


def _cost(solution: Any) -> float:
    """What a motion costs; of a tree as the motion itself has it, since its problem counts samples at its
    nodes."""
    if not isinstance(solution.sketch, TreeSketch):
        return float(solution.cost)
    nodes = solution.nodes
    motion = Refit(solution.sketch, nodes, solution.shares, stays(solution.sketch, nodes))
    for _ in range(SOUGHT):
        motion.shares = motion.retimed(motion.y, motion.T)[0]
    fit = motion.rows(motion.y, np.array([motion.T]))[0][0]
    calm = (nodes.u[:, spinning(solution.sketch.tree)] ** 2).sum() / len(nodes.u)
    return float(fit @ fit + CALM * calm)


def _violation(solution: Any) -> float:
    outcome = solution.outcome
    return max(outcome.gap, outcome.off) if isinstance(solution.sketch, TreeSketch) else outcome.violation


def is_true(solution: Any) -> bool:
    """Whether a motion that is called met is one, as the engine and a close look have it."""
    if isinstance(solution.sketch, TreeSketch):
        return bool(solution.end_by_rk4(1500) < MET)
    L = solution.statement.units.length
    if solution.replayed() > EXACT * L:
        return False
    t = np.linspace(0, solution.seconds, 1200)
    for body in solution.sketch.bodies:
        tips = shape_of(body).tips
        states = [solution.at(body, float(when)) for when in t[::3]]
        from tinkerdyne.objects.rotation import matrices

        x = np.array([one["position"] for one in states])
        R = matrices(np.array([one["orientation"] for one in states]))
        for plane in solution.sketch.surfaces:
            n = np.array(plane.normal)
            low = ((x - plane.origin) @ n)[:, None] + tips.lowest(R.transpose(0, 2, 1) @ n)
            if low.min() < -SUNK * L:
                return False
    return all(one.size < 1e-5 for one in solution.residuals)


def main(
    family: Annotated[str, typer.Argument()],
    first: Annotated[int, typer.Argument()] = 0,
    count: Annotated[int, typer.Argument()] = 5,
    digits: Annotated[int, typer.Option(help="last digits of this draw")] = -1,
) -> None:
    """Tell of some sketches of a family, one by one."""
    solved = again = 0
    cpu = []
    for seed in range(first, first + count):
        try:
            one = tried(family, seed, digits=None if digits < 0 else digits)
        except Exception as problem:
            print(f"{family} {seed}: {type(problem).__name__}: {problem}", flush=True)
            continue
        solved, again = solved + one.is_solved, again + one.is_solved_again
        cpu.append(one.seconds)
        flag = "FALSE " if one.is_false else ""
        what = "" if one.is_solved else f" · {one.says}"
        rest = "" if one.is_solved_again else " · not after the edit"
        print(
            f"{family} {seed}: {flag}{one.share:.4f} {one.seconds:.2f} s {one.again:.2f} s{what}{rest}",
            flush=True,
        )
    print(f"{family}: {solved} of {count}, {again} after an edit, {sum(cpu):.1f} s of CPU", flush=True)


if __name__ == "__main__":
    typer.run(main)
