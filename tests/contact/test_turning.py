"""Rolling and spinning friction: balls slow down and stop, coins stop spinning, balls rest on slopes."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.contact.kinds import turn
from tinkerdyne.engine.contact.problem import Problem

G, STEP = 9.81, 1 / 240


def on_floor(*items, gravity=(0.0, 0.0, -G), **rules):
    world = td.World(max_step=STEP)
    world.add(td.gravity(gravity), td.contact(**rules), td.Floor(), *items)
    return world


@pytest.mark.parametrize("seed", range(4))
def test_a_ball_that_rolls_slows_down_evenly_stops_and_rests(seed):
    radius, arm, speed, way = np.random.default_rng(seed).uniform((0.05, 0.01, 0.3, 0), (0.3, 0.02, 0.6, 7))
    arm *= radius
    d = np.array([np.cos(way), np.sin(way), 0.0])
    spin = speed / radius * np.array([-d[1], d[0], 0.0])
    ball = td.Sphere(radius=radius, position=(0, 0, radius), velocity=tuple(speed * d), spin=tuple(spin))
    world = on_floor(ball, rolling=arm)
    slowing = arm * G / radius / 1.4  # ρ m g = (7/5) m R a
    t = 0.7 * speed / slowing
    assert world.run(t).status == td.Status.DONE
    assert np.array(ball.velocity) == pytest.approx((speed - slowing * world.time) * d, rel=1e-6, abs=1e-9)
    world.run(0.5 * speed / slowing)
    assert np.abs(ball.velocity).max() < 1e-9 and np.abs(ball.spin).max() < 1e-8
    assert np.array(ball.position)[:2] @ d[:2] == pytest.approx(speed**2 / (2 * slowing), rel=1e-4)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_the_spin_of_a_coin_ends_by_its_closed_form(friction):
    turned = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
    coin = td.Cylinder(
        radius=0.1, length=0.02, mass=0.5, position=(0, 0, 0.01), orientation=turned, spin=(5.0, 0, 0)
    )
    world = on_floor(coin, spinning=0.01, friction=friction)
    if friction == 0.0:  # else its rim rubs as well
        world.run(0.15)
        slowing = 0.01 * 0.5 * G / coin.inertia[0][0]
        assert coin.spin[0] == pytest.approx(5.0 - slowing * world.time, rel=1e-6)
    world.run(0.5)
    assert np.abs(coin.spin).max() < 1e-9


def test_a_disc_in_the_plane_rolls_out():
    disc = td.Disc(radius=0.2, position=(0.0, 0.2), velocity=(1.0, 0.0), spin=-5.0)
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), td.PlanarFloor("floor"), disc)
    world.add(*(td.material(body, friction=0.5, rolling=0.01) for body in (disc, world["floor"])))
    world.run(1.5)
    assert disc.velocity[0] == pytest.approx(1 - 0.01 * G / 0.2 / 1.5 * world.time, rel=1e-6)


@pytest.mark.parametrize("share", [0.98, 1.05])
def test_a_ball_rests_on_a_slope_up_to_its_arm_over_its_radius(share):
    radius, arm = 0.1, 0.01
    angle = np.arctan(share * arm / radius)
    ball = td.Sphere(radius=radius, position=(0, 0, radius))
    world = on_floor(ball, rolling=arm, gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)))
    world.run(1.0)
    rolls = max(0.0, G * (np.sin(angle) - arm / radius * np.cos(angle)) / 1.4)
    assert ball.velocity[0] == pytest.approx(rolls, rel=1e-5, abs=1e-9)


def test_surfaces_without_it_have_no_turns_to_solve_for():
    ball = td.Sphere(radius=0.1, position=(0, 0, 0.1))
    world = on_floor(ball, rolling=0.01)
    world.add(td.material(ball))  # of two surfaces the geometric mean counts
    world.run(0.1)
    arena = world.contents.engine.contacts.arena
    assert Problem(arena.P).n_contacts == arena.head.n_met == 1
    with pytest.raises(ValueError, match="rolling"):
        world.add(td.contact(rolling=-1.0))


@pytest.mark.parametrize("speed", 10 ** np.random.default_rng(2).uniform(-5, -1, 4))
def test_a_ball_that_rolls_slowly_keeps_its_speed_and_does_not_sink(speed):
    ball = td.Sphere(radius=0.2, position=(0, 0, 0.2), velocity=(speed, 0, 0), spin=(0, speed / 0.2, 0))
    world = on_floor(ball)
    world.run(1.0)
    assert ball.velocity[0] == pytest.approx(speed, rel=1e-6)
    assert abs(ball.position[2] - 0.2) < 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_a_ball_that_bounces_turns_more_slowly_by_its_arm(seed):
    random = np.random.default_rng([seed, 61])
    radius, arm, e, speed = random.uniform((0.05, 0.001, 0.2, 0.5), (0.3, 0.01, 1.0, 3.0))
    spin = np.append(random.normal(0, 8, 2), random.normal(0, 8))
    ball = td.Sphere(radius=radius, position=(0, 0, radius), velocity=(0, 0, -speed), spin=tuple(spin))
    world = on_floor(
        ball, gravity=(0, 0, 0), friction=0.0, restitution=float(e), rolling=float(arm), spinning=float(arm)
    )
    world.run(0.05)
    assert ball.velocity[2] == pytest.approx(e * speed, rel=1e-9)
    slowing = arm * (1 + e) * ball.mass * speed / ball.inertia[0][0]  # ρ P = I Δω
    flat = np.linalg.norm(spin[:2])
    want = np.append(
        spin[:2] * max(0.0, 1 - slowing / flat), np.sign(spin[2]) * max(0.0, abs(spin[2]) - slowing)
    )
    assert np.array(ball.spin) == pytest.approx(want, abs=1e-9)


def test_a_plate_that_bounces_on_four_corners_spins_more_slowly():
    plate = td.Box(size=(0.4, 0.3, 0.1), position=(0, 0, 0.0501), velocity=(0, 0, -1), spin=(0, 0, 5))
    world = on_floor(plate, gravity=(0, 0, 0), friction=0.0, restitution=0.5, spinning=0.01)
    world.run(0.01)
    assert plate.velocity[2] == pytest.approx(0.5, rel=1e-9)
    assert plate.spin[2] == pytest.approx(5 - 0.01 * 1.5 * plate.mass / plate.inertia[2][2], rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_blows_with_rolling_friction_gain_nothing_whatever_strikes(seed):
    """Each seed has a body that a pin holds at its corner, one that flies, and one that falls on both."""
    random = np.random.default_rng([seed, 62])
    rules = dict(
        zip(
            ("friction", "restitution", "rolling", "spinning"),
            random.uniform(0, (1, 1, 0.05, 0.05)),
            strict=True,
        )
    )
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(**{key: float(value) for key, value in rules.items()}), td.Floor())
    for k in range(3):
        state = {
            "position": (*random.normal(0, 0.02, 2), 0.4 + 0.5 * k), "orientation": turn(random),
            "velocity": tuple(random.normal(0, 1, 3)), "spin": tuple(random.normal(0, 5, 3)),
        }  # fmt: skip
        body = world.add(td.Box(size=tuple(random.uniform(0.1, 0.3, 3)), **state))
        if k == 0:
            world.add(td.join(td.pin, None, body, at=body.position, axis=(0, 1, 0)))
    world.project()
    energy = world.energy
    for _ in range(20):
        world.run(0.05)
        assert world.energy <= energy + 1e-3 * abs(energy)
        energy = world.energy
