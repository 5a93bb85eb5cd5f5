"""Rods in a row with a stiffly damped spring at each joint, clamped at one end and pulled across at the
other, come to rest where statics says.

Any damping leads to the same rest. It is chosen near that of the slowest swing, and the load so that long
beams do not coil up; a beam of 1,000 rods swings once in half an hour, so its steps are long.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import fsolve

import tinkerdyne as td

from .bar import Bar, Line, Measurement, Remark

LENGTH, MASS, STIFFNESS = 0.1, 0.01, 100.0  # m, kg, N m
WANTED = 1e-6  # of the deflection


@dataclass(frozen=True)
class Beam:
    """A beam of n rods: damping of its springs [N m s], load [N], and steps of so many seconds, how long."""

    n: int
    damping: float
    load: float
    runs: tuple[tuple[float, float], ...]

    def build(self) -> tuple[td.World, td.Item]:
        """The world, and the last rod."""
        world, last = td.World(), None
        for k in range(self.n):
            rod = td.PlanarRod(f"rod{k}", mass=MASS, length=LENGTH, position=((k + 0.5) * LENGTH, 0.0))
            world.add(rod)
            hinge = world.add(td.join(td.pin, last, rod, at=(k * LENGTH, 0.0), name=f"hinge{k}"))
            world.add(td.scalar_spring(hinge.turn, stiffness=STIFFNESS, damping=self.damping))
            last = rod
        world.add(td.pull(last.end2, by=(0.0, self.load)))
        return world, last

    def deflection(self) -> float:
        """Height of the tip at rest: each spring carries the load's moment about its joint."""

        def unbalanced(turns: np.ndarray) -> np.ndarray:
            angles = np.cumsum(turns)
            x = np.concatenate([[0.0], np.cumsum(LENGTH * np.cos(angles))])
            return np.asarray(STIFFNESS * turns - self.load * (x[-1] - x[:-1]))

        turns = fsolve(unbalanced, np.full(self.n, 1e-3), xtol=1e-12)
        return float(np.sum(LENGTH * np.sin(np.cumsum(turns))))


BEAMS = (
    Beam(9, 2.0, 0.3, ((1e-3, 2.0),)),
    Beam(20, 20.0, 0.3, ((1e-3, 4.0),)),
    Beam(200, 2000.0, 3e-3, ((1 / 60, 240.0),)),
    Beam(1000, 57000.0, 1e-4, ((4.0, 6000.0),)),
)


def _measurement(beam: Beam) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        world, last = beam.build()
        begin = time.process_time()
        said = []
        for step, seconds in beam.runs:
            world.configure(max_step=step)
            said.append(world.run(seconds))
        off = abs(last.end2.value[1] / beam.deflection() - 1)
        yield Bar(name, "off the deflection at rest", off, "≤", WANTED)
        steps = sum(result.steps for result in said)
        yield Remark(name, f"{1e3 * (time.process_time() - begin) / steps:.3g} ms a step; {said[-1]}")

    return measure


MEASUREMENTS = {f"truth-beams-{beam.n}": _measurement(beam) for beam in BEAMS}
