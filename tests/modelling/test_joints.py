"""Joints (A1): freedoms, what they hold while they move, their coordinates, speeds and counted turns."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tinkerdyne as td
from tests.modelling.mechanics import bits, random_body, reloaded, seen_from
from tinkerdyne.constraints.joints import JointType
from tinkerdyne.language.types import REGISTRY

SPACE = {
    "ball": 3, "pin": 1, "universal": 2, "cylindrical": 2, "prismatic": 1,
    "planar": 3, "on_axis": 4, "on_face": 5, "weld": 0, "screw": 1,
}  # fmt: skip
PLANE = {"ball": 1, "pin": 1, "prismatic": 1, "on_axis": 2, "weld": 0}
CASES = [
    pytest.param(REGISTRY[name], dim, n, id=f"{name}{dim}")
    for dim, t in ((3, SPACE), (2, PLANE))
    for name, n in t.items()
]
PLACES = ["world", "a is fixed", "b is fixed", "both move"]


def jointed(kind, dim, place="both move", seed=0, **settings):
    """Two bodies in random poses with random motion, or one and the world, under random forces, joined where
    they are."""
    rng = np.random.default_rng([dim, seed, *kind.name.encode()])
    world = td.World(**settings)
    a = world.add(random_body("a", dim, rng, is_fixed=place == "a is fixed"))
    b = world.add(random_body("b", dim, rng, is_fixed=place == "b is fixed"))
    at, axis = rng.normal(size=dim), rng.normal(size=3)
    options = {"pitch": 0.7} if kind is td.screw else {}
    joint = world.add(
        td.join(kind, None if place == "world" else a, b, at=at, axis=axis, name="joint", **options)
    )
    if place == "world":
        world.remove(a)
    for body in (a, b):
        if body in world and not body.is_fixed:
            corner = td.point(body, at=tuple(rng.normal(size=dim)))
            world.add(td.spring(corner, td.Nail(*rng.normal(size=dim)), stiffness=8.0))
            world.add(td.pull(corner, by=tuple(rng.normal(size=dim))))
            world.add(td.twist_body(body, by=tuple(2 * rng.normal(size=1 if dim == 2 else 3))))
    world.project()
    return world, joint


def rebuilt(joint, coordinates):
    """Origin and axes of b in a as the coordinates alone say; None where a joint leaves them to chance."""
    name, c = joint.type.name, list(coordinates)
    dim = len(joint.inputs[0].at)
    about = lambda axis, angle: Rotation.from_euler(axis, angle).as_matrix()[:dim, :dim]  # noqa: E731
    if name == "ball":
        return np.zeros(dim), Rotation.from_rotvec(c if dim == 3 else (0, 0, *c)).as_matrix()[:dim, :dim]
    if name == "pin":
        return np.zeros(dim), about("z", c[0])
    if name == "universal":  # the cross turns about x of a, then b about its own y
        return np.zeros(3), about("x", c[0]) @ about("y", c[1])
    if name in ("cylindrical", "screw"):
        return np.array([0, 0, c[0]]), about("z", c[1])
    if name == "planar":
        return np.array([c[0], c[1], 0]), about("z", c[2])
    along = np.eye(dim)[2 if dim == 3 else 0]
    return {
        "prismatic": lambda: (c[0] * along, np.eye(dim)),
        "on_axis": lambda: (c[0] * along, None),
        "on_face": lambda: (np.array([c[0], c[1], 0]), None),
        "weld": lambda: (np.zeros(dim), np.eye(dim)),
    }[name]()


def test_every_joint_is_in_the_tables():
    public = {
        name for name in td.__all__ if isinstance(getattr(td, name), JointType)
    }  # not those of other tests
    assert public == SPACE.keys()


@pytest.mark.parametrize("name", sorted(SPACE.keys() - PLANE.keys()))
def test_joints_of_space_are_refused_in_the_plane(name):
    body = td.World().add(td.PlanarBody("door"))
    with pytest.raises(ValueError, match=f"a new {name} cannot be made of"):
        td.join(REGISTRY[name], None, body, at=(0.0, 0.0))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("kind", "dim", "freedoms"), CASES)
def test_freedoms_that_a_joint_leaves(kind, dim, freedoms, place):
    world, _ = jointed(kind, dim, place)
    whole = 6 if dim == 3 else 3
    found = world.diagnose()
    assert found.freedoms == freedoms + (whole if place == "both move" else 0)
    assert found.rows == found.rank == whole - freedoms
    assert not found.redundant and not found.contradictory


@pytest.mark.parametrize(("kind", "dim", "freedoms"), CASES)
def test_coordinates_and_speeds_are_the_pose_and_motion_of_b_in_a(kind, dim, freedoms):
    """The coordinates alone give the pose of b in a, and carried on by their speeds, the pose that the
    bodies' motion leads to."""
    world, joint = jointed(kind, dim)
    del freedoms
    for _ in range(3):
        assert world.run(0.3)
        assert joint.gap < 1e-7
        x, R = seen_from(joint)
        origin, axes = rebuilt(joint, joint.coordinates)
        np.testing.assert_allclose(x, origin, atol=1e-7)
        assert axes is None or np.abs(R - axes).max() < 1e-7
        e = 1e-4  # the differences err by e² times the cube of the spins, some 1e-7
        c, rate = joint.coordinates, joint.speeds
        (x1, R1), (x0, R0) = seen_from(joint, e), seen_from(joint, -e)
        (o1, A1), (o0, A0) = rebuilt(joint, c + e * rate), rebuilt(joint, c - e * rate)
        scale = 1 + np.abs(rate).max(initial=0.0) ** 3
        np.testing.assert_allclose((x1 - x0) / (2 * e), (o1 - o0) / (2 * e), atol=1e-6 * scale)
        assert axes is None or np.abs((R1 - R0 - A1 + A0) / (2 * e)).max() < 1e-6 * scale


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("kind", "dim", "freedoms"), CASES)
def test_a_joint_holds_and_keeps_the_energy_balance(kind, dim, freedoms, place):
    """Its forces do no work: what the bodies have gained is what springs and pulls gave, and both bodies feel
    it alike."""
    world, joint = jointed(kind, dim, place, seed=1)
    del freedoms
    twists = [i for i in world.items if i.type is td.twist_body]
    pulls = [i for i in world.items if i.type is td.pull]
    for item in twists:
        item.is_on = False
    where = lambda: sum(np.dot(p.by, p.inputs[0].value) for p in pulls)  # noqa: E731
    before, at = world.energy, where()
    for _ in range(3):
        assert world.run(0.2)
        assert joint.gap < 1e-7
    largest = max(1.0, world.kinetic_energy)
    assert world.energy - where() == pytest.approx(before - at, abs=1e-3 * largest)  # RATTLE's error at 1 ms
    if place == "both move":
        total, about = np.zeros(dim), np.zeros(1 if dim == 2 else 3)
        for name, f in world.reactions(joint).items():
            total = total + f[:dim]
            x = world[name].position
            moment = np.cross(x, f[:3]) if dim == 3 else x[0] * f[1] - x[1] * f[0]
            about = about + f[dim:] + moment
        size = 1e-9 * (1 + np.abs(joint.force).max())
        np.testing.assert_allclose(total, 0, atol=size)
        np.testing.assert_allclose(about, 0, atol=10 * size)


