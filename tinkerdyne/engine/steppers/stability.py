"""How fast the fastest swing of a world is: its springs against its masses, by power iteration."""

from __future__ import annotations

import numpy as np

from tinkerdyne.engine import records as L
from tinkerdyne.engine.batches import Structure
from tinkerdyne.engine.steppers.outside import set_state, state
from tinkerdyne.language.arrays import Array

MOST = 60  # iterations
CLOSE = 1e-3  # of the eigenvalue: near enough to tell a step that is too long
SMALL = 1e-6  # of the state's size: the step of the finite difference
PLAIN = 2.0  # h ω up to which a plain explicit step swings and does not grow
LONGEST = 16 * PLAIN  # that of the default method, which divides a step in up to 16 parts


def fastest(s: Structure) -> tuple[float, Array]:
    """(ω, its mode as a velocity) of the fastest swing,  W ∂Q/∂q D x = −ω² x   [rad/s]; (0, …) where nothing
    swings."""
    nq, nv = int(s.I[L.H_NQ]), int(s.I[L.H_NV])
    y, t = state(s), float(s.S[L.S_TIME])
    q = y[:nq]
    step = SMALL * max(1.0, float(np.abs(q).max(initial=0.0)))

    def evaluate(at: Array, v: Array) -> tuple[Array, Array]:
        """(q', free acceleration), without constraints."""
        set_state(s, np.concatenate([at, v]), t)
        s.core["evaluate_free"](s.I.ctypes.data, s.S.ctypes.data)
        a, b = int(s.I[L.H_S_QDOT]), int(s.I[L.H_S_VELS]) + L.V_ACC * nv
        return s.S[a : a + nq].copy(), s.S[b : b + nv].copy()

    rest = np.zeros(nv)
    x, square = np.random.default_rng(1).normal(size=nv), 0.0
    with np.errstate(all="ignore"):
        here = evaluate(q, rest)[1]
        for _ in range(MOST):
            x = x / np.linalg.norm(x)
            away, _ = evaluate(q, x)
            y1 = (here - evaluate(q + step * away, rest)[1]) / step
            before, square = square, float(x @ y1)
            if not np.isfinite(y1).all() or not y1.any():
                square = 0.0
                break
            x = y1
            if abs(square - before) < CLOSE * abs(square):
                break
    set_state(s, y, t)
    return float(np.sqrt(max(square, 0.0))), np.nan_to_num(x)
