"""The detector: all surfaces of a world; it brings poses, asks for contacts, gives more room, and reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tinkerdyne.compiler import core
from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact.detect import NO_CONTACT_ROOM, NO_PAIR_ROOM
from tinkerdyne.engine.contact.detection_layout import DetectionLayout, SurfaceOf
from tinkerdyne.engine.contact.detection_records import (
    Collider,
    ContactPoint,
    Detection,
    DetectionSettings,
    FoundContact,
    Patch,
    PatchPose,
    Placed,
    Pose,
    Surface,
)
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.boundary import Part

__all__ = ["GROUND", "Detector", "SurfaceOf"]

ROTATION = slice(place_of(Pose, "rotation"), place_of(Pose, "rotation") + 9)
GROUND = -1


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
        self._layout = DetectionLayout(n_bodies, surfaces, fixed, affine, ignored)
        self.settings.margin, self.settings.slop = margin, slop
        self.poses[:, ROTATION] = np.eye(3).ravel()

    @property
    def D(self) -> Array:
        """The integers, with their head first."""
        return self._layout.D

    @property
    def F(self) -> Array:
        """The floats."""
        return self._layout.F

    @property
    def head(self) -> Detection:
        """Counts and places."""
        return self._layout.head

    @property
    def surfaces(self) -> list[SurfaceOf]:
        """All surfaces, by number."""
        return self._layout.surfaces

    # --- edits -----------------------------------------------------------------------------------
    def change(self, k: int, part: Part) -> bool:
        """Give surface k other sizes, in place; False where it must be laid out anew: one with vertices."""
        if part.vertices is not None or self.surfaces[k].part.core != part.core:
            return False
        rows, places = self.head.surfaces + k * Surface.size, self.head.placed + k * Placed.size
        surface = replace(self.surfaces[k], part=part)
        row, place = Surface(self.D[rows:]), Placed(self.F[places:])
        self._layout.describe(row, place, k, surface)
        self.surfaces[k] = surface
        self._forget(k)
        return True

    def _forget(self, k: int) -> None:
        """Have the patches of a surface found anew: their bodies lay infinitely far off."""
        for patch, (a, b, *_) in enumerate(self.patches()[0]):
            if k in (a, b):
                self.F[self.head.relative + patch * PatchPose.size] = np.inf

    # --- more room -------------------------------------------------------------------------------
    def grow(self, answer: int) -> None:
        """Give more room for what detection asked for by its answer, with half as much again."""
        if answer == NO_PAIR_ROOM:
            self._layout.join(self._layout.pair_room(self.head.n_pairs * 3 // 2))
            return
        contacts = max(self.head.n_wanted, self.head.contact_room) * 3 // 2
        patches = max(self.head.n_pairs, self.head.patch_room)
        before = {name: getattr(self.head, name) for name in ("contacts", "points", "patches", "relative")}
        n, m = self.head.n_contacts, self.head.n_patches
        new = self._layout.contact_room("", contacts, patches)
        self._layout.join(new | self._layout.contact_room("old_", contacts, patches))
        for name, rows, size in (("contacts", n, FoundContact.size), ("patches", m, Patch.size)):
            self.D[new[name] : new[name] + rows * size] = self.D[before[name] : before[name] + rows * size]
        for name, rows, size in (("points", n, ContactPoint.size), ("relative", m, PatchPose.size)):
            self.F[new[name] : new[name] + rows * size] = self.F[before[name] : before[name] + rows * size]

    def hold(self, contacts: int, patches: int) -> None:
        """See that there is room for so many contacts and patches, and have none."""
        self.head.n_contacts = self.head.n_patches = 0
        while contacts > self.head.contact_room or patches > self.head.patch_room:
            self.head.n_wanted = contacts
            self.head.n_pairs = max(self.head.n_pairs, patches)
            self.grow(NO_CONTACT_ROOM)

    # --- asking ----------------------------------------------------------------------------------
    @property
    def settings(self) -> DetectionSettings:
        """The margin and the slop."""
        return DetectionSettings(self.F[self.head.settings :])

    @property
    def poses(self) -> Array:
        """Poses by rows, the ground first: place, rotation by columns, way; written in place."""
        first, n = self.head.poses, self.head.n_bodies + 1
        return self.F[first : first + n * Pose.size].reshape(n, Pose.size)

    def put(self, body: int, position: Sequence[float] | Array, rotation: Array | None = None) -> None:
        """Put a body somewhere."""
        row = self.poses[body + 1]
        row[:3] = position
        if rotation is not None:
            row[ROTATION] = np.asarray(rotation).T.ravel()

    def follow(self, body: int, number: int, width: int) -> None:
        """Let a body have the pose of an object of the arena, by its number and how long its lift is."""
        first = self.head.bodies + (body + 1) * Collider.size
        row = Collider(self.D[first : first + Collider.size])
        row.object, row.lift = number, width

    def find(self) -> int:
        """Find all contacts; how many."""
        run = core.program()["find_contacts"]
        answer = int(run(self.D.ctypes.data, self.F.ctypes.data))
        while answer < 0:
            self.grow(answer)
            answer = int(run(self.D.ctypes.data, self.F.ctypes.data))
        return answer

    def patches(self) -> tuple[Array, Array]:
        """The patches that were found, by rows of Patch and of PatchPose."""
        n, head = self.head.n_patches, self.head
        rows = self.D[head.patches : head.patches + n * Patch.size]
        poses = self.F[head.relative : head.relative + n * PatchPose.size]
        return rows.reshape(n, Patch.size).copy(), poses.reshape(n, PatchPose.size).copy()

    def contacts(self) -> tuple[Array, Array]:
        """The contacts that were found, by rows of Contact and of ContactPoint."""
        n, head = self.head.n_contacts, self.head
        whole = self.D[head.contacts : head.contacts + n * FoundContact.size]
        points = self.F[head.points : head.points + n * ContactPoint.size]
        return whole.reshape(n, FoundContact.size).copy(), points.reshape(n, ContactPoint.size).copy()
