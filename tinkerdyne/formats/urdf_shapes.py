"""URDF's poses, and the shapes of its links."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from tinkerdyne.formats.assets import Assets, MeshAsset, mesh_of_file
from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.formats.mjcf_geoms import Geom
from tinkerdyne.formats.numbers import number, numbers
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.shapes import parts_of, parts_of_mesh
from tinkerdyne.formats.tree import Part, Pose
from tinkerdyne.language.arrays import Array

SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh")


def rpy(angles: Array) -> Array:
    """Roll, pitch and yaw about the fixed axes x, y, z:  R = R_z R_y R_x."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def origin(element: Element) -> Pose:
    """The pose that an element's origin says."""
    found = element.first("origin")
    if found is None:
        return Pose()
    place = numbers(found, "xyz", 3, (0.0, 0.0, 0.0))
    return Pose(place, rpy(numbers(found, "rpy", 3, (0.0, 0.0, 0.0))))


def urdf_parts(element: Element, assets: Assets, report: Report, *, touches: bool) -> list[Part]:
    """What a collision or visual element is seen and touched as."""
    geometry = element.first("geometry")
    found = [] if geometry is None else list(geometry.all(*SHAPES))
    if not found:
        report.leave(element, "it has no shape that is known", bears=False)
        return []
    shape, pose = found[0], origin(element)
    if shape.tag == "mesh":
        return _mesh_parts(shape, pose, assets, report, touches)
    names = {"box": (), "sphere": ("radius",)}.get(shape.tag, ("radius", "length"))
    size = np.array([number(shape, name, 0.0) for name in names])
    if shape.tag == "box":
        size = numbers(shape, "size", 3, (0.0, 0.0, 0.0)) / 2
    elif len(names) == 2:
        size[1] /= 2
    if not (size > 0).all():
        raise wrong(shape, f"a {shape.tag} needs positive sizes")
    return parts_of(Geom(shape.tag, size, pose), shape, report, touches=touches, stands=False)


def _mesh_parts(shape: Element, pose: Pose, assets: Assets, report: Report, touches: bool) -> list[Part]:
    """What a mesh is seen and touched as; one that is not there is said."""
    said, scale = shape.get("filename"), numbers(shape, "scale", 3, (1.0, 1.0, 1.0))
    key = f"{said} {scale}"
    if key not in assets.meshes:
        assets.meshes[key] = MeshAsset(functools.partial(_read, said, scale, assets.folder, shape))
    return parts_of_mesh(assets.meshes[key], pose, shape, report, touches=touches, is_hull=False)


def _read(said: str, scale: Array, folder: Path, shape: Element) -> tuple[Array, Array]:
    vertices, faces = mesh_of_file(path_of_mesh(said, folder), shape)
    return vertices * scale, (faces[:, ::-1] if np.prod(scale) < 0 else faces)


def path_of_mesh(said: str, folder: Path) -> Path:
    """The file that a mesh names: package://name/rest is looked for beside and above the robot."""
    if "://" not in said:
        return folder / said
    scheme, _, rest = said.partition("://")
    if scheme == "file":
        return Path(rest)
    for above in (folder, *folder.parents):
        for tail in (rest, rest.partition("/")[2]):
            if tail and (above / tail).is_file():
                return above / tail
    return folder / rest.partition("/")[2]
