"""Rest without passing time: a first-order world slides to the local minimum of its energy under its
constraints (ID90 §5.3).

Plain steps of the world take turns with implicit ones along all directions the constraints leave free, (1/h −
∂F/∂q) d = F for the flow q̇ = F(q), with the derivative by differences: the longer h, the nearer to Newton's
method. They are for small worlds of plain coordinates; elsewhere plain steps alone do it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tinkerdyne.engine.least_squares import CUTOFF, matrices
from tinkerdyne.engine.readings import flow, positions, read, residual, velocities
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.calls import says_how
from tinkerdyne.language.checks import number
from tinkerdyne.language.item import Item
from tinkerdyne.world.edit import Edit, Several
from tinkerdyne.world.results import Result, Status
from tinkerdyne.world.world import World

Weigh = Callable[[], tuple[Array, Edit]]
BUNCH = 10  # plain steps between two implicit ones
LONG, LONGEST = 1.0, 1e6  # s of a plain step; it is linearly implicit for each object by itself
SHORTEST = 1e-4  # s: what cannot be met in such steps cannot be met
ROUNDING = 1e-15  # relative change of the state in a bunch, below which only rounding moves
# velocities of a world that takes implicit steps: they need as many evaluations, and a dense solution
LARGEST = 200
DIFFERENCE = 1e-6  # of the state's size, for derivatives by central differences
# bunches before implicit steps begin (what is quick is done by then), or contradictions are given up
PATIENCE = 20
COMPROMISE = 300  # steps, in which what cannot be met comes to rest in between
LOOSE = 100  # tolerances, within which a constraint is met
NUDGE = 1e-4  # of the state's size: what leads out of a symmetry in which constraints depend on each other
CLOSINGS = 8  # projections of an implicit step, each with the stops closed that the one before passed


@dataclass(frozen=True)
class Rest(SaysNearest):
    """How a slide into rest ended; true when everything rests."""

    is_at_rest: bool
    speed: float  # the largest |q̇| = |W (Q + Jᵀλ)| that is left; where numbers have sizes, over them
    steps: int
    result: Result

    def __bool__(self) -> bool:
        return self.is_at_rest

    def __str__(self) -> str:
        said = f"{self.steps} steps, largest rate {self.speed:.3g}"
        return f"at rest: {said}" if self.is_at_rest else f"not at rest: {said}. {self.result}"


@says_how
def settle(
    world: World,
    weigh: Weigh | None = None,
    /,
    *,
    speed: float = 1e-10,
    still: float = 0.0,
    first_step: float = 0.01,
    most_steps: int = 100_000,
) -> Rest:
    """Let a first-order world slide until nothing moves faster than `speed` [units of the state a second];
    can be undone.

    It also rests when ten long steps, and the last of them, move nothing by more than `still`. Steps grow
    while the energy falls and shrink where it does not. The clock stands still, as in `World.assemble`.
    `weigh` tells, for the present state, the size of each velocity, in which `speed` is meant then, and an
    edit that makes masses suit it.
    """
    if not isinstance(world, World):
        raise TypeError(f"settle takes a world, not {world!r}; write settle(world)")
    speed = number("speed", speed, positive=True)
    still = number("still", still)
    if world.settings["order"] != 1:
        raise ValueError(
            "only a first-order world comes to rest where its forces end; make it with World(order=1)"
        )
    first_step = number("first_step", first_step, positive=True)
    with world.lock:
        world.engine.ready()
        with world.history.one_step(), world.history.motion("settled"):
            start = world.time
            rest = _slide(world, speed, still, first_step, most_steps, weigh)
            if rest.result.status is Status.UNMET and _is_plain(world):  # perhaps only a symmetry holds it
                unmet = world.history.snapshot()
                _nudge(world)
                more = _slide(world, speed, still, first_step, most_steps - rest.steps, weigh)
                if more:
                    rest = replace(more, steps=rest.steps + more.steps)
                else:
                    world.history.restore(unmet)
                    world.stepper.advance(COMPROMISE, first_step)
            world.engine.forget_approaches()
            world.engine.scalars.time, world.engine.scalars.parts = start, 1.0
            world.engine.moved()
        return rest


def _slide(world: World, speed: float, still: float, h: float, most_steps: int, weigh: Weigh | None) -> Rest:
    steps, bunches, unmet, result = 0, 0, 0, Result(Status.DONE, 0)
    size = _weighed(world, weigh)
    left, long = _relative_rate(world, size), LONG
    # also if not a number: the step says what is not
    while steps < most_steps and not (left <= speed and _is_met(world)):
        world.engine.scalars.parts = 1.0
        world.engine.moving()
        here, before = positions(world.engine), world.history.snapshot()
        taken = _without_way(world.stepper.advance(BUNCH, h))
        steps += taken.steps
        bunches += 1
        if not taken:
            # what cannot be met may have thrown it far away
            return Rest(False, left, steps, result if unmet else taken)
        result = taken
        # a long step may run into several stops at once, more than can hold it
        if result.culprits and h > SHORTEST:
            world.history.restore(before)
            h /= 16
            continue
        size = _weighed(world, weigh)
        left = _relative_rate(world, size)
        unmet = unmet + 1 if result.culprits else 0
        if unmet >= PATIENCE:
            break
        parts = world.engine.scalars.parts
        least = np.maximum(still, ROUNDING * (1 + np.abs(here).max(initial=0.0) if size is None else size))
        is_still = (np.abs(positions(world.engine) - here) <= least).all() and (
            h / parts * np.abs(velocities(world.engine)) <= least
        ).all()
        if h >= LONG and is_still:  # also the last step, as it may go to and fro
            return Rest(not result.culprits and _is_met(world), left, steps, result)
        h = min(2 * h, LONGEST) if parts == 1 else h / parts
        if bunches >= PATIENCE and left > speed and not result.culprits and _is_plain(world):
            for _ in range(BUNCH):
                long = min(4 * long, 1e12) if _implicit_step(world, long, size) else max(long / 16, 1e-6)
                steps += 1
            size = _weighed(world, weigh)
            left = _relative_rate(world, size)
    return Rest(left <= speed and not result.culprits and _is_met(world), left, steps, result)


def _without_way(taken: Result) -> Result:
    """A result, but for how far off its way is: where a world comes to rest does not depend on it."""
    if taken.status is not Status.INACCURATE:
        return taken
    return replace(taken, status=Status.DONE, culprits=(), remedy="")


def rate(world: World) -> float:
    """The largest |q̇| of a first-order world at its present state."""
    return float(np.abs(_flow(world)).max(initial=0.0))


def _relative_rate(world: World, size: Array | None) -> float:
    return rate(world) if size is None else float((np.abs(_flow(world)) / size).max(initial=0.0))


def _weighed(world: World, weigh: Weigh | None) -> Array | None:
    """The size of each velocity, after masses were made to suit the state; None where one size does for
    all."""
    if weigh is None or not _is_plain(world):
        return None
    size, edit = weigh()
    if edit != Several(()):
        world.apply(edit)
        world.engine.ready()
    return size


def _is_plain(world: World) -> bool:
    """Whether the world is small, its state moves as q' = v, and nothing in it depends on time."""
    types = [batch.type for batch in world.engine.structure.object_batches()]
    is_linear = all(type.nq == type.nv and type.qdot is None for type in types)
    return is_linear and world.engine.overview.nv <= LARGEST and not world.engine.overview.depends_on_time


