"""The detector: lays surfaces out for detection, gives it more room where it asks, and reads contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import tinkerdyne.engine.contact.detect  # noqa: F401  (brings its entry into the program)
from tinkerdyne.compiler import core
from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact import mesh_tables
from tinkerdyne.engine.contact.detection_records import (
    Body,
    Cell,
    Contact,
    ContactPoint,
    Core,
    Detection,
    DetectionSettings,
    Face,
    Marks,
    Pair,
    Patch,
    PatchPose,
    Placed,
    Pose,
    Surface,
    Work,
)
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.boundary import Part

KINDS = {
    "point": Core.POINT, "segment": Core.SEGMENT, "circle": Core.CIRCLE, "box": Core.BOX,
    "cylinder": Core.CYLINDER, "cone": Core.CONE, "hull": Core.HULL, "polygon": Core.POLYGON,
    "plane": Core.PLANE, "mesh": Core.MESH,
}  # fmt: skip
GROUND = -1
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


class Detector:
    """All surfaces of a world, and the arrays D and F that detection works on.

    fixed: which bodies do not move by themselves; affine: which may be sheared (troids).
    ignored: pairs of bodies that do not touch each other.
    """

    def __init__(
        self,
        n_bodies: int,
        surfaces: Sequence[SurfaceOf],
        *,
        fixed: Sequence[int] = (),
        affine: Sequence[int] = (),
        ignored: Sequence[tuple[int, int]] = (),
        margin: float = 0.0,
        slop: float = 0.0,
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
        head |= self._pair_room(n) | self._contact_room("", 4 * n, n) | self._contact_room("old_", 4 * n, n)
        self._join()
        for name, value in head.items():
            setattr(self.head, name, value)
        self.settings.margin, self.settings.slop = margin, slop
        rotations = self.poses[:, place_of(Pose, "rotation") :]
        rotations[:] = np.eye(3).ravel()

    # --- laying out ------------------------------------------------------------------------------
    def _bodies(self, n: int, fixed: Sequence[int], affine: Sequence[int]) -> dict[str, int]:
        bodies = np.zeros((n + 1, Body.size), np.int64)
        bodies[[0, *(k + 1 for k in fixed)], place_of(Body, "is_fixed")] = 1
        bodies[[k + 1 for k in affine], place_of(Body, "is_affine")] = 1
        bodies[:, place_of(Body, "object")] = -1
        poses = np.zeros((n + 1, Pose.size))
        return {"bodies": self._tables.put_ints(bodies), "poses": self._tables.put_floats(poses)}

    def _ignored(self, n: int, pairs: Sequence[tuple[int, int]]) -> dict[str, int]:
        keys = sorted({min(pair) * n + max(pair) for pair in pairs})
        return {"n_ignored": len(keys), "ignored": self._tables.put_ints(np.array(keys))}

    def _surfaces(self) -> dict[str, int]:
        rows = np.zeros((len(self.surfaces), Surface.size), np.int64)
        places = np.zeros((len(self.surfaces), Placed.size))
        for k, surface in enumerate(self.surfaces):
            self._surface(Surface(rows[k]), Placed(places[k]), k, surface)
        return {"surfaces": self._tables.put_ints(rows), "placed": self._tables.put_floats(places)}

    def _surface(self, row: Surface, place: Placed, k: int, surface: SurfaceOf) -> None:
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

    def _pair_room(self, n: int) -> dict[str, int]:
        table = self._tables
        return {
            "pair_room": n,
            "pairs": table.put_ints(np.zeros(n * Pair.size)),
            "sorting": table.put_ints(np.zeros(len(self.surfaces) + 1 + n * Pair.size)),
        }

    def _contact_room(self, old: str, contacts: int, patches: int) -> dict[str, int]:
        table = self._tables
        return {
            "contact_room": contacts,
            "patch_room": patches,
            f"{old}contacts": table.put_ints(np.zeros(contacts * Contact.size)),
            f"{old}points": table.put_floats(np.zeros(contacts * ContactPoint.size)),
            f"{old}patches": table.put_ints(np.zeros(patches * Patch.size)),
            f"{old}relative": table.put_floats(np.zeros(patches * PatchPose.size)),
        }

    def _join(self) -> None:
        self.D: Array = np.concatenate(self._tables.ints)
        self.F: Array = np.concatenate(self._tables.floats)
        self._tables.ints, self._tables.floats = [self.D], [self.F]
        self.head = Detection(self.D)

    # --- more room -------------------------------------------------------------------------------
    def grow(self, answer: int) -> None:
        """Give more room for what detection asked for by its answer, with half as much again."""
        if answer == -1:
            self._move(self._pair_room(self.head.n_pairs * 3 // 2))
            return
        contacts = max(self.head.n_wanted, self.head.contact_room) * 3 // 2
        patches = max(self.head.n_pairs, self.head.patch_room)
        before = {name: getattr(self.head, name) for name in ("contacts", "points", "patches", "relative")}
        n, m = self.head.n_contacts, self.head.n_patches
        new = self._contact_room("", contacts, patches)
        self._move(new | self._contact_room("old_", contacts, patches))
        for name, rows, size in (("contacts", n, Contact.size), ("patches", m, Patch.size)):
            self.D[new[name] : new[name] + rows * size] = self.D[before[name] : before[name] + rows * size]
        for name, rows, size in (("points", n, ContactPoint.size), ("relative", m, PatchPose.size)):
            self.F[new[name] : new[name] + rows * size] = self.F[before[name] : before[name] + rows * size]

    def _move(self, head: dict[str, int]) -> None:
        self._join()
        for name, value in head.items():
            setattr(self.head, name, value)

    # --- asking ----------------------------------------------------------------------------------
    @property
    def settings(self) -> DetectionSettings:
        """The margin and the slop."""
        return DetectionSettings(self.F[self.head.settings :])

    @property
    def poses(self) -> Array:
        """Poses by rows, the ground first: place, then the rotation by columns; written in place."""
        first, n = self.head.poses, self.head.n_bodies + 1
        return self.F[first : first + n * Pose.size].reshape(n, Pose.size)

    def put(self, body: int, position: Sequence[float] | Array, rotation: Array | None = None) -> None:
        """Put a body somewhere."""
        row = self.poses[body + 1]
        row[:3] = position
        if rotation is not None:
            row[3:] = np.asarray(rotation).T.ravel()

    def follow(self, body: int, number: int, width: int) -> None:
        """Let a body have the pose of an object of the arena, by its number and how long its lift is."""
        first = self.head.bodies + (body + 1) * Body.size
        row = Body(self.D[first : first + Body.size])
        row.object, row.lift = number, width

    def find(self) -> int:
        """Find all contacts; how many."""
        run = core.program()["find_contacts"]
        answer = int(run(self.D.ctypes.data, self.F.ctypes.data))
        while answer < 0:
            self.grow(answer)
            answer = int(run(self.D.ctypes.data, self.F.ctypes.data))
        return answer

    def contacts(self) -> tuple[Array, Array]:
        """The contacts that were found, by rows of Contact and of ContactPoint."""
        n, head = self.head.n_contacts, self.head
        whole = self.D[head.contacts : head.contacts + n * Contact.size]
        points = self.F[head.points : head.points + n * ContactPoint.size]
        return whole.reshape(n, Contact.size).copy(), points.reshape(n, ContactPoint.size).copy()


def _reach(part: Part) -> float:
    """How far a part reaches from its centre."""
    size = np.array(part.size)
    if part.vertices is not None:
        return float(np.linalg.norm(part.vertices, axis=1).max()) + part.rounding
    if part.core in ("cylinder", "box"):
        return float(np.linalg.norm(size)) + part.rounding
    if part.core == "cone":
        return float(max(np.hypot(size[0], size[1]), size[2])) + part.rounding
    return float(size.sum()) + part.rounding
