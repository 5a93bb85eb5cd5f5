"""B01: the IFToMM A01 planar pendulum against its closed form in Jacobi's elliptic functions."""

import numpy as np
import pytest
from scipy.special import ellipj

from tests.references.measure import ORDERS, TIGHT, advance, orders, pendulum, shows_order

G = 9.81
# t: x, y, |v|, tension, from the closed form to 30 digits
TABLE = {
    1: (0.98629175113187532, -0.16501085312554117, 1.799309016907079, 4.856269407484677),
    2: (-0.79356619534332175, -0.60848393044379151, 3.45520689905933, 17.90768207296078),
    3: (0.17665178992283819, -0.98427340973789262, 4.394478842713599, 28.96716644858618),
    4: (0.57756362824863139, -0.81634567146783887, 4.002087214716716, 24.0250531112985),
    5: (-0.94230543504375734, -0.33475433841400058, 2.562787568192629, 9.851820179524037),
    6: (0.99949753993935278, -0.031696492789927064, 0.7885969747205279, 0.9328277828075535),
    7: (-0.9986187791754798, -0.052540782998298716, 1.015307915081243, 1.546275243639931),
    8: (0.91985798310773849, -0.39225156585151256, 2.77416216577306, 11.54396358301001),
    9: (-0.49837370905755894, -0.86696230951536273, 4.124293941111789, 25.51470076903712),
    10: (-0.27508746257611686, -0.96141920509912506, 4.343160692864683, 28.29456720606725),
}


def exact(t):
    """sin(φ/2) = −(1/√2) cd(√g t, ½): the bob's place."""
    sn, cn, dn, _ = ellipj(np.sqrt(G) * t, 0.5)
    del sn
    half = -np.sqrt(0.5) * cn / dn
    return np.array([2 * half * np.sqrt(1 - half**2), -(1 - 2 * half**2)])


def test_the_closed_form_here_is_the_published_one():
    for t, row in TABLE.items():
        # scipy's elliptic functions are good to about 1e-14; phase errors grow with t.
        np.testing.assert_allclose(exact(t), row[:2], atol=1e-12)


def test_default_settings_stay_finite_closed_and_conservative():
    """L1, with IFToMM's own acceptance |E − E₀| < 5e-5 J at all times."""
    world, bob, _ = pendulum()
    start = world.energy
    for _ in range(100):
        advance(world, 0.1)
        assert world.gap < 1e-4 and np.all(np.isfinite(bob.position))
        assert abs(world.energy - start) < 5e-5
    # The default step of 1 ms leaves 6e-5 after 10 s (measured), from an error of phase of order h².
    np.testing.assert_allclose(bob.position, exact(10.0), atol=2e-4)


@pytest.mark.parametrize("method", ["adaptive", "dop853", "lsoda"])
def test_tight_settings_reach_the_closed_form(method):
    """L2: 1e-6 in position at t = 10; the methods reach far below it."""
    world, bob, rod = pendulum(**{**TIGHT, "method": method})
    for t, (x, y, speed, tension) in TABLE.items():
        advance(world, 1.0)
        # Measured: 3e-12 (adaptive) to 1e-10 (LSODA) in place; the tension errs like 3 g times that.
        np.testing.assert_allclose(bob.position, (x, y), atol=2e-9, err_msg=f"t = {t}")
        assert np.hypot(*bob.velocity) == pytest.approx(speed, abs=1e-8)
        # c = |b − a| − L: λ is the force along its growth, so the tension is −λ.
        assert -rod.force[0] == pytest.approx(tension, abs=5e-8)
        pull = world.reactions(rod)["bob"]
        np.testing.assert_allclose(pull, -tension * np.array(bob.position), atol=1e-6)


@pytest.mark.parametrize("method", ORDERS)
def test_halving_the_step_shows_the_advertised_order(method):
    """L3 at t = 1. The coarsest step is fine enough for the leading error term, the finest errors stay above
    1e-11."""

    def error(dt):
        world, bob, _ = pendulum(method=method, max_step=dt, tolerance=1e-13)
        advance(world, 1.0)
        return float(np.linalg.norm(np.array(bob.position) - exact(1.0)))

    found = orders(error, 1 / 80)
    assert shows_order(found, ORDERS[method]), found
