"""Constraints on velocities and accelerations (R4): rolling, blades, given speeds and accelerations."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.modelling.mechanics import G, bits, reloaded
from tests.references.measure import orders, shows_order

METHODS = ["rattle", "runge_kutta", "adaptive"]
RADIUS, SLOPE = 0.3, 0.4
NORMAL = np.array([np.sin(SLOPE), 0.0, np.cos(SLOPE)])
DOWN = np.array([np.cos(SLOPE), 0.0, -np.sin(SLOPE)])


@td.constraint(listed=False)
def blade(body: td.Frame) -> td.Rate:
    """The centre of a body moves along its x axis only: y_body · v = 0   [m/s]."""
    return td.Rate(td.dot(body.axes[:, 1], td.velocity(body.origin)))


# --- rolling --------------------------------------------------------------------------------------
def rolling_ball(normal=NORMAL, **settings):
    world = td.World(**settings)
    ball = world.add(td.Sphere("ball", radius=RADIUS, position=tuple(RADIUS * normal)))
    floor, up = td.Nail(0, 0, 0), td.world_direction(along=tuple(normal))
    world.add(td.sphere_on_plane(td.point(ball), floor, up, radius=RADIUS), td.gravity())
    roll = world.add(td.roll(ball, floor, up, radius=RADIUS, name="roll"))
    return world, ball, roll


@pytest.mark.parametrize("method", METHODS)
def test_a_ball_rolls_down_with_five_sevenths_of_the_slope(method):
    """a = 5/7 g sin α, sideways speed is kept, ω = v/r, and friction is 2/7 m g sin α."""
    world, ball, roll = rolling_ball(method=method)
    ball.velocity, ball.spin = (0.0, 0.7, 0.0), tuple(np.cross(NORMAL, (0.0, 0.7, 0.0)) / RADIUS)
    assert world.diagnose().freedoms == 3
    assert world.run(1.0)
    a = 5 / 7 * G * np.sin(SLOPE)
    np.testing.assert_allclose(ball.position, RADIUS * NORMAL + 0.5 * a * DOWN + (0.0, 0.7, 0.0), atol=1e-8)
    np.testing.assert_allclose(ball.velocity, a * DOWN + (0.0, 0.7, 0.0), atol=1e-8)
    assert np.hypot(*roll.force) == pytest.approx(2 / 7 * G * np.sin(SLOPE), abs=1e-7) and roll.gap < 1e-9


@pytest.mark.filterwarnings("ignore:energy_momentum holds no constraints on velocities")
@pytest.mark.parametrize(("method", "bound"), [("energy_momentum", 1e-8), ("stormer", G * 1e-3)])
def test_methods_that_hold_positions_hold_velocities_too_or_give_way(method, bound):
    """Störmer's first displacement is half a step of acceleration off."""
    world, ball, roll = rolling_ball(method=method)
    assert world.run(1.0)
    np.testing.assert_allclose(
        ball.position, RADIUS * NORMAL + 2.5 / 7 * G * np.sin(SLOPE) * DOWN, atol=bound
    )
    assert roll.gap < 1e-9


def test_a_method_that_cannot_hold_velocities_says_so():
    world, _, _ = rolling_ball(method="energy_momentum")
    with pytest.warns(
        UserWarning, match="energy_momentum holds no constraints on velocities; rattle is used instead"
    ):
        world.run(0.01)


def test_a_rolling_ball_has_gone_radius_times_its_turn():
    """Along one line: distance = r θ, over many turns, by the orientation itself."""
    world, ball, _ = rolling_ball(np.array([0.0, 0.0, 1.0]))
    ball.velocity, ball.spin = (3.0, 0.0, 0.0), (0.0, 10.0, 0.0)
    assert world.run(2.0)
    w, _, y, _ = ball.orientation
    turn = 2 * np.arctan2(y, w)
    assert ball.position[0] == pytest.approx(6.0, abs=1e-9)
    assert np.exp(1j * turn) == pytest.approx(np.exp(1j * 6.0 / RADIUS), abs=1e-8)


def test_a_ball_set_down_spinning_starts_to_roll():
    """An unmet velocity constraint decays as e^(−t/τ); angular momentum about the contact stays: v = 2/7 r ω₀
    at last."""
    world, ball, roll = rolling_ball(np.array([0.0, 0.0, 1.0]))
    ball.spin = (0.0, 10.0, 0.0)
    assert np.hypot(*roll.value) == pytest.approx(RADIUS * 10.0, abs=1e-12)
    world.run(0.1)
    assert np.hypot(*roll.value) == pytest.approx(RADIUS * 10.0 * np.exp(-1.0), abs=1e-9)
    world.run(4.0)
    assert ball.velocity[0] == pytest.approx(2 / 7 * RADIUS * 10.0, abs=1e-8)


