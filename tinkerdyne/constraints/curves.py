"""Drawing with constraints: curves that touch, mirror images, equal lengths and areas, numbers that are
locked (G2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import casadi as ca
import numpy as np

from tinkerdyne.connectors.curves import area_within, curve_point, length_of, number_of, tangent
from tinkerdyne.connectors.measures import component, stack
from tinkerdyne.constraints.algebra import at_least, at_most, equal, held
from tinkerdyne.constraints.points import across
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.calls import says_how
from tinkerdyne.language.item import Item, an_item, label
from tinkerdyne.language.kinds import Choice, Curve, Direction, Point, Scalar
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX, cos, cross, dot, normalise, sin
from tinkerdyne.language.types import constraint, port_of
from tinkerdyne.objects.object import StatePart
from tinkerdyne.objects.splines import Line

# How the parts of a curve's state go over to its mirror image; what is not named here has none of its type,
# as a spiral's winding.
MIRRORING = {
    "position": "place",
    "points": "place",
    "radius": "same",
    "radii": "same",
    "size": "same",
    "exponent": "same",
    "angle": "turn",
    "begin": "swap",
    "end": "swap",
}


@look(seat="contact", slides="cross")
@constraint
def attach(a: Curve, u: Scalar, b: Curve, w: Scalar) -> SX:
    """Two curves meet where two variables say, and slide:  c = a(u) − b(w)   [m]."""
    return _same(a.point(u), b.point(w))


@look(seat="contact", slides="tangent")
@constraint
def tangential(a: Curve, u: Scalar, b: Curve, w: Scalar) -> SX:
    """Two curves touch where two variables say, and slide:  a(u) = b(w) [m], and their tangents are parallel
    there."""
    gap = _same(a.point(u), b.point(w))
    s, t = normalise(a.tangent(u)), normalise(b.tangent(w))
    if gap.numel() == 2:
        return ca.vertcat(gap, cross(s, t))
    first, second = across(s)
    return ca.vertcat(gap, dot(first, t), dot(second, t))


@look(seat="contact")
@constraint
def through(a: Curve, u: Scalar, p: Point, along: Direction) -> SX:
    """A curve goes through a point, where a variable says, along a direction or against it."""
    gap = _same(a.point(u), p)
    t = normalise(a.tangent(u))
    if gap.numel() == 2:
        return ca.vertcat(gap, cross(along, t))
    first, second = across(along)
    return ca.vertcat(gap, dot(first, t), dot(second, t))


@constraint
def mirrored(a: Point, b: Point, origin: Point, along: Direction) -> SX:
    """b is the mirror image of a in the line (in space: the plane across it) through `origin` along a
    direction   [m].

    In the plane the middle of a and b lies on the line, and b − a is across it; in space `along` is the
    normal of the mirror.
    """
    middle = (a + b) / 2 - origin
    if middle.numel() == 2:
        return ca.vertcat(cross(along, middle), dot(along, b - a))
    first, second = across(along)
    return ca.vertcat(dot(along, middle), dot(first, b - a), dot(second, b - a))


@constraint(tied=True)
def mirrored_curve(a: Curve, b: Curve, origin: Point, along: Direction, *, ways: Choice = ()) -> SX:
    """A plane curve is the mirror image of another in the line through `origin` along a direction, number by
    number.

    `ways` says how: "place" two numbers that are mirrored as a point [m] (all are, when nothing is said),
    "same" one that both have alike, "turn" the angle of an axis, α + β = 2φ up to half turns, "swap" two
    angles that change places, up to full turns.
    """
    if origin.numel() != 2 or a.state.numel() != b.state.numel():
        raise ValueError("mirror images are of two plane curves of one type")
    rows: list[SX] = []
    k = 0
    x, y = along[0], along[1]  # cos φ, sin φ
    for way in ways or ("place",) * (a.state.numel() // 2):
        p, q = (state[k : k + (2 if way in ("place", "swap") else 1)] for state in (a.state, b.state))
        k += p.numel()
        if way == "place":
            rows += [cross(along, (p + q) / 2 - origin), dot(along, q - p)]
        elif way == "same":
            rows.append(q - p)
        elif way == "turn":
            rows.append(sin(p + q) * (x * x - y * y) - cos(p + q) * 2 * x * y)
        else:
            rows += [2 * (sin((p[i] + q[1 - i]) / 2) * x - cos((p[i] + q[1 - i]) / 2) * y) for i in (0, 1)]
    return ca.vertcat(*rows)


def _same(a: SX, b: SX) -> SX:
    if a.numel() != b.numel():
        raise ValueError(
            f"one point has {a.numel()} numbers, the other {b.numel()}; both must lie in the plane, or in "
            "space"
        )
    return a - b


def _ends(item: Item) -> Sequence[Item]:
    """Stops for what slides on open curves, at their two ends; delete them to let it slide beyond."""
    stops: list[Item] = []
    for curve, u in zip(item.inputs[0::2], item.inputs[1::2], strict=True):
        port = port_of(curve)
        if not port.kind.is_a(Curve):
            continue
        value = port.kind.wrap(ca.SX.sym("q", port.dim))
        if value.closing == "open":
            low, high = value.span
            stops += [
                at_least(u, low=low, name=f"{u.name}.start"),
                at_most(u, high=high, name=f"{u.name}.end"),
            ]
    return stops


attach.companions = tangential.companions = through.companions = _ends


def equal_length(a: Item, b: Item, *, name: str = "") -> Item:
    """Keep two curves equally long."""
    return equal(length_of(a), length_of(b), name=name)


def equal_area(a: Item, b: Item, *, name: str = "") -> Item:
    """Keep the areas within two closed plane curves equal; an area is signed, positive when u goes round to
    the left."""
    return equal(area_within(a), area_within(b), name=name)


def equal_radius(a: Item, b: Item, *, name: str = "") -> Item:
    """Keep the radii of two circles or arcs equal; of two ellipses both, of typed curves the number `radius`
    or `r`."""
    found = [_radii(item) for item in (a, b)]
    if len(found[0]) != len(found[1]):
        raise ValueError(
            f"{label(a)} and {label(b)} have {len(found[0])} and {len(found[1])} radii; both need as many"
        )
    first, second = (one[0] if len(one) == 1 else stack(*one) for one in found)
    return equal(first, second, name=name)


def _radii(item: Item) -> list[Item]:
    known = an_item("equal_radius", item).values.get("names") or [part.name for part in _state_parts(item)]
    what = next((word for word in ("radius", "radii", "r") if word in known), None)
    if what is None:
        raise TypeError(
            f"{label(item)} has no radius; circles, arcs and ellipses have, and typed curves with a number r "
            "or radius"
        )
    return measures(item, what)


def mirror_images(a: Item, b: Item, line: Item, *, name: str = "") -> Item:
    """Keep two curves of one type mirror images of each other in a third one, a line."""
    if an_item("mirror_images", line).type is not Line:
        raise TypeError(f"{label(line)} is no straight line; curves are mirrored in a line")
    for item in (a, b):
        if an_item("mirror_images", item).type.family != "object":
            raise TypeError(f"{label(item)} has no places; mirror images are curves")
    if a.type is not b.type or a.type.resolve(a)[0] is not b.type.resolve(b)[0]:
        raise TypeError(
            f"{label(a)} and {label(b)} are of two types; mirror images are of one type, with as many points"
        )
    ways: list[str] = []
    for part in _state_parts(a):
        way = MIRRORING.get(part.name, "")
        if not way:
            raise TypeError(
                f"{label(a)} has no mirror image of its own type; mirror single points of it instead"
            )
        ways += [way] * (part.dim // 2 if way == "place" else part.dim)
    if "swap" in ways:
        ways.remove("swap")  # begin and end are one pair
    origin, along = curve_point(line, u=0.0), tangent(line, u=0.0)
    return mirrored_curve(a, b, origin, along, ways=tuple(ways), name=name)


def mirror_points(a: Item, b: Item, line: Item, *, name: str = "") -> Item:
    """Keep two points mirror images of each other in a line that is a curve."""
    if an_item("mirror_points", line).type is not Line:
        raise TypeError(f"{label(line)} is no straight line; points are mirrored in a line")
    return mirrored(a, b, curve_point(line, u=0.0), tangent(line, u=0.0), name=name)


def measures(item: Item, what: str) -> list[Item]:
    """A part of an object's state as scalars: "radius", "position", "position.x", "points[2]", "points[2].y",
    "a"."""
    is_object = an_item("a measure or lock", item).type.family == "object"
    kind = port_of(item).kind if is_object else None
    if kind is None or not any(kind.is_a(one) for one in (Curve, Point, Scalar)):
        raise TypeError(
            f"{label(item)} has no numbers to take one by one; that is for curves, particles and variables"
        )
    places = _indices(item, what)
    if kind.is_a(Curve):
        return [number_of(item, index=k) for k in places]
    return [item] if kind.is_a(Scalar) else [component(item, of=float(k)) for k in places]


def parameter_of(item: Item, what: str) -> Item:
    """One number of an object's state as a measure: parameter_of(circle, "radius"), parameter_of(line,
    "points[0].x")."""
    found = measures(item, what)
    if len(found) != 1:
        raise ValueError(
            f"{what} of {label(item)} is {len(found)} numbers; say which, such as {what}.x or {what}[0]"
        )
    return found[0]


@says_how
def lock(
    item: Item, what: str, *, at: float | Sequence[float] | None = None, name: str = "", tau: float = 0.1
) -> Item:
    """Hold a part of an object's state where it is, or at a value: lock(circle, "radius"), lock(line,
    "points[0]")."""
    found = measures(item, what)
    now = [float(np.ravel(_state(item))[k]) for k in _indices(item, what)]
    value = now if at is None else np.ravel(at).tolist()
    measure = found[0] if len(found) == 1 else stack(*found)
    return held(measure, at=tuple(value), name=name, tau=tau)


def _state(item: Item) -> Array:
    return np.concatenate([np.ravel(getattr(item, part.name)) for part in _state_parts(item)])


def _state_parts(item: Item) -> Sequence[StatePart]:
    """The parts of an object's state that are places; none of what is no object."""
    return item.type.resolve(item)[0].positions if item.type.family == "object" else ()


def _indices(item: Item, what: str) -> list[int]:
    """Places in the flat state of a part by its name."""
    names = item.values.get("names", ())
    typed = [k for k, n in enumerate(names) if what in (n, n.partition(".")[0])]
    if typed:
        return typed
    found = re.fullmatch(r"(\w+)(?:\[(\d{1,4})\])?(?:\.([xyz]))?", what) if isinstance(what, str) else None
    at = 0
    for part in _state_parts(item):
        if found and part.name == found[1]:
            here = np.arange(at, at + part.dim).reshape(np.shape(getattr(item, part.name)))
            pick: tuple[int, ...] = ((int(found[2]),) if found[2] else ()) + (
                ("xyz".index(found[3]),) if found[3] else ()
            )
            if len(pick) <= here.ndim and all(k < n for k, n in zip(pick, here.shape, strict=False)):
                return [int(k) for k in np.ravel(here[pick])]
        at += part.dim
    known = [*names, *(part.name for part in _state_parts(item) if not names)]
    raise ValueError(
        f"{label(item)} has no {what!r} to lock or to measure; it has {', '.join(known)}, and parts such as "
        "[0] or .x"
    )
