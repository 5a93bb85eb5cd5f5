"""Shapes of models as those of this world, each with its pose."""

from __future__ import annotations

import numpy as np

from tinkerdyne.formats.assets import MeshAsset
from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.formats.mjcf_geoms import Geom
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.tree import Part, Pose
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.decomposition import hull_of
from tinkerdyne.objects.grounds import Floor
from tinkerdyne.objects.shapes import Box, Capsule, Cylinder, Mesh, Sphere
from tinkerdyne.objects.surfaces import arc, revolved

ALONG_X = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])  # turns x into z
SEGMENTS = 16  # of an ellipsoid
MOST_FACES = 20_000  # of a mesh that is taken as it is; of what has more, the hull


def parts_of(geom: Geom, element: Element, report: Report, *, touches: bool, stands: bool) -> list[Part]:
    """What a geom is seen and touched as."""
    sizes = [float(x) for x in geom.size]
    match geom.kind:
        case "plane" if not stands:
            report.leave(element, "a plane that moves is not seen and touches nothing", bears=False)
            return []
        case "plane":
            return [Part(Floor(size=2 * max(sizes[:2]) or 10.0), geom.pose, touches)]
        case "mesh":
            assert geom.mesh is not None
            return parts_of_mesh(geom.mesh, geom.pose, element, report, touches=touches, is_hull=touches)
        case "ellipsoid":
            vertices, faces = revolved(arc(0.0, 1.0, np.pi, 0.0, SEGMENTS // 2), SEGMENTS)
            if touches:
                report.leave(element, "an ellipsoid is touched as a polyhedron", "type", bears=False)
            return [_mesh(vertices * geom.size, faces, geom.pose, touches)]
    try:
        shape = _plain(geom.kind, sizes)
    except ValueError as problem:
        raise wrong(element, str(problem)) from None
    return [Part(shape, geom.pose @ Pose(turn=_turn(geom.kind)), touches)]


def _plain(kind: str, sizes: list[float]) -> Item:
    match kind:
        case "sphere":
            return Sphere(radius=sizes[0])
        case "capsule":
            return Capsule(radius=sizes[0], length=2 * sizes[1])
        case "cylinder":
            return Cylinder(radius=sizes[0], length=2 * sizes[1])
    return Box(size=tuple(2 * x for x in sizes))


def _turn(kind: str) -> Array:
    """What is long lies along x here, along z there."""
    return ALONG_X if kind in ("capsule", "cylinder") else np.eye(3)


def parts_of_mesh(
    mesh: MeshAsset, pose: Pose, element: Element, report: Report, *, touches: bool, is_hull: bool
) -> list[Part]:
    """A mesh: as it is where it is only seen; its hull, or its convex parts, where it is touched."""
    try:
        vertices, faces = mesh.triangles
        if is_hull:
            return [_mesh(*hull_of(vertices), pose, touches)]
        if len(faces) > MOST_FACES:
            raise ValueError(f"it has {len(faces):,} triangles")
        whole = _mesh(vertices, faces, pose, touches)
        if not touches:
            return [whole]
        found = mesh.convex_parts
        return [_mesh(*one, pose, touches) for one in found] if len(found) > 1 else [whole]
    except ValueError as problem:
        return _hull_alone(mesh, pose, element, report, touches, problem)


def _hull_alone(
    mesh: MeshAsset, pose: Pose, element: Element, report: Report, touches: bool, problem: ValueError
) -> list[Part]:
    why = " ".join(str(problem).split()).removeprefix(f"{element.where}: ")[:100]
    try:
        part = _mesh(*hull_of(mesh.triangles[0]), pose, touches)
    except ValueError:
        report.leave(element, f"its mesh is not seen and touches nothing: {why}", "mesh", bears=False)
        return []
    report.leave(element, f"its mesh is taken as its hull: {why}", "mesh", bears=False)
    return [part]


def _mesh(vertices: Array, faces: Array, pose: Pose, touches: bool) -> Part:
    made = Mesh(vertices=vertices, faces=faces)
    return Part(made, pose @ Pose(np.array(made.offset)), touches)