def test_a_disc_rolls_in_the_plane():
    """Down a slope a solid disc has a = 2/3 g sin α; its angle counts: s = r θ after several turns."""
    world = td.World()
    normal, down = np.array([np.sin(SLOPE), np.cos(SLOPE)]), np.array([np.cos(SLOPE), -np.sin(SLOPE)])
    disc = world.add(td.Disc("disc", radius=RADIUS, position=tuple(RADIUS * normal)))
    floor, up = td.Nail(0.0, 0.0), td.world_direction(along=tuple(normal))
    world.add(
        td.sphere_on_plane(td.point(disc), floor, up, radius=RADIUS), td.roll(disc, floor, up, radius=RADIUS)
    )
    world.add(td.gravity(g=(0.0, -G)))
    assert world.diagnose().freedoms == 1
    assert world.run(2.0)
    far = np.dot(np.subtract(disc.position, RADIUS * normal), down)
    assert far == pytest.approx(2 / 3 * G * np.sin(SLOPE) * 2.0, rel=1e-9)
    assert disc.angle == pytest.approx(-far / RADIUS, rel=1e-8)
    assert disc.angle < -4 * np.pi


def test_a_ball_rolls_on_a_plane_that_moves():
    """On a plate pulled along, a ball follows with 2/7 of its acceleration (its contact goes with the
    plate)."""
    world, ball, _ = rolling_ball(np.array([0.0, 0.0, 1.0]))
    world.remove("roll")
    plate, up = td.moving("0.5*3*t^2", "0", "0"), td.world_direction(along=(0, 0, 1))
    world.add(td.roll(ball, plate, up, radius=RADIUS))
    assert world.run(1.0)
    assert ball.velocity[0] == pytest.approx(2 / 7 * 3.0, abs=1e-6)


def test_rolling_refuses_mixed_dimensions():
    world = td.World()
    ball = world.add(td.Sphere("ball"))
    with pytest.raises(ValueError, match="the ball lives in 3 dimensions, the plane in 2 and 2"):
        td.roll(ball, td.Nail(0.0, 0.0), td.world_direction(along=(0.0, 1.0)))


# --- blades ---------------------------------------------------------------------------------------
def sleigh(*, velocity, spin, pull=0.0, **settings):
    world = td.World(**settings)
    body = world.add(td.PlanarBody("sleigh", mass=2.0, inertia=0.5, velocity=velocity, spin=spin))
    world.add(blade(body, name="blade"), td.gravity(g=(pull, 0.0)))
    return world, body


def circle(t, v=1.0, w=1.5):
    return v / w * np.sin(w * t), v / w * (1 - np.cos(w * t))


@pytest.mark.parametrize(("method", "bound"), [("rattle", 1e-5), ("runge_kutta", 1e-11), ("adaptive", 1e-9)])
def test_a_sleigh_runs_in_a_circle(method, bound):
    """r = v/ω; the blade carries m v ω and does no work."""
    world, body = sleigh(velocity=(1.0, 0.0), spin=1.5, method=method)
    assert world.run(2.0)
    np.testing.assert_allclose(body.position, circle(2.0), atol=bound)
    assert np.hypot(*body.velocity) == pytest.approx(1.0, abs=bound) and body.spin == pytest.approx(
        1.5, abs=1e-12
    )
    assert world["blade"].force[0] == pytest.approx(2.0 * 1.5, abs=max(bound, 1e-8))


@pytest.mark.parametrize(("method", "bound"), [("rattle", 1e-5), ("runge_kutta", 1e-10), ("adaptive", 1e-8)])
def test_a_sleigh_on_a_slope_does_not_slide_down_but_goes_along_a_cycloid(method, bound):
    """From rest, turning with ω: x = g'/(2ω²) sin² ωt, y = g'/(2ω²) (ωt − ½ sin 2ωt): after all it goes
    sideways."""
    world, body = sleigh(velocity=(0.0, 0.0), spin=2.0, pull=3.0, method=method)
    for t in (0.7, 2.1):
        world.run(t - world.time)
        a, size = 2.0 * t, 3.0 / (2 * 4.0)
        np.testing.assert_allclose(
            body.position, (size * np.sin(a) ** 2, size * (a - np.sin(2 * a) / 2)), atol=bound
        )


@pytest.mark.parametrize(("method", "coarsest"), [("rattle", 0.04), ("runge_kutta", 0.16)])
def test_velocity_constraints_keep_the_order_of_the_method(method, coarsest):
    def error(h):
        world, body = sleigh(velocity=(1.0, 0.0), spin=1.5, method=method, max_step=h)
        world.run(1.92)
        return float(np.hypot(*np.subtract(body.position, circle(1.92))))

    assert shows_order(orders(error, coarsest), {"rattle": 2, "runge_kutta": 4}[method])


