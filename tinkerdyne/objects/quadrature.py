"""Integrals along a curve: nodes and weights on the parts of its span, as many as it needs."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.kinds import CurveValue
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.resolution import panels_for

# Gauss–Legendre points along a curve: exact for polynomials to degree 31; round a periodic one, twice as many
QUADRATURE = 16
MOST_PANELS = 128  # parts of a span with a quadrature of their own
Nodes = tuple[tuple[float, float], ...]  # (u, w)


def nodes_of(curve: CurveValue) -> Nodes:
    """Nodes (u, w) for lengths and areas of a curve."""
    return quadrature(
        curve.span, curve.panels, getattr(curve, "nodes", QUADRATURE), 2 * QUADRATURE, curve.closing
    )


def quadrature(span: tuple[float, float], panels: int, gaussian: int, even: int, closing: str) -> Nodes:
    """Gauss–Legendre nodes on each part of a span; round a periodic curve evenly spaced ones, which converge
    faster there."""
    if closing != "periodic":
        return gauss(span, panels, gaussian)
    step = (span[1] - span[0]) / (panels * even)
    return tuple((span[0] + (k + 0.5) * step, step) for k in range(panels * even))


def enough_panels(
    equations: Callable[[SX, SX], SX],
    start: ArrayLike,
    span: tuple[float, float],
    closing: str,
    drag_nodes: Callable[[int], int],
) -> int:
    """Into how many parts the span goes for lengths, areas and drag to be right near a state;
    drag_nodes(panels) are on each."""

    def level(panels: int) -> tuple[int, Nodes, Nodes, Nodes]:
        drag = quadrature(span, panels, drag_nodes(panels), drag_nodes(panels), closing)
        measure = quadrature(span, panels, QUADRATURE, 2 * QUADRATURE, closing)
        return panels, drag, measure, gauss(span, 2 * panels, QUADRATURE + 1)

    return panels_for(
        equations, np.array(start), span, (level(2**k) for k in range(MOST_PANELS.bit_length()))
    )


def closing_of(equations: Callable[[SX, SX], SX], start: Array, span: tuple[float, float]) -> str:
    """Whether a curve's ends meet, and whether its equations repeat, whatever its state (near where it
    starts)."""
    low, high = span
    q, u = ca.SX.sym("q", len(start)), ca.SX.sym("u")
    f = ca.Function("x", [u, q], [equations(u, q)])
    # Numbers without a pattern, from 0.05 to 0.3: multiples of the golden ratio, less their whole parts.
    states = (
        start + 0.05 + 0.25 * (0.6180339887498949 * np.arange(1, 3 * len(start) + 1).reshape(3, -1) % 1.0)
    )

    def repeats(at: float) -> bool:
        ends = ((f(at, s).full(), f(at + high - low, s).full()) for s in states)
        return all((np.abs(a - b) <= 1e-9 * (1 + np.abs(b))).all() for a, b in ends)

    if not repeats(low):
        return "open"
    return (
        "periodic" if all(repeats(low + (high - low) * share) for share in (0.21, 0.55, 0.83)) else "closed"
    )


def gauss(span: tuple[float, float], panels: int, count: int) -> Nodes:
    """Nodes and weights of Gauss–Legendre quadrature on equal parts of a span."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    width = (span[1] - span[0]) / panels
    starts = span[0] + width * np.arange(panels)
    u = (starts[:, None] + width * (nodes + 1) / 2).ravel()
    return tuple(zip(u.tolist(), np.tile(weights * width / 2, panels).tolist(), strict=True))
