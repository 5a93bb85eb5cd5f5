"""Points: a motion in the sketch's own units, its samples at their best times, and the corners that strike
(M4, M5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import multiplied, rotation_matrix
from tinkerdyne.sketch.problem.flight import flown
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.unknowns import Chosen, Force, Node


class Guess(NamedTuple):
    """A flight of one body: state at its start, and the samples' shares of the duration."""

    x: Array
    q: Array
    v: Array
    w: Array
    share: Array


@dataclass(frozen=True)
class GuardLook:
    """A moment of a segment, as a share of it, and the corners that a guard watches there, in principal axes
    [m]."""

    share: float
    corners: Array


@dataclass(frozen=True)
class Plane:
    """A plane that a body carries at a moment of a segment, and the corners of another that stay beyond it;
    both in the principal axes of their bodies [m]."""

    share: float
    origin: Array
    normal: Array
    corners: Array


@dataclass
class Point:
    """A motion in units: duration of each flight, state of each body at its start, shares of the samples,
    nodes, other unknowns, the moments at which guards look, and the planes between bodies."""

    durations: Array
    states: list[list[Guess]]
    shares: list[list[Array]]
    nodes: dict[Node, tuple[Array, ...]] | None = None
    chosen: dict[Chosen, Array] = field(default_factory=dict)
    looks: list[list[GuardLook]] = field(default_factory=list)  # by guard; empty: where guards look at first
    planes: list[list[Plane]] = field(default_factory=list)  # by pair; empty: bodies are not kept apart yet


def along(s: Statement, point: Point, f: int, b: int, share: Array) -> tuple[Array, Array]:
    """Places and principal orientations of a body along a flight at shares of it, in units."""
    x, q, _, _ = states(s, point, f, b, share)
    return x, q


def states(s: Statement, point: Point, f: int, b: int, share: Array) -> tuple[Array, Array, Array, Array]:
    """Places, principal orientations, velocities and spins of a body along a flight at shares of it, by rows,
    in units."""
    parts, moments = s.parts[f], s.moments(b, point.chosen)
    a = s.g + (point.chosen[Force(b)] / (s.shapes[b].mass / s.units.mass) if Force(b) in point.chosen else 0)
    out: list[tuple[Array, ...]] = []
    for k in range(parts):
        inside = share[((share >= k / parts) | (k == 0)) & ((share < (k + 1) / parts) | (k == parts - 1))]
        if not len(inside):
            continue
        t = inside * point.durations[f]
        if point.nodes:
            node = point.nodes[Node(int(s.first[f]) + k, b)]
            out.append(flown(s.motion(f, b), node, moments, a, t - point.durations[f] * k / parts, 1))
        else:
            out.append(flown(s.motion(f, b), point.states[f][b][:4], moments, a, t))
    x, q, v, w = (np.concatenate(one) for one in zip(*out, strict=True))
    return x, q, v, w


def lowest(s: Statement, point: Point) -> list[Array | None]:
    """For each collision whose corner is not named, the corner that is lowest over the surface where the
    flight ends."""
    corners: list[Array | None] = []
    for f, c in enumerate(s.collisions):
        if not s.is_open(c):
            corners.append(None)
            continue
        b = s.items.index(c.body)
        _, q = along(s, point, f, b, np.ones(1))
        shape = s.shapes[b]
        R = rotation_matrix(multiplied(q[0], shape.turn * (1, -1, -1, -1)))
        n = np.array(c.on.normal)
        if c.on.of is not None and c.on.ball:
            other = s.items.index(c.on.of)
            n = along(s, point, f, b, np.ones(1))[0][0] - along(s, point, f, other, np.ones(1))[0][0]
        elif c.on.of is not None:
            other = s.items.index(c.on.of)
            _, qo = along(s, point, f, other, np.ones(1))
            n = rotation_matrix(multiplied(qo[0], s.shapes[other].turn * (1, -1, -1, -1))) @ n
        meant = range(len(shape.tips)) if c.at is None else shape.meant(c.at)
        heights = shape.tips.lowest(R.T @ n)
        corners.append(shape.corners[min(meant, key=lambda k: float(heights[k]))])
    return corners
