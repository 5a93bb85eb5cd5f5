"""Forces of R2 and touching spheres of R3 against closed forms: attraction, twist in body axes, touch, sphere
on plane."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.modelling.mechanics import G


def test_attraction_keeps_a_pair_in_orbit():
    """Circles about the common centre: ω² d³ = G (m₁ + m₂), one turn in 2π/ω; E = −G m₁ m₂/(2d)."""
    m1, m2, d = 3.0, 1.0, 2.0
    world = td.World(method="runge_kutta")
    w = np.sqrt((m1 + m2) / d**3)  # G = 1
    one = world.add(td.Particle("one", mass=m1, position=(-0.5, 0.0), velocity=(0.0, -0.5 * w)))
    two = world.add(td.Particle("two", mass=m2, position=(1.5, 0.0), velocity=(0.0, 1.5 * w)))
    world.add(td.attraction(one, two, strength=m1 * m2))
    assert world.energy == pytest.approx(-m1 * m2 / (2 * d), abs=1e-12)
    world.run(np.pi / w)
    np.testing.assert_allclose((*one.position, *two.position), (0.5, 0, -1.5, 0), atol=1e-8)
    world.run(np.pi / w)
    np.testing.assert_allclose((*one.position, *two.position), (-0.5, 0, 1.5, 0), atol=1e-8)


def test_attraction_on_an_ellipse_obeys_keplers_third_law():
    """From the far point at half of the circular speed: after T = 2π √(a³/μ) it is there again."""
    world = td.World(method="adaptive")
    sun, planet = world.add(
        td.Particle("sun", is_fixed=True),
        td.Particle("planet", position=(1.0, 0.0, 0.0), velocity=(0.0, 0.5, 0.0)),
    )
    world.add(td.attraction(sun, planet))
    a = 1 / (2 - 0.25)  # vis-viva
    world.run(2 * np.pi * a**1.5)
    np.testing.assert_allclose(planet.position, (1, 0, 0), atol=1e-7)


def test_a_twist_in_body_axes_turns_with_the_body():
    """About a principal axis it spins up, ω = T t/I, however the body is turned; in world axes it would
    not."""
    turned = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
    world = td.World()
    body = world.add(td.RigidBody("body", inertia=(0.2, 0.3, 0.4), orientation=turned))
    world.add(td.twist_body(body, by=(0.0, 0.0, 0.8)))
    world.run(2.0)
    np.testing.assert_allclose(body.spin, (0, 0, 4.0), atol=1e-9)
    world = td.World()
    body = world.add(td.RigidBody("body", inertia=(0.2, 0.3, 0.4), orientation=turned))
    world.add(td.twist(body, by=(0.8, 0.0, 0.0)))  # the same at this moment: z of the body points along x
    world.run(2.0)
    np.testing.assert_allclose(body.spin, (0, 0, 4.0), atol=1e-9)


def test_a_twist_in_the_plane_is_one_number():
    world = td.World()
    body = world.add(td.PlanarBody("body", inertia=0.5, angle=1.0))
    world.add(td.twist_body(body, by=(2.0,)))
    world.run(1.0)
    assert (body.spin, body.angle) == pytest.approx((4.0, 3.0), abs=1e-9)


@pytest.mark.parametrize(("radii", "distance"), [((0.7, 0.3), 1.0), ((1.5, -0.5), 1.0), ((-2.0, 0.5), 1.5)])
def test_touching_spheres_slide_at_their_distance(radii, distance):
    """Centres |r_a + r_b| apart (a negative radius is a hollow sphere's): a spherical pendulum of that
    length, without friction."""
    world = td.World(max_step=5e-4)
    bowl = world.add(td.Sphere("bowl", radius=abs(radii[0]), is_fixed=True))
    ball = world.add(
        td.Sphere("ball", radius=abs(radii[1]), position=(distance, 0.0, 0.0), spin=(0.0, 0.0, 5.0))
    )
    touch = world.add(
        td.touch(td.point(bowl), td.point(ball), radius_a=radii[0], radius_b=radii[1]), td.gravity()
    )[0]
    assert touch.gap < 1e-12
    world.run(0.9)
    assert np.linalg.norm(ball.position) == pytest.approx(distance, abs=1e-7)
    # v² = 2 g z; along the line from the bowl: m v²/d + m g z/d, inwards
    fall = -ball.position[2]
    assert np.dot(ball.velocity, ball.velocity) == pytest.approx(2 * G * fall, abs=1e-3)
    assert touch.force[0] == pytest.approx(-3 * G * fall / distance, abs=2e-3)
    assert ball.spin == (0.0, 0.0, 5.0)  # smooth: nothing turns it


def test_two_free_spheres_that_touch_keep_their_centre_and_momentum():
    world = td.World()
    a, b = world.add(
        td.Sphere("a", mass=2.0, radius=0.4),
        td.Sphere("b", radius=0.6, position=(0.0, 1.0, 0.0), velocity=(3.0, 0.0, 0.0)),
    )
    world.add(td.touch(td.point(a), td.point(b), radius_a=0.4, radius_b=0.6))
    world.run(2.0)
    centre = (2 * np.array(a.position) + b.position) / 3
    np.testing.assert_allclose(centre, (2.0, 1 / 3, 0.0), atol=1e-9)
    w = 3.0  # they turn about each other with v/d
    np.testing.assert_allclose(
        np.subtract(b.position, a.position), (np.sin(2 * w), np.cos(2 * w), 0), atol=1e-4
    )


def test_a_sphere_slides_on_a_plane_without_turning():
    """sphere_on_plane alone is smooth: a = g sin α, N = m g cos α."""
    normal = np.array([0.6, 0.0, 0.8])
    world = td.World()
    ball = world.add(td.Sphere("ball", mass=2.0, radius=0.3, position=tuple(0.3 * normal)))
    rest = td.sphere_on_plane(
        td.point(ball), td.Nail(0, 0, 0), td.world_direction(along=tuple(normal)), radius=0.3
    )
    world.add(rest, td.gravity())
    world.run(1.0)
    np.testing.assert_allclose(ball.velocity, G * 0.6 * np.array([0.8, 0, -0.6]), atol=1e-9)
    assert rest.force[0] == pytest.approx(2.0 * G * 0.8, abs=1e-8) and not np.any(ball.spin)


def test_a_tug_is_critically_damped_and_limited():
    """F = m ((to − p)/τ² − 2 ṗ/τ), cut off: near, (1 + t/τ) e^(−t/τ); far away, steady acceleration."""
    world = td.World(method="runge_kutta")
    near, far = world.add(td.Particle("near", mass=3.0), td.Particle("far", mass=3.0))
    world.add(
        td.tug(near, to=(0.1, 0, 0), mass=3.0, time=0.2, limit=100.0),
        td.tug(far, to=(0, 90, 0), mass=3.0, time=0.2, limit=6.0),
    )
    world.run(0.4)
    assert near.position[0] == pytest.approx(0.1 * (1 - 3 * np.exp(-2.0)), abs=1e-9)
    assert far.position[1] == pytest.approx(0.5 * 2.0 * 0.16, abs=1e-9)
