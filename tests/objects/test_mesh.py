"""Mass properties of closed meshes: exact, whatever their form, and refused in words when they enclose
nothing (R1)."""

import math

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

import tinkerdyne as td
from tinkerdyne.objects.mesh import integrals, merged, mesh_from_file, polyhedron, solid_of
from tinkerdyne.objects.planar_shapes import Polygon
from tinkerdyne.objects.shapes import Mesh, Torus, surface
from tinkerdyne.objects.surfaces import cuboid

CUBE = cuboid((1.0, 1.0, 1.0))


def prism(outline, height):
    """A solid over a simple polygon without holes, given by the triangles of its floor."""
    corners, triangles = outline
    n = len(corners)
    low, high = np.column_stack([corners, np.zeros(n)]), np.column_stack([corners, np.full(n, height)])
    k = np.arange(n)
    j = (k + 1) % n
    sides = np.vstack([np.column_stack([k, j, n + j]), np.column_stack([k, n + j, n + k])])
    floor = np.array(triangles)
    return np.vstack([low, high]), np.vstack([floor[:, ::-1], floor + n, sides])


# An L: nonconvex. Areas 2 and 1 (m²) with centres (1, 0.5) and (0.5, 1.5).
ELL = prism(
    ([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]), 3.0
)


def frame(outer=3.0, inner=1.0):
    """A square plate with a square hole: genus 1.

    The corners of four levels: outside and inside, below and above."""
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    levels = [
        np.column_stack([size * ring, np.full(4, z)])
        for size, z in ((outer, 0), (inner, 0), (outer, 1), (inner, 1))
    ]
    faces = []
    for k in range(4):
        j = (k + 1) % 4
        for a, b in ((0, 8), (8, 12), (12, 4), (4, 0)):  # outside, above, inside, below
            faces += [(a + k, a + j, b + j), (a + k, b + j, b + k)]
    return np.vstack(levels), np.array(faces)


FRAME = frame()


def blob(seed, n=16):
    """A bumpy ring: nonconvex and of genus 1."""
    vertices, faces = surface(Torus("t", radius=1.0, thickness=0.3), segments=n)
    rng = np.random.default_rng(seed)
    return vertices * (1 + 0.05 * rng.normal(size=(len(vertices), 1))) @ np.diag(
        rng.uniform(0.5, 2, 3)
    ), faces


def rotation(rng):
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    Q[:, 0] *= np.linalg.det(Q)
    return Q


# --- values -------------------------------------------------------------------------------------
@pytest.mark.mission("R1")
def test_the_corner_of_a_cube_has_its_closed_form():
    """x, y, z ≥ 0, x + y + z ≤ 1: V = 1/6, centre 1/4, ∫x² = 1/60, ∫xy = 1/120."""
    body = Mesh("corner", density=6.0)
    assert (body.volume, body.mass) == pytest.approx((1 / 6, 1.0), rel=1e-14)
    assert body.offset == pytest.approx((0.25, 0.25, 0.25), rel=1e-14)
    C = np.full((3, 3), 1 / 20 - 1 / 16) + np.eye(3) * (1 / 10 - 1 / 20)
    np.testing.assert_allclose(np.reshape(body.inertia, (3, 3)), np.trace(C) * np.eye(3) - C, rtol=1e-13)


def test_a_nonconvex_solid_is_the_sum_of_its_boxes():
    body = Mesh("ell", vertices=ELL[0], faces=ELL[1], density=2.0)
    boxes = [(6.0, (2.0, 1.0, 3.0), (1.0, 0.5, 1.5)), (3.0, (1.0, 1.0, 3.0), (0.5, 1.5, 1.5))]
    centre = sum(v * np.array(c) for v, _, c in boxes) / 9
    I = np.zeros((3, 3))
    for v, size, c in boxes:
        squares, d = np.square(size), np.array(c) - centre
        I += 2 * v * (np.diag(squares.sum() - squares) / 12 + d @ d * np.eye(3) - np.outer(d, d))
    assert (body.volume, body.mass) == pytest.approx((9.0, 18.0), rel=1e-14)
    np.testing.assert_allclose(body.offset, centre, rtol=1e-14)
    np.testing.assert_allclose(np.reshape(body.inertia, (3, 3)), I, rtol=1e-13, atol=1e-13)


