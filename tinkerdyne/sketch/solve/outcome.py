"""Outcomes: what one start came to, with the multipliers that a solve nearby begins from (M3)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.point import Point
from tinkerdyne.sketch.problem.problem import Problem
from tinkerdyne.sketch.problem.unknowns import Node

FEASIBLE = 1e-7  # largest violation of a row that counts as met, in the sketch's units
NOTHING = 1e-12  # cost of a motion that fits exactly
CHART = slice(3, 6)  # of a node: its rotation vector
EDGE = 1e-6  # of a multiplier: what presses a rotation against the edge of its chart


@dataclass
class Multipliers:
    """Of the rows and of the bounds, by what they belong to: so they carry over to a problem that shares
    them."""

    rows: dict[Hashable, Array] = field(default_factory=dict)
    bounds: dict[Hashable, Array] = field(default_factory=dict)

    @staticmethod
    def of(P: Problem, lam_g: Array, lam_x: Array) -> Multipliers:
        return Multipliers(
            {key: lam_g[at] for key, at in P.g.parts.items()},
            {key: lam_x[at] for key, at in P.x.parts.items()},
        )

    def vectors(self, P: Problem) -> tuple[Array, Array]:
        """λ of the rows and of the bounds of a problem; zero where none is known, and of charts, which begin
        anew."""
        lam_g, lam_x = np.zeros(P.g.size), np.zeros(P.x.size)
        for layout, whole, known in ((P.g, lam_g, self.rows), (P.x, lam_x, self.bounds)):
            for key, at in layout.parts.items():
                if key in known:
                    whole[at] = known[key]
        for key, at in P.x.parts.items():
            if isinstance(key, Node):
                lam_x[at][CHART] = 0.0
        return lam_g, lam_x


@dataclass
class Outcome:
    """What one start came to, in the sketch's units."""

    point: Point
    cost: float
    violation: float
    is_converged: bool
    says: str
    corners: list[Array | None]
    multipliers: Multipliers
    has_gaps: bool = False
    is_clear: bool = True  # whether no body sinks below a surface or overlaps another
    iterations: int = 0
    seconds: float = 0.0  # of CPU
    seed: int = 0

    @property
    def is_feasible(self) -> bool:
        return self.violation <= FEASIBLE

    @property
    def is_sound(self) -> bool:
        """Whether all is met and nothing sinks or overlaps, or else it is what was sketched."""
        return self.is_feasible and (self.is_clear or self.cost <= NOTHING)

    @property
    def is_perfect(self) -> bool:
        """Whether no other start can be better: all is met, and nothing is left to make less."""
        return self.is_feasible and self.is_clear and self.cost <= NOTHING

    @property
    def is_at_edge(self) -> bool:
        """Whether a rotation is held back by the bound of its rotation vector, which is no wish of the
        sketch."""
        return any(
            np.abs(lam[CHART]).max() > EDGE
            for key, lam in self.multipliers.bounds.items()
            if isinstance(key, Node)
        )

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Feasible ones first, those first where nothing overlaps, then by cost; of the infeasible, by how
        far they are off."""
        return (not self.is_feasible, not self.is_clear, self.cost if self.is_feasible else self.violation)


def counted(n: int, what: str) -> str:
    """So many of them, in words."""
    return f"{n} {what}{'' if n == 1 else 's'}"
