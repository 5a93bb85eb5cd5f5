"""Motors by hand, and controls whose moves are one step for undo."""

from __future__ import annotations

import math

import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tinkerdyne.studio.build.motors import motorise


def nailed(dimension: int) -> td.World:
    world = td.World()
    if dimension == 2:
        rod = world.add(td.PlanarRod("arm", position=(0.5, 0)))
        world.add(td.nail(rod.end1, at=(0, 0), name="hook"))
    else:
        rod = world.add(td.Rod("arm", position=(0.5, 0, 0)))
        world.add(td.connect(rod.end1, td.Nail(0, 0, 0), name="hook"))
    return world


def make(world: td.World, joint: str, text: str, dimension: int = 2, **options) -> list[str]:
    given = {"is_speed": True, "limit": None, "replaces": "", "axis": (0.0, 0.0, 1.0), **options}
    return motorise(world, joint, text=text, dimension=dimension, **given)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_nail_becomes_a_motor_that_turns_left(dimension):
    world = nailed(dimension)
    before = len(world.history)
    motor, joint = make(world, "hook", "3", dimension)
    assert (motor, joint) == ("hook motor", "hook") and world["hook"].type is td.pin
    assert len(world.history) == before + 1
    world.run(seconds=1.0)
    assert world["hook"].turn.velocity == pytest.approx(3.0, abs=1e-3)
    assert world["arm"].position[1] != 0
    turned = world["arm"].spin if dimension == 2 else world["arm"].spin[2]
    assert turned == pytest.approx(3.0, abs=1e-3)  # to the left, seen from the tip of the axis
    world.undo()
    assert "hook motor" not in world and world["hook"].type is not td.pin


def test_a_limited_motor_holds_its_limit_and_reaches_its_speed():
    world = nailed(2)
    motor, _ = make(world, "hook", "3", limit=2.0)
    assert world[motor].limit == 2.0
    world.run(seconds=0.1)
    most = 2.0 * 0.1 / (world["arm"].inertia + 0.25)  # the torque's impulse, by the inertia about the end
    assert 0.9 * most < world["hook"].turn.velocity <= most * (1 + 1e-9)
    world.run(seconds=3.0)
    assert world["hook"].turn.velocity == pytest.approx(3.0, rel=0.01)


def test_a_motor_is_replaced_by_one_that_follows_a_function():
    world = nailed(2)
    motor, joint = make(world, "hook", "3")
    again, _ = make(world, joint, "0.5*sin(t)", is_speed=False, replaces=motor)
    assert again == motor
    world.run(seconds=2.0)
    assert world["hook"].turn.value == pytest.approx(0.5 * math.sin(2.0), abs=1e-3)
    with pytest.raises(ValueError, match="number"):
        make(world, joint, "sin(t)", replaces=motor)
    assert world[motor].type is not td.speed  # it is all or nothing


def test_a_slider_moved_is_one_step_for_undo(show):
    world = nailed(2)
    make(world, "hook", "3")
    shown = show(world, is_playing=False)
    page = Page(shown._server)
    steps = len(world.history)
    for value in (3.5, 4.0, 5.0):
        page.ask("steer", name="hook motor", parameter="at", value=[value])
    assert len(world.history) == steps + 1
    page.until(lambda: page.latest.get("Values", {}).get("items", {}).get("hook motor") == {"at": [5.0]})
    page.ask("steer", name="hook motor", parameter="at", value=[6.0], is_final=True)
    page.ask("steer", name="hook motor", parameter="at", value=[1.0], is_final=True)
    assert len(world.history) == steps + 2
    page.ask("undo")
    assert world["hook motor"].at == (6.0,)
    page.ask("undo")
    assert world["hook motor"].at == (3.0,)
    page.close()
