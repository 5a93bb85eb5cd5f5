"""URDF in: links and joints of a robot become a machine.

Read are inertials, joints of all kinds with limits, dynamics and mimic, and the shapes that links collide
with (where there are none, those that they are seen as). Each joint that moves by itself gets a motor within
its effort.
"""

from __future__ import annotations

import math

import numpy as np

from tinkerdyne.formats.assets import Assets
from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.formats.numbers import number, numbers
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.tree import Actuator, Equality, Joint, Link, Machine, Mass
from tinkerdyne.formats.urdf_shapes import origin, urdf_parts
from tinkerdyne.language.arrays import Array

SHOWN = {"material", "gazebo", "transmission", "ros2_control", "sensor", "verbose"}
WHY_SHOWN = "how it looks, and what other programs do with it, has no part in the motion"


def machine_of_urdf(root: Element, report: Report, assets: Assets, *, floating: bool) -> Machine:
    """The machine of a robot; its root stands in the world, or is free."""
    machine = Machine(root.get("name"))
    links: dict[str, Element] = {}
    for element in root.all("link"):
        name = element.get("name")
        if name in links:
            raise wrong(element, f"there are two links called {name!r}")
        links[name] = element
    if not links:
        raise wrong(root, "a robot has at least one link")
    carried: dict[str, Element] = {}
    children: dict[str, list[str]] = {name: [] for name in links}
    for element in root.all("joint"):
        parent, child = _ends(element, links)
        if child in carried:
            raise wrong(element, f"the link {child!r} is carried by two joints; a robot is a tree")
        carried[child] = element
        children[parent].append(child)
    roots = [name for name in links if name not in carried]
    if not roots:
        raise wrong(root, "no link is the root: the joints go round in a circle")
    for element in root.children:
        if element.tag in SHOWN:
            report.leave(element, WHY_SHOWN, bears=False)
    stack = [(name, -1) for name in reversed(roots)]
    while stack:
        name, carrier = stack.pop()
        link = _link(links[name], assets, report)
        link.parent = carrier
        if name in carried:
            _carry(machine, link, carried[name], report)
        elif floating:
            link.joints = [Joint(f"{name} free", "free", links[name])]
        machine.links.append(link)
        stack += [(child, len(machine.links) - 1) for child in reversed(children[name])]
    if len(machine.links) < len(links):
        lost = sorted(set(links) - {link.name for link in machine.links})
        raise wrong(links[lost[0]], "the joints that carry it go round in a circle")
    return machine


def _ends(element: Element, links: dict[str, Element]) -> tuple[str, str]:
    found = []
    for tag in ("parent", "child"):
        end = element.first(tag)
        name = end.get("link") if end is not None else ""
        if name not in links:
            raise wrong(element, f"its {tag} is {name!r}, which is no link of this file")
        found.append(name)
    return found[0], found[1]


def _link(element: Element, assets: Assets, report: Report) -> Link:
    link = Link(element.get("name"), element)
    inertial = element.first("inertial")
    if inertial is not None:
        link.mass = _mass(inertial)
    collisions, seen = list(element.all("collision")), list(element.all("visual"))
    for shown in collisions or seen:
        link.parts += urdf_parts(shown, assets, report, touches=bool(collisions) and assets.may_touch)
    if collisions:
        for shown in seen:
            report.leave(shown, "links are drawn as what they collide with", bears=False)
    return link


def _mass(inertial: Element) -> Mass:
    pose = origin(inertial)
    given, tensor = inertial.first("mass"), inertial.first("inertia")
    mass = 0.0 if given is None else number(given, "value", 0.0)
    if mass < 0:
        raise wrong(inertial, f"its mass is {mass:g} kg; a mass must not be negative")
    I = np.zeros((3, 3))
    if tensor is not None:
        for name, (i, j) in zip(
            ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"),
            ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)),
            strict=True,
        ):
            I[i, j] = I[j, i] = number(tensor, name, 0.0)
    return Mass(mass, pose.place, pose.turn @ I @ pose.turn.T)


def _carry(machine: Machine, link: Link, element: Element, report: Report) -> None:
    """The joint of a link: where it is, what it leaves free, and its motor."""
    name, kind = element.get("name"), element.get("type")
    link.pose = origin(element)
    if name in machine.joints():
        raise wrong(element, f"there are two joints called {name!r}")
    given = element.first("axis")
    axis = numbers(given, "xyz", 3, (1.0, 0.0, 0.0)) if given is not None else np.array([1.0, 0.0, 0.0])
    size = float(np.linalg.norm(axis))
    if kind not in ("fixed", "floating") and not size > 0:
        raise wrong(element, "its axis must not be zero")
    axis = axis / (size or 1.0)
    match kind:
        case "revolute" | "continuous" | "prismatic":
            joint = Joint(name, "slide" if kind == "prismatic" else "hinge", element, axis)
            _limits(joint, element, kind, report)
            link.joints = [joint]
            _motor(machine, joint, element)
        case "floating":
            link.joints = [Joint(name, "free", element)]
        case "planar":
            across = _across(axis)
            link.joints = [
                Joint(f"{name}_x", "slide", element, across[:, 0]),
                Joint(f"{name}_y", "slide", element, across[:, 1]),
                Joint(f"{name}_turn", "hinge", element, axis),
            ]
        case "fixed":
            pass
        case _:
            raise wrong(
                element,
                f"a joint is revolute, continuous, prismatic, planar, floating or fixed, not {kind!r}",
            )
    for tag in ("safety_controller", "calibration"):
        for other in element.all(tag):
            report.leave(other, "what a controller does is not taken over", bears=False)


def _across(normal: Array) -> Array:
    """Axes in the plane of a planar joint, with the normal as the third; x, y, z for the normal z."""
    lead = np.eye(3)[0 if abs(normal[0]) < 0.9 else 1]
    x = lead - normal * (normal @ lead)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(normal, x), normal])


def _limits(joint: Joint, element: Element, kind: str, report: Report) -> None:
    limit, dynamics = element.first("limit"), element.first("dynamics")
    if limit is not None:
        low, high = number(limit, "lower", 0.0), number(limit, "upper", 0.0)
        if kind != "continuous" and low < high:
            joint.low, joint.high = low, high
        elif kind != "continuous":  # as other readers take it
            says = f"its limits, {low:g} and {high:g}, leave no room and are taken as none"
            report.leave(limit, says, "lower", bears=False)
        if limit.has("velocity"):
            report.leave(limit, "a joint may turn as fast as it likes", "velocity", bears=False)
    if dynamics is not None:
        joint.damping = number(dynamics, "damping", 0.0)
        joint.friction = number(dynamics, "friction", 0.0)


def _motor(machine: Machine, joint: Joint, element: Element) -> None:
    """What couples a joint to another one, or the motor that it has else."""
    mimic, limit = element.first("mimic"), element.first("limit")
    if mimic is not None:
        terms = number(mimic, "offset", 0.0), number(mimic, "multiplier", 1.0)
        machine.equalities.append(
            Equality(f"{joint.name} mimic", mimic, "joint", joint.name, mimic.get("joint"), terms=terms)
        )
        return
    effort = number(limit, "effort", 0.0) if limit is not None else 0.0
    bounds = (-effort, effort) if 0 < effort < math.inf else None
    machine.actuators.append(Actuator(f"{joint.name} motor", element, joint.name, control=bounds))


def is_urdf(root: Element) -> bool:
    return root.tag == "robot"
