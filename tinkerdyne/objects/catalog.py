"""The objects by name: Particle, RigidBody, PlanarBody, Variable, Troid, Rod (E1)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, number, vector
from tinkerdyne.language.look import look
from tinkerdyne.objects import bodies
from tinkerdyne.objects.maker import Body, Maker, mass_or_density
from tinkerdyne.objects.mesh import LARGEST, Solid
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.objects.surfaces import revolved
from tinkerdyne.objects.textures import texture_from


# --- particle -----------------------------------------------------------------------------------
def _place(what: str, name: str, value: Any) -> tuple[float, ...]:
    return vector(what, value, length=(2, 3))


def _matching(who: str, start: dict[str, Any], names: tuple[str, str]) -> int:
    """The dimension that position and velocity share; a velocity left at its default follows the position."""
    dim = len(start[names[0]])
    if len(start[names[1]]) != dim:
        if any(start[names[1]]):
            raise ValueError(
                f"{names[1]} of {who} must have {dim} numbers like its {names[0]}, not {len(start[names[1]])}"
            )
        start[names[1]] = (0.0,) * dim
    return dim


def _particle(who: str, values: dict[str, Any], start: dict[str, Any]) -> tuple[ObjectType, list[float]]:
    dim = _matching(who, start, ("position", "velocity"))
    return (bodies.particle2 if dim == 2 else bodies.particle3), [values["mass"]]


Particle = Maker(
    "particle",
    {"mass": 1.0},
    {"position": (0.0, 0.0, 0.0), "velocity": (0.0, 0.0, 0.0)},
    _particle,
    check_state=_place,
    doc="A point mass in space, or in the plane when its position has two numbers.",
)

Variable = Maker(
    "variable",
    {"mass": 1.0},
    {"value": 0.0, "rate": 0.0},
    lambda _who, values, _start: (bodies.variable, [values["mass"]]),
    doc="A scalar with inertia: a slider's place on a curve, an unknown of a model.",
)
look(role="variable")(Variable)


# --- rigid bodies -------------------------------------------------------------------------------
def inertia_tensor(what: str, value: Any) -> tuple[float, ...]:
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


def _diagonal_parameters(mass: float, x: float, y: float, z: float) -> tuple[ObjectType, list[float]]:
    """Arena parameters of a body whose axes are principal; no linear algebra, since edits come here while the
    world runs."""
    tensor = [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z]
    first = _symmetry(x, y, z)
    if first is None:
        return bodies.rigid_general, [mass, *tensor, x, y, z, *_PERMUTED[0]]
    moments = (x, y, z)
    ordered = (moments[first], moments[(first + 1) % 3], moments[(first + 1) % 3])
    return bodies.rigid_symmetric, [mass, *tensor, *ordered, *_PERMUTED[first]]


def _rigid_parameters(mass: float, flat: tuple[float, ...]) -> tuple[ObjectType, list[float]]:
    if flat[1] == flat[2] == flat[5] == 0.0:
        return _diagonal_parameters(mass, flat[0], flat[4], flat[8])
    tensor = np.array(flat).reshape(3, 3)
    symmetric, moments, axes = principal(tensor)
    kind = bodies.rigid_symmetric if symmetric else bodies.rigid_general
    return kind, [mass, *tensor.ravel(order="F").tolist(), *moments.tolist(), *axes.ravel(order="F").tolist()]


def _rigid(_who: str, values: dict[str, Any], _start: dict[str, Any]) -> tuple[ObjectType, list[float]]:
    return _rigid_parameters(values["mass"], values["inertia"])


def _rigid_check(what: str, name: str, value: Any) -> Any:
    return inertia_tensor(what, value) if name == "inertia" else number(what, value, positive=True)


def _rigid_state(what: str, name: str, value: Any) -> tuple[float, ...]:
    if name != "orientation":
        return vector(what, value, length=3)
    q = np.array(vector(what, value, length=4))
    size = math.hypot(*q)  # no overflow or underflow on the way
    if size == 0:
        raise ValueError(f"{what} must not be the zero quaternion; no rotation is (1, 0, 0, 0)")
    if abs(size - 1) > 1e-6:
        warnings.warn(f"{what} is not a unit quaternion (length {size:g}); it is normalised", stacklevel=6)
    # What a stepper made is a unit quaternion to rounding, and a saved world must come back with the same
    # bits.
    return tuple((q / size if abs(size - 1) > 1e-9 else q).tolist())


_RIGID_STATE = {
    "position": (0.0, 0.0, 0.0),
    "orientation": (1.0, 0.0, 0.0, 0.0),
    "velocity": (0.0, 0.0, 0.0),
    "spin": (0.0, 0.0, 0.0),
}

RigidBody = Maker(
    "rigid_body",
    {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)},
    _RIGID_STATE,
    _rigid,
    check=_rigid_check,
    check_state=_rigid_state,
    doc="A rigid body: place of its centre of mass, orientation (w, x, y, z), velocity in the world, spin in "
    "its own axes.",
)


# --- bodies with a shape ------------------------------------------------------------------------
_PLANAR_STATE = {"position": (0.0, 0.0), "angle": 0.0, "velocity": (0.0, 0.0), "spin": 0.0}
Values = dict[str, Any]
Places = dict[str, tuple[float, ...]]


class Shape(Maker):
    """A maker of bodies whose mass properties follow from their shape and from either a mass or a density."""

    item = Body

    def __init__(
        self,
        name: str,
        parameters: Values,
        measure: Callable[[str, Values], Solid],
        *,
        places: Callable[[Values], Places],
        surface: Callable[[Values, int], Any],
        dim: int = 3,
        mass: Any = 1.0,
        check: Callable[[str, str, Any], Any] | None = None,
        doc: str = "",
    ) -> None:
        self.measure = measure
        self.surface = surface
        self.dim = dim
        # what a mass may be counted by, besides density
        self.words = (mass[0],) if isinstance(mass, tuple) else ()
        state, check_state = (_RIGID_STATE, _rigid_state) if dim == 3 else (_PLANAR_STATE, None)
        super().__init__(
            name,
            {"mass": mass, **parameters},
            state,
            self._parameters,
            check=check or self._size,
            check_state=check_state,
            places=places,
            doc=doc,
        )

    def parameter_names(self) -> tuple[str, ...]:
        """As a file may spell them."""
        return ("density", *self.parameters)

    def checked(self, item: str, name: str, value: Any) -> Any:
        if name == "mass":
            return mass_or_density(f"mass of {item}", value, *self.words)
        if name == "density":
            raise ValueError(
                f'density of {item} is set as its mass: give "mass" the value ("density", {value!r})'
            )
        return super().checked(item, name, value)

    def make(self, name: str, inputs: tuple[Item, ...], options: Values) -> Item:
        if "density" in options:
            if "mass" in options:
                who = f"{self.name} {name!r}" if name else f"a new {self.name}"
                both = f"mass {options['mass']!r} and density {options['density']!r}"
                raise ValueError(
                    f"{who} is given both {both}; give one of them, the other follows from its shape"
                )
            options["mass"] = ("density", options.pop("density"))
        return super().make(name, inputs, options)

    def _size(self, what: str, name: str, value: Any) -> Any:
        """A length, or as many as the default has, all positive [m]."""
        if not isinstance(self.parameters[name], tuple):
            size = number(what, value, positive=True)
            if not 1 / LARGEST < size < LARGEST:
                raise ValueError(f"{what} must lie between {1 / LARGEST:g} and {LARGEST:g} m, not {size:g}")
            return size
        sizes = vector(what, value, length=len(self.parameters[name]))
        if not 1 / LARGEST < min(sizes) <= max(sizes) < LARGEST:
            raise ValueError(
                f"{what} must be positive numbers (of {1 / LARGEST:g} to {LARGEST:g} m), not {sizes}"
            )
        return sizes

    def _parameters(self, who: str, values: Values, _start: Values) -> tuple[ObjectType, list[float]]:
        """Arena parameters; quick, since edits come here while the world runs."""
        solid = self.measure(who, values)
        m = values["mass"]
        if isinstance(m, tuple):
            m = m[1] * (solid.volume if m[0] == "density" else solid.mass)
        inertia = [m * x for x in solid.inertia]
        if not (0 < m < math.inf and 0 < inertia[0] < math.inf and 0 < inertia[-1] < math.inf):
            raise ValueError(
                f"{who} has mass {m:g} kg and inertia {tuple(inertia)} kg m², beyond float64; choose another "
                "size"
            )
        if self.dim == 2:
            return bodies.planar_body, [m, *inertia]
        if len(inertia) == 3:
            return _diagonal_parameters(m, *inertia)
        return _rigid_parameters(m, tuple(inertia))


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


Rod = Shape(
    "rod",
    {"length": 1.0, "radius": 0.05},
    _rod,
    places=bar_places,
    surface=bar_surface,
    doc="A solid round bar along its own x axis, with the points end1, end2 and centre.",
)

PlanarBody = Maker(
    "planar_body",
    {"mass": 1.0, "inertia": 1.0},
    _PLANAR_STATE,
    lambda _who, values, _start: (bodies.planar_body, [values["mass"], values["inertia"]]),
    check=lambda what, _name, value: number(what, value, positive=True),
    doc="A rigid body in the plane.",
)


# --- troids -------------------------------------------------------------------------------------
def _troid(who: str, values: dict[str, Any], start: dict[str, Any]) -> tuple[ObjectType, list[float]]:
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


def _troid_check(what: str, name: str, value: Any) -> Any:
    if name == "drawing":
        return vector(what, value)
    if name == "texture":
        return texture_from(what, value)
    return vector(what, [value] if isinstance(value, (int, float)) else value, length=(1, 4, 9))


def _troid_state(what: str, name: str, value: Any) -> tuple[float, ...]:
    return vector(what, value, length=(2, 3) if name in ("position", "velocity") else (4, 9))


Troid = Maker(
    "troid",
    {"mass": 1.0, "second_moment": (0.1,), "drawing": (), "texture": ""},
    {"position": (0.0, 0.0), "shape": (1.0, 0.0, 0.0, 1.0), "velocity": (0.0, 0.0), "shape_rate": (0.0,) * 4},
    _troid,
    check=_troid_check,
    check_state=_troid_state,
    doc="An affine body (ID90 §5.4): material point s lies at position + shape · s; second_moment is ∫ρ s "
    "sᵀ. Matrices by columns."
    "\n\n"
    "Its drawing, which goes along, is the corners of a polygon in a row; in space those of triangles. Its "
    "texture is an image that"
    " is stretched over the drawing: an array, the Path of a PNG or JPEG file, or a PNG as text.",
)
