"""Störmer stepping with assembly (LD98, A3) and the dial between accuracy and speed (A4).

The constraint impulse of a step acts along J at the new position, so angular momentum and energy are not kept
exactly, as LD98 says they are: they fall in proportion to the step (docs/stepping.md has the figures of
other methods). Linear momentum is exact.
"""

import itertools

import numpy as np
import pytest

import tinkerdyne as td
from tests.modelling.mechanics import G, bits, reloaded, rotation_of

FRAME = 1 / 60


def on_a_circle(h, speed=2.0, **settings):
    world = td.World(method="stormer", max_step=h, tolerance=1e-13, **settings)
    bead = world.add(td.Particle("bead", position=(1.0, 0.0), velocity=(0.0, speed)))
    world.add(td.distance(td.Nail(0.0, 0.0), bead, length=1.0, name="circle"))
    return world, bead


@pytest.mark.parametrize("h", [0.01, 0.1])
def test_a_particle_on_a_circle_goes_on_by_its_last_displacement(h):
    """LD98 Fig. 4: x + Δx, then straight to the circle.

    With δ the last angle, tan δ' = sin δ / (2 − cos δ); first tan δ = v h."""
    world, bead = on_a_circle(h)
    turn, angle = np.arctan(2.0 * h), 0.0
    for _ in range(30):
        assert world.step(h)
        angle += turn
        np.testing.assert_allclose(bead.position, (np.cos(angle), np.sin(angle)), atol=1e-11)
        # the chord over the step
        assert np.hypot(*bead.velocity) == pytest.approx(2 * np.sin(turn / 2) / h, rel=1e-9)
        turn = np.arctan2(np.sin(turn), 2 - np.cos(turn))


def test_free_fall_is_exact():
    """Δq(0) = v h + ½ a h², then Δq += a h²: the parabola itself, whatever the step."""
    world = td.World(method="stormer", max_step=0.05)
    ball = world.add(td.Particle("ball", position=(0.0, 0.0), velocity=(1.0, 5.0)))
    world.add(td.gravity(g=(0.0, -G)))
    world.run(1.0)
    np.testing.assert_allclose(ball.position, (1.0, 5.0 - G / 2), atol=1e-12)


def isolated(h):
    """Four rods in a row, tumbling in empty space."""
    rng = np.random.default_rng(3)
    world = td.World(method="stormer", max_step=h, tolerance=1e-13)
    rods = [
        world.add(
            td.Rod(
                f"rod{k}",
                position=(k + 0.5, 0, 0),
                velocity=0.3 * rng.normal(size=3),
                spin=0.5 * rng.normal(size=3),
            )
        )
        for k in range(4)
    ]
    for a, b in itertools.pairwise(rods):
        world.add(td.connect(a.end2, b.end1))
    world.project()
    return world, rods


def momenta(rods):
    linear, angular = np.zeros(3), np.zeros(3)
    for rod in rods:
        across = rod.length**2 / 12 + rod.radius**2 / 4
        linear += rod.mass * np.array(rod.velocity)
        angular += rotation_of(rod) @ (rod.mass * np.array([rod.radius**2 / 2, across, across]) * rod.spin)
        angular += np.cross(rod.position, rod.mass * np.array(rod.velocity))
    return linear, angular


def losses(h):
    """Largest relative changes of linear and angular momentum and of energy in 3 s, and the largest gain of
    energy."""
    world, rods = isolated(h)
    energy, (linear, angular) = world.kinetic_energy, momenta(rods)
    found = []
    for _ in range(30):
        assert world.run(0.1)
        now, turning = momenta(rods)
        change = world.kinetic_energy / energy - 1
        off = [
            np.linalg.norm(now - linear) / np.linalg.norm(linear),
            np.linalg.norm(turning - angular) / np.linalg.norm(angular),
        ]
        found.append([*off, abs(change), change])
        assert world.gap < 1e-13
    return np.max(found, axis=0)


def test_isolated_articulated_bodies_keep_momentum_and_lose_little_energy():
    """Linear momentum to rounding; angular momentum and energy to some permille at 60 Hz, in proportion to
    the step; no gain."""
    coarse, fine = losses(FRAME), losses(FRAME / 2)
    for linear, angular, energy, gain in (coarse, fine):
        assert linear < 1e-11 and gain <= 0
        assert angular < 2e-3 and energy < 5e-3
    np.testing.assert_allclose(coarse[1:3] / fine[1:3], 2.0, rtol=0.1)


@pytest.mark.parametrize("seed", range(3))
def test_a_jittering_clock_stays_stable(seed):
    """Steps of 5 to 40 ms, as they come: on the circle to rounding, and no more energy than at the start (but
    for O(h))."""
    rng = np.random.default_rng(seed)
    world, bead = on_a_circle(1.0, speed=0.0)
    world.add(td.gravity(g=(0.0, -G)))
    while world.time < 20:
        assert world.step(float(rng.uniform(0.005, 0.04)))
        assert abs(np.hypot(*bead.position) - 1) < 1e-12
        assert world.energy < 0.05 * G  # of a range of 2 g
    assert world.energy < -0.9 * G  # LD98's step damps: it hangs by then


