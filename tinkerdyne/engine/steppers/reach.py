"""How far approaches of constraints can lift the energy, for methods that hold them by feedback alone.

Constraints that contradict each other ask for velocities without bound where their rows come to depend on
each other. Such a rise is no motion: the state before it is the last good one.
"""

from __future__ import annotations

import math

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.least_squares import matrices
from tinkerdyne.engine.records import Kind
from tinkerdyne.engine.steppers.stability import free_energy
from tinkerdyne.engine.weigh import mass_ratio

BLOWN = 10.0  # times the energy of all approaches: what the energy may rise by


class Reach:
    """The energy of a run from its start on, as last evaluated."""

    def __init__(self, engine: Engine) -> None:
        self._engine, what = engine, engine.overview
        engine.program.evaluate_free()
        scalars = engine.scalars
        self._begun = self._time = scalars.time
        self._power, self._fall = scalars.power, free_energy(engine, 1.0)
        self._start, self._work, self._moved = scalars.energy + scalars.kinetic, 0.0, scalars.kinetic
        is_led = what.depends_on_time or what.is_unbalanced or not what.rows
        self._most = math.inf if is_led else BLOWN * approach(engine)

    def holds(self) -> bool:
        """Whether the energy of a further state could come from approaches, forces and what was there."""
        if self._most == math.inf:
            return True
        scalars = self._engine.scalars
        # Only work that is done on the world: damping takes what it takes.
        self._work += max(0.0, (scalars.time - self._time) / 2 * (scalars.power + self._power))
        self._time, self._power = scalars.time, scalars.power
        rise = max(0.0, scalars.energy + scalars.kinetic - self._start - self._work)
        self._moved = max(self._moved, scalars.kinetic - rise)
        fallen = self._fall * (scalars.time - self._begun) ** 2  # what is let go by rounding, and caught
        return rise <= self._most + self._moved + fallen


def approach(engine: Engine) -> float:
    """The energy with which constraints that can be met close their gaps, at most: that of n objects, as
    heavy as the heaviest, on springs of the approach [J]."""
    J, _, W, spans = matrices(engine)
    with np.errstate(all="ignore"):
        mobility = np.einsum("ij,jk,ik->i", J, W, J)
        energy = 0.0
        for item, rows in spans:
            if item.type.block_of(item).kind in (Kind.RATE, Kind.STEADY):
                continue
            gap, stiffness = engine.record(item)[: rows.stop - rows.start], item.type.flat(item.values)[-2]
            free = mobility[rows] > 0
            energy += 0.5 * stiffness * float((gap[free] ** 2 / mobility[rows][free]).sum())
    return energy * engine.arena.index.n_objects * mass_ratio(engine)
