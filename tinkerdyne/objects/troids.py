"""Troids with the mass distribution of a shape: a polygon, a closed mesh, an image (G6).

Their drawings go along with them."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.calls import says_how
from tinkerdyne.language.checks import number
from tinkerdyne.language.item import Item, Values
from tinkerdyne.objects.catalog import Troid
from tinkerdyne.objects.mesh import checked_faces, checked_vertices, polyhedron
from tinkerdyne.objects.polygon import polygon
from tinkerdyne.objects.textures import LARGEST_IMAGE, levels_and_texture


@says_how
def sheet(name: str = "", *, vertices: ArrayLike, mass: float = 1.0, **options: Any) -> Item:
    """A troid with the mass of a simple polygon, spread evenly; it lies where the polygon was drawn."""
    who = f"sheet {name!r}" if name else "a new sheet"
    given = checked_vertices(f"vertices of {who}", vertices, 2)
    solid, corners = polygon(who, given)
    x, y = corners.T
    x1, y1 = np.roll(corners, -1, axis=0).T
    across = x * y1 - x1 * y
    area = across.sum() / 2
    xx = (across * (x * x + x * x1 + x1 * x1)).sum() / 12
    yy = (across * (y * y + y * y1 + y1 * y1)).sum() / 12
    xy = (across * (x * y1 + 2 * x * y + 2 * x1 * y1 + x1 * y)).sum() / 24
    second = np.array([[xx, xy], [xy, yy]]) * number(f"mass of {who}", mass, positive=True) / area
    return _made(name, mass, second, solid.centre[:2], corners.ravel(), options)


@says_how
def block(
    name: str = "", *, vertices: ArrayLike, faces: ArrayLike, mass: float = 1.0, **options: Any
) -> Item:
    """A troid with the mass of the inside of a closed mesh, spread evenly."""
    who = f"block {name!r}" if name else "a new block"
    found = polyhedron(
        who, checked_vertices(f"vertices of {who}", vertices), checked_faces(f"faces of {who}", faces)
    )
    inertia = np.array(found.solid.inertia).reshape(3, 3)  # of one kilogram: tr(C) 1 − C
    second = (np.trace(inertia) / 2 * np.eye(3) - inertia) * number(f"mass of {who}", mass, positive=True)
    corners = np.array(found.vertices)[np.array(found.faces)]
    return _made(name, mass, second, found.solid.centre, corners.ravel(), options)


@says_how
def picture(
    name: str = "",
    *,
    image: ArrayLike | bytes | os.PathLike[str],
    width: float = 1.0,
    mass: float = 1.0,
    **options: Any,
) -> Item:
    """A troid with the mass of a picture `width` metres wide, as much as its pixels are bright; the picture
    goes along with it.

    The picture is an array (grey, RGB or RGBA), the path of a PNG or JPEG file, or a PNG as text; what is
    transparent has no mass.
    """
    who = f"picture {name!r}" if name else "a new picture"
    if isinstance(image, (os.PathLike, str, bytes)):
        image, texture = levels_and_texture(f"image of {who}", image)
        options.setdefault("texture", texture)
    pixels = np.asarray(image, float)
    if pixels.ndim == 3 and pixels.size:
        opacity = pixels[..., 3] / (255 if pixels[..., 3].max() > 1 else 1) if pixels.shape[2] == 4 else 1.0
        pixels = pixels[..., :3].mean(axis=2) * opacity
    if pixels.ndim != 2 or not 4 <= pixels.size <= LARGEST_IMAGE:
        raise ValueError(
            f"image of {who} must be rows of pixels, 4 to {LARGEST_IMAGE:,} of them, not of shape "
            f"{np.shape(image)}"
        )
    if not np.all(np.isfinite(pixels)) or pixels.min() < 0 or not pixels.any():
        raise ValueError(
            f"image of {who} must have brightnesses that are finite, not negative, and not all zero"
        )
    step = number(f"width of {who}", width, positive=True) / pixels.shape[1]
    weights = pixels / pixels.sum()
    x = (np.arange(pixels.shape[1]) + 0.5) * step
    y = (pixels.shape[0] - np.arange(pixels.shape[0]) - 0.5) * step
    centre = np.array([(weights.sum(axis=0) * x).sum(), (weights.sum(axis=1) * y).sum()])
    dx, dy = x - centre[0], y - centre[1]
    xx, yy = (weights.sum(axis=0) * dx * dx).sum(), (weights.sum(axis=1) * dy * dy).sum()
    # each pixel is a square
    second = np.array([[xx, dy @ weights @ dx], [dy @ weights @ dx, yy]]) + np.eye(2) * step**2 / 12
    size = np.array([pixels.shape[1], pixels.shape[0]]) * step
    frame = np.array([(0, 0), (size[0], 0), size, (0, size[1])]) - centre
    if "texture" not in options:
        seen = np.asarray(image)
        options["texture"] = seen * (255 / seen.max()) if seen.max() > 255 else seen
    return _made(
        name, mass, second * number(f"mass of {who}", mass, positive=True), centre, frame.ravel(), options
    )


def _made(name: str, mass: float, second: Array, centre: ArrayLike, drawing: Array, options: Values) -> Item:
    dim = len(second)
    options.setdefault("position", tuple(np.asarray(centre, float)[:dim].tolist()))
    if dim == 3:
        options.setdefault("shape", tuple(np.eye(3).ravel().tolist()))
    return Troid(
        name,
        mass=mass,
        second_moment=tuple(np.asarray(second).ravel().tolist()),
        drawing=tuple(drawing.tolist()),
        **options,
    )


SQUARE = np.array(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
CUBE = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
SIDES = np.array([
    (0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5),
    (2, 3, 7), (2, 7, 6), (0, 6, 4), (0, 2, 6), (1, 5, 7), (1, 7, 3),
])  # fmt: skip


def drawing_of(item: Item) -> tuple[Array, Array]:
    """(corners in its own axes, faces) of a troid's drawing: its own, or the rectangle (box) of the same mass
    and second moment.

    The one of a homogeneous box has half sides a with a² = 3 S/m.
    """
    dim, given = len(item.position), np.array(item.second_moment)
    if item.drawing:
        corners = np.array(item.drawing).reshape(-1, dim)
        return corners, np.arange(len(corners))[None] if dim == 2 else np.arange(len(corners)).reshape(-1, 3)
    values, axes = np.linalg.eigh(given.reshape(dim, dim) if given.size > 1 else np.eye(dim) * given[0])
    half = axes * np.sqrt(3 * values / item.mass)
    return (SQUARE @ half.T, np.arange(4)[None]) if dim == 2 else (CUBE @ half.T, SIDES)


def texture_corners(item: Item) -> Array:
    """Where the image of a sheet has its upper left, upper right and lower left corner, in the sheet's axes:
    the drawing's box."""
    corners = drawing_of(item)[0]
    (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
    return np.array(((left, high), (right, high), (left, low)))
