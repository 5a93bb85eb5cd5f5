"""The dense method says how far it is off, and keeps a state that is one."""

import math

import numpy as np
import pytest

import tinkerdyne as td


def swinging(k, h, **settings):
    world = td.World(method="dense", max_step=h, **settings)
    bob = world.add(td.Particle("bob", position=(1.1, 0, 0)))
    world.add(td.spring(td.Nail(0, 0, 0), bob, stiffness=k, length=1.0, name="coil"))
    return world, bob


@pytest.mark.parametrize("seed", range(8))
def test_a_swing_is_right_or_told(seed):
    rng = np.random.default_rng(seed)
    h, turned = 10 ** rng.uniform(-4, -2), rng.uniform(0.05, 2.5)  # s, rad a step
    rate = turned / h
    world, bob = swinging(rate**2, h)
    result = world.run(60 * h)
    error = abs(bob.position[0] - 1 - 0.1 * math.cos(60 * turned)) / 0.1
    if result.status is td.Status.DONE:
        told = result.accuracy
        assert error < 2 * (60 * turned * told.path + told.energy) + 1e-6  # of the phase, of the size
    else:
        assert error > 1e-3 and set(result.culprits) == {"bob", "coil"} and "max_step below" in result.remedy


def test_half_a_percent_of_the_energy_and_the_phase_are_measured():
    world, _ = swinging(0.3**2 * 1e6, 1e-3)
    result = world.run(0.1)
    # RK4: (hω)⁶/72 of the energy a step, (hω)⁴/120 of the rate
    assert result.accuracy.energy == pytest.approx(100 * 0.3**6 / 72, rel=0.1)
    assert result.accuracy.path == pytest.approx(0.3**4 / 120, rel=0.3)


def test_a_state_beyond_all_bounds_is_not_kept():
    world, bob = swinging(1e8, 1e-3)
    result = world.run(0.1)
    assert result.status is td.Status.TOO_STIFF and result.culprits == ("bob", "coil")
    assert bob.position == pytest.approx((1.1, 0, 0)) and world.time == 0


def test_feedback_is_no_error_of_the_energy():
    world = td.World(method="dense", max_step=1e-2)
    rod = world.add(td.Rod("rod", position=(0.8, 0, 0)))
    world.add(td.connect(rod.end1, td.Nail(0, 0, 0)), td.gravity())
    result = world.run(1.0)
    assert result.status is td.Status.DONE and result.accuracy.energy < 1e-2
    assert result.accuracy.path < 1e-4


@pytest.mark.parametrize("method", ["dense", "lsoda", "dop853"])
def test_what_hangs_at_rest_is_no_gain(method):
    """The energy of a world that stands still rises by rounding, which nothing has put in."""
    world = td.World(method=method)
    places = [td.Nail(0, 0, 0)]
    for k in range(4):
        bead = td.Particle(f"bead{k}", mass=3.0 if k == 3 else 1e-7, position=(0, 0, -1.0 - k))
        places.append(world.add(bead))
        world.add(td.distance(places[-2], places[-1]))
    world.add(td.gravity())
    assert world.run(0.02).status is td.Status.DONE
    assert world["bead3"].position == pytest.approx((0, 0, -4), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_gears_turn_beyond_half_a_turn(seed):
    """Turns are counted from step to step; a gear that forgot them would jump by 2π."""
    rng = np.random.default_rng(seed)
    rate, ratio = rng.uniform(10, 60) * rng.choice([-1, 1]), float(rng.uniform(-3, 3))
    world = td.World(method="dense", max_step=5e-3)
    wheel = world.add(td.PlanarBody("wheel", spin=rate))
    pinion = world.add(td.PlanarBody("pinion", position=(1, 0), spin=ratio * rate))
    first = world.add(td.join(td.pin, None, wheel, at=(0, 0)))
    second = world.add(td.join(td.pin, None, pinion, at=(1, 0)))
    world.add(td.gear(first.turn, second.turn, ratio=ratio))
    result = world.run(0.6)
    assert result.status is td.Status.DONE and result.accuracy.gap < 1e-6
    assert result.accuracy.turn == pytest.approx(5e-3 * abs(rate) * max(1, abs(ratio)), rel=1e-6)
    assert first.turn.value[0] == pytest.approx(0.6 * rate) and second.turn.value[0] == pytest.approx(
        0.6 * ratio * rate
    )


@pytest.mark.parametrize("spin", [20.0, 50.0])
def test_what_feedback_does_not_hold_is_told(spin):
    """A rod that turns fast comes off its nail by more than tolerances where steps are long."""
    world = td.World(method="dense", max_step=0.2 / spin)
    rod = world.add(td.PlanarRod("rod", position=(0.5, 0), spin=spin, velocity=(0, spin / 2)))
    world.add(td.connect(rod.end1, td.Nail(0, 0), name="hook"))
    result = world.run(1.0)
    assert result.status is td.Status.INACCURATE and "hook" in result.culprits
    assert "max_step below" in result.remedy and world.gap > 1e-6


def test_what_feedback_closes_is_not_torn():
    """A constraint that is open and moving when it is added has room for its approach."""
    world = td.World(method="dense", max_step=1e-3)
    bob = world.add(td.Particle("bob", position=(1, 0, 0), velocity=(4, 0, 0)))
    world.add(td.nail(bob, at=(0, 0, 0), tau=0.2))
    assert [world.run(0.05).status for _ in range(4)] == 4 * [td.Status.DONE]