# --- speeds and accelerations ---------------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
def test_a_given_acceleration_goes_on_from_the_speed_at_switch_on(method):
    """s = v₀ t + ½ a t² from the moment it is switched on, against any force; its force is m (a − g)."""
    world = td.World(method=method)
    ball = world.add(td.Particle("ball", mass=2.0, velocity=(0.0, 0.0, 5.0)))
    thrust = world.add(td.acceleration(ball, at=(0.5, 0.0, 1.5), is_on=False), td.gravity())[0]
    world.run(0.4)
    z, v = ball.position[2], ball.velocity[2]
    thrust.is_on = True
    world.run(0.5)
    np.testing.assert_allclose(ball.position, (0.5 * 0.25 / 2, 0, z + v * 0.5 + 1.5 * 0.25 / 2), atol=1e-8)
    np.testing.assert_allclose(ball.velocity, (0.25, 0, v + 0.75), atol=1e-9)
    np.testing.assert_allclose(thrust.force, (1.0, 0, 2.0 * (1.5 + G)), atol=1e-6)


def test_a_change_of_the_acceleration_keeps_the_speed():
    """s = ½ a₁ t₁² + a₁ t₁ t₂ + ½ a₂ t₂²: no jump of the speed where the number changes."""
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    thrust = world.add(td.acceleration(ball, at=(2.0, 0.0)))
    world.run(1.0)
    thrust.at = (-1.0, 0.0)
    world.run(1.0)
    assert ball.velocity[0] == pytest.approx(1.0, abs=1e-8)
    assert ball.position[0] == pytest.approx(1.0 + 2.0 - 0.5, abs=1e-5)


def test_a_measure_may_be_given_a_speed():
    """The distance of two free particles grows by 0.5 m/s; the pair turns as its angular momentum says."""
    world = td.World(method="runge_kutta")
    a = world.add(td.Particle("a", position=(0.0, 0.0), velocity=(0.0, -1.0)))
    b = world.add(td.Particle("b", mass=3.0, position=(1.0, 0.0), velocity=(0.0, 1.0 / 3)))
    gap = td.distance_between(a, b, name="gap")
    world.add(td.speed(gap, at=(0.5,), tau=0.1))
    momentum = 0.75 * 1.0 * (4 / 3)  # μ d² ω with ω = 4/3
    for t in (0.3, 1.0):
        world.run(t - world.time)
        assert gap.velocity[0] == pytest.approx(0.5 * (1 - np.exp(-t / 0.1)), abs=1e-9)
        assert gap.value[0] == pytest.approx(1 + 0.5 * (t - 0.1 * (1 - np.exp(-t / 0.1))), abs=1e-9)
        d, v = np.subtract(b.position, a.position), np.subtract(b.velocity, a.velocity)
        assert 0.75 * (d[0] * v[1] - d[1] * v[0]) == pytest.approx(momentum, abs=1e-9)


def test_two_speeds_for_one_measure_contradict_each_other():
    world = td.World()
    ball = world.add(td.Particle("ball"))
    world.add(
        td.speed(ball, at=(1.0, 0.0, 0.0), name="slow"), td.speed(ball, at=(2.0, 0.0, 0.0), name="fast")
    )
    assert world.diagnose().freedoms == 0
    world.run(1.0)
    assert 1.0 - 1e-6 <= ball.velocity[0] <= 2.0 + 1e-6 and np.isfinite(ball.position).all()


@pytest.mark.parametrize("make", [lambda b: td.speed(b, at=(3.0, 0.0)), lambda b: td.acceleration(b, at=(3.0, 0.0))], ids=["speed", "acceleration"])  # fmt: skip # noqa: E501
def test_velocity_constraints_are_saved_to_the_bit(make):
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0), velocity=(0.0, 1.0)))
    world.add(td.gravity(g=(0.0, -G)))
    world.run(0.1)
    world.add(make(ball))
    world.run(0.05)
    again = reloaded(world)
    world.run(0.2)
    again.run(0.2)
    assert bits(world) == bits(again)


# --- first-order worlds ---------------------------------------------------------------------------
def test_in_a_first_order_world_a_wanted_speed_is_there_at_once():
    """f = m v: x = v t, and the pull across the wanted direction still moves it: y = F t/m."""
    world = td.World(order=1)
    ball = world.add(td.Particle("ball", mass=2.0, position=(0.0, 0.0)))
    world.add(
        td.speed(td.coordinate(ball, td.world_direction(along=(1.0, 0.0))), at=(3.0,)),
        td.pull(ball, by=(5.0, 1.0)),
    )
    assert world.run(1.0)
    np.testing.assert_allclose(ball.position, (3.0, 0.5), atol=1e-9)


def test_a_ball_rolls_in_a_first_order_world():
    """Pushed by F at its centre without inertia: (m + I/r²) v = F, here with f = m v and T = I ω."""
    world, ball, roll = rolling_ball(np.array([0.0, 0.0, 1.0]), order=1)
    world.add(td.pull(td.point(ball), by=(1.4, 0.0, 0.0)))
    assert world.run(1.0)
    assert ball.position[0] == pytest.approx(1.0, abs=1e-6)  # 1.4/(1 + 2/5)
    w, _, y, _ = ball.orientation
    assert 2 * np.arctan2(y, w) == pytest.approx(1.0 / RADIUS, abs=1e-5) and roll.gap < 1e-6