def test_a_hole_through_a_solid_takes_its_moments_away():
    body = Mesh("frame", vertices=FRAME[0], faces=FRAME[1], density=1.0)
    assert body.volume == pytest.approx(8.0, rel=1e-14)
    across = 9 * (9 + 1) / 12 - 1 * (1 + 1) / 12
    np.testing.assert_allclose(
        np.reshape(body.inertia, (3, 3)), np.diag([across, across, 9 * 18 / 12 - 2 / 12]), rtol=1e-13
    )


def test_a_hollow_takes_its_moments_away():
    vertices, faces = CUBE
    hollow = np.vstack([2 * vertices, vertices]), np.vstack([faces, faces[:, ::-1] + 8])
    body = Mesh("hollow", vertices=hollow[0], faces=hollow[1], density=1.0)
    assert body.volume == pytest.approx(7.0)
    np.testing.assert_allclose(
        np.reshape(body.inertia, (3, 3)), np.eye(3) * (8 * 8 / 12 - 2 / 12), rtol=1e-13
    )


@pytest.mark.parametrize("mesh", [ELL, FRAME, blob(1), blob(2)], ids=["ell", "frame", "blob 1", "blob 2"])
def test_mass_properties_equal_those_of_an_independent_program(mesh):
    vertices, faces = mesh[0] + (0.3, -0.7, 0.2), mesh[1]
    other = trimesh.Trimesh(vertices, faces, process=False)
    assert other.is_watertight
    body = Mesh("body", vertices=vertices, faces=faces, density=3.0)
    other.density = 3.0
    assert (body.volume, body.mass) == pytest.approx((other.volume, other.mass), rel=1e-12)
    np.testing.assert_allclose(body.offset, other.center_mass, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(np.reshape(body.inertia, (3, 3)), other.moment_inertia, rtol=1e-11, atol=1e-11)


# --- laws ---------------------------------------------------------------------------------------
@given(seed=st.integers(0, 10**6))
def test_a_rigid_motion_of_the_vertices_moves_the_centre_and_turns_the_tensor(seed):
    rng = np.random.default_rng(seed)
    vertices, faces = blob(seed)
    R, shift = rotation(rng), 10 * rng.normal(size=3)
    still, moved = solid_of(vertices, faces), solid_of(vertices @ R.T + shift, faces)
    assert moved.volume == pytest.approx(still.volume, rel=1e-12)
    np.testing.assert_allclose(moved.centre, R @ still.centre + shift, atol=1e-12)
    I = np.reshape(still.inertia, (3, 3))
    np.testing.assert_allclose(np.reshape(moved.inertia, (3, 3)), R @ I @ R.T, atol=1e-12)


@given(seed=st.integers(0, 10**6))
def test_integrals_do_not_depend_on_how_faces_are_listed_or_the_origin_is_chosen(seed):
    """∫(x + s)(x + s)ᵀ = ∫x xᵀ + s ∫xᵀ + ∫x sᵀ + V s sᵀ: the parallel-axis theorem."""
    rng = np.random.default_rng(seed)
    vertices, faces = blob(seed)
    V, first, second = integrals(vertices, faces)
    s = rng.normal(size=3)
    order = rng.permutation(len(faces))
    V1, first1, second1 = integrals(vertices + s, np.roll(faces[order], int(rng.integers(3)), axis=1))
    assert abs(V1 - V) < 1e-12 * V
    np.testing.assert_allclose(first1, first + V * s, atol=1e-11)
    np.testing.assert_allclose(
        second1, second + np.outer(s, first) + np.outer(first, s) + V * np.outer(s, s), atol=1e-11
    )


def test_a_mesh_far_from_the_origin_loses_no_more_digits_than_its_vertices_do():
    shift = np.array([1e6, -2e6, 3e6])
    near, far = solid_of(*blob(3)), solid_of(blob(3)[0] + shift, blob(3)[1])
    assert far.volume == pytest.approx(near.volume, rel=1e-8)  # vertices themselves are rounded by 5e-10 m
    np.testing.assert_allclose(far.inertia, near.inertia, atol=1e-8)


def test_points_are_measured_from_the_centre_of_mass_in_the_users_axes():
    body = Mesh("ell", vertices=ELL[0], faces=ELL[1])
    np.testing.assert_allclose(body.origin.at, -np.array(body.offset))
    assert body.centre.at == (0.0, 0.0, 0.0)
    np.testing.assert_allclose(surface(body)[0] + body.offset, ELL[0], atol=1e-15)


def test_a_turned_mesh_moves_like_the_body_of_the_same_tensor():
    """A mesh whose principal axes are not its own, beside a rigid body given by numbers: the same motion."""
    vertices = ELL[0] @ rotation(np.random.default_rng(5)).T
    world = td.World()
    mesh = world.add(Mesh("mesh", vertices=vertices, faces=ELL[1], mass=2.0, spin=(1.0, 2.0, 3.0)))
    body = world.add(td.RigidBody("body", mass=2.0, inertia=mesh.inertia, spin=(1.0, 2.0, 3.0)))
    world.add(td.gravity())
    world.run(seconds=0.3)
    np.testing.assert_allclose(mesh.orientation, body.orientation, atol=1e-13)
    np.testing.assert_allclose(mesh.position, body.position, atol=1e-13)


# --- refusals -----------------------------------------------------------------------------------
def changed(faces, **rows):
    out = faces.copy()
    for k, row in rows.items():
        out[int(k[1:])] = row
    return out


V, F = CUBE
BAD = {
    "open": (V, F[1:], "mesh 'm' is not closed: it has 3 open edges, one from vertex 0 to 1; fill the holes"),
    "a face the other way round": (
        V,
        changed(F, f0=F[0][::-1]),
        "faces of mesh 'm' are turned against each other at 3 edges",
    ),
    "flat": (V * (1, 1, 0), F, "mesh 'm' has 8 faces of no area, the first is face 0"),
    "no volume": (V[[0, 1, 3]], [(0, 1, 2), (0, 2, 1), (0, 1, 2), (0, 2, 1)], "mesh 'm' encloses no volume"),
    "a corner twice in a face": (
        V,
        changed(F, f0=(0, 0, 1)),
        r"mesh 'm' has 1 faces of no area, the first is face 0: \(0, 0, 1\)",
    ),
    "too large a number": (
        V,
        changed(F, f0=(0, 1, 8)),
        r"face 0 of mesh 'm' is \(0, 1, 8\), but its vertices are numbered 0 to 7",
    ),
    "a negative number": (V, changed(F, f3=(0, 1, -2)), r"face 3 of mesh 'm' is \(0, 1, -2\)"),
    "NaN": (
        [*V[:3], (0.0, math.nan, 0.0), *V[4:]],
        F,
        r"vertices of mesh 'm' must be finite .*; vertex 3 is \(0.0, nan, 0.0\)",
    ),
    "few faces": (V, F[:3], "faces of mesh 'm' are 3; a closed mesh has at least four"),
    "squares": (
        V,
        [(0, 1, 3, 2)] * 6,
        r"faces of mesh 'm' must be rows of three .*, not an array of shape \(6, 4\)",
    ),
    "fractions": (V, F + 0.5, "faces of mesh 'm' must be rows of three numbers of vertices .*, not float64"),
    "ragged": (
        [(0, 0, 0), (1, 1)],
        F,
        "vertices of mesh 'm' must be rows of 3 numbers; the rows differ in length",
    ),
    "text": ([("a", "b", "c")] * 8, F, "vertices of mesh 'm' must be rows of 3 numbers, not <U1"),
    "planar": (
        V[:, :2],
        F,
        r"vertices of mesh 'm' must be rows of 3 numbers, not an array of shape \(8, 2\)",
    ),
    "one of two inside out": (np.vstack([V, V + 5]), np.vstack([F, F[:, ::-1] + 8]), "encloses no volume"),
    "a small one inside out": (
        np.vstack([2 * V, V + 5]),
        np.vstack([F, F[:, ::-1] + 8]),
        "piece of mesh 'm' with 12 faces",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_solid_is_refused_in_words(case):
    vertices, faces, says = BAD[case]
    with pytest.raises((ValueError, TypeError), match=says):
        Mesh("m", vertices=vertices, faces=faces)


def test_vertices_without_faces_are_refused():
    with pytest.raises(TypeError, match="mesh 'm' lacks faces; give both"):
        Mesh("m", vertices=V)


def test_a_mesh_that_is_inside_out_is_turned_over_with_a_word():
    with pytest.warns(
        UserWarning, match=r"mesh 'm' is inside out \(its volume is -1 m³\); all its faces are turned over"
    ):
        body = Mesh("m", vertices=V, faces=F[:, ::-1])
    assert body.volume == pytest.approx(1.0)
    np.testing.assert_array_equal(np.sort(body.faces), np.sort(F))
    assert integrals(*surface(body))[0] == pytest.approx(1.0)


def test_bad_vertices_leave_a_running_mesh_as_it_was():
    world = td.World()
    body = world.add(Mesh("m", vertices=V, faces=F, density=2.0))
    with pytest.raises(ValueError, match="mesh 'm' has 8 faces of no area"):
        body.vertices = V * (1, 0, 1)
    assert body.mass == pytest.approx(2.0)
    body.vertices = V * (1, 2, 1)
    assert body.mass == pytest.approx(4.0)
    assert world.undo() and body.mass == pytest.approx(2.0)
    np.testing.assert_array_equal(body.vertices, V)


def test_a_mesh_is_measured_once_however_often_its_mass_changes(monkeypatch):
    world = td.World()
    body = world.add(Mesh("m", vertices=V, faces=F))
    monkeypatch.setattr("tinkerdyne.objects.mesh.integrals", None)  # measuring would fail now
    for mass in (2.0, 3.0):
        body.mass = mass
    body.density = 5.0
    assert body.mass == pytest.approx(5.0)


# --- files --------------------------------------------------------------------------------------
@pytest.mark.parametrize("ending", ["stl", "obj", "ply", "off"])
def test_files_give_back_the_mesh(tmp_path, ending):
    path = tmp_path / f"ell.{ending}"
    trimesh.Trimesh(*ELL, process=False).export(path)
    vertices, faces = mesh_from_file(path)
    assert (len(vertices), len(faces)) == (len(ELL[0]), len(ELL[1]))
    body = Mesh.load(path, name="ell", density=2.0)
    assert body.mass == pytest.approx(18.0, rel=1e-6)  # stl keeps seven digits
    world = td.World()
    world.add(body)
    world.save(tmp_path / "scene.json")
    path.unlink()
    again = td.World.load(tmp_path / "scene.json")  # the scene is one file
    assert again["ell"].inertia == body.inertia
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "scene.json").read_bytes()


def test_a_file_that_is_too_large_or_has_places_nowhere_is_refused_by_name(tmp_path):
    path = tmp_path / "big.stl"
    with path.open("wb") as file:
        file.truncate(500_000_001)  # nothing is read of it
    with pytest.raises(ValueError, match=r"big.stl has 500,000,001 bytes"):
        mesh_from_file(path)
    path = tmp_path / "nowhere.obj"
    path.write_text("v nan 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n")
    with pytest.raises(ValueError, match=r"nowhere.obj has a vertex that is not finite"):
        mesh_from_file(path)


def test_a_soup_of_triangles_is_merged_although_its_corners_were_rounded():
    vertices, faces = blob(4)
    rng = np.random.default_rng(0)
    soup = vertices[faces].reshape(-1, 3) * (1 + 1e-8 * rng.uniform(-1, 1, size=(3 * len(faces), 1)))
    found = merged(soup, np.arange(len(soup)).reshape(-1, 3))
    assert (len(found[0]), len(found[1])) == (len(vertices), len(faces))
    assert polyhedron("soup", *found).solid.volume == pytest.approx(
        solid_of(vertices, faces).volume, rel=1e-6
    )


def test_files_that_are_no_meshes_are_refused_in_words(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.stl"):
        Mesh.load(tmp_path / "none.stl")
    with pytest.raises(
        ValueError, match=r"cat\.png is not a mesh that can be read: its name must end with \.stl"
    ):
        Mesh.load(tmp_path / "cat.png")
    (tmp_path / "bad.ply").write_text("this is no mesh")
    with pytest.raises(ValueError, match=r"bad\.ply (cannot be read as a mesh|holds no faces)"):
        Mesh.load(tmp_path / "bad.ply")


# --- polygons -----------------------------------------------------------------------------------
@given(seed=st.integers(0, 10**6))
def test_a_polygon_is_the_floor_of_its_prism(seed):
    """Of a nonconvex polygon and of a prism over it, by two formulas; also when it is listed clockwise."""
    rng = np.random.default_rng(seed)
    corners = ELL[0][:6, :2] @ np.diag(rng.uniform(0.5, 2.0, 2)) + rng.normal(size=2)
    turn = rng.uniform(0, 2 * math.pi)
    corners = corners @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    solid = solid_of(*prism((corners, ELL[1][:4, ::-1]), 1.0))
    body = Polygon("p", vertices=corners[::-1] if seed % 2 else corners)
    assert body.volume == pytest.approx(solid.volume, rel=1e-12)
    np.testing.assert_allclose(body.offset, solid.centre[:2], atol=1e-12)
    assert body.inertia == pytest.approx(solid.inertia[8], rel=1e-12)
