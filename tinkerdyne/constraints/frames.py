"""Constraints between directions and frames (E3)."""

from __future__ import annotations

import casadi as ca

from tinkerdyne.constraints.points import across
from tinkerdyne.language.effects import Nonsquare
from tinkerdyne.language.kinds import Choice, Direction, Frame, Number
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX, cross, dot, normalise
from tinkerdyne.language.types import constraint


def turn(sine: SX, cosine: SX, at_half: SX | None = None) -> SX:
    """θ times the axis, from sin θ times the axis and cos θ: zero only where nothing is turned, out to half a
    turn.

    The sine alone has a second zero at half a turn, and loses the axis there: then it is `at_half`, or the
    first one.
    """
    square = dot(sine, sine)
    is_small = square < 1e-16
    size = ca.sqrt(ca.if_else(is_small, 1.0, square))
    axis = ca.vertcat(1, ca.SX.zeros(sine.numel() - 1)) if at_half is None else at_half
    at_pole = ca.if_else(cosine > 0, sine, ca.pi * axis - sine)
    return ca.if_else(is_small, at_pole, sine * (ca.atan2(size, cosine) / size))


@look(icon="parallel")
@constraint(symmetric=True)
def align(a: Direction, b: Direction) -> SX:
    """Two directions point the same way:  the turn from a to b, in the directions across a (one row in the
    plane)   [rad]."""
    if a.numel() != b.numel():
        raise ValueError(f"one direction has {a.numel()} numbers, the other {b.numel()}")
    if a.numel() == 2:
        return ca.atan2(cross(a, b), dot(a, b))
    u, w = across(a)
    return turn(ca.vertcat(dot(u, b), dot(w, b)), dot(a, b))


@look(icon="square")
@constraint
def perpendicular(a: Direction, b: Direction) -> SX:
    """Two directions stay at right angles:  c = a·b."""
    return dot(a, b)


@look(icon="angle")
@constraint
def angle(a: Direction, b: Direction, *, at: Number = 0.0) -> SX:
    """Two directions keep an angle:  c = a·b − cos(at)   [at rad]; use align for angles 0 and π."""
    return dot(a, b) - ca.cos(at)


@look(icon="parallel")
@constraint
def orient(a: Direction, b: Direction) -> Nonsquare:
    """DC88's orientation constraint, d = 1 and f = 3 on each side:  c = a·b − 1, held by torques of any
    direction."""
    if a.numel() == 2:
        raise ValueError("in the plane use align")
    # A torque T on the body that carries d acts on d as the force T × d.
    turn_a, turn_b = -ca.skew(a), -ca.skew(b)
    return Nonsquare(dot(a, b) - 1, (turn_a, -turn_b))


@constraint
def match(a: Frame, b: Frame, *, locked: Choice = "") -> SX:
    """Frame b keeps its pose in frame a; `locked` names what is held: x y z along, a b c about, the axes of a
    (all if empty).

    Rotation rows are angles [rad] of R = R_aᵀ R_b: the rotation vector where all three are held; where two
    are, the turn of the third axis; where one is, the twist about it. In the plane x, y and c exist.
    """
    n = a.dim
    locked = locked or ("xyc" if n == 2 else "xyzabc")
    if any(k not in ("xyc" if n == 2 else "xyzabc") for k in locked):
        raise ValueError(f"locked must name some of {'x y c' if n == 2 else 'x y z a b c'}, not {locked!r}")
    d = a.axes.T @ (b.origin - a.origin)
    R = a.axes.T @ b.axes
    rows = [d["xyz".index(k)] for k in "xyz" if k in locked]
    held = ["abc".index(k) for k in "abc" if k in locked]
    if n == 2:
        held = [2] if held else []
    if len(held) == 3:
        sine = ca.vertcat(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]) / 2
        # at half a turn R + 1 = 2 n nᵀ: the largest of its columns is along the axis n
        x, y, z = (R[:, k] + ca.SX.eye(3)[:, k] for k in range(3))
        column = ca.if_else(R[0, 0] >= ca.fmax(R[1, 1], R[2, 2]), x, ca.if_else(R[1, 1] >= R[2, 2], y, z))
        rows.append(turn(sine, (R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2, normalise(column)))
    elif len(held) == 2:
        k = 3 - sum(held)  # the free axis: e_k × (R e_k) is sin θ times the axis that turned it
        across_k = ca.cross(ca.SX.eye(3)[:, k], R[:, k])
        rows.append(turn(ca.vertcat(across_k[held[0]], across_k[held[1]]), R[k, k]))
    elif len(held) == 1:
        i, j = ((held[0] + 2) % 3, (held[0] + 1) % 3) if n == 3 else (1, 0)
        rows.append(ca.atan2(R[i, j] - R[j, i], R[i, i] + R[j, j]))
    return ca.vertcat(*rows)
