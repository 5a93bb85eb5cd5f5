"""How fast the fastest swing and the fastest decay of a world are: its springs and its dampers against its
masses, by power iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.going_back import Moment, go_back
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
    with np.errstate(all="ignore"):
        here = evaluate(q, rest)[1]

        def pulled_back(x: Array) -> Array:
            away, _ = evaluate(q, x)
            return np.asarray((here - evaluate(q + step * away, rest)[1]) / step)

        square, x = _largest(pulled_back, nv)
    engine.set_state_vector(y, t)
    return float(np.sqrt(max(square, 0.0))), x


def fastest_decay(engine: Engine) -> tuple[float, Array]:
    """(γ, its mode as a velocity) of what dampers slow down fastest,  W ∂Q/∂v x = −γ x   [1/s]."""
    nq, nv = engine.overview.nq, engine.overview.nv
    y, t = engine.state_vector(), engine.scalars.time
    step = SMALL * max(1.0, float(np.abs(y[nq:]).max(initial=0.0)))

    def acceleration(v: Array) -> Array:
        engine.set_state_vector(np.concatenate([y[:nq], v]), t)
        engine.program.evaluate_free()
        return engine.arena.velocity_vector(Vel.ACC).copy()

    with np.errstate(all="ignore"):
        here = acceleration(y[nq:])
        rate, x = _largest(lambda x: np.asarray((here - acceleration(y[nq:] + step * x)) / step), nv)
    engine.set_state_vector(y, t)
    return max(rate, 0.0), x


def _largest(image: Callable[[Array], Array], size: int) -> tuple[float, Array]:
    """The largest eigenvalue of a linear map, and its vector; 0 where there is none."""
    x, value = np.random.default_rng(1).normal(size=size), 0.0
    for _ in range(MOST):
        x = x / np.linalg.norm(x)
        y = image(x)
        before, value = value, float(x @ y)
        if not np.isfinite(y).all() or not y.any():
            return 0.0, np.nan_to_num(x)
        x = y
        if abs(value - before) < CLOSE * abs(value):
            break
    return value, np.nan_to_num(x)


class Fast(NamedTuple):
    """A swing or a decay that is too fast for a step, and the object that has most of it."""

    rate: float  # [rad/s, 1/s]
    culprit: Item
    is_decay: bool


def too_fast(engine: Engine, good: Moment, h: float, longest: float, decay: float) -> Fast | None:
    """What is too fast at an earlier moment for a step h: a swing whose ω h is above the longest, or a decay
    whose γ h is above `decay`. The engine is then back at that moment; else nothing has changed."""
    lost = engine.numbers()
    engine.set_state_vector(good.state, good.time)
    (rate, mode), is_decay = fastest(engine), False
    if rate * h <= longest:
        (rate, mode), is_decay = fastest_decay(engine), True
        if rate * h <= decay:
            engine.set_numbers(lost)
            return None
    culprit = most_moved(engine, mode)
    go_back(engine, good)
    return Fast(rate, culprit, is_decay)


def outweighing(engine: Engine, h: float) -> Fast:
    """The swing or the decay that outweighs masses most in a step of length h."""
    (swing, swinging), (decay, decaying) = fastest(engine), fastest_decay(engine)
    is_decay = decay > h * swing * swing
    mode = decaying if is_decay else swinging
    return Fast(decay if is_decay else swing, most_moved(engine, mode), is_decay)


def free_energy(engine: Engine, h: float) -> float:
    """About the kinetic energy that a step of length h would give to free parts at rest, by the forces as
    they were last evaluated: nothing is moved   [J]."""
    index = engine.arena.index
    return _given(engine, h, engine.arena.vector(index.force, index.nv))


def gross_energy(engine: Engine, h: float) -> float:
    """The same, if no force were opposed to another: what hangs on springs at rest has none else   [J]."""
    engine.program.find_force_sizes()
    return _given(engine, h, engine.arena.velocity_vector(Vel.TOTAL))


def _given(engine: Engine, h: float, forces: Array) -> float:
    """The kinetic energy that forces give to free parts in a time h."""
    first, squares = engine.arena.index.v, 0.0
    for batch in engine.structure.object_batches():
        n, width, is_free = batch.n, batch.v.width, batch.fixed.live[:, 0] == 0
        rows = forces[batch.first_v - first :][: n * width].reshape(n, width)
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
