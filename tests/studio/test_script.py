"""A world as Python: running the script gives the same scene. Copies, and the page that replays."""

from __future__ import annotations

import ast
import json
import warnings

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tests.studio.unpacked import content, parts
from tinkerdyne import gallery
from tinkerdyne.studio.build.literals import cleaned, written
from tinkerdyne.studio.build.script import script
from tinkerdyne.studio.session import start
from tinkerdyne.studio.show import share
from tinkerdyne.studio.show.frames import HEADER

SCENES = (
    "four_bar",
    "bennett",
    "bead_on_wire",
    "clock",
    "screw_press",
    "cardhouse",
    "path_and_orientation",
    "stewart",
    "dumbbell",
    "puppet",
    "peaucellier_in_curves",
    "miura",
    "jansen",
    "pantograph_in_curves",
)


def same(text: str) -> dict:
    """A scene without its steppers' memory."""
    found = json.loads(text)
    found.pop("stepper", None)
    for one in found.get("constraints", ()):
        one.pop("memory", None)
    return found


def assert_near(a, b, where: str = "scene") -> None:
    """Equal, numbers to 1e-12: of themselves, or in SI units below 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        assert a.keys() == b.keys(), where
        for key in a:
            assert_near(a[key], b[key], f"{where}.{key}")
    elif isinstance(a, list) and isinstance(b, list):
        assert len(a) == len(b), where
        for k, (x, y) in enumerate(zip(a, b, strict=True)):
            assert_near(x, y, f"{where}[{k}]")
    elif isinstance(a, float) or isinstance(b, float):
        assert a == pytest.approx(b, rel=1e-12, abs=1e-12), where
    else:
        assert a == b, where


def again(world: td.World) -> td.World:
    names: dict = {}
    exec(compile(script(world), "script", "exec"), names)
    return names["world"]


@pytest.mark.parametrize("name", SCENES)
def test_the_script_of_a_scene_builds_it_again(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = gallery.load(name).build()
        assert_near(same(again(world).to_json()), same(world.to_json()))


@pytest.mark.parametrize("name", SCENES)
def test_the_script_of_a_scene_on_its_way_has_no_noise(name):
    """Literals are zero, or large enough to mean something; the model and the state are the same to 1e-12."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = gallery.load(name).build()
        world.run(0.1, dt=1 / 120)
        # a tolerance is meant
        lines = [line for line in script(world).splitlines() if not line.startswith("world = td.World(")]
        numbers = [
            node.value for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, ast.Constant)
        ]
        assert not [x for x in numbers if isinstance(x, float) and 0 < abs(x) < 1e-12]
        assert_near(same(again(world).to_json()), same(world.to_json()))


def test_numbers_are_written_as_a_person_would():
    assert written(cleaned((0.1 + 0.2, 2e-18, -0.0, 1.0))) == "(0.3, 0, 0, 1)"
    assert written(cleaned(1 / 3)) == repr(1 / 3)  # no short number is as good
    # a mass may be so small, a place not
    assert written(cleaned(2e-18)) == "2e-18" and written(cleaned(2e-18, 1e-12)) == "0"
    assert written(cleaned((3e-15, 4e-15))) == "(3e-15, 4e-15)"
    assert written(cleaned(td.Event(2.0, td.Change("a", "length", 0.1 + 0.2)))) == (
        "td.Event(time=2, what=td.Change(name='a', parameter='length', value=0.3))"
    )


def test_the_script_of_a_running_world_goes_on_from_its_state():
    world = start.build()
    world.run(0.5)
    copy = again(world)
    assert_near(same(copy.to_json()), same(world.to_json()))
    assert copy["pendulum"].velocity == world["pendulum"].velocity
    assert len([line for line in script(world).splitlines() if line]) <= 12  # what a person reads at a glance


def test_a_script_has_timelines_formulas_settings_and_odd_names():
    world = td.World(max_step=2e-3, method="runge_kutta")
    odd = world.add(
        td.Rod("class", density=700.0, is_fixed=True), td.Box("1 'quoted' \\ box", position=(2, 0, 0))
    )
    m = world.add(td.distance_between(odd[0].end1, odd[1].left, name="how far"))
    world.add(
        td.formula_energy("k*(x - 1)^2", x=m, k=3.0), td.equation("x - a*t", x=m, a=0.1, is_on=False, tau=0.5)
    )
    world.add(td.spring(odd[0].end2, td.Nail(1, 2, 3), stiffness=3.0, name="connect-1"))
    world.at(2.0, td.Configure("max_step", 1e-3))
    world.ramp(world["connect-1"], "stiffness", to=9.0, start=1.0, end=2.0)
    assert same(again(world).to_json()) == same(world.to_json())


def test_a_place_with_a_name_of_its_own_still_goes_with_its_body():
    world = td.World()
    rod = world.add(td.Rod("rod"))
    world.add(td.nail(rod.end2, at=(0.5, 0, 0)), td.Sphere("ball", position=(2, 0, 0)))
    world.add(td.spring(rod.end1, rod.end2), td.connect(rod.centre, world["ball"].centre, name="joint"))
    # of which one is taken again
    for name, to in (("rod.end2", "tip"), ("rod.centre", "it's a middle"), ("ball", "rod.end2")):
        world.apply(td.Rename(name, to))
    copy = again(world)
    assert_near(same(copy.to_json()), same(world.to_json()))
    copy["rod"].length = 3.0
    assert copy["tip"].at == (1.5, 0, 0)


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
    (tmp_path / "replay.html").write_text("<!--RECORDING-->")
    page.until(lambda: page.time > 0.3)
    text = page.ask("ask", what="share")["text"]
    assert text.count("</script>") == 2 and text.count("<") == 4
    recording = content(text, "recording")
    assert "</script><b>" in [item["name"] for item in recording["model"]["items"]]
    sizes = {layout["revision"]: layout["size"] for layout in recording["layouts"]}
    frames, at, times = parts(text)["frames"], 0, []
    while at < len(frames):
        _, revision, when = HEADER.unpack_from(frames, at)
        times.append(when)
        at += HEADER.size + 4 * sizes[revision]
    assert at == len(frames) and len(times) > 10 and times == sorted(times)
    page.close()


def test_the_script_of_a_world_whose_parts_are_led_goes_on_where_it_is():
    """A part on a path stays where it is, and what is planned for an earlier time does not happen again."""
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0, 0, 0)))
    world.add(td.connect(td.path(keys=((0, 0, 0, 0), (2, 4, 0, 0))), ball, name="lead"))
    world.add(td.Particle("late"))
    world.at(0.5, td.Remove(("late",)))
    world.at(1.5, td.Change("lead", "is_on", False))
    world.run(1.0)
    copy = again(world)
    assert copy.time == world.time == 1.0 and "late" not in copy
    for _ in range(4):
        world.run(0.2)
        copy.run(0.2)
        assert np.allclose(copy["ball"].position, world["ball"].position, atol=1e-9)
    assert not copy["lead"].is_on
