"""What a person typed, and nothing else, changes the world; what was broken off is not done."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from tests.studio.person import Person, until
from tests.studio.test_browser import hanging, names, pendulum
from tests.studio.test_browser_building import events, still
from tinkerdyne import Rod, World, nail
from tinkerdyne.studio.health import Health


def caught_up(shown, me: Person) -> None:
    """Whatever the page has sent is done: commands are carried out in their order."""
    before = shown._session.speed
    me.focus_view()
    me.press("[")
    until(lambda: shown._session.speed < before, "a command after it is done")


def field(me: Person, label: str):
    return me.page.get_by_label(label, exact=True).and_(me.page.locator(".number"))


# --- the inspector -------------------------------------------------------------------------------
def test_fields_of_a_running_part_can_be_passed_through(show, meet):
    shown = pendulum(show)
    me = meet(shown.url)
    me.page.locator(".row", has_text="pendulum").first.click()
    field(me, "position x").click()
    before, time = len(shown.world._undo), shown.world.time
    until(lambda: shown.world.time > time + 0.3, "it swings on")
    for _ in range(8):
        me.press("Tab")
    assert not me.page.locator(".inspector .error, .notice.error").count()
    caught_up(shown, me)
    assert len(shown.world._undo) == before


def test_fields_send_what_is_typed_and_say_what_is_no_number(show, meet):
    world = World()
    rod = world.add(Rod("rod", length=1 / 3, mass=1.0, position=(0, 0, 1)))
    world.add(nail(rod.end1, at=(1.711427e-8, 0, 1), name="hook"))
    shown = still(show, world)
    me = meet(shown.url)
    me.page.locator(".row", has_text="rod").first.click()
    mass, length = field(me, "mass"), field(me, "length")
    mass.focus()
    me.press("ArrowUp", "ArrowUp", "ArrowUp")
    until(lambda: rod.mass == pytest.approx(1.3) and mass.input_value() == "1.3", "field and world agree")
    length.focus()
    assert length.input_value() == str(1 / 3)
    me.press("Tab")
    for wrong in ("abc", "3 kg", "1e999"):
        mass.fill(wrong)
        me.press("Tab")
        me.sees(".field .error", f"a number, such as 0.5, not “{wrong}”")
    mass.fill("2,5")
    until(lambda: not me.reads(".field .error"), "a new entry, and the old words are gone")
    me.press("Enter")
    until(lambda: rod.mass == 2.5, "the last entry counts")
    assert rod.length == 1 / 3
    me.press("Tab")

    me.page.locator(".row", has_text="hook").first.click()
    until(field(me, "at x").count, "the nail is shown")
    assert "e-8" in field(me, "at x").input_value()
    cut_off = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.value)"
    assert me.page.locator(".number").evaluate_all(cut_off) == []
    field(me, "at x").focus()
    until(lambda: field(me, "at x").input_value() == "1.711427e-8", "all digits for the one who edits them")


# --- gestures ------------------------------------------------------------------------------------
def test_escape_ends_a_gesture_until_the_next_press(show, meet):
    shown = hanging(show)
    shown._session.is_playing = False
    me = meet(shown.url)
    x, y = me.towards("rod.end2", "rod")
    me.take((x, y))
    me.move((x + 60, y))
    me.sees(".readout", "moved by")
    me.press("Escape")
    until(lambda: not me.reads(".readout"), "nothing is in hand")
    me.move((x + 90, y))
    me.drop()

    x, y = me.seen("hook")
    me.press("x")
    me.sees(".prompt", "Click a joint")
    me.page.mouse.move(x - 60, y)
    me.page.mouse.down()
    me.page.mouse.move(x - 20, y, steps=3)
    me.press("Escape")
    me.page.mouse.move(x + 60, y, steps=6)
    me.drop()
    me.press("Escape", "Space")
    until(lambda: shown._session.is_playing, "it runs")
    assert "hook" in names(shown) and np.allclose(shown.world["rod"].position, (0, 0, 1.5), atol=1e-3)

    x, y = me.towards("rod.end2", "rod")
    me.take((x, y))
    me.move((x + 30, y))
    me.sees(".readout", "soft")
    me.press("Escape")
    until(lambda: not me.reads(".readout"), "the hand is gone")
    me.move((x + 60, y))
    me.seen("rod")
    assert not me.reads(".readout") and not shown._session.hands.grips
    me.drop()


def test_a_lost_drag_joins_nothing(show, meet):
    world = World()
    world.add(Rod("a", position=(0, 0, 1)), Rod("b", position=(1.3, 0, 1)))
    world._undo.clear()
    shown = show(world, title="lost")
    me = meet(shown.url)
    until(lambda: shown._session.is_playing, "it runs")
    for lose in (lambda: me.press("Control+z"), shown._session.hands.let_go):  # by one's own undo, or by another page's
        me.take(me.towards("b.end1", "b"))
        me.move(me.seen("a.end2"))
        me.sees(".readout", "b.end1 to a.end2")
        lose()
        until(lambda: not me.reads(".readout"), "the hand is empty")
        x, y = me.seen("b")
        me.move((x, y - 200))
        me.drop()
        if lose != shown._session.hands.let_go:
            caught_up(shown, me)
            assert not me.page.locator(".notice.error").count()
    caught_up(shown, me)
    assert not any(name.startswith("connect") for name in names(shown))


def test_a_nail_has_no_noise_in_its_place(show, meet):
    shown = hanging(show)
    shown._session.is_playing = False
    me = meet(shown.url)
    me.page.mouse.move(*me.seen("rod.end2"))
    me.press("n")
    until(lambda: "nail-1" in names(shown), "it is nailed")
    at = np.array(shown.world["nail-1"].at)
    assert np.allclose(at, (0, 0, 1), atol=1e-5) and at[0] == at[1] == 0


def test_a_path_that_leads_a_part_is_one_step(show, meet):
    shown = hanging(show)
    shown._session.is_playing = False
    me = meet(shown.url)
    x, y = me.seen("rod.end2")
    me.focus_view()
    me.press("p")
    me.sees(".prompt", "Draw a path")
    me.click((x, y))
    me.click((x + 80, y - 40))
    me.press("Enter")
    until(lambda: {"path-1", "connect-1"} <= names(shown), "the rod follows a path")
    assert shown.world["connect-1"].inputs[1].name == "path-1"
    me.sees(".parts", "connect-1")
    me.press("Control+z")
    until(lambda: not {"path-1", "connect-1"} & names(shown), "one step takes both away")
    assert "hook" in names(shown)


# --- panels --------------------------------------------------------------------------------------
def test_events_are_planned_ahead_of_the_clock(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    form = me.page.locator(".event-form")
    me.page.locator(".row", has_text="hook").first.click()

    def ask() -> None:
        me.focus_view()
        me.press("e")
        until(form.count, "the form is there")

    ask()
    form.get_by_label("at", exact=True).last.fill("0.1")
    until(lambda: shown.world.time > 0.2, "that time has passed")
    me.press("Enter")
    me.sees(".notices", "only when the world goes back before it")
    until(lambda: len(events(shown)) == 1, "it is planned")
    planned = shown.world.time
    ask()
    until(lambda: shown.world.time > planned + 1.3, "time passes while the form is open")
    assert shown.world["hook"].is_on  # the past does not happen
    now = shown.world.time
    form.get_by_role("button", name="Plan it").click()
    until(lambda: len(events(shown)) == 2, "another one")
    assert events(shown)[1][0] > now
    until(lambda: not shown.world["hook"].is_on, "it happens")


def test_a_narrow_bar_keeps_its_readings(show, meet, monkeypatch):
    report = Health.report

    def slow(*args, **options):
        return msgspec.structs.replace(report(*args, **options), is_playing=True, real_speed=0.9, note="a step was divided")

    monkeypatch.setattr(Health, "report", slow)
    me = meet(pendulum(show).url)
    me.page.set_viewport_size({"width": 1024, "height": 700})
    me.sees(".slow.rate", "×0.90")
    me.sees(".slow", "a step")
    until(lambda: me.page.locator(".bar").evaluate("b => b.scrollWidth <= b.clientWidth"), "all of the bar is there")
    edges = "r => [r, ...r.querySelectorAll('dd')].map(e => e.getBoundingClientRect()).map(b => [b.width, b.right])"
    [(_, end), *readings] = me.page.locator(".readings").evaluate(edges)  # at one moment: they change their widths as they run
    assert len(readings) == 5 and all(width > 0 and right <= end for width, right in readings)


def test_the_palette_finds_the_title_that_was_typed(show, meet):
    me = meet(hanging(show).url)
    me.press("Control+k")
    first = me.page.locator("[role=option][aria-selected=true] .command-title")
    for typed in ("insert: connect", "connect", "insert conn"):
        me.page.get_by_label("Search commands").fill(typed)
        until(lambda: first.all_inner_texts() == ["Insert: Connect"], f"{typed!r} means the joint")
