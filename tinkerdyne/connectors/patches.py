"""Points and normals of parametric surfaces, at fixed and at sliding parameters (G2)."""

from __future__ import annotations

from tinkerdyne.language.kinds import Direction, Number, Point, Scalar, Surface
from tinkerdyne.language.symbols import normalise
from tinkerdyne.language.types import connector


@connector
def surface_point(surface: Surface, *, u: Number = 0.0, v: Number = 0.0) -> Point:
    """The point of a surface at fixed parameters (u, v)   [m]."""
    return surface.point(u, v)


@connector
def surface_slider(surface: Surface, u: Scalar, v: Scalar) -> Point:
    """The point of a surface at the parameters that two variables hold: it slides   [m]."""
    return surface.point(u, v)


@connector
def surface_normal(surface: Surface, *, u: Number = 0.0, v: Number = 0.0) -> Direction:
    """The unit normal of a surface in space at (u, v), along x_u × x_v."""
    n = surface.normal(u, v)
    if n.numel() != 3:
        raise ValueError("a patch of the plane has no normal in it")
    return normalise(n)
