"""Forces along the coordinates of a machine: springs, dampers, friction, stops, rotors, actuators."""

from __future__ import annotations

import math
from typing import Any

from tinkerdyne.behaviors.forces import drag, scalar_spring, spin_drag, torsion_spring
from tinkerdyne.behaviors.formulas import formula_energy, formula_force
from tinkerdyne.connectors.points import point
from tinkerdyne.constraints.algebra import at_least, at_most, equal, lag, speed
from tinkerdyne.constraints.dry_friction import dry_friction
from tinkerdyne.formats.model import ReadModel
from tinkerdyne.formats.tree import Actuator, Joint
from tinkerdyne.language.item import Item
from tinkerdyne.objects.catalog import Variable
from tinkerdyne.world.display import MOST, control
from tinkerdyne.world.edit import Control

QUICK = 0.01  # s: in this time an activation that was set by hand goes as its filter says


def add_joint_efforts(model: ReadModel) -> None:
    """What the joints themselves do."""
    for k, link in enumerate(model.machine.links):
        for joint in link.joints:
            if joint.sort == "free":
                _medium_of_free(model, k, joint)
            elif joint.sort == "ball":
                _ball(model, joint)
            else:
                _axial(model, joint)


def _axial(model: ReadModel, joint: Joint) -> None:
    x, name, world = model.coordinates[joint.name], joint.name, model.world
    if joint.armature > 0:
        rotor = Variable(model.name_for(f"{name} rotor", "rotor"), mass=joint.armature)
        model.rotors[name] = world.add(rotor)
        world.add(equal(x, rotor))
    if joint.stiffness or joint.damping:
        given = {"stiffness": joint.stiffness, "rest": joint.rest - joint.zero, "damping": joint.damping}
        world.add(scalar_spring(x, name=model.name_for(f"{name} spring", "spring"), **given))
    if joint.friction > 0:
        add_friction(model, name, x, joint.friction)
    add_stops(model, name, x, joint.low, joint.high, joint.zero)


def add_friction(model: ReadModel, name: str, x: Item, limit: float) -> None:
    """Dry friction along a coordinate or a length."""
    item = dry_friction(x, limit=limit, name=model.name_for(f"{name} friction", "friction"))
    model.frictions[name] = model.world.add(item)


def add_stops(
    model: ReadModel, name: str, x: Item, low: float | None, high: float | None, zero: float = 0.0
) -> None:
    """The ends of a coordinate or a length, as far as it has any."""
    if low is not None and math.isfinite(low):
        model.world.add(at_least(x, low=low - zero, name=model.name_for(f"{name} low", "stop")))
    if high is not None and math.isfinite(high):
        model.world.add(at_most(x, high=high - zero, name=model.name_for(f"{name} high", "stop")))


def _ball(model: ReadModel, joint: Joint) -> None:
    turn = model.coordinates[joint.name]
    a, b = turn.inputs
    if joint.stiffness:
        model.world.add(formula_energy("k*dot(r, r)/2", r=turn, k=joint.stiffness))
    if joint.damping:
        model.world.add(torsion_spring(a, b, stiffness=0.0, damping=joint.damping))
    if joint.armature:
        model.report.leave(joint.source, "a rotor on a ball joint is not taken over", "armature")
    if joint.friction:
        model.report.leave(joint.source, "dry friction in a ball joint is not taken over", "frictionloss")
    if joint.high is not None:
        model.report.leave(joint.source, "the limit of a ball joint is not taken over", "range", bears=False)


def _medium_of_free(model: ReadModel, k: int, joint: Joint) -> None:
    if joint.damping:
        body = model.bodies[k]
        origin = point(body, at=tuple(-model.machine.links[k].mass.centre))
        model.world.add(drag(origin, coefficient=joint.damping), spin_drag(body, coefficient=joint.damping))
    for attribute, value in (("armature", joint.armature), ("stiffness", joint.stiffness)):
        if value:
            model.report.leave(joint.source, f"{attribute} of a free link is not taken over", attribute)
    if joint.friction:
        model.report.leave(joint.source, "dry friction of a free link is not taken over", "frictionloss")


