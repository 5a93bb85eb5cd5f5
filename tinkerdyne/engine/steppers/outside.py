"""Integrators from outside the compiled loop: scipy's LSODA (Adams and BDF with automatic switching) and
DOP853, guarded (R6).

The right-hand side is the engine's own acceleration. scipy hangs or "succeeds" on a NaN, so one ends the run
at once and the last good state is kept.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.least_squares import accelerations, matrices
from tinkerdyne.engine.records import Kind, Vel
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

MISSED = 1e-3  # share of the wanted acceleration that may be missing in a constraint that closes
SCIPY = {"lsoda": "LSODA", "dop853": "DOP853"}


class Solver(Protocol):
    """What is asked of scipy's solvers."""

    status: str
    t: float
    y: Array

    def step(self) -> object: ...


class NotFinite(Exception):
    """The right-hand side stopped being a number."""


def rates(engine: Engine, y: Array, t: float) -> Array:
    """(q', v') at a state, through the compiled evaluation."""
    engine.set_state_vector(y, t)
    engine.program.evaluate_rates()
    out = np.concatenate([engine.arena.qdot, engine.arena.velocity_vector(Vel.ACC)])
    if not np.all(np.isfinite(out)):
        engine.lost.append((t, np.array(y)))
        raise NotFinite
    return out


def run_scipy(engine: Engine, method: str, seconds: float, rtol: float, atol: float) -> bool:
    """Integrate with scipy, then project; False when the motion stopped being finite, and then nothing has
    changed."""
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
        while solver.status == "running":
            solver.step()
            if engine.overview.counts_turns and solver.status == "running":
                engine.set_state_vector(solver.y, solver.t)
                engine.program.wind_turns()
                if _slow_enough(engine) < 0.5 * longest:  # it turns faster now: shorter steps from here
                    solver, longest = begun(solver.t, solver.y)
        ok = solver.status == "finished" and bool(np.all(np.isfinite(solver.y)))
    except NotFinite:
        ok = False
    if not ok:
        engine.set_state_vector(start, t0)
        return False
    engine.set_state_vector(solver.y, t0 + seconds)
    if engine.scalars.feedback == 0:
        engine.program.project(20)
    return True


def _slow_enough(engine: Engine) -> float:
    """The longest step in which no body turns by more than half a radian, where turns are counted."""
    if not engine.overview.counts_turns:
        return float("inf")
    return 0.5 / max(float(np.abs(engine.arena.v).max(initial=0.0)), 1e-3)


def _fed_back(item: Item, c: Array, rate: Array) -> Array:
    """c̈ that feedback wants of a constraint: −k_d ċ − k_s c, or −ċ/τ of one on velocities."""
    stiffness, damping = item.type.flat(item.values)[-2:]
    kind = item.type.block_of(item).kind
    if kind in (Kind.RATE, Kind.STEADY):
        return np.asarray(0 * rate if kind == Kind.STEADY else -rate / item.values["tau"])
    return np.asarray(-damping * rate - stiffness * c)


def left_open(engine: Engine, limit: float) -> list[Item]:
    """Constraints that the dense method does not close.

    They are open by more than a limit, and the least-squares forces do not give them the acceleration that
    feedback wants.
    """
    acc, _ = accelerations(engine, _fed_back)
    J, _, _, spans = matrices(engine)
    found = []
    for item, rows in spans:
        m = rows.stop - rows.start
        record = engine.record(item)
        c, rate, bias = record[:m], record[m : 2 * m], record[2 * m : 3 * m]
        wanted = _fed_back(item, c, rate)
        given = J[rows] @ acc + bias
        missing = np.abs(given - wanted).max(initial=0.0)
        if np.abs(c).max(initial=0.0) > limit and missing > MISSED * np.abs(wanted).max(initial=0.0):
            found.append(item)
    return found


def run_dense(engine: Engine, steps: int, h: float) -> bool:
    """RK4 over the dense least-squares accelerations: for worlds with non-square constraints (d ≠ f), held by
    their feedback τ."""

    def derivative(y: Array, t: float) -> Array:
        engine.set_state_vector(y, t)
        acc, _ = accelerations(engine, _fed_back)
        return np.concatenate([engine.arena.qdot, acc])

    y, t = engine.state_vector(), engine.scalars.time
    for _ in range(steps):
        k1 = derivative(y, t)
        k2 = derivative(y + h / 2 * k1, t + h / 2)
        k3 = derivative(y + h / 2 * k2, t + h / 2)
        k4 = derivative(y + h * k3, t + h)
        new = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if not np.all(np.isfinite(new)):
            engine.set_state_vector(y, t)
            return False
        t += h
        engine.set_state_vector(new, t)
        engine.program.tidy()
        y = engine.state_vector()
    return True


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
