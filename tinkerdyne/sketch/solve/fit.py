"""First guesses: flights fitted to samples one by one, with gravity known and times unknown (MS03 §6.2.1).

For each duration T of a scan, the parabola x₀ + v₀ t + ½ a t² is fitted by least squares to samples at times
t = s T, in turn with the monotone assignment of the samples to times. The spin is the sum of the world-frame
rotations between neighbouring samples over T, seen from the body.
"""

from __future__ import annotations

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import conjugate, exponentials, matrices, products, vector
from tinkerdyne.sketch.solve.assign import monotone

GRID = 40  # times along a flight in the assignment
ROUNDS = 4  # of fit and assignment
SCAN = np.geomspace(0.35, 3.2, 15)  # durations tried, in units of √(extent/g)


def fitted(
    places: list[Array], a: Array, times: Array, known: list[Array | None] | None = None
) -> tuple[Array, list[Array], list[Array], list[Array]]:
    """For each duration of `times`, parabolas through the samples of all bodies: (costs, [x0], [v0],
    [shares]) by duration.

    known: shares that are given, for each body; the first and the last of those that are not lie at the ends
    of the flight.
    """
    count = len(times)
    costs = np.zeros(count)
    starts, speeds, shares = [], [], []
    grid = np.linspace(0, 1, GRID)
    tm = (grid[None] * times[:, None])[..., None]
    for P, given in zip(places, known or [None] * len(places), strict=True):
        n = len(P)
        s = np.broadcast_to(_by_length(P) if given is None else given, (count, n)).copy()
        for turn in range(ROUNDS):
            t = s * times[:, None]
            Y = P[None] - 0.5 * a * t[..., None] ** 2
            mean_t, mean_y = t.mean(axis=1), Y.mean(axis=1)
            dt = t - mean_t[:, None]
            v = (dt[..., None] * (Y - mean_y[:, None])).sum(axis=1) / np.maximum((dt**2).sum(axis=1), 1e-12)[
                :, None
            ]
            x = mean_y - v * mean_t[:, None]
            if given is not None or turn == ROUNDS - 1:
                break
            motion = x[:, None] + v[:, None] * tm + 0.5 * a * tm**2
            D = (
                (P**2).sum(axis=1)[:, None]
                - 2 * P @ motion.transpose(0, 2, 1)
                + (motion**2).sum(axis=2)[:, None]
            )
            if n > 1:
                D[:, 0, 1:] += 1e3
                D[:, -1, :-1] += 1e3
            s = grid[monotone(D)]
        t = s * times[:, None]
        off = P[None] - (x[:, None] + v[:, None] * t[..., None] + 0.5 * a * t[..., None] ** 2)
        costs += (off**2).sum(axis=(1, 2))
        starts.append(x)
        speeds.append(v)
        shares.append(s)
    return costs, starts, speeds, shares


def spin(q: Array, share: Array, T: float, moments: Array | None) -> Array:
    """The spin at the start of a flight in the body's axes [rad per unit of time]: of the mean angular
        momentum, which a body of three different moments keeps while its spin goes round; of others, whose
    moments are not given, the mean spin."""
    if len(q) < 2:
        return np.zeros(3)
    span, first = max(float(share[-1] - share[0]), 0.2) * T, matrices(q[:1])[0]
    if moments is None:
        return np.asarray(first.T @ vector(products(q[1:], conjugate(q[:-1]))).sum(axis=0) / span)
    by = vector(products(conjugate(q[:-1]), q[1:]))
    between = matrices(products(q[:-1], exponentials(by / 2)))
    return np.asarray(first.T @ np.einsum("nij,nj->i", between, moments * by) / (moments * span))


def _by_length(P: Array) -> Array:
    """Shares of the path's length."""
    if len(P) == 1:
        return np.zeros(1)
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(P, axis=0), axis=1) + 1e-9)])
    return np.asarray(along / along[-1])
