"""The guards of the steppers: closed loops, taut chains, stiff dampers, contradictions.

Physics is tested, at small sizes."""

import itertools
import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.studio.build.inserting import insert


def chain_between_nails(rods, reach, **settings):
    """Rods in a zig-zag between two nails, each reaching `reach` m sideways; reach 1 is exactly taut."""
    world = td.World(**settings)
    rise = math.sqrt(1 - reach**2)
    end, x, z = td.Nail(0, 0, 0), 0.0, 0.0
    for k in range(rods):
        up = rise if k % 2 == 0 else -rise
        half = -math.atan2(up, reach) / 2
        turn = (math.cos(half), 0, math.sin(half), 0)
        rod = world.add(td.Rod(f"rod {k}", position=(x + reach / 2, 0, z + up / 2), orientation=turn))
        world.add(td.connect(rod.end1, end))
        end, x, z = rod.end2, x + reach, z + up
    world.add(td.connect(end, td.Nail(x, 0, z)))
    world.add(td.gravity())
    return world


@pytest.mark.mission("E7", "A6")
def test_a_closed_loop_keeps_its_energy_and_its_joints():
    world = chain_between_nails(20, 0.8)
    start, low, worst, gap = world.energy, world.potential_energy, 0.0, 0.0
    high = low
    for _ in range(30):
        assert world.step(0.1)
        low, high = min(low, world.potential_energy), max(high, world.potential_energy)
        worst, gap = max(worst, abs(world.energy - start)), max(gap, world.gap)
    assert worst < 0.005 * (high - low)  # RATTLE at 1 ms has 0.1–0.6 %
    assert gap < 2e-8  # twice the tolerance


@pytest.mark.parametrize("reach", [1.0, 0.999999, 0.999])
def test_a_taut_chain_stays_finite_and_gains_nothing(reach):
    world = chain_between_nails(10, reach)
    start, weight = world.energy, 10 * 9.81
    for _ in range(10):
        assert world.step(0.1)
        assert world.energy <= start + 1e-4 * weight * 10
        assert world.gap < 1e-5


def test_the_energy_momentum_step_keeps_energy_to_rounding():
    world = chain_between_nails(10, 0.8, method="energy_momentum", max_step=1 / 240)
    start = world.energy
    for _ in range(10):
        world.step(0.1)
        assert world.energy == pytest.approx(start, abs=1e-6)  # of about 200 J that are exchanged


@pytest.mark.parametrize("coefficient", [1e-2, 1.0, 1e3, 1e7])
def test_dampers_of_any_strength_share_the_momentum_out(coefficient):
    world = td.World(max_step=1e-2)
    parts = [
        world.add(td.Particle(position=(float(k), 0, 0), velocity=(float(k % 2), 0, 0))) for k in range(5)
    ]
    for a, b in itertools.pairwise(parts):
        world.add(td.damper(a, b, coefficient=coefficient))
    world.step(5.0)
    speeds = np.array([p.velocity[0] for p in parts])
    # a kick is solved to 1e-13 of itself, h·c·|Δv|, five hundred times
    assert speeds.sum() == pytest.approx(2.0, abs=1e-9 + 5e-13 * coefficient)
    if coefficient >= 1:
        # the slowest mode decays with rate c·(2 − 2cos(π/5)) = 0.38 c, and all speeds come to the mean
        np.testing.assert_allclose(
            speeds, 0.4, atol=2 * math.exp(-0.38 * coefficient * 5) + 1e-9 + 5e-13 * coefficient
        )


def test_damping_on_a_pendulum_is_of_second_order():
    def end(method, step):
        world = td.World(method=method, max_step=step, rtol=1e-12, atol=1e-13)
        rod = world.add(td.Rod(position=(0.5, 0, 0)))
        world.add(td.connect(rod.end1, td.Nail(0, 0, 0)), td.gravity(), td.damping(rate=0.7))
        world.step(1.0)
        return np.array(rod.end2.value)

    exact = end("adaptive", 1.0)
    errors = [np.linalg.norm(end("rattle", h) - exact) for h in (8e-3, 4e-3, 2e-3)]
    assert errors[0] / errors[1] == pytest.approx(4, abs=0.6)
    assert errors[1] / errors[2] == pytest.approx(4, abs=0.6)


def test_contradictory_constraints_settle_in_the_middle_and_go_on_swinging():
    world = td.World()
    bob, hook = world.add(td.Particle("bob", position=(1, 0, 0))), td.Nail(0, 0, 0)
    world.add(
        td.distance(bob, hook, length=1, name="short"),
        td.distance(bob, hook, length=2, name="long"),
        td.gravity(),
    )
    start = world.energy
    result = world.step(2.0)  # twenty τ: the approach r(t) is over
    assert result.status is td.Status.UNMET and set(result.culprits) == {"short", "long"}
    # but for a sag of (g + v²/r) τ²/2, τ = 6 ms
    assert np.linalg.norm(bob.position) == pytest.approx(1.5, abs=1e-3)
    assert world.energy < start + 1e-6
    assert ("short", "long") in world.diagnose().contradictory


def test_opposite_directions_find_their_way_round():
    world = td.World()
    body = world.add(td.RigidBody(inertia=(1, 2, 3), orientation=(0, 1, 0, 0)))  # z points straight down
    up = td.direction(body, along=(0, 0, 1))
    world.add(td.align(up, td.world_direction(along=(0, 0, 1)), tau=0.3))
    world.step(6.0)
    np.testing.assert_allclose(up.value, (0, 0, 1), atol=1e-4)


