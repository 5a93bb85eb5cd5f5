"""Dragging (A5): catch, pull softly or hard, turn, let go; one step for undo."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tinkerdyne as td
from tests.modelling.mechanics import G, bits, reloaded
from tests.world.worlds import chain

TARGET = {2: (1.0, -0.5), 3: (1.0, -0.5, 0.3)}


def particle(dim=3, mass=2.0, **settings):
    world = td.World(**settings)
    return world, world.add(td.Particle("ball", mass=mass, position=(0.0,) * dim))


def body(dim=3, mass=2.0, **settings):
    """The same with a body, which is caught at its centre."""
    world = td.World(**settings)
    make, inertia = (td.PlanarBody, 0.3) if dim == 2 else (td.RigidBody, (0.1, 0.2, 0.25))
    return world, world.add(make("ball", mass=mass, inertia=inertia))


def critically_damped(t, tau):
    """Share of the way that is left."""
    return (1 + t / tau) * np.exp(-t / tau)


# --- soft -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("mass", [0.1, 50.0])
@pytest.mark.parametrize("make", [particle, body])
def test_a_soft_drag_comes_to_its_target_critically_damped(make, dim, mass):
    """x = X (1 − (1 + t/τ) e^(−t/τ)), the same for every mass."""
    world, ball = make(dim, mass, method="runge_kutta")
    grip = world.grab(ball, tau=0.2, limit=1e9)
    target = np.array(TARGET[dim])
    grip.move(*target)
    for t in (0.1, 0.4, 1.0):
        world.run(t - world.time)
        np.testing.assert_allclose(ball.position, target * (1 - critically_damped(t, 0.2)), atol=1e-8)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("make", [particle, body])
def test_the_force_of_a_soft_drag_is_what_moves_the_mass(make, dim):
    """F = m ẍ = m X (1 − t/τ) e^(−t/τ)/τ²."""
    world, _ = make(dim, mass := 3.0, method="runge_kutta")
    grip = world.grab(world["ball"], tau=0.2, limit=1e9)
    target = np.array(TARGET[dim])
    grip.move(*target)
    for t in (0.0, 0.1, 0.4, 1.0):
        world.run(t - world.time)
        np.testing.assert_allclose(
            grip.force, mass * target * (1 - t / 0.2) * np.exp(-t / 0.2) / 0.04, atol=1e-5 * mass
        )


def test_a_soft_drag_pulls_with_no_more_than_its_limit():
    """Far away it is a constant force: x = ½ (F/m) t² at first; by itself the limit is 100 N for each
    kilogram."""
    world, ball = body()
    grip = world.grab(ball, limit=4.0)
    grip.move(1000.0, 0.0, 0.0)
    assert np.linalg.norm(grip.force) == pytest.approx(4.0)
    world.run(0.5)
    assert ball.position[0] == pytest.approx(0.25, abs=1e-9)
    grip.release()
    other = world.grab(ball)
    other.move(1e6, 0, 0)
    assert np.linalg.norm(other.force) == pytest.approx(200.0)


def test_a_soft_drag_hangs_by_its_weight():
    """At rest below the target: k z = m g, z = g τ²."""
    world, ball = body()
    world.add(td.gravity(), td.damping(rate=5.0))
    grip = world.grab(ball, tau=0.1)
    world.run(5.0)
    assert ball.position[2] == pytest.approx(-G * 0.01, abs=1e-6)
    np.testing.assert_allclose(grip.force, (0, 0, 2.0 * G), atol=1e-4)


# --- hard -----------------------------------------------------------------------------------------
def test_a_hard_drag_follows_as_an_approach():
    """The target moves at once, what is held with τ: no blow, then exactly there, whatever pulls."""
    world, ball = particle()
    world.add(td.gravity())
    grip = world.grab(ball, hard=True, tau=0.05)
    grip.move(TARGET[3])
    world.run(0.1)
    np.testing.assert_allclose(
        ball.position, np.array(TARGET[3]) * (1 - critically_damped(0.1, 0.05)), atol=1e-7
    )
    world.run(1.0)
    np.testing.assert_allclose(ball.position, TARGET[3], atol=1e-7)
    np.testing.assert_allclose(grip.force, (0, 0, 2.0 * G), atol=1e-4)


def test_a_hard_drag_moved_every_frame_stays_close():
    """A hand in a circle of 0.3 m/s: two time constants behind, |v| · 2τ."""
    world = chain(4, max_step=1 / 240)
    tip = world["rod3"].end2
    grip = world.grab(tip, hard=True)
    start = np.array(tip.value)
    for k in range(120):
        angle = 0.3 / 0.5 * k / 60
        grip.move(*(start + 0.5 * np.array([np.cos(angle) - 1, np.sin(angle), 0.0])))
        assert world.run(1 / 60)
        assert np.linalg.norm(np.subtract(tip.value, grip.target.at)) < 0.3 * 2 * 0.03 * 1.5
    assert max(world[f"connect-{k}"].gap for k in (1, 2, 3, 4)) < 1e-6


def test_a_drag_by_position_and_orientation_turns_a_body():
    """A weld to a handle of infinite mass: it comes to the place and the turn of the target."""
    world = td.World()
    box = world.add(td.Box("box", position=(0.2, 0.0, 0.0)))
    world.add(td.gravity())
    grip = world.grab(box, hard=True, orientation=True)
    wanted = Rotation.from_rotvec((0.4, -0.9, 1.2))
    grip.move(1.0, 2.0, 3.0)
    grip.turn(*wanted.as_quat(scalar_first=True))
    world.run(1.0)
    np.testing.assert_allclose(box.position, (1.0, 2.0, 3.0), atol=1e-7)
    found = Rotation.from_quat(box.orientation, scalar_first=True)
    assert (found * wanted.inv()).magnitude() < 1e-7
    np.testing.assert_allclose(grip.force, (0, 0, box.mass * G, 0, 0, 0), atol=1e-4)  # in world axes
    grip.turn((2.0, 0.0, 0.0, 0.0))  # any length will do
    world.run(1.0)
    assert Rotation.from_quat(box.orientation, scalar_first=True).magnitude() < 1e-7


def test_a_drag_leaves_what_it_is_joined_to_together():
    world = chain(5)
    world.run(0.3)
    grip = world.grab(world["rod4"].end2)
    grip.move(2.0, 1.0, 1.0)
    assert world.run(1.0)
    assert world.gap < 1e-7
    grip.release()
    assert world.run(0.5) and world.gap < 1e-7


# --- catching and letting go ----------------------------------------------------------------------
@pytest.mark.parametrize(
    "options", [{}, {"hard": True}, {"hard": True, "orientation": True}], ids=["soft", "hard", "turning"]
)
def test_catching_is_no_blow_and_letting_go_leaves_nothing(options):
    """Caught where it is at rest, nothing happens; released, everything that came with the drag is gone."""
    world = td.World()
    body = world.add(td.RigidBody("body", position=(1.0, 2.0, 3.0)))
    items = {item.name for item in world.items}
    grip = world.grab(body, **options)
    world.run(0.1)
    np.testing.assert_allclose(body.position, (1.0, 2.0, 3.0), atol=1e-12)
    assert grip.is_held
    grip.release()
    assert not grip.is_held
    left = {item.name for item in world.items} - items
    assert all(world[name].type.family == "connector" for name in left)
    for act in (lambda: grip.move(0, 0, 0), lambda: grip.force):
        with pytest.raises(ReferenceError, match=r"was deleted|has ended"):
            act()
    grip.release()  # once more does no harm


@pytest.mark.parametrize("options", [{}, {"hard": True}], ids=["soft", "hard"])
@pytest.mark.parametrize("is_released", [True, False])
def test_undo_goes_back_to_before_the_drag(options, is_released):
    world = chain(3)
    world.run(0.2)
    made = lambda: [item.name for item in world.items if item.type.family != "connector"]  # noqa: E731
    kept = bits(world), made()
    grip = world.grab(world["rod2"].end2, **options)
    for k in range(5):
        grip.move(1.0, 0.2 * k, 0.5)
        world.run(0.05)
    if is_released:
        grip.release()
        world.run(0.2)
    assert bits(world) != kept[0]
    world.undo()
    assert (bits(world), made()) == kept
    assert not grip.is_held


def test_undo_after_an_edit_within_a_drag_takes_that_edit_back_first():
    world = chain(2)
    grip = world.grab(world["rod1"].end2)
    world["rod1"].mass = 3.0
    grip.release()
    world.undo()
    assert world["rod1"].mass == 1.0


@pytest.mark.parametrize("options", [{}, {"hard": True}], ids=["soft", "hard"])
def test_removing_what_is_dragged_ends_the_drag(options):
    world = chain(3)
    grip = world.grab(world["rod2"].end2, **options)
    world.run(0.05)
    world.remove("rod2")
    assert not grip.is_held
    with pytest.raises(ReferenceError, match="was deleted"):
        grip.move(0, 0, 0)
    grip.release()
    assert world.run(0.1)


def test_two_hands_at_once():
    """Each pulls its end; a free rod comes to lie between both targets, and either may let go first."""
    world = td.World()
    rod = world.add(td.Rod("rod"))
    left, right = world.grab(rod.end1), world.grab(rod.end2)
    left.move(0.0, 2.5, 0.0)
    right.move(0.0, 3.5, 0.0)
    world.add(td.damping(rate=3.0))
    world.run(4.0)
    np.testing.assert_allclose(rod.end1.value, (0, 2.5, 0), atol=1e-4)
    np.testing.assert_allclose(rod.end2.value, (0, 3.5, 0), atol=1e-4)
    left.release()
    assert right.is_held
    right.move(0.0, 9.0, 0.0)
    world.run(4.0)
    np.testing.assert_allclose(rod.end2.value, (0, 9.0, 0), atol=1e-4)


def test_two_hard_hands_that_disagree_stay_finite():
    world = td.World()
    ball = world.add(td.Particle("ball"))
    one, two = world.grab(ball, hard=True), world.grab(ball, hard=True)
    one.move(1.0, 0, 0)
    two.move(-1.0, 0, 0)
    assert world.run(1.0)
    assert np.abs(ball.position).max() < 1.1


def test_a_corner_dragged_in_the_plane_turns_its_body():
    """Caught off its centre and damped, it ends with the corner at the target, straight behind it (no
    gravity: anywhere)."""
    world, card = body(2)
    world.add(td.damping(rate=2.0))
    corner = td.point(card, at=(0.4, 0.3))
    grip = world.grab(corner, tau=0.05)
    grip.move((2.0, 0.0))
    world.run(4.0)
    np.testing.assert_allclose(corner.value, (2.0, 0.0), atol=1e-5)
    assert card.angle != 0.0


def test_a_drag_is_saved_with_the_world():
    world, ball = particle()
    world.grab(ball).move(1.0, 0.0, 0.0)
    world.run(0.1)
    again = reloaded(world)
    world.run(0.2)
    again.run(0.2)
    assert bits(world) == bits(again)


def test_what_cannot_be_dragged_is_refused():
    world, ball = particle()
    before = world.to_json()
    with pytest.raises(ValueError, match="limit must be positive, not -1"):
        world.grab(ball, limit=-1.0)
    with pytest.raises(ValueError, match="must be positive, not 0"):
        world.grab(ball, tau=0.0)
    with pytest.raises(ValueError, match="particle 'other' is not in this world"):
        world.grab(td.Particle("other"))
    with pytest.raises(TypeError, match="supplies a scalar; grab a point, or a body"):
        world.grab(world.add(td.Variable("x")))
    world.undo()
    with pytest.raises(TypeError, match="a drag turns only a body, or a frame"):
        world.grab(ball, hard=True, orientation=True)
    assert world.to_json() == before
    grip = world.grab(ball)
    with pytest.raises(ValueError, match=r"the target of tug .* must have 3 numbers, not 2"):
        grip.move(1.0, 2.0)
    with pytest.raises(TypeError, match="holds a point only; grab with orientation=True"):
        grip.turn(1.0, 0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="must be a number, not NaN"):
        grip.move(0.0, 0.0, float("nan"))
    assert grip.target.to == (0.0, 0.0, 0.0)
    world.remove(ball)
    with pytest.raises(ReferenceError, match="particle 'ball' was deleted"):
        world.grab(ball)
    box = world.add(td.Box("box"))
    turning = world.grab(box, hard=True, orientation=True)
    with pytest.raises(ValueError, match="must not be the zero quaternion"):
        turning.turn(0.0, 0.0, 0.0, 0.0)
