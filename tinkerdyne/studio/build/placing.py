"""Items somewhere else: copies moved, turned or mirrored as a whole, with what holds between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tinkerdyne.connectors.points import direction, frame, point
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.registry import REGISTRY
from tinkerdyne.objects.rotation import quaternion_of, rotation_matrix
from tinkerdyne.world.edit import Description

RIGID = {"position", "orientation", "angle", "velocity", "spin"}  # states that a turn is known for
ALIKE = 1e-12  # of a number of a matrix


@dataclass(frozen=True)
class Isometry:
    """x ↦ M x + t; M is a rotation, or where `is_mirror` a reflection."""

    matrix: Array
    by: Array

    @property
    def is_mirror(self) -> bool:
        return bool(np.linalg.det(self.matrix) < 0)

    @property
    def is_shift(self) -> bool:
        return bool(np.abs(self.matrix - np.eye(len(self.matrix))).max() < ALIKE)

    def place(self, at: Sequence[float]) -> tuple[float, ...]:
        """Where a place goes; one of the plane by the first two numbers."""
        n = len(at)
        return tuple((self.matrix[:n, :n] @ np.array(at) + self.by[:n]).tolist())

    def vector(self, along: Sequence[float]) -> tuple[float, ...]:
        n = len(along)
        return tuple((self.matrix[:n, :n] @ np.array(along)).tolist())


def shifted(by: Sequence[float]) -> Isometry:
    """A motion without a turn."""
    t = np.zeros(3)
    t[: len(by)] = by
    return Isometry(np.eye(3), t)


def turned(angle: float, axis: Sequence[float], centre: Sequence[float]) -> Isometry:
    """A turn about a line."""
    n, c = np.array(axis, float), np.zeros(3)
    n /= np.linalg.norm(n)
    c[: len(centre)] = centre
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    R = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K  # Rodrigues
    return Isometry(R, c - R @ c)


def mirrored(normal: Sequence[float], through: Sequence[float]) -> Isometry:
    """A reflection in a plane, in the plane in a line."""
    n, c = np.zeros(3), np.zeros(3)
    n[: len(normal)] = normal
    c[: len(through)] = through
    n /= np.linalg.norm(n)
    return Isometry(np.eye(3) - 2 * np.outer(n, n), 2 * (n @ c) * n)


def placed(d: Description, motion: Isometry) -> Description:
    """An item where a motion brings it."""
    kind = REGISTRY.get(d.type)
    values, state = dict(d.values), dict(d.state)
    if kind is not None and kind.family == "object":
        _object(d, motion, values, state)
    elif kind is not None:
        _connector(kind, motion, values, bool(d.inputs))
    part = d.part if tuple(values.items()) == d.values else ""  # it is no longer the place of that name
    return replace(d, values=tuple(values.items()), state=tuple(state.items()), part=part)


# --- objects ------------------------------------------------------------------------------------------
def _object(d: Description, motion: Isometry, values: dict[str, Value], state: dict[str, Value]) -> None:
    if "position" in state:
        state["position"] = motion.place(state["position"])
    if motion.is_shift:
        return
    if not set(state) <= RIGID:
        raise ValueError(f"{d.name!r} is no rigid body: it can be moved, but not turned or mirrored")
    if "velocity" in state:
        state["velocity"] = motion.vector(state["velocity"])
    if motion.is_mirror:
        _mirror_shape(d, values)
    own = flip(len(state["position"])) if motion.is_mirror else np.eye(len(state["position"]))
    if (angle := state.get("angle")) is not None:
        c, s = np.cos(angle), np.sin(angle)
        R = motion.matrix[:2, :2] @ np.array([[c, -s], [s, c]]) @ own
        state["angle"] = float(np.arctan2(R[1, 0], R[0, 0]))
        state["spin"] = -state["spin"] if motion.is_mirror else state["spin"]
    elif "orientation" in state:
        R = motion.matrix @ rotation_matrix(state["orientation"]) @ own
        state["orientation"] = tuple(quaternion_of(R).tolist())
        if motion.is_mirror:  # a turn is seen in a mirror the other way round
            state["spin"] = tuple((-own @ np.array(state["spin"])).tolist())


def flip(dim: int) -> Array:
    """The reflection of a body's own axes that makes a mirrored body a turned one: its last axis."""
    return np.diag([1.0] * (dim - 1) + [-1.0])


def _mirror_shape(d: Description, values: dict[str, Value]) -> None:
    """A shape that is not its own mirror image."""
    for name in ("shapes", "facing", "heights"):
        if name in values:
            raise ValueError(f"{d.name!r} cannot be mirrored: its {name} are of one hand")
    if "vertices" not in values:
        return
    rows = [tuple((flip(len(at)) @ np.array(at)).tolist()) for at in values["vertices"]]
    if "faces" in values:
        values["faces"] = tuple((a, c, b) for a, b, c in values["faces"])
        values["vertices"] = tuple(rows)
    else:
        values["vertices"] = tuple(reversed(rows))  # its corners go round as before


# --- connectors ---------------------------------------------------------------------------------------
def _connector(kind: ItemType, motion: Isometry, values: dict[str, Any], is_on_body: bool) -> None:
    place = kind.look.place
    if kind in (point, frame, direction):
        _on_body(motion, values)
        return
    if place in values:
        at = values[place]
        is_path = isinstance(at[0], tuple)  # keys: a time, and a place
        values[place] = tuple((t, *motion.place(x)) for t, *x in at) if is_path else motion.place(at)
    elif "at" in values and "axes" in values:
        values["at"] = motion.place(values["at"])
    if not is_on_body and "along" in values:
        values["along"] = motion.vector(values["along"])
    if not is_on_body and "axes" in values:
        values["axes"] = _axes(values["axes"], motion.matrix, motion.is_mirror)


def _on_body(motion: Isometry, values: dict[str, Any]) -> None:
    """A place of a body goes along with it; on a mirrored one it lies on the other side."""
    if not motion.is_mirror:
        return
    for name in ("at", "along"):
        if name in values:
            values[name] = tuple((flip(len(values[name])) @ np.array(values[name])).tolist())
    if "axes" in values:
        n = 2 if len(values["axes"]) == 4 else 3
        values["axes"] = _axes(values["axes"], flip(n), True)


def _axes(axes: Sequence[float], M: Array, is_mirror: bool) -> tuple[float, ...]:
    """Axes by columns, carried along; their second is turned round where they would become left-handed."""
    n = 2 if len(axes) == 4 else 3
    found = M[:n, :n] @ np.array(axes).reshape(n, n, order="F")
    if is_mirror:
        found[:, 1] *= -1
    return tuple(found.ravel(order="F").tolist())
