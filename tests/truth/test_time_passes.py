"""Where something moves, its places change by its velocity: no step spends its time on hits."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.truth.collisions import linkage


def stands_still(world, parts, steps, h):
    """How many steps in a row what moved before and after came nowhere, at most."""
    row = most = 0
    for _ in range(steps):
        place, speed = flat(parts, "position"), np.linalg.norm(flat(parts, "velocity"))
        assert world.step(h)
        way = np.linalg.norm(flat(parts, "position") - place)
        least = h * min(speed, np.linalg.norm(flat(parts, "velocity")))
        row = row + 1 if way < 0.02 * least and least > 1e-4 * h else 0
        most = max(most, row)
    return most


def flat(parts, what):
    return np.concatenate([getattr(part, what) for part in parts])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("method", ["stormer", "rattle", "runge_kutta"])
def test_linkages_at_their_limits_go_on(method, seed):
    """Assembly passed stops that it had not closed: Störmer's method met them at the start of every step, and
    the world stood still with all its velocities, DONE where nothing was to bounce."""
    world, rods = linkage(seed, method=method, max_step=5e-3)
    for rod in rods:
        world.impulse(rod.end2, (0.0, 3.0 * rod.mass))
    assert stands_still(world, rods, 200, 5e-3) <= 2


@pytest.mark.parametrize("seed", [0, 5, 7])
def test_without_bounces_stormers_method_comes_to_where_rattle_does(seed):
    ends = {}
    for method, step in (("rattle", 1e-3), ("stormer", 1e-3), ("stormer", 1e-4)):
        world, rods = linkage(seed, method=method, max_step=step)
        for stop in world.items:
            if stop.type in (td.at_least, td.at_most):
                stop.restitution = 0.0
        assert world.run(0.6).status is td.Status.DONE
        ends[method, step] = flat(rods, "position")
    off = [np.abs(ends["stormer", step] - ends["rattle", 1e-3]).max() for step in (1e-3, 1e-4)]
    assert off[1] < 1e-3 and off[1] < 0.2 * off[0]
