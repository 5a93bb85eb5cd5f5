"""MJCF in: MuJoCo's models become machines; what nobody asked for is listed."""

from __future__ import annotations

from tinkerdyne.formats.assets import Assets
from tinkerdyne.formats.markup import Element
from tinkerdyne.formats.mjcf_assets import read_meshes
from tinkerdyne.formats.mjcf_bodies import Reading, read_bodies
from tinkerdyne.formats.mjcf_classes import Classes, dress, with_includes
from tinkerdyne.formats.mjcf_forces import read_actuators, read_equalities, read_tendons
from tinkerdyne.formats.mjcf_poses import compiler_of
from tinkerdyne.formats.numbers import number, numbers
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.tree import Joint, Machine, Tendon, zeros

LOOKS = "how it looks is not taken over"
CONTACT = "how things touch is settled by this world's own rules of contact"
SOLVER = "constraints are met exactly, not softly"
MEASURED = "what is measured is asked of the world itself"
UNKNOWN = "it is not known to this reader"
PROGRAM = "a setting of the other program"
# elements, and attributes of any element, that do not bear on the motion without contact
ELEMENTS = {
    **dict.fromkeys(["visual", "light", "camera", "texture", "material", "skin", "statistic", "rgba"], LOOKS),
    **dict.fromkeys(["size", "custom", "model"], PROGRAM),
    **dict.fromkeys(["hfield", "pair"], CONTACT),
    "sensor": MEASURED,
    "keyframe": "the machine begins as it is described",
}
ATTRIBUTES = {
    name: why
    for why, names in (
        (LOOKS, "rgba material width group sitegroup shadowclip model name type size fromto"),
        (
            CONTACT,
            "friction condim contype conaffinity priority solmix margin gap cone impratio noslip_iterations",
        ),
        (
            SOLVER,
            "solref solimp solreflimit solimplimit solreffriction solimpfriction solreffix solimpfix "
            "iterations tolerance ls_iterations solver jacobian torquescale",
        ),
        (
            PROGRAM,
            "timestep integrator user energy multiccd meshdir texturedir assetdir ccd_iterations sleep "
            "nativeccd apirate discardvisual usethread fitaabb fusestatic eulerdamp simple alignfree actdim "
            "dynprm gainprm biasprm kp kv invdiscrete lengthrange class",
        ),
    )
    for name in names.split()
}


def machine_of_mjcf(root: Element, report: Report, assets: Assets) -> Machine:
    """The machine of a model."""
    with_includes(root)
    dress(root, Classes(root))
    machine = Machine(root.get("model", root.file.stem))
    reading = Reading(machine, compiler_of(root), assets, report)
    off = _options(reading, root)
    for section in root.all("asset"):
        read_meshes(section, reading)
    read_bodies(reading, root)
    read_tendons(reading, root)
    read_actuators(reading, root)
    read_equalities(reading, root)
    for section in root.all("contact"):
        for pair in section.all("exclude"):
            pair.get("name")
            machine.apart.append((pair.get("body1"), pair.get("body2")))
    _switch_off(machine, off)
    list_unread(root, report)
    return machine


def _options(reading: Reading, root: Element) -> set[str]:
    """Gravity and medium; the flags that are switched off."""
    machine = reading.machine
    off: set[str] = set()
    for option in root.all("option"):
        machine.gravity = numbers(option, "gravity", 3, tuple(machine.gravity))
        machine.wind = numbers(option, "wind", 3, tuple(machine.wind))
        machine.density = number(option, "density", machine.density)
        machine.viscosity = number(option, "viscosity", machine.viscosity)
        for flag in option.all("flag"):
            off |= {name for name in list(flag.attributes) if flag.get(name) == "disable"}
    return off


def _switch_off(machine: Machine, off: set[str]) -> None:
    """What the flags of a model switch off."""
    joints: list[Joint | Tendon] = [*machine.joints().values(), *machine.tendons.values()]
    if "gravity" in off:
        machine.gravity = zeros()
    if off & {"contact", "constraint"}:
        for link in machine.links:
            for part in link.parts:
                part.touches = False
    if off & {"limit", "constraint"}:
        for limited in joints:
            limited.low = limited.high = None
    if off & {"frictionloss", "constraint"}:
        for rubbing in joints:
            rubbing.friction = 0.0
    if off & {"equality", "constraint"}:
        for tie in machine.equalities:
            tie.is_on = False
    if "actuation" in off:
        machine.actuators.clear()
    if "clampctrl" in off:
        for actuator in machine.actuators:
            actuator.control = None
    for what in ("spring", "damper"):
        if off & {what, "passive"}:
            for springy in joints:
                setattr(springy, "stiffness" if what == "spring" else "damping", 0.0)


def list_unread(root: Element, report: Report) -> None:
    """Note every element and attribute that nobody asked for."""
    stack = [(root, False)]
    while stack:
        element, is_class = stack.pop()
        is_class = is_class or element.tag == "default"
        if is_class and not element.is_known:
            continue  # no element of its kind is of this class
        if element.tag in ELEMENTS:
            if not element.is_known or element.tag != "size":
                report.leave(element, ELEMENTS[element.tag], bears=False)
            continue
        if not element.is_known:
            report.leave(element, UNKNOWN)
            continue
        for name in set(element.attributes) - element.read:
            why = ATTRIBUTES.get(name, UNKNOWN)
            report.leave(element, why, name, bears=name not in ATTRIBUTES)
        stack += [(child, is_class) for child in element.children]
