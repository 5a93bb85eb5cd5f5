"""What an MJCF mesh weighs, in the four ways that its `inertia` names.

`legacy`, the default, takes every pyramid between a face and a point inside as positive: about the middle of
the surface for the centre of mass, about that centre for mass and inertia. It equals `exact` where all faces
look away from both points; meshes with holes or folds have a mass all the same.
"""

from __future__ import annotations

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.decomposition import hull_of
from tinkerdyne.objects.mesh import Solid, solid_of

WAYS = ("convex", "exact", "legacy", "shell")


def solid_by(way: str, vertices: Array, faces: Array) -> Solid:
    """Volume (of a shell its area), centre and inertia of a kilogram."""
    match way:
        case "convex":
            return solid_of(*hull_of(vertices))
        case "exact":
            return solid_of(vertices, faces)
    corners = vertices[faces]  # (faces, 3 corners, 3)
    middles = corners.mean(axis=1)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2  # times the area
    areas = np.linalg.norm(normals, axis=1)
    if not areas.sum() > 0:
        raise ValueError("a mesh needs faces that have an area")
    middle = areas @ middles / areas.sum()
    if way == "shell":
        return _solid(areas, corners - middle, middle, 12)
    volumes = _pyramids(middles - middle, normals)
    if not volumes.sum() > 0:
        raise ValueError("a mesh needs an inside; it is flat")
    centre = middle + 0.75 * (volumes @ (middles - middle)) / volumes.sum()
    return _solid(_pyramids(middles - centre, normals), corners - centre, centre, 20)


def _pyramids(middles: Array, normals: Array) -> Array:
    """Volumes between the faces and the origin."""
    return np.asarray(abs(np.einsum("fk,fk->f", middles, normals)) / 3)


def _solid(shares: Array, corners: Array, centre: Array, divisor: int) -> Solid:
    """∫ x xᵀ of a triangle is A/12 (Σ x_i x_iᵀ + s sᵀ) with s = Σ x_i; of its pyramid V/20 of that."""
    total = corners.sum(axis=1)
    C = np.einsum("f,fik,fil->kl", shares, corners, corners) + np.einsum("f,fk,fl->kl", shares, total, total)
    C /= divisor * shares.sum()
    inertia = np.trace(C) * np.eye(3) - C
    return Solid(float(shares.sum()), tuple(inertia.ravel().tolist()), tuple(centre.tolist()))