# --- actuators -----------------------------------------------------------------------------------
def add_actuators(model: ReadModel) -> None:
    """Forces with a control u, and a slider for each in the panel of the world."""
    sliders: list[Control] = []
    for actuator in model.machine.actuators:
        along = _along(model, actuator)
        if along is None:
            continue
        item = _actuator(model, actuator, *along)
        model.actuators[actuator.name] = item
        if actuator.control is not None and len(sliders) < MOST and not actuator.time:
            low, high = actuator.control
            u = item.values["constant_names"].index("u")
            sliders.append(control(item, "constants", index=u, low=low, high=high, title=actuator.name[:40]))
    if sliders:
        model.world.show(controls=sliders)


def _along(model: ReadModel, actuator: Actuator) -> tuple[Item, float] | None:
    """The measure that an actuator acts on, and what the file calls its zero."""
    if actuator.tendon:
        length = model.lengths.get(actuator.tendon)
        return None if length is None else (length, 0.0)
    x = model.coordinates.get(actuator.joint)
    joint = model.machine.joints().get(actuator.joint)
    if x is None or joint is None or joint.sort not in ("hinge", "slide"):
        says = f"an actuator of {actuator.joint or actuator.site or 'nothing'!r} is not taken over"
        model.report.leave(actuator.source, f"{says}: it needs a hinge, a slider or a tendon")
        return None
    return x, joint.zero


def _actuator(model: ReadModel, actuator: Actuator, x: Item, zero: float) -> Item:
    """effort = gear · (gain · u + bias), with the length gear · (x + zero); cut off at its limits."""
    numbers: dict[str, float | Item] = {"gear": actuator.gear[0], "zero": zero}
    given = "u"
    if actuator.control is not None:
        numbers |= {"least": actuator.control[0], "most": actuator.control[1]}
        given = "min(max(u, least), most)"
    if actuator.time:
        state = Variable(model.name_for(f"{actuator.name} activation", "activation"))
        model.activations[actuator.name] = model.world.add(state)
        is_sum = math.isinf(actuator.time)
        name = model.name_for(f"{actuator.name} drive", "drive")
        drive = speed(state, name=name) if is_sum else lag(state, time=actuator.time, name=name)
        model.world.add(drive).tau = QUICK
        numbers["a"], given = state, "a"
    effort = " + ".join(
        filter(None, [_affine("g", actuator.gain, numbers, given), _affine("b", actuator.bias, numbers)])
    )
    effort = effort or "0"
    if actuator.effort is not None:
        numbers |= {"weakest": actuator.effort[0], "strongest": actuator.effort[1]}
        effort = f"min(max({effort}, weakest), strongest)"
    text = f"gear*({effort})"
    used: dict[str, Any] = {k: v for k, v in numbers.items() if k == "gear" or k in text}
    if "a" not in numbers:
        used["u"] = 0.0
    name = model.name_for(actuator.name, "actuator")
    return model.world.add(formula_force(x, text, x=x, name=name, **used))


def _affine(
    letter: str, terms: tuple[float, float, float], numbers: dict[str, float | Item], times: str = ""
) -> str:
    """(c₀ + c₁ l + c₂ l̇) as a text, with its numbers under names; empty where all are zero."""
    of = ("", "*gear*(x + zero)", "*gear*x_dot")
    found = []
    for k, (c, measure) in enumerate(zip(terms, of, strict=True)):
        if c:
            numbers[f"{letter}{k}"] = c
            found.append(f"{letter}{k}{measure}")
    if not found:
        return ""
    total = " + ".join(found)
    if not times:
        return total
    return f"({total})*{times}" if len(found) > 1 else f"{total}*{times}"
