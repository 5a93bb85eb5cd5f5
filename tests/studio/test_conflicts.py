"""A conflict is told when constraints really cannot be met, and never while a joint only closes."""

from __future__ import annotations

import pytest

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.studio.build.inserting import insert
from tinkerdyne.studio.session.conflicts import Conflicts
from tinkerdyne.studio.session.health import diagnosis

REPORTED, DIAGNOSED = 12, 60  # steps of 1/120 s


def told(world: td.World, seconds: float) -> tuple[list[tuple[float, str, tuple[str, ...]]], int]:
    """(Every conflict but repetitions, as a running studio tells it, how many a bare diagnosis saw)."""
    conflicts, found, seen = Conflicts(), [], 0
    begin = world.time
    for k in range(round(seconds * 120)):
        result = world.step(1 / 120)
        if k % DIAGNOSED == 0 or (k < DIAGNOSED and k % REPORTED == 0):
            bare = world.diagnose()
            seen += len(bare.contradictory)
            conflicts.diagnosed(bare)
        if k % REPORTED == 0:
            shown = conflicts.shown(world, result, is_playing=True)
            found += [(world.time - begin, c.kind, c.names) for c in shown if c.kind != "redundant"]
    return found, seen


def chain(seconds: float) -> td.World:
    """Three rods that hang from a nail, some time later."""
    world = td.World()
    for k in range(3):
        world.add(td.Rod(f"rod{k}", position=(0.5 + k, 0.1 * k, 0)))
    for a, b in (("rod0.end1", "@0,0,0"), ("rod0.end2", "rod1.end1"), ("rod1.end2", "rod2.end1")):
        insert(world, "connect", (a, b), {}, "", 3)
    world.add(td.gravity())
    world.run(seconds, dt=1 / 120)
    return world


@pytest.mark.parametrize("joint, seconds", [("universal", 0.1), ("cylindrical", 0.2)])
def test_a_joint_that_closes_is_no_conflict(joint, seconds):
    world = chain(seconds)
    insert(world, joint, ("rod2.end2", "rod0.end1"), {"axis": [0, 1, 0]}, "last", 3)
    found, seen = told(world, 1.5)
    assert seen, "the bare diagnosis is deceived on the way, or this test shows nothing"
    assert not found
    assert world["last"].gap < 1e-4


def test_a_slow_joint_that_closes_is_no_conflict():
    world = chain(0.1)
    insert(world, "universal", ("rod2.end2", "rod0.end1"), {"axis": [0, 1, 0], "tau": 1.0}, "last", 3)
    assert not told(world, 2.0)[0]


def test_a_real_conflict_is_told_within_a_second():
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.nail(rod.end1, name="first"), td.gravity())
    world.run(0.2, dt=1 / 120)
    world.add(td.nail(rod.end1, at=(0, 0, 1), name="twin"))
    found, _ = told(world, 2.0)
    assert found and found[0][0] < 1.0 and set(found[0][2]) == {"first", "twin"}
    assert {round(t, 1) for t, *_ in found} >= {1.0, 1.5, 1.9}  # and stays


@pytest.mark.filterwarnings("ignore:(connect|nail) .* is open")
@pytest.mark.parametrize("is_real", [False, True])
def test_a_long_chain_whose_parts_lie_scattered_is_no_conflict_unless_it_is_too_short(is_real):
    """It opens paused: putting it together takes many rounds, and each of them goes on."""
    world = gallery.load("towers_chain").build()
    if is_real:
        last = world["joint 100"].inputs[0]
        world.add(td.nail(last, at=(500, 0, 0), name="too far"))
    conflicts = Conflicts()
    conflicts.diagnosed(diagnosis(world.to_json()))
    assert bool(conflicts.shown(world, None, is_playing=False)) == is_real


@pytest.mark.filterwarnings("ignore:nail 'far' is open")
def test_a_conflict_in_a_paused_world_is_told_at_once_and_parts_that_are_only_apart_are_none():
    world = chain(0.1)
    insert(world, "universal", ("rod2.end2", "rod0.end1"), {"axis": [0, 1, 0]}, "last", 3)
    world.step(1 / 120)
    assert world.diagnose().contradictory and not diagnosis(world.to_json()).contradictory
    world.add(td.nail(world["rod1"].end1, at=(9, 0, 0), name="far"))
    conflicts = Conflicts()
    conflicts.diagnosed(diagnosis(world.to_json()))
    assert "far" in conflicts.shown(world, None, is_playing=False)[0].names
