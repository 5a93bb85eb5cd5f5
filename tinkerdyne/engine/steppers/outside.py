"""Integrators from outside the compiled loop: scipy's LSODA (Adams and BDF with automatic switching) and
DOP853, guarded (R6).

The right-hand side is the engine's own acceleration. scipy hangs or "succeeds" on a NaN, so one ends the run
at once and the last good state is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tinkerdyne.engine import records as L
from tinkerdyne.engine.batches import Structure
from tinkerdyne.engine.least_squares import accelerations
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

SCIPY = {"lsoda": "LSODA", "dop853": "DOP853"}


class NotFinite(Exception):
    """The right-hand side stopped being a number."""


def state(s: Structure) -> Array:
    """(q, v) as one vector."""
    q, v = int(s.I[L.H_S_Q]), int(s.I[L.H_S_V])
    return np.concatenate([s.S[q : q + int(s.I[L.H_NQ])], s.S[v : v + int(s.I[L.H_NV])]])


def set_state(s: Structure, y: Array, t: float) -> None:
    nq = int(s.I[L.H_NQ])
    q, v = int(s.I[L.H_S_Q]), int(s.I[L.H_S_V])
    s.S[q : q + nq] = y[:nq]
    s.S[v : v + int(s.I[L.H_NV])] = y[nq:]
    s.S[L.S_TIME] = t
    s.S[L.S_READY] = 0.0


def rates(s: Structure, y: Array, t: float) -> Array:
    """(q', v') at a state, through the compiled evaluation."""
    set_state(s, y, t)
    s.core["evaluate_rates"](s.I.ctypes.data, s.S.ctypes.data)
    nq, nv = int(s.I[L.H_NQ]), int(s.I[L.H_NV])
    a, b = int(s.I[L.H_S_QDOT]), int(s.I[L.H_S_VELS]) + L.V_ACC * nv
    out = np.concatenate([s.S[a : a + nq], s.S[b : b + nv]])
    if not np.all(np.isfinite(out)):
        s.lost.append((t, np.array(y)))
        raise NotFinite
    return out


def run_scipy(s: Structure, method: str, seconds: float, rtol: float, atol: float) -> bool:
    """Integrate with scipy, then project; False when the motion stopped being finite, and then nothing has
    changed."""
    from scipy import integrate

    start, t0 = state(s), float(s.S[L.S_TIME])
    kind = getattr(integrate, SCIPY[method])

    def begun(t: float, y: Array) -> tuple[Any, float]:
        longest = _slow_enough(s)
        return kind(
            lambda t, y: rates(s, y, t), t, y, t0 + seconds, rtol=rtol, atol=atol, max_step=longest
        ), longest

    try:
        solver, longest = begun(t0, start)
        while solver.status == "running":
            solver.step()
            if s.I[L.H_WINDS] and solver.status == "running":
                set_state(s, solver.y, solver.t)
                s.core["wind_turns"](s.I.ctypes.data, s.S.ctypes.data)
                if _slow_enough(s) < 0.5 * longest:  # it turns faster now: shorter steps from here
                    solver, longest = begun(solver.t, solver.y)
        ok = solver.status == "finished" and bool(np.all(np.isfinite(solver.y)))
    except NotFinite:
        ok = False
    if not ok:
        set_state(s, start, t0)
        return False
    set_state(s, solver.y, t0 + seconds)
    if s.S[L.S_FEEDBACK] == 0:
        s.core["project"](s.I.ctypes.data, s.S.ctypes.data, 20)
    return True


def _slow_enough(s: Structure) -> float:
    """The longest step in which no body turns by more than half a radian, where turns are counted."""
    if not s.I[L.H_WINDS]:
        return float("inf")
    v = s.S[int(s.I[L.H_S_V]) : int(s.I[L.H_S_V]) + int(s.I[L.H_NV])]
    return 0.5 / max(float(np.abs(v).max(initial=0.0)), 1e-3)


def run_dense(s: Structure, steps: int, h: float) -> bool:
    """RK4 over the dense least-squares accelerations: for worlds with non-square constraints (d ≠ f), held by
    their feedback τ."""

    def wanted(item: Item, c: Array, rate: Array) -> Array:
        stiffness, damping = item.type.flat(item.values)[-2:]
        kind = item.type.block_of(item).kind
        if kind in (L.RATE, L.STEADY):
            return np.asarray(0 * rate if kind == L.STEADY else -rate / item.values["tau"])
        return np.asarray(-damping * rate - stiffness * c)

    def derivative(y: Array, t: float) -> Array:
        set_state(s, y, t)
        acc, _ = accelerations(s, wanted)
        nq = int(s.I[L.H_NQ])
        a = int(s.I[L.H_S_QDOT])
        return np.concatenate([s.S[a : a + nq], acc])

    y, t = state(s), float(s.S[L.S_TIME])
    for _ in range(steps):
        k1 = derivative(y, t)
        k2 = derivative(y + h / 2 * k1, t + h / 2)
        k3 = derivative(y + h / 2 * k2, t + h / 2)
        k4 = derivative(y + h * k3, t + h)
        new = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if not np.all(np.isfinite(new)):
            set_state(s, y, t)
            return False
        t += h
        set_state(s, new, t)
        s.core["tidy"](s.I.ctypes.data, s.S.ctypes.data)
        y = state(s)
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
