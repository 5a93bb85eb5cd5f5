"""The implicit method: second order, at rest where stiff forces are, and exact in its constraints."""

import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne import World

H = 1 / 60


def world(h=H, **options):
    return World(method="implicit", max_step=h, **options)


def pendulum(h, method="implicit"):
    made = World(method=method, max_step=h)
    rod = made.add(td.Rod("rod", position=(0.5, 0, 0)))
    made.add(td.connect(rod.end1, td.Nail(0, 0, 0), name="hook"), td.gravity())
    return made, rod


def slope(errors, steps):
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


# --- order -----------------------------------------------------------------------------------------------


def drag_pendulum(h, method):
    made, rod = pendulum(h, method)
    made.add(td.damping(rate=0.7))
    made.run(1.0)
    return np.array(rod.position)


def tumbling(h, method):
    made = World(method=method, max_step=h)
    box = made.add(td.Box("box", size=(1, 0.6, 0.2), spin=(0.3, 4.0, 0.2)))
    made.run(1.0)
    q = np.array(box.orientation)
    return q * np.sign(q[np.abs(q).argmax()])


def driven(h, method):
    made = World(method=method, max_step=h)
    ball = made.add(td.Particle("ball", position=(1, 0, 0)))
    made.add(td.distance(td.Nail(0, 0, 0), ball, length=1.0), td.gravity())
    made.add(td.spring(ball, td.moving("0.5*cos(3*t)", "0.5*sin(3*t)", "0"), stiffness=30.0, damping=2.0))
    made.run(1.0)
    return np.array(ball.position)


@pytest.mark.parametrize("problem", [drag_pendulum, tumbling, driven])
def test_half_the_step_quarters_the_error(problem):
    exact = problem(1e-2, "adaptive")
    steps = [1 / 60, 1 / 120, 1 / 240, 1 / 480]
    errors = [np.abs(problem(h, "implicit") - exact).max() for h in steps]
    assert slope(errors, steps) == pytest.approx(2.0, abs=0.2)
    assert errors[0] < 5e-3


def test_a_step_is_divided_to_keep_an_error_that_was_asked_for():
    exact = pendulum(1e-2, "adaptive")
    exact[0].run(1.0)
    found = []
    for error in (1e-4, 1e-6, 1e-8):
        made, rod = pendulum(H)
        made.configure(error=error)
        assert made.run(1.0)
        found.append(np.abs(np.array(rod.position) - exact[1].position).max())
    assert found[2] < 1e-6 < found[0] and found[2] < found[1] < found[0]


# --- stiff forces ----------------------------------------------------------------------------------------


def test_a_gram_on_a_million_newtons_a_metre_comes_to_rest():
    made = world()
    ball = made.add(td.Particle("ball", mass=1e-3, position=(1.001, 0, 0)))
    made.add(td.spring(td.Nail(0, 0, 0), ball, stiffness=1e6, length=1.0))
    assert made.step(H).status is td.Status.DONE
    assert abs(ball.position[0] - 1) < 1e-6
    made.run(6 * H)
    assert abs(ball.position[0] - 1) < 1e-9 and abs(ball.velocity[0]) < 1e-6


def test_a_stiff_damper_does_not_explode():
    # m 3, k 8e5, c 4e4: the slow root decays at 20/s.
    made = world()
    ball = made.add(td.Particle("ball", mass=3.0, position=(1, 0, 0), velocity=(10, 0, 0)))
    made.add(td.spring(td.Nail(0, 0, 0), ball, stiffness=8e5, damping=4e4, length=1.0))
    made.run(0.1)
    fast, slow = (4e4 + s * math.sqrt(4e4**2 - 4 * 3 * 8e5) for s in (1, -1))
    exact = 10 * (math.exp(-slow / 6 * 0.1) - math.exp(-fast / 6 * 0.1)) / ((fast - slow) / 6)
    assert ball.position[0] - 1 == pytest.approx(exact, rel=0.02)


@pytest.mark.parametrize("stiffness", [1e4, 1e6, 1e8])
def test_a_stiff_spring_that_turns_is_a_rod(stiffness):
    made = world(1 / 240)
    ball = made.add(td.Particle("ball", position=(1, 0, 0)))
    made.add(td.spring(td.Nail(0, 0, 0), ball, stiffness=stiffness, length=1.0), td.gravity())
    made.run(1.0)
    rigid = World(method="adaptive")
    bob = rigid.add(td.Particle("ball", position=(1, 0, 0)))
    rigid.add(td.distance(td.Nail(0, 0, 0), bob, length=1.0), td.gravity())
    rigid.run(1.0)
    assert np.abs(np.array(ball.position) - bob.position).max() < 1e-4 + 60 / stiffness


