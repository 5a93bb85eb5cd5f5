"""Constraints that were open on the way, and are met again at the end, are told."""

import itertools

import numpy as np
import pytest

import tinkerdyne as td

METHODS = ("rattle", "runge_kutta", "energy_momentum", "implicit", "stormer", "adaptive")


def led_chain(seed, method, reach):
    """A chain whose end is led to some share of its whole length, and back."""
    rng = np.random.default_rng([71, seed])
    lengths = rng.uniform(0.3, 1.5, int(rng.integers(2, 6)))
    slack, whole = 0.8 * lengths.sum(), lengths.sum()
    world = td.World(method=method, max_step=float(rng.choice([1e-3, 4e-3])))
    end = td.path(keys=((0, slack, 0.0), (1, reach * whole, 0.0), (2, slack, 0.0)))
    places = np.cumsum(lengths)[:-1] / whole * slack
    bobs = [world.add(td.Particle(mass=rng.uniform(0.1, 0.3), position=(x, -0.2))) for x in places]
    points = [td.Nail(0, 0), *bobs, end]
    links = zip(itertools.pairwise(points), lengths, strict=True)
    world.add(*[td.distance(a, b, length=length) for (a, b), length in links])
    world.add(td.gravity(), td.damping(rate=5.0))
    assert world.assemble()
    return world


@pytest.mark.parametrize("method", METHODS)
def test_a_chain_that_was_led_out_of_its_reach_and_back_is_told(method):
    """At the end all was met, and a run said CAREFUL or DONE whatever had been open in between."""
    for seed in range(4):
        world = led_chain(seed, method, 1.1 + 0.05 * seed)
        result = world.run(2.6)
        assert result.status in (td.Status.INACCURATE, td.Status.UNMET), f"seed {seed}: {result}"
        assert result.culprits and "distance" in result.culprits[0] and result.remedy
        within = led_chain(seed, method, 0.95)
        assert within.run(2.6).status in (td.Status.DONE, td.Status.CAREFUL), f"seed {seed}"


def test_what_was_open_before_a_run_is_no_fault_of_it():
    world = led_chain(0, "rattle", 1.1)
    assert world.run(2.6).status is not td.Status.DONE
    assert world.run(0.5).status is td.Status.DONE


def test_a_recording_tells_what_was_open_between_its_moments():
    recording = led_chain(1, "rattle", 1.2).record(2.6, every=1.3)
    assert recording.result is not None and recording.result.status in (
        td.Status.INACCURATE,
        td.Status.UNMET,
    )


def test_dense_tells_what_feedback_did_not_hold_on_the_way():
    """A path that turns back at once opens what follows it, until feedback has closed it again."""
    world = td.World(method="dense", max_step=5e-3)
    ball = world.add(td.Particle("ball", position=(0, 0)))
    path = td.path(keys=((0.0, 0.0, 0.0), (0.5, 1.0, 1.0), (1.0, 0.0, 0.0)), style="linear")
    world.add(td.connect(ball, path, name="hook"))
    world.run(0.3)  # its own start
    result = world.run(10.0)
    assert result.status is td.Status.INACCURATE and result.culprits == ("hook",) and world.gap < 1e-6
    assert world.run(0.5).status is td.Status.DONE
