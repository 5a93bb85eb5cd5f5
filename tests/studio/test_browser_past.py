"""A person looks at the past, and takes up what was left unsaved."""

from __future__ import annotations

import pytest

import tinkerdyne as td
from tests.studio.person import Person, until

UPRIGHT = (0.5**0.5, 0, 0.5**0.5, 0)  # end1 above
PICTURE = "() => document.querySelector('.viewport canvas').toDataURL()"


def two_rods() -> td.World:
    """Two rods that hang at rest."""
    world = td.World()
    for name, x in (("left", -0.5), ("right", 0.5)):
        rod = world.add(td.Rod(name, position=(x, 0, 1.5), orientation=UPRIGHT))
        world.add(td.nail(rod.end1, at=(x, 0, 2), name=f"{name} nail"))
    world.add(td.gravity())
    return world


def at_rest(me: Person) -> str:
    """The picture, when it stays as it is."""

    def same() -> str:
        before = me.page.evaluate(PICTURE)
        me.page.wait_for_timeout(300)
        return before if me.page.evaluate(PICTURE) == before else ""

    return str(until(same, "the picture rests"))


@pytest.mark.long
@pytest.mark.parametrize("gone", ["left", "right nail"])
def test_the_past_is_drawn_as_it_was_with_what_is_gone_since(show, meet, gone):
    shown = show(two_rods())
    me = meet(shown.url)
    until(lambda: shown.world.time > 1.0, "some past")
    me.sees(".legend", "N")
    then = at_rest(me)
    shown.world.remove(gone)
    until(lambda: me.page.evaluate(PICTURE) != then, "it is gone")
    ruler = me.page.locator(".ruler-line").bounding_box()
    me.click((ruler["x"] + 60, ruler["y"] + 10))
    me.sees(".past", "Looking at the past")
    until(lambda: me.page.evaluate(PICTURE) == then, "the past is as it was")
    me.press("End")
    until(lambda: me.page.evaluate(PICTURE) != then, "now it is gone again")


@pytest.mark.long
def test_a_shared_replay_has_what_was_deleted(show, meet, tmp_path):
    shown = show(two_rods())
    me = meet(shown.url)
    until(lambda: shown.world.time > 0.5, "some past")
    shown.world.remove("left")
    gone = shown.world.time
    until(lambda: shown.world.time > gone + 0.3, "some time without it")
    with me.page.expect_download() as download:
        me.command("share: a replay")
    download.value.save_as(tmp_path / "replay.html")
    me.page.goto((tmp_path / "replay.html").as_uri() + "?lowfx=1&film=1")  # bodies only
    me.page.evaluate("window.tinkerdyne.ready")

    def picture(time: float) -> str:
        me.page.evaluate("time => window.tinkerdyne.seek(time)", time)
        return str(me.page.evaluate(PICTURE))

    assert picture(0.3) == picture(0.1) != picture(gone + 0.2) == picture(gone + 0.3)


@pytest.mark.long
def test_any_world_that_was_left_unsaved_is_recovered_by_keyboard(show, meet):
    shown = show(td.World())
    me = meet(shown.url)
    for name in ("A", "B", "C"):
        shown.world.add(td.Sphere(name))
        me.sees(".parts", name)
        me.command("new world in space")
        until(lambda name=name: name not in shown.world, "another world")
    # the last of the list, of which the one that gives way becomes the first
    for name, further in (("A", 2), ("B", 1), ("C", 1)):
        me.command("recover")
        me.page.wait_for_selector("dialog[open] .unsaved:focus")
        for _ in range(2 * further):  # each has a button that forgets it
            me.press("Tab")
        me.press("Enter")
        until(lambda name=name: name in shown.world, f"{name} is back")
        until(lambda: not me.page.locator("dialog[open]").count(), "the dialog closes")
