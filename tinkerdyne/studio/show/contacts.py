"""Contact forces as frames show them: of each body, what those that it touches most strongly do to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.language.arrays import Array

SHOWN = 3  # pairs of a body whose forces have an arrow


class ContactForces:
    """Room for the arrows of moving bodies: place, force and torque of each pair, at its centre of
    pressure."""

    def __init__(self, rooms: Mapping[int, Sequence[int]]) -> None:
        """`rooms`: where in the frame the forces on a body lie, by its key."""
        self._rooms = rooms

    def write(self, engine: Engine, out: Array) -> None:
        """The forces of the last step; of two moving bodies the one that is pushed up has the arrow."""
        keys, points, forces, normals = engine.contacts.pushes()
        if not len(keys):
            return
        pairs, which = np.unique(keys, axis=0, return_inverse=True)
        n = len(pairs)
        weight = np.maximum(np.einsum("ij,ij->i", forces, normals), 1e-300)
        total, place, push = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
        np.add.at(total, which, forces)
        np.add.at(place, which, points * weight[:, None])
        np.add.at(push, which, weight)
        place /= push[:, None]
        torque = np.zeros((n, 3))
        np.add.at(torque, which, np.cross(points - place[which], forces))
        used: dict[int, int] = {}
        for k in np.argsort(-np.linalg.norm(total, axis=1), kind="stable"):
            a, b = pairs[k].tolist()
            is_up = total[k, 2] > 0 if total[k, 2] else total[k, 1] >= 0
            is_second = b in self._rooms and (is_up or a not in self._rooms)
            body, sign = (b, 1.0) if is_second else (a, -1.0)
            room = self._rooms.get(body, ())
            taken = used.get(body, 0)
            if taken < len(room):
                used[body] = taken + 1
                out[room[taken] : room[taken] + 9] = (*place[k], *(sign * total[k]), *(sign * torque[k]))
