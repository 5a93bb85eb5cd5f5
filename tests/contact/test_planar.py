"""Laws of pairs in the plane: discs, convex polygons, and polygons of several parts."""

import numpy as np
import pytest

from tests.contact.oracle import check, fields, gaps, pair
from tinkerdyne.engine.contact.detector import Detector, SurfaceOf
from tinkerdyne.objects import boundary
from tinkerdyne.objects.boundary import Part

SQUARE = boundary.outline([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])[0]
HERE = (np.zeros(3), np.eye(3))


def turned(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])


def convex(rng) -> Part:
    """A random convex polygon."""
    while True:
        t = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 9)))
        if np.diff(np.append(t, t[0] + 2 * np.pi)).max() < np.pi - 0.2:
            return boundary.outline(np.column_stack([0.6 * np.cos(t), 0.4 * np.sin(t)]))[0]


@pytest.mark.parametrize("other", ["polygon", "disc"])
def test_no_direction_is_better_than_the_normal(other):
    for seed in range(24):
        rng = np.random.default_rng([seed, 1])
        a = convex(rng)
        b = convex(rng) if other == "polygon" else boundary.disc(0.3)[0]
        pose, R = (np.append(rng.normal(size=2), 0.0), turned(rng.uniform(0, 6))), turned(rng.uniform(0, 6))
        d = np.append(rng.normal(size=2), 0.0)
        d /= np.linalg.norm(d)
        gap = (0.3, 0.05, 0.0, -0.01, -0.1, -0.3)[seed % 6]
        where = (pose[0] + d * (gap - gaps(a, pose, b, (pose[0], R), d[None])[0]), R)
        found = pair(a, pose, b, where)
        flat = {name: values for name, values in found.items() if name != "feature"}
        check(a, pose, b, where, found, planar=True, tolerance=1e-9)
        assert all(np.allclose(flat[name][:, 2], 0) for name in ("xa", "xb", "n"))
        swapped = pair(b, where, a, pose)
        assert swapped["gap"].min() == pytest.approx(found["gap"].min(), abs=1e-12)


def test_a_side_on_a_side_has_two_points():
    for gap in (-1e-3, 0.0, 1e-3):
        found = pair(SQUARE, HERE, SQUARE, (np.array([0.2, 1 + gap, 0.0]), np.eye(3)), margin=0.01)
        assert np.allclose(np.sort(found["xa"][:, 0]), (-0.3, 0.5), atol=1e-12)
        assert np.allclose(found["gap"], gap, atol=1e-12)


def test_a_square_stands_on_a_plane_with_two_corners():
    up = np.array([(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)])  # its normal is y
    ground = boundary.half_space()[0].moved(up, np.zeros(3))
    found = pair(ground, HERE, SQUARE, (np.array([0.0, 0.5, 0.0]), np.eye(3)), margin=0.01)
    assert np.allclose(found["n"], (0, 1, 0))
    assert np.allclose(np.sort(found["xb"][:, 0]), (-0.5, 0.5))


L_SHAPE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]


def star(count, rng):
    """A random star-shaped polygon, seldom convex."""
    angle = 2 * np.pi * (np.arange(count) + rng.uniform(-0.3, 0.3, count)) / count
    r = rng.uniform(0.3, 1.0, count)
    return np.column_stack([r * np.cos(angle), r * np.sin(angle)])


def test_parts_of_a_polygon_are_convex_and_fill_it():
    for seed in range(20):
        rng = np.random.default_rng([seed, 2])
        corners = star(rng.integers(4, 14), rng)
        parts = boundary.outline(corners)
        areas = [boundary.area(part.vertices[:, :2]) for part in parts]
        assert sum(areas) == pytest.approx(boundary.area(corners))
        for part in parts:
            p = part.vertices[:, :2]
            e = np.roll(p, -1, axis=0) - p
            f = np.roll(e, -1, axis=0)
            assert (e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0]).min() > -1e-12
        outer = sum(part.inner.count(False) for part in parts)
        assert outer == len(corners)


def contacts_of(corners, body, place, margin=0.01):
    """The contacts of a polygon of several parts, fixed, with another part."""
    surfaces = [SurfaceOf(0, part) for part in boundary.outline(corners)] + [SurfaceOf(1, body)]
    detector = Detector(2, surfaces, margin=margin, slop=-1.0)
    detector.put(1, place)
    detector.find()
    return fields(detector.contacts()[1])


def test_nothing_stumbles_between_the_parts_of_a_polygon():
    """A square slides along the long side of an L, over the seam of its parts: all normals are those of the
    side."""
    small = boundary.outline([(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)])[0]
    for x in np.linspace(0.2, 1.8, 33):
        found = contacts_of(L_SHAPE, small, (x, -0.1 + 1e-4, 0.0))
        assert np.allclose(found["n"], (0, -1, 0), atol=1e-12)
        assert np.allclose(found["gap"], -1e-4, atol=1e-12)


def test_a_disc_in_a_hollow_corner_touches_both_sides():
    found = contacts_of(L_SHAPE, boundary.disc(0.2)[0], (1.2, 1.2, 0.0))
    assert np.allclose(found["gap"], 0, atol=1e-12)
    assert {tuple(np.round(n, 9)) for n in found["n"]} == {(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)}
