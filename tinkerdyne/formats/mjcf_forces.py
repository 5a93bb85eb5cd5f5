"""MJCF's tendons, actuators and equalities."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tinkerdyne.formats.kinematics import motions
from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.formats.mjcf_bodies import Reading
from tinkerdyne.formats.mjcf_classes import ACTUATORS
from tinkerdyne.formats.mjcf_poses import limits
from tinkerdyne.formats.numbers import number, numbers, row
from tinkerdyne.formats.tree import Actuator, Equality, Pose, Tendon
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import rotation_matrix

LATE = {"filter": 1.0, "filterexact": 1.0, "integrator": math.inf}


# --- tendons -------------------------------------------------------------------------------------
def read_tendons(reading: Reading, root: Element) -> None:
    for section in root.all("tendon"):
        for element in section.all("fixed", "spatial"):
            name = element.get("name") or f"tendon {len(reading.machine.tendons) + 1}"
            if name in reading.machine.tendons:
                raise wrong(element, f"there are two tendons called {name!r}")
            tendon = Tendon(name, element)
            is_whole = _fixed(reading, tendon) if element.tag == "fixed" else _spatial(reading, tendon)
            if is_whole:
                _settings(reading, tendon)
                reading.machine.tendons[name] = tendon


def _settings(reading: Reading, tendon: Tendon) -> None:
    element = tendon.source
    bounds = limits(element, "limited", "range", reading.compiler)
    if bounds is not None:
        tendon.low, tendon.high = bounds
    tendon.stiffness = (row(element, "stiffness") or [0.0])[0]
    tendon.damping = (row(element, "damping") or [0.0])[0]
    tendon.friction = number(element, "frictionloss", 0.0)
    slack = row(element, "springlength")
    if slack and slack[0] >= 0:
        tendon.slack = slack[0], slack[-1]
    if number(element, "armature", 0.0):
        reading.report.leave(element, "the inertia of a tendon is not taken over", "armature")
    if limits(element, "actuatorfrclimited", "actuatorfrcrange", reading.compiler):
        reading.report.leave(element, "its limit of effort is not taken over", "actuatorfrcrange")


def _fixed(reading: Reading, tendon: Tendon) -> bool:
    known = reading.machine.joints()
    for joint in tendon.source.all("joint"):
        name = joint.get("joint")
        if name not in known:
            raise wrong(joint, f"there is no joint {name!r}")
        tendon.joints.append((name, number(joint, "coef", 1.0)))
    return True


def _spatial(reading: Reading, tendon: Tendon) -> bool:
    """The sites on the way, stretch by stretch; pulleys begin a new branch with its divisor."""
    before, divisor = "", 1.0
    for element in tendon.source.children:
        match element.tag:
            case "site":
                name = f"site {element.get('site')}"
                if name not in reading.machine.sites:
                    raise wrong(element, f"there is no site {element.get('site')!r}")
                if before:
                    tendon.stretches.append((before, name, divisor))
                before = name
            case "pulley":
                divisor, before = number(element, "divisor", 1.0), ""
                if not divisor > 0:
                    raise wrong(element, f"its divisor must be positive, not {divisor:g}")
            case _:
                says = "a tendon that goes round a geom is not taken over, and nothing that hangs on it"
                reading.report.leave(element, says)
                return False
    return True


# --- actuators -----------------------------------------------------------------------------------
def read_actuators(reading: Reading, root: Element) -> None:
    names: set[str] = set()
    for section in root.all("actuator"):
        for element in section.all(*ACTUATORS):
            name = element.get("name") or f"actuator {len(names) + 1}"
            if name in names:
                raise wrong(element, f"there are two actuators called {name!r}")
            names.add(name)
            actuator = Actuator(name, element)
            if _transmits(reading, actuator) and _works(reading, actuator):
                reading.machine.actuators.append(actuator)


def _transmits(reading: Reading, actuator: Actuator) -> bool:
    """What an actuator acts along."""
    element, machine = actuator.source, reading.machine
    actuator.joint = element.get("joint") or element.get("jointinparent")
    actuator.tendon = element.get("tendon")
    gear = row(element, "gear") or [1.0]
    actuator.gear = tuple(gear)
    if actuator.joint and actuator.joint not in machine.joints():
        raise wrong(element, f"there is no joint {actuator.joint!r}")
    if actuator.tendon and actuator.tendon not in machine.tendons:
        reading.report.leave(element, f"its tendon {actuator.tendon!r} is not there")
        return False
    if not actuator.joint and not actuator.tendon:
        along = next((word for word in ("site", "body", "cranksite") if element.has(word)), "nothing")
        reading.report.leave(element, f"an actuator on a {along} is not taken over")
        return False
    if actuator.joint and machine.joints()[actuator.joint].sort in ("ball", "free"):
        reading.report.leave(element, "an actuator on a ball or free joint is not taken over")
        return False
    return True


def _works(reading: Reading, actuator: Actuator) -> bool:
    """What an actuator does: gain, bias and lag of a general one, for which the others are short."""
    element, compiler = actuator.source, reading.compiler
    if element.tag in ("muscle", "adhesion", "dcmotor"):
        reading.report.leave(element, f"an actuator of the kind {element.tag} is not taken over")
        return False
    actuator.control = limits(element, "ctrllimited", "ctrlrange", compiler)
    actuator.effort = limits(element, "forcelimited", "forcerange", compiler)
    settings = _settings_of(element)
    kinds = (settings.gaintype, ("fixed", "affine")), (settings.biastype, ("none", "affine"))
    strange = [kind for kind, known in kinds if kind not in known]
    if settings.dyntype not in ("none", *LATE):
        strange.append(settings.dyntype)
    if strange:
        reading.report.leave(element, f"an actuator with {strange[0]} is not taken over")
        return False
    gain, bias = settings.gainprm, settings.biasprm
    actuator.gain = (gain[0], 0.0, 0.0) if settings.gaintype == "fixed" else (gain[0], gain[1], gain[2])
    actuator.bias = (bias[0], bias[1], bias[2]) if settings.biastype == "affine" else (0.0, 0.0, 0.0)
    if settings.dyntype != "none":
        late = LATE[settings.dyntype]
        actuator.time = late if math.isinf(late) else settings.dynprm[0]
    if limits(element, "actlimited", "actrange", compiler):
        reading.report.leave(element, "the limits of its activation are not taken over", "actrange")
    for attribute in ("dampratio", "inheritrange"):
        if number(element, attribute, 0.0):
            reading.report.leave(element, f"{attribute} is not taken over", attribute)
    return True


@dataclass
class _General:
    """The settings of MJCF's general actuator."""

    gaintype: str = "fixed"
    biastype: str = "none"
    dyntype: str = "none"
    gainprm: list[float] = field(default_factory=lambda: [1.0, 0.0, 0.0])
    biasprm: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    dynprm: list[float] = field(default_factory=lambda: [1.0])


