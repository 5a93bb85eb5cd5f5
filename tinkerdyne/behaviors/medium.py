"""Drag of a medium on a box, as programs for robots reckon it: from the box of equal inertia of a body."""

from __future__ import annotations

import casadi as ca

from tinkerdyne.language.effects import Effort, force, spin, torque, velocity
from tinkerdyne.language.kinds import ORIGIN, Frame, Number, Place
from tinkerdyne.language.look import look
from tinkerdyne.language.types import behavior

ARM = 64  # of the drag of a turning face: ∫ (arm · half width)² …, as MuJoCo's documentation has it


@look(icon="drag")
@behavior(tied=True)
def box_drag(
    body: Frame,
    *,
    size: Place = (1.0, 1.0, 1.0),
    density: Number = 1.2,
    viscosity: Number = 0.0,
    wind: Place = ORIGIN,
) -> Effort:
    """The drag of a medium on a box [size m, density kg/m³, viscosity Pa s, wind m/s], in axes of the box:

    F_i = −½ ρ s_j s_k |v_i| v_i − 3π β d v_i and T_i = −ρ s_i (s_j⁴ + s_k⁴) |ω_i| ω_i/64 − π β d³ ω_i, with
    the mean size d and the velocity v against the wind."""
    if body.dim != 3 or size.numel() != 3:
        raise ValueError("a box that a medium drags has three sizes, and exists in space only; use drag")
    v = body.axes.T @ (velocity(body.origin) - wind)
    w = body.axes.T @ spin(body)
    d = ca.sum1(size) / 3
    push, twist = [], []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        face, edge = size[j] * size[k], size[j] ** 4 + size[k] ** 4
        push.append(-density / 2 * face * ca.fabs(v[i]) * v[i] - 3 * ca.pi * viscosity * d * v[i])
        turning = density * size[i] * edge / ARM * ca.fabs(w[i]) * w[i]
        twist.append(-turning - ca.pi * viscosity * d**3 * w[i])
    return force(body.origin, body.axes @ ca.vertcat(*push)), torque(body, body.axes @ ca.vertcat(*twist))
