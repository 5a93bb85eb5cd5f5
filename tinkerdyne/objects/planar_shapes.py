"""The library of bodies in the plane: disc, plate, rod and polygon (R1).

Each takes a mass (1 kg unless said otherwise) or a density by area. The origin of a body is its centre of
mass; left and right are −x and +x on it, bottom and top −y and +y."""

from __future__ import annotations

import math

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Values
from tinkerdyne.language.look import look
from tinkerdyne.objects import boundary
from tinkerdyne.objects.catalog import bar_places
from tinkerdyne.objects.maker import Places
from tinkerdyne.objects.mesh import Solid, checked_vertices
from tinkerdyne.objects.polygon import polygon
from tinkerdyne.objects.shape import Shape, rectangle_places
from tinkerdyne.objects.surfaces import circle


def _rectangle(x: float, y: float) -> Solid:
    return Solid(x * y, ((x**2 + y**2) / 12,), (0.0, 0.0))


def _rectangle_outline(x: float, y: float) -> Array:
    return np.array([(-x, -y), (x, -y), (x, y), (-x, y)]) / 2


def _disc_places(values: Values) -> Places:
    r = values["radius"]
    return {"centre": (0.0, 0.0), "left": (-r, 0.0), "right": (r, 0.0), "bottom": (0.0, -r), "top": (0.0, r)}


Disc = Shape(
    "disc",
    {"radius": 0.5},
    lambda _who, values: Solid(math.pi * values["radius"] ** 2, (values["radius"] ** 2 / 2,), (0.0, 0.0)),
    places=_disc_places,
    surface=lambda values, n: circle(values["radius"], n),
    boundary=lambda values: boundary.disc(values["radius"]),
    dim=2,
    doc="A disc in the plane, with the points centre, left, right, bottom and top; its density is by area.",
)

Plate = Shape(
    "plate",
    {"size": (1.0, 1.0)},
    lambda _who, values: _rectangle(*values["size"]),
    places=lambda values: rectangle_places(*values["size"]),
    surface=lambda values, _n: _rectangle_outline(*values["size"]),
    boundary=lambda values: boundary.outline(_rectangle_outline(*values["size"])),
    dim=2,
    doc="A rectangle in the plane, size along its own x and y. Points centre, left, right, bottom, top "
    "(middles of its sides), "
    "and the corners bottom_left, bottom_right, top_left, top_right; its density is by area.",
)


def _planar_rod_places(values: Values) -> Places:
    return {name: at[:2] for name, at in bar_places(values).items()}


PlanarRod = Shape(
    "planar_rod",
    {"length": 1.0, "width": 0.1},
    lambda _who, values: _rectangle(values["length"], values["width"]),
    places=_planar_rod_places,
    surface=lambda values, _n: _rectangle_outline(values["length"], values["width"]),
    boundary=lambda values: boundary.outline(_rectangle_outline(values["length"], values["width"])),
    dim=2,
    doc="A bar in the plane along its own x axis, with the points end1, end2 and centre; its density is by "
    "area.\n\nIt is a rectangle, so its width counts in its inertia, mass (length² + width²)/12: 0.1 m when "
    "nothing is said.",
)


def _polygon_places(values: Values) -> Places:
    x, y = polygon("polygon", values["vertices"])[0].centre
    corners = {f"corner{k + 1}": (a - x, b - y) for k, (a, b) in enumerate(values["vertices"])}
    return {"centre": (0.0, 0.0), "origin": (-x, -y), **corners}


Polygon = Shape(
    "polygon",
    {"vertices": ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))},
    lambda who, values: polygon(who, values["vertices"])[0],
    places=_polygon_places,
    surface=lambda values, _n: polygon("polygon", values["vertices"])[1],
    boundary=lambda values: boundary.outline(polygon("polygon", values["vertices"])[1]),
    dim=2,
    check=lambda what, _name, value: checked_vertices(what, value, dim=2),
    doc="A simple polygon in the plane, convex or not. Points centre, origin (of the axes as given), "
    "corner1, corner2, …; its density is by area.\n\nIts position is that of its centre of mass, wherever "
    "its vertices were drawn: at (0, 0) when nothing is said. To have it lie where it was drawn, write "
    "body.position = body.offset; `offset` is where the centre of mass lies among the vertices as given.",
)

look(icon="rod", drawn="bar", sizes=("length", "width"), tool=1)(PlanarRod)
look(icon="disc", drawn="ball", sizes=("radius",), tool=2)(Disc)
look(icon="plate", drawn="block", sizes=("size",), tool=3)(Plate)
look(icon="polygon", drawn="corners", sizes=("vertices",), tool=4)(Polygon)
