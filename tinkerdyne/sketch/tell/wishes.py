"""Wishes: values, conditions, landings and rooms that are asked for at a moment of a flight (M2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.checks import vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.symbols import SX
from tinkerdyne.sketch.tell.reading import moment_of, point_of, value_bounds, weight_of
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.state import State
from tinkerdyne.sketch.tell.story import PointOf, Surface, Wish

VALUES = ("position", "orientation", "point", "velocity", "spin")
# cosine of the angle between the normals of two faces that look in one direction
PARALLEL = 0.999


@dataclass(frozen=True)
class Asked:
    """When something is asked for, whether it must be, with which weight else, and its name."""

    when: str | float
    time: float | None
    is_hard: bool
    weight: float
    name: str

    def of(self, who: str) -> dict[str, Any]:
        """The fields of a wish."""
        when, time = moment_of(self.when, self.time)
        weight = weight_of(who, self.weight)
        return {"when": when, "time": time, "is_hard": self.is_hard, "weight": weight, "name": self.name}


def value_wish(body: Item, kind: str, value: ArrayLike, at: PointOf | None, asked: Asked) -> Wish:
    """A value of a body, or its bounds."""
    who = label(body)
    if kind not in VALUES:
        raise TypeError(f"{who} has no {kind!r} to ask for; there are {', '.join(VALUES)}")
    if kind == "point" and at is None:
        raise TypeError(
            f"say which point of {who} is meant: at={body.name}.end1, or three numbers in its own axes"
        )
    local = (0.0, 0.0, 0.0) if at is None else point_of(body, f"at of {who}", at)
    low, high = value_bounds(f"{kind} of {who}", value, 4 if kind == "orientation" else 3)
    if kind == "orientation":
        if not np.array_equal(low, high):
            raise ValueError(
                f"orientation of {who} is wanted as one quaternion; bound it by a point, or by a condition"
            )
        if np.linalg.norm(low) < 1e-9:
            raise ValueError(
                f"orientation of {who} must not be the zero quaternion; no rotation is (1, 0, 0, 0)"
            )
    return Wish(kind, body, low, high, at=local, **asked.of(who))


def condition_wish(
    formula: Callable[..., SX],
    low: ArrayLike,
    high: ArrayLike,
    bodies: int,
    asked: Asked,
) -> Wish:
    """Any function of the states of so many bodies, with its bounds."""
    name = asked.name
    try:
        lo, hi = np.atleast_1d(np.array(low, float)), np.atleast_1d(np.array(high, float))
    except (TypeError, ValueError):
        raise TypeError(f"{name} needs numbers as bounds, not {low!r} and {high!r}") from None
    is_bounded = lo.shape == hi.shape and bool(
        np.all(lo <= hi) and np.all(lo < np.inf) and np.all(hi > -np.inf)
    )
    if not is_bounded or lo.ndim != 1 or len(lo) > 4:
        raise ValueError(
            f"{name} needs bounds low ≤ high of as many numbers (at most 4), not {low!r} and {high!r}"
        )
    demand = asked.of(name)
    _try(name, formula, bodies, len(lo))
    return Wish("custom", None, lo, hi, function=formula, **demand)


def _try(name: str, formula: Callable[..., SX], bodies: int, count: int) -> None:
    """A message where a condition cannot be computed of symbolic states, or gives another number of values
    than it has bounds."""
    sizes = (("x", 3), ("q", 4), ("v", 3), ("w", 3))
    states = [State(*(ca.SX.sym(part, size) for part, size in sizes)) for _ in range(bodies)]
    needs = (
        "a condition is a CasADi formula of the states of all bodies: use ca.fmax instead of max, "
        "ca.if_else instead of if"
    )
    try:
        value = formula(*states)
        numbers = ca.vertcat(*value) if isinstance(value, (list, tuple)) else ca.SX(value)
    except Exception as problem:  # whatever a function of the user raises
        raise ValueError(f"{name} cannot be computed of {bodies} states ({problem}); {needs}") from problem
    if numbers.numel() != count:
        raise ValueError(
            f"{name} gives {numbers.numel()} numbers, but is bounded by {count}; give as many of low and high"
        )


def landing(body: Item, at: PointOf, on: Surface) -> Wish:
    """That a point of a body, or its ball nearest to it, lies on a surface at the end of the flight."""
    where = point_of(body, f"the landing of {label(body)}", at, touches=True)
    above = shape_of(body).touching(where).balls
    return Wish("height", body, above, above, at=where, surface=on, name=f"landing of {body.name}")


def inside_wish(
    body: Item, of: Item, low: ArrayLike, high: ArrayLike, at: PointOf, when: str | float
) -> Wish:
    """That a point of a body lies in a box between two places, in the axes of another."""
    local = point_of(body, f"at of {label(body)}", at)
    if of is body:
        raise ValueError(f"{label(of)} cannot lie inside itself; name two bodies")
    ends = np.array(
        [
            vector(f"{name} of the room inside {label(of)}", one, length=3)
            for name, one in (("low", low), ("high", high))
        ]
    )
    shape = shape_of(of)
    least, most = shape.inside(ends.min(axis=0)), shape.inside(ends.max(axis=0))  # in principal axes
    room = Surface((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), f"inside {of.name}", of)
    moment, name = moment_of(when, None), f"{body.name} inside {of.name}"
    return Wish("place", body, least, most, *moment, at=local, surface=room, name=name)


def on_face(body: Item, face: Surface, reach: float | None) -> Wish:
    """That the contact of a body with a face of another lies within reach of the face's origin, else within
    the other's hull."""
    assert face.of is not None
    shape, least = shape_of(face.of), np.array([-np.inf])
    if reach is not None:
        return Wish(
            "reach", body, least, np.array([reach**2]), surface=face, name=f"contact within {reach:g} m"
        )
    normals, far = shape.halfspaces
    aside = np.abs(normals @ face.normal) < PARALLEL
    normals, far = normals[aside], far[aside] + shape_of(body).round * normals[aside] @ face.normal
    return Wish(
        "face",
        body,
        np.full(len(far), -np.inf),
        far,
        surface=face,
        name=f"contact on {face.name}",
        planes=normals,
    )
