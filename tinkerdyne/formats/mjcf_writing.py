"""MJCF out: rigid bodies as a tree of joints, loops as equalities; what has no word there is listed."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from tinkerdyne.behaviors.contact import contact
from tinkerdyne.behaviors.forces import gravity, scalar_spring
from tinkerdyne.connectors.measures import turn_between
from tinkerdyne.constraints.algebra import at_least, at_most, equal
from tinkerdyne.constraints.coordinates import slide_between
from tinkerdyne.constraints.dry_friction import dry_friction
from tinkerdyne.constraints.joints import ball, cylindrical, pin, planar, prismatic, weld
from tinkerdyne.constraints.points import connect, nail
from tinkerdyne.constraints.serial import serial, serial_coordinate
from tinkerdyne.formats.scheme import Joined, Scheme, inertia_of, picture_of, pose_of, scheme_of
from tinkerdyne.formats.tree import Pose
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.objects.catalog import RigidBody, Rod, Variable
from tinkerdyne.objects.compound import Compound
from tinkerdyne.objects.grounds import Floor
from tinkerdyne.objects.parts import placed
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.objects.shapes import Box, Capsule, Card, Cylinder, Sphere
from tinkerdyne.world.world import World

Z, X, Y = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
ALONG_X = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # turns z into x
# What a joint lets free: hinges and slides, each with its coordinate, if any, along axes of its first frame,
# in their order.
FREE: dict[ItemType, tuple[tuple[str, ItemType | None, Array], ...]] = {
    **dict.fromkeys((ball, connect, nail), (("ball", None, Z),)),
    pin: (("hinge", turn_between, Z),),
    prismatic: (("slide", slide_between, Z),),
    cylindrical: (("slide", slide_between, Z), ("hinge", turn_between, Z)),
    planar: (("slide", None, X), ("slide", None, Y), ("hinge", turn_between, Z)),
    weld: (),
}
LOOPS = (connect, nail, ball, pin, weld)  # what closes a loop
# Shapes that have a word, and what their sizes are called here.
PLAIN: dict[ItemType, tuple[str, tuple[str, ...]]] = {
    Sphere: ("sphere", ("radius",)),
    Box: ("box", ("size",)),
    Card: ("box", ("width", "height", "thickness")),
    Cylinder: ("cylinder", ("radius", "length")),
    Rod: ("cylinder", ("radius", "length")),
    Capsule: ("capsule", ("radius", "length")),
}


@dataclass
class Writing:
    """What the writers share."""

    world: World
    scheme: Scheme
    assets: ET.Element
    equality: ET.Element
    # by the types of their coordinates, their numbers in a row of joints, and what these are plugged into
    joints: dict[tuple[ItemType, int, int, int], ET.Element] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    written: set[int] = field(default_factory=set)  # keys of items that the file holds


def mjcf_of(world: World) -> tuple[str, list[str]]:
    """The text of a world as MJCF, and what of it is left out."""
    scheme = scheme_of(world)
    root = ET.Element("mujoco", model="world")
    ET.SubElement(root, "compiler", angle="radian", autolimits="true", inertiafromgeom="false")
    option = ET.SubElement(root, "option", gravity=_row(_gravity(scheme)))
    option.set("timestep", _row([world.settings["max_step"]]))
    assets, base = ET.SubElement(root, "asset"), ET.SubElement(root, "worldbody")
    equality = ET.SubElement(root, "equality")
    writing = Writing(world, scheme, assets, equality)
    _fixed(writing, base)
    rest = _tree(writing, base)
    for joint in rest:
        _close(writing, joint)
    _efforts(writing)
    for element in (assets, equality):
        if not len(element):
            root.remove(element)
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode") + "\n", scheme.left


def _gravity(scheme: Scheme) -> Array:
    """The sum of the fields of gravity."""
    total = np.zeros(3)
    for item in [item for item in scheme.others if item.type is gravity]:
        scheme.others.remove(item)
        if item.values.get("is_on") is not False:
            total += np.array(item.values["g"], float).reshape(-1)
    return total


def _row(numbers: Iterable[float]) -> str:
    """Numbers that read back to the same bits."""
    return " ".join(repr(float(x)) for x in numbers)


def _named(writing: Writing, name: str) -> str:
    for k in range(1, 10_000):
        found = name if k == 1 else f"{name} {k}"
        if found not in writing.names:
            writing.names.add(found)
            return found
    raise ValueError(f"too many things are called {name!r}")


# --- bodies --------------------------------------------------------------------------------------
def _fixed(writing: Writing, base: ET.Element) -> None:
    """What stands still."""
    scheme = writing.scheme
    for item in [body for body in scheme.bodies if body.values.get("is_fixed")]:
        scheme.bodies.remove(item)
        _geoms(writing, base, item, pose_of(item))


def _tree(writing: Writing, base: ET.Element) -> list[Joined]:
    """All bodies, each carried by the first joint that leads to it; the joints that are left."""
    scheme = writing.scheme
    elements: dict[Item | None, ET.Element] = {None: base}
    poses: dict[Item | None, Pose] = {None: Pose()}
    rest = [joint for joint in scheme.joints if joint.item.type in {*FREE, serial}]
    for joint in scheme.joints:
        if joint not in rest:
            scheme.others.append(joint.item)
    waiting = list(scheme.bodies)
    while waiting:
        ways = ((joint, turned) for joint in rest for turned in (False, True))
        found = next((way for way in ways if _leads(*way, elements)), None)
        if found is None:
            body = waiting[0]
            elements[body] = _body(writing, base, body, Pose())
            ET.SubElement(elements[body], "freejoint", name=_named(writing, f"{body.name} free"))
        else:
            joint, turned = found
            rest.remove(joint)
            parent, carried = (joint.b, joint.a) if turned else (joint.a, joint.b)
            assert carried is not None
            body = carried
            elements[body] = _body(writing, elements[parent], body, poses[parent])
            _joints(writing, elements[body], joint, turned)
        poses[body] = pose_of(body)
        waiting.remove(body)
    return rest


def _leads(joint: Joined, turned: bool, known: dict[Item | None, ET.Element]) -> bool:
    parent, body = (joint.b, joint.a) if turned else (joint.a, joint.b)
    is_row = joint.item.type is serial
    return parent in known and body not in known and not (turned and is_row)


def _body(writing: Writing, parent: ET.Element, body: Item, carrier: Pose) -> ET.Element:
    """A body in its parent, with what it weighs and looks like."""
    element = ET.SubElement(parent, "body", name=_named(writing, body.name))
    _place(element, carrier.inverse @ pose_of(body))
    I = inertia_of(body)
    full = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    ET.SubElement(element, "inertial", pos="0 0 0", mass=repr(float(body.mass)), fullinertia=_row(full))
    _geoms(writing, element, body, Pose())
    return element


def _place(element: ET.Element, pose: Pose) -> None:
    if pose.place.any():
        element.set("pos", _row(pose.place))
    if not np.array_equal(pose.turn, np.eye(3)):
        element.set("quat", _row(quaternion_of(pose.turn)))


def _joints(writing: Writing, element: ET.Element, joint: Joined, turned: bool) -> None:
    """The joints of a body, counted as here: what the coordinate is now stands as its reference."""
    item, pose = joint.item, joint.in_a if turned else joint.in_b
    writing.written.add(item.key)
    if item.type is serial:
        _row_of_joints(writing, element, joint)
        return
    free = FREE[item.type]
    for k, (kind, coordinate, axis) in enumerate(reversed(free) if turned else free):
        name = item.name if len(free) == 1 else f"{item.name} {k + 1}"
        made = ET.SubElement(element, "joint", name=_named(writing, name), type=kind)
        made.set("pos", _row(pose.place))
        if kind == "ball":
            continue
        # Axes of the frame that is carried: those of the first frame, but for a turn about z.
        along = (joint.in_a if turned else joint.in_b).turn @ _carried(joint, axis, kind, turned)
        made.set("axis", _row(-along if turned else along))
        value = _value(joint, coordinate, axis)
        if value:
            made.set("ref", repr(value))
        if coordinate is not None:
            writing.joints[(coordinate, 0, item.inputs[0].key, item.inputs[1].key)] = made


def _carried(joint: Joined, axis: Array, kind: str, turned: bool) -> Array:
    """An axis of the first frame, in the frame of the body that is carried."""
    if turned or axis is Z:
        return axis
    a, b = (pose_of(end).turn for end in joint.item.inputs)
    return np.asarray(b.T @ a @ axis)


def _value(joint: Joined, coordinate: ItemType | None, axis: Array) -> float:
    """What a coordinate is now."""
    a, b = (pose_of(end) for end in joint.item.inputs)
    if coordinate is turn_between:
        R = a.turn.T @ b.turn
        return math.atan2(R[1, 0], R[0, 0])
    return float((a.turn @ axis) @ (b.place - a.place))


def _row_of_joints(writing: Writing, element: ET.Element, joint: Joined) -> None:
    """Joints in a row; the body is described where all of them are at zero."""
    values = joint.item.values
    sorts, axes, anchors = values["sorts"], np.array(values["axes"]), np.array(values["anchors"])
    parent = pose_of(joint.a) if joint.a is not None else Pose()
    zero = joint.in_a @ joint.in_b.inverse
    for name in ("pos", "quat"):
        element.attrib.pop(name, None)
    _place(element, zero)
    a, b = joint.item.inputs
    now = pose_of(b)
    if not np.allclose((parent @ zero).place, pose_of(joint.b).place if joint.b else now.place, atol=1e-9):
        writing.scheme.left.append(f"{joint.item.name}: its coordinates are written at zero, not as they are")
    for k, sort in enumerate(sorts):
        kind = "hinge" if sort == "p" else "slide"
        made = ET.SubElement(element, "joint", name=_named(writing, f"{joint.item.name} {k + 1}"), type=kind)
        made.set("pos", _row(joint.in_b.at(anchors[3 * k : 3 * k + 3])))
        made.set("axis", _row(joint.in_b.turn @ axes[3 * k : 3 * k + 3]))
        writing.joints[(serial_coordinate, k, a.key, b.key)] = made


# --- shapes --------------------------------------------------------------------------------------
def _geoms(writing: Writing, element: ET.Element, body: Item, pose: Pose) -> None:
    """What a body looks like and touches with."""
    for part, at, touches in _shapes(body):
        geom = _geom(writing, element, part)
        if geom is None:
            writing.scheme.leave(body, "its shape has no word in MJCF")
            continue
        turn = at.turn @ ALONG_X if part.type in (Cylinder, Rod, Capsule) else at.turn
        shift = pose @ Pose(at.place, turn)
        _place(geom, shift)
        if not (touches and writing.world.engine.contacts.is_on()):
            geom.set("contype", "0")
            geom.set("conaffinity", "0")


def _shapes(body: Item) -> list[tuple[Item, Pose, bool]]:
    """The parts of a body, each with its pose, and whether it touches."""
    if body.type is Compound:
        body_parts = [(body.values["shapes"], True)]
        shift = np.array(body.offset)
    elif body.type is RigidBody:
        body_parts = [(body.values["shapes"], True), (body.values["drawing"], False)]
        shift = np.zeros(3)
    else:
        return [(body, Pose(), True)]
    return [
        (part, Pose(d - shift, R), touches)
        for kept, touches in body_parts
        for _, part, R, d in placed(body.name, kept)
    ]


def _geom(writing: Writing, element: ET.Element, part: Item) -> ET.Element | None:
    """A geom without a pose."""
    values = part.values
    if part.type is Floor:
        return ET.SubElement(element, "geom", type="plane", size=_row([values["size"] / 2] * 2 + [0.1]))
    if part.type in PLAIN:
        word, sizes = PLAIN[part.type]
        flat = np.concatenate([np.atleast_1d(values[name]) for name in sizes])
        half = flat / 2 if word == "box" else flat * [1.0, 0.5][: len(flat)]
        return ET.SubElement(element, "geom", type=word, size=_row(half))
    picture = picture_of(part, 24)
    if not isinstance(picture, tuple):
        return None
    name = _named(writing, f"{part.name or part.type.name} mesh")
    vertices, faces = (np.asarray(x) for x in picture)
    asset = ET.SubElement(writing.assets, "mesh", name=name, vertex=_row(vertices.ravel()))
    asset.set("face", " ".join(map(str, faces.ravel().tolist())))
    return ET.SubElement(element, "geom", type="mesh", mesh=name)


# --- loops and efforts ---------------------------------------------------------------------------
def _close(writing: Writing, joint: Joined) -> None:
    """A joint that closes a loop: points, or a frame, that are held together."""
    kind = joint.item.type
    if kind not in LOOPS:
        writing.scheme.leave(joint.item, f"a {kind.name} that closes a loop is not written")
        return
    bodies = [body.name if body is not None else "world" for body in (joint.a, joint.b)]
    writing.written.add(joint.item.key)
    if kind is weld:
        pose = joint.in_a @ joint.in_b.inverse
        made = ET.SubElement(
            writing.equality, "weld", name=_named(writing, joint.item.name), body1=bodies[0], body2=bodies[1],
            relpose=_row([*pose.place, *quaternion_of(pose.turn)]), anchor="0 0 0",
        )  # fmt: skip
        return
    for k in range(2 if kind is pin else 1):  # a pin holds two points of its axis
        made = ET.SubElement(
            writing.equality, "connect", name=_named(writing, joint.item.name + " again" * k)
        )
        made.attrib |= {"body1": bodies[0], "body2": bodies[1]}
        made.set("anchor", _row(joint.in_a.at(k * Z)))


def _efforts(writing: Writing) -> None:
    """Springs, dampers, friction, stops and rotors of joints, and points that are held together."""
    scheme = writing.scheme
    for item in scheme.others:
        if item.type.family in ("connector",) or item.key in writing.written:
            continue
        if item.values.get("is_on") is False:
            scheme.leave(item, "it is off")
        elif item.type is contact or (item.type.family == "object" and _is_rotor(scheme, item)):
            pass
        elif not _effort(writing, item):
            scheme.leave(item, "it has no word in MJCF")


def _is_rotor(scheme: Scheme, item: Item) -> bool:
    """Whether an object is the rotor of a joint, which its coordinate is equal to."""
    return any(other.type is equal and item in other.inputs for other in scheme.others)


def _effort(writing: Writing, item: Item) -> bool:
    """What acts along the coordinate of a joint; whether it could be written."""
    x = item.inputs[0] if item.inputs else None
    if x is None or len(x.inputs) != 2:
        return False
    number = x.values["number"] if x.type is serial_coordinate else 0
    joint = writing.joints.get((x.type, number, x.inputs[0].key, x.inputs[1].key))
    if joint is None:
        return False
    kind, values = item.type, item.values
    if kind is scalar_spring and not joint.get("stiffness") and not joint.get("damping"):
        for name, key in (("stiffness", "stiffness"), ("damping", "damping"), ("springref", "rest")):
            if values.get(key):
                joint.set(name, repr(float(values[key])))
    elif kind is dry_friction and not joint.get("frictionloss"):
        joint.set("frictionloss", repr(float(values["limit"])))
    elif kind is equal and item.inputs[1].type is Variable and not joint.get("armature"):
        joint.set("armature", repr(float(item.inputs[1].mass)))
    elif kind is at_least:
        _limit(joint, low=float(values["low"]))
    elif kind is at_most:
        _limit(joint, high=float(values["high"]))
    else:
        return False
    return True


FAR = 1e6  # rad or m: the end of a coordinate that has none


def _limit(joint: ET.Element, low: float | None = None, high: float | None = None) -> None:
    """Set one end of a joint's range, or both; the other stays."""
    ends = (float(x) for x in joint.get("range", f"{-FAR} {FAR}").split())
    joint.set("range", _row(old if new is None else new for old, new in zip(ends, (low, high), strict=True)))
