"""Assembly (A2): scattered parts are put together, loops too, without passing time; what cannot be met is
named."""

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tinkerdyne as td
from tests.modelling.mechanics import bits, random_body
from tests.modelling.test_joints import PLANE, SPACE
from tinkerdyne.language.types import REGISTRY

SEEDS = range(4)


def scattered_rods(n, seed, size=3.0):
    rng = np.random.default_rng(seed)
    world = td.World()
    turns = Rotation.random(n, rng=rng).as_quat(scalar_first=True)
    rods = [
        world.add(td.Rod(f"rod{k}", position=tuple(size * rng.normal(size=3)), orientation=tuple(turns[k])))
        for k in range(n)
    ]
    for a, b in itertools.pairwise(rods):
        world.add(td.connect(a.end2, b.end1))
    world.add(td.connect(rods[0].end1, td.Nail(0, 0, 0), name="first"))
    return world, rods


def ends(rod):
    along = Rotation.from_quat(rod.orientation, scalar_first=True).apply((0.5, 0.0, 0.0))
    return np.array(rod.position) - along, np.array(rod.position) + along


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("by_mass", [True, False])
def test_a_scattered_chain_is_put_together(seed, by_mass):
    world, rods = scattered_rods(20, seed)
    found = world.assemble(precision=1e-12, by_mass=by_mass)
    assert found and found.gap <= 1e-12 and world.gap <= 1e-12 and not found.unmet
    assert found.iterations < 60
    np.testing.assert_allclose(ends(rods[0])[0], 0, atol=1e-12)
    for a, b in itertools.pairwise(rods):
        np.testing.assert_allclose(ends(a)[1], ends(b)[0], atol=1e-11)
    assert world.time == 0 and not any(np.any(rod.velocity) or np.any(rod.spin) for rod in rods)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scattered_loop_is_put_together(seed):
    world, rods = scattered_rods(12, seed)
    world.add(td.connect(rods[-1].end2, rods[0].end1, name="closing"))
    found = world.assemble(precision=1e-12)
    assert found and found.gap <= 1e-12
    np.testing.assert_allclose(ends(rods[-1])[1], ends(rods[0])[0], atol=1e-11)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("name", "dim"), [(n, 3) for n in SPACE] + [(n, 2) for n in PLANE])
def test_joints_are_put_together_from_random_poses(name, dim, seed):
    """Three bodies in a row, from anywhere; afterwards frames meet, and the motion begins without a jerk."""
    rng = np.random.default_rng([seed, dim, *name.encode()])
    world = td.World()
    bodies = [world.add(random_body(f"body{k}", dim, rng)) for k in range(3)]
    sources = [
        td.world_frame(at=(0.0,) * dim),
        *[td.frame(b, at=tuple(rng.normal(size=dim))) for b in bodies[:-1]],
    ]
    for source, body in zip(sources, bodies, strict=True):
        world.add(REGISTRY[name](source, td.frame(body, at=tuple(rng.normal(size=dim)))))
    found = world.assemble(precision=1e-11)
    assert found, found
    assert world.gap <= 1e-11
    before = np.concatenate([b.position for b in bodies])
    assert world.run(1e-3)  # velocities agree with the constraints: only what moves freely has moved
    moved = np.concatenate([b.position for b in bodies]) - before
    np.testing.assert_allclose(moved, 1e-3 * np.concatenate([b.velocity for b in bodies]), atol=2e-4)
    assert all(c.gap < 1e-7 for c in world.items if c.type.family == "constraint")


def test_assembling_again_moves_nothing():
    world, _ = scattered_rods(8, 0)
    world.assemble(precision=1e-12)
    kept = bits(world)
    found = world.assemble(precision=1e-12)
    assert found and found.iterations == 0
    assert bits(world) == kept


def test_what_is_fixed_while_it_moves_stands_still():
    """Fixing holds an object where it is, and what hangs on it comes to rest by itself."""
    world = td.World()
    body = world.add(td.RigidBody("body", velocity=(1.0, 0.0, 0.0), spin=(0.0, 0.0, 1.0)))
    world.run(0.5)
    place, turn = body.position, body.orientation
    body.is_fixed = True
    world.run(0.5)
    assert (body.position, body.orientation) == (place, turn) and world.kinetic_energy == 0


