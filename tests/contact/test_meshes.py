"""Laws of meshes and height fields: as the solids they bound, and without stumbling over inner edges."""

import numpy as np
import pytest

from tests.contact.oracle import gaps, heights, pair, rotation, settled, specimen
from tinkerdyne.objects import boundary
from tinkerdyne.objects.boundary import Part
from tinkerdyne.objects.surfaces import cuboid

KINDS = ("point", "segment", "box", "cylinder", "cone", "hull")
PLANE = boundary.half_space()[0]
HERE = (np.zeros(3), np.eye(3))
FIELD = boundary.field(np.zeros((17, 17)), (4.0, 4.0))[0]


def as_mesh(size):
    vertices, faces = cuboid(size)
    return Part("mesh", vertices=vertices, faces=faces)


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])


@pytest.mark.parametrize("kind", KINDS)
def test_a_mesh_of_a_box_is_as_far_as_the_box(kind):
    for seed, gap in enumerate((0.2, 0.05, 1e-3, 1e-6, 0.3, 0.02)):
        rng = np.random.default_rng([seed, 1])
        size = rng.uniform(0.4, 1.2, 3)
        box, mesh, other = boundary.block(size)[0], as_mesh(size), specimen(kind, rng, 0.5)
        pose, start = (rng.normal(size=3), rotation(rng)), rng.normal(size=3)
        where = settled(box, pose, other, (pose[0] + 2 * start, rotation(rng)), gap)
        wanted, found = pair(box, pose, other, where), pair(mesh, pose, other, where)
        k = found["gap"].argmin()
        assert found["gap"][k] == pytest.approx(wanted["gap"].min(), abs=1e-9)
        assert np.allclose(found["n"][k], wanted["n"][wanted["gap"].argmin()], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_core_in_the_mesh_of_a_box_is_pushed_out_hardly_further_than_from_the_box(kind):
    for seed, gap in enumerate((-1e-6, -1e-4, -1e-3, -5e-3) * 3):
        rng = np.random.default_rng([seed, 2])
        size = rng.uniform(0.4, 1.2, 3)
        box, mesh, other = boundary.block(size)[0], as_mesh(size), specimen(kind, rng, 0.5)
        pose, start = (rng.normal(size=3), rotation(rng)), rng.normal(size=3)
        where = settled(box, pose, other, (pose[0] + 2 * start, rotation(rng)), gap)
        found = pair(mesh, pose, other, where, margin=0.01)
        assert 1.3 * gap - 1e-9 < found["gap"].min() < 0.5 * gap
        assert np.allclose(found["xb"] - found["xa"], found["gap"][:, None] * found["n"], atol=1e-9)


@pytest.mark.parametrize("kind", (*KINDS, "circle"))
def test_flat_ground_of_triangles_is_flat(kind):
    """Whatever lies wherever on it: every normal is up, and the gap is that of a plane."""
    for seed in range(12):
        rng = np.random.default_rng([seed, 3])
        part = specimen(kind, rng, 0.6)
        R = (np.eye(3), about_z(rng.uniform(0, 6)), rotation(rng))[seed % 3]
        gap = (1e-3, 1e-6, -1e-6, -1e-4)[seed % 4]
        x = np.array([*rng.uniform(-0.5, 0.5, 2), 0.0])
        x[2] = gap + heights(part, (x, R), np.array([(0.0, 0.0, -1.0)]))[0]
        found = pair(FIELD, HERE, part, (x, R), margin=0.01)
        assert found["gap"].min() == pytest.approx(gap, abs=1e-12)
        assert np.allclose(found["n"], (0, 0, 1), atol=1e-9)
        assert len(found["gap"]) <= 4


def test_a_box_slides_over_inner_edges_without_a_change():
    box = boundary.block((0.6, 0.6, 0.2))[0]
    for x in np.linspace(0.0, 0.5, 41):
        found = pair(FIELD, HERE, box, (np.array([x, 0.03, 0.1 - 1e-5]), about_z(0.2)), margin=0.01)
        assert np.allclose(found["n"], (0, 0, 1), atol=1e-12)
        assert np.allclose(found["gap"], -1e-5, atol=1e-12)
        middle = found["xb"].mean(axis=0)
        assert np.allclose(middle[:2], (x, 0.03), atol=1e-9)
        assert len(found["gap"]) == 4


def wedge(angle):
    """A valley of two long triangles each side, along y."""
    c, s = np.cos(angle), np.sin(angle)
    vertices = np.array([(-c, -1, s), (-c, 1, s), (0, -1, 0), (0, 1, 0), (c, -1, s), (c, 1, s)])
    return Part("mesh", vertices=vertices, faces=np.array([(0, 2, 1), (1, 2, 3), (2, 4, 3), (3, 4, 5)]))


@pytest.mark.parametrize("angle", [0.2, 0.7])
def test_a_ball_in_a_valley_leans_on_both_sides(angle):
    r = 0.1
    ball, height = boundary.ball(r)[0], r / np.cos(angle)
    found = pair(wedge(angle), HERE, ball, (np.array([0.0, 0.1, height]), np.eye(3)), margin=1e-3)
    assert len(found["gap"]) == 2
    assert np.allclose(found["gap"], 0, atol=1e-12)
    assert sorted(found["n"][:, 0]) == pytest.approx([-np.sin(angle), np.sin(angle)])


def test_a_box_edge_at_the_bottom_of_a_valley_meets_both_sides():
    c = np.sqrt(0.5)
    turned = np.array([(c, 0, c), (0, 1, 0), (-c, 0, c)])
    box = boundary.block((0.2, 0.4, 0.2))[0]
    found = pair(wedge(0.5), HERE, box, (np.array([0.0, 0.0, 0.2 * c]), turned), margin=1e-3)
    assert {round(float(n), 6) for n in found["n"][:, 0]} == {
        round(-float(np.sin(0.5)), 6), round(float(np.sin(0.5)), 6),
    }  # fmt: skip
    assert np.allclose(found["gap"], 0, atol=1e-9)


def corner_solid():
    """An L of three unit cubes less a hollow edge: concave."""
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
    n = len(outline)
    vertices = np.vstack([np.column_stack([outline, np.full(n, z)]) for z in (0.0, 1.0)])
    top = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    faces = [(a + n, b + n, c + n) for a, b, c in top] + [(c, b, a) for a, b, c in top]
    for k in range(n):
        l = (k + 1) % n
        faces += [(k, l, l + n), (k, l + n, k + n)]
    return vertices, np.array(faces)


def test_a_concave_solid_is_a_mesh_and_a_convex_one_a_hull():
    assert boundary.solid(*corner_solid())[0].core == "mesh"
    assert boundary.solid(*cuboid((1, 2, 3)))[0].core == "hull"


def test_a_ball_in_the_hollow_of_a_concave_solid_touches_both_walls():
    mesh = boundary.solid(*corner_solid())[0]
    for gap in (1e-3, 0.0, -1e-3):
        x = np.array([1.3 + gap, 1.3 + gap, 0.5])
        found = pair(mesh, HERE, boundary.ball(0.3)[0], (x, np.eye(3)), margin=0.01)
        assert len(found["gap"]) == 2
        assert np.allclose(found["gap"], gap, atol=1e-12)
        assert np.allclose(sorted(map(tuple, np.round(found["n"], 9))), [(0, 1, 0), (1, 0, 0)])


def test_two_meshes_stand_on_each_other_with_four_points():
    lower, upper = as_mesh((1.0, 1.0, 1.0)), as_mesh((1.0, 1.0, 1.0))
    for gap in (1e-3, -1e-4):
        found = pair(lower, HERE, upper, (np.array([0.2, 0.3, 1 + gap]), np.eye(3)), margin=0.01)
        up = found["n"][:, 2] > 0.999
        assert up.all()
        assert np.allclose(found["gap"], gap, atol=1e-9)
        spots = {tuple(x) for x in np.round(found["xa"][:, :2], 9)}
        assert spots == {(-0.3, -0.2), (0.5, -0.2), (0.5, 0.5), (-0.3, 0.5)}


def test_two_meshes_are_as_far_as_the_boxes_they_bound():
    for seed in range(8):
        rng = np.random.default_rng([seed, 4])
        sizes = rng.uniform(0.4, 1.2, (2, 3))
        boxes = [boundary.block(size)[0] for size in sizes]
        pose, start = (rng.normal(size=3), rotation(rng)), rng.normal(size=3)
        where = settled(boxes[0], pose, boxes[1], (pose[0] + 2 * start, rotation(rng)), 0.03)
        found = pair(as_mesh(sizes[0]), pose, as_mesh(sizes[1]), where, margin=0.1)
        assert found["gap"].min() == pytest.approx(0.03, abs=1e-9)


def test_a_mesh_lies_on_a_plane_with_its_lowest_corners():
    mesh = boundary.solid(*corner_solid())[0]
    found = pair(PLANE, HERE, mesh, (np.array([0.0, 0.0, 1e-4]), np.eye(3)), margin=0.01)
    assert len(found["gap"]) == 4
    assert np.allclose(found["gap"], 1e-4)
    rng = np.random.default_rng(5)
    for _ in range(5):
        R, Q = rotation(rng), rotation(rng)
        found = pair(PLANE, (np.zeros(3), Q), mesh, (np.zeros(3), R))
        assert found["gap"].min() == pytest.approx((mesh.vertices @ R.T @ Q[:, 2]).min(), abs=1e-12)


def test_a_height_field_is_where_it_was_said_to_be():
    x, y = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-2, 2, 9), indexing="ij")
    ground = boundary.field(0.1 * x + 0.2 * y, (2.0, 4.0))[0]
    normal = np.array([-0.1, -0.2, 1.0]) / np.linalg.norm([0.1, 0.2, 1.0])
    found = pair(ground, HERE, boundary.ball(0.2)[0], (0.25 * normal, np.eye(3)), margin=0.1)
    assert np.allclose(found["n"], normal, atol=1e-9)
    assert found["gap"] == pytest.approx([0.05])


