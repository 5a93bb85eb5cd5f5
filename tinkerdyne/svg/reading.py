"""Drawings in: the outlines of an SVG text or file become lines, Béziers, circles and ellipses, attached
where they meet.

Read are path, line, polyline, polygon, rect, circle and ellipse, with their transforms, and copies of them by
use. What is not shown (display, visibility) is left out. SVG's y points down, ours up.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from tinkerdyne.connectors.curves import curve_point
from tinkerdyne.constraints.points import connect
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import checked_name, number
from tinkerdyne.language.item import Item
from tinkerdyne.objects.curves import Circle, Ellipse
from tinkerdyne.objects.splines import Bezier, Line
from tinkerdyne.svg.paths import DROPPED, MOST_PIECES, NUMBER, SVGError, bounded, numbers, path, transform

UNIT = 0.01  # m for one unit of a drawing
LARGEST = 10_000_000  # bytes of a drawing
MOST_COPIED = 50_000  # elements, by use
DEEPEST = 100  # groups inside one another
HIDDEN = {
    "defs",
    "clipPath",
    "mask",
    "symbol",
    "marker",
    "pattern",
    "linearGradient",
    "radialGradient",
    "filter",
    "style",
}


def curves_from_svg(source: str | bytes | Path, *, unit: float = UNIT, name: str = "svg") -> list[Item]:
    """The curves of a drawing (its text, or the path of a file), each piece attached to the next; `unit`
    metres for each of its.

    Add them all: world.add(*curves_from_svg(Path("drawing.svg"))). What is no outline (text, images) is left
    out.
    """
    return [item for _, items in drawn(source, unit=unit, name=name) for item in items]


def drawn(source: str | bytes | Path, *, unit: float, name: str) -> list[tuple[str, list[Item]]]:
    """The fill rule ("nonzero" or "evenodd") and the curves of each element that has any."""
    unit = number("unit", unit, positive=True)
    root = _root(source)
    made: list[tuple[str, list[Item]]] = []
    flip = np.diag([unit, -unit, 1.0])
    named = {element.get("id"): element for element in root.iter()}
    stack = [(root, flip, 0, "visible", "nonzero")]
    curves, begun, left = 0, 0, len(list(root.iter())) + MOST_COPIED
    while stack:
        element, M, depth, visibility, rule = stack.pop()
        left -= 1
        tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if tag in HIDDEN or _style(element, "display") == "none":
            continue
        if depth > DEEPEST:
            raise SVGError(f"groups, or copies by use, lie more than {DEEPEST} deep inside one another")
        if left < 0:
            raise SVGError(f"the drawing copies more than {MOST_COPIED:,} elements by use; simplify it")
        visibility, rule = _style(element, "visibility") or visibility, _style(element, "fill-rule") or rule
        M = M @ transform(_who(element), element.get("transform", ""))
        if tag == "use":
            shift = np.array([[1, 0, _length(element, "x")], [0, 1, _length(element, "y")], [0, 0, 1]])
            stack += [
                (copied, M @ shift, depth + 1, visibility, rule) for copied in reversed(_used(element, named))
            ]
            continue
        subpaths = _outlines(element, tag) if visibility == "visible" else []
        curves += sum(len(pieces) for pieces, _ in subpaths) + (tag in ("circle", "ellipse"))
        if curves > MOST_PIECES:
            raise SVGError(
                f"the drawing has more than {MOST_PIECES:,} pieces; simplify it, or read parts of it"
            )
        found = _items(element, tag, subpaths, M, f"{name}-{begun + 1}") if visibility == "visible" else []
        begun += sum(item.type.family == "object" for item in found)
        made += [(rule, found)] if found else []
        stack += [(child, M, depth + 1, visibility, rule) for child in reversed(element)]
    if not made:
        raise SVGError("the drawing has no path, line, polyline, polygon, rect, circle or ellipse")
    return made


def _style(element: ET.Element, name: str) -> str:
    """A property of an element's own, by its style or its attribute; "" where it has none, or inherits it."""
    found: str = element.get(name, "")
    for part in element.get("style", "").split(";"):
        key, _, value = part.partition(":")
        if key.strip() == name:
            found = value.replace("!important", "").strip()
    return "" if found == "inherit" else found


def _used(element: ET.Element, named: dict[str | None, ET.Element]) -> list[ET.Element]:
    """What a use element copies; of a symbol, what is inside."""
    link = element.get("href", element.get("{http://www.w3.org/1999/xlink}href", ""))
    if not link.startswith("#") or link[1:] not in named:
        raise SVGError(
            f"{_who(element)} copies {link[:40]!r}, which is not in this drawing; put it in, or take the "
            "copy out"
        )
    target = named[link[1:]]
    return list(target) if target.tag.rpartition("}")[2] == "symbol" else [target]


def content(source: str | bytes | Path) -> str | bytes:
    """A drawing, or that of a file, if it is not too large to be read."""
    if isinstance(source, Path):
        if source.stat().st_size > LARGEST:
            raise SVGError(f"{source.name} has more than {LARGEST:,} bytes")
        source = source.read_bytes()
    if len(source) > LARGEST:
        raise SVGError(f"a drawing may have {LARGEST:,} bytes, not {len(source):,}")
    return source


