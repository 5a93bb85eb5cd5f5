"""What constraints do to objects: their forces Jᵀλ, and how they answer to an impulse."""

from __future__ import annotations

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.least_squares import inverse_mass, jacobian_of
from tinkerdyne.engine.readings import multipliers, read
from tinkerdyne.engine.records import Flag, Row
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item


def reactions(engine: Engine, constraint: Item) -> dict[Item, Array]:
    """The force of a constraint on each object: Jᵀλ; for a rigid body force and torque in world axes.

    The world must be evaluated."""
    lam = read(engine, multipliers(engine, constraint))
    forces: dict[Item, Array] = {}
    for key, J in jacobian_of(engine, constraint).items():
        f = J.T @ lam
        entry = engine.object_entry(key)
        if entry.flags & Flag.RIGID:
            R = engine.arena.vector(entry.lift + 3, 9).reshape(3, 3).T
            f = np.concatenate([f[:3], R @ f[3:]])
        forces[engine.structure.item(key)] = f
    return forces


def strike(engine: Engine, on: Item, impulse: Array) -> dict[Item, Array]:
    """Strike a connector, or an object at its place; the impulses of the constraints along their rows.

    Δv = W (Jᵀ_on impulse + Jᵀ Λ), with J Δv = 0. The world must be evaluated."""
    if on.type.family == "object":
        struck = {on.key: np.eye(len(impulse), engine.object_entry(on.key).nv)}
    else:
        struck = jacobian_of(engine, on)
    for key, J in struck.items():
        item = engine.structure.item(key)
        q, v = engine.state(item)
        engine.set_state(item, q, v + inverse_mass(engine, engine.object_entry(key)) @ (J.T @ impulse))
    engine.program.strike()
    rows = -engine.arena.row_vector(Row.MU)
    answers: dict[Item, Array] = {}
    first = 0
    for item in engine.structure.constraints():
        dim = item.type.block_of(item).dim
        answers[item] = rows[first : first + dim].copy()
        first += dim
    return answers
