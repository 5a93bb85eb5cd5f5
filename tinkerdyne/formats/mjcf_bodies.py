"""MJCF's tree of bodies: poses, joints, inertials, geoms and sites."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tinkerdyne.formats.assets import Assets
from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.formats.mjcf_geoms import geom_of, given_mass, mass_of
from tinkerdyne.formats.mjcf_poses import Compiler, limits, pose_of
from tinkerdyne.formats.numbers import number, numbers
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.shapes import parts_of
from tinkerdyne.formats.tree import Box, Joint, Link, Machine, Mass, Pose, Site

MOST = 100_000  # bodies


@dataclass
class Reading:
    """What the readers of a model share."""

    machine: Machine
    compiler: Compiler
    assets: Assets
    report: Report


def read_bodies(reading: Reading, root: Element) -> None:
    """All bodies below the world, parents first."""
    machine = reading.machine
    stack: list[tuple[Element, int, Pose]] = []

    def inside(element: Element, link: int, frame: Pose) -> list[tuple[Element, int, Pose]]:
        """The bodies in an element and in the frames that it holds, in their order."""
        found = []
        for child in element.children:
            if child.tag == "body":
                found.append((child, link, frame))
            elif child.tag == "frame":
                found += inside(child, link, frame @ pose_of(child, reading.compiler))
        return found

    for world in root.all("worldbody"):
        _fill(reading, world, None, Pose())
        stack += reversed(inside(world, -1, Pose()))
    while stack:
        element, parent, frame = stack.pop()
        if len(machine.links) >= MOST:
            raise wrong(element, f"the model has more than {MOST:,} bodies")
        name = element.get("name") or f"body {len(machine.links) + 1}"
        if name in machine.sites:
            raise wrong(element, f"there are two bodies called {name!r}")
        link = Link(name, element, parent, frame @ pose_of(element, reading.compiler))
        machine.sites[name] = Site(len(machine.links), Pose())
        machine.links.append(link)
        _fill(reading, element, link, Pose())
        _weigh(reading, element, link)
        if element.get("mocap") == "true":
            reading.report.leave(element, "a body that is led from outside stands still", "mocap")
        stack += reversed(inside(element, len(machine.links) - 1, Pose()))
    _scale(reading)


def _fill(reading: Reading, element: Element, link: Link | None, frame: Pose) -> None:
    """Joints, geoms and sites of a body; those in frames lie in them."""
    for child in element.children:
        match child.tag:
            case "joint" | "freejoint" if link is not None:
                link.joints.append(_joint(reading, child, link, frame))
            case "geom":
                _geom(reading, child, link, frame)
            case "site":
                _site(reading, child, frame)
            case "frame":
                child.is_known = True
                _fill(reading, child, link, frame @ pose_of(child, reading.compiler))


def _joint(reading: Reading, element: Element, link: Link, frame: Pose) -> Joint:
    kind = "free" if element.tag == "freejoint" else element.get("type", "hinge")
    name = element.get("name") or f"{link.name} joint {len(link.joints) + 1}"
    if kind not in ("free", "ball", "hinge", "slide"):
        raise wrong(element, f"a joint is free, ball, hinge or slide, not {kind!r}")
    if name in reading.machine.joints():
        raise wrong(element, f"there are two joints called {name!r}")
    joint = Joint(name, kind, element)  # type: ignore[arg-type]
    if element.tag == "freejoint":
        return joint
    unit = reading.compiler.angle if kind in ("hinge", "ball") else 1.0
    axis = numbers(element, "axis", 3, (0.0, 0.0, 1.0))
    size = float(np.linalg.norm(axis))
    if kind in ("hinge", "slide"):
        if not size > 1e-14:
            raise wrong(element, "its axis must not be zero")
        joint.axis = frame.turn @ axis / size
    joint.anchor = frame.at(numbers(element, "pos", 3, (0.0, 0.0, 0.0)))
    bounds = limits(element, "limited", "range", reading.compiler, unit)
    if bounds is not None and kind != "free":
        joint.low, joint.high = bounds
    joint.zero = number(element, "ref", 0.0) * unit
    joint.rest = number(element, "springref", 0.0) * unit
    joint.stiffness = _coefficient(reading, element, "stiffness")
    joint.damping = _coefficient(reading, element, "damping")
    joint.armature = number(element, "armature", 0.0)
    joint.friction = number(element, "frictionloss", 0.0)
    time, ratio = numbers(element, "springdamper", 2, (0.0, 0.0))
    if time > 0 and ratio > 0:
        joint.settles = float(time), float(ratio)
    return joint


def _coefficient(reading: Reading, element: Element, name: str) -> float:
    """A coefficient of a spring or damper; terms of higher order are not taken over."""
    if not element.has(name):
        return 0.0
    words = element.get(name).split()
    if len(words) > 1:
        if any(float(word) for word in words[1:]):
            reading.report.leave(element, f"terms of higher order in {name} are not taken over", name)
        return float(words[0])
    return number(element, name, 0.0)


def _geom(reading: Reading, element: Element, link: Link | None, frame: Pose) -> None:
    geom = geom_of(element, reading.compiler, reading.assets, reading.report)
    if geom is None:
        return
    geom.pose = frame @ geom.pose
    if element.get("fluidshape", "none") != "none":
        reading.report.leave(element, "the drag of ellipsoids is not taken over", "fluidshape")
    bits = int(number(element, "contype", 1.0)), int(number(element, "conaffinity", 1.0))
    touches = any(bits) and reading.assets.may_touch
    if link is not None:
        group = int(number(element, "group", 0.0))
        if reading.compiler.groups[0] <= group <= reading.compiler.groups[1]:
            if element.get("shellinertia") == "true":
                reading.report.leave(element, "its mass is spread over its inside", "shellinertia")
            mass = mass_of(element, geom)
            link.mass = link.mass + mass
    parts = parts_of(geom, element, reading.report, touches=touches, stands=link is None)
    for part in parts:
        part.bits = bits
    (reading.machine.fixed if link is None else link.parts).extend(parts)


def _site(reading: Reading, element: Element, frame: Pose) -> None:
    """Sites are known by their names, those of bodies apart."""
    pose = frame @ pose_of(element, reading.compiler)
    ends = numbers(element, "fromto", 6, (0.0,) * 6) if element.has("fromto") else None
    if ends is not None:
        pose = Pose(frame.at((ends[:3] + ends[3:]) / 2), pose.turn)
    name = element.get("name")
    if name:
        reading.machine.sites[f"site {name}"] = Site(len(reading.machine.links) - 1, pose)


def _weigh(reading: Reading, element: Element, link: Link) -> None:
    """The mass of a body by its inertial or by its geoms, and what goes with it: gravity taken off, the box
    that a medium drags."""
    compiler = reading.compiler
    inertial = element.first("inertial")
    if inertial is not None and compiler.from_geoms != "true":
        link.mass = given_mass(inertial, compiler)
    elif inertial is not None:
        reading.report.leave(inertial, "the compiler takes the inertia of the geoms", bears=False)
    elif compiler.from_geoms == "false":
        link.mass = Mass()
    mass = link.mass
    mass.mass = max(mass.mass, compiler.least_mass)
    moments, axes = np.linalg.eigh(mass.inertia)
    if compiler.balances and moments[0] + moments[1] < moments[2]:
        moments[:] = moments.mean()
    if compiler.balances or (compiler.least_inertia and mass.mass):
        mass.inertia = axes @ np.diag(np.maximum(moments, compiler.least_inertia)) @ axes.T
    share = number(element, "gravcomp", 0.0)
    if share and mass.mass:
        link.lifted.append((share * mass.mass, mass.centre))


def _scale(reading: Reading) -> None:
    """The total mass, where the compiler sets it; then the boxes that a medium drags."""
    links, total = reading.machine.links, reading.compiler.total_mass
    now = sum(link.mass.mass for link in links)
    if total > 0 and now > 0:
        for link in links:
            link.mass.mass *= total / now
            link.mass.inertia = link.mass.inertia * (total / now)
            link.lifted = [(weight * total / now, at) for weight, at in link.lifted]
    if not (reading.machine.density or reading.machine.viscosity):
        return
    for link in links:
        if link.mass.mass > 0:
            moments, axes = np.linalg.eigh(link.mass.inertia)
            if np.linalg.det(axes) < 0:
                axes = -axes
            square = 6 * (moments.sum() - 2 * moments) / link.mass.mass
            size = np.sqrt(np.maximum(square, 1e-15))
            link.boxes.append(Box(Pose(link.mass.centre, axes), size))
