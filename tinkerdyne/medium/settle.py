"""Rest without passing time: a first-order world slides to the local minimum of its energy under its constraints (ID90 §5.3).

Plain steps of the world take turns with implicit ones along all directions the constraints leave free, (1/h − ∂F/∂q) d = F for the
flow q̇ = F(q), with the derivative by differences: the longer h, the nearer to Newton's method. They are for small worlds of plain
coordinates; elsewhere plain steps alone do it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tinkerdyne.kernel.item import number
from tinkerdyne.model import layout as L
from tinkerdyne.model.edit import Several
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.results import Result, Status
from tinkerdyne.solve.least_squares import CUTOFF, matrices
from tinkerdyne.world import World

Array = np.ndarray[Any, Any]
BUNCH = 10  # plain steps between two implicit ones
LONG, LONGEST = 1.0, 1e6  # s of a plain step; it is linearly implicit for each object by itself
SHORTEST = 1e-4  # s: what cannot be met in such steps cannot be met
ROUNDING = 1e-15  # relative change of the state in a bunch, below which only rounding moves
LARGEST = 200  # velocities of a world that takes implicit steps: they need as many evaluations, and a dense solution
DIFFERENCE = 1e-6  # of the state's size, for derivatives by central differences
PATIENCE = 20  # bunches before implicit steps begin (what is quick is done by then), or contradictions are given up


@dataclass(frozen=True)
class Rest:
    """How a slide into rest ended; true when everything rests."""

    is_at_rest: bool
    speed: float  # the largest |q̇| = |W (Q + Jᵀλ)| that is left
    steps: int
    result: Result

    def __bool__(self) -> bool:
        return self.is_at_rest

    def __str__(self) -> str:
        said = f"{self.steps} steps, largest rate {self.speed:.3g}"
        return f"at rest: {said}" if self.is_at_rest else f"not at rest: {said}. {self.result}"


def settle(
    world: World, *, speed: float = 1e-10, still: float = 0.0, first_step: float = 0.01, most_steps: int = 100_000
) -> Rest:
    """Let a first-order world slide until nothing moves faster than `speed` [units of the state a second]; can be undone.

    It also rests when ten long steps, and the last of them, move nothing by more than `still`. Steps grow while the energy falls
    and shrink where it does not. The clock stands still, as in `World.assemble`.
    """
    speed = number("speed", speed, positive=True)
    still = number("still", still)
    if world.settings["order"] != 1:
        raise ValueError("only a first-order world comes to rest where its forces end; make it with World(order=1)")
    with world._lock:
        world._ready()
        before = world._snapshot()
        world._shot = None
        start = world.time
        rest = _slide(world, speed, still, number("first_step", first_step, positive=True), most_steps)
        s = world._structure
        s.forget_approaches()
        s.S[L.S_TIME], s.S[L.S_PARTS] = start, 1.0
        world._remember(Several(()), before)
        return rest


def _slide(world: World, speed: float, still: float, h: float, most_steps: int) -> Rest:
    steps, bunches, unmet, result = 0, 0, 0, Result(Status.DONE, 0)
    left, long = rate(world), LONG
    while steps < most_steps and left > speed:
        world._structure.S[L.S_PARTS] = 1.0
        here, before = _state(world), world._snapshot()
        world._shot = None
        result = world._advance(BUNCH, h)
        steps += result.steps
        bunches += 1
        if not result:
            return Rest(False, left, steps, result)
        if result.culprits and h > SHORTEST:  # a long step may run into several stops at once, more than can hold it
            world._restore(before)
            h /= 16
            continue
        left = rate(world)
        unmet = unmet + 1 if result.culprits else 0
        if unmet >= PATIENCE:
            break
        parts = float(world._structure.S[L.S_PARTS])
        moved = max(np.abs(_state(world) - here).max(initial=0.0), h / parts * _last_speed(world))  # it may go to and fro
        if h >= LONG and moved <= max(still, ROUNDING * (1 + np.abs(here).max(initial=0.0))):
            return Rest(not result.culprits, left, steps, result)
        h = min(2 * h, LONGEST) if parts == 1 else h / parts
        if bunches >= PATIENCE and left > speed and not result.culprits and _is_plain(world):
            for _ in range(BUNCH):
                long = min(4 * long, 1e12) if _implicit_step(world, long) else max(long / 16, 1e-6)
                steps += 1
            left = rate(world)
    return Rest(left <= speed and not result.culprits, left, steps, result)


def rate(world: World) -> float:
    """The largest |q̇| of a first-order world at its present state."""
    return float(np.abs(_flow(world)).max(initial=0.0))


def _last_speed(world: World) -> float:
    """The largest |v| of the last step."""
    s = world._structure
    at = int(s.I[L.H_S_V])
    return float(np.abs(s.S[at : at + int(s.I[L.H_NV])]).max(initial=0.0))


def _is_plain(world: World) -> bool:
    """Whether the world is small, its state moves as q' = v, and nothing in it depends on time."""
    s = world._structure
    objects = (b.what for b in s.batches.values() if b.family == L.OBJECT)
    linear = all(isinstance(what, ObjectType) and what.nq == what.nv and what.qdot is None for what in objects)
    return bool(linear and s.I[L.H_NV] <= LARGEST and not s.I[L.H_MOVES])


def _implicit_step(world: World, h: float) -> bool:
    """One implicit step of length h; taken back, and False, where the energy (or, if that stays, the rate) would not fall."""
    q, flow, energy = _state(world), _flow(world), world.potential_energy
    J, _, W, _ = matrices(world._structure)
    free = _tangent(J[:, W.any(axis=0)])
    T = np.zeros((len(q), free.shape[1]))
    T[W.any(axis=0)] = free
    e = DIFFERENCE * (1 + np.abs(q).max(initial=0.0))
    slope = np.stack([(_flow_at(world, q + e * t) - _flow_at(world, q - e * t)) / (2 * e) for t in T.T], axis=1)
    d = np.linalg.lstsq(np.eye(T.shape[1]) / h - T.T @ slope, T.T @ flow, rcond=1e-14)[0]
    s = world._structure
    _put(world, q + T @ d)
    s.core["project"](s.I.ctypes.data, s.S.ctypes.data, 30)
    s.S[L.S_READY] = 0.0
    change, rounding = world.potential_energy - energy, 1e-12 * (1 + abs(energy))
    falls = change < -rounding or (change <= rounding and rate(world) < np.abs(flow).max(initial=0.0))
    if not (falls and world.gap <= 100 * world.settings["tolerance"]):
        _put(world, q)
        return False
    return True


def _tangent(J: Array) -> Array:
    """An orthonormal basis of what the constraints leave free, by columns."""
    if not len(J):
        return np.eye(J.shape[1])
    _, sizes, rows = np.linalg.svd(J)
    return np.asarray(rows[int((sizes > CUTOFF * sizes.max(initial=0.0)).sum()) :].T)


def _flow(world: World) -> Array:
    s = world._evaluate()
    n = int(s.I[L.H_NV])
    at = int(s.I[L.H_S_VELS]) + L.V_TOTAL * n
    return s.S[at : at + n].copy()


def _flow_at(world: World, q: Array) -> Array:
    _put(world, q)
    return _flow(world)


def _state(world: World) -> Array:
    s = world._structure
    at = int(s.I[L.H_S_Q])
    return s.S[at : at + int(s.I[L.H_NQ])].copy()


def _put(world: World, q: Array) -> None:
    s = world._structure
    at = int(s.I[L.H_S_Q])
    s.S[at : at + len(q)] = q
    s.S[L.S_READY] = 0.0
