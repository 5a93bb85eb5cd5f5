"""The contact solver: the law on random states, energy and momentum, known answers, what stays the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.contact.boxes import STEP, G, System, both, tangle, tower
from tinkerdyne.engine.contact.solver import MOVING, RESTING, Way
from tinkerdyne.engine.contact.table import Solved


def lift(u, mu):
    """u + μ|u_t| n."""
    out = u.copy()
    out[:, 0] += mu * np.hypot(u[:, 1], u[:, 2])
    return out


def breach(system: System, solved: Solved) -> float:
    """By how much the law is broken [m/s and N s]: r outside its cone, ũ outside the dual one, or r·ũ ≠ 0."""
    mu, r = system.touches.mu, solved.r
    w = lift(system.slips(solved), mu)
    outside = np.maximum(0, np.hypot(r[:, 1], r[:, 2]) - mu * r[:, 0])
    dual = np.maximum(0, mu * np.hypot(w[:, 1], w[:, 2]) - w[:, 0])
    return float(max(outside.max(), dual.max(), np.abs((r * w).sum(axis=1)).max()))


@pytest.mark.parametrize("seed", range(12))
def test_random_states_obey_the_law(seed):
    system = tangle(seed, bodies=6, contacts=12)
    solved = system.solved()
    assert solved.open == 0
    assert breach(system, solved) < 20 * MOVING  # impulses reach about 10 N s
    assert solved.residual.max() <= MOVING


@pytest.mark.parametrize("seed", range(4))
def test_states_without_friction_obey_the_law(seed):
    system = tangle(50 + seed, bodies=6, contacts=12, mu=(0.0, 0.0))
    solved = system.solved()
    assert solved.open == 0
    assert breach(system, solved) < 20 * MOVING
    assert not solved.r[:, 1:].any()


@pytest.mark.parametrize("seed", range(8))
def test_no_state_gains_energy(seed):
    system = tangle(100 + seed, bodies=8, contacts=20, mu=(0.0, 10.0))
    system.touches.bias[:] = 0.0
    solved = system.solved()

    def energy(velocities):
        return sum(v @ M @ v / 2 for v, M in zip(velocities, system.masses, strict=True))

    assert energy(solved.v) <= energy(system.v_free) * (1 + 2e-9)


@pytest.mark.parametrize("seed", range(4))
def test_momentum_changes_by_the_impulses_alone(seed):
    system = tangle(200 + seed, bodies=5, contacts=9)
    solved = system.solved()
    change = [M @ (v - f) for M, v, f in zip(system.masses, solved.v, system.v_free, strict=True)]
    c = system.touches
    for a, b, Ha, Hb, r in zip(c.a, c.b, c.Ha, c.Hb, solved.r, strict=True):
        if a >= 0:
            change[a] -= Ha[:, : len(change[a])].T @ r
        change[b] -= Hb[:, : len(change[b])].T @ r
    assert max(np.abs(x).max() for x in change) < 1e-12


def test_a_tower_stands_still_and_then_costs_nothing():
    system = tower([1.0] * 10)
    first = system.solved()
    assert max(np.abs(v).max() for v in first.v) < 2e-8
    assert first.residual.max() <= RESTING
    system.touches.guess = first.r
    again = system.solved()
    assert again.way.tolist() == [Way.WARM]
    assert again.factorings.sum() == 0


def test_a_ton_stands_on_nine_boxes():
    solved = tower([1.0] * 9 + [1000.0]).solved()
    assert solved.open == 0
    assert max(np.abs(v).max() for v in solved.v) < 1e-7
    assert np.isclose(solved.r[:4, 0].sum(), 1009 * G * STEP, rtol=1e-6)


@pytest.mark.parametrize(("share", "sticks"), [(0.999, True), (1.001, False)])
def test_a_box_on_a_slope_sticks_or_slides(share, sticks):
    mu = 0.5
    tilt = np.arctan(share * mu)
    solved = tower([1.0], mu=mu, tilt=tilt).solved()
    slides = 0.0 if sticks else STEP * G * (np.sin(tilt) - mu * np.cos(tilt))
    assert np.allclose(solved.v[0][:3], [slides, 0, 0], atol=1e-9)


def test_a_box_that_slides_fast_does_not_lift():
    solved = tower([1.0], v=6.0).solved()
    assert np.allclose(solved.v[0], [6 - 0.5 * G * STEP, 0, 0, 0, 0, 0], atol=3 * MOVING)


def test_bodies_on_a_joint_keep_it_exactly():
    system = tower([1.0, 2.0, 3.0], v=0.5)
    arm = np.array([[0.0, 0.05, 0], [-0.05, 0, 0], [0, 0, 0]])  # −skew of half a box upwards
    system.joints = [[1, 2]]
    system.J = [np.hstack([-np.eye(3), -arm]), np.hstack([np.eye(3), -arm])]
    solved = system.solved()
    gap = system.J[0] @ solved.v[1] + system.J[1] @ solved.v[2]
    assert solved.open == 0
    assert np.abs(gap).max() < 1e-12


def test_the_order_of_bodies_and_contacts_does_not_matter():
    system = tower([1.0, 3.0, 0.5, 2.0, 1.5], tilt=0.2)
    order = np.random.default_rng(0).permutation(5)
    one, other = system.solved(), system.renamed(order).solved()
    for k, j in enumerate(order):
        assert np.allclose(other.v[k], one.v[j], atol=1e-9)


def test_answers_are_the_same_to_the_bit():
    system = tangle(7, bodies=8, contacts=20)
    table = system.table()
    first = system.solved(table)
    tower_in_between = tower([1.0] * 3).solved()
    again = system.solved(table)
    assert tower_in_between.open == 0
    assert np.concatenate(first.v).tobytes() == np.concatenate(again.v).tobytes()
    assert first.r.tobytes() == system.solved().r.tobytes()


def test_an_island_does_not_know_of_others():
    one, other = tower([1.0, 2.0, 1.0], tilt=0.3), tower([1.0] * 4, v=0.2, at=1.0)
    together = both(one, other).solved()
    assert sorted(together.contacts.tolist()) == [12, 16]
    alone = np.concatenate([one.solved().r, other.solved().r])
    assert np.allclose(together.r, alone, rtol=0, atol=1e-13)


def test_the_order_of_elimination_is_kept_while_the_same_bodies_touch():
    table = tower([1.0] * 4).table()
    tower([1.0] * 4).solved(table)
    made = int(table.head.orders)
    tower([1.0] * 4, tilt=0.1).solved(table)
    assert int(table.head.orders) == made
    fewer = tower([1.0] * 4)
    c = fewer.touches
    fewer.touches = type(c)(*(x[:12] for x in (c.a, c.b, c.Ha, c.Hb, c.bias, c.mu, c.guess)))
    fewer.solved(table)
    assert int(table.head.orders) == made + 1


def test_what_overlaps_is_parted_by_the_least_displacement():
    system = tower([1.0, 1.0])
    system.touches.bias[:, 0] = [-1e-3] * 4 + [-2e-3] * 4  # both bodies sink in
    system.v = system.v_free = [np.zeros(6), np.zeros(6)]
    table = system.table()
    table.prepare(np.stack([system.touches.a, system.touches.b], axis=1))
    table.write(system.masses, system.v, system.v_free, system.touches)
    moved = table.read(table.project())
    assert moved.open == 0
    assert np.allclose(moved.v, [[0, 0, 1e-3, 0, 0, 0], [0, 0, 3e-3, 0, 0, 0]], atol=1e-9)


def test_what_does_not_overlap_is_not_moved():
    system = tower([1.0, 1.0])
    system.touches.bias[:, 0] = 1e-3
    table = system.table()
    table.prepare(np.stack([system.touches.a, system.touches.b], axis=1))
    table.write(system.masses, system.v, system.v_free, system.touches)
    moved = table.read(table.project())
    assert moved.open == 0
    assert moved.factorings.sum() == 0
    assert not np.any(moved.v)


def test_what_is_no_number_is_told():
    system = tower([1.0, 1.0])
    system.v_free[1][2] = np.nan
    solved = system.solved()
    assert solved.open == 1
    assert solved.way.tolist() == [Way.OPEN]


def test_a_first_look_stops_what_comes_down_without_a_factoring():
    system = tower([1.0] * 8)
    system.v[7][2] = system.v_free[7][2] = -1.0
    table = system.table()
    table.prepare(np.stack([system.touches.a, system.touches.b], axis=1))
    table.write(system.masses, system.v, system.v_free, system.touches)
    table.head.is_rough = 1
    solved = table.read(table.run())
    assert solved.factorings.sum() == 0 and solved.open == 1
    assert system.slips(solved)[:, 0].min() > -0.3
    down = sum(M[2, 2] * (v - f)[2] for M, v, f in zip(system.masses, solved.v, system.v_free, strict=True))
    assert down == pytest.approx(solved.r[:4, 0].sum())
