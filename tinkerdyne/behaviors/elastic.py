"""Elastic forces on affine bodies (troids, ID90 §5.4): from jello to nearly rigid, whatever their orientation
(G6)."""

from __future__ import annotations

import casadi as ca

from tinkerdyne.language.effects import Effort, energy, force, velocity
from tinkerdyne.language.kinds import Frame, Number
from tinkerdyne.language.types import behavior


@behavior
def elastic(body: Frame, *, stiffness: Number = 10.0) -> Effort:
    """Draws a troid back to its rest state, turned as it is:  E = ¼ k |AᵀA − 1|², zero for every rotation
    [stiffness N m]."""
    strain = body.axes.T @ body.axes - ca.SX.eye(body.dim)
    return energy(stiffness / 4 * ca.sumsqr(strain))


@behavior
def keep_volume(body: Frame, *, stiffness: Number = 10.0, size: Number = 1.0) -> Effort:
    """Keeps the area (in space, the volume) of a troid:  E = ½ k (det A − size)²; `size` is measured in that
    of the rest state   [stiffness N m, size 1]."""
    return energy(stiffness / 2 * (ca.det(body.axes) - size) ** 2)


@behavior
def shape_drag(body: Frame, *, coefficient: Number = 1.0, turning: Number = 0.0) -> Effort:
    """Viscous drag inside a troid, on its strain ε = ½ AᵀA alone, so that rigid motion is free (ID90 §5.4):
    −coefficient · ε̇. A share `turning` of it, 0 to 1, is drag on the axes themselves, −coefficient · Ȧ, which
    brakes rotation too   [coefficient N m s]."""
    strain, axes = ca.vec(body.axes.T @ body.axes) / 2, ca.vec(body.axes)
    inner = force(strain, -coefficient * (1 - turning) * velocity(strain))
    return inner, force(axes, -coefficient * turning * velocity(axes))
