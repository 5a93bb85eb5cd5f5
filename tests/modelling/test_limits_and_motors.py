"""Limits of coordinates: they push, never pull, bounce by their restitution; motors and dry friction on any
measure."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.modelling.mechanics import G, bits, reloaded

MASS = 2.0
RESTITUTION = 0.8
METHODS = ["rattle", "runge_kutta", "adaptive"]


def lift(*, height=1.0, speed=0.0, **settings):
    """A body on a vertical slider, above a floor at zero: (world, slide)."""
    world = td.World(**settings)
    cabin = world.add(
        td.RigidBody("cabin", mass=MASS, position=(0.0, 0.0, height), velocity=(0.0, 0.0, speed))
    )
    rail = world.add(td.join(td.prismatic, None, cabin, at=(0.0, 0.0, height), name="rail"), td.gravity())[0]
    return world, rail.slide, -height


def hinge(**settings):
    """A wheel of inertia 0.5 on a pin in the plane, without gravity: (world, turn)."""
    world = td.World(**settings)
    wheel = world.add(td.PlanarBody("wheel", inertia=0.5))
    return world, world.add(td.join(td.pin, None, wheel, at=(0.0, 0.0), name="pin")).turn


# --- limits ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
def test_bounces_rise_to_the_square_of_the_restitution(method):
    """h_n = e^(2n) h₀, but for what the samples miss of a peak: g (1 ms)²/8."""
    world, slide, floor = lift(method=method)
    stop = world.add(td.at_least(slide, low=floor, restitution=RESTITUTION, name="floor"))
    record = world.record(3.2, every=1e-3, of=[slide, stop])
    z, force = record["rail.slide.value"] - floor, record["floor.force"]
    peaks = z[1:-1][(z[1:-1] >= z[:-2]) & (z[1:-1] > z[2:])][:4]
    for n, peak in enumerate(peaks, 1):
        assert peak == pytest.approx(RESTITUTION ** (2 * n), abs=1.3e-6)
    assert len(peaks) == 4 and z.min() > -1e-8 and force.min() >= 0


@pytest.mark.parametrize("step", [1e-4, 2e-3, 0.03])
def test_bounces_are_exact_whatever_the_step(step):
    world, slide, floor = lift(max_step=step)
    world.add(td.at_least(slide, low=floor, restitution=RESTITUTION))
    world.run(np.sqrt(2 / G) * (1 + RESTITUTION))  # the time of the first peak
    assert slide.value[0] - floor == pytest.approx(RESTITUTION**2, abs=1e-9)


@pytest.mark.parametrize("method", [*METHODS, "stormer"])
def test_a_body_at_rest_on_a_stop_presses_with_its_weight(method):
    """λ = m g, and it stays where it is; nothing happens at the stop that is far away."""
    world, slide, floor = lift(height=0.01, method=method)
    low, high = world.add(*td.within(slide, floor, 5.0, name="stops"))
    assert world.run(1.0)
    assert low.force[0] == pytest.approx(MASS * G, abs=1e-7) and high.force[0] == 0
    assert slide.value[0] == pytest.approx(floor, abs=1e-9) and abs(slide.velocity[0]) < 1e-9
    assert (low.name, high.name) == ("stops.low", "stops.high")


@pytest.mark.parametrize("method", METHODS)
def test_a_stop_pushes_and_never_pulls(method):
    """Pushed down it holds; pulled up by twice its weight it leaves at once: z = ½ g t² after the pull is
    switched on."""
    world, slide, floor = lift(height=0.0, method=method)
    stop = world.add(td.at_least(slide, low=floor, name="floor"))
    pull = world.add(td.pull(td.point(world["cabin"]), by=(0.0, 0.0, 2 * MASS * G), is_on=False))
    world.run(0.3)
    assert stop.force[0] == pytest.approx(MASS * G, abs=1e-7)
    pull.is_on = True
    before = bits(world)
    assert stop.force[0] == 0  # at once: the next step will let it go
    assert bits(world) == before
    world.run(0.3)
    assert slide.value[0] == pytest.approx(0.5 * G * 0.3**2, abs=1e-9)
    assert stop.force[0] == 0 and stop.gap == 0
    pull.is_on = False
    record = world.record(1.0, every=1e-2, of=[stop, slide])
    assert record["floor.force"].min() >= 0 and record["rail.slide.value"].min() > -1e-8
    assert stop.force[0] == pytest.approx(MASS * G, abs=1e-7)


@pytest.mark.parametrize(
    ("method", "high"),
    [
        ("rattle", 1.5),
        ("runge_kutta", 1.5),
        ("adaptive", 1.5),
        ("rattle", 7.0),
        ("runge_kutta", 7.0),
        ("adaptive", 7.0),
    ],
)
def test_a_coordinate_stays_within_its_limits(method, high):
    """A wheel driven by turns against both ends, which may be more than a turn apart."""
    world, turn = hinge(method=method)
    low, up = world.add(*td.within(turn, -1.0, high, restitution=0.3, name="stops"))
    world.add(td.formula_force(turn, "6*sin(1.3*t)"))
    seen = []
    assert world.run(20.0, dt=0.01, each=lambda w: seen.append((turn.value[0], low.force[0], up.force[0])))
    x, *forces = np.transpose(seen)
    assert -1.0 - 1e-7 < x.min() < -0.98 and high - 0.02 < x.max() < high + 1e-7
    assert np.min(forces) > -0.01  # what the drive changes in a step, before it is let go
    if high < 2:
        assert np.min(np.max(forces, axis=1)) > 5.5  # at rest there while the drive is near its most


def test_a_recording_of_the_adaptive_method_shows_stops_as_they_were():
    """At each moment its own state of every stop: nothing before it is met, and no pull ever."""
    world, turn = hinge(method="adaptive")
    stops = world.add(*td.within(turn, -1.0, 1.5, restitution=0.3, name="stops"))
    world.add(td.formula_force(turn, "6*sin(1.3*t)"))
    record = world.record(20.0, every=0.01, of=[turn, *stops])
    x, low, high = (
        record["pin.turn.value"],
        record["stops.low.force"].ravel(),
        record["stops.high.force"].ravel(),
    )
    assert x.min() > -1 - 1e-7 and x.max() < 1.5 + 1e-7
    assert low.min() > -1e-6 and high.min() > -1e-6
    assert not low[x > -0.99].any() and not high[x < 1.49].any()
    assert low.max() > 5.5 and high.max() > 5.5


def test_a_limit_given_beyond_the_present_value_is_approached_like_any_constraint():
    """r(t) = (c₀ + c₀ t/τ) e^(−t/τ) from outside, then it is a stop."""
    world, turn = hinge()
    world.add(td.at_least(turn, low=0.5, tau=0.1, name="stop"))
    world.run(0.2)
    assert turn.value[0] == pytest.approx(0.5 - 0.5 * 3 * np.exp(-2.0), abs=1e-6)
    world.run(3.0)
    assert turn.value[0] == pytest.approx(0.5, abs=1e-6)


def test_limits_out_of_order_are_refused():
    _, turn = hinge()
    with pytest.raises(ValueError, match=r"the limits of .*turn.* must be in order, not 1.0 and -1.0"):
        td.within(turn, 1.0, -1.0)


def test_a_bouncing_world_is_saved_and_undone_to_the_bit():
    world, slide, floor = lift()
    world.add(td.at_least(slide, low=floor, restitution=RESTITUTION, name="floor"))
    world.run(1.0)
    again = reloaded(world)
    kept = bits(world)
    world.add(td.damping(rate=1.0))
    world.run(0.5)
    world.undo()
    assert bits(world) == kept
    for one in (world, again):
        one.run(2.0)
    assert bits(world) == bits(again)


def test_an_elastic_bounce_keeps_the_energy_of_a_linkage():
    """Two pinned rods that meet their limits with e = 1: a blow through the joints takes no energy (J W Jᵀ
    impulse)."""
    world = td.World(method="adaptive")
    rods = world.add(*[td.PlanarRod(f"rod{k}", position=(k + 0.5, 0.0)) for k in range(2)])
    world.add(td.join(td.pin, None, rods[0], at=(0.0, 0.0)), td.gravity(g=(0, -G)))
    knee = world.add(td.join(td.pin, rods[0], rods[1], at=(1.0, 0.0), name="knee"))
    world.add(*td.within(knee.turn, -0.4, 0.4, restitution=1.0, name="knee.stop"))
    record = world.record(3.0, every=1e-2)
    energy = record["kinetic_energy"] + record["potential_energy"]
    assert np.abs(energy - energy[0]).max() < 1e-5
    assert abs(knee.turn.value[0]) <= 0.4 + 1e-6 and record["knee.gap"].max() < 1e-8


# --- motors ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
def test_a_speed_motor_comes_up_exponentially(method):
    """ẋ = ω (1 − e^(−t/τ)), whatever brakes it; the effort is what is missing."""
    world, turn = hinge(method=method)
    motor = world.add(td.speed(turn, at=(3.0,), tau=0.2, name="motor"))
    world.add(td.formula_force(turn, "-2*x_dot", x=turn))
    for t in (0.1, 0.2, 0.5):
        world.run(t - world.time)
        ramp = np.exp(-t / 0.2)
        assert turn.velocity[0] == pytest.approx(3.0 * (1 - ramp), abs=1e-8)
        assert turn.value[0] == pytest.approx(3.0 * (t - 0.2 * (1 - ramp)), abs=1e-5)
        # I ω̇ + brake
        assert motor.force[0] == pytest.approx(0.5 * 3.0 * ramp / 0.2 + 2 * 3.0 * (1 - ramp), abs=1e-6)
    world.run(5.0)
    assert turn.velocity[0] == pytest.approx(3.0, abs=1e-9)


def test_a_drive_gives_no_more_than_its_limit():
    """I ω̇ = L tanh(k (ω₀ − ω)/L): an ordinary differential equation, by scipy."""
    from scipy.integrate import solve_ivp

    world, turn = hinge()
    world.add(td.drive(turn, speed=20.0, gain=10.0, limit=4.0))
    world.run(0.5)
    # far below its speed it gives the limit itself
    assert turn.velocity[0] == pytest.approx(4.0 / 0.5 * 0.5, abs=1e-6)
    f = lambda _t, y: [4.0 / 0.5 * np.tanh(10.0 * (20.0 - y[0]) / 4.0)]  # noqa: E731
    for t in (2.4, 2.5, 2.6):
        world.run(t - world.time)
        assert turn.velocity[0] == pytest.approx(
            solve_ivp(f, (0, t), [0.0], rtol=1e-10, atol=1e-10).y[0, -1], abs=1e-3
        )
    world.run(2.0)
    assert turn.velocity[0] == pytest.approx(20.0, abs=1e-6)


def test_a_servo_is_a_damped_spring_to_a_moving_target():
    """I ẍ + c ẋ + k x = k r + c ṙ: behind a target that moves steadily there is no lag but that of the
    start."""
    world, turn = hinge()
    target = td.number_path(keys=((0.0, 0.0), (10.0, 5.0)), style="linear", name="target")
    world.add(td.servo(turn, target, stiffness=200.0, damping=20.0))  # critically damped for 0.5 kg m²
    world.run(0.1)
    w, v = 20.0, 0.5  # e = r − x starts at zero with speed v: e = v t e^(−w t)
    assert target.value[0] - turn.value[0] == pytest.approx(v * 0.1 * np.exp(-w * 0.1), abs=1e-5)
    world.run(3.0)
    assert turn.value[0] == pytest.approx(3.1 * v, abs=1e-6) and turn.velocity[0] == pytest.approx(
        v, abs=1e-6
    )


def test_a_servo_gives_no_more_than_its_limit():
    world, turn = hinge()
    world.add(
        td.servo(
            turn, td.number_path(keys=((0.0, 50.0), (1.0, 50.0))), stiffness=1000.0, damping=0.0, limit=3.0
        )
    )
    world.run(1.0)
    assert turn.value[0] == pytest.approx(0.5 * 3.0 / 0.5, abs=1e-6)


def test_a_block_with_friction_slows_steadily_and_stops():
    """x = v₀²/(2a) with a = F/m; with the width of tanh the last of it is a creep of less than width · m
    width/F."""
    world, slide, floor = lift(height=0.0)
    del floor
    world.remove("gravity-1")
    world["cabin"].velocity = (0.0, 0.0, 2.0)
    world.add(td.friction(slide, effort=3.0, width=1e-3))
    a = 3.0 / MASS
    world.run(1.0)
    assert slide.velocity[0] == pytest.approx(2.0 - a, abs=1e-6)
    assert slide.value[0] == pytest.approx(2.0 - a / 2, abs=1e-6)
    world.run(2.0)
    assert abs(slide.velocity[0]) < 1e-9
    assert slide.value[0] == pytest.approx(4.0 / (2 * a), abs=2e-3)
    # the creep is of second order in the width
    assert slide.value[0] == pytest.approx(4.0 / (2 * a), rel=1e-5)


def test_friction_holds_a_block_on_a_slope_up_to_its_effort():
    """Below its effort it creeps with width · atanh(F/effort); above it, the rest accelerates."""
    world, slide, _ = lift(height=0.0)
    world.remove("gravity-1")
    world.add(td.friction(slide, effort=5.0, width=1e-3))
    pull = world.add(td.pull(td.point(world["cabin"]), by=(0.0, 0.0, 4.0)))
    world.run(1.0)
    assert slide.velocity[0] == pytest.approx(1e-3 * np.arctanh(0.8), rel=1e-6)
    pull.by = (0.0, 0.0, 9.0)
    v = slide.velocity[0]
    world.run(1.0)
    assert slide.velocity[0] - v == pytest.approx((9.0 - 5.0) / MASS, rel=2e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_position_motor_follows_its_keys(method):
    """x = key path exactly at all times, by the effort I ẍ of the path; before and after it stands."""
    keys = ((0.5, 0.0), (1.0, 2.0), (2.0, -9.0), (2.5, 0.0))
    world, turn = hinge(method=method)
    path = td.number_path(keys=keys, name="path")
    motor = world.add(td.equal(turn, path, name="motor"))
    for t in (0.3, 0.5, 0.77, 1.0, 2.0, 2.5, 2.8):
        world.run(t - world.time)
        assert turn.value[0] == pytest.approx(path.value[0], abs=1e-7)
        assert turn.velocity[0] == pytest.approx(path.velocity[0], abs=1e-6)
        assert motor.gap < 1e-7
    assert dict(keys)[2.0] == -9.0 and turn.value[0] == pytest.approx(0.0, abs=1e-7)


def test_the_effort_of_a_position_motor_is_the_acceleration_of_its_path():
    """A smooth rise from 0 to 1 in one second: x = 3t² − 2t³, ẍ = 6 − 12 t."""
    world, turn = hinge()
    motor = world.add(td.equal(turn, td.number_path(keys=((0.0, 0.0), (1.0, 1.0))), name="motor"))
    for t in (0.25, 0.5, 0.9):
        world.run(t - world.time)
        assert turn.value[0] == pytest.approx(3 * t**2 - 2 * t**3, abs=1e-7)
        assert motor.force[0] == pytest.approx(0.5 * (6 - 12 * t), abs=1e-6)


def test_a_motor_between_two_moving_bodies_turns_both():
    """Nothing else holds them: angular momentum stays zero, and the speed is that of one against the
    other."""
    world = td.World()
    a, b = world.add(td.RigidBody("a", inertia=(0.3, 0.3, 0.2)), td.RigidBody("b", inertia=(0.4, 0.4, 0.6)))
    pin = world.add(td.join(td.pin, a, b, at=(0.0, 0.0, 0.0), name="pin"))
    world.add(td.speed(pin.turn, at=(8.0,), tau=0.05))
    world.run(2.0)
    assert pin.speeds[0] == pytest.approx(8.0, abs=1e-9)
    assert (a.spin[2], b.spin[2]) == pytest.approx((-8.0 * 0.6 / 0.8, 8.0 * 0.2 / 0.8), abs=1e-9)
    assert pin.turn.value[0] == pytest.approx(8.0 * (2.0 - 0.05), abs=1e-3)
