"""Constraints and geometry that are degenerate, impossible or extreme: finite, deterministic, and said in
words."""

import math

import numpy as np
import pytest

import tinkerdyne as td
from tests.world.worlds import chain, loop, model_ellipse
from tinkerdyne import Status, World

VARYING = pytest.mark.filterwarnings("ignore:.*Runge–Kutta with projection")


def pair(place=(1.0, 0.0, 0.0), **settings):
    world = World(**settings)
    a, b = world.add(td.Particle("a"), td.Particle("b", position=place))
    return world, a, b


def is_finite(world: World) -> bool:
    return all(
        np.isfinite(np.concatenate(world.engine.state(i))).all()
        for i in world.items
        if i.type.family == "object"
    )


# --- distances ------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "adaptive"])
def test_coincident_points_part_along_the_x_axis(method):
    world, a, b = pair((0.0, 0.0, 0.0), method=method)
    world.add(td.distance(a, b, length=1.0))
    world.run(2.0)
    assert np.subtract(b.position, a.position) == pytest.approx([1.0, 0.0, 0.0], abs=1e-5)


@pytest.mark.parametrize("length", [0.0, -1.0])
def test_a_distance_that_is_not_positive_is_refused(length):
    world, a, b = pair()
    with pytest.raises(ValueError, match=f"length of distance 'd' must be positive, not {length:g}"):
        td.distance(a, b, length=length, name="d")
    d = world.add(td.distance(a, b, length=1.0, name="d"))
    with pytest.raises(ValueError, match="length of distance 'd' must be positive"):
        d.length = length
    assert d.length == 1.0


def test_a_point_tied_to_itself_has_no_effect_and_is_named():
    world, a, _ = pair()
    world.add(td.connect(a, a, name="idle"), td.gravity())
    assert world.run(0.1)
    assert world.diagnose().without_effect == ("idle",)
    assert a.velocity[2] == pytest.approx(-0.981)


def test_a_constraint_between_things_that_cannot_move_has_no_effect_and_is_named():
    world, a, b = pair()
    a.is_fixed = b.is_fixed = True
    world.add(
        td.distance(a, b, length=1.0, name="stiff"),
        td.connect(td.Nail(0, 0, 0), td.Nail(0, 0, 0), name="wall"),
    )
    free = world.add(td.Particle("free"))
    world.add(td.gravity())
    assert world.run(0.1)
    assert set(world.diagnose().without_effect) == {"stiff", "wall"}
    assert free.velocity[2] == pytest.approx(-0.981)


# --- redundant, contradictory, unreachable --------------------------------------------------------
def test_an_exact_duplicate_is_solved_and_reported():
    world, plain = chain(3), chain(3)
    world.add(td.connect(world["rod0"].end2, world["rod1"].end1, name="again"))
    world.run(1.0)
    plain.run(1.0)
    assert world["rod2"].position == pytest.approx(plain["rod2"].position, abs=1e-7)
    assert world.diagnose().redundant == (("connect-2", "again"),)
    share = world["connect-2"].force + world["again"].force
    assert share == pytest.approx(plain["connect-2"].force, abs=1e-4)


def test_a_contradictory_pair_is_named_and_rests_half_way_without_gaining_energy():
    world, a, _ = pair()
    world.add(td.nail(a, at=(0.0, 0.0, 0.0), name="here"), td.nail(a, at=(1.0, 0.0, 0.0), name="there"))
    result = world.run(3.0)
    assert result.status is Status.UNMET
    assert set(result.culprits) == {"here", "there"}
    assert world.diagnose().contradictory == (("here", "there"),)
    assert a.position == pytest.approx((0.5, 0.0, 0.0), abs=1e-5)
    assert world.kinetic_energy < 1e-6


def test_an_unreachable_target_shows_its_residual_and_stays_stable():
    world = World()
    rod = world.add(td.Rod("rod", position=(0.5, 0.0, 0.0)))
    world.add(
        td.nail(rod.end1, at=(0.0, 0.0, 0.0), name="foot"),
        td.nail(rod.end2, at=(3.0, 0.0, 0.0), name="far"),
        td.gravity(),
    )
    result = world.run(4.0)
    assert result.status is Status.UNMET
    assert set(result.culprits) == {"foot", "far"}
    assert world.diagnose().residual == pytest.approx(1.0, abs=1e-3)
    assert rod.position[0] == pytest.approx(1.5, abs=1e-3)
    assert world.kinetic_energy < 1e-3


def test_a_constraint_that_is_open_is_closed_at_once_by_projecting():
    world, a, b = pair((5.0, 0.0, 0.0))
    world.add(td.distance(a, b, length=1.0))
    assert world.project()
    assert math.dist(a.position, b.position) == pytest.approx(1.0, abs=1e-7)


def test_a_loop_passes_its_singular_pose_and_goes_on():
    world = loop(4)
    energy = world.energy
    result = world.run(3.0)
    assert result and is_finite(world)
    assert world.gap < 1e-6
    assert world.energy <= energy + 0.02 * 9.81


