"""Drawings out: curves, planar bodies, particles and troids with their images of a world as SVG; our y points
up, SVG's down."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np

from tinkerdyne.files import write_file
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.curves import Circle, Ellipse, Rectangle, polyline
from tinkerdyne.objects.shapes import outline
from tinkerdyne.objects.splines import BSpline
from tinkerdyne.objects.troids import drawing_of, texture_corners
from tinkerdyne.svg.chains import Chain, chains, is_piece
from tinkerdyne.world.world import World

UNIT = 0.01  # m for one unit of a drawing
SVG = "http://www.w3.org/2000/svg"


def svg_of(world: World, *, unit: float = UNIT, margin: float = 10.0, stroke: float = 1.0) -> str:
    """The plane world as an SVG drawing: curves as lines, bodies as outlines; one unit of the drawing is
    `unit` metres.

    Lines and Béziers that are attached end to end are one path, with the name of its first piece.
    """
    unit = number("unit", unit, positive=True)
    outlines = {chain.items[0].name: chain for chain in chains(world)}
    shapes = [(item, *shape) for item in world.items if (shape := _shape(item)) is not None]
    if not shapes:
        raise ValueError(
            "nothing of this world lies in the plane; an SVG drawing shows curves and bodies with two "
            "coordinates"
        )
    for item, places, _, _ in shapes:
        if not np.all(np.isfinite(places)):
            raise ValueError(f"{label(item)} is at no finite place; it cannot be drawn")
    corners = np.concatenate([_extent(places, sort) for _, places, sort, _ in shapes]) * (1 / unit, -1 / unit)
    low, size = corners.min(axis=0) - margin, np.ptp(corners, axis=0) + 2 * margin
    ET.register_namespace("", SVG)
    box = " ".join(_text(x) for x in (*low, *size))
    root = ET.Element(f"{{{SVG}}}svg", viewBox=box, width=_text(size[0]), height=_text(size[1]))
    style = {"fill": "none", "stroke": "black", "stroke-width": _text(stroke), "stroke-linejoin": "round"}
    group = ET.SubElement(root, f"{{{SVG}}}g", style)
    for item, places, sort, closed in shapes:
        if is_piece(item):
            if item.name in outlines:
                ET.SubElement(group, f"{{{SVG}}}path", id=item.name, d=_outline(outlines[item.name], unit))
            continue
        flat = places * (1 / unit, -1 / unit)
        if sort == "round":  # the centre, and the half axes
            a, b = flat[1], flat[2]
            turn = f"translate({_pair(flat[0])}) rotate({_text(math.degrees(math.atan2(a[1], a[0])))})"
            sizes = {"rx": _text(np.hypot(*a)), "ry": _text(np.hypot(*b))}
            ET.SubElement(group, f"{{{SVG}}}ellipse", {"id": item.name, "transform": turn, **sizes})
            continue
        d = _smooth(flat) if sort == "pieces" else "M" + " L".join(_pair(p) for p in flat)
        if item.values.get("texture"):
            _image(group, item, d + "Z", unit)
        ET.SubElement(group, f"{{{SVG}}}path", id=item.name, d=d + ("Z" if closed else ""))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _outline(chain: Chain, unit: float) -> str:
    """The path of pieces of degree one to three, one after the other."""
    pieces = [piece * (1 / unit, -1 / unit) for piece in chain.pieces]
    if chain.is_closed:
        pieces[-1][-1] = pieces[0][0]
    steps = [f" {' LQC'[len(piece) - 1]}" + " ".join(_pair(p) for p in piece[1:]) for piece in pieces]
    return "M" + _pair(pieces[0][0]) + "".join(steps) + ("Z" if chain.is_closed else "")


def _image(group: ET.Element, item: Item, outline: str, unit: float) -> None:
    """A troid's texture, stretched over its drawing and cut at its outline."""
    corner, right, low = np.array(item.position) + texture_corners(item) @ np.array(item.shape).reshape(2, 2)
    clip = ET.SubElement(group, f"{{{SVG}}}clipPath", id=f"outline-{len(group)}")
    ET.SubElement(clip, f"{{{SVG}}}path", d=outline)
    cut = ET.SubElement(group, f"{{{SVG}}}g", {"clip-path": f"url(#{clip.get('id')})"})
    matrix = " ".join(_pair(x * (1 / unit, -1 / unit)) for x in (right - corner, low - corner, corner))
    style = {"width": "1", "height": "1", "preserveAspectRatio": "none", "transform": f"matrix({matrix})"}
    ET.SubElement(cut, f"{{{SVG}}}image", {"href": str(item.texture), **style})


