"""Sketches that ask for little, for much, or far away: near motions, wide turns, bounds in a body's own axes,
and honest words."""

import dataclasses

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch import Sketch, Surface, search
from tinkerdyne.sketch.show.solution import Solution

T = np.linspace(0, 0.4, 12)
PATH = np.stack([T, 0 * T, 0.5 + 1.5 * T - 4.905 * T**2], axis=1)
FREE = np.inf
SKEW = td.Mesh(
    "skew", vertices=((0, 0, 0), (0.12, 0, 0), (0, 0.08, 0), (0.02, 0.01, 0.15)),
    faces=((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)), density=500,
)  # fmt: skip


def ball(name="ball", radius=0.03):
    return td.Sphere(name, radius=radius, mass=0.1)


def about(axis, degrees):
    half = np.radians(degrees) / 2
    return (np.cos(half), *(np.sin(half) * np.array(axis, float) / np.linalg.norm(axis)))


# --- kept apart ---------------------------------------------------------------------------------
@pytest.mark.mission("M1")
@pytest.mark.parametrize("aside", [(0, 0.04, 0), (0, 0, 0.05), (0.03, 0.03, 0)])
def test_bodies_sketched_through_each_other_move_no_further_than_they_must(aside):
    a, b = ball("a", 0.05), ball("b", 0.05)
    sketch = Sketch(a, b)
    sketch.follow(a, PATH, times=T)
    sketch.follow(b, PATH + aside, times=T)
    solution = sketch.solve()
    least = (0.1 - np.linalg.norm(aside)) / 2  # m that each has to move
    assert solution.is_met and solution.outcome.is_converged
    assert solution.cost == pytest.approx(24 * (least / solution.statement.units.length) ** 2, rel=0.02)
    assert np.linalg.norm(solution.at(a, 0.0)["position"] - PATH[0]) == pytest.approx(least, abs=2e-3)


def test_a_motion_whose_solve_did_not_end_says_so():
    thrown = ball()
    sketch = Sketch(thrown)
    sketch.follow(thrown, PATH, times=T)
    found = sketch.solve(restarts=1)
    cut = dataclasses.replace(found.outcome, is_converged=False, says="Maximum_Iterations_Exceeded")
    assert "stopped before" not in str(found)
    assert "stopped before the misfit was as small as it can be (maximum iterations exceeded)" in str(
        Solution(sketch, found.statement, cut, [cut])
    )


# --- wide turns -----------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [(0.1, 0.1, 0.1), (0.1, 0.1, 0.3), (0.1, 0.2, 0.05)])
@pytest.mark.parametrize(("axis", "degrees"), [((1, 0, 0), 150), ((1, 0, 0), 180), ((1, 2, 3), 180)])
def test_one_flight_turns_a_body_half_round(size, axis, degrees):
    box = td.Box("box", size=size, mass=0.1)
    sketch = Sketch(box)
    sketch.want(box, position=(0, 0, 1), orientation=(1, 0, 0, 0), when="start")
    sketch.want(box, position=(1, 0, 1), orientation=about(axis, degrees))
    solution = sketch.solve()
    end = solution.at(box, solution.seconds)["orientation"]
    assert solution.is_met and abs(end @ about(axis, degrees)) == pytest.approx(1, abs=1e-9)


def test_a_hard_orientation_far_from_the_first_guess_is_reached():
    box = td.Box("box", size=(0.1, 0.1, 0.1), mass=0.1)
    sketch = Sketch(box)
    sketch.follow(box, PATH, np.tile((1.0, 0, 0, 0), (12, 1)), times=T)
    sketch.want(box, orientation=about((0, 0, 1), 170), when="start")
    assert sketch.solve().is_met


