"""Masses of one world that differ so much that the forces between them lose digits: a word about it, once."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

from tinkerdyne.engine.batches import ObjectBatch
from tinkerdyne.language.item import Item, label

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine

LARGEST_RATIO = 1e10  # of two masses; beyond, J W Jᵀ has lost ten of its sixteen digits
NOTHING = (math.inf, -math.inf)  # kg: between which no mass lies
STEP = 6  # calls between a person's world.step and the warning


def mass_ratio(engine: Engine) -> float:
    """Of the heaviest free object to the lightest in a constrained world."""
    ends = _extremes(engine)
    return ends[1][0] / ends[0][0] if ends else 1.0


def weigh(engine: Engine) -> bool:
    """Warn when the masses of free objects in a constrained world differ too much; whether they do."""
    ends = _extremes(engine)
    engine.weighed = (ends[0][0], ends[1][0]) if ends else NOTHING
    if not ends or ends[1][0] < LARGEST_RATIO * ends[0][0]:
        return False
    lightest, heaviest = ends
    ratio = f"{_label(heaviest)} is {heaviest[0] / lightest[0]:.1g} times as heavy as {_label(lightest)}"
    warnings.warn(
        f"{ratio}: forces between them lose digits; make one heavier or fix the other", stacklevel=STEP
    )
    return True


def is_between(engine: Engine, item: Item) -> bool:
    """Whether an object is no lighter and no heavier than those that were weighed last."""
    batch, k = engine.structure.object_row(item.key)
    least, most = engine.weighed
    return batch.type.layout.names[0] == "mass" and least <= batch.parameters.data[k, 0] <= most


def _extremes(engine: Engine) -> list[tuple[float, ObjectBatch]]:
    """The lightest and the heaviest free object; none without constraints or free objects."""
    if not engine.overview.rows:
        return []
    ends = [end for batch in engine.structure.object_batches() for end in _ends(batch)]
    return [min(ends, key=_mass), max(ends, key=_mass)] if ends else []


def _mass(end: tuple[float, ObjectBatch]) -> float:
    return end[0]


def _ends(batch: ObjectBatch) -> list[tuple[float, ObjectBatch]]:
    """The smallest and the largest mass of free objects of a batch."""
    if batch.type.layout.names[0] != "mass":
        return []
    masses = batch.parameters.live[:, 0]
    if batch.has_fixed():
        masses = masses[batch.fixed.live[:, 0] == 0]
    return [(float(masses.min()), batch), (float(masses.max()), batch)] if len(masses) else []


def _label(end: tuple[float, ObjectBatch]) -> str:
    """The first free object of this mass."""
    mass, batch = end
    masses = batch.parameters.live[:, 0]

    def is_it(item: Item, m: float) -> bool:
        return m == mass and not item.values["is_fixed"]

    return label(next(item for item, m in zip(batch.items, masses, strict=True) if is_it(item, m)))
