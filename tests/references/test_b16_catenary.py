"""B16: the hanging chain of rigid massless rods at rest, its shape and its tensions."""

from itertools import pairwise

import numpy as np
import pytest

import tinkerdyne as td
from tests.references.measure import advance

G, MASS, LENGTH = 9.81, 0.1, 1.5
# rods: horizontal tension, tension of the first rod, height of the lowest node, first node
TABLE = {
    4: (
        0.804239967336356897,
        1.6769359484074472,
        -0.524319613242246434,
        (0.179845859967131043, -0.32905997424889447),
    ),
    10: (
        2.01208104503724606,
        4.8514204499093022,
        -0.505945931571084479,
        (0.0622110905191136996, -0.136490952873890662),
    ),
    20: (
        4.02982928813643442,
        10.1534528285466615,
        -0.503446634340192651,
        (0.0297669375840783826, -0.0688398825308816301),
    ),
}
SAG = 0.50263326164831516846  # of the continuous curve


def zigzag(rods):
    """A start that meets every rod's length: nodes up and down on a line, the last one where it must be."""
    length = LENGTH / rods
    half = 1.0 / rods
    depth = np.sqrt(length**2 - half**2)
    return [(k * half, -depth * (k % 2)) for k in range(1, rods)]


def chain(rods, **settings):
    """N rods, N − 1 masses, ends at (0, 0) and (1, 0)."""
    world = td.World(**settings)
    nodes = [
        world.add(td.Particle(f"node {k}", mass=MASS, position=p)) for k, p in enumerate(zigzag(rods), 1)
    ]
    ends = [td.Nail(0.0, 0.0), *nodes, td.Nail(1.0, 0.0)]
    length = LENGTH / rods
    bars = [
        world.add(td.distance(a, b, length=length, name=f"rod {k}"))
        for k, (a, b) in enumerate(pairwise(ends))
    ]
    world.add(td.gravity(g=(0.0, -G)))
    return world, nodes, bars


def check(rods, nodes, bars, tolerance):
    horizontal, first, lowest, node = TABLE[rods]
    places = np.array([n.position for n in nodes])
    np.testing.assert_allclose(places[0], node, atol=tolerance)
    assert places[:, 1].min() == pytest.approx(lowest, abs=tolerance)
    np.testing.assert_allclose(places[::-1, 0], 1 - places[:, 0], atol=2 * tolerance)  # symmetric
    tension = np.array([-bar.force[0] for bar in bars])
    # A tension turns with its rod: an error in place of δ over a rod of 1.5/N changes it by about its size ·
    # δ N.
    assert tension[0] == pytest.approx(first, abs=200 * tolerance)
    ends = np.vstack([[0.0, 0.0], places, [1.0, 0.0]])
    along = np.diff(ends, axis=0) / (LENGTH / rods)
    np.testing.assert_allclose(tension * along[:, 0], horizontal, atol=200 * tolerance)


@pytest.mark.parametrize("rods", [4, 10])
def test_a_damped_chain_comes_to_rest_in_the_catenary(rods):
    world, nodes, bars = chain(rods)
    world.add(td.damping(rate=4.0))
    # The slowest swing decays like e^(−rate t / 2): 20 s leave e⁻⁴⁰ of it.
    advance(world, 20.0)
    check(rods, nodes, bars, 1e-7)
    assert max(np.hypot(*n.velocity) for n in nodes) < 1e-8
    assert world.gap < 1e-7


def test_a_first_order_chain_sinks_to_the_same_place():
    """f = m v: motion ends with the force.

    The slowest mode creeps with a rate of about g/(2 sag) ≈ 10 in these units."""
    world, nodes, bars = chain(10, order=1)
    advance(world, 10.0)
    check(10, nodes, bars, 1e-7)


def test_finer_chains_approach_the_continuous_curve():
    """Lowest point → −sag as 1/N²: four times nearer for twice the rods."""
    off = {n: -TABLE[n][2] - SAG for n in (10, 20)}
    world, nodes, bars = chain(20, order=1)
    advance(world, 10.0)
    check(20, nodes, bars, 1e-6)
    found = -min(n.position[1] for n in nodes) - SAG
    assert found == pytest.approx(off[20], rel=1e-3)
    assert off[10] / found == pytest.approx(4.0, rel=0.1)
