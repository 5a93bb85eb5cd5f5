"""Integrators from outside the compiled loop: scipy's LSODA (Adams and BDF with automatic switching) and
DOP853, guarded (R6).

The right-hand side is the engine's own acceleration. scipy hangs or "succeeds" on a NaN, so one ends the run
at once and the last good state is kept.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.records import Vel
from tinkerdyne.engine.steppers.budget import Budget
from tinkerdyne.engine.steppers.reach import Reach
from tinkerdyne.language.arrays import Array

SCIPY = {"lsoda": "LSODA", "dop853": "DOP853"}
EVALUATIONS = 16  # a step, about


class Solver(Protocol):
    """What is asked of scipy's solvers."""

    status: str
    t: float
    y: Array
    nfev: int
    step_size: float | None

    def step(self) -> object: ...


class Ending(Enum):
    """How a run ended."""

    DONE = "all of it was integrated"
    LOST = "the motion stopped being finite, or gained without bound; nothing has changed"
    TOO_MANY = "the budget of evaluations was used up; the motion so far was kept"


class NotFinite(Exception):
    """The right-hand side stopped being a number, or the energy came from nowhere."""


def rates(engine: Engine, y: Array, t: float) -> Array:
    """(q', v') at a state, through the compiled evaluation."""
    engine.set_state_vector(y, t)
    engine.program.evaluate_rates()
    out = np.concatenate([engine.arena.qdot, engine.arena.velocity_vector(Vel.ACC)])
    if not np.all(np.isfinite(out)):
        engine.lost.append((t, np.array(y)))
        raise NotFinite
    return out


def run_scipy(engine: Engine, method: str, seconds: float, rtol: float, atol: float) -> Ending:
    """Integrate with scipy, then project, in bounded work."""
    from scipy import integrate

    start, t0 = engine.state_vector(), engine.scalars.time
    kind = getattr(integrate, SCIPY[method])

    def begun(t: float, y: Array) -> tuple[Solver, float]:
        longest = _slow_enough(engine)
        return kind(
            lambda t, y: rates(engine, y, t), t, y, t0 + seconds, rtol=rtol, atol=atol, max_step=longest
        ), longest

    try:
        solver, longest = begun(t0, start)
        budget, reach = Budget(t0, t0 + seconds, EVALUATIONS), Reach(engine)
        while solver.status == "running":
            if not budget.is_left(solver.t):
                return _stopped(engine, solver)
            asked = solver.nfev
            solver.step()
            budget.spend(solver.nfev - asked)
            engine.set_state_vector(solver.y, solver.t)
            engine.program.evaluate_free()
            if not reach.holds():
                raise NotFinite
            if engine.overview.counts_turns and solver.status == "running":
                engine.program.wind_turns()
                if _slow_enough(engine) < 0.5 * longest:  # it turns faster now: shorter steps from here
                    solver, longest = begun(solver.t, solver.y)
        ok = solver.status == "finished" and bool(np.all(np.isfinite(solver.y)))
    except NotFinite:
        ok = False
    if not ok:
        engine.set_state_vector(start, t0)
        return Ending.LOST
    engine.set_state_vector(solver.y, t0 + seconds)
    if engine.scalars.feedback == 0:
        engine.program.project(20)
    return Ending.DONE


def _stopped(engine: Engine, solver: Solver) -> Ending:
    """An end on the way, with what was integrated."""
    engine.set_state_vector(solver.y, solver.t)
    engine.scalars.next_step = solver.step_size or 0.0
    return Ending.TOO_MANY


def _slow_enough(engine: Engine) -> float:
    """The longest step in which no body turns by more than half a radian, where turns are counted."""
    if not engine.overview.counts_turns:
        return float("inf")
    return 0.5 / max(float(np.abs(engine.arena.v).max(initial=0.0)), 1e-3)


def coefficients() -> Array:
    """DOP853's numbers in the order that the compiled method reads them."""
    from scipy.integrate import DOP853 as D

    out = np.zeros(307)
    A = np.zeros((12, 12))
    A[:, :] = np.asarray(D.A)[:12, :12]
    parts = [A.ravel(), D.B, D.C[:12], np.asarray(D.E3)[:12], np.asarray(D.E5)[:12]]
    extra = np.zeros((3, 16))
    extra[:, : np.asarray(D.A_EXTRA).shape[1]] = D.A_EXTRA
    parts += [extra.ravel(), D.C_EXTRA, np.asarray(D.D).ravel()]
    flat = np.concatenate([np.asarray(p).ravel() for p in parts])
    out[: len(flat)] = flat
    return out
