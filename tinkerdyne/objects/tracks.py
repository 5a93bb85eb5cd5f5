"""Curves as ground: a planar curve as arcs of circles that go on in each other's direction (biarcs), so that
what rolls on it feels no corners but its own.

Between two points with their tangents lie two arcs, which meet where both have the same direction; their
number grows until they follow the curve to a hundred-thousandth of its size.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.boundary import Part, Parts

THICK = 5e-5  # of its size: half the thickness of a curve
NEAR = 1e-5  # of its size: how near the arcs follow it
FEWEST, MOST = 24, 768  # pieces
WIDEST = np.pi / 4  # half the angle of an arc
FLAT = 1e6  # times its length: the radius of an arc that is none
SHARP = 0.02  # rad: a turn that is a corner
ASIDE = 1e-7  # of the span: how far from a point its directions are taken

Way = Callable[[Array], Array]  # points (n, 2) for values of u


def track(way: Way, span: tuple[float, float]) -> Parts:
    """The arcs of a curve x(u), one part."""
    pieces = FEWEST
    while True:
        u = np.linspace(*span, pieces + 1)
        points = way(u)
        size = float(np.ptp(points, axis=0).max())
        if not size > 0 or not np.isfinite(points).all():
            return ()
        arcs = _arcs(way, u, points)
        if pieces >= MOST or _error(way, u, arcs) <= NEAR * size:
            rows = np.array([_row(*arc) for two in arcs for arc in two])
            middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
            rows[:, :2] -= middle
            return (Part("track", (), THICK * size, rows, position=np.append(middle, 0.0), is_planar=True),)
        pieces *= 2


Arc = tuple[Array, Array, Array, int]  # both ends, the direction at the first, which ends are free


def _arcs(way: Way, u: Array, points: Array) -> list[list[Arc]]:
    """Two arcs a piece; an end is free where the curve ends or has a corner."""
    step = ASIDE * (u[-1] - u[0])
    after, before = way(u[:-1] + step) - points[:-1], points[1:] - way(u[1:] - step)
    after /= np.linalg.norm(after, axis=1)[:, None]
    before /= np.linalg.norm(before, axis=1)[:, None]
    n, size = len(u) - 1, float(np.ptp(points, axis=0).max())
    is_closed = bool(np.linalg.norm(points[-1] - points[0]) < 1e-9 * size)

    def is_corner(k: int) -> bool:
        """Whether the curve is not smooth before piece k."""
        if k in (0, n) and not is_closed:
            return True
        a, b = before[(k - 1) % n], after[k % n]
        return bool(abs(a[0] * b[1] - a[1] * b[0]) > SHARP or a @ b < 0)

    found = []
    for k in range(n):
        middle, turned = _joint(points[k], after[k], points[k + 1], before[k])
        found.append(
            [
                (points[k], middle, after[k], int(is_corner(k))),
                (middle, points[k + 1], turned, 2 * int(is_corner(k + 1))),
            ]
        )
    return found


def _joint(p: Array, s: Array, q: Array, t: Array) -> tuple[Array, Array]:
    """Where two arcs from p along s to q along t meet, and their direction there: at the middle of both
    tangents of equal length d,  |q − p − d (s + t)| = 2 d."""
    w = q - p
    a, b = 2 * (1 - float(s @ t)), float(w @ (s + t))
    root = np.sqrt(b * b + a * float(w @ w))
    d = float(w @ w) / (b + root) if b + root > 0 else 0.5 * float(np.linalg.norm(w))
    middle = 0.5 * (p + q + d * (s - t))
    along = q - p - d * (s + t)
    length = float(np.linalg.norm(along))
    return middle, along / length if length > 0 else w / np.linalg.norm(w)


def _error(way: Way, u: Array, arcs: list[list[Arc]]) -> float:
    """How far the curve lies from its arcs, at the quarters of each piece."""
    worst = 0.0
    for share, which in ((0.25, 0), (0.75, 1)):
        x = way(u[:-1] + share * np.diff(u))
        for point, two in zip(x, arcs, strict=True):
            p, q, s, _ = two[which]
            centre, radius = _circle(p, q, s)
            worst = max(worst, abs(float(np.linalg.norm(point - centre)) - radius))
    return worst


def _circle(p: Array, q: Array, s: Array) -> tuple[Array, float]:
    """Centre and radius of the arc from p along s to q."""
    w, normal = q - p, np.array([-s[1], s[0]])
    side = float(w @ normal)
    square = float(w @ w)
    radius = square / (2 * abs(side)) if abs(side) > 0 else np.inf
    radius = min(radius, FLAT * np.sqrt(square))
    return p + normal * (radius if side >= 0 else -radius), radius


def _row(p: Array, q: Array, s: Array, ends: int) -> Array:
    """An arc as engine.contact.detection_records has it: about the x axis of its own frame, which looks away
    from its centre, from −y on."""
    centre, radius = _circle(p, q, s)
    chord = q - p
    length = float(np.linalg.norm(chord))
    half = min(float(np.arcsin(min(1.0, length / (2 * radius)))), WIDEST)
    out = np.array([chord[1], -chord[0]]) / length
    out = out if out @ (p + 0.5 * chord - centre) >= 0 else -out
    if out[0] * chord[1] - out[1] * chord[0] < 0:
        ends = (ends >> 1) | ((ends & 1) << 1)
    place = p + 0.5 * chord + radius * (1 - np.cos(half)) * out
    return np.array([*place, *out, radius, half, ends, 2 * radius * np.sin(half / 2)])
