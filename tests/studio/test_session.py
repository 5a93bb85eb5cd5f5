"""The engine's thread: against the clock, honest when it is too slow, and alive whatever the world does."""

from __future__ import annotations

import json
import math
import time
import warnings

import numpy as np
import pytest

import tinkerdyne as td
from tests.patience import patience
from tests.studio.page import Page
from tinkerdyne.studio.session import start
from tinkerdyne.studio.session.past import Past
from tinkerdyne.studio.session.session import TICK, Session
from tinkerdyne.studio.show import describe
from tinkerdyne.studio.show.describe import encoder
from tinkerdyne.studio.wire.protocol import FrameLayout
from tinkerdyne.world.edit import Change, Rename, plain


def falling() -> td.World:
    world = td.World()
    world.add(td.Particle("ball", velocity=(0, 0, 5)), td.gravity())
    return world


def wait(is_true) -> None:
    start = time.monotonic()
    while not is_true():
        assert time.monotonic() - start < patience(60.0), "waited in vain"
        time.sleep(0.005)


def test_the_motion_does_not_depend_on_the_clock(show):
    """Steps are equally long whenever they come: the states on the way are those of the world run without a
    studio."""
    shown = show(falling())
    wait(lambda: shown.world.time > 0.3)
    shown._session.call(lambda: setattr(shown._session, "is_playing", False))
    alone = falling()
    h = TICK / alone.clock.parts(TICK)
    for _ in range(round(shown.world.time / h)):
        alone.step(h)
    assert shown.world["ball"].position == alone["ball"].position


def test_a_heavy_world_runs_slower_and_says_so(show, monkeypatch):
    world = falling()
    step = world.step
    # a step that takes longer than it simulates
    monkeypatch.setattr(world, "step", lambda dt: (time.sleep(0.02), step(dt))[1])
    shown = show(world)
    page = Page(shown._server)
    page.until(lambda: page.latest["Status"]["is_playing"] and page.latest["Status"]["real_speed"] < 0.6)
    page.ask("play", is_playing=False)  # commands are heard all the same
    page.close()


def test_a_tick_that_cannot_be_done_in_its_time_is_left_for_later(show, monkeypatch):
    world = falling()
    world.configure(max_step=1e-5)  # 833 steps a tick
    step, calls = world.step, []

    def slow(dt):
        calls.append(dt)
        time.sleep(dt / 1e-5 * 1e-3)  # 1 ms a step
        return step(dt)

    monkeypatch.setattr(world, "step", slow)
    shown = show(world)
    wait(lambda: len(calls) > 10)
    assert max(calls) < 1.5e-5  # one step of the engine at a time, so that the budget can end it
    before = len(calls)
    shown._session.call(lambda: None)
    assert len(calls) - before < 400  # within the tick: of a millisecond each, thirty are a budget


def test_an_exception_pauses_the_world_with_its_last_good_state(show, monkeypatch):
    world = falling()
    shown = show(world)
    page = Page(shown._server)
    step = world.step

    def broken(dt):
        step(dt)
        raise RuntimeError("a user's force said no")

    monkeypatch.setattr(world, "step", broken)
    page.until(lambda: page.notices)
    assert page.notices[0]["level"] == "error" and "said no" in page.notices[0]["text"]
    page.until(lambda: not page.latest["Status"]["is_playing"])
    state = world["ball"].position
    page.until(lambda: world.time == pytest.approx(page.time))  # the broken step was taken back
    monkeypatch.setattr(world, "step", step)
    page.ask("play", is_playing=True)
    page.until(lambda: world.time > 0 and world["ball"].position != state)
    page.close()


def test_a_value_that_is_no_number_pauses_the_world_and_is_said(show):
    world = td.World()
    particle = world.add(td.Particle("p"))
    world.add(td.formula_force(particle, "sqrt(0.2 - time)", "0", "0", time=td.formula("t"), name="edge"))
    shown = show(world)
    page = Page(shown._server)
    page.until(lambda: page.notices)
    assert "finite" in page.notices[0]["text"] and "edge" in page.notices[0]["text"]
    page.until(lambda: not page.latest["Status"]["is_playing"])
    assert all(map(math.isfinite, world["p"].position))
    page.close()


