"""Paths by keys (R3, G7): they pass exactly through their keys, twice continuously differentiable, and are
followed exactly."""

import re

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import tinkerdyne as td
from tests.laws.zoo import Probe
from tests.modelling.mechanics import bits, reloaded

RNG = np.random.default_rng(7)
TIMES = np.cumsum(RNG.uniform(0.2, 0.6, size=6))
ENDS = {"smooth": "clamped", "natural": "natural"}
KINDS = {"path in space": (td.path, 3), "path in the plane": (td.path, 2), "number": (td.number_path, 1)}


def keys_of(width):
    return tuple(
        (float(t), *map(float, row)) for t, row in zip(TIMES, RNG.normal(size=(6, width)), strict=True)
    )


class Looked:
    """A path in a world whose clock can be set: value, velocity and acceleration at any time."""

    def __init__(self, item):
        self.world = td.World()
        self.item = self.world.add(item)
        self.world.add(td.Particle("bystander"))
        self.probe = Probe(self.world)

    def at(self, t):
        self.probe.set(self.probe.q, self.probe.v, t)
        return [x.copy() for x in self.probe.read(self.item)]


@pytest.mark.parametrize("style", ["smooth", "natural", "linear"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_path_passes_exactly_through_its_keys(kind, style):
    make, width = KINDS[kind]
    keys = keys_of(width)
    path = Looked(make(keys=keys, style=style))
    for t, *row in keys:
        np.testing.assert_allclose(path.at(t)[0], row, rtol=0, atol=1e-14)


@pytest.mark.parametrize("style", ["smooth", "natural"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_path_is_the_cubic_spline_of_its_keys(kind, style):
    """scipy's spline with the same ends, its first and its second derivative."""
    make, width = KINDS[kind]
    keys = keys_of(width)
    path, spline = (
        Looked(make(keys=keys, style=style)),
        CubicSpline(TIMES, np.array(keys)[:, 1:], bc_type=ENDS[style]),
    )
    for t in np.linspace(TIMES[0] + 1e-9, TIMES[-1] - 1e-9, 23):
        for order, found in enumerate(path.at(t)):
            np.testing.assert_allclose(found, spline(t, order), rtol=0, atol=1e-12 * 100**order)


@pytest.mark.parametrize("style", ["smooth", "natural"])
def test_a_path_is_twice_continuously_differentiable_at_its_keys(style):
    """Across a key nothing jumps: differences over 2e-7 s are as small as the next derivative allows."""
    path = Looked(td.path(keys=keys_of(3), style=style))
    for t in TIMES[1:-1]:
        for before, after in zip(path.at(t - 1e-7), path.at(t + 1e-7), strict=True):
            np.testing.assert_allclose(after, before, atol=1e-3)


def test_velocity_and_acceleration_of_a_path_are_its_derivatives():
    """By central differences across spans and keys alike; the third derivative jumps at keys, so they err by
    h there."""
    path = Looked(td.path(keys=keys_of(3)))
    h = 1e-5
    for t in [*TIMES[1:-1], *np.linspace(TIMES[0] + 0.01, TIMES[-1] - 0.01, 9)]:
        (x0, v0, _), (_, v, a), (x1, v1, _) = path.at(t - h), path.at(t), path.at(t + h)
        np.testing.assert_allclose((x1 - x0) / (2 * h), v, atol=1e-6)
        np.testing.assert_allclose((v1 - v0) / (2 * h), a, atol=1e-2)


@pytest.mark.parametrize("style", ["smooth", "natural", "linear"])
def test_beyond_its_ends_a_path_stays(style):
    keys = keys_of(2)
    path = Looked(td.path(keys=keys, style=style))
    for t, row in (
        (TIMES[0] - 5, keys[0]),
        (TIMES[0] - 1e-6, keys[0]),
        (TIMES[-1] + 1e-6, keys[-1]),
        (TIMES[-1] + 90, keys[-1]),
    ):
        x, v, a = path.at(t)
        np.testing.assert_array_equal(x, row[1:])
        assert not v.any() and not a.any()
    if style == "smooth":  # it comes to rest by itself
        for t in (TIMES[0], TIMES[-1]):
            np.testing.assert_allclose(path.at(t)[1], 0, atol=1e-12)


def test_a_direction_path_is_one_unit_long_and_passes_its_keys():
    keys = ((0.0, 3.0, 0.0, 0.0), (1.0, 0.0, 2.0, 0.0), (2.0, 0.0, 0.0, 0.5))
    path = Looked(td.direction_path(keys=keys))
    for t, *row in keys:
        np.testing.assert_allclose(path.at(t)[0], np.array(row) / np.linalg.norm(row), atol=1e-14)
    for t in np.linspace(0, 2, 17):
        x, v, a = path.at(t)
        assert np.linalg.norm(x) == pytest.approx(1.0, abs=1e-14)
        assert x @ v == pytest.approx(0.0, abs=1e-12) and x @ a == pytest.approx(-v @ v, abs=1e-9)


# --- followed -------------------------------------------------------------------------------------
def test_a_body_follows_a_path_with_the_force_of_its_acceleration():
    """F = m (ẍ + g ẑ), at every moment (G7)."""
    keys = ((0.0, 0.0, 0.0, 0.0), (0.5, 1.0, 0.0, 0.4), (1.5, 0.0, 1.0, 0.0))
    spline = CubicSpline([k[0] for k in keys], np.array(keys)[:, 1:], bc_type="clamped")
    world = td.World()
    ball = world.add(td.Particle("ball", mass=2.0))
    hold = world.add(td.connect(ball, td.path(keys=keys)), td.gravity())[0]
    for t in (0.2, 0.5, 0.9, 1.49):
        assert world.run(t - world.time).jump is None
        np.testing.assert_allclose(ball.position, spline(t), atol=1e-7)
        np.testing.assert_allclose(hold.force, 2.0 * np.add(spline(t, 2), (0, 0, 9.81)), atol=1e-5)


def test_a_linear_path_tells_of_its_velocity_jumps():
    """Recorded samples joined by straight lines: an impulse at each key; the widest is told, with its time
    and size."""
    keys = ((0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.5, 2.0, 0.0), (2.0, 2.0, 0.0))  # speeds 1, 2, 0
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    world.add(td.connect(ball, td.path(keys=keys, style="linear"), name="hand"))
    world.run(0.9)
    jump = world.run(0.25).jump
    assert (jump.constraint, jump.of) == ("hand", "velocity")
    assert jump.size == pytest.approx(1.0, abs=1e-6) and jump.time == pytest.approx(1.0, abs=1e-5)
    assert world.run(0.2).jump is None
    jump = world.run(0.6).jump
    assert jump.size == pytest.approx(2.0, abs=1e-6) and jump.time == pytest.approx(1.5, abs=1e-5)
    assert "The velocity wanted by hand jumps by 2" in str(jump)
    assert ball.position == pytest.approx((2.0, 0.0), abs=1e-7)
    assert world.run(0.5).jump is None and ball.velocity == pytest.approx((0.0, 0.0), abs=1e-6)


def test_a_smooth_path_that_ends_in_the_middle_of_a_run_has_no_jump():
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    world.add(td.connect(ball, td.path(keys=((0.0, 0.0, 0.0), (0.5, 1.0, 1.0)))))
    assert world.run(1.0).jump is None
    assert ball.position == pytest.approx((1.0, 1.0), abs=1e-7) and ball.velocity == pytest.approx(
        (0.0, 0.0), abs=1e-6
    )


def test_keys_may_be_edited_while_it_runs_and_the_edit_undone():
    """More keys than before: what follows flies to the new path with its time constant, and back by undo."""
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    path = td.path(keys=((0.0, 0.0, 0.0), (2.0, 2.0, 0.0)), name="path")
    world.add(td.connect(ball, path, tau=0.05))
    world.run(1.0)
    kept = bits(world), path.keys
    path.keys = ((0.0, 0.0, 0.0), (1.0, 1.0, 0.5), (1.5, 1.0, 1.0), (2.0, 5.0, 5.0))
    assert len(path.keys) == 4
    world.run(0.2)
    far = np.abs(np.subtract(ball.position, path.value)).max()
    assert 0 < far < 0.5 * 5 * np.exp(-4.0) * 1.1  # (1 + t/τ) e^(−t/τ) of the half metre
    world.run(1.0)
    assert ball.position == pytest.approx((5.0, 5.0), abs=1e-6)
    world.undo()
    assert (bits(world), path.keys) == kept
    world.run(1.0)
    assert ball.position == pytest.approx((2.0, 0.0), abs=1e-7)


@pytest.mark.parametrize("style", ["smooth", "natural", "linear"])
def test_a_path_is_saved_to_the_bit(style):
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    world.add(td.connect(ball, td.path(keys=keys_of(2), style=style, name="path"), tau=0.3))
    world.run(0.5)
    again = reloaded(world)
    assert again["path"].keys == world["path"].keys and again["path"].style == style
    world.run(2.0)
    again.run(2.0)
    assert bits(world) == bits(again)


# --- faults ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("keys", "error", "says"),
    [
        ([(0, 0, 0)], ValueError, r"keys of path 'p' must be between 2 and 100000 rows, not 1"),
        ([], ValueError, r"must be between 2 and 100000 rows, not 0"),
        (
            [(0, 0, 0), (0, 1, 1)],
            ValueError,
            r"times in keys of path 'p' must increase: row 1 is at 0 s, after 0 s; a jump",
        ),
        ([(1, 0, 0), (0.5, 1, 1)], ValueError, r"row 1 is at 0.5 s, after 1 s"),
        ([(0, 0, 0), (1, 1)], ValueError, r"rows of equal length; row 1 has 2 numbers, the first one 3"),
        (
            [(0, 0, float("nan")), (1, 1, 1)],
            ValueError,
            r"row 0 of keys of path 'p' must be a number, not NaN",
        ),
        ([(0, 0, 0), (float("inf"), 1, 1)], ValueError, r"row 1 of keys of path 'p' must be finite"),
        ([(0, 0, "x"), (1, 1, 1)], TypeError, r"row 0 of keys of path 'p' must be a number, not 'x'"),
        ([0, 1], TypeError, r"keys of path 'p' must be rows of a time and numbers"),
        (3.0, TypeError, r"keys of path 'p' must be rows of a time and numbers"),
        ([(0,), (1,)], ValueError, r"rows of a time and at least one number"),
    ],
)
def test_bad_keys_are_refused_and_change_nothing(keys, error, says):
    with pytest.raises(error, match=says):
        td.path(keys=keys, name="p")
    world = td.World()
    path = world.add(td.path(keys=((0, 0, 0), (1, 1, 1)), name="p"))
    before = world.to_json()
    with pytest.raises(error, match=says):
        path.keys = keys
    assert world.to_json() == before


def test_other_bad_paths_are_refused():
    with pytest.raises(
        ValueError, match=r"style of path 'p' must be one of smooth, natural, linear, not 'cubic'"
    ):
        td.path(keys=((0, 0, 0), (1, 1, 1)), style="cubic", name="p")
    with pytest.raises(ValueError, match=r"must have .* numbers to be a point, not 1"):
        td.path(keys=((0, 0), (1, 1)))
    with pytest.raises(ValueError, match=r"must have .* numbers to be a scalar, not 2"):
        td.number_path(keys=((0, 0, 0), (1, 1, 1)))
    world = td.World()
    path = world.add(td.path(keys=((0, 0, 0), (1, 1, 1)), name="p"))
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    world.add(td.connect(ball, path))
    before = world.to_json()
    with pytest.raises(ValueError):
        path.keys = ((0, 0, 0, 0), (1, 1, 1, 1))  # a point of space, where one of the plane is plugged in
    assert world.to_json() == before and world.run(0.1)


@pytest.mark.parametrize("huge", [1e300, -1e300, 2e12])
def test_keys_beyond_all_digits_are_refused(huge):
    """Between ±1e300 the cubic overflows; the message names the row, the number and what is allowed."""
    said = re.escape(f"has the number {huge:g};")
    with pytest.raises(ValueError, match=rf"row 1 of keys of .* {said} .* within ±1e\+12"):
        td.path(keys=((0, 0, 0, 0), (1, huge, 0, 0)))
    with pytest.raises(ValueError, match=r"row 0 of keys of .* has the number -2e\+12"):
        td.number_path(keys=((-2e12, 0), (1, 1)))
    with pytest.raises(ValueError, match="must be at least 1e-12 s apart; rows 0 and 1"):
        td.number_path(keys=((0, 0), (1e-300, 1)))
    world = td.World()
    path = world.add(td.path(keys=((0, 0, 0, 0), (1, 1, 0, 0))))
    before = world.to_json()
    with pytest.raises(ValueError, match="has the number"):
        path.keys = ((0, 0, 0, 0), (1, huge, 0, 0))
    assert world.to_json() == before


def test_keys_of_astronomers_are_followed():
    world = td.World()
    path = world.add(td.path(keys=((0, 1e12, 0, 0), (1, -1e12, 0, 0))))
    world.run(0.5)
    assert abs(path.value[0]) < 1e-3 * 1e12 and np.isfinite(path.velocity).all()
