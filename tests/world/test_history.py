"""History: groups of edits are one step, all of them or none, and so is a drag with the joint it ends
with."""

import contextlib
import random

import pytest

import tinkerdyne as td
from tinkerdyne.world.edit import Change, Rename


def pendulum():
    world = td.World()
    bob = world.add(td.Particle("bob", position=(1.0, 0.0, 0.0)))
    world.add(td.nail(bob, name="hook"), td.gravity(name="gravity"))
    world.history.clear()
    return world


def test_edits_of_one_step_are_taken_back_and_come_again_together():
    world = pendulum()
    with world.history.one_step():
        world["bob"].mass = 2.0
        world.apply(Rename("hook", "peg"))
        world.remove("gravity")
    assert len(world.history) == 1
    world.undo()
    assert world["bob"].mass == 1.0 and "hook" in world and "gravity" in world
    world.redo()
    assert world["bob"].mass == 2.0 and "peg" in world and "gravity" not in world


def test_a_step_that_fails_leaves_no_trace_and_what_was_undone_can_still_come_again():
    world = pendulum()
    world["bob"].mass = 3.0
    world.undo()
    before = world.to_json()
    with pytest.raises(ValueError, match="positive"), world.history.one_step():
        world["bob"].mass = 2.0
        world.step(0.1)
        world["bob"].mass = -1.0
    assert world.to_json() == before and not world.history.can_undo
    assert world.redo() and world["bob"].mass == 3.0


def test_a_group_within_a_group_joins_it():
    world = pendulum()
    with world.history.one_step():
        with world.history.one_step():
            world["bob"].mass = 2.0
            world["hook"].tau = 0.5
        with pytest.raises(KeyError), world.history.one_step():
            world["bob"].mass = 5.0
            world.remove("nobody")
        assert world["bob"].mass == 2.0  # the inner group was taken back alone
        world["hook"].tau = 0.6
    assert len(world.history) == 1
    world.undo()
    assert world["bob"].mass == 1.0 and world["hook"].tau == 0.1


def test_a_step_of_more_edits_than_undo_keeps_is_taken_back_whole():
    world = pendulum()
    with world.history.one_step():
        for k in range(1200):
            world["bob"].mass = 2.0 + k
    assert len(world.history) == 1 and world.undo() and world["bob"].mass == 1.0


def test_a_drag_and_the_edit_it_ends_with_are_one_step_also_across_the_timeline():
    world = pendulum()
    world.remove("hook")
    world.at(0.05, Change("gravity", "g", (0.0, 0.0, -5.0)))
    world.history.clear()
    grip = world.grab(world["bob"])
    grip.move(2.0, 0.0, 0.0)
    world.run(0.1)
    with world.history.one_step(ending=grip.drag):
        world.add(td.nail(world["bob"], at=(2.0, 0.0, 0.0), name="peg"))
        grip.release()
    assert len(world.history) == 1 and world["gravity"].g == (0.0, 0.0, -5.0)
    world.undo()
    assert world.time == 0 and "peg" not in world and world["gravity"].g == (0.0, 0.0, -9.81)
    assert tuple(world["bob"].position) == (1.0, 0.0, 0.0)


def test_an_edit_of_someone_else_during_a_drag_stays_a_step_of_its_own():
    world = pendulum()
    grip = world.grab(world["bob"])
    world["bob"].mass = 2.0
    with world.history.one_step(ending=grip.drag):
        world.remove("hook")
        grip.release()
    assert len(world.history) == 3
    world.undo()
    assert "hook" in world and world["bob"].mass == 2.0


def test_a_drag_that_takes_another_over_goes_back_to_the_first():
    world = pendulum()
    world.remove("hook")
    world.history.clear()
    first = world.grab(world["bob"], hard=True)
    first.move(2.0, 0.0, 0.0)
    world.run(0.2)
    first.release()
    second = world.grab(world["bob"])
    second.drag.take_over(first.drag)
    second.move(3.0, 0.0, 0.0)
    world.run(0.2)
    second.release()
    assert len(world.history) == 1 and world.undo()
    assert world.time == 0 and tuple(world["bob"].position) == (1.0, 0.0, 0.0)


