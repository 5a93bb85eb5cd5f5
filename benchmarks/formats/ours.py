"""Accelerations of a model that was read, as the engine has them and as given coordinates would make them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import tinkerdyne as td
from tinkerdyne.engine import least_squares
from tinkerdyne.engine.records import Vel
from tinkerdyne.formats.kinematics import Coordinates, centre_motion, motions

Floats = NDArray[np.float64]


def slide(model: td.ReadModel) -> None:
    """Dry friction as it is while things slide, −limit · sign ẋ: only steps with contact solve for it."""
    for friction in model.frictions.values():
        x = friction.inputs[0]
        friction.is_on = False
        model.world.add(td.formula_force(x, "-k*sign(x_dot)", x=x, k=friction.limit))
    model.frictions.clear()


def accelerations(model: td.ReadModel) -> Floats:
    """(v̇ of the centre in the world, Ω̇ in the body) of each body, in the model's order."""
    slide(model)
    engine = model.world.engine
    engine.evaluate()
    found = engine.arena.velocity_vector(Vel.ACC)
    where, _ = least_squares.columns(engine)
    return np.concatenate([found[where[body.key]] for body in model.bodies])


def wanted(model: td.ReadModel, q: Coordinates, rates: Coordinates, second: Coordinates) -> Floats:
    """The same of bodies that move with these coordinates."""
    rows: list[float] = []
    for link, motion in zip(model.machine.links, motions(model.machine, q, rates, second), strict=True):
        centre = centre_motion(link, motion)
        rows += [*centre.acceleration, *(centre.pose.turn.T @ centre.spin_rate)]
    return np.array(rows)


def set_control(model: td.ReadModel, name: str, value: float) -> None:
    """Give an actuator its control, or its activation where it has one."""
    if name in model.activations:
        model.activations[name].value = value
    elif name in model.actuators:
        item = model.actuators[name]
        numbers = list(item.constants)
        numbers[item.constant_names.index("u")] = value
        item.constants = tuple(numbers)
