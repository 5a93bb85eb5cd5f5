"""Sketches that are edited: samples and flights come, go and move, and solves go on (M5)."""

import numpy as np
import pytest

import tinkerdyne as td
from scenes.sketch.acted.chain import chain, chain_tree
from tests.sketch.throws import TABLE, thrown
from tinkerdyne.sketch import Sketch
from tinkerdyne.sketch.show.solution import Solution
from tinkerdyne.sketch.show.style import alternatives, measures
from tinkerdyne.sketch.show.words import warnings
from tinkerdyne.sketch.tell.document import document_of
from tinkerdyne.sketch.tell.file import sketch_of
from tinkerdyne.sketch.tell.revise import keyed


def counted(solution):
    return solution.outcome.iterations


@pytest.mark.mission("M5")
def test_samples_are_inserted_removed_and_moved():
    sketch, _ = thrown((0.1, 0.1, 0.1), timed=False)
    body, solution = sketch.bodies[0], sketch.solve(restarts=2)
    sketch.tell(1)
    track = sketch.flights[1].tracks["die"]
    between = (track.places[3] + track.places[4]) / 2
    sketch.insert(body, 4, [between], [track.orientations[3]])
    assert len(sketch.flights[1].tracks["die"].places) == 11
    again = sketch.solve(near=solution, restarts=2)
    assert again.is_met and counted(again) < 60
    sketch.drop(body, [4])
    assert np.array_equal(sketch.flights[1].tracks["die"].places, track.places)
    sketch.move(body, 2, place=track.places[2] + (0.01, 0, 0))
    moved = sketch.solve(near=again, restarts=2)
    assert moved.is_met and moved.cost > solution.cost
    sketch.drop(body)
    assert "die" not in sketch.flights[1].tracks
    with pytest.raises(ValueError, match="follows no samples of box 'die'"):
        sketch.move(body, 0, place=(0, 0, 0))
    with pytest.raises(ValueError, match="whole number from -3 to 2"):
        sketch.tell(3)


@pytest.mark.mission("M5")
def test_flights_are_divided_struck_removed_and_reordered():
    sketch, _ = thrown((0.1, 0.1, 0.1), timed=False)
    body, solution = sketch.bodies[0], sketch.solve(restarts=2)
    whole = sketch.flights[1]
    sketch.divide(1, 5)
    assert len(sketch.flights) == 4 and sketch.collisions[1].body is None
    smooth = sketch.solve(near=solution, restarts=2)
    assert smooth.is_met and smooth.cost < 1e-6  # nothing new happens there
    sketch.strike(1, body, on=TABLE, restitution=0.7)
    assert sketch.collisions[1].body is body
    sketch.strike(1, None)
    sketch.remove(2)
    assert len(sketch.flights) == 3 and len(sketch.collisions) == 2
    sketch.flights[1] = whole
    sketch.reorder(0, 1)
    assert sketch.flights[0] is whole
    sketch.reorder(1, 0)
    sketch.tell(0)
    sketch.split()  # a flight is inserted after the first
    assert [len(f.tracks) for f in sketch.flights] == [1, 0, 1, 1]
    again = sketch_of(document_of(sketch))
    assert [len(f.tracks) for f in again.flights] == [1, 0, 1, 1]


@pytest.mark.mission("M5")
def test_a_solve_goes_on_across_changes_of_form():
    sketch, _ = thrown((0.1, 0.06, 0.03), timed=False)
    solution = sketch.solve(restarts=2)
    assert solution.is_met
    sketch.want(sketch.bodies[0], velocity=((-9, -9, -9), (9, 9, 9)))  # one more wish, which is met already
    again = sketch.solve(near=solution, restarts=2)
    assert again.is_met and again.cost < 1e-6 and len(again.others) == 1
    sketch.remove(2)
    shorter = sketch.solve(near=again, restarts=2)
    assert shorter.is_met and len(shorter.grid) == 3
    other = Sketch(td.Sphere("other", radius=0.1, mass=1.0))
    other.want(other.bodies[0], position=(0, 0, 1))
    with pytest.raises(ValueError, match="the same bodies"):
        other.solve(near=solution)