def test_what_is_added_because_it_was_read_is_no_edit():
    world = td.World()
    rod = world.add(td.Rod("rod"))
    world.undo()
    world.redo()
    mark = world.history.mark()
    assert len(rod.end1.value) == 3 and rod.end1 in world
    assert world.history.mark() == mark


def test_undo_forgets_the_factor_of_what_is_taken_back():
    """Where the matrix is constant it is factored once; the factor of another mass must not outlive undo."""

    def swung(with_detour):
        world = td.World(method="runge_kutta")
        a, b = (world.add(td.Particle(name, position=(0.0, 0.0, 0.0))) for name in "ab")
        world.add(td.connect(a, b), td.spring(td.Nail(0.0, 0.0, 1.0), a, stiffness=5.0))
        world.run(0.1)
        assert world.counts["factorings"] == 1
        if with_detour:
            b.mass = 7.0
            world.run(0.1)
            world.undo()
        world.run(0.1)
        return tuple(a.position)

    assert swung(True) == swung(False)


def test_going_back_in_time_keeps_the_settings_of_now():
    world = pendulum()
    world.run(0.1)
    shot = world.history.snapshot()
    world.run(0.1)
    world.configure(tolerance=1e-6)
    world.history.travel(shot)
    assert world.settings["tolerance"] == world.engine.scalars.tolerance == 1e-6


def test_a_rename_taken_back_leaves_what_the_timeline_meant():
    """X8: an event for a 'c' that is to come does not become one for 'a'."""
    world = td.World()
    world.add(td.Particle("a"))
    world.at(1.0, td.Remove(("c",)))
    planned = world.timeline
    world.apply(Rename("a", "c"))
    world.undo()
    assert world.timeline == planned and world.redo() and world.undo() and world.timeline == planned


def test_what_is_to_be_plugged_into_a_renamed_item_still_is():
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0, 0.0)))
    world.at(0.01, td.nail(ball, name="hook"), Rename("ball", "weight"))
    world.apply(Rename("ball", "bob"))
    world.run(0.05)
    assert world["hook"].inputs == (ball,) and ball.name == "weight"


@pytest.mark.parametrize("seed", range(20))
def test_renames_and_timelines_come_back_as_they_were(seed):
    """Random names, from few, for items, events and ramps; then all is taken back, and comes again."""
    rng, world = random.Random(seed), td.World()
    world.add(*[td.Rod(name) for name in "ab"])
    world.history.clear()
    states = [world.to_json()]

    acts = (
        lambda old, new: world.apply(Rename(old, new)),
        lambda old, new: world.at(1.0, td.Remove((old, new))),
        lambda old, new: world.at(1.0, Rename(old, new)),
        lambda old, _: world.at(2.0, Change(old, "mass", 2.0)),
        lambda old, _: world.at(0.5, td.nail(world[old].end1)),
        lambda old, _: world.ramp(world[old], "mass", to=2.0, start=1.0, end=2.0),
        lambda old, _: world.remove(old),
    )
    for _ in range(12):
        with contextlib.suppress(KeyError, ValueError):
            rng.choice(acts)(rng.choice("abcd"), rng.choice("abcd"))
            states.append(world.to_json())
    for text in reversed(states[:-1]):
        assert world.undo() and world.to_json() == text
    for text in states[1:]:
        assert world.redo() and world.to_json() == text


def test_a_place_that_comes_back_stands_before_what_is_plugged_into_it():
    """It once got a later key, and what was undone could not come again."""
    world = td.World()
    rod = world.add(td.Rod("rod"))
    world.add(td.drag(rod.end2, name="drag"))
    world.remove("drag")
    assert len(rod.end2.value) == 3  # read, and so in the world
    undone = 0
    while world.undo():
        undone += 1
    for _ in range(undone):
        assert world.redo()
    assert "drag" not in world and world.undo() and "drag" in world
