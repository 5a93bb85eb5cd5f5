"""Polygons: sides that cross are found, and what is too much to look through is refused before the work."""

import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.objects import polygon as polygons


def corners_of(points):
    return tuple(tuple(map(float, point)) for point in points)


def crosses(points) -> bool:
    """Whether two sides of a polygon cross, each pair by itself."""

    def side(a, b, c):
        return np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    def across(a, b, c, d):
        return side(a, b, c) * side(a, b, d) < 0

    sides = [(points[k - 1], points[k]) for k in range(len(points))]
    pairs = [(s, t) for i, s in enumerate(sides) for t in sides[:i]]
    return any(across(*s, *t) and across(*t, *s) for s, t in pairs)


@pytest.mark.parametrize("block", [1, 7, 200_000])
def test_sides_that_cross_are_found_and_no_others(block, monkeypatch):
    monkeypatch.setattr(polygons, "BLOCK", block)
    rng, found = np.random.default_rng(3), 0
    for _ in range(60):
        n = int(rng.integers(4, 12))
        angle = np.sort(rng.uniform(0, 2 * math.pi, n))
        star = np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.3, 1, (n, 1))
        if rng.uniform() < 0.5:  # two corners change places, and their sides mostly cross
            star[[1, 2]] = star[[2, 1]]
        given = corners_of(star)
        if crosses(given):
            found += 1
            with pytest.raises(ValueError, match="outline crosses itself: side"):
                polygons.polygon("outline", given)
        else:
            assert polygons.polygon("outline", given)[0].volume > 0
    assert 10 < found < 50


def test_a_round_of_ten_thousand_corners_is_measured():
    angle = np.arange(polygons.MOST) * 2 * math.pi / polygons.MOST
    solid, _ = polygons.polygon("round", corners_of(np.stack([np.cos(angle), np.sin(angle)], axis=1)))
    assert solid.volume == pytest.approx(math.pi, rel=1e-6)


def test_a_polygon_of_too_many_corners_is_refused_before_the_work():
    with pytest.raises(ValueError, match="has 100000 vertices; at most 10000 are taken"):
        td.Polygon("large", vertices=[(k, k * k) for k in range(100_000)])
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="too many of them side by side"):
        polygons.polygon("tangle", corners_of(rng.uniform(size=(polygons.MOST, 2))))
