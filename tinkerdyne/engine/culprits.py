"""Culprits: the items that a step could not be taken for, or that it left open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tinkerdyne.engine.batches import BlockBatch, key_of
from tinkerdyne.engine.diagnose import diagnose
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.least_squares import matrices
from tinkerdyne.engine.readings import masses_of
from tinkerdyne.engine.records import Hold, Row, Vel
from tinkerdyne.language.item import Item

STILL = 1e-9  # an approach that has come to rest [SI, 1/s]
SLIP = 1e-5  # rate that a constraint on velocities may be off [SI]
OFTEN = 8.0  # hits of a stop in a tenth of a millisecond
MOST_ROWS = 600  # of constraints that are diagnosed; the work grows with their cube
NEARLY = 1e-6  # eigenvalue of constraints that are nearly dependent, where their own are 1
SHARE = 0.1  # of the largest part in that direction: constraints with less are not named
AHEAD = (0.0, 1e-9, 1e-6, 1e-3)  # s: how far on a value that is no number is looked for, besides a whole step


@dataclass(frozen=True)
class Jumped:
    """A moving constraint whose place or velocity jumped."""

    constraint: Item
    time: float
    of: Literal["place", "velocity"]
    size: float


def unmet(engine: Engine, limit: float) -> list[Item]:
    """The constraints that yield, slip, or are further than a limit from their reference r(t)."""
    engine.evaluate()  # its gap leaves c − r among the work rows
    residual = np.abs(engine.arena.row_vector(Row.TRY))
    open_: list[Item] = []
    first = 0
    for batch in engine.structure.constraint_batches():
        count = batch.n * batch.block.dim
        gaps = residual[first : first + count].reshape(batch.n, -1).max(axis=1)
        yields = engine.memories(batch)[:, -1] == Hold.SPRING
        is_open = ~(gaps <= limit) | yields
        open_ += [item for item, bad in zip(batch.items, is_open, strict=True) if bad]
        first += count
    return list(dict.fromkeys((*open_, *slipping(engine))))


def is_unmet(engine: Engine, limit: float) -> bool:
    """Whether the last step left constraints open that no feedback is closing."""
    scalars = engine.scalars
    is_open = scalars.springs > 0 or scalars.gap > limit or bool(slipping(engine))
    return is_open and not scalars.feedback


def slipping(engine: Engine) -> list[Item]:
    """Constraints on velocities that are not met: something else, such as a stop, stands against them."""
    if not engine.overview.has_rates:
        return []
    engine.evaluate()
    wanted = engine.arena.row_vector(Row.REF1)
    off: list[Item] = []
    first = 0
    for batch in engine.structure.constraint_batches():
        n, block = batch.n, batch.block
        count = n * block.dim
        if block.is_on_velocity and not block.is_dry:
            records = engine.arena.vector(batch.first_record, n * block.record).reshape(n, -1)
            rates = records[:, block.dim : 2 * block.dim]
            missed = np.abs(rates - wanted[first : first + count].reshape(n, -1)).max(axis=1)
            off += [item for item, rate in zip(batch.items, missed, strict=True) if rate > SLIP]
        first += count
    return off


def approaches(engine: Engine) -> bool:
    """Whether a constraint is on its way to its place, as last evaluated."""
    return bool(np.abs(engine.arena.row_vector(Row.REF1)).max(initial=0.0) > STILL)


def roughest(engine: Engine, *, by_own_speed: bool = False) -> list[Item]:
    """The object whose velocity changed most unevenly in the last steps that were looked at, if any did; by
    energy, or by its own speed."""
    rough, speed = engine.arena.velocity_vector(Vel.ROUGH) ** 2, engine.arena.v**2
    first = engine.arena.index.v
    worst: tuple[float, Item] | None = None
    for batch in engine.structure.object_batches():
        n, width = batch.n, batch.v.width
        rows = rough[batch.first_v - first :][: n * width].reshape(n, width)
        masses = masses_of(engine, batch)
        shares = (rows * masses).sum(axis=1)
        if by_own_speed:
            own = (speed[batch.first_v - first :][: n * width].reshape(n, width) * masses).sum(axis=1)
            shares = np.divide(shares, own, out=np.zeros(n), where=own > 0)
        k = int(shares.argmax())
        if shares[k] > 0 and (worst is None or shares[k] > worst[0]):
            worst = (float(shares[k]), batch.items[k])
    return [] if worst is None else [worst[1]]


def furthest(engine: Engine, h: float) -> tuple[Item, float] | None:
    """The object that would go furthest in a step of length h if it were free, and how far that is
    [m, rad]."""
    engine.program.evaluate_free()
    first = engine.arena.index.v
    with np.errstate(all="ignore"):
        way = np.abs(h * engine.arena.v) + h * h * np.abs(engine.arena.velocity_vector(Vel.ACC))
    way = np.nan_to_num(way, nan=np.inf, posinf=np.inf)
    ways = [
        (float(row.max(initial=0.0)), item)
        for batch in engine.structure.object_batches()
        for row, item in zip(
            way[batch.first_v - first :][: batch.n * batch.v.width].reshape(batch.n, -1),
            batch.items,
            strict=True,
        )
        if not item.values["is_fixed"]
    ]
    far, item = max(ways, key=lambda found: found[0], default=(0.0, None))
    return None if item is None else (item, far)


def widest_open(engine: Engine, limit: float) -> Item | None:
    """The constraint that is furthest from its reference, where that is beyond a limit."""
    engine.evaluate()  # its gap leaves c − r among the work rows
    gaps = np.abs(engine.arena.row_vector(Row.TRY))
    row = int(np.nan_to_num(gaps, nan=np.inf).argmax()) if len(gaps) else -1
    return None if row < 0 or gaps[row] <= limit else in_row(engine, row)


def in_row(engine: Engine, row: int) -> Item | None:
    """The constraint that a row belongs to, if there is one."""
    for item in engine.structure.constraints():
        row -= item.type.block_of(item).dim
        if row < 0:
            return item
    return None


def unbalanced_forces(engine: Engine) -> list[Item]:
    """The constraint whose row of the forces' equation is furthest from being met."""
    engine.evaluate()
    index = engine.arena.index
    left = np.abs(engine.arena.vector(index.cg, index.nr))
    item = in_row(engine, int(left.argmax())) if len(left) else None
    return [] if item is None else [item]


