"""What the page draws is what Python reads: plots, traces and the bar, in the browser."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.person import Person, until

CLOSE = 1e-7  # relative: a rounding of float32
Read = dict[float, dict[str, float]]


def swinging() -> td.World:
    """A double pendulum, of which the force of the nail has sharp peaks."""
    world = td.World()
    upper = world.add(td.Rod("upper", length=0.8, position=(0.4, 0, 2)))
    lower = world.add(td.Rod("lower", length=0.6, position=(1.1, 0, 2)))
    world.add(td.nail(upper.end1, at=(0, 0, 2), name="hook"), td.gravity())
    world.add(td.connect(upper.end2, lower.end1, name="knee"))
    world.history.clear()
    return world


def keep(shown) -> Read:
    """What Python reads at every frame of the recording from now on."""
    view, read = shown._session.view, {}
    present = view.present

    def presented(*given, **named):
        present(*given, **named)
        world = shown.world
        read[world.time] = {
            "hook.force": float(np.linalg.norm(world["hook"].force)),
            "energy": world.energy,
            **{f"upper.end2[{k}]": x for k, x in enumerate(tip(world))},
        }

    view.present = presented
    return read


def tip(world: td.World) -> tuple[float, ...]:
    """Where the upper rod's end is."""
    w, x, y, z = world["upper"].orientation
    along = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    return tuple((np.array(world["upper"].position) + 0.4 * along).tolist())


def drawn(me: Person) -> dict:
    return me.page.evaluate("window.tinkerdyne.drawn()")


def missing(line: dict, read: Read) -> int:
    """How many of the moments that Python read, from the first drawn one to the last, have a value above or
    below all that is drawn within a column of pixels of them."""
    points = np.array([(x, y) for x, y in zip(line["xs"], line["ys"], strict=True) if y is not None])
    column = (line["span"][1] - line["span"][0]) / line["pixels"]
    count = 0
    for time, one in read.items():
        if points[0, 0] <= time <= points[-1, 0]:
            value = one[line["name"]]
            near = points[np.abs(points[:, 0] - time) <= column, 1]
            slack = CLOSE * max(abs(value), 1e-3)
            count += not (len(near) and near.min() - slack <= value <= near.max() + slack)
    return count


def check(seen: dict, read: Read) -> int:
    """Every point of every line is what Python read, and no peak of a column of pixels is missing; how many
    points were compared."""
    count = 0
    for line in seen["lines"]:
        name, points = (
            line["name"],
            [(x, y) for x, y in zip(line["xs"], line["ys"], strict=True) if y is not None],
        )
        for time, value in points:
            true = read[time][name]
            assert abs(value - true) <= CLOSE * max(abs(true), 1e-3), (name, time)
            count += 1
        assert missing(line, read) == 0
    ways = np.array([[one[f"upper.end2[{k}]"] for k in range(3)] for one in read.values()])
    for x, y, z in np.array(seen["traces"].get("upper.end2", [])).reshape(-1, 3):
        assert np.abs(ways - (x, y, z)).max(axis=1).min() <= 4 * CLOSE  # sums of a place and a turned one
        count += 1
    return count


def test_what_is_drawn_is_what_python_reads(show, meet, tmp_path):
    shown = show(swinging(), is_playing=False)
    read = keep(shown)
    shown._session.call(lambda: shown._session.view.past.clear())
    me = meet(shown.url)
    me.sees(".plots", "hook.force")
    me.press("Space")
    until(lambda: shown.world.time > 1.0, "it swings")
    me.command("traces")
    until(lambda: shown.world.time > 2.5, "it swings")
    me.press("Space")
    until(lambda: not shown._session.is_playing, "a pause")
    until(
        lambda: drawn(me)["lines"] and drawn(me)["lines"][0]["xs"][-1] == shown.world.time, "all of it came"
    )
    until(lambda: len(drawn(me)["traces"].get("upper.end2", [])) > 600, "traced from its beginning")
    until(lambda: drawn(me)["status"]["time"] == shown.world.time, "the bar is of now")
    seen = drawn(me)
    assert check(seen, read) > 500
    status = seen["status"]
    assert (
        status["kinetic"] + status["potential"] == shown.world.energy and status["gap"] == shown.world.apart
    )
    name = float(me.reads(".plot-name b").split()[0])
    assert name == pytest.approx(read[shown.world.time]["hook.force"], rel=5e-3)  # three digits
    me.page.reload()  # nothing is lost, and nothing is invented
    count = "window.tinkerdyne?.drawn().lines[0]?.xs.length ?? 0"
    until(lambda: me.page.evaluate(count) > 100, "all of it is there again")
    assert check(drawn(me), read) > 200
    saved_as(me, "csv", tmp_path / "force.csv")
    rows = [line.split(",") for line in (tmp_path / "force.csv").read_text().splitlines()[1:]]
    assert len(rows) == len(read)
    for time, value in rows:
        assert float(value) == pytest.approx(read[float(time)]["hook.force"], rel=CLOSE)
    saved_as(me, "svg", tmp_path / "force.svg")
    assert "hook.force [N]" in (tmp_path / "force.svg").read_text()
    saved_as(me, "png", tmp_path / "force.png")
    assert (tmp_path / "force.png").read_bytes()[1:4] == b"PNG"