def test_warnings_of_the_engine_become_notices_and_others_stay(show):
    shown = show(start.build())
    page = Page(shown._server)
    shown._session.post(lambda: warnings.warn("the engine warns", stacklevel=1))
    page.until(lambda: any("the engine warns" in n["text"] for n in page.notices))
    with pytest.warns(UserWarning, match="the program warns"):
        warnings.warn("the program warns", stacklevel=1)
    page.close()


@pytest.mark.parametrize("jump", [3600.0, -3600.0, 1e9])
def test_a_clock_that_jumps_leaves_the_motion_alone(show, jump):
    shown = show(falling())
    session = shown._session
    page = Page(shown._server)
    wait(lambda: shown.world.time > 0.1)
    before = shown.world.time
    offset = [0.0]
    session.clock = lambda: time.monotonic() + offset[0]
    offset[0] = jump
    begin = time.monotonic()
    wait(lambda: shown.world.time > before + 0.2)
    assert shown.world.time - before < 3 * (time.monotonic() - begin) + 0.1  # no catching up
    page.frames = 0
    page.until(lambda: page.frames > 5)
    page.close()


def test_freedoms_and_conflicts_are_told_by_name(show):
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.nail(rod.end1, name="first"), td.gravity())
    page = Page(show(world)._server)
    page.until(lambda: page.latest["Status"]["freedoms"] == 3)
    page.ask("insert", of="nail", inputs=["rod.end1"], name="twin")
    page.until(lambda: page.latest["Status"]["conflicts"])
    assert page.latest["Status"]["conflicts"][0] == {"kind": "redundant", "names": ["first", "twin"]}
    page.ask("apply", edit=plain(Change("twin", "at", (0.0, 0.0, 1.0))))
    page.until(lambda: any(c["kind"] == "contradictory" for c in page.latest["Status"]["conflicts"]))
    assert page.latest["Status"]["is_playing"]  # by least squares, and on
    page.close()


def test_a_hand_that_pulls_too_far_is_no_conflict(show):
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.nail(rod.end1, name="hook"), td.gravity())
    shown = show(world)
    page = Page(shown._server)
    handle = page.ask("grab", item="rod", at=[0.5, 0, 0], is_hard=True)
    page.ask("drag", handle=handle, to=[3, 0, 0])
    wait(lambda: "hook" in shown._session.health.result.culprits)
    until = shown.world.time + 1.0
    while shown.world.time < until:
        page.read(0.1)
        assert not page.latest["Status"]["conflicts"] and not page.latest["Status"]["note"]
    page.close()


def test_energies_and_gap_are_those_of_the_world(show):
    shown = show(start.build())
    page = Page(shown._server)
    page.ask("play", is_playing=False)
    page.until(
        lambda: page.latest["Status"]["time"] == shown.world.time and not page.latest["Status"]["is_playing"]
    )
    status = page.latest["Status"]
    assert status["kinetic"] == pytest.approx(shown.world.kinetic_energy)
    assert status["gap"] == pytest.approx(shown.world.apart, abs=1e-9)
    page.close()


def test_a_ramp_of_the_timeline_shows_its_values(show):
    world = falling()
    spring = world.add(td.pull(world["ball"], by=(0, 0, 0), name="pull"))
    world.ramp(spring, "by", to=(0, 0, 20), start=0.1, end=0.6)
    page = Page(show(world)._server)
    assert page.latest["Model"]["timeline"][0]["title"] == "pull.by"
    page.until(
        lambda: page.latest.get("Values", {}).get("items", {}).get("pull", {}).get("by", [0, 0, 0])[2] == 20.0
    )
    page.close()


class Long(str):
    """As a picture among the values of an item: text of a type that JSON does not know."""


def test_a_value_that_is_no_json_is_told_in_a_few_words():
    assert len(json.loads(encoder.encode({"picture": Long("y" * 10_000)}))["picture"]) == 200


def test_a_world_that_cannot_be_described_is_said_once_and_can_be_mended(show, monkeypatch):
    world = falling()
    shown = show(world)
    page = Page(shown._server)
    monkeypatch.setattr(describe, "shape_of", lambda item: 1 / 0)
    world["ball"].mass = 2.0
    page.until(lambda: page.notices)
    page.read(0.3)
    assert len(page.notices) == 1 and "ZeroDivisionError" in page.notices[0]["text"]
    monkeypatch.undo()
    page.until(lambda: page.latest.get("Values", {}).get("items", {}).get("ball", {}).get("mass") == 2.0)
    page.close()


