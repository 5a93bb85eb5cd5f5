"""A world of a machine: its bodies, what joins them, and the coordinates by which joints are known."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np

from tinkerdyne.behaviors.forces import gravity, pull
from tinkerdyne.behaviors.medium import box_drag
from tinkerdyne.connectors.points import frame, point, world_frame
from tinkerdyne.constraints.joints import ball, pin, prismatic
from tinkerdyne.constraints.serial import serial, serial_coordinate
from tinkerdyne.formats.efforts import add_actuators, add_joint_efforts
from tinkerdyne.formats.kinematics import centre_motion, motions
from tinkerdyne.formats.markup import wrong
from tinkerdyne.formats.model import ReadModel
from tinkerdyne.formats.parts import shapes_of, standing
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.ties import add_equalities, add_tendons
from tinkerdyne.formats.touching import touch
from tinkerdyne.formats.tree import Joint, Link, Machine, Pose
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.catalog import RigidBody
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.world.world import World

THINNEST = 1e-9  # of the largest moment: a moment below this share is raised to it, since none may vanish
APART = 1e-6  # sine of the angle between axes that are told apart


def built(machine: Machine, report: Report, *, with_contact: bool) -> ReadModel:
    """The world of a machine, where the file describes it."""
    model = ReadModel(World(), machine, report)
    start = motions(machine, {})
    for link, motion in zip(machine.links, start, strict=True):
        there = centre_motion(link, motion).pose
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # moments that no body has are said in the report
            body = RigidBody(
                model.name_for(link.name, "link"),
                mass=link.mass.mass,
                inertia=_tensor(link, report),
                position=tuple(there.place),
                orientation=tuple(quaternion_of(there.turn)),
                **shapes_of(link.parts, link.mass.centre),
            )
            model.bodies.append(model.world.add(body))
    stands = standing(machine.fixed, model)
    for k, link in enumerate(machine.links):
        _join(model, k, link)
    if machine.gravity.any():
        model.world.add(gravity(tuple(machine.gravity), name=model.name_for("gravity", "force")))
    add_joint_efforts(model)
    add_tendons(model)
    add_equalities(model)
    add_actuators(model)
    _lift(model)
    _drag(model)
    if with_contact:
        touch(model, stands)
    return model


def _tensor(link: Link, report: Report) -> tuple[float, ...]:
    """Six numbers of an inertia; moments that vanish are raised, and what no body has is said."""
    mass, inertia = link.mass.mass, (link.mass.inertia + link.mass.inertia.T) / 2
    moments, axes = np.linalg.eigh(inertia)
    least = THINNEST * max(float(moments[2]), 1e-6 * mass)
    if moments[0] < least:
        turns = any(joint.sort != "slide" for joint in link.joints)
        says = f"the moment of inertia {moments[0]:g} kg m² of {link.name!r} is taken as {least:g}"
        report.leave(link.source, says, bears=turns)
        inertia = axes @ np.diag(np.maximum(moments, least)) @ axes.T
    elif moments[2] > (moments[0] + moments[1]) * (1 + 1e-9):
        says = f"no body has the moments of inertia of {link.name!r}; they are taken as they are"
        report.leave(link.source, says, bears=False)
    xx, yy, zz, xy, xz, yz = inertia[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
    return tuple(float(x) for x in (xx, yy, zz, xy, xz, yz))


def frame_of(model: ReadModel, link: int, pose: Pose) -> Item:
    """A frame of a link, or of the world (−1)."""
    axes = tuple(pose.turn.ravel(order="F"))
    if link < 0:
        return world_frame(at=tuple(pose.place), axes=axes)
    at = pose.place - model.machine.links[link].mass.centre
    return frame(model.bodies[link], at=tuple(at), axes=axes)


def axes_along(axis: Array) -> Array:
    """Right-handed axes whose third is given."""
    lead = np.eye(3)[int(np.abs(axis).argmin())]
    x = lead - axis * (axis @ lead)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


def _join(model: ReadModel, k: int, link: Link) -> None:
    """What holds a link in its parent."""
    joints = link.joints
    spherical = [joint for joint in joints if joint.sort in ("ball", "free")]
    if spherical and len(joints) > 1:
        others = ", ".join(repr(joint.name) for joint in joints)
        raise wrong(
            spherical[0].source,
            f"the joints {others} of {link.name!r} follow each other; beside a ball or free joint put a link "
            "with a mass between them",
        )
    first = joints[0]
    if first.sort == "free":
        return
    if len(joints) > 1:
        _row(model, k, link)
        return
    inside = Pose(first.anchor, np.eye(3) if first.sort == "ball" else axes_along(first.axis))
    a = frame_of(model, link.parent, link.pose @ inside)
    b = frame_of(model, k, inside)
    kind = {"hinge": pin, "slide": prismatic, "ball": ball}[first.sort]
    made = model.world.add(kind(a, b, name=model.name_for(first.name, "joint")))
    part = {"hinge": "turn", "slide": "slide", "ball": "rotation"}[first.sort]
    model.coordinates[first.name] = model.world.add(getattr(made, part))


def _row(model: ReadModel, k: int, link: Link) -> None:
    """Several joints in a row, with nothing between them."""
    _refuse_dependent(link)
    sorts = "".join("p" if joint.sort == "hinge" else "s" for joint in link.joints)
    axes = tuple(float(x) for joint in link.joints for x in joint.axis)
    anchors = tuple(float(x) for joint in link.joints for x in joint.anchor)
    a, b = frame_of(model, link.parent, link.pose), frame_of(model, k, Pose())
    row = {"sorts": sorts, "axes": axes, "anchors": anchors}
    if len(joints_of(link, "hinge")) < 3 or len(joints_of(link, "slide")) < 3:
        model.world.add(serial(a, b, name=model.name_for(f"{link.name} joints", "joints"), **row))
    for number, joint in enumerate(link.joints):
        name = model.name_for(joint.name, "joint")
        made = serial_coordinate(a, b, number=number, name=name, **row)
        model.coordinates[joint.name] = model.world.add(made)


def joints_of(link: Link, sort: str) -> list[Joint]:
    return [joint for joint in link.joints if joint.sort == sort]


def _refuse_dependent(link: Link) -> None:
    """A row has up to three hinges, each across the next, and up to three sliders in different directions."""
    hinges, slides = joints_of(link, "hinge"), joints_of(link, "slide")
    alike = [
        (one, other)
        for one, other in itertools.pairwise(hinges)
        if np.linalg.norm(np.cross(one.axis, other.axis)) < APART
    ]
    around = len(hinges) == 3 and np.linalg.norm(np.cross(hinges[0].axis, hinges[2].axis)) < APART
    flat = bool(slides) and np.linalg.svd([j.axis for j in slides], compute_uv=False)[-1] < APART
    if len(hinges) > 3 or len(slides) > 3 or alike or around or flat:
        names = ", ".join(repr(joint.name) for joint in link.joints)
        raise wrong(
            link.source,
            f"the joints {names} of {link.name!r} cannot follow each other with nothing between them: up to "
            "three hinges about different axes and three sliders can; put a link with a mass between them",
        )


def _lift(model: ReadModel) -> None:
    """What of gravity is taken off."""
    for link, body in zip(model.machine.links, model.bodies, strict=True):
        for weight, at in link.lifted:
            by = tuple(-weight * model.machine.gravity)
            model.world.add(pull(point(body, at=tuple(at - link.mass.centre)), by=by))


def _drag(model: ReadModel) -> None:
    """What the medium does to the boxes of links."""
    machine = model.machine
    given: dict[str, Any] = {
        "density": machine.density,
        "viscosity": machine.viscosity,
        "wind": tuple(machine.wind),
    }
    for k, link in enumerate(machine.links):
        for box in link.boxes:
            model.world.add(box_drag(frame_of(model, k, box.pose), size=tuple(box.size), **given))
