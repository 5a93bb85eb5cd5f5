"""Features that meet: stops with paths, drags with edits, turns with adaptive steps, impulses on stops, and
what is refused."""

import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne import Change, Event, Plan, Remove, Rename


# --- stops ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "adaptive"])
def test_a_stop_that_a_path_runs_against_lets_go_when_the_path_comes_back(method):
    world = td.World(method=method)
    mote = world.add(td.Particle("mote", position=(0.0, 0.0)))
    stop = world.add(td.at_most(td.component(mote), high=0.5, name="stop"))
    world.add(td.connect(mote, td.path(keys=[(0, 0, 0), (1, 1, 0), (2, 0, 0)])))
    assert world.run(1.0).status is td.Status.UNMET
    assert stop.force[0] >= 0.0
    world.run(2.0)
    assert mote.position == pytest.approx((0.0, 0.0), abs=1e-3)
    assert world.run(0.5).status is td.Status.DONE


@pytest.mark.parametrize("method", ["rattle", "runge_kutta"])
def test_conjugate_gradients_know_which_stops_are_open(method):
    def run(**settings):
        world = td.World(method=method, **settings)
        upper, lower = world.add(
            td.Rod("upper", position=(0.5, 0.0, 0.0)), td.Rod("lower", position=(1.5, 0.0, 0.0))
        )
        hinge = td.join(td.pin, None, upper, at=(0, 0, 0), axis=(0, 1, 0))
        world.add(hinge, td.join(td.pin, upper, lower, at=(1, 0, 0), axis=(0, 1, 0)), td.gravity())
        world.add(td.at_least(hinge.turn, low=-100.0))
        world.run(0.5)
        return np.array(lower.position)

    np.testing.assert_allclose(run(solver="conjugate_gradient"), run(), atol=1e-8)


def test_a_stop_pushes_back_an_impulse_and_does_not_hold_one():
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    world.add(td.at_least(td.component(ball, of=1), name="floor"))
    world.run(0.01)
    world.impulse(ball, (1.0, 3.0))
    assert ball.velocity == pytest.approx((1.0, 3.0))
    world.undo()
    assert world.impulse(ball, (1.0, -3.0))["floor"] == pytest.approx([3.0])
    assert ball.velocity == pytest.approx((1.0, 0.0), abs=1e-9)
    # a blow leaves nothing behind
    assert [item.name for item in world.items if item.type.name == "point"] == []


def test_stormer_brings_what_is_far_beyond_a_stop_back_gently():
    world = td.World(method="stormer", max_step=1 / 60)
    mote = world.add(td.Particle("mote", position=(-3.0, 0.0)))
    world.add(td.at_least(td.component(mote), tau=0.1))
    fastest = 0.0
    for _ in range(120):
        world.step(1 / 60)
        fastest = max(fastest, abs(mote.velocity[0]))
    assert mote.position[0] == pytest.approx(0.0, abs=1e-3)
    assert fastest < 3.0 / 0.1  # the critically damped approach is at most c₀/(τ e)


def test_an_exact_motor_against_a_stop_is_unmet_and_named():
    world = td.World()
    disc = world.add(td.Disc("disc"))
    hinge = world.add(td.join(td.pin, None, disc, at=(0, 0), name="hinge"))
    world.add(td.at_most(hinge.turn, high=0.5), td.speed(hinge.turn, at=1.0, name="motor"))
    result = world.run(3.0)
    assert result.status is td.Status.UNMET and "motor" in result.culprits


def test_a_non_square_constraint_and_a_stop_are_refused_together():
    world = td.World()
    box = world.add(td.RigidBody("box"))
    world.add(td.orient(td.direction(box), td.world_direction(along=(0, 0, 1)), name="turn"))
    world.add(td.at_least(td.component(td.point(box), of=2), low=-1.0))
    with pytest.raises(
        ValueError, match="non-square constraints turn and stops cannot be in one world; use align"
    ):
        world.step(0.01)


# --- turns ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "adaptive", "dop853", "lsoda"])
def test_a_motor_that_starts_a_wheel_loses_no_turn(method):
    """ω = t ω₁: 40 rad in 4 s from rest, with steps that grow while nothing happens."""
    world = td.World(method=method)
    wheel = world.add(td.Disc("wheel", mass=2.0, radius=1.0))
    hinge = world.add(td.join(td.pin, None, wheel, at=(0, 0), name="hinge"))
    assert hinge.turn.value == pytest.approx([0.0])
    world.add(td.formula_force(hinge.turn, "5*(1 + sign(t - 1))/2"))
    world.run(5.0)
    assert hinge.turn.value == pytest.approx([5.0 / wheel.inertia * 16 / 2], rel=2e-3)
    assert wheel.angle == pytest.approx(hinge.turn.value[0], rel=1e-9)


# --- drags and undo ------------------------------------------------------------------------------
def test_undo_after_a_drag_with_other_edits_in_it():
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0.0, 0.0)))
    world.add(td.nail(rod.end1, at=(0, 0, 0)), td.gravity())
    grip = world.grab(rod.end2)
    world.run(0.1)
    rod.mass = 2.0
    other = world.grab(rod, hard=True)
    world.run(0.1)
    other.release()
    grip.release()
    assert world.undo() and world.undo() and rod.mass == 1.0
    assert world.undo() and world.time == 0.0
    while world.undo():
        pass
    assert not world.items
    while world.redo():
        pass
    assert "nail-1" in world and not any(item.type.name == "tug" for item in world.items)


