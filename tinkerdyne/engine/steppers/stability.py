"""How fast the fastest swing of a world is: its springs against its masses, by power iteration."""

from __future__ import annotations

import numpy as np

from tinkerdyne.engine.engine import Engine, Moment
from tinkerdyne.engine.readings import masses_of
from tinkerdyne.engine.records import Vel
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

MOST = 60  # iterations
CLOSE = 1e-3  # of the eigenvalue: near enough to tell a step that is too long
SMALL = 1e-6  # of the state's size: the step of the finite difference
PLAIN = 2.0  # h ω up to which a plain explicit step swings and does not grow
LONGEST = 16 * PLAIN  # that of the default method, which divides a step in up to 16 parts


def fastest(engine: Engine) -> tuple[float, Array]:
    """(ω, its mode as a velocity) of the fastest swing,  W ∂Q/∂q D x = −ω² x   [rad/s]; (0, …) where nothing
    swings."""
    nq, nv = engine.overview.nq, engine.overview.nv
    y, t = engine.state_vector(), engine.scalars.time
    q = y[:nq]
    step = SMALL * max(1.0, float(np.abs(q).max(initial=0.0)))

    def evaluate(at: Array, v: Array) -> tuple[Array, Array]:
        """(q', free acceleration), without constraints."""
        engine.set_state_vector(np.concatenate([at, v]), t)
        engine.program.evaluate_free()
        return engine.arena.qdot.copy(), engine.arena.velocity_vector(Vel.ACC).copy()

    rest = np.zeros(nv)
    x, square = np.random.default_rng(1).normal(size=nv), 0.0
    with np.errstate(all="ignore"):
        here = evaluate(q, rest)[1]
        for _ in range(MOST):
            x = x / np.linalg.norm(x)
            away, _ = evaluate(q, x)
            y1 = (here - evaluate(q + step * away, rest)[1]) / step
            before, square = square, float(x @ y1)
            if not np.isfinite(y1).all() or not y1.any():
                square = 0.0
                break
            x = y1
            if abs(square - before) < CLOSE * abs(square):
                break
    engine.set_state_vector(y, t)
    return float(np.sqrt(max(square, 0.0))), np.nan_to_num(x)


def too_fast(engine: Engine, good: Moment, h: float, longest: float) -> tuple[float, Item] | None:
    """(ω, the object that swings most) where a swing at an earlier moment is too fast for a step h: ω h above
    the longest. The engine is then back at that moment; else nothing has changed."""
    lost = engine.numbers()
    engine.set_state_vector(good.state, good.time)
    speed, mode = fastest(engine)
    if speed * h <= longest:
        engine.set_numbers(lost)
        return None
    culprit = most_moved(engine, mode)
    engine.go_back(good)
    return speed, culprit


def free_energy(engine: Engine, h: float) -> float:
    """About the kinetic energy that a step of length h would give to free parts at rest, by the forces as
    they were last evaluated: nothing is moved   [J]."""
    index = engine.arena.index
    forces, squares = engine.arena.vector(index.force, index.nv), 0.0
    for batch in engine.structure.object_batches():
        n, width, is_free = batch.n, batch.v.width, batch.fixed.live[:, 0] == 0
        rows = forces[batch.first_v - index.v :][: n * width].reshape(n, width)
        with np.errstate(over="ignore", invalid="ignore"):
            squares += float((rows**2 / masses_of(engine, batch))[is_free].sum())
    return 0.5 * h * h * squares


def most_moved(engine: Engine, mode: Array) -> Item:
    """The object that has most of a motion, given by its velocities."""
    shares = _shares(engine, mode)
    return max(shares, key=lambda item: shares[item])


def _shares(engine: Engine, mode: Array) -> dict[Item, float]:
    """How much of a motion, given by its velocities, each object has."""
    first = engine.arena.index.v
    found: dict[Item, float] = {}
    for batch in engine.structure.object_batches():
        rows = mode[batch.first_v - first :][: batch.n * batch.v.width].reshape(batch.n, -1)
        found |= {item: float(np.linalg.norm(row)) for item, row in zip(batch.items, rows, strict=True)}
    return dict(sorted(found.items(), key=lambda pair: pair[0].key))
