"""Laws of a whole world: which pairs are looked at, in which order, with how much room, and what is kept."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.contact.oracle import fields, rotation, specimen
from tinkerdyne.compiler import core
from tinkerdyne.engine.contact.detection_records import FoundContact, Placed, SurfacePair
from tinkerdyne.engine.contact.detector import GROUND, Detector, SurfaceOf
from tinkerdyne.engine.contact.memory import recall, remembered
from tinkerdyne.engine.readings import Places
from tinkerdyne.objects import boundary
from tinkerdyne.objects.rotation import rotation_matrix

KINDS = ("point", "segment", "circle", "box", "cylinder", "cone", "hull")
FLOOR = SurfaceOf(GROUND, boundary.half_space()[0])
BOX = boundary.block((1.0, 1.0, 1.0))[0]


def scattered(count, rng, *, spread, margin=0.01, slop=-1.0, room=True):
    """Bodies of all kinds and many sizes, some huge, on a floor."""
    surfaces = [FLOOR]
    for k in range(count):
        size = 5.0 if k % 40 == 7 else rng.uniform(0.1, 1.0)
        surfaces.append(SurfaceOf(k, specimen(KINDS[k % len(KINDS)], rng, size)))
    detector = Detector(count, surfaces, margin=margin, slop=slop)
    for k in range(count):
        detector.put(k, spread * rng.uniform(-1, 1, 3), rotation(rng))
    if room:
        detector.find()
    return detector


def rows(detector, record, place, count):
    """Rows of a table of integers."""
    return detector.D[place : place + count * record.size].reshape(count, record.size)


def pairs(detector):
    return [tuple(row) for row in rows(detector, SurfacePair, detector.head.pairs, detector.head.n_pairs)]


def bounds(detector):
    n, first = detector.head.n_surfaces, detector.head.placed
    table = detector.F[first : first + n * Placed.size].reshape(n, Placed.size)
    low, high = (Placed.fields[name].offset for name in ("low", "high"))
    return table[:, low : low + 3], table[:, high : high + 3]


@pytest.mark.parametrize("spread", [0.5, 3.0, 30.0])
def test_pairs_are_those_whose_bounds_overlap_in_rising_order(spread):
    for seed in range(3):
        detector = scattered(90, np.random.default_rng([seed, 1]), spread=spread)
        low, high = bounds(detector)
        wanted = []
        for i in range(1, 91):
            for j in range(i + 1, 91):
                if (low[i] <= high[j]).all() and (low[j] <= high[i]).all():
                    wanted.append((i, j))
        found = pairs(detector)
        assert [pair for pair in found if pair[0] > 0] == wanted
        assert found == sorted(found)
        # of the floor: what reaches down to it
        assert {j for i, j in found if i == 0} == {j for j in range(1, 91) if low[j, 2] <= 0.005}


def test_contacts_come_in_the_order_of_their_surfaces_and_say_their_bodies():
    detector = scattered(60, np.random.default_rng(2), spread=1.0)
    whole, points = detector.contacts()
    column = {name: whole[:, cell.offset] for name, cell in FoundContact.fields.items()}
    keys = list(zip(column["surface_a"], column["surface_b"], strict=True))
    assert keys == sorted(keys)
    assert len(set(keys)) > 60
    assert (column["a"] == column["surface_a"] - 1).all()  # the floor comes first
    found = fields(points)
    assert np.allclose(found["gap"], ((found["xb"] - found["xa"]) * found["n"]).sum(axis=1))
    poses = detector.poses
    for name, body, x in (("anchor_a", column["a"], found["xa"]), ("anchor_b", column["b"], found["xb"])):
        R = poses[body + 1, 3:12].reshape(-1, 3, 3).transpose(0, 2, 1)
        assert np.allclose(np.einsum("kij,kj->ki", R, found[name]) + poses[body + 1, :3], x, atol=1e-12)


def test_what_is_found_hangs_on_the_places_alone():
    """Not on the steps before: a world that came here by another way has the same contacts, to the bit."""
    rng = np.random.default_rng(3)
    detector = scattered(60, rng, spread=1.0)
    wanted = [table.tobytes() for table in detector.contacts()]
    here = detector.poses.copy()
    for _ in range(3):
        detector.poses[1:, :3] += rng.normal(size=(60, 3))
        detector.find()
    detector.poses[:] = here
    detector.find()
    assert [table.tobytes() for table in detector.contacts()] == wanted


def touching_bodies(**options):
    """Three boxes in a row, each in the next."""
    surfaces = options.pop("surfaces", [SurfaceOf(k, BOX) for k in range(3)])
    detector = Detector(3, surfaces, margin=0.01, slop=-1.0, **options)
    for k in range(3):
        detector.put(k, (0.9 * k, 0.0, 0.0))
    detector.find()
    whole, _ = detector.contacts()
    return {(int(a), int(b)) for a, b in whole[:, :2]}


def test_fixed_bodies_and_ignored_pairs_and_other_groups_are_no_pairs():
    assert touching_bodies() == {(0, 1), (1, 2)}
    assert touching_bodies(fixed=[0, 1]) == {(1, 2)}
    assert touching_bodies(ignored=[(2, 1)]) == {(0, 1)}
    groups = [SurfaceOf(0, BOX, 1, 1), SurfaceOf(1, BOX, 2, 6), SurfaceOf(2, BOX, 4, 7)]
    assert touching_bodies(surfaces=groups) == {(1, 2)}


def test_surfaces_of_one_body_do_not_touch_each_other():
    surfaces = [SurfaceOf(0, BOX), SurfaceOf(0, BOX), SurfaceOf(1, BOX), SurfaceOf(2, BOX)]
    assert touching_bodies(surfaces=surfaces) == {(0, 1), (1, 2)}


# --- room ----------------------------------------------------------------------------------------
def test_where_room_is_missing_it_is_told_and_nothing_is_lost():
    rng = np.random.default_rng(4)
    wide = scattered(60, rng, spread=0.6)
    narrow = scattered(60, np.random.default_rng(4), spread=0.6, room=False)
    narrow.head.pair_room, narrow.head.contact_room, narrow.head.patch_room = 5, 7, 3
    narrow.find()
    assert narrow.head.pair_room >= narrow.head.n_pairs > 5
    assert narrow.head.contact_room >= narrow.head.n_contacts > 7
    assert [t.tobytes() for t in narrow.contacts()] == [t.tobytes() for t in wide.contacts()]


def test_room_that_is_given_later_keeps_the_old_patches():
    rng = np.random.default_rng(5)
    detector = scattered(40, rng, spread=0.8, slop=1e-6)
    before = [table.tobytes() for table in detector.contacts()]
    detector.head.contact_room = 3
    detector.find()
    assert detector.head.recycled == detector.head.n_patches > 0
    assert [table.tobytes() for table in detector.contacts()] == before


# --- edits ---------------------------------------------------------------------------------------
def test_sizes_change_in_place():
    detector = Detector(1, [FLOOR, SurfaceOf(0, BOX)], margin=0.01, slop=0.0)
    detector.put(0, (0.0, 0.0, 1.0))
    assert detector.find() == 0
    assert detector.change(1, boundary.block((1.0, 1.0, 2.0))[0])
    assert detector.find() == 4
    assert detector.change(1, boundary.block((1.0, 1.0, 2.01))[0])
    detector.find()  # what was kept of the old sizes is not kept any more
    assert np.allclose(fields(detector.contacts()[1])["gap"], -0.005)
    assert not detector.change(1, boundary.ball(1.0)[0])


def test_a_world_that_is_laid_out_anew_goes_on_with_its_patches():
    """Without one of its bodies, and with another one: all that rests has the same bytes."""
    rng = np.random.default_rng(9)
    before = scattered(40, rng, spread=0.8, slop=1e-9)
    gone, n = 7, 40
    left = [k for k in range(n) if k != gone]
    surfaces = [FLOOR, *(SurfaceOf(i, before.surfaces[k + 1].part) for i, k in enumerate(left))]
    after = Detector(n, [*surfaces, SurfaceOf(n - 1, BOX)], margin=0.01, slop=1e-9)
    after.poses[1:n] = before.poses[[k + 1 for k in left]]
    after.put(n - 1, (30.0, 0.0, 0.5))
    known = remembered(before, np.zeros((before.head.n_contacts, 3)), [*range(n), GROUND], 0.0)
    _, is_whole = recall(after, known, [*left, n, GROUND])
    assert not is_whole
    after.find()
    (old, old_points), (new, new_points) = before.contacts(), after.contacts()
    kept = (old[:, :2] != gone).all(axis=1)
    rests = (new[:, :2] != n - 1).all(axis=1)
    assert new_points[rests].tobytes() == old_points[kept].tobytes()
    assert after.head.recycled == after.head.n_patches - 1  # the new body on the floor


def test_a_fast_body_is_told_of_gaps_further_on():
    detector = Detector(1, [FLOOR, SurfaceOf(0, BOX)], margin=0.01, slop=-1.0)
    detector.put(0, (0.0, 0.0, 0.7))
    assert detector.find() == 0
    detector.poses[1, 12] = 0.25
    assert detector.find() == 4


# --- recycling -----------------------------------------------------------------------------------
def test_at_rest_every_step_has_the_same_bytes():
    for slop in (-1.0, 0.0, 1e-5):
        detector = scattered(60, np.random.default_rng(6), spread=0.8, slop=slop)
        first = [table.tobytes() for table in detector.contacts()]
        for _ in range(3):
            detector.find()
            assert [table.tobytes() for table in detector.contacts()] == first
        kept = detector.head.n_patches if slop >= 0 else 0
        assert detector.head.recycled == kept


def test_a_patch_is_kept_while_its_bodies_move_less_than_the_slop():
    detector = Detector(1, [FLOOR, SurfaceOf(0, BOX)], margin=0.01, slop=1e-5)
    detector.put(0, (0.0, 0.0, 0.5))
    detector.find()
    anchors = fields(detector.contacts()[1])["anchor_b"]
    detector.put(0, (3e-6, 0.0, 0.5 + 4e-6))
    detector.find()
    found = fields(detector.contacts()[1])
    assert detector.head.recycled == 1
    assert (found["anchor_b"] == anchors).all()
    assert np.allclose(found["gap"], 4e-6, atol=1e-12)  # gaps follow the bodies
    detector.put(0, (2e-5, 0.0, 0.5))
    detector.find()
    assert detector.head.recycled == 0
    found = fields(detector.contacts()[1])
    assert np.allclose(found["xa"], found["xb"], atol=1e-12)  # anchors face each other again


def test_a_turn_moves_a_patch_as_far_as_its_body_reaches():
    for angle, kept in ((1e-6, 1), (1e-4, 0)):
        detector = Detector(1, [FLOOR, SurfaceOf(0, BOX)], margin=0.01, slop=1e-5)
        detector.put(0, (0.0, 0.0, 0.5))
        detector.find()
        c, s = np.cos(angle), np.sin(angle)
        detector.put(0, (0.0, 0.0, 0.5), np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)]))
        detector.find()
        assert detector.head.recycled == kept


def test_two_bodies_that_move_together_keep_their_patch():
    rng = np.random.default_rng(7)
    detector = Detector(2, [SurfaceOf(0, BOX), SurfaceOf(1, BOX)], margin=0.01, slop=1e-6)
    x, R = np.array([0.1, 0.2, 1.0]), np.eye(3)
    detector.put(0, np.zeros(3), R)
    detector.put(1, x, R)
    detector.find()
    Q, far = rotation(rng), rng.normal(size=3)
    detector.put(0, far, Q)
    detector.put(1, Q @ x + far, Q)
    detector.find()
    assert detector.head.recycled == 1
    found = fields(detector.contacts()[1])
    assert np.allclose(found["n"], Q[:, 2], atol=1e-12)


def test_a_sheared_body_touches_with_its_sheared_corners():
    square = boundary.outline([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])[0]
    detector = Detector(2, [SurfaceOf(0, square), SurfaceOf(1, square)], affine=[1], margin=0.01, slop=0.0)
    shear = np.array([(1.0, 0.5, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 1.0)])
    detector.put(1, (0.0, 1.5, 0.0), shear)
    for _ in range(2):  # found, and kept
        detector.find()
        found = fields(detector.contacts()[1])
        assert np.allclose(np.sort(found["xb"][:, 0]), (-0.5, 0.25), atol=1e-12)
        assert np.allclose(found["gap"], 0, atol=1e-12)
        assert np.allclose(found["n"], (0, 1, 0), atol=1e-12)


def test_what_is_not_a_number_stops_nothing():
    detector = scattered(20, np.random.default_rng(8), spread=0.5)
    detector.poses[3, 0] = np.nan
    detector.poses[5, 4] = np.inf
    detector.find()
    assert np.isfinite(fields(detector.contacts()[1])["gap"]).all()


def test_poses_come_from_the_lifts_of_a_running_world():
    turned = (np.cos(0.4), 0.0, 0.0, np.sin(0.4))
    items = [
        td.Box(position=(1.0, 2.0, 3.0), orientation=turned, spin=(1.0, 2.0, 3.0), velocity=(1.0, 0.0, 0.0)),
        td.Particle(position=(1.0, 2.0, 4.0)),
        td.Particle(position=(5.0, 6.0)),
        td.Disc(position=(1.0, 2.0), angle=0.7, spin=1.0),
        td.Troid(position=(3.0, 1.0), shape=(1.0, 0.5, 0.2, 2.0)),
    ]
    world = td.World()
    for item in items:
        world.add(item)
    world.step(0.1)
    world.engine.evaluate()  # and with it the lifts
    places = Places(world.engine)
    detector = Detector(len(items), [])
    for k, item in enumerate(items):
        detector.follow(k, places.number(item), item.type.resolve(item)[0].dim)
    arena = world.engine.arena
    run = core.program()["gather_all_poses"]
    run(arena.ints_at, arena.floats_at, detector.D.ctypes.data, detector.F.ctypes.data)
    for k, item in enumerate(items):
        x, R = detector.poses[k + 1, :3], detector.poses[k + 1, 3:12].reshape(3, 3).T
        assert np.allclose(x, np.append(item.position, np.zeros(3 - len(item.position))))
        wanted = np.eye(3)
        if hasattr(item, "orientation"):
            wanted = rotation_matrix(item.orientation)
        elif hasattr(item, "angle"):
            c, s = np.cos(item.angle), np.sin(item.angle)
            wanted[:2, :2] = (c, -s), (s, c)
        elif hasattr(item, "shape"):
            wanted[:2, :2] = np.reshape(item.shape, (2, 2)).T
        assert np.allclose(R, wanted)