def test_a_hub_of_many_constraints_moves_as_the_rigid_whole_that_it_is():
    """Sixty point masses welded by three distances each to a hub: the same motion as one body with their
    inertia."""
    world = td.World(method="runge_kutta", max_step=1e-3)
    hub = world.add(td.RigidBody("hub", mass=2, inertia=(0.3, 0.4, 0.5), spin=(0.5, 1.0, 3.0)))
    tensor, mass = np.diag([0.3, 0.4, 0.5]), 2.0
    for k in range(60):
        angle = 2 * math.pi * k / 60
        place = np.array([math.cos(angle), math.sin(angle), 0.2 if k % 2 else -0.2])
        world.add(
            td.connect(
                world.add(
                    td.Particle(
                        mass=0.01, position=tuple(place), velocity=tuple(np.cross((0.5, 1, 3), place))
                    )
                ),
                td.point(hub, at=tuple(place)),
            )
        )
        tensor += 0.01 * (place @ place * np.eye(3) - np.outer(place, place))
        mass += 0.01
    alone = td.World(method="runge_kutta", max_step=1e-3)
    body = alone.add(td.RigidBody("body", mass=mass, inertia=tuple(tensor.ravel()), spin=(0.5, 1.0, 3.0)))
    world.step(0.5), alone.step(0.5)
    np.testing.assert_allclose(hub.spin, body.spin, atol=1e-9)
    np.testing.assert_allclose(hub.orientation, body.orientation, atol=1e-9)


def test_a_formula_that_stops_being_a_number_is_named_with_the_time_it_did():
    world = td.World()
    slide = world.add(td.Variable("slide", value=1.0))
    world.add(td.formula_force(slide, "sqrt(1 - t)", name="bad"))
    result = world.step(2.0)
    assert not result and result.status is td.Status.NOT_FINITE and result.culprits == ("bad",)
    assert world.time == pytest.approx(1.0, abs=2e-3)
    assert "bad" in str(result) and "at t = 1 s" in str(result)
    assert math.isfinite(slide.value)


def test_a_world_runs_to_the_same_bytes_every_time():
    def run():
        world = chain_between_nails(12, 0.8)
        world.step(1.0)
        world["rod 3"].mass = 2.0
        world.remove(world["rod 7"])
        world.step(0.5)
        world.undo()
        world.step(0.5)
        return world.to_json()

    assert run() == run()


def test_a_limit_on_conjugate_gradients_costs_precision_and_nothing_else():
    def run(**settings):
        world = chain_between_nails(12, 0.8, **settings)
        world.step(0.05)
        return np.array(world["rod 5"].position)

    exact = run()
    tight, loose = (run(solver="conjugate_gradient", iterations=n) for n in (1000, 4))
    assert np.linalg.norm(tight - exact) < 1e-8
    assert np.linalg.norm(tight - exact) < np.linalg.norm(loose - exact) < 1e-2


@pytest.mark.parametrize("fall", [1.78, 2.3, 2.95])
def test_rods_that_fell_far_are_pinned_into_a_loop(fall):
    """The springs of pins that yield meanwhile pull with the mobility of all their rows together, or the rods
    fly apart."""
    world = td.World()
    for name, position, length in (("a", (0, 0, 1), 1.0), ("b", (2, 0, 1.5), 1.2), ("c", (1, 0.5, 3), 1.4)):
        world.add(td.Rod(name, position=position, length=length))
    world.add(td.gravity())
    world.run(0.8, dt=1 / 120)
    for ends in (("a.end1", "@-0.5,0,1"), ("c.end2", "@1,0,1"), ("a.end2", "b.end1"), ("b.end2", "c.end1")):
        insert(world, "pin", ends, {"axis": (0, 1, 0)}, "", 3)
        world.run(fall, dt=1 / 120)
    world.run(3, dt=1 / 120)
    assert world.gap < 1e-7


@pytest.mark.parametrize("seed", range(12))
def test_scattered_rods_are_joined_into_a_loop_while_they_fall(seed):
    """Whatever they fall to, at up to a hundred metres a second: what can be met is met in the end, and
    exactly."""
    rng = np.random.default_rng(seed)
    world, lengths = td.World(), rng.uniform(0.6, 1.4, rng.integers(2, 5))
    rods = [
        world.add(td.Rod(position=rng.uniform(-2, 2, 3), orientation=q / np.linalg.norm(q), length=length))
        for length, q in zip(lengths, rng.normal(size=(len(lengths), 4)), strict=True)
    ]
    world.add(td.gravity())
    longest, whole = lengths.max(), lengths.sum()
    apart = rng.uniform(max(0.05, 2 * longest - whole + 0.05), 0.95 * whole)
    joints = [(rods[0].end1, td.Nail(0, 0, 1)), (rods[-1].end2, td.Nail(apart, 0, 1))]
    joints += [(a.end2, b.end1) for a, b in itertools.pairwise(rods)]
    for k in rng.permutation(len(joints)):
        world.run(rng.uniform(0, 2.5), dt=1 / 60)
        world.add(td.connect(*joints[k]))
    world.run(4, dt=1 / 60)
    assert world.gap < 1e-6
