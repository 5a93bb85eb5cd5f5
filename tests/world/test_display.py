"""How a world is meant to be seen is an edit like every other: undone, renamed, saved, written as Python."""

from __future__ import annotations

import pytest

import tinkerdyne as td
from tinkerdyne.studio.build.script import script
from tinkerdyne.world.edit import edit_of, plain
from tinkerdyne.world.scene import SceneError


@pytest.fixture
def crank() -> td.World:
    world = td.World()
    rod = world.add(td.Rod("crank"))
    axle = world.add(td.join(td.pin, None, rod, at=(0, 0, 0), axis=(0, 1, 0), name="axle"))
    motor = world.add(td.speed(axle.turn, at=(3.0,), name="motor"))
    world.project()
    world.show(
        camera=(0, 0, 0, 5, -1.5, 0.2),
        traces=["crank.end2"],
        plots=["motor.force", "energy"],
        controls=[td.control(motor, "at", low=-6, high=6, keys="J K", title="Speed")],
        is_running=True,
    )
    return world


def test_a_display_is_saved_and_read(crank):
    again = td.World.from_json(crank.to_json())
    assert again.display == crank.display and len(again.display) == 5
    assert again.to_json() == crank.to_json()


def test_a_display_is_undone_part_by_part(crank):
    before = crank.display
    crank.show(traces=[], is_running=None)
    assert crank.display["traces"] == () and "is_running" not in crank.display
    assert crank.undo() and crank.display == before
    assert crank.redo() and crank.display["traces"] == ()


def test_a_display_follows_new_names(crank):
    crank.apply(td.Rename("crank", "wheel"))
    crank.apply(td.Rename("motor", "engine.1"))
    assert crank.display["traces"] == ("wheel.end2",)
    assert crank.display["plots"] == ("engine.1.force", "energy")
    assert crank.display["controls"][0].name == "engine.1"
    crank.undo()
    crank.undo()
    assert crank.display["controls"][0].name == "motor"


def test_a_display_changes_no_motion(crank):
    other = td.World.from_json(crank.to_json())
    crank.run(seconds=0.2)
    other.run(seconds=0.1)
    other.show(traces=[])
    other.run(seconds=0.1)
    assert crank["crank"].position == other["crank"].position


def test_a_display_is_written_as_python(crank):
    scope: dict[str, td.World] = {}
    exec(script(crank), scope)
    assert scope["world"].display == crank.display


def test_an_edit_of_a_display_is_json_and_back(crank):
    edit = td.Display("controls", crank.display["controls"])
    assert edit_of(plain(edit)) == edit


@pytest.mark.parametrize(
    ("part", "value", "says"),
    [
        ("camera", (0, 0, 0, 0, 0, 0), "distance"),
        ("traces", "crank", "must be a list"),
        ("colour", (1,), "has no 'colour'"),
        ("controls", [("motor", "at")], "control"),
        ("controls", [td.Control("motor", "at", "slider", 1.0, 1.0)], "must differ"),
        ("controls", [td.Control("motor", "at", "dial")], "slider"),
        ("controls", td.Control("motor", "at"), r"write controls=\[…\]"),
        ("plots", [1], "text"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(crank, part, value, says):
    before = crank.display
    with pytest.raises((TypeError, ValueError), match=says):
        crank.show(**{part: value})
    assert crank.display == before


def test_a_place_that_leaves_a_trace_may_be_given_itself(crank):
    crank.show(traces=[crank["crank"].end1])
    assert crank.display["traces"] == ("crank.end1",)
    with pytest.raises(TypeError, match="each of traces must be a text"):  # a place that has no name
        crank.show(traces=[td.point(crank["crank"], at=(0.2, 0, 0))])


def test_a_file_with_a_wrong_display_is_refused(crank):
    text = crank.to_json().replace('"kind": "slider"', '"kind": "dial"')
    with pytest.raises(SceneError, match="display"):
        td.World.from_json(text)
    with pytest.raises(ValueError, match="no parameter 'spede'"):
        td.control(crank["motor"], "spede")
