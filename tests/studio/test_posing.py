"""While the world is paused a part is moved with what is joined to it, so that nothing tears."""

from __future__ import annotations

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.page import Page


def four_bar() -> td.World:
    world = td.World()
    crank = world.add(td.PlanarRod("crank", length=0.4, position=(0, 0.2), angle=np.pi / 2))
    coupler = world.add(td.PlanarRod("coupler", length=1.2, position=(0.6, 0.4)))
    rocker = world.add(td.PlanarRod("rocker", length=0.8, position=(1.2, 0.4), angle=np.pi / 2))
    world.add(td.nail(crank.end1, name="a"), td.nail(rocker.end1, name="d"), td.gravity())
    world.add(td.connect(crank.end2, coupler.end1, name="b"), td.connect(coupler.end2, rocker.end2, name="c"))
    world.assemble()
    world.history.clear()
    return world


@pytest.fixture
def shown(show):
    return show(four_bar(), is_playing=False)


@pytest.fixture
def page(shown):
    one = Page(shown._server)
    yield one
    one.close()


def gap(world: td.World) -> float:
    return max(abs(np.ravel(world[name].value)).max() for name in "abcd")


def test_a_linkage_follows_the_hand_and_no_joint_opens(page, shown):
    world = shown.world
    handle = page.ask("grab", item="crank", at=[0.2, 0])
    before = world.to_json()
    for k in range(1, 16):
        angle = np.pi / 2 - 0.1 * k
        page.ask("drag", handle=handle, to=[0.4 * np.cos(angle), 0.4 * np.sin(angle)])
        assert gap(world) < 1e-9 and world.time == 0
    end = np.array(world["crank"].position) * 2
    assert np.linalg.norm(end - 0.4 * np.array([np.cos(angle), np.sin(angle)])) < 1e-4
    page.until(lambda: np.allclose(page.track("crank")[:2], end / 2, atol=1e-6))  # seen at once
    page.ask("release", handle=handle)
    told = page.ask("undo")
    assert told["says"] == "moved crank" and world.to_json() == before


def test_a_hand_out_of_reach_tears_nothing(page, shown):
    handle = page.ask("grab", item="rocker", at=[0.4, 0])
    page.ask("drag", handle=handle, to=[9.0, 5.0])
    assert gap(shown.world) < 1e-9
    page.ask("release", handle=handle)


def test_a_nailed_rod_is_turned_about_its_nail_and_joined_where_it_is_dropped(page, shown):
    world = shown.world
    rod = world.add(td.Rod("rod", position=(0.5, 3, 0)))
    world.add(td.nail(rod.end1, at=(0, 3, 0), name="hook"))
    post = world.add(td.Box("post", position=(0.0, 4.1, 0), is_fixed=True))
    handle = page.ask("grab", item="rod", at=[0.5, 0, 0])
    for x, y in ((0.9, 3.4), (0.5, 3.9), (0.1, 3.98)):
        page.ask("drag", handle=handle, to=[x, y, 0.0])
        assert abs(np.ravel(world["hook"].value)).max() < 1e-9
    page.ask("insert", of="connect", inputs=["rod.end2", "post@0,-0.1,0"], handle=handle)
    joint = next(item for item in world.items if item.type.name == "connect" and item.name not in "bc")
    assert abs(np.ravel(joint.value)).max() < 1e-9 and abs(np.ravel(world["hook"].value)).max() < 1e-9
    assert tuple(post.position) == (0.0, 4.1, 0)
    page.ask("undo")  # all of it is one step
    assert tuple(rod.position) == (0.5, 3, 0) and world.time == 0


def test_a_part_that_is_posed_is_let_go_when_time_goes_on(page, shown):
    handle = page.ask("grab", item="crank", at=[0.2, 0])
    page.ask("play", is_playing=True)
    assert "the world runs" in page.refused("drag", handle=handle, to=[0, 0])
    page.ask("play", is_playing=False)