def often_hit(engine: Engine) -> list[Item]:
    """The stops that have just been hit many times."""
    hits = engine.arena.row_vector(Row.HITS)
    first, found = 0, []
    for item in engine.structure.constraints():
        block = item.type.block_of(item)
        if block.is_stop and hits[first] >= OFTEN:
            found.append(item)
        first += block.dim
    return found


def dependent(engine: Engine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the constraints that contradict each other, and of those that repeat each other, in this
    pose."""
    if engine.arena.index.nr > MOST_ROWS:
        return (), ()
    found = diagnose(engine)
    contradictory, redundant = (
        tuple(name for group in groups for name in group) for groups in (found.contradictory, found.redundant)
    )
    return contradictory, redundant


def nearly_dependent(engine: Engine) -> list[Item]:
    """The constraints that are about to depend on each other in this pose: those with a part in the direction
    in which  D J W Jᵀ D  is nearly singular, D its diagonal made 1."""
    if not 1 < engine.arena.index.nr <= MOST_ROWS:
        return []
    engine.program.evaluate_free()
    J, _, W, spans = matrices(engine)
    A = J @ W @ J.T
    size = np.sqrt(np.diag(A))
    if not np.isfinite(A).all() or not size.all():
        return []
    values, vectors = np.linalg.eigh(A / np.outer(size, size))
    if not values[0] < NEARLY:
        return []
    parts = [float(np.abs(vectors[rows, 0]).max()) for _, rows in spans]
    return [item for (item, _), part in zip(spans, parts, strict=True) if part > SHARE * max(parts)]


def widest_jump(engine: Engine) -> Jumped | None:
    """The widest jump of a moving constraint that the steps just taken met."""
    scalars = engine.scalars
    if not scalars.jump_size:
        return None
    of: Literal["place", "velocity"] = "velocity" if scalars.jump_kind else "place"
    item = in_row(engine, int(scalars.jump_row))
    return None if item is None else Jumped(item, scalars.jump_time, of, scalars.jump_size)


def not_finite(engine: Engine, h: float) -> list[Item]:
    """The behaviors, constraints and connectors whose value is not a number at the step of length h that
    could not be taken."""
    y, t = engine.state_vector(), engine.scalars.time
    nq = engine.overview.nq
    engine.program.evaluate_free()
    rate = np.nan_to_num(engine.arena.qdot)
    # Where an integrator outside met it, here, and a little further on.
    ahead = [(t + dt, np.concatenate([y[:nq] + dt * rate, y[nq:]])) for dt in (*AHEAD, h)]
    strange: list[Item] = []
    for when, where in [*engine.lost, *ahead]:
        engine.set_state_vector(where, when)
        engine.program.evaluate_free()
        strange = [item for item in _with_records(engine) if not np.isfinite(engine.record(item)).all()]
        if strange:
            break
    engine.lost.clear()
    engine.set_state_vector(y, t)
    return strange


def _with_records(engine: Engine) -> list[Item]:
    batches = (batch for batch in engine.structure.batches.values() if isinstance(batch, BlockBatch))
    return sorted((item for batch in batches for item in batch.items), key=key_of)
