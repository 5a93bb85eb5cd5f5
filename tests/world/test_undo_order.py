"""What comes back by undo has its old place, and edits that fail leave the order as it was."""

import math

import pytest

import tinkerdyne as td
from tinkerdyne.world.edit import Ramp
from tinkerdyne.world.timeline import due, next_time


def test_what_comes_back_stands_where_it_stood():
    world = td.World()
    world.add(td.Rod("a"), td.Rod("b"), td.Rod("c"))
    before = world.to_json()
    world.remove("b")
    world.undo()
    assert [item.name for item in world] == ["a", "b", "c"] and world.to_json() == before


def test_a_refused_edit_leaves_the_order_of_what_came_back():
    world = td.World()
    world.add(td.Rod("a"), td.Rod("b"))
    world.remove("a")
    world.add(td.Rod("c"))
    world.undo()
    world.undo()
    before = world.to_json()
    with pytest.raises(ValueError, match="a"):
        world.add(td.Rod("d"), td.Rod("a"))
    assert world.to_json() == before


@pytest.mark.parametrize("end", [1e307, 8e307])
def test_ramps_of_astronomical_length_have_their_ends_alone(end):
    ramp = Ramp("a", "mass", -end, end, 1.0, 2.0)
    assert next_time((ramp,), 0.0) == end and next_time((ramp,), end) == math.inf
    ((change, _),) = due((ramp,), end)
    assert change.value == 2.0
