"""What a formula may say besides a value: energies and forces of behaviors, stops and rates of constraints.

A behavior returns energy(…), force(…), torque(…), or several of these; a constraint returns its deviation, or
a Stop, a Rate, a Dry or a Nonsquare. Both may ask for velocities."""

from __future__ import annotations

import contextvars
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

import casadi as ca

from tinkerdyne.language.block import T_SYMBOL
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import FrameValue
from tinkerdyne.language.symbols import SX


@dataclass(frozen=True)
class Energy:
    """A potential energy: force = −gradient."""

    value: SX


@dataclass(frozen=True)
class Force:
    """An effort along any measure: virtual work = effort · δmeasure (ID90 eq. 8)."""

    measure: SX
    effort: SX


@dataclass(frozen=True)
class Nonsquare:
    """A constraint with d rows whose forces have f directions of their own (DC88): on input j acts
    directions[j] · F."""

    deviation: SX
    directions: tuple[SX, ...]


@dataclass(frozen=True)
class Stop:
    """A one-sided constraint, c ≥ 0 (one row): it pushes and never pulls.

    A parameter `restitution` says how it bounces."""

    room: SX


@dataclass(frozen=True)
class Rate:
    """A constraint on velocities, linear in them: ċ = 0, or, where `steady`, ċ as it was when it was switched
    on."""

    deviation: SX
    steady: bool = False


@dataclass(frozen=True)
class Dry:
    """Dry friction along a measure: its rate is held at 0 by an effort of at most the parameter `limit`, and
    beyond that it slips against just that effort."""

    rate: SX


Deviation: TypeAlias = SX | tuple[SX, ...] | FrameValue | Nonsquare | Stop | Rate | Dry
"""What the formula of a connector or a constraint returns."""

Effort: TypeAlias = Energy | Force | tuple[Energy | Force, ...]
"""What a behavior's formula returns."""

_motion: contextvars.ContextVar[tuple[SX, SX]] = contextvars.ContextVar("motion")


@contextmanager
def in_motion(x: SX, xd: SX) -> Iterator[None]:
    """While a formula over x is called here, it may ask for velocities, which are those of xd."""
    token = _motion.set((x, xd))
    try:
        yield
    finally:
        _motion.reset(token)


def _refuse_items(word: str, given: object, instead: str) -> None:
    """These words are for formulas; who gives one an item wants something else."""
    if isinstance(given, Item):
        raise TypeError(f"{word} stands in formulas, under @behavior or @constraint; {instead}")


def velocity(expression: SX | FrameValue) -> SX:
    """The time derivative of an expression over a behavior's inputs."""
    _refuse_items("velocity", expression, "of an item read rod.velocity, of a point rod.end2.velocity")
    if isinstance(expression, FrameValue):
        expression = expression.flat()
    expression = ca.SX(expression)
    x, xd = _motion.get()
    return ca.jtimes(expression, x, xd) + ca.jacobian(expression, T_SYMBOL)


def spin(frame: FrameValue) -> SX:
    """The angular velocity of a frame in world axes (a scalar in the plane) [rad/s]."""
    _refuse_items("spin", frame, "of a body read rod.spin")
    rate = ca.reshape(velocity(ca.vec(frame.axes)), frame.dim, frame.dim)
    w = rate @ frame.axes.T
    if frame.dim == 2:
        return (w[1, 0] - w[0, 1]) / 2
    return ca.vertcat(w[2, 1] - w[1, 2], w[0, 2] - w[2, 0], w[1, 0] - w[0, 1]) / 2


def force(measure: SX | FrameValue, effort: SX) -> Force:
    """A force on a point (or on any other measure, such as a distance) of a behavior's inputs [N]."""
    _refuse_items("force", measure, "to push a point write world.add(pull(rod.end2, by=(0, 0, 1)))")
    return Force(measure.flat() if isinstance(measure, FrameValue) else measure, ca.SX(effort))


def torque(frame: FrameValue, effort: SX) -> Force:
    """A torque on a frame, in world axes: work T·δθ, so that the force on the axes is ½ T̂ R [N m]."""
    _refuse_items("torque", frame, "to turn a body write world.add(twist(rod, by=(0, 0, 1)))")
    hat = ca.skew(effort) if frame.dim == 3 else ca.vertcat(ca.horzcat(0, -effort), ca.horzcat(effort, 0))
    return Force(ca.vec(frame.axes), ca.vec(hat @ frame.axes) / 2)


def energy(value: SX) -> Energy:
    """A potential energy of a behavior [J]."""
    _refuse_items("energy", value, "of a force read spring.energy, of a world world.energy")
    return Energy(ca.SX(value))


def column(value: SX | FrameValue | Sequence[SX]) -> SX:
    """A formula's result as one column."""
    if isinstance(value, FrameValue):
        return value.flat()
    if isinstance(value, (tuple, list)):
        return ca.vertcat(*[ca.SX(v) for v in value])
    return ca.vec(ca.SX(value))
