"""Meetings: the contacts of a world as values, with points, normals, forces and slip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

import numpy as np

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.arena import Arena
from tinkerdyne.engine.contact.arena import ContactArena
from tinkerdyne.engine.contact.detection_records import ContactPoint
from tinkerdyne.engine.records import Flag, Object
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.item import Item

Vector = tuple[float, ...]
ANCHORS = (place_of(ContactPoint, "anchor_a"), place_of(ContactPoint, "anchor_b"))
TROID, PLANAR_TROID = 12, 6  # velocities


class Meeting(NamedTuple):
    """A point where two bodies meet, as the first of them feels it; what is fixed comes second. Vectors are
    in world axes, of three numbers also in the plane."""

    a: Item
    b: Item
    point: Vector  # between the two surfaces [m]
    normal: Vector  # out of b
    force: Vector  # of b on a [N]
    slip: Vector  # velocity of a along b [m/s]
    gap: float  # below zero where they overlap [m]

    def turned(self) -> Meeting:
        """The same as the other body feels it."""
        n, force, slip = (tuple(0.0 - x for x in given) for given in (self.normal, self.force, self.slip))
        return Meeting(self.b, self.a, self.point, n, force, slip, self.gap)

    def __repr__(self) -> str:
        force = ", ".join(f"{x:.4g}" for x in self.force)
        place = ", ".join(f"{x:.4g}" for x in self.point)
        return f"<{self.a.name} on {self.b.name} at ({place}): force ({force}) N, gap {self.gap:.2g} m>"


class Meetings(SaysNearest, Sequence[Meeting]):
    """Contacts in the order of their bodies."""

    def __init__(self, meetings: Iterable[Meeting]) -> None:
        self._all = tuple(meetings)

    @overload
    def __getitem__(self, k: int) -> Meeting: ...
    @overload
    def __getitem__(self, k: slice) -> Meetings: ...
    def __getitem__(self, k: int | slice) -> Meeting | Meetings:
        return Meetings(self._all[k]) if isinstance(k, slice) else self._all[k]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Meeting]:
        return iter(self._all)

    def __repr__(self) -> str:
        return f"Meetings({list(self._all)!r})"

    @property
    def bodies(self) -> tuple[Item, ...]:
        """Whom the first bodies meet, each once."""
        return tuple({meeting.b.key: meeting.b for meeting in self}.values())

    @property
    def force(self) -> Vector:
        """The sum of all forces on the first bodies [N]."""
        total = np.sum([meeting.force for meeting in self], axis=0) if len(self) else np.zeros(3)
        return tuple(total.tolist())

    @property
    def area(self) -> float:
        """The area of support: what the points that push enclose, seen along their mean normal [m²]."""
        pushing = [meeting for meeting in self if np.dot(meeting.force, meeting.normal) > 0]
        if len(pushing) < 3:
            return 0.0
        normal = np.sum([meeting.normal for meeting in pushing], axis=0)
        if not np.linalg.norm(normal):
            return 0.0
        _, _, axes = np.linalg.svd(normal[None])
        points = np.array([meeting.point for meeting in pushing])
        return _hull_area((points - points[0]) @ axes[1:].T)


def _hull_area(points: Array) -> float:
    """The area of the convex hull of points in the plane (Andrew's chain)."""
    ordered = sorted(map(tuple, points.tolist()))
    hull: list[tuple[float, ...]] = []
    for way in (ordered, ordered[::-1]):
        first = len(hull)
        for p in way:
            while len(hull) > first + 1 and _turn(hull[-2], hull[-1], p) <= 0:
                hull.pop()
            hull.append(p)
        hull.pop()
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(hull, [*hull[1:], *hull[:1]], strict=True)) / 2


def _turn(p: Vector, q: Vector, r: Vector) -> float:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def meetings(arena: Arena, contacts: ContactArena, items: Sequence[Item], is_felt: bool) -> Iterator[Meeting]:
    """All contacts that carry a force or are closed; `is_felt` says that their forces are known."""
    forces = contacts.forces() if is_felt else np.zeros_like(contacts.impulses())
    rows, points = contacts.detector.contacts()
    slack = contacts.closed
    for row, point, force in zip(rows.tolist(), points, forces, strict=True):
        n, gap = point[6:9], float(point[9])
        if gap > slack and not np.dot(n, force) > 0:
            continue
        a, b = row[0], row[1]
        speeds = [
            point_velocity(arena, contacts.touchers[body].object, point[at : at + 3])
            for body, at in zip((a, b), ANCHORS, strict=True)
        ]
        slip = speeds[0] - speeds[1]
        slip -= np.dot(slip, n) * n
        middle = 0.5 * (point[:3] + point[3:6])
        point, normal, pull, slide = (tuple((0.0 + x).tolist()) for x in (middle, -n, -force, slip))
        found = Meeting(items[a], items[b], point, normal, pull, slide, gap)
        yield found.turned() if items[a].values["is_fixed"] else found


def point_velocity(arena: Arena, object: int, anchor: Array) -> Array:
    """How fast a point of an object goes, by its place in the object's own axes; three numbers."""
    columns, J = point_jacobian(arena, object, anchor)
    return np.asarray(J @ arena.v[columns])


def point_jacobian(arena: Arena, object: int, anchor: Array) -> tuple[slice, Array]:
    """Where the velocities of an object lie among all, and the velocity of a point of it for each of them."""
    entry = Object.of(arena.index, object)
    lift, J = arena.vector(entry.lift, TROID), np.zeros((3, entry.nv))
    first = entry.v - arena.index.v
    if entry.flags & Flag.RIGID:
        R, (x, y, z) = lift[3:12].reshape(3, 3).T, anchor
        J[:, :3] = np.eye(3)
        J[:, 3:6] = R @ np.array([(0, z, -y), (-z, 0, x), (y, -x, 0)])
    elif entry.flags & Flag.PLANAR:
        x, y = lift[2:6].reshape(2, 2).T @ anchor[:2]
        J[:2] = (1, 0, -y), (0, 1, x)
    elif entry.nv in (TROID, PLANAR_TROID):
        n = 3 if entry.nv == TROID else 2
        for j in range(n):
            J[:n, n + n * j : n + n * (j + 1)] = anchor[j] * np.eye(n)
        J[:n, :n] = np.eye(n)
    else:
        n = min(entry.nv, 3)
        J[:n, :n] = np.eye(n)
    return slice(first, first + entry.nv), J
