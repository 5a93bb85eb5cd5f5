"""Motors made by hand: a joint or a nail becomes one, and a motor becomes another.

The world is always the first of a pin that is made here, so that a positive speed turns the part to the left
about the axis, as seen from its tip.
"""

from __future__ import annotations

import math

from tinkerdyne.behaviors.forces import drive, servo
from tinkerdyne.connectors.formulas import formula
from tinkerdyne.constraints.algebra import follow, speed
from tinkerdyne.constraints.joints import JointType, pin
from tinkerdyne.language.checks import number
from tinkerdyne.language.item import Item, label
from tinkerdyne.studio.build.inserting import insert
from tinkerdyne.world.edit import Rename
from tinkerdyne.world.world import World

STEEP = 20.0  # a limited motor gives all it has when it is short of its speed by a twentieth
STIFF = 10.0  # a limited motor gives all it has when it is off its place by a tenth (rad or m)
DAMPED = 0.2  # s: its damping, of its stiffness
TURNED = ("nail", "connection")  # roles of what becomes a pin


def motorise(
    world: World,
    name: str,
    *,
    text: str,
    is_speed: bool,
    limit: float | None,
    replaces: str,
    axis: tuple[float, ...],
    dimension: int,
) -> list[str]:
    """Drive the first free coordinate of a joint at a speed, or along a typed function of t; a nail becomes a
    pin first. Names: the motor's, then the joint's."""
    most = None if limit is None else number("the limit of a motor", limit, positive=True)
    with world.history.one_step():
        called = replaces
        if replaces:
            world.remove(replaces)
        joint = _joint(world, world[name], axis, dimension)
        kind = joint.type
        assert isinstance(kind, JointType)
        x = kind.part(joint, next(iter(kind.coordinates)))
        motor = _motor(x, text, is_speed=is_speed, most=most, name=called)
        world.add(motor)
        if not called:
            plain = f"{joint.name} motor"
            if plain not in world:
                world.apply(Rename(motor.name, plain))
    return [motor.name, joint.name]


def _joint(world: World, item: Item, axis: tuple[float, ...], dimension: int) -> Item:
    """A joint with a free coordinate, in the place of what cannot be driven as it is."""
    if isinstance(item.type, JointType) and item.type.coordinates:
        return item
    if item.type.look.role not in TURNED:
        raise TypeError(
            f"{label(item)} has nothing that turns or slides; a motor needs a pin, a slider or a nail"
        )
    points = [source for source in item.inputs if source.inputs]
    fixed = [source for source in item.inputs if not source.inputs]
    if len(points) == 1 and "at" in item.values:
        place = item.values["at"]
    elif len(points) == 1:
        place = fixed[0].values["at"]
    else:
        place = ()
    ends = [f"@{','.join(map(repr, place))}"] if len(points) == 1 else [_end(points[0])]
    ends.append(_end(points[-1]))
    values: dict[str, object] = {"axis": axis} if axis and dimension == 3 else {}
    called = item.name
    made = insert(world, pin.name, tuple(ends), values, "", dimension)[0]
    world.remove(called)
    world.apply(Rename(made, called))
    return world[called]


def _end(point: Item) -> str:
    """A point of a body, as `insert` names it."""
    at = ",".join(repr(float(x)) for x in point.values.get("at", ()))
    return f"{point.inputs[0].name}@{at}" if at else point.inputs[0].name


def _motor(x: Item, text: str, *, is_speed: bool, most: float | None, name: str) -> Item:
    made: Item
    if not is_speed:
        if most is None:
            return follow(x, text, name=name)
        wish = formula(text)
        made = servo(x, wish, stiffness=STIFF * most, damping=DAMPED * STIFF * most, limit=most, name=name)
        return made
    try:
        wanted = float(text.replace(",", "."))
    except ValueError:
        raise ValueError(
            f"the speed of a motor must be a number, not {text[:80]!r}; a function of t is a place"
        ) from None
    if not math.isfinite(wanted):
        raise ValueError(f"the speed of a motor must be finite, not {wanted!r}")
    if most is None:
        made = speed(x, at=(wanted,), name=name)
    else:
        made = drive(x, speed=wanted, gain=STEEP * most / max(abs(wanted), 1.0), limit=most, name=name)
    return made
