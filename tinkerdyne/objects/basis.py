"""How control points make a curve: Bernstein polynomials and uniform cubic B-splines, open and closed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca

from tinkerdyne.language.symbols import SX, fabs


@dataclass(frozen=True)
class Basis:
    """How control points make a curve: the weights N(u) of `count` of them, the span of u, and its parts."""

    weights: Callable[[SX], list[SX]]
    span: tuple[float, float]
    panels: int
    spread: int  # nodes of the drag matrix on each part: at least as many as points that matter there
    closing: str = "open"


def bernstein(count: int) -> Basis:
    """The Bernstein polynomials of degree count − 1, over u from 0 to 1."""
    n = count - 1

    def weights(u: SX) -> list[SX]:
        ups, downs = [ca.SX(1)], [ca.SX(1)]
        for _ in range(n):  # powers by products: u⁰ has no derivative that is not a number
            ups.append(ups[-1] * u)
            downs.append(downs[-1] * (1 - u))
        return [math.comb(n, k) * ups[k] * downs[n - k] for k in range(count)]

    return Basis(weights, (0.0, 1.0), 1, count + 2)


def _bump(s: SX) -> SX:
    """The uniform cubic B-spline about 0:  ((2 − |s|)₊³ − 4 (1 − |s|)₊³)/6."""
    a = fabs(s)
    far, near = ca.fmax(2 - a, 0), ca.fmax(1 - a, 0)
    return (far * far * far - 4 * near * near * near) / 6


def cubic(count: int) -> Basis:
    """The open uniform cubic B-spline, over u from 0 to count − 3, one unit a piece."""
    return Basis(lambda u: [_bump(u + 1 - k) for k in range(count)], (0.0, count - 3.0), count - 3, 4)


def cubic_ring(count: int) -> Basis:
    """The closed uniform cubic B-spline, over u from 0 to count, one unit a piece."""

    def weights(u: SX) -> list[SX]:
        return [_bump(u - k - count * ca.floor((u - k) / count + 0.5)) for k in range(count)]

    return Basis(weights, (0.0, float(count)), count, 4, "periodic")
