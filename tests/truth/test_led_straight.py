"""A chain that is led until it is straight, and back."""

import itertools

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
@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "implicit", "adaptive"])
def test_a_chain_is_led_through_its_straight_pose(method, links):
    world, bobs = led_straight(method, links)
    result = world.run(2.5)
    assert result and world.gap < 1e-7 and min(bob.position[1] for bob in bobs) < -0.2


@pytest.mark.parametrize("seed", range(3))
def test_adaptive_leads_other_chains_through_theirs(seed):
    """Damped, so that swings across it do not take up energy without end as it tightens."""
    rng = np.random.default_rng([93, seed])
    lengths = rng.uniform(0.3, 1.5, int(rng.integers(3, 9)))
    slack, whole = 0.8 * lengths.sum(), lengths.sum()
    world = td.World(method="adaptive")
    end = td.path(keys=((0, slack, 0.0), (1, whole, 0.0), (2, slack, 0.0)))
    places = np.cumsum(lengths)[:-1] / whole * slack
    bobs = [world.add(td.Particle(mass=rng.uniform(0.1, 0.3), position=(x, -0.2))) for x in places]
    points = [td.Nail(0, 0), *bobs, end]
    links = zip(itertools.pairwise(points), lengths, strict=True)
    world.add(*[td.distance(a, b, length=length) for (a, b), length in links])
    world.add(td.gravity(), td.damping(rate=5.0))
    assert world.assemble() and world.run(2.3) and world.gap < 1e-7