@pytest.mark.parametrize("kind", KINDS)
def test_what_has_sunk_into_ground_comes_out_upwards(kind):
    """Also where its middle is below the surface, which has no thickness."""
    for seed in range(6):
        rng = np.random.default_rng([seed, 7])
        part, R = specimen(kind, rng, 0.3), rotation(rng)
        x = np.array([*rng.uniform(-0.5, 0.5, 2), 0.0])
        down, up = heights(part, (x, R), np.array([(0.0, 0.0, -1.0), (0.0, 0.0, 1.0)]))
        x[2] = down - (0.3 + 0.1 * seed) * (down + up)  # so much of its height is below
        found = pair(FIELD, HERE, part, (x, R), margin=0.01)
        k = found["gap"].argmin()
        assert found["n"][k][2] > 0.999
        depth = x[2] - down
        # its lowest point may lie over a triangle that it does not cross: then it is less deep there
        assert depth - 1e-9 < found["gap"][k] < 0.5 * depth


def test_a_core_behind_a_thin_wall_is_not_pulled_through_it():
    plate = as_mesh((1.0, 1.0, 0.001))
    ball = boundary.ball(0.1)[0]
    for side in (1, -1):
        found = pair(
            plate, HERE, ball, (np.array([0.1, 0.2, side * (0.1005 - 1e-5)]), np.eye(3)), margin=1e-3
        )
        assert np.allclose(found["n"], (0, 0, side), atol=1e-9)
        assert found["gap"] == pytest.approx([-1e-5])


