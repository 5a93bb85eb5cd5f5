"""Forces as frames show them: place, force and torque in world axes, for all of one sort at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.readings import NOWHERE, read, read_some
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.object import ObjectType

Parts = tuple[list[int], list[int]]  # which numbers of six are force and torque in space; −1 for none


class Forces:
    """Forces of one sort, written together."""

    def __init__(self, *, in_body_axes: bool = False, by_columns: bool = False) -> None:
        self.in_body_axes, self.by_columns = in_body_axes, by_columns
        self.to: list[int] = []
        self.rows: list[tuple[object, ...]] = []
        self.from_arena = False
        self._ready: tuple[Array, ...] | None = None

    def __bool__(self) -> bool:
        return bool(self.to)

    def add(
        self,
        to: int,
        force: object,
        torque: object,
        place: Sequence[int] | Array,
        centre: Sequence[int] | Array,
        axes: Iterable[int] = (),
        *,
        from_arena: bool = False,
    ) -> None:
        pad = [*place, *[NOWHERE] * (3 - len(place))], [*centre, *[NOWHERE] * (3 - len(centre))]
        self.to.append(to)
        self.rows.append((force, torque, *pad, list(axes)))
        self.from_arena = from_arena

    def described(self) -> dict[str, object]:
        """Where they come from and go to, for a page that makes its frames by itself."""
        return {
            "to": self.to,
            "rows": [[[int(x) for x in np.ravel(part)] for part in row] for row in self.rows],
            "in_body_axes": self.in_body_axes,
            "by_columns": self.by_columns,
            "from_arena": self.from_arena,
        }

    def write(self, engine: Engine, pulled: Array, out: Array) -> None:
        """place, force, torque:  T_place = T_centre − (place − centre) × F."""
        if self._ready is None:
            self._ready = (
                np.array(self.to),
                *[np.array(column, np.int64) for column in zip(*self.rows, strict=True)],
            )
        to, force, torque, place, centre, axes = self._ready
        P, C = read_some(engine, place), read_some(engine, centre)
        F = read_some(engine, force) if self.from_arena else _taken(pulled, force)
        if self.by_columns:  # a frame connector: Σ a_k × g_k over its axes
            n = 2 if axes.shape[1] == 4 else 3
            A, G = read(engine, axes).reshape(-1, n, n), read(engine, torque).reshape(-1, n, n)
            if n == 2:
                T = np.zeros((len(to), 3))
                T[:, 2] = (A[:, :, 0] * G[:, :, 1] - A[:, :, 1] * G[:, :, 0]).sum(axis=1)
            else:
                T = np.cross(A, G).sum(axis=1)
        else:
            T = read_some(engine, torque) if self.from_arena else _taken(pulled, torque)
            if self.in_body_axes and axes.size:
                T = np.einsum("nkj,nk->nj", read(engine, axes).reshape(-1, 3, 3), T)
            elif not self.from_arena:
                T = T - np.cross(P - C, F)
        at = to[:, None] + np.arange(9)
        out[at] = np.hstack([P, F, T])


class Reactions:
    """Forces on fixed bodies, from those on the others:  F = −Σ F_i,  T = −Σ (T_i + (P_i − P) × F_i)."""

    def __init__(self, rows: list[tuple[int, list[int], list[int]]]) -> None:
        pads = [[*place, *[NOWHERE] * (3 - len(place))] for _, place, _ in rows]
        self.to, self.place = np.array([to for to, _, _ in rows]), np.array(pads)
        self.row = np.repeat(np.arange(len(rows)), [len(sources) for _, _, sources in rows])
        self.source = np.array([at for _, _, sources in rows for at in sources])

    def described(self) -> dict[str, object]:
        """Where they come from and go to, for a page that makes its frames by itself."""
        return {
            "to": self.to.tolist(),
            "place": self.place.tolist(),
            "row": self.row.tolist(),
            "source": self.source.tolist(),
        }

    def write(self, engine: Engine, out: Array) -> None:
        P = read_some(engine, self.place)
        given = out[self.source[:, None] + np.arange(9)].astype(float)
        Q, F, T = given[:, :3], given[:, 3:6], given[:, 6:]
        total = np.zeros((len(self.to), 6))
        np.add.at(total, self.row, np.hstack([F, T + np.cross(Q - P[self.row], F)]))
        out[self.to[:, None] + np.arange(9)] = np.hstack([P, -total])


def _taken(source: Array, places: Array) -> Array:
    """source[places], zero where a place is nowhere."""
    return np.where(places < 0, 0.0, source[places])


def picked(places: Sequence[int], which: Sequence[int]) -> list[int]:
    """Some of the places, nowhere for −1."""
    return [places[k] if k >= 0 else NOWHERE for k in which]


def mechanical(type: ObjectType) -> Parts | None:
    """Which of the six pulled numbers of a type's bodies are force and torque in space; None where they have
    none."""
    none = [-1, -1, -1]
    if type.rotation == "quaternion":
        return [0, 1, 2], [3, 4, 5]
    if type.rotation == "angle":
        return [0, 1, -1], [-1, -1, 2]
    if type.rotation == "affine" or (type.kind.name == "point" and type.is_linear):
        return ([0, 1, 2] if type.positions[0].dim == 3 else [0, 1, -1]), none
    return None
