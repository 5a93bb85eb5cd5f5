"""B21: assembly in closed form (LD98): parts move by the least amount in the metric of their
masses."""

import numpy as np
import pytest

import tinkerdyne as td


def pair(**assembly):
    """m₁ = 1 at x = 0 and m₂ = 2 at x = 3, wanted 1 m apart, put together."""
    world = td.World()
    light = world.add(td.Particle("light", mass=1.0, position=(0.0, 0.0)))
    heavy = world.add(td.Particle("heavy", mass=2.0, position=(3.0, 0.0)))
    world.add(td.distance(light, heavy, length=1.0, name="rod"))
    return world, light, heavy, world.assemble(**assembly)


def test_parts_move_by_the_inverse_of_their_masses():
    """x₁ = 4/3, x₂ = 7/3, at once: no time passes and nothing moves afterwards."""
    world, light, heavy, found = pair()
    assert found and found.gap <= 1e-10
    np.testing.assert_allclose(light.position, (4 / 3, 0.0), atol=1e-12)
    np.testing.assert_allclose(heavy.position, (7 / 3, 0.0), atol=1e-12)
    assert world.time == 0.0
    world.run(0.5)
    np.testing.assert_allclose(light.position, (4 / 3, 0.0), atol=1e-12)


def test_with_identity_weights_they_move_alike():
    """The pseudo-inverse: both by one metre."""
    _, light, heavy, found = pair(by_mass=False)
    assert found
    np.testing.assert_allclose(light.position, (1.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(heavy.position, (2.0, 0.0), atol=1e-12)


def test_infinite_mass_does_not_move():
    world, light, heavy, _ = pair()
    world.undo()
    light.is_fixed = True
    assert world.assemble()
    assert light.position == (0.0, 0.0)
    np.testing.assert_allclose(heavy.position, (1.0, 0.0), atol=1e-12)


def test_a_turned_rod_shares_the_correction_between_turning_and_moving():
    """One end of a rod (m, I about its centre, half length a) is nailed a small e away, across it.

    δ = W Jᵀ (J W Jᵀ)⁻¹ e: the centre moves e (1/m)/(1/m + a²/I), the rod turns by e (a/I)/(1/m + a²/I).
    """
    m, inertia, a, e = 2.0, 0.3, 0.5, 1e-6
    world = td.World()
    rod = world.add(td.PlanarBody("rod", mass=m, inertia=inertia))
    world.add(td.nail(td.point(rod, at=(a, 0.0)), at=(a, e)))
    assert world.assemble(precision=1e-14)
    whole = 1 / m + a * a / inertia
    assert rod.position[1] == pytest.approx(e / m / whole, rel=1e-5)
    assert rod.angle == pytest.approx(e * a / inertia / whole, rel=1e-5)


@pytest.mark.parametrize(
    ("type", "compromise"),
    [(td.distance, 1.5), (td.squared_distance, np.sqrt(2.5))],
    ids=["distance", "squared distance"],
)
def test_a_contradictory_pair_ends_in_the_least_squares_pose(type, compromise):
    """|p − a| = 1 and |p − a| = 2: both are named, and the sum of squares is least."""
    world = td.World()
    bob = world.add(td.Particle("bob", position=(0.3, -1.1)))
    hook = td.Nail(0.0, 0.0)
    world.add(type(hook, bob, length=1.0, name="short"), type(hook, bob, length=2.0, name="long"))
    found = world.assemble()
    assert not found and set(found.unmet) == {"short", "long"}
    assert np.hypot(*bob.position) == pytest.approx(compromise, abs=1e-6)