def test_gaps_of_overlapping_boxes_are_known_here_too():
    """The oracle of these tests: a box and a box, moved along the normal until they have the gap."""
    rng = np.random.default_rng(6)
    a, b = specimen("box", rng), specimen("box", rng)
    pose, where = (np.zeros(3), rotation(rng)), (np.array([2.0, 0.5, 0.1]), rotation(rng))
    where = settled(a, pose, b, where, -0.01)
    found = pair(a, pose, b, where)
    n = found["n"][found["gap"].argmin()]
    assert gaps(a, pose, b, where, n[None])[0] == pytest.approx(-0.01, abs=1e-9)


@pytest.mark.parametrize("gap", [0.01, 0.0, -1e-3, -0.05, -0.15])
def test_a_ring_meets_the_mesh_of_a_box_as_it_meets_the_box(gap):
    """Also where its circle passes through the surface: a point knows on which side of a mesh it is."""
    for seed in range(12):
        rng = np.random.default_rng([seed, 31])
        ring, box = specimen("circle", rng), specimen("box", rng)
        mesh = as_mesh(tuple(2 * np.array(box.size)))
        pose = (rng.normal(size=3), rotation(rng))
        place = settled(ring, pose, box, (pose[0] + rng.normal(size=3), rotation(rng)), gap)
        one, other = pair(ring, pose, box, place), pair(ring, pose, mesh, place)
        assert other["gap"].min() == pytest.approx(one["gap"].min(), abs=1e-9)
        if gap > -0.1:  # deep inside two ways out may be as long
            assert np.allclose(one["n"][one["gap"].argmin()], other["n"][other["gap"].argmin()], atol=1e-6)
