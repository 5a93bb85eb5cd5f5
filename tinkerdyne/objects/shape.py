"""Bodies with a shape: their mass properties follow from it, and from either a mass or a density."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.item_type import Option
from tinkerdyne.language.kinds import Value
from tinkerdyne.objects import bodies
from tinkerdyne.objects.boundary import Boundary, Parts
from tinkerdyne.objects.inertia import Tensor, by_rows, diagonal_parameters, rigid_parameters
from tinkerdyne.objects.maker import Check, Maker, Picture, Places, mass
from tinkerdyne.objects.mesh import LARGEST, Solid
from tinkerdyne.objects.object import ObjectType


def rigid_state(what: str, name: str, value: object) -> tuple[float, ...]:
    """A part of the state of a rigid body in space; an orientation is made a unit quaternion."""
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


RIGID_STATE = {
    "position": (0.0, 0.0, 0.0),
    "orientation": (1.0, 0.0, 0.0, 0.0),
    "velocity": (0.0, 0.0, 0.0),
    "spin": (0.0, 0.0, 0.0),
}
PLANAR_STATE = {"position": (0.0, 0.0), "angle": 0.0, "velocity": (0.0, 0.0), "spin": 0.0}


class Body(Item):
    """A body with a shape. Its parameter `mass` is a mass, or ("density", ρ): then the mass follows the
    shape.

    Setting `density` is setting that parameter, so that one value says which of the two holds, in files and
    in edits.
    """

    __slots__ = ()
    type: Shape

    @property
    def mass(self) -> float:
        """Its mass [kg]."""
        self._alive()
        found: float = self.type.resolve(self)[1][0]
        return found

    @property
    def density(self) -> float:
        """Mass by volume [kg/m³], in the plane by area [kg/m²]."""
        given = self.values["mass"]
        return (
            self.mass / self.volume if isinstance(given, float) or given[0] != "density" else float(given[1])
        )

    @property
    def volume(self) -> float:
        """Its volume [m³], in the plane its area [m²]."""
        self._alive()
        return self.type.measure(label(self), self.values).volume

    @property
    def inertia(self) -> Tensor | float:
        """Its inertia about the centre of mass in its own axes: three rows of three, in the plane one number
        [kg m²]."""
        self._alive()
        row = self.type.resolve(self)[1]
        return row[1] if len(row) == 2 else by_rows(row[1:10])

    @property
    def offset(self) -> tuple[float, ...]:
        """Where its origin, the centre of mass, lies in the axes in which vertices or parts were given
        [m]."""
        self._alive()
        return self.type.measure(label(self), self.values).centre

    def _spelled(self, name: str, value: Any) -> tuple[str, Any]:
        return ("mass", ("density", value)) if name == "density" else (name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(*self._spelled(name, value))


def rectangle_places(width: float, height: float, *rest: float) -> Places:
    """Corners, middles of the edges and centre of a rectangle."""
    x, y = width / 2, height / 2
    edges = {"left": (-x, 0.0), "right": (x, 0.0), "bottom": (0.0, -y), "top": (0.0, y)}
    corners = {"bottom_left": (-x, -y), "bottom_right": (x, -y), "top_left": (-x, y), "top_right": (x, y)}
    return {name: (*at, *rest) for name, at in {"centre": (0.0, 0.0), **edges, **corners}.items()}


def mass_or_density(what: str, value: object, *others: str) -> float | tuple[str, float]:
    """A mass, or ("density", ρ), or another such pair that is allowed."""
    if isinstance(value, (tuple, list)) and len(value) == 2 and value[0] in ("density", *others):
        return value[0], number(what.replace("mass", value[0], 1), value[1], positive=True)
    return mass(what, value)


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
        surface: Callable[[Values, int], Picture],
        boundary: Boundary,
        dim: int = 3,
        mass: Value = 1.0,
        check: Check | None = None,
        doc: str = "",
        units: Mapping[str, str] | None = None,
    ) -> None:
        self.measure = measure
        self.surface = surface
        self.bounds = boundary
        self.dim = dim
        # what a mass may be counted by, besides density
        self.words = (mass[0],) if isinstance(mass, tuple) else ()
        state, check_state = (RIGID_STATE, rigid_state) if dim == 3 else (PLANAR_STATE, None)
        super().__init__(
            name,
            {"mass": mass, **parameters},
            state,
            self._parameters,
            check=check or self._size,
            check_state=check_state,
            places=places,
            doc=doc,
            module=measure.__module__,
            units={
                **dict.fromkeys(parameters, "m"),
                "density": "kg/m³" if dim == 3 else "kg/m²",
                **(units or {}),
            },
        )

    def parameter_names(self) -> tuple[str, ...]:
        """As a file may spell them."""
        return ("density", *self.parameters)

    def checked(self, item: str, name: str, value: object) -> Value:
        if name == "mass":
            return mass_or_density(f"mass of {item}", value, *self.words)
        if name == "density":
            raise ValueError(
                f'density of {item} is set as its mass: give "mass" the value ("density", {value!r})'
            )
        return super().checked(item, name, value)

    def options(self) -> Iterator[Option]:
        for option in super().options():
            yield option
            if option.name == "mass":
                yield Option("density", "float", None, self.units["density"])

    def as_given(self, values: Values) -> Values:
        mass = values.get("mass")
        if not isinstance(mass, tuple) or mass[0] != "density":
            return values
        return {**{k: v for k, v in values.items() if k != "mass"}, "density": mass[1]}

    def make(self, name: str, inputs: Sequence[Item], options: Values) -> Item:
        if "density" in options:
            if "mass" in options:
                who = f"{self.name} {name!r}" if name else f"a new {self.name}"
                both = f"mass {options['mass']!r} and density {options['density']!r}"
                raise ValueError(
                    f"{who} is given both {both}; give one of them, the other follows from its shape"
                )
            options["mass"] = ("density", options.pop("density"))
        return super().make(name, inputs, options)

    def picture(self, item: Item, segments: int) -> Picture:
        return self.surface(item.values, segments)

    def boundary(self, item: Item) -> Parts:
        return self.bounds(item.values)

    def _size(self, what: str, name: str, value: object) -> Value:
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
            return diagonal_parameters(m, *inertia)
        return rigid_parameters(m, tuple(inertia))
