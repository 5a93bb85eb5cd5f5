"""The studio as a person meets it: real Chromium, real mouse and keyboard, and the world on the server looked
at beside it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64decode
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.studio.person import Person, until
from tests.studio.unpacked import parts
from tinkerdyne import Rod, World, gravity, nail
from tinkerdyne.studio.session import start

CLIENT = Path(__file__).parents[2] / "tinkerdyne" / "studio" / "client"
AXE = CLIENT / "node_modules" / "axe-core" / "axe.min.js"


def pendulum(show):
    return show(start.build(), title="pendulum")


def hanging(show, **options):
    """A rod that hangs still."""
    world = World()
    turn = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)  # its x axis downwards
    rod = world.add(Rod("rod", position=(0, 0, 1.5), orientation=turn))
    world.add(nail(rod.end1, at=(0, 0, 2), name="hook"), gravity(name="gravity"))
    world.history.clear()
    return show(world, title="hanging", **options)


def axe() -> str:
    """The checker of accessibility; a page that came built has no development tools beside it yet."""
    if not AXE.is_file():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=CLIENT, check=True)
    return AXE.read_text()


def names(shown) -> set[str]:
    return {item.name for item in shown.world.items}


def test_first_sixty_seconds(show, meet):
    shown = pendulum(show)
    me = meet(shown.url)
    until(lambda: "Pull me" in me.reads(".label.hint"), "the hint is there")
    me.press("[", "[", "[", "[")  # slow motion, for a slow machine
    until(lambda: shown._session.speed == 0.05, "slow motion")
    chosen = me.page.locator(".speed select")
    until(lambda: chosen.evaluate("s => s.selectedOptions[0].text") == "×0.05", "the page says so")

    me.catch(lambda: me.towards("pendulum.end1", "pendulum", 0.5))  # nearer to its nail it is slower
    me.sees(".readout", " N")
    me.drop()
    until(lambda: "Pull me" not in me.reads(".label.hint"), "the hint goes after the first pull")

    joint = "connect-1"
    for _ in range(5):  # who is too late for what swings tries again
        me.catch(lambda: me.towards("second.end1", "second"))
        me.bring("pendulum.end2", "second.end1 to pendulum.end2")
        me.drop()
        me.press("]")
        until(lambda: shown._session.speed == 0.1, "whatever was asked for before that is done")
        if joint in names(shown):
            break
        me.press("[")
    assert joint in names(shown)
    me.sees(".row.chosen", joint)
    assert shown.world.diagnose().freedoms <= 6

    me.press("]", "]", "]")
    until(lambda: np.linalg.norm(shown.world[joint].gap) < 1e-3, "the rods have come together")
    me.press("Space")  # a click on what swings may miss it
    until(lambda: not shown._session.is_playing, "it is paused")
    me.press("Escape", "x")
    me.sees(".prompt", "Click a joint")
    me.click(me.still(joint))
    until(lambda: joint not in names(shown), "the joint is cut")
    me.press("Control+z")
    until(lambda: joint in names(shown), "the swing is back")

    me.press("Control+e")
    me.sees("pre.code", "td.Rod('pendulum'")
    assert me.reads("pre.code").count("world.add(") >= 5
    me.press("Escape")
    with me.page.expect_download() as download:
        me.command("share: a replay")
    page = Path(download.value.path()).read_text()
    assert page.startswith("<!doctype html>") and len(parts(page)["frames"]) > 0


def test_soft_and_hard_grab(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    home = me.seen("rod.end2")
    for modifier, kind in (("", "soft"), ("Shift", "hard")):
        if modifier:
            me.page.keyboard.down(modifier)
        x, y = me.towards("rod.end2", "rod")
        me.take((x, y))
        me.move((x + 90, y - 20))
        me.sees(".readout", kind)
        until(lambda: shown.world["rod"].end2.value[0] > 0.15, "the rod follows the hand")
        # A soft hand cannot pull the rod off its nail; a hard one is a second nail, and they come to terms.
        assert np.linalg.norm(np.array(shown.world["rod"].end1.value) - (0, 0, 2)) < (
            0.2 if modifier else 1e-4
        )
        until(
            lambda: float(re.search(r"([\d.]+) k?N", me.reads(".readout") + " 0 N")[1]) > 0.1,
            "the hand's force is shown",
        )
        me.drop()
        if modifier:
            me.page.keyboard.up(modifier)
        until(lambda: not me.reads(".readout"), "the hand is empty")
        me.press("Control+z")  # the whole drag is one step
        until(lambda: np.allclose(shown.world["rod"].position, (0, 0, 1.5), atol=5e-3), "undo puts it back")
        until(lambda: np.allclose(me.seen("rod.end2"), home, atol=2), "and the page shows it there")


def test_cut_undo_redo_keep_the_state(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    me.click(me.seen("hook"))
    me.sees(".inspector", "Nail")
    me.press("x")  # of what is selected
    until(lambda: "hook" not in names(shown), "it is cut")
    until(lambda: shown.world["rod"].position[2] < 1.2, "it falls")
    me.press("Control+z")
    until(
        lambda: "hook" in names(shown) and abs(shown.world["rod"].position[2] - 1.5) < 1e-3,
        "model and state are back",
    )
    me.press("Control+y")
    until(lambda: "hook" not in names(shown), "it is cut again")


def test_swipe_cuts_what_it_crosses(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    x, y = me.seen("hook")
    me.press("x")
    me.page.mouse.move(x - 60, y - 8)
    me.page.mouse.down()
    me.page.mouse.move(x + 60, y + 8, steps=8)
    me.page.mouse.up()
    until(lambda: "hook" not in names(shown), "the swipe cuts it")


def test_a_box_selects_what_is_in_it(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    (x, top), (_, y) = me._seen("hook", "rod")
    me.page.keyboard.down("Control")
    me.page.mouse.move(x + 120, y + 60)
    me.page.mouse.down()
    me.page.mouse.move(x - 120, top - 20, steps=4)
    edges = "l => { const b = l.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }"
    drawn = lambda: me.page.locator(".lasso").evaluate(edges)  # noqa: E731
    until(lambda: np.allclose(drawn(), (x - 120, top - 20, 240, y + 80 - top), atol=2), "the box is drawn")
    me.page.mouse.up()
    me.page.keyboard.up("Control")
    me.sees(".row.chosen", "rod")
    me.sees(".row.chosen", "hook")
    until(lambda: not me.page.locator(".lasso").count(), "the box is gone")


@pytest.mark.long
def test_names_do_not_lie_on_each_other(show, meet):
    world = World()
    for k in range(30):
        world.add(Rod(f"rod number {k}", position=(0.1 * (k % 6), 0, 0.07 * (k // 6))))
    me = meet(show(world, title="crowd", is_playing=False).url)
    me.page.locator(".row", has_text="rod number 17").click()
    me.focus_view()
    me.press("l")
    until(lambda: me.page.locator(".label.name").count() > 3, "some names have room")
    labels = "[...document.querySelectorAll('.label.name > span')]"
    boxes = me.page.evaluate(f"{labels}.map(l => [l.innerText, l.getBoundingClientRect()])")
    assert "rod number 17" in [name for name, _ in boxes]
    others = [box for name, box in boxes if name != "rod number 17"]
    for k, a in enumerate(others):
        for b in others[:k]:
            apart = (
                a["right"] <= b["left"]
                or b["right"] <= a["left"]
                or a["bottom"] <= b["top"]
                or b["bottom"] <= a["top"]
            )
            assert apart, (a, b)
    hidden = next(
        f"rod number {k}" for k in range(30) if f"rod number {k}" not in [name for name, _ in boxes]
    )
    me.page.locator(".row", has_text=hidden).first.hover()
    until(lambda: hidden in me.reads(".label.name"), "what is pointed at has its name")


@pytest.mark.long
def test_arrows_of_many_forces_wait_until_they_are_asked_for(show, meet):
    world = World()
    for k in range(160):
        rod = world.add(Rod(f"rod {k}", position=(0.1 * k, 0, 1.5)))
        world.add(nail(rod.end1, at=(0.1 * k - 0.5, 0, 1.5), name=f"hook {k}"))
    shown = show(world, title="many", is_playing=False)
    me = meet(shown.url)

    def chip() -> str:
        found: str = (
            me.page.locator(".kinds").get_by_role("button", name="constraints").get_attribute("aria-pressed")
        )
        return found

    until(lambda: chip() == "false", "they are off")
    me.focus_view()
    me.press("Shift+f")
    until(lambda: chip() == "true", "they are on")
    me.page.reload()
    me.page.wait_for_selector(".readings")
    me.page.wait_for_selector("[aria-label*='many here']")
    until(lambda: chip() == "true", "that is remembered")
    me.command("New world in space")
    until(lambda: "rod 0" not in shown.world, "a new world")
    until(lambda: not me.page.locator("[aria-label*='many here']").count(), "the page shows it")
    me.focus_view()
    me.press("Shift+f")
    until(lambda: chip() == "false", "the choice of worlds of few forces is another")
    assert me.page.evaluate("localStorage.getItem('tinkerdyne.forces constraint of many')") == "on"


def test_four_bar_made_by_hand(show, meet):
    shown = pendulum(show)
    me = meet(shown.url)
    with me.late():  # who is quick with the first part has not seen the new world yet
        me.command("New world in the plane")
        until(lambda: not names(shown) - {"gravity", "contact", "floor"}, "a new world")
        until(lambda: "pendulum" not in me.reads(".parts"), "the page shows it")
        me.command("insert rod")  # in the plane only its bodies are offered
    assert not shown._session.is_playing  # nothing falls out of sight while it is built
    bars: list[str] = []
    for x in (-1.5, 0.0, 1.5):
        if bars:
            me.command("insert rod")
        bars += until(
            lambda known=tuple(bars): names(shown) - {"gravity", "contact", "floor", *known}, "a bar"
        )
        assert shown.world[bars[-1]].position[0] == 0  # in the middle of the view
        me.focus_view()
        me.press("Escape")
        me.take(me.seen(bars[-1]))  # put it out of the way of the next one
        me.sees(".readout", "moved by")
        me.move(me.seen(f"@{x},-0.6,0"))
        me.drop()
        until(lambda: not me.reads(".readout"), "it is put down")
    crank, coupler, rocker = bars
    for bar in (crank, rocker):  # upright, by R
        me.take(me.seen(bar))
        me.sees(".readout", "R turns it")
        me.press(*"rrrrrr")
        me.drop()
        until(lambda bar=bar: abs(abs(shown.world[bar].angle) - np.pi / 2) < 1e-6, "it stands upright")
    for mine, other in ((f"{coupler}.end1", f"{crank}.end2"), (f"{rocker}.end2", f"{coupler}.end2")):
        count = len(names(shown))
        me.take(me.towards(mine, mine.split(".")[0], 0.08))
        me.bring(other, f"{mine} to {other}")
        me.drop()
        until(lambda count=count: len(names(shown)) > count, "joined")
        until(lambda: not me.reads(".readout"), "the page knows, and has selected the joint")
        assert np.allclose(
            *(getattr(shown.world[n.split(".")[0]], n.split(".")[1]).value for n in (mine, other)), atol=1e-5
        )
    me.press("Escape", "f")  # the feet may be out of sight
    for foot in (f"{crank}.end1", f"{rocker}.end1"):
        me.page.mouse.move(*me.seen(foot))
        me.press("n")
        until(
            lambda foot=foot: any(
                i.type.name == "nail" and foot in i.inputs[0].name for i in shown.world.items
            ),
            "nailed",
        )
    assert shown.world.diagnose().freedoms == 1
    me.press("Space")
    angle = shown.world[crank].angle
    until(lambda: abs(shown.world[crank].angle - angle) > 0.2, "the linkage falls over")
    gaps = [np.linalg.norm(i.gap) for i in shown.world.items if i.type.family == "constraint"]
    assert max(gaps) < 1e-4


def test_saved_killed_and_recovered(tmp_path, browser):
    command = [
        sys.executable,
        "-m",
        "tinkerdyne",
        "studio",
        "--no-browser",
        "--port",
        "0",
        "--folder",
        str(tmp_path),
    ]

    @contextmanager
    def run():
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            me = Person(browser, re.search(r"http://\S+", process.stdout.readline())[0])
            yield process, me
            me.leave()
        finally:
            process.kill()
            process.wait()

    with run() as (process, me):
        me.press("Control+s")
        me.page.locator("dialog[open] input").fill("kept.json")
        me.press("Enter")
        until(lambda: (tmp_path / "kept.json").is_file(), "it is saved")
        until(lambda: not me.page.locator("dialog[open]").count(), "the dialog closes")
        me.focus_view()
        me.command("sphere")
        me.sees(".parts", "sphere")
        kept = lambda: "".join(file.read_text() for file in (tmp_path / "state").rglob("*.json"))  # noqa: E731
        until(lambda: "sphere" in kept(), "it is autosaved")
        process.kill()
        me.sees(".banner", "server is away")
    assert "sphere" not in json.dumps(json.loads((tmp_path / "kept.json").read_text()))

    with run() as (_, me):
        me.sees(".banner", "was not saved")
        me.page.locator(".banner button", has_text="Recover").first.click()
        me.sees(".parts", "sphere")


@pytest.mark.long
def test_a_file_is_replaced_when_asked_and_plots_go_with_their_world(show, meet, tmp_path):
    other = tmp_path / "scenes" / "old.json"
    other.write_text("{}")
    shown = hanging(show)
    me = meet(shown.url)
    me.sees(".plots", "energy")

    def plotted() -> list[str]:
        return [said.split("\n")[0] for said in me.page.locator(".plots .plot-name").all_inner_texts()]

    assert plotted() == ["hook.force", "energy"]
    me.press("Control+Shift+S")
    me.page.wait_for_selector("dialog[open]")
    me.page.keyboard.type("old.json")
    me.press("Enter")
    me.sees("dialog", "there is already a file")
    me.page.get_by_role("button", name="Cancel").click()
    assert other.read_text() == "{}"
    me.press("Control+Shift+S")
    me.page.wait_for_selector("dialog[open]")
    me.page.keyboard.type("old.json")
    me.press("Enter")
    me.page.get_by_role("button", name="Replace").click()
    until(lambda: "hook" in other.read_text(), "it is replaced")
    me.sees(".title", "old")
    assert plotted() == ["hook.force", "energy"]
    for _ in range(2):  # the second one has the same title as the first
        me.command("New world in space")
        until(lambda: "rod" not in names(shown), "a new world")
        until(lambda: plotted() == ["energy"], "only what can be plotted is")
        me.command("insert: sphere")
        until(lambda: "sphere-1" in names(shown), "something")
        me.sees(".parts", "sphere-1")
        me.page.locator(".parts .row", has_text="sphere-1").first.click()
        me.page.locator(".inspector .chip", has_text="position z").click()
        me.sees(".plots", "sphere-1.position z")
        me.focus_view()
    me.command("New world in space")
    until(lambda: plotted() == ["energy"], "nothing dead is left")


def test_conflict_is_shown_and_mended(show, meet):
    world = World()
    rod = world.add(Rod("rod", position=(0, 0, 1)))
    world.add(
        nail(rod.end1, at=(-0.5, 0, 1), name="left"),
        nail(rod.end2, at=(1.5, 0, 1), name="right"),
        gravity(name="gravity"),
    )
    shown = show(world, title="conflict")
    me = meet(shown.url)
    for words in ("cannot all be met", "left", "right"):
        me.sees(".conflicts", words)
    me.page.locator(".conflicts .chip", has_text="right").click()
    me.page.locator(".inspector button", has_text="Remove this one").click()
    until(lambda: "right" not in names(shown), "one is removed")
    until(lambda: not me.page.locator(".conflicts").count(), "the conflict is gone")
    assert "left" in names(shown)


def test_two_browsers_and_python_see_one_world(show, meet):
    shown = hanging(show)
    me, other = meet(shown.url), meet(shown.url)
    me.command("insert sphere")
    other.sees(".parts", "sphere-1")
    shown.world.add(Rod("from python", position=(1, 0, 1), is_fixed=True))
    for one in (me, other):
        one.sees(".parts", "from python")
    other.page.locator(".row", has_text="sphere-1").first.click()
    field = other.page.get_by_label("radius", exact=True).last
    field.fill("0.2")
    field.press("Enter")
    until(lambda: shown.world["sphere-1"].radius == 0.2, "the radius is changed")
    me.page.locator(".row", has_text="sphere-1").first.click()
    until(
        lambda: me.page.get_by_label("radius", exact=True).last.input_value() == "0.2",
        "the other one sees it",
    )
    field.fill("-3")
    field.press("Enter")
    other.sees(".inspector .error", "radius")
    assert shown.world["sphere-1"].radius == 0.2


def test_no_serious_fault_of_accessibility(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    for theme in ("light", "dark"):
        me.page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        me.page.evaluate(axe())
        for prepare, shown_then in (
            (lambda: me.click(me.seen("rod")), ".row.chosen"),
            (lambda: me.press("Control+k"), "dialog[aria-label=Commands]"),
            (lambda: me.press("Escape", "?"), "dialog[aria-label='Keyboard and mouse']"),
            (lambda: me.press("Escape", "Control+Shift+O"), "dialog[aria-label=Gallery] .tile"),
        ):
            prepare()
            me.page.wait_for_selector(shown_then)
            until(
                lambda: me.page.evaluate("document.getAnimations().length === 0"), "nothing fades in or out"
            )
            found = me.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
            serious = [one for one in found if one["impact"] in ("serious", "critical")]
            assert not serious, [
                (one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in serious
            ]
        me.press("Escape")


def test_everything_by_keyboard(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    me.focus_view()
    me.press("Tab")
    me.sees(".row.chosen", "rod")
    me.press("g")
    me.sees(".readout", "soft")
    me.press(*["ArrowRight"] * 8)
    until(lambda: shown.world["rod"].end2.value[0] > 0.05, "arrows move what is held")
    me.press("Escape")
    until(lambda: not me.reads(".readout"), "Esc releases it")
    me.press("Space")
    until(lambda: not shown._session.is_playing, "it is paused")
    time = shown.world.time
    me.press(".")
    until(lambda: shown.world.time > time, "one step")
    me.press("F2")
    me.page.wait_for_selector("dialog[open]")
    me.page.keyboard.type("bar")
    me.press("Enter")
    until(lambda: "bar" in names(shown), "renamed")
    until(lambda: not me.page.locator("dialog[open]").count(), "the dialog closes")
    me.focus_view()
    me.press("Control+d")
    until(lambda: sum(i.type.name == "rod" for i in shown.world.items) == 2, "duplicated")
    me.press("Delete")
    until(lambda: sum(i.type.name == "rod" for i in shown.world.items) == 1, "deleted")
    me.press("F6")
    until(lambda: me.page.evaluate("!document.activeElement.matches('canvas')"), "F6 goes to the next panel")


def test_picking_inputs_of_a_spring(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    me.command("insert spring")
    me.sees(".prompt", "pick the first point")
    me.click(me.seen("rod.end2"))
    me.sees(".prompt", "pick the second point")
    x, y = me.seen("rod.end2")
    me.click((x + 120, y))
    spring = until(lambda: [i for i in shown.world.items if i.type.name == "spring"], "a spring")[0]
    assert spring.inputs[0].name.startswith("rod")
    me.sees(".inspector", "stiffness")


def test_scrub_and_go_on(show, meet):
    shown = pendulum(show)
    me = meet(shown.url)
    until(lambda: shown.world.time > 2.0, "some past")
    me.press("[", "[", "[", "[")  # slow motion: who looks late still sees that it went back
    until(lambda: shown._session.speed == 0.05, "slow motion")
    before = shown.world.time
    ruler = me.page.locator(".ruler-line")
    box = ruler.bounding_box()
    me.page.mouse.move(box["x"] + 10, box["y"] + 10)
    me.page.mouse.down()
    me.page.mouse.move(box["x"] + 30, box["y"] + 10, steps=4)
    me.page.mouse.up()
    me.sees(".past", "Looking at the past")
    until(lambda: float(ruler.get_attribute("aria-valuenow")) < before / 4, "the early past")
    until(lambda: float(ruler.get_attribute("aria-valuemax")) >= before, "what came later is still there")
    me.press("End")  # the ruler has the focus
    until(lambda: not me.page.locator(".past").count(), "back to now")
    me.page.mouse.down()
    me.page.mouse.up()
    me.sees(".past", "Looking at the past")
    me.page.locator(".past button", has_text="Go on from here").click()
    until(lambda: shown.world.time < before, "it goes on from there")
    until(lambda: not me.page.locator(".past").count(), "the page says so")


@pytest.mark.long
def test_selection_plots_and_the_past_follow_a_new_name(show, meet):
    shown = pendulum(show)
    me = meet(shown.url)
    me.page.locator(".parts .row", has_text="pendulum").first.click()
    me.page.locator(".inspector .chip", has_text="position z").click()
    me.sees(".plots figcaption", "pendulum.position z")
    until(lambda: shown.world.time > 1.0, "some past")
    me.focus_view()
    me.press("Space")
    until(lambda: not shown._session.is_playing, "paused")

    def plots() -> np.ndarray:
        urls = me.page.evaluate("[...document.querySelectorAll('.plot canvas')].map(c => c.toDataURL())")
        return np.hstack(
            [
                np.asarray(Image.open(BytesIO(b64decode(url.split(",")[1]))).convert("RGBA"), int)
                for url in urls
            ]
        )

    def are_like(a: np.ndarray, b: np.ndarray) -> bool:
        """But for edges of a line, of which a plot has about two pixels in each hundred."""
        return a.shape == b.shape and np.mean(np.abs(a - b).max(axis=-1) > 60) < 3e-3

    def is_still() -> bool:
        before = plots()
        me.page.wait_for_timeout(1500)
        return are_like(before, plots())

    height = shown.world["pendulum"].position[2]
    plot = me.page.locator(".plot", has_text="pendulum.position z").locator("b")
    until(lambda: abs(float(plot.inner_text() or "nan") - height) < 2e-3, "the last frame is read")
    until(is_still, "and drawn")
    before = plots()

    me.press("F2")
    me.page.wait_for_selector("dialog[open]")
    me.page.keyboard.type("arm")
    me.press("Enter")
    me.sees(".plots figcaption", "arm.position z")
    until(lambda: me.page.locator(".item-name").input_value() == "arm", "the selection follows")
    until(lambda: are_like(plots(), before), "the plots show what they showed")

    me.focus_view()
    me.press("Control+z")
    me.sees(".plots figcaption", "pendulum.position z")
    until(lambda: me.page.locator(".item-name").input_value() == "pendulum", "the selection follows")
    until(lambda: are_like(plots(), before), "the plots still do")


def test_shared_replay_needs_no_server(show, meet, tmp_path):
    shown = pendulum(show)
    me = meet(shown.url)
    until(lambda: shown.world.time > 1.0, "some past")
    with me.page.expect_download() as download:
        me.command("share: a replay")
    download.value.save_as(tmp_path / "replay.html")
    shown.stop()
    page = me.context.new_page()
    page.on("pageerror", lambda fault: me.faults.append(str(fault)))
    page.goto((tmp_path / "replay.html").as_uri() + "?lowfx=1&film=1")
    page.evaluate("window.tinkerdyne.ready")
    size = page.evaluate("window.tinkerdyne.size")
    assert size["frames"] > 20 and size["end"] - size["start"] > 0.5

    def picture(time: float) -> str:
        return page.evaluate(
            "t => (window.tinkerdyne.seek(t), document.querySelector('.viewport canvas').toDataURL())", time
        )

    early, late = size["start"], size["end"]
    first, last = picture(early), picture(late)
    assert first != last and picture(early) == first and picture(late) == last
    page.goto((tmp_path / "replay.html").as_uri() + "?lowfx=1")
    page.get_by_label("Time").fill(str(late))
    until(lambda: f"{late:.2f} s" in page.inner_text(".player"), "the slider scrubs")
