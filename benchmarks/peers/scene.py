"""The scenes every peer builds, and the measurements taken of all of them in the same way.

Rods are 1 m long, 1 kg, uniform and thin: 1/12 kg m² about the two transverse axes, a hundredth of that
about the long axis (thin, yet no engine meets a singular inertia). Gravity is 9.81 m/s² along −z.
Peers only say how to advance and how to read positions and velocities; gaps and energies are computed here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Place = tuple[float, float, float]

LENGTH = 1.0  # m
MASS = 1.0  # kg
ACROSS = MASS * LENGTH**2 / 12  # kg m², about the transverse axes
ALONG = ACROSS / 100  # kg m², about the rod
GRAVITY = 9.81  # m/s²


class Diverged(RuntimeError):
    """The peer gave up, or its state is no longer finite."""


class Scene(Protocol):
    """What a benchmark may ask of a peer's scene, whichever engine runs it."""

    def step(self, n: int, /) -> None: ...
    def gap(self) -> float: ...
    def potential(self) -> float: ...
    def energy(self) -> float: ...
    def tip(self) -> Place: ...


@dataclass(frozen=True)
class Rods:
    """Rods end to end through `points` (N + 1, 3), joined by ball joints; `nails` are points held in the
    world."""

    points: Array
    nails: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.points) - 1

    @property
    def centres(self) -> Array:
        """(N, 3) m"""
        return (self.points[1:] + self.points[:-1]) / 2

    @property
    def angles(self) -> Array:
        """(N,) rad: the turn about +y that takes +x to the rod."""
        along = np.diff(self.points, axis=0)
        return np.arctan2(-along[:, 2], along[:, 0])

    @property
    def quaternions(self) -> Array:
        """(N, 4) in the order w, x, y, z."""
        half, zero = self.angles / 2, np.zeros(self.count)
        return np.stack([np.cos(half), zero, np.sin(half), zero], axis=1)


def chain_rods(count: int) -> Rods:
    """A straight horizontal line from the origin along +x, nailed at the origin."""
    points = np.zeros((count + 1, 3))
    points[:, 0] = LENGTH * np.arange(count + 1)
    return Rods(points, nails=(0,))


def loop_rods(count: int) -> Rods:
    """A zig-zag of span 0.8 N, nailed at both ends: each rod runs 0.8 m along x and ±0.6 m along z."""
    points = np.zeros((count + 1, 3))
    points[:, 0] = 0.8 * LENGTH * np.arange(count + 1)
    points[:, 2] = 0.6 * LENGTH * (np.arange(count + 1) % 2)
    return Rods(points, nails=(0, count))


def taut_rods(count: int) -> Rods:
    """A straight horizontal line nailed at both ends: the rods can turn about themselves and nothing else."""
    return Rods(chain_rods(count).points, nails=(0, count))


@dataclass(frozen=True)
class RodMotion:
    """Where the rods are and how they move, each (N, 3), in the world frame: m, 1, m/s, rad/s."""

    centres: Array
    axes: Array
    velocities: Array
    spins: Array


@dataclass(frozen=True)
class RodScene:
    """Rods in a peer engine: `step(n)` advances n steps, `read()` returns the motion now."""

    rods: Rods
    step: Callable[[int], None]
    read: Callable[[], RodMotion]

    def gap(self) -> float:
        """The worst joint opening in m."""
        now = self.read()
        first = now.centres - LENGTH / 2 * now.axes
        last = now.centres + LENGTH / 2 * now.axes
        openings = [first[1:] - last[:-1]]
        for nail in self.rods.nails:
            held = first[:1] if nail == 0 else last[nail - 1 : nail]
            openings.append(held - self.rods.points[nail])
        return float(np.linalg.norm(np.concatenate(openings), axis=1).max())

    def potential(self) -> float:
        """Joule, zero at z = 0."""
        return float(MASS * GRAVITY * self.read().centres[:, 2].sum())

    def energy(self) -> float:
        """Kinetic and potential, in joule."""
        now = self.read()
        spin_along = np.sum(now.spins * now.axes, axis=1)
        turning = ACROSS * (np.sum(now.spins**2) - np.sum(spin_along**2)) + ALONG * np.sum(spin_along**2)
        return float(MASS * np.sum(now.velocities**2) / 2 + turning / 2) + self.potential()

    def tip(self) -> Place:
        """The free end of the last rod."""
        now = self.read()
        x, y, z = now.centres[-1] + LENGTH / 2 * now.axes[-1]
        return float(x), float(y), float(z)


@dataclass(frozen=True)
class Net:
    """M × M particles of 1 kg in a horizontal grid of 1 m, rigid distances along the grid, two corners
    nailed.

    Between adjacent corners the edge of the net is a taut straight line, which no finite force can hold
    against gravity: a singular configuration. Opposite corners leave it slack.
    """

    size: int
    corners: Literal["opposite", "adjacent"] = "opposite"

    @property
    def points(self) -> Array:
        """(M², 3); particle (i, j) stands at (i, j, 0) and has index i·M + j."""
        i, j = np.divmod(np.arange(self.size**2), self.size)
        return np.stack([i, j, np.zeros_like(i)], axis=1).astype(np.float64)

    @property
    def edges(self) -> NDArray[np.intp]:
        """(2M(M − 1), 2) indices of the particles kept 1 m apart."""
        index = np.arange(self.size**2).reshape(self.size, self.size)
        along_x = np.stack([index[:-1].ravel(), index[1:].ravel()], axis=1)
        along_y = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1)
        return np.concatenate([along_x, along_y])

    @property
    def nails(self) -> tuple[int, int]:
        """The corners (0, 0) and (M − 1, M − 1), or (M − 1, 0)."""
        return 0, self.size**2 - (1 if self.corners == "opposite" else self.size)


@dataclass(frozen=True)
class NetScene:
    """A net in a peer engine: `read()` returns positions and velocities, each (M², 3); nailed ones have
    velocity 0."""

    net: Net
    step: Callable[[int], None]
    read: Callable[[], tuple[Array, Array]]

    def gap(self) -> float:
        """The worst error of a distance in m."""
        x, _ = self.read()
        a, b = self.net.edges.T
        return float(np.abs(np.linalg.norm(x[b] - x[a], axis=1) - 1).max())

    def potential(self) -> float:
        """Joule, zero at z = 0."""
        return float(MASS * GRAVITY * self.read()[0][:, 2].sum())

    def energy(self) -> float:
        """Kinetic and potential, in joule."""
        return float(MASS * np.sum(self.read()[1] ** 2) / 2) + self.potential()

    def tip(self) -> Place:
        """The corner (0, M − 1), which is never nailed."""
        x, y, z = self.read()[0][self.net.size - 1]
        return float(x), float(y), float(z)
