"""B14: the planar double pendulum with massless rods, from 90°/90° at rest."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.references.measure import ORDERS, TIGHT, advance, orders, shows_order
from tinkerdyne.language.symbols import cos, sin

G = 9.81
TIP = {
    0.5: (1.47346567005201, -1.20038943518364),
    1: (-1.44481884994348, -1.32179446138146),
    2: (-1.43412481746428, -1.12987019564716),
    3: (1.87625085068207, -0.22403849791282),
    4: (-1.40348383058588, -1.21355254652578),
    5: (-1.55077846947044, -1.07591273481265),
    7.5: (-1.88603838275021, -0.26697705434241),
    10: (-1.04076578324617, -1.70734766246933),
}


@td.lagrangian
def double_arm(upper=1.0, lower=1.0, *, th1=0.0, th2=0.0):
    """Two particles on two massless rods, angles from the downward vertical."""
    elbow = (upper * sin(th1), -upper * cos(th1))
    return elbow, (elbow[0] + lower * sin(th2), elbow[1] - lower * cos(th2))


def particles(**settings):
    """Two particles and two distance constraints."""
    world = td.World(**settings)
    first = world.add(td.Particle("first", position=(1.0, 0.0)))
    second = world.add(td.Particle("second", position=(2.0, 0.0)))
    upper = world.add(td.distance(td.Nail(0.0, 0.0), first, length=1.0, name="upper"))
    lower = world.add(td.distance(first, second, length=1.0, name="lower"))
    world.add(td.gravity(g=(0.0, -G)))
    return world, second, upper, lower


def test_default_settings_stay_finite_closed_and_conservative():
    """L1, over the whole 10 s of a chaotic motion; the potential range is 4 m g L."""
    world, tip, _, _ = particles()
    for _ in range(20):
        advance(world, 0.5)
        assert world.gap < 1e-4 * 2 and np.all(np.isfinite(tip.position))
        assert abs(world.energy) < 0.01 * 4 * G


def test_tight_settings_follow_the_reference():
    """L2: 1e-4 to t = 5, and with these tolerances to t = 10 too."""
    world, tip, _, _ = particles(**TIGHT)
    for t, place in TIP.items():
        advance(world, t - world.time)
        # Measured 1e-12 at t = 5 and 2e-12 at t = 10; the table's digits end at 1e-14.
        np.testing.assert_allclose(tip.position, place, atol=1e-10, err_msg=f"t = {t}")


@pytest.mark.parametrize("method", ORDERS)
def test_halving_the_step_shows_the_advertised_order(method):
    """L3 at t = 0.5."""

    def error(dt):
        world, tip, _, _ = particles(method=method, max_step=dt, tolerance=1e-13)
        advance(world, 0.5)
        return float(np.linalg.norm(np.array(tip.position) - TIP[0.5]))

    found = orders(error, 1 / 80)
    assert shows_order(found, ORDERS[method]), found


def test_the_lagrangian_object_moves_like_the_particles():
    """The same two masses in two angles, without constraints: closed form of the same motion (E11)."""
    world = td.World(**TIGHT)
    arm = world.add(double_arm("arm", th1=np.pi / 2, th2=np.pi / 2))
    tip = world.add(td.particle_of(arm, index=1, name="tip"))
    world.add(td.gravity(g=(0.0, -G)))
    energy = world.energy
    for t in (0.5, 1, 2, 3, 4, 5):
        advance(world, t - world.time)
        np.testing.assert_allclose(tip.value, TIP[t], atol=1e-7)
        assert world.energy == pytest.approx(energy, abs=1e-8)


def test_rod_tensions_balance_the_masses():
    """Tension from λ equals tension from Newton's law on the tip, with the acceleration by differences of the
    motion."""
    h = 1e-3
    states = []
    for k in (-1, 0, 1):
        world, tip, upper, lower = particles(**TIGHT)
        advance(world, 1.0 + k * h)
        states.append(
            (
                np.array(tip.velocity),
                np.array(tip.position),
                np.array(world["first"].position),
                lower.force,
                upper.force,
            )
        )
    acceleration = (states[2][0] - states[0][0]) / (2 * h)
    along = (states[1][1] - states[1][2]) / 1.0
    tension = -(acceleration + np.array([0.0, G])) @ along
    # Central differences err by h²/6 · v‴; measured 3.5e-5 of 20 N.
    assert -states[1][3][0] == pytest.approx(tension, abs=2e-4)
