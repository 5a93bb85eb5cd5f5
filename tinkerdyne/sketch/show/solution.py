"""Solutions: the motion found for a sketch, and how well it meets it in words and numbers (M5)."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import conjugate, products
from tinkerdyne.sketch.problem.forming import MOST_PARTS
from tinkerdyne.sketch.problem.point import states
from tinkerdyne.sketch.problem.statement import LONGEST, SHORTEST, Statement
from tinkerdyne.sketch.problem.unknowns import Force, Inertia
from tinkerdyne.sketch.show import impacts, replay, report, words
from tinkerdyne.sketch.show.impacts import Impact
from tinkerdyne.sketch.show.report import Misfit, Residual
from tinkerdyne.sketch.solve.outcome import Outcome
from tinkerdyne.sketch.solve.regrid import needed, regridded
from tinkerdyne.sketch.solve.starts import start
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.world import World

if TYPE_CHECKING:
    from tinkerdyne.sketch.tell.sketch import Sketch

LATE = 1e-9  # s: what rounding may add to a time
CLOSED = 1e-8  # m/s: a gap below this is none
SMALL = 1e-5  # units: a residual below this is none
PINNED = 1.02  # times its least duration: a flight this short has collapsed


class Solution:
    """A motion: states at any time, what it meets, and the engine's own view of it."""

    def __init__(
        self,
        sketch: Sketch,
        statement: Statement,
        best: Outcome,
        others: list[Outcome],
        note: str = "",
        cpu: float | None = None,
    ) -> None:
        self.cpu = best.seconds if cpu is None else cpu  # s, of all starts
        self.sketch, self.statement, self.outcome, self.others, self.note = (
            sketch,
            statement,
            best,
            others,
            note,
        )
        T = best.point.durations * statement.units.time
        self.grid = np.concatenate([[0.0], np.cumsum(T)])  # s: start, collisions, end

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        """Its picture, at the end of a notebook's cell."""
        shown: dict[str, object] = importlib.import_module("tinkerdyne.notebook").solution_shown(self)
        return shown

    def refined(self, cancel: Callable[[], bool] | None = None) -> Solution:
        """The motion solved again with segments as short as its turns need, where some are too long for one
        step each."""
        if not self.outcome.is_feasible or self.is_fine or (cancel is not None and cancel()):
            return self
        self.sketch.parts = [min(n, MOST_PARTS) for n in needed(self.statement, self.outcome.point)]
        if self.sketch.parts == self.statement.parts:
            return self
        statement = self.sketch.statement()
        near = regridded(self.statement, statement, self.outcome)
        wanted = None if cancel is None else lambda: not cancel()
        outcome = start(statement, near=near, has_gaps=near.has_gaps, wanted=wanted)
        if outcome.rank[:2] > self.outcome.rank[:2]:
            self.sketch.parts = self.statement.parts
            return self
        finer = Solution(
            self.sketch,
            statement,
            replace(outcome, seed=near.seed),
            self.others,
            self.note,
            self.cpu + outcome.seconds,
        )
        return finer.refined(cancel)

    @property
    def is_fine(self) -> bool:
        """Whether no segment turns so far that one step of the integration misses the engine by more than is
        promised."""
        return needed(self.statement, self.outcome.point) == self.statement.parts

    # --- the motion ------------------------------------------------------------------------------
    @property
    def seconds(self) -> float:
        return float(self.grid[-1])

    @property
    def cost(self) -> float:
        """The objective: the samples' misfit in units of the extent, and the gaps'."""
        return self.outcome.cost

    @property
    def is_met(self) -> bool:
        """Whether everything hard is met and no physical law is broken."""
        return self.is_plausible and self.widest_gap <= CLOSED

    @property
    def is_plausible(self) -> bool:
        """Whether everything hard is met, nothing sinks or overlaps, and no velocity jumps at a collision
        beyond the impulse by more than half of how fast that body is, just before it or after."""
        return self.is_granted and not self.depths and not any(blow.is_wild for blow in self.blows)

    @property
    def is_granted(self) -> bool:
        """Whether every hard wish is met, by the solver's rows and by the motion itself."""
        u = self.statement.units
        size = {"m": u.length, "m/s": u.length / u.time, "rad/s": 1 / u.time, "s": u.time}
        return self.outcome.is_feasible and all(
            r.size <= SMALL * size.get(r.unit, 1.0) for r in self.residuals
        )

    @property
    def widest_gap(self) -> float:
        """The largest unexplained jump of velocity at a collision [m/s], spins counted at the bodies'
        radius."""
        radius = {s.name: s.radius for s in self.statement.shapes}
        return max(
            (max(v, w * radius[name]) for blow in self.blows for name, (v, w) in blow.gaps.items()),
            default=0.0,
        )

    def states(self, body: Item | int, flight: int, share: Array) -> tuple[Array, Array, Array, Array]:
        """Place, orientation, velocity, spin of a body along a flight, in SI and its own axes."""
        b = body if isinstance(body, int) else self.sketch.bodies.index(body)
        x, q, v, w = states(self.statement, self.outcome.point, flight, b, np.atleast_1d(share))
        shape, u = self.statement.shapes[b], self.statement.units
        turned = products(q, conjugate(shape.turn))
        return (
            x * u.length,
            turned / np.linalg.norm(turned, axis=1, keepdims=True),
            v * u.length / u.time,
            w / u.time @ shape.axes.T,
        )

    def at(self, body: Item, time: float) -> dict[str, Array]:
        """The state of a body at a time of the motion; at a collision, just after it."""
        if not -LATE <= number("time", time) <= self.seconds + LATE:
            raise ValueError(
                f"time must lie within the motion, from 0 to {self.seconds:.6g} s, not {time!r}; what comes "
                "after it is simulated: solution.world().run(…)"
            )
        f = int(np.clip(np.searchsorted(self.grid, time, side="right") - 1, 0, len(self.grid) - 2))
        share = np.array([(time - self.grid[f]) / (self.grid[f + 1] - self.grid[f])])
        x, q, v, w = self.states(body, f, share)
        return {"position": x[0], "orientation": q[0], "velocity": v[0], "spin": w[0]}

    def moments(self, b: int) -> Array:
        """Principal moments of body number b, as they were given or chosen [kg m²]."""
        return (
            self.statement.moments(b, self.outcome.point.chosen)
            * self.statement.units.mass
            * self.statement.units.length**2
        )

    def inertia(self, body: Item) -> Array:
        """How many times what its shape gives it the principal moments of a body are: one number for each
        that may vary."""
        chosen = self.outcome.point.chosen.get(Inertia(self.sketch.bodies.index(body)))
        return np.ones(1) if chosen is None else chosen

    def force(self, body: Item) -> Array:
        """The constant force that was chosen for a body, besides gravity [N]."""
        u = self.statement.units
        chosen = self.outcome.point.chosen.get(Force(self.sketch.bodies.index(body)), np.zeros(3))
        return chosen * u.mass * u.length / u.time**2

    def sample_times(self, body: Item) -> list[Array]:
        """The times that were given to the samples of a body, flight by flight [s]."""
        b = self.sketch.bodies.index(body)
        T = np.diff(self.grid)
        out = []
        for f, row in enumerate(self.statement.tracks):
            track = row[b]
            if track is not None and track.times is not None:
                out.append(track.times * self.statement.units.time)
            else:
                out.append(self.grid[f] + self.outcome.point.shares[f][b] * T[f])
        return out

    def recording(self, every: float = 1 / 60) -> Recording:
        """The motion as a recording of the engine's form."""
        readings: dict[str, Array] = {}
        times = np.unique(np.concatenate([np.arange(0.0, self.seconds, every), [self.seconds]]))
        kinetic, potential = np.zeros(len(times)), np.zeros(len(times))
        for b, body in enumerate(self.sketch.bodies):
            rows = [self.at(body, float(t)) for t in times]
            for name in ("position", "orientation", "velocity", "spin"):
                readings[f"{body.name}.{name}"] = np.array([row[name] for row in rows])
            shape = self.statement.shapes[b]
            spin = readings[f"{body.name}.spin"] @ shape.axes
            kinetic += (
                shape.mass * (readings[f"{body.name}.velocity"] ** 2).sum(axis=1) / 2
                + (spin**2 @ self.moments(b)) / 2
            )
            potential -= shape.mass * readings[f"{body.name}.position"] @ self.sketch.gravity
        return Recording(times, kinetic, potential, readings)

    # --- what it meets ---------------------------------------------------------------------------
    @functools.cached_property
    def residuals(self) -> list[Residual]:
        """Every hard constraint, and how far it is off."""
        return report.residuals(self)

    @functools.cached_property
    def blows(self) -> list[Impact]:
        """The collisions, with what physics does not explain of them."""
        return impacts.impacts_of(self)

    @functools.cached_property
    def misfit(self) -> Misfit:
        """How far the samples are from the motion."""
        return report.misfit(self)

    @functools.cached_property
    def depths(self) -> list[Residual]:
        """Bodies that sink below a surface, or into each other, between collisions."""
        return report.depths(self)

    @property
    def collapsed(self) -> list[int]:
        """Flights that shrank to their least duration: the order of the collisions does not fit the sketch
        (MS03 §5.2)."""
        T = self.outcome.point.durations
        return [
            f
            for f, t in enumerate(T)
            if self.statement.flights[f].duration is None and (t < PINNED * SHORTEST or t > LONGEST / PINNED)
        ]

    def __str__(self) -> str:
        return words.summary(self)

    # --- in the engine ---------------------------------------------------------------------------
    def world(self) -> World:
        """A world in which the motion plays: bodies as they start, gravity, and blows on a timeline; it can
        be saved and run."""
        return replay.world(self)

    def resimulated(self) -> list[float]:
        """How far the engine, started where each flight starts, ends from where the flight ends: the furthest
        corner [m]."""
        return replay.resimulated(self)

    def replayed(self) -> float:
        """How far the engine ends from the motion's end when it flies it whole, struck by impulses of its own
        state [m]."""
        return replay.replayed(self)

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw the sketch against the result, gaps and residuals, as .png, .svg or .pdf."""
        from tinkerdyne.sketch.show.picture import draw

        draw(self, path)
