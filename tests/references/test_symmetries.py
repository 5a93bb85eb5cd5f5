"""Conservation, reversal and invariance of whole worlds: what a stepper must not know about."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tinkerdyne as td
from tests.laws.zoo import TENSOR, move, product, quaternion_of, rotation, unit
from tests.references.measure import advance

SEEDS = st.integers(0, 10**6)


def matrix(q):
    """The rotation of a quaternion, by turning the axes."""
    conjugate = np.array([1, -1, -1, -1]) * q
    return np.column_stack([product(product(q, [0, *e]), conjugate)[1:] for e in np.eye(3)])


def free_system(seed, **options):
    """A few particles, rods and an asymmetric body, joined by rods, ball joints and springs, with nothing
    holding them."""
    rng = np.random.default_rng(seed)
    world = td.World(**options)

    def state():
        return {
            "position": tuple(1.5 * rng.normal(size=3)),
            "velocity": tuple(rng.normal(size=3)),
            "orientation": tuple(unit(rng.normal(size=4))),
            "spin": tuple(rng.normal(size=3)),
        }

    first = world.add(td.Rod("first", **state()))
    body = world.add(td.RigidBody("body", mass=2.0, inertia=TENSOR, **state()))
    spot = {k: v for k, v in state().items() if k in ("position", "velocity")}
    mote = world.add(td.Particle("mote", mass=0.7, **spot))
    # The joint starts met: the body's connected point and its velocity are those of the rod's end.
    end, inner = np.array([0.5, 0.0, 0.0]), rng.normal(size=3) * 0.4
    R, S = matrix(np.array(first.orientation)), matrix(np.array(body.orientation))
    place = np.array(first.position) + R @ end
    speed = np.array(first.velocity) + R @ np.cross(first.spin, end)
    body.position = tuple(place - S @ inner)
    body.velocity = tuple(speed - S @ np.cross(body.spin, inner))
    world.add(td.connect(first.end2, td.point(body, at=tuple(inner))))
    # The rod to the mote starts met too: its length is the distance now, and the mote's velocity has no part
    # along it.
    far = np.array(mote.position) - np.array(body.position)
    along = unit(far)
    relative = np.array(mote.velocity) - np.array(body.velocity)
    mote.velocity = tuple(np.array(mote.velocity) - along * (relative @ along))
    world.add(td.distance(td.point(body), mote, length=float(np.linalg.norm(far))))
    world.add(td.spring(first.end1, mote, stiffness=5.0, length=0.8))
    world.add(td.torsion_spring(first, body, stiffness=2.0))
    return world


def momenta(world):
    """Linear and angular momentum about the origin."""
    P, L = np.zeros(3), np.zeros(3)
    for item in world.items:
        if item.type.family != "object":
            continue
        p = item.mass * np.array(item.velocity)
        P += p
        L += np.cross(item.position, p)
        if "orientation" in item.type.state_names():
            R = matrix(np.array(item.orientation))
            if item.type.name == "rod":
                m, l, r = item.mass, item.length, item.radius
                inertia = np.diag([m * r * r / 2, *[m * (l * l / 12 + r * r / 4)] * 2])
            else:
                inertia = np.array(item.inertia).reshape(3, 3)
            L += R @ inertia @ np.array(item.spin)
    return P, L


@pytest.mark.parametrize("method", ["rattle", "energy_momentum"])
@given(seed=SEEDS)
@settings(max_examples=5)
def test_a_free_system_keeps_momentum_angular_momentum_and_energy(method, seed):
    world = free_system(seed, method=method)
    P, L = momenta(world)
    energy = world.energy
    advance(world, 0.5)
    after = momenta(world)
    # Every force here comes with its opposite: linear momentum changes by rounding alone (500 steps).
    np.testing.assert_allclose(after[0], P, atol=1e-10)
    # The two ends of a joint's force are up to its gap (1e-8 m) apart: 0.5 s of some 50 N turn that into
    # 2.5e-7.
    np.testing.assert_allclose(after[1], L, atol=5e-7)
    # RATTLE's energy error swings with h²; energy–momentum's is what the discrete springs leave (they are not
    # quadratic).
    assert world.energy == pytest.approx(energy, rel=1e-4)


@given(seed=SEEDS)
@settings(max_examples=5)
def test_energy_momentum_keeps_the_energy_of_joints_exactly(seed):
    """Without springs every constraint is at most quadratic in the lift, where J̄ is exact: only tolerances
    are left."""
    world = free_system(seed, method="energy_momentum", max_step=5e-3, tolerance=1e-12)
    for item in [i for i in world.items if i.type.family == "behavior"]:
        world.remove(item)
    rod = next(i for i in world.items if i.type.name == "distance")
    inputs, length = rod.inputs, rod.length
    world.remove(rod)
    world.add(td.squared_distance(*inputs, length=length))
    energy = world.energy
    advance(world, 0.5)
    # 100 steps, each solved to 1e-12 m and 1e-10 of the speed: at the finest 1e-9 of the energy.
    assert world.energy == pytest.approx(energy, rel=1e-8)


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta"])
def test_a_run_that_met_its_constraints_says_so(method):
    world = free_system(2, method=method, tolerance=1e-11)
    result = world.step(0.2)
    # The gap read at the final state is within the tolerance (Newton's last correction squares it), so the
    # status must agree.
    assert world.gap < 1e-10 and result.status is td.Status.DONE, result


@given(seed=SEEDS)
@settings(max_examples=4)
def test_rattle_runs_backwards(seed):
    """Negate the velocities, run again: the start comes back (RATTLE is symmetric)."""
    world = free_system(seed, tolerance=1e-12)
    start = {i.name: np.array(i.position) for i in world.items if i.type.family == "object"}
    advance(world, 0.3)
    for item in world.items:
        if item.type.family == "object":
            item.velocity = tuple(-np.array(item.velocity))
            if "spin" in item.type.state_names():
                item.spin = tuple(-np.array(item.spin))
    advance(world, 0.3)
    for name, place in start.items():
        # Newton stops at 1e-12 each step; 600 steps of a motion that is not chaotic over 0.6 s keep 1e-9.
        np.testing.assert_allclose(world[name].position, place, atol=2e-9, err_msg=name)


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "adaptive"])
def test_a_rigid_motion_of_the_world_moves_the_run_along(method):
    rng = np.random.default_rng(3)
    one, two = (free_system(11, method=method, tolerance=1e-12, rtol=1e-12, atol=1e-13) for _ in range(2))
    R, shift = rotation(rng, 3), rng.normal(size=3)
    for item in two.items:
        if item.type.family == "object":
            move(item, R, shift)
    advance(one, 0.2)
    advance(two, 0.2)
    for item in one.items:
        if item.type.family == "object":
            other = two[item.name]
            np.testing.assert_allclose(other.position, R @ np.array(item.position) + shift, atol=1e-9)
            np.testing.assert_allclose(other.velocity, R @ np.array(item.velocity), atol=1e-9)
            if "orientation" in item.type.state_names():
                turned = product(quaternion_of(R), item.orientation)
                assert abs(abs(turned @ np.array(other.orientation)) - 1) < 1e-12
                np.testing.assert_allclose(other.spin, item.spin, atol=1e-8)


def hanging(order, *, copies=1, **options):
    """Five rods of a hanging chain, a cross-brace, a spring; parts added in a given order, each constraint
    `copies` times."""
    world = td.World(**options)
    rods = [td.Rod(f"rod {k}", position=(0.5 + k, 0.0, 0.0)) for k in range(5)]
    for k in order:
        world.add(rods[k % 5])
    hook = td.Nail(0.0, 0.0, 0.0, name="hook")
    joints = [lambda: td.connect(rods[0].end1, hook)]
    joints += [lambda a=a, b=b: td.connect(a.end2, b.end1) for a, b in pairwise(rods)]
    for k in order:
        for _ in range(copies):
            world.add(joints[k % 5]())
    world.add(td.spring(rods[1].end2, rods[4].end2, stiffness=3.0))
    world.add(td.gravity())
    return world, rods


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "adaptive"])
def test_the_order_of_parts_changes_nothing(method):
    options = {"method": method, "tolerance": 1e-12, "rtol": 1e-12, "atol": 1e-13}
    one, first = hanging([0, 1, 2, 3, 4], **options)
    two, second = hanging([3, 0, 4, 2, 1], **options)
    advance(one, 0.3)
    advance(two, 0.3)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_allclose(b.position, a.position, atol=1e-9)
        np.testing.assert_allclose(b.velocity, a.velocity, atol=1e-8)


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "adaptive"])
def test_duplicate_constraints_change_nothing(method):
    options = {"method": method, "tolerance": 1e-12, "rtol": 1e-12, "atol": 1e-13}
    one, first = hanging(range(5), **options)
    two, second = hanging(range(5), copies=3, **options)
    advance(one, 0.3)
    advance(two, 0.3)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_allclose(b.position, a.position, atol=1e-9)
    found = two.diagnose()
    assert found.freedoms == one.diagnose().freedoms == 15 and len(found.redundant) == 5
    assert not found.contradictory


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta"])
def test_conjugate_gradients_agree_with_the_factor(method):
    options = {"method": method, "tolerance": 1e-12}
    one, first = hanging(range(5), **options)
    two, second = hanging(range(5), solver="conjugate_gradient", precision=1e-14, **options)
    advance(one, 0.2)
    advance(two, 0.2)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_allclose(b.position, a.position, atol=1e-9)


@pytest.mark.parametrize("method", ["lsoda", "dop853"])
def test_methods_from_outside_agree_with_the_adaptive_one(method):
    one, first = hanging(range(5), method="adaptive", rtol=1e-11, atol=1e-12)
    two, second = hanging(range(5), method=method, rtol=1e-11, atol=1e-12)
    advance(one, 0.5)
    advance(two, 0.5)
    for a, b in zip(first, second, strict=True):
        # LSODA keeps a local error of 1e-11 over some thousand steps.
        np.testing.assert_allclose(b.position, a.position, atol=1e-7)
        np.testing.assert_allclose(b.velocity, a.velocity, atol=1e-6)
