"""Coordinates that joints leave free, as connectors over their two frames (A1)."""

from __future__ import annotations

import casadi as ca

from tinkerdyne.connectors.measures import counted
from tinkerdyne.constraints.frames import match
from tinkerdyne.language.kinds import Frame, Scalar, Turns, Vector
from tinkerdyne.language.symbols import dot
from tinkerdyne.language.types import connector


@connector
def slide_between(a: Frame, b: Frame) -> Scalar:
    """How far b has moved along the axis of a: z in space, x in the plane   [m]."""
    return dot(a.axes[:, 2 if a.dim == 3 else 0], b.origin - a.origin)


@connector
def across_between(a: Frame, b: Frame) -> Vector:
    """Where the origin of b lies in the x, y plane of a   [m]."""
    return a.axes[:, :2].T @ (b.origin - a.origin)


@connector
def bend_between(a: Frame, b: Frame, *, turns: Turns = 0.0) -> Scalar:
    """First angle of a universal joint: the turn of its cross about the x axis of a, which b has its y axis
    across   [rad]."""
    y = b.axes[:, 1]
    return counted(ca.atan2(dot(a.axes[:, 2], y), dot(a.axes[:, 1], y)), turns)


@connector
def swing_between(a: Frame, b: Frame, *, turns: Turns = 0.0) -> Scalar:
    """Second angle of a universal joint: the turn of b about its own y axis   [rad]."""
    x = a.axes[:, 0]
    return counted(ca.atan2(dot(b.axes[:, 2], x), dot(b.axes[:, 0], x)), turns)


@connector
def rotation_between(a: Frame, b: Frame) -> Vector:
    """The rotation vector of b in a: axis times angle, up to half a turn; in the plane the turn   [rad]."""
    return match.formula(a, b, locked="c" if a.dim == 2 else "abc")