# --- counted turns --------------------------------------------------------------------------------
TURNING = [
    *[pytest.param(REGISTRY[name], dim, "turn", id=f"{name}{dim}") for name, dim in (("pin", 3), ("pin", 2), ("cylindrical", 3), ("planar", 3), ("screw", 3))],  # noqa: E501
    pytest.param(td.universal, 3, "bend", id="bend"),
    pytest.param(td.universal, 3, "swing", id="swing"),
]  # fmt: skip


def turning(kind, dim, coordinate, speed):
    world = td.World()
    body = world.add(td.PlanarBody("wheel") if dim == 2 else td.RigidBody("wheel", inertia=(0.2, 0.3, 0.4)))
    joint = world.add(td.join(kind, None, body, at=(0.3,) * dim, axis=(1.0, 2.0, 2.0), name="joint"))
    turn = getattr(joint, coordinate)
    world.add(td.speed(turn, at=(speed,), tau=0.02, name="motor"))
    if kind is td.universal:
        other = joint.swing if coordinate == "bend" else joint.bend
        world.add(td.held(other, name="still"))
    return world, turn


@pytest.mark.parametrize(("kind", "dim", "coordinate"), TURNING)
def test_full_turns_are_counted_both_ways(kind, dim, coordinate):
    """ẋ = ω (1 − e^(−t/τ)), so x = ω (t − τ) after many τ: 6 turns forwards, then 13 back, exactly."""
    world, turn = turning(kind, dim, coordinate, 40.0)
    assert world.run(1.0)
    assert turn.value[0] == pytest.approx(40.0 * (1.0 - 0.02), abs=5e-3)  # of order (step/τ)² = 1/400 of ω τ
    there = turn.value[0]
    world["motor"].at = (-40.0,)
    assert world.run(2.0)
    assert turn.value[0] - there == pytest.approx(-80.0 + 80.0 * 0.02, abs=1e-2)


