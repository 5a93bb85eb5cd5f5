"""Many look at one world and change it, and it stays the same in all; a studio that is started anew is met
again."""

from __future__ import annotations

import contextlib
import random
import threading

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tests.studio.person import until
from tinkerdyne.studio.show.frames import HEADER
from tinkerdyne.studio.wire.server import Server
from tinkerdyne.world.edit import Change, Remove


def crowd() -> td.World:
    world = td.World()
    for k in range(8):
        world.add(td.Particle(f"ball {k}", position=(k, 0, 0)))
    world.add(td.gravity(name="gravity"))
    world.history.clear()
    return world


def agree(page: Page, world: td.World) -> None:
    """A page has the items, values and places of the world."""
    assert page.names == [item.name for item in world.items]
    for item in world.items:
        told = page.item(item.name)["values"]
        for name, value in item.values.items():
            assert np.array_equal(np.ravel(told[name]), np.ravel(value)), (item.name, name)
        if item.type.family == "object":
            assert np.allclose(page.track(item.name), item.position, rtol=1e-6, atol=1e-6)


def settled(page: Page, world: td.World) -> None:
    """A page has taken all that there is."""
    page.until(lambda: page.latest["Status"]["time"] == world.time and page.time == world.time)
    page.until(lambda: HEADER.unpack_from(page.frame)[1] == page.latest["Layout"]["revision"])
    page.read(0.2)


def test_a_world_changed_by_python_two_pages_and_its_timeline_is_the_same_in_all(show):
    shown = show(crowd(), is_playing=False)
    world, draw = shown.world, random.Random(3)
    pages = [Page(shown._server), Page(shown._server)]
    for k in range(20):
        world.at(0.05 * k, Change("gravity", "g", (0.0, 0.0, -1.0 - k)))
    world.at(0.3, Remove(("ball 7",)))
    world.ramp(world["ball 6"], "mass", to=5.0, start=0.1, end=0.6)
    pages[0].ask("play", is_playing=True)
    over = threading.Event()

    def edit() -> None:
        for k in range(40):
            with world.lock, contextlib.suppress(KeyError):
                world[f"ball {draw.randrange(6)}"].mass = 1.0 + k / 10
            over.wait(0.01)

    other = threading.Thread(target=edit)
    other.start()
    for k in range(20):
        page = pages[k % 2]
        name = f"ball {draw.randrange(6)}"
        page.send(
            "apply", edit={"edit": "Change", "name": name, "parameter": "mass", "value": 20.0 + k, "key": 0}
        )
        if k % 5 == 0:
            page.send("insert", of="particle", values={"position": [k, 1, 0]})
        if k % 7 == 3:
            page.send("undo")
        page.read(0.03)
    other.join()
    until(lambda: world.time > 1.0, "the timeline is over")
    pages[0].ask("play", is_playing=False)
    assert "ball 7" not in world and world["ball 6"].mass == 5.0 and tuple(world["gravity"].g) == (0, 0, -20)
    pages.append(Page(shown._server))  # one that comes late
    for page in pages:
        settled(page, world)
        agree(page, world)
        page.close()


def test_twenty_pages_of_which_one_takes_nothing_see_the_same(show):
    shown = show(crowd())
    world = shown.world
    stalled = Page(shown._server)
    pages = [Page(shown._server) for _ in range(19)]
    before = world.time
    for page in pages:
        page.ask("insert", of="particle", values={"position": [0, 0, 1]})
    assert world.time >= before  # it ran meanwhile
    pages[0].ask("play", is_playing=False)
    for page in pages:
        settled(page, world)
        agree(page, world)
    assert len(stalled.names) == 9  # it has read nothing since, and now takes all of it
    settled(stalled, world)
    agree(stalled, world)
    for page in (*pages, stalled):
        page.close()


def test_all_pages_have_the_plots_that_one_of_them_pinned(show):
    shown = show(crowd())
    one, other = Page(shown._server), Page(shown._server)
    assert one.latest["Model"]["pinned"] is None
    scene = one.latest["Model"]["scene"]
    rows = [{"left": ["ball 3.position[2]"], "right": ["energy"], "x": ""}]
    one.ask("pin", scene=scene, plots=rows, traces=["ball 3"])
    other.until(lambda: other.latest.get("Pinned"))
    late = Page(shown._server)
    for told in (other.latest["Pinned"], late.latest["Model"]["pinned"]):
        assert (told["plots"], told["traces"]) == (rows, ["ball 3"])
    many = [{"left": ["energy"] * 400, "right": [], "x": ""}] * 3
    assert "remove some plots first" in one.refused("pin", scene=scene, plots=many)
    one.ask("new")
    one.until(lambda: one.latest["Model"]["scene"] != scene)
    one.ask("pin", scene=scene, plots=rows)  # of the world that is gone
    assert Page(shown._server).latest["Model"]["pinned"] is None


@pytest.mark.parametrize("is_free", [True, False])
def test_a_studio_that_was_started_anew_is_met_by_the_old_tab(show, meet, is_free):
    shown = show(crowd(), title="mine")
    port, token = shown._server.port, shown._server.token
    me = meet(shown.url)
    me.command("insert particle")
    me.page.locator(".parts", has_text="particle-1").wait_for()
    me.command("traces")
    shown.stop()
    me.sees(".banner", "is away")
    again = show(crowd() if is_free else td.World(), title="mine" if is_free else "asked for")
    again._server.stop()
    server = Server(again._session, port=port, token=token)
    assert server.port == port
    server.start()
    try:
        if is_free:
            until(lambda: "particle-1" in again.world, "the world is back")
            me.sees(".notice", "started anew")
            me.sees(".parts", "particle-1")
        else:
            me.sees(".title", "asked for")  # another world was asked for: it stays
            until(lambda: not me.reads(".banner"), "connected")
            assert not again.world.items
    finally:
        server.stop()


def test_a_token_is_kept_for_a_port_and_for_this_account_alone(state_folder):
    from tinkerdyne.studio.wire.tokens import kept

    token = kept(8137)
    file = state_folder / "tinkerdyne" / "tokens" / "8137"
    assert kept(8137) == token != kept(8138) and file.stat().st_mode & 0o077 == 0
    import os

    os.utime(file, (0, 0))
    assert kept(8137) != token  # it was not used for a day
