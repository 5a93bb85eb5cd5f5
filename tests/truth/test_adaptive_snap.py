"""A string that snaps taut under a heavy load: the adaptive method gets better with a tighter rtol."""

import numpy as np
import pytest

import tinkerdyne as td


def swung(masses, angles, rtol):
    world = td.World(method="adaptive", rtol=rtol, atol=rtol / 100)
    last, place = td.Nail(0, 0), np.zeros(2)
    for k, (mass, angle) in enumerate(zip(masses, angles, strict=True)):
        place = place + np.array([np.cos(angle), np.sin(angle)])
        bob = world.add(td.Particle(f"p{k}", mass=mass, position=tuple(place)))
        world.add(td.distance(last, bob, length=1.0, name=f"d{k}"))
        last = bob
    world.add(td.gravity())
    result = world.run(0.6)
    return result, world.engine.state_vector()[: 2 * len(masses)]


@pytest.mark.parametrize(
    ("masses", "angles"),
    [((1.0, 1e3), (-0.1, -1.2)), ((1.0, 1e6), (-0.1, -1.2)), ((1.0, 1.0, 1e4), (-0.1, -0.5, -1.2))],
)
def test_tighter_tolerances_are_better_at_a_snap(masses, angles):
    _, best = swung(masses, angles, 1e-11)
    for rtol in (1e-6, 1e-8, 1e-9):
        result, places = swung(masses, angles, rtol)
        assert result.status is td.Status.DONE
        assert np.abs(places - best).max() < 100 * rtol