@pytest.mark.mission("M7")
def test_a_tree_goes_on_with_another_wish():
    tree = chain_tree()
    solution = chain(0, tree=tree).solve()
    sketch = chain(0, tree=tree)
    sketch.want(tree.links[0].item, ((-9, -9, 0.2), (9, 9, 9)), when=0.5)
    again = sketch.solve(near=solution)
    assert again.is_met and len(again.others) == 1


def bouncing(**style):
    ball = td.Box("ball", size=(0.06, 0.06, 0.06), mass=0.1)
    sketch = Sketch(ball)
    sketch.want(ball, position=(0, 0, 0.5), when="start")
    for _ in range(2):
        sketch.bounce(ball, restitution=0.7)
    sketch.want(ball, position=(1.5, 0, 0.3))
    if style:
        sketch.style(**style)
    solution = sketch.solve(restarts=2)
    # exact without a style; with one the last digits say whether it is exact or only plausible, as it tells
    assert solution.outcome.is_feasible and (style or solution.is_met), str(solution)
    return solution, measures(solution)


@pytest.mark.mission("M5")
def test_calm_is_preferred_and_other_styles_shape_the_motion():
    solution, calm = bouncing()
    assert calm.height < 1.5 and alternatives(solution, "calmer")
    assert bouncing(higher=3.0)[1].height > calm.height + 0.05
    assert bouncing(faster=3.0)[1].seconds < calm.seconds
    assert bouncing(more_turns=3.0)[1].turns > calm.turns + 0.5
    solution.sketch.style(higher=2.0)
    assert sketch_of(document_of(solution.sketch)).preferred == solution.sketch.preferred
    with pytest.raises(ValueError, match="not be negative"):
        solution.sketch.style(calmer=-1)
    with pytest.raises(ValueError, match="ranked by"):
        alternatives(solution, "slower")


def test_orientations_count_at_keys_alone_and_lead_from_one_to_the_next():
    die = td.Box("die", size=(0.1, 0.1, 0.1), mass=0.1)
    t = np.linspace(0, 1, 9)
    places = np.stack([t, 0 * t, 1 + t * (1 - t)], axis=1)
    turned = np.tile((1.0, 0, 0, 0), (9, 1))
    turned[4] = 0.0, 1.0, 0, 0  # which is no key
    sketch = Sketch(die)
    sketch.follow(die, places, turned, keys=[0, 8])
    found = sketch.solve(restarts=1)
    assert found.is_met and found.misfit.turn < 1e-3
    again = sketch_of(document_of(sketch))
    assert again.flights[0].tracks["die"].keys == (0, 8)
    track = keyed(sketch.flights[0].tracks["die"], 8, (0.0, 0, 0, 1.0))
    assert track.orientations[4] == pytest.approx((np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    sketch.drop(die, [0, 8])
    assert sketch.flights[0].tracks["die"].orientations is None
    with pytest.raises(ValueError, match="keys of box 'die'"):
        Sketch(die).follow(die, places, turned, keys=[9])


def test_a_flight_that_shrank_is_told_by_what_is_said_of_it(monkeypatch):
    die = td.Box("die", size=(0.1, 0.1, 0.1), mass=0.1)
    sketch = Sketch(die)
    sketch.follow(die, [(0, 0, 0.5), (0.2, 0, 0.4), (0.3, 0, 0.1)])
    sketch.bounce(die)
    found = sketch.solve(restarts=1)
    assert not found.collapsed and not warnings(found)
    monkeypatch.setattr(Solution, "collapsed", [0, 1])
    shrank, silent = warnings(found)
    assert shrank.startswith("Flight 1 shrank") or shrank.startswith("Flight 1 grew")
    assert silent == "Nothing is said of flight 2: show where it goes, or say how long it lasts."
