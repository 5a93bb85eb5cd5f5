"""Time in the studio: undo that leaves the run alone, steps back, loops, the start and other checkpoints."""

from __future__ import annotations

import itertools

import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tinkerdyne.world.edit import Change


@pytest.fixture
def shown(show):
    """A ball that falls, switched to float at 0.2 s."""
    world = td.World()
    world.add(td.Particle("ball", position=(0, 0, 0)), td.gravity(name="gravity"))
    world.at(0.2, Change("gravity", "g", (0.0, 0.0, -1.0)))
    world.history.clear()
    return show(world, is_playing=False)


@pytest.fixture
def page(shown):
    one = Page(shown._server)
    yield one
    one.close()


def steps(page: Page, count: int) -> None:
    page.ask("play", is_playing=False, steps=count)


def test_undo_says_what_it_undid_and_leaves_the_run_alone(page, shown):
    world = shown.world
    page.ask("apply", edit={"edit": "Change", "name": "ball", "parameter": "mass", "value": 3.0, "key": 0})
    steps(page, 6)
    told = page.ask("undo")
    assert told == {"is_done": True, "says": "mass of ball", "time": None, "earlier": 0.0}
    assert world.time == pytest.approx(0.1) and world["ball"].mass == 1.0
    assert page.ask("redo")["says"] == "mass of ball" and world["ball"].mass == 3.0
    page.ask("undo")
    assert page.ask("rewind") is True and world.time == 0 and world["ball"].mass == 1.0
    assert page.ask("redo")["time"] == pytest.approx(0.1)
    (made,) = page.ask("insert", of="sphere", values={"position": [5, 5, 5]})
    steps(page, 3)
    assert page.ask("undo")["says"] == f"inserted {made}" and made not in world
    assert page.ask("undo", is_whole=True) == {
        "is_done": True, "says": "mass of ball", "time": 0.0, "earlier": None,
    }  # fmt: skip
    assert page.ask("undo")["is_done"] is False


def test_steps_lead_back_along_the_past_and_forth_again(page, shown):
    steps(page, 4)
    steps(page, -1)
    page.until(lambda: page.latest["Layout"].get("is_past") and page.time == pytest.approx(3 / 60))
    steps(page, -10)
    page.until(lambda: page.time == 0)
    steps(page, 3)
    page.until(lambda: page.time == pytest.approx(3 / 60))
    steps(page, 1)
    page.until(lambda: not page.latest["Layout"].get("is_past") and page.time == pytest.approx(4 / 60))
    assert shown.world.time == pytest.approx(4 / 60)
    steps(page, 1)
    assert shown.world.time == pytest.approx(5 / 60)


def test_the_start_is_as_the_world_was_before_it_ran_and_the_timeline_comes_again(page, shown):
    world = shown.world
    page.ask("apply", edit={"edit": "Move", "name": "ball", "state": [["position", [0, 0, 2]]], "key": 0})
    steps(page, 20)
    (made,) = page.ask("insert", of="sphere", values={"position": [5, 5, 5]})
    steps(page, 1)
    late = tuple(world["ball"].position)
    assert tuple(world["gravity"].g) == (0, 0, -1)
    page.ask("go", number=0)
    page.until(lambda: page.time == 0)
    assert world.time == 0 and tuple(world["ball"].position) == (0, 0, 2)
    assert tuple(world["gravity"].g) == (0, 0, -9.81) and tuple(world[made].position) == (5, 5, 5)
    steps(page, 21)
    assert tuple(world["gravity"].g) == (0, 0, -1)
    assert tuple(world["ball"].position) == pytest.approx(late, abs=1e-12)
    steps(page, 4)
    told = page.ask("undo")
    assert told["says"].startswith("went from 0.35 s to 0.00 s") and told["time"] == pytest.approx(0.35)


def test_checkpoints_have_names_and_lead_back(page, shown):
    steps(page, 6)
    number = page.ask("keep", name="in the air")
    steps(page, 3)
    there = shown.world.time
    page.ask("keep", name="above", number=number)
    page.until(lambda: [c["name"] for c in page.latest["Status"]["checkpoints"]] == ["start", "above"])
    page.ask("go", number=number)
    assert shown.world.time == pytest.approx(0.1)
    assert page.ask("undo")["time"] == pytest.approx(there) and shown.world.time == there
    page.ask("keep", number=number)
    assert "no checkpoint" in page.refused("go", number=number)
    page.ask("new")
    page.until(lambda: len(page.latest["Status"]["checkpoints"]) == 1)


def test_a_loop_shows_the_past_over_and_over(page, shown):
    assert "nothing is recorded" in page.refused("loop")
    steps(page, 12)
    page.ask("loop", start=0.05, end=0.15)
    seen: list[float] = []

    def came_round() -> bool:
        if seen or page.time == pytest.approx(0.05):
            seen.append(page.time)
        return any(b < a for a, b in itertools.pairwise(seen)) and len(set(seen)) > 3

    page.until(came_round)
    assert min(seen) >= 0.05 - 1 / 60 and max(seen) <= 0.15
    page.until(lambda: page.latest["Status"]["loop"] == [0.05, 0.15])
    page.ask("loop", is_on=False)
    page.until(lambda: page.latest["Status"]["loop"] == [] and page.latest["Status"]["is_past"])
    assert shown.world.time == pytest.approx(0.2)