# --- timelines -----------------------------------------------------------------------------------
def test_a_body_and_what_holds_it_come_together():
    world = td.World()
    world.add(td.gravity())
    rod = td.Rod("late", position=(0.5, 0.0, 0.0))
    world.at(0.5, rod, td.nail(rod.end1, at=(0, 0, 0), name="hook"))
    world.run(1.0)
    assert np.linalg.norm(world["late"].position) == pytest.approx(0.5, abs=1e-6)


def test_a_new_name_goes_along_on_the_timeline():
    world = td.World()
    ball = world.add(td.Particle("ball"))
    world.at(0.1, Change("ball", "mass", 2.0))
    world.ramp(ball, "mass", low=2.0, to=5.0, start=0.2, end=0.4)
    world.at(0.6, Remove(("ball",)))
    world.apply(Rename("ball", "pearl"))
    world.run(0.15)
    assert ball.mass == 2.0
    world.run(0.35)
    assert ball.mass == 5.0
    world.run(0.2)
    assert "pearl" not in world


@pytest.mark.parametrize("what", ["x", 5, None, Change("a", "mass", math.nan), Event(0.0, Remove(("a",)))])
def test_what_is_no_edit_is_refused_at_once(what):
    world = td.World()
    world.add(td.Particle("a"))
    with pytest.raises((TypeError, ValueError)):
        world.apply(Plan((Event(1.0, what),)))
    assert world.timeline == ()


def test_an_event_that_cannot_happen_is_told_once():
    world = td.World()
    ball = world.add(td.Particle("ball"))
    world.ramp(ball, "mass", to=5.0, start=0.1, end=0.9)
    world.remove(ball)
    with pytest.warns(UserWarning, match="could not be carried out") as told:
        world.run(1.0)
    assert len(told) == 1


# --- the rest ------------------------------------------------------------------------------------
def test_aligning_a_free_body_leaves_it_without_a_spin_of_its_own():
    world = td.World()
    box = world.add(
        td.Box("box", size=(1.0, 2.0, 3.0), orientation=(math.cos(1.25), math.sin(1.25), 0.0, 0.0))
    )
    world.add(td.align(td.direction(box, along=(0, 0, 1)), td.world_direction(along=(0, 0, 1))))
    world.run(3.0)
    assert world.kinetic_energy < 1e-9


def test_a_joint_on_a_frame_of_a_frame_reads_its_reaction():
    world = td.World()
    box = world.add(td.Box("box", mass=2.0))
    inner = td.frame(td.frame(box, at=(0.1, 0.0, 0.0)), at=(0.2, 0.0, 0.0))
    hold = world.add(td.weld(td.world_frame(at=(0.3, 0.0, 0.0)), inner), td.gravity())[0]
    force, torque = hold.reaction
    assert force == pytest.approx((0.0, 0.0, 2.0 * 9.81))
    # the weight hangs 0.3 m before the weld
    assert torque == pytest.approx((0.0, 0.3 * 2.0 * 9.81, 0.0), abs=1e-9)


def test_first_order_worlds_show_how_fast_their_connectors_move():
    world = td.World(order=1)
    mote = world.add(td.Particle("mote", position=(0.0, 0.0)))
    along = world.add(td.component(mote))
    world.add(td.pull(mote, by=(3.0, 0.0)))
    world.run(0.1)
    assert along.velocity == pytest.approx([3.0])


@pytest.mark.parametrize("of", [7, -1, 0.5, True])
def test_a_component_that_there_is_not_is_refused(of):
    with pytest.raises(ValueError, match="of must be a whole number from 0 to 2"):
        td.component(td.Particle(), of=of)


def test_messages_of_joints_name_the_remedy():
    disc, mote = td.Disc("disc"), td.Particle("mote", position=(0.0, 0.0))
    with pytest.raises(TypeError, match="must not be the world itself; exchange the two"):
        td.join(td.pin, disc, None, at=(0, 0))
    with pytest.raises(TypeError, match="a joint takes rigid bodies"):
        td.join(td.pin, None, mote, at=(0, 0))
    with pytest.raises(ValueError, match="exists in space only; in the plane use pin or prismatic"):
        td.join(td.cylindrical, None, disc, at=(0, 0))
    with pytest.raises(ValueError, match=r"restitution .* must not be negative"):
        td.at_least(td.component(mote), restitution=-0.1)


def test_a_body_in_the_plane_is_dragged_by_place_and_angle():
    world = td.World()
    disc = world.add(td.Disc("disc"))
    world.add(td.gravity(g=(0.0, -9.81)))
    grip = world.grab(disc, orientation=True)
    grip.move(1.0, 2.0)
    grip.turn(0.7)
    world.run(1.0)
    assert disc.position == pytest.approx((1.0, 2.0), abs=1e-6) and disc.angle == pytest.approx(0.7, abs=1e-6)
    assert grip.force == pytest.approx((0.0, disc.mass * 9.81, 0.0), abs=1e-6)
