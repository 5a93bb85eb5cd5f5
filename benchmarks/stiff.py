"""Stiff mechanisms, as plain numbers: a beam of jointed rods, a suspension on bushings, a cloth of springs, a
weight on a spring that turns. Both sides build them from here."""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Beam:
    """Rods pinned in a row in the plane, a damped spring at each pin, a force across at the tip."""

    rods: int = 200
    length: float = 0.1  # m, of one
    mass: float = 0.01
    stiffness: float = 100.0  # N m/rad
    damping: float = 2.0  # N m s/rad
    force: float = 0.3  # N

    @property
    def inertia(self) -> float:
        return self.mass * self.length**2 / 12


@dataclass(frozen=True)
class Arm:
    """A body of the suspension: its mass, moment of inertia about any axis, and centre."""

    mass: float
    inertia: float
    centre: Place


@dataclass(frozen=True)
class Suspension:
    """A double wishbone at rest: two arms on bushings, an upright on ball joints between them, a track rod on
    bushings and a coil spring; then a force on the wheel."""

    lower: Arm = Arm(2.0, 0.03, (0.0, 0.2, 0.0))
    upper: Arm = Arm(1.0, 0.01, (0.0, 0.2, 0.25))
    upright: Arm = Arm(10.0, 0.12, (0.0, 0.4, 0.12))
    lower_feet: tuple[Place, Place] = ((-0.15, 0.0, 0.0), (0.15, 0.0, 0.0))
    upper_feet: tuple[Place, Place] = ((-0.1, 0.05, 0.25), (0.1, 0.05, 0.25))
    lower_ball: Place = (0.0, 0.4, 0.0)
    upper_ball: Place = (0.0, 0.38, 0.25)
    track: tuple[Place, Place] = ((-0.1, 0.05, 0.1), (-0.1, 0.4, 0.1))
    coil: tuple[Place, Place] = ((0.0, 0.2, 0.4), (0.0, 0.25, 0.0))
    wheel: Place = (0.0, 0.45, 0.12)
    bushing: tuple[float, float] = (5e6, 5e3)  # N/m, N s/m
    rod: tuple[float, float] = (5e6, 2e3)
    spring: tuple[float, float] = (3e4, 1.5e3)
    force: Place = (0.0, 100.0, 500.0)  # N


@dataclass(frozen=True)
class Cloth:
    """A square of particles joined by stiff damped springs, hung by two corners, released flat."""

    side: int = 12
    pitch: float = 0.1  # m
    mass: float = 0.01
    stiffness: float = 2e4  # N/m
    damping: float = 2.0  # N s/m

    def place(self, i: int, j: int) -> Place:
        return (i * self.pitch, j * self.pitch, 0.0)

    @property
    def springs(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Neighbours along both axes and across."""
        n = self.side
        ways = ((1, 0), (0, 1), (1, 1), (1, -1))
        return [
            ((i, j), (i + a, j + b))
            for i in range(n)
            for j in range(n)
            for a, b in ways
            if i + a < n and 0 <= j + b < n
        ]

    @property
    def corners(self) -> tuple[tuple[int, int], tuple[int, int]]:
        return (0, 0), (self.side - 1, 0)

    @property
    def tip(self) -> tuple[int, int]:
        return (self.side // 2, self.side - 1)


@dataclass(frozen=True)
class Turning:
    """A weight on a stiff spring, released from the side."""

    mass: float = 1e-3
    stiffness: float = 1e6
    length: float = 1.0


GRAVITY = 9.81
