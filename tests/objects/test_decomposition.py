"""Convex parts of meshes: volumes of what is cut are exact, parts are convex and hold what they came from."""

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.objects.boundary import convex_parts as parts_of_outline
from tinkerdyne.objects.boundary import is_convex
from tinkerdyne.objects.decomposition import cut, lid
from tinkerdyne.objects.mesh import integrals

pytestmark = pytest.mark.mission("S3")


def prism(corners, height):
    """What an outline sweeps upwards."""
    flat = np.array(corners, float)
    n = len(flat)
    top = np.array([(p[0], p[k], p[k + 1]) for p in parts_of_outline(flat) for k in range(1, len(p) - 1)])
    k = np.arange(n)
    j = (k + 1) % n
    sides = np.concatenate([np.column_stack([k, j, j + n]), np.column_stack([k, j + n, k + n])])
    places = np.vstack([np.column_stack([flat, np.full(n, z)]) for z in (0.0, height)])
    return places, np.concatenate([top[:, ::-1], top + n, sides])


def volume(vertices, faces):
    return integrals(np.asarray(vertices), np.asarray(faces))[0]


def volume_of(soup):
    return volume(soup.reshape(-1, 3), np.arange(3 * len(soup)).reshape(-1, 3))


def closed(soup, normal, level):
    """One side of a cut, with its lid."""
    opened, rim = cut(soup, normal, level, 3.0)
    return np.concatenate([opened, lid(rim, normal, 3.0)])


L = prism([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], 0.5)
U = prism([(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)], 0.5)


@pytest.mark.parametrize(("mesh", "count"), [(L, 2), (U, 3)])
def test_what_is_made_of_boxes_becomes_boxes(mesh, count):
    parts = td.convex_parts(*mesh, error=1e-6)
    assert count <= len(parts) <= count + 1
    assert sum(volume(*part) for part in parts) == pytest.approx(volume(*mesh), rel=1e-9)


def test_parts_of_a_ring_are_convex_and_leave_its_hole():
    torus = td.surface(td.Torus(radius=1.0, thickness=0.3), segments=24)
    parts = td.convex_parts(*torus, most=12)
    assert len(parts) == 12 and all(is_convex(*part) for part in parts)
    total = sum(volume(*part) for part in parts)
    assert volume(*torus) * (1 - 1e-9) <= total <= 1.15 * volume(*torus)
    assert all(np.linalg.norm(places[:, :2], axis=1).min() > 0.4 for places, _ in parts)


def test_what_is_convex_stays_whole():
    box = td.surface(td.Box(size=(1, 2, 3)))
    ((places, faces),) = td.convex_parts(*box)
    assert volume(places, faces) == pytest.approx(6.0, rel=1e-12) and len(places) == 8


def test_volumes_of_both_sides_of_any_cut_add_up():
    vertices, faces = td.surface(td.Torus(radius=1.0, thickness=0.3), segments=16)
    rng = np.random.default_rng(7)
    pieces = [np.asarray(vertices)[np.asarray(faces)]]
    whole = volume(vertices, faces)
    for _ in range(4):
        normal, level = rng.normal(size=3), rng.uniform(-0.6, 0.6)
        normal /= np.linalg.norm(normal)
        halves = [closed(piece, s * normal, s * level) for piece in pieces for s in (1, -1)]
        pieces = [half for half in halves if len(half)]
    volumes = [volume_of(piece) for piece in pieces]
    assert len(pieces) > 4 and min(volumes) > -1e-12
    assert sum(volumes) == pytest.approx(whole, rel=1e-12)


def test_a_cut_through_corners_and_along_faces_is_exact():
    for level in (0.0, 1.0, 2.0):
        soup = U[0][U[1]]
        low, high = (closed(soup, np.array([0, s, 0.0]), s * level) for s in (1.0, -1.0))
        sizes = [
            volume(p.reshape(-1, 3), np.arange(3 * len(p)).reshape(-1, 3)) for p in (low, high) if len(p)
        ]
        assert sum(sizes) == pytest.approx(2.5, rel=1e-12)


def test_flat_meshes_and_wrong_wishes_are_refused():
    flat = (np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.0]]), np.array([[0, 1, 2], [2, 1, 0]]))
    with pytest.raises(ValueError, match="encloses no volume"):
        td.convex_parts(*flat)
    with pytest.raises(ValueError, match="one convex part or more"):
        td.convex_parts(*L, most=0)
