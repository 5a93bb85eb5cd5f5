"""Entities of a DXF drawing as paths: straight pieces and cubics."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.svg.paths import SVGError

# One place is the end of a straight piece (of the first piece its start), three are those of a cubic.
Piece = tuple[Array, ...]
Outline = tuple[list[Piece], bool]  # and whether it closes


@dataclass
class Entity:
    """An entity: its kind, the line where it stands, its pairs of codes and values, and its vertices."""

    kind: str
    line: int
    pairs: list[tuple[int, str]] = field(default_factory=list)
    vertices: list[Entity] = field(default_factory=list)

    def number(self, code: int, default: float = 0.0) -> float:
        return next((number_of(value, self) for key, value in self.pairs if key == code), default)

    def text(self, code: int) -> str:
        return next((value for key, value in self.pairs if key == code), "")

    def all(self, code: int) -> list[float]:
        return [number_of(value, self) for key, value in self.pairs if key == code]

    def __str__(self) -> str:
        return f"line {self.line}: {self.kind}"


def number_of(value: str, where: Entity) -> float:
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise SVGError(f"{where}: {value[:40]!r} is no number")
    return found


def path_of(outline: Outline, M: Array) -> str:
    """As SVG writes it, moved."""
    pieces, closes = outline
    words = []
    for k, piece in enumerate(pieces):
        letter = "M" if k == 0 else "L" if len(piece) == 1 else "C"
        places = [M[:2, :2] @ p + M[:2, 2] for p in piece]
        words.append(letter + " ".join(f"{x!r},{y!r}" for x, y in (map(float, p) for p in places)))
    return " ".join([*words, "Z"] if closes else words)


def _line(entity: Entity) -> Outline:
    ends = [np.array([entity.number(10 + k), entity.number(20 + k)]) for k in (0, 1)]
    return [(ends[0],), (ends[1],)], False


def _arc_pieces(centre: Array, u: Array, v: Array, start: float, end: float) -> list[Piece]:
    """Cubics along  centre + u cos t + v sin t, a quarter at most each; the first is where it begins."""
    count = max(1, math.ceil((end - start) / (math.pi / 2) - 1e-9))
    h = (end - start) / count
    k = 4 / 3 * math.tan(h / 4)
    found: list[Piece] = [(centre + u * math.cos(start) + v * math.sin(start),)]
    for j in range(count):
        a, b = start + j * h, start + (j + 1) * h
        (ca, sa), (cb, sb) = (math.cos(a), math.sin(a)), (math.cos(b), math.sin(b))
        p, q = centre + u * ca + v * sa, centre + u * cb + v * sb
        found.append((p + k * (v * ca - u * sa), q - k * (v * cb - u * sb), q))
    return found


def _circle(entity: Entity) -> Outline:
    r, centre = entity.number(40), np.array([entity.number(10), entity.number(20)])
    if r <= 0:
        raise SVGError(f"{entity}: its radius is {r:g}")
    x, y = np.array([r, 0.0]), np.array([0.0, r])
    if entity.kind == "CIRCLE":
        return _arc_pieces(centre, x, y, 0.0, 2 * math.pi), True
    start, end = (math.radians(entity.number(code)) for code in (50, 51))
    return _arc_pieces(centre, x, y, start, end + 2 * math.pi * (end <= start)), False


def _ellipse(entity: Entity) -> Outline:
    centre = np.array([entity.number(10), entity.number(20)])
    u = np.array([entity.number(11), entity.number(21)])
    side = 1.0 if entity.number(230, 1.0) >= 0 else -1.0
    v = side * entity.number(40, 1.0) * np.array([-u[1], u[0]])
    start, end = entity.number(41), entity.number(42, 2 * math.pi)
    end += 2 * math.pi * (end <= start)
    return _arc_pieces(centre, u, v, start, end), end - start > 2 * math.pi - 1e-9


def _polyline(entity: Entity) -> Outline:
    """Straight pieces, and arcs where a vertex has a bulge: the tangent of a quarter of their angle."""
    places, bulges = _corners(entity)
    if len(places) < 2:
        raise SVGError(f"{entity}: it has {len(places)} vertices")
    closes = bool(int(entity.number(70)) & 1)
    found: list[Piece] = [(places[0],)]
    for k in range(len(places) if closes else len(places) - 1):
        a, b, bulge = places[k], places[(k + 1) % len(places)], bulges[k]
        if abs(bulge) < 1e-12 or not (b - a).any():
            found.append((b,))
            continue
        # middle of the circle: from the middle of the chord across it by |b − a| (1 − bulge²)/(4 bulge)
        across = np.array([-(b - a)[1], (b - a)[0]])
        centre = (a + b) / 2 + across * (1 - bulge**2) / (4 * bulge)
        u = a - centre
        v = np.array([-u[1], u[0]]) * math.copysign(1.0, bulge)
        *pieces, (p, q, _) = _arc_pieces(centre, u, v, 0.0, 4 * math.atan(abs(bulge)))[1:]
        found += [*pieces, (p, q, b)]
    return found, closes


def _corners(entity: Entity) -> tuple[list[Array], list[float]]:
    if entity.kind == "POLYLINE":
        kept = [one for one in entity.vertices if not int(one.number(70)) & 16]
        places = [np.array([one.number(10), one.number(20)]) for one in kept]
        return places, [one.number(42) for one in kept]
    places, bulges = list[Array](), list[float]()
    for code, value in entity.pairs:
        if code == 10:
            places.append(np.array([number_of(value, entity), 0.0]))
            bulges.append(0.0)
        elif code == 20 and places:
            places[-1][1] = number_of(value, entity)
        elif code == 42 and places:
            bulges[-1] = number_of(value, entity)
    return places, bulges


def _spline(entity: Entity) -> Outline:
    """A B-spline of degree three or less as cubics, each between two of its knots."""
    from scipy.interpolate import BSpline

    degree, knots = int(entity.number(71, 3)), np.array(entity.all(40))
    places = np.column_stack([entity.all(10), entity.all(20)])
    weights = entity.all(41)
    if not 1 <= degree <= 3 or len(knots) != len(places) + degree + 1 or (np.diff(knots) < 0).any():
        raise SVGError(f"{entity}: a spline is of degree 1 to 3, with knots in order for its control points")
    if weights and np.ptp(weights) > 1e-9:
        raise SVGError(f"{entity}: splines with weights are not read; save them as arcs or polylines")
    curve = BSpline(knots, places, degree)
    slope = curve.derivative()
    stops = np.unique(knots[degree : len(places) + 1])
    found: list[Piece] = [(np.asarray(curve(stops[0])),)]
    for a, b in itertools.pairwise(stops):
        h, inner = (b - a) / 3, np.nextafter([a, b], [b, a])
        p, q = np.asarray(curve(a)), np.asarray(curve(np.nextafter(b, a)))
        found.append((p + h * slope(inner[0]), q - h * slope(inner[1]), q))
    return found, bool(int(entity.number(70)) & 1)


READERS: dict[str, Callable[[Entity], Outline]] = {
    "LINE": _line, "LWPOLYLINE": _polyline, "POLYLINE": _polyline, "CIRCLE": _circle, "ARC": _circle,
    "ELLIPSE": _ellipse, "SPLINE": _spline,
}  # fmt: skip