def test_too_many_constraints_that_agree_work():
    world = World()
    rods = [world.add(td.Rod(f"rod{k}", position=(k + 0.5, 0.0, 0.0))) for k in range(2)]
    for y in (0.0, 0.1, 0.2):
        world.add(
            td.connect(
                td.point(rods[0], at=(0.5, y, 0.0)), td.point(rods[1], at=(-0.5, y, 0.0)), name=f"pin {y}"
            )
        )
    world.add(td.nail(rods[0].end1, at=(0.0, 0.0, 0.0)), td.gravity())
    assert world.run(1.0)
    assert world.gap < 1e-7
    assert world.diagnose().redundant == (("pin 0.0", "pin 0.1", "pin 0.2"),)
    assert world.energy == pytest.approx(0.0, abs=1e-2)


# --- curves ---------------------------------------------------------------------------------------
@VARYING
def test_a_curve_of_no_length_still_moves_finitely():
    world = World()
    ring = world.add(model_ellipse("ring", a=0.0, b=0.0))
    world.add(td.nail(td.curve_point(ring, u=1.0), at=(0.0, 0.0)), td.gravity(g=(0.0, -9.81)))
    world.run(0.3)
    assert is_finite(world)


@td.curve(span=(-1.0, 1.0))
def fault_cusp(u, *, cx=0.0, cy=0.0):
    """A curve with a cusp at u = 0."""
    return cx + u * u, cy + u * u * u


@VARYING
def test_a_point_slides_through_a_cusp():
    world = World()
    line, bead, u = world.add(
        fault_cusp("line", is_fixed=True),
        td.Particle("bead", position=(0.25, 0.125)),
        td.Variable("u", value=0.5, mass=1e-3),
    )
    world.add(td.on_curve(bead, line, u), td.gravity(g=(-9.81, -9.81)))
    lowest = [1.0]
    world.run(1.0, each=lambda w: lowest.append(u.value))
    assert min(lowest) < -0.1
    assert is_finite(world)
    assert world.gap < 1e-6


@VARYING
def test_a_slider_on_a_closed_curve_goes_round():
    world = World()
    ring, bead, u = world.add(
        model_ellipse("ring", is_fixed=True, a=1.0, b=1.0),
        td.Particle("bead", position=(1.0, 0.0), velocity=(0.0, 4.0)),
        td.Variable("u", mass=1e-4, rate=4.0),
    )
    world.add(td.on_curve(bead, ring, u))
    world.run(3.0)
    assert u.value == pytest.approx(12.0, abs=1e-3)
    assert math.hypot(*bead.position) == pytest.approx(1.0, abs=1e-6)


@td.curve(span=(-1.0, 1.0))
def faults_lens(u, *, width=1.0):
    """A closed curve whose equations do not repeat: two parabolas that meet at both ends, in smooth
    parameters."""
    return td.vec(width * u * (1 - u * u), 1 - u * u)


def test_a_slider_on_a_closed_curve_goes_round_where_the_equations_do_not():
    world = World(order=1)
    ring, u = world.add(faults_lens("ring", is_fixed=True), td.Variable("u", value=0.9))
    at = world.add(td.slider(ring, u))
    assert "u.start" not in world
    u.value = 2.9  # one turn on
    assert at.value == pytest.approx((0.9 * (1 - 0.81), 1 - 0.81), abs=1e-12)


@td.curve()
def faults_ramp(u, *, rise=0.0):
    """An open curve: a straight line, from its start (u = 0) to its end (u = 1)."""
    return td.vec(u, rise)


@VARYING
@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "adaptive"])
def test_a_slider_on_an_open_curve_stops_at_its_end(method):
    """Policy: clamp. Two stops come along with what slides on an open curve; they push, never pull, and can
    be deleted."""
    world = World(method=method)
    wire, bead, u = world.add(
        faults_ramp("wire", is_fixed=True),
        td.Particle("bead", position=(0.5, 0.0), velocity=(2.0, 0.0)),
        td.Variable("u", mass=1e-9, value=0.5, rate=2.0),
    )
    world.add(td.on_curve(bead, wire, u))
    world.run(1.0)
    assert bead.position[0] == pytest.approx(1.0, abs=1e-6) and u.rate == pytest.approx(0.0, abs=1e-6)
    world.add(td.pull(bead, by=(-1.0, 0.0)))
    world.run(1.0)
    assert bead.position[0] == pytest.approx(0.5, abs=2e-3)  # away from the end nothing holds it back
    world.remove("u.start")
    world.run(2.0)
    assert bead.position[0] < -0.5


