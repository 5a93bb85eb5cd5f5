"""First-order worlds say how far off their way is; what has come to rest is right whatever way led there."""

import math

import numpy as np
import pytest

import tinkerdyne as td


def falling_back(k, h):
    """x' = −k (x − 1) from 1.1."""
    world = td.World(order=1, max_step=h)
    bob = world.add(td.Particle("bob", position=(1.1, 0, 0)))
    world.add(td.spring(td.Nail(0, 0, 0), bob, stiffness=k, length=1.0, name="coil"))
    return world, bob


@pytest.mark.parametrize("seed", range(8))
def test_a_decay_is_right_or_told(seed):
    rng = np.random.default_rng(seed)
    k, z = 10 ** rng.uniform(0, 4), 10 ** rng.uniform(-2.5, 0.5)
    h = z / k
    n = max(3, round(1.5 / z))
    world, bob = falling_back(k, h)
    result = world.run(n * h)
    share = abs(bob.position[0] - 1 - 0.1 * math.exp(-n * z)) / 0.1
    if result.status is td.Status.DONE:
        assert share < 0.1 and result.accuracy.path < 0.1
        assert share < 2 * result.accuracy.path
    else:
        assert result.status is td.Status.INACCURATE and result.culprits == ("bob", "coil")
        assert share > 0.01 and "take max_step below" in result.remedy


def test_a_look_leaves_the_motion_alone():
    """One step in sixteen is looked at: a run from a file, which begins to count anew, goes the same way."""
    world = td.World(order=1, max_step=1e-2)
    last = td.Nail(0, 0, 0)
    for k in range(3):
        rod = world.add(td.Rod(f"rod{k}", position=(k + 0.5, 0, 0)))
        world.add(td.connect(last, rod.end1))
        last = rod.end2
    world.add(td.gravity())
    world.run(0.05)
    other = td.World.from_json(world.to_json())
    world.run(0.25)
    other.run(0.25)
    assert other.engine.state_vector() == pytest.approx(world.engine.state_vector(), abs=1e-9)


@pytest.mark.parametrize("z", [0.5, 1.5, 30.0])
def test_what_has_come_to_rest_is_right(z):
    world, bob = falling_back(z * 100, 1e-2)
    result = world.run(2.0)
    assert result.status is td.Status.DONE and bob.position[0] == pytest.approx(1.0)


@pytest.mark.parametrize(("h", "status"), [(1e-3, td.Status.DONE), (0.05, td.Status.INACCURATE)])
def test_a_pendulum_in_honey_tells_its_step(h, status):
    world = td.World(order=1, max_step=h)
    bob = world.add(td.Particle("bob", mass=2.0, position=(1, 0, 0)))
    world.add(td.distance(td.Nail(0, 0, 0), bob, length=1), td.gravity())
    assert world.run(0.3).status is status
