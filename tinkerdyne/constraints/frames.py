"""Constraints between directions and frames (E3)."""

from __future__ import annotations

from typing import Any

import casadi as ca

from tinkerdyne.constraints.points import across
from tinkerdyne.formula.kinds import Choice, Direction, Frame, Number
from tinkerdyne.formula.symbols import cross, dot, normalise
from tinkerdyne.kernel.block import Nonsquare
from tinkerdyne.kernel.types import constraint

SX = Any


@constraint
def align(a: Direction, b: Direction) -> SX:
    """Two directions point the same way:  the parts of b across a vanish (two rows; one in the plane)."""
    if a.numel() == 2:
        return cross(a, b)
    u, w = across(a)
    # Where b points the other way its across-part s is small too. There it is replaced by 2 s/|s| − s, which grows on from 1 at
    # right angles to 2 at the opposite pose, so that only the true pose has c = 0.
    s = ca.vertcat(dot(u, b), dot(w, b))
    return ca.if_else(dot(a, b) < 0, 2 * normalise(s) - s, s)


@constraint
def perpendicular(a: Direction, b: Direction) -> SX:
    """Two directions stay at right angles:  c = a·b."""
    return dot(a, b)


@constraint
def angle(a: Direction, b: Direction, *, at: Number = 0.0) -> SX:
    """Two directions keep an angle:  c = a·b − cos(at)   [rad]; use align for angles 0 and π."""
    return dot(a, b) - ca.cos(at)


@constraint
def orient(a: Direction, b: Direction) -> Nonsquare:
    """DC88's orientation constraint, d = 1 and f = 3 on each side:  c = a·b − 1, held by torques of any direction."""
    if a.numel() == 2:
        raise ValueError("in the plane use align")
    # A torque T on the body that carries d acts on d as the force T × d.
    turn_a, turn_b = -ca.skew(a), -ca.skew(b)
    return Nonsquare(dot(a, b) - 1, (turn_a, -turn_b))


_ROTATIONS = {"a": (2, 1), "b": (0, 2), "c": (1, 0)}


@constraint
def match(a: Frame, b: Frame, *, locked: Choice = "") -> SX:
    """Frame b keeps its pose in frame a; `locked` names what is held: x y z along, a b c about, the axes of a (all if empty).

    Rotation rows are the sines  ½(R_ij − R_ji)  of R = R_aᵀ R_b. In the plane x, y and c exist.
    """
    n = a.dim
    locked = locked or ("xyc" if n == 2 else "xyzabc")
    if any(k not in ("xyc" if n == 2 else "xyzabc") for k in locked):
        raise ValueError(f"locked must name some of {'x y c' if n == 2 else 'x y z a b c'}, not {locked!r}")
    d = a.axes.T @ (b.origin - a.origin)
    R = a.axes.T @ b.axes
    rows = [d["xyz".index(k)] for k in locked if k in "xyz"]
    for k in locked:
        if k in _ROTATIONS:
            i, j = (1, 0) if n == 2 else _ROTATIONS[k]
            rows.append((R[i, j] - R[j, i]) / 2)
    return rows
