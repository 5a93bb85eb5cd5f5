"""Rotations: unit quaternions (w, x, y, z), their matrices and rotation vectors, and the free rotation of a
rigid body; in symbols, in numbers, and in the compiled program."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from tinkerdyne.compiler.core import compiled
from tinkerdyne.compiler.records import Floats
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.symbols import SX


# --- in symbols ----------------------------------------------------------------------------------
def product(a: SX, b: SX) -> SX:
    """a ⊗ b."""
    av, bv = a[1:4], b[1:4]
    return ca.vertcat(a[0] * b[0] - ca.dot(av, bv), a[0] * bv + b[0] * av + ca.cross(av, bv))


def matrix(q: SX) -> SX:
    """R(q) of a unit quaternion: its columns are the body's axes in the world."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    return ca.vertcat(
        ca.horzcat(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        ca.horzcat(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        ca.horzcat(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def normalised(q: SX) -> SX:
    """q / |q|."""
    return q / ca.sqrt(ca.dot(q, q))


def sinc_half(angle_squared: SX) -> tuple[SX, SX]:
    """cos(a/2) and sin(a/2)/a from a², by series below a² = 1e-6, where the quotient would lose digits (next
    term 1e-19)."""
    small = angle_squared < 1e-6
    a = ca.sqrt(ca.if_else(small, 1.0, angle_squared))
    series_sin = 0.5 - angle_squared / 48 + angle_squared * angle_squared / 3840
    series_cos = 1 - angle_squared / 8 + angle_squared * angle_squared / 384
    return ca.if_else(small, series_cos, ca.cos(a / 2)), ca.if_else(small, series_sin, ca.sin(a / 2) / a)


def exponential(w: SX) -> SX:
    """The quaternion of the rotation vector w."""
    c, s = sinc_half(ca.dot(w, w))
    return ca.vertcat(c, s * w)


def _about(axis: int, angle: SX) -> tuple[SX, SX]:
    """Quaternion and (cos, sin) of a rotation about a coordinate axis."""
    half_c, half_s = ca.cos(angle / 2), ca.sin(angle / 2)
    q = ca.SX.zeros(4)
    q[0], q[1 + axis] = half_c, half_s
    return q, ca.vertcat(half_c * half_c - half_s * half_s, 2 * half_s * half_c)


def _turn_back(axis: int, cs: SX, p: SX) -> SX:
    """Rot(e_axis, −θ) p."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = ca.SX(p)
    out[i] = cs[0] * p[i] + cs[1] * p[j]
    out[j] = -cs[1] * p[i] + cs[0] * p[j]
    return out


def kept_unit(q: SX) -> SX:
    """q / |q| for a quaternion that is a unit but for rounding: one Newton step, no root and no division."""
    return q * (1.5 - ca.dot(q, q) / 2)


def axisymmetric(spin: SX, moments: SX, h: SX) -> tuple[SX, SX]:
    """Exact free rotation over h with I₂ = I₃, in principal axes: the turn and the new spin.

    exp(hΠ/I₂) ⊗ exp(α e₁),  Π₁ = Rot(e₁, −α) Π,  α = h(1/I₁ − 1/I₂) Π₁; written in spins, with one division.
    """
    ratio = moments[0] / moments[1]
    twist, cs = _about(0, h * (1 - ratio) * spin[0])
    turn = product(exponential(h * ca.vertcat(ratio * spin[0], spin[1], spin[2])), twist)
    return turn, _turn_back(0, cs, spin)


def split(spin: SX, moments: SX, h: SX) -> tuple[SX, SX]:
    """Symmetric splitting 1(h/2) 2(h/2) 3(h) 2(h/2) 1(h/2) of the free rotation: symplectic,
    momentum-preserving, order 2."""
    turn, momentum = ca.vertcat(1, 0, 0, 0), moments * spin
    for axis, part in ((0, h / 2), (1, h / 2), (2, h), (1, h / 2), (0, h / 2)):
        step, cs = _about(axis, part * momentum[axis] / moments[axis])
        turn = product(turn, step)
        momentum = _turn_back(axis, cs, momentum)
    return turn, momentum / moments


# --- in numbers: one by one, or by rows ----------------------------------------------------------
def rotation_matrix(quaternion: Sequence[float] | Array) -> Array:
    """R of a unit quaternion (w, x, y, z):  R = (w² − u·u) 1 + 2 u uᵀ + 2 w û."""
    w, x, y, z = quaternion
    u = np.array([x, y, z])
    hat = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray((w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * hat)


def plane_rotation(angle: float) -> Array:
    """R of an angle in the plane [rad]."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def multiplied(a: Any, b: Any) -> Array:
    """a ⊗ b of two quaternions, in plain numbers, which is ten times quicker than numpy on four of them."""
    p, q, r, s = (float(x) for x in a)
    w, x, y, z = (float(x) for x in b)
    return np.array(
        (
            p * w - q * x - r * y - s * z,
            p * x + q * w + r * z - s * y,
            p * y - q * z + r * w + s * x,
            p * z + q * y - r * x + s * w,
        )
    )


def exponential_of(w: Array) -> Array:
    """The quaternion of a rotation vector."""
    angle = float(np.linalg.norm(w))
    return np.array([math.cos(angle / 2), *(0.5 * np.sinc(angle / (2 * math.pi)) * w)])


def exponentials(w: Array) -> Array:
    """The quaternions of rotation vectors (n, 3)."""
    half = np.linalg.norm(w, axis=1, keepdims=True) / 2
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / math.pi) * w], axis=1)


def matrices(q: Array) -> Array:
    """R of unit quaternions (n, 4), as (n, 3, 3)."""
    w, x, y, z = q.T
    rows = (
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    )  # fmt: skip
    return np.stack(rows, axis=1).reshape(-1, 3, 3)


def vector(q: Array) -> Array:
    """The rotation vectors of quaternions (…, 4), the shorter way round."""
    q = np.where(q[..., :1] < 0, -q, q)
    size = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(size, q[..., :1])
    return np.asarray(q[..., 1:] * np.where(size > 1e-15, angle / np.where(size > 1e-15, size, 1.0), 2.0))


def products(a: Array, b: Array) -> Array:
    """a ⊗ b of rows (n, 4), or of one quaternion with each row."""
    p, u, w, v = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return np.concatenate(
        [p * w - (u * v).sum(axis=-1, keepdims=True), p * v + w * u + np.cross(u, v)], axis=-1
    )


def conjugate(q: Array) -> Array:
    """The inverse of unit quaternions (…, 4)."""
    return q * (1.0, -1.0, -1.0, -1.0)


def quaternion_of(R: Array) -> Array:
    """The unit quaternion of a rotation matrix, w ≥ 0."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return np.array((w, x, y, z)) * (1.0 if w >= 0 else -1.0)


# --- in the compiled program ---------------------------------------------------------------------
@compiled
def quaternion_matrix(q: Floats, R: Floats) -> None:
    """R(q) by columns, as in a lift."""
    w = q[0]
    x = q[1]
    y = q[2]
    z = q[3]
    R[0] = 1.0 - 2.0 * (y * y + z * z)
    R[1] = 2.0 * (x * y + w * z)
    R[2] = 2.0 * (x * z - w * y)
    R[3] = 2.0 * (x * y - w * z)
    R[4] = 1.0 - 2.0 * (x * x + z * z)
    R[5] = 2.0 * (y * z + w * x)
    R[6] = 2.0 * (x * z + w * y)
    R[7] = 2.0 * (y * z - w * x)
    R[8] = 1.0 - 2.0 * (x * x + y * y)
