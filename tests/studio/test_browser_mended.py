"""What a person typed, and nothing else, changes the world; what was broken off is not done."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from tests.studio.page import Page
from tests.studio.person import Person, until
from tests.studio.test_browser import hanging, names, pendulum
from tests.studio.test_browser_building import events, still
from tinkerdyne import Change, Move, Rod, World, nail
from tinkerdyne.studio.session import start
from tinkerdyne.studio.session.health import Health
from tinkerdyne.world.edit import plain


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
    before, time = len(shown.world.history), shown.world.time
    until(lambda: shown.world.time > time + 0.3, "it swings on")
    for _ in range(8):
        me.press("Tab")
    caught_up(shown, me)
    assert not me.page.locator(".inspector .error, .notice.error").count()
    assert len(shown.world.history) == before


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
    until(lambda: length.input_value() == str(1 / 3), "all digits")
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
    until(lambda: field(me, "at x").count() and "e-8" in field(me, "at x").input_value(), "the nail is shown")
    cut_off = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.value)"
    until(lambda: me.page.locator(".number").evaluate_all(cut_off) == [], "no number is cut off")
    field(me, "at x").focus()
    until(lambda: field(me, "at x").input_value() == "1.711427e-8", "all digits for the one who edits them")


# --- gestures ------------------------------------------------------------------------------------
def test_escape_ends_a_gesture_until_the_next_press(show, meet):
    shown = hanging(show, is_playing=False)
    me = meet(shown.url)
    x, y = me.towards("rod.end2", "rod")
    me.take((x, y))
    me.move((x + 60, y))
    me.sees(".readout", "moved")
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
    with shown.world.lock:  # between two steps
        assert "hook" in names(shown) and np.allclose(shown.world["rod"].position, (0, 0, 1.5), atol=1e-3)

    x, y = me.towards("rod.end2", "rod")
    me.take((x, y))
    me.move((x + 30, y))
    me.sees(".readout", "soft")
    me.press("Escape")
    until(lambda: not me.reads(".readout"), "the hand is gone")
    until(lambda: not shown._session.hands.grips, "and is so for the world")
    me.move((x + 60, y))
    caught_up(shown, me)
    assert not me.reads(".readout") and not shown._session.hands.grips
    me.drop()


def test_a_lost_drag_joins_nothing(show, meet):
    world = World()
    world.add(Rod("a", position=(0, 0, 1)), Rod("b", position=(1.3, 0, 1)))
    world.history.clear()
    shown = show(world, title="lost")
    me = meet(shown.url)
    until(lambda: shown._session.is_playing, "it runs")

    def undo_elsewhere() -> None:
        page = Page(shown._server)
        page.ask("undo")
        page.close()

    for lose in (lambda: me.press("Control+z"), undo_elsewhere):
        me.catch(lambda: me.towards("b.end1", "b"))
        me.bring("a.end2", "b.end1 to a.end2")
        lose()
        if lose is undo_elsewhere:
            me.sees(".notices", "'b' is no longer held: an edit was undone")
        until(lambda: not me.reads(".readout"), "the hand is empty")
        x, y = me.seen("b")
        me.move((x, y - 200))
        me.drop()
        caught_up(shown, me)
        assert not me.page.locator(".notice.error").count()  # nobody did anything wrong
    assert not any(name.startswith("connect") for name in names(shown))


def test_what_was_left_again_is_not_joined(show, meet):
    world = World()
    world.add(Rod("a", position=(0, 0, 1)), Rod("b", position=(1.3, 0, 1)))
    shown = still(show, world)
    me = meet(shown.url)
    me.take(me.towards("b.end1", "b", 0.08))
    me.bring("a.end2", "b.end1 to a.end2")
    x, y = me.seen("@1.5,0,1.5")
    me.page.mouse.move(x, y)
    me.page.mouse.up()  # at once
    until(lambda: world["b"].position[2] > 1.4, "it is put where the hand let go")
    until(lambda: not me.reads(".readout"), "the hand is empty")
    assert names(shown) == {"a", "b"}

    me.take(me.towards("b.end1", "b", 0.08))
    me.bring("a.end2", "b.end1 to a.end2")
    me.page.mouse.up()
    until(lambda: "connect-1" in names(shown), "what is shown when it lets go is joined")


def test_a_nail_has_no_noise_in_its_place(show, meet):
    shown = hanging(show, is_playing=False)
    me = meet(shown.url)
    me.page.mouse.move(*me.seen("rod.end2"))
    me.press("n")
    until(lambda: "nail-1" in names(shown), "it is nailed")
    at = np.array(shown.world["nail-1"].at)
    assert np.allclose(at, (0, 0, 1), atol=1e-5) and at[0] == at[1] == 0


def test_a_path_that_leads_a_part_is_one_step(show, meet):
    shown = hanging(show, is_playing=False)
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


def test_a_stroke_after_clicked_keys_goes_on_with_their_path(show, meet):
    shown = hanging(show, is_playing=False)
    me = meet(shown.url)
    me.press("Shift+Digit1", "p")  # from the front: the picture's plane is x, z
    me.sees(".prompt", "Draw a path")
    x, y = me.seen("rod")
    me.click((x + 60, y))
    me.page.mouse.move(x + 120, y)
    me.page.mouse.down()
    me.page.mouse.move(x + 180, y - 60, steps=5)
    me.page.mouse.up()
    me.click((x + 60, y - 60))
    me.press("Enter")
    until(lambda: "path-1" in names(shown), "a path")
    times, *_, heights = np.transpose(keys := shown.world["path-1"].keys)
    assert np.all(np.diff(times) > 0) and len(keys) >= 4 and times[1] == pytest.approx(times[0] + 1, abs=2e-3)
    assert (
        heights[0] == pytest.approx(heights[1])
        and heights[-2] == pytest.approx(heights[-1])
        and heights[-1] > heights[0] + 0.1
    )
    across = np.transpose(keys)[1] - keys[0][1]  # 60 px, 120 px and back
    assert across[-2] == pytest.approx(2 * across[1], rel=0.02) and abs(across[-1]) < 0.02 * across[1]


# --- panels --------------------------------------------------------------------------------------
def test_events_are_planned_ahead_of_the_clock(show, meet):
    shown = hanging(show)
    shown._session.speed = 0.25  # the page may be late: a second of the world is four of its own
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
    ask()
    opened = shown.world.time
    until(lambda: shown.world.time > opened + 0.5, "time passes while the form is open")
    assert shown.world["hook"].is_on  # the past does not happen
    form.get_by_role("button", name="Plan it").click()
    until(lambda: len(events(shown)) == 2, "another one")
    assert events(shown)[1][0] > opened + 1  # a second after the clock, not after the form was opened
    shown._session.speed = 2.0
    until(lambda: not shown.world["hook"].is_on, "it happens")


def test_what_is_dragged_into_the_past_says_so(show, meet):
    world = World()
    rod = world.add(Rod("rod", position=(0, 0, 1)))
    world.add(nail(rod.end1, at=(-0.5, 0, 1), name="hook"))
    world.run(1.0)
    world.at(1.5, Change("hook", "is_on", False))
    shown = still(show, world)
    me = meet(shown.url)
    me.page.get_by_role("button", name="switch hook off at").focus()
    me.press("ArrowLeft")
    until(lambda: events(shown)[0][0] == pytest.approx(1.4), "it is sooner")
    assert not me.reads(".notices")
    me.press("Shift+ArrowLeft")
    me.sees(".notices", "only when the world goes back before it")
    assert events(shown)[0][0] == pytest.approx(0.4)


def test_a_quaternion_is_typed_number_by_number(show, meet):
    world = World()
    rod = world.add(Rod("rod", position=(0, 0, 1)))
    shown = still(show, world)
    me = meet(shown.url)
    me.page.locator(".row", has_text="rod").first.click()
    field(me, "orientation z").fill("1")
    me.press("Enter")
    until(
        lambda: np.allclose(rod.orientation, (0.5**0.5, 0, 0, 0.5**0.5)),
        "as much about z as none at all: a quarter turn",
    )
    until(lambda: field(me, "orientation w").input_value() == "0.70711", "the page has it")
    assert not me.reads(".field .error")
    page = Page(shown._server)
    page.ask("apply", edit=plain(Move("rod", (("orientation", (0, 3, 0, -4)),))))
    assert rod.orientation == pytest.approx((0, 0.6, 0, -0.8))
    assert "orientation" in page.refused("apply", edit=plain(Move("rod", (("orientation", (0, 0, 0, 0)),))))
    page.close()


def test_plots_and_freedoms_of_the_past_are_those_of_then(show, meet):
    shown = show(start.build())
    me = meet(shown.url)
    me.sees(".plots figcaption", "energy")
    until(lambda: shown.world.time > 1.5, "some past")
    me.press("Space")
    until(lambda: not shown._session.is_playing, "paused")
    plot = me.page.locator(".plot", has_text="hinge.force").locator("b")
    me.page.locator(".parts .row", has_text="second").first.click()
    me.press("Delete")
    until(lambda: "second" not in names(shown), "the past is of other parts")
    now = shown.world.time

    def last() -> list[float]:
        """The times at which the drawn lines end."""
        return [line["xs"][-1] for line in me.page.evaluate("window.tinkerdyne.drawn()")["lines"]]

    force = float(np.linalg.norm(shown.world["hinge"].force))
    is_now = lambda: abs(float(plot.inner_text() or "nan") - force) < 0.02  # noqa: E731
    until(is_now, "the last frame is read")
    me.page.locator(".ruler-line").focus()
    me.press("ArrowLeft")
    me.sees(".past", "Looking at the past")
    me.sees(".readings", "–")

    def is_then() -> bool:  # at its peak it is the same for some frames
        me.press("ArrowLeft")
        return not is_now()

    until(is_then, "the force of then")
    until(lambda: last() == [now, now], "plots with all that came later")
    me.press("End")
    until(lambda: not me.page.locator(".past").count(), "back to now")
    until(is_now, "the force of now again")
    assert shown.world.time == now and last() == [now, now]


def test_a_narrow_bar_keeps_its_readings(show, meet, monkeypatch):
    report = Health.report

    def slow(*args, **options):
        numbers = {
            "time": 12.34,
            "kinetic": 0.321,
            "potential": 1.234,
            "gap": 2e-9,
            "step_ms": 1.2,
            "freedoms": 7,
        }
        said = {"is_playing": True, "real_speed": 0.9, "note": "a step was divided"}
        return msgspec.structs.replace(report(*args, **options), **numbers, **said)

    monkeypatch.setattr(Health, "report", slow)
    me = meet(pendulum(show).url)
    me.page.set_viewport_size({"width": 1024, "height": 700})
    me.sees(".slow.rate", "×0.90")
    me.sees(".slow", "a step")
    until(
        lambda: me.page.locator(".bar").evaluate("b => b.scrollWidth <= b.clientWidth"),
        "all of the bar is there",
    )
    edges = (
        "r => [r, ...r.querySelectorAll('dd')].map(e => e.getBoundingClientRect()).map(b => [b.width, "
        "b.right])"
    )
    [(_, end), *readings] = me.page.locator(".readings").evaluate(edges)
    assert len(readings) == 6 and all(width > 0 and right <= end for width, right in readings)


def test_the_palette_finds_the_title_that_was_typed(show, meet):
    me = meet(hanging(show).url)
    me.press("Control+k")
    first = me.page.locator("[role=option][aria-selected=true] .command-title")
    for typed in ("insert: connect", "connect", "insert conn"):
        me.page.get_by_label("Search commands").fill(typed)
        until(lambda: first.all_inner_texts() == ["Insert: Connect"], f"{typed!r} means the joint")