def save_svg(world: World, path: str | Path, **options: Any) -> None:
    """Write the drawing of a plane world to a file, whole or not at all."""
    if not isinstance(world, World):
        raise TypeError(f"save_svg takes a world first, not {world!r}; write save_svg(world, 'drawing.svg')")
    write_file(path, svg_of(world, **options).encode())


def _shape(item: Item) -> tuple[Array, str, bool] | None:
    """Places of an object in the plane, whether they are a polygon, cubic pieces or an ellipse, and whether
    they close."""
    if item.type.family != "object":
        return None
    kind = item.type.resolve(item)[0]
    if kind.kind.name == "curve":
        return _curve(item, kind)
    if kind.kind.name not in ("point", "frame") or len(item.position) != 2:
        return None
    if "shape" in item.type.state_names():
        return (
            np.array(item.position) + drawing_of(item)[0] @ np.array(item.shape).reshape(2, 2),
            "polygon",
            True,
        )
    corners = outline(item)
    if kind.kind.name == "frame":
        c, s = math.cos(item.angle), math.sin(item.angle)
        corners = corners @ np.array([[c, s], [-s, c]])
    return np.array(item.position) + corners, "polygon", True


def _curve(item: Item, kind: Any) -> tuple[Array, str, bool] | None:
    points = polyline(item)
    if points.shape[1] != 2:
        return None
    closed = kind.kind.wrap(np.zeros(kind.dim)).closing != "open"
    if item.type in (Circle, Ellipse):
        radii = item.radii if item.type is Ellipse else (item.radius, item.radius)
        c, s = math.cos(getattr(item, "angle", 0.0)), math.sin(getattr(item, "angle", 0.0))
        return (
            np.array([item.position, (radii[0] * c, radii[0] * s), (-radii[1] * s, radii[1] * c)]),
            "round",
            True,
        )
    if is_piece(item):
        return np.array(item.points), "polygon", False
    if item.type is Rectangle:
        return polyline(item, segments=4)[:-1], "polygon", True
    if item.type is BSpline:
        p = np.array(item.points)
        p = np.vstack([p[-1:], p, p[:2]]) if closed else p
        k, l, m, n = p[:-3], p[1:-2], p[2:-1], p[3:]
        return (
            np.stack([(k + 4 * l + m) / 6, (2 * l + m) / 3, (l + 2 * m) / 3, (l + 4 * m + n) / 6], axis=1),
            "pieces",
            closed,
        )
    return (points[:-1] if closed else points), "polygon", closed


def _extent(places: Array, sort: str) -> Array:
    """Places that a drawing must hold."""
    if sort != "round":
        return places.reshape(-1, 2)
    reach = np.hypot(places[1], places[2])
    return np.stack([places[0] - reach, places[0] + reach])


def _smooth(pieces: Array) -> str:
    return (
        "M" + _pair(pieces[0, 0]) + "".join(" C" + " ".join(_pair(p) for p in piece[1:]) for piece in pieces)
    )


def _pair(p: Array) -> str:
    return f"{_text(p[0])} {_text(p[1])}"


def _text(x: float) -> str:
    """A number with all its digits but the last, which units and rounding took."""
    return f"{x + 0.0:.15g}"
