"""Laws of every pair of surfaces: distance and normal, symmetry, motion, patches, degenerate places."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from tests.contact.oracle import (
    check,
    corners,
    gaps,
    heights,
    pair,
    placed_pair,
    rotation,
    settled,
    specimen,
)
from tinkerdyne.objects import boundary
from tinkerdyne.objects.boundary import Part

KINDS = ("point", "segment", "box", "cylinder", "cone", "hull")
PAIRS = list(combinations_with_replacement(KINDS, 2))
WITH_RINGS = [*PAIRS, *(("circle", kind) for kind in (*KINDS, "circle"))]
PLANE = boundary.half_space()[0]
HERE = (np.zeros(3), np.eye(3))
UPRIGHT = np.array([(0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)])  # turns x into z


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS)
def test_no_direction_is_better_than_the_normal(kind_a, kind_b):
    """Apart: the points are that far apart, and so is everything. Overlapping: no shorter way out."""
    for seed, gap in enumerate((0.4, 0.05, 1e-3, 0.0, -1e-4, -1e-2, -0.1, -0.3)):
        rng = np.random.default_rng([seed, 1])
        a, pose_a, b, pose_b = placed_pair(kind_a, kind_b, rng, gap)
        check(a, pose_a, b, pose_b, pair(a, pose_a, b, pose_b))


@pytest.mark.parametrize(("kind_a", "kind_b"), WITH_RINGS)
def test_a_pair_is_symmetric(kind_a, kind_b):
    for seed, gap in enumerate((0.05, -1e-3, -0.05)):
        rng = np.random.default_rng([seed, 2])
        a, pose_a, b, pose_b = placed_pair(kind_a, kind_b, rng, gap)
        one, other = pair(a, pose_a, b, pose_b), pair(b, pose_b, a, pose_a)
        i, j = one["gap"].argmin(), other["gap"].argmin()
        assert one["gap"][i] == pytest.approx(other["gap"][j], abs=1e-10)
        assert np.allclose(one["n"][i], -other["n"][j], atol=1e-6)


@pytest.mark.parametrize(("kind_a", "kind_b"), WITH_RINGS)
def test_a_motion_of_both_moves_the_contacts_along(kind_a, kind_b):
    for seed, gap in enumerate((0.05, -1e-3)):
        rng = np.random.default_rng([seed, 3])
        a, pose_a, b, pose_b = placed_pair(kind_a, kind_b, rng, gap)
        Q, far = rotation(rng), 1000 * rng.normal(size=3)
        moved = [(Q @ x + far, Q @ R) for x, R in (pose_a, pose_b)]
        one, other = pair(a, pose_a, b, pose_b), pair(a, moved[0], b, moved[1])
        i, j = one["gap"].argmin(), other["gap"].argmin()
        assert one["gap"][i] == pytest.approx(other["gap"][j], abs=1e-9)
        assert np.allclose(Q @ one["n"][i], other["n"][j], atol=1e-6)


@pytest.mark.parametrize("kind", (*KINDS, "circle"))
def test_a_plane_is_met_at_the_lowest_point(kind):
    for seed in range(8):
        rng = np.random.default_rng([seed, 4])
        a, pose, Q = specimen(kind, rng), (rng.normal(size=3), rotation(rng)), rotation(rng)
        found = pair(a, pose, PLANE, (np.zeros(3), Q))
        lowest = -heights(a, pose, -Q[None, :, 2])[0]
        assert found["gap"].min() == pytest.approx(lowest, abs=1e-12)
        assert np.allclose(found["n"], -Q[:, 2], atol=1e-15)
        assert np.allclose(found["xb"] @ Q[:, 2], 0, atol=1e-12)


def circle_to(part, pose, p):
    """Distances of points from a part with a closed form: a ball or a capsule."""
    x, R = pose
    half = part.size[0] if part.core == "segment" else 0.0
    t = np.clip((p - x) @ R[:, 0], -half, half)
    return np.linalg.norm(p - x - t[:, None] * R[:, 0], axis=1) - part.rounding


@pytest.mark.parametrize("kind", ["point", "segment"])
def test_a_ring_is_met_where_it_is_nearest(kind):
    """By dense sampling of its circle, finer and finer."""
    for seed in range(12):
        rng = np.random.default_rng([seed, 5])
        ring, other = specimen("circle", rng), specimen(kind, rng, 0.5)
        pose, place = (rng.normal(size=3), rotation(rng)), rotation(rng)
        where = (pose[0] + 0.7 * rng.normal(size=3), place)
        low, high = 0.0, 2 * np.pi
        for _ in range(4):
            t = np.linspace(low, high, 4001)
            p = pose[0] + ring.size[0] * np.column_stack([np.cos(t), np.sin(t), 0 * t]) @ pose[1].T
            d = circle_to(other, where, p)
            k, width = d.argmin(), (high - low) / 400
            low, high = t[k] - width, t[k] + width
        found = pair(ring, pose, other, where)
        assert found["gap"].min() == pytest.approx(d.min() - ring.rounding, abs=1e-9)


# --- patches -------------------------------------------------------------------------------------
BOX = boundary.block((1.0, 1.0, 1.0))[0]
HULL = Part("hull", vertices=corners(BOX))
CYLINDER = boundary.bar(1.0, 0.3)[0]


@pytest.mark.parametrize("lower", [BOX, HULL], ids=["box", "hull"])
@pytest.mark.parametrize("upper", [BOX, HULL], ids=["box", "hull"])
@pytest.mark.parametrize("gap", [-1e-3, 0.0, 1e-3])
def test_a_face_on_a_face_has_four_points_at_the_corners_of_what_they_share(lower, upper, gap):
    found = pair(lower, HERE, upper, (np.array([0.2, 0.3, 1 + gap]), np.eye(3)), margin=0.01)
    assert np.allclose(found["gap"], gap, atol=1e-12)
    assert np.allclose(found["n"], (0, 0, 1), atol=1e-12)
    spots = {tuple(x) for x in np.round(found["xa"][:, :2], 9)}
    assert spots == {(-0.3, -0.2), (0.5, -0.2), (0.5, 0.5), (-0.3, 0.5)}


def test_a_smaller_face_stands_on_its_own_corners():
    small = boundary.block((0.2, 0.4, 0.2))[0]
    angle = 0.3
    turned = np.array([(np.cos(angle), -np.sin(angle), 0), (np.sin(angle), np.cos(angle), 0), (0, 0, 1.0)])
    found = pair(BOX, HERE, small, (np.array([0.1, 0.0, 0.6]), turned), margin=0.01)
    local = (found["xb"] - (0.1, 0.0, 0.6)) @ turned
    assert np.allclose(np.sort(local[:, 0]), (-0.1, -0.1, 0.1, 0.1))
    assert np.allclose(np.sort(local[:, 1]), (-0.2, -0.2, 0.2, 0.2))


@pytest.mark.parametrize("ground", [PLANE, BOX], ids=["plane", "box"])
def test_a_cylinder_rolls_on_two_points_of_its_true_rims(ground):
    top = 0.0 if ground is PLANE else 0.5
    small = boundary.bar(0.6, 0.2)[0]
    for angle in np.linspace(0, 6, 13):
        c, s = np.cos(angle), np.sin(angle)
        turned = np.array([(1, 0, 0), (0, c, -s), (0, s, c)])
        found = pair(ground, HERE, small, (np.array([0.0, 0.1, top + 0.2]), turned), margin=0.01)
        assert np.allclose(np.sort(found["xb"][:, 0]), (-0.3, 0.3), atol=1e-12)
        assert np.allclose(found["xb"][:, 1:], (0.1, top), atol=1e-12)
        assert np.allclose(found["gap"], 0, atol=1e-12)


@pytest.mark.parametrize("tilt", [1e-5, 1e-3, 0.1, 0.3, 0.7])
def test_a_tilted_coin_touches_with_the_lowest_point_of_its_rim(tilt):
    for ground, top in ((PLANE, 0.0), (BOX, 0.5)):
        c, s = np.cos(tilt), np.sin(tilt)
        for spin in (0.0, 1.0, 2.5):
            q = np.array([(1, 0, 0), (0, np.cos(spin), -np.sin(spin)), (0, np.sin(spin), np.cos(spin))])
            turned = np.array([(c, 0, s), (0, 1, 0), (-s, 0, c)]) @ UPRIGHT @ q
            coin = boundary.bar(0.02, 0.2)[0]
            height = top + heights(coin, (np.zeros(3), turned), np.array([(0.0, 0.0, -1.0)]))[0]
            found = pair(ground, HERE, coin, (np.array([0.0, 0.0, height]), turned), margin=1.0)
            k = found["gap"].argmin()
            # the lowest point of the lower rim: −h axis, then down the slope of the end
            axis, down = turned[:, 0], np.array([c, 0.0, -s])
            assert np.allclose(
                found["xb"][k], (0, 0, height) + np.sign(-axis[2]) * 0.01 * axis + 0.2 * down * 1
            )
            assert found["gap"][k] == pytest.approx(0, abs=1e-12)


def test_a_standing_cylinder_has_four_points_of_its_rim():
    found = pair(PLANE, HERE, CYLINDER, (np.array([0.0, 0.0, 0.5]), UPRIGHT), margin=0.01)
    assert len(found["gap"]) == 4
    assert np.allclose(np.hypot(*found["xb"][:, :2].T), 0.3, atol=1e-12)
    assert np.allclose(found["xb"].sum(axis=0), 0, atol=1e-12)


def test_gaps_up_to_the_margin_are_told():
    for apart, expected in ((0.009, 4), (0.011, 0)):
        found = pair(BOX, HERE, BOX, (np.array([0.0, 0.0, 1 + apart]), np.eye(3)), margin=0.01)
        assert len(found["gap"]) == expected
        assert np.allclose(found["gap"], apart)


# --- degenerate ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("kind_a", "kind_b"), WITH_RINGS)
def test_concentric_parts_have_a_finite_way_out(kind_a, kind_b):
    rng = np.random.default_rng(6)
    a, b = specimen(kind_a, rng), specimen(kind_b, rng)
    found = pair(a, HERE, b, HERE)
    assert len(found["gap"])
    assert all(np.isfinite(values).all() for values in found.values())
    if "circle" not in (kind_a, kind_b):
        n = found["n"][found["gap"].argmin()]
        assert gaps(a, HERE, b, HERE, n[None])[0] == pytest.approx(found["gap"].min(), abs=1e-9)


@pytest.mark.parametrize("kind", ["box", "hull", "cylinder", "cone", "segment", "point"])
@pytest.mark.parametrize("ratio", [1e-4, 1e4])
def test_huge_and_tiny_parts_meet(kind, ratio):
    rng = np.random.default_rng(7)
    for gap in (1e-3, -1e-3):
        a, b = specimen("box", rng), specimen(kind, rng, ratio)
        pose_a, turned = (rng.normal(size=3), rotation(rng)), rotation(rng)
        least = min(1.0, ratio)
        d = pose_a[1][:, 2]
        apart = gaps(a, pose_a, b, (pose_a[0], turned), d[None])[0]
        pose_b = (pose_a[0] + d * (gap * least - apart), turned)
        check(
            a,
            pose_a,
            b,
            pose_b,
            pair(a, pose_a, b, pose_b, margin=1e5),
            tolerance=1e-12 * max(1.0, ratio) + 1e-11,
        )


def test_parallel_edges_have_the_ends_of_their_common_part():
    c = np.sqrt(0.5)
    turned = np.array([(1, 0, 0), (0, c, -c), (0, c, c)])
    found = pair(BOX, (np.zeros(3), turned), BOX, (np.array([0.4, 0.0, 2 * c + 1e-3]), turned), margin=0.01)
    assert np.allclose(np.sort(found["xa"][:, 0]), (-0.1, 0.5), atol=1e-9)
    assert np.allclose(found["n"], (0, 0, 1), atol=1e-9)
    assert np.allclose(found["gap"], 1e-3, atol=1e-9)


def test_features_stay_while_a_box_slides():
    seen = []
    for x in np.linspace(0.1, 0.3, 7):
        found = pair(BOX, HERE, BOX, (np.array([x, 0.3, 1.0]), np.eye(3)), margin=0.01)
        seen.append(sorted(found["feature"]))
        assert len(set(found["feature"])) == 4
    assert all(features == seen[0] for features in seen)


EVERY = ("point", "segment", "circle", "box", "cylinder", "cone", "hull", "mesh")


def changes(kind_a, kind_b, rng, gap):
    """By how much more than it may the least gap of two random parts changes with small motions, at worst."""
    a, b = specimen(kind_a, rng), specimen(kind_b, rng)
    pose_a = (np.zeros(3), rotation(rng))
    x, R = settled(a, pose_a, b, (1.5 * rng.normal(size=3), rotation(rng)), gap)
    before = pair(a, pose_a, b, (x, R), margin=0.05)["gap"].min()
    worst = -np.inf
    for size in (1e-9, 1e-6, 1e-4):
        wx, wy, wz = size * rng.normal(size=3)
        half = np.array([(0, -wz, wy), (wz, 0, -wx), (-wy, wx, 0)]) / 2
        turn = np.linalg.solve(np.eye(3) - half, np.eye(3) + half)  # Cayley's map
        after = pair(a, pose_a, b, (x + size * rng.normal(size=3), turn @ R), margin=0.05)["gap"].min()
        worst = max(worst, abs(after - before) - 20 * size - 1e-10)
    return worst


@pytest.mark.parametrize(("kind_a", "kind_b"), list(combinations_with_replacement(EVERY, 2)))
def test_a_small_motion_changes_the_gap_little(kind_a, kind_b):
    """Wherever faces, edges and rims take over from each other, and whether apart or overlapping."""
    for seed, gap in enumerate((0.01, 1e-4, -1e-5, -1e-3)):
        assert changes(kind_a, kind_b, np.random.default_rng([seed, 8]), gap) < 0


# what jumped, by up to 1 m: two corners hardly apart, thin simplices, ways out that are nearly as short
DEPTHS = (0.0, -1e-9, -1e-8, -1e-7, -1e-6, -1e-5, -1e-4, -1e-3, -1e-2, 1e-9, 1e-7, 1e-5, 1e-3)
HARD = (
    ("cylinder", "hull", (1008, 1035, 1038), 1e-9), ("cylinder", "hull", (1047,), 0.0),
    ("cylinder", "hull", (1048,), -1e-7), ("cylinder", "hull", (1088, 5023), -1e-6),
    ("cylinder", "mesh", (1024, 1037), 1e-9), ("cylinder", "mesh", (1041, 1069), 0.0),
    ("cylinder", "mesh", (1027, 5090), -1e-6), ("box", "cone", (1003,), 1e-9),
    ("box", "cone", (1032,), -1e-8),
    ("cone", "cone", (1049, 1059), 1e-9), ("cone", "cone", (1078,), -1e-6), ("cone", "cone", (1035,), -1e-5),
    ("cone", "cone", (1010,), -1e-4), ("cone", "cone", (1048, 5075), -1e-3), ("cone", "cone", (5118,), -0.01),
    ("cone", "hull", (1065,), 0.0), ("cone", "hull", (1033, 5120), -1e-6), ("cone", "hull", (5110,), -0.01),
    ("cone", "mesh", (1002, 1021, 1041), 1e-9), ("cone", "mesh", (1054, 1080), 0.0),
)  # fmt: skip


@pytest.mark.parametrize(("kind_a", "kind_b", "seeds", "gap"), HARD)
def test_hardly_touching_parts_keep_their_gap(kind_a, kind_b, seeds, gap):
    for seed in seeds:
        rng = np.random.default_rng([seed, DEPTHS.index(gap), EVERY.index(kind_a), EVERY.index(kind_b)])
        assert changes(kind_a, kind_b, rng, gap) < 0
