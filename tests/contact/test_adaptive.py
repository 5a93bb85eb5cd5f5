"""The adaptive method with contact: touch, lift-off, stick and slip are known as well as was asked."""

import numpy as np
import pytest

import tinkerdyne as td

G = 9.81


def on_floor(*items, rtol, gravity=(0.0, 0.0, -G), **rules):
    world = td.World(method="adaptive", rtol=rtol, atol=1e-2 * rtol)
    world.add(td.gravity(gravity), td.contact(**rules), td.Floor(), *items)
    return world


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_a_block_that_slides_sticks_where_it_should(rtol):
    block = td.Box(size=(1, 1, 0.2), position=(0, 0, 0.1), velocity=(1.7, 0.6, 0))
    world = on_floor(block, rtol=rtol, friction=0.5)
    assert world.run(0.5).status in (td.Status.DONE, td.Status.CAREFUL)
    way = np.hypot(*block.position[:2])
    assert way == pytest.approx((1.7**2 + 0.6**2) / G, rel=10 * rtol)
    assert np.abs(block.velocity).max() < 1e-8


@pytest.mark.parametrize("rtol", [1e-4, 1e-7])
def test_a_block_lifts_off_when_it_is_pulled_hard_enough(rtol):
    block = td.Box(size=(0.4, 0.4, 0.2), mass=1.0, position=(0, 0, 0.1))
    world = on_floor(block, rtol=rtol)
    world.add(td.formula_force(block.centre, "0", "0", "40*t"))
    assert world.run(0.6).status in (td.Status.DONE, td.Status.CAREFUL)
    rises = 40 / 6 * (0.6 - G / 40) ** 3
    assert block.position[2] - 0.1 == pytest.approx(rises, rel=10 * rtol)


@pytest.mark.parametrize("e", [0.0, 0.8])
def test_a_ball_bounces_as_in_the_closed_form(e):
    rtol = 1e-7
    ball = td.Sphere(radius=0.1, position=(0, 0, 0.6))
    world = on_floor(ball, rtol=rtol, restitution=e)
    world.run(0.5)
    falls = np.sqrt(2 * 0.5 / G)
    after = 0.5 - falls
    height = max(0.0, e * G * falls * after - G / 2 * after**2)
    assert ball.position[2] - 0.1 == pytest.approx(height, abs=10 * rtol)


def test_a_block_on_a_slope_begins_to_slip_at_its_moment():
    block = td.Box(size=(0.4, 0.4, 0.2), mass=1.0, position=(0, 0, 0.1))
    world = on_floor(block, rtol=1e-6, friction=0.5)
    world.add(td.formula_force(block.centre, "20*t", "0", "0"))
    world.run(0.5)
    slips = 0.5 * G / 20
    assert block.velocity[0] == pytest.approx(10 * (0.5 - slips) ** 2, rel=1e-4)


def test_steps_do_not_shrink_below_what_the_solver_can_tell():
    rng = np.random.default_rng(1)
    boxes = [
        td.Box(size=(0.2, 0.2, 0.2), position=(*rng.uniform(-0.05, 0.05, 2), 0.1 + 0.21 * k))
        for k in range(8)
    ]
    world = on_floor(*boxes, rtol=1e-9)
    result = world.run(0.05)
    assert result.status in (td.Status.DONE, td.Status.CAREFUL) and result.steps < 3000
