"""The optimisation problem of a sketch: multiple shooting over flights between collisions, built once per
structure (M3, M5).

Node of body b in segment k:  z = (x, θ, v, ω), q = q_ref ⊗ exp(θ);  each flight has a duration T, so the grid
slides.

    min  Σ samples  w_x |x(τ) − x_s|² + w_q |2 vec(q_s* ⊗ q(τ))|²  +  Σ W |gap|²  +  soft wishes
    s.t. pose continuity at every grid point; contact height 0 and approach at every collision; velocity
         continuity through the impulse, but for the gaps; hard wishes; corners above surfaces; bounds on
         normals, restitution, forces, durations.

Everything that changes from sketch to sketch of one structure is a parameter. Lengths are in units of the
sketch's extent, times in units of √(extent/g), masses in units of the first body's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence

from tinkerdyne.language.symbols import SX
from tinkerdyne.sketch.problem import demands, motion
from tinkerdyne.sketch.problem.formula import Formula
from tinkerdyne.sketch.problem.formulas import Flying, Varied
from tinkerdyne.sketch.problem.layout import laid_out
from tinkerdyne.sketch.problem.structure import Structure
from tinkerdyne.sketch.problem.terms import Terms
from tinkerdyne.sketch.problem.unknowns import (
    GRAVITY,
    Duration,
    Force,
    Inertia,
    Key,
    Mass,
    Moments,
    Node,
    Reference,
)

FORMULAS: dict[Hashable, Formula] = {}  # of all problems, by the keys of their families


class Problem:
    """The terms of one structure."""

    def __init__(self, structure: Structure) -> None:
        self.structure = s = structure
        self.bodies = len(s.kinds)
        self.x, self.p = laid_out(s)
        self.terms = Terms(self.x, self.p, FORMULAS)
        for k in range(len(s.samples)):
            for b in range(self.bodies):
                for i in s.held(k, b):
                    motion.sample(self, k, b, i)
        for k, junction in enumerate(s.junctions):
            for b in range(self.bodies):
                if not s.is_still(k + 1, b):
                    motion.continuity(self, k, b, is_struck=b in junction.struck)
            if junction.struck:
                motion.impact(self, k, junction)
            if s.has_clock:
                motion.clock(self, k, s.parts[k])
        if s.is_styled:
            for k in range(len(s.samples)):
                for b in range(self.bodies):
                    if not s.is_still(k, b):
                        motion.style(self, k, b)
        if s.is_timed:
            motion.end(self)
        for i, wish in enumerate(s.wishes):
            demands.wish(self, i, wish)
        for i, guard in enumerate(s.guards):
            demands.guard(self, i, guard)
        for i, separation in enumerate(s.separations):
            demands.separation(self, i, separation)
        for b in range(self.bodies):
            if Inertia(b) in self.x:
                motion.inertia(self, b)
        self.g = self.terms.g

    # --- what terms read -------------------------------------------------------------------------
    def reads(self, k: int, bodies: tuple[int, ...]) -> tuple[list[Key], list[Key]]:
        """The unknowns and parameters that the flight of some bodies in a segment reads: the duration first,
        gravity first."""
        ys: list[Key] = [Duration(self.structure.flights[k])]
        ps: list[Key] = [GRAVITY]
        for b in bodies:
            ps += [Reference(k, b), Mass(b), Moments(b)]
            (ps if self.structure.is_still(k, b) else ys).append(Node(k, b))
            ys += [key for key in (Force(b), Inertia(b)) if key in self.x]
        return ys, ps

    def flying(self, k: int, bodies: tuple[int, ...]) -> Callable[[SX, SX], Flying]:
        """What reads that flight out of the vectors of a term."""
        return functools.partial(Flying, self._varied(k, bodies), self.structure.parts[k])

    def family(self, name: str, k: int, bodies: tuple[int, ...], *more: Hashable) -> tuple[Hashable, ...]:
        """The key of the terms that have one formula."""
        return (name, self._varied(k, bodies), self.structure.parts[k], *more)

    def add(
        self,
        family: tuple[Hashable, ...],
        ys: Sequence[Key],
        ps: Sequence[Key],
        formula: Callable[[SX, SX], tuple[SX, SX]],
        rows: Key | None = None,
        *,
        is_shared: bool = True,
    ) -> None:
        """A term of these unknowns and parameters; its rows are about `rows`."""
        y, p = self.x.indices(*ys), self.p.indices(*ps)
        self.terms.add(family, y, p, formula, rows, is_shared=is_shared)

    def _varied(self, k: int, bodies: tuple[int, ...]) -> tuple[Varied, ...]:
        """What is known of each body in a segment."""
        s = self.structure
        return tuple(
            Varied(s.kinds[b], Force(b) in self.x, Inertia(b) in self.x, s.is_still(k, b)) for b in bodies
        )


@functools.lru_cache(maxsize=32)
def problem(structure: Structure) -> Problem:
    """The problem of a structure, built once."""
    return Problem(structure)