# --- bounds in a body's own axes ------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "low", "high"),
    [
        (td.Card("card", mass=0.01), (-FREE, 3, -FREE), (FREE, 3, FREE)),
        (td.Box("box", size=(0.2, 0.1, 0.15), mass=0.1), (-FREE, 2, -FREE), (FREE, FREE, FREE)),
        (SKEW, (-0.1, -10, 4), (0.1, 10, 5)),
    ],
    ids=["card", "box", "oblique axes"],
)
def test_spins_are_bounded_in_the_axes_of_the_body(body, low, high):
    sketch = Sketch(body)
    sketch.follow(body, PATH, np.array([about((1, 2, 0), 60 * t) for t in T]), times=T)
    sketch.want(body, spin=(low, high), when="start")
    solution = sketch.solve()
    spin = solution.at(body, 0.0)["spin"]
    assert solution.is_met and np.all(spin >= np.array(low) - 1e-6) and np.all(spin <= np.array(high) + 1e-6)


def test_a_room_inside_a_body_with_oblique_axes_is_kept():
    grain = ball("grain", 0.005)
    sketch = Sketch(SKEW, grain)
    sketch.let_overlap(SKEW, grain)
    sketch.follow(SKEW, PATH, np.tile(about((1, -1, 2), 50), (12, 1)), times=T)
    sketch.follow(grain, PATH + 0.05, times=T)
    sketch.inside(grain, SKEW, (-0.3, -0.01, -0.01), (0.3, 0.01, 0.01), when=1.0)
    solution = sketch.solve()
    mesh, other = (solution.at(one, solution.seconds) for one in (SKEW, grain))
    place = rotation_matrix(mesh["orientation"]).T @ (other["position"] - mesh["position"])
    assert solution.is_met and np.all(np.abs(place) <= np.array((0.3, 0.01, 0.01)) + 1e-6)


def test_no_motion_is_called_met_that_leaves_a_residual():
    thrown = ball()
    sketch = Sketch(thrown)
    sketch.want(thrown, position=(0, 0, 1), when="start")
    sketch.want(thrown, position=(1, 0, 1))
    found = sketch.solve(restarts=1)
    assert found.is_met
    sketch.flights[0].wishes[1] = dataclasses.replace(
        sketch.flights[0].wishes[1], low=np.ones(3), high=np.ones(3)
    )
    wrong = Solution(sketch, sketch.statement(), found.outcome, [found.outcome])
    assert not wrong.is_met and not wrong.is_plausible and "could not be met" in str(wrong)


# --- units ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("height", [5.0, 10.0])
def test_a_ball_dropped_from_far_above_the_table_falls_as_long_as_it_must(height):
    thrown = ball()
    sketch = Sketch(thrown)
    sketch.want(thrown, position=(0, 0, height), velocity=(0, 0, 0), when="start")
    sketch.bounce(thrown, restitution=0.5)
    solution = sketch.solve(restarts=1)
    assert solution.is_met and solution.grid[1] == pytest.approx(
        np.sqrt(2 * (height - 0.03) / 9.81), abs=1e-6
    )


@pytest.mark.parametrize("far", [1e3, 1e5])
def test_samples_far_from_the_origin_are_followed(far):
    thrown = ball()
    sketch = Sketch(thrown)
    sketch.follow(thrown, PATH + far, times=T)
    solution = sketch.solve(restarts=1)
    assert solution.at(thrown, 0.0)["position"] == pytest.approx(PATH[0] + far, abs=1e-6)


def test_a_fast_spin_that_is_asked_for_is_had():
    thrown = ball()
    sketch = Sketch(thrown)
    sketch.follow(thrown, np.stack([25 * T, 0 * T, 1 + 0 * T], axis=1), times=2 * T)
    sketch.want(thrown, spin=(0, 262.0, 0), when="start")
    solution = sketch.solve(restarts=1)
    assert solution.is_met and solution.at(thrown, 0.0)["spin"] == pytest.approx((0, 262, 0), abs=1e-5)


@pytest.mark.parametrize("gravity", [1.62, 1e-3, 0.0])
def test_times_that_are_told_count_where_gravity_is_weak(gravity):
    thrown = ball()
    sketch = Sketch(thrown, gravity=(0, 0, -gravity))
    sketch.follow(thrown, np.stack([3 * T, 0 * T, 1 - gravity * T**2 / 2], axis=1), times=T)
    solution = sketch.solve(restarts=1)
    assert solution.is_met and solution.seconds == pytest.approx(0.4, abs=1e-6)
    assert solution.at(thrown, 0.0)["velocity"] == pytest.approx((3, 0, 0), abs=1e-6)