def _root(source: str | bytes | Path) -> ET.Element:
    """The root element of a drawing, checked before anything is parsed."""
    source = content(source)
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source.removeprefix("\ufeff")
    except UnicodeDecodeError as problem:
        raise SVGError(
            f"the drawing is not UTF-8 text: byte {problem.start} is {problem.object[problem.start]:#04x}"
        ) from None
    if not text.strip():
        raise SVGError("the drawing is empty")
    if "<!ENTITY" in text:
        raise SVGError(
            "the drawing declares entities (<!ENTITY …>), which may read files or grow without end; remove "
            "them"
        )
    try:
        root = ET.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except ET.ParseError as problem:
        line, column = problem.position
        raise SVGError(f"this is no XML at line {line}, column {column + 1}: {problem}") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise SVGError(f"this is no SVG drawing: its root is <{root.tag.rpartition('}')[2]}>, not <svg>")
    return root


Outlines = list[tuple[list[Array], bool]]


def _items(element: ET.Element, tag: str, subpaths: Outlines, M: Array, name: str) -> list[Item]:
    who = _who(element)
    checked_name(f"the name of {who}", name)
    if tag in ("circle", "ellipse"):
        r = _length(element, "r") if tag == "circle" else 0.0
        radii = (r, r) if tag == "circle" else (_length(element, "rx"), _length(element, "ry"))
        if min(radii) < 0:
            raise SVGError(f"{who} has a negative radius")
        return (
            [_round(M, (_length(element, "cx"), _length(element, "cy")), radii, name)]
            if min(radii) > 0
            else []
        )
    return [
        item
        for k, (pieces, closed) in enumerate(subpaths)
        for item in _chain(pieces, closed, M, f"{name}.{k + 1}")
    ]


def _outlines(element: ET.Element, tag: str) -> Outlines:
    """The pieces of an element, before anything is made of them."""
    who = _who(element)
    if tag == "path":
        return path(f"d of {who}", element.get("d", ""))
    if tag == "line":
        ends = np.array(
            [
                [_length(element, "x1"), _length(element, "y1")],
                [_length(element, "x2"), _length(element, "y2")],
            ]
        )
        return [([ends], False)] if np.ptp(ends, axis=0).max() > DROPPED else []
    if tag in ("polyline", "polygon"):
        flat = numbers(f"points of {who}", element.get("points", ""))
        if len(flat) > 2 * MOST_PIECES + 2:
            raise SVGError(f"{who} has more than {MOST_PIECES:,} pieces; simplify it, or read parts of it")
        text = "M" + " ".join(map(repr, flat[: len(flat) // 2 * 2])) + ("Z" if tag == "polygon" else "")
        return path(who, text) if len(flat) >= 4 else []
    return _rect(element, who) if tag == "rect" else []


def _rect(element: ET.Element, who: str) -> list[tuple[list[Array], bool]]:
    x, y, w, h = (_length(element, n) for n in ("x", "y", "width", "height"))
    if min(w, h) < 0:
        raise SVGError(f"{who} has a negative size")
    if w == 0 or h == 0:
        return []
    rx = _length(element, "rx", _length(element, "ry"))
    ry = _length(element, "ry", rx)
    rx, ry = min(abs(rx), w / 2), min(abs(ry), h / 2)
    if rx == 0 or ry == 0:
        return path(who, f"M{x!r} {y!r}h{w!r}v{h!r}h{-w!r}z")
    turn = f"a{rx!r} {ry!r} 0 0 1"
    across, down = w - 2 * rx, h - 2 * ry
    right = f"M{x + rx!r} {y!r}h{across!r}{turn} {rx!r} {ry!r}v{down!r}{turn} {-rx!r} {ry!r}"
    return path(who, f"{right}h{-across!r}{turn} {-rx!r} {-ry!r}v{-down!r}{turn} {rx!r} {-ry!r}z")


def _round(M: Array, centre: tuple[float, float], radii: tuple[float, float], name: str) -> Item:
    """A circle or an ellipse under an affine map: an ellipse again, by the singular values of the map."""
    place = (M @ [*centre, 1.0])[:2]
    U, size, _ = np.linalg.svd(M[:2, :2] @ np.diag(radii))
    if size[0] - size[1] <= 1e-9 * size[0]:
        return Circle(name, position=tuple(place.tolist()), radius=float(size[0]))
    return Ellipse(
        name, position=tuple(place.tolist()), radii=tuple(size.tolist()), angle=math.atan2(U[1, 0], U[0, 0])
    )


def _chain(pieces: list[Array], closed: bool, M: Array, name: str) -> list[Item]:
    """Lines and Béziers one after another, attached at their ends."""
    curves: list[Item] = []
    for k, piece in enumerate(pieces):
        points = tuple(map(tuple, (piece @ M[:2, :2].T + M[:2, 2]).tolist()))
        curves.append((Line if len(points) == 2 else Bezier)(f"{name}.{k + 1}", points=points))
    count = len(curves)
    joined = [(curves[k], curves[(k + 1) % count]) for k in range(count if closed else count - 1)]
    return [*curves, *[connect(curve_point(a, u=1.0), curve_point(b, u=0.0)) for a, b in joined]]


def _length(element: ET.Element, name: str, default: float = 0.0) -> float:
    text = element.get(name)
    if text is None:
        return default
    match = NUMBER.fullmatch(text.strip().removesuffix("px"))
    if match is None:
        raise SVGError(
            f"{name} of {_who(element)} must be a number, not {text[:40]!r}; units other than px are not read"
        )
    return bounded(f"{name} of {_who(element)}", match.group())


def _who(element: ET.Element) -> str:
    tag = element.tag.rpartition("}")[2]
    return f"{tag} {element.get('id')!r}" if element.get("id") else tag