def test_the_first_sixty_seconds_are_ready(show):
    world = start.build()
    assert world["hinge"].gap < 1e-12 and not world.undo()
    before = world.energy
    world.run(2.0)
    assert world["second"].position[2] == pytest.approx(start.RADIUS, abs=1e-6)  # it lies and waits
    assert abs(world.energy - before) < 1e-3 * abs(before)
    assert np.linalg.norm(world["pendulum"].velocity) > 0


# --- the past ------------------------------------------------------------------------------------
def test_the_past_keeps_to_its_memory_and_forgets_the_oldest():
    past = Past(memory=10_000)
    for k in range(100):
        past.add(k / 60, bytes(1000), FrameLayout(0, 246, ()), None)
    assert past.bytes <= 10_000 and past.start is not None and past.start > 1
    assert past.at(0.0) is past.moments[0] and past.at(99.0) is past.moments[-1]
    assert past.at(97.5 / 60).time == pytest.approx(97 / 60)


def test_where_time_went_back_what_lay_ahead_is_forgotten():
    past = Past()
    for k in (1, 2, 3, 4, 2):
        past.add(float(k), bytes(16), FrameLayout(0, 0, ()), None)
    assert [m.time for m in past.moments] == [1, 2]
    past.clear()
    assert past.at(1.0) is None and past.bytes == 0


def test_a_session_that_is_stopped_leaves_the_world_to_its_owner(show):
    world = falling()
    shown = show(world)
    wait(lambda: world.time > 0.05)
    page = Page(shown._server)
    page.ask("grab", item="ball")
    shown.stop()
    assert not any(item.type.name == "tug" for item in world.items)
    before = world.time
    world.step(0.1)
    assert world.time == pytest.approx(before + 0.1)


def test_sessions_do_not_know_each_other(show):
    one, two = show(falling(), title="one"), show(start.build(), title="two")
    assert one.url != two.url
    first, second = Page(one._server), Page(two._server)
    assert first.latest["Model"]["title"] == "one" and second.latest["Model"]["title"] == "two"
    assert "ball" in first.names and "ball" not in second.names
    assert isinstance(one._session, Session)
    first.close()
    second.close()


def test_the_past_has_the_parts_and_the_energy_of_then(show):
    shown = show(start.build())
    page = Page(shown._server)
    page.until(lambda: page.time > 0.4)
    gone = page.ask("delete", names=["second"])
    page.ask("insert", of="sphere", name="new", values={"position": [0, 2, 3]})
    page.until(lambda: page.time > 0.8)
    page.ask("play", is_playing=False)
    page.ask("scrub", time=0.3)
    page.until(lambda: page.latest["Status"]["is_past"] and page.time < 0.4)
    layout, status = page.latest["Layout"], page.latest["Status"]
    assert {item["name"] for item in layout["then"]} == set(gone) >= {"second", "floor end1"}
    assert layout["since"] == [page.item("new")["key"]]
    # every arrow has an item that says its kind
    assert {t["name"] for t in layout["tracks"]} <= {*page.names, *gone}
    told = page.ask("recall", names=["energy"])
    energy = told["values"][0][told["times"].index(page.time)]
    assert status["kinetic"] + status["potential"] == pytest.approx(energy, rel=1e-5)
    assert status["freedoms"] == -1  # nobody counted them then
    layouts = shown._session.call(shown._session.view.recorded_layouts)  # of the file that is shared
    assert any(item.name == "second" for layout in layouts.values() for item in layout.then)
    page.ask("scrub")
    page.until(lambda: not page.latest["Status"]["is_past"] and not page.latest["Layout"]["then"])
    page.close()


def test_the_past_of_what_is_gone_follows_a_new_name(show):
    page = Page(show(start.build())._server)
    page.until(lambda: page.time > 0.2)
    page.ask("delete", names=["hinge"])
    page.ask("apply", edit=plain(Rename("pendulum", "arm")))
    page.ask("scrub", time=0.1)
    then = {item["name"]: item for item in page.latest["Layout"]["then"]}
    assert then["hinge"]["inputs"][0] == "arm.end1" and "arm" not in then and "pendulum" not in then
    page.close()
