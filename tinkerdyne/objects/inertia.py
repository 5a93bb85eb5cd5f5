"""Inertia of rigid bodies: tensors as they may be given, their principal axes, their numbers in the arena."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import vector
from tinkerdyne.objects import bodies
from tinkerdyne.objects.object import ObjectType

Tensor = tuple[tuple[float, float, float], ...]  # three rows [kg m²]


def inertia_tensor(what: str, value: object) -> tuple[float, ...]:
    """A 3×3 inertia tensor by rows, from three principal moments, six numbers (xx, yy, zz, xy, xz, yz) or
    nine."""
    flat = vector(what, value, length=(3, 6, 9))
    if len(flat) == 3:
        tensor = np.diag(flat)
    elif len(flat) == 6:
        xx, yy, zz, xy, xz, yz = flat
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        tensor = np.array(flat).reshape(3, 3)
        if not np.allclose(tensor, tensor.T, rtol=1e-9, atol=0):
            raise ValueError(
                f"{what} must be symmetric; it differs from its transpose by {abs(tensor - tensor.T).max():g}"
            )
    moments, axes = np.linalg.eigh(tensor)
    if moments[0] <= 1e-12 * abs(moments[2]):
        axis = ", ".join(f"{a:.3g}" for a in axes[:, 0])
        problem = "singular" if abs(moments[0]) <= 1e-12 * abs(moments[2]) else "not positive"
        raise ValueError(
            f"{what} is {problem} about the axis ({axis}): moment {moments[0]:g} kg m²; give that axis a "
            "small positive moment, "
            "or use a particle"
        )
    if moments[2] > (moments[0] + moments[1]) * (1 + 1e-9):
        warnings.warn(
            f"{what} has principal moments {moments[0]:g}, {moments[1]:g}, {moments[2]:g}, which no mass "
            "distribution has "
            "(the largest exceeds the sum of the others)",
            stacklevel=6,
        )
    return tuple(float(x) for x in tensor.ravel())


def principal(tensor: Array) -> tuple[bool, Array, Array]:
    """(symmetric?, moments, axes by columns, right-handed), the axis of symmetry first when there is one."""
    moments, axes = np.linalg.eigh(tensor)
    if np.linalg.det(axes) < 0:
        axes = -axes
    found = _symmetry(*moments)
    if found is None:
        return False, moments, axes
    order = [found, (found + 1) % 3, (found + 2) % 3]
    return True, moments[order], axes[:, order]


def _symmetry(x: float, y: float, z: float) -> int | None:
    """Which of three moments differs from two equal ones."""
    small = 1e-12 * max(x, y, z)
    if abs(y - z) <= small:
        return 0
    if abs(z - x) <= small:
        return 1
    return 2 if abs(x - y) <= small else None


# Cyclic permutations of the axes, by columns: the axis of symmetry first.
_PERMUTED = (
    [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
)


def diagonal_parameters(mass: float, x: float, y: float, z: float) -> tuple[ObjectType, list[float]]:
    """Arena parameters of a body whose axes are principal; no linear algebra, since edits come here while the
    world runs."""
    tensor = [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z]
    first = _symmetry(x, y, z)
    if first is None:
        return bodies.rigid_general, [mass, *tensor, x, y, z, *_PERMUTED[0]]
    moments = (x, y, z)
    ordered = (moments[first], moments[(first + 1) % 3], moments[(first + 1) % 3])
    return bodies.rigid_symmetric, [mass, *tensor, *ordered, *_PERMUTED[first]]


def rigid_parameters(mass: float, flat: tuple[float, ...]) -> tuple[ObjectType, list[float]]:
    """Arena parameters of a body by its tensor."""
    if flat[1] == flat[2] == flat[5] == 0.0:
        return diagonal_parameters(mass, flat[0], flat[4], flat[8])
    tensor = np.array(flat).reshape(3, 3)
    symmetric, moments, axes = principal(tensor)
    kind = bodies.rigid_symmetric if symmetric else bodies.rigid_general
    return kind, [mass, *tensor.ravel(order="F").tolist(), *moments.tolist(), *axes.ravel(order="F").tolist()]


def by_rows(flat: Sequence[float]) -> Tensor:
    """A symmetric tensor of nine numbers as three rows."""
    return tuple((flat[k], flat[k + 1], flat[k + 2]) for k in (0, 3, 6))