def test_fixed_handles_stay_and_the_rest_comes():
    """Two handles of infinite mass with seven rods between them, within reach."""
    world, rods = scattered_rods(7, 3)
    world.remove("first")
    handles = [td.RigidBody(f"handle{k}", position=(4.0 * k, 1.0, 0.0), is_fixed=True) for k in range(2)]
    world.add(*handles)
    world.add(td.connect(rods[0].end1, td.point(handles[0])), td.connect(rods[-1].end2, td.point(handles[1])))
    assert world.assemble(precision=1e-12)
    assert handles[0].position == (0.0, 1.0, 0.0) and handles[1].position == (4.0, 1.0, 0.0)
    np.testing.assert_allclose(ends(rods[-1])[1], (4.0, 1.0, 0.0), atol=1e-11)


def test_an_assembly_can_be_undone_and_redone():
    world, _ = scattered_rods(6, 1)
    scattered = bits(world)
    world.assemble()
    together = bits(world)
    assert together != scattered
    world.undo()
    assert bits(world) == scattered
    world.redo()
    assert bits(world) == together
    assert world.gap < 1e-9


# --- what cannot be met ---------------------------------------------------------------------------
@pytest.mark.parametrize("seed", SEEDS)
def test_a_chain_that_is_too_short_says_what_is_open_and_keeps_a_finite_pose(seed):
    """Three rods between nails 5 m apart: 2 m are missing, and what is kept is better than the scattered
    parts."""
    world, rods = scattered_rods(3, seed)
    world.add(td.connect(rods[-1].end2, td.Nail(5, 0, 0), name="last"))
    joints = [c for c in world.items if c.type is td.connect]
    squares = lambda: sum(c.value @ c.value for c in joints)  # noqa: E731
    before = squares()
    found = world.assemble()
    assert not found and found.gap == max(c.gap for c in joints) > 0.4
    assert set(found.unmet) == {c.name for c in joints} and joints[-1].name == "last"
    assert squares() < 0.2 * before and all(np.isfinite(rod.position).all() for rod in rods)
    assert sum(np.linalg.norm(c.value) for c in joints) >= 2.0  # the triangle inequality
    assert f"not assembled: {found.iterations} iterations" in str(found) and "open: " in str(found)


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_a_chain_that_is_too_short_is_drawn_out_straight(seed):
    """The least squares, each row by the mass that it moves: 2 m are missing, twice as much within the chain
    as at its nails."""
    world, rods = scattered_rods(3, seed)
    world.add(td.connect(rods[-1].end2, td.Nail(5, 0, 0), name="last"))
    world.assemble(iterations=1000)
    gaps = [np.linalg.norm(c.value) for c in world.items if c.type is td.connect]
    assert sorted(gaps) == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3], abs=1e-5)


def test_the_widest_is_named_first():
    world = td.World()
    a, b = world.add(td.Particle("a"), td.Particle("b"))
    world.add(td.nail(a, at=(0, 0, 0), name="a here"), td.nail(a, at=(1, 0, 0), name="a there"))
    world.add(td.nail(b, at=(0, 0, 0), name="b here"), td.nail(b, at=(4, 0, 0), name="b there"))
    found = world.assemble()
    assert set(found.unmet[:2]) == {"b here", "b there"} and set(found.unmet[2:]) == {"a here", "a there"}
    assert (
        found.gap == pytest.approx(2.0)
        and a.position == pytest.approx((0.5, 0, 0))
        and b.position == pytest.approx((2, 0, 0))
    )


def test_what_can_be_met_is_met_beside_what_cannot():
    world, rods = scattered_rods(5, 0)
    lone = world.add(td.Particle("lone"))
    world.add(td.nail(lone, at=(0, 0, 9), name="up"), td.nail(lone, at=(0, 0, 8), name="down"))
    found = world.assemble(precision=1e-10)
    assert set(found.unmet) == {"up", "down"} and found.gap == pytest.approx(0.5, abs=1e-9)
    for a, b in itertools.pairwise(rods):
        np.testing.assert_allclose(ends(a)[1], ends(b)[0], atol=1e-9)


def test_contradictory_welds_keep_a_finite_pose_that_is_a_rotation():
    world = td.World()
    box = world.add(td.RigidBody("box"))
    turned = Rotation.from_rotvec((0, 0, np.pi)).as_matrix()
    for name, at, axes in (("one", (0, 0, 0), np.eye(3)), ("two", (0, 3, 0), turned)):
        world.add(td.weld(td.world_frame(at=at, axes=tuple(axes.ravel(order="F"))), td.frame(box), name=name))
    found = world.assemble()
    assert set(found.unmet) == {"one", "two"}
    assert np.linalg.norm(box.orientation) == pytest.approx(1.0, abs=1e-12)
    assert box.position == pytest.approx((0, 1.5, 0), abs=1e-3)


