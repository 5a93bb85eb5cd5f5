"""Störmer's method at stops: it says that nothing bounces, and calls no loss an error that a rope takes."""

import numpy as np
import pytest

import tinkerdyne as td


def thrown(h, restitution, speed):
    world = td.World(method="stormer", max_step=h)
    ball = world.add(td.Particle("ball", position=(1.0, 0.0), velocity=(-speed, 0.0)))
    room = td.component(ball, of=0)
    world.add(td.at_least(room, low=0.0, restitution=restitution, name="wall"))
    world.add(td.at_most(room, high=9e9, name="far"))
    return world.run(2 / speed + 3 * h)


@pytest.mark.parametrize("h", [1e-3, 0.02])
@pytest.mark.parametrize("speed", [3.0, 300.0])
@pytest.mark.parametrize("restitution", [1.0, 0.3])
def test_a_bounce_that_does_not_come_is_told_with_the_stop(h, speed, restitution):
    result = thrown(h, restitution, speed)
    assert result.status is td.Status.INACCURATE and result.culprits == ("wall",)
    assert "lets nothing bounce" in result.remedy and 'method="rattle"' in result.remedy
    assert "max_step" not in result.remedy


@pytest.mark.parametrize("restitution", [0.0, 0.7])
def test_a_hit_at_the_end_of_a_step_is_told_too(restitution):
    """Both come to rest against each other at t = 0.2 s, which was DONE with a restitution of 0.7."""
    world = td.World(method="stormer", max_step=1e-3)
    a = world.add(td.Particle("a", velocity=(2, 0, 0)))
    b = world.add(td.Particle("b", position=(0.7, 0, 0), velocity=(-1, 0, 0), mass=2))
    world.add(td.at_least(td.distance_between(a, b), low=0.1, restitution=restitution, name="stop"))
    result = world.run(0.5)
    assert result.status is (td.Status.INACCURATE if restitution else td.Status.DONE)
    assert result.culprits == (("stop",) if restitution else ())


@pytest.mark.parametrize("h", [1e-3, 7e-3, 0.02])
@pytest.mark.parametrize("speed", [3.0, 47.0, 300.0])
def test_a_wall_that_stops_is_no_error(h, speed):
    assert thrown(h, 0.0, speed).status is td.Status.DONE


@pytest.mark.parametrize("seed", range(4))
def test_a_rope_that_goes_taut_without_a_bounce_loses_no_more_than_it_must(seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.2, 0.8)
    said = {}
    for method in ("stormer", "rattle"):
        world = td.World(method=method, max_step=1e-3)
        ball = world.add(td.Particle("ball", position=(x, 0.0)))
        world.add(td.at_most(td.distance_between(td.Nail(0, 0), ball), high=1.0, name="rope"), td.gravity())
        said[method] = world.run(1.0), ball.position
    result, place = said["stormer"]
    assert place == pytest.approx(said["rattle"][1], abs=0.02)
    assert result.status is td.Status.DONE and result.accuracy.energy < 0.02