def _settings_of(element: Element) -> _General:
    """The settings of the general actuator that an actuator is short for; those of its classes come first,
    each as its own kind says them."""
    found = _General()
    for given in (*reversed(element.behind), element):
        given = Element(given.tag, given.attributes, given.line, given.file, read=given.read)
        _SHORT.get(given.tag, _general)(given, found)
    return found


def _general(element: Element, found: _General) -> None:
    for name in ("gaintype", "biastype", "dyntype"):
        setattr(found, name, element.get(name, getattr(found, name)))
    for name in ("gainprm", "biasprm", "dynprm"):
        given = row(element, name)
        if given:
            setattr(found, name, [*given, *getattr(found, name)[len(given) :]])


def _motor(_element: Element, found: _General) -> None:
    found.gaintype, found.biastype, found.dyntype = "fixed", "none", "none"
    found.gainprm = [1.0, 0.0, 0.0]


def _position(element: Element, found: _General) -> None:
    kp = number(element, "kp", found.gainprm[0])
    kv = number(element, "kv", -found.biasprm[2])
    found.gaintype, found.gainprm = "fixed", [kp, 0.0, 0.0]
    found.biastype, found.biasprm = "affine", [0.0, -kp, -kv]
    if element.has("timeconst"):
        time = number(element, "timeconst", 0.0)
        found.dyntype, found.dynprm = "filterexact" if time else "none", [time]


def _velocity(element: Element, found: _General) -> None:
    kv = number(element, "kv", found.gainprm[0])
    found.gaintype, found.gainprm = "fixed", [kv, 0.0, 0.0]
    found.biastype, found.biasprm = "affine", [0.0, 0.0, -kv]


