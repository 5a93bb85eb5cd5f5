"""Taking a step back while the run is left alone: `take_back`, `bring_again`, `rewind`; and travel."""

from __future__ import annotations

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.world.edit import Change, Move, Remove, Rename


def pendulum() -> td.World:
    """A rod on a hinge, and a ball that falls."""
    world = td.World()
    rod = world.add(td.Rod("rod", length=1.0))
    world.add(td.nail(rod.end1, name="hook"), td.gravity(name="gravity"))
    world.add(td.Particle("ball", position=(3, 0, 0)))
    world.history.clear()
    return world


def state(world: td.World) -> np.ndarray:
    each = world.history.snapshot().state_of_each()
    return np.concatenate([part for key in sorted(each) for part in each[key]])


def test_a_parameter_is_taken_back_and_the_run_is_left_alone():
    world = pendulum()
    world["ball"].mass = 2.0
    world.run(0.5)
    before = state(world)
    done = world.history.take_back()
    assert done is not None and done.time is None and done.earlier == 0.0
    assert world["ball"].mass == 1.0 and world.time == 0.5 and (state(world) == before).all()
    assert world.history.bring_again() is not None
    assert world["ball"].mass == 2.0 and world.time == 0.5 and (state(world) == before).all()
    assert world.history.take_back() is not None and world.history.take_back() is None


def test_after_that_it_can_go_back_in_time_too_and_redo_leads_to_where_it_was():
    world = pendulum()
    origin = state(world)
    world["ball"].mass = 2.0
    world.run(0.5)
    late = state(world)
    world.history.take_back()
    assert world.history.rewind() and not world.history.rewind()
    assert world.time == 0 and (state(world) == origin).all() and world["ball"].mass == 1.0
    done = world.history.bring_again()
    assert done is not None and done.time == 0.5
    assert world["ball"].mass == 2.0 and (state(world) == late).all()


def test_a_joint_that_would_have_to_be_pulled_together_leads_back_in_time():
    world = pendulum()
    world.run(0.3)
    swinging = state(world)
    world.remove("hook")
    world.run(0.4)
    done = world.history.take_back()
    assert done is not None and done.time == pytest.approx(0.3)
    assert "hook" in world and (state(world) == swinging).all()
    done = world.history.bring_again()
    assert done is not None and done.time == pytest.approx(0.7) and "hook" not in world


def test_what_was_put_in_goes_and_the_rest_goes_on():
    world = pendulum()
    world.add(td.Particle("late", position=(5, 0, 0)))
    world.run(0.25)
    rod = np.array(world["rod"].position)
    done = world.history.take_back()
    assert done is not None and done.time is None and "late" not in world and world.time == 0.25
    assert (np.array(world["rod"].position) == rod).all()


def test_a_part_that_was_moved_is_put_back_alone_where_nothing_is_torn():
    world = pendulum()
    world.apply(Move("ball", (("position", (4.0, 0.0, 0.0)),)))
    world.run(0.25)
    rod = np.array(world["rod"].position)
    done = world.history.take_back()
    assert done is not None and done.time is None
    assert tuple(world["ball"].position) == (3, 0, 0) and (np.array(world["rod"].position) == rod).all()
    world.apply(Move("rod", (("velocity", (0.0, 0.0, 0.0)),)))
    start = world.time
    world.run(0.25)
    done = world.history.take_back()  # the velocity of then fits no other pose, but nothing is apart
    assert done is not None and world.time in (start, start + 0.25)


def test_a_drag_leads_back_to_where_the_part_was_caught():
    world = pendulum()
    world.run(0.1)
    grip = world.grab(world["ball"])
    grip.move(3, 2, 0)
    world.run(0.3)
    grip.release()
    world.run(0.2)
    edit, says = world.history.upcoming(is_back=True)
    assert says == "pulled ball" and edit.edits == ()
    done = world.history.take_back()
    assert done is not None and done.time == pytest.approx(0.1)


def test_at_the_same_time_it_is_an_ordinary_undo():
    world = pendulum()
    before = world.to_json()
    world.apply(Move("rod", (("position", (9.0, 0.0, 0.0)),)))
    done = world.history.take_back()
    assert done is not None and done.time is None and done.earlier is None
    assert world.to_json() == before


def test_what_the_timeline_did_meanwhile_stays_where_it_is_another_thing():
    world = pendulum()
    world["ball"].mass = 2.0
    world.at(0.1, Change("gravity", "g", (0.0, 0.0, -1.0)))
    world.apply(Rename("ball", "pea"))
    world["pea"].mass = 3.0
    world.run(0.3)
    done = world.history.take_back()
    assert done is not None and done.time is None
    assert world["pea"].mass == 2.0 and tuple(world["gravity"].g) == (0, 0, -1)
    assert world.history.rewind() and world.time == 0 and tuple(world["gravity"].g) == (0, 0, -9.81)
    assert world["pea"].mass == 2.0
    world.history.bring_again()
    assert world.time == pytest.approx(0.3) and tuple(world["gravity"].g) == (0, 0, -1)
    assert world["pea"].mass == 3.0


def test_an_edit_of_what_the_timeline_changed_leads_back_in_time():
    world = pendulum()
    world["gravity"].g = (0.0, 0.0, -5.0)
    world.at(0.1, Change("gravity", "g", (0.0, 0.0, -1.0)))
    world.history._undo = world.history._undo[:1]  # planned by somebody else
    world.run(0.3)
    done = world.history.take_back()
    assert done is not None and done.time == 0 and tuple(world["gravity"].g) == (0, 0, -9.81)


def test_going_to_an_earlier_time_takes_back_what_the_timeline_did_since():
    world = pendulum()
    world.at(0.0, Change("ball", "mass", 5.0))
    world.at(0.1, Change("hook", "is_on", False))
    world.at(0.15, Remove(("ball",)))
    world.ramp(world["gravity"], "g", to=(0.0, 0.0, 0.0), start=0.05, end=0.25)
    world.history.clear()
    start, before = world.history.snapshot(), world.to_json()
    world.run(0.2)
    assert "ball" not in world and not world["hook"].is_on
    world.history.travel(start)
    assert world.to_json() == before
    world.run(0.2)
    assert "ball" not in world and not world["hook"].is_on
    first = state(world)
    world.undo()  # back to where it was the first time
    assert "ball" not in world and world.time == pytest.approx(0.2) and (state(world) == first).all()


def test_what_the_user_changed_since_is_not_taken_back_by_going_to_an_earlier_time():
    world = pendulum()
    world.at(0.1, Change("ball", "mass", 5.0))
    world.history.clear()
    start = world.history.snapshot()
    world.run(0.2)
    world["ball"].mass = 7.0
    world.history.travel(start)
    assert world["ball"].mass == 7.0
