"""The objects by name: Particle, RigidBody, PlanarBody, Variable, Troid, Rod (E1)."""

from __future__ import annotations

import math
import warnings

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.look import look
from tinkerdyne.objects import bodies, boundary
from tinkerdyne.objects.boundary import Parts
from tinkerdyne.objects.inertia import Tensor, by_rows, inertia_tensor, principal, rigid_parameters
from tinkerdyne.objects.maker import Maker, Picture, Places
from tinkerdyne.objects.mesh import Solid
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.objects.parts import boundary_of, checked_parts, placed, surface_of
from tinkerdyne.objects.shape import PLANAR_STATE, RIGID_STATE, Shape, rigid_state
from tinkerdyne.objects.surfaces import DOT, arc, circle, cuboid, revolved
from tinkerdyne.objects.textures import texture_from


# --- particle -----------------------------------------------------------------------------------
def _place(what: str, name: str, value: object) -> tuple[float, ...]:
    return vector(what, value, length=(2, 3))


def _matching(who: str, start: Values, names: tuple[str, str]) -> int:
    """The dimension that position and velocity share; a velocity left at its default follows the position."""
    dim = len(start[names[0]])
    if len(start[names[1]]) != dim:
        if any(start[names[1]]):
            raise ValueError(
                f"{names[1]} of {who} must have {dim} numbers like its {names[0]}, not {len(start[names[1]])}"
            )
        start[names[1]] = (0.0,) * dim
    return dim


def _particle(who: str, values: Values, start: Values) -> tuple[ObjectType, list[float]]:
    dim = _matching(who, start, ("position", "velocity"))
    return (bodies.particle2 if dim == 2 else bodies.particle3), [values["mass"]]


