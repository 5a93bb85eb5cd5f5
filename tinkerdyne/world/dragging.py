"""Dragging: catch a point of something that runs, pull it, let it go (A5).

Soft: a critically damped spring scaled by the mass, with a largest force. Hard: a nail that moves, or, for
position and orientation, a weld to a handle of infinite mass; both follow their target as an approach with a
short time constant, without a blow. The drag is one step for undo: it goes back to where things were when
they were caught.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.behaviors.forces import tug
from tinkerdyne.connectors.points import frame, point, world_frame
from tinkerdyne.constraints.joints import reaction, weld
from tinkerdyne.constraints.points import nail
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.calls import methods_say_how
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.kinds import Frame, Point, Value
from tinkerdyne.language.types import port_of
from tinkerdyne.objects.rotation import matrix
from tinkerdyne.world.edit import Change, Remove
from tinkerdyne.world.history import Drag

if TYPE_CHECKING:
    from tinkerdyne.world.world import World

SOFT, HARD = 0.1, 0.03  # s: time constants of the two ways
STRENGTH = 100.0  # N for each kilogram: the largest force of a soft drag


@methods_say_how()
class Grip(SaysNearest):
    """A hold on a point; move it, then release it."""

    def __init__(self, world: World, item: Item, target: Item, drag: Drag) -> None:
        self.world, self.item, self.target, self.drag = world, item, target, drag

    def __repr__(self) -> str:
        if not self.is_held:
            return f"<Grip {self.item.name!r}: released>"
        at = ", ".join(f"{x:g}" for x in getattr(self.target, self._place))
        return f"<Grip {self.item.name!r} on {self.item.inputs[-1].name!r}: held, its target at ({at})>"

    @property
    def _place(self) -> str:
        """The parameter of its target that says where it pulls to."""
        return "to" if self.item.type is tug else "at"

    @property
    def is_held(self) -> bool:
        """False once it was released, or what it held was removed."""
        return self.item.world is self.world

    @property
    def force(self) -> Array:
        """The force with which it pulls now [N]; a weld gives force, then torque [N m], in world axes."""
        self._held()
        if self.item.type is tug:
            return pull_of(self.item)
        if self.item.type is weld:
            return np.concatenate(reaction(self.item))
        return np.asarray(self.item.force)

    def move(self, *to: float) -> None:
        """Move the target of the drag to a place of the world."""
        self._held()
        now = getattr(self.target, self._place)
        self._change(
            self._place,
            vector(f"the target of {label(self.item)}", to[0] if len(to) == 1 else to, length=len(now)),
        )

    def turn(self, *orientation: float) -> None:
        """Turn the target of a drag by position and orientation: a quaternion (w, x, y, z); in the plane an
        angle [rad]."""
        self._held()
        if self.target is self.item:
            raise TypeError(
                f"{label(self.item)} holds a point only; grab with orientation=True to turn a body"
            )
        if len(self.target.at) == 2:
            angle = number(
                f"the orientation of {label(self.item)}",
                orientation[0] if len(orientation) == 1 else orientation,
            )
            c, s = math.cos(angle), math.sin(angle)
            return self._change("axes", (c, s, -s, c))
        given = orientation[0] if len(orientation) == 1 else orientation
        q = np.array(vector(f"the orientation of {label(self.item)}", given, length=4))
        if not q.any():
            raise ValueError("an orientation must not be the zero quaternion; no rotation is (1, 0, 0, 0)")
        self._change("axes", tuple(np.array(matrix(q / np.linalg.norm(q))).ravel(order="F").tolist()))

    def release(self) -> None:
        """Let go; undo then goes back to before the drag."""
        if not self.is_held:
            return
        self.drag.end(Remove((self.item.name, *self.world.contents.orphans([self.item.name]))))

    def _change(self, parameter: str, value: Value) -> None:
        self.drag.change(Change(self.target.name, parameter, value))

    def _held(self) -> None:
        if not self.is_held:
            raise ReferenceError(self.item.fate or "this drag has ended: it was released")


def mass_at(item: Item) -> float:
    """The mass of the object that a point sits on [kg]."""
    while item.type.family == "connector" and item.inputs:
        item = item.inputs[0]
    mass = getattr(item, "mass", 1.0) if item.type.family == "object" else 1.0
    return float(mass)


def pull_of(item: Item) -> Array:
    """The force of a soft drag, by its own formula."""
    on = item.inputs[0]
    p, v = np.array(on.position if on.type.family == "object" else on.value), np.array(on.velocity)
    f = item.mass * ((np.array(item.to) - p) / item.time**2 - 2 * v / item.time)
    return np.asarray(f * item.limit / max(item.limit, float(np.linalg.norm(f))))


def grab(
    world: World, what: Item, *, hard: bool, orientation: bool, tau: float | None, limit: float | None
) -> Grip:
    """Catch a point of the world where it is now; see `World.grab`."""
    what._alive()
    if what.world is None and what.type.family == "connector":
        world.adopt(what)
    if what.world is not world:
        raise ValueError(f"{label(what)} is not in this world")
    port = port_of(what)
    with world.history.drag(f"pulled {what.name}") as drag:
        if orientation:
            if not Frame.is_a(port.kind):
                raise TypeError(
                    f"{label(what)} supplies a {port.kind.name}; a drag turns only a body, or a frame of it"
                )
            held = frame(what)
            world.adopt(held)
            flat = held.value
            dim = 3 if port.dim == 12 else 2
            target: Item = world_frame(at=flat[:dim], axes=flat[dim:])
            item: Item = weld(target, held, tau=HARD if tau is None else tau)
        else:
            if Frame.is_a(port.kind):
                what = point(what)
                port = port_of(what)
                world.adopt(what)
            if not Point.is_a(port.kind):
                raise TypeError(f"{label(what)} supplies a {port.kind.name}; grab a point, or a body")
            here = tuple(what.position if what.type.family == "object" else what.value)
            if hard:
                target = item = nail(what, at=here, tau=HARD if tau is None else tau)
            else:
                mass = mass_at(what)
                most = STRENGTH * mass if limit is None else number("limit", limit, positive=True)
                target = item = tug(what, to=here, mass=mass, time=SOFT if tau is None else tau, limit=most)
        world.add(item)
    return Grip(world, item, target, drag)
