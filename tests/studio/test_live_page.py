"""A world as one file: the engine runs in the page as it runs in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tinkerdyne as td
from tests.patience import HANG
from tests.studio.page import Page
from tests.studio.unpacked import content, parts
from tinkerdyne import gallery
from tinkerdyne.cli import app
from tinkerdyne.studio.show.live import CannotRun, live_page
from tinkerdyne.studio.show.written import packed

SAME = (
    1e-9  # of all places, in m and rad: last digits differ, since there is no fused multiply-add in the page
)
LARGEST = 400_000  # bytes of a file


@contextmanager
def opened(
    browser: Any, folder: Path, world: td.World, watched: tuple[str, ...] | None = ("energy",)
) -> Iterator[Any]:
    """The file of a world, opened from disk."""
    file = folder / "world.html"
    file.write_text(live_page(world, "a world", watched), encoding="utf-8")
    context = browser.new_context(viewport={"width": 800, "height": 600}, offline=True)
    page = context.new_page()
    page.set_default_timeout(1e3 * HANG)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(file.as_uri())
    page.evaluate("async () => { await world.ready; world.play(false); }")
    yield page
    context.close()
    assert not faults, faults


def off(page: Any, world: td.World) -> float:
    """How far the places in the page are from those in Python, at the same time."""
    assert abs(page.evaluate("world.time") - world.time) < 1e-9
    return float(np.abs(np.array(page.evaluate("world.state()")) - world.engine.arena.q).max())


def pendulum() -> td.World:
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.connect(rod.end1, td.Nail(0, 0, 0)), td.gravity())
    return world


def test_a_shared_world_runs_is_changed_and_reset_in_its_page(browser, tmp_path) -> None:
    world = pendulum()
    world.run(seconds=0.2)
    with opened(browser, tmp_path, world, ("energy", "connect-1.force")) as page:
        begin = page.evaluate("world.time")
        page.evaluate("world.reset()")
        assert page.evaluate("world.time") <= begin
        page.evaluate("world.step(0.5)")
        world.step(0.5)
        assert off(page, world) < SAME
        assert page.evaluate("world.get('energy')") == pytest.approx(world.energy, rel=1e-9)
        force = np.linalg.norm(world["connect-1"].force)
        assert page.evaluate("world.get('connect-1.force')") == pytest.approx(force, rel=1e-6)
        field = next(item for item in world.items if item.type.family == "field")
        page.evaluate(f"world.set({field.name!r}, 'g', [0, 0, -1.62])")
        field.g = (0, 0, -1.62)
        page.evaluate("world.step(0.5)")
        world.step(0.5)
        assert off(page, world) < SAME
        page.evaluate("world.reset()")
        before = page.evaluate("world.state()")
        assert "cannot be changed" in page.evaluate(
            "() => { try { world.set('rod', 'nothing', 1); return ''; } catch (e) { return e.message; } }"
        )
        assert page.evaluate("world.state()") == before


def with_controls() -> td.World:
    """A swinging rod on whose end a bead hangs by a spring; everything can be switched."""
    world = pendulum()
    bead = world.add(td.Particle("bead", position=(1.5, 0, 0)))
    pull = world.add(td.spring(world["rod"].end2, bead, stiffness=20.0, length=0.4, name="pull"))
    world.show(
        traces=["rod.end2"],
        plots=["energy", "connect-1.force"],
        controls=[
            td.control(pull, "stiffness", low=1, high=101, keys="J K"),
            td.control(world["connect-1"], "is_on", kind="switch", keys="H"),
        ],
    )
    return world


def test_controls_and_switches_do_in_the_page_what_they_do_in_python(browser, tmp_path) -> None:
    world = with_controls()
    with opened(browser, tmp_path, world, watched=None) as page:
        page.evaluate("world.reset()")
        for name in ("gravity-1", "connect-1", "pull"):
            for is_on in (False, True):
                page.evaluate(f"world.set({name!r}, 'is_on', {str(is_on).lower()}); world.step(0.1)")
                world[name].is_on = is_on
                world.step(0.1)
                assert off(page, world) < SAME, (name, is_on)
        page.keyboard.press("K")  # a twentieth of the slider
        world["pull"].stiffness = page.evaluate("world.get('pull.stiffness')")
        assert world["pull"].stiffness == pytest.approx(25.0)
        page.keyboard.press("H")
        world["connect-1"].is_on = False
        page.evaluate("world.step(0.2)")
        world.step(0.2)
        assert off(page, world) < SAME
        assert not page.locator("role=switch").is_checked()
        page.evaluate("world.reset()")
        assert page.locator("role=switch").is_checked()
        assert page.evaluate("world.get('pull.stiffness')") == 20.0
        fresh = with_controls()
        fresh.engine.evaluate()
        assert off(page, fresh) == 0


def test_a_timeline_happens_in_the_page(browser, tmp_path) -> None:
    def planned() -> td.World:
        world = with_controls()
        world.ramp(world["pull"], "stiffness", to=60.0, start=0.0333, end=0.21)
        world.at(0.25, td.Change("connect-1", "is_on", False))
        world.at(0.35, td.Change("gravity-1", "g", (0.0, 0.0, 3.0)))
        return world

    world = planned()
    with opened(browser, tmp_path, world, watched=None) as page:
        for _ in range(2):
            page.evaluate("world.reset()")
            world = planned()
            for dt in (0.1, 0.173, 0.2):
                page.evaluate(f"world.step({dt})")
                world.step(dt)
                assert off(page, world) < SAME, dt


@pytest.mark.long
@pytest.mark.parametrize("is_hard", [False, True])
def test_a_part_is_pulled_by_hand(browser, tmp_path, is_hard) -> None:
    """The rod of a pendulum is held up; hard it is held close to the pointer."""
    with opened(browser, tmp_path, pendulum()) as page:
        page.evaluate("world.reset()")
        box = page.locator("main canvas").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if is_hard:
            page.keyboard.down("Shift")
        page.mouse.move(x, y)
        page.mouse.down()
        page.wait_for_selector(".readout")
        assert ("hard" if is_hard else "soft") in page.locator(".readout").inner_text()
        page.evaluate("world.step(2)")
        sag = -page.evaluate("world.state()[2]")
        # g τ² is 0.098 m soft and 0.009 m hard; the rod also rolls about the point where it is held
        assert 0 < sag < (0.06 if is_hard else 0.15), "without a hand it would hang half a metre lower"
        page.mouse.up()
        page.wait_for_selector(".readout", state="detached")
        page.evaluate("world.step(0.3)")
        assert -page.evaluate("world.state()[2]") > 0.2


@pytest.mark.long
def test_another_page_steers_a_world_by_its_element(browser, tmp_path) -> None:
    app(["share", "four_bar", "--out", str(tmp_path / "four_bar.html"), "--embed"], standalone_mode=False)
    outer = tmp_path / "outer.html"
    script = (tmp_path / "tinkerdyne-world.js").read_text(encoding="utf-8")
    outer.write_text(
        f'<script type="module">{script}</script><tinkerdyne-world src="four_bar.html"></tinkerdyne-world>',
        encoding="utf-8",
    )
    page = browser.new_page()
    page.set_default_timeout(1e3 * HANG)
    page.goto(outer.as_uri())
    found = page.evaluate(
        """async () => {
            const world = document.querySelector("tinkerdyne-world");
            await world.ready;
            await world.pause();
            await world.reset();
            let heard = 0;
            world.on("frame", () => heard++);
            await world.step(0.5);
            const wrong = await world.get("nothing").catch((problem) => problem.message);
            return [await world.time(), heard > 0, wrong, world.version !== ""];
        }"""
    )
    page.close()
    assert found[0] == pytest.approx(0.5) and found[1] and "not plotted" in found[2] and found[3]


@pytest.mark.long
def test_a_stack_of_boxes_stands_in_the_page_as_in_python(browser, tmp_path) -> None:
    world = td.World()
    world.add(td.gravity(), td.contact(), td.Floor("floor"))
    for k in range(5):
        world.add(td.Box(f"box{k}", size=(0.2, 0.2, 0.2), position=(0.01 * k, 0, 0.1 + 0.2 * k)))
    html = live_page(world, "a stack")
    assert len(html.encode()) < LARGEST
    with opened(browser, tmp_path, world) as page:
        page.evaluate("world.reset()")
        for dt in (0.2, 0.8, 9.0):
            page.evaluate(f"world.step({dt})")
            world.step(dt)
            assert off(page, world) < (SAME if dt < 1 else 1e-6), dt


@pytest.mark.parametrize("size", [0, 1, 6, 7, 8, 1000, 100_003])
def test_bytes_are_packed_as_text_that_a_page_leaves_as_it_is(size) -> None:
    """Every character stands for itself in a script, in UTF-8 on any system."""
    data = np.random.default_rng(size).bytes(size)
    text = packed("some", data)
    assert parts(text) == {"some": data}
    assert not set("\0\r") & set(text) and text.count("<") == 2 and max(text) < "\u0100"
    assert len(text.encode()) < 60 + 1.18 * (len(data) + 40)


def test_a_world_with_rules_of_contact_runs_in_a_page(browser, tmp_path) -> None:
    """A rule, such as what passes through what, has no numbers in the arena."""
    world = td.World()
    ball, post = world.add(td.Sphere("ball", position=(0, 0, 2)), td.Box("post", is_fixed=True))
    world.add(td.contact(), td.ignore(ball, post), td.material(post, friction=0.1), td.gravity())
    with opened(browser, tmp_path, world) as page:
        page.evaluate("world.step(1)")
        world.step(1)
        assert off(page, world) < SAME and ball.position[2] < -2  # it fell through the post


def test_a_world_that_only_python_can_run_says_why(tmp_path) -> None:
    world = pendulum()
    world.at(1.0, td.Remove(("connect-1",)))
    with pytest.raises(CannotRun, match="its timeline edits the world: remove connect-1"):
        live_page(world)
    with pytest.raises(CannotRun, match='method="rattle"'):
        live_page(td.World(method="adaptive"))
    world = td.World(method="adaptive")
    world.add(td.Particle(position=(1, 0, 0)), td.gravity())
    file = tmp_path / "falling.html"
    with pytest.warns(UserWarning, match=r'falling.html is a replay: method="adaptive"'):
        world.share(file, seconds=0.05)
    assert "recording" in parts(file.read_text(encoding="utf-8")) and world.time == 0


def test_what_reads_an_image_is_a_replay(tmp_path) -> None:
    """Its kernels read the image by its address, which no page has."""
    world = td.World(order=1)
    point = world.add(td.Particle("point", position=(4.0, 4.0)))
    image = np.zeros((16, 16))
    image[:, 8:] = 1.0
    world.add(td.edge(point, td.photo(image), strength=1.0))
    with pytest.warns(UserWarning, match="reads an image, which stays in Python"):
        world.share(tmp_path / "image.html", seconds=0.1)


def test_the_studio_shares_a_live_page_or_says_why_not(show) -> None:
    world = pendulum()
    page = Page(show(world)._server)
    handle = page.ask("grab", item="rod", at=[0.5, 0, 0])
    model = content(page.ask("ask", what="live", plots=["connect-1.force"])["text"], "world")
    page.ask("release", handle=handle)
    assert [item["name"] for item in model["model"]["items"]] == [item.name for item in pendulum().items]
    assert list(model["watched"]) == ["connect-1.force"] and model["hands"]["names"] == ["rod"]
    page.ask("apply", edit={"edit": "Configure", "setting": "method", "value": "adaptive"})
    assert 'take method="rattle"' in page.refused("ask", what="live")


@pytest.mark.long
@pytest.mark.parametrize("name", ["four_bar", "pendulum", "jansen"])
def test_mechanisms_go_the_same_way_for_ten_seconds(browser, tmp_path, name) -> None:
    world = pendulum() if name == "pendulum" else gallery.load(name).build()
    with opened(browser, tmp_path, world) as page:
        page.evaluate("world.reset()")
        step: Callable[[float], object] = world.step
        page.evaluate("world.step(10)")
        step(10)
        assert off(page, world) < SAME


def test_the_command_writes_a_world_that_runs_or_a_replay_with_the_reason(tmp_path, capsys) -> None:
    app(["share", "four_bar", "--out", str(tmp_path / "live.html")], standalone_mode=False)
    live = (tmp_path / "live.html").read_text(encoding="utf-8")
    assert content(live, "world")["model"]["title"] and len(live.encode()) < LARGEST
    app(
        ["share", "compound_pendulum", "--out", str(tmp_path / "replay.html"), "--seconds", "0.05"],
        standalone_mode=False,
    )
    assert "recording" in parts((tmp_path / "replay.html").read_text(encoding="utf-8"))
    assert 'this is a replay: method="adaptive" runs in Python only' in capsys.readouterr().out
