"""Contact as a person meets it: a new world with a floor that holds, boxes that drop, stack and are pulled
out, undone; and rules of contact from the palette."""

from __future__ import annotations

import numpy as np
import pytest

from tests.studio.person import until
from tinkerdyne import Box, Floor, World, contact, gravity

AT_REST = 1e-3  # m/s


def names(shown) -> set[str]:
    return {item.name for item in shown.world.items}


def boxes(shown) -> list:
    return [item for item in shown.world.items if item.type.name == "box"]


def begun(show, meet):
    """A new world of the studio, in space."""
    shown = show(World(), title="empty")
    me = meet(shown.url)
    me.command("New world in space")
    until(lambda: "floor" in names(shown), "a new world has a floor")
    until(lambda: "floor" in me.reads(".parts"), "the page shows it")
    return shown, me


def dropped(shown, me, count: int) -> list:
    """Insert boxes and let them fall until they lie still."""
    for k in range(count):
        me.command("insert box")
        until(lambda k=k: len(boxes(shown)) == k + 1, "a box")
        me.focus_view()
        me.press("Escape")
    me.press("Space")
    until(lambda: shown._session.is_playing, "it runs")
    still(shown)
    return boxes(shown)


def still(shown) -> None:
    def looks() -> bool:
        with shown.world.lock:
            return shown.world.time > 0.5 and all(
                np.linalg.norm(box.velocity) < AT_REST for box in boxes(shown)
            )

    until(looks, "all lies still")


def test_a_new_world_has_a_floor_that_holds_what_drops(show, meet):
    shown, me = begun(show, meet)
    assert {"floor", "gravity", "contact"} == names(shown)
    low, high = dropped(shown, me, 2)
    assert low.position[2] == pytest.approx(0.5, abs=1e-4)
    assert high.position[2] == pytest.approx(1.5, abs=1e-4)
    assert {met.b for met in shown.world.contacts(high)} == {low}
    me.click(me.still(high.name))
    me.sees(".forces", "of contact")
    me.sees(".forces", "9.81 N")
    height = high.position[2]
    me.take(me.still(low.name))  # pull the lower one out
    me.sees(".readout", "soft")
    x, y = me.seen(low.name)
    me.move((x + 400, y + 40))
    until(lambda: high.position[2] < height - 0.5, "the upper one comes down")
    me.drop()
    until(lambda: not me.reads(".readout"), "it is let go")
    me.press("Control+z")
    until(lambda: abs(high.position[2] - 1.5) < 1e-3, "undo brings the stack back, with its state")
    still(shown)
    assert low.position[2] == pytest.approx(0.5, abs=1e-4)


@pytest.mark.long
def test_a_measure_of_contact_is_plotted_and_rules_come_from_the_palette(show, meet):
    shown, me = begun(show, meet)
    (box,) = dropped(shown, me, 1)
    me.command("insert contact force")
    me.sees(".prompt", "first body")
    me.click(me.still(box.name))  # one in the view, the other in the list
    me.sees(".prompt", "second body")
    me.page.locator(".parts .row", has_text="floor").first.click()
    force = until(
        lambda: next((i for i in shown.world.items if i.type.name == "contact_force"), None), "a measure"
    )
    me.page.locator(f'button[title="plot {force.name}.value"]').click()
    me.sees(".plots", "9.81")
    me.command("insert conveyor")
    me.page.locator(".parts .row", has_text="floor").first.click()
    until(lambda: any(i.type.name == "conveyor" for i in shown.world.items), "a belt")
    until(lambda: abs(box.velocity[0] - 1.0) < 1e-2, "the box goes with it")


@pytest.mark.long
def test_floors_of_the_plane_hold_too_and_new_bodies_come_to_lie_on_top(show, meet):
    shown = show(World(), title="empty")
    me = meet(shown.url)
    me.command("New world in the plane")
    until(lambda: "floor" in names(shown), "a new world has a floor")
    until(lambda: "floor" in me.reads(".parts"), "the page shows it")
    me.command("insert disc")
    disc = until(lambda: next((i for i in shown.world.items if i.type.name == "disc"), None), "a disc")
    me.focus_view()
    me.press("Escape", "Space")
    floor = shown.world["floor"].position[1]
    until(lambda: abs(disc.position[1] - floor - disc.radius) < 1e-3, "it lies on the floor")


@pytest.mark.long
def test_what_is_inserted_into_a_pile_lies_on_top_of_it(show, meet):
    world = World()
    world.add(gravity(), contact(), Floor("floor"), Box("big", size=(2.0, 2.0, 3.0), position=(0, 0, 1.5)))
    shown = show(world, title="pile", is_playing=False)
    me = meet(shown.url)
    me.command("insert sphere")
    ball = until(lambda: next((i for i in shown.world.items if i.type.name == "sphere"), None), "a ball")
    assert not [met for met in shown.world.contacts(ball) if met.gap < -1e-5]
    me.press("Control+z")
    until(lambda: "floor" in names(shown) and not any(i.type.name == "sphere" for i in shown.world.items),
          "one step takes it back")  # fmt: skip