def _intvelocity(element: Element, found: _General) -> None:
    _position(element, found)
    found.dyntype = "integrator"


def _damper(element: Element, found: _General) -> None:
    kv = number(element, "kv", 0.0)
    found.gaintype, found.gainprm = "affine", [0.0, 0.0, -kv]
    found.biastype = "none"


def _cylinder(element: Element, found: _General) -> None:
    time = number(element, "timeconst", found.dynprm[0])
    area = number(element, "area", found.gainprm[0])
    if element.has("diameter"):
        area = math.pi / 4 * number(element, "diameter", 0.0) ** 2
    bias = row(element, "bias") or found.biasprm
    found.gaintype, found.gainprm = "fixed", [area, 0.0, 0.0]
    found.biastype, found.biasprm = "affine", [*bias, 0.0, 0.0, 0.0][:3]
    found.dyntype, found.dynprm = "filter", [time]


_SHORT = {
    "motor": _motor, "position": _position, "velocity": _velocity, "intvelocity": _intvelocity,
    "damper": _damper, "cylinder": _cylinder,
}  # fmt: skip


# --- equalities ----------------------------------------------------------------------------------
def read_equalities(reading: Reading, root: Element) -> None:
    for section in root.all("equality"):
        for element in section.children:
            element.is_known = True
            is_on = element.get("active", "true") == "true"
            tie: Equality | None
            match element.tag:
                case "connect" | "weld":
                    tie = _held(reading, element)
                case "joint" | "tendon":
                    tie = _coupled(reading, element)
                case _:
                    reading.report.leave(element, f"an equality of the kind {element.tag} is not taken over")
                    continue
            if tie is not None:
                tie.is_on = is_on
                reading.machine.equalities.append(tie)


def _coupled(reading: Reading, element: Element) -> Equality | None:
    first = element.get(f"{element.tag}1")
    second = element.get(f"{element.tag}2") or None
    known = reading.machine.joints() if element.tag == "joint" else reading.machine.tendons
    for name in filter(None, (first, second)):
        if name not in known:
            if element.tag == "tendon":
                reading.report.leave(element, f"the tendon {name!r} is not there")
                return None
            raise wrong(element, f"there is no {element.tag} {name!r}")
    terms = row(element, "polycoef") or [0.0, 1.0]
    sort: Literal["joint", "tendon"] = "joint" if element.tag == "joint" else "tendon"
    return Equality(element.get("name"), element, sort, first, second, terms=tuple(terms))


def _held(reading: Reading, element: Element) -> Equality:
    """Two bodies at a point or as a whole; where they lie as described says what is not given."""
    sites, machine = reading.machine.sites, reading.machine
    name = element.get("name")
    sort: Literal["connect", "weld"] = "connect" if element.tag == "connect" else "weld"
    if element.has("site1"):
        ends = []
        for said in (element.get("site1"), element.get("site2")):
            site = sites.get(f"site {said}")
            if site is None:
                raise wrong(element, f"there is no site {said!r}")
            ends.append(site)
        ends_at = ends[0].pose, ends[1].pose
        return Equality(name, element, sort, ends[0].link, ends[1].link, ends_at)
    links = [_body(reading, element, name) for name in ("body1", "body2")]
    where = [motion.pose for motion in motions(machine, {})]
    a, b = ((where[k] if k >= 0 else Pose()) for k in links)
    if sort == "connect":
        anchor = Pose(numbers(element, "anchor", 3, (0.0, 0.0, 0.0)))
        places = anchor, b.inverse @ a @ anchor
    else:
        places = _relative(element, a.inverse @ b), Pose()
    return Equality(name, element, sort, links[0], links[1], places)


def _relative(element: Element, now: Pose) -> Pose:
    """The pose of the second body in the first that a weld holds: as given, or as it is."""
    element.get("anchor"), element.get("torquescale")  # a weld that is exact does not ask where it is
    given = numbers(element, "relpose", 7, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    if not given[3:].any():
        return now
    turn: Array = rotation_matrix(given[3:] / np.linalg.norm(given[3:]))
    return Pose(given[:3], turn)


def _body(reading: Reading, element: Element, name: str) -> int:
    said = element.get(name)
    if not said or said == "world":
        return -1
    site = reading.machine.sites.get(said)
    if site is None:
        raise wrong(element, f"there is no body {said!r}")
    return site.link
