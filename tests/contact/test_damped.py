"""Damping of any strength beside contacts: drag and dampers are right, and what is not is told."""

import numpy as np
import pytest

import tinkerdyne as td

G, STEP = 9.81, 1 / 240


@pytest.mark.parametrize("drag", 10.0 ** np.random.default_rng(3).uniform(0, 6, 5))
def test_a_block_that_slides_against_drag_comes_to_its_speed(drag):
    block = td.Box(size=(0.4, 0.4, 0.2), mass=1.0, position=(0, 0, 0.1))
    world = td.World(max_step=STEP)
    world.add(td.gravity((5.0, 0, -G)), td.contact(friction=0.2), td.Floor(), block)
    world.add(td.drag(block.centre, coefficient=drag))
    assert world.run(1.0).status == td.Status.DONE
    speed = (5.0 - 0.2 * G) / drag * -np.expm1(-drag * world.time)
    assert block.velocity[0] == pytest.approx(speed, rel=1e-5)
    assert abs(block.position[2] - 0.1) < 1e-7


@pytest.mark.parametrize("strength", 10.0 ** np.random.default_rng(4).uniform(0, 4, 4))
def test_a_damper_carries_what_hangs_in_it_onto_the_floor(strength):
    below = td.Box(size=(0.4, 0.4, 0.2), mass=1.0, position=(0, 0, 0.1))
    above = td.Sphere(radius=0.1, mass=2.0, position=(0, 0, 6.0))
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), td.Floor(), below, above)
    world.add(td.damper(below.centre, above.centre, coefficient=strength))
    assert world.run(0.4).status == td.Status.DONE
    sinks = 2.0 * G / strength * -np.expm1(-strength * world.time / 2.0)
    assert above.velocity[2] == pytest.approx(-sinks, rel=1e-4)
    assert np.abs(below.velocity).max() < 1e-7
