"""The dense method: Runge–Kutta of order four over least-squares accelerations, for worlds with non-square
constraints (d ≠ f), which are held by their feedback τ.

It keeps the accounts of the compiled methods (steppers.accuracy) in its own way. The energy balance counts
the work of constraints, v·GᵀF, which feedback does. The error of the path is measured: one step in sixteen is
taken in two halves too. What they differ by, as a share of the change of velocity, is that by which the rate
of a swing or a decay is off.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.least_squares import accelerations, matrices
from tinkerdyne.engine.records import Flag, Kind, Object, Vel
from tinkerdyne.engine.steppers.accuracy import EVERY
from tinkerdyne.engine.steppers.advance import LOST
from tinkerdyne.engine.steppers.reach import Reach
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

MISSED = 1e-3  # share of the wanted acceleration that may be missing in a constraint that closes
EVENLY = 1e-9  # of a velocity: a smaller change, and what is missing of it, is rounding
HALVES = 16 / 15  # of what a step of order four and its two halves differ by: the error of the whole one


class Rates(NamedTuple):
    """(q', v') at a state, with the energy and the power of what has no potential, constraints too."""

    y: Array
    energy: float
    power: float


def _fed_back(item: Item, c: Array, rate: Array) -> Array:
    """c̈ that feedback wants of a constraint: −k_d ċ − k_s c, or −ċ/τ of one on velocities."""
    stiffness, damping = item.type.flat(item.values)[-2:]
    kind = item.type.block_of(item).kind
    if kind in (Kind.RATE, Kind.STEADY):
        return np.asarray(0 * rate if kind == Kind.STEADY else -rate / item.values["tau"])
    return np.asarray(-damping * rate - stiffness * c)


def left_open(engine: Engine, limit: float) -> list[Item]:
    """Constraints that the dense method does not close.

    They are open by more than a limit, and the least-squares forces do not give them the acceleration that
    feedback wants.
    """
    acc, _ = accelerations(engine, _fed_back)
    J, _, _, spans = matrices(engine)
    found = []
    for item, rows in spans:
        m = rows.stop - rows.start
        record = engine.record(item)
        c, rate, bias = record[:m], record[m : 2 * m], record[2 * m : 3 * m]
        wanted = _fed_back(item, c, rate)
        given = J[rows] @ acc + bias
        missing = np.abs(given - wanted).max(initial=0.0)
        is_met = missing <= MISSED * np.abs(wanted).max(initial=0.0)  # not where one is no number
        if np.abs(c).max(initial=0.0) > limit and not is_met:
            found.append(item)
    return found


class Room:
    """How far feedback may let each constraint be open from now on, |c| + |ċ|/√k_s; and which constraints
    steps have torn: opened by more than a limit beyond that."""

    def __init__(self, engine: Engine, limit: float) -> None:
        self._engine, self._rooms = engine, list[tuple[Item, int, float]]()
        self.torn: dict[int, Item] = {}
        for item, rows in matrices(engine)[3]:
            if item.type.block_of(item).kind in (Kind.RATE, Kind.STEADY):
                continue
            m = rows.stop - rows.start
            record, stiffness = engine.record(item), item.type.flat(item.values)[-2]
            c, rate = (float(np.abs(x).max(initial=0.0)) for x in (record[:m], record[m : 2 * m]))
            most = c + (rate / math.sqrt(stiffness) if stiffness > 0 else math.inf)
            self._rooms.append((item, m, most + limit))

    def look(self) -> None:
        """At the state as last evaluated."""
        for item, m, most in self._rooms:
            if not np.abs(self._engine.record(item)[:m]).max(initial=0.0) <= most:
                self.torn[item.key] = item


def rates(engine: Engine, y: Array, t: float) -> Rates:
    """What is known of the motion at a state."""
    engine.set_state_vector(y, t)
    acc, push = accelerations(engine, _fed_back)
    scalars = engine.scalars
    power = scalars.power + float(engine.arena.v @ push)
    return Rates(np.concatenate([engine.arena.qdot, acc]), scalars.energy + scalars.kinetic, power)


def _step(engine: Engine, y: Array, t: float, h: float, k1: Array) -> Array:
    """One step from y, with the rates there."""
    k2 = rates(engine, y + h / 2 * k1, t + h / 2).y
    k3 = rates(engine, y + h / 2 * k2, t + h / 2).y
    k4 = rates(engine, y + h * k3, t + h).y
    return np.asarray(y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


def run_dense(engine: Engine, steps: int, h: float, room: Room) -> bool:
    """Some steps of length h, in which constraints have some room; False where the state is none any more, or
    has an energy that nothing can have given it, and then the last one is kept."""
    scalars = engine.scalars
    y, t = engine.state_vector(), scalars.time
    spins = _spins(engine)
    with np.errstate(all="ignore"):
        reach = Reach(engine)
        here = rates(engine, y, t)
        for _ in range(steps):
            new = _step(engine, y, t, h, here.y)
            if not np.abs(new).max(initial=0.0) < LOST:
                engine.set_state_vector(y, t)
                return False
            scalars.phase = scalars.phase + 1.0 if scalars.phase < EVERY - 1.0 else 0.0
            if scalars.phase == 1.0:
                _look(engine, y, t, h, here.y, new)
            t += h
            engine.set_state_vector(new, t)
            engine.program.tidy()
            scalars.turn = max(scalars.turn, h * float(np.abs(engine.arena.v[spins]).max(initial=0.0)))
            if engine.overview.counts_turns:
                engine.program.wind_turns()
            good, before, y = y, here, engine.state_vector()
            here = rates(engine, y, t)
            if not reach.holds():
                engine.set_state_vector(good, t - h)
                return False
            room.look()
            _enter_energy(engine, before, here, h)
    return True


def _enter_energy(engine: Engine, before: Rates, now: Rates, h: float) -> None:
    """The energy balance of a step; its work is known to ½ h |P₁ − P₀|."""
    scalars = engine.scalars
    scalars.turnover = max(scalars.turnover, scalars.kinetic)
    scalars.balance += now.energy - before.energy - h / 2 * (now.power + before.power)
    scalars.slack += h / 2 * abs(now.power - before.power)
    scalars.imbalance = max(scalars.imbalance, abs(scalars.balance) - scalars.slack)


def _look(engine: Engine, y: Array, t: float, h: float, k1: Array, new: Array) -> None:
    """Way and error of a step that has been taken, by taking it in two halves."""
    nq, mass = engine.overview.nq, _masses(engine)
    half = _step(engine, y, t, h / 2, k1)
    end = _step(engine, half, t + h / 2, h / 2, rates(engine, half, t + h / 2).y)
    error, change = HALVES * (new - end)[nq:], (new - y)[nq:]

    def size(x: Array) -> float:
        return float(np.sqrt(mass @ x**2))

    speed = size(new[nq:])
    scalars = engine.scalars
    scalars.looks += 1.0
    scalars.path += h * speed
    if error.any():
        turned = max(size(change), size(error), EVENLY * speed)
        scalars.path_error += h * speed * size(error) / turned
    engine.arena.velocity_vector(Vel.ROUGH)[:] = error


def _spins(engine: Engine) -> list[int]:
    """Which velocities are those by which bodies turn."""
    index = engine.arena.index
    found: list[int] = []
    for k in range(index.n_objects):
        entry = Object.of(index, k)
        if entry.flags & (Flag.RIGID | Flag.PLANAR):
            first = entry.v - index.v
            found += range(first + (3 if entry.flags & Flag.RIGID else 2), first + entry.nv)
    return found


def _masses(engine: Engine) -> Array:
    """The diagonal of M."""
    index = engine.arena.index
    entries = [Object.of(index, k) for k in range(index.n_objects)]
    parts = [engine.arena.vector(e.diagonals + e.nv, e.nv) for e in sorted(entries, key=lambda e: e.v)]
    return np.concatenate([np.zeros(0), *parts])
