"""A world as Python: running the script gives the same scene. Copies, and the page that replays."""

from __future__ import annotations

import base64
import json
import warnings

import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tinkerdyne import gallery
from tinkerdyne.studio import share, start
from tinkerdyne.studio.frames import HEADER
from tinkerdyne.studio.script import script

SCENES = ("four_bar", "bennett", "bead_on_wire", "clock", "screw_press", "cardhouse", "path_and_orientation", "stewart", "dumbbell")


def same(text: str) -> dict:
    """A scene without its time and its steppers' memory."""
    found = json.loads(text)
    found.pop("time")
    found.pop("stepper", None)
    for one in found.get("constraints", ()):
        one.pop("memory", None)
    return found


def again(world: td.World) -> td.World:
    names: dict = {}
    exec(compile(script(world), "script", "exec"), names)
    return names["world"]


@pytest.mark.parametrize("name", SCENES)
def test_the_script_of_a_scene_builds_it_again(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = gallery.load(name).build()
        assert same(again(world).to_json()) == same(world.to_json())


def test_the_script_of_a_running_world_goes_on_from_its_state():
    world = start.build()
    world.run(0.5)
    copy = again(world)
    assert same(copy.to_json()) == same(world.to_json())
    assert copy["pendulum"].velocity == world["pendulum"].velocity
    assert len([line for line in script(world).splitlines() if line]) <= 12  # what a person reads at a glance


def test_a_script_has_timelines_formulas_settings_and_odd_names():
    world = td.World(max_step=2e-3, method="runge_kutta")
    odd = world.add(td.Rod("class", density=700.0, is_fixed=True), td.Box("1 'quoted' \\ box", position=(2, 0, 0)))
    m = world.add(td.distance_between(odd[0].end1, odd[1].left, name="how far"))
    world.add(td.formula_energy("k*(x - 1)^2", x=m, k=3.0), td.equation("x - a*t", x=m, a=0.1, is_on=False, tau=0.5))
    world.add(td.spring(odd[0].end2, td.Nail(1, 2, 3), stiffness=3.0, name="connect-1"))
    world.at(2.0, td.Configure("max_step", 1e-3))
    world.ramp(world["connect-1"], "stiffness", to=9.0, start=1.0, end=2.0)
    assert same(again(world).to_json()) == same(world.to_json())


def test_a_script_leaves_nothing_behind_that_was_deleted():
    world = start.build()
    world.remove("floor end1")
    assert same(again(world).to_json()) == same(world.to_json())


def test_a_recording_is_one_file_that_cannot_break_out_of_its_script(show, tmp_path, monkeypatch):
    world = start.build()
    world.add(td.Sphere("</script><b>", position=(3, 3, 3)))
    page = Page(show(world)._server)
    monkeypatch.setattr(share, "CLIENT", tmp_path)
    assert "make studio" in page.refused("ask", what="share")
    (tmp_path / "replay.html").write_text("<script>window.RECORDING = /*RECORDING*/null;</script>")
    page.until(lambda: page.time > 0.3)
    text = page.ask("ask", what="share")["text"]
    assert text.count("</script>") == 1
    recording = json.loads(text.removeprefix("<script>window.RECORDING = ").removesuffix(";</script>"))
    assert "</script><b>" in [item["name"] for item in recording["model"]["items"]]
    sizes = {layout["revision"]: layout["size"] for layout in recording["layouts"]}
    frames, at, times = base64.b64decode(recording["frames"]), 0, []
    while at < len(frames):
        _, revision, when = HEADER.unpack_from(frames, at)
        times.append(when)
        at += HEADER.size + 4 * sizes[revision]
    assert at == len(frames) and len(times) > 10 and times == sorted(times)
    page.close()