def _is_met(world: World) -> bool:
    """Whether all equations and inequalities hold, whatever their approach r(t) still allows."""
    engine = world.engine
    engine.evaluate()
    for item in engine.structure.constraints():
        block = item.type.block_of(item)
        c = read(engine, residual(engine, item))
        off = -c if block.is_stop else np.abs(c)
        if not block.is_on_velocity and not (off <= LOOSE * world.settings["tolerance"]).all():
            return False
    return True


def _nudge(world: World) -> None:
    """Move everything free a little, each number by another share."""
    engine = world.engine
    engine.evaluate()
    q = positions(engine)
    shares = np.cos(1 + np.arange(len(q))) * matrices(engine)[2].any(axis=0)
    engine.set_positions(q + NUDGE * (1 + np.abs(q)) * shares)


def _implicit_step(world: World, h: float, size: Array | None) -> bool:
    """One implicit step of length h; taken back, and False, where the energy (or, if that stays, the rate)
    would not fall.

    Stops that it passes are closed, and hold it.
    """
    engine = world.engine
    q, rates, energy = positions(engine), _flow(world), world.potential_energy
    kept = engine.numbers()
    unit, zero = (np.full(len(q), 1 + np.abs(q).max(initial=0.0)), 1.0) if size is None else (size, 0.0)
    J, _, W, _ = matrices(engine)
    free = _tangent((J * unit)[:, W.any(axis=0)])
    T = np.zeros((len(q), free.shape[1]))
    T[W.any(axis=0)] = free  # of q/unit
    slopes = [_flow_at(world, q + e * unit * t) / (2 * e) for t in T.T for e in (DIFFERENCE, -DIFFERENCE)]
    slope = (np.reshape(slopes, (-1, 2, len(q))).sum(axis=1) / unit).T
    passed: list[Item] = []
    if np.isfinite(slope).all():
        d = np.linalg.lstsq(np.eye(T.shape[1]) / h - T.T @ slope, T.T @ (rates / unit), rcond=1e-14)[0]
        engine.set_positions(q + unit * (T @ d))
        for _ in range(CLOSINGS):
            engine.program.project(30)
            passed = _passed(world)
            if not passed:
                break
            engine.close(passed)
        change, rounding = world.potential_energy - energy, 1e-12 * (zero + abs(energy))
        falls = change < -rounding or (
            change <= rounding and _relative_rate(world, unit) < (np.abs(rates) / unit).max(initial=0.0)
        )
        if falls and not passed and world.gap <= LOOSE * world.settings["tolerance"]:
            return True
    engine.set_numbers(kept)
    return False


def _passed(world: World) -> list[Item]:
    """The open stops that lie behind the present state."""
    engine = world.engine
    engine.evaluate()
    stops = [item for item in engine.structure.constraints() if engine.is_open(item)]
    return [
        stop for stop in stops if not read(engine, residual(engine, stop))[0] >= -world.settings["tolerance"]
    ]


def _tangent(J: Array) -> Array:
    """An orthonormal basis of what the constraints leave free, by columns."""
    if not len(J):
        return np.eye(J.shape[1])
    _, sizes, rows = np.linalg.svd(J)
    return np.asarray(rows[int((sizes > CUTOFF * sizes.max(initial=0.0)).sum()) :].T)


def _flow(world: World) -> Array:
    """q̇ at the present state."""
    world.engine.evaluate()
    return flow(world.engine)


def _flow_at(world: World, q: Array) -> Array:
    world.engine.set_positions(q)
    return _flow(world)
