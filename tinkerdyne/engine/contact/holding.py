"""What contacts hold: how many freedoms each pair of bodies takes, and which bodies stand by contact alone.

A closed contact takes the approach along its normal, n·u = 0; where it rubs, it also takes both slips while
it sticks. Whether it sticks is a matter of forces: this counts what it could take.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tinkerdyne.engine.arena import Arena
from tinkerdyne.engine.contact.meetings import Meeting, point_jacobian
from tinkerdyne.language.arrays import Array

RANK = 1e-6  # of the largest singular value
STILL = 1e-6  # of a motion that is free: a body whose share is smaller does not take part in it


@dataclass(frozen=True)
class TouchingPair:
    """A pair of bodies that touch: in how many points, how many freedoms their normals take, and how many
    they take together while they stick."""

    a: str
    b: str
    points: int
    normal: int
    sticking: int

    def __str__(self) -> str:
        rubs = f", {self.sticking} while they stick" if self.sticking > self.normal else ""
        return f"{self.a} touches {self.b} in {self.points} points, which take {self.normal} freedoms{rubs}"


@dataclass(frozen=True)
class ContactRows:
    """Rows of one contact over all velocities: along the normal, and across it where it rubs."""

    meeting: Meeting
    rows: Array


def contact_rows(
    arena: Arena, found: Iterable[tuple[Meeting, tuple[int, int], tuple[Array, Array], float]], free: Array
) -> list[ContactRows]:
    """The rows of contacts, each given with its objects, its anchors in them, and its friction."""
    out = []
    for meeting, objects, anchors, friction in found:
        J = np.zeros((3, len(free)))
        for object, anchor, sign in zip(objects, anchors, (-1.0, 1.0), strict=True):
            columns, block = point_jacobian(arena, object, anchor)
            J[:, columns] += sign * block
        _, _, axes = np.linalg.svd(np.array(meeting.normal)[None])
        rows = (axes if friction > 0 else axes[:1]) @ J * free
        out.append(ContactRows(meeting, rows[np.any(rows != 0, axis=1)]))
    return out


def holdings(contacts: list[ContactRows]) -> tuple[TouchingPair, ...]:
    """What each pair takes, in the order of the contacts."""
    pairs: dict[tuple[str, str], list[Array]] = {}
    for contact in contacts:
        names = (contact.meeting.a.name, contact.meeting.b.name)
        pairs.setdefault(names, []).append(contact.rows)
    return tuple(
        TouchingPair(
            a, b, len(rows), _rank(np.vstack([one[:1] for one in rows])), _rank(np.vstack(rows))
        )
        for (a, b), rows in pairs.items()
    )  # fmt: skip


def free_motions(rows: Array, free: Array) -> Array:
    """An orthonormal basis of the motions that rows leave to what is free, by columns."""
    kept = np.flatnonzero(free)
    A = rows[:, kept] / np.maximum(np.linalg.norm(rows[:, kept], axis=1), 1e-300)[:, None]
    values, vectors = np.linalg.eigh(A.T @ A)
    out = np.zeros((len(free), int(np.sum(values <= RANK**2 * max(values.max(initial=0.0), 1e-300)))))
    out[kept] = vectors[:, : out.shape[1]]
    return out


def _rank(rows: Array) -> int:
    values = np.linalg.svd(rows / np.linalg.norm(rows, axis=1)[:, None], compute_uv=False)
    return int(np.sum(values > RANK * values.max(initial=0.0))) if len(values) else 0
