"""How finely a curve must be sampled: the parts of its span at which length, area and drag have converged.

Evenly spaced nodes round a curve with as many waves as nodes all fall on the same phase, and sums over them
are far off without a sign of it. So each rule is put beside a finer one of Gauss–Legendre, whose nodes are
not evenly spaced, at a few states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.symbols import SX, Function

Nodes = tuple[tuple[float, float], ...]
CONVERGED = 1e-6  # relative error of length, area and drag
# below this error, one that three doublings take less from is that of a pole, and not worth more
CLOSE, SLOW = 2e-2, 6.0
NEARLY = 3.0  # times the least error: what is enough where nothing converges
STATES = 2  # at which it is measured: the one the curve starts from, and others near it


def panels_for(
    equations: Callable[[SX, SX], SX],
    start: Array,
    span: tuple[float, float],
    levels: Iterable[tuple[int, Nodes, Nodes, Nodes]],
) -> int:
    """The first of the levels (parts of the span, nodes of drag, of measures, and finer ones) where the sums
    agree."""
    u, q = ca.SX.sym("u"), ca.SX.sym("q", len(start))
    x = equations(u, q)
    f = ca.Function("f", [u, q], [ca.densify(y) for y in (x, ca.jacobian(x, u), ca.vec(ca.jacobian(x, q)))])
    # without a pattern
    g = 0.6180339887498949 * np.arange(len(start) * (STATES - 1)).reshape(STATES - 1, -1) % 1.0 - 0.4
    size = np.abs(start).max(initial=0.0) or 1.0
    states = [start, *(start + 0.3 * g * (np.abs(start) + 0.1 * size))]
    errors: dict[int, float] = {}
    for panels, *rules in levels:
        errors[panels] = 0.0
        for state in states:  # the next one only where the last has converged
            errors[panels] = max(errors[panels], _error(f, state, span[0], *rules))
            if errors[panels] > CONVERGED:
                break
        if errors[panels] <= CONVERGED or _is_slow(list(errors.values())):
            return panels
    return next(panels for panels, error in errors.items() if error <= NEARLY * min(errors.values()))


def _is_slow(errors: list[float]) -> bool:
    """Whether errors fall as a small power of the number of nodes, as where a curve's speed has a pole."""
    return len(errors) >= 4 and errors[-1] <= CLOSE and errors[-4] < SLOW * errors[-1]


def _sums(f: Function, state: Array, low: float, nodes: Nodes) -> tuple[Array, Array, Array]:
    """∫ x_qᵀ x_q ds, the length and the area seen from the curve's beginning, and what the last two are
    measured by."""
    u, w = np.array(((low, 0.0), *nodes)).T
    x, x_u, x_q = (np.asarray(y.full()) for y in f(u[None], np.repeat(state[:, None], len(u), axis=1)))
    s = w[1:] * np.linalg.norm(x_u[:, 1:], axis=0)
    J = x_q.T.reshape(len(u), len(state), len(x))[1:]
    drag = np.einsum("k,kid,kjd->ij", s, J, J)
    x, x_u = (x - x[:, :1])[:, 1:], x_u[:, 1:]
    area = w[1:] @ (x[0] * x_u[1] - x[1] * x_u[0]) / 2
    return drag, np.array([s.sum(), area]), np.array([s.sum(), s @ np.linalg.norm(x, axis=0) / 2])


def _error(f: Function, state: Array, low: float, drag: Nodes, measure: Nodes, finer: Nodes) -> float:
    """The largest relative difference of a rule's sums from those of a finer one."""
    D, measures, scale = _sums(f, state, low, finer)
    each, tiny = np.sqrt(np.diag(D)), np.finfo(float).tiny
    of_drag = np.abs(_sums(f, state, low, drag)[0] - D) / (np.outer(each, each) + tiny)
    of_measures = np.abs(_sums(f, state, low, measure)[1] - measures) / (scale + tiny)
    found = float(max(of_drag.max(), of_measures.max()))
    return found if np.isfinite(found) else np.inf


__all__ = ["panels_for"]
