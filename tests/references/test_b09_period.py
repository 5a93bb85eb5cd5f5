"""B09: the pendulum whose period is exactly 2 s: any drift of phase shows."""

import numpy as np
import pytest

from tests.references.measure import ORDERS, TIGHT, advance, orders, pendulum, shows_order

G = 13.75037163604074565498  # (2 K(½))², SUNDIALS' constant


def test_default_settings_keep_gap_and_energy_for_a_hundred_seconds():
    """L1."""
    world, bob, _ = pendulum(start=(1.0, 0.0), g=G)
    for _ in range(10):
        advance(world, 10.0)
        # The scale of the energy is the depth of the swing, m g L.
        assert world.gap < 1e-4 and abs(world.energy) < 0.01 * G
    # At its turning point the bob sees an error of phase only squared: measured 1 − x = 7e-9 after 50
    # periods.
    assert bob.position[0] > 1 - 1e-6


def test_the_state_returns_after_whole_periods():
    """L2 asks for 1e-6; measured 3e-13, 1.5e-12 and 1.6e-10 at t = 2, 10 and 100."""
    world, bob, rod = pendulum(start=(1.0, 0.0), g=G, **TIGHT)
    for t, bound in ((2, 1e-11), (10, 1e-10), (100, 1e-8)):
        advance(world, t - world.time)
        # At the top the speed is zero, so a phase error δ shows as velocity g δ; the place sees δ² only.
        assert np.hypot(bob.velocity[0], bob.velocity[1]) < bound * G, t
        np.testing.assert_allclose(bob.position, (1.0, 0.0), atol=bound)
        assert abs(rod.force[0]) < 100 * bound  # 3 g times the error in place


def test_places_and_tension_on_the_way():
    world, bob, rod = pendulum(start=(1.0, 0.0), g=G, **TIGHT)
    places = {
        0.1: (0.99763826574142817, -0.068686903616596012),
        0.3: (0.81906468170174708, -0.57370118283721164),
        0.5: (0.0, -1.0),
        0.7: (-0.81906468170174708, -0.57370118283721164),
        1.0: (-1.0, 0.0),
        1.5: (0.0, -1.0),
    }
    for t, place in places.items():
        advance(world, t - world.time)
        np.testing.assert_allclose(bob.position, place, atol=1e-9)
        if abs(place[0]) == 0.0:
            assert -rod.force[0] == pytest.approx(41.25111490812224, abs=1e-7)  # 3 g at the bottom


@pytest.mark.parametrize("method", ORDERS)
def test_halving_the_step_shows_the_advertised_order(method):
    """L3 at t = 0.7, where the bob moves.

    At coarser steps RATTLE's energy guard would call the careful scheme."""
    wanted = np.array([-0.81906468170174708, -0.57370118283721164])

    def error(dt):
        world, bob, _ = pendulum(start=(1.0, 0.0), g=G, method=method, max_step=dt, tolerance=1e-13)
        advance(world, 0.7)
        return float(np.linalg.norm(np.array(bob.position) - wanted))

    found = orders(error, 0.7 / 60)
    assert shows_order(found, ORDERS[method]), found