@pytest.mark.parametrize(("kind", "dim", "coordinate"), TURNING)
def test_counted_turns_are_saved_and_undone(kind, dim, coordinate):
    world, turn = turning(kind, dim, coordinate, 30.0)
    world.run(0.5)
    again = reloaded(world)
    assert again[turn.name].value[0] == turn.value[0] > 2 * np.pi
    kept = turn.value[0], bits(world)
    world["motor"].at = (60.0,)
    world.run(0.5)
    assert turn.value[0] > kept[0] + 2 * np.pi
    world.undo()
    assert (turn.value[0], bits(world)) == kept
    world.run(0.7)
    again.run(0.7)
    assert (turn.value[0], bits(world)) == (again[turn.name].value[0], bits(again))


@pytest.mark.parametrize("method", ["runge_kutta", "adaptive", "dop853", "lsoda"])
def test_turns_are_counted_by_methods_with_long_steps(method):
    """Many turns within one of their steps: θ = ω t all the same."""
    world = td.World(method=method)
    wheel = world.add(td.PlanarBody("wheel", spin=40.0))
    pin = world.add(td.join(td.pin, None, wheel, at=(0.0, 0.0), name="pin"))
    assert pin.turn.value[0] == 0
    assert world.run(3.0)
    assert pin.turn.value[0] == pytest.approx(120.0, abs=1e-6)
    wheel.spin = -40.0
    assert world.run(4.0)
    assert pin.turn.value[0] == pytest.approx(-40.0, abs=1e-6)


def test_a_screw_counts_its_turns_before_anyone_looks():
    world = td.World()
    nut = world.add(td.RigidBody("nut", spin=(0.0, 0.0, 30.0)))
    screw = world.add(td.join(td.screw, None, nut, at=(0.0, 0.0, 0.0), pitch=0.2, name="screw"))
    world.project()
    world.run(2.0)
    slide, turn = screw.coordinates
    assert turn == pytest.approx(2 * np.pi * slide / 0.2, abs=1e-6) and turn > 16 * np.pi


def test_a_coordinate_that_nobody_read_is_counted_from_when_it_is_read():
    """A pin holds no turn of its own: its coordinate is a connector, in the world from the first look on."""
    world, joint = jointed(td.pin, 2, "world")
    assert "joint.turn" not in world
    first = joint.turn.value[0]
    assert joint.turn is world["joint.turn"] and abs(first) <= np.pi
    world.remove(joint.turn)
    assert joint.turn.value[0] == pytest.approx(first)  # made anew


@pytest.mark.parametrize(("kind", "dim"), [(td.pin, 3), (td.prismatic, 2), (td.screw, 3)])
def test_a_joint_is_saved_and_runs_on_to_the_bit(kind, dim):
    world, joint = jointed(kind, dim, seed=2)
    assert np.isfinite(joint.coordinates).all()
    world.run(0.1)
    again = reloaded(world)
    assert again["joint"].coordinates.tobytes() == joint.coordinates.tobytes()
    world.run(0.3)
    again.run(0.3)
    assert bits(world) == bits(again)
    assert again["joint"].speeds.tobytes() == joint.speeds.tobytes()


def test_joining_says_what_is_wrong():
    world = td.World()
    door, flat = world.add(td.RigidBody("door"), td.PlanarBody("flat"))
    with pytest.raises(ValueError, match="rigid_body 'door' cannot be joined to itself"):
        td.join(td.pin, door, door, at=(0, 0, 0))
    with pytest.raises(ValueError, match="planar_body 'flat' lives in 2 dimensions, the joint in 3"):
        td.join(td.pin, door, flat, at=(0, 0, 0))
    with pytest.raises(ValueError, match="axis must not be zero"):
        td.join(td.pin, None, door, at=(0, 0, 0), axis=(0, 0, 0))
    with pytest.raises(ValueError, match="lies along the axis"):
        td.join(td.pin, None, door, at=(0, 0, 0), axis=(0, 0, 1), toward=(0, 0, 2))
    with pytest.raises(TypeError, match="at must be a sequence of numbers, not '000'"):
        td.join(td.pin, None, door, at="000")
    with pytest.raises(AttributeError, match="a new pin is in no world yet; add it to read its reaction"):
        td.join(td.pin, None, door, at=(0, 0, 0)).reaction  # noqa: B018


def test_the_count_of_turns_can_be_set_and_taken_back():
    """What puts a body in a new place from outside says how often it turned on the way."""
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    turn = world.add(world.add(td.join(td.pin, None, rod, at=(0, 0, 0), name="hinge")).turn)
    half = 2 * np.pi + 1.0
    rod.position = (0.5 * np.cos(half), 0.5 * np.sin(half), 0)
    rod.orientation = (np.cos(half / 2), 0, 0, np.sin(half / 2))
    assert abs(turn.value[0] - 1.0) < 1e-12
    turn.turns = half
    assert abs(turn.value[0] - half) < 1e-12
    world.step(1e-3)
    assert abs(turn.value[0] - half) < 1e-3
    world.undo()
    assert abs(turn.value[0] - 1.0) < 1e-12
