"""The tip of two pendulums after 5 s in minimal coordinates, by two methods that share only the equations.

n links in a plane, angles θ from the downward vertical, mass m at distance c along a link of length l,
inertia I there. Lagrange's equations for absolute angles:
    A_ij = l (m c + l m (n − 1 − max(i, j)))  for i ≠ j,   A_ii = I + m c² + l² m (n − 1 − i)
    Σ_j A_ij (cos(θi − θj) ω̇j + sin(θi − θj) ωj²) = −g sin θi (m c + l m (n − 1 − i))
`python -m benchmarks.peers.reference` computes the constants below again and prints how well the methods
agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from .scene import ACROSS, GRAVITY, LENGTH, MASS, Place

SPAN = 5.0  # s

Real = NDArray[Any]  # float64 or longdouble, as the method wants


@dataclass(frozen=True)
class Pendulum:
    """Links of 1 m and 1 kg hung from the origin, at rest, all horizontal along +x at the start."""

    count: int
    centre: float  # m, from the upper end to the centre of mass
    inertia: float  # kg m², about that centre


DOUBLE_PENDULUM = Pendulum(2, centre=LENGTH, inertia=0.0)  # point masses on massless rods
TEN_RODS = Pendulum(10, centre=LENGTH / 2, inertia=ACROSS)

PENDULUMS = {2: DOUBLE_PENDULUM, 10: TEN_RODS}  # by the number of links

# The tips at 5 s, by extrapolation in extended precision. It agrees with itself to 1e-15 m and 1e-14 m, and
# with DOP853 in double to 5e-13 m both (`main` prints this).
TIPS: dict[int, Place] = {
    2: (-1.55077846947044, 0.0, -1.07591273481265),
    10: (7.52485983390996, 0.0, -4.87211460925501),
}


class Equations:
    """ẏ = f(y) with y = (θ, ω), in the precision of `kind`."""

    def __init__(self, pendulum: Pendulum, kind: type[Any]) -> None:
        n = pendulum.count
        m, length, c, g = (kind(value) for value in (MASS, LENGTH, pendulum.centre, GRAVITY))
        below = np.arange(n)[::-1].astype(kind)  # links beyond each
        arm = m * c + length * m * below
        last = np.maximum.outer(np.arange(n), np.arange(n))
        self.A = length * arm[last]
        np.fill_diagonal(self.A, kind(pendulum.inertia) + m * c * c + length * length * m * below)
        self.weight = g * arm
        self.count = n

    def __call__(self, y: Real) -> Real:
        theta, omega = y[: self.count], y[self.count :]
        apart = theta[:, None] - theta[None, :]
        force = -(self.A * np.sin(apart)) @ omega**2 - self.weight * np.sin(theta)
        return np.concatenate([omega, _solve(self.A * np.cos(apart), force)])

    def start(self, kind: type[Any]) -> Real:
        # the right angle in the precision at hand
        return np.concatenate([np.full(self.count, np.arcsin(kind(1))), np.zeros(self.count, kind)])


def _solve(M: Real, b: Real) -> Real:
    """M⁻¹b for symmetric positive M: LAPACK in double, elimination written out in extended precision."""
    if M.dtype == np.float64:
        return np.linalg.solve(M, b)
    M, b = M.copy(), b.copy()
    for k in range(len(b) - 1):
        ratio = M[k + 1 :, k] / M[k, k]
        M[k + 1 :, k + 1 :] -= ratio[:, None] * M[k, k + 1 :]
        b[k + 1 :] -= ratio * b[k]
    for k in reversed(range(len(b))):
        b[k] = (b[k] - M[k, k + 1 :] @ b[k + 1 :]) / M[k, k]
    return b


def tip(y: Real) -> Place:
    theta = y[: len(y) // 2]
    return float(LENGTH * np.sin(theta).sum()), 0.0, float(-LENGTH * np.cos(theta).sum())


def by_dop853(pendulum: Pendulum, tolerance: float = 1e-13) -> Place:
    f = Equations(pendulum, np.float64)
    run = solve_ivp(
        lambda _, y: f(y), (0, SPAN), f.start(np.float64), "DOP853", rtol=tolerance, atol=tolerance
    )
    return tip(run.y[:, -1])


def by_extrapolation(pendulum: Pendulum, steps: int, columns: int = 8) -> Place:
    """Gragg's midpoint rule, extrapolated `columns` times (order 2·columns), with long doubles and equal
    steps."""
    kind = np.longdouble
    f = Equations(pendulum, kind)
    y, h = f.start(kind), kind(SPAN) / kind(steps)
    for _ in range(steps):
        slope, table = f(y), list[Real]()
        for k in range(1, columns + 1):
            parts = 2 * k
            before, now = y, y + h / parts * slope
            for _ in range(parts - 1):
                before, now = now, before + 2 * h / parts * f(now)
            row = [(before + now + h / parts * f(now)) / 2]
            for j, older in enumerate(table):  # Aitken–Neville in h²
                row.append(row[j] + (row[j] - older) / ((kind(k) / kind(k - 1 - j)) ** 2 - 1))
            table = row
        y = table[-1]
    return tip(y)


def main() -> None:
    for name, pendulum, steps in (("double pendulum", DOUBLE_PENDULUM, 250), ("ten rods", TEN_RODS, 1600)):
        fine, coarse = by_extrapolation(pendulum, steps), by_extrapolation(pendulum, steps * 4 // 5)
        apart = (
            np.linalg.norm(np.subtract(fine, coarse)),
            np.linalg.norm(np.subtract(fine, by_dop853(pendulum))),
        )
        print(f"{name}: tip {fine!r}; extrapolation against itself {apart[0]:.1e} m, DOP853 {apart[1]:.1e} m")


if __name__ == "__main__":
    main()
