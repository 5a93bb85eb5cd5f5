"""A6: a method of order p leaves the constraints by O(h^(p+1)) in a step; one projection makes it
O(h^(2(p+1))).

Newton's correction is of second order in the gap: |c| after it is some curvature times |c|² before. The steps
are taken by hand, so that nothing but `World.project(iterations=1)` holds the constraint.
"""

import numpy as np
import pytest

import tinkerdyne as td

G = 9.81


def bob_on_a_thread():
    """A bob on a thread of 1 m, c = |x|² − 1 (|x| − 1 is linear along the thread: one projection would be
    exact)."""
    world = td.World(tolerance=1e-300)  # the one iteration is always taken
    start = np.array([np.cos(0.4), -np.sin(0.4)])
    bob = world.add(td.Particle("bob", position=tuple(start), velocity=(-2.0 * start[1], 2.0 * start[0])))
    thread = world.add(td.squared_distance(td.Nail(0.0, 0.0), bob, length=1.0), td.gravity(g=(0.0, -G)))[0]
    return world, bob, thread, ("position",), ("velocity",)


def rod_on_a_thread():
    """A rod that hangs on such a thread by one end: turning and moving share the correction."""
    world = td.World(tolerance=1e-300)
    place = (1.0 + 0.5 * np.cos(0.6), 0.5 * np.sin(0.6))
    rod = world.add(td.PlanarBody("rod", inertia=1 / 12, position=place, angle=0.6, spin=3.0))
    end = td.point(rod, at=(-0.5, 0.0))
    thread = world.add(td.squared_distance(td.Nail(0.0, 0.0), end, length=1.0), td.gravity(g=(0.0, -G)))[0]
    # the end moves across the thread, at 2 m/s
    rod.velocity = (-3.0 * rod.position[1], 3.0 * rod.position[0] - 3.0 + 2.0)
    return world, rod, thread, ("position", "angle"), ("velocity", "spin")


def flat(item, names):
    return np.concatenate([np.ravel(getattr(item, name)) for name in names])


def put(item, names, values):
    at = 0
    for name in names:
        size = np.size(getattr(item, name))
        part = values[at : at + size]
        setattr(item, name, tuple(part) if size > 1 else float(part[0]))
        at += size


def acceleration(item, constraint, mass):
    """W (Q + Jᵀλ) at the present state, by the world's own reactions."""
    weight = np.array([0.0, -G * item.mass, 0.0][: len(mass)])
    return (weight + item.world.reactions(constraint)[item.name]) / mass


def explicit_step(world, item, constraint, places, rates, h, p):
    """One step of Euler's method (p = 1) or the midpoint rule (p = 2)."""
    del world
    mass = np.array([item.mass, item.mass, *([item.inertia] if "angle" in places else [])])
    q, v = flat(item, places), flat(item, rates)
    if p == 2:
        a = acceleration(item, constraint, mass)
        put(item, places, q + h / 2 * v)
        put(item, rates, v + h / 2 * a)
        v_mid, a_mid = flat(item, rates), acceleration(item, constraint, mass)
        put(item, places, q + h * v_mid)
        put(item, rates, v + h * a_mid)
    else:
        a = acceleration(item, constraint, mass)
        put(item, places, q + h * v)
        put(item, rates, v + h * a)


@pytest.mark.parametrize("make", [bob_on_a_thread, rod_on_a_thread])
@pytest.mark.parametrize("p", [1, 2])
def test_one_projection_squares_the_drift_of_a_step(make, p):
    steps = np.array([0.08, 0.04, 0.02, 0.01]) * (1.0 if p == 1 else 2.0)
    before, after, speeds = [], [], []
    for h in steps:
        world, item, constraint, places, rates = make()
        explicit_step(world, item, constraint, places, rates, h, p)
        before.append(np.abs(constraint.value).max())
        world.project(iterations=1)
        after.append(np.abs(constraint.value).max())
        speeds.append(np.abs(constraint.velocity).max())
    kept = np.array(after) > 1e-14  # below, rounding speaks
    slope = lambda gaps, which: np.polyfit(np.log(steps[which]), np.log(np.array(gaps)[which]), 1)[0]  # noqa: E731
    assert kept.sum() >= 3
    assert slope(before, np.ones(4, bool)) == pytest.approx(p + 1, abs=0.3)
    assert slope(after, kept) == pytest.approx(2 * (p + 1), abs=0.3)
    assert max(speeds) < 1e-9  # the velocity is projected exactly: J v = 0 is linear


def test_without_projection_the_drift_adds_up_and_with_it_it_does_not():
    """100 steps of Euler's method: the gap grows to centimetres; projected after each step it stays that of
    one step, squared."""
    gaps = {}
    for is_projected in (False, True):
        world, item, constraint, places, rates = bob_on_a_thread()
        widest = 0.0
        for _ in range(100):
            explicit_step(world, item, constraint, places, rates, 0.01, 1)
            if is_projected:
                world.project(iterations=1)
            widest = max(widest, np.abs(constraint.value).max())
        gaps[is_projected] = widest
    assert gaps[False] > 1e-2 and gaps[True] < 1e-5
