"""Points of curves, surfaces and particles as pages draw them: as many as make a curve smooth."""

from __future__ import annotations

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.object import ObjectType

SAMPLES = 65  # points of a curve, at least, and
FINEST = 513  # at most
SMOOTH = 5e-4  # of a curve's size, half a pixel: how far it may go from the line between two of its points
LINES = 9  # of a surface's net, each way
_samplers: dict[tuple[int, int], tuple[ObjectType, ca.Function, int]] = {}
_curve_points: dict[int, tuple[ObjectType, ca.Function, tuple[float, float]]] = {}


def _point_of(what: ObjectType) -> tuple[ca.Function, tuple[float, float]]:
    """The point of a curve at u, of u and its lift, and its span."""
    known = _curve_points.get(id(what))
    if known is None:
        ell, u = ca.SX.sym("l", what.dim), ca.SX.sym("u")
        value = what.port.kind.wrap(ell)
        known = _curve_points[id(what)] = (
            what,
            ca.Function("point", [u, ell], [ca.densify(value.point(u))]),
            value.span,
        )
    return known[1:]


def fineness(what: ObjectType, lifts: Array, most: int) -> int:
    """As many points, of 65, 129, 257, 513 up to `most`, as make curves smooth; of each its lift."""
    count = SAMPLES
    while count < FINEST and 2 * count - 1 <= most and _bulge(what, lifts, count) > SMOOTH:
        count = 2 * count - 1
    return count


def _bulge(what: ObjectType, lifts: Array, count: int) -> float:
    """How far curves go from the lines between so many of their points, at most, in their sizes."""
    point, span = _point_of(what)
    at = np.linspace(span[0], span[1], 2 * count - 1)
    most = 0.0
    for lift in lifts:
        found = np.asarray(point(at[None], np.repeat(lift[:, None], len(at), axis=1)).full()).T
        if np.isfinite(found).all():
            ends, middles = found[::2], found[1::2]
            along, off = np.diff(ends, axis=0), middles - ends[:-1]
            share = np.clip((along * off).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-300), 0, 1)
            size = float(np.linalg.norm(np.ptp(found, axis=0)))
            most = max(
                most, float(np.linalg.norm(off - share[:, None] * along, axis=1).max()) / max(size, 1e-300)
            )
    return most


def sampler(what: ObjectType, count: int = SAMPLES) -> tuple[ca.Function, int]:
    """Points, one behind the other, of a curve (`count`), of a net on a surface, or of particles, from an
    object's lift."""
    known = _samplers.get((id(what), count))
    if known is None:
        ell = ca.SX.sym("l", what.dim)
        value = what.port.kind.wrap(ell)
        if what.kind.name == "curve":
            point, span = _point_of(what)  # read once, not once a point
            places = [point(u, ell) for u in np.linspace(span[0], span[1], count)]
        elif what.kind.name == "surface":
            places = [value.equations(u, v, value.state) for u, v in net(value.u_span, value.v_span)]
        else:
            places = list(value.places)
        columns = [ca.vertcat(x, *[0] * (3 - x.numel())) for x in places]
        known = what, ca.Function("points", [ell], [ca.densify(ca.vertcat(*columns))]), len(columns)
        _samplers[id(what), count] = known
    return known[1], known[2]


def net(u_span: tuple[float, float], v_span: tuple[float, float]) -> list[tuple[float, float]]:
    """One way along all lines of a net, there on one and back on the next, first along u, then along v."""
    lines, steps = np.linspace(0, 1, LINES), np.linspace(0, 1, 2 * LINES - 1)
    there = [(s, line) for k, line in enumerate(lines) for s in (steps if k % 2 == 0 else steps[::-1])]
    across = [(line, s) for k, line in enumerate(lines[::-1]) for s in (steps[::-1] if k % 2 == 0 else steps)]
    low = np.array([u_span[0], v_span[0]])
    size = np.array([u_span[1], v_span[1]]) - low
    return [tuple((low + size * np.array(place)).tolist()) for place in (*there, *across)]
