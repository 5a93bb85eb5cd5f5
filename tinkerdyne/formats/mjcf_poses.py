"""Places and orientations as MJCF writes them, and the settings of its compiler."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.formats.numbers import number, numbers, row
from tinkerdyne.formats.tree import Pose
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import rotation_matrix

WAYS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
UNIT = np.eye(3)


@dataclass
class Compiler:
    """The settings of MJCF's compiler that bear on the model; of several elements the last counts."""

    degrees: bool = True
    euler: str = "xyz"
    auto_limits: bool = True
    from_geoms: str = "auto"
    groups: tuple[int, int] = (0, 5)
    total_mass: float = -1.0
    least_mass: float = 0.0
    least_inertia: float = 0.0
    balances: bool = False
    mesh_folder: str = ""
    strips: bool = False

    @property
    def angle(self) -> float:
        """Radians in a unit of angles."""
        return math.pi / 180 if self.degrees else 1.0


def compiler_of(root: Element) -> Compiler:
    found = Compiler()
    for element in root.all("compiler"):
        if element.has("angle"):
            found.degrees = element.get("angle") == "degree"
        if element.has("eulerseq"):
            found.euler = element.get("eulerseq")
            if len(found.euler) != 3 or set(found.euler.lower()) - set("xyz"):
                raise wrong(element, f"eulerseq must be three letters of x, y, z, not {found.euler!r}")
        if element.get("coordinate", "local") != "local":
            raise wrong(element, 'coordinate="global" is no longer MJCF; save the model anew by MuJoCo')
        if element.has("autolimits"):
            found.auto_limits = element.get("autolimits") == "true"
        found.from_geoms = element.get("inertiafromgeom", found.from_geoms)
        groups = numbers(element, "inertiagrouprange", 2, found.groups)
        found.groups = int(groups[0]), int(groups[1])
        found.total_mass = number(element, "settotalmass", found.total_mass)
        found.least_mass = number(element, "boundmass", found.least_mass)
        found.least_inertia = number(element, "boundinertia", found.least_inertia)
        if element.has("balanceinertia"):
            found.balances = element.get("balanceinertia") == "true"
        folder = element.get("assetdir", found.mesh_folder)
        found.mesh_folder = element.get("meshdir", folder)
        if element.has("strippath"):
            found.strips = element.get("strippath") == "true"
    return found


def pose_of(element: Element, compiler: Compiler) -> Pose:
    return Pose(numbers(element, "pos", 3, (0.0, 0.0, 0.0)), turn_of(element, compiler))


def turn_of(element: Element, compiler: Compiler) -> Array:
    """The orientation of an element, in whichever way it is written; its own way hides that of a class."""
    own = [way for way in WAYS if way in element.attributes]
    if len(own) > 1:
        raise wrong(element, f"its orientation is given twice, by {own[0]} and {own[1]}")
    way = own[0] if own else next((way for way in WAYS if element.has(way)), "")
    match way:
        case "quat":
            q = numbers(element, "quat", 4, (1.0, 0.0, 0.0, 0.0))
            return rotation_matrix(_unit(element, "quat", q))
        case "axisangle":
            x = numbers(element, "axisangle", 4, (0.0, 0.0, 1.0, 0.0))
            return about(_unit(element, "axisangle", x[:3]), float(x[3]) * compiler.angle)
        case "xyaxes":
            x = numbers(element, "xyaxes", 6, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
            first = _unit(element, "xyaxes", x[:3])
            second = _unit(element, "xyaxes", x[3:] - first * (first @ x[3:]))
            return np.column_stack([first, second, np.cross(first, second)])
        case "zaxis":
            return turn_to(_unit(element, "zaxis", numbers(element, "zaxis", 3, (0.0, 0.0, 1.0))))
        case "euler":
            angles = numbers(element, "euler", 3, (0.0, 0.0, 0.0)) * compiler.angle
            return euler(angles, compiler.euler)
    return np.eye(3)


def euler(angles: Array, sequence: str) -> Array:
    """Turns one after the other: small letters about axes that turn along, capitals about fixed ones."""
    turn = np.eye(3)
    for letter, by in zip(sequence, angles, strict=True):
        one = about(UNIT["xyz".index(letter.lower())], float(by))
        turn = turn @ one if letter.islower() else one @ turn
    return turn


def about(axis: Array, angle: float) -> Array:
    half = angle / 2
    return rotation_matrix((math.cos(half), *(math.sin(half) * axis)))


def turn_to(direction: Array) -> Array:
    """The least rotation that brings the z axis to a direction."""
    axis = np.cross(UNIT[2], direction)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-10:
        return np.eye(3) if direction[2] > 0 else about(UNIT[0], math.pi)
    return about(axis / sine, math.atan2(sine, float(direction[2])))


def _unit(element: Element, name: str, x: Array) -> Array:
    size = float(np.linalg.norm(x))
    if not size > 1e-14:
        raise wrong(element, f"{name} {element.get(name)!r} has no direction")
    return x / size


def limits(
    element: Element, says: str, range_name: str, compiler: Compiler, unit: float = 1.0
) -> tuple[float, float] | None:
    """A range, if it counts: where that is said, or where there is one and the compiler takes it for that."""
    given = row(element, range_name)
    word = element.get(says, "auto")
    if given is None:
        if word == "true":
            raise wrong(element, f'{says} is "true", so it needs a {range_name}')
        return None
    if len(given) != 2:
        raise wrong(element, f"{range_name} must be two numbers, not {element.get(range_name)!r}")
    low, high = given[0] * unit, given[1] * unit
    if word == "false" or (word == "auto" and (not compiler.auto_limits or not low < high)):
        return None
    if not low < high:
        raise wrong(element, f"{range_name} must be in order, not {element.get(range_name)!r}")
    return low, high