@pytest.mark.parametrize("rods", [9, 20, 60])
def test_a_damped_beam_ends_in_its_equilibrium(rods):
    length, stiffness, force = 0.1, 100.0, 0.3
    made, last = world(0.1), None
    for i in range(rods):
        rod = made.add(td.PlanarRod(f"rod-{i}", mass=0.01, length=length, position=((i + 0.5) * length, 0)))
        joint = made.add(td.join(td.pin, last, rod, at=(i * length, 0), name=f"pin-{i}"))
        made.add(td.scalar_spring(joint.turn, stiffness=stiffness, damping=200.0))
        last = rod
    made.add(td.pull(last.end2, by=(0, force)))
    assert made.run(120.0).status is td.Status.DONE
    turns = np.cumsum([made[f"pin-{i}"].turn.value for i in range(rods)])
    x = np.concatenate([[0], np.cumsum(length * np.cos(turns))])
    moments = stiffness * np.diff(np.concatenate([[0], turns]))
    assert moments == pytest.approx(force * (x[-1] - x[:-1]), rel=1e-6)


def test_a_force_too_stiff_for_the_step_names_the_implicit_method():
    made = World(max_step=H)
    ball = made.add(td.Particle("ball", mass=1e-3, position=(1.001, 0, 0)))
    made.add(td.spring(td.Nail(0, 0, 0), ball, stiffness=1e8, length=1.0))
    result = made.run(0.5)
    assert result.status is td.Status.TOO_STIFF and 'method="implicit"' in str(result)
    made.configure(method="implicit")
    assert made.run(0.5).status is td.Status.DONE
    assert ball.position[0] == pytest.approx(1.0, abs=1e-9)


# --- constraints -----------------------------------------------------------------------------------------


def test_places_and_velocities_of_a_closed_loop_are_exact():
    made = world(1 / 120)
    rods = [
        made.add(td.Rod("a", position=(0.5, 0, 0))),
        made.add(td.Rod("b", position=(1, 0, 0.5), orientation=(math.sqrt(0.5), 0, -math.sqrt(0.5), 0))),
        made.add(td.Rod("c", position=(0.5, 0, 1))),
    ]
    made.add(td.connect(rods[0].end1, td.Nail(0, 0, 0)), td.connect(rods[2].end1, td.Nail(0, 0, 1)))
    made.add(td.connect(rods[0].end2, rods[1].end1), td.connect(rods[1].end2, rods[2].end2), td.gravity())
    for _ in range(60):
        assert made.step(1 / 120)
        assert made.gap < 1e-8
    assert np.abs([item.velocity for item in rods]).max() > 0.1


def test_a_joint_that_is_given_twice_changes_nothing():
    made, rod = pendulum(1 / 120)
    twice, other = pendulum(1 / 120)
    twice.add(td.connect(other.end1, td.Nail(0, 0, 0)))
    made.run(2.0)
    twice.run(2.0)
    assert np.abs(np.array(rod.position) - other.position).max() < 1e-8


def test_forces_are_right():
    made = world()
    ball = made.add(td.Particle("ball", mass=2.0, position=(0, 0, -1)))
    hook = made.add(td.nail(ball, at=(0, 0, -1)))
    made.add(td.gravity())
    made.run(1.0)
    assert np.array(hook.force) == pytest.approx([0, 0, 2 * 9.81], rel=1e-9)


def test_steps_in_one_call_or_in_many_and_through_a_file_are_the_same():
    one, rod = pendulum(1 / 60)
    one.add(td.spring(rod.end2, td.Nail(1, 0, -1), stiffness=1e5, damping=10.0, length=0.5))
    many = World.from_json(one.to_json())
    one.run(1.0)
    for k in range(60):
        many.step(1 / 60)
        many.energy  # noqa: B018  (reading changes nothing)
        if k == 30:
            many = World.from_json(many.to_json())
    assert many["rod"].position == pytest.approx(rod.position, abs=1e-12)


def test_constraints_on_velocities_and_led_ones_are_held():
    made = world()
    wheel = made.add(td.PlanarBody("wheel", mass=1.0, inertia=0.1))
    joint = made.add(td.join(td.pin, None, wheel, at=(0, 0), name="axle"))
    made.add(td.speed(joint.turn, at=3.0))
    made.run(3.0)  # it is approached with its time constant
    before = float(np.ravel(joint.turn.value)[0])
    made.run(1.0)
    assert float(np.ravel(joint.turn.value)[0]) - before == pytest.approx(3.0, rel=1e-6)


def test_a_ball_rests_on_a_stop_under_a_stiff_spring():
    made = world()
    ball = made.add(td.Particle("ball", mass=0.1, position=(0, 0, 0.05)))
    made.add(td.gravity(), td.spring(td.Nail(0, 0, -1), ball, stiffness=1e5, length=0.9, damping=10.0))
    floor = made.add(td.at_least(td.coordinate(ball, td.world_direction(along=(0, 0, 1))), low=0.0))
    made.run(2.0)
    assert ball.position[2] == pytest.approx(0.0, abs=1e-8)
    assert floor.force == pytest.approx(0.1 * 9.81 + 1e5 * 0.1, rel=1e-6)
