"""MJCF's meshes: from files or from vertices, scaled, and what their inside weighs."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from tinkerdyne.formats.assets import MeshAsset, mesh_of_file
from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.formats.mjcf_bodies import Reading
from tinkerdyne.formats.mjcf_inertia import WAYS, solid_by
from tinkerdyne.formats.numbers import numbers, row
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.decomposition import hull_of
from tinkerdyne.objects.rotation import rotation_matrix


def read_meshes(section: Element, reading: Reading) -> None:
    """The meshes of an asset section, by their names; they are measured when a geom asks for them."""
    for element in section.all("mesh"):
        said = element.get("file")
        name = element.get("name") or Path(said.replace("\\", "/")).stem
        if not name or name in reading.assets.meshes:
            raise wrong(element, f"a mesh needs a name of its own, not {name!r}")
        if element.has("builtin"):
            reading.report.leave(element, "a mesh that the other program makes is not taken over")
            continue
        way = element.get("inertia", "legacy")
        if way not in WAYS:
            raise wrong(element, f"the inertia of a mesh must be one of {', '.join(WAYS)}, not {way!r}")
        reading.assets.meshes[name] = MeshAsset(
            functools.partial(_mesh, reading, element, said), functools.partial(solid_by, way)
        )


def _mesh(reading: Reading, element: Element, said: str) -> tuple[Array, Array]:
    """Vertices and faces as they are used: (x − refpos) turned back by refquat, then scaled."""
    if said:
        inside = Path(said.replace("\\", "/"))
        path = (
            reading.assets.folder
            / reading.compiler.mesh_folder
            / (inside.name if reading.compiler.strips else inside)
        )
        vertices, faces = mesh_of_file(path, element)
    else:
        vertices, faces = _written(element)
    place = numbers(element, "refpos", 3, (0.0, 0.0, 0.0))
    turn = rotation_matrix(numbers(element, "refquat", 4, (1.0, 0.0, 0.0, 0.0)))
    vertices = ((vertices - place) @ turn) * numbers(element, "scale", 3, (1.0, 1.0, 1.0))
    if np.prod(numbers(element, "scale", 3, (1.0, 1.0, 1.0))) < 0:
        faces = faces[:, ::-1]
    return vertices, faces


def _hull(vertices: Array, element: Element) -> tuple[Array, Array]:
    try:
        return hull_of(vertices)
    except ValueError as problem:
        raise wrong(element, str(problem)) from None


def _written(element: Element) -> tuple[Array, Array]:
    """A mesh whose vertices stand in the file; without faces it is their convex hull."""
    flat = row(element, "vertex")
    if not flat or len(flat) % 3 or len(flat) < 12:
        raise wrong(element, "a mesh needs a file, or four vertices or more")
    vertices = np.array(flat).reshape(-1, 3)
    faces = row(element, "face")
    if faces is None:
        return _hull(vertices, element)
    if len(faces) % 3 or not all(0 <= k < len(vertices) for k in faces):
        raise wrong(
            element, f"its faces must be numbers of vertices, three each, from 0 to {len(vertices) - 1}"
        )
    return vertices, np.array(faces, int).reshape(-1, 3)
