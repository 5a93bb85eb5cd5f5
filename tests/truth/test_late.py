"""Times so late that steps are lost in their rounding are refused: when loaded, when set, when stepped to."""

import json

import numpy as np
import pytest

import tinkerdyne as td

METHODS = ("rattle", "runge_kutta", "implicit", "energy_momentum", "adaptive", "lsoda", "dense")


def falling(time=0.0, **settings):
    world = td.World(**settings)
    world.add(td.Particle("ball"), td.gravity())
    text = json.loads(world.to_json())
    return json.dumps(text | {"time": time})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("time", [1e300, -1e308, 1e17, -3e16])
def test_a_scene_in_which_time_cannot_advance_is_not_loaded(method, time):
    with pytest.raises(td.SceneError, match=r'"time": at t = .* begin at an earlier time'):
        td.World.from_json(falling(time, method=method))


@pytest.mark.parametrize("seed", range(5))
def test_where_a_step_is_taken_the_time_advances_by_it(seed):
    rng = np.random.default_rng(seed)
    step, time = 10 ** rng.uniform(-6, 2), 10 ** rng.uniform(0, 14)
    try:
        world = td.World.from_json(falling(time, max_step=step))
    except td.SceneError:
        assert time > 1e9 * step
        return
    world.step(step)
    assert world.time - time == pytest.approx(step, rel=2e-6)


def test_a_step_too_short_for_the_time_is_refused_when_set_and_when_taken():
    world = td.World.from_json(falling(1e12, max_step=1e4))
    with pytest.raises(ValueError, match=r"at t = 1e\+12 s the time is rounded"):
        world.configure(max_step=1e-3)
    assert world.settings["max_step"] == 1e4
    with pytest.raises(ValueError, match=r"too much for steps of 0\.001 s"):
        world.step(1e-3)
    assert world.time == 1e12 and world.step(1e4)


def test_a_year_in_parts_is_no_matter_for_a_method_that_chooses_its_steps():
    world = td.World.from_json(falling(3.2e7, method="adaptive"))
    assert world.run(10.0).status is td.Status.DONE