def saved_as(me: Person, kind: str, file: Path) -> None:
    """The first plot as a file, by its menu."""
    if not me.page.locator(".plot-sheet").count():
        me.page.locator(".plot-menu button").first.click()
    with me.page.expect_download() as download:
        me.page.locator(".plot-sheet button", has_text=kind.upper()).click()
    download.value.save_as(file)


def test_a_trace_ends_with_its_world(show, meet):
    shown = show(swinging())
    me = meet(shown.url)
    me.command("traces")
    until(lambda: len(drawn(me)["traces"].get("upper.end2", [])) > 100, "a trace")
    me.command("new world in space")
    until(lambda: "upper" not in shown.world, "another world")
    until(lambda: not any(drawn(me)["traces"].values()), "no trace is left")


def test_a_page_that_comes_again_or_late_has_the_plots_of_all(show, meet):
    shown = show(swinging())
    me = meet(shown.url)
    me.page.click(".parts .row .name >> text=lower")
    me.page.click(".inspector .chip >> text=velocity z")
    me.press("Shift+Y")  # and a trace
    names = lambda: [line["name"] for line in drawn(me)["lines"]]  # noqa: E731
    until(lambda: names()[-1:] == ["lower.velocity[2]"], "the plot is there")
    plots = names()
    until(lambda: shown.world.time > 1.0, "some past")
    me.page.click(".viewport canvas", position={"x": 400, "y": 20})
    me.press("Space")
    until(lambda: not shown._session.is_playing, "it is paused")

    def seen(page: Person) -> dict:
        until(lambda: [line["name"] for line in drawn(page)["lines"]] == plots, "the same plots")
        return until(lambda: is_whole(drawn(page)) and drawn(page), "all of the past")

    def is_whole(found: dict) -> bool:
        end = np.array(found["traces"].get("lower.end2") or [np.inf])[-3:]
        return bool(np.allclose(end, shown.world["lower"].end2.value, atol=1e-5)) and all(
            line["xs"] and abs(line["xs"][-1] - shown.world.time) < 1e-6 for line in found["lines"]
        )

    mine = seen(me)
    me.page.reload()
    other = meet(shown.url)
    for page in (me, other):
        again = seen(page)
        assert [line["ys"] for line in again["lines"]] == [line["ys"] for line in mine["lines"]]
        assert again["traces"] == mine["traces"]
    other.page.click('.plots [aria-label="Remove the plot of energy"]')
    plots.remove("energy")
    seen(me)


@pytest.mark.long
def test_undo_at_the_page_says_what_it_did_and_offers_to_go_back(show, meet):
    shown = show(swinging())
    me = meet(shown.url)
    me.command("insert sphere")
    until(lambda: "sphere-1" in shown.world, "a sphere")
    me.press("Escape")
    since = shown.world.time
    until(lambda: shown.world.time > since + 0.3, "it runs")
    before = shown.world.time
    me.press("Control+z")
    me.sees(".notice", "undid: inserted sphere-1; the run was kept")
    assert "sphere-1" not in shown.world and shown.world.time >= before
    me.press("Space")
    me.page.locator(".notice .offer").click()
    until(lambda: shown.world.time <= since, "back in time")
    me.press("Home")
    until(lambda: shown.world.time == 0 and not shown._session.is_playing, "the start")
    me.press("Space")
    until(lambda: shown.world.time > 0.5, "it runs")
    me.press("k")
    me.page.locator(".flag-name").fill("here")
    me.press("Enter")
    until(lambda: me.page.locator(".flag[aria-label*=here]").count(), "it has a name")
    number = shown.world.time
    me.press("Space", ",", ",", ",")
    me.sees(".past", "Looking at the past")
    me.press("Shift+L")
    until(lambda: len(shown._session.loop.span or ()) == 2, "a loop")
    me.press("Shift+L", "End")
    until(lambda: shown._session.loop.span is None and shown._session.view.shown is None, "now")
    me.page.locator(".flag[aria-label*=here]").click()
    until(lambda: shown.world.time <= number, "there again")


@pytest.mark.long
def test_the_view_is_taken_out_of_the_page(show, meet, tmp_path):
    shown = show(swinging())
    me = meet(shown.url)
    until(lambda: shown.world.time > 1.0, "some past")
    with me.page.expect_download() as download:
        me.command("picture of the view")
    download.value.save_as(tmp_path / "view.png")
    assert (tmp_path / "view.png").read_bytes()[1:4] == b"PNG"
    me.press("Space")
    with me.page.expect_download() as download:
        me.command("film of the recorded past")
    download.value.save_as(tmp_path / "film")
    data = (tmp_path / "film").read_bytes()
    assert len(data) > 10_000 and (data[4:8] == b"ftyp" or data[:4] == b"\x1aE\xdf\xa3")
    json.dumps(drawn(me))
