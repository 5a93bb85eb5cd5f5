"""A world as one file: the engine runs in the page as it runs in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tinkerdyne as td
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
    browser: Any, folder: Path, world: td.World, watched: tuple[str, ...] = ("energy",)
) -> Iterator[Any]:
    """The file of a world, opened from disk."""
    file = folder / "world.html"
    file.write_text(live_page(world, "a world", watched), encoding="utf-8")
    context = browser.new_context(viewport={"width": 800, "height": 600}, offline=True)
    page = context.new_page()
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


def test_a_world_that_only_python_can_run_says_why() -> None:
    world = pendulum()
    world.at(1.0, td.Remove(("connect-1",)))
    with pytest.raises(CannotRun, match="its timeline edits the world: remove connect-1"):
        live_page(world)
    with pytest.raises(CannotRun, match='method="rattle"'):
        live_page(td.World(method="adaptive"))


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