def _dot(item: Item, segments: int) -> Picture:
    """A small ball, in the plane a small circle."""
    if len(item.start["position"]) == 2:
        return circle(DOT, segments)
    return revolved(arc(0.0, DOT, math.pi, 0.0, segments // 2), segments)


def _point(item: Item) -> Parts:
    """A point, without the size at which it is drawn."""
    return boundary.disc(0.0) if len(item.start["position"]) == 2 else boundary.ball(0.0)


Particle = Maker(
    "particle",
    {"mass": 1.0},
    {"position": (0.0, 0.0, 0.0), "velocity": (0.0, 0.0, 0.0)},
    _particle,
    check_state=_place,
    picture=_dot,
    boundary=_point,
    doc="A point mass in space, or in the plane when its position has two numbers.",
)

Variable = Maker(
    "variable",
    {"mass": 1.0},
    {"value": 0.0, "rate": 0.0},
    lambda _who, values, _start: (bodies.variable, [values["mass"]]),
    doc="A scalar with inertia: a slider's place on a curve, an unknown of a model.",
)
look(icon="particle", drawn="dot", tool=10)(Particle)
look(icon="variable", role="variable")(Variable)


# --- rigid bodies -------------------------------------------------------------------------------
def _rigid(_who: str, values: Values, _start: Values) -> tuple[ObjectType, list[float]]:
    return rigid_parameters(values["mass"], values["inertia"])


def _rigid_check(what: str, name: str, value: object) -> Value:
    if name in ("shapes", "drawing"):
        return checked_parts(what, value, may_be_none=True)
    return inertia_tensor(what, value) if name == "inertia" else number(what, value, positive=True)


class Rigid(Item):
    """A rigid body by its inertia, which is read as three rows in whatever way it was written."""

    __slots__ = ()

    @property
    def inertia(self) -> Tensor:
        """Its inertia about the centre of mass in its own axes: three rows of three [kg m²]."""
        self._alive()
        return by_rows(self.values["inertia"])


def _seen(item: Item, segments: int) -> Picture:
    """Its shapes and what else is drawn; where there are none, its box."""
    parts = [part for name in ("shapes", "drawing") for part in placed(item.name, item.values[name])]
    return surface_of(parts, segments) if parts else _box(item)


def _touched(item: Item) -> Parts:
    """Its shapes; its box where nothing says how it looks."""
    if item.values["shapes"] or item.values["drawing"]:
        return boundary_of(placed(item.name, item.values["shapes"]))
    return boundary.solid(*_box(item))


def _box(item: Item) -> tuple[Array, Array]:
    """The box of the same mass and inertia."""
    _, moments, axes = principal(np.array(item.inertia))
    square = 6 * (moments.sum() - 2 * moments) / item.mass  # I = m (y² + z²)/12, …
    vertices, faces = cuboid(tuple(np.sqrt(np.maximum(square, DOT**2))))
    return vertices @ axes.T, faces


class RigidMaker(Maker):
    """The maker of rigid bodies."""

    item = Rigid


RigidBody = RigidMaker(
    "rigid_body",
    {"mass": 1.0, "inertia": (1.0, 1.0, 1.0), "shapes": (), "drawing": ()},
    RIGID_STATE,
    _rigid,
    check=_rigid_check,
    check_state=rigid_state,
    picture=_seen,
    boundary=_touched,
    doc="A rigid body: place of its centre of mass, orientation (w, x, y, z), velocity in the world, spin in "
    "its own axes.\n\nIts inertia is given as three principal moments, as six numbers (xx, yy, zz, xy, xz, "
    "yz) or as a 3×3 tensor, and is read as three rows of three. It touches with its shapes, given as a "
    "compound's are, about the centre of mass and without regard to their masses; its drawing is shapes that "
    "are seen alone. Without both it is the box of its inertia.",
)


# --- a bar --------------------------------------------------------------------------------------
def _rod(_who: str, values: Values) -> Solid:
    length, radius = values["length"], values["radius"]
    along, across = radius**2 / 2, length**2 / 12 + radius**2 / 4
    return Solid(math.pi * radius**2 * length, (along, across, across))


def bar_places(values: Values) -> Places:
    """The ends and the centre of what lies along its own x axis."""
    half = values["length"] / 2
    return {"end1": (-half, 0.0, 0.0), "end2": (half, 0.0, 0.0), "centre": (0.0, 0.0, 0.0)}


def bar_surface(values: Values, segments: int) -> tuple[Array, Array]:
    half, radius = values["length"] / 2, values["radius"]
    return revolved([(-half, 0.0), (-half, radius), (half, radius), (half, 0.0)], segments)


def bar_boundary(values: Values) -> Parts:
    """What a round bar touches with."""
    return boundary.bar(values["length"], values["radius"])


Rod = Shape(
    "rod",
    {"length": 1.0, "radius": 0.05},
    _rod,
    places=bar_places,
    surface=bar_surface,
    boundary=bar_boundary,
    doc="A solid round bar along its own x axis, with the points end1, end2 and centre.",
)
look(icon="rod", drawn="bar", sizes=("length", "radius"), tool=7)(Rod)

PlanarBody = Maker(
    "planar_body",
    {"mass": 1.0, "inertia": 1.0},
    PLANAR_STATE,
    lambda _who, values, _start: (bodies.planar_body, [values["mass"], values["inertia"]]),
    check=lambda what, _name, value: number(what, value, positive=True),
    picture=lambda item, segments: circle(math.sqrt(2 * item.inertia / item.mass), segments),
    boundary=lambda item: boundary.disc(math.sqrt(2 * item.inertia / item.mass)),
    doc="A rigid body in the plane.",
)


# --- troids -------------------------------------------------------------------------------------
def _troid(who: str, values: Values, start: Values) -> tuple[ObjectType, list[float]]:
    dim = _matching(who, start, ("position", "velocity"))
    for name, default in (("shape", np.eye(dim).ravel()), ("shape_rate", np.zeros(dim * dim))):
        if len(start[name]) != dim * dim:
            plain = np.eye(2).ravel() if name == "shape" else np.zeros(4)
            if len(start[name]) == 4 and np.array_equal(start[name], plain):
                start[name] = tuple(default)
            else:
                raise ValueError(
                    f"{name} of {who} must be a {dim}×{dim} matrix, not {len(start[name])} numbers"
                )
    if abs(np.linalg.det(np.array(start["shape"]).reshape(dim, dim))) < 1e-12:
        warnings.warn(f"shape of {who} is collapsed (its determinant is zero)", stacklevel=6)
    second = np.array(values["second_moment"])
    tensor = second.reshape(dim, dim) if second.size == dim * dim else np.eye(dim) * second[0]
    if not np.allclose(tensor, tensor.T) or np.linalg.eigvalsh(tensor)[0] <= 0:
        raise ValueError(
            f"second_moment of {who} must be symmetric and positive, ∫ρ s sᵀ; it is {tensor.tolist()}"
        )
    count = len(values["drawing"])
    if dim == 2 and count and (count % 2 or count < 6):
        raise ValueError(
            f"drawing of {who} must be three corners (x, y) or more in a row, or nothing, not {count} numbers"
        )
    if dim == 3 and count % 9:
        raise ValueError(
            f"drawing of {who} must be triangles, nine numbers each, or nothing, not {count} numbers"
        )
    return (bodies.troid2 if dim == 2 else bodies.troid3), [values["mass"], *tensor.ravel(order="F")]


def _troid_check(what: str, name: str, value: object) -> Value:
    if name == "drawing":
        return vector(what, value)
    if name == "texture":
        return texture_from(what, value)
    return vector(what, [value] if isinstance(value, (int, float)) else value, length=(1, 4, 9))


def _troid_state(what: str, name: str, value: object) -> tuple[float, ...]:
    return vector(what, value, length=(2, 3) if name in ("position", "velocity") else (4, 9))


def _drawn(item: Item) -> Parts:
    """What is drawn on a troid: a polygon, or in space a mesh; nothing where nothing is drawn."""
    flat = np.array(item.values["drawing"])
    if not len(flat):
        return ()
    if len(item.start["position"]) == 2:
        corners = flat.reshape(-1, 2)
        return boundary.outline(corners if boundary.area(corners) > 0 else corners[::-1])
    vertices, which = np.unique(flat.reshape(-1, 3), axis=0, return_inverse=True)
    return boundary.solid(vertices, which.reshape(-1, 3))


Troid = Maker(
    "troid",
    {"mass": 1.0, "second_moment": (0.1,), "drawing": (), "texture": ""},
    {"position": (0.0, 0.0), "shape": (1.0, 0.0, 0.0, 1.0), "velocity": (0.0, 0.0), "shape_rate": (0.0,) * 4},
    _troid,
    check=_troid_check,
    check_state=_troid_state,
    boundary=_drawn,
    doc="An affine body (ID90 §5.4): material point s lies at position + shape · s; second_moment is ∫ρ s "
    "sᵀ. Matrices by columns."
    "\n\n"
    "Its drawing, which goes along, is the corners of a polygon in a row; in space those of triangles. Its "
    "texture is an image that"
    " is stretched over the drawing: an array, the Path of a PNG or JPEG file, or a PNG as text.",
)

look(icon="compound")(RigidBody)
look(icon="plate")(PlanarBody)
look(icon="troid")(Troid)