def test_the_last_displacement_is_scaled_to_the_next_step():
    """Without forces a free body goes on at the same speed, however the steps vary."""
    rng = np.random.default_rng(0)
    world = td.World(method="stormer", max_step=1.0)
    body = world.add(td.RigidBody("body", velocity=(1.0, -2.0, 0.5), spin=(0.0, 0.0, 0.0)))
    for _ in range(50):
        world.step(float(rng.uniform(0.001, 0.1)))
    np.testing.assert_allclose(body.position, world.time * np.array([1.0, -2.0, 0.5]), atol=1e-12)


# --- the dial -------------------------------------------------------------------------------------
def dragged(**settings):
    """Twelve rods in a row, whose first end is shaken for a second by a path, then held still."""
    world = td.World(method="stormer", max_step=FRAME, **settings)
    rods = [world.add(td.Rod(f"rod{k}", position=(k + 0.5, 0, 0))) for k in range(12)]
    for a, b in itertools.pairwise(rods):
        world.add(td.connect(a.end2, b.end1))
    hand = td.path(keys=((0, 0, 0, 0), (0.5, 2, 0, 3), (1.0, 0, 0, 0)))
    world.add(td.connect(rods[0].end1, hand, name="hand"), td.damping(rate=8.0))
    return world


def gaps(**settings):
    """The widest gap while it is shaken, and after another two seconds."""
    world = dragged(**settings)
    widest = 0.0
    for _ in range(60):
        world.step(FRAME)
        widest = max(widest, world.gap)
    assert world.run(2.0)
    return widest, world.gap


def test_fewer_corrections_leave_larger_gaps_while_it_moves_and_none_at_rest():
    found = [gaps(corrections=n) for n in (1, 2, 20)]
    (one, two, many), after = zip(*found, strict=True)
    assert many < 1e-8 < two < one < 1e-2 and one > 10 * two
    assert max(after) < 1e-8


def test_fewer_iterations_leave_larger_gaps_while_it_moves_and_none_at_rest():
    """LD98's dial: conjugate gradients cut off after 5, 10 and 60 iterations, one geometric correction a
    frame."""
    found = [gaps(corrections=1, solver="conjugate_gradient", iterations=n) for n in (5, 10, 60)]
    (few, some, many), after = zip(*found, strict=True)
    assert few > 2 * some > 4 * many and few < 0.05
    assert many == pytest.approx(gaps(corrections=1)[0], rel=1e-6)  # 39 rows: it is solved exactly
    assert max(after) < 1e-8


def test_a_warm_start_saves_iterations():
    """The last solution as the first guess (LD98's future work): the same ten iterations leave a smaller
    gap."""
    cold, warm = (
        gaps(corrections=1, solver="conjugate_gradient", iterations=10, warm_start=w) for w in (False, True)
    )
    assert warm[0] < 0.7 * cold[0] and warm[1] < 1e-8


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"corrections": 1},
        {"corrections": 1, "solver": "conjugate_gradient", "iterations": 10},
        {"corrections": 2, "solver": "conjugate_gradient", "iterations": 7, "warm_start": True},
    ],
    ids=str,
)
def test_a_world_is_saved_in_the_middle_and_goes_on_to_the_bit(settings):
    world = dragged(**settings)
    world.run(0.4)
    again = reloaded(world)
    assert again.settings == world.settings
    world.run(0.5)
    again.run(0.5)
    assert bits(world) == bits(again)


def test_undo_goes_back_to_the_bit():
    world = dragged(corrections=1, solver="conjugate_gradient", iterations=10, warm_start=True)
    world.run(0.3)
    kept = bits(world)
    world["hand"].is_on = False
    world.run(0.1)
    after = bits(world)
    world.undo()
    assert bits(world) == kept
    world.redo()
    assert bits(world) == after  # redo comes back to where undo left


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("corrections", 0, "corrections must be positive, not 0"),
        ("corrections", 1.5, "corrections must be a whole number, not 1.5"),
        ("iterations", -3, "iterations must be positive, not -3"),
        ("warm_start", 1, "warm_start must be True or False, not 1"),
        ("method", "störmer", "method must be one of .*stormer.*, not 'störmer'"),
        ("solver", "cg", "solver must be one of ldl, conjugate_gradient, svd, not 'cg'"),
    ],
)
def test_bad_settings_are_refused(name, value, says):
    with pytest.raises((TypeError, ValueError), match=says):
        td.World(**{name: value})
    world = td.World()
    with pytest.raises((TypeError, ValueError), match=says):
        world.configure(**{name: value})
    assert world.settings == td.World().settings