# --- segments -----------------------------------------------------------------------------------------
@pytest.mark.mission("M8")
def test_an_uneven_body_is_cut_again_where_it_turns_far():
    box = td.Box("box", size=(0.1, 0.15, 0.06), mass=0.1)
    sketch, spin = Sketch(box), (14.0, 12.0, 8.0)
    sketch.want(box, position=(0, 0, 0.5), orientation=(1, 0, 0, 0), velocity=(1, 0, 1.5), when="start")
    # nothing that segments know of
    sketch.condition(lambda state: [state.w[0], state.w[1], state.w[2]], spin, spin, when="start")
    sketch.lasts(0.6, 0.6)
    assert sketch.statement().parts == [3]
    solution = sketch.solve()
    assert solution.is_met and solution.is_fine and solution.statement.parts[0] >= 15
    assert max(solution.resimulated()) < 1e-6 and "too far" not in str(solution)
    assert sketch.solve(near=solution).statement.parts == solution.statement.parts


# --- searches and fixed bodies --------------------------------------------------------------------------
def test_a_beam_passes_flights_of_which_nothing_is_told():
    box = td.Box("box", size=(0.1, 0.1, 0.1), mass=0.1)
    sketch = Sketch(box)
    sketch.bounce(box)
    sketch.bounce(box)
    sketch.follow(box, PATH - (0, 0, 0.3))
    corners = [[(0.05, 0.05, 0.05), (-0.05, 0.05, 0.05)]] * 2
    found = search(sketch, corners, method="beam", width=4, executor=None)
    assert {one.sequence for one in found} == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_what_is_told_of_a_fixed_body_works_or_says_that_it_is_fixed():
    thrown, wall = ball(), td.Box("wall", size=(0.02, 1, 1), mass=1, position=(0.2, 0, 0.5), is_fixed=True)
    sketch = Sketch(thrown, wall)
    for tell in (
        lambda: sketch.collide(thrown, (0, 0, 0), wall, origin=(-0.01, 0, 0), normal=(-1, 0, 0)),
        lambda: sketch.inside(thrown, wall, (-1, -1, -1), (1, 1, 1)),
        lambda: sketch.keep_above(Surface((0, 0, 0.5), (0, 0, 1), "top", wall)),
    ):
        with pytest.raises(ValueError, match=r"'wall' is fixed.*Surface"):
            tell()
    sketch.follow(thrown, PATH, times=T)
    assert sketch.solve(restarts=1).cost > 0.01
    sketch.let_overlap(thrown, wall)
    assert sketch.solve(restarts=1).cost < 1e-9


def test_bounds_that_are_open_on_both_sides_are_quiet(recwarn):
    ball = td.Sphere("ball", radius=0.05, mass=0.1)
    sketch = Sketch(ball)
    sketch.want(ball, position=(0, 0, 1), when="start")
    sketch.want(ball, position=((-np.inf, 0.5, -np.inf), (np.inf, 0.5, np.inf)))
    solution = sketch.solve(restarts=1)
    assert (
        solution.is_met
        and solution.at(ball, solution.seconds)["position"][1] == pytest.approx(0.5)
        and not recwarn.list
    )


# --- progress -------------------------------------------------------------------------------------------
def test_progress_never_passes_its_end_and_counts_no_cost_of_what_failed():
    thrown, seen = ball(), []
    sketch = Sketch(thrown)
    sketch.want(thrown, position=(0, 0, 0.5), velocity=(0, 0, 0), when="start")
    sketch.bounce(thrown, restitution=0.5)
    sketch.want(thrown, position=(0, 0, 2))  # higher than a ball jumps that falls half a metre
    sketch.solve(restarts=3, progress=lambda *told: seen.append(told))
    assert [done for done, _, _ in seen] == list(range(1, len(seen) + 1)) and all(
        done <= of for done, of, _ in seen
    )
    assert seen[0][2] == np.inf and seen[-1][2] > 0
