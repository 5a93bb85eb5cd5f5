"""Time assignment: when along a motion each sample of a sketch belongs, keeping their order (M4; MS03 Fig.
6).

With distances D[i, m] of sample i from the motion at grid time m, the best rising choice is a dynamic
program, C[i, m] = D[i, m] + min_{m' ≤ m} C[i − 1, m'], whose running minimum is one vector operation a
sample.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.point import Point, along
from tinkerdyne.sketch.problem.statement import Statement


def monotone(D: Array) -> Array:
    """The rising indices m_1 ≤ m_2 ≤ … that make Σ D[…, i, m_i] least; D is (…, n, M)."""
    *many, n, M = D.shape
    # numpy runs along the last axis fastest
    rows = np.ascontiguousarray(D.reshape(-1, n, M).transpose(1, 2, 0))
    C, grid, before = rows[0], np.arange(M)[:, None], []
    for i in range(1, n):
        least = np.minimum.accumulate(C, axis=0)
        # where the running minimum was reached
        before.append(np.maximum.accumulate(np.where(least >= C, grid, 0), axis=0))
        C = rows[i] + least
    every, indices = np.arange(rows.shape[2]), np.empty((n, rows.shape[2]), int)
    indices[-1] = C.argmin(axis=0)
    for i in range(n - 1, 0, -1):
        indices[i - 1] = before[i - 1][indices[i], every]
    return indices.T.reshape(*many, n)


def distances(places: Array, turns: Array | None, x: Array, q: Array, w_x: Array, w_q: Array) -> Array:
    """D[i, m] = w_x |x_m − x_i|² + w_q |2 vec(q_i* q_m)|², where |2 vec|² = 4 (1 − (q_i·q_m)²)."""
    D = w_x[:, None] * ((places[:, None, :] - x[None]) ** 2).sum(axis=2)
    if turns is not None:
        D = D + w_q[:, None] * 4 * (1 - np.minimum((turns @ q.T) ** 2, 1.0))
    return np.asarray(D)


def refined(D: Array, m: Array) -> Array:
    """Grid indices moved to the bottom of the parabola through the neighbours, kept in order."""
    n, M = D.shape
    inside = np.clip(m, 1, M - 2)
    i = np.arange(n)
    left, middle, right = D[i, inside - 1], D[i, inside], D[i, inside + 1]
    with np.errstate(invalid="ignore"):  # infinite where a sample may not lie
        bend = left - 2 * middle + right
        is_round = (m == inside) & (bend > 1e-15) & np.isfinite(bend)
        moved = np.where(is_round, 0.5 * (left - right) / np.where(is_round, bend, 1.0), 0.0)
    return np.maximum.accumulate(m + np.clip(moved, -0.5, 0.5))


def assigned(s: Statement, point: Point, grid: int = 97) -> Point:
    """The same motion with every sample at its best time, in order."""
    even = np.linspace(0, 1, grid)
    shares: list[list[Array]] = []
    for f, row in enumerate(s.tracks):
        shares.append([])
        for b, track in enumerate(row):
            if track is None or track.times is not None:
                shares[-1].append(point.shares[f][b])
                continue
            xs, qs = along(s, point, f, b, even)
            D = distances(
                track.places, track.turns if track.w_q.any() else None, xs, qs, track.w_x, track.w_q
            )
            if f == 0:
                D[0, 1:] = np.inf
            if f == len(s.tracks) - 1:
                D[-1, :-1] = np.inf
            shares[-1].append(np.clip(refined(D, monotone(D)) / (grid - 1), 0, 1))
    return replace(point, shares=shares)
