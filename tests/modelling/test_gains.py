"""Gains (E7): a constraint's approach c̈ + k_d ċ + k_s c = 0, as its reference, inside or outside the
multiplier equation."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.modelling.mechanics import bits, reloaded

GAINS = {
    "over": (20.0, 25.0),
    "critical": (100.0, 20.0),
    "under": (400.0, 8.0),
    "undamped": (50.0, 0.0),
    "no stiffness": (0.0, 5.0),
    "neither": (0.0, 0.0),
}
MODES = {
    "reference": ({}, 2e-8),  # RATTLE meets c = r(t) to its tolerance of 1e-8
    "reference, Runge-Kutta": ({"method": "runge_kutta"}, 1e-10),
    "reference, adaptive": ({"method": "adaptive"}, 1e-8),
    "inside": ({"method": "runge_kutta", "feedback": "inside"}, 1e-7),  # integrated: (20 × 1 ms)⁴
    "outside": ({"method": "runge_kutta", "feedback": "outside"}, 1e-7),
}


def closed_form(gains, c, rate, t):
    """The damped oscillator by its roots s₁, s₂ (complex where it swings)."""
    k_s, k_d = gains
    root = np.sqrt(complex(k_d * k_d / 4 - k_s))
    if abs(root) < 1e-12:
        return (c + (rate + c * k_d / 2) * t) * np.exp(-k_d / 2 * t)
    first, second = -k_d / 2 + root, -k_d / 2 - root
    a = (rate - second * c) / (first - second)
    return (a * np.exp(first * t) + (c - a) * np.exp(second * t)).real


def pair(rate=0.0, settings=None, **options):
    """Two masses on a line, half a metre too far apart."""
    world = td.World(**(settings or {}))
    a = world.add(td.Particle("a", position=(0.0, 0.0)))
    b = world.add(td.Particle("b", mass=2.0, position=(1.5, 0.0), velocity=(rate, 0.0)))
    return world, world.add(td.distance(a, b, length=1.0, name="rod", **options))


@pytest.mark.parametrize("rate", [0.0, 1.5])
@pytest.mark.parametrize("gains", GAINS.values(), ids=GAINS)
@pytest.mark.parametrize(("settings", "bound"), MODES.values(), ids=MODES)
def test_a_constraint_approaches_by_its_gains(settings, bound, gains, rate):
    world, rod = pair(rate, settings, gains=gains)
    for t in (0.05, 0.2, 0.5, 0.8):
        assert world.run(t - world.time)
        assert rod.value[0] == pytest.approx(closed_form(gains, 0.5, rate, t), abs=bound), t


def test_the_closed_form_is_the_one_of_the_benchmarks():
    """B21: τ = 0.1, C(0.2) = 0.203002924854919038."""
    assert closed_form((100.0, 20.0), 0.5, 0.0, 0.2) == pytest.approx(0.203002924854919038, abs=1e-15)


@pytest.mark.parametrize("settings", [mode[0] for mode in MODES.values()], ids=MODES)
def test_no_gains_are_those_of_the_time_constant(settings):
    """k_s = 1/τ², k_d = 2/τ: to the bit."""
    plain, same = pair(1.0, settings, tau=0.25)[0], pair(1.0, settings, tau=0.25, gains=(16.0, 8.0))[0]
    empty = pair(1.0, settings, tau=0.25, gains=())[0]
    for world in (plain, same, empty):
        world.run(0.7)
    assert bits(plain) == bits(same) == bits(empty)


def test_gains_take_the_place_of_the_time_constant_and_give_it_back():
    world, rod = pair(tau=0.5, gains=(100.0, 20.0))
    world.run(0.1)
    c, rate = rod.value[0], rod.velocity[0]
    rod.gains = ()
    world.run(0.4)  # a new approach, from where the old one was
    assert rod.value[0] == pytest.approx(closed_form((4.0, 4.0), c, rate, 0.4), abs=1e-7)
    world.run(9.0)
    assert abs(rod.value[0]) < 1e-5


@pytest.mark.parametrize("feedback", ["inside", "outside"])
def test_feedback_of_two_rows_of_one_constraint_is_their_own(feedback):
    """Each coordinate of a nailed particle falls by itself; the rows do not mix."""
    world = td.World(method="runge_kutta", feedback=feedback)
    ball = world.add(td.Particle("ball", mass=3.0, position=(0.3, -0.7), velocity=(1.0, 0.0)))
    world.add(td.nail(ball, at=(0.0, 0.0), gains=(60.0, 4.0)))
    world.run(0.4)
    wanted = [closed_form((60.0, 4.0), c, v, 0.4) for c, v in ((0.3, 1.0), (-0.7, 0.0))]
    np.testing.assert_allclose(ball.position, wanted, atol=1e-8)


def test_gains_are_saved_to_the_bit():
    world, rod = pair(gains=(400.0, 8.0))
    world.run(0.1)
    again = reloaded(world)
    assert again["rod"].gains == rod.gains == (400.0, 8.0)
    world.run(0.3)
    again.run(0.3)
    assert bits(world) == bits(again)


@pytest.mark.parametrize(
    ("gains", "error", "says"),
    [
        ((1.0,), ValueError, r"gains of distance 'rod' must have 0 or 2 numbers, not 1"),
        ((1.0, 2.0, 3.0), ValueError, r"must have 0 or 2 numbers, not 3"),
        ((-1.0, 2.0), ValueError, r"must be \(k_s, k_d\), both at least zero, or \(\) for those of tau"),
        ((1.0, float("nan")), ValueError, r"gains\[1\] of distance 'rod' must be a number, not NaN"),
        (("a", "b"), TypeError, r"gains\[0\] of distance 'rod' must be a number, not 'a'"),
        (3.0, TypeError, r"gains of distance 'rod' must be a sequence of numbers"),
    ],
)
def test_bad_gains_are_refused(gains, error, says):
    world, rod = pair()
    with pytest.raises(error, match=says):
        rod.gains = gains
    assert rod.gains == () and world.run(0.1)