# --- stops ----------------------------------------------------------------------------------------
def four_bar(low=None):
    """Bars 1, 1.5 and 1.5 m between pins 2 m apart, lying about; the first angle may have a lowest value."""
    world = td.World()
    bars = [
        world.add(td.PlanarRod(f"bar{k}", length=length, position=(0.5 * k, -1.0)))
        for k, length in enumerate((1.0, 1.5, 1.5))
    ]
    frames = [td.frame(b, at=(s * b.length / 2, 0.0)) for b in bars for s in (-1, 1)]
    places = [td.world_frame(at=(0.0, 0.0)), *frames[1:-1], td.world_frame(at=(2.0, 0.0))]
    pins = [td.pin(places[0], frames[0], name="pin0"), td.pin(frames[1], frames[2], name="pin1")]
    pins += [
        td.pin(frames[3], frames[4], name="pin2"),
        td.pin(td.world_frame(at=(2.0, 0.0)), frames[5], name="pin3"),
    ]
    world.add(*pins)
    if low is not None:
        world.add(td.at_least(pins[0].turn, low=low, name="stop"))
    return world, bars, pins


def test_a_loop_is_assembled_within_the_limit_of_an_angle():
    world, _, pins = four_bar()
    assert world.assemble(precision=1e-12)
    free = pins[0].turn.value[0]
    world, bars, pins = four_bar(low=free + 0.4)
    found = world.assemble(precision=1e-12)
    assert found, found
    assert pins[0].turn.value[0] >= free + 0.4 - 1e-11
    knees = [np.array(b.position) + b.length / 2 * np.array([np.cos(b.angle), np.sin(b.angle)]) for b in bars]
    sides = [np.hypot(*(b - a)) for a, b in itertools.pairwise([np.zeros(2), *knees])]
    assert [*sides, *knees[-1]] == pytest.approx([1.0, 1.5, 1.5, 2.0, 0.0], abs=1e-11)


def test_a_stop_that_is_not_passed_has_no_part_in_the_assembly():
    world, _, pins = four_bar()
    world.assemble(precision=1e-12)
    free = [pin.turn.value[0] for pin in pins]
    world, _, pins = four_bar(low=-100.0)
    world.assemble(precision=1e-12)
    assert [pin.turn.value[0] for pin in pins] == pytest.approx(free, abs=1e-12)


# --- limits of the work ---------------------------------------------------------------------------
def test_more_iterations_leave_smaller_gaps():
    gaps = []
    for limit in (1, 2, 4, 8, 100):
        world, _ = scattered_rods(15, 5)
        found = world.assemble(precision=1e-12, iterations=limit)
        assert found.iterations <= limit
        gaps.append(found.gap)
    assert bool(found) and gaps == sorted(gaps, reverse=True) and gaps[-1] <= 1e-12


def test_it_stops_at_the_precision_asked_for():
    counts = []
    for precision in (1e-1, 1e-3, 1e-6, 1e-12):
        world, _ = scattered_rods(15, 5)
        found = world.assemble(precision=precision)
        assert found and found.gap <= precision
        counts.append(found.iterations)
    assert counts == sorted(counts) and counts[0] < counts[-1]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"precision": 0.0}, ValueError, "precision must be positive, not 0"),
        ({"precision": float("nan")}, ValueError, "precision must be a number, not NaN"),
        ({"precision": "fine"}, TypeError, "precision must be a number, not 'fine'"),
        ({"iterations": 0}, ValueError, "iterations must be positive, not 0"),
        ({"iterations": 2.5}, ValueError, "iterations must be a whole number, not 2.5"),
    ],
)
def test_bad_limits_are_refused_and_move_nothing(options, error, says):
    world, _ = scattered_rods(3, 0)
    before = bits(world)
    with pytest.raises(error, match=says):
        world.assemble(**options)
    assert bits(world) == before


def test_an_empty_world_and_one_without_constraints_are_assembled_already():
    assert td.World().assemble()
    world = td.World()
    world.add(td.RigidBody("alone", position=(1.0, 2.0, 3.0)))
    assert world.assemble().iterations == 0 and world["alone"].position == (1.0, 2.0, 3.0)
