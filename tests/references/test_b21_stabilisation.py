"""B21: how constraints are met, shared and contradicted, in closed form."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.references.measure import TIGHT, advance, pendulum
from tests.references.test_b01_pendulum import TABLE

APPROACH = {
    0.05: 0.454897994784475068,
    0.1: 0.367879441171442322,
    0.2: 0.203002924854919038,
    0.5: 0.0202138409972564013,
}


def test_projection_moves_by_the_inverse_mass():
    """m₁ = 1 at x = 0, m₂ = 2 at x = 3, wanted apart: 1 → x₁ = 4/3, x₂ = 7/3."""
    world = td.World()
    light = world.add(td.Particle(mass=1.0, position=(0.0, 0.0)))
    heavy = world.add(td.Particle(mass=2.0, position=(3.0, 0.0)))
    world.add(td.distance(light, heavy, length=1.0, tau=1e-3))
    # A short approach (τ = 1 ms) ends in the same place: the constraint force acts on both equally and
    # opposite, from rest.
    advance(world, 0.1)
    np.testing.assert_allclose(light.position, (4 / 3, 0.0), atol=1e-6)
    np.testing.assert_allclose(heavy.position, (7 / 3, 0.0), atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "bound"),
    [
        ({}, 1e-7),  # RATTLE solves c(q₁) = r(t₁) to its tolerance of 1e-8
        ({"method": "energy_momentum"}, 1e-7),
        ({"method": "runge_kutta"}, 1e-10),
        # c'' is wanted, and integrated to (1 ms)⁴/τ⁴
        ({"method": "runge_kutta", "feedback": "inside"}, 1e-8),
        ({"method": "adaptive"}, 1e-8),
        ({"method": "lsoda", "feedback": "inside"}, 1e-6),
    ],
    ids=str,
)
def test_an_unmet_constraint_approaches_critically_damped(settings, bound):
    """C(t) = (C₀ + (Ċ₀ + C₀/τ) t) e^(−t/τ), τ = 0.1, C₀ = 0.5, Ċ₀ = 0."""
    world = td.World(**settings)
    a = world.add(td.Particle(position=(0.0, 0.0)))
    b = world.add(td.Particle(mass=2.0, position=(1.5, 0.0)))
    rod = world.add(td.distance(a, b, length=1.0, tau=0.1))
    for t, wanted in APPROACH.items():
        advance(world, t - world.time)
        assert rod.value[0] == pytest.approx(wanted, abs=bound), t


def test_an_approach_with_a_starting_speed():
    world = td.World()
    a = world.add(td.Particle(position=(0.0, 0.0)))
    b = world.add(td.Particle(position=(1.5, 0.0), velocity=(2.0, 0.0)))
    rod = world.add(td.distance(a, b, length=1.0, tau=0.1))
    for t in (0.05, 0.2, 0.5):
        advance(world, t - world.time)
        assert rod.value[0] == pytest.approx((0.5 + (2.0 + 5.0) * t) * np.exp(-t / 0.1), abs=1e-7)


def test_a_first_order_world_approaches_exponentially():
    """C(t) = C₀ e^(−t/τ)."""
    world = td.World(order=1)
    a = world.add(td.Particle(position=(0.0, 0.0)))
    b = world.add(td.Particle(position=(1.5, 0.0)))
    rod = world.add(td.distance(a, b, length=1.0, tau=0.1))
    for t in (0.05, 0.2, 0.5):
        advance(world, t - world.time)
        assert rod.value[0] == pytest.approx(0.5 * np.exp(-t / 0.1), abs=1e-7)


@pytest.mark.parametrize(
    "settings", [{}, TIGHT, {"method": "energy_momentum"}, {"method": "runge_kutta"}], ids=str
)
def test_a_redundant_copy_changes_neither_motion_nor_tension(settings):
    one, bob, rod = pendulum(**settings)
    two, twin, first = pendulum(**settings)
    second = two.add(td.distance(two["place-1"], twin, length=1.0, name="copy"))
    for _ in range(5):
        advance(one, 0.2)
        advance(two, 0.2)
        np.testing.assert_allclose(twin.position, bob.position, atol=1e-9)
        np.testing.assert_allclose(twin.velocity, bob.velocity, atol=1e-8)
        assert first.force[0] + second.force[0] == pytest.approx(rod.force[0], abs=1e-6)
        # the least-norm pair shares the load
        assert first.force[0] == pytest.approx(second.force[0], abs=1e-5)
    if settings is TIGHT:
        assert -(first.force[0] + second.force[0]) == pytest.approx(TABLE[1][3], abs=1e-6)


@pytest.mark.parametrize(
    ("type", "compromise"),
    [(td.distance, 1.5), (td.squared_distance, np.sqrt(2.5))],
    ids=["distance", "squared distance"],
)
class TestAContradictoryPair:
    """|p − a| = 1 and |p − a| = 2."""

    def world(self, type, **settings):
        world = td.World(**settings)
        bob = world.add(td.Particle("bob", position=(0.0, -1.2)))
        hook = td.Nail(0.0, 0.0)
        world.add(type(hook, bob, length=1.0, name="short"), type(hook, bob, length=2.0, name="long"))
        return world, bob

    def test_is_reported_by_name(self, type, compromise):
        world, bob = self.world(type)
        del compromise
        found = world.diagnose()
        assert found.contradictory == (("short", "long"),) and not found.redundant
        assert found.rank == 1 and found.freedoms == 1
        assert bob.position == (0.0, -1.2)  # looking changes nothing

    def test_is_projected_to_the_least_squares_pose(self, type, compromise):
        world, bob = self.world(type, tolerance=1e-12)
        # A projection aims at the references r(t), which start at c₀ and have died away after 50 τ.
        assert world.run(5.0).status is not td.Status.DONE
        world.project()
        assert np.hypot(*bob.position) == pytest.approx(compromise, abs=1e-6)

    def test_runs_to_the_compromise_and_says_so(self, type, compromise):
        world, bob = self.world(type)
        world.add(td.damping(rate=2.0))
        result = world.run(5.0)
        assert result.status is td.Status.UNMET
        # After 50 τ the references have died away; the pose is where the sum of squares is least.
        assert np.hypot(*bob.position) == pytest.approx(compromise, abs=1e-5)
        assert np.all(np.isfinite(bob.velocity))


def test_projection_takes_the_drift_of_a_step_down_to_rounding():
    """A6: RK4's drift in one step is O(h⁵); a Newton correction squares it, to O(h¹⁰), which is below
    rounding at once.

    The law O(h^2(p+1)) itself cannot be read here: the step repeats the correction until 1e-13, so what can
    be measured is the drift before (with feedback in place of projection) and the rounding after.
    """
    gaps = []
    for h in (0.28, 0.2, 0.14):
        world, bob, _ = pendulum(start=(1.0, 0.0), method="runge_kutta", max_step=h, feedback="inside")
        advance(world, h)
        gaps.append(abs(np.hypot(*bob.position) - 1))
        assert gaps[-1] > 1e-9
    # Without projection: order 5 in one step, within one (these are large steps).
    assert 4 < np.log(gaps[0] / gaps[2]) / np.log(2.0) < 7
    for h in (0.14, 0.07):
        world, bob, _ = pendulum(start=(1.0, 0.0), method="runge_kutta", max_step=h)
        advance(world, 10 * h)
        assert abs(np.hypot(*bob.position) - 1) < 1e-13


def test_orient_turns_a_body_until_its_direction_points_as_wanted():
    """DC88's non-square orientation constraint: its gradient vanishes at the goal, so the approach is tested
    to 1e-3 rad."""
    world = td.World(method="dense", max_step=5e-3)
    body = world.add(td.RigidBody(inertia=(1.0, 1.5, 2.0)))
    needle = td.direction(body, along=(1.0, 0.0, 0.0))
    wanted = np.array([0.6, 0.8, 0.0])
    world.add(td.orient(needle, td.world_direction(along=tuple(wanted)), tau=0.1))
    advance(world, 2.0)
    assert np.arccos(np.clip(world[needle.name].value @ wanted, -1, 1)) < 1e-3
    # The torque is across both directions: the body's centre stays, and it turns in the plane of the two.
    np.testing.assert_allclose(body.position, 0.0, atol=1e-12)
    np.testing.assert_allclose(np.array(body.orientation)[1:3], 0.0, atol=1e-6)
