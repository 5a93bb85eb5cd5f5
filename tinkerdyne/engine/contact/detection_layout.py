"""Laying surfaces out for detection: the two arrays it works on, with all that it looks up in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact import mesh_tables
from tinkerdyne.engine.contact.detection_records import (
    Cell,
    Collider,
    ContactPoint,
    Core,
    Detection,
    DetectionSettings,
    Face,
    FoundContact,
    Marks,
    Patch,
    PatchPose,
    Placed,
    Pose,
    Surface,
    SurfacePair,
    Work,
)
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.boundary import Part

KINDS = {
    "point": Core.POINT, "segment": Core.SEGMENT, "circle": Core.CIRCLE, "box": Core.BOX,
    "cylinder": Core.CYLINDER, "cone": Core.CONE, "hull": Core.HULL, "polygon": Core.POLYGON,
    "plane": Core.PLANE, "mesh": Core.MESH, "bowl": Core.BOWL, "track": Core.TRACK,
}  # fmt: skip
EVERYTHING = -1  # all bits


@dataclass(frozen=True, eq=False)
class SurfaceOf:
    """A part of a body's boundary, or of the ground's, and with which groups it is a pair (by bits)."""

    body: int
    part: Part
    group: int = 1
    mask: int = EVERYTHING


class _Tables:
    """Integers and floats that are put behind each other, each with its place."""

    def __init__(self) -> None:
        self.ints: list[Array] = []
        self.floats: list[Array] = []
        self.n_ints = self.n_floats = 0

    def put_ints(self, values: Array) -> int:
        self.ints.append(np.asarray(values, np.int64).ravel())
        self.n_ints += self.ints[-1].size
        return self.n_ints - self.ints[-1].size

    def put_floats(self, values: Array) -> int:
        self.floats.append(np.asarray(values, float).ravel())
        self.n_floats += self.floats[-1].size
        return self.n_floats - self.floats[-1].size


class DetectionLayout:
    """The arrays D and F of some bodies and surfaces."""

    def __init__(
        self,
        n_bodies: int,
        surfaces: Sequence[SurfaceOf],
        fixed: Sequence[int],
        affine: Sequence[int],
        ignored: Sequence[tuple[int, int]],
    ) -> None:
        self.surfaces = list(surfaces)
        self._affine = set(affine)
        self._tables = _Tables()
        self._tables.put_ints(np.zeros(Detection.size))
        self._tables.put_floats(np.zeros(1))
        head: dict[str, int] = {"n_bodies": n_bodies, "n_surfaces": len(surfaces)}
        head |= self._bodies(n_bodies, fixed, affine) | self._ignored(n_bodies, ignored)
        head |= self._surfaces() | self._grid() | self._room_to_work()
        n = max(16, 8 * len(surfaces))
        head |= self.pair_room(n) | self.contact_room("", 4 * n, n) | self.contact_room("old_", 4 * n, n)
        self.join(head)

    def join(self, head: dict[str, int]) -> None:
        """Make the arrays of all tables that were put down, and write into their head where these are."""
        self.D: Array = np.concatenate(self._tables.ints)
        self.F: Array = np.concatenate(self._tables.floats)
        self._tables.ints, self._tables.floats = [self.D], [self.F]
        self.head = Detection(self.D)
        for name, value in head.items():
            setattr(self.head, name, value)

    def _bodies(self, n: int, fixed: Sequence[int], affine: Sequence[int]) -> dict[str, int]:
        bodies = np.zeros((n + 1, Collider.size), np.int64)
        bodies[[0, *(k + 1 for k in fixed)], place_of(Collider, "is_fixed")] = 1
        bodies[[k + 1 for k in affine], place_of(Collider, "is_affine")] = 1
        bodies[:, place_of(Collider, "object")] = -1
        poses = np.zeros((n + 1, Pose.size))
        return {"bodies": self._tables.put_ints(bodies), "poses": self._tables.put_floats(poses)}

    def _ignored(self, n: int, pairs: Sequence[tuple[int, int]]) -> dict[str, int]:
        keys = sorted({min(pair) * n + max(pair) for pair in pairs})
        return {"n_ignored": len(keys), "ignored": self._tables.put_ints(np.array(keys))}

    def _surfaces(self) -> dict[str, int]:
        rows = np.zeros((len(self.surfaces), Surface.size), np.int64)
        places = np.zeros((len(self.surfaces), Placed.size))
        for k, surface in enumerate(self.surfaces):
            self.describe(Surface(rows[k]), Placed(places[k]), k, surface)
        return {"surfaces": self._tables.put_ints(rows), "placed": self._tables.put_floats(places)}

    def describe(self, row: Surface, place: Placed, k: int, surface: SurfaceOf) -> None:
        """Write down what surface k is."""
        part = surface.part
        row.body, row.kind = surface.body, KINDS[part.core]
        row.group, row.mask, row.is_planar = surface.group, surface.mask, int(part.is_planar)
        place.kind, place.surface, place.rounding = row.kind, k, part.rounding
        place.local.array[:3] = part.position
        place.local_axes.array[:9] = np.asarray(part.rotation).T.ravel()
        place.extent.array[: len(part.size)] = part.size
        place.reach = _reach(part)
        if part.vertices is None:
            return
        vertices, table = np.array(part.vertices, float), self._tables
        if part.core == "hull":
            vertices, loops = mesh_tables.hull(vertices)
            row.faces, row.n_faces = self._faces(loops), len(loops)
            normals = mesh_tables.normals(vertices, loops)
            row.normals = -1 if surface.body in self._affine else table.put_floats(normals)
            place.normals = row.normals
        elif part.core == "track":
            row.vertices = place.vertices = table.put_floats(vertices)
            row.n_vertices = place.n_vertices = len(vertices)
            return
        elif part.core == "polygon":
            row.faces = table.put_ints(np.array(part.inner or [False] * len(vertices), np.int64))
        else:
            assert part.faces is not None
            triangles = mesh_tables.triangles(vertices, part.faces)
            nodes, bounds = mesh_tables.tree(vertices, part.faces)
            row.faces, row.n_faces = table.put_ints(triangles), len(triangles)
            row.tree, row.bounds = table.put_ints(nodes), table.put_floats(bounds)
        row.vertices, row.n_vertices = table.put_floats(vertices), len(vertices)
        if part.core != "mesh":
            row.turned = table.put_floats(np.zeros_like(vertices))
        place.n_vertices, place.vertices = row.n_vertices, row.turned
        place.n_faces, place.faces = row.n_faces, row.faces

    def _faces(self, loops: Sequence[Sequence[int]]) -> int:
        first = self._tables.put_ints(np.concatenate([np.array(loop) for loop in loops]))
        starts = first + np.cumsum([0, *map(len, loops)])[:-1]
        rows = np.zeros((len(loops), Face.size), np.int64)
        rows[:, place_of(Face, "n")] = [len(loop) for loop in loops]
        rows[:, place_of(Face, "corners")] = starts
        return self._tables.put_ints(rows)

    def _grid(self) -> dict[str, int]:
        is_plane = np.array([s.part.core == "plane" for s in self.surfaces], bool)
        n, heads = len(self.surfaces), 1
        while heads < 2 * n:
            heads *= 2
        return {
            "bounded": self._tables.put_ints(np.flatnonzero(~is_plane)),
            "unbounded": self._tables.put_ints(np.flatnonzero(is_plane)),
            "n_unbounded": int(is_plane.sum()),
            "wide": self._tables.put_ints(np.zeros(n)),
            "cells": self._tables.put_ints(np.zeros(n * Cell.size)),
            "heads": self._tables.put_ints(np.zeros(heads)),
            "n_heads": heads,
        }

    def _room_to_work(self) -> dict[str, int]:
        table = self._tables
        work = table.put_floats(np.zeros(Work.size))
        return {
            "work": work,
            "marks": table.put_ints(np.zeros(Marks.size)),
            "settings": table.put_floats(np.zeros(DetectionSettings.size)),
            "one_face": self._faces([[0, 1, 2]]),
            "first_corners": work + place_of(Work, "corners_a"),
            "second_corners": work + place_of(Work, "corners_b"),
        }

    def pair_room(self, n: int) -> dict[str, int]:
        """Room for this many pairs."""
        table = self._tables
        return {
            "pair_room": n,
            "pairs": table.put_ints(np.zeros(n * SurfacePair.size)),
            "sorting": table.put_ints(np.zeros(len(self.surfaces) + 1 + n * SurfacePair.size)),
        }

    def contact_room(self, old: str, contacts: int, patches: int) -> dict[str, int]:
        """Room for this many contacts and patches, or for those of the step before ("old_")."""
        table = self._tables
        return {
            "contact_room": contacts,
            "patch_room": patches,
            f"{old}contacts": table.put_ints(np.zeros(contacts * FoundContact.size)),
            f"{old}points": table.put_floats(np.zeros(contacts * ContactPoint.size)),
            f"{old}patches": table.put_ints(np.zeros(patches * Patch.size)),
            f"{old}relative": table.put_floats(np.zeros(patches * PatchPose.size)),
        }


def _reach(part: Part) -> float:
    """How far a part reaches from its centre."""
    size = np.array(part.size)
    if part.core == "track":
        assert part.vertices is not None
        return (
            float((np.linalg.norm(part.vertices[:, :2], axis=1) + part.vertices[:, -1]).max()) + part.rounding
        )
    if part.vertices is not None:
        return float(np.linalg.norm(part.vertices, axis=1).max()) + part.rounding
    if part.core in ("cylinder", "box"):
        return float(np.linalg.norm(size)) + part.rounding
    if part.core == "bowl":
        return float(size[0])
    if part.core == "cone":
        return float(max(np.hypot(size[0], size[1]), size[2])) + part.rounding
    return float(size.sum()) + part.rounding
