"""Several pins and sliders in a row between two frames, without links between them: a row of joints.

With the axes u_i and anchors c_i where all coordinates are zero (and the frames coincide), frame b lies in
frame a at E₁(q₁) E₂(q₂) … E_n(q_n): a pin turns about the line through c_i along u_i, a slider moves along
u_i. There are at most three of each. The turns follow from the rotation between the frames, the slides then
from the way between their origins, in closed form; what is left of the six rows is held.
"""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from tinkerdyne.connectors.measures import counted
from tinkerdyne.constraints.frames import match, turn
from tinkerdyne.constraints.points import across
from tinkerdyne.language.kinds import Choice, Frame, FrameValue, Place, Scalar, Turns
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX, cross, dot, normalise
from tinkerdyne.language.types import connector, constraint

AXES = (0.0, 0.0, 1.0, 1.0, 0.0, 0.0)  # of a pin, and of a slider that it carries
ANCHORS = (0.0,) * 6


class Solved(NamedTuple):
    """Coordinates in their order, and the rows that are held at zero."""

    coordinates: list[SX]
    rows: SX


def solved(a: FrameValue, b: FrameValue, sorts: str, axes: SX, anchors: SX) -> Solved:
    """The coordinates of a row of joints, letter by letter: "p" a pin, "s" a slider."""
    n = len(sorts)
    if a.dim != 3:
        raise ValueError("a row of joints exists in space only; in the plane use pin and prismatic")
    if not 1 <= n <= 6 or set(sorts) - {"p", "s"} or max(sorts.count("p"), sorts.count("s")) > 3:
        raise ValueError(f"sorts must be up to three p (pin) and up to three s (slider), not {sorts!r}")
    if axes.numel() != 3 * n or anchors.numel() != 3 * n:
        raise ValueError(f"axes and anchors must be three numbers for each of the {n} joints {sorts!r}")
    u = [normalise(axes[3 * k : 3 * k + 3]) for k in range(n)]
    c = [anchors[3 * k : 3 * k + 3] for k in range(n)]
    R = a.axes.T @ b.axes
    pins = [k for k in range(n) if sorts[k] == "p"]
    angles, held = _turns(R, [u[k] for k in pins], a, b)
    found: dict[int, SX] = dict(zip(pins, angles, strict=True))
    # the way: pins move what follows about their anchors, each slider adds along its axis as turned so far
    turned, way, along = ca.SX.eye(3), ca.SX.zeros(3), {}
    for k in range(n):
        if sorts[k] == "s":
            along[k] = turned @ u[k]
        else:
            before = turned
            turned = turned @ about(u[k], found[k])
            way = way + before @ c[k] - turned @ c[k]
    rest = a.axes.T @ (b.origin - a.origin) - way
    slides, kept = _slides(rest, list(along.values()))
    found |= dict(zip(along, slides, strict=True))
    return Solved([found[k] for k in range(n)], ca.vertcat(kept, held))


def about(axis: SX, angle: SX) -> SX:
    """The rotation about a unit axis:  1 + sin θ û + (1 − cos θ) û²."""
    hat = ca.skew(axis)
    return ca.SX.eye(3) + ca.sin(angle) * hat + (1 - ca.cos(angle)) * (hat @ hat)


def _angle(axis: SX, before: SX, after: SX) -> SX:
    """The turn about an axis that brings one vector over another."""
    return ca.atan2(
        dot(axis, cross(before, after)), dot(before, after) - dot(axis, before) * dot(axis, after)
    )


def _turns(R: SX, u: list[SX], a: FrameValue, b: FrameValue) -> tuple[list[SX], SX]:
    """The angles of pins one after the other, and what holds the rest of the rotation."""
    if not u:
        return [], match.formula(a, b, locked="abc")
    if len(u) == 1:
        across_u, other = across(u[0])
        carried = R @ u[0]
        held = turn(ca.vertcat(dot(across_u, carried), dot(other, carried)), dot(u[0], carried))
        return [_angle(u[0], across_u, R @ across_u)], held
    if len(u) == 2:
        first = _angle(u[0], u[1], R @ u[1])
        across_u, _ = across(u[1])
        second = _angle(u[1], across_u, about(u[0], -first) @ R @ across_u)
        return [first, second], dot(u[0], R @ u[1]) - dot(u[0], u[1])
    # three: u₁·R₂(q₂)u₃ = u₁·R u₃ gives the middle one, on the branch that holds zero
    flat = u[2] - u[1] * dot(u[1], u[2])
    P, Q = dot(u[0], flat), dot(u[0], cross(u[1], u[2]))
    size, phase = ca.sqrt(P * P + Q * Q), ca.atan2(Q, P)
    share = (dot(u[0], R @ u[2]) - dot(u[0], u[1]) * dot(u[1], u[2])) / size
    middle = phase - ca.sign(phase) * ca.atan2(ca.sqrt(ca.fmax(1 - share * share, 0)), share)
    carried = about(u[1], middle) @ u[2]
    first = _angle(u[0], carried, R @ u[2])
    across_u, _ = across(u[2])
    before = about(u[0], first) @ about(u[1], middle)
    third = _angle(u[2], across_u, before.T @ R @ across_u)
    return [first, middle, third], ca.SX.zeros(0)


def _slides(way: SX, u: list[SX]) -> tuple[list[SX], SX]:
    """How far sliders moved, and what holds the rest of the way."""
    if not u:
        return [], way
    if len(u) == 1:
        one, other = across(u[0])
        return [dot(u[0], way)], ca.vertcat(dot(one, way), dot(other, way))
    if len(u) == 2:
        n = normalise(cross(u[0], u[1]))
        first, second = cross(u[1], n), cross(n, u[0])
        return [dot(first, way) / dot(first, u[0]), dot(second, way) / dot(second, u[1])], dot(n, way)
    sides = [cross(u[1], u[2]), cross(u[2], u[0]), cross(u[0], u[1])]
    return [dot(side, way) / dot(side, axis) for side, axis in zip(sides, u, strict=True)], ca.SX.zeros(0)


@look(glyph="hinge", axis="turning", title="Row of joints")
@constraint
def serial(a: Frame, b: Frame, *, sorts: Choice = "ps", axes: Place = AXES, anchors: Place = ANCHORS) -> SX:
    """Pins (p) and sliders (s) in a row hold b in a, with nothing between them:  b lies at Π E_k(q_k) in a.

    Axes and anchors are those in a where all coordinates are zero, three numbers a joint   [anchors m]."""
    return solved(a, b, sorts, axes, anchors).rows


@connector
def serial_coordinate(
    a: Frame,
    b: Frame,
    *,
    number: Choice = 0,
    sorts: Choice = "ps",
    axes: Place = AXES,
    anchors: Place = ANCHORS,
    turns: Turns = 0.0,
) -> Scalar:
    """A coordinate of a row of joints, counted from 0: the turn of a pin (full turns counted) or the way of a
    slider   [rad, m]."""
    if isinstance(number, bool) or number not in range(len(sorts)):
        raise ValueError(f"number must be a whole number from 0 to {len(sorts) - 1}, not {number!r}")
    found = solved(a, b, sorts, axes, anchors).coordinates[int(number)]
    return counted(found, turns) if sorts[int(number)] == "p" else found
