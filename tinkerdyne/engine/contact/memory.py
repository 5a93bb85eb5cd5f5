"""What a world remembers of its contacts between steps: patches as anchors in the bodies, impulses, and who
rests or sleeps.

With it a step has the same bytes again after an undo or from a file, and what an edit does not touch goes on
as it was. Bodies are known by a number that stays: the keys of their items, or in a file their places in
order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact.detection_records import ContactPoint, FoundContact, Patch, PatchPose
from tinkerdyne.engine.contact.detector import Detector
from tinkerdyne.language.arrays import Array

A, B = place_of(Patch, "a"), place_of(Patch, "b")
FIRST, COUNT, JOINED = place_of(Patch, "first"), place_of(Patch, "n"), place_of(Patch, "joined")
HEAD = 2  # numbers before all patches: how many there are, and the span
ROW = 4 + 1 + PatchPose.size  # numbers of a patch in a file: its surfaces, its points, and its pose
POINT = 1 + ContactPoint.size + 3  # of a point: its feature, its numbers, and its impulse


@dataclass(frozen=True, eq=False)
class ContactMemory:
    """Patches in order: of each both surfaces as (body, part) pairs, how the bodies lay, and its points."""

    surfaces: Array  # (n, 4)
    counts: Array  # (n,) points of each
    poses: Array  # (n, 12)
    features: Array  # (m,)
    points: Array  # (m, …) as detection has them
    impulses: Array  # (m, 3)
    # of objects that have rested: for how long [s] (below 0 it sleeps), and with which forces
    rests: Mapping[int, tuple[float, Array]] = field(default_factory=dict)
    span: float = 0.0  # s: of the part of a step whose last half these impulses took

    def woken(self, touched: Collection[int]) -> ContactMemory:
        """The same with these bodies awake, and those that touch them; islands wake with them."""
        pairs = self.surfaces[:, [0, 2]].tolist()
        near = {a for pair in pairs for a in pair if pair[0] in touched or pair[1] in touched}
        awake = near.union(touched)
        return replace(self, rests={key: rest for key, rest in self.rests.items() if key not in awake})

    def flat(self, number: Mapping[int, int], objects: Mapping[int, int]) -> list[float]:
        """As numbers one behind the other, bodies by other numbers; so are the objects that may rest."""
        renamed = self.surfaces.copy()
        for k in (0, 2):
            renamed[:, k] = [number[int(body)] for body in self.surfaces[:, k]]
        rows = np.column_stack([renamed, self.counts, self.poses])
        points = np.column_stack([self.features, self.points, self.impulses])
        rests = [
            x
            for key, (rest, pulls) in self.rests.items()
            for x in (float(objects[key]), rest, float(len(pulls)), *pulls.tolist())
        ]
        return [float(len(rows)), self.span, *rows.ravel().tolist(), *points.ravel().tolist(), *rests]

    @classmethod
    def from_flat(
        cls, flat: Array, number: Mapping[int, int], objects: Mapping[int, int]
    ) -> ContactMemory | None:
        """The memory that was written so; None where the numbers do not fit."""
        n = int(flat[0]) if len(flat) and 0 <= flat[0] <= len(flat) else -1
        if n < 0 or len(flat) < HEAD + n * ROW or not np.isfinite(flat).all():
            return None
        rows = flat[HEAD : HEAD + n * ROW].reshape(n, ROW)
        surfaces, counts = rows[:, :4].astype(np.int64), rows[:, 4].astype(np.int64)
        end = HEAD + n * ROW + int(counts.sum()) * POINT
        is_known = all(int(body) in number for body in surfaces[:, [0, 2]].ravel())
        if not is_known or (counts < 1).any() or end > len(flat):
            return None
        rests = _rests(flat[end:].tolist(), objects)
        if rests is None:
            return None
        points = flat[HEAD + n * ROW : end].reshape(-1, POINT)
        for k in (0, 2):
            surfaces[:, k] = [number[int(body)] for body in surfaces[:, k]]
        features = points[:, 0].astype(np.int64)
        return cls(
            surfaces, counts, rows[:, 5:], features, points[:, 1:-3], points[:, -3:], rests, float(flat[1])
        )


def remembered(detector: Detector, impulses: Array, bodies: list[int], span: float) -> ContactMemory:
    """The contacts that a detector holds; bodies are called by these numbers."""
    head, parts = detector.head, _parts(detector)
    patches = detector.D[head.patches :][: head.n_patches * Patch.size].reshape(-1, Patch.size)
    poses = detector.F[head.relative :][: head.n_patches * PatchPose.size].reshape(-1, PatchPose.size)
    contacts, points = detector.contacts()
    own = np.array([(bodies[s.body], part) for s, part in zip(detector.surfaces, parts, strict=True)])
    surfaces = own.reshape(-1, 2)[patches[:, [A, B]]].reshape(-1, 4)
    # points that were joined for one step alone go when a patch is kept
    counts = patches[:, COUNT] - patches[:, JOINED]
    is_own = np.ones(len(contacts), bool)
    for first, n, joined in patches[patches[:, JOINED] > 0][:, [FIRST, COUNT, JOINED]].tolist():
        is_own[first + n - joined : first + n] = False
    return ContactMemory(
        surfaces.astype(np.int64),
        counts.copy(),
        poses.copy(),
        contacts[is_own, place_of(FoundContact, "feature")].copy(),
        points[is_own],
        impulses[is_own],
        span=span,
    )


def recall(detector: Detector, memory: ContactMemory, bodies: list[int]) -> tuple[Array, bool]:
    """Give a detector the contacts that were remembered, of surfaces that are still there; their impulses,
    and whether all are."""
    where = {
        (bodies[s.body], part): k
        for k, (s, part) in enumerate(zip(detector.surfaces, _parts(detector), strict=True))
    }
    starts = np.concatenate([[0], np.cumsum(memory.counts)])
    found = []
    for k, (body_a, part_a, body_b, part_b) in enumerate(memory.surfaces.tolist()):
        a, b = where.get((body_a, part_a)), where.get((body_b, part_b))
        if a is not None and b is not None and a < b:
            found.append((a, b, k))
    found.sort()
    kept = [k for _, _, k in found]
    rows = np.concatenate([np.arange(starts[k], starts[k + 1]) for k in kept] or [np.zeros(0, np.int64)])
    detector.hold(len(rows), len(found))
    head, n = detector.head, len(rows)
    patches = detector.D[head.patches :][: len(found) * Patch.size].reshape(-1, Patch.size)
    contacts = detector.D[head.contacts :][: n * FoundContact.size].reshape(-1, FoundContact.size)
    first = 0
    for patch, (a, b, k) in zip(patches, found, strict=True):
        count = int(memory.counts[k])
        patch[[A, B, FIRST, COUNT, JOINED]] = a, b, first, count, 0
        mine = contacts[first : first + count]
        mine[:, place_of(FoundContact, "a")] = detector.surfaces[a].body
        mine[:, place_of(FoundContact, "b")] = detector.surfaces[b].body
        mine[:, place_of(FoundContact, "surface_a")] = a
        mine[:, place_of(FoundContact, "surface_b")] = b
        first += count
    contacts[:, place_of(FoundContact, "feature")] = memory.features[rows]
    detector.F[head.points :][: n * ContactPoint.size] = memory.points[rows].ravel()
    detector.F[head.relative :][: len(found) * PatchPose.size] = memory.poses[kept].ravel()
    head.n_patches, head.n_contacts = len(found), n
    return memory.impulses[rows], len(found) == len(memory.counts)


def _rests(flat: list[float], objects: Mapping[int, int]) -> dict[int, tuple[float, Array]] | None:
    """Who rests, as `flat` has written it."""
    found: dict[int, tuple[float, Array]] = {}
    while flat:
        if len(flat) < 3 or int(flat[0]) not in objects or not 0 <= flat[2] <= len(flat) - 3:
            return None
        end = 3 + int(flat[2])
        found[objects[int(flat[0])]] = flat[1], np.array(flat[3:end])
        flat = flat[end:]
    return found


def _parts(detector: Detector) -> list[int]:
    """Which part of its body each surface is."""
    seen: dict[int, int] = {}
    parts = []
    for surface in detector.surfaces:
        parts.append(seen.get(surface.body, 0))
        seen[surface.body] = parts[-1] + 1
    return parts
