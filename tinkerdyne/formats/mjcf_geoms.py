"""MJCF's geoms: where they lie, how large they are, and what they weigh."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tinkerdyne.formats.assets import Assets, MeshAsset
from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.formats.mjcf_poses import Compiler, pose_of, turn_to
from tinkerdyne.formats.numbers import number, numbers, row
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.tree import Mass, Pose
from tinkerdyne.language.arrays import Array

DENSITY = 1000.0  # kg/m³, where nothing is said
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3, "plane": 3}
PLACED = ("capsule", "cylinder", "ellipsoid", "box")  # by two ends, too


@dataclass
class Geom:
    """A geom: its kind, half sizes as MJCF counts them, its pose in the body, and its mesh."""

    kind: str
    size: Array
    pose: Pose
    mesh: MeshAsset | None = None


def geom_of(element: Element, compiler: Compiler, assets: Assets, report: Report) -> Geom | None:
    """A geom; None for what is not taken over, which is said."""
    kind = element.get("type", "mesh" if element.has("mesh") else "sphere")
    if kind == "hfield":
        report.leave(element, "height fields are not taken over", bears=False)
        return None
    pose = pose_of(element, compiler)
    if kind == "mesh" or element.has("mesh"):
        name = element.get("mesh")
        if name not in assets.meshes:
            raise wrong(element, f"there is no mesh {name!r} among the assets")
        if kind not in ("mesh", "sdf"):
            report.leave(element, f"a {kind} that is fitted to a mesh is taken as the mesh", "type")
        return Geom("mesh", np.zeros(0), pose, assets.meshes[name])
    if kind not in SIZES:
        raise wrong(element, f"a geom is {', '.join(SIZES)} or mesh, not {kind!r}")
    size = np.array(row(element, "size") or [])
    ends = row(element, "fromto")
    if ends is not None and kind in PLACED:
        start, end = np.array(ends[:3]), np.array(ends[3:])
        way = start - end
        half = float(np.linalg.norm(way)) / 2
        if len(ends) != 6 or half < 1e-12 or not len(size):
            raise wrong(element, "fromto must be two different places, and needs a size")
        pose = Pose((start + end) / 2, turn_to(way / (2 * half)))
        size = np.array([size[0], half] if kind in ("capsule", "cylinder") else [size[0], size[0], half])
    if len(size) < SIZES[kind] or (kind != "plane" and not (size[: SIZES[kind]] > 0).all()):
        raise wrong(element, f"a {kind} needs {SIZES[kind]} positive sizes, not {element.get('size')!r}")
    return Geom(kind, size[: SIZES[kind]], pose)


def mass_of(element: Element, geom: Geom) -> Mass:
    """What a geom weighs in its body, by its mass or else by its density."""
    if geom.kind == "plane":
        return Mass()
    volume, centre, inertia = measured(geom)
    mass = number(element, "mass", -1.0)
    if mass < 0:
        mass = number(element, "density", DENSITY) * volume
    return Mass(mass, centre, mass * inertia).moved(geom.pose)


def measured(geom: Geom) -> tuple[float, Array, Array]:
    """Volume, centre and the inertia of a kilogram about it, in the axes of a geom."""
    s = geom.size
    zero = np.zeros(3)
    match geom.kind:
        case "mesh":
            assert geom.mesh is not None
            solid = geom.mesh.solid
            inertia = np.array(solid.inertia)
            tensor = np.diag(inertia) if len(inertia) == 3 else inertia.reshape(3, 3)
            return solid.volume, np.array(solid.centre), tensor
        case "sphere":
            return 4 / 3 * math.pi * s[0] ** 3, zero, 0.4 * s[0] ** 2 * np.eye(3)
        case "ellipsoid" | "box":
            share, volume = (5, 4 / 3 * math.pi) if geom.kind == "ellipsoid" else (3, 8.0)
            moments = (s @ s - s * s) / share
            return volume * float(np.prod(s)), zero, np.diag(moments)
    r, h = float(s[0]), 2 * float(s[1])
    ends = 4 / 3 * r if geom.kind == "capsule" else 0.0  # both half balls, as a length of the cylinder
    part = h / (h + ends)
    across = part * (3 * r * r + h * h) / 12 + (1 - part) * (0.4 * r * r + h * (3 * r + 2 * h) / 8)
    along = part * r * r / 2 + (1 - part) * 0.4 * r * r
    return math.pi * r * r * (h + ends), zero, np.diag([across, across, along])


def given_mass(element: Element, compiler: Compiler) -> Mass:
    """What an inertial element says."""
    pose = pose_of(element, compiler)
    mass = number(element, "mass", 0.0)
    if mass < 0:
        raise wrong(element, f"a mass must not be negative, not {mass:g}")
    full = row(element, "fullinertia")
    if full is not None:
        if len(full) != 6:
            raise wrong(element, "fullinertia must be six numbers")
        xx, yy, zz, xy, xz, yz = full
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return Mass(mass, pose.place, tensor)
    tensor = np.diag(numbers(element, "diaginertia", 3, (0.0, 0.0, 0.0)))
    return Mass(mass, pose.place, pose.turn @ tensor @ pose.turn.T)
