"""A chain that is led until it is straight, and back: followed, or stopped with the culprits named."""

import numpy as np
import pytest

import tinkerdyne as td


def led_straight(method, links, **settings):
    world = td.World(method=method, **settings)
    x = np.linspace(0, links - 0.2, links + 1)
    bobs = [
        world.add(td.Particle(f"p{k}", mass=0.1, position=(x[k], -0.4 * np.sin(np.pi * k / links))))
        for k in range(1, links)
    ]
    end = td.path(keys=((0, x[-1], 0.0), (1, float(links), 0.0), (2, x[-1], 0.0)))
    points = [td.Nail(0, 0), *bobs, end]
    for k in range(links):
        world.add(td.distance(points[k], points[k + 1], length=1.0, name=f"d{k}"))
    world.add(td.gravity(), td.damping(rate=2.0))
    assert world.assemble()
    return world, bobs


@pytest.mark.parametrize("links", [4, 6])
@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "implicit"])
def test_fixed_steps_lead_a_chain_through_its_straight_pose(method, links):
    world, bobs = led_straight(method, links)
    result = world.run(2.5)
    assert result and world.gap < 1e-7 and min(bob.position[1] for bob in bobs) < -0.2


def test_adaptive_names_the_chain_that_it_cannot_follow():
    world, _ = led_straight("adaptive", 6)
    result = world.run(2.5)
    if not result:
        assert set(result.culprits) == {f"d{k}" for k in range(6)} and "method='rattle'" in result.remedy
    assert np.isfinite(world.engine.state_vector()).all()