# --- paths ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["rattle", "runge_kutta"])
def test_a_path_that_jumps_is_followed_at_once(method):
    """Policy: a jump of position is taken in one step, by projection; it gives no velocity beyond the path's
    own."""
    world = World(method=method)
    bead = world.add(td.Particle("bead"))
    world.add(td.follow(bead, "t + (sign(t - 0.1) + 1)/2", "0", "0", tau=0.01, name="hop"))
    jump = world.run(0.5).jump
    assert (jump.constraint, jump.of, jump.time, jump.size) == (
        "hop",
        "place",
        pytest.approx(0.1, abs=1e-9),
        pytest.approx(1.0),
    )
    assert bead.position == pytest.approx((1.5, 0.0, 0.0), abs=1e-5)
    assert bead.velocity == pytest.approx((1.0, 0.0, 0.0), abs=1e-4)


@pytest.mark.parametrize("method", ["rattle", "runge_kutta"])
def test_a_path_with_a_kink_is_followed_by_an_impulse(method):
    world = World(method=method)
    bead = world.add(td.Particle("bead", position=(0.1, 0.0, 0.0), velocity=(-1.0, 0.0, 0.0)))
    world.add(td.follow(bead, "abs(t - 0.1)", "0", "0", name="kink"))
    assert world.run(0.05).jump is None
    assert bead.velocity[0] == pytest.approx(-1.0, abs=1e-6)
    result = world.run(0.1)
    assert (result.jump.constraint, result.jump.of, result.jump.size) == (
        "kink",
        "velocity",
        pytest.approx(2.0),
    )
    assert "velocity wanted by kink jumps by 2 at t = 0.1 s" in str(result)
    assert bead.position[0] == pytest.approx(0.05, abs=1e-6)
    assert bead.velocity[0] == pytest.approx(1.0, abs=1e-4)


def test_a_path_that_ends_stays_at_its_end():
    world = World()
    bead = world.add(td.Particle("bead", velocity=(1.0, 0.0, 0.0)))
    world.add(td.follow(bead, "min(t, 0.2)", "0", "0"), td.gravity())
    world.run(0.5)
    assert bead.position == pytest.approx((0.2, 0.0, 0.0), abs=1e-6)
    assert bead.velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-4)


# --- affine bodies --------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore:shape of troid 'flat' is collapsed")
def test_a_collapsed_affine_body_is_accepted_with_a_warning_and_runs():
    with pytest.warns(UserWarning, match="shape of troid 'flat' is collapsed"):
        flat = td.Troid("flat", shape=(1.0, 0.0, 0.0, 0.0))
    world = World()
    world.add(flat)
    world.add(td.gravity(g=(0.0, -9.81)), td.nail(td.point(flat, at=(1.0, 0.0)), at=(1.0, 0.0)))
    assert world.run(0.3)
    assert is_finite(world)


def test_an_inverted_affine_body_is_a_mirror_image_and_runs():
    world = World()
    mirror = world.add(td.Troid("mirror", shape=(-1.0, 0.0, 0.0, 1.0)))
    world.add(td.nail(td.point(mirror, at=(-1.0, 0.0)), at=(1.0, 0.0)), td.gravity(g=(0.0, -9.81)))
    assert world.run(0.3)
    assert world.gap < 1e-7


# --- scale ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [1e9, 1e-9])
def test_lengths_of_a_thousand_million_metres_and_of_a_nanometre_work(size):
    world = World(max_step=1e-3 * min(1.0, math.sqrt(size)))
    a, b = world.add(td.Particle("a"), td.Particle("b", position=(size, 0.0, 0.0)))
    world.add(td.nail(a, at=(0.0, 0.0, 0.0)), td.distance(a, b, length=size), td.gravity())
    assert world.run(200 * world.settings["max_step"])
    assert is_finite(world)
    assert math.dist(a.position, b.position) == pytest.approx(size, rel=1e-3)


def test_a_body_far_from_the_origin_still_hangs_on_its_nail():
    world = World()
    far = 1e9
    rod = world.add(td.Rod("rod", position=(far + 0.5, far, far)))
    world.add(td.nail(rod.end1, at=(far, far, far)), td.gravity())
    assert world.run(0.5)
    assert np.subtract(rod.end1.value, far) == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_a_world_with_nothing_that_moves_runs_and_keeps_time():
    for world in (
        World(),
        World(order=1),
        World(method="adaptive"),
        World(method="lsoda"),
        World(method="dense"),
    ):
        world.add(td.gravity(), td.connect(td.Nail(0, 0, 0), td.Nail(0, 0, 0)))
        assert world.run(0.5)
        assert world.time == pytest.approx(0.5)
        assert (world.energy, world.gap) == (0.0, 0.0)
    still = World()
    rod = still.add(td.Rod("rod", is_fixed=True))
    still.add(td.gravity())
    still.run(0.5)
    assert rod.position == (0.0, 0.0, 0.0)


def test_ten_thousand_objects_run():
    world = World()
    world.add(*[td.Particle(f"p{k}", position=(float(k), 0.0, 0.0)) for k in range(10_000)])
    world.add(td.gravity())
    assert world.run(0.01)
    assert world["p9999"].velocity[2] == pytest.approx(-0.0981)
    assert len(world.items) == 10_001
