"""Numbers near the end of their range: a world says so, keeps its last good state, and can be saved."""

import math

import numpy as np
import pytest

import tinkerdyne as td

METHODS = (
    "adaptive", "rattle", "runge_kutta", "energy_momentum", "implicit", "stormer", "lsoda", "dop853", "dense",
)  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("far", [1e160, 1e308])
def test_a_place_beyond_all_squares_is_told_and_the_world_can_be_saved(method, far):
    world = td.World(method=method)
    a, b = world.add(td.Particle("a", position=(0, 0, 0)), td.Particle("b", position=(1, 0, 0)))
    world.add(td.distance(a, b, length=0.87), td.nail(a, at=(0.9, 0.8, 0), tau=0.3))
    world.add(td.distance(a, td.place(at=(far, -1.8, 0)), length=0.26, name="far"))
    result = world.step(0.01)
    assert result.status in (td.Status.NOT_FINITE, td.Status.UNMET, td.Status.TOO_MANY)
    assert "far" in str(result)
    assert np.isfinite([*a.position, *b.position, *a.velocity, *b.velocity]).all()
    again = td.World.from_json(world.to_json())
    assert again["a"].position == a.position
    world.remove("far")
    world.step(0.01)
    assert math.isfinite(world.energy)
