"""What a solution says and refuses: misfits with units, times within the motion, velocities of trees."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.sketch.test_tree import pendulum
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch import Sketch, Surface
from tinkerdyne.sketch.tell.document import document_of
from tinkerdyne.sketch.tell.file import sketch_of

ARC = np.stack([np.linspace(0, 0.4, 9), np.zeros(9), 0.3 + 0.15 * (1 - np.linspace(-1, 1, 9) ** 2)], axis=1)


@pytest.mark.mission("M5")
def test_a_time_outside_the_motion_is_refused():
    ball = td.Sphere("ball", radius=0.05, mass=0.1)
    sketch = Sketch(ball)
    sketch.follow(ball, ARC)
    solution = sketch.solve(restarts=1)
    end = solution.at(ball, solution.seconds)["position"]
    assert end == pytest.approx(ARC[-1], abs=0.02)
    for time in (-0.1, solution.seconds + 0.1, float("nan")):
        with pytest.raises((ValueError, TypeError), match=r"time|finite"):
            solution.at(ball, time)


@pytest.mark.mission("M5")
def test_misfits_have_units_and_a_motion_that_does_not_follow_is_called_so():
    ball = td.Sphere("ball", radius=0.05, mass=0.1)
    sketch = Sketch(ball)
    sketch.follow(ball, ARC)
    solution = sketch.solve(restarts=1)
    assert f"Samples off by {solution.misfit.place:.2g} m in the root mean square" in str(solution)
    assert "does not follow" not in str(solution)
    loop = np.linspace(0, 4 * np.pi, 24)
    sketch = Sketch(ball)  # nothing that falls freely goes round twice
    sketch.follow(ball, np.stack([np.cos(loop), 0 * loop, 1 + np.sin(loop)], axis=1))
    told = str(sketch.solve(restarts=1))
    assert "does not follow the sketch: its samples are off by" in told and "sequence" not in told


@pytest.mark.mission("M5")
def test_a_jump_of_velocity_beyond_half_of_the_speed_is_not_plausible():
    ball = td.Sphere("ball", radius=0.05, mass=0.1)
    sketch = Sketch(ball)
    x = np.linspace(0, 1, 9)
    sketch.lasts(0.2, 0.25)
    sketch.follow(ball, np.stack([4 * x, 0 * x, 0.05 + 0.2 * (1 - x)], axis=1))
    sketch.want(ball, position=(0, 0, 0.25), when="start")
    sketch.want(ball, position=(4, 0, 0.05))
    sketch.bounce(ball, on=Surface(), restitution=0.5)
    sketch.lasts(0.2, 0.25)
    sketch.follow(ball, np.stack([4 * (1 - x), 0 * x, 0.05 + 0.2 * x], axis=1))  # straight back
    sketch.want(ball, position=(0, 0, 0.25))
    solution = sketch.solve(restarts=1, gaps=True)
    assert solution.widest_gap > 5 and solution.is_granted
    assert not solution.is_plausible and "more than half of how fast the body is" in str(solution)


@pytest.mark.mission("M7")
def test_a_tree_may_be_asked_for_a_velocity_or_a_spin():
    rod, sketch = pendulum()
    sketch.want(rod, velocity=((-np.inf, -np.inf, 1.0), (np.inf, np.inf, 1.0)), at=(0.1, 0, 0))
    sketch.lasts(0.2, 1.0)
    solution = sketch.solve()
    assert solution.is_met, str(solution)
    world = solution.world(sketch.steps)
    body = world["rod"]
    R = rotation_matrix(np.array(body.orientation))
    at = R @ np.array((0.1, 0, 0))
    v = np.array(body.velocity) + np.cross(R @ np.array(body.spin), at)
    assert v[2] == pytest.approx(1.0, abs=1e-6)
    again = sketch_of(document_of(sketch))
    assert [hold.kind for hold in again.holds] == [hold.kind for hold in sketch.holds]
    assert "velocity of rod at the end" in str(solution)
    with pytest.raises(TypeError, match="a place, velocity=… or spin=…"):
        sketch.want(rod)
