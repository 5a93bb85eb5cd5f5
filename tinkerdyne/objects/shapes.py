"""The library of bodies: sphere, torus, box, cylinder, cone, capsule, card, mesh, compound, and their planar
kin (R1).

Each takes a mass (1 kg unless said otherwise) or a density, in the plane by area. The origin of a body is its
centre of mass. What is long lies along its own x axis. On all of them left and right are −x and +x, front and
back −y and +y, bottom and top −z and +z; on what is flat (card, plate, disc), bottom and top are −y and +y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import pieces
from tinkerdyne.language.item import Item, Values, an_item, label
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.look import look
from tinkerdyne.objects import boundary
from tinkerdyne.objects.catalog import bar_boundary, bar_places, bar_surface
from tinkerdyne.objects.maker import Maker, Picture, Places
from tinkerdyne.objects.mesh import (
    FORMATS,
    Solid,
    checked_faces,
    checked_vertices,
    mesh_from_file,
    polyhedron,
)
from tinkerdyne.objects.shape import Shape, rectangle_places
from tinkerdyne.objects.surfaces import arc, cuboid, revolved, torus

SEGMENTS = 24  # of a round shape in a picture
CENTRE = {"centre": (0.0, 0.0, 0.0)}


def _six(x: float, y: float, z: float) -> Places:
    """The outermost points along the axes, and the centre."""
    ends = {"left": (-x, 0.0, 0.0), "right": (x, 0.0, 0.0), "front": (0.0, -y, 0.0), "back": (0.0, y, 0.0)}
    return {**CENTRE, **ends, "bottom": (0.0, 0.0, -z), "top": (0.0, 0.0, z)}


# --- round --------------------------------------------------------------------------------------
def _ball(_who: str, values: Values) -> Solid:
    r = values["radius"]
    return Solid(4 / 3 * math.pi * r**3, (2 / 5 * r**2,) * 3)


Sphere = Shape(
    "sphere",
    {"radius": 0.5},
    _ball,
    places=lambda values: _six(*[values["radius"]] * 3),
    surface=lambda values, n: revolved(arc(0.0, values["radius"], math.pi, 0.0, n // 2), n),
    boundary=lambda values: boundary.ball(values["radius"]),
    doc="A solid ball, with the points centre, left, right, front, back, bottom and top.",
)


def _ring(who: str, values: Values) -> Solid:
    R, r = values["radius"], values["thickness"]
    if r >= R:
        raise ValueError(
            f"thickness of {who} is {r:g} m; it must be less than its radius, {R:g} m, or the hole closes"
        )
    across = R**2 / 2 + 5 / 8 * r**2
    return Solid(2 * math.pi**2 * R * r**2, (across, across, R**2 + 3 / 4 * r**2))


def _rim(values: Values) -> Places:
    out = values["radius"] + values["thickness"]
    return {name: at for name, at in _six(out, out, 0.0).items() if name not in ("bottom", "top")}


Torus = Shape(
    "torus",
    {"radius": 0.5, "thickness": 0.1},
    _ring,
    places=_rim,
    surface=lambda values, n: torus(values["radius"], values["thickness"], n),
    boundary=lambda values: boundary.ring(values["radius"], values["thickness"]),
    doc="A solid ring about its own z axis; radius to the middle of its tube, thickness is the tube's "
    "radius. Points centre, "
    "and left, right, front, back on the outer rim.",
)


def _cylinder(_who: str, values: Values) -> Solid:
    length, r = values["length"], values["radius"]
    across = length**2 / 12 + r**2 / 4
    return Solid(math.pi * r**2 * length, (r**2 / 2, across, across))


Cylinder = Shape(
    "cylinder",
    {"radius": 0.5, "length": 1.0},
    _cylinder,
    places=bar_places,
    surface=bar_surface,
    boundary=bar_boundary,
    doc="A solid cylinder along its own x axis (like a rod), with the points end1, end2 and centre.",
)


def _cone(_who: str, values: Values) -> Solid:
    h, r = values["height"], values["radius"]
    across = 3 / 20 * r**2 + 3 / 80 * h**2
    return Solid(math.pi * r**2 * h / 3, (3 / 10 * r**2, across, across))


Cone = Shape(
    "cone",
    {"radius": 0.5, "height": 1.0},
    _cone,
    places=lambda values: {
        "base": (-values["height"] / 4, 0.0, 0.0),
        "apex": (3 / 4 * values["height"], 0.0, 0.0),
        **CENTRE,
    },
    surface=lambda values, n: revolved(
        [(-values["height"] / 4, r) for r in (0.0, values["radius"])] + [(3 / 4 * values["height"], 0.0)], n
    ),
    boundary=lambda values: boundary.cone(values["radius"], values["height"] / 4, 3 / 4 * values["height"]),
    doc="A solid cone along its own x axis: its base at −height/4, its apex at +3/4 height from the centre "
    "of mass. Points base "
    "(the middle of it), apex and centre.",
)


def _capsule(_who: str, values: Values) -> Solid:
    """A cylinder and two half balls, whose centres of mass lie 3/8 r beyond its ends."""
    L, r = values["length"], values["radius"]
    tube, ball = L / (L + 4 / 3 * r), 4 / 3 * r / (L + 4 / 3 * r)
    along = tube * r**2 / 2 + ball * 2 / 5 * r**2
    across = tube * (L**2 / 12 + r**2 / 4) + ball * (2 / 5 * r**2 + L**2 / 4 + 3 / 8 * L * r)
    return Solid(math.pi * r**2 * (L + 4 / 3 * r), (along, across, across))


def _capsule_places(values: Values) -> Places:
    x, tip = values["length"] / 2, values["length"] / 2 + values["radius"]
    ends = {"end1": (-tip, 0.0, 0.0), "end2": (tip, 0.0, 0.0)}
    return {**ends, "centre1": (-x, 0.0, 0.0), "centre2": (x, 0.0, 0.0), **CENTRE}


def _capsule_surface(values: Values, n: int) -> tuple[Array, Array]:
    x, r = values["length"] / 2, values["radius"]
    return revolved(arc(-x, r, math.pi, math.pi / 2, n // 4) + arc(x, r, math.pi / 2, 0.0, n // 4), n)


Capsule = Shape(
    "capsule",
    {"radius": 0.25, "length": 1.0},
    _capsule,
    places=_capsule_places,
    surface=_capsule_surface,
    boundary=lambda values: boundary.capsule(values["length"], values["radius"]),
    doc="A cylinder along its own x axis with half balls at its ends; length is between the balls' centres. "
    "Points end1, end2 "
    "(the tips), centre1, centre2 (of the balls) and centre.",
)


# --- square -------------------------------------------------------------------------------------
def _brick(x: float, y: float, z: float) -> Solid:
    return Solid(x * y * z, ((y**2 + z**2) / 12, (x**2 + z**2) / 12, (x**2 + y**2) / 12))


def _box_places(values: Values) -> Places:
    x, y, z = (s / 2 for s in values["size"])
    corners = {
        f"{across}_{deep}_{high}": (i * x, j * y, k * z)
        for across, i in (("left", -1), ("right", 1))
        for deep, j in (("front", -1), ("back", 1))
        for high, k in (("bottom", -1), ("top", 1))
    }
    return {**_six(x, y, z), **corners}


Box = Shape(
    "box",
    {"size": (1.0, 1.0, 1.0)},
    lambda _who, values: _brick(*values["size"]),
    places=_box_places,
    surface=lambda values, _n: cuboid(values["size"]),
    boundary=lambda values: boundary.block(values["size"]),
    doc="A solid box, size along its own x, y and z. Points centre, left, right, front, back, bottom, top "
    "(middles of its sides) "
    "and its corners, such as left_front_bottom.",
)

Card = Shape(
    "card",
    {"width": 1.0, "height": 1.0, "thickness": 0.002},
    lambda _who, values: _brick(values["width"], values["height"], values["thickness"]),
    places=lambda values: rectangle_places(values["width"], values["height"], 0.0),
    surface=lambda values, _n: cuboid((values["width"], values["height"], values["thickness"])),
    boundary=lambda values: boundary.block((values["width"], values["height"], values["thickness"])),
    doc="A thin plate: width along its own x, height along y, thickness along z. Points centre, left, right, "
    "bottom, top "
    "(middles of its edges), and the corners bottom_left, bottom_right, top_left, top_right.",
)


# --- any polyhedron -----------------------------------------------------------------------------
class MeshShape(Shape):
    """The maker of meshes, with a way to load them from files."""

    def make(self, name: str, inputs: Sequence[Item], options: Values) -> Item:
        if not options.keys() & {"vertices", "faces"} and Path(name).suffix.lower() in FORMATS:
            raise ValueError(f"the name of a mesh is no file; to read one write Mesh.load({name!r})")
        if ("vertices" in options) != ("faces" in options):
            missing = "faces" if "vertices" in options else "vertices"
            raise TypeError(f"mesh {name!r} lacks {missing}; give both vertices and faces")
        item = super().make(name, inputs, options)
        closed = polyhedron(label(item), item.values["vertices"], item.values["faces"])
        if tuple(closed.faces[0].tolist()) != item.values["faces"][0]:  # it was turned over: keep it so
            item.values["faces"] = checked_faces("faces", closed.faces)
        return item

    def load(self, path: str | Path, *, name: str = "", **options: Any) -> Item:
        """A mesh from an stl, obj, ply, off or glTF file; near vertices are merged, and the scene keeps them
        all."""
        vertices, faces = mesh_from_file(path)
        return self.make(name, (), {**options, "vertices": vertices, "faces": faces})


def _mesh_check(what: str, name: str, value: Any) -> Value:
    return checked_vertices(what, value) if name == "vertices" else checked_faces(what, value)


def _mesh_places(values: Values) -> Places:
    centre = polyhedron("mesh", values["vertices"], values["faces"]).solid.centre
    return {**CENTRE, "origin": tuple(-x for x in centre)}


Mesh = MeshShape(
    "mesh",
    {
        "vertices": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        "faces": ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
    },
    lambda who, values: polyhedron(who, values["vertices"], values["faces"]).solid,
    places=_mesh_places,
    surface=lambda values, _n: polyhedron("mesh", values["vertices"], values["faces"])[1:],
    boundary=lambda values: boundary.solid(*polyhedron("mesh", values["vertices"], values["faces"])[1:]),
    check=_mesh_check,
    units={"faces": ""},
    doc="A solid within a closed triangle mesh of any form. It keeps the axes of its vertices, and its "
    "origin is the centre of "
    "mass, which lies at `offset` among the vertices as given. Points centre, and origin (of the axes as "
    "given).",
)


# --- pictures -----------------------------------------------------------------------------------
def surface(item: Item, *, segments: int = SEGMENTS) -> tuple[Array, Array]:
    """A closed triangle mesh of a body in its own axes: vertices (n, 3) [m], faces (m, 3) that look outwards.

    A particle is a small ball; a rigid body of which only the inertia is known is the box of the same mass
    and inertia.
    """
    dim, found = _picture(item, segments, 3)
    if found is None:
        instead = "; it has an outline" if dim == 2 else ""
        raise TypeError(f"{label(item)} has no surface in space{instead}")
    vertices, faces = found
    return vertices, faces


def outline(item: Item, *, segments: int = 2 * SEGMENTS) -> Array:
    """The boundary of a planar body in its own axes: corners (n, 2) [m], counterclockwise, the first not
    repeated.

    A particle is a small circle; a planar body of which only the inertia is known is the disc of the same
    mass and inertia.
    """
    dim, found = _picture(item, segments, 2)
    if found is None or isinstance(found, tuple):
        instead = "; it has a surface" if dim == 3 else ""
        raise TypeError(f"{label(item)} has no outline in the plane{instead}")
    return found


def _picture(item: Item, segments: int, wanted: int) -> tuple[int, Picture | None]:
    """The dimension of an object, and its picture where that is the one wanted."""
    kind = an_item("a picture", item).type
    if not isinstance(kind, Maker):
        raise TypeError(f"{label(item)} is no body")
    pieces(label(item), segments, least=4, most=1000 if wanted == 3 else 10_000)
    dim = len(item.start.get("position", ()))
    return dim, kind.picture(item, segments) if dim == wanted else None


look(icon="box", drawn="block", sizes=("size",), tool=1)(Box)
look(icon="sphere", drawn="ball", sizes=("radius",), tool=2)(Sphere)
look(icon="cylinder", drawn="bar", sizes=("length", "radius"), tool=3)(Cylinder)
look(icon="capsule", drawn="bar", sizes=("length", "radius"), tool=4)(Capsule)
look(icon="cone", drawn="bar", sizes=("height", "radius"), tool=5)(Cone)
look(icon="torus", drawn="ball", sizes=("radius", "thickness"), tool=6)(Torus)
look(icon="card", drawn="block", sizes=("width", "height"), tool=8)(Card)
look(icon="mesh", tool=9)(Mesh)
